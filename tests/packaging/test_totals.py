#!/usr/bin/env python3
"""totals.py against logs made up here: what counts as passed, failed and skipped."""
import json
import os
import subprocess
import sys
import tempfile

import tap
from tap import equal, test

TOTALS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "totals.py")


def totals(*programs):
    """The last line and the exit code for programs given as (result, standard output)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run-x.json")
        with open(path, "w", encoding="utf-8") as log:
            for result, stdout in programs:
                log.write(json.dumps({"name": "a", "result": result, "stdout": stdout,
                                      "returncode": 0}) + "\n")
        done = subprocess.run([sys.executable, TOTALS, path], capture_output=True, text=True,
                              check=False)
        return done.stdout.splitlines()[-1], done.returncode


@test
def subtests_are_added_up():
    equal(totals(("OK", "1..2\nok 1 - a\nok - b  (0.01s)\n"), ("OK", "ok 1 a\n1..1\n")),
          ("3 passed, 0 failed, 0 skipped", 0), "three")


@test
def a_skip_is_no_pass():
    equal(totals(("OK", "1..2\nok 1 - a\nok 2 - b # SKIP no disc\n"), ("SKIP", "1..0 # skip no\n")),
          ("1 passed, 0 failed, 2 skipped", 0), "two skips")


@test
def only_skips_are_no_success():
    equal(totals(("SKIP", "1..1\nok 1 - b # skip\n")), ("0 passed, 0 failed, 1 skipped", 1), "skip")


@test
def a_failure_counts_once():
    equal(totals(("FAIL", "1..2\nnot ok 1 - a\nok 2\n")), ("1 passed, 1 failed, 0 skipped", 1),
          "one")


@test
def silence_is_a_failure():
    equal(totals(("ERROR", "1..3\nok 1\n")), ("1 passed, 2 failed, 0 skipped", 1), "two missing")
    equal(totals(("TIMEOUT", "")), ("0 passed, 1 failed, 0 skipped", 1), "timeout")


@test
def a_bad_exit_is_a_failure():
    equal(totals(("ERROR", "1..1\nok 1\n")), ("1 passed, 1 failed, 0 skipped", 1), "exit code")


@test
def a_program_without_tap_is_one_test():
    equal(totals(("OK", "hello\n"), ("FAIL", "hello\n"), ("SKIP", "")),
          ("1 passed, 1 failed, 1 skipped", 1), "one each")


@test
def a_report_is_a_failure():
    with tempfile.NamedTemporaryFile("w", suffix=".1234") as report:
        report.write("ERROR: a leak\n")
        report.flush()
        done = subprocess.run([sys.executable, TOTALS, report.name], capture_output=True, text=True,
                              check=False)
        equal((done.stdout.splitlines()[-1], done.returncode), ("0 passed, 1 failed, 0 skipped", 1),
              "totals")


tap.main()
