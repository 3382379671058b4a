/* The player, against a second one written from the format's description, and what is shown of it.
 */
#include "reference.h"

#include "tod/tod_player.h"

#include <stdlib.h>
#include <string.h>

/* ---- the second player ---- */

enum { SLOTS = 50, FREE = -2, NONE = -1 };

typedef struct ref_slot {
    int64_t id, attribute, model, parent;
    fx_matrix matrix;
    int64_t scale[3], rotate[3], trans[3];
} ref_slot;

typedef struct ref_light {
    bool used;
    int64_t direction[3], colour[3];
} ref_light;

typedef struct ref_player {
    bool is_130;
    ref_slot slots[SLOTS];
    int num_used;
    ref_light lights[3];
} ref_player;

static void ref_init(ref_player *p, bool is_130)
{
    memset(p, 0, sizeof *p);
    p->is_130 = is_130;
    for (int i = 0; i < SLOTS; i++) {
        p->slots[i] =
            (ref_slot){.id = FREE, .attribute = 0x80000000, .model = NONE, .parent = NONE};
    }
}

static int ref_find(const ref_player *p, int64_t id)
{
    for (int i = 0; i < p->num_used; i++) {
        if (p->slots[i].id == id) {
            return i;
        }
    }
    return NONE;
}

static ref_slot *ref_create(ref_player *p, int64_t id)
{
    int at = ref_find(p, FREE);
    if (at == NONE && p->num_used == SLOTS) {
        return NULL;
    }
    at = at == NONE ? p->num_used++ : at;
    ref_slot *s = &p->slots[at];
    s->id = id;
    s->attribute = 0;
    s->model = NONE;
    s->parent = NONE;
    s->matrix = (fx_matrix){.m = {{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}};
    return s;
}

static int64_t s32(const uint32_t *w)
{
    return reference_wrap(*w, 32);
}

static int64_t s16(const uint32_t *w, int i)
{
    return reference_wrap(w[i / 2] >> (16 * (i % 2)), 16);
}

static void ref_rebuild(ref_slot *s, bool scaled)
{
    int64_t m[3][3];
    reference_rotation(m, s->rotate);
    for (int i = 0; i < 9; i++) {
        int64_t value = m[i / 3][i % 3];
        if (scaled) {
            value = reference_wrap(reference_shift(reference_wrap(value * s->scale[i % 3], 32), 12),
                                   16);
        }
        s->matrix.m[i / 3][i % 3] = (int16_t)value;
    }
}

static void ref_coordinate(ref_slot *s, unsigned flag, const uint32_t *w)
{
    const bool diff = (flag & 1) != 0, r = (flag & 2) != 0, sc = (flag & 4) != 0,
               t = (flag & 8) != 0;
    for (int i = 0; r && i < 3; i++) {
        s->rotate[i] = reference_wrap((diff ? s->rotate[i] : 0) + s32(w + i) / 360, 16);
    }
    w += r ? 3 : 0;
    for (int i = 0; sc && i < 3; i++) {
        s->scale[i] = diff ? reference_wrap(s->scale[i] * s16(w, i), 32) / 4096 : s16(w, i);
    }
    w += sc ? 2 : 0;
    for (int i = 0; t && i < 3; i++) {
        s->trans[i] = reference_wrap((diff ? s->trans[i] : 0) + s32(w + i), 32);
    }
    if (diff || r || sc) {
        ref_rebuild(s, diff || sc);
    }
    for (int i = 0; (diff || t) && i < 3; i++) {
        s->matrix.t[i] = (int32_t)s->trans[i];
    }
}

static void ref_light_packet(ref_player *p, uint32_t id, unsigned flag, const uint32_t *w)
{
    if (id > 2) {
        return;
    }
    ref_light *l = &p->lights[id];
    const bool add = (flag & 1) != 0;
    l->used = true;
    for (int i = 0; (flag & 2) != 0 && i < 3; i++) {
        l->direction[i] = reference_wrap((add ? l->direction[i] : 0) + s32(w + i), 32);
    }
    w += (flag & 2) != 0 ? 3 : 0;
    for (int i = 0; (flag & 4) != 0 && i < 3; i++) {
        l->colour[i] = ((add ? l->colour[i] : 0) + (*w >> (8 * i) & 255)) % 256;
    }
}

static void ref_control(ref_player *p, uint32_t id, unsigned flag)
{
    const int at = ref_find(p, id);
    if (flag == 0) {
        (void)ref_create(p, id);
    } else if (flag == 1 && !p->is_130 && at != NONE) {
        p->slots[at].id = FREE;
        while (p->num_used > 0 && p->slots[p->num_used - 1].id == FREE) {
            p->num_used--;
        }
    }
}

static void ref_object_packet(ref_player *p, ref_slot *s, unsigned type, unsigned flag,
                              const uint32_t *w)
{
    int parent;
    switch (type) {
    case 0:
        s->attribute = (s->attribute & w[0]) | w[1];
        break;
    case 1:
        ref_coordinate(s, flag, w);
        break;
    case 2:
        s->model = w[0] & 0xffff;
        break;
    case 3:
        /* a free slot's id is the word 0xffffffff */
        parent = ref_find(p, w[0] == 0xffffffff ? FREE : (int64_t)w[0]);
        s->parent = w[0] == 0 || w[0] == 0xffff ? NONE : parent == NONE ? s->parent : parent;
        break;
    default:
        for (int i = 0; !p->is_130 && i < 9; i++) {
            s->matrix.m[i / 3][i % 3] = (int16_t)s16(w, i);
        }
        for (int i = 0; !p->is_130 && i < 3; i++) {
            s->matrix.t[i] = (int32_t)s32(w + 5 + i);
        }
        break;
    }
}

static void ref_packet(ref_player *p, uint32_t head, const uint32_t *w)
{
    const uint32_t id = head & 0xffff;
    const unsigned type = head >> 16 & 15, flag = head >> 20 & 15;
    if (type == 8) {
        ref_control(p, id, flag);
    } else if (type == 6) {
        ref_light_packet(p, id, flag, w);
    } else if (type <= 4 && ref_find(p, id) != NONE) {
        ref_object_packet(p, &p->slots[ref_find(p, id)], type, flag, w);
    }
}

/* Plays the frame at words[*at] and moves behind it. */
static void ref_frame(ref_player *p, const uint32_t *words, size_t *at)
{
    const uint32_t num = words[*at] >> 16;
    *at += 2;
    for (uint32_t i = 0; i < num; i++) {
        ref_packet(p, words[*at], words + *at + 1);
        *at += words[*at] >> 24;
    }
}

/* The world matrix of a slot by climbing; false in or under a cycle. */
static bool ref_world(const ref_player *p, int slot, int depth, fx_matrix *out)
{
    fx_matrix parent;
    int64_t m[3][3], t[3];
    if (depth > SLOTS) {
        return false;
    }
    if (p->slots[slot].parent == NONE) {
        *out = p->slots[slot].matrix;
        return true;
    }
    if (!ref_world(p, (int)p->slots[slot].parent, depth + 1, &parent)) {
        return false;
    }
    (void)reference_combine(m, t, &parent, &p->slots[slot].matrix);
    for (int i = 0; i < 9; i++) {
        out->m[i / 3][i % 3] = (int16_t)m[i / 3][i % 3];
    }
    for (int i = 0; i < 3; i++) {
        out->t[i] = (int32_t)t[i];
    }
    return true;
}

static int64_t *put_matrix(int64_t *row, const fx_matrix *m)
{
    for (int i = 0; i < 9; i++) {
        *row++ = m->m[i / 3][i % 3];
    }
    for (int i = 0; i < 3; i++) {
        *row++ = m->t[i];
    }
    return row;
}

static const pose *hold_row(const record *got, size_t *next, uint32_t frame, const char *table,
                            const int64_t *want)
{
    HOLD(*next < got->num_poses, "frame %u: a row of %s is missing", frame, table);
    const pose *row = &got->poses[(*next)++];
    HOLD(row->frame == frame && strcmp(row->table->name, table) == 0,
         "frame %u: a row of %s in frame %u instead of %s", frame, row->table->name, row->frame,
         table);
    for (size_t i = 0; i < row->table->num_columns; i++) {
        HOLD(row->values[i] == want[i], "frame %u, %s %d: %s is %lld, not %lld", frame, table,
             (int)want[0], row->table->columns[i].name, (long long)row->values[i],
             (long long)want[i]);
    }
    return row;
}

/* All rows of one frame in their order. */
static void hold_frame(const ref_player *p, const record *got, size_t *next, uint32_t frame)
{
    int64_t row[MAX_COLUMNS];
    for (int i = 0; i < p->num_used; i++) {
        const ref_slot *s = &p->slots[i];
        int64_t *at = row;
        *at++ = i;
        *at++ = s->id;
        *at++ = s->attribute;
        *at++ = s->model == NONE ? FH_UNKNOWN : s->model;
        *at++ = s->parent == NONE ? FH_UNKNOWN : s->parent;
        at = put_matrix(at, &s->matrix);
        for (int k = 0; k < 3; k++) {
            at[k] = s->scale[k];
            at[3 + k] = s->rotate[k];
            at[6 + k] = s->trans[k];
        }
        if (s->id != FREE) {
            hold_row(got, next, frame, "object", row);
        }
    }
    for (int i = 0; i < 3; i++) {
        const ref_light *l = &p->lights[i];
        const int64_t light[7] = {i,
                                  l->direction[0],
                                  l->direction[1],
                                  l->direction[2],
                                  l->colour[0],
                                  l->colour[1],
                                  l->colour[2]};
        if (l->used) {
            hold_row(got, next, frame, "light", light);
        }
    }
    for (int i = 0; i < p->num_used; i++) {
        fx_matrix world;
        row[0] = i;
        row[1] = p->slots[i].id;
        if (p->slots[i].id != FREE && ref_world(p, i, 0, &world)) {
            (void)put_matrix(row + 2, &world);
            hold_row(got, next, frame, "world", row);
        }
    }
}

static uint32_t *words_of(const forge_tod *tod)
{
    uint32_t *words = malloc(tod->out.len + 4);
    HOLD(words != NULL, "memory");
    for (size_t i = 0; i < tod->out.len / 4; i++) {
        const uint8_t *at = tod->out.data + 4 * i;
        words[i] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    return words;
}

static void ref_assume(ref_player *p, const uint32_t *words)
{
    size_t at = 2;
    bool creates = false;
    for (int pass = 0; pass < 2; pass++) {
        at = 2;
        for (uint32_t f = 0; f < words[1]; f++) {
            const size_t end = at + (words[at] & 0xffff);
            for (at += 2; at < end; at += words[at] >> 24) {
                const unsigned type = words[at] >> 16 & 15, flag = words[at] >> 20 & 15;
                creates = creates || (type == 8 && flag == 0);
                if (pass == 1 && !creates && (type <= 4 || type == 8) &&
                    ref_find(p, words[at] & 0xffff) == NONE) {
                    ref_slot *s = ref_create(p, words[at] & 0xffff);
                    HOLD(s != NULL, "too many objects for the test");
                    s->scale[0] = s->scale[1] = s->scale[2] = 4096;
                }
            }
        }
    }
}

Test(player, random_files_play_as_described)
{
    bench b;
    bench_open(&b);
    dice d = {11};
    size_t num_rows = 0, num_assumed = 0;
    for (int i = 0; i < 4000; i++) {
        forge_tod tod = bench_random(&d);
        uint32_t *words = words_of(&tod);
        bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
        HOLD(b.model != NULL, "file %d: %s", i, record_codes(&b.verify));
        for (int is_130 = 0; is_130 < 2; is_130++) {
            ref_player p;
            size_t at = 2, next = 0;
            bench_replay(&b,
                         &(fh_replay_options){.profile = is_130 ? "1.30" : "1.31", .world = true});
            HOLD(b.replay_status == FH_OK && b.result.frames == words[1], "file %d", i);
            ref_init(&p, is_130 != 0);
            ref_assume(&p, words);
            num_assumed += b.result.state == FH_REPLAY_ASSUMED ? 1 : 0;
            for (uint32_t f = 0; f < words[1]; f++) {
                ref_frame(&p, words, &at);
                hold_frame(&p, &b.replay, &next, f);
            }
            HOLD(next == b.replay.num_poses, "file %d: more rows than there should be", i);
            num_rows += next;
        }
        free(words);
        forge_tod_free(&tod);
    }
    cr_assert(gt(sz, num_rows, 50000));
    cr_assert(gt(sz, num_assumed, 100));
    bench_close(&b);
}

/* ---- rows of changes ---- */

enum { MAX_KEYS = 64 };

typedef struct shown {
    bool there;
    pose row;
} shown;

/* Rows of changes, applied one after the other, are the full rows of each frame. */
Test(poses, changes_add_up_to_all_rows)
{
    bench b;
    bench_open(&b);
    dice d = {12};
    size_t num_full = 0, num_changes = 0;
    for (int i = 0; i < 4000; i++) {
        shown objects[MAX_KEYS] = {0};
        forge_tod tod = bench_random(&d);
        bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
        bench_replay(&b, &(fh_replay_options){0});
        record full = b.replay;
        b.replay = (record){0};
        bench_replay(&b, &(fh_replay_options){.changes_only = true});
        size_t next_full = 0, next = 0;
        for (uint32_t f = 0; f < full.num_frames; f++) {
            size_t num_there = 0, num_here = 0;
            for (; next < b.replay.num_poses && b.replay.poses[next].frame == f; next++) {
                const pose *row = &b.replay.poses[next];
                if (strcmp(row->table->name, "object") == 0) {
                    shown *to = &objects[row->values[0]];
                    HOLD(to->there || row->values[1] != FH_UNKNOWN,
                         "file %d: gone without being there", i);
                    *to = (shown){row->values[1] != FH_UNKNOWN, *row};
                    num_changes++;
                }
            }
            for (; next_full < full.num_poses && full.poses[next_full].frame == f; next_full++) {
                const pose *row = &full.poses[next_full];
                if (strcmp(row->table->name, "object") == 0) {
                    const shown *from = &objects[row->values[0]];
                    HOLD(from->there &&
                             memcmp(from->row.values, row->values, sizeof row->values) == 0,
                         "file %d frame %u slot %d", i, f, (int)row->values[0]);
                    num_here++;
                    num_full++;
                }
            }
            for (size_t k = 0; k < MAX_KEYS; k++) {
                num_there += objects[k].there ? 1 : 0;
            }
            HOLD(num_there == num_here, "file %d frame %u: a slot that is gone is still shown", i,
                 f);
        }
        record_free(&full);
        forge_tod_free(&tod);
    }
    cr_assert(lt(sz, num_changes, num_full * 9 / 10), "%zu of %zu", num_changes, num_full);
    bench_close(&b);
}

/* "only rows that differ from the row last shown for the same thing" */
static void hold_no_row_is_shown_twice(const char *table)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build(
        "tod resolution=4\nframe 0\ncreate 1\ncoord 1 r 0 0 0 s 1 2 3 t 0 0 0\nlight 0 dir 1 2 3\n"
        "frame 1\nmodel 1 1\nframe 2\nmodel 1 1\nlight 0 dir 1 2 3\nframe 3\nframe 4\nlight 0 dir "
        "1 2 4");
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    bench_replay(&b, &(fh_replay_options){.changes_only = true, .world = true});
    const pose *last = NULL;
    for (size_t i = 0; i < b.replay.num_poses; i++) {
        const pose *row = &b.replay.poses[i];
        if (strcmp(row->table->name, table) == 0) {
            HOLD(last == NULL || memcmp(last->values, row->values, sizeof row->values) != 0,
                 "the same row of %s in frames %u and %u", table, last->frame, row->frame);
            last = row;
        }
    }
    HOLD(last != NULL, "no row at all");
    forge_tod_free(&tod);
    bench_close(&b);
}

Test(poses, changes_of_objects_are_shown_once)
{
    hold_no_row_is_shown_twice("object");
}

Test(poses, changes_of_lights_are_shown_once)
{
    hold_no_row_is_shown_twice("light");
}

Test(poses, changes_of_world_matrices_are_shown_once)
{
    hold_no_row_is_shown_twice("world");
}

/* ---- cases of their own ---- */

typedef struct play {
    bench b;
    forge_tod tod;
} play;

static void play_open(play *p, const char *text, const fh_replay_options *options)
{
    bench_open(&p->b);
    p->tod = bench_build(text);
    bench_verify(&p->b, p->tod.out.data, p->tod.out.len, (fh_verify_options){true, true});
    bench_replay(&p->b, options);
}

static void play_close(play *p)
{
    forge_tod_free(&p->tod);
    bench_close(&p->b);
}

#define OBJECT(slot, frame, column) record_value(&p.b.replay, "object", slot, frame, column)
#define UNIT " r 0 0 0 s 4096 4096 4096 t 0 0 0\n"

Test(player, an_object_in_a_freed_slot_keeps_the_scale_of_the_one_before)
{
    play p;
    play_open(&p,
              "tod\nframe 0\ncreate 1\ncoord 1 r 0 360 0 s 8192 4096 2048 t 7 8 9\nattr 1 0 "
              "5\nmodel 1 3\n"
              "frame 1\nkill 1\ncreate 2\nframe 2\ncoord 2 diff t 1 1 1",
              &(fh_replay_options){0});
    cr_assert(eq(i64, OBJECT(0, 1, "object"), 2));
    cr_assert(eq(i64, OBJECT(0, 1, "attribute"), 0));
    cr_assert(eq(i64, OBJECT(0, 1, "model"), FH_UNKNOWN));
    cr_assert(eq(i64, OBJECT(0, 1, "m00"), 4096), "the matrix is new");
    cr_assert(eq(i64, OBJECT(0, 1, "t0"), 0), "the matrix is new");
    cr_assert(eq(i64, OBJECT(0, 1, "scale_x"), 8192));
    cr_assert(eq(i64, OBJECT(0, 1, "scale_z"), 2048));
    cr_assert(eq(i64, OBJECT(0, 1, "rotate_y"), 1));
    cr_assert(eq(i64, OBJECT(0, 1, "trans_x"), 7));
    cr_assert(eq(i64, OBJECT(0, 2, "m00"), 8192), "until they are used");
    cr_assert(eq(i64, OBJECT(0, 2, "t0"), 8), "until they are used");
    cr_assert(eq(sz, record_count(&p.b.replay, "TOD0082"), 0), "its scale was set");
    play_close(&p);
}

Test(player, before_any_scale_a_differential_packet_makes_the_matrix_zero)
{
    play p;
    play_open(&p, "tod\nframe 0\ncreate 1\ncoord 1 r 0 0 0\nframe 1\ncoord 1 diff",
              &(fh_replay_options){0});
    cr_assert(eq(i64, OBJECT(0, 0, "m11"), 4096));
    cr_assert(eq(i64, OBJECT(0, 1, "m11"), 0));
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), "0082"));
    play_close(&p);
}

Test(player, a_duplicate_is_made_and_the_first_is_found)
{
    play p;
    play_open(&p,
              "tod\nframe 0\ncreate 1\ncreate 1\nframe 1\nmodel 1 7\nframe 2\nkill 1\nframe "
              "3\nmodel 1 8\nframe 4\nkill 1",
              &(fh_replay_options){0});
    cr_assert(eq(i64, OBJECT(0, 1, "model"), 7));
    cr_assert(eq(i64, OBJECT(1, 1, "model"), FH_UNKNOWN));
    cr_assert(not(record_has_row(&p.b.replay, "object", 0, 2)));
    cr_assert(eq(i64, OBJECT(1, 3, "model"), 8), "the second is found when the first is gone");
    cr_assert(not(record_has_row(&p.b.replay, "object", 1, 4)));
    play_close(&p);
}

Test(player, the_first_free_slot_is_taken)
{
    play p;
    play_open(&p,
              "tod\nframe 0\nrepeat 5\ncreate $+1\nendrepeat\nframe 1\nkill 4\nkill 2\nframe "
              "2\ncreate 12\ncreate 14\ncreate 16\n"
              "frame 3\nkill 16\nkill 14\nkill 5\nframe 4\ncreate 21\ncreate 22\ncreate 23",
              &(fh_replay_options){0});
    static const int64_t ids[5][6] = {{1, 2, 3, 4, 5, 0},
                                      {1, 0, 3, 0, 5, 0},
                                      {1, 12, 3, 14, 5, 16},
                                      {1, 12, 3, 0, 0, 0},
                                      {1, 12, 3, 21, 22, 23}};
    for (uint32_t f = 0; f < 5; f++) {
        for (int64_t slot = 0; slot < 6; slot++) {
            HOLD(record_has_row(&p.b.replay, "object", slot, f) == (ids[f][slot] != 0),
                 "frame %u slot %d", f, (int)slot);
            HOLD(ids[f][slot] == 0 || OBJECT(slot, f, "object") == ids[f][slot], "frame %u slot %d",
                 f, (int)slot);
        }
    }
    play_close(&p);
}

/* The count falls over all trailing free slots, which only the table itself shows. */
Test(player, the_slot_count_shrinks)
{
    bench b;
    bench_open(&b);
    forge_tod tod =
        bench_build("tod\nframe 0\nrepeat 4\ncreate $+1\nendrepeat\nframe 1\nkill 3\nframe 2\nkill "
                    "2\nframe 3\nkill 4\nframe 4\nkill 1\nframe 5\nkill 1");
    static const uint32_t used[] = {4, 4, 4, 1, 0, 0};
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    const tod_model *model = b.model;
    for (int is_130 = 0; is_130 < 2; is_130++) {
        tod_player player;
        HOLD(tod_player_init(&player, &b.arena, is_130 ? TOD_PROFILE_130 : TOD_PROFILE_131, 10) ==
                 FH_OK,
             "init");
        for (uint32_t f = 0; f < 6; f++) {
            HOLD(tod_player_frame(&player, model, &model->frames[f], &b.budget), "budget");
            HOLD(player.num_used == (is_130 ? 4 : used[f]), "frame %u: %u slots", f,
                 player.num_used);
        }
    }
    forge_tod_free(&tod);
    bench_close(&b);
}

Test(player, a_full_table)
{
    play p;
    static const char text[] = "tod\nframe 0\nrepeat 51\ncreate $+1\nendrepeat\nframe 1\nrepeat "
                               "51\nmodel $+1 $+1\nendrepeat";
    play_open(&p, text, &(fh_replay_options){0});
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), ""), "verify has said so");
    cr_assert(eq(str, (char *)record_find(&p.b.verify, "TOD0065")->found, "51"));
    cr_assert(eq(i64, OBJECT(49, 1, "model"), 50));
    cr_assert(not(record_has_row(&p.b.replay, "object", 50, 1)));
    cr_assert(eq(int, (int)p.b.result.state, FH_REPLAY_COMPLETE));
    play_close(&p);
    play_open(&p, text, &(fh_replay_options){.num_slots = 51});
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), ""));
    cr_assert(eq(i64, OBJECT(50, 1, "model"), 51));
    play_close(&p);
    play_open(&p, text, &(fh_replay_options){.num_slots = 1});
    cr_assert(eq(sz, record_count(&p.b.replay, "TOD0065"), 21));
    cr_assert(eq(sz, p.b.replay.num_poses, 2));
    play_close(&p);
}

Test(player, options_that_do_not_exist)
{
    static const struct {
        const char *profile;
        uint32_t slots;
        fh_status want;
    } cases[] = {{"1.31", 1024, FH_OK},
                 {"1.30", 1, FH_OK},
                 {NULL, 0, FH_OK},
                 {"1.32", 0, FH_UNSUPPORTED},
                 {"", 0, FH_UNSUPPORTED},
                 {"1.3", 0, FH_UNSUPPORTED},
                 {NULL, 1025, FH_UNSUPPORTED},
                 {NULL, UINT32_MAX, FH_UNSUPPORTED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        play p;
        play_open(&p, "tod\nframe 0\ncreate 1",
                  &(fh_replay_options){.profile = cases[i].profile, .num_slots = cases[i].slots});
        HOLD(p.b.replay_status == cases[i].want, "case %zu: %d", i, p.b.replay_status);
        HOLD((p.b.result.state == FH_REPLAY_COMPLETE) == (cases[i].want == FH_OK), "case %zu", i);
        HOLD(cases[i].want == FH_OK || strcmp(p.b.result.evaluator, "tod-player 1.31") == 0,
             "case %zu: what does not exist is not what evaluates: %s", i, p.b.result.evaluator);
        play_close(&p);
    }
}

Test(player, profiles)
{
    play p;
    static const char text[] = "tod\nframe 0\ncreate 1\ncreate 2\ncoord 2" UNIT
                               "frame 4\nmodel 1 1\nframe 5\nmatrix 2 1 2 3 4 5 6 7 8 9 10 11 12\n"
                               "frame 6\nkill 1";
    play_open(&p, text, &(fh_replay_options){.profile = "1.31"});
    cr_assert(eq(str, (char *)p.b.result.evaluator, "tod-player 1.31"));
    cr_assert(eq(i64, OBJECT(1, 2, "m12"), 6));
    cr_assert(eq(i64, OBJECT(1, 2, "t2"), 12));
    cr_assert(eq(i64, OBJECT(1, 2, "trans_z"), 0));
    cr_assert(not(record_has_row(&p.b.replay, "object", 0, 3)));
    for (int is_130 = 0; is_130 < 2; is_130++) {
        if (is_130) {
            play_close(&p);
            play_open(&p, text, &(fh_replay_options){.profile = "1.30"});
        }
        const fh_finding *f = record_find(&p.b.replay, "TOD0130");
        HOLD(f->frame == 2 && f->frame_number == 5, "frame %d", (int)f->frame);
        HOLD(strcmp(f->found, "different in 1.30 and 1.31") == 0, "%s", f->found);
        HOLD(f->object == 2, "object %d", (int)f->object);
        HOLD(record_count(&p.b.replay, "TOD0130") == 1, "once");
    }
    cr_assert(eq(str, (char *)p.b.result.evaluator, "tod-player 1.30"));
    cr_assert(eq(i64, OBJECT(1, 2, "m12"), 0));
    cr_assert(eq(i64, OBJECT(0, 3, "object"), 1));
    play_close(&p);
}

/* The object that one profile has and the other lacks is named in both. */
Test(player, profiles_that_differ_in_a_slot)
{
    for (int is_130 = 0; is_130 < 2; is_130++) {
        play p;
        play_open(&p, "tod\nframe 0\ncreate 1\ncreate 7\nframe 1\nkill 7",
                  &(fh_replay_options){.profile = is_130 ? "1.30" : "1.31"});
        const fh_finding *f = record_find(&p.b.replay, "TOD0130");
        HOLD(f->object == 7, "object %d", (int)f->object);
        play_close(&p);
    }
}

/* Words behind a packet that is too short are those that follow it; behind the asset they are 0. */
Test(player, words_that_are_not_there)
{
    play p;
    play_open(&p,
              "tod\nframe 0\ncreate 1\nattr 1 0 0xff\nframe 1\npacket 1 0 0\nattr 1 0xf 0\n"
              "frame 2\nattr 1 0 0xff\nframe 3\npacket 1 0 0",
              &(fh_replay_options){0});
    cr_assert(eq(i64, OBJECT(0, 0, "attribute"), 0xff));
    /* the mask is the next packet's header, and the value its mask, which then keeps 4 bits */
    cr_assert(eq(i64, OBJECT(0, 1, "attribute"), 0xf));
    cr_assert(eq(i64, OBJECT(0, 2, "attribute"), 0xff));
    cr_assert(eq(i64, OBJECT(0, 3, "attribute"), 0));
    play_close(&p);
}

Test(player, an_empty_table)
{
    bench b;
    tod_player player;
    bench_open(&b);
    b.arena = fh_arena_make(b.block, BENCH_ARENA);
    HOLD(tod_player_init(&player, &b.arena, TOD_PROFILE_131, 3) == FH_OK, "init");
    cr_expect(eq(u32, player.num_used, 0));
    for (uint32_t i = 0; i < 3; i++) {
        const tod_slot *slot = &player.slots[i];
        cr_expect(eq(u32, slot->id, TOD_FREE_ID));
        cr_expect(eq(u32, slot->attribute, 0x80000000));
        cr_expect(slot->model == TOD_NO_MODEL && slot->parent == TOD_NO_SLOT);
    }
    bench_close(&b);
}

/* A frame begins for all that is in the table, and for nothing behind it. */
Test(player, a_frame_begins_for_the_whole_table)
{
    enum { BEHIND = 256 };
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build("tod\nframe 0\ncreate 1\ncreate 2");
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    const tod_model *model = b.model;
    tod_player player;
    HOLD(tod_player_init(&player, &b.arena, TOD_PROFILE_131, 2) == FH_OK, "init");
    uint8_t *behind = fh_arena_alloc(&b.arena, BEHIND, 1);
    HOLD(behind != NULL, "memory");
    memset(behind, 0xff, BEHIND);
    HOLD(tod_player_frame(&player, model, &model->frames[0], &b.budget), "budget");
    cr_expect(player.slots[0].touched && player.slots[1].touched);
    cr_expect(eq(uint, player.slots[0].set_parts, 0), "nothing was given yet");
    tod_player_begin(&player);
    cr_expect(not(player.slots[0].touched || player.slots[1].touched));
    for (size_t i = 0; i < BEHIND; i++) {
        HOLD(behind[i] == 0xff, "byte %zu behind the table", i);
    }
    forge_tod_free(&tod);
    bench_close(&b);
}

/* What the other profile does with its table is not told of this one. Version 1.30 has no room for
 * object 5, which is singular in 1.31. */
Test(player, a_full_table_of_one_profile)
{
    play p;
    play_open(&p,
              "tod\nframe 0\nrepeat 4\ncreate $+1\ncoord $+1" UNIT
              "endrepeat\nkill 1\ncreate 5\ncoord 5 r 184320 0 0 s 1 1 1",
              &(fh_replay_options){.profile = "1.30", .num_slots = 4});
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), "0065 0130"));
    play_close(&p);
    play_open(&p, "tod\nframe 0\ncreate 5\ncoord 5 r 184320 0 0 s 1 1 1",
              &(fh_replay_options){.profile = "1.30", .num_slots = 4});
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), "0133"));
    play_close(&p);
}

/* A replay that is not paid for to its end has stopped, and says nothing of players that were not
 * asked the same. */
Test(player, every_budget)
{
    play p;
    static const char text[] = "tod\nframe 0\ncreate 1\nframe 1\nkill 9";
    const fh_replay_options options = {.num_slots = 1};
    play_open(&p, text, &options);
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), ""));
    p.b.budget.left = BENCH_BUDGET;
    bench_replay(&p.b, &options);
    const uint64_t whole = BENCH_BUDGET - p.b.budget.left;
    for (uint64_t work = 0; work <= whole; work++) {
        const bool stops = work < whole;
        p.b.budget.left = work;
        bench_replay(&p.b, &options);
        HOLD((p.b.result.state == FH_REPLAY_STOPPED) == stops, "%d units", (int)work);
        HOLD(strcmp(record_codes(&p.b.replay), stops ? "0131" : "") == 0, "%d units: %s", (int)work,
             record_codes(&p.b.replay));
    }
    play_close(&p);
}

/* Each frame looks at all slots, whether it has packets or not, and pays for that. */
Test(player, frames_are_paid_for)
{
    enum { FRAMES = 100, SLOTS_OF_IT = 30 };
    play p;
    const fh_replay_options options = {.num_slots = SLOTS_OF_IT};
    play_open(&p, "tod\nframe 0\nmodel 1 1\nrepeat 99\nframe +\nendrepeat", &options);
    p.b.budget.left = FRAMES * SLOTS_OF_IT;
    bench_replay(&p.b, &options);
    cr_assert(eq(int, (int)p.b.result.state, FH_REPLAY_STOPPED));
    cr_assert(lt(u32, p.b.result.frames, FRAMES));
    play_close(&p);
}

Test(player, parents)
{
    play p;
    play_open(&p,
              "tod\nframe 0\ncreate 1\ncoord 1" UNIT "create 2\ncoord 2" UNIT
              "create 3\ncoord 3" UNIT
              "coord 1 t 100 0 0\ncoord 2 t 10 0 0\nparent 2 1\nframe 1\nparent 2 99\nframe "
              "2\nparent 2 0x10001\nframe 3\nkill 1\n"
              "frame 4\nkill 3\nparent 2 0xffffffff\nframe 5\nparent 2 0xffff",
              &(fh_replay_options){.world = true});
    for (uint32_t f = 0; f < 5; f++) {
        HOLD(OBJECT(1, f, "parent_slot") == 0, "frame %u", f);
        HOLD(record_value(&p.b.replay, "world", 1, f, "t0") == 110,
             "frame %u: the coordinate stays, dead or not", f);
        HOLD(record_has_row(&p.b.replay, "world", 1, f), "frame %u", f);
    }
    cr_assert(eq(i64, OBJECT(1, 5, "parent_slot"), FH_UNKNOWN));
    cr_assert(eq(i64, record_value(&p.b.replay, "world", 1, 5, "t0"), 10));
    cr_assert(not(record_has_row(&p.b.replay, "world", 0, 3)), "no row of a dead object");
    play_close(&p);
}

/* Objects 1 to 4 under one another, then 1 under 4, with 5 below; a dead parent behind the count.
 */
Test(player, world_matrices_in_cycles)
{
    play p;
    play_open(&p,
              "tod\nframe 0\nrepeat 6\ncreate $+1\ncoord $+1 r 0 0 0 s 4096 4096 4096 t 1 0 "
              "0\nendrepeat\n"
              "parent 2 1\nparent 3 2\nparent 4 3\nparent 5 4\nframe 1\nparent 1 4\nframe "
              "2\nparent 1 1\nframe 3\nparent 3 6\nkill 6",
              &(fh_replay_options){.world = true});
    static const int64_t sums[4][6] = {
        {1, 2, 3, 4, 5, 1}, {0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}, {0, 0, 2, 3, 4, 0}};
    for (uint32_t f = 0; f < 4; f++) {
        for (int64_t slot = 0; slot < 6; slot++) {
            const bool has = record_has_row(&p.b.replay, "world", slot, f);
            HOLD(has == (sums[f][slot] != 0), "frame %u slot %d", f, (int)slot);
            HOLD(!has || record_value(&p.b.replay, "world", slot, f, "t0") == sums[f][slot],
                 "frame %u slot %d", f, (int)slot);
        }
    }
    play_close(&p);
}

Test(player, lights)
{
    play p;
    play_open(&p,
              "tod\nframe 0\ncreate 1\nframe 1\nlight 1 dir 1 2147483647 -3 rgb 10 20 30\nframe "
              "2\nlight 1 diff dir 1 1 1 rgb 250 1 1\n"
              "light 3 dir 1 1 1\nlight 65535 rgb 1 1 1\nframe 3\nlight 2 rgb 7 8 9",
              &(fh_replay_options){0});
#define LIGHT(id, frame, column) record_value(&p.b.replay, "light", id, frame, column)
    cr_assert(not(record_has_row(&p.b.replay, "light", 1, 0)));
    cr_assert(eq(i64, LIGHT(1, 1, "direction_y"), INT32_MAX));
    cr_assert(eq(i64, LIGHT(1, 1, "blue"), 30));
    cr_assert(eq(i64, LIGHT(1, 2, "direction_x"), 2));
    cr_assert(eq(i64, LIGHT(1, 2, "direction_y"), INT32_MIN));
    cr_assert(eq(i64, LIGHT(1, 2, "red"), 4));
    cr_assert(eq(i64, LIGHT(1, 2, "green"), 21));
    cr_assert(eq(i64, LIGHT(1, 2, "blue"), 31));
    cr_assert(eq(i64, LIGHT(2, 3, "green"), 8));
    cr_assert(eq(i64, LIGHT(2, 3, "direction_x"), 0));
    cr_assert(not(record_has_row(&p.b.replay, "light", 2, 2)));
    cr_assert(not(record_has_row(&p.b.replay, "light", 0, 3)));
    play_close(&p);
}

Test(player, running_time)
{
    static const struct {
        const char *text;
        uint64_t ticks;
    } cases[] = {
        {"tod resolution=4\nframe 0\ncreate 1", 4},
        {"tod resolution=4\nframe 3\ncreate 1\nframe 9\ncreate 2", 28},
        {"tod resolution=0\nframe 0\ncreate 1\nframe 1", 0},
        {"tod resolution=4\nframe 9\ncreate 1\nframe 8", 0},
        {"tod resolution=4\nframe 9\ncreate 1\nframe 9", 4},
        {"tod resolution=65535\nframe 0\ncreate 1\nframe 4294967295", 65535ull << 32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        play p;
        play_open(&p, cases[i].text, &(fh_replay_options){0});
        HOLD(p.b.result.ticks == cases[i].ticks, "%s: %llu", cases[i].text,
             (unsigned long long)p.b.result.ticks);
        play_close(&p);
    }
}

/* ---- files that continue others ---- */

typedef struct pair {
    bench b;
    forge_tod first, second;
    const void *before[1];
    const void *model;
} pair;

static void pair_open(pair *p, const char *first, const char *second)
{
    bench_open(&p->b);
    p->first = bench_build(first);
    p->second = bench_build(second);
    bench_verify(&p->b, p->first.out.data, p->first.out.len, (fh_verify_options){true, true});
    p->before[0] = p->b.model;
    const fh_sink sink = record_sink(&p->b.verify);
    const fh_env env = {&p->b.arena, &p->b.budget, &sink};
    HOLD(p->b.format->verify(&p->b.asset, &p->model, &env,
                             fh_cursor_make(p->second.out.data, p->second.out.len, 0),
                             &(fh_verify_options){true, true}) == FH_OK,
         "second file");
    p->b.model = p->model;
}

static void pair_close(pair *p)
{
    forge_tod_free(&p->first);
    forge_tod_free(&p->second);
    bench_close(&p->b);
}

static const char first_file[] =
    "tod resolution=4\nframe 0\ncreate 1\ncoord 1 r 0 0 0 s 8192 4096 4096 t 5 0 0\nframe 1\nlight "
    "0 dir 0 0 0\nframe 2\nkill 9\nframe 3\n";
static const char second_file[] = "tod resolution=4\nframe 0\ncoord 1 diff t 1 0 0\nframe 1\n";

Test(player, a_continuation_on_its_own_is_played_on_assumed_objects)
{
    play p;
    play_open(&p, second_file, &(fh_replay_options){0});
    cr_assert(eq(int, (int)p.b.result.state, FH_REPLAY_ASSUMED));
    cr_assert(eq(i64, OBJECT(0, 0, "t0"), 1));
    cr_assert(eq(i64, OBJECT(0, 0, "m00"), 4096));
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), ""));
    play_close(&p);
}

Test(player, what_was_played_before_is_the_start)
{
    pair p;
    pair_open(&p, first_file, second_file);
    bench_replay(&p.b, &(fh_replay_options){.before = p.before, .num_before = 1});
    cr_assert(eq(int, (int)p.b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(eq(u32, p.b.result.frames, 2));
    cr_assert(eq(sz, p.b.replay.num_frames, 2), "the first file is played in silence");
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), ""));
    cr_assert(eq(i64, OBJECT(0, 0, "t0"), 6));
    cr_assert(eq(i64, OBJECT(0, 0, "m00"), 8192));
    cr_assert(record_has_row(&p.b.replay, "light", 0, 0), "lights stay as well");
    pair_close(&p);
}

Test(player, a_start_that_is_a_continuation_itself_is_assumed)
{
    pair p;
    pair_open(&p, second_file, second_file);
    bench_replay(&p.b, &(fh_replay_options){.before = p.before, .num_before = 1});
    cr_assert(eq(int, (int)p.b.result.state, FH_REPLAY_ASSUMED));
    cr_assert(eq(i64, OBJECT(0, 0, "t0"), 2));
    pair_close(&p);
}

/* The second player follows through the first file as well: it must not begin to differ there. */
Test(player, profiles_are_compared_behind_what_was_played_before)
{
    pair p;
    pair_open(&p, first_file, "tod resolution=4\nframe 0\nmodel 1 1\nframe 1\nkill 1");
    bench_replay(&p.b, &(fh_replay_options){.before = p.before, .num_before = 1});
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), "0130"));
    cr_assert(eq(i64, record_find(&p.b.replay, "TOD0130")->frame, 1));
    pair_close(&p);
}

/* In 1.31 object 1 came back to its slot, in 1.30 it has a second one: there is none in 1.31. */
Test(player, profiles_that_differ_before_the_file)
{
    pair p;
    pair_open(&p,
              "tod resolution=4\nframe 0\ncreate 1\ncoord 1" UNIT "kill 1\ncreate 1\ncoord 1" UNIT,
              "tod resolution=4\nframe 0\nmodel 1 1");
    bench_replay(&p.b, &(fh_replay_options){.before = p.before, .num_before = 1});
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), "0130"));
    const fh_finding *f = record_find(&p.b.replay, "TOD0130");
    cr_expect(eq(i64, f->object, 1));
    cr_expect(eq(i64, f->offset, 8));
    cr_expect(eq(str, (char *)f->context, ""), "no packet of this file");
    pair_close(&p);
}

/* What was wrong at the end of the file before is no finding of this one, which does not touch it.
 */
Test(player, objects_that_the_file_does_not_touch)
{
    pair p;
    pair_open(&p, "tod resolution=4\nframe 0\ncreate 1\ncoord 1 r 184320 0 0 s 1 1 1 t 0 0 0",
              "tod resolution=4\nframe 0\nlight 0 rgb 1 2 3\nframe 1\nmodel 1 1");
    bench_replay(&p.b, &(fh_replay_options){.before = p.before, .num_before = 1});
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), "0133"));
    cr_expect(eq(i64, record_find(&p.b.replay, "TOD0133")->frame, 1));
    pair_close(&p);
}

/* Then it has no place in this file where it stopped. */
Test(player, a_budget_that_is_spent_before_the_file)
{
    pair p;
    pair_open(&p, first_file, second_file);
    p.b.budget.left = 0;
    bench_replay(&p.b, &(fh_replay_options){.before = p.before, .num_before = 1});
    cr_assert(eq(str, (char *)record_codes(&p.b.replay), "0131"));
    const fh_finding *f = record_find(&p.b.replay, "TOD0131");
    cr_expect(eq(i64, f->frame, FH_UNKNOWN));
    cr_expect(eq(i64, f->offset, 0));
    pair_close(&p);
}

/* Frames of other files do not count, whether the budget lasts or not. */
Test(player, frames_that_were_run_are_the_files_own)
{
    pair p;
    pair_open(&p, first_file, second_file);
    for (uint64_t left = 0; left < 80; left++) {
        p.b.budget.left = left;
        bench_replay(&p.b, &(fh_replay_options){.before = p.before, .num_before = 1});
        HOLD(p.b.result.frames <= 2 && p.b.result.frames <= p.b.replay.num_frames + 1,
             "budget %d: %u frames of 2 run, %zu shown", (int)left, p.b.result.frames,
             p.b.replay.num_frames);
    }
    pair_close(&p);
}

/* ---- sinks that want less ---- */

Test(poses, a_sink_without_callbacks)
{
    play p;
    static const char text[] =
        "tod\nframe 0\ncreate 1\ncoord 1 diff\nlight 0 dir 0 0 0\nframe 1\nkill 1";
    play_open(&p, text, &(fh_replay_options){.world = true});
    const size_t num_frames = p.b.replay.num_frames;
    cr_assert(gt(sz, p.b.replay.num_poses, 0));
    for (int which = 0; which < 8; which++) {
        record got = {0};
        const fh_sink all = record_sink(&got);
        const fh_sink some = {&got, (which & 1) != 0 ? all.finding : NULL,
                              (which & 2) != 0 ? all.frame : NULL,
                              (which & 4) != 0 && (which & 2) != 0 ? all.pose : NULL};
        const fh_env env = {&p.b.arena, &p.b.budget, &some};
        HOLD(p.b.format->replay(&p.b.result, &env, p.b.model,
                                &(fh_replay_options){.world = true}) == FH_OK,
             "replay");
        HOLD(p.b.result.state == FH_REPLAY_COMPLETE && p.b.result.frames == 2, "state");
        HOLD((got.num_findings > 0) == ((which & 1) != 0), "findings");
        HOLD(got.num_frames == ((which & 2) != 0 ? num_frames : 0), "frames");
        HOLD((got.num_poses > 0) == (which >= 6), "poses");
        record_free(&got);
    }
    play_close(&p);
}
