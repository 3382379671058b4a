#include "overwrites.h"

#include "aim.h"
#include "asset_load.h"
#include "hunt/extract.h"

#include <stdlib.h>
#include <string.h>

bool fh_same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool fh_same_at(const char *a, const char *b)
{
    struct stat of_a;
    struct stat of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && fh_same_inode(&of_a, &of_b);
}

bool fh_same_file(const char *a, const char *b)
{
    struct stat of_a;
    struct stat of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
           fh_same_inode(&of_a, &of_b);
}

bool fh_overwrites_source(const char *output, const char *source)
{
    char *file = source == NULL ? NULL : strndup(source, fh_extract_file_len(source));
    const bool is_it = file != NULL && fh_same_file(output, file);
    free(file);
    return is_it;
}

bool fh_overwrites_aimed(const char *output, const char *command, const char *argument)
{
    fh_aim aim = {.layout = FH_LAYOUT_AUTO};
    const bool is_it = fh_asset_is_at(argument) &&
                       fh_aim_split(&aim, command, argument) == FH_EXIT_OK &&
                       fh_overwrites_source(output, aim.path);
    fh_aim_free(&aim);
    return is_it;
}
