#include "source/tally.h"

#include <assert.h>
#include <string.h>

fh_tally *fh_tally_add(fh_tallies *tallies, fh_image_rule rule, int64_t raw_off, const char *field)
{
    assert(rule < FH_IMG_NUM_RULES);
    fh_tally *tally = &tallies->rules[rule];
    if (tally->count++ > 0) {
        return NULL;
    }
    tally->first_off = raw_off;
    tally->field = field;
    return tally;
}

static void put_context(fh_finding *out, const fh_tally *tally)
{
    fh_text text = fh_text_make(out->context, sizeof out->context);
    if (tally->unit != NULL) {
        fh_text_str(fh_text_s64(&text, tally->count), " ");
        fh_text_str(&text, tally->unit);
    }
    if (tally->first_off == FH_UNKNOWN) {
        return;
    }
    fh_text_str(&text, tally->unit != NULL ? ", first " : "");
    fh_text_hex(fh_text_str(&text, "at raw offset "), (uint64_t)tally->first_off, 1);
}

void fh_tally_plain(char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte < ' ' || byte == 0x7f) {
            *text = '?';
        }
    }
}

void fh_tallies_tell(const fh_tallies *tallies, void *user,
                     void (*finding)(void *user, const fh_finding *finding))
{
    for (size_t i = 0; i < FH_IMG_NUM_RULES; i++) {
        const fh_tally *tally = &tallies->rules[i];
        if (tally->count == 0) {
            continue;
        }
        fh_finding out = fh_finding_make(&fh_image_rules.rules[i], tally->field);
        out.offset = tally->first_off;
        memcpy(out.found, tally->found, sizeof out.found);
        memcpy(out.expected, tally->expected, sizeof out.expected);
        fh_tally_plain(out.found);
        fh_tally_plain(out.expected);
        put_context(&out, tally);
        finding(user, &out);
    }
}

void fh_tallies_add(fh_tallies *to, const fh_tallies *from)
{
    for (size_t i = 0; i < FH_IMG_NUM_RULES; i++) {
        const int64_t count = to->rules[i].count;
        if (count == 0) {
            to->rules[i] = from->rules[i];
        } else {
            to->rules[i].count = count + from->rules[i].count;
        }
    }
}
