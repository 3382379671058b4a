/* Decoded camerawork in the forge's language: every row with its index and all of its columns. */
#include "anew.h"

#include "camerawork/cam_model.h"
#include "forge/camerawork.h"

enum { DOUBLE_DIGITS = 17, VECTOR_LEN = 3 };

static const char *const encodings[] = {[FH_ENCODING_BYTES] = "bytes bom=no",
                                        [FH_ENCODING_UTF16LE] = "utf16le bom=yes",
                                        [FH_ENCODING_UTF16BE] = "utf16be bom=yes"};

static const struct {
    const char *name;
    unsigned first;
} groups[] = {{" pos", CAM_POS},       {" target", CAM_TARGET}, {" top", CAM_TOP},
              {" anchor", CAM_ANCHOR}, {" vel", CAM_VEL},       {" dtarget", CAM_TARGET_RATE},
              {" dtop", CAM_TOP_RATE}};

static bool say_row(fuzz_description *out, const cam_row *row)
{
    if (row->is_missing || row->not_finite != 0) {
        return false;
    }
    fuzz_say_number(out, "row ", row->index);
    fuzz_say(out, row->is_key ? " key" : "");
    fuzz_say(out, row->is_anchor_key ? " anchored" : "");
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        fuzz_say(out, groups[i].name);
        for (unsigned k = 0; k < VECTOR_LEN; k++) {
            fuzz_say_real(out, row->values[groups[i].first + k], DOUBLE_DIGITS);
        }
    }
    fuzz_say(out, row->is_stored ? " stored=1\n" : " stored=0\n");
    return true;
}

static bool describe(fuzz_description *out, const void *of)
{
    const cam_model *model = of;
    bool is_said = true;
    fuzz_say(out, "camerawork form=given encoding=");
    fuzz_say(out, encodings[model->encoding]);
    fuzz_say(out, "\n");
    for (uint32_t i = 0; i < model->num_rows && is_said; i++) {
        is_said = say_row(out, &model->rows[i]);
    }
    return is_said;
}

const fuzz_anew fuzz_anew_camerawork = {describe, forge_camerawork_text, false};
