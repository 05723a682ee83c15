/* import_combined.c - access logs as records. */
#include "accesslog.h"
#include "import_reader.h"

static bool open_log(struct import_reader *reader, struct failure *failure)
{
    (void)reader, (void)failure;
    return true;
}

static enum reading next_access(struct import_reader *reader, struct failure *failure)
{
    struct access access;
    enum reading reading = lines_next_filled(reader->lines, failure);

    reader->record_lines = 1;
    if (reading != READ_ITEM)
        return reading;
    const char *why = access_parse(reader->lines->text, &access);
    if (why) {
        fail(failure, EXIT_USAGE, reader->lines->name, reader->lines->line, "%s", why);
        return READ_BAD;
    }
    iso_time_text(access.unix_ns, access.places, reader->stamp);
    reader->field[FIELD_TIME] = (struct import_text){ reader->stamp, strlen(reader->stamp) };
    reader->lines->text[access.host_length] = '\0';
    reader->field[FIELD_KEY] = (struct import_text){ access.host, access.host_length };
    return READ_ITEM;
}

static void close_log(struct import_reader *reader)
{
    (void)reader;
}

const struct import_format import_combined = {
    .name = "access log", .taken_for = " (taken for an access log)", .times_own = true,
    .open = open_log, .next = next_access, .close = close_log
};
