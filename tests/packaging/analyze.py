#!/usr/bin/env python3
"""Looks at each source file of a build once with one tool that analyses C.

Usage: analyze.py TOOL ROOT BUILD KEEP [--allow-missing] [PATH...]. TOOL is gcc, clang-tidy, scan-build or cppcheck;
BUILD is a build of meson with clang, whose compile_commands.json says how each file is compiled. A
file that is compiled for several programs is looked at as the first of them has it, one that this
build does not compile as the file beside it whose name is most like its own. Files below BUILD are
left out: they were made. PATHs, from ROOT, are how the paths of the files begin that are wanted.

What a tool says goes to standard output, and a last line sums up: reports (one that several files
share, in a header, counts once), files, seconds. Exit code 1 if there is a report, or if the tool
ended badly without one, or is not installed, but for --allow-missing.

KEEP is a folder where files without a report are noted, so that they are looked at again only when
they, what they include, the options or the tool have changed; a line says how many were.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

# The Debian packages of the tools; clang says of each file what it includes.
PACKAGES = {"gcc": "gcc", "clang-tidy": "clang-tidy", "scan-build": "clang-tools",
            "cppcheck": "cppcheck", "clang": "clang"}

# Without optimisation it sees the most.
GCC = ["-O0", "-fanalyzer", "-Wno-error"]

# Leaks that gcc 12 reports and that are none: by file, the function in which it does, and what
# becomes of the memory. All have one reason: a pointer that is stored in an element of a list whose
# index is not known, or in a struct behind a pointer while such a list is written to, is forgotten
# by gcc 12, which then takes what it points to for lost. A leak anywhere else is a report, and so
# is an entry here that gcc 12 has no leak for any more.
NO_LEAKS = {
    "reports/svg.c": {"add_marker": "pose->markers has it; fh_svg_free"},
    "scanner/claims.c": {"add_sheet": "claims->sheets has it; fh_claims_free"},
    "scanner/cmd_report.c": {"read_foreign": "run->foreign has it; free_rules"},
    "scanner/gate/baseline.c": {"put": "baseline->items has it; fh_baseline_free"},
    "scanner/gate/choice.c": {"put": "choices->items has it; fh_choices_free"},
    "scanner/gate/config.c": {"take_value": "config->values has it; fh_config_free"},
    "scanner/gate/lists.c": {"take": "list->names has it; fh_list_free"},
    "scanner/hunt/join.c": {"copy_runs": "join->parts has it; fh_join_free",
                            "keep": "join->parts has it; fh_join_free"},
    "scanner/kept_walk.c": {"keep": "kept->steps has it; fh_kept_walk_free"},
    "scanner/source/iso_tree.c": {"add_file": "tree->files has it; free_tree of iso9660.c"},
    "scanner/source/keep.c": {"note_likely": "keep->likely has it; fh_keep_free"},
}

# valist.Uninitialized of clang 14 forgets va_start in the second file of a run.
SCAN_BUILD = ["scan-build", "--use-cc=clang", "--status-bugs", "-disable-checker",
              "valist.Uninitialized"]

# Questions of style are clang-tidy's. Attributes are taken away: cppcheck stumbles over some.
# A header of libpng refuses machines by limits.h, which cppcheck does not look at.
CPPCHECK = ["cppcheck", "--std=c11", "--quiet", "-D__attribute__(x)=", "--inline-suppr",
            "--suppress=preprocessorErrorDirective:*/pngconf.h",
            "--enable=warning,performance,portability", "--error-exitcode=1",
            "--template={file}:{line}:{column}: warning: {message} [{id}]", f"-j{os.cpu_count()}"]

REPORT = re.compile(r"^\S+?:\d+:(\d+:)? (warning|error|fatal error): ")

FUNCTION = re.compile(r"^\S+: In function '([^']+)':$")
LEAK = re.compile(r"\[-Wanalyzer-(malloc|file)-leak\]$")

# Seconds for one file. The slowest takes a tenth of it; a tool that hangs is told, not waited for.
PATIENCE = 1200


def run(command, cwd, patience=PATIENCE):
    try:
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=patience, check=False,
                              env={**os.environ, "LC_ALL": "C"})
    except subprocess.TimeoutExpired:
        return 1, f"{command[0]}: no end after {patience} seconds\n"
    return done.returncode, done.stdout


def options_of(entry):
    """The options of a compilation that say what the source means: without compiler and outputs."""
    words = iter(shlex.split(entry["command"])[1:])
    options = []
    for word in words:
        if word in ("-MQ", "-MF", "-o", "-c"):
            next(words)
        elif word not in ("-MD", "-fcolor-diagnostics"):
            options.append(word)
    return options


def reports_of(text, known):
    """The reports in what a tool says, but not leaks in the functions that are known to have none;
    and those functions for which it says so."""
    reports, seen, function = [], set(), None
    for line in text.splitlines():
        begins = FUNCTION.match(line)
        function = begins.group(1) if begins else function
        if not REPORT.match(line):
            continue
        if function in known and LEAK.search(line):
            seen.add(function)
        else:
            reports.append(line)
    return reports, seen


class Unit:
    """A source file, how it is compiled, and where."""

    def __init__(self, folder, path, options):
        self.folder = folder
        self.path = path
        self.options = options

    def database(self):
        return {"directory": self.folder, "file": self.path,
                "command": shlex.join(["clang", *self.options, "-c", self.path])}


def beside(paths):
    """The other source files in the folders of these."""
    folders = {os.path.dirname(path) for path in paths}
    there = {os.path.join(folder, name) for folder in folders for name in os.listdir(folder)
             if name.endswith(".c")}
    return sorted(there - set(paths))


def units_of(root, build, wanted):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    first = {}
    for entry in entries:
        folder = entry["directory"]
        path = os.path.normpath(os.path.join(folder, entry["file"]))
        if not path.startswith(os.path.realpath(build) + os.sep):
            first.setdefault(path, Unit(folder, path, options_of(entry)))
    for path in beside(first):
        like = max(sorted(first), key=lambda other: len(os.path.commonprefix([path, other])))
        first[path] = Unit(first[like].folder, path, first[like].options)
    if wanted:
        begins = tuple(os.path.join(os.path.realpath(root), path) for path in wanted)
        first = {path: unit for path, unit in first.items() if path.startswith(begins)}
    assert first, f"{build} compiles nothing of {root} that is wanted"
    return [first[path] for path in sorted(first)]


class Tool:
    """How one tool is called for a file."""

    def __init__(self, name, root, keep):
        self.name = name
        self.root = root
        self.keep = os.path.join(keep, name)
        os.makedirs(self.keep, exist_ok=True)
        self.contents = {}
        self.version = run([name, "--version"] if name != "scan-build" else
                           ["clang", "--version"], root)[1]

    def command(self, unit):
        made = os.path.join(self.keep, hashlib.sha256(unit.path.encode()).hexdigest()[:16])
        if self.name == "gcc":
            return ["gcc", *unit.options, *GCC, "-c", unit.path, "-o", made + ".o"]
        if self.name == "scan-build":
            return [*SCAN_BUILD, "-o", made, "clang", *unit.options, "-c", unit.path, "-o",
                    made + ".o"]
        return ["clang-tidy", "--quiet", unit.path, "--", *unit.options]

    def known(self, unit):
        """Functions of the file that are reported for leaks, but have none."""
        if self.name != "gcc":
            return {}
        return NO_LEAKS.get(os.path.relpath(unit.path, os.path.realpath(self.root)), {})

    def content(self, path):
        if path not in self.contents:
            with open(path, "rb") as file:
                self.contents[path] = hashlib.sha256(file.read()).digest()
        return self.contents[path]

    def note(self, unit):
        """Where it is noted that the file had no report, as it and all that it includes are now."""
        status, rule = run(["clang", *unit.options, "-M", unit.path], unit.folder)
        if status != 0:
            return None
        total = hashlib.sha256(self.version.encode() + repr(self.command(unit)).encode())
        if self.name == "gcc":
            total.update(repr(sorted(self.known(unit))).encode())
        paths = rule.replace("\\\n", " ").split(":", 1)[1].split()
        paths += [path for path in (os.path.join(self.root, ".clang-tidy"),)
                  if self.name == "clang-tidy" and os.path.exists(path)]
        for path in paths:
            total.update(self.content(os.path.join(unit.folder, path)))
        return os.path.join(self.keep, total.hexdigest() + ".clean")

    def look(self, unit):
        """What the tool says, the reports in it, and whether it looked or it was known before."""
        note = self.note(unit)
        if note and os.path.exists(note):
            return "", [], False
        status, text = run(self.command(unit), unit.folder)
        known = self.known(unit)
        reports, seen = reports_of(text, known)
        if status != 0 and not reports:
            reports.append(f"{self.name} failed on {unit.path}")
        if " 12." in self.version.split("\n", 1)[0]:
            reports += [f"{unit.path}: no leak is reported in {function}: take it from NO_LEAKS of "
                        "analyze.py" for function in sorted(set(known) - seen)]
        if note and not reports:
            with open(note, "w", encoding="utf-8"):
                pass
        return text, reports, True


def look_at_all(root, keep, units):
    """cppcheck: it looks at what files know of each other, so it gets all at once, and keeps by
    itself what it knows of files that do not change."""
    folder = os.path.join(keep, "cppcheck")
    project = os.path.join(folder, "compile_commands.json")
    os.makedirs(folder, exist_ok=True)
    with open(project, "w", encoding="utf-8") as file:
        json.dump([unit.database() for unit in units], file)
    status, text = run([*CPPCHECK, f"--project={project}", f"--cppcheck-build-dir={folder}"], root,
                       6 * PATIENCE)
    reports, _ = reports_of(text, {})
    print(text, end="", flush=True)
    return set(reports if reports or status == 0 else ["cppcheck failed"])


def look_at_each(tool, units):
    reports, looked = set(), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for text, found, new in pool.map(tool.look, units):
            looked += new
            reports.update(found)
            if found:
                print(text, *(line for line in found if line not in text), sep="\n", flush=True)
    print(f"{tool.name}: {looked} files are new or changed", flush=True)
    return reports


def missing_tools(name, is_allowed):
    """The exit code where a tool is missing, else None."""
    missing = [tool for tool in (name, "clang") if shutil.which(tool) is None]
    if not missing:
        return None
    packages = " ".join(PACKAGES[tool] for tool in missing)
    print(f"{'skipped' if is_allowed else name}: {', '.join(missing)} not installed; on Debian: "
          f"apt-get install {packages}")
    return 0 if is_allowed else 1


def main():
    name, root, build, keep = sys.argv[1:5]
    code = missing_tools(name, "--allow-missing" in sys.argv[5:])
    if code is not None:
        return code
    start = time.monotonic()
    units = units_of(root, build, [path for path in sys.argv[5:] if not path.startswith("--")])
    keep = os.path.abspath(keep)
    if name == "cppcheck":
        reports = look_at_all(root, keep, units)
    else:
        reports = look_at_each(Tool(name, root, keep), units)
    print(f"{name}: {len(reports)} reports, {len(units)} files, "
          f"{time.monotonic() - start:.0f} s", flush=True)
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main())
