"""Measures how long framehound query takes in a large collection, and writes a table for people.

Usage: questions.py FRAMEHOUND

The collection is made up: rows alone, of no discs. There are sources with 100 assets each, which
have a finding and, six of seven, a replay. Each sum of bytes and each motion is there often,
but for one asset in a hundred: little is spared any question. The program itself makes the tables,
and puts what it computes from rows, the sums and the indexes, when it scans into what it takes for
a database of an earlier version. From the environment:

FRAMEHOUND_BENCH_ASSETS  how many assets (1000000; 10000000 need 8 GB; 10000 at least)
FRAMEHOUND_BENCH_RUNS    how often each question is asked (5)
FRAMEHOUND_BENCH_DIR     folder for the database (a temporary one)
FRAMEHOUND_BENCH_OUT     file that gets the table besides standard output

Times are those of the whole program, from its start to its end, the least and the most beside the
median. Fails where a question ends in an error or has no answer; never on time.
"""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from measure import Run, machine, median_of

ASSETS = int(os.environ.get("FRAMEHOUND_BENCH_ASSETS", "1000000")) // 100 * 100
RUNS = int(os.environ.get("FRAMEHOUND_BENCH_RUNS", "5"))
OF_SOURCE = 100
LIMIT = 10

# The rows. Some sources have no asset, some were not read, some findings are of the source.
ROWS = """
CREATE TEMP TABLE broken AS
    SELECT row_number() OVER (ORDER BY code) - 1 AS n, code, severity, format FROM rule;
CREATE UNIQUE INDEX temp.broken_n ON broken (n);

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :sources)
INSERT INTO source (id, scan_id, path, kind, layout, size, sha256, status)
SELECT i, 1, printf('/discs/%06d.bin', i), 'image', '2352', 690000000,
    printf('%064x', i * 2654435761), CASE WHEN i % 50 THEN 'complete' ELSE 'partial' END FROM n;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :assets)
INSERT INTO asset (id, source_id, format, grade, raw_offset, user_offset, length, lba,
    evidence_bits, frames, objects, sha256, pose_sha256)
SELECT i, 1 + (i - 1) / :of_source,
    CASE WHEN i % 100 < 80 THEN 'tod' WHEN i % 100 < 97 THEN 'hmd' WHEN i % 100 < 99 THEN 'tra'
        ELSE 'camerawork' END,
    CASE WHEN i % 7 = 0 THEN 'structure' WHEN i % 5 = 0 THEN 'references' ELSE 'replayed' END,
    i % 100 * 4000000, i % 100 * 3500000, 1000 + i * 7919 % 20000, i % 100 * 1700, 60,
    CASE WHEN i % 100 BETWEEN 80 AND 96 THEN NULL ELSE 30 + i % 100 END, 1 + i % 9,
    CASE WHEN i % 100 = 50 THEN printf('f%063x', i)
        ELSE printf('%064x', i * 40503 % :contents * 1000003 + 1) END,
    CASE WHEN i % 7 THEN printf('%064x', i * 40503 % :motions * 900007 + 1) END
FROM n;

INSERT INTO replay (asset_id, evaluator, frames, ticks, status, pose_sha256)
SELECT id, format || '-library', coalesce(frames, 60), coalesce(frames, 60),
    CASE WHEN id % 1000 = 0 THEN 'broken' ELSE 'complete' END, pose_sha256
FROM asset WHERE id % 7;

INSERT INTO finding (id, source_id, asset_id, code, severity, raw_offset, asset_offset, message,
    field, found, expected)
SELECT a.id, a.source_id, a.id, b.code, b.severity, a.raw_offset, 16,
    'number of packets is 17, expected 12', 'packets', '17', '12'
FROM asset AS a CROSS JOIN broken AS b ON b.n = a.id * 31 % (SELECT count(*) FROM broken);

INSERT INTO finding (source_id, code, severity, raw_offset, message)
SELECT id, 'RUN0006', 'note', 4096, 'begins as an asset and breaks' FROM source;

INSERT INTO coverage (source_id, n, claim, raw_offset, length, first_lba, sectors, runs,
    asset_bytes)
SELECT id, 1, 'data', 0, 690000000, 0, 293367, 1, 1000000 FROM source;

INSERT INTO source (scan_id, path, kind, layout, size, sha256, status)
SELECT 1, path || '.empty', kind, layout, size, sha256, status FROM source WHERE id % 100 = 0;
"""

# As an earlier version left it: no sums and no indexes. The next scan makes them.
EARLIER = """DROP TABLE tally; DROP TABLE overall; PRAGMA user_version = 3;"""


class Collection:
    def __init__(self, framehound, folder):
        self.framehound, self.folder = framehound, folder
        self.db = os.path.join(folder, "collection.db")
        self.scanned = os.path.join(folder, "first.bin")

    def scan(self):
        """A source that has no asset; brings the database up to date."""
        with open(self.scanned, "wb") as file:
            file.write(b"nothing in here\n")
        subprocess.run([self.framehound, "scan", "-j1", "-o", self.db, self.scanned], check=True,
                       stdout=subprocess.DEVNULL)

    def fill(self):
        connection = sqlite3.connect(self.db, isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -400000"):
            connection.execute("PRAGMA " + pragma)
        for name, in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND "
                                        "sql IS NOT NULL").fetchall():
            connection.execute("DROP INDEX " + name)
        for name, in connection.execute("SELECT name FROM sqlite_schema "
                                        "WHERE type = 'view'").fetchall():
            connection.execute("DROP VIEW " + name)
        connection.execute("DELETE FROM finding")
        connection.execute("DELETE FROM coverage")
        connection.execute("DELETE FROM source")
        connection.execute("BEGIN")
        for statement in ROWS.split(";\n"):
            connection.execute(statement, {
                "assets": ASSETS, "sources": ASSETS // OF_SOURCE, "of_source": OF_SOURCE,
                "contents": ASSETS // 3, "motions": ASSETS // 4})
        connection.execute("COMMIT")
        connection.executescript(EARLIER)
        connection.close()

    def make(self):
        self.scan()
        self.fill()
        started = time.perf_counter()
        self.scan()
        return time.perf_counter() - started

    def value(self, sql):
        connection = sqlite3.connect(self.db)
        value, = connection.execute(sql).fetchone()
        connection.close()
        return value

    def rows(self, question):
        """How many there are of an answer; None: it is an error."""
        result = subprocess.run(self.ask(question), stdout=subprocess.PIPE, check=False)
        return len(json.loads(result.stdout)["rows"]) if result.returncode == 0 else None

    def ask(self, question):
        return [self.framehound, "query", "-Fjson", "-d", self.db, "-n", str(LIMIT)] + question


def questions(collection):
    """Those that are listed, for something out of the middle where they may be asked for it."""
    middle = ASSETS // 2 + 1
    of_path = collection.value("SELECT path FROM source WHERE id = %d" % (middle // OF_SOURCE))
    values = {"PATH": of_path,
              "SHA256": collection.value("SELECT sha256 FROM asset WHERE id = %d" % middle),
              "POSES": collection.value("SELECT pose_sha256 FROM asset WHERE id > %d "
                                        "AND pose_sha256 IS NOT NULL" % middle),
              "CODE": "TOD0024"}
    listed = subprocess.run([collection.framehound, "query"], stdout=subprocess.PIPE, check=True)
    for line in listed.stdout.decode().splitlines():
        words = line.split("  ")[0].split()
        word = words[1].strip("[]") if len(words) > 1 else None
        value = values["POSES" if words[0] == "same-motion" else word] if word else None
        if word is None or words[1] != word:
            yield [words[0]], words[0]
        if word is not None:
            yield [words[0], value], words[0] + " " + word


def measure(tell, collection):
    """Rows of the table; what is wrong."""
    wrong = []
    for question, name in questions(collection):
        rows = collection.rows(question)
        runs = [Run(collection.ask(question)) for _ in range(RUNS)]
        seconds = [run.seconds for run in runs]
        tell("| `%s` | %.0f (%.0f to %.0f) | %.0f | %s |" % (
            name, 1000 * median_of(runs, "seconds"), 1000 * min(seconds), 1000 * max(seconds),
            1000 * median_of(runs, "busy"), "%d or more" % rows if rows == LIMIT else rows))
        if not rows or any(run.code != 0 for run in runs):
            wrong.append(name)
    return wrong


def main():
    lines = []

    def tell(line=""):
        print(("# " + line).rstrip(), flush=True)
        lines.append(line)

    folder = tempfile.mkdtemp(dir=os.environ.get("FRAMEHOUND_BENCH_DIR"))
    try:
        collection = Collection(sys.argv[1], folder)
        took = collection.make()
        tell("A collection of %d assets in %d sources, %.1f GB; to bring it up to date from rows "
             "alone took %.0f s." % (ASSETS, ASSETS // OF_SOURCE,
                                     os.path.getsize(collection.db) / 1e9, took))
        tell()
        tell("Measured on: " + machine())
        tell()
        tell("| question | milliseconds | of the processor | rows |")
        tell("| --- | --- | --- | --- |")
        wrong = measure(tell, collection)
    finally:
        shutil.rmtree(folder)
    if "FRAMEHOUND_BENCH_OUT" in os.environ:
        with open(os.environ["FRAMEHOUND_BENCH_OUT"], "w") as file:
            file.write("\n".join(lines) + "\n")
    print("%s 1 - every question has an answer%s" % ("not ok" if wrong else "ok",
                                                    ": not " + ", ".join(wrong) if wrong else ""))
    print("1..1")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
