/* A decoded TOD in the forge's language. The players see the words of a packet through the same
 * functions, so that a part that is looked for in the wrong place is written to another one. */
#include "anew.h"

#include "forge/tod_text.h"
#include "tod/tod_model.h"

/* A packet, and the flag that the forge gives it for what was said. */
typedef struct telling {
    fuzz_description *out;
    const tod_model *model;
    const tod_packet *packet;
    unsigned flag;
} telling;

/* What is set of the flag's bits, and so is said. */
static bool has(telling *of, unsigned bit)
{
    of->flag |= of->packet->flag & bit;
    return (of->packet->flag & bit) != 0;
}

static void say_mode(telling *of, unsigned bit)
{
    fuzz_say(of->out, has(of, bit) ? " diff" : " abs");
}

static void say_signed(telling *of, const char *name, unsigned first, unsigned num)
{
    fuzz_say(of->out, name);
    for (unsigned i = 0; i < num; i++) {
        fuzz_say_number(of->out, " ", tod_signed_word(of->model, of->packet, first + i));
    }
}

static void say_halves(telling *of, const char *name, unsigned first, unsigned num)
{
    fuzz_say(of->out, name);
    for (unsigned i = 0; i < num; i++) {
        fuzz_say_number(of->out, " ", tod_half(of->model, of->packet, first + i / 2, i % 2));
    }
}

static void say_word(telling *of, unsigned index)
{
    fuzz_say_number(of->out, " ", tod_word(of->model, of->packet, index));
}

static void say_pad(telling *of, unsigned index)
{
    fuzz_say_number(of->out, " pad=", (uint16_t)tod_half(of->model, of->packet, index, 1));
}

static void say_id(telling *of, const char *name)
{
    fuzz_say_number(of->out, name, of->packet->id);
}

/* ---- packets ---- */

static void say_attribute(telling *of)
{
    say_id(of, "attr ");
    say_word(of, 1);
    say_word(of, 2);
}

static void say_coordinate(telling *of)
{
    const tod_parts parts = tod_coordinate_parts(of->packet);
    say_id(of, "coord ");
    say_mode(of, TOD_DIFF);
    if (has(of, TOD_R)) {
        say_signed(of, " r", parts.r, 3);
    }
    if (has(of, TOD_S)) {
        say_halves(of, " s", parts.s, 3);
        say_pad(of, parts.s + 1);
    }
    if (has(of, TOD_T)) {
        say_signed(of, " t", parts.t, 3);
    }
}

static void say_model_id(telling *of)
{
    say_id(of, "model ");
    say_word(of, 1);
}

static void say_parent(telling *of)
{
    say_id(of, "parent ");
    say_word(of, 1);
}

static void say_matrix(telling *of)
{
    say_id(of, "matrix ");
    say_halves(of, "", 1, 9);
    say_signed(of, "", 6, 3);
    say_pad(of, 5);
}

static void say_light(telling *of)
{
    say_id(of, "light ");
    say_mode(of, TOD_DIFF);
    if (has(of, TOD_DIRECTION)) {
        say_signed(of, " dir", 1, 3);
    }
    if (has(of, TOD_COLOUR)) {
        const uint32_t word = tod_word(of->model, of->packet, tod_colour_index(of->packet));
        fuzz_say(of->out, " rgb");
        for (unsigned i = 0; i < 3; i++) {
            fuzz_say_number(of->out, " ", word >> (8 * i) & 0xff);
        }
        fuzz_say_number(of->out, " pad=", word >> 24);
    }
}

static void say_camera(telling *of)
{
    const bool is_rt = has(of, TOD_CAMERA_RT);
    const unsigned num_a = is_rt ? 3 : 6;
    say_id(of, "camera ");
    say_mode(of, TOD_CAMERA_DIFF);
    fuzz_say(of->out, is_rt ? " rt" : " view");
    if (has(of, TOD_CAMERA_A)) {
        say_signed(of, is_rt ? " r" : " pos", 1, num_a);
    }
    if (has(of, TOD_CAMERA_B)) {
        const unsigned first = (of->packet->flag & TOD_CAMERA_A) != 0 ? 1 + num_a : 1;
        say_signed(of, is_rt ? " t" : " twist", first, is_rt ? 3 : 1);
    }
}

static void say_control(telling *of)
{
    say_id(of, has(of, TOD_KILL) ? "kill " : "create ");
}

/* What no player looks into: the words as they are. */
static void say_raw(telling *of)
{
    say_id(of, "packet ");
    fuzz_say_number(of->out, " ", of->packet->type);
    fuzz_say_number(of->out, " ", of->packet->flag);
    of->flag = of->packet->flag;
    for (unsigned i = 1; i < of->packet->len_words; i++) {
        say_word(of, i);
    }
}

typedef void say_packet(telling *of);
static say_packet *const sayers[16] = {
    [TOD_ATTRIBUTE] = say_attribute, [TOD_COORDINATE] = say_coordinate,
    [TOD_MODEL_ID] = say_model_id,   [TOD_PARENT] = say_parent,
    [TOD_MATRIX] = say_matrix,       [TOD_LIGHT] = say_light,
    [TOD_CAMERA] = say_camera,       [TOD_CONTROL] = say_control};

/* Bits of the flag that mean nothing for the type are said as they are. */
static void say(telling *of)
{
    say_packet *const sayer = sayers[of->packet->type];
    if (sayer != NULL) {
        sayer(of);
    } else {
        say_raw(of);
    }
    if (of->flag != of->packet->flag) {
        fuzz_say_number(of->out, " flag=", of->packet->flag);
    }
    fuzz_say(of->out, "\n");
}

static bool describe(fuzz_description *out, const void *of)
{
    const tod_model *model = of;
    fuzz_say_number(out, "tod resolution=", model->resolution);
    fuzz_say(out, "\n");
    for (uint32_t i = 0; i < model->num_frames; i++) {
        const tod_frame *frame = &model->frames[i];
        fuzz_say_number(out, "frame ", frame->number);
        fuzz_say(out, "\n");
        for (uint32_t k = 0; k < frame->num_packets; k++) {
            telling packet = {out, model, &model->packets[frame->first_packet + k], 0};
            say(&packet);
        }
    }
    return true;
}

static bool assemble(forge_buf *out, forge_error *err, const char *text, size_t len, size_t limit)
{
    forge_tod tod;
    const bool is_made = forge_tod_text(&tod, err, text, len, limit);
    *out = tod.out;
    return is_made;
}

const fuzz_anew fuzz_anew_tod = {describe, assemble, true};
