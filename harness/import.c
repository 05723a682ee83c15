/* import.c - see import.h.  Records of texts (import_reader.h) become rows of a trace (import_row.h), which
 * are counted here. */
#include "import.h"
#include <inttypes.h>
#include "../engine/limiter.h"
#include "accesslog.h"
#include "import_row.h"
#include "outfile.h"

#define SECOND_NS INT64_C(1000000000)

enum { BAD_LINES_SHOWN = 5 };

const char *const import_kinds[] = { "combined", "common", "jsonl", "csv", NULL };

static const struct import_format *const formats[] = {
    [IMPORT_COMBINED] = &import_combined, [IMPORT_JSONL] = &import_json, [IMPORT_CSV] = &import_csv
};

bool import_kind_parse(const char *name, enum import_kind *kind)
{
    static const enum import_kind of[] = { IMPORT_COMBINED, IMPORT_COMBINED, IMPORT_JSONL, IMPORT_CSV };

    for (int i = 0; import_kinds[i]; i++) {
        if (strcmp(import_kinds[i], name) == 0) {
            *kind = of[i];
            return true;
        }
    }
    return false;
}

/* ---- options ---- */

static bool bad_option(struct failure *failure, const char *what)
{
    return fail(failure, EXIT_USAGE, NULL, 0, "%s", what);
}

static const char *field_name(const char *option)
{
    return option && *option != '=' ? option : NULL;
}

static bool bad_sum(struct failure *failure, const char *name, const char *what)
{
    return fail(failure, EXIT_USAGE, NULL, 0, "--%s has %s", name, what);
}

/* The parts of "A+B" are the fields from `first` on. */
static bool split_sum(struct import_reader *reader, const char *option_name, const char *sum, int first,
                      struct failure *failure)
{
    const char *option = field_name(sum);
    int field = first;

    if (option == NULL)
        return true;
    for (char *name = arena_text(&reader->texts, option), *plus; name; name = plus ? plus + 1 : NULL) {
        plus = strchr(name, '+');
        if (plus)
            *plus = '\0';
        if (*name == '\0')
            return bad_sum(failure, option_name, "an empty part; expected FIELD, FIELD+FIELD or =NUMBER");
        if (field == first + COST_PARTS_MAX)
            return bad_sum(failure, option_name, "more than 16 parts; expected fewer");
        reader->name[field++] = name;
        if (plus == NULL)
            break;
    }
    return true;
}

static bool check_constant(const char *name, const char *cost, struct failure *failure)
{
    int64_t unused;

    if (cost && *cost == '=' && parse_count(cost + 1, 0, COST_MAX, &unused) != NULL)
        return fail(failure, EXIT_USAGE, NULL, 0,
                    "--%s \"%.100s\" is not usable; expected a whole number of at least 0", name, cost);
    return true;
}

static bool choose_unit(struct import *import, struct failure *failure)
{
    static const struct time_unit units[] = {
        { "s", SECOND_NS, 0 }, { "ms", 1000000, 3 }, { "us", 1000, 6 }, { "ns", 1, 9 }
    };
    const char *name = import->reader.options->time_unit;

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(name ? name : "s", units[i].name) == 0)
            import->unit = &units[i];
    }
    return import->unit
           || fail(failure, EXIT_USAGE, NULL, 0,
                   "--time-unit \"%.100s\" is not known; expected s, ms, us or ns", name);
}

static bool choose_fields(struct import_reader *reader, struct failure *failure)
{
    const struct import_options *options = reader->options;

    if (reader->format->times_own) {
        if (options->time || field_name(options->key) || field_name(options->cost)
            || field_name(options->used) || field_name(options->region))
            return bad_option(failure, "an access log has its own time and key; expected at most constants, "
                                       "as --region =eu-west-1");
        return true;
    }
    reader->name[FIELD_TIME] = options->time;
    reader->name[FIELD_KEY] = field_name(options->key);
    reader->name[FIELD_REGION] = field_name(options->region);
    return split_sum(reader, "cost", options->cost, FIELD_COST, failure)
        && split_sum(reader, "used", options->used, FIELD_USED, failure);
}

/* By the first character, or any of the first ten lines. */
static enum import_kind detect_kind(const char *text)
{
    text += strspn(text, " \t\r\n\xef\xbb\xbf");
    if (*text == '{')
        return IMPORT_JSONL;
    for (int i = 0; i < 10; i++) {
        if (access_begins(text))
            return IMPORT_COMBINED;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return IMPORT_CSV;
}

/* ---- counting ---- */

static void count_places(struct import *import, const struct import_row *row)
{
    struct import_summary *summary = import->summary;
    uint32_t known = import->keys.count;
    uint32_t key = row->key.text ? key_intern(&import->keys, row->key.text, row->key.length)
                                 : key_intern_text(&import->keys, "all");
    uint32_t region =
        row->region.text ? key_intern(&import->regions, row->region.text, row->region.length) : 0;

    import->place =
        memory_grow(process_memory(), import->place, &import->places, (size_t)key + 1, sizeof *import->place);
    struct key_places *place = &import->place[key];
    if (key == known)
        place->first_region = region;
    else if (place->first_region != region && !place->several) {
        place->several = true;
        summary->keys_in_several_regions++;
    }
    summary->keys = import->keys.count;
    summary->regions = import->regions.count;
}

static void count_time(struct import *import, const struct import_row *row)
{
    struct import_summary *summary = import->summary;

    if (summary->rows == 0)
        summary->first_ns = summary->last_ns = import->before_ns = row->t_ns;
    summary->first_ns = i64_min(summary->first_ns, row->t_ns);
    summary->last_ns = i64_max(summary->last_ns, row->t_ns);
    summary->rows_out_of_order += row->t_ns < import->before_ns;
    summary->late_ns = i64_max(summary->late_ns, i64_clamp((i128)summary->last_ns - row->t_ns));
    summary->precision_ns = precision_refined(summary->precision_ns, row->t_ns, row->absolute, row->places);
    import->before_ns = row->t_ns;
}

static bool count_row(struct import *import, const struct import_row *row, struct failure *failure)
{
    struct import_summary *summary = import->summary;

    count_places(import, row);
    summary->total_cost += row->cost < 0 ? -row->cost : row->cost;
    if (summary->total_cost > TOTAL_COST_MAX)
        return fail(failure, EXIT_USAGE, import->reader.lines->name, import->reader.lines->line,
                    "brings the costs to more than 2^62; expected smaller costs");
    count_time(import, row);
    summary->absolute = row->absolute;
    summary->rows++;
    summary->lines++;
    return true;
}

/* ---- all of it ---- */

static void note_bad_line(struct import *import, const struct failure *failure)
{
    struct import_summary *summary = import->summary;
    FILE *notes = import->reader.options->notes;

    if (notes && summary->bad_lines < BAD_LINES_SHOWN)
        fprintf(notes, "%s: skipped\n", failure->line);
    summary->bad_lines += import->reader.record_lines;
    summary->lines += import->reader.record_lines;
}

static bool import_records(struct import *import, struct failure *failure)
{
    enum reading reading;

    while ((reading = import->reader.format->next(&import->reader, failure)) == READ_ITEM
           || reading == READ_BAD) {
        struct import_row row = { 0 };
        if (reading == READ_BAD || !import_read_row(import, &row, failure)) {
            note_bad_line(import, failure);
            continue;
        }
        import_write_row(import, &row);
        if (!count_row(import, &row, failure))
            return false;
    }
    return reading == READ_END;
}

static bool accept_bad_lines(const struct import *import, struct failure *failure)
{
    const struct import_summary *summary = import->summary;
    const struct import_options *options = import->reader.options;

    if (summary->lines == 0)
        return fail(failure, EXIT_USAGE, import->reader.lines->name, 0,
                    "has no lines to import; expected at least one");
    if ((i128)summary->bad_lines * SECOND_NS <= (i128)summary->lines * options->max_bad_billionths)
        return true;
    char share[64];
    snprintf(share, sizeof share, "%" PRIu64 " of %" PRIu64, summary->bad_lines, summary->lines);
    return fail(failure, EXIT_USAGE, import->reader.lines->name, 0,
                "read as %s has %s lines that cannot be read; expected another "
                "--input, other fields or a higher --max-bad",
                import->reader.format->name, share);
}

static bool import_open(struct import *import, struct failure *failure)
{
    struct import_reader *reader = &import->reader;
    enum import_kind kind = reader->options->kind;

    if (kind == IMPORT_DETECT)
        kind = detect_kind(lines_peek(reader->lines));
    import->summary->kind = kind;
    reader->format = formats[kind];
    return choose_unit(import, failure) && check_constant("cost", reader->options->cost, failure)
        && check_constant("used", reader->options->used, failure)
        && choose_fields(reader, failure) && reader->format->open(reader, failure);
}

static bool import_lines(const struct import_options *options, struct lines *lines, FILE *to,
                         struct import_summary *summary, struct failure *failure)
{
    struct import import = { .reader = { .options = options, .lines = lines }, .summary = summary, .to = to };

    *summary = (struct import_summary){ .precision_ns = SECOND_NS };
    bool good = import_open(&import, failure) && import_records(&import, failure)
                && accept_bad_lines(&import, failure);
    if (good && summary->rows == 0)
        import_write_header(&import, true);
    if (import.reader.format)
        import.reader.format->close(&import.reader);
    arena_free(&import.reader.texts);
    keys_free(&import.keys);
    keys_free(&import.regions);
    memory_free(process_memory(), import.place);
    return good;
}

bool import_bytes(const struct import_options *options, const void *bytes, size_t length, FILE *to,
                  struct import_summary *summary, struct failure *failure)
{
    struct lines lines;

    lines_open_bytes(&lines, options->path, bytes, length);
    bool good = import_lines(options, &lines, to, summary, failure);
    lines_close(&lines);
    return good;
}

static void print_lines(const struct import_options *options, const struct import_summary *summary)
{
    char late[UNITS_TEXT];

    fprintf(options->notes, "%s%s: %" PRIu64 " lines, %" PRIu64 " rows, %" PRIu64 " skipped", options->path,
            options->kind == IMPORT_DETECT ? formats[summary->kind]->taken_for : "", summary->lines,
            summary->rows, summary->bad_lines);
    if (summary->rows_out_of_order > 0)
        fprintf(options->notes, ", %" PRIu64 " earlier than the line before (by up to %s; a trace may be so)",
                summary->rows_out_of_order, duration_text(summary->late_ns, late));
    putc('\n', options->notes);
}

static void print_summary(const struct import_options *options, const struct import_summary *summary)
{
    FILE *notes = options->notes;
    char span[UNITS_TEXT], precision[UNITS_TEXT];
    int64_t span_ns = i64_clamp((i128)summary->last_ns - summary->first_ns);

    if (notes == NULL)
        return;
    span_ns -= span_ns > SECOND_NS ? span_ns % SECOND_NS : 0;
    print_lines(options, summary);
    fprintf(notes, "%" PRIu32 " key%s", summary->keys, summary->keys == 1 ? "" : "s");
    if (summary->regions > 0)
        fprintf(notes, " in %" PRIu32 " region%s, %" PRIu32 " (%d%%) active in more than one",
                summary->regions, summary->regions == 1 ? "" : "s", summary->keys_in_several_regions,
                summary->keys ? (int)((uint64_t)summary->keys_in_several_regions * 100 / summary->keys) : 0);
    fprintf(notes, "; %s times over %s, precise to %s\n", summary->absolute ? "absolute" : "relative",
            duration_text(span_ns, span), duration_text(summary->precision_ns, precision));
    if (formats[summary->kind]->times_own)
        fputs("a log may note when a request was answered, not when it came: nginx does, Apache's %t does "
              "not\n",
              notes);
}

bool import_run(const struct import_options *options, struct import_summary *summary, struct failure *failure)
{
    struct lines lines;
    struct outfile out;

    if (!lines_open(&lines, options->path, failure))
        return false;
    bool opened = outfile_open(&out, options->output, failure);
    bool good = opened && import_lines(options, &lines, out.stream, summary, failure);
    lines_close(&lines);
    if (opened && !good)
        outfile_abandon(&out);
    if (good)
        good = outfile_commit(&out, failure);
    if (good)
        print_summary(options, summary);
    return good;
}
