/* Findings: one instance of a rule, with its evidence. */
#ifndef FH_CORE_FINDING_H
#define FH_CORE_FINDING_H

#include "core/limits.h"
#include "core/rules.h"
#include "core/text.h"

#include <stdint.h>

/* A number that is not known or does not apply. Never a legal value of any field here. */
#define FH_UNKNOWN INT64_MIN

typedef struct fh_finding {
    const fh_rule *rule;
    const char *field;              /* name of the field at fault, constant, never NULL */
    int64_t offset;                 /* byte in the asset, or FH_UNKNOWN */
    int64_t frame;                  /* index of the frame in the file, or FH_UNKNOWN */
    int64_t frame_number;           /* what the file calls that frame, or FH_UNKNOWN */
    int64_t object;                 /* id of the object, or FH_UNKNOWN */
    char found[FH_EVIDENCE_LEN];    /* value found, may be empty */
    char expected[FH_EVIDENCE_LEN]; /* value demanded, may be empty */
    char context[FH_EVIDENCE_LEN];  /* where else: packet index, type ..., may be empty */
} fh_finding;

/* fh_finding_make begins a finding of which nothing is known but the rule and the field. */
FH_API fh_finding fh_finding_make(const fh_rule *rule, const char *field);

/* A piece of evidence: text, a number, text. The numbers of a finding are named this way where it
 * is reported, and turned into text only when it is told. */
typedef enum fh_value_kind {
    FH_VALUE_NONE = 0,
    FH_VALUE_DEC,
    FH_VALUE_COUNT,
    FH_VALUE_HEX,
    FH_VALUE_TEXT
} fh_value_kind;

typedef struct fh_value {
    fh_value_kind kind;
    const char *before; /* never NULL unless kind is FH_VALUE_NONE */
    int64_t number;     /* FH_VALUE_HEX: the low 32 bits */
    const char *after;  /* likewise */
} fh_value;

static inline fh_value fh_nothing(void)
{
    return (fh_value){FH_VALUE_NONE, "", 0, ""};
}

/* fh_words is text without a number. */
static inline fh_value fh_words(const char *text)
{
    return (fh_value){FH_VALUE_TEXT, text, 0, ""};
}

/* fh_dec is a decimal number and its unit (with its blank), such as fh_dec(12, " words"). */
static inline fh_value fh_dec(int64_t number, const char *after)
{
    return (fh_value){FH_VALUE_DEC, "", number, after};
}

/* fh_count is a number and what is counted, a noun in the singular that takes an s. */
static inline fh_value fh_count(int64_t number, const char *noun)
{
    return (fh_value){FH_VALUE_COUNT, "", number, noun};
}

/* fh_dec_after is text, a decimal number and its unit. */
static inline fh_value fh_dec_after(const char *before, int64_t number, const char *after)
{
    return (fh_value){FH_VALUE_DEC, before, number, after};
}

/* fh_hex is a 32-bit word in hexadecimal. */
static inline fh_value fh_hex(uint32_t word)
{
    return (fh_value){FH_VALUE_HEX, "", word, ""};
}

/* fh_value_write appends value to out. */
FH_API void fh_value_write(fh_text *out, fh_value value);

/* fh_finding_evidence sets what was found and what was demanded. */
FH_API void fh_finding_evidence(fh_finding *finding, fh_value found, fh_value expected);

/* fh_finding_message writes the finding as one sentence for a person: title, field, found,
 * expected, place. The text has no line break. */
FH_API void fh_finding_message(fh_text *out, const fh_finding *finding);

#endif
