"""The command `triage`: which of the inputs that fail are one bug, and a regression file of each.

A regression file is the smallest input found, corpus/regressions/NAME/WORDS, with a line in
corpus/regressions/regressions.tsv; the test fuzz/regressions runs every one of them.
"""
import csv
import os
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from . import builds, engines, minimise, stacks
from .common import ROOT, Trouble, say, size_of
from .measure import tool
from .store import Store

TABLE = "regressions.tsv"
COLUMNS = ("file", "kind", "found", "by", "what")
NOT_REPRODUCED = "not reproduced"
DEFAULT_TIMEOUT, DEFAULT_RSS = 10, 2048
PATIENCE = 10  # times as long
# Where a failure is looked for: the build that tells most comes first.
ORDER = ("fuzz-address", "fuzz-undefined", "afl-address", "afl-undefined", "afl-plain")


def variables():
    """Stacks with names, where there is a symbolizer."""
    path = tool("llvm-symbolizer")
    known = f":external_symbolizer_path={path}" if path else ""
    return dict(os.environ, ASAN_OPTIONS=engines.ASAN + ":symbolize=1:detect_leaks=1" + known,
                UBSAN_OPTIONS="print_stacktrace=1:symbolize=1" + known)


class Bench:
    """Runs single inputs through the builds of a target."""

    def __init__(self, tree, timeout=DEFAULT_TIMEOUT, rss=DEFAULT_RSS):
        self.tree, self.timeout, self.rss = tree, timeout, rss
        self.variables = variables()

    def flags(self, build, patience=1):
        return [f"-timeout={self.timeout * patience}", f"-rss_limit_mb={self.rss}"] \
            if build.startswith("fuzz-") else []

    def failure(self, build, target, path):
        """How a file fails in a build, or None. What takes long only because the machine is busy
        gets more time."""
        failure, cpu = self.look(build, target, path, 1)
        if failure is not None and failure.kind == "hang" and cpu < self.timeout / 2:
            failure, _ = self.look(build, target, path, PATIENCE)
        return failure

    def look(self, build, target, path, patience):
        """(failure or None, seconds of processor time) of one run."""
        program = self.tree.program(build, target)
        if program is None:
            return None, 0.0
        seconds = self.timeout * patience
        with tempfile.TemporaryDirectory() as place:
            flags = self.flags(build, patience)
            if flags:
                flags = [*flags, f"-artifact_prefix={place}/"]
            code, text, cpu = call_within([program, *flags, path], seconds * 2 + 20,
                                          self.variables)
        if code is None:
            return stacks.Failure("hang", "hang", f"no end within {seconds} s"), cpu
        return stacks.read(text, code), cpu

    def first_failure(self, target, path):
        """(build, failure) in the first build in which the file fails."""
        for build in ORDER:
            failure = self.failure(build, target, path)
            if failure is not None:
                return build, failure
        return None, None

    def smallest(self, build, target, path, signature, seconds):
        """The bytes of a smaller input that fails with the same signature in the same build."""
        with open(path, "rb") as file:
            data = file.read()
        with tempfile.TemporaryDirectory() as place:
            trial = os.path.join(place, "trial")

            def fails(shorter):
                with open(trial, "wb") as file:
                    file.write(shorter)
                failure = self.failure(build, target, trial)
                return failure is not None and failure.signature == signature

            def by_libfuzzer(limit):
                return minimise.by_libfuzzer(self.tree.program(build, target), path,
                                             os.path.join(place, "smaller"), limit,
                                             self.flags(build), self.variables)

            quick = by_libfuzzer if build.startswith("fuzz-") and "hang" not in signature else None
            return data, minimise.smallest(data, fails, seconds, quick)


def call_within(command, seconds, environment):
    """(exit code or None for too long, output, seconds of processor time)."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, env=environment)
        before = time.monotonic()
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            late = time.monotonic() - before > seconds
            if pid or late:
                break
            time.sleep(0.005)
        if not pid:
            process.kill()
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return (process.returncode if pid else None, out.read().decode("latin-1"),
                usage.ru_utime + usage.ru_stime)


# ---- regression files ----------------------------------------------------------------------------

def free_name(folder, wanted, data):
    """The path of a new file, or of one that holds these bytes already."""
    number = 1
    while True:
        path = os.path.join(folder, wanted if number == 1 else f"{wanted}-{number}")
        if not os.path.exists(path):
            return path
        with open(path, "rb") as file:
            if file.read() == data:
                return path
        number += 1


def write_regression(base, target, failure, data, found_at, worker):
    """Writes the file and its line in the table; returns the path relative to base."""
    folder = os.path.join(base, target)
    os.makedirs(folder, exist_ok=True)
    path = free_name(folder, stacks.slug(failure), data)
    if os.path.exists(path):
        return os.path.relpath(path, base)
    with open(path, "wb") as file:
        file.write(data)
    name = os.path.relpath(path, base)
    table = os.path.join(base, TABLE)
    is_new = not os.path.exists(table)
    with open(table, "a", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, delimiter="\t", lineterminator="\n")
        if is_new:
            lines.writerow(COLUMNS)
        day = time.strftime("%Y-%m-%d", time.gmtime(found_at))
        lines.writerow((name, failure.kind, day, worker,
                        failure.told.replace("\t", " ").replace("\n", " ")))
    return name


# ---- the command ---------------------------------------------------------------------------------

def sort_crashes(store, bench):
    """Gives every input that fails the number of its bug. Returns what each bug's failure was."""
    rows = store.rows("SELECT id, path, target, worker FROM crash WHERE bug IS NULL ORDER BY id")
    there = [row for row in rows if os.path.isfile(os.path.join(store.folder, row["path"]))]
    if len(there) < len(rows):
        say(f"{len(rows) - len(there)} inputs are not there any more")
    failures = {}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = list(pool.map(lambda row: bench.first_failure(
            row["target"], os.path.join(store.folder, row["path"])), there))
    for row, (build, failure) in zip(there, found):
        if failure is None:
            failure = stacks.Failure(NOT_REPRODUCED, NOT_REPRODUCED,
                                     f"fails in no build when it runs alone; {row['worker']} "
                                     "said it does")
        bug = store.bug(row["target"], failure.signature, failure.kind, failure.told, build)
        store.set_bug(row["id"], bug)
        failures[bug] = failure
    return failures


def minimise_bug(store, bench, bug, base, seconds):
    """Makes the smallest of its inputs smaller, and a regression file of it."""
    inputs = [(size_of(os.path.join(store.folder, row["path"])), row) for row in store.rows(
        "SELECT path, worker, at FROM crash WHERE bug=? ORDER BY at", bug["id"])]
    inputs = [entry for entry in inputs
              if os.path.isfile(os.path.join(store.folder, entry[1]["path"]))]
    if not inputs:
        return
    _, row = min(inputs, key=lambda entry: entry[0])
    path = os.path.join(store.folder, row["path"])
    before, after = bench.smallest(bug["build"], bug["target"], path, bug["signature"], seconds)
    failure = stacks.Failure(bug["kind"], bug["signature"], bug["told"])
    first = inputs[0][1]
    name = write_regression(base, bug["target"], failure, after, first["at"], first["worker"])
    store.set_smallest(bug["id"], len(before), len(after), name)


def show(store):
    rows = store.rows("SELECT bug.*, (SELECT count(*) FROM crash WHERE bug=bug.id) AS inputs "
                      "FROM bug ORDER BY target, kind, signature")
    for row in rows:
        size = f", {row['bytes_before']} bytes made {row['bytes']}" if row["regression"] else ""
        print(f"{row['target']}: {row['told']} ({row['inputs']} "
              f"{'input' if row['inputs'] == 1 else 'inputs'}{size})"
              + (f"\n    {row['regression']}" if row["regression"] else ""))
    print(f"{len(rows)} bugs" if len(rows) != 1 else "1 bug")
    return len(rows)


def run(options):
    store = Store(options.folder, must_exist=True)
    tree = builds.Tree(options.builds)
    if not any(os.path.isdir(tree.folder(build)) for build in ORDER):
        raise Trouble(f"{tree.base}: no builds there; framehound-fuzz run makes them")
    base = os.path.abspath(options.regressions
                           or os.path.join(ROOT, "corpus", "regressions"))
    bench = Bench(tree, options.timeout, DEFAULT_RSS)
    sort_crashes(store, bench)
    for bug in store.rows("SELECT * FROM bug WHERE regression IS NULL AND kind<>?",
                          NOT_REPRODUCED):
        say(f"{bug['target']}: making smaller: {bug['told']}")
        minimise_bug(store, bench, bug, base, options.seconds)
    count = show(store)
    store.close()
    return 1 if count else 0
