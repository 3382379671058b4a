/* framehound replay: evaluate an animation and print its poses, or print it in canonical form. */
#include "aim.h"
#include "asset_load.h"
#include "beside.h"
#include "cmd.h"

#include "core/number.h"
#include "hunt/exam.h"
#include "hunt/extract.h"
#include "hunt/hunt.h"
#include "hunt/whole.h"
#include "new_file.h"
#include "registry/registry.h"
#include "replay_gltf.h"
#include "reports/escape.h"
#include "reports/out.h"
#include "reports/pose_writer.h"
#include "reports/svg.h"
#include "sandbox.h"
#include "source/load.h"
#include "stored.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "Usage: framehound replay [OPTION...] FILE|DB:ID|SOURCE@ADDRESS\n"
    "\n"
    "Runs an animation through the reference evaluator and prints the poses of every frame; a\n"
    "model without one has a single frame.\n"
    "DB:ID is asset ID of the database DB, whose source must still be where it was.\n"
    "SOURCE@ADDRESS is the asset that begins at a place of an image, a memory dump or another\n"
    "source, as framehound inspect has it: disc.bin@lba:23. Findings go to standard error.\n"
    "\n"
    "  -F, --format FORMAT   text (default), csv, json; svg, a picture; or canonical: the file\n"
    "                        itself, written anew in the one form of its format (TRA4 and\n"
    "                        camerawork), if no finding of it is an error\n"
    "  -o, --output FILE     write there instead of to standard output, which - is, too; without\n"
    "                        --format, a name that ends in .csv or .json asks for that form, one\n"
    "                        that ends in .svg for a picture (the channels over time, the paths\n"
    "                        of cameras, some poses; jumps and findings marked), and one that\n"
    "                        ends in .glb or .gltf for a glTF 2.0 animation: nodes that move as\n"
    "                        the poses say, with meshes, textures, morphing, cameras and lights\n"
    "                        as far as the asset has them\n"
    "      --profile NAME    player behaviour: 1.31 (default) or 1.30 (TOD); 4.4 (HMD);\n"
    "                        4.0 (TRA4); hermite (camerawork)\n"
    "      --slots N         size of the player's object table, 1 to 1024 (TOD; default 50)\n"
    "      --after FILE      replay FILE first on the same objects, silently; may be repeated\n"
    "                        (TOD)\n"
    "      --time-step N     time between two steps of a simulation (camerawork; default 1)\n"
    "      --world           poses in world space besides; of TRA4 only with the model, not\n"
    "                        of camerawork\n"
    "      --bac FILE        BAC6 text of the model that the animation moves (TRA4); default is a\n"
    "                        file beside, of the same name but for .bac; 'none': no model\n"
    "      --tmd FILE        TMD models that the objects look like (TOD, in glTF)\n"
    "      --changes         only what differs from the frame before\n"
    "      --fail-on LEVEL   exit with 1 from this severity on: error (default), warning,\n"
    "                        note, never\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n";

enum { MOST_BEFORE = 16 };

/* An animation in memory, decoded. */
typedef struct animation {
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
} animation;

typedef struct replay_run {
    fh_pose_form form;
    bool has_form; /* it was asked for; else the name of the output may ask for another one */
    fh_svg *svg;   /* owned; NULL: no picture is asked for */
    bool is_svg;
    bool is_canonical; /* the text anew, and no poses */
    bool is_printed;   /* to the end, or as far as the limits let it */
    const char *output;
    fh_replay_options options;
    const char *before_paths[MOST_BEFORE];
    size_t before_len; /* bytes of the files that are replayed first, and of the companion */
    fh_beside beside;
    fh_replay_gltf gltf;
    fh_fail_on fail_on;
    fh_exit exit;
} replay_run;

/* Findings go to standard error, in the form of a compiler's messages. */
typedef struct finding_teller {
    replay_run *run;
    const char *path;
    bool is_silent;
    bool has_errors; /* some finding was an error, silent or not */
} finding_teller;

static void tell(void *user, const fh_finding *finding)
{
    finding_teller *teller = user;
    char message[FH_MESSAGE_LEN];
    const fh_finding_record record = fh_finding_to_record(finding, message);
    teller->has_errors = teller->has_errors || record.severity == FH_ERROR;
    if (teller->is_silent) {
        return;
    }
    if (teller->run->svg != NULL) {
        fh_svg_note(teller->run->svg, &record);
    }
    fh_replay_gltf_note(&teller->run->gltf, finding);
    if (fh_fails(&teller->run->fail_on, record.severity)) {
        teller->run->exit = fh_worst(teller->run->exit, FH_EXIT_FINDINGS);
    }
    (void)fprintf(stderr, "%s: %s %s", fh_safe_path(teller->path),
                  fh_severity_name(record.severity), record.rule->code);
    if (record.asset_offset != FH_UNKNOWN) {
        (void)fprintf(stderr, " at 0x%04llx", (unsigned long long)record.asset_offset);
    }
    (void)fprintf(stderr, ": %s\n", fh_safe_path(record.message));
}

static void unload(animation *loaded)
{
    fh_file_free(&loaded->file);
    free(loaded->block);
    free(loaded->source);
    loaded->block = NULL;
    loaded->source = NULL;
}

static fh_exit fail_by_limit(const char *path, const char *why)
{
    fh_complain("%s: %s", fh_safe_path(path), why);
    return FH_EXIT_LIMIT;
}

/* What the options ask for must go with a companion, or the lack of one. */
static fh_exit check_companion(const replay_run *run, const fh_format *format,
                               const fh_cursor *companion)
{
    const fh_companion_kind *kind = format->companion;
    if (kind == NULL && run->beside.asked != NULL) {
        return fh_usage_error("replay", "--bac does not go with %s, which belongs to no such model",
                              format->name);
    }
    if (kind != NULL && kind->makes_world && run->options.world && companion == NULL) {
        return fh_usage_error("replay",
                              "--world of %s needs the %s; give it with --%s FILE, or put it "
                              "beside the animation",
                              format->name, kind->title, kind->extension);
    }
    return FH_EXIT_OK;
}

/* Verifies it, with its companion; findings go to the teller. */
static fh_exit verify(animation *loaded, const char *path, const fh_verify_options *options,
                      finding_teller *teller)
{
    const fh_cursor bytes = fh_file_cursor(&loaded->file);
    const fh_sink sink = {.user = teller, .finding = tell};
    const size_t len = bytes.size + (options->companion == NULL ? 0 : options->companion->size);
    const size_t arena_len = fh_arena_len(len);
    fh_budget budget = fh_budget_for(len, 0);
    loaded->block = malloc(arena_len);
    if (loaded->block == NULL) {
        return fail_by_limit(path, "out of memory");
    }
    loaded->arena = fh_arena_make(loaded->block, arena_len);
    const fh_env env = {&loaded->arena, &budget, &sink};
    const fh_status status =
        loaded->format->verify(&loaded->asset, &loaded->model, &env, bytes, options);
    if (status == FH_LIMIT || status == FH_NO_MEMORY) {
        fh_complain("%s: stopped: %s", fh_safe_path(path), fh_status_name(status));
        return FH_EXIT_LIMIT;
    }
    return loaded->model != NULL ? FH_EXIT_OK : FH_EXIT_FINDINGS;
}

/* Decodes what is in the file; findings go to the teller. stand_alone: the file is the asset. */
static fh_exit decode(animation *loaded, const char *path, bool stand_alone, finding_teller *teller)
{
    const fh_cursor bytes = fh_file_cursor(&loaded->file);
    fh_verify_options options = {
        .stand_alone = stand_alone, .aligned = true, .is_joined = loaded->is_joined};
    if (loaded->format == NULL && !fh_format_of_content(&loaded->format, bytes)) {
        return fail_by_limit(path, "out of memory");
    }
    if (loaded->format == NULL) { /* so that a damaged file is explained */
        loaded->format = fh_format_by_path(path);
    }
    if (loaded->format == NULL && fh_is_database(bytes)) {
        return fh_usage_error("replay",
                              "%s is a database; name one of its assets, as in %s:1 (its view "
                              "v_assets lists them)",
                              fh_safe_path(path), fh_safe_path(path));
    }
    if (loaded->format == NULL) {
        fh_complain("%s begins with no animation of a known format; to look inside run "
                    "'framehound scan' and replay DB:ID, or name a place as SOURCE@ADDRESS",
                    fh_safe_path(path));
        return FH_EXIT_FINDINGS;
    }
    /* What is replayed first takes no companion; and what a text is does not hang on another. */
    if (!teller->is_silent && !teller->run->is_canonical) {
        fh_exit exit = fh_beside_look(&teller->run->beside, &options.companion, loaded->format,
                                      stand_alone ? path : NULL);
        if (exit == FH_EXIT_OK) {
            exit = check_companion(teller->run, loaded->format, options.companion);
        }
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    loaded->has_companion = options.companion != NULL;
    teller->run->before_len += options.companion == NULL ? 0 : options.companion->size;
    return verify(loaded, path, &options, teller);
}

/* Takes what was loaded over into the animation, and decodes it. */
static fh_exit take(animation *loaded, fh_asset_load *bytes, finding_teller *teller, fh_exit exit)
{
    loaded->file = bytes->file;
    loaded->format = bytes->format;
    loaded->is_joined = bytes->is_joined;
    loaded->raw_offset = bytes->raw_offset;
    loaded->lba = bytes->lba;
    if (exit == FH_EXIT_OK) {
        exit = decode(loaded, bytes->path, bytes->is_whole, teller);
    }
    loaded->source = bytes->path;
    return exit;
}

static fh_exit load_file(animation *loaded, const char *path, finding_teller *teller)
{
    fh_asset_load bytes;
    const fh_exit exit = fh_asset_load_file(&bytes, "replay", path);
    return take(loaded, &bytes, teller, exit);
}

static fh_exit load(animation *loaded, const char *argument, finding_teller *teller)
{
    fh_asset_load bytes;
    const fh_exit exit = fh_asset_is_at(argument)
                             ? fh_asset_load_at(&bytes, "replay", argument, NULL, FH_LAYOUT_AUTO)
                             : fh_asset_load_named(&bytes, "replay", argument);
    return take(loaded, &bytes, teller, exit);
}

/* Two receivers behind one sink: poses go to the writer, findings to the teller. */
typedef struct two_receivers {
    finding_teller teller;
    fh_sink poses;
} two_receivers;

static void pass_finding(void *user, const fh_finding *finding)
{
    tell(&((two_receivers *)user)->teller, finding);
}

static void pass_frame(void *user, const fh_pose_frame *frame)
{
    const fh_sink *poses = &((two_receivers *)user)->poses;
    poses->frame(poses->user, frame);
}

static void pass_row(void *user, const fh_pose_row *row)
{
    const fh_sink *poses = &((two_receivers *)user)->poses;
    poses->pose(poses->user, row);
}

/* The name of the evaluator for a profile; NULL is the default, the first. */
static const char *evaluator_of(const fh_format *format, const char *profile)
{
    size_t i = 0;
    while (profile != NULL && format->profiles[i] != NULL &&
           strcmp(format->profiles[i], profile) != 0) {
        i++;
    }
    return format->profiles[i] == NULL ? NULL : format->evaluators[i];
}

/* An option that says nothing to the format at hand is told, not ignored. */
static fh_exit check_fit(const replay_run *run, const fh_format *format)
{
    static const char no_table[] = "has no table of objects that one file hands to the next";
    const struct {
        const char *option;
        bool is_given;
        bool fits;
        const char *reason;
    } options[] = {
        {"--after", run->options.num_before > 0, format->can_continue, no_table},
        {"--slots", run->options.num_slots > 0, format->can_continue, no_table},
        {"--time-step", run->options.time_step > 0, format->has_time_step,
         "stores no velocities of a simulation"},
        {"--world", run->options.world, format->has_world, "has no hierarchy"},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].is_given && !options[i].fits) {
            return fh_usage_error("replay", "%s does not go with %s, which %s", options[i].option,
                                  format->name, options[i].reason);
        }
    }
    return FH_EXIT_OK;
}

/* What the options ask for must be of the format at hand. */
static fh_exit check_options(const replay_run *run, const fh_format *format)
{
    const char *profile = run->options.profile;
    assert(format != NULL); /* decode has seen to that */
    if (profile != NULL && evaluator_of(format, profile) == NULL) {
        return fh_usage_error("replay", "no player of %s is called '%s'; its own is %s",
                              format->name, fh_safe_path(profile), format->profiles[0]);
    }
    const fh_exit exit = fh_replay_gltf_check(&run->gltf, format, &run->options);
    return exit != FH_EXIT_OK ? exit : check_fit(run, format);
}

static fh_exit fail_to_write(const replay_run *run, int error)
{
    if (run->output == NULL) {
        return fh_flush_stdout(error);
    }
    fh_complain("cannot write %s: %s; make room or write elsewhere", fh_safe_path(run->output),
                strerror(error));
    return fh_io_exit();
}

/* Runs the replay; findings are told, poses go to their sink. */
static fh_status run_replay(replay_run *run, animation *loaded, const char *path,
                            const fh_replay_options *options, fh_sink poses,
                            fh_replay_result *result)
{
    assert(loaded->format != NULL && loaded->model != NULL); /* decode has seen to that */
    two_receivers receivers = {{run, path, false, false}, poses};
    const fh_sink sink = {&receivers, pass_finding, pass_frame, pass_row};
    fh_budget budget = fh_budget_for(loaded->file.len + run->before_len, run->options.num_slots);
    const fh_env env = {&loaded->arena, &budget, &sink};
    return loaded->format->replay(result, &env, loaded->model, options);
}

/* What became of the replay, and of writing it. */
static fh_exit conclude(replay_run *run, const char *path, fh_status status,
                        const fh_replay_result *result, int error)
{
    run->is_printed = error == 0 && (status == FH_OK || status == FH_LIMIT);
    if (status != FH_OK || result->state == FH_REPLAY_STOPPED) {
        fh_complain("%s: replay stopped: %s", fh_safe_path(path),
                    status != FH_OK ? fh_status_name(status) : "limit");
        return FH_EXIT_LIMIT;
    }
    if (result->state == FH_REPLAY_BROKEN) {
        fh_complain("%s: the player cannot go on; the finding above says why", fh_safe_path(path));
        run->exit = fh_worst(run->exit, FH_EXIT_FINDINGS);
    }
    if (result->state == FH_REPLAY_ASSUMED) {
        fh_complain("%s continues another file: its objects are assumed to begin with the "
                    "identity and scale 1.0; give that file with --after",
                    fh_safe_path(path));
    }
    return error != 0 ? fail_to_write(run, error) : run->exit;
}

static fh_exit print_poses(replay_run *run, animation *loaded, const char *path, FILE *out)
{
    fh_pose_writer writer;
    fh_replay_result result;
    const fh_pose_header header = {path, loaded->format->name,
                                   evaluator_of(loaded->format, run->options.profile)};
    fh_pose_writer_begin(&writer, out, run->form, &header);
    const fh_status status =
        run_replay(run, loaded, path, &run->options, fh_pose_writer_sink(&writer), &result);
    return conclude(run, path, status, &result, fh_pose_writer_end(&writer));
}

/* A picture shows where things are in the world, if that is known. */
static fh_exit print_svg(replay_run *run, animation *loaded, const char *path, FILE *out)
{
    fh_replay_result result;
    fh_replay_options options = run->options;
    const fh_companion_kind *kind = loaded->format->companion;
    options.world =
        loaded->format->has_world && (kind == NULL || !kind->makes_world || loaded->has_companion);
    fh_svg_head(run->svg, path, loaded->format->name,
                evaluator_of(loaded->format, options.profile));
    const fh_status status =
        run_replay(run, loaded, path, &options, fh_svg_sink(run->svg), &result);
    return conclude(run, path, status, &result, fh_svg_write(run->svg, out));
}

static fh_exit print_gltf(replay_run *run, animation *loaded, const char *path, FILE *out)
{
    fh_sink poses;
    fh_replay_result result;
    fh_replay_options options = run->options;
    int error = 0;
    const fh_gltf_header header = {loaded->source != NULL ? loaded->source : path,
                                   loaded->format->name,
                                   evaluator_of(loaded->format, options.profile),
                                   loaded->raw_offset,
                                   loaded->lba,
                                   (int64_t)loaded->asset.length};
    fh_exit exit =
        fh_replay_gltf_begin(&run->gltf, loaded->format->scene, &header, &poses, &options);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    const fh_status status = run_replay(run, loaded, path, &options, poses, &result);
    exit = fh_replay_gltf_end(&run->gltf, &error, loaded->model, loaded->file.len + run->before_len,
                              &options, out);
    return fh_worst(exit, conclude(run, path, status, &result, error));
}

/* ---- the canonical form ---- */

/* The format must have such a form. */
static fh_exit check_canonical(const fh_format *format)
{
    if (format == NULL || format->canonical != NULL) {
        return FH_EXIT_OK; /* or told */
    }
    return fh_usage_error("replay",
                          "%s is no text and has no canonical form; --format is text, csv, json "
                          "or svg for it",
                          format->name);
}

static fh_exit refuse(const char *path, const char *why)
{
    fh_complain("%s has no canonical form: %s", fh_safe_path(path), why);
    return FH_EXIT_FINDINGS;
}

/* Whether there is something to write; says why not. */
static fh_exit judge_sound(const animation *loaded, const finding_teller *teller)
{
    if (teller->has_errors) {
        return refuse(teller->path, "mend the errors above first");
    }
    if (loaded->model == NULL) {
        return refuse(teller->path, "it cannot be decoded; what is told above says why");
    }
    return loaded->asset.grade < FH_GRADE_REFERENCES
               ? refuse(teller->path, "it is a fragment, or its last line may be cut")
               : FH_EXIT_OK;
}

static void write_piece(void *user, const char *text, size_t len)
{
    fh_out_bytes(user, text, len);
}

static fh_exit print_canonical(replay_run *run, animation *loaded, const char *path, FILE *file)
{
    fh_out out = fh_out_make(file);
    const fh_text_sink sink = {&out, write_piece};
    fh_budget budget = fh_budget_for(loaded->file.len, 0);
    const fh_env env = {&loaded->arena, &budget, NULL};
    assert(loaded->format != NULL); /* check_loaded has seen to it */
    const fh_status status = loaded->format->canonical(&env, &sink, loaded->model);
    const int error = fh_out_end(&out);
    if (status == FH_UNSUPPORTED) {
        return refuse(path, "a name in UTF-16 is no sound text, or takes more than the 255 bytes "
                            "that a name may have in UTF-8");
    }
    if (status != FH_OK) {
        fh_complain("%s: stopped: %s", fh_safe_path(path), fh_status_name(status));
        return FH_EXIT_LIMIT;
    }
    run->is_printed = error == 0;
    return error != 0 ? fail_to_write(run, error) : run->exit;
}

/* What is asked for: poses, or the text. */
static fh_exit print_loaded(replay_run *run, animation *loaded, const char *path, FILE *out)
{
    if (run->is_svg) {
        return print_svg(run, loaded, path, out);
    }
    if (run->gltf.is_wanted) {
        return print_gltf(run, loaded, path, out);
    }
    return run->is_canonical ? print_canonical(run, loaded, path, out)
                             : print_poses(run, loaded, path, out);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Whether the output is the file that a source is in; a member's name begins with it. */
static bool is_source(const char *output, const char *source)
{
    char *file = source == NULL ? NULL : strndup(source, fh_extract_file_len(source));
    const bool is_it = file != NULL && is_same_file(output, file);
    free(file);
    return is_it;
}

/* The same of SOURCE@ADDRESS. */
static bool is_aimed_at(const char *output, const char *argument)
{
    fh_aim aim = {.layout = FH_LAYOUT_AUTO};
    const bool is_it = fh_asset_is_at(argument) &&
                       fh_aim_split(&aim, "replay", argument) == FH_EXIT_OK &&
                       is_source(output, aim.path);
    fh_aim_free(&aim);
    return is_it;
}

/* The output must not be written over what is read: the file, the source of SOURCE@ADDRESS, the
 * database of DB:ID and the source that it names, or a file that is replayed first. */
static bool is_input(const replay_run *run, const char *argument, const animation *loaded)
{
    char database[PATH_MAX];
    bool is_read = is_same_file(run->output, argument) || fh_beside_is(&run->beside, run->output);
    is_read = is_read || (run->gltf.models != NULL && is_same_file(run->output, run->gltf.models));
    is_read = is_read || is_aimed_at(run->output, argument);
    if (fh_asset_split(argument, database, sizeof database) != NULL) {
        is_read = is_read || is_same_file(run->output, database) ||
                  is_source(run->output, loaded->source);
    }
    for (size_t i = 0; i < run->options.num_before; i++) {
        is_read = is_read || is_same_file(run->output, run->before_paths[i]);
    }
    return is_read;
}

static fh_exit print_to_output(replay_run *run, animation *loaded, const char *path)
{
    if (run->output == NULL) {
        return fh_worst(print_loaded(run, loaded, path, stdout), fh_flush_stdout(0));
    }
    if (is_input(run, path, loaded)) {
        return fh_usage_error("replay", "--output %s would write over what is read; name another",
                              fh_safe_path(run->output));
    }
    fh_new_file file;
    int error = fh_new_file_begin_any(&file, run->output, 0666);
    if (error != 0) {
        return fail_to_write(run, error);
    }
    const fh_exit exit = print_loaded(run, loaded, path, file.file);
    if (!run->is_printed) {
        fh_new_file_drop(&file);
        return exit;
    }
    error = fh_new_file_commit(&file);
    return error == 0 ? exit : fh_worst(exit, fail_to_write(run, error));
}

/* Loads what is replayed first; the models go into the array. */
static fh_exit load_before(replay_run *run, animation before[MOST_BEFORE],
                           const void *models[MOST_BEFORE])
{
    for (size_t i = 0; i < run->options.num_before; i++) {
        finding_teller silent = {run, run->before_paths[i], true, false};
        const fh_exit exit = load_file(&before[i], run->before_paths[i], &silent);
        if (exit == FH_EXIT_FINDINGS) {
            fh_complain("%s cannot be replayed first: its structure does not hold (framehound "
                        "check says why)",
                        fh_safe_path(run->before_paths[i]));
        }
        if (exit != FH_EXIT_OK) {
            return exit;
        }
        models[i] = before[i].model;
        run->before_len += before[i].file.len;
    }
    return FH_EXIT_OK;
}

/* Everything that is replayed is of one format. */
static fh_exit check_before(const replay_run *run, const animation before[MOST_BEFORE],
                            const fh_format *format)
{
    for (size_t i = 0; i < run->options.num_before; i++) {
        assert(before[i].format != NULL); /* load_before has loaded it */
        if (before[i].format != format) {
            return fh_usage_error("replay", "--after %s: it is %s, and what is replayed is %s",
                                  fh_safe_path(run->before_paths[i]), before[i].format->name,
                                  format->name);
        }
    }
    return FH_EXIT_OK;
}

/* What must hold of the file when it is loaded, as `exit` says, for what is asked for. */
static fh_exit check_loaded(const replay_run *run, const animation *loaded,
                            const animation before[MOST_BEFORE], const finding_teller *teller,
                            fh_exit exit)
{
    assert(exit != FH_EXIT_OK || loaded->format != NULL); /* what is loaded is of a format */
    if (run->is_canonical && (exit == FH_EXIT_OK || exit == FH_EXIT_FINDINGS)) {
        const fh_exit wrong = check_canonical(loaded->format);
        if (wrong != FH_EXIT_OK || loaded->format == NULL) {
            return fh_worst(exit, wrong);
        }
        return judge_sound(loaded, teller);
    }
    if (exit == FH_EXIT_OK) {
        exit = check_options(run, loaded->format);
    }
    return exit == FH_EXIT_OK ? check_before(run, before, loaded->format) : exit;
}

static fh_exit run_with_before(replay_run *run, animation before[MOST_BEFORE], const char *argument)
{
    const void *models[MOST_BEFORE];
    animation main_file = {0};
    finding_teller teller = {run, argument, false, false};
    fh_exit exit = load_before(run, before, models);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    exit = load(&main_file, argument, &teller);
    exit = check_loaded(run, &main_file, before, &teller, exit);
    if (exit == FH_EXIT_OK) {
        run->options.before = models;
        exit = print_to_output(run, &main_file, argument);
        run->options.before = NULL; /* the models go now */
    }
    unload(&main_file);
    return exit;
}

enum {
    OPTION_PROFILE = 256,
    OPTION_SLOTS,
    OPTION_AFTER,
    OPTION_TIME_STEP,
    OPTION_WORLD,
    OPTION_CHANGES,
    OPTION_BAC,
    OPTION_TMD,
    OPTION_FAIL_ON
};

static bool parse_form(replay_run *run, const char *name)
{
    static const char *const names[] = {"text", "csv", "json"};
    run->has_form = true;
    run->is_svg = strcmp(name, "svg") == 0;
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            run->form = (fh_pose_form)i;
            run->is_canonical = false;
            return true;
        }
    }
    run->is_canonical = strcmp(name, "canonical") == 0;
    return run->is_canonical || run->is_svg;
}

static bool take_slots(replay_run *run)
{
    return fh_parse_u32(&run->options.num_slots, optarg) && run->options.num_slots > 0 &&
           run->options.num_slots <= FH_PLAYER_MAX_SLOTS;
}

static bool take_time_step(replay_run *run)
{
    const fh_real number = fh_number_real(optarg, strlen(optarg));
    run->options.time_step = number.value;
    return number.fault == FH_NUMBER_GOOD && number.value > 0 && !number.is_huge;
}

static bool take_before(replay_run *run)
{
    if (run->options.num_before == MOST_BEFORE) {
        return false;
    }
    run->before_paths[run->options.num_before++] = optarg;
    return true;
}

/* Takes an option; NULL, or what its value should have been. */
static const char *take_option(replay_run *run, int c)
{
    switch (c) {
    case 'F':
        return parse_form(run, optarg) ? NULL
                                       : "--format is text, csv, json, svg or canonical (glTF is "
                                         "asked for by -o NAME.glb)";
    case 'o':
        run->output = strcmp(optarg, "-") == 0 ? NULL : optarg;
        return NULL;
    case OPTION_PROFILE:
        run->options.profile = optarg;
        return fh_is_profile(optarg) ? NULL
                                     : "--profile is 1.31 or 1.30 (TOD), 4.4 (HMD), 4.0 (TRA4) or "
                                       "hermite (camerawork)";
    case OPTION_SLOTS:
        return take_slots(run) ? NULL : "--slots is a number from 1 to 1024";
    case OPTION_AFTER:
        return take_before(run) ? NULL : "--after can be given 16 times";
    case OPTION_TIME_STEP:
        return take_time_step(run) ? NULL : "--time-step is a number above 0";
    case OPTION_FAIL_ON:
        return fh_parse_fail_on(&run->fail_on, optarg)
                   ? NULL
                   : "--fail-on is error, warning, note or never";
    case OPTION_BAC:
        run->beside.asked = optarg;
        return NULL;
    case OPTION_TMD:
        run->gltf.models = optarg;
        return NULL;
    case OPTION_WORLD:
        run->options.world = true;
        return NULL;
    default:
        run->options.changes_only = true;
        return NULL;
    }
}

/* Without --format the name of the output says what is meant. */
static fh_exit choose_form(replay_run *run)
{
    const char *dot = run->has_form || run->output == NULL ? NULL : strrchr(run->output, '.');
    if (dot != NULL && strcasecmp(dot, ".csv") == 0) {
        run->form = FH_POSE_CSV;
    } else if (dot != NULL && strcasecmp(dot, ".json") == 0) {
        run->form = FH_POSE_JSON;
    }
    run->is_svg =
        run->is_svg || (dot != NULL && dot != run->output && strcasecmp(dot, ".svg") == 0);
    if (run->is_svg && run->options.changes_only) {
        return fh_usage_error("replay", "--changes does not go with a picture, which shows every "
                                        "frame");
    }
    run->svg = run->is_svg ? fh_svg_make() : NULL;
    if (run->is_svg && run->svg == NULL) {
        return fail_by_limit("the picture", "out of memory");
    }
    return FH_EXIT_OK;
}

/* Options about what is evaluated do not go with a form that evaluates nothing. */
static fh_exit check_form(replay_run *run)
{
    if (!run->has_form) {
        fh_replay_gltf_choose(&run->gltf, run->output);
    }
    const fh_exit exit = fh_replay_gltf_check(&run->gltf, NULL, &run->options);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    const fh_replay_options *options = &run->options;
    const struct {
        bool is_given;
        const char *name;
    } about[] = {{options->profile != NULL, "--profile"},
                 {options->num_slots > 0, "--slots"},
                 {options->num_before > 0, "--after"},
                 {options->time_step > 0, "--time-step"},
                 {options->world, "--world"},
                 {run->beside.asked != NULL, "--bac"},
                 {options->changes_only, "--changes"}};
    for (size_t i = 0; i < sizeof about / sizeof about[0]; i++) {
        if (run->is_canonical && about[i].is_given) {
            return fh_usage_error("replay",
                                  "%s does not go with --format canonical, which evaluates nothing",
                                  about[i].name);
        }
    }
    return FH_EXIT_OK;
}

static fh_exit parse_options(replay_run *run, int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'F'},
        {"output", required_argument, NULL, 'o'},
        {"profile", required_argument, NULL, OPTION_PROFILE},
        {"slots", required_argument, NULL, OPTION_SLOTS},
        {"after", required_argument, NULL, OPTION_AFTER},
        {"time-step", required_argument, NULL, OPTION_TIME_STEP},
        {"world", no_argument, NULL, OPTION_WORLD},
        {"changes", no_argument, NULL, OPTION_CHANGES},
        {"bac", required_argument, NULL, OPTION_BAC},
        {"tmd", required_argument, NULL, OPTION_TMD},
        {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
        FH_COMMON_OPTIONS,
        {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:o:", options, NULL)) != -1;) {
        if (c == '?' || c == ':' || c == FH_OPTION_SANDBOX) {
            const fh_exit exit = fh_common_option("replay", c, argv);
            if (exit != FH_EXIT_OK) {
                return exit;
            }
            continue;
        }
        const char *demand = take_option(run, c);
        if (demand != NULL) {
            return fh_usage_error("replay", "%s, not '%s'", demand, fh_safe_path(optarg));
        }
    }
    if (optind + 1 != argc) {
        return fh_usage_error("replay", "exactly one FILE, DB:ID or SOURCE@ADDRESS is needed");
    }
    if (fh_beside_is(&run->beside, argv[optind])) {
        return fh_usage_error("replay", "%s cannot be the model and what it moves",
                              fh_safe_path(argv[optind]));
    }
    const fh_exit exit = choose_form(run);
    return exit == FH_EXIT_OK ? check_form(run) : exit;
}

/* A database says which files its assets are in. */
static fh_exit enter_sandbox(const replay_run *run, const char *argument)
{
    char db[PATH_MAX];
    fh_sandbox box = fh_sandbox_begin();
    fh_sandbox_reads_all(&box);
    fh_sandbox_writes_beside(&box, run->output);
    if (!fh_asset_is_at(argument) && fh_asset_split(argument, db, sizeof db) != NULL) {
        fh_sandbox_writes_beside(&box, db);
    }
    return fh_sandbox_enter(&box, "replay");
}

fh_exit fh_cmd_replay(int argc, char **argv)
{
    replay_run run = {.fail_on = {.severity = FH_ERROR}};
    animation before[MOST_BEFORE] = {0};
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    fh_exit exit = parse_options(&run, argc, argv);
    if (exit == FH_EXIT_OK) {
        exit = enter_sandbox(&run, argv[optind]);
    }
    if (exit == FH_EXIT_OK) {
        exit = fh_beside_open(&run.beside, "replay");
    }
    if (exit == FH_EXIT_OK) {
        exit = run_with_before(&run, before, argv[optind]);
    }
    for (size_t i = 0; i < MOST_BEFORE; i++) {
        unload(&before[i]);
    }
    fh_svg_free(run.svg);
    fh_replay_gltf_close(&run.gltf);
    fh_beside_close(&run.beside);
    return exit;
}
