/* exploration_json.c - an exploration as one JSON object: see exploration.h. */
#include <jansson.h>
#include "exploration_runs.h"
#include "listing.h"
#include "shares.h"

static json_t *count_or_null(bool known, uint64_t count)
{
    return known ? json_integer((json_int_t)count) : json_null();
}

static json_t *number_or_null(const struct exploration *exploration, const mpz_t number, struct arena *arena)
{
    return exploration->counted ? json_string(number_text(number, arena)) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return text ? listing_text(text) : json_null();
}

/* A decimal as a JSON number, to the digit. */
static json_t *decimal_number(struct decimal value)
{
    char text[DECIMAL_TEXT];

    return json_loads(decimal_text(value, 9, text), JSON_DECODE_ANY, NULL);
}

static json_t *distribution(const struct exploration *exploration, struct arena *arena)
{
    const struct interleavings *counts = &exploration->counts;
    json_t *rows = json_array();

    for (uint32_t i = 0; i < counts->counts; i++) {
        if (mpz_sgn(counts->by_admitted[i]) == 0)
            continue;
        json_array_append_new(rows, json_pack(
            "{s:i, s:s, s:s, s:s}", "admitted", (int)i,
            "interleavings", number_text(counts->by_admitted[i], arena),
            "chance", share_text(counts->weight[i], counts->all_weight, 9, arena),
            "chance_exact", fraction_text(counts->weight[i], counts->all_weight, arena)));
    }
    return rows;
}

static json_t *curve(const struct exploration *exploration)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < exploration->curves; i++)
        json_array_append_new(list, json_integer((json_int_t)exploration->curve[i]));
    return list;
}

static json_t *smallest(const struct witness_found *found)
{
    if (!found->text)
        return json_null();
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:b}", "requests", (int)found->requests,
                     "clients", (int)found->clients, "faults", (int)found->faults,
                     "preemptions", (int)found->preemptions, "steps", (int)found->steps,
                     "minimal", found->minimal);
}

static json_t *world(const struct exploration *exploration)
{
    const struct explored *explored = exploration->explored;
    uint32_t requests = explored->arrivals ? exploration->requests : explored->requests[0];
    const struct policy *policy = exploration->target.policy;

    return json_pack("{s:o, s:i, s:i, s:i, s:I, s:I, s:I, s:s}", "design", listing_text(explored->design),
                     "clients", (int)exploration->clients, "requests", (int)requests,
                     "requests_in_all", (int)exploration->requests, "limit", (json_int_t)policy->limit,
                     "period_ns", (json_int_t)policy->period_ns, "burst", (json_int_t)policy->burst,
                     "target", explored->target == TARGET_WINDOW ? "window" : "curve");
}

static json_t *findings(const struct exploration *e, struct arena *arena)
{
    bool complete = exploration_complete(e);

    return json_pack("{s:I, s:I, s:o, s:o, s:I, s:o, s:o, s:b, s:o, s:b, s:I}",
                     "states", (json_int_t)e->states, "canonical_states", (json_int_t)e->canonical,
                     "interleavings", number_or_null(e, e->counts.all, arena),
                     "over_admitting_interleavings", number_or_null(e, e->counts.over, arena),
                     "most_admitted", (json_int_t)e->most,
                     "least_admitted", count_or_null(complete && e->least_known, e->least),
                     "excess", decimal_number(small_target_cost(&e->target, e->excess)),
                     "complete", complete, "stopped_at", text_or_null(exploration_stopped_at(e)),
                     "endless", e->endless, "blocked_states", (json_int_t)e->blocked);
}

/* ---- by runs ---- */

static json_t *scheduler(const struct exploration *e, unsigned rule)
{
    const struct sample_yield *yield = &e->samples.yield[rule];
    double share = yield->runs ? (double)yield->found / (double)yield->runs : 0;

    return json_pack("{s:s, s:I, s:I, s:f, s:I}", "name", sample_rule_name[rule], "runs",
                     (json_int_t)yield->runs, "over_admitting", (json_int_t)yield->found, "share", share,
                     "most_admitted", (json_int_t)yield->most);
}

static json_t *sampled(const struct exploration *e)
{
    const struct exploration_samples *samples = &e->samples;
    const struct sample_yield *random = &samples->yield[SAMPLE_RANDOM];
    bool bounded = random->runs > 0 && random->found == 0;
    json_t *schedulers = json_array();

    for (unsigned i = 0; i < SAMPLE_RULES; i++)
        json_array_append_new(schedulers, scheduler(e, i));
    return json_pack("{s:I, s:I, s:I, s:b, s:I, s:o, s:o}", "seed", (json_int_t)samples->seed,
                     "runs_asked", (json_int_t)samples->asked, "runs", (json_int_t)samples->runs,
                     "found", samples->found > 0, "over_admitting", (json_int_t)samples->found,
                     "random_chance_at_most",
                     bounded ? json_real(chance_at_most(random->runs)) : json_null(),
                     "schedulers", schedulers);
}

static json_t *stateless(const struct exploration *e)
{
    const struct exploration_stateless *runs = &e->stateless;

    return json_pack("{s:o, s:I, s:I, s:b}", "estimated_interleavings",
                     count_or_null(runs->estimate <= INT64_MAX, runs->estimate),
                     "executions", (json_int_t)runs->executions, "blocked", (json_int_t)runs->repeated,
                     "over", e->excess > 0);
}

static json_t *findings_of_runs(const struct exploration *e)
{
    bool complete = exploration_complete(e);
    json_t *object = json_pack("{s:I, s:o, s:o, s:b, s:o}", "most_admitted", (json_int_t)e->most,
                               "least_admitted", count_or_null(complete && e->least_known, e->least),
                               "excess", decimal_number(small_target_cost(&e->target, e->excess)),
                               "complete", complete, "stopped_at", text_or_null(exploration_stopped_at(e)));

    if (e->way == EXPLORATION_SAMPLED)
        json_object_set_new(object, "sampled", sampled(e));
    else
        json_object_set_new(object, "stateless", stateless(e));
    return object;
}

/* ---- all ---- */

static void add_what_all_states_say(json_t *object, const struct exploration *exploration,
                                    struct arena *arena)
{
    json_object_update_new(object, findings(exploration, arena));
    json_object_set_new(object, "distribution",
                        exploration->counted ? distribution(exploration, arena) : json_null());
    json_object_set_new(object, "preemption_curve",
                        exploration->curves ? curve(exploration) : json_null());
}

void exploration_print_json(const struct exploration *exploration, FILE *out, struct arena *arena)
{
    json_t *object = world(exploration);
    const char *scope = arena_format(arena, "%s; not in it: %s", exploration_scope(exploration, arena),
                                     exploration_out_of_scope(exploration, arena));

    if (exploration->way == EXPLORATION_STATES)
        add_what_all_states_say(object, exploration, arena);
    else
        json_object_update_new(object, findings_of_runs(exploration));
    json_object_set_new(object, "scope", json_string(scope));
    json_object_set_new(object, "witness", text_or_null(exploration->witness.text));
    json_object_set_new(object, "smallest", smallest(&exploration->witness));
    json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    putc('\n', out);
    json_decref(object);
}
