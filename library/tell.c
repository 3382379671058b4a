#include "tell.h"

#include <assert.h>
#include <stdlib.h>

static_assert((int)FRAMEHOUND_NOTE == (int)FH_NOTE && (int)FRAMEHOUND_WARNING == (int)FH_WARNING &&
                  (int)FRAMEHOUND_ERROR == (int)FH_ERROR,
              "severities are the same inside and outside");
static_assert((int)FRAMEHOUND_CANDIDATE == (int)FH_GRADE_CANDIDATE &&
                  (int)FRAMEHOUND_STRUCTURE == (int)FH_GRADE_STRUCTURE &&
                  (int)FRAMEHOUND_REFERENCES == (int)FH_GRADE_REFERENCES &&
                  (int)FRAMEHOUND_REPLAYED == (int)FH_GRADE_REPLAYED,
              "and grades");
/* Both are the same number today, which is what is asserted. */
/* NOLINTNEXTLINE(misc-redundant-expression) */
static_assert(FRAMEHOUND_UNKNOWN == FH_UNKNOWN && FRAMEHOUND_SHA256_LEN == FH_SHA256_LEN,
              "and numbers");

framehound_format fh_public_format(const fh_format *format)
{
    const fh_companion_kind *companion = format->companion;
    return (framehound_format){.name = format->name,
                               .title = format->title,
                               .extensions = format->extensions,
                               .profiles = format->profiles,
                               .companion = companion == NULL ? NULL : companion->extension,
                               .companion_title = companion == NULL ? NULL : companion->title};
}

/* What a callback has answered. */
static bool went_on(framehound *hound, int answer)
{
    if (answer != 0) {
        fh_hound_note(hound, FRAMEHOUND_STOPPED, "ended by a callback");
    }
    return !fh_hound_is_over(hound);
}

bool fh_tell_source_to(framehound *hound, const fh_source_record *record, const char *why)
{
    const framehound_source told = {.path = record->path,
                                    .kind = record->kind,
                                    .layout = record->layout,
                                    .status = record->status,
                                    .why = why,
                                    .size = record->size,
                                    .sha256 = record->sha256,
                                    .ram_base = hound->has_ram_base ? hound->ram_base : FH_UNKNOWN};
    if (fh_hound_is_over(hound) || hound->sink.source == NULL) {
        return !fh_hound_is_over(hound);
    }
    return went_on(hound, hound->sink.source(hound->sink.user, &told));
}

bool fh_tell_finding_to(framehound *hound, const fh_finding_record *record)
{
    const framehound_finding told = {.source = hound->source,
                                     .asset = record->asset,
                                     .code = record->rule->code,
                                     .severity = (framehound_severity)record->severity,
                                     .title = record->rule->title,
                                     .mend = record->rule->mend,
                                     .field = record->field,
                                     .found = record->found,
                                     .expected = record->expected,
                                     .raw_offset = record->raw_offset,
                                     .asset_offset = record->asset_offset,
                                     .frame = record->frame,
                                     .object = record->object,
                                     .message = record->message};
    if (fh_hound_is_over(hound) || hound->sink.finding == NULL) {
        return !fh_hound_is_over(hound);
    }
    return went_on(hound, hound->sink.finding(hound->sink.user, &told));
}

/* ---- poses ----------------------------------------------------------------------------------- */

static bool provide_columns(framehound *hound, size_t num)
{
    if (num <= hound->max_columns) {
        return true;
    }
    framehound_column *columns = calloc(num, sizeof *columns);
    framehound_value *values = calloc(num, sizeof *values);
    if (columns == NULL || values == NULL) {
        free(columns);
        free(values);
        return false;
    }
    free(hound->columns);
    free(hound->values);
    hound->columns = columns;
    hound->values = values;
    hound->max_columns = num;
    return true;
}

/* false: no memory. */
static bool take_table(framehound *hound, const fh_pose_table *table)
{
    static const framehound_column_type types[] = {[FH_COLUMN_NAME] = FRAMEHOUND_COLUMN_NAME,
                                                   [FH_COLUMN_INT] = FRAMEHOUND_COLUMN_INT,
                                                   [FH_COLUMN_REAL] = FRAMEHOUND_COLUMN_REAL};
    if (!provide_columns(hound, table->num_columns)) {
        hound->table = NULL;
        return false;
    }
    for (size_t i = 0; i < table->num_columns; i++) {
        hound->columns[i].name = table->columns[i].name;
        hound->columns[i].type = types[table->columns[i].type];
    }
    hound->table = table;
    return true;
}

static void on_frame(void *user, const fh_pose_frame *frame)
{
    ((framehound *)user)->frame = *frame;
}

/* The evaluator goes on behind a callback that has ended the work; no more of it is told. */
static void on_row(void *user, const fh_pose_row *row)
{
    framehound *hound = user;
    const fh_pose_table *table = row->table;
    if (fh_hound_stop(hound)) {
        return;
    }
    if (hound->table != table && !take_table(hound, table)) {
        fh_hound_note(hound, FRAMEHOUND_NO_MEMORY, "");
        return;
    }
    for (size_t i = 0; i < table->num_columns; i++) {
        if (fh_is_real_column(table->columns[i].type)) {
            hound->values[i].r = row->values[i].r;
        } else {
            hound->values[i].i = row->values[i].i;
        }
    }
    const framehound_pose told = {.source = hound->source,
                                  .asset = hound->num_assets - 1,
                                  .frame = hound->frame.index,
                                  .number = hound->frame.number,
                                  .table = table->name,
                                  .columns = hound->columns,
                                  .values = hound->values,
                                  .num_columns = table->num_columns};
    (void)went_on(hound, hound->sink.pose(hound->sink.user, &told));
}

/* World space may need to know what the asset belongs to. */
static bool has_world(const fh_exam *exam)
{
    const fh_companion_kind *companion = exam->format->companion;
    return exam->format->has_world &&
           (companion == NULL || !companion->makes_world || exam->options.companion != NULL);
}

static void tell_poses(framehound *hound, const fh_exam *exam)
{
    const fh_sink sink = {.user = hound, .frame = on_frame, .pose = on_row};
    const fh_replay_options options = {
        .profile = hound->profile[0] == '\0' ? NULL : hound->profile,
        .world = (hound->flags & FRAMEHOUND_WORLD) != 0 && has_world(exam),
        .changes_only = (hound->flags & FRAMEHOUND_CHANGES_ONLY) != 0};
    fh_status status = FH_OK;
    if (hound->sink.pose == NULL || !exam->is_replayed) {
        return;
    }
    if (!fh_exam_play(&hound->player, &status, exam, &options, &sink)) {
        fh_hound_note(hound, FRAMEHOUND_NO_MEMORY, "");
    } else if (status != FH_OK || hound->player.result.state == FH_REPLAY_STOPPED) {
        fh_hound_note(hound, FRAMEHOUND_LIMIT, "a limit ended the poses of an asset");
    }
}

/* ---- assets ---------------------------------------------------------------------------------- */

static framehound_replay replay_of(const fh_exam *exam)
{
    static const framehound_replay states[] = {[FH_REPLAY_COMPLETE] = FRAMEHOUND_REPLAY_COMPLETE,
                                               [FH_REPLAY_ASSUMED] = FRAMEHOUND_REPLAY_ASSUMED,
                                               [FH_REPLAY_STOPPED] = FRAMEHOUND_REPLAY_STOPPED,
                                               [FH_REPLAY_STILL] = FRAMEHOUND_REPLAY_STILL,
                                               [FH_REPLAY_BROKEN] = FRAMEHOUND_REPLAY_BROKEN};
    return exam->is_replayed ? states[exam->result.state] : FRAMEHOUND_REPLAY_NONE;
}

/* NULL: no memory; *pieces is then not touched. */
static framehound_piece *copy_pieces(const fh_asset_record *record)
{
    framehound_piece *pieces = calloc(record->num_pieces, sizeof *pieces);
    for (size_t i = 0; i < record->num_pieces && pieces != NULL; i++) {
        pieces[i] = (framehound_piece){record->pieces[i].asset_offset, record->pieces[i].raw_offset,
                                       record->pieces[i].length};
    }
    return pieces;
}

static void tell_asset(framehound *hound, int64_t id, const fh_asset_record *record,
                       const fh_exam *exam, const framehound_piece *pieces)
{
    const fh_replay_record *replay = record->replay;
    const framehound_asset told = {.source = hound->source,
                                   .id = id,
                                   .format = record->format,
                                   .grade = (framehound_grade)exam->asset.grade,
                                   .raw_offset = record->raw_offset,
                                   .user_offset = record->user_offset,
                                   .length = record->length,
                                   .lba = record->lba,
                                   .iso_path = record->iso_path,
                                   .iso_offset = record->iso_offset,
                                   .ram_address = record->ram_address,
                                   .evidence_bits = record->evidence_bits,
                                   .frames = record->frames,
                                   .objects = record->objects,
                                   .sha256 = record->sha256,
                                   .pose_sha256 = record->pose_sha256,
                                   .replay = replay_of(exam),
                                   .evaluator = replay == NULL ? NULL : replay->evaluator,
                                   .replay_frames = replay == NULL ? FH_UNKNOWN : replay->frames,
                                   .replay_ticks = replay == NULL ? FH_UNKNOWN : replay->ticks,
                                   .bytes = exam->bytes.base,
                                   .pieces = pieces,
                                   .num_pieces = record->num_pieces};
    assert(record->length >= 0 && (uint64_t)record->length <= exam->bytes.size);
    (void)went_on(hound, hound->sink.asset(hound->sink.user, &told));
}

bool fh_tell_asset_to(framehound *hound, int64_t *id, const fh_asset_record *record,
                      const fh_exam *exam)
{
    framehound_piece *pieces = NULL;
    *id = hound->num_assets++;
    if (record->num_pieces > 0) {
        pieces = copy_pieces(record);
        if (pieces == NULL) {
            fh_hound_note(hound, FRAMEHOUND_NO_MEMORY, "");
        }
    }
    if (!fh_hound_is_over(hound) && hound->sink.asset != NULL) {
        tell_asset(hound, *id, record, exam, pieces);
    }
    free(pieces);
    if (!fh_hound_is_over(hound)) {
        tell_poses(hound, exam);
    }
    return !fh_hound_is_over(hound);
}
