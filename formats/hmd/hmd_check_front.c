#include "hmd/hmd_checks.h"

#include "fixed/fixed.h"
#include "hmd/hmd_shape.h"

/* Differences of a matrix element that come from another way of rounding: real files have them. */
#define MOST_DIFFERENCE 16

/* ---- coordinates ------------------------------------------------------------------------------
 */

/* Fields that the run-time fills and files leave 0. */
typedef struct field {
    const char *name;
    uint8_t first, num; /* words of the unit */
    uint32_t mask;
} field;

static const field fields[] = {
    {"flg", HMD_FLAG_WORD, 1, UINT32_MAX},
    {"pad of the matrix", HMD_TRANS_WORD - 1, 1, 0xffff0000},
    {"workm", HMD_WORKM_WORD, HMD_ROT_WORD - HMD_WORKM_WORD, UINT32_MAX},
    {"pad of rot", HMD_ROT_WORD + 1, 1, 0xffff0000},
};

static void check_field(const hmd_check *check, const field *what, uint32_t unit)
{
    for (uint32_t i = 0; i < what->num; i++) {
        const uint32_t at = unit + what->first + i;
        const uint32_t value = hmd_word(check->model, at) & what->mask;
        if (value != 0) {
            const bool is_half = what->mask != UINT32_MAX;
            hmd_tell_byte(check, HMD0026, what->name, HMD_WORD_LEN * at + (is_half ? 2 : 0),
                          fh_hex(is_half ? hmd_high(value) : value), fh_dec(0, ""));
            if (!check->reporter->sink->tells_all) {
                return; /* one finding is enough, but a repair needs the others */
            }
        }
    }
}

/* Largest difference between the stored matrix and the one of the stored angles. */
static void check_matrix(const hmd_check *check, uint32_t unit)
{
    const hmd_model *model = check->model;
    int16_t angle[3];
    fx_matrix matrix = {0};
    int32_t most = 0;
    uint32_t where = 0;
    for (uint32_t i = 0; i < 3; i++) {
        angle[i] = hmd_s16(model, unit + HMD_ROT_WORD + i / 2, i % 2);
    }
    fx_rotate(&matrix, angle, FX_XYZ);
    for (uint32_t i = 0; i < 9; i++) {
        const int32_t found = hmd_s16(model, unit + HMD_MATRIX_WORD + i / 2, i % 2);
        const int32_t difference = found - matrix.m[i / 3][i % 3];
        const int32_t size = difference < 0 ? -difference : difference;
        where = size > most ? i : where;
        most = size > most ? size : most;
    }
    if (most > MOST_DIFFERENCE) {
        const size_t off = HMD_WORD_LEN * (unit + HMD_MATRIX_WORD) + 2 * (size_t)where;
        const int32_t found = hmd_s16(model, unit + HMD_MATRIX_WORD + where / 2, where % 2);
        hmd_tell_byte(check, HMD0027, "matrix element", off, fh_dec(found, ""),
                      fh_dec_after("", matrix.m[where / 3][where % 3], " as in the rotation's"));
    }
}

/* In memory these fields hold what the run-time wrote. */
static void check_units(hmd_check *check)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_units && hmd_spend(check, HMD_UNIT_WORDS); i++) {
        check->unit = i;
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
            check_field(check, &fields[k], hmd_unit(model, i));
        }
        check_matrix(check, hmd_unit(model, i));
    }
    hmd_clear_place(check);
}

/* ---- the record that maps the coordinates -----------------------------------------------------
 */

static void check_mapping_header(const hmd_check *check)
{
    const hmd_model *model = check->model;
    const uint32_t header = hmd_header_of(model, check->record);
    const uint32_t num = header == HMD_NONE ? 0 : model->headers[header].num_words;
    const hmd_arg last = hmd_arg_of(model, header, num > 0 ? num - 1 : 0);
    if (header == HMD_NONE || (last.is_there && last.off == model->coordinates)) {
        return;
    }
    const uint32_t wanted = model->coordinates | (hmd_is_memory(model) ? 0 : HMD_MSB);
    hmd_tell(check, HMD0030, "last header word",
             last.is_there ? last.at : model->headers[header].off,
             last.is_there ? fh_hex(last.raw) : fh_words("missing"),
             hmd_is_memory(model) ? fh_words("the address of the coordinates") : fh_hex(wanted));
}

static void check_mapping(hmd_check *check, void *user)
{
    const hmd_record **first = user;
    const hmd_record *record = check->record;
    if (!hmd_is_mapping(record)) {
        return;
    }
    if (*first != NULL) {
        const uint32_t at = (uint32_t)HMD_WORD_LEN * (*first)->off;
        hmd_tell(check, HMD0029, "INI record", record->off, fh_words("a further one"),
                 (fh_value){FH_VALUE_HEX, "only the one at ", at, ""});
        return;
    }
    *first = record;
    check_mapping_header(check);
    const uint32_t index =
        (uint32_t)(record - check->model->records) - check->primitive->first_record;
    if (index > 0) {
        hmd_tell(check, HMD0031, "index of the INI record", record->off, fh_dec(index, ""),
                 fh_dec(0, ""));
    }
}

void hmd_check_front(hmd_check *check)
{
    const hmd_model *model = check->model;
    const hmd_record *mapping = NULL;
    if (hmd_is_memory(model)) {
        hmd_tell(check, HMD0004, "map flag", 1, fh_dec(hmd_word(model, 1), ""),
                 fh_words("0 in a file"));
    } else {
        check_units(check);
    }
    if (model->num_units > model->num_blocks - 2) {
        hmd_tell(check, HMD0022, "number of coordinates", model->coordinates,
                 fh_dec(model->num_units, ""), fh_dec((int64_t)model->num_blocks - 2, ""));
    }
    hmd_for_each_record(check, check_mapping, &mapping);
    /* Programs clear INI once the coordinates are mapped. */
    if (mapping == NULL && model->num_units > 0 && !hmd_is_memory(model) && !check->stopped) {
        hmd_tell(check, HMD0028, "records with INI", model->coordinates, fh_dec(0, ""),
                 fh_dec(1, ""));
    }
}
