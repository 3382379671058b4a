#include "reports/gltf/gltf_impl.h"

#include "reports/gltf/gltf_matrix.h"
#include "reports/real.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* Of frames a second, for people. */
#define RATE_DIGITS 4

fh_gltf *fh_gltf_open(void)
{
    fh_gltf *gltf = calloc(1, sizeof *gltf);
    if (gltf != NULL) {
        gltf->about = (fh_scene_about){.rate = 60.0, .node = "node"};
        gltf->mesh = FH_GLTF_NO;
    }
    return gltf;
}

void fh_gltf_begin(fh_gltf *gltf, const fh_scene *scene, const fh_gltf_header *header)
{
    gltf->scene = scene;
    gltf->header = *header;
}

const fh_scene *fh_gltf_scene(const fh_gltf *gltf)
{
    return gltf->scene;
}

void fh_gltf_fail(fh_gltf *gltf, int error)
{
    if (gltf->error == 0) {
        gltf->error = error;
    }
}

void fh_gltf_say(fh_gltf *gltf, const char *remark)
{
    for (size_t i = 0; i < gltf->remarks.num; i++) {
        if (strcmp(*FH_GLTF_AT(gltf->remarks, const char *, i), remark) == 0) {
            return;
        }
    }
    assert(gltf->remarks.num < FH_GLTF_MOST_REMARKS);
    const char **place = fh_gltf_add(&gltf->remarks, sizeof *place);
    if (place == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return;
    }
    *place = remark;
}

void fh_gltf_say_cut(fh_gltf *gltf, const char *remark)
{
    gltf->is_cut = true;
    fh_gltf_say(gltf, remark);
}

const char *fh_gltf_remark(const fh_gltf *gltf, size_t index)
{
    return index < gltf->remarks.num ? *FH_GLTF_AT(gltf->remarks, const char *, index) : NULL;
}

bool fh_gltf_is_cut(const fh_gltf *gltf)
{
    return gltf->is_cut;
}

/* add is fh_gltf_add that keeps the failure. */
static void *add(fh_gltf *gltf, fh_gltf_array *array, size_t elem_len)
{
    void *item = fh_gltf_add(array, elem_len);
    if (item == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
    }
    return item;
}

static void put(fh_gltf *gltf, fh_gltf_map *map, uint64_t key, size_t index)
{
    if (!fh_gltf_map_put(map, key, (uint32_t)index)) {
        fh_gltf_fail(gltf, ENOMEM);
    }
}

static char *copy_of(fh_gltf *gltf, const char *str)
{
    char *copy = str == NULL ? NULL : strdup(str);
    if (str != NULL && copy == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
    }
    return copy;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

/* Tenants are ids of 16 bits. */
static uint64_t track_key(fh_scene_kind kind, uint32_t id, uint32_t tenant)
{
    return ((uint64_t)kind + 1) << 56 | (uint64_t)tenant << 32 | id;
}

uint32_t fh_gltf_find_track(const fh_gltf *gltf, fh_scene_kind kind, uint32_t id, uint32_t tenant)
{
    return fh_gltf_map_find(&gltf->track_of, track_key(kind, id, tenant));
}

static fh_gltf_track *track_of(fh_gltf *gltf, const fh_scene_pose *pose)
{
    const fh_scene_kind kind = pose->kind == FH_SCENE_WORLD ? FH_SCENE_NODE : pose->kind;
    uint32_t index = fh_gltf_find_track(gltf, kind, pose->id, pose->tenant);
    if (index != FH_GLTF_NO) {
        return fh_gltf_track_at(gltf, index);
    }
    index = (uint32_t)gltf->tracks.num;
    fh_gltf_track *track = add(gltf, &gltf->tracks, sizeof *track);
    if (track == NULL) {
        return NULL;
    }
    *track = (fh_gltf_track){.kind = kind,
                             .id = pose->id,
                             .tenant = pose->tenant,
                             .parent = FH_GLTF_NO,
                             .value = pose->value};
    memcpy(track->colour, pose->colour, sizeof track->colour);
    put(gltf, &gltf->track_of, track_key(kind, pose->id, pose->tenant), index);
    return track;
}

static bool take_room(fh_gltf *gltf)
{
    if (gltf->num_keys == FH_GLTF_MOST_KEYS) {
        fh_gltf_say_cut(gltf,
                        "there are more than 8388608 changes of poses: later ones are left out");
        return false;
    }
    gltf->num_keys++;
    return true;
}

static uint32_t now(const fh_gltf *gltf)
{
    assert(gltf->frames.num > 0);
    return (uint32_t)(gltf->frames.num - 1);
}

/* Bit for bit: make_key lets no negative zero and nothing that is not finite pass. */
static bool are_same(const float *a, const float *b, size_t size)
{
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    return memcmp(a, b, size) == 0;
}

/* Room for a key of this frame: that of the frame if there is one, a new one if what is wanted is
 * not in the last one. */
static void add_key(fh_gltf *gltf, fh_gltf_array *keys, const fh_gltf_key *wanted)
{
    fh_gltf_key *last = keys->num == 0 ? NULL : FH_GLTF_AT(*keys, fh_gltf_key, keys->num - 1);
    const bool is_same = last != NULL &&
                         are_same(last->matrix, wanted->matrix, sizeof last->matrix) &&
                         are_same(last->origin, wanted->origin, sizeof last->origin);
    if (is_same) {
        return;
    }
    if (last == NULL || last->frame != wanted->frame) {
        last = take_room(gltf) ? add(gltf, keys, sizeof *last) : NULL;
    }
    if (last != NULL) {
        *last = *wanted;
    }
}

/* What is not finite cannot be written: the pose before is kept. */
static bool make_key(fh_gltf *gltf, fh_gltf_key *out, const double matrix[3][3],
                     const double origin[3])
{
    bool is_finite = true;
    out->frame = now(gltf);
    for (unsigned i = 0; i < 9; i++) {
        out->matrix[i] = (float)matrix[i / 3][i % 3] + 0.0f; /* no negative zero */
        is_finite = is_finite && isfinite(out->matrix[i]);
    }
    for (unsigned i = 0; i < 3; i++) {
        out->origin[i] = (float)origin[i] + 0.0f;
        is_finite = is_finite && isfinite(out->origin[i]);
    }
    if (!is_finite) {
        fh_gltf_say(gltf,
                    "numbers that are not finite, or too large for single precision: the pose "
                    "before them is kept");
    }
    return is_finite;
}

static void take_pose(fh_gltf *gltf, fh_gltf_array *keys, const fh_scene_pose *pose)
{
    fh_gltf_key key;
    if (make_key(gltf, &key, pose->matrix, pose->origin)) {
        add_key(gltf, keys, &key);
    }
}

static void add_look(fh_gltf *gltf, fh_gltf_track *track, uint32_t model, bool is_shown)
{
    fh_gltf_look *last =
        track->looks.num == 0 ? NULL : FH_GLTF_AT(track->looks, fh_gltf_look, track->looks.num - 1);
    if (last != NULL && last->model == model && last->is_shown == is_shown) {
        return;
    }
    if (last == NULL || last->frame != now(gltf)) {
        last = take_room(gltf) ? add(gltf, &track->looks, sizeof *last) : NULL;
    }
    if (last != NULL) {
        *last = (fh_gltf_look){now(gltf), model, is_shown};
    }
}

static void take_node(fh_gltf *gltf, fh_gltf_track *track, const fh_scene_pose *pose)
{
    track->parent_id = pose->parent;
    if (track->looks.num == 0 && now(gltf) > 0) { /* it was not there before */
        fh_gltf_look *look = take_room(gltf) ? add(gltf, &track->looks, sizeof *look) : NULL;
        if (look != NULL) {
            *look = (fh_gltf_look){0, pose->model, false};
        }
    }
    add_look(gltf, track, pose->model, !pose->is_hidden);
    take_pose(gltf, &track->keys, pose);
    put(gltf, &gltf->seat_of, track->id, (size_t)(track - fh_gltf_track_at(gltf, 0)));
}

static void take_view(fh_gltf *gltf, fh_gltf_track *track, const fh_scene_pose *pose)
{
    fh_scene_pose back = *pose;
    if (!fh_gltf_invert(back.matrix, back.origin)) {
        fh_gltf_say(gltf, "a camera whose matrix is singular: the pose before it is kept");
        return;
    }
    take_pose(gltf, &track->keys, &back);
}

static void take_light(fh_gltf *gltf, fh_gltf_track *track, const fh_scene_pose *pose)
{
    fh_scene_pose turned = {.kind = FH_SCENE_LIGHT};
    fh_gltf_parts parts = {.scale = {1, 1, 1}, .inner = {0, 0, 0, 1}};
    for (unsigned i = 0; i < 3; i++) {
        track->is_coloured_anew = track->is_coloured_anew || pose->colour[i] < track->colour[i] ||
                                  pose->colour[i] > track->colour[i];
    }
    if (!fh_gltf_turn_to(parts.turn, pose->vector)) {
        fh_gltf_say(gltf, "a light without a direction: the one before is kept, or that of the z "
                          "axis");
        if (track->keys.num > 0) {
            return;
        }
    }
    fh_gltf_compose(turned.matrix, &parts);
    take_pose(gltf, &track->keys, &turned);
}

static void take_value(fh_gltf *gltf, fh_gltf_track *track, const fh_scene_pose *pose)
{
    fh_gltf_value *last = track->values.num == 0
                              ? NULL
                              : FH_GLTF_AT(track->values, fh_gltf_value, track->values.num - 1);
    if (last == NULL || last->frame != now(gltf)) {
        last = take_room(gltf) ? add(gltf, &track->values, sizeof *last) : NULL;
    }
    if (last != NULL) {
        *last = (fh_gltf_value){now(gltf), (float)pose->value};
    }
}

static void note_projection(fh_gltf *gltf, const fh_gltf_track *track, const fh_scene_pose *pose)
{
    if (pose->value < track->value || pose->value > track->value) {
        fh_gltf_say(gltf, "glTF cannot change a camera's field of view: the first one is kept");
    }
}

static void take_row(void *user, const fh_pose_row *row)
{
    fh_gltf *gltf = user;
    fh_scene_pose pose;
    if (gltf->error != 0 || !gltf->scene->place(&pose, row)) {
        return;
    }
    fh_gltf_track *track = track_of(gltf, &pose);
    if (track == NULL) {
        return;
    }
    switch (pose.kind) {
    case FH_SCENE_NODE:
        track->seen = now(gltf) + 1;
        take_node(gltf, track, &pose);
        break;
    case FH_SCENE_WORLD:
        track->world_seen = now(gltf) + 1;
        take_pose(gltf, &track->worlds, &pose);
        break;
    case FH_SCENE_VIEW:
        note_projection(gltf, track, &pose);
        take_view(gltf, track, &pose);
        break;
    case FH_SCENE_CAMERA:
        take_pose(gltf, &track->keys, &pose);
        break;
    case FH_SCENE_LIGHT:
        take_light(gltf, track, &pose);
        break;
    case FH_SCENE_WEIGHT:
        take_value(gltf, track, &pose);
        break;
    }
}

/* Who its parent is: the one who has the place in this frame. */
static void settle_parent(fh_gltf *gltf, fh_gltf_track *track)
{
    uint32_t parent = FH_GLTF_NO;
    if (track->parent_id != FH_SCENE_NONE) {
        parent = fh_gltf_map_find(&gltf->seat_of, track->parent_id);
        if (parent == FH_GLTF_NO || fh_gltf_track_at(gltf, parent)->seen != now(gltf) + 1) {
            track->is_moved_on = true;
            return;
        }
    }
    if (track->has_parent && track->parent != parent) {
        track->is_moved_on = true;
    }
    track->parent = parent;
    track->has_parent = true;
}

/* The end of a frame: parents are known only now, and so is who is not there any more. */
static void end_frame(fh_gltf *gltf)
{
    if (gltf->frames.num == 0) {
        return;
    }
    for (size_t i = 0; i < gltf->tracks.num; i++) {
        fh_gltf_track *track = fh_gltf_track_at(gltf, i);
        if (track->kind != FH_SCENE_NODE) {
            continue;
        }
        if (track->seen == now(gltf) + 1) {
            track->is_worldless = track->is_worldless || track->world_seen != now(gltf) + 1;
            settle_parent(gltf, track);
        } else if (track->looks.num > 0) {
            const fh_gltf_look *last = FH_GLTF_AT(track->looks, fh_gltf_look, track->looks.num - 1);
            add_look(gltf, track, last->model, false);
        }
    }
}

static void take_frame(void *user, const fh_pose_frame *frame)
{
    fh_gltf *gltf = user;
    end_frame(gltf);
    uint32_t *number = add(gltf, &gltf->frames, sizeof *number);
    if (number != NULL) {
        *number = frame->number;
    }
}

fh_sink fh_gltf_sink(fh_gltf *gltf)
{
    return (fh_sink){.user = gltf, .frame = take_frame, .pose = take_row};
}

/* ---- what the scene tells -------------------------------------------------------------------- */

static void take_about(void *user, const fh_scene_about *about)
{
    ((fh_gltf *)user)->about = *about;
}

static void take_told_node(void *user, const fh_scene_node *node)
{
    fh_gltf *gltf = user;
    put(gltf, &gltf->told_of, node->id, gltf->told.num);
    fh_gltf_told_node *told = add(gltf, &gltf->told, sizeof *told);
    if (told != NULL) {
        *told = (fh_gltf_told_node){copy_of(gltf, node->name), *node};
    }
}

static void pack_image(fh_gltf *gltf, fh_gltf_told_image *out, const fh_scene_image *image)
{
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = image->width,
                     .height = image->height,
                     .format = PNG_FORMAT_RGBA};
    png_alloc_size_t len = 0;
    if (png_image_write_to_memory(&png, NULL, &len, 0, image->pixels, 0, NULL) == 0) {
        fh_gltf_fail(gltf, ENOMEM);
        return;
    }
    out->png = malloc(len);
    out->len = len;
    if (out->png == NULL ||
        png_image_write_to_memory(&png, out->png, &len, 0, image->pixels, 0, NULL) == 0) {
        fh_gltf_fail(gltf, ENOMEM);
    }
}

static void take_image(void *user, const fh_scene_image *image)
{
    fh_gltf *gltf = user;
    if (gltf->error != 0) {
        return; /* one before may be missing */
    }
    assert(image->id == gltf->images.num && image->id < FH_GLTF_MOST_IMAGES);
    fh_gltf_told_image *told = add(gltf, &gltf->images, sizeof *told);
    if (told != NULL) {
        *told = (fh_gltf_told_image){.has_holes = image->has_holes, .has_glass = image->has_glass};
        pack_image(gltf, told, image);
    }
}

static void take_weight(void *user, const fh_scene_weight *weight)
{
    fh_gltf *gltf = user;
    if (fh_gltf_map_find(&gltf->weight_of, weight->id) != FH_GLTF_NO) {
        return;
    }
    put(gltf, &gltf->weight_of, weight->id, gltf->weights.num);
    fh_scene_weight *told = add(gltf, &gltf->weights, sizeof *told);
    if (told != NULL) {
        *told = *weight;
    }
}

/* Numbers of vertices and normals are words of the asset, of which there are less than 2 to the
 * 21st. */
static void take_delta(void *user, const fh_scene_delta *delta)
{
    fh_gltf *gltf = user;
    const uint64_t key =
        (uint64_t)delta->weight << 32 | (uint64_t)delta->is_normal << 31 | delta->number;
    const uint32_t known = fh_gltf_map_find(&gltf->delta_of, key);
    if (known != FH_GLTF_NO) {
        fh_scene_delta *old = FH_GLTF_AT(gltf->deltas, fh_scene_delta, known);
        for (unsigned i = 0; i < 3; i++) {
            old->by[i] += delta->by[i];
        }
        return;
    }
    if (gltf->deltas.num == FH_GLTF_MOST_DELTAS) {
        fh_gltf_say_cut(gltf,
                        "there are more than 1048576 differences of MIMe: the others are left "
                        "out");
        return;
    }
    put(gltf, &gltf->delta_of, key, gltf->deltas.num);
    fh_scene_delta *told = add(gltf, &gltf->deltas, sizeof *told);
    if (told != NULL) {
        *told = *delta;
    }
}

static void take_cubic(void *user, const fh_scene_cubic *cubic)
{
    fh_gltf *gltf = user;
    fh_scene_cubic *told = add(gltf, &gltf->cubics, sizeof *told);
    if (told != NULL) {
        *told = *cubic;
    }
}

static void take_remark(void *user, const char *text)
{
    fh_gltf_say(user, text);
}

fh_scene_sink fh_gltf_scene_sink(fh_gltf *gltf)
{
    return (fh_scene_sink){.user = gltf,
                           .about = take_about,
                           .node = take_told_node,
                           .image = take_image,
                           .mesh = fh_gltf_begin_mesh,
                           .triangle = fh_gltf_add_triangle,
                           .weight = take_weight,
                           .delta = take_delta,
                           .cubic = take_cubic,
                           .remark = take_remark};
}

void fh_gltf_finding(fh_gltf *gltf, const fh_finding *finding)
{
    char message[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(message, sizeof message);
    fh_finding_message(&text, finding);
    fh_gltf_told_finding *told = add(gltf, &gltf->findings, sizeof *told);
    if (told != NULL) {
        *told = (fh_gltf_told_finding){finding->rule, finding->offset, finding->frame,
                                       finding->object, copy_of(gltf, message)};
    }
}

/* ---- the file -------------------------------------------------------------------------------- */

enum { HEAD_LEN = 12, CHUNK_HEAD_LEN = 8, ALIGNMENT = 4 };

static void put_word(fh_out *out, uint32_t word)
{
    char bytes[4];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(word >> (8 * i) & 0xff);
    }
    fh_out_bytes(out, bytes, sizeof bytes);
}

static size_t padding(size_t len)
{
    return (ALIGNMENT - len % ALIGNMENT) % ALIGNMENT;
}

static void put_chunk(fh_out *out, const char kind[4], const void *bytes, size_t len,
                      const char *filler)
{
    put_word(out, (uint32_t)(len + padding(len)));
    fh_out_bytes(out, kind, 4);
    fh_out_bytes(out, bytes, len);
    fh_out_bytes(out, filler, padding(len));
}

static void put_binary(fh_gltf *gltf, fh_out *out, const char *json, size_t json_len)
{
    const size_t bin_len = gltf->bytes.len;
    const size_t chunks = bin_len == 0 ? 0 : CHUNK_HEAD_LEN + bin_len + padding(bin_len);
    fh_out_bytes(out, "glTF", 4);
    put_word(out, 2);
    put_word(out, (uint32_t)(HEAD_LEN + CHUNK_HEAD_LEN + json_len + padding(json_len) + chunks));
    put_chunk(out, "JSON", json, json_len, "   ");
    if (bin_len > 0) {
        put_chunk(out, "BIN\0", gltf->bytes.bytes, bin_len, "\0\0\0");
    }
}

static int put_all(fh_gltf *gltf, FILE *file, bool is_binary)
{
    char *json = NULL;
    size_t json_len = 0;
    fh_out out = fh_out_make(file);
    FILE *memory = open_memstream(&json, &json_len);
    if (memory == NULL) {
        return errno;
    }
    fh_out text = fh_out_make(memory);
    fh_gltf_put_json(gltf, &text, is_binary);
    int error = fh_out_end(&text);
    if (fclose(memory) != 0 && error == 0) {
        error = errno;
    }
    error = error == 0 && json == NULL ? ENOMEM : error; /* of which fclose says nothing */
    error = error == 0 && json_len > FH_GLTF_MOST_BYTES * 2 ? EFBIG : error;
    if (error == 0) {
        if (is_binary) {
            put_binary(gltf, &out, json, json_len);
        } else {
            fh_out_bytes(&out, json, json_len);
        }
        error = fh_out_end(&out);
    }
    free(json);
    return error;
}

int fh_gltf_write(fh_gltf *gltf, FILE *file, bool is_binary)
{
    end_frame(gltf);
    if (gltf->error == 0 && fh_gltf_make_times(gltf)) {
        fh_gltf_make_nodes(gltf);
    }
    if (gltf->about.is_rate_assumed) {
        char rate[FH_REAL_LEN];
        fh_real_text(rate, gltf->about.rate, RATE_DIGITS);
        fh_text text = fh_text_make(gltf->rate_remark, sizeof gltf->rate_remark);
        fh_text_str(&text, "the format does not say how long a frame is: ");
        fh_text_str(fh_text_str(&text, rate), " a second are assumed");
        fh_gltf_say(gltf, gltf->rate_remark);
    }
    fh_gltf_fail(gltf, gltf->bytes.error);
    return gltf->error != 0 ? gltf->error : put_all(gltf, file, is_binary);
}

void fh_gltf_close(fh_gltf *gltf)
{
    if (gltf == NULL) {
        return;
    }
    for (size_t i = 0; i < gltf->tracks.num; i++) {
        fh_gltf_track *track = fh_gltf_track_at(gltf, i);
        fh_gltf_free(&track->keys);
        fh_gltf_free(&track->worlds);
        fh_gltf_free(&track->looks);
        fh_gltf_free(&track->values);
    }
    for (size_t i = 0; i < gltf->told.num; i++) {
        free(FH_GLTF_AT(gltf->told, fh_gltf_told_node, i)->name);
    }
    for (size_t i = 0; i < gltf->findings.num; i++) {
        free(FH_GLTF_AT(gltf->findings, fh_gltf_told_finding, i)->message);
    }
    for (size_t i = 0; i < gltf->images.num; i++) {
        free(FH_GLTF_AT(gltf->images, fh_gltf_told_image, i)->png);
    }
    fh_gltf_free_meshes(gltf);
    fh_gltf_array *const arrays[] = {
        &gltf->remarks,   &gltf->findings, &gltf->frames,  &gltf->tracks,
        &gltf->told,      &gltf->images,   &gltf->weights, &gltf->deltas,
        &gltf->cubics,    &gltf->meshes,   &gltf->nodes,   &gltf->channels,
        &gltf->materials, &gltf->joints,   &gltf->cameras, &gltf->lights};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        fh_gltf_free(arrays[i]);
    }
    fh_gltf_map *const maps[] = {&gltf->track_of, &gltf->seat_of, &gltf->told_of, &gltf->weight_of,
                                 &gltf->delta_of, &gltf->mesh_of, &gltf->joint_of};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        fh_gltf_map_free(maps[i]);
    }
    free(gltf->times);
    fh_gltf_bytes_free(&gltf->bytes);
    free(gltf);
}
