#include "hunt/why.h"

/* ---- where an asset would begin -------------------------------------------------------------- */

static bool has_magic(const fh_window *window, const fh_format *format, size_t pos)
{
    fh_cursor cur = fh_window_cursor(window, pos);
    if (fh_cursor_left(&cur) < 4) {
        return false;
    }
    const uint32_t word = fh_cursor_u32(&cur);
    for (size_t i = 0; i < format->num_magics; i++) {
        if ((word & format->magics[i].mask) == format->magics[i].value) {
            return true;
        }
    }
    return false;
}

/* Where the asset begins that has a magic at pos. */
static bool locate(size_t *start, const fh_window *window, const fh_format *format, size_t pos)
{
    const size_t from = pos > FH_LOOK_BEHIND ? pos - FH_LOOK_BEHIND : 0;
    *start = pos;
    if (format->locate == NULL) {
        return true;
    }
    if (!format->locate(start, fh_window_cursor(window, from), pos - from)) {
        return false;
    }
    *start += from;
    return true;
}

/* Looks for a magic behind pos with which an asset begins there. */
static bool find_behind(fh_why *out, const fh_window *window, size_t pos)
{
    size_t start = 0;
    for (size_t at = pos + 1; at - pos <= FH_LOOK_BEHIND && at < window->len; at++) {
        if (has_magic(window, out->format, at) && locate(&start, window, out->format, at) &&
            start == pos) {
            out->magic_off = at - pos;
            return true;
        }
    }
    return false;
}

static void find_start(fh_why *out, const fh_gather *gather)
{
    const fh_window *window = &gather->window;
    size_t start = gather->pos;
    const bool is_there = has_magic(window, out->format, gather->pos) &&
                          locate(&start, window, out->format, gather->pos);
    out->start = is_there ? start : gather->pos;
    if (is_there) {
        out->magic = start == gather->pos ? FH_MAGIC_HERE : FH_MAGIC_INSIDE;
    } else if (out->format->locate != NULL && find_behind(out, window, gather->pos)) {
        out->magic = FH_MAGIC_BEHIND;
    } else if (out->format->is_text && gather->stream == FH_STREAM_PLAIN &&
               window->origin + (int64_t)gather->pos == 0) {
        out->magic = FH_MAGIC_START;
    }
}

/* ---- what it says ---------------------------------------------------------------------------- */

static const fh_finding *first_error(const fh_exam *exam)
{
    for (size_t i = 0; i < exam->num_findings; i++) {
        if (exam->findings[i].rule->severity == FH_ERROR) {
            return &exam->findings[i];
        }
    }
    return NULL;
}

/* The finding of the rule that rejected, the one at its place if there are several; and the first
 * error, if that is of another rule. */
static void pick_findings(fh_why *out, const fh_exam *exam)
{
    const fh_finding *first = NULL;
    for (size_t i = 0; i < exam->num_findings; i++) {
        const fh_finding *finding = &exam->findings[i];
        if (first == NULL && finding->rule->severity == FH_ERROR) {
            first = finding;
        }
        if (finding->rule == out->probe.rule &&
            (out->finding == NULL || (out->finding->offset != (int64_t)out->probe.reject_off &&
                                      finding->offset == (int64_t)out->probe.reject_off))) {
            out->finding = finding;
        }
    }
    out->other = first != NULL && first->rule != out->probe.rule ? first : NULL;
}

static fh_exam_options options_for(const fh_why *why, fh_end end, bool is_whole)
{
    const bool is_accepted = why->probe.verdict == FH_ACCEPT;
    return (fh_exam_options){.aligned = why->is_aligned,
                             .ends_file = end == FH_END_FILE && is_whole,
                             .stand_alone = !is_accepted && why->is_file,
                             .replay = is_accepted};
}

/* A scan takes as much as is sound of a file that is broken; whoever wrote it wants the whole. */
static bool ask_file(fh_why *out, fh_exam *exam)
{
    const fh_exam_options options = {.stand_alone = true, .ends_file = true, .aligned = true};
    if (!fh_exam_run(exam, out->format, out->bytes, &options)) {
        return false;
    }
    const fh_finding *error = first_error(exam);
    if (exam->asset.grade == FH_GRADE_CANDIDATE && error != NULL) {
        out->has_file_fault = true;
        out->file_fault = *error;
    }
    return true;
}

bool fh_why_ask(fh_why *out, fh_exam *exam, const fh_gather *gather, const fh_format *format)
{
    fh_end end = FH_END_NONE;
    *out = (fh_why){.format = format};
    find_start(out, gather);
    const int64_t start = gather->window.origin + (int64_t)out->start;
    out->bytes = fh_gather_bytes(gather, &end, out->start);
    out->is_aligned = (start - gather->base) % format->alignment == 0;
    fh_budget budget = fh_budget_for(out->bytes.size, 0);
    if (!fh_exam_probe(exam, &out->probe, format, out->bytes, end, NULL, &budget)) {
        return false;
    }
    const bool is_accepted = out->probe.verdict == FH_ACCEPT;
    const size_t len = is_accepted ? out->probe.length : out->bytes.size;
    out->is_file = start == 0 && end == FH_END_FILE && len == out->bytes.size;
    const fh_exam_options options = options_for(out, end, len == out->bytes.size);
    if (is_accepted && start == 0 && end == FH_END_FILE && !ask_file(out, exam)) {
        return false;
    }
    if (!fh_exam_run(exam, format, fh_cursor_sub(&out->bytes, 0, len), &options)) {
        return false;
    }
    if (out->probe.verdict == FH_REJECT) {
        pick_findings(out, exam);
    }
    return true;
}

static void put_error(fh_text *out, const fh_finding *error)
{
    fh_text_str(fh_text_str(out, error->rule->code), ", ");
    fh_text_str(out, error->rule->title);
    if (error->offset != FH_UNKNOWN) {
        fh_text_hex(fh_text_str(out, ", at +"), (uint64_t)error->offset, 1);
    }
}

void fh_why_held_back(fh_text *out, const fh_exam *exam)
{
    const fh_finding *error = first_error(exam);
    if (exam->asset.grade == FH_GRADE_REPLAYED) {
        return;
    }
    if (exam->asset.grade < FH_GRADE_REFERENCES && error != NULL) {
        put_error(out, error);
    } else if (exam->asset.grade < FH_GRADE_REFERENCES) {
        fh_text_str(out, "it is not whole");
        if (exam->num_findings > 0) {
            put_error(fh_text_str(out, ": "), &exam->findings[0]);
        }
    } else if (!exam->is_replayed) {
        fh_text_str(out, "it cannot be replayed");
    } else {
        fh_text_str(fh_text_str(out, "its replay is "), fh_replay_state_name(exam->result.state));
        if (error != NULL) {
            put_error(fh_text_str(out, ": "), error);
        }
    }
}
