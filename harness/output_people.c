/* output_people.c - results for people: a table of at most 100 columns, Markdown, and one design in depth. */
#include <string.h>
#include "../reports/columns.h"
#include "figures.h"
#include "output_private.h"
#include "units.h"

enum { PAGE_COLUMNS = 100, NAME_LEAST = 6, WORD_ROOM = 4 * PAGE_COLUMNS + 4 };

static const char *const red = "\x1b[31m", *const green = "\x1b[32m", *const plain = "\x1b[0m";

/* ---- keeping what a row needs ---- */

/* The text as show.h has it, made to last. */
static const char *shown(struct output *output, const char *text)
{
    size_t room = 4 * strlen(text) + 1;
    return show_text(text, SHOW_ESCAPED, arena_alloc(&output->arena, room), room);
}

static int64_t kept_ratio(struct decimal value)
{
    return value.null ? -1 : i64_clamp(value.billionths);
}

static struct standing standing_of(const struct output *output, const struct result *r)
{
    const struct experiment *e = output->experiment;
    struct standing standing = standing_from(&(struct tally){
        .requests = r->requests, .admitted = r->admitted, .failed = r->failed,
        .over_admitted = r->over_admitted, .ideal_admitted = r->ideal_admitted,
        .store_operations = r->store_reads + r->store_writes,
        .keeps_target = result_keeps_target(r) && r->ceiling.over_admitted == 0,
    });
    standing.qualifies = result_qualifies(r, e->require, e->requires);
    standing.p50_ns = r->latency_ns.p50;
    standing.p99_ns = r->latency_ns.p99;
    return standing;
}

/* Parts that no picture could tell apart are cut, so that no sum of them overflows. */
static struct blame blame_of(const struct causes *causes)
{
    const i128 most = (i128)1 << 57;
    struct blame blame = { .known = causes->known };
    _Static_assert((int)BLAME_CAUSES == (int)CAUSES, "the same causes in the same order");
    for (unsigned i = 0; i < CAUSES; i++)
        blame.part[i] = (int64_t)i128_max(-most, i128_min(most, causes->excess[i].billionths));
    return blame;
}

/* Seeds and limits of one design come one after the other. */
static void keep_over_ceiling(struct output *output, const struct result *r)
{
    const char *before = output->over_ceiling, *name = shown(output, r->design);
    if (r->ceiling.over_admitted == 0 || (before && strcmp(output->over_last, name) == 0))
        return;
    output->over_last = name;
    output->over_ceiling = arena_format(&output->arena, "%s%s%s", before ? before : "Over the ceiling: ",
                                        before ? ", " : "", name);
}

static void keep_row(struct output *output, const struct result *r)
{
    keep_over_ceiling(output, r);
    output->contender = memory_grow(process_memory(), output->contender, &output->room,
                                    output->contenders + 1, sizeof *output->contender);
    output->contender[output->contenders++] = (struct contender){
        .design = shown(output, r->design), .label = shown(output, r->label),
        .parameters = shown(output, r->parameters), .limit = r->limit,
        .requests = r->requests, .failed = r->failed, .over_admitted = r->over_admitted,
        .lost_updates = r->lost_updates, .retries = r->retries,
        .boundary_burst = kept_ratio(r->boundary_burst),
        .worst_window = r->worst_window.key ? kept_ratio(r->worst_window.ratio) : -1,
        .blame = blame_of(&r->causes), .row = standing_of(output, r),
    };
}

/* ---- words, lines ---- */

static void print_padded(FILE *file, const char *text, unsigned width, bool right)
{
    int blanks = (int)(width - show_columns(text));
    fprintf(file, "%*s%s%*s", right ? blanks : 0, "", text, right ? 0 : blanks, "");
}

/* A shown text in lines of at most 100 columns, first from column `at`, then from `indent` on; words too long
 * for one line lose their middle. */
static void print_wrapped_from(struct output *output, unsigned at, const char *text, unsigned indent)
{
    FILE *file = output->file;
    while (*(text += strspn(text, " ")) != '\0') {
        size_t bytes = strcspn(text, " ");
        char *whole = arena_format(&output->arena, "%.*s", (int)bytes, text), word[WORD_ROOM];
        show_elided(whole, PAGE_COLUMNS - indent, word, sizeof word);
        unsigned wide = show_columns(word);
        bool fits = at && at + 1 + wide <= PAGE_COLUMNS;
        fprintf(file, "%s%*s%s", fits || !at ? "" : "\n", fits ? 1 : (int)indent, "", word);
        at = fits ? at + 1 + wide : indent + wide;
        text += bytes;
    }
    putc('\n', file);
}

static void print_wrapped(struct output *output, const char *text, unsigned indent)
{
    print_wrapped_from(output, 0, text, indent);
}

/* Each line of a shown text on its own. */
static void print_lines(struct output *output, const char *text)
{
    while (*text) {
        size_t bytes = strcspn(text, "\n");
        print_wrapped(output, arena_format(&output->arena, "%.*s", (int)bytes, text), 0);
        text += bytes + (text[bytes] == '\n');
    }
}

/* ---- what was asked: policy, target, seeds ---- */

static const char *limits_text(struct output *output)
{
    const struct experiment *e = output->experiment;
    const char *text = "";
    for (unsigned i = 0; i < e->limits; i++)
        text = arena_format(&output->arena, "%s%s%lld", text, i ? ", " : "", (long long)e->limit[i]);
    return text;
}

static const char *policy_text(struct output *output)
{
    const struct experiment *e = output->experiment;
    const char *burst = e->burst ? arena_format(&output->arena, "%lld", (long long)e->burst) : "as the limit";
    char period[UNITS_TEXT];
    return arena_format(&output->arena, "%s per %s, burst %s", limits_text(output),
                        duration_text(e->period_ns, period), burst);
}

/* "limit 50, period 60s": what of the target is not as the policy; "" when nothing is. */
static const char *target_differences(struct output *output)
{
    const struct target *t = &output->experiment->target;
    const char *text = "";
    char period[UNITS_TEXT];
    if (t->limit)
        text = arena_format(&output->arena, " with limit %lld", (long long)t->limit);
    if (t->period_ns)
        text = arena_format(&output->arena, "%s with period %s", text, duration_text(t->period_ns, period));
    if (t->burst)
        text = arena_format(&output->arena, "%s with burst %lld", text, (long long)t->burst);
    return text;
}

static const char *target_text(struct output *output)
{
    bool curve = output->experiment->target.kind == TARGET_CURVE;
    return arena_format(&output->arena, "%s%s", curve ? "curve (never more than burst + rate * t)"
                                                      : "window (at most the limit in any period)",
                        target_differences(output));
}

static const char *require_text(struct output *output)
{
    const struct experiment *e = output->experiment;
    const char *text = e->requires ? "" : "the target is kept, every request decided";
    for (unsigned i = 0; i < e->requires; i++)
        text = arena_format(&output->arena, "%s%s%s", text, i ? " and " : "", e->require[i].text);
    return shown(output, text);
}

static const char *head_text(struct output *output)
{
    const struct experiment *e = output->experiment;
    const char *seeds = arena_format(&output->arena, "seed %llu", (unsigned long long)e->first_seed);
    if (e->last_seed != e->first_seed)
        seeds = arena_format(&output->arena, "seeds %llu..%llu%s", (unsigned long long)e->first_seed,
                             (unsigned long long)e->last_seed,
                             output->writer == &output_in_depth ? "" : " (each figure is the worst of them)");
    return arena_format(&output->arena, "policy: %s; target: %s; qualifies: %s; %s", policy_text(output),
                        target_text(output), require_text(output), seeds);
}

/* A text whose line breaks stay. */
static const char *shown_lines(struct output *output, const char *text)
{
    const char *all = "";
    for (size_t bytes; *text; text += bytes + (text[bytes] == '\n')) {
        bytes = strcspn(text, "\n");
        const char *line = shown(output, arena_format(&output->arena, "%.*s", (int)bytes, text));
        all = arena_format(&output->arena, "%s%s\n", all, line);
    }
    return all;
}

static void print_head(struct output *output)
{
    const struct experiment *e = output->experiment;
    if (e->title && *e->title)
        print_wrapped(output, shown(output, e->title), 0);
    print_wrapped(output, head_text(output), 0);
    if (output->options->setting)
        print_lines(output, shown_lines(output, output->options->setting));
}

/* ---- the table ---- */

/* A design that is there twice, "as logged" and "spread", has its name once and the second label below it. */
static const char *row_name(struct output *output, const struct contender *list, size_t count, size_t i)
{
    const struct contender *c = &list[i];
    if (i > 0 && *c->label && strcmp(list[i - 1].design, c->design) == 0)
        return arena_format(&output->arena, "  %s", c->label);
    bool twin_follows = i + 1 < count && strcmp(list[i + 1].design, c->design) == 0;
    return *c->label && !twin_follows ? arena_format(&output->arena, "%s %s", c->design, c->label)
                                      : c->design;
}

/* What the other columns leave. */
static unsigned name_most(void)
{
    unsigned left = PAGE_COLUMNS - 2;
    for (unsigned i = 0; i < column_count; i++)
        left -= columns[i].width > 0 ? columns[i].width + 1 : 0;
    return left;
}

static unsigned name_width(struct output *output, const struct contender *list, size_t count)
{
    unsigned width = NAME_LEAST;
    for (size_t i = 0; i < count; i++) {
        unsigned columns_taken = show_columns(row_name(output, list, count, i));
        width = columns_taken > width ? columns_taken : width;
    }
    return width < name_most() ? width : name_most();
}

static void print_headings(FILE *file, unsigned width)
{
    for (unsigned line = 0; line < 2; line++) {
        fprintf(file, "  %-*s", (int)width, line ? "design" : "");
        for (unsigned i = 0; i < column_count; i++)
            if (columns[i].width > 0)
                fprintf(file, " %*s", (int)columns[i].width, columns[i].head[line]);
        putc('\n', file);
    }
}

static void print_row(struct output *output, const struct contender *c, const char *full_name, unsigned width)
{
    FILE *file = output->file;
    bool colour = output->options->colour, good = c->row.qualifies;
    char name[WORD_ROOM];
    show_elided(full_name, width, name, sizeof name);
    fprintf(file, "%s%s%s ", colour ? (good ? green : red) : "", good ? "✓" : "✗", colour ? plain : "");
    print_padded(file, name, width, false);
    for (unsigned i = 0; i < column_count; i++) {
        char cell[SHOW_NUMBER], fitting[WORD_ROOM];
        if (columns[i].width == 0)
            continue;
        putc(' ', file);
        print_padded(file, show_elided(columns[i].cell(c, cell), columns[i].width, fitting, sizeof fitting),
                     columns[i].width, true);
    }
    putc('\n', file);
}

/* What the table cannot hold: full names and all parameters. */
static void print_parameters(struct output *output, const struct contender *list, size_t count)
{
    fputs("\nParameters, all of them:\n", output->file);
    for (size_t i = 0; i < count; i++) {
        const char *given = *list[i].parameters ? list[i].parameters : "none";
        char whose[CONTENDER_SENTENCE];
        if (*contenders_parameters_of(list, count, i, whose))
            print_wrapped(output, arena_format(&output->arena, "%s: %s", whose, given), 2);
    }
}

static void print_advice(struct output *output, const struct contender *list, size_t count)
{
    char sentence[CONTENDER_SENTENCE];
    for (size_t i = 0; i < count; i++)
        print_lines(output, contender_undecided(&list[i], sentence));
    print_lines(output, contenders_pick(list, count, sentence));
    if (contenders_need_window_note(list, count))
        print_wrapped(output, contenders_window_note, 0);
}

static void print_one_limit(struct output *output, const struct contender *list, size_t count)
{
    unsigned width = name_width(output, list, count);
    putc('\n', output->file);
    if (output->experiment->limits > 1)
        fprintf(output->file, "limit %lld\n", (long long)list->limit);
    print_headings(output->file, width);
    for (size_t i = 0; i < count; i++)
        print_row(output, &list[i], row_name(output, list, count, i), width);
    putc('\n', output->file);
    print_advice(output, list, count);
}

static const char legend[] =
    "✓ qualifies (--require replaces: keeps the target, decides every request). Best first: the fewest "
    "wrong admissions and refusals (together up to 1% of what the ideal admits count as none), then speed. "
    "bnd. burst: 1 keeps burst + rate * t, 2 is the textbook double. "
    "worst window: the most admitted in any period, over the limit. of ideal: admitted, of what the same "
    "limiter alone would admit. lost upd.: writes that overwrote what their writer had not read. "
    "store op/rq: store operations a request.";

static const char twice[] =
    "Each design is there twice: as logged, and below it with arrivals spread at random inside the precision "
    "of the log's clock, which is coarser than the network.";

static void table_end(struct output *output)
{
    struct contender *list = output->contender;
    size_t count = contenders_rank(list, output->contenders), same;
    for (size_t first = 0; first < count; first += same) {
        same = contenders_of_one_limit(list + first, count - first);
        print_one_limit(output, list + first, same);
    }
    if (!count) {
        fputs("\nno results\n", output->file);
        return;
    }
    putc('\n', output->file);
    print_wrapped(output, legend, 0);
    print_wrapped(output, blame_legend, 0);
    if (*list->label)
        print_wrapped(output, twice, 0);
    if (output->over_ceiling)
        print_wrapped(output, output->over_ceiling, 0);
    print_parameters(output, list, count);
}

const struct output_writer output_table = { "table", print_head, keep_row, table_end };

/* ---- Markdown ---- */

/* A backslash before each sign of a shown text that Markdown or HTML could take for its own. */
static void print_markdown(FILE *file, const char *text)
{
    for (; *text; text++)
        fprintf(file, strchr("\\`*_{}[]<>()#|&!~$", *text) ? "\\%c" : "%c", *text);
}

static void markdown_begin(struct output *output)
{
    print_markdown(output->file, head_text(output));
    putc('\n', output->file);
}

static void markdown_headings(FILE *file)
{
    fputs("\n| | design |", file);
    for (unsigned i = 0; i < column_count; i++)
        fprintf(file, " %s |", columns[i].name);
    fputs("\n|---|---|", file);
    for (unsigned i = 0; i < column_count; i++)
        fputs("---:|", file);
    putc('\n', file);
}

static void markdown_row(struct output *output, const struct contender *c)
{
    FILE *file = output->file;
    fprintf(file, "| %s | ", c->row.qualifies ? "✓" : "✗");
    print_markdown(file, *c->label ? arena_format(&output->arena, "%s %s", c->design, c->label) : c->design);
    for (unsigned i = 0; i < column_count; i++) {
        char cell[SHOW_NUMBER];
        fputs(" | ", file);
        print_markdown(file, columns[i].cell(c, cell));
    }
    fputs(" |\n", file);
}

static void markdown_one_limit(struct output *output, const struct contender *list, size_t count)
{
    char sentence[CONTENDER_SENTENCE];
    if (output->experiment->limits > 1)
        fprintf(output->file, "\n### limit %lld\n", (long long)list->limit);
    markdown_headings(output->file);
    for (size_t i = 0; i < count; i++)
        markdown_row(output, &list[i]);
    putc('\n', output->file);
    for (size_t i = 0; i < count; i++)
        if (*contender_undecided(&list[i], sentence)) {
            print_markdown(output->file, sentence);
            fputs("\n\n", output->file);
        }
    print_markdown(output->file, contenders_pick(list, count, sentence));
    putc('\n', output->file);
}

static void markdown_end(struct output *output)
{
    struct contender *list = output->contender;
    size_t count = contenders_rank(list, output->contenders), same;
    for (size_t first = 0; first < count; first += same) {
        same = contenders_of_one_limit(list + first, count - first);
        markdown_one_limit(output, list + first, same);
    }
}

const struct output_writer output_markdown = { "markdown", markdown_begin, keep_row, markdown_end };

/* ---- one design in depth ---- */

static const char *figure_shown(struct output *output, const struct figure *figure,
                                const struct result *result, char room[DECIMAL_TEXT])
{
    struct figure_value value = figure->get(result);
    _Static_assert((int)DECIMAL_TEXT >= (int)SHOW_NUMBER, "a shown number fits where a decimal does");
    if (figure->kind == FIGURE_SPAN_NS && !value.null)
        return show_span(i64_clamp(value.billionths / 1000000000), room);
    const char *text = figure_text(figure->kind, value, room);
    return text ? shown(output, text) : "-";
}

static void print_refused(struct output *output, const struct result *r)
{
    FILE *file = output->file;
    if (r->refused_top[0].key)
        fputs("  refused most:\n", file);
    for (unsigned i = 0; i < REFUSED_TOP && r->refused_top[i].key; i++) {
        char key[WORD_ROOM];
        fprintf(file, "  %12llu  %s\n", (unsigned long long)r->refused_top[i].denied,
                show_elided(shown(output, r->refused_top[i].key), PAGE_COLUMNS - 20, key, sizeof key));
    }
}

static void print_verdicts(struct output *output, const struct result *r)
{
    const struct experiment *e = output->experiment;
    FILE *file = output->file;
    print_wrapped(output, shown(output, arena_format(&output->arena, "%s %s", r->design, r->label)), 0);
    print_wrapped(output, arena_format(&output->arena, "parameters: %s", shown(output, r->parameters)), 2);
    const char *kept = r->promise_kept ? "kept" : "BROKEN";
    const char *promise = arena_format(&output->arena, "promise %s: %s", kept, r->promise ? r->promise : "");
    print_wrapped(output, shown(output, promise), 2);
    bool good = result_qualifies(r, e->require, e->requires);
    fputs(good ? "  ✓ qualifies\n" : "  ✗ does not qualify\n", file);
}

static void print_figure(struct output *output, const struct figure *figure, const struct result *r)
{
    FILE *file = output->file;
    enum { NAME = 32, VALUE = 19, MEANING = NAME + VALUE + 5 };
    char room[DECIMAL_TEXT], value[WORD_ROOM];
    show_elided(figure_shown(output, figure, r, room), VALUE, value, sizeof value);
    fprintf(file, "  %-*s ", NAME, figure->path);
    print_padded(file, value, VALUE, true);
    putc(' ', file);
    print_wrapped_from(output, MEANING - 1, figure->meaning, MEANING);
}

/* What print_verdicts() has said already. */
static bool is_heading(const char *path)
{
    return !strcmp(path, "design") || !strcmp(path, "label") || !strcmp(path, "parameters");
}

static void in_depth_row(struct output *output, const struct result *r)
{
    putc('\n', output->file);
    print_verdicts(output, r);
    for (unsigned i = 0; i < figure_count; i++)
        if (!is_heading(figures[i].path))
            print_figure(output, &figures[i], r);
    print_refused(output, r);
}

static void in_depth_end(struct output *output)
{
    (void)output;
}

const struct output_writer output_in_depth = { "table", print_head, in_depth_row, in_depth_end };
