#include "promise.h"

void promise_init(struct promise_check *check, struct memory *memory, const struct policy *policy,
                  struct promise promise)
{
    *check = (struct promise_check){ .memory = memory, .policy = *policy, .promise = promise,
                                     .aligned_end_ns = INT64_MIN };
    history_init(&check->history, memory, policy->period_ns);
}

void promise_free(struct promise_check *check)
{
    history_free(&check->history);
    memory_free(check->memory, check->curve);
    memory_free(check->memory, check->window);
    memory_free(check->memory, check->aligned);
    promise_init(check, check->memory, &check->policy, check->promise);
}

static void curve_admitted(struct promise_check *check, uint32_t key, int64_t at_ns, int64_t cost)
{
    const struct policy *rate = &check->policy;
    check->curve = memory_grow(check->memory, check->curve, &check->room, key + (size_t)1,
                               sizeof *check->curve);
    struct curve *curve = &check->curve[key];

    curve_admit(curve, curve_earned(curve, rate, at_ns), curve_credits(rate, cost), at_ns);
    check->broken |= curve->worst > curve_credits(rate, check->promise.most);
}

static void change_window(struct promise_check *check, uint32_t key, int64_t at_ns, int64_t cost)
{
    struct window *window = &check->window[key];

    window_change(window, at_ns, cost);
    check->broken |= window->worst > check->promise.most;
}

/* Lets go what leaves the window until then. */
static void let_leave(struct promise_check *check, int64_t now_ns)
{
    struct admission left;

    while (history_leave(&check->history, now_ns, &left))
        change_window(check, left.key, left.at_ns + check->policy.period_ns, -left.cost);
}

static void window_admitted(struct promise_check *check, uint32_t key, int64_t at_ns, int64_t cost)
{
    check->window = memory_grow(check->memory, check->window, &check->room, key + (size_t)1,
                                sizeof *check->window);
    let_leave(check, at_ns);
    change_window(check, key, at_ns, cost);
    history_add(&check->history, (struct admission){ .at_ns = at_ns, .cost = cost, .key = key });
}

/* Windows are the same for all keys, and time does not go back: one division a window. */
static void reach_aligned_window(struct promise_check *check, int64_t at_ns)
{
    i128 period = check->policy.period_ns, phase = check->policy.phase_ns;

    check->aligned_start_ns = (int64_t)(div_floor(at_ns + phase, period) * period - phase);
    check->aligned_end_ns = check->aligned_start_ns + check->policy.period_ns;
}

static void aligned_admitted(struct promise_check *check, uint32_t key, int64_t at_ns, int64_t cost)
{
    check->aligned = memory_grow(check->memory, check->aligned, &check->room, key + (size_t)1,
                                 sizeof *check->aligned);
    struct aligned_sum *sum = &check->aligned[key];

    if (at_ns >= check->aligned_end_ns)
        reach_aligned_window(check, at_ns);
    if (sum->window_start_ns != check->aligned_start_ns)
        *sum = (struct aligned_sum){ .window_start_ns = check->aligned_start_ns };
    sum->cost += cost;
    check->broken |= sum->cost > check->promise.most;
}

void promise_admitted(struct promise_check *check, uint32_t key, int64_t at_ns, int64_t cost)
{
    switch (check->promise.kind) {
    case PROMISE_CURVE:   curve_admitted(check, key, at_ns, cost); break;
    case PROMISE_WINDOW:  window_admitted(check, key, at_ns, cost); break;
    case PROMISE_ALIGNED: aligned_admitted(check, key, at_ns, cost); break;
    }
}

bool promise_kept(struct promise_check *check)
{
    let_leave(check, INT64_MAX);
    return !check->broken;
}
