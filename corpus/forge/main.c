/* forge: the command line of the builders, and of the memory that an HMD file becomes.
 *
 * Exit codes: 0 built; 2 the description or the command line is wrong; 3 reading or writing failed.
 */
#include "forge/bac_text.h"
#include "forge/camerawork.h"
#include "forge/hmd.h"
#include "forge/image_text.h"
#include "forge/line.h"
#include "forge/tod_text.h"
#include "forge/tra_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_TEXT = 16 * 1024 * 1024 };

static const char usage_all[] =
    "usage: forge tod DESCRIPTION.forge -o OUT.tod\n"
    "       forge hmd DESCRIPTION.forge -o OUT.hmd\n"
    "       forge camerawork DESCRIPTION.forge -o OUT.cam\n"
    "       forge map FILE.hmd -o OUT.bin [--base ADDRESS] [--stage STAGE]\n"
    "       forge tra DESCRIPTION.forge -o OUT.tra\n"
    "       forge bac DESCRIPTION.forge -o OUT.bac\n"
    "       forge image DESCRIPTION.forge -o OUT.bin [--root DIR]\n"
    "\n"
    "Builds animation data or a disc image from a short description, or lays an HMD file out as\n"
    "it stands in memory. '-' is standard input or output. `forge COMMAND --help` says more;\n"
    "corpus/forge/README.md documents the languages.\n";

static const char usage_tod[] =
    "usage: forge tod DESCRIPTION.forge -o OUT.tod\n"
    "\n"
    "Statements:\n"
    "  tod [resolution=N] [id=N] [version=N] [count=N]\n"
    "  frame N|+|+K [size=W] [packets=P]\n"
    "  attr ID MASK VALUE              model ID N              parent ID N|world\n"
    "  coord ID [abs|diff] [r X Y Z] [s X Y Z [pad=N]] [t X Y Z]\n"
    "  matrix ID m00 m01 m02 m10 m11 m12 m20 m21 m22 t0 t1 t2 [pad=N]\n"
    "  light ID [abs|diff] [dir X Y Z] [rgb R G B [pad=N]]\n"
    "  camera ID [abs|diff] view [pos X Y Z X Y Z] [twist A]\n"
    "  camera ID [abs|diff] rt [r X Y Z] [t X Y Z]\n"
    "  create ID        kill ID        end        packet ID TYPE FLAG [WORD...]\n"
    "  word W...        tail           zero N     byte B...\n"
    "  repeat COUNT ... endrepeat      cut N      cut to N\n"
    "Packet lines may end in len=N flag=N type=N id=N; $ is the index of the repeat.\n";

static const char usage_hmd[] =
    "usage: forge hmd DESCRIPTION.forge -o OUT.hmd\n"
    "\n"
    "Statements, each with `LABEL:` in front of it if wanted:\n"
    "  hmd [headers=V] [version=V] [flag=V] [count=N]         blocks V...\n"
    "  coordinates [count=N]      unit [rot X Y Z] [t X Y Z] [m M...] [parent=K]\n"
    "  headers [count=N]          header V... [size=N]\n"
    "  primitive header=V [next=V] [count=N] [map=0|1]\n"
    "  record TYPE V... [size=N] [count=N] [scan=0|1] [div=N]\n"
    "  packet TYPE [rgb ...] [uv ...] [n ...] [v ...] [clut=N] [page=N] [code=N]\n"
    "  mesh TYPE ... [num=N]      strip ...                   vec X Y Z\n"
    "  table TYPE...              key type=N tframe=N param=N\n"
    "  jump to=N [dst=N] [cnd=N]  end [p1=N]                  work p2=N [p1=N]\n"
    "  value TYPE [t ...] [r ...] [s ...] [v ...]\n"
    "  sequence coord=N|offset=V start=N [speed=N ...]        managed START [sid=N]\n"
    "  joint COORD   delta KEY [dv X Y Z] [dt X Y Z]          reset rpy|axes\n"
    "  shape         diff KEY V   notify V   deltas FIRST     resets   original FIRST AT COUNT\n"
    "  ground X0 Y0 W H NW NH     row IDX CELLS     cell flat|textured ...     corners ...\n"
    "  camera H ROT POS... REF... light R G B [POS... REF...]\n"
    "  word V...  half V...  byte V...  zero N  align  patch PLACE V  cut N  cut to N\n"
    "  repeat COUNT ... endrepeat\n"
    "A value V is a number, a:b (halves), a:b:c:d (bytes), @label (words from the start), !label\n"
    "(flagged), (label-label), (label-label)/N, or %label (how many packets or vectors follow).\n";

static const char usage_camerawork[] =
    "usage: forge camerawork DESCRIPTION.forge -o OUT.cam\n"
    "\n"
    "Statements:\n"
    "  camerawork [eol=lf|crlf|cr|none] [form=e2|e3|given] [encoding=bytes|utf16le|utf16be]\n"
    "             [bom=no|yes]\n"
    "  set GROUP...\n"
    "  row [N|+|+K] [key] [anchored] [GROUP...] [stored=0|1] [cK=TOKEN...] [columns=N]\n"
    "      [tab=K] [wide=K] [front=N] [back=N] [eol=...]\n"
    "  line ROWS EVERY X Y Z X Y Z [step=T]      circle ROWS EVERY RADIUS DEGREES [step=T]\n"
    "  text \"...\" [eol=...]    byte B...    zero N    cut N    cut to N\n"
    "  repeat COUNT ... endrepeat\n"
    "A GROUP is pos, target, top, anchor, vel, dtarget or dtop and three values: numbers, which\n"
    "are printed, or anything else, which is copied.\n";

static const char usage_map[] =
    "usage: forge map FILE.hmd -o OUT.bin [--base ADDRESS] [--stage STAGE] [--root ADDRESS]\n"
    "                 [--driver TYPE=ADDRESS]...\n"
    "\n"
    "Does to an HMD file what the run-time library does to it in memory.\n"
    "  --base ADDRESS         of the file's first word; default 0x80100000\n"
    "  --stage STAGE          mapped (default), scanned, coordinates or playing\n"
    "  --root ADDRESS         what supers of 0 become from `coordinates` on\n"
    "  --driver TYPE=ADDRESS  of a type; the others get addresses that are made up\n";

static const char usage_tra[] =
    "usage: forge tra DESCRIPTION.forge -o OUT.tra\n"
    "\n"
    "Statements; numbers and names are copied as they stand:\n"
    "  tra [encoding=ascii|utf16le|utf16be] [eol=lf|crlf|cr] [bom=yes]\n"
    "  magic [TEXT]        ;TRA and what follows on its line\n"
    "  head [VERSION]      figure FRAMES       bone [NAME]         omit CHANNEL...\n"
    "  translate.x|.y|.z, scale.x|.y|.z, rotate.x|.y|.z, roll [FRAME VALUE]...\n"
    "  dynamic             kgf [FRAME GROUP true|false]\n"
    "  end                 of a bone or of dynamic        close   of the figure\n"
    "  line TEXT...        text TEXT...        eol lf|crlf|cr\n"
    "  char N... [times=N] byte N...           cut N\n"
    "  repeat COUNT ... endrepeat\n"
    "In a quoted TEXT: \\q a double quote, \\t \\r \\n \\f \\\\ \\xHH, in UTF-16 \\uHHHH,\n"
    "\\i the index of the repeat.\n";

static const char usage_bac[] =
    "usage: forge bac DESCRIPTION.forge -o OUT.bac\n"
    "\n"
    "Statements; numbers and names are copied as they stand:\n"
    "  bac                 magic [TEXT]        head [VERSION]      figure\n"
    "  bone NAME DEPTH [translate X Y Z, rotate X Y Z, handle X Y Z: nine numbers]\n"
    "       [hasChild=WORD] [hasBrother=WORD] [omit=CHUNK]\n"
    "  groups N            words WORD...       cut N\n"
    "  end                 of the bones        close   of the figure\n";

static const char usage_image[] =
    "usage: forge image DESCRIPTION.forge -o OUT.bin [--root DIR]\n"
    "\n"
    "File names are relative to the description's folder, or to DIR.\n"
    "Statements:\n"
    "  image stride=2048|2336|2352|2368|2448 [mode=1|2] [start=MM:SS:FF] [prefix=FILE|N]\n"
    "  iso VOLUME-ID [system=NAME] [joliet=no]\n"
    "  file PATH < FILE [form=1|2] [at=LBA] [size=N] [block=N]\n"
    "  hidden < FILE [at=LBA] [skip=N]\n"
    "  form2 N [file=F channel=C submode=S coding=B fill=B edc=0|1] [at=LBA]\n"
    "  audio N [fill=B] [at=LBA]       mode0 N [at=LBA]\n"
    "  gap N [at=LBA]                  missing N [at=LBA]       raw FILE [at=LBA]\n"
    "  interleave K J [xa] [file=F channel=C submode=S coding=B fill=B]\n"
    "  bad sync|header|edc|ecc LBA     noedc     nofill     cut N\n";

/* ---- files ---- */

static bool read_all(FILE *file, forge_buf *text, forge_error *err)
{
    char chunk[4096];
    size_t len = 0;
    while ((len = fread(chunk, 1, sizeof chunk, file)) > 0) {
        forge_buf_bytes(text, chunk, len);
    }
    return ferror(file) == 0 || forge_fail(err, FORGE_IO, 0, "cannot be read: %s", strerror(errno));
}

static bool read_path(const char *path, forge_buf *text, forge_error *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return forge_fail(err, FORGE_IO, 0, "cannot be opened: %s", strerror(errno));
    }
    bool ok = read_all(file, text, err);
    (void)fclose(file); /* only read from */
    return ok;
}

static bool read_text(const char *path, forge_buf *text, forge_error *err)
{
    bool ok = strcmp(path, "-") == 0 ? read_all(stdin, text, err) : read_path(path, text, err);
    if (!ok) {
        return false;
    }
    if (text->state == FORGE_BUF_FULL) {
        return forge_fail(err, FORGE_BAD, 0, "longer than %d bytes, expected a description",
                          MAX_TEXT);
    }
    return text->state == FORGE_BUF_OK || forge_fail(err, FORGE_IO, 0, "out of memory");
}

/* Half an output is worse than none; but only a file of ours is removed, never a device. */
static void remove_output(FILE *file, const char *path)
{
    struct stat info;
    if (fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode)) {
        (void)remove(path);
    }
}

typedef bool produce(void *what, FILE *out, forge_error *err);

/* Opens the output, lets `make` fill it, and sees to it that all of it arrived. */
static bool write_output(const char *path, produce *make, void *what, forge_error *err)
{
    bool is_stdout = strcmp(path, "-") == 0;
    FILE *out = is_stdout ? stdout : fopen(path, "wb");
    if (out == NULL) {
        return forge_fail(err, FORGE_IO, 0, "%s: cannot be opened: %s", path, strerror(errno));
    }
    bool ok = make(what, out, err);
    if (ok && fflush(out) != 0) {
        ok = forge_fail(err, FORGE_IO, 0, "%s: cannot be written: %s", path, strerror(errno));
    }
    if (!ok && !is_stdout) {
        remove_output(out, path);
    }
    if (!is_stdout && fclose(out) != 0 && ok) {
        ok = forge_fail(err, FORGE_IO, 0, "%s: cannot be written: %s", path, strerror(errno));
    }
    return ok;
}

static bool to_file(void *ctx, const uint8_t *bytes, size_t len)
{
    return fwrite(bytes, 1, len, ctx) == len;
}

/* ---- commands ---- */

enum { MAX_DRIVERS = 256 };

typedef struct command_line {
    const char *input;
    const char *output;
    const char *root;
    const char *base;
    const char *stage;
    const char *drivers[MAX_DRIVERS];
    size_t num_drivers;
} command_line;

static bool put_tod(void *what, FILE *out, forge_error *err)
{
    const forge_tod *tod = what;
    return to_file(out, tod->out.data, tod->out.len) ||
           forge_fail(err, FORGE_IO, 0, "the file cannot be written: %s", strerror(errno));
}

static bool build_tod(const command_line *line, const forge_buf *text, forge_error *err)
{
    forge_tod tod;
    bool ok = forge_tod_text(&tod, err, (const char *)text->data, text->len, FORGE_TOD_LIMIT) &&
              write_output(line->output, put_tod, &tod, err);
    forge_tod_free(&tod);
    return ok;
}

static bool put_buf(void *what, FILE *out, forge_error *err)
{
    const forge_buf *bytes = what;
    return to_file(out, bytes->data, bytes->len) ||
           forge_fail(err, FORGE_IO, 0, "the file cannot be written: %s", strerror(errno));
}

static bool build_hmd(const command_line *line, const forge_buf *text, forge_error *err)
{
    forge_buf out;
    bool ok = forge_hmd_text(&out, err, (const char *)text->data, text->len, FORGE_HMD_LIMIT) &&
              write_output(line->output, put_buf, &out, err);
    forge_buf_free(&out);
    return ok;
}

static bool build_camerawork(const command_line *line, const forge_buf *text, forge_error *err)
{
    forge_buf out;
    bool ok = forge_camerawork_text(&out, err, (const char *)text->data, text->len,
                                    FORGE_CAMERAWORK_LIMIT) &&
              write_output(line->output, put_buf, &out, err);
    forge_buf_free(&out);
    return ok;
}

static bool build_tra(const command_line *line, const forge_buf *text, forge_error *err)
{
    forge_buf out;
    bool ok = forge_tra_text(&out, err, (const char *)text->data, text->len, FORGE_TRA_LIMIT) &&
              write_output(line->output, put_buf, &out, err);
    forge_buf_free(&out);
    return ok;
}

static bool build_bac(const command_line *line, const forge_buf *text, forge_error *err)
{
    forge_buf out;
    bool ok = forge_bac_text(&out, err, (const char *)text->data, text->len, FORGE_BAC_LIMIT) &&
              write_output(line->output, put_buf, &out, err);
    forge_buf_free(&out);
    return ok;
}

/* ---- map ---- */

/* A number of the command line, through the one number parser of the forge. */
static bool read_word(const char *name, const char *at, size_t len, uint32_t *out, forge_error *err)
{
    const forge_range range = {.name = name, .min = 0, .max = UINT32_MAX};
    const forge_word word = {.at = at, .len = len};
    int64_t value = 0;
    forge_line *line = calloc(1, sizeof *line);
    if (line == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    line->err = err;
    bool ok = forge_word_number(line, &word, range, &value);
    free(line);
    *out = (uint32_t)value;
    return ok;
}

static bool read_stage(const char *name, forge_hmd_stage *stage, forge_error *err)
{
    static const char *const names[] = {"mapped", "scanned", "coordinates", "playing"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            *stage = (forge_hmd_stage)i;
            return true;
        }
    }
    return forge_fail(err, FORGE_BAD, 0,
                      "stage '%s' is unknown, expected mapped, scanned, coordinates or playing",
                      name);
}

static bool read_driver(const char *text, forge_hmd_driver *driver, forge_error *err)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL) {
        return forge_fail(err, FORGE_BAD, 0, "driver '%s': expected TYPE=ADDRESS", text);
    }
    return read_word("driver type", text, (size_t)(equals - text), &driver->type, err) &&
           read_word("driver address", equals + 1, strlen(equals + 1), &driver->address, err);
}

static bool read_memory(const command_line *line, forge_hmd_memory *memory,
                        forge_hmd_driver *drivers, forge_error *err)
{
    *memory = (forge_hmd_memory){.base = FORGE_HMD_KSEG0 + FORGE_HMD_DEFAULT_BASE,
                                 .drivers = drivers,
                                 .num_drivers = line->num_drivers,
                                 .has_root = line->root != NULL};
    for (size_t i = 0; i < line->num_drivers; i++) {
        if (!read_driver(line->drivers[i], &drivers[i], err)) {
            return false;
        }
    }
    return (line->base == NULL ||
            read_word("base", line->base, strlen(line->base), &memory->base, err)) &&
           (line->root == NULL ||
            read_word("root", line->root, strlen(line->root), &memory->root, err)) &&
           (line->stage == NULL || read_stage(line->stage, &memory->stage, err));
}

static bool build_map(const command_line *line, const forge_buf *text, forge_error *err)
{
    forge_hmd_memory memory;
    forge_hmd_driver drivers[MAX_DRIVERS];
    forge_buf bytes = forge_buf_make(text->len);
    forge_buf_bytes(&bytes, text->data, text->len);
    bool ok = bytes.state == FORGE_BUF_OK || forge_fail(err, FORGE_IO, 0, "out of memory");
    ok = ok && read_memory(line, &memory, drivers, err) &&
         forge_hmd_map(bytes.data, err, bytes.len, &memory) &&
         write_output(line->output, put_buf, &bytes, err);
    forge_buf_free(&bytes);
    return ok;
}

static bool put_image(void *what, FILE *out, forge_error *err)
{
    return forge_image_write(what, err, to_file, out);
}

/* The folder of a path, as much of it as is there. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : (size_t)(slash - path);
    if (slash == path) {
        len = 1;
    }
    return len == 0 ? strdup(".") : strndup(path, len);
}

static bool build_image(const command_line *line, const forge_buf *text, forge_error *err)
{
    forge_image *image = NULL;
    char *root = line->root != NULL ? strdup(line->root) : folder_of(line->input);
    if (root == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    bool ok = forge_image_text(&image, err, (const char *)text->data, text->len, root) &&
              write_output(line->output, put_image, image, err);
    forge_image_free(image);
    free(root);
    return ok;
}

typedef struct command {
    const char *name;
    const char *usage;
    bool has_root;
    bool is_map;
    bool (*build)(const command_line *line, const forge_buf *text, forge_error *err);
} command;

static const command commands[] = {
    {"tod", usage_tod, false, false, build_tod},
    {"hmd", usage_hmd, false, false, build_hmd},
    {"tra", usage_tra, false, false, build_tra},
    {"bac", usage_bac, false, false, build_bac},
    {"camerawork", usage_camerawork, false, false, build_camerawork},
    {"map", usage_map, true, true, build_map},
    {"image", usage_image, true, false, build_image},
};

static void report(const char *path, const forge_error *err)
{
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    if (err->line > 0) {
        (void)fprintf(stderr, "%s:%u: %s\n", name, err->line, err->text);
    } else {
        (void)fprintf(stderr, "%s: %s\n", name, err->text);
    }
}

static int run(const command *cmd, const command_line *line)
{
    forge_error err = {.kind = FORGE_OK};
    forge_buf text = forge_buf_make(MAX_TEXT);
    bool ok = read_text(line->input, &text, &err) && cmd->build(line, &text, &err);
    forge_buf_free(&text);
    if (!ok) {
        report(line->input, &err);
    }
    return ok ? 0 : (int)err.kind;
}

/* ---- the command line ---- */

static int wrong_usage(const char *usage, const char *what, const char *word)
{
    (void)fprintf(stderr, "forge: %s%s\n%s", what, word, usage);
    return FORGE_BAD;
}

/* Where an option's value goes; NULL for an option that the command does not have. */
static const char **place_of(const command *cmd, command_line *line, const char *word)
{
    if (strcmp(word, "-o") == 0) {
        return &line->output;
    }
    if (cmd->has_root && strcmp(word, "--root") == 0) {
        return &line->root;
    }
    if (cmd->is_map && strcmp(word, "--base") == 0) {
        return &line->base;
    }
    if (cmd->is_map && strcmp(word, "--stage") == 0) {
        return &line->stage;
    }
    if (cmd->is_map && strcmp(word, "--driver") == 0 && line->num_drivers < MAX_DRIVERS) {
        return &line->drivers[line->num_drivers++];
    }
    return NULL;
}

/* Takes argv[*at] and its value, if it has one. Returns 0, or the exit code. */
static int take_word(const command *cmd, command_line *line, char **argv, int argc, int *at)
{
    const char *word = argv[*at];
    const char **value = place_of(cmd, line, word);
    if (value == NULL && word[0] == '-' && word[1] != '\0') {
        return wrong_usage(cmd->usage, "unknown option ", word);
    }
    if (value == NULL && line->input != NULL) {
        return wrong_usage(cmd->usage, "one description at a time, not also ", word);
    }
    if (value == NULL) {
        line->input = word;
        return 0;
    }
    if (*at + 1 == argc) {
        return wrong_usage(cmd->usage, "a value is missing behind ", word);
    }
    *value = argv[++*at];
    return 0;
}

static bool wants_help(char **argv, int argc)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static int run_command(const command *cmd, char **argv, int argc)
{
    command_line line = {0};
    if (wants_help(argv, argc)) {
        (void)fputs(cmd->usage, stdout);
        return 0;
    }
    for (int at = 0; at < argc; at++) {
        int code = take_word(cmd, &line, argv, argc, &at);
        if (code != 0) {
            return code;
        }
    }
    if (line.input == NULL || line.output == NULL) {
        return wrong_usage(
            cmd->usage,
            cmd->is_map ? "expected a file and -o OUT" : "expected a description and -o OUT", "");
    }
    return run(cmd, &line);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return run_command(&commands[i], argv + 2, argc - 2);
        }
    }
    if (wants_help(argv + 1, argc - 1)) {
        (void)fputs(usage_all, stdout);
        return 0;
    }
    return argc > 1 ? wrong_usage(usage_all, "unknown command ", argv[1])
                    : wrong_usage(usage_all, "expected a command", "");
}
