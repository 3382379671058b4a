#include "mutate_hmd.h"

#include "units_hmd.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INSERTED = 8, MOST_GAPS = 2, MOST_SECTIONS = 16 };
#define NEXT_MASK UINT32_C(0x7fffffff)
#define MARK UINT32_C(0x80000000)
#define LAST UINT32_C(0xffffffff)

static hmd_parts own;
static hmd_parts others;

/* ---- plans: what comes and goes where, and what follows ---- */

/* `gone` bytes from `at` on make room for `come` others. */
typedef struct gap {
    size_t at, gone, come;
} gap;

/* In rising order, or two neighbours that change places: the second of the two is `second` long. */
typedef struct plan {
    gap gaps[MOST_GAPS];
    size_t num;
    size_t first, second; /* 0: nothing changes places; `at` is that of gaps[0] */
} plan;

static size_t exchanged(const plan *of, size_t off)
{
    const size_t at = of->gaps[0].at;
    if (off < at || off >= at + of->first + of->second) {
        return off;
    }
    return off < at + of->first ? off + of->second : off - of->first;
}

/* Where what lies at a byte will lie. What is taken out leaves its place to what follows. */
static size_t moved(const void *user, size_t off)
{
    const plan *of = user;
    size_t out = off;
    if (of->first > 0) {
        return exchanged(of, off);
    }
    for (size_t i = 0; i < of->num; i++) {
        const gap *one = &of->gaps[i];
        if (off >= one->at + one->gone) {
            out = out + one->come - one->gone;
        } else if (off > one->at) {
            out -= off - one->at;
        }
    }
    return out;
}

/* A section stays where it is when its first two elements change places. */
static size_t moved_section(const plan *of, size_t off)
{
    return of->first > 0 ? off : moved(of, off);
}

static bool new_value(uint32_t *out, const hmd_link *link, const plan *of, const uint8_t *data)
{
    const size_t target = hmd_link_target(link, data);
    const size_t base = link->base == 0 ? 0 : moved_section(of, link->base);
    const size_t to =
        link->kind == HMD_LINK_SECTION ? moved_section(of, target) : moved(of, target);
    const uint64_t value = to < base ? UINT64_MAX : (to - base) / link->scale;
    *out = (uint32_t)value;
    return to >= base && (to - base) % link->scale == 0 && hmd_link_fits(link, value);
}

/* Makes everything lead to where its target will be. false, and nothing is changed, where a number
 * cannot say it. */
static bool follow(change *c, const plan *of)
{
    uint32_t value = 0;
    for (size_t i = 0; i < own.num_links; i++) {
        if (!new_value(&value, &own.links[i], of, c->data)) {
            return false;
        }
    }
    for (size_t i = 0; i < own.num_links; i++) {
        if (new_value(&value, &own.links[i], of, c->data)) {
            hmd_link_put(&own.links[i], c->data, value);
        }
    }
    return true;
}

static size_t coming(const plan *of)
{
    size_t sum = 0;
    for (size_t i = 0; i < of->num; i++) {
        sum += of->gaps[i].come;
    }
    return sum;
}

/* ---- one part ---- */

/* Some have to remain: a file of no block, a record of no packet is another thing. */
static uint32_t least_of(const hmd_part *part)
{
    return part->kind == HMD_PART_HEADER || part->kind == HMD_PART_RECORD ? 0 : 1;
}

/* Whether a part can stand beside another one: of one kind and, of those that hang on what is
 * around them, of one type. */
static bool is_like(const hmd_part *a, const uint8_t *a_data, const hmd_part *b,
                    const uint8_t *b_data)
{
    if (a->kind != b->kind || a->kind == HMD_PART_BLOCK || a->kind == HMD_PART_COORDINATE) {
        return false;
    }
    if (a->kind == HMD_PART_PACKET) {
        return strcmp(a->type, b->type) == 0;
    }
    return a->kind != HMD_PART_RECORD ||
           number_at(a_data + a->off, WORD_LEN) == number_at(b_data + b->off, WORD_LEN);
}

/* What counts the new part: where it is put, but as much as it is itself. */
static bool count_in(change *c, const hmd_part *place, const hmd_part *from, const plan *of)
{
    part_count counts[PART_COUNTS];
    memcpy(counts, place->counts, sizeof counts);
    for (size_t i = 0; i < PART_COUNTS; i++) {
        counts[i].less = from->counts[i].less;
    }
    return count_part(c, counts, true, 0, moved, of);
}

/* A primitive takes its place in the chain: in front of it stands the one that it is put behind. */
static void chain(change *c, const hmd_part *place, uint8_t *copy, size_t at)
{
    memcpy(copy, c->data + place->off, WORD_LEN);
    put_number(c->data + place->off, WORD_LEN, (uint32_t)(at / WORD_LEN));
}

static bool insert_behind(change *c, const hmd_part *place, const uint8_t *bytes,
                          const hmd_part *from)
{
    const size_t at = place->off + place->len;
    const plan of = {.gaps = {{at, 0, from->len}}, .num = 1};
    if (from->len > c->max - c->size || !follow(c, &of)) {
        return false;
    }
    uint8_t *copy = malloc(from->len);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, bytes + from->off, from->len);
    bool is_done = count_in(c, place, from, &of);
    if (is_done) {
        if (from->kind == HMD_PART_PRIMITIVE) {
            chain(c, place, copy, at);
        }
        is_done = put_in(c, at, copy, from->len);
    }
    free(copy);
    return is_done;
}

static const hmd_part *some(change *c, const hmd_parts *of, hmd_part_kind kind)
{
    const size_t num = hmd_num_parts(of, kind);
    return num == 0 ? NULL : hmd_part_number(of, kind, below(c, num));
}

/* A kind first, for there are more packets than anything else; there is a part. */
static const hmd_part *any_part(change *c, const hmd_parts *of)
{
    size_t kind = below(c, HMD_NUM_PARTS);
    while (hmd_num_parts(of, (hmd_part_kind)kind) == 0) {
        kind = (kind + 1) % HMD_NUM_PARTS;
    }
    const size_t num = hmd_num_parts(of, (hmd_part_kind)kind);
    return hmd_part_number(of, (hmd_part_kind)kind, below(c, num));
}

/* ---- a block with its coordinate ---- */

/* The coordinate of a block is the one of its number less one; the first block has none, nor has
 * the last. */
static bool plan_block(change *c, const hmd_part **block, const hmd_part **coordinate)
{
    const size_t num = hmd_num_parts(&own, HMD_PART_COORDINATE);
    if (num == 0) {
        return false;
    }
    const size_t i = below(c, num);
    *block = hmd_part_number(&own, HMD_PART_BLOCK, i + 1);
    *coordinate = hmd_part_number(&own, HMD_PART_COORDINATE, i);
    return *block != NULL && *coordinate != NULL;
}

static bool count_block(change *c, const hmd_part *block, const hmd_part *coordinate, bool is_more,
                        const plan *of)
{
    const part_count counts[PART_COUNTS] = {block->counts[0], coordinate->counts[0]};
    return count_part(c, counts, is_more, 1, moved, of);
}

/* The new block runs the same primitives, at a place of its own. */
static bool repeat_block(change *c)
{
    const hmd_part *block;
    const hmd_part *unit;
    if (!plan_block(c, &block, &unit)) {
        return false;
    }
    const size_t at = unit->off + unit->len;
    const plan of = {.gaps = {{block->off + block->len, 0, block->len}, {at, 0, unit->len}},
                     .num = 2};
    if (coming(&of) > c->max - c->size || !follow(c, &of) ||
        !count_block(c, block, unit, true, &of)) {
        return false;
    }
    uint8_t copy[HMD_UNIT_LEN];
    if (unit->len > sizeof copy) {
        return false;
    }
    memcpy(copy, c->data + unit->off, unit->len);
    const bool is_done = put_in(c, at, copy, unit->len);
    memcpy(copy, c->data + block->off, block->len);
    return is_done && put_in(c, block->off + block->len, copy, block->len);
}

/* What has lain in the coordinate lies in the world. */
static bool remove_block(change *c)
{
    const hmd_part *block;
    const hmd_part *unit;
    if (!plan_block(c, &block, &unit)) {
        return false;
    }
    const plan of = {.gaps = {{block->off, block->len, 0}, {unit->off, unit->len, 0}}, .num = 2};
    for (size_t i = 0; i < own.num_links; i++) {
        const hmd_link *link = &own.links[i];
        if (link->kind == HMD_LINK_PARENT && hmd_link_target(link, c->data) == unit->off) {
            put_number(c->data + link->off, WORD_LEN, 0);
        }
    }
    if (!hmd_find_parts(&own, c->format, c->data, c->size) || !follow(c, &of)) {
        return false;
    }
    if (!count_block(c, block, unit, false, &of)) { /* parts lie where they lay */
        return false;
    }
    take_out(c, of.gaps[1].at, of.gaps[1].gone);
    take_out(c, of.gaps[0].at, of.gaps[0].gone);
    return true;
}

/* ---- a primitive of another file, with its header and its sections ---- */

typedef struct section {
    size_t off, len; /* in the other file */
    size_t at;       /* in this one, once it is there */
} section;

typedef struct transplant {
    const hmd_part *primitive, *header; /* of the other file */
    section sections[MOST_SECTIONS];    /* in rising order of off */
    size_t num;
    size_t len; /* of all sections */
} transplant;

/* A section ends where the next thing begins that something leads to. */
static size_t section_end(size_t off)
{
    size_t end = others.size;
    for (size_t i = 0; i < others.num_links; i++) {
        const size_t target = hmd_link_target(&others.links[i], others.data);
        if (others.links[i].base == 0 && target > off && target < end) {
            end = target;
        }
    }
    return end;
}

static bool is_front(const hmd_parts *of, size_t off)
{
    return off < of->coordinates + WORD_LEN +
                     (size_t)HMD_UNIT_LEN * number_at(of->data + of->coordinates, WORD_LEN);
}

static bool add_section(transplant *to, size_t off)
{
    size_t i = to->num;
    while (i > 0 && to->sections[i - 1].off > off) {
        i--;
    }
    if (i > 0 && to->sections[i - 1].off == off) {
        return true;
    }
    if (to->num == MOST_SECTIONS || off >= others.size) {
        return false;
    }
    memmove(&to->sections[i + 1], &to->sections[i], (to->num - i) * sizeof to->sections[0]);
    to->sections[i] = (section){.off = off, .len = section_end(off) - off};
    to->num++;
    to->len += to->sections[i].len;
    return true;
}

static const hmd_part *header_at(size_t off)
{
    for (size_t i = 0; i < others.num_parts; i++) {
        if (others.parts[i].kind == HMD_PART_HEADER && others.parts[i].off == off) {
            return &others.parts[i];
        }
    }
    return NULL;
}

static bool choose_primitive(change *c, transplant *out)
{
    out->primitive = some(c, &others, HMD_PART_PRIMITIVE);
    if (out->primitive == NULL) {
        return false;
    }
    const hmd_link *to = hmd_link_at(&others, HMD_LINK_HEADER, out->primitive->off + WORD_LEN);
    out->header = to == NULL ? NULL : header_at(hmd_link_target(to, others.data));
    return out->header != NULL;
}

static bool find_sections(transplant *out)
{
    for (size_t i = 0; i < others.num_links; i++) {
        const hmd_link *link = &others.links[i];
        if (link->kind != HMD_LINK_SECTION || link->off < out->header->off ||
            link->off >= out->header->off + out->header->len) {
            continue;
        }
        const size_t target = hmd_link_target(link, others.data);
        if (!is_front(&others, target) && !add_section(out, target)) {
            return false;
        }
    }
    return true;
}

/* An argument of the header leads to its section, or to the coordinates of this file. */
static uint32_t argument_here(const transplant *of, const plan *with, uint32_t word)
{
    const size_t target = (size_t)(word & NEXT_MASK) * WORD_LEN;
    size_t at = own.coordinates;
    for (size_t i = 0; i < of->num; i++) {
        at = of->sections[i].off == target ? of->sections[i].at : at;
    }
    if (is_front(&others, target)) {
        const size_t in = target < others.coordinates ? 0 : target - others.coordinates;
        at = is_front(&own, own.coordinates + in) ? own.coordinates + in : own.coordinates;
        at = moved(with, at);
    }
    return MARK | (uint32_t)(at / WORD_LEN);
}

static void fill_header(const transplant *of, const plan *with, uint8_t *copy)
{
    memcpy(copy, others.data + of->header->off, of->header->len);
    for (size_t i = WORD_LEN; i < of->header->len; i += WORD_LEN) {
        const uint32_t word = number_at(copy + i, WORD_LEN);
        if ((word & MARK) != 0) {
            put_number(copy + i, WORD_LEN, argument_here(of, with, word));
        }
    }
}

/* The sections follow each other behind the end, in the order that they had. */
static void append_sections(change *c, transplant *of, size_t end)
{
    for (size_t i = 0; i < of->num; i++) {
        of->sections[i].at = end;
        memcpy(c->data + c->size, others.data + of->sections[i].off, of->sections[i].len);
        c->size += of->sections[i].len;
        end += of->sections[i].len;
    }
}

/* Puts both parts in: what lies further back first. */
static bool put_both(change *c, transplant *of, const plan *with, const hmd_part *place,
                     size_t header_gap)
{
    const size_t lens = of->header->len + of->primitive->len;
    uint8_t *copy = malloc(lens);
    if (copy == NULL) {
        return false;
    }
    uint8_t *primitive = copy + of->header->len;
    const gap *first = &with->gaps[0];
    const size_t places[MOST_GAPS] = {first->at, with->gaps[1].at + first->come};
    append_sections(c, of, c->size + lens);
    fill_header(of, with, copy);
    memcpy(primitive, others.data + of->primitive->off, of->primitive->len);
    chain(c, place, primitive, places[1 - header_gap]);
    put_number(primitive + WORD_LEN, WORD_LEN, (uint32_t)(places[header_gap] / WORD_LEN));
    bool is_done = true;
    for (size_t i = MOST_GAPS; i > 0 && is_done; i--) {
        const gap *one = &with->gaps[i - 1];
        is_done = put_in(c, one->at, i - 1 == header_gap ? copy : primitive, one->come);
    }
    free(copy);
    return is_done;
}

static bool splice_primitive(change *c)
{
    transplant of = {0};
    const hmd_part *header = some(c, &own, HMD_PART_HEADER);
    const hmd_part *place = some(c, &own, HMD_PART_PRIMITIVE);
    if (header == NULL || place == NULL || !choose_primitive(c, &of) || !find_sections(&of)) {
        return false;
    }
    const gap of_header = {header->off + header->len, 0, of.header->len};
    const gap of_primitive = {place->off + place->len, 0, of.primitive->len};
    const size_t header_gap = of_header.at < of_primitive.at ? 0 : 1;
    const plan with = {.gaps = {header_gap == 0 ? of_header : of_primitive,
                                header_gap == 0 ? of_primitive : of_header},
                       .num = 2};
    if (coming(&with) + of.len > c->max - c->size || of_header.at == of_primitive.at ||
        !follow(c, &with) || !count_part(c, header->counts, true, 0, moved, &with)) {
        return false;
    }
    return put_both(c, &of, &with, place, header_gap);
}

/* ---- moves ---- */

static bool repeat_part(change *c)
{
    const hmd_part *from = any_part(c, &own);
    if (from->kind == HMD_PART_BLOCK || from->kind == HMD_PART_COORDINATE) {
        return repeat_block(c);
    }
    const hmd_part *place = &own.parts[below(c, own.num_parts)];
    place = is_like(place, c->data, from, c->data) ? place : from;
    return insert_behind(c, place, c->data, from);
}

static bool splice_part(change *c)
{
    if (!hmd_find_parts(&others, c->format, c->other, c->other_len)) {
        return false;
    }
    const hmd_part *from = any_part(c, &others);
    if (from->kind <= HMD_PART_PRIMITIVE) {
        return splice_primitive(c);
    }
    const size_t first = below(c, own.num_parts);
    for (size_t i = 0; i < own.num_parts; i++) {
        const hmd_part *place = &own.parts[(first + i) % own.num_parts];
        if (is_like(place, c->data, from, c->other)) {
            return insert_behind(c, place, c->other, from);
        }
    }
    return false;
}

/* What leads to a primitive leads to the one behind it; a block may have none then. */
static void unchain(change *c, const hmd_part *part)
{
    uint8_t next[WORD_LEN];
    memcpy(next, c->data + part->off, sizeof next);
    const bool is_last = number_at(next, sizeof next) == LAST;
    for (size_t i = 0; i < own.num_links; i++) {
        const hmd_link *link = &own.links[i];
        if (link->kind > HMD_LINK_NEXT || hmd_link_target(link, c->data) != part->off) {
            continue;
        }
        memcpy(c->data + link->off, next, sizeof next);
        if (is_last && link->kind == HMD_LINK_FIRST) {
            put_number(c->data + link->off, WORD_LEN, 0);
        }
    }
}

static bool remove_part(change *c)
{
    const hmd_part *any = any_part(c, &own);
    if (any->kind == HMD_PART_BLOCK || any->kind == HMD_PART_COORDINATE) {
        return remove_block(c);
    }
    const hmd_part part = *any;
    if (part.kind == HMD_PART_HEADER && hmd_links_to(&own, HMD_LINK_HEADER, part.off) > 0) {
        return false;
    }
    if (part.kind == HMD_PART_PRIMITIVE) {
        unchain(c, &part);
        if (!hmd_find_parts(&own, c->format, c->data, c->size)) {
            return false;
        }
    }
    const plan of = {.gaps = {{part.off, part.len, 0}}, .num = 1};
    if (!follow(c, &of) || !count_part(c, part.counts, false, least_of(&part), moved, &of)) {
        return false;
    }
    take_out(c, part.off, part.len);
    return true;
}

/* The next part of the same kind, where it follows at once. */
static const hmd_part *neighbour(const hmd_part *of)
{
    for (size_t i = 0; i < own.num_parts; i++) {
        const hmd_part *part = &own.parts[i];
        if (part->kind == of->kind && part->off == of->off + of->len) {
            return part;
        }
    }
    return NULL;
}

static bool exchange_parts(change *c)
{
    const hmd_part *a = any_part(c, &own);
    const hmd_part *b = neighbour(a);
    if (b == NULL) {
        return false;
    }
    const plan of = {.gaps = {{a->off, 0, 0}}, .num = 1, .first = a->len, .second = b->len};
    uint8_t *copy = malloc(a->len);
    if (copy == NULL || !follow(c, &of)) {
        free(copy);
        return false;
    }
    memcpy(copy, c->data + a->off, a->len);
    memmove(c->data + a->off, c->data + b->off, b->len);
    memcpy(c->data + a->off + b->len, copy, a->len);
    free(copy);
    tell_kept(c);
    return true;
}

bool mutate_hmd_parts(change *c)
{
    static move *const moves[] = {remove_part, repeat_part, splice_part, exchange_parts};
    return hmd_find_parts(&own, c->format, c->data, c->size) &&
           one_of(c, moves, sizeof moves / sizeof moves[0]);
}

/* ---- words ---- */

/* Words that lead behind a place, counted in words from the start, lead `more` words further. */
static void lead_on(change *c, size_t place, size_t more, bool is_more)
{
    const size_t num_words = c->size / WORD_LEN;
    const size_t left = below(c, EACH_WRONG) == 0 ? below(c, num_words) : num_words;
    for (size_t i = 0; i < num_words; i++) {
        uint8_t *at = c->data + i * WORD_LEN;
        const uint32_t value = number_at(at, WORD_LEN);
        const size_t target = value & NEXT_MASK;
        if (i != left && target >= place && target <= num_words) {
            put_number(at, WORD_LEN, is_more ? value + (uint32_t)more : value - (uint32_t)more);
        }
    }
}

bool mutate_hmd_insert_words(change *c)
{
    const bool is_spliced = c->other_len >= WORD_LEN && below(c, 2) == 0;
    const uint8_t *from = is_spliced ? c->other : c->data;
    const size_t num_from = (is_spliced ? c->other_len : c->size) / WORD_LEN;
    const size_t num_words = c->size / WORD_LEN;
    uint8_t words[MOST_INSERTED * WORD_LEN];
    if (num_from == 0 || num_words == 0 || c->max - c->size < sizeof words) {
        return false;
    }
    const size_t at = below(c, num_from);
    size_t num = 1 + below(c, MOST_INSERTED);
    num = num < num_from - at ? num : num_from - at;
    const size_t place = below(c, num_words + 1);
    memcpy(words, from + at * WORD_LEN, num * WORD_LEN);
    lead_on(c, place, num, true);
    return put_in(c, place * WORD_LEN, words, num * WORD_LEN);
}

bool mutate_hmd_remove_words(change *c)
{
    const size_t num_words = c->size / WORD_LEN;
    if (num_words < 2) {
        return false;
    }
    const size_t place = below(c, num_words - 1);
    size_t num = 1 + below(c, MOST_INSERTED);
    num = num < num_words - place ? num : num_words - place - 1;
    lead_on(c, place + num, num, false);
    take_out(c, place * WORD_LEN, num * WORD_LEN);
    return true;
}
