"""What users and tools may rely on: the database, the exit codes, the texts that are machine-read."""
import json
import os
import re
import sys

from harness import (MEMORY_IS_ITS_OWN, Program, Tap, Workspace, assets, codes_in, database_faults,
                     findings_of, forge_hmd, query, read, small_tod, sources)

COLUMNS = {
    "scan": "id tool_version ruleset_version options started_at finished_at status",
    "source": "id scan_id path kind layout size sha256 status",
    "asset": "id source_id format grade raw_offset user_offset length lba iso_path iso_offset "
             "ram_address evidence_bits frames objects sha256 pose_sha256",
    "finding": "id source_id asset_id code severity raw_offset asset_offset frame object message",
    "rule": "code format severity title explanation",
    "replay": "asset_id evaluator frames ticks status pose_sha256",
}
VIEWS = ("v_assets", "v_findings", "v_summary", "v_duplicates", "v_coverage", "v_same_motion")
COMMANDS = ("scan", "check", "reduce", "replay", "report", "extract", "why", "where", "rules",
            "merge", "diff", "query", "inspect")
SEVERITIES = ("error", "warning", "note")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
HEX = re.compile(r"[0-9a-f]{64}")

WARNS = "tod\nframe 0\ncreate 1\ncoord 1 diff r 0 0 0\nframe +\ncoord 1 diff t 0 0 1\n"


def make_sources(program, work):
    """Sound, faulty, doubled and packed assets of both formats in one directory."""
    folder = work.folder("in")
    for i in range(3):
        program.forge("tod", small_tod(3 + i, i + 1), os.path.join(folder, "%d.tod" % i))
    work.write("in/copy.tod", read(os.path.join(folder, "0.tod")))
    program.forge("tod", WARNS, os.path.join(folder, "warns.tod"))
    work.write("in/cut.tod", read(os.path.join(folder, "2.tod"))[:-5])
    for name, made in (("good-pyramid", "rests.hmd"), ("good-animation", "moves.hmd")):
        forge_hmd(program, name, os.path.join(folder, made))
    work.write("in/cut.hmd", read(os.path.join(folder, "rests.hmd"))[:-5])
    program.forge("image", "image stride=2352\nhidden < 1.tod at=30 skip=1904\n"
                           "hidden < moves.hmd skip=1000\nbad header 5\n",
                  os.path.join(folder, "disc.img"), root=folder)
    return folder


def commands(program):
    """Those that the program has, by its own help."""
    text = program.run("--help").text
    return re.findall(r"^  ([a-z]+) ", text, re.M)


# ---- the database ----

def tables(tap, db):
    listed = {r["name"]: r for r in query(db, "PRAGMA table_list") if r["schema"] == "main"}
    for table, columns in COLUMNS.items():
        tap.ok(listed.get(table, {}).get("type") == "table" and listed[table]["strict"] == 1,
               "%s is a STRICT table" % table, listed.get(table))
        have = [r["name"] for r in query(db, "PRAGMA table_info(%s)" % table)]
        tap.equal([c for c in columns.split() if c not in have], [], "%s has its columns" % table, have)
        types = {r["type"] for r in query(db, "PRAGMA table_info(%s)" % table)}
        tap.ok(types <= {"INTEGER", "TEXT", "REAL"}, "%s: plain types" % table, types)
    for view in VIEWS:
        tap.equal(listed.get(view, {}).get("type"), "view", "%s is a view" % view)
        tap.ok(query(db, "SELECT * FROM %s" % view), "%s has rows" % view)


def headers(tap, db):
    tap.equal(query(db, "PRAGMA application_id")[0]["application_id"], 0x46484E44, "application_id")
    tap.equal(read(db)[68:72], b"FHND", "FHND stands in the file")
    version = query(db, "PRAGMA user_version")[0]["user_version"]
    tap.ok(version >= 1, "user_version is the schema's version", version)
    tap.equal(database_faults(db), [], "integrity_check and foreign_key_check")
    keys = [(r["table"], r["from"]) for t in COLUMNS for r in query(db, "PRAGMA foreign_key_list(%s)" % t)]
    tap.equal(sorted(keys), sorted([("scan", "scan_id"), ("source", "source_id"),
                                    ("source", "source_id"), ("asset", "asset_id"),
                                    ("asset", "asset_id")]), "foreign keys are declared")
    tap.ok(not os.path.exists(db + "-journal") and not os.path.exists(db + "-wal"),
           "nothing is left beside it")


def values(tap, program, db):
    scan = query(db, "SELECT * FROM scan")[0]
    version = program.run("--version").text
    tap.ok(scan["tool_version"] in version and scan["ruleset_version"] in version,
           "scan names the versions that --version prints", scan, version)
    tap.ok(TIME.fullmatch(scan["started_at"]) and TIME.fullmatch(scan["finished_at"]), "times", scan)
    timed = [(t, row) for t in COLUMNS if t != "scan" for row in query(db, "SELECT * FROM %s" % t)
             if any(isinstance(v, str) and TIME.search(v) for v in row.values())]
    tap.equal(timed, [], "times stand in scan only")
    grades = {r["grade"] for r in query(db, "SELECT grade FROM asset")}
    tap.ok(grades <= {"structure", "references", "replayed"}, "grades", grades)
    found = {r["severity"] for r in query(db, "SELECT severity FROM finding")}
    tap.ok(found <= set(SEVERITIES), "severities", found)
    for table, column in (("asset", "sha256"), ("asset", "pose_sha256"), ("source", "sha256"),
                          ("replay", "pose_sha256")):
        odd = [r for r in query(db, "SELECT %s AS h FROM %s" % (column, table))
               if r["h"] is not None and not HEX.fullmatch(r["h"])]
        tap.equal(odd, [], "%s.%s is a hash in hexadecimal" % (table, column))
    lost = query(db, "SELECT code FROM finding WHERE code NOT IN (SELECT code FROM rule)")
    tap.equal(lost, [], "every finding has its rule")
    strange = query(db, "SELECT a.id FROM asset AS a LEFT JOIN replay AS r ON r.asset_id = a.id WHERE "
                        "a.grade = 'replayed' AND (r.frames IS NULL OR r.frames <> a.frames OR "
                        "r.pose_sha256 IS NOT a.pose_sha256 OR r.status <> 'complete')")
    tap.equal(strange, [], "a replayed asset has a replay of all its frames, with the same hash")


def views(tap, db):
    total = query(db, "SELECT count(*) AS n FROM asset")[0]["n"]
    tap.equal(len(query(db, "SELECT * FROM v_assets")), total, "v_assets has every asset once")
    tap.equal(len(query(db, "SELECT * FROM v_findings")),
              query(db, "SELECT count(*) AS n FROM finding")[0]["n"], "v_findings every finding")
    summary = query(db, "SELECT sum(assets) AS a, sum(errors + warnings + notes) AS f FROM v_summary")[0]
    tap.equal(summary, {"a": total, "f": len(query(db, "SELECT * FROM v_findings"))},
              "v_summary adds up to the same")
    told = query(db, "SELECT v.path FROM v_findings AS v JOIN asset AS a ON a.id = v.asset_id "
                     "JOIN source AS s ON s.id = a.source_id WHERE s.path <> v.path")
    lost = query(db, "SELECT id FROM finding EXCEPT SELECT f.id FROM v_findings AS v JOIN finding AS f "
                     "ON f.id = v.id AND f.asset_id IS v.asset_id")
    tap.equal((told, lost), ([], []), "v_findings says which finding, and of which asset")
    double = query(db, "SELECT copies, places FROM v_duplicates ORDER BY copies DESC")
    tap.ok(any("copy.tod" in d["places"] and "0.tod" in d["places"] for d in double),
           "v_duplicates names both copies", double)


def formats_in(tap, db, folder):
    """What is found of which format; a model without an animation is one, and rests."""
    rows = {os.path.basename(r["path"]): r for r in assets(db) if r["kind"] == "file"}
    seen = {name: (row["format"], row["grade"]) for name, row in rows.items() if name.endswith("s.hmd")}
    tap.equal(seen, {"rests.hmd": ("hmd", "references"), "moves.hmd": ("hmd", "replayed")},
              "a model is HMD, and replayed if it moves")
    states = {r["asset_id"]: r["status"] for r in query(db, "SELECT asset_id, status FROM replay")}
    tap.equal([states.get(rows[n]["id"]) for n in ("rests.hmd", "moves.hmd") if n in rows],
              ["still", "complete"], "its replay says which")
    for name in ("rests.hmd", "moves.hmd"):
        size = os.path.getsize(os.path.join(folder, name))
        tap.ok(name in rows and (rows[name]["raw_offset"], rows[name]["length"]) == (0, size) and
               not [f for f in findings_of(db, rows[name]["id"]) if f["severity"] != "note"],
               "%s is found whole and without a fault" % name, rows.get(name))
    disc = [(r["format"], r["length"]) for r in assets(db) if r["kind"] == "image"]
    tap.equal(disc, [("tod", os.path.getsize(os.path.join(folder, "1.tod"))),
                     ("hmd", os.path.getsize(os.path.join(folder, "moves.hmd")))],
              "both are found in an image")


def chosen_formats(tap, program, work, folder):
    """-f takes one format, or several in any order."""
    for choice, formats in (("tod", {"tod"}), ("hmd", {"hmd"}), ("tod,hmd", {"tod", "hmd"}),
                            ("hmd,tod", {"tod", "hmd"})):
        db = work.path("chosen.db")
        if os.path.exists(db):
            os.unlink(db)
        result = program.run("scan", "-f", choice, "-o", db, folder)
        tap.equal((result.code, {r["format"] for r in assets(db)}), (0, formats), "-f %s" % choice,
                  result)


def source_faults(db):
    """Errors and warnings about sources."""
    return query(db, "SELECT s.path, f.code, f.severity, f.raw_offset FROM finding AS f JOIN source "
                     "AS s ON s.id = f.source_id WHERE f.asset_id IS NULL AND f.severity <> 'note'")


def text_of_scan(tap, result, db):
    lines = result.text.splitlines()
    rows = assets(db)
    faults = source_faults(db)
    tap.ok(faults and len(lines) == len(rows) + len(faults) + 1,
           "scan prints one line an asset, one a fault of a source, and a summary", result, faults)
    wanted = ["%s%s  %s %s: " % (f["path"], "" if f["raw_offset"] is None else
                                 "@0x%08x" % f["raw_offset"], f["severity"], f["code"])
              for f in faults]
    tap.equal([w for w in wanted if not any(line.startswith(w) for line in lines)], [],
              "each fault of a source is told with its place")
    wanted = ["%s@0x%08x  %s " % (r["path"], r["raw_offset"], r["format"]) for r in rows]
    tap.equal([w for w in wanted if not any(line.startswith(w) for line in lines)], [],
              "each line begins with its place")
    tap.ok(lines[-1].startswith("%d sources" % len(sources(db))), "the summary counts", lines[-1])


def no_replay(tap, program, work, folder):
    db = work.path("noreplay.db")
    result = program.run("scan", "-o", db, "--no-replay", folder)
    tap.equal(result.code, 0, "scan --no-replay", result)
    tap.equal(query(db, "SELECT * FROM replay"), [], "records no replay")
    tap.ok(all(r["grade"] != "replayed" and r["pose_sha256"] is None for r in assets(db)),
           "and calls nothing replayed")


def database(tap, program, work, folder):
    db = work.path("out.db")
    result = program.run("scan", "--db", db, folder)
    tap.equal((result.code, result.errors), (0, ""), "scan: exit 0, nothing on standard error", result)
    headers(tap, db)
    tables(tap, db)
    values(tap, program, db)
    views(tap, db)
    text_of_scan(tap, result, db)
    formats_in(tap, db, folder)
    chosen_formats(tap, program, work, folder)
    no_replay(tap, program, work, folder)
    here = work.folder("default")
    program.run("scan", os.path.join(folder, "0.tod"), cwd=here)
    tap.equal(os.listdir(here), ["framehound.db"], "the database is framehound.db by default")


# ---- exit codes ----

def exit_codes(tap, program, work, folder):
    sound, warns, cut, gone = (os.path.join(folder, n) for n in ("0.tod", "warns.tod", "cut.tod", "gone"))
    rests, cut_hmd = (os.path.join(folder, n) for n in ("rests.hmd", "cut.hmd"))
    tod = query(work.path("out.db"), "SELECT severity, count(*) AS n FROM v_findings WHERE path = ? "
                                     "GROUP BY severity", warns)
    tap.ok("warning" in {r["severity"] for r in tod} and "error" not in {r["severity"] for r in tod},
           "the forged file for warnings has warnings and no errors", tod)
    db = work.path("codes.db")
    scan = ("scan", "-o", db)
    cases = [
        (0, ("check", sound)), (0, ("check", warns)), (0, ("check", "--fail-on", "error", warns)),
        (1, ("check", "--fail-on", "warning", warns)), (1, ("check", "--fail-on", "note", warns)),
        (0, ("check", "--fail-on", "never", cut)), (1, ("check", cut)), (1, ("check", sound, cut)),
        (0, scan + (sound,)), (0, scan + (cut,)), (0, scan + ("--fail-on", "never", cut)),
        (1, scan + ("--fail-on", "error", cut)), (0, scan + ("--fail-on", "error", warns)),
        (1, scan + ("--fail-on", "warning", warns)), (1, scan + ("--fail-on=note", folder)),
        (2, scan + ("--fail-on", "all", cut)), (2, ("rules", "XYZ0001")), (2, ("nonsense",)), (2, ()),
        (3, ("check", gone)), (3, ("check", cut, gone)), (3, scan + ("--fail-on", "error", cut, gone)),
        (3, ("replay", gone)), (0, ("replay", sound)), (1, ("replay", cut)),
        (0, ("replay", "--fail-on", "error", warns)), (1, ("replay", "--fail-on", "warning", warns)),
        (0, ("check", rests)), (1, ("check", cut_hmd)), (0, ("replay", rests)),
        (1, ("check", "--fail-on", "error", rests, cut_hmd)), (0, scan + (rests, cut_hmd)),
        (1, scan + ("--fail-on", "error", cut_hmd)),
        (0, ("rules",)), (0, ("rules", "TOD0001", "img0001", "hmd0001")),
    ]
    for code, args in cases:
        result = program.run(*args)
        shown = " ".join(os.path.basename(a) for a in args)
        tap.equal(result.code, code, "'%s' exits with %d" % (shown, code), result)
    limits(tap, program, work)


def limits(tap, program, work):
    """Exit code 4: an animation longer than the memory of its machine, and too little of ours."""
    path = program.forge("tod", "tod\nframe 0\ncreate 1\nrepeat 500000\nframe +\n"
                                "coord 1 diff r 0 0 0\nendrepeat\n", work.path("long.tod"))
    db = work.path("long.db")
    result = program.run("scan", "-o", db, path)
    tap.ok(result.code == 4 and "limit" in result.errors and path in result.errors,
           "an animation of more than 8 MiB: scan exits with 4", result)
    tap.equal(query(db, "SELECT status FROM source")[0]["status"], "limit", "the source says so")
    tap.ok("RUN0002" in [r["code"] for r in query(db, "SELECT code FROM finding")], "and a finding")
    little_memory(tap, program, work)


def little_memory(tap, program, work):
    if not MEMORY_IS_ITS_OWN:
        tap.skip("little memory", "a wrapper or sanitizer takes memory of its own")
        return
    path = program.forge("tod", "tod\nframe 0\ncreate 1\nrepeat 200000\nframe +\n"
                                "coord 1 diff r 0 0 0\nendrepeat\n", work.path("large.tod"))
    db = work.path("memory.db")
    for args in (("check", path), ("replay", "--changes", "-o", "/dev/null", path),
                 ("scan", "-o", db, path)):
        codes = {}
        for mib in range(16, 196, 12):
            if not program.can_start(mib << 20):
                continue
            result = program.run(*args, memory=mib << 20)
            codes.setdefault(result.code, "%d MiB: %s" % (mib, result))
            if result.code == 4 and "memory" not in result.errors and "limit" not in result.errors:
                tap.ok(False, "%s with %d MiB says why" % (args[0], mib), result)
        tap.ok(set(codes) == {0, 4}, "%s with little memory: exit 4, with more: 0" % args[0],
               *[codes[c] for c in codes if c not in (0, 4)], sorted(codes))


# ---- texts ----

def helps(tap, program):
    have = commands(program)
    tap.ok(have and set(have) <= set(COMMANDS), "all commands are those of the contract", have)
    missing = [c for c in COMMANDS if c not in have]
    if missing:
        tap.note("not there yet: %s" % ", ".join(missing))
    for command in have:
        for option in ("--help", "-h"):
            result = program.run(command, option)
            tap.ok(result.code == 0 and result.text.startswith("Usage: framehound " + command) and
                   result.errors == "", "%s %s" % (command, option), result)
        wide = [line for line in program.run(command, "--help").text.splitlines() if len(line) > 100]
        tap.equal(wide, [], "%s --help fits a terminal" % command)
        result = program.run(command, "--bogus", "--help")
        tap.equal(result.code, 0, "%s: help comes before a bad option" % command, result)
    for option in ("--help", "-h"):
        result = program.run(option)
        tap.ok(result.code == 0 and all(c in result.text for c in have) and not result.errors,
               option, result)
    result = program.run("--version")
    lines = result.text.splitlines()
    tap.ok(result.code == 0 and not result.errors and lines[0].startswith("framehound ") and
           any("rule set" in line for line in lines) and any("SQLite" in line for line in lines),
           "--version names tool, rule set and libraries", result)


def rules(tap, program, work):
    listed = program.run("rules")
    document = program.run("rules", "--format", "json")
    data = json.loads(document.out)
    found = data if isinstance(data, list) else data.get("rules", [])
    codes = [r["code"] for r in found]
    tap.ok(codes and codes_in(listed.text) >= set(codes), "the list has every rule", listed)
    tap.ok(all(re.fullmatch(r"[A-Z]{2,4}[0-9]{4}", c) for c in codes), "codes have their form")
    tap.equal(len(codes), len(set(codes)), "and are unique")
    for key in ("severity", "title", "explanation"):
        tap.ok(all(isinstance(r.get(key), str) and r[key] for r in found), "each has a %s" % key)
    tap.ok({r["severity"] for r in found} <= set(SEVERITIES), "severities")
    recorded = {r["code"]: r for r in query(work.path("out.db"), "SELECT * FROM rule")}
    tap.equal(set(recorded), set(codes), "the table rule has the same")
    same = [c for r in found for c in [r["code"]] if any(
        recorded[c][k] != r[k] for k in ("severity", "title", "explanation"))]
    tap.equal(same, [], "with the same texts")
    markdown = program.run("rules", "--format", "markdown").text
    tap.ok(codes_in(markdown) >= set(codes), "the reference has every rule")
    for code in codes:
        result = program.run("rules", code.lower())
        tap.ok(result.code == 0 and code in result.text and not result.errors and
               "What to do" in result.text, "rules %s" % code.lower(), result)
    one = json.loads(program.run("rules", "-F", "json", codes[0]).out)
    tap.equal(one, found[:1], "one rule as JSON is that of the list")
    two = program.run("rules", "-F", "json", codes[0], codes[1])
    try:
        parsed = json.loads(two.out)
    except ValueError as error:
        parsed = error
    tap.ok(not isinstance(parsed, ValueError), "two rules as JSON are one document", parsed, two)


def progress(tap, program, work, folder):
    db = work.path("progress.db")
    result = program.run("scan", "-o", db, folder)
    tap.equal(result.errors, "", "nothing on standard error when it is no terminal")
    big = work.path("big.bin")
    with open(big, "wb") as file:
        file.truncate(1 << 30)  # long enough to be told of, on any machine
    result = program.run("scan", "-o", db, "--progress", "json", folder, big, b"--",
                         work.write(b"bad\xff\n\x1b.tod".decode("utf-8", "surrogateescape"), b"x"))
    lines = []
    for line in result.err.splitlines():
        try:
            lines.append(json.loads(line.decode("utf-8")))
        except ValueError as error:
            lines.append({"bad": "%s: %r" % (error, line)})
    tap.ok(result.code == 0 and lines and not [x for x in lines if x.get("type") != "progress"],
           "--progress json: each line is an object", *[x for x in lines if "bad" in x][:5])
    keys = {"type", "path", "bytes", "size", "bytes_per_second", "assets"}
    tap.ok(all(keys <= set(x) for x in lines), "with bytes, size, rate and assets", *lines[:2])
    seen = [x["bytes"] for x in lines if x.get("path") == big]
    tap.ok(seen == sorted(seen) and all(b <= 1 << 30 for b in seen), "the bytes rise", seen)
    result = program.run("scan", "-o", db, "--progress", "never", big)
    tap.equal(result.errors, "", "--progress never")
    result = program.run("scan", "-o", db, "--progress", "always", big)
    tap.ok(result.code == 0 and b"MiB" in result.err and result.err.endswith(b"\r\x1b[K"),
           "--progress always leaves a clean line", result)


def colours(tap, program, folder):
    """A pipe gets no colours; a terminal does, unless NO_COLOR is set."""
    cut = os.path.join(folder, "cut.tod")
    tap.ok(b"\x1b" not in program.run("check", cut).out, "no colours into a pipe")
    for env, wanted in (({}, True), ({"NO_COLOR": "1"}, False)):
        main, side = os.openpty()
        process = program.start("check", cut, stdout=side, env=env)
        os.close(side)
        data = b""
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:
                break
            if not part:
                break
            data += part
        os.close(main)
        program.finish(process)
        tap.equal(b"\x1b[" in data, wanted, "on a terminal, %s" % (env or "as it is"), data[:200])


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        folder = make_sources(program, work)
        database(tap, program, work, folder)
        exit_codes(tap, program, work, folder)
        helps(tap, program)
        rules(tap, program, work)
        progress(tap, program, work, folder)
        colours(tap, program, folder)
        program.tell_unsound(tap)
    tap.done()


main()
