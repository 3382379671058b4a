/* File streams: the user data of files of the directory whose sectors do not lie in a row, or lie
 * in two streams.
 *
 * These are the files with several extents, those interleaved by unit and gap, on XA discs those
 * that share their place with others and are told from them by the file number in the subheaders,
 * and those with sectors of both forms: only its directory record says that data go on from one
 * form to the other (image format sheet, sections 1.2 and 4.2). Each is handed out as
 * FH_STREAM_FILE: sectors of XA audio and of movies are left out, Form 1 and Form 2 follow each
 * other as they lie, of an extent that is not the last one no more bytes than it has. At the end of
 * the file comes a seam, and one where a sector is not there.
 *
 * An interleaved XA file goes on until a sector of its number has the end of file bit, or as many
 * of its sectors were met as its size says, or none follows within FH_CHANNEL_REACH: writers differ
 * in whether the size counts the sectors of the others. Its number is that of its first sector.
 *
 * Work is bounded whatever a tree says: see FH_FILE_WORK_PER_SECTOR. Owns nothing.
 */
#ifndef FH_SOURCE_FILE_STREAM_H
#define FH_SOURCE_FILE_STREAM_H

#include "source/files.h"
#include "source/stream.h"

typedef struct fh_file_streams {
    fh_files *files;            /* borrowed */
    const fh_stream_sink *sink; /* borrowed; its piece, seam, skip and stop are used */
    int64_t stream_off;         /* of the next byte */
    int64_t work_left;
    int64_t num_left_out; /* files for which it did not suffice, in whole or in part */
    /* Raw offsets between which pairs were interleaved: XA files elsewhere hold nothing that was
     * not found. Nothing was where first is not before end. */
    int64_t mixed_first, mixed_end;
} fh_file_streams;

/* fh_file_streams_make takes the tree of files, whose image has been read. */
fh_file_streams fh_file_streams_make(fh_files *files, const fh_stream_sink *sink);

/* fh_file_streams_count returns how many files have several extents, sectors of others between
 * their own by their directory records, or sectors of both forms. */
size_t fh_file_streams_count(fh_files *files);

/* fh_file_streams_wants tells whether a file of the primary tree is to be handed out. */
bool fh_file_streams_wants(fh_file_streams *streams, size_t file);

/* fh_file_streams_put hands it out. false: the sink wants no more. */
bool fh_file_streams_put(fh_file_streams *streams, size_t file) FH_MUST_USE;

#endif
