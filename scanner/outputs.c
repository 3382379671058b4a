#include "outputs.h"

#include "nearest.h"
#include "overwrites.h"
#include "registry/registry.h"

#include <errno.h>
#include <framehound/framehound.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* New reports may be read by everybody whom the umask lets. */
#define REPORT_MODE 0666

/* ---- options --------------------------------------------------------------------------------- */

/* list_names writes the names of all forms, and looks for the one that is meant. */
static void list_names(fh_text *names, fh_nearest *near)
{
    const char *lead = "";
    for (const fh_report_form *const *form = fh_report_forms(); *form != NULL; form++) {
        fh_text_str(fh_text_str(names, lead), (*form)->name);
        lead = form[1] != NULL && form[2] == NULL ? " or " : ", ";
        fh_nearest_try(near, (*form)->name);
    }
}

static fh_exit tell_unknown(const fh_outputs *outputs, const char *value)
{
    char buf[256];
    char word[FH_NEAREST_MOST];
    const size_t len = strcspn(value, "=");
    const size_t kept = len < sizeof word ? len : sizeof word - 1;
    memcpy(word, value, kept);
    word[kept] = '\0';
    fh_text names = fh_text_make(buf, sizeof buf);
    fh_nearest near = fh_nearest_begin(word);
    list_names(&names, &near);
    return fh_usage_error(outputs->command,
                          "--format is %s, or one of them and =FILE, not '%s'%s%s%s", names.buf,
                          fh_safe_path(value), near.name != NULL ? "; did you mean '" : "",
                          near.name != NULL ? near.name : "", near.name != NULL ? "'?" : "");
}

/* form_of finds the form that the first len characters name. */
static const fh_report_form *form_of(const char *value, size_t len)
{
    char name[32];
    if (len >= sizeof name) {
        return NULL;
    }
    memcpy(name, value, len);
    name[len] = '\0';
    return fh_report_form_named(name);
}

static bool goes_to(const fh_output *output, const char *path)
{
    return path == NULL || output->path == NULL ? path == output->path
                                                : strcmp(path, output->path) == 0;
}

/* A report may not replace what looks like an animation: it may be the one that is checked. */
static fh_exit refuse_animation(const fh_outputs *outputs, const char *option, const char *value)
{
    return fh_usage_error(outputs->command,
                          "%s %s: that is the name of an animation, which a report does not "
                          "replace; give it another one",
                          option, fh_safe_path(value));
}

fh_exit fh_outputs_want(fh_outputs *outputs, const char *value)
{
    const size_t len = strcspn(value, "=");
    const char *path = value[len] == '=' && strcmp(value + len, "=-") != 0 ? value + len + 1 : NULL;
    const fh_report_form *form = form_of(value, len);
    if (form == NULL) {
        return tell_unknown(outputs, value);
    }
    if (path != NULL && path[0] == '\0') {
        return fh_usage_error(outputs->command, "--format %s names no file", fh_safe_path(value));
    }
    if (path != NULL && fh_format_by_path(path) != NULL) {
        return refuse_animation(outputs, "--format", value);
    }
    for (size_t i = 0; i < outputs->num; i++) {
        if (goes_to(&outputs->each[i], path)) {
            return fh_usage_error(outputs->command,
                                  "two reports (%s, %s) would go to %s; give one of them a file "
                                  "of its own, as in --format %s=FILE",
                                  outputs->each[i].form->name, form->name,
                                  path == NULL ? "standard output" : fh_safe_path(path),
                                  form->name);
        }
    }
    if (outputs->num == FH_MAX_OUTPUTS) {
        return fh_usage_error(outputs->command, "no more than %u reports can be written at once",
                              FH_MAX_OUTPUTS);
    }
    outputs->each[outputs->num++] = (fh_output){.form = form, .path = path};
    return FH_EXIT_OK;
}

fh_exit fh_outputs_redirect(fh_outputs *outputs, const char *path)
{
    if (fh_format_by_path(path) != NULL) {
        return refuse_animation(outputs, "--output", path);
    }
    if (outputs->num == 0) {
        outputs->each[outputs->num++] = (fh_output){.form = fh_report_form_named("text")};
    }
    fh_output *output = &outputs->each[0];
    if (outputs->num > 1 || output->path != NULL) {
        return fh_usage_error(outputs->command,
                              "--output goes with a single --format that names no file");
    }
    output->path = strcmp(path, "-") == 0 ? NULL : path;
    return FH_EXIT_OK;
}

/* ---- begin ----------------------------------------------------------------------------------- */

static fh_exit tell_unwritable(const fh_output *output, int error)
{
    fh_complain("cannot write %s: %s; check the folder, its permissions and the room on the disk",
                fh_safe_path(output->path), strerror(error));
    return fh_io_exit();
}

/* open_file opens where the report goes; NULL, and *error, on failure. */
static FILE *open_file(fh_output *output, int *error)
{
    *error = 0;
    if (output->path == NULL) {
        return stdout;
    }
    *error = fh_new_file_begin_any(&output->file, output->path, REPORT_MODE);
    return *error == 0 ? output->file.file : NULL;
}

static fh_exit begin_one(fh_output *output, const fh_report_run *run)
{
    int error = 0;
    FILE *file = open_file(output, &error);
    if (file == NULL) {
        return tell_unwritable(output, error);
    }
    const bool colour = file == stdout && isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    output->is_open = fh_report_begin(&output->report, output->form, run, file, colour);
    if (!output->is_open) {
        fh_complain("out of memory");
        return FH_EXIT_LIMIT;
    }
    return FH_EXIT_OK;
}

void fh_outputs_fail_on(fh_outputs *outputs, const fh_fail_on *fail_on)
{
    outputs->run.fails_from = fail_on->never ? FH_ERROR : fail_on->severity;
}

fh_exit fh_outputs_begin(fh_outputs *outputs, const fh_fail_on *fail_on)
{
    outputs->run = (fh_report_run){.command = outputs->command,
                                   .tool_version = framehound_version(),
                                   .ruleset_version = fh_ruleset_version(),
                                   .tables = outputs->tables,
                                   .num_tables = fh_rule_tables(outputs->tables),
                                   .explains = outputs->run.explains,
                                   .left_out = outputs->run.left_out};
    fh_outputs_fail_on(outputs, fail_on);
    if (outputs->num == 0) {
        outputs->each[outputs->num++] = (fh_output){.form = fh_report_form_named("text")};
    }
    for (size_t i = 0; i < outputs->num; i++) {
        const fh_exit exit = begin_one(&outputs->each[i], &outputs->run);
        if (exit != FH_EXIT_OK) {
            fh_outputs_drop(outputs);
            return exit;
        }
    }
    return FH_EXIT_OK;
}

bool fh_outputs_writes(const fh_outputs *outputs, const char *path)
{
    struct stat there;
    struct stat own;
    bool writes = false;
    const bool is_there = stat(path, &there) == 0;
    for (size_t i = 0; is_there && i < outputs->num && !writes; i++) {
        const fh_output *output = &outputs->each[i];
        writes = output->file.temporary[0] != '\0' &&
                 ((fstat(fileno(output->file.file), &own) == 0 && fh_same_inode(&own, &there)) ||
                  (stat(output->path, &own) == 0 && fh_same_inode(&own, &there)));
    }
    return writes;
}

/* ---- telling --------------------------------------------------------------------------------- */

void fh_outputs_scan(fh_outputs *outputs, const fh_scan_run_record *scan)
{
    for (size_t i = 0; i < outputs->num; i++) {
        fh_report_scan(&outputs->each[i].report, scan);
    }
}

void fh_outputs_source(fh_outputs *outputs, const fh_source_record *source)
{
    for (size_t i = 0; i < outputs->num; i++) {
        fh_report_source(&outputs->each[i].report, source);
    }
}

void fh_outputs_coverage(fh_outputs *outputs, const fh_coverage_record *coverage)
{
    for (size_t i = 0; i < outputs->num; i++) {
        fh_report_coverage(&outputs->each[i].report, coverage);
    }
}

void fh_outputs_asset(fh_outputs *outputs, const fh_asset_record *asset)
{
    for (size_t i = 0; i < outputs->num; i++) {
        fh_report_asset(&outputs->each[i].report, asset);
    }
}

void fh_outputs_finding(fh_outputs *outputs, const fh_finding_record *finding)
{
    for (size_t i = 0; i < outputs->num; i++) {
        fh_report_finding(&outputs->each[i].report, finding);
    }
}

void fh_outputs_detail(fh_outputs *outputs, const fh_detail *detail)
{
    for (size_t i = 0; i < outputs->num; i++) {
        fh_report_detail(&outputs->each[i].report, detail);
    }
}

bool fh_outputs_shows_detail(const fh_outputs *outputs)
{
    bool shows = false;
    for (size_t i = 0; i < outputs->num; i++) {
        shows = shows || outputs->each[i].form->detail != NULL;
    }
    return shows;
}

bool fh_outputs_wants_detail(const fh_outputs *outputs)
{
    bool wants = false;
    for (size_t i = 0; i < outputs->num; i++) {
        wants = wants || fh_report_wants_detail(&outputs->each[i].report);
    }
    return wants;
}

bool fh_outputs_failed(const fh_outputs *outputs)
{
    bool failed = true;
    for (size_t i = 0; i < outputs->num; i++) {
        failed = failed && outputs->each[i].report.out.error != 0;
    }
    return failed;
}

/* ---- end ------------------------------------------------------------------------------------- */

static fh_exit end_one(fh_output *output, fh_exit exit)
{
    output->report.exit_code = (int)exit;
    int error = fh_report_end(&output->report);
    output->is_open = false;
    if (error == ENOMEM) {
        fh_complain("out of memory; the report (%s) is not whole", output->form->name);
    }
    if (output->path == NULL) {
        return fh_worst(error == ENOMEM ? FH_EXIT_LIMIT : FH_EXIT_OK,
                        fh_flush_stdout(error == ENOMEM ? 0 : error));
    }
    if (output->file.file != NULL && error == 0) {
        error = fh_new_file_commit(&output->file);
    }
    fh_new_file_drop(&output->file);
    return error == 0        ? FH_EXIT_OK
           : error == ENOMEM ? FH_EXIT_LIMIT
                             : tell_unwritable(output, error);
}

fh_exit fh_outputs_end(fh_outputs *outputs, fh_exit exit)
{
    fh_exit worst = exit;
    for (size_t i = 0; i < outputs->num; i++) {
        worst = fh_worst(worst, end_one(&outputs->each[i], exit));
    }
    return worst;
}

fh_exit fh_outputs_break(fh_outputs *outputs, fh_exit exit)
{
    fh_exit worst = exit;
    for (size_t i = 0; i < outputs->num; i++) {
        fh_output *output = &outputs->each[i];
        if (output->path == NULL) {
            worst = fh_worst(worst, end_one(output, exit));
        } else {
            fh_complain("%s is not written: the report would not be whole",
                        fh_safe_path(output->path));
        }
    }
    fh_outputs_drop(outputs);
    return worst;
}

void fh_outputs_drop(fh_outputs *outputs)
{
    for (size_t i = 0; i < outputs->num; i++) {
        fh_output *output = &outputs->each[i];
        if (output->is_open) {
            fh_report_abandon(&output->report);
            output->is_open = false;
        }
        fh_new_file_drop(&output->file);
    }
}
