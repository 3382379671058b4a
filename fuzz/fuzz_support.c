#include "fuzz_support.h"

#include "core/limits.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

void fuzz_violated(const char *truth)
{
    (void)fprintf(stderr, "fuzz: violated: %s\n", truth);
    abort();
}

/* ---- sums ------------------------------------------------------------------------------------ */

void fuzz_fold(fuzz_sum *sum, const void *bytes, size_t len)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < len; i++) {
        *sum = (*sum ^ at[i]) * UINT64_C(0x100000001b3);
    }
}

void fuzz_fold_text(fuzz_sum *sum, const char *text)
{
    static const uint8_t nothing = 0xff; /* no text of UTF-8 has this byte */
    if (text == NULL) {
        fuzz_fold(sum, &nothing, 1);
    } else {
        fuzz_fold(sum, text, strlen(text) + 1);
    }
}

void fuzz_fold_number(fuzz_sum *sum, int64_t number)
{
    fuzz_fold(sum, &number, sizeof number);
}

void fuzz_demand_line(const char *text, const char *truth)
{
    bool is_line = text != NULL && text[0] != '\0';
    for (const char *at = text; is_line && *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        is_line = byte >= ' ' && byte != 0x7f;
    }
    fuzz_demand(is_line, truth);
}

void fuzz_fold_finding(fuzz_sum *sum, const fh_finding *finding)
{
    char message[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(message, sizeof message);
    fh_finding_message(&text, finding);
    fuzz_demand(message[0] != '\0' && strchr(message, '\n') == NULL, "a message is one line");
    fuzz_demand(finding->offset == FH_UNKNOWN || finding->offset >= 0,
                "an offset is unknown or not negative");
    fuzz_fold_text(sum, finding->rule->code);
    fuzz_fold_text(sum, message);
    fuzz_fold_number(sum, finding->offset);
}

/* ---- input ----------------------------------------------------------------------------------- */

uint8_t fuzz_byte(fuzz_input *input)
{
    if (input->left == 0) {
        return 0;
    }
    input->left--;
    return *input->at++;
}

uint32_t fuzz_word(fuzz_input *input, unsigned num_bytes)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < num_bytes; i++) {
        word |= (uint32_t)fuzz_byte(input) << (8 * i);
    }
    return word;
}

fuzz_input fuzz_cut(fuzz_input *input, const char *mark)
{
    const size_t mark_len = strlen(mark);
    const uint8_t *found = input->left == 0 ? NULL : memmem(input->at, input->left, mark, mark_len);
    const fuzz_input cut = {input->at, found == NULL ? input->left : (size_t)(found - input->at)};
    const size_t taken = cut.left + (found == NULL ? 0 : mark_len);
    *input = (fuzz_input){input->at == NULL ? NULL : input->at + taken, input->left - taken};
    return cut;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Of the sanitizers' runtime, where there is one. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *))
    __attribute__((weak));
size_t __sanitizer_get_allocated_size(const volatile void *block) __attribute__((weak));

static struct {
    bool is_counting;
    bool is_set_up;
    int64_t allocated; /* since the run began */
    int64_t most;
    struct timespec began;
} run;

/* A block is counted as long as it was asked for, not as long as it became. */
static void on_malloc(const volatile void *block, size_t len)
{
    if (run.is_counting && block != NULL) {
        run.allocated += (int64_t)len;
        run.most = run.allocated > run.most ? run.allocated : run.most;
    }
}

static void on_free(const volatile void *block)
{
    if (run.is_counting && block != NULL) {
        run.allocated -= (int64_t)__sanitizer_get_allocated_size(block);
    }
}

void fuzz_begin(void)
{
    if (!run.is_set_up && __sanitizer_install_malloc_and_free_hooks != NULL &&
        __sanitizer_get_allocated_size != NULL) {
        (void)__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    }
    run.is_set_up = true;
    run.allocated = 0;
    run.most = 0;
    run.is_counting = true;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &run.began);
}

void fuzz_end(const fuzz_bounds *bounds, size_t size)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    run.is_counting = false;
    const int64_t took = (int64_t)(now.tv_sec - run.began.tv_sec) * 1000 +
                         (now.tv_nsec - run.began.tv_nsec) / 1000000;
    const int64_t most_memory =
        (int64_t)(bounds->memory_floor + bounds->memory_per_byte * (uint64_t)size);
    const int64_t most_time =
        bounds->milliseconds + bounds->milliseconds_per_kib * (int64_t)(size / 1024);
    if (run.most > most_memory || (took > most_time && getenv("FRAMEHOUND_WRAPPER") == NULL)) {
        (void)fprintf(stderr, "fuzz: %zu bytes of input: %lld bytes of memory, %lld ms\n", size,
                      (long long)run.most, (long long)took);
        fuzz_demand(run.most <= most_memory, "memory stays under its bound");
        fuzz_demand(false, "time stays under its bound");
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

fuzz_file fuzz_file_make(void)
{
    fuzz_file file = {.fd = memfd_create("fuzz", MFD_CLOEXEC)};
    fuzz_demand(file.fd >= 0, "the system has files in memory");
    (void)snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

static void write_all(int fd, const void *bytes, size_t len)
{
    fuzz_demand(ftruncate(fd, 0) == 0 && (len == 0 || pwrite(fd, bytes, len, 0) == (ssize_t)len),
                "the system has memory for a file");
}

void fuzz_file_fill(const fuzz_file *file, const void *bytes, size_t len)
{
    write_all(file->fd, bytes, len);
}

enum { MOST_NAMES = 16 };

static struct {
    char path[64];
    const char *names[MOST_NAMES];
    size_t num_names;
} folder;

static const char *join(char out[FUZZ_PATH_LEN], const char *name)
{
    (void)snprintf(out, FUZZ_PATH_LEN, "%s/%s", folder.path, name);
    return out;
}

static void remove_folder(void)
{
    char path[FUZZ_PATH_LEN];
    for (size_t i = 0; i < folder.num_names; i++) {
        (void)unlink(join(path, folder.names[i]));
    }
    (void)rmdir(folder.path);
}

const char *fuzz_folder(void)
{
    static const char *const roots[] = {"/dev/shm", "/tmp"};
    bool is_made = folder.path[0] != '\0';
    for (size_t i = 0; i < 2 && !is_made; i++) {
        (void)snprintf(folder.path, sizeof folder.path, "%s/fuzz-XXXXXX", roots[i]);
        is_made = mkdtemp(folder.path) != NULL;
        if (is_made) {
            (void)atexit(remove_folder);
        }
    }
    fuzz_demand(is_made, "there is room for a folder");
    return folder.path;
}

const char *fuzz_folder_path(char out[FUZZ_PATH_LEN], const char *name)
{
    (void)fuzz_folder();
    for (size_t i = 0; i < folder.num_names; i++) {
        if (strcmp(folder.names[i], name) == 0) {
            return join(out, name);
        }
    }
    fuzz_demand(folder.num_names < MOST_NAMES, "few files are enough");
    folder.names[folder.num_names++] = name;
    return join(out, name);
}

void fuzz_folder_file(const char *name, const void *bytes, size_t len)
{
    char path[FUZZ_PATH_LEN];
    const int fd = open(fuzz_folder_path(path, name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    fuzz_demand(fd >= 0, "the system has memory for a file");
    write_all(fd, bytes, len);
    (void)close(fd);
}
