#include "hunt/remark.h"

#include "source/image_rules.h"

bool fh_hunt_is_memory(const fh_hunt *hunt)
{
    return hunt->memory.product != NULL;
}

/* Adds a remark about the place of the asset; its evidence is filled in by the caller. */
static fh_finding remark(fh_image_rule rule, const char *field)
{
    fh_finding finding = fh_finding_make(&fh_image_rules.rules[rule], field);
    finding.offset = 0;
    return finding;
}

static void put_hex(char *buf, size_t size, uint64_t value)
{
    fh_text text = fh_text_make(buf, size);
    fh_text_hex(&text, value, 8);
}

/* What the asset says itself against where it lies; mirrors of 2 MiB are the same place. */
static void remark_base(fh_hunt *hunt, int64_t own, int64_t address)
{
    if ((own - address) % (int64_t)FH_RAM_LEN == 0) {
        return;
    }
    fh_finding finding = remark(FH_IMG0055, "pointers of the asset");
    put_hex(finding.found, sizeof finding.found, (uint64_t)own);
    put_hex(finding.expected, sizeof finding.expected, (uint64_t)address);
    fh_exam_add(&hunt->exam, &finding);
}

static void remark_kernel(fh_hunt *hunt, int64_t address)
{
    enum { KERNEL_END = 0x10000 };
    if (address % (int64_t)FH_RAM_MAX_LEN >= KERNEL_END) {
        return;
    }
    fh_finding finding = remark(FH_IMG0059, "address");
    put_hex(finding.found, sizeof finding.found, (uint64_t)address);
    put_hex(finding.expected, sizeof finding.expected, FH_RAM_BASE + KERNEL_END);
    fh_exam_add(&hunt->exam, &finding);
}

static void remark_cut(fh_hunt *hunt, int64_t offset, size_t len)
{
    if (hunt->exam.status != FH_TRUNCATED || offset + (int64_t)len < (int64_t)hunt->memory.len) {
        return;
    }
    fh_finding finding = remark(FH_IMG0062, "length");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_u64(&text, len), " bytes, then the memory ends");
    finding.offset = (int64_t)len;
    fh_exam_add(&hunt->exam, &finding);
}

/* What the asset shows of how a program has used it. */
static void remark_use(fh_hunt *hunt)
{
    const fh_in_memory in = hunt->exam.asset.in_memory;
    if (in.stage == NULL) {
        return;
    }
    fh_finding stage = remark(FH_IMG0057, "stage");
    fh_text text = fh_text_make(stage.found, sizeof stage.found);
    fh_text_str(&text, in.stage);
    text = fh_text_make(stage.context, sizeof stage.context);
    fh_text_str(&text, in.missing);
    fh_exam_add(&hunt->exam, &stage);
    if (in.outside != NULL) {
        fh_finding outside = remark(FH_IMG0058, in.outside);
        put_hex(outside.found, sizeof outside.found, in.outside_address);
        text = fh_text_make(outside.expected, sizeof outside.expected);
        fh_text_str(&text, "in the 2 or 8 MiB of main RAM");
        outside.offset = (int64_t)in.outside_off;
        fh_exam_add(&hunt->exam, &outside);
    }
}

int64_t fh_remark_address(fh_hunt *hunt, const fh_place *place, size_t len)
{
    const int64_t own = hunt->exam.asset.ram_address;
    const bool is_whole =
        place->raw_off == 0 && hunt->memory.product == NULL && (int64_t)len == hunt->source_len;
    if (fh_hunt_is_memory(hunt) || (hunt->is_plain && !is_whole)) {
        remark_use(hunt);
    }
    if (!fh_hunt_is_memory(hunt)) {
        if (hunt->is_plain && own != FH_UNKNOWN && !is_whole) {
            fh_base_vote(&hunt->poll, place->raw_off, own);
        }
        return own;
    }
    if (place->user_off == FH_UNKNOWN) {
        return own; /* behind main RAM */
    }
    const int64_t address = (int64_t)hunt->memory.address + place->user_off;
    remark_cut(hunt, place->user_off, len);
    if (own != FH_UNKNOWN) {
        remark_base(hunt, own, address);
    }
    remark_kernel(hunt, own != FH_UNKNOWN ? own : address);
    return own != FH_UNKNOWN ? own : address;
}

/* 1: 16-bit characters, low byte first; 2: high byte first; 0: none. Texts begin with a letter, a
 * digit or a quote. */
static int wide_order(fh_cursor bytes, size_t at)
{
    fh_cursor cur = fh_cursor_sub(&bytes, at, bytes.size - at);
    const uint16_t first = fh_cursor_u16(&cur);
    if (cur.failed || first == 0) {
        return 0;
    }
    if (first == 0xfeff || first == 0xfffe) {
        return first == 0xfeff ? 1 : 2;
    }
    return (first & 0xff00u) == 0 ? 1 : (first & 0xffu) == 0 ? 2 : 0;
}

static bool has_mark(fh_cursor bytes, size_t at)
{
    fh_cursor cur = fh_cursor_sub(&bytes, at, bytes.size - at);
    const uint16_t first = fh_cursor_u16(&cur);
    return !cur.failed && (first == 0xfeff || first == 0xfffe);
}

size_t fh_encoding_remarks(fh_finding out[FH_MAX_ENCODING_REMARKS], const fh_format *format,
                           fh_cursor bytes, size_t at)
{
    const int order = format->is_text ? wide_order(bytes, at) : 0;
    if (order == 0) {
        return 0;
    }
    const char *name = order == 1 ? "UTF-16, low byte first" : "UTF-16, high byte first";
    const bool is_marked = has_mark(bytes, at) || (at >= 2 && has_mark(bytes, at - 2));
    const fh_image_rule rules[FH_MAX_ENCODING_REMARKS] = {FH_IMG0060, FH_IMG0061};
    const size_t num = is_marked ? 1 : 2;
    for (size_t i = 0; i < num; i++) {
        out[i] = remark(rules[i], i == 0 ? "encoding" : "byte order");
        fh_text text = fh_text_make(out[i].found, sizeof out[i].found);
        fh_text_str(&text, name);
    }
    return num;
}

void fh_remark_encoding(fh_hunt *hunt, const fh_format *format, fh_cursor bytes, size_t at)
{
    fh_finding findings[FH_MAX_ENCODING_REMARKS];
    const size_t num = fh_encoding_remarks(findings, format, bytes, at);
    for (size_t i = 0; i < num; i++) {
        fh_exam_add(&hunt->exam, &findings[i]);
    }
}
