#!/usr/bin/env python3
"""Says which tests of a build run with which of its tools, and what is left out and why.

Usage: select_tests.py BUILD LIST [NAME...]. Writes LIST.plain (tests that run without any tool, with
LIST.plain-left-out for people), LIST.suites (test suites that run under valgrind as they are),
LIST.pattern (the tests within them, as Criterion wants it), LIST.scripts (scripts that put our
programs under FRAMEHOUND_WRAPPER) and LIST.left-out, lines for people. NAMEs select tests as they do
for meson test; what is named itself is never left out of the plain ones.
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

# Tests that would run, but take too long for every run: scripts that start the program hundreds of
# times, suites that try millions of inputs, and those of which nearly all is SQLite's work, which
# valgrind translates anew for each test. Those that read what strangers wrote run with the sanitizers;
# bytes that nobody has written are looked for in these suites of reports/ by hand alone. Of the decoders
# and the readers seeds/* are left, with a quarter of the committed seeds. By hand:
# FRAMEHOUND_WRAPPER="valgrind -q --error-exitcode=99" meson test -C build/gcc NAME
SLOW = ["corpus/*", "e2e/*", "forge/hmd", "formats/*", "fuzz/*", "hunt/ahead", "hunt/fragments",
        "hunt/hunt", "hunt/linear", "library/told", "page/*", "reports/diff", "reports/overall",
        "reports/query", "reports/store_open", "reports/tally", "source"]

# Tests that try very many inputs, which is what the sanitizers are for, and those of what is shown
# of them: they run with these alone, unless they are named. (What gcc makes of images is held by
# e2e/images, e2e/samples and corpus/image.)
SANITIZED_ONLY = ["e2e/addresses", "e2e/bad_input", "e2e/canonical", "e2e/chd", "e2e/containers",
                  "e2e/exits", "e2e/extract", "e2e/fix", "e2e/forwards", "e2e/hmd_memory", "e2e/iso",
                  "e2e/look", "e2e/memory", "e2e/reports", "e2e/sheets", "e2e/streams", "e2e/why",
                  "formats/hmd_edges_*", "formats/number", "fuzz/*", "hunt/ahead",
                  "hunt/fragments", "hunt/hunt"]

# Tests that look at files, builds and calls of the system rather than at what the program does with
# bytes, those that make builds of their own, and those that hold what was written against programs of
# others (what writes it is in suites): sanitizers have nothing to see there. And those that would
# take minutes with them: the files of the corpus, which the reproducers of fuzz/* read with
# sanitizers; hmd_edges, which lets work and memory run out at every place (hmd_edges_* do so for
# less); hundreds of databases (fuzz/store has them, too); what is done with a repository or a
# collection and not with bytes; the forge's command line, which reads nothing of strangers; and
# counts of work (hunt/linear), of bytes that e2e/costly has as well.
PLAIN_ONLY = ["corpus/camerawork", "corpus/hmd", "corpus/tod", "corpus/tra", "e2e/cluster",
              "e2e/contract", "e2e/databases", "e2e/gltf", "e2e/layouts",
              "e2e/policy", "e2e/repository", "e2e/scale", "e2e/trouble", "forge/command_line",
              "formats/hmd_edges", "hunt/aarch64", "hunt/linear", "mutation/*", "packaging/*",
              "page/*"]


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
    wanted = [name.split(":")[-1] for name in sys.argv[3:]] or ["*"]
    tests = [test for test in tests
             if any(fnmatch.fnmatch(test["name"], name) for name in wanted)]
    lists = {
        "suites": [],
        "scripts": [],
        "pattern": ["!(" + "|".join(pattern for pattern, _ in LEFT_OUT) + ")"],
        "left-out": [f"not under valgrind: {pattern}: {why}" for pattern, why in LEFT_OUT],
    }
    for kind, other, patterns in (("plain", "with the sanitizers only", SANITIZED_ONLY),
                                  ("sanitized", "without sanitizers only", PLAIN_ONLY)):
        out_here = [test["name"] for test in tests if wanted == ["*"] and
                    any(fnmatch.fnmatch(test["name"], pattern) for pattern in patterns)]
        lists[kind] = [test["name"] for test in tests if test["name"] not in out_here]
        lists[f"{kind}-left-out"] = [f"{other}: {name}" for name in out_here]
    for test in tests:
        if any(fnmatch.fnmatch(test["name"], pattern) for pattern in SLOW):
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
