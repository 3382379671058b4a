/* Writes the layout of a format for other people's tools: see docs/update-formats.sh.
 *
 *     write_schema tod|hmd ksy|hexpat
 *
 * It goes to standard output. Exits with 1 when asked for something else, or not written.
 */
#include "registry/registry.h"
#include "reports/schema_writer.h"

#include <string.h>

int main(int argc, char **argv)
{
    fh_out out = fh_out_make(stdout);
    const fh_format *format = argc == 3 ? fh_format_find(argv[1]) : NULL;
    if (format == NULL || format->schema == NULL) {
        return 1;
    }
    if (strcmp(argv[2], "ksy") == 0) {
        fh_schema_ksy(&out, format->schema);
    } else if (strcmp(argv[2], "hexpat") == 0) {
        fh_schema_hexpat(&out, format->schema);
    } else {
        return 1;
    }
    return fh_out_end(&out) == 0 ? 0 : 1;
}
