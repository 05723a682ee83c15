/* embedded.c - see embedded.h. */
#include "embedded.h"
#include <ctype.h>
#include <stddef.h>

#include <string.h>
#include "embedded_text.h"

const char *const *const page_style = style_lines, *const *const page_script = script_lines;

const struct program_text *program_text(const char *coordination)
{
    for (const struct program_text *text = program_texts; text->coordination; text++)
        if (strcmp(text->coordination, coordination) == 0)
            return *text->line ? text : NULL;
    return NULL;
}

/* Phases are spelled READ in code and "read" in tables; blanks and dashes are underscores in code. */
static char spelled(char c) { return c == '-' || c == ' ' ? '_' : (char)toupper((unsigned char)c); }

bool program_awaits(const char *line, const char *phase)
{
    const char *at = strstr(line, "AWAIT(call, ");

    if (!at || !*phase)
        return false;
    for (at += strlen("AWAIT(call, "); *phase && *at == spelled(*phase); at++)
        phase++;
    return !*phase && *at == ')';
}
