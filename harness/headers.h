/* headers.h - what a response tells its client about the limit: header fields, written from a verdict and a
 * quota, read back, and judged by what then happens.
 *
 * Every style is a row of header_styles[]; a style is one to four headers, each with a name and a value.
 *
 * Waits are rounded up to whole seconds and what remains is rounded down, so that who obeys is admitted; a
 * policy's window that is no whole number of seconds is rounded up (so w is at least 1).  Omitted are
 * Retry-After when the request was allowed, Retry-After and `t` when no wait will do, and whatever is not
 * known.  A wait of less than nothing is told as 0.
 *
 * Integers of structured fields (RFC 9651, 3.3.1) have at most 15 digits: limits and remainders above that
 * are written as HEADER_INTEGER_MAX, which says less than there is.  Waits never grow so long.  X-RateLimit-*
 * are no structured fields and are written in full.
 *
 * Instants are on the decider's clock: `now_ns` is the reading that decided, and an epoch is
 * policy->epoch_ns + now_ns + the wait.  So a clock that is wrong makes an epoch wrong, and no delta. */
#ifndef LIMITLAB_HEADERS_H
#define LIMITLAB_HEADERS_H
#include "../engine/limiter.h"

enum { HEADERS_MAX = 4, HEADER_TEXT = 128 };
#define HEADER_INTEGER_MAX INT64_C(999999999999999)

/* What headers are made of.  With policy NULL nobody looked at a state (a bare counter, a lease, fail-open):
 * then only Retry-After can be told. */
struct answer {
    const struct policy *policy;
    const char *policy_name;            /* printable ASCII; RateLimit and RateLimit-Policy quote it */
    int64_t now_ns;
    struct verdict verdict;
    struct quota quota;                 /* of the state after the decision */
};

/* What a header's text says, for those who act on it. */
struct told {
    bool    has_remaining, has_wait;
    int64_t remaining;
    int64_t wait_s;                     /* or, of an epoch, the second since 1970 to wait for */
};

/* What a client finds that waits as told and then comes back alone. */
enum header_wait {
    WAIT_NONE,                          /* the header tells no wait */
    WAIT_PASSES,                        /* the same request passes */
    WAIT_FULL,                          /* whatever a key never seen lets through at once passes */
    WAIT_EITHER                         /* denied: the same request passes; allowed: as WAIT_FULL */
};

struct header {
    const char *name;
    const char *meaning;
    enum header_wait wait;
    bool epoch;                         /* the wait is an instant, not a delta */
    bool saturates;                     /* HEADER_INTEGER_MAX means "or more" */
    /* False: the header is omitted, and value is "". */
    bool (*write)(const struct answer *answer, char value[HEADER_TEXT]);
    /* False: the text is not what this header may be.  Nothing is skipped or guessed: no sign, blank or digit
     * too many.  (Retry-After may be an HTTP date, too; nobody here writes one, and it is not read.) */
    bool (*read)(const char *value, struct told *told);
};

struct header_style {
    const char *name;                   /* as in --headers NAME */
    const char *meaning, *source;
    const struct header *header[HEADERS_MAX + 1];       /* ends with NULL */
};

extern const struct header_style header_styles[];
extern const unsigned header_style_count;

/* NULL when there is none of that name. */
const struct header_style *header_style_find(const char *name);

bool header_write(const struct header *header, const struct answer *answer, char value[HEADER_TEXT]);

/* *told is all zero where the text says nothing, as that of a policy does. */
bool header_read(const struct header *header, const char *value, struct told *told);

/* ---- judging ------------------------------------------------------------------------------------------- */

/* One decision and the very state that it left, as bytes.  Waits and remainders are put to its check(), which
 * changes nothing.  The clock must not have gone back since that state's latest charge: a reading from before
 * it may pass although the state is not as good as new yet. */
struct asked {
    const struct limiter *limiter;      /* whose fresh state has at most 256 bytes */
    const struct policy *policy;
    const void *state;
    struct request request;
    bool allowed;                       /* how the request was answered */
};

enum finding {
    FINDING_NONE,                       /* nothing to judge: no claim, or one beyond the range of instants */
    FINDING_TRUE,
    FINDING_EARLY,                      /* who waits as told is denied */
    FINDING_LATE,                       /* who waits one second less (a quota: one ns) is admitted already */
    FINDING_TOO_MUCH,                   /* what is said to remain does not pass */
    FINDING_TOO_LITTLE,                 /* one more than what is said to remain passes */
    FINDING_MISSING,                    /* denied, a wait would do, and the header does not say which */
    FINDING_UNREADABLE
};

/* "", "true", "too early", ... */
const char *finding_text(enum finding finding);

/* Judges the text, not the number that it was made from.  value "": the header was omitted.  First what
 * remains, then the wait; an instant that has passed counts as no wait. */
enum finding header_judge(const struct header *header, const char *value, const struct asked *asked);

/* The two members of a quota, to the unit and to the nanosecond. */
enum finding remaining_judge(const struct asked *asked, int64_t remaining);
enum finding reset_judge(const struct asked *asked, int64_t reset_after_ns);

/* Which meanings a Reset value can have under this policy, at this reading: a delta when it is no longer than
 * any refill (two periods, or twice what the burst takes to come back), an epoch when it lies from now to
 * that far ahead.  An epoch that is read as a delta is a retry in fifty years; a delta that is read as an
 * epoch has long passed, and is no wait at all.  Both bits: a clock near the epoch leaves it open.  Neither:
 * it is something else (milliseconds, say), or the refill of a deep debt. */
enum { RESET_NEITHER = 0, RESET_DELTA = 1, RESET_EPOCH = 2 };
unsigned reset_meanings(const struct policy *policy, int64_t now_ns, int64_t seconds);
#endif
