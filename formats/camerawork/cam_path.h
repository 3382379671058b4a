/* The path between keys: lists of keys, their velocities, and the cubic between two of them.
 *
 * Camera and anchor have lists of their own. A key with a value that is not finite stays in its
 * list as a hole: the segments that touch it are not evaluated, and no velocity is taken from it.
 * Source: the sheet's reference evaluation; that of the program is not published.
 */
#ifndef FH_CAM_PATH_H
#define FH_CAM_PATH_H

#include "camerawork/cam_maths.h"
#include "camerawork/cam_model.h"
#include "core/arena.h"

enum { CAM_CAMERA_PARTS = 9, CAM_ANCHOR_PARTS = 3 };

typedef struct cam_key {
    uint32_t row; /* place in the model's table */
    bool is_hole;
    bool is_stored;                /* its velocities stand in the file */
    bool is_one_sided;             /* its automatic velocity is that towards its only neighbour */
    const double *at;              /* its own values, in the row */
    double rate[CAM_CAMERA_PARTS]; /* per unit of time */
} cam_key;

typedef struct cam_path {
    const cam_model *model;
    unsigned num_parts; /* CAM_CAMERA_PARTS: position, target, top; or CAM_ANCHOR_PARTS */
    uint32_t most_rows; /* rows that are looked at */
    double time_step;
    uint32_t num_keys;
    cam_key *keys;
} cam_path;

/* cam_path_make lists the keys among the first most_rows rows and works out their velocities. */
fh_status cam_path_make(cam_path *path, const cam_model *model, fh_arena *arena, bool is_anchor,
                        uint32_t most_rows, double time_step) FH_MUST_USE;

/* cam_path_span returns the time between key `first` and the one behind it. */
double cam_path_span(const cam_path *path, uint32_t first);

/* cam_path_between evaluates a row between key `first` and the one behind it. */
void cam_path_between(double *out, const cam_path *path, uint32_t first, uint32_t row);

/* cam_path_poly returns one component between key `first` and the one behind it. */
cam_poly cam_path_poly(const cam_path *path, uint32_t first, unsigned part);

#endif
