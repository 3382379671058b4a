/* A TOD file as a flat table of its frames and packets.
 *
 * Reading and judging are kept apart: tod_walk reads sizes and lengths, tod_verify fills this
 * table once they are known to tile, the checks and the player only look at it. Payloads stay in
 * the bytes and are read through the cursor when they are wanted. Everything lies in the arena of
 * the candidate. Source of the layout: TOD manual; lengths by type and flag: packet table there.
 */
#ifndef FH_TOD_MODEL_H
#define FH_TOD_MODEL_H

#include "core/budget.h"
#include "core/cursor.h"
#include "core/report.h"
#include "tod/tod_rules.h"

#include <stdbool.h>

#define TOD_HEADER_LEN ((size_t)8)
#define TOD_FRAME_HEADER_WORDS 2u
#define TOD_WORD_LEN ((size_t)4)

enum tod_type {
    TOD_ATTRIBUTE = 0,
    TOD_COORDINATE = 1,
    TOD_MODEL_ID = 2,
    TOD_PARENT = 3,
    TOD_MATRIX = 4,
    TOD_BODY = 5,
    TOD_LIGHT = 6,
    TOD_CAMERA = 7,
    TOD_CONTROL = 8,
    TOD_USER_FIRST = 9,
    TOD_USER_LAST = 13,
    TOD_RESERVED = 14,
    TOD_SPECIAL = 15
};

enum { TOD_CREATE = 0, TOD_KILL = 1 };                            /* flag of TOD_CONTROL */
enum { TOD_DIFF = 1, TOD_R = 2, TOD_S = 4, TOD_T = 8 };           /* flag of TOD_COORDINATE */
enum { TOD_DIRECTION = 2, TOD_COLOUR = 4, TOD_LIGHT_UNUSED = 8 }; /* flag of TOD_LIGHT */
enum { TOD_CAMERA_RT = 1, TOD_CAMERA_DIFF = 2, TOD_CAMERA_A = 4, TOD_CAMERA_B = 8 };

typedef struct tod_frame {
    uint32_t off; /* bytes from the start of the asset */
    uint32_t number;
    uint32_t first_packet;
    uint16_t num_packets;
    uint16_t size_words; /* both header words included */
} tod_frame;

typedef struct tod_packet {
    uint32_t off; /* bytes from the start of the asset, of the header word */
    uint16_t id;
    uint8_t type;
    uint8_t flag;
    uint8_t len_words; /* header word included */
} tod_packet;

/* Ids of 16 bits are looked up in pages, of which a file of few objects has few. */
enum { TOD_NUM_PAGES = 256, TOD_PAGE_LEN = 256 };

typedef struct tod_model {
    fh_cursor bytes; /* the asset alone */
    uint16_t resolution;
    uint32_t num_frames;
    uint32_t num_packets;
    tod_frame *frames;
    tod_packet *packets;
    bool creates; /* some packet creates an object; if none does, the file continues another's */
    uint32_t num_objects; /* distinct ids of objects, in order of first use */
    uint16_t *object_ids;
    uint32_t *index_pages[TOD_NUM_PAGES]; /* by the high byte of the id: see tod_index_of */
} tod_model;

/* tod_index_of returns 1 + the index of the id in object_ids, 0 if it is no object here. */
static inline uint32_t tod_index_of(const tod_model *model, uint16_t id)
{
    const uint32_t *page = model->index_pages[id / TOD_PAGE_LEN];
    return page == NULL ? 0 : page[id % TOD_PAGE_LEN];
}

/* tod_split reads the header word of a packet. */
tod_packet tod_split(uint32_t word, uint32_t off);

/* tod_implied_words returns the length that type and flag demand, 0 where none is defined. */
unsigned tod_implied_words(const tod_packet *packet);

/* tod_sets tells whether the packet changes any state of objects, lights or cameras. */
bool tod_sets(const tod_packet *packet);

/* tod_is_object_packet tells whether the packet's id is that of an object (types 0..4 and 8). */
bool tod_is_object_packet(const tod_packet *packet);

/* tod_is_world tells whether a parent word names the World. Measured: the whole word counts. */
bool tod_is_world(uint32_t parent_word);

/* tod_has_implied_length tells whether the packet is as long as its type and flag demand. */
bool tod_has_implied_length(const tod_packet *packet);

/* tod_word reads word `index` of a packet, 0 being its header. As in the players, words behind a
 * packet that is too short (TOD0041) are those that follow it; behind the asset they are 0. */
uint32_t tod_word(const tod_model *model, const tod_packet *packet, unsigned index);
int32_t tod_signed_word(const tod_model *model, const tod_packet *packet, unsigned index);

/* tod_half reads the signed half word `half` (0 = low) of word `index`. */
int16_t tod_half(const tod_model *model, const tod_packet *packet, unsigned index, unsigned half);

/* Where each part of a coordinate packet begins, as word index; 0 = the part is not there. */
typedef struct tod_parts {
    unsigned r, s, t;
} tod_parts;
tod_parts tod_coordinate_parts(const tod_packet *packet);

/* tod_colour_index returns the word index of a light packet's colour, behind its direction. */
unsigned tod_colour_index(const tod_packet *packet);

/* What the checks share: the model, where findings go, and the place that is being looked at. */
typedef struct tod_check {
    const tod_model *model;
    fh_reporter *reporter;
    fh_budget *budget;
    const tod_frame *frame;   /* NULL: the finding is about the file */
    const tod_packet *packet; /* NULL: about the frame */
    bool stopped;             /* the budget is spent */
    const tod_frame *stopped_at;
} tod_check;

/* tod_tell reports a finding at the place of the check. offset counts from the asset's start. */
void tod_tell(const tod_check *check, enum tod_rule rule, const char *field, size_t offset,
              fh_value found, fh_value expected);

/* tod_put_packet writes where a packet is and what it is; returns the id of its object, or
 * FH_UNKNOWN where the id is that of a light or camera, or of nothing. */
int64_t tod_put_packet(fh_text *out, const tod_packet *packet, unsigned index);

/* tod_tell_object is tod_tell about an object of the current frame, not about a packet. */
void tod_tell_object(const tod_check *check, enum tod_rule rule, const char *field, uint32_t id,
                     fh_value found, fh_value expected);

/* tod_tell_packet is tod_tell at word `index` of the current packet. */
void tod_tell_packet(const tod_check *check, enum tod_rule rule, const char *field, unsigned index,
                     fh_value found, fh_value expected);

/* tod_for_each_packet calls visit for every packet in file order, check->frame and check->packet
 * set, until the budget is spent. */
void tod_for_each_packet(tod_check *check, void (*visit)(tod_check *check, void *user), void *user);

#endif
