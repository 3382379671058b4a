/* The files of the corpus, built by the forge. */
#ifndef TESTS_FORMATS_CORPUS_H
#define TESTS_FORMATS_CORPUS_H

#include "bench.h"
#include "forge/buf.h"

typedef struct corpus_file {
    const char *name; /* of the description: "TOD0002.bad.forge" */
    forge_buf bytes;
    forge_buf companion; /* empty: none */
} corpus_file;

/* corpus_each builds every file of a format, in the order of their names, and hands it on, for the
 * call; there must be some. FRAMEHOUND_SOURCE_ROOT says where the corpus lies. */
void corpus_each(const fh_format *format, void (*take)(void *user, const corpus_file *file),
                 void *user);

#endif
