/* The checks over the table: each looks at the model and tells what breaks a rule. */
#ifndef FH_TOD_CHECKS_H
#define FH_TOD_CHECKS_H

#include "core/format.h"
#include "tod/tod_model.h"

/* tod_check_frames judges frame numbers and empty frames (TOD0026..TOD0030). */
void tod_check_frames(tod_check *check);

/* tod_check_packets judges types, flags, ids and payloads, packet by packet (TOD0042..TOD0051 and
 * the rules on values). */
void tod_check_packets(tod_check *check);

/* tod_check_objects follows the life of every object: create, kill, parents (TOD0060..TOD0067,
 * TOD0092..TOD0095). FH_NO_MEMORY when the arena is full. */
fh_status tod_check_objects(tod_check *check, fh_arena *arena) FH_MUST_USE;

#endif
