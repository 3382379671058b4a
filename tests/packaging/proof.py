#!/usr/bin/env python3
"""Holds tests/proof/explained.tsv against the sources that it speaks of, and the table of README.md
there against the rows that there are; and what prove.py says where nothing is installed.

Usage: proof.py ROOT. Prints TAP. The analysis itself takes minutes and is ./run prove.
"""
import os
import re
import subprocess
import sys

ROW = re.compile(r"^\| `([\w-]+)` \| \d+ \| [\d,]+ of [\d,]+ (?:goals|statements) \| \d* \|$", re.M)


def rows(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip() and not line.startswith("#"):
                yield number, line.rstrip("\n").split("\t")


def fault_of(root, row):
    if len(row) != 5 or not all(field.strip() for field in row):
        return "has not five fields: analysis, file, code, alarm, why it cannot be"
    _, path, code, _, why = row
    if not os.path.isfile(os.path.join(root, path)):
        return f"{path} is no file"
    with open(os.path.join(root, path), encoding="utf-8") as file:
        if code not in {line.strip() for line in file}:
            return f"{path} has no line: {code}"
    return "" if why.endswith(".") else "the reason is no sentence"


def rows_of_table(root):
    """Names in the table of measured figures, and those of what there is to run."""
    folder = os.path.join(root, "tests", "proof")
    sys.path.insert(0, folder)
    import prove  # pylint: disable=import-outside-toplevel
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        return ROW.findall(file.read()), [item[0] for item in prove.PROOFS + prove.ANALYSES]


def without_tools(root, *options):
    """What prove.py says first, and its exit code, where no tool is installed."""
    done = subprocess.run([sys.executable, os.path.join(root, "tests", "proof", "prove.py"), root,
                           os.devnull, *options], env={**os.environ, "PATH": "/nowhere"},
                          capture_output=True, text=True, check=False)
    return done.stdout.split(":")[0], "frama-c-base why3 z3 cvc4" in done.stdout, done.returncode


def main():
    root = sys.argv[1]
    faults = [f"explained.tsv:{number}: {fault}"
              for number, row in rows(os.path.join(root, "tests", "proof", "explained.tsv"))
              if (fault := fault_of(root, row))]
    wrong = ["tod", "formats/core/cursor.c", "no such line of code", "assertion", "Because."]
    told, known = rows_of_table(root)
    checks = [("every explained alarm names a line that is there", not faults, faults),
              ("a line that is not there is noticed", fault_of(root, wrong), [wrong]),
              ("the table of README.md has all rows", told == known, [told, known])]
    for options, expected in (([], ("prove", True, 1)), (["--allow-missing"], ("skipped", True, 0))):
        seen = without_tools(root, *options)
        checks.append((f"without its tools prove {' '.join(options)} ends with {expected[2]}",
                       seen == expected, [seen, expected]))
    print(f"1..{len(checks)}")
    for number, (title, is_good, more) in enumerate(checks, 1):
        print(f"{'' if is_good else 'not '}ok {number} - {title}")
        for line in () if is_good else more:
            print(f"# {line}")
    sys.exit(0 if all(is_good for _, is_good, _ in checks) else 1)


main()
