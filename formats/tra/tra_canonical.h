/* The canonical form of a TRA4 text.
 *
 * That of the specification's samples, without their empty lines: `;TRA` alone on its line, one
 * chunk a line, two blanks for each level, one blank between tokens, LF. Figure holds name (if
 * there is one), totalFrame, the bones and DynamicPolygons (if there is one); a bone its name and
 * the ten channels in the manual's order. Comments, and chunks that the manual does not know, are
 * left out; keys keep the order of the file. Values have six decimals, or as many more as it takes
 * to read the same single-precision number back. Names keep their bytes; of UTF-16 texts they are
 * written in UTF-8, and must fit the 255 bytes of a name then.
 */
#ifndef FH_TRA_CANONICAL_H
#define FH_TRA_CANONICAL_H

#include "core/format.h"

/* tra_canonical is the canonical of the format; model comes from tra_verify. */
fh_status tra_canonical(const fh_env *env, const fh_text_sink *out, const void *model) FH_MUST_USE;

#endif
