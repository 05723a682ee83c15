/* shell.h - runs command lines as a user would type them, and keeps what they print.
 *
 * In a line, $limitlab is the program under test (the environment's LIMITLAB, or build/limitlab) and $d a
 * fresh folder that is removed at the end.  Lines run in the repository's root.  Test programs that only need
 * some of this include all of it. */
#ifndef LIMITLAB_SHELL_H
#define LIMITLAB_SHELL_H
#include <jansson.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct shell {
    char folder[PATH_MAX];
    int  code;                          /* of the last line; 128 + signal when it was killed */
    char *out, *err;                    /* what it printed */
};

static inline char *shell_read(const struct shell *shell, const char *name)
{
    char path[PATH_MAX + 64];
    size_t length = 0, got;
    char *text = NULL;

    snprintf(path, sizeof path, "%s/%s", shell->folder, name);
    FILE *file = fopen(path, "r");
    do {
        text = realloc(text, length + 65536 + 1);
        got = file ? fread(text + length, 1, 65536, file) : 0;
        length += got;
    } while (got > 0);
    if (file)
        fclose(file);
    text[length] = '\0';
    return text;
}

static inline void shell_spawn(struct shell *shell, const char *line)
{
    char *const words[] = { "sh", "-c", (char *)line, NULL };
    int status = 0;
    pid_t child;

    assert_int_equal(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ), 0);
    waitpid(child, &status, 0);
    shell->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs one line. */
static inline void shell_run(struct shell *shell, const char *line)
{
    size_t room = strlen(line) + 4 * sizeof shell->folder;
    char *whole = malloc(room);

    snprintf(whole, room, "{ %s\n} >'%s/.out' 2>'%s/.err' </dev/null", line, shell->folder, shell->folder);
    shell_spawn(shell, whole);
    free(whole);
    free(shell->out);
    free(shell->err);
    shell->out = shell_read(shell, ".out");
    shell->err = shell_read(shell, ".err");
}

/* Runs a line that must exit so; shows what it printed when it does not. */
static inline void shell_expect(struct shell *shell, int code, const char *line)
{
    shell_run(shell, line);
    if (shell->code != code)
        fail_msg("%s\nexits with %d, not %d, and prints\n%s\n%s", line, shell->code, code, shell->err,
                 shell->out);
}

static inline int shell_open(void **state)
{
    struct shell *shell = calloc(1, sizeof *shell);
    const char *program = getenv("LIMITLAB"), *parent = getenv("TMPDIR");
    char path[PATH_MAX];

    snprintf(shell->folder, sizeof shell->folder, "%s/shell.XXXXXX", parent ? parent : P_tmpdir);
    if (!mkdtemp(shell->folder) || !realpath(program ? program : "build/limitlab", path))
        return -1;
    setenv("limitlab", path, 1);
    setenv("d", shell->folder, 1);
    *state = shell;
    return 0;
}

static inline int shell_close(void **state)
{
    struct shell *shell = *state;

    shell_run(shell, "true");
    free(shell->out);
    free(shell->err);
    shell_spawn(shell, "rm -rf \"$d\"");
    free(shell);
    return 0;
}

/* ---- what was printed ---- */

/* Text must be there; shows what is there instead. */
static inline void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("expected to find '%s' in\n%s", part, text);
}

static inline json_t *parsed(const char *text)
{
    json_error_t wrong;
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &wrong);

    if (!value)
        fail_msg("no JSON (line %d: %s):\n%.500s", wrong.line, wrong.text, text);
    return value;
}

/* Member of a member, by dotted path. */
static inline json_t *member(json_t *value, const char *path)
{
    char name[64];

    while (*path) {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        value = json_object_get(value, name);
        if (!value)
            fail_msg("there is no %s", path);
        path += length + (path[length] == '.');
    }
    return value;
}

static inline void assert_member(json_t *value, const char *path, const char *expected)
{
    char *text = json_dumps(member(value, path), JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

    assert_string_equal(text, expected);
    free(text);
}

/* A test that is handed a shell. */
#define SHELL_TEST(name) cmocka_unit_test_setup_teardown(name, shell_open, shell_close)
#endif
