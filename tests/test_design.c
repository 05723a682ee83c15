/* Designs as people write them: what they become, and what is said of those that cannot be. */
#include "test.h"
#include <stdio.h>
#include <string.h>
#include "../harness/design.h"

#define SECOND INT64_C(1000000000)

static const struct topology three = {
    .regions = 3, .region = { "fra", "nrt", "iad" }, .instances = { 1, 2, 3 }, .store = 2,
};

static struct arena arena;
static struct failure failure;

static struct policy policy_of(int64_t limit, int64_t period_ns)
{
    struct policy policy = { .limit = limit, .period_ns = period_ns, .burst = limit };

    assert_null(policy_init(&policy));
    return policy;
}

static bool parse_for(const char *text, const struct policy *policy, struct design *out)
{
    failure = (struct failure){ 0 };
    return design_parse(text, &three, policy, (struct origin){ "s.yaml", 7 }, out, &failure);
}

static struct design accept_for(const char *text, int64_t limit, int64_t period_ns)
{
    struct policy policy = policy_of(limit, period_ns);
    struct design design;

    if (!parse_for(text, &policy, &design))
        fail_msg("refused: %s", failure.line);
    return design;
}

static struct design accept(const char *text) { return accept_for(text, 100, 60 * SECOND); }

/* `why` without "s.yaml:7: ". */
static void refuse(const char *text, const char *why)
{
    struct policy policy = policy_of(100, 60 * SECOND);
    struct design design;
    char line[sizeof failure.line];

    if (parse_for(text, &policy, &design))
        fail_msg("accepted: %s", text);
    snprintf(line, sizeof line, "s.yaml:7: %s", why);
    assert_string_equal(failure.line, line);
    assert_int_equal(failure.code, EXIT_USAGE);
}

static int free_all(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* ---- names ---- */

static void every_limiter_goes_with_an_owner(void **state)
{
    (void)state;
    for (unsigned i = 0; i < limiter_count; i++) {
        struct design design = accept(arena_format(&arena, "%s@owner", limiters[i]->name));
        assert_ptr_equal(design.limiter, limiters[i]);
        assert_ptr_equal(design.coordination, coordination_find("owner"));
    }
}

static void every_coordination_takes_a_fixed_window(void **state)
{
    (void)state;
    for (unsigned i = 0; i < coordination_count; i++) {
        struct design design = accept(arena_format(&arena, "fixed-window@%s", coordinations[i]->name));
        assert_ptr_equal(design.coordination, coordinations[i]);
    }
}

static void an_alias_is_the_name(void **state)
{
    static const char *const pairs[][2] = { { "actor", "owner" }, { "lua", "atomic" }, { "eventual", "kv" } };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct design design = accept(arena_format(&arena, "gcra@%s", pairs[i][0]));
        assert_string_equal(design.coordination->name, pairs[i][1]);
    }
}

static void unknown_names_suggest_the_nearest_known_one(void **state)
{
    (void)state;
    refuse("gcrb@cas", "unknown limiter 'gcrb'; did you mean 'gcra'?");
    refuse("token-buckt@cas", "unknown limiter 'token-buckt'; did you mean 'token-bucket'?");
    refuse("xyzzy@cas", "unknown limiter 'xyzzy'; expected one of `limitlab list limiters`");
    refuse("@cas", "unknown limiter ''; expected one of `limitlab list limiters`");
    refuse("gcra@cass", "unknown coordination 'cass'; did you mean 'cas'?");
    refuse("gcra@eventul", "unknown coordination 'eventul'; did you mean 'eventual'?");
    refuse("gcra@xyzzy", "unknown coordination 'xyzzy'; expected one of `limitlab list coordinations`");
    refuse("gcra@", "unknown coordination ''; expected one of `limitlab list coordinations`");
    refuse("gcra@cas@owner", "unknown coordination 'cas@owner'; expected one of "
                             "`limitlab list coordinations`");
    refuse("GCRA@cas", "unknown limiter 'GCRA'; did you mean 'gcra'?");
}

static void a_text_without_an_at_is_no_design(void **state)
{
    (void)state;
    refuse("gcra", "'gcra' is no design; expected LIMITER@COORDINATION, as in gcra@cas, or a name of "
           "`limitlab list systems`");
    refuse("", "'' is no design; expected LIMITER@COORDINATION, as in gcra@cas, or a name of "
           "`limitlab list systems`");
}

static void a_design_has_fewer_than_512_bytes(void **state)
{
    char text[600];

    (void)state;
    memset(text, 'x', sizeof text);
    text[512] = '\0';
    refuse(text, "a design of 512 bytes; expected at most 511");
    memcpy(text, "gcra@cas:", 9);
    text[511] = '\0';
    struct policy policy = policy_of(100, SECOND);
    struct design design;
    assert_false(parse_for(text, &policy, &design));
    assert_non_null(strstr(failure.line, "is no parameter; expected NAME=VALUE"));
}

/* ---- parameters ---- */

static void assert_parameters(const char *text, const char *expected)
{
    struct design design = accept(text);

    assert_string_equal(design_parameters(&design, &three, &arena), expected);
}

static void defaults_are_those_of_the_contract(void **state)
{
    (void)state;
    assert_parameters("gcra@owner", "service=0s scope=key unreachable=closed home=iad");
    assert_parameters("gcra@home-region", "service=0s scope=key unreachable=closed");
    assert_parameters("gcra@get-then-set", "home=iad denied=skips");
    assert_parameters("gcra@cas", "home=iad attempts=none then=deny");
    assert_parameters("gcra@atomic", "home=iad clock=caller");
    assert_parameters("fixed-window@incr", "home=iad form=one");
    assert_parameters("gcra@sharded", "shards=8 mode=divide route=random");
    assert_parameters("gcra@kv", "propagation=60s cache=60s writes=1/s ttl_floor=60s negative=cached");
    assert_parameters("gcra@local", "instances=topology route=random share=whole");
    assert_parameters("gcra@local-sync", "every=1s instances=topology reach=all");
    assert_parameters("fixed-window@regional-counters", "every=1s");
    assert_parameters("gcra@lease", "block=10 expiry=6s home=iad");
}

static void what_is_given_is_what_is_taken(void **state)
{
    (void)state;
    assert_parameters("gcra@owner:home=nrt:service=2ms:unreachable=local:scope=global",
                      "service=2ms scope=global unreachable=local home=nrt");
    assert_parameters("gcra@cas:attempts=8:then=error", "home=iad attempts=8 then=error");
    assert_parameters("gcra@cas:attempts=none", "home=iad attempts=none then=deny");
    assert_parameters("gcra@kv:writes=none:negative=uncached:cache=0s",
                      "propagation=60s cache=0s writes=none ttl_floor=60s negative=uncached");
    assert_parameters("gcra@kv:writes=90/m:propagation=1500ms",
                      "propagation=1.5s cache=60s writes=5400/h ttl_floor=60s negative=cached");
    assert_parameters("gcra@local:instances=4:share=split:route=sticky",
                      "instances=4 route=sticky share=split");
    assert_parameters("gcra@sharded:shards=100:route=round-robin",
                      "shards=100 mode=divide route=round-robin");
}

static void defaults_follow_the_policy(void **state)
{
    struct design design = accept_for("gcra@lease", 5, 7);

    (void)state;
    assert_string_equal(design_parameters(&design, &three, &arena), "block=1 expiry=1ns home=iad");
    design = accept_for("gcra@sharded", 3, SECOND);
    assert_string_equal(design_parameters(&design, &three, &arena),
                        "shards=3 mode=divide route=random");
    design = accept_for("gcra@lease", COST_MAX, PERIOD_MAX);
    assert_int_equal(design.parameter[0], COST_MAX / 10);
    assert_int_equal(design.parameter[1], PERIOD_MAX / 10);
}

static void unknown_parameters_suggest_the_nearest_known_one(void **state)
{
    (void)state;
    refuse("gcra@cas:atempts=3", "cas has no parameter 'atempts'; did you mean 'attempts'?");
    refuse("gcra@cas:service=3ms", "cas has no parameter 'service'; see `limitlab list coordinations`");
    refuse("gcra@kv:=3", "kv has no parameter ''; see `limitlab list coordinations`");
    refuse("gcra@cas:attempts", "'attempts' is no parameter; expected NAME=VALUE");
    refuse("gcra@cas:", "'' is no parameter; expected NAME=VALUE");
    refuse("gcra@cas:attempts=3:", "'' is no parameter; expected NAME=VALUE");
    refuse("gcra@cas:attempts=1:attempts=1", "cas: attempts is given twice; expected it once");
}

static void values_that_cannot_be_say_what_can(void **state)
{
    (void)state;
    refuse("gcra@cas:attempts=x",
           "cas: attempts 'x' is not a whole number; expected a whole number, 0 to 1000000, or none");
    refuse("gcra@cas:attempts=1=2",
           "cas: attempts '1=2' is not a whole number; expected a whole number, 0 to 1000000, or none");
    refuse("gcra@cas:attempts=-1",
           "cas: attempts '-1' is too small; expected a whole number, 0 to 1000000, or none");
    refuse("gcra@cas:attempts=1000001",
           "cas: attempts '1000001' is too large; expected a whole number, 0 to 1000000, or none");
    refuse("gcra@lease:block=0",
           "lease: block '0' is too small; expected a whole number, 1 to 9007199254740991");
    refuse("gcra@kv:cache=5", "kv: cache '5' has no unit; expected a duration such as 250ms");
    refuse("gcra@owner:service=61m",
           "owner: service '61m' is out of range; expected a duration such as 250ms");
    refuse("gcra@local-sync:every=0s",
           "local-sync: every '0s' is out of range; expected a duration such as 250ms");
    refuse("gcra@kv:writes=fast", "kv: writes 'fast' is not a rate; expected a rate such as 1/s, or none");
    refuse("gcra@cas:home=lhr", "cas: home 'lhr' is no region of this topology; expected a region's name");
    refuse("gcra@owner:unreachable=no",
           "owner: unreachable 'no' is none of its words; expected closed, open, local or undecided");
    refuse("gcra@cas:then=", "cas: then '' is none of its words; expected deny or error");
}

/* ---- what does not go together ---- */

static void a_design_that_cannot_be_says_why(void **state)
{
    (void)state;
    refuse("gcra@incr", "gcra@incr cannot be with a limit of 100; expected a limiter that is a counter: "
                        "fixed-window or fixed-window-anchored");
    refuse("fixed-window-anchored@regional-counters",
           "fixed-window-anchored@regional-counters cannot be with a limit of 100; expected windows that are "
           "aligned: fixed-window");
    refuse("gcra@sharded:shards=101",
           "gcra@sharded:shards=101 cannot be with a limit of 100; expected a limit and a burst of at least "
           "one for each shard");
    refuse("gcra@local:share=split:instances=34",
           "gcra@local:share=split:instances=34 cannot be with a limit of 100; expected a limit and a burst "
           "of at least one for each instance");
    accept("gcra@local:share=split:instances=33");
    accept("gcra@sharded:shards=100");
    accept("fixed-window-anchored@incr");
}

static void a_limiter_that_cannot_have_the_policy_says_why(void **state)
{
    struct policy policy = { .limit = 1, .period_ns = PERIOD_MAX, .burst = 2 };
    struct design design;

    (void)state;
    assert_null(policy_init(&policy));
    assert_false(parse_for("leaky-bucket-queue@owner", &policy, &design));
    assert_string_equal(failure.line,
                        "s.yaml:7: leaky-bucket-queue@owner: a full queue would take over 3653d "
                        "to drain; expected a smaller burst");
    assert_true(parse_for("gcra@owner", &policy, &design));
}

static void a_lab_has_at_most_1024_instances(void **state)
{
    (void)state;
    accept("gcra@local:instances=341");
    refuse("gcra@local:instances=342",
           "gcra@local:instances=342 has 1026 instances in all regions; expected at most 1024");
    refuse("gcra@local-sync:instances=1024",
           "gcra@local-sync:instances=1024 has 3072 instances in all regions; expected at most 1024");
}

/* ---- checks before any policy is known ---- */

static void a_check_looks_at_names_and_syntax_alone(void **state)
{
    struct origin nowhere = { 0 };

    (void)state;
    assert_true(design_check("gcra@incr", &three, nowhere, &failure));
    assert_true(design_check("gcra@sharded:shards=1000", &three, nowhere, &failure));
    assert_false(design_check("gcra@sharded:shards=many", &three, nowhere, &failure));
    assert_string_equal(failure.line,
                        "sharded: shards 'many' is not a whole number; expected a whole number, 1 to 1024");
}

static void instances_are_the_parameters_or_the_topologys(void **state)
{
    struct design whole = accept("gcra@local"), four = accept("gcra@local:instances=4"),
                  none = accept("gcra@owner");
    uint32_t instances[REGIONS_MAX];

    (void)state;
    for (uint32_t region = 0; region < 3; region++) {
        design_instances(&whole, &three, instances);
        assert_int_equal(instances[region], region + 1);
        design_instances(&four, &three, instances);
        assert_int_equal(instances[region], 4);
        design_instances(&none, &three, instances);
        assert_int_equal(instances[region], region + 1);
    }
}

/* ---- parameters are a design again ---- */

static void every_default_written_out_is_the_same_design(void **state)
{
    (void)state;
    for (unsigned i = 0; i < coordination_count; i++) {
        const char *name = arena_format(&arena, "fixed-window@%s", coordinations[i]->name);
        struct design design = accept(name), again;
        char *text = arena_format(&arena, "%s:%s", name, design_parameters(&design, &three, &arena));
        for (char *blank = text; (blank = strchr(blank, ' ')); )
            *blank = ':';
        again = accept(text);
        assert_memory_equal(&again, &design, sizeof design);
    }
}

#define ARENA_TEST(name) cmocka_unit_test_teardown(name, free_all)

TEST_MAIN(ARENA_TEST(every_limiter_goes_with_an_owner),
          ARENA_TEST(every_coordination_takes_a_fixed_window),
          ARENA_TEST(an_alias_is_the_name),
          ARENA_TEST(unknown_names_suggest_the_nearest_known_one),
          ARENA_TEST(a_text_without_an_at_is_no_design),
          ARENA_TEST(a_design_has_fewer_than_512_bytes),
          ARENA_TEST(defaults_are_those_of_the_contract),
          ARENA_TEST(what_is_given_is_what_is_taken),
          ARENA_TEST(defaults_follow_the_policy),
          ARENA_TEST(unknown_parameters_suggest_the_nearest_known_one),
          ARENA_TEST(values_that_cannot_be_say_what_can),
          ARENA_TEST(a_design_that_cannot_be_says_why),
          ARENA_TEST(a_limiter_that_cannot_have_the_policy_says_why),
          ARENA_TEST(a_lab_has_at_most_1024_instances),
          ARENA_TEST(a_check_looks_at_names_and_syntax_alone),
          ARENA_TEST(instances_are_the_parameters_or_the_topologys),
          ARENA_TEST(every_default_written_out_is_the_same_design))
