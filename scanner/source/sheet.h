/* Sheets: control files of disc images, which say which files are the disc and where its tracks
 * lie in them.
 *
 *   cue  text: FILE, TRACK, INDEX, PREGAP ...      told by its first commands
 *   ccd  text: [CloneCD], [Entry n], [TRACK n]     told by its first section
 *   mds  binary: MEDIA DESCRIPTOR                  told by its first bytes
 *
 * Pure: reads bytes that are in memory, opens nothing; source/sheet_files.h looks the files up.
 * What is wrong is told in tallies: IMG0020 for what cannot be understood, IMG0023 and IMG0025 for
 * numbers, IMG0027, IMG0028. What cannot be understood takes with it what is said of the tracks
 * of that file, and no more: the file is then judged by its content, as without a sheet. Sources:
 * image format sheet, sections 5 and 5.1.
 *
 * An fh_sheet owns its memory until fh_sheet_close.
 */
#ifndef FH_SOURCE_SHEET_H
#define FH_SOURCE_SHEET_H

#include "source/tally.h"
#include "source/tracks.h"

typedef enum fh_sheet_kind {
    FH_SHEET_NONE = 0,
    FH_SHEET_CUE,
    FH_SHEET_CCD,
    FH_SHEET_MDS
} fh_sheet_kind;

/* A name with its terminating zero: what a path can have. */
#define FH_SHEET_MAX_NAME ((size_t)1024)

typedef struct fh_sheet_file {
    char name[FH_SHEET_MAX_NAME]; /* as it stands in the sheet */
    bool is_extension;            /* name is ".img": the sheet's own name with that at its end */
    int64_t at;                   /* byte of the sheet where it is named */
    bool is_image;                /* BINARY, MOTOROLA; else sound, which is not read */
    size_t first_part;
    size_t num_parts; /* 0: nothing is known of its tracks */
    int64_t end;      /* of its sectors, see fh_tracks */
    bool is_doubtful; /* something about its tracks could not be understood */
} fh_sheet_file;

typedef struct fh_sheet {
    fh_sheet_kind kind;
    fh_sheet_file files[FH_MAX_TRACKS];
    size_t num_files;
    fh_track_part parts[FH_MAX_TRACK_PARTS];
    size_t num_parts;
    bool lba_is_whole;   /* lba of parts is that of the disc; else the sectors of all files before
                            are to be added */
    bool has_subchannel; /* a second file `*.sub`, 96 bytes a sector */
} fh_sheet;

/* fh_sheet_kind_of tells from the first bytes what they begin; FH_SHEET_NONE: no sheet. */
fh_sheet_kind fh_sheet_kind_of(const fh_cursor *bytes);

/* fh_sheet_kind_name returns "cue sheet" ... */
const char *fh_sheet_kind_name(fh_sheet_kind kind);

/* fh_sheet_read reads a sheet of a kind other than FH_SHEET_NONE. *out becomes NULL, and false is
 * returned, where there is no memory. is_cut: the bytes are only the beginning of the sheet. */
bool fh_sheet_read(fh_sheet **out, fh_sheet_kind kind, const fh_cursor *bytes, bool is_cut,
                   fh_tallies *faults) FH_MUST_USE;
void fh_sheet_close(fh_sheet *sheet);

/* fh_sheet_tracks returns what the sheet says of a file, num_parts 0 where it is nothing. */
fh_tracks fh_sheet_tracks(const fh_sheet *sheet, size_t file);

#endif
