/* small_arrivals.h - a file of arrivals for a small world: each row a request, rows of one client in order.
 *
 * The file is a trace (trace.h) of at most 64 rows.  With a column `client`, rows that are alike in client,
 * key and region are one client's requests, which it sends one after another; without it every row is a
 * client of its own.  A row is sent at its instant at the earliest. */
#ifndef LIMITLAB_SMALL_ARRIVALS_H
#define LIMITLAB_SMALL_ARRIVALS_H
#include "../engine/small_world.h"
#include "arena.h"
#include "failure.h"

enum { SMALL_ROWS = 64 };

struct small_row { int64_t at_ns, cost; uint32_t key, region, client; };

struct small_arrivals {
    uint32_t rows, clients, keys;
    struct small_row row[SMALL_ROWS];   /* in order of time */
    int64_t epoch_ns;                   /* Unix time of instant 0; 0 where times are relative */
    uint64_t digest;                    /* of all that matters in it, never 0 */
};

/* regions: names, NULL-terminated, of which the column `region` speaks; NULL: all rows are of the first. */
bool small_arrivals_read(struct small_arrivals *out, const char *path, const char *const *regions,
                         struct failure *failure);

/* The clients of the rows that are not left out; *instant (on the arena): the instants of these rows.  NULL,
 * or why there are no such clients as static text. */
const char *small_arrivals_clients(const struct small_arrivals *arrivals, uint64_t without,
                                   struct small_client client[SMALL_CLIENTS], uint32_t *clients,
                                   const int64_t **instant, uint32_t *instants, struct arena *arena);
#endif
