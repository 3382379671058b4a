/* Of fuzz_answer.c: what comes through the wire, what is made of an answer and what a search tells
 * with it is changed on its way to the target. The linker puts the functions with __wrap_ before
 * those of the program. There are messages that are whole and cut, answers that are taken and
 * refused, and a search.
 */
#include "faulty.h"

#include "fuzz_support.h"
#include "hunt/exam_pack.h"
#include "hunt/hunt.h"
#include "registry/registry.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const faulty_case cases[] = {
    {"none", NULL},
    {"no sockets", "the system has sockets"},
    {"message that is not sent", "a socket takes a message"},
    {"whole message that is refused", "a message is got if it is whole and short enough"},
    {"cut message that is taken", "a message is got if it is whole and short enough"},
    {"message that is nowhere", "what is not got is not there"},
    {"message of other bytes", "a message is got as it was sent"},
    {"no such format", "there is the format"},
    {"asset that is none", "the asset is one, and something is found in it"},
    {"answer that is not written", "what is taken can be written"},
    {"another format", "an answer is of the format that was asked for"},
    {"asset behind the bytes", "an asset lies in the bytes"},
    {"frames below zero", "frames are a number or unknown"},
    {"finding without a rule", "a finding has a rule"},
    {"finding behind the bytes", "what is found lies in the bytes"},
    {"structure without a hash", "what holds has a hash"},
    {"structure without bytes", "what holds has bytes"},
    {"poses without a replay", "who has poses was replayed"},
    {"replay that nobody asked for", "nobody is replayed unasked"},
    {"poses of a replay that broke off", "poses are those of a replay that ended"},
    {"grade of a replay that broke off", "that grade is of a replay that ended"},
    {"evaluator of no format", "who replayed it is an evaluator of the format"},
    {"written answer that is refused", "what is written is taken"},
    {"written answer that changes", "what is taken back is written the same"},
    {"right answer that is refused", "the right answer is taken"},
    {"refusal that spends", "an answer that is refused spends nothing"},
    {"refusal that leaves a replay", "an answer that is refused leaves nothing"},
    {"reserve that grows", "a reserve grows no larger"},
    {"second taking that differs", "taking it twice says the same"},
    {"asset without a grade", "an asset has a format and a grade"},
    {"asset over the end", "an asset lies in the source"},
    {"asset before the source", "an asset lies in the source"},
    {"address behind memory", "an address is one of memory"},
    {"finding of a later asset", "a finding is of an asset that was told"},
    {"finding before the source", "a finding has a place in the source or none"},
    {"source begun twice", "one source is begun at a time"},
    {"source ended twice", "a source is begun before it ends"},
    {"source not ended", "a source that is begun ends"},
    {"sink failed", "a search is done"},
    {"asset examined twice", "there is one asset, and it is examined once"},
    {"second search differs", "searching twice says the same"},
    {"memory of taking", "memory stays under its bound", NULL, faulty_counts_memory},
    {"memory of searching", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time of taking", "time stays under its bound"},
    {"time of searching", "time stays under its bound"},
};

/* Names that the linker gives. */
int __wrap_socketpair(int domain, int type, int protocol, int pair[2]);
int __real_socketpair(int domain, int type, int protocol, int pair[2]);
ssize_t __wrap_send(int socket, const void *bytes, size_t len, int flags);
ssize_t __real_send(int socket, const void *bytes, size_t len, int flags);
fh_wire_status __wrap_fh_wire_get(int socket, uint8_t **bytes, size_t *len, size_t most,
                                  const fh_wire_wait *wait);
fh_wire_status __real_fh_wire_get(int socket, uint8_t **bytes, size_t *len, size_t most,
                                  const fh_wire_wait *wait);
const fh_format *__wrap_fh_format_find(const char *name);
const fh_format *__real_fh_format_find(const char *name);
bool __wrap_fh_exam_run(fh_exam *exam, const fh_format *format, fh_cursor bytes,
                        const fh_exam_options *options);
bool __real_fh_exam_run(fh_exam *exam, const fh_format *format, fh_cursor bytes,
                        const fh_exam_options *options);
void __wrap_fh_exam_put_results(fh_packed *out, const fh_exam *exam);
void __real_fh_exam_put_results(fh_packed *out, const fh_exam *exam);
bool __wrap_fh_exam_get_results(fh_exam *exam, const fh_exam_order *order, fh_cursor bytes,
                                uint8_t *received, size_t len);
bool __real_fh_exam_get_results(fh_exam *exam, const fh_exam_order *order, fh_cursor bytes,
                                uint8_t *received, size_t len);
void __real_fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                          const fh_hunt_options *options, const fh_hunt_sink *sink,
                          const fh_hunt_visitor *visitor);
void __wrap_fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                          const fh_hunt_options *options, const fh_hunt_sink *sink,
                          const fh_hunt_visitor *visitor);

/* ---- the wire ---- */

int __wrap_socketpair(int domain, int type, int protocol, int pair[2])
{
    return faulty_is("no sockets") ? -1 : __real_socketpair(domain, type, protocol, pair);
}

ssize_t __wrap_send(int socket, const void *bytes, size_t len, int flags)
{
    const ssize_t num = __real_send(socket, bytes, len, flags);
    return faulty_is("message that is not sent") ? num - 1 : num;
}

fh_wire_status __wrap_fh_wire_get(int socket, uint8_t **bytes, size_t *len, size_t most,
                                  const fh_wire_wait *wait)
{
    const fh_wire_status status = __real_fh_wire_get(socket, bytes, len, most, wait);
    if (status == FH_WIRE_OK && faulty_is("message of other bytes")) {
        (*bytes)[0] ^= 1;
    }
    if (status == FH_WIRE_OK && faulty_is("message that is nowhere")) {
        free(*bytes);
        *bytes = NULL;
    }
    return faulty_is("whole message that is refused") ? FH_WIRE_GONE
           : faulty_is("cut message that is taken")   ? FH_WIRE_OK
                                                      : status;
}

/* ---- answers ---- */

const fh_format *__wrap_fh_format_find(const char *name)
{
    return faulty_is("no such format") ? NULL : __real_fh_format_find(name);
}

bool __wrap_fh_exam_run(fh_exam *exam, const fh_format *format, fh_cursor bytes,
                        const fh_exam_options *options)
{
    return __real_fh_exam_run(exam, format, bytes, options) && !faulty_is("asset that is none");
}

void __wrap_fh_exam_put_results(fh_packed *out, const fh_exam *exam)
{
    __real_fh_exam_put_results(out, exam);
    out->no_memory = out->no_memory || faulty_is("answer that is not written");
}

/* The order in which an answer that is taken is taken: then what was written of it; and so again.
 */
enum { TAKEN = 1, WRITTEN, TAKEN_AGAIN };
static unsigned num_taken;

static void spoil_replay(fh_exam *exam, const fh_exam_order *order)
{
    if (faulty_is("poses without a replay")) {
        exam->is_replayed = false;
        exam->has_pose_sha256 = true;
    }
    exam->is_replayed =
        exam->is_replayed || (faulty_is("replay that nobody asked for") && !order->options.replay);
    if (faulty_is("poses of a replay that broke off")) {
        exam->has_pose_sha256 = true;
        exam->result.state = FH_REPLAY_BROKEN;
    }
    if (faulty_is("grade of a replay that broke off")) {
        exam->has_pose_sha256 = false;
        exam->asset.grade = FH_GRADE_REPLAYED;
        exam->result.state = FH_REPLAY_BROKEN;
    }
    exam->result.evaluator =
        faulty_is("evaluator of no format") ? "nobody" : exam->result.evaluator;
}

static void spoil(fh_exam *exam, const fh_exam_order *order)
{
    exam->format = faulty_is("another format") ? __real_fh_format_find("hmd") : exam->format;
    exam->asset.length = faulty_is("asset behind the bytes")    ? order->len + 1
                         : faulty_is("structure without bytes") ? 0
                                                                : exam->asset.length;
    exam->asset.frames = faulty_is("frames below zero") ? -2 : exam->asset.frames;
    exam->has_sha256 = exam->has_sha256 && !faulty_is("structure without a hash");
    if (exam->num_findings > 0) {
        fh_finding *finding = &exam->findings[0];
        finding->rule = faulty_is("finding without a rule") ? NULL : finding->rule;
        finding->offset =
            faulty_is("finding behind the bytes") ? (int64_t)order->len + 1 : finding->offset;
    }
    spoil_replay(exam, order);
}

static bool take(fh_exam *exam, const fh_exam_order *order)
{
    num_taken++;
    if (num_taken == WRITTEN) {
        exam->asset.frames += faulty_is("written answer that changes");
        return !faulty_is("written answer that is refused");
    }
    spoil(exam, order);
    exam->asset.frames += num_taken == TAKEN_AGAIN && faulty_is("second taking that differs");
    if (exam->reserve != NULL && faulty_is("reserve that grows")) {
        exam->reserve->left = order->reserve.left + 1;
    }
    const bool fails = faulty_is("right answer that is refused");
    if (fails) {
        fh_exam_forget(exam);
    }
    return !fails;
}

bool __wrap_fh_exam_get_results(fh_exam *exam, const fh_exam_order *order, fh_cursor bytes,
                                uint8_t *received, size_t len)
{
    faulty_spend(faulty_is("memory of taking"), faulty_is("time of taking"));
    if (__real_fh_exam_get_results(exam, order, bytes, received, len)) {
        return take(exam, order);
    }
    if (exam->reserve != NULL && faulty_is("refusal that spends")) {
        exam->reserve->left--;
    }
    exam->is_replayed = faulty_is("refusal that leaves a replay");
    return false;
}

/* ---- searches ---- */

static struct {
    const fh_hunt_sink *sink;
    const fh_hunt_visitor *visitor;
    unsigned num_searches;
} to;

static bool on_asset(void *user, const fh_asset_record *told, int64_t *handle)
{
    (void)user;
    fh_asset_record asset = *told;
    asset.grade = faulty_is("asset without a grade") ? NULL : asset.grade;
    asset.raw_offset += faulty_is("asset over the end") ? told->length + 200 : 0;
    asset.raw_offset = faulty_is("asset before the source") ? -1 : asset.raw_offset;
    asset.ram_address =
        faulty_is("address behind memory") ? (int64_t)UINT32_MAX + 1 : asset.ram_address;
    return to.sink->asset(to.sink->user, &asset, handle);
}

static bool on_finding(void *user, const fh_finding_record *told)
{
    (void)user;
    fh_finding_record finding = *told;
    finding.asset = faulty_is("finding of a later asset") ? 1 : finding.asset;
    finding.raw_offset = faulty_is("finding before the source") ? -2 : finding.raw_offset;
    return to.sink->finding(to.sink->user, &finding);
}

static bool on_coverage(void *user, const fh_coverage_record *told)
{
    (void)user;
    fh_coverage_record coverage = *told;
    coverage.length += to.num_searches == 2 && faulty_is("second search differs");
    return to.sink->coverage(to.sink->user, &coverage);
}

static bool on_base(void *user, uint32_t base)
{
    (void)user;
    return to.sink->base(to.sink->user, base);
}

static bool on_begin(void *user, const char *path)
{
    (void)user;
    if (faulty_is("source begun twice")) {
        (void)to.visitor->begin(to.visitor->user, path);
    }
    return to.visitor->begin(to.visitor->user, path);
}

static bool on_end(void *user, const fh_hunt_source *source, fh_hunt_status status)
{
    (void)user;
    if (faulty_is("source not ended")) {
        return true;
    }
    if (faulty_is("source ended twice")) {
        (void)to.visitor->end(to.visitor->user, source, status);
    }
    return to.visitor->end(to.visitor->user, source,
                           faulty_is("sink failed") ? FH_HUNT_SINK : status);
}

void __wrap_fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                          const fh_hunt_options *options, const fh_hunt_sink *sink,
                          const fh_hunt_visitor *visitor)
{
    const fh_hunt_sink own_sink = {
        .asset = on_asset, .finding = on_finding, .coverage = on_coverage, .base = on_base};
    const fh_hunt_visitor own_visitor = {.begin = on_begin, .end = on_end};
    const unsigned num = faulty_is("asset examined twice") ? 2 : 1;
    to.sink = sink;
    to.visitor = visitor;
    to.num_searches++;
    faulty_spend(faulty_is("memory of searching"), faulty_is("time of searching"));
    for (unsigned i = 0; i < num; i++) {
        __real_fh_hunt_bytes(num_left_out, path, bytes, len, options, &own_sink, &own_visitor);
    }
}

/* ---- all of it ---- */

static void answer(const char *bytes, size_t len)
{
    to.num_searches = 0;
    num_taken = 0;
    (void)LLVMFuzzerTestOneInput((const uint8_t *)bytes, len);
}

static void run(char **files)
{
    /* The first byte says how: see fuzz_answer.c. */
    static const char whole[] = "\x03\x03\0\0\0\0\0\0\0abc";
    static const char cut[] = "\x03\x04\0\0\0\0\0\0\0abc";
    static const char refused[] = "\x10\0\0\0\x08\xff\xff\xff\xff\xff\xff\xff\xff";
    static const char right[] = "\x1c";
    static const char unasked[] = "\x24";
    (void)files;
    answer(right, sizeof right - 1);
    answer(refused, sizeof refused - 1);
    answer(unasked, sizeof unasked - 1);
    answer(whole, sizeof whole - 1);
    answer(cut, sizeof cut - 1);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
