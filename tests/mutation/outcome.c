#include "outcome.h"

#include "core/describe.h"
#include "core/limits.h"
#include "hunt/exam.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MAGICS = 64, CUTS = 3 };

static const uint64_t EMPTY = UINT64_C(0xcbf29ce484222325);

/* Of the file that is looked at: what each call has left of its budget. */
static uint64_t work;

static void fold(uint64_t *hash, const void *bytes, size_t len)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < len; i++) {
        *hash = (*hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
}

static void fold_number(uint64_t *hash, int64_t number)
{
    fold(hash, &number, sizeof number);
}

static void fold_str(uint64_t *hash, const char *str)
{
    fold(hash, str == NULL ? "" : str, str == NULL ? 1 : strlen(str) + 1);
}

static void note_work(const fh_budget *budget)
{
    fold_number(&work, (int64_t)budget->left);
}

static void take_finding(void *user, const fh_finding *finding)
{
    char message[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(message, sizeof message);
    fh_finding_message(&text, finding);
    fold_str(user, finding->rule->code);
    fold_str(user, message);
    fold_number(user, finding->offset);
    fold_number(user, finding->frame);
    fold_number(user, finding->frame_number);
    fold_number(user, finding->object);
}

static void take_frame(void *user, const fh_pose_frame *frame)
{
    fold_number(user, frame->index);
    fold_number(user, frame->number);
}

/* What the rows say that are replayed now. */
static const fh_scene *placing;

static void fold_reals(uint64_t *hash, const double *reals, size_t num)
{
    fold(hash, reals, num * sizeof *reals);
}

static void fold_pose(uint64_t *hash, const fh_scene_pose *pose)
{
    fold_number(hash, (int64_t)pose->kind);
    fold_number(hash, pose->id);
    fold_number(hash, pose->tenant);
    fold_number(hash, pose->parent);
    fold_number(hash, pose->model);
    fold_number(hash, pose->is_hidden);
    fold_reals(hash, &pose->matrix[0][0], 9);
    fold_reals(hash, pose->origin, 3);
    fold_reals(hash, pose->vector, 3);
    fold_reals(hash, pose->colour, 3);
    fold_reals(hash, &pose->value, 1);
}

static void take_row(void *user, const fh_pose_row *row)
{
    fh_scene_pose pose = {FH_SCENE_NODE};
    fold_str(user, row->table->name);
    fold(user, row->values, row->table->num_columns * sizeof row->values[0]);
    if (placing->place(&pose, row)) {
        fold_pose(user, &pose);
    }
}

static void take_text(void *user, const char *text, size_t len)
{
    fold(user, text, len);
}

static void take_edit(void *user, const fh_edit *edit)
{
    fold_str(user, edit->rule->code);
    fold_str(user, edit->field);
    fold_number(user, (int64_t)edit->off);
    fold_number(user, (int64_t)edit->old_len);
    fold(user, edit->bytes == NULL ? (const uint8_t *)"" : edit->bytes, edit->len);
}

static void take_unit(void *user, const fh_unit *unit)
{
    fold_number(user, (int64_t)unit->level);
    fold_number(user, (int64_t)unit->off);
    fold_number(user, (int64_t)unit->len);
    for (size_t i = 0; i < FH_UNIT_COUNTS; i++) {
        fold_number(user, (int64_t)unit->counts[i].off);
        fold_number(user, (int64_t)unit->counts[i].len);
        fold_number(user, (int64_t)unit->counts[i].less);
    }
}

static uint8_t *provide(size_t len)
{
    uint8_t *block = malloc(len);
    if (block == NULL) {
        abort();
    }
    return block;
}

/* One block for all runs, so that getting it is not most of the work. What is not allocated of it
 * is guarded under the address sanitizer: at first all of it, and again what give_back is given. */
static fh_arena provide_arena(size_t len)
{
    static uint8_t *block;
    static size_t block_len;
    if (block_len < fh_arena_len(len)) {
        free(block);
        block_len = fh_arena_len(len);
        block = provide(block_len);
        fh_arena all = {block, block_len, block_len};
        fh_arena_reset(&all, 0);
    }
    return fh_arena_make(block, fh_arena_len(len));
}

static void give_back(fh_arena *arena)
{
    fh_arena_reset(arena, 0);
}

/* ---- search ---- */

static void probe(uint64_t *hash, const fh_format *format, fh_cursor bytes, fh_end end)
{
    fh_probe out;
    fh_arena arena = provide_arena(bytes.size);
    fh_budget budget = fh_budget_for(bytes.size, 0);
    format->probe(&out, bytes, end, NULL, &arena, &budget);
    fold_number(hash, (int64_t)out.verdict);
    if (out.verdict == FH_REJECT) {
        fold_str(hash, out.rule->code);
        fold_number(hash, (int64_t)out.reject_off);
        fold_number(hash, (int64_t)out.status);
        fold_number(hash, out.has_more_frames);
        fold_number(hash, out.near_miss);
        fold_number(hash, out.is_part);
    } else {
        fold_number(hash, (int64_t)out.length);
    }
    fold_number(hash, out.frames);
    fold_number(hash, out.evidence_bits);
    note_work(&budget);
    give_back(&arena);
}

/* A copy, so that reading on is reading what is not there. */
static void probe_cut(uint64_t *hash, const fh_format *format, fh_cursor bytes, size_t len)
{
    uint8_t *copy = provide(len);
    memcpy(copy, bytes.base, len);
    probe(hash, format, fh_cursor_make(copy, len, 0), FH_END_NONE);
    free(copy);
}

static bool has_magic(const fh_format *format, fh_cursor bytes)
{
    const uint32_t word = fh_cursor_u32(&bytes);
    for (size_t i = 0; i < format->num_magics; i++) {
        if ((word & format->magics[i].mask) == format->magics[i].value) {
            return true;
        }
    }
    return false;
}

static void locate(uint64_t *hash, const fh_format *format, fh_cursor bytes)
{
    unsigned num = 0;
    for (size_t at = 0; at < bytes.size && num < MOST_MAGICS; at++) {
        size_t start = 0;
        if (has_magic(format, fh_cursor_sub(&bytes, at, bytes.size - at))) {
            const bool found = format->locate(&start, bytes, at);
            fold_number(hash, found);
            fold_number(hash, found ? (int64_t)start : -1);
            num++;
        }
    }
}

/* As it is, and cut at some places: a search sees an asset's first bytes before its last. */
static uint64_t search(const fh_format *format, fh_cursor bytes)
{
    uint64_t hash = EMPTY;
    probe(&hash, format, bytes, FH_END_FILE);
    probe(&hash, format, bytes, FH_END_STREAM);
    for (size_t cut = 0; cut <= CUTS; cut++) {
        probe_cut(&hash, format, bytes, bytes.size / (CUTS + 1) * (cut + 1));
    }
    if (format->locate != NULL) {
        locate(&hash, format, bytes);
    }
    return hash;
}

/* ---- verify and replay ---- */

typedef struct decoded {
    fh_arena arena;
    const void *model;
    fh_status status;
    fh_asset asset;
    size_t len; /* of the bytes, those of the companion among them */
} decoded;

static void fold_asset(uint64_t *hash, const decoded *got)
{
    const fh_asset *asset = &got->asset;
    fold_number(hash, (int64_t)got->status);
    fold_number(hash, (int64_t)asset->grade);
    fold_number(hash, (int64_t)asset->length);
    fold_number(hash, asset->frames);
    fold_number(hash, asset->objects);
    fold_number(hash, asset->evidence_bits);
    fold_number(hash, asset->ram_address);
    fold_str(hash, asset->in_memory.stage);
    fold_str(hash, asset->in_memory.missing);
    fold_str(hash, asset->in_memory.outside);
    fold_number(hash, got->model != NULL);
}

static decoded decode(uint64_t *hash, const fh_format *format, fh_cursor bytes,
                      const fh_verify_options *options)
{
    const size_t len = bytes.size + (options->companion == NULL ? 0 : options->companion->size);
    decoded got = {.arena = provide_arena(len), .len = len};
    fh_budget budget = fh_budget_for(len, 0);
    const fh_sink sink = {.user = hash, .finding = take_finding};
    const fh_env env = {.arena = &got.arena, .budget = &budget, .sink = &sink};
    got.status = format->verify(&got.asset, &got.model, &env, bytes, options);
    fold_asset(hash, &got);
    note_work(&budget);
    return got;
}

static void replay(uint64_t *hash, const fh_format *format, decoded *got,
                   const fh_replay_options *options)
{
    fh_arena arena = got->arena; /* what one replay takes is there again for the next */
    fh_budget budget = fh_budget_for(got->len, options->num_slots);
    const fh_sink sink = {hash, take_finding, take_frame, take_row, false};
    const fh_env env = {.arena = &arena, .budget = &budget, .sink = &sink};
    fh_replay_result result = {.state = FH_REPLAY_COMPLETE};
    fold_number(hash, (int64_t)format->replay(&result, &env, got->model, options));
    fold_number(hash, (int64_t)result.state);
    fold_number(hash, result.frames);
    fold_number(hash, (int64_t)result.ticks);
    note_work(&budget);
    fh_arena_reset(&arena, got->arena.used);
}

static void replay_all(uint64_t *hash, const fh_format *format, decoded *got)
{
    for (size_t i = 0; format->profiles[i] != NULL; i++) {
        const fh_replay_options all = {.profile = format->profiles[i]};
        replay(hash, format, got, &all);
    }
    const fh_replay_options world = {.world = true, .changes_only = true};
    replay(hash, format, got, &world);
    if (format->can_continue) {
        const void *const before[] = {got->model};
        const fh_replay_options again = {.num_slots = 3, .before = before, .num_before = 1};
        replay(hash, format, got, &again);
    }
    if (format->has_time_step) {
        const fh_replay_options slower = {.time_step = 2.5, .changes_only = true};
        replay(hash, format, got, &slower);
    }
}

static void verify_and_replay(outcome *out, const fh_format *format, fh_cursor bytes,
                              const fh_cursor *companion)
{
    const fh_verify_options ways[] = {
        {.stand_alone = true, .aligned = true, .companion = companion},
        {.aligned = true},
        {.ends_file = true, .is_joined = true},
    };
    out->verify = out->replay = EMPTY;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        decoded got = decode(&out->verify, format, bytes, &ways[i]);
        if (got.model != NULL && i == 0) {
            replay_all(&out->replay, format, &got);
        }
        give_back(&got.arena);
    }
}

/* ---- what else a format can do ---- */

static void write_anew(uint64_t *hash, const fh_format *format, fh_cursor bytes)
{
    static const fh_verify_options whole_file = {.stand_alone = true, .aligned = true};
    uint64_t findings = EMPTY;
    decoded got = decode(&findings, format, bytes, &whole_file);
    const fh_sink nobody = {0};
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const fh_env env = {.arena = &got.arena, .budget = &budget, .sink = &nobody};
    const fh_text_sink out = {hash, take_text};
    if (got.status == FH_OK && got.model != NULL && got.asset.grade >= FH_GRADE_REFERENCES) {
        fold_number(hash, (int64_t)format->canonical(&env, &out, got.model));
        note_work(&budget);
    }
    give_back(&got.arena);
}

static void mend(uint64_t *hash, const fh_format *format, fh_cursor bytes)
{
    static const fh_verify_options whole_file = {.stand_alone = true, .aligned = true};
    fh_arena arena = provide_arena(bytes.size);
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const fh_sink nobody = {0};
    const fh_env env = {.arena = &arena, .budget = &budget, .sink = &nobody};
    const fh_edit_sink out = {hash, take_edit};
    fold_number(hash, (int64_t)format->repair(&env, &out, bytes, &whole_file));
    note_work(&budget);
    give_back(&arena);
}

static void part(uint64_t *hash, const fh_format *format, fh_cursor bytes)
{
    fh_arena arena = provide_arena(bytes.size);
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const fh_sink nobody = {0};
    const fh_env env = {.arena = &arena, .budget = &budget, .sink = &nobody};
    const fh_unit_sink out = {hash, take_unit};
    fold_number(hash, (int64_t)format->units(&env, &out, bytes));
    note_work(&budget);
    give_back(&arena);
}

/* The lines in the middle of a text, as a search that lost its beginning and its end meets them. */
static void join(uint64_t *hash, const fh_format *format, fh_cursor bytes)
{
    const size_t third = bytes.size / 3;
    fh_budget budget = fh_budget_for(bytes.size, 0);
    fh_part found = {0};
    const bool is_one = format->joining->describe(&found, bytes, third, third, &budget);
    note_work(&budget);
    fold_number(hash, is_one);
    if (is_one) {
        const fh_cursor tail =
            fh_cursor_sub(&bytes, found.lines_end, found.tail_end - found.lines_end);
        const fh_cursor head = fh_cursor_sub(&bytes, found.head, found.lines - found.head);
        fold_number(hash, found.first);
        fold_number(hash, found.last);
        fold_number(hash, (int64_t)found.head);
        fold_number(hash, (int64_t)found.lines);
        fold_number(hash, (int64_t)found.lines_end);
        fold_number(hash, (int64_t)found.tail_end);
        fold_number(hash, found.style);
        fold_number(hash, format->joining->is_begun(tail, found.last + 1, found.style));
        fold_number(hash, format->joining->is_ended(head, found.style));
    }
}

static void begin_group(void *user, const fh_field *group)
{
    fold_str(user, group->name);
    fold_str(user, group->type);
    fold_number(user, group->number);
    fold_number(user, group->index);
    fold_number(user, group->depth);
    fold_number(user, group->is_part);
    fold_number(user, (int64_t)group->off);
}

static void take_field(void *user, const fh_field *field)
{
    begin_group(user, field);
    fold_number(user, (int64_t)field->kind);
    fold_number(user, (int64_t)field->len);
    fold_number(user, (int64_t)field->width);
    fold_number(user, field->is_signed);
    fold_number(user, field->is_cut);
    fold_str(user, field->bits == NULL ? NULL : field->bits->name);
}

static void end_group(void *user, size_t end)
{
    fold_number(user, (int64_t)end);
}

static void label(uint64_t *hash, const fh_format *format, fh_cursor bytes)
{
    fh_arena arena = provide_arena(bytes.size);
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const fh_sink nobody = {0};
    const fh_env env = {.arena = &arena, .budget = &budget, .sink = &nobody};
    const fh_field_sink out = {hash, begin_group, take_field, end_group};
    fold_number(hash, (int64_t)format->describe(&env, &out, bytes));
    note_work(&budget);
    give_back(&arena);
}

/* ---- what there is to see ---- */

static void on_about(void *user, const fh_scene_about *about)
{
    fold_number(user, about->is_y_down);
    fold_number(user, about->is_held);
    fold_reals(user, &about->rate, 1);
    fold_number(user, about->is_rate_assumed);
    fold_str(user, about->node);
}

static void on_node(void *user, const fh_scene_node *node)
{
    fold_number(user, node->id);
    fold_str(user, node->name);
    fold_number(user, (int64_t)node->offset);
    fold_number(user, node->parent);
    fold_number(user, node->has_rest);
    if (node->has_rest) {
        fold_reals(user, &node->matrix[0][0], 9);
        fold_reals(user, node->origin, 3);
    }
}

static void on_image(void *user, const fh_scene_image *image)
{
    fold_number(user, image->id);
    fold_number(user, image->width);
    fold_number(user, image->height);
    fold_number(user, image->has_holes);
    fold_number(user, image->has_glass);
    fold(user, image->pixels, (size_t)image->width * image->height * 4);
}

static void on_mesh(void *user, const fh_scene_mesh *mesh)
{
    fold_number(user, (int64_t)mesh->owner);
    fold_number(user, mesh->id);
    fold_number(user, (int64_t)mesh->offset);
}

static void on_triangle(void *user, const fh_scene_triangle *triangle)
{
    for (unsigned i = 0; i < 3; i++) {
        const fh_scene_corner *corner = &triangle->corners[i];
        fold_reals(user, corner->position, 3);
        fold_reals(user, corner->normal, 3);
        fold_reals(user, corner->uv, 2);
        fold_reals(user, corner->colour, 3);
        fold_number(user, corner->vertex);
        fold_number(user, corner->normal_number);
        fold_number(user, corner->joint);
    }
    fold_number(user, triangle->image);
    fold_number(user, triangle->is_lit);
    fold_number(user, triangle->is_double_sided);
    fold_number(user, triangle->is_glass);
}

static void on_weight(void *user, const fh_scene_weight *weight)
{
    fold_number(user, weight->id);
    fold_number(user, weight->key);
    fold_reals(user, &weight->value, 1);
}

static void on_delta(void *user, const fh_scene_delta *delta)
{
    fold_number(user, delta->weight);
    fold_number(user, delta->number);
    fold_number(user, delta->is_normal);
    fold_reals(user, delta->by, 3);
}

static void on_cubic(void *user, const fh_scene_cubic *cubic)
{
    fold_number(user, (int64_t)cubic->kind);
    fold_number(user, cubic->id);
    fold_reals(user, cubic->frame, 2);
    fold_reals(user, &cubic->at[0][0], 6);
    fold_reals(user, &cubic->slope[0][0], 6);
}

static void on_remark(void *user, const char *text)
{
    fold_str(user, text);
}

static void look(uint64_t *hash, const fh_format *format, fh_cursor bytes,
                 const fh_cursor *companion)
{
    const fh_verify_options whole = {.stand_alone = true, .aligned = true, .companion = companion};
    const fh_scene_sink out = {hash,        on_about,  on_node,  on_image, on_mesh,
                               on_triangle, on_weight, on_delta, on_cubic, on_remark};
    const fh_replay_options options = {.time_step = 0};
    const fh_sink nobody = {0};
    uint64_t findings = EMPTY;
    decoded got = decode(&findings, format, bytes, &whole);
    fh_budget budget = fh_budget_for(got.len, 0);
    const fh_env env = {.arena = &got.arena, .budget = &budget, .sink = &nobody};
    if (got.model != NULL) {
        fold_number(hash, (int64_t)format->scene->describe(&env, &out, got.model, &options));
        note_work(&budget);
    }
    give_back(&got.arena);
}

static uint64_t rest(const fh_format *format, fh_cursor bytes, const fh_cursor *companion)
{
    uint64_t hash = EMPTY;
    label(&hash, format, bytes);
    look(&hash, format, bytes, companion);
    if (format->canonical != NULL) {
        write_anew(&hash, format, bytes);
    }
    if (format->repair != NULL) {
        mend(&hash, format, bytes);
    }
    if (format->units != NULL) {
        part(&hash, format, bytes);
    }
    if (format->joining != NULL) {
        join(&hash, format, bytes);
    }
    return hash;
}

outcome outcome_of(const fh_format *format, const input *in)
{
    const fh_cursor bytes = fh_cursor_make(in->bytes, in->len, 0);
    const fh_cursor companion = fh_cursor_make(in->model, in->model_len, 0);
    const fh_cursor *beside = in->model == NULL ? NULL : &companion;
    work = EMPTY;
    outcome out = {.search = search(format, bytes)};
    placing = format->scene;
    verify_and_replay(&out, format, bytes, beside);
    out.rest = rest(format, bytes, beside);
    out.work = work;
    return out;
}

const char *outcome_differs(const outcome *a, const outcome *b)
{
    return a->search != b->search   ? "search"
           : a->verify != b->verify ? "verify"
           : a->replay != b->replay ? "replay"
           : a->rest != b->rest     ? "rest"
           : a->work != b->work     ? "work"
                                    : NULL;
}
