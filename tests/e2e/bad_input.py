"""What a user may do wrong, and what a machine may refuse: an exit code, a clear text, no damage."""
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time

from harness import (NOBODY, SLOWER, WRAPPER, Program, Tap, TookTooLong, Workspace, assets, codes_in,
                     database_faults, dump, forge_hmd, limited, other_user_problem, query, read,
                     shared_folder, small_tod, square_model, source_codes, sources)


# ---- help for the checks ----

def expect(tap, result, code, name, *words):
    """The exit code, and words that standard error must have."""
    missing = [w for w in words if w not in result.errors]
    return tap.ok(result.code == code and not missing, "%s: exit %d" % (name, code), result,
                  *["missing: %s" % w for w in missing])


def forge_tod(program, path, frames=3, seed=1):
    return program.forge("tod", small_tod(frames, seed), path)


def many_tods(program, work, folder, number, first_seed=1):
    path = work.folder(folder)
    for i in range(number):
        forge_tod(program, os.path.join(path, "%03d.tod" % i), 3 + i % 4, first_seed + i)
    return path


def without_ids(db):
    """{path: everything that is recorded of it}, comparable between databases."""
    told = {}
    for row in query(db, "SELECT * FROM source"):
        rows = []
        for asset in query(db, "SELECT * FROM asset WHERE source_id = ? ORDER BY id", row["id"]):
            replay = query(db, "SELECT * FROM replay WHERE asset_id = ?", asset["id"])
            findings = query(db, "SELECT * FROM finding WHERE asset_id = ? ORDER BY id", asset["id"])
            rows.append([strip(asset), [strip(r) for r in replay], [strip(f) for f in findings]])
        loose = query(db, "SELECT * FROM finding WHERE source_id = ? AND asset_id IS NULL", row["id"])
        told[row["path"]] = [strip(row), rows, [strip(f) for f in loose]]
    return told


def strip(row):
    return {k: v for k, v in row.items() if k not in ("id", "scan_id", "source_id", "asset_id")}


def check_database(tap, db, name):
    faults = database_faults(db)
    tap.equal(faults, [], "%s: the database is sound" % name)


def listing(folder):
    return {name: read(os.path.join(folder, name)) for name in os.listdir(folder)
            if os.path.isfile(os.path.join(folder, name))}


# ---- what cannot be read ----

def missing_files(tap, program, work):
    good = forge_tod(program, work.path("good.tod"))
    gone = work.path("there", "is-none.tod")
    db = work.path("missing.db")
    result = program.run("scan", "-o", db, gone, good)
    expect(tap, result, 3, "scan of a missing file", gone, "No such file")
    tap.equal([r["status"] for r in (sources(db)[gone], sources(db)[good])],
              ["unreadable", "complete"], "it is recorded as unreadable, and the other was scanned")
    tap.equal(source_codes(db, gone), ["IMG0001"], "with its finding")
    result = program.run("check", gone, good)
    expect(tap, result, 3, "check of a missing file", gone, "No such file")
    tap.ok(good in result.text, "and the other was checked", result)
    expect(tap, program.run("replay", gone), 3, "replay of a missing file", gone)
    expect(tap, program.run("replay", good, "--after", gone), 3, "--after a missing file", gone)
    expect(tap, program.run("replay", "%s:1" % gone), 3, "replay from a missing database", gone)
    expect(tap, program.run("replay", "%s:99" % db), 3, "replay of an asset that is not there", db)
    expect(tap, program.run("scan", "-o", db, ""), 3, "scan of an empty name")
    expect(tap, program.run("check", ""), 3, "check of an empty name")
    unreadable_later(tap, program, work)
    result = program.run("scan", "-o", work.path("never.db"), gone, "--fail-on", "error")
    expect(tap, result, 3, "a missing file counts more than --fail-on")


def unreadable_later(tap, program, work):
    """What was found of a source is kept when it is gone, and the source says that it is."""
    path = forge_tod(program, work.path("leaves.tod"))
    db = work.path("leaves.db")
    program.run("scan", "-o", db, path)
    before = dump(db, ("scan", "source"))
    data = read(path)
    os.unlink(path)
    result = program.run("scan", "-o", db, path)
    expect(tap, result, 3, "scan of a source that is gone by now", path, "No such file")
    tap.ok(dump(db, ("scan", "source")) == before, "what was found of it is kept")
    tap.equal([(r["scan_id"], r["status"]) for r in sources(db).values()], [(1, "unreadable")],
              "under the scan that found it, and the source is said to be unreadable")
    work.write("leaves.tod", data)
    program.run("scan", "-o", db, path)
    tap.equal([(r["scan_id"], r["status"]) for r in sources(db).values()], [(3, "complete")],
              "until it can be read again")


def no_rights(tap, program, work):
    problem = other_user_problem(program)
    if problem is not None:
        tap.skip("a directory without rights", problem)
        return
    top = work.folder("rights")
    locked = work.folder("rights/locked")
    forge_tod(program, os.path.join(locked, "in.tod"))
    good = forge_tod(program, os.path.join(top, "z.tod"))
    closed = forge_tod(program, os.path.join(top, "closed.tod"))
    os.chmod(locked, 0)
    os.chmod(closed, 0)
    out = work.folder("rights-out")
    os.chmod(out, 0o777)
    db = os.path.join(out, "x.db")
    result = program.run("scan", "-o", db, top, uid=NOBODY)
    expect(tap, result, 3, "scan with a directory without rights", locked, closed,
           "Permission denied")
    tap.equal({p: r["status"] for p, r in sources(db).items()},
              {locked: "unreadable", closed: "unreadable", good: "complete"},
              "the rest is done, and what could not be read is recorded")
    result = program.run("check", top, uid=NOBODY)
    expect(tap, result, 3, "check with a directory without rights", locked, closed)
    tap.ok(good in result.text, "the rest is checked", result)
    expect(tap, program.run("replay", closed, uid=NOBODY), 3, "replay of a closed file", closed)


def tiny_files(tap, program, work):
    for name, data in (("empty.tod", b""), ("empty.bin", b""), ("one.tod", b"P"), ("one.bin", b"P"),
                       ("word.tod", b"\x50\0\0\0"), ("two.tod", b"\x50\0\0\0\1\0\0\0"),
                       ("empty.hmd", b""), ("one.hmd", b"P"), ("two.hmd", b"\x50\0\0\0\0\0\0\0")):
        path = work.write("tiny/" + name, data)
        db = work.path("tiny-%s.db" % name)
        result = program.run("check", path)
        wrong = not data or name.endswith((".tod", ".hmd"))
        tap.equal(result.code, 1 if wrong else 0, "check of %s (%d bytes)" % (name, len(data)), result)
        tap.equal(bool(codes_in(result.text)), wrong, "%s: a finding or none" % name, result)
        result = program.run("scan", "-o", db, path)
        tap.ok(result.code == 0 and result.errors == "", "scan of %s: exit 0, silent" % name, result)
        tap.equal((len(assets(db)), sources(db)[path]["status"], sources(db)[path]["size"]),
                  (0, "complete", len(data)), "%s: scanned, nothing found" % name)
        if not data:
            tap.equal(source_codes(db, path)[:1], ["IMG0001"], "%s: said to be empty" % name)
        result = program.run("scan", "-o", db, "--fail-on", "error", path)
        tap.equal(result.code, 1 if wrong else 0, "scan --fail-on error of %s" % name, result)
        result = program.run("replay", path)
        tap.ok(result.code == 1 and result.errors, "replay of %s: exit 1 and a reason" % name, result)


# ---- cut files ----

def told_by_check(text, folder):
    """{file: codes of its errors} of what check prints."""
    told, name = {}, None
    for line in text.splitlines():
        if line.startswith(folder):
            name = os.path.basename(line.split(": ")[0])
            told[name] = []
        elif line.startswith("  error ") and name:
            told[name].append(line.split()[1])
    return told


def cut_everywhere(tap, program, work, name, data, one_by_one, kind="tod"):
    """The file cut at every byte: every piece has an error, no piece has the whole animation."""
    folder = work.folder("cuts")
    files = {"%05d.%s" % (n, kind): data[:n] for n in range(len(data))}
    for file, piece in files.items():
        work.write("cuts/" + file, piece)
    result = program.run("check", folder, timeout=300)
    told = told_by_check(result.text, folder)
    tap.equal((result.code, len(told)), (1, len(data)), "%s cut at %d places: check exits with 1" % (
        name, len(data)), str(result)[:500])
    tap.equal([f for f in files if not told.get(f)], [], "%s: each piece has an error" % name)
    if one_by_one:
        odd = []
        for file in list(files)[::5]:
            result = program.run("check", os.path.join(folder, file))
            if result.code != 1 or not codes_in(result.text) or result.errors:
                odd.append("%s: %s" % (file, result))
        tap.equal(odd[:3], [], "%s: every fifth alone: exit 1 and a finding" % name)
    # Each source is a transaction of its own, on a real disk: of a long file every seventh piece.
    step = 7 if len(data) > 2000 else 1
    for n, file in enumerate(files):
        if n % step != 0:
            os.unlink(os.path.join(folder, file))
    check_cut_scan(tap, program, work, name, data, folder, len(data[::step]))
    for file in list(files)[::step]:
        os.unlink(os.path.join(folder, file))


def check_cut_scan(tap, program, work, name, data, folder, count):
    db = work.path("cuts.db")
    result = program.run("scan", "-o", db, folder, timeout=300)
    tap.equal(result.code, 0, "%s: scan of all pieces" % name, str(result)[-800:])
    tap.equal(len(sources(db)), count, "%s: all pieces are recorded" % name)
    whole = [r["path"] for r in assets(db) if r["length"] >= len(data)]
    tap.equal(whole, [], "%s: no piece is the whole animation" % name)
    beyond = query(db, "SELECT s.path FROM asset AS a JOIN source AS s ON s.id = a.source_id "
                       "WHERE a.raw_offset + a.length > s.size")
    tap.equal(beyond, [], "%s: no asset is longer than its source" % name)
    check_database(tap, db, name)
    os.unlink(db)


def too_much_work(tap, program, work):
    """A file that cannot be looked at to its end is not one without an animation."""
    for name in ("square.hmd", "square.bin"):
        path = work.write(name, square_model(3000))
        for words, code in ((("check",), "HMD0297"), (("replay",), "HMD0297"),
                            (("scan", "-o", work.path("square.db")), "RUN0010")):
            result = program.run(*words, path)
            expect(tap, result, 4, "%s of %s" % (words[0], name))
            tap.ok(code in result.text + result.errors, "%s of %s: %s" % (words[0], name, code),
                   result)
            tap.ok("RUN0005" not in result.text, "and its name is not said to lie", result)


def cut_files(tap, program, work):
    data = read(forge_tod(program, work.path("forged.tod"), 3))
    cut_everywhere(tap, program, work, "forged", data, True)
    model = read(forge_hmd(program, "good-pyramid", work.path("forged.hmd")))
    cut_everywhere(tap, program, work, "good-pyramid", model, False, "hmd")
    shared = shared_folder()
    if shared is None:
        tap.skip("a real file cut at every byte", "no folder of real files")
        return
    sample = read(os.path.join(shared, "samples", "tod", "c_n.tod"))
    cut_everywhere(tap, program, work, "c_n.tod", sample, False)


# ---- names that lie ----

def wrong_names(tap, program, work):
    """A name says what a file has to be; any other name lets it be what it is."""
    tod = read(forge_tod(program, work.path("honest.tod")))
    hmd = read(forge_hmd(program, "good-pyramid", work.path("honest.hmd")))
    for name, data, kind, lies in (
            ("a.tod", tod, "tod", False), ("a.hmd", hmd, "hmd", False), ("A.HMD", hmd, "hmd", False),
            ("b.hmd", tod, "tod", True), ("b.tod", hmd, "hmd", True), ("c.bin", hmd, "hmd", False),
            ("d.hmd", b"\x41\0\0\0" + bytes(60), None, True), ("d.bin", b"\x41\0\0\0", None, False),
            ("e.hmd", b"no model\n" * 40, None, True), ("f.hmd", bytes(4096), None, True),
            ("g.hmd", bytes(64) + hmd, None, True)):
        path = work.write("names/" + name, data)
        result = program.run("check", path)
        tap.equal((result.code, "RUN0005" in codes_in(result.text)), (1 if lies else 0, lies),
                  "check of %s that is %s" % (name, kind or "something else"), result)
        db = work.path("names-%s.db" % name)
        result = program.run("scan", "-o", db, path)
        seen = [r["format"] for r in assets(db) if r["raw_offset"] == 0]
        tap.equal((result.code, seen, "RUN0005" in source_codes(db, path)),
                  (0, [kind] if kind else [], lies), "scan of %s" % name, result)
        result = program.run("replay", path)
        tap.equal(result.code, 0 if kind else 1, "replay of %s" % name, result)


# ---- usage ----

def usage(tap, program, work):
    good = forge_tod(program, work.path("usage.tod"))
    db = work.path("usage.db")
    model = forge_hmd(program, "good-pyramid", work.path("usage.hmd"))
    made = work.path("usage-made.db")
    program.run("scan", "-o", made, good)
    scan = ("scan", "-o", db)
    cases = [
        ((), "command"), (("--bogus",), "--bogus"), (("scna", good), "scna"), (("scan",), "source"),
        (("check",), "file"), (("replay",), "FILE"), (("replay", good, good), "one"),
        (scan + ("--bogus", good), "--bogus"), (scan + (good, "--bogus=3"), "--bogus"),
        (scan + ("-Z", good), "-Z"), (scan + (good, "--db"), "--db"), (scan + ("--form", "tod"), "source"),
        (scan + ("-f", "tad", good), "tad"), (scan + ("-f", "tod,bad", good), "bad"),
        (scan + ("-f", "", good), "--formats"), (scan + ("--formats=TOD", good), "TOD"),
        (scan + ("--layout", "2353", good), "2353"), (scan + ("--layout", "", good), "--layout"),
        (scan + ("--fail-on", "fatal", good), "fatal"), (scan + ("--progress", "no", good), "'no'"),
        (scan + ("--no-replay=1", good), "--no-replay"),
        (("check", "--bogus", good), "--bogus"), (("check", "--format", "yaml", good), "yaml"),
        (("check", "--fail-on", "ERROR", good), "ERROR"), (("check", "--profile", "2", good), "'2'"),
        (("check", "-o", db, good), "-o"),
        (("replay", "--bogus", good), "--bogus"), (("replay", "--format", "xml", good), "xml"),
        (("replay", "--profile", "1.3", good), "1.3"), (("replay", "--slots", "0", good), "'0'"),
        (("replay", "--profile", "4.4", good), "4.4"), (("replay", "--profile", "1.30", model), "1.30"),
        (("replay", "--slots", "7", model), "--slots"), (("replay", "--after", good, model), "hmd"), (("replay", "--after", model, model), "hmd"),
        (("replay", "--slots", "1025", good), "1025"), (("replay", "--slots", "-1", good), "-1"),
        (("replay", "--slots", "5x", good), "5x"), (("replay", "--fail-on", "x", good), "'x'"),
        (("rules", "--bogus"), "--bogus"), (("rules", "--format", "html"), "html"),
        (("replay", work.name), "directory"), (("replay", good, "--after", work.name), "directory"),
        (("replay", made), "database"), (("replay", made + ":abc"), "abc"),
        (("replay", made + ":"), "''"), (("replay", made + ":-1"), "-1"),
        (("replay", made + ":99999999999"), "99999999999"),
        (("rules", "HMD9999"), "HMD9999"), (scan + ("-f", "hmd,", "-f", "hdm", good), "hdm"),
        (scan + ("-f", "HMD", good), "HMD"), (("rules", "TOD9999"), "TOD9999"), (("rules", "TOD0001", "nonsense"), "nonsense"),
    ]
    for args, word in cases:
        shown = " ".join(a.replace(work.name, "") for a in args if a not in (good, db))
        result = program.run(*args)
        expect(tap, result, 2, "'%s'" % shown, word, "--help")
        tap.equal(result.text, "", "'%s': nothing on standard output" % shown)
    tap.ok(not os.path.exists(db), "a usage error makes no database")
    result = program.run(*scan, good, env={"FRAMEHOUND_BUSY_MS": "soon"})
    expect(tap, result, 2, "FRAMEHOUND_BUSY_MS=soon", "FRAMEHOUND_BUSY_MS", "soon")
    result = program.run(*scan, b"-\xff\x1b", good)
    expect(tap, result, 2, "an option of strange bytes")
    tap.ok(b"\x1b" not in result.err and b"\xff" not in result.err, "is shown escaped", result)
    twice = work.path("twice.db")
    program.run("scan", "-o", db, "-f", "tod", good)
    program.run("scan", "-o", twice, "-f", "tod,tod", good)
    tap.equal(without_ids(twice), without_ids(db), "-f tod,tod is -f tod")


# ---- output that cannot be written ----

def full_disk(tap, program, work):
    folder = many_tods(program, work, "full", 60)
    whole = work.path("whole.db")
    result = program.run("scan", "-o", whole, folder)
    tap.equal(result.code, 0, "reference scan", result)
    truth = without_ids(whole)
    size = os.path.getsize(whole)
    for number in range(20):
        limit = number * size // 20 if number else 0
        if limit == 0 and WRAPPER:
            tap.skip("disk with room for 0 bytes", "the wrapper writes files of its own")
            continue
        name = "disk with room for %d bytes of %d" % (limit, size)
        db = work.path("full%d.db" % number)
        result = program.run("scan", "-o", db, folder, fsize=limit)
        expect(tap, result, 3, name, db, "make room")
        if os.path.exists(db):
            check_database(tap, db, name)
        tables = query(db, "SELECT name FROM sqlite_schema") if os.path.exists(db) else []
        half = [p for p, told in (without_ids(db) if tables else {}).items() if told != truth[p]]
        tap.equal(half, [], "%s: what is recorded is whole" % name)
        tap.ok(not os.path.exists(db) or os.path.getsize(db) > 0, "%s: no empty file" % name)
    grow_existing(tap, program, work, folder, truth)


def grow_existing(tap, program, work, folder, truth):
    """A database that has sources keeps them when it cannot grow any more."""
    db = work.path("grow.db")
    program.run("scan", "-o", db, os.path.join(folder, "000.tod"), os.path.join(folder, "001.tod"))
    size = os.path.getsize(db)
    for room in (0, 1, 4096, 9000):
        before = without_ids(db)
        result = program.run("scan", "-o", db, folder, fsize=size + room)
        expect(tap, result, 3, "existing database, room to grow by %d" % room, db, "make room")
        check_database(tap, db, "room to grow by %d" % room)
        after = without_ids(db)
        tap.ok(all(after.get(p) == told for p, told in before.items()), "what was there is there")
        tap.equal([p for p in after if after[p] != truth[p]], [], "and no source is half there")
    result = program.run("scan", "-o", db, folder)
    tap.equal((result.code, without_ids(db)), (0, truth), "with room again all is recorded", result)


def full_stdout(tap, program, work):
    good = forge_tod(program, work.path("dev-full.tod"))
    db = work.path("dev-full.db")
    for args in (("scan", "-o", db, good), ("check", good), ("replay", good),
                 ("replay", "--format", "json", good), ("replay", "--format", "csv", good),
                 ("rules",), ("rules", "--format", "json"), ("rules", "TOD0001"), ("--help",),
                 ("--version",), ("scan", "--help"), ("check", "--help"), ("replay", "--help"),
                 ("rules", "--help")):
        with open("/dev/full", "wb") as full:
            result = program.run(*args, stdout=full)
        name = " ".join(a for a in args if a not in (good, db))
        expect(tap, result, 3, "%s to a full device" % name, "No space left")
    tap.equal([(r["length"], r["grade"]) for r in assets(db)], [(os.path.getsize(good), "replayed")],
              "the database is complete all the same")
    expect(tap, program.run("replay", "-o", "/dev/full", good), 3, "replay -o /dev/full", "/dev/full")
    expect(tap, program.run("replay", "-o", work.path("no", "dir"), good), 3, "replay -o in no folder",
           work.path("no", "dir"))


def closed_stdout(tap, program, work):
    folder = many_tods(program, work, "pipe", 200)
    truth = work.path("pipe-truth.db")
    program.run("scan", "-o", truth, folder)
    db = work.path("pipe.db")
    reading, writing = os.pipe()
    process = program.start("scan", "-o", db, folder, stdout=writing)
    os.close(writing)
    os.close(reading)
    result = program.finish(process)
    tap.equal((result.code, result.errors), (3, ""), "scan into a closed pipe: 3, without a word")
    tap.equal(without_ids(db), without_ids(truth), "the database is complete all the same")
    tap.equal([r["status"] for r in query(db, "SELECT status FROM scan")], ["complete"], "and says so")
    result = program.run("rules", stdout=writing_end_of_closed_pipe())
    tap.equal((result.code, result.errors), (3, ""), "rules into a closed pipe: 3, without a word")


def writing_end_of_closed_pipe():
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "wb")


# ---- databases ----

def read_only_database(tap, program, work):
    problem = other_user_problem(program)
    if problem is not None:
        tap.skip("a read-only database", problem)
        return
    good = forge_tod(program, work.path("ro.tod"))
    folder = work.folder("ro")
    db = os.path.join(folder, "x.db")
    program.run("scan", "-o", db, good)
    os.chmod(folder, 0o555)
    for mode in (0o444, 0o666):
        os.chmod(db, mode)
        before = listing(folder)
        result = program.run("scan", "-o", db, good, uid=NOBODY)
        expect(tap, result, 3, "database of mode %o in a read-only directory" % mode, db, "writing")
        tap.ok(listing(folder) == before, "it is untouched")
        result = program.run("replay", "%s:1" % db, uid=NOBODY)
        tap.equal(result.code, 0, "replay reads from it", result)
    result = program.run("scan", "-o", os.path.join(folder, "new.db"), good, uid=NOBODY)
    expect(tap, result, 3, "new database in a read-only directory", folder, "writing")
    tap.ok(listing(folder) == before, "nothing was made")


def make_sqlite(path, *statements):
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def foreign_databases(tap, program, work):
    good = forge_tod(program, work.path("foreign.tod"))
    ours = work.path("foreign-ours.db")
    program.run("scan", "-o", ours, good)
    whole = read(ours)
    newer = work.write("foreign/newer.db", whole)
    make_sqlite(newer, "PRAGMA user_version = 99")
    cases = [
        (work.write("foreign/text.db", b"Dear diary,\n" * 30), "is not a framehound database"),
        (work.write("foreign/short.db", b"x"), "is not a framehound database"),
        (make_sqlite(work.path("foreign", "other.db"), "CREATE TABLE t (x)"),
         "is not a framehound database"),
        (make_sqlite(work.path("foreign", "wal.db"), "PRAGMA journal_mode = WAL",
                     "CREATE TABLE t (x)"), "is not a framehound database"),
        (make_sqlite(work.path("foreign", "id.db"), "PRAGMA application_id = 1234",
                     "CREATE TABLE scan (x)"), "is not a framehound database"),
        (newer, "newer framehound"),
        (work.write("foreign/half.db", whole[:len(whole) // 2]), "damaged"),
        (work.write("foreign/headless.db", whole[:4096] + b"\x55" * (len(whole) - 4096)), "damaged"),
    ]
    for path, words in cases:
        name = os.path.basename(path)
        before = read(path)
        expect(tap, program.run("scan", "-o", path, good), 3, "scan into %s" % name, path, words)
        expect(tap, program.run("replay", path + ":1"), 3, "replay from %s" % name, path, words)
        tap.ok(read(path) == before, "%s is unchanged" % name)
    for path in (work.folder("foreign/folder.db"), "/dev/null", work.path("no", "dir", "x.db")):
        expect(tap, program.run("scan", "-o", path, good), 3, "scan into %s" % os.path.basename(path),
               path)
    tap.ok(not os.path.exists(work.path("no")), "no directory was made")
    expect(tap, program.run("scan", "-o", "", good, cwd=work.name), 3, "scan into the empty name")
    lone = program.run("scan", "-o", "file:x?mode=memory", good, cwd=work.folder("uri"))
    tap.ok(lone.code == 0 and os.listdir(work.path("uri")) == ["file:x?mode=memory"],
           "a name that looks like an SQLite URI is a file", lone)


def locked_database(tap, program, work):
    good = forge_tod(program, work.path("locked.tod"))
    db = work.path("locked.db")
    program.run("scan", "-o", db, good)
    before = read(db)
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    started = time.monotonic()
    result = program.run("scan", "-o", db, good, env={"FRAMEHOUND_BUSY_MS": "200"})
    took = time.monotonic() - started
    expect(tap, result, 3, "scan into a locked database", db, "locked", "200 ms")
    tap.ok(took < 5 * SLOWER, "it waits as long as FRAMEHOUND_BUSY_MS says (%.1f s)" % took)
    result = program.run("replay", db + ":1", env={"FRAMEHOUND_BUSY_MS": "200"})
    expect(tap, result, 3, "replay from a locked database", db, "locked")
    other.execute("ROLLBACK")
    other.close()
    tap.ok(read(db) == before, "it is unchanged")
    wait_for_lock(tap, program, db, good)


def wait_for_lock(tap, program, db, good):
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    process = program.start("scan", "-o", db, good, env={"FRAMEHOUND_BUSY_MS": "60000"})
    time.sleep(0.7)
    other.execute("ROLLBACK")
    other.close()
    tap.equal(program.finish(process).code, 0, "a lock that ends in time is waited for")


def two_at_once(tap, program, work):
    folders = [many_tods(program, work, "side%d" % i, 25, 100 * i) for i in range(2)]
    alone = work.path("alone.db")
    program.run("scan", "-o", alone, *folders)
    truth = without_ids(alone)
    for attempt in range(5):
        db = work.path("both%d.db" % attempt)
        running = [program.start("scan", "-o", db, folder) for folder in folders]
        results = [program.finish(process) for process in running]
        tap.equal([r.code for r in results], [0, 0], "two scans at once, attempt %d" % attempt, *results)
        tap.ok(without_ids(db) == truth, "all is recorded")
        tap.equal([r["status"] for r in query(db, "SELECT status FROM scan")], ["complete"] * 2,
                  "both say so")
        check_database(tap, db, "attempt %d" % attempt)


def scan_twice(tap, program, work):
    folder = many_tods(program, work, "again", 20)
    program.forge("image", "image stride=2352\nhidden < 003.tod at=20 skip=1900\nbad header 3\n",
                  os.path.join(folder, "disc.bin"), root=folder)
    work.write("again/broken.tod", read(os.path.join(folder, "001.tod"))[:-4])
    dbs = [work.path("first.db"), work.path("second.db")]
    for db in dbs:
        program.run("scan", "-o", db, folder)
    first, second = (dump(db) for db in dbs)
    for table in first:
        tap.ok(first[table] == second[table] and first[table], "two scans: %s is the same" % table)
    program.run("scan", "-o", dbs[0], folder)
    again = dump(dbs[0])
    for table, rows in again.items():
        if table == "source":  # belongs to the newer scan now
            rows = [dict(r, scan_id=1) for r in rows]
        tap.ok(rows == first[table], "scanned into the same database again: %s is the same" % table)
    tap.equal(len(query(dbs[0], "SELECT * FROM scan")), 2, "and both scans are listed")
    pieces = work.path("pieces.db")
    for name in sorted(os.listdir(folder)):
        program.run("scan", "-o", pieces, os.path.join(folder, name))
    tap.ok(without_ids(pieces) == without_ids(dbs[1]), "file by file gives the same")


def own_database(tap, program, work):
    folder = many_tods(program, work, "own", 3)
    expected = {os.path.join(folder, "%03d.tod" % i) for i in range(3)}
    db = os.path.join(folder, "framehound.db")
    for turn in ("first", "second"):
        result = program.run("scan", "-o", db, folder)
        tap.equal((result.code, set(sources(db))), (0, expected),
                  "%s scan into the scanned directory leaves its own database out" % turn, result)
    result = program.run("scan", ".", cwd=folder)
    tap.equal((result.code, set(sources(db)) - expected),
              (0, {os.path.basename(p) for p in expected}), "so does one by relative names", result)
    result = program.run("scan", "-o", db, db)
    tap.ok(result.code == 0 and db in result.errors, "naming it says that it is left out", result)
    side = work.folder("own/sub")
    other = os.path.join(side, "framehound.db-journal")
    forge_tod(program, other)
    result = program.run("scan", "-o", db, folder)
    tap.ok(other in sources(db), "a file elsewhere that is called like its journal is a source", result)


# ---- interruption ----

def until(condition, seconds=20):
    end = time.monotonic() + seconds * SLOWER
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def recorded(db, path):
    try:
        return os.path.exists(db) and path in sources(db)
    except sqlite3.Error:
        return False


def interrupted_scan(tap, program, work):
    good = forge_tod(program, work.path("kept.tod"), 6)
    data = read(good)
    for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
        for sent in (0, len(data) // 2, 3 << 20):
            title = "%s with %d bytes in an open pipe" % (name, sent)
            db = work.path("%s%d.db" % (name, sent))
            process = program.start("scan", "-o", db, good, "-", stdin=subprocess.PIPE)
            if not tap.ok(until(lambda: recorded(db, good)), "%s: the first source is recorded" % title):
                process.kill()
            process.stdin.write((data + bytes(sent))[:sent])
            process.stdin.flush()
            time.sleep(0.5)
            process.send_signal(number)
            ended = until(lambda: process.poll() is not None, 10)
            tap.ok(ended, "%s: it ends at once" % title)
            result = program.finish(process)
            expect(tap, result, 4, title, "interrupted")
            tap.equal(set(sources(db)), {good}, "%s: only the whole source is kept" % title)
            tap.equal([r["status"] for r in query(db, "SELECT status FROM scan")], ["interrupted"],
                      "%s: the scan says so" % title)
            check_database(tap, db, title)


def interrupted_others(tap, program, work):
    fifo = work.path("waits.tod")
    os.mkfifo(fifo)
    db = work.path("fifo.db")
    for args, name in ((("check", "-"), "check of an open pipe"),
                       (("replay", "-"), "replay of an open pipe"),
                       (("scan", "-o", db, fifo), "scan of a named pipe that nobody writes to"),
                       (("check", fifo), "check of a named pipe that nobody writes to")):
        process = program.start(*args, stdin=subprocess.PIPE)
        time.sleep(0.7 * min(SLOWER, 6))
        process.send_signal(signal.SIGINT)
        ended = until(lambda: process.poll() is not None, 3)
        if not ended:
            process.kill()
        tap.ok(ended, "SIGINT ends a %s" % name)
        result = result_of(program, process, ended)
        if ended:
            expect(tap, result, 4, "SIGINT during a %s" % name, "interrupted")


def result_of(program, process, ended):
    if ended:
        return program.finish(process)
    process.communicate()
    return None


def killed(tap, program, work):
    """SIGKILL at any moment: the database is sound, and no source is half there."""
    folder = many_tods(program, work, "kill", 80)
    whole = work.path("kill-whole.db")
    program.run("scan", "-o", whole, folder)
    truth = without_ids(whole)
    db = work.path("kill.db")
    for attempt in range(8):
        process = program.start("scan", "-o", db, folder)
        time.sleep((0.004 + 0.03 * attempt) * min(SLOWER, 20))
        process.kill()
        process.communicate()
        if os.path.exists(db) and os.path.getsize(db):
            check_database(tap, db, "killed, attempt %d" % attempt)
            tables = query(db, "SELECT name FROM sqlite_schema")
            half = [p for p, told in (without_ids(db) if tables else {}).items() if told != truth[p]]
            tap.equal(half, [], "killed, attempt %d: no source is half there" % attempt)
    result = program.run("scan", "-o", db, folder)
    tap.equal((result.code, without_ids(db)), (0, truth), "scanned again all is there", result)


# ---- standard input, directories, names ----

def standard_input(tap, program, work):
    data = read(forge_tod(program, work.path("stdin.tod"), 5))
    image = read(program.forge("image", "image stride=2352\nhidden < stdin.tod at=9 skip=2000\n",
                               work.path("stdin.bin"), root=work.name))
    db = work.path("stdin.db")
    result = program.run("scan", "-o", db, "-", data=data)
    tap.equal(result.code, 0, "scan of standard input", result)
    tap.equal([(r["path"], r["raw_offset"], r["length"]) for r in assets(db)], [("-", 0, len(data))],
              "finds what is there")
    result = program.run("scan", "-o", db, "-", data=image)
    found = [(r["path"], r["kind"], r["layout"], r["raw_offset"], r["lba"]) for r in assets(db)]
    tap.equal(found, [("-", "image", "2352", 9 * 2352 + 24 + 2000, 9)], "an image through a pipe", result)
    expect(tap, program.run("replay", db + ":1"), 3, "replay of what came through a pipe")
    result = program.run("check", "-", data=data)
    tap.equal(result.code, 0, "check of standard input", result)
    result = program.run("check", "-", data=data[:-1])
    tap.ok(result.code in (0, 1), "check of a cut file on standard input ends", result)
    by_pipe = program.run("replay", "--format", "csv", "-", data=data)
    by_name = program.run("replay", "--format", "csv", work.path("stdin.tod"))
    tap.equal((by_pipe.code, by_pipe.out), (0, by_name.out), "replay of standard input")
    result = program.run("scan", "-o", db, "-", stdin=subprocess.DEVNULL)
    tap.equal((result.code, source_codes(db, "-")), (0, ["IMG0001"]), "empty standard input", result)


def odd_directories(tap, program, work):
    folder = many_tods(program, work, "odd", 1)
    good = os.path.join(folder, "000.tod")
    os.symlink(".", os.path.join(folder, "loop"))
    os.symlink("b", os.path.join(folder, "a"))
    os.symlink("a", os.path.join(folder, "b"))
    os.symlink("nowhere", os.path.join(folder, "dangling"))
    os.symlink("000.tod", os.path.join(folder, "link.tod"))
    os.mkfifo(os.path.join(folder, "fifo.tod"))
    listener = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(folder)
    listener.bind("socket.tod")
    os.chdir(here)
    db = work.path("odd.db")
    result = program.run("scan", "-o", db, folder, timeout=30)
    tap.equal((result.code, set(sources(db))), (0, {good}),
              "links, loops, pipes and sockets in a directory are passed over", result)
    result = program.run("check", folder, timeout=30)
    tap.ok(result.code == 0 and "1 file" in result.text, "by check too", result)
    link = os.path.join(folder, "link.tod")
    result = program.run("scan", "-o", db, link, os.path.join(folder, "loop"))
    tap.equal((result.code, set(sources(db))), (0, {good, link, os.path.join(folder, "loop", "000.tod")}),
              "links that are named are followed", result)
    for name in ("a", "dangling", "socket.tod"):
        path = os.path.join(folder, name)
        expect(tap, program.run("scan", "-o", work.path("odd2.db"), path), 3, "scan of %s" % name, path)
        expect(tap, program.run("check", path), 3, "check of %s" % name, path)
    listener.close()
    deep = work.folder("deep/" + "/".join("d%d" % i for i in range(300)))
    forge_tod(program, os.path.join(deep, "x.tod"))
    result = program.run("scan", "-o", db, work.path("deep"))
    tap.ok(result.code == 0 and os.path.join(deep, "x.tod") in sources(db), "300 directories deep", result)
    result = program.run("scan", "-o", db, work.folder("hollow"))
    tap.ok(result.code == 0 and "0 sources" in result.text, "an empty directory", result)


HOSTILE = [b"new\nline.tod", b"esc\x1b[31mred.tod", b"title\x1b]0;x\x07.tod", b"bad\xff\xfe.tod",
           b"-o.tod", b"--help", b"-", b"  blank .tod", b"quo'te\".tod", b"back\\slash.tod",
           b"x.db:1", b"%s%n%1$s.tod", b"cr\rhidden.tod", b"del\x7f.tod", b"c1\xc2\x9b31m.tod",
           b"bidi\xe2\x80\xae.dot", b"overlong\xc0\xaf.tod", b"surrogate\xed\xa0\x80.tod",
           b"\xe3\x82\xad\xe3\x83\xa3\xe3\x83\xa9.tod", b"l" * 251 + b".tod", b"tab\t.tod"]


def bad_bytes(data):
    """What a terminal should never get from a file's name."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return ["no UTF-8: %s" % error]
    return sorted({hex(ord(c)) for c in text if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or
                   0x202a <= ord(c) <= 0x202e or 0x2066 <= ord(c) <= 0x2069})


def hostile_names(tap, program, work):
    folder = work.folder("hostile").encode()
    for number, name in enumerate(HOSTILE):
        forged = read(forge_tod(program, work.path("forge-me.tod"), 3, number + 1))
        with open(os.path.join(folder, name), "wb") as file:
            file.write(forged)
    db = work.path("hostile.db")
    result = program.run("scan", "-o", db, folder)
    tap.equal((result.code, result.errors), (0, ""), "scan of hostile names", result)
    seen = {os.fsencode(r["path"]) for r in assets(db)}
    tap.equal(seen, {os.path.join(folder, n) for n in HOSTILE}, "all are recorded, byte for byte")
    tap.equal(bad_bytes(result.out), [], "scan prints no control characters")
    tap.equal(len(result.text.splitlines()), len(HOSTILE) + 1, "and one line an asset", result)
    result = program.run("check", folder)
    tap.equal((result.code, bad_bytes(result.out)), (0, []), "check of hostile names", result)
    for name in HOSTILE:
        hostile_one(tap, program, db, os.path.join(folder, name))
    hostile_here(tap, program, work, folder)


def hostile_one(tap, program, db, path):
    import json
    shown = repr(os.path.basename(path))[:60]
    by_name = program.run("replay", "--format", "json", path)
    try:
        document = json.loads(by_name.out.decode("utf-8"))
    except ValueError as error:
        document = {"error": error}
    tap.ok(by_name.code == 0 and "frames" in document and not bad_bytes(by_name.out),
           "replay of %s as JSON" % shown, by_name, document.get("error"))
    rows = query(db, "SELECT a.id FROM asset AS a JOIN source AS s ON s.id = a.source_id "
                     "WHERE CAST(s.path AS BLOB) = ?", path)
    result = program.run("replay", "--format", "csv", "%s:%d" % (db, rows[0]["id"] if rows else 0))
    tap.equal(result.code, 0, "replay of %s by its id" % shown, result)
    result = program.run("check", path + b".none")
    tap.ok(result.code == 3 and not bad_bytes(result.err), "error about %s" % shown, result)


def hostile_here(tap, program, work, folder):
    """The same names without a directory before them."""
    db = work.path("here.db")
    result = program.run("scan", "-o", db, ".", cwd=folder, timeout=30)
    tap.equal(result.code, 0, "scan of '.' with hostile names", result)
    seen = {os.fsencode(r["path"]) for r in assets(db)}
    tap.equal(sorted(set(HOSTILE) - seen - {b"-"}), [], "all but '-' are recorded")
    tap.ok(seen & {b"-", b"./-"}, "the file '-' in the directory is scanned, not standard input", result)
    result = program.run("scan", "-o", work.path("dash.db"), "./-", cwd=folder, timeout=30)
    tap.equal(len(assets(work.path("dash.db"))), 1, "./- is the file of that name", result)
    result = program.run("check", "./-", cwd=folder)
    tap.equal(result.code, 0, "check of ./-", result)
    for args in (("--", "-o.tod"), ("./-o.tod",), ("--", "--help")):
        result = program.run("scan", "-o", work.path("dash2.db"), *args, cwd=folder)
        tap.ok(result.code == 0 and "1 asset" in result.text, "scan %s" % " ".join(args), result)
        result = program.run("check", *args, cwd=folder)
        tap.ok(result.code == 0 and "1 file" in result.text, "check %s" % " ".join(args), result)
        result = program.run("replay", *args, cwd=folder)
        tap.ok(result.code == 0 and "--slots" not in result.text, "replay %s" % " ".join(args), result)


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        for part in (missing_files, no_rights, tiny_files, too_much_work, cut_files, wrong_names, usage,
                     full_disk, full_stdout,
                     closed_stdout, read_only_database, foreign_databases, locked_database,
                     two_at_once, scan_twice, own_database, interrupted_scan, interrupted_others,
                     killed, standard_input, odd_directories, hostile_names):
            tap.note(part.__name__)
            try:
                limited(400 * SLOWER, part, tap, program, work)
            except (sqlite3.Error, OSError, KeyError, ValueError, TookTooLong) as error:
                tap.ok(False, "%s runs to its end" % part.__name__, repr(error))
        program.tell_unsound(tap)
    tap.done()


main()
