#include "camerawork/cam_walk.h"

#include <assert.h>

/* Evidence of a row: 8 for each digit of the index, 7 for each flag, 8 for each blank, and for the
 * point and the e of each number in the program's form. That a blank may be a tab, and the first
 * index of a part any, is less than what is not counted: each digit is one of ten characters. */
enum { BITS_FLAGS = 21, BITS_BLANKS = 192, BITS_NUMBER = 16 };

void cam_walk_begin(cam_walk *walk, fh_cursor bytes, bool at_end, fh_budget *budget)
{
    assert(bytes.pos == 0);
    walk->at_end = at_end;
    walk->is_inside = bytes.origin != 0;
    walk->is_joined = false;
    walk->is_named = false;
    walk->num_missing = 0;
    walk->num_rows = 0;
    walk->first_index = 0;
    walk->next_index = 0;
    walk->is_over = false;
    walk->has_line = false;
    walk->has_tail = false;
    walk->is_open = false;
    walk->has_forms = false;
    walk->is_plain = false;
    walk->is_finite = false;
    walk->is_all = false;
    walk->is_limit = false;
    walk->evidence = 0;
    cam_text_begin(&walk->text, bytes, budget);
    walk->end = walk->text.bom_len;
}

static void judge_first_row(cam_walk *walk)
{
    const cam_line *line = &walk->line;
    walk->first_index = line->row.index;
    walk->is_plain = line->columns[CAM_POSITION - 1].is_plain;
    walk->is_finite = line->columns[CAM_POSITION - 1].rule != CAM0005;
    for (unsigned i = 0; i < CAM_COLUMNS; i++) {
        walk->has_forms = walk->has_forms || line->columns[i].has_form;
    }
}

static uint32_t evidence_of(const cam_line *line)
{
    uint32_t bits = BITS_FLAGS + BITS_BLANKS + 8 * line->columns[0].token.num_units;
    for (unsigned i = 0; i < CAM_COLUMNS; i++) {
        bits += line->columns[i].is_plain && line->columns[i].has_form ? BITS_NUMBER : 0u;
    }
    return bits;
}

static cam_step take_row(cam_walk *walk)
{
    const cam_line *line = &walk->line;
    if (walk->num_rows == 0) {
        judge_first_row(walk);
    }
    if (walk->num_rows > 0) {
        walk->num_missing += (uint32_t)(line->row.index - walk->next_index);
    }
    walk->num_rows++;
    walk->next_index = (int64_t)line->row.index + 1;
    walk->evidence += evidence_of(line);
    walk->end = line->end;
    walk->is_open = !cam_line_has_end(line);
    walk->is_over = walk->is_open;
    return CAM_STEP_ROW;
}

/* A line that begins with the right index and is no row. */
static bool is_tail(const cam_walk *walk)
{
    int32_t index = 0;
    return walk->num_rows > 0 && walk->line.ends < CAM_ENDS_LONG &&
           cam_line_index(&walk->line, &index) && index == walk->next_index &&
           (walk->line.num_columns > 1 || walk->line.ends == CAM_ENDS_BYTES);
}

static cam_step stop(cam_walk *walk)
{
    walk->is_over = true;
    walk->has_line = true;
    walk->is_limit = walk->line.ends == CAM_ENDS_LIMIT;
    walk->has_tail = is_tail(walk);
    if (walk->has_tail) {
        walk->end = walk->line.end;
        walk->is_open = !cam_line_has_end(&walk->line);
    }
    return CAM_STEP_END;
}

/* In a text that was put together rows may be missing. */
static bool is_next_row(const cam_walk *walk)
{
    const int64_t missing = walk->line.row.index - walk->next_index;
    if (walk->num_rows == 0 || missing == 0) {
        return true;
    }
    return walk->is_joined && missing > 0 &&
           missing <= (int64_t)CAM_MOST_MISSING - walk->num_missing;
}

static cam_step next_step(cam_walk *walk)
{
    if (walk->is_over) {
        return CAM_STEP_END;
    }
    if (cam_text_at_end(&walk->text)) {
        /* Half a UTF-16 unit is nobody else's. */
        walk->end = walk->num_rows > 0 ? walk->text.scan.cur.size : walk->end;
        walk->is_over = walk->at_end;
        return walk->at_end ? CAM_STEP_END : CAM_STEP_MORE;
    }
    cam_text_line(&walk->text, &walk->line);
    if (walk->line.ends != CAM_ENDS_LIMIT && walk->line.may_go_on && !walk->at_end) {
        return CAM_STEP_MORE;
    }
    if (walk->line.is_row && is_next_row(walk)) {
        return take_row(walk);
    }
    if (walk->is_joined && cam_line_has_end(&walk->line)) {
        walk->end = walk->line.end;
        return CAM_STEP_BAD;
    }
    return stop(walk);
}

/* At the start of a source some number of the first row has a point or an exponent, elsewhere the
 * first one the form of the program. */
static bool has_its_form(const cam_walk *walk)
{
    return walk->is_inside ? walk->is_plain : walk->has_forms || walk->is_named;
}

/* Few rows, or whole numbers, may be an asset where they are all that the source has, or all so
 * far. */
static bool may_be_alone(const cam_walk *walk)
{
    const bool is_one = walk->num_rows == 1;
    const bool is_first = walk->num_rows > 0 && walk->first_index == 0;
    if (walk->is_inside || walk->is_limit || walk->has_tail) {
        return false;
    }
    return is_one ? walk->is_plain || (has_its_form(walk) && is_first)
                  : is_first && !has_its_form(walk);
}

/* Tells whether nothing follows the rows, where that counts. */
static void look_behind(cam_walk *walk)
{
    cam_rest rest = {0};
    walk->is_all = may_be_alone(walk) && cam_text_is_over(&rest, &walk->text, walk->end);
    if (rest.is_spent) {
        walk->is_limit = true;
        walk->line.ends = CAM_ENDS_LIMIT;
    }
}

cam_step cam_walk_step(cam_walk *walk)
{
    const cam_step step = next_step(walk);
    if (step == CAM_STEP_END) {
        look_behind(walk);
    }
    return step;
}

bool cam_walk_is_enough(const cam_walk *walk)
{
    if (walk->is_limit) {
        return false;
    }
    if (walk->num_rows >= 2 && has_its_form(walk)) {
        return true;
    }
    return walk->at_end && walk->is_all;
}

/* What stands behind a line that ends where no line ends. */
static enum cam_rule fault_behind(const cam_walk *walk, size_t off)
{
    bool is_spent = false;
    if (walk->line.ends == CAM_ENDS_HIGH) {
        return CAM0019;
    }
    if (walk->is_inside) {
        return CAM0016; /* what lies further behind is not worth a look */
    }
    const bool is_padding = cam_text_is_padding(&walk->text, off, &is_spent);
    return is_spent ? CAM0063 : is_padding ? CAM0017 : CAM0016;
}

/* A line that is cut, and filled up with NUL bytes, or that a control byte stands in. */
static enum cam_rule fault_of_control(const cam_walk *walk)
{
    const enum cam_rule rule = fault_behind(walk, walk->line.end);
    const unsigned num = walk->line.num_columns;
    if (rule != CAM0017 || num == 0) {
        return rule;
    }
    return num < CAM_COLUMNS ? CAM0002 : CAM0001;
}

/* Why the rows that there are do not have the form of the program. */
static enum cam_rule fault_of_form(const cam_walk *walk)
{
    return walk->is_finite ? CAM0012 : CAM0005;
}

/* A blank line is a fault only in front of other lines. */
static enum cam_rule fault_of_blank(const cam_walk *walk, size_t *off)
{
    cam_rest rest = {0};
    if (walk->num_rows == 0 || walk->is_inside) {
        return CAM0009;
    }
    if (!cam_text_is_over(&rest, &walk->text, walk->end)) {
        return rest.is_spent ? CAM0063 : CAM0009;
    }
    *off = walk->end;
    return rest.end - 1 < walk->text.scan.cur.size ? CAM0017 : fault_of_form(walk);
}

enum cam_rule cam_walk_fault(const cam_walk *walk, size_t *off)
{
    *off = walk->text.bom_len;
    if (walk->is_limit) {
        return CAM0063;
    }
    if (walk->num_rows > 0 && !has_its_form(walk)) {
        return fault_of_form(walk);
    }
    if (!walk->has_line) {
        if (walk->num_rows == 0) {
            return CAM0002; /* there is nothing at all */
        }
        *off = walk->end;
        return walk->end < walk->text.scan.cur.size ? fault_behind(walk, walk->end)
                                                    : fault_of_form(walk);
    }
    if (walk->line.is_row) {
        return CAM0008;
    }
    const enum cam_rule rule = cam_line_fault(&walk->text, &walk->line, off);
    if (rule == CAM0009) {
        return fault_of_blank(walk, off);
    }
    return rule == CAM0016 ? fault_of_control(walk) : rule;
}

/* A damaged file still begins like one; elsewhere a single row is not worth a word. */
static bool is_near_miss(const cam_walk *walk)
{
    const cam_line *line = &walk->line;
    if (walk->is_inside) {
        return false;
    }
    if (walk->num_rows > 0) {
        return walk->is_plain;
    }
    return walk->has_line && line->num_columns >= CAM_POSITION &&
           !line->columns[CAM_INDEX - 1].is_bad && line->columns[CAM_POSITION - 1].is_plain;
}

static void reject(fh_probe *out, const cam_walk *walk)
{
    size_t off = 0;
    const enum cam_rule rule = cam_walk_fault(walk, &off);
    out->verdict = FH_REJECT;
    out->rule = &cam_rules[rule];
    out->reject_off = off;
    out->status = rule == CAM0063 ? FH_LIMIT : rule == CAM0002 ? FH_TRUNCATED : FH_CORRUPT;
    out->is_part = walk->is_inside && walk->num_rows == 1 && walk->is_plain && !walk->is_limit &&
                   (walk->has_tail || !walk->is_open);
    /* Of what was not looked at to its end nobody knows that it is damaged. */
    out->near_miss = rule != CAM0063 && is_near_miss(walk);
}

void cam_probe(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
               fh_budget *budget)
{
    (void)memo;  /* rows within rows break off at once */
    (void)arena; /* a walk needs no table */
    cam_walk walk;
    *out = (fh_probe){.verdict = FH_ACCEPT};
    cam_walk_begin(&walk, bytes, end != FH_END_NONE, budget);
    cam_step step = CAM_STEP_ROW;
    while (step == CAM_STEP_ROW) {
        step = cam_walk_step(&walk);
        if (walk.num_rows == 1 && walk.is_inside && !walk.is_plain) {
            break; /* cheap: most false starts end here or before */
        }
    }
    out->frames = walk.num_rows;
    out->evidence_bits = walk.evidence;
    out->length = walk.end;
    const bool is_open = end == FH_END_NONE && walk.is_all;
    if (step == CAM_STEP_MORE || is_open) {
        out->verdict = FH_MORE;
        out->length = bytes.size + 1;
    } else if (!cam_walk_is_enough(&walk)) {
        reject(out, &walk);
    }
}
