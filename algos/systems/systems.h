/* systems.h - rate limiters that people really use, as named rows: which limiter, which coordination, with
 * which parameters.
 *
 * A name such as portable-rate-limit/kv stands wherever a design may: it is short for the design in its row,
 * and parameters after it replace the row's own ("portable-rate-limit/kv:cache=10s").  Every row names the
 * scenario that holds it to what it does.
 *
 * A new system is its limiter's file where no limiter does yet (in this folder, judged against the textbook
 * rule that it follows: limiter.rule), and a row in the table of its family. */
#ifndef LIMITLAB_SYSTEMS_H
#define LIMITLAB_SYSTEMS_H
#include "../../engine/design.h"

struct system {
    const char *name;                   /* FAMILY or FAMILY/VARIANT */
    const char *design;                 /* LIMITER@COORDINATION[:PARAM=VALUE]... */
    const char *summary;                /* one line: what it is and what surprises people about it */
    const char *source;                 /* where its rules were read */
    const char *scenario;               /* its file in scenarios/systems/ */
};

/* Tables of families; each ends with name NULL, the list with NULL. */
extern const struct system *const systems[];

/* By name; NULL when there is none. */
const struct system *system_find(const char *name);

/* The limiters that only systems use: NULL-terminated tables, ended by NULL. */
extern const struct limiter *const *const system_limiters[];

/* The coordinations that only systems use: ended by NULL. */
extern const struct coordination *const system_coordinations[];
#endif
