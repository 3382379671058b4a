#include "tod/tod_decode.h"

#include "tod/tod_checks.h"
#include "tod/tod_walk.h"

#include <assert.h>

enum { NUM_IDS = 65536, MOST_SENSIBLE_TICKS = 60 };
enum { NUMBER_OFF = 4 };      /* of the frame number in a frame header */
enum { HMD_FRONT_WORDS = 5 }; /* of an HMD, around its block table */

#define LEAST_ADDRESS 0x80000000u /* of the memory that an HMD is mapped in */

/* A walk's fault told in the terms of a check. */
static void tell_fault(fh_reporter *reporter, const tod_walk *walk)
{
    const tod_fault *fault = &walk->fault;
    fh_finding finding = fh_finding_make(&tod_rules[fault->rule], fault->field);
    finding.offset = (int64_t)fault->off;
    fh_finding_evidence(&finding, fault->found, fault->expected);
    fh_text text = fh_text_make(finding.context, sizeof finding.context);
    if (fault->rule > TOD0014 && fault->rule != TOD0131) {
        finding.frame = walk->frames;
    }
    if (fault->in_frame) {
        finding.frame_number = fault->frame.number;
    }
    if (fault->in_packet) {
        finding.object = tod_put_packet(&text, &fault->packet, fault->packet_index);
    }
    fh_reporter_tell(reporter, &finding);
}

/* No player looks at the version, so another one is told and the rest is judged all the same. */
static void check_version(tod_walk *walk, fh_reporter *reporter)
{
    if (tod_walk_version(walk) == TOD_STEP_FAULT) {
        tell_fault(reporter, walk);
    }
}

static tod_step walk_frames(tod_walk *walk, bool is_lenient)
{
    tod_step step = TOD_STEP_OK;
    walk->lenient = is_lenient;
    while (step == TOD_STEP_OK && walk->frames < walk->announced) {
        step = tod_walk_frame(walk);
    }
    return step;
}

/* Walks as far as the bytes are sound. Where the announced count cannot be true (TOD0007) the walk
 * still says how many frames there are, and no more is told. */
static fh_status walk_whole(tod_walk *walk, fh_reporter *reporter, fh_cursor bytes,
                            fh_budget *budget)
{
    tod_step step = tod_walk_begin(walk, bytes, true, budget);
    assert(step != TOD_STEP_MORE); /* at_end: there is no more */
    if (step == TOD_STEP_FAULT) {
        tell_fault(reporter, walk);
        if (walk->fault.rule == TOD0007) {
            tod_walk_on(walk, UINT32_MAX);
            if (walk->fault.rule == TOD0131) {
                tell_fault(reporter, walk);
            }
        }
        return walk->fault.status;
    }
    check_version(walk, reporter);
    step = walk_frames(walk, true);
    if (step == TOD_STEP_FAULT && walk->odd_lengths > 0) {
        /* Not even a player gets to the end: then the first thing wrong is what counts. */
        (void)tod_walk_begin(walk, bytes, true, budget);
        step = walk_frames(walk, false);
    }
    if (step == TOD_STEP_FAULT) {
        tell_fault(reporter, walk);
        return walk->fault.status;
    }
    return FH_OK;
}

/* Reads the frames and packets that the walk has proved to tile. */
static void fill_table(tod_model *model)
{
    fh_cursor cur = model->bytes;
    (void)fh_cursor_seek(&cur, TOD_HEADER_LEN);
    uint32_t num_packets = 0;
    for (uint32_t i = 0; i < model->num_frames; i++) {
        tod_frame *frame = &model->frames[i];
        frame->off = (uint32_t)cur.pos;
        frame->size_words = fh_cursor_u16(&cur);
        frame->num_packets = fh_cursor_u16(&cur);
        frame->number = fh_cursor_u32(&cur);
        frame->first_packet = num_packets;
        for (unsigned k = 0; k < frame->num_packets; k++) {
            const uint32_t off = (uint32_t)cur.pos;
            model->packets[num_packets] = tod_split(fh_cursor_u32(&cur), off);
            (void)fh_cursor_skip(&cur, (model->packets[num_packets].len_words - 1u) * TOD_WORD_LEN);
            num_packets++;
        }
    }
    assert(!cur.failed && num_packets == model->num_packets);
}

/* The page that the id is looked up in; NULL when there is no memory for it. */
static uint32_t *provide_page(tod_model *model, fh_arena *arena, uint16_t id)
{
    uint32_t **page = &model->index_pages[id / TOD_PAGE_LEN];
    if (*page == NULL) {
        *page = fh_arena_alloc(arena, TOD_PAGE_LEN, sizeof **page);
    }
    return *page;
}

/* Lists the objects in order of first use. */
static fh_status list_objects(tod_model *model, fh_arena *arena)
{
    const uint32_t most = model->num_packets < NUM_IDS ? model->num_packets : NUM_IDS;
    model->object_ids = fh_arena_alloc(arena, most, sizeof *model->object_ids);
    if (model->object_ids == NULL) {
        return FH_NO_MEMORY;
    }
    for (uint32_t i = 0; i < model->num_packets; i++) {
        const tod_packet *packet = &model->packets[i];
        if (!tod_is_object_packet(packet)) {
            continue;
        }
        if (packet->type == TOD_CONTROL && packet->flag == TOD_CREATE) {
            model->creates = true;
        }
        uint32_t *page = provide_page(model, arena, packet->id);
        if (page == NULL) {
            return FH_NO_MEMORY;
        }
        uint32_t *index = &page[packet->id % TOD_PAGE_LEN];
        if (*index == 0) {
            assert(model->num_objects < most);
            model->object_ids[model->num_objects++] = packet->id;
            *index = model->num_objects;
        }
    }
    return FH_OK;
}

static fh_status build(tod_model **out, const tod_walk *walk, fh_arena *arena, fh_cursor bytes)
{
    tod_model *model = fh_arena_alloc(arena, 1, sizeof *model);
    if (model == NULL) {
        return FH_NO_MEMORY;
    }
    *model = (tod_model){.bytes = fh_cursor_sub(&bytes, 0, walk->cur.pos),
                         .resolution = walk->resolution,
                         .num_frames = walk->frames,
                         .num_packets = walk->packets};
    model->frames = fh_arena_alloc(arena, model->num_frames, sizeof *model->frames);
    model->packets = fh_arena_alloc(arena, model->num_packets, sizeof *model->packets);
    if (model->frames == NULL || model->packets == NULL) {
        return FH_NO_MEMORY;
    }
    fill_table(model);
    *out = model;
    return list_objects(model, arena);
}

static void check_resolution(tod_check *check)
{
    const uint16_t ticks = check->model->resolution;
    if (ticks == 0) {
        tod_tell(check, TOD0004, "resolution", 2, fh_count(0, "tick"), fh_nothing());
    } else if (ticks > MOST_SENSIBLE_TICKS) {
        tod_tell(check, TOD0005, "resolution", 2, fh_count(ticks, "tick"),
                 fh_words("at most 60 ticks"));
    }
}

/* What begins like an HMD, read as one: what its reader would look at first, in its order, and at
 * which of its rules it would stop. The map flag is the frame count, and 1 only in memory; the
 * pointer to the primitive headers is the first frame's header, the number of blocks its number.
 * The rules are named and not asked for: formats do not know each other. */
static void check_other_reading(tod_check *check, uint8_t version)
{
    const tod_model *model = check->model;
    const tod_frame *first = &model->frames[0];
    const int64_t most_blocks = (int64_t)(model->bytes.size / TOD_WORD_LEN) - HMD_FRONT_WORDS;
    if (version != 0 || model->resolution != 0) {
        return;
    }
    if (model->num_frames > 1) {
        tod_tell(check, TOD0013, "map flag of an HMD", 4,
                 fh_dec(model->num_frames, ", which breaks HMD0003"), fh_words("0 or 1"));
    } else if (first->number < 2) {
        tod_tell(check, TOD0013, "number of blocks of an HMD", TOD_HEADER_LEN + NUMBER_OFF,
                 fh_dec(first->number, ", which breaks HMD0006"), fh_words("at least 2"));
    } else if (first->number > most_blocks) {
        tod_tell(check, TOD0013, "number of blocks of an HMD", TOD_HEADER_LEN + NUMBER_OFF,
                 fh_dec(first->number, ", which breaks HMD0007"),
                 fh_dec_after("at most ", most_blocks, ", to lie in the data"));
    } else {
        const uint32_t word = (uint32_t)first->num_packets << 16 | first->size_words;
        tod_tell(check, TOD0013, "primitive header pointer of an HMD", TOD_HEADER_LEN,
                 (fh_value){FH_VALUE_HEX, "", word,
                            word < LEAST_ADDRESS ? ", which breaks HMD0170"
                                                 : ", which breaks HMD0170 or a later check"},
                 fh_words("an address behind the coordinates, which leads to primitive headers"));
    }
}

static void check_setting(tod_check *check, const tod_walk *walk)
{
    if (walk->packets == 0) {
        tod_tell(check, TOD0012, "packets", TOD_HEADER_LEN,
                 fh_dec_after("0 in ", walk->frames, " frames"), fh_words("at least 1"));
    } else if (walk->setting == 0) {
        tod_tell(check, TOD0014, "packets that set something", TOD_HEADER_LEN,
                 fh_dec_after("0 of ", walk->packets, ""), fh_words("at least 1"));
    }
}

static void check_behind(tod_check *check, fh_cursor bytes, size_t len)
{
    fh_cursor rest = fh_cursor_sub(&bytes, len, bytes.size - len);
    if (rest.size == 0) {
        return;
    }
    if (fh_cursor_all_zero(&rest, rest.size)) {
        tod_tell(check, TOD0010, "bytes behind the last frame", len, fh_dec((int64_t)rest.size, ""),
                 fh_dec(0, ""));
        return;
    }
    fh_probe next;
    tod_probe(&next, rest, FH_END_FILE, NULL, NULL, check->budget);
    const char *what = next.verdict == FH_ACCEPT ? ", which begin with another TOD" : ", not all 0";
    tod_tell(check, TOD0009, "bytes behind the last frame", len, fh_dec((int64_t)rest.size, what),
             fh_dec(0, ""));
}

static void check_place(tod_check *check, fh_cursor bytes, const fh_verify_options *options)
{
    const int64_t rest = (int64_t)(bytes.size % TOD_WORD_LEN);
    if (!options->aligned) {
        tod_tell(check, TOD0011, "start of the asset", 0, fh_words("not at a multiple of 4 bytes"),
                 fh_words("a multiple of 4 bytes"));
    } else if (options->stand_alone && rest != 0) {
        tod_tell(check, TOD0011, "file length", bytes.size - (size_t)rest,
                 fh_count((int64_t)bytes.size, "byte"), fh_words("a multiple of 4 bytes"));
    }
    if (options->stand_alone) {
        check_behind(check, bytes, check->model->bytes.size);
    }
}

static bool has_dangling_reference(const fh_reporter *reporter)
{
    static const enum tod_rule rules[] = {TOD0049, TOD0050, TOD0061, TOD0063,
                                          TOD0091, TOD0092, TOD0094, TOD0110};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (fh_reporter_count(reporter, rules[i]) > 0) {
            return true;
        }
    }
    return false;
}

static fh_status check_all(tod_check *check, const fh_env *env, const tod_walk *walk,
                           fh_cursor bytes, const fh_verify_options *options)
{
    check_resolution(check);
    check_setting(check, walk);
    check_other_reading(check, walk->version);
    check_place(check, bytes, options);
    tod_check_frames(check);
    tod_check_packets(check);
    const fh_status status = tod_check_objects(check, env->arena);
    if (status == FH_OK && check->stopped) {
        check->frame = check->stopped_at;
        tod_tell(check, TOD0131, "work budget of the checks", check->frame->off,
                 fh_dec_after("spent in this frame, the last of ", check->model->num_frames,
                              " that was looked at"),
                 fh_words("work in proportion to the length"));
        return FH_LIMIT;
    }
    return status;
}

/* What the probe demands as well. Less than that can still be replayed. */
static bool is_whole(const tod_walk *walk)
{
    return walk->version == 0 && walk->odd_lengths == 0 && walk->packets > 0;
}

fh_status tod_verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                     const fh_verify_options *options)
{
    fh_reporter reporter;
    tod_walk walk;
    tod_model *table = NULL;
    *asset = (fh_asset){.grade = FH_GRADE_CANDIDATE, .ram_address = FH_UNKNOWN};
    *model = NULL;
    fh_status status = fh_reporter_open(&reporter, env->arena, env->sink, tod_rules, TOD_NUM_RULES);
    if (status != FH_OK) {
        return status;
    }
    status = walk_whole(&walk, &reporter, bytes, env->budget);
    asset->frames = walk.frames;
    asset->evidence_bits = walk.evidence;
    asset->length = walk.cur.pos;
    if (status != FH_OK) {
        return status;
    }
    asset->grade = is_whole(&walk) ? FH_GRADE_STRUCTURE : FH_GRADE_CANDIDATE;
    status = build(&table, &walk, env->arena, bytes);
    if (status != FH_OK) {
        return status;
    }
    tod_check check = {.model = table, .reporter = &reporter, .budget = env->budget};
    status = check_all(&check, env, &walk, bytes, options);
    asset->objects = table->num_objects;
    if (status == FH_OK) {
        *model = table;
    }
    if (status == FH_OK && !is_whole(&walk)) {
        status = walk.version != 0 ? FH_NOT_THIS_FORMAT : FH_CORRUPT;
    } else if (status == FH_OK && !has_dangling_reference(&reporter)) {
        asset->grade = FH_GRADE_REFERENCES;
    }
    fh_reporter_close(&reporter);
    return status;
}
