#!/usr/bin/env python3
"""Whether each oracle of the fuzz targets has a fault that it was seen to find.

Usage: faulty.py ROOT PROGRAM... Speaks TAP. The programs list the truths that their faults violate;
each truth of the sources below must be one of these, or stand here with the reason why not.
"""
import os
import re
import subprocess
import sys

SOURCES = ("answer", "baseline", "cache", "complain", "config", "extent", "fields", "format", "forms",
           "found", "grades", "hmd_mapped", "iso", "library", "lists", "lock", "memory", "open",
           "places", "rows", "run", "scan", "sectors", "sheet", "store", "stream", "support",
           "text")
SYSTEM = "the system must fail for it"
WITHOUT = {
    "the system has files in memory": SYSTEM,
    "the system has memory for a file": SYSTEM,
    "there is room for a folder": SYSTEM,
    "few files are enough": "names are constants of the targets",
    "there is a hash": "libcrypto must fail for it",
}
ENDS = r"\b(?:run_insist|run_demand|fuzz_demand|fuzz_demand_line|fuzz_violated|give_up|demand_names)"
# The last argument of what ends a program. A string may stand in several pieces.
DEMAND = re.compile(ENDS + r'\((?:[^;{}]*?,)?\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\);', re.DOTALL)


def truths(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found)) for found in DEMAND.findall(text)]


def calls(path):
    """How many there are, so that none is overlooked; not those that hand a truth on."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return len(re.findall(ENDS + r"\((?!bool |const )", text)) \
        - len(re.findall(ENDS + r"\([^;{}]*\btruth\);", text))


def tell(number, name, faults):
    print(f"{'not ok' if faults else 'ok'} {number} - {name}")
    print("".join(f"# {fault}\n" for fault in faults), end="", flush=True)
    return bool(faults)


def main():
    root, programs = sys.argv[1], sys.argv[2:]
    found = set()
    for program in programs:
        listed = subprocess.run([program, "--truths"], capture_output=True, text=True, check=True)
        found.update(line for line in listed.stdout.splitlines() if line)
    print(f"1..{len(SOURCES) + 1}")
    failed, there = False, set()
    for number, name in enumerate(SOURCES, 1):
        path = os.path.join(root, "fuzz", f"fuzz_{name}.c")
        own = truths(path)
        there.update(own)
        dead = sorted(set(own) - found - set(WITHOUT))
        faults = [f"no fault is planted for: {truth}" for truth in dead]
        if len(own) != calls(path):
            faults.append(f"{calls(path)} demands, of which {len(own)} can be read")
        failed |= tell(number, f"fuzz_{name}.c", faults)
    failed |= tell(len(SOURCES) + 1, "what is excused has no fault, and is there",
                   sorted(truth for truth in WITHOUT if truth in found or truth not in there))
    return 1 if failed else 0


sys.exit(main())
