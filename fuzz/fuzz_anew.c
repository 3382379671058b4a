#include "anew.h"

#include "fuzz_oracles.h"

#include "core/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- descriptions ---- */

static void say_len(fuzz_description *out, const char *words, size_t len)
{
    if (out->room - out->len < len) {
        out->room = 2 * (out->room + len);
        char *larger = run_keep(malloc(out->room));
        if (out->len > 0) {
            memcpy(larger, out->text, out->len);
        }
        run_release(out->text);
        out->text = larger;
    }
    memcpy(out->text + out->len, words, len);
    out->len += len;
}

void fuzz_say(fuzz_description *out, const char *words)
{
    say_len(out, words, strlen(words));
}

/* Most of a description is numbers, and printf takes several times as long. */
void fuzz_say_number(fuzz_description *out, const char *words, int64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t left = number < 0 ? (uint64_t) - (number + 1) + 1 : (uint64_t)number;
    do {
        digits[--at] = "0123456789"[left % 10];
        left /= 10;
    } while (left > 0);
    if (number < 0) {
        digits[--at] = '-';
    }
    fuzz_say(out, words);
    say_len(out, digits + at, sizeof digits - at);
}

void fuzz_say_real(fuzz_description *out, double number, int num_digits)
{
    char text[40];
    const int len = snprintf(text, sizeof text, " %.*e", num_digits - 1, number);
    run_insist(len > 0 && (size_t)len < sizeof text, "a number has room");
    say_len(out, text, (size_t)len);
}

static void forget(fuzz_description *of)
{
    run_release(of->text);
    run_release(of->places);
}

/* ---- what was decoded ---- */

typedef struct decoded {
    bool is_replayed; /* and holds the grade of that, or rests where that is asked for, too */
    fh_asset asset;
    fh_replay_result result;
    run_account motion;
    bool is_described;
    fuzz_description said;
} decoded;

static void take_frame(void *user, const fh_pose_frame *frame)
{
    decoded *to = user;
    run_take_frame(&to->motion, frame);
}

static void take_row(void *user, const fh_pose_row *row)
{
    decoded *to = user;
    if (FUZZED_ANEW.fold_row != NULL) {
        FUZZED_ANEW.fold_row(&to->motion, row, &to->said);
    } else {
        run_take_row(&to->motion, row);
    }
}

static bool is_asked(fh_replay_state state)
{
    return state == FH_REPLAY_COMPLETE || state == FH_REPLAY_ASSUMED ||
           (state == FH_REPLAY_STILL && FUZZED_ANEW.has_models);
}

/* Decodes, describes and replays. So much work is allowed as for work_len bytes. */
static void decode(decoded *out, const fh_format *format, fh_cursor bytes, size_t work_len)
{
    fh_arena arena = run_arena(bytes.size);
    fh_budget budget = run_allowance(work_len, 0);
    fh_budget nothing = {0};
    const fh_sink nobody = {0};
    const fh_sink poses = {.user = out, .frame = take_frame, .pose = take_row};
    fh_env env = {&arena, &budget, &nobody, run_reserve(&nothing)};
    const void *model = NULL;
    *out = (decoded){.motion = run_account_open(bytes.size)};
    const fh_status status = format->verify(&out->asset, &model, &env, bytes, &run_whole_file);
    if (status != FH_OK || out->asset.grade < FH_GRADE_REFERENCES || model == NULL) {
        return;
    }
    out->is_described = FUZZED_ANEW.describe(&out->said, model);
    env.sink = &poses;
    budget = run_allowance(work_len, 0);
    out->is_replayed = format->replay(&out->result, &env, model, &run_as_the_scanner) == FH_OK &&
                       is_asked(out->result.state);
}

static bool is_same_motion(const decoded *a, const decoded *b)
{
    return a->result.state == b->result.state && a->result.frames == b->result.frames &&
           a->result.ticks == b->result.ticks && a->motion.num_frames == b->motion.num_frames &&
           a->motion.hash == b->motion.hash;
}

static void compare(const decoded *first, const decoded *second)
{
    run_demand(second->is_replayed, "what the forge writes anew is as good");
    run_demand(first->asset.frames == second->asset.frames &&
                   first->asset.objects == second->asset.objects,
               "what the forge writes anew has the same frames and objects");
    run_demand(is_same_motion(first, second), "what the forge writes anew moves alike");
    run_demand(second->is_described && second->said.len == first->said.len &&
                   memcmp(second->said.text, first->said.text, first->said.len) == 0,
               "what the forge writes anew decodes to the same");
}

/* ---- the file that is made of it ---- */

/* Texts grow: of a row of camerawork of 50 bytes, the shortest, 25 columns of 24 characters are
 * made. */
enum { LIMIT_FLOOR = 1 << 16, LIMIT_PER_BYTE = 64 };

/* Hands over a copy of the exact size, for the run may be left for good from here on. of_len: of
 * the first file. */
static uint8_t *assemble(size_t *len, const fuzz_description *said, size_t of_len)
{
    const size_t limit = LIMIT_FLOOR + LIMIT_PER_BYTE * of_len;
    forge_error err = {.kind = FORGE_OK};
    forge_buf out;
    const bool is_made = FUZZED_ANEW.assemble(&out, &err, said->text, said->len, limit);
    uint8_t *copy = is_made ? run_copy(out.data, out.len) : NULL;
    *len = out.len;
    forge_buf_free(&out);
    if (!is_made && run_now.is_whole) {
        (void)fprintf(stderr, "the forge, line %u: %s\n%.*s\n", err.line, err.text, (int)said->len,
                      said->text);
    }
    run_demand(is_made, "the forge takes a description of what is replayed");
    return copy;
}

static void check_made(const fh_format *format, const decoded *first, fh_cursor bytes,
                       fh_cursor made)
{
    decoded second;
    run_demand(!FUZZED_ANEW.keeps_bytes || (made.size == first->asset.length &&
                                            memcmp(made.base, bytes.base, made.size) == 0),
               "what the forge writes anew has the same bytes");
    const fh_probe probe = run_probe(format, made, FH_END_FILE, NULL);
    decode(&second, format, made, made.size > bytes.size ? made.size : bytes.size);
    compare(first, &second);
    run_demand(probe.verdict == FH_ACCEPT && probe.length == made.size &&
                   second.asset.length == made.size,
               "what the forge writes anew is found as a whole");
    forget(&second.said);
}

/* For who counts: a line for what is replayed, where FUZZ_TELL_ANEW is set. */
static void tell(const decoded *first)
{
    const char *remark = first->said.remark == NULL ? "" : first->said.remark;
    if (run_now.is_whole && getenv("FUZZ_TELL_ANEW") != NULL) {
        (void)printf("anew: %s%s\n", first->is_described ? "written" : "left out, ",
                     first->is_described ? remark : first->said.left_out);
    }
}

void oracle_anew(const fh_format *format, fh_cursor bytes)
{
    decoded first;
    decode(&first, format, bytes, bytes.size);
    if (first.is_replayed) {
        run_demand(first.is_described || first.said.left_out != NULL,
                   "what is replayed can be described");
        tell(&first);
    }
    if (first.is_replayed && first.is_described) {
        size_t len = 0;
        uint8_t *made = assemble(&len, &first.said, bytes.size);
        if (len <= FH_MAX_ASSET_LEN) { /* the scanner never hands out more */
            check_made(format, &first, bytes, fh_cursor_make(made, len, 0));
        }
        run_release(made);
    }
    forget(&first.said);
}
