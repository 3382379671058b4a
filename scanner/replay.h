/* framehound replay: its parts, and the options that set them.
 *
 * Options make a run (replay_options.c). What is replayed is loaded and decoded (replay_load.c),
 * held against what was asked for (replay_check.c) and printed (replay_print.c; replay_gltf.h for
 * glTF). The command (cmd_replay.c) owns the run and what is loaded; the values of the options are
 * borrowed from the arguments.
 */
#ifndef FH_SCANNER_REPLAY_H
#define FH_SCANNER_REPLAY_H

#include "beside.h"
#include "cmd.h"
#include "replay_gltf.h"
#include "reports/pose_writer.h"
#include "reports/svg.h"
#include "source/load.h"

/* Files that can be replayed first. */
enum { FH_REPLAY_MOST_BEFORE = 16 };

/* An animation in memory, decoded. */
typedef struct fh_replayed {
    fh_file file;
    const fh_format *format;
    fh_asset asset;
    const void *model;
    uint8_t *block; /* of its arena */
    fh_arena arena;
    bool is_joined;          /* from parts of its source */
    char *source;            /* owned; where the bytes are from; NULL before it is loaded */
    bool has_companion;      /* it was verified with its model */
    int64_t raw_offset, lba; /* in its source; FH_UNKNOWN */
} fh_replayed;

typedef struct fh_replay_run {
    fh_pose_form form;
    bool has_form; /* it was asked for; else the name of the output may ask for another one */
    fh_svg *svg;   /* owned; NULL: no picture is asked for */
    bool is_svg;
    bool is_canonical; /* the text anew, and no poses */
    bool is_printed;   /* to the end, or as far as the limits let it */
    const char *output;
    fh_replay_options options;
    const char *before_paths[FH_REPLAY_MOST_BEFORE];
    size_t before_len; /* bytes of the files that are replayed first, and of the companion */
    fh_beside beside;
    fh_replay_gltf gltf;
    fh_fail_on fail_on;
    fh_exit exit;
} fh_replay_run;

/* Findings go to standard error, in the form of a compiler's messages. */
typedef struct fh_replay_teller {
    fh_replay_run *run;
    const char *path;
    bool is_silent;
    bool has_errors; /* some finding was an error, silent or not */
} fh_replay_teller;

/* ---- options (replay_options.c) ---- */

/* fh_replay_help prints what the command is for. */
fh_exit fh_replay_help(void);

/* fh_replay_parse takes all options, and begins a picture if one is asked for; what is replayed is
 * then argv[optind]. */
fh_exit fh_replay_parse(fh_replay_run *run, int argc, char **argv);

/* ---- loading (replay_load.c) ---- */

/* fh_replay_tell tells a finding; user is an fh_replay_teller. */
void fh_replay_tell(void *user, const fh_finding *finding);

/* fh_replay_load loads what FILE, DB:ID or SOURCE@ADDRESS names and decodes it; findings go to the
 * teller. FH_EXIT_FINDINGS: there is no model, or no format even. Unload it, whatever the exit
 * code. */
fh_exit fh_replay_load(fh_replayed *loaded, const char *argument, fh_replay_teller *teller);

/* fh_replay_load_before loads what is replayed first; the models go into the array, and stay those
 * of `before`, of which each is to be unloaded, whatever the exit code. */
fh_exit fh_replay_load_before(fh_replay_run *run, fh_replayed before[FH_REPLAY_MOST_BEFORE],
                              const void *models[FH_REPLAY_MOST_BEFORE]);

/* fh_replay_unload frees what was loaded; one that is all zero is allowed. */
void fh_replay_unload(fh_replayed *loaded);

/* ---- checks (replay_check.c) ---- */

/* fh_replay_check judges what must hold of the file when it is loaded, as `exit` says, for what is
 * asked for, and complains; FH_EXIT_OK: it can be printed. */
fh_exit fh_replay_check(const fh_replay_run *run, const fh_replayed *loaded,
                        const fh_replayed before[FH_REPLAY_MOST_BEFORE],
                        const fh_replay_teller *teller, fh_exit exit);

/* fh_replay_evaluator returns the name of the evaluator for a profile, NULL if there is none; the
 * profile NULL is the default, the first. */
const char *fh_replay_evaluator(const fh_format *format, const char *profile);

/* fh_replay_refuse says why a file has no canonical form; returns FH_EXIT_FINDINGS. */
fh_exit fh_replay_refuse(const char *path, const char *why);

/* ---- printing (replay_print.c) ---- */

/* fh_replay_print replays what was loaded and checked, and prints what is asked for to where it is
 * to go. A file that is there stays as it was if nothing whole came of it. */
fh_exit fh_replay_print(fh_replay_run *run, fh_replayed *loaded, const char *path);

#endif
