/* A format (PROOF_FORMAT) under bytes of which nothing is known: glance and probe, and with
 * PROOF_VERIFY also verify, as the scanner and check call them.
 */
#include "harness.h"

#include "hmd/hmd.h"
#include "tod/tod.h"

int main(void)
{
    const fh_cursor bytes = proof_cursor();
    fh_arena arena = proof_arena();
    fh_budget budget = proof_budget();
#ifdef PROOF_VERIFY
    const fh_sink sink = proof_sink();
    const fh_env env = {&arena, &budget, &sink, NULL};
    const fh_verify_options options = proof_verify_options();
    fh_asset asset;
    const void *model = NULL;
    const fh_status status = PROOF_FORMAT.verify(&asset, &model, &env, bytes, &options);
    (void)status;
#else
    fh_probe probe;
    const bool may_begin = PROOF_FORMAT.glance(&bytes);
    (void)may_begin;
    PROOF_FORMAT.probe(&probe, bytes, (fh_end)Frama_C_interval(0, 2), NULL, &arena, &budget);
#endif
    return 0;
}
