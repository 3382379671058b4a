/* Of fuzz_sheet.c: what the opener hands out of a sheet and its images is changed on its way to the
 * target. The linker puts the functions with __wrap_ before those of source/opener.c and others.
 * There is a sheet with two tracks.
 */
#include "faulty.h"

#include "fuzz_support.h"

#include "source/opener.h"
#include "source/sheet_files.h"
#include "source/stream.h"
#include "source/tracks.h"

#include <stdlib.h>
#include <string.h>

#define TRACK "a track is one"
#define FOLDER "an image lies in the folder"
#define LOOK "who looks sees files of the folder"

static const faulty_case cases[] = {
    {"none", NULL},
    {"track without a type", TRACK},
    {"track behind the last one", TRACK},
    {"track in front of the image", "sectors in front of a track are not negative"},
    {"tracks that fall", "tracks rise"},
    {"image elsewhere", FOLDER},
    {"image in a folder below", FOLDER},
    {"image without a name", FOLDER},
    {"image that is not read", "an image is read to its end"},
    {"sheet that cannot be opened", "a file of the folder can be opened"},
    {"look at the sheet", LOOK},
    {"look at another file", LOOK},
    {"second reading without an image", "reading twice says the same"},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
fh_opener_status __wrap_fh_open_all(fh_opener_result *result, const char *path,
                                    const fh_opener_options *options, const fh_opener_sink *sink);
fh_opener_status __real_fh_open_all(fh_opener_result *result, const char *path,
                                    const fh_opener_options *options, const fh_opener_sink *sink);
fh_source_status __wrap_fh_source_stream(fh_reader *reader, fh_source_counts *counts,
                                         const fh_layout *layout, const fh_stream_sink *sink);
fh_source_status __real_fh_source_stream(fh_reader *reader, fh_source_counts *counts,
                                         const fh_layout *layout, const fh_stream_sink *sink);
void __wrap_fh_sheet_look(const char *path, void *user,
                          void (*image)(void *user, const char *path));
void __real_fh_sheet_look(const char *path, void *user,
                          void (*image)(void *user, const char *path));

static const fh_opener_sink *to;
static unsigned num_opened;

/* The tracks of an image, which are a constant there. */
static void spoil_tracks(fh_tracks *tracks, fh_track_part parts[2])
{
    memcpy(parts, tracks->parts, 2 * sizeof *parts);
    tracks->parts = parts;
    tracks->num_parts = 2;
    parts[0].type = faulty_is("track without a type") ? NULL : parts[0].type;
    parts[0].number = faulty_is("track behind the last one") ? FH_MAX_TRACKS + 1 : parts[0].number;
    parts[0].first = faulty_is("track in front of the image") ? -1
                     : faulty_is("tracks that fall")          ? 1000
                                                              : parts[0].first;
}

static const char *spoil_path(const char *path)
{
    static char other[2 * FUZZ_PATH_LEN];
    (void)snprintf(other, sizeof other, "%s%s", fuzz_folder(),
                   faulty_is("image in a folder below") ? "/below/disc.bin" : "/");
    return faulty_is("image elsewhere") ? "/elsewhere/disc.bin"
           : faulty_is("image in a folder below") || faulty_is("image without a name") ? other
                                                                                       : path;
}

static bool source(void *user, const char *path, fh_reader *reader)
{
    const fh_tracks *tracks = reader->tracks;
    fh_track_part parts[2];
    fh_tracks own;
    (void)user;
    if (faulty_is("second reading without an image") && num_opened == 2) {
        return true;
    }
    if (tracks != NULL && tracks->num_parts >= 2) {
        own = *tracks;
        spoil_tracks(&own, parts);
        reader->tracks = &own;
    }
    const bool goes_on = to->source(to->user, spoil_path(path), reader);
    reader->tracks = tracks;
    return goes_on;
}

static bool container(void *user, const fh_container *container)
{
    (void)user;
    return to->container(to->user, container);
}

fh_opener_status __wrap_fh_open_all(fh_opener_result *result, const char *path,
                                    const fh_opener_options *options, const fh_opener_sink *sink)
{
    const fh_opener_sink own = {NULL, source, container};
    to = sink;
    num_opened++;
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    const fh_opener_status status = __real_fh_open_all(result, path, options, &own);
    return faulty_is("sheet that cannot be opened") ? FH_OPENER_ERROR : status;
}

fh_source_status __wrap_fh_source_stream(fh_reader *reader, fh_source_counts *counts,
                                         const fh_layout *layout, const fh_stream_sink *sink)
{
    const fh_source_status status = __real_fh_source_stream(reader, counts, layout, sink);
    return faulty_is("image that is not read") ? FH_SOURCE_READ_ERROR : status;
}

void __wrap_fh_sheet_look(const char *path, void *user, void (*image)(void *user, const char *path))
{
    char other[FUZZ_PATH_LEN];
    __real_fh_sheet_look(path, user, image);
    if (faulty_is("look at the sheet")) {
        image(user, path);
    }
    if (faulty_is("look at another file")) {
        image(user, fuzz_folder_path(other, "other.bin"));
    }
}

static void run(char **files)
{
    static const uint8_t sheet[] = "\0FILE \"disc.bin\" BINARY\n"
                                   "TRACK 01 MODE2/2352\nINDEX 01 00:00:00\n"
                                   "TRACK 02 MODE2/2352\nINDEX 01 00:00:10\n"
                                   "\x1c\2\x10\x13\2\0\0\x08\0\x41";
    (void)files;
    (void)LLVMFuzzerTestOneInput(sheet, sizeof sheet - 1);
}

int main(int argc, char **argv)
{
    /* The folder is made here, and removed when this process ends: those with faults abort. */
    char path[FUZZ_PATH_LEN];
    (void)fuzz_folder_path(path, "disc.cue");
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
