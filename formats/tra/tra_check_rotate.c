#include "core/double.h"
#include "tra/tra_checks.h"
#include "tra/tra_eval.h"

/* The square of the tangent of 0.1 degrees: nearer to -Z a direction counts as singular. */
#define NEAR_TANGENT_SQUARED 3.046180383996e-06

/* How a bone's direction is followed: at the frames where any of its three channels has a key, and
 * on the straight pieces between neighbouring ones of them. */
typedef struct walk {
    tra_check *check;
    tra_curve *curves;         /* of rotate.x, .y, .z */
    double mean;               /* length at the keys */
    uint32_t num_off, num_odd; /* keys whose length is a little, or much, off */
    double off, odd;           /* the first such lengths */
    fh_text_place off_at, odd_at;
    int32_t off_frame, odd_frame;
    bool told_zero, told_near_zero, told_minus, told_passes; /* once a bone */
} walk;

typedef struct spot {
    int32_t frame;
    double v[3];
    double length;
    fh_text_place at; /* of a key at this frame */
} spot;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length_of(const double v[3])
{
    const double square = dot(v, v);
    return square < TRA_NO_LENGTH_SQUARED ? 0 : fh_sqrt(square);
}

static bool is_minus_z(const double v[3])
{
    return v[2] < 0 && v[0] * v[0] + v[1] * v[1] <= NEAR_TANGENT_SQUARED * v[2] * v[2];
}

static void vector_at(walk *along, double frame, double out[3])
{
    for (unsigned i = 0; i < 3; i++) {
        out[i] = tra_sample(&along->curves[i], frame);
    }
}

/* Moves to the next frame with a key; false behind the last one. `next` holds the keys' indices. */
static bool next_spot(walk *along, uint32_t next[3], spot *out)
{
    int64_t frame = INT64_MAX;
    for (unsigned i = 0; i < 3; i++) {
        const tra_curve *curve = &along->curves[i];
        if (next[i] < curve->num && curve->keys[next[i]].frame < frame) {
            frame = curve->keys[next[i]].frame;
            out->at = curve->keys[next[i]].at;
        }
    }
    if (frame == INT64_MAX || !tra_spend(along->check, 8)) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        const tra_curve *curve = &along->curves[i];
        if (next[i] < curve->num && curve->keys[next[i]].frame == frame) {
            next[i]++;
        }
    }
    out->frame = (int32_t)frame;
    vector_at(along, (double)frame, out->v);
    out->length = length_of(out->v);
    return true;
}

static void tell(walk *along, enum tra_rule rule, const char *field, fh_text_place at,
                 int64_t frame, double number, const char *expected)
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    tra_put_real(&text, number);
    along->check->frame = frame;
    tra_tell(along->check, rule, field, at, fh_words(found), fh_words(expected));
    along->check->frame = FH_UNKNOWN;
}

/* ---- at keys and frames ---- */

static void tell_minus_z(walk *along, fh_text_place at, int64_t frame, const double v[3])
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    for (unsigned i = 0; i < 3; i++) {
        tra_put_real(fh_text_str(&text, i == 0 ? "" : ", "), v[i]);
    }
    along->check->frame = frame;
    tra_tell(along->check, TRA0085, "rotate", at, fh_words(found),
             fh_words("more than 0.1 degrees away from -Z"));
    along->check->frame = FH_UNKNOWN;
}

/* Judges the direction at a whole frame, tells it the first time, and returns what it is. */
static tra_special check_spot(walk *along, fh_text_place at, int64_t frame, const double v[3])
{
    if (!(length_of(v) > 0)) {
        if (!along->told_zero) {
            along->told_zero = true;
            tell(along, TRA0083, "length of rotate", at, frame, 0, "above 0");
        }
        return TRA_ZERO_DIRECTION;
    }
    if (!is_minus_z(v)) {
        return TRA_ORDINARY;
    }
    if (!along->told_minus) {
        along->told_minus = true;
        tell_minus_z(along, at, frame, v);
    }
    return TRA_MINUS_Z;
}

/* ---- between keys ---- */

static double clamp(double share)
{
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

static void point_on(const spot *a, const spot *b, double share, double out[3])
{
    for (unsigned i = 0; i < 3; i++) {
        out[i] = a->v[i] + (b->v[i] - a->v[i]) * share;
    }
}

/* Where the piece is nearest to the origin, as a share of its length. */
static double nearest_to_zero(const spot *a, const spot *b)
{
    double step[3];
    for (unsigned i = 0; i < 3; i++) {
        step[i] = b->v[i] - a->v[i];
    }
    const double square = dot(step, step);
    return square < TRA_NO_LENGTH_SQUARED ? 0 : clamp(-dot(a->v, step) / square);
}

/* Where the piece's direction is nearest to -Z. The cosine of the angle has one extreme along a
 * straight line, where its derivative, a linear equation, is 0; or the nearest place is an end. */
static double nearest_to_minus_z(const spot *a, const spot *b)
{
    double step[3];
    for (unsigned i = 0; i < 3; i++) {
        step[i] = b->v[i] - a->v[i];
    }
    const double z0 = a->v[2];
    const double z1 = step[2];
    const double below = z1 * dot(a->v, step) - z0 * dot(step, step);
    const double above = z0 * dot(a->v, step) - z1 * dot(a->v, a->v);
    return below < 0 || below > 0 ? clamp(above / below) : 0;
}

/* The two whole frames around a share of the piece are judged as frames, if they lie inside it.
 * Tells whether one of them is as special as that. */
static bool is_at_frame(walk *along, const spot *a, const spot *b, double share, tra_special what)
{
    const double distance = (double)b->frame - a->frame;
    const int64_t frame = a->frame + (int64_t)(distance * share);
    bool is_found = false;
    for (int64_t f = frame; f <= frame + 1; f++) {
        if (f > a->frame && f < b->frame) {
            double v[3];
            vector_at(along, (double)f, v);
            is_found = check_spot(along, a->at, f, v) == what || is_found;
        }
    }
    return is_found;
}

static void check_near_zero(walk *along, const spot *a, const spot *b)
{
    double v[3];
    const double share = nearest_to_zero(a, b);
    const double shorter = a->length < b->length ? a->length : b->length;
    if (share <= 0 || share >= 1 || is_at_frame(along, a, b, share, TRA_ZERO_DIRECTION)) {
        return;
    }
    point_on(a, b, share, v);
    const double length = length_of(v);
    if (length < shorter / 100 && !along->told_near_zero) {
        along->told_near_zero = true;
        tell(along, TRA0084, "length of rotate behind this key", a->at, a->frame, length,
             "at least 1/100 of those at the keys");
    }
}

static void check_passing(walk *along, const spot *a, const spot *b)
{
    double v[3];
    const double share = nearest_to_minus_z(a, b);
    if (share <= 0 || share >= 1) {
        return;
    }
    point_on(a, b, share, v);
    if (!is_minus_z(v) || is_minus_z(a->v) || is_minus_z(b->v) ||
        is_at_frame(along, a, b, share, TRA_MINUS_Z)) {
        return;
    }
    if (!along->told_passes) {
        along->told_passes = true;
        tell(along, TRA0086, "frame at which rotate passes -Z", a->at, a->frame,
             a->frame + ((double)b->frame - a->frame) * share, "a way around -Z");
    }
}

/* ---- lengths ---- */

static double distance(double a, double b)
{
    return a < b ? b - a : a - b;
}

/* Vectors of unit kind, and those that are written as percentages. */
static bool is_percent(double length)
{
    return length >= 50 && length <= 150;
}

static void count_length(walk *along, const spot *at)
{
    const bool is_percentage = is_percent(along->mean);
    const bool is_odd =
        is_percentage ? !is_percent(at->length) : at->length < 0.5 || at->length > 1.5;
    if (!(at->length > 0)) {
        return;
    }
    if (is_odd && along->num_odd++ == 0) {
        along->odd = at->length;
        along->odd_at = at->at;
        along->odd_frame = at->frame;
    } else if (!is_odd && !is_percentage && distance(at->length, 1) > 1e-4 &&
               along->num_off++ == 0) {
        along->off = at->length;
        along->off_at = at->at;
        along->off_frame = at->frame;
    }
}

static void tell_lengths(walk *along, fh_text_place at)
{
    if (is_percent(along->mean)) {
        tell(along, TRA0081, "mean length of rotate", at, FH_UNKNOWN, along->mean, "1");
    }
    if (along->num_odd > 0) {
        tell(along, TRA0082, "length of rotate", along->odd_at, along->odd_frame, along->odd,
             is_percent(along->mean) ? "50 to 150, as at other keys" : "0.5 to 1.5");
    }
    if (along->num_off > 0) {
        tell(along, TRA0080, "length of rotate", along->off_at, along->off_frame, along->off, "1");
    }
}

static double mean_length(walk *along, spot *first)
{
    uint32_t next[3] = {0};
    double sum = 0;
    uint32_t num = 0;
    for (spot at; next_spot(along, next, &at); num++) {
        sum += at.length;
        *first = num == 0 ? at : *first;
    }
    return num == 0 ? 0 : sum / num;
}

static void check_bone(walk *along)
{
    uint32_t next[3] = {0};
    spot first = {0};
    spot a;
    spot b;
    along->mean = mean_length(along, &first);
    if (!next_spot(along, next, &a)) {
        return;
    }
    (void)check_spot(along, a.at, a.frame, a.v);
    count_length(along, &a);
    while (next_spot(along, next, &b)) {
        (void)check_spot(along, b.at, b.frame, b.v);
        count_length(along, &b);
        check_near_zero(along, &a, &b);
        check_passing(along, &a, &b);
        a = b;
    }
    tell_lengths(along, first.at);
}

void tra_check_rotate(tra_check *check)
{
    for (uint32_t i = 0; i < check->model->num_bones && tra_spend(check, 1); i++) {
        tra_curve curves[TRA_NUM_KINDS];
        tra_set_bone(check, i);
        tra_curves_of(curves, check->model, &check->model->bones[i]);
        walk along = {.check = check, .curves = &curves[TRA_ROTATE_X]};
        if (!check->model->bones[i].is_cut) {
            check_bone(&along);
        }
    }
    tra_clear_place(check);
}
