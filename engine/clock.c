/* clock.c - see clock.h. */
#include "clock.h"

#include <assert.h>
#include <stddef.h>
#include "limiter.h"

static const int64_t billion = 1000000000;

static bool is_instant(int64_t ns) { return ns >= -INSTANT_MAX && ns <= INSTANT_MAX; }

static const char *refuse(const struct clock *clock)
{
    if (!is_instant(clock->offset_ns))
        return "a clock's offset must lie within 2^62 ns (146 years)";
    if (clock->drift_ppb <= -billion)
        return "a clock's drift must be above -1e9 ppb: it would stand still or run backwards";
    for (uint32_t i = 0; i < clock->steps; i++) {
        if (!is_instant(clock->step[i].at_ns) || !is_instant(clock->step[i].by_ns))
            return "a clock's steps must lie within 2^62 ns (146 years)";
        if (clock->step[i].over_ns < 0 || clock->step[i].over_ns > INSTANT_MAX)
            return "a clock's slews must last from 0 to 2^62 ns (146 years)";
        if (clock->step[i].over_ns > 0 && clock->step[i].by_ns <= -clock->step[i].over_ns)
            return "a clock's slew must last longer than it sets the clock back: it would stand still";
        if (i > 0 && clock->step[i].at_ns < clock->step[i - 1].at_ns)
            return "a clock's steps must be sorted by time";
    }
    return NULL;
}

const char *clock_init(struct clock *clock)
{
    assert(clock->steps == 0 || clock->step);
    const char *refusal = refuse(clock);

    if (refusal)
        return refusal;
    clock->perfect = clock->offset_ns == 0 && clock->drift_ppb == 0;
    for (uint32_t i = 0; i < clock->steps; i++)
        clock->perfect = clock->perfect && clock->step[i].by_ns == 0;
    return NULL;
}

/* How much of a step that has begun has happened. */
static i128 happened(const struct clock_step *step, int64_t true_ns)
{
    assert(step->at_ns <= true_ns);
    if (true_ns - step->at_ns >= step->over_ns)
        return step->by_ns;
    return div_floor((i128)step->by_ns * (true_ns - step->at_ns), step->over_ns);
}

int64_t clock_read_imperfect(const struct clock *clock, int64_t true_ns)
{
    assert(is_instant(true_ns));
    i128 reading = (i128)true_ns + clock->offset_ns + div_floor((i128)clock->drift_ppb * true_ns, billion);

    for (uint32_t i = 0; i < clock->steps && clock->step[i].at_ns <= true_ns; i++)
        reading += happened(&clock->step[i], true_ns);
    return (int64_t)i128_max(-INSTANT_MAX, i128_min(reading, INSTANT_MAX));
}
