/* Repairs in memory, the reduction, and how a file takes the place of another. */
#include "field.h"

#include "../../scanner/folder.h"
#include "hunt/reduce.h"
#include "hunt/repair.h"
#include "registry/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const fh_exam_options options = {.stand_alone = true, .aligned = true, .replay = true};

static const fh_format *format_called(const char *name)
{
    size_t i = 0;
    while (i < fh_num_formats && strcmp(fh_formats[i]->name, name) != 0) {
        i++;
    }
    HOLD(i < fh_num_formats, "no format %s", name);
    return fh_formats[i];
}

static fh_mended *mend_of(const fh_repair *repair, const char *code)
{
    for (size_t i = 0; i < repair->num_mended; i++) {
        if (strcmp(repair->mended[i].rule->code, code) == 0) {
            return &repair->mended[i];
        }
    }
    cr_fatal("%s is not mended", code);
    return NULL;
}

static void run(fh_repair *repair, const char *format, const void *data, size_t len)
{
    const fh_repair_status status =
        fh_repair_run(repair, format_called(format), fh_cursor_make(data, len, 0), &options);
    cr_assert(eq(int, status, FH_REPAIR_OK));
}

#define OBJECT "create 1\ncoord 1 abs r 0 0 0 s 4096 4096 4096 t 0 0 0\n"

Test(repair, two_frames_are_mended_at_once)
{
    bytes file = {0};
    fh_repair repair = {0};
    put_tod(&file, "tod resolution=4\nframe 0\n" OBJECT "frame 1 size=9\nmodel 1 5\n"
                   "frame 2\nmodel 1 6\nframe 3 packets=2\nmodel 1 7\n");
    run(&repair, "tod", file.data, file.len);
    cr_assert(eq(sz, repair.num_changes, 2));
    cr_assert(repair.is_same_len && repair.is_changed && repair.plays_now);
    cr_assert(eq(str, (char *)repair.changes[0].field, "frame size"));
    cr_assert(eq(str, (char *)repair.changes[1].field, "number of packets"));
    fh_repair_free(&repair);
    bytes_free(&file);
}

Test(repair, what_would_show_an_error_is_left)
{
    bytes file = {0};
    fh_repair repair = {0};
    /* Behind the wrong size is a parent that does not exist (TOD0092). */
    put_tod(&file, "tod resolution=4\nframe 0\n" OBJECT "frame 1 size=9\nparent 1 77\n");
    run(&repair, "tod", file.data, file.len);
    cr_assert(not(repair.is_changed));
    cr_assert(eq(int, mend_of(&repair, "TOD0022")->refusal, FH_REFUSED_NEW));
    cr_assert(eq(str, (char *)mend_of(&repair, "TOD0022")->other->code, "TOD0092"));
    cr_assert(eq(sz, repair.len, file.len));
    fh_repair_free(&repair);
    bytes_free(&file);
}

Test(repair, more_findings_than_are_told_are_mended)
{
    bytes file = {0};
    fh_repair repair = {0};
    put_tod(&file, "tod resolution=4\nframe 0\n" OBJECT
                   "repeat 50\nframe +\nmodel 1 5 flag=3\nendrepeat\n");
    run(&repair, "tod", file.data, file.len);
    cr_assert(eq(u32, mend_of(&repair, "TOD0047")->num_edits, 50));
    fh_repair again = {0}; /* the bytes are those of the first one */
    run(&again, "tod", repair.bytes, repair.len);
    cr_assert(not(again.is_changed));
    fh_repair_free(&again);
    fh_repair_free(&repair);
    bytes_free(&file);
}

Test(repair, numbers_keep_their_value)
{
    /* 0.12345678 has eight digits and would lose one; nothing of the rule is then mended. */
    static const char row[] = " 1 0.0 0 0 0 0 1 0 1 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
    char text[512];
    fh_repair repair = {0};
    (void)snprintf(text, sizeof text, "0%s1 1 0.12345678%s", row, row + 6);
    run(&repair, "camerawork", text, strlen(text));
    cr_assert(not(repair.is_changed));
    cr_assert(eq(int, mend_of(&repair, "CAM0012")->refusal, FH_REFUSED_STAYS));
    fh_repair_free(&repair);
}

Test(repair, nothing_and_noise)
{
    static const uint8_t noise[] = {0x50, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0, 2};
    fh_repair repair = {0};
    for (size_t i = 0; i < fh_num_formats; i++) {
        for (size_t len = 0; len <= sizeof noise; len++) {
            run(&repair, fh_formats[i]->name, noise, len);
            cr_assert(not(repair.is_changed));
        }
    }
    fh_repair_free(&repair);
}

/* ---- reduction ---- */

/* Wants an A in front of a B. */
static fh_oracle_answer wants_a_and_b(void *user, fh_cursor bytes)
{
    size_t *num = user;
    const uint8_t *a = memchr(bytes.base, 'A', bytes.size);
    (*num)++;
    return a != NULL && memchr(a, 'B', bytes.size - (size_t)(a - bytes.base)) != NULL
               ? FH_ORACLE_YES
               : FH_ORACLE_NO;
}

static fh_reduce reduce_text(const char *text, uint32_t max_steps, size_t *num)
{
    fh_reduce reduce = {.format = format_called("camerawork"),
                        .max_steps = max_steps,
                        .oracle = wants_a_and_b,
                        .user = num,
                        .bytes = malloc(strlen(text)),
                        .len = strlen(text)};
    memcpy(reduce.bytes, text, reduce.len);
    cr_assert(fh_reduce_run(&reduce));
    return reduce;
}

Test(reduce, what_is_not_needed_goes)
{
    size_t num = 0;
    fh_reduce reduce = reduce_text("one\ntwo A\nthree\nfour B five\nsix", 1000, &num);
    cr_assert(eq(sz, reduce.len, 2));
    cr_assert(reduce.bytes[0] == 'A' && reduce.bytes[1] == 'B');
    cr_assert(eq(sz, num, reduce.steps));
    cr_assert(not(reduce.is_limited));
    cr_assert(not(reduce.is_stopped));
    free(reduce.bytes);
}

Test(reduce, steps_are_bounded)
{
    size_t num = 0;
    fh_reduce reduce = reduce_text("one\ntwo A\nthree\nfour B five\nsix", 3, &num);
    cr_assert(eq(sz, num, 3));
    cr_assert(reduce.is_limited && reduce.len > 2);
    cr_assert(memchr(reduce.bytes, 'A', reduce.len) != NULL);
    free(reduce.bytes);
}

/* ---- files ---- */

static fh_folder folder_with(char path[64], const char *name, const char *text)
{
    fh_folder folder;
    (void)snprintf(path, 64, "/tmp/framehound-repair-XXXXXX");
    cr_assert(mkdtemp(path) != NULL);
    cr_assert(fh_folder_open(&folder, path, false));
    cr_assert(eq(int, fh_folder_put(&folder, name, text, strlen(text)), FH_PUT_OK));
    return folder;
}

static void remove_folder(fh_folder *folder, const char *path, const char *name)
{
    (void)unlinkat(folder->fd, name, 0);
    fh_folder_close(folder);
    cr_assert(eq(int, rmdir(path), 0)); /* nothing else was left in it */
}

Test(folder, a_file_that_changed_is_not_replaced)
{
    char path[64];
    struct stat was;
    fh_folder folder = folder_with(path, "a", "old");
    cr_assert(eq(int, fh_folder_look(&folder, &was, "a", "old", 3), FH_OLD_SAME));
    cr_assert(eq(int, fh_folder_look(&folder, &was, "a", "odd", 3), FH_OLD_DIFFERS));
    cr_assert(eq(int, fh_folder_look(&folder, &was, "a", "old", 3), FH_OLD_SAME));
    const int fd = openat(folder.fd, "a", O_WRONLY | O_APPEND);
    cr_assert(eq(sz, (size_t)write(fd, "er", 2), 2));
    (void)close(fd);
    cr_assert(not(fh_folder_replace(&folder, "a", &was, "new", 3)));
    cr_assert(eq(int, errno, ESTALE));
    cr_assert(eq(int, fh_folder_look(&folder, &was, "a", "older", 5), FH_OLD_SAME));
    cr_assert(fh_folder_replace(&folder, "a", &was, "new", 3));
    cr_assert(eq(int, fh_folder_look(&folder, &was, "a", "new", 3), FH_OLD_SAME));
    remove_folder(&folder, path, "a");
}

Test(folder, links_are_told)
{
    char path[64];
    struct stat was;
    fh_folder folder = folder_with(path, "a", "old");
    cr_assert(eq(int, symlinkat("a", folder.fd, "b"), 0));
    cr_assert(eq(int, fh_folder_look(&folder, &was, "b", "old", 3), FH_OLD_LINK));
    (void)unlinkat(folder.fd, "b", 0);
    cr_assert(eq(int, linkat(folder.fd, "a", folder.fd, "b", 0), 0));
    cr_assert(eq(int, fh_folder_look(&folder, &was, "a", "old", 3), FH_OLD_LINKED));
    (void)unlinkat(folder.fd, "b", 0);
    cr_assert(eq(int, mkdirat(folder.fd, "b", 0777), 0));
    cr_assert(eq(int, fh_folder_look(&folder, &was, "b", "old", 3), FH_OLD_OTHER));
    (void)unlinkat(folder.fd, "b", AT_REMOVEDIR);
    remove_folder(&folder, path, "a");
}
