/* Any bytes, opened as containers: archives, gzip, ECM, PBP, CHD, packed save states, and all of
 * them in each other. What must be true, whatever the bytes are:
 *   - the opener ends by itself, or because its sink, or who may stop it, says so;
 *   - who has enough is given no more;
 *   - a member's path begins with that of its container and `!/`, no two sources have the same
 *     path, and none is empty;
 *   - a source that can be read at any place has the same bytes there as forwards;
 *   - what comes out, read to its end, stays under the stated ratio to what went in;
 *   - faults have a message of one line, and their offsets are none or not negative;
 *   - the same bytes opened twice yield the same paths, bytes and faults;
 *   - in containers without faults a source that is asked for by its path alone has the same bytes;
 *   - memory stays under the bounds of source/limits.h, time under one for each byte.
 */
#include "fuzz_open.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_open(data, size);
    return 0;
}
