"""The HTML report in a browser: it loads, filters, plays and shows what replay prints; nothing of
what a disc says about itself runs; everybody can read and work it.

Usage: page.py FRAMEHOUND FORGE. From the environment FRAMEHOUND_PAGE_MODULES, a folder where the
packages of package.json may be put, and FRAMEHOUND_PAGE_PICTURES, one for pictures of every view.
"""
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "e2e"))

import disc
from harness import Program, Tap, Workspace, query, read, small_tod

ASSETS = 520
MANY = 10000
MANY_FILES = 8000  # the forge makes no more than 8192 of a disc
# Longest task of the browser with 10,000 assets. It takes a tenth of that where nothing else runs.
MOST_MS = 1000
LOOKED_FORMATS = ("tod", "camerawork", "tra")
DRIVE_SECONDS = 300


# ---- what the browser needs ----

def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


def provide_modules(folder):
    """The packages of the lock file; why not, or None."""
    done = os.path.join(folder, "node_modules", ".package-lock.json")
    lock = read(os.path.join(HERE, "package-lock.json"))
    stamp = os.path.join(folder, "stamp")
    if os.path.exists(done) and os.path.exists(stamp) and read(stamp) == lock:
        return None
    os.makedirs(folder, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(HERE, name), folder)
    try:
        run = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                             cwd=folder, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "npm did not get the packages within two minutes"
    if run.returncode != 0:
        return "npm cannot get the packages: " + run.stderr.decode("utf-8", "replace")[:200]
    with open(stamp, "wb") as file:
        file.write(lock)
    return None


def missing(folder):
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "node or npm is not installed"
    if find_chromium() is None:
        return "chromium is not installed"
    version = subprocess.run(["node", "--version"], capture_output=True).stdout.decode()
    if int(re.match(r"v(\d+)", version).group(1)) < 18:
        return "node %s is too old" % version.strip()
    return provide_modules(folder)


# ---- the reports ----

def report(program, db, out, *options, lost=0):
    result = program.run("report", db, "--format", "html", "-o", out, *options)
    told = re.findall(r"(\d+) of \d+ assets cannot be shown", result.errors)
    if result.code != 0 or told != ([str(lost)] if lost else []):
        raise RuntimeError("report: %s" % result)
    return out


def check_file(tap, program, work, db, path):
    """What can be said of the page without a browser."""
    text = read(path).decode("utf-8")
    tap.ok("default-src 'none'" in text and "unsafe" not in text.split("</head>")[0],
           "its policy allows nothing but its own program and style")
    # Names of namespaces and of licences are no addresses that anything is loaded from.
    tap.equal(re.findall(r"""(?:src|href|action|data)\s*=\s*["']?(?:https?:)?//[^"' >]+""", text), [],
              "nothing in it is loaded from elsewhere")
    tap.equal(text.count("<script"), text.count("</script"), "every script ends where it should")
    tap.equal((text.count("<img"), text.count("onerror=window.hacked='name'")
               - text.count("onerror=window.hacked='name'\\u003e")), (0, 0),
              "what a name brings along is escaped")
    tap.equal(text.count("\u2028") + text.count("\u2029") + text.count("\u202e"), 0,
              "no separator of lines and no mark of direction is left in it")
    number = query(db, "SELECT count(*) AS n FROM asset")[0]["n"]
    tap.equal(len(re.findall(r'id="detail-\d+"', text)), number, "every asset has a detail")
    stdout = program.run("report", db, "--format", "html")
    tap.equal(stdout.out, read(path), "the same database makes the same page, on standard output")
    out = work.path("other")
    for words, why in ((("-F", "html", "-F", "json=" + out, "-o", out), "a single --format"),
                       (("-F", "html=" + out, "-o", out), "a single --format"),
                       (("-F", "html", "-o", out + ".tod"), "name of an animation")):
        result = program.run("report", *words, db)
        tap.ok(result.code == 2 and why in result.errors and not os.path.exists(out),
               "%s is refused" % " ".join(words).replace(out, "FILE"), result)
    result = program.run("report", "-o", out, db)
    tap.ok(result.code == 0 and not result.out and b"IMG0009" in read(out),
           "--output alone is a text in that file", result)


def poses(program, db, asset, frames):
    """Frames of a replay, as {table: rows}."""
    world = ["--world"] if asset["format"] in ("tod", "hmd") else []
    told = program.run("replay", "--format", "json", *world, "%s:%d" % (db, asset["id"]))
    replayed = json.loads(told.out)["frames"]
    return {n: {k: v for k, v in replayed[n].items() if k not in ("index", "number")}
            for n in frames if n < len(replayed)}


def first(db, where, *args):
    return query(db, "SELECT * FROM v_assets WHERE %s ORDER BY raw_offset LIMIT 1" % where, *args)[0]


def name_of(asset):
    offset = asset["iso_offset"]
    return asset["iso_path"] + (" + 0x%x" % offset if offset else "")


def played(program, db):
    """Assets of each format, with some frames of each."""
    chosen = [first(db, "format = 'tod' AND frames >= 30 AND iso_offset = 0"),
              first(db, "format = 'hmd' AND frames > 4 AND iso_offset = 0"),
              first(db, "format = 'camerawork' AND iso_offset = 0"),
              first(db, "format = 'tra' AND frames = 20 AND iso_offset = 0")]
    return [{"id": a["id"], "format": a["format"], "name": name_of(a), "num": a["frames"],
             "frames": poses(program, db, a, (0, 3, a["frames"] // 2, a["frames"] - 1))}
            for a in chosen]


def map_plan(db):
    """The first asset, as the map has it: sector after sector."""
    asset = first(db, "raw_offset IS NOT NULL")
    sector = asset["raw_offset"] // 2352
    return {"presses": sector, "asset": asset["id"],
            "words": ["0x%08x" % (sector * 2352), "LBA %d" % asset["lba"], name_of(asset)]}


def make_plan(program, work, db, path):
    def number(sql, *args):
        return query(db, "SELECT count(*) AS n FROM asset AS a WHERE " + sql, *args)[0]["n"]
    fault = query(db, "SELECT * FROM finding WHERE code = 'TOD0061' AND asset_id IS NOT NULL "
                      "AND asset_offset IS NOT NULL ORDER BY id LIMIT 1")[0]
    by_length = query(db, "SELECT id FROM asset ORDER BY length, source_id, raw_offset")
    by_length_down = query(db, "SELECT id FROM asset ORDER BY length DESC, source_id, raw_offset")
    by_id = query(db, "SELECT id FROM asset ORDER BY id")
    needle = first(db, "iso_path LIKE '%.HMD'")
    stored = played(program, db)
    raw = query(db, "SELECT raw_offset FROM asset WHERE id = ?", stored[0]["id"])[0]["raw_offset"]
    head = read(disc.hostile_path(work))[raw:raw + 16]
    return {
        "report": path, "assets": len(by_id),
        "formats": {r["format"]: r["n"] for r in query(
            db, "SELECT format, count(*) AS n FROM asset GROUP BY format")},
        "withWarnings": number("EXISTS (SELECT 1 FROM finding WHERE asset_id = a.id AND "
                               "severity = 'warning')"),
        "search": {"text": needle["iso_path"].lower(), "ids": [needle["id"]]},
        "shortest": by_length[0]["id"], "longest": by_length_down[0]["id"],
        "second_page": by_id[100]["id"], "played": stored,
        "model": os.path.join(HERE, "..", "..", "reports", "html", "model.js"),
        "textured": query(db, "SELECT id FROM asset WHERE sha256 = ? ORDER BY id LIMIT 1",
                          hashlib.sha256(read(work.path("good-images.hmd"))).hexdigest())[0]["id"],
        "bytes": {"id": stored[0]["id"], "fields": [
            {"at": 2, "byte": "%02x" % head[2], "name": "resolution", "value": "2",
             "rules": ["TOD0004", "TOD0005"], "title": "resolution is 0"},
            {"at": 5, "byte": "%02x" % head[5], "name": "num_frames",
             "value": str(stored[0]["num"]), "rules": ["TOD0006", "TOD0007", "TOD0008", "TOD0013"],
             "title": "frame count is 0"},
            {"at": 8, "byte": "%02x" % head[8], "name": "size", "value": None,
             "rules": ["TOD0020", "TOD0021", "TOD0022", "TOD0023", "TOD0024", "TOD0025"],
             "around": "frames[0] as a whole", "title": "frame header is cut off"}]},
        "fault": {"id": fault["asset_id"], "at": fault["asset_offset"], "codes": [
            r["code"] for r in query(db, "SELECT code FROM finding WHERE asset_id = ? ORDER BY id",
                                     fault["asset_id"])]},
        "map": map_plan(db),
        "hostile": {"name": disc.HOSTILE_FILE, "bone": disc.HOSTILE_BONE.replace("\u202e", "\\u202e"),
                    "asset": first(db, "format = 'tra' AND frames = 20")["id"]},
        "looked": [a["id"] for a in stored if a["format"] in LOOKED_FORMATS] + [fault["asset_id"]],
    }


def make_notices(program, work, db):
    """Pages that lack something, and what they say then."""
    image = disc.hostile_path(work)
    asset = first(db, "format = 'tod'")
    hash_of = "#/asset/%d" % asset["id"]
    bare = report(program, db, work.path("bare.html"), "--no-detail")
    data = read(image)
    os.rename(image, image + ".away")
    number = query(db, "SELECT count(*) AS n FROM asset")[0]["n"]
    gone = report(program, db, work.path("gone.html"), lost=number)
    with open(image, "wb") as file:
        at = asset["raw_offset"] + 8
        file.write(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])
    changed = report(program, db, work.path("changed.html"), lost=1)
    os.rename(image + ".away", image)
    checked = work.path("checked.html")
    program.run("check", "--format", "html=" + checked, work.path("faulty.tod"), work.path("w0.tod"))
    long_tod = work.path("long.tod")
    program.forge("tod", small_tod(9000), long_tod)
    long_db = work.path("long.db")
    program.run("scan", "-o", long_db, long_tod)
    return [
        {"path": bare, "hash": hash_of, "words": ["--no-detail", asset["sha256"]],
         "name": "a page without details says so"},
        {"path": gone, "hash": hash_of, "words": ["is no file that can be read", asset["sha256"]],
         "name": "a source that is gone is told"},
        {"path": changed, "hash": hash_of, "words": ["have changed since they were scanned"],
         "name": "and one that has changed"},
        {"path": checked, "hash": "#/asset/1", "words": ["made by framehound check"],
         "name": "a page of check says what it lacks"},
        {"path": report(program, long_db, work.path("long.html")), "hash": "#/asset/1",
         "words": ["of 9,000 frames are in this page", "The first 65,536 of"],
         "name": "poses and bytes that are cut are told"},
    ] + make_unfinished(program, work, db) + [
        make_unlisted(program, work, long_db),
    ] + make_heavy(program, work)


def make_unfinished(program, work, db):
    """Of a scan that was broken off the page says so, of a complete one it does not."""
    other = work.path("unfinished.db")
    shutil.copy(db, other)
    whole = report(program, other, work.path("finished.html"), "--no-detail")
    with sqlite3.connect(other) as open_db:
        open_db.execute("UPDATE scan SET status = 'interrupted'")
    words = ["did not come to its end", "scan --resume"]
    return [{"path": whole, "hash": "#/", "words": [], "lacks": words,
             "name": "a page of a complete scan does not say that it is not"},
            {"path": report(program, other, work.path("unfinished.html"), "--no-detail"),
             "hash": "#/", "words": words, "name": "one of a scan that was broken off says so"}]


def make_unlisted(program, work, db):
    """More assets than a page lists, and a finding of the last."""
    with sqlite3.connect(db) as open_db:
        open_db.execute(
            "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT "
            "INTO asset (id, source_id, format, grade, raw_offset, length) "
            "SELECT i, 1, 'tod', 'structure', 1000000 + i, 8 FROM n" % (MOST_LISTED + 2))
        open_db.execute(
            "INSERT INTO finding (source_id, asset_id, code, severity, asset_offset, message) "
            "VALUES (1, %d, 'TOD0026', 'note', 24, 'of one that is not listed')" % (MOST_LISTED + 2))
    return {"path": report(program, db, work.path("unlisted.html"), "--no-detail"),
            "hash": "#/findings", "name": "a finding of an asset that is not listed names it",
            "words": ["asset %d, beyond the limit of the page" % (MOST_LISTED + 2), "at 0x0018"]}


STILL = "tod resolution=1\nframe 0\n%srepeat %d\nframe +\nendrepeat\n"
FINDINGS = 100000
MOST_LISTED = 100000  # FH_HTML_MAX_ASSETS


def make_heavy(program, work):
    """Small files and odd databases that make much work of a page."""
    notices = []
    for name, objects, frames, words in (("still", 3, 60000, ["Frame 1 of 60001"]),
                                         ("crowd", 1000, 60000, ["of 60,001 frames are in this"])):
        made = "".join("create %d\ncoord %d abs r 0 0 0 s 4096 4096 4096 t %d 2 3\n" % (i, i, i)
                       for i in range(1, objects + 1))
        tod = program.forge("tod", STILL % (made, frames), work.path(name + ".tod"))
        db = work.path(name + ".db")
        program.run("scan", "-o", db, tod)
        notices.append({"path": report(program, db, work.path(name + ".html")),
                        "hash": "#/asset/1", "words": words,
                        "name": "%d objects stand still for %d frames" % (objects, frames)})
    with sqlite3.connect(db) as open_db:
        open_db.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT "
            "INTO finding (source_id, asset_id, code, severity, asset_offset, message) "
            "SELECT 1, 1, 'TOD0026', 'note', 8, 'finding ' || i FROM n" % FINDINGS)
        open_db.execute("UPDATE source SET size = 1 << 62")
    path = report(program, db, work.path("crowded.html"))
    number = query(db, "SELECT count(*) AS n FROM finding WHERE asset_id = 1")[0]["n"]
    return notices + [
        {"path": path, "hash": "#/asset/1", "name": "an asset has 100,000 findings",
         "words": ["Findings ({:,})".format(number), "of {:,} findings".format(number)]},
        {"path": path, "hash": "#/", "name": "a source is larger than any disk",
         "words": ["Plain file", "Block"]}]


def forge_many(program, work):
    """Ten thousand small animations in a sector each."""
    names = []
    for seed in range(25):
        names.append("m%d.tod" % seed)
        program.forge("tod", small_tod(4 + seed % 5, seed), work.path(names[-1]))
    lines = ["image stride=2048", "iso MANY"] + [
        "file D%03d/F%05d.TOD < %s" % (i // 200, i, names[i % 25]) for i in range(MANY_FILES)] + [
        "hidden < %s" % names[i % 25] for i in range(MANY_FILES, MANY)]
    image = program.forge("image", "\n".join(lines) + "\n", work.path("many.bin"), root=work.name)
    db = work.path("many.db")
    program.run("scan", "-o", db, image)
    wanted = query(db, "SELECT id FROM asset WHERE iso_path LIKE '%F0777%' ORDER BY id")
    return {"path": report(program, db, work.path("many.html")), "mostMs": MOST_MS,
            "assets": query(db, "SELECT count(*) AS n FROM asset")[0]["n"],
            "needle": {"text": "f0777", "number": len(wanted), "id": wanted[0]["id"]}}


# ---- the browser ----

def drive(tap, work, plan):
    with open(work.path("plan.json"), "w") as file:
        json.dump(plan, file)
    done = subprocess.Popen(["node", os.path.join(HERE, "drive.mjs"), work.path("plan.json")],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, err = done.communicate(timeout=DRIVE_SECONDS)
    except subprocess.TimeoutExpired:
        done.kill()
        out, err = done.communicate()
        err += b"\n(it took too long)"
    for line in out.decode("utf-8").splitlines():
        told = json.loads(line)
        if "note" in told:
            tap.note(told["note"])
        else:
            tap.ok(told["ok"], told["name"], *told["seen"])
    tap.ok(done.returncode == 0, "the browser was driven to the end", err.decode("utf-8", "replace"))


def main():
    tap = Tap()
    program = Program(sys.argv)
    modules = os.environ.get("FRAMEHOUND_PAGE_MODULES", os.path.join(HERE, "modules"))
    with Workspace() as work:
        image = disc.forge_disc(program, work, ASSETS)
        db = work.path("disc.db")
        program.run("scan", "-o", db, image)
        number = query(db, "SELECT count(*) AS n FROM asset")[0]["n"]
        tap.ok(number >= 500, "a disc of %d assets" % number)
        path = report(program, db, work.path("report.html"))
        tap.note("the report has %d bytes" % os.path.getsize(path))
        check_file(tap, program, work, db, path)
        why = missing(modules)
        if why is not None:
            tap.skip("the page in a browser", why)
        else:
            plan = make_plan(program, work, db, path)
            plan.update({"modules": modules, "chromium": find_chromium(),
                         "notices": make_notices(program, work, db),
                         "many": forge_many(program, work),
                         "pictures": os.environ.get("FRAMEHOUND_PAGE_PICTURES", "")})
            drive(tap, work, plan)
        program.tell_unsound(tap)
    tap.done()


main()
