/* asked_explored.c - see asked_explored.h. */
#include "asked_explored.h"
#include <string.h>
#include "../engine/stream.h"
#include "exploration.h"
#include "units.h"

/* What --seed draws where it is not said: low .. high; `what` tells the draws apart. */
static uint32_t drawn(uint64_t seed, uint32_t what, uint32_t low, uint32_t high)
{
    return low + (uint32_t)stream_below(seed, (struct stream){ what, STREAM_ARRIVAL, 0 }, high - low + 1);
}

/* An option that is a whole number; what it is when it is not said stays in *out. */
static bool read_count_option(struct invocation *invocation, enum option_id option, int64_t low, int64_t high,
                              int64_t *out)
{
    const char *text = argument(&invocation->arguments, option);
    const char *wrong = text ? parse_count(text, low, high, out) : NULL;

    return !wrong || refuse(invocation, "--%s: '%.60s' %s", option_table[option].name, text, wrong);
}

static bool read_small(struct invocation *invocation, enum option_id option, int64_t low, int64_t high,
                       uint32_t *out)
{
    int64_t value = *out;
    bool good = read_count_option(invocation, option, low, high, &value);

    *out = (uint32_t)value;
    return good;
}

static bool read_duration_option(struct invocation *invocation, enum option_id option, int64_t *out)
{
    const char *text = argument(&invocation->arguments, option);
    const char *wrong = text ? parse_duration(text, out) : NULL;

    return !wrong || refuse(invocation, "--%s: '%.60s' %s", option_table[option].name, text, wrong);
}

bool asked_target(struct invocation *invocation, enum target_kind *out)
{
    const char *text = argument(&invocation->arguments, OPTION_TARGET);

    if (!text)
        return true;
    *out = strcmp(text, "window") == 0 ? TARGET_WINDOW : TARGET_CURVE;
    return *out == TARGET_WINDOW || strcmp(text, "curve") == 0 ||
           refuse(invocation, "--target: '%.60s' is no target; expected curve or window", text);
}

const struct small_arrivals *asked_arrivals(struct invocation *invocation, const char *const *regions)
{
    struct small_arrivals *arrivals = arena_alloc(&invocation->arena, sizeof *arrivals);
    const char *path = argument(&invocation->arguments, OPTION_ARRIVALS);

    return small_arrivals_read(arrivals, path, regions, &invocation->failure) ? arrivals : NULL;
}

static bool read_regions(struct invocation *invocation, struct explored *out)
{
    const char *text = argument(&invocation->arguments, OPTION_REGIONS);
    const char *wrong = text ? explored_regions(out, text, ',', &invocation->arena) : NULL;

    for (uint32_t i = 0; !wrong && i < SMALL_CLIENTS; i++)
        out->region[i] = i % out->regions;
    return !wrong || refuse(invocation, "--regions: '%.60s' %s", text, wrong);
}

static bool read_arrivals(struct invocation *invocation, struct explored *out)
{
    const struct arguments *arguments = &invocation->arguments;

    if (!argument(arguments, OPTION_ARRIVALS))
        return true;
    if (argument(arguments, OPTION_CLIENTS) || argument(arguments, OPTION_REQUESTS) ||
        argument(arguments, OPTION_COST) || argument(arguments, OPTION_SEED))
        return refuse(invocation, "--arrivals beside --clients, --requests, --cost or --seed; expected the "
                      "file to say who asks for what");
    out->arrivals = asked_arrivals(invocation, out->regions > 1 ? out->region_name : NULL);
    if (out->arrivals)
        out->arrivals_digest = out->arrivals->digest;
    return out->arrivals != NULL;
}

static bool read_design(struct invocation *invocation, struct explored *out)
{
    const struct arguments *arguments = &invocation->arguments;

    if (arguments->operands != 1)
        return refuse(invocation, "%u designs; expected one, as in fixed-window@get-then-set",
                      arguments->operands);
    out->design = arguments->operand[0];
    return argument(arguments, OPTION_LIMIT) || argument(arguments, OPTION_SEED) ||
           refuse(invocation, "no limit; expected --limit N");
}

static bool read_policy(struct invocation *invocation, struct explored *out)
{
    return read_count_option(invocation, OPTION_LIMIT, 1, COST_MAX, &out->limit) &&
           read_duration_option(invocation, OPTION_PERIOD, &out->period_ns) &&
           read_count_option(invocation, OPTION_BURST, 1, COST_MAX, &out->burst) &&
           read_count_option(invocation, OPTION_COST, 1, COST_MAX, &out->cost) &&
           asked_target(invocation, &out->target);
}

bool asked_explored(struct invocation *invocation, struct explored *out)
{
    const char *seed = argument(&invocation->arguments, OPTION_SEED);
    uint32_t clients = 2, requests = 1;
    int64_t number = 0;

    if (!read_count_option(invocation, OPTION_SEED, 0, INT64_MAX, &number))
        return false;
    if (seed) {
        clients = drawn((uint64_t)number, 1, 2, 4);
        requests = drawn((uint64_t)number, 2, 1, 2);
    }
    if (!read_small(invocation, OPTION_CLIENTS, 1, SMALL_CLIENTS, &clients) ||
        !read_small(invocation, OPTION_REQUESTS, 1, SMALL_REQUESTS, &requests))
        return false;
    explored_init(out, clients, requests, 1);
    out->limit = seed ? drawn((uint64_t)number, 3, 1, 3) : 0;
    return read_design(invocation, out) && read_policy(invocation, out) && read_regions(invocation, out) &&
           read_arrivals(invocation, out) &&
           read_small(invocation, OPTION_CRASHES, 0, EXPLORED_FAULTS_MAX, &out->crashes) &&
           read_small(invocation, OPTION_STORE_FAULTS, 0, EXPLORED_FAULTS_MAX, &out->forgets);
}

/* ---- bounds ---- */

/* "512M", "1G", "65536": bytes. */
static bool read_memory(struct invocation *invocation, uint64_t *out)
{
    static const char units[] = "KMG";
    const char *text = argument(&invocation->arguments, OPTION_MAX_MEMORY);
    size_t length = text ? strlen(text) : 0;
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    int64_t value;

    if (!text)
        return true;
    const char *digits = arena_format(&invocation->arena, "%.*s", (int)(length - (unit != NULL)), text);
    if (parse_count(digits, 1, unit ? INT64_C(1) << 20 : INT64_MAX, &value))
        return refuse(invocation, "--max-memory: '%.60s' is no size; expected bytes, or a number with K, M "
                      "or G, as in 1G", text);
    *out = (uint64_t)value << (unit ? 10 * (unit - units + 1) : 0);
    return true;
}

/* How to explore, where it is not by all states. */
static bool read_way(struct invocation *invocation, struct asked_bounds *out)
{
    const struct arguments *arguments = &invocation->arguments;
    bool samples = argument(arguments, OPTION_SAMPLE) != NULL;
    int64_t runs = 0, seed = 1;

    out->stateless = argument(arguments, OPTION_STATELESS) != NULL;
    if (samples && out->stateless)
        return refuse(invocation, "--sample beside --stateless; expected one of them");
    if ((samples || out->stateless) &&
        (argument(arguments, OPTION_CURVE) || argument(arguments, OPTION_NO_SYMMETRY)))
        return refuse(invocation, "--curve or --no-symmetry beside --%s; expected them where all states are "
                      "looked at", samples ? "sample" : "stateless");
    if (!read_count_option(invocation, OPTION_SAMPLE, 1, UINT32_MAX, &runs) ||
        !read_count_option(invocation, OPTION_SEED, 0, INT64_MAX, &seed))
        return false;
    out->samples = (uint64_t)runs;
    out->seed = (uint64_t)seed;
    return true;
}

bool asked_bounds(struct invocation *invocation, struct asked_bounds *out)
{
    int64_t states = 0, curves = 3;

    *out = (struct asked_bounds){ .most_bytes = UINT64_C(1) << 30 };
    if (!read_count_option(invocation, OPTION_MAX_STATES, 1, UINT32_MAX, &states) ||
        !read_count_option(invocation, OPTION_CURVE, 0, EXPLORATION_CURVE_MAX - 1, &curves) ||
        !read_memory(invocation, &out->most_bytes) ||
        !read_duration_option(invocation, OPTION_TIMEOUT, &out->timeout_ns) || !read_way(invocation, out))
        return false;
    out->most_states = (uint64_t)states;
    out->curves = (uint32_t)curves + 1;
    out->no_symmetry = argument(&invocation->arguments, OPTION_NO_SYMMETRY) != NULL;
    return true;
}
