/* Rules from what a client shows to the key that its limiter sees, and the buckets that come of them. */
#include "test.h"
#include <stdio.h>
#include <string.h>
#include "../algos/keys.h"
#include "../harness/buckets.h"
#include "dice.h"

static struct arena arena;
static struct keys keys;

static int free_all(void **state)
{
    (void)state;
    arena_free(&arena);
    keys_free(&keys);
    return 0;
}

static const struct row { const char *rule, *sent, *key; } rows[] = {
    { "as-sent", "anything at all", "anything at all" },
    { "as-sent", "", "" },
    { "none", "user_1", "all" },
    { "before-slash", "alice/phone", "alice" },
    { "before-slash", "a/b/c", "a/b" },
    { "before-slash", "alice", "alice" },
    { "host-only", "203.0.113.7:51234", "203.0.113.7" },
    { "host-only", "203.0.113.7", "203.0.113.7" },
    { "host-only", "[2001:db8::1]:443", "2001:db8::1" },
    { "host-only", "2001:db8::1", "2001:db8::1" },
    { "host-only", "[never closed", "[never closed" },
    { "ipv6-split", "2001:db8::a:b", "2001:db8::a" },
    { "ipv6-split", "203.0.113.7:51234", "203.0.113.7" },
    { "ipv6-split", "no colon", "no colon" },
    { "forwarded-first", "10.0.0.1, 198.51.100.7", "10.0.0.1" },
    { "forwarded-last", "10.0.0.1, 198.51.100.7", "198.51.100.7" },
    { "forwarded-last", " 198.51.100.7 ", "198.51.100.7" },
    { "forwarded-first", ",", "" },
    { "path-joined", "203.0.113.1 1/sign-in", "203.0.113.11/sign-in" },
    { "path-joined", "203.0.113.11 /sign-in", "203.0.113.11/sign-in" },
    { "path-separated", "203.0.113.1 1/sign-in", "203.0.113.1|1/sign-in" },
    { "path-separated", "203.0.113.11 /sign-in", "203.0.113.11|/sign-in" },
    { "ipv4-mapped-56", "::ffff:192.0.2.1", "0000:0000:0000:00" },
    { "ipv4-mapped-56", "198.51.100.7", "0000:0000:0000:00" },
    { "ipv4-mapped-56", "2001:db8:1:203::5", "2001:0db8:0001:02" },
    { "ipv6-64", "::ffff:192.0.2.1", "c000:0201" },
    { "ipv6-64", "192.0.2.1", "c000:0201" },
    { "ipv6-64", "64:ff9b::808:808", "0808:0808" },
    { "ipv6-64", "64:ff9b::8.8.8.8", "0808:0808" },
    { "ipv6-64", "2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002" },
    { "ipv6-64", "2001:DB8:1:2::", "2001:0db8:0001:0002" },
    { "ipv6-64", "unknown", "unknown" },
    { "ipv6-64-nat64", "64:ff9b::808:808", "0064:ff9b:0000:0000" },
    { "ipv6-64-nat64", "64:ff9b::909:909", "0064:ff9b:0000:0000" },
    { "ipv6-64-nat64", "::ffff:192.0.2.1", "c000:0201" },
};

static void each_rule_makes_of_a_key_what_it_says(void **state)
{
    char out[KEY_TEXT_MAX];

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct key_rule *rule = key_rule_find(rows[i].rule);
        assert_non_null(rule);
        size_t length = rule->apply(rows[i].sent, strlen(rows[i].sent), out);
        if (length != strlen(rows[i].key) || memcmp(out, rows[i].key, length) != 0)
            fail_msg("%s of '%s' is '%.*s'; expected '%s'", rows[i].rule, rows[i].sent, (int)length, out,
                     rows[i].key);
    }
}

static void every_rule_is_tried_and_every_flawed_one_names_a_cure(void **state)
{
    (void)state;
    assert_null(key_rule_find("no such rule"));
    for (unsigned i = 0; i < key_rule_count; i++) {
        bool tried = false;
        for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++)
            tried |= strcmp(rows[r].rule, key_rules[i].name) == 0;
        assert_true(tried);
        assert_int_equal(!key_rules[i].cure, !key_rules[i].source);
        if (key_rules[i].cure)
            assert_null(key_rule_find(key_rules[i].cure)->cure);
    }
}

static void no_text_is_too_long_or_too_strange(void **state)
{
    static char sent[4096], out[KEY_TEXT_MAX];
    static const char signs[] = ":.:f0129, /[]\0 ";
    struct dice dice = { 7 };

    (void)state;
    for (int n = 0; n < 3000; n++) {
        size_t length = (size_t)(dice_chance(&dice, 20) ? 4096 : dice_between(&dice, 0, 40));
        for (size_t i = 0; i < length; i++)
            sent[i] = signs[dice_between(&dice, 0, sizeof signs - 1)];
        for (unsigned i = 0; i < key_rule_count; i++)
            assert_in_range(key_rules[i].apply(sent, length, out), 0, KEY_TEXT_MAX);
    }
}

/* ---- addresses ----------------------------------------------------------------------------------------- */

static void what_is_no_address_is_none(void **state)
{
    static const char *const texts[] = {
        "", ":", "::1::", ":1", "1:", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2:3:4:5:6:7:8", "12345::",
        "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4:80", "::1.2.3", "1.2.3.4::", "g::", ":::", "1:::2",
        "1:2:3:4:5:6:7:1.2.3.4",
    };
    unsigned char address[16];

    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        if (key_address(texts[i], strlen(texts[i]), address))
            fail_msg("'%s' is an address", texts[i]);
}

static void one_address_has_many_spellings(void **state)
{
    static const char *const same[][2] = {
        { "::", "0:0:0:0:0:0:0:0" }, { "::1", "0:0:0:0:0:0:0:1" }, { "1::", "1:0:0:0:0:0:0:0" },
        { "2001:db8::1", "2001:0DB8:0:0:0:0:0:1" }, { "::ffff:1.2.3.4", "1.2.3.4" },
        { "::ffff:102:304", "1.2.3.4" }, { "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304" },
        { "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0" },
    };
    unsigned char left[16], right[16];

    (void)state;
    for (unsigned i = 0; i < sizeof same / sizeof *same; i++) {
        if (!key_address(same[i][0], strlen(same[i][0]), left)
            || !key_address(same[i][1], strlen(same[i][1]), right))
            fail_msg("'%s' or '%s' is no address", same[i][0], same[i][1]);
        assert_memory_equal(left, right, sizeof left);
    }
}

/* ---- buckets ------------------------------------------------------------------------------------------- */

static struct buckets buckets_of(const char *rule, struct ceiling ceiling)
{
    struct buckets buckets;

    buckets_make(&buckets, &keys, rule ? key_rule_find(rule) : NULL, &ceiling, &arena);
    return buckets;
}

static void buckets_are_numbered_by_the_keys_that_lead_to_them(void **state)
{
    static const char *const names[] = { "b/1", "a/1", "b/2", "c", "a/2" };
    static const uint32_t bucket[] = { 0, 1, 0, 2, 1 };

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        key_intern_text(&keys, names[i]);
    struct buckets plain = buckets_of(NULL, (struct ceiling){ 0 });
    assert_null(plain.bucket);
    assert_null(plain.ceiling);
    assert_null(plain.group);
    assert_int_equal(plain.count, 5);
    struct buckets ruled = buckets_of("before-slash", (struct ceiling){ 0 });
    assert_int_equal(ruled.count, 3);
    assert_memory_equal(ruled.bucket, bucket, sizeof bucket);
}

static void ceilings_lie_behind_the_buckets_and_are_shared_as_stated(void **state)
{
    static const char *const names[] = { "eu:1", "us:1", "eu:2", "eu" };
    static const uint32_t prefix[] = { 0, 1, 0, 0 }, each[] = { 0, 1, 2, 3 }, all[] = { 0, 0, 0, 0 };
    static const uint32_t *const expected[] = { [CEILING_ALL] = all, [CEILING_PREFIX] = prefix,
                                                [CEILING_KEY] = each };

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        key_intern_text(&keys, names[i]);
    for (unsigned per = CEILING_ALL; per <= CEILING_KEY; per++) {
        struct buckets buckets = buckets_of(NULL, (struct ceiling){ .limit = 9, .per = per });
        assert_memory_equal(buckets.group, expected[per], sizeof all);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(buckets.ceiling[i], buckets.count + expected[per][i]);
    }
    /* By a rule that puts all into one bucket there is one ceiling to ask, and two to be judged under. */
    struct buckets one = buckets_of("none", (struct ceiling){ .limit = 9, .per = CEILING_PREFIX });
    assert_int_equal(one.count, 1);
    assert_int_equal(one.ceiling[0], 1);
    assert_memory_equal(one.group, prefix, sizeof prefix);
}

#define KEYS_TEST(name) cmocka_unit_test_teardown(name, free_all)

TEST_MAIN(KEYS_TEST(each_rule_makes_of_a_key_what_it_says),
          KEYS_TEST(every_rule_is_tried_and_every_flawed_one_names_a_cure),
          KEYS_TEST(no_text_is_too_long_or_too_strange),
          KEYS_TEST(what_is_no_address_is_none),
          KEYS_TEST(one_address_has_many_spellings),
          KEYS_TEST(buckets_are_numbered_by_the_keys_that_lead_to_them),
          KEYS_TEST(ceilings_lie_behind_the_buckets_and_are_shared_as_stated))
