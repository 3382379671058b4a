#include "forge/tod.h"

#include <assert.h>

enum {
    WORD_LEN = 4,
    MAX_PAYLOAD_WORDS = 254 /* the length byte counts the header word too */
};

/* Packet types, from the TOD manual. */
enum {
    ATTRIBUTE = 0,
    COORDINATE = 1,
    MODEL = 2,
    PARENT = 3,
    MATRIX = 4,
    LIGHT = 6,
    CAMERA = 7,
    CONTROL = 8,
    SPECIAL = 15
};

static uint32_t truth_or(forge_lie lie, uint32_t truth)
{
    return lie.told ? lie.value : truth;
}

static void fail(forge_tod *tod, forge_tod_state state)
{
    if (tod->state == FORGE_TOD_OK) {
        tod->state = state;
    }
}

forge_tod_state forge_tod_status(const forge_tod *tod)
{
    if (tod->state != FORGE_TOD_OK) {
        return tod->state;
    }
    switch (tod->out.state) {
    case FORGE_BUF_FULL:
        return FORGE_TOD_FULL;
    case FORGE_BUF_NO_MEMORY:
        return FORGE_TOD_NO_MEMORY;
    case FORGE_BUF_OK:
        break;
    }
    return FORGE_TOD_OK;
}

const char *forge_tod_state_text(forge_tod_state state)
{
    static const char *const texts[] = {
        [FORGE_TOD_OK] = "no error",
        [FORGE_TOD_FULL] = "the file grows past the output limit",
        [FORGE_TOD_NO_MEMORY] = "out of memory",
        [FORGE_TOD_NO_FRAME] = "no frame was begun, expected 'frame' first",
        [FORGE_TOD_LONG_PACKET] = "a packet has at most 254 words behind its header; give len=N",
        [FORGE_TOD_LONG_FRAME] = "the frame has more than 65535 words; give size=N",
        [FORGE_TOD_MANY_PACKETS] = "the frame has more than 65535 packets; give packets=N",
        [FORGE_TOD_CUT_TOO_MUCH] = "the file is shorter than that",
    };
    return texts[state];
}

void forge_tod_begin(forge_tod *tod, const forge_tod_header *header, size_t limit)
{
    *tod = (forge_tod){.out = forge_buf_make(limit), .file_frames = header->num_frames};
    forge_buf_u8(&tod->out, header->id);
    forge_buf_u8(&tod->out, header->version);
    forge_buf_u16(&tod->out, header->resolution);
    forge_buf_u32(&tod->out, 0); /* the number of frames, known at the end */
}

void forge_tod_free(forge_tod *tod)
{
    forge_buf_free(&tod->out);
}

/* Fills in the header of the open frame. */
static void end_frame(forge_tod *tod)
{
    if (!tod->in_frame || forge_tod_status(tod) != FORGE_TOD_OK) {
        return;
    }
    const forge_tod_frame_lies *lies = &tod->frame_lies;
    size_t words = (tod->out.len - tod->frame_off) / WORD_LEN;
    if (words > UINT16_MAX && !lies->size_words.told) {
        fail(tod, FORGE_TOD_LONG_FRAME);
        return;
    }
    if (tod->frame_packets > UINT16_MAX && !lies->num_packets.told) {
        fail(tod, FORGE_TOD_MANY_PACKETS);
        return;
    }
    uint32_t size = truth_or(lies->size_words, (uint32_t)words);
    uint32_t packets = truth_or(lies->num_packets, tod->frame_packets);
    assert(size <= UINT16_MAX && packets <= UINT16_MAX);
    forge_put_u16(tod->out.data + tod->frame_off, (uint16_t)size);
    forge_put_u16(tod->out.data + tod->frame_off + 2, (uint16_t)packets);
    tod->in_frame = false;
}

void forge_tod_frame(forge_tod *tod, uint32_t number, const forge_tod_frame_lies *lies)
{
    end_frame(tod);
    tod->frame_lies = lies != NULL ? *lies : (forge_tod_frame_lies){0};
    tod->frame_off = tod->out.len;
    tod->frame_packets = 0;
    tod->in_frame = true;
    tod->num_frames++;
    forge_buf_u32(&tod->out, 0); /* size and packets, known at the frame's end */
    forge_buf_u32(&tod->out, number);
}

static uint32_t packet_header(uint16_t id, uint8_t type, uint8_t flag, uint32_t len_words,
                              const forge_tod_lies *lies)
{
    uint32_t said_id = truth_or(lies->id, id);
    uint32_t said_type = truth_or(lies->type, type);
    uint32_t said_flag = truth_or(lies->flag, flag);
    uint32_t said_len = truth_or(lies->len_words, len_words);
    assert(said_id <= UINT16_MAX && said_type <= 15 && said_flag <= 15 && said_len <= UINT8_MAX);
    return said_id | said_type << 16 | said_flag << 20 | said_len << 24;
}

void forge_tod_packet(forge_tod *tod, uint16_t id, uint8_t type, uint8_t flag,
                      const uint32_t *words, size_t num_words, const forge_tod_lies *lies)
{
    static const forge_tod_lies truth;
    lies = lies != NULL ? lies : &truth;
    if (!tod->in_frame) {
        fail(tod, FORGE_TOD_NO_FRAME);
    } else if (num_words > MAX_PAYLOAD_WORDS && !lies->len_words.told) {
        fail(tod, FORGE_TOD_LONG_PACKET);
    }
    if (forge_tod_status(tod) != FORGE_TOD_OK) {
        return;
    }
    uint32_t len_words = num_words > MAX_PAYLOAD_WORDS ? 0 : (uint32_t)num_words + 1;
    forge_buf_u32(&tod->out, packet_header(id, type, flag, len_words, lies));
    for (size_t i = 0; i < num_words; i++) {
        forge_buf_u32(&tod->out, words[i]);
    }
    tod->frame_packets++;
}

/* The payload of one packet while it is put together; the longest shape has 8 words. */
typedef struct payload {
    uint32_t words[8];
    size_t num;
} payload;

static void add_word(payload *load, uint32_t word)
{
    assert(load->num < sizeof load->words / sizeof load->words[0]);
    load->words[load->num++] = word;
}

static void add_s32(payload *load, const int32_t *values, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        add_word(load, (uint32_t)values[i]);
    }
}

static uint32_t pair(uint16_t low, uint16_t high)
{
    return (uint32_t)low | (uint32_t)high << 16;
}

static uint8_t bits(bool b0, bool b1, bool b2, bool b3)
{
    return (uint8_t)((b0 ? 1U : 0U) | (b1 ? 2U : 0U) | (b2 ? 4U : 0U) | (b3 ? 8U : 0U));
}

void forge_tod_attribute(forge_tod *tod, uint16_t id, uint32_t mask, uint32_t value,
                         const forge_tod_lies *lies)
{
    forge_tod_packet(tod, id, ATTRIBUTE, 0, (const uint32_t[]){mask, value}, 2, lies);
}

void forge_tod_coordinate(forge_tod *tod, uint16_t id, const forge_tod_pose *pose,
                          const forge_tod_lies *lies)
{
    payload load = {.num = 0};
    if (pose->has_rotation) {
        add_s32(&load, pose->rotation, 3);
    }
    if (pose->has_scale) {
        add_word(&load, pair((uint16_t)pose->scale[0], (uint16_t)pose->scale[1]));
        add_word(&load, pair((uint16_t)pose->scale[2], pose->pad));
    }
    if (pose->has_translation) {
        add_s32(&load, pose->translation, 3);
    }
    uint8_t flag =
        bits(pose->differential, pose->has_rotation, pose->has_scale, pose->has_translation);
    forge_tod_packet(tod, id, COORDINATE, flag, load.words, load.num, lies);
}

void forge_tod_model(forge_tod *tod, uint16_t id, uint32_t model, const forge_tod_lies *lies)
{
    forge_tod_packet(tod, id, MODEL, 0, &model, 1, lies);
}

void forge_tod_parent(forge_tod *tod, uint16_t id, uint32_t parent, const forge_tod_lies *lies)
{
    forge_tod_packet(tod, id, PARENT, 0, &parent, 1, lies);
}

/* The memory image of the library's MATRIX: nine half words, an unused one, three words. */
void forge_tod_set_matrix(forge_tod *tod, uint16_t id, const forge_tod_matrix *matrix,
                          const forge_tod_lies *lies)
{
    payload load = {.num = 0};
    for (size_t i = 0; i < 8; i += 2) {
        add_word(&load, pair((uint16_t)matrix->m[i], (uint16_t)matrix->m[i + 1]));
    }
    add_word(&load, pair((uint16_t)matrix->m[8], matrix->pad));
    add_s32(&load, matrix->t, 3);
    forge_tod_packet(tod, id, MATRIX, 0, load.words, load.num, lies);
}

void forge_tod_set_light(forge_tod *tod, uint16_t id, const forge_tod_light *light,
                         const forge_tod_lies *lies)
{
    payload load = {.num = 0};
    if (light->has_direction) {
        add_s32(&load, light->direction, 3);
    }
    if (light->has_colour) {
        add_word(&load, (uint32_t)light->colour[0] | (uint32_t)light->colour[1] << 8 |
                            (uint32_t)light->colour[2] << 16 | (uint32_t)light->pad << 24);
    }
    uint8_t flag = bits(light->differential, light->has_direction, light->has_colour, false);
    forge_tod_packet(tod, id, LIGHT, flag, load.words, load.num, lies);
}

void forge_tod_camera_view(forge_tod *tod, uint16_t id, const forge_tod_view *view,
                           const forge_tod_lies *lies)
{
    payload load = {.num = 0};
    if (view->has_position) {
        add_s32(&load, view->position, 6);
    }
    if (view->has_twist) {
        add_s32(&load, &view->twist, 1);
    }
    uint8_t flag = bits(false, view->differential, view->has_position, view->has_twist);
    forge_tod_packet(tod, id, CAMERA, flag, load.words, load.num, lies);
}

void forge_tod_camera_pose(forge_tod *tod, uint16_t id, const forge_tod_pose *pose,
                           const forge_tod_lies *lies)
{
    payload load = {.num = 0};
    if (pose->has_rotation) {
        add_s32(&load, pose->rotation, 3);
    }
    if (pose->has_translation) {
        add_s32(&load, pose->translation, 3);
    }
    uint8_t flag = bits(true, pose->differential, pose->has_rotation, pose->has_translation);
    forge_tod_packet(tod, id, CAMERA, flag, load.words, load.num, lies);
}

void forge_tod_control(forge_tod *tod, uint16_t id, bool kill, const forge_tod_lies *lies)
{
    forge_tod_packet(tod, id, CONTROL, kill ? 1 : 0, NULL, 0, lies);
}

void forge_tod_end_mark(forge_tod *tod, const forge_tod_lies *lies)
{
    forge_tod_packet(tod, 0, SPECIAL, 0, NULL, 0, lies);
}

void forge_tod_word(forge_tod *tod, uint32_t word)
{
    if (!tod->in_frame) {
        fail(tod, FORGE_TOD_NO_FRAME);
        return;
    }
    forge_buf_u32(&tod->out, word);
}

void forge_tod_finish(forge_tod *tod)
{
    end_frame(tod);
    if (forge_tod_status(tod) == FORGE_TOD_OK) {
        forge_put_u32(tod->out.data + 4, truth_or(tod->file_frames, tod->num_frames));
    }
}

void forge_tod_cut(forge_tod *tod, size_t len)
{
    if (len > tod->out.len) {
        fail(tod, FORGE_TOD_CUT_TOO_MUCH);
        return;
    }
    tod->out.len -= len;
}

void forge_tod_keep(forge_tod *tod, size_t len)
{
    if (len > tod->out.len) {
        fail(tod, FORGE_TOD_CUT_TOO_MUCH);
        return;
    }
    tod->out.len = len;
}
