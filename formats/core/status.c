#include "core/status.h"

#include <assert.h>

const char *fh_status_name(fh_status status)
{
    static const char *const names[] = {
        [FH_OK] = "ok",
        [FH_NOT_THIS_FORMAT] = "not this format",
        [FH_TRUNCATED] = "truncated",
        [FH_CORRUPT] = "corrupt",
        [FH_UNSUPPORTED] = "unsupported",
        [FH_LIMIT] = "limit",
        [FH_NO_MEMORY] = "no memory",
        [FH_INTERNAL] = "internal error",
    };
    assert(status <= FH_INTERNAL);
    return names[status];
}
