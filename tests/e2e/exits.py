"""Every exit code of every command, each really reached, or why it cannot be.

0 done, 1 findings, 2 usage, 3 not read or not written, 4 a limit or an interruption.
"""
import fcntl
import os
import platform
import re
import signal
import sqlite3
import subprocess
import sys
import time

from harness import SLOWER, Program, Tap, Workspace, corpus_path, small_tod, square_model
from iso import record, sectors_of, volume

DOCS = corpus_path("..", "docs")
WRITE = {"x86_64": "1", "aarch64": "64"}.get(platform.machine())  # the number of write(2)
SET_PIPE_SIZE = 1031  # F_SETPIPE_SZ, which Python knows from 3.10 on


class Row:
    """A run of the command; words are those behind its name. says: what is to be told of it."""

    def __init__(self, *words, says=None, env=None, data=None, full=False):
        self.words, self.says, self.env, self.data, self.full = words, says, env, data, full

    def run(self, program, work, command):
        how = {"cwd": work.path(), "env": self.env, "data": self.data}
        if not self.full:
            return program.run(*command, *self.words, **how)
        with open("/dev/full", "wb") as device:
            return program.run(*command, *self.words, stdout=device, **how)

    def __str__(self):
        return " ".join(self.words) + (" > /dev/full" if self.full else "")


class Full(Row):
    """Standard output has no room."""

    def __init__(self, *words):
        super().__init__(*words, says="No space left", full=True)


class Interrupted(Row):
    """SIGINT while it waits for something; subclasses say for what."""

    def __init__(self, *words, says="interrupted"):
        super().__init__(*words, says=says)

    def begin(self, program, work, words):
        """Begins the run; returns it, what is to be closed behind it, and whether it waits."""
        raise NotImplementedError

    def run(self, program, work, command):
        process, close, waits = self.begin(program, work, [*command, *self.words])
        until(waits, process)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        result = program.finish(process, timeout=20)
        result.err += b"" if time.monotonic() - began < 5 * SLOWER else b"(it took too long)"
        close()
        return result


class NobodyReads(Interrupted):
    """Standard output is a pipe that is full."""

    def begin(self, program, work, words):
        reading, writing = os.pipe()
        room = fcntl.fcntl(writing, SET_PIPE_SIZE, 4096)
        os.write(writing, bytes(room))
        process = program.start(*words, cwd=work.path(), stdout=writing)

        def close():
            os.close(reading)
            os.close(writing)
        return process, close, lambda: is_writing(process)

    def __str__(self):
        return super().__str__() + " | (nobody reads), SIGINT"


class NobodyWrites(Interrupted):
    """Standard input is a pipe into which nothing comes."""

    def begin(self, program, work, words):
        reading, writing = os.pipe()
        process = program.start(*words, cwd=work.path(), stdin=reading)

        def close():
            os.close(reading)
            os.close(writing)
        return process, close, lambda: sleeps(process)

    def __str__(self):
        return "(nobody writes) | " + super().__str__() + ", SIGINT"


class NobodyOpens(Interrupted):
    """The named pipe of the words has no other end."""

    def begin(self, program, work, words):
        process = program.start(*words, cwd=work.path())
        return process, lambda: None, lambda: sleeps(process)

    def __str__(self):
        return super().__str__() + " (nobody opens the pipe), SIGINT"


class Locked(Interrupted):
    """Another program keeps the database locked."""

    def __init__(self, *words, db, says="interrupted"):
        super().__init__(*words, says=says)
        self.db = db

    def begin(self, program, work, words):
        other = sqlite3.connect(work.path(self.db), isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        process = program.start(*words, cwd=work.path(), env={"FRAMEHOUND_BUSY_MS": "600000"})

        def close():
            other.execute("ROLLBACK")
            other.close()
        return process, close, lambda: sleeps(process)

    def __str__(self):
        return super().__str__() + " (%s is locked), SIGINT" % self.db


class Never:
    """A code that the command has not. rows: runs that would have it if the reason did not hold."""

    def __init__(self, reason, *rows):
        self.reason, self.rows = reason, rows


NO_LEVEL = "it has no --fail-on: findings are not what it is asked for; "

# {command: {exit code: rows}}; () is the program without a command.
TABLE = {
    "": {
        0: [Row("--version", says="^framehound "), Row("--help", says="^Usage")],
        1: Never("it looks at nothing without a command"),
        2: [Row(says="no command"), Row("scam", says="scam"), Row("--bogus")],
        3: [Full("--help"), Full("--version")],
        4: [NobodyReads("--help")],
    },
    "scan": {
        0: [Row("-o", "new.db", "walk.tod"), Row("-o", "new.db", "turn.tod")],
        1: [Row("-o", "new.db", "--fail-on", "error", "turn.tod", says="TOD|1 error")],
        2: [Row(says="no source"), Row("--bogus", "walk.tod"), Row("-f", "bvh", "walk.tod"),
            Row("-o", "new.db", "walk.tod", env={"FRAMEHOUND_BUSY_MS": "soon"}, says="soon")],
        3: [Row("-o", "new.db", "missing.tod", says="No such file"),
            Row("-o", "none/new.db", "walk.tod", says="none/new.db"),
            Row("-o", "walk.tod", "turn.tod", says="not a framehound database"),
            Row("-o", "new.db", "--fail-on", "error", "turn.tod", "missing.tod"),
            Full("-o", "new.db", "walk.tod")],
        4: [Row("-o", "new.db", "square.hmd", "missing.tod", says="limit"),
            NobodyWrites("-o", "new.db", "-"), NobodyReads("-o", "new.db", "walk.tod"),
            Locked("-o", "locked.db", "walk.tod", db="locked.db")],
    },
    "check": {
        0: [Row("walk.tod"), Row("turn.tod", "--fail-on", "never", says="TOD0092"),
            Row("--show-config")],
        1: [Row("turn.tod", says="TOD0092"),
            Row("mend.tod", "--fix", "--diff", says="would be mended")],
        2: [Row("--bogus"), Row("--select", "TOD9999", "walk.tod", says="TOD9999"),
            Row("--config", "bad.ini", "walk.tod", says="bad.ini")],
        3: [Row("missing.tod", says="No such file"), Row("turn.tod", "missing.tod"),
            Row("-F", "json=none/x.json", "walk.tod", says="none/x.json"),
            Row("--write-baseline", "none/x.txt", "turn.tod", says="none/x.txt"),
            Row("--files-from", "missing.txt", says="missing.txt"), Full("walk.tod")],
        4: [Row("square.hmd", "turn.tod", "missing.tod", says="HMD0297"), NobodyWrites("-"),
            NobodyWrites("--files-from", "-"), NobodyReads("turn.tod")],
    },
    "reduce": {
        0: [Row("turn.tod", "--code", "TOD0092", "-o", "least.tod", says="least.tod")],
        1: Never("the finding is what the file is reduced by, and a file without it is the wrong one",
                 Row("turn.tod", "--code", "TOD0092", "-o", "least.tod")),
        2: [Row("turn.tod", says="--code"), Row("turn.tod", "--code", "TOD9999"),
            Row("walk.tod", "--code", "TOD0092", "-o", "least.tod", says="no finding TOD0092")],
        3: [Row("missing.tod", "--code", "TOD0092", says="missing.tod"),
            Row("turn.tod", "--code", "TOD0092", "-o", "none/least.tod", says="none/least.tod"),
            Row("turn.tod", "--code", "TOD0092", "-o", "walk.tod", says="other bytes"),
            Full("turn.tod", "--code", "TOD0092", "-o", "least.tod")],
        4: [Row("turn.tod", "--code", "TOD0092", "-o", "early.tod", "--max-steps", "1",
                says="--max-steps"),
            NobodyWrites("-", "--code", "TOD0092", "-o", "other.tod"),
            NobodyReads("turn.tod", "--code", "TOD0092", "-o", "least.tod")],
    },
    "replay": {
        0: [Row("walk.tod"), Row("turn.tod", "--fail-on", "never"), Row("walk.db:1")],
        1: [Row("turn.tod", says="TOD0092"), Row("text.bin", says="no animation")],
        2: [Row(says="exactly one"), Row("--profile", "9.9", "walk.tod"), Row("walk.db:one")],
        3: [Row("missing.tod", says="No such file"), Row("walk.db:99"), Row("gone.db:1", says="gone.tod"),
            Row("-o", "/dev/full", "walk.tod", says="/dev/full"),
            Row("-o", "none/poses", "walk.tod", says="none/poses"), Full("walk.tod"),
            Row("-o", "none/poses.svg", "walk.tod", says="none/poses.svg")],
        4: [Row("square.hmd", says="HMD0297"), NobodyWrites("-"), NobodyReads("walk.tod"),
            NobodyOpens("-o", "pipe", "walk.tod", says="Interrupted"),
            Locked("locked.db:1", db="locked.db")],
    },
    "report": {
        0: [Row("walk.db"), Row("turn.db", says="TOD0092")],
        1: [Row("turn.db", "--fail-on", "error", says="TOD0092")],
        2: [Row(says="one database"), Row("-F", "paper", "walk.db")],
        3: [Row("missing.db", says="missing.db"), Row("walk.tod", says="not a framehound database"),
            Row("-F", "csv=none/x.csv", "walk.db", says="none/x.csv"), Full("walk.db")],
        4: [Row("strange.db", says="more than 1024 rules"), NobodyReads("walk.db"),
            Locked("locked.db", db="locked.db")],
    },
    "extract": {
        0: [Row("-d", "out", "walk.db"), Row("-d", "out", "turn.db")],
        1: Never(NO_LEVEL + "assets with errors are written, too", Row("-d", "out", "turn.db")),
        2: [Row(says="one database"), Row("--ids", "first", "walk.db"),
            Row("--grade", "good", "walk.db")],
        3: [Row("missing.db", says="missing.db"), Row("-d", "out", "gone.db", says="gone.tod"),
            Row("-d", "walk.tod", "walk.db", says="walk.tod"), Row("-d", "out", "--ids", "99", "walk.db"),
            Full("-d", "out", "walk.db")],
        4: [NobodyReads("-d", "out", "walk.db"), Locked("-d", "out", "locked.db", db="locked.db")],
    },
    "query": {
        0: [Row(), Row("-d", "turn.db", "rules"), Row("-d", "walk.db", "broken")],
        1: Never(NO_LEVEL + "what was found is no matter", Row("-d", "turn.db", "findings")),
        2: [Row("-d", "walk.db", "lackin", says="did you mean"), Row("-d", "walk.db", "places"),
            Row("-d", "walk.db", "rules", "XXX0001", says="no rule"), Row("--bogus")],
        3: [Row("-d", "missing.db", "rules", says="missing.db"), Row("-d", "walk.tod", "rules"),
            Row("-d", "walk.db", "assets", "elsewhere", says="elsewhere"),
            Full("-d", "walk.db", "assets")],
        4: [NobodyReads("-d", "walk.db", "assets"),
            Locked("-d", "locked.db", "assets", db="locked.db")],
    },
    "merge": {
        0: [Row("-o", "merged.db", "walk.db")],
        1: Never(NO_LEVEL + "what the shards found is no matter", Row("-o", "merged.db", "turn.db")),
        2: [Row("walk.db"), Row("-o", "merged.db"), Row("-o", "merged.db", "--bogus", "walk.db")],
        3: [Row("-o", "merged.db", "missing.db", says="missing.db"),
            Row("-o", "gone/merged.db", "walk.db", says="gone/merged.db")],
        4: [Locked("-o", "merged.db", "locked.db", db="locked.db")],
    },
    "diff": {
        0: [Row("walk.db", "walk.db")],
        1: [Row("walk.db", "turn.db", says="appeared")],
        2: [Row("walk.db", says="two databases"), Row("--match", "size", "walk.db", "turn.db")],
        3: [Row("walk.db", "missing.db", says="missing.db"), Row("walk.db", "walk.tod"),
            Full("walk.db", "turn.db")],
        4: [NobodyReads("walk.db", "turn.db"), Locked("walk.db", "locked.db", db="locked.db")],
    },
    "where": {
        0: [Row("walk.tod", "raw:4")],
        1: [Row("walk.tod", "raw:9999999", says="no place"), Row("walk.tod", "lba:1")],
        2: [Row("walk.tod", "behind"), Row("walk.tod"), Row("--layout", "7", "walk.tod", "raw:4")],
        3: [Row("missing.tod", "raw:4", says="missing.tod"),
            Full("walk.tod", "raw:4")],
        4: [Row("deep.img", "iso:/NONE", says="IMG0033"), NobodyReads("walk.tod", "raw:4"),
            NobodyWrites("-", "raw:4")],
    },
    "inspect": {
        0: [Row("walk.tod"), Row("walk.db:1"), Row("--fail-on", "never", "mend.tod"),
            Row("walk.tod@0")],
        1: [Row("mend.tod", says="TOD0021"), Row("text.bin", says="--as"),
            Row("text.bin@0", says="framehound why"), Row("walk.tod@9999999", says="no place")],
        2: [Row("walk.tod", "--depth", "0"), Row("walk.tod", "--unfold", "a["), Row(), Row("walk.db"),
            Row("walk.tod", "--bytes", "4"), Row("--as", "bvh", "walk.tod"), Row("walk.db:x"),
            Row("--layout", "7", "walk.tod@0")],
        3: [Row("missing.tod", says="missing.tod"), Row("missing.tod@0", says="missing.tod"),
            Row("gone.db:1", says="gone.tod"),
            Full("walk.tod"), Full("--format", "json", "walk.tod")],
        4: [Row("square.hmd", says="limit"), Locked("locked.db:1", db="locked.db"),
            Row("deep.img@iso:/NONE", says="IMG0033"), NobodyReads("walk.tod"), NobodyWrites("-")],
    },
    "why": {
        0: [Row("walk.tod@0")],
        1: [Row("text.bin@0"), Row("walk.tod@9999999", says="no place")],
        2: [Row("walk.tod"), Row("--as", "bvh", "walk.tod@0"), Row()],
        3: [Row("missing.tod@0", says="missing.tod"), Full("walk.tod@0")],
        4: [Row("square.hmd@0", says="HMD0297"), Row("deep.img@iso:/NONE", says="IMG0033"),
            NobodyWrites("--", "-@0"), NobodyReads("walk.tod@0")],
    },
    "rules": {
        0: [Row(), Row("TOD0022"), Row("--coverage", "--severity", "error")],
        1: Never("it lists rules and looks at no file; " + NO_LEVEL + "rules of errors are no errors",
                 Row("--severity", "error"), Row("TOD0022")),
        2: [Row("TOD9999", says="did you mean"), Row("-F", "paper"), Row("--bogus")],
        3: [Full(), Full("TOD0022"), Full("-F", "markdown")],
        4: [NobodyReads(), NobodyReads("TOD0022")],
    },
}


# ---- what a process does ----

def is_writing(process):
    """Whether it waits in write(2)."""
    try:
        with open("/proc/%d/syscall" % process.pid, encoding="ascii") as file:
            return file.read().split()[0] == WRITE if WRITE else sleeps(process)
    except OSError:
        return sleeps(process)


def sleeps(process):
    """Whether it has waited for something since the last look, and the look before."""
    try:
        with open("/proc/%d/stat" % process.pid, encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return False
    times = (fields[11], fields[12])  # processor time that it had
    seen = getattr(process, "seen", [])
    process.seen = [*seen[-5:], (fields[0], times)]
    return len(seen) > 5 and set(process.seen) == {("S", times)}


def until(waits, process):
    end = time.monotonic() + 10 * SLOWER
    while process.poll() is None and time.monotonic() < end and not waits():
        time.sleep(0.02)


# ---- what is read ----

def make_files(program, work):
    program.forge("tod", small_tod(), work.path("walk.tod"))
    program.forge("tod", small_tod(), work.path("gone.tod"))
    for name, where in (("turn.tod", ("..", "docs", "demo", "turn.forge")),
                        ("mend.tod", ("tod", "TOD0021.bad.forge"))):
        with open(corpus_path(*where), encoding="utf-8") as file:
            program.forge("tod", file.read(), work.path(name))
    work.write("square.hmd", square_model(3000))
    work.write("text.bin", b"no animation\n" * 9)
    work.write("bad.ini", b"[check]\nselekt = TOD\n")
    deep = {18 + i: sectors_of([record(b"\0", 18 + i, 2048, 2), record(b"\1", max(18, 17 + i), 2048, 2),
                                record(b"D", 19 + i, 2048, 2)]) for i in range(80)}
    work.write("deep.img", volume(deep, 2048))
    os.mkfifo(work.path("pipe"))
    for name in ("walk", "turn", "gone", "locked", "strange"):
        source = "%s.tod" % (name if name in ("turn", "gone") else "walk")
        program.run("scan", "-o", name + ".db", source, cwd=work.path())
    os.unlink(work.path("gone.tod"))
    strange = sqlite3.connect(work.path("strange.db"))
    columns = "(source_id, code, severity, message)"
    strange.executemany("INSERT INTO rule (code, format, severity, title, explanation) VALUES "
                        "(?, 'tod', 'note', 'x', 'x')", [("XYZ%04d" % i,) for i in range(1100)])
    strange.executemany("INSERT INTO finding %s VALUES (1, ?, 'note', 'x')" % columns,
                        [("XYZ%04d" % i,) for i in range(1100)])
    strange.commit()
    strange.close()


# ---- the table ----

def check_row(tap, program, work, name, code, row):
    words = [name] if name else []
    result = row.run(program, work, words)
    told = result.text + result.errors
    good = result.code == code and "(it took too long)" not in told
    good = good and (row.says is None or re.search(row.says, told, re.MULTILINE))
    return tap.ok(good, "%d: framehound %s %s" % (code, name, row), "wanted: exit %d, %s" % (
        code, row.says), result)


def check_never(tap, program, work, name, code, never):
    offers = "--fail-on" in program.run(*([name] if name else []), "--help").text.replace(
        "above --fail-on", "")
    tap.ok(not offers, "framehound %s has no %d: %s" % (name, code, never.reason))
    for row in never.rows:
        check_row(tap, program, work, name, 0, row)


def is_complete(tap, program):
    """A command, a code or a code on its manual page that is missing here is missing in the tests."""
    listed = re.findall(r"^  ([a-z]+) ", program.run("--help").text, re.MULTILINE)
    tap.equal(sorted(name for name in TABLE if name), sorted(listed), "every command is in the table")
    tap.equal([name for name, codes in TABLE.items() if set(codes) != set(range(5))], [],
              "with every code")
    for name, codes in TABLE.items():
        if not name:
            continue
        with open(os.path.join(DOCS, "framehound-%s.1" % name), encoding="utf-8") as file:
            page = file.read().split(".SH EXIT STATUS\n")[1].split(".SH ")[0]
        told = [int(code) for code in re.findall(r"^\.B (\d)$", page, re.MULTILINE)]
        reached = [code for code, rows in sorted(codes.items()) if not isinstance(rows, Never)]
        tap.equal(told, reached, "the manual page of %s tells of the codes that it has" % name)


def all_rows(tap, program, work):
    for name, codes in TABLE.items():
        for code, rows in sorted(codes.items()):
            if isinstance(rows, Never):
                check_never(tap, program, work, name, code, rows)
                continue
            for row in rows:
                check_row(tap, program, work, name, code, row)


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        make_files(program, work)
        is_complete(tap, program)
        all_rows(tap, program, work)
        program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
