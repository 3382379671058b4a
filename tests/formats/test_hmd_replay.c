/* The replay of whole HMD files: against what the library's object code did with real ones, frame
 * by frame, and what is shown and found. */
#include "forge/hmd.h"
#include "hmd/hmd_animation.h"
#include "hmd/hmd_period.h"
#include "hmd_bench.h"

#ifdef HAVE_JANSSON
#include "vectors.h"
#endif

#include <stdlib.h>
#include <string.h>

static const char *const samples[] = {
    "anim_balloon_balloon",   "anim_cube0_cube0",    "anim_domesc_domesc",
    "anim_interp_interp",     "anim_ring_tiled",     "anim_rots_rots",
    "anim_snake_04",          "anim_snake_64_2",     "anim_ufo_ufo",
    "comb_ammonite_ammonite", "comb_tofu_tofu",      "comb_walkrun_switch",
    "equip_pp_pp_aim",        "equip_pp_pp_fix",     "equip_snowman_snowman",
    "tuto_pyramid_pyramid6",  "mime_trirpy",         "mime_twister_axes",
    "tuto_pyramid_jntmime",   "tuto_pyramid_vtxjnt", "tuto_pyramid_vtxmime"};
enum { NUM_SAMPLES = sizeof samples / sizeof samples[0], NUM_ANIMATED = 16 };

static uint8_t *bytes_of(const uint32_t *words, uint32_t num)
{
    uint8_t *bytes = malloc(4 * (size_t)num);
    HOLD(bytes != NULL, "the test is out of memory");
    for (uint32_t i = 0; i < 4 * num; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    }
    return bytes;
}

static void open_hmd(bench *b)
{
    bench_open(b);
    b->format = fh_format_find("hmd");
}

/* ---- the library's frames -------------------------------------------------------------------- */

#ifdef HAVE_JANSSON

/* One scenario: our player, and the library's image at the end of each frame. */
typedef struct stage {
    hmd_bench b;
    bench asset;
    uint8_t *bytes;
    hmd_player player;
    hmd_image expected;
    uint32_t sequences[128]; /* word of each */
    size_t num_sequences;
    bool has_axes;
    bool is_morph_recorded;
    int32_t weights[HMD_MIME_MAX_KEYS];
    size_t num_morphed;
    uint64_t num_values;
    uint64_t num_frames;
} stage;

static const struct field {
    uint32_t off;
    unsigned len;
} fields[] = {{HMD_SEQUENCE_II, 2},       {HMD_SEQUENCE_AFRAME, 2}, {HMD_SEQUENCE_SID, 1},
              {HMD_SEQUENCE_SPEED, 1},    {HMD_SEQUENCE_SRCII, 2},  {HMD_SEQUENCE_RFRAME, 2},
              {HMD_SEQUENCE_TFRAME, 2},   {HMD_SEQUENCE_CI, 2},     {HMD_SEQUENCE_TI, 2},
              {HMD_SEQUENCE_TRAVELING, 1}};
enum { NUM_FIELDS = sizeof fields / sizeof fields[0] };
enum { II, AFRAME, SID, SPEED, SRCII, RFRAME, TFRAME, CI, TI, TRAVELING };

static void put_field(const stage *s, hmd_image *image, size_t sequence, int field, int64_t value)
{
    HOLD(sequence < s->num_sequences, "sequence %zu", sequence);
    const uint32_t off = 4 * s->sequences[sequence] + fields[field].off;
    const uint32_t word = (uint32_t)((uint64_t)value & 0xffffffff);
    HOLD(fields[field].len == 1 ? hmd_image_put8(image, off, word)
                                : hmd_image_put16(image, off, word),
         "sequence %zu outside", sequence);
}

static int64_t get_field(const stage *s, size_t sequence, int field)
{
    const uint32_t off = 4 * s->sequences[sequence] + fields[field].off;
    uint16_t value = 0;
    uint8_t byte = 0;
    if (fields[field].len == 1) {
        HOLD(hmd_image_u8(&s->player.image, off, &byte), "outside");
        return field == SPEED ? (int8_t)byte : byte;
    }
    HOLD(hmd_image_u16(&s->player.image, off, &value), "outside");
    return field == RFRAME ? (int16_t)value : value;
}

static void put_all(stage *s, int field, int64_t value)
{
    for (size_t i = 0; i < s->num_sequences; i++) {
        put_field(s, &s->player.image, i, field, value);
    }
}

static void turn_all(stage *s)
{
    for (size_t i = 0; i < s->num_sequences; i++) {
        put_field(s, &s->player.image, i, SPEED, -get_field(s, i, SPEED));
    }
}

/* The realtime motion switch of the viewer: the pose is saved, then left for another motion. */
static void switch_motion(stage *s, size_t frame, uint32_t motion)
{
    uint16_t target = 0;
    if (frame == 20) {
        put_field(s, &s->player.image, 0, TRAVELING, 1);
        put_field(s, &s->player.image, 0, II, get_field(s, 0, SRCII));
    } else if (frame == 21) {
        const uint32_t start = 4 * s->sequences[0] + HMD_SEQUENCE_START;
        HOLD(hmd_image_u16(&s->player.image, start + 2 * (6 + motion), &target), "outside");
        put_field(s, &s->player.image, 0, RFRAME, 2400);
        put_field(s, &s->player.image, 0, TFRAME, 2400);
        put_field(s, &s->player.image, 0, TI, target);
        put_field(s, &s->player.image, 0, II, HMD_NO_INDEX);
        put_field(s, &s->player.image, 0, CI, get_field(s, 0, SRCII));
        put_field(s, &s->player.image, 0, SID, 0);
    }
}

/* What the program does in front of a frame, by the name of the scenario. */
static void edit(stage *s, size_t frame)
{
    const char *name = s->b.scenario;
    unsigned a = 0;
    unsigned c = 0;
    if (strcmp(name, "file") == 0 || strcmp(name, "weights") == 0) {
        return;
    }
    if (strcmp(name, "sidseq") == 0) {
        static const int sids[] = {1, 2, 3, 4, 0, 126};
        if (frame % 15 == 0 && frame >= 15 && frame <= 90) {
            put_all(s, SID, sids[frame / 15 - 1]);
        }
    } else if (strcmp(name, "sp0_30_60") == 0) {
        if (frame == 30 || frame == 60) {
            put_all(s, SPEED, frame == 30 ? 0 : 0x10);
        }
    } else if (strcmp(name, "aframe25") == 0) {
        if (frame == 0 || frame == 60) {
            put_all(s, AFRAME, frame == 0 ? 25 : 10);
        }
    } else if (strcmp(name, "fwd7f_rev") == 0) {
        if (frame == 0) {
            put_all(s, SPEED, 0x7f);
        } else if (frame == 60 || frame == 90) {
            turn_all(s);
        }
    } else if (sscanf(name, "fwd%u_rev%u", &a, &c) == 2) {
        if (frame == a || frame == c) {
            turn_all(s);
        }
    } else if (sscanf(name, "sid%u_at%u", &a, &c) == 2) {
        if (frame == c) {
            put_all(s, SID, a);
        }
    } else if (sscanf(name, "rms%u_20", &a) == 1) {
        switch_motion(s, frame, a);
    } else if (sscanf(name, "sp%x", &a) == 1 || sscanf(name, "rev%x", &a) == 1) {
        if (frame == 0) {
            put_all(s, SPEED, name[0] == 'r' ? -(int64_t)a : (int64_t)a);
        }
    } else {
        cr_fatal("scenario %s is not known", name);
    }
}

/* Words of the joints that the axes kind of MIMe writes are not modelled: they are taken over. */
static void take_axes(stage *s)
{
    hmd_bench_record records[HMD_BENCH_RECORDS];
    const uint32_t *from = s->expected.words;
    const size_t num = hmd_bench_records(&s->b.image, 4, records);
    for (size_t i = 0; i < num; i++) {
        if (records[i].type != HMD_MIME_JOINT_AXES) {
            continue;
        }
        s->has_axes = true;
        const uint32_t section = from[records[i].header + 4] & 0x7fffffff;
        for (uint32_t k = 0; k < records[i].num_data; k++) {
            const uint32_t block = section + from[records[i].data + k];
            const uint32_t reset = block + 2 + 5 * (from[block] >> 16);
            memcpy(&s->player.image.words[reset], &from[reset], 32);
        }
    }
}

static void hold_morphed(void *user)
{
    stage *s = user;
    hmd_image morphed = hmd_bench_copy(&s->expected);
    if (!s->has_axes && s->is_morph_recorded) {
        hmd_bench_apply(&s->b, &morphed, "mc", "mw");
        HOLD(hmd_bench_differ(&s->b, &s->player.image, &morphed) == 0,
             "%s frame %zu: %zu words after MIMe", s->b.scenario, s->b.next - 1,
             hmd_bench_differ(&s->b, &s->player.image, &morphed));
        s->num_values += hmd_bench_numbers(&s->b, "mw") / 2;
        s->num_values += hmd_bench_numbers(&s->b, "mc") / 16 * 15;
        s->num_morphed++;
    }
    free(morphed.words);
}

/* Applies what the library wrote in this frame. */
static void read_frame(stage *s)
{
    hmd_bench *b = &s->b;
    hmd_bench_apply(b, &s->expected, "c", "w");
    s->num_values += hmd_bench_numbers(b, "c") / 16 * 15 + hmd_bench_numbers(b, "w") / 2;
    const size_t num_rows = hmd_bench_numbers(b, "q") / (NUM_FIELDS + 1);
    for (size_t i = 0; i < num_rows; i++) {
        const int64_t *row = &b->numbers[i * (NUM_FIELDS + 1)];
        for (int k = 0; k < NUM_FIELDS; k++) {
            put_field(s, &s->expected, (size_t)row[0], k, row[1 + k]);
        }
    }
    const size_t num_pointers = hmd_bench_numbers(b, "p") / 2;
    for (size_t i = 0; i < num_pointers; i++) {
        const uint32_t value = HMD_FILE_BASE + 4 * (uint32_t)b->numbers[2 * i + 1];
        HOLD(hmd_image_put32(&s->expected, 4 * (uint32_t)b->numbers[2 * i], value), "outside");
    }
    s->num_values += num_rows * NUM_FIELDS + num_pointers;
    const size_t num_weights = hmd_bench_numbers(b, "mimepr");
    for (size_t i = 0; i < num_weights; i++) {
        s->weights[i] = (int32_t)b->numbers[i];
    }
    s->is_morph_recorded = num_weights > 0 || hmd_bench_has(b, "mw");
}

static void hold_numbers(stage *s, const char *name, const int64_t *got, size_t num)
{
    HOLD(hmd_bench_numbers(&s->b, name) == num, "%s", name);
    for (size_t i = 0; i < num; i++) {
        HOLD(got[i] == s->b.numbers[i], "%s frame %zu %s: value %zu is %d, not %d", s->b.scenario,
             s->b.next - 1, name, i, (int)got[i], (int)s->b.numbers[i]);
    }
    s->num_values += num;
}

static void hold_worlds(stage *s)
{
    static int64_t got[12 * HMD_BENCH_COORDS];
    if (!hmd_bench_has(&s->b, "lw")) {
        return;
    }
    s->player.is_world_old = true;
    cr_assert(hmd_player_world(&s->player));
    for (uint32_t i = 0; i < 12 * s->b.num_units; i++) {
        const fx_matrix *m = &s->player.world.matrix[i / 12];
        got[i] = i % 12 < 9 ? m->m[i % 12 / 3][i % 3] : m->t[i % 12 - 9];
    }
    hold_numbers(s, "lw", got, 12 * s->b.num_units);
}

static void hold_devices(stage *s)
{
    const hmd_devices *state = &s->player.devices;
    int64_t view[12], light[9], colour[9];
    const int64_t projection = state->projection;
    if (!hmd_bench_has(&s->b, "eq")) {
        return;
    }
    for (int i = 0; i < 12; i++) {
        view[i] = i < 9 ? state->view.m[i / 3][i % 3] : state->view.t[i - 9];
    }
    for (int i = 0; i < 9; i++) {
        light[i] = state->light[i / 3][i % 3];
        colour[i] = state->colour[i / 3][i % 3];
    }
    hold_numbers(s, "eq.ws", view, 12);
    hold_numbers(s, "eq.h", &projection, 1);
    if (s->player.has_light[0]) { /* otherwise the lights are the program's */
        hold_numbers(s, "eq.lws", light, 9);
        hold_numbers(s, "eq.lc", colour, 9);
    }
}

static void play_frame(stage *s)
{
    read_frame(s);
    edit(s, s->b.next - 1);
    const hmd_play end = hmd_player_frame(&s->player);
    HOLD(end == HMD_PLAY_ON, "%s frame %zu: end %d, tick %d what %d index %d", s->b.scenario,
         s->b.next - 1, end, s->player.tick.end, s->player.tick.what, (int)s->player.tick.index);
    take_axes(s);
    for (uint32_t i = 0; i < s->expected.num_words; i++) {
        const bool is_unit = i >= s->b.first_unit && i < s->b.first_unit + 20 * s->b.num_units;
        HOLD(is_unit || s->player.image.words[i] == s->expected.words[i],
             "%s frame %zu: word %u is %x, not %x", s->b.scenario, s->b.next - 1, i,
             s->player.image.words[i], s->expected.words[i]);
    }
    HOLD(hmd_bench_differ(&s->b, &s->player.image, &s->expected) == 0,
         "%s frame %zu: coordinates differ", s->b.scenario, s->b.next - 1);
    hold_worlds(s);
    hold_devices(s);
    s->num_frames++;
}

/* Before frame 0: what the viewer has set. */
static void hold_start(stage *s)
{
    const json_t *init = json_object_get(s->b.vector, "seq_init");
    for (size_t i = 0; i < s->num_sequences; i++) {
        for (int k = 0; k < NUM_FIELDS; k++) {
            HOLD(get_field(s, i, k) == vector_int(json_array_get(init, i), (size_t)k),
                 "sequence %zu field %d at the start", i, k);
        }
    }
    for (uint32_t i = 0; i < 20 * s->b.num_units; i++) {
        const uint32_t word = s->b.first_unit + i;
        HOLD(s->player.image.words[word] == s->b.image.words[word], "unit at the start");
    }
}

static void play_scenario(stage *s)
{
    s->asset.budget = (fh_budget){BENCH_BUDGET};
    cr_assert(eq(int, hmd_player_rewind(&s->player), FH_OK));
    hold_start(s);
    s->expected = hmd_bench_copy(&s->player.image);
    s->has_axes = false;
    take_axes(s);
    while (hmd_bench_next(&s->b)) {
        play_frame(s);
    }
    free(s->expected.words);
}

static uint64_t hold_sample(const char *name)
{
    static stage s;
    memset(&s, 0, sizeof s);
    hmd_bench_open(&s.b, name);
    open_hmd(&s.asset);
    s.bytes = bytes_of(s.b.file, s.b.image.num_words);
    bench_verify(&s.asset, s.bytes, 4 * (size_t)s.b.image.num_words,
                 (fh_verify_options){.stand_alone = true});
    cr_assert(ge(int, s.asset.asset.grade, FH_GRADE_REFERENCES), "%s", name);
    cr_assert(eq(int,
                 hmd_player_open(&s.player, s.asset.model, NULL, &s.asset.budget, &s.asset.arena),
                 FH_OK));
    const json_t *sequences = json_object_get(s.b.vector, "seq_word");
    s.num_sequences = json_array_size(sequences);
    cr_assert(eq(sz, s.num_sequences, s.player.num_tracks));
    for (size_t i = 0; i < s.num_sequences; i++) {
        s.sequences[i] = (uint32_t)vector_int(sequences, i);
        cr_assert(eq(u32, s.sequences[i], s.player.tracks[i].off));
    }
    s.player.watcher = (hmd_watcher){.user = &s, .morphed = hold_morphed};
    s.player.weights = s.weights;
    for (size_t i = 0; hmd_bench_start(&s.b, i); i++) {
        memset(s.weights, 0, sizeof s.weights);
        play_scenario(&s);
    }
    cr_log_info("%s: %llu frames, %zu morphed, %llu values", name, (unsigned long long)s.num_frames,
                s.num_morphed, (unsigned long long)s.num_values);
    free(s.bytes);
    bench_close(&s.asset);
    hmd_bench_close(&s.b);
    return s.num_values;
}

Test(hmd_replay_library, every_frame_of_every_scenario)
{
    uint64_t num = 0;
    for (int i = 0; i < NUM_SAMPLES; i++) {
        num += hold_sample(samples[i]);
    }
    cr_log_info("%llu values", (unsigned long long)num);
    cr_assert(gt(u64, num, 100000));
}

#endif

/* ---- through the format's interface ---------------------------------------------------------- */

static void replay_bytes(bench *b, const void *bytes, size_t len, bool changes_only)
{
    const fh_replay_options options = {.world = true, .changes_only = changes_only};
    open_hmd(b);
    bench_verify(b, bytes, len, (fh_verify_options){.stand_alone = true});
    bench_replay(b, &options);
    cr_assert(eq(int, b->replay_status, FH_OK));
}

#ifdef HAVE_JANSSON

/* The rows of one frame, and how many of them were looked at. */
typedef struct rows {
    const pose *first;
    size_t num;
} rows;

static rows rows_of(const record *of, size_t *at, uint32_t frame)
{
    rows r = {&of->poses[*at], 0};
    while (*at < of->num_poses && of->poses[*at].frame == frame) {
        ++*at;
        r.num++;
    }
    return r;
}

static const pose *find_row(const rows *r, const char *table, int64_t key)
{
    for (size_t i = 0; i < r->num; i++) {
        if (strcmp(r->first[i].table->name, table) == 0 && r->first[i].values[0] == key) {
            return &r->first[i];
        }
    }
    return NULL;
}

static size_t count_rows(const rows *r, const char *table)
{
    size_t num = 0;
    for (size_t i = 0; i < r->num; i++) {
        num += strcmp(r->first[i].table->name, table) == 0;
    }
    return num;
}

/* The state that the vector's changes add up to. */
typedef struct table_state {
    int64_t units[HMD_BENCH_COORDS][15];
    int64_t sequences[128][10];
    size_t num_sequences;
} table_state;

static void read_init(table_state *t, hmd_bench *b)
{
    const json_t *units = json_object_get(b->vector, "coord_init");
    const json_t *sequences = json_object_get(b->vector, "seq_init");
    t->num_sequences = json_array_size(sequences);
    for (size_t i = 0; i < b->num_units; i++) {
        for (size_t k = 0; k < 15; k++) {
            t->units[i][k] = vector_int(json_array_get(units, i), k);
        }
    }
    for (size_t i = 0; i < t->num_sequences; i++) {
        for (size_t k = 0; k < 10; k++) {
            t->sequences[i][k] = vector_int(json_array_get(sequences, i), k);
        }
    }
}

static void hold_words(hmd_bench *b, const rows *r)
{
    const size_t num_words = hmd_bench_numbers(b, "w") / 2;
    for (size_t i = 0; i < num_words; i++) {
        const pose *row = find_row(r, "word", b->numbers[2 * i]);
        const int64_t value = b->numbers[2 * i + 1];
        HOLD(row != NULL && (row->values[1] == value || (value == 0 && row->values[1] == -1)),
             "frame %zu: word %d", b->next - 1, (int)b->numbers[2 * i]);
    }
    const size_t num_pointers = hmd_bench_numbers(b, "p") / 2;
    for (size_t i = 0; i < num_pointers; i++) {
        const pose *row = find_row(r, "word", b->numbers[2 * i]);
        HOLD(row != NULL && row->values[1] == b->numbers[2 * i + 1], "frame %zu: pointer %d",
             b->next - 1, (int)b->numbers[2 * i]);
    }
    HOLD(count_rows(r, "word") == num_words + num_pointers, "frame %zu: %zu words, not %zu",
         b->next - 1, count_rows(r, "word"), num_words + num_pointers);
}

static void hold_rows(hmd_bench *b, table_state *t, const rows *r)
{
    const size_t num_units = hmd_bench_numbers(b, "c") / 16;
    for (size_t i = 0; i < num_units; i++) {
        memcpy(t->units[b->numbers[16 * i]], &b->numbers[16 * i + 1], sizeof t->units[0]);
    }
    const size_t num_sequences = hmd_bench_numbers(b, "q") / 11;
    for (size_t i = 0; i < num_sequences; i++) {
        memcpy(t->sequences[b->numbers[11 * i]], &b->numbers[11 * i + 1], sizeof t->sequences[0]);
    }
    for (uint32_t i = 0; i < b->num_units; i++) {
        const pose *row = find_row(r, "coordinate", i);
        HOLD(row != NULL && row->values[1] == b->parent[i] &&
                 memcmp(&row->values[2], t->units[i], sizeof t->units[i]) == 0,
             "frame %zu: coordinate %u", b->next - 1, i);
        HOLD(find_row(r, "world", i) != NULL, "frame %zu: world %u", b->next - 1, i);
    }
    for (size_t i = 0; i < t->num_sequences; i++) {
        const pose *row = find_row(r, "sequence", (int64_t)i);
        HOLD(row != NULL && memcmp(&row->values[1], t->sequences[i], sizeof t->sequences[i]) == 0,
             "frame %zu: sequence %zu", b->next - 1, i);
    }
    if (hmd_bench_has(b, "lw")) {
        const size_t num = hmd_bench_numbers(b, "lw") / 12;
        for (size_t i = 0; i < num; i++) {
            const pose *row = find_row(r, "world", (int64_t)i);
            HOLD(memcmp(&row->values[1], &b->numbers[12 * i], 12 * sizeof(int64_t)) == 0,
                 "frame %zu: world matrix %zu", b->next - 1, i);
        }
    }
    const size_t num_view = hmd_bench_numbers(b, "eq.ws");
    if (num_view > 0) {
        const pose *row = find_row(r, "camera", 0);
        HOLD(row != NULL && memcmp(&row->values[1], b->numbers, 12 * sizeof(int64_t)) == 0,
             "frame %zu: camera", b->next - 1);
    }
}

Test(hmd_replay_library, rows_of_the_frames_that_replay_runs)
{
    size_t num_frames = 0;
    for (int i = 0; i < NUM_ANIMATED; i++) {
        static hmd_bench b;
        static table_state t;
        bench asset;
        size_t at = 0;
        hmd_bench_open(&b, samples[i]);
        uint8_t *bytes = bytes_of(b.file, b.image.num_words);
        replay_bytes(&asset, bytes, 4 * (size_t)b.image.num_words, false);
        HOLD(asset.result.state == FH_REPLAY_COMPLETE, "%s: %d", samples[i], asset.result.state);
        size_t scenario = 0;
        while (hmd_bench_start(&b, scenario) && strcmp(b.scenario, "file") != 0) {
            scenario++;
        }
        cr_assert(eq(str, (char *)b.scenario, "file"));
        read_init(&t, &b);
        const bool has_mime = json_array_size(json_object_get(b.vector, "mime")) > 0;
        while (hmd_bench_next(&b) && b.next <= asset.result.frames) {
            const rows r = rows_of(&asset.replay, &at, (uint32_t)b.next - 1);
            hold_rows(&b, &t, &r);
            if (!has_mime) { /* its resets change words as well */
                hold_words(&b, &r);
            }
            num_frames++;
        }
        free(bytes);
        bench_close(&asset);
        hmd_bench_close(&b);
    }
    cr_log_info("%zu frames", num_frames);
    cr_assert(gt(sz, num_frames, 1000));
}

static bool same_poses(const record *a, const record *b)
{
    if (a->num_poses != b->num_poses || a->num_frames != b->num_frames) {
        return false;
    }
    for (size_t i = 0; i < a->num_poses; i++) {
        if (a->poses[i].frame != b->poses[i].frame || a->poses[i].table != b->poses[i].table ||
            memcmp(a->poses[i].values, b->poses[i].values,
                   a->poses[i].table->num_columns * sizeof(int64_t)) != 0) {
            return false;
        }
    }
    return true;
}

/* In memory, wherever that is, an asset plays as in its file. */
Test(hmd_replay_library, poses_do_not_depend_on_addresses)
{
    for (int i = 0; i < NUM_SAMPLES; i++) {
        static hmd_bench b;
        bench file;
        hmd_bench_open(&b, samples[i]);
        const size_t len = 4 * (size_t)b.image.num_words;
        uint8_t *bytes = bytes_of(b.file, b.image.num_words);
        replay_bytes(&file, bytes, len, true);
        for (uint32_t k = 0; k < 3; k++) {
            static const uint32_t bases[] = {0x80100000, 0x80012340, 0xa0100000};
            bench mapped;
            forge_error err = {.kind = FORGE_OK};
            uint8_t *image = malloc(len);
            memcpy(image, bytes, len);
            cr_assert(forge_hmd_map(image, &err, len, &(forge_hmd_memory){.base = bases[k]}), "%s",
                      err.text);
            replay_bytes(&mapped, image, len, true);
            HOLD(mapped.result.state == file.result.state, "%s at %x: state %d", samples[i],
                 bases[k], mapped.result.state);
            HOLD(same_poses(&file.replay, &mapped.replay), "%s at %x: other poses", samples[i],
                 bases[k]);
            free(image);
            bench_close(&mapped);
        }
        free(bytes);
        bench_close(&file);
        hmd_bench_close(&b);
    }
}

#endif

/* ---- when it repeats, against a search through all states ------------------------------------ */

/* All that decides about a sequence: its words 2 to 6, and the history if it has one. */
typedef struct seen_state {
    uint32_t words[5 + HMD_WORK_WORDS];
} seen_state;

enum { MOST_SEEN = 3000 };

static seen_state state_of(const hmd_player *player, uint32_t sequence)
{
    seen_state s = {{0}};
    const uint32_t history = hmd_player_history(player, sequence);
    memcpy(s.words, &player->image.words[player->tracks[sequence].off + 2], 5 * sizeof(uint32_t));
    if (history != HMD_NONE && player->is_history[history]) {
        memcpy(s.words + 5, &player->image.words[history], sizeof(uint32_t) * HMD_WORK_WORDS);
    }
    return s;
}

typedef struct turn {
    bool is_known;
    uint64_t frames, prelude, period;
} turn;

static uint64_t lcm(uint64_t a, uint64_t b)
{
    uint64_t n = a;
    while (n % b != 0) {
        n += a;
    }
    return n;
}

/* Plays one sequence alone and holds each state against all before. */
static void search_one(hmd_player *player, turn *t, uint32_t sequence)
{
    static seen_state seen[MOST_SEEN];
    for (uint32_t frame = 0; frame < MOST_SEEN; frame++) {
        hmd_tick tick;
        seen[frame] = state_of(player, sequence);
        for (uint32_t i = 0; i < frame; i++) {
            if (memcmp(&seen[i], &seen[frame], sizeof seen[i]) == 0) {
                t->prelude = i > t->prelude ? i : t->prelude;
                t->frames = frame > t->frames ? frame : t->frames;
                t->period = lcm(t->period, frame - i);
                return;
            }
        }
        const hmd_tick_end end = hmd_player_tick(player, &tick, sequence);
        if (end != HMD_TICK_OK && end != HMD_TICK_STOPPED) {
            t->prelude = frame > t->prelude ? frame : t->prelude;
            t->frames = frame + 1 > t->frames ? frame + 1 : t->frames;
            return;
        }
    }
    t->is_known = false;
}

/* Returns the period, 0 where sequences are entangled or the search takes too long. */
static uint64_t hold_period(const uint8_t *bytes, size_t len, const char *what)
{
    static hmd_player player;
    static hmd_player other;
    bench b;
    hmd_plan plan;
    turn t = {.is_known = true, .period = 1};
    open_hmd(&b);
    bench_verify(&b, bytes, len, (fh_verify_options){.stand_alone = true});
    HOLD(b.model != NULL, "%s", what);
    cr_assert(eq(int, hmd_player_open(&player, b.model, NULL, &b.budget, &b.arena), FH_OK));
    cr_assert(eq(int, hmd_player_open(&other, b.model, NULL, &b.budget, &b.arena), FH_OK));
    cr_assert(eq(int, hmd_period_plan(&player, &plan, 65536), FH_OK));
    memcpy(other.is_history, player.is_history, other.image.num_words);
    for (uint32_t i = 0; i < other.num_tracks && !plan.is_entangled; i++) {
        search_one(&other, &t, i);
    }
    const bool compared = !plan.is_entangled && t.is_known;
    if (compared) {
        HOLD(plan.is_known && plan.prelude == t.prelude && plan.period == t.period &&
                 plan.least == t.frames && plan.frames == t.prelude + t.period,
             "%s: prelude %u, not %u; period %u, not %u; frames %u, not %u", what, plan.prelude,
             (unsigned)t.prelude, (unsigned)plan.period, (unsigned)t.period, (unsigned)plan.least,
             (unsigned)t.frames);
    }
    bench_close(&b);
    return compared ? t.period : 0;
}

static forge_buf build(const char *text)
{
    forge_buf out = {0};
    forge_error err = {.kind = FORGE_OK};
    HOLD(forge_hmd_text(&out, &err, text, strlen(text), 1 << 20), "line %u: %s\n%s", err.line,
         err.text, text);
    return out;
}

/* A file with some sequences on one control section, which is given as text. */
static forge_buf build_motion(const char *sequences, const char *types, const char *control,
                              const char *params)
{
    static char text[16384];
    snprintf(text, sizeof text,
             "hmd\nblocks @dance @body 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
             "motion: header * !table !control !params !coords\n"
             "lit: header !polygons !vertices !normals !coords\n"
             "dance: primitive header=@motion\nrecord 0x03800000\n%s"
             "body: primitive header=@lit\nrecord 0x00800008 (face-polygons)\n"
             "table: table %s\ncontrol:\n%sparams:\n%s"
             "polygons:\nface: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\nvertices:\nvec 1 0 0\n"
             "vec 0 1 0\nvec 0 0 1\nnormals:\nvec 0 0 -4096\n",
             sequences, types, control, params);
    return build(text);
}

/* Any keys, jumps and ends; half of the files with splines, half of these with others as well. */
static forge_buf random_motion(dice *d)
{
    static char sequences[2048], control[4096], params[4096];
    const bool has_spline = dice_below(d, 2) == 0;
    const uint32_t num_types = has_spline ? 1 + dice_below(d, 2) : 1;
    const uint32_t num = 4 + dice_below(d, 8);
    size_t at = 0;
    for (uint32_t i = 0; i < 1 + dice_below(d, 3); i++) {
        at += (size_t)snprintf(sequences + at, sizeof sequences - at,
                               "sequence coord=0 start=%u speed=%d startsid=%u rframe=%u\n",
                               has_spline ? i % num : dice_below(d, num),
                               (int)dice_below(d, 8) == 0 ? -16 : 1 + (int)dice_below(d, 60),
                               dice_below(d, 3), dice_below(d, 3) == 0 ? dice_below(d, 99) : 0);
    }
    at = 0;
    for (uint32_t i = 0; i < num; i++) {
        const uint32_t kind = has_spline && i < 3 ? 9 : dice_below(d, 8);
        if (kind == 9) {
            at += (size_t)snprintf(control + at, sizeof control - at, "work p2=%u\n", 4 * i);
        } else if (kind < 5) {
            at += (size_t)snprintf(control + at, sizeof control - at,
                                   "key type=%u tframe=%u param=%u\n", dice_below(d, num_types),
                                   dice_below(d, 3) == 0 ? 0 : dice_below(d, 12),
                                   12 + 4 * dice_below(d, 6));
        } else if (kind < 7) {
            at += (size_t)snprintf(control + at, sizeof control - at, "jump to=%u dst=%u cnd=%u\n",
                                   dice_below(d, num), dice_below(d, 3), dice_below(d, 3));
        } else {
            at += (size_t)snprintf(control + at, sizeof control - at, "end p1=%u\n",
                                   dice_below(d, 3));
        }
    }
    snprintf(control + at, sizeof control - at, "jump to=%u\n", has_spline ? 3 : 0);
    snprintf(params, sizeof params, "repeat 40\nword $\nendrepeat\n");
    return build_motion(sequences, has_spline ? "0x03000003 0x03000001" : "0x03000001", control,
                        params);
}

/* Sanitizers take fifteen times as long for each, and see the same in fewer. */
Test(hmd_period, as_a_search_through_all_states)
{
    const int num_files = getenv("FRAMEHOUND_SANITIZED") != NULL ? 1000 : 10000;
    dice d = {4711};
    int num = 0;
    int num_loops = 0;
    for (int i = 0; i < num_files; i++) {
        char what[32];
        forge_buf file = random_motion(&d);
        snprintf(what, sizeof what, "file %d", i);
        const uint64_t period = hold_period(file.data, file.len, what);
        num += period > 0 ? 1 : 0;
        num_loops += period > 1 ? 1 : 0;
        free(file.data);
    }
    cr_log_info("%d files, %d that repeat after more than a frame", num, num_loops);
    cr_assert(gt(int, num, 9 * num_files / 10));
    cr_assert(gt(int, num_loops, num_files / 10));
}

#ifdef HAVE_JANSSON

Test(hmd_replay_library, periods_of_real_files)
{
    int num = 0;
    for (int i = 0; i < NUM_ANIMATED; i++) {
        static hmd_bench b;
        hmd_bench_open(&b, samples[i]);
        uint8_t *bytes = bytes_of(b.file, b.image.num_words);
        num += hold_period(bytes, 4 * (size_t)b.image.num_words, samples[i]) > 0 ? 1 : 0;
        free(bytes);
        hmd_bench_close(&b);
    }
    cr_assert(eq(int, num, NUM_ANIMATED));
}

#endif

/* ---- ends ------------------------------------------------------------------------------------ */

#define LOOP                                                                                       \
    "key type=0 tframe=0 param=0\non: key type=0 tframe=10 param=3\n"                              \
    "key type=0 tframe=10 param=0\njump to=(on-control)\n"
#define KEYS "word 0 0 1000 100 0 1000\n"

static void replay_motion(bench *b, const char *sequences, const char *types, const char *control,
                          const char *params)
{
    forge_buf file = build_motion(sequences, types, control, params);
    replay_bytes(b, file.data, file.len, false);
    free(file.data);
}

static int64_t found_number(const bench *b, const char *code)
{
    const fh_finding *finding = record_find(&b->replay, code);
    HOLD(finding != NULL, "no %s in %s", code, record_codes(&b->replay));
    const char *at = finding->found;
    while (*at != '\0' && (*at < '0' || *at > '9')) {
        at++;
    }
    return strtoll(at, NULL, 10);
}

Test(hmd_replay, a_loop_is_played_until_its_state_comes_back)
{
    bench b;
    replay_motion(&b, "sequence coord=0 start=0\n", "0x03000001", LOOP, KEYS);
    cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(eq(u32, b.result.frames, 31));
    cr_assert(eq(u64, b.result.ticks, 0));
    cr_assert(eq(str, (char *)b.result.evaluator, "hmd-library 4.4"));
    cr_assert(eq(str, (char *)record_codes(&b.replay), "0288"));
    cr_assert(eq(i64, found_number(&b, "HMD0288"), 20));
    for (uint32_t frame = 0; frame <= 10; frame++) {
        cr_assert(eq(i64, record_value(&b.replay, "coordinate", 0, frame, "t0"), 10 * frame));
    }
    cr_assert(eq(i64, record_value(&b.replay, "coordinate", 0, 30, "t0"), 100));
    cr_assert(eq(i64, record_value(&b.replay, "world", 0, 30, "t0"), 100));
    cr_assert(eq(i64, record_value(&b.replay, "sequence", 0, 0, "tframe"), 160));
    bench_close(&b);
}

/* A frame can end with another function than a spline that returned 1 in it: the history counts all
 * the same, and is told as words of keys. */
Test(hmd_replay, a_spline_in_front_of_another_function)
{
    bench b;
    replay_motion(&b, "sequence coord=0 start=0\n", "0x03000001 0x03000003",
                  "work p2=24\nkey type=0 tframe=0 param=0\nkey type=1 tframe=0 param=3\n"
                  "key type=0 tframe=2 param=6\nkey type=0 tframe=2 param=9\n"
                  "key type=1 tframe=3 param=12\njump to=3\n",
                  "repeat 15\nword $\nendrepeat\nrepeat 13\nword 0\nendrepeat\n");
    cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(eq(u32, b.result.frames, 22));
    cr_assert(eq(i64, found_number(&b, "HMD0288"), 8));
    const fh_finding *finding = record_find(&b.replay, "HMD0288");
    cr_assert(strstr(finding->found, "after a prelude of 14") != NULL);
    int num_words = 0;
    for (int64_t word = 0; word < 256; word++) {
        if (record_has_row(&b.replay, "word", word, 0)) {
            const int64_t value = record_value(&b.replay, "word", word, 0, "value");
            HOLD(value > 0 && value < word, "word %d is %lld", (int)word, (long long)value);
            num_words++;
        }
    }
    cr_assert(eq(int, num_words, 2), "the entries that hold a key by then");
    bench_close(&b);
}

Test(hmd_replay, periods_have_a_common_multiple)
{
    bench b;
    replay_motion(&b, "sequence coord=0 start=0\nsequence coord=0 start=0 speed=7\n", "0x03000001",
                  LOOP, KEYS);
    cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
    /* 160 / 7 takes 23 frames, two of them 46; with 20 that is 460. */
    cr_assert(eq(i64, found_number(&b, "HMD0288"), 460));
    /* The slower one begins to repeat after 24 frames. */
    cr_assert(eq(u32, b.result.frames, 24 + 460));
    bench_close(&b);
}

/* The common period is played where there is enough to pay for it twice; the sequences are played
 * in any case, and what a few bytes ask for beyond their budget is taken from the reserve. */
Test(hmd_replay, a_common_period_that_is_too_dear)
{
    bench b;
    fh_budget reserve = {0};
    uint32_t least = 0;
    forge_buf file = build_motion("sequence coord=0 start=0\nsequence coord=0 start=0 speed=7\n",
                                  "0x03000001", LOOP, KEYS);
    open_hmd(&b);
    b.reserve = &reserve;
    for (uint64_t units = 10000; units < 300000; units += 10000) {
        bench_verify(&b, file.data, file.len, (fh_verify_options){.stand_alone = true});
        b.budget.left = 5000;
        reserve.left = units;
        bench_replay(&b, &(fh_replay_options){.world = true});
        cr_assert(eq(u64, b.budget.left, 0), "it is spent first");
        if (b.result.state == FH_REPLAY_STOPPED) {
            HOLD(reserve.left == 0 && least == 0, "%u units", (unsigned)units);
        } else if (b.result.frames != 24 + 460) {
            const fh_finding *finding = record_find(&b.replay, "HMD0288");
            HOLD(strstr(finding->found, "; 70 are played") != NULL, "%s", finding->found);
            least = b.result.frames;
        }
    }
    cr_assert(eq(u32, least, 24 + 46));
    cr_assert(eq(u32, b.result.frames, 24 + 460));
    cr_assert(eq(str, (char *)record_codes(&b.replay), "0288"));
    free(file.data);
    bench_close(&b);
}

/* A turn that is there in every second frame, and a scale in every third: both are in frame 5, or
 * 3, and in none of the first four. */
Test(hmd_replay, sequences_are_played_until_they_repeat_together)
{
    bench b;
    replay_motion(&b, "sequence coord=0 start=0\nsequence coord=0 start=3\n",
                  "0x03000010 0x03000100",
                  "key type=0 tframe=1 param=0\nkey type=0 tframe=1 param=2\njump to=0\n"
                  "key type=1 tframe=1 param=4\nkey type=1 tframe=1 param=4\n"
                  "key type=1 tframe=1 param=6\njump to=3\n",
                  "word 0 0 0 0x400\nword 0x10001000 0x1000 0x10002000 0x1000\n");
    cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(eq(i64, found_number(&b, "HMD0288"), 6));
    cr_assert(eq(u32, b.result.frames, 7));
    bench_close(&b);
}

Test(hmd_replay, an_end_stops_a_sequence)
{
    bench b;
    replay_motion(&b, "sequence coord=0 start=0\n", "0x03000001",
                  "key type=0 tframe=0 param=0\nkey type=0 tframe=5 param=3\nend\n", KEYS);
    cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(eq(i64, found_number(&b, "HMD0288"), 1));
    cr_assert(eq(i64, record_value(&b.replay, "sequence", 0, 99, "aframe"), 0));
    cr_assert(eq(i64, record_value(&b.replay, "coordinate", 0, 99, "t0"), 80));
    bench_close(&b);
}

/* Writes the TFRAME and the parameter of the second key, so that no sequence is on its own. */
Test(hmd_replay, sequences_that_overwrite_keys_are_compared_together)
{
    bench b;
    replay_motion(&b,
                  "sequence coord=0 start=0\n"
                  "sequence section=3 offset=3 start=(other-control)\n",
                  "0x03000001 0x03010110",
                  LOOP "other: key type=1 tframe=0 param=6\nagain: key type=1 tframe=7 param=7\n"
                       "key type=1 tframe=7 param=6\njump to=(again-control)\n",
                  KEYS "word 100 170\n");
    cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(eq(i64, found_number(&b, "HMD0288"), 140));
    const fh_finding *finding = record_find(&b.replay, "HMD0288");
    cr_assert(strstr(finding->found, "at most") != NULL);
    cr_assert(record_has_row(&b.replay, "word", 5 + 0, 0) == false);
    bench_close(&b);
}

Test(hmd_replay, a_run_off_the_end_says_where)
{
    bench b;
    replay_motion(&b, "sequence coord=0 start=0\n", "0x03000001",
                  "key type=0 tframe=0 param=0\nkey type=0 tframe=10 param=3\n", KEYS);
    const fh_finding *finding = record_find(&b.replay, "HMD0280");
    cr_assert(eq(int, b.result.state, FH_REPLAY_BROKEN));
    cr_assert(eq(str, (char *)record_codes(&b.replay), "0280"));
    cr_assert(eq(i64, finding->frame, 10));
    cr_assert(eq(u32, b.result.frames, 10));
    cr_assert(strstr(finding->context, "sequence 0") != NULL);
    bench_close(&b);
}

Test(hmd_replay, a_type_without_function_ends_it)
{
    bench b;
    replay_motion(&b, "sequence coord=0 start=0\n", "0x03000444", LOOP, KEYS);
    const fh_finding *finding = record_find(&b.replay, "HMD0280");
    cr_assert(eq(int, b.result.state, FH_REPLAY_BROKEN));
    cr_assert(eq(str, (char *)finding->field, "interpolation function"));
    cr_assert(eq(str, (char *)finding->found, "0x3000444"));
    bench_close(&b);
}

Test(hmd_replay, a_round_without_time_ends_it)
{
    bench b;
    replay_motion(&b, "sequence coord=0 start=0 startsid=5\n", "0x03000001",
                  "key type=0 tframe=0 param=0\non: key type=0 tframe=0 param=3\n"
                  "key type=0 tframe=0 param=0\njump to=(on-control)\n",
                  KEYS);
    const fh_finding *finding = record_find(&b.replay, "HMD0281");
    cr_assert(eq(int, b.result.state, FH_REPLAY_BROKEN));
    cr_assert(eq(str, (char *)finding->found, "3 descriptors"));
    cr_assert(strstr(finding->expected, "sid 5") != NULL);
    cr_assert(strstr(finding->context, "descriptor 1") != NULL);
    cr_assert(eq(i64, finding->frame, 0));
    bench_close(&b);
}

Test(hmd_replay, an_asset_without_animation_rests)
{
    bench b;
    forge_buf file = build("hmd\nblocks 0 @body 0\ncoords: coordinates\nunit t 1 2 3\nheaders\n"
                           "lit: header !polygons !vertices !normals !coords\n"
                           "body: primitive header=@lit\nrecord 0x00800008 (face-polygons)\n"
                           "polygons:\nface: packet 0x008 rgb 1 0 0 n 0 v 0 0 0\n"
                           "vertices:\nvec 1 0 0\nnormals:\nvec 0 0 -4096\n");
    replay_bytes(&b, file.data, file.len, true);
    cr_assert(eq(int, b.result.state, FH_REPLAY_STILL));
    cr_assert(eq(u32, b.result.frames, 1));
    cr_assert(eq(i64, record_value(&b.replay, "coordinate", 0, 0, "t2"), 3));
    cr_assert(eq(i64, record_value(&b.replay, "coordinate", 0, 0, "parent"), -1));
    cr_assert(eq(sz, b.replay.num_findings, 0));
    free(file.data);
    bench_close(&b);
}

Test(hmd_replay, options_that_it_does_not_have)
{
    bench b;
    const void *before = NULL;
    forge_buf file = build_motion("sequence coord=0 start=0\n", "0x03000001", LOOP, KEYS);
    replay_bytes(&b, file.data, file.len, false);
    bench_replay(&b, &(fh_replay_options){.profile = "1.31"});
    cr_assert(eq(int, b.replay_status, FH_UNSUPPORTED));
    bench_replay(&b, &(fh_replay_options){.before = &before, .num_before = 1});
    cr_assert(eq(int, b.replay_status, FH_UNSUPPORTED));
    bench_replay(&b, &(fh_replay_options){.profile = "4.4"});
    cr_assert(eq(int, b.replay_status, FH_OK));
    free(file.data);
    bench_close(&b);
}

/* Whatever is left of the budget: the rows are those of the whole replay as far as they go, and a
 * replay that ends too early says so once. */
Test(hmd_replay, a_budget_that_is_spent_somewhere)
{
    bench whole;
    bench b;
    forge_buf file = build_motion("sequence coord=0 start=0\nsequence coord=0 start=0 speed=5\n",
                                  "0x03000001", LOOP, KEYS);
    int num_stopped = 0;
    fh_budget nothing = {0};
    replay_bytes(&whole, file.data, file.len, false);
    open_hmd(&b);
    b.reserve = &nothing;
    for (uint64_t left = 0; left < 200000; left += left < 20000 ? 97 : 9973) {
        const fh_replay_options options = {.world = true};
        bench_verify(&b, file.data, file.len, (fh_verify_options){.stand_alone = true});
        b.budget.left = left;
        bench_replay(&b, &options);
        const bool is_stopped = b.result.state == FH_REPLAY_STOPPED;
        HOLD(b.replay_status == FH_OK, "%d units: %d", (int)left, b.replay_status);
        HOLD(is_stopped == (record_count(&b.replay, "HMD0289") == 1), "%d units: %s", (int)left,
             record_codes(&b.replay));
        for (size_t i = 0; i < b.replay.num_poses && i < whole.replay.num_poses; i++) {
            const pose *p = &b.replay.poses[i];
            const pose *q = &whole.replay.poses[i];
            HOLD(p->frame == q->frame && p->table == q->table &&
                     memcmp(p->values, q->values, p->table->num_columns * sizeof p->values[0]) == 0,
                 "%d units: row %zu", (int)left, i);
        }
        num_stopped += is_stopped ? 1 : 0;
    }
    cr_assert(gt(int, num_stopped, 50));
    cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(record_equal(&b.replay, &whole.replay));
    free(file.data);
    bench_close(&b);
    bench_close(&whole);
}

/* Every arena ends in a replay or in being told that it is too small. */
Test(hmd_replay, an_arena_that_is_too_small)
{
    bench b;
    int num_full = 0;
    forge_buf file = build_motion("sequence coord=0 start=0\n", "0x03000001", LOOP, KEYS);
    open_hmd(&b);
    for (size_t size = 0; size < 1300000; size += 4999) {
        bench_verify(&b, file.data, file.len, (fh_verify_options){.stand_alone = true});
        b.arena.size = b.arena.used + size;
        bench_replay(&b, &(fh_replay_options){.world = true});
        HOLD(b.replay_status == FH_OK || b.replay_status == FH_NO_MEMORY, "%d bytes: %d", (int)size,
             b.replay_status);
        num_full += b.replay_status == FH_NO_MEMORY ? 1 : 0;
    }
    cr_assert(gt(int, num_full, 1));
    cr_assert(eq(int, b.replay_status, FH_OK));
    free(file.data);
    bench_close(&b);
}

/* With nothing left to pay the count of the animations, what lies behind the arena is not touched,
 * wherever it ends. */
Test(hmd_replay, a_budget_that_is_spent_before_the_animations_are_counted)
{
    enum { BEHIND = 256, UNTOUCHED = 0xa5 };
    bench b;
    fh_budget nothing = {0};
    forge_buf file = build_motion("sequence coord=0 start=0\n", "0x03000001", LOOP, KEYS);
    open_hmd(&b);
    b.reserve = &nothing;
    bench_verify(&b, file.data, file.len, (fh_verify_options){.stand_alone = true});
    const size_t used = b.arena.used;
    const size_t size = b.arena.size;
    int num_full = 0;
    int num_stopped = 0;
    for (size_t more = 0; num_stopped < 64; more += 8) {
        fh_arena whole = b.arena;
        whole.size = size;
        fh_arena_return(&whole); /* what lies behind is looked at here */
        b.arena.used = used;
        b.arena.size = used + more;
        b.budget.left = 0;
        uint8_t *behind = b.arena.base + b.arena.size;
        memset(behind, UNTOUCHED, BEHIND);
        bench_replay(&b, &(fh_replay_options){.world = true});
        for (size_t i = 0; i < BEHIND; i++) {
            HOLD(behind[i] == UNTOUCHED, "%zu bytes: byte %zu behind them", more, i);
        }
        HOLD(b.replay_status == FH_NO_MEMORY || b.result.state == FH_REPLAY_STOPPED, "%zu bytes",
             more);
        num_full += b.replay_status == FH_NO_MEMORY ? 1 : 0;
        num_stopped += b.replay_status == FH_OK ? 1 : 0;
    }
    cr_assert(gt(int, num_full, 100));
    free(file.data);
    bench_close(&b);
}

/* Its history says which keys a spline is computed from: those that it plays between may lie
 * anywhere, the source in the first file and the target in the second. */
Test(hmd_replay, a_spline_between_keys_that_are_not_there)
{
    static const char *const sequences[] = {"sequence coord=0 start=0 rframe=32 tframe=160 ci=1\n",
                                            "sequence coord=0 start=0 rframe=32\n"};
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++) {
        bench b;
        replay_motion(&b, sequences[i], "0x03000030",
                      "key type=0 tframe=10 param=0\nkey type=0 tframe=10 param=60000\n"
                      "jump to=1\n",
                      "word 0x80100000 0x80100000 0x80100000 0x80100000\n");
        cr_assert(gt(u32, b.result.frames, 1), "%s", sequences[i]);
        cr_assert(eq(sz, record_count(&b.replay, "HMD0285"), 0), "%s", sequences[i]);
        cr_assert(record_has_row(&b.replay, "coordinate", 0, 0), "%s", sequences[i]);
        bench_close(&b);
    }
}

/* Files with words changed at random are played without harm. */
Test(hmd_replay, any_words_end_in_a_result)
{
    dice d = {99};
    bench b;
    int num[FH_REPLAY_BROKEN + 1] = {0};
    open_hmd(&b);
    for (int i = 0; i < 3000; i++) {
        forge_buf file = random_motion(&d);
        for (uint32_t k = dice_below(&d, 4); k > 0; k--) {
            file.data[4 * (29 + dice_below(&d, (uint32_t)file.len / 4 - 29)) + dice_below(&d, 4)] =
                (uint8_t)dice_next(&d);
        }
        bench_verify(&b, file.data, file.len, (fh_verify_options){.stand_alone = true});
        b.budget.left = 300000;
        if (b.model != NULL) {
            bench_replay(&b, &(fh_replay_options){.world = true, .changes_only = true});
            HOLD(b.replay_status == FH_OK, "file %d: %d", i, b.replay_status);
            HOLD(b.result.state != FH_REPLAY_BROKEN || b.replay.num_findings > 0,
                 "file %d stops without a word", i);
            num[b.result.state]++;
        }
        free(file.data);
    }
    cr_assert(gt(int, num[FH_REPLAY_COMPLETE], 500));
    cr_assert(gt(int, num[FH_REPLAY_BROKEN], 500));
    bench_close(&b);
}
