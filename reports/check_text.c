#include "reports/check_text.h"

#include "reports/escape.h"

#include <assert.h>
#include <inttypes.h>

#define BOLD "\x1b[1m"
#define PLAIN "\x1b[0m"

static const char *const severity_colours[] = {
    [FH_NOTE] = "\x1b[36m", [FH_WARNING] = "\x1b[33m", [FH_ERROR] = "\x1b[31m"};

static void put_colour(fh_check_text *text, const char *sequence)
{
    if (text->colour) {
        fh_out_str(&text->out, sequence);
    }
}

void fh_check_text_begin(fh_check_text *text, FILE *file, bool colour)
{
    *text = (fh_check_text){.out = fh_out_make(file), .colour = colour};
}

static void put_number(fh_out *out, int64_t number, const char *noun)
{
    if (number != FH_UNKNOWN) {
        fh_out_str(out, ", ");
        fh_out_count(out, (uint64_t)number, noun);
    }
}

/* Where the format does not say how many frames there are, those that were replayed. */
static int64_t frames_of(const fh_asset_record *asset)
{
    return asset->frames != FH_UNKNOWN || asset->replay == NULL ? asset->frames
                                                                : asset->replay->frames;
}

static void put_asset(fh_out *out, const fh_asset_record *asset)
{
    fh_escape_text(out, asset->format);
    put_number(out, frames_of(asset), "frame");
    put_number(out, asset->objects, "object");
    fh_out_str(out, ", ");
    fh_escape_text(out, asset->grade);
}

/* close_file counts the open file, if there is one, by the worst that was found of it. */
static void close_file(fh_check_text *text)
{
    if (text->of_file.of[FH_ERROR] > 0) {
        text->num_with_errors++;
    } else if (text->of_file.of[FH_WARNING] > 0) {
        text->num_with_warnings++;
    } else if (text->num_files > 0 && !text->is_animation) {
        text->num_other++;
    }
    text->of_file = (fh_counts){{0}};
    text->num_helped = 0;
}

void fh_check_text_file(fh_check_text *text, const char *path, const fh_asset_record *asset,
                        const char *why)
{
    assert(path != NULL && (asset != NULL || why != NULL));
    close_file(text);
    text->num_files++;
    text->is_animation = asset != NULL;
    put_colour(text, BOLD);
    fh_escape_text(&text->out, path);
    put_colour(text, PLAIN);
    fh_out_str(&text->out, ": ");
    if (asset != NULL) {
        put_asset(&text->out, asset);
    } else {
        fh_escape_text(&text->out, why);
    }
    fh_out_str(&text->out, "\n");
}

static bool was_helped(fh_check_text *text, const fh_rule *rule)
{
    for (size_t i = 0; i < text->num_helped; i++) {
        if (text->helped[i] == rule) {
            return true;
        }
    }
    if (text->num_helped < FH_CHECK_HELPED) {
        text->helped[text->num_helped++] = rule;
    }
    return false;
}

static void put_help(fh_check_text *text, const fh_rule *rule)
{
    if (rule->mend != NULL && rule->mend[0] != '\0' && !was_helped(text, rule)) {
        fh_out_fmt(&text->out, "    help: %s\n", rule->mend);
    }
}

void fh_check_text_finding(fh_check_text *text, const fh_finding_record *finding)
{
    assert(text->num_files > 0 && finding->severity <= FH_ERROR);
    text->findings.of[finding->severity]++;
    text->of_file.of[finding->severity]++;
    fh_out *out = &text->out;
    fh_out_str(out, "  ");
    put_colour(text, severity_colours[finding->severity]);
    fh_out_str(out, fh_severity_name(finding->severity));
    put_colour(text, PLAIN);
    fh_out_fmt(out, " %s", finding->rule->code);
    if (finding->raw_offset != FH_UNKNOWN) {
        fh_out_fmt(out, " at 0x%04" PRIx64, (uint64_t)finding->raw_offset);
    }
    fh_out_str(out, ": ");
    fh_escape_text(out, finding->message);
    fh_out_str(out, "\n");
    put_help(text, finding->rule);
}

/* put_share writes ", 2 with errors", or nothing for no file. */
static void put_share(fh_out *out, uint64_t num, const char *noun)
{
    if (num > 0) {
        fh_out_fmt(out, ", %" PRIu64 " with %s", num, noun);
    }
}

int fh_check_text_end(fh_check_text *text)
{
    close_file(text);
    fh_out *out = &text->out;
    fh_out_count(out, text->num_files, "file");
    fh_out_fmt(out, ": %" PRIu64 " sound",
               text->num_files - text->num_with_errors - text->num_with_warnings - text->num_other);
    put_share(out, text->num_with_errors, "errors");
    put_share(out, text->num_with_warnings, "warnings");
    if (text->num_other > 0) {
        fh_out_fmt(out, ", %" PRIu64 " no animation", text->num_other);
    }
    fh_out_str(out, "; ");
    fh_out_count(out, text->findings.of[FH_ERROR], "error");
    fh_out_str(out, ", ");
    fh_out_count(out, text->findings.of[FH_WARNING], "warning");
    fh_out_str(out, ", ");
    fh_out_count(out, text->findings.of[FH_NOTE], "note");
    fh_out_str(out, "\n");
    return fh_out_end(out);
}
