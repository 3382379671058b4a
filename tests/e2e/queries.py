"""Questions about a collection: framehound query, and the same views asked with the sqlite3 tool."""
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import time

from harness import Program, Tap, Workspace, query, read, small_tod

HOSTILE = "disc \x1b[31m'; DROP TABLE asset; --\n.bin"


def make_collection(program, work):
    """Two versions of a disc, one of which has a file more; another disc; one that is empty; a file
    that is broken; one that is called something else in SQL."""
    seeds = [read(program.forge("tod", small_tod(20 + 5 * i, i + 1), work.path("seed.tod")))
             for i in range(6)]
    gap = b"\xff" * 2048
    work.write("discs/one.bin", gap + gap.join(seeds[:2]) + gap)
    work.write("discs/two.bin", gap * 2 + gap.join(seeds[:3]) + gap)
    work.write("discs/other.bin", gap + seeds[3] + gap + seeds[3])
    work.write("discs/empty.bin", gap * 4)
    work.write("discs/%s" % HOSTILE, gap + seeds[5])
    work.write("discs/cut.tod", seeds[4][:-8])
    db = work.path("all.db")
    result = program.run("scan", "-o", db, work.path("discs"), work.path("discs/gone.bin"))
    assert result.code == 3, result
    return db


def rows_of(program, db, *args):
    result = program.run("query", "-d", db, "-F", "json", *args)
    return json.loads(result.text)["rows"] if result.code == 0 else result


def shell(db, sql):
    """What the sqlite3 tool says."""
    told = subprocess.run(["sqlite3", "-readonly", "-json", db, sql], capture_output=True,
                          check=True).stdout
    return json.loads(told) if told.strip() else []


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def check_answers(tap, program, work, db):
    one, two = work.path("discs/one.bin"), work.path("discs/two.bin")
    lacking = rows_of(program, db, "lacking", one)
    tap.equal([(r["path"], r["others"], r["other_path"]) for r in lacking], [(one, 1, two)],
              "what a version lacks")
    tap.equal(rows_of(program, db, "lacking", two), [], "and the other one does not")
    related = rows_of(program, db, "related", one)
    tap.equal([(r["other_path"], r["assets"], r["of_own"], r["of_other"]) for r in related],
              [(two, 2, 2, 3)], "which sources share assets")
    shared = rows_of(program, db, "shared")
    tap.equal([(r["sources"], r["first_path"], r["last_path"]) for r in shared],
              [(2, one, two)] * 2, "which assets are shared")
    places = rows_of(program, db, "places", shared[0]["sha256"][:12].upper())
    tap.equal([r["path"] for r in places], [one, two], "a part of a hash says where an asset is")
    duplicates = rows_of(program, db, "duplicates")
    tap.equal(sorted((r["copies"], r["places"].count("other.bin@")) for r in duplicates),
              [(2, 0), (2, 0), (2, 2)], "duplicates are counted")
    tap.equal({r["path"] for r in rows_of(program, db, "empty")},
              {work.path("discs/empty.bin"), work.path("discs/cut.tod"),
               work.path("discs/gone.bin")}, "sources without any asset")
    tap.equal([(r["path"], r["status"]) for r in rows_of(program, db, "failures")],
              [(work.path("discs/gone.bin"), "unreadable")], "what could not be read")
    rules = rows_of(program, db, "rules")
    tap.equal(sum(r["findings"] for r in rules),
              query(db, "SELECT count(*) AS n FROM finding")[0]["n"], "each finding is counted")
    most = rows_of(program, db, "rule-sources", rules[0]["code"])
    tap.equal(sum(r["findings"] for r in most), rules[0]["findings"], "and in its source")
    tap.equal([r["status"] for r in rows_of(program, db, "scans")], ["complete"], "scans")
    tap.equal([r["path"] for r in rows_of(program, db, "assets", work.path("discs/" + HOSTILE))],
              [work.path("discs/" + HOSTILE)], "a path is a value, whatever it says")
    tap.equal(len(query(db, "SELECT * FROM asset")), 8, "and no table is gone")


def check_shell(tap, program, work, db):
    """Who has sqlite3 alone gets the same rows."""
    if shutil.which("sqlite3") is None:
        tap.skip("the sqlite3 tool", "sqlite3 is not installed")
        return
    values = {"PATH": work.path("discs/two.bin"), "CODE": "RUN0005",
              "SHA256": query(db, "SELECT max(sha256) AS s FROM asset")[0]["s"]}
    listed = json.loads(program.run("query", "-F", "json").text)["rows"]
    tap.ok(len(listed) > 15, "all questions are listed", len(listed))
    keys = {"PATH": "path", "CODE": "code", "SHA256": "sha256"}
    for question in listed:
        name, value = question["name"], question["value"]
        if program.run("query", "-d", db, name).code == 0:
            tap.equal(rows_of(program, db, name), shell(db, "SELECT * FROM " + question["view"]),
                      "sqlite3 answers %s" % name)
        else:
            tap.ok(value is not None, "%s wants a value" % name)
        if value is not None:
            key = "pose_sha256" if name == "same-motion" else keys[value]
            tap.equal(rows_of(program, db, name, values[value]),
                      shell(db, "SELECT * FROM %s WHERE %s = %s" % (
                          question["view"], key, quoted(values[value]))),
                      "and of one %s" % value)


def check_forms(tap, program, work, db):
    rows = rows_of(program, db, "assets")
    table = program.run("query", "-d", db, "--format", "csv", "assets")
    read_back = list(csv.DictReader(io.StringIO(table.text, newline="")))
    tap.equal([r["sha256"] for r in read_back], [r["sha256"] for r in rows], "CSV has the rows")
    tap.equal(list(read_back[0]), list(rows[0]), "and the columns")
    text = program.run("query", "-d", db, "assets")
    tap.ok(text.out.count(b"\n") == len(rows) + 2 and text.out.endswith(b"8 rows\n"),
           "text has a line for each", text)
    lines = text.text.splitlines()[:-1]
    begins, ends = lines[0].index("format"), lines[0].index("length") + len("length")
    tap.equal({line[begins - 2:begins + 5] for line in lines[1:]}, {"  tod  "},
              "values stand below the names of their columns, however long a path is")
    tap.ok(all(line[ends - 1].isdigit() and line[ends] == " " for line in lines[1:]),
           "and numbers end where the names of theirs end", text)
    tap.ok(b"\x1b" not in text.out + table.out, "nothing of a name is obeyed by a terminal", text)
    tap.equal(len(rows_of(program, db, "assets", "--limit", "3")), 3, "no more than asked for")
    tap.equal(rows_of(program, db, "assets", "-n0"), [], "none, if so asked")
    tap.equal(program.run("query", cwd=work.path("discs")).code, 0, "the list needs no database")


def check_names(tap, program, work):
    """As a user types them: what a name has in front that tells nothing is not recorded."""
    dots, folder = work.path("dots.db"), work.path("discs")
    scanned = program.run("scan", "-o", dots, "./one.bin", cwd=folder)
    assert scanned.code == 0, scanned
    for name in ("one.bin", "./one.bin", ".//one.bin"):
        asked = program.run("query", "-d", dots, "-F", "csv", "assets", name, cwd=folder)
        tap.ok(asked.code == 0 and asked.out.count(b"\n") == 3, "a source may be called " + name, asked)


def check_refusals(tap, program, work, db):
    for args, say in ((["lackin"], b"did you mean 'lacking'"), (["lacking"], b"PATH"),
                      (["places", "abc"], b"hexadecimal"), (["places", "xyzw"], b"hexadecimal"),
                      (["rules", "NOT0001"], b"is no rule"), (["grades", "tod"], b"for nothing"),
                      (["assets", "a", "b"], b"one value"), (["-F", "xml", "assets"], b"--format"),
                      (["-n", "-1", "assets"], b"--limit"), (["--nothing"], b"")):
        result = program.run("query", "-d", db, *args)
        tap.ok(result.code == 2 and say in result.err and result.out == b"",
               "usage: query %s" % " ".join(args), result)
    for name, args, say in (("a source that it has not", ["-d", db, "assets", "none"], b"source none"),
                            ("no database", ["-d", work.path("discs/one.bin"), "assets"],
                             b"not a framehound database"),
                            ("no file", ["-d", work.path("none.db"), "assets"], b"cannot be opened")):
        result = program.run("query", *args)
        tap.ok(result.code == 3 and say in result.err and result.out == b"", name, result)
    full = open("/dev/full", "wb")
    with full:
        told = subprocess.run(program.command(["query", "-d", db, "assets"]), stdout=full,
                              stderr=subprocess.PIPE, check=False, env=program.environment())
    tap.equal(told.returncode, 3, "what cannot be written is told", told.stderr)


def check_no_end(tap, program, work, db):
    """A database without indexes, in which all is alike, is given up in good time."""
    path = work.path("endless.db")
    work.write("endless.db", read(db))
    made = subprocess.run(["sqlite3", path, "DROP INDEX asset_sha256; DROP INDEX asset_source; "
                           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
                           "i < 30000) INSERT INTO asset (source_id, format, grade, sha256) SELECT "
                           "1 + i % 5, 'tod', 'structure', printf('%064x', i % 7000) FROM n"],
                          check=False, capture_output=True) if shutil.which("sqlite3") else None
    if made is None or made.returncode != 0:
        tap.skip("a database without indexes", "the sqlite3 tool is not there")
        return
    start = time.monotonic()
    result = program.run("query", "-d", path, "unique", work.path("discs/one.bin"))
    tap.ok(result.code in (0, 4), "without indexes a question is answered, or given up", result)
    tap.ok(result.code == 0 or b"--resume" in result.err, "which says what to do", result)
    tap.ok(time.monotonic() - start < 300, "in good time", time.monotonic() - start)


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        db = make_collection(program, work)
        check_answers(tap, program, work, db)
        check_shell(tap, program, work, db)
        check_forms(tap, program, work, db)
        check_names(tap, program, work)
        check_refusals(tap, program, work, db)
        check_no_end(tap, program, work, db)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
