#include <string.h>
#include "csv.h"
#include "decisions.h"
#include "units.h"

static struct decisions *self_of(struct observer *self) { return (struct decisions *)self; }

static void write_headers(struct decisions *decisions, const struct decision *decision)
{
    struct answer answer = { decision->policy, "default", decision->reading_ns, decision->verdict,
                             decision->quota };
    char value[HEADER_TEXT];

    for (unsigned i = 0; decisions->headers && decisions->headers->header[i]; i++) {
        fputc(',', decisions->out.stream);
        if (header_write(decisions->headers->header[i], &answer, value))
            csv_write_text(decisions->out.stream, value, strlen(value));
    }
    fputc('\n', decisions->out.stream);
}

static void write_row(struct decisions *decisions, const struct decision *decision)
{
    char time[UNITS_TEXT];
    size_t length;
    const char *key = key_name(decisions->keys, decision->key, &length);

    if (decisions->epoch_ns != 0)
        fprintf(decisions->out.stream, "%s,",
                iso_time_text(decisions->epoch_ns + decision->departs_ns, 9, time));
    else
        fprintf(decisions->out.stream, "%lld,", (long long)decision->departs_ns);
    csv_write_text(decisions->out.stream, key, length);
    int64_t cost = decision->cost + (decision->verdict.allowed ? decision->surplus : 0);
    fprintf(decisions->out.stream, ",%lld,%d,", (long long)cost, decision->verdict.allowed);
    if (decision->verdict.retry_after_ns == NEVER_NS)
        fputs("never", decisions->out.stream);
    else
        fprintf(decisions->out.stream, "%lld", (long long)decision->verdict.retry_after_ns);
    fprintf(decisions->out.stream, ",%lld,%s,%u", (long long)decision->verdict.delay_ns,
            decisions->topology->region[decision->region], decision->node);
    write_headers(decisions, decision);
}

static void arrived(struct observer *self, const struct arrival *arrival)
{
    self_of(self)->next->arrived(self_of(self)->next, arrival);
}

static uint32_t opened(struct observer *self, uint32_t key, int64_t instant_ns)
{
    return self_of(self)->next->opened(self_of(self)->next, key, instant_ns);
}

static void decided(struct observer *self, const struct decision *decision)
{
    write_row(self_of(self), decision);
    self_of(self)->next->decided(self_of(self)->next, decision);
}

static void dropped(struct observer *self, uint32_t ticket)
{
    self_of(self)->next->dropped(self_of(self)->next, ticket);
}

static void departed(struct observer *self, uint64_t id, uint32_t key, int64_t cost,
                     int64_t instant_ns)
{
    self_of(self)->next->departed(self_of(self)->next, id, key, cost, instant_ns);
}

static void finished(struct observer *self, const struct arrival *arrival, int64_t now_ns, bool failed)
{
    self_of(self)->next->finished(self_of(self)->next, arrival, now_ns, failed);
}

bool decisions_open(struct decisions *decisions, const char *path, struct observer *next,
                    const struct keys *keys, const struct topology *topology, int64_t epoch_ns,
                    const struct header_style *headers, struct failure *failure)
{
    *decisions = (struct decisions){
        .observer = { .arrived = arrived, .opened = opened, .decided = decided, .dropped = dropped,
                      .departed = departed, .finished = finished,
                      .wants_quota = headers || next->wants_quota },
        .next = next, .keys = keys, .topology = topology, .epoch_ns = epoch_ns, .headers = headers,
    };
    if (!outfile_open(&decisions->out, path, failure))
        return false;
    fprintf(decisions->out.stream, "%s,key,cost,allowed,retry_after_ns,delay_ns,region,node",
            epoch_ns != 0 ? "t" : "t_ns");
    for (unsigned i = 0; headers && headers->header[i]; i++)
        fprintf(decisions->out.stream, ",%s", headers->header[i]->name);
    fputc('\n', decisions->out.stream);
    return true;
}

bool decisions_close(struct decisions *decisions, bool whole, struct failure *failure)
{
    if (whole)
        return outfile_commit(&decisions->out, failure);
    outfile_abandon(&decisions->out);
    return true;
}
