#!/usr/bin/env python3
"""The rules of the house that a compiler does not check: who may know whom, and in what style.

Usage: rooms.py SOURCE_ROOT LIBFRAMEHOUND plain|instrumented. The library is the static one of the
build; "instrumented" says that it has sanitizers, coverage or fuzzing in it.
"""
import os
import re
import shutil
import sys

import tap
from tap import Skip, nothing, output, test

ROOT, LIBRARY = (os.path.abspath(path) for path in sys.argv[1:3])
PLAIN = sys.argv[3] == "plain"

# formats/ may call these and nothing else: no allocation, no files, no locale, no printing.
MAY_CALL = {"memcpy", "memmove", "memset", "memcmp", "memchr", "strcmp", "strlen", "strncmp",
            "strchr", "strrchr", "__assert_fail", "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_"}
BANNED = re.compile(r"\b(strto(?:l|ul|ll|ull|d|f|ld|imax|umax)|ato(?:i|l|ll|f)|v?[fs]?scanf|"
                    r"v?sprintf|strcpy|strcat|stpcpy|gets|alloca)\s*\(")
MOST_LINES = 60
MOST_COLUMNS = 100
HEADS = ("formats", "scanner", "library", "reports", "corpus", "fuzz")


def tree():
    """Every text file of the project, relative; builds and the history are no part of it."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(name for name in folders
                            if not name.startswith("build") and name not in
                            (".git", ".cache", "__pycache__") and
                            not os.path.isdir(os.path.join(folder, name, "meson-private")))
        for name in sorted(files):
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if name != ".git" and not name.endswith((".pyc", ".db")) and text_of(path) is not None:
                yield path


def text_of(path):
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError:
        return None


def c_files(*rooms):
    return [path for path in tree()
            if path.endswith((".c", ".h", ".def")) and (not rooms or path.split("/")[0] in rooms)]


def code_of(path):
    """The text without comments and strings; lines stay where they are."""
    def blank(match):
        return "\n" * match.group().count("\n") if match.group()[0] == "/" else '""'
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank,
                  text_of(path), flags=re.DOTALL)


def includes(path):
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text_of(path), re.MULTILINE)


def room_of(path, name):
    """Where an included name lies, as a path from the root; None for a system header."""
    for base in (os.path.dirname(path), "", "formats", "scanner", "library", "corpus", "fuzz",
                 "tests"):
        if os.path.isfile(os.path.join(ROOT, base, name)):
            return os.path.normpath(os.path.join(base, name))
    return None


def crossings(paths, is_wrong):
    for path in paths:
        for name in includes(path):
            target = room_of(path, name)
            if target is not None and is_wrong(path, target):
                yield f"{path} includes {name}"


def matches(paths, pattern, read):
    for path in paths:
        for number, line in enumerate(read(path).split("\n"), 1):
            found = re.search(pattern, line)
            if found:
                yield f"{path}:{number}: {found.group().strip()}"


def formats():
    return re.findall(r"&fh_(\w+)_format,", text_of("formats/registry/registry.c"))


# ---- rooms -----------------------------------------------------------------------------------

@test
def formats_call_nothing_of_the_system():
    if not PLAIN:
        raise Skip("sanitizers, coverage and fuzzing put calls of their own in")
    if shutil.which("nm") is None:
        raise Skip("nm is not installed")
    own = {line.split()[-1] for line in output("nm", "--defined-only", LIBRARY).splitlines()
           if len(line.split()) == 3}
    wanted = {line.split()[-1] for line in output("nm", "-u", LIBRARY).splitlines()
              if len(line.split()) == 2}
    nothing(sorted(wanted - own - MAY_CALL), "calls out of formats/")


@test
def formats_know_no_other_room():
    nothing(crossings(c_files("formats"), lambda path, to: not to.startswith("formats/")), "includes")


@test
def core_knows_no_format():
    core = [path for path in c_files("formats") if path.startswith("formats/core/")]
    nothing(crossings(core, lambda path, to: not to.startswith("formats/core/")), "includes")
    fixed = [path for path in c_files("formats") if path.startswith("formats/fixed/")]
    nothing(crossings(fixed, lambda path, to: not to.startswith("formats/fixed/")), "includes")


@test
def formats_do_not_know_each_other():
    own = [path for path in c_files("formats") if path.split("/")[1] not in ("core", "fixed", "registry")]
    nothing(crossings(own, lambda path, to: to.split("/")[1] not in ("core", "fixed",
                                                                     path.split("/")[1])),
            "includes")


@test
def formats_are_reached_through_the_registry():
    others = [path for path in c_files("scanner", "library", "reports")]
    nothing(crossings(others, lambda path, to: to.startswith("formats/")
                      and to.split("/")[1] not in ("core", "registry")), "includes")
    # A fuzz target is linked with the one format it is of, and knows what the registry knows of it.
    # Dictionaries are made of the formats' tables, the readers of texts are tried with the styles
    # of both texts, and what describes a decoded form to the forge looks at that of its format.
    inside = {"fuzz/dictionary_main.c", "fuzz/fuzz_text.c"}
    describes = re.compile(r"fuzz/describe_([a-z]+)\w*[.][ch]")
    crossed = crossings([path for path in c_files("fuzz") if describes.fullmatch(path)],
                        lambda path, to: to.startswith("formats/") and to.split("/")[1] not in
                        ("core", describes.fullmatch(path)[1]))
    nothing(crossed, "includes")
    targets = [path for path in c_files("fuzz")
               if path not in inside and not describes.fullmatch(path)]
    nothing(crossings(targets, lambda path, to: to.startswith("formats/") and not re.fullmatch(
        r"formats/(?:(?:core|registry)/.*|(\w+)/\1[.]h)", to)), "includes")


@test
def reports_know_only_records():
    nothing(crossings(c_files("reports"), lambda path, to: not to.startswith(
        ("reports/", "formats/core/"))), "includes")


@test
def only_the_store_knows_sqlite():
    # fuzz_store.c is the program of somebody else that changed a database.
    may = ("reports/store/", "scanner/main.c", "tests/", "fuzz/fuzz_store.c")
    nothing([path for path in c_files() if "sqlite3.h" in includes(path)
             and not path.startswith(may)], "files that include sqlite3.h")


@test
def the_hunt_and_the_sources_know_no_reports():
    inner = [path for path in c_files("scanner")
             if path.split("/")[1] in ("hunt", "source")]
    nothing(crossings(inner, lambda path, to: to.startswith("reports/")), "includes")


@test
def sources_and_hunt_know_no_command():
    inner = [path for path in c_files("scanner")
             if path.split("/")[1] in ("hunt", "source")]
    nothing(crossings(inner, lambda path, to: to.startswith("scanner/gate/") or
                      to.startswith("scanner/cmd")), "includes")


@test
def the_library_knows_formats_sources_and_the_hunt():
    may = ("library/", "formats/core/", "formats/registry/", "scanner/hunt/", "scanner/source/")
    nothing(crossings(c_files("library"), lambda path, to: not to.startswith(may)), "includes")


@test
def the_public_header_knows_nothing_inside():
    header = "library/framehound/framehound.h"
    nothing([name for name in includes(header) if name not in ("stddef.h", "stdint.h")], "includes")
    others = [path for path in c_files("formats", "scanner", "reports")]
    nothing(crossings(others, lambda path, to: to.startswith("library/") and to != header),
            "includes")


@test
def the_forge_knows_no_format():
    nothing(crossings(c_files("corpus"), lambda path, to: not to.startswith("corpus/")), "includes")


@test
def every_format_has_its_places():
    missing = []
    for name in formats():
        corpus = os.path.join(ROOT, "corpus", name)
        if not os.path.isdir(os.path.join(ROOT, "formats", name)):
            missing.append(f"formats/{name}/")
        if not os.path.isdir(corpus) or not any(n.endswith(".forge") for n in os.listdir(corpus)):
            missing.append(f"corpus/{name}/*.forge")
        for path in (f"fuzz/fuzz_{name}.c", f"docs/rules/{name}.md"):
            if not os.path.isfile(os.path.join(ROOT, path)):
                missing.append(path)
        if f"'{name}'" not in text_of("fuzz/meson.build"):
            missing.append(f"'{name}' in fuzz/meson.build")
    nothing(missing, "places that are missing")
    nothing([] if formats() else ["no format is listed"], "registry")


# ---- style -----------------------------------------------------------------------------------

@test
def no_banned_call():
    # fuzz_text.c holds our readers of numbers against the C library's.
    files = [path for path in c_files(*HEADS) if path != "fuzz/fuzz_text.c"]
    nothing(matches(files, BANNED, code_of), "calls")


@test
def variable_length_arrays_are_refused():
    nothing([] if "'-Wvla'" in text_of("meson.build") else ["-Wvla"], "warnings left out")


# ---- what input must not reach -----------------------------------------------------------------

STARTS = re.compile(r"\b(system|popen|wordexp|exec(?:l|lp|le|v|vp|ve|vpe|veat)|fexecve|"
                    r"posix_spawnp?|dlopen|dlmopen)\s*\(")
FORKS = re.compile(r"\b(v?fork|clone3?|daemon)\s*\(")
PRODUCT = ("formats", "scanner", "library", "reports")
# The text of a query is one of these: a literal, a constant, an entry of the table of texts, or the
# parameter of the three functions whose callers are looked at below.
QUERIES = re.compile(r"\bsqlite3_(?:exec|prepare(?:_v2|_v3)?)\s*\(([^;]*?)\)\s*;", re.DOTALL)
CALLS = re.compile(r"\bfh_store_(?:exec|number|has_tables)\s*\(([^;{]*?)\)\s*(?:;|!=|==|&&|\|\|)", re.DOTALL)


@test
def no_input_reaches_a_shell():
    """git alone is started, with words and without a shell; cells are forked from the program."""
    nothing(matches([path for path in c_files(*PRODUCT) if path != "scanner/gate/git.c"], STARTS,
                    code_of), "programs that are started")
    nothing(matches(["scanner/gate/git.c"], r"\b(system|popen|wordexp)\s*\(", code_of), "shells")
    nothing(matches([path for path in c_files(*PRODUCT) if path != "scanner/nursery.c"], FORKS,
                    code_of), "processes")


@test
def no_input_reaches_a_format_string():
    """The compiler refuses what is no literal, in every file of the product."""
    build = text_of("meson.build")
    nothing([word for word in ("'-Wformat=2'", "'werror=true'") if word not in build],
            "settings left out")
    loose = [path for path in tree() if os.path.basename(path) == "meson.build"
             and path.split("/")[0] in PRODUCT and "-Wno-format" in text_of(path)]
    nothing(loose, "builds that allow it")
    nothing(matches(c_files(*PRODUCT), r"#\s*pragma\s+(GCC|clang)\s+diagnostic.*-Wformat", text_of),
            "places that allow it")


@test
def no_input_reaches_the_text_of_a_query():
    odd = []
    constants = {name for path in c_files("reports")
                 for name in re.findall(r"\bconst char (\w+)\[\] =\s", code_of(path))}
    constants |= {name for path in c_files("reports")
                  for name in re.findall(r"\bconst char \*const (\w+) =\s", code_of(path))}
    for path in c_files(*PRODUCT):
        code = code_of(path)
        for match in QUERIES.finditer(code):
            text = match.group(1).split(",")[1].strip()
            may = ("script", "query") if path == "reports/store/statement.c" else ()
            if text not in may and not re.fullmatch(r'fh_sql_texts\[\w+\]|(?:""\s*)+', text):
                odd.append(f"{path}: {text}")
        for match in CALLS.finditer(code):
            text = match.group(1).split(",")[-1].strip()
            if path == "reports/store/open.c" and text in ("count_query", "num_pages", "page_len"):
                continue  # parameters of fh_store_has_tables and add_len, whose callers are looked at
            if text not in constants and not re.fullmatch(
                    r'fh_sql_texts\[\w+\]|(?:""\s*)+|FH_STORE_COUNT_TABLES\(""\)|'
                    r'const char \*(?:script|query|count_query)', text):
                odd.append(f"{path}: {text}")
    odd += [found for found in re.findall(r"\badd_len\s*\(([^;{]*?)\)\s*(?:;|!=|==)",
                                          code_of("reports/store/open.c"))
            if not re.fullmatch(r'\s*store,(?:\s*"",?)+\s*', found)]
    nothing(odd, "queries")
    nothing(matches(c_files(*PRODUCT), r"\bsqlite3_(v?[ms]n?printf|str_appendf|str_vappendf)\s*\(",
                    code_of), "texts that are put together")
    found = sum(len(QUERIES.findall(code_of(path))) for path in c_files("reports"))
    nothing([] if found >= 4 else [f"{found} queries"], "places that were looked at")


def functions(path):
    """Line of the opening brace of each function, and how many lines its body has."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m.group().count("\n"),
                  code_of(path), flags=re.MULTILINE)
    depth, start, before = 0, None, ""
    for number, line in enumerate(code.split("\n"), 1):
        for char in line:
            if char == "{":
                if depth == 0 and before == ")":
                    start = number
                depth += 1
            elif char == "}":
                depth -= 1
                if depth == 0 and start is not None:
                    yield start, number - start - 1
                    start = None
            if not char.isspace():
                before = char


@test
def functions_fit():
    nothing([f"{path}:{line}: {lines} lines" for path in c_files() for line, lines in functions(path)
             if lines > MOST_LINES], f"functions over {MOST_LINES} lines")


@test
def lines_fit():
    nothing([f"{path}:{number}: {len(line)} columns" for path in c_files()
             for number, line in enumerate(text_of(path).split("\n"), 1)
             if len(line) > MOST_COLUMNS], f"lines over {MOST_COLUMNS} columns")


@test
def no_path_of_a_machine():
    pattern = r"(?<![\w./-])/(?:work|home)" + r"/"
    nothing(matches(tree(), pattern, text_of), "absolute paths")


@test
def nothing_is_left_to_do():
    pattern = r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX)\b"
    nothing(matches([path for path in tree() if path != "tests/packaging/totals.py"],
                    pattern, text_of), "marks")


tap.main()
