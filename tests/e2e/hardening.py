"""The program defends itself: what it gives up changes nothing that it finds, a process that dies
while it examines a candidate costs that candidate, and no name of a file gets anywhere but into
messages and records."""
import csv
import errno
import io
import json
import os
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import xml.etree.ElementTree
import zipfile

from harness import (SLOWER, WRAPPER, Program, Tap, Workspace, assets, corpus_path, database_faults,
                     dump, forge_hmd, limited, query, read, shared_folder, small_tod)

STOPS = os.environ.get("FRAMEHOUND_STOPS")  # tests/faults/stops.c
TRIED = struct.Struct("<2I")  # struct tried of stops.c: making a file, reading one

FORMS = ("text", "concise", "json", "jsonl", "csv", "sarif", "junit", "github", "gitlab", "dfxml",
         "html")
ANIMATION = ("tra\nmagic\nhead\nfigure 2\nbone hip\ntranslate.x 0 0 2 4\ntranslate.y 0 0 2 0\n"
             "translate.z 0 0 2 0\nbone leg\nroll 0 0 2 90\n")
MODEL = "bac\nmagic\nhead\nfigure\nbone hip 0\nbone leg 1 0 10 0 0 10 1 1 10 0\n"
ESCAPE = b"\x1b[31m\x1b]0;title\x07"
NAMES = (b"$(touch run-by-shell)", b"`touch run-by-shell`", b"a;touch run-by-shell;", b"a|touch b",
         b"%n%n%s%s%n%d", b"%1$n%2$s", b"'; DROP TABLE asset; --", b'" OR 1=1 --', b"-o", b"--help",
         b"two\nlines", b"three\r\nlines", ESCAPE, b"\xff\xfe not text \x80", b"<a href='x'>&amp;]]>",
         b"::error file=x::message", b"a,b;c\td", b"..", b"=cmd()", b"{\"a\": 1}", b"long" * 55)
MEMBERS = ("../../../../evil.tod", "/tmp/framehound-evil/evil.tod", "a/../../evil.tod",
           "..\\..\\evil.tod", "C:\\evil.tod", "//server/evil.tod", "%n%s.tod", "$(touch m).tod",
           "'; DROP TABLE source; --.tod", "two\nlines.tod", "\x1b[31m.tod", "./-o")


def forged(program, work, seed, frames=6):
    return read(program.forge("tod", small_tod(frames, seed), work.path("forged.tod")))


# ---- what is given up ----

def kinds(program, work):
    """A folder with a source of each kind that the program opens in its own way."""
    folder = work.folder("kinds")
    tods = [forged(program, work, seed) for seed in range(1, 7)]
    work.write("kinds/plain.tod", tods[0])
    with zipfile.ZipFile(work.path("kinds", "packed.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("caf\u00e9.tod", tods[1])
        archive.writestr("in/folder.tod", tods[2])
    for mode in ("gz", "xz", "bz2"):
        with tarfile.open(work.path("kinds", "packed.tar." + mode), "w:" + mode) as archive:
            member = tarfile.TarInfo("walk-%s.tod" % mode)
            member.size = len(tods[3])
            archive.addfile(member, io.BytesIO(tods[3]))
    root = work.folder("root")
    work.write("root/walk.tod", tods[4])
    work.write("root/turn.tod", tods[5])
    forge_hmd(program, "good-animation", work.path("root", "dance.hmd"))
    demo = os.path.join(os.path.dirname(corpus_path()), "docs", "demo", "disc.forge")
    program.forge("image", read(demo).decode(), work.path("kinds", "disc.bin"), root)
    elsewhere = work.write("elsewhere/track.bin", b"".join(
        bytes([0] + [255] * 10 + [0]) + bytes([0, 2, i, 1]) + (tods[5] * 20)[:2048] + bytes(288)
        for i in range(4)))
    os.symlink(elsewhere, work.path("kinds", "track.bin"))
    work.write("kinds/linked.cue",
               b'FILE "track.bin" BINARY\n  TRACK 01 MODE1/2352\n    INDEX 01 00:00:00\n')
    return folder


def scan(program, db, *args, **how):
    return program.run("scan", "-o", db, *args, **how)


def same_with_and_without(tap, program, work):
    folder = kinds(program, work)
    sources = [folder]
    shared = shared_folder()
    if shared is None:
        tap.skip("the real files with and without", "no folder of real files (FRAMEHOUND_SHARED)")
    else:
        sources.append(os.path.join(shared, "samples"))
    seen = {}
    for name, options in (("off", ("--sandbox", "off", "--worker", "off")),
                          ("sandbox", ("--sandbox", "on", "--worker", "off")),
                          ("both", ("--sandbox", "on", "--worker", "on")),
                          ("jobs", ("--sandbox", "on", "--worker", "on", "-j", "3"))):
        db = work.path(name + ".db")
        result = scan(program, db, *options, *sources)
        seen[name] = (result.code, result.text, result.errors, dump(db))
    found = len(seen["off"][3]["asset"])
    tap.ok(found > 6, "there are assets to be found", found, seen["off"][2])
    for name in ("sandbox", "both", "jobs"):
        for part, what in enumerate(("exit code", "output", "messages", "database")):
            tap.equal(seen[name][part], seen["off"][part], "%s: the same %s" % (name, what))
    data = read(os.path.join(folder, "plain.tod"))
    one = [scan(program, work.path("pipe.db"), *options, "-", data=data).text
           for options in (("--sandbox", "off", "--worker", "off"), ())]
    tap.ok("replayed" in one[0] and one[0] == one[1], "standard input as well", one)
    return work.path("off.db")


def other_commands(tap, program, work, db):
    folder = work.path("kinds")
    first = assets(db)[0]
    commands = [("check", folder), ("report", "--format", "json", db), ("diff", db, db),
                ("where", os.path.join(folder, "disc.bin"), "raw:0"),
                ("why", os.path.join(folder, "plain.tod") + "@raw:0"),
                ("replay", "%s:%d" % (db, first["id"])),
                ("replay", os.path.join(folder, "plain.tod")),
                ("inspect", "%s:%d" % (db, first["id"])),
                ("inspect", os.path.join(folder, "plain.tod"))]
    for words in commands:
        results = [program.run(words[0], "--sandbox", mode, *words[1:]) for mode in ("off", "on")]
        tap.ok(results[0].code in (0, 1) and results[0].code == results[1].code and
               results[0].out == results[1].out and results[0].err == results[1].err,
               "%s does the same in the sandbox" % words[0], *results)
    for mode in ("off", "on"):
        out = work.path("extracted-" + mode)
        program.run("extract", "--sandbox", mode, "-d", out, db)
        program.run("merge", "--sandbox", mode, "-o", work.path("merged-%s.db" % mode), db)
    lists = [sorted(os.listdir(work.path("extracted-" + mode))) for mode in ("off", "on")]
    tap.ok(lists[0] == lists[1] and len(lists[0]) > 6, "extract does the same", *lists)
    tap.equal(dump(work.path("merged-off.db")), dump(work.path("merged-on.db")), "so does merge")


def the_option(tap, program, work):
    version = program.run("--version").text
    line = [line for line in version.splitlines() if line.startswith("sandbox: ")]
    tap.equal(len(line), 1, "--version says what there is", version)
    has_all = bool(re.search(r"Landlock ABI \d+, seccomp \(", line[0] if line else ""))
    tod = work.path("kinds", "plain.tod")
    for words in (("check", tod), ("scan", "-o", work.path("r.db"), tod), ("where", tod, "raw:0")):
        result = program.run(words[0], "--sandbox", "require", *words[1:])
        tap.ok(result.code == (0 if has_all else 2) and (has_all or "require" in result.errors),
               "%s --sandbox require" % words[0], line, result)
        result = program.run(words[0], "--sandbox=no", *words[1:])
        tap.ok(result.code == 2 and "on, off or require" in result.errors,
               "%s: another value is refused" % words[0], result)
    for words, what in ((("--worker", "maybe"), "on or off"), (("--time-limit", "0"), "from 1"),
                        (("--time-limit", "86401"), "86400"), (("--max-memory", "0"), "MiB"),
                        (("--max-memory", "4096"), "4095"), (("--max-memory", "x"), "MiB")):
        result = scan(program, work.path("r.db"), *words, tod)
        tap.ok(result.code == 2 and what in result.errors, "%s is refused" % " ".join(words), result)
    db = work.path("little.db")
    result = scan(program, db, "--max-memory", "8", tod)
    rows = query(db, "SELECT code, raw_offset, asset_id FROM finding")
    tap.ok(result.code == 4 and not assets(db) and
           rows and rows[0] == {"code": "RUN0032", "raw_offset": 0, "asset_id": None},
           "what needs more than --max-memory is a finding", result, rows)
    tap.equal(query(db, "SELECT status FROM source")[0]["status"], "limit", "of a source with limit")
    result = scan(program, db, "--max-memory", "9", tod)
    tap.ok(result.code == 0 and len(assets(db)) == 1, "with enough it is an asset", result)


# ---- a running command behind its walls ----

class Outside:
    """A folder that no command is told of. Folders for temporary files, which all may write to, are
    somewhere else."""

    def __init__(self, program, work):
        for base in ("/dev/shm", os.getcwd()):
            if os.access(base, os.W_OK):
                break
        self.path = tempfile.mkdtemp(prefix="framehound-outside-", dir=base)
        self.made = os.path.join(self.path, "made")
        self.secret = os.path.join(self.path, "secret.tod")
        with open(self.secret, "wb") as file:
            file.write(forged(program, work, 77))
        self.log = work.write("walls.log", bytes(TRIED.size))

    def env(self, name):
        return {"LD_PRELOAD": os.path.abspath(STOPS), "STOPS_AT": name, "STOPS_MAKES": self.made,
                "STOPS_READS": self.secret, "STOPS_LOG": self.log,
                "FRAMEHOUND_SANDBOX": "",  # no choice: the default
                "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}


def given_up(pid):
    """(NoNewPrivs, Seccomp) of the threads of a process and of those that it has started."""
    seen = set()
    for task in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/status" % (pid, task), encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file.read().splitlines())
        seen.add((int(fields["NoNewPrivs"]), int(fields["Seccomp"])))
    for child in descendants(pid):
        try:
            seen |= given_up(child)
        except OSError:
            pass  # it has ended
    return seen


def settled(pid):
    """The same, once the processes that a stopped one has started have raised their own walls: those
    of cells are started before the command's, and go on."""
    for _ in range(1000):
        seen = given_up(pid)
        if len(seen) == 1:
            break
        time.sleep(0.01)
    return seen


def stops_of(program, outside, name, args, at_stop=lambda number: None):
    """What a command has given up, and what it could do, each time that it was about to open a file
    of this name: a list of (given_up, makes, reads); and its result."""
    process = program.start(*args, env=outside.env(name))
    seen = []
    while True:
        state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if state.si_code != os.CLD_STOPPED:
            break
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOHANG)
        seen.append((settled(process.pid), *TRIED.unpack(read(outside.log))))
        at_stop(len(seen))
        os.kill(process.pid, signal.SIGCONT)
    return seen, program.finish(process)


def walled_commands(work):
    """(words, file before whose opening it is looked, whether any file may be read) of every
    command that reads what is not to be trusted."""
    tod, db, out = work.path("walls/one.tod"), work.path("walls/one.db"), work.path("walls/out")
    packed = work.path("walls/one.zip")
    return [(["scan", "-j1", "-o", out + "/new.db", tod], "one.tod", None),
            (["check", tod], "one.tod", True),
            (["reduce", work.path("walls/bad.tod"), "--code", "TOD0022", "-o", out + "/small.tod"],
             "bad.tod", False),
            (["replay", tod], "one.tod", False),
            (["replay", tod + "@0"], "one.tod", False),
            (["replay", packed + "!/one.tod@0"], "one.zip", False),
            (["replay", db + ":1"], "one.db", True),
            (["replay", db + ":1"], "one.tod", True),
            (["inspect", tod], "one.tod", False),
            (["inspect", tod + "@0"], "one.tod", False),
            (["inspect", packed + "!/one.tod@0"], "one.zip", False),
            (["inspect", db + ":1"], "one.db", True),
            (["why", tod + "@0"], "one.tod", False),
            (["why", packed + "!/one.tod@0"], "one.zip", False),
            (["where", tod, "raw:0"], "one.tod", False),
            (["where", packed + "!/one.tod", "raw:0"], "one.zip", False),
            (["report", db], "one.db", False),
            (["report", "-Fhtml=" + out + "/page.html", db], "one.db", True),
            (["report", "-Fhtml=" + out + "/page.html", db], "one.tod", True),
            (["extract", "-d", out + "/files", db], "one.db", True),
            (["extract", "-d", out + "/more", db], "one.tod", True),
            (["query", "-d", db, "sources"], "one.db", False),
            (["diff", db, work.path("walls/two.db")], "two.db", False),
            (["merge", "-o", out + "/merged.db", db], "one.db", False)]


def walls_of_commands(tap, program, work, outside):
    """While a command works on what is hostile, it is inside; and --sandbox require says so."""
    version = program.run("--version").text
    has_files, has_filter = "Landlock ABI" in version, "seccomp (" in version
    denied = errno.EACCES if has_files else 0
    for words, name, reads_all in walled_commands(work):
        title = "%s, before it opens %s" % (words[0], name)
        seen, result = stops_of(program, outside, name, words)
        tap.ok(seen and result.code in (0, 1), title + ": it was looked at", result)
        states = set().union(*(state for state, _, _ in seen))
        tap.ok(all(privileges == 1 for privileges, _ in states) or not (has_files or has_filter),
               title + ": no new privileges", states)
        tap.ok(all(calls == 2 for _, calls in states) or not has_filter,
               title + ": a filter of system calls", states)
        tap.equal({makes for _, makes, _ in seen}, {denied}, title + ": nothing is made elsewhere")
        if reads_all is not None:
            tap.equal({reads for _, _, reads in seen}, {0 if reads_all else denied},
                      title + ": what may be read")
            continue
        reads = [reads for _, _, reads in seen]
        tap.ok(reads == sorted(reads) and reads[-1:] == [denied],
               title + ": sources alone are read once it has looked", reads)
    for words, name, _ in walled_commands(work):
        shutil.rmtree(work.path("walls/out"))
        work.folder("walls/out")
        result = program.run(words[0], "--sandbox", "require", *words[1:])
        has_all = has_files and has_filter
        is_good = result.code in (0, 1)
        is_refused = result.code == 2 and "require" in result.errors
        tap.ok(is_good if has_all else is_refused, "%s --sandbox require, with %s" % (
            words[0], name), result)


def link_outside(tap, program, work, outside):
    """A file that becomes a link when the scan has looked at it, out of all that it was told of."""
    found = {}
    for mode in ("off", "on"):
        folder = work.folder("moving-" + mode)
        work.write("moving-%s/a.tod" % mode, forged(program, work, 5))
        path = work.write("moving-%s/b.tod" % mode, forged(program, work, 6))

        def swap(number, path=path):
            if number == 2:
                os.remove(path)
                os.symlink(outside.secret, path)
        db = work.path("moving-%s.db" % mode)
        seen, result = stops_of(program, outside, "b.tod", ["scan", "-j1", "--sandbox", mode, "-o",
                                                           db, folder], swap)
        status = {os.path.basename(row["path"]): row["status"]
                  for row in query(db, "SELECT path, status FROM source")}
        found[mode] = (result.code, status.get("b.tod"), len(assets(db)))
        tap.ok(len(seen) > 1, "%s: the file was looked at before" % mode, seen, result)
    tap.equal(found["off"], (0, "complete", 2), "without walls the link would be followed")
    has_files = "Landlock ABI" in program.run("--version").text
    tap.equal(found["on"], (3, "unreadable", 1) if has_files else found["off"],
              "the scan does not follow it")


def what_is_named(tap, program, work, outside):
    """Where nothing but what was named may be read: a member of a container, what lies beside a file,
    and what options name. Elsewhere than in the folders for temporary files, which all may read."""
    def put(name, data):
        path = os.path.join(outside.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path
    tods = [put(name, forged(program, work, 30 + i)) for i, name in
            enumerate(("near/a.tod", "far/first.tod"))]
    for name in ("near/a.zip", "near/b@0.zip"):
        with zipfile.ZipFile(os.path.join(outside.path, name), "w") as archive:
            archive.write(tods[0], "in/a.tod")
    inner = put("near/outer/in.zip", read(os.path.join(outside.path, "near/a.zip")))
    with zipfile.ZipFile(os.path.join(outside.path, "near/outer.zip"), "w") as archive:
        archive.write(inner, "in.zip")
    tra = program.forge("tra", ANIMATION, put("near/walk.tra", b""))
    program.forge("bac", MODEL, put("near/walk.bac", b""))
    model = program.forge("bac", MODEL.replace("leg", "Leg"), put("far/other.bac", b""))
    junk = put("far/junk.tmd", b"no models")
    sources = [tods[0], os.path.join(outside.path, "near/a.zip!/in/a.tod"),
               os.path.join(outside.path, "near/b@0.zip!/in/a.tod"),
               os.path.join(outside.path, "near/outer.zip!/in.zip!/in/a.tod")]
    commands = [(words[0], *[source + word if word[:1] == "@" else word for word in words[1:]])
                for source in sources
                for words in (("why", "@0"), ("inspect", "@0"), ("replay", "@0"))]
    commands += [("where", source, "raw:0") for source in sources]
    commands += [("replay", tods[0]), ("inspect", tods[0]),
                 ("replay", "--after", tods[1], tods[0]), ("replay", tra),
                 ("replay", "--bac", model, tra),
                 ("replay", "-o", work.path("x.glb"), "--tmd", junk, tods[0])]
    for words in commands:
        for cwd in (None, os.path.join(outside.path, "near")):
            args = [word.replace(outside.path + "/near/", "") for word in words] if cwd else words
            bare, walled = (program.run(args[0], "--sandbox", mode, *args[1:], cwd=cwd)
                            for mode in ("off", "on"))
            tap.ok((walled.code, walled.out, walled.err) == (bare.code, bare.out, bare.err) and
                   bare.code in (0, 1), "%s: what is named can be read" % " ".join(args), bare, walled)


def walls(tap, program, work):
    if not STOPS or WRAPPER:
        tap.skip("what a running command has given up",
                 "no shared object that stops it (FRAMEHOUND_STOPS), or a wrapper around it")
        return
    good = work.write("walls/one.tod", forged(program, work, 4))
    work.write("walls/bad.tod", read(good)[:-4])
    with zipfile.ZipFile(work.path("walls", "one.zip"), "w") as archive:
        archive.write(good, "one.tod")
    work.folder("walls/out")
    for name in ("one", "two"):
        scan(program, work.path("walls", name + ".db"), good)
    outside = Outside(program, work)
    try:
        limited(300 * SLOWER, walls_of_commands, tap, program, work, outside)
        limited(60 * SLOWER, link_outside, tap, program, work, outside)
        limited(60 * SLOWER, what_is_named, tap, program, work, outside)
    finally:
        shutil.rmtree(outside.path)


def sanitizers_are_heard(tap, program, work):
    """What a sanitizer says counts, also where the program cannot open the file to say it in."""
    if not STOPS or "looks for leaks" not in program.run("--version").text:
        tap.skip("what a sanitizer finds", "this build has no sanitizer, or there is nothing that "
                 "loses memory (FRAMEHOUND_STOPS)")
        return
    tod = work.write("heard/one.tod", forged(program, work, 8))
    # Below a file nothing can be made, and a sanitizer makes the folders that it needs.
    for path in ("stderr", tod + "/report"):
        log = ":log_path=" + path  # of whichever sanitizer is asked last
        env = {"LD_PRELOAD": os.path.abspath(STOPS), "UBSAN_OPTIONS": log[1:],
               "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=1" + log}
        tap.equal(program.run("check", tod, env=env).code, 0, "a sound run")
        result = program.run("check", tod, env={**env, "STOPS_LEAKS": "1"})
        tap.ok(program.unsound and program.unsound[-1] is result,
               "memory that is lost is noticed, said to " + path, result)
        program.unsound = program.unsound[:-1]


# ---- cells that are killed from outside ----

def descendants(pid):
    found = []
    try:
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, task), encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:
        pass
    return found


def kill_cells(process, done, killed):
    """Each cell once, some time after it was met."""
    while not done.is_set():
        for nursery in descendants(process.pid):
            for cell in descendants(nursery):
                time.sleep(0.003 * (len(killed) % 4))
                try:
                    os.kill(cell, signal.SIGKILL)
                    killed.append(cell)
                except OSError:
                    pass
        time.sleep(0.01)


def lost_in(db, path, code="RUN0030"):
    """Where candidates are told to be lost, and of how many more it is told."""
    rows = query(db, "SELECT raw_offset, message FROM finding JOIN source ON source.id = source_id "
                     "WHERE code = ? AND path = ?", code, path)
    more = [int(re.search(r"is (\d+), not listed", row["message"]).group(1))
            for row in rows if "not listed" in row["message"]]
    return {row["raw_offset"] for row in rows if "not listed" not in row["message"]}, sum(more)


def cells_are_killed(tap, program, work):
    if not os.path.exists("/proc/self/task/%d/children" % os.getpid()):
        tap.skip("cells killed while they work", "the system does not list children")
        return
    tods = [forged(program, work, seed, 200 + seed) for seed in range(40)]
    sources = [work.write(name, b"".join(tod + bytes(64) for tod in tods) * 8)
               for name in ("many.bin", "more.bin")]
    whole = work.path("whole.db")
    scan(program, whole, sources[0])
    expected = {row["raw_offset"]: row["sha256"] for row in assets(whole)}
    for jobs in ("1", "2"):
        db = work.path("killed-%s.db" % jobs)
        process = program.start("scan", "-j", jobs, "-o", db, *sources)
        done, killed = threading.Event(), []
        killer = threading.Thread(target=kill_cells, args=(process, done, killed))
        killer.start()
        result = program.finish(process)
        done.set()
        killer.join()
        tap.ok(result.code in (0, 4), "the scan goes on to its end", result)
        tap.equal(database_faults(db), [], "the database is sound")
        for path in sources:
            found = {row["raw_offset"]: row["sha256"] for row in assets(db) if row["path"] == path}
            missing = set(expected) - set(found)
            told, more = lost_in(db, path)
            tap.ok(told <= missing and len(told) + more == len(missing),
                   "-j%s: what is missing is told, and nothing else is missing" % jobs,
                   len(missing), sorted(told), more, len(killed), result)
            tap.ok(all(expected.get(at) == sha for at, sha in found.items()), "what is found is right")
        tap.note("%d cells were killed" % len(killed))


def a_cell_of(process):
    """The first cell of a scan, when there is one."""
    for _ in range(3000 * SLOWER):
        cells = [cell for nursery in descendants(process.pid) for cell in descendants(nursery)]
        if cells:
            return cells[0]
        time.sleep(0.01)
    raise RuntimeError("the scan starts no cell")


def cells_that_hang(tap, program, work):
    """A cell is stopped while a part of a source is still to come: the next candidate that it gets
    is not done in --time-limit seconds. With a longer one it only has to wait."""
    if not os.path.exists("/proc/self/task/%d/children" % os.getpid()):
        tap.skip("cells that hang", "the system does not list children")
        return
    tods = b"".join(forged(program, work, seed, 40) + bytes(64) for seed in range(20))
    first = tods + bytes(4 << 20)  # what is read ahead is less
    whole = work.path("unhindered.db")
    scan(program, whole, "-", data=first + tods)
    expected = {row["raw_offset"] for row in assets(whole)}
    for seconds, wait in (("1", None), ("60", 2.5)):
        db = work.path("hung-%s.db" % seconds)
        process = program.start("scan", "-j1", "--time-limit", seconds, "-o", db, "-",
                                stdin=subprocess.PIPE)
        process.stdin.write(first)
        process.stdin.flush()
        cell = a_cell_of(process)
        os.kill(cell, signal.SIGSTOP)
        if wait is not None:
            threading.Timer(wait, os.kill, (cell, signal.SIGCONT)).start()
        result = program.finish(process, tods)
        lost, more = lost_in(db, "-", "RUN0031")
        rows = query(db, "SELECT found FROM finding WHERE code = 'RUN0031'")
        found = {row["raw_offset"] for row in assets(db)}
        tap.ok(found | lost == expected and not found & lost and more == 0,
               "--time-limit %s: each candidate is an asset or told to be lost" % seconds,
               len(found), sorted(lost), more, len(expected))
        tap.ok((result.code, bool(lost)) == ((0, False) if wait else (4, True)),
               "--time-limit %s: a cell that hangs is %swaited for" % (
                   seconds, "" if wait else "not "), result, sorted(lost))
        tap.ok(all(row["found"] is None or seconds + " s" in row["found"] for row in rows),
               "--time-limit %s: and how long it had is told" % seconds, rows)


# ---- hostile names ----

def hostile(program, work):
    """A folder of files and archives with names that want to be more than names."""
    folder = work.folder("hostile")
    tod = forged(program, work, 9)
    for i, name in enumerate(NAMES):
        place = os.path.join(os.fsencode(folder), b"%d" % i)
        os.mkdir(place)
        for ending in (b"", b".tod", b".hmd"):
            if name not in (b"..",) or ending:
                with open(os.path.join(place, name + ending), "wb") as file:
                    file.write(tod)
    with zipfile.ZipFile(os.path.join(folder, "evil.zip"), "w") as archive:
        for name in MEMBERS:
            archive.writestr(name, tod)
    with tarfile.open(os.path.join(folder, "evil.tar"), "w") as archive:
        for name in MEMBERS:
            member = tarfile.TarInfo(name)
            member.size = len(tod)
            archive.addfile(member, io.BytesIO(tod))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        archive.addfile(link)
        behind = tarfile.TarInfo("link/evil.tod")
        behind.size = len(tod)
        archive.addfile(behind, io.BytesIO(tod))
    return folder


def state_of(folder, without):
    """Every name below the folder, with the bytes of files."""
    seen = {}
    for at, folders, files in os.walk(os.fsencode(folder)):
        folders[:] = [name for name in folders
                      if os.path.join(at, name) not in map(os.fsencode, without)]
        for name in files:
            path = os.path.join(at, name)
            seen[path] = None if os.path.islink(path) else read(path)
        seen.update((os.path.join(at, name), b"") for name in folders)
    return seen


def is_clean(text):
    """No byte that a terminal acts upon, but ends of lines and tabs."""
    return not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)


def well_formed(form, out):
    if form in ("json", "sarif", "gitlab"):
        json.loads(out)
    elif form == "jsonl":
        for line in out.splitlines():
            json.loads(line)
    elif form in ("junit", "dfxml"):
        xml.etree.ElementTree.fromstring(out)
    elif form == "csv":
        rows = list(csv.reader(io.StringIO(out.decode("utf-8", "surrogateescape"), newline="")))
        assert len({len(row) for row in rows if row}) >= 1
    return True


def names_are_names(tap, program, work):
    folder = hostile(program, work)
    outputs = work.folder("outputs")
    here = work.folder("here")
    before = state_of(work.name, [outputs])
    db = os.path.join(outputs, "scan.db")
    result = scan(program, db, folder, cwd=here)
    tap.ok(result.code == 0 and is_clean(result.out) and is_clean(result.err), "scan", result)
    num = len(assets(db))
    expected = 3 * len(NAMES) - 1 + 2 * len(MEMBERS) + 1
    tap.ok(num >= expected - 4, "all of them are found", num, expected)
    tap.equal(database_faults(db), [], "the database is sound")
    for form in FORMS:
        for command, args in (("report", [db]), ("check", [folder])):
            result = program.run(command, "--format", form, *args, cwd=here)
            if result.code == 2 and command == "report":
                tap.note("report has no form %s" % form)
                continue
            try:
                is_ok = well_formed(form, result.out)
            except (ValueError, AssertionError, xml.etree.ElementTree.ParseError) as error:
                is_ok = tap.note(error)
            tap.ok(result.code in (0, 1) and is_ok and is_clean(result.out) and
                   is_clean(result.err), "%s as %s" % (command, form), result)
    out = os.path.join(outputs, "extracted")
    result = program.run("extract", "-d", out, db, cwd=here)
    names = os.listdir(os.fsencode(out))
    tap.ok(result.code in (0, 3) and len(names) >= num, "extract", result, len(names))
    tap.ok(all(re.fullmatch(rb"[A-Za-z0-9._-]+", name) for name in names),
           "what is extracted has plain names", [n for n in names if not n.isascii()][:5], names[:5])
    tap.ok(not any(os.path.islink(os.path.join(out, os.fsdecode(name))) for name in names),
           "and is no link")
    merged = os.path.join(outputs, "merged.db")
    result = program.run("merge", "-o", merged, db, cwd=here)
    tap.ok(result.code == 0 and database_faults(merged) == [], "merge", result)
    tap.equal(len(assets(merged)), num, "nothing is lost")
    result = program.run("diff", db, merged, cwd=here)
    tap.ok(result.code in (0, 1) and is_clean(result.out), "diff", result)
    for row in assets(db)[:: max(1, num // 12)]:
        result = program.run("replay", "%s:%d" % (db, row["id"]), cwd=here)
        tap.ok(result.code in (0, 1) and is_clean(result.out) and is_clean(result.err),
               "replay of asset %d" % row["id"], result)
    after = state_of(work.name, [outputs])
    tap.ok(after == before, "nothing was made, changed or removed outside of the outputs",
           sorted(set(after) ^ set(before)))
    tap.ok(not os.path.exists("/tmp/framehound-evil"), "nor where a member's name says")


def hostile_database(tap, program, work):
    """A database whose texts were made up by somebody else."""
    tod = work.write("own.tod", forged(program, work, 3))
    db = work.path("made-up.db")
    scan(program, db, tod)
    connection = sqlite3.connect(db)
    connection.execute("UPDATE source SET path = ?", ("../../'; DROP TABLE asset; --%n%s\n\x1b[31m",))
    connection.execute("UPDATE finding SET message = ?", ("%n%s$(touch x)\x1b[31m\n",))
    connection.commit()
    connection.close()
    before = state_of(work.name, [])
    for words in [("report", "--format", form) for form in FORMS] + [("extract", "-d",
                                                                      work.path("none"), "--dry-run")]:
        result = program.run(*words, db)
        tap.ok(result.code in (0, 1, 2, 3, 4) and is_clean(result.out) and is_clean(result.err),
               "%s of it" % " ".join(words[:3]), result)
    result = program.run("replay", db + ":1")
    tap.ok(result.code == 3 and is_clean(result.err), "replay: there is no such source", result)
    tap.ok(state_of(work.name, []) == before, "and nothing else is touched")
    tap.equal(len(assets(db)), 1, "the asset is there")


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        db = same_with_and_without(tap, program, work)
        other_commands(tap, program, work, db)
        the_option(tap, program, work)
        walls(tap, program, work)
        sanitizers_are_heard(tap, program, work)
        cells_are_killed(tap, program, work)
        cells_that_hang(tap, program, work)
        names_are_names(tap, program, work)
        hostile_database(tap, program, work)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
