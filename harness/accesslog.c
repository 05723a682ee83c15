/* accesslog.c - see accesslog.h.  The date is rewritten as ISO 8601, so that one parser judges every time. */
#include "accesslog.h"
#include <stdio.h>
#include <string.h>
#include "units.h"

enum { DATE_BYTES = sizeof "17/May/2015:" - 1, STAMP_MAX = 64, LINE_LOOKED_AT = 4096 };

/* "01" .. "12" for "Jan" .. "Dec"; NULL for anything else. */
static const char *month_number(const char *name)
{
    static const char months[12][2][4] = {
        { "Jan", "01" }, { "Feb", "02" }, { "Mar", "03" }, { "Apr", "04" }, { "May", "05" }, { "Jun", "06" },
        { "Jul", "07" }, { "Aug", "08" }, { "Sep", "09" }, { "Oct", "10" }, { "Nov", "11" }, { "Dec", "12" }
    };
    for (size_t i = 0; i < 12; i++) {
        if (memcmp(months[i][0], name, 3) == 0)
            return months[i][1];
    }
    return NULL;
}

/* "17/May/2015:10:05:03.25 +0000" -> "2015-05-17T10:05:03.25 +0000" */
static bool parse_stamp(const char *stamp, size_t length, struct access *out)
{
    char iso[STAMP_MAX];

    if (length < DATE_BYTES || length >= STAMP_MAX - 1 || stamp[2] != '/' || stamp[6] != '/'
        || stamp[11] != ':')
        return false;
    const char *month = month_number(stamp + 3);
    if (month == NULL)
        return false;
    snprintf(iso, sizeof iso, "%.4s-%s-%.2sT%.*s", stamp + 7, month, stamp, (int)(length - DATE_BYTES),
             stamp + DATE_BYTES);
    return parse_iso_time(iso, &out->unix_ns, &out->places) == NULL;
}

/* The status after `"request" `, in which a quote is written \".  0 when it is not there. */
static int parse_status(const char *rest)
{
    int status = 0;

    if (strncmp(rest, " \"", 2) != 0)
        return 0;
    for (rest += 2; *rest != '\0' && *rest != '"'; rest++) {
        if (*rest == '\\' && rest[1] != '\0')
            rest++;
    }
    if (strncmp(rest, "\" ", 2) != 0)
        return 0;
    rest += 2;
    for (int i = 0; i < 3; i++, rest++) {
        if (*rest < '0' || *rest > '9')
            return 0;
        status = status * 10 + (*rest - '0');
    }
    return (*rest == ' ' || *rest == '\0') && status >= 100 && status <= 599 ? status : 0;
}

/* A user's name may hold spaces and brackets, so every bracket may be the time's. */
const char *access_parse(const char *line, struct access *out)
{
    out->host = line;
    out->host_length = strcspn(line, " ");
    if (out->host_length == 0)
        return "has no host; expected a line as 10.0.0.1 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" "
               "200 5";
    const char *open = line + out->host_length;
    while ((open = strstr(open, " [")) != NULL) {
        const char *stamp = open + 2;
        const char *close = memchr(stamp, ']', strnlen(stamp, STAMP_MAX));
        if (close && parse_stamp(stamp, (size_t)(close - stamp), out)) {
            out->status = parse_status(close + 1);
            return NULL;
        }
        open = stamp;
    }
    return "has no time that can be read; expected it in brackets, as [17/May/2015:10:05:03 +0000]";
}

bool access_begins(const char *text)
{
    char line[LINE_LOOKED_AT];
    struct access access;

    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    return access_parse(line, &access) == NULL;
}
