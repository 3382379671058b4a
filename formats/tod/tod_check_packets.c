#include "fixed/fixed.h"
#include "tod/tod_checks.h"

/* Checks that look at one packet and need to know nothing of what came before. What the header word
 * says is judged also where the length is wrong and nobody can say what the payload is. */

enum { MASK_RESERVED = 0x0ffffe00, MASK_DAMPING_HIGH = 4, NUM_LIGHTS = 3 };

static void check_attribute(tod_check *check)
{
    const uint32_t mask = tod_word(check->model, check->packet, 1);
    const uint32_t value = tod_word(check->model, check->packet, 2);
    if ((mask & value) != 0) {
        char buf[FH_EVIDENCE_LEN];
        fh_text text = fh_text_make(buf, sizeof buf);
        fh_value_write(&text, fh_hex(value));
        fh_value_write(fh_text_str(&text, " with the mask "), fh_hex(mask));
        tod_tell_packet(check, TOD0070, "attribute value", 2, fh_words(buf), fh_hex(value & ~mask));
    }
    if ((value & MASK_RESERVED) != 0) {
        tod_tell_packet(check, TOD0071, "attribute value", 2, fh_hex(value),
                        fh_hex(value & ~(uint32_t)MASK_RESERVED));
    }
    if ((value & MASK_DAMPING_HIGH) != 0) {
        tod_tell_packet(check, TOD0072, "attribute value", 2, fh_hex(value),
                        fh_hex(value & ~(uint32_t)MASK_DAMPING_HIGH));
    }
}

static const char *const rotation_names[3] = {"rotation x", "rotation y", "rotation z"};
static const char *const scale_names[3] = {"scale x", "scale y", "scale z"};

static void check_scale(tod_check *check, unsigned s)
{
    for (unsigned i = 0; i < 3; i++) {
        const int16_t value = tod_half(check->model, check->packet, s + i / 2, i % 2);
        if (value == 0) {
            tod_tell_packet(check, TOD0084, scale_names[i], s + i / 2, fh_dec(0, ""),
                            fh_words("not 0 (4096 is 1.0)"));
        } else if (value < 0) {
            tod_tell_packet(check, TOD0085, scale_names[i], s + i / 2, fh_dec(value, ""),
                            fh_nothing());
        }
    }
    const uint16_t pad = (uint16_t)tod_half(check->model, check->packet, s + 1, 1);
    if (pad != 0) {
        tod_tell_packet(check, TOD0081, "half word behind Sz", s + 1, fh_hex(pad), fh_hex(0));
    }
}

static void check_rotation(tod_check *check, unsigned r)
{
    for (unsigned i = 0; i < 3; i++) {
        const int32_t raw = tod_signed_word(check->model, check->packet, r + i);
        if (raw / 360 < INT16_MIN || raw / 360 > INT16_MAX) {
            tod_tell_packet(check, TOD0086, rotation_names[i], r + i, fh_dec(raw, ""),
                            fh_words("from -11796839 to 11796479"));
        }
    }
}

static void check_coordinate_head(tod_check *check)
{
    if (!tod_sets(check->packet)) {
        tod_tell_packet(check, TOD0080, "flag", 0, fh_hex(check->packet->flag),
                        fh_words("at least one of R (2), S (4), T (8)"));
    }
}

static void check_coordinate(tod_check *check)
{
    const tod_parts parts = tod_coordinate_parts(check->packet);
    if (parts.r != 0) {
        check_rotation(check, parts.r);
    }
    if (parts.s != 0) {
        check_scale(check, parts.s);
    }
}

static void check_model_id(tod_check *check)
{
    const uint32_t word = tod_word(check->model, check->packet, 1);
    if (word > 0xffff) {
        tod_tell_packet(check, TOD0090, "model id word", 1, fh_hex(word), fh_hex(word & 0xffff));
    }
}

static void check_parent(tod_check *check)
{
    const uint32_t word = tod_word(check->model, check->packet, 1);
    if (word > 0xffff) {
        tod_tell_packet(check, TOD0091, "parent word", 1, fh_hex(word), fh_hex(word & 0xffff));
    }
}

static void check_matrix_head(tod_check *check)
{
    tod_tell_packet(check, TOD0100, "packet type", 0, fh_dec(TOD_MATRIX, ""), fh_nothing());
}

static void check_matrix(tod_check *check)
{
    int16_t m[3][3];
    for (unsigned i = 0; i < 9; i++) {
        m[i / 3][i % 3] = tod_half(check->model, check->packet, 1 + i / 2, i % 2);
    }
    const uint16_t pad = (uint16_t)tod_half(check->model, check->packet, 5, 1);
    if (pad != 0) {
        tod_tell_packet(check, TOD0101, "half word behind R22", 5, fh_hex(pad), fh_hex(0));
    }
    if (fx_is_singular(m)) {
        char buf[FH_EVIDENCE_LEN];
        fh_text text = fh_text_make(buf, sizeof buf);
        fh_text_str(&text, "0, of the rows");
        for (unsigned i = 0; i < 9; i++) {
            fh_value_write(fh_text_str(&text, i == 3 || i == 6 ? ", " : " "),
                           fh_dec(m[i / 3][i % 3], ""));
        }
        tod_tell_packet(check, TOD0102, "determinant", 1, fh_words(buf), fh_words("not 0"));
    }
}

static void check_light_head(tod_check *check)
{
    const tod_packet *packet = check->packet;
    if ((packet->flag & TOD_LIGHT_UNUSED) != 0) {
        tod_tell_packet(check, TOD0048, "flag", 0, fh_hex(packet->flag),
                        fh_hex(packet->flag & ~(uint32_t)TOD_LIGHT_UNUSED));
    }
    if (packet->id >= NUM_LIGHTS) {
        tod_tell_packet(check, TOD0110, "light id", 0, fh_dec(packet->id, ""),
                        fh_words("0, 1 or 2"));
    }
    if (!tod_sets(packet)) {
        tod_tell_packet(check, TOD0113, "flag", 0, fh_hex(packet->flag),
                        fh_words("direction (2) or colour (4)"));
    }
}

static void check_light(tod_check *check)
{
    const tod_packet *packet = check->packet;
    if ((packet->flag & TOD_COLOUR) != 0) {
        const unsigned index = tod_colour_index(packet);
        const uint32_t word = tod_word(check->model, packet, index);
        if (word >> 24 != 0) {
            tod_tell_packet(check, TOD0112, "colour word", index, fh_hex(word),
                            fh_hex(word & 0xffffff));
        }
    }
}

static bool looks_at_itself(const tod_check *check)
{
    const unsigned absolute_view = TOD_CAMERA_A;
    if ((check->packet->flag & (TOD_CAMERA_RT | TOD_CAMERA_DIFF | TOD_CAMERA_A)) != absolute_view) {
        return false;
    }
    for (unsigned i = 1; i <= 3; i++) {
        if (tod_word(check->model, check->packet, i) !=
            tod_word(check->model, check->packet, i + 3)) {
            return false;
        }
    }
    return true;
}

static void check_camera_head(tod_check *check)
{
    const unsigned flag = check->packet->flag;
    tod_tell_packet(
        check, TOD0120, "camera form", 0,
        fh_words((flag & TOD_CAMERA_RT) != 0 ? "rotation and translation" : "view point"),
        fh_nothing());
    if (!tod_sets(check->packet)) {
        tod_tell_packet(check, TOD0121, "flag", 0, fh_hex(flag),
                        fh_words("at least one part (4, 8)"));
    }
}

static void check_camera(tod_check *check)
{
    if (looks_at_itself(check)) {
        char buf[FH_EVIDENCE_LEN];
        fh_text text = fh_text_make(buf, sizeof buf);
        for (unsigned i = 1; i <= 3; i++) {
            fh_value_write(fh_text_str(&text, i == 1 ? "(" : ", "),
                           fh_dec(tod_signed_word(check->model, check->packet, i), ""));
        }
        fh_text_str(&text, "), the camera's own position");
        tod_tell_packet(check, TOD0122, "point looked at", 4, fh_words(buf),
                        fh_words("another point"));
    }
}

static void check_control(tod_check *check)
{
    if (check->packet->flag > TOD_KILL) {
        tod_tell_packet(check, TOD0049, "flag", 0, fh_dec(check->packet->flag, ""),
                        fh_words("0 (create) or 1 (kill)"));
    }
    if (check->packet->flag == TOD_KILL) {
        tod_tell_packet(check, TOD0064, "object control", 0, fh_words("kill"), fh_nothing());
    }
}

static fh_value length_of(const tod_check *check)
{
    return fh_count(check->packet->len_words, "word");
}

static void check_body(tod_check *check)
{
    tod_tell_packet(check, TOD0042, "packet of type 5", 0, length_of(check), fh_nothing());
}

static void check_user(tod_check *check)
{
    tod_tell_packet(check, TOD0046, "user-defined packet", 0, length_of(check), fh_nothing());
}

static void check_reserved(tod_check *check)
{
    tod_tell_packet(check, TOD0043, "packet of type 14", 0, length_of(check), fh_nothing());
}

static void check_special(tod_check *check)
{
    const tod_model *model = check->model;
    const tod_packet *packet = check->packet;
    const bool last = packet == model->packets + model->num_packets - 1 &&
                      check->frame == model->frames + model->num_frames - 1;
    if (last && packet->flag == 0 && packet->len_words == 1 && packet->id == 0) {
        tod_tell_packet(check, TOD0044, "packet of type 15", 0, fh_words("the end mark"),
                        fh_nothing());
    } else {
        char buf[FH_EVIDENCE_LEN];
        fh_text text = fh_text_make(buf, sizeof buf);
        fh_value_write(&text, fh_count(packet->len_words, "word"));
        fh_text_u64(fh_text_str(&text, ", flag "), packet->flag);
        fh_text_u64(fh_text_str(&text, ", id "), packet->id);
        fh_text_str(&text, last ? ", last in the file" : ", not last in the file");
        tod_tell_packet(check, TOD0045, "packet of type 15", 0, fh_words(buf),
                        fh_words("1 word, flag 0, id 0, last in the file"));
    }
}

static void check_flag(tod_check *check)
{
    if (check->packet->flag != 0) {
        tod_tell_packet(check, TOD0047, "flag", 0, fh_hex(check->packet->flag), fh_hex(0));
    }
}

static void check_id(tod_check *check)
{
    const uint16_t id = check->packet->id;
    if (id == 0 || id == 0xffff) {
        tod_tell_packet(check, TOD0050, "object id", 0, fh_hex(id), fh_words("from 0x1 to 0xfffe"));
    }
}

typedef struct packet_checks {
    bool flag_unused;
    void (*head)(tod_check *check);
    void (*values)(tod_check *check);
} packet_checks;

static const packet_checks checks_of_type[16] = {
    [TOD_ATTRIBUTE] = {true, NULL, check_attribute},
    [TOD_COORDINATE] = {false, check_coordinate_head, check_coordinate},
    [TOD_MODEL_ID] = {true, NULL, check_model_id},
    [TOD_PARENT] = {true, NULL, check_parent},
    [TOD_MATRIX] = {true, check_matrix_head, check_matrix},
    [TOD_BODY] = {false, check_body, NULL},
    [TOD_LIGHT] = {false, check_light_head, check_light},
    [TOD_CAMERA] = {false, check_camera_head, check_camera},
    [TOD_CONTROL] = {false, check_control, NULL},
    [9] = {false, check_user, NULL},
    [10] = {false, check_user, NULL},
    [11] = {false, check_user, NULL},
    [12] = {false, check_user, NULL},
    [13] = {false, check_user, NULL},
    [TOD_RESERVED] = {false, check_reserved, NULL},
    [TOD_SPECIAL] = {false, check_special, NULL},
};

static void check_packet(tod_check *check, void *user)
{
    (void)user;
    const packet_checks *checks = &checks_of_type[check->packet->type];
    const bool is_implied = tod_has_implied_length(check->packet);
    if (!is_implied) {
        tod_tell_packet(check, TOD0041, "packet length", 0,
                        fh_count(check->packet->len_words, "word"),
                        fh_dec(tod_implied_words(check->packet), " by type and flag"));
    }
    if (checks->flag_unused) {
        check_flag(check);
    }
    if (tod_is_object_packet(check->packet)) {
        check_id(check);
    }
    if (checks->head != NULL) {
        checks->head(check);
    }
    if (is_implied && checks->values != NULL) {
        checks->values(check);
    }
}

void tod_check_packets(tod_check *check)
{
    tod_for_each_packet(check, check_packet, NULL);
}
