#include "tra/tra_eval.h"

#include "core/double.h"
#include "tra/tra_math.h"

#include <string.h>

void tra_curves_of(tra_curve out[TRA_NUM_KINDS], const tra_model *model, const tra_bone *bone)
{
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        const uint32_t index = tra_find_channel(model, bone, kind);
        out[kind] = (tra_curve){.identity = tra_identity[kind]};
        if (index != TRA_NONE && model->channels[index].is_playable) {
            out[kind].keys = &model->keys[model->channels[index].first_key];
            out[kind].num = model->channels[index].num_keys;
        }
    }
}

/* Moves to the last key that is not behind the frame, or to the first one. */
static void find_key(tra_curve *curve, double frame)
{
    while (curve->at > 0 && curve->keys[curve->at].frame > frame) {
        curve->at--;
    }
    while (curve->at + 1 < curve->num && curve->keys[curve->at + 1].frame <= frame) {
        curve->at++;
    }
}

double tra_sample(tra_curve *curve, double frame)
{
    if (curve->num == 0) {
        return curve->identity;
    }
    find_key(curve, frame);
    const tra_key *a = &curve->keys[curve->at];
    double value = a->value;
    if (a->frame < frame && curve->at + 1 < curve->num) {
        const tra_key *b = a + 1;
        const double share = (frame - a->frame) / ((double)b->frame - a->frame);
        value = value + ((double)b->value - value) * share;
    }
    return value + 0.0; /* no negative zero */
}

static void set_identity(double out[3][3])
{
    for (unsigned i = 0; i < 9; i++) {
        out[i / 3][i % 3] = i % 4 == 0 ? 1 : 0;
    }
}

tra_special tra_rotation(double out[3][3], double direction[3], const double vector[3])
{
    const double across = vector[0] * vector[0] + vector[1] * vector[1];
    const double square = across + vector[2] * vector[2];
    set_identity(out);
    direction[0] = 0;
    direction[1] = 0;
    direction[2] = 1;
    if (square < TRA_NO_LENGTH_SQUARED) {
        return TRA_ZERO_DIRECTION;
    }
    if (vector[2] < 0 && across < 1e-24 * square) {
        out[1][1] = -1;
        out[2][2] = -1;
        direction[2] = -1;
        return TRA_MINUS_Z;
    }
    const double length = fh_sqrt(square);
    const double x = vector[0] / length;
    const double y = vector[1] / length;
    const double z = vector[2] / length;
    const double k = z >= 0 ? 1 / (1 + z) : (1 - z) / (x * x + y * y);
    const double rows[3][3] = {
        {y * y * k + z, -x * y * k, x}, {-x * y * k, x * x * k + z, y}, {-x, -y, z}};
    memcpy(out, rows, sizeof rows);
    direction[0] = x;
    direction[1] = y;
    direction[2] = z;
    return TRA_ORDINARY;
}

/* rotate * roll * scale, the translation apart. */
void tra_pose_of(tra_pose *out, const double values[TRA_NUM_KINDS])
{
    double rotation[3][3];
    double s = 0;
    double c = 0;
    for (unsigned i = 0; i < 3; i++) {
        out->translate[i] = values[TRA_TRANSLATE_X + i];
        out->scale[i] = values[TRA_SCALE_X + i];
    }
    out->roll = values[TRA_ROLL];
    out->special = tra_rotation(rotation, out->direction, &values[TRA_ROTATE_X]);
    tra_sin_cos(&s, &c, out->roll);
    for (unsigned row = 0; row < 3; row++) {
        const double *r = rotation[row];
        out->matrix[row][0] = (r[0] * c + r[1] * s) * (out->scale[0] / 100) + 0.0;
        out->matrix[row][1] = (r[1] * c - r[0] * s) * (out->scale[1] / 100) + 0.0;
        out->matrix[row][2] = r[2] * (out->scale[2] / 100) + 0.0;
    }
    for (unsigned i = 0; i < 3; i++) {
        out->direction[i] += 0.0;
    }
}
