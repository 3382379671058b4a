#include "reports/fix_text.h"

#include "reports/escape.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Lines that are shown around a change, and how far a line that is the same again is looked for. */
enum { CONTEXT = 3, LOOK_AHEAD = 16 };

/* Bytes of one change that are shown. */
enum { MOST_BYTES = 32 };

static void put_heads(fh_out *out, const char *path)
{
    fh_out_str(out, "--- ");
    fh_escape_text(out, path);
    fh_out_str(out, "\n+++ ");
    fh_escape_text(out, path);
}

/* ---- binary data ---- */

static void put_hex(fh_out *out, const char *lead, const uint8_t *bytes, size_t len)
{
    fh_out_str(out, lead);
    for (size_t i = 0; i < len && i < MOST_BYTES; i++) {
        fh_out_fmt(out, " %02x", bytes[i]);
    }
    if (len > MOST_BYTES) {
        fh_out_fmt(out, " and %zu more", len - MOST_BYTES);
    }
    fh_out_str(out, "\n");
}

void fh_fix_bytes(fh_out *out, const fh_fix_view *view, const fh_fix_change *changes, size_t num)
{
    put_heads(out, view->path);
    fh_out_str(out, " (mended)\n");
    for (size_t i = 0; i < num; i++) {
        const fh_fix_change *change = &changes[i];
        fh_out_fmt(out, "0x%08zx  %s  %s\n", change->off, change->field, change->code);
        put_hex(out, "  -", view->before + change->off, change->len);
        put_hex(out, "  +", view->after + change->off, change->len);
    }
}

void fh_fix_lengths(fh_out *out, const fh_fix_view *view)
{
    put_heads(out, view->path);
    fh_out_fmt(out, " (mended)\n%zu bytes become %zu, which cannot be shown line by line\n",
               view->before_len, view->after_len);
}

/* ---- texts ---- */

typedef struct line {
    const uint8_t *bytes;
    size_t len; /* with its line end */
    uint32_t hash;
} line;

typedef struct lines {
    line *items; /* owned */
    size_t num;
} lines;

/* Lines [old_from, old_to) become [new_from, new_to). */
typedef struct hunk {
    size_t old_from, old_to, new_from, new_to;
} hunk;

typedef struct comparison {
    lines old, new;
    hunk *hunks; /* owned */
    size_t num, max;
} comparison;

/* FNV-1a. */
static uint32_t hashed(uint32_t hash, uint8_t byte)
{
    return (hash ^ byte) * 16777619u;
}

static bool split(lines *out, const uint8_t *bytes, size_t len)
{
    size_t num = 1;
    for (size_t i = 0; i < len; i++) {
        num += bytes[i] == '\n' ? 1 : 0;
    }
    *out = (lines){.items = calloc(num, sizeof *out->items)};
    size_t start = 0;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < len && out->items != NULL; i++) {
        hash = hashed(hash, bytes[i]);
        if (bytes[i] == '\n' || i + 1 == len) {
            out->items[out->num++] = (line){bytes + start, i + 1 - start, hash};
            start = i + 1;
            hash = 2166136261u;
        }
    }
    return out->items != NULL;
}

static bool is_same(const comparison *all, size_t i, size_t k)
{
    const line *a = &all->old.items[i];
    const line *b = &all->new.items[k];
    return a->hash == b->hash && a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

/* From two lines that differ to the nearest two that are the same; false if none is near. */
static bool find_same(const comparison *all, size_t *i, size_t *k)
{
    for (size_t sum = 1; sum <= (size_t)2 * LOOK_AHEAD; sum++) {
        for (size_t more = sum / 2; more <= sum && more <= LOOK_AHEAD; more++) {
            const size_t less = sum - more;
            if (*i + more < all->old.num && *k + less < all->new.num &&
                is_same(all, *i + more, *k + less)) {
                *i += more;
                *k += less;
                return true;
            }
            if (*i + less < all->old.num && *k + more < all->new.num &&
                is_same(all, *i + less, *k + more)) {
                *i += less;
                *k += more;
                return true;
            }
        }
    }
    return false;
}

static bool add_hunk(comparison *all, hunk what)
{
    assert(all->num <= all->max && (all->max == 0 || all->hunks != NULL));
    hunk *last = all->num == 0 ? NULL : &all->hunks[all->num - 1];
    if (last != NULL && last->old_to == what.old_from && last->new_to == what.new_from) {
        last->old_to = what.old_to;
        last->new_to = what.new_to;
        return true;
    }
    if (all->num == all->max) {
        const size_t max = all->max == 0 ? 64 : 2 * all->max;
        hunk *grown = realloc(all->hunks, max * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        all->hunks = grown;
        all->max = max;
    }
    all->hunks[all->num++] = what;
    return true;
}

static bool compare(comparison *all)
{
    size_t i = 0;
    size_t k = 0;
    while (i < all->old.num && k < all->new.num) {
        if (is_same(all, i, k)) {
            i++;
            k++;
            continue;
        }
        const size_t old_from = i;
        const size_t new_from = k;
        if (!find_same(all, &i, &k)) {
            i++;
            k++;
        }
        if (!add_hunk(all, (hunk){old_from, i, new_from, k})) {
            return false;
        }
    }
    return (i == all->old.num && k == all->new.num) ||
           add_hunk(all, (hunk){i, all->old.num, k, all->new.num});
}

static void put_line(fh_out *out, const fh_fix_view *view, char mark, const line *what)
{
    const bool has_end = what->bytes[what->len - 1] == '\n';
    const size_t len = has_end ? what->len - 1 : what->len;
    fh_out_bytes(out, &mark, 1);
    char *copy = view->is_terminal ? malloc(len + 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, what->bytes, len);
        copy[len] = '\0';
        fh_escape_text(out, copy);
        free(copy);
    } else if (view->is_terminal) {
        fh_out_fmt(out, "(%zu bytes)", len);
    } else {
        fh_out_bytes(out, (const char *)what->bytes, len);
    }
    fh_out_str(out, has_end ? "\n" : "\n\\ No newline at end of file\n");
}

/* The range of a hunk as unified diffs give it: from 1, and the line in front where there is none.
 */
static void put_range(fh_out *out, char mark, size_t from, size_t to)
{
    fh_out_fmt(out, "%c%zu", mark, to > from ? from + 1 : from);
    if (to - from != 1) {
        fh_out_fmt(out, ",%zu", to - from);
    }
}

static void put_group(fh_out *out, const fh_fix_view *view, const comparison *all, size_t first,
                      size_t last)
{
    const hunk *begin = &all->hunks[first];
    const hunk *end = &all->hunks[last];
    const size_t lead = begin->old_from < CONTEXT ? begin->old_from : CONTEXT;
    const size_t rest = all->old.num - end->old_to;
    const size_t tail = rest < CONTEXT ? rest : CONTEXT;
    fh_out_str(out, "@@ ");
    put_range(out, '-', begin->old_from - lead, end->old_to + tail);
    fh_out_str(out, " ");
    put_range(out, '+', begin->new_from - lead, end->new_to + tail);
    fh_out_str(out, " @@\n");
    size_t at = begin->old_from - lead;
    for (size_t h = first; h <= last; h++) {
        for (; at < all->hunks[h].old_from; at++) {
            put_line(out, view, ' ', &all->old.items[at]);
        }
        for (; at < all->hunks[h].old_to; at++) {
            put_line(out, view, '-', &all->old.items[at]);
        }
        for (size_t k = all->hunks[h].new_from; k < all->hunks[h].new_to; k++) {
            put_line(out, view, '+', &all->new.items[k]);
        }
    }
    for (; at < end->old_to + tail; at++) {
        put_line(out, view, ' ', &all->old.items[at]);
    }
}

static void put_hunks(fh_out *out, const fh_fix_view *view, const comparison *all)
{
    put_heads(out, view->path);
    fh_out_str(out, "\n");
    for (size_t first = 0; first < all->num;) {
        size_t last = first;
        while (last + 1 < all->num &&
               all->hunks[last + 1].old_from - all->hunks[last].old_to <= (size_t)2 * CONTEXT) {
            last++;
        }
        put_group(out, view, all, first, last);
        first = last + 1;
    }
}

int fh_fix_lines(fh_out *out, const fh_fix_view *view)
{
    comparison all = {0};
    if ((view->before_len > 0 && memchr(view->before, 0, view->before_len) != NULL) ||
        (view->after_len > 0 && memchr(view->after, 0, view->after_len) != NULL)) {
        return EILSEQ;
    }
    const bool has_old = split(&all.old, view->before, view->before_len);
    const bool has_new = split(&all.new, view->after, view->after_len);
    const bool good = has_old && has_new && compare(&all);
    if (good) {
        put_hunks(out, view, &all);
    }
    free(all.old.items);
    free(all.new.items);
    free(all.hunks);
    return good ? 0 : ENOMEM;
}
