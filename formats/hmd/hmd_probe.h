/* The search: does an HMD begin here, and how long is it? */
#ifndef FH_HMD_PROBE_H
#define FH_HMD_PROBE_H

#include "core/format.h"
#include "hmd/hmd_model.h"

/* hmd_glance and hmd_probe are the glance and the probe of the format. */
bool hmd_glance(const fh_cursor *bytes);
void hmd_probe(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
               fh_budget *budget);

/* hmd_open makes a model over the bytes, with nothing in it. */
hmd_model hmd_open(fh_cursor bytes);

#endif
