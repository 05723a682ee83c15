/* world_rig.h - a small world from a few lines, and everything that happened in it.
 *
 *     struct trial *trial = trial_new("gcra@cas", 2, 10, 60 * S);       two regions, 10 per 60 s
 *     trial_link(trial, 0, 1, 45 * MS, 45 * MS);
 *     ask(trial, 0, 1, 0, 1);                                           at 0, from region 1, key 0, cost 1
 *     play(trial);
 *     assert_int_equal(latency_ns(trial, 0), 180 * MS);
 *     trial_free(trial);
 *
 * play() also checks what must be true of every run, whatever the design: every request ends once, and is
 * decided once unless it failed; every reading is settled or dropped, and none goes back in time; no message
 * is left under way, no block of a growing state is lost or held by nobody; the counts of the observer and of
 * an oracle that heard the same news agree; freeing the world gives all its memory back. */
#ifndef LIMITLAB_WORLD_RIG_H
#define LIMITLAB_WORLD_RIG_H
#include "test.h"
#include <stdio.h>
#include "../engine/simulate.h"
#include "../harness/design.h"
#include "../harness/lab.h"
#include "../harness/oracle.h"
#include "counting_memory.h"

#define MS INT64_C(1000000)
#define S  INT64_C(1000000000)

enum { TRIAL_REGIONS = 8, TRIAL_LINKS = 2 * TRIAL_REGIONS * TRIAL_REGIONS, TRIAL_CLOCKS = 8,
       TRIAL_FAULTS = 8, TRIAL_KEYS = 16 };

/* What became of one request. */
struct told {
    unsigned arrived, decided, finished, departed;      /* how often */
    bool     failed;
    struct decision decision;
    uint64_t order;                     /* of decisions, from 1 */
    int64_t  finished_ns, departed_ns;
};

/* One step of a store, as it was applied. */
struct effect {
    int64_t  at_ns;
    uint64_t request;                   /* whose; NOBODY for background steps and copies */
    enum operation operation;
    uint32_t store, cell, from;
    bool     ok;
};
#define NOBODY UINT64_MAX

struct opening { uint32_t oracle_ticket; bool settled; };

struct trial {
    struct world world;                 /* first: stores are handed the world alone */
    /* stated: */
    const char *text;
    struct policy policy;
    struct topology topology;
    struct link_spec link[TRIAL_LINKS];
    struct clock_spec clock[TRIAL_CLOCKS];
    struct chooser chooser;             /* keyed, seed 1, unless changed */
    int64_t timeout_ns;                 /* 5 s unless changed */
    struct fault fault[TRIAL_FAULTS];
    uint32_t faults;
    bool volatile_memory;               /* of all stores */
    struct policy ceiling, variant;     /* limit 0: there is none; the ceiling is over keys below TRIAL_KEYS
                                            together */
    int64_t work_ns;
    bool judges_quota;                  /* see world_setup */
    bool watched;                       /* effects are recorded, of stores that are reached by message */
    struct arrival *asked;              /* request i has the id i, unless a test changes it */
    uint32_t asks;
    /* found out: */
    struct told *told;                  /* one a request, by id */
    struct effect *effect;
    uint32_t effects;
    uint64_t admitted, denied, failed, decisions;
    int64_t  admitted_cost;
    uint64_t digest;
    struct result result;
    struct failure failure;             /* why the design cannot be */
    /* the rig's own: */
    struct observer observer;
    struct source source;
    uint32_t next;
    struct design design;
    struct oracle oracle;
    struct keys keys;
    struct arena arena;
    struct lab lab;
    struct world_setup setup;
    struct policy policies[4];
    uint32_t ceiling_key[TRIAL_KEYS], group[TRIAL_KEYS];
    uint32_t instances[REGIONS_MAX];
    struct store_model model[STORES_MAX];
    const struct store_model *real[STORES_MAX];
    struct counting_memory counting;
    struct opening *reading;
    uint32_t readings;
    int64_t  last_instant_ns;
    bool     played;
};

struct trial *trial_new(const char *design, uint32_t regions, int64_t limit, int64_t period_ns);
void trial_free(struct trial *trial);

/* Both directions; spans are uniform between low and high. */
void trial_link(struct trial *trial, uint32_t a, uint32_t b, int64_t low_ns, int64_t high_ns);
/* The same for all pairs of different regions. */
void trial_links(struct trial *trial, int64_t low_ns, int64_t high_ns);
/* One direction, after its trial_link(): what is lost and what comes twice, in billionths. */
void trial_hurt(struct trial *trial, uint32_t from, uint32_t to, uint32_t loss, uint32_t duplicate);
/* The clock of a region's nodes, or of its stores. */
void trial_offset(struct trial *trial, uint32_t region, bool of_store, int64_t offset_ns);

/* A fault of all regions, instances and keys, certain, which does not end unless to_ns says so; change what
 * is else. */
struct fault *trial_fault(struct trial *trial, enum fault_kind kind, int64_t from_ns, int64_t to_ns);

void ask(struct trial *trial, int64_t at_ns, uint32_t region, uint32_t key, int64_t cost);
void ask_times(struct trial *trial, int times, int64_t at_ns, uint32_t region);     /* key 0, cost 1 */

/* Resolves the design; false when it cannot be, see trial->failure. */
bool trial_possible(struct trial *trial);
void play(struct trial *trial);

static inline bool admitted(const struct trial *trial, uint32_t i)
{
    return trial->told[i].decided && trial->told[i].decision.verdict.allowed;
}
static inline int64_t latency_ns(const struct trial *trial, uint32_t i)
{
    return trial->told[i].finished_ns - trial->asked[i].at_ns;
}
static inline int64_t retry_ns(const struct trial *trial, uint32_t i)
{
    return trial->told[i].decision.verdict.retry_after_ns;
}
#endif
