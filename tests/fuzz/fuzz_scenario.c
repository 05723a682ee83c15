/* fuzz_scenario.c - any bytes as a scenario; what follows the first NUL is PATH=VALUE for --set. */
#include <string.h>
#include "../../harness/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct arena arena = { 0 };
    struct experiment experiment;
    struct failure failure = { 0 };
    struct override overrides[2] = { { 0 } };
    const uint8_t *end = count ? memchr(bytes, 0, count) : NULL;
    size_t scenario = end ? (size_t)(end - bytes) : count;

    if (end) {
        const char *argument = arena_format(&arena, "%.*s", (int)(count - scenario - 1),
                                            (const char *)end + 1);
        if (!override_parse(argument, &overrides[0], &arena, &failure))
            overrides[0] = (struct override){ 0 };
    }
    failure = (struct failure){ 0 };
    if (!scenario_parse((const char *)bytes, scenario, "fuzzed.yaml", overrides, &arena, &experiment,
                        &failure) &&
        !*failure.line)
        __builtin_trap();               /* a refusal without a reason */
    arena_free(&arena);
    return 0;
}
