#include "reports/out.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

fh_out fh_out_make(FILE *file)
{
    assert(file != NULL);
    return (fh_out){.file = file, .error = 0};
}

bool fh_out_to_memory(fh_out *out, char **text, size_t *len)
{
    *text = NULL;
    *len = 0;
    *out = (fh_out){.file = open_memstream(text, len)};
    out->error = out->file == NULL ? ENOMEM : 0;
    return out->file != NULL;
}

static void fail(fh_out *out)
{
    if (out->error == 0) {
        out->error = errno != 0 ? errno : EIO;
    }
}

void fh_out_fmt(fh_out *out, const char *format, ...)
{
    if (out->error != 0) {
        return;
    }
    va_list args;
    va_start(args, format);
    errno = 0;
    if (vfprintf(out->file, format, args) < 0) {
        fail(out);
    }
    va_end(args);
}

void fh_out_bytes(fh_out *out, const char *bytes, size_t num_bytes)
{
    if (out->error != 0) {
        return;
    }
    errno = 0;
    if (fwrite(bytes, 1, num_bytes, out->file) != num_bytes) {
        fail(out);
    }
}

void fh_out_str(fh_out *out, const char *str)
{
    fh_out_bytes(out, str, strlen(str));
}

void fh_out_count(fh_out *out, uint64_t num, const char *noun)
{
    fh_out_fmt(out, "%" PRIu64 " %s%s", num, noun, num == 1 ? "" : "s");
}

int fh_out_end(fh_out *out)
{
    if (out->file == NULL) { /* it could not be opened, which is its error */
        assert(out->error != 0);
        return out->error;
    }
    errno = 0;
    if (fflush(out->file) != 0 || ferror(out->file) != 0) {
        fail(out);
    }
    return out->error;
}
