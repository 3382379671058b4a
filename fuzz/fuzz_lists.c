/* Lists of names: of --files-from, of a manifest, of what git says. The first byte says what ends a
 * name, in pieces of how many bytes the list comes, and whether it is a table; the rest is the
 * list. What must be true:
 *   - its names are what stands between the separators, as a plain way of reading finds them;
 *   - it is refused for a zero where lines are names, for an empty name where zeros end them, and
 *     for nothing else, in pieces as in one;
 *   - read from a file it is the same, and complained of once if it is refused;
 *   - what is written of the names is read back as the same names;
 *   - of a table the names are the first columns;
 *   - made unique, each name is there once, in the order in which it first stood;
 *   - sorted, names rise as those of a walk do, each is there once, and none is lost.
 */
#include "fuzz_complain.h"

#include "gate/lists.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A reader has room for its window, a list for pointers and for blocks of the system. */
static const fuzz_bounds bounds = {.memory_floor = (size_t)32 << 20,
                                   .memory_per_byte = 256,
                                   .milliseconds = 4000,
                                   .milliseconds_per_kib = 100};

enum { HOW_NULL = 1, HOW_TABLE = 2, PIECE_SHIFT = 2, MOST_COMPARED = 200 };

static const char in_name[] = "list";

/* The linker puts it in place of the function, as fuzz_complain.h does. */
fh_exit __wrap_fh_usage_error(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

fh_exit __wrap_fh_usage_error(const char *command, const char *format, ...)
{
    char text[8192];
    va_list args;
    fuzz_demand(strcmp(command, "check") == 0, "it is the use of a command that is wrong");
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fh_complain("%s", text);
    return FH_EXIT_USAGE;
}

/* ---- a plain way of reading ------------------------------------------------------------------ */

static fh_list_status plain_status(const uint8_t *bytes, size_t len, char separator)
{
    if (separator != '\0') {
        return len > 0 && memchr(bytes, '\0', len) != NULL ? FH_LIST_ZERO : FH_LIST_OK;
    }
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\0' && (i == 0 || bytes[i - 1] == '\0')) {
            return FH_LIST_EMPTY_NAME;
        }
    }
    return FH_LIST_OK;
}

static void check_names(const fh_list *list, const uint8_t *bytes, size_t len, char separator)
{
    size_t num = 0;
    for (size_t at = 0; at < len;) {
        size_t end = at;
        while (end < len && bytes[end] != (uint8_t)separator) {
            end++;
        }
        if (end > at) {
            fuzz_demand(num < list->num_names && strlen(list->names[num]) == end - at &&
                            memcmp(list->names[num], bytes + at, end - at) == 0,
                        "a name is what stands between the separators");
            num++;
        }
        at = end + 1;
    }
    fuzz_demand(num == list->num_names, "a list has no other names");
}

/* ---- ways of reading it ---------------------------------------------------------------------- */

static fh_list_status feed(fh_list *list, const uint8_t *bytes, size_t len, char separator,
                           size_t piece)
{
    fh_list_status status = FH_LIST_OK;
    for (size_t at = 0; at < len && status == FH_LIST_OK; at += piece) {
        const size_t num = len - at < piece ? len - at : piece;
        status = fh_list_feed(list, separator, bytes + at, num);
    }
    return status == FH_LIST_OK ? fh_list_feed_end(list, separator) : status;
}

static void demand_names(const fh_list *a, const fh_list *b, const char *truth)
{
    fuzz_demand(a->num_names == b->num_names, truth);
    for (size_t i = 0; i < a->num_names; i++) {
        fuzz_demand(strcmp(a->names[i], b->names[i]) == 0, truth);
    }
}

static void check_file(const fh_list *list, fh_list_status status, const uint8_t *bytes, size_t len,
                       char separator)
{
    fh_list read = {0};
    char path[FUZZ_PATH_LEN];
    fuzz_sum unused = FUZZ_SUM;
    fuzz_folder_file(in_name, bytes, len);
    fuzz_complaints();
    const fh_exit exit = fh_list_read(&read, "check", fuzz_folder_path(path, in_name), separator);
    fuzz_demand(exit == (status == FH_LIST_OK ? FH_EXIT_OK : FH_EXIT_USAGE),
                "a file is refused as its bytes are");
    fuzz_demand(fuzz_num_complaints(&unused) == (exit == FH_EXIT_OK ? 0 : 1),
                "what is refused is told once");
    if (exit == FH_EXIT_OK) {
        demand_names(list, &read, "a file has the names of its bytes");
    }
    fh_list_free(&read);
}

static void check_written(const fh_list *list, char separator)
{
    char *text = NULL;
    size_t len = 0;
    fh_list again = {0};
    FILE *out = open_memstream(&text, &len);
    fuzz_demand(out != NULL, "the system has memory");
    for (size_t i = 0; i < list->num_names; i++) {
        (void)fputs(list->names[i], out);
        (void)putc(separator, out);
    }
    fuzz_demand(fclose(out) == 0, "the system has memory");
    fuzz_demand(len == 0 || feed(&again, (const uint8_t *)text, len, separator, len) == FH_LIST_OK,
                "what is written is read");
    demand_names(list, &again, "what is written is read back");
    fh_list_free(&again);
    free(text);
}

/* ---- order ----------------------------------------------------------------------------------- */

static fh_list copy_of(const fh_list *list)
{
    fh_list copy = {0};
    for (size_t i = 0; i < list->num_names; i++) {
        fuzz_demand(fh_list_add(&copy, list->names[i]), "the system has memory");
    }
    return copy;
}

static bool has(const fh_list *list, const char *name)
{
    bool is_there = false;
    for (size_t i = 0; i < list->num_names && !is_there; i++) {
        is_there = strcmp(list->names[i], name) == 0;
    }
    return is_there;
}

static void check_unique(const fh_list *list)
{
    fh_list unique = copy_of(list);
    size_t num = 0;
    fuzz_demand(fh_list_unique(&unique), "the system has memory");
    for (size_t i = 0; i < list->num_names; i++) {
        const fh_list before = {.names = list->names, .num_names = i};
        if (!has(&before, list->names[i])) {
            fuzz_demand(num < unique.num_names && strcmp(unique.names[num], list->names[i]) == 0,
                        "each name is there once, where it first stood");
            num++;
        }
    }
    fuzz_demand(num == unique.num_names, "no name is there twice");
    fh_list_free(&unique);
}

/* Of the first parts of two paths that differ the lesser is first, and a shorter path is. */
static bool rises(const char *a, const char *b)
{
    for (;;) {
        const size_t len = strcspn(a, "/");
        const size_t other_len = strcspn(b, "/");
        const int order = memcmp(a, b, len < other_len ? len : other_len);
        if (order != 0 || len != other_len) {
            return order != 0 ? order < 0 : len < other_len;
        }
        if (a[len] == '\0' || b[len] == '\0') {
            return a[len] == '\0' && b[len] != '\0';
        }
        a += len + 1;
        b += len + 1;
    }
}

static void check_sorted(const fh_list *list)
{
    fh_list sorted = copy_of(list);
    fh_list_sort(&sorted);
    for (size_t i = 1; i < sorted.num_names; i++) {
        fuzz_demand(rises(sorted.names[i - 1], sorted.names[i]), "names rise as those of a walk");
    }
    for (size_t i = 0; i < list->num_names; i++) {
        fuzz_demand(has(&sorted, list->names[i]), "no name is lost");
    }
    fuzz_demand(sorted.num_names <= list->num_names, "there are no other names");
    fh_list_free(&sorted);
}

static void check_table(const fh_list *list)
{
    fh_list paths = copy_of(list);
    fh_list_cut_columns(&paths, 0);
    fuzz_demand(paths.num_names == list->num_names, "a table has as many names as lines");
    for (size_t i = 0; i < paths.num_names; i++) {
        const size_t len = strcspn(list->names[i], "\t");
        fuzz_demand(strlen(paths.names[i]) == len &&
                        memcmp(paths.names[i], list->names[i], len) == 0,
                    "a name of a table is its first column");
    }
    fh_list_free(&paths);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const uint8_t *bytes = data + 1;
    const size_t len = size - 1;
    const char separator = (data[0] & HOW_NULL) != 0 ? '\0' : '\n';
    fh_list list = {0};
    fh_list whole = {0};
    fuzz_begin();
    const fh_list_status status =
        feed(&list, bytes, len, separator, (size_t)(data[0] >> PIECE_SHIFT) + 1);
    fuzz_demand(status == plain_status(bytes, len, separator),
                "a list is refused for what is wrong with it");
    fuzz_demand(feed(&whole, bytes, len, separator, len) == status,
                "a list in pieces is refused as it is in one");
    check_file(&list, status, bytes, len, separator);
    if (status == FH_LIST_OK) {
        check_names(&list, bytes, len, separator);
        demand_names(&list, &whole, "a list in pieces has the names of one");
        check_written(&list, separator);
        if ((data[0] & HOW_TABLE) != 0) {
            check_table(&list);
        }
    }
    if (status == FH_LIST_OK && list.num_names <= MOST_COMPARED) {
        check_unique(&list);
        check_sorted(&list);
    }
    fuzz_end(&bounds, size);
    fh_list_free(&list);
    fh_list_free(&whole);
    return 0;
}
