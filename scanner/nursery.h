/* Cells: processes that examine candidates for the program and may die of it.
 *
 * The nursery is a process that is forked before there are threads, open sources and walls
 * (sandbox.h), and does nothing but fork cells, each behind the closest walls there are, and bury
 * them. A cell gets one order after the other through a socket, examines it, and answers (see
 * hunt/exam_pack.h). What it answers is as little trusted as the bytes it was given. When it dies,
 * hangs, or answers nonsense, it is buried, the candidate is lost, and the next one gets a new
 * cell.
 *
 * One nursery serves all threads of the program, each of which has a cell of its own. All of them
 * end when the program does, however it ends.
 */
#ifndef FH_SCANNER_NURSERY_H
#define FH_SCANNER_NURSERY_H

#include "core/status.h"
#include "hunt/exam_pack.h"
#include "source/tape.h"

#include <sys/types.h>

/* Seconds that examining a candidate may take unless the user says otherwise. Work is bounded by
 * budgets (core/limits.h), and of the files that the tests make to cost much none took longer than
 * 0.7 s: this is for a fault, and far enough away for a slow and busy machine. */
#define FH_TIME_LIMIT 120u

typedef struct fh_nursery_options {
    uint32_t seconds;  /* that examining one candidate may take, by the clock */
    size_t max_memory; /* bytes that a cell may take; 0: what the largest asset needs */
    /* For tests: called in the cell in front of each examination; NULL: nothing is. */
    void (*before)(const fh_exam_order *order);
} fh_nursery_options;

typedef struct fh_nursery fh_nursery;

/* fh_nursery_begin forks the nursery; NULL, and errno: it cannot. The calling thread must live as
 * long as the cells are to. */
fh_nursery *fh_nursery_begin(const fh_nursery_options *options) FH_MUST_USE;

/* fh_nursery_end ends it, after all cells were given back. NULL is allowed. */
void fh_nursery_end(fh_nursery *nursery);

/* One thread's cell; zero but for the nursery, and NULL there is none: it examines by itself. */
typedef struct fh_cell {
    fh_nursery *nursery; /* borrowed */
    fh_stop stop;        /* of the file that is searched */

    /* Private. */
    bool is_alive;
    pid_t pid;
    int socket;
    fh_packed order; /* its bytes are used again */
} fh_cell;

/* fh_cell_examine does as fh_exam_run; see fh_hunt_options. Where no process can be raised it
 * complains, once, and examines by itself. */
fh_exam_end fh_cell_examine(fh_cell *cell, fh_exam *exam, fh_finding *lost, const fh_format *format,
                            fh_cursor bytes, const fh_exam_options *options);

/* fh_cell_free gives the cell back. */
void fh_cell_free(fh_cell *cell);

#endif
