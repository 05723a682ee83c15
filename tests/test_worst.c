/* test_worst.c - races of the zoo have their worst case, and claims on witnesses can fail. */
#include "test.h"
#include "shell.h"

static void every_race_has_its_worst_case(void **state)
{
    shell_expect(*state, 0, "races=$(grep -l 'class: RACE' scenarios/zoo/*.yaml); test \"$races\" || exit 1; "
                 "for race in $races; do "
                 "grep -q 'witness: \"llw1:' \"scenarios/worst/${race##*/}\" || exit 1; done; "
                 "$limitlab check scenarios/worst --quiet");
}

#define WORLD "policy: {limit: 1, period: 60s}\\nmode: explore\\nexplore: {clients: 3}\\n" \
    "designs: [fixed-window@get-then-set, fixed-window@cas]\\n"
#define CLAIM(design, witness) "claims: [{designs: " design ", witness: \"" witness "\"}]\\n"
#define SMALLEST "llw1:clients=2,requests=1,limit=1,period=60s,design=fixed-window@get-then-set:" \
    "eea0210a4ad72e43:aaaqc"

static void expect_claim(struct shell *shell, int code, const char *text, const char *why)
{
    char line[2000];

    snprintf(line, sizeof line, "printf '%s' > \"$d/w.yaml\"; $limitlab check \"$d/w.yaml\"", text);
    shell_expect(shell, code, line);
    assert_has(shell->out, why);
}

static void a_witness_that_breaks_its_design_holds(void **state)
{
    expect_claim(*state, 0, WORLD CLAIM("fixed-window@get-then-set", SMALLEST),
                 "ok 1 - w: a minimal witness");
}

static void a_witness_of_another_version_does_not(void **state)
{
    expect_claim(*state, 1, WORLD CLAIM("fixed-window@get-then-set", "llw1:clients=2,requests=1,limit=1,"
                 "period=60s,design=fixed-window@get-then-set:eea0210a4ad72e44:aaaqc"), "of another version");
}

static void a_witness_of_another_design_does_not(void **state)
{
    expect_claim(*state, 1, WORLD CLAIM("fixed-window@cas", SMALLEST), "is of another design");
}

static void text_that_is_no_witness_does_not(void **state)
{
    expect_claim(*state, 1, WORLD CLAIM("fixed-window@get-then-set", "llw1:"), "is cut short or changed");
    expect_claim(*state, 1, WORLD CLAIM("fixed-window@get-then-set", "nine"), "is no witness");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_race_has_its_worst_case),
        cmocka_unit_test(a_witness_that_breaks_its_design_holds),
        cmocka_unit_test(a_witness_of_another_version_does_not),
        cmocka_unit_test(a_witness_of_another_design_does_not),
        cmocka_unit_test(text_that_is_no_witness_does_not),
    };

    return cmocka_run_group_tests(tests, shell_open, shell_close);
}
