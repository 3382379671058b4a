/* The three parts of a ground: its polygon record, its grid and its heights. */
#ifndef FH_HMD_GROUND_H
#define FH_HMD_GROUND_H

#include "hmd/hmd_refs.h"

enum { HMD_GROUND_HEAD_WORDS = 4, HMD_UV_WORDS = 3 };

typedef struct hmd_ground {
    bool is_textured;
    hmd_arg polygons, grid, heights, normals, uvs; /* sections */
    uint64_t polygon, cells, first_height;         /* words: record, first cell, first height */
    uint32_t nw, nh;                               /* vertices per row, rows of vertices */
    uint32_t num_rows, base;
} hmd_ground;

/* hmd_ground_read reads the head of check->record's ground; false when record, header or head are
 * not there. polygon is valid if the sections are. */
bool hmd_ground_read(const hmd_check *check, hmd_ground *out);

typedef struct hmd_ground_row {
    uint32_t at; /* word of its index and number of cells */
    uint32_t idx, num_cells;
} hmd_ground_row;

/* hmd_ground_row_of reads row i; false outside the bytes. */
bool hmd_ground_row_of(const hmd_check *check, const hmd_ground *ground, uint32_t i,
                       hmd_ground_row *out);

/* hmd_ground_cell returns the word of the grid entry of cell j of a row: row i has one entry less
 * than it has vertices. Negative places are HMD_NONE, as those beyond any asset. */
uint32_t hmd_ground_cell(const hmd_ground *ground, uint32_t i, const hmd_ground_row *row,
                         uint32_t j);

#endif
