/* headers_rig.h - what the tests of headers share. */
#ifndef LIMITLAB_HEADERS_RIG_H
#define LIMITLAB_HEADERS_RIG_H
#include "../harness/headers.h"
#include "limiter_rig.h"

#define SECOND INT64_C(1000000000)
#define YEAR_2023 (INT64_C(1700000000) * SECOND)

static inline const struct header *header_of(const char *style, const char *name)
{
    const struct header_style *found = header_style_find(style);

    assert_non_null(found);
    for (unsigned i = 0; found->header[i]; i++)
        if (strcmp(found->header[i]->name, name) == 0)
            return found->header[i];
    fail_msg("%s has no %s", style, name);
    return NULL;
}
#endif
