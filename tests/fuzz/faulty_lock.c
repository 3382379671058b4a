/* Of fuzz_lock.c: what is read of a lock, and what is written of it, is changed on its way to the
 * target. The linker puts the functions with __wrap_ before those of gate/lock_read.c and others.
 * There is a lock of two assets that move, and one that is refused.
 */
#include "faulty.h"

#include "fuzz_support.h"
#include "gate/lock_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH "a motion that is read back is as long"
#define BACK "an asset that is written is read back"
#define ORDER "assets are sorted by paths that differ"
#define WHY "what is refused says why"

static const faulty_case cases[] = {
    {"none", NULL},
    {"tables over the limit", "tables stay under their limit"},
    {"row of no frame", "a row is of a frame and a table"},
    {"row of no table", "a row is of a frame and a table"},
    {"row without values", "a row has its values"},
    {"rows in another order", "rows are in the order of frames"},
    {"assets in another order", ORDER},
    {"asset twice", ORDER},
    {"no memory for a text", "the system has memory"},
    {"text that is not whole", "the system has memory"},
    {"no motion, and no word", "a fault has words and a line"},
    {"no motion, and that is told", NULL},
    {"written lock that is refused", "a lock that is written can be read"},
    {"asset that is lost", BACK},
    {"asset of another hash", BACK},
    {"asset of another format", BACK},
    {"asset of another evaluator", BACK},
    {"motion that is lost", "a motion that is written is read back"},
    {"motion that differs", "a motion that is read back does not differ"},
    {"motion without memory", "a motion that is read back does not differ"},
    {"motion that is shorter", LENGTH},
    {"motion that is too long", LENGTH},
    {"another text", "what is read back is written the same"},
    {"longer text", "what is read back is written the same"},
    {"refusal without a word", WHY},
    {"refusal in a line of its own", WHY},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"memory of a refusal", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
    {"time of a refusal", "time stays under its bound"},
};

/* Names that the linker gives. */
bool __wrap_fh_lock_file_open(fh_lock_file *lock, const char *path);
bool __real_fh_lock_file_open(fh_lock_file *lock, const char *path);
fh_locked *__wrap_fh_lock_file_find(fh_lock_file *lock, const char *path);
fh_locked *__real_fh_lock_file_find(fh_lock_file *lock, const char *path);
bool __wrap_fh_lock_file_motion(fh_motion *motion, fh_lock_file *lock, const fh_locked *asset);
bool __real_fh_lock_file_motion(fh_motion *motion, fh_lock_file *lock, const fh_locked *asset);
void __wrap_fh_lock_file_put(FILE *file, const fh_locked *asset, const fh_motion *motion);
void __real_fh_lock_file_put(FILE *file, const fh_locked *asset, const fh_motion *motion);
void __wrap_fh_motion_compare(fh_motion_diff *diff, const fh_motion *was, const fh_motion *is,
                              double tolerance);
void __real_fh_motion_compare(fh_motion_diff *diff, const fh_motion *was, const fh_motion *is,
                              double tolerance);
FILE *__wrap_open_memstream(char **text, size_t *len);
FILE *__real_open_memstream(char **text, size_t *len);
int __wrap_fclose(FILE *file);
int __real_fclose(FILE *file);

/* The order in which the target does it with the two assets of an input. */
enum { READ = 1, READ_BACK = 4 };
static struct {
    unsigned num_opened;
    unsigned num_moved;
    unsigned num_texts;
    bool is_written; /* a text is being written */
} now;

/* ---- what is read ---- */

static void spoil_order(fh_lock_file *lock)
{
    const fh_locked first = lock->assets[0];
    if (faulty_is("assets in another order")) {
        lock->assets[0] = lock->assets[1];
        lock->assets[1] = first;
    }
    if (faulty_is("asset twice")) {
        lock->assets[1].path[0] = first.path[0];
    }
}

bool __wrap_fh_lock_file_open(fh_lock_file *lock, const char *path)
{
    const bool is_open = __real_fh_lock_file_open(lock, path);
    now.num_opened++;
    const bool is_first = now.num_opened == 1;
    faulty_spend(is_first && (is_open ? faulty_is("memory") : faulty_is("memory of a refusal")),
                 is_first && (is_open ? faulty_is("time") : faulty_is("time of a refusal")));
    if (!is_open) {
        lock->fault = faulty_is("refusal without a word") ? NULL : lock->fault;
        lock->line = faulty_is("refusal in a line of its own") ? UINT32_MAX : lock->line;
        return false;
    }
    spoil_order(lock);
    return !(faulty_is("written lock that is refused") && !is_first);
}

fh_locked *__wrap_fh_lock_file_find(fh_lock_file *lock, const char *path)
{
    fh_locked *found = __real_fh_lock_file_find(lock, path);
    if (faulty_is("asset that is lost")) {
        return NULL;
    }
    found->hash[0] ^= faulty_is("asset of another hash") ? 1 : 0;
    found->format[0] = faulty_is("asset of another format") ? 'x' : found->format[0];
    found->evaluator[0] = faulty_is("asset of another evaluator") ? 'x' : found->evaluator[0];
    return found;
}

static void spoil_rows(fh_motion *motion)
{
    motion->num_tables =
        faulty_is("tables over the limit") ? FH_MAX_MOTION_TABLES + 1 : motion->num_tables;
    motion->rows[0].frame = faulty_is("row of no frame")         ? 9999
                            : faulty_is("rows in another order") ? 1
                                                                 : motion->rows[0].frame;
    motion->rows[1].frame = faulty_is("rows in another order") ? 0 : motion->rows[1].frame;
    motion->rows[0].table = faulty_is("row of no table") ? 9 : motion->rows[0].table;
    motion->rows[0].values =
        faulty_is("row without values") ? motion->num_values : motion->rows[0].values;
}

bool __wrap_fh_lock_file_motion(fh_motion *motion, fh_lock_file *lock, const fh_locked *asset)
{
    const bool is_read = __real_fh_lock_file_motion(motion, lock, asset);
    now.num_moved++;
    if (now.num_moved == READ && is_read) {
        spoil_rows(motion);
        if (faulty_is("no motion, and that is told")) {
            lock->fault = "it is planted";
            return false;
        }
        return !faulty_is("no motion, and no word");
    }
    if (now.num_moved == READ_BACK) {
        motion->num_frames -= faulty_is("motion that is shorter") ? 1 : 0;
        motion->is_too_long = motion->is_too_long || faulty_is("motion that is too long");
        return is_read && !faulty_is("motion that is lost");
    }
    return is_read;
}

void __wrap_fh_motion_compare(fh_motion_diff *diff, const fh_motion *was, const fh_motion *is,
                              double tolerance)
{
    if (faulty_is("motion that is shorter") || faulty_is("motion that is too long")) {
        return; /* nothing is said to differ */
    }
    __real_fh_motion_compare(diff, was, is, tolerance);
    diff->num += faulty_is("motion that differs") ? 1 : 0;
    diff->no_memory = diff->no_memory || faulty_is("motion without memory");
}

/* ---- what is written ---- */

FILE *__wrap_open_memstream(char **text, size_t *len)
{
    now.num_texts++;
    now.is_written = true;
    return faulty_is("no memory for a text") ? NULL : __real_open_memstream(text, len);
}

int __wrap_fclose(FILE *file)
{
    const int result = __real_fclose(file);
    const bool is_text = now.is_written;
    now.is_written = false;
    return is_text && faulty_is("text that is not whole") ? EOF : result;
}

void __wrap_fh_lock_file_put(FILE *file, const fh_locked *asset, const fh_motion *motion)
{
    fh_locked other = *asset;
    const bool is_again = now.num_texts == 2;
    other.hash[0] ^= is_again && faulty_is("another text") ? 1 : 0;
    __real_fh_lock_file_put(file, &other, motion);
    if (is_again && faulty_is("longer text")) {
        (void)fputc('\n', file);
    }
}

/* ---- both inputs ---- */

static void feed(const char *text)
{
    memset(&now, 0, sizeof now);
    (void)LLVMFuzzerTestOneInput((const uint8_t *)text, strlen(text));
}

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ASSET(path)                                                                                \
    "asset " path "\nformat tod\nevaluator tod-player 1.31\nhash " HASH                            \
    "\ntable object slot:name t0:int\nframe 0\nobject 1 3\nframe 1\nobject 1 4\nend 2\n"

static void run(char **files)
{
    (void)files;
    feed("framehound poses 1\n" ASSET("a.tod") ASSET("b.tod"));
    feed("framehound poses 1\n" ASSET("a.tod") "asset b.tod\n");
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
