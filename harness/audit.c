/* audit.c - see audit.h. */
#include "audit.h"

enum { BAD_LINES_SHOWN = 5 };

static void note_bad_line(void *context, const struct failure *failure)
{
    struct audit *audit = context;

    if (audit->notes && audit->noted++ < BAD_LINES_SHOWN)
        fprintf(audit->notes, "%s: skipped\n", failure->line);
}

static struct trace_options scan_options(struct audit *audit, const struct audit_options *options)
{
    *audit = (struct audit){ .notes = options->notes };
    return (struct trace_options){
        .format = options->access_log ? TRACE_DECISIONS_LOG : TRACE_DECISIONS,
        .keys = options->keys,
        .allow_refunds = options->allow_refunds,
        .max_bad_billionths = options->max_bad_billionths,
        .bad = note_bad_line,
        .context = audit
    };
}

static void open_cursor(struct audit *audit)
{
    trace_cursor_open(&audit->cursor, &audit->decisions,
                      &(struct trace_play){ .epoch_ns = audit->epoch_ns, .region = -1 });
}

static bool opened(struct audit *audit, bool scanned)
{
    if (!scanned)
        return false;
    audit->epoch_ns = audit->decisions.summary.absolute ? audit->decisions.summary.first_ns : 0;
    open_cursor(audit);
    return true;
}

bool audit_open(struct audit *audit, const struct audit_options *options, struct failure *failure)
{
    struct trace_options scan = scan_options(audit, options);

    return opened(audit, trace_scan(&audit->decisions, options->path, &scan, failure));
}

bool audit_open_bytes(struct audit *audit, const struct audit_options *options, const void *bytes,
                      size_t length, struct failure *failure)
{
    struct trace_options scan = scan_options(audit, options);

    return opened(audit, trace_scan_bytes(&audit->decisions, options->path, bytes, length, &scan, failure));
}

bool audit_next(struct audit *audit, struct audit_row *row)
{
    struct waiting_row next;

    if (trace_cursor_next(&audit->cursor, &next) != READ_ITEM)
        return false;
    *row = (struct audit_row){ .at_ns = next.at_ns,
                               .cost = next.row.cost,
                               .key = next.row.key,
                               .line = next.row.line,
                               .allowed = next.row.allowed };
    return true;
}

bool audit_failed(const struct audit *audit, struct failure *failure)
{
    if (audit->cursor.failed)
        *failure = audit->cursor.failure;
    return audit->cursor.failed;
}

void audit_close(struct audit *audit)
{
    trace_cursor_close(&audit->cursor);
    trace_free(&audit->decisions);
}
