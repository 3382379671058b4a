/* chd_cat: what the decoder of CHD makes of a file. For tests/e2e/chd.py.
 *
 *     chd_cat [--subcode] [--at OFFSET LENGTH] FILE
 *
 * The bytes go to standard output; tracks, findings and what was lost to standard error, a line
 * each with blanks between the fields: track NUMBER TYPE SECTOR_LEN FRAMES OFF, finding CODE COUNT
 * OFFSET FIELD|FOUND|EXPECTED, lost OFF LEN, end STATUS SIZE LOST. Exit code 0, also where the file
 * is refused; 3: it cannot be opened at all.
 */
#include "source/chd.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_at(void *user, uint64_t off, uint8_t *out, size_t len)
{
    const int *fd = user;
    while (len > 0) {
        ssize_t got = pread(*fd, out, len, (off_t)off);
        if (got <= 0) {
            return false;
        }
        out += got;
        off += (uint64_t)got;
        len -= (size_t)got;
    }
    return true;
}

static void tell_finding(void *user, const fh_finding *finding)
{
    const fh_tallies *tallies = user;
    int64_t count = 0;
    for (size_t i = 0; i < FH_IMG_NUM_RULES; i++) {
        if (finding->rule == &fh_image_rules.rules[i]) {
            count = tallies->rules[i].count;
        }
    }
    fprintf(stderr, "finding %s %" PRId64 " %" PRId64 " %s|%s|%s\n", finding->rule->code, count,
            finding->offset, finding->field, finding->found, finding->expected);
}

static void tell_tracks(const fh_chd *chd)
{
    size_t num = 0;
    const fh_chd_track *tracks = fh_chd_tracks(chd, &num);
    for (size_t i = 0; i < num; i++) {
        fprintf(stderr, "track %u %s %u %u %" PRIu64 "\n", tracks[i].number,
                fh_chd_track_type_name(tracks[i].type), tracks[i].sector_len, tracks[i].frames,
                tracks[i].off);
    }
}

static void tell_lost(const fh_chd *chd, int status)
{
    size_t num = 0;
    uint64_t bytes = 0;
    const fh_chd_range *lost = fh_chd_lost(chd, &num, &bytes);
    for (size_t i = 0; i < num; i++) {
        fprintf(stderr, "lost %" PRIu64 " %" PRIu64 "\n", lost[i].off, lost[i].len);
    }
    fprintf(stderr, "end %d %" PRIu64 " %" PRIu64 "\n", status, fh_chd_size(chd), bytes);
}

enum { STEP = 100003 }; /* no multiple of a sector: runs begin and end anywhere */

static fh_chd_status cat(fh_chd *chd)
{
    static uint8_t out[STEP];
    fh_chd_status status = FH_CHD_OK;
    while (status == FH_CHD_OK || status == FH_CHD_AGAIN) {
        size_t len = 0;
        status = fh_chd_read(chd, out, sizeof out, &len);
        if (status == FH_CHD_OK) {
            fwrite(out, 1, len, stdout);
        }
    }
    return status;
}

static fh_chd_status cat_at(fh_chd *chd, uint64_t off, size_t len)
{
    uint8_t *out = malloc(len + 1);
    size_t got = 0;
    fh_chd_status status = FH_CHD_NO_SPACE;
    if (out != NULL) {
        status = fh_chd_read_at(chd, off, out, len, &got);
        fwrite(out, 1, got, stdout);
    }
    free(out);
    return status;
}

int main(int argc, char **argv)
{
    bool with_subcode = false;
    const char *at[2] = {NULL, NULL};
    int i = 1;
    for (; i < argc - 1; i++) {
        if (strcmp(argv[i], "--subcode") == 0) {
            with_subcode = true;
        } else if (strcmp(argv[i], "--at") == 0 && i + 3 < argc) {
            at[0] = argv[++i];
            at[1] = argv[++i];
        }
    }
    struct stat st;
    int fd = i < argc ? open(argv[i], O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0 || fstat(fd, &st) != 0) {
        fprintf(stderr, "usage: chd_cat [--subcode] [--at OFFSET LENGTH] FILE\n");
        return 3;
    }
    static fh_tallies tallies;
    fh_chd_input input = {read_at, &fd, (uint64_t)st.st_size};
    fh_chd *chd = NULL;
    fh_chd_status status = fh_chd_open(&chd, &input, with_subcode, &tallies);
    if (chd != NULL) {
        tell_tracks(chd);
        status = at[0] != NULL ? cat_at(chd, strtoull(at[0], NULL, 0), strtoul(at[1], NULL, 0))
                               : cat(chd);
        tell_lost(chd, status);
    } else {
        fprintf(stderr, "end %d 0 0\n", status);
    }
    fh_tallies_tell(&tallies, &tallies, tell_finding);
    fh_chd_close(chd);
    close(fd);
    return 0;
}
