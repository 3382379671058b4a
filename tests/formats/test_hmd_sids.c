/* Rounds of an animation's descriptors that come by one of them more than once. */
#include "hmd_edges.h"

#include <stdlib.h>
#include <string.h>

/* The first descriptor is passed with sid 1, which takes its jump, and with sid 2, which does not.
 * Of the lowest descriptor of a round the sid is told with which it is passed first. */
Test(hmd_sids, a_descriptor_with_two_sids)
{
    static const char text[] =
        "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
        "motion: header * !table !control !params !coords\n"
        "dance: primitive header=@motion\nrecord 0x03800000\nsequence coord=0 start=0 startsid=1\n"
        "table: table 0x03000001\ncontrol:\n"
        "jump to=2 cnd=1 dst=2\njump to=0 cnd=2 dst=1\njump to=0\n"
        "params: value 0x03000001 t 0 0 1000\n";
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    forge_buf file = build(text);
    run got;
    do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
    cr_assert(eq(sz, record_count(&got.told, "HMD0245"), 1), "%s", record_codes(&got.told));
    const fh_finding *round = record_find(&got.told, "HMD0245");
    cr_expect(strcmp(round->expected, "a key or an END in it, with sid 1") == 0, "%s",
              round->expected);
    cr_expect(strcmp(round->found, "4 descriptors") == 0, "%s", round->found);
    record_free(&got.told);
    forge_buf_free(&file);
    free(block);
}
