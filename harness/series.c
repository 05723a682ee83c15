#include "series.h"
#include <assert.h>
#include <string.h>

void series_start(struct series *series, int64_t start_ns)
{
    *series = (struct series){ .start_ns = start_ns, .width_ns = 1 };
}

/* Makes every bin twice as wide. */
static void widen(struct series *series)
{
    struct series_bin *bin = series->bin;

    for (unsigned i = 0; i < SERIES_BINS / 2; i++)
        bin[i] = (struct series_bin){ .asked = bin[2 * i].asked + bin[2 * i + 1].asked,
                                      .admitted = bin[2 * i].admitted + bin[2 * i + 1].admitted,
                                      .window = i64_max(bin[2 * i].window, bin[2 * i + 1].window) };
    memset(bin + SERIES_BINS / 2, 0, SERIES_BINS / 2 * sizeof *bin);
    series->width_ns *= 2;
    series->bins = (series->bins + 1) / 2;
}

/* Which bin holds that instant, once the series reaches it.  The width is a power of two. */
static unsigned reach(struct series *series, int64_t at_ns)
{
    uint64_t offset = at_ns < series->start_ns ? 0 : (uint64_t)at_ns - (uint64_t)series->start_ns;

    assert(series->width_ns > 0);
    while (offset >> __builtin_ctzll((uint64_t)series->width_ns) >= SERIES_BINS)
        widen(series);
    unsigned index = (unsigned)(offset >> __builtin_ctzll((uint64_t)series->width_ns));
    if (index >= series->bins)
        series->bins = index + 1;
    return index;
}

void series_asked(struct series *series, int64_t at_ns, int64_t cost)
{
    unsigned index = reach(series, at_ns);

    series->bin[index].asked += cost;
}

void series_admitted(struct series *series, int64_t at_ns, int64_t cost)
{
    unsigned index = reach(series, at_ns);

    series->bin[index].admitted += cost;
}

void series_stood(struct series *series, int64_t from_ns, int64_t to_ns, int64_t cost)
{
    unsigned last = reach(series, to_ns);

    for (unsigned i = reach(series, from_ns); i <= last; i++)
        series->bin[i].window = i64_max(series->bin[i].window, cost);
}
