/* protocol.h - how one request gets its verdict out of a store.
 *
 * A protocol is a step function: it is given the answer to the operation that it asked for last (NULL at the
 * start and after a sleep), sends the next one, or ends.  It never touches a store by itself, so the same
 * function runs under a simulated network and under an explorer.  All it remembers is in struct call, which
 * is plain bytes.
 *
 * Written top to bottom with these.  Every AWAIT is a line at which the rest of the world may move; its phase
 * has a name, which appears in every trace.  Locals do not live across an AWAIT: keep what must live in
 * *call.  (gcc -Wjump-misses-init and clang find an initialised local that would not.)
 *
 *     PROTOCOL_BEGIN(call);
 *     send_get(world, call);
 *     AWAIT(call, READ);
 *     ...
 *     PROTOCOL_END(call); */
#ifndef LIMITLAB_PROTOCOL_H
#define LIMITLAB_PROTOCOL_H
#include "world.h"

#define PROTOCOL_BEGIN(call)  switch ((call)->phase) { case 0:
#define AWAIT(call, PHASE)    do { (call)->phase = (PHASE); return; case (PHASE):; } while (0)
#define FINISH(call)          do { (call)->over = true; return; } while (0)
#define PROTOCOL_END(call)    } FINISH(call)
#endif
