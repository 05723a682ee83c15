#include "columns.h"

enum { ONE = 1000000000 };

#define CELL(name, shown) \
    static const char *cell_##name(const struct contender *c, char out[SHOW_NUMBER]) { return shown; }
CELL(over, show_count(c->over_admitted, out))
CELL(why, blame_text(&c->blame, out))
CELL(share, show_share(c->row.over_share, out))
CELL(burst, show_ratio(c->boundary_burst, out))
CELL(window, show_ratio(c->worst_window, out))
CELL(ideal, c->row.ideal_share < 0 ? "-" : show_share((uint64_t)c->row.ideal_share, out))
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

static bool refuses_many(const struct contender *c)
{
    return c->row.ideal_share >= 0 && c->row.ideal_share < ONE - ONE / 100;
}

static bool loses(const struct contender *c)
{
    return c->lost_updates > 0;
}

const struct column columns[] = {
    { { "over-", "admits" }, "over-admitted", "over-admitted", 6, cell_over, over_admits, true },
    { { "% of", "adm." }, "% of admitted", "over-admitted", 5, cell_share, over_admits, false },
    { { "", "why" }, "why", "why", 9, cell_why, NULL, false },
    { { "bnd.", "burst" }, "boundary burst", "boundary-burst", 5, cell_burst, bursts, false },
    { { "worst", "window" }, "worst window / limit", "worst-window", 6, cell_window, NULL, true },
    { { "of", "ideal" }, "of ideal", "of-ideal", 5, cell_ideal, refuses_many, false },
    { { "", "p50" }, "p50", "latency", 6, cell_p50, NULL, true },
    { { "", "p99" }, "p99", "latency", 6, cell_p99, NULL, false },
    { { "lost", "upd." }, "lost updates", "lost-updates", 5, cell_lost, loses, true },
    { { "", "" }, "retries", "retries", 0, cell_retries, NULL, true },
    { { "store", "op/rq" }, "store op. a request", "store-operations", 5, cell_store, NULL, true },
};

const unsigned column_count = sizeof columns / sizeof columns[0];
