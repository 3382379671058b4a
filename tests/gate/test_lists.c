/* Lists of names: what they are made of, their order, and where they end. */
#include "gate/lists.h"

#include "gate/limits.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct feeding {
    const char *bytes;
    size_t len;
    char separator;
    fh_list_status status;
    size_t num_names;
} feeding;

static const feeding feedings[] = {
    {"a\nb\n", 4, '\n', FH_LIST_OK, 2},   {"a\n\n\nb", 5, '\n', FH_LIST_OK, 1},
    {"a\0b\0", 4, '\0', FH_LIST_OK, 2},   {"a\0\0b", 4, '\0', FH_LIST_EMPTY_NAME, 1},
    {"a\0b\n", 4, '\n', FH_LIST_ZERO, 0},
};

Test(lists, are_fed)
{
    for (size_t i = 0; i < sizeof feedings / sizeof feedings[0]; i++) {
        const feeding *at = &feedings[i];
        fh_list list = {0};
        cr_expect(fh_list_feed(&list, at->separator, at->bytes, at->len) == at->status, "%zu", i);
        cr_expect(eq(sz, list.num_names, at->num_names), "%zu", i);
        fh_list_free(&list);
    }
}

Test(lists, hold_so_much)
{
    fh_list list = {.len = FH_LIST_MAX_LEN - 2};
    cr_expect(fh_list_feed(&list, '\n', "a\n", 2) == FH_LIST_OK);
    cr_expect(fh_list_feed(&list, '\n', "b", 1) == FH_LIST_LIMIT);
    cr_expect(eq(sz, list.num_names, 1));
    fh_list_free(&list);
}

/* The exit code says whose fault it was. */
Test(lists, of_a_file_are_complained_of)
{
    static const struct {
        const char *bytes;
        size_t len;
        char separator;
        size_t before;
        fh_exit exit;
    } files[] = {
        {"a\nb", 3, '\n', 0, FH_EXIT_OK},
        {"a\0b", 3, '\n', 0, FH_EXIT_USAGE},
        {"a\0\0", 3, '\0', 0, FH_EXIT_USAGE},
        {"a\nb", 3, '\n', FH_LIST_MAX_LEN, FH_EXIT_LIMIT},
    };
    char path[] = "/tmp/fh-list-XXXXXX";
    const int fd = mkstemp(path);
    cr_assert(fd >= 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        fh_list list = {.len = files[i].before};
        cr_assert(ftruncate(fd, 0) == 0 &&
                  pwrite(fd, files[i].bytes, files[i].len, 0) == (ssize_t)files[i].len);
        cr_expect(fh_list_read(&list, "scan", path, files[i].separator) == files[i].exit, "%zu", i);
        fh_list_free(&list);
    }
    cr_assert(close(fd) == 0 && unlink(path) == 0);
    fh_list list = {0};
    cr_expect(fh_list_read(&list, "scan", path, '\n') == FH_EXIT_IO);
    fh_list_free(&list);
}

static void fill(fh_list *list, const char *const *names, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        cr_assert(fh_list_add(list, names[i]));
    }
}

static const char *const unsorted[] = {"b", "a/b", "a", "a.b", "a/b", "a/", "a", "", "a"};

/* A folder stands where its name does: before what is in it, and that before longer names. */
Test(lists, are_sorted_as_a_walk_goes)
{
    static const char *const sorted[] = {"", "a", "a/", "a/b", "a.b", "b"};
    fh_list list = {0};
    fh_list_sort(&list);
    cr_expect(eq(sz, list.num_names, 0));
    fill(&list, unsorted, sizeof unsorted / sizeof unsorted[0]);
    fh_list_sort(&list);
    cr_assert(eq(sz, list.num_names, sizeof sorted / sizeof sorted[0]));
    for (size_t i = 0; i < list.num_names; i++) {
        cr_expect_str_eq(list.names[i], sorted[i]);
    }
    fh_list_free(&list);
}

Test(lists, keep_the_first_of_a_name)
{
    static const char *const unique[] = {"b", "a/b", "a", "a.b", "a/", ""};
    fh_list list = {0};
    fill(&list, unsorted, sizeof unsorted / sizeof unsorted[0]);
    cr_assert(fh_list_unique(&list));
    cr_assert(eq(sz, list.num_names, sizeof unique / sizeof unique[0]));
    for (size_t i = 0; i < list.num_names; i++) {
        cr_expect_str_eq(list.names[i], unique[i]);
    }
    fh_list_free(&list);
}
