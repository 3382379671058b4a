#include "tra/tra_decode.h"

#include "tra/tra_bac.h"
#include "tra/tra_checks.h"
#include "tra/tra_fragment.h"

static fh_cursor own_bytes(fh_cursor bytes)
{
    const size_t size = bytes.size < FH_MAX_ASSET_LEN ? bytes.size : FH_MAX_ASSET_LEN;
    fh_cursor own = fh_cursor_sub(&bytes, 0, size);
    own.origin = 0;
    return own;
}

/* So much was sound that this is a TRA4 text, but a damaged one: Head holds and some key is whole.
 */
static bool is_near_miss(const tra_parse *parse)
{
    return parse->has_head && parse->model->num_keys > 0;
}

/* Of readings that begin in the comments in front of a text, its first line included, all go on in
 * the same way behind the line that they begin in, if they take the bytes for the same characters.
 */
static unsigned kind_of(fh_cursor bytes)
{
    const fh_encoding encoding = fh_scan_guess(bytes);
    const unsigned odd = encoding == FH_ENCODING_BYTES ? 0 : (unsigned)(bytes.origin % 2);
    return 1 + 2 * (unsigned)encoding + odd;
}

/* What an earlier reading knows of this one: nothing (false), that it fails, or that it goes on for
 * too long. It was told then. */
static bool ask_memo(fh_probe *out, const fh_memo *memo, fh_cursor bytes)
{
    const fh_memo_range *range = fh_memo_in_range(memo, kind_of(bytes), bytes.origin);
    if (range == NULL) {
        return false;
    }
    if (range->reach == 0) {
        *out = (fh_probe){
            .verdict = FH_REJECT, .rule = &tra_rules[TRA0001], .status = FH_NOT_THIS_FORMAT};
        return true;
    }
    *out = (fh_probe){.verdict = FH_MORE, .length = FH_MAX_ASSET_LEN + 1};
    return range->reach - bytes.origin >= FH_MAX_ASSET_LEN / 2;
}

static void note_comments(const tra_parse *parse, const fh_probe *out, fh_memo *memo,
                          fh_cursor bytes)
{
    const bool is_endless = out->verdict == FH_MORE && out->length > FH_MAX_ASSET_LEN;
    const bool is_broken = out->verdict == FH_REJECT && out->status != FH_LIMIT;
    if (parse->last_comment > 0 && (is_endless || is_broken)) {
        const fh_memo_range range = {.kind = kind_of(bytes),
                                     .first = bytes.origin + 1,
                                     .last = bytes.origin + parse->last_comment,
                                     .reach = is_endless ? bytes.origin + bytes.size : 0};
        fh_memo_note_range(memo, &range);
    }
}

void tra_probe(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
               fh_budget *budget)
{
    if (ask_memo(out, memo, bytes)) {
        return;
    }
    tra_model model = {0};
    const tra_check check = tra_check_make(&model, NULL, budget, arena);
    tra_parse parse;
    const tra_part part =
        tra_read_any(&parse, &model, check, own_bytes(bytes), end != FH_END_NONE, true);
    *out = (fh_probe){.verdict = FH_ACCEPT, .evidence_bits = parse.worth.evidence};
    if (part != TRA_WHOLE) {
        out->length = tra_part_len(&parse);
        out->frames = model.total_frames;
    } else if (parse.check.stopped) {
        out->verdict = FH_REJECT;
        out->rule = &tra_rules[TRA0141];
        out->status = FH_LIMIT;
    } else if (parse.wants_more) {
        out->verdict = FH_MORE;
        out->length = bytes.size + 1;
    } else if (parse.is_faulty) {
        out->verdict = FH_REJECT;
        out->rule = &tra_rules[parse.rule];
        out->reject_off = parse.fault_off;
        out->status = parse.fault_status;
        out->near_miss = is_near_miss(&parse);
    } else {
        out->length = model.end;
        out->frames = model.total_frames;
    }
    note_comments(&parse, out, memo, bytes);
}

static bool make_tables(tra_model *model, fh_arena *arena)
{
    model->bones = fh_arena_alloc(arena, model->num_bones, sizeof *model->bones);
    model->channels = fh_arena_alloc(arena, model->num_channels, sizeof *model->channels);
    model->keys = fh_arena_alloc(arena, model->num_keys, sizeof *model->keys);
    model->group_keys = fh_arena_alloc(arena, model->num_group_keys, sizeof *model->group_keys);
    return model->bones != NULL && model->channels != NULL && model->keys != NULL &&
           model->group_keys != NULL;
}

static fh_status limit(const tra_check *check)
{
    tra_tell(check, TRA0141, check->no_memory ? "memory" : "work budget", (fh_text_place){0, 1, 1},
             fh_words("spent"), fh_words("work in proportion to the length"));
    return check->no_memory ? FH_NO_MEMORY : FH_LIMIT;
}

static void check_all(tra_check *check)
{
    static void (*const checks[])(tra_check *) = {tra_check_bones, tra_check_keys, tra_check_values,
                                                  tra_check_rotate, tra_check_dynamic};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (!check->stopped && !check->no_memory) {
            tra_clear_place(check);
            checks[i](check);
        }
    }
}

/* Reads the model that the animation belongs to, and holds one against the other. */
static void check_companion(tra_check *check, tra_model *model, const fh_cursor *companion)
{
    tra_clear_place(check);
    model->has_companion = true;
    model->bac = tra_bac_read(check, *companion);
    if (model->bac != NULL) {
        tra_check_bac(check, model->bac);
    }
}

/* Counts, then fills the tables; what there is of a fragment is counted within its own bytes. */
static fh_status read_twice(tra_parse *parse, tra_model *model, tra_check *check, fh_cursor bytes,
                            tra_part *part, bool is_carved)
{
    tra_check silent = *check;
    silent.reporter = NULL;
    *part = tra_read_any(parse, model, silent, bytes, true, is_carved);
    if (*part != TRA_WHOLE) {
        bytes = fh_cursor_sub(&bytes, 0, tra_part_len(parse));
        tra_read_part(parse, model, silent, bytes, *part);
    }
    if (parse->check.stopped || !make_tables(model, check->arena)) {
        check->stopped = parse->check.stopped;
        check->no_memory = !check->stopped;
        return limit(check);
    }
    tra_read_part(parse, model, *check, bytes, *part);
    if (parse->check.stopped) {
        check->stopped = true;
        return limit(check);
    }
    return FH_OK;
}

/* Judges a fragment as far as it can be. It is never more than a structure, and is not replayed. */
static fh_status judge_part(fh_asset *asset, tra_check *check, const tra_parse *parse,
                            tra_part part)
{
    asset->length = tra_part_len(parse);
    tra_tell_part(parse, part);
    if (part == TRA_FRONT) {
        check_all(check);
    } else {
        tra_check_keys(check);
        tra_check_dynamic(check);
    }
    if (check->stopped || check->no_memory) {
        return limit(check);
    }
    asset->grade = FH_GRADE_STRUCTURE;
    return FH_OK;
}

static fh_status decode(fh_asset *asset, const void **out, tra_check *check, tra_model *model,
                        fh_cursor bytes, const fh_verify_options *options)
{
    tra_parse parse;
    tra_part part = TRA_WHOLE;
    const fh_status status = read_twice(&parse, model, check, bytes, &part, !options->stand_alone);
    asset->evidence_bits = parse.worth.evidence;
    asset->objects = model->num_bones;
    if (status != FH_OK) {
        return status;
    }
    asset->frames = model->has_total ? (int64_t)model->total_frames : FH_UNKNOWN;
    if (part != TRA_WHOLE) {
        return judge_part(asset, check, &parse, part);
    }
    asset->length = parse.is_stopped ? parse.fault_off : model->end;
    if (!parse.is_stopped) {
        check_all(check);
    }
    if (!parse.is_faulty && options->companion != NULL && !check->stopped && !check->no_memory) {
        check_companion(check, model, options->companion);
    }
    const bool is_sound = !fh_reporter_has_errors(check->reporter);
    if (!parse.is_stopped && options->stand_alone) {
        tra_parse_behind(&parse); /* not its own, and so without a say in the grade */
    }
    if (check->stopped || check->no_memory || parse.check.stopped) {
        return limit(check);
    }
    if (parse.is_faulty) {
        return parse.fault_status;
    }
    model->is_sound = is_sound;
    *out = model;
    asset->grade = is_sound ? FH_GRADE_REFERENCES : FH_GRADE_STRUCTURE;
    return FH_OK;
}

fh_status tra_verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                     const fh_verify_options *options)
{
    fh_reporter reporter;
    *asset =
        (fh_asset){.grade = FH_GRADE_CANDIDATE, .frames = FH_UNKNOWN, .ram_address = FH_UNKNOWN};
    *model = NULL;
    tra_model *table = fh_arena_alloc(env->arena, 1, sizeof *table);
    if (table == NULL) {
        return FH_NO_MEMORY;
    }
    fh_status status = fh_reporter_open(&reporter, env->arena, env->sink, tra_rules, TRA_NUM_RULES);
    if (status != FH_OK) {
        return status;
    }
    tra_check check = tra_check_make(table, &reporter, env->budget, env->arena);
    status = decode(asset, model, &check, table, own_bytes(bytes), options);
    fh_reporter_close(&reporter);
    return status;
}
