/* design.h - a design is a limiter and a coordination, with the coordination's parameters. */
#ifndef LIMITLAB_DESIGN_H
#define LIMITLAB_DESIGN_H
#include "limiter.h"
#include "network.h"

struct arrival;
struct key_rule;
struct world;
struct call;
struct message;

enum parameter_kind {
    PARAMETER_COUNT,                    /* a whole number */
    PARAMETER_SPAN,                     /* a duration, in ns */
    PARAMETER_RATE,                     /* "1/s": requests an hour; 0 ("none"): no bound */
    PARAMETER_REGION,                   /* a region's name, as its number */
    PARAMETER_CHOICE                    /* one of a list of words, as its place in the list */
};

/* What a preset may depend on. */
struct setting {
    const struct policy *policy;
    uint32_t regions, store_region;
    const uint32_t *instances;          /* nodes of each region */
};

struct parameter {
    const char *name;
    enum parameter_kind kind;
    const char *preset_text;            /* the default in words, for help: "limit/10" */
    int64_t preset;                     /* the default, unless derived */
    int64_t (*derive)(const struct setting *setting);
    int64_t low, high;                  /* COUNT, SPAN, RATE: bounds, inclusive */
    const char *zero_word;              /* COUNT, SPAN, RATE: the word for 0 ("none"); NULL: 0 has none */
    const char *const *choices;         /* CHOICE: ends with NULL */
    const char *meaning;
};

enum { PARAMETERS_MAX = 20, PHASES_MAX = 10 };

struct design;

struct coordination {
    const char *name, *alias;           /* alias may be NULL */
    const char *summary;                /* one line, for `limitlab list coordinations` */
    struct parameter parameter[PARAMETERS_MAX + 1];     /* ends with name NULL */
    const char *phase[PHASES_MAX];      /* names of the gaps in which others may move, by call->phase;
                                           phase[0] is the start */

    /* Why this design cannot be in this setting, as static text; NULL when it can. */
    const char *(*refuses)(const struct design *design, const struct setting *setting);

    /* Makes stores and policies; called once, before any call. */
    void (*set_up)(struct world *world);

    /* Which instance of its region takes a request, 0 .. instances - 1; NULL: any, by a keyed stream. */
    uint32_t (*route)(const struct world *world, const struct arrival *arrival);

    /* One step of a call: see protocol.h. */
    void (*step)(struct world *world, struct call *call, struct message *in);

    bool counts;                        /* its decisions are answers of counters or blocks: only deciding
                                           takes can run on it */
    bool looks_at_once;                 /* its first step already reads or decides (rather than only sends) */
    bool catches_loss;                  /* step() wants to see a lost operation (in->lost); else the call
                                           fails, unless its decision had already taken effect */

    /* A node's timer went off (world_set_timer); NULL when there are no timers. */
    void (*timer)(struct world *world, uint32_t node);

    /* An OP_WAKE that was posted to one of its objects has its turn there: nobody else is inside.  The
     * message is gone once another is made.  NULL when objects wake nobody. */
    void (*wake)(struct world *world, const struct message *message);
};

/* ---- programs ------------------------------------------------------------------------------------------ */

/* A request is a short program of takes.  Each take runs the coordination once; what the request is told is
 * decided by the takes that ask, all of which must allow it.  Takes go on only while it is allowed. */
enum take_kind {
    TAKE_DECIDE,                        /* asks, and is charged when it passes */
    TAKE_CHECK,                         /* asks, and is not charged */
    TAKE_SPEND,                         /* charges what was checked before; when that no longer passes nothing
                                           is charged, and nobody asks */
    TAKE_SETTLE,                        /* charges the surplus (or gives it back), come what may */
    TAKE_TOUCH                          /* a way there and back that decides nothing */
};

/* Layer 0 is the limit itself; layer 1 another limit that a request must keep as well (a ceiling). */
enum { LAYERS = 2, TAKES_MAX = 6 };

struct take {
    enum take_kind kind;
    uint8_t layer;
    bool    after_work;                 /* the request's work is done first (world_setup.work_ns) */
    bool    when_denied;                /* runs only when the request was denied, before the caller is told */
};

struct program {
    const char *name, *meaning;
    bool refunds;                       /* what was charged in earlier layers is given back when a later one
                                           denies */
    unsigned takes;
    struct take take[TAKES_MAX];
};

static inline bool take_asks(const struct take *take)
{
    return take->kind == TAKE_DECIDE || take->kind == TAKE_CHECK;
}

/* It keeps a ceiling too. */
static inline bool program_has_ceiling(const struct program *program)
{
    for (unsigned i = 0; program && i < program->takes; i++)
        if (program->take[i].layer > 0)
            return true;
    return false;
}

/* Nothing but deciding takes. */
static inline bool program_only_decides(const struct program *program)
{
    for (unsigned i = 0; program && i < program->takes; i++)
        if (program->take[i].kind != TAKE_DECIDE)
            return false;
    return !program || !program->refunds;
}

struct design {
    const struct limiter *limiter;
    const struct coordination *coordination;
    int64_t parameter[PARAMETERS_MAX];  /* in the order of the coordination's table */
    const struct program *program;      /* NULL: one deciding take in layer 0 */
    const struct key_rule *key_rule;    /* what becomes of a key before the limiter sees it (algos/keys.h);
                                           NULL: nothing.  The engine is given the outcome: arrival.bucket */
};
#endif
