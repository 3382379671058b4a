/* A worker process that says what it likes. A program that searches a sound source has an asset of
 * it examined by a worker which the input has taken over. The first byte says how: what follows is
 * laid over the right answer (fuzz_patch), or is the answer, with or without the length that goes
 * ahead of it on the socket; of what kind the source is, and whether the replay was asked for.
 * What must be true:
 *   - a message is got as it was sent, or not at all; one that is longer than allowed is not;
 *   - an answer that is refused leaves an examination without results, and its reserve as it was;
 *   - the right answer is taken;
 *   - of one that is taken the asset and what is found lie in the bytes, the reserve is no larger,
 *     it is replayed only if that was asked for, and who did it is an evaluator of the format;
 *   - one that is taken and written again is taken, and is then written the same;
 *   - taking it twice says the same;
 *   - a search that goes on with it comes to its end, and what it tells has a place in the source
 *     or none, and is of an asset that was told; searching twice says the same;
 *   - memory and time stay under a bound for each byte of input.
 */
#include "fuzz_image.h"

#include "core/limits.h"
#include "hunt/exam_pack.h"
#include "hunt/hunt.h"
#include "hunt/run_rules.h"
#include "registry/registry.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Each finding of an answer is one of ours, which are longer; of a search see fuzz_scan.c. */
static const fuzz_bounds taking_bounds = {.memory_floor = (size_t)4 << 20,
                                          .memory_per_byte = 1024,
                                          .milliseconds = 2000,
                                          .milliseconds_per_kib = 100};
static const fuzz_bounds search_bounds = {.memory_floor = (size_t)768 << 20,
                                          .memory_per_byte = 1024,
                                          .milliseconds = 30000,
                                          .milliseconds_per_kib = 100};

enum {
    HOW_RAW = 1,     /* the answer is the input's, not the right one with changes */
    HOW_FRAMED = 2,  /* its length is the input's, too */
    HOW_SEARCH = 4,  /* the source is searched with it if it is taken */
    HOW_MEMORY = 8,  /* and is memory */
    HOW_SPENT = 16,  /* work is given out of a reserve */
    HOW_UNASKED = 32 /* nobody asked for the replay */
};

/* So long a message fits into a socket that nobody reads from. */
enum { MOST_ANSWER = 60000, RESERVE = 1000000 };

/* Something, a TOD of two frames in which a parent is missing, and something. */
enum { ASSET_AT = 64, ASSET_LEN = 108, SOURCE_LEN = 256 };
static const uint8_t sound_tod[ASSET_LEN] = {
    0x50, 0x00, 0x04, 0x00, 0x02, 0x00, 0x00, 0x00, 0x0e, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x08, 0x01, 0x01, 0x00, 0x03, 0x02, 0x07, 0x00, 0x00, 0x00, 0x01, 0x00, 0xe1, 0x09,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x10,
    0x00, 0x10, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x0b, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0xe1, 0x09, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x10, 0x00, 0x10, 0x00, 0x00,
    0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
static uint8_t image[SOURCE_LEN];

typedef struct worker {
    fuzz_sum sum;
    uint8_t how;
    fuzz_input said;
    int64_t num_assets;
    unsigned num_exams;
    bool is_open;
} worker;

/* ---- the wire -------------------------------------------------------------------------------- */

/* What the program gets of what a worker sends. The caller frees it. */
static fh_wire_status through_socket(uint8_t **out, size_t *len, fuzz_input sent)
{
    int pair[2];
    const fh_wire_wait wait = {fh_wire_now() + 60000, NULL};
    fuzz_demand(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0,
                "the system has sockets");
    fuzz_demand(sent.left == 0 || send(pair[0], sent.at, sent.left, 0) == (ssize_t)sent.left,
                "a socket takes a message");
    (void)close(pair[0]);
    const fh_wire_status status = fh_wire_get(pair[1], out, len, MOST_ANSWER, &wait);
    (void)close(pair[1]);
    return status;
}

/* The bytes that come out are those that were sent behind their length. */
static bool get_framed(uint8_t **out, size_t *len, fuzz_input sent)
{
    uint64_t head = UINT64_MAX;
    const fh_wire_status status = through_socket(out, len, sent);
    if (sent.left >= sizeof head) {
        memcpy(&head, sent.at, sizeof head);
    }
    const bool is_whole = head <= MOST_ANSWER && head <= sent.left - sizeof head;
    fuzz_demand(status == (is_whole ? FH_WIRE_OK : FH_WIRE_GONE),
                "a message is got if it is whole and short enough");
    fuzz_demand((status == FH_WIRE_OK) == (*out != NULL), "what is not got is not there");
    fuzz_demand(!is_whole || (*out != NULL && *len == head &&
                              memcmp(*out, sent.at + sizeof head, (size_t)head) == 0),
                "a message is got as it was sent");
    return is_whole;
}

/* ---- an answer ------------------------------------------------------------------------------- */

static uint8_t *copy_of(const uint8_t *bytes, size_t len)
{
    uint8_t *copy = fuzz_have(malloc(len > 0 ? len : 1));
    if (len > 0) {
        memcpy(copy, bytes, len);
    }
    return copy;
}

static fh_packed pack(const fh_exam *exam)
{
    fh_packed out = {0};
    fh_exam_put_results(&out, exam);
    fuzz_demand(!out.no_memory, "what is taken can be written");
    return out;
}

static void check_taken(const fh_exam *exam, const fh_exam_order *order)
{
    fuzz_demand(exam->format == order->format, "an answer is of the format that was asked for");
    fuzz_demand(exam->asset.length <= order->len, "an asset lies in the bytes");
    fuzz_demand(exam->asset.frames == FH_UNKNOWN || exam->asset.frames >= 0,
                "frames are a number or unknown");
    for (size_t i = 0; i < exam->num_findings; i++) {
        const fh_finding *finding = &exam->findings[i];
        char message[FH_MESSAGE_LEN];
        fuzz_demand(finding->rule != NULL && finding->field != NULL, "a finding has a rule");
        fuzz_demand(finding->offset == FH_UNKNOWN ||
                        (finding->offset >= 0 && (uint64_t)finding->offset <= order->len),
                    "what is found lies in the bytes");
        (void)fh_finding_to_record(finding, message);
    }
    fuzz_demand(exam->asset.grade < FH_GRADE_STRUCTURE || exam->has_sha256,
                "what holds has a hash");
    fuzz_demand(exam->asset.grade < FH_GRADE_STRUCTURE || exam->asset.length > 0,
                "what holds has bytes");
    fuzz_demand(exam->is_replayed || !exam->has_pose_sha256, "who has poses was replayed");
    fuzz_demand(order->options.replay || !exam->is_replayed, "nobody is replayed unasked");
    fuzz_demand(!exam->has_pose_sha256 || exam->result.state == FH_REPLAY_COMPLETE ||
                    exam->result.state == FH_REPLAY_ASSUMED ||
                    exam->result.state == FH_REPLAY_STILL,
                "poses are those of a replay that ended");
    fuzz_demand(exam->asset.grade < FH_GRADE_REPLAYED ||
                    (exam->is_replayed && (exam->result.state == FH_REPLAY_COMPLETE ||
                                           exam->result.state == FH_REPLAY_ASSUMED)),
                "that grade is of a replay that ended");
    bool is_known = !exam->is_replayed;
    for (size_t i = 0; order->format->profiles[i] != NULL; i++) {
        is_known = is_known || exam->result.evaluator == order->format->evaluators[i];
    }
    fuzz_demand(is_known, "who replayed it is an evaluator of the format");
}

/* What was taken is written, taken, and written once more. */
static void check_again(const fh_exam *exam, const fh_exam_order *order, fh_cursor bytes)
{
    fh_packed written = pack(exam);
    fh_budget left = order->reserve;
    fh_exam again = {.reserve = order->has_reserve ? &left : NULL};
    fuzz_demand(
        fh_exam_get_results(&again, order, bytes, copy_of(written.bytes, written.len), written.len),
        "what is written is taken");
    fh_packed once_more = pack(&again);
    fuzz_demand(once_more.len == written.len &&
                    memcmp(once_more.bytes, written.bytes, written.len) == 0,
                "what is taken back is written the same");
    free(once_more.bytes);
    free(written.bytes);
    again.reserve = NULL;
    fh_exam_free(&again);
}

static fh_exam_order order_of(uint8_t how)
{
    return (fh_exam_order){
        .format = fh_format_find("tod"),
        .origin = ASSET_AT,
        .len = ASSET_LEN,
        .options = {.aligned = true, .replay = (how & HOW_UNASKED) == 0},
        .has_reserve = (how & HOW_SPENT) != 0,
        .reserve = {.left = (how & HOW_SPENT) != 0 ? RESERVE : 0},
    };
}

/* What a worker of ours would answer. It is made once, and without a reserve. */
static const fh_packed *right_answer(uint8_t how)
{
    static fh_packed each[2];
    fh_packed *right = &each[(how & HOW_UNASKED) != 0];
    if (right->bytes == NULL) {
        fh_exam exam = {0};
        const fh_exam_order order = order_of(how & HOW_UNASKED);
        fuzz_demand(order.format != NULL, "there is the format");
        fuzz_demand(fh_exam_run(&exam, order.format,
                                fh_cursor_make(image + ASSET_AT, ASSET_LEN, ASSET_AT),
                                &order.options) &&
                        exam.is_replayed == order.options.replay && exam.num_findings > 0,
                    "the asset is one, and something is found in it");
        *right = pack(&exam);
        fh_exam_free(&exam);
    }
    return right;
}

/* What the worker says; NULL: no message. */
static uint8_t *answer_of(const worker *at, size_t *len)
{
    const fh_packed *right = right_answer(at->how);
    uint8_t *out = NULL;
    fuzz_input said = at->said;
    if ((at->how & (HOW_RAW | HOW_FRAMED)) == (HOW_RAW | HOW_FRAMED)) {
        return get_framed(&out, len, said) ? out : NULL;
    }
    if ((at->how & HOW_RAW) != 0) {
        *len = said.left;
        return copy_of(said.at, said.left);
    }
    *len = right->len;
    out = copy_of(right->bytes, right->len);
    fuzz_patch(out, right->len, &said);
    return out;
}

static void check_refused(const fh_exam *exam, const fh_exam_order *order, bool is_right)
{
    fuzz_demand(!is_right, "the right answer is taken");
    fuzz_demand(exam->reserve == NULL || exam->reserve->left == order->reserve.left,
                "an answer that is refused spends nothing");
    fuzz_demand(exam->num_findings == 0 && !exam->is_replayed && !exam->has_sha256 &&
                    !exam->has_pose_sha256,
                "an answer that is refused leaves nothing");
}

/* true: the answer was taken, and the exam is as if it had run. */
static bool take(const worker *at, fh_exam *exam, const fh_exam_order *order, fh_cursor bytes)
{
    const fh_packed *right = right_answer(at->how);
    size_t len = 0;
    uint8_t *answer = answer_of(at, &len);
    if (answer == NULL) {
        return false;
    }
    const bool is_right = len == right->len && memcmp(answer, right->bytes, len) == 0;
    if (!fh_exam_get_results(exam, order, bytes, answer, len)) {
        check_refused(exam, order, is_right);
        return false;
    }
    fuzz_demand(exam->reserve == NULL || exam->reserve->left <= order->reserve.left,
                "a reserve grows no larger");
    check_taken(exam, order);
    check_again(exam, order, bytes);
    return true;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Takes the place of fh_cell_examine. An answer that is none is told as
 * that of a process that died. */
static fh_exam_end examine(void *user, void *self, fh_exam *exam, fh_finding *lost,
                           const fh_format *format, fh_cursor bytes, const fh_exam_options *options)
{
    worker *at = user;
    fh_exam_order order = {.format = format,
                           .origin = bytes.origin,
                           .len = bytes.size,
                           .options = *options,
                           .has_reserve = exam->reserve != NULL};
    (void)self;
    at->num_exams++;
    if (exam->reserve != NULL) {
        order.reserve = *exam->reserve;
    }
    if (take(at, exam, &order, bytes)) {
        return FH_EXAM_DONE;
    }
    *lost = fh_finding_make(&fh_run_rules.rules[FH_RUN0030], "process");
    return FH_EXAM_LOST;
}

static bool on_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    worker *at = user;
    fuzz_demand(asset->format != NULL && asset->grade != NULL, "an asset has a format and a grade");
    fuzz_demand(asset->raw_offset >= 0 && asset->length > 0 &&
                    asset->length <= SOURCE_LEN - asset->raw_offset,
                "an asset lies in the source");
    fuzz_demand(asset->ram_address == FH_UNKNOWN ||
                    (asset->ram_address >= 0 && asset->ram_address <= UINT32_MAX),
                "an address is one of memory");
    *handle = at->num_assets++;
    fuzz_fold_text(&at->sum, asset->grade);
    fuzz_fold_number(&at->sum, asset->raw_offset);
    fuzz_fold_number(&at->sum, asset->length);
    fuzz_fold_number(&at->sum, asset->ram_address);
    fuzz_fold_number(&at->sum, asset->frames);
    return true;
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    worker *at = user;
    fuzz_demand(finding->asset == FH_UNKNOWN ||
                    (finding->asset >= 0 && finding->asset < at->num_assets),
                "a finding is of an asset that was told");
    fuzz_demand(finding->raw_offset == FH_UNKNOWN ||
                    (finding->raw_offset >= 0 && finding->raw_offset <= SOURCE_LEN),
                "a finding has a place in the source or none");
    fuzz_fold_text(&at->sum, finding->rule->code);
    fuzz_fold_text(&at->sum, finding->message);
    fuzz_fold_number(&at->sum, finding->raw_offset);
    return true;
}

static bool on_coverage(void *user, const fh_coverage_record *coverage)
{
    worker *at = user;
    fuzz_fold_text(&at->sum, coverage->claim);
    fuzz_fold_number(&at->sum, coverage->length);
    return true;
}

static bool on_base(void *user, uint32_t base)
{
    fuzz_fold_number(&((worker *)user)->sum, base);
    return true;
}

static bool on_begin(void *user, const char *path)
{
    worker *at = user;
    (void)path;
    fuzz_demand(!at->is_open, "one source is begun at a time");
    at->is_open = true;
    return true;
}

static bool on_end(void *user, const fh_hunt_source *source, fh_hunt_status status)
{
    worker *at = user;
    fuzz_demand(at->is_open, "a source is begun before it ends");
    fuzz_demand(status == FH_HUNT_OK || status == FH_HUNT_STOPPED, "a search is done");
    at->is_open = false;
    fuzz_fold_text(&at->sum, source->record.status);
    fuzz_fold_number(&at->sum, source->num_weak);
    return true;
}

static fuzz_sum search(uint8_t how, fuzz_input said)
{
    const fh_format *format = fh_format_find("tod");
    worker at = {.sum = FUZZ_SUM, .how = how, .said = said};
    const fh_hunt_options options = {.formats = &format,
                                     .num_formats = 1,
                                     .replay = (how & HOW_UNASKED) == 0,
                                     .as_it_lies = true,
                                     .has_address = (how & HOW_MEMORY) != 0,
                                     .address = 0x80010000u,
                                     .user = &at,
                                     .examine = examine};
    const fh_hunt_sink sink = {.user = &at,
                               .asset = on_asset,
                               .finding = on_finding,
                               .coverage = on_coverage,
                               .base = on_base};
    const fh_hunt_visitor visitor = {&at, on_begin, on_end};
    int64_t num_left_out = 0;
    fh_hunt_bytes(&num_left_out, "input", image, sizeof image, &options, &sink, &visitor);
    fuzz_demand(!at.is_open, "a source that is begun ends");
    fuzz_demand(at.num_exams == 1, "there is one asset, and it is examined once");
    return at.sum;
}

/* true: the answer is taken where it is asked for. */
static bool take_once(fuzz_sum *sum, uint8_t how, fuzz_input said)
{
    const worker at = {.how = how, .said = said};
    const fh_exam_order order = order_of(how);
    const fh_cursor bytes = fh_cursor_make(image + ASSET_AT, ASSET_LEN, ASSET_AT);
    fh_budget left = order.reserve;
    fh_exam exam = {.reserve = order.has_reserve ? &left : NULL};
    const bool is_taken = take(&at, &exam, &order, bytes);
    *sum = FUZZ_SUM;
    if (is_taken) {
        fh_packed results = pack(&exam);
        fuzz_fold(sum, results.bytes, results.len);
        free(results.bytes);
    }
    exam.reserve = NULL;
    fh_exam_free(&exam);
    return is_taken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const uint8_t how = fuzz_byte(&input);
    fuzz_sum first = 0;
    fuzz_sum second = 0;
    if (input.left > MOST_ANSWER) {
        return 0;
    }
    memcpy(image + ASSET_AT, sound_tod, sizeof sound_tod);
    (void)right_answer(how); /* out of the bounds of what the worker says */
    fuzz_begin();
    const bool is_taken = take_once(&first, how, input);
    fuzz_end(&taking_bounds, size);
    fuzz_demand(take_once(&second, how, input) == is_taken && first == second,
                "taking it twice says the same");
    if (!is_taken || (how & HOW_SEARCH) == 0) {
        return 0;
    }
    fuzz_begin();
    first = search(how, input);
    fuzz_end(&search_bounds, size);
    fuzz_demand(search(how, input) == first, "searching twice says the same");
    return 0;
}
