/* Any bytes as the value of every header: refused, or read within its bounds and judged without trouble. */
#include <stdlib.h>
#include <string.h>
#include "../../algos/limiters/limiters.h"
#include "../../harness/headers.h"

#define DEMAND(condition)                                                       \
    do {                                                                        \
        if (!(condition))                                                       \
            abort();                                                            \
    } while (0)

static void read_and_judge(const struct header *header, const char *value, const struct asked *asked)
{
    struct told told;
    bool read = header_read(header, value, &told);
    enum finding finding = header_judge(header, value, asked);

    DEMAND(finding_text(finding) != NULL);
    DEMAND((finding == FINDING_UNREADABLE) == (*value && !read));
    if (!read)
        return;
    DEMAND(told.remaining >= 0 && (told.wait_s >= 0 || header->epoch));
    DEMAND(told.wait_s <= HEADER_INTEGER_MAX && told.wait_s >= -HEADER_INTEGER_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct policy policy = { .limit = 10, .burst = 10, .period_ns = INT64_C(60000000000) };
    _Alignas(16) unsigned char state[64] = { 0 };
    struct asked asked = { &gcra, &policy, state, { 0, 1 }, length % 2 };
    char *text = malloc(length + 1);

    DEMAND(text && policy_init(&policy) == NULL && gcra.state_bytes <= sizeof state);
    gcra.fresh(&policy, 0, state);
    gcra.charge(&policy, (struct request){ 0, 10 }, true, state);
    if (length > 0)
        memcpy(text, bytes, length);
    text[length] = '\0';
    for (unsigned i = 0; i < header_style_count; i++)
        for (const struct header *const *header = header_styles[i].header; *header; header++)
            read_and_judge(*header, text, &asked);
    free(text);
    return 0;
}
