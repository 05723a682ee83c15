/* delta_sync.c - each instance admits on its own from what the store said was left, and every so often brings
 * the store what it admitted since.
 *
 * Instances overshoot together by what they have not brought yet, never by more, as long as nothing that was
 * admitted is forgotten.  Two ways to forget it: flush=asks brings it through the very check that requests go
 * through, and drops it when that says no; failure=forgets takes a store that cannot be reached for an empty
 * one.  The first request after each interval does the bringing, and waits for it. */
#include "../protocols/protocols.h"

enum { READ = 1, SWAP };
enum { HOME, INSTANCES, EVERY, FLUSH, FAILURE };
enum { FLUSH_CHARGES, FLUSH_ASKS };
enum { FAILURE_KEEPS, FAILURE_FORGETS };
enum { STORE_STATES, STORE_SHARES };

/* What an instance knows of a key. */
struct share {
    int64_t next_ns;                    /* when it goes to the store again */
    int64_t left;                       /* of the limit, when it was there last */
    int64_t untold;                     /* admitted since */
    int64_t known;                      /* 0: nothing of this is true yet */
};
_Static_assert(sizeof(struct share) <= INLINE_BYTES, "fits a value");

static struct share *share_of(const struct world *world, const struct call *call)
{
    struct value *value = &world->store[STORE_SHARES].cell[call->key * world->nodes + call->node];
    struct share *share = (struct share *)(void *)value->state.bytes;

    if (!share->known)
        *share = (struct share){ .next_ns = world->now_ns, .left = call_policy(world, call, 0)->limit,
                                 .known = 1 };
    return share;
}

/* Is it time to go to the store?  Then it is the caller's to do. */
static bool elected(struct world *world, struct call *call)
{
    struct share *share = share_of(world, call);

    if (world->now_ns < share->next_ns)
        return false;
    share->next_ns = i64_clamp((i128)world->now_ns + world_parameter(world, EVERY));
    return true;
}

/* Brings what was admitted into the state that was read; true when the state changed. */
static bool flush(struct world *world, struct call *call, struct value *value)
{
    struct request brought = { world_read_clock(world, call), share_of(world, call)->untold };
    struct verdict verdict;

    call->sum = (uint64_t)brought.cost;
    if (brought.cost == 0)
        return false;
    if (world_parameter(world, FLUSH) == FLUSH_ASKS)
        return value_decide(&world->values, call_policy(world, call, 0), brought, value, &verdict);
    value_charge(&world->values, call_policy(world, call, 0), brought, true, value);
    return true;
}

static void learn(struct world *world, struct call *call, const struct value *value)
{
    const struct policy *policy = call_policy(world, call, 0);
    struct share *share = share_of(world, call);

    share->untold -= (int64_t)call->sum;
    share->left = policy->limit;
    if (value->present)
        share->left = world->values.limiter->quote(policy, world_read_clock(world, call),
                                                   value_state(&world->values, value)).remaining;
}

static void not_reached(const struct world *world, const struct call *call)
{
    if (world_parameter(world, FAILURE) == FAILURE_KEEPS)
        return;
    share_of(world, call)->untold = 0;
    share_of(world, call)->left = call_policy(world, call, 0)->limit;
}

static void decide(struct world *world, struct call *call)
{
    const struct policy *policy = call_policy(world, call, 0);
    struct share *share = share_of(world, call);

    if (call->cost > 0 && share->untold + call->cost > share->left) {
        int64_t wait_ns = i64_max(1, share->next_ns - world->now_ns);
        world_conclude(world, call, verdict_deny(wait_or_never(policy, call->cost, wait_ns)));
        return;
    }
    world_conclude(world, call, verdict_allow());
    share->untold += call->cost;
}

static void step(struct world *world, struct call *call, struct message *in)
{
    PROTOCOL_BEGIN(call);
    if (answer_peek(world, call))
        FINISH(call);
    while (elected(world, call)) {
        world_send(world, call, world_message(world, call, OP_GET, STORE_STATES, call->key, world->home));
        AWAIT(call, READ);
        if (!in->lost && flush(world, call, &in->value)) {
            world_send(world, call, world_reuse(in, OP_CAS));
            AWAIT(call, SWAP);
            if (!in->lost && !in->ok) {
                share_of(world, call)->next_ns = world->now_ns;
                continue;
            }
        }
        if (in->lost)
            not_reached(world, call);
        else
            learn(world, call, &in->value);
        break;
    }
    decide(world, call);
    PROTOCOL_END(call);
}

static void set_up(struct world *world)
{
    world_add_store(world, &cells_store, 1);
    world_add_store(world, &memory_store, world->nodes);
}

static const char *refuses(const struct design *design, const struct setting *setting)
{
    (void)setting;
    return design->limiter->refunds ? NULL : "a limiter that can charge more than is left";
}

const struct coordination zoo_delta_sync = {
    .name = "zoo/delta-sync",
    .summary = "admit by oneself, bring the store what was admitted every so often",
    .parameter = {
        PARAMETER_HOME, PARAMETER_INSTANCES, PARAMETER_EVERY,
        { .name = "flush", .kind = PARAMETER_CHOICE, .preset_text = "charges",
          .choices = (const char *const[]){ "charges", "asks", NULL },
          .meaning = "what was admitted is charged in any case, or dropped when there is no room for it" },
        { .name = "failure", .kind = PARAMETER_CHOICE, .preset_text = "keeps",
          .choices = (const char *const[]){ "keeps", "forgets", NULL },
          .meaning = "what an instance has not brought when the store cannot be reached" },
    },
    .phase = { "start", "read", "swap" },
    .refuses = refuses,
    .counts = true, .catches_loss = true, .set_up = set_up, .step = step, .looks_at_once = true,
};
