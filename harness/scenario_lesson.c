/* scenario_lesson.c - the keys of a lesson. */
#include <stddef.h>
#include "scenario_keys.h"

bool read_lesson(struct loading *loading, const struct yaml_tree *node, const struct field *field, void *slot)
{
    struct experiment *experiment = slot;

    (void)field;
    return read_section(loading, node, &lesson_section, 0, &experiment->lesson);
}

#define IN(member) offsetof(struct lesson, member)

static const struct field lesson_fields[] = {
    { "question", "text", read_text, IN(question), .standard = NULL, .example = "How many pass?",
      .meaning = "What to answer before anything is run. `limitlab check` of this file alone asks it." },
    { "command", "text", read_text, IN(command), .standard = NULL, .example = "limitlab check lesson.yaml",
      .meaning = "What to type then, as it stands." },
    { "look", "text", read_text, IN(look), .standard = NULL, .example = "At lost_updates.",
      .meaning = "What to see in what it prints." },
    { "why", "text", read_text, IN(why), .standard = NULL, .example = "Both read before either wrote.",
      .meaning = "Why it is so." },
    { 0 }
};

const struct section lesson_section = { "lesson", "a lesson", lesson_fields, NULL, NULL };
