/* Recorded decisions, and what coarse times prove about them: against every placement of small logs. */
#include "test.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../engine/stream.h"
#include "../harness/audit.h"
#include "../harness/certain.h"

#define SECOND INT64_C(1000000000)
#define COUNT(array) (sizeof (array) / sizeof *(array))

#define LOGGED(host, second, rest)                                              \
    host " - - [17/May/2015:10:05:" second " +0000] \"GET / HTTP/1.1\" " rest "\n"

/* The rows as "at_ns key cost allowed line;", or the failure. */
static void check_rows(bool access_log, const char *text, const char *expected)
{
    struct keys keys = { 0 };
    struct audit audit;
    struct failure failure;
    struct audit_row row;
    struct audit_options options = {
        .path = "x", .access_log = access_log, .keys = &keys, .max_bad_billionths = 500000000
    };
    char shown[2000] = "";

    if (!audit_open_bytes(&audit, &options, text, strlen(text), &failure)) {
        assert_string_equal(failure.line, expected);
        assert_int_equal(failure.code, EXIT_USAGE);
        keys_free(&keys);
        return;
    }
    size_t used = 0;
    while (audit_next(&audit, &row))
        used += (size_t)snprintf(shown + used, sizeof shown - used, "%" PRId64 " %s %" PRId64 " %d %u;",
                                 row.at_ns, key_name(&keys, row.key, NULL), row.cost, row.allowed, row.line);
    assert_false(audit_failed(&audit, &failure));
    assert_string_equal(shown, expected);
    audit_close(&audit);
    keys_free(&keys);
}

static void decisions_are_read_in_every_usual_spelling(void **state)
{
    (void)state;
    check_rows(false,
               "t_ns,key,cost,allowed\n1,a,2,1\n2,a,2,0\n3,b,1,true\n4,b,1,FALSE\n5,c,1,allow\n6,c,1,Deny\n7,"
               "d,0,allowed\n8,d,1,denied\n"
               "9,e,1,yes\n10,e,1,no\n11,f,1,200\n12,f,1,429\n13,f,1,503\n14,f,1,500\n15,f,1,302\n",
               "1 a 2 1 2;2 a 2 0 3;3 b 1 1 4;4 b 1 0 5;5 c 1 1 6;6 c 1 0 7;7 d 0 1 8;8 d 1 0 9;9 e 1 1 "
               "10;10 e 1 0 11;11 f 1 1 12;"
               "12 f 1 0 13;13 f 1 0 14;14 f 1 1 15;15 f 1 1 16;");
}

static void decisions_come_in_order_of_time_since_the_first(void **state)
{
    (void)state;
    check_rows(false, "allowed,t\n1,2015-05-17T10:05:04Z\n0,2015-05-17T10:05:03Z\n1,2015-05-17T10:05:04Z\n",
               "0 all 1 0 3;1000000000 all 1 1 2;1000000000 all 1 1 4;");
    check_rows(false, "allowed,t\n1,5s\n", "5000000000 all 1 1 2;");
    check_rows(false, "allowed,t\n", "");
}

static void decisions_without_an_answer_are_refused(void **state)
{
    static const struct { const char *text, *line; } cases[] = {
        { "t,key\n",
          "x:1: has no column allowed; expected one with 1 and 0, true and false, allow and deny, or an HTTP "
          "status" },
        { "t,alowed\n",
          "x:1: has no column allowed; expected one with 1 and 0, true and false, allow and deny, or an HTTP "
          "status (is it \"alowed\"?)" },
        { "t,allowed\n1s,maybe\n",
          "x:2: allowed \"maybe\" is not an answer; expected 1 or 0, true or false, allow or deny, or an "
          "HTTP status" },
        { "t,allowed\n1s,2\n",
          "x:2: allowed \"2\" is not an answer; expected 1 or 0, true or false, allow or deny, or an HTTP "
          "status" },
        { "t,allowed\n1s,\n",
          "x:2: allowed \"\" is not an answer; expected 1 or 0, true or false, allow or deny, or an HTTP "
          "status" },
        { LOGGED("a", "04", "200 5"), "x:1: is a line of an access log; expected --input combined with it" }
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        check_rows(false, cases[i].text, cases[i].line);
}

static void an_access_log_tells_by_its_status(void **state)
{
    (void)state;
    check_rows(true,
               LOGGED("a", "04", "200 5") LOGGED("b", "03", "429 5") "\n" LOGGED("a", "05", "503 5")
                   LOGGED("a", "05", "404 5") "c - - [17/May/2015:10:05:05 +0000] \"GET /cut short",
               "0 b 1 0 2;1000000000 a 1 1 1;2000000000 a 1 0 4;2000000000 a 1 1 5;");
    check_rows(true, "x\nx\n" LOGGED("a", "04", "200 5"),
               "x: has 2 of 3 lines that cannot be read; expected an access log in the common or "
               "combined format");
}

static void a_real_log_has_its_known_counts(void **state)
{
    static const char path[] = "../shared/data/web-access.log";
    struct keys keys = { 0 };
    struct audit audit;
    struct failure failure;
    struct audit_row row;
    struct audit_options options = {
        .path = path, .access_log = true, .keys = &keys, .max_bad_billionths = 10000000
    };
    uint64_t rows = 0, allowed = 0;
    int64_t before = 0;

    (void)state;
    if (access(path, R_OK) != 0) {
        print_message("no %s: skipped\n", path);
        skip();
    }
    assert_true(audit_open(&audit, &options, &failure));
    while (audit_next(&audit, &row)) {
        assert_true(row.at_ns >= before);
        before = row.at_ns;
        rows++;
        allowed += row.allowed;
    }
    assert_int_equal(rows, 10000);                      /* line 8899 is cut short behind its status */
    assert_int_equal(allowed, 10000);
    assert_int_equal(audit.decisions.summary.bad_lines, 0);
    assert_int_equal(audit.decisions.summary.rows_out_of_order, 4915);
    assert_true(audit.decisions.summary.precision_ns == SECOND);
    audit_close(&audit);
    keys_free(&keys);
}

/* ---- certain and possible, against all placements ---- */

enum { ROWS_MAX = 5 };

struct small_log {
    enum target_kind target;
    struct policy policy;
    int64_t precision_ns;
    int rows;
    int64_t t[ROWS_MAX], cost[ROWS_MAX];
};

struct measures { int64_t burst, window, refused, refused_cost; };   /* burst: times the period */

/* One placement: order by instant, ties in the log's order or against it.  Quadratic, from the
 * definitions. */
static struct measures measure(const struct small_log *log, const int64_t *x, bool reversed)
{
    int order[ROWS_MAX], n = log->rows;
    bool kept[ROWS_MAX] = { false };
    struct measures found = { 0 };

    for (int i = 0; i < n; i++) {
        int at = i, row = reversed ? n - 1 - i : i;
        for (; at > 0 && x[order[at - 1]] > x[row]; at--)
            order[at] = order[at - 1];
        order[at] = row;
    }
    for (int j = 0; j < n; j++) {
        int64_t sum = 0, kept_sum = 0, worst_kept = 0, window = 0, kept_window = 0;
        for (int i = j; i >= 0; i--) {
            int64_t span = x[order[j]] - x[order[i]], cost = log->cost[order[i]];
            bool counts = kept[i] || i == j;
            sum += cost;
            kept_sum += counts ? cost : 0;
            int64_t burst = sum * log->policy.period_ns - span * log->policy.limit;
            int64_t kept_burst = kept_sum * log->policy.period_ns - span * log->policy.limit;
            found.burst = burst > found.burst ? burst : found.burst;
            worst_kept = kept_burst > worst_kept ? kept_burst : worst_kept;
            window += span < log->policy.period_ns ? cost : 0;
            kept_window += span < log->policy.period_ns && counts ? cost : 0;
        }
        found.window = window > found.window ? window : found.window;
        kept[j] = log->target == TARGET_CURVE ? worst_kept <= log->policy.burst * log->policy.period_ns
                                              : kept_window <= log->policy.limit;
        found.refused += !kept[j];
        found.refused_cost += kept[j] ? 0 : log->cost[order[j]];
    }
    return found;
}

static void widen(struct measures *least, struct measures *most, struct measures one)
{
    int64_t *low[] = { &least->burst, &least->window, &least->refused, &least->refused_cost };
    int64_t *high[] = { &most->burst, &most->window, &most->refused, &most->refused_cost };
    int64_t value[] = { one.burst, one.window, one.refused, one.refused_cost };

    for (int i = 0; i < 4; i++) {
        *low[i] = value[i] < *low[i] ? value[i] : *low[i];
        *high[i] = value[i] > *high[i] ? value[i] : *high[i];
    }
}

static void measure_all(const struct small_log *log, struct measures *least, struct measures *most)
{
    int64_t x[ROWS_MAX], placements = 1;

    *least = (struct measures){ INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX };
    *most = (struct measures){ 0 };
    for (int i = 0; i < log->rows; i++)
        placements *= log->precision_ns;
    for (int64_t placement = 0; placement < placements; placement++) {
        int64_t rest = placement;
        for (int i = 0; i < log->rows; i++, rest /= log->precision_ns)
            x[i] = log->t[i] + rest % log->precision_ns;
        widen(least, most, measure(log, x, false));
        widen(least, most, measure(log, x, true));
    }
}

static int64_t draw(uint64_t entity, uint32_t occurrence, int64_t low, int64_t high)
{
    struct stream stream = { .entity = entity, .kind = STREAM_COST, .occurrence = occurrence };
    return low + (int64_t)stream_below(1, stream, (uint64_t)(high - low + 1));
}

static struct small_log small_log(uint64_t number)
{
    struct small_log log = { .target = number % 2 ? TARGET_CURVE : TARGET_WINDOW };
    bool alike = number / 2 % 2;

    log.precision_ns = draw(number, 0, 1, 4);
    log.rows = (int)draw(number, 1, 1, ROWS_MAX);
    log.policy = (struct policy){ .limit = draw(number, 2, 1, 5),
                                  .period_ns = draw(number, 3, 1, 12),
                                  .burst = draw(number, 4, 1, 6) };
    assert_null(policy_init(&log.policy));
    int64_t t = draw(number, 5, 0, 2);
    for (int i = 0; i < log.rows; i++) {
        t += draw(number, (uint32_t)i + 10, 0, 2) * draw(number, (uint32_t)i + 20, 0, 2);
        log.t[i] = t * log.precision_ns;
        log.cost[i] = alike ? draw(number, 6, 1, 3) : draw(number, (uint32_t)i + 30, 0, 4);
    }
    return log;
}

static void judge(const struct small_log *log, struct certain_bound *least, struct certain_bound *most)
{
    struct certain certain;

    certain_init(&certain, log->target, &log->policy, log->precision_ns);
    for (int i = 0; i < log->rows; i++) {
        certain_admit(&certain, 3, log->t[i], log->cost[i]);
        certain_admit(&certain, 1, log->t[i], i == 0);              /* another key, which must not matter */
    }
    certain_admit(&certain, 1, log->t[log->rows - 1] + 1000 * log->precision_ns, 1);
    certain_finish(&certain, least, most);
    certain_free(&certain);
}

/* How often a bound is the exact end of the range: a bound that never is would be useless. */
struct tightness { int logs, least_burst, least_window, least_refused, most_refused; };

static void check_log(const struct small_log *log, struct tightness *tight)
{
    struct measures low, high;
    struct certain_bound least, most;
    int64_t period = log->policy.period_ns, alone = 1;  /* what the other key has */

    measure_all(log, &low, &high);
    judge(log, &least, &most);
    low.burst = i64_max(low.burst, alone * period), high.burst = i64_max(high.burst, alone * period);
    low.window = i64_max(low.window, alone), high.window = i64_max(high.window, alone);
    struct decimal low_burst = decimal_ratio(low.burst, period),
                   high_burst = decimal_ratio(high.burst, period);
    assert_true(least.effective_burst.billionths <= low_burst.billionths);
    assert_true(most.effective_burst.billionths == high_burst.billionths);
    assert_true(least.worst_window <= low.window);
    assert_int_equal(most.worst_window, high.window);
    assert_true((int64_t)least.over_admitted <= low.refused && least.over_admitted_cost <= low.refused_cost);
    assert_true((int64_t)most.over_admitted >= high.refused && most.over_admitted_cost >= high.refused_cost);
    tight->logs++;
    tight->least_burst += least.effective_burst.billionths == low_burst.billionths;
    tight->least_window += least.worst_window == low.window;
    tight->least_refused += (int64_t)least.over_admitted == low.refused;
    tight->most_refused += (int64_t)most.over_admitted == high.refused;
}

static void the_two_ends_hold_every_placement_between_them(void **state)
{
    struct tightness tight = { 0 };

    (void)state;
    for (uint64_t number = 0; number < 20000; number++) {
        struct small_log log = small_log(number);
        check_log(&log, &tight);
    }
    print_message("exact ends of %d logs: least burst %d, least window %d, least refused %d, most refused "
                  "%d\n",
                  tight.logs, tight.least_burst, tight.least_window, tight.least_refused, tight.most_refused);
    assert_true(tight.least_burst > 15000 && tight.least_window > 15000);
    assert_true(tight.least_refused > 15000 && tight.most_refused > 15000);
}

static void exact_times_leave_nothing_open(void **state)
{
    int compared = 0;

    (void)state;
    for (uint64_t number = 0; number < 20000; number++) {
        struct small_log log = small_log(number);
        struct certain_bound least, most;
        struct measures low, high;
        if (log.precision_ns != 1)
            continue;
        measure_all(&log, &low, &high);
        judge(&log, &least, &most);
        assert_true(least.effective_burst.billionths == most.effective_burst.billionths);
        assert_true(least.excess.billionths == most.excess.billionths);
        assert_int_equal(least.worst_window, most.worst_window);
        if (number / 2 % 2)
            assert_int_equal(least.over_admitted, most.over_admitted);
        compared++;
    }
    assert_true(compared > 4000);
}

/* Whole seconds, 1 per second: two in one second prove nothing, two in neighbouring seconds may be
 * together. */
static void whole_seconds_at_a_limit_of_seconds_are_worth_little(void **state)
{
    struct policy policy = { .limit = 1, .period_ns = SECOND, .burst = 1 };
    struct certain certain;
    struct certain_bound least, most;

    (void)state;
    assert_null(policy_init(&policy));
    certain_init(&certain, TARGET_CURVE, &policy, SECOND);
    certain_admit(&certain, 0, 0, 1);
    certain_admit(&certain, 0, SECOND, 1);
    certain_admit(&certain, 0, 5 * SECOND, 1);
    certain_admit(&certain, 0, 5 * SECOND, 1);
    certain_admit(&certain, 0, 5 * SECOND, 1);
    certain_finish(&certain, &least, &most);
    assert_true(least.effective_burst.billionths == 2 * SECOND + 1
                && most.effective_burst.billionths == 3 * SECOND);
    assert_true(least.excess.billionths == SECOND + 1 && most.excess.billionths == 2 * SECOND);
    assert_true(least.boundary_burst.billionths == 2 * SECOND + 1);
    assert_int_equal(least.over_admitted, 2);
    assert_int_equal(most.over_admitted, 3);
    assert_int_equal(least.keys_over, 1);
    certain_free(&certain);
}

static void a_long_log_keeps_only_what_a_window_can_hold(void **state)
{
    struct policy policy = { .limit = 10, .period_ns = 10 * SECOND, .burst = 10 };
    struct certain certain;
    struct certain_bound least, most;

    (void)state;
    assert_null(policy_init(&policy));
    certain_init(&certain, TARGET_WINDOW, &policy, SECOND);
    for (int64_t i = 0; i < 200000; i++)
        certain_admit(&certain, (uint32_t)(i % 7), i / 3 * SECOND, 1);
    assert_true(certain.recent_have <= 256);
    certain_finish(&certain, &least, &most);
    assert_int_equal(least.worst_window, 5);            /* 30 rows in 10 s among 7 keys: 4 or 5 each, in 11 s
                                                           4 or 5 */
    assert_int_equal(most.worst_window, 5);
    assert_int_equal(most.keys_over, 0);
    certain_free(&certain);
}

TEST_MAIN(
    TEST(decisions_are_read_in_every_usual_spelling),
    TEST(decisions_come_in_order_of_time_since_the_first),
    TEST(decisions_without_an_answer_are_refused),
    TEST(an_access_log_tells_by_its_status),
    TEST(a_real_log_has_its_known_counts),
    TEST(the_two_ends_hold_every_placement_between_them),
    TEST(exact_times_leave_nothing_open),
    TEST(whole_seconds_at_a_limit_of_seconds_are_worth_little),
    TEST(a_long_log_keeps_only_what_a_window_can_hold))
