#include "stored.h"

const fh_store_options fh_store_asking = {.stop = fh_interrupted};

fh_exit fh_store_exit(fh_store_status status)
{
    switch (status) {
    case FH_STORE_OK:
        return FH_EXIT_OK;
    case FH_STORE_NO_MEMORY:
    case FH_STORE_STOPPED:
        return FH_EXIT_LIMIT;
    default:
        return FH_EXIT_IO;
    }
}

fh_exit fh_store_failed(const fh_store *store)
{
    fh_complain("%s", fh_store_error(store));
    return fh_worst(FH_EXIT_IO, fh_store_exit(fh_store_state(store)));
}
