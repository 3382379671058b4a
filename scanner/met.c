#include "met.h"

#include "cmd.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool fh_met_note(fh_met *met, bool *is_again, const char *path)
{
    char *own = strdup(path);
    char **const node = own == NULL ? NULL : tsearch(own, &met->paths, by_text);
    if (node == NULL) {
        free(own);
        return false;
    }
    *is_again = *node != own;
    if (*is_again) {
        free(own);
        met->first = met->num_again++ == 0 ? *node : met->first;
    }
    return true;
}

void fh_met_tell(const fh_met *met)
{
    if (met->num_again > 0) {
        fh_complain("passed over, because they were named before and are searched once; names: "
                    "%" PRId64 ", the first %s",
                    met->num_again, fh_safe_path(met->first));
    }
}

void fh_met_free(fh_met *met)
{
    tdestroy(met->paths, free);
    *met = (fh_met){0};
}
