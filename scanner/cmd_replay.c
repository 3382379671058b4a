/* framehound replay: evaluate an animation and print its poses, or print it in canonical form. */
#include "replay.h"

#include "asset_load.h"
#include "sandbox.h"

#include <getopt.h>

static fh_exit run_with_before(fh_replay_run *run, fh_replayed before[FH_REPLAY_MOST_BEFORE],
                               const char *argument)
{
    const void *models[FH_REPLAY_MOST_BEFORE];
    fh_replayed main_file = {0};
    fh_replay_teller teller = {run, argument, false, false};
    fh_exit exit = fh_replay_load_before(run, before, models);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    exit = fh_replay_load(&main_file, argument, &teller);
    exit = fh_replay_check(run, &main_file, before, &teller, exit);
    if (exit == FH_EXIT_OK) {
        run->options.before = models;
        exit = fh_replay_print(run, &main_file, argument);
        run->options.before = NULL; /* the models go now */
    }
    fh_replay_unload(&main_file);
    return exit;
}

static fh_exit enter_sandbox(const fh_replay_run *run, const char *argument)
{
    fh_sandbox box = fh_sandbox_begin();
    const fh_exit exit = fh_asset_allow(&box, "replay", argument);
    if (exit != FH_EXIT_OK) {
        fh_sandbox_drop(&box);
        return exit;
    }
    for (size_t i = 0; i < run->options.num_before; i++) {
        fh_sandbox_reads(&box, run->before_paths[i]);
    }
    fh_sandbox_reads(&box, run->beside.asked);
    fh_sandbox_reads(&box, run->gltf.models);
    fh_sandbox_writes_beside(&box, run->output);
    return fh_sandbox_enter(&box, "replay");
}

fh_exit fh_cmd_replay(int argc, char **argv)
{
    fh_replay_run run = {.fail_on = {.severity = FH_ERROR}};
    fh_replayed before[FH_REPLAY_MOST_BEFORE] = {0};
    if (fh_wants_help(argc, argv)) {
        return fh_replay_help();
    }
    fh_exit exit = fh_replay_parse(&run, argc, argv);
    if (exit == FH_EXIT_OK) {
        exit = enter_sandbox(&run, argv[optind]);
    }
    if (exit == FH_EXIT_OK) {
        exit = fh_beside_open(&run.beside, "replay");
    }
    if (exit == FH_EXIT_OK) {
        exit = run_with_before(&run, before, argv[optind]);
    }
    for (size_t i = 0; i < FH_REPLAY_MOST_BEFORE; i++) {
        fh_replay_unload(&before[i]);
    }
    fh_svg_free(run.svg);
    fh_replay_gltf_close(&run.gltf);
    fh_beside_close(&run.beside);
    return exit;
}
