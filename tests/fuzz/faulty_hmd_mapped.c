/* Of fuzz_hmd_mapped.c: what an examination finds, and whether the forge maps a file, is changed on
 * its way to the target. The linker puts the functions with __wrap_ before those of the program.
 * The file is a sound HMD that moves.
 */
#include "faulty.h"

#include "fuzz_support.h"

#include "forge/hmd.h"
#include "hunt/exam.h"

#include <stdlib.h>
#include <string.h>

#define TWICE "what is in memory gives the same twice"
#define LENGTH "a sound file is as long when it is mapped"
#define PLAYS "and plays as in its file"

static const faulty_case cases[] = {
    {"none", NULL},
    {"finding behind the bytes", "a finding lies in the bytes"},
    {"no memory", "the system has memory"},
    {"no memory for a copy", "the system has memory"},
    {"file that is not mapped", "a sound file can be mapped"},
    {"doubtful file that is not mapped", NULL},
    {"finding that is told once", TWICE},
    {"poses that are played once", TWICE},
    {"another address", "what refers to what it has lies at the address it was mapped to"},
    {"mapped file that is damaged", LENGTH},
    {"mapped file that is longer", LENGTH},
    {"mapped file that is worse", "and as good"},
    {"mapped file of more frames", PLAYS},
    {"mapped file of other poses", PLAYS},
    {"mapped file in another state", PLAYS},
    {"other poses of one that has played", NULL},
    {"mapped file that took too long", NULL},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);
bool __wrap_fh_exam_run(fh_exam *exam, const fh_format *format, fh_cursor bytes,
                        const fh_exam_options *options);
bool __real_fh_exam_run(fh_exam *exam, const fh_format *format, fh_cursor bytes,
                        const fh_exam_options *options);
bool __wrap_forge_hmd_map(uint8_t *bytes, forge_error *err, size_t size,
                          const forge_hmd_memory *memory);
bool __real_forge_hmd_map(uint8_t *bytes, forge_error *err, size_t size,
                          const forge_hmd_memory *memory);

/* The order of examinations; behind the file each stage is examined twice. */
enum { OF_FILE = 1, OF_MAPPED, OF_MAPPED_AGAIN };
static unsigned num_examined;
static bool is_fed;

void *__wrap_malloc(size_t size)
{
    return is_fed && faulty_is("no memory for a copy") ? NULL : __real_malloc(size);
}

bool __wrap_forge_hmd_map(uint8_t *bytes, forge_error *err, size_t size,
                          const forge_hmd_memory *memory)
{
    return __real_forge_hmd_map(bytes, err, size, memory) &&
           !faulty_is("file that is not mapped") && !faulty_is("doubtful file that is not mapped");
}

static void spoil_file(fh_exam *exam)
{
    exam->findings[0].offset =
        faulty_is("finding behind the bytes") ? 1 << 20 : exam->findings[0].offset;
    exam->status = faulty_is("doubtful file that is not mapped") ? FH_CORRUPT : exam->status;
}

static void spoil_mapped(fh_exam *exam)
{
    const bool is_over = faulty_is("mapped file that took too long");
    static const char playing[] = "playing";
    exam->asset.ram_address += faulty_is("another address") ? 4 : 0;
    exam->status = is_over                                    ? FH_LIMIT
                   : faulty_is("mapped file that is damaged") ? FH_CORRUPT
                                                              : exam->status;
    exam->asset.length += is_over || faulty_is("mapped file that is longer") ? 1 : 0;
    exam->asset.grade =
        faulty_is("mapped file that is worse") ? FH_GRADE_STRUCTURE : exam->asset.grade;
    exam->result.frames += faulty_is("mapped file of more frames") ? 1 : 0;
    exam->result.state =
        faulty_is("mapped file in another state") ? FH_REPLAY_ASSUMED : exam->result.state;
    const bool has_played = faulty_is("other poses of one that has played");
    exam->asset.in_memory.stage = has_played ? playing : exam->asset.in_memory.stage;
    exam->pose_sha256[0] ^= has_played || faulty_is("mapped file of other poses") ? 1 : 0;
}

static void spoil_again(fh_exam *exam)
{
    exam->num_findings = faulty_is("finding that is told once") ? 0 : exam->num_findings;
    exam->pose_sha256[0] ^= faulty_is("poses that are played once") ? 1 : 0;
}

bool __wrap_fh_exam_run(fh_exam *exam, const fh_format *format, fh_cursor bytes,
                        const fh_exam_options *options)
{
    const bool is_run = __real_fh_exam_run(exam, format, bytes, options);
    num_examined++;
    if (num_examined == OF_FILE) {
        spoil_file(exam);
        faulty_spend(faulty_is("memory"), faulty_is("time"));
    } else {
        spoil_mapped(exam);
    }
    if (num_examined == OF_MAPPED_AGAIN) {
        spoil_again(exam);
    }
    return is_run && !faulty_is("no memory");
}

static void run(char **files)
{
    size_t len = 0;
    uint8_t *bytes = faulty_read(files[0], &len);
    is_fed = true;
    (void)LLVMFuzzerTestOneInput(bytes, len);
    free(bytes);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
