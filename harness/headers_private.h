/* headers_private.h - the readers of headers.h's table: how each kind of text is read. */
#ifndef LIMITLAB_HEADERS_PRIVATE_H
#define LIMITLAB_HEADERS_PRIVATE_H
#include "headers.h"

#define NS_PER_S INT64_C(1000000000)

/* X-RateLimit-* are no structured fields: there a count may have 16 digits, as COST_MAX does. */
bool read_limit(const char *value, struct told *told);
bool read_remaining(const char *value, struct told *told);
bool read_field_limit(const char *value, struct told *told);
bool read_field_remaining(const char *value, struct told *told);
bool read_delta(const char *value, struct told *told);
bool read_epoch(const char *value, struct told *told);
/* "default";q=100;w=60 */
bool read_named_policy(const char *value, struct told *told);
/* "default";r=50;t=30 */
bool read_named_quota(const char *value, struct told *told);
/* 100;w=60 */
bool read_counted_policy(const char *value, struct told *told);
/* limit=100, remaining=50, reset=30 */
bool read_dictionary(const char *value, struct told *told);
#endif
