#include "fix.h"

#include "folder.h"
#include "hunt/whole.h"
#include "reports/fix_text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- telling ---- */

/* "2 TOD0081, 1 TOD0023": the edits of each rule. */
static void put_mended(fh_text *out, const fh_repair *repair)
{
    const char *lead = "";
    for (size_t i = 0; i < repair->num_mended; i++) {
        const fh_mended *mended = &repair->mended[i];
        if (mended->num_edits > 0) {
            fh_text_u64(fh_text_str(out, lead), mended->num_edits);
            fh_text_str(fh_text_str(out, " "), mended->rule->code);
            lead = ", ";
        }
    }
}

static void tell_refusals(const fh_repair *repair, const char *path)
{
    for (size_t i = 0; i < repair->num_mended; i++) {
        const fh_mended *mended = &repair->mended[i];
        if (mended->refusal > FH_REFUSED_UNTOLD) {
            fh_complain("%s: %s is not mended: %s%s%s%s", fh_safe_path(path), mended->rule->code,
                        fh_refusal_text(mended->refusal), mended->other == NULL ? "" : " (",
                        mended->other == NULL ? "" : mended->other->code,
                        mended->other == NULL ? "" : ")");
        }
    }
}

static void tell_mended(const fh_fix *fix, const char *path)
{
    char line[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(line, sizeof line);
    put_mended(&text, &fix->repair);
    fh_complain("%s: %s %s", fh_safe_path(path), fix->shows ? "would mend" : "mended", line);
    if (fix->repair.has_moved) {
        fh_complain("%s: the motion is another one than before, as the damage had changed it",
                    fh_safe_path(path));
    } else if (fix->repair.plays_now) {
        fh_complain("%s: it can be replayed now; before it could not", fh_safe_path(path));
    }
}

/* ---- showing ---- */

static bool show_bytes(fh_out *out, const fh_repair *repair, const fh_fix_view *view)
{
    fh_fix_change *changes = calloc(repair->num_changes, sizeof *changes);
    for (size_t i = 0; i < repair->num_changes && changes != NULL; i++) {
        const fh_change *change = &repair->changes[i];
        changes[i] = (fh_fix_change){change->off, change->len, change->rule->code, change->field};
    }
    if (changes != NULL) {
        fh_fix_bytes(out, view, changes, repair->num_changes);
    }
    free(changes);
    return changes != NULL;
}

static void show(fh_fix *fix, const fh_file *file, const char *path, const fh_format *format)
{
    const fh_repair *repair = &fix->repair;
    const fh_fix_view view = {.path = path,
                              .before = file->bytes,
                              .before_len = file->len,
                              .after = repair->bytes,
                              .after_len = repair->len,
                              .is_terminal = isatty(STDOUT_FILENO) == 1};
    fh_out out = fh_out_make(stdout);
    int error = EILSEQ;
    if (format->is_text) {
        error = fh_fix_lines(&out, &view);
    } else if (repair->is_same_len) {
        error = show_bytes(&out, repair, &view) ? 0 : ENOMEM;
    }
    if (error == EILSEQ) {
        fh_fix_lengths(&out, &view);
        error = 0;
    }
    const int ended = fh_out_end(&out);
    error = error == 0 ? ended : error;
    fix->error = fix->error == 0 ? error : fix->error;
}

/* ---- writing ---- */

static const char *why_not(fh_old_status status)
{
    static const char *const texts[] = {
        [FH_OLD_DIFFERS] = "it has changed since it was read; try again",
        [FH_OLD_LINK] = "it is a symbolic link; name the file that it leads to",
        [FH_OLD_LINKED] = "it has other names (hard links) that would keep the old bytes; copy it",
        [FH_OLD_OTHER] = "it is no regular file",
    };
    return texts[status];
}

static fh_exit write_new(const fh_fix *fix, const fh_file *file, const fh_folder *folder,
                         const char *path, const char *name)
{
    struct stat was;
    const fh_old_status status = fh_folder_look(folder, &was, name, file->bytes, file->len);
    if (status != FH_OLD_SAME) {
        fh_complain("%s is not mended: %s", fh_safe_path(path), why_not(status));
        return FH_EXIT_IO;
    }
    if (!fh_folder_replace(folder, name, &was, fix->repair.bytes, fix->repair.len)) {
        fh_complain("%s is not mended: %s", fh_safe_path(path),
                    errno == ESTALE ? why_not(FH_OLD_DIFFERS) : strerror(errno));
        return FH_EXIT_IO;
    }
    return FH_EXIT_OK;
}

static fh_exit write_file(const fh_fix *fix, const fh_file *file, const char *path)
{
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    fh_text text = fh_text_make(parent, sizeof parent);
    fh_text_str(&text, slash == NULL ? "." : path);
    if (slash != NULL && !text.cut) {
        parent[slash == path ? 1 : slash - path] = '\0';
    }
    fh_folder folder = {.fd = -1};
    if (name[0] == '\0' || text.cut || !fh_folder_open(&folder, parent, true) || folder.fd < 0) {
        fh_complain("%s is not mended: its directory cannot be opened", fh_safe_path(path));
        return FH_EXIT_IO;
    }
    const fh_exit exit = write_new(fix, file, &folder, path, name);
    fh_folder_close(&folder);
    return exit;
}

/* ---- one file ---- */

static fh_exit out_of_memory(const char *path)
{
    fh_complain("%s: out of memory", fh_safe_path(path));
    return FH_EXIT_LIMIT;
}

static fh_exit write_and_tell(fh_fix *fix, const char *path)
{
    const fh_exit exit = write_file(fix, &fix->file, path);
    if (exit == FH_EXIT_OK) {
        fix->num_mended++;
        tell_mended(fix, path);
    }
    return exit;
}

static fh_exit mend(fh_fix *fix, const char *path, const fh_format *format,
                    const fh_exam_options *options)
{
    fh_exit exit = FH_EXIT_OK;
    const fh_repair_status status =
        fh_repair_run(&fix->repair, format, fh_file_cursor(&fix->file), options);
    if (status == FH_REPAIR_NO_MEMORY) {
        return out_of_memory(path);
    }
    if (status == FH_REPAIR_LIMIT) {
        fh_complain("%s: there is too much to mend; what is found next time may be more",
                    fh_safe_path(path));
        exit = FH_EXIT_LIMIT;
    }
    tell_refusals(&fix->repair, path);
    if (!fix->repair.is_changed) {
        return exit;
    }
    if (!fix->shows) {
        return fh_worst(exit, write_and_tell(fix, path));
    }
    fix->num_mended++;
    tell_mended(fix, path);
    show(fix, &fix->file, path, format);
    return fh_worst(exit, FH_EXIT_FINDINGS);
}

static fh_exit tell_unread(const fh_fix *fix, const char *path, fh_load_status status)
{
    if (status == FH_LOAD_TOO_LONG) {
        return FH_EXIT_OK;
    }
    if (status == FH_LOAD_ERROR) {
        fh_complain("cannot read %s to mend it: %s", fh_safe_path(path), fix->file.error);
        return FH_EXIT_IO;
    }
    fh_complain("%s: %s", fh_safe_path(path),
                status == FH_LOAD_STOPPED ? "interrupted" : "out of memory");
    return FH_EXIT_LIMIT;
}

/* What lies beside is told by whoever judges the file; where nobody does, here. */
static fh_exit look_beside(const fh_fix *fix, fh_judge *judge, const fh_cursor **out,
                           const fh_format *format, const char *path)
{
    char buf[FH_BESIDE_TOLD_LEN];
    fh_text told = fh_text_make(buf, sizeof buf);
    return fix->shows ? fh_beside_look(&judge->beside, out, format, path)
                      : fh_beside_find(&judge->beside, out, &told, format, path);
}

fh_exit fh_fix_path(fh_fix *fix, fh_judge *judge, const char *path)
{
    static const fh_format_choice all = {NULL, 0};
    const fh_load_status status = fh_file_load(&fix->file, path, &fh_interrupt);
    if (status != FH_LOAD_OK) {
        return tell_unread(fix, path, status);
    }
    const fh_whole whole = fh_whole_look(&fix->exam, path, fh_file_cursor(&fix->file), false, &all);
    if (whole.kind == FH_WHOLE_NO_MEMORY) {
        return tell_unread(fix, path, FH_LOAD_NO_MEMORY);
    }
    if (whole.kind != FH_WHOLE_ASSET) {
        return FH_EXIT_OK;
    }
    fh_exam_options options = judge->options;
    const fh_exit exit = look_beside(fix, judge, &options.companion, whole.format, path);
    return fh_worst(exit, mend(fix, path, whole.format, &options));
}

fh_exit fh_fix_end(fh_fix *fix)
{
    if (fix->is_wanted || fix->shows) {
        fh_complain("%zu file%s %s", fix->num_mended, fix->num_mended == 1 ? "" : "s",
                    fix->shows ? "would be mended" : "mended");
    }
    fh_repair_free(&fix->repair);
    fh_exam_free(&fix->exam);
    fh_file_free(&fix->file);
    return fix->shows ? fh_flush_stdout(fix->error) : FH_EXIT_OK;
}
