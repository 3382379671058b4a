/* Save states as containers: those whose RAM does not lie in the file as it is.
 *
 * A state that is compressed by itself (DuckStation), or whose whole file is (a state in gzip, zstd
 * ...: then both are one container), has one member, `state!/ram`: main RAM, from its first byte
 * on. Offsets in it count from there, for the file has no byte that a hit could be at. A state that
 * lies in its file as it is, is no container: the hunt finds the RAM in it, and offsets are those
 * in the file.
 *
 * Where no RAM is found in an unpacked state, all of it is the member, `state!/data`, and searched
 * like any file. At most FH_STATE_MAX_LEN bytes of the unpacked state are held in memory while it
 * is looked at.
 */
#ifndef FH_SOURCE_STATE_BOX_H
#define FH_SOURCE_STATE_BOX_H

#include "source/box.h"

#define FH_STATE_MEMBER "ram"
#define FH_STATE_REST "data" /* all of a state in which no RAM was found */

bool fh_state_box_is_packed(const fh_cursor *window);
fh_box_status fh_state_box_open_packed(fh_box *box);

bool fh_state_box_is_plain(const fh_cursor *window);
fh_box_status fh_state_box_open_plain(fh_box *box);

#endif
