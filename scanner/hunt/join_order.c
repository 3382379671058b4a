#include "hunt/join_order.h"

#include <stdlib.h>
#include <string.h>

typedef struct ordering {
    fh_join *join;
    uint32_t *by_number; /* indices of parts: by format, stream, style, first number, place */
    fh_budget budget;
} ordering;

fh_cursor fh_kept_cursor(const fh_kept *kept, size_t from, size_t end)
{
    const fh_cursor all = fh_cursor_make(kept->bytes, kept->len, (uint64_t)kept->origin);
    return fh_cursor_sub(&all, from, end - from);
}

int64_t fh_kept_place(const fh_kept *kept)
{
    return kept->origin + (int64_t)kept->part.lines;
}

bool fh_kept_is_adjacent(const fh_kept *a, const fh_kept *b)
{
    return a->asset_len > 0 &&
           a->origin + (int64_t)(a->asset_off + a->asset_len) == fh_kept_place(b);
}

/* ---- the order of numbers ---- */

static int compare_numbers(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

/* Parts of one text have the same family. */
static int compare_families(const fh_kept *a, const fh_kept *b)
{
    const int by_format = strcmp(a->format->name, b->format->name);
    const int by_stream = compare_numbers(a->stream, b->stream);
    const int by_style = compare_numbers(a->part.style, b->part.style);
    return by_format != 0 ? by_format : by_stream != 0 ? by_stream : by_style;
}

static int compare_parts(const void *left, const void *right, void *user)
{
    const fh_kept *parts = user;
    const fh_kept *a = &parts[*(const uint32_t *)left];
    const fh_kept *b = &parts[*(const uint32_t *)right];
    const int by_family = compare_families(a, b);
    const int by_first = compare_numbers(a->part.first, b->part.first);
    const int by_place = compare_numbers(fh_kept_place(a), fh_kept_place(b));
    return by_family != 0 ? by_family : by_first != 0 ? by_first : by_place;
}

static bool sort_parts(ordering *of)
{
    fh_join *join = of->join;
    of->by_number = malloc((join->num + 1) * sizeof *of->by_number);
    for (size_t i = 0; i < join->num && of->by_number != NULL; i++) {
        fh_kept *kept = &join->parts[i];
        of->by_number[i] = (uint32_t)i;
        kept->copy_of = kept->next = kept->before = kept->other = FH_NO_PART;
        kept->num_followers = 0;
        kept->is_contested = false;
        kept->differs = FH_UNKNOWN;
    }
    if (of->by_number != NULL) {
        qsort_r(of->by_number, join->num, sizeof *of->by_number, compare_parts, join->parts);
    }
    return of->by_number != NULL;
}

static fh_kept *sorted(const ordering *of, size_t place)
{
    return &of->join->parts[of->by_number[place]];
}

/* The first place in the order whose part is of the family and begins with at least this number. */
static size_t find_first(const ordering *of, const fh_kept *family, int64_t number)
{
    size_t low = 0;
    size_t high = of->join->num;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const fh_kept *at = sorted(of, middle);
        const int order = compare_families(at, family);
        if (order < 0 || (order == 0 && at->part.first < number)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool has_first(const ordering *of, size_t place, const fh_kept *family, int64_t number)
{
    return place < of->join->num && compare_families(sorted(of, place), family) == 0 &&
           sorted(of, place)->part.first == number;
}

/* ---- copies ---- */

static bool is_same(const fh_kept *a, const fh_kept *b)
{
    const size_t len = a->part.lines_end - a->part.lines;
    return a->lines_hash == b->lines_hash && a->part.last == b->part.last &&
           len == b->part.lines_end - b->part.lines &&
           memcmp(a->bytes + a->part.lines, b->bytes + b->part.lines, len) == 0;
}

/* Notes what is a copy: of the first part with the same lines, looking no further than
 * FH_MAX_PART_TRIES parts with the same first number. */
static void find_copies(ordering *of)
{
    for (size_t i = 0; i < of->join->num; i++) {
        fh_kept *kept = sorted(of, i);
        for (size_t k = i + 1;
             k < of->join->num && k - i <= FH_MAX_PART_TRIES &&
             has_first(of, k, kept, kept->part.first) && kept->copy_of == FH_NO_PART;
             k++) {
            fh_kept *other = sorted(of, k);
            const size_t len = kept->part.lines_end - kept->part.lines;
            if (other->copy_of == FH_NO_PART && fh_pay(&of->budget, 1 + len / 64) &&
                is_same(kept, other)) {
                other->copy_of = of->by_number[i];
            }
        }
    }
}

/* What stands for a part and its copies. */
static uint32_t group_of(const fh_join *join, uint32_t part)
{
    return join->parts[part].copy_of == FH_NO_PART ? part : join->parts[part].copy_of;
}

/* ---- followers ---- */

static bool fits(ordering *of, fh_cut *cut, const fh_kept *a, const fh_kept *b)
{
    const fh_joining *joining = a->format->joining;
    const fh_cursor tail = fh_kept_cursor(a, a->part.lines_end, a->part.tail_end);
    const fh_cursor head = fh_kept_cursor(b, b->part.head, b->part.lines);
    *cut = (fh_cut){0, 0};
    if (!fh_pay(&of->budget, 1)) {
        of->join->is_spent = true;
        return false;
    }
    if (b->part.first == a->part.last + 1) {
        return !joining->is_begun(tail, b->part.first, a->part.style) &&
               !joining->is_ended(head, b->part.style);
    }
    return fh_kept_is_adjacent(a, b) ||
           (b->part.first == a->part.last + 2 &&
            joining->merge(cut, tail, head, a->part.last + 1, a->part.style, &of->budget));
}

/* Of two copies that fit, the nearest behind the part is taken, else the nearest of all. */
static bool is_nearer(const fh_kept *a, const fh_kept *than, const fh_kept *b)
{
    const int64_t to_b = fh_kept_place(b) - fh_kept_place(a);
    const int64_t to_than = fh_kept_place(than) - fh_kept_place(a);
    if ((to_b > 0) != (to_than > 0)) {
        return to_b > 0;
    }
    return to_b > 0 ? to_b < to_than : to_b > to_than;
}

/* Notes that a part may follow; of copies only the nearest. */
static void add_follower(ordering *of, fh_kept *a, uint32_t part, const fh_cut *cut)
{
    const fh_join *join = of->join;
    for (size_t i = 0; i < a->num_followers && i < FH_MOST_FOLLOWERS; i++) {
        fh_follower *known = &a->followers[i];
        if (group_of(join, known->part) == group_of(join, part)) {
            if (is_nearer(a, &join->parts[known->part], &join->parts[part])) {
                *known = (fh_follower){part, *cut};
            }
            return;
        }
    }
    if (a->num_followers < FH_MOST_FOLLOWERS) {
        a->followers[a->num_followers] = (fh_follower){part, *cut};
    }
    a->num_followers++;
}

static void try_number(ordering *of, uint32_t index, int64_t number)
{
    fh_kept *a = &of->join->parts[index];
    size_t place = find_first(of, a, number);
    for (unsigned i = 0; has_first(of, place, a, number); i++, place++) {
        fh_cut cut;
        if (i == FH_MAX_PART_TRIES) {
            of->join->is_spent = true;
            return;
        }
        if (of->by_number[place] != index && fits(of, &cut, a, sorted(of, place))) {
            add_follower(of, a, of->by_number[place], &cut);
        }
    }
}

/* A part that begins where this one ends, with more than one line missing between them. */
static void try_neighbour(ordering *of, uint32_t index)
{
    fh_kept *a = &of->join->parts[index];
    const fh_kept *b = a + 1; /* parts are kept in the order in which they lie */
    if (a->num_followers == 0 && index + 1 < of->join->num && compare_families(a, b) == 0 &&
        fh_kept_is_adjacent(a, b) && b->part.first > a->part.last) {
        add_follower(of, a, index + 1, &(fh_cut){0, 0});
    }
}

static void find_followers(ordering *of)
{
    for (uint32_t i = 0; i < of->join->num; i++) {
        if (of->join->parts[i].copy_of == FH_NO_PART) {
            try_number(of, i, of->join->parts[i].part.last + 1);
            try_number(of, i, of->join->parts[i].part.last + 2);
            try_neighbour(of, i);
        }
    }
}

/* ---- who follows whom ---- */

/* A follower that nothing else has claimed; NULL unless there is exactly one. */
static const fh_follower *only_follower(const fh_join *join, const fh_kept *a)
{
    const fh_follower *only = NULL;
    if (a->num_followers > FH_MOST_FOLLOWERS) {
        return NULL;
    }
    for (size_t i = 0; i < a->num_followers; i++) {
        if (join->parts[a->followers[i].part].before == FH_NO_PART) {
            if (only != NULL) {
                return NULL;
            }
            only = &a->followers[i];
        }
    }
    return only;
}

static const fh_follower *claim_of(const fh_join *join, const fh_kept *a)
{
    return a->next == FH_NO_PART && !a->is_contested ? only_follower(join, a) : NULL;
}

/* Lets every part with only one follower left claim it; a part that several claim is nobody's.
 * Returns whether something was joined, which may leave others with only one. */
static bool join_certain(fh_join *join)
{
    bool is_new = false;
    for (size_t i = 0; i < join->num; i++) {
        join->parts[i].num_claims = 0;
    }
    for (size_t i = 0; i < join->num; i++) {
        const fh_follower *only = claim_of(join, &join->parts[i]);
        if (only != NULL) {
            join->parts[only->part].num_claims++;
        }
    }
    for (uint32_t i = 0; i < join->num; i++) {
        fh_kept *a = &join->parts[i];
        const fh_follower *only = claim_of(join, a);
        if (only == NULL || join->parts[only->part].num_claims == 0) {
            continue; /* what is left to it has become one only now */
        }
        if (join->parts[only->part].num_claims > 1) {
            a->is_contested = true;
            continue;
        }
        a->next = only->part;
        a->cut = only->cut;
        join->parts[only->part].before = i;
        is_new = true;
    }
    return is_new;
}

static void settle(ordering *of)
{
    while (join_certain(of->join)) {
        if (!fh_pay(&of->budget, of->join->num)) {
            of->join->is_spent = true;
            return;
        }
    }
}

/* ---- two states of one text ---- */

static bool is_fragment(const fh_kept *kept)
{
    return kept->part.first > 0 || kept->part.lines_end < kept->part.tail_end;
}

static void hold_against(ordering *of, fh_kept *a, uint32_t part)
{
    fh_kept *b = &of->join->parts[part];
    const fh_cursor lines_of_a = fh_kept_cursor(a, a->part.lines, a->part.lines_end);
    const fh_cursor lines_of_b = fh_kept_cursor(b, b->part.lines, b->part.lines_end);
    int64_t number = FH_UNKNOWN;
    if (a->format->joining->differ(&number, lines_of_a, lines_of_b, &of->budget)) {
        a->differs = number;
        a->other = part;
    }
}

static void find_states(ordering *of)
{
    enum { MOST_NEIGHBOURS = 8 };
    for (size_t i = 0; i < of->join->num; i++) {
        fh_kept *a = sorted(of, i);
        for (size_t k = i + 1; k < of->join->num && k - i <= MOST_NEIGHBOURS; k++) {
            const fh_kept *b = sorted(of, k);
            if (compare_families(a, b) != 0 || b->part.first > a->part.last) {
                break;
            }
            if (a->differs == FH_UNKNOWN && a->copy_of == FH_NO_PART && b->copy_of == FH_NO_PART &&
                (is_fragment(a) || is_fragment(b))) {
                hold_against(of, a, of->by_number[k]);
            }
        }
    }
}

bool fh_join_order(fh_join *join)
{
    ordering of = {.join = join,
                   .budget = {FH_JOIN_BUDGET_FLOOR + FH_JOIN_BUDGET_PER_BYTE * join->num_bytes}};
    if (!sort_parts(&of)) {
        return false;
    }
    find_copies(&of);
    find_followers(&of);
    settle(&of);
    find_states(&of);
    join->is_spent = join->is_spent || of.budget.left == 0;
    free(of.by_number);
    return true;
}
