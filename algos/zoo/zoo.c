/* zoo.c - the classes of bugs. */
#include "zoo.h"

/* One table a class, each in a block of its own at the end of this file. */
extern const struct limiter *const zoo_clk[], *const zoo_ovf[], *const zoo_rnd[], *const zoo_obo[];
extern const struct limiter *const zoo_unit[], *const zoo_cal[], *const zoo_bnd[];

const struct limiter *const *const zoo_limiters[] = {
    zoo_clk,
    zoo_ovf,
    zoo_rnd,
    zoo_obo,
    zoo_unit,
    zoo_cal,
    zoo_bnd,
    NULL
};

const struct coordination *const *const zoo_coordinations[] = {
    NULL
};

/* CLK */
extern const struct limiter zoo_last_goes_back;
extern const struct limiter zoo_abs_elapsed;
extern const struct limiter zoo_tick_underflow;
extern const struct limiter zoo_negative_elapsed;
extern const struct limiter zoo_micros_as_millis;
const struct limiter *const zoo_clk[] = {
    &zoo_last_goes_back,
    &zoo_abs_elapsed,
    &zoo_tick_underflow,
    &zoo_negative_elapsed,
    &zoo_micros_as_millis,
    NULL
};

/* OVF */
extern const struct limiter zoo_timer_32_bits;
extern const struct limiter zoo_purge_underflow;
extern const struct limiter zoo_burst_32_bits;
extern const struct limiter zoo_zero_interval_refused;
const struct limiter *const zoo_ovf[] = {
    &zoo_timer_32_bits,
    &zoo_purge_underflow,
    &zoo_burst_32_bits,
    &zoo_zero_interval_refused,
    NULL
};

/* RND */
extern const struct limiter zoo_first_token_truncated;
extern const struct limiter zoo_leak_truncated;
extern const struct limiter zoo_remainder_dropped;
extern const struct limiter zoo_clamp_before_leak;
extern const struct limiter zoo_weight_below_zero;
extern const struct limiter zoo_zero_interval;
extern const struct limiter zoo_refill_of_one;
extern const struct limiter zoo_variance_of_period;
const struct limiter *const zoo_rnd[] = {
    &zoo_first_token_truncated,
    &zoo_leak_truncated,
    &zoo_remainder_dropped,
    &zoo_clamp_before_leak,
    &zoo_weight_below_zero,
    &zoo_zero_interval,
    &zoo_refill_of_one,
    &zoo_variance_of_period,
    NULL
};

/* OBO */
extern const struct limiter zoo_tolerance_as_capacity;
extern const struct limiter zoo_strict_limit;
extern const struct limiter zoo_slack_too_early;
extern const struct limiter zoo_slack;
const struct limiter *const zoo_obo[] = {
    &zoo_tolerance_as_capacity,
    &zoo_strict_limit,
    &zoo_slack_too_early,
    &zoo_slack,
    NULL
};

/* UNIT */
extern const struct limiter zoo_ttl_in_periods;
extern const struct limiter zoo_rate_upside_down;
const struct limiter *const zoo_unit[] = {
    &zoo_ttl_in_periods,
    &zoo_rate_upside_down,
    NULL
};

/* CAL */
extern const struct limiter zoo_year_of_356;
extern const struct limiter zoo_year_of_360;
extern const struct limiter zoo_thirty_day_months;
extern const struct limiter zoo_calendar_month;
const struct limiter *const zoo_cal[] = {
    &zoo_year_of_356,
    &zoo_year_of_360,
    &zoo_thirty_day_months,
    &zoo_calendar_month,
    NULL
};

/* BND */
extern const struct limiter zoo_period_from_construction;
const struct limiter *const zoo_bnd[] = {
    &zoo_period_from_construction,
    NULL
};
