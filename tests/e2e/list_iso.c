/* Lists the tree of an image as the program reads it, for scripts that hold it against other tools.
 *
 * A line an entry: d or f, size, the extents as FIRST:SIZE joined by commas, path, second name.
 * Findings follow as lines that begin with their code. Usage: list_iso IMAGE.
 */
#include "source/files.h"
#include "source/raw_file.h"
#include "source/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void put_entry(const fh_iso *iso, size_t i)
{
    static char path[FH_ISO_MAX_PATH];
    const fh_iso_file *file = &iso->primary.files[i];
    printf("%c %" PRIu64 " ", fh_iso_is_directory(file) ? 'd' : 'f', file->size);
    for (uint32_t k = 0; k < file->num_extents; k++) {
        const fh_iso_extent *extent = &iso->primary.extents[file->first_extent + k];
        printf("%s%" PRId64 ":%" PRIu32, k > 0 ? "," : "", extent->first, extent->size);
    }
    fh_iso_path(path, &iso->primary, i);
    printf("\t%s\t", path);
    if (file->second != FH_ISO_NO_FILE) {
        fh_iso_path(path, &iso->joliet, file->second);
        printf("%s", path);
    }
    printf("\n");
}

static void put_finding(void *user, const fh_finding *finding)
{
    (void)user;
    printf("%s %s: %s\n", finding->rule->code, finding->field, finding->found);
}

static int list(fh_raw_file *raw)
{
    const size_t len = raw->size < (int64_t)FH_READER_WINDOW ? (size_t)raw->size : FH_READER_WINDOW;
    uint8_t *bytes = malloc(len + 1);
    if (bytes == NULL || !fh_raw_file_read(raw, 0, bytes, len)) {
        free(bytes);
        return 3;
    }
    const fh_cursor window = fh_cursor_make(bytes, len, 0);
    fh_layout layout;
    fh_layout_find(&layout, FH_LAYOUT_AUTO, &window, raw->size);
    free(bytes);
    if (layout.stride == FH_STRIDE_PLAIN) {
        puts("plain");
        return 0;
    }
    fh_files files;
    const bool is_open = fh_files_open(&files, &layout, raw->size, fh_raw_file_read, raw);
    for (size_t i = 0; is_open && i < files.iso.primary.num_files; i++) {
        put_entry(&files.iso, i);
    }
    fh_tallies_tell(&files.tallies, NULL, put_finding);
    fh_files_close(&files);
    return is_open ? 0 : 4;
}

int main(int argc, char **argv)
{
    fh_raw_file raw;
    if (argc != 2 || !fh_raw_file_open(&raw, argv[1], 0)) {
        return 2;
    }
    const int code = list(&raw);
    fh_raw_file_close(&raw);
    return code;
}
