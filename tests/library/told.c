/* Prints all that the library tells of files, and holds what several threads are told against it.
 *
 *     library_told [-t THREADS] [-f FLAGS] [-c COMPANION]
 * check-file|check-bytes|scan-file|scan-bytes FILE...
 *
 * One line a record; poses are folded into a number. With -t each thread has a context of its own
 * and goes through all files, each from another one on; the exit code is 1 if any was told
 * something else than the first, which had no company. Uses the public header and nothing else of
 * the project, so it can be built against an installed library too.
 */
#include <framehound/framehound.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 16 };

typedef struct file {
    const char *path;
    char *bytes;
    size_t len;
} file;

/* What one call tells, as text. */
typedef struct told {
    FILE *out;
    const file *companion; /* or NULL */
    uint64_t hash;         /* of the poses since the last record */
    uint64_t num_rows;
} told;

typedef struct work {
    const char *how;
    uint32_t flags;
    const file *companion; /* or NULL */
    const file *files;
    size_t num_files;
    size_t first;
    char **texts; /* one a file */
    int failed;
} work;

static void fold(told *to, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++) {
        to->hash = (to->hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
}

static void flush_poses(told *to)
{
    if (to->num_rows > 0) {
        fprintf(to->out, "poses %" PRIu64 " %016" PRIx64 "\n", to->num_rows, to->hash);
    }
    to->num_rows = 0;
    to->hash = UINT64_C(0xcbf29ce484222325);
}

static void print_hash(FILE *out, const uint8_t *hash)
{
    for (int i = 0; i < FRAMEHOUND_SHA256_LEN && hash != NULL; i++) {
        fprintf(out, "%02x", hash[i]);
    }
    fputs(hash == NULL ? "- " : " ", out);
}

static int on_pose(void *user, const framehound_pose *pose)
{
    told *to = user;
    to->num_rows++;
    fold(to, pose->table, strlen(pose->table));
    fold(to, &pose->frame, sizeof pose->frame);
    fold(to, &pose->number, sizeof pose->number);
    for (size_t i = 0; i < pose->num_columns; i++) {
        fold(to, pose->columns[i].name, strlen(pose->columns[i].name));
        fold(to, &pose->values[i], sizeof pose->values[i]);
    }
    return 0;
}

static int on_asset(void *user, const framehound_asset *asset)
{
    told *to = user;
    flush_poses(to);
    fprintf(to->out, "asset %" PRId64 " %s %s %" PRId64 " %" PRId64 " %" PRId64 " ", asset->id,
            asset->format, framehound_grade_name(asset->grade), asset->raw_offset,
            asset->user_offset, asset->length);
    fprintf(to->out, "%" PRId64 " %" PRId64 " %s %zu ", asset->frames, asset->objects,
            framehound_replay_name(asset->replay), asset->num_pieces);
    print_hash(to->out, asset->sha256);
    print_hash(to->out, asset->pose_sha256);
    fold(to, asset->bytes, (size_t)asset->length);
    fprintf(to->out, "%016" PRIx64 "\n", to->hash);
    flush_poses(to);
    return 0;
}

static int on_finding(void *user, const framehound_finding *finding)
{
    told *to = user;
    flush_poses(to);
    fprintf(to->out, "finding %" PRId64 " %s %s %" PRId64 " %" PRId64 " %s\n", finding->asset,
            finding->code, framehound_severity_name(finding->severity), finding->raw_offset,
            finding->asset_offset, finding->message);
    return 0;
}

static int on_source(void *user, const framehound_source *source)
{
    told *to = user;
    flush_poses(to);
    fprintf(to->out, "source %s %s %s %s %" PRId64 " ", source->path, source->kind, source->layout,
            source->status, source->size);
    print_hash(to->out, source->sha256);
    fprintf(to->out, "%s\n", source->why);
    return 0;
}

static int on_companion(void *user, const framehound_format *format, framehound_bytes *companion)
{
    const told *to = user;
    if (to->companion == NULL || strcmp(format->companion, "bac") != 0) {
        return -1;
    }
    *companion = (framehound_bytes){to->companion->bytes, to->companion->len};
    return 0;
}

static framehound_status call(framehound *hound, const char *how, const file *of,
                              const framehound_sink *sink)
{
    if (strcmp(how, "check-file") == 0) {
        return framehound_check_file(hound, of->path, sink);
    }
    if (strcmp(how, "check-bytes") == 0) {
        return framehound_check_bytes(hound, of->path, of->bytes, of->len, sink);
    }
    if (strcmp(how, "scan-file") == 0) {
        return framehound_scan_file(hound, of->path, sink);
    }
    return framehound_scan_bytes(hound, of->path, of->bytes, of->len, sink);
}

static char *tell(framehound *hound, const char *how, const file *of, const file *companion)
{
    char *text = NULL;
    size_t len = 0;
    told to = {.out = open_memstream(&text, &len), .companion = companion};
    if (to.out == NULL) {
        return NULL;
    }
    flush_poses(&to);
    const framehound_sink sink = {.size = sizeof sink,
                                  .user = &to,
                                  .source = on_source,
                                  .asset = on_asset,
                                  .finding = on_finding,
                                  .pose = on_pose,
                                  .companion = on_companion};
    const framehound_status status = call(hound, how, of, &sink);
    fprintf(to.out, "status %s %s\n", framehound_status_name(status), framehound_error(hound));
    fclose(to.out);
    return text;
}

static void *run(void *user)
{
    work *own = user;
    framehound *hound = NULL;
    const framehound_options options = {.size = sizeof options, .flags = own->flags};
    if (own->texts == NULL || framehound_new(&hound, &options) != FRAMEHOUND_OK) {
        own->failed = 1;
        return NULL;
    }
    for (size_t i = 0; i < own->num_files; i++) {
        const size_t at = (own->first + i) % own->num_files;
        own->texts[at] = tell(hound, own->how, &own->files[at], own->companion);
        own->failed |= own->texts[at] == NULL;
    }
    framehound_free(hound);
    return NULL;
}

static int load(file *to, const char *path)
{
    FILE *from = fopen(path, "rb");
    if (from == NULL || fseek(from, 0, SEEK_END) != 0) {
        return -1;
    }
    const long len = ftell(from);
    rewind(from);
    to->path = path;
    to->len = len < 0 ? 0 : (size_t)len;
    to->bytes = malloc(to->len + 1);
    const int is_read = to->bytes != NULL && fread(to->bytes, 1, to->len, from) == to->len;
    fclose(from);
    return is_read ? 0 : -1;
}

/* Returns how many texts of the others are not those of the first. */
static size_t compare(const work *works, int num_threads)
{
    size_t num_other = 0;
    for (int t = 1; t <= num_threads; t++) {
        for (size_t i = 0; i < works->num_files; i++) {
            if (works[t].failed || strcmp(works[t].texts[i], works[0].texts[i]) != 0) {
                fprintf(stderr, "%s: another thread was told something else\n",
                        works->files[i].path);
                num_other++;
            }
        }
    }
    return num_other;
}

static int run_all(work *works, int num_threads)
{
    pthread_t threads[MOST_THREADS + 1];
    (void)run(&works[0]);
    for (int t = 1; t <= num_threads; t++) {
        works[t].first = (size_t)t * works->num_files / (size_t)(num_threads + 1);
        if (pthread_create(&threads[t], NULL, run, &works[t]) != 0) {
            return -1;
        }
    }
    for (int t = 1; t <= num_threads; t++) {
        pthread_join(threads[t], NULL);
    }
    return works[0].failed ? -1 : 0;
}

static int report(const work *works, int num_threads)
{
    if (num_threads > 0) {
        const size_t num_other = compare(works, num_threads);
        printf("%d threads, %zu files, %zu told otherwise\n", num_threads, works->num_files,
               num_other);
        return num_other > 0;
    }
    for (size_t i = 0; i < works->num_files; i++) {
        printf("== %s\n%s", works->files[i].path, works->texts[i]);
    }
    return 0;
}

static void release(work *works, file *files, size_t num_files)
{
    for (int t = 0; t <= MOST_THREADS; t++) {
        for (size_t i = 0; i < num_files && works[t].texts != NULL; i++) {
            free(works[t].texts[i]);
        }
        free(works[t].texts);
    }
    for (size_t i = 0; i < num_files; i++) {
        free(files[i].bytes);
    }
    free(files);
}

/* Takes the options; returns the index of the argument behind them, 0 if there is none. */
static int take_options(work *first, int *num_threads, file *companion, int argc, char **argv)
{
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        const char *value = argv[at + 1];
        if (argv[at][1] == 't') {
            *num_threads = atoi(value) > MOST_THREADS ? MOST_THREADS : atoi(value);
        } else if (argv[at][1] == 'f') {
            first->flags = (uint32_t)atoi(value);
        } else if (argv[at][1] != 'c' || load(companion, value) != 0) {
            return 0;
        } else {
            first->companion = companion;
        }
    }
    return at + 1 < argc ? at : 0;
}

int main(int argc, char **argv)
{
    work works[MOST_THREADS + 1] = {{0}};
    file companion = {0};
    int num_threads = 0;
    const int at = take_options(&works[0], &num_threads, &companion, argc, argv);
    const size_t num_files = at > 0 ? (size_t)(argc - at - 1) : 0;
    file *files = calloc(num_files + 1, sizeof *files);
    if (num_files == 0 || files == NULL) {
        fprintf(stderr, "Usage: %s [-t THREADS] [-f FLAGS] [-c COMPANION] HOW FILE...\n", argv[0]);
        return 2;
    }
    for (size_t i = 0; i < num_files; i++) {
        if (load(&files[i], argv[at + 1 + (int)i]) != 0) {
            perror(argv[at + 1 + (int)i]);
            return 2;
        }
    }
    works[0].how = argv[at];
    works[0].files = files;
    works[0].num_files = num_files;
    for (int t = num_threads; t >= 0; t--) {
        works[t] = works[0];
        works[t].texts = calloc(num_files, sizeof(char *));
    }
    const int exit_code = run_all(works, num_threads) != 0 ? 2 : report(works, num_threads);
    release(works, files, num_files);
    free(companion.bytes);
    return exit_code;
}
