#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include <csv.h>
#include "../harness/figures.h"
#include "../harness/output.h"
#include "plausible.h"

/* What the writer makes of the results, as one text. */
static char *written(const struct experiment *e, const struct output_options *options,
                     const struct result *results, unsigned count)
{
    char *text = NULL;
    size_t bytes = 0;
    struct failure failure;
    FILE *file = open_memstream(&text, &bytes);
    struct output *output = output_begin(file, e, options);
    for (unsigned i = 0; i < count; i++)
        output_row(output, &results[i]);
    assert_true(output_end(output, &failure));
    fclose(file);
    assert_int_equal(strlen(text), bytes);
    return text;
}

static char *all_designs(enum output_format format, const char *key)
{
    struct result results[PLAUSIBLE_DESIGNS];
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = format };
    for (unsigned i = 0; i < PLAUSIBLE_DESIGNS; i++)
        results[i] = plausible_result(i, key);
    return written(&e, &options, results, PLAUSIBLE_DESIGNS);
}

/* As a terminal counts, for the letters of these tests: Chinese ones are two columns wide. */
static unsigned columns_of(const char *line)
{
    unsigned columns = 0;
    for (const unsigned char *c = (const unsigned char *)line; *c; c++)
        columns += (*c & 0xc0) != 0x80 ? 1 + (*c >= 0xe4 && *c <= 0xe9) : 0;
    return columns;
}

static void no_line_is_wider_than_100_columns(const char *text)
{
    while (*text) {
        char line[4096];
        size_t bytes = strcspn(text, "\n");
        assert_true(bytes < sizeof line);
        snprintf(line, sizeof line, "%.*s", (int)bytes, text);
        if (columns_of(line) > 100)
            print_error("%u columns: %s\n", columns_of(line), line);
        assert_true(columns_of(line) <= 100);
        text += bytes + 1;
    }
}

static const char *place(const char *text, const char *what)
{
    const char *found = strstr(text, what);
    if (!found)
        print_error("'%s' is not in: %s\n", what, text);
    assert_non_null(found);
    return found;
}

/* ---- the table ---- */

static void the_table_puts_the_best_first(void **state)
{
    char *text = all_designs(OUTPUT_TABLE, "k");
    static const char *const order[] = {
        "✓ token-bucket@owner", "✓ gcra@cas", "✓ token-bucket@local:share=split",
        "✗ fixed-window@sharded", "✗ fixed-window@owner", "✗ fixed-window@get-then-set",
    };
    (void)state;
    for (unsigned i = 1; i < sizeof order / sizeof order[0]; i++)
        assert_true(place(text, order[i - 1]) < place(text, order[i]));
    no_line_is_wider_than_100_columns(text);
    free(text);
}

static void the_table_says_which_to_pick_and_why_two_columns_differ(void **state)
{
    char *text = all_designs(OUTPUT_TABLE, "k");
    (void)state;
    place(text, "Pick: token-bucket@owner (p99 168ms");
    place(text, "Faster, at a price: token-bucket@local:share=split");
    place(text, "Boundary burst 1.00 beside a worst window near 2 is no contradiction");
    place(text, "gcra@cas: home=us-east-1 attempts=unbounded");
    free(text);
}

static void a_row_holds_the_figures_of_its_design(void **state)
{
    char *text = all_designs(OUTPUT_TABLE, "k");
    (void)state;
    place(text, "✗ fixed-window@get-then-set         212 5.41%  race 50%  1.87   2.56  106%   76ms  168ms"
                "  1840   1.7\n");
    free(text);
}

static void requirements_decide_who_qualifies(void **state)
{
    struct experiment e = plausible_experiment();
    struct condition need[2];
    char why[CONDITION_WHY];
    struct output_options options = { .format = OUTPUT_TABLE };
    struct result r[] = { plausible_result(1, "k"), plausible_result(3, "k") };
    (void)state;
    assert_true(condition_parse("p99<=200ms", &need[0], why));
    assert_true(condition_parse("boundary_burst<=1.5", &need[1], why));
    e.require = need;
    e.requires = 2;
    char *text = written(&e, &options, r, 2);
    place(text, "p99<=200ms and boundary_burst<=1.5");
    assert_true(place(text, "✓ fixed-window@owner") < place(text, "✗ gcra@cas"));
    place(text, "Pick: fixed-window@owner");
    place(text, "over-admits 2.47%");
    place(text, "Fastest exact one: gcra@cas");
    free(text);
}

static void when_nobody_qualifies_the_nearest_is_named(void **state)
{
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_TABLE };
    struct result r[] = { plausible_result(0, "k"), plausible_result(1, "k") };
    (void)state;
    char *text = written(&e, &options, r, 2);
    place(text, "None qualifies; nearest: fixed-window@owner");
    place(text, "No design here is exact.");
    free(text);
}

static void several_seeds_make_one_row_of_the_worst(void **state)
{
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_TABLE };
    struct result r[] = { plausible_result(2, "k"), plausible_result(2, "k"), plausible_result(2, "k") };
    (void)state;
    e.last_seed = 3;
    r[1].over_admitted = 7;
    r[1].seed = 2;
    r[2].latency_ns.p99 = 999000000;
    char *text = written(&e, &options, r, 3);
    place(text, "seeds 1..3 (each figure is the worst of them)");
    const char *row = place(text, "✗ token-bucket@owner      7 0.19%");
    place(row, " 999ms");
    assert_null(strstr(row + 1, "✗"));
    free(text);
    options.in_depth = true;
    text = written(&e, &options, r, 3);
    assert_null(strstr(text, "worst of them"));
    free(text);
}

static void rows_of_one_design_stay_together_and_limits_apart(void **state)
{
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_TABLE };
    struct result r[] = { plausible_result(1, "k"), plausible_result(2, "k"), plausible_result(1, "k"),
                          plausible_result(2, "k") };
    (void)state;
    r[0].label = "as logged";
    r[2].label = "spread";
    r[2].over_admitted = 0;
    r[2].excess = (struct decimal){ .billionths = 0 };
    r[3].limit = 400000;
    r[3].parameters = "";
    e.limits = 2;
    char *text = written(&e, &options, r, 4);
    place(text, "  token-bucket@owner, limit 400000: none\n");
    const char *rows[] = { place(text, "limit 200000\n"), place(text, "✓ token-bucket@owner"),
                           place(text, "✗ fixed-window@owner "),
                           place(text, "✓   spread "), place(text, "limit 400000\n") };
    for (unsigned i = 1; i < 5; i++)
        assert_true(rows[i - 1] < rows[i]);
    free(text);
}

static void requests_without_a_decision_are_told_and_disqualify(void **state)
{
    struct experiment e = plausible_experiment();
    struct result r[] = { plausible_result(2, "k"), plausible_result(3, "k") };
    (void)state;
    r[1].failed = 158;
    r[1].requests = 400;
    for (int format = OUTPUT_TABLE; format <= OUTPUT_MARKDOWN; format += OUTPUT_MARKDOWN - OUTPUT_TABLE) {
        struct output_options options = { .format = (enum output_format)format };
        char *text = written(&e, &options, r, 2);
        place(text, format == OUTPUT_TABLE ? "✗ gcra@cas" : "✗ | gcra@cas");
        place(text, "gcra@cas: 158 of 400 requests got no decision\n");
        assert_null(strstr(text, "owner: 0 of"));
        free(text);
    }
}

static void hostile_names_neither_break_the_width_nor_steer_the_terminal(void **state)
{
    static char endless[20001];
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_TABLE, .setting = "regions: a\x1b]0;b\n漢字漢字" };
    struct result r[4] = { plausible_result(0, "k"), plausible_result(1, "k"), plausible_result(2, "k"),
                           plausible_result(3, "k") };
    (void)state;
    memset(endless, 'x', sizeof endless - 1);
    r[0].design = endless;
    r[0].parameters = endless;
    r[1].design = "red\x1b[31m\n\r\t\xff\xc0\x80\xed\xa0\x80\x7f\xc2\x9b";
    r[2].design = "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字";
    r[3].over_admitted = r[3].lost_updates = r[3].retries = UINT64_MAX;
    r[3].latency_ns.p99 = r[3].latency_ns.p50 = INT64_MAX;
    r[3].boundary_burst.billionths = r[3].worst_window.ratio.billionths = (i128)1 << 100;
    r[3].requests = 1;
    for (int in_depth = 0; in_depth < 2; in_depth++) {
        options.in_depth = in_depth;
        char *text = written(&e, &options, r, 4);
        no_line_is_wider_than_100_columns(text);
        for (const char *c = text; *c; c++)
            assert_true((unsigned char)*c >= 0x20 || *c == '\n');
        place(text, "red\\x1b[31m\\x0a\\x0d\\x09\\xff");
        free(text);
    }
}

static void colour_is_only_written_when_asked_for(void **state)
{
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_TABLE, .colour = true };
    struct result r = plausible_result(2, "k");
    (void)state;
    char *text = written(&e, &options, &r, 1);
    place(text, "\x1b[32m✓\x1b[0m token");
    free(text);
    options.colour = false;
    text = written(&e, &options, &r, 1);
    assert_null(strchr(text, '\x1b'));
    free(text);
    assert_false(output_wants_colour(tmpfile(), false));
}

static void one_design_in_depth_shows_every_figure(void **state)
{
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_TABLE, .in_depth = true };
    struct result r = plausible_result(0, "`id`");
    (void)state;
    char *text = written(&e, &options, &r, 1);
    for (unsigned i = 0; i < figure_count; i++)
        if (strcmp(figures[i].path, "design") != 0 && strcmp(figures[i].path, "label") != 0)
            place(text, figures[i].path);
    place(text, "promise BROKEN");
    place(text, "4896  `id`");
    no_line_is_wider_than_100_columns(text);
    free(text);
}

/* ---- JSON ---- */

static json_t *parsed(const char *text)
{
    json_error_t error;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        print_error("line %d: %s\n", error.line, error.text);
    assert_non_null(json);
    return json;
}

static void json_has_every_figure_where_the_contract_puts_it(void **state)
{
    char *text = all_designs(OUTPUT_JSON, "k");
    json_t *json = parsed(text), *row = json_array_get(json_object_get(json, "results"), 1);
    (void)state;
    assert_int_equal(json_integer_value(json_object_get(json, "schema")), 1);
    assert_string_equal(json_string_value(json_object_get(json, "target")), "curve");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json, "policy"), "limit")), 200000);
    assert_int_equal(json_array_size(json_object_get(json, "results")), PLAUSIBLE_DESIGNS);
    for (unsigned i = 0; i < figure_count; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s", figures[i].path);
        char *dot = strchr(path, '.');
        if (dot)
            *dot = '\0';
        json_t *field = json_object_get(row, path);
        assert_non_null(dot ? json_object_get(field, dot + 1) : field);
    }
    place(text, "\"excess\": 86487.553, \"effective_burst\": 286487.553, \"boundary_burst\": 1.432437765, "
                "\"worst_window\": {\"cost\": 399981, ");
    json_decref(json);
    free(text);
}

/* \xNN is one byte. */
static void undo_escapes(const char *text, char *out)
{
    while (*text) {
        unsigned byte = 0;
        if (text[0] == '\\' && text[1] == 'x' && sscanf(text + 2, "%2x", &byte) == 1) {
            *out++ = (char)byte;
            text += 4;
        } else {
            *out++ = *text++;
        }
    }
    *out = '\0';
}

static void json_gives_back_any_bytes_of_a_key(void **state)
{
    static const char *const keys[] = {
        "`id`", "<script>alert(1)</script>", "\"\\\n\t\x01\x7f", "\xff\xfe", "\\x41", "\\\\x41", "a\\",
        "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf", "漢字", "\xe2\x82", "\xe2\x80\xae", "\\xff\xff\\x",
        "",
        "\xf0\x9f\x98\x80",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char back[256];
        char *text = all_designs(OUTPUT_JSON, keys[i]);
        json_t *json = parsed(text), *row = json_array_get(json_object_get(json, "results"), 0);
        undo_escapes(json_string_value(json_object_get(json_object_get(row, "worst_window"), "key")), back);
        assert_string_equal(back, keys[i]);
        json_decref(json);
        free(text);
    }
}

static void json_is_null_where_nothing_was_admitted(void **state)
{
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_JSON };
    struct result r = plausible_result(0, NULL);
    (void)state;
    r.boundary_burst = DECIMAL_NULL;
    r.first_denial = -1;
    char *text = written(&e, &options, &r, 1);
    place(text, "\"boundary_burst\": null, \"worst_window\": null,");
    place(text, "\"first_denial\": null");
    json_decref(parsed(text));
    free(text);
}

static void json_without_results_is_still_json(void **state)
{
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_JSON };
    (void)state;
    e.limits = 2;
    e.target.kind = TARGET_WINDOW;
    e.burst = 7;
    char *text = written(&e, &options, NULL, 0);
    json_t *json = parsed(text);
    place(text, "\"policy\": {\"limit\": [200000, 400000], \"period_ns\": 60000000000, \"burst\": 7}");
    assert_string_equal(json_string_value(json_object_get(json, "target")), "window");
    assert_int_equal(json_array_size(json_object_get(json, "results")), 0);
    json_decref(json);
    free(text);
}

static void the_same_results_give_the_same_bytes(void **state)
{
    (void)state;
    for (int format = OUTPUT_TABLE; format <= OUTPUT_MARKDOWN; format++) {
        char *one = all_designs((enum output_format)format, "k");
        char *two = all_designs((enum output_format)format, "k");
        assert_string_equal(one, two);
        free(one);
        free(two);
    }
}

/* ---- CSV and Markdown ---- */

struct fields {
    unsigned fields, rows;
    char key[64];
};

static void take_field(void *text, size_t bytes, void *context)
{
    struct fields *seen = context;
    bool is_key = seen->rows == 1 && seen->fields++ == (unsigned)figure_find("worst_window.key");
    if (is_key)
        snprintf(seen->key, sizeof seen->key, "%.*s", (int)bytes, (char *)text);
}

static void take_row(int end, void *context)
{
    (void)end;
    ((struct fields *)context)->rows++;
}

static void csv_reads_back_with_commas_quotes_and_newlines_in_a_key(void **state)
{
    struct csv_parser parser;
    struct fields seen = { 0 };
    char *text = all_designs(OUTPUT_CSV, "a,\"b\"\r\nc");
    (void)state;
    assert_int_equal(strncmp(text, "design,seed,limit,", 18), 0);
    csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
    assert_int_equal(csv_parse(&parser, text, strlen(text), take_field, take_row, &seen), strlen(text));
    assert_int_equal(csv_fini(&parser, take_field, take_row, &seen), 0);
    csv_free(&parser);
    assert_int_equal(seen.rows, PLAUSIBLE_DESIGNS + 1);
    assert_int_equal(seen.fields, figure_count);
    assert_string_equal(seen.key, "a,\"b\"\r\nc");
    free(text);
}

static void markdown_cells_cannot_end_their_table(void **state)
{
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_MARKDOWN };
    struct result r = plausible_result(2, "k");
    (void)state;
    r.design = "a|b`<script>\n[x](y)";
    char *text = written(&e, &options, &r, 1);
    place(text, "| ✓ | a\\|b\\`\\<script\\>\\\\x0a\\[x\\]\\(y\\) | 0 | 0% | - | 1.00 | 2.00 | 100% |");
    free(text);
}

static void formats_are_known_by_name(void **state)
{
    enum output_format format;
    char why[CONDITION_WHY];
    (void)state;
    assert_true(output_format_parse("json", &format, why) && format == OUTPUT_JSON);
    assert_true(output_format_parse("table", &format, why) && format == OUTPUT_TABLE);
    assert_false(output_format_parse("jsn", &format, why));
    assert_non_null(strstr(why, "did you mean json?"));
}

static void a_full_disk_is_trouble(void **state)
{
    struct experiment e = plausible_experiment();
    struct output_options options = { .format = OUTPUT_JSON };
    struct failure failure;
    FILE *full = fopen("/dev/full", "w");
    (void)state;
    if (!full)
        skip();
    assert_false(output_end(output_begin(full, &e, &options), &failure));
    assert_int_equal(failure.code, EXIT_TROUBLE);
    fclose(full);
}

TEST_MAIN(TEST(the_table_puts_the_best_first),
          TEST(the_table_says_which_to_pick_and_why_two_columns_differ),
          TEST(a_row_holds_the_figures_of_its_design),
          TEST(requirements_decide_who_qualifies),
          TEST(when_nobody_qualifies_the_nearest_is_named),
          TEST(several_seeds_make_one_row_of_the_worst),
          TEST(rows_of_one_design_stay_together_and_limits_apart),
          TEST(requests_without_a_decision_are_told_and_disqualify),
          TEST(hostile_names_neither_break_the_width_nor_steer_the_terminal),
          TEST(colour_is_only_written_when_asked_for),
          TEST(one_design_in_depth_shows_every_figure),
          TEST(json_has_every_figure_where_the_contract_puts_it),
          TEST(json_gives_back_any_bytes_of_a_key),
          TEST(json_is_null_where_nothing_was_admitted),
          TEST(json_without_results_is_still_json),
          TEST(the_same_results_give_the_same_bytes),
          TEST(csv_reads_back_with_commas_quotes_and_newlines_in_a_key),
          TEST(markdown_cells_cannot_end_their_table),
          TEST(formats_are_known_by_name),
          TEST(a_full_disk_is_trouble))
