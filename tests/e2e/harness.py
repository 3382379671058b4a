"""What the end-to-end scripts share: TAP, running the program, the forge, databases, real files.

Every script is called as  SCRIPT FRAMEHOUND FORGE.  From the environment:

FRAMEHOUND_SHARED   folder of the real files; without it `shared` beside the source root
FRAMEHOUND_WRAPPER  words put before the program, such as "valgrind -q --error-exitcode=99"
"""
import csv
import functools
import os
import re
import shlex
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
SLOWER = 30 if WRAPPER else 1
# A wrapper or a sanitizer takes memory of its own; the program's cannot be told apart then.
MEMORY_IS_ITS_OWN = not WRAPPER and not os.environ.get("FRAMEHOUND_SANITIZED")
NOBODY = 65534
SANITIZER_CODE = 99  # of a program in which a sanitizer has found something
TABLES = ("scan", "source", "asset", "finding", "rule", "replay")


class Tap:
    """Numbers the checks. A failed one is told with what was seen, and the script goes on."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, condition, name, *seen):
        self.count += 1
        self.failed += 0 if condition else 1
        print("%s %d - %s" % ("ok" if condition else "not ok", self.count, printable(name)))
        if not condition:
            for line in "\n".join(str(s) for s in seen).splitlines()[:40]:
                print("#   " + printable(line)[:1000])
        sys.stdout.flush()
        return bool(condition)

    def equal(self, seen, expected, name, *more):
        return self.ok(seen == expected, name, "seen     %r" % (seen,),
                       "expected %r" % (expected,), *more)

    def skip(self, name, reason):
        self.count += 1
        print("ok %d - %s # SKIP %s" % (self.count, printable(name), reason))

    def note(self, text):
        print("# " + printable(text))

    def done(self):
        print("1..%d" % self.count)
        sys.stdout.flush()
        sys.exit(1 if self.failed else 0)


class TookTooLong(Exception):
    """A part of a script did not get to its end; a program or the script itself waits."""


def limited(seconds, part, *args):
    """Calls part, but for no longer than that."""
    def ring(*_):
        raise TookTooLong("after %d s" % seconds)
    signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        part(*args)
    finally:
        signal.alarm(0)


def printable(text):
    return "".join(c if c.isprintable() and ord(c) < 0xd800 and c != "#" else "?" for c in str(text))


class Result:
    def __init__(self, code, out, err, command):
        self.code, self.out, self.err, self.command = code, out, err, command

    @property
    def text(self):
        return self.out.decode("utf-8", "replace")

    @property
    def errors(self):
        return self.err.decode("utf-8", "replace")

    def __str__(self):
        return "exit %d of: %s\nstdout: %s\nstderr: %s" % (
            self.code, " ".join(shlex.quote(os.fsdecode(word)) for word in self.command)[:400],
            self.text[:600], self.errors[:1200])


def own_lines(err):
    """Standard error without what the instrumentation of ./run coverage says there: behind walls it
    cannot write its counts."""
    if "LLVM_PROFILE_FILE" not in os.environ:
        return err
    return re.sub(rb"(?m)^LLVM Profile (?:Error|Warning|Note): .*\n?", b"", err)


def is_sound(result):
    """Ended by itself with a code of the contract, and no checker complained."""
    return result.code in (0, 1, 2, 3, 4) and b"Sanitizer" not in result.err and \
        b"runtime error" not in result.err and not result.err.startswith((b"prlimit:", b"setpriv:"))


@functools.cache
def has_pdeathsig():
    return shutil.which("setpriv") is not None and subprocess.run(
        ["setpriv", "--pdeathsig", "KILL", "true"], capture_output=True).returncode == 0


class Program:
    """Runs framehound and the forge; remembers every run that did not end as the contract says."""

    def __init__(self, argv):
        if len(argv) != 3:
            sys.exit("usage: %s FRAMEHOUND FORGE" % argv[0])
        self.path = os.path.abspath(argv[1])
        self.forge_path = os.path.abspath(argv[2])
        self.runs = 0
        self.unsound = []

    def command(self, args, uid=None, fsize=None, memory=None, ends_with_us=False):
        """By words before it, not by functions between fork and exec: with these Python takes four
        times as long to start a program."""
        limits = [word % number for word, number in (("--fsize=%d", fsize), ("--as=%d", memory))
                  if number is not None]
        rights = [] if uid is None else \
            ["--reuid=%d" % uid, "--regid=%d" % uid, "--clear-groups"]
        if ends_with_us and has_pdeathsig():
            rights += ["--pdeathsig", "KILL"]  # a script that is killed leaves no program behind
        return (["prlimit", *limits] if limits else []) + (["setpriv", *rights] if rights else []) + \
            WRAPPER + [self.path] + list(args)

    @staticmethod
    def environment(env=None):
        base = {k: v for k, v in os.environ.items()
                if k not in ("NO_COLOR", "FRAMEHOUND_BUSY_MS", "FRAMEHOUND_WRAPPER")}
        if WRAPPER:
            base["FRAMEHOUND_SANDBOX"] = "off"  # a checker makes system calls of its own
        base.update(env or {})
        # Behind its walls the program may be unable to open the file that a report goes to: then
        # nothing but the exit code tells, and it must be none of the contract.
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            base[name] = base.get(name, "") + ":exitcode=%d" % SANITIZER_CODE
        return base

    def start(self, *args, uid=None, env=None, fsize=None, memory=None, ends_with_us=True, **how):
        how.setdefault("stdin", subprocess.DEVNULL)
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen(self.command(args, uid, fsize, memory, ends_with_us),
                                env=self.environment(env), **how)

    def finish(self, process, data=None, timeout=120):
        """The result; a program that hangs is ended and counts as unsound."""
        try:
            out, err = process.communicate(data, timeout * SLOWER)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err = (err or b"") + b"\n(the test ended it: it took too long)"
        result = Result(process.returncode, out or b"", own_lines(err or b""), process.args)
        self.runs += 1
        if not is_sound(result):
            self.unsound.append(result)
        return result

    def run(self, *args, data=None, timeout=120, **how):
        """Waits for it, so that it needs no word before it to end with us."""
        if data is not None:
            how["stdin"] = subprocess.PIPE
        return self.finish(self.start(*args, ends_with_us=False, **how), data, timeout)

    def can_start(self, memory):
        """Whether the system can load the program and its libraries in so little memory."""
        process = self.start("--version", memory=memory, ends_with_us=False)
        process.communicate(timeout=120 * SLOWER)
        return process.returncode == 0

    def tell_unsound(self, tap):
        tap.ok(not self.unsound, "all %d runs of the program ended by themselves, with a code of "
               "the contract" % self.runs, *self.unsound[:4])

    def forge(self, kind, description, out, root=None):
        command = [self.forge_path, kind, "-", "-o", out]
        if root is not None:
            command += ["--root", root]
        done = subprocess.run(command, input=description.encode(), capture_output=True,
                              timeout=120 * SLOWER)
        if done.returncode != 0:
            raise RuntimeError("forge: %s\n%s" % (done.stderr.decode(), description))
        return out

    def forge_map(self, path, out, *options):
        """What an HMD becomes in memory."""
        subprocess.run([self.forge_path, "map", path, "-o", out, *options], check=True,
                       timeout=120 * SLOWER)
        return out


class Workspace(tempfile.TemporaryDirectory):
    """A temporary directory that other users may read."""

    def __init__(self):
        super().__init__(prefix="framehound-e2e-")
        os.chmod(self.name, 0o755)

    def __enter__(self):
        return self

    def path(self, *names):
        return os.path.join(self.name, *names)

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def folder(self, name):
        path = self.path(name)
        os.makedirs(path, exist_ok=True)
        return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


# ---- databases ----

def query(db, sql, *args):
    """Rows as dictionaries. Text comes back as str, undecodable bytes as surrogates."""
    connection = sqlite3.connect(db)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    try:
        return [dict(row) for row in connection.execute(sql, args)]
    finally:
        connection.close()


def dump(db, without=("scan",)):
    """All rows of all tables of the contract but those named."""
    return {table: query(db, "SELECT * FROM %s ORDER BY 1" % table)
            for table in TABLES if table not in without}


# The table of sums, from the rows that it sums up.
SUMS = """SELECT format, grade, source_id, sum(is_asset), sum(length), max(length),
    coalesce(sum(frames), 0), sum(error), sum(warning), sum(note)
FROM (SELECT a.source_id, a.format, a.grade, 1 AS is_asset, a.length,
        coalesce(a.frames, r.frames) AS frames, 0 AS error, 0 AS warning, 0 AS note
    FROM asset AS a LEFT JOIN replay AS r ON r.asset_id = a.id
    UNION ALL
    SELECT f.source_id, coalesce(a.format, r.format, 'unknown'), coalesce(a.grade, ''), 0, NULL,
        NULL, f.severity = 'error', f.severity = 'warning', f.severity = 'note'
    FROM finding AS f LEFT JOIN asset AS a ON a.id = f.asset_id
    LEFT JOIN rule AS r ON r.code = f.code)
GROUP BY format, grade, source_id"""
TALLY = """SELECT format, grade, source_id, assets, bytes, longest, frames, errors, warnings, notes
FROM tally"""


# What is kept of all sources, if it is, from the rows.
OVERALL = """SELECT what, name, number, amount FROM overall WHERE what <> 'kept'"""
ALL = """SELECT CASE WHEN count(DISTINCT source_id) > 1 THEN 'shared' ELSE 'bytes' END, sha256,
    count(*), 0 FROM asset WHERE sha256 IS NOT NULL GROUP BY sha256 HAVING count(*) > 1
UNION ALL SELECT 'motion', pose_sha256, count(DISTINCT sha256), count(*) FROM asset
    WHERE pose_sha256 IS NOT NULL AND sha256 IS NOT NULL
    GROUP BY pose_sha256 HAVING count(DISTINCT sha256) > 1
UNION ALL SELECT 'rule', code, count(*), count(DISTINCT source_id) FROM finding GROUP BY code"""
KEPT = "SELECT number FROM overall WHERE what = 'kept'"


def sum_faults(db):
    """Rows that a table of sums has and should not have, or the other way round."""
    pairs = [(TALLY, SUMS)] + [(OVERALL, ALL)] * query(db, KEPT)[0]["number"]
    faults = []
    for pair in pairs:
        told, right = [{tuple(row.values()) for row in query(db, sql)} for sql in pair]
        faults += ["sums are %r" % (row,) for row in sorted(told - right, key=repr)]
        faults += ["sums are not %r" % (row,) for row in sorted(right - told, key=repr)]
    return faults


def database_faults(db):
    """What SQLite itself finds wrong with the file, and sums that are not those of its rows; empty
    when it is sound."""
    faults = [r["integrity_check"] for r in query(db, "PRAGMA integrity_check")]
    faults = [f for f in faults if f != "ok"]
    faults += [str(r) for r in query(db, "PRAGMA foreign_key_check")]
    return faults or sum_faults(db)


def sources(db):
    return {r["path"]: r for r in query(db, "SELECT * FROM source")}


def assets(db):
    """Assets of all formats with the path, kind and layout of their source, in order."""
    return query(db, "SELECT a.*, s.path, s.kind, s.layout FROM asset AS a "
                     "JOIN source AS s ON s.id = a.source_id ORDER BY s.path, a.raw_offset, a.id")


def findings_of(db, asset_id):
    return query(db, "SELECT * FROM finding WHERE asset_id = ? ORDER BY id", asset_id)


def source_codes(db, path):
    """Codes of the findings of a source that belong to no asset."""
    rows = query(db, "SELECT f.code FROM finding AS f JOIN source AS s ON s.id = f.source_id "
                     "WHERE s.path = ? AND f.asset_id IS NULL ORDER BY f.code", path)
    return [r["code"] for r in rows]


# ---- real files ----

def shared_folder():
    """The folder of the real files, or None."""
    path = os.environ.get("FRAMEHOUND_SHARED")
    if not path:
        root = os.environ.get("FRAMEHOUND_SOURCE_ROOT", os.path.join(HERE, "..", ".."))
        path = os.path.join(os.path.abspath(root), "..", "shared")
    path = os.path.abspath(path)
    return path if os.path.isdir(os.path.join(path, "samples")) else None


def manifest(shared):
    """{file: [(format, offset, length, frames), ...]}, [] for a file that holds none."""
    files = {}
    with open(os.path.join(shared, "samples", "manifest.tsv"), newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            rows = files.setdefault(row["file"], [])
            if row["format"] != "none":
                rows.append((row["format"], int(row["offset"]), int(row["length"]),
                             int(row["frames"]) if row["frames"] else None))
    return files


def asset_rows(shared):
    """{file: [(format, offset, length, frames), ...]} of every file of the manifest, in order."""
    return {name: sorted(rows, key=lambda row: row[1]) for name, rows in manifest(shared).items()}


def need_real_files(tap, what):
    shared = shared_folder()
    if shared is None:
        tap.skip(what, "no folder of real files (FRAMEHOUND_SHARED)")
    return shared


# ---- other users ----

def other_user_problem(program):
    """Why the program cannot be run as another user; None if it can."""
    if os.geteuid() != 0:
        return "not root"
    if shutil.which("setpriv") is None:
        return "no setpriv"
    probe = subprocess.run(["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY,
                            "--clear-groups", program.path, "--version"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return None if probe.returncode == 0 else "another user cannot run the program where it is"


# ---- where bytes of user data lie in an image, worked out here and not by the program ----

class Layout:
    """Bare or ISO image; `at` is the index of the first sector of the data that is looked for."""

    def __init__(self, name, stride, data_off, head, at, first_lba=0, every=1, others=0):
        self.name, self.stride, self.data_off = name, stride, data_off
        self.head, self.at, self.first_lba = head, at, first_lba
        self.every, self.others = every, others  # after `every` data sectors `others` other ones

    def index(self, user):
        sector = user // 2048
        return self.at + sector // self.every * (self.every + self.others) + sector % self.every

    def raw(self, user):
        return self.index(user) * self.stride + self.data_off + user % 2048

    def user_offset(self, user):
        return self.index(user) * 2048 + user % 2048

    def lba(self, user):
        return self.first_lba + self.index(user)


# ---- forged animations ----

def small_tod(frames=3, seed=1):
    """A description of a sound file; other seeds give other bytes of the same shape."""
    return ("tod resolution=4\n"
            "frame 0\ncreate 1\nattr 1 0x80000000 0\nparent 1 world\nmodel 1 %d\n"
            "coord 1 abs r 0 0 0 s 4096 4096 4096 t %d 0 0\n"
            "create 2\nattr 2 0x80000000 0\nparent 2 1\nmodel 2 2\n"
            "coord 2 abs r 0 0 0 s 4096 4096 4096 t 0 100 0\n"
            "repeat %d\nframe +\ncoord 1 diff r 0 3600 0\ncoord 2 diff t %d 0 5\nendrepeat\n"
            % (seed % 100 + 1, seed, frames - 1, seed))


# ---- forged models ----

def corpus_path(*names):
    """A file of the corpus, beside the tests."""
    return os.path.abspath(os.path.join(HERE, "..", "..", "corpus", *names))


def forge_hmd(program, name, out):
    """Builds a description of corpus/hmd."""
    return program.forge("hmd", read(corpus_path("hmd", name + ".forge")).decode(), out)


def square_model(num):
    """An HMD whose records all draw the same packets: work that grows with the square of it."""
    record, head = 36, 29
    packets = record + 3 * num
    words = [0x50, 0, 28, 3, 0, 33, 0, 1] + [0] * 20
    words += [1, 3] + [0x80000000 | packets + k * 3 * num for k in (0, 1, 1)]
    words += [0xffffffff, head, 0x80000000 | num]
    words += [8, 0x80000002 | num << 16, 0] * num + [0x20000000, 0, 0] * num + [0] * 16
    return struct.pack("<%dI" % len(words), *words)


def hmd_records(data):
    """Types of the records of an HMD file, read here and not by the program: each chain of each
    block to its end."""
    words = struct.unpack("<%dI" % (len(data) // 4), data[:len(data) // 4 * 4])
    types, seen = [], set()
    for at in words[4:4 + words[3]]:
        while at not in (0, 0xffffffff) and at not in seen:
            seen.add(at)
            record = at + 3
            for _ in range(words[at + 2] & 0xffff):
                types.append(words[record])
                record += 1 + (words[record + 1] & 0xffff)
            at = words[at]
    return types


def is_animated(data):
    """An HMD whose records hold sequences; all others only rest."""
    return any(kind >> 24 & 0xf == 3 for kind in hmd_records(data))


def codes_in(text):
    return set(re.findall(r"\b[A-Z]{2,4}[0-9]{4}\b", text))
