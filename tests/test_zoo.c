/* test_zoo.c - the zoo: every case is a whole one, its limiters are pure, and what `check` says of it is
 * measured. */
#include "test.h"
#include <time.h>
#include "../algos/zoo/zoo.h"
#include "../harness/scenario.h"
#include "../harness/scenario_files.h"
#include "../harness/yaml.h"
#include "../harness/zoo.h"
#include "limiter_rig.h"
#include "shell.h"

enum { HISTORIES = 200, REQUESTS = 25 };

static const char *const zoo_folder = "scenarios/zoo";

/* ---- what all tests look at ---- */

static struct arena arena;
static struct scenario_files files;
static struct experiment *cases;

static int load_cases(void **state)
{
    struct failure failure = { 0 };

    (void)state;
    if (!scenario_files_add(&files, zoo_folder, &arena, &failure))
        return -1;
    cases = arena_alloc(&arena, files.count * sizeof *cases);
    for (unsigned i = 0; i < files.count; i++)
        if (!scenario_load(files.path[i], NULL, &arena, &cases[i], &failure)) {
            print_error("%s\n", failure.line);
            return -1;
        }
    return 0;
}

static int free_cases(void **state)
{
    (void)state;
    scenario_files_free(&files);
    arena_free(&arena);
    return 0;
}

static void for_every_limiter(void (*claim)(const struct limiter *limiter))
{
    for (unsigned i = 0; zoo_limiters[i]; i++)
        for (unsigned j = 0; zoo_limiters[i][j]; j++)
            claim(zoo_limiters[i][j]);
}

/* ---- cases are whole ---- */

static void every_scenario_of_the_zoo_is_a_case_with_claims_for_flaw_and_cure(void **state)
{
    (void)state;
    for (unsigned i = 0; i < files.count; i++) {
        const struct experiment *e = &cases[i];
        if (!e->zoo.name || e->zoo.flaws == 0 || e->zoo.cures == 0)
            fail_msg("%s is no case: it has no `zoo` key", files.path[i]);
        if (!*e->title || strlen(e->story) < 100 || e->claims < 2)
            fail_msg("%s lacks a title, a story or claims", files.path[i]);
    }
}

static void every_class_of_bugs_has_two_cases_or_more(void **state)
{
    unsigned of[BUG_CLASSES] = { 0 };

    (void)state;
    for (unsigned i = 0; i < files.count; i++)
        of[cases[i].zoo.bug_class]++;
    for (unsigned i = 0; i < BUG_CLASSES; i++)
        if (of[i] < 2)
            fail_msg("%s has %u", bug_class_names[i], of[i]);
}

static unsigned uses(const char *name, const char *const *design, uint32_t designs)
{
    size_t length = strlen(name);
    unsigned found = 0;

    for (uint32_t i = 0; i < designs; i++)
        found += strncmp(design[i], name, length) == 0 && design[i][length] == '@';
    return found;
}

static void assert_used(const struct limiter *limiter)
{
    unsigned scenarios = 0;

    if (strncmp(limiter->name, "zoo/", 4) != 0)
        fail_msg("%s: a limiter of the zoo has a name that begins with zoo/", limiter->name);
    assert_ptr_equal(limiter_find(limiter->name), limiter);
    for (unsigned i = 0; i < files.count; i++)
        scenarios += uses(limiter->name, cases[i].zoo.flaw, cases[i].zoo.flaws) > 0 ||
                     uses(limiter->name, cases[i].zoo.cure, cases[i].zoo.cures) > 0;
    if (scenarios == 0)
        fail_msg("%s is a flaw or a cure in no scenario", limiter->name);
}

static void every_limiter_of_the_zoo_belongs_to_a_case(void **state)
{
    (void)state;
    for_every_limiter(assert_used);
}

/* ---- limiters are pure, whatever else is wrong with them ---- */

static void assert_check_is_pure(const struct rig *rig, struct request request)
{
    struct rig copy = rig_copy(rig);
    struct verdict first = rig->limiter->check(&rig->policy, request, rig->state);
    struct verdict again = copy.limiter->check(&copy.policy, request, copy.state);

    rig_assert_same_state(rig, &copy);
    assert_memory_equal(&first, &again, sizeof first);
    rig_close(&copy);
}

static void play(const struct limiter *limiter, struct dice *dice)
{
    struct policy policy = dice_policy(dice, limiter);
    int64_t now_ns = dice_between(dice, -2, 2) * (INSTANT_MAX / 2);
    struct rig rig = rig_open(limiter, &policy, now_ns);
    int64_t spent = 0;

    for (unsigned i = 0; i < REQUESTS; i++) {
        int64_t cost = dice_between(dice, 0, 3) ? dice_between(dice, 0, 3) : dice_size(dice, COST_MAX);
        assert_check_is_pure(&rig, (struct request){ now_ns, cost });
        rig_quote(&rig, now_ns);
        bool allowed = dice_chance(dice, 10)            /* now and then a cost is taken although denied */
            || limiter->check(&policy, (struct request){ now_ns, cost }, rig.state).allowed;
        if (spent <= TOTAL_COST_MAX - cost && (allowed || limiter->charges_denied))
            rig_charge(&rig, now_ns, cost, allowed);
        spent += cost;
        now_ns = i64_max(-INSTANT_MAX, i64_min(INSTANT_MAX, now_ns + dice_step_ns(dice, &policy)));
    }
    rig_close(&rig);
}

static void assert_pure(const struct limiter *limiter)
{
    for (unsigned i = 0; i < HISTORIES; i++)
        play(limiter, &(struct dice){ i });
}

static void every_limiter_of_the_zoo_answers_alike_and_changes_nothing_by_looking(void **state)
{
    (void)state;
    for_every_limiter(assert_pure);
}

/* ---- calendars ---- */

static void assert_month_ends(const struct limiter *limiter, time_t now)
{
    struct policy policy = make_policy(1, ZOO_DAY, 1, (int64_t)now * ZOO_SECOND);
    struct rig rig = rig_open(limiter, &policy, 0);
    struct tm date;

    gmtime_r(&now, &date);
    struct tm first = { .tm_year = date.tm_year, .tm_mon = date.tm_mon + 1, .tm_mday = 1 };
    rig_charge(&rig, 0, 1, true);
    assert_int_equal(rig_check(&rig, 0, 1).retry_after_ns, (int64_t)(timegm(&first) - now) * ZOO_SECOND);
    rig_close(&rig);
}

static void months_end_when_the_calendar_says(void **state)
{
    const struct limiter *month = limiter_find("zoo/calendar-month");
    enum { DAY = 86400, YEARS = 140 };

    (void)state;
    for (time_t day = -YEARS * 365; day < YEARS * 365; day++) {     /* 1830 to 2110 */
        assert_month_ends(month, day * DAY);
        assert_month_ends(month, day * DAY + DAY - 1);
    }
}

/* ---- what check and list say ---- */

static void check_prints_a_table_of_what_was_caught(void **state)
{
    struct shell *shell = *state;
    char total[80];

    shell_expect(shell, 0, "$limitlab check scenarios/zoo");
    assert_null(strstr(shell->out, "not ok"));
    assert_has(shell->out, "\n# class   cases caught cures flagged  meaning\n# CLK  ");
    snprintf(total, sizeof total, "\n# %-6s %6u %6u %13u\n1..", "all", files.count, files.count, 0);
    assert_has(shell->out, total);
    shell_expect(shell, 0, "$limitlab list zoo");
    assert_has(shell->out, "golang/go#56287");
    assert_has(shell->out, "scenarios/zoo/last-goes-back.yaml");
    shell_expect(shell, 0, "$limitlab list zoo --json");
    json_t *rows = parsed(shell->out);
    assert_int_equal(json_array_size(rows), files.count);
    json_decref(rows);
}

/* Three at one instant, of which a limit of two denies one. */
#define THREE_AT_ONCE(flaw, cure) \
    "printf '%s\\n' 'policy: {limit: 2}' 'traffic: {generator: burst, size: 3}' " \
    "'zoo: {class: KEY, case: none, flaw: " flaw ", cure: " cure "}' >$d/x.yaml; $limitlab check $d/x.yaml" \
    " | sed \"s#$d/##\"; $limitlab check -q $d/x.yaml >$d/again"

static void a_flaw_that_is_not_caught_and_a_cure_that_is_flagged_fail(void **state)
{
    struct shell *shell = *state;

    shell_expect(shell, 1, THREE_AT_ONCE("gcra@owner", "zoo/zero-interval-refused@owner"));
    assert_string_equal(shell->out,
        "not ok 1 - x: the flaw is caught: gcra@owner\n"
        "# x.yaml:3: limit 2, seed 1: nothing is wrong with it; expected something that an oracle finds\n"
        "ok 2 - x: the cure is not flagged: zoo/zero-interval-refused@owner\n"
        "# class   cases caught cures flagged  meaning\n"
        "# KEY         1      0             0  requests booked on the wrong key\n"
        "# all         1      0             0\n"
        "1..2\n");
    shell_expect(shell, 1, THREE_AT_ONCE("zoo/strict-limit@owner", "zoo/variance-of-period@owner"));
    assert_string_equal(shell->out,
        "ok 1 - x: the flaw is caught: zoo/strict-limit@owner\n"
        "not ok 2 - x: the cure is not flagged: zoo/variance-of-period@owner\n"
        "# x.yaml:3: limit 2, seed 1: a broken promise, wrong admissions, untrue remaining or reset, a "
        "broken target; expected nothing wrong\n"
        "# class   cases caught cures flagged  meaning\n"
        "# KEY         1      1             1  requests booked on the wrong key\n"
        "# all         1      1             1\n"
        "1..2\n");
}

/* ---- the documentation ---- */

static const char *file_text(const char *path)
{
    struct failure failure = { 0 };
    size_t bytes;
    const char *text = yaml_read_file(path, &bytes, &arena, &failure);

    if (!text)
        fail_msg("%s", failure.line);
    return text;
}

static void the_readme_quotes_a_case_as_it_is(void **state)
{
    const char *readme = file_text("scenarios/zoo/README.md");

    (void)state;
    assert_non_null(strstr(readme, file_text("algos/zoo/zero_interval.c")));
    assert_non_null(strstr(readme, file_text("scenarios/zoo/zero-interval.yaml")));
    for (unsigned i = 0; i < BUG_CLASSES; i++)
        assert_non_null(strstr(readme, arena_format(&arena, "| `%s` | %s |\n", bug_class_rows[i].name,
                                                    bug_class_rows[i].meaning)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_scenario_of_the_zoo_is_a_case_with_claims_for_flaw_and_cure),
        TEST(every_class_of_bugs_has_two_cases_or_more),
        TEST(every_limiter_of_the_zoo_belongs_to_a_case),
        TEST(every_limiter_of_the_zoo_answers_alike_and_changes_nothing_by_looking),
        TEST(months_end_when_the_calendar_says),
        SHELL_TEST(check_prints_a_table_of_what_was_caught),
        SHELL_TEST(a_flaw_that_is_not_caught_and_a_cure_that_is_flagged_fail),
        TEST(the_readme_quotes_a_case_as_it_is),
    };

    return cmocka_run_group_tests(tests, load_cases, free_cases);
}
