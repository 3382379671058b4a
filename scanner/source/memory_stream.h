/* Main RAM as a stream: what fh_source_stream is for discs, for dumps and plain save states.
 *
 * The source is read into memory first, as much of it as a state or a console's RAM can be, and the
 * RAM is found there (source/memory.h). Its bytes are then handed out as FH_STREAM_PLAIN: offsets
 * in the stream and user offsets count from RAM's first byte that is there, raw offsets from the
 * source's. Bytes of a dump behind what RAM can be are FH_STREAM_RAW; what else a save state has
 * (picture, sound, registers) is read and not searched, but FH_STREAM_RAW where RAM was only
 * guessed to be. A dump that holds the same 2 MiB several
 * times is handed out once (IMG0053).
 */
#ifndef FH_SOURCE_MEMORY_STREAM_H
#define FH_SOURCE_MEMORY_STREAM_H

#include "source/memory.h"
#include "source/stream.h"

typedef struct fh_memory_plan {
    const fh_memory_kind *kind; /* of a source that was recognised, else NULL: a dump */
    bool has_address;           /* the address of a dump's first byte is known: */
    uint32_t address;
} fh_memory_plan;

/* fh_memory_of_reader is fh_memory_of for what a reader has. A guess is not made where it would
 * keep somebody waiting who writes into a pipe, or where a control file says what the bytes are. */
const fh_memory_kind *fh_memory_of_reader(const fh_reader *reader, const fh_cursor *window);

/* fh_memory_stream reads the source to its end. *out is filled before the first piece is handed
 * out; its length is that of what is handed out, its product stays NULL where no RAM is found in a
 * state, and all bytes are then handed out as those of a plain file. Its offset is that in the
 * source. */
fh_source_status fh_memory_stream(fh_memory *out, fh_reader *reader, const fh_memory_plan *plan,
                                  const fh_stream_sink *sink) FH_MUST_USE;

#endif
