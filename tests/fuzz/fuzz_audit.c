/* Any bytes as decisions (the first byte says CSV or access log): refused, or judged, the least
 * below the most. */
#include <stdlib.h>
#include <string.h>
#include "../../harness/audit.h"
#include "../../harness/certain.h"

#define DEMAND(condition)                                                       \
    do {                                                                        \
        if (!(condition))                                                       \
            abort();                                                            \
    } while (0)

static void judge(struct audit *audit, enum target_kind target, struct policy policy)
{
    struct certain certain;
    struct certain_bound least, most;
    struct audit_row row;
    struct failure failure;
    int64_t before_ns = INT64_MIN;
    uint64_t rows = 0;

    DEMAND(policy_init(&policy) == NULL);
    certain_init(&certain, target, &policy, audit->decisions.summary.precision_ns);
    for (; audit_next(audit, &row); rows++) {
        DEMAND(row.at_ns >= before_ns && row.line > 0);
        before_ns = row.at_ns;
        if (row.allowed)
            certain_admit(&certain, row.key, row.at_ns, row.cost);
    }
    DEMAND(!audit_failed(audit, &failure));
    DEMAND(rows == audit->decisions.summary.rows);
    certain_finish(&certain, &least, &most);
    DEMAND(least.over_admitted <= most.over_admitted && least.over_admitted_cost <= most.over_admitted_cost);
    DEMAND(least.effective_burst.billionths <= most.effective_burst.billionths);
    DEMAND(least.worst_window <= most.worst_window && least.keys_over <= most.keys_over);
    certain_free(&certain);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct policy tight = { .limit = 1, .period_ns = 7, .burst = 1 };
    static const struct policy wide = { .limit = COST_MAX, .period_ns = PERIOD_MAX, .burst = 3 };
    struct keys keys = { 0 };
    struct audit_options options = { .path = "fuzz", .keys = &keys, .max_bad_billionths = 900000000 };
    struct audit audit;
    struct failure failure;

    if (length == 0)
        return 0;
    options.access_log = bytes[0] % 2;
    if (audit_open_bytes(&audit, &options, bytes + 1, length - 1, &failure)) {
        judge(&audit, bytes[0] & 4 ? TARGET_CURVE : TARGET_WINDOW, bytes[0] & 2 ? tight : wide);
        audit_close(&audit);
    } else {
        DEMAND(strncmp(failure.line, "fuzz:", 5) == 0 && failure.code == EXIT_USAGE);
    }
    keys_free(&keys);
    return 0;
}
