/* libframehound: finds, verifies and replays animation data (TOD, HMD, TRA4, camerawork).
 *
 *     framehound *hound = NULL;
 *     framehound_sink sink = {.size = sizeof sink, .user = me, .asset = on_asset,
 *                             .finding = on_finding, .pose = on_pose};
 *     if (framehound_new(&hound, NULL) == FRAMEHOUND_OK) {
 *         framehound_check_file(hound, "walk.tod", &sink);    a file that is an asset
 *         framehound_scan_file(hound, "disc.bin", &sink);     assets in anything
 *     }
 *     framehound_free(hound);
 *
 * Build with `pkg-config --cflags --libs framehound`. docs/examples/list_assets.c is a whole
 * program. C11 and C++11.
 *
 * Input is hostile
 *   Any bytes may be given to every function here. Nothing is executed, and what is found in them
 *   opens no file, with one exception: a control file (cue, CCD, MDS) that is scanned by its path
 *   names image files, and those in its own folder are read. Work and memory are bounded by the
 *   length of the input; where a bound is met a finding says so, and the status is
 * FRAMEHOUND_LIMIT. To verify an asset takes at most 16 bytes of memory for each byte of it and of
 * its companion and 8 MiB besides, of which only what is used is touched; poses take as much again.
 * An asset has at most 8 MiB. What a scan takes besides does not grow with the size of the source.
 * The limits are constants of the library; the stop callback ends any work earlier.
 *
 * Threads
 *   There is no global state. A context is for one thread at a time; several threads may each use
 *   one of their own at once. Results are the same for any number of threads. Callbacks are called
 *   in the thread that made the call. A callback must not call functions of the same context. The
 *   library sets no signal handler and no locale, writes to no stream and never exits; a bug of its
 *   own that an assertion finds aborts, unless it was built with -Db_ndebug=true.
 *
 * Ownership
 *   What a callback gets is the library's and there until the callback returns; strings that are
 *   called constant, names of formats, rules and enums, live as long as the library is loaded.
 *   Bytes and strings that are given to a function stay the caller's, who keeps them until it
 *   returns. All strings end with a zero; those that come from input (paths, members of archives)
 *   may hold any other byte. Paths are passed to open() as they are; "-" is standard input.
 *
 * Binary compatibility (ABI)
 *   The soname is libframehound.so.0, all symbols have the version LIBFRAMEHOUND_0, and nothing but
 *   what stands in this header is exported. While the soname stays:
 *   - no function is taken away or gets other parameters, no constant gets another value or
 * meaning;
 *   - structs that a program fills in (framehound_options, framehound_sink) begin with their
 * `size`. They only grow at their end, and a member that is 0 or NULL means what was there before
 * it. A library refuses a size that is smaller than its first version, and bytes beyond what it
 *     knows that are not 0 (FRAMEHOUND_MISUSE): it cannot do what a newer program asks for;
 *   - structs that the library hands to callbacks only grow at their end: use them through the
 *     pointer, and do not copy them whole. framehound_column and framehound_value, which are
 *     handed out in arrays, and framehound_bytes never change;
 *   - enums may get new values. Treat an unknown status as a failure, an unknown severity as an
 *     error;
 *   - new functions get the version of the library that has them in their comment.
 *   Deprecated functions are marked with __attribute__((deprecated)) and their comment says what to
 *   use; they stay until the soname changes, and at least for one release.
 *   What is found is not part of this: releases find more, and have other messages and rules. A
 * code of a rule is never used again with another meaning. Names that begin with framehound
 *   or FRAMEHOUND are taken; the static library has no others either.
 */
#ifndef FRAMEHOUND_H
#define FRAMEHOUND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FRAMEHOUND_API __attribute__((visibility("default")))
#define FRAMEHOUND_MUST_USE __attribute__((warn_unused_result))
#else
#define FRAMEHOUND_API
#define FRAMEHOUND_MUST_USE
#endif

/* The version of this header. */
#define FRAMEHOUND_VERSION "0.1.0"

/* A number that is not known or does not apply. */
#define FRAMEHOUND_UNKNOWN INT64_MIN

/* Bytes of the hashes. */
#define FRAMEHOUND_SHA256_LEN 32

/* ---- versions and names ---------------------------------------------------------------------- */

/* framehound_version returns the version of the library that is loaded, such as "0.1.0". */
FRAMEHOUND_API const char *framehound_version(void);

/* framehound_ruleset returns a fingerprint of all rules and their texts: what --version of the
 * program prints in hexadecimal. Results of libraries with the same version and fingerprint can be
 * compared. */
FRAMEHOUND_API uint32_t framehound_ruleset(void);

typedef enum framehound_status {
    FRAMEHOUND_OK = 0,         /* all was done; there may be findings */
    FRAMEHOUND_NO_ASSET = 1,   /* of a check: the bytes are nothing that is known */
    FRAMEHOUND_STOPPED = 2,    /* a callback ended the work */
    FRAMEHOUND_LIMIT = 3,      /* a limit stopped some of the work; findings say where */
    FRAMEHOUND_PARTIAL = 4,    /* some could not be read, or changed meanwhile; the rest was done */
    FRAMEHOUND_UNREADABLE = 5, /* the file cannot be opened, or not a byte of it be read */
    FRAMEHOUND_NO_MEMORY = 6,
    FRAMEHOUND_MISUSE = 7 /* an argument is not allowed; nothing was done */
} framehound_status;

typedef enum framehound_severity {
    FRAMEHOUND_NOTE = 0,
    FRAMEHOUND_WARNING = 1,
    FRAMEHOUND_ERROR = 2
} framehound_severity;

typedef enum framehound_grade {
    FRAMEHOUND_CANDIDATE = 0,  /* begins like an asset, but its structure does not hold */
    FRAMEHOUND_STRUCTURE = 1,  /* sizes, lengths and counts tile exactly */
    FRAMEHOUND_REFERENCES = 2, /* and everything that it refers to exists, without an error */
    FRAMEHOUND_REPLAYED = 3    /* and the evaluator ran every frame to the end */
} framehound_grade;

typedef enum framehound_replay {
    FRAMEHOUND_REPLAY_NONE = 0,     /* it was not run */
    FRAMEHOUND_REPLAY_COMPLETE = 1, /* every frame was run */
    FRAMEHOUND_REPLAY_ASSUMED = 2,  /* also, but on a start that the asset does not contain */
    FRAMEHOUND_REPLAY_STILL = 3,    /* nothing moves; the one frame is how it rests */
    FRAMEHOUND_REPLAY_BROKEN = 4,   /* the player cannot go on; a finding says why */
    FRAMEHOUND_REPLAY_STOPPED = 5   /* a limit ended it; a finding says where */
} framehound_replay;

/* Each returns a constant name in lower case, such as "no memory", "warning", "structure" and
 * "complete", and "unknown" for what is none. */
FRAMEHOUND_API const char *framehound_status_name(framehound_status status);
FRAMEHOUND_API const char *framehound_severity_name(framehound_severity severity);
FRAMEHOUND_API const char *framehound_grade_name(framehound_grade grade);
FRAMEHOUND_API const char *framehound_replay_name(framehound_replay replay);

/* ---- formats and rules ----------------------------------------------------------------------- */

/* All strings of both are constant. */
typedef struct framehound_format {
    const char *name;              /* "tod" */
    const char *title;             /* one line for people */
    const char *const *extensions; /* of files, lower case, without dot; NULL behind the last */
    const char *const *profiles;   /* player behaviours, default first; NULL behind the last */
    const char *companion; /* extension of the file that says what its assets belong to; or NULL */
    const char *companion_title; /* what that is, for people; or NULL */
} framehound_format;

typedef struct framehound_rule {
    const char *code;   /* "TOD0001" */
    const char *format; /* "tod" ..., "image" or "run" */
    framehound_severity severity;
    const char *title;       /* what is wrong */
    const char *explanation; /* what that means */
    const char *source;      /* where the rule comes from */
    const char *mend;        /* what to do about it */
} framehound_rule;

/* Both hand out all there are, in a fixed order, until the callback returns something else than 0;
 * that is returned, else 0. */
FRAMEHOUND_API int framehound_formats(int (*each)(void *user, const framehound_format *format),
                                      void *user);
FRAMEHOUND_API int framehound_rules(int (*each)(void *user, const framehound_rule *rule),
                                    void *user);

/* ---- results --------------------------------------------------------------------------------- */

/* Some bytes. */
typedef struct framehound_bytes {
    const void *bytes; /* may be NULL if len is 0 */
    size_t len;
} framehound_bytes;

/* A source: a file, or one that was found in it, such as a member of an archive. It is told behind
 * all that was found in it. */
typedef struct framehound_source {
    const char *path;      /* of a member: ARCHIVE!/NAME */
    const char *kind;      /* "file", "image", "memory", "archive" or "sheet"; constant */
    const char *layout;    /* "plain", or bytes a sector: "2048", "2352" ...; constant */
    const char *status;    /* "complete", "partial", "limit" or "unreadable"; constant */
    const char *why;       /* of what is not complete, and of a check that finds no asset; or "" */
    int64_t size;          /* bytes */
    const uint8_t *sha256; /* of all bytes, or NULL */
    int64_t ram_base;      /* where its first byte lay in memory, if its assets agree on that */
} framehound_source;

/* Where a part of an asset lies that is not in one piece. Never changes. */
typedef struct framehound_piece {
    int64_t asset_offset;
    int64_t raw_offset;
    int64_t length;
} framehound_piece;

/* An asset. Numbers may be FRAMEHOUND_UNKNOWN. In a check offsets are 0: the asset is the file. */
typedef struct framehound_asset {
    const char *source; /* path of its source */
    int64_t id;         /* counts the assets of a call, from 0 */
    const char *format; /* constant */
    framehound_grade grade;
    int64_t raw_offset;   /* byte of the source at which it begins */
    int64_t user_offset;  /* byte of the user data of an image */
    int64_t length;       /* bytes */
    int64_t lba;          /* of the sector of an image */
    const char *iso_path; /* file of the image's directory tree, or NULL */
    int64_t iso_offset;   /* in that file */
    int64_t ram_address;  /* at which a program had loaded it */
    int64_t evidence_bits;
    int64_t frames; /* as the asset says */
    int64_t objects;
    const uint8_t *sha256;      /* of its bytes, or NULL */
    const uint8_t *pose_sha256; /* of its motion, or NULL */
    framehound_replay replay;
    const char *evaluator; /* name of the player that was followed, or NULL; constant */
    int64_t replay_frames; /* frames that were run */
    int64_t replay_ticks;  /* running time in 1/60 s, 0 where the format has no time base */
    const uint8_t *bytes;  /* `length` of them, user data only */
    const framehound_piece *pieces; /* in the order of its bytes, or NULL: it lies in one */
    size_t num_pieces;
} framehound_asset;

/* A finding: one instance of a rule. Numbers may be FRAMEHOUND_UNKNOWN. */
typedef struct framehound_finding {
    const char *source;
    int64_t asset; /* its id, or FRAMEHOUND_UNKNOWN: the finding is about the source */
    const char *code;
    framehound_severity severity;
    const char *title;    /* constant, as are code, mend and field */
    const char *mend;     /* what to do about it */
    const char *field;    /* what is at fault */
    const char *found;    /* value found, or "" */
    const char *expected; /* value demanded, or "" */
    int64_t raw_offset;   /* byte of the source */
    int64_t asset_offset; /* byte of the asset */
    int64_t frame;        /* index of the frame in the asset */
    int64_t object;       /* id of the object */
    const char *message;  /* all of it in one line */
} framehound_finding;

typedef enum framehound_column_type {
    FRAMEHOUND_COLUMN_INT = 0,  /* an integer that measures something */
    FRAMEHOUND_COLUMN_REAL = 1, /* a real number */
    FRAMEHOUND_COLUMN_NAME = 2  /* an integer that names something, counts, or is a flag */
} framehound_column_type;

typedef struct framehound_column {
    const char *name; /* constant */
    framehound_column_type type;
} framehound_column;

typedef union framehound_value {
    int64_t i; /* of every type but REAL; FRAMEHOUND_UNKNOWN where there is no value */
    double r;  /* FRAMEHOUND_COLUMN_REAL */
} framehound_value;

/* A row of poses: an object, a light, a camera ... in one frame. The README says what each table
 * and column of a format is. */
typedef struct framehound_pose {
    const char *source;
    int64_t asset;     /* its id */
    int64_t frame;     /* from 0 */
    int64_t number;    /* what the file calls the frame; else the same */
    const char *table; /* constant */
    const framehound_column *columns;
    const framehound_value *values; /* as many */
    size_t num_columns;
} framehound_pose;

/* Where results go. Every callback may be NULL. The order is: each asset, its poses, its findings;
 * findings of the source stand anywhere between assets; the source last. A callback that returns
 * something else than 0 ends the work: no other is called, and the call returns
 * FRAMEHOUND_STOPPED. */
typedef struct framehound_sink {
    size_t size; /* sizeof(framehound_sink) */
    void *user;
    int (*source)(void *user, const framehound_source *source);
    int (*asset)(void *user, const framehound_asset *asset);
    int (*finding)(void *user, const framehound_finding *finding);
    int (*pose)(void *user, const framehound_pose *pose);

    /* Asked again and again; not 0 ends the work. For time limits and for people who wait. */
    int (*stop)(void *user);

    /* Of a check only: asked once for an asset of a format that may have a companion (the model of
     * an animation). 0, and *companion filled in, if there is one; its bytes must stay until the
     * call is over. Anything else: there is none, and the asset is judged without. */
    int (*companion)(void *user, const framehound_format *format, framehound_bytes *companion);
} framehound_sink;

/* ---- contexts -------------------------------------------------------------------------------- */

/* Bits of framehound_options.flags. */
enum {
    FRAMEHOUND_NO_REPLAY = 1,     /* verify only; no poses either */
    FRAMEHOUND_WORLD = 2,         /* poses also in world space, where the format knows one */
    FRAMEHOUND_CHANGES_ONLY = 4,  /* only rows of poses that differ from the last of the same */
    FRAMEHOUND_EVERY_OFFSET = 8,  /* scan: not only at a format's alignment */
    FRAMEHOUND_AS_IT_LIES = 16,   /* scan: containers and control files are not entered */
    FRAMEHOUND_CHECK_SECTORS = 32 /* scan: EDC and ECC of all sectors of an image */
};

/* What is 0 or NULL is the default. Strings are copied. */
typedef struct framehound_options {
    size_t size; /* sizeof(framehound_options) */
    uint32_t flags;
    uint32_t min_evidence; /* scan: bits that an asset must have; 0: as the program, 48; 1: any */
    const char *formats;   /* names separated by commas; NULL: all */
    const char *profile;   /* player behaviour, where a format has it; NULL: the default of each */
    const char *layout; /* scan: "auto" (NULL), "plain", "2048", "2336", "2352", "2368", "2448" */
} framehound_options;

typedef struct framehound framehound;

/* framehound_new makes a context. options NULL: the defaults. FRAMEHOUND_OK, FRAMEHOUND_MISUSE (a
 * name or flag is unknown) or FRAMEHOUND_NO_MEMORY; *out is NULL unless it is OK. The caller frees
 * it. A context may be used again and again; its memory grows to the largest asset so far. */
FRAMEHOUND_API framehound_status framehound_new(framehound **out, const framehound_options *options)
    FRAMEHOUND_MUST_USE;

/* framehound_free frees a context; NULL is allowed. */
FRAMEHOUND_API void framehound_free(framehound *hound);

/* framehound_error says why the last call with this context did not return FRAMEHOUND_OK; "" if it
 * did. Valid until the next call. */
FRAMEHOUND_API const char *framehound_error(const framehound *hound);

/* ---- work ------------------------------------------------------------------------------------ */

/* A check judges a file, or bytes, that are to be one asset from their first byte on, as the
 * command `check` does. It tells the asset if there is one, findings, and the source. A path whose
 * extension promises a format is held against it (RUN0005). FRAMEHOUND_OK, also with errors among
 * the findings: their severity says whether it passes. FRAMEHOUND_NO_ASSET where there is none;
 * findings may say why. Else as the status says.
 *
 * framehound_check_bytes takes the bytes of a file; path is what it is called, and opens nothing;
 * NULL: it has no name, and promises nothing. */
FRAMEHOUND_API framehound_status framehound_check_file(framehound *hound, const char *path,
                                                       const framehound_sink *sink);
FRAMEHOUND_API framehound_status framehound_check_bytes(framehound *hound, const char *path,
                                                        const void *bytes, size_t len,
                                                        const framehound_sink *sink);

/* A scan finds every asset in a file, or in bytes, as the command `scan` does: disc images, memory
 * dumps, save states, archives and compressed files, whatever the content is. FRAMEHOUND_OK also if
 * there is no asset. It tells one source or more. Directories are not walked. libarchive, which
 * opens archives, ends the process where it has no memory for some of its small parts.
 *
 * framehound_scan_bytes calls the bytes by the path, which opens nothing; NULL: "-". Control files
 * of discs (cue ...) among them are searched as they lie. */
FRAMEHOUND_API framehound_status framehound_scan_file(framehound *hound, const char *path,
                                                      const framehound_sink *sink);
FRAMEHOUND_API framehound_status framehound_scan_bytes(framehound *hound, const char *path,
                                                       const void *bytes, size_t len,
                                                       const framehound_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
