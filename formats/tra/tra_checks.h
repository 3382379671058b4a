/* The checks over the tables: each looks at the model and tells what breaks a rule.
 */
#ifndef FH_TRA_CHECKS_H
#define FH_TRA_CHECKS_H

#include "tra/tra_bac.h"

/* tra_check_bones judges names and what channels are there (TRA0060, TRA0062..TRA0064). */
void tra_check_bones(tra_check *check);

/* tra_check_keys judges the frames of keys (TRA0070..TRA0076). */
void tra_check_keys(tra_check *check);

/* tra_check_values judges roll, scale and translate (TRA0087..TRA0091). */
void tra_check_values(tra_check *check);

/* tra_check_rotate follows each bone's direction, at its keys and on the straight pieces between
 * them (TRA0080..TRA0086). */
void tra_check_rotate(tra_check *check);

/* tra_check_dynamic judges the keys of dynamic polygons (TRA0100..TRA0102, TRA0105..TRA0109). */
void tra_check_dynamic(tra_check *check);

/* tra_check_bac holds the animation against its model (TRA0120..TRA0123). */
void tra_check_bac(tra_check *check, const tra_bac *bac);

#endif
