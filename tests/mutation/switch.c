#include "switch.h"

#include <stdio.h>
#include <stdlib.h>

unsigned fh_mutant;
unsigned char fh_mutant_met[FH_MOST_MUTANTS];

/* FRAMEHOUND_MUTANT says which fault is on; FRAMEHOUND_MET names a file to which a byte is added up
 * for each fault whose place was met. */
__attribute__((constructor)) static void choose(void)
{
    const char *number = getenv("FRAMEHOUND_MUTANT");
    if (number != NULL) {
        fh_mutant = (unsigned)strtoul(number, NULL, 10);
    }
}

__attribute__((destructor)) static void tell(void)
{
    const char *folder = getenv("FRAMEHOUND_MET");
    char path[4096];
    if (folder == NULL) {
        return;
    }
    (void)snprintf(path, sizeof path, "%s/met-XXXXXX", folder);
    const int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (file != NULL) {
        (void)fwrite(fh_mutant_met, 1, sizeof fh_mutant_met, file);
        (void)fclose(file);
    }
}
