/* Of fuzz_fields.c: formats whose functions tell the fields of the sound ones, with one of them
 * changed on its way. The linker puts the functions with __wrap_ before those of the program. The
 * file is a TOD; a text lies here.
 */
#include "faulty.h"

#include "fuzz_support.h"

#include "core/describe.h"
#include "registry/registry.h"

#include <stdlib.h>
#include <string.h>

static void ask_bytes(void);
static void ask_text(void);

static const faulty_case cases[] = {
    {"none", NULL},
    {"field without a name", "it has a name", ask_bytes},
    {"field behind the bytes", "it lies in the bytes", ask_bytes},
    {"field over the end", "it lies in the bytes", ask_bytes},
    {"field that is deeper", "it is as deep as the groups around it", ask_bytes},
    {"part in a group", "a part lies in no group", ask_bytes},
    {"number below none", "it is counted from 0", ask_bytes},
    {"half a number", "it holds whole numbers", ask_bytes},
    {"number with a sign", "it has no sign", ask_bytes},
    {"groups without end", "groups are not deep", ask_bytes},
    {"end too many", "what ends has begun", ask_bytes},
    {"end in front", "it ends behind its start", ask_bytes},
    {"end behind the bytes", "it ends behind its start", ask_bytes},
    {"group that does not end", "what has begun ends", ask_bytes},
    {"field that is left out", "a field begins where the last one ended", ask_bytes},
    {"field that is told twice", "a field begins where the last one ended", ask_bytes},
    {"group that begins later", "a group begins where the last field ended", ask_bytes},
    {"last field of a group left out", "a group ends with its last field", ask_bytes},
    {"frames that are left out", "behind the last frame are zeros", ask_bytes},
    {"frames that are left out of a damaged one", NULL, ask_bytes},
    {"asset that is shorter", "fields lie in the asset", ask_bytes},
    {"no memory", "the arena suffices", ask_bytes},
    {"told once", "the same is told twice", ask_bytes},
    {"line that is left out", "a line begins where the last one ended", ask_text},
    {"word that is left out", "what belongs to no word separates words", ask_text},
    {"last word of a line left out", "what belongs to no word separates words", ask_text},
    {"word that is told twice", "words lie in their order", ask_text},
    {"word behind its line", "words lie in their lines", ask_text},
    {"last line left out", "lines end with the text", ask_text},
    {"no block", "the system has memory", ask_bytes},
    {"memory", "memory stays under its bound", ask_bytes, faulty_counts_memory},
    {"time", "time stays under its bound", ask_bytes},
};

/* Names that the linker gives. */
const fh_format *__wrap_fh_format_find(const char *name);
const fh_format *__real_fh_format_find(const char *name);
int64_t __wrap_fh_field_value(const fh_field *field, fh_cursor bytes, size_t i);
int64_t __real_fh_field_value(const fh_field *field, fh_cursor bytes, size_t i);
void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);

static bool is_fed; /* the target has the input */
static const fh_format *real;
static struct {
    const fh_field_sink *out;
    size_t size;
    unsigned num_described; /* of this input */
    unsigned num_begun;
    unsigned num_fields;
    unsigned depth;
    bool is_silent; /* what comes is left out */
} now;

int64_t __wrap_fh_field_value(const fh_field *field, fh_cursor bytes, size_t i)
{
    return faulty_is("number with a sign") ? -1 : __real_fh_field_value(field, bytes, i);
}

void *__wrap_malloc(size_t size)
{
    return is_fed && faulty_is("no block") ? NULL : __real_malloc(size);
}

/* ---- on their way ---- */

static void begin(void *user, const fh_field *group)
{
    fh_field own = *group;
    (void)user;
    now.num_begun++;
    const bool is_second = now.num_begun == 2;
    now.is_silent = now.is_silent || faulty_is("frames that are left out") ||
                    faulty_is("frames that are left out of a damaged one") ||
                    (now.num_begun == 1 && faulty_is("line that is left out"));
    now.depth++;
    if (now.is_silent) {
        return;
    }
    own.off += is_second && faulty_is("group that begins later") ? 1 : 0;
    own.is_part = own.is_part || (group->depth > 0 && faulty_is("part in a group"));
    now.out->begin(now.out->user, &own);
    for (int i = 0; i < 100 && faulty_is("groups without end"); i++) {
        own.depth++;
        now.out->begin(now.out->user, &own);
    }
}

static void end(void *user, size_t at)
{
    (void)user;
    now.depth--;
    const bool is_last = at == now.size && now.depth == 0;
    if (!now.is_silent && !(is_last && (faulty_is("group that does not end")))) {
        at = faulty_is("end in front") ? 0 : faulty_is("end behind the bytes") ? now.size + 1 : at;
        now.out->end(now.out->user, at);
    }
    if (faulty_is("line that is left out") && now.depth == 0) {
        now.is_silent = false;
    }
    if (is_last && faulty_is("end too many")) {
        now.out->end(now.out->user, at);
    }
}

static void field(void *user, const fh_field *one)
{
    fh_field own = *one;
    (void)user;
    now.num_fields++;
    const bool is_second = now.num_fields == 2;
    /* A translation is the last field of its group. */
    const bool is_left_out =
        now.is_silent ||
        (is_second &&
         (faulty_is("field that is left out") || faulty_is("word that is left out"))) ||
        (strcmp(one->name, "translation") == 0 && faulty_is("last field of a group left out")) ||
        (faulty_is("last word of a line left out") && one->off > 0);
    if (is_left_out) {
        return;
    }
    own.name = faulty_is("field without a name") ? NULL : own.name;
    own.off += faulty_is("field behind the bytes") ? now.size + 1 : 0;
    own.len += faulty_is("field over the end") ? now.size : 0;
    own.depth += faulty_is("field that is deeper") ? 1 : 0;
    own.number -= faulty_is("number below none") ? 2 : 0;
    own.len -= faulty_is("half a number") && own.width > 1 ? 1 : 0;
    own.len += one->off == 4 && faulty_is("word behind its line") ? 3 : 0;
    now.out->field(now.out->user, &own);
    if (is_second &&
        (faulty_is("field that is told twice") || faulty_is("word that is told twice"))) {
        now.out->field(now.out->user, &own);
    }
}

static fh_status describe(const fh_env *env, const fh_field_sink *out, fh_cursor bytes)
{
    const fh_field_sink sink = {NULL, begin, field, end};
    now.out = out;
    now.size = bytes.size;
    now.num_described++;
    now.num_begun = now.num_fields = now.depth = 0;
    now.is_silent = false;
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    if (faulty_is("told once") && now.num_described == 2) {
        return FH_LIMIT;
    }
    if (faulty_is("last line left out")) {
        bytes.size = 4;
    }
    const fh_status status = real->describe(env, &sink, bytes);
    return faulty_is("no memory") ? FH_NO_MEMORY : status;
}

static fh_status verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                        const fh_verify_options *options)
{
    static const fh_rule rule = {.code = "TST0001", .severity = FH_WARNING, .title = "title"};
    const fh_finding finding = fh_finding_make(&rule, "field");
    const fh_status status = real->verify(asset, model, env, bytes, options);
    asset->length -= faulty_is("asset that is shorter") ? 1 : 0;
    if (faulty_is("frames that are left out of a damaged one")) {
        env->sink->finding(env->sink->user, &finding);
    }
    return status;
}

const fh_format *__wrap_fh_format_find(const char *name)
{
    static fh_format own;
    real = __real_fh_format_find(name);
    own = *real;
    own.describe = describe;
    own.verify = verify;
    return &own;
}

/* ---- all of them ---- */

static uint8_t *animation; /* owned; behind the number of its format */
static size_t animation_len;

static void feed(const uint8_t *bytes, size_t len)
{
    now.num_described = 0;
    is_fed = true;
    (void)LLVMFuzzerTestOneInput(bytes, len);
}

static void ask_bytes(void)
{
    feed(animation, animation_len);
}

static void ask_text(void)
{
    static const uint8_t text[] = "\2(a b)\n(c d)\n";
    feed(text, sizeof text - 1);
}

static void run(char **files)
{
    size_t len = 0;
    uint8_t *bytes = faulty_read(files[0], &len);
    animation_len = len + 1;
    animation = __real_malloc(animation_len);
    if (animation == NULL) {
        exit(2);
    }
    animation[0] = 0;
    memcpy(animation + 1, bytes, len);
    free(bytes);
    if (faulty_ask() == NULL) {
        ask_bytes();
        ask_text();
    } else {
        faulty_ask()();
    }
    free(animation);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
