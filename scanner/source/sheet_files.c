#include "source/sheet_files.h"

#include "source/container.h"
#include "source/limits.h"
#include "source/raw_file.h"
#include "source/reader.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { SUBCHANNEL_LEN = 96 };

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

static size_t folder_len(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* Names of other systems count as well: C:\games\a.bin. */
static bool leads_out(const char *name)
{
    if (is_separator(name[0]) || (name[0] != '\0' && name[1] == ':')) {
        return true;
    }
    for (const char *at = name; *at != '\0';) {
        size_t len = 0;
        while (at[len] != '\0' && !is_separator(at[len])) {
            len++;
        }
        if (len == 2 && at[0] == '.' && at[1] == '.') {
            return true;
        }
        at += len + (at[len] != '\0' ? 1 : 0);
    }
    return false;
}

/* What errno says of a name that is not there; of anything else it is not known whether it is. */
static bool is_absence(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
}

/* The entry of a folder that is called so in any case; ENOENT if there is none, or why the folder
 * cannot be read. */
static int find_in_any_case(char *name, size_t size, const char *folder)
{
    char best[NAME_MAX + 1] = "";
    int error = 0;
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        return errno;
    }
    for (unsigned i = 0; i < FH_SHEET_MAX_ENTRIES; i++) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (entry == NULL) {
            error = errno;
            break;
        }
        const size_t len = strlen(entry->d_name);
        if (strcasecmp(entry->d_name, name) == 0 && len < size && len < sizeof best &&
            (best[0] == '\0' || strcmp(entry->d_name, best) < 0)) {
            memcpy(best, entry->d_name, len + 1);
        }
    }
    (void)closedir(dir);
    if (best[0] == '\0') {
        return error != 0 ? error : ENOENT;
    }
    memcpy(name, best, strlen(best) + 1);
    return 0;
}

/* Adds one part of a name to a path that ends with its folder; 0, or the error. */
static int add_name(char path[FH_SHEET_MAX_PATH], const char *part, size_t len)
{
    const size_t at = strlen(path);
    char name[NAME_MAX + 1];
    struct stat st;
    if (len > NAME_MAX || at + NAME_MAX + 2 > FH_SHEET_MAX_PATH) {
        return ENAMETOOLONG;
    }
    memcpy(name, part, len);
    name[len] = '\0';
    memcpy(path + at, name, len + 1);
    if (lstat(path, &st) == 0) {
        return 0;
    }
    int error = errno;
    path[at] = '\0';
    if (is_absence(error)) {
        error = find_in_any_case(name, sizeof name, at == 0 ? "." : path);
    }
    if (error == 0) {
        memcpy(path + at, name, strlen(name) + 1);
    }
    return error;
}

/* A name with its folders, from the folder of the sheet on; 0, or the error. */
static int follow_name(char path[FH_SHEET_MAX_PATH], const char *name)
{
    unsigned num = 0;
    int error = 0;
    for (const char *at = name; error == 0 && *at != '\0';) {
        size_t len = 0;
        while (at[len] != '\0' && !is_separator(at[len])) {
            len++;
        }
        const bool is_last = at[len] == '\0';
        const bool is_nothing = len == 0 || (len == 1 && at[0] == '.');
        if (!is_nothing) {
            error = num++ > FH_SHEET_MAX_FOLDERS ? ENAMETOOLONG : add_name(path, at, len);
        }
        if (error == 0 && !is_last && !is_nothing) {
            memcpy(path + strlen(path), "/", 2);
        }
        at += len + (is_last ? 0 : 1);
    }
    return num > 0 ? error : ENOENT;
}

static bool set_folder(char path[FH_SHEET_MAX_PATH], const char *sheet_path)
{
    const size_t len = folder_len(sheet_path);
    if (len + NAME_MAX >= FH_SHEET_MAX_PATH) {
        return false;
    }
    memcpy(path, sheet_path, len);
    path[len] = '\0';
    return true;
}

/* 0, or the error, of which is_absence tells whether the file is not there. */
static int find_beside(char path[FH_SHEET_MAX_PATH], const char *sheet_path, const char *name)
{
    int error = set_folder(path, sheet_path) ? follow_name(path, name) : ENAMETOOLONG;
    if (error == 0 || !is_absence(error)) {
        return error;
    }
    const char *last = name;
    for (const char *at = name; *at != '\0'; at++) {
        last = is_separator(*at) ? at + 1 : last;
    }
    return last != name && set_folder(path, sheet_path) ? follow_name(path, last) : error;
}

/* The sheet's own name with another extension. */
static bool make_name(char name[FH_SHEET_MAX_NAME], const char *sheet_path, const char *extension)
{
    const char *own = sheet_path + folder_len(sheet_path);
    const char *dot = strrchr(own, '.');
    const size_t len = dot == NULL || dot == own ? strlen(own) : (size_t)(dot - own);
    const size_t more = strlen(extension);
    if (len + more >= FH_SHEET_MAX_NAME) {
        return false;
    }
    memcpy(name, own, len);
    memcpy(name + len, extension, more + 1);
    return true;
}

/* ---- what is there --------------------------------------------------------------------------- */

/* Links may lead to other files of the folder. */
static bool is_below(const char *path, const char *sheet_path)
{
    char folder[FH_SHEET_MAX_PATH];
    bool is_so = false;
    if (!set_folder(folder, sheet_path)) {
        return false;
    }
    char *real_folder = realpath(folder[0] == '\0' ? "." : folder, NULL);
    char *real_path = realpath(path, NULL);
    if (real_folder != NULL && real_path != NULL) {
        const size_t len = strlen(real_folder);
        is_so = strncmp(real_path, real_folder, len) == 0 &&
                (real_path[len] == '/' || strcmp(real_folder, "/") == 0);
    }
    free(real_folder);
    free(real_path);
    return is_so;
}

/* Why the content is no image; NULL if it may be one. */
static const char *judge_content(const char *path)
{
    fh_raw_file raw;
    uint8_t bytes[FH_SHEET_LOOK];
    const char *why = NULL;
    if (!fh_raw_file_open(&raw, path, 0)) {
        return strerror(errno);
    }
    const size_t len = raw.size < (int64_t)sizeof bytes ? (size_t)raw.size : sizeof bytes;
    if (len > 0 && !fh_raw_file_read(&raw, 0, bytes, len)) {
        why = "cannot be read";
    } else {
        const fh_cursor first = fh_cursor_make(bytes, len, 0);
        why = fh_sheet_kind_of(&first) != FH_SHEET_NONE ? "is a sheet itself"
              : fh_container_of(&first) != NULL
                  ? "is no image but a container, which is to be scanned by itself"
                  : NULL;
    }
    fh_raw_file_close(&raw);
    return why;
}

/* Looks a name up; the reason why it cannot be used, or NULL. */
static const char *locate(fh_sheet_image *out, const char *sheet_path, const char *name)
{
    struct stat own;
    struct stat st;
    if (leads_out(name)) {
        return "lies outside the folder of the sheet";
    }
    const int error = find_beside(out->path, sheet_path, name);
    if (error != 0) {
        return is_absence(error) ? "is not there" : strerror(error);
    }
    if (stat(out->path, &st) != 0) {
        return strerror(errno);
    }
    if (!is_below(out->path, sheet_path)) {
        return "is a link that leads out of the folder of the sheet";
    }
    if (stat(sheet_path, &own) != 0) {
        return strerror(errno);
    }
    if (own.st_dev == st.st_dev && own.st_ino == st.st_ino) {
        return "is the sheet itself";
    }
    if (!S_ISREG(st.st_mode)) {
        return "is no regular file";
    }
    out->size = (int64_t)st.st_size;
    return judge_content(out->path);
}

static void tell_lost(fh_sheet_walk *walk, const fh_sheet_file *file, const char *name,
                      const char *why)
{
    fh_tally *tally = fh_tally_add(walk->faults, FH_IMG0021, file->at, "name");
    walk->num_lost++;
    if (tally == NULL) {
        return;
    }
    char letters[FH_EVIDENCE_LEN / 2];
    fh_text text = fh_text_make(letters, sizeof letters);
    for (const char *at = name; *at != '\0'; at++) {
        const char c[2] = {*at, '\0'};
        fh_text_str(&text, *at >= ' ' && *at <= '~' ? c : "?");
    }
    tally->unit = "files";
    text = fh_text_make(tally->found, sizeof tally->found);
    fh_text_str(fh_text_str(fh_text_str(&text, "'"), letters), "' ");
    fh_text_str(&text, why);
    text = fh_text_make(tally->expected, sizeof tally->expected);
    fh_text_str(&text, "an image file beside the sheet");
}

/* ---- tracks on the disc ---------------------------------------------------------------------- */

/* Sectors of a file, as its tracks say; FH_UNKNOWN if they do not. */
static int64_t count_sectors(const fh_sheet *sheet, const fh_sheet_file *file, int64_t size)
{
    const fh_track_part *parts = sheet->parts + file->first_part;
    int64_t off = 0;
    if (file->num_parts == 0 || file->is_doubtful) {
        return FH_UNKNOWN;
    }
    for (size_t i = 1; i < file->num_parts; i++) {
        off += (parts[i].first - parts[i - 1].first) * (int64_t)parts[i - 1].type->stride;
    }
    const fh_track_part *last = &parts[file->num_parts - 1];
    return size < off ? FH_UNKNOWN : last->first + (size - off) / (int64_t)last->type->stride;
}

static void place_on_disc(fh_sheet_walk *walk, const fh_sheet_file *file, int64_t size)
{
    const int64_t sectors = count_sectors(walk->sheet, file, size);
    if (walk->sheet->lba_is_whole) {
        return;
    }
    for (size_t i = 0; i < file->num_parts; i++) {
        fh_track_part *part = &walk->sheet->parts[file->first_part + i];
        part->lba = walk->sectors == FH_UNKNOWN ? FH_UNKNOWN : part->lba + walk->sectors;
    }
    const bool is_known = walk->sectors != FH_UNKNOWN && sectors != FH_UNKNOWN;
    walk->sectors = is_known ? walk->sectors + sectors : FH_UNKNOWN;
}

fh_sheet_walk fh_sheet_walk_make(const char *path, fh_sheet *sheet, fh_tallies *faults)
{
    return (fh_sheet_walk){.path = path, .sheet = sheet, .faults = faults};
}

bool fh_sheet_next(fh_sheet_walk *walk, fh_sheet_image *out)
{
    while (walk->next < walk->sheet->num_files) {
        const size_t at = walk->next++;
        const fh_sheet_file *file = &walk->sheet->files[at];
        char made[FH_SHEET_MAX_NAME] = "";
        const char *name = file->name;
        if (file->is_extension) {
            name = make_name(made, walk->path, file->name) ? made : file->name;
        }
        if (!file->is_image) {
            walk->sectors = FH_UNKNOWN;
            continue;
        }
        const char *why = locate(out, walk->path, name);
        if (why == NULL) {
            place_on_disc(walk, file, out->size);
            out->tracks = fh_sheet_tracks(walk->sheet, at);
            return true;
        }
        walk->sectors = FH_UNKNOWN;
        tell_lost(walk, file, name, why);
    }
    return false;
}

/* ---- subchannels ----------------------------------------------------------------------------- */

/* The size of a file beside; 0, or the error. */
static int find_size(int64_t *size, const char *sheet_path, const char *name)
{
    char path[FH_SHEET_MAX_PATH];
    struct stat st;
    int error = find_beside(path, sheet_path, name);
    if (error == 0 && stat(path, &st) != 0) {
        error = errno;
    }
    if (error == 0) {
        *size = (int64_t)st.st_size;
    }
    return error;
}

void fh_sheet_audit(fh_sheet_walk *walk, const fh_sheet_image *image)
{
    char name[FH_SHEET_MAX_NAME];
    int64_t size = FH_UNKNOWN;
    if (!walk->sheet->has_subchannel || !make_name(name, walk->path, ".sub")) {
        return;
    }
    const int64_t expected = image->size / (int64_t)FH_STRIDE_2352 * SUBCHANNEL_LEN;
    const int error = find_size(&size, walk->path, name);
    if (error == 0 && size == expected) {
        return;
    }
    walk->num_lost += error != 0 && !is_absence(error);
    fh_tally *tally = fh_tally_add(walk->faults, FH_IMG0029, FH_UNKNOWN, "subchannel file");
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        if (error == 0) {
            fh_text_str(fh_text_s64(&text, size), " bytes");
        } else {
            fh_text_str(&text, is_absence(error) ? "not there" : strerror(error));
        }
        text = fh_text_make(tally->expected, sizeof tally->expected);
        fh_text_str(fh_text_s64(&text, expected), " bytes");
    }
}

/* ---- looking only ---------------------------------------------------------------------------- */

static void look_at(const char *path, const fh_cursor *bytes, bool is_cut, void *user,
                    void (*image)(void *user, const char *path))
{
    fh_tallies *faults = calloc(1, sizeof *faults);
    fh_sheet_image *found = calloc(1, sizeof *found);
    fh_sheet *sheet = NULL;
    if (faults != NULL && found != NULL &&
        fh_sheet_read(&sheet, fh_sheet_kind_of(bytes), bytes, is_cut, faults)) {
        fh_sheet_walk walk = fh_sheet_walk_make(path, sheet, faults);
        while (fh_sheet_next(&walk, found)) {
            image(user, found->path);
        }
    }
    fh_sheet_close(sheet);
    free(found);
    free(faults);
}

static void look_further(fh_raw_file *raw, const char *path, void *user,
                         void (*image)(void *user, const char *path))
{
    const size_t len = raw->size < (int64_t)FH_READER_WINDOW ? (size_t)raw->size : FH_READER_WINDOW;
    uint8_t *bytes = malloc(len);
    if (bytes != NULL && fh_raw_file_read(raw, 0, bytes, len)) {
        const fh_cursor all = fh_cursor_make(bytes, len, 0);
        look_at(path, &all, (int64_t)len < raw->size, user, image);
    }
    free(bytes);
}

void fh_sheet_look(const char *path, void *user, void (*image)(void *user, const char *path))
{
    fh_raw_file raw;
    uint8_t bytes[FH_SHEET_LOOK];
    if (!fh_raw_file_open(&raw, path, 0)) {
        return;
    }
    const size_t len = raw.size < (int64_t)sizeof bytes ? (size_t)raw.size : sizeof bytes;
    if (len > 0 && fh_raw_file_read(&raw, 0, bytes, len)) {
        const fh_cursor first = fh_cursor_make(bytes, len, 0);
        if (fh_sheet_kind_of(&first) != FH_SHEET_NONE) {
            look_further(&raw, path, user, image);
        }
    }
    fh_raw_file_close(&raw);
}
