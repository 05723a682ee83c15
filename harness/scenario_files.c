/* scenario_files.c - see scenario_files.h. */
#include "scenario_files.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 16 };                /* links may lead in circles */

static void add_file(struct scenario_files *files, const char *path)
{
    files->path = memory_grow(process_memory(), files->path, &files->have, files->count + (size_t)1,
                              sizeof *files->path);
    files->path[files->count++] = path;
}

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* What a search in a folder takes up: no pipe, on which it would wait for ever. */
static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_scenario(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in a folder, sorted. */
static bool read_folder(const char *path, struct scenario_files *names, struct arena *arena,
                        struct failure *failure)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    if (!folder)
        return fail(failure, EXIT_USAGE, path, 0,
                    "cannot be read (%s); expected a scenario or a folder of them", strerror(errno));
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            add_file(names, arena_text(arena, entry->d_name));
    closedir(folder);
    if (names->count)
        qsort(names->path, names->count, sizeof *names->path, by_bytes);
    return true;
}

static bool add_folder(struct scenario_files *files, const char *path, unsigned depth, struct arena *arena,
                       struct failure *failure)
{
    struct scenario_files names = { 0 };
    bool good = read_folder(path, &names, arena, failure);
    size_t length = strlen(path);

    for (unsigned i = 0; good && i < names.count; i++) {
        const char *slash = length && path[length - 1] == '/' ? "" : "/";
        const char *inside = arena_format(arena, "%s%s%s", path, slash, names.path[i]);
        if (is_folder(inside))
            good = depth == DEPTH_MAX || add_folder(files, inside, depth + 1, arena, failure);
        else if (is_scenario(inside) && is_file(inside))
            add_file(files, inside);
    }
    scenario_files_free(&names);
    return good;
}

bool scenario_files_add(struct scenario_files *files, const char *path, struct arena *arena,
                        struct failure *failure)
{
    unsigned before = files->count;

    if (!is_folder(path)) {
        add_file(files, path);
        return true;
    }
    if (!add_folder(files, path, 1, arena, failure))
        return false;
    return files->count > before ||
           fail(failure, EXIT_USAGE, path, 0, "has no scenarios in it; expected files that end in .yaml");
}

void scenario_files_free(struct scenario_files *files)
{
    memory_free(process_memory(), files->path);
    *files = (struct scenario_files){ 0 };
}
