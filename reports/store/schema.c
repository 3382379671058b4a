/* The SQL of the project, but for the views (views.c). Nothing here is ever put together from data.
 */
#include "store_impl.h"

#define COVERAGE                                                                                   \
    "CREATE TABLE main.coverage ( -- who claims the sectors of a source, in runs\n"                \
    "    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,\n"                   \
    "    n INTEGER NOT NULL, -- from 1\n"                                                          \
    "    claim TEXT NOT NULL,\n"                                                                   \
    "    raw_offset INTEGER, -- NULL: a sum of several runs that have no row of their own\n"       \
    "    length INTEGER NOT NULL, -- bytes of the source\n"                                        \
    "    first_lba INTEGER,\n"                                                                     \
    "    sectors INTEGER NOT NULL, -- 0 where there are none\n"                                    \
    "    runs INTEGER NOT NULL,\n"                                                                 \
    "    asset_bytes INTEGER NOT NULL, -- of assets; what two of them share counts for both\n"     \
    "    PRIMARY KEY (source_id, n)\n"                                                             \
    ") STRICT, WITHOUT ROWID;\n"

/* What schema 2 has and schema 1 had not. */
#define TABLES_OF_2                                                                                \
    "CREATE TABLE main.piece ( -- of assets that do not lie in one place\n"                        \
    "    asset_id INTEGER NOT NULL REFERENCES asset (id) ON DELETE CASCADE,\n"                     \
    "    asset_offset INTEGER NOT NULL,\n"                                                         \
    "    raw_offset INTEGER NOT NULL,\n"                                                           \
    "    length INTEGER NOT NULL, -- bytes of user data\n"                                         \
    "    PRIMARY KEY (asset_id, asset_offset)\n"                                                   \
    ") STRICT, WITHOUT ROWID;\n" COVERAGE

/* The sums of what is true of a source. Views add up these rows, of which there are some ten for a
 * source, instead of its assets and findings. The key begins with what they group by. */
#define TALLY                                                                                      \
    "CREATE TABLE main.tally ( -- sums of the rows of each source, for the views\n"                \
    "    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,\n"                   \
    "    format TEXT NOT NULL,\n"                                                                  \
    "    grade TEXT NOT NULL, -- '': findings of the source itself, by the format of the rule\n"   \
    "    assets INTEGER NOT NULL,\n"                                                               \
    "    bytes INTEGER, -- of the assets; NULL: no length is known, as in longest\n"               \
    "    longest INTEGER,\n"                                                                       \
    "    frames INTEGER NOT NULL, -- what the file says, else what was replayed\n"                 \
    "    errors INTEGER NOT NULL,\n"                                                               \
    "    warnings INTEGER NOT NULL,\n"                                                             \
    "    notes INTEGER NOT NULL,\n"                                                                \
    "    PRIMARY KEY (format, grade, source_id)\n"                                                 \
    ") STRICT, WITHOUT ROWID;\n"

/* What a scan puts there, from the rows themselves. What somebody left behind who deleted its
 * source is of none. total: numbers that somebody made up may be too many for an integer. */
#define TALLIED                                                                                    \
    "SELECT source_id, format, grade, sum(is_asset) AS assets,\n"                                  \
    "    CASE WHEN count(length) > 0 THEN CAST(total(length) AS INTEGER) END AS bytes,\n"          \
    "    max(length) AS longest, CAST(total(frames) AS INTEGER) AS frames,\n"                      \
    "    sum(error) AS errors, sum(warning) AS warnings, sum(note) AS notes\n"                     \
    "FROM (SELECT a.source_id, a.format, a.grade, 1 AS is_asset, a.length,\n"                      \
    "        coalesce(a.frames, r.frames) AS frames, 0 AS error, 0 AS warning, 0 AS note\n"        \
    "    FROM main.asset AS a LEFT JOIN main.replay AS r ON r.asset_id = a.id\n"                   \
    "    UNION ALL\n"                                                                              \
    "    SELECT f.source_id, coalesce(a.format, r.format, 'unknown'), coalesce(a.grade, ''), 0,\n" \
    "        NULL, NULL, f.severity = 'error', f.severity = 'warning', f.severity = 'note'\n"      \
    "    FROM main.finding AS f LEFT JOIN main.asset AS a ON a.id = f.asset_id\n"                  \
    "    LEFT JOIN main.rule AS r ON r.code = f.code)\n"                                           \
    "GROUP BY format, grade, source_id HAVING source_id IN (SELECT id FROM main.source)"

/* What is true of the whole database: adding it up would go through all of a table. Unlike the sums
 * of a source it belongs to no row that it could go with, so it is right only if whoever writes
 * sees to it. As long as the row of kept says no, views go through the rows: a first scan, which
 * has no indexes either, does not see to it, and its end makes both; for few rows it is not made.
 */
#define OVERALL                                                                                    \
    "CREATE TABLE main.overall ( -- what is true of all sources, for the views\n"                  \
    "    what TEXT NOT NULL, -- bytes, of one source alone; shared, by several; motion; rule; "    \
    "kept\n"                                                                                       \
    "    name TEXT NOT NULL, -- hash, or code\n"                                                   \
    "    number INTEGER NOT NULL, -- copies; versions; findings; kept: 0 if there are no other "   \
    "rows\n"                                                                                       \
    "    amount INTEGER NOT NULL, -- assets of a motion, sources of a rule\n"                      \
    "    PRIMARY KEY (what, name)\n"                                                               \
    ") STRICT, WITHOUT ROWID;\n"                                                                   \
    "INSERT INTO main.overall (what, name, number, amount) VALUES ('kept', '', 0, 0);\n"

/* The schema is read by people too: `sqlite3 framehound.db .schema` shows it as it stands here. */
const char fh_sql_schema[] =
    "CREATE TABLE main.scan (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    tool_version TEXT NOT NULL,\n"
    "    ruleset_version TEXT NOT NULL,\n"
    "    options TEXT,\n"
    "    started_at TEXT NOT NULL, -- ISO 8601, UTC; the only timestamps of the database\n"
    "    finished_at TEXT,\n"
    "    status TEXT NOT NULL\n"
    ") STRICT;\n"

    "CREATE TABLE main.source (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    scan_id INTEGER NOT NULL REFERENCES scan (id),\n"
    "    path TEXT NOT NULL UNIQUE,\n"
    "    kind TEXT,\n"
    "    layout TEXT,\n"
    "    size INTEGER,\n"
    "    sha256 TEXT,\n"
    "    status TEXT NOT NULL\n"
    ") STRICT;\n"

    "CREATE TABLE main.asset (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,\n"
    "    format TEXT NOT NULL,\n"
    "    grade TEXT NOT NULL,\n"
    "    raw_offset INTEGER,  -- byte in the source file\n"
    "    user_offset INTEGER, -- byte in its user data\n"
    "    length INTEGER,\n"
    "    lba INTEGER,\n"
    "    iso_path TEXT,\n"
    "    iso_offset INTEGER,\n"
    "    ram_address INTEGER,\n"
    "    evidence_bits INTEGER,\n"
    "    frames INTEGER,\n"
    "    objects INTEGER,\n"
    "    sha256 TEXT,\n"
    "    pose_sha256 TEXT\n"
    ") STRICT;\n"

    "CREATE TABLE main.finding (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,\n"
    "    asset_id INTEGER REFERENCES asset (id) ON DELETE CASCADE,\n"
    "    code TEXT NOT NULL,\n"
    "    severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),\n"
    "    raw_offset INTEGER,\n"
    "    asset_offset INTEGER,\n"
    "    frame INTEGER,\n"
    "    object INTEGER,\n"
    "    message TEXT NOT NULL,\n"
    "    field TEXT,\n"
    "    found TEXT,\n"
    "    expected TEXT\n"
    ") STRICT;\n"

    "CREATE TABLE main.rule (\n"
    "    code TEXT PRIMARY KEY,\n"
    "    format TEXT NOT NULL,\n"
    "    severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),\n"
    "    title TEXT NOT NULL,\n"
    "    explanation TEXT NOT NULL\n"
    ") STRICT;\n"

    "CREATE TABLE main.replay (\n"
    "    asset_id INTEGER PRIMARY KEY REFERENCES asset (id) ON DELETE CASCADE,\n"
    "    evaluator TEXT,\n"
    "    frames INTEGER,\n"
    "    ticks INTEGER,\n"
    "    status TEXT NOT NULL,\n"
    "    pose_sha256 TEXT\n"
    ") STRICT;\n"

    TABLES_OF_2 TALLY OVERALL

    /* Last: 0x46484e44 is "FHND". */
    "PRAGMA main.application_id = 0x46484e44;\n"
    "PRAGMA main.user_version = 5;\n";

const char fh_sql_upgrade_1[] = TABLES_OF_2;

/* Schema 3 has other indexes under the same names. They are made when they are needed. */
const char fh_sql_upgrade_2[] = "DROP INDEX IF EXISTS main.asset_source;\n"
                                "DROP INDEX IF EXISTS main.asset_format;\n"
                                "DROP INDEX IF EXISTS main.asset_sha256;\n"
                                "DROP INDEX IF EXISTS main.finding_code;\n";

/* And so has schema 4, which sums up. */
const char fh_sql_upgrade_3[] =
    "DROP INDEX IF EXISTS main.asset_pose_sha256;\n" TALLY "INSERT INTO main.tally\n" TALLIED ";\n";

/* Schema 5 keeps what is true of all sources, from the end of the next scan on. */
const char fh_sql_upgrade_4[] = OVERALL "PRAGMA main.user_version = 5;\n";

/* In place of the tables, for who reads a database of an earlier schema. */
const char fh_sql_own_tally[] = "CREATE VIEW temp.tally AS\n" TALLIED ";\n";
const char fh_sql_own_overall[] =
    "CREATE TABLE temp.overall (what TEXT, name TEXT, number INTEGER, amount INTEGER,\n"
    "    PRIMARY KEY (what, name)) WITHOUT ROWID;\n"
    "INSERT INTO temp.overall VALUES ('kept', '', 0, 0);\n";

/* The tables of work that is not at its end: none of them is in the database of a scan that is
 * complete, so that two of the same bytes are the same. A stamp is a sum of what the system says of
 * the state of a file. */
const char fh_sql_visits[] =
    "CREATE TABLE IF NOT EXISTS main.visit ( -- files that an unfinished scan is done with\n"
    "    scan_id INTEGER NOT NULL REFERENCES scan (id) ON DELETE CASCADE,\n"
    "    path TEXT NOT NULL,\n"
    "    stamp INTEGER NOT NULL,\n"
    "    PRIMARY KEY (scan_id, path)\n"
    ") STRICT, WITHOUT ROWID;\n";
const char fh_sql_visits_tidy[] = "DROP TABLE main.visit;\n";
const char fh_sql_wanted[] =
    "CREATE TABLE IF NOT EXISTS main.wanted ( -- what an unfinished scan was asked to search\n"
    "    scan_id INTEGER NOT NULL REFERENCES scan (id) ON DELETE CASCADE,\n"
    "    n INTEGER NOT NULL, -- from 1\n"
    "    path TEXT NOT NULL, -- as the user named it\n"
    "    PRIMARY KEY (scan_id, n)\n"
    ") STRICT, WITHOUT ROWID;\n";
const char fh_sql_wanted_tidy[] = "DROP TABLE main.wanted;\n";

/* A shard keeps its table: framehound merge goes by it. */
const char fh_sql_places[] =
    "CREATE TABLE IF NOT EXISTS main.shard_place ( -- order of the sources in the whole scan\n"
    "    source_id INTEGER PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE,\n"
    "    place INTEGER NOT NULL\n"
    ") STRICT;\n";

/* Shards of one scan were all asked to search the same, each a part of it. */
const char fh_sql_asked[] =
    "CREATE TABLE IF NOT EXISTS main.shard_asked ( -- of what all shards of a scan were asked for\n"
    "    names_sha256 TEXT NOT NULL -- names as the user gave them, a zero byte behind each\n"
    ") STRICT;\n"
    "DELETE FROM main.shard_asked;\n";
const char fh_sql_places_clear[] = "DELETE FROM main.shard_place;\n";

/* Where the sources of all shards stand, and the assets of the one that is copied. */
const char fh_sql_merge[] =
    "CREATE TABLE temp.merge_source (shard INTEGER, id INTEGER, place INTEGER, path TEXT,\n"
    "    kind, layout, size, sha256, status, assets INTEGER, findings INTEGER,\n"
    "    PRIMARY KEY (shard, id));\n"
    "CREATE TABLE temp.merge_order (shard INTEGER, id INTEGER, new_id INTEGER,\n"
    "    asset_base INTEGER, finding_base INTEGER, PRIMARY KEY (shard, id));\n"
    "CREATE TABLE temp.merge_asset (old_id INTEGER PRIMARY KEY, new_id INTEGER);\n";

/* What leads to the rows of a source, of an asset, of a hash, of a rule. Those of several columns
 * spare the views a sort or the rows themselves. */
const char fh_sql_indexes[] =
    "CREATE INDEX IF NOT EXISTS main.asset_source ON asset (source_id, raw_offset);\n"
    "CREATE INDEX IF NOT EXISTS main.asset_format ON asset (format, grade, length);\n"
    "CREATE INDEX IF NOT EXISTS main.asset_length ON asset (length);\n"
    "CREATE INDEX IF NOT EXISTS main.asset_sha256 ON asset (sha256, source_id);\n"
    "CREATE INDEX IF NOT EXISTS main.asset_pose_sha256 ON asset (pose_sha256, sha256);\n"
    "CREATE INDEX IF NOT EXISTS main.finding_asset ON finding (asset_id);\n"
    "CREATE INDEX IF NOT EXISTS main.finding_source ON finding (source_id);\n"
    "CREATE INDEX IF NOT EXISTS main.finding_code ON finding (code, source_id);\n"
    "CREATE INDEX IF NOT EXISTS main.replay_status ON replay (status);\n"
    "CREATE INDEX IF NOT EXISTS main.tally_source ON tally (source_id);\n";

/* From the indexes of the rows. The index of what is put is made behind it, which is faster than to
 * grow it. */
const char fh_sql_overall_fill[] =
    "DROP INDEX IF EXISTS main.overall_most;\n"
    "DELETE FROM main.overall;\n"
    "INSERT INTO main.overall (what, name, number, amount)\n"
    "SELECT CASE WHEN min(source_id) = max(source_id) THEN 'bytes' ELSE 'shared' END, sha256,\n"
    "    count(*), 0 FROM main.asset WHERE sha256 IS NOT NULL\n"
    "GROUP BY sha256 HAVING count(*) > 1;\n"
    "INSERT INTO main.overall (what, name, number, amount)\n"
    "SELECT 'motion', pose_sha256, count(DISTINCT sha256), count(*) FROM main.asset\n"
    "WHERE pose_sha256 IS NOT NULL AND sha256 IS NOT NULL\n"
    "GROUP BY pose_sha256 HAVING min(sha256) <> max(sha256);\n"
    "INSERT INTO main.overall (what, name, number, amount)\n"
    "SELECT 'rule', code, sum(num), count(*) FROM (SELECT code, source_id, count(*) AS num\n"
    "    FROM main.finding GROUP BY code, source_id) GROUP BY code;\n"
    "INSERT INTO main.overall (what, name, number, amount) VALUES ('kept', '', 1, 0);\n";

/* Somebody with another tool does not see to it: then triggers make it void. They are switched off
 * where rows are put here (open.c). */
#define VOIDED                                                                                     \
    " BEGIN\n    UPDATE overall SET number = 0 WHERE what = 'kept' AND number <> 0;\nEND;\n"
const char fh_sql_overall_indexes[] =
    "CREATE INDEX IF NOT EXISTS main.overall_most ON overall (what, number DESC, name);\n"
    "CREATE TRIGGER IF NOT EXISTS main.asset_added AFTER INSERT ON asset" VOIDED
    "CREATE TRIGGER IF NOT EXISTS main.asset_gone AFTER DELETE ON asset" VOIDED
    "CREATE TRIGGER IF NOT EXISTS main.asset_changed\n"
    "    AFTER UPDATE OF source_id, sha256, pose_sha256 ON asset" VOIDED
    "CREATE TRIGGER IF NOT EXISTS main.finding_added AFTER INSERT ON finding" VOIDED
    "CREATE TRIGGER IF NOT EXISTS main.finding_gone AFTER DELETE ON finding" VOIDED
    "CREATE TRIGGER IF NOT EXISTS main.finding_changed\n"
    "    AFTER UPDATE OF source_id, code ON finding" VOIDED;

/* A database may come from anywhere: its views may not call functions with effects, and its pages
 * are checked before they are trusted. Caches are in KiB when negative. */
const char fh_sql_configure[] = "PRAGMA foreign_keys = ON;\n"
                                "PRAGMA trusted_schema = OFF;\n"
                                "PRAGMA cell_size_check = ON;\n"
                                "PRAGMA temp_store = FILE;\n"
                                "PRAGMA main.cache_size = -2000;\n"
                                "PRAGMA temp.cache_size = -1000;\n"
                                "PRAGMA temp.journal_mode = MEMORY;\n";

/* A database that is being made has nothing to lose: nothing of it is waited for, until all of its
 * first transaction is. Its rows are those of one connection, which refers to nothing that it has
 * not put there: foreign keys and checks would cost a sixth of the time. */
const char fh_sql_rash[] = "PRAGMA main.synchronous = OFF;\n"
                           "PRAGMA foreign_keys = OFF;\n"
                           "PRAGMA ignore_check_constraints = ON;\n";
const char fh_sql_careful[] = "PRAGMA main.synchronous = FULL;\n";
const char fh_sql_checking[] = "PRAGMA foreign_keys = ON;\n"
                               "PRAGMA ignore_check_constraints = OFF;\n";

/* kept_* are the ids that the earlier rows of a source had, by their number from 1. */
const char fh_sql_temp[] =
    "CREATE TABLE IF NOT EXISTS temp.kept_asset (n INTEGER PRIMARY KEY, id INTEGER NOT NULL);\n"
    "CREATE TABLE IF NOT EXISTS temp.kept_finding (n INTEGER PRIMARY KEY, id INTEGER NOT NULL);\n";

/* Sources of the same key are the same one. Where names are what counts several may have the same:
 * then the first ones of both are taken for each other, the second ones, and so on. */
const char fh_sql_diff[] =
    "CREATE TABLE temp.diff_source (side INTEGER, id INTEGER, path, pair INTEGER,\n"
    "    PRIMARY KEY (side, id));\n"
    "CREATE VIEW temp.diff_both AS SELECT pair, max(CASE side WHEN 0 THEN id END) AS a,\n"
    "    max(CASE side WHEN 1 THEN id END) AS b,\n"
    "    max(CASE side WHEN 0 THEN path END) AS a_path,\n"
    "    max(CASE side WHEN 1 THEN path END) AS b_path FROM temp.diff_source GROUP BY pair;\n"
    "CREATE TABLE temp.diff_asset (side INTEGER, id INTEGER, pair INTEGER, format, grade,\n"
    "    raw INTEGER, iso_path, iso_offset, sha256, pose_sha256, PRIMARY KEY (side, id));\n"
    "CREATE TABLE temp.diff_pair (a INTEGER PRIMARY KEY, b INTEGER NOT NULL UNIQUE);\n"
    "CREATE TABLE temp.diff_told (a_path, b_path, format, a_id INTEGER, b_id INTEGER, a_raw,\n"
    "    b_raw, iso_path, a_grade, b_grade, a_sha256, b_sha256, a_pose, b_pose);\n"
    "CREATE TABLE temp.diff_row (change INTEGER, a_path, b_path, format, a_id, b_id, a_raw,\n"
    "    b_raw, iso_path, code, a_value, b_value);\n";

#define DIFF_ASSETS(side, schema)                                                                  \
    "SELECT " side ", a.id, p.pair, a.format, a.grade, coalesce(a.raw_offset, -1), a.iso_path,\n"  \
    "    a.iso_offset, coalesce(a.sha256, ''), a.pose_sha256\n"                                    \
    "FROM " schema ".asset AS a\n"                                                                 \
    "JOIN temp.diff_source AS p ON p.side = " side " AND p.id = a.source_id"
#define DIFF_PLACE "a_path, b_path, format, a_id, b_id, a_raw, b_raw, iso_path"

/* What a source has of each hash, motion and rule. versions: those that no other source has. */
#define OWN_BYTES                                                                                  \
    "(SELECT sha256, count(*) AS num FROM main.asset\n"                                            \
    "    WHERE source_id = ?1 AND sha256 IS NOT NULL GROUP BY sha256)"
#define OWN_MOTIONS                                                                                \
    "(SELECT h.pose_sha256, sum(h.num) AS num, sum(NOT EXISTS (SELECT 1 FROM main.asset AS o\n"    \
    "        WHERE o.pose_sha256 = h.pose_sha256 AND o.sha256 = h.sha256\n"                        \
    "            AND o.source_id <> ?1)) AS versions\n"                                            \
    "    FROM (SELECT pose_sha256, sha256, count(*) AS num FROM main.asset\n"                      \
    "        WHERE source_id = ?1 AND pose_sha256 IS NOT NULL AND sha256 IS NOT NULL\n"            \
    "        GROUP BY pose_sha256, sha256) AS h GROUP BY h.pose_sha256)"
#define OWN_FINDINGS                                                                               \
    "(SELECT code, count(*) AS num FROM main.finding WHERE source_id = ?1 GROUP BY code)"

/* For a hash: all that begin so, for behind 'f' comes 'g'. */
#define OF_NOTHING(view, key) "SELECT * FROM temp." view " WHERE ?1 IS NULL LIMIT ?2"
#define OF_PATH(view, key) "SELECT * FROM temp." view " WHERE " key " = ?1 LIMIT ?2"
#define OF_CODE(view, key) OF_PATH(view, key)
#define OF_HASH(view, key)                                                                         \
    "SELECT * FROM temp." view " WHERE " key " >= ?1 AND " key " < ?1 || 'g' LIMIT ?2"

/* Of the options of a scan, which part of all sources it is of: it stands at their end. */
#define PART_OF(options)                                                                           \
    "iif(instr(" options ", ' shard=') > 0, substr(" options ", instr(" options ", ' shard=')), "  \
    "'')"

const char *const fh_sql_texts[FH_SQL_COUNT] = {
#define QUESTION(id, name, purpose, view, key, kind, needs)                                        \
    [FH_SQL_ASK_##id] = OF_NOTHING(view, key), [FH_SQL_ASK_##id##_OF] = OF_##kind(view, key),
#include "reports/store/questions.def"
#undef QUESTION

    /* IMMEDIATE: the lock for writing is taken here, where waiting for it is possible. */
    [FH_SQL_BEGIN] = "BEGIN IMMEDIATE",
    [FH_SQL_BEGIN_READ] = "BEGIN",
    [FH_SQL_COMMIT] = "COMMIT",
    [FH_SQL_ROLLBACK] = "ROLLBACK",

    /* hidden: 2 and 3 are generated columns. cid: -2 is an expression. */
    [FH_SQL_COMPUTED_COLUMNS] = "SELECT 1 FROM pragma_table_xinfo(?1, ?2) WHERE hidden <> 0",
    [FH_SQL_COMPUTED_INDEXES] = "SELECT 1 FROM pragma_index_list(?1, 'main') AS l, "
                                "pragma_index_xinfo(l.name, 'main') AS x\n"
                                "WHERE l.partial <> 0 OR x.cid = -2",
    [FH_SQL_TABLE_IS] =
        "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?1 AND sql = ?2",
    /* Of another connection: each table, its text, and one of its columns. */
    [FH_SQL_MODEL_TABLES] =
        "SELECT s.name, s.sql, c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c\n"
        "WHERE s.type = 'table' AND c.cid = 0",

    [FH_SQL_VIEW_PUT] = "INSERT INTO main.sqlite_schema (type, name, tbl_name, rootpage, sql)\n"
                        "VALUES ('view', ?1, ?1, 0, 'CREATE VIEW ' || ?1 || ' AS\n' || ?2)",
    [FH_SQL_SCAN_PUT] =
        "INSERT INTO main.scan (tool_version, ruleset_version, options, started_at, status)\n"
        "VALUES (?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%SZ', ?4, 'unixepoch'), 'running')",
    [FH_SQL_SCAN_FINISH] =
        "UPDATE main.scan SET finished_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), status = ?1\n"
        "WHERE id = ?2",
    /* The last one counts even if it is complete: whoever was killed right behind the end and is
     * started again does it once more, and leaves the same rows. */
    [FH_SQL_UNFINISHED_FIND] =
        "SELECT id FROM main.scan WHERE (status IN ('running', 'interrupted')\n"
        "    OR id = (SELECT max(id) FROM main.scan))\n"
        "AND tool_version = ?1 AND ruleset_version = ?2 AND options IS ?3 AND id > ?4\n"
        "ORDER BY id LIMIT 1",
    [FH_SQL_UNFINISHED_OTHER_PART] =
        "SELECT 1 FROM main.scan WHERE status IN ('running', 'interrupted')\n"
        "AND tool_version = ?1 AND ruleset_version = ?2 AND " PART_OF("options") " <> " PART_OF(
            "?3") " LIMIT 1",
    [FH_SQL_UNFINISHED_ANY] = "SELECT 1 FROM main.scan WHERE status IS NOT 'complete' LIMIT 1",
    [FH_SQL_SCAN_REOPEN] =
        "UPDATE main.scan SET status = 'running', finished_at = NULL WHERE id = ?1",
    [FH_SQL_SCANS_FOLD_SOURCES] = "UPDATE main.source SET scan_id = ?1 WHERE scan_id = ?2",
    [FH_SQL_SCANS_FOLD_VISITS] = "UPDATE OR REPLACE main.visit SET scan_id = ?1 WHERE scan_id = ?2",
    [FH_SQL_SCANS_FOLD_WANTED] =
        "UPDATE OR REPLACE main.wanted SET scan_id = ?1 WHERE scan_id = ?2",
    [FH_SQL_SCANS_FOLD] = "DELETE FROM main.scan WHERE id = nullif(?2, ?1)",
    [FH_SQL_RESUMED_WORST] =
        "SELECT (SELECT max(CASE f.severity WHEN 'error' THEN 3 WHEN 'warning' THEN 2 ELSE 1 END)\n"
        "    FROM main.finding AS f JOIN main.source AS s ON s.id = f.source_id\n"
        "    WHERE s.scan_id = ?1),\n"
        "    EXISTS (SELECT 1 FROM main.source WHERE scan_id = ?1 AND status = 'limit')\n"
        "FROM main.scan WHERE id = ?1 AND status <> 'complete'",
    [FH_SQL_RESUMED_PROGRESS] =
        "SELECT EXISTS (SELECT 1 FROM main.scan WHERE id = ?1 AND status = 'complete'),\n"
        "    (SELECT count(*) FROM main.visit WHERE scan_id = ?1),\n"
        "    (SELECT count(*) FROM main.scan WHERE id <> ?1\n"
        "        AND status IN ('running', 'interrupted'))",
    [FH_SQL_VISIT_PUT] = "INSERT OR REPLACE INTO main.visit (scan_id, path, stamp)\n"
                         "VALUES (?1, ?2, ?3)",
    /* Not if another scan has put its own rows in the place of those. */
    [FH_SQL_VISIT_FIND] =
        "SELECT stamp FROM main.visit WHERE scan_id = ?1 AND path = ?2\n"
        "AND NOT EXISTS (SELECT 1 FROM main.source WHERE path = ?2 AND scan_id <> ?1)\n"
        "AND NOT EXISTS (SELECT 1 FROM main.source\n"
        "    WHERE path > ?2 || '!/' AND path < ?2 || '!0' AND scan_id <> ?1)",
    [FH_SQL_VISITS_DELETE] = "DELETE FROM main.visit WHERE scan_id = ?1",
    [FH_SQL_WANTED_PUT] = "INSERT INTO main.wanted (scan_id, n, path) VALUES (?1, ?2, ?3)",
    [FH_SQL_WANTED_LIST] = "SELECT path FROM main.wanted WHERE scan_id = ?1 ORDER BY n",
    [FH_SQL_WANTED_DELETE] = "DELETE FROM main.wanted WHERE scan_id = ?1",
    [FH_SQL_ASKED_PUT] = "INSERT INTO main.shard_asked (names_sha256) VALUES (?1)",
    [FH_SQL_ASKED_GET] = "SELECT max(names_sha256), count(*) FROM main.shard_asked",
    [FH_SQL_PLACE_PUT] = "INSERT INTO main.shard_place (source_id, place) VALUES (?1, ?2)\n"
                         "ON CONFLICT DO NOTHING",
    [FH_SQL_RULE_SAME] =
        "SELECT 1 FROM main.rule WHERE code = ?1 AND format = ?2 AND severity = ?3\n"
        "AND title = ?4 AND explanation = ?5",
    [FH_SQL_RULE_PUT] =
        "INSERT OR REPLACE INTO main.rule (code, format, severity, title, explanation)\n"
        "VALUES (?1, ?2, ?3, ?4, ?5)",

    [FH_SQL_ASSET_PUT] =
        "INSERT INTO main.asset (id, source_id, format, grade, raw_offset, user_offset, length,\n"
        "    lba, iso_path, iso_offset, ram_address, evidence_bits, frames, objects, sha256,\n"
        "    pose_sha256)\n"
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    [FH_SQL_PIECE_PUT] = "INSERT INTO main.piece (asset_id, asset_offset, raw_offset, length)\n"
                         "VALUES (?1, ?2, ?3, ?4)",
    [FH_SQL_REPLAY_PUT] =
        "INSERT INTO main.replay (asset_id, evaluator, frames, ticks, status, pose_sha256)\n"
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [FH_SQL_FINDING_PUT] =
        "INSERT INTO main.finding (id, source_id, asset_id, code, severity, raw_offset,\n"
        "    asset_offset, frame, object, message, field, found, expected)\n"
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    [FH_SQL_FINDINGS_PUT] =
        "INSERT INTO main.finding (id, source_id, asset_id, code, severity, raw_offset,\n"
        "    asset_offset, frame, object, message, field, found, expected)\n"
        "SELECT id, ?2, asset_id, code, severity, raw_offset, asset_offset, frame, object,\n"
        "    message, field, found, expected FROM fh_finding(?1)",
    [FH_SQL_COVERAGE_PUT] =
        "INSERT INTO main.coverage (source_id, n, claim, raw_offset, length, first_lba, sectors,\n"
        "    runs, asset_bytes)\n"
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    /* NULL and a number are that number. */
    [FH_SQL_TALLY_ADD] =
        "INSERT INTO main.tally AS t (source_id, format, grade, assets, bytes, longest, frames,\n"
        "    errors, warnings, notes)\n"
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)\n"
        "ON CONFLICT DO UPDATE SET assets = t.assets + excluded.assets,\n"
        "    bytes = coalesce(t.bytes + excluded.bytes, t.bytes, excluded.bytes),\n"
        "    longest = coalesce(max(t.longest, excluded.longest), t.longest, excluded.longest),\n"
        "    frames = t.frames + excluded.frames, errors = t.errors + excluded.errors,\n"
        "    warnings = t.warnings + excluded.warnings, notes = t.notes + excluded.notes",
    [FH_SQL_TALLY_FILL] = "INSERT INTO main.tally\n" TALLIED,

    [FH_SQL_OVERALL_IS_KEPT] =
        "SELECT 1 FROM main.overall WHERE what = 'kept' AND name = '' AND number <> 0",
    [FH_SQL_OVERALL_IS_WORTH_IT] = "SELECT 1 WHERE (SELECT max(id) FROM main.asset) >= ?1\n"
                                   "    OR (SELECT max(id) FROM main.finding) >= ?1",
    /* Each looks at the rows of one source and takes some steps in indexes for what these have, not
     * for each of its copies, of which there may be one in every source. A hash that has no row is
     * there once at most, so what comes with its second copy is known. CAST: numbers that somebody
     * made up may leave the integers, and end at the last one. */
    [FH_SQL_BYTES_JOIN] =
        "UPDATE main.overall AS t SET number = CAST(t.number + h.num AS INTEGER),\n"
        "    what = CASE WHEN EXISTS (SELECT 1 FROM main.asset AS o\n"
        "        WHERE o.sha256 = t.name AND o.source_id <> ?1) THEN 'shared' ELSE 'bytes' END\n"
        "FROM " OWN_BYTES " AS h WHERE t.what IN ('bytes', 'shared') AND t.name = h.sha256",
    [FH_SQL_BYTES_ADD] =
        "INSERT INTO main.overall (what, name, number, amount)\n"
        "SELECT CASE WHEN is_elsewhere THEN 'shared' ELSE 'bytes' END, sha256,\n"
        "    num + is_elsewhere, 0\n"
        "FROM (SELECT h.sha256, h.num, EXISTS (SELECT 1 FROM main.asset AS o\n"
        "        WHERE o.sha256 = h.sha256 AND o.source_id <> ?1) AS is_elsewhere\n"
        "    FROM " OWN_BYTES " AS h)\n"
        "WHERE num + is_elsewhere > 1 AND NOT EXISTS (SELECT 1 FROM main.overall AS t\n"
        "    WHERE t.what IN ('bytes', 'shared') AND t.name = sha256)",
    [FH_SQL_BYTES_LEAVE] =
        "UPDATE main.overall AS t SET number = CAST(t.number - h.num AS INTEGER),\n"
        "    what = CASE WHEN (SELECT o.source_id FROM main.asset AS o WHERE\n"
        "        o.sha256 = t.name AND o.source_id <> ?1 ORDER BY o.source_id LIMIT 1)\n"
        "        <> (SELECT o.source_id FROM main.asset AS o WHERE\n"
        "        o.sha256 = t.name AND o.source_id <> ?1 ORDER BY o.source_id DESC LIMIT 1)\n"
        "        THEN 'shared' ELSE 'bytes' END\n"
        "FROM " OWN_BYTES " AS h WHERE t.what IN ('bytes', 'shared') AND t.name = h.sha256",
    [FH_SQL_BYTES_TIDY] =
        "DELETE FROM main.overall WHERE what IN ('bytes', 'shared') AND number < 2\n"
        "    AND name IN (SELECT sha256 FROM main.asset WHERE source_id = ?1)",
    [FH_SQL_MOTIONS_JOIN] =
        "UPDATE main.overall AS t SET number = CAST(t.number + p.versions AS INTEGER),\n"
        "    amount = CAST(t.amount + p.num AS INTEGER)\n"
        "FROM " OWN_MOTIONS " AS p WHERE t.what = 'motion' AND t.name = p.pose_sha256",
    /* All assets of these are looked at: up to now they were alike, however many they are. */
    [FH_SQL_MOTIONS_ADD] =
        "INSERT INTO main.overall (what, name, number, amount)\n"
        "SELECT 'motion', a.pose_sha256, count(DISTINCT a.sha256), count(*) FROM main.asset AS a\n"
        "WHERE a.sha256 IS NOT NULL AND a.pose_sha256 IN (\n"
        "    SELECT o.pose_sha256 FROM main.asset AS o WHERE o.source_id = ?1\n"
        "        AND NOT EXISTS (SELECT 1 FROM main.overall AS t\n"
        "            WHERE t.what = 'motion' AND t.name = o.pose_sha256)\n"
        "        AND (SELECT min(x.sha256) FROM main.asset AS x\n"
        "            WHERE x.pose_sha256 = o.pose_sha256) <>\n"
        "            (SELECT max(x.sha256) FROM main.asset AS x\n"
        "            WHERE x.pose_sha256 = o.pose_sha256))\n"
        "GROUP BY a.pose_sha256",
    [FH_SQL_MOTIONS_LEAVE] =
        "UPDATE main.overall AS t SET number = CAST(t.number - p.versions AS INTEGER),\n"
        "    amount = CAST(t.amount - p.num AS INTEGER)\n"
        "FROM " OWN_MOTIONS " AS p WHERE t.what = 'motion' AND t.name = p.pose_sha256",
    [FH_SQL_MOTIONS_TIDY] =
        "DELETE FROM main.overall WHERE what = 'motion' AND number < 2\n"
        "    AND name IN (SELECT pose_sha256 FROM main.asset WHERE source_id = ?1)",
    [FH_SQL_RULES_JOIN] =
        "INSERT INTO main.overall AS t (what, name, number, amount)\n"
        "SELECT 'rule', code, num, 1 FROM " OWN_FINDINGS " WHERE true\n"
        "ON CONFLICT DO UPDATE SET number = CAST(t.number + excluded.number AS INTEGER),\n"
        "    amount = CAST(t.amount + 1 AS INTEGER)",
    [FH_SQL_RULES_LEAVE] =
        "UPDATE main.overall AS t SET number = CAST(t.number - f.num AS INTEGER),\n"
        "    amount = CAST(t.amount - 1 AS INTEGER)\n"
        "FROM " OWN_FINDINGS " AS f WHERE t.what = 'rule' AND t.name = f.code",
    [FH_SQL_RULES_TIDY] = "DELETE FROM main.overall WHERE what = 'rule' AND number < 1\n"
                          "    AND name IN (SELECT code FROM main.finding WHERE source_id = ?1)",

    [FH_SQL_ASSET_WORDS] = "SELECT format, grade FROM main.asset WHERE id = ?1",
    [FH_SQL_RULE_FORMAT] = "SELECT format FROM main.rule WHERE code = ?1",
    [FH_SQL_ASSET_ID_HIGHEST] = "SELECT max(id) FROM main.asset",
    [FH_SQL_FINDING_ID_HIGHEST] = "SELECT max(id) FROM main.finding",

    [FH_SQL_SOURCE_FIND] = "SELECT id FROM main.source WHERE path = ?1",
    [FH_SQL_SOURCE_PUT] =
        "INSERT INTO main.source (scan_id, path, kind, layout, size, sha256, status)\n"
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)\n"
        "ON CONFLICT (path) DO UPDATE SET scan_id = excluded.scan_id, kind = excluded.kind,\n"
        "    layout = excluded.layout, size = excluded.size, sha256 = excluded.sha256,\n"
        "    status = excluded.status",

    [FH_SQL_SOURCE_MARK] = "UPDATE main.source SET status = ?2 WHERE id = ?1",

    /* Behind '/' comes '0': these are the paths that begin with the container's, found through the
     * index that keeps paths unique. */
    [FH_SQL_OLD_MEMBERS_COUNT] = "SELECT count(*) FROM main.source\n"
                                 "WHERE path > ?1 || '!/' AND path < ?1 || '!0' AND scan_id <> ?2",
    [FH_SQL_OLD_MEMBERS_LIST] = "SELECT id FROM main.source\n"
                                "WHERE path > ?1 || '!/' AND path < ?1 || '!0' AND scan_id <> ?2",
    [FH_SQL_SOURCE_DELETE] = "DELETE FROM main.source WHERE id = ?1",

    [FH_SQL_ASSET_IDS_KEEP] =
        "INSERT INTO temp.kept_asset\n"
        "SELECT row_number() OVER (ORDER BY id), id FROM main.asset WHERE source_id = ?1",
    [FH_SQL_FINDING_IDS_KEEP] =
        "INSERT INTO temp.kept_finding\n"
        "SELECT row_number() OVER (ORDER BY id), id FROM main.finding WHERE source_id = ?1",
    [FH_SQL_KEPT_ASSETS_CLEAR] = "DELETE FROM temp.kept_asset",
    [FH_SQL_KEPT_FINDINGS_CLEAR] = "DELETE FROM temp.kept_finding",
    [FH_SQL_KEPT_ASSETS_COUNT] = "SELECT count(*) FROM temp.kept_asset",
    [FH_SQL_KEPT_FINDINGS_COUNT] = "SELECT count(*) FROM temp.kept_finding",
    [FH_SQL_KEPT_ASSET_FIND] = "SELECT id FROM temp.kept_asset WHERE n = ?1",
    [FH_SQL_KEPT_FINDING_FIND] = "SELECT id FROM temp.kept_finding WHERE n = ?1",
    [FH_SQL_FINDINGS_DELETE] = "DELETE FROM main.finding WHERE source_id = ?1",
    [FH_SQL_ASSETS_DELETE] = "DELETE FROM main.asset WHERE source_id = ?1",

    [FH_SQL_COVERAGE_DELETE] = "DELETE FROM main.coverage WHERE source_id = ?1",
    [FH_SQL_TALLY_DELETE] = "DELETE FROM main.tally WHERE source_id = ?1",

    [FH_SQL_ASSET_FIND] =
        "SELECT s.path, s.kind, s.layout, s.sha256, a.format, a.grade, a.raw_offset,\n"
        "    a.user_offset, a.length, a.lba, a.iso_path, a.iso_offset, a.ram_address,\n"
        "    a.evidence_bits, a.frames, a.objects, a.sha256, a.pose_sha256, r.evaluator, "
        "r.frames,\n"
        "    r.ticks, r.status\n"
        "FROM main.asset AS a JOIN main.source AS s ON s.id = a.source_id\n"
        "LEFT JOIN main.replay AS r ON r.asset_id = a.id WHERE a.id = ?1",
    [FH_SQL_PIECES_FIND] =
        "SELECT asset_offset, raw_offset, length FROM main.piece WHERE asset_id = ?1\n"
        "ORDER BY asset_offset",
    [FH_SQL_ASSETS_LIST] = "SELECT a.id, a.format, a.grade\n"
                           "FROM main.asset AS a JOIN main.source AS s ON s.id = a.source_id\n"
                           "ORDER BY s.path COLLATE BINARY, a.raw_offset, a.id",
    [FH_SQL_FINDINGS_LIST] =
        "SELECT code, severity, raw_offset, asset_offset, frame, object, message, field, found,\n"
        "    expected FROM main.finding WHERE asset_id = ?1 ORDER BY id",

    /* Sorted alike, what has no place and what has no asset first. */
    /* One that was broken off, and whose sources later scans have all searched anew, has nothing
     * left to tell of, unless it is the last one. */
    [FH_SQL_TELL_SCANS] = "SELECT tool_version, ruleset_version, options, started_at,\n"
                          "    finished_at, status FROM main.scan\n"
                          "WHERE status = 'complete' OR id = (SELECT max(id) FROM main.scan)\n"
                          "    OR id IN (SELECT scan_id FROM main.source) ORDER BY id",
    [FH_SQL_TELL_COVERAGE] =
        "SELECT claim, raw_offset, length, first_lba, sectors, runs, asset_bytes\n"
        "FROM main.coverage WHERE source_id = ?1 ORDER BY n",
    [FH_SQL_TELL_SOURCES] = "SELECT id, path, kind, layout, size, sha256, status\n"
                            "FROM main.source ORDER BY id",
    [FH_SQL_TELL_ASSETS] =
        "SELECT a.id, a.source_id, a.format, a.grade, a.raw_offset, a.user_offset, a.length,\n"
        "    a.lba, a.iso_path, a.iso_offset, a.ram_address, a.evidence_bits, a.frames,\n"
        "    a.objects, a.sha256, a.pose_sha256, r.evaluator, r.frames, r.ticks, r.status,\n"
        "    r.pose_sha256\n"
        "FROM main.asset AS a LEFT JOIN main.replay AS r ON r.asset_id = a.id\n"
        "ORDER BY a.source_id, a.raw_offset, a.id",
    [FH_SQL_TELL_FINDINGS] =
        "SELECT f.id, f.source_id, f.asset_id, f.code, f.severity, f.raw_offset,\n"
        "    f.asset_offset, f.frame, f.object, f.message, f.field, f.found, f.expected\n"
        "FROM main.finding AS f LEFT JOIN main.asset AS a ON a.id = f.asset_id\n"
        "ORDER BY f.source_id, f.asset_id IS NOT NULL, a.raw_offset, f.asset_id, f.id",
    [FH_SQL_TELL_RULE] = "SELECT severity, title, explanation FROM main.rule WHERE code = ?1",

    [FH_SQL_DIFF_ATTACH] = "ATTACH ?1 AS other",

    /* Sources of the same key are the same one. Where names are what counts several may have the
     * same: then the first ones of both are taken for each other, the second ones, and so on. */
    [FH_SQL_DIFF_SOURCES] =
        "INSERT INTO temp.diff_source (side, id, path, pair)\n"
        "SELECT side, id, path, dense_rank() OVER (ORDER BY key, n)\n"
        "FROM (SELECT side, id, path, key,\n"
        "        row_number() OVER (PARTITION BY side, key ORDER BY path, id) AS n\n"
        "    FROM (SELECT 0 AS side, id, path, fh_key(path, ?1) AS key FROM main.source\n"
        "        UNION ALL SELECT 1, id, path, fh_key(path, ?1) FROM other.source))",
    [FH_SQL_DIFF_ASSETS] = "INSERT INTO temp.diff_asset\n" DIFF_ASSETS(
        "0", "main") "\nUNION ALL\n" DIFF_ASSETS("1", "other"),

    /* Assets that are still alone and agree in a way: 0, place and bytes; 1, bytes; 2, place; 3,
     * place in the same file of the disc. Where several agree they go together in their order. Of a
     * group there is at most one of each side: sorting finds the pairs, a join would try them all.
     */
    [FH_SQL_DIFF_PAIR] =
        "INSERT INTO temp.diff_pair (a, b)\n"
        "WITH alone AS (SELECT side, id, pair, format, raw, CASE ?1\n"
        "        WHEN 0 THEN raw || ' ' || sha256\n"
        "        WHEN 1 THEN nullif(sha256, '')\n"
        "        WHEN 2 THEN nullif(raw, -1)\n"
        "        ELSE iso_offset || ' ' || iso_path END AS key\n"
        "    FROM temp.diff_asset\n"
        "    WHERE (side = 0 AND id NOT IN (SELECT a FROM temp.diff_pair))\n"
        "        OR (side = 1 AND id NOT IN (SELECT b FROM temp.diff_pair))),\n"
        "counted AS (SELECT side, id, pair, format, key, row_number() OVER (\n"
        "        PARTITION BY side, pair, format, key ORDER BY raw, id) AS n\n"
        "    FROM alone WHERE key IS NOT NULL)\n"
        "SELECT max(CASE side WHEN 0 THEN id END), max(CASE side WHEN 1 THEN id END)\n"
        "FROM counted GROUP BY pair, format, key, n HAVING count(*) = 2",

    [FH_SQL_DIFF_TELL] =
        "INSERT INTO temp.diff_told\n"
        "SELECT CASE WHEN x.id IS NOT NULL THEN s.a_path END,\n"
        "    CASE WHEN y.id IS NOT NULL THEN s.b_path END,\n"
        "    coalesce(x.format, y.format), x.id, y.id, nullif(x.raw, -1), nullif(y.raw, -1),\n"
        "    coalesce(y.iso_path, x.iso_path), x.grade, y.grade, nullif(x.sha256, ''),\n"
        "    nullif(y.sha256, ''), x.pose_sha256, y.pose_sha256\n"
        "FROM (SELECT a, b FROM temp.diff_pair\n"
        "    UNION ALL SELECT id, NULL FROM temp.diff_asset\n"
        "    WHERE side = 0 AND id NOT IN (SELECT a FROM temp.diff_pair)\n"
        "    UNION ALL SELECT NULL, id FROM temp.diff_asset\n"
        "    WHERE side = 1 AND id NOT IN (SELECT b FROM temp.diff_pair)) AS p\n"
        "LEFT JOIN temp.diff_asset AS x ON x.side = 0 AND x.id = p.a\n"
        "LEFT JOIN temp.diff_asset AS y ON y.side = 1 AND y.id = p.b\n"
        "JOIN temp.diff_both AS s ON s.pair = coalesce(x.pair, y.pair)",

    /* Numbers of changes are those of fh_change. */
    [FH_SQL_DIFF_TELL_SOURCES] =
        "INSERT INTO temp.diff_row (change, a_path, b_path)\n"
        "SELECT CASE WHEN a IS NULL THEN 0 ELSE 1 END, a_path, b_path FROM temp.diff_both\n"
        "WHERE a IS NULL OR b IS NULL",
    [FH_SQL_DIFF_TELL_ASSETS] =
        "INSERT INTO temp.diff_row\n"
        "SELECT 0, " DIFF_PLACE ", NULL, NULL, NULL FROM temp.diff_told WHERE a_id IS NULL\n"
        "UNION ALL\n"
        "SELECT 1, " DIFF_PLACE ", NULL, NULL, NULL FROM temp.diff_told WHERE b_id IS NULL\n"
        "UNION ALL\n"
        "SELECT 2, " DIFF_PLACE ", NULL, NULL, NULL FROM temp.diff_told\n"
        "    WHERE a_id IS NOT NULL AND b_id IS NOT NULL AND a_raw IS NOT b_raw\n"
        "UNION ALL\n"
        "SELECT 3, " DIFF_PLACE ", NULL, a_sha256, b_sha256 FROM temp.diff_told\n"
        "    WHERE a_id IS NOT NULL AND b_id IS NOT NULL AND a_sha256 IS NOT b_sha256\n"
        "UNION ALL\n"
        "SELECT 4, " DIFF_PLACE ", NULL, a_pose, b_pose FROM temp.diff_told\n"
        "    WHERE a_id IS NOT NULL AND b_id IS NOT NULL AND a_pose IS NOT b_pose\n"
        "UNION ALL\n"
        "SELECT 5, " DIFF_PLACE ", NULL, a_grade, b_grade FROM temp.diff_told\n"
        "    WHERE a_id IS NOT NULL AND b_id IS NOT NULL AND a_grade IS NOT b_grade",
    /* CROSS: the findings are gone through once, whatever indexes there are. */
    [FH_SQL_DIFF_TELL_CODES] =
        "INSERT INTO temp.diff_row\n"
        "SELECT CASE WHEN n.in_b > n.in_a THEN 6 ELSE 7 END, " DIFF_PLACE ", n.code, n.in_a,\n"
        "    n.in_b\n"
        "FROM (SELECT a, b, code, sum(in_a) AS in_a, sum(in_b) AS in_b FROM (\n"
        "        SELECT p.a, p.b, f.code, 1 AS in_a, 0 AS in_b\n"
        "        FROM main.finding AS f CROSS JOIN temp.diff_pair AS p ON p.a = f.asset_id\n"
        "        UNION ALL SELECT p.a, p.b, f.code, 0, 1\n"
        "        FROM other.finding AS f CROSS JOIN temp.diff_pair AS p ON p.b = f.asset_id)\n"
        "    GROUP BY a, b, code HAVING sum(in_a) <> sum(in_b)) AS n\n"
        "JOIN temp.diff_told AS t ON t.a_id = n.a AND t.b_id = n.b",
    [FH_SQL_DIFF_TELL_SOURCE_CODES] =
        "INSERT INTO temp.diff_row (change, a_path, b_path, code, a_value, b_value)\n"
        "SELECT CASE WHEN sum(in_b) > sum(in_a) THEN 6 ELSE 7 END, a_path, b_path, code,\n"
        "    sum(in_a), sum(in_b)\n"
        "FROM (SELECT s.pair, s.a_path, s.b_path, f.code, 1 AS in_a, 0 AS in_b\n"
        "    FROM main.finding AS f CROSS JOIN temp.diff_both AS s\n"
        "        ON s.a = f.source_id WHERE f.asset_id IS NULL AND s.b IS NOT NULL\n"
        "    UNION ALL SELECT s.pair, s.a_path, s.b_path, f.code, 0, 1\n"
        "    FROM other.finding AS f CROSS JOIN temp.diff_both AS s\n"
        "        ON s.b = f.source_id WHERE f.asset_id IS NULL AND s.a IS NOT NULL)\n"
        "GROUP BY pair, code HAVING sum(in_a) <> sum(in_b)",
    [FH_SQL_DIFF_LIST] =
        "SELECT change, a_path, b_path, format, a_id, b_id, a_raw, b_raw, iso_path, code,\n"
        "    a_value, b_value FROM temp.diff_row\n"
        "ORDER BY coalesce(a_path, b_path), format IS NOT NULL, coalesce(a_raw, b_raw), format,\n"
        "    coalesce(a_id, b_id), a_id IS NULL, change, code",

    [FH_SQL_MERGE_SCANS] =
        "SELECT DISTINCT tool_version, ruleset_version, options, status, started_at, finished_at\n"
        "FROM main.scan WHERE id = (SELECT max(id) FROM main.scan)\n"
        "    OR id IN (SELECT scan_id FROM main.source) ORDER BY id",
    [FH_SQL_MERGE_SCAN_PUT] =
        "INSERT INTO main.scan (id, tool_version, ruleset_version, options, started_at,\n"
        "    finished_at, status) VALUES (1, ?1, ?2, ?3, ?4, ?5, 'complete')",
    /* The last column: the source is not of the newest scan of the shard. */
    [FH_SQL_MERGE_SOURCES] =
        "SELECT s.id, NULL, s.path, s.kind, s.layout, s.size, s.sha256, s.status,\n"
        "    coalesce(a.num, 0), coalesce(f.num, 0), 1 FROM main.source AS s\n"
        "LEFT JOIN (SELECT source_id, count(*) AS num FROM main.asset GROUP BY source_id) AS a\n"
        "    ON a.source_id = s.id\n"
        "LEFT JOIN (SELECT source_id, count(*) AS num FROM main.finding GROUP BY source_id) AS f\n"
        "    ON f.source_id = s.id",
    [FH_SQL_MERGE_SOURCES_PLACED] =
        "SELECT s.id, p.place, s.path, s.kind, s.layout, s.size, s.sha256, s.status,\n"
        "    coalesce(a.num, 0), coalesce(f.num, 0),\n"
        "    p.place IS NULL OR s.scan_id <> (SELECT max(id) FROM main.scan)\n"
        "FROM main.source AS s\n"
        "LEFT JOIN main.shard_place AS p ON p.source_id = s.id\n"
        "LEFT JOIN (SELECT source_id, count(*) AS num FROM main.asset GROUP BY source_id) AS a\n"
        "    ON a.source_id = s.id\n"
        "LEFT JOIN (SELECT source_id, count(*) AS num FROM main.finding GROUP BY source_id) AS f\n"
        "    ON f.source_id = s.id",
    [FH_SQL_MERGE_SOURCE_KEEP] =
        "INSERT INTO temp.merge_source VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    [FH_SQL_MERGE_TWICE] = "SELECT path, min(shard), max(shard) FROM temp.merge_source\n"
                           "GROUP BY path HAVING count(*) > 1 ORDER BY path LIMIT 1",
    [FH_SQL_MERGE_ORDER] =
        "INSERT INTO temp.merge_order\n"
        "SELECT shard, id, row_number() OVER o, sum(assets) OVER o - assets,\n"
        "    sum(findings) OVER o - findings FROM temp.merge_source\n"
        "WINDOW o AS (ORDER BY place IS NULL, place, shard, id ROWS UNBOUNDED PRECEDING)",
    [FH_SQL_MERGE_SOURCES_PUT] =
        "INSERT INTO main.source (id, scan_id, path, kind, layout, size, sha256, status)\n"
        "SELECT o.new_id, 1, s.path, s.kind, s.layout, s.size, s.sha256, s.status\n"
        "FROM temp.merge_order AS o JOIN temp.merge_source AS s\n"
        "    ON s.shard = o.shard AND s.id = o.id ORDER BY o.new_id",
    [FH_SQL_MERGE_PLACE_FIND] = "SELECT new_id, asset_base, finding_base FROM temp.merge_order\n"
                                "WHERE shard = ?1 AND id = ?2",
    [FH_SQL_MERGE_ASSET_KEEP] = "INSERT INTO temp.merge_asset VALUES (?1, ?2)",
    [FH_SQL_MERGE_ASSET_FIND] = "SELECT new_id FROM temp.merge_asset WHERE old_id = ?1",
    [FH_SQL_MERGE_ASSETS_CLEAR] = "DELETE FROM temp.merge_asset",

    /* The columns in the order of the statement that puts them. */
    [FH_SQL_MERGE_ASSETS] =
        "SELECT id, source_id, format, grade, raw_offset, user_offset, length, lba, iso_path,\n"
        "    iso_offset, ram_address, evidence_bits, frames, objects, sha256, pose_sha256\n"
        "FROM main.asset ORDER BY source_id, id",
    [FH_SQL_MERGE_FINDINGS] =
        "SELECT id, source_id, asset_id, code, severity, raw_offset, asset_offset, frame, object,\n"
        "    message, field, found, expected FROM main.finding ORDER BY source_id, id",
    [FH_SQL_MERGE_PIECES] = "SELECT asset_id, asset_offset, raw_offset, length FROM main.piece\n"
                            "ORDER BY asset_id, asset_offset",
    [FH_SQL_MERGE_REPLAYS] = "SELECT asset_id, evaluator, frames, ticks, status, pose_sha256\n"
                             "FROM main.replay ORDER BY asset_id",
    [FH_SQL_MERGE_COVERAGE] =
        "SELECT source_id, n, claim, raw_offset, length, first_lba, sectors, runs, asset_bytes\n"
        "FROM main.coverage ORDER BY source_id, n",
    [FH_SQL_MERGE_RULES] = "SELECT code, format, severity, title, explanation FROM main.rule",
};
