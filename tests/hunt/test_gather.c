/* Gathering where the user asks for an end, or the source changes: no place that was not seen, and
 * no end that is none. */
#include "field.h"
#include "hunt/gather.h"
#include "source/reader.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JUNK = 0x77, AT = 5 * (int)FH_READER_CHUNK + 100, LEN = 7 * (int)FH_READER_CHUNK + 3 };

/* Says yes from a question on. */
typedef struct patience {
    int num_asked, most;
} patience;

static bool is_over(void *user)
{
    patience *p = user;
    return p->num_asked++ >= p->most;
}

static void make_file(char *path)
{
    bytes source = {0};
    put_fill(&source, JUNK, LEN);
    const int fd = mkstemp(path);
    HOLD(fd >= 0 && write(fd, source.data, source.len) == LEN && close(fd) == 0, "file");
    bytes_free(&source);
}

/* Gathers with each patience up to the one that is enough: stopped, or all of it. */
static void gather_with_each_patience(bool as_it_lies)
{
    char path[] = P_tmpdir "/framehound-gather-XXXXXX";
    bool is_whole = false;
    make_file(path);
    for (int most = 0; most < 1000 && !is_whole; most++) {
        patience p = {.most = most};
        const fh_gather_wish wish = {
            .path = path, .as_it_lies = as_it_lies, .number = AT, .stop = {is_over, &p}};
        fh_gather seen;
        const fh_gather_status status = fh_gather_at(&seen, &wish);
        is_whole = p.num_asked <= most;
        HOLD(status == FH_GATHER_STOPPED || status == FH_GATHER_OK, "%d: status %d", most,
             (int)status);
        HOLD(status == FH_GATHER_STOPPED ||
                 (seen.has_end && seen.window.len - seen.pos == (size_t)(LEN - AT)),
             "%d: %zu bytes", most, seen.window.len - seen.pos);
        HOLD(!is_whole || status == FH_GATHER_OK, "%d: nobody asked for an end", most);
        fh_gather_free(&seen);
    }
    HOLD(is_whole, "it comes to an end");
    HOLD(unlink(path) == 0, "unlink");
}

Test(gather, an_end_of_a_file_as_it_lies)
{
    gather_with_each_patience(true);
}

Test(gather, an_end_of_what_is_opened)
{
    gather_with_each_patience(false);
}

/* ---- a source that changes ---- */

typedef struct meddler {
    const char *path;
    int64_t length; /* that it gets; negative: another time */
    int num_asked;
} meddler;

/* Never says yes, but acts when some of the file has been read. */
static bool meddle(void *user)
{
    static const struct timespec times[] = {{1000, 0}, {1000, 0}};
    meddler *m = user;
    if (m->num_asked++ == 5) {
        HOLD((m->length < 0 ? utimensat(AT_FDCWD, m->path, times, 0)
                            : truncate(m->path, (off_t)m->length)) == 0,
             "it is changed");
    }
    return false;
}

static void gather_while(int64_t length, fh_gather_status expected, const char *error)
{
    for (int as_it_lies = 0; as_it_lies < 2; as_it_lies++) {
        char path[] = P_tmpdir "/framehound-gather-XXXXXX";
        make_file(path);
        meddler m = {path, length, 0};
        const fh_gather_wish wish = {
            .path = path, .as_it_lies = as_it_lies != 0, .number = AT, .stop = {meddle, &m}};
        fh_gather seen;
        const fh_gather_status status = fh_gather_at(&seen, &wish);
        HOLD(m.num_asked > 5, "it was changed meanwhile");
        HOLD(status == expected, "status %d", (int)status);
        HOLD(strcmp(seen.error, error) == 0 || status == FH_GATHER_OK, "%s", seen.error);
        fh_gather_free(&seen);
        HOLD(unlink(path) == 0, "unlink");
    }
}

Test(gather, a_source_that_becomes_shorter)
{
    gather_while(AT - 1, FH_GATHER_CHANGED, "it became shorter while it was read");
    gather_while(AT + 1, FH_GATHER_CHANGED, "it became shorter while it was read");
}

Test(gather, a_source_that_is_written_to)
{
    gather_while(-1, FH_GATHER_CHANGED, "somebody wrote to it while it was read");
}

Test(gather, a_source_that_grows)
{
    gather_while(LEN + 100, FH_GATHER_OK, "");
}
