#include "stored.h"

#include "reports/report.h"

const fh_store_options fh_store_asking = {.stop = fh_interrupted};

fh_exit fh_store_exit(fh_store_status status)
{
    switch (status) {
    case FH_STORE_OK:
        return FH_EXIT_OK;
    case FH_STORE_NO_MEMORY:
    case FH_STORE_STOPPED:
    case FH_STORE_TOO_LONG:
        return FH_EXIT_LIMIT;
    default:
        return FH_EXIT_IO;
    }
}

fh_exit fh_stored_open(fh_store **store, const char *path)
{
    char error[FH_STORE_ERROR_LEN];
    const fh_store_status status =
        fh_store_open_ro(store, path, &fh_store_asking, error, sizeof error);
    if (status != FH_STORE_OK) {
        fh_complain("%s", error);
    }
    return fh_store_exit(status);
}

void fh_stored_warn(fh_store *store, const char *path)
{
    bool has_unfinished = false;
    if (fh_store_has_unfinished(store, &has_unfinished) == FH_STORE_OK && has_unfinished) {
        fh_complain("%s: " FH_UNFINISHED, fh_safe_path(path));
    }
}

fh_exit fh_store_failed(const fh_store *store)
{
    fh_complain("%s", fh_store_error(store));
    return fh_worst(FH_EXIT_IO, fh_store_exit(fh_store_state(store)));
}
