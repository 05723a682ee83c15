/* explored_claims.c - see explored_claims.h. */
#include "explored_claims.h"
#include <stdio.h>
#include <string.h>

/* ---- figures ---- */

/* Each puts billionths into out; false when it is not known. */
typedef bool figure_getter(const struct exploration *e, mpz_t out);

static bool put(mpz_t out, bool known, uint64_t value)
{
    mpz_set_ui(out, value);
    mpz_mul_ui(out, out, 1000000000);
    return known;
}

static bool put_number(mpz_t out, const struct exploration *e, const mpz_t value)
{
    if (e->counted)
        mpz_mul_ui(out, value, 1000000000);
    return e->counted;
}

static bool get_interleavings(const struct exploration *e, mpz_t out)
{
    return put_number(out, e, e->counts.all);
}

static bool get_over(const struct exploration *e, mpz_t out)
{
    return put_number(out, e, e->counts.over);
}

static bool get_most(const struct exploration *e, mpz_t out)
{
    return put(out, exploration_complete(e), e->most);
}

static bool get_least(const struct exploration *e, mpz_t out)
{
    return put(out, exploration_complete(e) && e->least_known, e->least);
}

static bool get_complete(const struct exploration *e, mpz_t out)
{
    return put(out, true, exploration_complete(e));
}

static bool get_states(const struct exploration *e, mpz_t out)
{
    return put(out, exploration_complete(e), e->states);
}

static bool get_canonical(const struct exploration *e, mpz_t out)
{
    return put(out, exploration_complete(e), e->canonical);
}

static bool get_blocked(const struct exploration *e, mpz_t out)
{
    return put(out, exploration_complete(e), e->blocked);
}

static bool get_preemptions(const struct exploration *e, mpz_t out)
{
    return put(out, e->witness.text && e->witness.minimal, e->witness.preemptions);
}

static bool get_faults(const struct exploration *e, mpz_t out)
{
    return put(out, e->witness.text && e->witness.minimal, e->witness.faults);
}

static bool get_needed(const struct exploration *e, mpz_t out)
{
    return put(out, e->witness.text && e->witness.minimal, e->witness.requests);
}

static bool get_excess(const struct exploration *e, mpz_t out)
{
    char text[DECIMAL_TEXT];
    struct decimal billionths = { .billionths = small_target_cost(&e->target, e->excess).billionths };

    /* As whole billionths: a decimal of a billion times the value has no places. */
    billionths.billionths *= 1000000000;
    mpz_set_str(out, decimal_text(billionths, 0, text), 10);
    return exploration_complete(e);
}

static const struct explored_figure { const char *name; figure_getter *get; } figures[] = {
    { "most_admitted", get_most }, { "least_admitted", get_least },
    { "interleavings", get_interleavings }, { "over_admitting_interleavings", get_over },
    { "complete", get_complete }, { "states", get_states }, { "canonical_states", get_canonical },
    { "blocked_states", get_blocked }, { "excess", get_excess }, { "preemptions", get_preemptions },
    { "faults", get_faults }, { "smallest_requests", get_needed },
};

enum { FIGURES = sizeof figures / sizeof *figures };

const char *const *explored_figure_names(void)
{
    static const char *names[FIGURES + 1];

    for (unsigned i = 0; i < FIGURES; i++)
        names[i] = figures[i].name;
    return names;
}

int explored_figure_find(const char *name)
{
    for (int i = 0; i < (int)FIGURES; i++)
        if (strcmp(figures[i].name, name) == 0)
            return i;
    return -1;
}

const char *explored_figure_nearest(const char *name)
{
    return nearest_name(name, explored_figure_names());
}

/* ---- conditions ---- */

/* A number as billionths: digits, and up to nine places. */
static bool parse_billionths(const char *text, mpz_t out)
{
    static const char digits[] = "0123456789";
    char all[CONDITION_WHY];
    size_t whole = strspn(text, digits), places = text[whole] == '.' ? strspn(text + whole + 1, digits) : 0;

    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return mpz_set_ui(out, *text == 't' ? 1000000000 : 0), true;
    if (whole == 0 || places > 9 || whole + 10 > sizeof all || text[whole + (places ? places + 1 : 0)])
        return false;
    snprintf(all, sizeof all, "%.*s%.*s%0*d", (int)whole, text, (int)places, text + whole + (places > 0),
             (int)(9 - places), 0);
    all[whole + 9] = '\0';
    return mpz_set_str(out, all, 10) == 0;
}

static bool is_number(const char *text)
{
    mpz_t number;

    mpz_init(number);
    bool good = parse_billionths(text, number);
    mpz_clear(number);
    return good;
}

static bool parse_bounds(const char *value, struct explored_condition *out, struct arena *arena)
{
    const char *dots = strstr(value, "..");

    if (dots) {
        out->low = arena_format(arena, "%.*s", (int)(dots - value), value);
        out->high = dots + 2;
    } else if (strncmp(value, "<=", 2) == 0) {
        out->high = value + 2;
    } else if (strncmp(value, ">=", 2) == 0) {
        out->low = value + 2;
    } else {
        out->low = out->high = value + (*value == '=');
    }
    return (!out->low || is_number(out->low)) && (!out->high || is_number(out->high));
}

bool explored_condition_parse(unsigned figure, const char *value, struct explored_condition *out,
                              struct arena *arena, char why[CONDITION_WHY])
{
    bool bare = !strchr("<>=", *value) || !*value;

    *out = (struct explored_condition){ .figure = figure };
    out->text = arena_format(arena, "%s%s%s", figures[figure].name, bare ? "=" : "", value);
    if (parse_bounds(arena_text(arena, value), out, arena))
        return true;
    snprintf(why, CONDITION_WHY, "'%.60s' is no number or range; expected as in 2, <=10, >=3 or 1..4", value);
    return false;
}

/* -1, 0, 1: the number lies below, in or above the range. */
static bool lies_in(const mpz_t number, const struct explored_condition *condition)
{
    mpz_t bound;

    mpz_init(bound);
    bool in = true;
    if (condition->low && parse_billionths(condition->low, bound))
        in &= mpz_cmp(number, bound) >= 0;
    if (condition->high && parse_billionths(condition->high, bound))
        in &= mpz_cmp(number, bound) <= 0;
    mpz_clear(bound);
    return in;
}

/* Billionths as people write them; what is whole has no places. */
static void show(const mpz_t billionths, char *out, size_t room)
{
    mpz_t whole, rest;

    mpz_inits(whole, rest, NULL);
    mpz_fdiv_qr_ui(whole, rest, billionths, 1000000000);
    int length = gmp_snprintf(out, room, "%Zd", whole);
    if (mpz_sgn(rest) > 0 && length > 0 && (size_t)length < room)
        gmp_snprintf(out + length, room - (size_t)length, ".%09Zd", rest);
    mpz_clears(whole, rest, NULL);
}

static bool condition_comes_true(const struct explored_condition *condition, const struct exploration *e,
                                 char why[CLAIM_WHY])
{
    char shown[120] = "not known";
    mpz_t number;

    mpz_init(number);
    bool known = figures[condition->figure].get(e, number);
    bool good = known && lies_in(number, condition);
    if (known)
        show(number, shown, sizeof shown);
    mpz_clear(number);
    if (!good)
        snprintf(why, CLAIM_WHY, "%s is %s; expected %.100s", figures[condition->figure].name, shown,
                 condition->text);
    return good;
}

/* ---- claims ---- */

static bool target_comes_true(const struct claim *claim, const struct exploration *e, char why[CLAIM_WHY])
{
    bool over = e->excess > 0 || e->witness.text, known = over || exploration_complete(e);

    if (known && over == (claim->expect == BREAKS))
        return true;
    snprintf(why, CLAIM_WHY, "%s; expected the target to %s",
             !known ? "not one interleaving broke it in what was explored, which was not all" :
             over ? "some interleaving breaks it" : "no interleaving breaks it",
             claim->expect == HOLDS ? "hold" : "break");
    return false;
}

bool explored_comes_true(const struct claim *claim, const struct exploration *exploration,
                         char why[CLAIM_WHY])
{
    if (claim->subject == CLAIM_TARGET && !target_comes_true(claim, exploration, why))
        return false;
    for (uint32_t i = 0; i < claim->explored; i++)
        if (!condition_comes_true(&claim->explored_condition[i], exploration, why))
            return false;
    return !claim->witness || explored_witness_holds(claim->witness, exploration, why);
}
