#include "gate/glob.h"

#include "core/never.h"
#include "gate/limits.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Part of a glob or a path: what stands between two slashes. */
typedef struct part {
    const char *at;
    size_t len;
} part;

static part first_part(const char *text)
{
    return (part){text, strcspn(text, "/")};
}

/* The part behind, or one whose `at` is NULL. */
static part next_part(part one)
{
    assert(one.at != NULL);
    const char *end = one.at + one.len;
    return *end == '\0' ? (part){NULL, 0} : first_part(end + 1);
}

static bool is_any_parts(part one)
{
    return one.len == 2 && memcmp(one.at, "**", 2) == 0;
}

/* ---- one part ---- */

/* Bytes of the character that the text begins with; 1 where it is no UTF-8. */
static size_t char_len(part text)
{
    const unsigned char first = (unsigned char)text.at[0];
    size_t len = 1;
    if (first >= 0xc2 && first < 0xf5) {
        len = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    }
    if (len > text.len) {
        return 1;
    }
    for (size_t i = 1; i < len; i++) {
        if (((unsigned char)text.at[i] & 0xc0u) != 0x80) {
            return 1;
        }
    }
    return len;
}

/* The length of a set with its brackets; 0 if it has no end. A ] at its start is a member. */
static size_t set_len(part glob)
{
    size_t at = 1;
    if (at < glob.len && glob.at[at] == '!') {
        at++;
    }
    for (size_t members = 0; at < glob.len; members++, at++) {
        if (glob.at[at] == ']' && members > 0) {
            return at + 1;
        }
    }
    return 0;
}

static bool set_has(const char *set, size_t len, unsigned char byte)
{
    const bool is_turned = set[1] == '!';
    bool found = false;
    for (size_t i = is_turned ? 2 : 1; i + 1 < len; i++) {
        const unsigned char from = (unsigned char)set[i];
        unsigned char to = from;
        if (set[i + 1] == '-' && i + 3 < len) {
            to = (unsigned char)set[i + 2];
            i += 2;
        }
        found = found || (byte >= from && byte <= to);
    }
    return found != is_turned;
}

/* Matches what the glob begins with, no star, against what the text begins with. Returns the bytes
 * that this takes from the glob and in *taken those from the text; 0 if they differ. */
static size_t match_one(size_t *taken, part glob, part text)
{
    *taken = 1;
    switch (glob.at[0]) {
    case '?':
        *taken = char_len(text);
        return 1;
    case '[': {
        const size_t len = set_len(glob); /* fh_glob_fault has found its end */
        return ALWAYS(len > 0) && set_has(glob.at, len, (unsigned char)text.at[0]) ? len : 0;
    }
    case '\\':
        /* Something stands behind it, or fh_glob_fault would have said so. */
        return ALWAYS(glob.len > 1) && glob.at[1] == text.at[0] ? 2 : 0;
    default:
        return glob.at[0] == text.at[0] ? 1 : 0;
    }
}

static part rest(part one, size_t len)
{
    return (part){one.at + len, one.len - len};
}

/* A star takes as little as it can; when what is behind it fails, the last star takes one more. An
 * earlier one need not be tried again: whatever it could yield to, the last one can take. */
static bool match_part(part glob, part text)
{
    part star = {NULL, 0}; /* the glob behind the last star */
    part from = {NULL, 0}; /* the text where that begins to be tried */
    while (text.len > 0 || glob.len > 0) {
        size_t taken = 0;
        size_t used = 0;
        if (glob.len > 0 && glob.at[0] == '*') {
            star = glob = rest(glob, 1);
            from = text;
            continue;
        }
        if (glob.len > 0 && text.len > 0) {
            used = match_one(&taken, glob, text);
        }
        if (used > 0) {
            glob = rest(glob, used);
            text = rest(text, taken);
        } else if (star.at != NULL && from.len > 0) {
            glob = star;
            text = from = rest(from, 1);
        } else {
            return false;
        }
    }
    return true;
}

/* ---- the parts in a row ---- */

/* The same, one storey higher: ** takes parts as * takes bytes. */
static bool match_parts(part glob, part path)
{
    part star = {NULL, 0};
    part from = {NULL, 0};
    bool has_star = false;
    while (glob.at != NULL || path.at != NULL) {
        if (glob.at != NULL && is_any_parts(glob)) {
            has_star = true;
            star = glob = next_part(glob);
            from = path;
        } else if (glob.at != NULL && path.at != NULL && match_part(glob, path)) {
            glob = next_part(glob);
            path = next_part(path);
        } else if (has_star && from.at != NULL) {
            glob = star;
            path = from = next_part(from);
        } else {
            return false;
        }
    }
    return true;
}

/* All that is in a folder of that name: the part of the glob in front of its closing slash is held
 * against every part of the path but the last. */
static bool match_folder(part name, const char *path)
{
    for (part at = first_part(path); next_part(at).at != NULL; at = next_part(at)) {
        if (match_part(name, at)) {
            return true;
        }
    }
    return false;
}

/* As match_parts, but the glob ends with a slash: all that is in the folder that it names. */
static bool match_above(const char *glob, size_t len, const char *path)
{
    static const char inside[] = "**/*";
    char whole[FH_CONFIG_MAX_LINE + sizeof inside];
    if (NEVER(len > FH_CONFIG_MAX_LINE)) { /* it would have a fault */
        return false;
    }
    memcpy(whole, glob, len);
    memcpy(whole + len, inside, sizeof inside);
    return match_parts(first_part(whole), first_part(path));
}

static bool match(const char *glob, const char *path)
{
    const part first = first_part(glob);
    const char *name = strrchr(path, '/');
    if (glob[first.len] == '\0') {
        return match_part(first, first_part(name == NULL ? path : name + 1));
    }
    /* A slash alone would be an empty glob, which is a fault. */
    if (glob[first.len + 1] == '\0' && ALWAYS(first.len > 0)) {
        return match_folder(first, path);
    }
    glob += *glob == '/' ? 1 : 0;
    const size_t len = strlen(glob);
    return glob[len - 1] == '/' ? match_above(glob, len, path)
                                : match_parts(first_part(glob), first_part(path));
}

bool fh_glob_match(const char *glob, const char *path)
{
    assert(fh_glob_fault(glob) == NULL && *path != '\0');
    return *glob == '!' ? !match(glob + 1, path) : match(glob, path);
}

/* ---- faults ---- */

static const char *part_fault(part one)
{
    if (one.len == 0) {
        return "nothing stands between two slashes";
    }
    if ((one.len == 1 && one.at[0] == '.') || (one.len == 2 && memcmp(one.at, "..", 2) == 0)) {
        return "a path has no part . or .. to match";
    }
    while (one.len > 0) {
        size_t len = 1;
        if (one.at[0] == '[') {
            len = set_len(one);
        } else if (one.at[0] == '\\') {
            len = one.len > 1 ? 2 : 0;
        }
        if (len == 0) {
            return one.at[0] == '[' ? "a [ has no ]; write \\[ for the bracket itself"
                                    : "a \\ stands in front of nothing";
        }
        one = rest(one, len);
    }
    return NULL;
}

const char *fh_glob_fault(const char *glob)
{
    if (strlen(glob) > FH_CONFIG_MAX_LINE) {
        return "it is too long";
    }
    glob += *glob == '!' ? 1 : 0;
    glob += *glob == '/' ? 1 : 0;
    if (*glob == '\0') {
        return "it is empty";
    }
    for (part one = first_part(glob); one.at != NULL; one = next_part(one)) {
        /* Something stands in front of an end, for the glob is not empty. */
        const bool is_end = one.len == 0 && *one.at == '\0' && ALWAYS(one.at > glob);
        const char *fault = is_end ? NULL : part_fault(one);
        if (fault != NULL) {
            return fault;
        }
    }
    return NULL;
}
