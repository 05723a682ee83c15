/* scenario_keys.h - what the tables of scenario_*.c share.  Private to them. */
#ifndef LIMITLAB_SCENARIO_KEYS_H
#define LIMITLAB_SCENARIO_KEYS_H
#include "experiment.h"
#include "fields.h"

/* The experiment while it is being filled in. */
struct scenario_draft {
    struct experiment *experiment;
    const char *folder;                 /* relative paths start here: "" or ending in '/' */
    unsigned sample_files;              /* how many files of measured delays have been read */
};

extern const struct section scenario_section, policy_section, target_section;
extern const struct section topology_section, region_section, link_section, clock_section, clock_step_section;
extern const struct section delay_section, exponential_section, log_normal_section;
extern const struct section explore_section, traffic_section, retry_section, fault_section, zoo_section;
extern const struct section lesson_section, claim_section, variant_section, ceiling_section;

field_reader read_explore, read_topology, read_clocks, read_traffic_list, read_faults, read_zoo, read_claims;
field_reader read_variants, read_ceiling, read_lesson;

/* A variant's name -> uint32_t, its number: 1 is the first that policy.variants lists. */
field_reader read_variant;

/* A region's name -> int64_t index; field->choices, when given, is one word that stands for -1. */
field_reader read_region;

/* "a span": text is constant, a mapping with one key another distribution -> struct dist_spec. */
field_reader read_delay;

/* A path below the scenario's folder -> const char * that can be opened. */
field_reader read_path;

/* One text or a list of them -> what read_designs and read_conditions fill in. */
bool read_texts(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                uint32_t *count, const char *const **texts, struct origin **origins);

/* The same for designs that must be among the scenario's own, word for word, where it names some. */
bool read_known_designs(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                        uint32_t *count, const char *const **designs);

/* The names of policy.variants, ending with NULL. */
const char *const *variant_names(struct loading *loading);

/* The topology's region names, ending with NULL. */
const char *const *region_names(struct loading *loading);
#endif
