/* A format, as the scanner, the tests and the fuzzers see it.
 *
 * Every format fills one of these and is listed in the registry; nobody outside its folder knows
 * more of it. All functions are pure: they read the bytes of a cursor, allocate from the arena
 * they are given, pay from the budget they are given and speak through the sink.
 */
#ifndef FH_CORE_FORMAT_H
#define FH_CORE_FORMAT_H

#include "core/arena.h"
#include "core/budget.h"
#include "core/cursor.h"
#include "core/memo.h"
#include "core/repair.h"
#include "core/scene.h"
#include "core/sink.h"

#include <stdbool.h>

struct fh_field_sink; /* core/describe.h */
struct fh_schema;     /* core/schema.h */
struct fh_governance;

/* Grades of an asset, in rising order. */
typedef enum fh_grade {
    FH_GRADE_CANDIDATE = 0, /* begins like one, but its structure does not hold */
    FH_GRADE_STRUCTURE,     /* sizes, lengths and counts tile exactly */
    FH_GRADE_REFERENCES,    /* and everything it refers to exists */
    FH_GRADE_REPLAYED       /* and the reference evaluator ran every frame to the end */
} fh_grade;

/* fh_grade_name returns "candidate", "structure", "references" or "replayed". */
FH_API const char *fh_grade_name(fh_grade grade);

typedef struct fh_env {
    fh_arena *arena;
    fh_budget *budget;
    const fh_sink *sink;
    fh_budget *reserve; /* of what few bytes may ask for beyond the budget, which all assets of a
                           source share; NULL: of a single one, for which there is enough */
} fh_env;

/* A word that assets of a format have, for the prefilter: little endian, masked. */
typedef struct fh_magic {
    uint32_t mask;
    uint32_t value;
} fh_magic;

/* What follows the bytes at hand. */
typedef enum fh_end {
    FH_END_NONE = 0, /* more may come */
    FH_END_STREAM,   /* nothing that belongs to them: a seam of the stream they were found in */
    FH_END_FILE      /* nothing: a file ends here, and its length may mean something */
} fh_end;

typedef enum fh_verdict {
    FH_REJECT, /* no asset begins here */
    FH_ACCEPT, /* an asset of `length` bytes begins here */
    FH_MORE    /* no decision without at least `length` bytes from the start of the candidate */
} fh_verdict;

typedef struct fh_probe {
    fh_verdict verdict;
    size_t length;          /* FH_ACCEPT: bytes of the asset; FH_MORE: bytes wanted */
    const fh_rule *rule;    /* FH_REJECT: the check that rejected it */
    size_t reject_off;      /* FH_REJECT: byte in the candidate at which it failed */
    fh_status status;       /* FH_REJECT: in what way */
    bool has_more_frames;   /* FH_REJECT: the look ended before the sound frames did */
    bool near_miss;         /* FH_REJECT: so much of it was sound that it is one, but damaged */
    uint32_t frames;        /* frames that were sound, announced or not */
    uint32_t evidence_bits; /* bits whose value was demanded by checks that passed */
    bool is_part; /* FH_REJECT: too little to be an asset, but `length` bytes may be a part
                     of one; see fh_joining */
} fh_probe;

/* What an asset shows that lies in memory as a program has prepared it. */
typedef struct fh_in_memory {
    const char *stage; /* the highest one whose marks are there, constant; NULL: bytes of a file */
    char missing[FH_EVIDENCE_LEN]; /* marks of earlier stages that are not; empty: none */
    const char *outside;      /* the first pointer that leaves main RAM, constant; NULL: none */
    size_t outside_off;       /* where it stands */
    uint32_t outside_address; /* where it leads */
} fh_in_memory;

typedef struct fh_asset {
    fh_grade grade;
    size_t length;    /* bytes from the start of the asset; what follows is not its own */
    int64_t frames;   /* FH_UNKNOWN where the format does not say */
    uint32_t objects; /* distinct objects that it names */
    uint32_t evidence_bits;
    int64_t ram_address; /* at which a program had loaded it, as its pointers say; FH_UNKNOWN for
                            the bytes of a file */
    fh_in_memory in_memory;
} fh_asset;

/* A kind of file that may lie beside that of an asset and says what the asset belongs to, such as
 * the model of an animation. Without it the asset is verified and replayed as far as it goes. */
typedef struct fh_companion_kind {
    const char *extension; /* lower case, without dot; the option of the program is called so too */
    const char *title;     /* what it is, for people */
    bool makes_world;      /* world space is known only with it */
    bool (*is_one)(fh_cursor bytes); /* the bytes begin like one */
} fh_companion_kind;

typedef struct fh_verify_options {
    bool stand_alone; /* the bytes are a whole file: what lies behind the asset is judged too */
    bool aligned;     /* the asset starts at a multiple of its format's alignment */
    bool ends_file;   /* a file ends where the bytes end (implied by stand_alone) */
    bool is_joined;   /* the bytes were put together from parts; some may be missing between them */
    const fh_cursor *companion; /* bytes of a file of the format's companion kind, which stay as
                                   long as the model; NULL: there is none at hand */
} fh_verify_options;

typedef struct fh_replay_options {
    const char *profile;       /* player behaviour, NULL = the format's default */
    uint32_t num_slots;        /* size of the player's object table, 0 = the reference player's */
    const void *const *before; /* models (of verify) that are replayed first, silently */
    size_t num_before;
    bool world;        /* poses in world space besides, as a table of their own, if the format knows
                          one; where it takes a companion, that is the one given to verify */
    bool changes_only; /* only rows that differ from the row last shown for the same thing */
    double time_step;  /* between two steps of what a camera path belongs to, 0 = 1.0 */
} fh_replay_options;

typedef enum fh_replay_state {
    FH_REPLAY_COMPLETE = 0,
    FH_REPLAY_ASSUMED, /* complete, but on a start that the asset does not contain: see its notes */
    FH_REPLAY_STOPPED, /* a limit stopped it */
    FH_REPLAY_STILL,   /* nothing in the asset moves; its one frame is how it rests */
    FH_REPLAY_BROKEN   /* the player cannot go on: its findings say why */
} fh_replay_state;

/* fh_replay_state_name returns "complete", "assumed", "stopped", "still" or "broken". */
FH_API const char *fh_replay_state_name(fh_replay_state state);

typedef struct fh_replay_result {
    fh_replay_state state;
    const char *evaluator; /* name and version of the player that was followed, constant */
    uint32_t frames;       /* frames that were run */
    uint64_t ticks;        /* running time in 1/60 s, 0 where the file leaves it to the program */
} fh_replay_result;

/* A part of a text whose lines are numbered: whole lines, and what stands in front of them and
 * behind them and may be the rest of lines that were cut. */
typedef struct fh_part {
    int64_t first, last; /* numbers of the first and the last whole line */
    size_t head;         /* where the end of a cut line would begin; at most `lines` */
    size_t lines;        /* of the first whole line */
    size_t lines_end;    /* behind the last one */
    size_t tail_end;     /* behind the beginning of a cut line; at least lines_end */
    uint32_t style;      /* the same in all parts of one text */
} fh_part;

/* The two sides of a cut line. */
typedef struct fh_cut {
    size_t tail_len; /* bytes of the tail, from its start */
    size_t head_len; /* bytes of the head, up to its end */
} fh_cut;

/* What is said of parts and how they were put together. */
typedef enum fh_join_rule {
    FH_JOIN_JOINED = 0, /* an asset was put together */
    FH_JOIN_MERGED,     /* a line of it was put together from the two sides of a cut */
    FH_JOIN_RIVALS,     /* several parts could follow, or precede: none was joined */
    FH_JOIN_COPY,       /* the same lines stand elsewhere */
    FH_JOIN_DIFFERENT,  /* parts share lines and differ in others of the same number */
    FH_JOIN_LIMIT,      /* not all parts could be considered */
    FH_JOIN_NUM_RULES
} fh_join_rule;

/* How the parts of a text are put in order, for a format whose lines say where they belong. Cursors
 * have the offset in the stream as origin: where pages or sectors meet is a likely place of a cut.
 */
typedef struct fh_joining {
    const fh_rule *rules[FH_JOIN_NUM_RULES];

    /* describe tells of the part whose lines are in `len` bytes at `start`; what surrounds them is
     * in bytes as well. Offsets of the part are those in bytes. false: there is no whole line. */
    bool (*describe)(fh_part *out, fh_cursor bytes, size_t start, size_t len, fh_budget *budget);

    /* merge finds the one line with this number that the tail of one part and the head of another
     * make together; false if none. */
    bool (*merge)(fh_cut *out, fh_cursor tail, fh_cursor head, int64_t number, uint32_t style,
                  fh_budget *budget);

    /* differ tells whether two ranges of whole lines share one to the byte and differ in another of
     * the same number, and in which first. */
    bool (*differ)(int64_t *number, fh_cursor a, fh_cursor b, fh_budget *budget);

    /* is_begun tells whether the tail is the beginning of the line with this number, and so not
     * what chance put behind the part; is_ended whether the head is the end of a line. */
    bool (*is_begun)(fh_cursor tail, int64_t number, uint32_t style);
    bool (*is_ended)(fh_cursor head, uint32_t style);
} fh_joining;

/* A part of an asset that can be taken out, and the numbers elsewhere that count it: each is made
 * smaller by so much. Those of one level do not overlap and are told in order of their offset; what
 * holds others is of a lower level. */
enum { FH_UNIT_COUNTS = 2 };
typedef struct fh_unit {
    unsigned level; /* from 0 */
    size_t off, len;
    struct {
        size_t off;
        size_t len; /* bytes of the number, little endian; 0: there is none */
        uint32_t less;
    } counts[FH_UNIT_COUNTS];
} fh_unit;

typedef struct fh_unit_sink {
    void *user;
    void (*unit)(void *user, const fh_unit *unit);
} fh_unit_sink;

typedef struct fh_format {
    const char *name;              /* "tod" */
    const char *title;             /* one line for people */
    const char *const *extensions; /* lower case, without dot, ended by NULL */
    const char *const *profiles;   /* names of player behaviours, default first, ended by NULL */
    const char *const *evaluators; /* what the evaluator of each profile is called */
    const fh_rule *rules;
    size_t num_rules;
    const fh_magic *magics; /* one of them is in every asset */
    size_t num_magics;
    unsigned alignment; /* bytes; of the magic's offset in user data, unless every offset is asked
                           for */

    /* locate tells where the asset begins that has a magic at byte `at` of bytes: there, or at most
     * FH_LOOK_BEHIND bytes in front of it. false: none does. NULL: it always begins there. Looks at
     * no more than FH_LOOK_BEHIND bytes to either side, for it is asked for every magic, and must
     * not be surer than the bytes are: more of them may follow. */
    bool (*locate)(size_t *start, fh_cursor bytes, size_t at);

    /* glance is a look at the first bytes of a place with a magic, for which nothing is paid: false
     * if probe rejects those bytes where more may follow (FH_END_NONE), and has nothing to tell of
     * them. NULL: there is no look that is cheaper than probe. */
    bool (*glance)(const fh_cursor *bytes);

    bool can_continue;  /* replay has a table of objects that what is replayed before may fill */
    bool has_world;     /* poses are relative to something, so that world space says more */
    bool has_time_step; /* replay depends on the time that passes between two frames */
    const fh_companion_kind *companion; /* NULL: its assets stand alone */

    /* A text may begin otherwise at the start of a file (a byte order mark, UTF-16, blank lines),
     * and the end of its last line is its own if it is there. */
    bool is_text;

    const fh_joining *joining; /* NULL: parts of an asset are never put together */

    /* probe decides whether an asset begins at the start of bytes. end says what follows them.
     * memo, if not NULL, shares work between overlapping candidates of
     * one stream; bytes.origin is then the offset in that stream. Tables come from the arena, which
     * is the caller's again afterwards. Pays from budget; a spent budget or a full arena is a
     * rejection by a rule of the format that says so. */
    void (*probe)(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
                  fh_budget *budget);

    /* verify decodes an asset at the start of bytes, checks it, reports findings and fills asset.
     * model (from the arena, valid as long as it and the bytes) is what replay needs; NULL when
     * the run-time could not follow the bytes either, as those of a fragment. Returns FH_OK when
     * the structure holds, else why not. A companion changes neither the structure nor the length
     * of an asset; findings in it have no offset, but say in their context where they are. */
    fh_status (*verify)(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                        const fh_verify_options *options) FH_MUST_USE;

    /* replay runs a model through the reference evaluator: findings and poses go to the sink. The
     * caller raises the grade of the asset to REPLAYED when it holds REFERENCES and the state is
     * COMPLETE or ASSUMED. FH_UNSUPPORTED for an unknown profile. */
    fh_status (*replay)(fh_replay_result *result, const fh_env *env, const void *model,
                        const fh_replay_options *options) FH_MUST_USE;

    /* canonical writes a model's text in the one form that all texts with the same content share,
     * in ASCII but for what is quoted, with LF. NULL where a format is no text. The model must be
     * that of a whole asset without error findings; one that turns out not to be is FH_CORRUPT.
     * FH_UNSUPPORTED when something in it has no place in that form, FH_LIMIT when the work is not
     * paid for. Unless it returns FH_OK, nothing was written. */
    fh_status (*canonical)(const fh_env *env, const fh_text_sink *out,
                           const void *model) FH_MUST_USE;

    /* repair tells the edits that would mend what is certainly wrong in a file, in any order; see
     * core/repair.h. NULL where nothing is. Edits that were told before a status other than FH_OK
     * are of no use. */
    fh_status (*repair)(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                        const fh_verify_options *options) FH_MUST_USE;
    const fh_mend *mends; /* the rules that repair mends, here and there */
    size_t num_mends;

    /* units tells the parts that can be taken out of an asset, as long as those in front of it are
     * sound; see fh_unit. NULL: bytes only, or the lines of a text. */
    fh_status (*units)(const fh_env *env, const fh_unit_sink *out, fh_cursor bytes) FH_MUST_USE;

    /* describe labels the bytes of an asset; see core/describe.h. A format of bytes does it by its
     * schema. The asset may be a damaged one: it is told as far as its layout can be followed. */
    fh_status (*describe)(const fh_env *env, const struct fh_field_sink *out,
                          fh_cursor bytes) FH_MUST_USE;
    const struct fh_schema *schema;         /* NULL: a text */
    const struct fh_governance *governance; /* which rules look at what describe tells */
    const fh_scene *scene;                  /* what there is to see */
} fh_format;

#endif
