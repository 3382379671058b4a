/* Packets of polygons: their fields, as the words of their layouts say, and the lines that hold
 * them. */
#include "describe_hmd_parts.h"

enum { MOST_FIELDS = 24 };

/* A field that a line tells once, however often the packet holds it. */
typedef struct field {
    bool is_there;
    uint32_t value;
} field;

typedef struct fields {
    bool is_said_once; /* what the line tells once is the same everywhere */
    uint32_t rgb[MOST_FIELDS], uv[MOST_FIELDS], n[MOST_FIELDS], v[MOST_FIELDS], xy[MOST_FIELDS];
    uint32_t upper[MOST_FIELDS]; /* halves behind texture coordinates: CLUT, page */
    size_t num_rgb, num_uv, num_n, num_v, num_xy, num_upper;
    field code, window, tag, pad, pad_byte, num;
    uint32_t usual_code;
} fields;

static void take_once(fields *f, field *into, uint32_t value)
{
    f->is_said_once = f->is_said_once && (!into->is_there || into->value == value);
    *into = (field){true, value};
}

static void take_half(fields *f, uint8_t kind, uint32_t half)
{
    if (kind == HMD_HALF_VERTEX) {
        f->v[f->num_v++] = half;
    } else if (kind == HMD_HALF_NORMAL) {
        f->n[f->num_n++] = half;
    } else if (kind == HMD_HALF_PAD) {
        take_once(f, &f->pad, half);
    } else {
        f->upper[f->num_upper++] = half;
    }
}

static void take_word(fields *f, const hmd_packet_word *what, uint32_t word)
{
    switch (what->kind) {
    case HMD_WORD_CODE:
        f->rgb[f->num_rgb++] = word & 0xffffff;
        f->usual_code = what->code;
        take_once(f, &f->code, word >> 24);
        break;
    case HMD_WORD_COLOUR:
        f->rgb[f->num_rgb++] = word & 0xffffff;
        take_once(f, &f->pad_byte, word >> 24);
        break;
    case HMD_WORD_WINDOW:
        take_once(f, &f->window, word);
        break;
    case HMD_WORD_NUM:
        take_once(f, &f->num, word);
        break;
    case HMD_WORD_WORK:
        f->xy[f->num_xy++] = word;
        break;
    default:
        if (what->low == HMD_HALF_DATA) {
            f->uv[f->num_uv++] = hmd_low(word);
        } else {
            take_half(f, what->low, hmd_low(word));
        }
        take_half(f, what->high, hmd_high(word));
        break;
    }
}

/* The second of two buffers holds what the first does. */
static void take_half_of(fields *f, uint32_t *list, size_t *num)
{
    f->is_said_once = f->is_said_once && *num % 2 == 0;
    *num /= 2;
    for (size_t i = 0; i < *num; i++) {
        f->is_said_once = f->is_said_once && list[i] == list[*num + i];
    }
}

/* Each buffer begins with its tag; screen positions follow. */
static void take_buffers(fields *f)
{
    take_half_of(f, f->rgb, &f->num_rgb);
    take_half_of(f, f->uv, &f->num_uv);
    take_half_of(f, f->xy, &f->num_xy);
    take_half_of(f, f->upper, &f->num_upper);
    take_once(f, &f->tag, f->xy[0]);
    f->num_xy--;
    for (size_t i = 0; i < f->num_xy; i++) {
        f->xy[i] = f->xy[i + 1];
    }
}

static fields fields_of(const describing *d, uint32_t at, const hmd_packet_layout *layout,
                        bool is_first)
{
    fields f = {.is_said_once = true};
    const hmd_packet_word *words = is_first ? layout->first : layout->more;
    const uint8_t num = is_first ? layout->num_first : layout->num_more;
    for (uint32_t i = 0; i < num; i++) {
        take_word(&f, &words[i], word_at(d, at + i));
    }
    if (layout->is_preset) {
        take_buffers(&f);
    }
    if (f.pad_byte.is_there) {
        const uint32_t pad = f.pad.is_there ? f.pad.value & 0xff : f.pad_byte.value;
        f.is_said_once = f.is_said_once && pad == f.pad_byte.value;
        f.pad = (field){true, f.pad.is_there ? f.pad.value : f.pad_byte.value};
    }
    return f;
}

/* ---- lines ---- */

static void say_option(describing *d, const char *name, field what)
{
    if (what.is_there && what.value != 0) {
        say(d, " %s=0x%x", name, (unsigned)what.value);
    }
}

static void say_list(describing *d, const char *name, const uint32_t *list, size_t num)
{
    if (num > 0) {
        say(d, " %s", name);
    }
    for (size_t i = 0; i < num; i++) {
        say(d, " %u", (unsigned)list[i]);
    }
}

static void say_bytes(describing *d, const char *name, const uint32_t *list, size_t num,
                      unsigned num_bytes)
{
    if (num > 0) {
        say(d, " %s", name);
    }
    for (size_t i = 0; i < num * num_bytes; i++) {
        say(d, " %u", (unsigned)(list[i / num_bytes] >> (8 * (i % num_bytes)) & 0xff));
    }
}

static void say_screens(describing *d, const fields *f)
{
    if (f->num_xy > 0) {
        say(d, " xy");
    }
    for (size_t i = 0; i < f->num_xy; i++) {
        say(d, " %d %d", (int)(int16_t)hmd_low(f->xy[i]), (int)(int16_t)hmd_high(f->xy[i]));
    }
}

/* How many triangles a mesh has is counted, unless it says something else. */
static void say_num(describing *d, uint32_t at, uint32_t num)
{
    uint32_t counted = 1;
    for (uint32_t next = part_end(d, at); next < d->num && d->kind[next] == PART_STRIP;
         next = part_end(d, next)) {
        counted++;
    }
    if (num != counted) {
        say(d, " num=%u", (unsigned)num);
    }
}

static const hmd_packet_layout *layout_of(const describing *d, uint32_t at)
{
    return hmd_packet_layout_of(d->of[at]);
}

void say_packet(describing *d, uint32_t at)
{
    const enum part_kind kind = (enum part_kind)d->kind[at];
    const hmd_packet_layout *layout = layout_of(d, at);
    const fields f = fields_of(d, at, layout, kind != PART_STRIP);
    if (kind == PART_STRIP) {
        say(d, "strip");
    } else {
        say(d, "%s 0x%x", kind == PART_MESH ? "mesh" : "packet", (unsigned)layout->primitive_type);
    }
    if (kind == PART_MESH) {
        say_num(d, at, f.num.value);
    }
    say_bytes(d, "rgb", f.rgb, f.num_rgb, 3);
    say_bytes(d, "uv", f.uv, f.num_uv, 2);
    say_list(d, "n", f.n, f.num_n);
    say_list(d, "v", f.v, f.num_v);
    say_screens(d, &f);
    if (f.window.is_there) {
        say(d, " window=0x%x", (unsigned)f.window.value);
    }
    if (f.code.is_there && f.code.value != f.usual_code) {
        say(d, " code=0x%x", (unsigned)f.code.value);
    }
    say_option(d, "clut", (field){f.num_upper > 0, f.upper[0]});
    say_option(d, "page", (field){f.num_upper > 1, f.upper[1]});
    say_option(d, "pad", f.pad);
    say_option(d, "dma", f.tag);
    say(d, "\n");
}

/* ---- claims ---- */

static bool is_free(const describing *d, uint64_t first, uint64_t end)
{
    for (uint64_t at = first; at < end; at++) {
        if (at >= d->num || d->kind[at] != PART_WORD) {
            return false;
        }
    }
    return true;
}

/* A mesh stands as lines as a whole, or as words. */
static bool is_sayable_mesh(describing *d, hmd_polygons run)
{
    hmd_packet packet;
    bool is_sayable = true;
    while (is_sayable && hmd_polygons_next(&run, &d->check, &packet)) {
        is_sayable = is_free(d, packet.off, packet.off + (uint64_t)packet.num_words) &&
                     fields_of(d, packet.off, run.layout, packet.is_first).is_said_once;
    }
    return is_sayable;
}

void find_packets(describing *d)
{
    const hmd_record *record = d->check.record;
    const bool has_packets = record->category == HMD_POLYGONS || record->category == HMD_SHARED ||
                             record->category == HMD_ENVMAP;
    hmd_polygons run;
    hmd_packet packet;
    if (!has_packets || hmd_is_precalculation(record) || !hmd_polygons_open(&run, &d->check)) {
        return;
    }
    if (run.layout->is_mesh && !is_sayable_mesh(d, run)) {
        return;
    }
    const uint32_t type = run.layout->primitive_type;
    while (hmd_polygons_next(&run, &d->check, &packet)) {
        if (fields_of(d, packet.off, run.layout, packet.is_first).is_said_once) {
            const enum part_kind mesh = packet.is_first ? PART_MESH : PART_STRIP;
            (void)part_claim(d, packet.off, packet.num_words,
                             run.layout->is_mesh ? mesh : PART_PACKET, type);
        }
    }
}
