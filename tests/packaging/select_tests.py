#!/usr/bin/env python3
"""Says which tests of a build run with which of its tools, and what is left out and why.

Usage: select_tests.py BUILD LIST [NAME...]. Writes LIST.plain (tests that run without any tool, with
LIST.plain-left-out for people), LIST.sanitized (those that run with sanitizers, LIST.sanitized-pattern
for the tests within suites, and LIST.sanitized-left-out), LIST.suites (test suites that run under
valgrind as they are), LIST.pattern (the tests within them, as Criterion wants it), LIST.scripts
(scripts that put our programs under FRAMEHOUND_WRAPPER) and LIST.left-out, lines for people. NAMEs
select tests as they do for meson test; what is named is never left out of the plain and the sanitized
ones, and the name * means all of them.
"""
import fnmatch
import json
import os
import sys

# Tests of suites that cannot run under valgrind, or take too long: pattern of Criterion, and why.
LEFT_OUT = [
    ("reader/pipe_*", "an interval timer of a millisecond leaves the program no time to get on"),
    ("forms/no_temporary_file", "the limit of open files is that of valgrind, too, which ignores it"),
    ("sandbox/*", "valgrind makes system calls of its own, which the sandbox is there to stop"),
    ("cells/*", "valgrind needs more memory than a cell may have"),
    ("other_git/*", "each answer starts a shell and what it calls, all of them under valgrind"),
    ("html/*_the_limit_*", "it would take minutes; the same is written in the other tests, less often"),
    ("html/details_end_*", "it would take minutes"),
    ("hmd_animation/large_*", "it would take minutes; smaller sections of all kinds are checked"),
]

# Tests of suites that do not run with sanitizers, which take several times as long: pattern of
# Criterion, and why.
NOT_SANITIZED = [
    ("hunt/models_with_more_work_than_bytes", "it counts work"),
    ("hunt/an_asset_behind_each_of_many_rows", "it counts work"),
    ("hunt/what_costs_much_directly_behind_a_row", "it counts work"),
    ("hunt/a_stop_makes_no_damage", "15 s; other tests of hunt/* are stopped at each poll, too"),
    ("hunt/what_lies_behind_or_inside_of_what_is_put_off", "13 s; fuzz/scan puts off as well"),
    ("hunt/what_leads_far_away_hides_nothing_behind_it", "11 s; fuzz/scan puts off as well"),
    ("cost/runs_that_are_rejected", "it counts work"),
    ("cost/keys_in_strings_and_comments", "6 s; fuzz/tra and fuzz/camerawork have such texts"),
    ("ahead/a_reserve_that_runs_out", "11 s; it counts work"),
    ("cuts/in_front_of_*", "23 s; fuzz/tra and fuzz/camerawork hunt for texts in images, too"),
    ("hmd_animation/large_*", "it counts work"),
    ("hmd_period/as_a_search_through_all_states", "7 s; it holds numbers against a search of its own"),
    ("hmd_replay_library/poses_*", "10 s; fuzz/hmd_mapped replays mapped files"),
    ("number/two_million_random_texts", "others of number/* call the same with texts that are chosen"),
    ("number/any_double_*", "others of number/* call the same with numbers that are chosen"),
]

# Tests that would run under valgrind, but take too long for every run: scripts that start the program
# hundreds of times, suites that try millions of inputs, and those of which nearly all is SQLite's work, which
# valgrind translates anew for each test. Those that read what strangers wrote run with the sanitizers;
# bytes that nobody has written are looked for in these suites of reports/ by hand alone. Of the decoders
# and the readers seeds/* are left, with a quarter of the committed seeds. By hand:
# FRAMEHOUND_WRAPPER="valgrind -q --error-exitcode=99" meson test -C build/gcc NAME
SLOW = ["corpus/*", "e2e/*", "forge/hmd", "formats/*", "fuzz/*", "hunt/ahead", "hunt/fragments",
        "hunt/hunt", "hunt/linear", "hunt/seen", "hunt/sieve", "library/told", "page/*", "reports/diff",
        "reports/overall", "reports/query", "reports/store*", "reports/tally", "source"]

# Tests that try very many inputs, which is what the sanitizers are for, run with these alone.
SANITIZED_ONLY = ["formats/hmd_edges_*", "fuzz/*"]

# Without them alone run the scripts that look at what the program says and writes, at files, builds and
# calls of the system, that hold what was written against programs of others, or that read what has
# a reader of its own in fuzz/*: the sanitizers see that one with more inputs. hmd_edges lets work and
# memory run out at every place (hmd_edges_* do so for less); hunt/linear counts work.
PLAIN_ONLY = ["corpus/*", "e2e/*", "forge/command_line", "formats/hmd_edges", "hunt/aarch64",
              "hunt/linear", "library/told", "mutation/*", "packaging/*", "page/*"]

# But these run with both: what fails when a call does, what hears of a sanitizer, a script for most of
# the commands, whose code is in no suite; and of fuzz/* what only a build without sanitizers has.
BOTH = ["e2e/carving", "e2e/faults", "e2e/hardening", "e2e/look", "e2e/outputs", "e2e/queries",
        "fuzz/afl-mutator-*"]


def is_one_of(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def but(left_out):
    """All tests of suites but these, as Criterion wants it."""
    return "!(" + "|".join(pattern for pattern, _ in left_out) + ")"


def is_suite(test):
    return "--tap" in test["cmd"]


def takes_wrapper(test):
    for word in test["cmd"]:
        if word.endswith(".py") and os.path.isfile(word):
            with open(word, encoding="utf-8") as file:
                text = file.read()
            return "FRAMEHOUND_WRAPPER" in text or "from harness import" in text
    return False


def main():
    build, out = sys.argv[1:3]
    with open(os.path.join(build, "meson-info", "intro-tests.json"), encoding="utf-8") as file:
        tests = json.load(file)
    wanted = [name.split(":")[-1] for name in sys.argv[3:]]
    tests = [test for test in tests
             if not wanted or any(fnmatch.fnmatch(test["name"], name) for name in wanted)]
    lists = {
        "suites": [],
        "scripts": [],
        "pattern": [but(LEFT_OUT)],
        "left-out": [f"not under valgrind: {pattern}: {why}" for pattern, why in LEFT_OUT],
        "sanitized-pattern": ["*" if wanted else but(NOT_SANITIZED)],
    }
    names = [test["name"] for test in tests]
    sanitized = [name for name in names
                 if wanted or is_one_of(name, BOTH) or not is_one_of(name, PLAIN_ONLY)]
    plain = [name for name in names
             if wanted or is_one_of(name, BOTH) or not is_one_of(name, SANITIZED_ONLY)]
    for kind, chosen, other in (("plain", plain, "with the sanitizers only"),
                                ("sanitized", sanitized, "without sanitizers only")):
        lists[kind] = chosen
        lists[f"{kind}-left-out"] = [f"{other}: {name}" for name in names if name not in chosen]
    if not wanted:
        lists["sanitized-left-out"].append(
            "with FRAMEHOUND_SEEDS=all only: what becomes of half of the assets of fuzz/FORMAT when they "
            "are cut and changed")
        lists["sanitized-left-out"] += [f"without sanitizers only: {pattern}: {why}"
                                        for pattern, why in NOT_SANITIZED]
    for test in tests:
        if is_one_of(test["name"], SLOW):
            lists["left-out"].append(f"not under valgrind: {test['name']}: it would take minutes")
        elif test["name"].split("/")[-1] + "/*" in dict(LEFT_OUT):
            continue  # nothing of it is left
        elif is_suite(test):
            lists["suites"].append(test["name"])
        elif takes_wrapper(test):
            lists["scripts"].append(test["name"])
        else:
            lists["left-out"].append(f"not under valgrind: {test['name']}: its script runs no "
                                     "program of ours through FRAMEHOUND_WRAPPER")
    for kind, lines in lists.items():
        with open(f"{out}.{kind}", "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)


main()
