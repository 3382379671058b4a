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
            with open(os.path.join(folder, name), "w", encoding="ascii") as out:
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


tap.main()
