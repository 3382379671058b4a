#include "tra/tra_describe.h"

#include "core/describe_lines.h"

/* Only what stands between an opening parenthesis and the next one is looked at, so that a damaged
 * text is told as well as a sound one. */

enum { MOST_PARAMETERS = 3 };

/* A keyword, and its parameters in their order. What keys are of, their channel says. */
typedef struct chunk {
    const char *keyword;
    const char *in; /* of the governance */
    const char *doc;
    const char *parameters[MOST_PARAMETERS];
    bool is_channel;
} chunk;

static const chunk chunks[] = {
    {"head", "head", NULL, {NULL}, false},
    {"traversion", "tra_version", NULL, {"version"}, false},
    {"figure", "figure", NULL, {NULL}, false},
    {"name", "name", NULL, {"name"}, false},
    {"totalframe", "total_frame", NULL, {"num_frames"}, false},
    {"bone", "bone", NULL, {NULL}, false},
    {"translate.x", "translate", "of translate.x", {NULL}, true},
    {"translate.y", "translate", "of translate.y", {NULL}, true},
    {"translate.z", "translate", "of translate.z", {NULL}, true},
    {"scale.x", "scale", "of scale.x, 100 is 1.0", {NULL}, true},
    {"scale.y", "scale", "of scale.y, 100 is 1.0", {NULL}, true},
    {"scale.z", "scale", "of scale.z, 100 is 1.0", {NULL}, true},
    {"rotate.x", "rotate", "of rotate.x", {NULL}, true},
    {"rotate.y", "rotate", "of rotate.y", {NULL}, true},
    {"rotate.z", "rotate", "of rotate.z", {NULL}, true},
    {"roll", "roll", "of roll, in degrees", {NULL}, true},
    {"kf", "kf", NULL, {"frame", "value"}, false},
    {"dynamicpolygons", "dynamic_polygons", NULL, {NULL}, false},
    {"kgf", "kgf", NULL, {"frame", "group", "shown"}, false},
};
enum { NUM_CHUNKS = sizeof chunks / sizeof chunks[0], NOTHING = 0 };

/* Words of the state. Chunks are numbered from 1. */
enum { IN_CHUNK, IN_CHANNEL, PARAMETER, IS_BEGUN };

/* Case does not count here, and zeros are half of a letter of UTF-16. */
static bool is_keyword(const char *keyword, const uint8_t *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const uint8_t letter =
            text[i] >= 'A' && text[i] <= 'Z' ? (uint8_t)(text[i] | 0x20) : text[i];
        if (letter != '\0' && letter != (uint8_t)*keyword++) {
            return false;
        }
    }
    return *keyword == '\0';
}

static uint32_t find_chunk(const uint8_t *text, size_t len)
{
    for (uint32_t i = 0; i < NUM_CHUNKS; i++) {
        if (is_keyword(chunks[i].keyword, text, len)) {
            return i + 1;
        }
    }
    return NOTHING;
}

static fh_line_word keyword_of(fh_line_state *state, const uint8_t *text, size_t len)
{
    state->own[IN_CHUNK] = find_chunk(text, len);
    state->own[IS_BEGUN] = 0;
    state->own[PARAMETER] = 0;
    if (state->own[IN_CHUNK] == NOTHING) {
        return (fh_line_word){"chunk", "keyword", "no keyword of TRA4"};
    }
    const chunk *of = &chunks[state->own[IN_CHUNK] - 1];
    if (of->keyword[0] != 'k') {
        state->own[IN_CHANNEL] = of->is_channel ? state->own[IN_CHUNK] : NOTHING;
    }
    return (fh_line_word){of->in, "keyword", NULL};
}

static fh_line_word parameter_of(fh_line_state *state)
{
    const uint32_t number = state->own[PARAMETER]++;
    const chunk *of = state->own[IN_CHUNK] == NOTHING ? NULL : &chunks[state->own[IN_CHUNK] - 1];
    if (of == NULL || number >= MOST_PARAMETERS || of->parameters[number] == NULL) {
        return (fh_line_word){"chunk", "extra", "no parameter is expected here"};
    }
    const bool has_channel = of->keyword[0] == 'k' && of->keyword[1] == 'f' && number == 1 &&
                             state->own[IN_CHANNEL] != NOTHING;
    const chunk *channel = has_channel ? &chunks[state->own[IN_CHANNEL] - 1] : of;
    return (fh_line_word){channel->in, of->parameters[number], channel->doc};
}

static fh_line_word word_of(fh_line_state *state, const uint8_t *text, size_t len)
{
    switch (text[0]) {
    case ';':
        return (fh_line_word){"text", "comment", NULL};
    case '(':
        state->own[IS_BEGUN] = 1;
        return (fh_line_word){"chunk", "open", NULL};
    case ')':
        state->own[IN_CHUNK] = NOTHING;
        state->own[IS_BEGUN] = 0;
        return (fh_line_word){"chunk", "close", NULL};
    default:
        return state->own[IS_BEGUN] != 0 ? keyword_of(state, text, len) : parameter_of(state);
    }
}

static const fh_line_style style = {
    .marks = "()", .quote = '"', .comment = ';', .word = word_of, .governance = &tra_governance};

fh_status tra_describe(const fh_env *env, const fh_field_sink *out, fh_cursor bytes)
{
    return fh_describe_lines(env, out, &style, bytes);
}
