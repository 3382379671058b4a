/* The TOD builder: PlayStation animation data, sound or deliberately broken.
 *
 * Written from the description of the format alone; it shares no table with the decoders, so that
 * an error in one is not hidden by the same error in the other.
 *
 *     forge_tod tod;
 *     forge_tod_begin(&tod, &(forge_tod_header){.id = 0x50}, limit);
 *     forge_tod_frame(&tod, 0, NULL);
 *     forge_tod_control(&tod, 1, false, NULL);
 *     forge_tod_finish(&tod);
 *     ... tod.out.data, tod.out.len ...
 *     forge_tod_free(&tod);
 *
 * The builder owns its bytes until forge_tod_free, which must follow every begin. Errors are
 * sticky: after the first one nothing more is written, and forge_tod_status tells which it was. It
 * may be asked at any time. Sizes and counts in headers are filled in when a frame or the file
 * ends, unless the caller gave a value of its own: that is how lies are told.
 */
#ifndef FORGE_TOD_H
#define FORGE_TOD_H

#include "forge/buf.h"

/* A value that stands in for the true one. */
typedef struct forge_lie {
    bool told;
    uint32_t value;
} forge_lie;

typedef struct forge_tod_header {
    uint8_t id; /* 0x50 in a sound file */
    uint8_t version;
    uint16_t resolution; /* ticks of 1/60 s */
    forge_lie num_frames;
} forge_tod_header;

typedef struct forge_tod_frame_lies {
    forge_lie size_words; /* at most 0xffff */
    forge_lie num_packets;
} forge_tod_frame_lies;

/* What the header word of a packet says instead of the truth. */
typedef struct forge_tod_lies {
    forge_lie id;   /* at most 0xffff */
    forge_lie type; /* at most 15 */
    forge_lie flag; /* at most 15 */
    forge_lie len_words;
} forge_tod_lies;

typedef enum forge_tod_state {
    FORGE_TOD_OK = 0,
    FORGE_TOD_FULL,         /* past the limit given to begin */
    FORGE_TOD_NO_MEMORY,    /* */
    FORGE_TOD_NO_FRAME,     /* a packet or word outside of any frame */
    FORGE_TOD_LONG_PACKET,  /* over 254 words of payload and no length given */
    FORGE_TOD_LONG_FRAME,   /* over 65535 words and no size given */
    FORGE_TOD_MANY_PACKETS, /* over 65535 packets and no number given */
    FORGE_TOD_CUT_TOO_MUCH  /* more bytes to cut or keep than there are */
} forge_tod_state;

typedef struct forge_tod {
    forge_buf out; /* the file; owned */
    forge_tod_state state;
    forge_lie file_frames;
    uint32_t num_frames;
    bool in_frame;
    size_t frame_off;
    uint32_t frame_packets;
    forge_tod_frame_lies frame_lies;
} forge_tod;

void forge_tod_begin(forge_tod *tod, const forge_tod_header *header, size_t limit);
void forge_tod_free(forge_tod *tod);

/* forge_tod_status returns the first error; forge_tod_state_text puts it in words. */
forge_tod_state forge_tod_status(const forge_tod *tod);
const char *forge_tod_state_text(forge_tod_state state);

/* forge_tod_frame ends the frame before and begins another. lies may be NULL, here and below. */
void forge_tod_frame(forge_tod *tod, uint32_t number, const forge_tod_frame_lies *lies);

/* forge_tod_packet writes any packet; those below are shapes of it. */
void forge_tod_packet(forge_tod *tod, uint16_t id, uint8_t type, uint8_t flag,
                      const uint32_t *words, size_t num_words, const forge_tod_lies *lies);

void forge_tod_attribute(forge_tod *tod, uint16_t id, uint32_t mask, uint32_t value,
                         const forge_tod_lies *lies);

typedef struct forge_tod_pose {
    bool differential;
    bool has_rotation;
    bool has_scale;
    bool has_translation;
    int32_t rotation[3]; /* 4096 = 1 degree */
    int16_t scale[3];    /* 4096 = 1.0 */
    uint16_t pad;        /* the unused half word behind the scale */
    int32_t translation[3];
} forge_tod_pose;

void forge_tod_coordinate(forge_tod *tod, uint16_t id, const forge_tod_pose *pose,
                          const forge_tod_lies *lies);
void forge_tod_model(forge_tod *tod, uint16_t id, uint32_t model, const forge_tod_lies *lies);
/* parent 0 is the world. */
void forge_tod_parent(forge_tod *tod, uint16_t id, uint32_t parent, const forge_tod_lies *lies);

typedef struct forge_tod_matrix {
    int16_t m[9]; /* row by row, 4096 = 1.0 */
    uint16_t pad;
    int32_t t[3];
} forge_tod_matrix;

void forge_tod_set_matrix(forge_tod *tod, uint16_t id, const forge_tod_matrix *matrix,
                          const forge_tod_lies *lies);

typedef struct forge_tod_light {
    bool differential;
    bool has_direction;
    bool has_colour;
    int32_t direction[3];
    uint8_t colour[3];
    uint8_t pad;
} forge_tod_light;

void forge_tod_set_light(forge_tod *tod, uint16_t id, const forge_tod_light *light,
                         const forge_tod_lies *lies);

typedef struct forge_tod_view {
    bool differential;
    bool has_position;
    bool has_twist;
    int32_t position[6]; /* camera, then the point looked at */
    int32_t twist;
} forge_tod_view;

void forge_tod_camera_view(forge_tod *tod, uint16_t id, const forge_tod_view *view,
                           const forge_tod_lies *lies);

/* forge_tod_camera_pose uses rotation and translation of pose; a camera has no scale. */
void forge_tod_camera_pose(forge_tod *tod, uint16_t id, const forge_tod_pose *pose,
                           const forge_tod_lies *lies);

/* forge_tod_control creates an object, or kills it. */
void forge_tod_control(forge_tod *tod, uint16_t id, bool kill, const forge_tod_lies *lies);
/* forge_tod_end_mark writes the packet with which real files end. */
void forge_tod_end_mark(forge_tod *tod, const forge_tod_lies *lies);

/* forge_tod_word writes a bare word inside a frame: part of its size, not a packet. */
void forge_tod_word(forge_tod *tod, uint32_t word);

/* forge_tod_finish ends the last frame and fills in the number of frames. What is appended to
 * tod->out afterwards is a tail that no header counts. */
void forge_tod_finish(forge_tod *tod);

/* forge_tod_cut drops len bytes from the end; forge_tod_keep keeps the first len bytes. */
void forge_tod_cut(forge_tod *tod, size_t len);
void forge_tod_keep(forge_tod *tod, size_t len);

#endif
