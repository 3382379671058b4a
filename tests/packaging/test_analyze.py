#!/usr/bin/env python3
"""analyze.py against files made up here: what each tool must find, and when it looks again."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import tap
from analyze import reports_of
from tap import Skip, equal, test

ANALYZE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "analyze.py")
CHECKS = "Checks: '-*,clang-analyzer-*'\nWarningsAsErrors: '*'\n"

SOUND = """#include "own.h"
int sound(int number)
{
    return number;
}
"""
NULL_POINTER = """#include "own.h"
int sound(int number)
{
    int *none = 0;
    return number > 3 ? *none : 0;
}
"""
LEAK = """#include "own.h"
#include <stdlib.h>
int sound(int number)
{
    char *lost = malloc(10);
    return lost == NULL ? number : 0;
}
"""


def analyze(tool, folder, text, header="int sound(int number);\n"):
    """What is said of a project of one file that is compiled twice, and the exit code."""
    if shutil.which(tool) is None or shutil.which("clang") is None:
        raise Skip(f"{tool} or clang is not installed")
    build = os.path.join(folder, "build")
    os.makedirs(build, exist_ok=True)
    for name, content in (("own.c", text), ("own.h", header), (".clang-tidy", CHECKS)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
    with open(os.path.join(build, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump([{"directory": build, "file": "../own.c",
                    "command": f"clang -std=c11 -MD -MQ own.o -MF own.d -o {n}.o -c ../own.c"}
                   for n in range(2)], file)
    done = subprocess.run([sys.executable, ANALYZE, tool, folder, build,
                           os.path.join(build, "keep")], capture_output=True, text=True,
                          check=False)
    return done.stdout, done.returncode


def finds(tool, text, word):
    with tempfile.TemporaryDirectory() as folder:
        said, code = analyze(tool, folder, SOUND)
        equal((f"{tool}: 0 reports, 1 files, " in said, code), (True, 0), f"a sound file: {said}")
        said, code = analyze(tool, folder, text)
        equal((word in said, f"{tool}: 0 reports" in said, code), (True, False, 1), said)
        said, code = analyze(tool, folder, text)
        equal((word in said, code), (True, 1), f"what has a report is looked at again: {said}")


@test
def gcc_finds_a_null_pointer():
    finds("gcc", NULL_POINTER, "Wanalyzer-null-dereference")


@test
def gcc_finds_a_leak():
    finds("gcc", LEAK, "Wanalyzer-malloc-leak")


@test
def clang_tidy_finds_a_null_pointer():
    finds("clang-tidy", NULL_POINTER, "clang-analyzer-core.NullDereference")


@test
def scan_build_finds_a_leak():
    finds("scan-build", LEAK, "unix.Malloc")


@test
def cppcheck_finds_a_null_pointer():
    finds("cppcheck", NULL_POINTER, "nullPointer")


@test
def a_file_is_looked_at_again_when_a_header_changes():
    with tempfile.TemporaryDirectory() as folder:
        said = [analyze("gcc", folder, SOUND)[0] for _ in range(2)]
        said.append(analyze("gcc", folder, SOUND, "int sound(int of);\n")[0])
        equal([line.splitlines()[-2] for line in said],
              [f"gcc: {number} files are new or changed" for number in (1, 0, 1)], "looked at")


@test
def a_leak_is_passed_over_only_where_there_is_known_to_be_none():
    text = ("a.c: In function 'add':\na.c:3:1: warning: leak of 'p' [CWE-401] "
            "[-Wanalyzer-malloc-leak]\na.c:4:1: warning: dereference of NULL 'p' "
            "[-Wanalyzer-null-dereference]\na.c: In function 'put':\na.c:9:1: warning: leak of "
            "'p' [CWE-401] [-Wanalyzer-malloc-leak]\n")
    reports, seen = reports_of(text, {"add": "", "take": ""})
    equal(([line.split(":")[1] for line in reports], seen), (["4", "9"], {"add"}), "reports")


@test
def a_tool_that_is_missing_fails_unless_it_may():
    env = {**os.environ, "PATH": "/nowhere"}
    for tool, package in (("gcc", "gcc"), ("scan-build", "clang-tools")):
        for options, says, code in (([], tool, 1), (["--allow-missing"], "skipped", 0)):
            done = subprocess.run([sys.executable, ANALYZE, tool, ".", "build", "keep", *options],
                                  env=env, capture_output=True, text=True, check=False)
            equal((done.stdout.splitlines(), done.returncode),
                  ([f"{says}: {tool}, clang not installed; on Debian: apt-get install {package} "
                    "clang"], code), f"{tool} {options}: {done.stderr}")


@test
def a_tool_that_fails_is_told():
    with tempfile.TemporaryDirectory() as folder:
        said, code = analyze("gcc", folder, "int sound(int number)\n{\n")
        equal((": error: " in said, code), (True, 1), said)


tap.main()
