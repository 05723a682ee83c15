/* waits_of_a_herd.c - limiters that try to keep clients apart, or to spare them, by not telling the truth.
 *
 * One tells each a random share of the wait, so that they do not all come back at once ("full jitter"):
 * nearly all come too early, and are denied again.  One tells nobody more than ten minutes: then all of
 * them come back every ten minutes until the window is over.  The cure tells what is true, and who comes
 * back adds something to it. */
#include "borrow.h"
#include "zoo.h"

struct window {
    int64_t window[3];                  /* the state of an aligned window */
    int64_t draw;                       /* of this key's random shares */
};
_Static_assert(sizeof(struct window) == BORROWED_BYTES, "no padding");

BORROW_FRESH(fixed_window)
BORROW_QUOTE(fixed_window)

/* ---- full jitter ---- */

/* The next of a sequence that visits all 2^31 values, low bits worst (Knuth's parameters for it). */
static int64_t next_draw(int64_t draw)
{
    return (draw * 1103515245 + 12345) & 0x7fffffff;
}

static struct verdict check_share(const struct policy *policy, struct request request, const void *state)
{
    const struct window *window = state;
    struct verdict verdict = fixed_window.check(policy, request, window->window);

    if (!verdict.allowed && verdict.retry_after_ns != NEVER_NS)
        verdict.retry_after_ns = 1 + (int64_t)((i128)(verdict.retry_after_ns - 1) * window->draw >> 31);
    return verdict;
}

static void charge_and_draw(const struct policy *policy, struct request request, bool allowed, void *state)
{
    struct window *window = state;

    fixed_window.charge(policy, request, allowed, window->window);
    if (request.cost != 0)
        window->draw = next_draw(window->draw);
}

const struct limiter zoo_full_jitter = {
    .name = "zoo/full-jitter",
    .formula = "used(floor(t/P)) + c <= L; else wait a random share of what is left of the window",
    .good_to_know = "a random share of the wait is too early for nearly everybody",
    .source = "the review of snyk/go-application-framework pull request 649",
    .rule = &fixed_window,
    .state_bytes = sizeof(struct window),
    .charges_denied = true,
    .fresh = fresh, .check = check_share, .charge = charge_and_draw, .quote = quote,
    ZOO_SHARED,
};

/* ---- never more than ten minutes ---- */

BORROW_CHARGE(fixed_window)

static struct verdict check_capped(const struct policy *policy, struct request request, const void *state)
{
    struct verdict verdict = fixed_window.check(policy, request, state);

    if (!verdict.allowed && verdict.retry_after_ns != NEVER_NS)
        verdict.retry_after_ns = i64_min(verdict.retry_after_ns, 600 * ZOO_SECOND);
    return verdict;
}

const struct limiter zoo_wait_capped = {
    .name = "zoo/wait-capped",
    .formula = "used(floor(t/P)) + c <= L; else wait until the window's end, but never more than 600 s",
    .good_to_know = "in a window of an hour nearly every return is for nothing",
    .source = "NousResearch/hermes-agent pull request 109234",
    .rule = &fixed_window,
    .state_bytes = BORROWED_BYTES,
    .fresh = fresh, .check = check_capped, .charge = charge, .quote = quote,
    ZOO_SHARED,
};
