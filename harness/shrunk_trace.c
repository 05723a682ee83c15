/* shrunk_trace.c - see shrunk_trace.h. */
#include "shrunk_trace.h"
#include "csv.h"
#include "outfile.h"
#include "units.h"

static void write_row(FILE *to, const struct listed *listed, const struct arrival *arrival)
{
    char time[UNITS_TEXT];
    size_t length;
    const char *key = key_name(listed->keys, arrival->key, &length);

    fprintf(to, "%s,", duration_text(arrival->at_ns + listed->later_ns, time));
    csv_write_text(to, key, length);
    fprintf(to, ",%lld,%lld,%s,%llu\n", (long long)arrival->cost,
            (long long)(arrival->cost + arrival->surplus), listed->topology->region[arrival->region],
            (unsigned long long)arrival->id);
}

bool shrunk_write_trace(const char *path, const struct listed *listed, struct failure *failure)
{
    struct outfile out;

    if (!outfile_open(&out, path, failure))
        return false;
    fputs("t,key,cost,used,region,id\n", out.stream);
    for (uint32_t i = 0; i < listed->requests; i++)
        write_row(out.stream, listed, &listed->arrival[i]);
    return outfile_commit(&out, failure);
}
