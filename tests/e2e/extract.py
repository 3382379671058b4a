"""Recorded assets as files again: byte for byte, under safe names, never over anything; and how two
databases differ."""
import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import zipfile

from carving import PAGE, Dump, camerawork
from harness import NOBODY, Program, Tap, Workspace, assets, findings_of, forge_hmd, \
    other_user_problem, query, read, small_tod

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def scan(tap, program, db, *sources):
    result = program.run("scan", "-o", db, *sources)
    tap.equal(result.code, 0, "scan of %s" % os.path.basename(sources[0]), result)
    return db


def listing(folder):
    """What is in a folder, link targets and times of change included."""
    return {name: (os.lstat(os.path.join(folder, name)).st_mtime_ns,
                   os.readlink(os.path.join(folder, name))
                   if os.path.islink(os.path.join(folder, name)) else
                   read(os.path.join(folder, name)))
            for name in sorted(os.listdir(folder))}


def files_of(folder):
    return sorted(name for name in os.listdir(folder) if not name.endswith(".json"))


def change(db, sql, *args):
    connection = sqlite3.connect(db)
    connection.execute(sql, args)
    connection.commit()
    connection.close()


def tod(program, work, name, seed):
    return read(program.forge("tod", small_tod(4, seed), work.path(name)))


# ---- what is written ----

def hold_sidecars(tap, db, folder, name):
    """Every sidecar says what the tables say."""
    rows = {row["sha256"]: row for row in assets(db)}
    wrong = []
    for file in files_of(folder):
        with open(os.path.join(folder, file + ".json"), encoding="utf-8") as text:
            told = json.load(text)
        row = rows[sha256(read(os.path.join(folder, file)))]
        for key in ("format", "grade", "raw_offset", "user_offset", "length", "lba", "iso_path",
                    "iso_offset", "ram_address", "evidence_bits", "frames", "objects", "sha256",
                    "pose_sha256"):
            if told[key] != row[key]:
                wrong.append((file, key, told[key], row[key]))
        msf = query(db, "SELECT msf FROM v_assets WHERE id = ?", row["id"])[0]["msf"]
        pieces = query(db, "SELECT asset_offset, raw_offset, length FROM piece WHERE asset_id = ? "
                           "ORDER BY asset_offset", row["id"])
        pieces = pieces or [{"asset_offset": 0, "raw_offset": row["raw_offset"],
                             "length": row["length"]}]
        found = [{key: f[key] or (f[key] if f[key] == 0 else None) for key in
                  ("code", "severity", "raw_offset", "asset_offset", "frame", "object", "message",
                   "field", "found", "expected")} for f in findings_of(db, row["id"])]
        for seen, expected in ((told["msf"], msf), (told["pieces"], pieces),
                               (told["findings"], found), (told["source"]["path"], row["path"]),
                               (told["source"]["layout"], row["layout"])):
            if seen != expected:
                wrong.append((file, seen, expected))
    tap.equal(wrong[:5], [], "%s: the sidecars say what the database says" % name)


def hold(tap, program, work, name, db, originals):
    """The files are the originals and pass check; a second run changes nothing."""
    out = work.path(name + ".out")
    result = program.run("extract", "-d", out, db)
    tap.equal((result.code, result.errors), (0, ""), "%s: extract" % name, result)
    tap.equal(sorted(sha256(read(os.path.join(out, file))) for file in files_of(out)),
              sorted(sha256(data) for data in originals),
              "%s: the files are the originals, byte for byte" % name)
    tap.ok(all(NAME.fullmatch(file) and len(file) <= 120 for file in os.listdir(out)),
           "%s: names are safe" % name, *os.listdir(out))
    hold_sidecars(tap, db, out, name)
    result = program.run("check", *[os.path.join(out, file) for file in files_of(out)])
    tap.equal(result.code, 0, "%s: the files pass check" % name, result)
    before = listing(out)
    result = program.run("extract", "-d", out, db)
    tap.ok(result.code == 0 and "%d there already, 0 not" % len(originals) in result.text,
           "%s: extracted again" % name, result)
    tap.ok(listing(out) == before, "%s: and nothing is changed by it" % name)
    return out


DISC = ("image stride=2352\niso TEST\n"
        "file DATA/A.TOD < a.tod\nfile DATA/B.TOD < b.tod\nfile M.HMD < m.hmd\n"
        "hidden < c.tod skip=100\ngap 5\n")


def files_and_discs(tap, program, work):
    originals = [tod(program, work, name, seed) for name, seed in
                 (("a.tod", 1), ("b.tod", 2), ("c.tod", 3))]
    originals.append(read(forge_hmd(program, "good-animation", work.path("m.hmd"))))
    folder = work.folder("plain/x")
    for name, data in zip(("a.tod", "b.tod", "c.tod", "m.hmd"), originals):
        work.write("plain/x/" + name, data)
    hold(tap, program, work, "files", scan(tap, program, work.path("files.db"), folder), originals)
    image = program.forge("image", DISC, work.path("disc.img"), root=work.name)
    out = hold(tap, program, work, "disc", scan(tap, program, work.path("disc.db"), image), originals)
    tap.equal(sum("DATA_A.TOD" in name for name in files_of(out)), 1, "disc: named by the file in it")
    path = work.path("disc.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as box:
        box.write(image, "one/disc.img")
        box.writestr("two/a.tod", tod(program, work, "z.tod", 9))
        box.writestr("two/b.tod", tod(program, work, "z.tod", 10))
    with zipfile.ZipFile(work.path("outer.zip"), "w") as box:
        box.write(path, "disc.zip")
        box.writestr("three.tod", tod(program, work, "z.tod", 11))
    more = originals + [tod(program, work, "z.tod", seed) for seed in (9, 10)]
    hold(tap, program, work, "zip", scan(tap, program, work.path("zip.db"), path), more)
    hold(tap, program, work, "zip in zip",
         scan(tap, program, work.path("outer.db"), work.path("outer.zip")),
         more + [tod(program, work, "z.tod", 11)])


def pieces(tap, program, work):
    """Texts that lie scattered in memory, one across the other."""
    rand = random.Random(20050505)
    dump = Dump(rand, 256)
    originals = []
    for i in range(12):
        data = camerawork(program, work, "c.cam", rand, 20 + 3 * i, encoding="bytes",
                          eol=("lf", "crlf", "cr")[i % 3], form=("e2", "e3")[i % 2])
        dump.put_scattered(data, 1400)
        originals.append(data)
    db = scan(tap, program, work.path("memory.db"), work.write("memory.bin", bytes(dump.data)))
    tap.ok(query(db, "SELECT count(*) AS n FROM piece")[0]["n"] > 24 and PAGE, "texts in pieces")
    hold(tap, program, work, "memory", db, originals)


def many(tap, program, work):
    """One pass over a source, however many assets it has."""
    data = b"".join(tod(program, work, "n.tod", seed) + bytes(64) for seed in range(1, 301))
    path = work.write("many.bin", data)
    db = scan(tap, program, work.path("many.db"), path)
    tap.equal(len(assets(db)), 300, "many: all are recorded")
    if shutil.which("strace") is None or os.environ.get("FRAMEHOUND_SANITIZED"):
        tap.skip("many: one pass", "no strace, or a sanitizer that does not go with it")
    else:
        log = work.path("trace")
        subprocess.run(["strace", "-f", "-e", "trace=openat", "-o", log, program.path, "extract",
                        "-d", work.path("traced"), db], stdout=subprocess.DEVNULL, check=False)
        tap.equal(read(log).count(b"many.bin\""), 1, "many: the source is opened once")
    result = program.run("extract", "-d", work.path("many.out"), db)
    tap.ok(result.code == 0 and "300 assets: 300 written" in result.text, "many: extract", result)


def container_and_members(tap, program, work):
    """A container that was searched as it lies, and what is in it: two ways to read one file."""
    one, two = tod(program, work, "w.tod", 51), tod(program, work, "w.tod", 52)
    inner, path = work.path("in.zip"), work.path("both.zip")
    with zipfile.ZipFile(inner, "w") as box:
        box.writestr("1.tod", one)
    with zipfile.ZipFile(path, "w") as box:
        box.write(inner, "in.zip")
        box.writestr("2.tod", two)
    db = scan(tap, program, work.path("both.db"), path)
    tap.equal(len(assets(db)), 2, "both: members are recorded")
    columns = "format, grade, raw_offset, user_offset, length, sha256"
    for name, box in (("both.zip", path), ("both.zip!/in.zip", inner)):
        change(db, "INSERT INTO asset (source_id, %s) SELECT (SELECT id FROM source WHERE path = ?), "
                   "%s FROM asset WHERE sha256 = ? AND raw_offset = 0" % (columns, columns), work.path(name),
               sha256(one))
        change(db, "UPDATE asset SET raw_offset = ? WHERE id = (SELECT max(id) FROM asset)",
               read(box).index(one))
    result = program.run("extract", "-d", work.path("both.out"), db)
    tap.ok(result.code == 0 and "4 assets: 4 written" in result.text, "both: all are found", result)
    tap.equal(sorted(read(work.path("both.out", name)) for name in files_of(work.path("both.out"))),
              sorted([one, one, one, two]), "both: byte for byte")


def at_once(tap, program, work):
    """Several runs into one folder do not get into each other's way."""
    out, db = work.path("at-once.out"), work.path("many.db")
    runs = [program.start("extract", "-d", out, db) for _ in range(4)]
    results = [program.finish(run) for run in runs]
    tap.equal([result.code for result in results], [0] * 4, "four runs at once", results[0])
    written = sum(int(re.search(r"(\d+) written", result.text).group(1)) for result in results)
    tap.ok(300 <= written and len(os.listdir(out)) == 600, "and each file once", written)


# ---- what is wanted ----

def selection(tap, program, work):
    db = work.path("disc.db")
    rows = assets(db)
    ids = [row["id"] for row in rows]
    for words, wanted in ((("--formats", "hmd"), [r["id"] for r in rows if r["format"] == "hmd"]),
                          (("--ids", "%d,%d" % (ids[0], ids[2])), [ids[0], ids[2]]),
                          (("--ids", "%d-%d" % (ids[0], ids[2])), ids[:3]),
                          (("--grade", "replayed"), [r["id"] for r in rows
                                                     if r["grade"] == "replayed"]),
                          (("-f", "tod,hmd", "--grade", "candidate"), ids)):
        result = program.run("extract", "--dry-run", "-d", work.path("none"), *words, db)
        seen = [int(n) for n in re.findall(r"would write .* asset (\d+) ", result.text)]
        tap.equal((result.code, sorted(seen)), (0, sorted(wanted)), " ".join(words), result)
    change(db, "UPDATE asset SET grade = 'structure' WHERE id = ?", ids[0])
    result = program.run("extract", "--dry-run", "--grade", "references", db)
    tap.ok(" asset %d " % ids[0] not in result.text and "would write" in result.text, "a lower grade",
           result)
    tap.ok(not os.path.exists(work.path("none")), "--dry-run makes no directory")
    result = program.run("extract", "--dry-run", "--ids", "1,999", "-d", work.path("none"), db)
    tap.ok(result.code == 3 and "--ids 999:" in result.errors, "a number that is not there", result)
    for words in ((), (db, db), ("--ids", "x", db), ("--ids", "", db), ("--ids", "1-2-3", db),
                  ("--ids", "-1", db), ("--ids", "9" * 30, db), ("--formats", "tad", db),
                  ("--formats", "", db), ("--grade", "good", db), ("--bogus", db)):
        result = program.run("extract", *words)
        tap.equal((result.code, result.text), (2, ""), "usage: extract %s" % " ".join(words)[:40],
                  result)
    for path in (work.path("a.tod"), work.path("missing.db"), work.name):
        result = program.run("extract", "-d", work.path("none"), path)
        tap.ok(result.code == 3 and not os.path.exists(work.path("none")), "no database", result)
    by_number(tap, program, db)


def by_number(tap, program, db):
    """What other commands call an asset is no database, and the option for it is named."""
    for number, hint in (("1", "--ids 1 "), ("1-2", "--ids 1-2 "), ("x", "--ids 1 ")):
        result = program.run("extract", "%s:%s" % (db, number))
        tap.ok(result.code == 2 and hint + db in result.errors, "extract DB:%s names --ids" % number,
               result)
    result = program.run("extract", db + ".none:1")
    tap.ok(result.code == 3 and "--ids" not in result.errors, "where there is no such database", result)


# ---- what is in the way ----

def in_the_way(tap, program, work):
    db, good = work.path("disc.db"), work.path("disc.out")
    shutil.rmtree(good)
    program.run("extract", "-d", good, db)
    victim = work.write("victim", b"precious")
    name = files_of(good)[0]
    sound = read(os.path.join(good, name))
    for what in ("differs", "longer", "link", "dangling link", "link to the same", "directory",
                 "pipe", "sidecar differs"):
        out = work.path("way-" + what.replace(" ", "-"))
        shutil.copytree(good, out)
        path = os.path.join(out, name + (".json" if what == "sidecar differs" else ""))
        os.unlink(path)
        if what in ("differs", "sidecar differs"):
            work.write(path, sound[:-1] + bytes([sound[-1] ^ 1]))
        elif what == "longer":
            work.write(path, sound + b"x")
        elif what == "directory":
            os.mkdir(path)
        elif what == "pipe":
            os.mkfifo(path)
        else:
            target = {"link": victim, "dangling link": work.path("nowhere"),
                      "link to the same": os.path.join(good, name)}[what]
            os.symlink(target, path)
        os.unlink(os.path.join(out, files_of(good)[1]))
        entry = os.lstat(path)
        result = program.run("extract", "-d", out, db)
        tap.ok(result.code == 3 and name in result.errors and "differs" in result.errors,
               "%s: told" % what, result)
        tap.ok("1 written, 2 there already, 1 not extracted" in result.text,
               "%s: the rest is done" % what, result)
        after = os.lstat(path)
        tap.equal((after.st_ino, after.st_mtime_ns, after.st_size),
                  (entry.st_ino, entry.st_mtime_ns, entry.st_size), "%s: left as it is" % what)
        tap.equal(sorted(set(os.listdir(out)) - set(os.listdir(good))), [], "%s: nothing besides" % what)
    tap.ok(read(victim) == b"precious" and not os.path.exists(work.path("nowhere")),
           "nothing outside is touched")
    result = program.run("extract", "-d", victim, db)
    tap.ok(result.code == 3 and "victim" in result.errors, "a file in place of the directory", result)
    result = program.run("extract", "-d", work.path("no/such"), db)
    tap.ok(result.code == 3 and "no/such" in result.errors, "a directory in none", result)


def cannot_write(tap, program, work):
    db = work.path("disc.db")
    out = work.path("limited.out")
    result = program.run("extract", "-d", out, db, fsize=200)
    tap.ok(result.code == 3 and "cannot be written" in result.errors, "files that may not grow", result)
    whole = {sha256(read(work.path(name))) for name in ("a.tod", "b.tod", "c.tod", "m.hmd")}
    tap.ok({sha256(read(os.path.join(out, name))) for name in files_of(out)} <= whole and
           not any(name.startswith(".") for name in os.listdir(out)),
           "only whole files are there", *os.listdir(out))
    with open("/dev/full", "wb") as full:
        result = program.run("extract", "-d", work.path("unseen.out"), db, stdout=full)
    tap.equal(result.code, 3, "output that nobody can read", result)
    problem = other_user_problem(program)
    if problem is not None:
        tap.skip("a read-only directory", problem)
        return
    folder = work.folder("read-only")
    os.chmod(folder, 0o555)
    os.chmod(db, 0o444)
    result = program.run("extract", "-d", folder, db, uid=NOBODY)
    tap.ok(result.code == 3 and "Permission denied" in result.errors and os.listdir(folder) == [],
           "a read-only directory", result)


# ---- sources that are not what they were ----

def changed_sources(tap, program, work):
    one, two, three = (tod(program, work, "s.tod", seed) for seed in (21, 22, 23))
    for name, data in (("src/1.tod", one), ("src/2.tod", two), ("src/3.tod", three)):
        work.write(name, data)
    db = scan(tap, program, work.path("src.db"), work.path("src"))
    for what in ("changed", "cut", "vanished", "directory", "pipe"):
        path = work.write("src/2.tod", two)
        if what == "changed":
            work.write("src/2.tod", two[:-8] + bytes([two[-8] ^ 1]) + two[-7:])
        elif what == "cut":
            work.write("src/2.tod", two[:-8])
        else:
            os.unlink(path)
            if what == "directory":
                os.mkdir(path)
            elif what == "pipe":
                os.mkfifo(path)
        out = work.path("src-%s.out" % what)
        result = program.run("extract", "-d", out, db, timeout=20)
        tap.ok(result.code == 3 and "2.tod" in result.errors and
               "2 written, 0 there already, 1 not extracted" in result.text, "%s: told" % what, result)
        tap.equal(sorted(sha256(read(os.path.join(out, f))) for f in files_of(out)),
                  sorted((sha256(one), sha256(three))), "%s: the others are there" % what)
        if what == "directory":
            os.rmdir(path)
        elif os.path.lexists(path):
            os.unlink(path)
    path = work.path("gone.zip")
    with zipfile.ZipFile(path, "w") as box:
        box.writestr("x/1.tod", one)
        box.writestr("x/2.tod", two)
    db = scan(tap, program, work.path("gone.db"), path)
    with zipfile.ZipFile(path, "w") as box:
        box.writestr("x/2.tod", two)
    result = program.run("extract", "-d", work.path("gone.out"), db)
    tap.ok(result.code == 3 and "x/1.tod" in result.errors and "1 written" in result.text,
           "a member that is gone", result)


def hostile_databases(tap, program, work):
    """Whatever a database says, names are safe and nothing is written outside."""
    source = work.write("box/in.tod", tod(program, work, "h.tod", 31))
    made = scan(tap, program, work.path("hostile.db"), source)
    out, outside = work.folder("box/out/deep"), set(os.listdir(work.path("box")))
    columns = ("format", "iso_path")
    texts = ("../../etc/x", "/etc/passwd", "a\nb\r\x1b[2J", "..", ".", "", "-rf", "x" * 4096,
             "\u202egnp.exe", "a/b", "nul\\con:*?", "%s%n", "'; DROP TABLE asset; --")
    for column in columns:
        for number, text in enumerate(texts):
            db = work.path("hostile-row.db")
            shutil.copy(made, db)
            change(db, "UPDATE asset SET %s = ?, iso_offset = 5" % column, text)
            result = program.run("extract", "-d", out, db)
            ok = all(NAME.fullmatch(name) and len(name) <= 120 for name in os.listdir(out))
            tap.ok(result.code == 0 and ok and len(files_of(out)) == 1 and
                   set(os.listdir(work.path("box"))) == outside and "\x1b" not in result.text,
                   "hostile %s %d" % (column, number), result, *os.listdir(out))
            for name in os.listdir(out):
                os.unlink(os.path.join(out, name))
    for text in texts:  # paths of sources: what is there has other bytes, or is no file
        db = work.path("hostile-row.db")
        shutil.copy(made, db)
        change(db, "UPDATE source SET path = ?", text)
        result = program.run("extract", "-d", out, db)
        tap.ok(result.code == 3 and os.listdir(out) == [] and "\x1b" not in result.errors,
               "hostile path %r" % text[:20], result)
    for sql in ("raw_offset = -5", "raw_offset = 9223372036854775807", "raw_offset = NULL",
                "length = 0", "length = -1", "length = 9223372036854775807", "length = NULL",
                "sha256 = NULL", "sha256 = 'zz'", "sha256 = '../../../x'", "length = 8388608",
                "sha256 = substr(sha256, 2) || 'g'", "pose_sha256 = 'x'"):
        db = work.path("hostile-row.db")
        shutil.copy(made, db)
        change(db, "UPDATE asset SET " + sql)
        result = program.run("extract", "-d", out, db, timeout=20)
        tap.ok(result.code == 3 and os.listdir(out) == [], "hostile %s" % sql, result)
    for path in ("/dev/zero", "/dev/stdin", "-"):
        change(db, "UPDATE asset SET raw_offset = 1 << 60, length = 4, pose_sha256 = NULL, "
                   "sha256 = ?", "0" * 64)
        change(db, "UPDATE source SET path = ?", path)
        result = program.run("extract", "-d", out, db, timeout=20)
        tap.ok(result.code == 3 and os.listdir(out) == [], "%s is not read" % path, result)
    overlapping(tap, program, work, made, source)


def overlapping(tap, program, work, made, source):
    """More bytes than are held at once, all of one place; and pieces that lie."""
    data = bytes(8 << 20)
    big = work.write("big.bin", data)
    db = work.path("overlap.db")
    shutil.copy(made, db)
    change(db, "UPDATE source SET path = ?", big)
    change(db, "UPDATE asset SET length = ?, raw_offset = 0, sha256 = ?", len(data), sha256(data))
    change(db, "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20) "
               "INSERT INTO asset SELECT i, source_id, format, grade, raw_offset, user_offset, "
               "length, lba, iso_path, iso_offset, ram_address, evidence_bits, frames, objects, "
               "sha256, pose_sha256 FROM asset, n")
    result = program.run("extract", "--dry-run", "-d", work.path("overlap.out"), db)
    tap.ok(result.code == 0 and "20 assets: 20 to write" in result.text, "20 on one place", result)
    change(db, "WITH RECURSIVE n(i) AS (SELECT 21 UNION ALL SELECT i + 1 FROM n WHERE i < 150) "
               "INSERT INTO asset SELECT i, source_id, format, grade, raw_offset, user_offset, "
               "length, lba, iso_path, iso_offset, ram_address, evidence_bits, frames, objects, "
               "sha256, pose_sha256 FROM asset, n WHERE asset.id = 1")
    result = program.run("extract", "--dry-run", "-d", work.path("overlap.out"), db)
    tap.ok(result.code == 4 and "128 to write, 0 there already, 22 not extracted" in result.text,
           "too many on one place", str(result)[-900:])
    for rows, why in ((((0, 0, 10),), "tile"), (((0, 0, 4), (8, 8, 4)), "tile"),
                      (((0, -4, 100),), "tile"), (((0, 0, 1 << 62), (1 << 62, 0, 1 << 62)), "tile")):
        shutil.copy(made, db)
        for row in rows:
            change(db, "INSERT INTO piece VALUES (1, ?, ?, ?)", *row)
        result = program.run("extract", "-d", work.path("tiles.out"), db)
        tap.ok(result.code == 3 and why in result.errors, "pieces %r" % (rows,), result)
    shutil.copy(made, db)
    change(db, "DROP VIEW v_duplicates")
    change(db, "ALTER TABLE finding RENAME TO f")
    change(db, "CREATE VIEW finding AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
               "n) SELECT i AS id, 1 AS source_id, 1 AS asset_id, 'X' AS code FROM n")
    for words in (("extract", "--dry-run", db), ("diff", made, db), ("diff", db, made)):
        result = program.run(*words, timeout=20)
        tap.ok(result.code == 3 and "tables" in result.errors, "a view without an end: " + words[0],
               result)
    endless(tap, program, work, made)


def endless(tap, program, work, made):
    """Pages that refer to each other so that 2 ** 18 times as many rows come out as there are."""
    for table in ("finding", "asset", "source", "coverage"):
        db = work.path("endless.db")
        shutil.copy(made, db)
        connection = sqlite3.connect(db)
        for index, in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND "
                                         "sql IS NOT NULL").fetchall():
            connection.execute("DROP INDEX " + index)  # or they are asked, and not the pages
        connection.commit()
        size, = connection.execute("PRAGMA page_size").fetchone()
        root, = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?",
                                   (table,)).fetchone()
        pages, = connection.execute("PRAGMA page_count").fetchone()
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET rootpage = ? WHERE name = ?", (pages + 1, table))
        connection.commit()
        connection.close()
        data = bytearray(read(db))
        for number in range(18):
            child = pages + 2 + number if number < 17 else root
            page = bytearray(size)
            page[:12] = struct.pack(">BHHHBI", 5, 0, 1, size - 5, 0, child)
            page[12:14] = struct.pack(">H", size - 5)
            page[size - 5:] = struct.pack(">IB", child, 1)
            data += page
        data[28:32] = struct.pack(">I", pages + 18)
        data[92:96] = data[24:28]
        with open(db, "wb") as file:
            file.write(data)
        for words in (("report", "--format", "csv", db), ("extract", "--dry-run", db),
                      ("diff", made, db), ("merge", "-o", work.path("endless.out"), db)):
            result = program.run(*words, timeout=60)
            tap.ok(result.code in (0, 2, 3), "%s without an end: %s" % (table, words[0]), result.errors)
            if words[0] == "report" and table in ("finding", "asset", "source"):
                tap.ok(result.code == 3 and "damaged" in result.errors,
                       "%s without an end is told" % table, result.errors)


# ---- the same motion ----

def same_motion(tap, program, work):
    """Two texts of one camera path, and a copy."""
    rand = random.Random(3)
    lf = camerawork(program, work, "lf.cam", rand, 20, encoding="bytes", eol="lf", form="e2")
    for name, data in (("mo/lf.cam", lf), ("mo/copy.cam", lf), ("mo/crlf.cam",
                                                             lf.replace(b"\n", b"\r\n"))):
        work.write(name, data)
    db = scan(tap, program, work.path("motion.db"), work.path("mo"))
    rows = query(db, "SELECT * FROM v_same_motion")
    tap.equal([(r["format"], r["versions"], r["assets"]) for r in rows], [("camerawork", 2, 3)],
              "one motion in two forms, three times")
    places = ["%s@0x00000000" % work.path("mo", name) for name in ("copy.cam", "crlf.cam", "lf.cam")]
    tap.equal(rows[0]["places"] if rows else "", ", ".join(places), "with all places")
    tap.equal(len(query(db, "SELECT * FROM v_duplicates")), 1, "and the copy is a duplicate")


# ---- differences ----

def diff(program, a, b, *options):
    result = program.run("diff", "-F", "json", *options, a, b)
    rows = json.loads(result.text)["changes"] if result.code in (0, 1) else []
    return result, [(r["change"], r["a_raw_offset"], r["b_raw_offset"], r["code"], r["a_value"],
                     r["b_value"]) for r in rows]


def differences(tap, program, work):
    small = [tod(program, work, "d.tod", seed) for seed in (41, 42, 43, 44)]
    gap = bytes(32)
    def database(name, *parts):
        path = work.write("d/x.bin", b"".join(parts))
        return scan(tap, program, work.path(name), path)
    first = database("d1.db", small[0], gap, small[1], gap, small[2])
    n = len(small[0])
    result, rows = diff(program, first, database("d2.db", small[0], gap, small[1], gap, small[2]))
    tap.equal((result.code, rows), (0, []), "the same bytes, scanned again", result)
    result, rows = diff(program, first, database("d3.db", small[0], gap, small[3], gap, small[2]))
    tap.equal(result.code, 1, "differences are told by the exit code", result)
    tap.equal(rows, [("bytes", n + 32, n + 32, None, sha256(small[1]), sha256(small[3])),
                     ("motion", n + 32, n + 32, None) + rows[1][4:]], "other bytes and motion", rows)
    result, rows = diff(program, first, database("d4.db", small[0], gap, small[2], gap, small[1]))
    tap.equal([r[:3] for r in rows], [("moved", n + 32, 2 * n + 64), ("moved", 2 * n + 64, n + 32)],
              "moved")
    result, rows = diff(program, first, database("d5.db", small[0], gap, small[1]))
    tap.equal([r[:3] for r in rows], [("vanished", 2 * n + 64, None)], "vanished")
    result, rows = diff(program, work.path("d5.db"), first)
    tap.equal([r[:3] for r in rows], [("appeared", None, 2 * n + 64)], "appeared")
    result, rows = diff(program, first, database("d6.db", small[0], small[0], gap, small[1]))
    tap.equal([r[:3] for r in rows], [("appeared", None, n), ("moved", n + 32, 2 * n + 32),
                                      ("vanished", 2 * n + 64, None)], "a copy is one more")
    edited = work.path("d7.db")
    shutil.copy(first, edited)
    change(edited, "UPDATE asset SET grade = 'references' WHERE id = 1")
    change(edited, "UPDATE asset SET pose_sha256 = NULL WHERE id = 2")
    change(edited, "INSERT INTO finding (source_id, asset_id, code, severity, message) VALUES "
                   "(1, 3, 'TOD0001', 'error', 'x'), (1, 3, 'TOD0001', 'error', 'y'), "
                   "(1, NULL, 'IMG0001', 'error', 'z')")
    result, rows = diff(program, first, edited)
    tap.equal([(r[0],) + r[3:] for r in rows],
              [("finding came", "IMG0001", "0", "1"), ("grade", None, "replayed", "references"),
               ("motion", None, rows[2][4], None), ("finding came", "TOD0001", "0", "2")],
              "grade, lost motion, findings", rows)
    result, rows = diff(program, edited, first)
    tap.equal(sorted(r[0] for r in rows), ["finding went", "finding went", "grade", "motion"],
              "and the other way about", rows)
    by_name(tap, program, work, first, small)
    formats(tap, program, work, first)


def by_name(tap, program, work, first, small):
    other = work.write("elsewhere/x.bin", read(work.path("d/x.bin")))
    work.write("d/x.bin", small[0] + bytes(32) + small[1] + bytes(32) + small[2])
    shutil.copy(work.path("d/x.bin"), other)
    db = scan(tap, program, work.path("d8.db"), other)
    result, rows = diff(program, first, db)
    tap.equal(sorted(r[0] for r in rows), ["appeared"] * 4 + ["vanished"] * 4,
              "another path is another source", result)
    result, rows = diff(program, first, db, "--match", "name")
    tap.equal((result.code, rows), (0, []), "but the same by name", result)


def formats(tap, program, work, first):
    hostile = work.path("d9.db")
    shutil.copy(first, hostile)
    change(hostile, "UPDATE source SET path = ?", "a\"b\n\x1b[2Jc,d")
    for form in ("text", "csv", "json"):
        result = program.run("diff", "--format", form, first, hostile)
        tap.ok(result.code == 1 and "\x1b" not in result.text and "\nc" not in result.text,
               "%s: a hostile path" % form, result)
        again = program.run("diff", "--format", form, first, hostile)
        tap.ok(again.out == result.out, "%s: the same each time" % form)
    import csv
    table = list(csv.DictReader(program.run("diff", "-F", "csv", first, hostile).text.splitlines()))
    tap.equal((len(table), {row["b_path"] for row in table}), (8, {"", "a\"b\\n\\x1b[2Jc,d"}),
              "csv is read back")
    for words in ((), (first,), (first, first, first), ("-F", "xml", first, first),
                  ("--match", "bytes", first, first), ("--bogus", first, first)):
        result = program.run("diff", *words)
        tap.equal((result.code, result.text), (2, ""), "usage: diff with %d words" % len(words), result)
    for a, b in ((first, work.path("missing.db")), (work.path("a.tod"), first),
                 (first, work.path("a.tod")), (work.name, first)):
        for form in ("text", "json", "csv"):
            result = program.run("diff", "-F", form, a, b)
            tap.equal((result.code, result.text), (3, ""), "diff of what is no database", result)
    newer = work.path("newer.db")
    shutil.copy(first, newer)
    change(newer, "PRAGMA user_version = 9")
    result = program.run("diff", first, newer)
    tap.ok(result.code == 3 and "newer" in result.errors, "a newer database", result)
    older = work.path("older.db")
    shutil.copy(first, older)
    for sql in ("DROP TABLE piece", "DROP VIEW v_same_motion", "PRAGMA user_version = 1"):
        change(older, sql)
    result = program.run("diff", older, first)
    tap.equal(result.code, 0, "a database of schema 1", result)


def main():
    tap, program, work = Tap(), Program(sys.argv), Workspace()
    for part in (files_and_discs, pieces, many, container_and_members, at_once, selection, in_the_way,
                 cannot_write, changed_sources, hostile_databases, same_motion, differences):
        part(tap, program, work)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
