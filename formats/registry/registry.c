#include "registry/registry.h"

#include "camerawork/camerawork.h"
#include "hmd/hmd.h"
#include "tod/tod.h"
#include "tra/tra.h"

#include <string.h>

const fh_format *const fh_formats[] = {
    &fh_tod_format,
    &fh_hmd_format,
    &fh_camerawork_format,
    &fh_tra_format,
};

const size_t fh_num_formats = sizeof fh_formats / sizeof fh_formats[0];

const fh_format *fh_format_find(const char *name)
{
    for (size_t i = 0; i < fh_num_formats; i++) {
        if (strcmp(fh_formats[i]->name, name) == 0) {
            return fh_formats[i];
        }
    }
    return NULL;
}

const fh_format *fh_format_by_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash == NULL ? path : slash, '.');
    if (dot == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < fh_num_formats; i++) {
        for (const char *const *known = fh_formats[i]->extensions; *known != NULL; known++) {
            if (fh_same_but_case(dot + 1, *known)) {
                return fh_formats[i];
            }
        }
    }
    return NULL;
}
