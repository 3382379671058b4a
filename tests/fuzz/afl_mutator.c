/* What AFL++ does with a mutator, without AFL++: loads the library and calls what it calls.
 *
 *     afl_mutator LIBRARY FOLDER
 *
 * Each of some inputs of the folder is changed, alone and with the next one, with room to grow and
 * without any. A change must fit into its room and leave the bytes alone that it was given; the
 * same seed makes the same changes, another one others; and what was taken is given back. Speaks
 * TAP.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 12, MOST_LEN = 2048, ROOM = 64, TURNS = 50, MOST_PATH = 4096, NUM_ROOMS = 3 };

typedef struct mutator {
    void *(*init)(void *afl, unsigned seed);
    size_t (*fuzz)(void *data, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                   size_t other_len, size_t max_size);
    void (*deinit)(void *data);
} mutator;

typedef struct input {
    uint8_t bytes[MOST_LEN];
    size_t len;
} input;

typedef struct outcome {
    uint64_t hash; /* of all that the mutator made */
    unsigned num_changed;
    unsigned num_too_long;
    unsigned num_touched; /* inputs that it wrote to */
} outcome;

static input inputs[MOST_FILES];
static size_t num_inputs;

/* ---- what is taken and given back, by the library as well: this program exports these ---- */

void *__libc_malloc(size_t len);
void *__libc_calloc(size_t num, size_t len);
void __libc_free(void *block);

static long num_taken; /* blocks */

void *malloc(size_t len)
{
    void *block = __libc_malloc(len);
    num_taken += block != NULL;
    return block;
}

void *calloc(size_t num, size_t len)
{
    void *block = __libc_calloc(num, len);
    num_taken += block != NULL;
    return block;
}

void free(void *block)
{
    num_taken -= block != NULL;
    __libc_free(block);
}

/* ---- the library and the inputs ---- */

static void *find(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        (void)fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    return found;
}

static mutator load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    mutator out;
    if (library == NULL) {
        (void)fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    /* A pointer to a function is no pointer to data. */
    *(void **)&out.init = find(library, "afl_custom_init");
    *(void **)&out.fuzz = find(library, "afl_custom_fuzz");
    *(void **)&out.deinit = find(library, "afl_custom_deinit");
    return out;
}

static void read_input(const char *folder, const char *name)
{
    char path[MOST_PATH];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || num_inputs == MOST_FILES) {
        return;
    }
    input *to = &inputs[num_inputs];
    to->len = fread(to->bytes, 1, sizeof to->bytes, file);
    num_inputs += to->len > 0;
    (void)fclose(file);
}

/* In the order of their names, as many as there is room for, from all of the folder. */
static bool read_folder(const char *folder)
{
    struct dirent **names;
    const int num = scandir(folder, &names, NULL, alphasort);
    const int each = num / MOST_FILES + 1;
    for (int i = 0; i < num; i++) {
        if (names[i]->d_name[0] != '.' && i % each == 0) {
            read_input(folder, names[i]->d_name);
        }
        free(names[i]);
    }
    if (num >= 0) {
        free(names);
    }
    return num_inputs > 1;
}

/* ---- calls ---- */

/* One call, with exactly as many bytes as the mutator is told of. */
static void change(const mutator *with, void *data, const input *one, const input *other,
                   size_t room, outcome *out)
{
    uint8_t *bytes = malloc(one->len);
    uint8_t *more = malloc(other->len);
    uint8_t *made = NULL;
    if (bytes == NULL || more == NULL) {
        abort();
    }
    memcpy(bytes, one->bytes, one->len);
    memcpy(more, other->bytes, other->len);
    const size_t max = one->len + room;
    const size_t len = with->fuzz(data, bytes, one->len, &made, more, other->len, max);
    out->num_too_long += len > max;
    out->num_touched += memcmp(bytes, one->bytes, one->len) != 0;
    out->num_changed += len != one->len || memcmp(made, one->bytes, len) != 0;
    for (size_t i = 0; i < len && len <= max; i++) {
        out->hash = (out->hash ^ made[i]) * UINT64_C(0x100000001b3);
    }
    out->hash = (out->hash ^ len) * UINT64_C(0x100000001b3);
    free(more);
    free(bytes);
}

static outcome run(const mutator *with, unsigned seed)
{
    static const size_t rooms[NUM_ROOMS] = {0, ROOM, MOST_LEN};
    static const input none = {.len = 0};
    outcome out = {.hash = UINT64_C(0xcbf29ce484222325)};
    void *data = with->init(NULL, seed);
    if (data == NULL) {
        abort();
    }
    for (unsigned turn = 0; turn < TURNS; turn++) {
        for (size_t i = 0; i < num_inputs; i++) {
            const input *other = turn % 2 == 0 ? &inputs[(i + 1) % num_inputs] : &none;
            change(with, data, &inputs[i], other, rooms[turn % NUM_ROOMS], &out);
        }
    }
    with->deinit(data);
    return out;
}

static unsigned failed;

static void tell(unsigned number, bool holds, const char *what)
{
    failed += !holds;
    (void)printf("%s %u - %s\n", holds ? "ok" : "not ok", number, what);
}

int main(int argc, char **argv)
{
    if (argc != 3 || !read_folder(argv[2])) {
        (void)fprintf(stderr, "usage: afl_mutator LIBRARY FOLDER, with inputs\n");
        return 2;
    }
    const mutator with = load(argv[1]);
    const outcome first = run(&with, 1);
    const long taken = num_taken;
    const outcome again = run(&with, 1);
    const long taken_again = num_taken;
    const outcome another = run(&with, 2);
    const size_t asked = TURNS * num_inputs;
    (void)printf("1..5\n");
    tell(1, 2 * first.num_changed > asked, "more than half of the calls make a change");
    tell(2, first.num_too_long + another.num_too_long == 0, "no change is longer than it may be");
    tell(3, first.num_touched + another.num_touched == 0, "what was given is left alone");
    tell(4, first.hash == again.hash && first.hash != another.hash,
         "the same seed makes the same changes, another one others");
    /* What the library keeps for the next call it has taken in the first run. */
    tell(5, taken == taken_again, "what is taken is given back");
    (void)printf("# %u of %zu calls made a change; %ld blocks in use, then %ld\n",
                 first.num_changed, asked, taken, taken_again);
    return failed == 0 ? 0 : 1;
}
