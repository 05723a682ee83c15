/* arrivals.c - see arrivals.h. */
#include <stdio.h>
#include <string.h>
#include "arrivals.h"
#include "generated.h"

/* ---- opening ------------------------------------------------------------------------------------------- */

static uint32_t number_of_key(struct key_numbers *self, uint32_t generator, uint32_t key)
{
    struct arrivals *arrivals = (struct arrivals *)((char *)self - offsetof(struct arrivals, numbers));

    return arrivals->generator_key[generator][key];
}

/* "user" when there is one key, else "user0", "user1" ... */
static void intern_keys(struct arrivals *arrivals, uint32_t i, const struct traffic *traffic)
{
    uint32_t keys = traffic->keys > 0 ? traffic->keys : 1;
    char name[KEY_BYTES_MAX + 16];

    arrivals->generator_key[i] = arena_alloc(&arrivals->arena, keys * sizeof(uint32_t));
    for (uint32_t k = 0; k < keys; k++) {
        if (keys == 1)
            snprintf(name, sizeof name, "%.*s", KEY_BYTES_MAX, traffic->key_prefix);
        else
            snprintf(name, sizeof name, "%.*s%u", KEY_BYTES_MAX, traffic->key_prefix, k);
        arrivals->generator_key[i][k] = key_intern_text(&arrivals->keys, name);
        shown_intern(traffic, name, &arrivals->keys);
    }
}

static bool open_generator(struct arrivals *arrivals, uint32_t i, struct failure *failure)
{
    const struct traffic *traffic = &arrivals->experiment->traffic[i];
    struct generator_spec spec = generated_spec(traffic, arrivals->experiment->topology.regions);
    struct generator *generator = arena_alloc(&arrivals->arena, sizeof *generator);
    const char *why = generator_init(generator, &spec, i, process_memory());

    if (why)
        return fail(failure, EXIT_USAGE, traffic->origin.file, traffic->origin.line,
                    "this traffic cannot be: %s", why);
    arrivals->generator[i] = generator;
    arrivals->requests += generator->requests < GENERATOR_REQUESTS_MAX ? generator->requests : 0;
    if (traffic->duration_ns > 0)
        arrivals->last_ns = i64_max(arrivals->last_ns, traffic->start_ns + traffic->duration_ns);
    intern_keys(arrivals, i, traffic);
    return true;
}

static bool open_trace(struct arrivals *arrivals, uint32_t i, bool refunds, struct failure *failure)
{
    const struct experiment *experiment = arrivals->experiment;
    const char **names = arena_alloc(&arrivals->arena, (experiment->topology.regions + 1) * sizeof *names);
    bool placed = experiment->traffic[i].region >= 0;
    const char **variants = arena_alloc(&arrivals->arena, (experiment->variants + 1) * sizeof *variants);
    struct trace_options options = { .keys = &arrivals->keys, .regions = placed ? NULL : names,
                                     .variants = variants, .allow_refunds = refunds };

    for (uint32_t v = 0; v < experiment->variants; v++)
        variants[v] = experiment->variant[v].name;
    memcpy(names, experiment->topology.region, experiment->topology.regions * sizeof *names);
    if (!trace_scan(&arrivals->trace[arrivals->traces++], experiment->traffic[i].trace, &options, failure))
        return false;
    const struct trace_summary *summary = &arrivals->trace[arrivals->traces - 1].summary;
    arrivals->requests += summary->rows;
    arrivals->precision_ns = i64_max(arrivals->precision_ns, trace_rounding_ns(summary));
    return true;
}

static int64_t total_cost(const struct arrivals *arrivals)
{
    int64_t total = 0;

    for (uint32_t i = 0; i < arrivals->traces; i++)
        total = i64_clamp((i128)total + arrivals->trace[i].summary.total_cost);
    for (uint32_t i = 0; i < arrivals->experiment->traffics; i++) {
        const struct traffic *traffic = &arrivals->experiment->traffic[i];
        int64_t most = 1;
        for (uint32_t c = 0; c < traffic->costs; c++)
            most = i64_max(most, traffic->cost[c].cost);
        for (uint32_t c = 0; c < traffic->useds; c++)
            most = i64_max(most, traffic->used[c].cost);
        if (arrivals->generator[i])
            total = i64_clamp((i128)total + (i128)arrivals->generator[i]->requests * most);
    }
    return total;
}

static bool open_all(struct arrivals *arrivals, bool refunds, struct failure *failure)
{
    const struct experiment *experiment = arrivals->experiment;

    for (uint32_t i = 0; i < experiment->traffics; i++)
        if (!(experiment->traffic[i].kind == TRAFFIC_TRACE ? open_trace(arrivals, i, refunds, failure)
                                                           : open_generator(arrivals, i, failure)))
            return false;
    if (!traces_epoch(arrivals->trace, arrivals->traces, &arrivals->epoch_ns, failure))
        return false;
    for (uint32_t i = 0; i < arrivals->traces; i++)
        if (arrivals->trace[i].summary.rows > 0)
            arrivals->last_ns = i64_max(arrivals->last_ns,
                                        arrivals->trace[i].summary.last_ns - arrivals->epoch_ns);
    if (total_cost(arrivals) > TOTAL_COST_MAX)
        return fail(failure, EXIT_USAGE, experiment->file, 0,
                    "the costs of this traffic may sum to more than 2^62; "
                    "expected fewer requests or smaller costs");
    return true;
}

bool arrivals_open(struct arrivals *arrivals, const struct experiment *experiment, bool refunds,
                   struct failure *failure)
{
    *arrivals = (struct arrivals){ .experiment = experiment, .precision_ns = 1,
                                   .numbers = { number_of_key } };
    if (experiment->traffics == 0)
        return fail(failure, EXIT_USAGE, experiment->file, 0,
                    "there is no traffic; expected a trace or a generator");
    arrivals->trace = arena_alloc(&arrivals->arena, (experiment->traffics + 1) * sizeof *arrivals->trace);
    arrivals->generator = arena_alloc(&arrivals->arena,
                                      (experiment->traffics + 1) * sizeof *arrivals->generator);
    arrivals->generator_key = arena_alloc(&arrivals->arena,
                                          (experiment->traffics + 1) * sizeof *arrivals->generator_key);
    arrivals->used = shown_prepare(experiment, &arrivals->arena, process_memory());
    if (open_all(arrivals, refunds, failure))
        return true;
    arrivals_close(arrivals);
    return false;
}

void arrivals_close(struct arrivals *arrivals)
{
    for (uint32_t i = 0; i < arrivals->traces; i++)
        trace_free(&arrivals->trace[i]);
    for (uint32_t i = 0; i < arrivals->experiment->traffics; i++)
        if (arrivals->generator[i])
            generator_free(arrivals->generator[i]);
    shown_free(arrivals->used, arrivals->experiment, process_memory());
    keys_free(&arrivals->keys);
    arena_free(&arrivals->arena);
}

static void note_regions(struct arrivals *arrivals, const struct traffic *traffic,
                         void (*note)(void *context, const char *line), void *context)
{
    bool by_key = traffic->region_by == REGION_BY_KEY;

    note(context,
         arena_format(&arrivals->arena,
                      "%.300s has no region column: each %s goes to a region at random (by the seed)%s",
                      traffic->trace, by_key ? "key" : "request",
                      by_key ? "" : "; --region-by key gives each key one region"));
}

void arrivals_notes(struct arrivals *arrivals, void (*note)(void *context, const char *line), void *context)
{
    const struct experiment *experiment = arrivals->experiment;

    for (uint32_t i = 0, t = 0; i < experiment->traffics; i++) {
        const struct traffic *traffic = &experiment->traffic[i];
        if (traffic->kind != TRAFFIC_TRACE)
            continue;
        const struct trace_summary *summary = &arrivals->trace[t++].summary;
        if (summary->rows_out_of_order > 0)
            note(context,
                 arena_format(&arrivals->arena,
                              "%.300s: %llu of %llu rows were out of time order and have been sorted",
                              traffic->trace, (unsigned long long)summary->rows_out_of_order,
                              (unsigned long long)summary->rows));
        if (traffic->region >= 0 && summary->has_region)
            note(context, arena_format(&arrivals->arena,
                                       "%.300s: its region column is not used, all of it arrives in %s",
                                       traffic->trace, experiment->topology.region[traffic->region]));
        if (traffic->region < 0 && traffic->region_by != REGION_FIRST && !summary->has_region)
            note_regions(arrivals, traffic, note, context);
    }
}

/* ---- playing ------------------------------------------------------------------------------------------- */

static struct source *start_stream(struct playing *playing, uint32_t i, uint32_t *trace, uint64_t seed,
                                 bool spread)
{
    struct arrivals *arrivals = playing->arrivals;

    if (arrivals->generator[i]) {
        generator_start(arrivals->generator[i], seed, &arrivals->numbers);
        return &arrivals->generator[i]->source;
    }
    struct trace_play play = { .epoch_ns = arrivals->epoch_ns, .index = i, .spread = spread, .seed = seed,
                               .region = arrivals->experiment->traffic[i].region,
                               .region_by = arrivals->experiment->traffic[i].region_by,
                               .regions = arrivals->experiment->topology.regions };
    playing->trace[i] = trace_play(&arrivals->trace[(*trace)++], &play);
    return trace_source(playing->trace[i]);
}

static struct source *start_part(struct playing *playing, uint32_t i, uint32_t *trace, uint64_t seed,
                                 bool spread)
{
    const struct retry_rule *retry = &playing->arrivals->experiment->traffic[i].retry;
    struct source *stream = start_stream(playing, i, trace, seed, spread);

    if (retry->at_most == 0)
        return stream;
    retrying_init(&playing->retrying[i], stream, retry, seed);
    return &playing->retrying[i].source;
}

void playing_start(struct playing *playing, struct arrivals *arrivals, uint64_t seed, bool spread)
{
    uint32_t parts = arrivals->experiment->traffics, trace = 0;
    struct memory *memory = process_memory();

    *playing = (struct playing){ .arrivals = arrivals };
    playing->head = memory->resize(memory, NULL, parts * sizeof *playing->head);
    playing->part = memory->resize(memory, NULL, parts * sizeof *playing->part);
    playing->trace = memory->resize(memory, NULL, parts * sizeof *playing->trace);
    memset(playing->trace, 0, parts * sizeof *playing->trace);
    playing->retrying = memory->resize(memory, NULL, parts * sizeof *playing->retrying);
    for (uint32_t i = 0; i < parts; i++)
        playing->part[i] = start_part(playing, i, &trace, seed, spread);
    merged_init(&playing->merged, playing->part, parts, playing->head);
    playing->shown = (struct shown_source){ .inner = &playing->merged.source, .seed = seed,
                                            .experiment = arrivals->experiment, .used = arrivals->used,
                                            .keys = &arrivals->keys };
    playing_by_rule(playing, NULL);
}

void playing_by_rule(struct playing *playing, const uint32_t *bucket)
{
    shown_start(&playing->shown);
    playing->shown.bucket = bucket;
    playing->source = bucket || shown_differs(playing->arrivals->experiment) ? &playing->shown.source
                                                                             : &playing->merged.source;
}

bool playing_end(struct playing *playing, struct failure *failure)
{
    struct memory *memory = process_memory();
    bool failed = false;

    for (uint32_t i = 0; i < playing->arrivals->experiment->traffics; i++)
        if (playing->trace[i]) {
            failed = failed || trace_source_failed(playing->trace[i], failure);
            trace_source_free(playing->trace[i]);
        }
    memory_free(memory, playing->head);
    memory_free(memory, playing->part);
    memory_free(memory, playing->trace);
    memory_free(memory, playing->retrying);
    return !failed;
}

int64_t arrivals_top_key(struct arrivals *arrivals, uint64_t seed, bool spread)
{
    struct arena arena = { 0 };
    int64_t *asked = arena_alloc(&arena, (arrivals->keys.count + (size_t)1) * sizeof *asked), top = -1;
    struct playing playing;
    struct arrival arrival;
    struct failure ignored;

    playing_start(&playing, arrivals, seed, spread);
    while (playing.merged.source.next(&playing.merged.source, &arrival))
        asked[arrival.key] += i64_max(0, arrival.cost);
    playing_end(&playing, &ignored);
    for (uint32_t key = 0; key < arrivals->keys.count; key++)
        if (asked[key] > 0
            && (top < 0 || asked[key] > asked[top]
                || (asked[key] == asked[top] && key_compare(&arrivals->keys, key, (uint32_t)top) < 0)))
            top = key;
    arena_free(&arena);
    return top;
}
