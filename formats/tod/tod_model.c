#include "tod/tod_model.h"

#include <assert.h>

tod_packet tod_split(uint32_t word, uint32_t off)
{
    return (tod_packet){.off = off,
                        .id = (uint16_t)(word & 0xffff),
                        .type = (uint8_t)(word >> 16 & 15),
                        .flag = (uint8_t)(word >> 20 & 15),
                        .len_words = (uint8_t)(word >> 24)};
}

static unsigned bit(unsigned flag, unsigned mask, unsigned words)
{
    return (flag & mask) != 0 ? words : 0;
}

static unsigned camera_words(unsigned flag)
{
    if ((flag & TOD_CAMERA_RT) != 0) {
        return 1 + bit(flag, TOD_CAMERA_A, 3) + bit(flag, TOD_CAMERA_B, 3);
    }
    return 1 + bit(flag, TOD_CAMERA_A, 6) + bit(flag, TOD_CAMERA_B, 1);
}

unsigned tod_implied_words(const tod_packet *packet)
{
    static const uint8_t fixed[16] = {[TOD_ATTRIBUTE] = 3,
                                      [TOD_MODEL_ID] = 2,
                                      [TOD_PARENT] = 2,
                                      [TOD_MATRIX] = 9,
                                      [TOD_CONTROL] = 1};
    const unsigned flag = packet->flag;
    switch (packet->type) {
    case TOD_COORDINATE:
        return 1 + bit(flag, TOD_R, 3) + bit(flag, TOD_S, 2) + bit(flag, TOD_T, 3);
    case TOD_LIGHT:
        return 1 + bit(flag, TOD_DIRECTION, 3) + bit(flag, TOD_COLOUR, 1);
    case TOD_CAMERA:
        return camera_words(flag);
    default:
        return fixed[packet->type];
    }
}

bool tod_has_implied_length(const tod_packet *packet)
{
    const unsigned implied = tod_implied_words(packet);
    return implied == 0 || implied == packet->len_words;
}

bool tod_sets(const tod_packet *packet)
{
    switch (packet->type) {
    case TOD_COORDINATE:
        return (packet->flag & (TOD_R | TOD_S | TOD_T)) != 0;
    case TOD_LIGHT:
        return (packet->flag & (TOD_DIRECTION | TOD_COLOUR)) != 0;
    case TOD_CAMERA:
        return (packet->flag & (TOD_CAMERA_A | TOD_CAMERA_B)) != 0;
    default:
        return tod_is_object_packet(packet);
    }
}

bool tod_is_object_packet(const tod_packet *packet)
{
    return packet->type <= TOD_MATRIX || packet->type == TOD_CONTROL;
}

bool tod_is_world(uint32_t parent_word)
{
    return parent_word == 0 || parent_word == 0xffff;
}

uint32_t tod_word(const tod_model *model, const tod_packet *packet, unsigned index)
{
    assert(index < packet->len_words || !tod_has_implied_length(packet));
    fh_cursor cur = model->bytes;
    (void)fh_cursor_skip(&cur, packet->off);
    (void)fh_cursor_skip(&cur, index * TOD_WORD_LEN);
    return cur.failed ? 0 : fh_cursor_u32(&cur);
}

int32_t tod_signed_word(const tod_model *model, const tod_packet *packet, unsigned index)
{
    return (int32_t)tod_word(model, packet, index);
}

int16_t tod_half(const tod_model *model, const tod_packet *packet, unsigned index, unsigned half)
{
    assert(half <= 1);
    return (int16_t)(uint16_t)(tod_word(model, packet, index) >> (16 * half) & 0xffff);
}

tod_parts tod_coordinate_parts(const tod_packet *packet)
{
    unsigned next = 1;
    tod_parts parts = {0, 0, 0};
    if ((packet->flag & TOD_R) != 0) {
        parts.r = next;
        next += 3;
    }
    if ((packet->flag & TOD_S) != 0) {
        parts.s = next;
        next += 2;
    }
    if ((packet->flag & TOD_T) != 0) {
        parts.t = next;
    }
    return parts;
}

unsigned tod_colour_index(const tod_packet *packet)
{
    return (packet->flag & TOD_DIRECTION) != 0 ? 4 : 1;
}

int64_t tod_put_packet(fh_text *out, const tod_packet *packet, unsigned index)
{
    fh_text_u64(fh_text_str(out, "packet "), index);
    fh_text_u64(fh_text_str(out, ", type "), packet->type);
    fh_text_u64(fh_text_str(out, ", flag "), packet->flag);
    if (tod_is_object_packet(packet)) {
        return packet->id;
    }
    const char *what = packet->type == TOD_LIGHT    ? ", light "
                       : packet->type == TOD_CAMERA ? ", camera "
                                                    : ", id ";
    fh_text_u64(fh_text_str(out, what), packet->id);
    return FH_UNKNOWN;
}

static fh_finding start_finding(const tod_check *check, enum tod_rule rule, const char *field,
                                fh_value found, fh_value expected)
{
    fh_finding finding = fh_finding_make(&tod_rules[rule], field);
    fh_finding_evidence(&finding, found, expected);
    if (check->frame != NULL) {
        finding.frame = check->frame - check->model->frames;
        finding.frame_number = check->frame->number;
    }
    return finding;
}

void tod_tell(const tod_check *check, enum tod_rule rule, const char *field, size_t offset,
              fh_value found, fh_value expected)
{
    fh_finding finding = start_finding(check, rule, field, found, expected);
    finding.offset = (int64_t)offset;
    if (check->packet != NULL) {
        const tod_packet *first = check->model->packets + check->frame->first_packet;
        fh_text context = fh_text_make(finding.context, sizeof finding.context);
        finding.object = tod_put_packet(&context, check->packet, (unsigned)(check->packet - first));
    }
    fh_reporter_tell(check->reporter, &finding);
}

void tod_tell_object(const tod_check *check, enum tod_rule rule, const char *field, uint32_t id,
                     fh_value found, fh_value expected)
{
    fh_finding finding = start_finding(check, rule, field, found, expected);
    finding.offset = check->frame->off;
    finding.object = id;
    fh_reporter_tell(check->reporter, &finding);
}

void tod_tell_packet(const tod_check *check, enum tod_rule rule, const char *field, unsigned index,
                     fh_value found, fh_value expected)
{
    tod_tell(check, rule, field, check->packet->off + index * TOD_WORD_LEN, found, expected);
}

static bool visit_frame(tod_check *check, void (*visit)(tod_check *check, void *user), void *user)
{
    const tod_packet *packet = check->model->packets + check->frame->first_packet;
    for (unsigned i = 0; i < check->frame->num_packets && !check->stopped; i++) {
        if (!fh_pay(check->budget, 1)) {
            check->stopped = true;
            break;
        }
        check->packet = packet + i;
        visit(check, user);
    }
    check->packet = NULL;
    return !check->stopped;
}

void tod_for_each_packet(tod_check *check, void (*visit)(tod_check *check, void *user), void *user)
{
    for (uint32_t i = 0; i < check->model->num_frames && !check->stopped; i++) {
        check->frame = check->model->frames + i;
        if (!visit_frame(check, visit, user)) {
            check->stopped_at = check->frame;
            break;
        }
    }
    check->frame = NULL;
}
