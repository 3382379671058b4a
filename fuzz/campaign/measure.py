"""What the engines have reached together: edges, rules, lines and branches of every file.

Edges are those of one libFuzzer build over all corpora. Rules and lines come from the reproducer of
the coverage build, which runs each input once in the life of a campaign: its profile is kept.
"""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from . import engines
from .common import ROOT, files_in, folder, say
from .process import end_with_parent

ROOMS = ("formats", "scanner", "library", "reports")
AT_ONCE = 400       # files that one process of the reproducer gets
LONGEST = 600       # seconds of one step
ATTEMPT = "MERGE-OUTER: attempt "
DONE = re.compile(r"^#\d+\s+DONE\b.*^MERGE-OUTER: succes+ful in ", re.MULTILINE | re.DOTALL)
MERGED = re.compile(r"MERGE-OUTER: \d+ new files with (\d+) new features added; (\d+) new coverage")
EDGE_BUILDS = ("fuzz-address", "fuzz-undefined")


def tool(name):
    """The path of an LLVM tool, whichever version of it is there."""
    for candidate in (name, f"{name}-14"):
        if shutil.which(candidate):
            return shutil.which(candidate)
    return None


def started(command, **more):
    """Starts a command. It could not be ended by one who was ended while it began."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})

    def prepare():
        end_with_parent()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, start_new_session=True,
                                preexec_fn=prepare, **more)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def call(command, **more):
    """(exit code, output) of a command; a code of None says that it took too long. What it has
    started ends with it: the inner processes of a merge would go on."""
    with started(command, **more) as process:
        try:
            output = process.communicate(timeout=LONGEST)[0]
            return process.returncode, output.decode("latin-1")
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def empty_folder(path):
    """There may be one already, of a measure that was ended. It goes at the end."""
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def keep_all(paths, to):
    """Links files into a folder: engines replace inputs by smaller ones all the time, and a merge
    begins again behind each that is gone. Returns where each is that was there."""
    kept = {}
    for i, path in enumerate(paths):
        with contextlib.suppress(FileNotFoundError):
            place = os.path.join(to, f"{i}-{os.path.basename(path)}")
            os.link(path, place)
            kept[place] = path
    return kept


def merged(text):
    """(edges, features) of what libFuzzer says of a merge, None unless that went through every input: an
    outer process whose inner ones were ended by somebody counts what they had come to, and calls it
    a day with exit code 0."""
    last = text.rpartition(ATTEMPT)[2]
    found = MERGED.findall(last)
    return (int(found[-1][1]), int(found[-1][0])) if found and DONE.search(last) else None


def input_files(out, target):
    return [path for place in engines.corpora(out, target) for path in files_in(place)]


def edges(tree, target, out, options):
    """(edges, features) of all inputs, or what went wrong as a text. libFuzzer's merge goes on
    behind an input that fails, and leaves the smallest set of inputs that reaches as much."""
    program = next((path for path in (tree.program(build, target) for build in EDGE_BUILDS)
                    if path is not None), None)
    if program is None:
        return (None, None), "there is no libFuzzer build"
    smallest = os.path.join(out, target, "smallest")
    shutil.rmtree(smallest + ".new", ignore_errors=True)  # of a measure that was ended
    fresh = folder(smallest + ".new")
    with empty_folder(os.path.join(out, target, "merged")) as kept:
        keep_all(input_files(out, target), kept)
        code, text = call([program, "-merge=1", f"-timeout={options.timeout}",
                           f"-rss_limit_mb={options.rss}", f"-max_len={options.lengths[target]}",
                           f"-artifact_prefix={folder(out, target, 'crashes')}/", fresh, kept],
                          env=dict(os.environ, ASAN_OPTIONS=engines.ASAN,
                                   UBSAN_OPTIONS=engines.UBSAN))
    found = merged(text)
    if code != 0 or found is None:
        shutil.rmtree(fresh)
        return (None, None), ("it took too long" if code is None else
                              f"exit code {code}" if code != 0 else "it was broken off")
    shutil.rmtree(smallest, ignore_errors=True)
    os.rename(fresh, smallest)
    return found, None


def run_files(program, paths, profiles):
    """Runs the reproducer over files. Returns the codes of rules, and the files that fail."""
    codes, failed, rest = set(), [], [paths[i:i + AT_ONCE] for i in range(0, len(paths), AT_ONCE)]
    while rest:
        batch = rest.pop()
        code, text = call([program, "--rules", *batch],
                          env=dict(os.environ, LLVM_PROFILE_FILE=f"{profiles}/%p.profraw"))
        for line in text.splitlines():
            codes.update(line.rpartition(": ")[2].split() if ": " in line else ())
        if code != 0 and len(batch) > 1:
            half = len(batch) // 2
            rest += [batch[:half], batch[half:]]
        elif code != 0:
            failed += batch
    return {code for code in codes if re.fullmatch(r"[A-Z]{3}\d{4}", code)}, failed


def merge(out, sources):
    """Adds profiles up into one; returns whether it is there."""
    merger = tool("llvm-profdata")
    there = [path for path in [out, *sources] if os.path.exists(path)]
    if merger is None or not there:
        return False
    with tempfile.NamedTemporaryFile("w", suffix=".list", encoding="utf-8") as names:
        names.writelines(path + "\n" for path in there)
        names.flush()
        code, text = call([merger, "merge", "-sparse", "-o", out + ".new", "-f", names.name])
    if code != 0:
        say(f"{merger}: {text.strip()[-500:]}")
        return False
    os.replace(out + ".new", out)
    return True


def name_of(path, everything):
    """Relative to the project; None for what is not counted: all but the rooms of the program."""
    inside = os.path.relpath(os.path.realpath(path), ROOT)
    if everything:
        return os.path.basename(inside)
    return inside if inside.split(os.sep)[0] in ROOMS else None


def by_file(profile, programs, everything):
    """(name, (lines, reached, branches, reached)) of every file of ours."""
    shower = tool("llvm-cov")
    if shower is None:
        return []
    command = [shower, "export", "-summary-only", f"-instr-profile={profile}", programs[0]]
    for program in programs[1:]:
        command += ["-object", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        say(f"{shower}: {done.stderr.strip()[-500:]}")
        return []
    out = []
    for file in json.loads(done.stdout)["data"][0]["files"]:
        name, of = name_of(file["filename"], everything), file["summary"]
        if name is not None:
            out.append((name, (of["lines"]["count"], of["lines"]["covered"],
                               of["branches"]["count"], of["branches"]["covered"])))
    return out


def totals(files):
    return [sum(counts[i] for _, counts in files) if files else None for i in range(4)]


def list_rules(store, program):
    """Targets that link one format know its rules alone."""
    code, text = call([program, "--list-rules"],
                      env=dict(os.environ, LLVM_PROFILE_FILE="/dev/null"))
    if code == 0:
        store.add_rules([tuple(line.split(" ", 1)) for line in text.splitlines() if " " in line])


def profile_of(out, target):
    return os.path.join(folder(out, target, "coverage"), "all.profdata")


def rules_and_lines(store, tree, target, paths, moment):
    """Runs the inputs that are new. Returns what a measure says of lines, and the files."""
    program = tree.program("fuzz-coverage", target)
    if program is None:
        return [None] * 4, []
    list_rules(store, program)
    names = {os.path.relpath(path, store.folder): path for path in paths}
    new = store.unmeasured(target, names)
    coverage = folder(store.folder, target, "coverage")
    with empty_folder(os.path.join(coverage, "profiles")) as profiles, \
            empty_folder(os.path.join(coverage, "inputs")) as inputs:
        kept = keep_all([names[name] for name in new], inputs)
        codes, failed = run_files(program, list(kept), profiles)
        profile = profile_of(store.folder, target)
        has_profile = merge(profile, files_in(profiles))
    if failed:
        say(f"{target}: {len(failed)} inputs fail in {program}, the first is {kept[failed[0]]}")
    store.add_reached(target, codes, moment)
    store.add_measured(target, new)
    files = by_file(profile, [program], bool(tree.made)) if has_profile else []
    return totals(files), files


def measure(store, tree, target, options):
    """Measures a target and keeps the figures. Engines go on while it does: what it tells is told of
    the moment in which it begins."""
    moment = (time.time(), store.executions(target))
    paths = input_files(store.folder, target)
    (num_edges, features), failed = edges(tree, target, store.folder, options)
    lines, files = rules_and_lines(store, tree, target, paths, moment)
    store.add_measure(target, moment, {
        "edges": num_edges, "features": features, "files": len(paths), "failed": failed,
        "rules": store.one("SELECT count(*) FROM reached WHERE target=?", target),
        "lines": lines[0], "lines_reached": lines[1], "branches": lines[2],
        "branches_reached": lines[3]})
    if files:
        store.add_file_coverage(target, moment[0], files)


def together(store, tree, targets):
    """The coverage of all targets of the campaign as one, kept under the name *."""
    known = {row[0] for row in store.rows("SELECT DISTINCT target FROM measure")} | set(targets)
    there = [name for name in sorted(known) if tree.program("fuzz-coverage", name)
             and os.path.exists(profile_of(store.folder, name))]
    if not there:
        return
    profile = os.path.join(store.folder, "all.profdata")
    if os.path.exists(profile):
        os.remove(profile)
    if merge(profile, [profile_of(store.folder, name) for name in there]):
        files = by_file(profile, [tree.program("fuzz-coverage", name) for name in there],
                        bool(tree.made))
        store.add_file_coverage("*", time.time(), files)
