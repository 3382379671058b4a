/* What the run-time library computed, as JSON, from the folder that lies beside the project or is
 * named by FRAMEHOUND_SHARED. A test that needs it is skipped where it is missing.
 */
#ifndef TESTS_FORMATS_VECTORS_H
#define TESTS_FORMATS_VECTORS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The root of one file; skips the running test when there is none. json_decref it. */
json_t *vectors_load(const char *name);
/* The same, but NULL when there is none. */
json_t *vectors_try(const char *name);

int64_t vector_int(const json_t *array, size_t index); /* fails unless it is an integer */
int64_t vector_field(const json_t *object, const char *name);

#endif
