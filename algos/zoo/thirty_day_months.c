/* thirty_day_months.c - "so many a month", where a month is 30 days, and where it is a month.
 *
 * Windows of 30 days since the Unix epoch begin in the middle of months: the limit passes twice within one,
 * and a new month does not set it free.  The cure counts calendar months (UTC): the window that holds t ends
 * at midnight on the first, whatever the period of the policy. */
#include "zoo.h"
#include "../limiters/limiters.h"

static struct policy thirty_days(const struct policy *policy)
{
    return *policy;
}

ZOO_UNDER(fixed_window, thirty_days)

/* ---- the cure ---- */

struct month {
    int64_t end_ns;                     /* of the month that `used` is about */
    int64_t used;
};
_Static_assert(sizeof(struct month) == 16, "no padding");

/* The day on which the month after that of `day` begins; days since 1970-01-01.  Years run from March, so
 * that the leap day is their last; 400 of them have 146097 days (the Gregorian calendar). */
static int64_t next_month(int64_t day)
{
    static const int16_t ends[12] = { 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337, 366 };
    int64_t from_march = day + 719468;  /* since 0000-03-01 */
    int64_t era = (int64_t)div_floor(from_march, 146097), in_era = from_march - era * 146097;
    int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (365 * year + year / 4 - year / 100);
    bool leap = (year + 1) % 4 == 0 && ((year + 1) % 100 != 0 || (year + 1) % 400 == 0);
    unsigned month = 0;

    while (in_year >= ends[month])
        month++;
    return day - in_year + ends[month] - (month == 11 && !leap);
}

static int64_t month_end_ns(const struct policy *policy, int64_t t)
{
    i128 unix_ns = (i128)t + policy->epoch_ns;
    int64_t day = (int64_t)div_floor(unix_ns, ZOO_DAY);

    return i64_clamp((i128)next_month(day) * ZOO_DAY - policy->epoch_ns);
}

static int64_t used_at(const struct month *month, int64_t t)
{
    return t < month->end_ns ? month->used : 0;
}

static void month_fresh(const struct policy *policy, int64_t now_ns, void *state)
{
    *(struct month *)state = (struct month){ month_end_ns(policy, now_ns), 0 };
}

static struct verdict month_check(const struct policy *policy, struct request request, const void *state)
{
    const struct month *month = state;

    return zoo_answer(request, policy->limit - used_at(month, request.now_ns), policy->limit,
                      i64_clamp((i128)month->end_ns - request.now_ns));
}

static void month_charge(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct month *month = state;

    if (!allowed || request.cost == 0)
        return;
    month->used = used_at(month, request.now_ns) + request.cost;
    month->end_ns = i64_max(month->end_ns, month_end_ns(policy, request.now_ns));
}

ZOO_QUOTE(month_check)

/* A calendar month has 28 days or more.  Edges are L each; between them months of 31 days fall behind. */
static struct promise month_promise(const struct policy *policy)
{
    return (struct promise){ PROMISE_CURVE, i64_min(COST_MAX, 3 * policy->limit) };
}

const struct limiter zoo_calendar_month = {
    .name = "zoo/calendar-month",
    .formula = "used + c <= L in each calendar month, UTC",
    .good_to_know = "months are of 28 to 31 days; twice the limit passes at midnight on the first",
    .source = "the Gregorian calendar",
    .state_bytes = sizeof(struct month),
    .refuses = zoo_refuses_none,
    .fresh = month_fresh,
    .check = month_check,
    .charge = month_charge,
    .quote = quote_month_check,
    .promise = month_promise,
};

const struct limiter zoo_thirty_day_months = {
    .name = "zoo/thirty-day-months",
    .formula = "used + c <= L in aligned windows of 30 days, for calendar months",
    .good_to_know = "the limit passes twice within a month, and a new month does not set it free",
    .source = "every limiter with a month of 2592000 s",
    .rule = &zoo_calendar_month,
    ZOO_UNDER_MEMBERS,
    ZOO_SHARED,
};
