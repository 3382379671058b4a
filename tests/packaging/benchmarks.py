#!/usr/bin/env python3
"""The benchmarks against what is told of them, and against the formats.

Usage: benchmarks.py SOURCE_ROOT.
"""
import os
import re
import sys

import tap
from tap import equal, nothing, test

ROOT = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(ROOT, "tests", "bench"))

import magics  # noqa: E402
import readme  # noqa: E402

DOCS = readme.content(ROOT, "docs", "benchmarks.md")


@test
def readme_tells_what_the_table_says():
    told = readme.parts_of(readme.content(ROOT, "README.md"))[1]
    differing = [f"README.md: {is_told}\nthe table: {said}" for is_told, said in
                 zip(told.splitlines(), readme.section(DOCS).splitlines()) if is_told != said]
    nothing(differing, "other lines; tests/bench/readme.py writes them anew")
    equal(told, readme.section(DOCS), "section")


@test
def a_table_without_a_part_is_refused():
    table = readme.measured(DOCS)
    readme.tables(table)
    for part in readme.PARTS:
        lacking = re.sub(rf"^#+ {part}.*\n(?:[^#\n].*\n|\n)*", "", table, flags=re.MULTILINE)
        try:
            readme.tables(lacking)
        except readme.Wrong as wrong:
            equal(str(wrong), f"the table lacks: {part}", "reason")
        else:
            raise AssertionError(f"a table without '{part}' is taken")


# ---- magics ----------------------------------------------------------------------------------

def masks():
    """(format, mask and value of each byte in turn) of each magic of the formats."""
    for name in sorted({name for name, _ in magics.MAGICS}):
        source = readme.content(ROOT, "formats", name, name + ".c")
        for mask, value in re.findall(r"\.mask = 0x(\w+), \.value = 0x(\w+)", source):
            pairs = list(zip(*(int(word, 16).to_bytes(4, "little") for word in (mask, value))))
            yield name, [pair for i, pair in enumerate(pairs) if any(mask for mask, _ in pairs[i:])]


def passes(data, pairs):
    return len(data) == len(pairs) and all(byte & mask == value for byte, (mask, value) in zip(data, pairs))


@test
def magics_are_those_of_the_formats():
    every = list(masks())
    strings = magics.of_literals()
    nothing([(name, data) for name, data in strings
             if not any(name == of and passes(data, pairs) for of, pairs in every)],
            "magics of the benchmark that no format has")
    nothing([(name, pairs) for name, pairs in every
             if not any(name == of and passes(data, pairs) for of, data in strings)],
            "magics of formats that the benchmark has not")


@test
def magics_say_the_same_in_each_notation():
    search = re.compile(magics.regular_expression().replace("(?s-u)", "").encode(), re.DOTALL)
    nothing([data for _, data in magics.of_literals() if not search.match(data)], "strings not found")
    equal(len(magics.carving_rules(1).splitlines()), len(magics.of_literals()), "rules to carve by")
    equal(len(magics.binwalk_options()), 2 * len(magics.of_literals()), "options of binwalk")
    equal(magics.yara_rule().count("= {"), len(magics.MAGICS), "strings of the YARA rule")


tap.main()
