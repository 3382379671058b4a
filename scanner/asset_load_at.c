#include "aim.h"
#include "asset_load.h"

#include "hunt/why.h"
#include "registry/registry.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool fh_asset_is_at(const char *argument)
{
    char db[PATH_MAX];
    const bool is_stored = fh_asset_split(argument, db, sizeof db) != NULL && access(db, F_OK) == 0;
    return !is_stored && access(argument, F_OK) != 0 && fh_aim_is_one(argument);
}

static fh_exit allow_source(fh_sandbox *box, const char *command, const char *argument)
{
    fh_aim aim = {.layout = FH_LAYOUT_AUTO};
    const fh_exit exit = fh_aim_split(&aim, command, argument);
    if (exit == FH_EXIT_OK) {
        fh_sandbox_reads_source(box, aim.path);
    }
    fh_aim_free(&aim);
    return exit;
}

fh_exit fh_asset_allow(fh_sandbox *box, const char *command, const char *argument)
{
    char db[PATH_MAX];
    if (fh_asset_is_at(argument)) {
        return allow_source(box, command, argument);
    }
    if (fh_asset_split(argument, db, sizeof db) == NULL) {
        fh_sandbox_reads_around(box, argument);
    } else {
        fh_sandbox_reads_all(box);
        fh_sandbox_writes_beside(box, db);
    }
    return FH_EXIT_OK;
}

static fh_exit fail_by_memory(const fh_aim *aim)
{
    fh_complain("%s: out of memory", fh_safe_path(aim->path));
    return FH_EXIT_LIMIT;
}

/* Asks one format, or all, until one accepts. out->format NULL: none did. */
static fh_exit ask(fh_why *out, const fh_aim *aim, const fh_format *as)
{
    fh_exam exam = {0};
    fh_exit exit = FH_EXIT_OK;
    bool is_found = false;
    for (size_t i = 0; i < fh_num_formats && !is_found && exit == FH_EXIT_OK; i++) {
        if (as != NULL && as != fh_formats[i]) {
            continue;
        }
        if (!fh_why_ask(out, &exam, &aim->gather, fh_formats[i])) {
            exit = fail_by_memory(aim);
        }
        is_found = out->probe.verdict == FH_ACCEPT || as != NULL;
    }
    fh_exam_free(&exam);
    out->format = is_found ? out->format : NULL;
    return exit;
}

/* The asset may begin in front of the place, where its first word is not its first byte. */
static void tell_start(fh_asset_load *out, fh_aim *aim, const fh_why *why)
{
    fh_spot spot;
    fh_aim_spot(aim, &spot, why->start);
    out->raw_offset = spot.raw_off;
    out->lba = spot.lba;
    if (why->start < aim->gather.pos) {
        fh_complain("the asset whose first word is at %s begins at raw:%" PRId64
                    ", and is taken from there",
                    fh_safe_path(aim->address), spot.raw_off);
    }
}

static fh_exit take(fh_asset_load *out, fh_aim *aim, const fh_why *why)
{
    const size_t len =
        why->probe.verdict == FH_ACCEPT ? why->probe.length : fh_cursor_left(&why->bytes);
    out->format = why->format;
    out->file.bytes = malloc(len > 0 ? len : 1);
    out->file.len = out->file.max_len = len;
    if (out->file.bytes == NULL) {
        return fail_by_memory(aim);
    }
    memcpy(out->file.bytes, why->bytes.base + why->bytes.pos, len);
    tell_start(out, aim, why);
    return FH_EXIT_OK;
}

static fh_exit load(fh_asset_load *out, fh_aim *aim, const char *argument, const fh_format *as)
{
    fh_why why = {.format = NULL};
    fh_exit exit = fh_aim_gather(aim);
    exit = exit == FH_EXIT_OK ? ask(&why, aim, as) : exit;
    if (exit == FH_EXIT_OK && why.format == NULL) {
        fh_complain("no animation of a known format begins at %s; framehound why says why, and "
                    "framehound inspect --as shows the bytes all the same",
                    fh_safe_path(argument));
        exit = FH_EXIT_FINDINGS;
    }
    return exit == FH_EXIT_OK ? take(out, aim, &why) : exit;
}

fh_exit fh_asset_load_at(fh_asset_load *out, const char *command, const char *argument,
                         const fh_format *as, fh_layout_choice layout)
{
    fh_aim aim = {.layout = layout};
    *out = (fh_asset_load){.is_whole = false};
    fh_exit exit = fh_aim_split(&aim, command, argument);
    exit = exit == FH_EXIT_OK ? load(out, &aim, argument, as) : exit;
    out->path = exit == FH_EXIT_OK ? strdup(argument) : NULL;
    if (exit == FH_EXIT_OK && out->path == NULL) {
        exit = fail_by_memory(&aim);
    }
    fh_aim_free(&aim);
    return exit;
}
