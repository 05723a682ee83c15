/* test_retry.c - clients who come back when they are denied. */
#include "../engine/retry.h"
#include "test.h"

enum { SECOND = 1000000000 };

/* A stream of one request at 0, of stream 3. */
struct one { struct source source; bool sent; };

static bool one_next(struct source *self, struct arrival *out)
{
    struct one *one = (struct one *)(void *)self;

    if (one->sent)
        return false;
    one->sent = true;
    *out = (struct arrival){ .id = UINT64_C(3) << 40, .cost = 7, .key = 5, .region = 1 };
    return true;
}

/* A closed loop that sends its next request a second after the answer. */
static bool loop_ended(struct source *self, const struct arrival *arrival, int64_t now_ns,
                       const struct verdict *verdict, struct arrival *out)
{
    (void)self, (void)verdict;
    *out = *arrival;
    out->id++;
    out->at_ns = now_ns + SECOND;
    return true;
}

static struct retrying open_stream(struct one *one, struct retry_rule rule, uint64_t seed)
{
    struct retrying retrying;

    *one = (struct one){ .source = { .next = one_next } };
    retrying_init(&retrying, &one->source, &rule, seed);
    return retrying;
}

static struct arrival first_of(struct retrying *retrying)
{
    struct arrival arrival;

    assert_true(retrying->source.next(&retrying->source, &arrival));
    return arrival;
}

static bool again(struct retrying *retrying, struct arrival *arrival, int64_t now_ns,
                  const struct verdict *verdict)
{
    struct arrival next;

    if (!retrying->source.ended(&retrying->source, arrival, now_ns, verdict, &next))
        return false;
    *arrival = next;
    return true;
}

static const struct retry_rule as_told = { .at_most = 3, .told = true, .wait_ns = SECOND, .rounded_ns = 1 };
static const struct verdict admitted = { .allowed = true };
static const struct verdict denied = { .retry_after_ns = 2 * SECOND + 1 };
static const struct verdict never = { .retry_after_ns = NEVER_NS };

static void a_client_comes_back_when_it_was_told_to(void **state)
{
    struct one one;
    struct retrying retrying = open_stream(&one, as_told, 1);
    struct arrival arrival = first_of(&retrying);

    (void)state;
    assert_true(again(&retrying, &arrival, 10, &denied));
    assert_int_equal(arrival.at_ns, 10 + 2 * INT64_C(1000000000) + 1);
    assert_true(arrival.cost == 7 && arrival.key == 5 && arrival.region == 1);
}

static void who_should_have_come_in_the_past_comes_at_once(void **state)
{
    static const struct verdict past = { .retry_after_ns = -5 * INT64_C(1000000000) };
    struct one one;
    struct retrying retrying = open_stream(&one, as_told, 1);
    struct arrival arrival = first_of(&retrying);

    (void)state;
    assert_true(again(&retrying, &arrival, 10, &past));
    assert_int_equal(arrival.at_ns, 10);
}

static void a_header_in_whole_seconds_makes_it_wait_longer(void **state)
{
    struct retry_rule rule = as_told;
    struct one one;

    (void)state;
    rule.rounded_ns = SECOND;
    struct retrying retrying = open_stream(&one, rule, 1);
    struct arrival arrival = first_of(&retrying);
    assert_true(again(&retrying, &arrival, 0, &denied));
    assert_int_equal(arrival.at_ns, INT64_C(3000000000));
}

static void who_ignores_what_it_was_told_comes_when_it_likes(void **state)
{
    struct retry_rule rule = as_told;
    struct one one;

    (void)state;
    rule.told = false;
    rule.wait_ns = 5;
    struct retrying retrying = open_stream(&one, rule, 1);
    struct arrival arrival = first_of(&retrying);
    assert_true(again(&retrying, &arrival, 0, &denied));
    assert_int_equal(arrival.at_ns, 5);
    assert_true(again(&retrying, &arrival, 5, &never));
    assert_int_equal(arrival.at_ns, 10);
}

static void it_gives_up_after_so_many_times(void **state)
{
    struct one one;
    struct retrying retrying = open_stream(&one, as_told, 1);
    struct arrival arrival = first_of(&retrying);

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(again(&retrying, &arrival, arrival.at_ns, &denied));
    assert_false(again(&retrying, &arrival, arrival.at_ns, &denied));
}

static void who_is_admitted_or_told_never_stays_away(void **state)
{
    struct one one;
    struct retrying retrying = open_stream(&one, as_told, 1);
    struct arrival arrival = first_of(&retrying);

    (void)state;
    assert_false(again(&retrying, &arrival, 0, &admitted));
    assert_false(again(&retrying, &arrival, 0, &never));
}

static void who_got_no_answer_waits_as_it_likes(void **state)
{
    struct one one;
    struct retrying retrying = open_stream(&one, as_told, 1);
    struct arrival arrival = first_of(&retrying);

    (void)state;
    assert_true(again(&retrying, &arrival, 4, NULL));
    assert_int_equal(arrival.at_ns, 4 + SECOND);
}

static void every_attempt_has_an_id_of_its_own_in_its_stream(void **state)
{
    struct one one;
    struct retrying retrying = open_stream(&one, as_told, 1);
    struct arrival arrival = first_of(&retrying);
    uint64_t id = arrival.id;

    (void)state;
    for (int i = 0; i < 3; i++, id = arrival.id) {
        assert_true(again(&retrying, &arrival, 0, &denied));
        assert_true(arrival.id != id);
        assert_int_equal(arrival.id >> 40, 3);
    }
}

/* Jitter is added: nobody comes too early, and not all at once. */
static void jitter_only_adds(void **state)
{
    struct retry_rule rule = as_told;
    struct one one;
    int64_t least = INT64_MAX, most = 0;

    (void)state;
    rule.jitter_ns = SECOND;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct retrying retrying = open_stream(&one, rule, seed);
        struct arrival arrival = first_of(&retrying);
        assert_true(again(&retrying, &arrival, 0, &denied));
        least = i64_min(least, arrival.at_ns - denied.retry_after_ns);
        most = i64_max(most, arrival.at_ns - denied.retry_after_ns);
    }
    assert_true(least >= 0 && least < SECOND / 20);
    assert_true(most <= SECOND && most > SECOND - SECOND / 20);
}

static void a_loop_waits_before_its_next_request(void **state)
{
    struct one one = { .source = { .next = one_next, .ended = loop_ended } };
    struct retrying retrying;

    (void)state;
    retrying_init(&retrying, &one.source, &as_told, 1);
    struct arrival arrival = first_of(&retrying);
    arrival.client = 9;
    assert_true(again(&retrying, &arrival, 0, &admitted));
    assert_int_equal(arrival.at_ns, SECOND);
    assert_true(again(&retrying, &arrival, SECOND, &denied));
    assert_int_equal(arrival.at_ns, INT64_C(4000000001));
    assert_int_equal(arrival.client, 9);
}

TEST_MAIN(TEST(a_client_comes_back_when_it_was_told_to),
          TEST(who_should_have_come_in_the_past_comes_at_once),
          TEST(a_header_in_whole_seconds_makes_it_wait_longer),
          TEST(who_ignores_what_it_was_told_comes_when_it_likes),
          TEST(it_gives_up_after_so_many_times),
          TEST(who_is_admitted_or_told_never_stays_away),
          TEST(who_got_no_answer_waits_as_it_likes),
          TEST(every_attempt_has_an_id_of_its_own_in_its_stream),
          TEST(jitter_only_adds),
          TEST(a_loop_waits_before_its_next_request))
