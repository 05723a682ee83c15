/* test.h - what every test file includes first.  One file, one program: it ends with TEST_MAIN(...). */
#ifndef LIMITLAB_TEST_H
#define LIMITLAB_TEST_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>

/* cmocka calls a macro fail(), as harness/failure.h calls a function. */
#undef fail
#undef fail_msg
#define fail_msg(...)                                                           \
    do {                                                                        \
        print_error("ERROR: " __VA_ARGS__);                                     \
        print_error("\n");                                                      \
        _fail(__FILE__, __LINE__);                                              \
    } while (0)

/* A test's name is a claim: a_denied_request_changes_nothing. */
#define TEST(name) cmocka_unit_test(name)

#define TEST_MAIN(...)                                                          \
    int main(void)                                                              \
    {                                                                           \
        const struct CMUnitTest tests[] = { __VA_ARGS__ };                      \
        return cmocka_run_group_tests(tests, NULL, NULL);                       \
    }
#endif
