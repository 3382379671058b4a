#include "hmd/hmd_checks.h"
#include "hmd/hmd_ground.h"

enum { LEAST_VERTICES = 2 };

/* y comes from the row's position in the list, the heights from the line of its first vertex. */
static void check_row(const hmd_check *check, const hmd_ground *ground, uint32_t i,
                      const hmd_ground_row *row)
{
    const uint32_t column = row->idx % ground->nw;
    const uint32_t line = row->idx / ground->nw;
    if (column + row->num_cells > ground->nw - 1) {
        hmd_tell(check, HMD0141, "column of the last corner", row->at,
                 fh_dec((int64_t)column + row->num_cells, ""),
                 fh_dec_after("at most ", ground->nw - 1, ""));
    }
    if (line != i) {
        hmd_tell(check, HMD0144, "line of idx", row->at, fh_dec(line, ""), fh_dec(i, ""));
    }
}

static void check_rows(hmd_check *check, const hmd_ground *ground)
{
    hmd_ground_row row;
    for (uint32_t i = 0; i < ground->num_rows && hmd_spend(check, 1); i++) {
        if (!hmd_ground_row_of(check, ground, i, &row)) {
            return;
        }
        if (row.num_cells > 0) {
            check_row(check, ground, i, &row);
        }
    }
}

/* Two half words each: nw, nh; rows, base. */
static void check_head(const hmd_check *check, const hmd_ground *ground)
{
    const uint32_t at = (uint32_t)ground->polygon;
    if (ground->nw < LEAST_VERTICES) {
        hmd_tell(check, HMD0141, "vertices per line", at + 2, fh_dec(ground->nw, ""),
                 fh_dec_after("at least ", LEAST_VERTICES, ""));
    }
    if (ground->num_rows + 1 != ground->nh) {
        hmd_tell(check, HMD0145, "number of rows", at + 3, fh_dec(ground->num_rows, ""),
                 fh_dec((int64_t)ground->nh - 1, ", which is nh - 1"));
    }
}

static void check_record(hmd_check *check, void *user)
{
    hmd_ground ground;
    (void)user;
    if (check->record->category != HMD_GROUND || !hmd_ground_read(check, &ground) ||
        !hmd_has(check->model, ground.polygon, HMD_GROUND_HEAD_WORDS)) {
        return;
    }
    check_head(check, &ground);
    if (ground.nw >= LEAST_VERTICES) {
        check_rows(check, &ground);
    }
}

void hmd_check_ground(hmd_check *check)
{
    hmd_for_each_record(check, check_record, NULL);
}
