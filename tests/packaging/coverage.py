#!/usr/bin/env python3
"""Measures what the tests reached: lines, functions, branches, conditions (MC/DC) of each file.

Usage: coverage.py ROOT BUILD PROFILES [--demand] [--missing PREFIX]...
       coverage.py --tests BUILD [NAME...]
BUILD was made by clang with -fcoverage-mapping -fcoverage-mcdc and -DFH_COVERAGE, its programs have
left their counts (*.profraw) in the folder PROFILES. Files of formats/ are listed one by one, and
the totals of formats/, scanner/ and reports/. --missing lists every line, branch and condition that
was not covered in the files whose path begins so ("formats/tod").

What is measured, and what is not:
- a line is covered if any of its code ran; a branch if its condition was both true and false; a
  condition of a decision with && and || if a pair of runs showed that it alone changed the outcome
  (masking MC/DC, as LLVM computes it). Functions that are compiled into several programs or files
  count once.
- NEVER(x) and ALWAYS(x) (formats/core/never.h) mark what no input can reach. They are constants
  here, so that they are no branch; the lines behind a NEVER are counted apart, as "marked", not as
  covered, and --missing lists them. Other builds assert that they are not reached.
- Conditions of decisions that LLVM cannot measure are counted apart too, as "unmeasured".
"""
import collections
import fnmatch
import glob
import json
import os
import re
import subprocess
import sys

LLVM = os.environ.get("FRAMEHOUND_LLVM", "-19")  # how the tools of the compiler's version end
ROOMS = ("formats", "scanner", "reports")
# What all tests together have to reach, in percent: lines, functions, branches, conditions.
KINDS = ("lines", "functions", "branches", "MC/DC")
DEMANDS = {"formats": {"lines": 100, "branches": 100, "MC/DC": 95}, "scanner": {"branches": 90},
           "reports": {"branches": 90}}
BRANCH = 4  # the kind of a condition that is part of no decision, of a measured one it is 6
# Not measured: what looks at files and builds, and what makes builds of its own; of the first one
# runs a program that is.
LEFT_OUT = ("packaging/", "mutation/planted")
RUNS_OURS = ("packaging/fixtures",)
CONSTANTS = ("true", "false", "0", "1", "NEVER", "ALWAYS")
MARK = re.compile(r"\b(?:NEVER|ALWAYS)\s*\(")
OPENS = re.compile(r"\bif\s*\(")


class File:
    def __init__(self, path, text):
        self.path, self.text = path, text.split("\n")
        self.lines = {}                                  # number: count
        self.branches = collections.defaultdict(lambda: [0, 0])
        self.decisions = {}                              # place: the conditions shown
        self.functions = collections.defaultdict(int)    # place: count
        self.unmeasured = set()                          # conditions
        self.marked = marked_lines(text)

    def source(self, line, column, end_line, end_column):
        if line != end_line:
            return self.text[line - 1][column - 1:].strip() + " ..."
        return self.text[line - 1][column - 1:end_column - 1]

    def range(self, line, column, end_line, end_column):
        lines = self.text[line - 1:end_line]
        lines[-1] = lines[-1][:end_column - 1]
        lines[0] = lines[0][column - 1:]
        return "\n".join(lines)

    def counts(self):
        """Pairs of covered and all: lines, functions, branches, conditions; and what is marked."""
        lines = {line: count for line, count in self.lines.items()
                 if count or line not in self.marked}
        shown = [shown for conditions in self.decisions.values() for shown in conditions]
        ways = [count for pair in self.branches.values() for count in pair]
        return [(sum(count > 0 for count in some), len(some))
                for some in (lines.values(), self.functions.values(), ways, shown)] + [
                    len(self.lines) - len(lines), len(self.unmeasured)]


def end_of(text, at, opening, closing):
    """Where the bracket that opens at `at` is closed."""
    depth = 0
    while True:
        depth += (text[at] == opening) - (text[at] == closing)
        if depth == 0:
            return at
        at += 1


def blank(text):
    """The text without comments, strings and character constants; places stay what they are."""
    def fill(match):
        return re.sub(r"[^\n]", " ", match.group())
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", fill, text,
                  flags=re.DOTALL)


def marked_lines(text):
    """The lines in the braces behind an if whose condition has a mark."""
    text = blank(text)
    lines = set()
    for match in OPENS.finditer(text):
        close = end_of(text, match.end() - 1, "(", ")")
        brace = re.compile(r"\s*\{").match(text, close + 1)
        if brace and MARK.search(text, match.end(), close):
            end = end_of(text, brace.end() - 1, "{", "}")
            lines.update(range(text.count("\n", 0, brace.end()) + 2,
                               text.count("\n", 0, end) + 2))
    return lines


def programs(build):
    with open(os.path.join(build, "meson-info", "intro-targets.json"), encoding="utf-8") as file:
        for target in json.load(file):
            if target["type"] in ("executable", "shared library"):
                yield from filter(os.path.exists, target["filename"])


def export(build, profiles):
    merged = os.path.join(profiles, "all.profdata")
    raw = sorted(glob.glob(os.path.join(profiles, "*.profraw")))
    if not raw:
        sys.exit(f"coverage.py: no counts in {profiles}: did the tests run?")
    # A program that was killed while it wrote leaves counts that cannot be read. They are left out,
    # which makes the numbers smaller.
    subprocess.run(["llvm-profdata" + LLVM, "merge", "-sparse", "--failure-mode=all", "-o", merged,
                    *raw], check=True)
    objects = [word for path in programs(build) for word in ("-object", path)]
    done = subprocess.run(["llvm-cov" + LLVM, "export", "-instr-profile", merged, *objects],
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return json.loads(done.stdout)["data"][0]


def lines_of(segments):
    """The counts of lines as LLVM reckons them: the most often run code of each."""
    by_line = collections.defaultdict(list)
    for segment in segments:
        by_line[segment[0]].append(segment)
    wrapped, counts = None, {}
    for line in range(segments[0][0], segments[-1][0] + 1) if segments else ():
        here = by_line.get(line, [])
        starts = [count for _, _, count, has, entry, gap in here if has and entry and not gap]
        skipped = here and not here[0][3] and here[0][4]
        if any(has and entry for _, _, _, has, entry, _ in here) or (
                not skipped and wrapped and wrapped[3]):
            counts[line] = max(starts + ([wrapped[2]] if wrapped and wrapped[3] else []),
                               default=0)
        if here:
            wrapped = here[-1]
    return counts


def is_constant(source):
    return bool(re.fullmatch("|".join(CONSTANTS), source.strip()) or MARK.match(source))


def collect(root, data):
    files = {}
    def file_of(path):
        relative = os.path.relpath(os.path.realpath(path), root)
        if not relative.startswith(tuple(room + "/" for room in ROOMS)):
            return None
        if relative not in files:
            with open(os.path.join(root, relative), encoding="utf-8") as text:
                files[relative] = File(relative, text.read())
        return files[relative]

    for each in data["files"]:
        file = file_of(each["filename"])
        if file is not None:
            file.lines = lines_of(each["segments"])
            for place in each["mcdc_records"]:
                add_decision(file, place)
    for function in data["functions"]:
        names = function["filenames"]
        file = file_of(names[0])
        if file is None:
            continue
        file.functions[tuple(function["regions"][0][:2])] += function["count"]
        for branch in function["branches"]:
            within = file_of(names[branch[6]])
            if within is not None and not is_constant(within.source(*branch[:4])) and (
                    not within.path.endswith("core/never.h")):
                both = within.branches[tuple(branch[:4])]
                both[0] += branch[4]
                both[1] += branch[5]
                if branch[8] == BRANCH and is_part_of_decision(within, branch):
                    within.unmeasured.add(tuple(branch[:4]))
    return files


def conditions_of(text):
    """The texts between the && and || of a decision, in order; those in calls are parts of one."""
    text, found, calls, depth, start = blank(text), [], [], 0, 0
    for at, sign in enumerate(text):
        if sign == "(":
            depth += 1
            if re.search(r"\w\s*$", text[:at]):
                calls.append(depth)
        elif sign == ")":
            if calls and calls[-1] == depth:
                calls.pop()
            depth -= 1
        elif not calls and text[at:at + 2] in ("&&", "||"):
            found.append(text[start:at])
            start = at + 2
    return found + [text[start:]]


def add_decision(file, record):
    place, shown = tuple(record[:4]), record[-1]
    found = conditions_of(file.range(*place))
    if len(found) == len(shown):  # a constant decides nothing, and is none
        shown = [one for one, text in zip(shown, found) if not is_constant(text.strip(" \n(!"))]
    before = file.decisions.get(place)
    if before is None or len(before) != len(shown):
        file.decisions[place] = shown
    else:
        file.decisions[place] = [a or b for a, b in zip(before, shown)]


def is_part_of_decision(file, branch):
    """Whether && or || stands beside the condition."""
    line, column, end_line, end_column = branch[:4]
    before = (" ".join(file.text[max(0, line - 3):line - 1]) + " "
              + file.text[line - 1][:column - 1]).rstrip(" (!")
    after = (file.text[end_line - 1][end_column - 1:] + " "
             + " ".join(file.text[end_line:end_line + 2])).lstrip(" )")
    return before.endswith(("&&", "||")) or after.startswith(("&&", "||"))


def share(covered, all_):
    return "      -" if all_ == 0 else f"{100 * covered / all_:6.2f}%"


def row(name, counts):
    cells = "".join(f"{covered:6d}/{all_:<5d}{share(covered, all_)}"
                    for covered, all_ in counts[:4])
    return f"{name:38s}{cells}{counts[4]:8d}{counts[5]:11d}"


def added(rows):
    sums = [[0, 0], [0, 0], [0, 0], [0, 0], 0, 0]
    for counts in rows:
        for at, (covered, all_) in enumerate(counts[:4]):
            sums[at] = [sums[at][0] + covered, sums[at][1] + all_]
        sums[4], sums[5] = sums[4] + counts[4], sums[5] + counts[5]
    return sums


def tell(files):
    heads = "".join(f"{what:>19s}" for what in KINDS)
    print(f"{'':38s}{heads}  marked unmeasured")
    folders = sorted({os.path.dirname(path) for path in files if path.startswith("formats/")})
    for folder in folders + list(ROOMS):
        within = [file for path, file in sorted(files.items()) if path.startswith(folder + "/")]
        for file in within if folder in folders else ():
            print(row(file.path, file.counts()))
        print(row(folder + "/", added(file.counts() for file in within)))
        print()


def fall_short(files):
    """A line for each demand that is not met. Where nothing was measured, none is."""
    for room, demands in DEMANDS.items():
        counts = dict(zip(KINDS, added(file.counts() for path, file in files.items()
                                       if path.startswith(room + "/"))))
        for kind, percent in demands.items():
            covered, all_ = counts[kind]
            if all_ == 0 or 100 * covered < percent * all_:
                yield (f"coverage: {kind} of {room}/: {covered} of {all_}, "
                       f"{share(covered, all_).strip()}, but {percent}% are demanded")


def tell_missing(file):
    found = []
    for line, count in file.lines.items():
        if count == 0:
            what = "marked: never reached" if line in file.marked else "line"
            found.append((line, 0, f"{what}: {file.text[line - 1].strip()}"))
    for place, (true, false) in file.branches.items():
        if not (true and false) and place[0] not in file.marked:
            missed = "evaluated" if not (true or false) else "false" if true else "true"
            found.append((*place[:2], f"branch never {missed}: {file.source(*place)}"))
    for place, shown in file.decisions.items():
        if not all(shown):
            numbers = ", ".join(str(at + 1) for at, one in enumerate(shown) if not one)
            found.append((*place[:2], f"condition {numbers} of {len(shown)} not shown: "
                          + file.source(*place)))
    found += [(*place[:2], f"condition not measured by the compiler: {file.source(*place)}")
              for place in file.unmeasured]
    for line, column, what in sorted(found):
        print(f"{file.path}:{line}:{column}: {what}")


def print_tests(build, patterns):
    with open(os.path.join(build, "meson-info", "intro-tests.json"), encoding="utf-8") as file:
        names = [test["name"] for test in json.load(file)]
    for name in names:
        wanted = any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
        if wanted if patterns else not name.startswith(LEFT_OUT) or name in RUNS_OURS:
            print(name)


def main():
    if sys.argv[1] == "--tests":
        print_tests(sys.argv[2], sys.argv[3:])
        return
    root, build, profiles = (os.path.realpath(path) for path in sys.argv[1:4])
    words = sys.argv[4:]
    prefixes = tuple(word for word in words if not word.startswith("--"))
    files = collect(root, export(build, profiles))
    tell(files)
    for path, file in sorted(files.items()):
        if path.startswith(prefixes):
            tell_missing(file)
    short = list(fall_short(files)) if "--demand" in words else []
    for line in short:
        print(line)
    sys.exit(1 if short else 0)


if __name__ == "__main__":
    main()
