/* small_arrivals.c - see small_arrivals.h. */
#include "small_arrivals.h"
#include <string.h>
#include "../engine/digest.h"
#include "rows.h"

/* ---- the file ---- */

struct reading_arrivals {
    struct small_arrivals *out;
    struct rows rows;
    struct keys keys, clients;
    int client_column;
    struct failure *failure;
};

/* Which client a row is of: the one of an earlier row that is alike, else a new one. */
static uint32_t client_of(struct small_arrivals *out, const uint32_t *named, uint32_t row)
{
    for (uint32_t i = 0; i < row; i++)
        if (named[i] == named[row] && out->row[i].key == out->row[row].key &&
            out->row[i].region == out->row[row].region)
            return out->row[i].client;
    return out->clients++;
}

static bool read_row(struct reading_arrivals *in, const struct row *row, uint32_t named[SMALL_ROWS])
{
    struct small_arrivals *out = in->out;
    size_t length = 0;

    if (out->rows == SMALL_ROWS)
        return fail(in->failure, EXIT_USAGE, in->rows.lines.name, row->line,
                    "there are more than %d rows; expected a small world's", SMALL_ROWS);
    named[out->rows] = out->rows;
    if (in->client_column >= 0) {
        const char *name = csv_table_field(&in->rows.table, in->client_column, &length);
        named[out->rows] = key_intern(&in->clients, name, length);
    }
    out->row[out->rows] = (struct small_row){ .at_ns = row->t_ns, .cost = row->cost, .key = row->key,
                                              .region = row->region };
    out->row[out->rows].client = client_of(out, named, out->rows);
    for (uint32_t i = 0; i < out->rows; i++)
        if (out->row[i].client == out->row[out->rows].client && out->row[i].cost != row->cost)
            return fail(in->failure, EXIT_USAGE, in->rows.lines.name, row->line,
                        "this client's requests differ in cost; expected one cost for each client");
    out->rows++;
    return true;
}

static bool read_rows(struct reading_arrivals *in)
{
    uint32_t named[SMALL_ROWS];
    struct row row;

    in->client_column = csv_table_column(&in->rows.table, "client");
    for (;;) {
        switch (rows_next(&in->rows, &row, in->failure)) {
        case READ_END:
            return in->out->rows > 0 || fail(in->failure, EXIT_USAGE, in->rows.lines.name, 0,
                                             "there is no row; expected at least one request");
        case READ_ITEM:
            if (!read_row(in, &row, named))
                return false;
            break;
        default:
            return false;
        }
    }
}

/* In order of time, rows of one instant as in the file; a recorded time counts from the first row. */
static void put_in_order(struct small_arrivals *out, bool absolute)
{
    for (uint32_t i = 1; i < out->rows; i++)
        for (uint32_t k = i; k > 0 && out->row[k - 1].at_ns > out->row[k].at_ns; k--) {
            struct small_row row = out->row[k];
            out->row[k] = out->row[k - 1];
            out->row[k - 1] = row;
        }
    out->epoch_ns = absolute ? out->row[0].at_ns : 0;
    for (uint32_t i = 0; i < out->rows; i++)
        out->row[i].at_ns -= out->epoch_ns;
}

static uint64_t digest_of(const struct small_arrivals *arrivals)
{
    struct digest digest;

    digest_init(&digest, process_memory());
    digest_add(&digest, &arrivals->epoch_ns, sizeof arrivals->epoch_ns);
    for (uint32_t i = 0; i < arrivals->rows; i++) {
        const struct small_row *row = &arrivals->row[i];
        int64_t fields[] = { row->at_ns, row->cost, row->key, row->region, row->client };
        digest_add(&digest, fields, sizeof fields);
    }
    uint64_t value = digest_value(&digest);
    digest_free(&digest);
    return value ? value : 1;
}

bool small_arrivals_read(struct small_arrivals *out, const char *path, const char *const *regions,
                         struct failure *failure)
{
    struct reading_arrivals in = { .out = out, .failure = failure };
    struct trace_options options = { .format = TRACE_ARRIVALS, .keys = &in.keys, .regions = regions };

    *out = (struct small_arrivals){ 0 };
    if (!rows_open(&in.rows, path, &options, failure)) {
        rows_close(&in.rows);
        keys_free(&in.keys);
        return false;
    }
    bool good = read_rows(&in);
    if (good)
        put_in_order(out, in.rows.absolute);
    out->keys = in.keys.count;
    rows_close(&in.rows);
    keys_free(&in.keys);
    keys_free(&in.clients);
    out->digest = good ? digest_of(out) : 0;
    return good;
}

/* ---- clients ---- */

static bool is_in(uint64_t without, uint32_t row)
{
    return (without >> row & 1) == 0;
}

/* The instants of one client's rows. */
static uint32_t times_of(const struct small_arrivals *arrivals, uint64_t without, uint32_t client,
                         int64_t at_ns[SMALL_ROWS])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < arrivals->rows; i++)
        if (arrivals->row[i].client == client && is_in(without, i))
            at_ns[n++] = arrivals->row[i].at_ns;
    return n;
}

/* Clients with the same times share one list: only so are they interchangeable. */
static const int64_t *shared_times(const struct small_client *client, uint32_t clients,
                                   const int64_t *at_ns, uint32_t n, struct arena *arena)
{
    for (uint32_t i = 0; i < clients; i++)
        if (client[i].requests == n && memcmp(client[i].at_ns, at_ns, n * sizeof *at_ns) == 0)
            return client[i].at_ns;
    int64_t *copy = arena_alloc(arena, n * sizeof *copy);
    memcpy(copy, at_ns, n * sizeof *copy);
    return copy;
}

static const int64_t *all_times(const struct small_arrivals *arrivals, uint64_t without, uint32_t *instants,
                                struct arena *arena)
{
    int64_t *instant = arena_alloc(arena, arrivals->rows * sizeof *instant);

    *instants = 0;
    for (uint32_t i = 0; i < arrivals->rows; i++)
        if (is_in(without, i) && (*instants == 0 || instant[*instants - 1] != arrivals->row[i].at_ns))
            instant[(*instants)++] = arrivals->row[i].at_ns;
    return instant;
}

const char *small_arrivals_clients(const struct small_arrivals *arrivals, uint64_t without,
                                   struct small_client client[SMALL_CLIENTS], uint32_t *clients,
                                   const int64_t **instant, uint32_t *instants, struct arena *arena)
{
    *clients = 0;
    for (uint32_t c = 0; c < arrivals->clients; c++) {
        int64_t at_ns[SMALL_ROWS];
        uint32_t n = times_of(arrivals, without, c, at_ns), row = 0;
        if (n == 0)
            continue;
        if (*clients == SMALL_CLIENTS)
            return "more than 16 clients; expected a column `client` that says which rows are one's";
        while (arrivals->row[row].client != c)
            row++;
        client[*clients] = (struct small_client){
            .region = arrivals->row[row].region, .key = arrivals->row[row].key, .requests = n,
            .cost = arrivals->row[row].cost, .at_ns = shared_times(client, *clients, at_ns, n, arena)
        };
        (*clients)++;
    }
    *instant = all_times(arrivals, without, instants, arena);
    return *clients > 0 ? NULL : "no clients";
}
