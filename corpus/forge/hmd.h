/* HMD files: built from the description language, and mapped as the run-time library does it.
 *
 * The language is documented in README.md. Both functions work in memory; the caller owns the
 * bytes. Nothing here is shared with the decoders: the layouts are written down a second time.
 */
#ifndef FORGE_HMD_H
#define FORGE_HMD_H

#include "forge/buf.h"
#include "forge/error.h"

/* The largest file the command line builds or maps. */
enum { FORGE_HMD_LIMIT = 16 * 1024 * 1024 };

/* forge_hmd_text builds the file that text describes, at most limit bytes. The caller frees out
 * whatever the result is; on failure its bytes mean nothing. */
bool forge_hmd_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                    size_t limit) FORGE_MUST_USE;

/* How far a program has come with a file in memory. Each stage includes those before it. */
typedef enum forge_hmd_stage {
    FORGE_HMD_MAPPED,      /* GsMapUnit: offsets are addresses */
    FORGE_HMD_SCANNED,     /* GsScanUnit: types are driver addresses */
    FORGE_HMD_COORDINATES, /* GsMapCoordUnit, GsScanAnim: supers and the table's types, too */
    FORGE_HMD_PLAYING      /* the same bytes: what a player changes is not played here */
} forge_hmd_stage;

typedef struct forge_hmd_driver {
    uint32_t type; /* exactly so, or without INI (0x00800000) */
    uint32_t address;
} forge_hmd_driver;

typedef struct forge_hmd_memory {
    uint32_t base; /* address of the file's first word, a multiple of 4 */
    forge_hmd_stage stage;
    const forge_hmd_driver *drivers; /* borrowed; the others get addresses of their own */
    size_t num_drivers;
    bool has_root;
    uint32_t root; /* what supers of 0 become from FORGE_HMD_COORDINATES on */
} forge_hmd_memory;

enum { FORGE_HMD_DEFAULT_BASE = 0x100000 }; /* within KSEG0, see FORGE_HMD_KSEG0 */
#define FORGE_HMD_KSEG0 UINT32_C(0x80000000)

/* forge_hmd_map does to the file what the library does to it. It fails, with the bytes half
 * changed, for a file that is mapped already or whose parts run past len. */
bool forge_hmd_map(uint8_t *bytes, forge_error *err, size_t len,
                   const forge_hmd_memory *memory) FORGE_MUST_USE;

#endif
