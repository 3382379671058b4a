#!/usr/bin/env python3
"""Every rule has a file that breaks it and a sound neighbour: corpus/README.md.

Usage: rules.py FRAMEHOUND FORGE SOURCE_ROOT FORMAT [--update] [--only PATTERN]. Speaks TAP. Standard library only.
--update writes the golden reports anew, and the *.expected.txt files that are there; --only looks only at the descriptions
whose name matches a shell pattern. With FRAMEHOUND_WRAPPER in the environment framehound runs under
that command.
"""
import collections
import fnmatch
import hashlib
import json
import os
import random
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile

import golden

FRAMEHOUND, FORGE, SOURCE_ROOT = (os.path.abspath(arg) for arg in sys.argv[1:4])
FORMAT = sys.argv[4]
UPDATE = "--update" in sys.argv[5:]
ONLY = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv[5:] else None
FOLDER = os.path.join(SOURCE_ROOT, "corpus", FORMAT)
PREFIX = {"camerawork": "CAM"}.get(FORMAT, FORMAT.upper())
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
# Notes that every sound animation has; compared only in the files of the rule itself.
EVERYWHERE = {"HMD0288"}
# Rules of work that was stopped: exit code 4.
LIMITS = {"TOD0131", "HMD0289", "HMD0297", "TRA0141", "CAM0063"}

GRADES = ["candidate", "structure", "references", "replayed"]
SEVERITIES = ("error", "warning", "note")
HEADERS = {"breaks", "at", "with", "keeps", "allows", "grade", "scan", "args", "place", "found", "also",
           "bac"}

# Findings about something that is not there point at the place where it should begin, which may
# be the end of the file.
AT_THE_END = {"TOD0008", "TOD0024", "TRA0021", "TRA0024"}

NAME = re.compile(rf"^({PREFIX}\d{{4}})(-[a-z0-9.]+)?\.(bad|good)\.forge$")
FINDING = re.compile(r"^  (\w+) ([A-Z]+\d{4})(?: at 0x([0-9a-f]+)"
                     r"(?:, line \d+, column \d+)?)?: (.*)$")
# What stands below a finding: a line of the text or a row of its bytes, and a caret with the field.
CARET = re.compile(r"^    +\^ \S.*$")
# A finding in the model that the asset is held against says there where it is.
IN_COMPANION = re.compile(r"[(]byte (0x[0-9a-f]+) of the BAC6 text, line \d+, column \d+[)]$")
FURTHER = "number of further findings"

COPIES = 20
GAP = bytes(64) # between the parts of a text that does not lie in one place
MOST_CUT = 8  # every prefix of every file is cut by fuzz/prefixes-*
SEED = 19950320

Description = collections.namedtuple("Description", "name rule kind headers path")
Finding = collections.namedtuple("Finding", "code severity offset message field found")
Report = collections.namedtuple("Report", "grade findings exit text")


class Failed(Exception):
    pass


def equal(found, expected, what):
    if found != expected:
        raise Failed(f"{what}: found {found!r}, expected {expected!r}")


def demand(condition, what):
    if not condition:
        raise Failed(what)


def run(*args, cwd=None, exits=(0,)):
    command = [*WRAPPER, *args] if args[0] == FRAMEHOUND else args
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=False)
    error = done.stderr.decode(errors="replace")
    what = f"{' '.join(args[:4])}: exit code {done.returncode}, {error}"
    demand(done.returncode in exits, what)
    demand("runtime error" not in error and "Sanitizer" not in error, what)
    return done


# ---- descriptions ----------------------------------------------------------------------------

def read_headers(path):
    """The lines '# key: value' of the comment that a description begins with."""
    headers, prose = {}, 0
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if not line.startswith("#"):
                break
            match = re.match(r"^# ([a-z]+):(?: (.*))?\n$", line)
            if match and match[1] in HEADERS:
                demand(match[1] not in headers, f"{path}: '{match[1]}' twice")
                headers[match[1]] = match[2] or ""
            else:
                prose += len(line.strip("# \n"))
    demand(prose > 0, f"{path}: no prose")
    return headers


def read_description(name):
    match = NAME.match(name)
    path = os.path.join(FOLDER, name)
    headers = read_headers(path)
    is_bad = match[3] == "bad"
    key = "breaks" if is_bad else "keeps"
    equal(headers.get(key), match[1], f"{name}: header '{key}'")
    demand(headers.get("grade") in GRADES, f"{name}: no header 'grade'")
    demand(not is_bad or "at" in headers, f"{name}: no header 'at'")
    wrong = set(headers) & ({"keeps", "allows"} if is_bad else {"breaks", "at", "with"})
    demand(not wrong, f"{name}: headers {sorted(wrong)} do not belong here")
    return Description(name[:-len(".forge")], match[1], match[3], headers, path)


def expected_codes(description, command):
    headers = description.headers
    if command == "scan" and "scan" in headers:
        return set(headers["scan"].split())
    codes = set(headers.get("with", "").split()) | set(headers.get("allows", "").split())
    return codes | ({description.rule} if description.kind == "bad" else set())


# ---- framehound ------------------------------------------------------------------------------

def rule_table():
    done = run(FRAMEHOUND, "rules", "--format", "json")
    return {rule["code"]: rule for rule in json.loads(done.stdout)}


def build(description, folder):
    """The description's bytes, as a file of its name in the folder."""
    path = os.path.join(folder, description.name + "." + FORMAT)
    if not os.path.exists(path):
        run(FORGE, FORMAT, description.path, "-o", path + ".new")
        os.replace(path + ".new", path)
    with open(path, "rb") as built:
        return path, built.read()


def build_companion(description, folder):
    """The model that the description names, and the arguments of check that give it."""
    if "bac" not in description.headers:
        return []
    path = os.path.join(folder, description.name + ".bac")
    run(FORGE, "bac", os.path.join(FOLDER, description.headers["bac"]), "-o", path)
    return ["--bac", path]


def without_views(text):
    """The lines without the bytes of fields. Every finding that has a place has them."""
    lines = text.splitlines()
    kept, at = [], 0
    while at < len(lines):
        kept.append(lines[at])
        match = FINDING.match(lines[at])
        at += 1
        if match and match[3] is not None:
            demand(at + 1 < len(lines) and lines[at].startswith("    ") and CARET.match(lines[at + 1]),
                   f"no bytes of the field below: {lines[at - 1]}")
            at += 2
    return kept


def parse_check(text):
    """The grade and the findings of every file that check has told of."""
    reports, name = {}, None
    for line in without_views(text):
        match = FINDING.match(line)
        if match and match[1] in SEVERITIES:
            offset = None if match[3] is None else int(match[3], 16)
            reports[name][1].append(Finding(match[2], match[1], offset, match[4], None, None))
        elif line.startswith("    help: "):
            demand(len(line) > len("    help: "), f"empty help for {name}")
        elif re.match(r"^\d+ files?: ", line):
            name = None
        elif re.match(r"^\d+ findings? may be mended by framehound check --fix; ", line):
            demand(name is None, "what can be mended is not told at the foot")
        else:
            match = re.match(rf"^(.*?): {FORMAT}(?:, [^,]+)*, (\w+)$", line)
            demand(match and match[2] in GRADES, f"line not understood: {line}")
            name = match[1]
            reports[name] = (match[2], [])
    return reports


def check(path, args):
    name = os.path.basename(path)
    done = run(FRAMEHOUND, "check", *args, name, cwd=os.path.dirname(path), exits=(0, 1, 4))
    text = done.stdout.decode()
    grade, findings = parse_check(text)[name]
    return Report(grade, findings, done.returncode, text)


def scan_files(paths, args, folder):
    """Assets and findings of each file of one scan; both are lists of rows."""
    database = os.path.join(folder, "scan.db")
    if os.path.exists(database):
        os.remove(database)
    run(FRAMEHOUND, "scan", *args, "-o", database, *paths, exits=(0, 4))
    found = {path: ([], []) for path in paths}
    connection = sqlite3.connect(database)
    try:
        for path, *asset in connection.execute(
                "SELECT s.path, a.grade, a.raw_offset, a.length, a.sha256 FROM asset AS a "
                "JOIN source AS s ON s.id = a.source_id ORDER BY a.raw_offset"):
            found[path][0].append(tuple(asset))
        for path, *finding in connection.execute(
                "SELECT s.path, f.code, f.severity, f.asset_offset, f.message, f.field, f.found "
                "FROM finding AS f JOIN source AS s ON s.id = f.source_id ORDER BY f.id"):
            found[path][1].append(Finding(*finding))
    finally:
        connection.close()
    return found


def scan(path, args, folder):
    return scan_files([path], args, folder)[path]


# ---- one description -------------------------------------------------------------------------

def judge_finding(finding, size, rules):
    """Whether a finding agrees with the table of rules, has a place, and says what it saw."""
    what = f"{finding.code} '{finding.message}'"
    demand(finding.code in rules, f"{what}: no such rule")
    rule = rules[finding.code]
    equal(finding.severity, rule["severity"], f"severity of {what}")
    demand(finding.message.startswith(rule["title"] + ": "), f"{what}: the title is missing")
    evidence = finding.message[len(rule["title"]) + 2:]
    demand(re.match(r"^\S.* is \S", evidence), f"{what}: it does not say what it found")
    if finding.field is not None:
        demand(evidence.startswith(f"{finding.field} is {finding.found}"),
               f"{what}: it does not name field and value")
    if evidence.startswith(FURTHER) or finding.code in ("RUN0005", "RUN0006"):
        return
    if IN_COMPANION.search(finding.message):
        equal(finding.offset, None, f"{what}: offset of something that is not in the file")
        return
    demand(finding.offset is not None, f"{what}: no offset")
    end = size + 1 if finding.code in AT_THE_END else size
    demand(0 <= finding.offset < end, f"{what}: offset {finding.offset} is not in the file")


def place_of(finding):
    """As the header 'at' gives it: an offset in the asset, or in the model beside it."""
    match = IN_COMPANION.search(finding.message)
    return hex(finding.offset) if match is None else f"bac {hex(int(match[1], 16))}"


def judge_findings(findings, description, size, rules, command):
    expected = expected_codes(description, command)
    told = {finding.code for finding in findings}
    silent = EVERYWHERE - {description.rule} - expected
    equal(sorted(told - silent), sorted(expected), f"rules of {command}")
    for finding in findings:
        judge_finding(finding, size, rules)
    if description.kind == "bad" and description.rule in expected:
        first = next(one for one in findings if one.code == description.rule)
        equal(place_of(first), description.headers["at"],
              f"offset of {description.rule} in {command}")


def judge_check(description, path, size, rules):
    args = build_companion(description, os.path.dirname(path))
    report = check(path, args + description.headers.get("args", "").split())
    judge_findings(report.findings, description, size, rules, "check")
    equal(report.grade, description.headers["grade"], "grade by check")
    severities = {finding.severity for finding in report.findings}
    is_limit = description.rule in LIMITS and description.kind == "bad"
    equal(report.exit, 4 if is_limit else 1 if "error" in severities else 0, "exit code of check")
    judge_text(description, report.text)
    return report.findings


def judge_scan(description, path, size, rules, folder, scanned):
    place = int(description.headers.get("place", 0))
    args = ["--every-offset"] if place > 0 else []
    assets, findings = scanned[path] if path in scanned else scan(path, args, folder)
    judge_findings(findings, description, size, rules, "scan")
    is_found = (not {"RUN0005", "RUN0006"} & expected_codes(description, "scan") and
                description.headers.get("found") != "nothing")
    grade, _, start = description.headers.get("found", description.headers["grade"]).partition("@")
    also = [one.split("@") for one in description.headers.get("also", "").split()]
    expected = [(name, place + int(at, 0)) for name, at in [(grade, start or "0"), *also]]
    equal(sorted(((asset[0], asset[1]) for asset in assets), key=lambda one: one[1]),
          expected if is_found or start else [], "assets of scan")
    return findings


def move(path, place, data):
    """Puts the bytes into a larger file, between bytes that nothing begins with."""
    moved = path[:-len("." + FORMAT)] + ".bin"
    with open(moved, "wb") as out:
        out.write(b"\xff" * place + data + b"\xff" * 16)
    return moved


def judge(description, rules, folder, scanned):
    path, data = build(description, folder)
    findings = None
    if "place" in description.headers:
        path = move(path, int(description.headers["place"]), data)
    else:
        findings = judge_check(description, path, len(data), rules)
    if "args" not in description.headers: # scan has no such options
        found = judge_scan(description, path, len(data), rules, folder, scanned)
        findings = found if findings is None else findings
    if description.kind == "bad":
        golden.hold(os.path.join(FOLDER, description.name + ".golden"),
                    [golden.line_of(one.severity, one.code, one.offset, one.message)
                     for one in findings], UPDATE)


def judge_text(description, text):
    path = os.path.join(FOLDER, description.name + ".expected.txt")
    if not os.path.exists(path):
        return
    if UPDATE:
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
    with open(path, encoding="utf-8") as expected:
        equal(text.splitlines(), expected.read().splitlines(), "output of check")


# ---- all descriptions ------------------------------------------------------------------------

def judge_coverage(names, rules):
    seen = {name: NAME.match(name) for name in names}
    codes = {code for code, rule in rules.items() if rule["format"] == FORMAT}
    equal(sorted(name for name, match in seen.items() if match and match[1] not in codes), [],
          "files of unknown rules")
    equal(sorted(name for name, match in seen.items() if not match and name.startswith(PREFIX)
                 and not name.endswith((".bad.expected.txt", ".bad.golden"))), [], "files with other names")
    equal([f"{code}.{kind}" for code in sorted(codes) for kind in ("bad", "good")
           if f"{code}.{kind}.forge" not in seen], [], "rules without a file")
    for name, match in seen.items():
        if match:
            other = "good" if match[3] == "bad" else "bad"
            pair = f"{match[1]}{match[2] or ''}.{other}.forge"
            demand(pair in seen, f"{name} is there without {pair}")
        for end in (".expected.txt", ".golden"):
            demand(not name.endswith(end) or name.replace(end, ".forge") in seen,
                   f"{name} has no description")


def judge_round_trip(descriptions, folder):
    """Every good file is put to 20 places of one blob of random bytes, and found just there."""
    source = random.Random(SEED)
    pieces = [(one.headers["grade"], build(one, folder)[1]) for one in descriptions
              if GRADES.index(one.headers["grade"]) >= GRADES.index("references")
              and one.kind == "good" for _ in range(COPIES)]
    pieces = [one for one in pieces if GAP not in one[1]]
    source.shuffle(pieces)
    blob, expected = bytearray(), []
    for grade, data in pieces:
        blob += source.randbytes(4 * source.randint(1, 64))
        expected.append((grade, len(blob), len(data), hashlib.sha256(data).hexdigest()))
        blob += data + b"\xff" * (-len(data) % 4)
    blob += source.randbytes(256)
    path = os.path.join(folder, "blob.bin")
    with open(path, "wb") as out:
        out.write(blob)
    # A file with bytes behind its last frame is found without them.
    # The smallest sound files have no more evidence than chance makes.
    assets, _ = scan(path, ["--min-evidence", "0"], folder)
    equal(len(assets), len(expected), "number of assets")
    for found, wanted in zip(assets, expected):
        equal(found, wanted, "asset")


def cut(description, folder):
    """Writes what is left of the file without its last bytes, and returns the names, longest first."""
    _, data = build(description, folder)
    names = []
    for length in range(len(data) - 1, max(len(data) - 1 - MOST_CUT, 0), -1):
        names.append(f"{description.name}.{length}.{FORMAT}")
        with open(os.path.join(folder, names[-1]), "wb") as out:
            out.write(data[:length])
    return names


def check_cuts(names, folder):
    """The grade of each file."""
    done = run(FRAMEHOUND, "check", *names, cwd=folder, exits=(0, 1))
    return {name: report[0] for name, report in parse_check(done.stdout.decode()).items()}


def judge_cuts(description, folder, checked):
    """Cutting bytes off the end never raises the grade and never ends badly."""
    names = cut(description, folder)
    grades = checked if all(name in checked for name in names) else check_cuts(names, folder)
    best = GRADES.index(description.headers["grade"])
    for name in names:
        grade = GRADES.index(grades[name])
        demand(grade <= best, f"{name}: the file that was cut has a higher grade")
        best = grade


# ---- all at once -----------------------------------------------------------------------------
#
# A program that is started for each of hundreds of files takes most of its time to start. So one
# scans all files that need no options of their own, and one checks all that are cut. If it fails,
# each file is asked alone, and it is seen which it was.

def scan_all(descriptions, folder, scanned):
    paths = [build(one, folder)[0] for one in descriptions if not {"place", "args"} & set(one.headers)]
    if paths:
        scanned.update(scan_files(paths, [], folder))


def is_cut(description):
    return (description.rule not in LIMITS or description.kind == "good") and \
        "bac" not in description.headers  # grades against a model are not those alone


def check_all_cuts(descriptions, folder, checked):
    names = [name for one in descriptions if is_cut(one) for name in cut(one, folder)]
    if names:
        grades = check_cuts(names, folder)
        equal(sorted(grades), sorted(names), "files that check told of")
        checked.update(grades)


# ---- TAP -------------------------------------------------------------------------------------

def read_all(names, descriptions):
    wrong = []
    for name in names:
        try:
            descriptions.append(read_description(name))
        except Failed as error:
            wrong.append(str(error))
    demand(not wrong, "\n".join(wrong))


def tests_of(names, rules, folder):
    """Pairs of a name and a function that raises Failed."""
    found = [name for name in names if NAME.match(name)]
    descriptions, scanned, checked = [], {}, {}
    if ONLY is None:
        yield "every rule has its files", lambda: judge_coverage(names, rules)
    yield "every description can be read", lambda: read_all(found, descriptions)
    yield "all files are scanned at once", lambda: scan_all(descriptions, folder, scanned)
    for description in descriptions:
        yield description.name, lambda d=description: judge(d, rules, folder, scanned)
    yield "good files are found in random bytes", lambda: judge_round_trip(descriptions, folder)
    yield "all files are cut at once", lambda: check_all_cuts(descriptions, folder, checked)
    for description in descriptions:
        if is_cut(description):
            yield f"{description.name} cut", lambda d=description: judge_cuts(d, folder, checked)


def tell(number, name, failure):
    """Prints the result of one test; true if it is as it should be."""
    print(f"{'not ok' if failure else 'ok'} {number} - {name}")
    for line in (failure or "").splitlines():
        print(f"# {line}")
    return not failure


def main():
    names, rules, passed = sorted(os.listdir(FOLDER)), rule_table(), True
    if ONLY is not None:
        names = [name for name in names if fnmatch.fnmatch(name, ONLY)]
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, test in tests_of(names, rules, folder):
            number += 1
            failure = None
            try:
                test()
            except Failed as error:
                failure = str(error)
            except Exception as error:  # a broken test must not hide the others
                failure = f"{type(error).__name__}: {error}"
            passed = tell(number, name, failure) and passed
    print(f"1..{number}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
