/* Any bytes as a log of each kind (the first byte says which): what is imported is a trace of
 * as many rows. */
#include <stdlib.h>
#include <string.h>
#include "../../harness/import.h"
#include "../../harness/trace.h"

#define DEMAND(condition)                                                       \
    do {                                                                        \
        if (!(condition))                                                       \
            abort();                                                            \
    } while (0)

/* Rows that lie centuries apart are a log, but no trace. */
static void check_trace(const char *text, size_t length, const struct import_summary *summary)
{
    struct keys keys = { 0 };
    struct trace trace;
    struct failure failure;
    struct trace_options options = { .keys = &keys, .allow_refunds = true };

    if (trace_scan_bytes(&trace, "imported", text, length, &options, &failure)) {
        DEMAND(trace.summary.rows == summary->rows);
        DEMAND(trace.summary.total_cost == summary->total_cost);
        DEMAND(summary->rows == 0 || trace.summary.precision_ns == summary->precision_ns);
        DEMAND(summary->rows == 0 || trace.summary.absolute == summary->absolute);
        DEMAND(trace.summary.late_ns == summary->late_ns);
        trace_free(&trace);
    } else {
        DEMAND(strstr(failure.line, "is more than 146 years from another row"));
    }
    keys_free(&keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const units[] = { "s", "ms", "us", "ns" };
    struct import_options options = { .path = "fuzz", .max_bad_billionths = 900000000 };
    struct import_summary summary;
    struct failure failure;
    char *text = NULL;
    size_t text_length;

    if (length == 0)
        return 0;
    options.kind = (enum import_kind)(bytes[0] % (IMPORT_CSV + 1));
    if (options.kind != IMPORT_COMBINED && bytes[0] / 4 % 2) {
        options.time = "t";
        options.key = "k";
        options.cost = "c+d.e";
        options.region = bytes[0] / 8 % 2 ? "r" : "=x";
        options.time_unit = units[bytes[0] / 16 % 4];
    }
    FILE *to = open_memstream(&text, &text_length);
    bool good = import_bytes(&options, bytes + 1, length - 1, to, &summary, &failure);
    fclose(to);
    if (good)
        check_trace(text, text_length, &summary);
    else
        DEMAND(failure.code == EXIT_USAGE && strlen(failure.line) > 0);
    free(text);
    return 0;
}
