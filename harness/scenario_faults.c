/* scenario_faults.c - what goes wrong on the time line: one mapping a fault, whose first word is its kind. */
#include <string.h>
#include "scenario_keys.h"
#include "units.h"

/* A fault as it is written. */
struct fault_draft {
    struct fault_spec spec;
    unsigned ways, answers, expiry;
    bool has_at;
};

enum { WAYS_BOTH, WAYS_ONE };
enum { EXPIRY_EARLY, EXPIRY_LATE, EXPIRY_NEVER };

static const char *const all[] = { "all", NULL };
static const char *const ways[] = { [WAYS_BOTH] = "both", [WAYS_ONE] = "one", NULL };
static const char *const answers[] = { "none", "error", NULL };
static const char *const expiries[] = { [EXPIRY_EARLY] = "early", [EXPIRY_LATE] = "late",
                                        [EXPIRY_NEVER] = "never", NULL };

/* ---- values -------------------------------------------------------------------------------------------- */

static bool read_pair(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                      struct fault *fault)
{
    if (!read_region(loading, node->first, field, &fault->from) ||
        !read_region(loading, node->first->next, field, &fault->to))
        return false;
    return fault->from != fault->to ||
           refuse_node(loading, node, "%s names a region twice; expected two regions, as in %s", field->name,
                       field->example);
}

/* "[fra, iad]", or for a partition "fra": from all others. */
static bool read_between(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                         void *slot)
{
    struct fault *fault = slot;

    if (node->kind == YAML_LIST && node->children == 2)
        return read_pair(loading, node, field, fault);
    if (node->kind == YAML_TEXT && strcmp(field->name, fault_words[FAULT_PARTITION]) == 0)
        return read_region(loading, node, field, &fault->from);
    return refuse_node(loading, node, "%s is not a pair; expected two regions, as in %s", field->name,
                       field->example);
}

static bool read_instance(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                          void *slot)
{
    if (node->kind == YAML_TEXT && strcmp(node->text, all[0]) == 0)
        return true;
    return read_count(loading, node, field, slot);
}

static bool read_key(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                     void *slot)
{
    const char **key = slot;

    if (!read_text(loading, node, field, key))
        return false;
    if (strcmp(*key, all[0]) == 0)
        *key = NULL;
    return true;
}

static bool read_at(struct loading *loading, const struct yaml_tree *node, const struct field *field,
                    void *slot)
{
    struct fault_draft *draft = slot;

    draft->has_at = true;
    return read_duration(loading, node, field, &draft->spec.fault.from_ns);
}

/* ---- one fault ----------------------------------------------------------------------------------------- */

/* Which kind: exactly one of the keys is the word of one. */
static bool find_kind(struct loading *loading, const struct yaml_tree *node, enum fault_kind *kind)
{
    const struct yaml_tree *first = NULL;

    if (node->kind != YAML_MAPPING || !node->first)
        return refuse_node(loading, node, "a fault is %s; expected a mapping, as in {outage: fra, from: 10s}",
                           node->kind == YAML_MAPPING ? "empty" : yaml_kind_text(node));
    for (const struct yaml_tree *child = node->first; child; child = child->next) {
        int index = name_index(child->key, fault_words);
        if (index < 0)
            continue;
        if (first && strcmp(first->key, child->key) != 0)
            return refuse_node(loading, child, "a fault is both '%s' and '%s'; expected one kind",
                               first->key, child->key);
        first = child;
        *kind = (enum fault_kind)index;
    }
    return first || refuse_name(loading, node, "a fault's kind", node->first->key, fault_words);
}

/* What no single key can know. */
static bool check_fault(struct loading *loading, const struct yaml_tree *node, struct fault_draft *draft)
{
    struct fault *fault = &draft->spec.fault;

    if (fault->every_ns > 0 && !draft->has_at)
        fault->from_ns = fault->every_ns;
    else if (!draft->has_at && fault->kind >= FAULT_RECYCLE && fault->kind <= FAULT_POLICY &&
             fault->kind != FAULT_CAPACITY && fault->kind != FAULT_EXPIRY)
        return refuse_node(loading, node, "this fault lacks its time; expected at: 30s%s",
                           fault->kind <= FAULT_OWNER_CRASH || fault->kind == FAULT_FORGET
                           ? ", or every: 60s" : "");
    if (fault->to_ns < fault->from_ns || (fault->to_ns == fault->from_ns && fault->kind != FAULT_CRASH))
        return refuse_node(loading, node, "this fault ends before it has begun; expected `to` after its "
                           "beginning");
    if (fault->kind == FAULT_EXPIRY && (draft->expiry == EXPIRY_NEVER) == (fault->span_ns > 0))
        return refuse_node(loading, node, draft->expiry == EXPIRY_NEVER
                           ? "a key that never ends ends `by` no span; expected expiry: never alone"
                           : "an end that comes early or late lacks its span; expected by: 10s");
    return true;
}

static void conclude(struct fault_draft *draft)
{
    struct fault *fault = &draft->spec.fault;

    fault->both_ways = draft->ways == WAYS_BOTH;
    fault->refuses = draft->answers;
    if (fault->kind != FAULT_EXPIRY)
        return;
    if (draft->expiry == EXPIRY_NEVER)
        fault->span_ns = NEVER_NS;
    else if (draft->expiry == EXPIRY_EARLY)
        fault->span_ns = -fault->span_ns;
}

static bool read_fault(struct loading *loading, const struct yaml_tree *node, struct fault_spec *spec)
{
    struct fault_draft draft = { .spec = { .origin = node->origin, .fault = {
        .to_ns = NEVER_NS, .key = -1, .region = -1, .instance = -1, .from = -1, .to = -1,
        .billionths = FAULT_CERTAIN } } };

    if (!find_kind(loading, node, &draft.spec.fault.kind) ||
        !read_section(loading, node, &fault_section, draft.spec.fault.kind, &draft) ||
        !check_fault(loading, node, &draft))
        return false;
    conclude(&draft);
    *spec = draft.spec;
    return true;
}

bool read_faults(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    struct experiment *experiment = slot;
    const struct yaml_tree *item = node->kind == YAML_LIST ? node->first : node;
    unsigned count = node->kind == YAML_LIST ? node->children : 1;

    if (count > FAULTS_MAX)
        return refuse_node(loading, node, "%s lists %u of them; expected at most %d", field->name, count,
                           FAULTS_MAX);
    struct fault_spec *fault = arena_alloc(loading->arena, count * sizeof *fault);
    for (unsigned i = 0; i < count; i++, item = item->next)
        if (!read_fault(loading, item, &fault[i]))
            return false;
    experiment->faults = count;
    experiment->fault = fault;
    return true;
}

/* ---- the table ----------------------------------------------------------------------------------------- */

#define IN(member) offsetof(struct fault_draft, member)
#define OF(member) offsetof(struct fault_draft, spec.fault.member)
#define ONLY(kind) (1u << FAULT_##kind)
enum {
    LINKS = ONLY(LOSS) | ONLY(DUPLICATE) | ONLY(DELAY) | ONLY(LOST_ANSWERS),
    REPEATED = ONLY(RECYCLE) | ONLY(OWNER_CRASH) | ONLY(FORGET),
    AT_ONCE = REPEATED | ONLY(FAILOVER) | ONLY(POLICY),
    LASTING = (1u << FAULT_KINDS) - 1 - AT_ONCE,
    STATES = ONLY(FORGET) | ONLY(CAPACITY) | ONLY(EXPIRY)
};
#define MILLISECOND INT64_C(1000000)

static const struct field fault_fields[] = {
    { "partition", "list of two regions, or one", read_between, IN(spec.fault), .variants = ONLY(PARTITION),
      .example = "[fra, iad]",
      .meaning = "Nothing gets through between two regions, or between one and all others." },
    { "loss", "probability", read_probability, OF(billionths), .variants = ONLY(LOSS), .example = "5%",
      .meaning = "Messages and answers are lost." },
    { "duplicate", "probability", read_probability, OF(billionths), .variants = ONLY(DUPLICATE),
      .example = "1%", .meaning = "Messages arrive twice, and are charged twice where nothing prevents it." },
    { "delay", "duration", read_duration, OF(span_ns), 1, PERIOD_MAX, .variants = ONLY(DELAY),
      .example = "200ms", .meaning = "Each way takes up to so much more: later ones overtake." },
    { "lost_answers", "probability", read_probability, OF(billionths), .variants = ONLY(LOST_ANSWERS),
      .example = "5%", .meaning = "The store has done what it was asked, and its answer is lost." },
    { "outage", "region or `all`", read_region, OF(region), .choices = all, .variants = ONLY(OUTAGE),
      .example = "iad", .meaning = "The stores there do nothing." },
    { "slow", "region or `all`", read_region, OF(region), .choices = all, .variants = ONLY(SLOW),
      .example = "iad", .meaning = "The stores there do everything later." },
    { "crash", "region or `all`", read_region, OF(region), .choices = all, .variants = ONLY(CRASH),
      .example = "fra", .meaning = "Instances there die: requests in progress are undecided, memory is gone; "
                                   "until they are up again others of the region answer, or nobody." },
    { "recycle", "region or `all`", read_region, OF(region), .choices = all, .variants = ONLY(RECYCLE),
      .example = "all", .meaning = "Instances there lose their memory, and go on." },
    { "owner_crash", "region or `all`", read_region, OF(region), .choices = all,
      .variants = ONLY(OWNER_CRASH), .example = "iad",
      .meaning = "The process of the objects there dies: gates are free, who waits is lost, and so is what "
                 "objects keep in memory alone." },
    { "failover", "region or `all`", read_region, OF(region), .choices = all, .variants = ONLY(FAILOVER),
      .example = "iad", .meaning = "A replica takes over from the stores there, and lacks the last writes." },
    { "forget", "key or `all`", read_key, IN(spec.key), .variants = ONLY(FORGET), .example = "all",
      .meaning = "States of a key, or of all, are gone from the stores." },
    { "capacity", "count", read_count_32, OF(most), 1, UINT32_MAX, .variants = ONLY(CAPACITY),
      .example = "100", .meaning = "The stores keep so many keys: the one not used for longest goes." },
    { "expiry", "`early`, `late` or `never`", read_choice, IN(expiry), .choices = expiries,
      .variants = ONLY(EXPIRY), .example = "never", .meaning = "Ends of keys that are set meanwhile." },
    { "policy", "name", read_variant, OF(variant), .variants = ONLY(POLICY), .example = "gold",
      .meaning = "Instances learn this policy; at `to` they go back to the scenario's own." },
    { "between", "list of two regions", read_between, IN(spec.fault), .variants = LINKS,
      .standard = "(everywhere)", .example = "[fra, iad]", .meaning = "On which links." },
    { "ways", "`both` or `one`", read_choice, IN(ways), .choices = ways,
      .variants = LINKS | ONLY(PARTITION), .standard = "both", .example = "one",
      .meaning = "`one`: only from the first region to the second." },
    { "instance", "count or `all`", read_instance, OF(instance), 0, NODES_MAX - 1,
      .variants = ONLY(CRASH) | ONLY(RECYCLE), .standard = "(all)", .example = "0",
      .meaning = "Which of them, counted from 0." },
    { "region", "region or `all`", read_region, OF(region), .choices = all,
      .variants = STATES | ONLY(POLICY), .standard = "all", .example = "iad", .meaning = "Where." },
    { "answers", "`none` or `error`", read_choice, IN(answers), .choices = answers,
      .variants = ONLY(OUTAGE), .standard = "none", .example = "error",
      .meaning = "`none`: callers find out by their timeout; `error`: they are told at once." },
    { "by", "duration", read_duration, OF(span_ns), 1, PERIOD_MAX, .variants = ONLY(SLOW),
      .example = "200ms", .meaning = "How much later." },
    { "by", "duration", read_duration, OF(span_ns), 1, PERIOD_MAX, .variants = ONLY(EXPIRY),
      .standard = "(none: with never)", .example = "10s", .meaning = "How much earlier or later." },
    { "cold_start", "duration", read_duration, OF(span_ns), 0, PERIOD_MAX,
      .variants = ONLY(CRASH) | ONLY(RECYCLE), .standard = "0s", .example = "200ms",
      .meaning = "How long the next request waits for the instance to start, and others with it." },
    { "loses", "duration", read_duration, OF(span_ns), 0, PERIOD_MAX, .variants = ONLY(FAILOVER),
      .standard = "0s", .example = "2s", .meaning = "Writes of so long before are lost." },
    { "offset", "duration with a sign", read_signed_duration, OF(offset_ns), -PERIOD_MAX, PERIOD_MAX,
      .variants = ONLY(FAILOVER), .standard = "0s", .example = "-5s",
      .meaning = "How far the replica's clock is ahead of the old one." },
    { "probability", "probability", read_probability, OF(billionths),
      .variants = ONLY(DELAY) | ONLY(OUTAGE) | ONLY(SLOW) | ONLY(EXPIRY), .standard = "100%",
      .example = "10%", .meaning = "How often it hits." },
    { "from", "duration", read_duration, OF(from_ns), 0, PERIOD_MAX, .variants = LASTING, .standard = "0s",
      .example = "10s", .meaning = "When it begins." },
    { "at", "duration", read_at, 0, 0, PERIOD_MAX, .variants = AT_ONCE, .standard = "(`every`)",
      .example = "10s", .meaning = "When it happens (first)." },
    { "every", "duration", read_duration, OF(every_ns), MILLISECOND, PERIOD_MAX, .variants = REPEATED,
      .standard = "(once)", .example = "60s", .meaning = "When it happens again, and again." },
    { "to", "duration", read_duration, OF(to_ns), 0, PERIOD_MAX,
      .variants = LASTING | REPEATED | ONLY(POLICY), .standard = "(for good)", .example = "20s",
      .meaning = "When it has healed." },
    { 0 }
};

const struct section fault_section = { "faults[]", "a fault", fault_fields, fault_words, NULL };
