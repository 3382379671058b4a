#include "reports/forms.h"

#include "reports/commonest.h"
#include "reports/counts.h"
#include "reports/escape.h"
#include "reports/field_view.h"

#include <inttypes.h>
#include <string.h>

#define BOLD "\x1b[1m"
#define PLAIN "\x1b[0m"

/* Rules of which it is remembered that the open file was given their help. A file that breaks more
 * of them gets the help of the others again and again, which does no harm. */
enum { MOST_HELPED = 256 };

/* Rules that are explained at the end: what a person reads. */
enum { MOST_EXPLAINED = 5 };

/* How the files fared: with errors, else with warnings, else sound, or no animation at all. Notes
 * do no harm. */
typedef struct text_state {
    uint64_t num_with_errors;
    uint64_t num_with_warnings;
    uint64_t num_unread;
    uint64_t num_other; /* no animation, and nothing to say about them either */
    bool has_heading;   /* the open file */
    fh_counts of_file;
    const fh_rule *helped[MOST_HELPED];
    size_t num_helped;
    fh_commonest tally; /* of what makes the run fail */
    fh_commonest all;
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

/* put_heading writes the path, and behind it what the file was found to be, or a few words. */
static void put_heading(fh_report *report, const fh_asset_record *asset, const char *words)
{
    text_state *text = report->state;
    fh_out *out = &report->out;
    put_colour(report, BOLD);
    fh_escape_text(out, report->now.source.path);
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

/* The open file is counted by the worst that was found of it. */
static void close_file(fh_report *report)
{
    text_state *text = report->state;
    if (!text->has_heading && fh_report_is_unread(&report->now.source)) {
        put_heading(report, NULL, fh_report_why_unread(&report->now.source));
    }
    if (text->of_file.of[FH_ERROR] > 0) {
        text->num_with_errors++;
    } else if (text->of_file.of[FH_WARNING] > 0) {
        text->num_with_warnings++;
    } else if (fh_report_is_unread(&report->now.source)) {
        text->num_unread++;
    } else if (!report->now.has_asset) {
        text->num_other++;
    }
    text->of_file = (fh_counts){{0}};
    text->num_helped = 0;
    text->has_heading = false;
}

static void source(fh_report *report, const fh_source_record *source)
{
    if (source->why != NULL) {
        put_heading(report, NULL, source->why);
    }
}

static void asset(fh_report *report, const fh_asset_record *asset)
{
    text_state *text = report->state;
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
        fh_out_str(&report->out, "    help: ");
        fh_escape_text(&report->out, rule->mend);
        fh_out_str(&report->out, "\n");
    }
}

/* Excerpts are of files, and what their bytes are called is where they are in it. */
static int64_t place_in_file(void *user, size_t off)
{
    const fh_excerpt *excerpt = user;
    return excerpt->asset_offset + (int64_t)off;
}

static void put_excerpt(fh_report *report, const fh_finding_record *finding)
{
    enum { WORD_LEN = 4 };
    if (finding->excerpt == NULL) {
        return;
    }
    fh_excerpt excerpt = *finding->excerpt;
    if (excerpt.field_len == 0) {
        excerpt.field_len = excerpt.is_text ? 1 : WORD_LEN - excerpt.field_off % WORD_LEN;
    }
    const fh_field_view view = {.bytes = excerpt.bytes,
                                .len = excerpt.len,
                                .field_off = excerpt.field_off,
                                .field_len = excerpt.field_len,
                                .indent = "    ",
                                .place = place_in_file,
                                .user = &excerpt};
    fh_view_field(&report->out, &view, excerpt.is_text, finding->field);
}

static void put_place(fh_out *out, const fh_finding_record *finding)
{
    if (finding->raw_offset != FH_UNKNOWN) {
        fh_out_fmt(out, " at 0x%04" PRIx64, (uint64_t)finding->raw_offset);
    }
    if (finding->raw_offset != FH_UNKNOWN && finding->line > 0) {
        fh_out_fmt(out, ", line %" PRIu32 ", column %" PRIu32, finding->line, finding->column);
    }
    fh_out_str(out, ": ");
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    text_state *text = report->state;
    if (!text->has_heading) {
        const fh_source_record *of = &report->now.source;
        put_heading(report, NULL, fh_report_is_unread(of) ? fh_report_why_unread(of) : NULL);
    }
    text->of_file.of[finding->severity]++;
    fh_commonest_add(&text->all, finding->rule);
    if (finding->severity >= report->run->fails_from) {
        fh_commonest_add(&text->tally, finding->rule);
    }
    fh_out *out = &report->out;
    fh_out_str(out, "  ");
    put_colour(report, severity_colours[finding->severity]);
    fh_out_str(out, fh_severity_name(finding->severity));
    put_colour(report, PLAIN);
    fh_out_str(out, " ");
    fh_escape_text(out, finding->rule->code);
    put_place(out, finding);
    fh_escape_text(out, finding->message);
    fh_out_str(out, "\n");
    put_excerpt(report, finding);
    put_help(report, finding->rule);
}

/* put_share writes ", 2 with errors", or nothing for no file. */
static void put_share(fh_out *out, uint64_t num, const char *noun)
{
    if (num > 0) {
        fh_out_fmt(out, ", %" PRIu64 " with %s", num, noun);
    }
}

/* put_left_out writes "; not told: 2 in the baseline, 1 ignored", or nothing. */
static void put_left_out(fh_out *out, const fh_left_out *left_out)
{
    const struct {
        uint64_t num;
        const char *why;
    } parts[] = {{left_out->known, "in the baseline"},
                 {left_out->ignored, "ignored"},
                 {left_out->hidden, "less severe than is shown"}};
    const char *before = "; not told: ";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].num > 0) {
            fh_out_fmt(out, "%s%" PRIu64 " %s", before, parts[i].num, parts[i].why);
            before = ", ";
        }
    }
}

/* What can be done next. */
static void put_foot(fh_report *report)
{
    const text_state *text = report->state;
    const fh_report_run *run = report->run;
    fh_out *out = &report->out;
    const uint64_t num = fh_commonest_mended(&text->all, run->tables, run->num_tables);
    if (num > 0 && strcmp(run->command, "check") == 0) {
        fh_out_count(out, num, "finding");
        fh_out_str(out, " may be mended by framehound check --fix; --diff shows how\n");
    }
    if (run->explains && text->tally.num > 0) {
        fh_commonest_explain(out, &text->tally, MOST_EXPLAINED);
    }
}

static void end(fh_report *report)
{
    const text_state *text = report->state;
    const fh_report_now *now = &report->now;
    fh_out *out = &report->out;
    fh_out_count(out, now->num_sources, "file");
    fh_out_fmt(out, ": %" PRIu64 " sound",
               now->num_sources - text->num_with_errors - text->num_with_warnings -
                   text->num_unread - text->num_other);
    put_share(out, text->num_with_errors, "errors");
    put_share(out, text->num_with_warnings, "warnings");
    if (text->num_unread > 0) {
        fh_out_fmt(out, ", %" PRIu64 " not read as a whole", text->num_unread);
    }
    if (text->num_other > 0) {
        fh_out_fmt(out, ", %" PRIu64 " no animation", text->num_other);
    }
    fh_out_str(out, "; ");
    fh_out_count(out, now->findings.of[FH_ERROR], "error");
    fh_out_str(out, ", ");
    fh_out_count(out, now->findings.of[FH_WARNING], "warning");
    fh_out_str(out, ", ");
    fh_out_count(out, now->findings.of[FH_NOTE], "note");
    if (report->run->left_out != NULL) {
        put_left_out(out, report->run->left_out);
    }
    fh_out_str(out, now->num_unfinished > 0 ? "\n" FH_UNFINISHED "\n" : "\n");
    put_foot(report);
}

const fh_report_form fh_text_form = {.name = "text",
                                     .title = "for people, by file",
                                     .state_len = sizeof(text_state),
                                     .begin = begin,
                                     .source = source,
                                     .asset = asset,
                                     .finding = finding,
                                     .close = close_file,
                                     .end = end};
