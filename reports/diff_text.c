#include "reports/diff_text.h"

#include "reports/escape.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[FH_CHANGE_NUM] = {
    [FH_CHANGE_APPEARED] = "appeared", [FH_CHANGE_VANISHED] = "vanished",
    [FH_CHANGE_MOVED] = "moved",       [FH_CHANGE_BYTES] = "bytes",
    [FH_CHANGE_MOTION] = "motion",     [FH_CHANGE_GRADE] = "grade",
    [FH_CHANGE_CAME] = "finding came", [FH_CHANGE_WENT] = "finding went",
};

/* Digits of a hash that people are shown. */
#define SHOWN_DIGITS 12u

static bool is_hash(fh_change change)
{
    return change == FH_CHANGE_BYTES || change == FH_CHANGE_MOTION;
}

/* ---- text ---- */

static void text_place(fh_out *out, const char *path, int64_t raw_offset)
{
    fh_escape_text(out, path);
    if (raw_offset != FH_UNKNOWN) {
        fh_out_fmt(out, "@0x%08" PRIx64, (uint64_t)raw_offset);
    }
}

static void text_value(fh_out *out, fh_change change, const char *value)
{
    char shown[SHOWN_DIGITS + 1] = "";
    if (value == NULL) {
        fh_out_str(out, "none");
    } else if (is_hash(change)) {
        memcpy(shown, value, strnlen(value, SHOWN_DIGITS));
        fh_escape_text(out, shown);
    } else {
        fh_escape_text(out, value);
    }
}

/* Where it is in both, if that is not the same. */
static void text_places(fh_out *out, const fh_difference *one)
{
    const bool has_a = one->a_path != NULL;
    const bool has_both = has_a && one->b_path != NULL;
    text_place(out, has_a ? one->a_path : one->b_path,
               has_a ? one->a_raw_offset : one->b_raw_offset);
    if (has_both &&
        (strcmp(one->a_path, one->b_path) != 0 || one->a_raw_offset != one->b_raw_offset)) {
        fh_out_str(out, " -> ");
        text_place(out, one->b_path, one->b_raw_offset);
    }
}

static void put_text(fh_out *out, const fh_difference *one)
{
    fh_out_fmt(out, "%-12s  ", names[one->change]);
    text_places(out, one);
    fh_out_str(out, "  ");
    fh_escape_text(out, one->format != NULL ? one->format : "source");
    if (one->iso_path != NULL) {
        fh_out_str(out, "  ");
        fh_escape_text(out, one->iso_path);
    }
    if (one->code != NULL) {
        fh_out_str(out, "  ");
        fh_escape_text(out, one->code);
    }
    if (one->change > FH_CHANGE_MOVED) {
        fh_out_str(out, "  ");
        text_value(out, one->change, one->a_value);
        fh_out_str(out, " -> ");
        text_value(out, one->change, one->b_value);
    }
    fh_out_str(out, "\n");
}

static void end_text(fh_diff_text *text)
{
    if (text->total == 0) {
        fh_out_str(&text->out, "no difference\n");
        return;
    }
    fh_out_count(&text->out, text->total, "difference");
    const char *before = ": ";
    for (size_t i = 0; i < FH_CHANGE_NUM; i++) {
        if (text->num[i] > 0) {
            fh_out_fmt(&text->out, "%s%" PRIu64 " %s", before, text->num[i], names[i]);
            before = ", ";
        }
    }
    fh_out_str(&text->out, "\n");
}

/* ---- JSON ---- */

static void json_text(fh_out *out, const char *name, const char *text)
{
    fh_out_fmt(out, ", \"%s\": ", name);
    fh_escape_json(out, text);
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

static void put_json(fh_diff_text *text, const fh_difference *one)
{
    fh_out *out = &text->out;
    fh_out_fmt(out, "%s\n{\"change\": \"%s\"", text->total > 0 ? "," : "", names[one->change]);
    json_text(out, "a_path", one->a_path);
    json_text(out, "b_path", one->b_path);
    json_text(out, "format", one->format);
    json_number(out, "a_id", one->a_id);
    json_number(out, "b_id", one->b_id);
    json_number(out, "a_raw_offset", one->a_raw_offset);
    json_number(out, "b_raw_offset", one->b_raw_offset);
    json_text(out, "iso_path", one->iso_path);
    json_text(out, "code", one->code);
    json_text(out, "a_value", one->a_value);
    json_text(out, "b_value", one->b_value);
    fh_out_str(out, "}");
}

static void end_json(fh_diff_text *text)
{
    fh_out_fmt(&text->out, "%s], \"summary\": {", text->total > 0 ? "\n" : "");
    for (size_t i = 0; i < FH_CHANGE_NUM; i++) {
        fh_out_fmt(&text->out, "%s\"%s\": %" PRIu64, i > 0 ? ", " : "", names[i], text->num[i]);
    }
    fh_out_str(&text->out, "}}\n");
}

/* ---- CSV ---- */

static void csv_text(fh_out *out, const char *text)
{
    fh_out_str(out, ",");
    fh_escape_csv(out, text);
}

static void csv_number(fh_out *out, int64_t number)
{
    fh_out_str(out, ",");
    if (number != FH_UNKNOWN) {
        fh_out_fmt(out, "%" PRId64, number);
    }
}

static void put_csv(fh_out *out, const fh_difference *one)
{
    fh_out_str(out, names[one->change]);
    csv_text(out, one->a_path);
    csv_text(out, one->b_path);
    csv_text(out, one->format);
    csv_number(out, one->a_id);
    csv_number(out, one->b_id);
    csv_number(out, one->a_raw_offset);
    csv_number(out, one->b_raw_offset);
    csv_text(out, one->iso_path);
    csv_text(out, one->code);
    csv_text(out, one->a_value);
    csv_text(out, one->b_value);
    fh_out_str(out, "\r\n");
}

/* ---- all ---- */

void fh_diff_text_begin(fh_diff_text *text, FILE *file, fh_diff_format format, const char *a,
                        const char *b)
{
    *text = (fh_diff_text){.out = fh_out_make(file), .format = format};
    if (format == FH_DIFF_CSV) {
        fh_out_str(&text->out, "change,a_path,b_path,format,a_id,b_id,a_raw_offset,b_raw_offset,"
                               "iso_path,code,a_value,b_value\r\n");
    } else if (format == FH_DIFF_JSON) {
        fh_out_str(&text->out, "{\"type\": \"diff\"");
        json_text(&text->out, "a", a);
        json_text(&text->out, "b", b);
        fh_out_str(&text->out, ", \"changes\": [");
    }
}

void fh_diff_text_put(fh_diff_text *text, const fh_difference *difference)
{
    switch (text->format) {
    case FH_DIFF_TEXT:
        put_text(&text->out, difference);
        break;
    case FH_DIFF_JSON:
        put_json(text, difference);
        break;
    case FH_DIFF_CSV:
        put_csv(&text->out, difference);
        break;
    }
    text->num[difference->change]++;
    text->total++;
}

int fh_diff_text_end(fh_diff_text *text)
{
    if (text->format == FH_DIFF_TEXT) {
        end_text(text);
    } else if (text->format == FH_DIFF_JSON) {
        end_json(text);
    }
    return fh_out_end(&text->out);
}
