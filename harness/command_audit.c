/* command_audit.c - `limitlab audit`: recorded decisions of any system against a limit. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../algos/limiters/limiters.h"
#include "../reports/show.h"
#include "audit.h"
#include "cli.h"
#include "judging.h"
#include "output.h"
#include "units.h"

/* ---- options ---- */

static bool read_number(struct invocation *invocation, enum option_id option, bool needed, int64_t *out)
{
    const char *text = argument(&invocation->arguments, option);
    const char *wrong = text ? parse_count(text, 1, COST_MAX, out) : NULL;

    if (!text && needed)
        return refuse(invocation, "no limit; expected --limit N and --period DUR");
    return !wrong || refuse(invocation, "--%s: '%.60s' %s", option_table[option].name, text, wrong);
}

static bool read_period(struct invocation *invocation, int64_t *out)
{
    const char *text = argument(&invocation->arguments, OPTION_PERIOD);
    const char *wrong = text ? parse_duration(text, out) : NULL;

    if (!text)
        return refuse(invocation, "no period; expected --period DUR, as in 60s");
    if (!wrong && (*out < 1 || *out > PERIOD_MAX))
        wrong = "is out of range; expected 1ns to ten years";
    return !wrong || refuse(invocation, "--period: '%.60s' %s", text, wrong);
}

static bool read_target(struct invocation *invocation, enum target_kind *out)
{
    const char *text = argument(&invocation->arguments, OPTION_TARGET);

    *out = text && strcmp(text, "window") == 0 ? TARGET_WINDOW : TARGET_CURVE;
    return !text || *out == TARGET_WINDOW || strcmp(text, "curve") == 0 ||
           refuse(invocation, "--target: '%.60s' is no target; expected curve or window", text);
}

static bool read_limiter(struct invocation *invocation, const struct limiter **out)
{
    const char *text = argument(&invocation->arguments, OPTION_AS);
    struct arena *arena = &invocation->arena;

    *out = text ? limiter_find(text) : NULL;
    if (!text || *out)
        return true;
    const char **names = arena_alloc(arena, (limiter_count + 1) * sizeof *names);
    for (unsigned i = 0; i < limiter_count; i++)
        names[i] = limiters[i]->name;
    const char *nearest = nearest_name(text, names);
    return refuse(invocation, "--as: there is no limiter '%.60s'; %s%s%s", text,
                  nearest ? "did you mean '" : "expected one of those that `limitlab list limiters` lists",
                  nearest ? nearest : "", nearest ? "'?" : "");
}

static bool read_judging(struct invocation *invocation, struct judging *out)
{
    struct policy *policy = &out->policy;

    if (!read_number(invocation, OPTION_LIMIT, true, &policy->limit) ||
        !read_period(invocation, &policy->period_ns))
        return false;
    policy->burst = policy->limit;
    return read_number(invocation, OPTION_BURST, false, &policy->burst) &&
           read_target(invocation, &out->target) && read_limiter(invocation, &out->as);
}

static bool read_input(struct invocation *invocation, struct audit_options *out)
{
    const struct arguments *arguments = &invocation->arguments;
    const char *input = argument(arguments, OPTION_INPUT);

    if (arguments->operands != 1)
        return refuse(invocation, "%u files; expected one with decisions (- is standard input)",
                      arguments->operands);
    out->path = arguments->operand[0];
    out->access_log = input && (strcmp(input, "combined") == 0 || strcmp(input, "common") == 0);
    out->notes = is_quiet(invocation) ? NULL : stderr;
    if (input && !out->access_log && strcmp(input, "csv") != 0)
        return refuse(invocation, "--input: '%.60s' has no decisions in it; expected csv, combined or common",
                      input);
    return read_max_bad(invocation, &out->max_bad_billionths);
}

/* ---- as JSON ---- */

static void print_decimal(FILE *out, const char *name, struct decimal value)
{
    char text[DECIMAL_TEXT];

    fprintf(out, ", \"%s\": %s", name, decimal_text(value, 9, text));
}

static void print_json_window(FILE *out, const struct window_at *window)
{
    char ratio[DECIMAL_TEXT];

    fputs(", \"worst_window\": ", out);
    if (!window->key) {
        fputs("null", out);
        return;
    }
    fprintf(out, "{\"cost\": %" PRId64 ", \"ratio\": %s, \"key\": ", window->cost,
            decimal_text(window->ratio, 9, ratio));
    output_json_text(out, window->key);
    fprintf(out, ", \"start\": %" PRId64 ", \"end\": %" PRId64 "}", window->start_ns, window->end_ns);
}

static void print_json_bound(FILE *out, const char *name, const struct certain_bound *bound)
{
    fprintf(out, ",\n \"%s\": {\"over_admitted\": %" PRIu64 ", \"over_admitted_cost\": %" PRId64, name,
            bound->over_admitted, bound->over_admitted_cost);
    print_decimal(out, "excess", bound->excess);
    print_decimal(out, "effective_burst", bound->effective_burst);
    print_decimal(out, "boundary_burst", bound->boundary_burst);
    fprintf(out, ", \"worst_window\": %" PRId64 ", \"keys_over\": %" PRIu64 "}", bound->worst_window,
            bound->keys_over);
}

static void print_json_head(FILE *out, const struct judging *judging, const struct audit *audit)
{
    const struct policy *policy = &judging->policy;

    fprintf(out,
            "{\"schema\": 1, \"policy\": {\"limit\": %" PRId64 ", \"period_ns\": %" PRId64
            ", \"burst\": %" PRId64 "}, \"target\": \"%s\",\n",
            policy->limit, policy->period_ns, policy->burst,
            judging->target == TARGET_CURVE ? "curve" : "window");
    fprintf(out, " \"epoch_ns\": %" PRId64 ", \"precision_ns\": %" PRId64 ",\n", audit->epoch_ns,
            trace_rounding_ns(&audit->decisions.summary));
}

static void print_json(FILE *out, const struct judging *judging, const struct audit *audit,
                       const struct judgement *found)
{
    const struct result *r = &found->result;

    print_json_head(out, judging, audit);
    fprintf(out,
            " \"requests\": %" PRIu64 ", \"admitted\": %" PRIu64 ", \"admitted_cost\": %" PRId64
            ", \"over_admitted\": %" PRIu64 ", \"over_admitted_cost\": %" PRId64,
            r->requests, r->admitted, r->admitted_cost, r->over_admitted, r->over_admitted_cost);
    print_decimal(out, "excess", r->excess);
    print_decimal(out, "effective_burst", r->effective_burst);
    print_decimal(out, "boundary_burst", r->boundary_burst);
    print_json_window(out, &r->worst_window);
    fprintf(out, ", \"keys\": %" PRIu64 ", \"keys_over\": %" PRIu64 ", \"mismatches\": ", r->keys,
            found->keys_over);
    if (judging->as)
        fprintf(out, "%" PRIu64 ", \"wrongly_admitted\": %" PRIu64 ", \"wrongly_denied\": %" PRIu64,
                found->mismatches, r->wrongly_admitted, r->wrongly_denied);
    else
        fputs("null", out);
    if (found->coarse) {
        print_json_bound(out, "certain", &found->certain);
        print_json_bound(out, "possible", &found->possible);
    }
    fputs("}\n", out);
}

/* ---- for people ---- */

static const char *instant_text(const struct audit *audit, int64_t at_ns, char room[UNITS_TEXT])
{
    unsigned places = 9;

    if (!audit->decisions.summary.absolute)
        return duration_text(at_ns, room);
    for (int64_t ns = audit->decisions.summary.precision_ns; ns > 1; ns /= 10)
        places--;
    return iso_time_text(audit->epoch_ns + at_ns, places, room);
}

static void print_worst_window(FILE *out, const struct judging *judging, const struct audit *audit,
                               const struct window_at *window)
{
    char start[UNITS_TEXT], end[UNITS_TEXT], key[100], ratio[DECIMAL_TEXT];

    if (!window->key)
        return;
    fprintf(out, "worst window     %" PRId64 " of %" PRId64 " (%s times the limit), by %s\n", window->cost,
            judging->policy.limit, decimal_text(window->ratio, 4, ratio),
            visible_text(window->key, strlen(window->key), key, sizeof key));
    fprintf(out, "                 after %s, up to %s\n", instant_text(audit, window->start_ns, start),
            instant_text(audit, window->end_ns, end));
}

static const char *keys_word(uint64_t keys)
{
    return keys == 1 ? "key" : "keys";
}

static void print_counts(FILE *out, const struct judgement *found)
{
    const struct result *r = &found->result;
    char excess[DECIMAL_TEXT], burst[DECIMAL_TEXT], ratio[DECIMAL_TEXT];

    fprintf(out, "requests         %" PRIu64 " of %" PRIu64 " %s\n", r->requests, r->keys,
            keys_word(r->keys));
    fprintf(out, "admitted         %" PRIu64 " (cost %" PRId64 ")\n", r->admitted, r->admitted_cost);
    fprintf(out, "over-admitted    %" PRIu64 " (cost %" PRId64 "), of %" PRIu64 " %s with an excess\n",
            r->over_admitted, r->over_admitted_cost, found->keys_over, keys_word(found->keys_over));
    fprintf(out, "excess           %s\n", decimal_text(r->excess, 3, excess));
    fprintf(out, "effective burst  %s", decimal_text(r->effective_burst, 3, burst));
    if (!r->boundary_burst.null)
        fprintf(out, " (%s times the target's)", decimal_text(r->boundary_burst, 3, ratio));
    putc('\n', out);
}

static const char *whole_text(uint64_t value, char room[SHOW_NUMBER])
{
    snprintf(room, SHOW_NUMBER, "%" PRIu64, value);
    return room;
}

/* Two ends that are one are no range. */
static void print_range(FILE *out, const char *name, const char *certain, const char *possible)
{
    fprintf(out, "%-16s %s (certain)", name, certain);
    if (strcmp(certain, possible) != 0)
        fprintf(out, " to %s (possible)", possible);
    putc('\n', out);
}

/* The limiter of --as by itself, then with the recorded decisions held against it one by one. */
static void print_as(FILE *out, const struct judging *judging, const struct judgement *found)
{
    if (!judging->as)
        return;
    fprintf(out, "as %-13s %" PRIu64 " decisions differ from what it would have decided by itself\n",
            judging->as->name, found->mismatches);
    fprintf(out, "... one by one   %" PRIu64 " wrongly admitted, %" PRIu64
            " wrongly denied, charged with what was really admitted\n",
            found->result.wrongly_admitted, found->result.wrongly_denied);
}

/* Times that are rounded prove less: what they prove, and what they leave possible, where people can see the
 * difference. */
static void print_bounds(FILE *out, const struct audit *audit, const struct judgement *found)
{
    const struct certain_bound *least = &found->certain, *most = &found->possible;
    char precision[UNITS_TEXT], low[DECIMAL_TEXT], high[DECIMAL_TEXT];
    char fewest[SHOW_NUMBER], greatest[SHOW_NUMBER];

    decimal_text(least->excess, 3, low);
    decimal_text(most->excess, 3, high);
    bool alike = least->over_admitted == most->over_admitted && strcmp(low, high) == 0 &&
                 least->worst_window == most->worst_window;
    if (!found->coarse || alike)
        return;
    fprintf(out,
            "Times are known to %s only.  The figures above take them as they are written; the truth is "
            "between:\n",
            duration_text(trace_rounding_ns(&audit->decisions.summary), precision));
    print_range(out, "over-admitted", whole_text(least->over_admitted, fewest),
                whole_text(most->over_admitted, greatest));
    print_range(out, "excess", low, high);
    print_range(out, "worst window", whole_text((uint64_t)least->worst_window, fewest),
                whole_text((uint64_t)most->worst_window, greatest));
}

static const char *verdict_text(const struct judgement *found)
{
    if (found->result.requests == 0)
        return "no decisions: nothing was judged";
    if (judged_over(found))
        return "✗ over-admission found";
    return found->coarse && found->possible.over_admitted > 0 ? "✓ no over-admission is certain"
                                                              : "✓ no over-admission";
}

static void print_for_people(FILE *out, const struct judging *judging, const struct audit *audit,
                             const struct judgement *found)
{
    const struct policy *policy = &judging->policy;
    char period[UNITS_TEXT];

    fprintf(out, "limit            %" PRId64 " per %s, burst %" PRId64 ", target %s\n", policy->limit,
            duration_text(policy->period_ns, period), policy->burst,
            judging->target == TARGET_CURVE ? "curve" : "window");
    print_counts(out, found);
    print_worst_window(out, judging, audit, &found->result.worst_window);
    print_as(out, judging, found);
    print_bounds(out, audit, found);
    fprintf(out, "%s\n", verdict_text(found));
}

/* ---- the command ---- */

static void note_input(const struct invocation *invocation, const struct audit *audit)
{
    const struct trace_summary *summary = &audit->decisions.summary;

    if (summary->bad_lines)
        remark(invocation, "%" PRIu64 " of %" PRIu64 " lines could not be read and were skipped",
               summary->bad_lines, summary->bad_lines + summary->rows);
    if (summary->rows_out_of_order)
        remark(invocation, "%" PRIu64 " rows were out of time order and have been sorted",
               summary->rows_out_of_order);
}

static bool judge(struct invocation *invocation, struct judging *judging, struct audit *audit,
                  const struct keys *keys, struct judgement *found)
{
    struct audit_row row;

    judging->policy.epoch_ns = audit->epoch_ns;
    judging->precision_ns = trace_rounding_ns(&audit->decisions.summary);
    struct judges *judges = judges_call(judging, &invocation->arena, &invocation->failure);
    if (!judges)
        return false;
    while (audit_next(audit, &row))
        judges_hear(judges, row.key, row.at_ns, row.cost, row.allowed);
    judges_conclude(judges, keys, &invocation->arena, found);
    return !audit_failed(audit, &invocation->failure);
}

static enum exit_code audit_file(struct invocation *invocation, struct judging *judging, struct audit *audit,
                                 const struct keys *keys, bool json)
{
    struct judgement found;

    note_input(invocation, audit);
    if (!judge(invocation, judging, audit, keys, &found))
        return invocation->failure.code;
    if (found.result.requests == 0)
        remark(invocation, "no decisions in %s: nothing was judged", invocation->arguments.operand[0]);
    if (json)
        print_json(stdout, judging, audit, &found);
    else
        print_for_people(stdout, judging, audit, &found);
    return judged_over(&found) ? EXIT_BROKEN : EXIT_HOLDS;
}

static enum exit_code audit(struct invocation *invocation)
{
    struct judging judging = { 0 };
    struct keys keys = { 0 };
    struct audit_options how = { .keys = &keys };
    struct audit audit;
    enum exit_code code = EXIT_USAGE;
    bool json;

    if (read_json(invocation, &json) && read_judging(invocation, &judging) && read_input(invocation, &how)) {
        how.allow_refunds = !judging.as || judging.as->refunds;     /* unknown code may well give back */
        bool opened = audit_open(&audit, &how, &invocation->failure);
        code = opened ? audit_file(invocation, &judging, &audit, &keys, json) : invocation->failure.code;
        if (opened)
            audit_close(&audit);
    }
    keys_free(&keys);
    return code;
}

static const unsigned char option_list[] = {
    OPTION_LIMIT, OPTION_PERIOD, OPTION_BURST, OPTION_TARGET, OPTION_AS, OPTION_INPUT, OPTION_MAX_BAD,
    OPTION_FORMAT, OPTION_JSON, OPTIONS_END
};

const struct command command_audit = { "audit",
                                       "DECISIONS --limit L --period P",
                                       "recorded decisions of any system against a limit",
                                       "DECISIONS is a CSV with the columns t, key, cost and allowed (1 or "
                                       "0, true or false, allow or deny, or\n"
                                       "an HTTP status), or an access log (--input combined), where 429 and "
                                       "503 are denials.  Exits with 1 when\n"
                                       "more was let through than the target allows.\n\n"
                                       "  limitlab audit decisions.csv --limit 100 --period 60s --as "
                                       "fixed-window\n"
                                       "  limitlab audit --input combined access.log --limit 300 --period "
                                       "60s --json\n",
                                       option_list,
                                       audit };
