/* chd_cat: what the decoder of CHD makes of a file. For tests/e2e/chd.py.
 *
 *     chd_cat [--subcode] [--at OFFSET LENGTH] FILE
 *     chd_cat --spoil NUMBER SEED FILE
 *
 * The bytes go to standard output; tracks, findings and what was lost to standard error, a line
 * each with blanks between the fields: track NUMBER TYPE SECTOR_LEN FRAMES OFF, finding CODE COUNT
 * OFFSET FIELD|FOUND|EXPECTED, lost OFF LEN, end STATUS SIZE LOST. --spoil reads NUMBER copies of
 * the file, each with some bytes changed or cut, and prints a line: how many gave the same bytes,
 * others with a finding, were refused with a finding, and were otherwise (there may be none of
 * these). Exit code 0, also where a file is refused; 3: it cannot be opened at all.
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

static void tell_lost(const fh_chd *chd, fh_chd_status status)
{
    size_t num = 0;
    uint64_t bytes = 0;
    const fh_chd_range *lost = fh_chd_lost(chd, &num, &bytes);
    for (size_t i = 0; i < num; i++) {
        fprintf(stderr, "lost %" PRIu64 " %" PRIu64 "\n", lost[i].off, lost[i].len);
    }
    fprintf(stderr, "end %d %" PRIu64 " %" PRIu64 "\n", (int)status, fh_chd_size(chd), bytes);
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

/* ---- spoilt copies ----------------------------------------------------------------------------
 */

typedef struct memory {
    uint8_t *bytes;
    size_t len;
} memory;

static bool read_memory(void *user, uint64_t off, uint8_t *out, size_t len)
{
    const memory *from = user;
    memcpy(out, from->bytes + off, len);
    return true;
}

typedef struct digest {
    uint64_t hash;
    uint64_t len;
    fh_chd_status status;
    bool has_findings;
    bool is_open;
} digest;

static digest digest_of(memory *file)
{
    static uint8_t out[STEP];
    static fh_tallies tallies;
    memset(&tallies, 0, sizeof tallies);
    fh_chd_input input = {read_memory, file, file->len};
    fh_chd *chd = NULL;
    digest to = {.hash = 0xcbf29ce484222325u};
    to.status = fh_chd_open(&chd, &input, false, &tallies);
    to.is_open = chd != NULL;
    while (to.status == FH_CHD_OK || to.status == FH_CHD_AGAIN) {
        size_t len = 0;
        to.status = fh_chd_read(chd, out, sizeof out, &len);
        for (size_t i = 0; i < len; i++) {
            to.hash = (to.hash ^ out[i]) * 0x100000001b3u;
        }
        to.len += len;
    }
    fh_chd_close(chd);
    for (size_t i = 0; i < FH_IMG_NUM_RULES; i++) {
        to.has_findings = to.has_findings || tallies.rules[i].count > 0;
    }
    return to;
}

static uint32_t random_below(uint64_t *seed, size_t end)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % end);
}

/* The header, the map behind everything else, or anywhere. */
static void spoil(memory *file, const memory *sound, uint64_t *seed)
{
    memcpy(file->bytes, sound->bytes, sound->len);
    file->len = sound->len;
    if (random_below(seed, 6) == 0) {
        file->len = random_below(seed, sound->len);
        return;
    }
    for (uint32_t left = 1 + random_below(seed, 3); left > 0; left--) {
        size_t from[3] = {0, sound->len - (sound->len < 512 ? sound->len : 512), 0};
        size_t len[3] = {124, sound->len - from[1], sound->len};
        uint32_t where = random_below(seed, 3);
        size_t at = from[where] + random_below(seed, len[where]);
        file->bytes[at] = (uint8_t)(file->bytes[at] ^ (1 + random_below(seed, 255)));
    }
}

static int spoil_all(int fd, size_t len, uint32_t num, uint64_t seed)
{
    memory sound = {malloc(len + 1), len};
    memory file = {malloc(len + 1), len};
    uint32_t counts[4] = {0};
    if (sound.bytes == NULL || file.bytes == NULL || !read_at(&fd, 0, sound.bytes, len)) {
        return 3;
    }
    digest want = digest_of(&sound);
    for (uint32_t i = 0; i < num; i++) {
        uint64_t was = seed;
        spoil(&file, &sound, &seed);
        digest got = digest_of(&file);
        bool same = got.is_open && got.hash == want.hash && got.len == want.len;
        int kind = same ? 0 : !got.has_findings ? 3 : got.is_open ? 1 : 2;
        counts[kind]++;
        if (kind == 3 || got.status == FH_CHD_NO_SPACE) {
            fprintf(stderr, "silent: seed %" PRIu64 ", status %d\n", was, (int)got.status);
        }
    }
    printf("%u %u %u %u\n", counts[0], counts[1], counts[2], counts[3]);
    free(sound.bytes);
    free(file.bytes);
    return 0;
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
    if (argc == 5 && strcmp(argv[1], "--spoil") == 0) {
        return spoil_all(fd, (size_t)st.st_size, (uint32_t)strtoul(argv[2], NULL, 10),
                         strtoull(argv[3], NULL, 10));
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
        fprintf(stderr, "end %d 0 0\n", (int)status);
    }
    fh_tallies_tell(&tallies, &tallies, tell_finding);
    fh_chd_close(chd);
    close(fd);
    return 0;
}
