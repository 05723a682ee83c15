/* The digest is XXH3 of all that was added, however it was cut. */
#include "test.h"
#define XXH_INLINE_ALL
#include <xxhash.h>
#include "../engine/digest.h"
#include "counting_memory.h"
#include "dice.h"

/* As the lab has them: many small records. */
struct fed { struct counting_memory counting; struct digest digest; };

static struct fed *fed_open(void)
{
    static struct fed fed;

    fed.counting = counting_memory();
    digest_init(&fed.digest, &fed.counting.memory);
    return &fed;
}

static uint64_t fed_close(struct fed *fed)
{
    uint64_t value = digest_value(&fed->digest);

    assert_int_equal(digest_value(&fed->digest), value);        /* asking changes nothing */
    digest_free(&fed->digest);
    assert_int_equal(fed->counting.blocks, 0);
    return value;
}

static void the_digest_of_nothing_is_that_of_xxh3(void **state)
{
    (void)state;
    assert_int_equal(fed_close(fed_open()), UINT64_C(0x2d06800538d394c2));
}

static void the_digest_of_a_text_is_pinned(void **state)
{
    struct fed *fed = fed_open();

    (void)state;
    digest_add(&fed->digest, "limit", 5);
    digest_add(&fed->digest, "lab", 3);
    assert_int_equal(fed_close(fed), UINT64_C(0x8e066589e976c9c0));
}

static void records_may_be_cut_anywhere(void **state)
{
    enum { BYTES = 100000 };
    static unsigned char bytes[BYTES];
    struct dice dice = { 1 };

    (void)state;
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)dice_roll(&dice);
    for (int round = 0; round < 200; round++) {
        struct fed *fed = fed_open();
        size_t length = (size_t)dice_between(&dice, 0, BYTES), n;
        int64_t most = round % 2 ? 64 : DIGEST_BUFFER;
        for (size_t at = 0; at < length; at += n) {
            n = (size_t)dice_between(&dice, 0, most);
            n = n < length - at ? n : length - at;
            digest_add(&fed->digest, bytes + at, n);
        }
        assert_int_equal(fed_close(fed), XXH3_64bits(bytes, length));
    }
}

static void a_digest_can_be_asked_on_the_way(void **state)
{
    struct fed *fed = fed_open();

    (void)state;
    digest_add(&fed->digest, "limit", 5);
    assert_int_equal(digest_value(&fed->digest), XXH3_64bits("limit", 5));
    digest_add(&fed->digest, "lab", 3);
    assert_int_equal(fed_close(fed), XXH3_64bits("limitlab", 8));
}

static void every_bit_counts(void **state)
{
    unsigned char record[40] = { 0 };
    uint64_t before = XXH3_64bits(record, sizeof record);

    (void)state;
    for (size_t bit = 0; bit < 8 * sizeof record; bit++) {
        struct fed *fed = fed_open();
        record[bit / 8] ^= (unsigned char)(1 << bit % 8);
        digest_add(&fed->digest, record, sizeof record);
        assert_int_not_equal(fed_close(fed), before);
        record[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

TEST_MAIN(TEST(the_digest_of_nothing_is_that_of_xxh3),
          TEST(the_digest_of_a_text_is_pinned),
          TEST(records_may_be_cut_anywhere),
          TEST(a_digest_can_be_asked_on_the_way),
          TEST(every_bit_counts))
