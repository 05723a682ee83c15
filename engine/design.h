/* design.h - a design is a limiter and a coordination, with the coordination's parameters. */
#ifndef LIMITLAB_DESIGN_H
#define LIMITLAB_DESIGN_H
#include "limiter.h"
#include "network.h"

struct arrival;
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
    const char *zero_word;              /* COUNT, RATE: the word for 0 ("none"); NULL: 0 has none */
    const char *const *choices;         /* CHOICE: ends with NULL */
    const char *meaning;
};

enum { PARAMETERS_MAX = 14, PHASES_MAX = 8 };

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

    bool catches_loss;                  /* step() wants to see a lost operation (in->lost); else the call
                                           fails, unless its decision had already taken effect */

    /* A node's timer went off (world_set_timer); NULL when there are no timers. */
    void (*timer)(struct world *world, uint32_t node);
};

struct design {
    const struct limiter *limiter;
    const struct coordination *coordination;
    int64_t parameter[PARAMETERS_MAX];  /* in the order of the coordination's table */
};
#endif
