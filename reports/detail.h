/* The detail of an asset: its bytes, what each of them is, and how it moves.
 *
 * None of that is in a database: whoever tells it has read the source again. A form that shows it
 * asks for the fields and for the poses while it is told; both come through sinks that the form
 * gives. Everything pointed to is borrowed for the call.
 */
#ifndef FH_REPORTS_DETAIL_H
#define FH_REPORTS_DETAIL_H

#include "core/describe.h"
#include "core/scene.h"
#include "core/sink.h"

/* How a replay went. Strings are constant or NULL. */
typedef struct fh_detail_played {
    const char *evaluator;
    const char *status; /* as the database has it, such as "complete"; NULL: nothing was played */
    const char *why;    /* why not, or why not to its end */
    bool has_world;     /* poses in world space are among them */
} fh_detail_played;

typedef struct fh_detail {
    int64_t asset_id;
    const char *why_not;  /* why nothing is known; what follows is then empty. NULL: it is known */
    const uint8_t *bytes; /* of the asset */
    size_t len;
    bool is_text;
    void *user;
    fh_status (*describe)(void *user,
                          const fh_field_sink *out);         /* NULL: fields are not known; what
                                                                was told before an error holds */
    fh_status (*look)(void *user, const fh_scene_sink *out); /* likewise: what there is to see */
    void (*play)(void *user, fh_detail_played *played, const fh_sink *poses); /* likewise */
} fh_detail;

#endif
