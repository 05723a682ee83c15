/* scenario_explore.c - the keys of a small world that is explored. */
#include <stddef.h>
#include "explored.h"
#include "scenario_keys.h"

bool read_explore(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                  void *slot)
{
    struct experiment *experiment = slot;

    (void)field;
    return read_section(loading, node, &explore_section, 0, &experiment->small);
}

#define IN(member) offsetof(struct small_spec, member)

static const struct field explore_fields[] = {
    { "clients", "count", read_count_32, IN(clients), 1, SMALL_CLIENTS, .standard = "2", .example = "3",
      .meaning = "How many clients there are, in the regions by turns." },
    { "requests", "count", read_count_32, IN(requests), 1, SMALL_REQUESTS, .standard = "1", .example = "2",
      .meaning = "How many requests each sends, one after another." },
    { "cost", "count", read_count, IN(cost), 1, COST_MAX, .standard = "1", .example = "5",
      .meaning = "What each of them costs." },
    { "arrivals", "path", read_path, IN(arrivals), .standard = "(none)",
      .example = "traces/both-read-nine.csv",
      .meaning = "The requests instead: a trace of at most 64 rows; in a column `client`, whose row it is." },
    { "crashes", "count", read_count_32, IN(crashes), 0, EXPLORED_FAULTS_MAX, .standard = "0", .example = "1",
      .meaning = "So many callers may die, at any point." },
    { "store_faults", "count", read_count_32, IN(store_faults), 0, EXPLORED_FAULTS_MAX, .standard = "0",
      .example = "1", .meaning = "So many times a store may lose all that it holds." },
    { "max_states", "count", read_count, IN(most_states), 1, UINT32_MAX, .standard = "5_000_000",
      .example = "100_000", .meaning = "Where exploring stops: then it is not `complete`." },
    { 0 }
};

const struct section explore_section = { "explore", "a small world", explore_fields, NULL, NULL };
