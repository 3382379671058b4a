/* The layout of a TOD file as a table. Source: TOD manuals, corrected by real files. */
#ifndef FH_TOD_SCHEMA_H
#define FH_TOD_SCHEMA_H

#include "core/schema.h"

extern const fh_schema tod_schema;

/* Which rules look at what: tod_governance.c. */
extern const fh_governance tod_governance;

#endif
