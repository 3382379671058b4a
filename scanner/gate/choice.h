/* Choices: which rules are told of, and how severe each is, as options and configurations have it.
 *
 * A choice names rules by a prefix of their codes: TOD0022, TOD00, TOD; a * may stand behind it,
 * and ALL is every rule. What is decided last counts: for each rule the layers are asked one by one
 * - what a configuration says in general, what it says of some paths, the options. Within a layer
 * the longest prefix counts, and of several as long the last one. A layer that selects anything
 * leaves out every rule that it does not select; one that does not leaves the rules as they were.
 */
#ifndef FH_GATE_CHOICE_H
#define FH_GATE_CHOICE_H

#include "core/rules.h"
#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a code with its end. */
#define FH_CODE_SIZE 12u

typedef enum fh_choice_kind {
    FH_CHOICE_SELECT = 0,
    FH_CHOICE_IGNORE,
    FH_CHOICE_GRADE /* the severity is changed */
} fh_choice_kind;

typedef struct fh_choice {
    fh_choice_kind kind;
    char prefix[FH_CODE_SIZE]; /* in capitals; "" is every rule */
    bool is_off;               /* GRADE: to "off" */
    fh_severity severity;      /* GRADE, unless off */
    char *glob;                /* owned; NULL: of every path */
    unsigned line;             /* of the configuration; 0: an option */
} fh_choice;

/* In the order in which they were made. */
typedef struct fh_choices {
    fh_choice *items; /* owned */
    size_t num;
    size_t max;
    bool no_memory; /* for one that was to be added */
} fh_choices;

/* What became of a rule, and which choices made it so (NULL: none did). */
typedef struct fh_ruling {
    bool is_selected;
    bool is_off;
    fh_severity severity;
    const fh_choice *selection;
    const fh_choice *grading;
} fh_ruling;

/* fh_choices_add adds the choices of a list of codes, or of CODE=LEVEL for GRADE, separated by
 * commas or blanks. glob (copied) and line are kept with each. false: the list is wrong, and fault
 * says in what way, safe to show; or is cut where memory ran out. */
bool fh_choices_add(fh_choices *choices, fh_text *fault, fh_choice_kind kind, const char *list,
                    const char *glob, unsigned line) FH_MUST_USE;

/* fh_choices_add_grade adds one choice of a severity. */
bool fh_choices_add_grade(fh_choices *choices, fh_text *fault, const char *code, const char *level,
                          unsigned line) FH_MUST_USE;

void fh_choices_free(fh_choices *choices);

/* fh_ruling_begin is the ruling that a rule has by itself. */
fh_ruling fh_ruling_begin(const fh_rule *rule);

/* fh_ruling_apply lets a layer decide: the choices that have a glob or, with has_glob false, those
 * that have none. speaks tells for each choice whether its glob matches the path. */
void fh_ruling_apply(fh_ruling *ruling, const char *code, const fh_choices *choices, bool has_glob,
                     const bool *speaks);

/* fh_severity_named reads error, warning or note; false for anything else. */
bool fh_severity_named(fh_severity *out, const char *name) FH_MUST_USE;

#endif
