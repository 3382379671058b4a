/* Limits of the settings of a check, with the reason for each number. */
#ifndef FH_GATE_LIMITS_H
#define FH_GATE_LIMITS_H

/* Bytes of a configuration. One that names every rule on a line of its own has some 20 KiB. */
#define FH_CONFIG_MAX_LEN 65536

/* Bytes of a line of a configuration: the packaged libinih reads no longer ones. A value may go on
 * in further lines. */
#define FH_CONFIG_MAX_LINE 197

/* Codes that one configuration, or all options together, may name. There are fewer rules than this;
 * what is held against every path has to be bounded. */
#define FH_MAX_CHOICES 4096u

/* Configurations of one run. Each is held in memory and searched for by its folder. */
#define FH_MAX_CONFIGS 1024u

/* Findings of one rule that an entry of a baseline may take: what a file of 8 MiB could have if
 * every byte of it broke the rule. */
#define FH_BASELINE_MAX_COUNT (8u << 20)

#endif
