/* sections.c - see sections.h. */
#include "sections.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A line that begins a section: its key stands at the margin. */
static bool is_head(const char *line)
{
    return *line && !strchr(" \t\r\n#-}]", *line);
}

static bool is_named(const char *line, const char *const *names)
{
    for (; *names; names++) {
        size_t length = strlen(*names);
        if (strncmp(line, *names, length) == 0 && line[length + strspn(line + length, " \t")] == ':')
            return true;
    }
    return false;
}

void sections_copy(const char *path, const char *const *without, FILE *to)
{
    FILE *from = fopen(path, "r");
    bool copies = false;
    char *line = NULL;
    size_t room = 0;

    while (from && getline(&line, &room, from) > 0) {
        if (is_head(line))
            copies = !is_named(line, without);
        if (copies)
            fputs(line, to);
    }
    free(line);
    if (from)
        fclose(from);
}
