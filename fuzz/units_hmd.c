#include "units_hmd.h"

#include "core/describe.h"
#include "hunt/exam.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 0x50,
    FLAG_AT = 4,
    HEADERS_AT = 8,
    BLOCKS_AT = 12,
    FRONT_LEN = 16,
    PRIMITIVE_COUNT = 8, /* of records, in a primitive */
    RECORD_SIZE = 4,
    RECORD_COUNT = 6,
    RECORD_DATA = 8,
    SEQUENCE_SIZE = 4,
    SEQUENCE_NUM = 6,
    HALF = 2,
    WORD_BITS = 31,
    MOST_DEPTH = 8,
    ARG_POLYGONS = 1,
    ARG_TABLE = 2,
    ARG_CONTROL = 3,
    ARG_PARAMETERS = 4,
    KIND_JUMP = 2
};
#define NOWHERE SIZE_MAX
#define MARK UINT32_C(0x80000000)
#define LAST UINT32_C(0xffffffff)

/* Where the telling is. */
typedef struct telling {
    hmd_parts *out;
    size_t open[MOST_DEPTH];    /* groups that have begun: indices of parts, NOWHERE: no part */
    const char *of[MOST_DEPTH]; /* and what structs they are */
    unsigned depth;
    size_t header_section;    /* byte of their number */
    size_t primitive, header; /* bytes of the one that is being told, and of its header */
    size_t record, sequence;
    const hmd_run *animation; /* whose descriptors are being told */
    const hmd_run *run;       /* whose packets are */
} telling;

/* ---- links ---- */

uint32_t hmd_link_value(const hmd_link *link, const uint8_t *data)
{
    const uint64_t mask = (UINT64_C(1) << link->bits) - 1;
    return (uint32_t)((uint64_t)number_at(data + link->off, link->len) >> link->shift & mask);
}

size_t hmd_link_target(const hmd_link *link, const uint8_t *data)
{
    return link->base + link->scale * hmd_link_value(link, data);
}

bool hmd_link_fits(const hmd_link *link, uint64_t value)
{
    return value < UINT64_C(1) << link->bits;
}

void hmd_link_put(const hmd_link *link, uint8_t *data, uint32_t value)
{
    const uint32_t mask = (uint32_t)(((UINT64_C(1) << link->bits) - 1) << link->shift);
    const uint32_t old = number_at(data + link->off, link->len);
    assert(hmd_link_fits(link, value));
    put_number(data + link->off, link->len, (old & ~mask) | value << link->shift);
}

const hmd_link *hmd_link_at(const hmd_parts *of, hmd_link_kind kind, size_t off)
{
    for (size_t i = 0; i < of->num_links; i++) {
        if (of->links[i].kind == kind && of->links[i].off == off) {
            return &of->links[i];
        }
    }
    return NULL;
}

size_t hmd_links_to(const hmd_parts *of, hmd_link_kind kind, size_t target)
{
    size_t num = 0;
    for (size_t i = 0; i < of->num_links; i++) {
        num += of->links[i].kind == kind && hmd_link_target(&of->links[i], of->data) == target;
    }
    return num;
}

/* Once, however often the bytes are told: it must not follow twice. */
static bool is_known(const hmd_parts *of, const hmd_link *link)
{
    for (size_t i = 0; i < of->num_links; i++) {
        if (of->links[i].off == link->off && of->links[i].shift == link->shift) {
            return true;
        }
    }
    return false;
}

static void add_link(telling *to, hmd_link link)
{
    hmd_parts *out = to->out;
    if (link.off > out->size || link.len > out->size - link.off || link.base == NOWHERE ||
        is_known(out, &link)) {
        return;
    }
    out->is_full = out->is_full || out->num_links == MOST_HMD_LINKS;
    if (!out->is_full) {
        out->links[out->num_links++] = link;
    }
}

/* A word of the file that leads to another one. */
static void add_pointer(telling *to, hmd_link_kind kind, size_t off)
{
    add_link(to, (hmd_link){kind, off, WORD_LEN, 0, WORD_BITS, 0, WORD_LEN});
}

static void add_index(telling *to, size_t off, size_t base, size_t scale)
{
    add_link(to, (hmd_link){HMD_LINK_OTHER, off, HALF, 0, 8 * HALF, base, scale});
}

/* ---- parts ---- */

size_t hmd_num_parts(const hmd_parts *of, hmd_part_kind kind)
{
    size_t num = 0;
    for (size_t i = 0; i < of->num_parts; i++) {
        num += of->parts[i].kind == kind;
    }
    return num;
}

const hmd_part *hmd_part_number(const hmd_parts *of, hmd_part_kind kind, size_t index)
{
    for (size_t i = 0; i < of->num_parts; i++) {
        if (of->parts[i].kind != kind) {
            continue;
        }
        if (index == 0) {
            return &of->parts[i];
        }
        index--;
    }
    return NULL;
}

static uint32_t word_at(const telling *to, size_t off)
{
    const hmd_parts *out = to->out;
    return off <= out->size && out->size - off >= WORD_LEN ? number_at(out->data + off, WORD_LEN)
                                                           : 0;
}

/* The byte to which a word of the current header leads: 1 is its first argument. */
static size_t argument(const telling *to, size_t i)
{
    if (to->header == NOWHERE || i == 0 || i > word_at(to, to->header)) {
        return NOWHERE;
    }
    const uint32_t word = word_at(to, to->header + WORD_LEN * i);
    return (word & MARK) != 0 ? (size_t)(word & ~MARK) * WORD_LEN : NOWHERE;
}

static size_t add_part(telling *to, hmd_part_kind kind, const fh_field *group)
{
    hmd_parts *out = to->out;
    out->is_full = out->is_full || out->num_parts == MOST_HMD_PARTS;
    if (out->is_full) {
        return NOWHERE;
    }
    out->parts[out->num_parts] = (hmd_part){.kind = kind, .off = group->off, .len = group->len};
    return out->num_parts++;
}

static const hmd_run *run_at(const hmd_runs *of, size_t off)
{
    for (size_t i = 0; i < of->num; i++) {
        if (of->all[i].off == off) {
            return &of->all[i];
        }
    }
    return NULL;
}

/* What several records have in common is counted by none of them. */
static void add_run(telling *to, hmd_runs *runs, hmd_run run)
{
    for (size_t i = 0; i < runs->num; i++) {
        if (runs->all[i].off == run.off) {
            runs->all[i].count.len = 0;
            return;
        }
    }
    to->out->is_full = to->out->is_full || runs->num == MOST_HMD_RUNS;
    if (run.off != NOWHERE && !to->out->is_full) {
        runs->all[runs->num++] = run;
    }
}

/* ---- groups, by what they are ---- */

typedef size_t telling_of(telling *to, const fh_field *group);

static size_t tell_block(telling *to, const fh_field *group)
{
    const size_t i = add_part(to, HMD_PART_BLOCK, group);
    if (i != NOWHERE) {
        to->out->parts[i].counts[0] = (part_count){BLOCKS_AT, WORD_LEN, 1};
    }
    return i;
}

static size_t tell_coordinate(telling *to, const fh_field *group)
{
    const size_t i = add_part(to, HMD_PART_COORDINATE, group);
    if (i != NOWHERE) {
        to->out->parts[i].counts[0] = (part_count){to->out->coordinates, WORD_LEN, 1};
    }
    return i;
}

static size_t tell_section(telling *to, const fh_field *group)
{
    to->header_section = group->off;
    return NOWHERE;
}

static size_t tell_header(telling *to, const fh_field *group)
{
    const size_t i = add_part(to, HMD_PART_HEADER, group);
    if (i != NOWHERE) {
        to->out->parts[i].counts[0] = (part_count){to->header_section, WORD_LEN, 1};
    }
    return i;
}

static size_t tell_primitive(telling *to, const fh_field *group)
{
    to->primitive = group->off;
    to->header = (size_t)(word_at(to, group->off + WORD_LEN) & ~MARK) * WORD_LEN;
    return add_part(to, HMD_PART_PRIMITIVE, group);
}

static size_t tell_record(telling *to, const fh_field *group)
{
    const size_t i = add_part(to, HMD_PART_RECORD, group);
    to->record = group->off;
    if (i != NOWHERE) {
        to->out->parts[i].counts[0] = (part_count){to->primitive + PRIMITIVE_COUNT, HALF, 1};
    }
    return i;
}

static size_t tell_animation(telling *to, const fh_field *group)
{
    (void)group;
    add_run(to, &to->out->animations,
            (hmd_run){.off = argument(to, ARG_CONTROL),
                      .table = argument(to, ARG_TABLE),
                      .parameters = argument(to, ARG_PARAMETERS)});
    return NOWHERE;
}

static size_t tell_polygons(telling *to, const fh_field *group)
{
    const size_t section = argument(to, ARG_POLYGONS);
    const uint32_t index = word_at(to, group->off) & 0xffffff;
    if (section != NOWHERE) {
        add_link(to, (hmd_link){HMD_LINK_SECTION, group->off, WORD_LEN, 0, 24, section, WORD_LEN});
        add_run(to, &to->out->packets,
                (hmd_run){.off = section + (size_t)index * WORD_LEN,
                          .count = {to->record + RECORD_COUNT, HALF, 1}});
    }
    return NOWHERE;
}

/* Its words are counted by the record, as is the sequence. */
static size_t tell_sequence(telling *to, const fh_field *group)
{
    const size_t i = add_part(to, HMD_PART_SEQUENCE, group);
    const uint32_t update = word_at(to, group->off);
    to->sequence = group->off;
    add_link(to, (hmd_link){HMD_LINK_OTHER, group->off, WORD_LEN, 0, 24, argument(to, update >> 24),
                            WORD_LEN});
    if (i != NOWHERE) {
        to->out->parts[i].counts[0] = (part_count){to->record + RECORD_SIZE, HALF, 0};
        to->out->parts[i].counts[1] = (part_count){to->record + RECORD_COUNT, HALF, 1};
    }
    return i;
}

static size_t tell_managed(telling *to, const fh_field *group)
{
    const size_t i = add_part(to, HMD_PART_MANAGED, group);
    add_index(to, group->off, argument(to, ARG_CONTROL), WORD_LEN);
    if (i != NOWHERE) {
        hmd_part *part = &to->out->parts[i];
        part->counts[0] = (part_count){to->sequence + SEQUENCE_SIZE, HALF, 1};
        part->counts[1] = (part_count){to->sequence + SEQUENCE_NUM, HALF, 1};
        part->counts[2] = (part_count){to->record + RECORD_SIZE, HALF, 1};
    }
    return i;
}

static size_t tell_table(telling *to, const fh_field *group)
{
    const uint32_t num = word_at(to, group->off) & ~MARK;
    for (uint32_t k = 0; k < num && !to->out->is_full; k++) {
        const fh_field word = {.off = group->off + WORD_LEN * ((size_t)k + 1), .len = WORD_LEN};
        const size_t i = word.off < to->out->size ? add_part(to, HMD_PART_TYPE, &word) : NOWHERE;
        if (i == NOWHERE) {
            break;
        }
        to->out->parts[i].counts[0] = (part_count){group->off, WORD_LEN, 1};
    }
    return NOWHERE;
}

static size_t tell_descriptor(telling *to, const fh_field *group)
{
    const uint32_t word = word_at(to, group->off);
    const uint32_t kind = word >> 30;
    if (group->index <= 0) {
        to->animation = run_at(&to->out->animations, group->off);
    }
    if (to->animation == NULL) {
        return NOWHERE;
    }
    add_index(to, group->off, kind == KIND_JUMP ? to->animation->off : to->animation->parameters,
              WORD_LEN);
    if (kind < KIND_JUMP && to->animation->table != NOWHERE) {
        add_link(to, (hmd_link){HMD_LINK_OTHER, group->off, WORD_LEN, 24, 7,
                                to->animation->table + WORD_LEN, WORD_LEN});
    }
    return add_part(to, HMD_PART_DESCRIPTOR, group);
}

static size_t tell_packet(telling *to, const fh_field *group)
{
    if (group->index <= 0) {
        to->run = run_at(&to->out->packets, group->off);
    }
    const bool is_counted = to->run != NULL && to->run->count.len > 0;
    const size_t i = is_counted ? add_part(to, HMD_PART_PACKET, group) : NOWHERE;
    if (i != NOWHERE) {
        to->out->parts[i].type = group->type;
        to->out->parts[i].counts[0] = to->run->count;
    }
    return i;
}

static size_t tell_joint(telling *to, const fh_field *group)
{
    add_index(to, group->off, to->out->coordinates + WORD_LEN, HMD_UNIT_LEN);
    return NOWHERE;
}

static size_t tell_nothing(telling *to, const fh_field *group)
{
    (void)to;
    (void)group;
    return NOWHERE;
}

static telling_of *telling_for(const char *type)
{
    static const struct {
        const char *type;
        telling_of *tell;
    } all[] = {{"block", tell_block},
               {"coordinate", tell_coordinate},
               {"header_section", tell_section},
               {"primitive_header", tell_header},
               {"primitive", tell_primitive},
               {"record", tell_record},
               {"animation", tell_animation},
               {"polygons", tell_polygons},
               {"shared_polygons", tell_polygons},
               {"environment_map", tell_polygons},
               {"shared_environment_map", tell_polygons},
               {"sequence", tell_sequence},
               {"managed_sequence", tell_managed},
               {"interpolation_table", tell_table},
               {"descriptor", tell_descriptor},
               {"joint_block", tell_joint}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(type, all[i].type) == 0) {
            return all[i].tell;
        }
    }
    return strncmp(type, "packet_", 7) == 0 ? tell_packet : tell_nothing;
}

static void begin(void *user, const fh_field *group)
{
    telling *to = user;
    const char *type = group->type == NULL ? "" : group->type;
    assert(group->depth < MOST_DEPTH);
    to->depth = group->depth + 1;
    to->of[group->depth] = type;
    to->open[group->depth] = telling_for(type)(to, group);
}

static void end(void *user, size_t behind)
{
    telling *to = user;
    assert(to->depth > 0);
    to->depth--;
    const size_t i = to->open[to->depth];
    if (i == NOWHERE) {
        return;
    }
    hmd_part *part = &to->out->parts[i];
    part->len = behind - part->off;
    if (part->kind == HMD_PART_SEQUENCE) {
        part->counts[0].less = (uint32_t)(part->len / WORD_LEN);
    }
}

/* ---- fields that lead somewhere ---- */

static void tell_arguments(telling *to, const fh_field *one)
{
    for (size_t off = one->off; off < one->off + one->len; off += WORD_LEN) {
        if ((word_at(to, off) & MARK) != 0) {
            add_pointer(to, HMD_LINK_SECTION, off);
        }
    }
}

static void field(void *user, const fh_field *one)
{
    telling *to = user;
    const char *of = to->depth > 0 ? to->of[to->depth - 1] : "";
    const uint32_t word = word_at(to, one->off);
    if (strcmp(one->name, "next") == 0 && word != LAST) {
        add_pointer(to, HMD_LINK_NEXT, one->off);
    } else if (strcmp(one->name, "first") == 0 && strcmp(of, "block") == 0 && word != 0) {
        add_pointer(to, HMD_LINK_FIRST, one->off);
    } else if (strcmp(one->name, "header") == 0) {
        add_pointer(to, HMD_LINK_HEADER, one->off);
    } else if (strcmp(one->name, "arguments") == 0) {
        tell_arguments(to, one);
    } else if (strcmp(one->name, "parent_coordinate") == 0 && word != 0) {
        add_pointer(to, HMD_LINK_PARENT, one->off);
    } else if (strcmp(one->name, "start") == 0 && strcmp(of, "sequence") == 0) {
        add_index(to, one->off, argument(to, ARG_CONTROL), WORD_LEN);
    }
}

/* ---- all together ---- */

static void describe(telling *to, const fh_format *format)
{
    static uint8_t *block; /* as large as the largest so far */
    static size_t block_len;
    const size_t len = fh_arena_len(to->out->size);
    if (block_len < len) {
        free(block);
        block = malloc(len);
        block_len = block == NULL ? 0 : len;
    }
    if (block == NULL) {
        to->out->is_full = true;
        return;
    }
    fh_arena arena = fh_arena_make(block, block_len);
    fh_budget budget = fh_budget_for(to->out->size, 0);
    const fh_sink nobody = {0};
    const fh_env env = {&arena, &budget, &nobody, NULL};
    const fh_field_sink sink = {to, begin, field, end};
    const fh_cursor bytes = fh_cursor_make(to->out->data, to->out->size, 0);
    if (format->describe(&env, &sink, bytes) != FH_OK) {
        to->out->is_full = true;
    }
}

/* What lies in the bytes as a whole. */
static void keep_whole(hmd_parts *out)
{
    size_t num = 0;
    for (size_t i = 0; i < out->num_parts; i++) {
        const hmd_part *part = &out->parts[i];
        if (part->off < out->size && part->len > 0 && part->len <= out->size - part->off) {
            out->parts[num++] = *part;
        }
    }
    out->num_parts = num;
}

/* Whether it is worth the telling: most of what an engine makes is not. */
static bool is_file(const telling *to)
{
    const size_t num_words = to->out->size / WORD_LEN;
    return to->out->size >= FRONT_LEN && to->out->size % WORD_LEN == 0 &&
           word_at(to, 0) == VERSION && word_at(to, FLAG_AT) == 0 &&
           (word_at(to, HEADERS_AT) & ~MARK) < num_words && word_at(to, BLOCKS_AT) < num_words;
}

bool hmd_find_parts(hmd_parts *out, const fh_format *format, const uint8_t *data, size_t size)
{
    telling to = {.out = out, .header = NOWHERE};
    out->data = data;
    out->size = size;
    out->num_parts = 0;
    out->num_links = 0;
    out->animations.num = 0;
    out->packets.num = 0;
    out->is_full = false;
    if (!is_file(&to)) {
        return false;
    }
    out->coordinates = FRONT_LEN + WORD_LEN * (size_t)word_at(&to, BLOCKS_AT);
    if (out->coordinates + WORD_LEN > size) {
        return false;
    }
    add_pointer(&to, HMD_LINK_OTHER, HEADERS_AT);
    describe(&to, format);
    keep_whole(out);
    return !out->is_full && out->num_parts > 0;
}
