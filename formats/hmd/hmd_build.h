/* Filling the tables of an HMD: header, coordinates, primitive headers, primitives, records.
 *
 * The same steps serve the search (is there an HMD here at all?) and the decoder (what is wrong
 * with this one?). What breaks the structure is a fault; a step that cannot go on leaves its table
 * empty, and the steps that need it are left out.
 */
#ifndef FH_HMD_BUILD_H
#define FH_HMD_BUILD_H

#include "hmd/hmd_model.h"

/* hmd_build fills check->model from its bytes. What it found wrong is in the check: is_faulty,
 * wanted, stopped, no_memory. true if the structure holds. */
bool hmd_build(hmd_check *check);

/* hmd_build_front does the first steps, without the arena: header, block table, place of the
 * coordinates, sizes of the primitive headers. Cheap enough for every candidate. */
bool hmd_build_front(hmd_check *check);

/* hmd_build_coordinates finds the parents of the coordinates; hmd_build_headers fills the table of
 * primitive headers. */
bool hmd_build_coordinates(hmd_check *check);
bool hmd_build_headers(hmd_check *check);

/* hmd_build_primitives walks every chain, hmd_build_records the records of every primitive. */
bool hmd_build_primitives(hmd_check *check);
bool hmd_build_records(hmd_check *check);

/* hmd_missing is said where num words from `first` on lie outside the bytes: more may come, or it
 * is a fault. Returns false. */
bool hmd_missing(hmd_check *check, enum hmd_rule rule, const char *field, uint32_t at,
                 uint64_t first, uint64_t num, fh_value found, fh_value expected);

/* hmd_table allocates a table; on failure the check says so. num may be 0. */
void *hmd_table(hmd_check *check, size_t num, size_t elem_len) FH_MUST_USE;

#endif
