#!/usr/bin/env python3
"""Every file of the corpus still makes what it made: what is found, told, replayed and rewritten.

Usage: test_outcomes.py ROOT FORGE OUTCOMES [--update]. Speaks TAP: a test for each format. The golden
reports beside the corpus say what is told in words; outcomes/FORMAT.tsv holds a number for each of
search, verify, replay and the rest, so that no pose and no repair changes unseen, and one for the
units of work that all of them paid. --update writes them anew: look first at why they changed.
"""
import os
import subprocess
import sys
import tempfile

import corpus

ROOT, FORGE, OUTCOMES = (os.path.abspath(path) for path in sys.argv[1:4])
UPDATE = "--update" in sys.argv[4:]
PARTS = ("search", "verify", "replay", "rest", "work")
MOST_TOLD = 20


def golden(name):
    return os.path.join(ROOT, "tests", "mutation", "outcomes", f"{name}.tsv")


def read_golden(name):
    if not os.path.exists(golden(name)):
        return {}
    with open(golden(name), encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("\t", 1) for line in file)


def differences(expected, found):
    for name in sorted(set(expected) | set(found)):
        if name not in found:
            yield f"{name}: no longer there"
        elif name not in expected:
            yield f"{name}: new"
        else:
            pairs = zip(PARTS, expected[name].split("\t"), found[name].split("\t"), strict=True)
            changed = [part for part, old, new in pairs if old != new]
            if changed:
                yield f"{name}: {', '.join(changed)} changed"


def main():
    with tempfile.TemporaryDirectory() as folder:
        listing = corpus.write_list(ROOT, FORGE, folder)
        told = subprocess.run([OUTCOMES, listing], check=True, capture_output=True, text=True).stdout
    outcomes = dict(line.split("\t", 1) for line in told.splitlines())
    failed = False
    print(f"1..{len(corpus.FORMATS)}")
    for number, name in enumerate(corpus.FORMATS, 1):
        found = {path: rest for path, rest in outcomes.items() if path.startswith(name + "/")}
        if UPDATE:
            with open(golden(name), "w", encoding="utf-8") as file:
                file.writelines(f"{path}\t{found[path]}\n" for path in sorted(found))
        wrong = list(differences(read_golden(name), found))
        failed = failed or bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - {len(found)} files of {name}")
        print("".join(f"# {line}\n" for line in wrong[:MOST_TOLD]), end="")
    return 1 if failed else 0


sys.exit(main())
