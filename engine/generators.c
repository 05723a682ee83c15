/* generators.c - see generators.h. */
#include "generators.h"

#include <assert.h>
#include "fixed_point.h"

static struct generator *of(struct source *source) { return (struct generator *)source; }

/* --- when: the time of the next request since the start, from its random bits.  INT64_MAX: never --- */

static int64_t constant_next(struct generator *generator, uint64_t bits)
{
    int64_t at = generator->now.constant.at_ns;
    (void)bits;

    generator->now.constant.at_ns += generator->shape.constant.gap_ns;
    generator->now.constant.part += generator->shape.constant.gap_part;
    if (generator->now.constant.part >= generator->shape.constant.parts) {
        generator->now.constant.part -= generator->shape.constant.parts;
        generator->now.constant.at_ns++;
    }
    return at;
}

static int64_t poisson_next(struct generator *generator, uint64_t bits)
{
    uint64_t unit = (uint64_t)dist_span_ns(&generator->shape.poisson.unit, bits >> 32);
    u128 gap = (u128)unit * generator->shape.poisson.factor >> generator->shape.poisson.drop;

    generator->now.poisson.active += gap;
    u128 active_ns = generator->now.poisson.active >> 32;
    return active_ns > INT64_MAX ? INT64_MAX : (int64_t)active_ns;
}

static int64_t on_off_next(struct generator *generator, uint64_t bits)
{
    int64_t on = generator->shape.poisson.on_ns, off = generator->shape.poisson.off_ns;
    int64_t into = poisson_next(generator, bits) - generator->now.poisson.window_active_ns;

    if (into >= on) {
        int64_t windows = into / on;
        i128 window = generator->now.poisson.window_ns + (i128)windows * ((i128)on + off);
        if (window + on > INT64_MAX)
            return INT64_MAX;
        generator->now.poisson.window_active_ns += windows * on;
        generator->now.poisson.window_ns = (int64_t)window;
        into -= windows * on;
    }
    return generator->now.poisson.window_ns + into;
}

/* In the letters of the header, where i, r0 and r1 are per hour and so carry the length of an hour; rates
 * are shifted left as far as they go, so that the root keeps some 60 bits. */
static int64_t ramp_instant(const struct generator *generator, uint64_t i)
{
    const int64_t T = generator->length_ns;
    const int64_t r0 = generator->shape.ramp.rate, r1 = generator->shape.ramp.end_rate;
    const unsigned shift = generator->shape.ramp.shift;
    const i128 i_hours = (i128)i * GENERATOR_HOUR_NS;

    if (i == 0)
        return 0;
    if (i_hours > (i128)T * i64_max(r0, r1))
        return INT64_MAX;
    i128 i_over_T = (i_hours << shift) / T;
    i128 start = (i128)r0 << shift, slope = (i128)(r1 - r0) * (INT64_C(1) << shift);
    i128 square = start * start + 2 * slope * i_over_T;
    if (square < 0)
        return INT64_MAX;
    i128 below = start + (i128)fixed_sqrt((u128)square);
    return below ? i64_clamp((2 * i_hours << shift) / below) : INT64_MAX;
}

/* The rounding of the root must not let time run backwards. */
static int64_t ramp_next(struct generator *generator, uint64_t bits)
{
    (void)bits;
    generator->now.ramp.at_ns = i64_max(generator->now.ramp.at_ns, ramp_instant(generator, generator->sent));
    return generator->now.ramp.at_ns;
}

static int64_t burst_next(struct generator *generator, uint64_t bits)
{
    (void)bits;
    if (generator->now.burst.left == 0) {
        i128 at_ns = (i128)generator->now.burst.at_ns + generator->shape.burst.every_ns;
        generator->now.burst.at_ns = i64_clamp(at_ns);
        generator->now.burst.left = generator->shape.burst.size;
    }
    generator->now.burst.left--;
    return generator->now.burst.at_ns;
}

static int64_t loop_next(struct generator *generator, uint64_t bits)
{
    (void)generator;
    (void)bits;
    return 0;
}

static int64_t (*const next_by_kind[])(struct generator *generator, uint64_t bits) = {
    [TRAFFIC_CONSTANT] = constant_next, [TRAFFIC_POISSON] = poisson_next, [TRAFFIC_ON_OFF] = on_off_next,
    [TRAFFIC_RAMP] = ramp_next, [TRAFFIC_BURST] = burst_next, [TRAFFIC_CLOSED_LOOP] = loop_next,
};

/* --- what --- */

static uint32_t key_number(struct generator *generator, uint32_t key)
{
    if (generator->number[key] == 0)
        generator->number[key] = 1 + generator->numbers->number(generator->numbers, generator->index, key);
    return generator->number[key] - 1;
}

static struct stream_pair draw(uint64_t seed, bool needed, uint64_t id, enum stream_kind kind)
{
    const struct stream_pair nothing = { 0, 0 };

    return needed ? stream_pair(seed, (struct stream){ id, kind, 0 }) : nothing;
}

/* What a request's instant, cost and region are drawn from, and its key, whose number is soon asked for. */
static struct request_bits draw_request(const struct generator *generator, uint64_t id)
{
    struct stream_pair arrival = draw(generator->seed, generator->draws_arrival, id, STREAM_ARRIVAL);
    uint32_t key = alias_draw(&generator->key, arrival.second);

    memory_fetch(&generator->number[key]);
    return (struct request_bits){
        .arrival = arrival, .key = key,
        .cost = draw(generator->seed, generator->draws_cost, id, STREAM_COST),
    };
}

static uint64_t id_of(const struct generator *generator, uint64_t ordinal)
{
    return (uint64_t)generator->index << GENERATOR_ID_BITS | ordinal;
}

static void fill(struct generator *generator, uint64_t id, int64_t since_start_ns,
                 const struct request_bits *bits, struct arrival *out)
{
    assert(id >> GENERATOR_ID_BITS == generator->index);
    uint32_t region = generator->fixed_region >= 0 ? (uint32_t)generator->fixed_region
                                                   : alias_draw(&generator->region, bits->cost.second);

    *out = (struct arrival){
        .at_ns = generator->start_ns + since_start_ns,
        .cost = generator->cost_of[alias_draw(&generator->cost, bits->cost.first)],
        .id = id,
        .key = key_number(generator, bits->key),
        .region = region,
    };
}

static bool generator_next(struct source *source, struct arrival *out)
{
    struct generator *generator = of(source);
    uint64_t slot = generator->sent % GENERATOR_BATCH;

    if (generator->sent == generator->requests)
        return false;
    for (uint64_t i = 0; slot == 0 && i < GENERATOR_BATCH; i++)
        generator->batch[i] = draw_request(generator, id_of(generator, generator->sent + i));
    const struct request_bits *bits = &generator->batch[slot];
    int64_t since_start_ns = next_by_kind[generator->kind](generator, bits->arrival.first);
    if (since_start_ns >= generator->length_ns) {
        generator->sent = generator->requests;
        return false;
    }
    fill(generator, id_of(generator, generator->sent++), since_start_ns, bits, out);
    return true;
}

/* --- closed loops --- */

static uint64_t first_requests(const struct generator *generator)
{
    uint32_t clients = generator->shape.loop.in_flight;

    return clients < generator->requests ? clients : generator->requests;
}

static bool loop_first(struct source *source, struct arrival *out)
{
    struct generator *generator = of(source);

    if (generator->sent == first_requests(generator) || !generator_next(source, out))
        return false;
    out->client = (uint32_t)generator->sent;
    return true;
}

static bool loop_ended(struct source *source, const struct arrival *arrival, int64_t now_ns,
                       const struct verdict *verdict, struct arrival *out)
{
    struct generator *generator = of(source);
    i128 since_start_ns = (i128)now_ns + generator->shape.loop.think_ns - generator->start_ns;
    (void)verdict;

    assert(arrival->id >> GENERATOR_ID_BITS == generator->index && arrival->client >= 1);
    assert(now_ns >= arrival->at_ns);
    if (generator->sent_again == generator->requests - first_requests(generator))
        return false;
    if (since_start_ns >= generator->length_ns)
        return false;
    generator->sent_again++;
    uint64_t id = arrival->id + generator->shape.loop.in_flight;
    struct request_bits bits = draw_request(generator, id);
    fill(generator, id, (int64_t)since_start_ns, &bits, out);
    out->client = arrival->client;
    return true;
}

/* --- a run --- */

void generator_start(struct generator *generator, uint64_t seed, struct key_numbers *numbers)
{
    bool loop = generator->kind == TRAFFIC_CLOSED_LOOP;

    generator->source.next = loop ? loop_first : generator_next;
    generator->source.ended = loop ? loop_ended : NULL;
    generator->seed = seed;
    generator->numbers = numbers;
    generator->sent = generator->sent_again = 0;
    memset(&generator->now, 0, sizeof generator->now);
    if (generator->kind == TRAFFIC_BURST)
        generator->now.burst.left = generator->shape.burst.size;
    memset(generator->number, 0, generator->key.things * sizeof *generator->number);
}

void generator_free(struct generator *generator)
{
    alias_free(&generator->key, generator->memory);
    alias_free(&generator->cost, generator->memory);
    alias_free(&generator->region, generator->memory);
    generator->cost_of = memory_free(generator->memory, generator->cost_of);
    generator->number = memory_free(generator->memory, generator->number);
}
