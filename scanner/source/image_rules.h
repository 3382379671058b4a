/* The rules of images: what can be wrong with a source, apart from what is found in it.
 *
 * Made from image_rules.def, one line a rule. Only rules that can be emitted stand there. Sources:
 * section 8 of the image format sheet.
 */
#ifndef FH_SOURCE_IMAGE_RULES_H
#define FH_SOURCE_IMAGE_RULES_H

#include "core/rules.h"

/* Indices of the table: FH_IMG0001 ... */
typedef enum fh_image_rule {
#define FH_RULE(code, severity, title, explanation, source, mend) FH_##code,
#include "source/image_rules.def"
#undef FH_RULE
    FH_IMG_NUM_RULES
} fh_image_rule;

extern const fh_rule_table fh_image_rules;

#endif
