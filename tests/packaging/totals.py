#!/usr/bin/env python3
"""Adds up what test runs did, from the logs of meson (testlog.json).

Usage: totals.py LOG.json... [REPORT...]. Prints every failure, every skip with its reason, and as the last line
"N passed, N failed, N skipped". Counts TAP subtests, of all runs; a program that speaks no TAP is
one test. A skip is never a pass; neither is a test that was announced and did not report, nor a
program that reports nothing wrong and fails. Every REPORT, a file that a sanitizer or valgrind wrote,
is a failure. Exit code 1 if anything failed or nothing passed.
"""
import json
import os
import re
import sys

LINE = re.compile(r"^(not )?ok\b[ \t]*(\d+)?[ \t-]*(.*)$")
PLAN = re.compile(r"^1\.\.(\d+)[ \t]*(?:#[ \t]*skip\S*[ \t]*(.*))?$", re.IGNORECASE)
DIRECTIVE = re.compile(r"(?<!\\)#[ \t]*(skip\S*|todo)[ \t]*(.*)$", re.IGNORECASE)
MOST_TOLD = 20  # lines behind a failure that are repeated
SOUND = ("OK", "SKIP", "EXPECTEDFAIL")


class Totals:
    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []

    def take_line(self, where, bad, title):
        directive = DIRECTIVE.search(title)
        name = f"{where}: {title[:directive.start()] if directive else title}".strip()
        kind = directive.group(1).lower() if directive else ""
        if kind.startswith("skip"):
            self.skipped.append(f"{name}: {directive.group(2) or 'no reason given'}")
        elif kind == "todo" and bad:
            self.skipped.append(f"{name}: known to fail: {directive.group(2)}")
        elif bad:
            self.failed.append(name)
        else:
            self.passed += 1

    def take_tap(self, where, text):
        """The number of tests that were announced and that reported, or None and 0."""
        plan = None
        reported = 0
        told = 0
        for line in text.splitlines():
            plan_line = PLAN.match(line)
            test_line = LINE.match(line)
            if plan_line:
                plan = int(plan_line.group(1))
                if plan == 0:
                    self.skipped.append(f"{where}: {plan_line.group(2) or 'no tests'}")
            elif test_line:
                reported += 1
                failed_before = len(self.failed)
                self.take_line(where, bool(test_line.group(1)), test_line.group(3))
                told = MOST_TOLD if len(self.failed) > failed_before else 0
            elif told > 0:
                self.failed[-1] += "\n    " + line
                told -= 1
        return plan, reported

    def take_program(self, run, test):
        where = f"{run}: {test['name']}"
        failed_before = len(self.failed)
        plan, reported = self.take_tap(where, test.get("stdout") or "")
        result = test["result"]
        if plan is not None and reported < plan:
            self.failed.extend([f"{where}: a test that did not report"] * (plan - reported))
        elif plan is None and reported == 0 and result == "SKIP":
            self.skipped.append(f"{where}: the program skips itself")
        elif plan is None and reported == 0 and result == "OK":
            self.passed += 1
        if result not in SOUND and len(self.failed) == failed_before:
            self.failed.append(f"{where}: {result}, exit code {test.get('returncode')}")

    def take_report(self, path):
        with open(path, encoding="utf-8", errors="replace") as report:
            lines = report.read().splitlines()[:MOST_TOLD]
        self.failed.append("\n    ".join(["report of " + os.path.basename(path), *lines]))


def main():
    totals = Totals()
    for path in sys.argv[1:]:
        if not path.endswith(".json"):
            totals.take_report(path)
            continue
        run = os.path.basename(path).removesuffix(".json").removeprefix("run-")
        with open(path, encoding="utf-8") as log:
            for line in log:
                totals.take_program(run, json.loads(line))
    for skip in totals.skipped:
        print(f"skipped: {skip}")
    for failure in totals.failed:
        print(f"FAILED: {failure}")
    print(f"{totals.passed} passed, {len(totals.failed)} failed, {len(totals.skipped)} skipped")
    return 0 if totals.passed > 0 and not totals.failed else 1


sys.exit(main())
