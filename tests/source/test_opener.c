/* The opener where the user asks for an end: what was not met is not told to be missing. */
#include "source/limits.h"
#include "source/opener.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { LEN = 300000 };

/* Says yes from a question on. */
typedef struct patience {
    int num_asked, most;
} patience;

static bool is_over(void *user)
{
    patience *p = user;
    return p->num_asked++ >= p->most;
}

typedef struct visit {
    int num_met;
    size_t len;
    fh_reader_status ended;
} visit;

static bool read_all(void *user, const char *path, fh_reader *reader)
{
    visit *v = user;
    const uint8_t *bytes;
    size_t len = 0;
    (void)path;
    v->num_met++;
    while ((v->ended = fh_reader_next(reader, &bytes, &len)) == FH_READER_OK) {
        v->len += len;
    }
    return true;
}

static void make_packed(char *path)
{
    const int fd = mkstemps(path, 3);
    const gzFile file = gzdopen(fd, "wb0");
    cr_assert(fd >= 0 && file != NULL);
    for (int i = 0; i < LEN; i++) {
        cr_assert(gzputc(file, i % 251) >= 0);
    }
    cr_assert(gzclose(file) == Z_OK);
}

/* The source in the file is met, or an end was asked for before: at whichever question. */
Test(opener, an_end_is_not_a_source_that_is_gone)
{
    char path[] = "/tmp/fh-opener-XXXXXX.gz";
    char member[2 * sizeof path];
    bool is_whole = false;
    int num_stopped = 0;
    make_packed(path);
    (void)snprintf(member, sizeof member, "%s" FH_MEMBER_MARK "%.*s", path,
                   (int)(sizeof "fh-opener-XXXXXX" - 1), path + sizeof "/tmp/" - 1);
    for (int most = 0; most < 1000 && !is_whole; most++) {
        patience p = {.most = most};
        visit v = {0};
        const fh_stop stop = {is_over, &p};
        const fh_opener_sink sink = {.user = &v, .source = read_all};
        fh_opener_result result;
        const fh_opener_status status = fh_open_one(&result, member, &stop, &sink);
        is_whole = p.num_asked <= most;
        num_stopped += status == FH_OPENER_STOPPED ? 1 : 0;
        cr_expect(v.num_met == 1 ? status == FH_OPENER_OK : status == FH_OPENER_STOPPED,
                  "%d: met %d, status %d", most, v.num_met, (int)status);
        cr_expect(v.num_met == 0 || v.ended == FH_READER_STOPPED || v.len == LEN, "%d: %zu", most,
                  v.len);
    }
    cr_expect(is_whole && num_stopped > 0);
    unlink(path);
}

/* Without such a source, and with nobody who asks, there is none. */
Test(opener, a_source_that_is_gone)
{
    char path[] = "/tmp/fh-opener-XXXXXX.gz";
    char member[2 * sizeof path];
    patience p = {.most = 1000};
    visit v = {0};
    const fh_stop stop = {is_over, &p};
    const fh_opener_sink sink = {.user = &v, .source = read_all};
    fh_opener_result result;
    make_packed(path);
    (void)snprintf(member, sizeof member, "%s" FH_MEMBER_MARK "none", path);
    cr_expect(eq(int, (int)fh_open_one(&result, member, &stop, &sink), FH_OPENER_OK));
    cr_expect(eq(int, v.num_met, 0));
    unlink(path);
}
