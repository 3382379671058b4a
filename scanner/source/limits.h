/* Limits of the readers of sources, with the reason for each number. */
#ifndef FH_SOURCE_LIMITS_H
#define FH_SOURCE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Containers in containers. Real ones are three deep (a collection of discs, each packed, in a
 * format that packs by itself); a compressed archive counts twice. Each level costs 1 MiB and what
 * its unpacker needs. */
#define FH_BOX_MAX_DEPTH 12u

/* Bytes that may come out of a file, in all its levels together: so many for each byte of it that
 * was read, and what is allowed in any case on top of that. Deflate cannot go beyond 1,032 to 1 and
 * comes near it only on a long run of the same byte; a quarter of that leaves room for discs that
 * are mostly empty. */
#define FH_BOX_MAX_RATIO 256
#define FH_BOX_FREE_BYTES ((int64_t)256 << 20)

/* A container that breaks before this many bytes came out may be none: it is searched as it lies,
 * too. Unpackers yield their first bytes in blocks of at most that size. */
#define FH_BOX_MIN_YIELD ((int64_t)64 << 10)

/* Bytes of one member: more than two layers of the largest optical discs have. */
#define FH_BOX_MAX_MEMBER ((int64_t)256 << 30)

/* Members of a source, in all its levels together. Collections that people keep have thousands,
 * trees of programs a few ten thousand; each becomes a row of the database. */
#define FH_BOX_MAX_MEMBERS 262144

/* Bytes kept in memory where a format must be read from its end, but lies in something that can
 * only be read forwards; for all levels together. */
#define FH_BOX_MAX_SPOOL ((size_t)64 << 20)

/* Bytes of a member's name that count. Every file system of today stops at 255 bytes a part. */
#define FH_BOX_MAX_NAME ((size_t)1024)

/* How often libarchive may ask to go on behind damage: a damaged tar costs one for each 512 bytes,
 * and nothing is learned from more. */
#define FH_BOX_MAX_RETRIES 4096u

/* Largest chunk of an RZIP, unpacked: what RetroArch reads at most. It writes 128 KiB. */
#define FH_RZIP_MAX_CHUNK_LEN ((uint32_t)64 << 20)

/* Largest hunk of a CHD: what chdman writes at most. */
#define FH_CHD_MAX_HUNK_LEN ((uint32_t)1 << 20)

/* Most hunks of a CHD: a DVD of two layers in hunks of 4096 bytes, chdman's smallest for discs,
 * has 2.1 million. Their map takes 64 MiB. */
#define FH_CHD_MAX_HUNKS ((uint32_t)4 << 20)

/* Most bytes that come out of a CHD: a DVD of two layers has 8.5 GB. */
#define FH_CHD_MAX_SIZE ((uint64_t)16 << 30)

/* Most bytes that a CHD may announce for each byte of it, above a size that is always allowed. What
 * comes out is held to FH_BOX_MAX_RATIO besides; this refuses at once what could only be a bomb. */
#define FH_CHD_MAX_RATIO ((uint64_t)4096)
#define FH_CHD_FREE_SIZE ((uint64_t)2 << 30)

/* Blocks of metadata of a CHD: 99 tracks and some of other kinds; a chain in a circle ends here. */
#define FH_CHD_MAX_METADATA 256u

/* Ranges of lost bytes of a CHD that are kept one by one. */
#define FH_CHD_MAX_LOST 256u

/* Bytes in which a control file of a disc image must show that it is one: more than any writer puts
 * in remarks and titles before the first track. */
#define FH_SHEET_LOOK ((size_t)16 << 10)

/* Entries of the folder of a control file that are looked at for a name in another case. A folder
 * of that size is an archive of whole collections. */
#define FH_SHEET_MAX_ENTRIES 65536u

/* Folders in a name of a control file. */
#define FH_SHEET_MAX_FOLDERS 8u

/* Chunks of an NRG: some for each of 99 sessions. */
#define FH_NRG_MAX_CHUNKS 512u

/* Sectors with other addresses that are looked at to find those of a directory tree, and after that
 * those of everything else. A sound image has every address where it is expected. */
#define FH_DISC_MAX_ASTRAY 65536u

/* Volume descriptors that are looked at: image format sheet, section 4.1. */
#define FH_ISO_MAX_DESCRIPTORS 64u

/* Directory records of one tree. A disc has 333,000 sectors and a file with content takes one at
 * least; trees of games have a few thousand files. */
#define FH_ISO_MAX_RECORDS ((size_t)1 << 18)

/* Bytes of all names of one tree, as they are kept: 64 for each record. */
#define FH_ISO_MAX_NAMES ((size_t)16 << 20)

/* Directory sectors that are read for one tree. Records have at least 34 bytes, so those above fit
 * in 4,400 sectors; a directory may be much longer than what stands in it. */
#define FH_ISO_MAX_SECTORS 32768u

/* Levels below the root. ECMA-119 has 7, discs that ignore it are known with 20. */
#define FH_ISO_MAX_DEPTH 64u

/* A path with its terminating zero. What every system can take. */
#define FH_ISO_MAX_PATH ((size_t)4096)

/* Sectors of one path table. It has at most 65,535 directories (their numbers have 16 bits), and a
 * record of usual length has 22 bytes. */
#define FH_ISO_MAX_TABLE_SECTORS 1024u

/* Interleaved extents (bytes 26 and 27 of a record). They are looked through one by one where
 * others are found by their place; real discs hardly have any. */
#define FH_ISO_MAX_INTERLEAVED 4096u

/* Sectors of an image that can only be read forwards, of each of which 12 bytes are kept: a DVD of
 * two layers has 4.15 million of 2048 bytes. */
#define FH_KEEP_MAX_SECTORS ((size_t)4 << 20)

/* Sectors of such an image whose 2048 bytes are kept: 32 MiB. The records of the largest tree that
 * is read fit in 4,400 for each of its two forms, and path tables in 1,024 each. What only may be a
 * directory gets no more than half. */
#define FH_KEEP_MAX_BLOCKS ((size_t)16384)

/* Addresses that may be noted as those of directories, each time they are named. */
#define FH_KEEP_MAX_MARKS ((int64_t)4 << 20)

/* How often one file on disk is read again for directories that lie in front of those that name
 * them: once for each of the eight levels that ECMA-119 allows. Discs as they are made need none.
 */
#define FH_KEEP_MAX_PASSES 8u

/* Bytes of a save state that are looked at, unpacked: main RAM, the picture and sound memories and
 * what the devices keep come to less than half; one of the emulators sets this limit itself. */
#define FH_STATE_MAX_LEN ((size_t)32 << 20)

/* Memory that the unpackers of states may take: the window of zstd as a power of two (a state fits
 * into it), and what the strongest preset of xz needs, 65 MiB, with some room. */
#define FH_STATE_WINDOW_LOG 25
#define FH_STATE_XZ_MEMORY ((uint64_t)80 << 20)

/* How far behind a chunk of a movie the next one may lie: the longest interleaving that the drive
 * of the machine can play, for a subheader has 32 channels (image format sheet, section 2.1). */
#define FH_MOVIE_REACH 32u

/* Sectors within which the next one of a pair must lie for it to be interleaved: the same reason.
 * More than that many pairs and one cannot be so at the same time, so that many streams are enough
 * for all: each was met in the last 32 sectors, or is met now. */
#define FH_CHANNEL_REACH 32
#define FH_MAX_CHANNELS ((size_t)FH_CHANNEL_REACH + 1)

/* Work for reading the files whose sectors do not lie in a row, for each sector of the image and at
 * least: reading a sector costs 1, and FH_FILE_JUMP if it is not among those that lie behind the
 * last one, for a block of that many is read then. A file of the worst interleaving, whose units
 * are single sectors far apart, may so take an eighth of a disc. Extents that overlap end here. */
#define FH_FILE_WORK_PER_SECTOR 4
#define FH_FILE_WORK_FLOOR 65536
#define FH_FILE_JUMP 32

/* Files that share a block and are tried for the one whose number the sector has. A drive plays 32
 * at once. */
#define FH_ISO_MAX_SHARING 32u

/* Runs of sectors with one claim that are recorded one by one. A disc whose movies alternate with
 * sound has a run every few sectors, some 80,000 in all; they are summed from here on. */
#define FH_MAX_COVERAGE_RUNS ((size_t)1024)

/* A disc has at most 99 tracks (ECMA-130). */
#define FH_MAX_TRACKS ((size_t)99)

/* LBAs that a finding about an asset's sectors lists by name; the others are counted. Four numbers
 * of six digits fit the text of a finding with what is said around them. */
#define FH_MAX_NAMED_SECTORS ((size_t)4)

#endif
