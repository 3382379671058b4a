#!/usr/bin/env python3
"""Every rule of images and of the run has files that break it and a sound neighbour: corpus/README.md.

Usage: scans.py FRAMEHOUND FORGE SOURCE_ROOT FOLDER PREFIX [--update] [--only PATTERN]. Speaks TAP.
Standard library only. --update writes the golden reports anew. With FRAMEHOUND_WRAPPER in the
environment framehound runs under that command.
"""
import fnmatch
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile

import golden
import pieces

FRAMEHOUND, FORGE, SOURCE_ROOT = (os.path.abspath(arg) for arg in sys.argv[1:4])
CORPUS = os.path.join(SOURCE_ROOT, "corpus")
FOLDER, PREFIX = os.path.join(CORPUS, sys.argv[4]), sys.argv[5]
UPDATE = "--update" in sys.argv[6:]
ONLY = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv[6:] else "*"
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
EVERYWHERE = {"IMG0070"}  # told of every image; compared only in the files of the rule itself
HEADERS = {"breaks", "in", "at", "with", "keeps", "allows", "exit"}
NAME = re.compile(rf"^({PREFIX}\d{{4}})(-[a-z0-9.]+)?\.(bad|good)\.forge$")
FINDING = re.compile(r"^  (error|warning|note) ([A-Z]{3}\d{4})(?: at 0x([0-9a-f]+)"
                     r"(?:, line \d+, column \d+)?)?: (.*)$")
ASSERTS = re.compile(r"^ +(?:HOLD|cr_assert)\(.*?;\n", re.MULTILINE | re.DOTALL)


class Failed(Exception):
    pass


def demand(condition, what):
    if not condition:
        raise Failed(what)


def equal(found, expected, what):
    demand(found == expected, f"{what}: found {found!r}, expected {expected!r}")


# ---- one description -------------------------------------------------------------------------

def read_headers(path):
    headers, prose = {}, 0
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if not line.startswith("#"):
                break
            match = re.match(r"^# ([a-z]+): (.*)\n$", line)
            if match and match[1] in HEADERS:
                demand(match[1] not in headers, f"'{match[1]}' twice")
                headers[match[1]] = match[2]
            else:
                prose += len(line.strip("# \n"))
    demand(prose > 0, "no prose")
    return headers


def framehound(words, folder, given=os.devnull, exits=(0, 1, 3, 4)):
    """Runs it in the folder, with the bytes of a file in a pipe."""
    with open(os.path.join(folder, given), "rb") as file:
        pipe = subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE)
        done = subprocess.run([*WRAPPER, FRAMEHOUND, *words], cwd=folder, stdin=pipe.stdout,
                              capture_output=True, check=False)
        pipe.stdout.close()
        pipe.wait()
    error = done.stderr.decode(errors="replace")
    demand(done.returncode in exits and "Sanitizer" not in error and "runtime error" not in error,
           f"{words[0]}: exit code {done.returncode}, {error}")
    return done


def scan(words, folder):
    """Exit code and findings of a scan; a row is code, severity, source, offset, message."""
    given = os.devnull
    if "<" in words:
        at = words.index("<")
        given, words = words[at + 1], words[:at]
    database = os.path.join(folder, "scan.db")
    done = framehound(["scan", "-o", database, *words], folder, given)
    connection = sqlite3.connect(database)
    try:
        rows = connection.execute(
            "SELECT f.code, f.severity, s.path, f.raw_offset, f.message FROM finding AS f JOIN source "
            "AS s ON s.id = f.source_id ORDER BY f.id").fetchall()
    finally:
        connection.close()
    return done.returncode, rows


def check(words, folder):
    """The same of check, from what it prints."""
    done, rows, name = framehound(["check", *words], folder), [], None
    for line in done.stdout.decode().splitlines():
        match = FINDING.match(line)
        if match:
            offset = None if match[3] is None else int(match[3], 16)
            rows.append((match[2], match[1], name, offset, match[4]))
        elif not line.startswith(" "):
            name = line.split(": ")[0]
    return done.returncode, rows


def judge_row(row, rules):
    code, severity, _, _, message = row
    what = f"{code} '{message}'"
    demand(code in rules, f"{what}: no such rule")
    equal(severity, rules[code]["severity"], f"severity of {what}")
    demand(message.startswith(rules[code]["title"] + ": "), f"{what}: the title is missing")


def judge_bad(code, headers, rows):
    equal(headers.get("breaks"), code, "header 'breaks'")
    demand({"in", "at"} <= set(headers) and not {"keeps", "allows"} & set(headers), "wrong headers")
    told = {row[0] for row in rows} - (EVERYWHERE - {code})
    equal(sorted(told), sorted({code, *headers.get("with", "").split()}), "rules")
    _, _, source, offset, _ = next(row for row in rows if row[0] == code)
    equal((source, "nowhere" if offset is None else hex(offset)), (headers["in"], headers["at"]),
          "place")


def judge_good(code, headers, rows):
    equal(headers.get("keeps"), code, "header 'keeps'")
    demand(not {"breaks", "in", "at", "with"} & set(headers), "wrong headers")
    told = {row[0] for row in rows} - (EVERYWHERE - {code})
    equal(sorted(told), sorted(headers.get("allows", "").split()), "rules")


def judge(name, rules):
    code, _, kind = NAME.match(name).groups()
    path = os.path.join(FOLDER, name)
    headers = read_headers(path)
    with tempfile.TemporaryDirectory() as folder:
        command, words = pieces.build(FORGE, path, folder,
                                      lambda words: framehound(words, folder, exits=(0,)))
        exit_code, rows = (scan if command == "scan" else check)(words, folder)
    equal(exit_code, int(headers.get("exit", "0")), "exit code")
    for row in rows:
        judge_row(row, rules)
    (judge_bad if kind == "bad" else judge_good)(code, headers, rows)
    if kind == "bad":
        golden.hold(path[:-len("forge")] + "golden",
                    [golden.line_of(row[1], row[0], row[3], row[4], row[2]) for row in rows], UPDATE)


# ---- what only a test can make ---------------------------------------------------------------

def elsewhere():
    """Rows of elsewhere.tsv that are of this folder: code, kind, file, suite, test."""
    with open(os.path.join(CORPUS, "elsewhere.tsv"), encoding="ascii") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [row for row in rows if row[0].startswith(PREFIX)]


def judge_elsewhere(code, kind, path, suite, test):
    """The test is there, and asserts that the rule is broken, or that it is not."""
    demand(kind in ("bad", "good"), f"neither bad nor good: {kind}")
    with open(os.path.join(SOURCE_ROOT, path), encoding="utf-8") as file:
        found = re.search(rf"^Test\({suite}, {test}(?:,[^)]*)?\)\n{{\n.*?^}}", file.read(),
                          re.MULTILINE | re.DOTALL)
    demand(found is not None, f"{path} has no test {suite}, {test}")
    told = [part for part in ASSERTS.findall(found[0]) if f'"{code}"' in part]
    none = [part for part in told if re.search(rf'field_count\(&f, "{code}"\) == 0', part)]
    demand(none if kind == "good" else len(told) > len(none), f"{test} asserts no such thing")


# ---- all of them -----------------------------------------------------------------------------

def judge_names(names, rules):
    codes = {code for code in rules if code.startswith(PREFIX)}
    matches = {name: NAME.match(name) for name in names}
    equal([name for name, match in matches.items() if match is None and not name.endswith(".golden")],
          [], "files with other names")
    demand({match[1] for match in matches.values() if match} <= codes, "files of unknown rules")
    have = {(match[1], match[3]) for match in matches.values() if match} | \
        {(row[0], row[1]) for row in elsewhere()}
    equal([pair for code in sorted(codes) for pair in ((code, "bad"), (code, "good"))
           if pair not in have], [], "rules without a file or a test")
    equal([name for name in names if name.endswith(".golden")
           and name[:-len("golden")] + "forge" not in matches], [], "reports without a description")


def rule_table():
    done = subprocess.run([*WRAPPER, FRAMEHOUND, "rules", "--format", "json"], capture_output=True,
                          check=True)
    return {rule["code"]: rule for rule in json.loads(done.stdout)}


def tests_of(names, rules):
    yield "every rule has its files", lambda: judge_names(names, rules)
    for name in names:
        if NAME.match(name) and fnmatch.fnmatch(name, ONLY):
            yield name, lambda name=name: judge(name, rules)
    for row in elsewhere():
        yield " ".join(row), lambda row=row: judge_elsewhere(*row)


def main():
    names, failed, number = sorted(os.listdir(FOLDER)), 0, 0
    for number, (name, test) in enumerate(tests_of(names, rule_table()), 1):
        try:
            test()
            print(f"ok {number} - {name}")
        except Exception as error:  # a broken test must not hide the others
            failed += 1
            print(f"not ok {number} - {name}")
            for line in f"{type(error).__name__}: {error}".splitlines():
                print(f"# {line}")
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
