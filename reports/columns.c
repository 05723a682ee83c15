#include "columns.h"

enum { ONE = 1000000000 };

#define CELL(name, shown) \
    static const char *cell_##name(const struct contender *c, char out[SHOW_NUMBER]) { return shown; }
CELL(over, show_count(c->over_admitted, out))
CELL(share, show_share(c->row.over_share, out))
CELL(burst, show_ratio(c->boundary_burst, out))
CELL(window, show_ratio(c->worst_window, out))
CELL(denied, show_share(c->row.denied_share, out))
CELL(p50, show_span(c->row.p50_ns, out))
CELL(p99, show_span(c->row.p99_ns, out))
CELL(lost, show_count(c->lost_updates, out))
CELL(retries, show_count(c->retries, out))
CELL(store, show_thousandths(c->row.store_operations, out))

static bool over_admits(const struct contender *c)
{
    return c->over_admitted > 0;
}

static bool bursts(const struct contender *c)
{
    return c->boundary_burst > ONE;
}

static bool denies_many(const struct contender *c)
{
    return c->row.denied_share > ONE / 100;
}

static bool loses(const struct contender *c)
{
    return c->lost_updates > 0;
}

const struct column columns[] = {
    { { "over-", "admits" }, "over-admitted", "over-admitted", 6, cell_over, over_admits },
    { { "% of", "admits" }, "% of admitted", "over-admitted", 6, cell_share, over_admits },
    { { "bound.", "burst" }, "boundary burst", "boundary-burst", 6, cell_burst, bursts },
    { { "worst", "window" }, "worst window / limit", "worst-window", 6, cell_window, NULL },
    { { "wrong", "denied" }, "wrongly denied", "wrongly-denied", 6, cell_denied, denies_many },
    { { "", "p50" }, "p50", "latency", 6, cell_p50, NULL },
    { { "", "p99" }, "p99", "latency", 6, cell_p99, NULL },
    { { "lost", "upd." }, "lost updates", "lost-updates", 5, cell_lost, loses },
    { { "re-", "tries" }, "retries", "retries", 5, cell_retries, NULL },
    { { "store", "op/rq" }, "store op. a request", "store-operations", 5, cell_store, NULL },
};

const unsigned column_count = sizeof columns / sizeof columns[0];
