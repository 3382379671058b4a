#include "gate/choice.h"

#include "cmd.h"
#include "gate/limits.h"
#include "nearest.h"
#include "reports/escape.h"

#include <stdlib.h>
#include <string.h>

static const char separators[] = ", \t";

/* A word of a list is longer than any code if it does not fit. */
enum { WORD_SIZE = 64 };

bool fh_severity_named(fh_severity *out, const char *name)
{
    fh_fail_on level;
    if (!fh_parse_fail_on(&level, name) || level.never) {
        return false;
    }
    *out = level.severity;
    return true;
}

/* ---- codes ---- */

static bool begins(const char *code, const char *prefix)
{
    return strncmp(code, prefix, strlen(prefix)) == 0;
}

static bool is_prefix_of_any(const char *prefix)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num = fh_rule_tables(tables);
    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < tables[i].num_rules; k++) {
            if (begins(tables[i].rules[k].code, prefix)) {
                return true;
            }
        }
    }
    return false;
}

/* The letters that the codes of a table begin with. */
static void letters_of(char out[FH_CODE_SIZE], const char *code)
{
    size_t len = strcspn(code, "0123456789");
    len = len < FH_CODE_SIZE ? len : FH_CODE_SIZE - 1;
    memcpy(out, code, len);
    out[len] = '\0';
}

/* The name of a rule, or of all that begin alike, that differs the least from the word. */
typedef struct guess {
    char name[FH_CODE_SIZE];
    size_t distance;
} guess;

static void try_name(guess *best, const char *word, const char *name)
{
    const size_t distance = fh_distance(word, name);
    if (distance < best->distance) {
        fh_text text = fh_text_make(best->name, sizeof best->name);
        fh_text_str(&text, name);
        best->distance = distance;
    }
}

/* Codes are so short that half of one may be wrong: something is always named that has anything in
 * common with the word. */
static void put_nearest(fh_text *fault, const char *word)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    char letters[FH_CODE_SIZE];
    guess best = {.distance = strlen(word)};
    const size_t num = fh_rule_tables(tables);
    try_name(&best, word, "ALL");
    for (size_t i = 0; i < num; i++) {
        letters_of(letters, tables[i].rules[0].code);
        try_name(&best, word, letters);
        for (size_t k = 0; k < tables[i].num_rules; k++) {
            try_name(&best, word, tables[i].rules[k].code);
        }
    }
    if (best.name[0] != '\0') {
        fh_text_str(fh_text_str(fh_text_str(fault, "; did you mean "), best.name), "?");
    } else {
        fh_text_str(fault, "; framehound rules lists them");
    }
}

static bool take_prefix(char out[FH_CODE_SIZE], fh_text *fault, const char *word)
{
    size_t len = strlen(word);
    len -= len > 1 && word[len - 1] == '*' ? 1 : 0;
    if (len < FH_CODE_SIZE) {
        memcpy(out, word, len);
        out[len] = '\0';
        for (size_t i = 0; i < len; i++) {
            out[i] = (char)(out[i] >= 'a' && out[i] <= 'z' ? out[i] - 'a' + 'A' : out[i]);
        }
        if (strcmp(out, "ALL") == 0) {
            out[0] = '\0';
            return true;
        }
        if (is_prefix_of_any(out)) {
            return true;
        }
    }
    fh_text_str(fault, "no rule is called, or begins with, '");
    fh_escape_into(fault, word);
    put_nearest(fh_text_str(fault, "'"), word);
    return false;
}

static bool take_level(fh_choice *out, fh_text *fault, const char *level)
{
    static const char *const names[] = {"error", "warning", "note", "off"};
    out->is_off = strcmp(level, "off") == 0;
    if (out->is_off || fh_severity_named(&out->severity, level)) {
        return true;
    }
    const char *nearest = fh_nearest_of(level, names, sizeof names / sizeof names[0]);
    fh_text_str(fault, "a severity is error, warning, note or off, not '");
    fh_escape_into(fault, level);
    fh_text_str(fault, "'");
    if (nearest != NULL) {
        fh_text_str(fh_text_str(fh_text_str(fault, "; did you mean "), nearest), "?");
    }
    return false;
}

/* ---- lists ---- */

static bool no_memory(fh_choices *choices, fh_text *fault)
{
    choices->no_memory = true;
    fh_text_str(fault, "out of memory");
    return false;
}

static bool put(fh_choices *choices, fh_text *fault, const fh_choice *choice, const char *glob)
{
    if (choices->num == FH_MAX_CHOICES) {
        fh_text_u64(fh_text_str(fault, "more than "), FH_MAX_CHOICES);
        fh_text_str(fault, " codes; use prefixes");
        return false;
    }
    if (choices->num == choices->max) {
        const size_t max = choices->max == 0 ? 16 : 2 * choices->max;
        fh_choice *items = realloc(choices->items, max * sizeof *items);
        if (items == NULL) {
            return no_memory(choices, fault);
        }
        choices->items = items;
        choices->max = max;
    }
    fh_choice *out = &choices->items[choices->num];
    *out = *choice;
    out->glob = glob == NULL ? NULL : strdup(glob);
    if (glob != NULL && out->glob == NULL) {
        return no_memory(choices, fault);
    }
    choices->num++;
    return true;
}

static bool put_word(fh_choices *choices, fh_text *fault, fh_choice choice, char *word,
                     const char *glob)
{
    char *equals = strchr(word, '=');
    if (choice.kind == FH_CHOICE_GRADE) {
        if (equals == NULL) {
            fh_text_str(fault, "a severity is given as CODE=LEVEL, not as '");
            fh_escape_into(fault, word);
            fh_text_str(fault, "'");
            return false;
        }
        *equals = '\0';
        if (!take_level(&choice, fault, equals + 1)) {
            return false;
        }
    }
    return take_prefix(choice.prefix, fault, word) && put(choices, fault, &choice, glob);
}

bool fh_choices_add(fh_choices *choices, fh_text *fault, fh_choice_kind kind, const char *list,
                    const char *glob, unsigned line)
{
    const fh_choice choice = {.kind = kind, .line = line};
    size_t num = 0;
    for (const char *at = list + strspn(list, separators); *at != '\0';
         at += strspn(at, separators)) {
        char word[WORD_SIZE];
        const size_t len = strcspn(at, separators);
        const size_t kept = len < WORD_SIZE ? len : WORD_SIZE - 1;
        memcpy(word, at, kept);
        word[kept] = '\0';
        if (!put_word(choices, fault, choice, word, glob)) {
            return false;
        }
        at += len;
        num++;
    }
    if (num == 0) {
        fh_text_str(fault, "no code is named; ALL is every rule");
    }
    return num > 0;
}

bool fh_choices_add_grade(fh_choices *choices, fh_text *fault, const char *code, const char *level,
                          unsigned line)
{
    fh_choice choice = {.kind = FH_CHOICE_GRADE, .line = line};
    return take_prefix(choice.prefix, fault, code) && take_level(&choice, fault, level) &&
           put(choices, fault, &choice, NULL);
}

void fh_choices_free(fh_choices *choices)
{
    for (size_t i = 0; i < choices->num; i++) {
        free(choices->items[i].glob);
    }
    free(choices->items);
    *choices = (fh_choices){0};
}

/* ---- rulings ---- */

fh_ruling fh_ruling_begin(const fh_rule *rule)
{
    return (fh_ruling){.is_selected = true, .severity = rule->severity};
}

static bool is_closer(const fh_choice *choice, const fh_choice *than)
{
    return than == NULL || strlen(choice->prefix) >= strlen(than->prefix);
}

void fh_ruling_apply(fh_ruling *ruling, const char *code, const fh_choices *choices, bool has_glob,
                     const bool *speaks)
{
    const fh_choice *selection = NULL;
    const fh_choice *grading = NULL;
    const fh_choice *last_select = NULL;
    for (size_t i = 0; i < choices->num; i++) {
        const fh_choice *choice = &choices->items[i];
        if ((choice->glob != NULL) != has_glob || (has_glob && !speaks[i])) {
            continue;
        }
        last_select = choice->kind == FH_CHOICE_SELECT ? choice : last_select;
        const fh_choice **best = choice->kind == FH_CHOICE_GRADE ? &grading : &selection;
        if (begins(code, choice->prefix) && is_closer(choice, *best)) {
            *best = choice;
        }
    }
    if (selection != NULL || last_select != NULL) {
        ruling->is_selected = selection != NULL && selection->kind == FH_CHOICE_SELECT;
        ruling->selection = selection != NULL ? selection : last_select;
    }
    if (grading != NULL) {
        ruling->is_off = grading->is_off;
        ruling->severity = grading->is_off ? ruling->severity : grading->severity;
        ruling->grading = grading;
    }
}
