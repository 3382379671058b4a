/* Faults that tests/fuzz/anew.py has an oracle find (fuzz/anew.h): in a decoder, in what describes
 * its model, and in what the forge makes of it. The linker puts each of these before a
 * function of theirs; FUZZ_PLANTED names the one that is at fault, and without it none is.
 */
#include "anew.h"

#include "camerawork/cam_line.h"
#include "core/scan.h"
#include "forge/camerawork.h"
#include "forge/hmd.h"
#include "hmd/hmd_model.h"
#include "tod/tod_model.h"
#include "tra/tra_chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_planted(const char *fault)
{
    const char *name = getenv("FUZZ_PLANTED");
    return name != NULL && strcmp(name, fault) == 0;
}

/* So that what is said of the files before is out when one ends the program. */
__attribute__((constructor)) static void begin(void)
{
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

/* ---- decoders ---- */

int16_t __real_tod_half(const tod_model *model, const tod_packet *packet, unsigned index,
                        unsigned half);
int16_t __wrap_tod_half(const tod_model *model, const tod_packet *packet, unsigned index,
                        unsigned half);
int16_t __wrap_tod_half(const tod_model *model, const tod_packet *packet, unsigned index,
                        unsigned half)
{
    return __real_tod_half(model, packet, index, is_planted("halves exchanged") ? 1 - half : half);
}

bool __real_tra_take_real(tra_parse *parse, const fh_token *token, float *out);
bool __wrap_tra_take_real(tra_parse *parse, const fh_token *token, float *out);
bool __wrap_tra_take_real(tra_parse *parse, const fh_token *token, float *out)
{
    const bool is_good = __real_tra_take_real(parse, token, out);
    if (is_good && parse->check.kind != TRA_NUM_KINDS && is_planted("signs exchanged")) {
        *out = -*out; /* of a key; that of traVersion stays */
    }
    return is_good;
}

uint32_t __real_fh_scan_unit(const fh_scan *scan, const fh_token *token, uint32_t index);
uint32_t __wrap_fh_scan_unit(const fh_scan *scan, const fh_token *token, uint32_t index);
uint32_t __wrap_fh_scan_unit(const fh_scan *scan, const fh_token *token, uint32_t index)
{
    const uint32_t unit = __real_fh_scan_unit(scan, token, index);
    return is_planted("case of names exchanged") ? unit ^ 0x20 : unit;
}

void __real_cam_text_line(cam_text *text, cam_line *line);
void __wrap_cam_text_line(cam_text *text, cam_line *line);
void __wrap_cam_text_line(cam_text *text, cam_line *line)
{
    __real_cam_text_line(text, line);
    if (is_planted("anchor lost")) {
        line->row.not_finite |= (uint32_t)1 << CAM_ANCHOR;
    }
}

int16_t __real_hmd_s16(const hmd_model *model, uint32_t off, unsigned half);
int16_t __wrap_hmd_s16(const hmd_model *model, uint32_t off, unsigned half);
int16_t __wrap_hmd_s16(const hmd_model *model, uint32_t off, unsigned half)
{
    return __real_hmd_s16(model, off, is_planted("components exchanged") ? 1 - half : half);
}

/* ---- descriptions ---- */

void __real_fuzz_say(fuzz_description *out, const char *words);
void __wrap_fuzz_say(fuzz_description *out, const char *words);
void __wrap_fuzz_say(fuzz_description *out, const char *words)
{
    if (is_planted("word unknown") && strcmp(words, "close\n") == 0) {
        words = "closed\n";
    } else if (is_planted("anchors left out") && strcmp(words, " anchored") == 0) {
        words = "";
    } else if (is_planted("statement unknown") && strcmp(words, "coordinates\n") == 0) {
        words = "coordinate\n";
    } else if (is_planted("parents left out") && strncmp(words, " parent=", 8) == 0) {
        words = "";
    } else if (is_planted("marks left out") && strcmp(words, "!") == 0) {
        words = "@";
    }
    __real_fuzz_say(out, words);
}

void __real_fuzz_say_number(fuzz_description *out, const char *words, int64_t number);
void __wrap_fuzz_say_number(fuzz_description *out, const char *words, int64_t number);
void __wrap_fuzz_say_number(fuzz_description *out, const char *words, int64_t number)
{
    const bool is_wrong = (is_planted("pad forgotten") && strcmp(words, " pad=") == 0) ||
                          (is_planted("index from 1") && strcmp(words, "row ") == 0);
    __real_fuzz_say_number(out, words, is_wrong ? number ^ 1 : number);
}

void __real_fuzz_say_real(fuzz_description *out, double number, int num_digits);
void __wrap_fuzz_say_real(fuzz_description *out, double number, int num_digits);
void __wrap_fuzz_say_real(fuzz_description *out, double number, int num_digits)
{
    __real_fuzz_say_real(out, number, is_planted("digits left out") ? 2 : num_digits);
}

/* ---- the forge ---- */

bool __real_forge_camerawork_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                                  size_t limit);
bool __wrap_forge_camerawork_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                                  size_t limit);
bool __wrap_forge_camerawork_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                                  size_t limit)
{
    const bool is_made = __real_forge_camerawork_text(out, err, text, len, limit);
    if (is_planted("something behind")) {
        forge_buf_u8(out, 0);
    }
    return is_made;
}

bool __real_forge_hmd_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                           size_t limit);
bool __wrap_forge_hmd_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                           size_t limit);
bool __wrap_forge_hmd_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                           size_t limit)
{
    const bool is_made = __real_forge_hmd_text(out, err, text, len, limit);
    if (is_planted("something behind")) {
        forge_buf_u8(out, 1);
    } else if (is_planted("last byte changed") && is_made && out->len > 0) {
        out->data[out->len - 1] ^= 1;
    }
    return is_made;
}
