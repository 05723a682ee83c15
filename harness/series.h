/* series.h - fills a struct series (result.h) while a run goes on.
 *
 * The bins start one nanosecond wide; whenever an instant lies beyond the last one, neighbours are merged
 * in pairs until it does not.  Instants before start_ns belong to the first bin. */
#ifndef LIMITLAB_SERIES_H
#define LIMITLAB_SERIES_H
#include "result.h"

void series_start(struct series *series, int64_t start_ns);

void series_asked(struct series *series, int64_t at_ns, int64_t cost);
void series_admitted(struct series *series, int64_t at_ns, int64_t cost);

/* `cost` stood admitted in the window of one period at every instant from..to, both included. */
void series_stood(struct series *series, int64_t from_ns, int64_t to_ns, int64_t cost);
#endif
