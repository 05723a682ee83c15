#include "gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model.h"

enum { ERROR_LINE = 300 };

static bool trouble(struct report_failure *failure, const char *what, const char *why)
{
    return report_fail(failure, REPORT_TROUBLE, "gnuplot %s: %s; expected a working gnuplot-nox", what, why);
}

/* ---- the child ---- */

static bool spawn(FILE *script, FILE *out, FILE *errors, pid_t *child, struct report_failure *failure)
{
    static char *const arguments[] = { "gnuplot", "-d", "-", NULL };
    static char *const environment[] = { "LC_ALL=C.UTF-8", "HOME=/nonexistent", NULL };
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return trouble(failure, "could not be started", "out of memory");
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
    int code = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0 || trouble(failure, "could not be started", strerror(code));
}

/* The first line that says something. */
static const char *first_line(FILE *errors, char line[ERROR_LINE])
{
    rewind(errors);
    while (fgets(line, ERROR_LINE, errors)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " \t^")])
            return line;
    }
    return "it said nothing";
}

static bool finish(pid_t child, FILE *errors, struct report_failure *failure)
{
    char line[ERROR_LINE];
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return trouble(failure, "was lost", strerror(errno));
    bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return fine || trouble(failure, "failed", first_line(errors, line));
}

static bool run(FILE *script, FILE *out, FILE *errors, struct report_failure *failure)
{
    pid_t child;
    if (fflush(script) != 0 || ferror(script) || lseek(fileno(script), 0, SEEK_SET) < 0)
        return trouble(failure, "got no script", strerror(errno));
    return spawn(script, out, errors, &child, failure) && finish(child, errors, failure);
}

/* ---- its SVG ---- */

static char *contents(FILE *file)
{
    long bytes = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = report_memory(NULL, (size_t)(bytes < 0 ? 0 : bytes) + 1);
    rewind(file);
    text[bytes > 0 ? fread(text, 1, (size_t)bytes, file) : 0] = '\0';
    return text;
}

/* Elements that a page does not need (their ids would clash), and what gnuplot fixes but a page decides. */
static const struct { const char *from, *to, *instead; } rules[] = {
    { "<title>", "</title>", "" },
    { "<desc>", "</desc>", "" },
    { "<defs>", "</defs>", "" },
    { " xmlns=\"", "\"", "" },
    { " xmlns:xlink=\"", "\"", "" },
    { " font-family=\"", "\"", "" },
    { "color=\"black\"", "", "" },
    { "color=\"white\"", "", "" },
    { "stroke='black'", "", "stroke='currentColor'" },
    { "stroke=\"black\"", "", "stroke=\"currentColor\"" },
    { "fill=\"black\"", "", "fill=\"currentColor\"" },
    { "fill = \"black\"", "", "fill=\"currentColor\"" },
    { "fill = 'black'", "", "fill='currentColor'" },
};

/* Where the text goes on after what the rule's pattern covers; NULL when the rule does not apply here. */
static const char *covered(const char *at, const char *from, const char *to)
{
    if (strncmp(at, from, strlen(from)) != 0)
        return NULL;
    const char *end = strstr(at + strlen(from), to);
    return end ? end + strlen(to) : NULL;
}

/* rgb(0,1,N) in any spacing is palette entry N. */
static const char *palette(const char *at, FILE *page)
{
    unsigned red, green, blue;
    int length = 0;
    if (sscanf(at, "rgb( %3u , %3u , %3u )%n", &red, &green, &blue, &length) != 3 || !length)
        return NULL;
    if (red != 0 || green != 1 || blue > 9)
        return NULL;
    fprintf(page, "var(--c%u)", blue);
    return at + length;
}

static const char *apply_rules(const char *at, unsigned number, FILE *page)
{
    const char *rest;
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if ((rest = covered(at, rules[i].from, rules[i].to))) {
            fputs(rules[i].instead, page);
            return rest;
        }
    }
    if ((rest = covered(at, " id=\"", ""))) {
        fprintf(page, " id=\"plot%u-", number);
        return rest;
    }
    if ((rest = palette(at, page)))
        return rest;
    putc(*at, page);
    return at + 1;
}

static bool embed(FILE *out, unsigned number, FILE *page, struct report_failure *failure)
{
    char *svg = contents(out);
    const char *at = strstr(svg, "<svg");
    bool whole = at && strstr(at, "</svg>");
    while (whole && *at)
        at = apply_rules(at, number, page);
    free(svg);
    return whole || trouble(failure, "failed", "it wrote no SVG");
}

bool gnuplot_draw(FILE *script, unsigned number, FILE *page, struct report_failure *failure)
{
    FILE *out = tmpfile(), *errors = tmpfile();
    bool done = out && errors ? run(script, out, errors, failure) && embed(out, number, page, failure)
                              : trouble(failure, "has no temporary files", strerror(errno));
    if (out)
        fclose(out);
    if (errors)
        fclose(errors);
    return done;
}
