#!/usr/bin/env python3
"""The main program of the suites: by forks the same succeeds and fails as with Criterion's own.

Usage: check_suite_main.py ODD_SUITE. Speaks TAP.
"""
import os
import re
import subprocess
import sys

FORKED = {"FRAMEHOUND_SUITES": "forked"}
OUTCOMES = {"fixture::of_suite_and_test": "ok", "odd::succeeds": "ok", "odd::succeeds_as_well": "ok",
            "odd::goes_on_behind_a_failure": "not ok", "odd::ends_at_a_failure": "not ok",
            "odd::ends_with_a_code": "not ok", "odd::is_killed": "not ok", "odd::is_skipped": "skip for a reason",
            "odd::never_ends": "not ok", "odd::never_ends_either": "not ok",
            "odd::is_told_when_a_child_ends": "ok", "odd::fails_and_is_tidied_up": "not ok"}
# Criterion takes it for skipped.
HIDDEN = "odd::is_skipped_behind_a_failure"
number = 0


def ok(is_ok, name, *seen):
    global number
    number += 1
    print(f"{'ok' if is_ok else 'not ok'} {number} - {name}")
    if not is_ok:
        print("".join(f"# {line}\n" for text in seen for line in str(text).splitlines()), end="")
    return is_ok


def run(**environment):
    done = subprocess.run([sys.argv[1], "--tap", "-j1"], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})
    lines = re.findall(r"^((?:not )?ok)(?: \d+)? - (\S+)(?: +# SKIP (.*)| .*)?$", done.stdout, re.M)
    return done, {name: f"skip {why}" if why else word for word, name, why in lines}


def main():
    is_ok = True
    for name, environment in (("Criterion", {"FRAMEHOUND_SUITES": ""}), ("forks", FORKED)):
        done, outcomes = run(**environment)
        hidden = outcomes.pop(HIDDEN, "")
        is_ok &= ok(hidden == "not ok" or name == "Criterion", f"{name}: no skip hides a failure",
                    hidden)
        is_ok &= ok(outcomes == OUTCOMES, f"{name}: what succeeds and what does not", outcomes,
                    done.stdout, done.stderr)
        is_ok &= ok(done.returncode != 0, f"{name}: the suite has failed")
    told = [word in done.stdout for word in ("odd_suite.c:", "first words", "actual: 0", "second words",
                                             "third words")]
    is_ok &= ok(all(told) and "nobody" not in done.stdout, "forks: why is told", told, done.stdout)
    is_ok &= ok("tidied up" in done.stderr, "forks: what has failed is tidied up", done.stderr)
    ends = [word in done.stdout for word in ("# exit code 3", "# ended by signal 9",
                                             "# it took more than")]
    is_ok &= ok(all(ends) and done.stdout.rstrip().endswith(f"1..{len(OUTCOMES) + 1}"),
                "forks: and how", ends, done.stdout)
    done, outcomes = run(**FORKED, CRITERION_TEST_PATTERN="!(odd/*_failure|odd/is_*|*/never_*|*_code|*_up)")
    is_ok &= ok(done.returncode == 0 and set(outcomes.values()) == {"ok"} and len(outcomes) == 3,
                "forks: without those that a pattern leaves out", outcomes, done.stderr)
    print(f"1..{number}")
    return 0 if is_ok else 1


sys.exit(main())
