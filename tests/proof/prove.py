#!/usr/bin/env python3
"""Runs Frama-C over the harnesses of this folder and holds its alarms against explained.tsv.

Usage: prove.py ROOT OUT [--allow-missing] [NAME...]. Logs go to OUT, a table to standard output, its
rows as they stand in README.md. Exit code 1 if a goal is not proved, an alarm is not explained, an
explained one has gone, or README.md has another row; or if a tool is not installed, but for
--allow-missing. `./run prove` calls it.
"""
import os
import re
import shutil
import subprocess
import sys
import time

# Compilers' attributes are taken away: Eva takes types that differ by one for different types.
CPP = "-I. -Iformats -Itests/proof '-D__attribute__(x)=' "
MACHINE = ["-machdep", "gcc_x86_64", "-c11"]
WP = ["-wp", "-wp-rte", "-wp-prover", "cvc4,z3", "-wp-timeout", "20", "-wp-par", "2"]
UNSIGNED = ["-warn-unsigned-overflow"]

# name, harness, functions, options. A shift of a byte to its place in a word is no overflow, but the
# provers know nothing of it, so the two functions with such are asked without unsigned ones.
PROOFS = [
    ("cursor", "cursor.c",
     "holds,fits,fh_cursor_make,fh_cursor_sub,fh_cursor_left,fh_cursor_tell,fh_cursor_seek,"
     "fh_cursor_skip,fh_cursor_u8,fh_cursor_u16,fh_cursor_u32,fh_cursor_s16,fh_cursor_s32,"
     "fh_cursor_peek,find_stepwise,find_by_first,fh_cursor_find_word,fh_cursor_all_zero,fh_pay",
     UNSIGNED + ["-wp-model", "Typed+Cast"]),
    ("cursor-words", "cursor.c", "read_le,word_at", []),
    ("arena", "arena.c", "fh_arena_room,fh_arena_alloc,fh_arena_mark,fh_arena_reset",
     UNSIGNED + ["-wp-model", "Typed+Cast"]),
]

CORE = ["core/cursor.c", "core/memo.c", "core/finding.c", "core/report.c", "core/repair.c",
        "core/shown.c", "core/format.c", "fixed/fixed.c"]

# name, harness files, sources below formats/ (a folder: all of it), macros, options
ANALYSES = [
    ("core", ["core.c"],
     ["core/cursor.c", "core/text.c", "core/scan.c", "core/number.c", "core/big.c",
      "core/double.c", "core/finding.c", "fixed/fixed.c"], "-DPROOF_LEN=8388608",
     ["-eva-precision", "0", "-eva-domains", "symbolic-locations", "-eva-auto-loop-unroll", "20",
      "-eva-slevel-function", "put_digits:200,root_of:20000,leading_zeros:100,fx_sqrt:100"]),
    ("tod-probe", ["format.c", "models.c"], ["tod"] + CORE,
     "-DPROOF_LEN=8388608 -DPROOF_FORMAT=fh_tod_format", ["-eva-precision", "1"]),
    ("tod-verify", ["format.c", "models.c"], ["tod"] + CORE,
     "-DPROOF_LEN=256 -DPROOF_VERIFY -DPROOF_FORMAT=fh_tod_format",
     ["-eva-precision", "0", "-eva-plevel", "2000", "-eva-split-return", "auto"]),
    ("hmd-probe", ["format.c", "models.c"], ["hmd"] + CORE,
     "-DPROOF_LEN=256 -DPROOF_FORMAT=fh_hmd_format",
     ["-eva-precision", "0", "-eva-plevel", "2000", "-eva-split-return", "auto"]),
]

ALARM = re.compile(r"^\[eva:alarm\] ([^:\s]+):(\d+): Warning:\s*\n?((?:  .*\n)+)", re.M)
EXPLAINED = "tests/proof/explained.tsv"
README = "tests/proof/README.md"

# Tools, and the Debian packages that have them.
TOOLS = {"frama-c": "frama-c-base", "why3": "why3", "z3": "z3", "cvc4": "cvc4"}


def sources(root, names):
    for name in names:
        path = os.path.join("formats", name)
        if os.path.isdir(os.path.join(root, path)):
            yield from sorted(os.path.join(path, file) for file in os.listdir(os.path.join(root, path))
                              if file.endswith(".c"))
        else:
            yield path


def frama_c(root, log, arguments):
    began = time.monotonic()
    done = subprocess.run(["frama-c"] + arguments, cwd=root, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    with open(log, "w", encoding="utf-8") as file:
        file.write(done.stdout)
    return done.stdout, done.returncode, time.monotonic() - began


def prove(root, out, proof):
    """One line of the table, whether all is proved, and what else is wrong."""
    name, harness, functions, options = proof
    text, code, seconds = frama_c(
        root, os.path.join(out, name + ".log"),
        WP + options + MACHINE + ["-wp-fct", functions, "-cpp-extra-args=" + CPP,
                                  "tests/proof/" + harness])
    found = re.search(r"Proved goals:\s+(\d+) / (\d+)", text)
    if code != 0 or found is None:
        return f"{name}: broke off: see its log", False, []
    good, of = int(found.group(1)), int(found.group(2))
    num = len(functions.split(","))
    line, wrong = row(root, name, num, f"{good:,} of {of:,} goals", "", seconds)
    return line, good == of and not wrong, wrong


def row(root, name, functions, shown, alarms, seconds):
    """A row of the table, with the time behind it, and what is wrong with that of README.md."""
    line = f"| `{name}` | {functions} | {shown} | {alarms} |"
    with open(os.path.join(root, README), encoding="utf-8") as file:
        is_there = line in file.read().splitlines()
    return f"{line} {seconds:.0f} s", [] if is_there else [f"{README} has another row for {name}"]


def code_at(root, path, line):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read().split("\n")[line - 1].strip()


def alarms_of(root, text):
    """Alarms as (file, code, kind), with the line for people."""
    alarms = {}
    for path, line, message in ALARM.findall(text):
        kind = re.sub(r"\s+", " ", message).strip()
        kind = "assertion" if "__FC_assert" in kind else re.sub(r"\. assert .*|: precond.*", "", kind)
        if os.path.exists(os.path.join(root, path)):
            alarms[(path, code_at(root, path, int(line)), kind)] = int(line)
    return alarms


def explanations(root):
    rows = {}
    with open(os.path.join(root, EXPLAINED), encoding="utf-8") as file:
        for row in file:
            if row.strip() and not row.startswith("#"):
                name, path, code, kind, why = row.rstrip("\n").split("\t")
                rows.setdefault(name, {})[(path, code, kind)] = why
    return rows


def analyse(root, out, analysis, explained):
    name, harness, names, macros, options = analysis
    text, code, seconds = frama_c(
        root, os.path.join(out, name + ".log"),
        ["-eva"] + options + ["-eva-msg-key=-initial-state,-final-states"] + MACHINE +
        ["-cpp-extra-args=" + CPP + macros] + ["tests/proof/" + file for file in harness] +
        list(sources(root, names)))
    functions = re.search(r"(\d+) functions? analyzed", text)
    reached = re.search(r"(\d+) statements reached \(out of (\d+)\)", text)
    if code != 0 or functions is None or reached is None:
        return f"{name}: broke off: see its log", False, []
    alarms = alarms_of(root, text)
    wrong = [f"{name}: not explained: {path}:{line}: {kind}: {code}"
             for (path, code, kind), line in alarms.items() if (path, code, kind) not in explained]
    wrong += [f"{name}: explained, but there is no such alarm: {path}: {kind}: {code}"
              for path, code, kind in explained if (path, code, kind) not in alarms]
    line, other = row(root, name, functions.group(1), f"{int(reached.group(1)):,} of "
                      f"{int(reached.group(2)):,} statements", len(alarms), seconds)
    return line, not wrong + other, wrong + other


def missing_tools(is_allowed):
    """The exit code where a tool is missing, else None."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if not missing:
        return None
    packages = " ".join(TOOLS[tool] for tool in missing)
    print(f"{'skipped' if is_allowed else 'prove'}: {', '.join(missing)} not installed; on Debian: "
          f"apt-get install {packages}")
    return 0 if is_allowed else 1


def main():
    root, out = sys.argv[1:3]
    wanted = [word for word in sys.argv[3:] if word != "--allow-missing"]
    known = [item[0] for item in PROOFS + ANALYSES]
    for name in wanted:
        if name not in known:
            sys.exit(f"prove: there is no {name}; there are {', '.join(known)}")
    code = missing_tools("--allow-missing" in sys.argv[3:])
    if code is not None:
        return code
    os.makedirs(out, exist_ok=True)
    subprocess.run(["why3", "config", "detect"], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    explained = explanations(root)
    all_good = True
    for item in PROOFS + ANALYSES:
        if wanted and item[0] not in wanted:
            continue
        line, good, wrong = (prove(root, out, item) if item in PROOFS else
                             analyse(root, out, item, explained.get(item[0], {})))
        print("\n".join([line] + wrong), flush=True)
        all_good = all_good and good
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main())
