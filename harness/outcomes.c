/* outcomes.c - see outcomes.h. */
#include "outcomes.h"
#include <string.h>
#include "outfile.h"

enum { TEXT_ROOM = 600 };

/* ---- TAP ---- */

/* A '#' begins a directive in TAP, and a backslash escapes it. */
static void print_tap_text(FILE *tap, const char *text)
{
    char shown[TEXT_ROOM];

    for (const char *c = visible_text(text, strlen(text), shown, sizeof shown); *c; c++)
        fprintf(tap, *c == '#' || *c == '\\' ? "\\%c" : "%c", *c);
}

void outcomes_add(struct outcomes *outcomes, FILE *tap, const struct outcome *outcome)
{
    char place[TEXT_ROOM], why[TEXT_ROOM];

    outcomes->outcome = memory_grow(process_memory(), outcomes->outcome, &outcomes->have,
                                    outcomes->count + (size_t)1, sizeof *outcomes->outcome);
    outcomes->outcome[outcomes->count++] = *outcome;
    outcomes->bad += !outcome->good;
    outcomes->errors += outcome->error;
    fprintf(tap, "%sok %u - ", outcome->good ? "" : "not ", outcomes->count);
    print_tap_text(tap, outcome->scenario);
    fputs(": ", tap);
    print_tap_text(tap, outcome->what);
    putc('\n', tap);
    if (!outcome->good)
        fprintf(tap, "# %s%s%s\n", visible_text(outcome->where, strlen(outcome->where), place, sizeof place),
                *outcome->where ? ": " : "",
                visible_text(outcome->why, strlen(outcome->why), why, sizeof why));
    fflush(tap);
}

void outcomes_end(const struct outcomes *outcomes, FILE *tap)
{
    fprintf(tap, "1..%u\n", outcomes->count);
}

/* ---- JUnit ---- */

/* Visible text is UTF-8 without controls; U+FFFE and U+FFFF are characters, but not of XML. */
static void print_xml_text(FILE *xml, const char *text)
{
    static const struct { char sign; const char *name; } names[] = {
        { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" }
    };
    char shown[TEXT_ROOM];

    for (const char *c = visible_text(text, strlen(text), shown, sizeof shown); *c; c++) {
        const char *name = NULL;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (names[i].sign == *c)
                name = names[i].name;
        if (strncmp(c, "\xef\xbf\xbe", 3) == 0 || strncmp(c, "\xef\xbf\xbf", 3) == 0) {
            name = "?";
            c += 2;
        }
        name ? fputs(name, xml) : putc(*c, xml);
    }
}

static void print_xml_attribute(FILE *xml, const char *name, const char *text)
{
    fprintf(xml, " %s=\"", name);
    print_xml_text(xml, text);
    putc('"', xml);
}

static void print_xml_outcome(FILE *xml, const struct outcome *outcome)
{
    const char *element = outcome->error ? "error" : "failure";

    fputs("    <testcase", xml);
    print_xml_attribute(xml, "classname", outcome->scenario);
    print_xml_attribute(xml, "name", outcome->what);
    if (outcome->good) {
        fputs("/>\n", xml);
        return;
    }
    fprintf(xml, ">\n      <%s", element);
    print_xml_attribute(xml, "message", outcome->why);
    putc('>', xml);
    print_xml_text(xml, outcome->where);
    fprintf(xml, "</%s>\n    </testcase>\n", element);
}

/* One suite a scenario: the outcomes from `first` on that belong to it. */
static unsigned print_xml_suite(FILE *xml, const struct outcomes *outcomes, unsigned first)
{
    const char *scenario = outcomes->outcome[first].scenario;
    unsigned end = first, failures = 0, errors = 0;

    for (; end < outcomes->count && strcmp(outcomes->outcome[end].scenario, scenario) == 0; end++) {
        errors += outcomes->outcome[end].error;
        failures += !outcomes->outcome[end].good && !outcomes->outcome[end].error;
    }
    fputs("  <testsuite", xml);
    print_xml_attribute(xml, "name", scenario);
    fprintf(xml, " tests=\"%u\" failures=\"%u\" errors=\"%u\">\n", end - first, failures, errors);
    for (unsigned i = first; i < end; i++)
        print_xml_outcome(xml, &outcomes->outcome[i]);
    fputs("  </testsuite>\n", xml);
    return end;
}

bool outcomes_write_junit(const struct outcomes *outcomes, const char *path, struct failure *failure)
{
    struct outfile out;

    if (!outfile_open(&out, path, failure))
        return false;
    fprintf(out.stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"limitlab check\" tests=\"%u\" failures=\"%u\" errors=\"%u\">\n",
            outcomes->count, outcomes->bad - outcomes->errors, outcomes->errors);
    for (unsigned i = 0; i < outcomes->count;)
        i = print_xml_suite(out.stream, outcomes, i);
    fputs("</testsuites>\n", out.stream);
    return outfile_commit(&out, failure);
}

void outcomes_free(struct outcomes *outcomes)
{
    memory_free(process_memory(), outcomes->outcome);
    *outcomes = (struct outcomes){ 0 };
}
