/* small_show.c - what those who show steps of a small world ask (small_world.h). */
#include <assert.h>
#include "small_pack.h"

const struct small_news *small_news(const struct small_world *small, uint32_t news, uint32_t *n)
{
    assert(news < small->news.items);
    *n = (uint32_t)(intern_size(&small->news, news) / sizeof(struct small_news));
    return intern_bytes(&small->news, news);
}

const struct call *small_call(const struct small_world *small, uint32_t client)
{
    const struct small_head *head = intern_bytes(&small->clients, client);

    assert(client < small->clients.items);
    return head->stage == STAGE_RUNNING ? (const struct call *)(const void *)(head + 1) : NULL;
}

const struct message *small_message(const struct small_world *small, uint32_t client, uint32_t which)
{
    const struct message *message = NULL;

    assert(client < small->clients.items);
    return small_item(small, client, which, &message) ? message : NULL;
}

int small_cell_bit(const struct small_world *small, uint32_t store, uint32_t cell)
{
    assert(store < small->world.stores);
    if (small->world.store[store].model->orders_versions)
        return -1;
    return (int)(small_first_bit(small, store) + cell);
}

static bool is_about_a_state(enum operation operation)
{
    assert(operation < OPERATIONS);
    return operation == OP_GET || operation == OP_PUT || operation == OP_CAS || operation == OP_TAKE;
}

bool small_quota(struct small_world *small, uint32_t shared, const struct message *message,
                 struct quota *quota)
{
    struct world *world = &small->world;
    const struct store *store = &world->store[message->store];
    uint32_t cell = message->cell, policy = message->policy;

    if (!is_about_a_state((enum operation)message->operation) || store->model->orders_versions)
        return false;
    small_unpack(small, NO_CALL, shared);
    assert(cell < small->setup.keys * store->cells_per_key);
    if (!store->cell[cell].present || !world->values.limiter->quote)
        return false;
    *quota = value_quote(&world->values, &world->policies[policy], world->now_ns, &store->cell[cell]);
    return true;
}
