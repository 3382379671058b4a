/* framehound merge: the shards of one big scan become its database. */
#include "cmd.h"

#include "new_file.h"
#include "overwrites.h"
#include "sandbox.h"
#include "stored.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "Usage: framehound merge -o OUT.db SHARD.db...\n"
    "\n"
    "Joins the databases that framehound scan --shard made into the one that a scan of all\n"
    "sources would have made: the same rows with the same ids, whatever the order in which the\n"
    "shards are named. All shards must be there and complete, of one version and with the same\n"
    "options, and hold nothing but their newest scan; no two may have a source in common. OUT.db\n"
    "is written beside its place and put there when it is whole; a database of framehound that\n"
    "is there is replaced. Databases that are no shards are joined in the order in which they\n"
    "are named.\n"
    "\n"
    "  -o, --output FILE     the database to write\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n";

static fh_exit parse(const char **out, int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, FH_COMMON_OPTIONS, {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        const fh_exit exit = c == 'o' ? FH_EXIT_OK : fh_common_option("merge", c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
        *out = c == 'o' ? optarg : *out;
    }
    if (*out == NULL) {
        (void)fh_usage_error("merge", "no database to write is named: use -o");
        return FH_EXIT_USAGE;
    }
    return optind < argc ? FH_EXIT_OK : fh_usage_error("merge", "no shard is named");
}

/* What is at the place may be replaced if it is a database of ours, or nothing. */
static bool may_replace(const char *path)
{
    char error[FH_STORE_ERROR_LEN];
    fh_store *store = NULL;
    struct stat file;
    if (stat(path, &file) != 0 || (S_ISREG(file.st_mode) && file.st_size == 0)) {
        return true;
    }
    if (fh_store_open_ro(&store, path, NULL, error, sizeof error) != FH_STORE_OK) {
        fh_complain("%s is not replaced: %s; or choose another file with -o", fh_safe_path(path),
                    error);
        return false;
    }
    fh_store_close(store);
    return true;
}

static bool is_among(const char *path, char **shards)
{
    struct stat file;
    struct stat other;
    for (; stat(path, &file) == 0 && *shards != NULL; shards++) {
        if (stat(*shards, &other) == 0 && fh_same_inode(&file, &other)) {
            return true;
        }
    }
    return false;
}

static fh_exit cannot_write(const char *path, int error)
{
    fh_complain("cannot write %s: %s; choose another file with -o", fh_safe_path(path),
                strerror(error));
    return FH_EXIT_IO;
}

static fh_exit enter_sandbox(const char *out, char **shards)
{
    fh_sandbox box = fh_sandbox_begin();
    fh_sandbox_writes_beside(&box, out);
    for (; *shards != NULL; shards++) {
        fh_sandbox_writes_beside(&box, *shards);
    }
    return fh_sandbox_enter(&box, "merge");
}

static fh_exit merge(const char *out, char **shards, size_t num_shards)
{
    char error[FH_STORE_ERROR_LEN];
    fh_new_file file;
    const int begun = fh_new_file_begin(&file, out, 0666);
    if (begun != 0) {
        return cannot_write(out, begun);
    }
    const fh_store_status status =
        fh_store_merge(file.temporary, (const char *const *)shards, num_shards, &fh_store_asking,
                       error, sizeof error);
    if (status != FH_STORE_OK) {
        fh_complain("%s", error);
        fh_new_file_drop(&file);
        return fh_store_exit(status);
    }
    const int ended = fh_new_file_commit(&file);
    return ended == 0 ? FH_EXIT_OK : cannot_write(out, ended);
}

fh_exit fh_cmd_merge(int argc, char **argv)
{
    const char *out = NULL;
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    const fh_exit exit = parse(&out, argc, argv);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    assert(out != NULL);
    if (is_among(out, argv + optind)) {
        return fh_usage_error("merge", "%s is one of the shards", fh_safe_path(out));
    }
    const fh_exit entered = enter_sandbox(out, argv + optind);
    if (entered != FH_EXIT_OK) {
        return entered;
    }
    return may_replace(out) ? merge(out, argv + optind, (size_t)(argc - optind)) : FH_EXIT_IO;
}
