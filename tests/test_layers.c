/* Scenarios with variants, a ceiling, costs that turn out otherwise, and people who are not keys: how they
 * are read, and what whole runs make of them. */
#include "runner_rig.h"
#include "../harness/arrivals.h"

#define BURST(more) "traffic: [{generator: burst, size: 30" more "}]\n"
#define OF(design) "designs: ['" design "']\n"

/* ---- reading ------------------------------------------------------------------------------------------- */

static void refuse(const char *text, const char *line)
{
    struct experiment experiment;

    if (scenario_parse(text, strlen(text), "test.yaml", NULL, &arena, &experiment, &failure))
        fail_msg("accepted: %s", text);
    assert_string_equal(failure.line, line);
}

static void variants_and_ceiling_are_read(void **state)
{
    struct experiment e = experiment_of("policy: {limit: 10, variants: {gold: {limit: 100, burst: 7},\n"
                                        "  next: {format: 2}}}\n"
                                        "ceiling: {limit: 50, period: 2s, per: prefix}\nwork: 100ms\n"
                                        BURST(", policy: next, used: {3: 1, 5: 2}, keys_per_person: 2"));

    (void)state;
    assert_int_equal(e.variants, 2);
    assert_string_equal(e.variant[0].name, "gold");
    assert_int_equal(e.variant[0].limit, 100);
    assert_int_equal(e.variant[0].burst, 7);
    assert_int_equal(e.variant[1].format, 2);
    assert_int_equal(e.variant[1].limit, 0);
    assert_int_equal(e.ceiling.limit, 50);
    assert_int_equal(e.ceiling.period_ns, 2000000000);
    assert_int_equal(e.ceiling.per, CEILING_PREFIX);
    assert_int_equal(e.work_ns, 100000000);
    assert_int_equal(e.traffic[0].variant, 2);
    assert_int_equal(e.traffic[0].useds, 2);
    assert_int_equal(e.traffic[0].keys_per_person, 2);
}

static void what_cannot_be_read_is_refused_at_its_line(void **state)
{
    (void)state;
    refuse("ceiling: {per: all}\n" BURST(""),
           "test.yaml:1: a ceiling lacks 'limit'; expected limit: 1000");
    refuse("policy: {variants: []}\n" BURST(""),
           "test.yaml:1: variants is a list of 0; expected 1 to 64 policies by name, as in "
           "{gold: {limit: 100}, next: {format: 1}}");
    refuse(BURST(", policy: gold"),
           "test.yaml:1: policy: 'gold' is unknown; expected one of policy.variants, which has none");
    refuse("policy: {variants: {gold: {limit: 5}}}\n" BURST(", policy: gild"),
           "test.yaml:2: policy: 'gild' is not known; did you mean 'gold'?");
    refuse("traffic: [{generator: poisson, rate: 1/s, duration: 9s, keys_per_person: fresh}]\n",
           "test.yaml:1: fresh keys without a bound; expected requests");
    refuse(BURST(", keys: 1000000, keys_per_person: 11"),
           "test.yaml:1: the people of this stream have more than 10000000 keys; expected fewer");
}

static void designs_that_cannot_be_say_why(void **state)
{
    struct runner_options none = { 0 };

    (void)state;
    stops(BURST("") OF("token-bucket@owner:takes=then-ceiling"), none, EXIT_USAGE,
          "test.yaml:2: token-bucket@owner:takes=then-ceiling asks for a ceiling, and there is none; "
          "expected the key ceiling, as in {limit: 1000}");
    stops(BURST("") OF("fixed-window@incr:takes=check-then-consume"), none, EXIT_USAGE,
          "test.yaml:2: fixed-window@incr:takes=check-then-consume cannot be; expected a coordination that "
          "runs the limiter: this one counts, and can only ask");
    stops(BURST("") OF("sliding-window-log@owner:takes=estimate-then-settle"), none, EXIT_USAGE,
          "test.yaml:2: sliding-window-log@owner:takes=estimate-then-settle cannot be; expected a limiter "
          "that takes refunds");
    stops(BURST("") OF("leaky-bucket-queue@owner:takes=check-then-consume"), none, EXIT_USAGE,
          "test.yaml:2: leaky-bucket-queue@owner:takes=check-then-consume cannot be; expected a limiter that "
          "answers at once: this one delays what it allows");
    stops("ceiling: {limit: 2}\npolicy: {limit: 9}\n" BURST("")
          OF("token-bucket@local:instances=3:share=split:takes=then-ceiling"), none, EXIT_USAGE,
          "test.yaml:4: token-bucket@local:instances=3:share=split:takes=then-ceiling cannot be with a "
          "limit of 2; expected a limit and a burst of at least one for each instance");
    stops("policy: {limit: 9, variants: {small: {limit: 2}}}\n" BURST("")
          OF("token-bucket@local:instances=3:share=split"), none, EXIT_USAGE,
          "test.yaml:3: token-bucket@local:instances=3:share=split cannot be with a limit of 2; expected a "
          "limit and a burst of at least one for each instance");
}

/* ---- ceilings ------------------------------------------------------------------------------------------ */

#define TWO_TEAMS "traffic: [{generator: burst, size: 10, key: 'eu:1'}, {generator: burst, size: 10, " \
                  "start: 1ms, key: 'eu:2'},\n  {generator: burst, size: 10, start: 2ms, key: 'us:1'}]\n" \
                  "policy: {limit: 8, period: 1000h}\n"

static void a_ceiling_is_judged_whether_or_not_it_is_asked(void **state)
{
    (void)state;
    run(TWO_TEAMS "ceiling: {limit: 12}\n" OF("token-bucket@owner"));
    assert_true(results[0].ceiling.judged);
    assert_true(result_keeps_target(&results[0]));
    assert_false(result_qualifies(&results[0], NULL, 0));
    assert_int_equal(results[0].admitted, 24);
    assert_int_equal(results[0].over_admitted, 0);
    assert_int_equal(results[0].ceiling.over_admitted, 12);
    assert_int_equal(results[0].ceiling.worst_window, 24);
    assert_decimal(results[0].ceiling.excess, "11.999999993");     /* 12 in 1000 h flow in for 2 ms */
    assert_int_equal(results[0].wrongly_admitted, 0);
    assert_int_equal(results[0].ideal_admitted, 24);
    run(TWO_TEAMS "ceiling: {limit: 12}\n" OF("token-bucket@owner:takes=then-ceiling-refund"));
    assert_int_equal(results[0].admitted, 12);
    assert_int_equal(results[0].ideal_admitted, 12);
    assert_int_equal(results[0].ceiling.over_admitted, 0);
    assert_int_equal(results[0].wrongly_denied, 0);
    assert_true(result_qualifies(&results[0], NULL, 0));
    run(TWO_TEAMS OF("token-bucket@owner"));
    assert_false(results[0].ceiling.judged);
    assert_true(result_qualifies(&results[0], NULL, 0));
}

static void a_ceiling_is_shared_by_prefix_or_is_a_second_limit_of_each(void **state)
{
    (void)state;
    run(TWO_TEAMS "ceiling: {limit: 12, per: prefix}\n" OF("token-bucket@owner:takes=then-ceiling-refund"));
    assert_int_equal(results[0].admitted, 12 + 8);
    assert_int_equal(results[0].ceiling.worst_window, 12);
    run(TWO_TEAMS "ceiling: {limit: 3, per: key}\n" OF("gcra@cas:takes=ceiling-first"));
    assert_int_equal(results[0].admitted, 9);
    assert_int_equal(results[0].ceiling.over_admitted, 0);
}

static void a_ceiling_has_the_kind_of_the_target(void **state)
{
    (void)state;
    run(TWO_TEAMS "target: window\nceiling: {limit: 12}\n" OF("token-bucket@owner"));
    assert_int_equal(results[0].ceiling.over_admitted, 12);
    assert_decimal(results[0].ceiling.excess, "12");
    /* Nothing leaves a window that is refilled: 4 at 0, 2 more two seconds later. */
    run("traffic: [{generator: burst, size: 4, every: 2s, requests: 8}]\npolicy: {limit: 100}\n"
        "ceiling: {limit: 4, period: 4s}\ntarget: window\n" OF("token-bucket@owner:takes=then-ceiling"));
    assert_int_equal(results[0].admitted, 6);
    assert_int_equal(results[0].ceiling.over_admitted, 2);
}

/* ---- what it turned out to cost ------------------------------------------------------------------------ */

static void a_request_weighs_what_it_used(void **state)
{
    (void)state;
    run("policy: {limit: 10, period: 1000h}\n" BURST(", costs: 1, used: 3") OF("token-bucket@owner"));
    assert_int_equal(results[0].admitted, 10);
    assert_int_equal(results[0].admitted_cost, 30);
    assert_int_equal(results[0].denied_cost, 20);
    assert_int_equal(results[0].over_admitted, 7);          /* three times 3 fit into 10 */
    assert_int_equal(results[0].over_admitted_cost, 21);
    assert_int_equal(results[0].worst_window.cost, 30);
    assert_int_equal(results[0].ideal_admitted, 4);         /* the fourth finds 1 left */
    assert_int_equal(results[0].wrongly_admitted, 6);
    run("policy: {limit: 10, period: 1000h}\n" BURST(", costs: 1, used: 3")
        OF("token-bucket@owner:takes=estimate-then-settle"));
    assert_int_equal(results[0].admitted, 4);
    assert_int_equal(results[0].over_admitted, 1);
    assert_int_equal(results[0].wrongly_admitted, 0);
    run("policy: {limit: 10, period: 1000h}\n" BURST(", costs: 4, used: 1")
        OF("token-bucket@owner:takes=estimate-then-settle"));
    assert_int_equal(results[0].admitted, 7);               /* then 3 are left, and 4 are asked for */
    assert_int_equal(results[0].admitted_cost, 7);
    assert_int_equal(results[0].wrongly_denied, 0);
}

static void what_is_used_is_drawn_by_itself(void **state)
{
    uint64_t plain[2];

    (void)state;
    run(BUSY("") OF("token-bucket@owner"));
    plain[0] = results[0].admitted;
    plain[1] = results[0].digest;
    run("traffic: [{generator: poisson, rate: 300/s, " KEYS ", used: {1: 1, 2: 1, 9: 1}}]\n"
        OF("token-bucket@owner"));
    assert_int_equal(results[0].admitted, plain[0]);
    assert_int_equal(results[0].digest, plain[1]);          /* nobody settles: the same decisions */
    assert_true(results[0].admitted_cost > 3 * (int64_t)results[0].admitted);
}

/* ---- people and variants ------------------------------------------------------------------------------- */

static void a_person_is_judged_as_one_whatever_they_show(void **state)
{
    (void)state;
    run("policy: {limit: 10}\n" BURST(", keys_per_person: 2") OF("token-bucket@owner"));
    assert_int_equal(results[0].admitted, 20);
    assert_int_equal(results[0].keys, 1);
    assert_int_equal(results[0].over_admitted, 10);
    assert_int_equal(results[0].wrongly_admitted, 10);
    run("policy: {limit: 10}\n" BURST(", keys_per_person: fresh") OF("token-bucket@owner"));
    assert_int_equal(results[0].admitted, 30);
    assert_int_equal(results[0].live_keys, 30);
    run("policy: {limit: 10}\n" BURST(", keys_per_person: fresh") OF("token-bucket@owner:key=before-slash"));
    assert_int_equal(results[0].admitted, 10);
    assert_int_equal(results[0].live_keys, 1);
    assert_string_equal(results[0].parameters,
                        "service=0s scope=key unreachable=closed home=home key=before-slash");
    run("traffic: [{generator: closed-loop, in_flight: 3, requests: 30, keys_per_person: 2}]\n"
        "policy: {limit: 5}\n" OF("token-bucket@owner"));
    assert_int_equal(results[0].admitted, 10);
}

static void who_comes_back_shows_what_was_shown(void **state)
{
    (void)state;
    /* Five each at once, and five each a minute later, from their own buckets. */
    run("policy: {limit: 5, period: 60s}\n"
        "traffic: [{generator: burst, size: 10, key: ann, keys_per_person: 3, "
        "retry: {wait: 60s, at_most: 1}},\n  {generator: burst, size: 10, key: bob, keys_per_person: 3, "
        "retry: {wait: 60s, at_most: 1}}]\n" OF("token-bucket@owner:key=before-slash"));
    assert_int_equal(results[0].live_keys, 2);
    assert_int_equal(results[0].admitted, 20);
    assert_int_equal(results[0].requests, 30);
    run("policy: {limit: 1, period: 60s}\n"
        BURST(", keys_per_person: 3, retry: {wait: 1s, at_most: 2}") OF("token-bucket@owner"));
    assert_int_equal(results[0].live_keys, 3);
    assert_int_equal(results[0].admitted, 3);
    assert_int_equal(results[0].requests, 30 + 27 + 27);
}

static void a_run_does_not_depend_on_the_rules_that_ran_before(void **state)
{
    uint64_t digest;

    (void)state;
    run("ceiling: {limit: 60}\npolicy: {limit: 10}\n" BURST(", keys: 4, keys_per_person: 3")
        OF("token-bucket@owner:key=before-slash:takes=then-ceiling"));
    digest = results[0].digest;
    run("ceiling: {limit: 60}\npolicy: {limit: 10}\n" BURST(", keys: 4, keys_per_person: 3")
        "designs: ['token-bucket@cas:key=none', 'token-bucket@owner:key=ipv6-64',\n"
        "  'token-bucket@owner:key=before-slash:takes=then-ceiling']\n");
    assert_int_equal(results[2].digest, digest);
}

static void variants_hold_for_those_who_carry_them(void **state)
{
    (void)state;
    run("policy: {limit: 5, variants: {gold: {limit: 12}}}\ntarget: {limit: 12}\n"
        "traffic: [{generator: burst, size: 30, key: plain}, {generator: burst, size: 30, key: rich, "
        "policy: gold}]\n" OF("gcra@cas"));
    assert_int_equal(results[0].admitted, 17);
    assert_int_equal(results[0].ideal_admitted, 17);
    assert_int_equal(results[0].wrongly_denied + results[0].wrongly_admitted, 0);
    assert_int_equal(results[0].over_admitted, 0);
}

/* ---- traces -------------------------------------------------------------------------------------------- */

static void run_trace(const char *rows, const char *more)
{
    char *path = file_of(rows);

    run(arena_format(&arena, "traffic: [{trace: '%s'}]\n%s", path, more));
    unlink(path);
}

static void a_trace_says_who_asks_what_was_used_and_what_it_carries(void **state)
{
    static const char rows[] = "t,key,who,cost,used,policy\n0s,k1,ann,1,5,\n1s,k2,ann,1,,gold\n"
                               "2s,k3,bob,2,0,gold\n3s,k3,bob,1,1,\n";

    (void)state;
    run_trace(rows, "policy: {limit: 3, period: 1000h, variants: {gold: {limit: 9}}}\n"
              OF("token-bucket@owner"));
    assert_int_equal(results[0].keys, 2);
    assert_int_equal(results[0].live_keys, 3);
    assert_int_equal(results[0].admitted, 4);
    assert_int_equal(results[0].admitted_cost, 5 + 1 + 0 + 1);
    assert_int_equal(results[0].worst_window.cost, 6);
    assert_string_equal(results[0].worst_window.key, "ann");
    assert_int_equal(results[0].over_admitted, 1);          /* 5 in 3; the charge of 1 fits */
}

static void a_column_that_cannot_be_used_is_refused(void **state)
{
    struct runner_options none = { 0 };
    char *path = file_of("t,cost,used\n0s,1,1\n1s,1,many\n");

    (void)state;
    stops(arena_format(&arena, "traffic: [{trace: '%s'}]\n" OF("token-bucket@owner"), path), none, EXIT_USAGE,
          arena_format(&arena, "%s:3: used \"many\" is not usable; expected a whole number, 0 to "
                       "9007199254740991", path));
    unlink(path);
    path = file_of("t,policy\n0s,gold\n1s,gild\n");
    stops(arena_format(&arena, "policy: {variants: {gold: {limit: 3}}}\ntraffic: [{trace: '%s'}]\n"
                       OF("token-bucket@owner"), path), none, EXIT_USAGE,
          arena_format(&arena, "%s:3: policy \"gild\" is not in policy.variants; expected one of its names",
                       path));
    unlink(path);
}

static void columns_that_nobody_asked_for_do_not_matter(void **state)
{
    (void)state;
    run_trace("t,policy\n0s,whatever\n", OF("token-bucket@owner"));
    assert_int_equal(results[0].admitted, 1);
}

TEST_MAIN(RUN_TEST(variants_and_ceiling_are_read),
          RUN_TEST(what_cannot_be_read_is_refused_at_its_line),
          RUN_TEST(designs_that_cannot_be_say_why),
          RUN_TEST(a_ceiling_is_judged_whether_or_not_it_is_asked),
          RUN_TEST(a_ceiling_is_shared_by_prefix_or_is_a_second_limit_of_each),
          RUN_TEST(a_ceiling_has_the_kind_of_the_target),
          RUN_TEST(a_request_weighs_what_it_used),
          RUN_TEST(what_is_used_is_drawn_by_itself),
          RUN_TEST(a_person_is_judged_as_one_whatever_they_show),
          RUN_TEST(who_comes_back_shows_what_was_shown),
          RUN_TEST(a_run_does_not_depend_on_the_rules_that_ran_before),
          RUN_TEST(variants_hold_for_those_who_carry_them),
          RUN_TEST(a_trace_says_who_asks_what_was_used_and_what_it_carries),
          RUN_TEST(a_column_that_cannot_be_used_is_refused),
          RUN_TEST(columns_that_nobody_asked_for_do_not_matter))
