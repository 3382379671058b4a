#include "tra/tra_world.h"

#include <assert.h>

static bool is_given(const tra_bac_bone *bone, enum tra_bac_chunk chunk)
{
    return (bone->given & (uint32_t)1 << chunk) != 0;
}

/* The first of some chunks that a bone lacks; TRA_BAC_NUM_CHUNKS if it has them all. */
static enum tra_bac_chunk first_missing(const tra_bac_bone *bone, enum tra_bac_chunk from,
                                        enum tra_bac_chunk to)
{
    for (enum tra_bac_chunk chunk = from; chunk <= to; chunk++) {
        if (!is_given(bone, chunk)) {
            return chunk;
        }
    }
    return TRA_BAC_NUM_CHUNKS;
}

/* ---- parents ---- */

static void tell_no_tree(const tra_check *check, const tra_bac_bone *bone, const char *found,
                         const char *expected)
{
    tra_bac_tell(check, TRA0127, "bone", bone->at, fh_words(found), fh_words(expected));
}

static bool has_flags(const tra_bac *bac, tra_check *check)
{
    for (uint32_t i = 0; i < bac->num_bones && tra_spend(check, 1); i++) {
        const enum tra_bac_chunk chunk =
            first_missing(&bac->bones[i], TRA_BAC_HAS_CHILD, TRA_BAC_HAS_BROTHER);
        if (chunk < TRA_BAC_NUM_CHUNKS) {
            char found[FH_EVIDENCE_LEN];
            fh_text text = fh_text_make(found, sizeof found);
            fh_text_str(fh_text_str(&text, "without "), tra_bac_chunk_names[chunk]);
            tell_no_tree(check, &bac->bones[i], found, "hasChild and hasBrother");
            return false;
        }
    }
    return !check->stopped;
}

/* Parents by the flags: behind a bone with children comes its first child, behind all that is below
 * a bone with a brother comes that brother, a child of the same parent. `open` holds the parents of
 * brothers that are still to come, the innermost last. */
static bool find_parents(tra_bac *bac, tra_check *check, uint32_t *open)
{
    uint32_t num_open = 0;
    uint32_t parent = TRA_NONE;
    for (uint32_t i = 0; tra_spend(check, 1); i++) { /* the last one ends it */
        assert(i < bac->num_bones);
        tra_bac_bone *bone = &bac->bones[i];
        bone->parent = parent;
        if (bone->has_brother) {
            assert(num_open < bac->num_bones);
            open[num_open++] = parent;
        }
        const bool is_last = i + 1 == bac->num_bones;
        if (!bone->has_child && num_open == 0) {
            if (!is_last) {
                tell_no_tree(check, bone + 1, "one more", "nothing: no bone before it promises it");
            }
            return is_last;
        }
        if (is_last) {
            tell_no_tree(check, bone, "the last one",
                         bone->has_child ? "its child behind it" : "a brother that is promised");
            return false;
        }
        parent = bone->has_child ? i : open[--num_open];
    }
    return false; /* the budget is spent */
}

/* ---- rest poses ---- */

static bool judge_rest(const tra_check *check, const tra_bac_bone *bone)
{
    const enum tra_bac_chunk chunk = first_missing(bone, TRA_BAC_TRANSLATE, TRA_BAC_HANDLE);
    tra_space rest;
    if (chunk < TRA_BAC_NUM_CHUNKS) {
        tra_bac_tell(check, TRA0128, tra_bac_chunk_names[chunk], bone->at, fh_words("missing"),
                     fh_words("three numbers"));
        return false;
    }
    const tra_rest kind = tra_rest_of(&rest, bone);
    if (kind == TRA_REST_NONE) {
        tra_bac_tell(check, TRA0128, "rotate", bone->at, fh_words("the point of translate"),
                     fh_words("another point, on the +Z axis"));
    } else if (kind == TRA_REST_OPEN) {
        tra_bac_tell(check, TRA0129, "handle", bone->at, fh_words("on the Z axis"),
                     fh_words("a point on the +Y axis"));
    }
    return kind != TRA_REST_NONE;
}

void tra_bac_judge(tra_bac *bac, tra_check *check)
{
    uint32_t *open = fh_arena_alloc(check->arena, bac->num_bones, sizeof *open);
    if (open == NULL) {
        check->no_memory = true;
        return;
    }
    enum { UNITS_OF_A_REST = 4 }; /* two roots and some products */
    bac->has_tree = has_flags(bac, check) && find_parents(bac, check, open);
    bac->has_rest = true;
    for (uint32_t i = 0; i < bac->num_bones && tra_spend(check, UNITS_OF_A_REST); i++) {
        bac->has_rest = judge_rest(check, &bac->bones[i]) && bac->has_rest;
    }
}
