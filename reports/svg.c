/* Collects what is drawn: channels, poses, paths. */
#include "reports/svg_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

fh_svg *fh_svg_make(void)
{
    fh_svg *svg = calloc(1, sizeof *svg);
    if (svg != NULL) {
        svg->stride = 1;
        svg->pose_stride = 1;
    }
    return svg;
}

void fh_svg_head(fh_svg *svg, const char *path, const char *format, const char *evaluator)
{
    svg->header = (fh_pose_header){path, format, evaluator};
}

void fh_svg_free(fh_svg *svg)
{
    if (svg == NULL) {
        return;
    }
    for (size_t i = 0; i < svg->num_rows; i++) {
        free(svg->rows[i].channels);
    }
    for (size_t i = 0; i < SVG_MOST_POSES; i++) {
        free(svg->poses[i].markers);
    }
    for (size_t i = 0; i < svg->num_cameras; i++) {
        free(svg->cameras[i].points);
    }
    free(svg);
}

void fh_svg_note(fh_svg *svg, const fh_finding_record *finding)
{
    if (svg->num_findings == SVG_MOST_FINDINGS) {
        svg->num_findings_left++;
        return;
    }
    svg_finding *kept = &svg->findings[svg->num_findings++];
    fh_text message = fh_text_make(kept->message, sizeof kept->message);
    fh_text_str(&message, finding->message);
    kept->rule = finding->rule;
    kept->severity = finding->severity;
    kept->frame = finding->frame;
    kept->object = finding->object;
}

/* ---- tables ---- */

static int find_column(const fh_pose_table *table, const char *name)
{
    for (size_t i = 0; i < table->num_columns; i++) {
        if (strcmp(table->columns[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static void find_vector(int out[3], const fh_pose_table *table, const char *x, const char *y,
                        const char *z)
{
    out[0] = find_column(table, x);
    out[1] = find_column(table, y);
    out[2] = find_column(table, z);
}

/* "rotate_x" belongs to "rotate", "t0" to "t"; false for names that are no part of a vector. */
static bool split_name(char group[32], const char *name)
{
    const size_t len = strlen(name);
    const bool has_axis =
        len > 2 && len < 32 && name[len - 2] == '_' && strchr("xyz", name[len - 1]) != NULL;
    const bool has_number = len == 2 && name[1] >= '0' && name[1] <= '2';
    const bool is_colour =
        strcmp(name, "red") == 0 || strcmp(name, "green") == 0 || strcmp(name, "blue") == 0;
    const size_t group_len = has_axis ? len - 2 : has_number ? 1 : 0;
    if (is_colour) {
        memcpy(group, "colour", sizeof "colour");
        return true;
    }
    memcpy(group, name, group_len);
    group[group_len] = '\0';
    return group_len > 0;
}

static bool is_matrix(const char *name)
{
    return strlen(name) == 3 && name[0] == 'm';
}

static void add_column(svg_table *known, size_t column, const char *group)
{
    size_t i = 0;
    while (i < known->num_groups && strcmp(known->groups[i].name, group) != 0) {
        i++;
    }
    if (i == SVG_MOST_GROUPS ||
        (i < known->num_groups && known->groups[i].num_lines == SVG_MOST_LINES)) {
        return; /* no format has so many */
    }
    svg_group *to = &known->groups[i];
    if (i == known->num_groups) {
        fh_text name = fh_text_make(to->name, sizeof to->name);
        fh_text_str(&name, group);
        known->num_groups++;
    }
    to->columns[to->num_lines++] = column;
}

static void drop_group(svg_table *known, const char *name)
{
    size_t num = 0;
    for (size_t i = 0; i < known->num_groups; i++) {
        if (strcmp(known->groups[i].name, name) != 0) {
            known->groups[num++] = known->groups[i];
        }
    }
    known->num_groups = num;
}

/* Matrices are drawn as poses, not as plots; neither is what a player keeps for itself. */
static bool is_plotted(const fh_pose_table *table)
{
    static const char *const others[] = {"world", "sequence", "word", "morphed_word", "dynamic"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(table->name, others[i]) == 0) {
            return false;
        }
    }
    return true;
}

static void learn_table(svg_table *known, const fh_pose_table *table)
{
    char group[32];
    *known = (svg_table){.table = table, .is_plotted = is_plotted(table), .key = -1};
    for (size_t i = 0; i < table->num_columns; i++) {
        const fh_column *column = &table->columns[i];
        if (column->type == FH_COLUMN_NAME) {
            known->key = known->key < 0 ? (int)i : known->key;
        } else if (split_name(group, column->name)) {
            add_column(known, i, group);
        } else if (!is_matrix(column->name)) {
            add_column(known, i, column->name);
        }
    }
    /* What a matrix holds of a translation is told by that one, where there is one. */
    if (known->num_groups > 1 && find_column(table, "t0") >= 0 &&
        (find_column(table, "trans_x") >= 0 || find_column(table, "translate_x") >= 0)) {
        drop_group(known, "t");
    }
    known->second_key = find_column(table, "object");
    known->second_key = known->second_key == known->key ? -1 : known->second_key;
    known->parent = find_column(table, "parent_slot");
    known->parent = known->parent >= 0 ? known->parent : find_column(table, "parent");
    known->matrix = find_column(table, "m00");
    find_vector(known->place, table, "position_x", "position_y", "position_z");
    if (known->place[0] < 0) {
        find_vector(known->place, table, "t0", "t1", "t2");
    }
    find_vector(known->target, table, "target_x", "target_y", "target_z");
}

static svg_table *table_of(fh_svg *svg, const fh_pose_table *table, size_t *index)
{
    for (size_t i = 0; i < svg->num_tables; i++) {
        if (svg->tables[i].table == table) {
            *index = i;
            return &svg->tables[i];
        }
    }
    if (svg->num_tables == FH_POSE_WRITER_TABLES) {
        return NULL;
    }
    *index = svg->num_tables;
    learn_table(&svg->tables[svg->num_tables], table);
    return &svg->tables[svg->num_tables++];
}

static double real_of(const fh_pose_row *row, size_t column)
{
    if (fh_is_real_column(row->table->columns[column].type)) {
        return row->values[column].r;
    }
    return row->values[column].i == FH_UNKNOWN ? NAN : (double)row->values[column].i;
}

static int64_t key_of(const fh_pose_row *row, int column)
{
    return column < 0 ? FH_UNKNOWN : row->values[column].i;
}

/* ---- channels ---- */

static void join(svg_bucket *to, const svg_bucket *from)
{
    to->has_odd = to->has_odd || from->has_odd;
    if (!from->has_value) {
        return;
    }
    if (!to->has_value) {
        const bool has_odd = to->has_odd;
        *to = *from;
        to->has_odd = has_odd;
        return;
    }
    to->min = fmin(to->min, from->min);
    to->max = fmax(to->max, from->max);
    to->last = from->last;
    to->step = fmax(to->step, from->step);
}

static void halve(svg_channel *channel)
{
    for (size_t i = 0; i < FH_SVG_BUCKETS / 2; i++) {
        svg_bucket joined = channel->buckets[2 * i];
        join(&joined, &channel->buckets[2 * i + 1]);
        channel->buckets[i] = joined;
    }
    memset(&channel->buckets[FH_SVG_BUCKETS / 2], 0,
           FH_SVG_BUCKETS / 2 * sizeof channel->buckets[0]);
}

static void add_value(const fh_svg *svg, svg_channel *channel, double value)
{
    const uint32_t frame = svg->num_frames - 1;
    svg_bucket one = {value, value, value, value, 0, true, false};
    if (!isfinite(value)) {
        one = (svg_bucket){.has_odd = true};
        channel->num_odd++;
    } else {
        if (channel->num_values > 0 && channel->last_frame + 1 == frame) {
            one.step = fabs(value - channel->last);
            channel->sum_steps += one.step;
            channel->num_steps++;
        }
        channel->min = channel->num_values == 0 ? value : fmin(channel->min, value);
        channel->max = channel->num_values == 0 ? value : fmax(channel->max, value);
        channel->last = value;
        channel->last_frame = frame;
        channel->num_values++;
    }
    join(&channel->buckets[frame / svg->stride], &one);
}

bool svg_is_jump(const svg_channel *channel, const svg_bucket *bucket, double range)
{
    const double mean =
        channel->num_steps > 0 ? channel->sum_steps / (double)channel->num_steps : 0;
    return bucket->step > 0 && channel->num_steps > 3 && bucket->step >= 10 * mean &&
           bucket->step >= range / 10;
}

static svg_row *row_of(fh_svg *svg, size_t table, int64_t key, int64_t second_key)
{
    for (size_t i = 0; i < svg->num_rows; i++) {
        const svg_row *row = &svg->rows[i];
        if (row->table == table && row->key == key && row->second_key == second_key) {
            return &svg->rows[i];
        }
    }
    if (svg->num_rows == SVG_MOST_ROWS) {
        svg->num_rows_left++;
        return NULL;
    }
    const size_t num = svg->tables[table].num_groups * SVG_MOST_LINES;
    svg_row *row = &svg->rows[svg->num_rows];
    *row = (svg_row){table, key, second_key, calloc(num + 1, sizeof *row->channels)};
    svg->no_memory = svg->no_memory || row->channels == NULL;
    svg->num_rows += row->channels != NULL ? 1 : 0;
    return row->channels != NULL ? row : NULL;
}

static void add_channels(fh_svg *svg, size_t index, const svg_table *known, const fh_pose_row *row)
{
    /* What counts the rows of a table is no object: each of its rows is another frame. */
    const bool is_frame = strcmp(row->table->columns[0].name, "row") == 0;
    svg_row *to =
        row_of(svg, index, is_frame ? 0 : key_of(row, known->key), key_of(row, known->second_key));
    if (to == NULL) {
        return;
    }
    for (size_t i = 0; i < known->num_groups; i++) {
        for (size_t k = 0; k < known->groups[i].num_lines; k++) {
            add_value(svg, &to->channels[i * SVG_MOST_LINES + k],
                      real_of(row, known->groups[i].columns[k]));
        }
    }
}

/* ---- poses ---- */

static bool keeps_pose(const fh_svg *svg)
{
    return (svg->num_frames - 1) % svg->pose_stride == 0;
}

/* Every second one goes when there is no room for more. */
static void begin_pose(fh_svg *svg)
{
    if (!keeps_pose(svg)) {
        return;
    }
    if (svg->num_poses == SVG_MOST_POSES) {
        for (size_t i = 0; i < SVG_MOST_POSES / 2; i++) {
            const svg_pose dropped = svg->poses[i];
            svg->poses[i] = svg->poses[2 * i];
            svg->poses[2 * i] = dropped;
        }
        svg->num_poses = SVG_MOST_POSES / 2;
        svg->pose_stride *= 2;
        if (!keeps_pose(svg)) {
            return;
        }
    }
    svg_pose *pose = &svg->poses[svg->num_poses++];
    pose->num = 0; /* its room stays */
    pose->frame = svg->frame.index;
}

static svg_marker *marker_of(fh_svg *svg, svg_pose *pose, int64_t key)
{
    for (size_t i = 0; i < pose->num; i++) {
        if (pose->markers[i].key == key) {
            return &pose->markers[i];
        }
    }
    if (pose->num == SVG_MOST_ROWS) {
        return NULL;
    }
    if (pose->num == pose->capacity) {
        const size_t capacity = pose->capacity == 0 ? 16 : 2 * pose->capacity;
        svg_marker *markers = realloc(pose->markers, capacity * sizeof *markers);
        if (markers == NULL) {
            svg->no_memory = true;
            return NULL;
        }
        pose->markers = markers;
        pose->capacity = capacity;
    }
    svg_marker *marker = &pose->markers[pose->num++];
    *marker = (svg_marker){.key = key, .parent = FH_UNKNOWN, .at = {NAN, NAN, NAN}};
    return marker;
}

/* Places are those in the world; what a thing hangs on stands in the table of its own pose. */
static void add_marker(fh_svg *svg, const svg_table *known, const fh_pose_row *row)
{
    const bool is_world = strcmp(row->table->name, "world") == 0;
    if (known->key < 0 || !keeps_pose(svg) || (!is_world && known->parent < 0) ||
        strncmp(row->table->name, "morphed", 7) == 0) {
        return;
    }
    svg_marker *marker = marker_of(svg, &svg->poses[svg->num_poses - 1], key_of(row, known->key));
    if (marker == NULL) {
        return;
    }
    if (!is_world) {
        marker->parent = key_of(row, known->parent);
        return;
    }
    svg->has_world = true;
    for (int i = 0; i < 3; i++) {
        marker->at[i] = real_of(row, (size_t)known->place[i]);
    }
}

/* ---- cameras ---- */

static svg_camera *camera_of(fh_svg *svg, size_t table, int64_t key)
{
    for (size_t i = 0; i < svg->num_cameras; i++) {
        if (svg->cameras[i].table == table && svg->cameras[i].key == key) {
            return &svg->cameras[i];
        }
    }
    if (svg->num_cameras == SVG_MOST_CAMERAS) {
        return NULL;
    }
    svg_camera *camera = &svg->cameras[svg->num_cameras];
    *camera = (svg_camera){table, key, calloc(SVG_MOST_POINTS, sizeof *camera->points), 0, 1};
    svg->no_memory = svg->no_memory || camera->points == NULL;
    svg->num_cameras += camera->points != NULL ? 1 : 0;
    return camera->points != NULL ? camera : NULL;
}

/* A matrix turns places of the world into those that the camera sees, in units of 1/4096: it stands
 * where that yields 0, and looks along its third row. */
static void place_by_matrix(svg_point *point, const svg_table *known, const fh_pose_row *row)
{
    double matrix[12];
    for (size_t i = 0; i < 12; i++) {
        matrix[i] = real_of(row, (size_t)known->matrix + i);
    }
    for (size_t i = 0; i < 3; i++) {
        const double sum =
            matrix[i] * matrix[9] + matrix[3 + i] * matrix[10] + matrix[6 + i] * matrix[11];
        point->at[i] = -sum / 4096;
        point->target[i] = point->at[i] + matrix[6 + i] / 4;
    }
    point->has_target = true;
}

static void add_point(fh_svg *svg, size_t index, const svg_table *known, const fh_pose_row *row)
{
    const bool by_matrix = strcmp(row->table->name, "camera") == 0 && known->matrix >= 0;
    const bool is_row = strcmp(row->table->columns[0].name, "row") == 0;
    if (!by_matrix && !(is_row && known->place[0] >= 0)) {
        return;
    }
    svg_camera *camera = camera_of(svg, index, is_row ? 0 : key_of(row, known->key));
    if (camera == NULL || (svg->num_frames - 1) % camera->stride != 0) {
        return;
    }
    if (camera->num == SVG_MOST_POINTS) {
        for (size_t i = 0; i < SVG_MOST_POINTS / 2; i++) {
            camera->points[i] = camera->points[2 * i];
        }
        camera->num = SVG_MOST_POINTS / 2;
        camera->stride *= 2;
    }
    svg_point *point = &camera->points[camera->num++];
    *point = (svg_point){.frame = svg->frame.index};
    if (by_matrix) {
        place_by_matrix(point, known, row);
        return;
    }
    for (int i = 0; i < 3; i++) {
        point->at[i] = real_of(row, (size_t)known->place[i]);
        point->has_target = known->target[0] >= 0;
        point->target[i] = point->has_target ? real_of(row, (size_t)known->target[i]) : 0;
    }
}

/* ---- the sink ---- */

static void take_frame(void *user, const fh_pose_frame *frame)
{
    fh_svg *svg = user;
    svg->frame = *frame;
    svg->num_frames++;
    if ((svg->num_frames - 1) / svg->stride == FH_SVG_BUCKETS) {
        svg->stride *= 2;
        for (size_t i = 0; i < svg->num_rows; i++) {
            const size_t num = svg->tables[svg->rows[i].table].num_groups * SVG_MOST_LINES;
            for (size_t k = 0; k < num; k++) {
                halve(&svg->rows[i].channels[k]);
            }
        }
    }
    begin_pose(svg);
}

static void take_row(void *user, const fh_pose_row *row)
{
    fh_svg *svg = user;
    size_t index = 0;
    const svg_table *known = table_of(svg, row->table, &index);
    if (known == NULL || svg->no_memory || svg->num_frames == 0) {
        return;
    }
    if (known->is_plotted && known->num_groups > 0) {
        add_channels(svg, index, known, row);
    }
    add_marker(svg, known, row);
    add_point(svg, index, known, row);
}

fh_sink fh_svg_sink(fh_svg *svg)
{
    return (fh_sink){.user = svg, .frame = take_frame, .pose = take_row};
}
