/* Cameras and lights of an HMD (category 7): what they leave in the library's registers, to the bit
 * (format sheet, section 3.8).
 *
 * The state lives from frame to frame: a device that stops early, and one that is not there, leave
 * what was before. Devices stand in block 0, in real files before the animation, so that they see
 * the coordinates of the frame before: the caller gives the world matrices that hold when they run.
 */
#ifndef FH_HMD_DEVICE_H
#define FH_HMD_DEVICE_H

#include "fixed/fixed.h"
#include "hmd/hmd_access.h"

typedef enum hmd_device_type {
    HMD_DEVICE_PROJECTION = 0x07000100,
    HMD_DEVICE_CAMERA_WORLD = 0x07010100,
    HMD_DEVICE_CAMERA_FIX = 0x07020100,
    HMD_DEVICE_CAMERA_AIM = 0x07030100,
    HMD_DEVICE_AMBIENT = 0x07000200,
    HMD_DEVICE_LIGHT_WORLD = 0x07010200,
    HMD_DEVICE_LIGHT_FIX = 0x07020200,
    HMD_DEVICE_LIGHT_AIM = 0x07030200
} hmd_device_type;

typedef struct hmd_devices {
    fx_matrix view;       /* world to camera */
    uint16_t projection;  /* the coprocessor's register: the low 16 bits of what the file says */
    int16_t light[3][3];  /* row: light; direction from the lit thing, 4096 = 1.0 */
    int16_t colour[3][3]; /* row: red, green, blue; column: light; 4080 = 255 */
    uint8_t back[3];      /* ambient red, green, blue */
} hmd_devices;

/* hmd_devices_reset sets the unit matrix as view and all else to 0. */
void hmd_devices_reset(hmd_devices *state);

typedef struct hmd_device {
    uint32_t type;          /* an hmd_device_type; anything else is unsupported */
    uint32_t parameters;    /* word offset of the parameters that the header points at */
    uint32_t item;          /* lights: the record's word, H(light number); H(parameter index) */
    const fx_matrix *own;   /* FIX, AIM: world matrix of the camera's or light's coordinate */
    const fx_matrix *other; /* AIM: world matrix of the target's coordinate */
} hmd_device;

/* What a device did that its author can hardly want. */
enum {
    HMD_DEVICE_COINCIDE = 1, /* position and target are the same: a light is left alone, a camera's
                                view has its roll and no translation */
    HMD_DEVICE_ROLL = 2,     /* FIX camera: the target's z, not 0, was taken as the roll */
    HMD_DEVICE_SATURATED = 4 /* an element of the view was saturated, or its translation wrapped */
};

/* hmd_device_play evaluates one device, or one light of a record, and stores the notes. On a
 * failure state and notes stay. UNSUPPORTED: a light number above 2 (the library writes past its
 * matrix), a length whose square is negative at 32 bits, or a matrix that the type needs and that
 * is NULL. */
hmd_outcome hmd_device_play(hmd_devices *state, unsigned *notes, const hmd_image *image,
                            const hmd_device *device);

#endif
