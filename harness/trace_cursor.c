/* trace_cursor.c - see trace_cursor.h. */
#include "trace_cursor.h"
#include "../engine/stream.h"

static void cursor_failed(struct trace_cursor *cursor)
{
    cursor->failed = true;
    cursor->reading = false;
}

void trace_cursor_open(struct trace_cursor *cursor, const struct trace *trace, const struct trace_play *play)
{
    *cursor = (struct trace_cursor){ .trace = trace, .play = *play, .reading = true, .last_ns = INT64_MIN };
    cursor->horizon_ns = INT64_MIN;
    if (trace->held == NULL && !rows_open(&cursor->rows, trace->path, &trace->options, &cursor->failure))
        cursor_failed(cursor);
}

static enum reading next_held(struct trace_cursor *cursor, struct row *row)
{
    const struct held_rows *held = cursor->trace->held;

    if (cursor->next_row == held->count)
        return READ_END;
    *row = held->row[cursor->next_row];
    return READ_ITEM;
}

static enum reading next_read(struct trace_cursor *cursor, struct row *row)
{
    enum reading reading;

    do
        reading = rows_next(&cursor->rows, row, &cursor->failure);
    while (reading == READ_BAD);
    return reading;
}

/* What the scan found out must still be true: it bounds what the run computes. */
static bool is_unchanged(struct trace_cursor *cursor, enum reading reading, const struct row *row)
{
    const struct trace_summary *summary = &cursor->trace->summary;

    if (reading == READ_END)
        return cursor->next_row == summary->rows;
    cursor->cost += row_size(row);
    return cursor->next_row < summary->rows && row->t_ns >= summary->first_ns && row->t_ns <= summary->last_ns
        && cursor->cost <= summary->total_cost;
}

static int64_t spread_ns(const struct trace_cursor *cursor, uint64_t id)
{
    struct stream stream = { .entity = id, .kind = STREAM_SPREAD };

    return (int64_t)stream_below(cursor->play.seed, stream, (uint64_t)cursor->trace->summary.precision_ns);
}

/* Takes one more row in, so that the horizon moves on. */
static void take_in(struct trace_cursor *cursor)
{
    const struct trace_summary *summary = &cursor->trace->summary;
    struct waiting_row next = { .number = cursor->next_row };
    enum reading reading = cursor->trace->held ? next_held(cursor, &next.row) : next_read(cursor, &next.row);

    if (reading == READ_FAILED) {
        cursor_failed(cursor);
        return;
    }
    if (!is_unchanged(cursor, reading, &next.row)) {
        fail(&cursor->failure, EXIT_USAGE, cursor->trace->path, 0,
             "changed while it was in use; expected a file at rest");
        cursor_failed(cursor);
        return;
    }
    if (reading == READ_END) {
        cursor->reading = false;
        return;
    }
    int64_t at_ns = next.row.t_ns - (summary->absolute ? cursor->play.epoch_ns : 0);
    next.at_ns = at_ns;
    if (cursor->play.spread)
        next.at_ns += spread_ns(cursor, (uint64_t)cursor->play.index << TRACE_ID_BITS | next.number);
    cursor->horizon_ns = i64_max(cursor->horizon_ns, at_ns - summary->late_ns);
    cursor->next_row++;
    reorder_put(&cursor->reorder, &next);
}

/* Every row to come lies at the horizon or later, and behind those that wait there. */
enum reading trace_cursor_next(struct trace_cursor *cursor, struct waiting_row *out)
{
    const struct waiting_row *first = reorder_first(&cursor->reorder);

    while (cursor->reading && (first == NULL || first->at_ns > cursor->horizon_ns)) {
        take_in(cursor);
        first = reorder_first(&cursor->reorder);
    }
    if (cursor->failed)
        return READ_FAILED;
    if (first == NULL)
        return READ_END;
    *out = reorder_take(&cursor->reorder);
    if (out->at_ns < cursor->last_ns) {
        fail(&cursor->failure, EXIT_USAGE, cursor->trace->path, 0,
             "changed while it was in use; expected a file at rest");
        cursor_failed(cursor);
        return READ_FAILED;
    }
    cursor->last_ns = out->at_ns;
    return READ_ITEM;
}

void trace_cursor_close(struct trace_cursor *cursor)
{
    reorder_free(&cursor->reorder);
    if (cursor->trace->held == NULL)
        rows_close(&cursor->rows);
}
