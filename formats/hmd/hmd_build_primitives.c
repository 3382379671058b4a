#include "hmd/hmd_build.h"

#include "hmd/hmd_packets.h"

#include <assert.h>

/* Evidence: the pointer of a primitive to its header is the start of one, of at most 2^21, and its
 * pointer to the next one leads into the asset: 11 bits each, and 16 are counted. A record's size
 * is no more than the words that are left: 8 are counted, and of the first 64 records only, for
 * hostile primitives may lie inside each other and share records. */
enum { BITS_PRIMITIVE = 16, BITS_RECORD = 8, MOST_COUNTED = 64 };

/* ---- chains -----------------------------------------------------------------------------------
 */

/* One bit a word: a primitive starts here. */
typedef struct starts {
    uint32_t *bits;
    uint32_t num_words;
    uint32_t num; /* primitives */
} starts;

static bool is_start(const starts *seen, uint32_t off)
{
    return (seen->bits[off / 32] >> (off % 32) & 1) != 0;
}

/* A primitive lies anywhere outside of the front part, also between the coordinates and the
 * primitive headers. */
static bool is_place(const hmd_model *model, uint32_t off)
{
    return off != HMD_NONE && off < HMD_MOST_WORDS && !hmd_is_front(model, off) &&
           !hmd_is_front(model, off + HMD_PRIMITIVE_WORDS - 1);
}

static fh_value possible_place(const hmd_model *model)
{
    return hmd_units_end(model) == model->header_section
               ? fh_dec_after("a primitive behind word ", model->headers_end, "")
               : fh_words("a primitive in front of the primitive headers, or behind them");
}

/* A primitive needs its three fixed words inside the bytes. rule says whose pointer it is. */
static bool check_place(hmd_check *check, enum hmd_rule rule, const char *field, uint32_t at,
                        uint32_t off)
{
    const hmd_model *model = check->model;
    if (!is_place(model, off)) {
        hmd_fault(check, rule, FH_CORRUPT, field, at, fh_hex(hmd_word(model, at)),
                  possible_place(model));
        return false;
    }
    if (hmd_need(check, off, HMD_PRIMITIVE_WORDS)) {
        return true;
    }
    if (check->wanted == 0) {
        const bool is_cut = off < model->num_words;
        hmd_fault(check, is_cut ? HMD0050 : rule, FH_TRUNCATED, is_cut ? "bytes left" : field,
                  is_cut ? off : at,
                  is_cut ? fh_dec((int64_t)(model->num_words - off) * 4, "")
                         : fh_hex(hmd_word(model, at)),
                  is_cut ? fh_dec(12, "") : fh_dec_after("below ", model->num_words, ""));
    }
    return false;
}

/* Reads the next pointer of the primitive at off: true with its place, false at the end of the
 * chain or where the pointer leads nowhere. */
static bool find_next(hmd_check *check, uint32_t off, uint32_t *next)
{
    const hmd_primitive here = {.off = off};
    if (hmd_word(check->model, off) == HMD_TERM) {
        return false;
    }
    *next = hmd_plain(check->model, off);
    check->primitive = &here;
    const bool is_there = check_place(check, HMD0051, "next primitive", off, *next);
    check->primitive = NULL;
    return is_there;
}

static void mark_chain(hmd_check *check, starts *seen, uint32_t block)
{
    hmd_model *model = check->model;
    const uint32_t at = HMD_FIXED_WORDS + block;
    uint32_t off;
    check->block = block;
    if (hmd_word(model, at) == 0) {
        return;
    }
    off = hmd_plain(model, at);
    if (!check_place(check, HMD0009, "block pointer", at, off)) {
        return;
    }
    while (!is_start(seen, off) && hmd_spend(check, 1)) {
        seen->bits[off / 32] |= 1u << (off % 32);
        seen->num++;
        if (!find_next(check, off, &off)) {
            break;
        }
    }
}

static bool mark_chains(hmd_check *check, starts *seen)
{
    hmd_model *model = check->model;
    bool has_primitive = false;
    for (uint32_t i = 0; i < model->num_blocks && hmd_spend(check, 1); i++) {
        has_primitive = has_primitive || hmd_word(model, HMD_FIXED_WORDS + i) != 0;
        mark_chain(check, seen, i);
    }
    check->block = HMD_NONE;
    if (!has_primitive && !check->stopped) {
        hmd_fault(check, HMD0010, FH_CORRUPT, "block pointers", HMD_FIXED_WORDS,
                  fh_dec_after("all ", model->num_blocks, " are 0"), fh_words("a primitive"));
    }
    return !check->stopped;
}

/* ---- table ------------------------------------------------------------------------------------
 */

/* The header that a pointer may have meant; in memory pointers are addresses and not compared. */
static fh_value nearest_header(const hmd_model *model, uint32_t off)
{
    uint32_t i = 0;
    uint32_t high = model->num_headers;
    if (high == 0 || hmd_is_memory(model)) {
        return fh_words("the size word of a primitive header");
    }
    while (i < high) {
        const uint32_t middle = i + (high - i) / 2;
        if (model->headers[middle].off < off) {
            i = middle + 1;
        } else {
            high = middle;
        }
    }
    if (i == model->num_headers ||
        (i > 0 && off - model->headers[i - 1].off < model->headers[i].off - off)) {
        i--;
    }
    return (fh_value){FH_VALUE_HEX, "a header, the nearest at ", model->headers[i].off, ""};
}

static uint32_t header_of(hmd_check *check, const hmd_primitive *primitive)
{
    hmd_model *model = check->model;
    const uint32_t off = hmd_plain(model, primitive->off + 1);
    const uint32_t header = off == HMD_NONE ? HMD_NONE : hmd_header_at(model, off);
    if (header == HMD_NONE) {
        hmd_fault(check, HMD0053, FH_CORRUPT, "header pointer", primitive->off + 1,
                  fh_hex(hmd_word(model, primitive->off + 1)), nearest_header(model, off));
        return HMD_NONE;
    }
    model->headers[header].is_used = true;
    check->evidence += BITS_PRIMITIVE;
    return header;
}

static bool fill_primitives(hmd_check *check, const starts *seen)
{
    hmd_model *model = check->model;
    uint32_t num = 0;
    for (uint32_t w = 0; w < (seen->num_words + 31) / 32 && hmd_spend(check, 1); w++) {
        for (uint32_t bit = 0; seen->bits[w] != 0 && bit < 32; bit++) {
            if ((seen->bits[w] >> bit & 1) != 0) {
                model->primitives[num++] = (hmd_primitive){
                    .off = 32 * w + bit, .next = HMD_NONE, .header = HMD_NONE, .block = HMD_NONE};
            }
        }
    }
    assert(check->stopped || num == seen->num);
    model->num_primitives = num;
    return !check->stopped;
}

/* Links every primitive to its successor and header. Whatever pointers were wrong was told when the
 * chains were marked; a primitive is found at each of the others, and none where a chain ends. */
static bool link_primitives(hmd_check *check)
{
    hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 16); i++) {
        hmd_primitive *primitive = &model->primitives[i];
        check->primitive = primitive;
        primitive->header = header_of(check, primitive);
        primitive->next = hmd_primitive_at(model, hmd_plain(model, primitive->off));
    }
    check->primitive = NULL;
    return !check->stopped;
}

/* The primitives of the cycle, as far as they fit, and the first one again. */
static void tell_cycle(hmd_check *check, uint32_t index)
{
    const hmd_primitive *primitives = check->model->primitives;
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    uint32_t i = index;
    do {
        fh_text_hex(&text, HMD_WORD_LEN * primitives[i].off, 1);
        fh_text_str(&text, ", ");
        i = primitives[i].next;
    } while (i != index && !text.cut && hmd_spend(check, 1));
    fh_text_hex(&text, HMD_WORD_LEN * primitives[index].off, 1);
    check->primitive = &primitives[index];
    hmd_fault(check, HMD0052, FH_CORRUPT, "way from here", primitives[index].off, fh_words(buf),
              fh_words("a last primitive"));
    check->primitive = NULL;
}

/* Gives every primitive of a chain its block, up to one that a chain before has given its own;
 * opens the chain where it runs into itself. */
static uint32_t walk_block(hmd_check *check, uint32_t first, uint32_t block)
{
    hmd_model *model = check->model;
    uint32_t last = HMD_NONE;
    uint32_t i = first;
    while (i != HMD_NONE && model->primitives[i].block == HMD_NONE && hmd_spend(check, 1)) {
        model->primitives[i].block = block;
        last = i;
        i = model->primitives[i].next;
    }
    if (i != HMD_NONE && last != HMD_NONE && model->primitives[i].block == block) {
        tell_cycle(check, i);
        model->primitives[last].next = HMD_NONE;
        i = HMD_NONE;
    }
    return i;
}

/* Where the chain of a block runs into one that another block has run before. */
typedef struct entries {
    uint32_t *shared; /* primitive of each block, HMD_NONE = nowhere */
    uint32_t *next;   /* next block that runs into the same primitive */
    uint32_t *first;  /* of each primitive, the first of these blocks */
} entries;

static void tell_shared(const hmd_check *check, const entries *of, uint32_t index)
{
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_u64(fh_text_str(&text, "run by blocks "), check->primitive->block);
    for (uint32_t b = of->first[index]; b != HMD_NONE && !text.cut; b = of->next[b]) {
        fh_text_u64(fh_text_str(&text, ", "), b);
    }
    hmd_tell(check, HMD0011, "primitive", check->primitive->off, fh_words(buf), fh_nothing());
}

/* One finding for each primitive at which chains come together. */
static void tell_all_shared(hmd_check *check, const entries *of)
{
    hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 1); i++) {
        of->first[i] = HMD_NONE;
    }
    for (uint32_t b = model->num_blocks; b > 0 && hmd_spend(check, 1); b--) {
        const uint32_t shared = of->shared[b - 1];
        if (shared != HMD_NONE) {
            of->next[b - 1] = of->first[shared];
            of->first[shared] = b - 1;
        }
    }
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 1); i++) {
        check->primitive = &model->primitives[i];
        check->block = check->primitive->block;
        if (of->first[i] != HMD_NONE) {
            tell_shared(check, of, i);
        }
    }
    check->primitive = NULL;
    check->block = HMD_NONE;
}

static void assign_blocks(hmd_check *check, const entries *of)
{
    hmd_model *model = check->model;
    for (uint32_t b = 0; b < model->num_blocks && hmd_spend(check, 16); b++) {
        const uint32_t at = HMD_FIXED_WORDS + b;
        const uint32_t off = hmd_word(model, at) == 0 ? HMD_NONE : hmd_plain(model, at);
        const uint32_t first = off == HMD_NONE ? HMD_NONE : hmd_primitive_at(model, off);
        check->block = b;
        model->blocks[b] = first;
        of->shared[b] = walk_block(check, first, b);
    }
    check->block = HMD_NONE;
}

static bool find_blocks(hmd_check *check)
{
    const hmd_model *model = check->model;
    const size_t mark = fh_arena_mark(check->arena);
    const entries of = {hmd_table(check, model->num_blocks, sizeof *of.shared),
                        hmd_table(check, model->num_blocks, sizeof *of.next),
                        hmd_table(check, model->num_primitives, sizeof *of.first)};
    if (check->no_memory) {
        return false;
    }
    assign_blocks(check, &of);
    if (!check->stopped) {
        tell_all_shared(check, &of);
    }
    fh_arena_reset(check->arena, mark);
    return !check->stopped;
}

bool hmd_build_primitives(hmd_check *check)
{
    hmd_model *model = check->model;
    starts seen = {.num_words = model->num_words};
    seen.bits = hmd_table(check, (model->num_words + 31) / 32, sizeof *seen.bits);
    model->blocks = hmd_table(check, model->num_blocks, sizeof *model->blocks);
    if (check->no_memory || !mark_chains(check, &seen)) {
        return false;
    }
    model->primitives = hmd_table(check, seen.num, sizeof *model->primitives);
    return model->primitives != NULL && fill_primitives(check, &seen) && link_primitives(check) &&
           find_blocks(check);
}

/* ---- records ----------------------------------------------------------------------------------
 */

static uint8_t category_of(uint32_t type)
{
    const uint32_t category = type >> 24 & 15;
    if ((type & ~HMD_TYPE_INI) == 0) {
        return HMD_CATEGORY_NULL;
    }
    if (type >> 28 != 0 || category >= HMD_NUM_CATEGORIES) {
        return HMD_CATEGORY_FOREIGN;
    }
    return (uint8_t)category;
}

/* A type word of a scanned primitive in memory is the address of a driver by then. It may be a type
 * still: the scan only reports types, and the program replaces them one after the other. Programs
 * run in KSEG0, so that types and addresses do not look alike there. */
static bool is_driver_address(const hmd_model *model, uint32_t raw, uint32_t size_word)
{
    return (size_word & HMD_MSB) == 0 && hmd_is_driver(model, raw) && !hmd_has_driver(raw);
}

static hmd_record read_record(const hmd_model *model, uint32_t primitive, uint32_t off)
{
    const uint32_t type = hmd_word(model, off);
    const uint32_t size = hmd_word(model, off + 1);
    hmd_record record = {.off = off,
                         .type = type,
                         .primitive = primitive,
                         .size = (uint16_t)hmd_low(size),
                         .count = (uint16_t)(hmd_high(size) & 0x7fff)};
    if (is_driver_address(model, type, size)) {
        record.type = HMD_NO_TYPE;
        record.category = HMD_CATEGORY_FOREIGN;
        return record;
    }
    record.category = category_of(type);
    return record;
}

static fh_value words_of(const hmd_model *model, uint64_t first)
{
    const uint64_t left = first < model->num_words ? model->num_words - first : 0;
    return fh_count((int64_t)left, "word");
}

static bool check_size(hmd_check *check, uint32_t off)
{
    const hmd_model *model = check->model;
    if (!hmd_missing(check, HMD0060, "record", off, off, 2, words_of(model, off), fh_dec(2, ""))) {
        return false;
    }
    const uint32_t size = hmd_low(hmd_word(model, off + 1));
    if (size == 0) {
        hmd_fault(check, HMD0061, FH_CORRUPT, "record size", off + 1, fh_dec(0, " words"),
                  fh_words("at least 1 word, this one"));
        return false;
    }
    return hmd_missing(check, HMD0060, "record size", off + 1, (uint64_t)off + 1, size,
                       fh_count(size, "word"), words_of(model, off + 1));
}

/* Walks the records of a primitive and tells what is wrong with them; returns how many are sound.
 */
static uint32_t count_records(hmd_check *check, hmd_primitive *primitive)
{
    const hmd_model *model = check->model;
    const uint32_t announced = hmd_low(hmd_word(model, primitive->off + 2));
    uint32_t off = primitive->off + HMD_PRIMITIVE_WORDS;
    uint32_t num = 0;
    primitive->end = off;
    if (!hmd_missing(check, HMD0055, "number of records", primitive->off + 2, off,
                     2 * (uint64_t)announced, fh_dec(announced, ""), words_of(model, off))) {
        return 0;
    }
    while (num < announced && hmd_spend(check, 1) && check_size(check, off)) {
        off += 1 + hmd_low(hmd_word(model, off + 1));
        primitive->end = off;
        num++;
    }
    return num;
}

static void fill_records(const hmd_model *model, uint32_t index, hmd_record *out)
{
    const hmd_primitive *primitive = &model->primitives[index];
    uint32_t off = primitive->off + HMD_PRIMITIVE_WORDS;
    for (uint32_t i = 0; i < primitive->num_records; i++) {
        out[i] = read_record(model, index, off);
        off += 1u + out[i].size;
    }
}

bool hmd_build_records(hmd_check *check)
{
    hmd_model *model = check->model;
    uint64_t num = 0;
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 1); i++) {
        hmd_primitive *primitive = &model->primitives[i];
        check->primitive = primitive;
        check->block = primitive->block;
        primitive->first_record = (uint32_t)num;
        primitive->num_records = count_records(check, primitive);
        num += primitive->num_records;
    }
    hmd_clear_place(check);
    check->evidence += BITS_RECORD * (num < MOST_COUNTED ? (uint32_t)num : MOST_COUNTED);
    /* Primitives may lie inside each other and share records; an honest file has no more of them
     * than words. */
    if (check->stopped || num > model->num_words) {
        check->stopped = true;
        return false;
    }
    hmd_record *records = hmd_table(check, (size_t)num, sizeof *records);
    if (records == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < model->num_primitives; i++) {
        fill_records(model, i, records + model->primitives[i].first_record);
    }
    model->records = records;
    model->num_records = (uint32_t)num;
    return true;
}
