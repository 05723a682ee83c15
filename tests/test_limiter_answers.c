/* test_limiter_answers.c - known answers, worked out by hand, for each limiter; and those of a real trace. */
#include <stdio.h>
#include "test.h"
#include "../harness/units.h"
#include "limiter_rig.h"

#define SECOND INT64_C(1000000000)

/* A sequence of requests of one key and what each must be told. */
struct step {
    int64_t now_ns, cost;
    bool    allowed;
    int64_t wait_ns;                    /* allowed: delay; denied: retry_after */
    int64_t remaining;                  /* afterwards */
};

static void assert_steps(const struct limiter *limiter, struct policy policy, size_t count,
                         const struct step *step)
{
    struct rig rig = rig_open(limiter, &policy, step->now_ns);

    for (size_t i = 0; i < count; i++) {
        struct verdict verdict = rig_decide(&rig, step[i].now_ns, step[i].cost);
        assert_int_equal(verdict.allowed, step[i].allowed);
        assert_int_equal(verdict.allowed ? verdict.delay_ns : verdict.retry_after_ns, step[i].wait_ns);
        assert_int_equal(rig_quote(&rig, step[i].now_ns).remaining, step[i].remaining);
    }
    rig_close(&rig);
}

#define ASSERT_STEPS(limiter, policy, ...)                                                      \
    assert_steps(limiter, policy, sizeof (struct step[]){ __VA_ARGS__ } / sizeof (struct step), \
                 (struct step[]){ __VA_ARGS__ })

static void twice_the_limit_passes_at_the_edge_of_a_fixed_window(void **unused)
{
    struct policy policy = make_policy(10, 60 * SECOND, 10, 0);
    struct rig rig = rig_open(&fixed_window, &policy, 0);

    (void)unused;
    for (int i = 0; i < 10; i++)
        assert_true(rig_decide(&rig, 60 * SECOND - 1, 1).allowed);
    assert_int_equal(rig_check(&rig, 60 * SECOND - 1, 1).retry_after_ns, 1);
    for (int i = 0; i < 10; i++)
        assert_true(rig_decide(&rig, 60 * SECOND, 1).allowed);
    assert_int_equal(rig_check(&rig, 60 * SECOND, 1).retry_after_ns, 60 * SECOND);
    rig_close(&rig);
}

/* First 30 s into a minute; then before the epoch. */
static void fixed_windows_are_aligned_to_the_unix_epoch(void **unused)
{
    (void)unused;
    ASSERT_STEPS(&fixed_window, make_policy(1, 60 * SECOND, 1, 90 * SECOND),
        { 0, 1, true, 0, 0 }, { 1, 1, false, 30 * SECOND - 1, 0 }, { 30 * SECOND, 1, true, 0, 0 });
    ASSERT_STEPS(&fixed_window, make_policy(1, 60, 1, 0),
        { -125, 1, true, 0, 0 }, { -121, 1, false, 1, 0 }, { -120, 1, true, 0, 0 }, { -60, 1, true, 0, 0 },
        { -1, 1, false, 1, 0 }, { 0, 1, true, 0, 0 });
}

static void a_late_reading_counts_in_the_window_before(void **unused)
{
    (void)unused;
    ASSERT_STEPS(&fixed_window, make_policy(2, 60, 2, 0),
        { 65, 1, true, 0, 1 }, { 59, 1, true, 0, 1 }, { 58, 1, true, 0, 0 }, { 59, 1, false, 1, 0 },
        { 65, 1, true, 0, 0 }, { 59, 1, false, 61, 0 },
        { -10, 1, false, 130, 0 },                                          /* older than that, too */
        { 120, 2, true, 0, 0 }, { 119, 1, false, 61, 0 }, { 240, 1, true, 0, 1 }, { 200, 2, true, 0, 0 });
}

static void an_anchored_window_opens_at_the_first_request_and_counts_denials(void **unused)
{
    (void)unused;
    ASSERT_STEPS(&fixed_window_anchored, make_policy(10, 60, 10, 0),
        { 7, 6, true, 0, 4 }, { 8, 5, false, 59, 0 }, { 66, 1, false, 1, 0 }, { 67, 10, true, 0, 0 },
        { 126, 1, false, 1, 0 }, { 500, 1, true, 0, 9 }, { 500, 11, false, NEVER_NS, 0 },
        { 559, 1, false, 1, 0 }, { 560, 10, true, 0, 0 });
}

static void a_log_entry_leaves_when_it_is_exactly_one_period_old(void **unused)
{
    (void)unused;
    ASSERT_STEPS(&sliding_window_log, make_policy(10, 60, 10, 0),
        { 0, 4, true, 0, 6 }, { 10, 6, true, 0, 0 }, { 59, 1, false, 1, 0 }, { 59, 5, false, 11, 0 },
        { 60, 4, true, 0, 0 }, { 69, 6, false, 1, 0 }, { 70, 6, true, 0, 0 });
}

/* At 75, 45/60 of the 10 still count; a third unit needs 10 * overlap <= 7, from 18 ns into the window on. */
static void the_sliding_counter_weighs_the_previous_window_exactly(void **unused)
{
    (void)unused;
    ASSERT_STEPS(&sliding_window_counter, make_policy(10, 60, 10, 0),
        { 0, 10, true, 0, 0 }, { 59, 1, false, 7, 0 }, { 60, 1, false, 6, 0 }, { 75, 0, true, 0, 2 },
        { 75, 3, false, 3, 2 }, { 75, 2, true, 0, 0 }, { 77, 1, false, 1, 0 }, { 78, 1, true, 0, 0 },
        { 78, 8, false, 62, 0 });
}

/* 8 more at 78: then 3 stand in the current window, which fades in the next one: 3 * overlap <= 2 from
 * 120 + 20 on. */
static void the_sliding_counter_looks_into_the_next_window_for_its_retry(void **unused)
{
    (void)unused;
    ASSERT_STEPS(&sliding_window_counter, make_policy(10, 60, 10, 0),
        { 0, 3, true, 0, 7 }, { 1, 8, false, 79, 7 }, { 79, 8, false, 1, 7 }, { 80, 8, true, 0, 0 });
}

static void a_token_bucket_gives_its_burst_again_after_one_period(void **unused)
{
    struct policy policy = make_policy(5, SECOND, 5, 0);

    (void)unused;
    ASSERT_STEPS(&token_bucket, policy,
        { 0, 5, true, 0, 0 }, { 0, 1, false, SECOND / 5, 0 }, { SECOND - 1, 5, false, 1, 4 },
        { SECOND, 5, true, 0, 0 }, { 9 * SECOND, 5, true, 0, 0 });
    ASSERT_STEPS(&gcra, policy,
        { 0, 5, true, 0, 0 }, { 0, 1, false, SECOND / 5, 0 }, { SECOND - 1, 5, false, 1, 4 },
        { SECOND, 5, true, 0, 0 }, { 9 * SECOND, 5, true, 0, 0 });
}

/* Three per 10 ns: a unit each 3 1/3 ns, and no third is ever lost. */
static void fractions_of_a_ns_are_kept(void **unused)
{
    struct policy policy = make_policy(3, 10, 1, 0);

    (void)unused;
    ASSERT_STEPS(&gcra, policy,
        { 0, 1, true, 0, 0 }, { 3, 1, false, 1, 0 }, { 4, 1, true, 0, 0 },
        { 7, 1, false, 1, 0 }, { 8, 1, true, 0, 0 }, { 11, 1, false, 1, 0 }, { 12, 1, true, 0, 0 });
    ASSERT_STEPS(&interval_bucket, policy,
        { 0, 1, true, 0, 0 }, { 3, 1, false, 1, 0 }, { 4, 1, true, 0, 0 },
        { 6, 1, false, 1, 0 }, { 7, 1, true, 0, 0 }, { 9, 1, false, 1, 0 }, { 10, 1, true, 0, 0 });
}

static void an_interval_bucket_ticks_from_its_first_request_on(void **unused)
{
    (void)unused;       /* ticks at 105, 115, 125 ... however long it was full */
    ASSERT_STEPS(&interval_bucket, make_policy(1, 10, 3, 0),
        { 95, 0, true, 0, 3 }, { 105, 1, true, 0, 2 }, { 114, 3, false, 1, 2 }, { 115, 3, true, 0, 0 },
        { 204, 3, true, 0, 0 }, { 205, 1, true, 0, 0 }, { 206, 1, false, 9, 0 }, { 206, 3, false, 29, 0 });
}

/* Three per 10 ns: what comes at 0 leaves at 0, 3 1/3 and 6 2/3. */
static void a_queue_delays_until_the_server_is_free_and_refuses_what_does_not_fit(void **unused)
{
    (void)unused;
    ASSERT_STEPS(&leaky_bucket_queue, make_policy(3, 10, 3, 0),
        { 0, 1, true, 0, 2 }, { 0, 1, true, 4, 1 }, { 0, 1, true, 7, 0 }, { 0, 1, false, 4, 0 },
        { 3, 1, false, 1, 0 }, { 4, 1, true, 6, 0 }, { 4, 4, false, NEVER_NS, 0 }, { 14, 3, true, 0, 0 });
}

/* The counter first gets 2 back for the current window; then 5, of which that has only 2 to give back. */
static void a_refund_is_taken_where_it_belongs(void **unused)
{
    (void)unused;
    ASSERT_STEPS(&sliding_window_counter, make_policy(10, 60, 10, 0),
        { 0, 4, true, 0, 6 }, { 60, 4, true, 0, 2 }, { 60, -2, true, 0, 4 }, { 60, -5, true, 0, 9 });
    ASSERT_STEPS(&fixed_window, make_policy(10, 60, 10, 0),
        { 0, 4, true, 0, 6 }, { 60, 4, true, 0, 6 }, { 60, -5, true, 0, 10 });
}

/* The growing state: what has left is dropped. */
static void a_log_holds_at_most_twice_what_lives_and_zeroes_what_is_dropped(void **unused)
{
    struct policy policy = make_policy(50, 1000, 50, 0);
    struct rig rig = rig_open(&sliding_window_log, &policy, 0);
    const struct growing_state *grown;
    size_t most = 0;

    (void)unused;
    for (int64_t now_ns = 0; now_ns < 20000; now_ns += 7) {
        rig_decide(&rig, now_ns, 1);
        grown = (const void *)rig.state;
        most = grown->used_bytes > most ? grown->used_bytes : most;
    }
    assert_in_range(most, 32 + 50 * 16, 32 + 100 * 16);
    rig_charge(&rig, 100000, 1, true);
    grown = (const void *)rig.state;
    assert_int_equal(grown->used_bytes, 32 + 16);
    for (size_t i = grown->used_bytes; i < rig.capacity; i++)
        assert_int_equal(rig.state[i], 0);
    rig_charge(&rig, 100000, 49, true);
    grown = (const void *)rig.state;
    assert_int_equal(grown->used_bytes, 32 + 16);
    assert_false(rig_passes(&rig, 100999, 1));
    rig_close(&rig);
}

enum { TRACE_REQUESTS = 20000 };

struct trace {
    unsigned count;
    int64_t unix_ns[TRACE_REQUESTS], tokens[TRACE_REQUESTS];
};

/* TIMESTAMP,ContextTokens,GeneratedTokens */
static bool read_trace(const char *path, struct trace *trace)
{
    char time[64];
    long long context, generated;
    unsigned places;
    FILE *file = fopen(path, "r");

    if (!file)
        return false;
    assert_int_equal(fscanf(file, "%*[^\n]"), 0);
    while (fscanf(file, " %63[^,],%lld,%lld", time, &context, &generated) == 3) {
        assert_in_range(trace->count, 0, TRACE_REQUESTS - 1);
        assert_null(parse_iso_time(time, &trace->unix_ns[trace->count], &places));
        trace->tokens[trace->count++] = context + generated;
    }
    fclose(file);
    return true;
}

struct outcome { unsigned admitted; int64_t tokens, worst_window; };

static struct outcome run_trace(const struct limiter *limiter, const struct trace *trace)
{
    static struct { int64_t at_ns, tokens; } kept[TRACE_REQUESTS];
    struct outcome outcome = { 0 };
    struct policy policy = make_policy(200000, 60 * SECOND, 200000, trace->unix_ns[0]);
    struct rig rig = rig_open(limiter, &policy, 0);
    int64_t window = 0;
    unsigned oldest = 0;

    for (unsigned i = 0; i < trace->count; i++) {
        int64_t at_ns = trace->unix_ns[i] - trace->unix_ns[0];
        if (!rig_decide(&rig, at_ns, trace->tokens[i]).allowed)
            continue;
        kept[outcome.admitted].at_ns = at_ns;
        kept[outcome.admitted++].tokens = trace->tokens[i];
        outcome.tokens += trace->tokens[i];
        window += trace->tokens[i];
        while (kept[oldest].at_ns <= at_ns - policy.period_ns)
            window -= kept[oldest++].tokens;
        outcome.worst_window = i64_max(outcome.worst_window, window);
    }
    rig_close(&rig);
    return outcome;
}

static void a_real_trace_gives_the_known_answers(void **unused)
{
    static struct trace trace;

    (void)unused;
    if (!read_trace("../shared/data/llm-code.csv", &trace)) {
        print_message("../shared/data/llm-code.csv is not there\n");
        skip();
    }
    struct outcome fixed = run_trace(&fixed_window, &trace), bucket = run_trace(&token_bucket, &trace);
    assert_int_equal(fixed.admitted, 3711);
    assert_int_equal(fixed.tokens, 7400181);
    assert_int_equal(fixed.worst_window, 399981);
    assert_int_equal(bucket.worst_window, 399265);
    assert_true(run_trace(&sliding_window_log, &trace).worst_window <= 200000);
}

TEST_MAIN(
    TEST(twice_the_limit_passes_at_the_edge_of_a_fixed_window),
    TEST(fixed_windows_are_aligned_to_the_unix_epoch),
    TEST(a_late_reading_counts_in_the_window_before),
    TEST(an_anchored_window_opens_at_the_first_request_and_counts_denials),
    TEST(a_log_entry_leaves_when_it_is_exactly_one_period_old),
    TEST(the_sliding_counter_weighs_the_previous_window_exactly),
    TEST(the_sliding_counter_looks_into_the_next_window_for_its_retry),
    TEST(a_token_bucket_gives_its_burst_again_after_one_period),
    TEST(fractions_of_a_ns_are_kept),
    TEST(an_interval_bucket_ticks_from_its_first_request_on),
    TEST(a_queue_delays_until_the_server_is_free_and_refuses_what_does_not_fit),
    TEST(a_refund_is_taken_where_it_belongs),
    TEST(a_log_holds_at_most_twice_what_lives_and_zeroes_what_is_dropped),
    TEST(a_real_trace_gives_the_known_answers))
