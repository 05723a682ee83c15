/* takes.c - a request's program: which take comes next, and what becomes of the answer.
 *
 * The request is decided as soon as a take that asks denies it or the last of them allows it.  What runs
 * after that is silent: it charges, or fetches what a denied caller is told, and nobody asks.  Where a
 * program refunds, a denial in one layer gives back what earlier layers were charged, last one first. */
#include <assert.h>
#include "world_private.h"

static const struct program plain = { .name = "take", .takes = 1, .take = { { .kind = TAKE_DECIDE } } };

static const struct program *program_of(const struct world *world)
{
    const struct program *program = world->setup->design->program;

    assert(!program || (program->takes >= 1 && program->takes <= TAKES_MAX));
    return program ? program : &plain;
}

const struct take *call_take(const struct world *world, const struct call *call)
{
    assert(call->take < program_of(world)->takes);
    return &program_of(world)->take[call->take];
}

bool decides_later(const struct world *world, const struct call *call)
{
    const struct program *program = program_of(world);

    assert(call->take < program->takes);
    for (unsigned i = call->take + 1u; i < program->takes; i++)
        if (take_asks(&program->take[i]))
            return true;
    return false;
}

/* Is there more to fetch before a denied caller is told? */
static bool explains_later(const struct world *world, const struct call *call)
{
    const struct program *program = program_of(world);

    assert(call->take < program->takes);
    for (unsigned i = call->take + 1u; i < program->takes; i++)
        if (program->take[i].when_denied)
            return true;
    return false;
}

/* What the take costs; a surplus that the limiter cannot give back is not settled. */
static int64_t cost_of(const struct world *world, const struct call *call, const struct take *take)
{
    assert(take->kind <= TAKE_TOUCH);
    if (call->refunds)
        return -call->arrival.cost;
    if (take->kind == TAKE_TOUCH)
        return 0;
    if (take->kind != TAKE_SETTLE)
        return call->arrival.cost;
    return call->arrival.surplus < 0 && !world->values.limiter->refunds ? 0 : call->arrival.surplus;
}

/* The call is prepared for the take that call->take names. */
static void prepare(struct world *world, struct call *call)
{
    const struct take *take = call_take(world, call);
    uint32_t bucket = arrival_bucket(&call->arrival);

    assert(take->layer == 0 || world->setup->layers > 1);
    call->cost = cost_of(world, call, take);
    call->key = take->layer == 0 ? bucket : world->setup->ceiling_key[bucket];
    world_reserve_key(world, call->key);
}

void take_first(struct world *world, struct call *call)
{
    assert(call->take == 0 && !call->silent);
    prepare(world, call);
}

/* Is there anything to do in this take? */
static bool is_due(const struct world *world, const struct call *call, const struct take *take)
{
    assert(take->kind <= TAKE_TOUCH);
    if (call->refunds)
        return take->kind == TAKE_DECIDE && call->arrival.cost > 0;
    if (take->when_denied == call->answer.allowed)
        return false;
    return take->kind != TAKE_SETTLE || cost_of(world, call, take) != 0;
}

/* Moves to the next take that is due, forwards, or backwards when charges are given back. */
static bool move_on(const struct world *world, struct call *call)
{
    const struct program *program = program_of(world);

    assert(call->take < program->takes);
    call->refunds = !call->answer.allowed && program->refunds;
    for (int at = call->take + (call->refunds ? -1 : 1); at >= 0 && at < (int)program->takes;
         at += call->refunds ? -1 : 1)
        if (is_due(world, call, &program->take[at])) {
            call->take = (uint8_t)at;
            return true;
        }
    return false;
}

bool answer_stands(const struct world *world, const struct call *call)
{
    bool allowed = call->silent ? call->answer.allowed : call->verdict.allowed;

    assert(call->over);
    if (call->told)
        return false;
    if (call->failed && !call->silent)
        return true;
    return allowed ? !decides_later(world, call) : !explains_later(world, call);
}

/* What the last take left in the call is forgotten. */
static void clear(struct world *world, struct call *call)
{
    assert(call->over && call->ticket == TICKET_NONE);
    call->silent = call->refunds || !take_asks(call_take(world, call));
    call->verdict = (struct verdict){ 0 };
    call->policy = NULL;
    call->sum = 0;
    call->attempts = 0;
    call->phase = 0;
    call->pending = 0;
    call->at = (uint8_t)call->arrival.region;
    call->at_store = call->has_reading = call->effective = call->failed = call->over = false;
    call->mute = false;
    prepare(world, call);
}

bool take_next(struct world *world, uint32_t i)
{
    struct call *call = &world->call[i];

    assert(call->over);
    if (!call->silent)
        call->answer = call->verdict;
    if ((call->failed && !call->silent) || !move_on(world, call))
        return false;
    clear(world, call);
    if (call_take(world, call)->after_work && !call->refunds && world->setup->work_ns > 0)
        world_sleep(world, call, world->setup->work_ns);
    else
        call_step(world, i, NULL);
    return true;
}
