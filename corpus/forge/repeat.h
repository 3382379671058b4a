/* `repeat COUNT ... endrepeat`, the only loop of the description languages.
 *
 * A script keeps one forge_repeat for its whole run, zero at first. The text is not copied: a loop
 * notes where its body begins, and its end moves the script's position back there. Lines executed
 * are counted, so that no loop without output runs for ever.
 */
#ifndef FORGE_REPEAT_H
#define FORGE_REPEAT_H

#include "forge/line.h"

enum { FORGE_MAX_LOOPS = 4 };

typedef struct forge_loop {
    size_t pos;      /* of the line behind repeat */
    unsigned number; /* that line's number less one */
    int64_t count;
    int64_t index;
} forge_loop;

typedef struct forge_repeat {
    size_t depth;
    forge_loop loops[FORGE_MAX_LOOPS];
    uint32_t steps;
} forge_repeat;

/* forge_repeat_step begins the next line: counts it, and says what `$` stands for in it. */
bool forge_repeat_step(forge_repeat *repeat, forge_line *line) FORGE_MUST_USE;

/* forge_repeat_begin and forge_repeat_end take the rest of the lines `repeat` and `endrepeat`.
 * pos is where the next line starts; the end of a loop that goes on moves it. */
bool forge_repeat_begin(forge_repeat *repeat, forge_line *line, size_t pos) FORGE_MUST_USE;
bool forge_repeat_end(forge_repeat *repeat, forge_line *line, size_t *pos) FORGE_MUST_USE;

/* forge_repeat_outside fails for a statement that cannot stand in a repeat. */
bool forge_repeat_outside(const forge_repeat *repeat, forge_line *line,
                          const char *name) FORGE_MUST_USE;
/* forge_repeat_closed fails at the end of a text with an open repeat. */
bool forge_repeat_closed(const forge_repeat *repeat, forge_line *line) FORGE_MUST_USE;

#endif
