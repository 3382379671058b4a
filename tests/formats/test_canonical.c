/* The canonical form of texts: what the forge writes in any spelling comes back in one.
 *
 * Each random content is described to the forge twice: once in canonical form, its numbers printed
 * by the C library, and once in some other encoding, with other line ends, blanks, comments and
 * spellings. The second is decoded and written anew, and must be the first, byte for byte.
 */
#include "bench.h"

#include "forge/camerawork.h"
#include "forge/tra_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool (*forge_function)(forge_buf *, forge_error *, const char *, size_t, size_t);

/* A description on its way, or any other text. */
typedef struct writer {
    char *text;
    size_t len;
    size_t room;
} writer;

static void put(writer *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(writer *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    to->len += (size_t)vsnprintf(to->text + to->len, to->room - to->len, format, args);
    va_end(args);
    HOLD(to->len < to->room, "the test's text is too long");
}

enum { ROOM = 1 << 20 };
static char plain_text[ROOM];
static char odd_text[ROOM];

/* One content in two descriptions. */
typedef struct pair {
    dice *d;
    writer plain;
    writer odd;
    bool is_wide;  /* the odd one is UTF-16 */
    bool is_exact; /* no digit of it is lost in the canonical form */
} pair;

static pair make_pair(dice *d)
{
    return (pair){
        .d = d, .plain = {plain_text, 0, sizeof plain_text}, .odd = {odd_text, 0, sizeof odd_text}};
}

static bool toss(pair *p, uint32_t num)
{
    return dice_below(p->d, num) == 0;
}

/* ---- writing anew ---- */

typedef struct written {
    char *text;
    size_t len;
    size_t num_pieces;
} written;

static void take_piece(void *user, const char *text, size_t len)
{
    written *to = user;
    to->text = realloc(to->text, to->len + len + 1);
    HOLD(to->text != NULL, "the test is out of memory");
    memcpy(to->text + to->len, text, len);
    to->len += len;
    to->text[to->len] = '\0';
    to->num_pieces++;
}

static fh_status write_anew(written *out, bench *b)
{
    const fh_text_sink sink = {out, take_piece};
    const fh_env env = {&b->arena, &b->budget, NULL};
    *out = (written){0};
    return b->format->canonical(&env, &sink, b->model);
}

static forge_buf built(forge_function forge, const char *text)
{
    forge_buf out;
    forge_error err = {.kind = FORGE_OK};
    const bool is_good = forge(&out, &err, text, strlen(text), 1 << 22);
    HOLD(is_good, "line %u: %s\n%s", err.line, err.text, text);
    return out;
}

static bool is_sound(const record *of)
{
    for (size_t i = 0; i < of->num_findings; i++) {
        if (of->findings[i].rule->severity == FH_ERROR) {
            return false;
        }
    }
    return true;
}

static const fh_verify_options whole_file = {.stand_alone = true, .aligned = true};

/* Decodes bytes, replays them into b->replay, and writes them anew. */
static written run(bench *b, const void *bytes, size_t len)
{
    const fh_replay_options options = {.time_step = 1};
    written out;
    bench_verify(b, bytes, len, whole_file);
    HOLD(b->model != NULL && b->asset.grade == FH_GRADE_REFERENCES && is_sound(&b->verify),
         "it is sound: %s", record_codes(&b->verify));
    bench_replay(b, &options);
    const fh_status status = write_anew(&out, b);
    HOLD(status == FH_OK, "it can be written: %s", fh_status_name(status));
    return out;
}

static bool same_poses(record *a, record *b)
{
    a->num_findings = 0; /* they tell places in the text */
    b->num_findings = 0;
    return record_equal(a, b);
}

/* Where a pair is decoded. */
typedef struct benches {
    bench odd;
    bench plain;
} benches;

static void open_benches(benches *on, const char *format)
{
    bench_open(&on->odd);
    bench_open(&on->plain);
    on->odd.format = fh_format_find(format);
    on->plain.format = on->odd.format;
}

static void close_benches(benches *on)
{
    bench_close(&on->odd);
    bench_close(&on->plain);
}

static void hold_pair(benches *on, pair *p, forge_function forge)
{
    forge_buf want = built(forge, p->plain.text);
    forge_buf bytes = built(forge, p->odd.text);
    written anew = run(&on->odd, bytes.data, bytes.len);
    written again = run(&on->plain, want.data, want.len);
    HOLD(anew.len == want.len && memcmp(anew.text, want.data, want.len) == 0, "%s\nnot\n%.*s\n%s",
         anew.text, (int)want.len, (const char *)want.data, p->odd.text);
    HOLD(again.len == want.len && memcmp(again.text, want.data, want.len) == 0,
         "the canonical form of the canonical form is another one:\n%s", again.text);
    HOLD(!p->is_exact || same_poses(&on->odd.replay, &on->plain.replay), "the motion changed");
    HOLD(on->odd.replay.num_poses > 0, "there is motion");
    free(anew.text);
    free(again.text);
    forge_buf_free(&bytes);
    forge_buf_free(&want);
}

/* ---- TRA4 ---- */

static const char *const kinds[] = {"translate.x", "translate.y", "translate.z", "scale.x",
                                    "scale.y",     "scale.z",     "rotate.x",    "rotate.y",
                                    "rotate.z",    "roll"};

/* At least six decimals, and as many as it takes: by the C library alone. */
static void print_plain(char text[128], float value)
{
    for (int decimals = 6; decimals < 64; decimals++) {
        (void)snprintf(text, 128, "%.*f", decimals, (double)value);
        const float back = strtof(text, NULL);
        if (memcmp(&back, &value, sizeof back) == 0) {
            return;
        }
    }
    cr_fatal("%a cannot be printed", (double)value);
}

static void print_odd(dice *d, char text[128], float value)
{
    static const char *const forms[] = {"%.9g", "%.12e", "%.60f", "%.17G", "%+.50f"};
    (void)snprintf(text, 128, forms[dice_below(d, 5)], (double)value);
}

static float any_value(dice *d, unsigned kind)
{
    const double unit = dice_below(d, 2000001) / 1000000.0 - 1;
    if (kind == 8) {
        return (float)(1 + unit / 2); /* a direction that is never 0 */
    }
    if (dice_below(d, 12) == 0) {
        static const double strange[] = {0, -0.0, 1e-30, -1e-45, 3e38, 1e-7, 16777217, 0.1};
        return (float)strange[dice_below(d, kind == 6 || kind == 7 ? 4 : 8)];
    }
    return (float)(kind >= 6 && kind < 9 ? unit : unit * 1000);
}

static void put_channel(pair *p, unsigned kind, uint32_t total)
{
    put(&p->plain, "%s", kinds[kind]);
    put(&p->odd, "%s", kinds[kind]);
    for (uint32_t frame = 0; frame < total; frame += 1 + dice_below(p->d, total)) {
        char plain[128];
        char odd[128];
        const float value = any_value(p->d, kind);
        print_plain(plain, value);
        print_odd(p->d, odd, value);
        put(&p->plain, " %u %s", frame, plain);
        put(&p->odd, toss(p, 2) ? " %u %s" : " +0%u %s", frame, odd);
    }
    put(&p->plain, "\n");
    put(&p->odd, "\n");
}

/* A name of any characters; those above 127 come out of UTF-16 as UTF-8, else as they are. */
static void put_any_name(pair *p)
{
    static const char some[] = "abcXYZ019 _-.;()[]{}!#'$%&/=?+*~^,:<>|@";
    put(&p->plain, " \"n");
    put(&p->odd, " \"n");
    for (uint32_t i = dice_below(p->d, 12); i > 0; i--) {
        if (toss(p, 6)) {
            const unsigned high = 0x80 + dice_below(p->d, 0x80);
            put(&p->odd, "\\x%02x", high);
            if (p->is_wide) {
                put(&p->plain, "\\x%02x\\x%02x", 0xc0 | high >> 6, 0x80 | (high & 0x3f));
            } else {
                put(&p->plain, "\\x%02x", high);
            }
            continue;
        }
        const char c = some[dice_below(p->d, sizeof some - 1)];
        put(&p->plain, "%c", c);
        put(&p->odd, "%c", c);
    }
    put(&p->plain, "\"");
    put(&p->odd, "\"");
}

static void put_remark(pair *p)
{
    if (toss(p, 2)) {
        put(&p->odd, "line \"\\n\\t ; a remark ( with \\q marks \\\\ and \\xe4\"\n");
    }
}

static void put_bones(pair *p, uint32_t total)
{
    for (uint32_t i = 1 + dice_below(p->d, 4); i > 0; i--) {
        put(&p->plain, "bone");
        put(&p->odd, "bone");
        put_any_name(p);
        put(&p->plain, "\n");
        put(&p->odd, "\n");
        put_remark(p);
        for (unsigned kind = 0; kind < 10; kind++) {
            put_channel(p, kind, total);
        }
    }
}

static void put_dynamic(pair *p, uint32_t total)
{
    static const char *const spelled[2][3] = {{"false", "False", "FALSE"},
                                              {"true", "True", "TRUE"}};
    put(&p->plain, "dynamic\n");
    put(&p->odd, "dynamic\n");
    for (uint32_t frame = 0; frame < total; frame += 1 + dice_below(p->d, total)) {
        for (unsigned group = 0; group < 34; group += 1 + dice_below(p->d, 10)) {
            const unsigned state = dice_below(p->d, 2);
            put(&p->plain, "kgf %u %u %s\n", frame, group, spelled[state][0]);
            put(&p->odd, "kgf %u 0%u %s\n", frame, group, spelled[state][dice_below(p->d, 3)]);
        }
        put_remark(p);
    }
}

static void make_tra(pair *p)
{
    static const char *const encodings[] = {"ascii", "utf16le", "utf16be"};
    static const char *const ends[] = {"lf", "crlf", "cr"};
    static const char *const spaces[] = {"one", "none", "many"};
    static const char *const versions[] = {"4.0", "4", "4.00", "+40e-1"};
    const uint32_t total = 1 + dice_below(p->d, 20);
    const uint32_t encoding = dice_below(p->d, 3);
    p->is_wide = encoding != 0;
    p->is_exact = true;
    put(&p->plain, "tra\nmagic\nhead\nfigure %u", total);
    put(&p->odd, "tra encoding=%s eol=%s blanks=%s bom=%s\n", encodings[encoding],
        ends[dice_below(p->d, 3)], spaces[dice_below(p->d, 3)], toss(p, 2) ? "yes" : "no");
    put(&p->odd, toss(p, 2) ? "magic \" utf8\"\n" : "magic\n");
    put_remark(p);
    put(&p->odd, "head %s\n", versions[dice_below(p->d, 4)]);
    put_remark(p);
    put(&p->odd, "figure %u", total);
    if (toss(p, 2)) {
        put_any_name(p);
    }
    put(&p->plain, "\n");
    put(&p->odd, "\n");
    put_bones(p, total);
    if (toss(p, 2)) {
        put_dynamic(p, total);
    }
    put(&p->plain, "close\n");
    put(&p->odd, toss(p, 2) ? "close\n" : "close\nline \"; the end\"\n");
    if (toss(p, 3)) {
        put(&p->odd, "byte 0 0 0 0\n");
    }
}

Test(canonical, any_tra4_comes_back_in_one_form, .timeout = 120)
{
    dice d = {20070607};
    benches on;
    open_benches(&on, "tra");
    for (int i = 0; i < 600; i++) {
        pair p = make_pair(&d);
        make_tra(&p);
        hold_pair(&on, &p, forge_tra_text);
    }
    close_benches(&on);
}

/* ---- camerawork ---- */

/* A number as the program prints it, and the same in some other spelling; where it may, that one
 * has digits which the form has no room for. */
static void put_number(pair *p, double value)
{
    static const char *const forms[] = {"%.16e", "%.16E", "%.17g", "%+.16e"};
    char plain[64];
    char odd[64];
    (void)snprintf(plain, sizeof plain, "%.6e", value);
    if (p->is_exact) {
        value = strtod(plain, NULL);
    }
    (void)snprintf(odd, sizeof odd, forms[dice_below(p->d, 4)], value);
    put(&p->plain, " %s", plain);
    put(&p->odd, " %s", odd);
}

static double any_number(dice *d)
{
    const double unit = dice_below(d, 2000001) / 1000000.0 - 1;
    if (dice_below(d, 8) == 0) {
        static const double strange[] = {0,     -0.0,      1e-300, 5e-324, 1e100, -1e308,
                                         1e-45, 9.9999995, 0.1,    1e23,   1e99,  -1e-99};
        return strange[dice_below(d, 12)];
    }
    return unit * pow(10, dice_below(d, 7)) * (1 + dice_next(d) * 1e-12);
}

static void put_vector(pair *p, const char *name, double x, double y, double z)
{
    put(&p->plain, " %s", name);
    put(&p->odd, " %s", name);
    put_number(p, x);
    put_number(p, y);
    put_number(p, z);
}

static void put_any(pair *p, const char *name)
{
    put_vector(p, name, any_number(p->d), any_number(p->d), any_number(p->d));
}

/* The directions of a key stand at right angles and have length 1, more or less. */
static void put_directions(pair *p)
{
    const double angle = dice_below(p->d, 1000) / 100.0;
    const double tilt = dice_below(p->d, 1000) / 10000.0;
    put_vector(p, "target", sin(angle), 0, -cos(angle));
    put_vector(p, "top", 0, 1 - tilt / 2, tilt);
}

static void put_layout(pair *p, uint32_t index)
{
    static const char *const ends[] = {"lf", "crlf", "cr"};
    static const char *const options[] = {"tab", "wide"};
    if (toss(p, 2)) {
        put(&p->odd, " %s=%u", options[dice_below(p->d, 2)], 2 + dice_below(p->d, 24));
    }
    if (toss(p, 2)) {
        put(&p->odd, " front=%u back=%u", dice_below(p->d, 4), dice_below(p->d, 4));
    }
    if (toss(p, 4)) {
        put(&p->odd, " eol=%s", ends[dice_below(p->d, 3)]);
    }
    if (toss(p, 4)) {
        put(&p->odd, toss(p, 2) ? " c1=00%u" : " c1=+%u", index);
    }
}

static void put_row(pair *p, uint32_t index, bool is_key)
{
    const bool is_anchored = toss(p, 2);
    const unsigned stored = dice_below(p->d, 2);
    writer *const both[] = {&p->plain, &p->odd};
    for (unsigned i = 0; i < 2; i++) {
        put(both[i], "row%s%s", is_key ? " key" : "", is_anchored ? " anchored" : "");
    }
    put_any(p, "pos");
    put_directions(p);
    put_any(p, "anchor");
    put_any(p, "vel");
    put_any(p, "dtarget");
    put_any(p, "dtop");
    for (unsigned i = 0; i < 2; i++) {
        put(both[i], " stored=%u", stored);
    }
    put_layout(p, index);
    put(&p->plain, "\n");
    put(&p->odd, "\n");
}

static void make_camerawork(pair *p)
{
    static const char *const encodings[] = {"bytes", "utf16le", "utf16be"};
    static const char *const ends[] = {"lf", "crlf", "cr"};
    const uint32_t num = 2 + dice_below(p->d, 12);
    p->is_exact = toss(p, 2);
    put(&p->plain, "camerawork form=given\n");
    put(&p->odd, "camerawork form=given encoding=%s eol=%s bom=%s\n",
        encodings[dice_below(p->d, 3)], ends[dice_below(p->d, 3)], toss(p, 2) ? "yes" : "no");
    for (uint32_t i = 0; i < num; i++) {
        put_row(p, i, i == 0 || toss(p, 3));
    }
    if (toss(p, 3)) {
        put(&p->odd, "zero 6\n");
    }
}

Test(canonical, any_camerawork_comes_back_in_one_form, .timeout = 120)
{
    dice d = {20050404};
    benches on;
    open_benches(&on, "camerawork");
    for (int i = 0; i < 600; i++) {
        pair p = make_pair(&d);
        make_camerawork(&p);
        hold_pair(&on, &p, forge_camerawork_text);
    }
    close_benches(&on);
}

/* ---- what is put in order, and what cannot be written ---- */

static const char disordered[] =
    "; TRA\n(Head(other 1)(traVersion 4))\n"
    "(Figure(DynamicPolygons(kgf 3 1 TRUE)(kgf 0 1 false)(kgf 0 0 true))(extra (x \"y\") 1)\n"
    "(totalFrame +5)(name \"walk\")\n"
    "(bone(roll(kf 0 1)(kf 2 .5))(rotate.x(kf 0 0))(rotate.y(kf 0 0))(rotate.z(kf 0 1))\n"
    "(scale.z(kf 0 100))(scale.y(kf 0 1e2))(scale.x(kf 0 100.))(name \"hip\")\n"
    "(translate.x(kf 0 0.1))(translate.y(kf 0 -0))(translate.z(kf 0 123456.789))))\n";

static const char in_order[] =
    ";TRA\n( Head\n  ( traVersion 4.0 )\n)\n( Figure\n  ( name \"walk\" )\n  ( totalFrame 5 )\n"
    "  ( bone\n    ( name \"hip\" )\n"
    "    ( translate.x\n      ( kf 0 0.100000 )\n    )\n"
    "    ( translate.y\n      ( kf 0 -0.000000 )\n    )\n"
    "    ( translate.z\n      ( kf 0 123456.789062 )\n    )\n"
    "    ( scale.x\n      ( kf 0 100.000000 )\n    )\n"
    "    ( scale.y\n      ( kf 0 100.000000 )\n    )\n"
    "    ( scale.z\n      ( kf 0 100.000000 )\n    )\n"
    "    ( rotate.x\n      ( kf 0 0.000000 )\n    )\n"
    "    ( rotate.y\n      ( kf 0 0.000000 )\n    )\n"
    "    ( rotate.z\n      ( kf 0 1.000000 )\n    )\n"
    "    ( roll\n      ( kf 0 1.000000 )\n      ( kf 2 0.500000 )\n    )\n  )\n"
    "  ( DynamicPolygons\n    ( kgf 3 1 true )\n    ( kgf 0 1 false )\n    ( kgf 0 0 true )\n  )\n"
    ")\n";

Test(canonical, chunks_are_put_in_the_order_of_the_manual)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    written out = run(&b, disordered, sizeof disordered - 1);
    cr_assert(eq(str, out.text, (char *)in_order));
    free(out.text);
    bench_close(&b);
}

/* Verifies a TRA4 text in UTF-16 with this name in the place of another, and writes it anew. */
static fh_status write_replaced(written *out, const char *mark, const uint16_t *name, size_t num)
{
    static uint8_t wide[2 * (sizeof disordered + 300)];
    const char *at = strstr(disordered, mark);
    const size_t front = (size_t)(at - disordered);
    const size_t total = sizeof disordered - 1 - strlen(mark) + num;
    bench b;
    for (size_t i = 0; i < total; i++) {
        const bool is_name = i >= front && i < front + num;
        const size_t from = i < front ? i : i - num + strlen(mark);
        const uint16_t unit = is_name ? name[i - front] : (uint8_t)disordered[from];
        wide[2 * i] = (uint8_t)(unit & 0xff);
        wide[2 * i + 1] = (uint8_t)(unit >> 8);
    }
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, wide, 2 * total, whole_file);
    HOLD(b.model != NULL && is_sound(&b.verify), "it is sound: %s", record_codes(&b.verify));
    const fh_status status = write_anew(out, &b);
    bench_close(&b);
    return status;
}

static fh_status write_named(written *out, const uint16_t *name, size_t num)
{
    return write_replaced(out, "hip", name, num);
}

Test(canonical, names_in_utf16_become_utf8)
{
    static const uint16_t name[] = {'a', 0xe4, 0x7ff, 0x800, 0x65e5, 0xffff, 0xd83d, 0xde00, 'z'};
    written out;
    cr_assert(eq(int, (int)write_named(&out, name, 9), FH_OK));
    cr_assert(strstr(out.text, "\"a\xc3\xa4\xdf\xbf\xe0\xa0\x80\xe6\x97\xa5\xef\xbf\xbf"
                               "\xf0\x9f\x98\x80z\"") != NULL);
    free(out.text);
}

Test(canonical, names_without_a_place_in_it_are_refused)
{
    static const uint16_t halves[][3] = {
        {'a', 0xd83d, 'b'}, {'a', 0xde00, 'b'}, {'a', 'b', 0xd83d}, {'a', 0xd83d, 0xe000}};
    uint16_t name[256];
    written out;
    for (size_t i = 0; i < 4; i++) {
        cr_assert(eq(int, (int)write_named(&out, halves[i], 3), FH_UNSUPPORTED));
        cr_assert(eq(sz, out.num_pieces, 0));
    }
    for (size_t i = 0; i < 128; i++) {
        name[i] = 0xe4;
    }
    cr_assert(eq(int, (int)write_named(&out, name, 128), FH_UNSUPPORTED), "256 bytes");
    cr_assert(eq(sz, out.num_pieces, 0));
    name[0] = 'a';
    cr_assert(eq(int, (int)write_named(&out, name, 128), FH_OK), "255 bytes");
    free(out.text);
    /* No byte of a character fits, or not all of them. */
    name[128] = 0x65e5;
    cr_assert(eq(int, (int)write_named(&out, name, 129), FH_UNSUPPORTED), "258 bytes");
    for (size_t i = 0; i < 254; i++) {
        name[i] = 'a';
    }
    name[254] = 0x65e5;
    cr_assert(eq(int, (int)write_named(&out, name, 255), FH_UNSUPPORTED), "257 bytes");
    name[253] = 0xe4;
    name[254] = 'a';
    cr_assert(eq(int, (int)write_named(&out, name, 254), FH_OK), "255 bytes");
    free(out.text);
    cr_assert(eq(int, (int)write_named(&out, name, 255), FH_UNSUPPORTED), "256 bytes");
    cr_assert(eq(sz, out.num_pieces, 0));
}

/* The name of Figure is written the same way. */
Test(canonical, titles_in_utf16)
{
    static const uint16_t half[] = {'a', 0xd83d, 'b'};
    static const uint16_t whole[] = {'a', 0xe4};
    written out;
    cr_assert(eq(int, (int)write_replaced(&out, "walk", half, 3), FH_UNSUPPORTED));
    cr_assert(eq(sz, out.num_pieces, 0));
    cr_assert(eq(int, (int)write_replaced(&out, "walk", whole, 2), FH_OK));
    cr_assert(strstr(out.text, "( Figure\n  ( name \"a\xc3\xa4\" )\n") != NULL);
    free(out.text);
}

/* In a text of bytes a name may be longer than any. */
Test(canonical, names_of_too_many_bytes_are_refused)
{
    char text[400];
    written out;
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (int len = 255; len <= 256; len++) {
        (void)snprintf(text, sizeof text, "tra\nmagic\nhead\nfigure 5\nbone \"%0*d\"\n", len, 0);
        forge_buf bytes = built(forge_tra_text, text);
        bench_verify(&b, bytes.data, bytes.len, whole_file);
        HOLD(b.model != NULL && is_sound(&b.verify) == (len == 255), "%d bytes", len);
        HOLD(write_anew(&out, &b) == (len == 255 ? FH_OK : FH_UNSUPPORTED), "%d bytes", len);
        free(out.text);
        forge_buf_free(&bytes);
    }
    bench_close(&b);
}

Test(canonical, models_of_faulty_texts_are_refused)
{
    static const char *const faulty[] = {
        "tra\nmagic\nhead\nfigure 5\nbone \"a\"\nomit roll\n",
        "tra\nmagic\nhead\nfigure 5\nbone \"a\"\nomit roll\nbone \"b\"\n",
        "tra\nmagic\nhead\nfigure 5\nbone \"a\"\nomit roll\ndynamic\nkgf 0 0 true\n",
        "tra\nmagic\nhead\nfigure 5\nbone\n",
        "tra\nmagic\nhead\nfigure 5\nbone \"a\"\nroll 0 1 0 2\n",
        "tra\nmagic\nhead\nfigure 5\nbone \"a\"\nroll 0 nan\n",
        "tra\nmagic\nhead\nfigure 5\nbone \"a\"\ndynamic\nkgf 0 0 yes\n",
    };
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t i = 0; i < sizeof faulty / sizeof faulty[0]; i++) {
        written out;
        forge_buf bytes = built(forge_tra_text, faulty[i]);
        bench_verify(&b, bytes.data, bytes.len, whole_file);
        HOLD(b.model != NULL && !is_sound(&b.verify), "%s", faulty[i]);
        HOLD(write_anew(&out, &b) == FH_CORRUPT && out.num_pieces == 0, "%s", faulty[i]);
        forge_buf_free(&bytes);
    }
    bench_close(&b);
}

Test(canonical, a_row_that_is_not_finite_is_refused)
{
    written out;
    bench b;
    bench_open(&b);
    b.format = fh_format_find("camerawork");
    forge_buf bytes = built(forge_camerawork_text, "camerawork\nrow key\nrow pos 0 nan 0\n");
    bench_verify(&b, bytes.data, bytes.len, whole_file);
    HOLD(b.model != NULL, "it has rows: %s", record_codes(&b.verify));
    HOLD(write_anew(&out, &b) == FH_CORRUPT && out.num_pieces == 0, "nothing is written");
    forge_buf_free(&bytes);
    bench_close(&b);
}

Test(canonical, nothing_is_written_that_is_not_paid_for)
{
    static const char *const texts[] = {"tra\nmagic\nhead\nfigure 5\nbone \"a\"\n",
                                        "camerawork\nrow key\nrow\n"};
    bench b;
    bench_open(&b);
    for (size_t i = 0; i < 2; i++) {
        written out;
        b.format = fh_format_find(i == 0 ? "tra" : "camerawork");
        forge_buf bytes = built(i == 0 ? forge_tra_text : forge_camerawork_text, texts[i]);
        bench_verify(&b, bytes.data, bytes.len, whole_file);
        b.budget.left = 500;
        HOLD(write_anew(&out, &b) == FH_LIMIT && out.num_pieces == 0, "%s", b.format->name);
        b.budget.left = (uint64_t)256 * bytes.len;
        HOLD(write_anew(&out, &b) == FH_OK, "%s: what a file's bytes are worth", b.format->name);
        free(out.text);
        forge_buf_free(&bytes);
    }
    bench_close(&b);
}

Test(canonical, binary_formats_have_none)
{
    cr_assert(fh_format_find("tod")->canonical == NULL);
    cr_assert(fh_format_find("hmd")->canonical == NULL);
}
