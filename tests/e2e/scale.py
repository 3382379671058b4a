"""Collections: many jobs, shards that merge, scans that are broken off and gone on with.

However a scan is divided its rows are the same, ids included, in every table but `scan`.
"""
import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import tarfile
import time

from harness import KEPT, Program, Tap, Workspace, database_faults, query, read, small_tod

KILLS = int(os.environ.get("SCALE_KILLS", "10"))  # ./run kills: 100
FILES = 150


def rows(db):
    """Everything that is in a database, but the scans and the order of a shard."""
    connection = sqlite3.connect(db)
    connection.text_factory = bytes
    try:
        tables = [name.decode() for name, in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {table: connection.execute("SELECT * FROM %s ORDER BY 1, 2" % table).fetchall()
                for table in tables if table not in ("scan", "shard_place")}
    finally:
        connection.close()


def change(db, sql):
    connection = sqlite3.connect(db)
    try:
        connection.executescript(sql)
        connection.commit()
    finally:
        connection.close()


def make_collection(program, work):
    """Files of many kinds: animations, damaged ones, an archive, a sheet with its image that two
    sheets name, something empty, a name that is no text, and a file that nobody may read."""
    seeds = [read(program.forge("tod", small_tod(20 + 5 * i, i + 1), work.path("seed.tod")))
             for i in range(6)]
    for i in range(FILES):
        data = seeds[i % 6] if i % 4 else seeds[i % 6][:-4 * (i % 5 + 1)]
        work.write("all/%d/%03d.tod" % (i % 3, i), data)
    work.write("all/4.bin", b"".join(seeds) * 40)
    with tarfile.open(work.path("all/5.tar.gz"), "w:gz") as box:
        for i in range(20):
            box.add(work.path("all/0/%03d.tod" % (3 * i)), "in/%d.tod" % i)
    work.write("seed.tod", seeds[0])
    program.forge("image", "image stride=2352\niso DISC\nfile A.TOD < seed.tod\n",
                  work.path("all/6.bin"), root=work.name)
    sheet = b'FILE "6.bin" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n'
    work.write("all/7.cue", sheet)
    work.write("all/8.cue", sheet)
    work.write("all/9.empty", b"")
    os.makedirs(work.path("all/a"))
    with open(os.fsencode(work.path("all/a")) + b"/\xff\n.tod", "wb") as file:
        file.write(seeds[1])
    os.symlink("nowhere", work.path("all/a/link"))
    return work.path("all")


def told(result):
    return result.code, result.out, result.err


def scan(program, db, *args):
    return program.run("scan", "-o", db, *args)


def check_jobs(tap, program, work, folder):
    """The reference is what one job does. Returns its database."""
    first = scan(program, work.path("big.db"), "-j1", folder)
    tap.equal(first.code, 0, "one job scans the collection", first)
    tap.ok(len(query(work.path("big.db"), "SELECT * FROM asset")) > 200, "and finds much")
    for num in ("2", "7", None):
        db = work.path("jobs.db")
        result = scan(program, db, *(["-j", num] if num else []), folder)
        tap.equal(told(result), told(first), "%s jobs tell the same" % (num or "default"))
        tap.ok(rows(db) == rows(work.path("big.db")), "and record the same")
        os.remove(db)
    for value in ("0", "257", "x", "-1"):
        tap.equal(scan(program, work.path("no.db"), "-j", value, folder).code, 2, "not -j " + value)
    tap.ok(not os.path.exists(work.path("no.db")), "and no database is made")
    return work.path("big.db")


def make_shards(program, work, num, *args):
    shards = []
    for i in range(1, num + 1):
        shards.append(work.path("shard-%d.db" % i))
        if os.path.exists(shards[-1]):
            os.remove(shards[-1])
        result = scan(program, shards[-1], "--shard", "%d/%d" % (i, num), *args)
        assert result.code == 0, result
    return shards


def check_shards(tap, program, work, folder, big):
    for num in (1, 2, 5):
        shards = make_shards(program, work, num, folder)
        out = work.path("merged.db")
        merged = program.run("merge", "-o", out, *reversed(shards))
        tap.equal(told(merged), (0, b"", b""), "%d shards merge" % num, merged)
        tap.ok(rows(out) == rows(big), "into the rows of one scan")
        tap.equal(database_faults(out), [], "in a sound database")
        tap.equal(query(out, "SELECT tool_version, ruleset_version, options, status FROM scan"),
                  query(big, "SELECT tool_version, ruleset_version, options, status FROM scan"),
                  "of one scan")
        schema = "SELECT name, sql FROM sqlite_schema ORDER BY name"
        tap.ok(query(out, schema) == query(big, schema), "with the tables and indexes of one")
    per_shard = [len(query(db, "SELECT * FROM source")) for db in shards]
    tap.ok(min(per_shard) > 5, "each of 5 shards has a part", per_shard)
    for value in ("0/2", "3/2", "1", "1/", "/2", "a/b", "1/2/3", "1/1000001", "-1/2"):
        result = scan(program, work.path("no.db"), "--shard", value, folder)
        tap.equal(result.code, 2, "not --shard " + value)
    return shards


def check_refusals(tap, program, work, folder, big, shards):
    """What cannot be merged is told, and nothing is written."""
    out = work.path("no.db")

    def refused(name, say, *dbs):
        result = program.run("merge", "-o", out, *dbs)
        tap.ok(result.code == 3 and say in result.err, "not merged: " + name, result)
        tap.ok(not os.path.exists(out), "and nothing is written")

    def changed(name, sql):
        path = work.path(name)
        work.write(name, read(shards[0]))
        change(path, sql)
        return path

    rest = shards[1:]
    refused("a shard missing", b"shard 1 of 5 is missing", *rest)
    refused("one named twice", b"stands among the others already", *shards, shards[0])
    refused("what is no shard", b"it is no shard, and the one before one of so many shards: 5", *shards, big)
    fourth = scan(program, work.path("fourth.db"), "--shard", "5/4", folder)
    assert fourth.code == 2, fourth
    scan(program, work.path("fourth.db"), "--shard", "4/4", folder)
    refused("another number of shards", b"it is one of so many shards: 4, and the one before one of so many",
            *shards, work.path("fourth.db"))
    for name, args, say in (("an option more", ["--no-replay"], b"before: no-replay, not none)"),
                            ("another number", ["--min-evidence", "50"], b"min-evidence=50, not min-evidence=48)")):
        other = work.path("other%d.db" % len(args))
        scan(program, other, "--shard", "5/5", *args, folder)
        refused(name, say, *shards[:-1], other)
    scan(program, work.path("list.db"), "--shard", "5/5", folder, folder + "/4.bin")
    refused("a shard of another list", b"asked to search other sources than the shard before", *shards[:-1],
            work.path("list.db"))
    asked = changed("hostile.db", "DROP TABLE shard_asked")
    refused("one that does not say of which list", b"asked to search other sources", asked, *rest)
    refused("a view for what it was asked", b"asked to search other sources",
            changed("hostile.db", "DROP TABLE shard_asked; CREATE VIEW shard_asked AS SELECT 1 AS names_sha256"), *rest)
    work.write("copy.db", read(big))
    refused("a source in two", b"is a source of", big, work.path("copy.db"))
    refused("no database", b"not a framehound database", folder + "/4.bin")
    refused("no file", b"cannot be opened", work.path("none.db"))
    refused("an empty file, which a scan leaves that is killed at once", b"it is empty",
            work.write("hostile.db", b""), *rest)
    for name, sql, say in (
            ("unfinished", "UPDATE scan SET status = 'running'", b"did not come to an end"),
            ("another version", "UPDATE scan SET tool_version = '0'", b"another version"),
            ("another rule set", "UPDATE scan SET ruleset_version = '0'", b"another version"),
            ("a view for a table", "DROP TABLE rule; CREATE VIEW rule AS WITH RECURSIVE n(i) AS "
             "(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS code FROM n",
             b"its tables are not"),
            ("an earlier schema", "PRAGMA user_version = 1", b"an earlier version"),
            ("a newer schema", "PRAGMA user_version = 99", b"newer framehound"),
            ("a shard of nothing", "UPDATE scan SET options = options || 'x'", b"table of scans"),
            ("no scan", "PRAGMA foreign_keys = OFF; DELETE FROM scan", b"it has no scan"),
            ("no places", "DROP TABLE shard_place", b"more than its newest scan"),
            ("strays", "PRAGMA foreign_keys = OFF; UPDATE asset SET source_id = 999999",
             b"it has rows of sources"),
            ("a value of any size", "PRAGMA foreign_keys = OFF; UPDATE source SET kind = "
             "printf('%.*c', 3000000, 'x')", b"longer than any")):
        refused(name, say, changed("hostile.db", sql), *rest)
    hostile = changed("hostile.db", "CREATE TRIGGER t AFTER INSERT ON source BEGIN DELETE FROM "
                      "asset; END; CREATE VIEW v AS SELECT 1; CREATE TABLE more (x)")
    result = program.run("merge", "-o", out, hostile, *rest)
    tap.equal(result.code, 0, "triggers and more tables of a shard do no harm", result)
    tap.ok(rows(out) == rows(big), "they are not copied")
    before = read(folder + "/4.bin")
    result = program.run("merge", "-o", folder + "/4.bin", *shards)
    tap.ok(result.code == 3 and b"not replaced" in result.err and b"-o" in result.err,
           "a file that is no database is not replaced", result)
    result = program.run("merge", "-o", changed("newer.db", "PRAGMA user_version = 99"), *shards)
    tap.ok(result.code == 3 and b"not replaced" in result.err and b"newer framehound" in result.err,
           "nor a database of a newer framehound", result)
    tap.equal(read(folder + "/4.bin"), before, "and stays as it was")
    tap.equal(program.run("merge", "-o", shards[0], *shards).code, 2, "nor a shard")
    tap.equal(program.run("merge", "-o", out, *shards).code, 0, "a database of ours is")
    for args in ([], ["-o", out], shards, ["-x"], ["-o"]):
        tap.equal(program.run("merge", *args).code, 2, "usage: merge %d words" % len(args))


def check_older(tap, program, work, folder):
    """A database keeps what was scanned into it; merge does not take that for the newest scan."""
    names = sorted(os.path.join(folder, "0", name) for name in os.listdir(folder + "/0"))[:40]
    paths = [work.write("older-%d/%s" % (num, os.path.basename(name)), read(name))
             for num in (0, 1) for name in names[20 * num:20 * num + 20]]
    dbs = [work.path("older-%d.db" % part) for part in (1, 2)]
    out = work.path("older-all.db")

    def shards(*args, parts=(1, 2)):
        for part in parts:
            result = scan(program, dbs[part - 1], "--shard", "%d/2" % part, *args)
            assert result.code in (0, 3), result

    def refused(name):
        result = program.run("merge", "-o", out, *dbs)
        tap.ok(result.code == 3 and b"older-1.db cannot be merged" in result.err and
               b"holds more than its newest scan, scan the shard into a new" in result.err and
               b"of an earlier one is " + os.fsencode(work.name) in result.err,
               "not merged: " + name, result)
        tap.ok(not os.path.exists(out), "and nothing is written")

    def merged(name, *args):
        scan(program, work.path("older-whole.db"), *args)
        result = program.run("merge", "-o", out, *dbs)
        tap.equal(result.code, 0, name, result)
        tap.ok(rows(out) == rows(work.path("older-whole.db")), "into the rows of one scan")
        for path in (out, work.path("older-whole.db"), *dbs):
            os.remove(path)

    shards(*paths)
    shards(*paths[:20])
    refused("sources that the newest scan was not asked for")
    for path in dbs:
        os.remove(path)
    shards(*paths)
    shards("--resume", *paths[:20])
    refused("nor where a scan that was complete is gone on with")
    for path in dbs:
        os.remove(path)
    shards(*paths)
    shards("--resume", *reversed(paths))
    merged("sources in another order merge", *reversed(paths))
    shards(*paths)
    shards(*paths)
    mine = query(dbs[0], "SELECT path FROM source ORDER BY id")[0]["path"]
    merged("shards that were scanned twice merge", *paths)
    shards(*paths)
    os.rename(mine, mine + ".gone")
    shards(*paths)
    refused("a source that could not be read again")
    for path in dbs:
        os.remove(path)
    shards(*paths)
    merged("but where it was never read", *paths)


def check_manifest(tap, program, work, folder):
    names = [os.path.join(root, name) for root, _, files in os.walk(os.fsencode(folder))
             for name in files if not name.endswith(b"link")]
    names.sort(reverse=True)
    plain = scan(program, work.path("plain.db"), *names)
    work.write("list.0", b"\0".join(names) + b"\0")
    zero = scan(program, work.path("zero.db"), "-0", "--manifest", work.path("list.0"))
    tap.equal(told(zero), told(plain), "a manifest says the same as arguments")
    tap.ok(rows(work.path("zero.db")) == rows(work.path("plain.db")), "and so do the rows")
    lines = [name for name in names if b"\n" not in name]
    work.write("list.tsv", b"".join(name + b"\tdisc\t%d\n" % i for i, name in enumerate(lines)))
    plain = scan(program, work.path("plain2.db"), *lines)
    tsv = program.run("scan", "-o", work.path("tsv.db"), "--manifest", "-",
                      data=read(work.path("list.tsv")))
    tap.equal(told(tsv), told(plain), "and a table whose first column they are")
    shards = make_shards(program, work, 3, "--manifest", work.path("list.tsv"))
    tap.equal(program.run("merge", "-o", work.path("listed.db"), *shards).code, 0, "shards of it")
    tap.ok(rows(work.path("listed.db")) == rows(work.path("plain2.db")), "merge into its order")
    tap.equal(scan(program, work.path("no2.db"), "-0", folder).code, 2, "-0 wants a manifest")
    binary = scan(program, work.path("no2.db"), "--manifest", work.write("binary", b"a\0b\n"))
    tap.ok(binary.code == 2 and "framehound scan: list " in binary.errors and
           "'framehound scan --help'" in binary.errors, "scan refuses a list with zero bytes", binary)
    tap.equal(scan(program, work.path("no2.db"), "--manifest", work.path("none")).code, 3,
              "a manifest that is not there")
    for data in (b"", b"\n\n"):
        empty = scan(program, work.path("no2.db"), "--manifest", work.write("empty", data))
        tap.ok(empty.code == 2 and "names no source" in empty.errors, "nor is a manifest without names one", empty)
    beside = scan(program, work.path("beside.db"), names[0], "--manifest", work.path("empty"))
    tap.equal(beside.code, plain.code, "but beside a source it may be empty", beside)
    as_lines = scan(program, work.path("no2.db"), "-0", "--manifest", work.path("list.tsv"))
    tap.ok(as_lines.code == 2 and "leave -0 out" in as_lines.errors, "lines are not taken for one name", as_lines)
    headless = scan(program, work.path("no2.db"), "--manifest", work.write("headless", b"\tdisc 1\n"))
    tap.ok(headless.code == 2 and "first column is empty" in headless.errors, "a first column is not empty", headless)
    marked = scan(program, work.path("no2.db"), "--manifest",
                  work.write("marked", b"\xef\xbb\xbf" + read(work.path("list.tsv"))))
    tap.ok(marked.code == 2 and "byte order mark" in marked.errors, "nor does a name begin with a mark", marked)
    twice = scan(program, work.path("no2.db"), "--manifest", work.path("list.tsv"), "--manifest", work.path("list.tsv"))
    tap.ok(twice.code == 2 and "one --manifest" in twice.errors, "there is one list", twice)
    tap.ok(not os.path.exists(work.path("no2.db")), "and no database is made")
    both = scan(program, work.path("both.db"), "-f", "tod", "-f", "hmd,tod", *lines)
    tap.equal(query(work.path("both.db"), "SELECT DISTINCT options FROM scan")[0]["options"].split()[0],
              "formats=tod,hmd", "but formats may be named one by one", both)
    work.write("gone.0", os.fsencode(names[0]) + b"\0go\nne\0")
    gone = scan(program, work.path("gone.db"), "-0", "--manifest", work.path("gone.0"))
    tap.ok(gone.code == 3 and len(rows(work.path("gone.db"))["source"]) == 2,
           "a name of two lines may be gone like any other", gone)
    beside = scan(program, work.path("gone.db"), b"go\nne", "-0", "--manifest", work.path("list.0"))
    tap.equal(beside.code, 3, "and an argument is no line of a list", beside)


def check_named_twice(tap, program, work):
    """The summary counts what is recorded, and what is named twice is searched once."""
    folder = work.folder("named")
    good = read(program.forge("tod", small_tod(3), work.path("named.tod")))
    work.write("named/a", good)
    work.write("named/b", good)
    os.symlink("a", os.path.join(folder, "link"))

    def run(db, *names, **how):
        result = program.run("scan", "-o", work.path(db), *names, cwd=folder, **how)
        last = result.text.splitlines()[-1]
        return result, [row["path"] for row in query(work.path(db), "SELECT path FROM source "
                                                                    "ORDER BY id")], last

    for number, (names, paths, again) in enumerate((
            (("a", "a", "./a", ".//a", "b"), ["a", "b"], "names: 3, the first a"),
            (("b", "."), ["b", "a"], "names: 1, the first b"),
            ((".", "gone", "gone"), ["a", "b", "gone"], "names: 1, the first gone"),
            (("a", "link", folder + "/a"), ["a", "link", folder + "/a"], None))):
        for jobs in ("-j1", "-j3"):
            result, seen, last = run("named%d%s.db" % (number, jobs), jobs, *names)
            told = [line for line in result.errors.splitlines() if "named before" in line]
            tap.ok(seen == paths and last.startswith("%d sources" % len(paths)) and
                   ("%d assets" % len([path for path in paths if path != "gone"])) in last and
                   [line.endswith(again or "") for line in told] == [True] * bool(again),
                   "%s, %s: each once" % (" ".join(names), jobs), result, seen)
    result, seen, last = run("named-pipe.db", "-", "-", data=good)
    tap.ok(seen == ["-"] and last.startswith("1 source: 1 asset") and "the first -" in result.errors,
           "standard input is not read again", result)
    names, shards = ("b", "a", "b", "a"), []
    whole = run("named-whole.db", *names)
    for part in ("1", "2"):
        shards.append(work.path("named-shard%s.db" % part))
        run(shards[-1], "--shard", part + "/2", *names)
    tap.equal(program.run("merge", "-o", work.path("named-all.db"), *shards).code, 0, "shards merge",
              whole[0])
    tap.ok(rows(work.path("named-all.db")) == rows(work.path("named-whole.db")), "to the same rows")


def broken_scan(program, db, folder, seconds, number, *args):
    """The exit code if the scan came to its end before the signal, else None."""
    process = program.start("scan", "--resume", "-o", db, *args, folder)
    try:
        process.communicate(timeout=seconds)
        return process.returncode
    except subprocess.TimeoutExpired:
        process.send_signal(number)
        process.communicate()
        # 4: it has heard the signal; before it listens the signal ends it.
        broken = (-number,) if number == signal.SIGKILL else (4, -number)
        return None if process.returncode in broken else process.returncode


def scans(db):
    """The rows of the table of scans, but for the times."""
    return [{name: value for name, value in row.items() if not name.endswith("ed_at")}
            for row in query(db, "SELECT * FROM scan ORDER BY id")]


def unlike(db, big):
    """What differs from a scan that nothing broke: tables, and whether the database is sound."""
    seen, expected = rows(db), rows(big)
    wrong = [name for name in sorted(set(seen) | set(expected))
             if seen.get(name) != expected.get(name)]
    wrong += ["scan: %s, not %s" % (scans(db), scans(big))] if scans(db) != scans(big) else []
    return wrong + database_faults(db)


def check_unlike(tap, work, big):
    """A row less, or a scan that did not end, would be noticed."""
    path = work.path("unlike.db")
    work.write("unlike.db", read(big))
    tap.equal(unlike(path, big), [], "a copy is like the scan")
    change(path, "UPDATE scan SET status = 'running'")
    change(path, "DELETE FROM replay WHERE asset_id = (SELECT max(asset_id) FROM replay)")
    tap.equal([name.split(":")[0] for name in unlike(path, big)], ["replay", "scan"],
              "what is missing in one is noticed")


def merge_broken(program, work, db, big):
    """None if merge refuses the database of a scan that was killed; the signal may have come too
    late."""
    out = work.path("broken-merged.db")
    result = program.run("merge", "-o", out, db)
    if result.code == 0 and rows(out) == rows(big):
        os.remove(out)
        return None
    return None if result.code == 3 and not os.path.exists(out) else result


def check_resume(tap, program, work, folder, big):
    start = time.monotonic()
    scan(program, work.path("timed.db"), folder)
    usual = time.monotonic() - start
    seeds = random.Random(1)
    kills, db = 0, work.path("killed.db")
    code, completed, merges = None, [], []
    while kills < KILLS or code is None:
        if code is not None:
            completed.append((code, *unlike(db, big)))
            os.remove(db)
        number = seeds.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
        limit = seeds.uniform(0.02, 0.9) * usual if kills < KILLS else 120
        code = broken_scan(program, db, folder, limit, number, "-j%d" % seeds.randint(1, 3))
        kills += 1 if code is None else 0
        if code is None:
            merges.append(merge_broken(program, work, db, big))
    completed.append((code, *unlike(db, big)))
    wrong = [seen for seen in completed if seen != (0,)]
    tap.ok(not wrong, "%d scans that were killed %d times end with all rows of an unbroken one, as "
           "one scan" % (len(completed), kills), len(wrong), *wrong[:4])
    wrong = [seen for seen in merges if seen is not None]
    tap.ok(not wrong, "and none of them could be merged before its end", len(wrong), *wrong[:4])
    # A moment that is known: everything but one file is done.
    hold = work.path("held")
    os.makedirs(hold)
    for i in range(80):
        os.link(folder + "/1/%03d.tod" % (3 * (i % 50) + 1), hold + "/%02d.tod" % i)
    unbroken = scan(program, work.path("held1.db"), hold, "-")
    db = work.path("held.db")
    process = program.start("scan", "-j2", "-o", db, hold, "-", stdin=subprocess.PIPE)
    for _ in range(500):
        if os.path.exists(db) and not os.path.exists(db + "-journal"):
            try:
                if len(query(db, "SELECT * FROM source")) == 80:
                    break
            except sqlite3.OperationalError:
                pass
        time.sleep(0.02)
    process.kill()
    process.communicate()
    tap.equal(len(query(db, "SELECT * FROM visit")), 80, "what is done is noted as it is done")
    os.utime(hold + "/03.tod", (1, 1))  # which has two names
    resumed = scan(program, db, "--resume", hold, "-")
    tap.ok(b"have not changed; files: 78\n" in resumed.err, "only what changed is scanned again",
           resumed)
    tap.equal(resumed.code, unbroken.code, "with the exit code of all")
    tap.ok(rows(db) == rows(work.path("held1.db")), "and the rows of all")
    again = scan(program, db, "--resume", hold, "-")
    tap.ok(b"searched before" not in again.err, "of a complete scan nothing is passed over", again)
    tap.ok(rows(db) == rows(work.path("held1.db")), "and the rows are the same once more")
    change(db, "UPDATE scan SET status = 'running'")
    before = read(db)
    for args in (["query", "-d", db, "sources"], ["extract", "--dry-run", "-d", work.path("x"), db],
                 ["diff", work.path("held1.db"), db], ["report", db]):
        told_so = program.run(*args)
        tap.ok(b"did not come to an" not in told_so.err and told_so.err.count(b"did not come to its end") == 1,
               args[0] + " says that the scan is not at its end", told_so)
    quiet = program.run("query", "-d", work.path("held1.db"), "sources")
    tap.equal(quiet.err, b"", "and nothing of one that is")
    part = scan(program, db, "--resume", "--shard", "1/2", hold, "-")
    tap.ok(part.code == 2 and "another --shard, or of none" in part.errors and read(db) == before,
           "a shard does not go on with a scan of all", part)
    other = scan(program, db, "--resume", "--no-replay", hold, "-")
    tap.ok(b"searched before" not in other.err, "nor of one with other options", other)
    tap.equal(len(query(db, "SELECT * FROM scan")), 2, "which stays by itself")


def check_resume_behind_another(tap, program, work, folder, big):
    """A scan with other options has put its rows in the place of some that were done."""
    num = len(query(big, "SELECT path FROM source"))
    db = work.path("broken.db")
    process = program.start("scan", "-o", db, folder, "-", stdin=subprocess.PIPE)
    for _ in range(500):
        if os.path.exists(db) and not os.path.exists(db + "-journal"):
            try:
                if len(query(db, "SELECT * FROM source")) >= num:
                    break
            except sqlite3.OperationalError:
                pass
        time.sleep(0.02)
    process.kill()
    process.communicate()
    between = scan(program, db, "--no-replay", "--no-hash", folder + "/1", folder + "/5.tar.gz")
    tap.equal(between.code, 0, "another scan of some of it", between)
    resumed = scan(program, db, "--resume", folder, "-")
    tap.ok(b"searched before" in resumed.err, "what nobody else has searched is passed over", resumed)
    tap.equal(query(db, "SELECT count(*) AS n FROM source WHERE scan_id <> 1"), [{"n": 0}], "and the rest is not")
    fresh = scan(program, work.path("fresh.db"), folder, "-")
    tap.ok(sorted(map(str, sound_rows(db))) == sorted(map(str, sound_rows(work.path("fresh.db")))),
           "its assets are those of a scan that was not broken off", fresh)


def sound_rows(db):
    """Assets and replays without their ids, which a scan between may have used up."""
    return [tuple(row.values()) for row in query(
        db, "SELECT s.path, s.sha256, a.format, a.grade, a.raw_offset, a.sha256, a.pose_sha256, r.status FROM source "
        "AS s LEFT JOIN asset AS a ON a.source_id = s.id LEFT JOIN replay AS r ON r.asset_id = a.id")]


# The head of the journal of a database that was empty before: magic, pages in it (as many as there
# are), number for sums, pages before, sizes of sectors and pages.
JOURNAL = struct.pack(">QIIIII", 0xd9d505f920a163d7, 0xffffffff, 1, 0, 512, 4096).ljust(512, b"\0")


def check_first_transaction(tap, program, work, folder, big):
    """A scan that is killed while its database comes into being leaves pages that count for nothing,
    of which the first may be lacking, and a journal that says so."""
    pages = read(big)[:5 * 4096]
    for name, left in (("with a header", pages), ("without one", bytes(4096) + pages[4096:])):
        db = work.write("first.db", left)
        work.write("first.db-journal", JOURNAL)
        refused = program.run("merge", "-o", work.path("none.db"), db)
        tap.equal(refused.code, 3, "killed at once, %s, it is not merged" % name, refused)
        result = scan(program, db, "--resume", folder)
        tap.equal(result.code, 0, "but gone on with", result)
        tap.equal(unlike(db, big), [], "as if nothing had been there")
        os.remove(db)
    for name, left, journal in (("a file of zeros", bytes(8192), None),
                                ("one with a journal of something else", bytes(8192), b"x" * 512),
                                ("a text with a journal", b"text" * 2048, JOURNAL)):
        db = work.write("first.db", left)
        if journal is not None:
            work.write("first.db-journal", journal)
        result = scan(program, db, "--resume", folder)
        tap.ok(result.code == 3 and read(db) == left and
               (journal is None or read(db + "-journal") == journal),
               "%s is left as it is" % name, result)


def check_members(tap, program, work):
    """A container whose scan was broken off keeps nothing of members that it has no more."""
    def pack(names):
        with tarfile.open(work.path("box/b.tar"), "w") as box:
            for name in names:
                box.add(work.path("seed.tod"), name)
    os.makedirs(work.path("box"))
    pack(["one.tod", "two.tod"])
    db = work.path("members.db")
    scan(program, db, work.path("box"))
    change(db, "UPDATE scan SET status = 'running'")  # no visit is left: it was cut off before
    pack(["two.tod", "three.tod"])
    scan(program, db, "--resume", work.path("box"))
    tap.equal([r["path"].split("!/")[1:] for r in query(db, "SELECT path FROM source "
                                                       "ORDER BY path")],
              [[], ["three.tod"], ["two.tod"]], "members that are gone are gone")
    tap.equal([r["id"] for r in query(db, "SELECT id FROM scan")], [1], "in the scan that it was")


VIEWS = ("v_duplicates", "v_shared", "v_same_motion", "v_rules")


def kept_faults(work, db):
    """Whether what is kept of all sources, if it is, is that of the rows, in tables and views."""
    wrong = database_faults(db)  # first: it takes back what was half written
    work.write("without.db", read(db))
    change(work.path("without.db"), "UPDATE overall SET number = 0 WHERE what = 'kept'")
    return wrong + [view for view in VIEWS if query(db, "SELECT * FROM " + view) !=
                    query(work.path("without.db"), "SELECT * FROM " + view)]


def put_turned(work, seeds, turn):
    """The same files, each with what another one had; fewer members from time to time."""
    for i in range(40):
        work.write("turned/%02d.tod" % i, seeds[(i // 3 + i * turn) % 6])
    with tarfile.open(work.path("turned/all.tar"), "w") as box:
        for i in range(3 + 5 * turn % 11):
            box.add(work.path("turned/%02d.tod" % i), "in/%d.tod" % (i * (turn + 1)))


def check_kept(tap, program, work):
    """A scan may be killed at any time: what is kept of all is never that of other rows."""
    seeds = [read(program.forge("tod", small_tod(20 + 5 * i, i + 1), work.path("seed.tod")))
             for i in range(5)]
    seeds.append(seeds[0][:-8])
    db, folder, moments = work.path("kept.db"), work.path("turned"), random.Random(2)
    put_turned(work, seeds, 0)
    scan(program, db, folder)
    tap.equal(query(db, KEPT)[0]["number"], 0, "of few rows nothing is kept")
    change(db, "UPDATE finding SET id = id + 10000")  # as if there had been more
    start = time.monotonic()
    scan(program, db, folder)
    usual = time.monotonic() - start
    tap.equal(query(db, KEPT)[0]["number"], 1, "of many it is")
    tap.equal(kept_faults(work, db), [], "and right")
    wrong, kills = [], 0
    for turn in range(1, KILLS + 1):
        put_turned(work, seeds, turn)
        code = broken_scan(program, db, folder, moments.uniform(0.02, 1) * usual, signal.SIGKILL)
        kills += 1 if code is None else 0
        wrong += kept_faults(work, db)
        wrong += [] if query(db, KEPT)[0]["number"] == 1 else ["it is not kept any more"]
    scan(program, db, folder)
    tap.equal(wrong + kept_faults(work, db), [],
              "also if scans are killed (%d of %d)" % (kills, KILLS))


def check_spill(tap, program, work):
    """More records than wait in memory go to a temporary file."""
    seed = read(program.forge("tod", small_tod(3, 1), work.path("seed2.tod")))
    for i in range(3):
        work.write("much/%d.bin" % i, seed * 1500)
    args = ("-j3", "--min-evidence=0", work.path("much"))
    usual = scan(program, work.path("much1.db"), "-j1", *args[1:])
    spilled = scan(program, work.path("much3.db"), *args)
    tap.equal(told(spilled), told(usual), "many records of a source are told alike")
    tap.ok(rows(work.path("much3.db")) == rows(work.path("much1.db")), "and recorded alike")
    tap.ok(len(query(work.path("much1.db"), "SELECT * FROM asset")) > 4000, "and are many")


def check_two_scans(tap, program, work, folder, big):
    """Two scans write into one database at once."""
    db = work.path("both.db")
    both = [program.start("scan", "-o", db, "-j2", os.path.join(folder, part))
            for part in ("0", "1")]
    results = [program.finish(process) for process in both]
    tap.equal([r.code for r in results], [0, 0], "two scans share a database", *results)
    count = "SELECT count(*) AS n FROM asset JOIN source ON source.id = source_id WHERE path LIKE"
    for part in ("0", "1"):
        like = os.path.join(folder, part) + "/%"
        tap.equal(query(db, count + " ?", like), query(big, count + " ?", like),
                  "and both are whole in it")
    tap.equal(database_faults(db), [], "which is sound")


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        folder = make_collection(program, work)
        big = check_jobs(tap, program, work, folder)
        shards = check_shards(tap, program, work, folder, big)
        check_refusals(tap, program, work, folder, big, shards)
        check_older(tap, program, work, folder)
        check_manifest(tap, program, work, folder)
        check_named_twice(tap, program, work)
        check_unlike(tap, work, big)
        check_resume(tap, program, work, folder, big)
        check_resume_behind_another(tap, program, work, folder, big)
        check_first_transaction(tap, program, work, folder, big)
        check_members(tap, program, work)
        check_kept(tap, program, work)
        check_spill(tap, program, work)
        check_two_scans(tap, program, work, folder, big)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
