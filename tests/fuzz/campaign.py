#!/usr/bin/env python3
"""framehound-fuzz with a target that has deliberate faults: two bugs, a hang and a broken oracle.

Usage: campaign.py SOURCE_ROOT [MUTATOR]. What runs finds all four, triage tells them apart, makes
them small and writes regression files, and the report says what the database says. MUTATOR is a
library that AFL++ is to load. Skipped without clang's libFuzzer; without AFL++ libFuzzer works
alone.
"""
import csv
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import types
import xml.dom.minidom

ROOT = os.path.abspath(sys.argv[1])
MUTATOR = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "fuzz"), os.path.join(ROOT, "tests", "packaging")]
import tap  # noqa: E402
from campaign import builds, engines, measure, minimise, runner, seeds, stacks  # noqa: E402
from campaign import store as store_part  # noqa: E402
from campaign import triage as triage_part  # noqa: E402
from tap import Skip, equal, test  # noqa: E402

FUZZ = os.path.join(ROOT, "fuzz", "framehound-fuzz")
FOLDER = tempfile.TemporaryDirectory()
BUILDS, OUT, REGRESSIONS = (os.path.join(FOLDER.name, name)
                            for name in ("builds", "out", "regressions"))
KINDS = {"heap-buffer-overflow": "read_behind", "undefined": "divide", "hang": "go_round",
         "oracle": "what goes in comes out"}
MOST_RUNS = 8  # each finds nearly always all; a loaded machine may need another


def compile_target(build, name, compiler, *flags, **variables):
    place = os.path.join(BUILDS, build, "fuzz")
    os.makedirs(place)
    done = subprocess.run(
        [compiler, "-g", "-O1", *flags, os.path.join(HERE, "planted.c"), "-o",
         os.path.join(place, name)], capture_output=True, text=True, check=False,
        env=dict(os.environ, AFL_QUIET="1", CCACHE_DISABLE="1", **variables))
    return done.returncode == 0


def has_afl():
    return bool(shutil.which("afl-fuzz") and shutil.which("afl-clang-fast"))


def build():
    """Compiles the target as the builds of a campaign are."""
    if os.path.isdir(BUILDS):
        return
    if not shutil.which("clang") or not compile_target(
            "fuzz-address", "fuzz_planted", "clang", "-fsanitize=fuzzer,address,undefined",
            "-fno-sanitize-recover=all"):
        raise Skip("no clang with libFuzzer (Debian: clang, libclang-rt-14-dev)")
    compile_target("fuzz-coverage", "fuzz_planted_repro", "clang", "-DPLANTED_MAIN",
                   "-fprofile-instr-generate", "-fcoverage-mapping")
    if has_afl():
        compile_target("afl-plain", "fuzz_planted", "afl-clang-fast", "-fsanitize=fuzzer")
        compile_target("afl-cmplog", "fuzz_planted", "afl-clang-fast", "-fsanitize=fuzzer",
                       AFL_LLVM_CMPLOG="1")
    place = os.path.join(OUT, "planted", "seeds")
    os.makedirs(place)
    with open(os.path.join(place, "rule"), "wb") as file:
        file.write(b"R1")


def fuzz(*words, code=0):
    """Output of framehound-fuzz, which must end with that exit code."""
    done = subprocess.run([FUZZ, *words], capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise AssertionError(f"{words}: exit code {done.returncode}, expected {code}\n"
                             + done.stdout + done.stderr)
    return done.stdout


def run_words(*more):
    return ["run", "--builds", BUILDS, "--out", OUT, "--jobs", "2", "--timeout", "1",
            "--sample", "0.5", *more]


def triage(code=1):
    return fuzz("triage", OUT, "--builds", BUILDS, "--regressions", REGRESSIONS, "--timeout", "1",
                "--seconds", "20", code=code)


def rows(sql):
    base = sqlite3.connect(os.path.join(OUT, "campaign.db"))
    try:
        return base.execute(sql).fetchall()
    finally:
        base.close()


def executions():
    return rows("SELECT coalesce(sum(executions), 0) FROM slice")[0][0]


def matching_bugs():
    """For each planted fault the bugs that are taken for it."""
    bugs = rows("SELECT kind, signature FROM bug")
    return {kind: [text for found, text in bugs if found == kind and place in text]
            for kind, place in KINDS.items()}


def engines_at_work():
    """The processes that have our folder among their words."""
    out = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", encoding="latin-1") as file:
                if OUT in file.read() and int(name) != os.getpid():
                    out.append(int(name))
        except (OSError, ValueError):
            pass
    return out


# ---- a whole campaign ---------------------------------------------------------------------------

@test
def run_finds_and_triage_tells_apart():
    build()
    for _ in range(MOST_RUNS):
        before = executions() if os.path.exists(os.path.join(OUT, "campaign.db")) else 0
        done = subprocess.run([FUZZ, *run_words("--each", "2")], check=False, text=True,
                              capture_output=True)
        assert done.returncode in (0, 1), done.stderr
        assert executions() > before, "a second run in the same folder adds to the first"
        triage()
        if all(matching_bugs().values()):
            break
    equal({kind: len(bugs) for kind, bugs in matching_bugs().items()}, dict.fromkeys(KINDS, 1),
          "one bug for each fault")
    equal(rows("SELECT count(*) FROM crash WHERE bug IS NULL"), [(0,)], "inputs without a bug")
    # On a busy machine an engine may take for a hang what is none.
    strange = rows("SELECT kind, signature, told FROM bug WHERE kind NOT IN "
                   f"({', '.join(repr(kind) for kind in [*KINDS, triage_part.NOT_REPRODUCED])})")
    equal(strange, [], "bugs that nobody planted")


@test
def engines_work_together():
    build()
    used = {name for name, in rows("SELECT DISTINCT engine FROM slice")}
    equal(used, {"libfuzzer", "afl"} if has_afl() else {"libfuzzer"}, "engines")
    assert rows("SELECT min(cpu_seconds) FROM slice")[0][0] > 0, "each took processor time"
    equal(rows("SELECT count(*) FROM slice WHERE end IS NULL"), [(0,)], "turns that did not end")


def provide_mutator():
    """Any will do; the other campaigns are quicker without it."""
    place = os.path.join(BUILDS, "afl-mutators", "fuzz")
    os.makedirs(place)
    if MUTATOR:
        shutil.copy(MUTATOR, os.path.join(place, "libmutate_planted.so"))


@test
def builds_compare_as_others_do():
    """What an engine's compiler makes of the code is the same program."""
    if not has_afl():
        raise Skip("no AFL++ (Debian: afl++)")
    source = os.path.join(HERE, "compares.c")

    def told_by(compiler, **variables):
        program = os.path.join(FOLDER.name, "compares")
        subprocess.run([compiler, "-O2", source, "-o", program], check=True, capture_output=True,
                       env=dict(os.environ, AFL_QUIET="1", CCACHE_DISABLE="1", **variables))
        return subprocess.run([program], check=True, capture_output=True).stdout

    plain = told_by("clang")
    wrong = [build.name for build in builds.BUILDS.values() if build.compiler == "afl-clang-fast"
             and told_by(build.compiler, **build.variables) != plain]
    equal(wrong, [], "builds that compare otherwise")


@test
def corpora_are_exchanged():
    """AFL++ takes what libFuzzer and another machine's AFL++ have, libFuzzer what AFL++ has; and it
    loads the mutator of the target, if there is one."""
    build()
    if not has_afl():
        raise Skip("no AFL++ (Debian: afl++)")
    out = os.path.join(FOLDER.name, "exchange")
    for name, data in (("seeds/one", b"zz"), ("corpus/one", b"R1"),
                       ("afl/other-main/queue/id:000000,orig:one", b"q!")):
        path = os.path.join(out, "planted", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    words = ["run", "--builds", BUILDS, "--out", out, "--jobs", "1", "--timeout", "1"]
    provide_mutator()

    def queue_of(worker):
        folder = os.path.join(out, "planted/afl", worker, "queue")
        return " ".join(os.listdir(folder)) if os.path.isdir(folder) else ""
    for _ in range(10):  # on a busy machine an engine may have had no time to look
        subprocess.run([FUZZ, *words, "--engine", "afl", "--each", "3"], check=False,
                       capture_output=True)
        if "sync:afl-main" in queue_of("afl-cmplog"):
            break
    shutil.rmtree(os.path.join(BUILDS, "afl-mutators"))
    with open(os.path.join(out, "planted/logs/afl-main.log"), encoding="latin-1") as file:
        log = file.read()
    loads = re.search(r"Custom mutator '\S*libmutate_planted[.]so' installed", log)
    equal(loads is not None, MUTATOR is not None, "the mutator is loaded")
    queue = queue_of("afl-main")
    assert "sync:other-main" in queue and "sync:corpus" in queue, queue
    secondary = queue_of("afl-cmplog")
    assert "sync:afl-main" in secondary, secondary  # though the main one is at rest
    subprocess.run([FUZZ, *words, "--engine", "libfuzzer", "--each", "1"], check=False,
                   capture_output=True)
    with open(os.path.join(out, "planted/logs/libfuzzer-address.log"), encoding="latin-1") as file:
        log = file.read()
    assert re.search(r"files found in \S+afl/afl-main/queue", log), log[:1000]


@test
def no_file_is_called_as_a_target():
    """Each target has a folder of its name beside what is of all of them."""
    names = [name[len("fuzz_"):-len(".c")] for name in os.listdir(os.path.join(ROOT, "fuzz"))
             if name.startswith("fuzz_") and name.endswith(".c")]
    assert "lock" in names and "report" not in names, names
    equal([name for name in names if os.path.exists(os.path.join(OUT, name))], [], "of the campaign")


@test
def regression_files_are_small_and_listed():
    build()
    with open(os.path.join(REGRESSIONS, "regressions.tsv"), encoding="utf-8") as file:
        table = list(csv.DictReader(file, delimiter="\t"))
    found = {}
    for line in table:
        with open(os.path.join(REGRESSIONS, line["file"]), "rb") as file:
            found[line["kind"]] = file.read()
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", line["found"]), line
    equal(found, {"heap-buffer-overflow": b"B!", "undefined": b"D!", "hang": b"L!",
                  "oracle": b"O!"}, "the smallest inputs")
    before = sorted(os.listdir(os.path.join(REGRESSIONS, "planted")))
    triage()
    equal(sorted(os.listdir(os.path.join(REGRESSIONS, "planted"))), before, "files after another")


@test
def report_says_what_the_database_says():
    build()
    text = fuzz("report", OUT)
    with open(os.path.join(OUT, "report", "figures.json"), encoding="utf-8") as file:
        figures = json.load(file)
    equal(figures["executions"], executions(), "executions")
    equal(figures["failing_inputs"], rows("SELECT count(*) FROM crash")[0][0], "failing inputs")
    equal({bug["kind"] for bug in figures["bugs"]} - {triage_part.NOT_REPRODUCED}, set(KINDS),
          "bugs")
    assert f"{executions():,}" in text, text
    with open(os.path.join(OUT, "report", "index.html"), encoding="utf-8") as file:
        page = file.read()
    for chart in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        xml.dom.minidom.parseString(chart)
    assert page.count("<svg") >= 3 and "<script" not in page and "http" not in page, page[:500]
    assert figures["targets"][0]["edges"] > 0, figures["targets"][0]


@test
def rules_that_nothing_reaches_are_named():
    build()
    with open(os.path.join(OUT, "report", "figures.json"), encoding="utf-8") as file:
        figures = json.load(file)
    equal([rule["code"] for rule in figures["rules_not_reached"]], ["PLT0002"], "rules")
    equal((figures["rules"], figures["rules_reached"]), (2, 1), "number of rules")
    if not shutil.which("llvm-cov") and not shutil.which("llvm-cov-14"):
        raise Skip("no llvm-cov (Debian: llvm)")
    file, = figures["files"]
    equal(file["file"], "planted.c", "file")
    assert 0 < file["lines_reached"] < file["lines"], file


@test
def rules_and_files_are_shown_over_time():
    """A campaign of a database alone: two targets, each measured twice, 100 seconds of work."""
    place = os.path.join(FOLDER.name, "over-time")
    os.makedirs(place)
    store = store_part.Store(place)
    store.add_rules([("PLT0001", "begins with R1"), ("PLT0003", "is late"), ("PLT0004", "is not")])
    insert = lambda table, *values: store.db.execute(
        f"INSERT INTO {table} VALUES({', '.join('?' * len(values))})", values)
    for name, begun, seconds in (("a", 1000.0, 60), ("b", 1060.0, 40)):
        store.db.execute("INSERT INTO slice(target, worker, engine, sanitizers, begun, seconds) "
                         "VALUES(?, 'w', 'afl', '', ?, ?)", (name, begun, seconds))
    for row in (("b", "PLT0001", 1070.0, 7), ("a", "PLT0001", 1010.0, 5),
                ("b", "PLT0003", 1090.0, 9)):
        insert("reached", *row)
    for target, at, lines, branches in (("*", 1000.0, 10, 1), ("a", 1030.0, 30, 4),
                                        ("b", 1080.0, 20, 6), ("*", 1100.0, 45, 7)):
        insert("file_coverage", target, at, "x.c", 50, lines, 8, branches)
    store.close()
    text = fuzz("report", place)
    lines = [re.split(r"  +", line) for line in text.splitlines()]
    assert ["PLT0001", "begins with R1", "10 s", "a", "5", "b"] in lines, text
    assert ["PLT0003", "is late", "90 s", "b", "9", "-"] in lines, text
    assert not [line for line in lines if line[0] == "PLT0004" and len(line) > 2], "not reached"
    # At first, after a quarter, a half, three quarters, at last: never less than before.
    assert ["x.c", "20.0 %", "20.0 %", "60.0 %", "60.0 %", "90.0 %",
            "12.5 %", "12.5 %", "50.0 %", "50.0 %", "87.5 %"] in lines, text
    with open(os.path.join(place, "report", "figures.json"), encoding="utf-8") as file:
        figures = json.load(file)
    equal(figures["files"][0]["over_time"],
          [[0, 10, 1], [30, 30, 4], [80, 30, 6], [100, 45, 7]], "a file over time")
    equal([(rule["code"], rule["work_seconds"], rule["targets"])
           for rule in figures["rules_by_time"]],
          [("PLT0001", 10, ["a", "b"]), ("PLT0003", 90, ["b"])], "rules")
    with open(os.path.join(place, "report", "index.html"), encoding="utf-8") as file:
        page = file.read()
    sparks = re.findall(r'<svg class="spark".*?</svg>', page, re.DOTALL)
    equal([xml.dom.minidom.parseString(one).getElementsByTagName("path")[0].getAttribute("d")
           for one in sparks],
          ["M0.0 20.2H36.0V10.6H96.0V10.6H120.0V3.4H120.0V3.4",
           "M0.0 22.0H36.0V13.0H96.0V7.0H120.0V4.0H120.0V4.0"], "lines and branches of the file")
    assert "<td>PLT0003</td><td>is late</td><td class=n>90 s</td>" in page, page


@test
def killed_it_goes_on():
    build()
    before = executions()
    runner = subprocess.Popen([FUZZ, *run_words("--minutes", "1")], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 30
    while executions() == before and time.monotonic() < until:
        time.sleep(0.2)
    os.kill(runner.pid, signal.SIGKILL)
    runner.wait()
    kept = executions()
    assert kept > before, "what was done before it was killed is kept"
    until = time.monotonic() + 20
    while engines_at_work() and time.monotonic() < until:
        time.sleep(0.2)
    equal(engines_at_work(), [], "engines without a runner")
    subprocess.run([FUZZ, *run_words("--each", "1")], check=False, capture_output=True)
    assert executions() > kept, (executions(), kept)
    assert rows("SELECT count(*) FROM slice WHERE end='the runner was killed'")[0][0] > 0


@test
def wrong_words_are_told():
    build()
    fuzz(*run_words("--targets", "nothing"), code=2)
    fuzz("report", os.path.join(FOLDER.name, "nowhere"), code=2)
    fuzz("triage", os.path.join(FOLDER.name, "nowhere"), code=2)


# ---- parts ---------------------------------------------------------------------------------------

ASAN = """==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000 at pc 0x51
READ of size 1 at 0x602 thread T0
    #0 0x51d1 in __interceptor_memcpy (/b/fuzz_tod+0x1)
    #1 0x51d2 in {} /src/tod.c:12:3
    #2 0x51d3 in walk /src/tod.c:90:3
    #3 0x51d4 in LLVMFuzzerTestOneInput /src/fuzz.c:3:1
    #4 0x51d5 in fuzzer::Fuzzer::ExecuteCallback(unsigned char const*) (/b/fuzz_tod+0x2)
"""


@test
def signatures():
    read = lambda text: stacks.read(text, 77)
    equal(read(ASAN.format("take")).signature, "heap-buffer-overflow | take < walk", "a fault")
    assert read(ASAN.format("take")) != read(ASAN.format("put")), "another function, another bug"
    one, two = (read(f"a.c:{line}:1: runtime error: index {line} out of bounds for 'int [4]'\n")
                for line in (12, 99))
    equal(one.signature, two.signature, "numbers do not matter")
    first, second = (read(f"fuzz_format: violated: {truth}\n==1== ERROR: libFuzzer: deadly signal")
                     for truth in ("this", "that"))
    assert first.kind == second.kind == "oracle" and first.signature != second.signature
    about = {rule: read(f"about: {rule}\nfuzz_format: violated: verify tells it\n")
             for rule in ("HMD0021", "HMD0055", "TOD0021")}
    equal({rule: failure.signature for rule, failure in about.items()},
          {rule: f"oracle | verify tells it | {rule}" for rule in about}, "each rule is a bug")
    equal(read("about: HMD0055\nabout: HMD0021\nviolated: verify tells it\nabout: TOD0021\n")
          .signature, about["HMD0021"].signature, "one rule is one bug")
    equal(read("about: HMD0021\nit begins anew\nviolated: at most 3").signature,
          "oracle | at most N", "the rule of something else")
    equal(stacks.slug(about["TOD0021"]), "oracle-tod0021-verify-tells-it", "a file's name")
    equal(stacks.read("all is well", 0), None, "no failure")
    equal(read("==3== ERROR: libFuzzer: out-of-memory (used: 2049Mb; limit: 2048Mb)").kind,
          "memory", "kind")
    equal(read("killed").signature, "crash | exit code N", "what says nothing")


@test
def smaller_for_the_same_reason():
    data = bytes(range(65, 91)) * 20
    found = minimise.smallest(data, lambda some: b"K" in some and b"Q" in some, 20)
    equal(sorted(found), sorted(b"KQ"), "the two that matter")
    equal(minimise.smallest(b"x", lambda some: True, 5), b"", "nothing matters")
    slow = time.monotonic()
    minimise.smallest(bytes(100000), lambda some: time.sleep(0.01) or False, 0.3)
    assert time.monotonic() - slow < 5, "the time is bounded"


@test
def figures_of_engines():
    log = os.path.join(FOLDER.name, "log")
    with open(log, "w", encoding="utf-8") as file:
        file.write("#4096\tpulse  cov: 11 ft: 12 corp: 3/9b lim: 4 exec/s: 900 rss: 30Mb\n"
                   "#5000\tNEW    cov: 13 ft: 15 corp: 4/9b lim: 4 exec/s: 950 rss: 30Mb L: 4/4\n")
    stats = engines.libfuzzer_stats(log, 0)
    equal((stats["executions"], stats["edges"], stats["corpus"]), (5000, 13, 4), "libFuzzer")
    with open(log, "a", encoding="utf-8") as file:
        file.write("stat::number_of_executed_units: 6000\n")
    equal(engines.libfuzzer_stats(log, 0)["executions"], 6000, "at its end")


@test
def merges_that_were_broken_off():
    """Such a one still says how many edges what it came to has, and ends with exit code 0."""
    end = ("MERGE-OUTER: the control file has 900 bytes\n"
           "MERGE-OUTER: 3 new files with 15 new features added; 13 new coverage edges\n")
    step = "MERGE-OUTER: attempt {}\nMERGE-INNER: 9 total files\n#4\tpulse  cov: 11 ft: 12\n"
    done = "#{}\tDONE   cov: 13 ft: 15 exec/s: 9\nMERGE-OUTER: successful in {} attempt(s)\n"
    equal(measure.merged(step.format(1) + done.format(9, 1) + end), (13, 15), "whole")
    equal(measure.merged(step.format(1) + step.format(2) + done.format(4, 2) + end), (13, 15),
          "gone on with behind an input that fails")
    equal(measure.merged(step.format(1) + end), None, "none of its steps came to an end")
    equal(measure.merged(step.format(1) + "MERGE-OUTER: successful in 1 attempt(s)\n" + end), None,
          "the last step was ended")
    equal(measure.merged(step.format(1) + done.format(9, 1)), None, "it has not told")


def programs_of(place, target, script):
    """A folder of builds in which the target and its reproducer are this script."""
    for build_name, name in (("fuzz-address", "fuzz_" + target),
                             ("fuzz-coverage", f"fuzz_{target}_repro")):
        path = os.path.join(place, "builds", build_name, "fuzz", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(path, 0o755)
    return builds.Tree(os.path.join(place, "builds"))


@test
def inputs_that_go_while_they_are_measured():
    """Engines replace inputs by smaller ones all the time. To look by halves for each that is gone
    took minutes; for one that fails it is right."""
    place = os.path.join(FOLDER.name, "measured")
    corpus = os.path.join(place, "a", "corpus")
    os.makedirs(corpus)
    paths = [os.path.join(corpus, f"{i:03}") for i in range(200)]
    for path in paths:
        with open(path, "w", encoding="ascii"):
            pass
    runs = os.path.join(place, "runs")
    # As the reproducer does, it ends at a file that is not there, and dies of a bad one.
    tree = programs_of(
        place, "a", f"[ $1 = --rules ] || exit 0\nshift\necho >>{runs}\nrm -f {corpus}/05?\n"
        "for path; do\n  [ -e $path ] || exit 2\n  [ ${path##*-} != 123 ] || exit 77\n"
        "  echo $path: TOD0${path##*-}\ndone\n")
    os.remove(paths[20])
    store = store_part.Store(place)

    def measured(inputs):
        measure.rules_and_lines(store, tree, "a", inputs, (1.0, 1))
        with open(runs, encoding="ascii") as file:
            return store.one("SELECT count(*) FROM reached"), len(file.read())

    equal(measured(paths[:100] + paths[150:]), (149, 1), "rules of all that was there, and runs")
    reached, number = measured(paths)
    equal(reached, 198, "rules of all but that which was gone, and that which fails")
    assert 2 < number < 2 * 8, "runs to find it by halves"
    equal(sorted(os.listdir(os.path.join(place, "a", "coverage"))), [], "nothing is left over")


def has_ended(pid):
    """Nobody may be there to wait for it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until(condition, what):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.02)


@test
def measures_beside_the_engines():
    """Turns do not wait for a measure, and it ends with the run, with all that it has started."""
    place = os.path.join(FOLDER.name, "beside")
    os.makedirs(os.path.join(place, "a", "corpus"))
    with open(os.path.join(place, "a", "corpus", "input"), "w", encoding="ascii"):
        pass
    slow = os.path.join(place, "slow")
    tree = programs_of(
        place, "a", "case $1 in\n-merge=1)\n  for to; do [ ${to##*.} = new ] && break; done\n"
        f"  if [ -e {slow} ]; then\n"
        f"    sleep 1000 & echo $! >$to/half; mv $to/half $to/stale; cp $to/stale {slow}; wait\n"
        "  fi\n  echo >$to/smallest\n"
        "  echo MERGE-OUTER: attempt 1\n  printf '#1\\tDONE   cov: 13 ft: 15\\n'\n"
        "  echo 'MERGE-OUTER: successful in 1 attempt(s)'\n"
        "  echo 'MERGE-OUTER: 1 new files with 15 new features added; 13 new coverage edges';;\n"
        "--list-rules) echo RUN0001 of all;;\n*) echo $2: RUN0001;;\nesac\n")
    store = store_part.Store(place)
    campaign = object.__new__(runner.Campaign)
    campaign.options = types.SimpleNamespace(timeout=9, rss=2048, lengths={"a": 64}, jobs=2)
    campaign.store, campaign.tree, campaign.targets = store, tree, ["a"]
    campaign.turns, campaign.measuring, campaign.failed_measures = {}, [], 0
    campaign.measured = {"a": 0.0}

    def figures():
        return [tuple(row) for row in
                store.rows("SELECT edges, features, files, rules FROM measure")]

    campaign.measure_all()
    equal(figures(), [(13, 15, 1, 1)], "what it found")
    with open(slow, "w", encoding="ascii"):
        pass
    campaign.measure(0)
    wait_until(lambda: os.path.getsize(slow) > 0, "a merge that takes long")
    campaign.measure(0)
    equal([one.ended() for one in campaign.measuring], [None], "one goes on, and nobody waits")
    with open(slow, encoding="ascii") as file:
        inner = int(file.read())
    campaign.stop()
    equal(campaign.measuring, [], "it was ended")
    wait_until(lambda: has_ended(inner), "what the merge has started ends, too")
    equal(figures(), [(13, 15, 1, 1)], "nothing is told of a measure that was ended")
    os.remove(slow)
    campaign.measure_all()
    equal(figures(), [(13, 15, 1, 1)] * 2, "and the next one begins anew")
    equal(sorted(os.listdir(os.path.join(place, "a", "smallest"))), ["smallest"],
          "without what the one that was ended has left")
    equal(campaign.failed_measures, 0, "all were done, or ended on purpose")
    campaign.store = types.SimpleNamespace(folder=os.path.join(place, "a"))  # no campaign
    campaign.begin_measure("a")
    wait_until(lambda: campaign.end_measures() or not campaign.measuring, "a measure that fails")
    equal(campaign.failed_measures, 1, "one that fails is counted")


@test
def dictionaries_are_read_strictly():
    path = os.path.join(FOLDER.name, "words.dict")
    with open(path, "w", encoding="latin-1") as file:
        file.write('# words\nmagic="PSX\\x00"\n"\\"q\\""\nbad=PSX\n"\\x0"\nlevel@2="a"\n')
    tokens, bad = seeds.tokens_of(path)
    equal((tokens, bad), (['PSX\\x00', '\\"q\\"', "a"], 2), "tokens, and lines that are none")
    equal(seeds.length('PSX\\x00\\"'), 5, "bytes of a token")


@test
def rules_of_every_target_are_known():
    """Each may list those of its own format alone."""
    place = os.path.join(FOLDER.name, "targets")
    for name in ("a", "b"):
        os.makedirs(os.path.join(place, name, "coverage"))
        program = os.path.join(place, name + ".sh")
        with open(program, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\necho RUN0001 of all\necho {name.upper()}0001 of {name}\n")
        os.chmod(program, 0o755)

    class Tree:
        def program(self, _build, target):
            return os.path.join(place, target + ".sh")

    store = store_part.Store(place)
    for name in ("a", "b"):
        measure.rules_and_lines(store, Tree(), name, [], (1.0, 1))
    equal([row["code"] for row in store.rows("SELECT code FROM rule ORDER BY code")],
          ["A0001", "B0001", "RUN0001"], "rules")


tap.main()
