/* The kernel: what it leaves in the first 64 KiB of main RAM, by which RAM is told from other
 * bytes.
 *
 * Pure. Two sorts of signs. The vectors: at 0x80, 0xa0, 0xb0 and 0xc0 the kernel of every console
 * writes a jump of three instructions (load of an address, jump to it) and an empty one, or one of
 * two instructions and two empty ones (OpenBIOS); three of the four prove where RAM begins, for
 * programs replace single ones. The texts: messages of the
 * kernel's drivers, which prove that the kernel is near. Sources: psx-spx (BIOS memory map);
 * section 6 of the image format sheet.
 */
#ifndef FH_SOURCE_KERNEL_H
#define FH_SOURCE_KERNEL_H

#include "core/cursor.h"

#include <stdbool.h>

#define FH_KERNEL_LEN ((size_t)64 << 10)

/* fh_kernel_has_vectors tells whether RAM begins at byte `off`, by its vectors. */
bool fh_kernel_has_vectors(const fh_cursor *bytes, size_t off);

/* fh_kernel_find returns the first place behind or at `from` where RAM begins, by its vectors, in
 * steps of a byte; SIZE_MAX if there is none. */
size_t fh_kernel_find(const fh_cursor *bytes, size_t from);

/* fh_kernel_text returns the text of the kernel that stands in the first 64 KiB of bytes, NULL if
 * none does, or if these are no memory but a text that tells of one. */
const char *fh_kernel_text(const fh_cursor *bytes);

#endif
