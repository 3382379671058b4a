#include "why_text.h"

#include "hunt/hunt.h"
#include "reports/escape.h"
#include "reports/field_view.h"

#include <inttypes.h>

enum { WORD_LEN = 4 };

static fh_place place_of(const fh_gather *gather, const fh_why *why, int64_t off)
{
    return fh_window_place(&gather->window, gather->window.origin + (int64_t)why->start + off);
}

static size_t frame_count(const fh_why *why)
{
    return why->probe.frames;
}

/* Bytes of a field that is wrong: to the end of its word, or one character. */
static size_t field_len(const fh_why *why, size_t off)
{
    return why->format->is_text ? 1 : WORD_LEN - off % WORD_LEN;
}

static const char *verdict_name(const fh_why *why)
{
    static const char *const names[] = {
        [FH_REJECT] = "rejected", [FH_ACCEPT] = "accepted", [FH_MORE] = "undecided"};
    return names[why->probe.verdict];
}

static bool is_weak(const fh_why *why)
{
    return why->probe.verdict == FH_ACCEPT && !why->is_file &&
           why->probe.evidence_bits < FH_MIN_EVIDENCE;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_line(fh_out *out, const char *label, const char *value)
{
    if (value != NULL && value[0] != '\0') {
        fh_out_fmt(out, "  %s: ", label);
        fh_escape_text(out, value);
        fh_out_str(out, "\n");
    }
}

static void put_magic(fh_out *out, const fh_gather *gather, const fh_why *why)
{
    fh_out_str(out, "  magic: ");
    switch (why->magic) {
    case FH_MAGIC_NONE:
        fh_out_str(out, "does not stand here; a scan does not look here");
        break;
    case FH_MAGIC_HERE:
        fh_out_str(out, "stands here");
        break;
    case FH_MAGIC_BEHIND:
        fh_out_fmt(out, "stands at +0x%zx, and leads here", why->magic_off);
        break;
    case FH_MAGIC_INSIDE:
        fh_out_fmt(out, "stands here, and leads to 0x%08" PRIx64 ", where the asset begins",
                   (uint64_t)place_of(gather, why, 0).raw_off);
        break;
    case FH_MAGIC_START:
        fh_out_str(out, "none is needed at the start of a file");
        break;
    }
    fh_out_str(out, why->is_aligned ? "\n" : "; a scan looks here only with --every-offset\n");
}

typedef struct place_user {
    const fh_gather *gather;
    const fh_why *why;
} place_user;

static int64_t raw_of(void *user, size_t off)
{
    const place_user *of = user;
    const int64_t raw_off = place_of(of->gather, of->why, (int64_t)off).raw_off;
    return raw_off == FH_UNKNOWN ? -1 : raw_off;
}

static void put_bytes(fh_out *out, const fh_gather *gather, const fh_why *why, size_t off)
{
    place_user of = {gather, why};
    const fh_field_view view = {.bytes = why->bytes.base,
                                .len = why->bytes.size,
                                .field_off = off,
                                .field_len = field_len(why, off),
                                .indent = "    ",
                                .place = raw_of,
                                .user = &of};
    if (!why->format->is_text || !fh_view_line(out, &view)) {
        fh_view_hex(out, &view);
    }
}

static void put_offset(fh_out *out, const fh_gather *gather, const fh_why *why, size_t off)
{
    const bool is_behind = off >= why->bytes.size && off > 0;
    const fh_place place = place_of(gather, why, (int64_t)off - (is_behind ? 1 : 0));
    fh_out_fmt(out, "  at: +0x%zx", off);
    if (place.raw_off != FH_UNKNOWN) {
        fh_out_fmt(out, ", raw 0x%08" PRIx64, (uint64_t)(place.raw_off + (is_behind ? 1 : 0)));
    }
    if (place.lba != FH_UNKNOWN) {
        fh_out_fmt(out, ", LBA %" PRId64, place.lba);
    }
    fh_out_str(out, is_behind ? ", where the bytes end\n" : "\n");
}

static void put_finding(fh_out *out, const char *label, const fh_finding *finding)
{
    char message[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(message, sizeof message);
    fh_finding_message(&text, finding);
    fh_out_fmt(out, "  %s: %s %s", label, fh_severity_name(finding->rule->severity),
               finding->rule->code);
    if (finding->offset != FH_UNKNOWN) {
        fh_out_fmt(out, " at +0x%" PRIx64, (uint64_t)finding->offset);
    }
    fh_out_str(out, ": ");
    fh_escape_text(out, message);
    fh_out_str(out, "\n");
}

static void print_rejected(fh_out *out, const fh_gather *gather, const fh_why *why)
{
    const fh_probe *probe = &why->probe;
    fh_out_fmt(out, "%s: rejected by %s, %s\n", why->format->name, probe->rule->code,
               probe->rule->title);
    put_magic(out, gather, why);
    put_offset(out, gather, why, probe->reject_off);
    if (why->finding != NULL) {
        put_line(out, "field", why->finding->field);
        put_line(out, "found", why->finding->found);
        put_line(out, "demanded", why->finding->expected);
        put_line(out, "where", why->finding->context);
    }
    fh_out_str(out, "  sound before it: ");
    fh_out_count(out, frame_count(why), "frame");
    fh_out_fmt(out, ", %" PRIu32 " bits%s\n", probe->evidence_bits,
               probe->near_miss ? "; a scan tells this as a near miss (RUN0006)" : "");
    put_line(out, "why", probe->rule->explanation);
    if (why->finding == NULL) {
        put_line(out, "verify", "does not report this rule");
    }
    if (why->other != NULL) {
        put_finding(out, "verify", why->other);
    }
    put_bytes(out, gather, why, probe->reject_off);
}

static void print_accepted(fh_out *out, const fh_gather *gather, const fh_why *why,
                           const fh_exam *exam)
{
    char held_back[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(held_back, sizeof held_back);
    fh_why_held_back(&text, exam);
    fh_out_fmt(out, "%s: accepted: %zu bytes, ", why->format->name, why->probe.length);
    fh_out_count(out, frame_count(why), "frame");
    fh_out_fmt(out, ", %" PRIu32 " bits of evidence\n", why->probe.evidence_bits);
    put_magic(out, gather, why);
    if (is_weak(why)) {
        fh_out_fmt(out, "  evidence: too little; scan --min-evidence %" PRIu32 " records it\n",
                   why->probe.evidence_bits);
    }
    put_line(out, "grade", fh_grade_name(exam->asset.grade));
    put_line(out, "next grade", held_back);
    for (size_t i = 0; i < exam->num_findings; i++) {
        put_finding(out, "finding", &exam->findings[i]);
    }
    if (why->has_file_fault) {
        put_line(out, "as a whole file", "rejected");
        put_finding(out, "verify", &why->file_fault);
        if (why->file_fault.offset != FH_UNKNOWN) {
            put_bytes(out, gather, why, (size_t)why->file_fault.offset);
        }
    }
}

void fh_why_print(fh_out *out, const fh_gather *gather, const fh_why *why, const fh_exam *exam)
{
    switch (why->probe.verdict) {
    case FH_REJECT:
        print_rejected(out, gather, why);
        break;
    case FH_ACCEPT:
        print_accepted(out, gather, why, exam);
        break;
    case FH_MORE:
        fh_out_fmt(out, "%s: undecided: longer than any asset (RUN0002), after ",
                   why->format->name);
        fh_out_count(out, frame_count(why), "frame");
        fh_out_fmt(out, " and %" PRIu32 " bits\n", why->probe.evidence_bits);
        put_magic(out, gather, why);
        break;
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_text(fh_out *out, const char *name, const char *text)
{
    fh_out_fmt(out, ", \"%s\": ", name);
    fh_escape_json(out, text == NULL || text[0] == '\0' ? NULL : text);
}

static void json_number(fh_out *out, const char *name, int64_t number)
{
    fh_out_fmt(out, ", \"%s\": ", name);
    if (number == FH_UNKNOWN) {
        fh_out_str(out, "null");
    } else {
        fh_out_fmt(out, "%" PRId64, number);
    }
}

static void json_bool(fh_out *out, const char *name, bool value)
{
    fh_out_fmt(out, ", \"%s\": %s", name, value ? "true" : "false");
}

static void json_finding(fh_out *out, const fh_finding *finding)
{
    char message[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(message, sizeof message);
    fh_finding_message(&text, finding);
    fh_out_str(out, "{\"type\": \"finding\"");
    json_text(out, "code", finding->rule->code);
    json_text(out, "severity", fh_severity_name(finding->rule->severity));
    json_number(out, "asset_offset", finding->offset);
    json_text(out, "field", finding->field);
    json_text(out, "found", finding->found);
    json_text(out, "expected", finding->expected);
    json_text(out, "message", message);
    fh_out_str(out, "}");
}

static void json_bytes(fh_out *out, const fh_why *why)
{
    const size_t off = why->probe.reject_off;
    fh_out_str(out, ", \"bytes\": \"");
    for (size_t i = off; i < off + field_len(why, off) && i < why->bytes.size; i++) {
        fh_out_fmt(out, "%02x", why->bytes.base[i]);
    }
    fh_out_str(out, "\"");
}

static void json_rejected(fh_out *out, const fh_gather *gather, const fh_why *why)
{
    const fh_probe *probe = &why->probe;
    const fh_place place = place_of(gather, why, (int64_t)probe->reject_off);
    json_text(out, "code", probe->rule->code);
    json_text(out, "title", probe->rule->title);
    json_text(out, "explanation", probe->rule->explanation);
    json_number(out, "asset_offset", (int64_t)probe->reject_off);
    json_number(out, "raw_offset", place.raw_off);
    json_number(out, "lba", place.lba);
    json_bytes(out, why);
    json_text(out, "field", why->finding != NULL ? why->finding->field : NULL);
    json_text(out, "found", why->finding != NULL ? why->finding->found : NULL);
    json_text(out, "expected", why->finding != NULL ? why->finding->expected : NULL);
    json_bool(out, "near_miss", probe->near_miss);
    fh_out_str(out, ", \"verify\": ");
    if (why->other != NULL) {
        json_finding(out, why->other);
    } else {
        fh_out_str(out, "null");
    }
}

static void json_accepted(fh_out *out, const fh_why *why, const fh_exam *exam)
{
    char held_back[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(held_back, sizeof held_back);
    fh_why_held_back(&text, exam);
    json_number(out, "length", (int64_t)why->probe.length);
    json_text(out, "grade", fh_grade_name(exam->asset.grade));
    json_text(out, "held_back_by", held_back);
    json_bool(out, "too_little_evidence", is_weak(why));
    fh_out_str(out, ", \"findings\": [");
    for (size_t i = 0; i < exam->num_findings; i++) {
        fh_out_str(out, i > 0 ? ", " : "");
        json_finding(out, &exam->findings[i]);
    }
    fh_out_str(out, "], \"as_file\": ");
    if (why->has_file_fault) {
        json_finding(out, &why->file_fault);
    } else {
        fh_out_str(out, "null");
    }
}

void fh_why_json(fh_out *out, const fh_gather *gather, const fh_why *why, const fh_exam *exam)
{
    static const char *const magics[] = {[FH_MAGIC_NONE] = "none",
                                         [FH_MAGIC_HERE] = "here",
                                         [FH_MAGIC_BEHIND] = "behind",
                                         [FH_MAGIC_INSIDE] = "inside",
                                         [FH_MAGIC_START] = "start of a file"};
    fh_out_str(out, "{\"type\": \"verdict\"");
    json_text(out, "format", why->format->name);
    json_text(out, "verdict", verdict_name(why));
    json_text(out, "magic", magics[why->magic]);
    json_number(out, "start", place_of(gather, why, 0).raw_off);
    json_bool(out, "aligned", why->is_aligned);
    json_number(out, "frames", (int64_t)frame_count(why));
    json_number(out, "evidence_bits", why->probe.evidence_bits);
    if (why->probe.verdict == FH_REJECT) {
        json_rejected(out, gather, why);
    } else if (why->probe.verdict == FH_ACCEPT) {
        json_accepted(out, why, exam);
    }
    fh_out_str(out, "}");
}
