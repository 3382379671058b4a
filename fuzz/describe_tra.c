/* A decoded TRA4 text in the forge's language. Channels are told in the manual's order, in which
 * the forge writes them. */
#include "anew.h"

#include "forge/tra_text.h"
#include "tra/tra_model.h"

#include <stdio.h>

enum { FLOAT_DIGITS = 9 };

static const char *const encodings[] = {[FH_ENCODING_BYTES] = "ascii bom=no",
                                        [FH_ENCODING_UTF16LE] = "utf16le bom=yes",
                                        [FH_ENCODING_UTF16BE] = "utf16be bom=yes"};

/* Units by number: the description is ASCII, whatever a name is made of. */
static void say_name(fuzz_description *out, const tra_model *model, const fh_token *name)
{
    char unit[8];
    fuzz_say(out, " \"");
    for (uint32_t i = 0; i < name->num_units; i++) {
        const uint32_t code = fh_scan_unit(&model->scan, name, i);
        (void)snprintf(unit, sizeof unit, code > 0xff ? "\\u%04x" : "\\x%02x", (unsigned)code);
        fuzz_say(out, unit);
    }
    fuzz_say(out, "\"");
}

/* A line for each key, since a line of the language has an end. */
static void say_channel(fuzz_description *out, const tra_model *model, const tra_channel *channel)
{
    for (uint32_t i = 0; i < channel->num_keys; i++) {
        const tra_key *key = &model->keys[channel->first_key + i];
        fuzz_say(out, tra_kind_names[channel->kind]);
        fuzz_say_number(out, " ", key->frame);
        fuzz_say_real(out, (double)key->value, FLOAT_DIGITS);
        fuzz_say(out, "\n");
    }
}

static bool is_whole(const tra_model *model, const tra_channel *channel)
{
    bool is_whole = channel->num_keys > 0;
    for (uint32_t i = 0; i < channel->num_keys; i++) {
        const tra_key *key = &model->keys[channel->first_key + i];
        is_whole = is_whole && key->has_frame && key->has_value;
    }
    return is_whole;
}

static bool say_bone(fuzz_description *out, const tra_model *model, const tra_bone *bone)
{
    bool is_said = bone->has_name && !bone->is_cut;
    fuzz_say(out, "bone");
    if (is_said) {
        const fh_token name = tra_name(bone);
        say_name(out, model, &name);
    }
    fuzz_say(out, "\n");
    for (unsigned kind = 0; kind < TRA_NUM_KINDS && is_said; kind++) {
        const uint32_t index = tra_find_channel(model, bone, kind);
        is_said = index != TRA_NONE && is_whole(model, &model->channels[index]);
        if (is_said) {
            say_channel(out, model, &model->channels[index]);
        }
    }
    return is_said;
}

static bool say_dynamic(fuzz_description *out, const tra_model *model)
{
    bool is_said = true;
    fuzz_say(out, "dynamic\n");
    for (uint32_t i = 0; i < model->num_group_keys; i++) {
        const tra_group_key *key = &model->group_keys[i];
        is_said = is_said && key->is_whole;
        fuzz_say_number(out, "kgf ", key->frame);
        fuzz_say_number(out, " ", key->group);
        fuzz_say(out, key->is_shown ? " true\n" : " false\n");
    }
    return is_said;
}

static bool describe(fuzz_description *out, const void *of)
{
    const tra_model *model = of;
    bool is_said = model->has_total;
    fuzz_say(out, "tra encoding=");
    fuzz_say(out, encodings[model->scan.encoding]);
    fuzz_say_number(out, "\nmagic\nhead\nfigure ", model->total_frames);
    if (model->title.kind == FH_TOKEN_STRING) {
        say_name(out, model, &model->title);
    }
    fuzz_say(out, "\n");
    for (uint32_t i = 0; i < model->num_bones && is_said; i++) {
        is_said = say_bone(out, model, &model->bones[i]);
    }
    if (model->has_dynamic) {
        is_said = say_dynamic(out, model) && is_said;
    }
    fuzz_say(out, "close\n");
    return is_said;
}

const fuzz_anew fuzz_anew_tra = {describe, forge_tra_text, false};
