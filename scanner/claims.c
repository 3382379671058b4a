#include "claims.h"

#include "source/sheet_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int by_file(const void *a, const void *b)
{
    const fh_image_claim *left = a;
    const fh_image_claim *right = b;
    if (left->dev != right->dev) {
        return left->dev < right->dev ? -1 : 1;
    }
    return left->ino < right->ino ? -1 : left->ino > right->ino ? 1 : 0;
}

static int by_file_and_sheet(const void *a, const void *b)
{
    const fh_image_claim *left = a;
    const fh_image_claim *right = b;
    const int order = by_file(a, b);
    return order != 0 ? order : left->sheet < right->sheet ? -1 : left->sheet > right->sheet;
}

static int by_path(const void *a, const void *b)
{
    const fh_claimant *left = a;
    const fh_claimant *right = b;
    return strcmp(left->path, right->path);
}

static int by_path_and_number(const void *a, const void *b)
{
    const fh_claimant *left = a;
    const fh_claimant *right = b;
    const int order = by_path(a, b);
    return order != 0 ? order : left->number < right->number ? -1 : left->number > right->number;
}

static bool has_room(void **items, size_t *max, size_t num, size_t size)
{
    if (num < *max) {
        return true;
    }
    const size_t grown = *max == 0 ? 16 : 2 * *max;
    void *more = realloc(*items, grown * size);
    if (more == NULL) {
        return false;
    }
    *items = more;
    *max = grown;
    return true;
}

typedef struct look {
    fh_claims *claims;
    const char *path;
    size_t sheet; /* FH_NO_SHEET: it has named nothing yet */
} look;

static bool add_sheet(look *at)
{
    fh_claims *claims = at->claims;
    void *sheets = claims->sheets;
    if (!has_room(&sheets, &claims->max_sheets, claims->num_sheets, sizeof *claims->sheets)) {
        return false;
    }
    claims->sheets = sheets;
    const fh_claimant sheet = {.path = strdup(at->path), .number = claims->num_sheets};
    if (sheet.path == NULL) {
        return false;
    }
    at->sheet = sheet.number;
    claims->sheets[claims->num_sheets++] = sheet;
    return true;
}

/* FNV-1a, 64 bits, by words. */
static void add_state(fh_claimant *sheet, const struct stat *file)
{
    const uint64_t words[] = {(uint64_t)file->st_size, (uint64_t)file->st_mtim.tv_sec,
                              (uint64_t)file->st_mtim.tv_nsec};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        sheet->state = (sheet->state ^ words[i]) * 0x100000001b3u + 1;
    }
}

static void on_image(void *user, const char *path)
{
    look *at = user;
    fh_claims *claims = at->claims;
    void *list = claims->claims;
    struct stat file;
    if (claims->image != NULL) {
        claims->image(claims->user, path);
    }
    if (stat(path, &file) != 0 || (at->sheet == FH_NO_SHEET && !add_sheet(at)) ||
        !has_room(&list, &claims->max_claims, claims->num_claims, sizeof *claims->claims)) {
        return;
    }
    claims->claims = list;
    add_state(&claims->sheets[at->sheet], &file);
    claims->claims[claims->num_claims++] =
        (fh_image_claim){file.st_dev, file.st_ino, at->sheet, false};
}

void fh_claims_look(fh_claims *claims, const char *path)
{
    look at = {claims, path, FH_NO_SHEET};
    fh_sheet_look(path, &at, on_image);
}

static void settle_claims(fh_claims *claims)
{
    size_t num = 0;
    if (claims->num_claims > 0) {
        qsort(claims->claims, claims->num_claims, sizeof *claims->claims, by_file_and_sheet);
    }
    for (size_t i = 0; i < claims->num_claims; i++) {
        if (num == 0 || by_file(&claims->claims[num - 1], &claims->claims[i]) != 0) {
            claims->claims[num++] = claims->claims[i];
        }
    }
    claims->num_claims = num;
}

void fh_claims_settle(fh_claims *claims)
{
    size_t num = 0;
    settle_claims(claims);
    if (claims->num_sheets > 0) {
        qsort(claims->sheets, claims->num_sheets, sizeof *claims->sheets, by_path_and_number);
    }
    for (size_t i = 0; i < claims->num_sheets; i++) {
        if (num > 0 && by_path(&claims->sheets[num - 1], &claims->sheets[i]) == 0) {
            free(claims->sheets[i].path);
        } else {
            claims->sheets[num++] = claims->sheets[i];
        }
    }
    claims->num_sheets = num;
}

static fh_image_claim *find(const fh_claims *claims, const char *path)
{
    struct stat file;
    if (claims->num_claims == 0 || strcmp(path, "-") == 0 || stat(path, &file) != 0) {
        return NULL;
    }
    const fh_image_claim wanted = {.dev = file.st_dev, .ino = file.st_ino};
    return bsearch(&wanted, claims->claims, claims->num_claims, sizeof wanted, by_file);
}

bool fh_claims_has(const fh_claims *claims, const char *path)
{
    return find(claims, path) != NULL;
}

/* The key of a search is not written to. */
static fh_claimant *find_sheet(const fh_claims *claims, const char *path)
{
    size_t low = 0;
    for (size_t high = claims->num_sheets; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(claims->sheets[middle].path, path);
        if (order == 0) {
            return &claims->sheets[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

size_t fh_claims_sheet(fh_claims *claims, const char *path)
{
    fh_claimant *sheet = find_sheet(claims, path);
    if (sheet == NULL || sheet->is_given) {
        return FH_NO_SHEET;
    }
    sheet->is_given = true;
    return sheet->number;
}

uint64_t fh_claims_state(const fh_claims *claims, const char *path)
{
    const fh_claimant *sheet = find_sheet(claims, path);
    return sheet == NULL ? 0 : sheet->state;
}

/* A file that nobody claimed when all were looked at is free. */
bool fh_claims_take(fh_claims *claims, size_t sheet, const char *path)
{
    fh_image_claim *claim = find(claims, path);
    if (claim == NULL) {
        return true;
    }
    if (claim->sheet != sheet || claim->is_done) {
        return false;
    }
    claim->is_done = true;
    return true;
}

void fh_claims_give_back(fh_claims *claims, size_t sheet)
{
    for (size_t i = 0; i < claims->num_claims; i++) {
        if (claims->claims[i].sheet == sheet) {
            claims->claims[i].is_done = false;
        }
    }
}

void fh_claims_free(fh_claims *claims)
{
    for (size_t i = 0; i < claims->num_sheets; i++) {
        free(claims->sheets[i].path);
    }
    free(claims->sheets);
    free(claims->claims);
    *claims = (fh_claims){0};
}
