/* Makes the table of fixtures that the program holds: see rule_fixtures.h and corpus/README.md.
 *
 *     collect_fixtures OUT.c DEPFILE CORPUS RULES.def...
 *
 * Runs while the project is built, on files of the project alone. A rule without an input that
 * breaks it, or without one that does not, ends the build. Whatever is read goes into DEPFILE.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    CODE_LEN = 7,
    MOST_CODES = 2048,
    MOST_FIXTURES = 8192,
    MOST_PATH = 1024,
    MOST_TEXT = 1 << 20,
};

typedef struct fixture {
    char code[CODE_LEN + 1];
    bool is_bad;
    bool is_file;         /* not a test */
    char name[MOST_PATH]; /* below the corpus; of a test "path: suite, test" */
} fixture;

static char codes[MOST_CODES][CODE_LEN + 1];
static size_t num_codes;
static fixture fixtures[MOST_FIXTURES];
static size_t num_fixtures;
static char text[MOST_TEXT];
static char corpus[MOST_PATH];
static FILE *depfile;

static void die(const char *what, const char *of)
{
    (void)fprintf(stderr, "collect_fixtures: %s: %s\n", of, what);
    exit(1);
}

/* ---- reading ---- */

static void depend_on(const char *path)
{
    (void)fprintf(depfile, " \\\n ");
    for (; *path != '\0'; path++) {
        (void)fprintf(depfile, "%s%c", *path == ' ' ? "\\" : "", *path);
    }
}

/* Reads a file into text; false if there is none. */
static bool read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL && errno == ENOENT) {
        return false;
    }
    if (file == NULL) {
        die(strerror(errno), path);
        return false;
    }
    const size_t len = fread(text, 1, sizeof text - 1, file);
    if (ferror(file) || len == sizeof text - 1) {
        die("cannot be read, or is too long", path);
    }
    text[len] = '\0';
    (void)fclose(file);
    depend_on(path);
    return true;
}

static void join(char out[MOST_PATH], const char *folder, const char *name)
{
    const int len = snprintf(out, MOST_PATH, "%s/%s", folder, name);
    if (len < 0 || len >= MOST_PATH) {
        die("the path is too long", name);
    }
}

/* Whether the word begins with a code: three letters and four digits. */
static bool begins_with_code(const char *word)
{
    const size_t letters = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return letters == 3 && strspn(word + letters, "0123456789") == CODE_LEN - letters;
}

static void read_codes(const char *path)
{
    static const char mark[] = "FH_RULE(";
    if (!read_text(path)) {
        die("is not there", path);
    }
    for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
        at += sizeof mark - 1;
        at += strspn(at, " \n");
        if (!begins_with_code(at) || num_codes == MOST_CODES) {
            die("no code behind FH_RULE, or too many rules", path);
        }
        memcpy(codes[num_codes++], at, CODE_LEN);
    }
}

static bool ends_with(const char *name, const char *end)
{
    const size_t len = strlen(name);
    return len >= strlen(end) && strcmp(name + len - strlen(end), end) == 0;
}

static void add(const char *code, bool is_bad, bool is_file, const char *name)
{
    if (num_fixtures == MOST_FIXTURES) {
        die("too many fixtures", name);
    }
    fixture *one = &fixtures[num_fixtures++];
    memcpy(one->code, code, CODE_LEN);
    one->is_bad = is_bad;
    one->is_file = is_file;
    (void)snprintf(one->name, sizeof one->name, "%s", name);
}

static void read_folder(const char *name)
{
    char path[MOST_PATH];
    join(path, corpus, name);
    DIR *dir = opendir(path);
    if (dir == NULL) {
        die(strerror(errno), path);
        return;
    }
    depend_on(path);
    for (const struct dirent *entry = NULL; (entry = readdir(dir)) != NULL;) {
        const bool is_bad = ends_with(entry->d_name, ".bad.forge");
        if (begins_with_code(entry->d_name) &&
            (is_bad || ends_with(entry->d_name, ".good.forge"))) {
            join(path, name, entry->d_name);
            add(entry->d_name, is_bad, true, path);
        }
    }
    (void)closedir(dir);
}

/* Lines of a code, bad or good, a file of the source tree, a suite and a test, parted by tabs. */
static void read_elsewhere(void)
{
    char path[MOST_PATH];
    join(path, corpus, "elsewhere.tsv");
    if (!read_text(path)) {
        die("is not there", path);
    }
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char *part = NULL;
        const char *fields[5] = {0};
        for (size_t i = 0; i < 5; i++) {
            fields[i] = strtok_r(i == 0 ? line : NULL, "\t", &part);
        }
        if (line[0] == '#') {
            continue;
        }
        if (fields[4] == NULL || !begins_with_code(fields[0])) {
            die("a line without five fields", path);
        }
        const bool is_bad = strcmp(fields[1], "bad") == 0;
        if (!is_bad && strcmp(fields[1], "good") != 0) {
            die("a line that is neither bad nor good", path);
        }
        char name[MOST_PATH];
        (void)snprintf(name, sizeof name, "%.300s: %.300s, %.300s", fields[2], fields[3],
                       fields[4]);
        add(fields[0], is_bad, false, name);
    }
}

/* Files before tests, and CODE.bad.forge before CODE-word.bad.forge. */
static int compare(const void *left, const void *right)
{
    const fixture *a = left;
    const fixture *b = right;
    if (a->is_file != b->is_file) {
        return a->is_file ? -1 : 1;
    }
    const size_t len_a = strcspn(a->name, ".");
    const size_t len_b = strcspn(b->name, ".");
    const int order = strncmp(a->name, b->name, len_a < len_b ? len_a : len_b);
    return order != 0       ? order
           : len_a != len_b ? (len_a < len_b ? -1 : 1)
                            : strcmp(a->name, b->name);
}

static int compare_codes(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* ---- writing ---- */

static void put_chars(FILE *out, const char *str, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)str[i];
        if (c == '\n') {
            (void)fputs("\\n\"\n     \"", out);
        } else if (c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '?') {
            (void)fprintf(out, "\\%03o", c);
        } else {
            (void)fputc(c, out);
        }
    }
}

static void put_string(FILE *out, const char *str, size_t len)
{
    (void)fputs("    \"", out);
    put_chars(out, str, len);
    (void)fputs("\",\n", out);
}

static void put_list(FILE *out, const char *code, bool is_bad)
{
    size_t num = 0;
    (void)fprintf(out, "static const char *const %s_%s[] = {\n", is_bad ? "bad" : "good", code);
    for (size_t i = 0; i < num_fixtures; i++) {
        const fixture *one = &fixtures[i];
        if (strcmp(one->code, code) == 0 && one->is_bad == is_bad) {
            (void)fprintf(out, "    \"%s%s\",\n", one->is_file ? "corpus/" : "", one->name);
            num++;
        }
    }
    (void)fputs("    0};\n", out);
    if (num == 0) {
        (void)fprintf(stderr,
                      "collect_fixtures: the rule %s has no input that %s; write "
                      "corpus/FORMAT/%s.%s.forge, or name a test in corpus/elsewhere.tsv\n",
                      code, is_bad ? "breaks it" : "keeps it", code, is_bad ? "bad" : "good");
        exit(1);
    }
}

static const fixture *example_of(const char *code)
{
    for (size_t i = 0; i < num_fixtures; i++) {
        if (strcmp(fixtures[i].code, code) == 0 && fixtures[i].is_bad && fixtures[i].is_file) {
            return &fixtures[i];
        }
    }
    return NULL;
}

/* The comment that the description begins with, up to the lines that a test reads; then the rest.
 */
static void put_description(FILE *out)
{
    static char prose[MOST_TEXT];
    size_t len = 0;
    bool is_prose = true;
    const char *at = text;
    for (; *at == '#'; at += strcspn(at, "\n"), at += *at == '\n' ? 1 : 0) {
        const size_t line = strcspn(at, "\n");
        const size_t skip = strspn(at, "# ");
        is_prose = is_prose && skip < line;
        if (is_prose) {
            len += (size_t)snprintf(prose + len, sizeof prose - len, "%s%.*s", len > 0 ? " " : "",
                                    (int)(line - skip), at + skip);
        }
    }
    put_string(out, prose, len);
    put_string(out, at, strlen(at));
}

/* The first line of the golden report that names the code; nothing where there is none. */
static void put_report(FILE *out, const fixture *one)
{
    char path[MOST_PATH];
    join(path, corpus, one->name);
    path[strlen(path) - strlen(".forge")] = '\0';
    (void)snprintf(path + strlen(path), sizeof path - strlen(path), ".golden");
    if (!read_text(path)) {
        put_string(out, "", 0);
        return;
    }
    const char *at = text;
    while (*at != '\0') {
        const size_t len = strcspn(at, "\n");
        const char *found = strstr(at, one->code);
        if (found != NULL && found < at + len) {
            put_string(out, at, len);
            return;
        }
        at += len + (at[len] == '\n' ? 1 : 0);
    }
    put_string(out, "", 0); /* the tests tell of a report that does not name its rule */
}

static void put_entry(FILE *out, const char *code)
{
    const fixture *one = example_of(code);
    (void)fprintf(out, "    {\"%s\", bad_%s, good_%s,\n", code, code, code);
    if (one == NULL) {
        (void)fputs("     0, 0, 0},\n", out);
        return;
    }
    char path[MOST_PATH];
    join(path, corpus, one->name);
    if (!read_text(path)) {
        die("is gone", path);
    }
    put_description(out);
    put_report(out, one);
    (void)fputs("    },\n", out);
}

static void write_table(const char *path)
{
    FILE *out = fopen(path, "wb");
    if (out == NULL) {
        die(strerror(errno), path);
        return;
    }
    (void)fputs("/* Made by collect_fixtures from corpus/. */\n"
                "#include \"reports/rule_fixtures.h\"\n\n",
                out);
    for (size_t i = 0; i < num_codes; i++) {
        put_list(out, codes[i], true);
        put_list(out, codes[i], false);
    }
    (void)fputs("\nconst fh_rule_fixtures fh_all_rule_fixtures[] = {\n", out);
    for (size_t i = 0; i < num_codes; i++) {
        put_entry(out, codes[i]);
    }
    (void)fprintf(out, "};\nconst size_t fh_num_rule_fixtures = %zu;\n", num_codes);
    if (fclose(out) != 0) {
        die(strerror(errno), path);
    }
}

int main(int argc, char **argv)
{
    static const char *const folders[] = {"camerawork", "hmd", "image", "run", "tod", "tra"};
    if (argc < 5) {
        die("needs OUT.c DEPFILE CORPUS RULES.def...", argv[0]);
    }
    depfile = fopen(argv[2], "wb");
    if (depfile == NULL) {
        die(strerror(errno), argv[2]);
        return 1;
    }
    (void)snprintf(corpus, sizeof corpus, "%s", argv[3]);
    (void)fprintf(depfile, "%s:", argv[1]);
    for (int i = 4; i < argc; i++) {
        read_codes(argv[i]);
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        read_folder(folders[i]);
    }
    read_elsewhere();
    qsort(codes, num_codes, sizeof codes[0], compare_codes);
    qsort(fixtures, num_fixtures, sizeof fixtures[0], compare);
    write_table(argv[1]);
    (void)fputs("\n", depfile);
    return fclose(depfile) == 0 ? 0 : 1;
}
