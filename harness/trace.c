/* trace.c - see trace.h: scanning a whole file, and playing it as a source of arrivals. */
#include "trace.h"
#include "trace_cursor.h"
#include "../engine/stream.h"

/* What is counted for each key during a scan. */
struct key_use {
    int64_t  cost;
    uint64_t regions;                   /* bit i: seen in region i; 0: never seen */
};

struct scan {
    struct trace *trace;
    struct rows rows;
    struct key_use *use;
    size_t uses;
    int64_t before_ns;                  /* time of the row before */
    bool    repeatable;                 /* the file can be read again */
};

static bool scan_failed(const struct scan *scan, unsigned line, const char *why, struct failure *failure)
{
    return fail(failure, EXIT_USAGE, scan->rows.lines.name, line, "%s", why);
}

/* Keeps the row when all rows so far are kept; gives them up when they become too many and can be read
 * again. */
static void hold_row(struct scan *scan, const struct row *row)
{
    struct held_rows *held = scan->trace->held;

    if (held == NULL)
        return;
    if (held->count == TRACE_HELD_ROWS && scan->repeatable) {
        memory_free(process_memory(), held->row);
        scan->trace->held = memory_free(process_memory(), held);
        return;
    }
    held->row = memory_grow(process_memory(), held->row, &held->have, held->count + 1, sizeof *held->row);
    held->row[held->count++] = *row;
}

static bool count_cost(struct scan *scan, const struct row *row, struct failure *failure)
{
    struct trace_summary *summary = &scan->trace->summary;

    scan->use =
        memory_grow(process_memory(), scan->use, &scan->uses, (size_t)row->who + 1, sizeof *scan->use);
    struct key_use *use = &scan->use[row->who];
    summary->keys += use->regions == 0;
    use->regions |= UINT64_C(1) << row->region;
    summary->region_rows[row->region]++;
    summary->total_cost += row_size(row);
    use->cost += i64_max(row->cost, 0);
    return summary->total_cost <= TOTAL_COST_MAX
           || scan_failed(scan, row->line, "brings the costs to more than 2^62; expected smaller costs",
                          failure);
}

static bool count_time(struct scan *scan, const struct row *row, struct failure *failure)
{
    struct trace_summary *summary = &scan->trace->summary;

    if (summary->rows == 0)
        summary->first_ns = summary->last_ns = scan->before_ns = row->t_ns;
    summary->first_ns = i64_min(summary->first_ns, row->t_ns);
    summary->last_ns = i64_max(summary->last_ns, row->t_ns);
    if ((i128)summary->last_ns - summary->first_ns > INSTANT_MAX - INT64_C(1000000000))
        return scan_failed(scan, row->line,
                           "is more than 146 years from another row; expected times closer together",
                           failure);
    summary->rows_out_of_order += row->t_ns < scan->before_ns;
    summary->late_ns = i64_max(summary->late_ns, summary->last_ns - row->t_ns);
    scan->before_ns = row->t_ns;
    return true;
}

static bool scan_rows(struct scan *scan, struct failure *failure)
{
    struct trace_summary *summary = &scan->trace->summary;
    const struct trace_options *options = &scan->trace->options;
    struct row row;
    enum reading reading;

    while ((reading = rows_next(&scan->rows, &row, failure)) == READ_ITEM || reading == READ_BAD) {
        if (reading == READ_BAD) {
            summary->bad_lines++;
            if (options->bad)
                options->bad(options->context, failure);
            continue;
        }
        if (!count_time(scan, &row, failure) || !count_cost(scan, &row, failure))
            return false;
        if (summary->rows++ >> TRACE_ID_BITS)
            return scan_failed(scan, row.line, "is one row too many; expected fewer than 2^40", failure);
        hold_row(scan, &row);
    }
    return reading == READ_END;
}

static void find_top_key(struct scan *scan)
{
    struct trace_summary *summary = &scan->trace->summary;
    const struct keys *keys = scan->trace->options.keys;
    bool any = false;

    for (size_t i = 0; i < scan->uses && i < keys->count; i++) {
        const struct key_use *use = &scan->use[i];
        uint32_t key = (uint32_t)i;
        if (use->regions == 0)
            continue;
        summary->keys_in_several_regions += (use->regions & (use->regions - 1)) != 0;
        bool more = !any || use->cost > summary->top_key_cost;
        if (more || (use->cost == summary->top_key_cost && key_compare(keys, key, summary->top_key) < 0)) {
            summary->top_key = key;
            summary->top_key_cost = use->cost;
            any = true;
        }
    }
}

static bool too_many_bad(const struct scan *scan, struct failure *failure)
{
    const struct trace_summary *summary = &scan->trace->summary;
    uint64_t lines = summary->rows + summary->bad_lines;

    if ((i128)summary->bad_lines * 1000000000 <= (i128)lines * scan->trace->options.max_bad_billionths)
        return false;
    fail(failure, EXIT_USAGE, scan->rows.lines.name, 0,
         "has %llu of %llu lines that cannot be read; expected an access log in "
         "the common or combined format",
         (unsigned long long)summary->bad_lines, (unsigned long long)lines);
    return true;
}

static void finish_summary(struct scan *scan)
{
    struct trace_summary *summary = &scan->trace->summary;
    const int *column = scan->rows.column;
    bool log = scan->trace->options.format == TRACE_DECISIONS_LOG;

    summary->absolute = scan->rows.absolute;
    summary->precision_ns = scan->rows.precision_ns;
    summary->has_key = log || column[ROW_KEY] >= 0;
    summary->has_cost = !log && column[ROW_COST] >= 0;
    summary->has_region = !log && column[ROW_REGION] >= 0;
    find_top_key(scan);
}

static bool scan_lines(struct trace *trace, struct lines lines, struct failure *failure)
{
    struct scan scan = { .trace = trace, .repeatable = lines_repeatable(&lines) };

    trace->held = process_memory()->resize(process_memory(), NULL, sizeof *trace->held);
    *trace->held = (struct held_rows){ 0 };
    bool good = rows_start(&scan.rows, lines, &trace->options, failure) && scan_rows(&scan, failure)
             && !too_many_bad(&scan, failure);
    if (good)
        finish_summary(&scan);
    memory_free(process_memory(), scan.use);
    rows_close(&scan.rows);
    if (!good)
        trace_free(trace);
    return good;
}

bool trace_scan(struct trace *trace, const char *path, const struct trace_options *options,
                struct failure *failure)
{
    struct lines lines;

    *trace = (struct trace){ .path = path, .options = *options };
    return lines_open(&lines, path, failure) && scan_lines(trace, lines, failure);
}

bool trace_scan_bytes(struct trace *trace, const char *name, const void *bytes, size_t length,
                      const struct trace_options *options, struct failure *failure)
{
    struct lines lines;

    *trace = (struct trace){ .path = name, .options = *options };
    lines_open_bytes(&lines, name, bytes, length);
    return scan_lines(trace, lines, failure);
}

void trace_free(struct trace *trace)
{
    if (trace->held) {
        memory_free(process_memory(), trace->held->row);
        trace->held = memory_free(process_memory(), trace->held);
    }
}

bool traces_epoch(const struct trace *traces, uint32_t count, int64_t *epoch_ns, struct failure *failure)
{
    const struct trace *first = NULL;
    int64_t last_ns = INT64_MIN;

    *epoch_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_summary *summary = &traces[i].summary;
        if (summary->rows == 0)
            continue;
        if (first && summary->absolute != first->summary.absolute)
            return fail(failure, EXIT_USAGE, traces[i].path, 0,
                        "has %s times and %.300s has not; expected the same kind in all "
                        "traces of a run",
                        summary->absolute ? "absolute" : "relative", first->path);
        if (summary->absolute)
            *epoch_ns = first ? i64_min(*epoch_ns, summary->first_ns) : summary->first_ns;
        last_ns = i64_max(last_ns, summary->last_ns);
        first = first ? first : &traces[i];
    }
    if (first && (i128)last_ns - *epoch_ns > INSTANT_MAX - INT64_C(1000000000))
        return fail(failure, EXIT_USAGE, first->path, 0,
                    "is more than 146 years from another trace; expected times closer "
                    "together");
    return true;
}

struct trace_source {
    struct source source;               /* first: a trace source is a source */
    struct trace_cursor cursor;
};

static uint32_t region_of(const struct trace_cursor *cursor, const struct row *row, uint64_t id)
{
    const struct trace_play *play = &cursor->play;
    bool by_key = play->region_by == REGION_BY_KEY;
    struct stream stream = { .entity = by_key ? row->who : id, .kind = STREAM_REGION };

    if (play->region >= 0)
        return (uint32_t)play->region;
    if (play->region_by == REGION_FIRST || cursor->trace->summary.has_region)
        return row->region;
    return (uint32_t)stream_below(play->seed, stream, play->regions);
}

static bool next_arrival(struct source *self, struct arrival *out)
{
    struct trace_cursor *cursor = &((struct trace_source *)(void *)self)->cursor;
    struct waiting_row next;

    if (trace_cursor_next(cursor, &next) != READ_ITEM)
        return false;
    uint64_t id = (uint64_t)cursor->play.index << TRACE_ID_BITS | next.number;
    *out = (struct arrival){
        .at_ns = next.at_ns,
        .cost = next.row.cost,
        .id = id,
        .surplus = next.row.surplus,
        .key = next.row.who,
        .bucket = next.row.who == next.row.key ? 0 : next.row.key + 1,
        .variant = next.row.variant,
        .region = region_of(cursor, &next.row, id)
    };
    return true;
}

struct trace_source *trace_play(const struct trace *trace, const struct trace_play *play)
{
    struct trace_source *source = process_memory()->resize(process_memory(), NULL, sizeof *source);

    *source = (struct trace_source){ .source = { .next = next_arrival } };
    trace_cursor_open(&source->cursor, trace, play);
    return source;
}

struct source *trace_source(struct trace_source *source)
{
    return &source->source;
}

bool trace_source_failed(const struct trace_source *source, struct failure *failure)
{
    if (source->cursor.failed)
        *failure = source->cursor.failure;
    return source->cursor.failed;
}

void trace_source_free(struct trace_source *source)
{
    trace_cursor_close(&source->cursor);
    memory_free(process_memory(), source);
}
