/* The checks over the tables: each looks at the model and tells what breaks a rule. A file of
 * checks for each part of the sheet; all of them work on normalised pointers, for files and for
 * memory. */
#ifndef FH_HMD_CHECKS_H
#define FH_HMD_CHECKS_H

#include "core/format.h"
#include "hmd/hmd_model.h"
#include "hmd/hmd_refs.h"

/* hmd_check_front judges the map flag, coordinates and the record that maps them (HMD0004, 0022,
 * 0026..0031). */
void hmd_check_front(hmd_check *check);

/* hmd_check_headers judges arguments of primitive headers against their users (HMD0041..0047). */
void hmd_check_headers(hmd_check *check);

/* hmd_check_records judges primitives, records and the blocks that run them (HMD0054, 0056, 0057,
 * 0062..0072). */
void hmd_check_records(hmd_check *check);

/* hmd_check_refs judges every reference of every record against the bytes and the owners of what it
 * points at (the rules for ranges past the data and for overlaps, of all categories). */
void hmd_check_refs(hmd_check *check);

/* One category each: what is not a matter of ranges. */
void hmd_check_polygons(hmd_check *check);
void hmd_check_images(hmd_check *check);
void hmd_check_mime(hmd_check *check);
void hmd_check_ground(hmd_check *check);
void hmd_check_envmap(hmd_check *check);
void hmd_check_devices(hmd_check *check);
void hmd_check_animation(hmd_check *check);

/* hmd_check_memory judges a mapped asset as such (HMD0170..0176, 0295, 0296); nothing for a file.
 */
void hmd_check_memory(hmd_check *check);

/* hmd_check_coverage accounts for every byte (HMD0012, 0180, 0182; 0181 is told with the
 * references). rest: bytes of a stand-alone file
 * behind the asset, an empty cursor otherwise. */
void hmd_check_coverage(hmd_check *check, fh_cursor rest);

#endif
