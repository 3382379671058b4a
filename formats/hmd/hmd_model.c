#include "hmd/hmd_model.h"

#include <assert.h>

bool hmd_has(const hmd_model *model, uint64_t first, uint64_t num)
{
    return first <= model->num_words && num <= model->num_words - first;
}

uint32_t hmd_word(const hmd_model *model, uint32_t off)
{
    fh_cursor cur = model->bytes;
    return fh_cursor_seek(&cur, (size_t)off * HMD_WORD_LEN) ? fh_cursor_u32(&cur) : 0;
}

int16_t hmd_s16(const hmd_model *model, uint32_t off, unsigned half)
{
    assert(half <= 1);
    return (int16_t)(uint16_t)(hmd_word(model, off) >> (16 * half) & 0xffff);
}

uint32_t hmd_unit(const hmd_model *model, uint32_t i)
{
    assert(i < model->num_units);
    return model->coordinates + 1 + HMD_UNIT_WORDS * i;
}

uint32_t hmd_units_end(const hmd_model *model)
{
    return model->coordinates + 1 + HMD_UNIT_WORDS * model->num_units;
}

bool hmd_is_front(const hmd_model *model, uint32_t off)
{
    return off < hmd_units_end(model) || (off >= model->header_section && off < model->headers_end);
}

uint32_t hmd_unit_at(const hmd_model *model, uint32_t off)
{
    const uint32_t first = model->coordinates + 1;
    if (off == HMD_NONE || off < first || (off - first) % HMD_UNIT_WORDS != 0 ||
        (off - first) / HMD_UNIT_WORDS >= model->num_units) {
        return HMD_NONE;
    }
    return (off - first) / HMD_UNIT_WORDS;
}

/* ---- addresses --------------------------------------------------------------------------------
 */

/* The main memory of the machine is seen at three segments; only the low 29 bits tell where a byte
 * lies. A machine of 2 MiB shows them four times over, one after the other. A development console
 * has 8 MiB and shows them once, so that addresses are folded only where they make no sense
 * otherwise. */
#define FOLD_MASK 0x1fffffu

bool hmd_is_address(uint32_t word)
{
    const uint32_t segment = word & ~HMD_PHYSICAL;
    return word % HMD_WORD_LEN == 0 &&
           (segment == 0 || segment == 0x80000000u || segment == 0xa0000000u);
}

bool hmd_address(const hmd_model *model, uint32_t address, uint32_t *off)
{
    const uint32_t physical = address & HMD_PHYSICAL;
    if (address % HMD_WORD_LEN != 0) {
        return false;
    }
    if (model->is_folded) {
        const uint32_t base = model->base & FOLD_MASK;
        const uint32_t folded = physical & FOLD_MASK;
        *off = (folded >= base ? folded - base : folded + (FOLD_MASK + 1 - base)) /
               (uint32_t)HMD_WORD_LEN;
        return true;
    }
    if (physical < model->base) {
        return false;
    }
    *off = (physical - model->base) / (uint32_t)HMD_WORD_LEN;
    return true;
}

bool hmd_is_driver(const hmd_model *model, uint32_t word)
{
    const uint32_t physical = word & HMD_PHYSICAL;
    return hmd_is_memory(model) && hmd_is_address(word) && physical >= HMD_KERNEL_LEN &&
           physical < HMD_RAM_LEN;
}

const hmd_alias *hmd_alias_of(const hmd_model *model, uint32_t address)
{
    uint32_t low = 0;
    uint32_t high = model->num_aliases;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (model->aliases[middle].address < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool is_there = low < model->num_aliases && model->aliases[low].address == address;
    return is_there ? &model->aliases[low] : NULL;
}

int64_t hmd_ram_address(const hmd_model *model)
{
    return model->has_base ? (int64_t)(model->segment | model->base) : FH_UNKNOWN;
}

bool hmd_is_unmapped(const hmd_model *model, uint32_t pointer)
{
    /* The base of a file is 0. */
    return pointer != 0 && pointer < HMD_KERNEL_LEN && model->base >= HMD_KERNEL_LEN &&
           hmd_has(model, pointer, 1);
}

uint32_t hmd_plain(const hmd_model *model, uint32_t at)
{
    const uint32_t raw = hmd_word(model, at);
    uint32_t off = HMD_NONE;
    if (!hmd_is_memory(model) || hmd_is_unmapped(model, raw)) {
        return raw;
    }
    return hmd_address(model, raw, &off) ? off : HMD_NONE;
}

/* In memory nothing marks a pointer but that it is an address in the segment of all the others, for
 * the mapping adds one base. One that was not mapped, because the image was taken while the library
 * was at work, has its mark and an offset that would be the kernel's. */
static void read_mapped(const hmd_model *model, hmd_arg *arg)
{
    const uint32_t physical = arg->raw & HMD_PHYSICAL;
    const bool is_marked = (arg->raw & HMD_MSB) != 0;
    if (is_marked && hmd_is_unmapped(model, arg->raw & ~HMD_MSB)) {
        arg->is_pointer = true;
        arg->off = arg->raw & ~HMD_MSB;
        return;
    }
    arg->is_pointer = hmd_is_address(arg->raw) && (arg->raw & ~HMD_PHYSICAL) == model->segment &&
                      (physical >= HMD_KERNEL_LEN || physical >= model->base ||
                       (is_marked && model->base >= HMD_KERNEL_LEN));
    if (arg->is_pointer && !hmd_address(model, arg->raw, &arg->off)) {
        arg->off = HMD_NONE;
    }
}

hmd_arg hmd_arg_of(const hmd_model *model, uint32_t header, uint32_t index)
{
    hmd_arg arg = {.at = HMD_NONE, .off = HMD_NONE};
    if (header == HMD_NONE || index >= model->headers[header].num_words) {
        return arg;
    }
    arg.at = model->headers[header].off + 1 + index;
    arg.raw = hmd_word(model, arg.at);
    arg.is_there = true;
    if (!hmd_is_memory(model)) {
        arg.is_pointer = (arg.raw & HMD_MSB) != 0;
        arg.off = arg.is_pointer ? arg.raw & ~HMD_MSB : HMD_NONE;
        return arg;
    }
    read_mapped(model, &arg);
    return arg;
}

uint32_t hmd_header_at(const hmd_model *model, uint32_t off)
{
    uint32_t low = 0;
    uint32_t high = model->num_headers;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (model->headers[middle].off < off) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < model->num_headers && model->headers[low].off == off ? low : HMD_NONE;
}

uint32_t hmd_primitive_at(const hmd_model *model, uint32_t off)
{
    uint32_t low = 0;
    uint32_t high = model->num_primitives;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (model->primitives[middle].off < off) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < model->num_primitives && model->primitives[low].off == off ? low : HMD_NONE;
}

bool hmd_is_unknown(const hmd_model *model, const hmd_record *record)
{
    return record->type == HMD_NO_TYPE && hmd_word(model, record->off) != HMD_NO_TYPE;
}

uint32_t hmd_header_of(const hmd_model *model, const hmd_record *record)
{
    return model->primitives[record->primitive].header;
}

static void keep_lower(uint32_t *best, uint32_t candidate, uint32_t above)
{
    if (candidate > above && candidate < *best) {
        *best = candidate;
    }
}

uint32_t hmd_next_start(const hmd_model *model, uint32_t off)
{
    uint32_t best = model->num_words;
    keep_lower(&best, model->coordinates, off);
    keep_lower(&best, model->header_section, off);
    for (uint32_t i = 0; i < model->num_primitives; i++) {
        keep_lower(&best, model->primitives[i].off, off);
    }
    for (uint32_t i = 0; i < model->num_headers; i++) {
        for (uint32_t k = 0; k < model->headers[i].num_words; k++) {
            const hmd_arg arg = hmd_arg_of(model, i, k);
            keep_lower(&best, arg.is_pointer ? arg.off : HMD_NONE, off);
        }
    }
    return best;
}

/* ---- checks ---------------------------------------------------------------------------------- */

hmd_check hmd_check_make(hmd_model *model, fh_reporter *reporter, fh_budget *budget,
                         fh_arena *arena)
{
    hmd_check check = {
        .model = model, .reporter = reporter, .budget = budget, .arena = arena, .at_end = true};
    hmd_clear_place(&check);
    return check;
}

void hmd_clear_place(hmd_check *check)
{
    check->block = HMD_NONE;
    check->primitive = NULL;
    check->record = NULL;
    check->packet = HMD_NONE;
    check->unit = HMD_NONE;
    check->sequence = HMD_NONE;
    check->descriptor = HMD_NONE;
    check->frame = FH_UNKNOWN;
}

static void put_number(fh_text *out, const char *name, uint32_t number)
{
    if (number != HMD_NONE) {
        fh_text_str(out, out->len == 0 ? "" : ", ");
        fh_text_u64(fh_text_str(out, name), number);
    }
}

static void put_place(fh_text *out, const hmd_check *check)
{
    put_number(out, "block ", check->block);
    if (check->primitive != NULL) {
        fh_text_str(out, out->len == 0 ? "" : ", ");
        fh_text_hex(fh_text_str(out, "primitive at "), HMD_WORD_LEN * check->primitive->off, 1);
    }
    if (check->record != NULL) {
        put_number(out, "record ",
                   (uint32_t)(check->record - check->model->records) -
                       check->model->primitives[check->record->primitive].first_record);
        if (!hmd_is_unknown(check->model, check->record)) {
            fh_text_hex(fh_text_str(out, ", type "), check->record->type, 8);
        }
    }
    put_number(out, "packet ", check->packet);
    put_number(out, "sequence ", check->sequence);
    put_number(out, "descriptor ", check->descriptor);
}

void hmd_tell_byte(const hmd_check *check, enum hmd_rule rule, const char *field, size_t off,
                   fh_value found, fh_value expected)
{
    if (check->reporter == NULL || check->stopped || check->no_memory) {
        return;
    }
    if (fh_reporter_is_full(check->reporter, rule)) {
        /* Only counted: text for it would be most of the work on hostile bytes. */
        fh_reporter_tell(check->reporter, &(fh_finding){.rule = &hmd_rules[rule]});
        return;
    }
    fh_finding finding = fh_finding_make(&hmd_rules[rule], field);
    finding.offset = (int64_t)off;
    finding.frame = check->frame;
    if (check->unit != HMD_NONE) {
        finding.object = check->unit;
    }
    fh_finding_evidence(&finding, found, expected);
    fh_text text = fh_text_make(finding.context, sizeof finding.context);
    put_place(&text, check);
    fh_reporter_tell(check->reporter, &finding);
}

void hmd_tell(const hmd_check *check, enum hmd_rule rule, const char *field, uint32_t at,
              fh_value found, fh_value expected)
{
    /* A word that should be there and is not has its place at the end of the bytes. */
    const size_t off = (size_t)at * HMD_WORD_LEN;
    const size_t size = check->model->bytes.size;
    hmd_tell_byte(check, rule, field, off < size ? off : size, found, expected);
}

void hmd_tell_stop(const hmd_check *check, enum hmd_rule rule, const char *field, uint32_t at)
{
    hmd_check now = *check;
    now.stopped = false;
    now.no_memory = false;
    hmd_tell(&now, rule, field, at, fh_words("spent"),
             fh_words("work in proportion to the length"));
}

void hmd_fault(hmd_check *check, enum hmd_rule rule, fh_status status, const char *field,
               uint32_t at, fh_value found, fh_value expected)
{
    if (!check->is_faulty) {
        const size_t off = (size_t)at * HMD_WORD_LEN;
        const size_t size = check->model->bytes.size;
        check->is_faulty = true;
        check->fault = rule;
        check->fault_status = status;
        check->fault_at = (uint32_t)(off < size ? off : size);
    }
    hmd_tell(check, rule, field, at, found, expected);
}

bool hmd_need(hmd_check *check, uint64_t first, uint64_t num)
{
    if (hmd_has(check->model, first, num)) {
        return true;
    }
    const bool is_possible = num <= HMD_MOST_WORDS && first <= HMD_MOST_WORDS - num;
    if (!check->at_end && is_possible && (first + num) * HMD_WORD_LEN > check->wanted) {
        check->wanted = (first + num) * HMD_WORD_LEN;
    }
    return false;
}

bool hmd_spend(hmd_check *check, uint64_t units)
{
    check->stopped = check->stopped || !fh_pay(check->budget, units);
    return !check->stopped;
}

void hmd_for_each_record(hmd_check *check, void (*visit)(hmd_check *check, void *user), void *user)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_records && hmd_spend(check, 1); i++) {
        check->record = &model->records[i];
        check->primitive = &model->primitives[check->record->primitive];
        check->block = check->primitive->block;
        visit(check, user);
    }
    hmd_clear_place(check);
}
