/* shrunk_trace.h - a list of requests as a trace (trace.h), with a column `id` for people. */
#ifndef LIMITLAB_SHRUNK_TRACE_H
#define LIMITLAB_SHRUNK_TRACE_H
#include "experiment.h"
#include "failure.h"
#include "keys.h"
#include "../engine/observer.h"

struct listed {
    const struct arrival *arrival;
    uint32_t requests;
    const struct keys *keys;
    const struct topology *topology;
    int64_t later_ns;                   /* all instants are written so much later */
};

bool shrunk_write_trace(const char *path, const struct listed *listed, struct failure *failure);
#endif
