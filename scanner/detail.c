#include "detail.h"

#include "core/limits.h"
#include "hunt/exam.h"
#include "hunt/extract.h"
#include "registry/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Assets of one file that are read in one pass, and the sources in it, in their order. Room grows
 * with the batch. */
typedef struct batch {
    char *file;                 /* owned; NULL: the batch is empty */
    fh_stored_asset *stored;    /* owned */
    fh_extract_asset *assets;   /* owned; one for each */
    fh_piece_record *wholes;    /* owned; one for each, the piece of what lies in one place */
    fh_extract_source *sources; /* owned; at most as many */
    size_t num;
    size_t num_sources;
} batch;

/* As much as a pass may hold while its assets are waited for. */
#define MOST_IN_BATCH ((size_t)4096)

typedef struct teller {
    fh_outputs *outputs;
    fh_store *store;
    batch batch;
    uint64_t num_lost; /* assets of which nothing is known, or not all */
    bool is_short;     /* of memory for the one at hand */
    fh_exam verifier;
    fh_exam player;
} teller;

/* ---- one asset ------------------------------------------------------------------------------- */

static void tell_why_not(teller *by, int64_t id, const char *why)
{
    by->num_lost++;
    const fh_detail detail = {.asset_id = id, .why_not = why};
    fh_outputs_detail(by->outputs, &detail);
}

static const char *state_name(fh_status status, const fh_replay_result *result)
{
    return status == FH_OK ? fh_replay_state_name(result->state) : NULL;
}

static const char *why_not_played(fh_status status, const fh_replay_result *result)
{
    if (status != FH_OK) {
        return status == FH_UNSUPPORTED ? "its structure does not hold, so that no player could "
                                          "follow it; its findings say why"
                                        : "a limit ended the replay";
    }
    return result->state == FH_REPLAY_STOPPED  ? "a limit ended the replay"
           : result->state == FH_REPLAY_BROKEN ? "the player cannot go on; its findings say why"
                                               : NULL;
}

/* The poses are those of framehound replay, in world space too where the asset alone says it. */
static void play(void *user, fh_detail_played *played, const fh_sink *poses)
{
    teller *by = user;
    const fh_format *format = by->verifier.format;
    const fh_companion_kind *companion = format->companion;
    fh_status status = FH_OK;
    const fh_replay_options options = {.world = format->has_world &&
                                                (companion == NULL || !companion->makes_world)};
    if (!fh_exam_play(&by->player, &status, &by->verifier, &options, poses)) {
        by->is_short = true;
        played->why = "there was too little memory to replay it";
        return;
    }
    played->has_world = options.world;
    played->status = state_name(status, &by->player.result);
    played->why = why_not_played(status, &by->player.result);
    if (status == FH_OK) {
        played->evaluator = by->player.result.evaluator;
    }
}

/* work_on gives what reads the bytes once more its memory and its work; *block is owned by the
 * caller, NULL: there is no memory, which the page says, and who makes it is told. */
static fh_env work_on(teller *by, uint8_t **block, fh_arena *arena, fh_budget *budget)
{
    static const fh_sink silent = {0};
    const fh_exam *exam = &by->verifier;
    const size_t len = fh_arena_len(exam->bytes.size);
    *block = malloc(len);
    by->is_short = by->is_short || *block == NULL;
    *arena = fh_arena_make(*block, *block == NULL ? 0 : len);
    *budget = fh_budget_for(exam->bytes.size, 0);
    return (fh_env){arena, budget, &silent, NULL};
}

static fh_status describe(void *user, const fh_field_sink *out)
{
    const fh_exam *exam = &((teller *)user)->verifier;
    uint8_t *block;
    fh_arena arena;
    fh_budget budget;
    const fh_env env = work_on(user, &block, &arena, &budget);
    const fh_status status =
        block == NULL ? FH_NO_MEMORY : exam->format->describe(&env, out, exam->bytes);
    free(block);
    return status;
}

static fh_status look(void *user, const fh_scene_sink *out)
{
    const fh_exam *exam = &((teller *)user)->verifier;
    const fh_verify_options options = {.aligned = true, .is_joined = exam->options.is_joined};
    const fh_replay_options replay = {0};
    uint8_t *block;
    fh_arena arena;
    fh_budget budget;
    fh_asset asset;
    const void *model = NULL;
    const fh_env env = work_on(user, &block, &arena, &budget);
    fh_status status = FH_NO_MEMORY;
    if (block != NULL) {
        status = exam->format->verify(&asset, &model, &env, exam->bytes, &options);
    }
    if (model != NULL) {
        status = exam->format->scene->describe(&env, out, model, &replay);
    }
    free(block);
    return status;
}

static void tell_asset(teller *by, const fh_stored_asset *asset, const uint8_t *bytes)
{
    const fh_format *format = fh_format_find(asset->format);
    const size_t len = (size_t)asset->length;
    assert(format != NULL); /* what is not known is not looked for */
    /* Others have pieces because their sectors are scattered: nothing is missing between them. */
    const fh_exam_options options = {.aligned = true,
                                     .is_joined = asset->num_pieces > 0 && format->joining != NULL};
    if (!fh_exam_run(&by->verifier, format, fh_cursor_make(bytes, len, 0), &options)) {
        tell_why_not(by, asset->id, "there was too little memory to read it");
        return;
    }
    const fh_detail detail = {.asset_id = asset->id,
                              .bytes = bytes,
                              .len = len,
                              .is_text = format->is_text,
                              .user = by,
                              .describe = format->describe == NULL ? NULL : describe,
                              .look = format->scene == NULL ? NULL : look,
                              .play = play};
    by->is_short = false;
    fh_outputs_detail(by->outputs, &detail);
    by->num_lost += by->is_short ? 1 : 0;
}

/* ---- a file ---------------------------------------------------------------------------------- */

static bool goes_on(const teller *by)
{
    return fh_outputs_wants_detail(by->outputs) && !fh_outputs_failed(by->outputs) &&
           !fh_interrupted(NULL);
}

static bool on_asset(void *user, const fh_extract_asset *asset, const uint8_t *bytes)
{
    teller *by = user;
    const fh_stored_asset *stored = &by->batch.stored[asset - by->batch.assets];
    if (fh_extract_matches(bytes, asset->len, stored->sha256)) {
        tell_asset(by, stored, bytes);
    } else {
        tell_why_not(by, stored->id,
                     "the bytes have changed since they were scanned; scan the source again");
    }
    return goes_on(by);
}

static void on_lost(void *user, const fh_extract_asset *asset, fh_extract_loss loss,
                    const char *why)
{
    teller *by = user;
    (void)loss;
    tell_why_not(by, by->batch.stored[asset - by->batch.assets].id, why);
}

static void clear_batch(batch *all)
{
    for (size_t i = 0; i < all->num; i++) {
        fh_stored_asset_clear(&all->stored[i]);
    }
    free(all->file);
    all->file = NULL;
    all->num = 0;
    all->num_sources = 0;
}

/* Sources and assets point into lists that do not move any more. */
static void point(batch *all)
{
    for (size_t i = 0; i < all->num; i++) {
        fh_stored_asset *stored = &all->stored[i];
        fh_extract_source *last = &all->sources[all->num_sources == 0 ? 0 : all->num_sources - 1];
        fh_layout_choice layout = FH_LAYOUT_AUTO;
        const bool has_pieces = stored->num_pieces > 0;
        all->wholes[i] = (fh_piece_record){0, stored->raw_offset, stored->length};
        all->assets[i] = (fh_extract_asset){.pieces = has_pieces ? stored->pieces : &all->wholes[i],
                                            .num_pieces = has_pieces ? stored->num_pieces : 1,
                                            .len = (size_t)stored->length};
        if (all->num_sources == 0 || strcmp(last->path, stored->path) != 0) {
            const bool is_known =
                stored->layout == NULL || fh_layout_parse(&layout, stored->layout);
            assert(is_known); /* or it would not be here */
            (void)is_known;
            last = &all->sources[all->num_sources++];
            *last = (fh_extract_source){
                .path = stored->path, .layout = layout, .assets = &all->assets[i]};
        }
        last->num_assets++;
    }
}

static void flush(teller *by)
{
    batch *all = &by->batch;
    const fh_extract_sink sink = {
        .user = by, .asset = on_asset, .lost = on_lost, .stop = {fh_interrupted, NULL}};
    if (all->file != NULL && goes_on(by)) {
        point(all);
        fh_extract_all(all->file, all->sources, all->num_sources, &sink);
    }
    clear_batch(all);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Why the bytes of an asset cannot be looked for; NULL: they can. */
static const char *objection(const fh_stored_asset *asset)
{
    fh_layout_choice layout;
    if (fh_format_find(asset->format) == NULL || asset->length <= 0 || asset->raw_offset < 0 ||
        asset->length > (int64_t)FH_MAX_ASSET_LEN || asset->num_pieces > FH_MAX_PARTS ||
        (asset->layout != NULL && !fh_layout_parse(&layout, asset->layout))) {
        return "the database describes it in terms unknown here";
    }
    if (asset->sha256[0] == '\0') {
        return "the database has no hash of it, so that nobody could tell whether it is the same";
    }
    if (strcmp(asset->path, "-") == 0 || strncmp(asset->path, "-!/", 3) == 0) {
        return "it came from standard input; save that as a file and scan it";
    }
    return fh_extract_file_len(asset->path) == 0
               ? "its source, as it was named to the scan, is no file that can be read; put it "
                 "back, or make the report in the directory of the scan"
               : NULL;
}

static bool belongs(const batch *all, const fh_stored_asset *asset, size_t file_len)
{
    return all->file != NULL && strlen(all->file) == file_len &&
           strncmp(all->file, asset->path, file_len) == 0 && all->num < MOST_IN_BATCH;
}

/* Takes the asset over. */
static void take(teller *by, fh_stored_asset *asset)
{
    const char *why = objection(asset);
    batch *all = &by->batch;
    if (why != NULL) {
        tell_why_not(by, asset->id, why);
        fh_stored_asset_clear(asset);
        return;
    }
    const size_t file_len = fh_extract_file_len(asset->path);
    if (!belongs(all, asset, file_len)) {
        flush(by);
        all->file = strndup(asset->path, file_len);
    }
    if (all->file == NULL) {
        tell_why_not(by, asset->id, "there was too little memory to read it");
        fh_stored_asset_clear(asset);
        return;
    }
    all->stored[all->num++] = *asset;
}

static bool make_batch(batch *all)
{
    all->stored = calloc(MOST_IN_BATCH, sizeof *all->stored);
    all->assets = calloc(MOST_IN_BATCH, sizeof *all->assets);
    all->wholes = calloc(MOST_IN_BATCH, sizeof *all->wholes);
    all->sources = calloc(MOST_IN_BATCH, sizeof *all->sources);
    return all->stored != NULL && all->assets != NULL && all->wholes != NULL &&
           all->sources != NULL;
}

static void free_teller(teller *by)
{
    clear_batch(&by->batch);
    free(by->batch.stored);
    free(by->batch.assets);
    free(by->batch.wholes);
    free(by->batch.sources);
    fh_exam_free(&by->verifier);
    fh_exam_free(&by->player);
}

static void take_all(teller *by, const int64_t *ids, size_t num_ids)
{
    for (size_t i = 0; i < num_ids && goes_on(by); i++) {
        fh_stored_asset asset;
        const fh_store_status status = fh_store_find_asset(by->store, &asset, ids[i]);
        if (status == FH_STORE_OK) {
            take(by, &asset);
        } else if (status == FH_STORE_NOT_FOUND) {
            tell_why_not(by, ids[i], "the database was changed while this page was made");
        } else {
            return; /* the store remembers */
        }
    }
    flush(by);
}

fh_store_status fh_detail_tell(fh_outputs *outputs, fh_store *store)
{
    teller by = {.outputs = outputs, .store = store};
    const fh_asset_filter all = {0};
    int64_t *ids = NULL;
    size_t num_ids = 0;
    if (fh_store_list_assets(store, &ids, &num_ids, &all) != FH_STORE_OK) {
        return fh_store_state(store);
    }
    if (!make_batch(&by.batch)) {
        tell_why_not(&by, FH_UNKNOWN, "there was too little memory to read the sources again");
    } else {
        take_all(&by, ids, num_ids);
    }
    if (by.num_lost > 0) {
        fh_complain("%" PRIu64
                    " of %zu assets cannot be shown from their sources, or not as a whole; the "
                    "page says why of each",
                    by.num_lost, num_ids);
    }
    free_teller(&by);
    free(ids);
    return fh_store_state(store);
}
