/* Archives and compressed files, through libarchive: each kind with its own reader and nothing
 * else, because the first bytes have told already what it is.
 *
 * Members are streamed from the library; nothing is unpacked to disk. zip is read forwards by its
 * local headers, so that what is whole in front of damage is found and a pipe yields the same as a
 * file; its central directory is then held against what was met. 7z is read from its end and must
 * be able to seek. How much memory an unpacker takes (dictionaries) stands in the archive: it is
 * touched only as far as bytes come out, of which there is a limit.
 */
#ifndef FH_SOURCE_ARCHIVE_H
#define FH_SOURCE_ARCHIVE_H

#include "source/box.h"

/* fh_archive_version is the library's name and version. */
const char *fh_archive_version(void);

/* Without the library these are not there; see source/container.c. */
fh_box_status fh_archive_open_zip(fh_box *box);
fh_box_status fh_archive_open_7z(fh_box *box);
fh_box_status fh_archive_open_tar(fh_box *box);
fh_box_status fh_archive_open_cpio(fh_box *box);
fh_box_status fh_archive_open_ar(fh_box *box);
fh_box_status fh_archive_open_rar(fh_box *box);
fh_box_status fh_archive_open_rar5(fh_box *box);
fh_box_status fh_archive_open_cab(fh_box *box);
fh_box_status fh_archive_open_lha(fh_box *box);
fh_box_status fh_archive_open_bzip2(fh_box *box);
fh_box_status fh_archive_open_xz(fh_box *box);
fh_box_status fh_archive_open_lzip(fh_box *box);
fh_box_status fh_archive_open_zstd(fh_box *box);
fh_box_status fh_archive_open_lz4(fh_box *box);

#endif
