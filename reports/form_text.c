#include "reports/forms.h"

#include "reports/counts.h"
#include "reports/escape.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BOLD "\x1b[1m"
#define PLAIN "\x1b[0m"

/* Rules of which it is remembered that the open file was given their help. A file that breaks more
 * of them gets the help of the others again and again, which does no harm. */
enum { MOST_HELPED = 256 };

/* How the files fared: with errors, else with warnings, else sound, or no animation at all. Notes
 * do no harm. */
typedef struct text_state {
    uint64_t num_files;
    uint64_t num_with_errors;
    uint64_t num_with_warnings;
    uint64_t num_other; /* no animation, and nothing to say about them either */
    bool has_asset;     /* the open file */
    bool has_heading;
    char *path; /* of the open file */
    fh_counts findings;
    fh_counts of_file; /* of the open file */
    const fh_rule *helped[MOST_HELPED];
    size_t num_helped;
} text_state;

static const char *const severity_colours[] = {
    [FH_NOTE] = "\x1b[36m", [FH_WARNING] = "\x1b[33m", [FH_ERROR] = "\x1b[31m"};

static void put_colour(fh_report *report, const char *sequence)
{
    if (report->colour) {
        fh_out_str(&report->out, sequence);
    }
}

static void begin(fh_report *report)
{
    (void)report;
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
static void close_file(text_state *text)
{
    if (text->of_file.of[FH_ERROR] > 0) {
        text->num_with_errors++;
    } else if (text->of_file.of[FH_WARNING] > 0) {
        text->num_with_warnings++;
    } else if (text->num_files > 0 && !text->has_asset) {
        text->num_other++;
    }
    text->of_file = (fh_counts){{0}};
    text->num_helped = 0;
    text->has_asset = false;
    text->has_heading = false;
    free(text->path);
    text->path = NULL;
}

/* put_heading writes the path, and behind it what the file was found to be, or a few words. */
static void put_heading(fh_report *report, const fh_asset_record *asset, const char *words)
{
    text_state *text = report->state;
    fh_out *out = &report->out;
    put_colour(report, BOLD);
    fh_escape_text(out, text->path);
    if (asset != NULL && asset->raw_offset != FH_UNKNOWN && asset->raw_offset != 0) {
        fh_out_fmt(out, "@0x%08" PRIx64, (uint64_t)asset->raw_offset);
    }
    put_colour(report, PLAIN);
    if (asset != NULL) {
        fh_out_str(out, ": ");
        put_asset(out, asset);
    } else if (words != NULL) {
        fh_out_str(out, ": ");
        fh_escape_text(out, words);
    }
    fh_out_str(out, "\n");
    text->has_heading = true;
}

static void source(fh_report *report, const fh_source_record *source)
{
    text_state *text = report->state;
    close_file(text);
    text->num_files++;
    text->path = strdup(source->path);
    if (text->path == NULL) {
        report->no_memory = true;
        text->path = calloc(1, 1);
    }
    if (source->why != NULL) {
        put_heading(report, NULL, source->why);
    }
}

static void asset(fh_report *report, const fh_asset_record *asset)
{
    text_state *text = report->state;
    text->has_asset = true;
    text->num_helped = 0;
    put_heading(report, asset, NULL);
}

static bool was_helped(text_state *text, const fh_rule *rule)
{
    for (size_t i = 0; i < text->num_helped; i++) {
        if (text->helped[i] == rule) {
            return true;
        }
    }
    if (text->num_helped < MOST_HELPED) {
        text->helped[text->num_helped++] = rule;
    }
    return false;
}

static void put_help(fh_report *report, const fh_rule *rule)
{
    if (rule->mend != NULL && rule->mend[0] != '\0' && !was_helped(report->state, rule)) {
        fh_out_fmt(&report->out, "    help: %s\n", rule->mend);
    }
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    text_state *text = report->state;
    assert(text->num_files > 0);
    if (!text->has_heading) {
        put_heading(report, NULL, NULL);
    }
    text->findings.of[finding->severity]++;
    text->of_file.of[finding->severity]++;
    fh_out *out = &report->out;
    fh_out_str(out, "  ");
    put_colour(report, severity_colours[finding->severity]);
    fh_out_str(out, fh_severity_name(finding->severity));
    put_colour(report, PLAIN);
    fh_out_fmt(out, " %s", finding->rule->code);
    if (finding->raw_offset != FH_UNKNOWN) {
        fh_out_fmt(out, " at 0x%04" PRIx64, (uint64_t)finding->raw_offset);
    }
    fh_out_str(out, ": ");
    fh_escape_text(out, finding->message);
    fh_out_str(out, "\n");
    put_help(report, finding->rule);
}

/* put_share writes ", 2 with errors", or nothing for no file. */
static void put_share(fh_out *out, uint64_t num, const char *noun)
{
    if (num > 0) {
        fh_out_fmt(out, ", %" PRIu64 " with %s", num, noun);
    }
}

static void end(fh_report *report)
{
    text_state *text = report->state;
    close_file(text);
    fh_out *out = &report->out;
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
}

static void forget(fh_report *report)
{
    text_state *text = report->state;
    free(text->path);
}

const fh_report_form fh_text_form = {.name = "text",
                                     .title = "for people, by file",
                                     .state_len = sizeof(text_state),
                                     .begin = begin,
                                     .source = source,
                                     .asset = asset,
                                     .finding = finding,
                                     .end = end,
                                     .forget = forget};
