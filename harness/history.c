#include "history.h"
#include <assert.h>

enum {
    BLOCK_BYTES = 1 << 14,
    PACKED_MOST = 10 + 5 + 10           /* an instant, a key with its flag, a cost: seven bits a byte */
};

struct history_block {
    struct history_block *next;
    uint32_t used;
    uint8_t bytes[BLOCK_BYTES - sizeof(void *) - sizeof(uint32_t)];
};

void history_init(struct history *history, struct memory *memory, int64_t period_ns)
{
    *history = (struct history){ .memory = memory, .period_ns = period_ns };
}

void history_free(struct history *history)
{
    while (history->first) {
        struct history_block *next = history->first->next;
        memory_free(history->memory, history->first);
        history->first = next;
    }
    memory_free(history->memory, history->spare);
    history_init(history, history->memory, history->period_ns);
}

/* Seven bits a byte, the lowest first; the top bit says that more follow. */
static uint8_t *put(uint8_t *at, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        *at++ = (uint8_t)(number | 0x80);
    *at++ = (uint8_t)number;
    return at;
}

static const uint8_t *take(const uint8_t *at, uint64_t *number)
{
    unsigned shift = 0;

    for (*number = 0; *at & 0x80; shift += 7)
        *number |= (uint64_t)(*at++ & 0x7f) << shift;
    *number |= (uint64_t)*at++ << shift;
    return at;
}

/* Small numbers of either sign as small numbers without one: 0, -1, 1, -2 ... become 0, 1, 2, 3 ... */
static uint64_t fold(int64_t number)
{
    return (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
}

static int64_t unfold(uint64_t number)
{
    return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

static struct history_block *block_with_room(struct history *history)
{
    struct history_block *block = history->last;

    if (block && sizeof block->bytes - block->used >= PACKED_MOST)
        return block;
    block = history->spare ? history->spare : history->memory->resize(history->memory, NULL, sizeof *block);
    history->spare = NULL;
    block->next = NULL;
    block->used = 0;
    if (history->last)
        history->last->next = block;
    else
        history->first = block;
    return history->last = block;
}

static void pack(struct history *history, const struct admission *admission)
{
    struct history_block *block = block_with_room(history);
    uint8_t *at = block->bytes + block->used;

    at = put(at, (uint64_t)admission->at_ns - (uint64_t)history->written_ns);
    at = put(at, (uint64_t)admission->key << 1 | admission->kept);
    at = put(at, fold(admission->cost));
    block->used = (uint32_t)(at - block->bytes);
    history->written_ns = admission->at_ns;
}

static bool joins(const struct history *history, const struct admission *admission)
{
    const struct admission *newest = &history->newest;

    return history->has_newest && newest->at_ns == admission->at_ns && newest->key == admission->key
        && newest->kept == admission->kept;
}

void history_add(struct history *history, struct admission admission)
{
    assert(!history->has_newest || history->newest.at_ns <= admission.at_ns);
    if (joins(history, &admission)) {
        history->newest.cost += admission.cost;
        return;
    }
    if (history->has_newest)
        pack(history, &history->newest);
    history->newest = admission;
    history->has_newest = true;
}

/* The first block is read to its end: keep one such block, give the others back. */
static void drop_first(struct history *history)
{
    struct history_block *block = history->first;

    history->first = block->next;
    if (!block->next)
        history->last = NULL;
    memory_free(history->memory, history->spare);
    history->spare = block;
    history->read_bytes = 0;
}

static void unpack(struct history *history)
{
    const struct history_block *block = history->first;
    const uint8_t *at = block->bytes + history->read_bytes;
    uint64_t passed, key, cost;

    at = take(take(take(at, &passed), &key), &cost);
    history->read_bytes = (uint32_t)(at - block->bytes);
    history->read_ns = (int64_t)((uint64_t)history->read_ns + passed);
    history->oldest = (struct admission){ .at_ns = history->read_ns, .cost = unfold(cost),
                                          .key = (uint32_t)(key >> 1), .kept = key & 1 };
}

bool history_unpack(struct history *history)
{
    if (history->first && history->read_bytes == history->first->used)
        drop_first(history);
    if (history->first) {
        unpack(history);
    } else if (history->has_newest) {
        history->oldest = history->newest;
        history->has_newest = false;
    } else {
        return false;
    }
    return history->has_oldest = true;
}
