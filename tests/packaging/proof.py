#!/usr/bin/env python3
"""Holds tests/proof/explained.tsv against the sources that it speaks of.

Usage: proof.py ROOT. Prints TAP. The analysis itself takes minutes and is ./run prove.
"""
import os
import sys


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


def main():
    root = sys.argv[1]
    faults = [f"explained.tsv:{number}: {fault}"
              for number, row in rows(os.path.join(root, "tests", "proof", "explained.tsv"))
              if (fault := fault_of(root, row))]
    wrong = ["tod", "formats/core/cursor.c", "no such line of code", "assertion", "Because."]
    print("1..2")
    print(f"{'not ' if faults else ''}ok 1 - every explained alarm names a line that is there")
    for fault in faults:
        print(f"# {fault}")
    print(f"{'' if fault_of(root, wrong) else 'not '}ok 2 - a line that is not there is noticed")


main()
