/* Writes what parse_samples.py reads back: `write_samples csv|json|rules` to standard output. */
#include "reports/pose_writer.h"
#include "reports/rules_text.h"

#include <math.h>
#include <string.h>

#define HOSTILE "a\nb\x1b[31m\"\\\xff\xc3\xa9\xe2\x80\xae"

static const fh_column object_columns[] = {
    {"slot", FH_COLUMN_INT}, {"id", FH_COLUMN_INT}, {"tx", FH_COLUMN_REAL}};
static const fh_pose_table object = {"object", object_columns, 3};
static const fh_column light_columns[] = {{"r", FH_COLUMN_REAL}};
static const fh_pose_table light = {"light", light_columns, 1};

static void put_object(const fh_sink *sink, int64_t slot, int64_t id, double tx)
{
    fh_pose_value values[] = {{.i = slot}, {.i = id}, {.r = tx}};
    sink->pose(sink->user, &(fh_pose_row){&object, values});
}

static void put_light(const fh_sink *sink, double r)
{
    fh_pose_value value = {.r = r};
    sink->pose(sink->user, &(fh_pose_row){&light, &value});
}

/* Tables take turns within a frame, a frame is empty, a table comes late. */
static int write_poses(fh_pose_form form)
{
    fh_pose_writer writer;
    fh_pose_header header = {HOSTILE, "tod", NULL};
    fh_pose_writer_begin(&writer, stdout, form, &header);
    fh_sink sink = fh_pose_writer_sink(&writer);
    sink.frame(sink.user, &(fh_pose_frame){0, 0});
    put_object(&sink, 1, FH_UNKNOWN, 0.1);
    sink.frame(sink.user, &(fh_pose_frame){1, 4294967295u});
    sink.frame(sink.user, &(fh_pose_frame){2, 7});
    put_light(&sink, NAN);
    put_object(&sink, INT64_MAX, -INT64_MAX, -5e-324);
    put_light(&sink, -INFINITY);
    for (int i = 0; i < 40; i++) { /* more rows than there is room for at first */
        put_object(&sink, i, i, 1e300 / 3 * i);
    }
    return fh_pose_writer_end(&writer);
}

static int write_rules(void)
{
    static const fh_rule rules[] = {
        {"TST0001", FH_ERROR, HOSTILE, "why\ttab", "a manual", NULL},
        {"TST0002", FH_NOTE, "t", "e", "s", "m"},
    };
    static const fh_rule_table tables[] = {{"tst", rules, 2}, {"none", NULL, 0}, {"img", rules, 1}};
    return fh_rules_json(stdout, tables, 3);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "rules") == 0) {
        return write_rules();
    }
    if (argc == 2 && strcmp(argv[1], "no-rules") == 0) {
        return fh_rules_json(stdout, NULL, 0);
    }
    return write_poses(argc == 2 && strcmp(argv[1], "csv") == 0 ? FH_POSE_CSV : FH_POSE_JSON);
}
