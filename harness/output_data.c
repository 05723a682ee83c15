/* output_data.c - results for programs: JSON and CSV, each figure of figures[] in its order. */
#include <string.h>
#include "../reports/show.h"
#include "figures.h"
#include "output_private.h"

/* ---- JSON ---- */

void output_json_text(FILE *file, const char *text)
{
    char piece[SHOW_PIECE];
    putc('"', file);
    while (show_piece(&text, SHOW_KEEP_CONTROLS, piece)) {
        unsigned char first = (unsigned char)piece[0];
        if (first < 0x20)
            fprintf(file, "\\u%04x", first);
        else
            for (const char *c = piece; *c; c++)
                fprintf(file, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    putc('"', file);
}

static void json_value(FILE *file, const struct figure *figure, struct figure_value value)
{
    char room[DECIMAL_TEXT];
    const char *text = figure_text(figure->kind, value, room);
    if (!text)
        fputs("null", file);
    else if (figure_is_text(figure->kind))
        output_json_text(file, text);
    else
        fputs(text, file);
}

/* How many figures from the first on make one object: those that share what stands before the dot. */
static unsigned group_size(unsigned first, size_t *prefix)
{
    const char *dot = strchr(figures[first].path, '.');
    unsigned next = first + 1;
    *prefix = dot ? (size_t)(dot - figures[first].path) + 1 : 0;
    while (dot && next < figure_count && !strncmp(figures[next].path, figures[first].path, *prefix))
        next++;
    return next - first;
}

/* A window and a split by cause are one thing each: it is there, or it is null.  Other groups are names for
 * figures of their own. */
static bool is_null(const struct figure *figure, size_t prefix, const struct result *result)
{
    static const char *const whole[] = { "worst_window.", "excess_by_cause.", "over_admitted_by_cause." };

    for (unsigned i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (strlen(whole[i]) == prefix && !strncmp(figure->path, whole[i], prefix))
            return figure->get(result).null;
    return false;
}

/* "worst_window": {"cost": 20, ...} */
static void json_group(FILE *file, const struct figure *figure, unsigned count, size_t prefix,
                       const struct result *result)
{
    fprintf(file, "\"%.*s\": ", (int)prefix - 1, figure->path);
    if (is_null(figure, prefix, result)) {
        fputs("null", file);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        fprintf(file, "%s\"%s\": ", i ? ", " : "{", figure[i].path + prefix);
        json_value(file, &figure[i], figure[i].get(result));
    }
    putc('}', file);
}

static void json_row(struct output *output, const struct result *result)
{
    FILE *file = output->file;
    fputs(output->rows ? ",\n  {" : "\n  {", file);
    for (unsigned i = 0, size; i < figure_count; i += size) {
        size_t prefix;
        size = group_size(i, &prefix);
        fputs(i ? ", " : "", file);
        if (prefix) {
            json_group(file, &figures[i], size, prefix, result);
        } else {
            fprintf(file, "\"%s\": ", figures[i].path);
            json_value(file, &figures[i], figures[i].get(result));
        }
    }
    putc('}', file);
}

/* One number, or a list when there are several limits. */
static void json_limits(FILE *file, const struct experiment *experiment, int64_t instead)
{
    bool list = experiment->limits > 1 && !instead;
    fputs(list ? "[" : "", file);
    for (unsigned i = 0; i < (list ? experiment->limits : 1); i++)
        fprintf(file, "%s%lld", i ? ", " : "", (long long)(instead ? instead : experiment->limit[i]));
    fputs(list ? "]" : "", file);
}

static void json_ceiling(FILE *file, const struct experiment *e)
{
    const struct ceiling *c = &e->ceiling;
    if (c->limit)
        fprintf(file, ",\n \"ceiling\": {\"limit\": %lld, \"period_ns\": %lld, \"burst\": %lld}",
                (long long)c->limit, (long long)(c->period_ns ? c->period_ns : e->period_ns),
                (long long)(c->burst ? c->burst : c->limit));
}

static void json_begin(struct output *output)
{
    const struct experiment *e = output->experiment;
    const struct target *t = &e->target;
    FILE *file = output->file;
    fputs("{\"schema\": 1,\n \"policy\": {\"limit\": ", file);
    json_limits(file, e, 0);
    fprintf(file, ", \"period_ns\": %lld, \"burst\": ", (long long)e->period_ns);
    json_limits(file, e, e->burst);
    fprintf(file, "},\n \"target\": \"%s\",\n", t->kind == TARGET_CURVE ? "curve" : "window");
    fputs(" \"target_policy\": {\"limit\": ", file);
    json_limits(file, e, t->limit);
    int64_t period_ns = t->period_ns ? t->period_ns : e->period_ns;
    fprintf(file, ", \"period_ns\": %lld, \"burst\": ", (long long)period_ns);
    json_limits(file, e, t->burst ? t->burst : e->burst);
    putc('}', file);
    json_ceiling(file, e);
    fputs(",\n \"results\": [", file);
}

static void json_end(struct output *output)
{
    fputs(output->rows ? "\n ]}\n" : "]}\n", output->file);
}

const struct output_writer output_json = { "json", json_begin, json_row, json_end };

/* ---- CSV (RFC 4180: lines end with CR LF, quotes are doubled) ---- */

static void csv_field(FILE *file, const char *text)
{
    char piece[SHOW_PIECE];
    bool quoted = text[strcspn(text, "\",\r\n")] != '\0';
    fputs(quoted ? "\"" : "", file);
    while (show_piece(&text, SHOW_KEEP_CONTROLS, piece))
        fputs(piece[0] == '"' ? "\"\"" : piece, file);
    fputs(quoted ? "\"" : "", file);
}

static void csv_begin(struct output *output)
{
    for (unsigned i = 0; i < figure_count; i++)
        fprintf(output->file, "%s%s", i ? "," : "", figures[i].path);
    fputs("\r\n", output->file);
}

static void csv_row(struct output *output, const struct result *result)
{
    for (unsigned i = 0; i < figure_count; i++) {
        char room[DECIMAL_TEXT];
        const char *text = figure_text(figures[i].kind, figures[i].get(result), room);
        fputs(i ? "," : "", output->file);
        csv_field(output->file, text ? text : "");
    }
    fputs("\r\n", output->file);
}

static void csv_end(struct output *output)
{
    (void)output;
}

const struct output_writer output_csv = { "csv", csv_begin, csv_row, csv_end };
