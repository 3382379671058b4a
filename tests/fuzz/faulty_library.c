/* Of fuzz_library.c: what the library tells is changed on its way to the target. The linker puts
 * the functions with __wrap_ before those of the library.
 */
#include "faulty.h"

#include "fuzz_support.h"

#include <framehound/framehound.h>

#include <stdlib.h>

static const faulty_case cases[] = {
    {"none", NULL},
    {"no context", "the system has memory"},
    {"assets from 1 on", "assets are counted"},
    {"no such grade", "the grade is known"},
    {"no such replay", "and the replay"},
    {"finding of another asset", "a finding belongs to an asset that was told"},
    {"pose of another asset", "poses belong to the asset that was told last"},
    {"pose without columns", "a row has columns"},
    {"check not done", "a check is done"},
    {"check of two sources", "of one source"},
    {"check without its asset", "without an asset there is none"},
    {"scan not done", "a scan is done"},
    {"scan of no source", "of a source"},
    {"checks differ", "a check says the same twice"},
    {"scans differ", "a scan says the same twice"},
    {"memory of a check", "memory stays under its bound", NULL, faulty_counts_memory},
    {"memory of a scan", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time of a check", "time stays under its bound"},
    {"time of a scan", "time stays under its bound"},
};

/* Names that the linker gives. */
framehound_status __real_framehound_new(framehound **out, const framehound_options *options);
framehound_status __wrap_framehound_new(framehound **out, const framehound_options *options);
framehound_status __real_framehound_check_bytes(framehound *hound, const char *path,
                                                const void *bytes, size_t len,
                                                const framehound_sink *sink);
framehound_status __wrap_framehound_check_bytes(framehound *hound, const char *path,
                                                const void *bytes, size_t len,
                                                const framehound_sink *sink);
framehound_status __real_framehound_scan_bytes(framehound *hound, const char *path,
                                               const void *bytes, size_t len,
                                               const framehound_sink *sink);
framehound_status __wrap_framehound_scan_bytes(framehound *hound, const char *path,
                                               const void *bytes, size_t len,
                                               const framehound_sink *sink);

static const framehound_sink *to;
static unsigned num_calls;

static int on_source(void *user, const framehound_source *source)
{
    if (faulty_is("scan of no source") && num_calls == 2) {
        return 0;
    }
    if (faulty_is("check of two sources")) {
        (void)to->source(user, source);
    }
    return to->source(user, source);
}

static int on_asset(void *user, const framehound_asset *told)
{
    framehound_asset asset = *told;
    asset.id += faulty_is("assets from 1 on");
    asset.grade = faulty_is("no such grade") ? (framehound_grade)4 : asset.grade;
    asset.replay = faulty_is("no such replay") ? (framehound_replay)99 : asset.replay;
    asset.raw_offset += faulty_is("checks differ") && num_calls == 3;
    asset.raw_offset += faulty_is("scans differ") && num_calls == 4;
    const framehound_finding finding = {.asset = told->id + faulty_is("finding of another asset"),
                                        .code = "TST0001",
                                        .message = "title"};
    const int is_over = to->asset(user, &asset);
    return is_over != 0 ? is_over : to->finding(user, &finding);
}

static int on_pose(void *user, const framehound_pose *told)
{
    framehound_pose pose = *told;
    pose.asset += faulty_is("pose of another asset");
    pose.num_columns = faulty_is("pose without columns") ? 0 : pose.num_columns;
    return to->pose(user, &pose);
}

static framehound_sink sink_of(const framehound_sink *sink)
{
    framehound_sink own = *sink;
    to = sink;
    num_calls++;
    own.source = on_source;
    own.asset = on_asset;
    own.pose = on_pose;
    return own;
}

framehound_status __wrap_framehound_new(framehound **out, const framehound_options *options)
{
    return faulty_is("no context") ? FRAMEHOUND_NO_MEMORY : __real_framehound_new(out, options);
}

framehound_status __wrap_framehound_check_bytes(framehound *hound, const char *path,
                                                const void *bytes, size_t len,
                                                const framehound_sink *sink)
{
    const framehound_sink own = sink_of(sink);
    faulty_spend(faulty_is("memory of a check"), faulty_is("time of a check"));
    const framehound_status status = __real_framehound_check_bytes(hound, path, bytes, len, &own);
    return faulty_is("check not done")            ? FRAMEHOUND_MISUSE
           : faulty_is("check without its asset") ? FRAMEHOUND_NO_ASSET
                                                  : status;
}

framehound_status __wrap_framehound_scan_bytes(framehound *hound, const char *path,
                                               const void *bytes, size_t len,
                                               const framehound_sink *sink)
{
    const framehound_sink own = sink_of(sink);
    faulty_spend(faulty_is("memory of a scan"), faulty_is("time of a scan"));
    const framehound_status status = __real_framehound_scan_bytes(hound, path, bytes, len, &own);
    return faulty_is("scan not done") ? FRAMEHOUND_STOPPED : status;
}

static void run(char **files)
{
    size_t len = 0;
    uint8_t *bytes = faulty_read(files[0], &len);
    (void)LLVMFuzzerTestOneInput(bytes, len);
    free(bytes);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
