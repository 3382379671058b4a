/* The rulebook: the rule tables of all formats, of images and of the run, and their fingerprint. */
#ifndef FH_HUNT_RULEBOOK_H
#define FH_HUNT_RULEBOOK_H

#include "core/rules.h"

#include <stdint.h>

#define FH_MAX_RULE_TABLES 16u

/* fh_rule_tables writes the tables, in the order of the registry, and returns their number. */
size_t fh_rule_tables(fh_rule_table out[FH_MAX_RULE_TABLES]);

/* fh_rule_find returns the rule of exactly that code, or NULL. */
const fh_rule *fh_rule_find(const char *code);

/* fh_ruleset is a fingerprint of all rules and their texts. */
uint32_t fh_ruleset(void);

#endif
