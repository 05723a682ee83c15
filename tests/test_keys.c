/* Keys, lines and CSV records: any bytes, any length. */
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../harness/csv.h"
#include "../harness/keys.h"

#define COUNT(array) (sizeof (array) / sizeof *(array))

static void a_name_keeps_the_number_of_its_first_appearance(void **state)
{
    struct keys keys = { 0 };
    char name[32];

    (void)state;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 50000; i++) {
            snprintf(name, sizeof name, "key-%u", i * 7919 % 50000);
            assert_int_equal(key_intern_text(&keys, name), i);
        }
    }
    assert_int_equal(keys.count, 50000);
    for (uint32_t i = 0; i < 50000; i++) {
        snprintf(name, sizeof name, "key-%u", i * 7919 % 50000);
        assert_string_equal(key_name(&keys, i, NULL), name);
    }
    keys_free(&keys);
    assert_int_equal(keys.count, 0);
}

static void a_name_is_any_bytes(void **state)
{
    struct keys keys = { 0 };
    static char huge[200000];
    size_t length;

    (void)state;
    assert_int_equal(key_intern(&keys, "", 0), 0);
    assert_int_equal(key_intern(&keys, "a\0b", 3), 1);
    assert_int_equal(key_intern(&keys, "a\0c", 3), 2);
    assert_int_equal(key_intern(&keys, "a", 1), 3);
    assert_int_equal(key_intern(&keys, "\xff\n`id`<script>", 14), 4);
    assert_int_equal(key_intern(&keys, huge, sizeof huge), 5);
    assert_int_equal(key_intern(&keys, huge, sizeof huge - 1), 6);
    assert_int_equal(key_intern(&keys, "a\0b", 3), 1);
    assert_memory_equal(key_name(&keys, 2, &length), "a\0c", 4);
    assert_int_equal(length, 3);
    key_name(&keys, 5, &length);
    assert_int_equal(length, sizeof huge);
    assert_true(key_compare(&keys, 3, 1) < 0 && key_compare(&keys, 1, 2) < 0 && key_compare(&keys, 4, 3) > 0);
    assert_true(key_compare(&keys, 0, 3) < 0 && key_compare(&keys, 2, 2) == 0);
    keys_free(&keys);
}

static void check_lines(const char *bytes, size_t length, const char *const *expected)
{
    struct lines lines;
    struct failure failure;
    enum reading reading;

    lines_open_bytes(&lines, "x", bytes, length);
    while ((reading = lines_next(&lines, &failure)) != READ_END) {
        assert_non_null(*expected);
        if (reading == READ_ITEM)
            assert_string_equal(lines.text, *expected);
        else
            assert_string_equal(failure.line, *expected);
        expected++;
    }
    assert_null(*expected);
    lines_close(&lines);
}

static void lines_end_as_on_any_system(void **state)
{
    static const char mixed[] = "\xef\xbb\xbf"
                                "a\r\nb\n\n\r\nc\rd\nlast",
                      nul[] = "a\nb\0c\nd\n", mark[] = "\xef\xbb\xbf";

    (void)state;
    check_lines(mixed, sizeof mixed - 1, (const char *const[]){ "a", "b", "", "", "c\rd", "last", NULL });
    check_lines(nul, sizeof nul - 1,
                (const char *const[]){ "a", "x:2: has a NUL byte; expected text in UTF-8", "d", NULL });
    check_lines(mark, sizeof mark - 1, (const char *const[]){ "", NULL });
    check_lines("", 0, (const char *const[]){ NULL });
    check_lines("\n", 1, (const char *const[]){ "", NULL });
}

/* Writes lines of all lengths around the buffer's and the bound's, and reads them back. */
static void lines_of_every_length_come_back_and_too_long_ones_are_skipped(void **state)
{
    static const size_t lengths[] = { 0,
                                      1,
                                      65534,
                                      65535,
                                      65536,
                                      65537,
                                      131072,
                                      LINE_BYTES_MAX - 1,
                                      LINE_BYTES_MAX,
                                      LINE_BYTES_MAX + 70000,
                                      3,
                                      3 * LINE_BYTES_MAX,
                                      65535,
                                      0,
                                      9 };
    char path[] = P_tmpdir "/limitlab-test-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    struct lines lines;
    struct failure failure;

    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        for (size_t j = 0; j < lengths[i]; j++)
            putc('a' + (int)((i + j) % 26), file);
        if (i + 1 < COUNT(lengths))
            putc('\n', file);
    }
    fclose(file);
    assert_true(lines_open(&lines, path, &failure));
    assert_true(lines_repeatable(&lines));
    assert_memory_equal(lines_peek(&lines), "\nb\nc", 4);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        enum reading reading = lines_next(&lines, &failure);
        assert_int_equal(lines.line, i + 1);
        assert_int_equal(reading, lengths[i] > LINE_BYTES_MAX ? READ_BAD : READ_ITEM);
        if (reading == READ_BAD) {
            assert_non_null(strstr(failure.line, "is longer than 1048576 bytes; expected shorter lines"));
            continue;
        }
        assert_int_equal(lines.length, lengths[i]);
        for (size_t j = 0; j < lengths[i]; j++)
            assert_int_equal(lines.text[j], 'a' + (int)((i + j) % 26));
    }
    assert_int_equal(lines_next(&lines, &failure), READ_END);
    assert_true(lines.size <= 4 * LINE_BYTES_MAX);
    lines_close(&lines);
    unlink(path);
}

static void a_pipe_is_read_like_a_file_but_only_once(void **state)
{
    int ends[2], saved = dup(STDIN_FILENO);
    struct lines lines;
    struct failure failure;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "one\ntwo", 7), 7);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    assert_true(lines_open(&lines, "-", &failure));
    assert_false(lines_repeatable(&lines));
    assert_int_equal(lines_next(&lines, &failure), READ_ITEM);
    assert_string_equal(lines.text, "one");
    assert_int_equal(lines_next(&lines, &failure), READ_ITEM);
    assert_string_equal(lines.text, "two");
    assert_int_equal(lines_next(&lines, &failure), READ_END);
    lines_close(&lines);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(ends[0]);
}

/* Records as "line:a|b|c", problems as their text. */
static void check_records(const char *text, const char *const *expected)
{
    struct lines lines;
    struct csv_table table;
    struct failure failure;
    enum reading reading;
    char shown[400];

    lines_open_bytes(&lines, "x", text, strlen(text));
    assert_true(csv_table_open(&table, &lines, &failure));
    while ((reading = csv_table_next(&table, &failure)) != READ_END) {
        int used = snprintf(shown, sizeof shown, "%u", table.line);
        for (unsigned i = 0; reading == READ_ITEM && i < table.columns; i++)
            used += snprintf(shown + used, sizeof shown - (size_t)used, "%c%s", i ? '|' : ':',
                             csv_table_field(&table, (int)i, NULL));
        assert_non_null(*expected);
        assert_string_equal(reading == READ_ITEM ? shown : failure.line, *expected);
        expected++;
    }
    assert_null(*expected);
    csv_table_close(&table);
    lines_close(&lines);
}

static void records_know_the_line_where_they_begin(void **state)
{
    (void)state;
    check_records("a,b\r\n1,2\r\n\r\n\r\n\"3\r\n\r\n4\",\"5\"\r\n6,\"\"\"7\"\"\"",
                  (const char *const[]){ "2:1|2", "5:3\n\n4|5", "8:6|\"7\"", NULL });
    check_records("a,b\n , \n\" x \",  y z  \n,\n", (const char *const[]){ "2:|", "3: x |y z", "4:|", NULL });
}

static void a_bad_record_spoils_none_of_the_next(void **state)
{
    (void)state;
    check_records("a,b\n1\n2,3\n4\"4,5\n6,7\n\"8\"8,9\n1,2,3\n10,11\n",
                  (const char *const[]){ "x:2: has 1 field; expected 2, as in the header", "3:2|3",
                                         "x:4: has a quote out of place; expected fields as a or \"a\", and "
                                         "\"\" for a quote inside",
                                         "5:6|7",
                                         "x:6: has a quote out of place; expected fields as a or \"a\", and "
                                         "\"\" for a quote inside",
                                         "x:7: has 3 fields; expected 2, as in the header", "8:10|11",
                                         NULL });
}

static void too_many_columns_or_names_twice_are_refused(void **state)
{
    static char wide[5000];
    struct lines lines;
    struct csv_table table;
    struct failure failure;

    (void)state;
    memset(wide, ',', 2000);
    lines_open_bytes(&lines, "x", wide, 2000);
    assert_false(csv_table_open(&table, &lines, &failure));
    assert_string_equal(failure.line, "x:1: has more than 1024 columns; expected fewer");
    csv_table_close(&table);
    lines_close(&lines);
    lines_open_bytes(&lines, "x", "a,b,a\n", 6);
    assert_true(csv_table_open(&table, &lines, &failure));
    assert_int_equal(csv_table_column(&table, "b"), 1);
    assert_true(csv_table_is_clear(&table, &failure));          /* nobody asked for the other */
    assert_int_equal(csv_table_column(&table, "a"), 0);
    assert_false(csv_table_is_clear(&table, &failure));
    assert_string_equal(failure.line, "x:1: has the column \"a\" twice; expected it once");
    csv_table_close(&table);
    lines_close(&lines);
}

static void an_open_quote_does_not_swallow_a_whole_file(void **state)
{
    size_t length = 3 * (size_t)LINE_BYTES_MAX;
    char *text = malloc(length);
    struct lines lines;
    struct csv_table table;
    struct failure failure;

    (void)state;
    memset(text, '\n', length);
    memcpy(text, "a\n\"", 3);
    lines_open_bytes(&lines, "x", text, length);
    assert_true(csv_table_open(&table, &lines, &failure));
    assert_int_equal(csv_table_next(&table, &failure), READ_BAD);
    assert_string_equal(failure.line, "x:2: has a quoted field that goes on for too long; expected a quote "
                                      "at its end");
    assert_true(table.record_lines > 1000000 && lines.line < 1100000);
    csv_table_close(&table);
    lines_close(&lines);
    free(text);
}

TEST_MAIN(
    TEST(a_name_keeps_the_number_of_its_first_appearance),
    TEST(a_name_is_any_bytes),
    TEST(lines_end_as_on_any_system),
    TEST(lines_of_every_length_come_back_and_too_long_ones_are_skipped),
    TEST(a_pipe_is_read_like_a_file_but_only_once),
    TEST(records_know_the_line_where_they_begin),
    TEST(a_bad_record_spoils_none_of_the_next),
    TEST(too_many_columns_or_names_twice_are_refused),
    TEST(an_open_quote_does_not_swallow_a_whole_file))
