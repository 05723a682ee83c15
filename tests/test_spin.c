/* test_spin.c - small worlds as the model checker Spin sees them (spin.pml), where it is installed. */
#include "explore_rig.h"
#include "shell.h"

enum { NO_SPIN = 77 };

static const struct {
    const char *protocol;
    uint32_t clients, requests;
    int64_t limit;
} world[] = {
    { "get-then-set", 2, 1, 1 }, { "get-then-set", 3, 2, 3 }, { "get-then-set", 4, 1, 2 },
    { "get-then-set", 5, 1, 1 }, { "get-then-set", 2, 4, 3 }, { "get-then-set", 4, 2, 5 },
    { "cas", 2, 1, 1 },          { "cas", 3, 2, 2 },          { "cas", 4, 1, 4 },
    { "cas", 3, 3, 5 },          { "incr", 3, 3, 3 },         { "incr", 5, 2, 20 },
};
enum { WORLDS = sizeof world / sizeof *world };

struct answer { unsigned long states, most; char over[4]; };

/* Skips the test where there is no Spin. */
static struct answer ask_spin(struct shell *shell, int i)
{
    struct answer answer;
    char line[200];

    snprintf(line, sizeof line, "TMPDIR=$d tests/spin.sh %s %u %u %ld", world[i].protocol, world[i].clients,
             world[i].requests, (long)world[i].limit);
    shell_run(shell, line);
    if (shell->code == NO_SPIN) {
        print_message("%s", shell->err);
        skip();
    }
    assert_int_equal(shell->code, 0);
    assert_int_equal(sscanf(shell->out, "states %lu most %lu over %3s", &answer.states, &answer.most,
                            answer.over), 3);
    return answer;
}

static void spin_finds_the_same_states_and_verdicts(void **state)
{
    static struct scene scene;
    struct interleavings counted;

    for (int i = 0; i < WORLDS; i++) {
        char design[64];
        struct answer answer = ask_spin(*state, i);
        snprintf(design, sizeof design, "fixed-window@%s", world[i].protocol);
        scene_count(&scene, &(struct stated){ .design = design, .clients = world[i].clients,
                                              .requests = world[i].requests, .limit = world[i].limit },
                    &counted);
        assert_int_equal(counted.most, answer.most);
        assert_string_equal(mpz_sgn(counted.over) > 0 ? "yes" : "no", answer.over);
        assert_int_equal(scene.explorer.states.items, answer.states);
        interleavings_clear(&counted);
        scene_close(&scene);
    }
}

TEST_MAIN(SHELL_TEST(spin_finds_the_same_states_and_verdicts))
