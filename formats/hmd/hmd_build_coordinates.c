#include "hmd/hmd_build.h"

/* The library keeps the way up to the root in an array of about 100 entries. */
#define MOST_DEPTH 99u

/* Evidence: a parent that is named is the start of one of at most 104,857 coordinates. */
enum { BITS_PARENT = 15 };

enum { UNSEEN = 0, ON_THE_WAY = HMD_NONE };

/* A root's parent may lie outside the asset in memory: programs let roots hang on a coordinate of
 * their own. */
static uint32_t parent_of(hmd_check *check, uint32_t unit)
{
    const hmd_model *model = check->model;
    const uint32_t at = hmd_unit(model, unit) + HMD_SUPER_WORD;
    const uint32_t raw = hmd_word(model, at);
    uint32_t off = raw;
    if (raw == 0) {
        return HMD_NONE;
    }
    if (model->has_unit_maps && !hmd_is_unmapped(model, raw)) {
        const bool is_aligned = raw % HMD_WORD_LEN == 0;
        if (!hmd_address(model, raw, &off) || off < HMD_FIXED_WORDS || off >= model->headers_end) {
            off = is_aligned ? HMD_NONE : 0;
        }
        if (off == HMD_NONE) {
            hmd_tell(check, HMD0176, "super", at, fh_hex(raw),
                     fh_words("a coordinate of this asset, or 0"));
            return HMD_NONE;
        }
    }
    const uint32_t parent = hmd_unit_at(model, off);
    if (parent == HMD_NONE) {
        hmd_fault(check, HMD0023, FH_CORRUPT, "super", at, fh_hex(raw),
                  fh_words("0 or the start of a coordinate"));
    }
    check->evidence += parent == HMD_NONE ? 0 : BITS_PARENT;
    return parent;
}

/* Tells the cycle that unit lies on, and opens it there so that nothing behind this runs in it. */
static void tell_cycle(hmd_check *check, uint32_t unit)
{
    hmd_model *model = check->model;
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    uint32_t i = unit;
    do {
        fh_text_u64(&text, i);
        fh_text_str(&text, ", ");
        i = model->parents[i];
    } while (i != unit && !text.cut && hmd_spend(check, 1));
    fh_text_u64(&text, unit);
    check->unit = unit;
    hmd_tell(check, HMD0024, "way to the root", hmd_unit(model, unit) + HMD_SUPER_WORD,
             fh_words(buf), fh_words("one that ends"));
    check->unit = HMD_NONE;
    model->parents[unit] = HMD_NONE;
}

/* Follows the parents of unit up to one whose depth is known; on the way back every depth is one
 * more than its parent's. Depths are counted from 1 at a root. */
static bool measure_depth(hmd_check *check, uint32_t *depths, uint32_t *way, uint32_t unit)
{
    hmd_model *model = check->model;
    uint32_t num = 0;
    uint32_t i = unit;
    while (i != HMD_NONE && depths[i] == UNSEEN) {
        if (!hmd_spend(check, 1)) {
            return false;
        }
        depths[i] = ON_THE_WAY;
        way[num++] = i;
        i = model->parents[i];
    }
    if (i != HMD_NONE && depths[i] == ON_THE_WAY) {
        tell_cycle(check, i);
        i = HMD_NONE;
    }
    uint32_t depth = i == HMD_NONE ? 0 : depths[i];
    while (num > 0) {
        depths[way[--num]] = ++depth;
    }
    return !check->stopped;
}

static void tell_deep(hmd_check *check, const uint32_t *depths)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_units && hmd_spend(check, 1); i++) {
        check->unit = i;
        if (depths[i] > MOST_DEPTH) {
            hmd_tell(check, HMD0025, "depth", hmd_unit(model, i) + HMD_SUPER_WORD,
                     fh_dec(depths[i], ""), fh_dec_after("at most ", MOST_DEPTH, ""));
        }
    }
    check->unit = HMD_NONE;
}

bool hmd_build_coordinates(hmd_check *check)
{
    hmd_model *model = check->model;
    uint32_t *depths = hmd_table(check, model->num_units, sizeof *depths);
    uint32_t *way = hmd_table(check, model->num_units, sizeof *way);
    model->parents = hmd_table(check, model->num_units, sizeof *model->parents);
    if (check->no_memory) {
        model->num_units = 0;
        return false;
    }
    for (uint32_t i = 0; i < model->num_units && hmd_spend(check, 1); i++) {
        check->unit = i;
        model->parents[i] = parent_of(check, i);
    }
    check->unit = HMD_NONE;
    for (uint32_t i = 0; i < model->num_units && !check->stopped; i++) {
        if (!measure_depth(check, depths, way, i)) {
            break;
        }
    }
    tell_deep(check, depths);
    return !check->stopped;
}
