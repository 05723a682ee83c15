/* headers.c - the styles, and how each header is written.  See headers.h. */
#include "headers.h"
#include <stdio.h>
#include <string.h>
#include "headers_private.h"

/* ---- numbers ---- */

static int64_t seconds_up(int64_t ns)
{
    return (int64_t)div_ceil(i64_max(0, ns), NS_PER_S);
}

/* What fits a structured field's integer. */
static int64_t field_integer(int64_t count)
{
    return i64_min(i64_max(0, count), HEADER_INTEGER_MAX);
}

static bool put_number(char value[HEADER_TEXT], int64_t number)
{
    snprintf(value, HEADER_TEXT, "%lld", (long long)number);
    return true;
}

/* ---- Retry-After and X-RateLimit-* ---- */

static bool write_retry_after(const struct answer *answer, char *value)
{
    const struct verdict *verdict = &answer->verdict;

    return !verdict->allowed && verdict->retry_after_ns != NEVER_NS
        && put_number(value, seconds_up(verdict->retry_after_ns));
}

static bool write_limit(const struct answer *answer, char *value)
{
    return answer->policy && put_number(value, answer->policy->limit);
}

static bool write_remaining(const struct answer *answer, char *value)
{
    return answer->policy && put_number(value, i64_max(0, answer->quota.remaining));
}

static bool knows_reset(const struct answer *answer)
{
    return answer->policy && answer->quota.reset_after_ns != NEVER_NS;
}

static bool write_reset_delta(const struct answer *answer, char *value)
{
    return knows_reset(answer) && put_number(value, seconds_up(answer->quota.reset_after_ns));
}

static bool write_reset_epoch(const struct answer *answer, char *value)
{
    if (!knows_reset(answer))
        return false;
    i128 then_ns = (i128)answer->policy->epoch_ns + answer->now_ns + i64_max(0, answer->quota.reset_after_ns);
    return put_number(value, (int64_t)div_ceil(then_ns, NS_PER_S));
}

/* ---- structured fields ---- */

/* A string of a structured field: quoted, with a backslash before quotes and backslashes.  NULL when the text
 * is not printable ASCII or leaves no room for what follows it. */
static char *put_string(char *to, const char *text)
{
    enum { ROOM = HEADER_TEXT - 48 };   /* two parameters of 15 digits, at most */
    const char *begin = to;

    *to++ = '"';
    for (; *text; text++) {
        if (*text < 0x20 || *text > 0x7e || to - begin > ROOM)
            return NULL;
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        *to++ = *text;
    }
    *to++ = '"';
    return to;
}

static long long window_s(const struct answer *answer)
{
    return (long long)seconds_up(answer->policy->period_ns);
}

static long long limit_of(const struct answer *answer)
{
    return (long long)field_integer(answer->policy->limit);
}

static long long remaining_of(const struct answer *answer)
{
    return (long long)field_integer(answer->quota.remaining);
}

static bool write_field_limit(const struct answer *answer, char *value)
{
    return answer->policy && put_number(value, limit_of(answer));
}

static bool write_field_remaining(const struct answer *answer, char *value)
{
    return answer->policy && put_number(value, remaining_of(answer));
}

static bool write_counted_policy(const struct answer *answer, char *value)
{
    if (!answer->policy)
        return false;
    snprintf(value, HEADER_TEXT, "%lld;w=%lld", limit_of(answer), window_s(answer));
    return true;
}

static bool write_dictionary(const struct answer *answer, char *value)
{
    if (!knows_reset(answer))
        return false;
    snprintf(value, HEADER_TEXT, "limit=%lld, remaining=%lld, reset=%lld", limit_of(answer),
             remaining_of(answer), (long long)seconds_up(answer->quota.reset_after_ns));
    return true;
}

static bool write_named_policy(const struct answer *answer, char *value)
{
    char *end = answer->policy ? put_string(value, answer->policy_name) : NULL;

    if (!end)
        return false;
    snprintf(end, (size_t)(value + HEADER_TEXT - end), ";q=%lld;w=%lld", limit_of(answer), window_s(answer));
    return true;
}

static bool write_named_quota(const struct answer *answer, char *value)
{
    char *end = answer->policy ? put_string(value, answer->policy_name) : NULL;
    int64_t wait_ns =
        answer->verdict.allowed ? answer->quota.reset_after_ns : answer->verdict.retry_after_ns;

    if (!end)
        return false;
    size_t room = (size_t)(value + HEADER_TEXT - end);
    if (wait_ns == NEVER_NS)
        snprintf(end, room, ";r=%lld", remaining_of(answer));
    else
        snprintf(end, room, ";r=%lld;t=%lld", remaining_of(answer), (long long)seconds_up(wait_ns));
    return true;
}

/* ---- the table ---- */

static const struct header retry_after = {
    "Retry-After", "seconds until the same request, alone, passes", WAIT_PASSES, false, false,
    write_retry_after, read_delta
};
static const struct header x_limit = {
    "X-RateLimit-Limit", "the limit", WAIT_NONE, false, false, write_limit, read_limit
};
static const struct header x_remaining = {
    "X-RateLimit-Remaining", "the largest cost that passes now", WAIT_NONE, false, false, write_remaining,
    read_remaining
};
static const struct header x_reset_delta = {
    "X-RateLimit-Reset", "seconds until all of it is there again", WAIT_FULL, false, false,
    write_reset_delta, read_delta
};
static const struct header x_reset_epoch = {
    "X-RateLimit-Reset", "the second since 1970 at which all of it is there again", WAIT_FULL, true, false,
    write_reset_epoch, read_epoch
};
static const struct header draft_limit = {
    "RateLimit-Limit", "the limit", WAIT_NONE, false, true, write_field_limit,
    read_field_limit
};
static const struct header draft_remaining = {
    "RateLimit-Remaining", "the largest cost that passes now", WAIT_NONE, false, true, write_field_remaining,
    read_field_remaining
};
static const struct header draft_reset = {
    "RateLimit-Reset", "seconds until all of it is there again", WAIT_FULL, false, true, write_reset_delta,
    read_delta
};
static const struct header draft_policy = {
    "RateLimit-Policy", "the limit; w: the period in seconds", WAIT_NONE, false, true, write_counted_policy,
    read_counted_policy
};
static const struct header draft_dictionary = {
    "RateLimit", "limit, remaining and reset in one field", WAIT_FULL, false, true, write_dictionary,
    read_dictionary
};
static const struct header ietf_policy = {
    "RateLimit-Policy", "q: the limit; w: the period in seconds", WAIT_NONE, false, true, write_named_policy,
    read_named_policy
};
static const struct header ietf_quota = {
    "RateLimit", "r: the largest cost that passes now; t: seconds until the same request passes or, of one "
    "that passed, until all of it is there again", WAIT_EITHER, false, true, write_named_quota,
    read_named_quota
};

const struct header_style header_styles[] = {
    { "retry-after", "how long to wait, on denials alone", "RFC 9110, 10.2.3", { &retry_after } },
    { "x-ratelimit-delta", "the old names; Reset counts seconds from now",
      "as github.com/throttled/throttled and Envoy write them", { &x_limit, &x_remaining, &x_reset_delta } },
    { "x-ratelimit-epoch", "the old names; Reset is a Unix time",
      "as the GitHub REST API and Rack::Attack write them", { &x_limit, &x_remaining, &x_reset_epoch } },
    { "ietf-draft-6", "four fields, Reset in seconds from now",
      "draft-ietf-httpapi-ratelimit-headers-06; express-rate-limit writes it",
      { &draft_policy, &draft_limit, &draft_remaining, &draft_reset } },
    { "ietf-draft-7", "one field for the quota, one for the policy",
      "draft-ietf-httpapi-ratelimit-headers-07; express-rate-limit writes it",
      { &draft_policy, &draft_dictionary } },
    { "ietf", "named policies and their quotas",
      "draft-ietf-httpapi-ratelimit-headers, from its eighth version on", { &ietf_policy, &ietf_quota } },
};
const unsigned header_style_count = sizeof header_styles / sizeof *header_styles;

const struct header_style *header_style_find(const char *name)
{
    for (unsigned i = 0; i < header_style_count; i++)
        if (strcmp(header_styles[i].name, name) == 0)
            return &header_styles[i];
    return NULL;
}

bool header_write(const struct header *header, const struct answer *answer, char value[HEADER_TEXT])
{
    bool written = header->write(answer, value);

    if (!written)
        value[0] = '\0';
    return written;
}

bool header_read(const struct header *header, const char *value, struct told *told)
{
    *told = (struct told){ 0 };
    return header->read(value, told);
}
