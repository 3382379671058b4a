/* What the tests of HMD at its edges share: files from the forge's language, also as they are in
 * memory; runs of all there is over them, with so much work and memory; and sound files of which
 * one place is changed.
 */
#ifndef TESTS_FORMATS_HMD_EDGES_H
#define TESTS_FORMATS_HMD_EDGES_H

#include "bench.h"

#include "forge/hmd.h"

enum { BASE = 0x80123450, AS_FILE = FORGE_HMD_PLAYING + 1 };

forge_buf build(const char *text);

/* A description as it is in memory at a stage, or AS_FILE. */
forge_buf build_at(const char *text, unsigned stage);

/* The text of a description in corpus/hmd; in a static buffer. */
char *load(const char *name);

uint32_t get(const forge_buf *file, size_t word);
void put(forge_buf *file, size_t word, uint32_t value);

/* The number of the first word that has this value. */
size_t find_word(const forge_buf *file, uint32_t value);

typedef struct run {
    record told;
    fh_status status;
    fh_asset asset;
    const void *model;
    fh_status replay_status; /* of a replay with what is left */
    fh_replay_result result;
    uint64_t spent, spent_on_replay;
    size_t used;
} run;

/* The memory of runs, BENCH_ARENA bytes; the test allocates and frees it. */
extern void *block;

/* Verifies, and replays what can be replayed, with so much work and memory. */
void do_run(run *out, const forge_buf *file, uint64_t budget, size_t memory);

/* A triangle that dances to a sequence of two keys, a jump, and one to get on. */
extern const char *const dance;

typedef struct edit {
    const char *file; /* NULL: dance */
    const char *from, *to;
    const char *tail; /* NULL: none; behind the last line */
    const char *code; /* told; with a '-' in front: not told */
    const char *said; /* part of what is found or expected */
} edit;

/* The text that an edit makes; in a static buffer. */
char *edited(const edit *what);

/* Holds what is told, and what not, of the file. */
void hold_edit(const edit *what);

/* Whatever the word says: the answer lies inside the bytes, and if more may follow, what is asked
 * for is more than there is. */
void hold_word(const char *name, const forge_buf *file, size_t word);

typedef struct verdict {
    run run;
    forge_buf file;
} verdict;

/* Runs what a description is at a stage, after a change. It has a block of its own. */
verdict judge(const char *text, unsigned stage, void (*change)(forge_buf *file));
void judge_end(verdict *of);

#endif
