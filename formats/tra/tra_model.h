/* A TRA4 text as flat tables of its bones, channels and keys.
 *
 * Reading and judging are kept apart: tra_parse reads the text twice, once to count and once to
 * fill these tables; the checks and the evaluator only look at them. Names stay in the text and are
 * read through the scanner when they are wanted. Everything lies in the arena of the candidate.
 * Source of the structure: manual, structure and chunks.
 */
#ifndef FH_TRA_MODEL_H
#define FH_TRA_MODEL_H

#include "core/arena.h"
#include "core/budget.h"
#include "core/report.h"
#include "core/scan.h"
#include "tra/tra_rules.h"

#include <stdbool.h>

/* The channels of a bone, in the manual's order. */
enum tra_kind {
    TRA_TRANSLATE_X = 0,
    TRA_TRANSLATE_Y,
    TRA_TRANSLATE_Z,
    TRA_SCALE_X,
    TRA_SCALE_Y,
    TRA_SCALE_Z,
    TRA_ROTATE_X,
    TRA_ROTATE_Y,
    TRA_ROTATE_Z,
    TRA_ROLL,
    TRA_NUM_KINDS
};

/* Names of the channels, and the values that keep the pose of the model. */
extern const char *const tra_kind_names[TRA_NUM_KINDS];
extern const double tra_identity[TRA_NUM_KINDS];

enum { TRA_MOST_FRAMES = 32767, TRA_MOST_NAME = 255, TRA_MASK_GROUPS = 32 };

/* No channel, no bone. */
#define TRA_NONE UINT32_MAX

typedef struct tra_key {
    fh_text_place at; /* of its keyword */
    int32_t frame;
    float value;
    bool has_frame; /* the number was one */
    bool has_value; /* likewise, and finite */
} tra_key;

typedef struct tra_channel {
    fh_text_place at;
    uint32_t first_key;
    uint32_t num_keys;
    uint8_t kind;
    bool is_playable; /* has keys, all with numbers, and they ascend */
    bool lacks_front; /* of a fragment: keys in front of its first one are missing, and its kind,
                         which is then TRA_NUM_KINDS */
    bool lacks_back;  /* likewise behind its last one */
} tra_channel;

typedef struct tra_bone {
    fh_text_place at;
    uint32_t name_off; /* of the text between the quotes */
    uint32_t name_units;
    uint32_t first_channel;
    uint8_t num_channels; /* of different kinds */
    bool has_name;
    bool is_cut; /* of a fragment: some of it is missing */
} tra_bone;

/* A key of the dynamic polygons. */
typedef struct tra_group_key {
    fh_text_place at;
    int32_t frame;
    int32_t group;
    bool is_whole; /* all three parameters could be read */
    bool is_shown;
} tra_group_key;

typedef struct tra_model {
    fh_scan scan;  /* of the text, at its start */
    size_t end;    /* bytes of the asset */
    bool is_sound; /* no rule is broken that is an error */
    fh_text_place figure;
    fh_token title; /* Figure's name; FH_TOKEN_END: it has none */
    fh_text_place total_at;
    bool has_total; /* and it is in 1..32767 */
    uint32_t total_frames;
    bool has_dynamic;
    fh_text_place dynamic_at;
    bool is_dynamic_cut; /* of a fragment: keys of it may be missing */
    bool lacks_head;     /* a fragment without Head: of its keys only the order is judged */
    uint32_t num_bones;
    uint32_t num_channels;
    uint32_t num_keys;
    uint32_t num_group_keys;
    tra_bone *bones;
    tra_channel *channels;
    tra_key *keys;
    tra_group_key *group_keys;
    bool has_companion;        /* a model was given to verify, of whatever worth */
    const struct tra_bac *bac; /* what is known of the model that it moves; NULL: nothing */
} tra_model;

/* tra_find_channel returns the index of a bone's channel of that kind, or TRA_NONE. */
uint32_t tra_find_channel(const tra_model *model, const tra_bone *bone, unsigned kind);

/* tra_name is the token of a bone's name, for the scanner; has_name must hold. */
fh_token tra_name(const tra_bone *bone);

/* What parsing and the checks share: the model, where findings go, and the place that is being
 * looked at. */
typedef struct tra_check {
    const tra_model *model;
    fh_reporter *reporter; /* NULL: nothing is told */
    fh_budget *budget;
    fh_arena *arena;
    uint32_t bone;      /* index, or TRA_NONE: the finding is about the file */
    uint32_t kind;      /* of the channel, or TRA_NUM_KINDS */
    uint32_t key;       /* index in the channel or chunk, or TRA_NONE */
    int64_t frame;      /* or FH_UNKNOWN */
    fh_token bone_name; /* num_units 0: not known */
    bool stopped;       /* the budget is spent */
    bool no_memory;     /* the arena is full */
} tra_check;

/* tra_check_make looks at no place yet. */
tra_check tra_check_make(const tra_model *model, fh_reporter *reporter, fh_budget *budget,
                         fh_arena *arena);

/* tra_clear_place looks at the file as a whole again; tra_set_bone at a bone of the table. */
void tra_clear_place(tra_check *check);
void tra_set_bone(tra_check *check, uint32_t bone);
/* tra_set_key looks at a key of the channel at index `channel` of the model. */
void tra_set_key(tra_check *check, const tra_channel *channel, uint32_t key);

/* tra_spend pays for work of a check; false, and check->stopped, when the budget is spent. */
bool tra_spend(tra_check *check, uint64_t units);

/* tra_tell reports a finding at a place of the text, with the place of the check as context. */
void tra_tell(const tra_check *check, enum tra_rule rule, const char *field, fh_text_place at,
              fh_value found, fh_value expected);

/* tra_tell_token is tra_tell with a token as what was found. */
void tra_tell_token(const tra_check *check, enum tra_rule rule, const char *field,
                    const fh_token *token, fh_value expected);

/* tra_put_real writes a number with up to six decimals, for evidence only. */
void tra_put_real(fh_text *out, double value);

#endif
