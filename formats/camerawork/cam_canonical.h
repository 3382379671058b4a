/* The canonical form of a camerawork text: what the program itself writes.
 *
 * Integers as %d, numbers as %.6e with two digits of the exponent, or three where it takes them;
 * one blank between columns, LF. Numbers with more digits are rounded, ties to even: the grammar
 * has six. Source: grammar of ZINDAIJI 0.985, the writer.
 */
#ifndef FH_CAM_CANONICAL_H
#define FH_CAM_CANONICAL_H

#include "core/format.h"

/* cam_canonical is the canonical of the format; model comes from cam_verify. */
fh_status cam_canonical(const fh_env *env, const fh_text_sink *out, const void *model) FH_MUST_USE;

#endif
