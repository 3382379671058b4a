/* MIMe difference and reset blocks, ground grids, camera and light parameters. */
#include "forge/hmd_script.h"

/* ---- difference flags: a bit for each key that has a difference ---- */

static bool open_flags(forge_hmd_script *s, size_t off)
{
    int64_t flags = 0;
    s->flags_off = off;
    if (!forge_line_option_number(&s->as.line, forge_word_range("flags"), &flags, &s->flags_told)) {
        return false;
    }
    if (s->as.out.len >= off + 4) {
        forge_put_u32(s->as.out.data + off, (uint32_t)((uint64_t)flags & UINT32_MAX));
    }
    return true;
}

/* Takes the key's number, and sets its bit. */
static bool read_key(forge_hmd_script *s)
{
    int64_t key = 0;
    if (!forge_line_number(&s->as.line, forge_range_of("key", 0, 31), &key)) {
        return false;
    }
    if (!s->flags_told && s->as.out.len >= s->flags_off + 4) {
        s->as.out.data[s->flags_off + (size_t)key / 8] |= (uint8_t)(1U << (key % 8));
    }
    return true;
}

/* ---- joint MIMe ---- */

static bool do_joint(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    const size_t off = as->out.len;
    if (!forge_hmd_put_next(s, forge_u16_range("coordinate"), 2)) {
        return false;
    }
    forge_buf_fill(&as->out, 0, 6);
    return forge_asm_counter(as, &s->count, "n", off + 2, 16) && open_flags(s, off + 4) &&
           forge_line_end(&as->line);
}

typedef struct joint_values {
    bool has_v;
    bool has_t;
    int64_t v[3];
    int64_t t[3];
} joint_values;

static bool read_joint_part(forge_line *line, joint_values *in)
{
    if (!in->has_v && forge_line_accept(line, "dv")) {
        in->has_v = true;
        return forge_line_numbers(line, forge_s16_range("dv"), 3, in->v);
    }
    if (!in->has_t && forge_line_accept(line, "dt")) {
        in->has_t = true;
        return forge_line_numbers(line, forge_s32_range("dt"), 3, in->t);
    }
    const forge_word *word = forge_line_next(line);
    return forge_line_fail(line,
                           "'%.*s' is no part of a difference, expected dv X Y Z or dt X Y "
                           "Z, each at most once",
                           forge_word_width(word), word->at);
}

static bool any_of(const int64_t values[3])
{
    return values[0] != 0 || values[1] != 0 || values[2] != 0;
}

static bool do_delta(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    joint_values in = {0};
    if (!read_key(s)) {
        return false;
    }
    while (forge_line_peek(&as->line) != NULL) {
        if (!read_joint_part(&as->line, &in)) {
            return false;
        }
    }
    for (size_t i = 0; i < 3; i++) {
        forge_buf_u16(&as->out, (uint16_t)((uint64_t)in.v[i] & UINT16_MAX));
    }
    const int64_t dtp = (any_of(in.v) ? 1 : 0) + (any_of(in.t) ? 2 : 0);
    if (!forge_hmd_put_option(s, forge_half_range("dtp"), dtp, 2)) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        forge_buf_u32(&as->out, (uint32_t)((uint64_t)in.t[i] & UINT32_MAX));
    }
    return forge_line_end(&as->line) && forge_asm_count(as, &s->count, 1);
}

/* The area in which the run-time keeps what a reset brings back. */
static bool do_reset(forge_hmd_script *s)
{
    size_t before = 0;
    if (forge_line_accept(&s->as.line, "rpy")) {
        before = 6;
    } else if (forge_line_accept(&s->as.line, "axes")) {
        before = 18;
    } else {
        return forge_line_fail(&s->as.line, "the kind is missing, expected reset rpy or reset "
                                            "axes");
    }
    forge_buf_fill(&s->as.out, 0, before);
    if (!forge_hmd_put_option(s, forge_half_range("changed"), 0, 2)) {
        return false;
    }
    forge_buf_fill(&s->as.out, 0, 12);
    return forge_line_end(&s->as.line);
}

/* ---- vertex and normal MIMe ---- */

static bool do_shape(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    const size_t off = as->out.len;
    forge_buf_fill(&as->out, 0, 8);
    return forge_asm_counter(as, &s->notify_count, "m", off, 16) &&
           forge_asm_counter(as, &s->count, "n", off + 2, 16) && open_flags(s, off + 4) &&
           forge_line_end(&as->line);
}

static bool do_diff(forge_hmd_script *s)
{
    return read_key(s) && forge_hmd_put_next(s, forge_word_range("offset"), 4) &&
           forge_line_end(&s->as.line) && forge_asm_count(&s->as, &s->count, 1);
}

static bool do_notify(forge_hmd_script *s)
{
    return forge_hmd_put_next(s, forge_word_range("offset"), 4) && forge_line_end(&s->as.line) &&
           forge_asm_count(&s->as, &s->notify_count, 1);
}

static bool do_deltas(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    if (!forge_hmd_put_next(s, forge_word_range("first vertex"), 4) ||
        !forge_hmd_put_option(s, forge_half_range("pad"), 0, 2)) {
        return false;
    }
    forge_buf_u16(&as->out, 0);
    return forge_asm_counter(as, &s->count, "count", as->out.len - 2, 16) &&
           forge_line_end(&as->line);
}

static bool do_resets(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    if (!forge_hmd_put_option(s, forge_half_range("pad"), 0, 2)) {
        return false;
    }
    forge_buf_u16(&as->out, 0);
    return forge_asm_counter(as, &s->count, "n", as->out.len - 2, 16) && forge_line_end(&as->line);
}

static bool do_original(forge_hmd_script *s)
{
    return forge_hmd_put_next(s, forge_word_range("first vertex"), 4) &&
           forge_hmd_put_next(s, forge_word_range("first original"), 4) &&
           forge_hmd_put_option(s, forge_half_range("changed"), 0, 2) &&
           forge_hmd_put_next(s, forge_u16_range("number of vertices"), 2) &&
           forge_line_end(&s->as.line) && forge_asm_count(&s->as, &s->count, 1);
}

/* ---- ground ---- */

static bool do_ground(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    if (!forge_hmd_put_numbers(s, forge_half_range("ground"), 6, 2)) {
        return false;
    }
    const size_t off = as->out.len;
    forge_buf_u16(&as->out, 0);
    return forge_hmd_put_option(s, forge_u16_range("base"), 0, 2) &&
           forge_asm_counter(as, &s->count, "rows", off, 16) && forge_line_end(&as->line);
}

static bool do_row(forge_hmd_script *s)
{
    return forge_hmd_put_numbers(s, forge_u16_range("row"), 2, 2) && forge_line_end(&s->as.line) &&
           forge_asm_count(&s->as, &s->count, 1);
}

static bool do_cell(forge_hmd_script *s)
{
    if (forge_line_accept(&s->as.line, "textured")) {
        return forge_hmd_put_numbers(s, forge_u16_range("cell"), 2, 2) &&
               forge_line_end(&s->as.line);
    }
    if (!forge_line_accept(&s->as.line, "flat")) {
        return forge_line_fail(&s->as.line, "the kind is missing, expected cell flat R G B NORMAL "
                                            "or cell textured NORMAL UV");
    }
    if (!forge_hmd_put_numbers(s, forge_u8_range("cell"), 3, 1)) {
        return false;
    }
    forge_buf_u8(&s->as.out, 0);
    return forge_hmd_put_next(s, forge_u16_range("normal"), 2) &&
           forge_hmd_put_option(s, forge_half_range("pad"), 0, 2) && forge_line_end(&s->as.line);
}

/* Four corners; the CLUT stands behind the first, the texture page behind the second. */
static bool do_corners(forge_hmd_script *s)
{
    const forge_range range = forge_u8_range("corner");
    return forge_hmd_put_numbers(s, range, 2, 1) &&
           forge_hmd_put_option(s, forge_u16_range("clut"), 0, 2) &&
           forge_hmd_put_numbers(s, range, 2, 1) &&
           forge_hmd_put_option(s, forge_u16_range("page"), 0, 2) &&
           forge_hmd_put_numbers(s, range, 4, 1) && forge_line_end(&s->as.line);
}

/* ---- devices ---- */

static bool do_camera(forge_hmd_script *s)
{
    return forge_hmd_put_numbers(s, forge_s32_range("camera"), 8, 4) && forge_line_end(&s->as.line);
}

/* The colour alone is what ambient light takes. */
static bool do_light(forge_hmd_script *s)
{
    if (!forge_hmd_put_numbers(s, forge_u8_range("light"), 3, 1) ||
        !forge_hmd_put_option(s, forge_u8_range("pad"), 0, 1)) {
        return false;
    }
    if (forge_line_peek(&s->as.line) == NULL) {
        return forge_line_end(&s->as.line);
    }
    return forge_hmd_put_numbers(s, forge_s32_range("light"), 6, 4) && forge_line_end(&s->as.line);
}

static const forge_hmd_statement statements[] = {
    {"joint", FORGE_ANYWHERE, FORGE_AT_JOINT, do_joint},
    {"delta", FORGE_AT_JOINT, FORGE_KEEP, do_delta},
    {"reset", FORGE_ANYWHERE, FORGE_AT_DATA, do_reset},
    {"shape", FORGE_ANYWHERE, FORGE_AT_SHAPE, do_shape},
    {"diff", FORGE_AT_SHAPE, FORGE_KEEP, do_diff},
    {"notify", FORGE_AT_SHAPE, FORGE_KEEP, do_notify},
    {"deltas", FORGE_ANYWHERE, FORGE_AT_DELTAS, do_deltas},
    {"resets", FORGE_ANYWHERE, FORGE_AT_RESETS, do_resets},
    {"original", FORGE_AT_RESETS, FORGE_KEEP, do_original},
    {"ground", FORGE_ANYWHERE, FORGE_AT_GROUND, do_ground},
    {"row", FORGE_AT_GROUND, FORGE_KEEP, do_row},
    {"cell", FORGE_ANYWHERE, FORGE_AT_DATA, do_cell},
    {"corners", FORGE_ANYWHERE, FORGE_AT_DATA, do_corners},
    {"camera", FORGE_ANYWHERE, FORGE_AT_DATA, do_camera},
    {"light", FORGE_ANYWHERE, FORGE_AT_DATA, do_light},
};

const forge_hmd_statements forge_hmd_objects = {statements,
                                                sizeof statements / sizeof statements[0]};
