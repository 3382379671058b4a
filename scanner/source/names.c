#include "source/names.h"

#include "source/limits.h"
#include "source/opener.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS ((size_t)64)

/* A name may grow by two bytes for each mark in it and by the number of its member. */
#define NAME_ROOM (3 * FH_BOX_MAX_NAME + 64)

void fh_names_free(fh_names *names)
{
    free(names->slots);
    *names = (fh_names){0};
}

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *name != '\0'; name++) {
        hash = (hash ^ (uint8_t)*name) * 1099511628211u;
    }
    return hash != 0 ? hash : 1;
}

/* Where a hash is, or would be. */
static size_t slot_of(const fh_names *names, uint64_t hash)
{
    size_t at = (size_t)hash & (names->num_slots - 1);
    while (names->slots[at] != 0 && names->slots[at] != hash) {
        at = (at + 1) & (names->num_slots - 1);
    }
    return at;
}

static bool grow(fh_names *names)
{
    if (names->num_slots > 2 * names->num) {
        return true;
    }
    fh_names grown = {.num_slots = names->num_slots == 0 ? FIRST_SLOTS : 2 * names->num_slots,
                      .num = names->num};
    grown.slots = calloc(grown.num_slots, sizeof grown.slots[0]);
    if (grown.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < names->num_slots; i++) {
        if (names->slots[i] != 0) {
            grown.slots[slot_of(&grown, names->slots[i])] = names->slots[i];
        }
    }
    free(names->slots);
    *names = grown;
    return true;
}

/* false: it is there already. */
static bool put(fh_names *names, const char *name)
{
    const uint64_t hash = hash_of(name);
    const size_t at = slot_of(names, hash);
    const bool is_new = names->slots[at] == 0;
    names->slots[at] = hash;
    names->num += is_new ? 1 : 0;
    return is_new;
}

static void add_number(fh_text *text, int64_t index)
{
    fh_text_s64(fh_text_str(text, "#"), index);
}

/* The name with its marks made harmless, so that no path can be read in two ways. */
static void clean(fh_text *text, const char *name, int64_t index)
{
    size_t len = name != NULL ? strnlen(name, FH_BOX_MAX_NAME + 1) : 0;
    const bool is_cut = len > FH_BOX_MAX_NAME;
    for (size_t i = 0; i < len - (is_cut ? 1 : 0); i++) {
        const char letter[2] = {name[i], '\0'};
        const bool is_mark = name[i] == '!' && (name[i + 1] == '/' || name[i + 1] == '\0');
        fh_text_str(text, is_mark ? "%21" : letter);
    }
    if (len == 0 || is_cut) {
        add_number(text, index);
    }
}

static char *join(const char *box, const char *name)
{
    const size_t box_len = strlen(box);
    const size_t name_len = strlen(name);
    char *path = malloc(box_len + sizeof FH_MEMBER_MARK + name_len);
    if (path != NULL) {
        memcpy(path, box, box_len);
        memcpy(path + box_len, FH_MEMBER_MARK, sizeof FH_MEMBER_MARK - 1);
        memcpy(path + box_len + sizeof FH_MEMBER_MARK - 1, name, name_len + 1);
    }
    return path;
}

char *fh_names_path(fh_names *names, const char *box, const char *name, int64_t index)
{
    char buffer[NAME_ROOM];
    fh_text text = fh_text_make(buffer, sizeof buffer);
    if (!grow(names)) {
        return NULL;
    }
    clean(&text, name, index);
    /* Each round needs a member of that very name in front, so the names themselves bound it. */
    while (!put(names, buffer) && !text.cut) {
        add_number(&text, index);
    }
    return join(box, buffer);
}

char *fh_names_wrapped(const char *box, const char *suffix)
{
    char buffer[FH_BOX_MAX_NAME];
    const char *slash = strrchr(box, '/');
    const char *base = slash != NULL ? slash + 1 : box;
    const size_t len = strlen(base);
    const size_t suffix_len = suffix != NULL ? strlen(suffix) : 0;
    if (suffix_len == 0 || len <= suffix_len || len - suffix_len >= sizeof buffer ||
        !fh_same_but_case(base + (len - suffix_len), suffix)) {
        return join(box, "data");
    }
    memcpy(buffer, base, len - suffix_len);
    buffer[len - suffix_len] = '\0';
    return join(box, buffer);
}
