/* accesslog.h - one line of an access log of Apache or nginx, common or combined format:
 *
 *     10.0.0.1 - frank [17/May/2015:10:05:03 +0200] "GET /index.html HTTP/1.1" 200 2326 "referrer" "agent"
 *
 * Host and time are enough; whatever follows may be cut short or of another format. */
#ifndef LIMITLAB_ACCESSLOG_H
#define LIMITLAB_ACCESSLOG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access {
    const char *host;                   /* within the line */
    size_t   host_length;
    int64_t  unix_ns;                   /* the zone is taken into account */
    unsigned places;                    /* decimal places of the seconds, 0 .. 9 */
    int      status;                    /* of the reply, 100 .. 599; 0 when it cannot be read */
};

/* NULL, or why host and time cannot be read (static text). */
const char *access_parse(const char *line, struct access *out);

/* Whether text, up to its first newline, is such a line. */
bool access_begins(const char *text);
#endif
