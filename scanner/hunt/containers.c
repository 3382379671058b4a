/* The hunt in containers: what is in them are sources of their own. */
#include "hunt/about.h"
#include "hunt/run_rules.h"
#include "source/opener.h"

typedef struct visit {
    const fh_hunt_options *options;
    const fh_hunt_sink *sink;
    const fh_hunt_visitor *visitor;
    bool sink_failed; /* while faults were told */
} visit;

static bool on_source(void *user, const char *path, fh_reader *reader)
{
    visit *v = user;
    fh_hunt_source source;
    if (!v->visitor->begin(v->visitor->user, path)) {
        return false;
    }
    const fh_hunt_status status = fh_hunt_reader(&source, path, reader, v->options, v->sink);
    return v->visitor->end(v->visitor->user, &source, status);
}

static void on_fault(void *user, const fh_finding *finding)
{
    visit *v = user;
    fh_hunt hunt = {.sink = v->sink, .sink_failed = v->sink_failed};
    fh_tell_source(&hunt, finding);
    v->sink_failed = hunt.sink_failed;
}

/* All bytes of a container are its own: what is in it are sources of their own. */
static void cover_container(visit *v, int64_t size)
{
    const fh_coverage_record record = {
        .claim = "container", .raw_offset = 0, .length = size, .first_lba = FH_UNKNOWN, .runs = 1};
    if (v->sink->coverage != NULL && !v->sink_failed && size > 0) {
        v->sink_failed = !v->sink->coverage(v->sink->user, &record);
    }
}

/* false: there is no memory left. */
static bool tell_container(visit *v, fh_hunt_source *source, const fh_container *container)
{
    const fh_reader *reader = container->reader;
    source->hit_limit = container->hit_limit;
    source->record.kind = container->is_sheet ? "sheet" : "archive";
    source->record.status = container->hit_limit          ? "limit"
                            : fh_reader_is_at_end(reader) ? "complete"
                                                          : "partial";
    if (container->is_whole) {
        source->record.size = reader->size_read;
        if (!fh_hunt_hash(source, reader, v->options)) {
            return false;
        }
        cover_container(v, reader->size_read);
    }
    fh_tallies_tell(container->faults, v, on_fault);
    return true;
}

static fh_hunt_status not_whole(fh_hunt_source *source, const char *why)
{
    fh_text text = fh_text_make(source->error, sizeof source->error);
    fh_text_str(&text, why);
    source->record.status = "partial";
    return FH_HUNT_PARTIAL;
}

/* What hindered that all of the container was read, in one state of it. */
static fh_hunt_status tell_hindrance(visit *v, fh_hunt_source *source,
                                     const fh_container *container)
{
    const fh_reader *reader = container->reader;
    if (reader->error != 0) {
        fh_finding finding =
            fh_source_finding(&fh_run_rules.rules[FH_RUN0001], "read", reader->error_off);
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(&text, reader->error_text);
        on_fault(v, &finding);
        return not_whole(source, reader->error_text);
    }
    const fh_drift drift = fh_reader_drift(reader);
    if (drift.kind != FH_DRIFT_NONE) {
        const fh_finding finding = fh_drift_finding(reader, drift);
        on_fault(v, &finding);
    }
    if (fh_drift_breaks(drift)) {
        return not_whole(source, fh_drift_text(drift));
    }
    return container->num_lost == 0
               ? FH_HUNT_OK
               : not_whole(source, "not all files that it names can be read, see its findings");
}

static bool on_container(void *user, const fh_container *container)
{
    visit *v = user;
    fh_hunt_source source;
    fh_hunt_begin(&source, container->path);
    if (!v->visitor->begin(v->visitor->user, container->path)) {
        return false;
    }
    fh_hunt_status status = FH_HUNT_NO_MEMORY;
    if (tell_container(v, &source, container)) {
        status = tell_hindrance(v, &source, container);
        status = v->sink_failed ? FH_HUNT_SINK : status;
    }
    return v->visitor->end(v->visitor->user, &source, status);
}

/* What hindered the opener itself is told of the file. */
static void tell_end(const visit *v, const char *path, fh_hunt_status status, const char *why)
{
    fh_hunt_source source;
    fh_hunt_begin(&source, path);
    if (status == FH_HUNT_UNREADABLE) {
        status = fh_hunt_unreadable(&source, why);
    }
    if (v->visitor->begin(v->visitor->user, path)) {
        (void)v->visitor->end(v->visitor->user, &source, status);
    }
}

static fh_opener_options how_to_open(const fh_hunt_options *options)
{
    return (fh_opener_options){.as_it_lies = options->as_it_lies,
                               .wants_image = options->wants_image,
                               .wants_user = options->user,
                               .stop = {options->stop, options->user}};
}

static void tell_how_it_ended(const visit *v, const char *path, fh_opener_status status,
                              const char *why)
{
    switch (status) {
    case FH_OPENER_OK:
    case FH_OPENER_ENDED:
        break;
    case FH_OPENER_ERROR:
        tell_end(v, path, FH_HUNT_UNREADABLE, why);
        break;
    case FH_OPENER_STOPPED:
        tell_end(v, path, FH_HUNT_STOPPED, "");
        break;
    case FH_OPENER_NO_MEMORY:
        tell_end(v, path, FH_HUNT_NO_MEMORY, "");
        break;
    }
}

void fh_hunt_all(int64_t *num_left_out, const char *path, const fh_hunt_options *options,
                 const fh_hunt_sink *sink, const fh_hunt_visitor *visitor)
{
    visit v = {options, sink, visitor, false};
    const fh_opener_sink opener_sink = {&v, on_source, on_container};
    const fh_opener_options how = how_to_open(options);
    fh_opener_result result;
    const fh_opener_status status = fh_open_all(&result, path, &how, &opener_sink);
    tell_how_it_ended(&v, path, status, result.error_text);
    *num_left_out = result.num_left_out;
}

void fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                   const fh_hunt_options *options, const fh_hunt_sink *sink,
                   const fh_hunt_visitor *visitor)
{
    visit v = {options, sink, visitor, false};
    const fh_opener_sink opener_sink = {&v, on_source, on_container};
    const fh_opener_options how = how_to_open(options);
    const fh_tape tape = fh_tape_of_bytes(bytes, len);
    fh_opener_result result;
    const fh_opener_status status = fh_open_tape(&result, path, &tape, &how, &opener_sink);
    tell_how_it_ended(&v, path, status, result.error_text);
    *num_left_out = result.num_left_out;
}
