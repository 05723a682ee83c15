/* borrow.h - the parts of a textbook limiter that a limiter of the zoo keeps as they are.
 *
 * Most bugs are one line.  A limiter says with these what it takes from the rule that it means to follow, and
 * writes the rest itself.  The state is the rule's own: only the rule's functions look into it. */
#ifndef LIMITLAB_BORROW_H
#define LIMITLAB_BORROW_H
#include <assert.h>
#include "../limiters/exact.h"
#include "../limiters/limiters.h"

enum { BORROWED_BYTES = 32 };           /* enough for the state of every textbook limiter; a log's header */

#define BORROW_FRESH(rule)                                                                              \
    static void fresh(const struct policy *policy, int64_t now_ns, void *state)                         \
    {                                                                                                   \
        assert((rule).state_bytes <= BORROWED_BYTES);                                                   \
        (rule).fresh(policy, now_ns, state);                                                            \
    }

#define BORROW_CHECK(rule)                                                                              \
    static struct verdict check(const struct policy *policy, struct request request, const void *state) \
    {                                                                                                   \
        return (rule).check(policy, request, state);                                                    \
    }

#define BORROW_CHARGE(rule)                                                                             \
    static void charge(const struct policy *policy, struct request request, bool allowed, void *state)  \
    {                                                                                                   \
        (rule).charge(policy, request, allowed, state);                                                 \
    }

#define BORROW_QUOTE(rule)                                                                              \
    static struct quota quote(const struct policy *policy, int64_t now_ns, const void *state)           \
    {                                                                                                   \
        return (rule).quote(policy, now_ns, state);                                                     \
    }

#define BORROW_PROMISE(rule)                                                                            \
    static struct promise promise(const struct policy *policy)                                          \
    {                                                                                                   \
        return (rule).promise(policy);                                                                  \
    }
#endif
