/* The page. Records are written as they come, in pieces; the program of the page, which stands
 * behind them, puts them together in the browser. */
#include "reports/forms.h"

#include "html.h"
#include "html_limits.h"
#include "reports/escape.h"
#include "reports/hex.h"

#include <inttypes.h>
#include <string.h>

typedef struct html_state {
    unsigned num_in_piece; /* records of the piece that is open, 0: none is */
    uint64_t num_assets;   /* that are listed; so are the others */
    uint64_t num_findings;
    uint64_t num_runs;
    uint64_t assets_left_out;
    uint64_t findings_left_out;
    uint64_t runs_left_out;
    uint64_t details_len; /* characters */
    uint64_t num_details;
    const fh_rule *foreign[FH_HTML_MAX_FOREIGN]; /* rules that were told with a finding */
    size_t num_foreign;
} html_state;

/* ---- records --------------------------------------------------------------------------------- */

static void open_record(fh_report *report, const char *kind)
{
    html_state *html = report->state;
    fh_out_str(&report->out, html->num_in_piece == 0
                                 ? "<script type=\"application/json\" class=\"records\">[\n"
                                 : ",\n");
    html->num_in_piece++;
    fh_out_fmt(&report->out, "[\"%s\"", kind);
}

static void close_piece(fh_report *report)
{
    html_state *html = report->state;
    if (html->num_in_piece > 0) {
        fh_out_str(&report->out, "\n]</script>\n");
    }
    html->num_in_piece = 0;
}

static void close_record(fh_report *report)
{
    html_state *html = report->state;
    fh_out_str(&report->out, "]");
    if (html->num_in_piece == FH_HTML_PIECE) {
        close_piece(report);
    }
}

static void put_text(fh_report *report, const char *text)
{
    fh_out_str(&report->out, ",");
    fh_escape_script(&report->out, text);
}

static void put_number(fh_report *report, int64_t number)
{
    fh_out_str(&report->out, ",");
    fh_html_number(&report->out, number);
}

static void put_hash(fh_report *report, const uint8_t *hash)
{
    char hex[2 * FH_SHA256_LEN + 1];
    if (hash != NULL) {
        fh_hex_of_hash(hex, hash);
    }
    put_text(report, hash == NULL ? NULL : hex);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void put_rule(fh_report *report, const char *format, const fh_rule *rule)
{
    open_record(report, "rule");
    put_text(report, rule->code);
    put_text(report, format);
    put_text(report, fh_severity_name(rule->severity));
    put_text(report, rule->title);
    put_text(report, rule->explanation);
    put_text(report, rule->source);
    put_text(report, rule->mend);
    close_record(report);
}

static bool is_in(const fh_rule_table *table, const fh_rule *rule)
{
    for (size_t i = 0; i < table->num_rules; i++) {
        if (&table->rules[i] == rule) {
            return true;
        }
    }
    return false;
}

static bool is_told(const fh_report *report, const fh_rule *rule)
{
    const html_state *html = report->state;
    for (size_t i = 0; i < report->run->num_tables; i++) {
        if (is_in(&report->run->tables[i], rule)) {
            return true;
        }
    }
    for (size_t i = 0; i < html->num_foreign; i++) {
        if (html->foreign[i] == rule) {
            return true;
        }
    }
    return false;
}

/* tell_foreign tells a rule that is not the program's, once. */
static void tell_foreign(fh_report *report, const fh_rule *rule)
{
    html_state *html = report->state;
    if (html->num_foreign < FH_HTML_MAX_FOREIGN && !is_told(report, rule)) {
        html->foreign[html->num_foreign++] = rule;
        put_rule(report, NULL, rule);
    }
}

/* ---- what is told ---------------------------------------------------------------------------- */

static void begin(fh_report *report)
{
    fh_out_str(&report->out, fh_html_head);
    open_record(report, "report");
    put_text(report, report->run->command);
    put_text(report, report->run->tool_version);
    put_text(report, report->run->ruleset_version);
    close_record(report);
    for (size_t t = 0; t < report->run->num_tables; t++) {
        const fh_rule_table *table = &report->run->tables[t];
        for (size_t i = 0; i < table->num_rules; i++) {
            put_rule(report, table->format, &table->rules[i]);
        }
    }
}

static void scan(fh_report *report, const fh_scan_run_record *scan)
{
    open_record(report, "scan");
    put_text(report, scan->tool_version);
    put_text(report, scan->ruleset_version);
    put_text(report, scan->options);
    put_text(report, scan->started_at);
    put_text(report, scan->finished_at);
    put_text(report, scan->status);
    close_record(report);
}

static void source(fh_report *report, const fh_source_record *source)
{
    open_record(report, "source");
    put_number(report, report->now.source_id);
    put_text(report, source->path);
    put_text(report, source->kind);
    put_text(report, source->layout);
    put_number(report, source->size);
    put_hash(report, source->sha256);
    put_text(report, source->status);
    put_text(report, source->why);
    close_record(report);
}

/* is_listed counts one more of something, of which at most so many are listed. */
static bool is_listed(uint64_t *num, uint64_t *left_out, uint64_t most)
{
    if (*num == most) {
        (*left_out)++;
        return false;
    }
    (*num)++;
    return true;
}

static void coverage(fh_report *report, const fh_coverage_record *run)
{
    html_state *html = report->state;
    if (!is_listed(&html->num_runs, &html->runs_left_out, FH_HTML_MAX_RUNS)) {
        return;
    }
    open_record(report, "run");
    put_text(report, run->claim);
    put_number(report, run->raw_offset);
    put_number(report, run->length);
    put_number(report, run->first_lba);
    put_number(report, run->sectors);
    put_number(report, run->runs);
    put_number(report, run->asset_bytes);
    close_record(report);
}

static void put_replay(fh_report *report, const fh_replay_record *replay)
{
    fh_out_str(&report->out, ",");
    if (replay == NULL) {
        fh_out_str(&report->out, "null");
        return;
    }
    fh_out_str(&report->out, "[");
    fh_escape_script(&report->out, replay->evaluator);
    put_number(report, replay->frames);
    put_number(report, replay->ticks);
    put_text(report, replay->status);
    fh_out_str(&report->out, "]");
}

static void put_pieces(fh_report *report, const fh_asset_record *asset)
{
    if (asset->num_pieces == 0) {
        fh_out_str(&report->out, ",null");
        return;
    }
    for (size_t i = 0; i < asset->num_pieces; i++) {
        const fh_piece_record *piece = &asset->pieces[i];
        fh_out_fmt(&report->out, "%s[%" PRId64 ",%" PRId64 ",%" PRId64 "]", i == 0 ? ",[" : ",",
                   piece->asset_offset, piece->raw_offset, piece->length);
    }
    fh_out_str(&report->out, "]");
}

static void asset(fh_report *report, const fh_asset_record *asset)
{
    html_state *html = report->state;
    if (!is_listed(&html->num_assets, &html->assets_left_out, FH_HTML_MAX_ASSETS)) {
        return;
    }
    open_record(report, "asset");
    put_number(report, report->now.asset_id);
    put_text(report, asset->format);
    put_text(report, asset->grade);
    put_number(report, asset->raw_offset);
    put_number(report, asset->user_offset);
    put_number(report, asset->length);
    put_number(report, asset->lba);
    put_text(report, asset->iso_path);
    put_number(report, asset->iso_offset);
    put_number(report, asset->ram_address);
    put_number(report, asset->evidence_bits);
    put_number(report, asset->frames);
    put_number(report, asset->objects);
    put_hash(report, asset->sha256);
    put_hash(report, asset->pose_sha256);
    put_replay(report, asset->replay);
    put_pieces(report, asset);
    close_record(report);
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    html_state *html = report->state;
    if (!is_listed(&html->num_findings, &html->findings_left_out, FH_HTML_MAX_FINDINGS)) {
        return;
    }
    tell_foreign(report, finding->rule);
    open_record(report, "finding");
    put_number(report, report->now.finding_id);
    put_number(report, report->now.asset_id);
    put_text(report, finding->rule->code);
    put_text(report, fh_severity_name(finding->severity));
    put_number(report, finding->raw_offset);
    put_number(report, finding->asset_offset);
    put_number(report, finding->frame);
    put_number(report, finding->object);
    put_text(report, finding->field);
    put_text(report, finding->found);
    put_text(report, finding->expected);
    put_text(report, finding->message);
    close_record(report);
}

static bool is_full(const fh_report *report)
{
    const html_state *html = report->state;
    return html->details_len >= FH_HTML_MAX_DETAILS;
}

static void detail(fh_report *report, const fh_detail *detail)
{
    html_state *html = report->state;
    if (is_full(report)) {
        return;
    }
    close_piece(report);
    fh_out_fmt(&report->out, "<script type=\"text/plain\" id=\"detail-%" PRId64 "\">",
               detail->asset_id);
    html->details_len += fh_html_detail(&report->out, &report->no_memory, detail);
    html->num_details++;
    fh_out_str(&report->out, "</script>\n");
}

static void end(fh_report *report)
{
    const html_state *html = report->state;
    open_record(report, "end");
    put_number(report, (int64_t)report->now.num_assets);
    put_number(report, fh_report_num_findings(report));
    put_number(report, (int64_t)html->assets_left_out);
    put_number(report, (int64_t)html->findings_left_out);
    put_number(report, (int64_t)html->runs_left_out);
    put_number(report, (int64_t)html->num_details);
    put_number(report, is_full(report) ? 1 : 0);
    close_record(report);
    close_piece(report);
    fh_out_str(&report->out, fh_html_tail);
}

const fh_report_form fh_html_form = {.name = "html",
                                     .title = "a page for a browser, without network",
                                     .state_len = sizeof(html_state),
                                     .begin = begin,
                                     .scan = scan,
                                     .source = source,
                                     .coverage = coverage,
                                     .asset = asset,
                                     .finding = finding,
                                     .detail = detail,
                                     .is_full = is_full,
                                     .end = end};
