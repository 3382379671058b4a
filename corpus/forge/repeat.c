#include "forge/repeat.h"

enum {
    MAX_STEPS = 16 << 20, /* lines executed */
    MAX_REPEAT = 4 << 20  /* words in the largest file */
};

bool forge_repeat_step(forge_repeat *repeat, forge_line *line)
{
    line->number++;
    if (++repeat->steps > MAX_STEPS) {
        return forge_line_fail(line, "more than %d lines executed, expected smaller repeats",
                               MAX_STEPS);
    }
    line->has_index = repeat->depth > 0;
    line->index = repeat->depth > 0 ? repeat->loops[repeat->depth - 1].index : 0;
    return true;
}

bool forge_repeat_begin(forge_repeat *repeat, forge_line *line, size_t pos)
{
    const forge_range range = {.name = "repeat count", .min = 1, .max = MAX_REPEAT};
    int64_t count = 0;
    if (!forge_line_number(line, range, &count) || !forge_line_end(line)) {
        return false;
    }
    if (repeat->depth == FORGE_MAX_LOOPS) {
        return forge_line_fail(line, "repeat is nested deeper than %d", FORGE_MAX_LOOPS);
    }
    repeat->loops[repeat->depth++] =
        (forge_loop){.pos = pos, .number = line->number, .count = count};
    return true;
}

bool forge_repeat_end(forge_repeat *repeat, forge_line *line, size_t *pos)
{
    if (repeat->depth == 0) {
        return forge_line_fail(line, "'endrepeat' without a repeat before it");
    }
    if (!forge_line_end(line)) {
        return false;
    }
    forge_loop *top = &repeat->loops[repeat->depth - 1];
    top->index++;
    if (top->index == top->count) {
        repeat->depth--;
        return true;
    }
    *pos = top->pos;
    line->number = top->number;
    return true;
}

bool forge_repeat_outside(const forge_repeat *repeat, forge_line *line, const char *name)
{
    if (repeat->depth > 0) {
        return forge_line_fail(line, "'%s' inside of a repeat, expected 'endrepeat' first", name);
    }
    return true;
}

bool forge_repeat_closed(const forge_repeat *repeat, forge_line *line)
{
    if (repeat->depth > 0) {
        line->number = repeat->loops[repeat->depth - 1].number;
        return forge_line_fail(line, "repeat is not closed, expected 'endrepeat'");
    }
    return true;
}
