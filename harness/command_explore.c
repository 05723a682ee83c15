/* command_explore.c - `limitlab explore`: every interleaving of a small world. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "asked_explored.h"
#include "exploration_runs.h"
#include "interrupt.h"
#include "progress.h"
#include "retold.h"
#include "units.h"

/* The command, while it lasts. */
struct exploring {
    struct asked_bounds asked;
    const volatile int *interrupted;
    int64_t started_ns;
    const char *looked_at;              /* what is counted while it lasts */
    struct progress progress;
};

/* ---- what is expected ---- */

enum expected { EXPECT_NOTHING, EXPECT_NONE, EXPECT_OVER, EXPECT_MOST };

static bool read_expected(struct invocation *invocation, enum expected *out, uint64_t *most)
{
    const char *text = argument(&invocation->arguments, OPTION_EXPECT);
    int64_t count = 0;

    *out = EXPECT_NOTHING;
    if (!text)
        return true;
    *out = strcmp(text, "none") == 0 ? EXPECT_NONE : strcmp(text, "over") == 0 ? EXPECT_OVER : EXPECT_MOST;
    if (*out == EXPECT_MOST && parse_count(text, 0, INT64_MAX, &count))
        return refuse(invocation, "--expect: '%.60s' is not known; expected none, over, or how many requests "
                      "are admitted at most", text);
    *most = (uint64_t)count;
    return true;
}

/* Whether what came is what was expected; *known: more exploring could not change that. */
static bool is_as_expected(const struct exploration *exploration, enum expected expected, uint64_t most,
                           bool *known)
{
    bool complete = exploration_complete(exploration);
    bool over = exploration->excess > 0 || exploration->witness.text;
    bool sampled_all = exploration->way == EXPLORATION_SAMPLED
                    && exploration->samples.runs == exploration->samples.asked;

    switch (expected) {
    case EXPECT_NONE: *known = complete || over; return !over;
    case EXPECT_OVER: *known = complete || over; return over;
    case EXPECT_MOST: *known = complete || exploration->most > most; return exploration->most == most;
    default:          *known = complete || sampled_all; return true;
    }
}

/* ---- while it lasts ---- */

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* How much of what bounds it is used up, in thousandths: nobody knows how many states there are. */
static unsigned permille_of(const struct exploring *exploring, uint64_t states, int64_t spent_ns)
{
    uint64_t most = exploring->asked.samples ? exploring->asked.samples : exploring->asked.most_states;
    uint64_t by_states = most ? states * 1000 / most : 0;
    int64_t timeout_ns = exploring->asked.timeout_ns;
    uint64_t by_time = timeout_ns ? (uint64_t)(spent_ns / (timeout_ns / 1000 + 1)) : 0;

    uint64_t permille = by_states > by_time ? by_states : by_time;
    return permille < 1000 ? (unsigned)permille : 1000;
}

/* Once the time is over it begins again, for what comes next: a search for a witness in what is known. */
static bool keep_on(void *context, uint64_t states, uint64_t waiting)
{
    struct exploring *exploring = context;
    int64_t spent_ns = now_ns() - exploring->started_ns;
    char what[100];

    snprintf(what, sizeof what, "%llu %s, %llu a second, %llu waiting", (unsigned long long)states,
             exploring->looked_at, (unsigned long long)(states * 1000 / (uint64_t)(spent_ns / 1000000 + 1)),
             (unsigned long long)waiting);
    progress_show(&exploring->progress, permille_of(exploring, states, spent_ns), what);
    if (*exploring->interrupted)
        return false;
    if (exploring->asked.timeout_ns == 0 || spent_ns <= exploring->asked.timeout_ns)
        return true;
    exploring->started_ns += spent_ns;
    return false;
}

/* ---- the command ---- */

static enum exit_code code_of(const struct exploring *exploring, const struct exploration *exploration,
                              enum expected expected, uint64_t most)
{
    bool known, good = is_as_expected(exploration, expected, most, &known);

    if (*exploring->interrupted)
        return EXIT_INTERRUPTED;
    if (!known)
        return EXIT_UNKNOWN;
    return good ? EXIT_HOLDS : EXIT_BROKEN;
}

/* --page: of the witness, in its own small world; where there is none, of the world that was explored. */
static bool write_page(struct invocation *invocation, const struct explored *explored,
                       const struct exploration *exploration)
{
    const char *path = argument(&invocation->arguments, OPTION_PAGE);
    struct witness witness = { .explored = *explored };

    if (!path)
        return true;
    if (exploration->witness.text) {
        witness_parse(&witness, exploration->witness.text, &invocation->arena);
        witness.explored.arrivals = explored->arrivals;
    }
    return retold_page(&(struct retold){ .explored = &witness.explored, .target = explored->target,
                                         .choice = witness.choice, .choices = witness.choices,
                                         .command = invocation->typed }, path, &invocation->failure);
}

static void say_estimate(const struct invocation *invocation, uint64_t estimate)
{
    if (!is_quiet(invocation))
        fprintf(stderr, "%s: %s%llu interleavings (an estimate); runs will mostly be far fewer\n",
                invocation->arguments.program, estimate == UINT64_MAX ? "more than " : "about ",
                (unsigned long long)estimate);
}

/* False: what cannot be explored in the way that is asked for. */
static bool explore_as_asked(struct invocation *invocation, struct explored_world *world,
                             struct exploring *exploring, const struct explored_bounds *bounds,
                             struct exploration *out)
{
    enum { ESTIMATE_WALKS = 300 };
    const struct asked_bounds *asked = &exploring->asked;
    const char *refused = asked->stateless ? exploration_refused(world) : NULL;
    uint64_t estimate = 0;

    exploring->looked_at = asked->stateless || asked->samples ? "looked at" : "states";
    if (asked->stateless && !refused) {
        estimate = dpor_estimate(&world->explorer, asked->seed, ESTIMATE_WALKS);
        say_estimate(invocation, estimate);
    }
    progress_begin(&exploring->progress, is_quiet(invocation));
    if (asked->samples)
        exploration_sample(out, world, bounds, asked->seed, asked->samples, &invocation->arena);
    else if (!asked->stateless)
        exploration_run(out, world, bounds, asked->curves, &invocation->arena);
    else if (!refused) {
        exploration_stateless(out, world, bounds, estimate, &invocation->arena);
        refused = out->stateless.refused;
    }
    progress_clear(&exploring->progress);
    return !refused || refuse(invocation, "--stateless cannot follow %s; expected clients with one step at a "
                              "time and nothing beside them (leave --stateless out, or --sample)", refused);
}

static bool fail_unknown(struct invocation *invocation, const struct exploration *exploration)
{
    if (exploration->way == EXPLORATION_SAMPLED)
        return fail(&invocation->failure, EXIT_UNKNOWN, invocation->arguments.program, 0,
                    "known of %llu runs only; expected what some run shows (all interleavings: without "
                    "--sample)", (unsigned long long)exploration->samples.runs);
    return fail(&invocation->failure, EXIT_UNKNOWN, invocation->arguments.program, 0, "stopped at %s; "
                "expected room to see it all (--max-states, --max-memory, --timeout), or a smaller world",
                exploration_stopped_at(exploration));
}

static enum exit_code explore_world(struct invocation *invocation, struct explored_world *world,
                                    struct exploring *exploring, const struct explored_bounds *bounds)
{
    struct exploration exploration;
    enum expected expected;
    uint64_t most = 0;
    bool json;

    if (!read_expected(invocation, &expected, &most) || !read_json(invocation, &json))
        return invocation->failure.code;
    exploring->interrupted = interrupt_watch();
    exploring->started_ns = now_ns();
    if (!explore_as_asked(invocation, world, exploring, bounds, &exploration))
        return invocation->failure.code;
    if (json)
        exploration_print_json(&exploration, stdout, &invocation->arena);
    else
        exploration_show(&exploration, stdout, &invocation->arena);
    enum exit_code code = code_of(exploring, &exploration, expected, most);
    bool good = code == EXIT_INTERRUPTED || write_page(invocation, world->explored, &exploration);
    if (code == EXIT_UNKNOWN)
        fail_unknown(invocation, &exploration);
    exploration_clear(&exploration);
    return good ? code : invocation->failure.code;
}

static enum exit_code explore_design(struct invocation *invocation)
{
    struct exploring exploring = { 0 };
    struct explored explored;
    struct explored_world world;

    if (!asked_explored(invocation, &explored) || !asked_bounds(invocation, &exploring.asked))
        return invocation->failure.code;
    struct explored_bounds bounds = {
        .most_states = exploring.asked.most_states, .most_bytes = exploring.asked.most_bytes,
        .no_symmetry = exploring.asked.no_symmetry, .keep_on = keep_on, .context = &exploring
    };
    bool good = explored_open(&world, &explored, &bounds, &invocation->failure);
    enum exit_code code = good ? explore_world(invocation, &world, &exploring, &bounds)
                               : invocation->failure.code;
    explored_close(&world);
    return code;
}

static const unsigned char option_list[] = {
    OPTION_CLIENTS, OPTION_REQUESTS, OPTION_ARRIVALS, OPTION_LIMIT, OPTION_PERIOD, OPTION_BURST, OPTION_COST,
    OPTION_TARGET, OPTION_REGIONS, OPTION_SEED, OPTION_CRASHES, OPTION_STORE_FAULTS, OPTION_EXPECT,
    OPTION_CURVE, OPTION_PAGE, OPTION_MAX_STATES, OPTION_MAX_MEMORY, OPTION_TIMEOUT,
    OPTION_NO_SYMMETRY, OPTION_SAMPLE, OPTION_STATELESS,
    OPTION_FORMAT, OPTION_JSON, OPTIONS_END
};

const struct command command_explore = {
    "explore", "DESIGN", "every interleaving of a small world: the worst that can happen, exactly",
    "Clients send their requests one after another, and every order in which the operations at the stores\n"
    "can take effect is looked at.  Exits with 3 when a bound ended that before the answer was known.\n"
    "Worlds that are too large for that can be sampled: what --sample finds is found, and what it does not\n"
    "find is not known (--expect none then exits with 3).\n\n"
    "  limitlab explore fixed-window@get-then-set --clients 3 --requests 2 --limit 3\n"
    "  limitlab explore fixed-window@cas --clients 4 --requests 2 --limit 3 --expect none\n"
    "  limitlab explore fixed-window@get-then-set --clients 16 --requests 20 --limit 30 --sample 1000\n"
    "  limitlab explore token-bucket@get-then-set --arrivals arrivals.csv --limit 10 --period 60s\n",
    option_list, explore_design
};
