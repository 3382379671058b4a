/* Counts the work of a search, which is the same on every machine.
 *
 * Usage: work FILE...   prints, for each file and format: file, format, probes, units of work in
 * these, units in all, bytes examined. Nothing is replayed.
 */
#include "field.h"

#include "registry/registry.h"

#include <stdio.h>

static void count(const char *path, const char *format)
{
    field f;
    field_open_for(&f, format);
    f.options.replay = false;
    f.options.min_evidence = FH_MIN_EVIDENCE;
    field_hunt_path(&f, path);
    HOLD(f.status == FH_HUNT_OK, "%s: status %d", path, (int)f.status);
    printf("%s\t%s\t%llu\t%llu\t%llu\t%llu\n", path, format, (unsigned long long)f.num_probes,
           (unsigned long long)f.probe_units, (unsigned long long)f.units,
           (unsigned long long)f.examined_bytes);
    field_close(&f);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        for (size_t k = 0; k < fh_num_formats; k++) {
            count(argv[i], fh_formats[k]->name);
        }
    }
    return 0;
}
