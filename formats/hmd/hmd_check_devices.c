#include "hmd/hmd_checks.h"
#include "hmd/hmd_devices.h"

#include <assert.h>

#define PROJECTION 0x07000100u
#define FIX_CAMERA 0x07020100u
#define AMBIENT 0x07000200u
#define MOST_DISTANCE 0xffff /* that the register of the geometry engine holds */

enum {
    MOST_LIGHT = 2,
    PARAMETERS_ARG = 0,
    FIRST_COORDINATE_ARG = 1,
    CAMERA_POSITION = 2, /* words in the parameters; the target follows the position */
    LIGHT_POSITION = 1,
    POINT_WORDS = 3
};

static uint32_t parameters_of(const hmd_check *check)
{
    return hmd_arg_of(check->model, hmd_header_of(check->model, check->record), PARAMETERS_ARG).off;
}

/* ---- coordinates ------------------------------------------------------------------------------
 */

/* A header that is too short for the pointer is told as such. */
static void check_coordinates(const hmd_check *check, const hmd_device_kind *kind)
{
    const uint32_t header = hmd_header_of(check->model, check->record);
    for (uint32_t i = 0; i < kind->num_coordinates; i++) {
        const hmd_arg arg = hmd_arg_of(check->model, header, FIRST_COORDINATE_ARG + i);
        if (arg.is_there && hmd_unit_at(check->model, arg.off) == HMD_NONE) {
            hmd_tell(check, HMD0157, i == 0 ? "coordinate" : "coordinate of the target", arg.at,
                     fh_hex(arg.raw), fh_words("the start of a unit"));
        }
    }
}

/* ---- parameters -------------------------------------------------------------------------------
 */

/* Only where both points are of one system of coordinates. */
static void check_direction(const hmd_check *check, const hmd_device_kind *kind,
                            uint32_t parameters)
{
    const uint32_t position = parameters + (kind->is_light ? LIGHT_POSITION : CAMERA_POSITION);
    const uint32_t target = position + POINT_WORDS;
    bool differs = false;
    assert(hmd_has(check->model, target, POINT_WORDS)); /* the callers look */
    for (uint32_t i = 0; i < POINT_WORDS; i++) {
        differs =
            differs || hmd_word(check->model, position + i) != hmd_word(check->model, target + i);
    }
    if (!differs) {
        hmd_tell(check, HMD0158, "target", target, fh_words("the position itself"),
                 fh_words("another point"));
    }
}

static bool has_direction(const hmd_device_kind *kind)
{
    return kind->num_words > 1 && kind->num_coordinates < 2;
}

static void check_camera(const hmd_check *check, const hmd_device_kind *kind)
{
    const uint32_t parameters = parameters_of(check);
    if (parameters == HMD_NONE || !hmd_has(check->model, parameters, kind->num_words)) {
        return;
    }
    if (has_direction(kind)) {
        check_direction(check, kind, parameters);
    }
    const uint32_t roll = parameters + CAMERA_POSITION + 2 * POINT_WORDS - 1;
    if (kind->type == FIX_CAMERA && hmd_word(check->model, roll) != 0) {
        hmd_tell(check, HMD0159, "target z", roll,
                 fh_dec((int32_t)hmd_word(check->model, roll), ""), fh_dec(0, ""));
    }
    const int32_t distance = (int32_t)hmd_word(check->model, parameters);
    if (kind->type == PROJECTION && (distance < 1 || distance > MOST_DISTANCE)) {
        hmd_tell(check, HMD0161, "projection", parameters, fh_dec(distance, ""),
                 fh_words("1 to 65535"));
    }
}

/* ---- lights -----------------------------------------------------------------------------------
 */

/* A word of the record: number of the light, index of its parameters. Ambient light has no number:
 * only its index is used. */
static void check_light(const hmd_check *check, const hmd_device_kind *kind, uint32_t at,
                        uint32_t parameters)
{
    const uint32_t number = hmd_low(hmd_word(check->model, at));
    const uint64_t block = (uint64_t)parameters + hmd_high(hmd_word(check->model, at));
    if (kind->type != AMBIENT && number > MOST_LIGHT) {
        hmd_tell(check, HMD0156, "light number", at, fh_dec(number, ""), fh_words("0 to 2"));
    }
    if (has_direction(kind) && parameters != HMD_NONE &&
        hmd_has(check->model, block, kind->num_words)) {
        check_direction(check, kind, (uint32_t)block);
    }
}

static void check_lights(hmd_check *check, const hmd_device_kind *kind)
{
    const hmd_record *record = check->record;
    const uint32_t num = hmd_device_lights(record, kind);
    const uint32_t parameters = parameters_of(check);
    if (kind->num_coordinates > 0 && record->count != 1) {
        hmd_tell(check, HMD0160, "count", record->off + 1, fh_dec(record->count, ""),
                 fh_dec(1, ""));
    }
    for (uint32_t i = 0; i < num && i + 1 < record->size && hmd_spend(check, 1); i++) {
        check_light(check, kind, record->off + 2 + i, parameters);
    }
}

static void check_record(hmd_check *check, void *user)
{
    const hmd_device_kind *kind = hmd_device_of(check->record);
    (void)user;
    if (kind == NULL) {
        return;
    }
    check_coordinates(check, kind);
    if (kind->is_light) {
        check_lights(check, kind);
    } else {
        check_camera(check, kind);
    }
}

void hmd_check_devices(hmd_check *check)
{
    hmd_for_each_record(check, check_record, NULL);
}
