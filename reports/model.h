/* model.h - one run, as the database has it. */
#ifndef LIMITLAB_MODEL_H
#define LIMITLAB_MODEL_H
#include <sqlite3.h>
#include "contender.h"
#include "report.h"

/* The watched key's traffic in one result, bin by bin. */
struct model_series {
    int64_t start_ns, width_ns;
    unsigned bins;
    int64_t *admitted, *window;         /* owned: model_series_free() */
};

struct model_point { int64_t upto_ns, count; };

/* Of a result, what only plots and their captions need. */
struct model_result {
    int64_t id, window_cost;            /* the cost in its worst window */
    const char *window_key, *burst_key; /* the keys with the worst window and the largest burst */
};

struct model_claim { const char *name, *design, *detail; bool came_true; };

/* All texts are shown texts (show.h), owned by the model; "" where there is none. */
struct model {
    sqlite3 *sqlite;
    const char *path;
    struct model_text *texts;
    int64_t run;
    bool    finished, window_target;
    const char *title, *invocation, *version, *command;
    const char *story, *setting;        /* with their line breaks and other control characters */
    const char *require;                /* conditions joined by "and" */
    const char *watched_key;
    int64_t period_ns, burst, first_seed, last_seed;            /* burst 0: as the limit */
    int64_t target_limit, target_period_ns, target_burst;       /* 0: as the policy */
    struct contender *contender;        /* ranked */
    size_t  contenders;
    struct model_result *result;        /* by contender.position */
    struct model_claim *claim;
    size_t  claims;
};

bool model_load(struct model *model, const char *database, int64_t run, struct report_failure *failure);
void model_free(struct model *model);

/* The result behind a contender (with several seeds: the first). */
int64_t model_result(const struct model *model, const struct contender *contender);

/* Series and latency of a result.  Nothing stored: bins or *count is 0. */
bool model_series_load(const struct model *model, int64_t result, struct model_series *series,
                       struct report_failure *failure);
void model_series_free(struct model_series *series);
bool model_latency_load(const struct model *model, int64_t result, struct model_point **points,
                        unsigned *count, struct report_failure *failure);

/* A stored text, fit to be shown, kept with the model; NULL gives "". */
const char *model_text(struct model *model, const char *text);

/* Always false. */
__attribute__((format(printf, 3, 4)))
bool report_fail(struct report_failure *failure, int code, const char *format, ...);

/* realloc() that never returns NULL: without memory the process says so and ends with REPORT_TROUBLE. */
void *report_memory(void *block, size_t bytes);
#endif
