#include "gate/result.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of an excerpt in front of the field: two rows of a hex dump, or half a line. */
enum { EXCERPT_IN_FRONT = 32 };

bool fh_result_begin(fh_result *result, const char *path)
{
    *result = (fh_result){.path = strdup(path),
                          .status = "complete",
                          .size = FH_UNKNOWN,
                          .asset = {.frames = FH_UNKNOWN, .ram_address = FH_UNKNOWN}};
    return result->path != NULL;
}

static bool grow(fh_result *result)
{
    const size_t max = result->max_findings == 0 ? 8 : 2 * result->max_findings;
    fh_told *findings = realloc(result->findings, max * sizeof *findings);
    if (findings == NULL) {
        return false;
    }
    result->findings = findings;
    result->max_findings = max;
    return true;
}

/* An excerpt begins at a row of a hex dump, so that both views can be made of it. */
static void take_excerpt(fh_told *told, fh_cursor bytes)
{
    const int64_t offset = told->finding.offset;
    if (offset < 0 || (uint64_t)offset > bytes.size) {
        return;
    }
    const size_t row = (size_t)offset - (size_t)offset % 16;
    const size_t first = row < EXCERPT_IN_FRONT ? 0 : row - EXCERPT_IN_FRONT;
    const size_t rest = bytes.size - first;
    told->excerpt_offset = (int64_t)first;
    told->excerpt_len = rest < FH_EXCERPT_LEN ? rest : FH_EXCERPT_LEN;
    fh_cursor part = fh_cursor_sub(&bytes, first, told->excerpt_len);
    for (size_t i = 0; i < told->excerpt_len; i++) {
        told->excerpt[i] = fh_cursor_u8(&part);
    }
}

void fh_result_add(fh_result *result, const fh_finding *finding, fh_cursor bytes)
{
    if (result->num_findings == result->max_findings && !grow(result)) {
        result->no_memory = true;
        return;
    }
    fh_told *told = &result->findings[result->num_findings++];
    *told = (fh_told){.finding = *finding};
    take_excerpt(told, bytes);
}

void fh_result_free(fh_result *result)
{
    free(result->path);
    free(result->findings);
    free(result->strings);
    *result = (fh_result){0};
}
