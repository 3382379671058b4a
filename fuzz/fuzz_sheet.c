/* A control file and the images that it may name, in a folder in memory. The first byte says what
 * the control file is called (disc.cue, disc.ccd, disc.mds, disc.nrg); then comes the control file,
 * a byte 0x1c, and what the images are made of (fuzz_image.h). They all have the same bytes; those
 * of an NRG lie in front of its control data. What must be true:
 *   - an image that is handed out is a file of the folder, or lies in one that is a container;
 *   - its tracks have a known type and rise, and their places lie in no other's;
 *   - all of fuzz_stream.h, in the layout that the content and the tracks say;
 *   - faults have a message of one line; reading twice says the same;
 *   - who only looks (fh_sheet_look) sees the same images.
 */
#include "fuzz_image.h"
#include "fuzz_stream.h"

#include "source/opener.h"
#include "source/sheet_files.h"

#include <string.h>
#include <unistd.h>

static const fuzz_bounds bounds = {.memory_floor = (size_t)64 << 20,
                                   .memory_per_byte = 256,
                                   .milliseconds = 10000,
                                   .milliseconds_per_kib = 20};

static const char *const names[] = {"disc.cue", "disc.ccd", "disc.mds", "disc.nrg"};
static const char *const images[] = {"disc.bin", "disc.img", "disc.mdf", "A B.BIN", "disc.sub"};
enum { NUM_NAMES = 4, NUM_IMAGES = 5, NRG = 3, MOST_FILE = 1 << 20 };

/* The image alone, or an NRG as a whole. */
static uint8_t file[MOST_FILE];
static size_t file_len;

typedef struct walk {
    fuzz_sum sum;
    const char *sheet;
    size_t num_sources;
} walk;

static void check_tracks(const fh_tracks *tracks)
{
    for (size_t i = 0; i < tracks->num_parts; i++) {
        const fh_track_part *part = &tracks->parts[i];
        fuzz_demand(part->type != NULL && part->number <= FH_MAX_TRACKS, "a track is one");
        fuzz_demand(part->first >= 0, "sectors in front of a track are not negative");
        fuzz_demand(i == 0 || part->first >= part[-1].first, "tracks rise");
    }
}

static fh_layout layout_of(fh_reader *reader)
{
    fh_layout layout;
    const fh_cursor window = fh_reader_peek(reader);
    const int64_t size = fh_reader_size(reader);
    fh_layout_find(&layout, FH_LAYOUT_AUTO, &window, size);
    if (reader->tracks != NULL && reader->tracks->num_parts > 0 &&
        layout.stride == FH_STRIDE_PLAIN) {
        fh_layout_find(&layout, fh_tracks_choice(reader->tracks), &window, size);
    }
    return layout;
}

/* What follows the name of a file in the path of a member: any of these files may be a container.
 */
#define MEMBER "!/"

/* The name of a file of the folder, and of the member of it. */
static const char *name_of(const char *path)
{
    const char *folder = fuzz_folder();
    const size_t len = strlen(folder);
    fuzz_demand(strncmp(path, folder, len) == 0 && path[len] == '/', "an image lies in the folder");
    const char *name = path + len + 1;
    const char *member = strstr(name, MEMBER);
    const size_t end = member != NULL ? (size_t)(member - name) : strlen(name);
    fuzz_demand(end > 0 && memchr(name, '/', end) == NULL, "an image lies in the folder");
    return name;
}

/* Whether a source has the bytes of `file`. The control file lies there as well, and may be as
 * long. */
static bool is_image(const walk *at, const char *name, fh_reader *reader)
{
    const bool is_sheet = strcmp(name, at->sheet) == 0 && strcmp(name, names[NRG]) != 0;
    return !is_sheet && strstr(name, MEMBER) == NULL && fh_reader_size(reader) == (int64_t)file_len;
}

static bool on_source(void *user, const char *path, fh_reader *reader)
{
    walk *at = user;
    fuzz_stream stream;
    fh_source_counts counts = {0};
    const char *name = name_of(path);
    at->num_sources++;
    fuzz_fold_text(&at->sum, name);
    if (reader->tracks != NULL) {
        check_tracks(reader->tracks);
    }
    if (!is_image(at, name, reader)) {
        return true;
    }
    const fh_layout layout = layout_of(reader);
    fuzz_stream_begin(&stream, file, file_len);
    fuzz_demand(fh_source_stream(reader, &counts, &layout, &stream.sink) == FH_SOURCE_OK,
                "an image is read to its end");
    fuzz_stream_end(&stream, &counts);
    fuzz_fold_number(&at->sum, (int64_t)stream.sum);
    return true;
}

static void on_fault(void *user, const fh_finding *finding)
{
    fuzz_fold_finding(user, finding);
}

static bool on_container(void *user, const fh_container *container)
{
    walk *at = user;
    fuzz_fold_number(&at->sum, container->num_lost);
    fh_tallies_tell(container->faults, &at->sum, on_fault);
    return true;
}

static fuzz_sum read_once(const char *sheet)
{
    walk at = {.sum = FUZZ_SUM, .sheet = sheet};
    const fh_opener_options options = {0};
    const fh_opener_sink sink = {&at, on_source, on_container};
    fh_opener_result result;
    char path[FUZZ_PATH_LEN];
    fuzz_demand(fh_open_all(&result, fuzz_folder_path(path, sheet), &options, &sink) ==
                    FH_OPENER_OK,
                "a file of the folder can be opened");
    return at.sum;
}

static void on_look(void *user, const char *path)
{
    const walk *at = user;
    bool is_known = false;
    for (size_t i = 0; i < NUM_IMAGES; i++) {
        is_known = is_known || strcmp(name_of(path), images[i]) == 0;
    }
    fuzz_demand(is_known && strcmp(name_of(path), at->sheet) != 0,
                "who looks sees files of the folder");
}

/* The files of the folder, as the input says; that of the input before may have had another name.
 */
static void lay_out(const char *sheet, const fuzz_input *control, fuzz_input *rest)
{
    for (size_t i = 0; i < NUM_NAMES; i++) {
        char path[FUZZ_PATH_LEN];
        (void)unlink(fuzz_folder_path(path, names[i]));
    }
    uint8_t *bytes = NULL;
    const size_t len = fuzz_image(&bytes, rest);
    memcpy(file, bytes, len);
    file_len = len;
    if (strcmp(sheet, names[NRG]) == 0) {
        const size_t room = sizeof file - len;
        const size_t more = control->left < room ? control->left : room;
        memcpy(file + len, control->at, more);
        file_len += more;
        fuzz_folder_file(sheet, file, file_len);
        return;
    }
    fuzz_folder_file(sheet, control->at, control->left);
    for (size_t i = 0; i < NUM_IMAGES; i++) {
        fuzz_folder_file(images[i], file, file_len);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_LEN];
    fuzz_input rest = {data, size};
    const char *sheet = names[fuzz_byte(&rest) % NUM_NAMES];
    const fuzz_input control = fuzz_cut(&rest, "\x1c");
    if (control.left == 0 || control.left > MOST_FILE / 2) {
        return 0;
    }
    lay_out(sheet, &control, &rest);
    walk looker = {.sheet = sheet};
    fuzz_begin();
    const fuzz_sum first = read_once(sheet);
    fh_sheet_look(fuzz_folder_path(path, sheet), &looker, on_look);
    fuzz_end(&bounds, size + file_len);
    fuzz_demand(read_once(sheet) == first, "reading twice says the same");
    return 0;
}
