/* The views: what people ask a collection. They stand in every database, for people with sqlite3
 * alone, and framehound query asks them by name.
 *
 * How they are written: what a question is asked for (a path, a hash, a code) is a column that an
 * index leads to, and nothing is gone through then but the rows that belong to it. What sums up all
 * of a table reads an index that has what is summed up, and looks at rows of the table only for
 * what is told: they lie in another order, and each would be a page from the disk. What sums up all
 * of several tables adds up the sums of sources, which stand in a table of their own. No two assets
 * of one list are held against each other one by one, because a database may hold millions that are
 * alike: what belongs together is found by its hash. A view leans on no other view.
 *
 * What groups all of a table reads what is kept of all sources instead (schema.c), in the order of
 * an index, so that the first rows come at once. One row of overall says whether that is there:
 * joined first, it has either it or the rows gone through, and the other one not even begun. SQLite
 * is told that most of the table is what is asked for (likelihood): given a part of a hash it goes
 * by that, and not by the order.
 */
#include "store_impl.h"

/* An asset is one row. A disc counts its time from two seconds (150 sectors) before sector 0. */
#define ASSETS                                                                                     \
    "SELECT a.id, s.path, a.format, a.grade,\n"                                                    \
    "    a.raw_offset, printf('0x%08x', a.raw_offset) AS raw_offset_hex, a.user_offset, a.lba,\n"  \
    "    CASE WHEN a.lba IS NOT NULL THEN printf('%02d:%02d:%02d',\n"                              \
    "        (a.lba + 150) / 4500, (a.lba + 150) / 75 % 60, (a.lba + 150) % 75) END AS msf,\n"     \
    "    a.iso_path, a.iso_offset, a.ram_address, a.length,\n"                                     \
    "    coalesce(a.frames, r.frames) AS frames, a.objects,\n"                                     \
    "    (SELECT count(*) FROM finding AS f\n"                                                     \
    "        WHERE f.asset_id = a.id AND f.severity = 'error') AS errors,\n"                       \
    "    (SELECT count(*) FROM finding AS f\n"                                                     \
    "        WHERE f.asset_id = a.id AND f.severity = 'warning') AS warnings,\n"                   \
    "    (SELECT count(*) FROM finding AS f\n"                                                     \
    "        WHERE f.asset_id = a.id AND f.severity = 'note') AS notes,\n"                         \
    "    r.status AS replay, r.evaluator, a.evidence_bits, a.sha256, a.pose_sha256\n"              \
    "FROM asset AS a JOIN source AS s ON s.id = a.source_id\n"                                     \
    "LEFT JOIN replay AS r ON r.asset_id = a.id\n"                                                 \
    "ORDER BY a.source_id, a.raw_offset, a.id"

#define FINDINGS                                                                                   \
    "SELECT s.path, coalesce(a.format, r.format) AS format, f.code, f.severity, r.title,\n"        \
    "    f.raw_offset, f.asset_offset, f.frame, f.object, f.message, f.id, f.asset_id\n"           \
    "FROM finding AS f\n"                                                                          \
    "JOIN source AS s ON s.id = f.source_id\n"                                                     \
    "LEFT JOIN asset AS a ON a.id = f.asset_id\n"                                                  \
    "LEFT JOIN rule AS r ON r.code = f.code\n"                                                     \
    "ORDER BY f.source_id, f.id"

/* What was found of a source rather than of an asset counts for the format of its rule, so that no
 * finding is missing from the sums. */
#define SUMMARY                                                                                    \
    "SELECT format, sum(assets) AS assets, count(DISTINCT source_id) AS sources,\n"                \
    "    coalesce(sum(bytes), 0) AS bytes, sum(frames) AS frames,\n"                               \
    "    sum(errors) AS errors, sum(warnings) AS warnings, sum(notes) AS notes\n"                  \
    "FROM tally GROUP BY format ORDER BY format"

/* Those in one source and those in several stand apart, each in the order that is asked for. */
#define DUPLICATES                                                                                 \
    "SELECT g.sha256, (SELECT a.format FROM asset AS a WHERE a.sha256 = g.sha256) AS format,\n"    \
    "    g.copies, (SELECT a.length FROM asset AS a WHERE a.sha256 = g.sha256) AS length,\n"       \
    "    (SELECT group_concat(s.path || '@' || printf('0x%08x', a.raw_offset), ', ')\n"            \
    "        FROM asset AS a CROSS JOIN source AS s ON s.id = a.source_id\n"                       \
    "        WHERE a.sha256 = g.sha256) AS places\n"                                               \
    "FROM (SELECT t.name AS sha256, t.number AS copies\n"                                          \
    "        FROM overall AS w CROSS JOIN overall AS t\n"                                          \
    "        WHERE w.what = 'kept' AND w.name = '' AND w.number <> 0\n"                            \
    "            AND likelihood(t.what = 'bytes', 0.99)\n"                                         \
    "    UNION ALL SELECT t.name, t.number FROM overall AS w CROSS JOIN overall AS t\n"            \
    "        WHERE w.what = 'kept' AND w.name = '' AND w.number <> 0\n"                            \
    "            AND likelihood(t.what = 'shared', 0.99)\n"                                        \
    "    UNION ALL SELECT a.sha256, count(*) FROM overall AS w CROSS JOIN asset AS a\n"            \
    "        WHERE w.what = 'kept' AND w.name = '' AND w.number = 0 AND a.sha256 IS NOT NULL\n"    \
    "        GROUP BY a.sha256 HAVING count(*) > 1\n"                                              \
    "    ORDER BY copies DESC, sha256) AS g"

/* One motion under several sums of bytes: the lowest and the highest differ. The places stand in
 * the order of their ids, not of the index. */
#define SAME_MOTION                                                                                \
    "SELECT g.pose_sha256, (SELECT min(a.format) FROM asset AS a\n"                                \
    "        WHERE a.pose_sha256 = g.pose_sha256 AND a.sha256 IS NOT NULL) AS format,\n"           \
    "    g.versions, g.assets,\n"                                                                  \
    "    (SELECT group_concat(place, ', ') FROM (\n"                                               \
    "        SELECT s.path || '@' || printf('0x%08x', a.raw_offset) AS place\n"                    \
    "        FROM asset AS a CROSS JOIN source AS s ON s.id = a.source_id\n"                       \
    "        WHERE a.pose_sha256 = g.pose_sha256 AND a.sha256 IS NOT NULL\n"                       \
    "        ORDER BY a.id)) AS places\n"                                                          \
    "FROM (SELECT t.name AS pose_sha256, t.number AS versions, t.amount AS assets\n"               \
    "        FROM overall AS w CROSS JOIN overall AS t\n"                                          \
    "        WHERE w.what = 'kept' AND w.name = '' AND w.number <> 0\n"                            \
    "            AND likelihood(t.what = 'motion', 0.99)\n"                                        \
    "    UNION ALL SELECT a.pose_sha256, count(DISTINCT a.sha256), count(*)\n"                     \
    "        FROM overall AS w CROSS JOIN asset AS a\n"                                            \
    "        WHERE w.what = 'kept' AND w.name = '' AND w.number = 0\n"                             \
    "        AND a.pose_sha256 IS NOT NULL AND a.sha256 IS NOT NULL\n"                             \
    "        GROUP BY a.pose_sha256 HAVING min(a.sha256) <> max(a.sha256)\n"                       \
    "    ORDER BY versions DESC, pose_sha256) AS g"

/* The sums of a source are those of the source: every byte of it has one claim. */
#define COVERAGE                                                                                   \
    "SELECT s.path, c.claim, sum(c.sectors) AS sectors, sum(c.length) AS bytes,\n"                 \
    "    sum(c.asset_bytes) AS asset_bytes,\n"                                                     \
    "    100.0 * sum(c.length) / (SELECT sum(length) FROM coverage AS t\n"                         \
    "        WHERE t.source_id = c.source_id) AS percent\n"                                        \
    "FROM source AS s JOIN coverage AS c ON c.source_id = s.id\n"                                  \
    "GROUP BY s.path, c.claim ORDER BY s.path, bytes DESC, c.claim"

#define SCANS                                                                                      \
    "SELECT id, status, tool_version, ruleset_version, options, started_at, finished_at\n"         \
    "FROM scan ORDER BY id"

#define SOURCES                                                                                    \
    "SELECT s.path, s.kind, s.layout, s.size, s.status,\n"                                         \
    "    (SELECT count(*) FROM asset AS a WHERE a.source_id = s.id) AS assets,\n"                  \
    "    (SELECT count(*) FROM finding AS f WHERE f.source_id = s.id) AS findings, s.sha256\n"     \
    "FROM source AS s ORDER BY s.path"

/* Containers and sheets hold nothing themselves: what is in them are sources of their own. */
#define EMPTY                                                                                      \
    "SELECT s.path, s.kind, s.layout, s.size, s.status,\n"                                         \
    "    (SELECT count(*) FROM finding AS f WHERE f.source_id = s.id\n"                            \
    "        AND f.code IN ('RUN0006', 'IMG0072')) AS near_misses\n"                               \
    "FROM source AS s WHERE s.kind NOT IN ('archive', 'sheet')\n"                                  \
    "    AND NOT EXISTS (SELECT 1 FROM asset AS a WHERE a.source_id = s.id)\n"                     \
    "ORDER BY s.path"

#define FAILURES                                                                                   \
    "SELECT s.path, s.status, s.kind, s.layout, s.size,\n"                                         \
    "    (SELECT f.message FROM finding AS f WHERE f.source_id = s.id AND f.asset_id IS NULL\n"    \
    "        ORDER BY f.severity = 'error' DESC, f.id LIMIT 1) AS message\n"                       \
    "FROM source AS s WHERE s.status <> 'complete' ORDER BY s.path"

#define BROKEN                                                                                     \
    "SELECT s.path, a.raw_offset, a.format, r.status AS replay, r.frames AS ran, a.frames,\n"      \
    "    a.iso_path, a.sha256, a.id\n"                                                             \
    "FROM replay AS r JOIN asset AS a ON a.id = r.asset_id\n"                                      \
    "JOIN source AS s ON s.id = a.source_id\n"                                                     \
    "WHERE r.status IN ('broken', 'stopped') ORDER BY r.status, a.id"

#define NEAR_MISSES                                                                                \
    "SELECT s.path, f.raw_offset, f.code, f.message\n"                                             \
    "FROM finding AS f JOIN source AS s ON s.id = f.source_id\n"                                   \
    "WHERE f.code IN ('RUN0006', 'IMG0072') ORDER BY s.path, f.raw_offset, f.id"

/* Only an asset has a grade. */
#define GRADES                                                                                     \
    "SELECT format, grade, sum(assets) AS assets, sum(bytes) AS bytes, max(longest) AS longest\n"  \
    "FROM tally WHERE assets <> 0 GROUP BY format, grade ORDER BY format, grade"

#define BIGGEST                                                                                    \
    "SELECT a.length, a.format, a.grade, s.path, a.raw_offset, a.iso_path, a.frames,\n"            \
    "    a.objects, a.sha256, a.id\n"                                                              \
    "FROM asset AS a JOIN source AS s ON s.id = a.source_id ORDER BY a.length DESC"

#define RULES                                                                                      \
    "SELECT g.code, r.severity, r.format, g.findings,\n"                                           \
    "    coalesce(g.sources, (SELECT count(*) FROM (SELECT DISTINCT f.source_id\n"                 \
    "        FROM finding AS f WHERE f.code = g.code))) AS sources, r.title\n"                     \
    "FROM (SELECT t.name AS code, t.number AS findings, t.amount AS sources\n"                     \
    "        FROM overall AS w CROSS JOIN overall AS t\n"                                          \
    "        WHERE w.what = 'kept' AND w.name = '' AND w.number <> 0 AND t.what = 'rule'\n"        \
    "    UNION ALL SELECT f.code, count(*), NULL FROM overall AS w CROSS JOIN finding AS f\n"      \
    "        WHERE w.what = 'kept' AND w.name = '' AND w.number = 0 GROUP BY f.code\n"             \
    "    ORDER BY findings DESC, code) AS g\n"                                                     \
    "LEFT JOIN rule AS r ON r.code = g.code"

#define RULE_SOURCES                                                                               \
    "SELECT g.code, s.path, g.findings\n"                                                          \
    "FROM (SELECT code, source_id, count(*) AS findings FROM finding\n"                            \
    "    GROUP BY code, source_id ORDER BY code, findings DESC, source_id) AS g\n"                 \
    "CROSS JOIN source AS s ON s.id = g.source_id"

#define PLACES                                                                                     \
    "SELECT a.sha256, s.path, a.raw_offset, a.iso_path, a.iso_offset, a.format, a.grade,\n"        \
    "    a.length, a.pose_sha256, a.id\n"                                                          \
    "FROM asset AS a JOIN source AS s ON s.id = a.source_id\n"                                     \
    "WHERE a.sha256 IS NOT NULL ORDER BY a.sha256, s.path, a.raw_offset"

/* The lowest and the highest source are the same one where there is no other. */
#define SHARED                                                                                     \
    "SELECT g.sha256, (SELECT a.format FROM asset AS a WHERE a.sha256 = g.sha256) AS format,\n"    \
    "    (SELECT a.length FROM asset AS a WHERE a.sha256 = g.sha256) AS length,\n"                 \
    "    (SELECT count(DISTINCT a.source_id) FROM asset AS a\n"                                    \
    "        WHERE a.sha256 = g.sha256) AS sources, g.copies,\n"                                   \
    "    (SELECT s.path FROM source AS s WHERE s.id = (SELECT min(a.source_id)\n"                  \
    "        FROM asset AS a WHERE a.sha256 = g.sha256)) AS first_path,\n"                         \
    "    (SELECT s.path FROM source AS s WHERE s.id = (SELECT max(a.source_id)\n"                  \
    "        FROM asset AS a WHERE a.sha256 = g.sha256)) AS last_path\n"                           \
    "FROM (SELECT t.name AS sha256, t.number AS copies\n"                                          \
    "        FROM overall AS w CROSS JOIN overall AS t\n"                                          \
    "        WHERE w.what = 'kept' AND w.name = '' AND w.number <> 0\n"                            \
    "            AND likelihood(t.what = 'shared', 0.99)\n"                                        \
    "    UNION ALL SELECT a.sha256, count(*) FROM overall AS w CROSS JOIN asset AS a\n"            \
    "        WHERE w.what = 'kept' AND w.name = '' AND w.number = 0 AND a.sha256 IS NOT NULL\n"    \
    "        GROUP BY a.sha256 HAVING min(a.source_id) <> max(a.source_id)\n"                      \
    "    ORDER BY copies DESC, sha256) AS g"

/* CROSS: from the source to its assets, to the same ones elsewhere. */
#define RELATED                                                                                    \
    "SELECT s.path, o.path AS other_path, count(DISTINCT b.sha256) AS assets,\n"                   \
    "    (SELECT count(DISTINCT a.sha256) FROM asset AS a WHERE a.source_id = s.id) AS of_own,\n"  \
    "    (SELECT count(DISTINCT a.sha256) FROM asset AS a\n"                                       \
    "        WHERE a.source_id = o.id) AS of_other\n"                                              \
    "FROM source AS s CROSS JOIN asset AS b ON b.sha256 IN\n"                                      \
    "        (SELECT a.sha256 FROM asset AS a WHERE a.source_id = s.id)\n"                         \
    "    AND b.source_id <> s.id\n"                                                                \
    "JOIN source AS o ON o.id = b.source_id\n"                                                     \
    "GROUP BY s.path, o.path ORDER BY s.path, assets DESC, o.path"

/* Of the sources that share an asset with it: what it has not. */
#define LACKING                                                                                    \
    "SELECT s.path, c.sha256, min(c.format) AS format, min(c.length) AS length,\n"                 \
    "    count(DISTINCT c.source_id) AS others, min(o.path) AS other_path,\n"                      \
    "    min(c.iso_path) AS iso_path\n"                                                            \
    "FROM source AS s CROSS JOIN asset AS c ON c.source_id IN\n"                                   \
    "        (SELECT b.source_id FROM asset AS b WHERE b.sha256 IN\n"                              \
    "            (SELECT a.sha256 FROM asset AS a WHERE a.source_id = s.id))\n"                    \
    "    AND c.source_id <> s.id\n"                                                                \
    "JOIN source AS o ON o.id = c.source_id\n"                                                     \
    "WHERE c.sha256 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM asset AS d\n"                        \
    "    WHERE d.sha256 = c.sha256 AND d.source_id = s.id)\n"                                      \
    "GROUP BY s.path, c.sha256 ORDER BY s.path, others DESC, c.sha256"

/* A lower source and a higher one are looked for by themselves: one step in the index each. */
#define UNIQUE                                                                                     \
    "SELECT s.path, a.raw_offset, a.format, a.grade, a.length, a.iso_path, a.sha256, a.id\n"       \
    "FROM source AS s CROSS JOIN asset AS a ON a.source_id = s.id\n"                               \
    "WHERE NOT EXISTS (SELECT 1 FROM asset AS b\n"                                                 \
    "        WHERE b.sha256 = a.sha256 AND b.source_id < a.source_id)\n"                           \
    "    AND NOT EXISTS (SELECT 1 FROM asset AS b\n"                                               \
    "        WHERE b.sha256 = a.sha256 AND b.source_id > a.source_id)\n"                           \
    "ORDER BY s.path, a.raw_offset, a.id"

/* All of them, for one who makes a script of each. */
#define VIEWS(VIEW)                                                                                \
    VIEW("v_assets", ASSETS)                                                                       \
    VIEW("v_findings", FINDINGS)                                                                   \
    VIEW("v_summary", SUMMARY)                                                                     \
    VIEW("v_duplicates", DUPLICATES)                                                               \
    VIEW("v_coverage", COVERAGE)                                                                   \
    VIEW("v_same_motion", SAME_MOTION)                                                             \
    VIEW("v_scans", SCANS)                                                                         \
    VIEW("v_sources", SOURCES)                                                                     \
    VIEW("v_empty", EMPTY)                                                                         \
    VIEW("v_failures", FAILURES)                                                                   \
    VIEW("v_broken", BROKEN)                                                                       \
    VIEW("v_near_misses", NEAR_MISSES)                                                             \
    VIEW("v_grades", GRADES)                                                                       \
    VIEW("v_biggest", BIGGEST)                                                                     \
    VIEW("v_rules", RULES)                                                                         \
    VIEW("v_rule_sources", RULE_SOURCES)                                                           \
    VIEW("v_places", PLACES)                                                                       \
    VIEW("v_shared", SHARED)                                                                       \
    VIEW("v_related", RELATED)                                                                     \
    VIEW("v_lacking", LACKING)                                                                     \
    VIEW("v_unique", UNIQUE)

#define IN_MAIN(name, query) "CREATE VIEW main." name " AS\n" query ";\n"
#define IN_TEMP(name, query) "CREATE VIEW temp." name " AS\n" query ";\n"
#define DROPPED(name, query) "DROP VIEW IF EXISTS main." name ";\n"

#define ALONE(name, query) {name, query},

const char fh_sql_views[] = VIEWS(IN_MAIN);
const fh_view fh_views[] = {VIEWS(ALONE){NULL, NULL}};
const char fh_sql_own_views[] = VIEWS(IN_TEMP);
const char fh_sql_views_drop[] = VIEWS(DROPPED);
