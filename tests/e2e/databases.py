"""Databases with a value that no scan records: whatever reads them says so or goes by what is there,
nothing crashes, and no output is half one.

Each column of each table gets values that its type allows, in its turn; nothing else is changed. What
reads the database is run on it: reports in every form, extract, replay, diff and merge.
"""
import json
import os
import shutil
import sqlite3
import sys
import xml.etree.ElementTree as ElementTree

from harness import Program, Tap, Workspace, database_faults, is_sound, query, read, small_tod

FORMS = ("json", "jsonl", "sarif", "junit", "github", "csv", "gitlab", "concise", "dfxml")
TEXTS = ("", "\u00e9\x1b[2J,\"<&\n" + "9/9" * 90)
NUMBERS = (-1, 2**63 - 1)

# What a scan that is to be merged may say of its shard, and cannot be right.
SHARDS = ("0/2", "1/0", "3/2", "1/99999999999999999999", "x/2", "1-2", "1/2x", "1/", "/2", "2/2")


def is_well_formed(name, data):
    try:
        if name in ("json", "sarif", "gitlab"):
            json.loads(data)
        elif name == "jsonl":
            for line in data.splitlines():
                json.loads(line)
        elif name in ("junit", "dfxml"):
            ElementTree.fromstring(data)
        return True
    except (ValueError, ElementTree.ParseError):
        return False


class Tester:
    def __init__(self, program, work):
        self.program, self.work, self.num, self.turn = program, work, 0, 0
        work.write("in/one.tod", read(program.forge("tod", small_tod(3, 1), work.path("good.tod"))))
        cut = read(work.path("good.tod"))[:-4]
        work.write("in/two.tod", cut)
        work.write("in/list", b"one.tod\ntwo.tod\n")
        self.run(0, "scan", "-j1", "-o", "../whole.db", "one.tod", "two.tod")
        for i in ("1", "2"):
            self.run(0, "scan", "-j1", "-o", "../shard%s.db" % i, "--shard", i + "/2",
                     "--manifest", "list")

    def run(self, code, *args):
        result = self.program.run(*args, cwd=self.work.path("in"))
        assert result.code == code or code is None, result
        self.num += 1
        return result

    def changed(self, name, change, *values):
        """A copy of a database with a statement more, whatever its constraints say."""
        path = self.work.path("changed.db")
        shutil.copyfile(self.work.path(name), path)
        connection = sqlite3.connect(path)
        try:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("PRAGMA ignore_check_constraints = ON")
            with connection:
                connection.execute(change, values)
        except sqlite3.IntegrityError:
            return None  # not even SQLite takes it
        finally:
            connection.close()
        return path

    # -- what reads them: each returns what is wrong --

    def judge(self, result):
        wrong = [] if is_sound(result) and result.code != 4 else ["it did not end as it should"]
        if result.code == 3 and b"framehound" not in result.err:
            wrong.append("nothing was said")
        return ["%s; %s" % (text, result) for text in wrong]

    def report(self, db):
        outs = {form: self.work.path("out." + form) for form in FORMS}
        result = self.run(None, "report", "--explain",
                          *["-F%s=%s" % (form, path) for form, path in outs.items()], "-Ftext", db)
        wrong = self.judge(result)
        for form, path in outs.items():
            if result.code in (0, 1) and not is_well_formed(form, read(path)):
                wrong.append("%s is not well formed" % form)
            if os.path.exists(path):
                os.remove(path)
        return wrong

    def extract(self, db):
        out = self.work.path("out")
        wrong = self.judge(self.run(None, "extract", "-d", out, db))
        for name in os.listdir(out) if os.path.isdir(out) else ():
            if name.endswith(".tod") and read(os.path.join(out, name)) not in self.originals():
                wrong.append("%s is none of the assets" % name)
        shutil.rmtree(out, ignore_errors=True)
        return wrong

    def originals(self):
        return [read(self.work.path("in", name)) for name in ("one.tod", "two.tod")]

    def sums(self, db):
        """They may be wrong, and say what the database says; or be more than a number holds. Of each
        database a third of them, in turns."""
        wrong = []
        names = ("summary", "grades", "rules", "shared", "duplicates", "same-motion")
        self.turn += 1
        for name in names[self.turn % 3::3]:
            result = self.run(None, "query", "-Fjson", "-d", db, name)
            wrong += self.judge(result)
            if result.code == 0 and not is_well_formed("json", result.out):
                wrong.append("%s is not well formed" % name)
        return wrong

    def replay(self, db):
        return self.judge(self.run(None, "replay", db + ":1"))

    def diff(self, db):
        return self.judge(self.run(None, "diff", "-Fjson", db, "../whole.db")) + \
            self.judge(self.run(None, "diff", "-Fcsv", "../whole.db", db))

    def merge(self, db):
        out = self.work.path("all.db")
        result = self.run(None, "merge", "-o", out, db, "../shard2.db")
        wrong = self.judge(result)
        if result.code == 0 and database_faults(out):
            wrong.append("what was merged is not sound: %s" % database_faults(out)[:3])
        if os.path.exists(out):
            os.remove(out)
        return wrong

    def check_table(self, tap, table, name, readers):
        wrong, num = [], 0
        for column in query(self.work.path(name), "PRAGMA table_info(%s)" % table):
            values = NUMBERS if column["type"] == "INTEGER" else TEXTS
            for value in values + ((None,) if not int(column["notnull"]) else ()):
                db = self.changed(name, "UPDATE %s SET %s = ?" % (table, column["name"]), value)
                for reader in readers if db is not None else ():
                    num += 1
                    wrong += ["%s.%s is %r: %s: %s" % (table, column["name"], value,
                                                       reader.__name__, text)
                              for text in reader(db)]
        tap.ok(not wrong, "%s of %s: %d times" % (table, name, num), *wrong[:8])


def shards(tap, tester):
    """The shard stands at the end of the options; what is none is refused, and nothing is made."""
    options = query(tester.work.path("shard1.db"), "SELECT options FROM scan")[0]["options"]
    head = options[:options.rindex("1/2")]
    for word in SHARDS:
        db = tester.changed("shard1.db", "UPDATE scan SET options = ?", head + word)
        result = tester.run(None, "merge", "-o", tester.work.path("all.db"), db, "../shard2.db")
        tap.ok(result.code in (2, 3) and b"changed.db" in result.err or word == "2/2" and
               result.code in (2, 3), "no shard: " + word, result)
        tap.ok(not os.path.exists(tester.work.path("all.db")), "nothing is made of it")
    for status in ("running", "stopped", ""):
        db = tester.changed("shard1.db", "UPDATE scan SET status = ?", status)
        result = tester.run(3, "merge", "-o", tester.work.path("all.db"), db, "../shard2.db")
        tap.ok(b"did not come to an end" in result.err, "status %r" % status, result)


def headers(tap, tester):
    """Databases of others, and of versions to come."""
    for what, change in (("another program", "PRAGMA application_id = 7"),
                         ("a version to come", "PRAGMA user_version = 99"),
                         ("no version", "PRAGMA user_version = 0"),
                         ("a table less", "DROP TABLE finding"),
                         ("a table of another name", "ALTER TABLE replay RENAME TO played")):
        db = tester.changed("whole.db", change)
        before = read(db)
        for args in (("report", db), ("replay", db + ":1"), ("extract", "-d", "../out", db),
                     ("diff", db, "../whole.db"), ("diff", "../whole.db", db),
                     ("merge", "-o", "../all.db", db, "../shard2.db"),
                     ("scan", "-j1", "-o", db, "one.tod")):
            result = tester.run(None, *args)
            tap.ok(result.code == 3 and b"changed.db" in result.err, "%s: %s" % (what, args[0]), result)
        tap.ok(read(db) == before, "%s: it is as it was" % what)


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        tester = Tester(program, work)
        for table in ("source", "asset", "finding", "rule", "replay", "coverage"):
            tester.check_table(tap, table, "whole.db",
                               [tester.report] + ([tester.extract, tester.replay, tester.diff]
                                                  if table in ("source", "asset", "replay") else []))
        for table in ("tally", "overall"):
            tester.check_table(tap, table, "whole.db", [tester.sums, tester.report])
        for table in ("scan", "source", "asset", "finding", "coverage", "shard_place", "tally",
                      "overall"):
            tester.check_table(tap, table, "shard1.db", [tester.merge])
        shards(tap, tester)
        headers(tap, tester)
        tap.note("%d runs" % tester.num)
    tap.done()


if __name__ == "__main__":
    main()
