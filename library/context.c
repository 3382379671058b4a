#include "context.h"

#include "registry/registry.h"

#include <stdlib.h>
#include <string.h>

/* What the structs of version 0.1.0 end with. */
#define LEAST_OPTIONS (offsetof(framehound_options, layout) + sizeof(const char *))
#define LEAST_SINK (offsetof(framehound_sink, companion) + sizeof(void (*)(void)))

/* No struct will ever be so large: a size beyond it was never set. */
enum { MOST_STRUCT = 4096 };

static const uint32_t known_flags = FRAMEHOUND_NO_REPLAY | FRAMEHOUND_WORLD |
                                    FRAMEHOUND_CHANGES_ONLY | FRAMEHOUND_EVERY_OFFSET |
                                    FRAMEHOUND_AS_IT_LIES | FRAMEHOUND_CHECK_SECTORS;

bool fh_take_struct(void *to, size_t size, size_t least, const void *from)
{
    const uint8_t *bytes = from;
    size_t given = 0;
    memcpy(&given, from, sizeof given);
    if (given < least || given > MOST_STRUCT) {
        return false;
    }
    for (size_t i = size; i < given; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    memset(to, 0, size);
    memcpy(to, from, given < size ? given : size);
    return true;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool add_format(framehound *hound, const char *name, size_t len)
{
    for (size_t i = 0; i < fh_num_formats; i++) {
        const char *known = fh_formats[i]->name;
        if (strlen(known) == len && strncmp(known, name, len) == 0) {
            for (size_t k = 0; k < hound->num_formats; k++) {
                if (hound->formats[k] == fh_formats[i]) {
                    return true;
                }
            }
            hound->formats[hound->num_formats++] = fh_formats[i];
            return true;
        }
    }
    return false;
}

static bool take_formats(framehound *hound, const char *names)
{
    if (names == NULL) {
        for (size_t i = 0; i < fh_num_formats; i++) {
            hound->formats[hound->num_formats++] = fh_formats[i];
        }
        return true;
    }
    for (;;) {
        const size_t len = strcspn(names, ",");
        if (!add_format(hound, names, len)) {
            return false;
        }
        if (names[len] == '\0') {
            return true;
        }
        names += len + 1;
    }
}

static bool take_profile(framehound *hound, const char *name)
{
    if (name == NULL) {
        return true;
    }
    for (size_t i = 0; i < fh_num_formats; i++) {
        for (const char *const *known = fh_formats[i]->profiles; *known != NULL; known++) {
            if (strcmp(*known, name) == 0) {
                fh_text text = fh_text_make(hound->profile, sizeof hound->profile);
                fh_text_str(&text, name);
                return !text.cut;
            }
        }
    }
    return false;
}

static bool take_options(framehound *hound, const framehound_options *options)
{
    framehound_options own = {.size = sizeof own};
    if (options != NULL && !fh_take_struct(&own, sizeof own, LEAST_OPTIONS, options)) {
        return false;
    }
    hound->flags = own.flags;
    hound->min_evidence = own.min_evidence == 0 ? FH_MIN_EVIDENCE : own.min_evidence;
    hound->layout = FH_LAYOUT_AUTO;
    return (own.flags & ~known_flags) == 0 && take_formats(hound, own.formats) &&
           take_profile(hound, own.profile) &&
           (own.layout == NULL || fh_layout_parse(&hound->layout, own.layout));
}

framehound_status framehound_new(framehound **out, const framehound_options *options)
{
    if (out == NULL) {
        return FRAMEHOUND_MISUSE;
    }
    *out = NULL;
    framehound *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return FRAMEHOUND_NO_MEMORY;
    }
    if (!take_options(made, options)) {
        free(made);
        return FRAMEHOUND_MISUSE;
    }
    *out = made;
    return FRAMEHOUND_OK;
}

void framehound_free(framehound *hound)
{
    if (hound != NULL) {
        fh_exam_free(&hound->exam);
        fh_exam_free(&hound->player);
        fh_file_free(&hound->file);
        free(hound->columns);
        free(hound->values);
        free(hound);
    }
}

const char *framehound_error(const framehound *hound)
{
    return hound == NULL ? "there is no context" : hound->error;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* From the best to the worst. */
static int rank_of(framehound_status status)
{
    static const int ranks[] = {
        [FRAMEHOUND_OK] = 0,         [FRAMEHOUND_NO_ASSET] = 1, [FRAMEHOUND_PARTIAL] = 2,
        [FRAMEHOUND_UNREADABLE] = 3, [FRAMEHOUND_LIMIT] = 4,    [FRAMEHOUND_STOPPED] = 5,
        [FRAMEHOUND_MISUSE] = 6,     [FRAMEHOUND_NO_MEMORY] = 7};
    return ranks[status];
}

void fh_hound_note(framehound *hound, framehound_status status, const char *why)
{
    if (rank_of(status) > rank_of(hound->status)) {
        hound->status = status;
        fh_text text = fh_text_make(hound->error, sizeof hound->error);
        fh_text_str(&text, why[0] != '\0' ? why : framehound_status_name(status));
    }
}

framehound_status fh_hound_refuse(framehound *hound, const char *why)
{
    if (hound != NULL && !hound->is_busy) {
        fh_text text = fh_text_make(hound->error, sizeof hound->error);
        fh_text_str(&text, why);
    }
    return FRAMEHOUND_MISUSE;
}

framehound_status fh_hound_begin(framehound *hound, const framehound_sink *sink)
{
    framehound_sink own;
    if (hound == NULL || hound->is_busy) {
        return FRAMEHOUND_MISUSE;
    }
    if (sink == NULL || !fh_take_struct(&own, sizeof own, LEAST_SINK, sink)) {
        return fh_hound_refuse(hound, "the sink is NULL, or its size is not that of the struct");
    }
    hound->is_busy = true;
    hound->sink = own;
    hound->status = FRAMEHOUND_OK;
    hound->error[0] = '\0';
    hound->source = NULL;
    hound->seen = NULL;
    hound->num_assets = 0;
    hound->has_ram_base = false;
    return FRAMEHOUND_OK;
}

framehound_status fh_hound_end(framehound *hound)
{
    hound->is_busy = false;
    return hound->status;
}

bool fh_hound_is_over(const framehound *hound)
{
    return rank_of(hound->status) >= rank_of(FRAMEHOUND_STOPPED);
}

bool fh_hound_stop(void *user)
{
    framehound *hound = user;
    if (!fh_hound_is_over(hound) && hound->sink.stop != NULL &&
        hound->sink.stop(hound->sink.user) != 0) {
        fh_hound_note(hound, FRAMEHOUND_STOPPED, "ended by the stop callback");
    }
    return fh_hound_is_over(hound);
}
