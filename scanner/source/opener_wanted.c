/* Which sources are wanted of those that lie in a file. */
#include "source/opener_impl.h"

#include <string.h>

/* Compares a wanted path with `path` followed by `rest`. */
static int compare_path(const char *wanted, const char *path, const char *rest)
{
    const size_t len = strlen(path);
    const int order = strncmp(wanted, path, len);
    return order != 0 ? order : strcmp(wanted + len, rest);
}

/* The first of the wanted paths that is not before `path` followed by `rest`; NULL: none. */
static const char *first_wanted(const fh_opener_options *options, const char *path,
                                const char *rest)
{
    size_t first = 0;
    size_t end_at = options->num_only;
    while (first < end_at) {
        const size_t middle = first + (end_at - first) / 2;
        if (compare_path(options->only[middle], path, rest) < 0) {
            first = middle + 1;
        } else {
            end_at = middle;
        }
    }
    return first < options->num_only ? options->only[first] : NULL;
}

static bool is_one_wanted(const fh_opener_options *options, const char *path)
{
    const char *found = first_wanted(options, path, "");
    return found != NULL && strcmp(found, path) == 0;
}

bool fh_opener_wants(const fh_opener *all, const char *path)
{
    if (all->options->only == NULL || is_one_wanted(all->options, path)) {
        return true;
    }
    const size_t len = strlen(path);
    const char *inner = first_wanted(all->options, path, FH_MEMBER_MARK);
    return inner != NULL && strncmp(inner, path, len) == 0 &&
           strncmp(inner + len, FH_MEMBER_MARK, strlen(FH_MEMBER_MARK)) == 0;
}

bool fh_opener_is_the_one(const fh_opener_level *top)
{
    const fh_opener_options *options = top->all->options;
    return options->only == NULL || (!top->is_merged && is_one_wanted(options, top->path));
}
