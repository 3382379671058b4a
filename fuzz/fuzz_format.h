/* The driver of every fuzz target: one format, bytes that somebody made up, and what must be true.
 *
 * A target is a file of three lines: it includes this header and says FUZZ_FORMAT("tod"). The same
 * file is built for libFuzzer, for AFL++ and with standalone_main.c as the reproducer.
 *
 * A violated truth prints what it was and aborts:
 *   - probe, verify and replay give the same twice, also when the arena held other bytes before;
 *   - nothing is INTERNAL, and the arena that the scanner provides suffices;
 *   - findings point into the bytes (or at their end), and their message is one line; those of an
 *     asset among other bytes, those of its replay, and errors of what is no text, into the asset;
 *   - an asset is not longer than the bytes; a probe with all bytes at hand decides;
 *   - a probe accepts exactly what verify calls a structure, with the same length; where it
 *     rejects, verify tells the same rule;
 *   - a probe that may still get bytes agrees with one that may not, or wants more of them;
 *   - the memo changes no verdict;
 *   - a companion, which follows a byte 0x1c where the format knows one, changes no structure;
 *   - bytes behind the asset change nothing of it; without its last byte not all that it refers to
 *     is there, which costs it its grade or is told, or it ends earlier;
 *   - no part of an asset has a higher grade than all of it, unless what was cut off was the error
 * that kept it down; and what is appended to one that needs nothing behind it raises no grade (what
 * is exempt stands in the README);
 *   - what is replayed is found by the hunt, at exactly its extent, wherever it lies in a file or
 * on a disc (fuzz_found.h);
 *   - work and memory of verifying stay under bounds for each byte;
 *   - what repair would change lies in the bytes, is of a listed rule, and the same twice;
 *   - the canonical form of a sound text is sound, its own, and moves alike, where no digit is
 * lost;
 *   - what is replayed is written anew by the forge from what was decoded of it, and decodes to the
 * same; of a TOD to the byte, of an HMD from areas in another order (anew.h). So is an HMD that
 * rests. Left out is an HMD as it lies in memory.
 */
#ifndef FUZZ_FORMAT_H
#define FUZZ_FORMAT_H

#include "core/format.h"

#include <stddef.h>
#include <stdint.h>

/* What libFuzzer, AFL++ and standalone_main.c call. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* fuzz_format runs the checks of a format on the bytes. */
void fuzz_format(const fh_format *format, const uint8_t *data, size_t size);

#define FUZZ_FORMAT(format)                                                                        \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                   \
    {                                                                                              \
        fuzz_format(&(format), data, size);                                                        \
        return 0;                                                                                  \
    }

#endif
