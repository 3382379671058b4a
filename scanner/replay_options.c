/* The options of framehound replay. */
#include "replay.h"

#include "core/number.h"

#include <getopt.h>
#include <string.h>
#include <strings.h>

static const char help[] =
    "Usage: framehound replay [OPTION...] FILE|DB:ID|SOURCE@ADDRESS\n"
    "\n"
    "Runs an animation through the reference evaluator and prints the poses of every frame; a\n"
    "model without one has a single frame.\n"
    "DB:ID is asset ID of the database DB, whose source must still be where it was.\n"
    "SOURCE@ADDRESS is the asset that begins at a place of an image, a memory dump or another\n"
    "source, as framehound inspect has it: disc.bin@lba:23. Findings go to standard error.\n"
    "\n"
    "  -F, --format FORMAT   text (default), csv, json; svg, a picture; or canonical: the file\n"
    "                        itself, written anew in the one form of its format (TRA4 and\n"
    "                        camerawork), if no finding of it is an error\n"
    "  -o, --output FILE     write there instead of to standard output, which - is, too; without\n"
    "                        --format, a name that ends in .csv or .json asks for that form, one\n"
    "                        that ends in .svg for a picture (the channels over time, the paths\n"
    "                        of cameras, some poses; jumps and findings marked), and one that\n"
    "                        ends in .glb or .gltf for a glTF 2.0 animation: nodes that move as\n"
    "                        the poses say, with meshes, textures, morphing, cameras and lights\n"
    "                        as far as the asset has them\n"
    "      --profile NAME    player behaviour: 1.31 (default) or 1.30 (TOD); 4.4 (HMD);\n"
    "                        4.0 (TRA4); hermite (camerawork)\n"
    "      --slots N         size of the player's object table, 1 to 1024 (TOD; default 50)\n"
    "      --after FILE      replay FILE first on the same objects, silently; may be repeated\n"
    "                        (TOD)\n"
    "      --time-step N     time between two steps of a simulation (camerawork; default 1)\n"
    "      --world           poses in world space besides; of TRA4 only with the model, not\n"
    "                        of camerawork\n"
    "      --bac FILE        BAC6 text of the model that the animation moves (TRA4); default is a\n"
    "                        file beside, of the same name but for .bac; 'none': no model\n"
    "      --tmd FILE        TMD models that the objects look like (TOD, in glTF)\n"
    "      --changes         only what differs from the frame before\n"
    "      --fail-on LEVEL   exit with 1 from this severity on: error (default), warning,\n"
    "                        note, never\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n";

fh_exit fh_replay_help(void)
{
    return fh_print_help(help);
}

enum {
    OPTION_PROFILE = 256,
    OPTION_SLOTS,
    OPTION_AFTER,
    OPTION_TIME_STEP,
    OPTION_WORLD,
    OPTION_CHANGES,
    OPTION_BAC,
    OPTION_TMD,
    OPTION_FAIL_ON
};

static bool parse_form(fh_replay_run *run, const char *name)
{
    static const char *const names[] = {"text", "csv", "json"};
    run->has_form = true;
    run->is_svg = strcmp(name, "svg") == 0;
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            run->form = (fh_pose_form)i;
            run->is_canonical = false;
            return true;
        }
    }
    run->is_canonical = strcmp(name, "canonical") == 0;
    return run->is_canonical || run->is_svg;
}

static bool take_slots(fh_replay_run *run)
{
    return fh_parse_u32(&run->options.num_slots, optarg) && run->options.num_slots > 0 &&
           run->options.num_slots <= FH_PLAYER_MAX_SLOTS;
}

static bool take_time_step(fh_replay_run *run)
{
    const fh_real number = fh_number_real(optarg, strlen(optarg));
    run->options.time_step = number.value;
    return number.fault == FH_NUMBER_GOOD && number.value > 0 && !number.is_huge;
}

static bool take_before(fh_replay_run *run)
{
    if (run->options.num_before == FH_REPLAY_MOST_BEFORE) {
        return false;
    }
    run->before_paths[run->options.num_before++] = optarg;
    return true;
}

/* Takes an option; NULL, or what its value should have been. */
static const char *take_option(fh_replay_run *run, int c)
{
    switch (c) {
    case 'F':
        return parse_form(run, optarg) ? NULL
                                       : "--format is text, csv, json, svg or canonical (glTF is "
                                         "asked for by -o NAME.glb)";
    case 'o':
        run->output = strcmp(optarg, "-") == 0 ? NULL : optarg;
        return NULL;
    case OPTION_PROFILE:
        run->options.profile = optarg;
        return fh_is_profile(optarg) ? NULL
                                     : "--profile is 1.31 or 1.30 (TOD), 4.4 (HMD), 4.0 (TRA4) or "
                                       "hermite (camerawork)";
    case OPTION_SLOTS:
        return take_slots(run) ? NULL : "--slots is a number from 1 to 1024";
    case OPTION_AFTER:
        return take_before(run) ? NULL : "--after can be given 16 times";
    case OPTION_TIME_STEP:
        return take_time_step(run) ? NULL : "--time-step is a number above 0";
    case OPTION_FAIL_ON:
        return fh_parse_fail_on(&run->fail_on, optarg)
                   ? NULL
                   : "--fail-on is error, warning, note or never";
    case OPTION_BAC:
        run->beside.asked = optarg;
        return NULL;
    case OPTION_TMD:
        run->gltf.models = optarg;
        return NULL;
    case OPTION_WORLD:
        run->options.world = true;
        return NULL;
    default:
        run->options.changes_only = true;
        return NULL;
    }
}

/* Without --format the name of the output says what is meant. */
static fh_exit choose_form(fh_replay_run *run)
{
    const char *dot = run->has_form || run->output == NULL ? NULL : strrchr(run->output, '.');
    if (dot != NULL && strcasecmp(dot, ".csv") == 0) {
        run->form = FH_POSE_CSV;
    } else if (dot != NULL && strcasecmp(dot, ".json") == 0) {
        run->form = FH_POSE_JSON;
    }
    run->is_svg =
        run->is_svg || (dot != NULL && dot != run->output && strcasecmp(dot, ".svg") == 0);
    if (run->is_svg && run->options.changes_only) {
        return fh_usage_error("replay", "--changes does not go with a picture, which shows every "
                                        "frame");
    }
    run->svg = run->is_svg ? fh_svg_make() : NULL;
    if (run->is_svg && run->svg == NULL) {
        fh_complain("the picture: out of memory");
        return FH_EXIT_LIMIT;
    }
    return FH_EXIT_OK;
}

/* Options about what is evaluated do not go with a form that evaluates nothing. */
static fh_exit check_form(fh_replay_run *run)
{
    if (!run->has_form) {
        fh_replay_gltf_choose(&run->gltf, run->output);
    }
    const fh_exit exit = fh_replay_gltf_check(&run->gltf, NULL, &run->options);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    const fh_replay_options *options = &run->options;
    const struct {
        bool is_given;
        const char *name;
    } about[] = {{options->profile != NULL, "--profile"},
                 {options->num_slots > 0, "--slots"},
                 {options->num_before > 0, "--after"},
                 {options->time_step > 0, "--time-step"},
                 {options->world, "--world"},
                 {run->beside.asked != NULL, "--bac"},
                 {options->changes_only, "--changes"}};
    for (size_t i = 0; i < sizeof about / sizeof about[0]; i++) {
        if (run->is_canonical && about[i].is_given) {
            return fh_usage_error("replay",
                                  "%s does not go with --format canonical, which evaluates nothing",
                                  about[i].name);
        }
    }
    return FH_EXIT_OK;
}

fh_exit fh_replay_parse(fh_replay_run *run, int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'F'},
        {"output", required_argument, NULL, 'o'},
        {"profile", required_argument, NULL, OPTION_PROFILE},
        {"slots", required_argument, NULL, OPTION_SLOTS},
        {"after", required_argument, NULL, OPTION_AFTER},
        {"time-step", required_argument, NULL, OPTION_TIME_STEP},
        {"world", no_argument, NULL, OPTION_WORLD},
        {"changes", no_argument, NULL, OPTION_CHANGES},
        {"bac", required_argument, NULL, OPTION_BAC},
        {"tmd", required_argument, NULL, OPTION_TMD},
        {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
        FH_COMMON_OPTIONS,
        {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:o:", options, NULL)) != -1;) {
        if (c == '?' || c == ':' || c == FH_OPTION_SANDBOX) {
            const fh_exit exit = fh_common_option("replay", c, argv);
            if (exit != FH_EXIT_OK) {
                return exit;
            }
            continue;
        }
        const char *demand = take_option(run, c);
        if (demand != NULL) {
            return fh_usage_error("replay", "%s, not '%s'", demand, fh_safe_path(optarg));
        }
    }
    if (optind + 1 != argc) {
        return fh_usage_error("replay", "exactly one FILE, DB:ID or SOURCE@ADDRESS is needed");
    }
    if (fh_beside_is(&run->beside, argv[optind])) {
        return fh_usage_error("replay", "%s cannot be the model and what it moves",
                              fh_safe_path(argv[optind]));
    }
    const fh_exit exit = choose_form(run);
    return exit == FH_EXIT_OK ? check_form(run) : exit;
}
