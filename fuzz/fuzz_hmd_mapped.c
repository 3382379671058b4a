/* An HMD, and the same HMD as the run-time library leaves it in memory: the forge maps it to an
 * address that the input chooses, written down a second time from the same sources as the decoder
 * (corpus/forge/hmd_map.c). What must be true of a file that is sound:
 *   - it can be mapped, and stays as long and as good;
 *   - the address that is told is the one it was mapped to;
 *   - it plays as in its file: the same frames, poses and state.
 * And of each file, at each stage of the library's work:
 *   - what has the address of something tells that address;
 *   - the same bytes give the same twice, and findings are one line, in the bytes.
 */
#include "fuzz_support.h"

#include "forge/hmd.h"
#include "hmd/hmd.h"
#include "hunt/exam.h"

#include <stdlib.h>
#include <string.h>

/* An address below what a program loads to is the kernel's (formats/hmd/hmd_model.h), and all lies
 * in the 2 MiB of a shop's machine. */
enum { FIRST_ADDRESS = 0x10000, RAM_LEN = 0x200000, LONGEST = 0x100000, WORD_LEN = 4 };

/* Arenas of two examinations (fh_arena_len), two copies, and what is kept of findings. */
static const fuzz_bounds bounds = {.memory_floor = (size_t)64 << 20,
                                   .memory_per_byte = 64,
                                   .milliseconds = 10000,
                                   .milliseconds_per_kib = 200};

/* What an examination found: everything of it but the bytes. */
typedef struct outcome {
    fh_status status;
    fh_asset asset;
    bool is_replayed;
    fh_replay_state state;
    uint32_t num_frames;
    bool has_poses;
    uint8_t poses[FH_SHA256_LEN];
    bool is_sound; /* nothing is wrong or doubtful, and nothing was cut short */
    fuzz_sum told;
} outcome;

static void take_findings(outcome *out, const fh_exam *exam, size_t len)
{
    out->told = FUZZ_SUM;
    for (size_t i = 0; i < exam->num_findings; i++) {
        const fh_finding *finding = &exam->findings[i];
        fuzz_fold_finding(&out->told, finding);
        fuzz_demand(finding->offset == FH_UNKNOWN || (uint64_t)finding->offset <= len,
                    "a finding lies in the bytes");
        out->is_sound = out->is_sound && finding->rule->severity == FH_NOTE;
    }
}

static outcome examine(const uint8_t *bytes, size_t len)
{
    static fh_exam exam;
    const fh_exam_options options = {
        .stand_alone = true, .aligned = true, .replay = true, .ends_file = true};
    fuzz_demand(fh_exam_run(&exam, &fh_hmd_format, fh_cursor_make(bytes, len, 0), &options),
                "the system has memory");
    outcome out = {.status = exam.status,
                   .asset = exam.asset,
                   .is_replayed = exam.is_replayed,
                   .has_poses = exam.has_pose_sha256};
    out.is_sound = exam.status == FH_OK && exam.asset.grade >= FH_GRADE_REFERENCES;
    if (exam.is_replayed) {
        out.state = exam.result.state;
        out.num_frames = exam.result.frames;
        out.is_sound = out.is_sound && exam.result.state != FH_REPLAY_STOPPED;
    }
    memcpy(out.poses, exam.pose_sha256, sizeof out.poses);
    take_findings(&out, &exam, len);
    fh_exam_forget(&exam);
    return out;
}

static bool same_motion(const outcome *a, const outcome *b)
{
    return a->is_replayed == b->is_replayed && a->has_poses == b->has_poses &&
           a->num_frames == b->num_frames && a->state == b->state &&
           (!a->has_poses || memcmp(a->poses, b->poses, sizeof a->poses) == 0);
}

static void check_address(const outcome *mapped, uint32_t base)
{
    fuzz_demand(mapped->asset.grade < FH_GRADE_REFERENCES ||
                    mapped->asset.ram_address == (int64_t)base,
                "what refers to what it has lies at the address it was mapped to");
}

static bool is_just_mapped(const outcome *mapped)
{
    const char *stage = mapped->asset.in_memory.stage;
    return stage != NULL && strcmp(stage, "mapped") == 0;
}

static void check_mapped(const outcome *file, const outcome *mapped)
{
    if (!file->is_sound || mapped->status == FH_LIMIT ||
        (mapped->is_replayed && mapped->state == FH_REPLAY_STOPPED)) {
        return;
    }
    fuzz_demand(mapped->status == FH_OK && mapped->asset.length == file->asset.length,
                "a sound file is as long when it is mapped");
    fuzz_demand(mapped->asset.grade == file->asset.grade, "and as good");
    /* Where the file has set what a player sets, it looks like one that has been playing, and goes
     * on from there instead of beginning. */
    fuzz_demand(!is_just_mapped(mapped) || same_motion(file, mapped), "and plays as in its file");
}

/* A multiple of 4 in RAM, in one of the segments. */
static uint32_t chosen_base(fuzz_sum choice, size_t len)
{
    static const uint32_t segments[] = {0x80000000, 0xa0000000, 0};
    const uint32_t room = RAM_LEN - FIRST_ADDRESS - (uint32_t)len;
    const uint32_t physical = FIRST_ADDRESS + (uint32_t)((choice >> 8) % room);
    return segments[choice % 3] | (physical & ~(uint32_t)(WORD_LEN - 1));
}

static uint8_t *copy_of(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_have(malloc(size + 1));
    memcpy(copy, data, size);
    return copy;
}

/* Maps the file as far as the stage goes; false if it cannot be done. */
static bool map(uint8_t *bytes, size_t size, uint32_t base, forge_hmd_stage stage)
{
    const forge_hmd_memory memory = {.base = base, .stage = stage};
    forge_error err = {.kind = FORGE_OK};
    return forge_hmd_map(bytes, &err, size, &memory);
}

static void check_stage(const outcome *file, const uint8_t *data, size_t size, uint32_t base,
                        forge_hmd_stage stage)
{
    uint8_t *bytes = copy_of(data, size);
    const bool is_mapped = map(bytes, size, base, stage);
    fuzz_demand(is_mapped || !file->is_sound, "a sound file can be mapped");
    const outcome mapped = examine(bytes, size);
    const outcome again = examine(bytes, size);
    fuzz_demand(mapped.told == again.told && same_motion(&mapped, &again),
                "what is in memory gives the same twice");
    if (is_mapped && file->is_sound) {
        check_address(&mapped, base);
    }
    if (is_mapped && stage == FORGE_HMD_MAPPED) {
        check_mapped(file, &mapped);
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > LONGEST) {
        return 0;
    }
    fuzz_sum choice = FUZZ_SUM;
    fuzz_fold(&choice, data, size);
    fuzz_begin();
    uint8_t *bytes = copy_of(data, size);
    const outcome file = examine(bytes, size);
    free(bytes);
    const uint32_t base = chosen_base(choice, size);
    if (file.asset.ram_address == FH_UNKNOWN) {
        check_stage(&file, data, size, base, FORGE_HMD_MAPPED);
        check_stage(&file, data, size, base,
                    (choice >> 40) % 2 == 0 ? FORGE_HMD_SCANNED : FORGE_HMD_COORDINATES);
    }
    fuzz_end(&bounds, size);
    return 0;
}
