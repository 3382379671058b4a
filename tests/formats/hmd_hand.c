#include "hmd_hand.h"

#include <string.h>

void hand_open(hand *h)
{
    fh_arena_return(&h->arena);
    memset(h, 0, sizeof *h);
    h->budget = (fh_budget){BENCH_BUDGET};
    h->arena = fh_arena_make(h->memory, sizeof h->memory);
    h->blocks[0] = 0;
    h->headers[0] = (hmd_header){.off = HAND_HEADER, .is_used = true};
    h->primitives[0] = (hmd_primitive){
        .off = HAND_PRIMITIVE, .next = HMD_NONE, .num_records = 1, .end = HAND_RECORD + 2};
    h->records[0] = (hmd_record){.off = HAND_RECORD, .type = HMD_NO_TYPE, .size = 1};
    h->model = (hmd_model){.bytes = fh_cursor_make(h->bytes, sizeof h->bytes, 0),
                           .num_words = HAND_WORDS,
                           .num_blocks = 1,
                           .blocks = h->blocks,
                           .coordinates = HAND_COORDINATES,
                           .num_units = HAND_UNITS,
                           .header_section = HAND_HEADERS,
                           .headers_end = HAND_PRIMITIVE,
                           .num_headers = 1,
                           .headers = h->headers,
                           .num_primitives = 1,
                           .primitives = h->primitives,
                           .num_records = 1,
                           .records = h->records,
                           .end = HAND_WORDS};
    h->check = hmd_check_make(&h->model, NULL, &h->budget, &h->arena);
}

void hand_put(hand *h, uint32_t word, uint32_t value)
{
    HOLD(word < HAND_WORDS, "word %u", word);
    for (unsigned i = 0; i < 4; i++) {
        h->bytes[4 * word + i] = (uint8_t)(value >> (8 * i));
    }
}

uint32_t hand_get(const hand *h, uint32_t word)
{
    const uint8_t *at = h->bytes + (size_t)4 * word;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void hand_put_all(hand *h, uint32_t word, const uint32_t *values, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        hand_put(h, word + (uint32_t)i, values[i]);
    }
}

void hand_header(hand *h, const uint32_t *args, uint32_t num)
{
    h->headers[0].num_words = num;
    hand_put(h, HAND_HEADER, num);
    hand_put_all(h, HAND_HEADER + 1, args, num);
}

void hand_record(hand *h, uint32_t size, uint32_t count, const uint32_t *data, size_t num)
{
    h->records[0].size = (uint16_t)size;
    h->records[0].count = (uint16_t)count;
    h->primitives[0].end = HAND_RECORD + 1 + size;
    hand_put(h, HAND_RECORD + 1, count << 16 | size);
    hand_put_all(h, HAND_RECORD + 2, data, num);
}

void hand_map(hand *h)
{
    h->model.stage = HMD_STAGE_MAPPED;
    h->model.has_base = true;
    h->model.base = HAND_BASE;
    h->model.segment = 0x80000000;
}

void hand_open_file(hand *h)
{
    hand_open(h);
    h->model.num_headers = h->model.num_primitives = h->model.num_records = 0;
}

void hand_open_image(hand *h)
{
    hand_open_file(h);
    hand_map(h);
}

uint32_t hand_add_header(hand *h, const uint32_t *args, size_t num)
{
    const uint32_t i = h->model.num_headers++;
    h->headers[i] =
        (hmd_header){.off = HAND_HEADER + 9 * i, .num_words = (uint32_t)num, .is_used = true};
    hand_put(h, h->headers[i].off, (uint32_t)num);
    hand_put_all(h, h->headers[i].off + 1, args, num);
    return i;
}

void hand_add_primitive(hand *h, uint32_t off, uint32_t header)
{
    h->primitives[h->model.num_primitives++] = (hmd_primitive){.off = off,
                                                               .header = header,
                                                               .next = HMD_NONE,
                                                               .first_record = h->model.num_records,
                                                               .end = off + HMD_PRIMITIVE_WORDS};
}

hmd_record *hand_add_record(hand *h, uint32_t type, uint32_t count, const uint32_t *data,
                            size_t num)
{
    hmd_primitive *primitive = &h->primitives[h->model.num_primitives - 1];
    hmd_record *record = &h->records[h->model.num_records++];
    *record = (hmd_record){.off = primitive->end,
                           .type = type,
                           .category = (uint8_t)(type >> 24),
                           .primitive = h->model.num_primitives - 1,
                           .size = (uint16_t)(1 + num),
                           .count = (uint16_t)count};
    primitive->num_records++;
    primitive->end += 2 + (uint32_t)num;
    hand_put(h, record->off, type);
    hand_put(h, record->off + 1, count << 16 | record->size);
    hand_put_all(h, record->off + 2, data, num);
    return record;
}

hmd_record *hand_add_driver(hand *h, uint32_t driver, uint32_t count, const uint32_t *data,
                            size_t num)
{
    hmd_record *record = hand_add_record(h, driver, count, data, num);
    record->type = HMD_NO_TYPE;
    record->category = HMD_CATEGORY_FOREIGN;
    return record;
}
