/* What a worker found is told whole, or it is said that it could not be. */
#include "haul.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);

static int strdups_left = -1; /* before there is no memory for one; -1: there always is */

char *__wrap_strdup(const char *text)
{
    strdups_left -= strdups_left > 0 ? 1 : 0;
    return strdups_left == 0 ? NULL : __real_strdup(text);
}

typedef struct heard {
    int begun;
    int ended;
    int refuses; /* the source that the visitor does not want */
} heard;

static bool on_begin(void *user, const char *path)
{
    heard *to = user;
    to->begun++;
    return path[0] != '\0' && to->begun != to->refuses;
}

static bool on_end(void *user, const fh_hunt_source *source, fh_hunt_status status)
{
    heard *to = user;
    to->ended++;
    return strcmp(source->record.status, "complete") == 0 && status == FH_HUNT_OK;
}

static void put_source(fh_parcel *parcel, const char *path)
{
    const fh_parcel_end end = {.source = {.path = path,
                                          .kind = "file",
                                          .layout = "plain",
                                          .status = "complete",
                                          .size = 4},
                               .error = "",
                               .outcome = FH_HUNT_OK};
    cr_assert(fh_parcel_begin(parcel, path) && fh_parcel_end_source(parcel, &end));
}

/* errno of telling two sources. */
static int tell(heard *to, int strdups)
{
    fh_haul haul;
    cr_assert(fh_haul_make(&haul, "box.zip"));
    put_source(&haul.parcel, "box.zip");
    put_source(&haul.parcel, "box.zip!/walk.tod");
    const fh_hunt_sink sink = {.user = NULL};
    const fh_hunt_visitor visitor = {.user = to, .begin = on_begin, .end = on_end};
    strdups_left = strdups;
    const int error = fh_haul_play(&haul, &sink, &visitor);
    strdups_left = -1;
    fh_haul_free(&haul);
    return error;
}

Test(haul, is_told_whole)
{
    heard to = {0};
    cr_assert(eq(int, tell(&to, -1), 0));
    cr_assert(eq(int, to.begun, 2));
    cr_assert(eq(int, to.ended, 2));
}

Test(haul, without_memory_says_so)
{
    heard to = {0};
    cr_assert(eq(int, tell(&to, 1), ENOMEM));
    cr_assert(eq(int, to.begun, 0));
    to = (heard){0};
    cr_assert(eq(int, tell(&to, 2), ENOMEM));
    cr_assert(eq(int, to.begun, 1));
    cr_assert(eq(int, to.ended, 1));
}

Test(haul, ends_where_the_visitor_wants_no_more)
{
    heard to = {.refuses = 2};
    cr_assert(eq(int, tell(&to, -1), 0));
    cr_assert(eq(int, to.begun, 2));
    cr_assert(eq(int, to.ended, 1));
}
