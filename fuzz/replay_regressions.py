#!/usr/bin/env python3
"""Runs what was once found by fuzzing through the reproducers: none of it may fail again.

Usage: replay_regressions.py BUILD_FOLDER CORPUS. Speaks TAP: a test for each file of
CORPUS/regressions/NAME, run by BUILD_FOLDER/fuzz_NAME_repro, and one for the table that says what
each was. With FRAMEHOUND_WRAPPER in the environment the reproducer runs under that command.
"""
import csv
import os
import shlex
import subprocess
import sys

BUILD, CORPUS = (os.path.abspath(path) for path in sys.argv[1:3])
BASE = os.path.join(CORPUS, "regressions")
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
SECONDS = 60 * (30 if WRAPPER else 1)  # an input that takes longer hangs


def files():
    """(target, path) of every regression file."""
    for target in sorted(os.listdir(BASE) if os.path.isdir(BASE) else []):
        folder = os.path.join(BASE, target)
        if os.path.isdir(folder):
            for name in sorted(os.listdir(folder)):
                yield target, os.path.join(folder, name)


def listed():
    path = os.path.join(BASE, "regressions.tsv")
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as table:
        return {line["file"] for line in csv.DictReader(table, delimiter="\t")}


def failure(target, path):
    """Why a file fails, or None."""
    reproducer = os.path.join(BUILD, f"fuzz_{target}_repro")
    if not os.path.exists(reproducer):
        return f"there is no {reproducer}"
    try:
        done = subprocess.run([*WRAPPER, reproducer, path], capture_output=True, text=True,
                              errors="replace", check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end within {SECONDS} s"
    return None if done.returncode == 0 else \
        f"exit code {done.returncode}\n" + "\n".join((done.stdout + done.stderr).splitlines()[-20:])


def tell(number, name, why):
    print(f"{'not ok' if why else 'ok'} {number} - {name}")
    if why:
        print("\n".join("# " + line for line in why.splitlines()), flush=True)
    return bool(why)


def main():
    there = list(files())
    print(f"1..{len(there) + 1}", flush=True)
    failed = False
    for number, (target, path) in enumerate(there, 1):
        failed |= tell(number, os.path.relpath(path, BASE), failure(target, path))
    names = {os.path.relpath(path, BASE) for _, path in there}
    wrong = sorted(names ^ listed())
    failed |= tell(len(there) + 1, "the table lists the files",
                   "not both in regressions.tsv and in the folder: " + ", ".join(wrong)
                   if wrong else None)
    return 1 if failed else 0


sys.exit(main())
