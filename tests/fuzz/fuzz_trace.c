/* Any bytes as a trace: refused with one line, or played in order of time, whole, spread or not. */
#include <stdlib.h>
#include <string.h>
#include "../../harness/trace.h"

#define DEMAND(condition)                                                       \
    do {                                                                        \
        if (!(condition))                                                       \
            abort();                                                            \
    } while (0)

static void play(const struct trace *trace, bool spread)
{
    struct trace_source *played = trace_play(trace, &(struct trace_play){ .region = -1, .spread = spread });
    struct source *source = trace_source(played);
    struct arrival arrival;
    struct failure failure;
    int64_t before_ns = INT64_MIN;
    uint64_t rows = 0;

    for (; source->next(source, &arrival); rows++) {
        DEMAND(arrival.at_ns >= before_ns);
        DEMAND(arrival.key < trace->options.keys->count && arrival.region < 2);
        before_ns = arrival.at_ns;
    }
    DEMAND(!trace_source_failed(played, &failure));
    DEMAND(rows == trace->summary.rows);
    trace_source_free(played);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const regions[] = { "fra", "nrt", NULL };
    struct keys keys = { 0 };
    struct trace_options options = { .keys = &keys, .regions = regions, .allow_refunds = length % 2 };
    struct trace trace;
    struct failure failure;

    if (trace_scan_bytes(&trace, "fuzz", bytes, length, &options, &failure)) {
        play(&trace, false);
        play(&trace, true);
        trace_free(&trace);
    } else {
        DEMAND(strncmp(failure.line, "fuzz:", 5) == 0 && strlen(failure.line) < sizeof failure.line);
        DEMAND(failure.code == EXIT_USAGE);
    }
    keys_free(&keys);
    return 0;
}
