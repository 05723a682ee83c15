/* small_pack.h - parts of a small world as bytes, and back (small_world.h). */
#ifndef LIMITLAB_SMALL_PACK_H
#define LIMITLAB_SMALL_PACK_H
#include "small_world.h"

enum small_stage { STAGE_WAITING, STAGE_RUNNING, STAGE_DONE };

/* How a client's bytes begin.  RUNNING: its call follows, then each thing that it has under way: a
 * small_item, and where that is an operation its message, and where the limiter's states grow the state that
 * the message carries. */
struct small_head {
    uint32_t like;                      /* the first client that asks for the same */
    uint32_t request, stage, items;
};

struct small_item { int64_t at_ns; uint32_t kind, node; uint32_t block_bytes, zero; };

/* How a shared part's bytes begin; stores and what is under way follow. */
struct small_base { int64_t now_ns; uint32_t items, zero; uint8_t variant[REGIONS_MAX]; };

/* Makes the world that of a client (NO_CALL: of none) and a shared part. */
void small_unpack(struct small_world *small, uint32_t client, uint32_t shared);

/* The parts of the world as it is now.  The client: waiting, running or done as its head says. */
uint32_t small_pack_client(struct small_world *small, struct small_head head);
uint32_t small_pack_shared(struct small_world *small);

/* The client with what it expects of these cells out of date. */
uint32_t small_pack_outdated(struct small_world *small, uint32_t client, uint64_t written);

/* A client's which-th item; NULL when there are fewer, or it has no call.  *message: where it is an
 * operation, else NULL. */
const struct small_item *small_item(const struct small_world *small, uint32_t client, uint32_t which,
                                    const struct message **message);

/* The place of a store's first cell among all that count in small_outcome.written. */
uint32_t small_first_bit(const struct small_world *small, uint32_t store);

/* Cells whose version is not what small_unpack() gave them. */
uint64_t small_written(const struct small_world *small);

/* The which-th item of the client (or in the background) in world->held; -1 when there are fewer. */
int small_held(const struct small_world *small, bool background, uint32_t which);

/* A check as it is told: its verdict, and the quota after it. */
struct small_check small_checked(struct verdict verdict, struct quota quota, int64_t cost);

/* The observer writes down what it hears in small->heard. */
void small_listen(struct small_world *small);

/* The version that a cell has when a step begins, and that of something out of date. */
enum { VERSION_NOW = 2, VERSION_PAST = 1 };

/* Among the steps that are looked up: what small_outdate() makes of a client. */
enum { SMALL_OUTDATE = 100 };
#endif
