#include "hmd/hmd_base.h"

#include "core/never.h"
#include "hmd/hmd_build.h"

#include <assert.h>

enum {
    MOST_VOTERS = 16,  /* block pointers that are asked */
    MOST_GAP = 0x4000, /* words between coordinates and headers; real files have none */
    MOST_TRIALS = 16   /* of gaps that look right at first sight */
};

bool hmd_is_split_off(const hmd_model *model, uint32_t off)
{
    /* The size of the next header and a primitive's next pointer, which stand there otherwise,
     * cannot have this value. */
    uint32_t target = HMD_NONE;
    return hmd_is_memory(model) && hmd_has(model, off, 1) &&
           hmd_address(model, hmd_word(model, off), &target) && target == model->coordinates;
}

/* ---- block pointers --------------------------------------------------------------------------
 */

/* A block pointer, the primitive it leads to, and the header that this one wants. */
typedef struct voter {
    uint32_t at;
    uint32_t primitive; /* word, HMD_NONE if it lies nowhere */
    uint32_t header;
} voter;

typedef struct poll {
    voter voters[MOST_VOTERS];
    unsigned num;
} poll;

static voter ask(const hmd_model *model, uint32_t at)
{
    voter out = {.at = at, .primitive = hmd_plain(model, at), .header = HMD_NONE};
    if (out.primitive != HMD_NONE && !hmd_has(model, out.primitive, HMD_PRIMITIVE_WORDS)) {
        out.primitive = HMD_NONE;
    }
    if (out.primitive != HMD_NONE) {
        out.header = hmd_plain(model, out.primitive + 1);
    }
    return out;
}

/* A primitive may lie in bytes that have not been read; it has no vote then. */
static bool is_out_of_sight(const hmd_check *check, const voter *who)
{
    const uint32_t off = hmd_plain(check->model, who->at);
    return !check->at_end && who->primitive == HMD_NONE && off != HMD_NONE &&
           off <= HMD_MOST_WORDS - HMD_PRIMITIVE_WORDS;
}

static void collect(hmd_check *check, poll *out)
{
    const hmd_model *model = check->model;
    out->num = 0;
    for (uint32_t b = 0; b < model->num_blocks && out->num < MOST_VOTERS; b++) {
        const uint32_t at = HMD_FIXED_WORDS + b;
        if (!hmd_spend(check, 1)) {
            return;
        }
        if (hmd_word(model, at) != 0) {
            out->voters[out->num] = ask(model, at);
            out->num += is_out_of_sight(check, &out->voters[out->num]) ? 0 : 1;
        }
    }
}

/* Asks the block pointers what they make of the model's base: each must lead to a primitive whose
 * header pointer hits the start of a header. Returns how many agree. */
static unsigned count_votes(hmd_check *check, poll *out)
{
    const hmd_model *model = check->model;
    const uint32_t section = hmd_plain(model, 2);
    unsigned num_agreed = 0;
    uint64_t off = (uint64_t)section + 1;
    collect(check, out);
    /* The base is what the pointer to the headers makes it, and no higher than that pointer. */
    if (NEVER(section == HMD_NONE) || !hmd_has(model, section, 1)) {
        return check->at_end ? 0 : out->num;
    }
    for (uint32_t left = hmd_word(model, section); left > 0 && num_agreed < out->num; left--) {
        if (!hmd_has(model, off, 1) || !hmd_spend(check, 1)) {
            /* Out of sight, unless they can never be there. */
            return check->at_end || off >= HMD_MOST_WORDS ? num_agreed : out->num;
        }
        for (unsigned i = 0; i < out->num; i++) {
            num_agreed += out->voters[i].header == off ? 1 : 0;
        }
        off += 1 + (uint64_t)hmd_word(model, (uint32_t)off);
        off += off < model->num_words && hmd_is_split_off(model, (uint32_t)off) ? 1 : 0;
    }
    return num_agreed;
}

/* ---- candidates -------------------------------------------------------------------------------
 */

static bool agree_all(hmd_check *check, poll *out)
{
    return count_votes(check, out) == out->num && out->num > 0;
}

/* Tries the base with which the headers begin at word `headers`. */
static void suppose(hmd_model *model, uint64_t headers, bool is_folded)
{
    model->base = (hmd_word(model, 2) & HMD_PHYSICAL) - (uint32_t)(headers * HMD_WORD_LEN);
    model->is_folded = is_folded;
}

/* Whether the primitive of a block pointer may follow the bytes: it is asked for then. */
static bool wait_for(hmd_check *check, uint32_t at)
{
    const voter who = ask(check->model, at);
    const bool is_awaited = is_out_of_sight(check, &who);
    if (is_awaited) {
        (void)hmd_need(check, hmd_plain(check->model, at), HMD_PRIMITIVE_WORDS);
    }
    return is_awaited;
}

/* With the base supposed, a look at one block: worth a vote? The headers may follow the bytes, too.
 */
static bool looks_right(hmd_check *check, uint32_t at, uint64_t headers)
{
    if (wait_for(check, at)) {
        return false;
    }
    const voter who = ask(check->model, at);
    return who.primitive != HMD_NONE && who.header != HMD_NONE && who.header > headers &&
           hmd_need(check, headers, 1);
}

/* The headers may stand farther behind the coordinates. `at` is a block pointer that is not 0. */
static bool find_gap(hmd_check *check, poll *out, uint32_t at, uint64_t headers)
{
    hmd_model *model = check->model;
    const uint32_t pointer = hmd_word(model, 2) & HMD_PHYSICAL;
    const uint32_t behind = check->at_end ? model->num_words : HMD_MOST_WORDS;
    unsigned num_trials = 0;
    for (uint64_t h = headers + 1; h < behind && h <= headers + MOST_GAP; h++) {
        if (h * HMD_WORD_LEN > pointer || num_trials == MOST_TRIALS || !hmd_spend(check, 1)) {
            return false;
        }
        suppose(model, h, false);
        if (looks_right(check, at, h)) {
            num_trials++;
            if (agree_all(check, out)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- parents ----------------------------------------------------------------------------------
 */

typedef struct parents {
    uint32_t num_addresses;
    uint32_t num_astray; /* of those: among the units, but at the start of none */
    uint32_t at;         /* word of the first one astray */
} parents;

static void ask_parent(const hmd_model *model, parents *out, uint32_t at, uint32_t num)
{
    const uint32_t first = model->coordinates + 1;
    const uint32_t end = first + num * HMD_UNIT_WORDS;
    const uint32_t raw = hmd_word(model, at);
    uint32_t off = HMD_NONE;
    if (raw == 0 || (raw >= first && raw < end && (raw - first) % HMD_UNIT_WORDS == 0)) {
        return; /* a root, or still what it was in the file */
    }
    if (!hmd_is_address(raw)) {
        return;
    }
    out->num_addresses++;
    if (!hmd_address(model, raw, &off) || off < first || off >= end) {
        return; /* a root that the program hung on a coordinate of its own */
    }
    if ((off - first) % HMD_UNIT_WORDS == 0) {
        return;
    }
    out->at = out->num_astray++ == 0 ? at : out->at;
}

/* The base of the first parent that is astray, if it meant the unit where it lies. */
static int64_t other_base(const hmd_model *model, uint32_t at)
{
    uint32_t off = HMD_NONE;
    const bool is_inside = hmd_address(model, hmd_word(model, at), &off);
    assert(is_inside && off > model->coordinates);
    (void)is_inside;
    const uint32_t excess = (off - model->coordinates - 1) % HMD_UNIT_WORDS;
    return (int64_t)(model->segment | model->base) + (int64_t)(excess * HMD_WORD_LEN);
}

static bool ask_parents(hmd_check *check, uint32_t num)
{
    hmd_model *model = check->model;
    parents found = {0};
    for (uint32_t i = 0; i < num && hmd_spend(check, 1); i++) {
        const uint32_t unit = model->coordinates + 1 + HMD_UNIT_WORDS * i;
        ask_parent(model, &found, unit + HMD_SUPER_WORD, num);
    }
    model->has_unit_maps = found.num_addresses > 0;
    if (found.num_astray > 0 && found.num_astray == found.num_addresses) {
        hmd_fault(check, HMD0170, FH_CORRUPT, "super", found.at,
                  (fh_value){FH_VALUE_HEX, "base ", other_base(model, found.at), ""},
                  (fh_value){FH_VALUE_HEX, "base ", model->segment | model->base, ""});
        return false;
    }
    return !check->stopped;
}

/* ---- all --------------------------------------------------------------------------------------
 */

/* Says which pointer wants another base: found and expected are bases where that is known. */
static void tell_disagreement(hmd_check *check, const poll *votes)
{
    const hmd_model *model = check->model;
    const uint32_t base = model->segment | model->base;
    const voter *who = &votes->voters[0];
    if (who->header == HMD_NONE) {
        hmd_fault(check, HMD0170, FH_CORRUPT, "block pointer", who->at,
                  fh_hex(hmd_word(model, who->at)),
                  (fh_value){FH_VALUE_HEX, "an address in the asset at ", base, ""});
        return;
    }
    const int64_t first_header = ((int64_t)hmd_plain(model, 2) + 1) * (int64_t)HMD_WORD_LEN;
    const int64_t pointer = hmd_word(model, who->primitive + 1);
    hmd_fault(check, HMD0170, FH_CORRUPT, "header pointer", who->primitive + 1,
              (fh_value){FH_VALUE_HEX, "base ", pointer - first_header, " or lower"},
              (fh_value){FH_VALUE_HEX, "base ", base, ""});
}

/* The other bases that there may be. Where that hangs on bytes that may follow they are wanted. */
static bool find_other(hmd_check *check, uint32_t at, uint64_t headers)
{
    hmd_model *model = check->model;
    poll others = {0};
    suppose(model, headers, true);
    if (!agree_all(check, &others)) {
        if (others.num == 0) {
            (void)wait_for(check, at);
        }
        if (!find_gap(check, &others, at, headers)) {
            return false;
        }
    }
    check->wanted = 0;
    return true;
}

static bool vote(hmd_check *check, uint64_t headers)
{
    hmd_model *model = check->model;
    poll votes = {0};
    suppose(model, headers, false);
    const unsigned num_agreed = count_votes(check, &votes);
    if (num_agreed == votes.num || find_other(check, votes.voters[0].at, headers)) {
        return !check->stopped;
    }
    suppose(model, headers, false);
    if (num_agreed > 0) {
        /* Single pointers that are wrong are told where they are followed. */
        check->wanted = 0;
        return !check->stopped;
    }
    if (check->wanted == 0 && !check->stopped) {
        tell_disagreement(check, &votes);
    }
    return false;
}

bool hmd_base_solve(hmd_check *check)
{
    hmd_model *model = check->model;
    model->stage = HMD_STAGE_FILE;
    model->is_unscanned = true;
    if (hmd_word(model, 1) == 0) {
        return true;
    }
    const uint32_t num_units = hmd_word(model, model->coordinates);
    const uint64_t headers =
        (uint64_t)model->coordinates + 1 + (uint64_t)num_units * HMD_UNIT_WORDS;
    const uint32_t pointer = hmd_word(model, 2);
    model->stage = HMD_STAGE_MAPPED;
    if (headers > HMD_MOST_WORDS || !hmd_is_address(pointer) ||
        (pointer & HMD_PHYSICAL) < headers * HMD_WORD_LEN) {
        hmd_fault(check, HMD0170, FH_CORRUPT, "primitive header pointer", 2, fh_hex(pointer),
                  fh_words("an address behind the coordinates"));
        return false;
    }
    model->segment = pointer & ~HMD_PHYSICAL;
    if (!hmd_missing(check, HMD0020, "number of coordinates", model->coordinates, 0, headers,
                     fh_dec(num_units, ""), fh_count(model->num_words, "word")) ||
        !vote(check, headers)) {
        return false;
    }
    model->has_base = true;
    return ask_parents(check, num_units);
}
