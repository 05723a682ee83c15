/* plausible.h - results such as a runner hands out, for the tests of output, database and report. */
#ifndef LIMITLAB_PLAUSIBLE_H
#define LIMITLAB_PLAUSIBLE_H
#include <string.h>
#include "../harness/experiment.h"
#include "../harness/result.h"

enum { PLAUSIBLE_DESIGNS = 6, PLAUSIBLE_POINTS = 40 };

static const int64_t plausible_limit[] = { 200000, 400000 };
static const struct condition *const no_conditions;

static inline struct experiment plausible_experiment(void)
{
    return (struct experiment){
        .file = "scenarios/llm-tokens.yaml", .name = "llm-tokens", .title = "Tokens of a language model",
        .story = "A service that meters tokens a minute. Calls come in bursts, and their costs differ a lot.",
        .limits = 1, .limit = plausible_limit, .period_ns = 60000000000, .first_seed = 1, .last_seed = 1,
        .require = no_conditions,
    };
}

/* What sets the designs apart; the rest of a result follows from it. */
struct plausible_design {
    const char *design, *parameters;
    uint64_t over, denied_wrongly, lost, retries, operations;
    int64_t  p50_ns, p99_ns;
    i128     burst_billionths, window_cost;
};

static const struct plausible_design plausible_designs[PLAUSIBLE_DESIGNS] = {
    { "fixed-window@get-then-set", "home=us-east-1", 212, 3, 1840, 0, 15000,
      76000000, 168000000, 1874000000, 512873 },
    { "fixed-window@owner", "home=us-east-1 service=0s scope=key unreachable=closed", 94, 0, 0, 0, 0,
      76000000, 168000000, 1432437765, 399981 },
    { "token-bucket@owner", "home=us-east-1 service=0s scope=key unreachable=closed", 0, 0, 0, 0, 0,
      76000000, 168000000, 1000000000, 399265 },
    { "gcra@cas", "home=us-east-1 attempts=unbounded", 0, 0, 0, 912, 18422,
      152000000, 671000000, 1000000000, 398120 },
    { "token-bucket@local:share=split", "instances=3 route=random share=split", 0, 1031, 0, 0, 0,
      0, 0, 720000000, 271000 },
    { "fixed-window@sharded:shards=8:mode=sum", "shards=8 mode=sum route=random", 61, 12, 0, 0, 44120,
      91000000, 201000000, 1320000000, 371000 },
};

static struct latency_point plausible_latency[PLAUSIBLE_DESIGNS][PLAUSIBLE_POINTS];

/* A hump in the middle, so that cumulative counts have the usual S shape. */
static inline void plausible_fill_latency(struct result *r, unsigned which)
{
    const struct plausible_design *d = &plausible_designs[which];
    uint64_t count = 0;
    for (int64_t i = 0; i < PLAUSIBLE_POINTS; i++) {
        count += (uint64_t)(i < 20 ? i + 1 : PLAUSIBLE_POINTS - i) * 9;
        plausible_latency[which][i] = (struct latency_point){ (i + 1) * d->p99_ns / 36, count };
    }
    r->latency = plausible_latency[which];
    r->latency_points = d->p99_ns ? PLAUSIBLE_POINTS : 1;
    plausible_latency[which][0].count = d->p99_ns ? plausible_latency[which][0].count : count;
}

enum { PLAUSIBLE_BINS = 500, BINS_A_PERIOD = 15 };          /* bins of 4 s */

/* What a design admits of `asked` in bin i: a bucket that refills a fifteenth of the limit a bin, or a window
 * of fifteen bins whose limit the design's flaws stretch. */
static inline int64_t plausible_admits(const struct plausible_design *d, int i, int64_t asked, int64_t *held)
{
    int64_t limit = 200000, share = limit / BINS_A_PERIOD;
    if (d->burst_billionths <= 1000000000) {
        *held = *held + share > limit ? limit : *held + share;
    } else if (i % BINS_A_PERIOD == 0) {
        *held = (int64_t)(d->burst_billionths * limit / 1432437765);
    }
    int64_t admitted = asked < *held ? asked : *held;
    *held -= admitted;
    return admitted;
}

/* Calm and busy spells in turn, out of step with the windows. */
static inline void plausible_fill_series(struct result *r, const struct plausible_design *d)
{
    r->series = (struct series){ .start_ns = 0, .width_ns = 4000000000, .bins = PLAUSIBLE_BINS };
    int64_t standing = 0, held = 200000;
    for (int i = 0; i < PLAUSIBLE_BINS; i++) {
        bool busy = i % 70 >= 40 && i % 70 < 58;
        int64_t asked = (busy ? 34000 : 3000) + i * 7919 % 13 * 700;
        int64_t admitted = plausible_admits(d, i, asked, &held);
        standing += admitted - (i >= BINS_A_PERIOD ? r->series.bin[i - BINS_A_PERIOD].admitted : 0);
        r->series.bin[i] = (struct series_bin){ .asked = asked, .admitted = admitted, .window = standing };
    }
}

/* What a design that loses updates lets through beyond its rule is a race; clocks take a little away. */
static inline void plausible_fill_causes(struct result *r, const struct plausible_design *d)
{
    i128 excess = r->excess.billionths, race = d->lost ? excess / 2 + 4000000000 : 0;
    struct causes *causes = &r->causes;
    causes->known = true;
    causes->excess[CAUSE_ALGORITHM].billionths = excess - (d->lost ? excess / 2 : 0);
    causes->excess[CAUSE_RACE].billionths = race;
    causes->excess[CAUSE_CLOCK].billionths = d->lost ? -4000000000 : 0;
    causes->over_admitted[CAUSE_ALGORITHM] = (int64_t)d->over;
}

static inline struct result plausible_result(unsigned which, const char *key)
{
    const struct plausible_design *d = &plausible_designs[which];
    struct result r = {
        .design = d->design, .parameters = d->parameters, .label = "", .seed = 1,
        .limit = 200000, .period_ns = 60000000000, .burst = 200000,
        .requests = 8819, .admitted = 3711 + d->over - d->denied_wrongly, .failed = 0,
        .admitted_cost = 7400181, .denied_cost = 10901221, .over_admitted = d->over,
        .over_admitted_cost = (int64_t)d->over * 2100,
        .effective_burst = { .billionths = d->burst_billionths * 200000 },
        .boundary_burst = { .billionths = d->burst_billionths },
        .excess = { .billionths = i128_max(0, d->burst_billionths - 1000000000) * 200000 },
        .worst_window = { .cost = (int64_t)d->window_cost, .ratio = { .billionths = d->window_cost * 5000 },
                          .key = key, .start_ns = 1140000000000, .end_ns = 1200000000000 },
        .worst_burst_key = key, .worst_burst_at_ns = 1200000000000,
        .ideal_admitted = 3711, .ideal_admitted_cost = 7400181, .wrongly_denied = d->denied_wrongly,
        .wrongly_admitted = d->lost ? d->over : 0, .lost_updates = d->lost, .stale_reads = d->lost / 2,
        .retries = d->retries, .first_denial = 198211, .store_reads = d->operations / 2,
        .store_writes = d->operations / 2,
        .latency_ns = { d->p50_ns, d->p99_ns / 10 * 8, d->p99_ns, d->p99_ns, d->p99_ns / 8 * 9 },
        .retry = { 4000, 12, 7 }, .fairness_keys = { .billionths = 1000000000 },
        .fairness_regions = { .billionths = 933333333 }, .keys = 1, .keys_refused = 1, .live_keys = 1,
        .ceiling = { true, 0, { .billionths = 1500000000 }, 350000 },
        .state_bytes = 16, .refused_top = { { key, 5108 - d->over } }, .promise_kept = d->lost == 0,
        .promise = "at most burst + rate * t in any span t", .digest = 0x0123456789abcdef + which,
        .watched_key = key,
    };
    r.denied = r.requests - r.admitted;
    plausible_fill_causes(&r, d);
    plausible_fill_series(&r, d);
    plausible_fill_latency(&r, which);
    return r;
}
#endif
