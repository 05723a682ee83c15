#include "contender.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "show.h"

enum { ONE = 1000000000, NAME_COLUMNS = 60, NAME_ROOM = 4 * NAME_COLUMNS + 4 };

/* Up to FEW a design's harm still counts as none: 1 %.  Up to SLACK below the ideal it is still exact: 0.1 %,
 * for what arrives in another order at a place far away. */
enum { FEW = ONE / 100, SLACK = ONE / 1000 };

const char contenders_window_note[] =
    "Boundary burst 1.00 beside a worst window near 2 is no contradiction: after a pause a limiter holds a "
    "full burst, and while that is spent another period's worth flows in, so one window can see "
    "burst + limit. It keeps the curve burst + rate * t; a fixed window that doubles at its edge does not. "
    "If you need at most the limit in any period, set --target window.";

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* No verdict at all is worse than any latency. */
static int64_t slower(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? -1 : later(a, b);
}

static int64_t fewer(int64_t a, int64_t b)
{
    return (uint64_t)a < (uint64_t)b ? a : b;       /* -1, undefined, only beside -1 */
}

static void worsen(struct standing *into, const struct standing *other)
{
    into->qualifies = into->qualifies && other->qualifies;
    into->exact = into->exact && other->exact;
    into->over_share = larger(into->over_share, other->over_share);
    into->harm_share = larger(into->harm_share, other->harm_share);
    into->ideal_share = fewer(into->ideal_share, other->ideal_share);
    into->p99_ns = slower(into->p99_ns, other->p99_ns);
    into->p50_ns = slower(into->p50_ns, other->p50_ns);
    into->store_operations = larger(into->store_operations, other->store_operations);
}

static void fold(struct contender *into, const struct contender *other)
{
    if (other->failed > into->failed) {
        into->failed = other->failed;
        into->requests = other->requests;
    }
    into->over_admitted = larger(into->over_admitted, other->over_admitted);
    into->lost_updates = larger(into->lost_updates, other->lost_updates);
    into->retries = larger(into->retries, other->retries);
    into->boundary_burst = later(into->boundary_burst, other->boundary_burst);
    into->worst_window = later(into->worst_window, other->worst_window);
    if (other->blame.known && blame_total(&other->blame) > blame_total(&into->blame))
        into->blame = other->blame;
    worsen(&into->row, &other->row);
}

struct standing standing_from(const struct tally *t)
{
    uint64_t missing = t->ideal_admitted > t->admitted ? t->ideal_admitted - t->admitted : 0;
    uint64_t over_of_ideal = share_billionths(t->over_admitted, t->ideal_admitted);
    bool near_ideal = share_billionths(missing, t->ideal_admitted) <= SLACK;
    return (struct standing){
        .exact = t->keeps_target && !t->failed && near_ideal,
        .over_share = share_billionths(t->over_admitted, t->admitted),
        .harm_share = over_of_ideal + share_billionths(missing, t->ideal_admitted),
        .ideal_share = t->ideal_admitted ? (int64_t)share_billionths(t->admitted, t->ideal_admitted) : -1,
        .store_operations = share_billionths(t->store_operations, t->requests) / 1000000,
    };
}

/* ---- order ---- */

static int by_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_latency(int64_t a, int64_t b)
{
    return by_number((uint64_t)a, (uint64_t)b);     /* -1, no verdict, comes last */
}

/* What no speed makes up for, whatever --require asks: admissions over the target, and refusals of what the
 * ideal admits. */
static uint64_t harm(const struct standing *standing)
{
    return standing->harm_share > FEW ? standing->harm_share : 0;
}

/* More than the ideal is no merit. */
static uint64_t served(const struct standing *standing)
{
    return (uint64_t)fewer(standing->ideal_share, ONE);
}

static int by_standing(const struct standing *a, const struct standing *b)
{
    int orders[] = {
        b->qualifies - a->qualifies,
        a->qualifies ? by_number(harm(a), harm(b)) : by_number(a->over_share, b->over_share),
        by_latency(a->p99_ns, b->p99_ns),
        by_latency(a->p50_ns, b->p50_ns),
        by_number(served(b), served(a)),
        by_number(a->store_operations, b->store_operations),
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i])
            return orders[i];
    return 0;
}

static int by_row(const struct contender *a, const struct contender *b)
{
    int by_limit = (a->limit > b->limit) - (a->limit < b->limit);
    int by_name = strcmp(a->design, b->design);
    return by_limit ? by_limit : by_name ? by_name : strcmp(a->label, b->label);
}

static int rows_together(const void *left, const void *right)
{
    const struct contender *a = left, *b = right;
    int order = by_row(a, b);
    return order ? order : by_number(a->position, b->position);
}

static int best_first(const void *left, const void *right)
{
    const struct contender *a = left, *b = right;
    int by_limit = (a->limit > b->limit) - (a->limit < b->limit);
    int order = by_limit ? by_limit : by_standing(&a->design_wide, &b->design_wide);
    if (!order)
        order = strcmp(a->design, b->design);
    return order ? order : by_number(a->position, b->position);
}

static size_t fold_seeds(struct contender *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && by_row(&list[kept - 1], &list[i]) == 0)
            fold(&list[kept - 1], &list[i]);
        else
            list[kept++] = list[i];
    }
    return kept;
}

static bool same_design(const struct contender *a, const struct contender *b)
{
    return a->limit == b->limit && !strcmp(a->design, b->design);
}

/* Rows of one design stand side by side here. */
static void spread_standing(struct contender *list, size_t count)
{
    for (size_t first = 0, next; first < count; first = next) {
        struct standing worst = list[first].row;
        for (next = first + 1; next < count && same_design(&list[first], &list[next]); next++)
            worsen(&worst, &list[next].row);
        for (size_t i = first; i < next; i++)
            list[i].design_wide = worst;
    }
}

size_t contenders_rank(struct contender *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list[i].position = i;
    if (count)
        qsort(list, count, sizeof *list, rows_together);
    count = fold_seeds(list, count);
    spread_standing(list, count);
    if (count)
        qsort(list, count, sizeof *list, best_first);
    return count;
}

size_t contenders_of_one_limit(const struct contender *list, size_t count)
{
    size_t same = 0;
    while (same < count && list[same].limit == list[0].limit)
        same++;
    return same;
}

/* ---- words ---- */

__attribute__((format(printf, 2, 3)))
static void say(char out[CONTENDER_SENTENCE], const char *format, ...)
{
    size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out + used, CONTENDER_SENTENCE - used, format, arguments);
    va_end(arguments);
}

static const struct contender *fastest_exact(const struct contender *list, size_t count)
{
    const struct contender *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (list[i].design_wide.exact &&
            (!best || by_latency(list[i].design_wide.p99_ns, best->design_wide.p99_ns) < 0))
            best = &list[i];
    return best;
}

/* Among those that qualify, whatever they refuse. */
static const struct contender *fastest(const struct contender *list, size_t count)
{
    const struct contender *best = list;
    for (size_t i = 0; i < count && list[i].design_wide.qualifies; i++)
        if (by_latency(list[i].design_wide.p99_ns, best->design_wide.p99_ns) < 0)
            best = &list[i];
    return best;
}

static void say_cost(char out[CONTENDER_SENTENCE], const struct standing *s)
{
    char p99[SHOW_NUMBER], operations[SHOW_NUMBER];
    say(out, "p99 %s, store operations a request: %s", show_span(s->p99_ns, p99),
        show_thousandths(s->store_operations, operations));
}

static void say_flaws(char out[CONTENDER_SENTENCE], const struct standing *s)
{
    char share[SHOW_NUMBER];
    if (s->over_share)
        say(out, "; over-admits %s of what it admits", show_share(s->over_share, share));
    if (s->ideal_share >= 0 && s->ideal_share < ONE - SLACK)
        say(out, "; admits %s of the ideal", show_share((uint64_t)s->ideal_share, share));
    if (s->exact)
        say(out, "; exact: nothing over the target, nothing refused that the ideal admits");
}

static void say_contender(char out[CONTENDER_SENTENCE], const char *role, const struct contender *c)
{
    char name[NAME_ROOM];
    say(out, "%s: %s (", role, show_elided(c->design, NAME_COLUMNS, name, sizeof name));
    say_cost(out, &c->design_wide);
    say_flaws(out, &c->design_wide);
    say(out, ").\n");
}

const char *contenders_pick(const struct contender *list, size_t count, char out[CONTENDER_SENTENCE])
{
    out[0] = '\0';
    if (!count)
        return out;
    const struct contender *exact = fastest_exact(list, count), *quick = fastest(list, count);
    if (list->design_wide.qualifies)
        say_contender(out, "Pick", list);
    else
        say_contender(out, "None qualifies; nearest", list);
    if (exact && exact != list)
        say_contender(out, "Fastest exact one", exact);
    if (!exact)
        say(out, "No design here is exact.\n");
    if (quick != list && quick != exact)
        say_contender(out, "Faster, at a price", quick);
    out[strlen(out) - 1] = '\0';
    return out;
}

const char *contender_undecided(const struct contender *c, char out[CONTENDER_SENTENCE])
{
    char name[NAME_ROOM], failed[SHOW_NUMBER], requests[SHOW_NUMBER];
    out[0] = '\0';
    if (!c->failed)
        return out;
    say(out, "%s", show_elided(c->design, NAME_COLUMNS, name, sizeof name));
    if (*c->label)
        say(out, " %s", show_elided(c->label, NAME_COLUMNS, name, sizeof name));
    say(out, ": %s of %s requests got no decision", show_count(c->failed, failed),
        show_count(c->requests, requests));
    return out;
}

const char *contenders_parameters_of(const struct contender *list, size_t count, size_t i,
                                     char out[CONTENDER_SENTENCE])
{
    bool vary = false, said = false, said_for_limit = i > 0 && same_design(&list[i], &list[i - 1]);
    char name[NAME_ROOM];
    for (size_t j = 0; j < count; j++) {
        bool same = !strcmp(list[j].design, list[i].design);
        said = said || (same && j < i);
        vary = vary || (same && strcmp(list[j].parameters, list[i].parameters) != 0);
    }
    out[0] = '\0';
    if (vary ? said_for_limit : said)
        return out;
    say(out, "%s", show_elided(list[i].design, NAME_COLUMNS, name, sizeof name));
    if (vary)
        say(out, ", limit %lld", (long long)list[i].limit);
    return out;
}

bool contenders_need_window_note(const struct contender *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].boundary_burst >= 0 && list[i].boundary_burst <= ONE &&
            list[i].worst_window >= ONE + ONE / 2)
            return true;
    return false;
}
