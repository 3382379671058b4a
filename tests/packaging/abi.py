#!/usr/bin/env python3
"""The binary interface of the library against what library/abi.txt says it is.

Usage: abi.py SOURCE_ROOT SHARED STATIC plain|instrumented [--write]. The libraries are those of the
build; "instrumented" says that they have sanitizers, coverage or fuzzing in them. --write writes
library/abi.txt anew. While the soname stays, a line of it may only be added: the head of
library/framehound/framehound.h says what may change.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tap
from tap import Skip, equal, nothing, output, test

ROOT, SHARED, STATIC = (os.path.abspath(path) for path in sys.argv[1:4])
PLAIN = sys.argv[4] == "plain"
WRITE = "--write" in sys.argv
FOLDER = os.path.join(ROOT, "library")
LIST = os.path.join(FOLDER, "abi.txt")
HEAD = """\
# The binary interface of libframehound on systems with 64-bit pointers: exported symbols, values of
# enums, sizes of structs, and offset and size of their members. tests/packaging/abi.py holds the
# library against it. While the soname stays no line is changed or taken away, but the size of a
# struct that grows at its end.
"""

# Objects of the library that may change while it runs: none.
MAY_CHANGE = set()
# What a library must not do to the program that it is in.
MUST_NOT_CALL = {
    "exit", "_exit", "quick_exit", "atexit", "signal", "sigaction", "setlocale", "uselocale",
    "setenv", "putenv", "chdir", "umask", "dup2", "fork", "vfork", "system", "popen", "srand",
    "rand", "random", "printf", "vprintf", "puts", "putchar", "perror", "strtok", "localtime",
    "gmtime", "asctime", "ctime", "getenv", "stdout", "stdin", "stderr", "__printf_chk",
    "__fprintf_chk", "setrlimit", "prctl"}


def text_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)


def need(*tools):
    if not PLAIN:
        raise Skip("sanitizers, coverage and fuzzing put symbols of their own in")
    for tool in tools:
        if shutil.which(tool) is None:
            raise Skip(f"{tool} is not installed")


# ---- the header ------------------------------------------------------------------------------

def structs():
    """Each struct and union of the header with its members."""
    for kind, name, body in re.findall(r"typedef (struct|union) (\w+) \{(.*?)\} \w+;",
                                       text_of("framehound/framehound.h"), re.DOTALL):
        members = [re.search(r"\(\*(\w+)\)\(|(\w+)$", line.strip()) for line in body.split(";")
                   if line.strip()]
        yield kind, name, [found.group(1) or found.group(2) for found in members]


def constants():
    for body in re.findall(r"enum(?: \w+)? \{(.*?)\}", text_of("framehound/framehound.h"),
                           re.DOTALL):
        yield from re.findall(r"\b(FRAMEHOUND_\w+)\b(?=\s*=)", body)


def functions():
    return re.findall(r"FRAMEHOUND_API[^;()]*?\b(framehound_\w+)\(",
                      text_of("framehound/framehound.h"))


def program():
    lines = []
    for name in constants():
        lines.append(f'printf("enum {name} %lld\\n", (long long){name});')
    for _, name, members in structs():
        lines.append(f'printf("size {name} %zu\\n", sizeof({name}));')
        for member in members:
            lines.append(f'printf("member {name}.{member} %zu %zu\\n", offsetof({name}, {member}), '
                         f"sizeof((({name} *)0)->{member}));")
    return ("#include <framehound/framehound.h>\n#include <stdio.h>\n#include <stddef.h>\n"
            "int main(void)\n{\n" + "\n".join(lines) + "\nreturn 0;\n}\n")


def layout():
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "layout")
        output(shutil.which("cc") or "gcc", "-std=c11", "-x", "c", "-", "-I" + FOLDER, "-o", made,
               input=program())
        return output(made).splitlines()


def exported():
    lines = output("nm", "-D", "--defined-only", SHARED).splitlines()
    return sorted("symbol " + line.split()[-1].replace("@@", "@") for line in lines
                  if line.split()[-2] != "A")


def kept():
    with open(LIST, encoding="utf-8") as file:
        return [line for line in file.read().splitlines() if line and line[0] != "#"]


# ---- tests -----------------------------------------------------------------------------------

@test
def exported_symbols_are_those_of_the_list():
    need("nm")
    equal(exported(), [line for line in kept() if line.startswith("symbol ")], "symbols")


@test
def header_map_and_library_agree():
    need("nm")
    in_map = re.findall(r"\b(framehound_\w+);", text_of("framehound.map"))
    equal(sorted(functions()), sorted(in_map), "functions of the header and the map")
    equal(exported(), sorted(f"symbol {name}@LIBFRAMEHOUND_0" for name in in_map), "symbols")


@test
def structs_and_enums_are_those_of_the_list():
    if sys.maxsize < 2**32:
        raise Skip("the list is one of systems with 64-bit pointers")
    equal(layout(), [line for line in kept() if not line.startswith("symbol ")], "layout")


@test
def the_soname_is_that_of_the_promise():
    need("objdump")
    told = re.findall(r"SONAME\s+(\S+)", output("objdump", "-p", SHARED))
    equal(told, ["libframehound.so.0"], "soname")
    equal("soname is libframehound.so.0" in open(os.path.join(
        FOLDER, "framehound", "framehound.h"), encoding="utf-8").read(), True, "in the header")


@test
def nothing_global_changes():
    need("nm")
    found = set()
    for line in output("nm", "--format=sysv", STATIC).splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 7 and cells[3] in ("OBJECT", "TLS"):
            section = cells[6]
            if section.startswith((".data", ".bss", ".tdata", ".tbss", "COM", "*COM")) and \
                    not section.startswith(".data.rel.ro"):
                found.add(cells[0])
    nothing(sorted(found - MAY_CHANGE), "objects that can change")


@test
def nothing_is_done_to_the_program():
    need("nm")
    wanted = {line.split()[-1].split("@")[0]
              for line in output("nm", "-D", "--undefined-only", SHARED).splitlines()}
    nothing(sorted(wanted & MUST_NOT_CALL), "calls")


@test
def the_archive_shows_the_same_names():
    need("nm")
    names = {line.split()[0] for line in
             output("nm", "--extern-only", "--defined-only", "--format=posix", STATIC).splitlines()
             if len(line.split()) > 1}
    equal(sorted("symbol " + name + "@LIBFRAMEHOUND_0" for name in names
                 if not name.startswith("libframehound.a[")),
          [line for line in kept() if line.startswith("symbol ")], "names")


if WRITE:
    with open(LIST, "w", encoding="utf-8") as out:
        out.write(HEAD + "\n".join(exported() + layout()) + "\n")
else:
    tap.main()
