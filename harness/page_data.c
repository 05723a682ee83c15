/* page_data.c - see page_data.h. */
#include "page_data.h"
#include <inttypes.h>
#include <string.h>
#include "../reports/show.h"
#include "embedded.h"
#include "units.h"

/* Ends of lines to a script, though not to JSON. */
#define LINE_SEPARATOR      "\xe2\x80\xa8"
#define PARAGRAPH_SEPARATOR "\xe2\x80\xa9"

void page_data_text(FILE *out, const char *text)
{
    char piece[SHOW_PIECE];

    putc('"', out);
    for (size_t n; (n = show_piece(&text, SHOW_KEEP_CONTROLS, piece)) > 0; ) {
        unsigned char c = (unsigned char)piece[0];
        if (n == 1 && (c < 0x20 || c == 0x7f || strchr("\"\\<>&'", c)))
            fprintf(out, "\\u%04x", c);
        else if (strcmp(piece, LINE_SEPARATOR) == 0 || strcmp(piece, PARAGRAPH_SEPARATOR) == 0)
            fprintf(out, "\\u202%d", piece[2] == LINE_SEPARATOR[2] ? 8 : 9);
        else                            /* an escape begins with a backslash */
            fprintf(out, c == '\\' ? "\\%s" : "%s", piece);
    }
    putc('"', out);
}

/* "," before all but the first. */
static void next(FILE *out, uint64_t i) { fputs(i > 0 ? ",\n" : "", out); }

static const char *truth(bool value) { return value ? "true" : "false"; }

static void member(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\":", name);
    page_data_text(out, text);
    fputs(",\n", out);
}

/* ---- parts --------------------------------------------------------------------------------------------- */

/* The operation in the word that stories use. */
static const char *word_of(const struct message *message)
{
    struct story_step step = { .operation = message ? message->operation : OP_NONE };

    return message ? story_word(&step) : "";
}

static void write_part(FILE *out, const struct small_world *small, uint32_t client)
{
    const struct call *call = small_call(small, client);
    bool done = small_is_done(small, client);

    fprintf(out, "{\"done\":%s,\"waiting\":%s,\"request\":%" PRIu32 ",\"phase\":", truth(done),
            truth(!call && !done), small_request(small, client));
    page_data_text(out, small->world_setup.design->coordination->phase[call ? call->phase : 0]);
    fputs(",\"acts\":[", out);
    for (uint32_t i = 0; i < small_acts(small, client); i++) {
        const struct message *message = call ? small_message(small, client, i) : NULL;
        bool memory = message && small->world.store[message->store].model->memory_only;
        fprintf(out, "%s{\"op\":\"%s\",\"memory\":%s}", i > 0 ? "," : "", word_of(message), truth(memory));
    }
    fputs("]}", out);
}

static uint32_t instant_of(const struct small_world *small, int64_t now_ns)
{
    uint32_t i = 0;

    while (i + 1 < small->setup.instants && small->setup.instant[i] < now_ns)
        i++;
    return i;
}

static void write_shared(FILE *out, const struct small_world *small, uint32_t shared)
{
    char now[UNITS_TEXT];
    int64_t now_ns = small_now_ns(small, shared);

    fprintf(out, "{\"now\":\"%s\",\"instant\":%" PRIu32 ",\"backgrounds\":%" PRIu32 ",\"ticks\":%s}",
            duration_text(now_ns, now), instant_of(small, now_ns), small_backgrounds(small, shared),
            truth(small_can_tick(small, shared)));
}

static void write_parts(FILE *out, const struct small_world *small)
{
    fputs("\"parts\":[", out);
    for (uint32_t i = 0; i < small->clients.items; i++) {
        next(out, i);
        write_part(out, small, i);
    }
    fputs("],\n\"shareds\":[", out);
    for (uint32_t i = 0; i < small->shareds.items; i++) {
        next(out, i);
        write_shared(out, small, i);
    }
    fputs("],\n", out);
}

/* ---- what was told ------------------------------------------------------------------------------------- */

static void write_news(FILE *out, const struct small_world *small)
{
    fputs("\"news\":[", out);
    for (uint32_t i = 0; i < small->news.items; i++) {
        uint32_t n, counts[3] = { 0 };
        const struct small_news *news = small_news(small, i, &n);
        for (uint32_t k = 0; k < n; k++)
            counts[news[k].kind] += news[k].kind != NEWS_ADMITTED || news[k].cost != 0;
        fprintf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", i > 0 ? "," : "", counts[NEWS_ADMITTED],
                counts[NEWS_DENIED], counts[NEWS_FAILED]);
    }
    fputs("],\n", out);
}

static void write_rooms(FILE *out, const struct explorer *explorer, const struct told *told, uint32_t n)
{
    const struct small_setup *small = &explorer->setup.small;

    for (uint32_t key = 0; key < small->keys; key++) {
        fputs(key > 0 ? ",[" : "[", out);
        for (uint32_t i = 0; i < small->instants; i++)
            fprintf(out, "%s%" PRId64, i > 0 ? "," : "",
                    story_true_room(explorer, told, n, key, small->instant[i]));
        fputs("]", out);
    }
}

static void write_tolds(FILE *out, const struct witness_page *page)
{
    const struct intern *tolds = &page->explorer->tolds;

    fputs("\"tolds\":[", out);
    for (uint32_t i = 0; i < tolds->items; i++) {
        const struct told *told = intern_bytes(tolds, i);
        uint32_t n = (uint32_t)(intern_size(tolds, i) / sizeof *told);
        int64_t cost = 0;
        for (uint32_t k = 0; k < n; k++)
            cost += told[k].cost * told[k].count;
        next(out, i);
        fprintf(out, "{\"cost\":%" PRId64 ",\"over\":%s,\"room\":[", cost,
                truth(page->judge->over(page->judge->context, told, n)));
        write_rooms(out, page->explorer, told, n);
        fputs("]}", out);
    }
    fputs("],\n\"telling\":[", out);
    const struct pair_map *telling = &page->explorer->telling;
    const char *comma = "";
    for (size_t i = 0; i < telling->room; i++) {
        const struct pair_slot *slot = &telling->slot[i];
        if (!slot->used)
            continue;
        fprintf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", comma, slot->a, slot->b, slot->value);
        comma = ",";
    }
    fputs("],\n", out);
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* A part's number; nobody is -1. */
static int64_t actor_of(const struct small_known *known)
{
    return known->client == NO_CALL ? -1 : (int64_t)known->client;
}

/* Cells that were written are a name only: hexadecimal. */
static void write_outcome(FILE *out, struct small_world *small, const struct small_known *known, uint32_t i)
{
    struct small_outcome outcome = known->outcomes.outcome[i];
    struct small_check check = small_check(small, known->client, known->shared, known->action, i);

    fprintf(out, "%s[%" PRId64 ",%" PRIu32 ",%" PRIu32 ",\"%" PRIx64 "\",", i > 0 ? "," : "",
            outcome.client == NO_CALL ? -1 : (int64_t)outcome.client, outcome.shared, outcome.news,
            outcome.written);
    if (check.known)
        fprintf(out, "%" PRId64 ",%s]", check.room, truth(check.passes));
    else
        fputs("null,false]", out);
}

static void write_steps(FILE *out, struct small_world *small)
{
    struct small_known known;
    uint64_t written = 0;

    fputs("\"steps\":[", out);
    for (uint32_t i = 0; i < small->steps.items; i++) {
        if (!small_known(small, i, &known) || known.outdates || known.outcomes.n == 0)
            continue;
        next(out, written++);
        fprintf(out, "[%" PRId64 ",%" PRIu32 ",%d,%" PRIu32 ",[", actor_of(&known), known.shared,
                (int)known.action.kind, known.action.which);
        for (uint32_t k = 0; k < known.outcomes.n; k++)
            write_outcome(out, small, &known, k);
        fputs("]]", out);
    }
    fputs("],\n\"outdates\":[", out);
    written = 0;
    for (uint32_t i = 0; i < small->steps.items; i++)
        if (small_known(small, i, &known) && known.outdates && known.to != known.client)
            fprintf(out, "%s[%" PRIu32 ",\"%" PRIx64 "\",%" PRIu32 "]", written++ > 0 ? "," : "",
                    known.client, known.written, known.to);
    fputs("],\n", out);
}

/* ---- clients and schedules ----------------------------------------------------------------------------- */

/* Numbers of any length, as texts. */
static void write_orders(FILE *out, const struct witness_page *page)
{
    member(out, "orders", page->orders ? page->orders : "");
    member(out, "badOrders", page->bad_orders ? page->bad_orders : "");
}

static void write_clients(FILE *out, const struct witness_page *page)
{
    struct explorer *explorer = page->explorer;
    const struct small_setup *setup = &explorer->setup.small;
    struct walk walk;

    walk_start(&walk, explorer);
    fprintf(out, "\"crashes\":%" PRIu32 ",\"forgets\":%" PRIu32 ",\"first\":{\"shared\":%" PRIu32
            ",\"client\":[", explorer->setup.crashes, explorer->setup.forgets, walk.shared);
    for (uint32_t i = 0; i < setup->clients; i++)
        fprintf(out, "%s%" PRIu32, i > 0 ? "," : "", walk.client[i]);
    fputs("]},\n\"clients\":[", out);
    for (uint32_t i = 0; i < setup->clients; i++)
        fprintf(out, "%s{\"key\":%" PRIu32 ",\"cost\":%" PRId64 "}", i > 0 ? "," : "", setup->client[i].key,
                setup->client[i].cost);
    fputs("],\n\"keys\":[", out);
    for (uint32_t i = 0; i < setup->keys; i++) {
        char name[24];
        snprintf(name, sizeof name, "key %" PRIu32, i + 1);
        fputs(i > 0 ? "," : "", out);
        page_data_text(out, page->key ? page->key[i] : name);
    }
    fputs("],\n", out);
}

static void write_schedule(FILE *out, const struct story *story, uint32_t n)
{
    fputs("\"schedule\":[", out);
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s%" PRIu32, i > 0 ? "," : "", story->step[i].number);
    fputs("]", out);
}

static int64_t step_or_none(uint32_t step) { return step == STORY_NONE ? -1 : (int64_t)step; }

static void write_witness(FILE *out, const struct story *story)
{
    char text[STORY_TEXT];

    fputs("\"witness\":{", out);
    write_schedule(out, story, story->steps);
    fprintf(out, ",\"critical\":%" PRId64 ",\"over\":%" PRId64 ",\"lines\":[", step_or_none(story->critical),
            step_or_none(story->first_over));
    for (uint32_t i = 0; i < story->steps; i++) {
        next(out, i);
        page_data_text(out, story_line(story, i, text));
    }
    fputs("]},\n", out);
}

static void write_par(FILE *out, const struct witness_page *page)
{
    struct story calm;

    if (page->best && page->best->first_over != STORY_NONE) {
        fprintf(out, "\"par\":{\"steps\":%" PRIu32 ",", page->best->first_over + 1);
        write_schedule(out, page->best, page->best->first_over + 1);
        fputs("},\n", out);
    } else {
        fputs("\"par\":null,\n", out);
    }
    story_tell(&calm, page->explorer, page->judge, NULL, 0);
    member(out, "calm", calm.first_over != STORY_NONE ? "broken" : calm.finished ? "held" : "open");
    story_free(&calm);
}

/* ---- programs ------------------------------------------------------------------------------------------ */

/* The step function, and on which of its lines each phase's AWAIT stands. */
static void write_code(FILE *out, const char *name, const struct coordination *phases)
{
    const struct program_text *text = program_text(name);
    uint64_t written = 0;

    if (!text) {
        fputs("null", out);
        return;
    }
    fputs("{\"awaits\":{", out);
    for (uint32_t phase = 1; phases && phase < PHASES_MAX && phases->phase[phase]; phase++)
        for (uint32_t i = 0; text->line[i]; i++)
            if (program_awaits(text->line[i], phases->phase[phase])) {
                fputs(written++ > 0 ? "," : "", out);
                page_data_text(out, phases->phase[phase]);
                fprintf(out, ":%" PRIu32, i);
            }
    fputs("},\"lines\":[", out);
    for (uint32_t i = 0; text->line[i]; i++) {
        next(out, i);
        page_data_text(out, text->line[i]);
    }
    fputs("]}", out);
}

static void write_cure(FILE *out, const struct cure *cure)
{
    char result[160];

    snprintf(result, sizeof result, "The clients in the same order: %" PRId64 " admitted, %" PRIu32
             " denied, %" PRIu32 " retr%s, %" PRIu32 " round trip%s%s.", cure->cost, cure->denied,
             cure->retries, cure->retries == 1 ? "y" : "ies", cure->round_trips,
             cure->round_trips == 1 ? "" : "s", cure->over ? ": too much" : "");
    fputs("{", out);
    member(out, "name", cure->name);
    member(out, "result", result);
    fputs("\"code\":", out);
    write_code(out, cure->name, NULL);
    fputs("}", out);
}

static void write_programs(FILE *out, const struct witness_page *page)
{
    const struct coordination *coordination = page->explorer->small.world_setup.design->coordination;
    uint64_t written = 0;

    fputs("\"code\":", out);
    write_code(out, coordination->name, coordination);
    fputs(",\n\"cures\":[", out);
    for (uint32_t i = 0; page->cure && i < CURES; i++)
        if (page->cure[i].possible) {
            next(out, written++);
            write_cure(out, &page->cure[i]);
        }
    fputs("]", out);
}

void page_data_write(FILE *out, const struct witness_page *page)
{
    fputs("{", out);
    member(out, "title", page->title);
    member(out, "story", page->story_text);
    write_orders(out, page);
    write_par(out, page);
    write_clients(out, page);
    write_parts(out, &page->explorer->small);
    write_news(out, &page->explorer->small);
    write_tolds(out, page);
    write_steps(out, &page->explorer->small);
    write_witness(out, page->witness);
    write_programs(out, page);
    fputs("}\n", out);
}
