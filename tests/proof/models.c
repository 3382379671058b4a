/* What stands in for the arena and for text where a decoder is analysed; see harness.h. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

void *fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len)
{
    //@ assert elem_len > 0;
    if (proof_bool() || num > arena->size / elem_len) {
        return NULL;
    }
    return calloc(num, elem_len);
}

size_t fh_arena_mark(const fh_arena *arena)
{
    return arena->used;
}

void fh_arena_reset(fh_arena *arena, size_t mark)
{
    arena->used = mark;
}

/* Text is analysed apart (core.c): here it is only looked at that what is to be written can be
 * read. */
fh_text fh_text_make(char *buf, size_t size)
{
    //@ assert size >= 4 && \valid(buf + (0 .. size - 1));
    buf[0] = '\0';
    return (fh_text){.buf = buf, .size = size};
}

static fh_text *proof_put(fh_text *text)
{
    text->len = Frama_C_size_t_interval(0, text->size - 1);
    text->cut = proof_bool();
    return text;
}

fh_text *fh_text_str(fh_text *text, const char *str)
{
    return *str == '\0' ? text : proof_put(text);
}

fh_text *fh_text_u64(fh_text *text, uint64_t value)
{
    (void)value;
    return proof_put(text);
}

fh_text *fh_text_s64(fh_text *text, int64_t value)
{
    (void)value;
    return proof_put(text);
}

fh_text *fh_text_hex(fh_text *text, uint64_t value, unsigned digits)
{
    (void)value;
    (void)digits;
    return proof_put(text);
}
