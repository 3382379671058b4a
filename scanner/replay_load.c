/* What framehound replay replays: loaded and decoded, and what is said of it. */
#include "replay.h"

#include "asset_load.h"
#include "hunt/exam.h"
#include "hunt/hunt.h"
#include "hunt/whole.h"
#include "registry/registry.h"

#include <stdio.h>
#include <stdlib.h>

void fh_replay_tell(void *user, const fh_finding *finding)
{
    fh_replay_teller *teller = user;
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

void fh_replay_unload(fh_replayed *loaded)
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
static fh_exit check_companion(const fh_replay_run *run, const fh_format *format,
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
static fh_exit verify(fh_replayed *loaded, const char *path, const fh_verify_options *options,
                      fh_replay_teller *teller)
{
    const fh_cursor bytes = fh_file_cursor(&loaded->file);
    const fh_sink sink = {.user = teller, .finding = fh_replay_tell};
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
static fh_exit decode(fh_replayed *loaded, const char *path, bool stand_alone,
                      fh_replay_teller *teller)
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
static fh_exit take(fh_replayed *loaded, fh_asset_load *bytes, fh_replay_teller *teller,
                    fh_exit exit)
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

static fh_exit load_file(fh_replayed *loaded, const char *path, fh_replay_teller *teller)
{
    fh_asset_load bytes;
    const fh_exit exit = fh_asset_load_file(&bytes, "replay", path);
    return take(loaded, &bytes, teller, exit);
}

fh_exit fh_replay_load(fh_replayed *loaded, const char *argument, fh_replay_teller *teller)
{
    fh_asset_load bytes;
    const fh_exit exit = fh_asset_is_at(argument)
                             ? fh_asset_load_at(&bytes, "replay", argument, NULL, FH_LAYOUT_AUTO)
                             : fh_asset_load_named(&bytes, "replay", argument);
    return take(loaded, &bytes, teller, exit);
}

fh_exit fh_replay_load_before(fh_replay_run *run, fh_replayed before[FH_REPLAY_MOST_BEFORE],
                              const void *models[FH_REPLAY_MOST_BEFORE])
{
    for (size_t i = 0; i < run->options.num_before; i++) {
        fh_replay_teller silent = {run, run->before_paths[i], true, false};
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
