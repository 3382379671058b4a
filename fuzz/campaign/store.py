"""The figures of a campaign: DIR/campaign.db, the only SQL here.

Every sample is committed at once, so a campaign that is killed loses what its engines did since the
last sample, and nothing else. One row of `slice` is one process of an engine (or several, when it
crashed and was started again); totals are sums over slices, so a campaign that goes on adds up.
"""
import os
import sqlite3
import time

from .common import Trouble

SCHEMA = """
CREATE TABLE IF NOT EXISTS slice(
  id INTEGER PRIMARY KEY, target TEXT NOT NULL, worker TEXT NOT NULL, engine TEXT NOT NULL,
  sanitizers TEXT NOT NULL, begun REAL NOT NULL, seconds REAL NOT NULL DEFAULT 0,
  cpu_seconds REAL NOT NULL DEFAULT 0, executions INTEGER NOT NULL DEFAULT 0,
  starts INTEGER NOT NULL DEFAULT 0, end TEXT); -- how it ended; NULL: it runs, or was killed
CREATE TABLE IF NOT EXISTS sample(
  slice INTEGER NOT NULL REFERENCES slice(id), at REAL NOT NULL, executions INTEGER NOT NULL,
  per_second REAL, edges INTEGER, features INTEGER, corpus INTEGER, crashes INTEGER NOT NULL,
  cpu_seconds REAL NOT NULL);
-- All inputs of a target at one time, through one build: what the engines have reached together.
CREATE TABLE IF NOT EXISTS measure(
  id INTEGER PRIMARY KEY, target TEXT NOT NULL, at REAL NOT NULL, executions INTEGER NOT NULL,
  edges INTEGER, features INTEGER, files INTEGER NOT NULL, rules INTEGER, lines INTEGER,
  lines_reached INTEGER, branches INTEGER, branches_reached INTEGER, failed TEXT);
CREATE TABLE IF NOT EXISTS file_coverage(
  target TEXT NOT NULL, at REAL NOT NULL, file TEXT NOT NULL, lines INTEGER, lines_reached INTEGER,
  branches INTEGER, branches_reached INTEGER);
CREATE TABLE IF NOT EXISTS measured(target TEXT NOT NULL, file TEXT NOT NULL,
  PRIMARY KEY(target, file)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rule(code TEXT PRIMARY KEY, title TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS reached(target TEXT NOT NULL, code TEXT NOT NULL, at REAL NOT NULL,
  executions INTEGER NOT NULL, UNIQUE(target, code));
CREATE TABLE IF NOT EXISTS crash(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, target TEXT NOT NULL, worker TEXT NOT NULL,
  at REAL NOT NULL, bug INTEGER REFERENCES bug(id)); -- path: relative to the campaign
CREATE TABLE IF NOT EXISTS bug(
  id INTEGER PRIMARY KEY, target TEXT NOT NULL, kind TEXT NOT NULL, signature TEXT NOT NULL,
  told TEXT NOT NULL, build TEXT, bytes INTEGER, bytes_before INTEGER, regression TEXT,
  UNIQUE(target, signature));
"""
VERSION = 1


class Store:
    """An open campaign."""

    def __init__(self, folder, must_exist=False):
        self.folder = os.path.abspath(folder)
        path = os.path.join(self.folder, "campaign.db")
        if must_exist and not os.path.isfile(path):
            raise Trouble(f"{path}: no such file; framehound-fuzz run --out {folder} makes one")
        try:
            self.db = sqlite3.connect(path, timeout=30, isolation_level=None)
            self.db.row_factory = sqlite3.Row
            found = self.db.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, VERSION):
                raise Trouble(f"{path}: version {found} of the tables, this program knows "
                              f"{VERSION}; take another folder")
            self.db.execute("PRAGMA journal_mode=WAL")
            self.db.executescript(SCHEMA)
            self.db.execute(f"PRAGMA user_version={VERSION}")
        except sqlite3.Error as error:
            raise Trouble(f"{path}: {error}; is it the database of a campaign?") from error

    def rows(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    def one(self, sql, *values):
        row = self.db.execute(sql, values).fetchone()
        return None if row is None else row[0]

    def add(self, sql, rows):
        """All of them, or none; to wait for the disk after each takes seconds."""
        with self.db:
            self.db.execute("BEGIN")
            self.db.executemany(sql, rows)

    def close(self):
        self.db.close()

    # ---- slices

    def begin_slice(self, target, worker):
        return self.db.execute(
            "INSERT INTO slice(target, worker, engine, sanitizers, begun) VALUES(?,?,?,?,?)",
            (target, worker.name, worker.engine, worker.sanitizers, time.time())).lastrowid

    def sample(self, number, stats, seconds, starts):
        """Keeps what a slice has done so far, and where it stands."""
        with self.db:
            self.db.execute("BEGIN")
            self.db.execute(
                "UPDATE slice SET seconds=?, cpu_seconds=?, executions=?, starts=? WHERE id=?",
                (seconds, stats["cpu"], stats["executions"], starts, number))
            self.db.execute(
                "INSERT INTO sample VALUES(?,?,?,?,?,?,?,?,?)",
                (number, time.time(), stats["executions"], stats.get("per_second"),
                 stats.get("edges"), stats.get("features"), stats.get("corpus"),
                 stats.get("crashes", 0), stats["cpu"]))

    def end_slice(self, number, how):
        self.db.execute("UPDATE slice SET end=? WHERE id=?", (how, number))

    def mark_killed(self):
        """Slices that no runner has ended: theirs was killed. Called by the one that goes on."""
        self.db.execute("UPDATE slice SET end='the runner was killed' WHERE end IS NULL")

    def seconds_by_worker(self):
        return {(row["target"], row["worker"]): row["seconds"] for row in self.rows(
            "SELECT target, worker, sum(seconds) AS seconds FROM slice GROUP BY target, worker")}

    def executions(self, target):
        return self.one("SELECT coalesce(sum(executions), 0) FROM slice WHERE target=?", target)

    # ---- measures

    def add_measure(self, target, moment, values):
        """moment: the time, and the executions of the target by then."""
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        self.db.execute(f"INSERT INTO measure(target, at, executions, {names}) "
                        f"VALUES(?, ?, ?, {marks})",
                        (target, *moment, *values.values()))

    def add_file_coverage(self, target, at, files):
        self.add("INSERT INTO file_coverage VALUES(?,?,?,?,?,?,?)",
                 [(target, at, name, *counts) for name, counts in files])

    def unmeasured(self, target, names):
        seen = {row[0] for row in self.rows("SELECT file FROM measured WHERE target=?", target)}
        return [name for name in names if name not in seen]

    def add_measured(self, target, names):
        self.add("INSERT OR IGNORE INTO measured VALUES(?,?)", [(target, name) for name in names])

    def add_rules(self, rules):
        self.add("INSERT OR REPLACE INTO rule VALUES(?,?)", rules)

    def add_reached(self, target, codes, moment):
        self.add("INSERT OR IGNORE INTO reached VALUES(?,?,?,?)",
                 [(target, code, *moment) for code in sorted(codes)])

    # ---- what was found

    def add_crash(self, path, target, worker):
        """Returns True if it is a new one."""
        return self.db.execute("INSERT OR IGNORE INTO crash(path, target, worker, at) "
                               "VALUES(?,?,?,?)",
                               (os.path.relpath(path, self.folder), target, worker,
                                time.time())).rowcount == 1

    def bug(self, target, signature, kind, told, build):
        """The number of a bug, which is entered if it is new."""
        self.db.execute("INSERT OR IGNORE INTO bug(target, signature, kind, told, build) "
                        "VALUES(?,?,?,?,?)", (target, signature, kind, told, build))
        return self.one("SELECT id FROM bug WHERE target=? AND signature=?", target, signature)

    def set_bug(self, crash, bug):
        self.db.execute("UPDATE crash SET bug=? WHERE id=?", (bug, crash))

    def set_smallest(self, bug, before, after, regression):
        self.db.execute("UPDATE bug SET bytes_before=?, bytes=?, regression=? WHERE id=?",
                        (before, after, regression, bug))
