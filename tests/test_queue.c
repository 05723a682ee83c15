/* The bucket wheel against a heap, and the heap against a plain search: the same events in the same order. */
#include "test.h"
#include "../engine/queue.h"
#include "counting_memory.h"
#include "dice.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

/* ---- the heap ---- */

static void a_heap_pops_by_time_then_by_sequence(void **state)
{
    enum { EVENTS = 400, ROUNDS = 50 };
    struct counting_memory counting = counting_memory();
    struct dice dice = { 1 };
    struct heap heap;

    (void)state;
    heap_init(&heap, &counting.memory);
    for (int round = 0; round < ROUNDS; round++) {
        struct heap_event left[EVENTS];
        for (uint32_t i = 0; i < EVENTS; i++) {
            left[i] = (struct heap_event){ dice_between(&dice, -20, 20), i * 7 % EVENTS, i };
            heap_push(&heap, left[i]);
        }
        for (uint32_t n = EVENTS; n > 0; n--) {
            uint32_t first = 0;
            for (uint32_t i = 1; i < n; i++)
                if (left[i].at_ns < left[first].at_ns
                    || (left[i].at_ns == left[first].at_ns && left[i].sequence < left[first].sequence))
                    first = i;
            assert_int_equal(heap.n, n);
            assert_int_equal(heap_pop(&heap).payload, left[first].payload);
            left[first] = left[n - 1];
        }
        assert_int_equal(heap.n, 0);
    }
    heap_free(&heap);
    assert_int_equal(counting.blocks, 0);
}

static void a_heap_keeps_the_order_when_sequences_wrap(void **state)
{
    struct counting_memory counting = counting_memory();
    struct heap heap;

    (void)state;
    heap_init(&heap, &counting.memory);
    for (uint32_t i = 0; i < 8; i++)
        heap_push(&heap, (struct heap_event){ 5, UINT32_MAX - 3 + i, i });
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(heap_pop(&heap).payload, i);
    heap_free(&heap);
}

/* ---- the wheel beside a heap ---- */

struct twins {
    struct counting_memory counting;
    struct queue queue;
    struct heap heap;
    uint32_t pushed;
    int64_t now_ns;
};

static struct twins *twins_open(void)
{
    static struct twins twins;

    twins = (struct twins){ .counting = counting_memory() };
    queue_init(&twins.queue, &twins.counting.memory);
    heap_init(&twins.heap, &twins.counting.memory);
    return &twins;
}

static void twins_close(struct twins *twins)
{
    queue_free(&twins->queue);
    heap_free(&twins->heap);
    assert_int_equal(twins->counting.blocks, 0);
    assert_int_equal(twins->counting.used, 0);
}

static void push(struct twins *twins, int64_t at_ns)
{
    queue_push(&twins->queue, at_ns, twins->pushed);
    heap_push(&twins->heap, (struct heap_event){ at_ns, twins->pushed, twins->pushed });
    twins->pushed++;
}

static void pop(struct twins *twins)
{
    struct heap_event expected = heap_pop(&twins->heap);

    assert_int_equal(queue_next_ns(&twins->queue), expected.at_ns);
    assert_int_equal(queue_peek(&twins->queue, 0), expected.payload);
    assert_int_equal(queue_take(&twins->queue, 0), expected.payload);
    assert_int_equal(twins->queue.queued, twins->heap.n);
    twins->now_ns = expected.at_ns;
}

static void drain(struct twins *twins)
{
    while (twins->heap.n > 0)
        pop(twins);
    assert_int_equal(queue_next_ns(&twins->queue), QUEUE_NOTHING);
    assert_int_equal(queue_ties(&twins->queue), 0);
}

/* How long until the events that one event causes. */
struct pattern {
    const char *name;
    uint32_t in_flight;                 /* so many at the start, each of which is followed by another */
    uint32_t events;
    int64_t low_ns, high_ns, grain_ns;  /* uniform, in multiples of the grain */
    int64_t far_ns;                     /* one in 16 comes after up to this instead */
    int64_t burst;                      /* one in 256 is followed by up to so many of one instant */
};

static const struct pattern patterns[] = {
    { "a network",           96,   200000, 20 * MS, 60 * MS, 1, 0, 0 },
    { "a busy network",      8000, 200000, 20 * MS, 60 * MS, 1, 0, 0 },
    { "ties everywhere",     300,  100000, 0, 4 * MS, MS, 0, 0 },
    { "at once",             40,   100000, 0, 3, 1, 0, 0 },
    { "a ns apart",          4000, 300000, 1, 5000, 1, 0, 0 },
    { "seldom",              3,    20000, SECOND, 3600 * SECOND, 1, 0, 0 },
    { "timers",              96,   200000, 20 * MS, 60 * MS, 1, 4000 * MS, 0 },
    { "timers that tie",     96,   200000, 50 * MS, 100 * MS, 50 * MS, 3000 * MS, 0 },
    { "around the rim",      64,   200000, 1060 * MS, 1090 * MS, MS, 1073 * MS, 0 },
    { "bursts",              20,   100000, 0, 50 * MS, MS, 2 * SECOND, 200 },
    { "bursts of far ones",  20,   60000, 0, SECOND, 100 * MS, 600 * SECOND, 100 },
    { "ages",                50,   50000, 0, INT64_C(1) << 52, 1, 0, 0 },
};

static int64_t grained(const struct pattern *pattern, int64_t span_ns)
{
    return span_ns / pattern->grain_ns * pattern->grain_ns;
}

static void follow(struct twins *twins, const struct pattern *pattern, struct dice *dice)
{
    bool far = pattern->far_ns > 0 && dice_chance(dice, 16);
    int64_t span_ns = far ? dice_between(dice, 0, pattern->far_ns)
                          : dice_between(dice, pattern->low_ns, pattern->high_ns);
    int64_t at_ns = grained(pattern, twins->now_ns + span_ns);
    int64_t copies = pattern->burst > 0 && dice_chance(dice, 256) ? dice_between(dice, 1, pattern->burst) : 1;

    for (int64_t i = 0; i < copies; i++)
        push(twins, at_ns > twins->now_ns ? at_ns : twins->now_ns);
    if (dice_chance(dice, 4))           /* looking ahead must not decide what comes between */
        queue_next_ns(&twins->queue);
}

static void play(const struct pattern *pattern, uint64_t seed)
{
    struct twins *twins = twins_open();
    struct dice dice = { seed };

    for (uint32_t i = 0; i < pattern->in_flight; i++)
        follow(twins, pattern, &dice);
    while (twins->pushed < pattern->events && twins->heap.n > 0) {
        pop(twins);
        follow(twins, pattern, &dice);
    }
    drain(twins);
    twins_close(twins);
}

static void a_wheel_is_a_heap(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        for (uint64_t seed = 1; seed <= 2; seed++)
            play(&patterns[i], seed);
}

/* Bursts with rest between them, so that the wheel empties and starts anew. */
static void a_wheel_that_ran_empty_goes_on(void **state)
{
    struct twins *twins = twins_open();
    struct dice dice = { 5 };

    (void)state;
    for (int round = 0; round < 300; round++) {
        int64_t base_ns = twins->now_ns + (dice_chance(&dice, 2) ? dice_between(&dice, 0, 100 * SECOND) : 0);
        for (int i = 0; i < 50; i++)
            push(twins, base_ns + dice_between(&dice, 0, INT64_C(1) << dice_between(&dice, 0, 40)));
        drain(twins);
    }
    twins_close(twins);
}

static void what_was_queued_far_ahead_goes_before_what_came_later(void **state)
{
    struct twins *twins = twins_open();

    (void)state;
    push(twins, 0);
    push(twins, 600 * MS);
    push(twins, 1400 * MS);             /* beyond the wheel of 1.07 s at first ... */
    pop(twins);
    pop(twins);
    push(twins, 1400 * MS);             /* ... and within it now */
    drain(twins);
    twins_close(twins);
}

static void events_before_the_start_are_events(void **state)
{
    struct twins *twins = twins_open();
    struct dice dice = { 6 };

    (void)state;
    push(twins, -50 * SECOND);
    while (twins->pushed < 50000) {
        pop(twins);
        while (twins->heap.n < 10)
            push(twins, twins->now_ns + dice_between(&dice, 0, 20 * MS));
    }
    drain(twins);
    twins_close(twins);
}

/* ---- width ---- */

static uint32_t width_after(int64_t mean_span_ns, uint32_t in_flight, uint32_t events)
{
    struct twins *twins = twins_open();
    struct dice dice = { 7 };

    for (uint32_t i = 0; i < in_flight; i++)
        push(twins, dice_between(&dice, 0, 2 * mean_span_ns));
    while (twins->pushed < events) {
        pop(twins);
        push(twins, twins->now_ns + dice_between(&dice, 0, 2 * mean_span_ns));
    }
    uint32_t shift = twins->queue.shift;
    drain(twins);
    twins_close(twins);
    return shift;
}

static void buckets_get_narrow_where_events_are_dense_and_wide_where_they_are_rare(void **state)
{
    (void)state;
    assert_int_equal(width_after(40 * MS, 96, 400000), 18);         /* one event each 0.42 ms: as it was */
    assert_in_range(width_after(MS, 8000, 1200000), 9, 13);         /* one each 125 ns: 4 to 66 a bucket */
    assert_int_equal(width_after(600 * SECOND, 8, 400000), 28);     /* one each 75 s: the wheel holds most */
}

/* ---- ties ---- */

static void ties_are_what_shares_the_head_instant(void **state)
{
    struct twins *twins = twins_open();

    (void)state;
    for (int i = 0; i < 5; i++)
        push(twins, 10 * MS);
    push(twins, 10 * MS + 1);
    assert_int_equal(queue_ties(&twins->queue), 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(queue_peek(&twins->queue, i), i);
    for (int i = 0; i < 100; i++)
        push(twins, 10 * MS);
    assert_int_equal(queue_ties(&twins->queue), TIES_MAX);
    drain(twins);
    twins_close(twins);
}

static void taking_one_of_many_leaves_the_others_in_order(void **state)
{
    enum { EVENTS = 200 };
    struct twins *twins = twins_open();
    struct dice dice = { 8 };
    uint32_t left[EVENTS], n = EVENTS;

    (void)state;
    for (uint32_t i = 0; i < EVENTS; i++) {
        left[i] = i;
        queue_push(&twins->queue, 3 * SECOND, i);
    }
    queue_push(&twins->queue, 4 * SECOND, EVENTS);
    for (; n > 0; n--) {
        uint32_t ties = queue_ties(&twins->queue), i = (uint32_t)dice_between(&dice, 0, ties - 1);
        assert_int_equal(ties, n < TIES_MAX ? n : TIES_MAX);
        assert_int_equal(queue_peek(&twins->queue, i), left[i]);
        assert_int_equal(queue_take(&twins->queue, i), left[i]);
        memmove(&left[i], &left[i + 1], (n - i - 1) * sizeof *left);
    }
    assert_int_equal(queue_next_ns(&twins->queue), 4 * SECOND);
    assert_int_equal(queue_take(&twins->queue, 0), EVENTS);
    twins_close(twins);
}

/* ---- memory ---- */

static void memory_follows_what_is_queued_and_not_what_has_been(void **state)
{
    struct twins *twins = twins_open();

    (void)state;
    queue_push(&twins->queue, 3600 * SECOND, 0);        /* the only one: the wheel goes there ... */
    for (int64_t at_ns = 0; at_ns < 2000 * SECOND; at_ns += 10 * MS) {
        assert_int_equal(queue_next_ns(&twins->queue), 3600 * SECOND);
        queue_push(&twins->queue, at_ns, 1);            /* ... while others come and go before it */
        assert_int_equal(queue_next_ns(&twins->queue), at_ns);
        assert_int_equal(queue_take(&twins->queue, 0), 1);
    }
    assert_in_range(twins->counting.most, 1, 64 << 10);
    twins_close(twins);
}

TEST_MAIN(TEST(a_heap_pops_by_time_then_by_sequence),
          TEST(a_heap_keeps_the_order_when_sequences_wrap),
          TEST(a_wheel_is_a_heap),
          TEST(a_wheel_that_ran_empty_goes_on),
          TEST(what_was_queued_far_ahead_goes_before_what_came_later),
          TEST(events_before_the_start_are_events),
          TEST(buckets_get_narrow_where_events_are_dense_and_wide_where_they_are_rare),
          TEST(ties_are_what_shares_the_head_instant),
          TEST(taking_one_of_many_leaves_the_others_in_order),
          TEST(memory_follows_what_is_queued_and_not_what_has_been))
