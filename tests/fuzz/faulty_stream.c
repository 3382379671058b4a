/* Of fuzz_stream.c: the records of a source are made by hand, in their order, with one that cannot
 * be. The linker puts __wrap_fh_seam_name before the names of reasons.
 */
#include "faulty.h"

#include "fuzz_stream.h"

static const faulty_case cases[] = {
    {"none", NULL},
    {"no such stream", "a stream is known"},
    {"empty piece", "a piece has bytes"},
    {"piece that is too long", "a piece has bytes"},
    {"piece behind the end", "a piece lies inside the source"},
    {"piece over the end", "a piece lies inside the source"},
    {"piece before the source", "a piece lies inside the source"},
    {"piece of other bytes", "a piece has the bytes of its place"},
    {"gap in a stream", "pieces follow each other"},
    {"no such claim", "a claim is known"},
    {"byte in two streams", "a byte is handed out once"},
    {"seam in a stream", "a seam lies behind its stream"},
    {"seam behind the source", "a seam lies inside the source"},
    {"seam without a name", "a reason has a name"},
    {"skip of nothing", "a skip has sectors"},
    {"finding behind the source", "a finding lies in the source"},
    {"finding of two lines", "a message is one line"},
    {"finding before all", "an offset is unknown or not negative"},
    {"sector behind the source", "a sector lies inside the source"},
    {"sector over the end", "a sector lies inside the source"},
    {"user data behind their sector", "its user data lie inside the sector"},
    {"address before the disc", "an address is one"},
    {"input as long as memory", "an input is shorter than memory"},
    {"claims fall", "runs of claims rise"},
    {"byte without a claim", "each byte is claimed once"},
    {"bytes that were not counted", "what is counted was handed out"},
};

/* Two pieces, and a sector of what lies in the second one. */
enum { SIZE = 5000, FIRST = 3000, SECOND = SIZE - FIRST, SECTOR = 500, DATA = 400 };

const char *__wrap_fh_seam_name(fh_seam_reason reason);
const char *__real_fh_seam_name(fh_seam_reason reason);

const char *__wrap_fh_seam_name(fh_seam_reason reason)
{
    return faulty_is("seam without a name") ? "" : __real_fh_seam_name(reason);
}

static void put_pieces(fuzz_stream *to, const uint8_t *bytes)
{
    fh_piece piece = {.stream = FH_STREAM_DATA, .bytes = bytes, .len = FIRST};
    to->sink.piece(to->sink.user, &piece);
    piece = (fh_piece){.stream = FH_STREAM_DATA,
                       .stream_off = FIRST + faulty_is("gap in a stream"),
                       .raw_off = FIRST,
                       .bytes = bytes + FIRST,
                       .len = SECOND};
    piece.stream = faulty_is("no such stream") ? FH_STREAM_NUM : piece.stream;
    piece.len = faulty_is("empty piece")              ? 0
                : faulty_is("piece that is too long") ? FH_READER_CHUNK + 1
                                                      : piece.len;
    piece.len += faulty_is("piece over the end");
    piece.raw_off = faulty_is("piece behind the end")      ? SIZE + 1
                    : faulty_is("piece before the source") ? -1
                                                           : piece.raw_off;
    piece.bytes += faulty_is("piece of other bytes");
    piece.claim = faulty_is("no such claim") ? FH_CLAIM_NUM : piece.claim;
    if (faulty_is("byte in two streams")) {
        piece.stream = FH_STREAM_FORM2;
        piece.stream_off = 0;
        piece.raw_off--;
        piece.bytes--;
    }
    to->sink.piece(to->sink.user, &piece);
}

static void put_seams(fuzz_stream *to)
{
    const fh_seam seam = {.stream = FH_STREAM_DATA,
                          .reason = FH_SEAM_END,
                          .stream_off = SIZE - faulty_is("seam in a stream"),
                          .raw_off = SIZE + faulty_is("seam behind the source")};
    to->sink.seam(to->sink.user, &seam);
    to->sink.skip(to->sink.user, FH_STREAM_DATA, faulty_is("skip of nothing") ? 0 : 1);
}

static void put_finding(fuzz_stream *to)
{
    static const fh_rule rule = {.code = "TST0001", .severity = FH_NOTE, .title = "title"};
    fh_finding finding =
        fh_finding_make(&rule, faulty_is("finding of two lines") ? "two\nlines" : "field");
    finding.offset = SIZE + faulty_is("finding behind the source");
    to->sink.finding(to->sink.user, &finding);
    finding.offset = faulty_is("finding before all") ? -2 : FH_UNKNOWN;
    fuzz_fold_finding(&to->sum, &finding);
}

static void put_sector(fuzz_stream *to, const uint8_t *bytes)
{
    enum { FIRST_LBA = -150 };
    fh_cursor cursor = fh_cursor_make(bytes + SIZE - SECTOR, SECTOR, SIZE - SECTOR);
    fh_sector sector = {.data_off = SECTOR - DATA, .data_len = DATA};
    cursor.origin = faulty_is("sector behind the source") ? SIZE + 1 : cursor.origin;
    cursor.origin += faulty_is("sector over the end");
    sector.data_len = faulty_is("user data behind their sector") ? SECTOR + 1 : DATA;
    to->sink.sector(to->sink.user, &sector, &cursor,
                    FIRST_LBA - faulty_is("address before the disc"));
}

static void put_claims(fuzz_stream *to)
{
    const int64_t first = faulty_is("claims fall") ? FIRST : 0;
    const int64_t second = faulty_is("claims fall") ? 0 : FIRST;
    fh_coverage_add(to->sink.coverage, FH_CLAIM_DATA, first,
                    faulty_is("claims fall") ? SECOND : FIRST, FH_UNKNOWN, false);
    fh_coverage_add(to->sink.coverage, FH_CLAIM_EMPTY, second,
                    (faulty_is("claims fall") ? FIRST : SECOND) - faulty_is("byte without a claim"),
                    FH_UNKNOWN, false);
}

static void run(char **files)
{
    static uint8_t bytes[SIZE + 2];
    static fh_source_counts counts;
    fuzz_stream stream;
    (void)files;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)i;
    }
    fuzz_stream_begin(&stream, bytes, faulty_is("input as long as memory") ? SIZE_MAX : SIZE);
    put_pieces(&stream, bytes);
    put_seams(&stream);
    put_finding(&stream);
    put_sector(&stream, bytes);
    put_claims(&stream);
    counts.bytes[FH_STREAM_DATA] = SIZE + faulty_is("bytes that were not counted");
    fuzz_stream_end(&stream, &counts);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
