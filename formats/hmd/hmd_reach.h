/* How far an HMD reaches: where its last byte in use lies, and who owns each word before it. */
#ifndef FH_HMD_REACH_H
#define FH_HMD_REACH_H

#include "hmd/hmd_refs.h"

/* hmd_reach_end finds model->end: the word behind the last one that anything refers to, of what
 * lies inside the bytes, and behind unused normals that belong to the last section. References that
 * lie beyond the bytes are noted as wanted. */
void hmd_reach_end(hmd_check *check);

/* hmd_reach_owners fills model->owner, second and area, which take a byte each for every word below
 * end. A word that several things refer to belongs to the first of them: the parts of the file that
 * have a place of their own, then what is referred to as a whole, then vertices and normals; second
 * is the next one of another kind. Sections of vertices and of calculated vertices that follow each
 * other are one contiguous area, likewise those of normals; it ends where another section, or a
 * primitive, starts. What is read beyond it as a vertex or normal owns only what nobody else
 * claims. */
void hmd_reach_owners(hmd_check *check);

/* hmd_owned counts the words of a range below end that somebody other than `owner` claims, and
 * stores the first of those and who that is; 0 if there are none. The caller pays. */
uint64_t hmd_owned(const hmd_model *model, uint64_t first, uint64_t num, enum hmd_owner owner,
                   uint32_t *where, enum hmd_owner *other);

/* hmd_is_element tells whether an owner is one of the kinds of vertices and normals. */
bool hmd_is_element(enum hmd_owner owner);

/* hmd_in_area tells whether a range lies in the contiguous area of the vertices, or normals, that
 * `owner` is one of; if not, the first word outside is stored. Words behind the end are in no other
 * area. The caller pays. */
bool hmd_in_area(const hmd_model *model, uint64_t first, uint64_t num, enum hmd_owner owner,
                 uint32_t *where);

#endif
