#!/usr/bin/env python3
"""Puts a measured table into docs/benchmarks.md, and a short form of what stands there into README.md.

Usage: readme.py [TABLE.md]

TABLE.md is what ./run bench bench/table has written: build/bench/table.md. Without it the README alone is
written anew. The short form leaves out the least and the most of each figure, and tells of the bytes made
to cost much the extremes. A table in which a part lacks is refused, and nothing is written.
"""
import os
import re
import statistics
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MEASURED = "Measured on: "
BEGIN, END = "<!-- benchmarks -->\n", "<!-- /benchmarks -->\n"
COMMAND = "./run bench bench/table"
HOSTILE = "Bytes made to cost much"
# How the titles begin, of parts of table.py.
PARTS = ("A disc image", "Other tools", "Growth with size", "Growth with the number of assets", "Jobs", "Memory",
         HOSTILE, "Replay")


class Wrong(Exception):
    """What is wrong with a text."""


def measured(text):
    """The table of a text: the line that tells where it was measured and all behind it."""
    at = text.find("\n" + MEASURED) + 1
    if not at and not text.startswith(MEASURED):
        raise Wrong("there is no line that begins with '%s'" % MEASURED)
    return text[at:]


def tables(table):
    """[(title, rows)] in their order; a row is a list of cells, the first one that of the heads."""
    out = []
    for line in table.splitlines():
        if line.startswith("#"):
            out.append((line.lstrip("# "), []))
        elif line.startswith("|") and not re.match(r"\|[ |-]+\|$", line):
            out[-1][1].append([cell.strip() for cell in line.strip("|").split("|")])
    lacking = [part for part in PARTS if not any(title.startswith(part) and len(rows) > 1 for title, rows in out)]
    if lacking:
        raise Wrong("the table lacks: " + ", ".join(lacking))
    return out


def extremes(rows):
    """Of a row for each maker of bytes (name, MB a second, growth, what was found) those that say most."""
    head, *rows = rows
    nothing = [row for row in rows if row[3] == "nothing"]
    some = [row for row in rows if row[3] != "nothing"]
    picked = [("the slowest of %d in which nothing is found" % len(nothing), nothing, 1, min),
              ("the slowest of %d in which assets are found" % len(some), some, 1, min),
              ("the one of all that grows most", rows, 2, max)]
    out = [head]
    for what, of, column, pick in picked:
        if of:
            row = pick(of, key=lambda row, column=column: float(row[column]))
            out.append(["%s: %s" % (what, row[0]), *row[1:]])
    return out + [["median of all", "%.0f" % statistics.median(float(row[1]) for row in rows),
                   "%.2f" % statistics.median(float(row[2]) for row in rows), ""]]


def short_cell(cell):
    """Without the least and the most."""
    return re.sub(r"^([\d.]+) \([\d.]+ to [\d.]+\)$", r"\1", cell)


def section(text):
    """What the README tells of a text with a table, between its marks."""
    table = measured(text)
    lines = [table.splitlines()[0].rstrip(".") + ". To measure it anew: `%s`." % COMMAND]
    for title, rows in tables(table):
        if title.startswith(HOSTILE):
            rows = extremes(rows)
        rows = [[short_cell(cell) for cell in row] for row in rows]
        rows.insert(1, ["---"] * len(rows[0]))
        lines += ["", "**%s**" % title, "", *("| %s |" % " | ".join(row) for row in rows)]
    return "\n" + "\n".join(lines) + "\n\n"


def parts_of(readme):
    """The README in front of the section, the section, and what is behind it."""
    front, begin, rest = readme.partition(BEGIN)
    inner, end, behind = rest.partition(END)
    if not begin or not end:
        raise Wrong("README.md has no section between %s and %s" % (BEGIN.strip(), END.strip()))
    return front + begin, inner, end + behind


def content(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def main():
    docs, readme = (os.path.join(ROOT, *name) for name in (("docs", "benchmarks.md"), ("README.md",)))
    text = content(docs)
    if len(sys.argv) > 1:
        text = text[:len(text) - len(measured(text))] + measured(content(sys.argv[1]))
    front, _, behind = parts_of(content(readme))
    for path, new in ((readme, front + section(text) + behind), (docs, text)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)


if __name__ == "__main__":
    try:
        main()
    except (OSError, Wrong) as error:
        sys.exit("readme.py: %s" % error)
