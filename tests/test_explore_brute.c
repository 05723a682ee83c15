/* test_explore_brute.c - the graph of states against enumerations that know nothing of it: of the protocols
 * as they are defined, one interleaving after the other, and of all walks. */
#include "explore_rig.h"

/* ---- the protocols, from their definitions ------------------------------------------------------------- */

enum rule { GET_THEN_SET, CAS, INCR, RULES, BUCKET };

enum { CLIENTS = 5, COUNTS = 32 };

/* A client between two of its steps.  A step is one operation of the store, or in a world with time the
 * arrival of a request. */
struct tiny_client { int done; enum { ABSENT, READS, WRITES } at; int64_t level, since; };

struct tiny {
    enum rule rule;
    int clients, requests, limit;
    int64_t level, since;               /* what the store holds: a count, or tokens times the period */
    int writes;                         /* of the store, as a version */
    int admitted;
    int64_t period, now;
    const int64_t *instant, *at;        /* time goes from instant to instant; requests come at[]; BUCKET */
    int instants, tick;
    struct tiny_client client[CLIENTS];
};

struct tally {
    long all, over;
    int most, least;
    long by_admitted[COUNTS];
    mpq_t chance[COUNTS];
};

static void finish(struct tiny *tiny, struct tiny_client *client, bool admitted)
{
    tiny->admitted += admitted;
    client->done++;
    client->at = tiny->rule == BUCKET ? ABSENT : READS;
}

static void read_cell(struct tiny *tiny, struct tiny_client *client)
{
    if (tiny->rule == INCR) {
        finish(tiny, client, ++tiny->level <= tiny->limit);
        return;
    }
    client->level = tiny->level;
    client->since = tiny->writes;
    if (client->level >= tiny->limit)
        finish(tiny, client, false);
    else
        client->at = WRITES;
}

static void write_cell(struct tiny *tiny, struct tiny_client *client)
{
    if (tiny->rule == CAS && client->since != tiny->writes) {
        client->at = READS;
        return;
    }
    tiny->level = client->level + 1;
    tiny->writes++;
    finish(tiny, client, true);
}

/* A full bucket holds limit tokens; each comes back in period / limit. */
static void read_bucket(struct tiny *tiny, struct tiny_client *client)
{
    int64_t full = tiny->limit * tiny->period, level = tiny->level + tiny->limit * (tiny->now - tiny->since);

    client->level = (level < full ? level : full) - tiny->period;
    client->since = tiny->now;
    if (client->level < 0)
        finish(tiny, client, false);
    else
        client->at = WRITES;
}

static void write_bucket(struct tiny *tiny, struct tiny_client *client)
{
    tiny->level = client->level;
    tiny->since = client->since;
    finish(tiny, client, true);
}

static void tiny_step(struct tiny *tiny, int client)
{
    struct tiny_client *who = &tiny->client[client];

    if (client == tiny->clients)
        tiny->now = tiny->instant[++tiny->tick];
    else if (who->at == ABSENT)
        who->at = READS;
    else if (tiny->rule == BUCKET)
        (who->at == READS ? read_bucket : write_bucket)(tiny, who);
    else
        (who->at == READS ? read_cell : write_cell)(tiny, who);
}

/* Who can step; number `clients` is time. */
static int movers(const struct tiny *tiny, int mover[CLIENTS + 1])
{
    int n = 0;

    for (int i = 0; i < tiny->clients; i++) {
        const struct tiny_client *client = &tiny->client[i];
        if (client->done < tiny->requests && (client->at != ABSENT || tiny->at[client->done] <= tiny->now))
            mover[n++] = i;
    }
    bool over = true;
    for (int i = 0; i < tiny->clients; i++)
        over &= tiny->client[i].done == tiny->requests;
    if (!over && tiny->tick + 1 < tiny->instants)
        mover[n++] = tiny->clients;
    return n;
}

static void tally_one(struct tally *tally, const struct tiny *tiny, uint64_t one_in)
{
    mpq_t chance;

    assert_true(tiny->admitted < COUNTS);
    mpq_init(chance);
    mpq_set_ui(chance, 1, one_in);
    mpq_add(tally->chance[tiny->admitted], tally->chance[tiny->admitted], chance);
    mpq_clear(chance);
    tally->least = tally->all == 0 || tiny->admitted < tally->least ? tiny->admitted : tally->least;
    tally->most = tiny->admitted > tally->most ? tiny->admitted : tally->most;
    tally->all++;
    tally->over += tiny->admitted > tiny->limit;
    tally->by_admitted[tiny->admitted]++;
}

/* Every interleaving from here; false when there are more than 300,000. */
static bool enumerate(struct tally *tally, const struct tiny *tiny, uint64_t one_in)
{
    int mover[CLIENTS + 1], n = movers(tiny, mover);

    if (n == 0)
        tally_one(tally, tiny, one_in);
    for (int i = 0; i < n; i++) {
        struct tiny next = *tiny;
        tiny_step(&next, mover[i]);
        if (tally->all > 300000 || !enumerate(tally, &next, one_in * (uint64_t)n))
            return false;
    }
    return true;
}

static void tally_init(struct tally *tally)
{
    memset(tally, 0, sizeof *tally);
    for (int i = 0; i < COUNTS; i++)
        mpq_init(tally->chance[i]);
}

static void tally_clear(struct tally *tally)
{
    for (int i = 0; i < COUNTS; i++)
        mpq_clear(tally->chance[i]);
}

/* ---- the graph says the same --------------------------------------------------------------------------- */

static void assert_chance(const mpz_t weight, const mpz_t all_weight, const mpq_t expected)
{
    mpq_t chance;

    mpq_init(chance);
    mpq_set_num(chance, weight);
    mpq_set_den(chance, all_weight);
    mpq_canonicalize(chance);
    assert_true(mpq_equal(chance, expected));
    mpq_clear(chance);
}

static void assert_same(const struct stated *stated, const struct tally *tally)
{
    static struct scene scene;
    struct interleavings counted;

    scene_count(&scene, stated, &counted);
    assert_int_equal(mpz_cmp_ui(counted.all, (unsigned long)tally->all), 0);
    assert_int_equal(mpz_cmp_ui(counted.over, (unsigned long)tally->over), 0);
    assert_int_equal(counted.most, tally->most);
    assert_int_equal(counted.least, tally->least);
    assert_int_equal(counted.counts, tally->most + 1);
    for (uint32_t i = 0; i < counted.counts; i++) {
        assert_int_equal(mpz_cmp_ui(counted.by_admitted[i], (unsigned long)tally->by_admitted[i]), 0);
        assert_chance(counted.weight[i], counted.all_weight, tally->chance[i]);
    }
    interleavings_clear(&counted);
    scene_close(&scene);
}

/* Whether the world is small enough to be enumerated. */
static bool compare(struct stated stated, const struct tiny *tiny)
{
    struct tally tally;

    tally_init(&tally);
    bool all = enumerate(&tally, tiny, 1);
    for (int symmetry = 0; all && symmetry < 2; symmetry++) {
        stated.symmetry = symmetry;
        assert_same(&stated, &tally);
    }
    tally_clear(&tally);
    return all;
}

static bool compare_rule(enum rule rule, int clients, int requests, int limit)
{
    static const char *const name[RULES] = { "fixed-window@get-then-set", "fixed-window@cas",
                                             "fixed-window@incr" };
    struct tiny tiny = { .rule = rule, .clients = clients, .requests = requests, .limit = limit };

    for (int i = 0; i < clients; i++)
        tiny.client[i].at = READS;
    return compare((struct stated){ .design = name[rule], .clients = (uint32_t)clients,
                                    .requests = (uint32_t)requests, .limit = limit }, &tiny);
}

static void the_graph_counts_what_the_protocols_definitions_give(void **state)
{
    int worlds = 0;

    (void)state;
    for (int rule = 0; rule < RULES; rule++)
        for (int clients = 1; clients <= CLIENTS; clients++)
            for (int requests = 1; clients * requests <= 8; requests++)
                for (int limit = 1; limit <= clients * requests; limit++)
                    worlds += compare_rule((enum rule)rule, clients, requests, limit);
    assert_int_equal(worlds, 216);
}

static void the_graph_counts_what_a_bucket_that_refills_admits(void **state)
{
    static const int64_t instant[] = { 0, 5, 10, 30 }, at[] = { 0, 10, 10 };
    int worlds = 0;

    (void)state;
    for (int clients = 1; clients <= 3; clients++)
        for (int requests = 1; requests <= 3; requests++)
            for (int limit = 1; limit <= 2; limit++) {
                int instants = clients + requests <= 4 ? 4 : 3;
                struct tiny tiny = { .rule = BUCKET, .clients = clients, .requests = requests, .limit = limit,
                                     .period = 20, .level = limit * 20, .instant = instant, .at = at,
                                     .instants = instants };
                worlds += compare((struct stated){ .design = "token-bucket@get-then-set",
                                                   .clients = (uint32_t)clients, .limit = limit,
                                                   .requests = (uint32_t)requests, .period_ns = 20,
                                                   .instants = (uint32_t)instants, .instant = instant,
                                                   .at_ns = at }, &tiny);
            }
    assert_int_equal(worlds, 13);
}

/* ---- all walks ----------------------------------------------------------------------------------------- */

struct walks {
    unsigned long all;
    uint64_t most;
    /* The least that a walk costs to more than so many admissions: faults, preemptions, steps. */
    struct price { bool known; uint32_t faults, preemptions, steps; } price[COUNTS];
};

static bool cheaper(const struct price *a, const struct price *b)
{
    if (a->faults != b->faults)
        return a->faults < b->faults;
    return a->preemptions != b->preemptions ? a->preemptions < b->preemptions : a->steps < b->steps;
}

static void visit(struct walks *walks, const struct walk *walk)
{
    struct price price = { true, walk->crashes + walk->forgets, walk->preemptions, walk->steps };
    uint32_t n;
    const struct told *told = walk_told(walk, &n);
    uint64_t admitted = told_requests(told, n);

    walks->most = admitted > walks->most ? admitted : walks->most;
    for (uint64_t i = 0; i < admitted; i++)
        if (!walks->price[i].known || cheaper(&price, &walks->price[i]))
            walks->price[i] = price;
}

/* Depth first; gives up at 100,000. */
static void walk_all(struct walks *walks, struct walk *walk)
{
    struct walk_option option[WALK_OPTIONS_MAX];
    uint32_t n = walk_options(walk, option);

    visit(walks, walk);
    walks->all += n == 0;
    for (uint32_t i = 0; i < n && walks->all < 100000; i++) {
        struct walk next = *walk;
        walk_step(&next, &option[i], NULL);
        walk_all(walks, &next);
    }
}

static void assert_cheapest(struct scene *scene, const struct walks *walks, uint64_t least)
{
    struct walk_option *option;
    struct walk walk;
    uint32_t steps = walk_cheapest(&scene->explorer, worth_admitted, least, 0, &option);

    walk_start(&walk, &scene->explorer);
    for (uint32_t i = 0; i < steps; i++)
        walk_step(&walk, &option[i], NULL);
    const struct price *price = &walks->price[least - 1];
    assert_int_equal(walk.crashes + walk.forgets, price->faults);
    assert_int_equal(walk.preemptions, price->preemptions);
    assert_int_equal(walk.steps, price->steps);
    memory_free(process_memory(), option);
}

static const struct stated walked[] = {
    { .design = "fixed-window@get-then-set", .clients = 3, .requests = 1, .limit = 1 },
    { .design = "fixed-window@get-then-set", .clients = 3, .requests = 1, .limit = 2 },
    { .design = "fixed-window@get-then-set", .clients = 4, .requests = 1, .limit = 2 },
    { .design = "fixed-window@get-then-set", .clients = 2, .requests = 2, .limit = 2 },
    { .design = "fixed-window@get-then-set", .clients = 2, .requests = 3, .limit = 2 },
    { .design = "fixed-window@get-then-set:denied=writes", .clients = 3, .requests = 1, .limit = 1 },
    { .design = "fixed-window@get-then-set", .clients = 2, .requests = 2, .limit = 2, .crashes = 1 },
    { .design = "fixed-window@get-then-set", .clients = 3, .requests = 1, .limit = 2, .crashes = 2 },
    { .design = "fixed-window@get-then-set", .clients = 2, .requests = 2, .limit = 1, .forgets = 1 },
    { .design = "sliding-window-log@get-then-set", .clients = 3, .requests = 1, .limit = 2 },
    { .design = "gcra@get-then-set", .clients = 2, .requests = 2, .limit = 1, .crashes = 1, .forgets = 1 },
    { .design = "fixed-window@cas", .clients = 3, .requests = 1, .limit = 2 },
    { .design = "fixed-window@cas:attempts=2", .clients = 3, .requests = 1, .limit = 2 },
    { .design = "fixed-window@cas", .clients = 2, .requests = 2, .limit = 2, .crashes = 1 },
    { .design = "fixed-window@incr", .clients = 3, .requests = 2, .limit = 2 },
    { .design = "fixed-window-anchored@incr:form=incr-expire", .clients = 3, .requests = 1, .limit = 2,
      .crashes = 1 },
    { .design = "gcra@owner", .clients = 3, .requests = 2, .limit = 2 },
    { .design = "gcra@owner", .clients = 3, .requests = 1, .limit = 2, .crashes = 1 },
    { .design = "gcra@atomic", .clients = 3, .requests = 2, .limit = 2, .crashes = 1 },
    { .design = "token-bucket@sharded:shards=2", .clients = 3, .requests = 1, .limit = 2 },
    { .design = "token-bucket@kv", .clients = 2, .requests = 1, .limit = 1, .regions = 2 },
    { .design = "token-bucket@kv", .clients = 3, .requests = 1, .limit = 1, .regions = 2 },
    { .design = "token-bucket@local", .clients = 4, .requests = 1, .limit = 1, .regions = 2 },
    { .design = "fixed-window@local-sync", .clients = 2, .requests = 1, .limit = 1, .regions = 2 },
    { .design = "fixed-window@local-sync", .clients = 3, .requests = 1, .limit = 1, .regions = 2 },
    { .design = "fixed-window@lease:block=1", .clients = 3, .requests = 1, .limit = 2, .regions = 2 },
};

static void walk_one(const struct stated *stated)
{
    static struct scene scene;
    struct walks walks = { 0 };
    struct interleavings counted;
    struct walk walk;

    scene_count(&scene, stated, &counted);
    walk_start(&walk, &scene.explorer);
    walk_all(&walks, &walk);
    if (mpz_cmp_ui(counted.all, walks.all) != 0 || counted.most != walks.most)
        fail_msg("%s %u x %u: %lu walks, most %lu (graph: %lu, %lu)", stated->design, stated->clients,
                 stated->requests, walks.all, walks.most, mpz_get_ui(counted.all), counted.most);
    for (uint64_t least = 1; least <= walks.most; least++)
        assert_cheapest(&scene, &walks, least);
    interleavings_clear(&counted);
    scene_close(&scene);
}

static void all_walks_are_the_interleavings_and_the_cheapest_is_among_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof walked / sizeof *walked; i++)
        for (int symmetry = 0; symmetry < 2; symmetry++) {
            struct stated stated = walked[i];
            stated.symmetry = symmetry;
            walk_one(&stated);
        }
}

TEST_MAIN(TEST(the_graph_counts_what_the_protocols_definitions_give),
          TEST(the_graph_counts_what_a_bucket_that_refills_admits),
          TEST(all_walks_are_the_interleavings_and_the_cheapest_is_among_them))
