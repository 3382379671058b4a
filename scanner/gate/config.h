/* A configuration: one .framehound.ini, read as a whole and checked before anything uses it.
 *
 *   [check]              select, ignore, fail-on, min-severity, profile, bac, baseline
 *   [severity]           CODE = LEVEL
 *   [per-file-ignores]   GLOB = CODES
 *   [per-file-severity]  GLOB = CODE=LEVEL, ...
 *
 * libinih takes the lines apart; a line that begins with a blank goes on the value above it. What
 * is unknown, twice, too long or no text is refused with file, line and, where one is near, the
 * name that was meant.
 */
#ifndef FH_GATE_CONFIG_H
#define FH_GATE_CONFIG_H

#include "cmd.h"
#include "gate/choice.h"

#define FH_CONFIG_NAME ".framehound.ini"

/* Keys of [check] that have one value. */
typedef enum fh_key {
    FH_KEY_FAIL_ON = 0,
    FH_KEY_MIN_SEVERITY,
    FH_KEY_PROFILE,
    FH_KEY_BAC,
    FH_KEY_BASELINE,
    FH_NUM_KEYS
} fh_key;

/* fh_key_name returns the key, which is that of an option too. */
const char *fh_key_name(fh_key key);

/* fh_key_fault returns what a value of the key has to be, or NULL if this one is good. */
const char *fh_key_fault(fh_key key, const char *value);

typedef struct fh_config {
    char *path;   /* as messages name it; owned */
    char *folder; /* in which it lies, absolute, without links; owned */
    fh_choices choices;
    char *values[FH_NUM_KEYS]; /* NULL: not given. Paths are made absolute, "none" stays. Owned */
    unsigned lines[FH_NUM_KEYS];
} fh_config;

/* fh_config_read reads the configuration at path. *is_there is false, and nothing read, if there
 * is none and is_optional. Complains about what is wrong, and returns FH_EXIT_USAGE; or
 * FH_EXIT_LIMIT without memory. config is to be freed in any case. */
fh_exit fh_config_read(fh_config *config, bool *is_there, const char *path, const char *folder,
                       bool is_optional);

void fh_config_free(fh_config *config);

#endif
