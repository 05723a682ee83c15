/* baseline.c - see baseline.h. */
#include "baseline.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "figures.h"
#include "lines.h"
#include "outfile.h"

enum { SHOWN_CHANGES = 3, NAME_ROOM = 256 };

static void add_line(struct baseline *baseline, char *text, bool seen)
{
    baseline->line = memory_grow(process_memory(), baseline->line, &baseline->have,
                                 baseline->lines + (size_t)1, sizeof *baseline->line);
    baseline->line[baseline->lines++] = (struct baseline_line){ text, seen };
}

bool baseline_open(struct baseline *baseline, const char *path, struct failure *failure)
{
    struct lines lines;
    enum reading reading;

    baseline->path = path;
    baseline->there = access(path, F_OK) == 0;
    if (!baseline->there)
        return true;
    if (!lines_open(&lines, path, failure))
        return false;
    while ((reading = lines_next(&lines, failure)) == READ_ITEM)
        add_line(baseline, arena_text(&baseline->arena, lines.text), false);
    lines_close(&lines);
    return reading == READ_END;
}

/* ---- lines ---- */

/* What tells a run from others: up to the first figure.  Tabs in names are shown as \x09. */
static char *line_head(struct baseline *baseline, const char *scenario, const struct result *result)
{
    char name[NAME_ROOM], design[NAME_ROOM];

    visible_text(scenario, strlen(scenario), name, sizeof name);
    visible_text(result->design, strlen(result->design), design, sizeof design);
    return arena_format(&baseline->arena, "%s\t%s\tlimit=%lld\tseed=%llu\t", name, design,
                        (long long)result->limit, (unsigned long long)result->seed);
}

static bool is_kept(const struct figure *figure)
{
    return figure->kind != FIGURE_TEXT && strcmp(figure->path, "limit") != 0 &&
           strcmp(figure->path, "seed") != 0;
}

static char *line_figures(struct baseline *baseline, const struct result *result)
{
    char *text = arena_text(&baseline->arena, "");
    char room[DECIMAL_TEXT];

    for (unsigned i = 0; i < figure_count; i++) {
        if (!is_kept(&figures[i]))
            continue;
        const char *value = figure_text(figures[i].kind, figures[i].get(result), room);
        text = arena_format(&baseline->arena, "%s%s%s=%s", text, *text ? "\t" : "", figures[i].path,
                            value ? value : "null");
    }
    return text;
}

static struct baseline_line *find_line(const struct baseline *baseline, const char *head)
{
    for (unsigned i = 0; i < baseline->lines; i++)
        if (strncmp(baseline->line[i].text, head, strlen(head)) == 0)
            return &baseline->line[i];
    return NULL;
}

/* ---- comparing ---- */

/* The value of "name=" among figures that are separated by tabs; its length, or -1. */
static int find_value(const char *figures_text, const char *name, size_t name_length, const char **value)
{
    for (const char *at = figures_text; *at; at += strcspn(at, "\t"), at += *at == '\t')
        if (strncmp(at, name, name_length) == 0 && at[name_length] == '=') {
            *value = at + name_length + 1;
            return (int)strcspn(*value, "\t");
        }
    return -1;
}

/* "admitted was 3, is 4; digest was ...": figures that one of them lacks are new or gone, and no change. */
static const char *changes(struct baseline *baseline, const char *before, const char *now)
{
    const char *text = "";
    unsigned changed = 0;

    for (const char *at = now; *at; at += strcspn(at, "\t"), at += *at == '\t') {
        size_t name = strcspn(at, "="), length = strcspn(at, "\t") - name - 1;
        const char *value;
        int old = find_value(before, at, name, &value);
        if (old < 0 || ((size_t)old == length && strncmp(value, at + name + 1, length) == 0))
            continue;
        if (changed++ < SHOWN_CHANGES)
            text = arena_format(&baseline->arena, "%s%s%.*s was %.*s, is %.*s", text, *text ? "; " : "",
                                (int)name, at, old, value, (int)length, at + name + 1);
    }
    if (changed > SHOWN_CHANGES)
        text =
            arena_format(&baseline->arena, "%s; and %u more figures changed", text, changed - SHOWN_CHANGES);
    return changed ? text : NULL;
}

const char *baseline_change(struct baseline *baseline, const char *scenario, const struct result *result)
{
    const char *head = line_head(baseline, scenario, result), *now = line_figures(baseline, result);

    if (!baseline->there) {
        add_line(baseline, arena_format(&baseline->arena, "%s%s", head, now), true);
        return NULL;
    }
    struct baseline_line *line = find_line(baseline, head);
    if (!line)
        return "is not in the baseline";
    line->seen = true;
    return changes(baseline, line->text + strlen(head), now);
}

unsigned baseline_missing(const struct baseline *baseline, const char *scenario)
{
    char name[NAME_ROOM];
    unsigned missing = 0;

    size_t length = strlen(visible_text(scenario, strlen(scenario), name, sizeof name));
    for (unsigned i = 0; i < baseline->lines; i++) {
        const struct baseline_line *line = &baseline->line[i];
        missing += !line->seen && strncmp(line->text, name, length) == 0 && line->text[length] == '\t';
    }
    return missing;
}

static bool write_lines(const struct baseline *baseline, struct failure *failure)
{
    struct outfile out;

    if (!outfile_open(&out, baseline->path, failure))
        return false;
    for (unsigned i = 0; i < baseline->lines; i++)
        fprintf(out.stream, "%s\n", baseline->line[i].text);
    return outfile_commit(&out, failure);
}

bool baseline_close(struct baseline *baseline, bool write, struct failure *failure)
{
    bool good = !write || !baseline->path || baseline->there || write_lines(baseline, failure);

    memory_free(process_memory(), baseline->line);
    arena_free(&baseline->arena);
    *baseline = (struct baseline){ 0 };
    return good;
}
