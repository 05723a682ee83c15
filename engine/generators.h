/* generators.h - traffic that is made up: sources of requests with a rate, a shape and popular keys.
 *
 * The i-th request of a generator (i = its ordinal, from 0) is a pure function of (seed, generator's index,
 * i), but for the instants of a closed loop.  So a generator does not notice what others do, and sending
 * more requests leaves the earlier ones as they were.  Instants lie in [start, start + duration).
 *
 *   constant      request i at start + floor(i / rate)
 *   poisson       exponential gaps whose mean is 1 / rate, the first one before the first request
 *   on-off        poisson while on; time stands still for it while off
 *   ramp          the rate goes from `rate` to `end_rate` in a straight line over the duration T; request i
 *                 comes when the rate has added up to i:
 *                     t = 2 i / (r0 + sqrt(r0^2 + 2 i (r1 - r0) / T)),  to a billionth of T
 *   burst         `size` requests at one instant: at start, and after every `every`
 *   closed loop   `in_flight` clients; each sends at start, and then `think` after each of its verdicts.
 *                 Request k of client c has the ordinal k * in_flight + c, so that what a client asks for
 *                 does not depend on the others' luck
 *
 * Key, cost and region of a request are drawn from alias tables.  Tables are made once, by generator_init();
 * each run begins with generator_start().  A request costs no memory and 10 to 30 ns (a ramp's: 80). */
#ifndef LIMITLAB_GENERATORS_H
#define LIMITLAB_GENERATORS_H
#include "alias.h"
#include "dist.h"
#include "stream.h"
#include "traffic.h"

enum traffic_kind { TRAFFIC_TRACE, TRAFFIC_CONSTANT, TRAFFIC_POISSON, TRAFFIC_ON_OFF, TRAFFIC_RAMP,
                    TRAFFIC_BURST, TRAFFIC_CLOSED_LOOP };

enum { GENERATOR_ID_BITS = 40, GENERATOR_KEYS_MAX = 10000000 };
#define GENERATOR_INDEX_MAX    ((1u << 24) - 1)
#define GENERATOR_HOUR_NS      INT64_C(3600000000000)
#define GENERATOR_RATE_MAX     (INT64_C(1000000000) * 3600)     /* one request a ns */
#define GENERATOR_REQUESTS_MAX (UINT64_C(1) << GENERATOR_ID_BITS)

struct cost_weight { int64_t cost; uint32_t weight; };

/* What a user states.  Everything is borrowed until generator_init() returns. */
struct generator_spec {
    enum traffic_kind kind;             /* not TRAFFIC_TRACE */
    int64_t  start_ns;                  /* 0 or later */
    int64_t  duration_ns;               /* 0: until `requests` */
    uint64_t requests;                  /* 0: until the duration is over */
    int64_t  rate_per_hour;             /* constant, poisson, on-off (while on), ramp (at its start) */
    int64_t  end_rate_per_hour;         /* ramp: at its end */
    int64_t  on_ns, off_ns;             /* on-off */
    int64_t  every_ns;                  /* burst; 0: just once */
    uint64_t size;                      /* burst */
    uint32_t in_flight;                 /* closed loop */
    int64_t  think_ns;                  /* closed loop */
    uint32_t keys;                      /* 1 .. GENERATOR_KEYS_MAX */
    int64_t  zipf_billionths;           /* key i is as popular as 1 / (i + 1)^s; 0: all alike */
    uint32_t costs;                     /* 0: every request costs 1 */
    const struct cost_weight *cost;
    uint32_t regions;                   /* how many there are */
    int64_t  region;                    /* where requests arrive; -1: drawn */
    const uint32_t *region_weight;      /* for region -1: one for each of `regions`; NULL: all alike */
};

/* Keyed values are drawn for several requests at once: the processor works on them side by side. */
enum { GENERATOR_BATCH = 8 };
struct request_bits { struct stream_pair arrival, cost; uint32_t key; };   /* key: whom `arrival` draws */

/* Whoever knows keys by name gives each a dense number when it appears first: 0, 1, 2 ... */
struct key_numbers {
    uint32_t (*number)(struct key_numbers *self, uint32_t generator, uint32_t key);
};

struct generator {
    struct source source;               /* first: a generator is a source */
    struct memory *memory;
    /* set by generator_init(): */
    enum traffic_kind kind;
    uint32_t index;
    int64_t  start_ns, length_ns;       /* instants are start_ns + less than length_ns */
    uint64_t requests;                  /* at most */
    struct alias key, cost, region;
    int64_t *cost_of;                   /* drawn costs */
    int64_t  fixed_region;              /* or -1 */
    bool     draws_arrival, draws_cost; /* which streams are needed at all */
    union {
        struct { int64_t gap_ns; uint64_t gap_part, parts; } constant;  /* gap_ns + gap_part / parts */
        struct {                        /* a gap is unit * factor >> drop, in units of 2^-32 ns */
            uint64_t factor;
            unsigned drop;
            int64_t on_ns, off_ns;
            struct dist unit;
        } poisson;
        struct { int64_t rate, end_rate; unsigned shift; } ramp;
        struct { int64_t every_ns; uint64_t size; } burst;
        struct { uint32_t in_flight; int64_t think_ns; } loop;
    } shape;
    /* of the run, set by generator_start(): */
    uint64_t seed;
    struct key_numbers *numbers;
    uint32_t *number;                   /* of key i, + 1; 0: not seen yet */
    struct request_bits batch[GENERATOR_BATCH];     /* by ordinal modulo that; drawn when it reaches 0 */
    uint64_t sent;                      /* closed loop: of the clients' first requests */
    uint64_t sent_again;                /* closed loop: of their others */
    union {
        struct { int64_t at_ns; uint64_t part; } constant;
        struct {
            u128 active;                /* time while on, in 2^-32 ns */
            int64_t window_active_ns, window_ns;    /* when the present "on" began, by that time and by all */
        } poisson;
        struct { int64_t at_ns; } ramp;
        struct { int64_t at_ns; uint64_t left; } burst;
    } now;
};

/* NULL when the spec is usable, else why not (static text; there is nothing to free then).  index is the
 * generator's number in its experiment: its requests' ids are index << GENERATOR_ID_BITS | ordinal. */
const char *generator_init(struct generator *generator, const struct generator_spec *spec, uint32_t index,
                           struct memory *memory);

/* Begins a run (again): no request sent, no key seen.  `numbers` is borrowed until the run is over. */
void generator_start(struct generator *generator, uint64_t seed, struct key_numbers *numbers);

void generator_free(struct generator *generator);
#endif
