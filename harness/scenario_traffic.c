/* scenario_traffic.c - streams of requests: traces, and generators of several kinds. */
#include <string.h>
#include "scenario_keys.h"

enum { STREAMS_MAX = 256, COSTS_MAX = 1024, WEIGHT_MAX = 1000000, KEYS_MAX = 10000000 };
#define REQUESTS_MAX INT64_C(1000000000)            /* of one stream */
#define RATE_MAX     (INT64_C(1000000000) * 3600)   /* requests an hour */
#define NS_PER_HOUR  INT64_C(3600000000000)

/* Variants of a stream are its kinds; the generators are all but the first. */
static const char *const kinds[] = {
    [TRAFFIC_TRACE] = "a trace", [TRAFFIC_CONSTANT] = "constant", [TRAFFIC_POISSON] = "poisson",
    [TRAFFIC_ON_OFF] = "on-off", [TRAFFIC_RAMP] = "ramp", [TRAFFIC_BURST] = "burst",
    [TRAFFIC_CLOSED_LOOP] = "closed-loop", NULL
};
static const char *const *const generators = &kinds[TRAFFIC_CONSTANT];

#define ONLY(kind) (1u << TRAFFIC_##kind)
enum {
    RATED = ONLY(CONSTANT) | ONLY(POISSON) | ONLY(ON_OFF) | ONLY(RAMP),
    OPEN = RATED | ONLY(BURST),
    GENERATED = OPEN | ONLY(CLOSED_LOOP),
};

static bool read_generator(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                           void *slot)
{
    struct field generator = *field;
    unsigned index = 0;

    generator.choices = generators;
    bool good = read_choice(loading, node, &generator, &index);
    *(enum traffic_kind *)slot = TRAFFIC_CONSTANT + index;
    return good;
}

/* {us-east-1: 3, eu-west-1: 1}: a weight for each region, 0 for those that are not named. */
static bool read_region_weights(struct loading *loading, const struct yaml_tree *node,
                                const struct field *field, void *slot)
{
    const struct field weight = { .name = "a weight", .type = "a count", .low = 0, .high = WEIGHT_MAX };
    const struct field region = { .name = field->name, .type = "a region" };
    struct traffic *traffic = slot;
    bool named[REGIONS_MAX] = { false };
    uint64_t sum = 0;

    if (node->kind != YAML_MAPPING)
        return refuse_node(loading, node, "%s is %s; expected weights, as in %s", field->name,
                           yaml_kind_text(node), field->example);
    for (const struct yaml_tree *child = node->first; child; child = child->next) {
        struct yaml_tree name = { .kind = YAML_TEXT, .text = child->key, .origin = child->key_origin };
        int64_t index;
        if (!read_region(loading, &name, &region, &index))
            return false;
        if (named[index])
            return refuse_node(loading, &name, "%s: '%.60s' is stated twice; expected once", field->name,
                               child->key);
        named[index] = true;
        if (!read_count_32(loading, child, &weight, &traffic->region_weight[index]))
            return false;
        sum += traffic->region_weight[index];
    }
    traffic->region_weights = loading->draft->experiment->topology.regions;
    return sum || refuse_node(loading, node, "%s has no weight above 0; expected one, as in %s", field->name,
                              field->example);
}

/* "5", or {100: 90, 4000: 10}: weights by cost. */
static bool read_weights(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                         uint32_t *costs, const struct cost_weight **list)
{
    const struct field weight = { .name = "a weight", .type = "a count", .low = 1, .high = WEIGHT_MAX };
    const struct yaml_tree *child = node->first;

    bool single = node->kind == YAML_TEXT;
    if (!single && (node->kind != YAML_MAPPING || !node->children || node->children > COSTS_MAX))
        return refuse_node(loading, node,
                           "%s is %s of %u; expected a cost, or 1 to %d of them with weights, as in %s",
                           field->name, yaml_kind_text(node), node->children, COSTS_MAX, field->example);
    *costs = single ? 1 : node->children;
    struct cost_weight *cost = arena_alloc(loading->arena, *costs * sizeof *cost);
    *list = cost;
    if (single) {
        cost->weight = 1;
        return read_count(loading, node, field, &cost->cost);
    }
    for (; child; child = child->next, cost++) {
        struct yaml_tree text = { .kind = YAML_TEXT, .text = child->key, .origin = child->key_origin };
        if (yaml_child(node, child->key) != child)
            return refuse_node(loading, &text, "%s: %.60s is stated twice; expected once", field->name,
                               child->key);
        if (!read_count(loading, &text, field, &cost->cost) ||
            !read_count_32(loading, child, &weight, &cost->weight))
            return false;
    }
    return true;
}

static bool read_costs(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    struct traffic *traffic = slot;

    return read_weights(loading, node, field, &traffic->costs, &traffic->cost);
}

static bool read_used(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                      void *slot)
{
    struct traffic *traffic = slot;

    return read_weights(loading, node, field, &traffic->useds, &traffic->used);
}

/* "2", or "fresh": UINT32_MAX until the stream's requests are known. */
static bool read_keys_per_person(struct loading *loading, const struct yaml_tree *node,
                                 const struct field *field, void *slot)
{
    if (node->kind != YAML_TEXT || strcmp(node->text, "fresh") != 0)
        return read_count_32(loading, node, field, slot);
    *(uint32_t *)slot = UINT32_MAX;
    return true;
}

/* ---- what must be true of a whole stream ---- */

/* Every key that can appear is numbered before a run. */
static bool check_people(struct loading *loading, const struct yaml_tree *node, struct traffic *traffic)
{
    bool fresh = traffic->keys_per_person == UINT32_MAX;

    if (fresh && !traffic->requests)
        return refuse_node(loading, node, "fresh keys without a bound; expected requests");
    if (fresh)
        traffic->keys_per_person = (uint32_t)i64_min(KEYS_MAX + 1, (int64_t)traffic->requests);
    if ((i128)traffic->keys * traffic->keys_per_person > KEYS_MAX)
        return refuse_node(loading, node, "the people of this stream have more than %d keys; expected fewer",
                           KEYS_MAX);
    return true;
}

/* The most requests that a stream with a duration and no bound on requests can send, or a little more. */
static i128 requests_at_most(const struct traffic *traffic)
{
    int64_t rate = i64_max(traffic->rate_per_hour, traffic->end_rate_per_hour);

    if (traffic->kind == TRAFFIC_BURST)
        return (i128)traffic->size * (traffic->duration_ns / traffic->every_ns + 1);
    return (i128)rate * traffic->duration_ns / NS_PER_HOUR;
}

static bool check_stream(struct loading *loading, const struct yaml_tree *node, struct traffic *traffic)
{
    if (traffic->kind == TRAFFIC_TRACE)
        return true;
    if (traffic->kind == TRAFFIC_BURST && !traffic->every_ns && !traffic->requests)
        traffic->requests = traffic->size;
    if (!traffic->requests && !traffic->duration_ns)
        return refuse_node(loading, node, "this stream never ends; expected a duration or requests");
    if (!traffic->requests && requests_at_most(traffic) > REQUESTS_MAX)
        return refuse_node(loading, node, "this stream sends more than 10^9 requests; expected a lower rate, "
                           "a shorter duration, or requests");
    if (traffic->region >= 0 && traffic->region_weights)
        return refuse_node(loading, node,
                           "this stream has a region and weights of regions; expected one of them");
    return check_people(loading, node, traffic);
}

static bool find_kind(struct loading *loading, const struct yaml_tree *node, enum traffic_kind *kind)
{
    const struct field field = { .name = "generator", .type = "a kind of generator" };
    const struct yaml_tree *generator = yaml_child(node, "generator");

    if (node->kind != YAML_MAPPING || !generator == !yaml_child(node, "trace"))
        return refuse_node(loading, node, "a stream is neither a trace nor a generator, or both; expected "
                           "trace: FILE or generator: KIND");
    *kind = TRAFFIC_TRACE;
    return !generator || read_generator(loading, generator, &field, kind);
}

static bool read_stream(struct loading *loading, const struct yaml_tree *node, struct traffic *traffic)
{
    enum traffic_kind kind = TRAFFIC_TRACE;

    if (!find_kind(loading, node, &kind) || !read_section(loading, node, &traffic_section, kind, traffic))
        return false;
    traffic->origin = node->origin;
    return check_stream(loading, node, traffic);
}

bool read_traffic_list(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    struct experiment *experiment = slot;
    const struct yaml_tree *item = node->kind == YAML_LIST ? node->first : node;
    unsigned count = node->kind == YAML_LIST ? node->children : 1;

    if (!count || count > STREAMS_MAX)
        return refuse_node(loading, node, "%s has %u streams; expected 1 to %d", field->name, count,
                           STREAMS_MAX);
    struct traffic *traffic = arena_alloc(loading->arena, count * sizeof *traffic);
    for (unsigned i = 0; i < count; i++, item = item->next)
        if (!read_stream(loading, item, &traffic[i]))
            return false;
    experiment->traffics = count;
    experiment->traffic = traffic;
    return true;
}

static const char *const told[] = { "told", NULL };

/* "told", or how long a client waits whatever it was told. */
static bool read_wait(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                      void *slot)
{
    struct retry_rule *rule = slot;

    rule->told = node->kind == YAML_TEXT && strcmp(node->text, told[0]) == 0;
    return rule->told || read_duration(loading, node, field, &rule->wait_ns);
}

static bool read_retry(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    struct traffic *traffic = slot;

    (void)field;
    traffic->retry = (struct retry_rule){ .at_most = 10, .told = true, .wait_ns = 1000000000,
                                          .rounded_ns = 1 };
    return read_section(loading, node, &retry_section, 0, &traffic->retry);
}

static const char *const any[] = { "any", NULL };

#define IN(member) offsetof(struct traffic, member)

static const struct field traffic_fields[] = {
    { "trace", "path", read_path, IN(trace), .variants = ONLY(TRACE), .example = "traces/both-read-nine.csv",
      .meaning = "A CSV of arrivals; relative to the scenario's folder." },
    { "generator", "name", read_generator, IN(kind), .variants = GENERATED, .example = "poisson",
      .meaning = "`constant`, `poisson`, `on-off` (Poisson while on), `ramp`, `burst` or `closed-loop`." },
    { "region", "region or `any`", read_region, IN(region), .choices = any, .standard = "any",
      .example = "fra",
      .meaning = "Where requests arrive. `any`: the trace's region column (else the first region); "
                 "generators: drawn." },
    { "regions", "mapping of weights", read_region_weights, 0, .variants = GENERATED,
      .standard = "(all alike)", .example = "{fra: 3, iad: 1}",
      .meaning = "How often each region is drawn; 0 where not named." },
    { "start", "duration", read_duration, IN(start_ns), 0, PERIOD_MAX, .variants = GENERATED,
      .standard = "0s", .example = "59s", .meaning = "When it begins." },
    { "duration", "duration", read_duration, IN(duration_ns), 1, PERIOD_MAX, .variants = OPEN & ~ONLY(RAMP),
      .standard = "(until `requests`)", .example = "10s", .meaning = "How long it lasts, from its start." },
    { "duration", "duration", read_duration, IN(duration_ns), 1, PERIOD_MAX, .variants = ONLY(RAMP),
      .example = "10s", .meaning = "How long the rate takes from `rate` to `end_rate`." },
    { "requests", "count", read_count, IN(requests), 1, REQUESTS_MAX, .variants = OPEN,
      .standard = "(until `duration`)", .example = "1000", .meaning = "It ends after so many." },
    { "rate", "rate", read_rate, IN(rate_per_hour), 1, RATE_MAX, .variants = RATED, .example = "400/s",
      .meaning = "Requests per time, in all regions together; a ramp's at its start." },
    { "end_rate", "rate", read_rate, IN(end_rate_per_hour), 0, RATE_MAX, .variants = ONLY(RAMP),
      .example = "800/s", .meaning = "A ramp's rate at its end." },
    { "on", "duration", read_duration, IN(on_ns), 1, PERIOD_MAX, .variants = ONLY(ON_OFF), .example = "2s",
      .meaning = "How long it sends ..." },
    { "off", "duration", read_duration, IN(off_ns), 0, PERIOD_MAX, .variants = ONLY(ON_OFF), .example = "8s",
      .meaning = "... and how long it then pauses, again and again." },
    { "size", "count", read_count, IN(size), 1, REQUESTS_MAX, .variants = ONLY(BURST), .example = "20",
      .meaning = "How many requests come at one instant." },
    { "every", "duration", read_duration, IN(every_ns), 1, PERIOD_MAX, .variants = ONLY(BURST),
      .standard = "(once)", .example = "60s", .meaning = "When the next such burst comes." },
    { "in_flight", "count", read_count_32, IN(in_flight), 1, KEYS_MAX, .variants = ONLY(CLOSED_LOOP),
      .example = "20",
      .meaning = "How many clients take turns: each sends its next request after its last one's answer." },
    { "requests", "count", read_count, IN(requests), 1, REQUESTS_MAX, .variants = ONLY(CLOSED_LOOP),
      .example = "110", .meaning = "How many requests they send in all." },
    { "duration", "duration", read_duration, IN(duration_ns), 1, PERIOD_MAX, .variants = ONLY(CLOSED_LOOP),
      .standard = "(until `requests`)", .example = "10s",
      .meaning = "No request is sent later than this after the start." },
    { "think", "duration", read_duration, IN(think_ns), 0, PERIOD_MAX, .variants = ONLY(CLOSED_LOOP),
      .standard = "0s", .example = "100ms",
      .meaning = "A client's pause between an answer and its next request." },
    { "keys", "count", read_count_32, IN(keys), 1, KEYS_MAX, .variants = GENERATED, .standard = "1",
      .example = "300",
      .meaning = "How many keys there are: `key` followed by 0, 1, 2 ...; just `key` when there is one." },
    { "key", "text", read_text, IN(key_prefix), .variants = GENERATED, .standard = "key",
      .example = "tenant-", .meaning = "What keys are called." },
    { "zipf", "fraction", read_fraction, IN(zipf_billionths), 0, INT64_C(10000000000), .variants = GENERATED,
      .standard = "0", .example = "1.0",
      .meaning = "Key i is asked for in proportion to 1 / (i+1)^zipf; 0: all alike." },
    { "costs", "count, or mapping of weights", read_costs, 0, 0, COST_MAX, .variants = GENERATED,
      .standard = "(1)", .example = "{100: 90, 4000: 10}",
      .meaning = "What a request costs; several costs are drawn by weight." },
    { "used", "count, or mapping of weights", read_used, 0, 0, COST_MAX, .variants = GENERATED,
      .standard = "(its cost)", .example = "{80: 90, 6000: 10}",
      .meaning = "What it turns out to have cost, which is what counts; drawn by itself." },
    { "keys_per_person", "count or `fresh`", read_keys_per_person, IN(keys_per_person), 1, KEYS_MAX,
      .variants = GENERATED, .standard = "1", .example = "2",
      .meaning = "Each key is a person, who is judged as one and shows so many keys (`KEY/0`, `KEY/1` ...) "
                 "in turn; `fresh`: another one with each request." },
    { "policy", "name", read_variant, IN(variant), .variants = GENERATED, .standard = "(none)",
      .example = "gold", .meaning = "Which of `policy.variants` its requests carry." },
    { "retry", "mapping", read_retry, 0, .standard = "(a denied client stays away)",
      .example = "{wait: told, jitter: 10s}",
      .meaning = "What clients do who are denied, or get no answer." },
    { 0 }
};

#undef IN
#define IN(member) offsetof(struct retry_rule, member)

static const struct field retry_fields[] = {
    { "wait", "duration or `told`", read_wait, 0, 0, PERIOD_MAX, .standard = "told", .example = "100ms",
      .meaning = "How long a client waits before it comes back: as told, or so long whatever it was told." },
    { "rounded", "duration", read_duration, IN(rounded_ns), 1, PERIOD_MAX, .standard = "1ns", .example = "1s",
      .meaning = "To what it was told the wait is rounded up: `1s` is a Retry-After header." },
    { "jitter", "duration", read_duration, IN(jitter_ns), 0, PERIOD_MAX, .standard = "0s", .example = "10s",
      .meaning = "Up to so much is added, drawn for each: without it all come back at once." },
    { "at_most", "count", read_count_32, IN(at_most), 1, RETRIES_MAX, .standard = "10", .example = "3",
      .meaning = "How often a request is sent again; a closed loop has no bound but its requests." },
    { 0 }
};

const struct section retry_section = {
    "traffic[].retry", "what denied clients do", retry_fields, NULL, NULL
};

const struct section traffic_section = { "traffic[]", "a stream", traffic_fields, kinds, NULL };
