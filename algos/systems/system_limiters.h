/* system_limiters.h - the limiters that only systems use, by name; systems.c has their tables. */
#ifndef LIMITLAB_SYSTEM_LIMITERS_H
#define LIMITLAB_SYSTEM_LIMITERS_H
#include "../limiters/limiters.h"

extern const struct limiter user_limiter, user_limiter_v2, user_limiter_v2_migrating, portable_gcra;
extern const struct limiter rlf_memory, rlf_redis;
extern const struct limiter limiter_token_bucket, limiter_rate_limiter;
extern const struct limiter bottleneck_reservoir;
extern const struct limiter batch_bucket;
extern const struct limiter upstash_fixed_window, upstash_sliding_window, upstash_token_bucket;
extern const struct limiter workers_binding_window;
extern const struct limiter nginx_limit_req;
#endif
