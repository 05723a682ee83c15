/* exploration_show.c - an exploration for people: see exploration.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "exploration_runs.h"
#include "shares.h"
#include "units.h"

enum { PAGE_COLUMNS = 100, NAME_COLUMNS = 24 };

struct page { FILE *out; struct arena *arena; };

/* ---- lines ---- */

/* Words from column `at` on, further lines below them. */
static void print_words(FILE *out, const char *text, unsigned at)
{
    unsigned column = at;

    while (*text) {
        unsigned word = (unsigned)strcspn(text, " ");
        bool fits = column == at || column + 1 + word <= PAGE_COLUMNS;
        if (!fits)
            fprintf(out, "\n%*s", (int)at, "");
        fprintf(out, "%s%.*s", fits && column > at ? " " : "", (int)word, text);
        column = fits ? column + word + (column > at) : at + word;
        text += word + strspn(text + word, " ");
    }
    putc('\n', out);
}

__attribute__((format(printf, 3, 4)))
static void print_line(const struct page *page, const char *name, const char *format, ...)
{
    char text[4096];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(page->out, "%-*s", NAME_COLUMNS, name);
    print_words(page->out, text, NAME_COLUMNS);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- the world ---- */

static const char *who_asks(const struct exploration *e, struct arena *arena)
{
    const struct explored *explored = e->explored;

    if (explored->arrivals)
        return arena_format(arena, "%u client%s, %u request%s as in the file", e->clients, plural(e->clients),
                            e->requests, plural(e->requests));
    const char *text = arena_format(arena, "%u client%s, %u request%s each, one after another", e->clients,
                                    plural(e->clients), explored->requests[0],
                                    plural(explored->requests[0]));
    if (explored->cost != 1)
        text = arena_format(arena, "%s, of cost %" PRId64, text, explored->cost);
    return explored->regions == 1 ? text
         : arena_format(arena, "%s, from %u regions by turns", text, explored->regions);
}

static void show_world(const struct page *page, const struct exploration *e)
{
    const struct policy *policy = e->target.policy;
    char period[UNITS_TEXT];

    print_line(page, "design", "%s", e->explored->design);
    print_line(page, "world", "%s", who_asks(e, page->arena));
    print_line(page, "limit", "%" PRId64 " per %s, burst %" PRId64 "; judged against the %s", policy->limit,
               duration_text(policy->period_ns, period), policy->burst,
               e->explored->target == TARGET_WINDOW ? "window" : "curve");
    print_line(page, "in scope", "%s", exploration_scope(e, page->arena));
    print_line(page, "not in scope", "%s", exploration_out_of_scope(e, page->arena));
    putc('\n', page->out);
}

/* ---- findings ---- */

static void show_states(const struct page *page, const struct exploration *e)
{
    const char *stopped = exploration_stopped_at(e);

    print_line(page, "states", "%" PRIu64 " (with clients that are alike counted as one: %" PRIu64 ")",
               e->states, e->canonical);
    if (stopped)
        print_line(page, "complete", "no: not exhaustive, stopped at %s; --sample N may find more", stopped);
    else
        print_line(page, "complete", "yes");
    if (e->blocked)
        print_line(page, "blocked for ever", "in %" PRIu64 " state%s nothing can go on though requests are "
                   "unanswered", e->blocked, plural(e->blocked));
    if (e->endless)
        print_line(page, "endless", "requests can go round and round without an answer: there are infinitely "
                   "many interleavings, and they are not counted");
}

static void show_stateless(const struct page *page, const struct exploration *e)
{
    const struct exploration_stateless *stateless = &e->stateless;
    const char *stopped = exploration_stopped_at(e);

    print_line(page, "estimate", "%s%" PRIu64 " interleavings, before it began",
               stateless->estimate == UINT64_MAX ? "more than " : "about ", stateless->estimate);
    print_line(page, "executions", "%" PRIu64 ", one for each class of interleavings that come to the same",
               stateless->executions);
    print_line(page, "blocked", "%" PRIu64 " run%s, ended because they would have repeated others",
               stateless->repeated, plural(stateless->repeated));
    if (stopped)
        print_line(page, "complete", "no: not exhaustive, stopped at %s; --sample N may find more", stopped);
    else
        print_line(page, "complete", "yes");
}

/* ---- samples ---- */

static void show_result(const struct page *page, const struct exploration *e)
{
    const struct exploration_samples *samples = &e->samples;

    if (e->excess > 0)
        print_line(page, "result", "found: %" PRIu64 " admitted", e->most);
    else
        print_line(page, "result", "not found in %" PRIu64 " runs; that is not to say that it holds",
                   samples->runs);
    print_line(page, "runs", "%" PRIu64 " of %" PRIu64 ", drawn by seed %" PRIu64 "; %" PRIu64
               " over-admit", samples->runs, samples->asked, samples->seed, samples->found);
}

/* What is known of chances is known of runs whose every step is drawn alike, and only of those. */
static void show_chance(const struct page *page, const struct exploration *e)
{
    const struct sample_yield *random = &e->samples.yield[SAMPLE_RANDOM];

    if (random->runs > 0 && random->found == 0)
        print_line(page, "chance", "at most %.3g, with 95%% confidence, that a scheduler which takes each "
                   "possible next step equally often over-admits (not found in its %" PRIu64 " run%s)",
                   chance_at_most(random->runs), random->runs, plural(random->runs));
}

static void show_yields(const struct page *page, const struct exploration *e)
{
    fprintf(page->out, "\n%-14s%8s%14s%10s%16s\n", "scheduler", "runs", "over-admit", "share",
            "most admitted");
    for (unsigned i = 0; i < SAMPLE_RULES; i++) {
        const struct sample_yield *yield = &e->samples.yield[i];
        fprintf(page->out, "%-14s%8" PRIu64 "%14" PRIu64 "%9.1f%%%16" PRIu64 "\n", sample_rule_name[i],
                yield->runs, yield->found, yield->runs ? 100.0 * (double)yield->found / (double)yield->runs
                                                       : 0.0, yield->most);
    }
}

/* ---- counts ---- */

static void show_counts(const struct page *page, const struct exploration *e)
{
    const struct interleavings *counts = &e->counts;

    if (!e->counted)
        return;
    print_line(page, "interleavings", "%s", number_text(counts->all, page->arena));
    print_line(page, "that over-admit", "%s (a share of %s)", number_text(counts->over, page->arena),
               share_text(counts->over, counts->all, 6, page->arena));
}

static void show_worst(const struct page *page, const struct exploration *e)
{
    char excess[DECIMAL_TEXT];
    const char *at_least = exploration_complete(e) ? "" : "at least ";

    print_line(page, "most admitted", "%s%" PRIu64 " request%s", at_least, e->most, plural(e->most));
    if (e->least_known && exploration_complete(e))
        print_line(page, "least admitted", "%" PRIu64 " request%s", e->least, plural(e->least));
    print_line(page, "over the target", "%s%s", at_least,
               decimal_text(small_target_cost(&e->target, e->excess), 9, excess));
}

static void show_distribution(const struct page *page, const struct exploration *e)
{
    const struct interleavings *counts = &e->counts;

    if (!e->counted)
        return;
    fputs("\nadmitted   chance     interleavings\n", page->out);
    for (uint32_t i = 0; i < counts->counts; i++)
        if (mpz_sgn(counts->by_admitted[i]) > 0)
            fprintf(page->out, "%8u   %-9s  %s\n", i,
                    share_text(counts->weight[i], counts->all_weight, 6, page->arena),
                    number_text(counts->by_admitted[i], page->arena));
    print_words(page->out, "(chance: of a scheduler that takes each possible next step equally often)", 0);
}

static void show_curve(const struct page *page, const struct exploration *e)
{
    if (e->curves == 0)
        return;
    fputs("\npreemptions   most admitted\n", page->out);
    for (uint32_t i = 0; i < e->curves; i++)
        fprintf(page->out, "%11u   %" PRIu64 "\n", i, e->curve[i]);
}

static void show_witness(const struct page *page, const struct exploration *e)
{
    const struct witness_found *found = &e->witness;

    putc('\n', page->out);
    if (!found->text && e->excess > 0)
        print_words(page->out, "It over-admits, but a short witness was not found within the bounds.", 0);
    else if (!found->text && exploration_complete(e))
        fprintf(page->out, "Complete: no interleaving over-admits, in %" PRIu64 " %s.\n",
                e->way == EXPLORATION_STATES ? e->states : e->stateless.executions,
                e->way == EXPLORATION_STATES ? "states" : "executions");
    else if (!found->text)
        print_words(page->out, "No interleaving that over-admits was found; that is not to say that there is "
                    "none.", 0);
    if (!found->text)
        return;
    fprintf(page->out, "%s: %u request%s of %u client%s, %u preemption%s, %u fault%s, %u step%s\n",
            found->minimal ? "minimal" : "short", found->requests, plural(found->requests), found->clients,
            plural(found->clients), found->preemptions, plural(found->preemptions), found->faults,
            plural(found->faults), found->steps, plural(found->steps));
    fprintf(page->out, "  limitlab replay '%s'%s\n", found->text,
            e->explored->arrivals ? " --arrivals FILE" : "");
}

void exploration_show(const struct exploration *exploration, FILE *out, struct arena *arena)
{
    struct page page = { out, arena };

    show_world(&page, exploration);
    if (exploration->way == EXPLORATION_STATES)
        show_states(&page, exploration);
    else if (exploration->way == EXPLORATION_STATELESS)
        show_stateless(&page, exploration);
    else {
        show_result(&page, exploration);
        show_chance(&page, exploration);
    }
    show_counts(&page, exploration);
    show_worst(&page, exploration);
    show_distribution(&page, exploration);
    show_curve(&page, exploration);
    if (exploration->way == EXPLORATION_SAMPLED)
        show_yields(&page, exploration);
    show_witness(&page, exploration);
}
