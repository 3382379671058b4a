#!/usr/bin/env python3
"""coverage.py against a report made up here: what a run of all tests has to reach."""
import json
import os
import subprocess
import sys
import tempfile

import tap
from tap import equal, test

COVERAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "coverage.py")
SOURCE = "int f(int a, int b)\n{\n    return a && b;\n}\n"
LINES = range(1, 5)
# Places in line 3: each condition, and the decision that both are.
CONDITIONS = [(3, 12, 3, 13), (3, 17, 3, 18)]
DECISION = (3, 12, 3, 18)


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def report(paths, missing):
    """What LLVM would export of these files. missing has the kinds of which one in each file, the
    last, is not reached: (room, kind); the kind ten is branches, of which one in twelve is not."""
    files, functions = [], []
    for room, path in paths:
        def has(kind, room=room):
            return (room, kind) in missing
        counts = {line: 0 if line == LINES[-1] and has("lines") else 1 for line in LINES}
        segments = [segment for line, count in counts.items() for segment in (
            [line, 1, count, True, True, False], [line, 2, 0, False, False, False])]
        files.append({"filename": path, "segments": segments, "mcdc_records": [
            [*DECISION, 0, 0, 0, 0, 6, [True, not has("MC/DC")]]]})
        branches = [[*place, 5, 5, 0, 0, 6] for place in CONDITIONS]
        if has("branches"):
            branches[1][5] = 0
        if has("ten"):  # 11 of 12 ways: 91.7 %
            branches = [[3, 12, 3, 13 + i, 5, 5, 0, 0, 6] for i in range(6)]
            branches[1][5] = 0
        functions.append({"filenames": [path], "regions": [[1, 1]], "count": 1,
                          "branches": branches})
    return {"data": [{"files": files, "functions": functions}]}


def coverage(*options, missing=(), rooms=("formats", "scanner", "reports")):
    """The lines that say what falls short, and the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        paths = [(room, write(folder, f"{room}/one.c", SOURCE)) for room in rooms]
        write(folder, "build/meson-info/intro-targets.json", "[]")
        write(folder, "counts/one.profraw", "")
        write(folder, "report.json", json.dumps(report(paths, missing)))
        tools = {"llvm-profdata-made-up": "exit 0", "llvm-cov-made-up": f"cat {folder}/report.json"}
        for name, command in tools.items():
            os.chmod(write(folder, f"tools/{name}", f"#!/bin/sh\n{command}\n"), 0o755)
        env = {**os.environ, "FRAMEHOUND_LLVM": "-made-up",
               "PATH": os.path.join(folder, "tools") + os.pathsep + os.environ["PATH"]}
        done = subprocess.run([sys.executable, COVERAGE, folder, os.path.join(folder, "build"),
                               os.path.join(folder, "counts"), *options], env=env,
                              capture_output=True, text=True, check=False)
        assert "formats/" in done.stdout, done.stdout + done.stderr
        said = [line for line in done.stdout.splitlines() if line.startswith("coverage: ")]
        return [line.split(":")[1].strip() for line in said], done.returncode


@test
def all_that_is_demanded_is_there():
    equal(coverage("--demand"), ([], 0), "a report in which everything is reached")


@test
def what_falls_short_is_told():
    for room, kind in (("formats", "lines"), ("formats", "branches"), ("formats", "MC/DC"),
                       ("scanner", "branches"), ("reports", "branches")):
        equal(coverage("--demand", missing={(room, kind)}), ([f"{kind} of {room}/"], 1),
              f"{kind} of {room}")


@test
def formats_alone_have_to_be_reached_whole():
    missing = {(room, kind) for room in ("scanner", "reports") for kind in ("lines", "MC/DC", "ten")}
    equal(coverage("--demand", missing=missing), ([], 0), "scanner and reports")
    equal(coverage("--demand", missing={("formats", "ten")}), (["branches of formats/"], 1),
          "the same in formats")


@test
def what_was_not_measured_was_not_reached():
    equal(coverage("--demand", rooms=("formats", "scanner")), (["branches of reports/"], 1),
          "no file of reports")


@test
def some_tests_need_not_reach_all():
    equal(coverage(missing={("formats", "lines"), ("scanner", "branches")}), ([], 0),
          "a run without --demand")


@test
def what_is_missing_is_listed_besides():
    equal(coverage("--demand", "--missing", "formats", missing={("formats", "lines")}),
          (["lines of formats/"], 1), "with --missing")


tap.main()
