#include "ledger_rows.h"
#include <stdio.h>
#include "../reports/blame.h"
#include "csv.h"
#include "units.h"

/* ---- what the evidence points to ----------------------------------------------------------------------- */

/* What it read lacks an update that was lost less than a period ago. */
static bool lacks_lost_update(const struct ledger *ledger, const struct story *story)
{
    return story->lost_ns > 0 && story->at_ns - story->lost_ns <= ledger->period_ns;
}

/* What it read lacks what a fault took away less than a period ago. */
static bool lacks_what_was_reset(const struct ledger *ledger, const struct story *story)
{
    return ledger->faulty && story->reset_ns > 0 && story->at_ns - story->reset_ns <= ledger->period_ns;
}

static bool was_stale_when_read(const struct story *story)
{
    return story->read.version != story->read.other;
}

static enum cause cause_of(const struct ledger *ledger, const struct story *story)
{
    if (story->right)
        return story->clock_ns != 0 ? CAUSE_CLOCK : CAUSE_ALGORITHM;
    if (!story->has_read)
        return CAUSE_FAULT;
    if (was_stale_when_read(story))
        return CAUSE_SHARING;
    if (story->overwrote_any)
        return CAUSE_RACE;
    if (story->overwritten)
        return story->overwritten_by.stale ? CAUSE_SHARING : CAUSE_RACE;
    if (story->newest != story->read.version || lacks_lost_update(ledger, story))
        return CAUSE_RACE;
    return lacks_what_was_reset(ledger, story) ? CAUSE_FAULT : CAUSE_SHARING;
}

/* ---- in words ------------------------------------------------------------------------------------------ */

static void say_race(FILE *out, const struct story *story)
{
    char age[UNITS_TEXT];

    if (story->overwrote_any)
        fprintf(out, "its write replaced that of request %llu, which it had not read",
                (unsigned long long)story->overwrote.number);
    else if (story->overwritten)
        fprintf(out, "request %llu replaced its write without having read it",
                (unsigned long long)story->overwritten_by.number);
    else if (story->newest == story->read.version)
        fputs("what it read lacks an update that was overwritten before", out);
    else if (story->age_ns == AGE_UNKNOWN)
        fputs("what it read had been replaced when it decided", out);
    else
        fprintf(out, "what it read had been replaced for %s when it decided",
                duration_text(story->age_ns, age));
}

static void say_sharing(FILE *out, const struct story *story)
{
    uint32_t behind = story->read.other - story->read.version;

    if (behind > 0)
        fprintf(out, "it read a copy that was %u version%s behind", behind, behind > 1 ? "s" : "");
    else if (story->overwritten)
        fprintf(out, "request %llu, which had read a stale copy, replaced its write",
                (unsigned long long)story->overwritten_by.number);
    else
        fputs("its copy was up to date but does not know what others admitted", out);
}

static void say_why(FILE *out, const struct story *story, enum cause cause)
{
    char span[UNITS_TEXT];

    switch (cause) {
    case CAUSE_ALGORITHM:
        fputs("the rule itself: with all admissions in one state it passes as well", out);
        break;
    case CAUSE_SHARING:
        say_sharing(out, story);
        break;
    case CAUSE_RACE:
        say_race(out, story);
        break;
    case CAUSE_FAULT:
        fputs(story->has_read ? "what it read had been restored, expired or forgotten" : "no state was asked",
              out);
        break;
    default:
        fprintf(out, "the clock that decided was %s %s",
                duration_text(story->clock_ns < 0 ? -story->clock_ns : story->clock_ns, span),
                story->clock_ns < 0 ? "behind" : "ahead");
    }
}

/* ---- a row --------------------------------------------------------------------------------------------- */

void ledger_head(struct ledger *ledger)
{
    fprintf(ledger->out.stream, "%s,request,key,cost,region,node,read_version,newest_version,read_age_ns,"
            "overwrote,overwrote_ns,overwritten_by,overwritten_by_ns,excess_before,excess_after,cause,why\n",
            ledger->epoch_ns != 0 ? "t" : "t_ns");
}

static void write_request(struct ledger *ledger, const struct story *story)
{
    FILE *out = ledger->out.stream;
    char time[UNITS_TEXT];
    size_t length;
    const char *key = key_name(ledger->keys, story->key, &length);

    if (ledger->epoch_ns != 0)
        fputs(iso_time_text(ledger->epoch_ns + story->at_ns, 9, time), out);
    else
        fprintf(out, "%lld", (long long)story->at_ns);
    fprintf(out, ",%llu,", (unsigned long long)story->number);
    csv_write_text(out, key, length);
    fprintf(out, ",%lld,%s,%u,", (long long)story->cost, ledger->topology->region[story->region],
            story->node);
}

static void write_read(FILE *out, const struct story *story)
{
    if (!story->has_read) {
        fputs(",,,", out);
        return;
    }
    fprintf(out, "%u,%u,", story->read.version, story->newest);
    if (story->age_ns != AGE_UNKNOWN)
        fprintf(out, "%lld", (long long)story->age_ns);
    putc(',', out);
}

/* Who, as far as that is known, and when. */
static void write_other(FILE *out, bool any, const struct written *other)
{
    if (any && other->number > 0)
        fprintf(out, "%llu", (unsigned long long)other->number);
    putc(',', out);
    if (any)
        fprintf(out, "%lld", (long long)other->at_ns);
    putc(',', out);
}

void ledger_row(struct ledger *ledger, const struct story *story)
{
    FILE *out = ledger->out.stream;
    enum cause cause = cause_of(ledger, story);
    char before[DECIMAL_TEXT], after[DECIMAL_TEXT];

    write_request(ledger, story);
    write_read(out, story);
    write_other(out, story->overwrote_any, &story->overwrote);
    write_other(out, story->overwritten, &story->overwritten_by);
    fprintf(out, "%s,%s,%s,\"", decimal_text(story->before, 9, before), decimal_text(story->after, 9, after),
            blame_causes[cause].name);
    say_why(out, story, cause);
    fputs("\"\n", out);
}
