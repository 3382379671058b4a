/* Records: what the hunt hands to the reports, one struct a kind, field for field the columns of
 * the database. Numbers that are not known are FH_UNKNOWN, strings and hashes then NULL.
 * Everything pointed to is borrowed for the duration of the call that passes the record.
 */
#ifndef FH_CORE_RECORD_H
#define FH_CORE_RECORD_H

#include "core/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FH_SHA256_LEN 32u

typedef struct fh_source_record {
    int64_t id;         /* of the database; 0 where there is none. Likewise in what follows */
    const char *path;   /* as the user named it, or the way there from a directory or archive */
    const char *kind;   /* "file", "image", "memory", "archive" (anything with members), "sheet" */
    const char *layout; /* "plain", "2048", "2352" ...: bytes a sector */
    const char *status; /* "complete", "partial" (a read failed), "unreadable", "limit" */
    int64_t size;       /* bytes */
    const uint8_t *sha256; /* of all bytes */
    const char *why; /* why nothing is known to be in it, in a few words; NULL: something is, or
                        nobody asked. No column */
} fh_source_record;

/* A run of `framehound scan`. Only here are there times: ISO 8601, UTC. */
typedef struct fh_scan_run_record {
    const char *tool_version;
    const char *ruleset_version;
    const char *options; /* as the user asked for it */
    const char *started_at;
    const char *finished_at;
    const char *status;
} fh_scan_run_record;

typedef struct fh_replay_record {
    const char *evaluator;
    int64_t frames;
    int64_t ticks;
    const char *status;
    const uint8_t *pose_sha256;
} fh_replay_record;

/* A part of an asset that does not lie in one piece: `length` bytes of it from asset_offset on are
 * in the source from raw_offset on, in user data. */
typedef struct fh_piece_record {
    int64_t asset_offset;
    int64_t raw_offset;
    int64_t length;
} fh_piece_record;

typedef struct fh_asset_record {
    int64_t id;
    const char *format;
    const char *grade;
    int64_t raw_offset;  /* byte in the source */
    int64_t user_offset; /* byte in its user data */
    int64_t length;
    int64_t lba;
    const char *iso_path;
    int64_t iso_offset;
    int64_t ram_address;
    int64_t evidence_bits;
    int64_t frames;
    int64_t objects;
    const uint8_t *sha256;
    const uint8_t *pose_sha256;
    const fh_replay_record *replay; /* NULL: not replayed */
    const fh_piece_record *pieces;  /* where its bytes lie if it was put together, else NULL */
    size_t num_pieces;
} fh_asset_record;

/* A run of sectors that one thing claims, or the sum of several runs that had no room of their own:
 * raw_offset and first_lba are then unknown. */
typedef struct fh_coverage_record {
    const char *claim;
    int64_t raw_offset;
    int64_t length; /* bytes of the source */
    int64_t first_lba;
    int64_t sectors;     /* 0 where there are none */
    int64_t runs;        /* at least 1 */
    int64_t asset_bytes; /* of assets in it; what two of them share counts for both */
} fh_coverage_record;

/* The bytes around the field of a finding. */
typedef struct fh_excerpt {
    const uint8_t *bytes;
    size_t len;
    int64_t asset_offset; /* of the first of them */
    size_t field_off;     /* of the field in them; len where it would lie behind the end */
    size_t field_len;     /* bytes; 0 where that is not known */
    bool is_text;         /* of an asset that is a text */
} fh_excerpt;

typedef struct fh_finding_record {
    int64_t id;
    int64_t asset; /* what the store called the asset, FH_UNKNOWN for a finding of the source */
    const fh_rule *rule;
    fh_severity severity; /* the rule's, unless the user changed it */
    int64_t raw_offset;
    int64_t asset_offset;
    int64_t frame;
    int64_t object;
    const char *field;
    const char *found;
    const char *expected;
    const char *message;
    uint32_t line; /* of a text, from 1; 0 where there is none. No column of the database, nor is */
    uint32_t column;           /* this one, in characters, */
    const fh_excerpt *excerpt; /* nor this; NULL where the bytes are not at hand */
} fh_finding_record;

#endif
