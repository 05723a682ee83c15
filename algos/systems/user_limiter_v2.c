/* user_limiter_v2.c - a token bucket whose stored state means something else in its next version.
 *
 * Version 1 (policy.format 0) stores the tokens that are left; version 2 (format 1) stores those that are
 * used.  Both are one number and a time, so the new code reads the old state without an error: an empty
 * bucket as a full one, a full one as empty.  What migrates keeps the version beside the number, and reads
 * each state as it was written.  (Version 1 knows of no versions: rolled back, it misreads what version 2
 * has written, either way.) */
#include "../limiters/exact.h"
#include "system_limiters.h"

/* What token_bucket keeps, in its order, and who wrote it. */
struct bucket {
    int64_t tokens, fraction;           /* whole ones, and credits of one more: left, or used */
    int64_t t0;
    int64_t version;                    /* the format, where it is kept */
};
_Static_assert(sizeof(struct bucket) == 32, "no padding");

/* What is used where so much is left, and the other way round. */
static void turn(const struct policy *policy, struct bucket *bucket)
{
    bucket->tokens = policy->burst - bucket->tokens - (bucket->fraction > 0);
    bucket->fraction = bucket->fraction > 0 ? policy->credits_per_unit - bucket->fraction : 0;
}

/* The state as tokens left, as code of this format reads it. */
static struct bucket read_as(const struct policy *policy, const void *state, int64_t format)
{
    struct bucket bucket = *(const struct bucket *)state;

    if (format != 0)
        turn(policy, &bucket);
    return bucket;
}

static void write_as(const struct policy *policy, struct bucket bucket, int64_t version, void *state)
{
    if (policy->format != 0)
        turn(policy, &bucket);
    bucket.version = version;
    *(struct bucket *)state = bucket;
}

static struct bucket misread(const struct policy *policy, const void *state)
{
    return read_as(policy, state, policy->format);
}

static struct bucket migrated(const struct policy *policy, const void *state)
{
    return read_as(policy, state, policy->format == 0 ? 0 : ((const struct bucket *)state)->version);
}

static struct bucket new_bucket(const struct policy *policy, int64_t now_ns)
{
    struct bucket bucket = { .tokens = 0 };

    token_bucket.fresh(policy, now_ns, &bucket);
    return bucket;
}

static struct promise promise(const struct policy *policy) { return token_bucket.promise(policy); }

#define FUNCTIONS_OF(NAME, READ, VERSION)                                                               \
    static void fresh_##NAME(const struct policy *policy, int64_t now_ns, void *state)                  \
    {                                                                                                   \
        write_as(policy, new_bucket(policy, now_ns), VERSION, state);                                   \
    }                                                                                                   \
    static struct verdict check_##NAME(const struct policy *policy, struct request request,             \
                                       const void *state)                                               \
    {                                                                                                   \
        struct bucket bucket = READ(policy, state);                                                     \
        return token_bucket.check(policy, request, &bucket);                                            \
    }                                                                                                   \
    static void charge_##NAME(const struct policy *policy, struct request request, bool allowed,        \
                              void *state)                                                              \
    {                                                                                                   \
        struct bucket bucket = READ(policy, state);                                                     \
        token_bucket.charge(policy, request, allowed, &bucket);                                         \
        if (allowed && request.cost != 0)                                                               \
            write_as(policy, bucket, VERSION, state);                                                   \
    }                                                                                                   \
    static struct quota quote_##NAME(const struct policy *policy, int64_t now_ns, const void *state)    \
    {                                                                                                   \
        struct bucket bucket = READ(policy, state);                                                     \
        return token_bucket.quote(policy, now_ns, &bucket);                                             \
    }

FUNCTIONS_OF(misreading, misread, 0)
FUNCTIONS_OF(migrating, migrated, policy->format)

#define LIMITER(NAME)                                                                                   \
    .formula = "token-bucket; stored as tokens left (format 0) or as tokens used (format 1)",           \
    .source = "article \"When a Rate Limiter Needs a Brain\": version the stored shape",               \
    .rule = &token_bucket, .state_bytes = sizeof(struct bucket), .refunds = true, .refuses = refuses_none,  \
    .fresh = fresh_##NAME, .check = check_##NAME, .charge = charge_##NAME, .quote = quote_##NAME,       \
    .promise = promise

const struct limiter user_limiter_v2 = {
    .name = "user-limiter-v2",
    .good_to_know = "after the change an empty bucket reads as full, and a full one as empty",
    LIMITER(misreading),
};

const struct limiter user_limiter_v2_migrating = {
    .name = "user-limiter-v2-migrating",
    .good_to_know = "a version beside the state: what version 1 wrote is read as version 1 meant it",
    LIMITER(migrating),
};
