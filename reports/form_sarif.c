/* SARIF 2.1.0. Results are in front of the artifacts that they name, and errors in front of
 * warnings, so both wait in temporary files; the rules that are used come last. */
#include "reports/forms.h"

#include "reports/escape.h"
#include "reports/fingerprint.h"
#include "reports/hex.h"
#include "reports/plain_path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* GitHub takes no file with more results than that
 * (docs.github.com, "SARIF support for code scanning", limits). */
#define MOST_RESULTS 25000u

/* Rules that may be used. All of this program, and many that it does not know. */
#define MOST_RULES 4096u

typedef struct sarif_state {
    fh_out results[FH_ERROR + 1]; /* owned; by severity, what is in each begins with a comma */
    uint64_t num_results[FH_ERROR + 1];
    fh_out artifacts; /* owned */
    uint64_t num_artifacts;
    uint64_t source_artifact;
    uint64_t asset_artifact; /* that of the source, where it is the same */
    fh_out notifications;    /* owned */
    bool has_notification;
    const fh_rule **rules; /* owned list of those that are used, in the order of their first use */
    size_t num_rules;
    fh_fingerprints fingerprints;
} sarif_state;

static void begin(fh_report *report)
{
    sarif_state *sarif = report->state;
    for (size_t i = 0; i <= FH_ERROR; i++) {
        sarif->results[i] = fh_report_aside(report);
    }
    sarif->artifacts = fh_report_aside(report);
    sarif->notifications = fh_report_aside(report);
    sarif->rules = calloc(MOST_RULES, sizeof *sarif->rules);
    report->no_memory = sarif->rules == NULL;
}

/* Relative paths stay relative references; those from the root are file URIs. */
static void put_uri(fh_out *out, const char *path)
{
    fh_out_str(out, path[0] == '/' ? "\"file://" : "\"");
    fh_escape_uri(out, fh_plain_path(path));
    fh_out_str(out, "\"");
}

static void put_string(fh_out *out, const char *lead, const char *value)
{
    fh_out_str(out, lead);
    fh_escape_json(out, value == NULL ? "" : value);
}

/* ---- artifacts ------------------------------------------------------------------------------- */

static void put_hash(fh_out *out, const uint8_t *hash)
{
    if (hash != NULL) {
        char hex[2 * FH_SHA256_LEN + 1];
        fh_hex_of_hash(hex, hash);
        fh_out_fmt(out, ", \"hashes\": {\"sha-256\": \"%s\"}", hex);
    }
}

static void put_number(fh_out *out, const char *name, int64_t number)
{
    if (number >= 0) {
        fh_out_fmt(out, ", \"%s\": %" PRId64, name, number);
    }
}

static void put_notification(fh_report *report, const char *level, const char *text, bool has_place)
{
    sarif_state *sarif = report->state;
    fh_out *out = &sarif->notifications;
    fh_out_fmt(out, "%s\n{\"level\": \"%s\"", sarif->has_notification ? "," : "", level);
    put_string(out, ", \"message\": {\"text\": ", text);
    fh_out_str(out, "}");
    if (has_place) {
        fh_out_str(out,
                   ", \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
        put_uri(out, report->now.source.path);
        fh_out_fmt(out, ", \"index\": %" PRIu64 "}}}]", sarif->source_artifact);
    }
    fh_out_str(out, "}");
    sarif->has_notification = true;
}

static void source(fh_report *report, const fh_source_record *source)
{
    sarif_state *sarif = report->state;
    fh_out *out = &sarif->artifacts;
    fh_fingerprints_reset(&sarif->fingerprints);
    sarif->source_artifact = sarif->num_artifacts++;
    fh_out_str(out, sarif->source_artifact > 0 ? ",\n{\"location\": {\"uri\": "
                                               : "\n{\"location\": {\"uri\": ");
    put_uri(out, source->path);
    fh_out_fmt(out, ", \"index\": %" PRIu64 "}, \"roles\": [\"analysisTarget\"]",
               sarif->source_artifact);
    put_number(out, "length", source->size);
    put_hash(out, source->sha256);
    fh_out_str(out, "}");
    if (fh_report_is_unread(source)) {
        put_notification(report, "error", fh_report_why_unread(source), true);
    }
}

/* An asset inside of a source is an artifact nested in it. */
static void asset(fh_report *report, const fh_asset_record *asset)
{
    sarif_state *sarif = report->state;
    fh_out *out = &sarif->artifacts;
    fh_fingerprints_reset(&sarif->fingerprints);
    sarif->asset_artifact = sarif->source_artifact;
    if (fh_report_is_whole_source(report)) {
        return;
    }
    sarif->asset_artifact = sarif->num_artifacts++;
    fh_out_fmt(out, ",\n{\"parentIndex\": %" PRIu64, sarif->source_artifact);
    put_number(out, "offset", asset->raw_offset);
    put_number(out, "length", asset->length);
    put_hash(out, asset->sha256);
    put_string(out, ", \"description\": {\"text\": ", asset->format);
    put_string(out, "}, \"properties\": {\"format\": ", asset->format);
    put_string(out, ", \"grade\": ", asset->grade);
    fh_out_fmt(out, ", \"id\": %" PRId64, report->now.asset_id);
    put_number(out, "lba", asset->lba);
    if (asset->iso_path != NULL) {
        put_string(out, ", \"isoPath\": ", asset->iso_path);
        put_number(out, "isoOffset", asset->iso_offset);
    }
    fh_out_str(out, "}}");
}

/* ---- results --------------------------------------------------------------------------------- */

/* rule_index returns the place of a rule in the list, which it may be put at the end of. */
static size_t rule_index(fh_report *report, const fh_rule *rule)
{
    sarif_state *sarif = report->state;
    for (size_t i = 0; i < sarif->num_rules; i++) {
        if (sarif->rules[i] == rule) {
            return i;
        }
    }
    if (sarif->rules == NULL || sarif->num_rules == MOST_RULES) {
        report->no_memory = true;
        return 0;
    }
    sarif->rules[sarif->num_rules] = rule;
    return sarif->num_rules++;
}

/* Bytes of the field, as far as it is known: to the end of its word, or a character of a text. */
static int64_t field_len(const fh_report *report, const fh_finding_record *finding)
{
    const fh_excerpt *excerpt = finding->excerpt;
    if (excerpt != NULL && excerpt->field_len > 0) {
        return (int64_t)excerpt->field_len;
    }
    const int64_t size = report->now.source.size;
    const int64_t word = finding->line > 0 ? 1 : 4 - finding->raw_offset % 4;
    const int64_t left = size == FH_UNKNOWN ? word : size - finding->raw_offset;
    return left < 0 ? 0 : left < word ? left : word;
}

/* Code hosts show nothing that has no line: what is no text has the first one. Without an offset
 * the region is that of the asset. */
static void put_region(fh_out *out, const fh_report *report, const fh_finding_record *finding)
{
    fh_out_fmt(out, ", \"region\": {\"startLine\": %" PRIu32,
               finding->line > 0 ? finding->line : 1);
    if (finding->line > 0) {
        fh_out_fmt(out, ", \"startColumn\": %" PRIu32, finding->column);
    }
    if (finding->raw_offset >= 0) {
        put_number(out, "byteOffset", finding->raw_offset);
        put_number(out, "byteLength", field_len(report, finding));
    } else if (report->now.has_asset && report->now.asset.raw_offset >= 0) {
        put_number(out, "byteOffset", report->now.asset.raw_offset);
        put_number(out, "byteLength", report->now.asset.length);
    }
    fh_out_str(out, "}");
}

static void put_logical(fh_out *out, const fh_report *report)
{
    const fh_asset_record *asset = &report->now.asset;
    if (!report->now.has_asset || fh_report_is_whole_source(report)) {
        return;
    }
    fh_out_str(out, ", \"logicalLocations\": [{\"kind\": \"resource\"");
    put_string(out, ", \"name\": ", asset->format);
    fh_out_fmt(out, ", \"fullyQualifiedName\": \"asset-%" PRId64, report->now.asset_id);
    if (asset->raw_offset >= 0) {
        fh_out_fmt(out, "@0x%08" PRIx64, (uint64_t)asset->raw_offset);
    }
    fh_out_str(out, "\"}]");
}

static void put_location(fh_out *out, const fh_report *report, const fh_finding_record *finding)
{
    const sarif_state *sarif = report->state;
    fh_out_str(out, ", \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
    put_uri(out, report->now.source.path);
    fh_out_fmt(out, ", \"index\": %" PRIu64 "}", sarif->source_artifact);
    put_region(out, report, finding);
    fh_out_str(out, "}");
    put_logical(out, report);
    fh_out_str(out, "}]");
}

/* The second is the one that GitHub looks for; it would otherwise make one of the line, which says
 * nothing of bytes that are no text. */
static void put_fingerprints(fh_report *report, fh_out *out, const fh_finding_record *finding)
{
    sarif_state *sarif = report->state;
    char fingerprint[FH_FINGERPRINT_LEN + 1];
    if (!fh_fingerprint_make(&sarif->fingerprints, fingerprint, &report->now.source,
                             report->now.has_asset ? &report->now.asset : NULL, finding)) {
        report->no_memory = true;
    }
    fh_out_fmt(out,
               ", \"partialFingerprints\": {\"contentAndCode/v1\": \"%s\", "
               "\"primaryLocationLineHash\": \"%s:1\"}",
               fingerprint, fingerprint);
}

static void put_property(fh_out *out, const char *name, const char *value)
{
    if (value != NULL && value[0] != '\0') {
        fh_out_fmt(out, ", \"%s\": ", name);
        fh_escape_json(out, value);
    }
}

static void put_properties(fh_out *out, const fh_report *report, const fh_finding_record *finding)
{
    const sarif_state *sarif = report->state;
    fh_out_fmt(out, ", \"properties\": {\"id\": %" PRId64, report->now.finding_id);
    if (report->now.has_asset) {
        fh_out_fmt(out, ", \"artifactIndex\": %" PRIu64, sarif->asset_artifact);
    }
    put_number(out, "assetOffset", finding->asset_offset);
    put_number(out, "frame", finding->frame);
    put_number(out, "object", finding->object);
    put_property(out, "field", finding->field);
    put_property(out, "found", finding->found);
    put_property(out, "expected", finding->expected);
    fh_out_str(out, "}");
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    sarif_state *sarif = report->state;
    uint64_t *num = &sarif->num_results[finding->severity];
    fh_out *out = &sarif->results[finding->severity];
    if ((*num)++ >= MOST_RESULTS) {
        return;
    }
    put_string(out, *num > 1 ? ",\n{\"ruleId\": " : "\n{\"ruleId\": ", finding->rule->code);
    fh_out_fmt(out, ", \"ruleIndex\": %zu, \"level\": \"%s\"", rule_index(report, finding->rule),
               fh_severity_name(finding->severity));
    put_string(out, ", \"message\": {\"text\": ", finding->message);
    fh_out_str(out, "}");
    put_location(out, report, finding);
    put_fingerprints(report, out, finding);
    put_properties(out, report, finding);
    fh_out_str(out, "}");
}

/* ---- end ------------------------------------------------------------------------------------- */

/* copy_some copies the first lines of a file, a result each, and the empty one in front. */
static void copy_some(fh_report *report, fh_out *aside, uint64_t num)
{
    char *line = NULL;
    size_t size = 0;
    if (aside->error != 0 || fh_out_end(aside) != 0 || fseeko(aside->file, 0, SEEK_SET) != 0) {
        report->out.error = report->out.error != 0 ? report->out.error
                            : aside->error != 0    ? aside->error
                                                   : EIO;
        return;
    }
    bool is_there = true;
    for (uint64_t i = 0; i <= num && is_there; i++) {
        const ssize_t len = getline(&line, &size, aside->file);
        is_there = len > 0;
        report->no_memory = report->no_memory || !is_there;
        /* The last one goes without the comma and the line end behind it. */
        const bool is_last = i == num && len > 2 && line[len - 1] == '\n' && line[len - 2] == ',';
        fh_out_bytes(&report->out, line, is_there ? (size_t)len - (is_last ? 2 : 0) : 0);
    }
    free(line);
}

static void put_results(fh_report *report)
{
    sarif_state *sarif = report->state;
    uint64_t room = MOST_RESULTS;
    fh_out_str(&report->out, "\"results\": [");
    for (size_t below = 0; below <= FH_ERROR; below++) {
        const size_t i = FH_ERROR - below;
        const uint64_t num = sarif->num_results[i];
        const uint64_t told = num < room ? num : room;
        if (told > 0) {
            fh_out_str(&report->out, room < MOST_RESULTS ? "," : "");
            copy_some(report, &sarif->results[i], told);
        }
        room -= told;
    }
    fh_out_str(&report->out, "],\n");
}

static void put_left_out(fh_report *report)
{
    const int64_t num = fh_report_num_findings(report);
    char words[200];
    fh_text text = fh_text_make(words, sizeof words);
    if (num > (int64_t)MOST_RESULTS) {
        fh_text_s64(&text, num - (int64_t)MOST_RESULTS);
        fh_text_str(&text, " results are left out: no more than ");
        fh_text_s64(&text, (int64_t)MOST_RESULTS);
        fh_text_str(&text, " may be in one file. Errors come first, then warnings; other forms "
                           "have all.");
        put_notification(report, "warning", words, false);
    }
}

static void put_rule(fh_out *out, const fh_rule *rule)
{
    put_string(out, "\n{\"id\": ", rule->code);
    put_string(out, ", \"shortDescription\": {\"text\": ", rule->title);
    put_string(out, "}, \"fullDescription\": {\"text\": ", rule->explanation);
    put_string(out, "}, \"help\": {\"text\": ", rule->mend);
    fh_out_str(out, ", \"markdown\": ");
    char markdown[4096];
    fh_text text = fh_text_make(markdown, sizeof markdown);
    fh_text_str(fh_text_str(fh_text_str(&text, "**"), rule->title), "**\n\n");
    fh_text_str(fh_text_str(&text, rule->explanation), "\n\n");
    fh_text_str(fh_text_str(&text, "How to mend it: "), rule->mend == NULL ? "" : rule->mend);
    fh_text_str(fh_text_str(&text, "\n\nSource: "), rule->source == NULL ? "" : rule->source);
    fh_escape_json(out, markdown);
    fh_out_fmt(out, "}, \"defaultConfiguration\": {\"level\": \"%s\"}",
               fh_severity_name(rule->severity));
    fh_out_fmt(out,
               ", \"properties\": {\"precision\": \"very-high\", \"problem.severity\": \"%s\"}}",
               rule->severity == FH_NOTE ? "recommendation" : fh_severity_name(rule->severity));
}

static void put_tool(fh_report *report)
{
    const sarif_state *sarif = report->state;
    fh_out *out = &report->out;
    put_string(out, "\"tool\": {\"driver\": {\"name\": \"framehound\", \"version\": ",
               report->run->tool_version);
    put_string(out, ", \"properties\": {\"rulesetVersion\": ", report->run->ruleset_version);
    fh_out_str(out, "}, \"rules\": [");
    for (size_t i = 0; i < sarif->num_rules; i++) {
        fh_out_str(out, i > 0 ? "," : "");
        put_rule(out, sarif->rules[i]);
    }
    fh_out_str(out, "]}},\n");
}

static void end(fh_report *report)
{
    sarif_state *sarif = report->state;
    const fh_report_now *now = &report->now;
    fh_out *out = &report->out;
    if (now->num_unfinished > 0) {
        put_notification(report, "error", FH_UNFINISHED, false);
    }
    put_left_out(report);
    fh_out_str(out, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", "
                    "\"version\": \"2.1.0\", \"runs\": [{\n");
    put_results(report);
    fh_out_str(out, "\"artifacts\": [");
    fh_report_copy(report, &sarif->artifacts);
    fh_out_str(out, "],\n");
    put_tool(report);
    fh_out_fmt(out, "\"invocations\": [{\"executionSuccessful\": %s",
               now->num_unread == 0 && now->num_unfinished == 0 && report->exit_code < 2 ? "true"
                                                                                         : "false");
    put_number(out, "exitCode", report->exit_code);
    fh_out_str(out, ", \"toolExecutionNotifications\": [");
    fh_report_copy(report, &sarif->notifications);
    fh_out_str(out, "]}]}]}\n");
}

static void forget(fh_report *report)
{
    sarif_state *sarif = report->state;
    for (size_t i = 0; i <= FH_ERROR; i++) {
        fh_report_close_aside(&sarif->results[i]);
    }
    fh_report_close_aside(&sarif->artifacts);
    fh_report_close_aside(&sarif->notifications);
    free(sarif->rules);
}

const fh_report_form fh_sarif_form = {.name = "sarif",
                                      .title = "SARIF 2.1.0",
                                      .state_len = sizeof(sarif_state),
                                      .begin = begin,
                                      .source = source,
                                      .asset = asset,
                                      .finding = finding,
                                      .end = end,
                                      .forget = forget};
