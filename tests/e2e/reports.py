"""Every form of a report: valid for outside validators, and the same findings in all of them."""
import csv
import glob
import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree as xml
from collections import Counter

from harness import (NOBODY, Program, Tap, Workspace, corpus_path, other_user_problem, query, read,
                     small_tod)

try:
    import jsonschema
except ImportError:
    jsonschema = None

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMAS = os.path.join(HERE, "..", "schemas")
FORMS = ("text", "concise", "json", "jsonl", "csv", "sarif", "junit", "github", "gitlab", "dfxml",
         "html")
DFXML = "{http://www.forensicswiki.org/wiki/Category:Digital_Forensics_XML}"
SUFFIX = {"tod": "tod", "hmd": "hmd", "tra": "tra", "camerawork": "cam"}
LEVELS = {"error": ("error", "error", "major"), "warning": ("warning", "warning", "minor"),
          "note": ("note", "notice", "info")}
UNREAD = ("unreadable", "incomplete")  # what stands in place of a code
HOSTILE = (b"new\nline.tod", b"cr\rlf\n.tod", b"\xff\xfe bytes.tod", b"quote\"'.tod", b"esc\x1b[2J.tod",
           b"--format=json.tod", b"<&>]]>.tod", b"100%25,a:b.tod", b"back\\slash\\x41.tod",
           b"=cmd|' ,;.tod", "r\u202el\ufffe\u2028.tod".encode(), b":a?b#c.tod", b"\x01\x7f.tod",
           b"::stop-commands::x.tod", b"a ##[error]x.tod", b"##vso[task.x]y.tod", b"@sum(1).tod")


# ---- outside validators ----

def validate_json(tap, text, schema, name):
    if jsonschema is None:
        tap.skip(name, "python3-jsonschema is not installed")
        return
    with open(os.path.join(SCHEMAS, schema), encoding="utf-8") as file:
        schema = json.load(file)
    checker = jsonschema.validators.validator_for(schema)(schema,
                                                          format_checker=jsonschema.FormatChecker())
    faults = [f"{list(e.path)}: {e.message[:300]}" for e in checker.iter_errors(json.loads(text))]
    tap.equal(faults[:5], [], name)


def validate_xml(tap, path, schema, name):
    if shutil.which("xmllint") is None:
        tap.skip(name, "xmllint is not installed")
        return
    done = subprocess.run(["xmllint", "--nonet", "--noout", "--schema", schema, path],
                          capture_output=True)
    tap.ok(done.returncode == 0, name, done.stderr.decode("utf-8", "replace"))


def validate(tap, files, name):
    validate_json(tap, files["sarif"], "sarif-2.1.0.json", f"{name}: SARIF fits its schema")
    validate_json(tap, files["gitlab"], "gitlab-code-quality.json", f"{name}: GitLab fits its schema")
    validate_xml(tap, files.path["junit"], os.path.join(SCHEMAS, "jenkins-junit.xsd"),
                 f"{name}: JUnit fits its schema")
    validate_xml(tap, files.path["dfxml"], os.path.join(SCHEMAS, "dfxml-part.xsd"),
                 f"{name}: DFXML fits its schema")
    published = os.environ.get("FRAMEHOUND_DFXML_XSD")
    if published:
        validate_xml(tap, files.path["dfxml"], published, f"{name}: DFXML fits the published schema")


# ---- reading the forms back, each into the same: findings as (code, severity), by path ----

class Files(dict):
    """The text of each form, and in .path the file it stands in."""

    def __init__(self, program, work, args, codes):
        super().__init__()
        self.path = {form: work.path("report." + form) for form in FORMS}
        options = [f"--format={form}={self.path[form]}" for form in FORMS]
        self.result = program.run(args[0], *options, *args[1:])
        self.code = self.result.code
        if self.code in codes:
            for form in FORMS:
                self[form] = read(self.path[form])


def shown(path):
    """A path as JSON can hold it: what is no UTF-8 is the replacement character, byte by byte."""
    return re.sub("[\udc80-\udcff]", "\ufffd", path.decode("utf-8", "surrogateescape"))


def plain(path):
    return re.sub(r"^(\./)+", "", path)


def from_jsonl(text):
    lines = [json.loads(line) for line in text.decode().splitlines()]
    return {kind: [line for line in lines if line["type"] == kind]
            for kind in ("source", "asset", "finding", "summary")}


def from_json(text):
    document = json.loads(text)
    told = {"source": [], "asset": [], "finding": [], "summary": [document["summary"]]}
    for source in document["sources"]:
        told["finding"] += source.pop("findings")
        assets = source.pop("assets")
        for asset in assets:
            told["finding"] += asset.pop("findings")
        told["asset"] += assets
        told["source"].append(source)
    return told


def from_csv(text):
    rows = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
    return {kind: [row for row in rows if row["type"] == kind]
            for kind in ("source", "asset", "finding")}


def hold_json(tap, files, name):
    told = from_jsonl(files["jsonl"])
    same = from_json(files["json"])
    tap.equal(same, told, f"{name}: the document holds the objects of the lines")
    rows = from_csv(files["csv"])
    for kind, list_of in rows.items():
        want = [{key: "" if value is None else str(value) for key, value in line.items()
                 if key not in ("message", "path", "iso_path", "why", "replay", "pieces", "field",
                                "found", "expected")} for line in told[kind]]
        seen = [{key: row[key] for key in line} for row, line in zip(list_of, want)]
        tap.equal((len(list_of), seen), (len(want), want), f"{name}: CSV has the same {kind} rows")
    summary = told["summary"][0]
    counts = Counter(line["severity"] for line in told["finding"])
    tap.equal([summary[key] for key in ("sources", "assets", "errors", "warnings", "notes")],
              [len(told["source"]), len(told["asset"]), counts["error"], counts["warning"],
               counts["note"]], f"{name}: the summary counts right")
    ids = [[line["id"] for line in told[kind]] for kind in ("source", "asset", "finding")]
    tap.ok(all(len(set(i)) == len(i) for i in ids), f"{name}: every id is given once", ids)
    return told


def hold_sarif(tap, files, told, name):
    run = json.loads(files["sarif"])["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    results = Counter((r["ruleId"], r["level"],
                       shown(os.fsencode(urllib.parse.unquote(
                           r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                           errors="surrogateescape"))))
                      for r in run["results"])
    want = Counter((f["code"], f["severity"], plain(f["path"])) for f in told["finding"])
    want = Counter({(code, level, "file://" + path if path.startswith("/") else path): n
                    for (code, level, path), n in want.items()})
    tap.equal(results, want, f"{name}: SARIF has the same results")
    tap.ok(all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"]),
           f"{name}: every result leads to its rule")
    offsets = sorted(r["locations"][0]["physicalLocation"]["region"]["byteOffset"]
                     for r in run["results"]
                     if r["properties"].get("id") in {f["id"] for f in told["finding"]
                                                      if f["raw_offset"] is not None})
    tap.equal(offsets, sorted(f["raw_offset"] for f in told["finding"]
                              if f["raw_offset"] is not None), f"{name}: SARIF has the offsets")
    lines = {f["id"]: (f["line"], f["column"]) for f in told["finding"]}
    seen = {r["properties"]["id"]: (r["locations"][0]["physicalLocation"]["region"]["startLine"],
                                    r["locations"][0]["physicalLocation"]["region"].get("startColumn"))
            for r in run["results"]}
    tap.equal(seen, {i: (line or 1, column) for i, (line, column) in lines.items()},
              f"{name}: SARIF has the lines")
    prints = [(a["location"]["uri"] if "location" in a else a["parentIndex"]) for a in run["artifacts"]]
    nested = [a for a in run["artifacts"] if "parentIndex" in a]
    sizes = {s["id"]: s["size"] for s in told["source"]}
    want = [(a["raw_offset"], a["length"]) for a in told["asset"]
            if not (a["raw_offset"] == 0 and a["length"] == sizes[a["source_id"]])]
    tap.equal(([(a["offset"], a["length"]) for a in nested], len(prints) - len(nested)),
              (want, len(told["source"])), f"{name}: SARIF nests the assets inside")
    notified = run["invocations"][0]["toolExecutionNotifications"]
    tap.equal(len(notified), told["summary"][0]["incomplete"],
              f"{name}: SARIF notifies of each unreadable source")
    tap.equal(run["invocations"][0]["exitCode"], files.code, f"{name}: SARIF has the exit code")


def hold_hosts(tap, files, told, name):
    unread = told["summary"][0]["incomplete"]
    gitlab = Counter((i["check_name"], i["severity"], i["location"]["path"])
                     for i in json.loads(files["gitlab"]) if i["check_name"] not in UNREAD)
    tap.equal(gitlab, Counter((f["code"], LEVELS[f["severity"]][2], plain(f["path"]))
                              for f in told["finding"]), f"{name}: GitLab has the same issues")
    prints = [i["fingerprint"] for i in json.loads(files["gitlab"])]
    tap.equal(len(set(prints)), len(prints), f"{name}: no two fingerprints are the same")
    lines = files["github"].decode().splitlines()
    pattern = re.compile(r"^::(error|warning|notice) file=([^,:\x00-\x1f]*),line=(\d+)(,col=\d+)?,"
                         r"title=([^,:]*)::([^\x00-\x1f]+)$")
    found = [pattern.match(line) for line in lines]
    tap.ok(all(found), f"{name}: GitHub has commands and nothing else",
           *[line for line, match in zip(lines, found) if not match][:3])
    github = Counter((m[5].split(" ")[0], m[1]) for m in found if m and m[5] not in UNREAD)
    tap.equal(github, Counter((f["code"], LEVELS[f["severity"]][1]) for f in told["finding"]),
              f"{name}: GitHub has the same annotations")
    tap.equal((len(lines), len(prints)), (len(told["finding"]) + unread,) * 2,
              f"{name}: and what could not be read")


def hold_people(tap, files, told, name):
    want = Counter((f["code"], f["severity"]) for f in told["finding"])
    lines = files["concise"].decode().splitlines()
    match = [re.search(r": (error|warning|note) ([A-Z]+\d{4}) ", line) for line in lines]
    tap.equal(Counter((m[2], m[1]) for m in match if m), want, f"{name}: concise has the same findings")
    tap.equal(len(lines), sum(want.values()) + told["summary"][0]["incomplete"],
              f"{name}: concise says nothing else")
    match = re.findall(r"^  (error|warning|note) ([A-Z]+\d{4})\b", files["text"].decode(), re.M)
    tap.equal(Counter((code, severity) for severity, code in match), want,
              f"{name}: text has the same findings")
    control = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
    dirty = [form for form in FORMS if control.search(
        files[form].decode().replace("\r\n", "\n") if form == "csv" else files[form].decode())]
    tap.equal(dirty, [], f"{name}: no form passes a control character on")


def hold_xml(tap, files, told, name, fails=("error",)):
    suites = xml.fromstring(files["junit"])
    suite = suites[0]
    cases = list(suite)
    failed = {(case.find("failure") is not None) for case in cases}
    text = "\n".join((case.findtext("failure") or "") + (case.findtext("system-out") or "")
                     for case in cases)
    found = Counter((m[1], m[0]) for m in re.findall(r"^(error|warning|note) ([A-Z]+\d{4})\b", text,
                                                     re.M))
    tap.equal(found, Counter((f["code"], f["severity"]) for f in told["finding"]),
              f"{name}: JUnit has the same findings")
    told_of = {f["asset_id"] or -f["source_id"] for f in told["finding"] if f["severity"] in fails}
    tap.equal([int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")],
              [len(cases), len(told_of), told["summary"][0]["incomplete"],
               sum(case.find("skipped") is not None for case in cases)],
              f"{name}: JUnit counts right", failed)
    with_asset = {a["source_id"] for a in told["asset"]}
    tap.ok(len(cases) >= len(told["asset"]) + sum(s["id"] not in with_asset for s in told["source"]),
           f"{name}: JUnit has a case for each asset, and for each source without one")
    objects = xml.fromstring(files["dfxml"]).findall(DFXML + "fileobject")
    hashes = Counter(o.findtext(DFXML + "hashdigest") for o in objects)
    tap.equal(hashes, Counter(o["sha256"] for o in told["source"] + told["asset"]),
              f"{name}: DFXML has each source and asset")
    return objects


def hold_html(tap, files, told, name):
    """What stands in the page as data; tests/page looks at what a browser makes of it."""
    text = files["html"].decode()
    pieces = re.findall(r'<script type="application/json" class="records">(.*?)</script>', text, re.S)
    records = [record for piece in pieces for record in json.loads(piece)]
    found = Counter((r[3], r[4]) for r in records if r[0] == "finding")
    tap.equal(found, Counter((f["code"], f["severity"]) for f in told["finding"]),
              f"{name}: the page has the same findings")
    kinds = Counter(r[0] for r in records)
    tap.equal((kinds["source"], kinds["asset"], kinds["end"], records[-1][1:3]),
              (len(told["source"]), len(told["asset"]), 1,
               [len(told["asset"]), len(told["finding"])]),
              f"{name}: and the same sources and assets")
    tap.equal((text.count("<script"), text.count("</script>")), (len(pieces) + 1 +
              text.count('id="detail-'),) * 2, f"{name}: and no script but its own")


def hold_all(tap, program, work, args, name, codes=(0, 1, 3, 4)):
    """All forms of one run agree; returns the objects of the JSON Lines."""
    files = Files(program, work, args, codes)
    if not tap.ok(files.code in codes, f"{name}: all forms in one run", files.result):
        return None, None
    tap.equal(files.result.out, b"", f"{name}: nothing else goes to standard output")
    told = hold_json(tap, files, name)
    hold_sarif(tap, files, told, name)
    hold_hosts(tap, files, told, name)
    hold_people(tap, files, told, name)
    hold_html(tap, files, told, name)
    files.objects = hold_xml(tap, files, told, name)
    validate(tap, files, name)
    again = Files(program, work, args, codes)
    tap.equal([form for form in FORMS if again[form] != files[form]], [], f"{name}: and again the same")
    return told, files


# ---- what is told of ----

def forge_corpus(program, work):
    """Files of every format, good and bad; a few of each, evenly chosen."""
    folder = work.folder("corpus")
    for kind, suffix in SUFFIX.items():
        for state in ("good", "bad"):
            paths = sorted(glob.glob(corpus_path(kind, f"*.{state}.forge")))
            for path in paths[::max(1, len(paths) // 8)]:
                name = os.path.basename(path)[:-len(".forge")]
                subprocess.run([program.forge_path, kind, path, "-o",
                                os.path.join(folder, f"{name}.{suffix}")], capture_output=True)
    for name in glob.glob(os.path.join(folder, "TRA*.bad.tra"))[:2]:
        text = read(name).decode("latin-1")
        work.write(f"corpus/wide-{os.path.basename(name)}", b"\xff\xfe" + text.encode("utf-16-le"))
    return folder


def corpus(tap, program, work):
    folder = forge_corpus(program, work)
    told, files = hold_all(tap, program, work, ("check", folder), "corpus")
    if told is None:
        return
    formats = {a["format"] for a in told["asset"]}
    tap.equal(formats, set(SUFFIX), "the corpus has all formats")
    tap.ok(len(told["finding"]) > 40 and len({f["code"] for f in told["finding"]}) > 25,
           "and findings of many rules", len(told["finding"]))
    texts = [f for f in told["finding"] if f["path"].endswith((".tra", ".cam"))
             and f["raw_offset"] is not None]
    tap.ok(texts and all(f["line"] and f["column"] for f in texts), "findings of texts have lines")
    for form in FORMS:
        alone = program.run("check", "-F", form, folder)
        tap.equal(alone.out, files[form], f"{form}: the same on standard output")


def hostile_names(tap, program, work):
    folder = os.fsencode(work.folder("hostile"))
    data = read(program.forge("tod", small_tod(), work.path("sound.tod")))
    made = []
    for number, name in enumerate(HOSTILE):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data[:-1 - number] if number % 3 else data)
        made.append(path)
    told, _ = hold_all(tap, program, work, ("check", folder), "hostile names")
    if told is not None:
        tap.equal(Counter(s["path"] for s in told["source"]), Counter(shown(p) for p in made),
                  "hostile names: all are told of")
    uris = [a["location"]["uri"] for a in json.loads(
        program.run("check", "-F", "sarif", folder).out)["runs"][0]["artifacts"] if "location" in a]
    paths = {os.fsencode(urllib.parse.unquote(uri, errors="surrogateescape"))[len("file://"):]
             for uri in uris}
    tap.equal(paths, set(made), "hostile names: a URI leads back to each, byte for byte")
    tap.ok(all(re.fullmatch(r"[A-Za-z0-9._~/:%-]*", uri) for uri in uris), "and is a plain URI", uris)


def no_commands_for_builds(tap, program, work):
    """No form but that for GitHub writes what a build service would obey; names and excerpts."""
    folder = work.folder("commands")
    for name in HOSTILE:
        shutil.copy(work.path("sound.tod"), os.path.join(os.fsencode(folder), name))
    work.write("commands/lines.cam", b"::stop-commands::x\n 1 ##[error]y\n=cmd|' /C calc'!A0\n")
    for form in FORMS:
        result = program.run("check", "-F", form, "--", *sorted(os.listdir(folder)), cwd=folder)
        lines = (result.out + result.err).split(b"\n")
        forged = [line for line in lines if form != "github" and
                  (b"##" in line or line.strip().startswith(b"::"))]
        tap.equal((result.code, forged), (1, []), f"{form}: no forged commands")
        if form == "csv":
            cells = [cell for row in csv.reader(io.StringIO(result.out.decode(), newline=""))
                     for cell in row if cell[:1] in tuple("=+-@")]
            tap.equal(cells, [], "csv: no formulas")


def relative_paths(tap, program, work):
    folder = work.folder("relative")
    program.forge("tod", small_tod(), os.path.join(folder, "a.tod"))
    result = program.run("check", "-F", "sarif", "././a.tod", cwd=folder)
    artifact = json.loads(result.out)["runs"][0]["artifacts"][0]
    tap.equal(artifact["location"]["uri"], "a.tod", "a relative path stays relative")


def odd_inputs(tap, program, work):
    work.write("odd/empty.tod", b"")
    work.write("odd/other.bin", b"nothing of the kind")
    work.write("odd/long.tod", b"\0" * (9 << 20))
    missing = work.path("missing.tod")
    told, files = hold_all(tap, program, work, ("check", work.path("odd"), missing), "odd inputs")
    if told is not None:
        tap.equal(files.code, 3, "odd inputs: exit code 3")
        tap.equal([s["status"] for s in told["source"] if s["path"] == missing], ["unreadable"],
                  "odd inputs: the missing file is a source")
        tap.equal(sorted(f["code"] for f in told["finding"]), ["IMG0001", "RUN0005"], "and the findings")
    told, files = hold_all(tap, program, work, ("check", work.folder("void")), "no file at all")
    tap.ok(told is not None and files.code == 0 and told["source"] == [], "no file at all: nothing told")


# ---- a database ----

def make_disc(program, work):
    """A disc with a short and a long animation in files and one behind them; the long one crosses
    sectors."""
    program.forge("tod", small_tod(), work.path("turn.tod"))
    program.forge("tod", small_tod(frames=120, seed=2), work.path("long.tod"))
    program.forge("tod", small_tod(seed=3).replace("parent 2 1", "parent 2 7"), work.path("bad.tod"))
    return program.forge("image", "image stride=2352\niso DEMO\nfile DATA/TURN.TOD < turn.tod\n"
                         "file DATA/LONG.TOD < long.tod\nhidden < bad.tod skip=512\ngap 10\n"
                         "bad sync 30\n", work.path("disc.bin"), root=work.name)


def database(tap, program, work):
    disc, db = make_disc(program, work), work.path("disc.db")
    program.run("scan", "-o", db, disc, work.path("missing.bin"))
    told, files = hold_all(tap, program, work, ("report", db), "database")
    if told is None:
        return
    for kind, table in (("source", "source"), ("asset", "asset"), ("finding", "finding")):
        rows = {row["id"]: row for row in query(db, f"SELECT * FROM {table}")}
        seen = {line["id"]: {key: line[key] for key in rows[line["id"]] if key in line}
                for line in told[kind]}
        want = {i: {key: value for key, value in row.items() if key != "scan_id"}
                for i, row in rows.items()}
        tap.equal(seen, want, f"database: the rows of {table}, column for column")
    data = read(disc)
    runs = [o for o in files.objects if o.find(DFXML + "byte_runs") is not None]
    hashes = []
    for item in runs:
        parts = [data[int(r.get("img_offset")):][:int(r.get("len"))] for r in item.iter(DFXML + "byte_run")]
        hashes.append(hashlib.sha256(b"".join(parts)).hexdigest())
    tap.equal(hashes, [item.findtext(DFXML + "hashdigest") for item in runs],
              "database: the byte runs are where the assets are")
    tap.ok(max(len(list(item.iter(DFXML + "byte_run"))) for item in runs) > 1,
           "database: one of them crosses sectors")
    tap.equal(program.run("report", "--fail-on", "error", db).code, 1, "report --fail-on error")
    tap.equal(program.run("report", "--fail-on", "never", db).code, 0, "report --fail-on never")


def same_as_check(tap, program, work):
    """A scan of sound files, reported, says what a check of them says."""
    folder, db = work.folder("both"), work.path("both.db")
    for i in range(3):
        program.forge("tod", small_tod(seed=i + 5), os.path.join(folder, f"{i}.tod"))
    program.run("scan", "-o", db, folder)
    # A page of a database has more to show: scans, the map, details.
    for form in ("text", "concise", "json", "jsonl", "csv", "junit", "github", "gitlab", "dfxml"):
        want, seen = (program.run(*args, "-F", form, last) for args, last in
                      ((("check",), folder), (("report",), db)))
        tap.equal(seen.out, want.out, f"{form}: report of a scan as of a check")


def unfinished(tap, program, work):
    """Whoever reads a report of a scan that was broken off is told, in every form that has a place
    for it, and on standard error."""
    whole, db = work.path("disc.db"), work.path("unfinished.db")
    shutil.copy(whole, db)
    says = "a scan of this database did not come to its end"

    def change(statement):
        connection = sqlite3.connect(db)
        connection.execute(statement)
        connection.commit()
        connection.close()

    def told(of):
        """Which forms say so."""
        results = {form: program.run("report", "-F", form, of) for form in FORMS}
        tap.equal({form for form, result in results.items() if says.encode() in result.err},
                  set(FORMS) if of == db else set(), "standard error says whether it is unfinished")
        lines = from_jsonl(results["jsonl"].out)
        texts = {form: result.out.decode() for form, result in results.items()}
        page = [r[6] for piece in re.findall(r'class="records">(.*?)</script>', texts["html"], re.S)
                for r in json.loads(piece) if r[0] == "scan"]
        run = json.loads(texts["sarif"])["runs"][0]["invocations"][0]
        notes = [note["message"]["text"] for note in run["toolExecutionNotifications"]]
        return {form for form in ("text", "github") if says in texts[form]} | {
            form for form, is_told in (
                ("json", json.loads(texts["json"])["summary"].get("unfinished_scans") == 1),
                ("jsonl", lines["summary"][0].get("unfinished_scans") == 1),
                ("junit", says in (xml.fromstring(texts["junit"])[0].findtext("system-err") or "")),
                ("html", page != ["complete"]),
                ("sarif", any(says in note for note in notes))) if is_told}

    tap.equal(told(whole), set(), "a complete scan: no form says that it is not")
    for status in ("running", "interrupted"):
        change(f"UPDATE scan SET status = '{status}'")
        tap.equal(told(db), {"text", "github", "json", "jsonl", "junit", "html", "sarif"},
                  f"a scan that is {status}: every form that can says so")
    change("UPDATE source SET status = 'complete'")  # nothing else is wrong
    run = json.loads(program.run("report", "-F", "sarif", db).out)["runs"][0]["invocations"][0]
    tap.equal((run["executionSuccessful"], run["exitCode"]), (False, 0),
              "it was no success for SARIF")
    validate(tap, Files(program, work, ("report", db), (0,)), "unfinished")
    change("INSERT INTO scan SELECT 2, tool_version, ruleset_version, options, started_at, "
           "started_at, 'complete' FROM scan")
    result = program.run("report", db)
    tap.ok(says.encode() in result.out, "a later scan of something else changes nothing", result)
    change("UPDATE source SET scan_id = 2")
    result = program.run("report", db)
    tap.ok(says.encode() not in result.out + result.err, "one that searched all of it again does",
           result)


def foreign_rules(tap, program, work):
    db = work.path("foreign.db")
    shutil.copy(work.path("disc.db"), db)
    connection = sqlite3.connect(db)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("UPDATE finding SET code = 'TOD9998' WHERE code = 'IMG0004'")
    connection.execute("UPDATE finding SET code = 'X\"\n' WHERE code = 'IMG0035'")
    connection.execute("INSERT INTO rule VALUES ('TOD9998', 'tod', 'error', 'of the future', 'More.')")
    connection.commit()
    connection.close()
    rules = json.loads(program.run("report", "-F", "sarif", db).out)["runs"][0]["tool"]["driver"]["rules"]
    texts = {rule["id"]: rule["shortDescription"]["text"] for rule in rules}
    tap.equal(texts.get("TOD9998"), "of the future", "a rule of a newer program is told from the database")
    tap.ok('X"\n' in texts, "and one that is nowhere, too", texts)
    for form in FORMS:
        result = program.run("report", "-F", form, db)
        tap.ok(result.code == 0 and b'X"\n' not in result.out, f"{form}: a hostile code forges no line",
               result)


def bad_databases(tap, program, work):
    good = work.path("disc.db")
    names = ("newer.db", "broken.db", "orphan.db", "endless.db")
    newer, broken, orphan, endless = (work.path(name) for name in names)
    for path, sql in ((newer, "PRAGMA user_version = 99"), (broken, "DROP TABLE finding"),
                      (orphan, "UPDATE finding SET asset_id = 12345 WHERE asset_id IS NOT NULL"),
                      (endless, "UPDATE asset SET length = 1 << 62, raw_offset = 24, user_offset = 0")):
        shutil.copy(good, path)
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(sql)
        connection.execute("UPDATE source SET layout = '2352'")
        connection.commit()
        connection.close()
    work.write("cut.db", read(good)[:5000])
    for path, words in ((newer, "newer framehound"), (broken, "damaged"), (orphan, "damaged"),
                        (endless, "damaged"), (work.path("cut.db"), "damaged"),
                        (work.path("void"), "regular"),
                        (work.path("none.db"), "No such file"),
                        (work.write("text.db", b"no database"), "not a framehound database")):
        out = work.path("kept.json")
        work.write("kept.json", b"before")
        result = program.run("report", "-F", f"json={out}", path)
        tap.ok(result.code == 3 and words in result.errors,
               f"{os.path.basename(path)}: exit 3 and '{words}'", result)
    result = program.run("report", "-F", "dfxml=" + work.path("runs.xml"), endless, timeout=20)
    tap.ok(result.code == 3, "an asset of 2^62 bytes has no 2^51 runs", result)


# ---- options and files ----

def several(tap, program, work):
    sound = program.forge("tod", small_tod(), work.path("sound.tod"))
    out = work.path("out.sarif")
    result = program.run("check", "-F", f"sarif={out}", "--format", "text", sound)
    tap.ok(result.code == 0 and b"1 file: 1 sound" in result.out and json.loads(read(out)),
           "one form in a file, one on standard output", result)
    result = program.run("check", "-F", "jsonl=-", sound)
    tap.ok(result.code == 0 and result.out.startswith(b'{"type": "source"'), "NAME=-", result)
    for args, words in ((("-F", "json", "-F", "text"), "standard output"),
                        (("-F", "json", "-F", "text=-"), "standard output"),
                        (("-F", f"json={out}", "-F", f"csv={out}"), out),
                        (("-F", "json="), "names no file"), (("-F", "sariff=x"), "did you mean 'sarif'?"),
                        (("-F", "Jsonl"), "did you mean 'jsonl'?"), (("-F", ""), "sarif"),
                        (("-F", "x" * 500), "sarif")):
        for command in (("check",), ("report",)):
            result = program.run(*command, *args, sound)
            tap.ok(result.code == 2 and words in result.errors and result.out == b"",
                   f"{command[0]} {' '.join(args)[:60]}: exit 2 and a reason", result)


def in_the_folder(tap, program, work):
    """A report that goes into the folder that is checked is not checked itself."""
    folder = work.folder("walked")
    program.forge("tod", small_tod(), os.path.join(folder, "a.tod"))
    out = os.path.join(folder, "out.json")
    seen = []
    for _ in range(2):
        program.run("check", "-F", f"json={out}", folder)
        seen.append(read(out))
    paths = [s["path"] for s in json.loads(seen[0])["sources"]]
    tap.equal((paths, seen[0]), ([os.path.join(folder, "a.tod")], seen[1]),
              "a report in the folder is no file to check, and the next one says the same")


def no_report_over_an_animation(tap, program, work):
    path = program.forge("tod", small_tod(), work.path("dear.tod"))
    before = read(path)
    for args in (("check", path), ("check", "-j8", work.path()), ("report", work.path("disc.db"))):
        result = program.run(*args, "-F", f"json={path}")
        tap.ok(result.code == 2 and "name of an animation" in result.errors and read(path) == before,
               f"{args[0]}: an animation is not replaced by a report", result)


def unwritable(tap, program, work):
    sound = program.forge("tod", small_tod(), work.path("sound.tod"))
    folder = work.folder("taken")
    for path, words in ((work.path("nowhere", "x.json"), "No such file"), (folder, "directory"),
                        ("/dev/full", "No space")):
        result = program.run("check", "-F", f"json={path}", sound)
        tap.ok(result.code == 3 and words in result.errors, f"json={path[-12:]}: exit 3", result)
    kept = work.write("room/kept.json", b"before")
    result = program.run("check", "-F", f"json={kept}", work.path("hostile"), fsize=2048)
    tap.ok(result.code == 3 and "room" in result.errors, "a file that may not grow: exit 3", result)
    tap.equal((read(kept), os.listdir(work.path("room"))), (b"before", ["kept.json"]),
              "and what was there stays, and nothing else")
    problem = other_user_problem(program)
    if problem:
        tap.skip("a file that another user cannot read", problem)
        return
    locked = work.write("locked/a.tod", read(sound))
    os.chmod(locked, 0)
    result = program.run("check", "-F", "sarif", work.path("locked"), uid=NOBODY)
    told = json.loads(result.out)["runs"][0]["invocations"][0]
    tap.ok(result.code == 3 and not told["executionSuccessful"] and told["exitCode"] == 3 and
           len(told["toolExecutionNotifications"]) == 1, "an unreadable file is notified of", told)


def fingerprints(tap, program, work):
    """Stable: the same in another place and under another name; others for other bytes."""
    data = read(program.forge("tod", small_tod().replace("parent 2 1", "parent 2 7"),
                              work.path("print.tod")))
    first, moved = work.write("fp/a.tod", data), work.write("fp/b/c.tod", data)
    other = program.forge("tod", small_tod(seed=9).replace("parent 2 1", "parent 2 7"),
                          work.path("fp", "d.tod"))

    def prints(path):
        results = json.loads(program.run("check", "-F", "sarif", path).out)["runs"][0]["results"]
        return [r["partialFingerprints"]["contentAndCode/v1"] for r in results]
    tap.ok(prints(first) and prints(first) == prints(moved), "a moved file keeps its fingerprints")
    tap.ok(not set(prints(first)) & set(prints(other)), "other bytes have others")


def many_results(tap, program, work):
    """A database with more findings than code hosts take: errors come first, the rest is named."""
    db = work.path("many.db")
    shutil.copy(work.path("disc.db"), db)
    connection = sqlite3.connect(db)
    connection.execute("DELETE FROM finding")
    source, = connection.execute("SELECT min(id) FROM source").fetchone()
    connection.executemany(
        "INSERT INTO finding (id, source_id, code, severity, raw_offset, message) VALUES (?,?,?,?,?,?)",
        ((n, source, "IMG0070" if n % 4 else "IMG0001", "error" if n % 4 == 0 else
          "warning" if n % 4 == 1 else "note", n, f"number {n}") for n in range(1, 60001)))
    connection.commit()
    connection.close()
    text = program.run("report", "-F", "sarif", db).out
    run = json.loads(text)["runs"][0]
    levels = Counter(r["level"] for r in run["results"])
    tap.equal(dict(levels), {"error": 15000, "warning": 10000}, "25,000 results, the worst first")
    note = run["invocations"][0]["toolExecutionNotifications"][-1]
    tap.ok("35000 results" in note["message"]["text"], "and how many are left out", note)
    validate_json(tap, json.dumps({**json.loads(text), "runs": [{**run, "results": run["results"][:9]}]}),
                  "sarif-2.1.0.json", "such a report fits its schema")
    lines = program.run("report", "-F", "concise", db).out.count(b"\n")
    tap.equal(lines, 60001, "other forms have all of them")


def main():
    tap, program = Tap(), Program(sys.argv)
    with Workspace() as work:
        for part in (corpus, hostile_names, no_commands_for_builds, relative_paths, odd_inputs,
                     database, same_as_check, unfinished, foreign_rules, bad_databases, several,
                     in_the_folder, no_report_over_an_animation, unwritable, fingerprints, many_results):
            part(tap, program, work)
    program.tell_unsound(tap)
    tap.done()


main()
