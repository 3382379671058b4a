/* The hold: what waits comes out in its order, with the handles of the sink; and not too much of it
 * waits. */
#include "hunt/hold.h"
#include "hunt/run_rules.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_HANDLE = 100, MOST = 512 };

/* What the sink got: "A<raw offset>" of an asset, "F<handle>:<message>" of a finding,
 * where - is the source. */
typedef struct heard {
    char told[MOST][32];
    size_t num;
    int64_t handle;
    size_t refuse_at; /* the sink ends the hunt there; 0: never */
} heard;

static bool hear_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    heard *to = user;
    *handle = to->handle++;
    cr_assert(lt(sz, to->num, (size_t)MOST));
    (void)snprintf(to->told[to->num++], sizeof to->told[0], "A%d%s", (int)asset->raw_offset,
                   asset->iso_path == NULL ? "" : asset->iso_path);
    return to->num != to->refuse_at;
}

static bool hear_finding(void *user, const fh_finding_record *finding)
{
    heard *to = user;
    cr_assert(lt(sz, to->num, (size_t)MOST));
    char asset[16] = "-";
    if (finding->asset != FH_UNKNOWN) {
        (void)snprintf(asset, sizeof asset, "%d", (int)finding->asset);
    }
    (void)snprintf(to->told[to->num++], sizeof to->told[0], "F%s:%s", asset, finding->message);
    return to->num != to->refuse_at;
}

static fh_hunt_sink sink_of(heard *to)
{
    *to = (heard){.handle = FIRST_HANDLE};
    return (fh_hunt_sink){.user = to, .asset = hear_asset, .finding = hear_finding};
}

static int64_t put_asset(fh_hold *hold, int64_t raw_off, const fh_piece_record *pieces, size_t num)
{
    const fh_held_span spans[] = {{0, raw_off}, {2048, raw_off + 2352}};
    const fh_held_place place = {raw_off, raw_off + 3000, spans, 2};
    uint8_t sha256[FH_SHA256_LEN] = {7};
    const fh_replay_record replay = {.evaluator = "none", .pose_sha256 = sha256};
    const fh_asset_record record = {.format = "tod",
                                    .raw_offset = raw_off,
                                    .length = 3000,
                                    .iso_offset = FH_UNKNOWN,
                                    .sha256 = sha256,
                                    .pose_sha256 = sha256,
                                    .replay = &replay,
                                    .pieces = pieces,
                                    .num_pieces = num};
    uint8_t bytes[4] = {(uint8_t)raw_off, 1, 2, 3};
    const fh_exam exam = {.bytes = fh_cursor_make(bytes, sizeof bytes, 0)};
    int64_t handle = -7;
    cr_assert(fh_hold_asset(hold, &record, &place, &exam, &handle));
    memset(sha256, 0, sizeof sha256);
    memset(bytes, 0, sizeof bytes);
    return handle;
}

/* The text is gone when the call has ended. */
static void put_finding(fh_hold *hold, int64_t asset, const char *message)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%s", message);
    const fh_finding_record record = {.asset = asset,
                                      .rule = &fh_run_rules.rules[FH_RUN0001],
                                      .raw_offset = 5,
                                      .field = text,
                                      .message = text};
    cr_assert(fh_hold_finding(hold, &record));
    memset(text, 'x', sizeof text - 1);
}

static void expect(const heard *seen, const char *const *wanted, size_t num)
{
    cr_assert(eq(sz, seen->num, num));
    for (size_t i = 0; i < num; i++) {
        cr_assert(eq(str, (char *)seen->told[i], (char *)wanted[i]));
    }
}

static const fh_stop never = {NULL, NULL};

Test(hold, keeps_the_order)
{
    heard seen;
    fh_hold hold;
    fh_naming naming = {.is_open = false};
    const fh_hunt_sink sink = sink_of(&seen);
    fh_hold_begin(&hold, &sink);
    const int64_t first = put_asset(&hold, 10, NULL, 0);
    put_finding(&hold, first, "one");
    cr_assert(fh_hold_remarks(&hold));
    put_finding(&hold, FH_UNKNOWN, "source");
    const int64_t second = put_asset(&hold, 20, NULL, 0);
    cr_assert(fh_hold_remarks(&hold));
    put_finding(&hold, first, "late");
    cr_assert(eq(sz, seen.num, (size_t)0), "nothing was told yet");
    cr_assert(fh_hold_release(&hold, &naming, &never));
    put_finding(&hold, second, "behind");
    put_finding(&hold, put_asset(&hold, 30, NULL, 0), "new");
    const char *const wanted[] = {"A10",       "F100:one",    "F-:source", "A20",
                                  "F100:late", "F101:behind", "A30",       "F102:new"};
    expect(&seen, wanted, sizeof wanted / sizeof wanted[0]);
    fh_hold_free(&hold);
}

static void hear_exam(void *user, const fh_exam *exam)
{
    heard *to = user;
    cr_assert(eq(sz, exam->bytes.size, (size_t)4));
    cr_assert(lt(sz, to->num, (size_t)MOST));
    (void)snprintf(to->told[to->num++], sizeof to->told[0], "E%d,%d", exam->bytes.base[0],
                   exam->bytes.base[3]);
}

Test(hold, keeps_examinations_for_who_wants_them)
{
    heard seen;
    fh_hold hold;
    fh_naming naming = {.is_open = false};
    fh_hunt_sink sink = sink_of(&seen);
    sink.examined = hear_exam;
    fh_hold_begin(&hold, &sink);
    (void)put_asset(&hold, 10, NULL, 0);
    (void)put_asset(&hold, 20, NULL, 0);
    cr_assert(fh_hold_release(&hold, &naming, &never));
    (void)put_asset(&hold, 30, NULL, 0);
    const char *const wanted[] = {"E10,3", "A10", "E20,3", "A20", "E30,3", "A30"};
    expect(&seen, wanted, sizeof wanted / sizeof wanted[0]);
    fh_hold_free(&hold);
}

Test(hold, lets_too_much_go)
{
    enum { PIECES = 1 << 16, NUM = 60 }; /* 1.5 MiB each */
    static const fh_piece_record pieces[PIECES];
    heard seen;
    fh_hold hold;
    const fh_hunt_sink sink = sink_of(&seen);
    fh_hold_begin(&hold, &sink);
    size_t waited = 0;
    for (int i = 0; i < NUM; i++) {
        const int64_t handle = put_asset(&hold, i, pieces, PIECES);
        put_finding(&hold, handle, "of it");
        cr_assert(fh_hold_remarks(&hold));
        waited += seen.num == 0 ? 1 : 0;
    }
    cr_assert(hold.is_released);
    cr_assert(gt(sz, waited, FH_HOLD_MAX_LEN / sizeof pieces - 2), "most of it has waited");
    cr_assert(lt(sz, waited, (size_t)NUM), "but not all");
    cr_assert(eq(sz, seen.num, (size_t)2 * NUM));
    for (int i = 0; i < NUM; i++) {
        char asset[32];
        char finding[32];
        (void)snprintf(asset, sizeof asset, "A%d", i);
        (void)snprintf(finding, sizeof finding, "F%d:of it", FIRST_HANDLE + i);
        cr_assert(eq(str, seen.told[2 * i], asset));
        cr_assert(eq(str, seen.told[2 * i + 1], finding));
    }
    fh_hold_free(&hold);
}

static bool now(void *user)
{
    (void)user;
    return true;
}

Test(hold, ends_when_the_sink_or_the_user_says_so)
{
    fh_naming naming = {.is_open = false};
    const fh_stop at_once = {now, NULL};
    for (int by_user = 0; by_user < 2; by_user++) {
        heard seen;
        fh_hold hold;
        const fh_hunt_sink sink = sink_of(&seen);
        seen.refuse_at = 2;
        fh_hold_begin(&hold, &sink);
        for (int i = 0; i < 4; i++) {
            (void)put_asset(&hold, i, NULL, 0);
        }
        cr_assert(not(fh_hold_release(&hold, &naming, by_user == 1 ? &at_once : &never)));
        cr_assert(eq(sz, seen.num, (size_t)(by_user == 1 ? 0 : 2)));
        fh_hold_free(&hold);
    }
}
