/* Of fuzz_scan.c and fuzz_places.c: what the hunt tells is changed on its way to the target. The
 * linker puts __wrap_fh_hunt_bytes before the hunt. The source is a file with an asset in it, and
 * then the same on a disc.
 */
#include "faulty.h"

#include "fuzz_disc.h"
#include "fuzz_support.h"
#include "hunt/extract.h"
#include "hunt/hunt.h"

#include <stdlib.h>
#include <string.h>

static const faulty_case cases[] = {
    {"none", NULL},
    {"source begun twice", "one source is begun at a time"},
    {"source ended twice", "a source is begun before it ends"},
    {"source not ended", "a source that is begun ends"},
    {"sink failed", "a scan is done"},
    {"claim left out", "claims sum up to the source"},
    {"empty claim", "a claim has bytes"},
    {"claims fall", "claims rise"},
    {"asset before source", "an asset belongs to a source"},
    {"asset without grade", "an asset has a format and a grade"},
    {"asset without bytes", "an asset has bytes"},
    {"asset without place", "an asset has a place"},
    {"asset without a hash", "what has a structure has a hash"},
    {"pieces with a gap", "pieces tile an asset"},
    {"pieces too short", "pieces make a whole asset"},
    {"finding behind source", "a finding belongs to a source"},
    {"finding of a later asset", "a finding is of an asset of its source that was told"},
    {"finding with a line end", "a finding is one line"},
    {"finding at a negative place", "a finding has a place or none"},
    {"finding far behind", "what is told lies in the source"},
    {"finding behind its asset", "a finding of an asset lies in its bytes"},
    {"finding before its asset", "a finding of an asset lies in its bytes"},
    {"finding without a raw place", "what has a place in an asset has one in the source"},
    {"finding at another place", "a finding lies in a file as in its asset"},
    {"finding of no asset", "no asset has no place in it"},
    {"asset over the end", "what is told lies in the source"},
    {"another hash", "the bytes at the places of an asset have its hash"},
    {"another place", "the bytes at the places of an asset have its hash"},
    {"source too long", "a file is as long as the input"},
    {"another hash on the disc", "the bytes at the places of an asset have its hash"},
    {"another sector of the disc", "the bytes at the places of an asset have its hash"},
    {"between two sectors of the disc", "what a scan has told is where it says"},
    {"layout without a name", "a layout has a name"},
    {"source twice", "each source has a path of its own"},
    {"loss without a reason", "a loss has a reason"},
    {"second scan differs", "scanning twice says the same"},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
void __wrap_fh_extract_all(const char *path, const fh_extract_source *sources, size_t num_sources,
                           const fh_extract_sink *sink);
void __real_fh_extract_all(const char *path, const fh_extract_source *sources, size_t num_sources,
                           const fh_extract_sink *sink);
void __real_fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                          const fh_hunt_options *options, const fh_hunt_sink *sink,
                          const fh_hunt_visitor *visitor);
void __wrap_fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                          const fh_hunt_options *options, const fh_hunt_sink *sink,
                          const fh_hunt_visitor *visitor);

static struct {
    const fh_hunt_sink *sink;
    const fh_hunt_visitor *visitor;
    int64_t handle;
    unsigned num_scans;
    bool is_disc;
} to;

static bool is_file_fault(const char *fault)
{
    return !to.is_disc && faulty_is(fault);
}

static bool is_disc_fault(const char *fault)
{
    return to.is_disc && faulty_is(fault);
}

/* ---- assets ---- */

static bool on_finding(void *user, const fh_finding_record *told);

/* An asset, and something to say of it. */
static bool tell_asset(const fh_asset_record *asset)
{
    static const fh_rule rule = {.code = "TST0001", .severity = FH_NOTE, .title = "title"};
    const bool is_taken = to.sink->asset(to.sink->user, asset, &to.handle);
    /* Where findings are moved, on_finding moves this one as well. */
    const int64_t raw_off = asset->raw_offset - is_file_fault("another place");
    const fh_finding_record finding = {.asset = to.handle,
                                       .rule = &rule,
                                       .raw_offset = raw_off,
                                       .asset_offset = 0,
                                       .message = "title"};
    return is_taken && on_finding(NULL, &finding);
}

static void spoil_pieces(fh_asset_record *asset, fh_piece_record pieces[2])
{
    const int64_t half = asset->length / 2;
    pieces[0] = (fh_piece_record){0, asset->raw_offset, half};
    pieces[1] = (fh_piece_record){half, asset->raw_offset + half, asset->length - half};
    pieces[1].asset_offset += faulty_is("pieces with a gap");
    pieces[1].length -= faulty_is("pieces too short");
    asset->pieces = pieces;
    asset->num_pieces = 2;
}

static void spoil_place(fh_asset_record *asset)
{
    asset->raw_offset += is_file_fault("asset over the end") ? 1 << 20 : 0;
    asset->raw_offset += is_file_fault("another place");
    asset->raw_offset -= is_disc_fault("another sector of the disc") ? FUZZ_DISC_SECTOR : 0;
    asset->raw_offset -=
        is_disc_fault("between two sectors of the disc") ? asset->raw_offset % FUZZ_DISC_SECTOR : 0;
    asset->raw_offset = faulty_is("asset without place") ? FH_UNKNOWN : asset->raw_offset;
}

static bool on_asset(void *user, const fh_asset_record *told, int64_t *handle)
{
    (void)user;
    static uint8_t hash[FH_SHA256_LEN];
    fh_piece_record pieces[2];
    fh_asset_record asset = *told;
    spoil_place(&asset);
    asset.grade = faulty_is("asset without grade") ? NULL : asset.grade;
    asset.length = faulty_is("asset without bytes") ? 0 : asset.length;
    asset.user_offset += faulty_is("second scan differs") ? to.num_scans : 0;
    asset.sha256 = faulty_is("asset without a hash") ? NULL : asset.sha256;
    if (is_file_fault("another hash") || is_disc_fault("another hash on the disc")) {
        asset.sha256 = hash;
    }
    if (faulty_is("pieces with a gap") || faulty_is("pieces too short")) {
        spoil_pieces(&asset, pieces);
    }
    const bool is_taken = tell_asset(&asset);
    *handle = to.handle;
    return is_taken;
}

/* ---- findings ---- */

static void spoil_offsets(fh_finding_record *finding)
{
    finding->asset_offset = faulty_is("finding behind its asset")   ? (int64_t)1 << 30
                            : faulty_is("finding before its asset") ? -2
                                                                    : finding->asset_offset;
    finding->raw_offset = faulty_is("finding at a negative place")   ? -2
                          : faulty_is("finding far behind")          ? 100000000
                          : faulty_is("finding without a raw place") ? FH_UNKNOWN
                                                                     : finding->raw_offset;
    finding->raw_offset +=
        is_file_fault("finding at another place") || is_file_fault("another place");
}

static bool on_finding(void *user, const fh_finding_record *told)
{
    (void)user;
    fh_finding_record finding = *told;
    if (finding.asset != FH_UNKNOWN && finding.asset_offset != FH_UNKNOWN) {
        spoil_offsets(&finding);
        finding.asset += faulty_is("finding of a later asset");
        finding.asset = faulty_is("finding of no asset") ? FH_UNKNOWN : finding.asset;
    }
    finding.message = faulty_is("finding with a line end") ? "two\nlines" : finding.message;
    return to.sink->finding(to.sink->user, &finding);
}

static bool on_base(void *user, uint32_t base)
{
    (void)user;
    return to.sink->base(to.sink->user, base);
}

static bool on_coverage(void *user, const fh_coverage_record *told)
{
    (void)user;
    fh_coverage_record coverage = *told;
    coverage.runs = faulty_is("empty claim") ? 0 : coverage.runs;
    if (faulty_is("claim left out")) {
        return true;
    }
    if (faulty_is("claims fall")) {
        coverage.raw_offset += 1;
        (void)to.sink->coverage(to.sink->user, &coverage);
        coverage.raw_offset -= 1;
    }
    return to.sink->coverage(to.sink->user, &coverage);
}

/* ---- sources ---- */

static bool on_begin(void *user, const char *path)
{
    (void)user;
    static const fh_asset_record nothing = {.format = "tod", .grade = "structure", .length = 4};
    if (faulty_is("asset before source")) {
        (void)tell_asset(&nothing);
    }
    if (faulty_is("source begun twice")) {
        (void)to.visitor->begin(to.visitor->user, path);
    }
    return to.visitor->begin(to.visitor->user, path);
}

static bool end(const fh_hunt_source *source, fh_hunt_status status)
{
    return to.visitor->end(to.visitor->user, source, status);
}

static bool on_end(void *user, const fh_hunt_source *told, fh_hunt_status status)
{
    (void)user;
    const fh_finding_record late = {.asset = FH_UNKNOWN};
    fh_hunt_source source = *told;
    if (faulty_is("source too long")) {
        const fh_coverage_record more = {
            .claim = "more", .raw_offset = FH_UNKNOWN, .length = 1, .runs = 1};
        (void)to.sink->coverage(to.sink->user, &more);
        source.record.size++;
    }
    source.record.layout = faulty_is("layout without a name") ? "2351" : source.record.layout;
    if (faulty_is("source not ended")) {
        return true;
    }
    const bool goes_on = end(&source, faulty_is("sink failed") ? FH_HUNT_SINK : status);
    if (faulty_is("source ended twice")) {
        (void)end(&source, status);
    }
    if (faulty_is("finding behind source")) {
        (void)to.sink->finding(to.sink->user, &late);
    }
    return goes_on;
}

/* ---- all of it ---- */

void __wrap_fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                          const fh_hunt_options *options, const fh_hunt_sink *sink,
                          const fh_hunt_visitor *visitor)
{
    const fh_hunt_sink own_sink = {
        .asset = on_asset, .finding = on_finding, .coverage = on_coverage, .base = on_base};
    const fh_hunt_visitor own_visitor = {.begin = on_begin, .end = on_end};
    to.sink = sink;
    to.visitor = visitor;
    to.num_scans++;
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    const unsigned num = faulty_is("source twice") ? 2 : 1;
    for (unsigned i = 0; i < num; i++) {
        __real_fh_hunt_bytes(num_left_out, path, bytes, len, options, &own_sink, &own_visitor);
    }
}

void __wrap_fh_extract_all(const char *path, const fh_extract_source *sources, size_t num_sources,
                           const fh_extract_sink *sink)
{
    if (faulty_is("loss without a reason")) {
        sink->lost(sink->user, &sources->assets[0], FH_EXTRACT_LIMIT, "");
    }
    __real_fh_extract_all(path, sources, num_sources, sink);
}

/* Layout by content, and whatever evidence there is. */
static void scan(const uint8_t *bytes, size_t len)
{
    enum { HOW = 0x23 }; /* fuzz_scan.c */
    uint8_t *input = fuzz_have(malloc(len + 1));
    input[0] = HOW;
    memcpy(input + 1, bytes, len);
    to.num_scans = 0;
    (void)LLVMFuzzerTestOneInput(input, len + 1);
    free(input);
}

static void run(char **files)
{
    enum { AROUND = 512 };
    size_t len = 0;
    uint8_t *asset = faulty_read(files[0], &len);
    uint8_t *bytes = fuzz_have(calloc(1, len + (size_t)2 * AROUND));
    fuzz_disc disc = {.mode = 2, .is_file = true, .lba = FUZZ_DISC_FIRST};
    memcpy(bytes + AROUND, asset, len);
    scan(bytes, len + (size_t)2 * AROUND);
    fuzz_disc_make(&disc, bytes, len + (size_t)2 * AROUND);
    to.is_disc = true;
    scan(disc.bytes, disc.len);
    free(disc.bytes);
    free(bytes);
    free(asset);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
