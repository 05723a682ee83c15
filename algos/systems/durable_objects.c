/* durable_objects.c - limiters in Durable Objects: those of two articles and of a package, with what breaks
 * them and what mends them. */
#include "systems.h"

#define USER   "article \"Rate Limiting Requests Per User With a Durable Object\""
#define TENANT "article \"When a Rate Limiter Needs a Brain: Durable Objects for Per-Tenant State\""
#define STACK  "documentation of @delightstack/rate-limiter"

#define ROW(NAME, DESIGN, SUMMARY, SOURCE, SCENARIO) \
    { .name = NAME, .design = DESIGN, .summary = SUMMARY, .source = SOURCE, .scenario = SCENARIO }

const struct system object_systems[] = {
    ROW("durable-object/broken-await", "user-limiter@durable-object:await=fetch",
        "a fetch between read and write lets others in: about callers x limit pass, not one more", USER,
        "durable-object-broken-await.yaml"),
    ROW("durable-object/slow-work-first", "user-limiter@durable-object:await=fetch:at=before",
        "the first cure: fetch, and only then read, decide and write; every request pays for it", USER,
        "durable-object-broken-await.yaml"),
    ROW("durable-object/slow-work-after", "user-limiter@durable-object:await=fetch:at=after",
        "the second cure: read, decide, write, and only then fetch", USER,
        "durable-object-broken-await.yaml"),
    ROW("durable-object/cached-plan", "user-limiter@durable-object:await=fetch:at=before:cached=timer",
        "the third cure: what was fetched is kept in a field; the first request after an eviction pays", USER,
        "durable-object-cached-plan.yaml"),
    ROW("durable-object/alarm", "user-limiter@durable-object:alarm=full",
        "an alarm deletes the state once the bucket is certainly full: a missing one reads as full", USER,
        "durable-object-alarm.yaml"),
    ROW("durable-object/alarm-always", "user-limiter@durable-object:alarm=always:alarm_after=20s",
        "an alarm that does not look: harmless when it rings once the bucket is full, else a gift", USER,
        "durable-object-alarm.yaml"),
    ROW("durable-object/alarm-half", "user-limiter@durable-object:alarm=half:alarm_after=20s",
        "an alarm that takes half for full, while a missing state reads as full: the other half is a gift",
        USER, "durable-object-alarm.yaml"),
    ROW("durable-object/fail-open", "user-limiter@durable-object:unreachable=open",
        "whoever cannot reach the object is let through: no limit for as long as that lasts", USER,
        "durable-object-unreachable.yaml"),
    ROW("durable-object/fail-closed", "user-limiter@durable-object:unreachable=closed",
        "whoever cannot reach the object is refused, after the timeout", USER,
        "durable-object-unreachable.yaml"),
    ROW("durable-object/fallback-local", "user-limiter@durable-object:unreachable=local",
        "whoever cannot reach the object decides alone: a bucket more for each instance", USER,
        "durable-object-unreachable.yaml"),
    ROW("durable-object/undecided", "user-limiter@durable-object:unreachable=undecided",
        "nobody wrote the catch block: the request fails, neither admitted nor denied", USER,
        "durable-object-unreachable.yaml"),
    ROW("durable-object/placement", "user-limiter@durable-object",
        "lives where it was first asked for: a round trip is the floor for a user who has moved since", USER,
        "durable-object-placement.yaml"),
    ROW("durable-object/location-hint", "user-limiter@durable-object:place=home",
        "lives where it is told to (home=REGION)", USER, "durable-object-placement.yaml"),
    ROW("durable-object/hot-key", "user-limiter@durable-object:service=10ms",
        "one request at a time: 10 ms each are 100 a second, and the queue grows long before", TENANT,
        "durable-object-hot-key.yaml"),
    ROW("durable-object/one-global-object", "user-limiter@durable-object:service=10ms:scope=global",
        "one object for everybody: whoever is busy makes all others wait", STACK,
        "durable-object-one-global-object.yaml"),
    ROW("durable-object/tenant-limiter", "fixed-window-anchored@durable-object",
        "a window from the first request, denied ones counted: exact, and twice the limit around a reset",
        TENANT, "durable-object-tenant-limiter.yaml"),
    ROW("delightstack/basic", "interval-bucket@durable-object:state=memory:idle=60s:cold=2ms",
        "whole tokens in memory alone: eviction is harmless when the bucket would be full by then", STACK,
        "durable-object-delightstack-basic.yaml"),
    ROW("delightstack/eviction", "interval-bucket@durable-object:state=memory:idle=10s:cold=2ms",
        "the same where filling takes longer than eviction: every idle spell is a full bucket", STACK,
        "durable-object-delightstack-eviction.yaml"),
    ROW("worker-memory", "token-bucket@local",
        "a counter in each isolate: no way at all, and as many limits as there are isolates", TENANT,
        "durable-object-worker-memory.yaml"),
    { .name = NULL }
};
