/* The eventually consistent store: what each region sees, and when.
 *
 * The centre is in region a; b and c are 45 ms from it.  b's first request at 0 reads the centre at 45 ms and
 * decides at 90; its write is accepted at 135 ms and shows to fetches of others from 60.135 s on; b has its
 * acknowledgement at 180 ms. */
#include "world_rig.h"
#include "../engine/stores/kv.h"

enum { A, B, C };

static struct trial *three_regions(const char *text, int64_t limit)
{
    struct trial *trial = trial_new(text, 3, limit, 3600 * S);

    trial_links(trial, 45 * MS, 45 * MS);
    return trial;
}

static const struct kv_cell *centre(const struct trial *trial)
{
    return store_more(&trial->world.store[0], 0);
}

static void a_region_reads_its_own_write_once_it_is_acknowledged(void **state)
{
    struct trial *trial = three_regions("fixed-window@kv", 2);

    (void)state;
    ask(trial, 0, B, 0, 1);
    ask(trial, 2 * S, B, 0, 1);
    ask(trial, 4 * S, B, 0, 1);
    play(trial);
    assert_int_equal(trial->admitted, 2);
    assert_false(admitted(trial, 2));
    assert_int_equal(latency_ns(trial, 0), 180 * MS);
    assert_int_equal(latency_ns(trial, 1), 90 * MS);
    assert_int_equal(latency_ns(trial, 2), 0);
    assert_int_equal(trial->world.lost_updates + trial->world.stale_reads, 0);
    trial_free(trial);
}

static void before_the_acknowledgement_it_reads_what_was_there(void **state)
{
    struct trial *trial = three_regions("fixed-window@kv:writes=none", 1);

    (void)state;
    ask(trial, 0, B, 0, 1);
    ask(trial, 179 * MS, B, 0, 1);                  /* "no such key" has been cached since 90 ms */
    ask(trial, 181 * MS, B, 0, 1);
    play(trial);
    assert_true(admitted(trial, 0) && admitted(trial, 1));
    assert_false(admitted(trial, 2));
    assert_int_equal(trial->world.lost_updates, 1);
    assert_int_equal(trial->world.stale_reads, 1);
    trial_free(trial);
}

/* When c, asking for the first time, is refused what b has used up. */
static bool c_knows(const char *text, int64_t at_ns, int64_t peek_ns)
{
    struct trial *trial = three_regions(text, 1);

    ask(trial, 0, B, 0, 1);
    if (peek_ns > 0)
        ask(trial, peek_ns, C, 0, 0);
    ask(trial, at_ns, C, 0, 1);
    play(trial);
    bool knows = !admitted(trial, trial->asks - 1);
    assert_int_equal(trial->world.lost_updates, !knows);
    trial_free(trial);
    return knows;
}

static void another_region_sees_a_write_after_its_propagation(void **state)
{
    (void)state;
    assert_false(c_knows("fixed-window@kv", 10 * S, 0));
    assert_false(c_knows("fixed-window@kv", 60 * S + 89 * MS, 0));      /* the fetch is there at 60.134 s */
    assert_true(c_knows("fixed-window@kv", 60 * S + 91 * MS, 0));
    assert_false(c_knows("fixed-window@kv:propagation=90s", 90 * S + 89 * MS, 0));
    assert_true(c_knows("fixed-window@kv:propagation=90s", 90 * S + 91 * MS, 0));
    assert_true(c_knows("fixed-window@kv:propagation=0s", 1 * S, 0));
}

/* c peeked at 10 s: there was no such key, and it remembers that from 10.09 to 70.09 s. */
static void a_missing_key_is_remembered_as_missing(void **state)
{
    (void)state;
    assert_false(c_knows("fixed-window@kv", 70 * S + 89 * MS, 10 * S));
    assert_true(c_knows("fixed-window@kv", 70 * S + 90 * MS, 10 * S));
    assert_false(c_knows("fixed-window@kv:cache=100s", 110 * S, 10 * S));
    assert_true(c_knows("fixed-window@kv:negative=uncached", 60 * S + 91 * MS, 10 * S));
    assert_false(c_knows("fixed-window@kv:negative=uncached", 60 * S + 89 * MS, 10 * S));
}

static void the_writer_finds_its_write_at_the_centre_before_others_do(void **state)
{
    struct trial *trial = three_regions("fixed-window@kv:propagation=90s", 1);

    (void)state;
    ask(trial, 0, B, 0, 1);
    ask(trial, 70 * S, B, 0, 1);                    /* its cache ended at 60.18 s */
    ask(trial, 80 * S, C, 0, 1);
    play(trial);
    assert_false(admitted(trial, 1));
    assert_int_equal(latency_ns(trial, 1), 90 * MS);
    assert_true(admitted(trial, 2));
    trial_free(trial);
}

/* c fetches b's first write, then b writes again: c serves what it has until its cache is a minute old. */
static void a_cached_value_is_served_until_it_is_old(void **state)
{
    for (int64_t at_ns = 121 * S + 89 * MS, after = 0; after < 2; after++, at_ns += MS) {
        struct trial *trial = three_regions("fixed-window@kv:propagation=1s", 2);
        (void)state;
        ask(trial, 0, B, 0, 1);
        ask(trial, 61 * S, C, 0, 0);                /* cached from 61.09 s: one is used */
        ask(trial, 62 * S, B, 0, 1);
        ask(trial, at_ns, C, 0, 1);
        play(trial);
        assert_true(admitted(trial, 2));
        assert_int_equal(admitted(trial, 3), !after);
        assert_int_equal(latency_ns(trial, 3), 90 * MS);        /* a write, or a fetch */
        trial_free(trial);
    }
}

static void one_write_a_second_is_accepted_and_the_others_counts_are_lost(void **state)
{
    struct trial *trial = three_regions("fixed-window@kv", 2);

    (void)state;
    for (int i = 0; i < 7; i++)
        ask(trial, i * 200 * MS, A, 0, 1);          /* accepted: 0 and 1 s; refused: 0.2 to 0.8 s */
    play(trial);
    assert_int_equal(trial->admitted, 6);
    assert_false(admitted(trial, 6));
    assert_int_equal(trial->world.store_writes, 2);
    assert_int_equal(trial->world.store[0].cell[0].state.number[1], 2);
    trial_free(trial);
}

static void the_gap_between_writes_is_the_rate_that_was_asked_for(void **state)
{
    static const struct { const char *text; unsigned admitted; } cases[] = {
        { "fixed-window@kv:writes=none", 2 },
        { "fixed-window@kv:writes=5/s", 2 },        /* 200 ms apart: just in time */
        { "fixed-window@kv:writes=2/s", 4 },        /* 0, 0.2 and 0.4 refused, 0.6 */
        { "fixed-window@kv:writes=1/h", 7 },
    };

    (void)state;
    for (int c = 0; c < 4; c++) {
        struct trial *trial = three_regions(cases[c].text, 2);
        for (int i = 0; i < 7; i++)
            ask(trial, i * 200 * MS, A, 0, 1);
        play(trial);
        assert_int_equal(trial->admitted, cases[c].admitted);
        trial_free(trial);
    }
}

static void the_last_writer_wins(void **state)
{
    struct trial *trial = three_regions("fixed-window@kv", 10);

    (void)state;
    ask(trial, 0, B, 0, 4);
    ask(trial, 10 * S, C, 0, 1);                    /* sees nothing of b's */
    ask(trial, 200 * S, A, 0, 10);                  /* sees c's alone: 1 + 10 is too much */
    ask(trial, 201 * S, A, 0, 9);
    play(trial);
    assert_int_equal(trial->world.lost_updates, 1);
    assert_int_equal(centre(trial)->writer, A);
    assert_false(admitted(trial, 2));
    assert_true(admitted(trial, 3));
    assert_int_equal(trial->world.store[0].cell[0].state.number[1], 10);
    trial_free(trial);
}

static void a_key_expires_when_it_is_as_good_as_new_but_not_before_the_floor(void **state)
{
    static const struct { const char *text; int64_t period_ns, expires_ns; } cases[] = {
        { "fixed-window@kv", 3600 * S, 3600 * S },
        { "fixed-window@kv", 10 * S, 60 * S + 90 * MS },
        { "fixed-window@kv:ttl_floor=0s", 10 * S, 10 * S },
        { "token-bucket@kv:ttl_floor=0s", 10 * S, 5 * S + 90 * MS },    /* one of two comes back in 5 s */
    };

    (void)state;
    for (int c = 0; c < 4; c++) {
        struct trial *trial = three_regions(cases[c].text, 2);
        trial->policy.period_ns = cases[c].period_ns;
        ask(trial, 0, B, 0, 1);
        play(trial);
        assert_int_equal(centre(trial)->expires_ns, cases[c].expires_ns);
        trial_free(trial);
    }
}

/* An interval bucket gives its tokens back at multiples of 5 s since its first request.  Forgotten, its
 * clockwork starts anew: the only way to tell an expired key from a full one. */
static void an_expired_key_starts_anew(void **state)
{
    for (int expires = 0; expires < 2; expires++) {
        const char *text = expires ? "interval-bucket@kv" : "interval-bucket@kv:ttl_floor=1h";
        struct trial *trial = three_regions(text, 2);
        (void)state;
        trial->policy.period_ns = 10 * S;
        ask(trial, 0, A, 0, 1);
        ask(trial, 62 * S, A, 0, 2);
        ask(trial, 66 * S, A, 0, 1);                /* 65 s is a multiple; 62 + 5 s has not come yet */
        play(trial);
        assert_true(admitted(trial, 1));
        assert_int_equal(admitted(trial, 2), !expires);
        trial_free(trial);
    }
}

/* Its window ends at 60 s by a clock that is 30 s behind: at 90 s. */
static void a_key_lives_as_long_as_the_clock_that_wrote_it_needs(void **state)
{
    struct trial *trial = trial_new("fixed-window@kv:propagation=0s:cache=0s:writes=none:ttl_floor=0s", 1, 2,
                                    60 * S);

    (void)state;
    trial_offset(trial, A, false, -30 * S);
    ask(trial, 40 * S, A, 0, 2);
    ask(trial, 89 * S, A, 0, 1);
    ask(trial, 90 * S, A, 0, 1);
    play(trial);
    assert_true(admitted(trial, 0) && !admitted(trial, 1) && admitted(trial, 2));
    trial_free(trial);
}

TEST_MAIN(TEST(a_key_lives_as_long_as_the_clock_that_wrote_it_needs),
          TEST(a_region_reads_its_own_write_once_it_is_acknowledged),
          TEST(before_the_acknowledgement_it_reads_what_was_there),
          TEST(another_region_sees_a_write_after_its_propagation),
          TEST(a_missing_key_is_remembered_as_missing),
          TEST(the_writer_finds_its_write_at_the_centre_before_others_do),
          TEST(a_cached_value_is_served_until_it_is_old),
          TEST(one_write_a_second_is_accepted_and_the_others_counts_are_lost),
          TEST(the_gap_between_writes_is_the_rate_that_was_asked_for),
          TEST(the_last_writer_wins),
          TEST(a_key_expires_when_it_is_as_good_as_new_but_not_before_the_floor),
          TEST(an_expired_key_starts_anew))
