/* retold.c - see retold.h. */
#include "retold.h"
#include <inttypes.h>
#include "explain.h"
#include "outfile.h"
#include "page.h"
#include "small_target.h"
#include "units.h"

enum { STATES_MAX = 2000000 };

/* The world, the walk in it, and what comes of it. */
struct retelling {
    const struct retold *retold;
    struct explored_world world;
    struct small_target target;
    struct judge judge;
    struct story story;
    struct cure cure[CURES];
    struct arena arena;
};

static bool tell_story(struct retelling *telling, struct failure *failure)
{
    const struct retold *retold = telling->retold;
    uint32_t *number = arena_alloc(&telling->arena, (retold->choices + 1) * sizeof *number);

    for (size_t i = 0; i < retold->choices; i++)
        number[i] = retold->choice[i] < UINT32_MAX ? (uint32_t)retold->choice[i] : UINT32_MAX;
    if (!story_tell_numbers(&telling->story, &telling->world.explorer, &telling->judge, number,
                            (uint32_t)retold->choices))
        return fail(failure, EXIT_USAGE, NULL, 0, "step %" PRIu32 " is none of those that are possible; "
                    "expected the choices of a witness", telling->story.given + 1);
    cures_try(telling->cure, &telling->story, &telling->world.topology, &telling->judge);
    return true;
}

static bool open_telling(struct retelling *telling, const struct retold *retold,
                         const struct explored_bounds *bounds, struct failure *failure)
{
    telling->retold = retold;
    if (!explored_open(&telling->world, retold->explored, bounds, failure))
        return false;
    telling->target = (struct small_target){ &telling->world.policy, retold->target,
                                             telling->world.explorer.setup.small.keys };
    telling->judge = (struct judge){ small_target_over, &telling->target };
    return true;
}

static void close_telling(struct retelling *telling)
{
    story_free(&telling->story);
    explored_close(&telling->world);
    arena_free(&telling->arena);
}

bool retold_explain(const struct retold *retold, FILE *out, struct failure *failure)
{
    static const struct explored_bounds unbounded;
    struct retelling telling = { 0 };
    bool good = open_telling(&telling, retold, &unbounded, failure) && tell_story(&telling, failure);

    if (good)
        explain_print(out, &(struct explain){ &telling.story, retold->explored->design, telling.cure });
    close_telling(&telling);
    return good;
}

/* ---- pages --------------------------------------------------------------------------------------------- */

static const char *title_of(struct retelling *telling)
{
    const struct explored *explored = telling->retold->explored;
    const struct policy *policy = &telling->world.policy;
    char period[UNITS_TEXT];

    if (telling->retold->title)
        return telling->retold->title;
    return arena_format(&telling->arena, "%s: %" PRIu32 " client%s, at most %" PRId64 " in %s",
                        explored->design, telling->story.clients, telling->story.clients == 1 ? "" : "s",
                        policy->limit, duration_text(policy->period_ns, period));
}

/* The story of the cheapest walk to too much; false when there is none. */
static bool tell_best(struct retelling *telling, struct story *best)
{
    struct walk_option *option = NULL;
    uint32_t n = walk_cheapest(&telling->world.explorer,
                               (struct worth){ small_target_is_over, &telling->target }, 1, 0, &option);
    bool known = n > 0 && story_tell(best, &telling->world.explorer, &telling->judge, option, n);

    memory_free(process_memory(), option);
    return known;
}

static const char *number_text(const mpz_t number, struct arena *arena)
{
    char *digits = arena_alloc(arena, mpz_sizeinbase(number, 10) + 2);

    return mpz_get_str(digits, 10, number);
}

/* How many interleavings there are, and how many are bad; not where they are without end. */
static void count_orders(struct retelling *telling, struct witness_page *page)
{
    struct interleavings counted;

    if (telling->world.explorer.endless || telling->world.explorer.small.overrun)
        return;
    interleavings_count(&counted, &telling->world.explorer, &telling->judge);
    page->orders = number_text(counted.all, &telling->arena);
    page->bad_orders = number_text(counted.over, &telling->arena);
    interleavings_clear(&counted);
}

static void write_page(struct retelling *telling, FILE *out)
{
    struct story best = { 0 };
    bool known = tell_best(telling, &best);
    const struct retold *retold = telling->retold;

    struct witness_page page = {
        .title = title_of(telling), .story_text = retold->story ? retold->story : "",
        .design = retold->explored->design, .command = retold->command ? retold->command : "",
        .explorer = &telling->world.explorer, .judge = &telling->judge, .witness = &telling->story,
        .best = known ? &best : NULL, .cure = telling->cure };
    count_orders(telling, &page);
    witness_page_write(out, &page);
    story_free(&best);
}

static bool save_page(struct retelling *telling, const char *path, struct failure *failure)
{
    struct outfile out;

    if (!outfile_open(&out, path, failure))
        return false;
    write_page(telling, out.stream);
    return outfile_commit(&out, failure);
}

bool retold_page(const struct retold *retold, const char *path, struct failure *failure)
{
    static const struct explored_bounds bounds = { .most_states = STATES_MAX };
    struct retelling telling = { 0 };
    bool good = open_telling(&telling, retold, &bounds, failure);

    if (good) {
        explore(&telling.world.explorer);
        const char *why = witness_page_refuses(&telling.world.explorer);
        good = !why || fail(failure, EXIT_UNKNOWN, NULL, 0, "--page: %s", why);
    }
    good = good && tell_story(&telling, failure) && save_page(&telling, path, failure);
    close_telling(&telling);
    return good;
}
