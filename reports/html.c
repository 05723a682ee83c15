#include "html.h"

#include <stdarg.h>
#include <string.h>

static const char *entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return (unsigned char)c < 0x20 && c != '\n' ? "\xef\xbf\xbd" : NULL;
    }
}

void html_text(FILE *page, const char *text)
{
    for (; *text; text++) {
        const char *escaped = entity(*text);
        if (escaped)
            fputs(escaped, page);
        else
            putc(*text, page);
    }
}

void html_print(FILE *page, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (; *format; format++) {
        if (*format != '%') {
            putc(*format, page);
            continue;
        }
        switch (*++format) {
        case 's':
            html_text(page, va_arg(arguments, const char *));
            break;
        case 'd':
            fprintf(page, "%d", va_arg(arguments, int));
            break;
        case 'u':
            fprintf(page, "%u", va_arg(arguments, unsigned));
            break;
        case 'l':
            format += strlen("ld");
            fprintf(page, "%lld", va_arg(arguments, long long));
            break;
        default:
            putc('%', page);
            break;
        }
    }
    va_end(arguments);
}
