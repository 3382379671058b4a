#include "fuzz_format.h"

#include "fuzz_oracles.h"

#include <assert.h>
#include <string.h>

/* What parts the bytes of an asset from those of its companion: no text holds it. */
enum { BEGINS_COMPANION = 0x1c };

/* The place at which the companion begins, behind its mark; size if there is none. */
static size_t find_companion(const fh_format *format, const uint8_t *data, size_t size)
{
    const uint8_t *mark =
        format->companion == NULL || size == 0 ? NULL : memchr(data, BEGINS_COMPANION, size);
    return mark == NULL ? size : (size_t)(mark - data);
}

/* Options of the replay that the input chooses: each player, small and large tables, world space.
 */
static fh_replay_options chosen_options(const fh_format *format, const run_outcome *seen)
{
    size_t num_profiles = 0;
    while (format->profiles[num_profiles] != NULL) {
        num_profiles++;
    }
    const uint64_t choice = seen->verify.hash;
    run_demand(num_profiles > 0, "a format has a player");
    assert(num_profiles > 0);
    return (fh_replay_options){.profile = format->profiles[choice % num_profiles],
                               .num_slots = (uint32_t)(choice >> 8) % (FH_PLAYER_MAX_SLOTS + 1),
                               .world = (choice & 0x80) != 0,
                               .changes_only = (choice & 0x40) != 0,
                               .time_step = (choice & 0x20) != 0 ? 100.0 : 0.0};
}

static void check_twice(const fh_format *format, fh_cursor bytes, const run_outcome *seen,
                        size_t *used, const fh_replay_options *options)
{
    run_outcome again;
    run_file(&again, used, format, bytes, options);
    run_demand(again.status == seen->status && again.verify.hash == seen->verify.hash,
               "verify gives the same twice");
    run_demand(again.replay_status == seen->replay_status && again.replay.hash == seen->replay.hash,
               "replay gives the same twice");
}

static void check_options(const fh_format *format, fh_cursor bytes, const run_outcome *seen)
{
    size_t used = 0;
    run_outcome other;
    const fh_replay_options options = chosen_options(format, seen);
    run_file(&other, &used, format, bytes, &options);
    check_twice(format, bytes, &other, &used, &options);
}

typedef struct subject {
    const fh_format *format;
    fh_cursor bytes;
    const uint8_t
        *data; /* of all that was given: the bytes, and those of a companion behind them */
    size_t whole;
    size_t used;     /* of the arena */
    uint64_t choice; /* hash of all that was given: what is asked of it */
    run_outcome seen;
} subject;

static void ask_companion(const subject *of)
{
    const size_t size = of->bytes.size;
    if (size < of->whole) {
        oracle_companion(of->format, of->bytes, &of->seen, of->data + size + 1,
                         of->whole - size - 1);
    }
}

/* What the arena held is overwritten as far as it was used. */
static void ask_twice(const subject *of)
{
    size_t used = of->used;
    check_twice(of->format, of->bytes, &of->seen, &used, &run_as_the_scanner);
}

static void ask_probe(const subject *of)
{
    oracle_probe(of->format, of->bytes, &of->seen);
}

static void ask_places(const subject *of)
{
    if (of->format->is_text && of->format->locate != NULL) {
        oracle_places(of->format, of->bytes);
    }
}

static void ask_memo(const subject *of)
{
    oracle_memo(of->format, of->bytes, FH_END_FILE);
    oracle_memo(of->format, of->bytes, FH_END_NONE);
}

static void ask_alone(const subject *of)
{
    if (of->seen.asset.grade >= FH_GRADE_STRUCTURE) {
        oracle_alone(of->format, of->bytes.base, &of->seen);
    }
}

static void ask_cuts(const subject *of)
{
    if (of->seen.asset.grade >= FH_GRADE_STRUCTURE) {
        oracle_cuts(of->format, of->bytes.base, &of->seen);
    }
}

/* An engine has most from many inputs: of each only what the scanner does is done with little work
 * allowed, for one of EACH_ASKED one oracle besides, and for one of EACH_WHOLE everything. The hash
 * of the input chooses, so that it is the same each time. A reproducer
 * does everything, but for the discs (EACH_COSTLY), whose inputs are the same ones. */
enum { EACH_ASKED = 16, EACH_SHOWN = 32, EACH_WHOLE = 8192 };
#ifdef FUZZ_SAMPLED
static const bool is_sampled = true;
#else
static const bool is_sampled = false;
#endif

/* Without what is not of formats/: a build in which other libraries must not be called. */
#ifdef FUZZ_DECODERS_ALONE
static const bool has_hunt = false;
#else
static const bool has_hunt = true;
#endif

/* Another number for each input, the same one each time, whatever was chosen by its hash before. */
static uint64_t choice_of(const subject *of)
{
    return run_hash(of->choice, &of->whole, sizeof of->whole);
}

static void ask_parts(const subject *of)
{
    const size_t size = of->bytes.size;
    if (size > 0) {
        oracle_part(of->format, of->bytes, &of->seen, (size_t)(choice_of(of) >> 8) % size);
        oracle_part(of->format, of->bytes, &of->seen, size - 1);
    }
}

static void ask_longer(const subject *of)
{
    if (of->seen.asset.grade >= FH_GRADE_STRUCTURE) {
        oracle_longer(of->format, of->bytes, &of->seen, choice_of(of));
    }
}

static void ask_options(const subject *of)
{
    if (of->seen.asset.grade >= FH_GRADE_STRUCTURE) {
        check_options(of->format, of->bytes, &of->seen);
    }
}

static void ask_anew(const subject *of)
{
#ifdef FUZZED_ANEW
    if (of->seen.has_model && of->seen.asset.grade >= FH_GRADE_REFERENCES) {
        oracle_anew(of->format, of->bytes);
    }
#else
    (void)of; /* nothing describes what is decoded of this format */
#endif
}

static void ask_canonical(const subject *of)
{
    if (of->format->canonical != NULL) {
        oracle_canonical(of->format, of->bytes);
    }
}

static void ask_repairs(const subject *of)
{
    if (of->format->repair != NULL) {
        const uint64_t first = oracle_repairs(of->format, of->bytes);
        run_demand(oracle_repairs(of->format, of->bytes) == first, "the same is mended twice");
    }
}

/* Only where all is asked: discs and a whole arena take longer than everything else together. In
 * front of an engine they took more than half of its time; there, and of the many files of the
 * tests, a disc is made for one of EACH_COSTLY. */
enum { EACH_COSTLY = 8 };

static bool is_chosen(const subject *of)
{
    return choice_of(of) % EACH_COSTLY == 0;
}

static void ask_found(const subject *of)
{
    if (has_hunt && run_now.is_whole && is_chosen(of) &&
        run_grade(&of->seen) == FH_GRADE_REPLAYED) {
        oracle_found(of->format, of->bytes.base, &of->seen, choice_of(of) / EACH_COSTLY);
    }
}

/* A build for the decoders alone is that of the memory sanitizer, which forbids to look at an arena
 * in which not every byte was written. */
static void ask_bounds(const subject *of)
{
    if (has_hunt && run_now.is_whole && (!is_sampled || is_chosen(of))) {
        oracle_bounds(of->format, of->bytes);
    }
}

typedef void oracle(const subject *of);
static oracle *const oracles[] = {ask_companion, ask_twice,   ask_probe, ask_places,
                                  ask_memo,      ask_alone,   ask_cuts,  ask_parts,
                                  ask_longer,    ask_options, ask_anew,  ask_canonical,
                                  ask_repairs,   ask_bounds,  ask_found};
enum { NUM_ORACLES = sizeof oracles / sizeof oracles[0] };

static void examine(subject *of)
{
    of->used = 0;
    run_file(&of->seen, &of->used, of->format, of->bytes, &run_as_the_scanner);
}

static void ask_all(subject *of)
{
    run_now.is_whole = true;
    run_now.is_shown = true;
    examine(of);
    for (size_t i = 0; i < NUM_ORACLES; i++) {
        oracles[i](of);
    }
}

/* Where something seems wrong with little work allowed, the same is asked with all of it. */
static void ask_one(subject *of, bool is_whole)
{
    const uint64_t choice = of->choice;
    run_now.is_whole = is_whole;
    run_now.is_shown = is_whole || (choice >> 32) % EACH_SHOWN == 0;
    examine(of);
    if ((choice >> 16) % EACH_ASKED == 0) {
        oracles[(choice >> 40) % NUM_ORACLES](of);
    }
}

void fuzz_format(const fh_format *format, const uint8_t *data, size_t size)
{
    static subject of;
    if (size > FH_MAX_ASSET_LEN) {
        return; /* the scanner never hands out more */
    }
    const size_t len = find_companion(format, data, size);
    of = (subject){
        .format = format, .data = data, .whole = size, .choice = run_hash(size, data, size)};
    of.bytes = fh_cursor_make(run_copy(data, len), len, 0);
    if (!is_sampled || of.choice % EACH_WHOLE == 0) {
        ask_all(&of);
    } else if (setjmp(run_now.anew) == 0) {
        ask_one(&of, false);
    } else {
        run_release_all();
        of.bytes = fh_cursor_make(run_copy(data, len), len, 0);
        ask_one(&of, true);
    }
    run_release_all();
}
