/* Paths as code hosts want them: those of a repository do not begin with ./ there. */
#ifndef FH_REPORTS_PLAIN_PATH_H
#define FH_REPORTS_PLAIN_PATH_H

/* fh_plain_path returns the part of path behind any ./ that it begins with; never an empty one. */
static inline const char *fh_plain_path(const char *path)
{
    while (path[0] == '.' && path[1] == '/' && path[2] != '\0' && path[2] != '/') {
        path += 2;
    }
    return path;
}

#endif
