"""Named troubles, with the real thing: a full disk, a locked database, sources that are cut, written
to or taken away while they are read, folders that vanish. Whatever happens is told, with what to do;
what was there before stays, and nothing is left half written.
"""
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time

from harness import (SLOWER, Program, Tap, Workspace, database_faults, query, read, small_tod,
                     source_codes)

LARGE = 192 << 20
SMALL_DISK = 160 << 10


def rows(db):
    return {r["path"]: (r["status"], r["size"]) for r in query(db, "SELECT * FROM source")}


# ---- a full disk ----

class Disk:
    """A file system of its own, with hardly any room; problem says why there is none."""

    def __init__(self, work):
        self.path = work.folder("disk")
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % SMALL_DISK, "none",
                               self.path], capture_output=True)
        self.problem = done.stderr.decode().strip() if done.returncode else None

    def fill(self, room):
        """Leaves so many pages."""
        file = os.open(self.path + "/filling", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        size = 0
        try:
            while True:
                size += os.write(file, bytes(4096))
        except OSError:
            pass
        os.ftruncate(file, size - 4096 * room)
        os.close(file)

    def close(self):
        if self.problem is None:
            subprocess.run(["umount", self.path], check=True)


def check_unrecorded(tap, program, work):
    """A database that cannot grow in the midst of a scan: how many sources it lacks is told, and
    with room the scan goes on. The limit of the system for files stands for the disk."""
    folder, db = work.folder("full"), work.path("half.db")
    for i in range(160):
        os.link(work.path("seed.tod"), folder + "/%03d.tod" % i)
    assert program.run("scan", "-j1", "-o", work.path("room.db"), folder).code == 0
    size = os.path.getsize(work.path("room.db"))
    result = program.run("scan", "-j1", "-o", db, folder, fsize=size * 3 // 4)
    told = re.search(rb"searched and are not recorded: (\d+) of (\d+);", result.err)
    tap.ok(result.code == 3 and told and b"scan --resume with the same sources" in result.err,
           "a database that cannot grow: how many sources are not recorded is told", result)
    lacking, searched = map(int, told.groups()) if told else (0, 0)
    tap.ok(0 < lacking < searched and ("%d sources" % searched).encode() in result.out,
           "they are some of those that the summary counts", result)
    tap.equal(len(rows(db)), searched - lacking, "the others are recorded")
    result = program.run("scan", "-j1", "--resume", "-o", db, folder)
    tap.ok(result.code == 0 and b"not recorded" not in result.err and rows(db) ==
           rows(work.path("room.db")), "with room --resume records all of them", result)


def check_full_disk(tap, program, work, folder):
    disk = Disk(work)
    if disk.problem:
        tap.skip("a full disk", "no file system can be mounted: " + disk.problem)
        return
    try:
        for room in (0, 1, 3, 12):
            check_room(tap, program, work, folder, disk, room)
    finally:
        disk.close()


def check_room(tap, program, work, folder, disk, room):
    """Every output goes to the disk, once as a new file and once over an old one."""
    db, at = work.path("whole.db"), disk.path
    commands = [
        ("scan", "scan", "-o", at + "/new", folder),
        ("report", "report", "-Fjson=" + at + "/new", db),
        ("check", "check", "-Fsarif=" + at + "/new", folder),
        ("a baseline", "check", "--write-baseline", at + "/new", folder),
        ("a lock", "check", "--write-expect", at + "/new", folder + "/00.tod"),
        ("replay", "replay", "-Fjson", "-o", at + "/new", folder + "/00.tod"),
        ("merge", "merge", "-o", at + "/new", work.path("shard1.db"), work.path("shard2.db")),
        ("extract", "extract", "-d", at + "/new", db),
        ("a cache", "check", "--cache", at + "/new", folder),
    ]
    for name, *args in commands:
        disk.fill(room)
        result = program.run(*args)
        left = sorted(os.listdir(at))
        title = "%s, %d pages left" % (name, room)
        if name == "a cache" or result.code in (0, 1):
            tap.ok(result.code in (0, 1), title + ": goes without", result)
        else:
            tap.ok(result.code == 3 and b"framehound: " in result.err and b"; " in result.err,
                   title + ": told", result)
            whole = [n for n in left if n != "filling"]
            if name == "scan" and whole:
                tap.equal(database_faults(at + "/new"), [], title + ": the database is sound")
                whole = []
            elif name == "extract" and whole:
                whole = check_extracted(at + "/new")
            tap.equal(whole, [], title + ": nothing is left half")
        for path in left:
            whole = os.path.join(at, path)
            shutil.rmtree(whole) if os.path.isdir(whole) else os.remove(whole)


def check_extracted(folder):
    """What is there without what belongs to it, or is not whole."""
    names = set(os.listdir(folder))
    alone = [name for name in names if name.endswith(".tod") and name + ".json" not in names]
    alone += [name for name in names if name.endswith(".json") and name[:-5] not in names]
    cut = [name for name in names if os.path.getsize(os.path.join(folder, name)) < 100]
    return sorted(alone + cut)


# ---- a locked database ----

def check_locked(tap, program, work, folder):
    db = work.path("whole.db")
    before = read(db)
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    for args in (("scan", "-o", db, folder), ("report", db), ("extract", "-d", work.path("x"), db),
                 ("replay", db + ":1"), ("diff", db, work.path("shard1.db")),
                 ("merge", "-o", work.path("m.db"), db)):
        result = program.run(*args, env={"FRAMEHOUND_BUSY_MS": "100"})
        tap.ok(result.code == 3 and b"is locked by another program" in result.err and
               b"wait until that has ended" in result.err, "locked: " + args[0], result)
        tap.ok(not os.path.exists(work.path("m.db")) and not os.path.exists(work.path("x")) or
               args[0] not in ("merge", "extract"), "and nothing is written")
    other.execute("ROLLBACK")
    other.close()
    tap.ok(read(db) == before, "the database is as it was")


# ---- what happens while a source is read ----

def position(process, path):
    """How far a running program has read a file, through any descriptor; 0 before."""
    base = "/proc/%d/" % process.pid
    most = 0
    try:
        for name in os.listdir(base + "fd"):
            if os.path.realpath(base + "fd/" + name) == path:
                with open(base + "fdinfo/" + name) as file:
                    most = max(most, int(file.readline().split()[1]))
    except (OSError, ValueError):
        pass
    return most


def during(program, path, action, *args):
    """Runs the program, stops it in the middle of path for the action, and lets it go on. The
    result, or None when it was too quick."""
    process = program.start(*args)
    is_held = hold(process, path)
    if is_held:
        action()
    if process.poll() is None:
        os.kill(process.pid, signal.SIGCONT)
    result = program.finish(process)
    return result if is_held else None


def hold(process, path):
    """Stops a program in the middle of path; False: it was too quick."""
    path = os.path.realpath(path)
    is_held = False
    end = time.monotonic() + 60 * SLOWER
    while process.poll() is None and time.monotonic() < end:
        if position(process, path) > 1 << 20:
            os.kill(process.pid, signal.SIGSTOP)
            is_held = position(process, path) < LARGE - (32 << 20)
            break
        time.sleep(0.0005)
    return is_held


def make_large(work, seed):
    path = work.write("large.bin", seed)
    os.truncate(path, LARGE)
    os.utime(path, (1000, 1000))
    return path


def scan_during(tap, program, work, name, action, *more):
    """Database and result; tries again while the machine is too quick."""
    db = work.path("during.db")
    for _ in range(5):
        if os.path.exists(db):
            os.remove(db)
        path = make_large(work, read(work.path("seed.tod")))
        result = during(program, path, lambda: action(path), "scan", "-j1", "-o", db, path, *more)
        if result is not None:
            return db, path, result
    tap.skip(name, "the program was done before it could be stopped")
    return None, None, None


def cut(path):
    os.truncate(path, LARGE // 2 - 512)


def grow(path):
    """As whoever writes a log does."""
    with open(path, "ab") as file:
        file.write(b"one more line\n")


def write(path):
    with open(path, "r+b") as file:
        file.seek(LARGE - 100)
        file.write(b"other bytes")


def touch(path):
    os.utime(path, (2000, 2000))


# (what happens, how, the rule, exit code, status of the source)
CHANGES = (("cut", cut, "RUN0007", 3, "partial"), ("written to", write, "RUN0024", 3, "partial"),
           ("touched", touch, "RUN0024", 3, "partial"), ("grown", grow, "RUN0025", 0, "complete"))
OF_CHANGES = ("RUN0007", "RUN0024", "RUN0025")


def check_sources(tap, program, work):
    for name, action, code, exit_code, status in CHANGES:
        db, path, result = scan_during(tap, program, work, name, action)
        if db is None:
            continue
        tap.ok(result.code == exit_code and code.encode() in result.out,
               "a source that is %s: told" % name, result)
        tap.equal(b"could not be read as a whole" in result.err, exit_code == 3,
                  "%s: and what it means" % name, result)
        tap.equal([c for c in source_codes(db, path) if c in OF_CHANGES], [code],
                  "%s: recorded, once" % name)
        tap.equal(rows(db)[path], (status, os.path.getsize(path)),
                  "%s: the source says whether it is complete" % name)
        tap.equal([r["length"] for r in query(db, "SELECT * FROM asset")],
                  [os.path.getsize(work.path("seed.tod"))], "%s: with what was found" % name)
        tap.equal(database_faults(db), [], "%s: in a sound database" % name)
        merged = work.path("merged.db")
        joined = program.run("merge", "-o", merged, db)
        tap.ok(joined.code == 0 and rows(merged) == rows(db), "%s: merge takes it as it is" % name,
               joined)
        os.remove(merged)
        resumed = program.run("scan", "-o", db, path)
        tap.ok(resumed.code == 0 and code not in source_codes(db, path) and
               rows(db)[path][0] == "complete", "%s: not when it keeps still" % name, resumed)


def check_tried_again(tap, program, work):
    """A source that was cut is none that is done: --resume searches it again."""
    db, path = work.path("again.db"), make_large(work, read(work.path("seed.tod")))
    process = program.start("scan", "-j1", "-o", db, work.path("seed.tod"), path, "-",
                            stdin=subprocess.PIPE)
    if not hold(process, path):
        process.kill()
        program.finish(process)
        tap.skip("a source is tried again", "the program was done before it could be stopped")
        return
    cut(path)
    os.kill(process.pid, signal.SIGCONT)
    for _ in range(1500 * SLOWER):  # until it is recorded; then standard input is waited for
        if os.path.exists(db) and os.path.getsize(db) and not os.path.exists(db + "-journal") and (
                path in rows(db)):
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate()
    tap.equal(rows(db).get(path, [None])[0], "partial", "the scan has recorded it and is broken off")
    tap.equal([row["path"] for row in query(db, "SELECT path FROM visit")], [work.path("seed.tod")],
              "what was not read as a whole is not done")
    result = program.run("scan", "--resume", "-o", db, work.path("seed.tod"), path, "-")
    tap.ok(result.code == 0 and rows(db)[path] == ("complete", os.path.getsize(path)) and
           "RUN0007" not in source_codes(db, path), "--resume searches it again", result)


def make_archive(work):
    """One with a large member, that lies in it as it is."""
    path = work.path("large.tar")
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as archive:
        member = tarfile.TarInfo("member.bin")
        member.size = LARGE - 10240
        archive.addfile(member)
    os.truncate(path, LARGE)
    os.utime(path, (1000, 1000))
    return path


def run_during(tap, program, make, name, action, *args):
    """args are made of the path; None while the machine is too quick."""
    for _ in range(5):
        path = make()
        result = during(program, path, lambda: action(path),
                        *[arg.replace("PATH", path) for arg in args])
        if result is not None:
            return path, result
    tap.skip(name, "the program was done before it could be stopped")
    return None, None


def check_archives(tap, program, work):
    """What lies in it is not to blame; the archive is not complete."""
    db = work.path("archive.db")
    for name, action, code, exit_code, status in CHANGES:
        if os.path.exists(db):
            os.remove(db)
        path, result = run_during(tap, program, lambda: make_archive(work), name + " archive",
                                  action, "scan", "-j1", "-o", db, "PATH")
        if path is None:
            continue
        tap.ok(result.code == exit_code and rows(db)[path][0] == status,
               "an archive that is %s" % name, result, rows(db))
        tap.equal([c for c in source_codes(db, path) if c in OF_CHANGES], [code],
                  "%s archive: recorded, once" % name)


def check_other_commands(tap, program, work):
    """Those that look at one place of a source say nothing of what was no state of it."""
    commands = (("why", "PATH@0x%x" % (LARGE // 4)), ("why", "PATH@0x%x" % (LARGE - 8192)),
                ("inspect", "PATH@0x%x" % (LARGE - 8192), "--as", "tod"),
                ("replay", "PATH@0x%x" % (LARGE - 8192)),
                ("where", "ARCHIVE!/member.bin", "raw:0x%x" % (LARGE // 4)),
                ("why", "ARCHIVE!/member.bin@0x%x" % (LARGE - (1 << 20))))
    for words in commands:
        is_archive = any("ARCHIVE" in word for word in words)
        args = [word.replace("ARCHIVE", "PATH") for word in words]
        for name, action, _, exit_code, _ in CHANGES:
            if action == write:
                continue  # known by the same time as one that was touched
            title = "%s of a source that is %s" % (" ".join(words), name)

            def make():
                return make_archive(work) if is_archive else make_large(work, b"")
            path, result = run_during(tap, program, make, title, action, *args)
            if path is None:
                continue
            is_refused = (result.code == 3 and b"while it was read; try again" in result.err and
                          not result.out)
            tap.ok(is_refused if exit_code == 3 else result.code in (0, 1), title, result)


def check_vanishing(tap, program, work):
    small = work.path("small.tod")

    def take_away(_):
        os.remove(small)

    shutil.copy(work.path("seed.tod"), small)
    db, _, result = scan_during(tap, program, work, "a source vanishes", take_away, small)
    if db is not None:
        tap.ok(result.code == 3 and b"cannot read " + small.encode() in result.err,
               "a source that is taken away is told", result)
        tap.equal(rows(db)[small][0], "unreadable", "and recorded")
        tap.equal(len(query(db, "SELECT * FROM asset")), 1, "beside what could be read")


def check_folders(tap, program, work):
    """The folder of the output goes while the input is read."""
    for name, args in (("a database", ("scan", "-j1", "-o")), ("a report", ("check", "-Fjson="))):
        result = None
        for _ in range(5):
            folder = work.folder("going")
            path = make_large(work, read(work.path("seed.tod")))
            out = folder + "/out"
            words = list(args[:-1]) + ([args[-1] + out] if args[-1].endswith("=") else
                                       [args[-1], out])
            result = during(program, path, lambda: shutil.rmtree(folder), *words, path)
            if result is not None:
                break
        if result is None:
            tap.skip("the folder of %s goes" % name, "the program was done before")
            continue
        tap.ok(result.code == 3 and out.encode() + b" " in result.err.replace(b":", b" ") and
               b"the folder" in result.err or b"its directory" in result.err,
               "the folder of %s goes: told" % name, result)
        tap.ok(not os.path.exists(folder), "and not made anew")


def check_pipes(tap, program, work):
    """What is no file is not waited for."""
    pipe, tod = work.path("pipe"), work.path("seed.tod")
    os.mkfifo(pipe)
    for args in (("--expect", pipe), ("--write-expect", pipe), ("--baseline", pipe),
                 ("--write-baseline", pipe), ("--config", pipe)):
        result = program.run("check", *args, tod, timeout=20)
        tap.ok(result.code in (2, 3) and pipe.encode() in result.err,
               "a pipe is no file for %s" % args[0], result)
    tap.ok(os.path.exists(pipe), "and stays")


def check_nothing(tap, program, work):
    """A name that was mistyped."""
    db = work.path("none.db")
    result = program.run("scan", "-o", db, work.path("no-such"), work.path("seed.tod/x"))
    tap.ok(result.code == 3 and b"no-such" in result.err and b"no database" in result.err,
           "of nothing at all no database is made", result)
    tap.ok(not os.path.exists(db), "there is none")
    result = program.run("scan", "-o", db, work.path("no-such"), work.path("seed.tod"))
    tap.equal(result.code, 3, "one that is there is scanned", result)
    tap.equal(sorted(row[0] for row in rows(db).values()), ["complete", "unreadable"],
              "and both are recorded")
    result = program.run("scan", "-o", db, work.path("no-such"))
    tap.equal((result.code, len(rows(db))), (3, 2), "in a database that is there, too", result)


def check_resume(tap, program, work):
    """What --resume goes on with is told, or why it does not."""
    db, tod = work.path("resumed.db"), work.path("seed.tod")

    def broken():
        connection = sqlite3.connect(db)
        connection.execute("UPDATE scan SET status = 'running'")
        connection.commit()
        connection.close()

    def resume(name, says, *args):
        result = program.run("scan", "--resume", "-o", db, *args, tod)
        tap.ok(result.code == 0 and says in result.err, "resume: " + name, result)

    resume("nothing was begun", b"no scan was broken off in ")
    resume("it was complete", b"came to its end; everything is searched anew")
    broken()
    resume("it was broken off", b"going on with the scan in ")
    broken()
    resume("with other options", b"had other options, or was another version", "--no-replay")


def check_resume_of_others(tap, program, work):
    """Who goes on with a scan names what it was asked for: else some of it would never be searched,
    and the scan be called complete."""
    db, first = work.path("asked.db"), work.path("seed.tod")
    second = program.forge("tod", small_tod(5, 2), work.path("second.tod"))
    process = program.start("scan", "-o", db, first, second, "-", stdin=subprocess.PIPE)
    for _ in range(500):
        if os.path.exists(db) and os.path.getsize(db) and not os.path.exists(db + "-journal"):
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate()
    tap.equal([row["path"] for row in query(db, "SELECT path FROM wanted ORDER BY n")],
              [first, second, "-"], "what a scan is asked for is noted until it is complete")
    before = read(db)

    def refused(title, says, *sources):
        result = program.run("scan", "--resume", "-o", db, *sources)
        tap.ok(result.code == 2 and b"was asked for other sources: its number " + says in result.err
               and not result.out, "resume: %s is refused" % title, result)
        tap.equal(read(db), before, "and nothing is done")

    refused("a list with less", b"3 was -, not none;", first, second)
    refused("with more", b"4 was none, not " + first.encode(), first, second, "-", first)
    refused("another order", b"1 was " + first.encode(), second, first, "-")
    refused("another spelling", b"1 was " + first.encode(), os.path.dirname(first) + "/./seed.tod",
            second, "-")
    result = program.run("scan", "--resume", "-o", db, first, second, "-")
    tap.ok(result.code == 0 and b"going on with the scan in " in result.err,
           "resume: the same list goes on", result)
    tap.equal([row["status"] for row in query(db, "SELECT status FROM scan")], ["complete"],
              "as one scan")
    tap.equal(query(db, "SELECT name FROM sqlite_schema WHERE name IN ('visit', 'wanted')"), [],
              "and what it was asked for is noted no more")


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        folder = work.folder("all")
        for i in range(12):
            program.forge("tod", small_tod(4 + i, i + 1), folder + "/%02d.tod" % i)
        program.forge("tod", small_tod(3, 1), work.path("seed.tod"))
        assert program.run("scan", "-o", work.path("whole.db"), folder).code == 0
        for i in ("1", "2"):
            program.run("scan", "--shard", i + "/2", "-o", work.path("shard%s.db" % i), folder)
        check_unrecorded(tap, program, work)
        check_full_disk(tap, program, work, folder)
        check_locked(tap, program, work, folder)
        check_sources(tap, program, work)
        check_tried_again(tap, program, work)
        check_archives(tap, program, work)
        check_other_commands(tap, program, work)
        check_vanishing(tap, program, work)
        check_folders(tap, program, work)
        check_pipes(tap, program, work)
        check_nothing(tap, program, work)
        check_resume(tap, program, work)
        check_resume_of_others(tap, program, work)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
