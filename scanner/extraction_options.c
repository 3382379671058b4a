/* The options of framehound extract, and which assets they ask for. */
#include "extraction.h"

#include "id_list.h"
#include "registry/registry.h"

#include <getopt.h>
#include <string.h>

static const char help[] =
    "Usage: framehound extract [OPTION...] DB\n"
    "\n"
    "Writes assets that are recorded in the database DB out as files, and beside each one\n"
    "NAME.json with its addresses, hashes and findings. The sources must still be where they\n"
    "were: the bytes are read again, and written only if they are still the same. Prints one\n"
    "line an asset, and a summary. A file that is there already is never changed.\n"
    "\n"
    "  -d, --directory DIR   where to (default: extracted); made if it is missing\n"
    "  -f, --formats LIST    only of these formats: tod, hmd, tra, camerawork, separated by\n"
    "                        commas (default: all)\n"
    "      --ids LIST        only these assets: numbers and ranges, as in 1,5,10-20; the view\n"
    "                        v_assets lists them\n"
    "      --grade GRADE     only from this grade on: candidate, structure, references, replayed\n"
    "      --dry-run         read and compare everything, write nothing\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n"
    "\n"
    "A name is made of the source, the place in it, the first digits of the SHA-256 of the\n"
    "bytes and of a hash of all of that, and the format. The same asset has the same name in\n"
    "every run.\n"
    "Exit codes: 3 if a source could not be read or a file not be written; the rest is done.\n";

fh_exit fh_extraction_help(void)
{
    return fh_print_help(help);
}

static const char *const grades[] = {"candidate", "structure", "references", "replayed"};
#define NUM_GRADES (sizeof grades / sizeof grades[0])

/* ---- what is wanted ---- */

static bool is_in_words(const char *list, const char *word, size_t word_len)
{
    for (const char *at = list; *at != '\0';) {
        const size_t len = strcspn(at, ",");
        if (len == word_len && strncmp(at, word, len) == 0) {
            return true;
        }
        at += len + (at[len] == ',' ? 1 : 0);
    }
    return false;
}

static bool is_known_format(const char *name, size_t len)
{
    for (size_t i = 0; i < fh_num_formats; i++) {
        if (strlen(fh_formats[i]->name) == len && strncmp(fh_formats[i]->name, name, len) == 0) {
            return true;
        }
    }
    return false;
}

/* The index of a grade, or NUM_GRADES. */
static size_t grade_index(const char *name)
{
    size_t i = 0;
    while (i < NUM_GRADES && strcmp(grades[i], name) != 0) {
        i++;
    }
    return i;
}

bool fh_extraction_wants(void *user, int64_t id, const char *format, const char *grade)
{
    const fh_extraction *run = user;
    const size_t index = grade_index(grade);
    return (run->ids == NULL || fh_id_list_has(run->ids, id)) &&
           (run->formats == NULL || is_in_words(run->formats, format, strlen(format))) &&
           (run->grade == 0 || (index >= run->grade && index < NUM_GRADES));
}

/* ---- options ---- */

enum { OPTION_IDS = 256, OPTION_GRADE, OPTION_DRY_RUN };

static fh_exit take_formats(fh_extraction *run, const char *list)
{
    run->formats = list;
    for (const char *at = list; *at != '\0';) {
        const size_t len = strcspn(at, ",");
        if (!is_known_format(at, len)) {
            return fh_usage_error("extract", "--formats: '%s' is no list of known formats",
                                  fh_safe_path(list));
        }
        at += len + (at[len] == ',' ? 1 : 0);
    }
    return list[0] != '\0' ? FH_EXIT_OK : fh_usage_error("extract", "--formats is empty");
}

static fh_exit take_option(fh_extraction *run, int c, char **argv)
{
    switch (c) {
    case 'd':
        run->directory = optarg;
        return FH_EXIT_OK;
    case 'f':
        return take_formats(run, optarg);
    case OPTION_IDS:
        run->ids = optarg;
        return fh_is_id_list(optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("extract", "--ids is a list such as 1,5,10-20, not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_GRADE:
        run->grade = grade_index(optarg);
        return run->grade < NUM_GRADES
                   ? FH_EXIT_OK
                   : fh_usage_error("extract",
                                    "--grade is candidate, structure, references or replayed, "
                                    "not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_DRY_RUN:
        run->is_dry = true;
        return FH_EXIT_OK;
    default:
        return fh_common_option("extract", c, argv);
    }
}

fh_exit fh_extraction_options(fh_extraction *run, int argc, char **argv)
{
    static const struct option options[] = {{"directory", required_argument, NULL, 'd'},
                                            {"formats", required_argument, NULL, 'f'},
                                            {"ids", required_argument, NULL, OPTION_IDS},
                                            {"grade", required_argument, NULL, OPTION_GRADE},
                                            {"dry-run", no_argument, NULL, OPTION_DRY_RUN},
                                            FH_COMMON_OPTIONS,
                                            {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":d:f:", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    return argc - optind == 1 ? FH_EXIT_OK
                              : fh_usage_error("extract", "exactly one database is needed");
}
