/* framehound inspect: the labelled bytes of an asset, with findings where they are. */
#include "asset_load.h"
#include "cmd.h"

#include "core/describe.h"
#include "hunt/exam.h"
#include "hunt/hunt.h"
#include "hunt/whole.h"
#include "registry/registry.h"
#include "reports/inspect.h"
#include "sandbox.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: framehound inspect [OPTION...] FILE|DB:ID|SOURCE@ADDRESS\n"
    "\n"
    "Shows the bytes of an asset with labels: where each field lies, its bytes, its name and its\n"
    "value, and below it the findings about it. Groups are folded to a line, but for those that a\n"
    "finding is in. Bytes that no field claims are shown as such. DB:ID is asset ID of the\n"
    "database DB, whose source must still be where it was. SOURCE@ADDRESS is the asset that\n"
    "begins at a place of an image, a memory dump or another source: disc.bin@lba:23,\n"
    "disc.bin@iso:/ANIM/WALK.TOD, ram.bin@ram:0x80100000, a.zip!/game.bin@0x9318; framehound why\n"
    "has the same addresses, and says what they are.\n"
    "\n"
    "  -d, --depth N         unfold N levels (default 1: only what lies in no group)\n"
    "  -u, --unfold PATH     unfold what is called so, as the lines name it and with points\n"
    "                        between: frames[3], 'frames[2..5].packets[*]', vertex@0x240,\n"
    "                        primitive; may be repeated\n"
    "  -r, --rules           below each field the rules that look at it\n"
    "      --bytes FROM..TO  only fields in these bytes of the asset, TO not included, unfolded\n"
    "      --color WHEN      kinds of fields by colour: auto (default, on a terminal), always,\n"
    "                        never; auto honours NO_COLOR\n"
    "      --as FORMAT       label it as this format: tod, hmd, tra, camerawork\n"
    "  -F, --format FORMAT   text (default); json: every field, nothing folded\n"
    "      --layout LAYOUT   of SOURCE, bytes a sector: auto (default, from the content), plain,\n"
    "                        2048, 2336, 2352, 2368, 2448\n"
    "      --fail-on LEVEL   exit with 1 from this severity on: error (default), warning,\n"
    "                        note, never\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n";

enum { COLOUR_AUTO = 0, COLOUR_ALWAYS, COLOUR_NEVER };
enum { MOST_UNFOLDS = 64, MOST_DEPTH = 16, MOST_FINDINGS = 4096 };

typedef struct inspect_run {
    bool is_json;
    const fh_format *as; /* NULL: what it is by its content */
    fh_layout_choice layout;
    const char *unfolds[MOST_UNFOLDS];
    fh_inspect_wish wish;
    int colour; /* COLOUR_AUTO or one of the others */
    fh_fail_on fail_on;
    fh_exit exit;
    fh_inspect_finding *findings; /* owned */
    size_t num_findings;
    bool has_more_findings;
    uint8_t *block; /* of the arena, owned */
} inspect_run;

/* ---- findings ---- */

static void keep_finding(void *user, const fh_finding *finding)
{
    inspect_run *run = user;
    if (run->num_findings == MOST_FINDINGS) {
        run->has_more_findings = true;
        return;
    }
    fh_inspect_finding *kept = &run->findings[run->num_findings++];
    const fh_finding_record record = fh_finding_to_record(finding, kept->message);
    kept->rule = record.rule;
    kept->severity = record.severity;
    kept->offset = record.asset_offset;
    if (fh_fails(&run->fail_on, record.severity)) {
        run->exit = fh_worst(run->exit, FH_EXIT_FINDINGS);
    }
}

/* ---- the work ---- */

static fh_exit fail_by_limit(const char *path, const char *why)
{
    fh_complain("%s: %s", fh_safe_path(path), why);
    return FH_EXIT_LIMIT;
}

static fh_exit choose_format(const inspect_run *run, fh_asset_load *loaded)
{
    const fh_cursor bytes = fh_file_cursor(&loaded->file);
    loaded->format = run->as != NULL ? run->as : loaded->format;
    if (loaded->format == NULL && !fh_format_of_content(&loaded->format, bytes)) {
        return fail_by_limit(loaded->path, "out of memory");
    }
    if (loaded->format == NULL) { /* so that a damaged file is shown */
        loaded->format = fh_format_by_path(loaded->path);
    }
    if (loaded->format != NULL) {
        return FH_EXIT_OK;
    }
    if (fh_is_database(bytes)) {
        return fh_usage_error("inspect",
                              "%s is a database; name one of its assets, as in %s:1 (its view "
                              "v_assets lists them)",
                              fh_safe_path(loaded->path), fh_safe_path(loaded->path));
    }
    fh_complain("%s begins with no animation of a known format; framehound scan looks inside, and "
                "SOURCE@ADDRESS names a place in it; with --as the bytes are shown all the same",
                fh_safe_path(loaded->path));
    return FH_EXIT_FINDINGS;
}

/* Verifies for the findings alone: what is shown does not hang on whether it is sound. */
static fh_exit verify(inspect_run *run, fh_asset *asset, const fh_asset_load *loaded)
{
    const fh_cursor bytes = fh_file_cursor(&loaded->file);
    const fh_verify_options options = {
        .stand_alone = loaded->is_whole, .aligned = true, .is_joined = loaded->is_joined};
    const fh_sink sink = {.user = run, .finding = keep_finding};
    const void *model = NULL;
    const size_t arena_len = fh_arena_len(bytes.size);
    fh_budget budget = fh_budget_for(bytes.size, 0);
    run->findings = calloc(MOST_FINDINGS, sizeof *run->findings);
    run->block = malloc(arena_len);
    if (run->findings == NULL || run->block == NULL) {
        return fail_by_limit(loaded->path, "out of memory");
    }
    fh_arena arena = fh_arena_make(run->block, arena_len);
    const fh_env env = {.arena = &arena, .budget = &budget, .sink = &sink};
    const fh_status status = loaded->format->verify(asset, &model, &env, bytes, &options);
    if (status == FH_LIMIT || status == FH_NO_MEMORY) {
        return fail_by_limit(loaded->path, fh_status_name(status));
    }
    return FH_EXIT_OK;
}

static fh_exit describe(inspect_run *run, fh_field_tree *tree, const fh_asset_load *loaded)
{
    const fh_cursor bytes = fh_file_cursor(&loaded->file);
    const fh_field_sink sink = fh_field_tree_sink(tree);
    fh_arena arena = fh_arena_make(run->block, fh_arena_len(bytes.size));
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const fh_env env = {.arena = &arena, .budget = &budget};
    const fh_status status = loaded->format->describe(&env, &sink, bytes);
    fh_field_tree_finish(tree);
    if (tree->no_memory) {
        return fail_by_limit(loaded->path, "out of memory");
    }
    return status == FH_OK ? FH_EXIT_OK
                           : fail_by_limit(loaded->path, "it refers to more than is followed; what "
                                                         "was reached is shown");
}

static void print(inspect_run *run, fh_out *out, const fh_field_tree *tree,
                  const fh_asset_load *loaded, const fh_asset *asset)
{
    const fh_inspect_asset shown = {tree, fh_file_cursor(&loaded->file), run->findings,
                                    run->num_findings};
    const bool is_auto = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == NULL;
    run->wish.path = loaded->path;
    run->wish.format = loaded->format->name;
    run->wish.grade = fh_grade_name(asset->grade);
    run->wish.unfolds = run->unfolds;
    run->wish.rules = loaded->format->rules;
    run->wish.num_rules = loaded->format->num_rules;
    run->wish.is_coloured = run->colour == COLOUR_ALWAYS || (run->colour == COLOUR_AUTO && is_auto);
    if (run->is_json) {
        fh_inspect_json(out, &shown, &run->wish);
    } else {
        fh_inspect_text(out, &shown, &run->wish);
    }
}

/* A path that names nothing unfolds nothing, which nobody sees in what is shown. */
static fh_exit check_unfolds(const inspect_run *run, const fh_field_tree *tree, const char *path)
{
    fh_exit exit = FH_EXIT_OK;
    for (size_t i = 0; i < run->wish.num_unfolds; i++) {
        if (!fh_inspect_names_any(run->unfolds[i], tree)) {
            exit = fh_usage_error("inspect",
                                  "--unfold %s: nothing%s of %s is called so; the lines have the "
                                  "names, and --depth 16 shows all of them",
                                  run->unfolds[i], tree->is_cut ? " that is shown" : "",
                                  fh_safe_path(path));
        }
    }
    return exit;
}

static fh_exit inspect(inspect_run *run, fh_asset_load *loaded)
{
    fh_asset asset = {.grade = FH_GRADE_CANDIDATE};
    fh_out out = fh_out_make(stdout);
    fh_exit exit = choose_format(run, loaded);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    exit = verify(run, &asset, loaded);
    if (run->block == NULL || run->findings == NULL) {
        return exit;
    }
    fh_field_tree tree = fh_field_tree_make(loaded->file.len);
    tree.holds_lines = loaded->format->is_text;
    exit = fh_worst(exit, describe(run, &tree, loaded)); /* what was too much to verify is shown */
    if (!tree.no_memory) {
        print(run, &out, &tree, loaded, &asset);
        exit = fh_worst(exit, fh_flush_stdout(fh_out_end(&out)));
        exit = fh_worst(exit, check_unfolds(run, &tree, loaded->path));
    }
    fh_field_tree_free(&tree);
    if (run->has_more_findings) {
        fh_complain("%s: only the first %d findings are shown", fh_safe_path(loaded->path),
                    (int)MOST_FINDINGS);
    }
    return fh_worst(exit, run->exit);
}

/* ---- options ---- */

enum { OPTION_BYTES = 256, OPTION_COLOR, OPTION_AS, OPTION_FAIL_ON, OPTION_LAYOUT };

static bool take_depth(inspect_run *run)
{
    uint32_t depth = 0;
    if (!fh_parse_u32(&depth, optarg) || depth == 0 || depth > MOST_DEPTH) {
        return false;
    }
    run->wish.depth = depth;
    return true;
}

static bool take_unfold(inspect_run *run)
{
    if (run->wish.num_unfolds == MOST_UNFOLDS || !fh_inspect_is_path(optarg)) {
        return false;
    }
    run->unfolds[run->wish.num_unfolds++] = optarg;
    return true;
}

static bool take_bytes(inspect_run *run)
{
    char from[24];
    uint32_t first = 0;
    uint32_t end = 0;
    const char *dots = strstr(optarg, "..");
    if (dots == NULL || (size_t)(dots - optarg) >= sizeof from) {
        return false;
    }
    memcpy(from, optarg, (size_t)(dots - optarg));
    from[dots - optarg] = '\0';
    if (!fh_parse_word(&first, from) || !fh_parse_word(&end, dots + 2) || first >= end) {
        return false;
    }
    run->wish.has_range = true;
    run->wish.first = first;
    run->wish.end = end;
    return true;
}

static bool take_color(inspect_run *run)
{
    static const char *const names[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(optarg, names[i]) == 0) {
            run->colour = i;
            return true;
        }
    }
    return false;
}

/* Takes an option; NULL, or what its value should have been. */
static const char *take_option(inspect_run *run, int c)
{
    switch (c) {
    case 'd':
        return take_depth(run) ? NULL : "--depth is a number from 1 to 16";
    case 'r':
        run->wish.has_rules = true;
        return NULL;
    case 'u':
        return take_unfold(run) ? NULL
                                : "--unfold is a path such as frames[3] or 'frames[2..5]', and can "
                                  "be given 64 times";
    case OPTION_BYTES:
        return take_bytes(run) ? NULL : "--bytes is FROM..TO, where TO lies behind FROM";
    case OPTION_COLOR:
        return take_color(run) ? NULL : "--color is auto, always or never";
    case OPTION_AS:
        run->as = fh_format_find(optarg);
        return run->as != NULL ? NULL : "--as is tod, hmd, tra or camerawork";
    default:
        return fh_parse_fail_on(&run->fail_on, optarg)
                   ? NULL
                   : "--fail-on is error, warning, note or never";
    }
}

static fh_exit parse_options(inspect_run *run, int argc, char **argv)
{
    static const struct option options[] = {{"depth", required_argument, NULL, 'd'},
                                            {"unfold", required_argument, NULL, 'u'},
                                            {"rules", no_argument, NULL, 'r'},
                                            {"bytes", required_argument, NULL, OPTION_BYTES},
                                            {"color", required_argument, NULL, OPTION_COLOR},
                                            {"as", required_argument, NULL, OPTION_AS},
                                            {"format", required_argument, NULL, 'F'},
                                            {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
                                            {"layout", required_argument, NULL, OPTION_LAYOUT},
                                            FH_COMMON_OPTIONS,
                                            {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:d:ru:", options, NULL)) != -1;) {
        fh_exit exit = FH_EXIT_OK;
        const char *demand = NULL;
        if (c == '?' || c == ':' || c == FH_OPTION_SANDBOX) {
            exit = fh_common_option("inspect", c, argv);
        } else if (c == 'F') {
            exit = fh_take_json("inspect", &run->is_json, optarg);
        } else if (c == OPTION_LAYOUT) {
            exit = fh_take_layout("inspect", &run->layout, optarg);
        } else {
            demand = take_option(run, c);
        }
        if (demand != NULL) {
            exit = fh_usage_error("inspect", "%s, not '%s'", demand, fh_safe_path(optarg));
        }
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    return optind + 1 == argc
               ? FH_EXIT_OK
               : fh_usage_error("inspect", "exactly one FILE, DB:ID or SOURCE@ADDRESS is needed");
}

static fh_exit enter_sandbox(const char *argument)
{
    fh_sandbox box = fh_sandbox_begin();
    const fh_exit exit = fh_asset_allow(&box, "inspect", argument);
    if (exit != FH_EXIT_OK) {
        fh_sandbox_drop(&box);
        return exit;
    }
    return fh_sandbox_enter(&box, "inspect");
}

static fh_exit load(fh_asset_load *loaded, const inspect_run *run, const char *argument)
{
    return fh_asset_is_at(argument)
               ? fh_asset_load_at(loaded, "inspect", argument, run->as, run->layout)
               : fh_asset_load_named(loaded, "inspect", argument);
}

fh_exit fh_cmd_inspect(int argc, char **argv)
{
    inspect_run run = {.wish = {.depth = 1}, .fail_on = {.severity = FH_ERROR}};
    fh_asset_load loaded = {.path = NULL};
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    fh_exit exit = parse_options(&run, argc, argv);
    if (exit == FH_EXIT_OK) {
        exit = enter_sandbox(argv[optind]);
    }
    if (exit == FH_EXIT_OK) {
        exit = load(&loaded, &run, argv[optind]);
    }
    if (exit == FH_EXIT_OK) {
        exit = inspect(&run, &loaded);
    }
    fh_file_free(&loaded.file);
    free(loaded.path);
    free(run.findings);
    free(run.block);
    return exit;
}
