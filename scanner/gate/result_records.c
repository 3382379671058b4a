#include "gate/result_records.h"

#include "hunt/hunt.h"

fh_source_record fh_result_source(const fh_result *result)
{
    return (fh_source_record){.path = result->path,
                              .kind = "file",
                              .layout = "plain",
                              .status = result->status,
                              .size = result->size,
                              .sha256 = result->has_sha256 ? result->sha256 : NULL,
                              .why = result->why};
}

fh_asset_record fh_result_asset(fh_replay_record *room, const fh_result *result)
{
    const uint8_t *pose_sha256 = result->has_pose_sha256 ? result->pose_sha256 : NULL;
    *room = (fh_replay_record){.evaluator = result->replay.evaluator,
                               .frames = result->replay.frames,
                               .ticks = (int64_t)result->replay.ticks,
                               .status = fh_replay_state_name(result->replay.state),
                               .pose_sha256 = pose_sha256};
    return (fh_asset_record){.format = result->format->name,
                             .grade = fh_grade_name(result->asset.grade),
                             .raw_offset = 0,
                             .user_offset = 0,
                             .length = (int64_t)result->asset.length,
                             .lba = FH_UNKNOWN,
                             .iso_offset = FH_UNKNOWN,
                             .ram_address = result->asset.ram_address,
                             .evidence_bits = result->asset.evidence_bits,
                             .frames = result->asset.frames,
                             .objects = result->asset.objects,
                             .sha256 = result->has_asset_sha256 ? result->asset_sha256 : NULL,
                             .pose_sha256 = pose_sha256,
                             .replay = result->is_replayed ? room : NULL};
}

/* Empty where there is none. */
static fh_excerpt excerpt_of(const fh_result *result, const fh_told *told)
{
    const int64_t offset = told->finding.offset;
    if (told->excerpt_len == 0 || offset < told->excerpt_offset) {
        return (fh_excerpt){0};
    }
    const uint64_t before = (uint64_t)(offset - told->excerpt_offset);
    return (fh_excerpt){.bytes = told->excerpt,
                        .len = told->excerpt_len,
                        .asset_offset = told->excerpt_offset,
                        .field_off =
                            before > told->excerpt_len ? told->excerpt_len : (size_t)before,
                        .is_text = result->format != NULL && result->format->is_text};
}

fh_finding_record fh_result_finding(fh_told_room *room, const fh_result *result,
                                    const fh_told *told)
{
    fh_finding_record record = fh_finding_to_record(&told->finding, room->message);
    room->excerpt = excerpt_of(result, told);
    record.asset = result->format == NULL ? FH_UNKNOWN : 0;
    record.raw_offset = told->finding.offset; /* the asset is the file */
    record.line = told->line;
    record.column = told->column;
    record.excerpt = room->excerpt.len > 0 ? &room->excerpt : NULL;
    return record;
}
