#!/usr/bin/env python3
"""A rule without fixtures ends the build: what makes their table, on small corpora.

Usage: fixtures.py COLLECT_FIXTURES.
"""
import os
import subprocess
import sys
import tempfile

import tap
from tap import equal, test

COLLECT = os.path.abspath(sys.argv[1])
FOLDERS = ("camerawork", "hmd", "image", "run", "tod", "tra")
BAD = "# Why it is bad.\n# More \"of\" it.\n#\n# breaks: TOD0001\n# at: 0x0\ntod what?\n\\end\n"
GOLDEN = "note TOD0099 at 0x0: other\nerror TOD0001 at 0x8: this one\n"


def collect(rules, files, elsewhere=""):
    """Exit code, errors, table and depfile for a corpus of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name in FOLDERS:
            os.mkdir(os.path.join(folder, name))
        files = {**files, "elsewhere.tsv": elsewhere,
                 "rules.def": "".join(f"FH_RULE(\n    {code}, ERROR, \"\")\n" for code in rules)}
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="latin-1") as out:
                out.write(text)
        table, deps = os.path.join(folder, "table.c"), os.path.join(folder, "table.d")
        done = subprocess.run([COLLECT, table, deps, folder, os.path.join(folder, "rules.def")],
                              capture_output=True, text=True, check=False)
        made = []
        for path in (table, deps):
            if not os.path.exists(path):
                made.append("")
                continue
            with open(path, encoding="ascii") as file:
                made.append(file.read().replace(folder, ""))
        return done.returncode, done.stderr, *made


def refused(what, rules, files, elsewhere=""):
    code, errors, *_ = collect(rules, files, elsewhere)
    if code == 0 or what not in errors:
        raise AssertionError(f"exit code {code}: {errors}")


PAIR = {"tod/TOD0001.bad.forge": BAD, "tod/TOD0001.good.forge": "# Good.\n#\n# keeps: TOD0001\ntod\n"}


@test
def a_pair_is_enough():
    code, errors, table, deps = collect(["TOD0001"], {**PAIR, "tod/TOD0001.bad.golden": GOLDEN})
    equal((code, errors), (0, ""), "result")
    for part in ('"corpus/tod/TOD0001.bad.forge"', '"corpus/tod/TOD0001.good.forge"',
                 '"Why it is bad. More \\042of\\042 it."', 'tod what\\077\\n',
                 '"error TOD0001 at 0x8: this one"'):
        equal(part in table, True, part)
    for name in ("/tod", "/image", "/elsewhere.tsv", "/rules.def", "/tod/TOD0001.bad.forge",
                 "/tod/TOD0001.bad.golden"):
        equal(f" {name} " in deps.replace("\n", " ") + " ", True, f"{name} in the depfile")


@test
def others_come_behind_the_plain_one():
    more = {name.replace("0001", "0001-aa"): text for name, text in PAIR.items()}
    _, _, table, _ = collect(["TOD0001"], {**more, **PAIR})
    places = [table.index(f'"corpus/tod/TOD0001{word}.bad.forge"') for word in ("", "-aa")]
    equal(places, sorted(places), "places")


@test
def a_rule_without_fixtures_is_refused():
    refused("TOD0002 has no input that breaks it", ["TOD0001", "TOD0002"], PAIR)
    for kind, what in (("bad", "keeps it"), ("good", "breaks it")):
        name = f"tod/TOD0001.{kind}.forge"
        refused(f"TOD0001 has no input that {what}", ["TOD0001"], {name: PAIR[name]})
    refused("TOD0001 has no input", ["TOD0001"],
            {name.replace("0001", "0001x"): text for name, text in PAIR.items() if "bad" in name})


@test
def tests_count_where_files_cannot():
    row = "RUN0001\t{}\ttests/x.c\tsuite\tname\n"
    code, errors, table, _ = collect(["RUN0001"], {}, "# a comment\n" + row.format("bad") +
                                     row.format("good"))
    equal((code, errors), (0, ""), "result")
    equal('"tests/x.c: suite, name"' in table, True, "the test is named")
    refused("RUN0001 has no input that keeps it", ["RUN0001"], {}, row.format("bad"))
    refused("five fields", ["RUN0001"], {}, "RUN0001\tbad\ttests/x.c\n")


def called(*args):
    done = subprocess.run([COLLECT, *args], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@test
def words_that_are_missing_or_lead_nowhere():
    equal(called()[0], 1, "no word")
    equal("needs OUT.c" in called("a", "b", "c")[1], True, "what is needed")
    with tempfile.TemporaryDirectory() as folder:
        rules, deps = os.path.join(folder, "rules.def"), os.path.join(folder, "a b.d")
        code, errors = called(os.path.join(folder, "t.c"), os.path.join(folder, "no", "d"), folder, rules)
        equal((code, "No such file" in errors), (1, True), "a depfile that cannot be made")
        code, errors = called(os.path.join(folder, "t.c"), deps, folder, rules)
        equal((code, "rules.def: is not there" in errors), (1, True), "no rules")
        code, errors = called(os.path.join(folder, "t.c"), deps, folder, folder)
        equal((code, "cannot be read" in errors), (1, True), "a folder for rules")
        loop = os.path.join(folder, "loop.def")
        os.symlink("loop.def", loop)
        code, errors = called(os.path.join(folder, "t.c"), deps, folder, loop)
        equal((code, "symbolic links" in errors), (1, True), "rules that cannot be opened")
        with open(rules, "w", encoding="ascii") as out:
            out.write("FH_RULE(TOD0001, ERROR, x)")
        code, errors = called(os.path.join(folder, "t.c"), deps, folder, rules)
        equal((code, "No such file" in errors), (1, True), "a corpus without its folders")
        code, errors = called(os.path.join(folder, "t.c"), deps, "x" * 1020, rules)
        equal((code, "too long" in errors), (1, True), "a path that is too long")


def whole_corpus(parent):
    """A corpus that is enough, in a folder with a blank in its name."""
    root = os.path.join(parent, "a corpus")
    for name in FOLDERS:
        os.makedirs(os.path.join(root, name))
    for name, text in {**PAIR, "elsewhere.tsv": "", "rules.def": "FH_RULE(TOD0001, ERROR)"}.items():
        with open(os.path.join(root, name), "w", encoding="ascii") as out:
            out.write(text)
    return root


@test
def what_is_written():
    with tempfile.TemporaryDirectory() as parent:
        root, deps = whole_corpus(parent), os.path.join(parent, "d")
        rules = os.path.join(root, "rules.def")
        equal(called(os.path.join(parent, "t.c"), deps, root, rules), (0, ""), "a blank in the name")
        with open(deps, encoding="ascii") as file:
            equal("a\\ corpus/rules.def" in file.read(), True, "blanks are marked in the depfile")
        equal(called(parent, deps, root, rules)[0], 1, "a table that is a folder")
        if os.path.exists("/dev/full"):
            code, errors = called("/dev/full", deps, root, rules)
            equal((code, "No space" in errors), (1, True), "a table on a full disk")
            equal(called(os.path.join(parent, "t.c"), "/dev/full", root, rules)[0], 1,
                  "a depfile on a full disk")


@test
def rules_that_cannot_be_read():
    for text in ("NOCODE", "TODX001", "TOD001", "TOD00012", "tod0001"):
        refused("no code behind FH_RULE", [text], {})
    refused("too many rules", ["TOD0001"] * 2049, {})
    refused("too long", ["TOD0001"], {**PAIR, "tod/TOD0001.bad.forge": "# Why.\n" + "x" * (1 << 20)})


@test
def rows_that_cannot_be_read():
    refused("five fields", ["RUN0001"], {}, "run0001\tbad\ta\tb\tc\n")
    refused("neither bad nor good", ["RUN0001"], {}, "RUN0001\tworse\ta\tb\tc\n")


@test
def texts_of_all_sorts():
    odd = {name: text.replace("tod", "tod \t\x7f\xe9") for name, text in PAIR.items()}
    golden = "note TOD0099 at 0x0: other\nerror TOD0002 at 0x8: no\nlast line"
    for more in ({}, {"tod/TOD0001.bad.golden": golden}, {"tod/TOD0001.bad.golden": ""}):
        code, errors, table, _ = collect(["TOD0001"], {**odd, **more})
        equal((code, errors), (0, ""), "result")
        equal("\\011\\177" in table, True, "letters that are none")
    for text in ("", "#", "#\n", "# One line.", "tod\n", "# a\n#\n# b\n#\n# breaks: TOD0001"):
        code, *_ = collect(["TOD0001"], {**PAIR, "tod/TOD0001.bad.forge": text})
        equal(code in (0, 1), True, f"{text!r} ends well")
    code, errors, table, _ = collect(
        ["TOD0002", "TOD0001"],
        {**PAIR, **{name.replace("0001", "0002"): text for name, text in PAIR.items()}},
        "TOD0001\tbad\ttests/a.c\ts\tn\nTOD0001\tbad\ttests/a.c\ts\tm\nTOD0001\tgood\ttests/b.c\ts\tn\n")
    equal((code, errors), (0, ""), "two rules")
    places = [table.index(word) for word in ("TOD0001.bad.forge", "tests/a.c: s, m", "tests/a.c: s, n")]
    equal(places, sorted(places), "files come before tests")


tap.main()
