/* zoo.c - the classes of bugs. */
#include "zoo.h"

/* One table a class, each in a block of its own at the end of this file. */
extern const struct limiter *const zoo_clk[], *const zoo_ovf[], *const zoo_rnd[], *const zoo_obo[];
extern const struct limiter *const zoo_unit[], *const zoo_cal[], *const zoo_bnd[];
extern const struct limiter *const zoo_cost[], *const zoo_hdr[], *const zoo_cmp[], *const zoo_sync[];
extern const struct limiter *const zoo_ttl[], *const zoo_evict[], *const zoo_stuck[], *const zoo_herd[];
extern const struct limiter *const zoo_cfg[];
extern const struct coordination *const zoo_race_coordinations[], *const zoo_sync_coordinations[];

const struct limiter *const *const zoo_limiters[] = {
    zoo_clk,
    zoo_ovf,
    zoo_rnd,
    zoo_obo,
    zoo_unit,
    zoo_cal,
    zoo_bnd,
    zoo_cost,
    zoo_hdr,
    zoo_cmp,
    zoo_sync,
    zoo_ttl,
    zoo_evict,
    zoo_stuck,
    zoo_herd,
    zoo_cfg,
    NULL
};

const struct coordination *const *const zoo_coordinations[] = {
    zoo_race_coordinations,
    zoo_sync_coordinations,
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

/* COST, and DENY (what is denied is charged) */
extern const struct limiter zoo_debt_stored;
extern const struct limiter zoo_sliding_counts_denied;
extern const struct limiter zoo_refund_above_limit;
extern const struct limiter zoo_refund_unheard;
extern const struct limiter zoo_first_too_large_drains;
extern const struct limiter zoo_wait_for_never;
extern const struct limiter zoo_whole_burst_never;
extern const struct limiter zoo_pay_later;
const struct limiter *const zoo_cost[] = {
    &zoo_debt_stored,
    &zoo_sliding_counts_denied,
    &zoo_refund_above_limit,
    &zoo_refund_unheard,
    &zoo_first_too_large_drains,
    &zoo_wait_for_never,
    &zoo_whole_burst_never,
    &zoo_pay_later,
    NULL
};

/* HDR */
extern const struct limiter zoo_whole_token_wait;
extern const struct limiter zoo_newest_frees_the_slot;
extern const struct limiter zoo_wait_a_whole_window;
extern const struct limiter zoo_wait_a_share_of_it;
extern const struct limiter zoo_wait_in_local_time;
extern const struct limiter zoo_wait_for_no_reset;
extern const struct limiter zoo_too_large_sees_full;
extern const struct limiter zoo_reset_a_second_more;
const struct limiter *const zoo_hdr[] = {
    &zoo_whole_token_wait,
    &zoo_newest_frees_the_slot,
    &zoo_wait_a_whole_window,
    &zoo_wait_a_share_of_it,
    &zoo_wait_in_local_time,
    &zoo_wait_for_no_reset,
    &zoo_too_large_sees_full,
    &zoo_reset_a_second_more,
    NULL
};

/* CMP on one key, and DENY there */
extern const struct limiter zoo_two_windows;
extern const struct limiter zoo_each_window_for_itself;
extern const struct limiter zoo_both_windows_count_denied;
const struct limiter *const zoo_cmp[] = {
    &zoo_two_windows,
    &zoo_each_window_for_itself,
    &zoo_both_windows_count_denied,
    NULL
};

/* RACE */
extern const struct coordination zoo_two_keys;
extern const struct coordination zoo_refill_overwrites;
extern const struct coordination zoo_check_then_add;
extern const struct coordination zoo_process_lock;
const struct coordination *const zoo_race_coordinations[] = {
    &zoo_two_keys,
    &zoo_refill_overwrites,
    &zoo_check_then_add,
    &zoo_process_lock,
    NULL
};

/* SYNC */
extern const struct limiter zoo_forgets_previous;
extern const struct coordination zoo_cached_counter;
extern const struct coordination zoo_counted_twice;
extern const struct coordination zoo_delta_sync;
const struct limiter *const zoo_sync[] = {
    &zoo_forgets_previous,
    NULL
};
const struct coordination *const zoo_sync_coordinations[] = {
    &zoo_cached_counter,
    &zoo_counted_twice,
    &zoo_delta_sync,
    NULL
};

/* TTL */
extern const struct limiter zoo_end_put_off;
extern const struct limiter zoo_end_in_whole_seconds;
extern const struct limiter zoo_end_looked_at_apart;
extern const struct limiter zoo_lockout_of_its_own;
extern const struct limiter zoo_late_counts_unstored;
extern const struct limiter zoo_kept_one_interval;
extern const struct limiter zoo_end_cut_to_ms;
extern const struct limiter zoo_ttl_from_creation;
const struct limiter *const zoo_ttl[] = {
    &zoo_end_put_off,
    &zoo_end_in_whole_seconds,
    &zoo_end_looked_at_apart,
    &zoo_lockout_of_its_own,
    &zoo_late_counts_unstored,
    &zoo_kept_one_interval,
    &zoo_end_cut_to_ms,
    &zoo_ttl_from_creation,
    NULL
};

/* EVICT */
extern const struct limiter zoo_cleanup_of_all;
extern const struct limiter zoo_idle_for_a_minute;
extern const struct limiter zoo_evicted_when_idle;
extern const struct limiter zoo_reaped_after_five_minutes;
const struct limiter *const zoo_evict[] = {
    &zoo_cleanup_of_all,
    &zoo_idle_for_a_minute,
    &zoo_evicted_when_idle,
    &zoo_reaped_after_five_minutes,
    NULL
};

/* STUCK */
extern const struct limiter zoo_count_never_reset;
extern const struct limiter zoo_timer_of_no_ms;
const struct limiter *const zoo_stuck[] = {
    &zoo_count_never_reset,
    &zoo_timer_of_no_ms,
    NULL
};

/* HERD */
extern const struct limiter zoo_full_jitter;
extern const struct limiter zoo_wait_capped;
const struct limiter *const zoo_herd[] = {
    &zoo_full_jitter,
    &zoo_wait_capped,
    NULL
};

/* CFG */
extern const struct limiter zoo_tat_kept;
extern const struct limiter zoo_interval_cached;
extern const struct limiter zoo_end_from_before;
extern const struct limiter zoo_burst_refills;
extern const struct limiter zoo_limit_refills;
extern const struct limiter zoo_timer_stopped;
const struct limiter *const zoo_cfg[] = {
    &zoo_tat_kept,
    &zoo_interval_cached,
    &zoo_end_from_before,
    &zoo_burst_refills,
    &zoo_limit_refills,
    &zoo_timer_stopped,
    NULL
};
