/* Every reference of every record against the bytes and against what others refer to. */
#include "core/never.h"
#include "hmd/hmd_build.h"
#include "hmd/hmd_checks.h"
#include "hmd/hmd_polygons.h"
#include "hmd/hmd_reach.h"

#include <assert.h>
#include <string.h>

/* ---- past the data ----------------------------------------------------------------------------
 */

/* Which rule a range past the data breaks: the first row of the category that has the owner and,
 * where one is given, the field. References without a row are judged elsewhere. */
typedef struct past_rule {
    uint8_t category;
    uint8_t owner;
    const char *field; /* NULL = any */
    enum hmd_rule rule;
} past_rule;

static const past_rule past_rules[] = {
    {HMD_POLYGONS, HMD_OWNER_POLYGON, NULL, HMD0083},
    {HMD_POLYGONS, HMD_OWNER_VERTEX, "vertex number", HMD0084},
    {HMD_POLYGONS, HMD_OWNER_CALC_VERTEX, "vertex number", HMD0084},
    {HMD_POLYGONS, HMD_OWNER_NORMAL, "normal number", HMD0085},
    {HMD_POLYGONS, HMD_OWNER_CALC_NORMAL, "normal number", HMD0085},
    {HMD_POLYGONS, HMD_OWNER_VERTEX, NULL, HMD0100},
    {HMD_POLYGONS, HMD_OWNER_NORMAL, NULL, HMD0100},
    {HMD_POLYGONS, HMD_OWNER_CALC_VERTEX, NULL, HMD0101},
    {HMD_POLYGONS, HMD_OWNER_CALC_NORMAL, NULL, HMD0101},
    {HMD_IMAGES, HMD_OWNER_IMAGE, NULL, HMD0110},
    {HMD_IMAGES, HMD_OWNER_CLUT, NULL, HMD0110},
    {HMD_MIME, HMD_OWNER_DIFFERENCE, "difference data", HMD0125},
    {HMD_MIME, HMD_OWNER_DIFFERENCE, NULL, HMD0120},
    {HMD_MIME, HMD_OWNER_VERTEX, NULL, HMD0125},
    {HMD_MIME, HMD_OWNER_NORMAL, NULL, HMD0125},
    {HMD_MIME, HMD_OWNER_ORIGINAL, NULL, HMD0129},
    {HMD_MIME, HMD_OWNER_WEIGHT, NULL, HMD0130},
    {HMD_GROUND, HMD_OWNER_GROUND, NULL, HMD0140},
    {HMD_GROUND, HMD_OWNER_HEIGHT, NULL, HMD0142},
    {HMD_GROUND, HMD_OWNER_GRID, NULL, HMD0143},
    {HMD_GROUND, HMD_OWNER_NORMAL, NULL, HMD0143},
    {HMD_GROUND, HMD_OWNER_UV, NULL, HMD0143},
    {HMD_DEVICE, HMD_OWNER_DEVICE, NULL, HMD0155},
    {HMD_ANIMATION, HMD_OWNER_NOBODY, NULL, HMD0225},
    {HMD_ANIMATION, HMD_OWNER_KEY, NULL, HMD0243},
    {HMD_ANIMATION, HMD_OWNER_WORK, NULL, HMD0261},
};

/* Categories 0, 1 and 6 are polygons all. */
static uint8_t category_of(const hmd_record *record)
{
    const bool is_polygon = record->category == HMD_SHARED || record->category == HMD_ENVMAP;
    return is_polygon ? (uint8_t)HMD_POLYGONS : record->category;
}

static const past_rule *past_rule_of(const hmd_check *check, const hmd_ref *ref)
{
    for (size_t i = 0; i < sizeof past_rules / sizeof past_rules[0]; i++) {
        const past_rule *row = &past_rules[i];
        if (row->category == category_of(check->record) && row->owner == ref->owner &&
            (row->field == NULL || strcmp(row->field, ref->field) == 0)) {
            return row;
        }
    }
    return NULL;
}

/* Vertices and normals are numbered: the largest number that still lies inside the bytes. */
static fh_value most_elements(const hmd_model *model, const hmd_ref *ref)
{
    const int64_t num = ((int64_t)model->num_words - (int64_t)ref->section) / 2;
    return num > 0 ? fh_dec_after("at most ", num - 1, "") : fh_words("data to be numbered");
}

static fh_value range_text(char *buf, size_t size, const hmd_ref *ref)
{
    fh_text text = fh_text_make(buf, size);
    fh_text_s64(&text, ref->number);
    fh_text_hex(fh_text_str(&text, ", words at "), HMD_WORD_LEN * ref->first, 1);
    fh_text_hex(fh_text_str(&text, " to "), HMD_WORD_LEN * (ref->first + ref->num), 1);
    return fh_words(buf);
}

static void tell_past(const hmd_check *check, const hmd_ref *ref)
{
    char buf[FH_EVIDENCE_LEN];
    const hmd_model *model = check->model;
    const past_rule *row = past_rule_of(check, ref);
    const fh_value end = {FH_VALUE_HEX, "no more than ",
                          (int64_t)((uint64_t)model->num_words * HMD_WORD_LEN), ""};
    if (row == NULL) {
        return;
    }
    if (row->rule == HMD0084 || row->rule == HMD0085) {
        hmd_tell(check, row->rule, ref->field, ref->at, fh_dec(ref->number, ""),
                 most_elements(model, ref));
        return;
    }
    const bool is_lost =
        row->rule == HMD0083 && ref->section + (uint64_t)ref->number >= model->num_words;
    hmd_tell(check, is_lost ? HMD0080 : row->rule, ref->field, ref->at,
             range_text(buf, sizeof buf, ref), end);
}

/* An index past the data is wrong even where its packets are not known. */
static bool is_past(const hmd_check *check, const hmd_ref *ref)
{
    if (ref->num > 0) {
        return !hmd_has(check->model, ref->first, ref->num);
    }
    return ref->owner == HMD_OWNER_POLYGON && check->record->count > 0 &&
           ref->first >= check->model->num_words;
}

/* ---- over other data --------------------------------------------------------------------------
 */

/* What has a rule of its own, told of the one whose fault it is; the rest is HMD0181. */
static bool is_calculated(enum hmd_owner owner)
{
    return owner == HMD_OWNER_CALC_VERTEX || owner == HMD_OWNER_CALC_NORMAL;
}

static void tell_overlap(const hmd_check *check, enum hmd_rule rule, const hmd_ref *ref,
                         uint32_t where, const char *other)
{
    char found[FH_EVIDENCE_LEN];
    char expected[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(expected, sizeof expected);
    fh_text_str(fh_text_str(&text, "no "), other);
    fh_text_hex(fh_text_str(&text, " there, as at "), HMD_WORD_LEN * (uint64_t)where, 1);
    hmd_tell(check, rule, ref->field, ref->at, range_text(found, sizeof found, ref),
             fh_words(expected));
}

static bool pay_for(hmd_check *check, const hmd_ref *ref)
{
    const uint64_t most = check->model->end;
    return hmd_spend(check, 1 + (ref->num < most ? ref->num : most) / 4);
}

/* Where the run-time writes over packets, that is told of what it writes. */
static void check_packets(const hmd_check *check, const hmd_ref *ref)
{
    uint32_t where = 0;
    enum hmd_owner other = HMD_OWNER_NOBODY;
    if (hmd_owned(check->model, ref->first, ref->num, ref->owner, &where, &other) > 0 &&
        !is_calculated(other) && other != HMD_OWNER_ORIGINAL) {
        tell_overlap(check, HMD0087, ref, where, hmd_owner_name(other));
    }
}

static void check_originals(const hmd_check *check, const hmd_ref *ref)
{
    uint32_t where = 0;
    enum hmd_owner other = HMD_OWNER_NOBODY;
    if (hmd_owned(check->model, ref->first, ref->num, ref->owner, &where, &other) > 0) {
        tell_overlap(check, HMD0129, ref, where, hmd_owner_name(other));
    }
}

/* The results may lie where other calculated data do, but nowhere else. */
static void check_destination(const hmd_check *check, const hmd_ref *ref)
{
    uint32_t where = 0;
    enum hmd_owner other = HMD_OWNER_NOBODY;
    if (hmd_owned(check->model, ref->first, ref->num, ref->owner, &where, &other) > 0 &&
        !is_calculated(other)) {
        tell_overlap(check, HMD0102, ref, where, hmd_owner_name(other));
    } else if (!hmd_in_area(check->model, ref->first, ref->num, ref->owner, &where)) {
        tell_overlap(check, HMD0102, ref, where, "other section");
    }
}

static void check_element(const hmd_check *check, const hmd_ref *ref)
{
    char buf[FH_EVIDENCE_LEN];
    uint32_t where = 0;
    if (hmd_in_area(check->model, ref->first, ref->num, ref->owner, &where)) {
        return;
    }
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_s64(&text, ref->number);
    fh_text_hex(fh_text_str(&text, ", a word at "), HMD_WORD_LEN * (uint64_t)where, 1);
    const uint8_t owner = check->model->owner[where];
    assert(owner != HMD_OWNER_NOBODY); /* what nobody else owns is his who reads it */
    if (owner != ref->owner) {
        fh_text_str(fh_text_str(&text, " of the "), hmd_owner_name((enum hmd_owner)owner));
    }
    hmd_tell(check, HMD0086, ref->field, ref->at, fh_words(buf),
             fh_words("one before the next section"));
}

static void check_over(const hmd_check *check, const hmd_ref *ref)
{
    const bool is_model = category_of(check->record) == HMD_POLYGONS;
    if (ref->owner == HMD_OWNER_POLYGON) {
        check_packets(check, ref);
    } else if (ref->owner == HMD_OWNER_ORIGINAL) {
        check_originals(check, ref);
    } else if (hmd_is_element(ref->owner) && !ref->is_written) {
        check_element(check, ref);
    } else if (is_calculated(ref->owner) && ALWAYS(is_model)) { /* others do not refer to them */
        check_destination(check, ref);
    }
}

static void check_ref(hmd_check *check, const hmd_ref *ref, void *user)
{
    (void)user;
    if (!pay_for(check, ref)) {
        return;
    }
    if (is_past(check, ref)) {
        tell_past(check, ref);
    } else {
        check_over(check, ref);
    }
}

static void check_record(hmd_check *check, void *user)
{
    hmd_refs_of(check, check_ref, user);
}

/* ---- packets over packets ---------------------------------------------------------------------
 */

/* One byte a word: the layout of the packet that it is part of, from 1, and whether it begins it.
 */
enum { MARK_FIRST = 0x80 };

static uint8_t mark_of(const hmd_packet_layout *layout)
{
    size_t i = 0;
    while (hmd_packet_layouts[i] != layout) {
        i++;
    }
    assert(i + 1 < MARK_FIRST);
    return (uint8_t)(i + 1);
}

static void tell_mixed(const hmd_check *check, const hmd_polygons *run, uint32_t where,
                       uint8_t other)
{
    const hmd_ref ref = {.field = "polygon index",
                         .at = check->record->off + 2,
                         .number = run->index & 0xffffff,
                         .first = run->first,
                         .num = run->off - run->first};
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    const uint8_t layout = (uint8_t)(other & (MARK_FIRST - 1));
    fh_text_str(fh_text_str(&text, hmd_packet_layouts[layout - 1]->name), " packets");
    tell_overlap(check, HMD0087, &ref, where, buf);
}

/* Two records may draw the same packets, but not read them in different ways. */
static void mark_record(hmd_check *check, void *user)
{
    uint8_t *marks = user;
    hmd_polygons run;
    hmd_packet packet;
    uint32_t where = HMD_NONE;
    if (!hmd_polygons_open(&run, check)) {
        return;
    }
    const uint8_t layout = mark_of(run.layout);
    /* The end was sought over the same packets. Of a run that no asset can hold, which goes on
     * behind it, no more are handed out than lie before it. */
    while (hmd_polygons_next(&run, check, &packet) && hmd_spend(check, packet.num_words) &&
           ALWAYS(packet.off + packet.num_words <= check->model->end)) {
        for (uint32_t i = 0; i < packet.num_words; i++) {
            uint8_t *mark = &marks[packet.off + i];
            const uint8_t own = (uint8_t)(layout | (i == 0 ? MARK_FIRST : 0));
            where = *mark != 0 && *mark != own && where == HMD_NONE ? packet.off + i : where;
            *mark = *mark == 0 ? own : *mark;
        }
    }
    if (where != HMD_NONE) {
        tell_mixed(check, &run, where, marks[where]);
    }
}

/* ---- sections over sections -------------------------------------------------------------------
 */

typedef struct pair {
    uint32_t num_words;
    uint32_t first;
} pair;

/* Overlaps that another rule tells: of packets, of what is calculated or saved, and between the
 * parts of an animation that have no end of their own. */
static bool is_told(enum hmd_owner owner, enum hmd_owner second)
{
    const uint32_t keys = 1u << HMD_OWNER_KEY | 1u << HMD_OWNER_WORK;
    const uint32_t animation = 1u << HMD_OWNER_TABLE | 1u << HMD_OWNER_CONTROL | keys;
    const uint32_t own_rule = 1u << HMD_OWNER_POLYGON | 1u << HMD_OWNER_ORIGINAL;
    const uint32_t both = 1u << owner | 1u << second;
    const bool is_key = (both & keys) != 0 && (both & ~animation) == 0;
    return (both & own_rule) != 0 || is_calculated(owner) != is_calculated(second) || is_key;
}

static void tell_pair(const hmd_check *check, unsigned owner, unsigned second, const pair *of)
{
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_value_write(&text, fh_count((int64_t)HMD_WORD_LEN * of->num_words, "byte"));
    fh_text_str(fh_text_str(&text, " of "), hmd_owner_name((enum hmd_owner)owner));
    fh_text_str(fh_text_str(&text, " and "), hmd_owner_name((enum hmd_owner)second));
    hmd_tell(check, HMD0181, "overlap", of->first, fh_words(buf), fh_nothing());
}

static void check_pairs(hmd_check *check)
{
    const hmd_model *model = check->model;
    pair pairs[HMD_NUM_OWNERS][HMD_NUM_OWNERS];
    memset(pairs, 0, sizeof pairs);
    if (!hmd_spend(check, model->end / 4)) {
        return;
    }
    for (uint32_t i = 0; i < model->end; i++) {
        if (model->second[i] != HMD_OWNER_NOBODY) {
            const bool is_ordered = model->owner[i] < model->second[i];
            pair *of = is_ordered ? &pairs[model->owner[i]][model->second[i]]
                                  : &pairs[model->second[i]][model->owner[i]];
            of->first = of->num_words++ == 0 ? i : of->first;
        }
    }
    for (unsigned a = 0; a < HMD_NUM_OWNERS; a++) {
        for (unsigned b = a + 1; b < HMD_NUM_OWNERS; b++) {
            if (pairs[a][b].num_words > 0 && !is_told((enum hmd_owner)a, (enum hmd_owner)b)) {
                tell_pair(check, a, b, &pairs[a][b]);
            }
        }
    }
}

void hmd_check_refs(hmd_check *check)
{
    const size_t mark = fh_arena_mark(check->arena);
    uint8_t *marks = hmd_table(check, check->model->end, sizeof *marks);
    if (marks == NULL) {
        return;
    }
    hmd_for_each_record(check, check_record, NULL);
    hmd_for_each_record(check, mark_record, marks);
    fh_arena_reset(check->arena, mark);
    hmd_clear_place(check);
    check_pairs(check);
}
