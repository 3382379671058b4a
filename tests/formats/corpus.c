#include "corpus.h"

#include "forge/bac_text.h"
#include "forge/camerawork.h"
#include "forge/hmd.h"
#include "forge/tod_text.h"
#include "forge/tra_text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool (*builder)(forge_buf *out, forge_error *err, const char *text, size_t len,
                        size_t limit);

static bool build_tod(forge_buf *out, forge_error *err, const char *text, size_t len, size_t limit)
{
    forge_tod tod;
    const bool is_built = forge_tod_text(&tod, err, text, len, limit);
    *out = tod.out; /* the only thing that is owned */
    return is_built;
}

static builder builder_of(const fh_format *format)
{
    static const struct {
        const char *name;
        builder build;
    } known[] = {{"tod", build_tod},
                 {"hmd", forge_hmd_text},
                 {"tra", forge_tra_text},
                 {"camerawork", forge_camerawork_text}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, format->name) == 0) {
            return known[i].build;
        }
    }
    cr_fatal("the forge has no builder for %s", format->name);
    return NULL;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    HOLD(file != NULL, "%s cannot be opened", path);
    char *text = calloc(1, 1 << 20);
    HOLD(text != NULL && fread(text, 1, (1 << 20) - 1, file) < (1 << 20) - 1, "%s", path);
    (void)fclose(file);
    return text;
}

static forge_buf built(builder build, const char *path, const char *text)
{
    forge_buf out = {0};
    forge_error err = {.kind = FORGE_OK};
    HOLD(build(&out, &err, text, strlen(text), 1 << 24), "%s: line %u: %s", path, err.line,
         err.text);
    return out;
}

/* Whether the first word of the description that is no remark is this one. */
static bool is_in_language(const char *text, const char *language)
{
    while (*text == '#' || *text == '\n') {
        text += strcspn(text, "\n");
        text += *text == '\n' ? 1 : 0;
    }
    const size_t len = strlen(language);
    return strncmp(text, language, len) == 0 && (text[len] == '\n' || text[len] == ' ');
}

static forge_buf companion_of(const char *folder, const char *text)
{
    char path[1024];
    const char *named = strstr(text, "\n# bac: ");
    if (named == NULL) {
        return (forge_buf){0};
    }
    named += strlen("\n# bac: ");
    (void)snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(named, "\n"), named);
    char *model = read_text(path);
    const forge_buf out = built(forge_bac_text, path, model);
    free(model);
    return out;
}

typedef struct walk {
    const fh_format *format;
    char folder[512];
    unsigned num;
    void (*take)(void *user, const corpus_file *file);
    void *user;
} walk;

static void take_file(walk *of, const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", of->folder, name);
    char *text = read_text(path);
    if (is_in_language(text, of->format->name)) {
        corpus_file file = {.name = name,
                            .bytes = built(builder_of(of->format), path, text),
                            .companion = companion_of(of->folder, text)};
        of->take(of->user, &file);
        of->num++;
        forge_buf_free(&file.bytes);
        forge_buf_free(&file.companion);
    }
    free(text);
}

void corpus_each(const fh_format *format, void (*take)(void *user, const corpus_file *file),
                 void *user)
{
    const char *root = getenv("FRAMEHOUND_SOURCE_ROOT");
    walk of = {.format = format, .take = take, .user = user};
    HOLD(root != NULL, "FRAMEHOUND_SOURCE_ROOT says where the corpus lies");
    (void)snprintf(of.folder, sizeof of.folder, "%s/corpus/%s", root, format->name);
    struct dirent **entries = NULL;
    const int num = scandir(of.folder, &entries, NULL, alphasort);
    for (int i = 0; i < num; i++) {
        const size_t len = strlen(entries[i]->d_name);
        if (len > 6 && strcmp(entries[i]->d_name + len - 6, ".forge") == 0) {
            take_file(&of, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    cr_assert(of.num > 0, "%s has assets", of.folder);
}
