"""The engines: how each is called, and how its figures are read.

A worker is an engine with a build: AFL++ has a main one and secondaries with different sanitizers,
which exchange their queues through one folder; libFuzzer's share a corpus. libFuzzer reads AFL++'s
queues whenever it starts, AFL++'s main reads libFuzzer's corpus as that of a foreign fuzzer.
"""
import os
import re
from dataclasses import dataclass

from .common import files_in, folder


@dataclass(frozen=True)
class Worker:
    """share: of the time, against the others."""
    name: str
    engine: str
    build: str
    sanitizers: str
    share: float
    flags: tuple = ()

    def path(self, out, target):
        return os.path.join(out, target, "afl", self.name)


MAIN = "afl-main"
WORKERS = (
    Worker("libfuzzer-address", "libfuzzer", "fuzz-address", "address,undefined,integer", 2),
    Worker("libfuzzer-undefined", "libfuzzer", "fuzz-undefined", "undefined,integer", 2,
           ("-use_value_profile=1",)),
    # Most decisions stand at the beginning, and a short input costs a fraction of a long one; a
    # quarter of that is libFuzzer's own account of what is rare and of what could be smaller.
    Worker("libfuzzer-short", "libfuzzer", "fuzz-undefined", "undefined,integer", 16,
           ("-max_len=64", "-entropic=0", "-reduce_inputs=0")),
    Worker(MAIN, "afl", "afl-plain", "", 1),
    Worker("afl-address", "afl", "afl-address", "address", 1),
    Worker("afl-undefined", "afl", "afl-undefined", "undefined", 1, ("-p", "explore")),
    Worker("afl-cmplog", "afl", "afl-plain", "", 0.5, ("-p", "rare")),
)
# Of these there may be several at a time, where there are more jobs than workers.
MAY_REPEAT = ("libfuzzer-address", "libfuzzer-undefined", "libfuzzer-short")
# What else a worker needs to be built.
BESIDE = {"afl-cmplog": "afl-cmplog"}

AFL_VARIABLES = {
    "AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1", "AFL_AUTORESUME": "1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_SKIP_CRASHES": "1",
    "AFL_IMPORT_FIRST": "1", "AFL_SYNC_TIME": "1", "AFL_NO_STARTUP_CALIBRATION": "1",
    "AFL_CMPLOG_ONLY_NEW": "1", "AFL_IGNORE_PROBLEMS": "1", "AFL_FORKSRV_INIT_TMOUT": "60000",
}
# A small quarantine keeps memory small; what was freed is still told for a while.
UBSAN = "print_stacktrace=1"
ASAN = "quarantine_size_mb=16"


def queues(out, target):
    """The queues of AFL++ that exist."""
    place = os.path.join(out, target, "afl")
    names = sorted(os.listdir(place)) if os.path.isdir(place) else []
    return [path for path in (os.path.join(place, name, "queue") for name in names)
            if os.path.isdir(path)]


def corpora(out, target):
    """All folders of inputs of a target; libFuzzer's own comes first."""
    return [folder(out, target, "corpus"), os.path.join(out, target, "seeds"),
            *queues(out, target)]


def libfuzzer_command(program, worker, target, out, options, seconds, dictionary):
    crashes = folder(out, target, "crashes")
    return [program, f"-max_total_time={int(max(1, seconds))}", f"-timeout={options.timeout}",
            f"-rss_limit_mb={options.rss}", f"-max_len={options.lengths[target]}", "-reload=1",
            "-print_final_stats=1", f"-artifact_prefix={crashes}/",
            *([f"-dict={dictionary}"] if dictionary else []), *worker.flags,
            *corpora(out, target)]


def mark_main(out, target):
    """AFL++'s secondaries take inputs only from an instance that has this mark, which the main one
    removes when it ends: without it they import nothing in a turn in which that does not work."""
    place = os.path.join(out, target, "afl", MAIN)
    if os.path.isdir(os.path.join(place, "queue")):
        with open(os.path.join(place, "is_main_node"), "a", encoding="ascii"):
            pass


def afl_command(program, worker, target, out, options, seconds, dictionary, cmplog=None):
    base = folder(out, target, "afl")
    role = ["-M", MAIN, "-F", folder(out, target, "corpus")] \
        if worker.name == MAIN else ["-S", worker.name]
    if worker.name != MAIN:
        mark_main(out, target)
    # Addresses under the address sanitizer take terabytes; elsewhere the limit is the system's.
    memory = "none" if worker.sanitizers else str(options.rss)
    return ["afl-fuzz", "-i", os.path.join(out, target, "seeds"), "-o", base, *role,
            "-m", memory, "-t", "1000+", "-V", str(int(max(1, seconds))),
            "-G", str(options.lengths[target]), *(["-x", dictionary] if dictionary else []),
            *worker.flags, *(["-c", cmplog] if cmplog else []), "--", program]


def environment(worker, options):
    if worker.engine == "libfuzzer":
        return dict(os.environ, ASAN_OPTIONS=ASAN, UBSAN_OPTIONS=UBSAN)
    variables = {name: value for name, value in os.environ.items()
                 if name not in ("ASAN_OPTIONS", "UBSAN_OPTIONS")}  # AFL++ has its own
    return dict(variables, **AFL_VARIABLES, AFL_HANG_TMOUT=str(options.timeout * 1000))


# ---- figures -----------------------------------------------------------------------------------

LINE = re.compile(r"^#(\d+)\s+(?:\w+\s+)?cov: (\d+) ft: (\d+)(?: corp: (\d+)/\S+)?"
                  r".*?exec/s: (\d+)", re.MULTILINE)
FINAL = re.compile(r"^stat::number_of_executed_units: (\d+)", re.MULTILINE)
TAIL = 65536  # bytes of a log that are read for the newest figures


def tail(path, since):
    try:
        with open(path, "rb") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(since, end - TAIL))
            return file.read().decode("latin-1")
    except FileNotFoundError:
        return ""


def libfuzzer_stats(log, since):
    """Of the process whose output begins at byte `since` of the log."""
    text = tail(log, since)
    lines = LINE.findall(text)
    final = FINAL.search(text)
    out = {"executions": int(final.group(1)) if final else 0}
    if lines:
        number, edges, features, corpus, rate = lines[-1]
        out["executions"] = max(out["executions"], int(number))
        out.update(edges=int(edges), features=int(features), per_second=float(rate),
                   corpus=int(corpus) if corpus else None)
    return out


def afl_stats(place):
    """What the fuzzer_stats of an instance say; executions count from its first start."""
    values = {}
    try:
        with open(os.path.join(place, "fuzzer_stats"), encoding="utf-8") as lines:
            for line in lines:
                name, _, value = line.partition(":")
                values[name.strip()] = value.strip()
    except FileNotFoundError:
        return {"executions": 0}
    number = lambda name: int(float(values.get(name, "0").rstrip("%") or 0))
    return {"executions": number("execs_done"), "edges": number("edges_found"),
            "corpus": number("corpus_count"), "imported": number("corpus_imported"),
            "per_second": float(values.get("execs_per_sec", "0")), "pid": number("fuzzer_pid")}


def found_files(worker, out, target):
    """The inputs that a worker says crash, hang or take too much memory."""
    if worker.engine == "libfuzzer":
        return [path for path in files_in(os.path.join(out, target, "crashes"))
                if os.path.basename(path).startswith(("crash-", "timeout-", "oom-", "leak-"))]
    place = worker.path(out, target)
    return [path for kind in ("crashes", "hangs") for path in files_in(os.path.join(place, kind))
            if os.path.basename(path).startswith("id:")]
