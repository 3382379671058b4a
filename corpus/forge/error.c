#include "forge/error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

bool forge_fail(forge_error *err, forge_kind kind, unsigned line, const char *format, ...)
{
    assert(kind != FORGE_OK);
    err->kind = kind;
    err->line = line;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}
