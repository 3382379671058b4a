#include "hunt/damage.h"

#include "hunt/tell.h"
#include "source/image_rules.h"

#include <assert.h>

/* ---- sectors ---- */

static const struct {
    fh_image_rule rule;
    const char *field;
} faults[FH_NUM_CODE_FAULTS] = {
    {FH_IMG0009, "EDC"}, {FH_IMG0010, "EDC"}, {FH_IMG0011, "ECC"}, {FH_IMG0012, "ECC"}};

static bool has_fault(const fh_codes *codes, size_t fault)
{
    switch (faults[fault].rule) {
    case FH_IMG0009:
        return codes->edc == FH_CODE_WRONG;
    case FH_IMG0010:
        return codes->edc == FH_CODE_FILL;
    case FH_IMG0011:
        return codes->ecc == FH_CODE_FILL;
    default:
        return codes->ecc == FH_CODE_WRONG;
    }
}

static void put_codes(fh_finding *out, const fh_codes *codes, size_t fault)
{
    fh_text found = fh_text_make(out->found, sizeof out->found);
    fh_text expected = fh_text_make(out->expected, sizeof out->expected);
    if (faults[fault].rule == FH_IMG0012) {
        fh_text_hex(fh_text_str(&found, codes->is_q ? "Q byte at " : "P byte at "), codes->ecc_off,
                    3);
        fh_text_hex(fh_text_str(&found, " is "), codes->ecc_stored, 2);
        fh_text_hex(&expected, codes->ecc_computed, 2);
    } else if (faults[fault].rule == FH_IMG0011) {
        fh_text_hex(fh_text_str(&found, "all bytes "), codes->ecc_stored, 2);
    } else {
        fh_text_hex(fh_text_str(&found, "stored "), codes->edc_stored, 8);
        fh_text_hex(fh_text_str(&expected, "computed "), codes->edc_computed, 8);
    }
}

static void put_extent(fh_finding *out, const fh_fault_run *run)
{
    fh_text text = fh_text_make(out->context, sizeof out->context);
    fh_text_str(fh_text_s64(&text, run->sectors), run->sectors == 1 ? " sector" : " sectors");
    if (run->first_lba != FH_UNKNOWN) {
        fh_text_s64(fh_text_str(&text, ", LBA "), run->first_lba);
    }
    if (run->sectors > 1 && run->last_lba != FH_UNKNOWN) {
        fh_text_s64(fh_text_str(&text, " to "), run->last_lba);
    }
    fh_text_hex(fh_text_str(&text, ", first at raw offset "), (uint64_t)run->first_off, 1);
}

static void end_run(fh_damage *damage, fh_fault_run *run, size_t fault)
{
    const int64_t num = run->sectors > 0 ? damage->num[fault]++ : FH_UNKNOWN;
    if (num >= 0 && num < (int64_t)FH_MAX_FINDINGS_PER_RULE) {
        fh_finding *finding = &damage->told[fault][num];
        *finding = fh_finding_make(&fh_image_rules.rules[faults[fault].rule], faults[fault].field);
        finding->offset = run->first_off;
        put_codes(finding, &run->first, fault);
        put_extent(finding, run);
    }
    *run = (fh_fault_run){0};
}

void fh_damage_note(fh_damage *damage, fh_stream stream, const fh_codes *codes, int64_t raw_off,
                    int64_t lba)
{
    for (size_t i = 0; i < FH_NUM_CODE_FAULTS; i++) {
        fh_fault_run *run = &damage->runs[stream][i];
        if (!has_fault(codes, i)) {
            continue;
        }
        if (run->sectors > 0 && raw_off != run->last_off + (int64_t)damage->stride) {
            end_run(damage, run, i);
        }
        if (run->sectors++ == 0) {
            run->first = *codes;
            run->first_off = raw_off;
            run->first_lba = lba;
        }
        run->last_off = raw_off;
        run->last_lba = lba;
    }
}

static void tell_fault(fh_hunt *hunt, size_t fault)
{
    fh_damage *damage = hunt->damage;
    for (size_t stream = 0; stream < FH_STREAM_NUM; stream++) {
        end_run(damage, &damage->runs[stream][fault], fault);
    }
    const int64_t num = damage->num[fault];
    for (int64_t i = 0; i < num && i < (int64_t)FH_MAX_FINDINGS_PER_RULE; i++) {
        const fh_finding *finding = &damage->told[fault][i];
        fh_tell_finding(hunt, finding, FH_UNKNOWN, finding->offset);
    }
    fh_tell_further(hunt, num, &fh_image_rules.rules[faults[fault].rule]);
}

void fh_damage_tell(fh_hunt *hunt)
{
    for (size_t i = 0; i < FH_NUM_CODE_FAULTS; i++) {
        tell_fault(hunt, i);
    }
}

/* ---- assets ---- */

/* Sectors of an asset with one thing to say of them. */
typedef struct sector_list {
    int64_t num;
    int64_t first; /* offset in the asset */
    int64_t lbas[FH_MAX_NAMED_SECTORS];
    int64_t raw_offs[FH_MAX_NAMED_SECTORS];
} sector_list;

static void list_sector(sector_list *list, const fh_run *run, int64_t start, int64_t lba)
{
    if (list->num < (int64_t)FH_MAX_NAMED_SECTORS) {
        list->lbas[list->num] = lba;
        list->raw_offs[list->num] = run->raw_off;
    }
    if (list->num++ == 0) {
        list->first = run->stream_off > start ? run->stream_off - start : 0;
    }
}

static void put_list(fh_text *text, const sector_list *list)
{
    fh_text_str(fh_text_s64(text, list->num), list->num == 1 ? " sector: " : " sectors: ");
    for (int64_t i = 0; i < list->num && i < (int64_t)FH_MAX_NAMED_SECTORS; i++) {
        fh_text_str(text, i > 0 ? ", " : "");
        if (list->lbas[i] != FH_UNKNOWN) {
            fh_text_s64(fh_text_str(text, "LBA "), list->lbas[i]);
        } else {
            fh_text_hex(fh_text_str(text, "at "), (uint64_t)list->raw_offs[i], 1);
        }
    }
    if (list->num > (int64_t)FH_MAX_NAMED_SECTORS) {
        fh_text_str(text, " ...");
    }
}

static size_t remark(fh_finding *out, const sector_list *list, fh_image_rule rule,
                     const char *field)
{
    if (list->num == 0) {
        return 0;
    }
    *out = fh_finding_make(&fh_image_rules.rules[rule], field);
    fh_text text = fh_text_make(out->found, sizeof out->found);
    put_list(&text, list);
    out->offset = list->first;
    return 1;
}

/* Raw offset of the sector's first byte. */
static int64_t sector_off(const fh_window *window, size_t index)
{
    return window->runs[index].raw_off - (int64_t)window->frames[index].head_len;
}

static bool is_wrong(fh_damage *damage, const fh_damage_place *at, size_t index)
{
    bool is_new = false;
    const fh_codes *codes = fh_window_codes(at->window, index, &is_new);
    if (is_new && damage != NULL) {
        fh_damage_note(damage, at->stream, codes, sector_off(at->window, index),
                       at->window->runs[index].lba);
    }
    return codes != NULL && codes->edc == FH_CODE_WRONG;
}

size_t fh_damage_remark(fh_finding out[FH_MAX_DAMAGE_REMARKS], fh_damage *damage,
                        const fh_damage_place *at)
{
    sector_list wrong = {0};
    sector_list odd = {0};
    sector_list doubled = {0};
    size_t num_runs = 0;
    const fh_run *runs = fh_window_runs(at->window, &num_runs, at->start, at->len);
    const size_t first = (size_t)(runs - at->window->runs);
    for (size_t i = 0; i < num_runs; i++) {
        const fh_run *run = &runs[i];
        if (is_wrong(damage, at, first + i)) {
            list_sector(&wrong, run, at->start, run->lba);
        }
        if (run->damaged_lba != FH_UNKNOWN) {
            list_sector(&odd, run, at->start, run->damaged_lba);
        }
        if (run->repeated > 0 && run->stream_off > at->start) {
            list_sector(&doubled, run, at->start, run->lba);
        }
    }
    size_t num = remark(out, &odd, FH_IMG0005, "address");
    num += remark(out + num, &wrong, FH_IMG0016, "EDC");
    return num + remark(out + num, &doubled, FH_IMG0017, "copies before");
}
