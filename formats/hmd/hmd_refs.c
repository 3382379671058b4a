#include "hmd/hmd_refs.h"

#include <assert.h>

const char *hmd_owner_name(enum hmd_owner owner)
{
    static const char *const names[HMD_NUM_OWNERS] = {
        [HMD_OWNER_NOBODY] = "nothing",
        [HMD_OWNER_FRONT] = "header and block table",
        [HMD_OWNER_COORDINATE] = "coordinates",
        [HMD_OWNER_HEADER] = "primitive headers",
        [HMD_OWNER_PRIMITIVE] = "primitives",
        [HMD_OWNER_POLYGON] = "polygons",
        [HMD_OWNER_VERTEX] = "vertices",
        [HMD_OWNER_NORMAL] = "normals",
        [HMD_OWNER_CALC_VERTEX] = "calculated vertices",
        [HMD_OWNER_CALC_NORMAL] = "calculated normals",
        [HMD_OWNER_IMAGE] = "images",
        [HMD_OWNER_CLUT] = "colour tables",
        [HMD_OWNER_TABLE] = "interpolation table",
        [HMD_OWNER_CONTROL] = "control section",
        [HMD_OWNER_KEY] = "keys",
        [HMD_OWNER_WORK] = "spline work areas",
        [HMD_OWNER_WEIGHT] = "morphing weights",
        [HMD_OWNER_DIFFERENCE] = "morphing differences",
        [HMD_OWNER_ORIGINAL] = "saved originals",
        [HMD_OWNER_GROUND] = "ground polygons",
        [HMD_OWNER_GRID] = "ground grid",
        [HMD_OWNER_HEIGHT] = "ground vertices",
        [HMD_OWNER_UV] = "texture positions",
        [HMD_OWNER_DEVICE] = "camera and light parameters",
    };
    assert(owner < HMD_NUM_OWNERS);
    return names[owner];
}

void hmd_refs_of(hmd_check *check, hmd_ref_visit visit, void *user)
{
    static void (*const by_category[HMD_NUM_CATEGORIES])(hmd_check *, hmd_ref_visit, void *) = {
        [HMD_POLYGONS] = hmd_refs_polygons, [HMD_SHARED] = hmd_refs_polygons,
        [HMD_IMAGES] = hmd_refs_images,     [HMD_ANIMATION] = hmd_refs_animation,
        [HMD_MIME] = hmd_refs_mime,         [HMD_GROUND] = hmd_refs_ground,
        [HMD_ENVMAP] = hmd_refs_polygons,   [HMD_DEVICE] = hmd_refs_devices,
    };
    const uint8_t category = check->record->category;
    if (category < HMD_NUM_CATEGORIES && hmd_spend(check, 1)) {
        by_category[category](check, visit, user);
    }
}
