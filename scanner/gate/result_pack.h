/* The result of a check as bytes, and back: what a cache keeps of a file.
 *
 * Kept is what hangs on the content of the file and of its companion: not the path, and not what
 * reading it told. Whoever changes fh_result changes this file, and counts up FH_RESULT_VERSION:
 * results that were packed otherwise are then no more found.
 */
#ifndef FH_GATE_RESULT_PACK_H
#define FH_GATE_RESULT_PACK_H

#include "gate/result.h"
#include "hunt/pack.h"

#define FH_RESULT_VERSION 1u

/* fh_result_pack appends a result; see no_memory of out. Only of results that are whole: without
 * error, and with every finding. */
void fh_result_pack(fh_packed *out, const fh_result *result);

/* fh_result_unpack fills a result from len packed bytes, which it takes over if it returns true;
 * path, exit and what was told stay, and so do size and hash. false: these bytes are no packed
 * result, and nothing is changed. The bytes are read with care, but come from a place that only
 * the user can write to. */
bool fh_result_unpack(fh_result *result, uint8_t *bytes, size_t len) FH_MUST_USE;

#endif
