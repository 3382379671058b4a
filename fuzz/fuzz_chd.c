/* A CHD: any bytes behind the head of one, so that no input is spent on finding it. The first byte
 * says which codecs the head names, then come the bytes of the file from its 17th on: what the
 * head says of sizes, offsets and hashes, the map, metadata and hunks. What must be true stands in
 * fuzz_container.c.
 */
#include "fuzz_open.h"

#include <string.h>

enum { CODECS_OFF = 16, CODECS_LEN = 16, MOST_BYTES = 1 << 20 };

/* Sets of four codecs; the last one: those that stand in the bytes. */
static const char codecs[][CODECS_LEN + 1] = {
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    "cdlzcdzlcdfl\0\0\0\0",
    "cdzscdzlcdflcdlz",
    "lzmazlibhuffflac",
    "zstdzlibhuffflac",
    "zlib\0\0\0\0\0\0\0\0\0\0\0\0",
};
enum { NUM_SETS = sizeof codecs / sizeof codecs[0] };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t file[MOST_BYTES];
    static const uint8_t head[CODECS_OFF] = {'M', 'C', 'o', 'm', 'p', 'r', 'H', 'D',
                                             0,   0,   0,   124, 0,   0,   0,   5};
    if (size == 0 || size - 1 > MOST_BYTES - CODECS_OFF) {
        return 0;
    }
    memcpy(file, head, sizeof head);
    memcpy(file + CODECS_OFF, data + 1, size - 1);
    const unsigned set = data[0] % (NUM_SETS + 1);
    if (set < NUM_SETS && size - 1 >= CODECS_LEN) {
        memcpy(file + CODECS_OFF, codecs[set], CODECS_LEN);
    }
    fuzz_open(file, CODECS_OFF + size - 1);
    return 0;
}
