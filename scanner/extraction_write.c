/* The files of an asset that is extracted, and what became of it. */
#include "extraction.h"

#include "hunt/asset_name.h"
#include "reports/escape.h"
#include "reports/sidecar.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what became of it ---- */

void fh_extraction_fail(fh_extraction *run, fh_exit exit)
{
    run->num_failed++;
    run->exit = fh_worst(run->exit, exit);
}

void fh_extraction_store_failed(fh_extraction *run)
{
    run->exit = fh_worst(run->exit, fh_store_failed(run->store));
    run->is_over = true;
}

void fh_extraction_lose(fh_extraction *run, const char *path, int64_t id, fh_exit exit,
                        const char *why)
{
    fh_complain("%s: asset %" PRId64 " was not extracted: %s", fh_safe_path(path), id, why);
    fh_extraction_fail(run, exit);
}

static void tell_done(fh_extraction *run, const fh_stored_asset *asset, const char *name,
                      bool is_there)
{
    run->num_there += is_there ? 1 : 0;
    run->num_written += is_there ? 0 : 1;
    fh_out_fmt(&run->out, "%s  %s  %" PRId64 " bytes  asset %" PRId64 "  ",
               is_there      ? "there already"
               : run->is_dry ? "would write"
                             : "written",
               name, asset->length, asset->id);
    fh_escape_text(&run->out, asset->path);
    fh_out_fmt(&run->out, "@0x%08" PRIx64 "\n", (uint64_t)asset->raw_offset);
    run->is_over = run->is_over || run->out.error != 0;
}

/* ---- its files ---- */

typedef struct sidecar {
    fh_out out;
    bool has_findings;
    bool is_too_long;
} sidecar;

static bool on_finding(void *user, const fh_stored_finding *finding)
{
    sidecar *beside = user;
    fh_sidecar_finding(&beside->out, finding, !beside->has_findings);
    beside->has_findings = true;
    beside->is_too_long = ftell(beside->out.file) > (long)FH_SIDECAR_MAX_LEN;
    return !beside->is_too_long;
}

/* The text, owned by the caller; NULL: it was told why there is none. */
static char *make_sidecar(fh_extraction *run, const fh_stored_asset *asset, size_t *len)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, len);
    if (file == NULL) {
        fh_extraction_lose(run, asset->path, asset->id, FH_EXIT_LIMIT, "out of memory");
        return NULL;
    }
    sidecar beside = {.out = fh_out_make(file)};
    fh_sidecar_begin(&beside.out, asset);
    const fh_store_status status =
        fh_store_each_finding(run->store, asset->id, &beside, on_finding);
    fh_sidecar_end(&beside.out, beside.has_findings);
    const int error = fh_out_end(&beside.out);
    const bool good = fclose(file) == 0 && error == 0 && text != NULL;
    if (status == FH_STORE_OK && good && !beside.is_too_long) {
        return text;
    }
    if (status != FH_STORE_OK) {
        fh_extraction_store_failed(run);
        fh_extraction_fail(run, FH_EXIT_IO);
    } else {
        fh_extraction_lose(run, asset->path, asset->id, FH_EXIT_LIMIT,
                           good ? "it has more findings than are written" : "out of memory");
    }
    free(text);
    return NULL;
}

/* false: it was told why not. */
static bool put_file(fh_extraction *run, const fh_stored_asset *asset, const char *name,
                     const void *bytes, size_t len, bool *is_there)
{
    char why[512];
    fh_text text = fh_text_make(why, sizeof why);
    errno = 0;
    const fh_put_status status = fh_folder_put(&run->folder, name, bytes, len);
    if (status == FH_PUT_OK || status == FH_PUT_THERE) {
        *is_there = *is_there && status == FH_PUT_THERE;
        return true;
    }
    const char *error = strerror(errno);
    fh_text_str(fh_text_str(&text, name), status == FH_PUT_DIFFERS
                                              ? " is there already and differs; it was left as "
                                                "it is, move it away or choose another directory"
                                              : " cannot be written: ");
    if (status != FH_PUT_DIFFERS) {
        fh_text_str(fh_text_str(&text, error), "; make room or choose another directory");
    }
    fh_extraction_lose(run, asset->path, asset->id, FH_EXIT_IO, why);
    return false;
}

void fh_extraction_write(fh_extraction *run, const fh_stored_asset *asset, const uint8_t *bytes)
{
    char name[FH_ASSET_NAME_SIZE];
    char beside[FH_ASSET_NAME_SIZE + FH_ASSET_NAME_SUFFIX];
    const fh_asset_place place = {asset->path,     asset->format,     asset->raw_offset,
                                  asset->iso_path, asset->iso_offset, asset->sha256};
    size_t sidecar_len = 0;
    bool is_there = true;
    if (!fh_asset_name(name, &place)) {
        fh_extraction_lose(run, asset->path, asset->id, FH_EXIT_LIMIT, "out of memory");
        return;
    }
    char *text = make_sidecar(run, asset, &sidecar_len);
    fh_text full = fh_text_make(beside, sizeof beside);
    fh_text_str(fh_text_str(&full, name), ".json");
    if (text != NULL && put_file(run, asset, name, bytes, (size_t)asset->length, &is_there)) {
        const bool was_there = is_there;
        if (put_file(run, asset, beside, text, sidecar_len, &is_there)) {
            tell_done(run, asset, name, is_there);
        } else if (!was_there) {
            fh_folder_take_back(&run->folder, name);
        }
    }
    free(text);
}
