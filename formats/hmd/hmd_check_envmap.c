#include "hmd/hmd_checks.h"
#include "hmd/hmd_packets.h"

/* Environment maps that are not shared: what the type (without INI) needs of its header. */
typedef struct map_kind {
    uint32_t kind;               /* bits 12..15 of the type */
    bool has_tex1, has_2, has_3; /* texture 1; texture and CLUT 2, 3 */
} map_kind;

/* Source: library source, read. Kind 1 also has shared forms, which need nothing. */
static const map_kind kinds[] = {
    {1, true, false, false}, /* 1D */
    {2, false, true, false}, /* 2D reflection */
    {3, false, false, true}, /* 2D refraction */
    {4, false, true, true},  /* both */
    {5, false, true, false}, /* own colour and reflection */
};

enum {
    VRAM_WIDTH = 1024,
    VRAM_HEIGHT = 512,
    BEFORE_POSITION = 2, /* words by which a pointer stands before the position it means */
    MODE_DIRECT = 2,     /* 16 bits a pixel: the most, and without a CLUT */
    MOST_BLEND = 3,
    TEX1 = 3, /* arguments of the header */
    TEX2 = 4,
    TEX3 = 6,
    PARAMETERS_0 = 8,
    PARAMETERS_1 = 9,
    PARAMETERS_2 = 11
};

static hmd_arg arg_of(const hmd_check *check, uint32_t index)
{
    return hmd_arg_of(check->model, hmd_header_of(check->model, check->record), index);
}

static void check_position(const hmd_check *check, const char *field, const hmd_arg *arg)
{
    const uint64_t at = (uint64_t)arg->off + BEFORE_POSITION;
    const bool is_there = hmd_has(check->model, at, 1);
    const uint32_t position = is_there ? hmd_word(check->model, (uint32_t)at) : 0;
    if (!is_there) {
        hmd_tell(check, HMD0152, field, arg->at,
                 fh_words("8 bytes before the end of the data or less"),
                 fh_words("8 bytes before a position"));
    } else if (hmd_low(position) >= VRAM_WIDTH || hmd_high(position) >= VRAM_HEIGHT) {
        hmd_tell(check, HMD0152, "VRAM position", (uint32_t)at, fh_hex(position),
                 fh_words("x below 1024, y below 512 in the upper half"));
    }
}

/* A word that is no pointer but not 0 either is told with the headers. */
static void check_pointer(const hmd_check *check, const char *field, uint32_t index)
{
    const hmd_arg arg = arg_of(check, index);
    if (arg.is_there && arg.raw == 0) {
        hmd_tell(check, HMD0150, field, arg.at, fh_dec(0, ""), fh_words("a pointer"));
    } else if (arg.off != HMD_NONE) {
        check_position(check, field, &arg);
    }
}

static void check_byte(const hmd_check *check, const char *field, const hmd_arg *arg, unsigned byte,
                       uint32_t most)
{
    const uint32_t value = arg->raw >> (8 * byte) & 0xff;
    if (arg->is_there && value > most) {
        hmd_tell_byte(check, HMD0151, field, (size_t)arg->at * HMD_WORD_LEN + byte,
                      fh_dec(value, ""), fh_dec_after("at most ", most, ""));
    }
}

/* One map on a plane: texture and CLUT, then mode and blend rate in the first two bytes of its
 * parameters. */
static void check_plane(const hmd_check *check, uint32_t texture, uint32_t parameters)
{
    const hmd_arg values = arg_of(check, parameters);
    check_pointer(check, "texture pointer", texture);
    if ((values.raw & 0xff) != MODE_DIRECT) {
        check_pointer(check, "CLUT pointer", texture + 1);
    }
    check_byte(check, "texture mode", &values, 0, MODE_DIRECT);
    check_byte(check, "blend rate", &values, 1, MOST_BLEND);
}

static void check_kind(const hmd_check *check, const map_kind *kind)
{
    if (kind->has_tex1) {
        const hmd_arg values = arg_of(check, PARAMETERS_0);
        check_pointer(check, "texture pointer", TEX1);
        check_byte(check, "texture mode", &values, 0, MODE_DIRECT);
    }
    if (kind->has_2) {
        check_plane(check, TEX2, PARAMETERS_1);
    }
    if (kind->has_3) {
        check_plane(check, TEX3, PARAMETERS_2);
    }
}

/* Bits 8..11 are 0 for maps that are not shared; types without a driver are told with the records.
 */
static void check_record(hmd_check *check, void *user)
{
    const uint32_t type = check->record->type;
    (void)user;
    if (type == HMD_NO_TYPE || check->record->category != HMD_ENVMAP || (type & 0x0f00) != 0 ||
        hmd_packet_layout_of(type) == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].kind == (type >> 12 & 15)) {
            check_kind(check, &kinds[i]);
        }
    }
}

void hmd_check_envmap(hmd_check *check)
{
    hmd_for_each_record(check, check_record, NULL);
}
