/* Telling the parts: joined, where they could be put in order, else as they are. */
#include "hunt/join_order.h"
#include "hunt/remark.h"
#include "hunt/tell.h"

#include <stdlib.h>
#include <string.h>

/* An asset that is being put together. */
typedef struct assembly {
    uint8_t *bytes; /* owned */
    size_t len;
    fh_lie *lies; /* owned, room for one a part */
    size_t num_lies;
    fh_finding *merged; /* owned, room for one a part */
    size_t num_merged;
} assembly;

static void free_assembly(assembly *of)
{
    free(of->bytes);
    free(of->lies);
    free(of->merged);
}

static bool make_assembly(assembly *of, size_t num_parts, size_t len)
{
    *of = (assembly){.bytes = malloc(len),
                     .lies = malloc(num_parts * sizeof *of->lies),
                     .merged = malloc(num_parts * sizeof *of->merged)};
    return of->bytes != NULL && of->lies != NULL && of->merged != NULL;
}

static fh_place place_in(const fh_kept *kept, size_t off)
{
    return fh_runs_place(kept->runs, kept->num_runs, kept->origin + (int64_t)off);
}

/* Adds bytes [from, end) of a part. */
static void add_bytes(assembly *to, const fh_kept *kept, size_t from, size_t end)
{
    memcpy(to->bytes + to->len, kept->bytes + from, end - from);
    to->lies[to->num_lies++] = (fh_lie){(int64_t)to->len, kept->origin + (int64_t)from, end - from,
                                        kept->runs, kept->num_runs};
    to->len += end - from;
}

/* ---- findings about the joining ---- */

static fh_finding about(const fh_kept *kept, fh_join_rule rule, const char *field)
{
    fh_finding finding = fh_finding_make(kept->format->joining->rules[rule], field);
    finding.offset = 0;
    return finding;
}

static void put_place(fh_text *text, const fh_kept *kept)
{
    const int64_t raw_off = place_in(kept, kept->part.lines).raw_off;
    fh_text_hex(fh_text_str(text, text->len > 0 ? ", " : ""), (uint64_t)raw_off, 1);
}

/* Parts that could follow and were not joined, because there are several or another claims the
 * only one. */
static void add_rivals(fh_hunt *hunt, const fh_kept *kept)
{
    fh_finding finding =
        about(kept, FH_JOIN_RIVALS,
              kept->is_contested ? "part that others precede as well" : "parts that fit");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    size_t num = 0;
    for (size_t i = 0; i < kept->num_followers && i < FH_MOST_FOLLOWERS; i++) {
        const fh_kept *follower = &hunt->join.parts[kept->followers[i].part];
        if (follower->before == FH_NO_PART) {
            put_place(&text, follower);
            num++;
        }
    }
    if (kept->num_followers > FH_MOST_FOLLOWERS) {
        fh_text_s64(fh_text_str(&text, " and "),
                    (int64_t)(kept->num_followers - FH_MOST_FOLLOWERS));
        fh_text_str(&text, " more");
    }
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(&text, "one that fits nothing else");
    if (num > 0) {
        fh_exam_add(&hunt->exam, &finding);
    }
}

static void add_other(fh_hunt *hunt, const fh_kept *kept, fh_join_rule rule, const char *field,
                      uint32_t other)
{
    fh_finding finding = about(kept, rule, field);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    if (rule == FH_JOIN_DIFFERENT) {
        fh_text_str(fh_text_s64(&text, kept->differs), " there and at ");
        fh_text_hex(&text,
                    (uint64_t)place_in(&hunt->join.parts[other], hunt->join.parts[other].part.lines)
                        .raw_off,
                    1);
    } else {
        put_place(&text, &hunt->join.parts[other]);
    }
    fh_exam_add(&hunt->exam, &finding);
}

/* Counts the examined text instead of telling it if it has too little evidence. */
static bool is_weak(fh_hunt *hunt, const fh_kept *first)
{
    const uint32_t bits = hunt->exam.asset.evidence_bits;
    if (bits >= hunt->options->min_evidence) {
        return false;
    }
    fh_hunt_note_weak(hunt, first->format, bits, place_in(first, first->asset_off).raw_off);
    return true;
}

/* What is said of a part wherever it went. */
static void add_remarks(fh_hunt *hunt, const fh_kept *kept)
{
    for (size_t i = 0; i < kept->num_extras; i++) {
        fh_exam_add(&hunt->exam, &kept->extras[i]);
    }
    if (kept->next == FH_NO_PART && kept->num_followers > 0) {
        add_rivals(hunt, kept);
    }
    if (kept->copy_of != FH_NO_PART) {
        add_other(hunt, kept, FH_JOIN_COPY, "first place", kept->copy_of);
    }
    if (kept->differs != FH_UNKNOWN) {
        add_other(hunt, kept, FH_JOIN_DIFFERENT, "first different index", kept->other);
    }
}

static void note_merged(assembly *of, const fh_kept *a, const fh_kept *b)
{
    fh_finding finding = about(a, FH_JOIN_MERGED, "index");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_hex(fh_text_str(fh_text_s64(&text, a->part.last + 1), ": "),
                (uint64_t)place_in(a, a->part.lines_end).raw_off, 1);
    fh_text_hex(fh_text_str(&text, " and "),
                (uint64_t)place_in(b, b->part.lines - a->cut.head_len).raw_off, 1);
    finding.offset = (int64_t)(of->len - a->cut.tail_len);
    of->merged[of->num_merged++] = finding;
}

static void add_joined(fh_hunt *hunt, const assembly *of, const fh_kept *first)
{
    fh_finding finding = about(first, FH_JOIN_JOINED, "parts");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    for (size_t i = 0; i < of->num_lies; i++) {
        const fh_lie *lie = &of->lies[i];
        const fh_place place = fh_runs_place(lie->runs, lie->num_runs, lie->stream_off);
        fh_text_hex(fh_text_str(&text, i > 0 ? ", " : ""), (uint64_t)place.raw_off, 1);
    }
    fh_exam_add(&hunt->exam, &finding);
    for (size_t i = 0; i < of->num_merged && i < FH_MAX_FINDINGS_PER_RULE; i++) {
        fh_exam_add(&hunt->exam, &of->merged[i]);
    }
    if (of->num_merged > FH_MAX_FINDINGS_PER_RULE) {
        finding = about(first, FH_JOIN_MERGED, "number of further findings");
        text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_s64(&text, (int64_t)(of->num_merged - FH_MAX_FINDINGS_PER_RULE));
        fh_text_str(&text, ", not listed");
        fh_exam_add(&hunt->exam, &finding);
    }
}

/* ---- assets ---- */

/* The next part in the same stream; parts are kept in the order in which they are met. */
static const fh_kept *part_behind(const fh_join *join, const fh_kept *kept)
{
    const fh_kept *end = join->parts + join->num;
    for (const fh_kept *next = kept + 1; next < end && next - kept <= FH_MAX_PART_TRIES; next++) {
        if (next->stream == kept->stream) {
            return next;
        }
    }
    return NULL;
}

/* Where what is told of a part ends in its bytes, if nothing follows it. The line it is cut in may
 * seem to go on where the part behind begins, whose head is the rest of another line. */
static size_t own_end(const fh_join *join, const fh_kept *kept)
{
    const size_t end = kept->asset_off + kept->asset_len;
    const fh_kept *behind = part_behind(join, kept);
    if (behind == NULL || behind->before == FH_NO_PART || kept->asset_len == 0) {
        return end;
    }
    const size_t head_len = join->parts[behind->before].cut.head_len;
    const int64_t taken = fh_kept_place(behind) - (int64_t)head_len - kept->origin;
    const bool is_shared = head_len > 0 && taken >= (int64_t)kept->part.lines_end;
    return is_shared && taken < (int64_t)end ? (size_t)taken : end;
}

static bool examine(fh_hunt *hunt, const fh_kept *first, const uint8_t *bytes, size_t len,
                    uint64_t origin, fh_exam_options options)
{
    const fh_place place =
        fh_runs_place(first->runs, first->num_runs, first->origin + (int64_t)first->asset_off);
    options.replay = hunt->options->replay;
    if (!fh_hunt_examine(hunt, first->format, fh_cursor_make(bytes, len, origin), &options,
                         place.raw_off)) {
        return false;
    }
    fh_hunt_note_limit(hunt);
    return true;
}

static void tell_alone(fh_hunt *hunt, const fh_kept *kept)
{
    int64_t handle = FH_UNKNOWN;
    const int64_t start = kept->origin + (int64_t)kept->asset_off;
    const size_t len = own_end(&hunt->join, kept) - kept->asset_off;
    const fh_lie lie = {0, start, len, kept->runs, kept->num_runs};
    if (kept->asset_len > 0 &&
        examine(hunt, kept, kept->bytes + kept->asset_off, len, (uint64_t)start, kept->options) &&
        !is_weak(hunt, kept)) {
        add_remarks(hunt, kept);
        fh_remark_encoding(hunt, kept->format, fh_cursor_make(kept->bytes, kept->len, 0),
                           kept->asset_off);
        fh_tell_asset(hunt, &handle, kept->format, &lie, 1, len);
    }
}

/* The first part's bytes from the asset's start on, the others' from their lines or what was merged
 * in front of them; each to the end of its lines or of what was merged, the last one's as it is. */
static void assemble(assembly *of, const fh_join *join, const fh_kept *first)
{
    size_t from = first->asset_off;
    for (const fh_kept *kept = first; kept != NULL;) {
        const fh_kept *next = kept->next == FH_NO_PART ? NULL : &join->parts[kept->next];
        size_t end = kept->part.lines_end + kept->cut.tail_len;
        const bool is_merged = next != NULL && kept->cut.tail_len + kept->cut.head_len > 0;
        if (kept->asset_len > 0 && !is_merged &&
            (next == NULL || fh_kept_is_adjacent(kept, next))) {
            end = next == NULL ? own_end(join, kept) : kept->asset_off + kept->asset_len;
        }
        add_bytes(of, kept, from, end);
        if (is_merged) {
            note_merged(of, kept, next);
        }
        from = next == NULL ? 0 : next->part.lines - kept->cut.head_len;
        kept = next;
    }
}

static bool is_in_pieces(const assembly *of)
{
    for (size_t i = 1; i < of->num_lies; i++) {
        if (of->lies[i].stream_off != of->lies[i - 1].stream_off + (int64_t)of->lies[i - 1].len) {
            return true;
        }
    }
    return false;
}

static void tell_joined(fh_hunt *hunt, const fh_kept *first, size_t num_parts, size_t len)
{
    assembly of;
    int64_t handle = FH_UNKNOWN;
    if (!make_assembly(&of, num_parts, len)) {
        hunt->no_memory = true;
        free_assembly(&of);
        return;
    }
    assemble(&of, &hunt->join, first);
    fh_exam_options options = first->options;
    options.is_joined = true;
    options.ends_file = false;
    if (examine(hunt, first, of.bytes, of.len, 0, options) && !is_weak(hunt, first)) {
        if (is_in_pieces(&of)) {
            add_joined(hunt, &of, first);
        }
        for (const fh_kept *kept = first; kept != NULL;
             kept = kept->next == FH_NO_PART ? NULL : &hunt->join.parts[kept->next]) {
            add_remarks(hunt, kept);
        }
        fh_remark_encoding(hunt, first->format, fh_cursor_make(of.bytes, of.len, 0), 0);
        fh_tell_asset(hunt, &handle, first->format, of.lies, of.num_lies, of.len);
    }
    free_assembly(&of);
}

/* Tells the text that begins with a part. A chain that is longer than an asset can be is cut:
 * returns the part that begins the rest, or FH_NO_PART. */
static uint32_t tell_chain(fh_hunt *hunt, uint32_t index)
{
    fh_kept *first = &hunt->join.parts[index];
    uint32_t rest = FH_NO_PART;
    size_t num = 1;
    size_t len = first->len;
    for (fh_kept *kept = first; kept->next != FH_NO_PART; num++) {
        const fh_kept *next = &hunt->join.parts[kept->next];
        if (FH_MAX_ASSET_LEN - len < next->len) {
            hunt->join.is_spent = true;
            rest = kept->next;
            kept->next = FH_NO_PART;
            break;
        }
        len += next->len;
        kept = &hunt->join.parts[kept->next];
    }
    if (num == 1) {
        tell_alone(hunt, first);
    } else {
        tell_joined(hunt, first, num, len);
    }
    return rest;
}

static void tell_limit(fh_hunt *hunt, const fh_format *format)
{
    fh_finding finding = fh_finding_make(format->joining->rules[FH_JOIN_LIMIT], "parts");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_s64(&text, (int64_t)hunt->join.num_left_out);
    fh_text_str(&text, hunt->join.is_spent ? " left out, and not all tried" : " left out");
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(fh_text_u64(fh_text_str(&text, "at most "), FH_MAX_PARTS), " parts, ");
    fh_text_str(fh_text_u64(&text, FH_MAX_PART_BYTES >> 20), " MiB");
    hunt->hit_limit = true;
    fh_tell_finding(hunt, &finding, FH_UNKNOWN, FH_UNKNOWN);
}

void fh_join_finish(fh_hunt *hunt)
{
    fh_join *join = &hunt->join;
    if (join->num == 0 || fh_hunt_is_over(hunt)) {
        return;
    }
    if (!fh_join_order(join)) {
        hunt->no_memory = true;
        return;
    }
    for (uint32_t i = 0; i < join->num && !fh_hunt_is_over(hunt); i++) {
        uint32_t part = join->parts[i].before == FH_NO_PART ? i : FH_NO_PART;
        while (part != FH_NO_PART && !fh_hunt_is_over(hunt)) {
            part = tell_chain(hunt, part);
        }
    }
    if (join->num_left_out > 0 || join->is_spent) {
        tell_limit(hunt, join->parts[0].format);
    }
}
