#include "forge/tod_text.h"

#include "forge/repeat.h"

#include <stdlib.h>

enum { MAX_PAYLOAD = FORGE_MAX_WORDS };

/* Where in a description we are; statements say where they may stand. */
enum { BEFORE = 1, BODY = 2, TAIL = 4, AFTER_CUT = 8 };

typedef struct script {
    forge_tod *tod;
    forge_error *err;
    const char *text;
    size_t len;
    size_t limit;
    size_t pos;
    unsigned phase;
    int64_t frame; /* number of the frame before; -1 at first, so that `frame +` gives 0 */
    forge_repeat repeat;
    forge_line line;
} script;

static forge_range range_of(const char *name, int64_t min, int64_t max)
{
    return (forge_range){.name = name, .min = min, .max = max};
}

static forge_range u8_range(const char *name)
{
    return range_of(name, 0, UINT8_MAX);
}

static forge_range u16_range(const char *name)
{
    return range_of(name, 0, UINT16_MAX);
}

static forge_range s32_range(const char *name)
{
    return range_of(name, INT32_MIN, INT32_MAX);
}

/* A word may be thought of as signed or unsigned. */
static forge_range word_range(const char *name)
{
    return range_of(name, INT32_MIN, UINT32_MAX);
}

static bool read_lie(forge_line *line, forge_range range, forge_lie *lie)
{
    int64_t value = 0;
    if (!forge_line_option_number(line, range, &value, &lie->told)) {
        return false;
    }
    lie->value = (uint32_t)value;
    return true;
}

/* The end of every packet line. */
static bool read_lies(forge_line *line, forge_tod_lies *lies)
{
    return read_lie(line, u8_range("len"), &lies->len_words) &&
           read_lie(line, range_of("flag", 0, 15), &lies->flag) &&
           read_lie(line, range_of("type", 0, 15), &lies->type) &&
           read_lie(line, u16_range("id"), &lies->id) && forge_line_end(line);
}

static bool read_id(forge_line *line, uint16_t *id)
{
    int64_t value = 0;
    if (!forge_line_number(line, u16_range("object id"), &value)) {
        return false;
    }
    *id = (uint16_t)value;
    return true;
}

/* ---- header, frames ---- */

static bool do_tod(script *s)
{
    int64_t id = 0x50;
    int64_t version = 0;
    int64_t resolution = 0;
    forge_tod_header header = {0};
    if (!forge_line_option_number(&s->line, u8_range("id"), &id, NULL) ||
        !forge_line_option_number(&s->line, u8_range("version"), &version, NULL) ||
        !forge_line_option_number(&s->line, u16_range("resolution"), &resolution, NULL) ||
        !read_lie(&s->line, range_of("count", 0, UINT32_MAX), &header.num_frames) ||
        !forge_line_end(&s->line)) {
        return false;
    }
    header.id = (uint8_t)id;
    header.version = (uint8_t)version;
    header.resolution = (uint16_t)resolution;
    forge_tod_begin(s->tod, &header, s->limit);
    s->phase = BODY;
    return true;
}

/* N, or + for one more than the frame before, or +K for K more. */
static bool read_frame_number(script *s, int64_t *number)
{
    const forge_range range = range_of("frame number", 0, UINT32_MAX);
    const forge_word *word = forge_line_peek(&s->line);
    if (word == NULL || word->quoted || word->at[0] != '+') {
        return forge_line_number(&s->line, range, number);
    }
    (void)forge_line_next(&s->line);
    int64_t step = 1;
    if (word->len > 1) {
        const forge_word digits = {.at = word->at + 1, .len = word->len - 1};
        if (!forge_word_number(&s->line, &digits, range_of("frame step", 0, UINT32_MAX), &step)) {
            return false;
        }
    }
    *number = s->frame + step;
    if (*number < range.min || *number > range.max) {
        return forge_line_fail(&s->line, "frame number: %lld is out of range, expected 0..%lld",
                               (long long)*number, (long long)range.max);
    }
    return true;
}

static bool do_frame(script *s)
{
    forge_tod_frame_lies lies = {0};
    int64_t number = 0;
    if (!read_frame_number(s, &number) ||
        !read_lie(&s->line, u16_range("size"), &lies.size_words) ||
        !read_lie(&s->line, u16_range("packets"), &lies.num_packets) || !forge_line_end(&s->line)) {
        return false;
    }
    s->frame = number;
    forge_tod_frame(s->tod, (uint32_t)number, &lies);
    return true;
}

/* ---- packets made of numbered parts: coord, light, camera ---- */

enum { MAX_PARTS = 3, MAX_PART_NUMBERS = 6 };

typedef struct part {
    const char *name;
    size_t num;
    int64_t min;
    int64_t max;
    bool has_pad; /* an unused field behind it, which pad=N sets */
} part;

typedef struct parts {
    const char *expected; /* for messages */
    part list[MAX_PARTS];
    int64_t pad_max;
} parts;

typedef struct part_values {
    bool has[MAX_PARTS];
    int64_t v[MAX_PARTS][MAX_PART_NUMBERS];
    int64_t pad;
} part_values;

static const parts coord_parts = {
    .expected = "r X Y Z, s X Y Z or t X Y Z, each at most once",
    .list = {{"r", 3, INT32_MIN, INT32_MAX, false},
             {"s", 3, INT16_MIN, INT16_MAX, true},
             {"t", 3, INT32_MIN, INT32_MAX, false}},
    .pad_max = UINT16_MAX,
};

static const parts light_parts = {
    .expected = "dir X Y Z or rgb R G B, each at most once",
    .list = {{"dir", 3, INT32_MIN, INT32_MAX, false}, {"rgb", 3, 0, UINT8_MAX, true}},
    .pad_max = UINT8_MAX,
};

static const parts view_parts = {
    .expected = "pos X Y Z X Y Z or twist A, each at most once",
    .list = {{"pos", 6, INT32_MIN, INT32_MAX, false}, {"twist", 1, INT32_MIN, INT32_MAX, false}},
};

static const parts camera_pose_parts = {
    .expected = "r X Y Z or t X Y Z, each at most once",
    .list = {{"r", 3, INT32_MIN, INT32_MAX, false}, {"t", 3, INT32_MIN, INT32_MAX, false}},
};

static bool read_part(forge_line *line, const parts *shape, part_values *out)
{
    const forge_word *word = forge_line_next(line);
    for (size_t i = 0; i < MAX_PARTS && shape->list[i].name != NULL; i++) {
        const part *p = &shape->list[i];
        if (forge_word_is(word, p->name) && !out->has[i]) {
            out->has[i] = true;
            return forge_line_numbers(line, range_of(p->name, p->min, p->max), p->num, out->v[i]);
        }
    }
    return forge_line_fail(line, "'%.*s' is no part of this packet, expected %s",
                           forge_word_width(word), word->at, shape->expected);
}

static bool read_pad(forge_line *line, const parts *shape, part_values *out)
{
    bool found = false;
    for (size_t i = 0; i < MAX_PARTS; i++) {
        if (out->has[i] && shape->list[i].has_pad) {
            return forge_line_option_number(line, range_of("pad", 0, shape->pad_max), &out->pad,
                                            &found);
        }
    }
    return true; /* a pad without its part is then an unexpected option */
}

static bool read_parts(forge_line *line, const parts *shape, part_values *out)
{
    while (forge_line_peek(line) != NULL) {
        if (!read_part(line, shape, out)) {
            return false;
        }
    }
    return read_pad(line, shape, out);
}

static bool read_differential(forge_line *line)
{
    return !forge_line_accept(line, "abs") && forge_line_accept(line, "diff");
}

static void to_s32(int32_t *out, const int64_t *values, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        out[i] = (int32_t)values[i];
    }
}

static bool do_coord(script *s)
{
    uint16_t id = 0;
    part_values in = {0};
    forge_tod_lies lies = {0};
    forge_tod_pose pose = {0};
    if (!read_id(&s->line, &id)) {
        return false;
    }
    pose.differential = read_differential(&s->line);
    if (!read_parts(&s->line, &coord_parts, &in) || !read_lies(&s->line, &lies)) {
        return false;
    }
    pose.has_rotation = in.has[0];
    pose.has_scale = in.has[1];
    pose.has_translation = in.has[2];
    pose.pad = (uint16_t)in.pad;
    to_s32(pose.rotation, in.v[0], 3);
    to_s32(pose.translation, in.v[2], 3);
    for (size_t i = 0; i < 3; i++) {
        pose.scale[i] = (int16_t)in.v[1][i];
    }
    forge_tod_coordinate(s->tod, id, &pose, &lies);
    return true;
}

static bool do_light(script *s)
{
    uint16_t id = 0;
    part_values in = {0};
    forge_tod_lies lies = {0};
    forge_tod_light light = {0};
    if (!read_id(&s->line, &id)) {
        return false;
    }
    light.differential = read_differential(&s->line);
    if (!read_parts(&s->line, &light_parts, &in) || !read_lies(&s->line, &lies)) {
        return false;
    }
    light.has_direction = in.has[0];
    light.has_colour = in.has[1];
    light.pad = (uint8_t)in.pad;
    to_s32(light.direction, in.v[0], 3);
    for (size_t i = 0; i < 3; i++) {
        light.colour[i] = (uint8_t)in.v[1][i];
    }
    forge_tod_set_light(s->tod, id, &light, &lies);
    return true;
}

static bool finish_view(script *s, uint16_t id, bool differential)
{
    part_values in = {0};
    forge_tod_lies lies = {0};
    if (!read_parts(&s->line, &view_parts, &in) || !read_lies(&s->line, &lies)) {
        return false;
    }
    forge_tod_view view = {
        .differential = differential, .has_position = in.has[0], .has_twist = in.has[1]};
    to_s32(view.position, in.v[0], 6);
    to_s32(&view.twist, in.v[1], 1);
    forge_tod_camera_view(s->tod, id, &view, &lies);
    return true;
}

static bool finish_camera_pose(script *s, uint16_t id, bool differential)
{
    part_values in = {0};
    forge_tod_lies lies = {0};
    if (!read_parts(&s->line, &camera_pose_parts, &in) || !read_lies(&s->line, &lies)) {
        return false;
    }
    forge_tod_pose pose = {
        .differential = differential, .has_rotation = in.has[0], .has_translation = in.has[1]};
    to_s32(pose.rotation, in.v[0], 3);
    to_s32(pose.translation, in.v[1], 3);
    forge_tod_camera_pose(s->tod, id, &pose, &lies);
    return true;
}

static bool do_camera(script *s)
{
    uint16_t id = 0;
    if (!read_id(&s->line, &id)) {
        return false;
    }
    bool differential = read_differential(&s->line);
    if (forge_line_accept(&s->line, "view")) {
        return finish_view(s, id, differential);
    }
    if (forge_line_accept(&s->line, "rt")) {
        return finish_camera_pose(s, id, differential);
    }
    return forge_line_fail(&s->line, "the camera's form is missing, expected view or rt");
}

/* ---- the other packets ---- */

static bool do_attr(script *s)
{
    uint16_t id = 0;
    int64_t mask = 0;
    int64_t value = 0;
    forge_tod_lies lies = {0};
    if (!read_id(&s->line, &id) || !forge_line_number(&s->line, word_range("mask"), &mask) ||
        !forge_line_number(&s->line, word_range("value"), &value) || !read_lies(&s->line, &lies)) {
        return false;
    }
    forge_tod_attribute(s->tod, id, (uint32_t)mask, (uint32_t)value, &lies);
    return true;
}

static bool do_model(script *s)
{
    uint16_t id = 0;
    int64_t model = 0;
    forge_tod_lies lies = {0};
    if (!read_id(&s->line, &id) || !forge_line_number(&s->line, word_range("model"), &model) ||
        !read_lies(&s->line, &lies)) {
        return false;
    }
    forge_tod_model(s->tod, id, (uint32_t)model, &lies);
    return true;
}

static bool do_parent(script *s)
{
    uint16_t id = 0;
    int64_t parent = 0;
    forge_tod_lies lies = {0};
    if (!read_id(&s->line, &id)) {
        return false;
    }
    if (!forge_line_accept(&s->line, "world") &&
        !forge_line_number(&s->line, word_range("parent"), &parent)) {
        return false;
    }
    if (!read_lies(&s->line, &lies)) {
        return false;
    }
    forge_tod_parent(s->tod, id, (uint32_t)parent, &lies);
    return true;
}

static bool do_matrix(script *s)
{
    uint16_t id = 0;
    int64_t m[9];
    int64_t t[3];
    int64_t pad = 0;
    forge_tod_lies lies = {0};
    if (!read_id(&s->line, &id) ||
        !forge_line_numbers(&s->line, range_of("matrix element", INT16_MIN, INT16_MAX), 9, m) ||
        !forge_line_numbers(&s->line, s32_range("translation"), 3, t) ||
        !forge_line_option_number(&s->line, u16_range("pad"), &pad, NULL) ||
        !read_lies(&s->line, &lies)) {
        return false;
    }
    forge_tod_matrix matrix = {.pad = (uint16_t)pad};
    for (size_t i = 0; i < 9; i++) {
        matrix.m[i] = (int16_t)m[i];
    }
    to_s32(matrix.t, t, 3);
    forge_tod_set_matrix(s->tod, id, &matrix, &lies);
    return true;
}

static bool do_control(script *s, bool kill)
{
    uint16_t id = 0;
    forge_tod_lies lies = {0};
    if (!read_id(&s->line, &id) || !read_lies(&s->line, &lies)) {
        return false;
    }
    forge_tod_control(s->tod, id, kill, &lies);
    return true;
}

static bool do_create(script *s)
{
    return do_control(s, false);
}

static bool do_kill(script *s)
{
    return do_control(s, true);
}

static bool do_end(script *s)
{
    forge_tod_lies lies = {0};
    if (!read_lies(&s->line, &lies)) {
        return false;
    }
    forge_tod_end_mark(s->tod, &lies);
    return true;
}

static bool do_packet(script *s)
{
    uint16_t id = 0;
    int64_t type = 0;
    int64_t flag = 0;
    forge_tod_lies lies = {0};
    uint32_t words[MAX_PAYLOAD];
    size_t num = 0;
    if (!read_id(&s->line, &id) || !forge_line_number(&s->line, range_of("type", 0, 15), &type) ||
        !forge_line_number(&s->line, range_of("flag", 0, 15), &flag)) {
        return false;
    }
    while (forge_line_peek(&s->line) != NULL) {
        int64_t word = 0;
        if (!forge_line_number(&s->line, word_range("word"), &word)) {
            return false;
        }
        words[num++] = (uint32_t)word;
    }
    if (!read_lies(&s->line, &lies)) {
        return false;
    }
    forge_tod_packet(s->tod, id, (uint8_t)type, (uint8_t)flag, words, num, &lies);
    return true;
}

/* ---- raw bytes, tail, cut ---- */

typedef void put_number(script *s, int64_t value);

static bool put_all(script *s, forge_range range, put_number *put)
{
    do {
        int64_t value = 0;
        if (!forge_line_number(&s->line, range, &value)) {
            return false;
        }
        put(s, value);
    } while (forge_line_peek(&s->line) != NULL);
    return forge_line_end(&s->line);
}

static void put_word(script *s, int64_t value)
{
    if (s->phase == BODY) {
        forge_tod_word(s->tod, (uint32_t)value);
    } else {
        forge_buf_u32(&s->tod->out, (uint32_t)value);
    }
}

static void put_byte(script *s, int64_t value)
{
    forge_buf_u8(&s->tod->out, (uint8_t)value);
}

static bool do_word(script *s)
{
    return put_all(s, word_range("word"), put_word);
}

static bool do_byte(script *s)
{
    return put_all(s, u8_range("byte"), put_byte);
}

static bool do_zero(script *s)
{
    int64_t num = 0;
    if (!forge_line_number(&s->line, range_of("number of bytes", 0, FORGE_TOD_LIMIT), &num) ||
        !forge_line_end(&s->line)) {
        return false;
    }
    forge_buf_fill(&s->tod->out, 0, (size_t)num);
    return true;
}

static void enter_tail(script *s, unsigned phase)
{
    if (s->phase == BODY) {
        forge_tod_finish(s->tod);
    }
    s->phase = phase;
}

static bool do_tail(script *s)
{
    if (!forge_repeat_outside(&s->repeat, &s->line, "tail") || !forge_line_end(&s->line)) {
        return false;
    }
    enter_tail(s, TAIL);
    return true;
}

static bool do_cut(script *s)
{
    int64_t num = 0;
    bool keep = forge_line_accept(&s->line, "to");
    if (!forge_repeat_outside(&s->repeat, &s->line, "cut") ||
        !forge_line_number(&s->line, range_of("number of bytes", 0, FORGE_TOD_LIMIT), &num) ||
        !forge_line_end(&s->line)) {
        return false;
    }
    enter_tail(s, AFTER_CUT);
    if (keep) {
        forge_tod_keep(s->tod, (size_t)num);
    } else {
        forge_tod_cut(s->tod, (size_t)num);
    }
    return true;
}

/* ---- repeat ---- */

static bool do_repeat(script *s)
{
    return forge_repeat_begin(&s->repeat, &s->line, s->pos);
}

static bool do_endrepeat(script *s)
{
    return forge_repeat_end(&s->repeat, &s->line, &s->pos);
}

/* ---- statements ---- */

typedef struct statement {
    const char *name;
    unsigned where;
    bool (*run)(script *s);
} statement;

static const statement statements[] = {
    {"tod", BEFORE, do_tod},
    {"frame", BODY, do_frame},
    {"attr", BODY, do_attr},
    {"coord", BODY, do_coord},
    {"model", BODY, do_model},
    {"parent", BODY, do_parent},
    {"matrix", BODY, do_matrix},
    {"light", BODY, do_light},
    {"camera", BODY, do_camera},
    {"create", BODY, do_create},
    {"kill", BODY, do_kill},
    {"end", BODY, do_end},
    {"packet", BODY, do_packet},
    {"word", BODY | TAIL, do_word},
    {"byte", TAIL, do_byte},
    {"zero", TAIL, do_zero},
    {"tail", BODY, do_tail},
    {"cut", BODY | TAIL, do_cut},
    {"repeat", BODY | TAIL, do_repeat},
    {"endrepeat", BODY | TAIL, do_endrepeat},
};

static const statement *find_statement(const forge_word *name)
{
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (forge_word_is(name, statements[i].name)) {
            return &statements[i];
        }
    }
    return NULL;
}

static bool misplaced(script *s, const statement *what)
{
    switch (s->phase) {
    case BEFORE:
        return forge_line_fail(&s->line, "'%s' before the header, expected 'tod' first",
                               what->name);
    case BODY:
        return forge_line_fail(&s->line,
                               what->where == TAIL
                                   ? "'%s' belongs behind the frames, expected 'tail' "
                                     "before it"
                                   : "'%s' again: a description has one header",
                               what->name);
    case TAIL:
        return forge_line_fail(&s->line, "'%s' in the tail, expected byte, word, zero or cut",
                               what->name);
    default:
        return forge_line_fail(&s->line, "'%s' behind cut, expected the end of the description",
                               what->name);
    }
}

static bool builder_is_well(script *s)
{
    forge_tod_state state = forge_tod_status(s->tod);
    if (state == FORGE_TOD_OK) {
        return true;
    }
    forge_kind kind = state == FORGE_TOD_NO_MEMORY ? FORGE_IO : FORGE_BAD;
    if (state == FORGE_TOD_FULL) {
        return forge_fail(s->err, kind, s->line.number, "%s of %zu bytes",
                          forge_tod_state_text(state), s->limit);
    }
    return forge_fail(s->err, kind, s->line.number, "%s", forge_tod_state_text(state));
}

static bool run_line(script *s)
{
    if (s->line.num_words == 0) {
        return true;
    }
    const forge_word *name = forge_line_next(&s->line);
    const statement *what = find_statement(name);
    if (what == NULL) {
        return forge_line_fail(&s->line,
                               "'%.*s' is unknown, expected a statement such as tod, "
                               "frame, coord or repeat",
                               forge_word_width(name), name->at);
    }
    if ((what->where & s->phase) == 0) {
        return misplaced(s, what);
    }
    return what->run(s) && builder_is_well(s);
}

static bool step(script *s)
{
    return forge_repeat_step(&s->repeat, &s->line) &&
           forge_line_read(&s->line, s->text, s->len, &s->pos) && run_line(s);
}

static bool finish(script *s)
{
    if (!forge_repeat_closed(&s->repeat, &s->line)) {
        return false;
    }
    if (s->phase == BEFORE) {
        return forge_line_fail(&s->line, "nothing is described, expected 'tod' first");
    }
    enter_tail(s, AFTER_CUT);
    return builder_is_well(s);
}

bool forge_tod_text(forge_tod *tod, forge_error *err, const char *text, size_t len, size_t limit)
{
    *tod = (forge_tod){.out = forge_buf_make(limit)};
    script *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    s->tod = tod;
    s->err = err;
    s->text = text;
    s->len = len;
    s->limit = limit;
    s->phase = BEFORE;
    s->frame = -1;
    s->line.err = err;
    bool ok = true;
    while (ok && s->pos < len) {
        ok = step(s);
    }
    ok = ok && finish(s);
    free(s);
    return ok;
}
