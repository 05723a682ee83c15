/* scenario_topology.c - regions, the instances in them, and the links between them. */
#include <string.h>
#include "regions.h"
#include "scenario_keys.h"
#include "units.h"

enum { NAME_BYTES_MAX = 64 };
enum round_trips { ROUND_TRIPS_NONE, ROUND_TRIPS_CLOUD };

static const char *const round_trip_tables[] = { "none", "cloud", NULL };

/* One way from one region to another, or nothing said about it. */
struct way { bool stated; struct link_spec link; };

/* Beside the topology itself: what must wait until all of it is read. */
struct topology_draft {
    struct topology *topology;
    struct way *way;                    /* see way_at() */
    struct { bool stated; struct dist_spec delay; struct origin origin; } local;
    enum round_trips round_trips;
    struct origin round_trips_origin;
};

/* A link as it is written. */
struct link_draft {
    bool has_between, has_from, has_to, has_round_trip, has_one_way;
    int64_t between[2], from, to;
    struct dist_spec round_trip, one_way;
    uint32_t loss_billionths, duplicate_billionths;
};

const char *const *region_names(struct loading *loading)
{
    const struct topology *topology = &loading->draft->experiment->topology;
    const char **names = arena_alloc(loading->arena, (topology->regions + 1) * sizeof *names);

    memcpy(names, topology->region, topology->regions * sizeof *names);
    return names;
}

bool read_region(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    int64_t *index = slot;
    const char *text = node_text(loading, node, field->name, field->type);

    if (!text)
        return false;
    *index = experiment_region(loading->draft->experiment, text);
    if (*index >= 0 || (field->choices && strcmp(text, field->choices[0]) == 0))
        return true;
    return refuse_name(loading, node, field->name, text, region_names(loading));
}

/* ---- regions ---- */

static bool add_region(struct loading *loading, const struct yaml_tree *node, const char *name,
                       uint32_t instances)
{
    struct topology *topology = &loading->draft->experiment->topology;

    if (!name || !*name || strlen(name) > NAME_BYTES_MAX)
        return refuse_node(loading, node,
                           "this is not a region's name; expected 1 to %d bytes, as in us-east-1",
                           NAME_BYTES_MAX);
    if (strcmp(name, "all") == 0 || strcmp(name, "any") == 0)
        return refuse_node(loading, node, "a region cannot be called '%s'; expected another name", name);
    if (experiment_region(loading->draft->experiment, name) >= 0)
        return refuse_node(loading, node, "the region '%.60s' is named twice; expected once", name);
    if (topology->regions == REGIONS_MAX)
        return refuse_node(loading, node, "too many regions; expected at most %d", REGIONS_MAX);
    topology->region[topology->regions] = name;
    topology->instances[topology->regions++] = instances;
    return true;
}

/* "fra", "[fra, iad]" or "{fra: {instances: 4}, iad: {}}". */
static bool read_regions(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                         void *slot)
{
    (void)slot;
    loading->draft->experiment->topology.regions = 0;
    if (node->kind == YAML_MAPPING && node->children) {
        for (const struct yaml_tree *child = node->first; child; child = child->next) {
            uint32_t instances = 0;
            if (!read_section(loading, child, &region_section, 0, &instances) ||
                !add_region(loading, child, child->key, instances))
                return false;
        }
        return true;
    }
    const struct yaml_tree *item;
    unsigned count;
    if (!node_list(loading, node, field, &count, &item))
        return false;
    for (unsigned i = 0; i < count; i++, item = item->next) {
        const char *name = node_text(loading, item, field->name, field->type);
        if (!name || !add_region(loading, item, name, 0))
            return false;
    }
    return true;
}

/* The instances of every region that did not say. */
static bool read_default_instances(struct loading *loading, const struct yaml_tree *node,
                                   const struct field *field, void *slot)
{
    struct topology *topology = ((struct topology_draft *)slot)->topology;
    uint32_t instances;
    uint64_t nodes = 0;

    if (!read_count_32(loading, node, field, &instances))
        return false;
    for (uint32_t i = 0; i < topology->regions; i++) {
        if (!topology->instances[i])
            topology->instances[i] = instances;
        nodes += topology->instances[i];
    }
    return nodes <= NODES_MAX || refuse_node(loading, node,
                                             "the topology has %llu instances; expected at most %d",
                                             (unsigned long long)nodes, NODES_MAX);
}

/* ---- links ---- */

/* One of the two halves of a span: they differ by at most 1 ns and sum to it. */
static int64_t half(int64_t ns, bool second)
{
    return second ? ns - ns / 2 : ns / 2;
}

/* One way of a round trip: the distribution with every span halved. */
static struct dist_spec half_delay(struct loading *loading, const struct dist_spec *whole, bool second)
{
    struct dist_spec out = *whole;

    out.low_ns = half(whole->low_ns, second);
    out.high_ns = half(whole->high_ns, second);
    out.scale_ns = half(whole->scale_ns, second);
    if (whole->samples) {
        int64_t *sample = arena_alloc(loading->arena, whole->samples * sizeof *sample);
        for (uint32_t i = 0; i < whole->samples; i++)
            sample[i] = half(whole->samples_ns[i], second);
        out.samples_ns = sample;
    }
    return out;
}

static bool refuse_origin(struct loading *loading, struct origin origin, const char *what)
{
    return fail(loading->failure, EXIT_USAGE, origin.file, origin.line, "%s", what);
}

/* The regions are all known before the first link is. */
static struct way *way_at(struct loading *loading, struct topology_draft *draft, uint32_t from, uint32_t to)
{
    size_t regions = draft->topology->regions;

    if (!draft->way)
        draft->way = arena_alloc(loading->arena, regions * regions * sizeof *draft->way);
    return &draft->way[from * regions + to];
}

/* Notes one direction, once. */
static bool state_way(struct loading *loading, struct topology_draft *draft, struct link_spec link)
{
    const struct topology *topology = draft->topology;
    struct way *way = way_at(loading, draft, link.from, link.to);
    struct dist dist;

    if (way->stated)
        return refuse_origin(loading, link.origin,
                             arena_format(loading->arena, "the way from %.60s to %.60s has a link already "
                                          "(line %u); expected one", topology->region[link.from],
                                          topology->region[link.to], way->link.origin.line));
    const char *wrong = dist_init(&dist, &link.delay);
    if (wrong)
        return refuse_origin(loading, link.origin,
                             arena_format(loading->arena, "the delay cannot be: %s", wrong));
    *way = (struct way){ .stated = true, .link = link };
    return true;
}

static bool check_link(struct loading *loading, const struct yaml_tree *node, const struct link_draft *said)
{
    if (said->has_between == (said->has_from || said->has_to) || said->has_from != said->has_to)
        return refuse_node(loading, node, "a link says between which regions; expected either "
                           "between: [A, B] or from: A, to: B");
    if (said->has_between && said->between[0] == said->between[1])
        return refuse_node(loading, node, "a link is between a region and itself; expected two regions "
                           "(or from: A, to: A, one_way: 1ms)");
    if (said->has_round_trip && (said->has_one_way || !said->has_between))
        return refuse_node(loading, node, "a round_trip belongs to a link `between` two regions, without "
                           "one_way; expected round_trip or one_way");
    return true;
}

static bool add_between(struct loading *loading, struct topology_draft *draft, const struct link_draft *said,
                        struct link_spec link)
{
    for (unsigned back = 0; back < 2; back++) {
        link.from = (uint32_t)said->between[back];
        link.to = (uint32_t)said->between[1 - back];
        link.delay = said->has_round_trip ? half_delay(loading, &said->round_trip, back) : said->one_way;
        if (!state_way(loading, draft, link))
            return false;
    }
    return true;
}

static bool add_link(struct loading *loading, const struct yaml_tree *node, struct topology_draft *draft)
{
    struct link_draft said = { 0 };

    if (!read_section(loading, node, &link_section, 0, &said) || !check_link(loading, node, &said))
        return false;
    struct link_spec link = { .loss_billionths = said.loss_billionths, .origin = node->origin,
                              .duplicate_billionths = said.duplicate_billionths };
    if (said.has_between)
        return add_between(loading, draft, &said, link);
    link.from = (uint32_t)said.from;
    link.to = (uint32_t)said.to;
    link.delay = said.one_way;
    return state_way(loading, draft, link);
}

/* A delay that says of itself that it is there. */
static bool read_round_trip(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                            void *slot)
{
    struct link_draft *said = slot;

    said->has_round_trip = true;
    return read_delay(loading, node, field, &said->round_trip);
}

static bool read_one_way(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                         void *slot)
{
    struct link_draft *said = slot;

    said->has_one_way = true;
    return read_delay(loading, node, field, &said->one_way);
}

static bool read_from(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                      void *slot)
{
    struct link_draft *said = slot;

    said->has_from = true;
    return read_region(loading, node, field, &said->from);
}

static bool read_to(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                    void *slot)
{
    struct link_draft *said = slot;

    said->has_to = true;
    return read_region(loading, node, field, &said->to);
}

static bool read_between(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                         void *slot)
{
    struct link_draft *said = slot;

    said->has_between = true;
    if (node->kind != YAML_LIST || node->children != 2)
        return refuse_node(loading, node, "%s is not a pair; expected two regions, as in %s", field->name,
                           field->example);
    return read_region(loading, node->first, field, &said->between[0]) &&
           read_region(loading, node->first->next, field, &said->between[1]);
}

static bool read_links(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    if (node->kind != YAML_LIST)
        return refuse_node(loading, node, "%s is %s; expected a list, as in %s", field->name,
                           yaml_kind_text(node), field->example);
    for (const struct yaml_tree *item = node->first; item; item = item->next)
        if (!add_link(loading, item, slot))
            return false;
    return true;
}

static bool read_local(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    struct topology_draft *draft = slot;

    draft->local.stated = true;
    draft->local.origin = node->origin;
    return read_delay(loading, node, field, &draft->local.delay);
}

static bool read_round_trips(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                             void *slot)
{
    struct topology_draft *draft = slot;

    draft->round_trips_origin = node->origin;
    return read_choice(loading, node, field, &draft->round_trips);
}

/* The delay inside each region that no link states. */
static bool add_local(struct loading *loading, struct topology_draft *draft)
{
    uint32_t regions = draft->topology->regions;

    for (uint32_t i = 0; draft->local.stated && i < regions; i++) {
        struct link_spec link = { .from = i, .to = i, .delay = draft->local.delay,
                                  .origin = draft->local.origin };
        if (!way_at(loading, draft, i, i)->stated && !state_way(loading, draft, link))
            return false;
    }
    return true;
}

/* No round trip is known: says which of the two regions the table lacks, and what it may have been meant to
 * be. */
static bool refuse_pair(struct loading *loading, struct origin origin, const char *from, const char *to)
{
    const char *known[CLOUD_REGIONS + 1] = { NULL };
    const char *stranger = region_find(from) < 0 ? from : to;

    for (unsigned i = 0; i < CLOUD_REGIONS; i++)
        known[i] = cloud_regions[i].name;
    const char *nearest = nearest_name(stranger, known);
    const char *hint = nearest ? arena_format(loading->arena, "did you mean '%s'?", nearest)
                               : "expected a link between them, or regions of `limitlab list regions`";
    return refuse_origin(loading, origin,
                         arena_format(loading->arena, "no round trip is known from %.60s to %.60s; %s",
                                      from, to, hint));
}

/* One way of one pair from the shipped table.  What it does not know inside a region has no delay. */
static bool add_cloud_way(struct loading *loading, struct topology_draft *draft, uint32_t from, uint32_t to)
{
    const struct topology *topology = draft->topology;
    struct link_spec link = { .from = from, .to = to, .origin = draft->round_trips_origin };
    int64_t ns;

    if (!region_round_trip(topology->region[from], topology->region[to], &ns))
        return from == to || refuse_pair(loading, link.origin, topology->region[from], topology->region[to]);
    link.delay.low_ns = half(ns, from > to);
    return state_way(loading, draft, link);
}

static bool add_cloud_ways(struct loading *loading, struct topology_draft *draft)
{
    uint32_t regions = draft->topology->regions;

    for (uint32_t from = 0; draft->round_trips == ROUND_TRIPS_CLOUD && from < regions; from++)
        for (uint32_t to = 0; to < regions; to++)
            if (!way_at(loading, draft, from, to)->stated && !add_cloud_way(loading, draft, from, to))
                return false;
    return true;
}

static void gather_links(struct loading *loading, struct topology_draft *draft)
{
    uint32_t ways = draft->way ? draft->topology->regions * draft->topology->regions : 0;
    struct link_spec *link = arena_alloc(loading->arena, ways * sizeof *link);

    for (uint32_t i = 0; i < ways; i++)
        if (draft->way[i].stated)
            link[draft->topology->links++] = draft->way[i].link;
    draft->topology->link = link;
}

static bool read_store(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                       void *slot)
{
    int64_t region = 0;
    bool good = read_region(loading, node, field, &region);

    (void)slot;
    loading->draft->experiment->topology.store = (uint32_t)region;
    return good;
}

bool read_topology(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                   void *slot)
{
    struct topology_draft draft = { .topology = &((struct experiment *)slot)->topology };

    (void)field;
    draft.topology->instances[0] = 0;   /* of the region that is there when none is named */
    if (!read_section(loading, node, &topology_section, 0, &draft) ||
        !add_local(loading, &draft) || !add_cloud_ways(loading, &draft))
        return false;
    gather_links(loading, &draft);
    return true;
}

/* ---- tables ---- */

static const struct field region_fields[] = {
    { "instances", "count", read_count_32, 0, 1, NODES_MAX, .standard = "(`topology.instances`)",
      .example = "4", .meaning = "How many instances answer requests in this region." },
    { 0 }
};

const struct section region_section = { "topology.regions.NAME", "a region", region_fields, NULL, NULL };

static const struct field topology_fields[] = {
    { "regions", "list of names, or mapping by name", read_regions, 0, .standard = "(one, called home)",
      .example = "{fra: {instances: 4}, iad: {}}",
      .meaning = "Where requests arrive and stores can be, at most 64." },
    { "instances", "count", read_default_instances, 0, 1, NODES_MAX, .standard = "1", .example = "2",
      .meaning = "Instances of each region that does not say; at most 1024 in all." },
    { "links", "list of mappings", read_links, 0, .standard = "(no delay anywhere)",
      .example = "[{between: [fra, iad], round_trip: 90ms}]", .meaning = "What lies between regions." },
    { "local", "delay", read_local, 0, .standard = "(none)", .example = "0.5ms",
      .meaning = "One way, between an instance and a store of its own region." },
    { "round_trips", "`none` or `cloud`", read_round_trips, 0, .choices = round_trip_tables,
      .standard = "none", .example = "cloud",
      .meaning = "`cloud`: pairs without a link take the round trip of `limitlab list regions`; so does each "
                 "region itself." },
    { "store", "region", read_store, 0, .standard = "(the first region)", .example = "iad",
      .meaning = "Where central stores and owners live unless a design says otherwise." },
    { "clocks", "list of mappings", read_clocks, 0, .standard = "(perfect)",
      .example = "[{region: fra, offset: -5ms}]",
      .meaning = "Clocks that are wrong; a later row replaces an earlier one for the same clock." },
    { 0 }
};

const struct section topology_section = { "topology", "a topology", topology_fields, NULL, NULL };

#define IN(member) offsetof(struct link_draft, member)

static const struct field link_fields[] = {
    { "between", "list of two regions", read_between, 0, .standard = "(see `from`)", .example = "[fra, iad]",
      .meaning = "Both ways between two regions." },
    { "from", "region", read_from, 0, .standard = "(see `between`)", .example = "fra",
      .meaning = "One way only: from this region ..." },
    { "to", "region", read_to, 0, .standard = "(see `between`)", .example = "iad",
      .meaning = "... to this one (the same: inside it)." },
    { "round_trip", "delay", read_round_trip, 0, .standard = "(0s)", .example = "90ms",
      .meaning = "There and back, with `between`. Each way draws half of a delay of its own." },
    { "one_way", "delay", read_one_way, 0, .standard = "(0s)", .example = "40ms",
      .meaning = "One way; with `between`, each way." },
    { "loss", "probability", read_probability, IN(loss_billionths), .standard = "0%", .example = "1%",
      .meaning = "How many messages are lost, each way." },
    { "duplicate", "probability", read_probability, IN(duplicate_billionths), .standard = "0%",
      .example = "0.1%", .meaning = "How many messages arrive twice, each way." },
    { 0 }
};

const struct section link_section = { "topology.links[]", "a link", link_fields, NULL, NULL };
