#include "hmd/hmd_build.h"

#include "hmd/hmd_base.h"
#include "hmd/hmd_infer.h"

#include <assert.h>

/* Evidence: the version is one value, the map flag one of two. Four numbers, of blocks and
 * coordinates and where two sections begin, must lie below 2^21, or one below the other: 11 bits of
 * each, and 32 are counted. A header's size is no more than the words that are left, again 11 bits,
 * of which 8 are counted and of 16 headers at most: zeros make a size as well. */
enum { BITS_WORD = 32, BITS_POINTER = 16, BITS_SIZE = 8 };

bool hmd_missing(hmd_check *check, enum hmd_rule rule, const char *field, uint32_t at,
                 uint64_t first, uint64_t num, fh_value found, fh_value expected)
{
    if (hmd_need(check, first, num)) {
        return true;
    }
    if (check->wanted == 0) {
        hmd_fault(check, rule, FH_TRUNCATED, field, at, found, expected);
    }
    return false;
}

void *hmd_table(hmd_check *check, size_t num, size_t elem_len)
{
    void *table = fh_arena_alloc(check->arena, num, elem_len);
    check->no_memory = check->no_memory || table == NULL;
    return table;
}

static fh_value words_left(const hmd_model *model, uint64_t first)
{
    const uint64_t left = first < model->num_words ? model->num_words - first : 0;
    return fh_count((int64_t)left, "word");
}

/* ---- header and block table ------------------------------------------------------------------ */

static bool check_version(hmd_check *check)
{
    const uint32_t version = hmd_word(check->model, 0);
    const uint32_t flag = hmd_word(check->model, 1);
    if (version != 0x50) {
        hmd_fault(check, HMD0002, FH_NOT_THIS_FORMAT, "version id", 0, fh_hex(version),
                  fh_hex(0x50));
        return false;
    }
    if (flag > 1) {
        hmd_fault(check, HMD0003, FH_NOT_THIS_FORMAT, "map flag", 1, fh_hex(flag),
                  fh_words("0 or 1"));
        return false;
    }
    check->evidence += 2 * BITS_WORD - 1;
    return true;
}

static bool check_blocks(hmd_check *check)
{
    hmd_model *model = check->model;
    model->num_blocks = hmd_word(model, 3);
    model->coordinates = HMD_MOST_WORDS;
    if (model->num_blocks < 2) {
        hmd_fault(check, HMD0006, FH_NOT_THIS_FORMAT, "number of blocks", 3,
                  fh_dec(model->num_blocks, ""), fh_words("at least 2"));
        return false;
    }
    if (model->num_blocks > HMD_MOST_WORDS) {
        hmd_fault(check, HMD0007, FH_CORRUPT, "number of blocks", 3, fh_dec(model->num_blocks, ""),
                  fh_dec_after("at most ", HMD_MOST_WORDS, ""));
        return false;
    }
    model->coordinates = HMD_FIXED_WORDS + model->num_blocks;
    /* The count of the coordinates stands behind the table. */
    return hmd_missing(check, HMD0007, "number of blocks", 3, HMD_FIXED_WORDS,
                       (uint64_t)model->num_blocks + 1, fh_dec(model->num_blocks, ""),
                       words_left(model, HMD_FIXED_WORDS + 1));
}

static bool check_header_pointer(hmd_check *check)
{
    hmd_model *model = check->model;
    const uint32_t least = model->coordinates + 1;
    uint32_t off = hmd_plain(model, 2);
    if (!hmd_is_memory(model) && (off & HMD_MSB) != 0) {
        hmd_tell(check, HMD0005, "primitive header pointer", 2, fh_hex(off),
                 fh_hex(off & ~HMD_MSB));
        off &= ~HMD_MSB;
    }
    model->header_section = off;
    if (off < least || off >= HMD_MOST_WORDS) {
        hmd_fault(check, HMD0008, FH_CORRUPT, "primitive header pointer", 2,
                  fh_hex(hmd_word(model, 2)),
                  fh_dec_after("at least ", least, " and inside the data"));
        return false;
    }
    return hmd_missing(check, HMD0008, "primitive header pointer", 2, off, 1,
                       fh_hex(hmd_word(model, 2)), fh_dec_after("below ", model->num_words, ""));
}

static bool check_units(hmd_check *check)
{
    hmd_model *model = check->model;
    const uint32_t num = hmd_word(model, model->coordinates);
    const uint64_t end = (uint64_t)model->coordinates + 1 + (uint64_t)num * HMD_UNIT_WORDS;
    if (end > model->header_section) {
        hmd_fault(check, HMD0020, FH_CORRUPT, "number of coordinates", model->coordinates,
                  fh_dec(num, ""),
                  fh_dec_after("at most ",
                               (model->header_section - model->coordinates - 1) / HMD_UNIT_WORDS,
                               " before the primitive headers"));
        return false;
    }
    model->num_units = num;
    if (num + 2 < model->num_blocks) {
        hmd_fault(check, HMD0021, FH_CORRUPT, "number of coordinates", model->coordinates,
                  fh_dec(num, ""), fh_dec_after("at least ", (int64_t)model->num_blocks - 2, ""));
        return false;
    }
    check->evidence += 2 * BITS_POINTER;
    return true;
}

/* ---- primitive headers ------------------------------------------------------------------------
 */

/* Tells what is wrong with the header at `off`, unless its bytes may follow. */
static void tell_header(hmd_check *check, uint32_t index, uint32_t off)
{
    const hmd_model *model = check->model;
    if (!hmd_missing(check, HMD0040, "size of primitive header", off, off, 1,
                     fh_dec_after("header ", index, " past the data"), words_left(model, off))) {
        return;
    }
    const uint32_t size = hmd_word(model, off);
    const uint64_t first = (uint64_t)off + 1;
    if (first + size > HMD_MOST_WORDS) {
        hmd_fault(check, HMD0040, FH_CORRUPT, "size of primitive header", off,
                  fh_count(size, "word"), words_left(model, first));
        return;
    }
    (void)hmd_missing(check, HMD0040, "size of primitive header", off, first, size,
                      fh_count(size, "word"), words_left(model, first));
}

/* Walks over the header at `off`; out may be NULL. Returns the word behind it, or 0 on a fault. An
 * image may be full of places with very many headers: of a sound one nothing is made that would be
 * told of another. */
static uint32_t walk_header(hmd_check *check, uint32_t index, uint32_t off, bool *was_split,
                            hmd_header *out)
{
    const hmd_model *model = check->model;
    const uint32_t size = hmd_word(model, off);
    const uint64_t end = (uint64_t)off + 1 + size;
    if (end > model->num_words) {
        tell_header(check, index, off);
        return 0;
    }
    const bool is_split = !*was_split && hmd_is_split_off(model, (uint32_t)end);
    *was_split = *was_split || is_split;
    if (out != NULL) {
        *out = (hmd_header){
            .off = off, .num_words = size + (is_split ? 1u : 0u), .is_split = is_split};
    }
    return (uint32_t)end + (is_split ? 1u : 0u);
}

static bool check_header_sizes(hmd_check *check)
{
    hmd_model *model = check->model;
    const uint32_t num = hmd_word(model, model->header_section);
    uint32_t off = model->header_section + 1;
    bool was_split = false;
    for (uint32_t i = 0; i < num; i++) {
        if (!hmd_spend(check, 1)) {
            return false;
        }
        off = walk_header(check, i, off, &was_split, NULL);
        if (off == 0) {
            return false;
        }
    }
    model->num_headers = num;
    model->headers_end = off;
    check->evidence += num < 16 ? num * BITS_SIZE : 16 * BITS_SIZE;
    return true;
}

bool hmd_build_headers(hmd_check *check)
{
    hmd_model *model = check->model;
    hmd_header *headers = hmd_table(check, model->num_headers, sizeof *headers);
    uint32_t off = model->header_section + 1;
    bool was_split = false;
    if (headers == NULL) {
        model->num_headers = 0;
        return false;
    }
    for (uint32_t i = 0; i < model->num_headers && hmd_spend(check, 1); i++) {
        off = walk_header(check, i, off, &was_split, &headers[i]);
        assert(off != 0);
    }
    model->headers = headers;
    return !check->stopped;
}

/* ---- all --------------------------------------------------------------------------------------
 */

bool hmd_build_front(hmd_check *check)
{
    const hmd_model *model = check->model;
    if (!hmd_missing(check, HMD0001, "bytes left", 0, 0, HMD_FIXED_WORDS,
                     fh_dec((int64_t)model->bytes.size, ""),
                     fh_dec((int64_t)(HMD_FIXED_WORDS * HMD_WORD_LEN), ""))) {
        return false;
    }
    return check_version(check) && check_blocks(check) && hmd_base_solve(check) &&
           check_header_pointer(check) && check_units(check) && check_header_sizes(check);
}

bool hmd_build(hmd_check *check)
{
    return hmd_build_front(check) && hmd_build_coordinates(check) && hmd_build_headers(check) &&
           hmd_build_primitives(check) && hmd_build_records(check) && hmd_infer(check) &&
           !check->is_faulty && check->wanted == 0;
}
