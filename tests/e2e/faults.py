"""Calls of the C library that fail one by one, each in its turn: nothing crashes or hangs, whatever
goes wrong is told, and no output is left half written.

FRAMEHOUND_FAULTS names the shared object that fails them (tests/faults/faults.c); without it all is
skipped. FRAMEHOUND_LIBRARY_TOLD names the program that prints what the library tells. A fixed share
of the calls fails; by hand many more do (./run faults: FAULTS_WAYS). With sanitizers, which look for
what is lost when a call has failed, only some to do with files and locks: allocations are not the
program's own there, and more would take too long. With FRAMEHOUND_WRAPPER it is valgrind that looks:

FAULTS_MOST=N        so many calls of each command and class (0: all, which takes many hours)
FAULTS_ONLY=WORDS    only the commands whose name begins with one of these words; _ is a blank
FAULTS_CLASSES=WORDS only these classes of calls: memory, file, short, eintr, lock; and interrupt:
                     the call works, but the user has just asked for an end
FAULTS_SKIP=NAMES    libraries whose own calls are not counted (faults.c); without it libcrypto, which
                     as a shared library makes thousands while it begins, and libseccomp, which
                     does not live through a failure (2.5.4)
FAULTS_JOBS=N        runs at once
FAULTS_STAY=1        every call from the chosen one on fails, as on a disk that stays full
FAULTS_TELL=FILE     what every run said is written there
FAULTS_EACH=1        besides, the first call from each place of the program that no command before
                     has made calls from (faults.c says what a place is), and more commands, on
                     sources of all kinds: what ./run coverage does
FAULTS_WAYS=1        besides, of each command and of those of MORE_COMMANDS, of all calls that the
                     same functions led to, the program's and the libraries', the first and the
                     last one; of class interrupt the first from each place; of the library all
FAULTS_MEMORY=1      allocations, too, where FRAMEHOUND_SANITIZED says that the program's are not
                     its own
"""
import concurrent.futures
import json
import os
import shutil
import signal
import sqlite3
import stat
import struct
import subprocess
import sys
import tarfile
import time
import xml.etree.ElementTree as ElementTree

from harness import (HERE, MEMORY_IS_ITS_OWN, SLOWER, WRAPPER, Program, Tap, Workspace,
                     corpus_path, database_faults, is_sound, query, read, small_tod)

sys.path.insert(1, os.path.join(HERE, "..", "corpus"))
import pieces  # noqa: E402

EACH = bool(os.environ.get("FAULTS_EACH"))
WAYS = bool(os.environ.get("FAULTS_WAYS"))
ALL_CLASSES = ("memory", "file", "short", "eintr", "lock", "interrupt")
SANITIZED = bool(os.environ.get("FRAMEHOUND_SANITIZED"))
CLASSES = os.environ.get("FAULTS_CLASSES", "").split() or (
    ("file", "lock") if SANITIZED and not EACH else ALL_CLASSES)
COUNTS = struct.Struct("<9Q48s208s")  # struct record of faults.c
MOST = int(os.environ.get("FAULTS_MOST", "2"))
ONLY = [word.replace("_", " ") for word in os.environ.get("FAULTS_ONLY", "").split()]
JOBS = int(os.environ.get("FAULTS_JOBS", "2"))
NUM_FAILED = len(ALL_CLASSES)  # its place in COUNTS
PLACE = struct.Struct("<4Q")  # struct place of faults.c
NUM_PLACES = 1 << 16
STAYS = bool(os.environ.get("FAULTS_STAY"))
TELL = os.environ.get("FAULTS_TELL")
# Of check: they say which files could not be judged, or have a line for each finding. (And glTF is
# written without the models of --tmd if these cannot be read.)
PARTIAL = ("r.json", "r.xml", "r.txt", "r.jsonl", "r.csv", "r.dfxml", "r.gh", "r.gl")
UNDISTURBED = ("short", "eintr")  # what a program has to live with, and nobody notices
LOST = (b"RUN0030", b"RUN0031", b"RUN0032")  # a candidate whose cell came to grief
SMALLER = b"stopped before it was the smallest: "  # reduce writes what it has
REMOVERS = ("unlink", "unlinkat", "rename", "renameat", "renameat2")
SECONDS = 60
SKIP = os.environ.get("FAULTS_SKIP", "libcrypto:libseccomp")
TOLD = os.environ.get("FRAMEHOUND_LIBRARY_TOLD")
LIBRARY_FILES = ["in/one.tod", "in/two.tod", "in/box.tar", "in/disc.bin", "in/text.lua"]

SOURCES = ["in/one.tod", "in/two.tod", "in/box.tar", "in/disc.bin", "in/text.lua"]

# (name, arguments). All are run where the files of make_template lie.
COMMANDS = [
    ("scan", ["scan", "-j1", "-o", "new.db", "in"]),
    ("scan to an old database", ["scan", "-j1", "-o", "old.db", "in/one.tod", "in/box.tar"]),
    ("scan with two jobs", ["scan", "-j2", "-o", "new.db", "in/one.tod", "in/two.tod"]),
    ("scan of a shard", ["scan", "-j1", "--shard", "1/2", "-o", "new.db", "--manifest", "list"]),
    ("scan goes on", ["scan", "-j1", "--resume", "-o", "killed.db", "in/one.tod", "in/two.tod",
                      "-"]),
    ("merge", ["merge", "-o", "all.db", "shard1.db", "shard2.db"]),
    ("merge over", ["merge", "-o", "old.db", "shard1.db", "shard2.db"]),
    ("check", ["check", "-j1", "in"]),
    ("check with two jobs", ["check", "-j2", "in"]),
    ("check with forms", ["check", "-j1", "-F", "json=r.json", "-F", "junit=r.xml", "-F", "sarif",
                          "--explain", "in"]),
    ("check fills a cache", ["check", "-j1", "--cache", "cache", "in/one.tod", "in/two.tod"]),
    ("check from a cache", ["check", "-j1", "--cache", "filled", "in/one.tod", "in/two.tod"]),
    ("check writes a baseline", ["check", "-j1", "--write-baseline", "new.base", "in"]),
    ("check with a baseline", ["check", "-j1", "--baseline", "base", "in"]),
    ("check writes a lock", ["check", "-j1", "--write-expect", "new.lock", "in/one.tod"]),
    ("check against a lock", ["check", "-j1", "--expect", "lock", "in/one.tod"]),
    ("check mends", ["check", "-j1", "--fix", "in/mend.tod"]),
    ("check shows a patch", ["check", "-j1", "--diff", "in/mend.tod"]),
    ("check what changed", ["check", "-j1", "--changed-since", "HEAD", "--gitignore", "repo"]),
    ("extract", ["extract", "-d", "out", "old.db"]),
    ("replay", ["replay", "in/one.tod"]),
    ("replay to a file", ["replay", "-F", "json", "-o", "poses.json", "in/one.tod"]),
    ("replay from a database", ["replay", "old.db:1"]),
    ("replay writes canonical", ["replay", "-F", "canonical", "-o", "c.lua", "in/text.lua"]),
    ("report", ["report", "old.db"]),
    ("report to files", ["report"] + ["-F%s=r.%s" % (f, f) for f in (
        "json", "jsonl", "sarif", "junit", "github", "csv", "gitlab")] + ["old.db"]),
    ("diff", ["diff", "old.db", "shard1.db"]),
    ("where", ["where", "in/disc.bin", "raw:50000"]),
    ("why", ["why", "in/one.tod@0"]),
    ("rules", ["rules", "TOD0001"]),
]

# Of these each place that a call to do with files comes from: what an image needs besides itself.
ALONE = ["-j1", "--sandbox", "off", "--worker", "off"]
SHEET_COMMANDS = [
    ("scan of an NRG", ["scan", *ALONE, "-o", "new.db", "disc.nrg"]),
    ("scan of a CHD", ["scan", *ALONE, "-o", "new.db", "disc.chd"]),
    ("scan of a CCD", ["scan", *ALONE, "-o", "new.db", "disc.ccd"]),
]

# Those of MORE_COMMANDS of which calls of these classes always fail, from each place or, if they are
# few, all: what is not known yet must not be told as known, and nothing half may be left.
FEW = 100
ALWAYS = {
    "reduce": {"memory", "interrupt"},
    "why in a box": {"interrupt"},
    "why in a disc": {"file"},
    "replay a model to glTF": {"memory"},
    "replay models to glTF": {"memory", "interrupt"},
}

# With FAULTS_EACH or FAULTS_WAYS besides, in their order.
MORE_COMMANDS = [
    ("reduce", ["reduce", "in/two.tod", "--code", "TOD0022", "-o", "small.tod"]),
    ("where of a file", ["where", "in/disc.bin", "iso:/A.TOD+16"]),
    ("where of a sector", ["where", "-Fjson", "in/disc.bin", "lba:21+8"]),
    ("where in a box", ["where", "in/box.tar!/a.tod", "raw:16"]),
    ("why of text", ["why", "-Fjson", "in/text.lua@0"]),
    ("why in a box", ["why", "in/box.tar!/a.tod@4"]),
    ("why in a disc", ["why", "in/disc.bin@50000"]),
    ("replay from a box", ["replay", "boxes.db:1"]),
    ("replay after another", ["replay", "--after", "in/one.tod", "in/one.tod"]),
    ("extract from boxes", ["extract", "-d", "out", "boxes.db"]),
    ("extract one", ["extract", "-d", "out", "--ids", "1", "boxes.db"]),
    ("extract nothing", ["extract", "-d", "out", "--dry-run", "boxes.db"]),
    ("check renews a lock", ["check", "-j1", "--expect", "lock", "--write-expect", "lock",
                             "in/one.tod"]),
    ("check against other poses", ["check", "-j1", "--expect", "otherlock", "in/one.tod"]),
    ("check with a policy", ["check", "-j1", "--config", "policy", "in"]),
    ("check shows the policy", ["check", "-j1", "--show-config", "--config", "policy", "in"]),
    ("check names from a list", ["check", "-j1", "--files-from", "list"]),
    ("check one change", ["check", "-j1", "--changed-since", "HEAD", "repo/one.tod"]),
    ("check mends what it shows", ["check", "-j1", "--fix", "--explain", "in/mend.tod"]),
    ("report from boxes", ["report", "-Fdfxml=r.dfxml", "-Fconcise", "--explain", "boxes.db"]),
    ("diff in JSON", ["diff", "-Fjson", "old.db", "boxes.db"]),
    ("diff by name", ["diff", "-Fcsv", "--match", "name", "boxes.db", "old.db"]),
    ("rules in JSON", ["rules", "-Fjson"]),
    ("rules with what tests them", ["rules", "--coverage"]),
    ("rules as pages", ["rules", "-Fmarkdown", "TOD"]),
    ("query", ["query", "-d", "boxes.db"]),
    ("query of sources", ["query", "-d", "boxes.db", "sources"]),
    ("query of sums", ["query", "-d", "boxes.db", "-Fjson", "summary"]),
    ("query of sums of an earlier version", ["query", "-d", "earlier.db", "grades"]),
    ("scan to an earlier version", ["scan", "-j1", "-o", "earlier.db", "in/one.tod"]),
    ("scan to one that comes to many rows", ["scan", "-j1", "-o", "many.db", "in/one.tod"]),
    ("scan to one that keeps what is true of all", ["scan", "-j1", "-o", "kept.db", "in/one.tod"]),
    ("query of what is true of all", ["query", "-d", "kept.db", "-Fjson", "duplicates"]),
    ("query with a value", ["query", "-d", "boxes.db", "-Fjson", "coverage", "in/disc.bin"]),
    ("query of places", ["query", "-d", "boxes.db", "-Fcsv", "-n", "1", "shared"]),
    ("replay draws", ["replay", "-o", "poses.svg", "in/one.tod"]),
    ("replay draws a camera", ["replay", "-o", "poses.svg", "more/circle.cam"]),
    ("replay draws a model", ["replay", "-o", "poses.svg", "more/plain.tra"]),
    ("replay to glTF", ["replay", "-o", "poses.glb", "in/one.tod"]),
    ("replay morphs to glTF", ["replay", "-o", "poses.gltf", "more/mime.hmd"]),
    ("replay textures to glTF", ["replay", "-o", "poses.glb", "more/images.hmd"]),
    ("replay maps to glTF", ["replay", "-o", "poses.glb", "more/envmap.hmd"]),
    ("replay ground to glTF", ["replay", "-o", "poses.glb", "more/ground.hmd"]),
    ("replay lights to glTF", ["replay", "-o", "poses.glb", "more/devices.hmd"]),
    ("replay a camera to glTF", ["replay", "-o", "poses.glb", "more/circle.cam"]),
    ("replay bones to glTF", ["replay", "-o", "poses.glb", "more/plain.tra"]),
    ("replay in the world", ["replay", "--world", "--changes", "-Fcsv", "more/animation.hmd"]),
    ("replay with a model", ["replay", "--bac", "more/plain.bac", "more/plain.tra"]),
    ("check with other forms", ["check", "-j1", "-Fconcise=r.txt", "-Fjsonl=r.jsonl",
                                "-Fcsv=r.csv", "-Fdfxml=r.dfxml", "-Fgithub=r.gh",
                                "-Fgitlab=r.gl", "in"]),
    ("check by rules", ["check", "-j1", "--select", "TOD", "--ignore", "TOD0022", "--severity",
                        "TOD0006=note", "--min-severity", "warning", "in"]),
    ("check with a model", ["check", "-j1", "--bac", "more/plain.bac", "more/plain.tra"]),
    ("check mends text", ["check", "-j1", "--fix", "more/mend.tra"]),
    ("check shows a patch of text", ["check", "-j1", "--diff", "more/mend.tra"]),
    ("check writes a lock of all", ["check", "-j1", "--write-expect", "new.lock", "more"]),
    ("check against a lock of all", ["check", "-j1", "--expect", "alllock", "--tolerance", "0.5",
                                     "more"]),
    ("reduce text", ["reduce", "more/mend.tra", "--code", "TRA0028", "-o", "small.tra"]),
    ("scan without workers", ["scan", "-j1", "--worker", "off", "--check-sectors",
                              "--every-offset", "-o", "new.db", "in"]),
    ("scan tells how far it is", ["scan", "-j1", "--progress", "json", "--layout", "2352", "-o",
                                  "new.db", "in/disc.bin"]),
    ("scan of models", ["scan", "-j1", "-o", "new.db", "more"]),
    ("extract models", ["extract", "-d", "out", "--grade", "replayed", "models.db"]),
    ("report of models", ["report", "-Fjsonl=r.jsonl", "-Fcsv=r.csv", "models.db"]),
    ("why in a model", ["why", "more/broken.hmd@0"]),
    ("why nothing", ["why", "-Fjson", "in/disc.bin@48"]),
    ("inspect", ["inspect", "in/two.tod"]),
    ("inspect unfolds", ["inspect", "-d2", "-r", "-uframes[0..1].packets[*]", "--color", "always",
                         "in/one.tod"]),
    ("inspect some bytes", ["inspect", "--bytes", "4..0x20", "more/broken.hmd"]),
    ("inspect in JSON", ["inspect", "-Fjson", "more/images.hmd"]),
    ("inspect text", ["inspect", "-d9", "more/mend.tra"]),
    ("inspect in a disc", ["inspect", "in/disc.bin@50000"]),
    ("inspect from a database", ["inspect", "boxes.db:1"]),
    ("report as a page", ["report", "-Fhtml=r.html", "models.db"]),
    ("report of boxes as a page", ["report", "-Fhtml=r.html", "--no-detail", "boxes.db"]),
    ("replay a model to glTF", ["replay", "-o", "poses.gltf", "more/animation.hmd"]),
    ("replay draws an HMD", ["replay", "-o", "poses.svg", "more/animation.hmd"]),
    ("replay models to glTF", ["replay", "-o", "poses.gltf", "--tmd", "triangle.tmd", "late.tod"]),
]

# ---- what everything begins with ----

def make_sheets(program, work):
    """A folder with an image and its sheet, one that is its own, and one without its parent."""
    root = work.folder("sheets")
    program.forge("tod", small_tod(3, 1), work.path("good.tod"))
    image = read(program.forge("image", "image stride=2352\niso DISC\nfile A.TOD < good.tod\n",
                               root + "/disc.img", root=work.name))
    write(root + "/disc.sub", bytes(len(image) // 2352 * 96))
    write(root + "/disc.ccd", b"[CloneCD]\nVersion=3\n[Disc]\nTocEntries=1\nSessions=1\n[Entry 0]\n"
          b"Session=1\nPoint=0x01\nControl=0x04\nPLBA=0\n[TRACK 1]\nMODE=2\nINDEX 1=0\n")
    track = b"\0" * 12 + struct.pack(">HB3x3I", 2352, 6, 0, 0, len(image))
    dao = b"\0" * 22 + track
    write(root + "/disc.nrg", image + b"DAOI" + struct.pack(">I", len(dao)) + dao +
          b"END!" + bytes(4) + b"NERO" + struct.pack(">I", len(image)))
    pieces.build(program.forge_path, corpus_path("image", "IMG0044.bad.forge"), root,
                 lambda words: program.finish(start(program, root, *words)))
    return root


def make_inputs(program, work, root):
    good = read(program.forge("tod", small_tod(3, 1), work.path("good.tod")))
    os.makedirs(root + "/in")
    write(root + "/in/one.tod", good)
    write(root + "/in/two.tod", good[:-4])
    with tarfile.open(root + "/in/box.tar", "w") as box:
        box.add(work.path("good.tod"), "a.tod")
        box.add(corpus_path("..", "README.md"), "b.md")
    program.forge("image", "image stride=2352\niso DISC\nfile A.TOD < good.tod\n",
                  root + "/in/disc.bin", root=work.name)
    program.forge("camerawork", read(corpus_path("camerawork", "CAM0001.good.forge")).decode(),
                  root + "/in/text.lua")
    write(root + "/in/mend.tod", good[:4] + b"\1\0\0\0" + good[8:])
    write(root + "/list", "".join(name + "\n" for name in SOURCES).encode())


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def start(program, root, *args, **how):
    """Without setpriv before it, which would be preloaded as well; all are waited for."""
    return program.start(*args, cwd=root, ends_with_us=False, **how)


def run(program, root, *args):
    result = program.finish(start(program, root, *args))
    assert result.code in (0, 1), result
    return result


def make_repository(root):
    os.makedirs(root + "/repo")
    shutil.copy2(root + "/in/one.tod", root + "/repo/one.tod")
    write(root + "/repo/.gitignore", b"*.no\n")
    git = ["git", "-C", root + "/repo", "-c", "user.name=n", "-c", "user.email=e@e", "-c",
           "init.defaultBranch=main", "-c", "init.templateDir="]
    for args in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "m"]):
        subprocess.run(git + args, check=True)
    shutil.copy2(root + "/in/two.tod", root + "/repo/one.tod")
    shutil.copy2(root + "/in/two.tod", root + "/repo/two.tod")


def make_broken_scan(program, root):
    """A scan that was killed with two of its three sources done."""
    db = root + "/killed.db"
    process = start(program, root, "scan", "-j1", "-o", "killed.db", "in/one.tod", "in/two.tod",
                    "-", stdin=subprocess.PIPE)
    for _ in range(3000):
        try:
            if os.path.exists(db) and len(query(db, "SELECT * FROM visit")) == 2:
                break
        except sqlite3.OperationalError:
            pass
        time.sleep(0.02)
    process.kill()
    process.communicate()
    assert len(query(db, "SELECT * FROM visit")) == 2


def make_template(program, work):
    root = work.path("template")
    make_inputs(program, work, root)
    run(program, root, "scan", "-j1", "-o", "old.db", "in/one.tod", "in/two.tod")
    for i in ("1", "2"):
        run(program, root, "scan", "-j1", "-o", "shard%s.db" % i, "--shard", i + "/2",
            "--manifest", "list")
    run(program, root, "check", "--cache", "filled", "in/one.tod", "in/two.tod")
    run(program, root, "check", "--write-baseline", "base", "in")
    run(program, root, "check", "--write-expect", "lock", "in/one.tod")
    make_broken_scan(program, root)
    make_repository(root)
    make_models(program, root)
    if EACH or WAYS:
        make_more(program, root)
    return root


def make_more(program, root):
    """What MORE_COMMANDS begin with."""
    run(program, root, "scan", "-j1", "-o", "boxes.db", "in/box.tar", "in/disc.bin")
    shutil.copy(root + "/boxes.db", root + "/earlier.db")
    earlier = sqlite3.connect(root + "/earlier.db")
    earlier.executescript("DROP VIEW v_summary; DROP VIEW v_grades; DROP TABLE tally; "
                          "DROP TABLE overall; PRAGMA user_version = 3;")
    earlier.close()
    for name in ("many.db", "kept.db"):
        shutil.copy(root + "/boxes.db", root + "/" + name)
        many = sqlite3.connect(root + "/" + name)
        many.executescript("UPDATE finding SET id = id + 10000")
        many.close()
    run(program, root, "scan", "-j1", "-o", "kept.db", "in/two.tod", "in/one.tod")
    write(root + "/other.tod", read(program.forge("tod", small_tod(3, 2), root + "/forged.tod")))
    os.rename(root + "/in/one.tod", root + "/kept.tod")
    os.rename(root + "/other.tod", root + "/in/one.tod")
    run(program, root, "check", "--write-expect", "otherlock", "in/one.tod")
    os.rename(root + "/kept.tod", root + "/in/one.tod")
    write(root + "/policy", b"[check]\nmin-severity = warning\nignore = TOD0022\n")
    run(program, root, "check", "--write-expect", "alllock", "more")
    run(program, root, "scan", "-j1", "-o", "models.db", "more")


def make_models(program, root):
    os.makedirs(root + "/more")
    for kind, name, to in (
            ("hmd", "good-mime", "mime.hmd"), ("hmd", "good-images", "images.hmd"),
            ("hmd", "good-envmap", "envmap.hmd"), ("hmd", "good-ground", "ground.hmd"),
            ("hmd", "good-devices", "devices.hmd"), ("hmd", "good-animation", "animation.hmd"),
            ("hmd", "HMD0284.bad", "broken.hmd"), ("camerawork", "good-circle", "circle.cam"),
            ("tra", "TRA0120.good", "plain.tra"), ("bac", "model.bac", "plain.bac"),
            ("tra", "TRA0028.bad", "mend.tra")):
        folder = "tra" if kind == "bac" else kind
        program.forge(kind, read(corpus_path(folder, name + ".forge")).decode(),
                      root + "/more/" + to)
    write(root + "/late.tod", read(root + "/in/one.tod") + bytes(4))  # a note, before its replay
    write(root + "/triangle.tmd", triangle())


def triangle():
    """A TMD with one triangle."""
    head = struct.pack("<3I", 0x41, 0, 1)
    sizes = struct.pack("<7I", 28, 3, 52, 1, 60, 1, 0)
    corners = struct.pack("<12h", 0, 0, 0, 0, 100, 0, 0, 0, 0, 100, 0, 0)
    normal = struct.pack("<4h", 0, 0, 4096, 0)
    flat = struct.pack("<8B4H", 4, 3, 0, 0x20, 255, 0, 0, 0x20, 0, 0, 1, 2)
    return head + sizes + corners + normal + flat


# ---- sources of all kinds ----

def corpus_cases(program, work):
    """Folder and command of what the rules of images and of the run are tested with."""
    for folder in ("image", "run"):
        for name in sorted(os.listdir(corpus_path(folder))):
            if not name.endswith(".forge"):
                continue
            root = work.folder(os.path.join("corpus", name))
            command, words = pieces.build(
                program.forge_path, corpus_path(folder, name), root,
                lambda words, root=root: program.finish(start(program, root, *words)))
            if "<" in words:
                continue
            before = ["-j1", "-o", "new.db"] if command == "scan" else ["-j1"]
            yield name, root, [command, *before, *words]


def follow_ups(program, root):
    """Commands on what a scan of the folder has recorded, which is put there."""
    old = os.path.join(root, "old.db")
    os.rename(os.path.join(root, "new.db"), old)
    yield "extract", ["extract", "-d", "out", "old.db"]
    rows = query(old, "SELECT s.path, a.raw_offset FROM asset AS a JOIN source AS s "
                      "ON s.id = a.source_id WHERE a.raw_offset IS NOT NULL LIMIT 1")
    for path, offset in rows:
        yield "replay", ["replay", "old.db:1"]
        yield "where", ["where", path, "raw:%s" % offset]
        yield "why", ["why", "%s@%s" % (path, offset)]


# ---- what a run leaves behind ----

def is_database(path):
    with open(path, "rb") as file:
        return file.read(15) == b"SQLite format 3"


def tables_of(db):
    """All rows of all tables, without times and names of temporary files."""
    connection = sqlite3.connect(db)
    connection.text_factory = bytes
    try:
        names = [name.decode() for name, in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {name: rows_of(connection.execute("SELECT * FROM %s" % name)) for name in names}
    finally:
        connection.close()


def rows_of(cursor):
    fields = [(i, field[0]) for i, field in enumerate(cursor.description)
              if not field[0].endswith("ed_at")]
    return sorted(({field: row[i] for i, field in fields} for row in cursor), key=repr)


def faults_of_database(path):
    """As the tests of databases ask for them; one of an earlier version lacks tables."""
    try:
        return database_faults(path)
    except sqlite3.Error as error:
        return [str(error)]


def content_of(path):
    return tables_of(path) if is_database(path) else read(path)


def tree_of(root):
    """What lies in a folder: name to size and time of change."""
    found = {}
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name != ".git"]
        for name in files:
            path = os.path.join(folder, name)
            there = os.lstat(path)
            found[os.path.relpath(path, root)] = (there.st_size, there.st_mtime_ns, there.st_ino)
    return found


def needs_git(args):
    return any(word.split("/")[0] == "repo" for word in args)


class Case:
    """A command, what it does undisturbed, and how many calls it makes."""

    def __init__(self, tester, name, args, good, each):
        self.name, self.args = name, args
        root, before = tester.fresh(needs_git(args))
        self.counts, _, result = tester.run(root, args)
        self.places = tester.places_of(args) if each else {}
        self.code, self.out, self.err = result.code, result.out, result.err
        assert name != "scan goes on" or b"passed over" in result.err, result
        self.files = {path: content_of(os.path.join(root, path))
                      for path, seen in tree_of(root).items() if before.get(path) != seen}
        tester.drop(root)
        assert is_sound(result) and self.code in good, result


class Tester:
    def __init__(self, program, work, library, template):
        self.program, self.work, self.library = program, work, library
        self.template = template
        self.look()
        self.num_runs = self.num_struck = 0
        self.seen = set()  # places

    def look(self):
        """Remembers what every run begins with."""
        self.before = {path: content_of(os.path.join(self.template, path))
                       for path in tree_of(self.template)}
        self.known = {path: faults_of_database(os.path.join(self.template, path))
                      for path in self.before if is_database(os.path.join(self.template, path))}
        self.contents = {}  # what lies there, and its bytes, None of a folder
        for folder, names, files in os.walk(self.template):
            names[:] = [name for name in names if name != "repo"]
            for path in [folder] + [os.path.join(folder, name) for name in files]:
                there = os.lstat(path)
                assert stat.S_ISDIR(there.st_mode) or stat.S_ISREG(there.st_mode), path
                self.contents[path[len(self.template):]] = (
                    there, None if path == folder else read(path))
            assert not any(os.path.islink(os.path.join(folder, name)) for name in names), folder

    def fresh(self, needs_git):
        root = os.path.join(self.work.name, "run-%d-%d" % (id(object()), time.monotonic_ns()))
        if needs_git:
            shutil.copytree(self.template, root, symlinks=True)
        else:
            self.write_template(root)
        write(root + ".log", bytes(COUNTS.size))
        return root, tree_of(root)

    def write_template(self, root):
        """As shutil.copytree, with rights and times, of files that were read once: it is done for
        each call."""
        for path, (there, content) in self.contents.items():
            if content is None:
                os.mkdir(root + path)
            else:
                write(root + path, content)
            os.chmod(root + path, stat.S_IMODE(there.st_mode))
        for path, (there, _) in self.contents.items():
            os.utime(root + path, ns=(there.st_atime_ns, there.st_mtime_ns))

    @staticmethod
    def drop(root):
        shutil.rmtree(root, ignore_errors=True)
        os.remove(root + ".log")

    def run(self, root, args, **faults):
        """Counts, what was struck (or None) and the result."""
        env = {"FAULTS_SKIP": SKIP, "LD_PRELOAD": self.library, "FAULTS_LOG": root + ".log",
               "TMPDIR": root + "/../tmp", "FRAMEHOUND_BUSY_MS": "20",
               "FAULTS_PROGRAM": os.path.basename(self.program.path)}
        env.update(faults)
        before = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") +
                  ":verify_asan_link_order=0"}
        env.update(before)
        result = self.program.finish(start(self.program, root, *args, env=env), timeout=SECONDS)
        record = COUNTS.unpack(read(root + ".log"))
        struck = None
        if record[NUM_FAILED] > 0:
            function, module = (word.split(b"\0")[0].decode() for word in record[-2:])
            where = ("in a process of its own",) if record[NUM_FAILED + 2] else ()
            struck = (function, os.path.basename(module), record[NUM_FAILED + 1], *where)
        return dict(zip(ALL_CLASSES, record)), struck, result

    def places_of(self, args):
        """Numbers of the calls of each class that fail for where they come from."""
        chosen_ones = {kind: set() for kind in ALL_CLASSES}
        for key, kind, number, _ in self.seen_places(args):
            if key not in self.seen:
                self.seen.add(key)
                chosen_ones[kind].add(number)
        for _, kind, number, latest in self.seen_places(args, FAULTS_WHOLE="1") if WAYS else ():
            if kind != "interrupt":
                chosen_ones[kind] |= {number, latest}
        return chosen_ones

    def seen_places(self, args, **how):
        """Places and what faults.c keeps of them."""
        root, _ = self.fresh(needs_git(args))
        path = self.work.path("places")
        write(path, bytes(NUM_PLACES * PLACE.size))
        self.run(root, args, FAULTS_PLACES=path, **how)
        self.drop(root)
        kept = [(key, ALL_CLASSES[kind], number, latest)
                for key, kind, number, latest in PLACE.iter_unpack(read(path)) if number > 0]
        assert len(kept) < NUM_PLACES, "there is no room for all places"
        return kept

    # -- one call that fails --

    def faults_of(self, case, kind, number):
        """What is wrong behind a run in which that call failed."""
        root, before = self.fresh(needs_git(case.args))
        last = {"FAULTS_LAST": str(1 << 40)} if STAYS else {}
        _, struck, result = self.run(root, case.args, FAULTS_CLASS=kind, FAULTS_AT=str(number),
                                     **last)
        self.num_runs += 1
        self.num_struck += struck is not None
        try:
            wrong = self.judge(case, kind, struck, result, root, before)
            if case.name.startswith("scan") and not wrong and result.code != case.code:
                wrong = self.judge_repetition(case, root)
        except (OSError, sqlite3.Error) as error:
            wrong = ["what was left cannot be read: %s" % error]
        self.note(case, kind, number, struck, result, wrong)
        self.drop(root)
        return ["%s, %s call %d (%s): %s; %s" % (case.name, kind, number, struck, text, result)
                for text in wrong]

    def note(self, case, kind, number, struck, result, wrong):
        if TELL:
            with open(TELL, "a") as file:
                file.write(json.dumps([case.name, kind, number, struck, result.code,
                                       result.errors, wrong]) + "\n")

    def judge(self, case, kind, struck, result, root, before):
        if kind == "interrupt" and result.code == -signal.SIGINT and not result.out + result.err:
            return self.judge_files(case, struck, False, root, before)  # before main catches it
        if not is_sound(result):
            return ["it did not end as it should"]
        equals = result.code == case.code and (case.code < 3 or result.err == case.err)
        if not equals and (struck is None or (kind in UNDISTURBED and not STAYS)):
            return ["nothing should have happened"]
        if SMALLER in result.err:
            return self.judge_smaller(case, result, root)
        if kind == "interrupt" and (not equals or case.code == 4):  # limits are told so, too
            return self.judge_interruption(case, struck, result, root, before)
        if not equals and result.code not in (3, 4):
            return ["the exit code"]
        if not equals and b"framehound: " not in result.err:
            return ["nothing was said"]
        if b"internal error" in result.err:
            return ["the program takes it for a fault of its own"]
        if equals and b"cannot be shown from their sources" in result.err:
            return []  # a page has less in it, and says why
        wrong = []
        # Of a file that could not be asked whether it has changed, a scan that goes on tells anew.
        is_thorough = case.name == "scan goes on" and result.err != case.err
        if equals and result.out != case.out and not is_thorough:
            wrong.append("another output")
        if b"a library ended the program" in result.err:  # SQLite takes back all that was begun
            struck = (REMOVERS[0], *struck[1:])
        return wrong + self.judge_files(case, struck, equals, root, before)

    def judge_interruption(self, case, struck, result, root, before):
        """Who has asked for an end is told what of it came out."""
        if result.code != 4:
            return ["the exit code"]
        if b"nterrupted" not in result.err:
            was_asked = struck is not None and len(struck) == 3
            if was_asked or result.err != case.err or result.out != case.out:
                return ["that it was interrupted was not said"]
            return self.judge_files(case, struck, True, root, before)
        return self.judge_files(case, struck, False, root, before)

    def judge_smaller(self, case, result, root):
        """What came of a reduction that was stopped has its finding all the same."""
        code, path = (case.args[case.args.index(option) + 1] for option in ("--code", "-o"))
        seen = self.program.finish(start(self.program, root, "check", path))
        wrong = [] if result.code == 4 else ["the exit code"]
        return wrong + ([] if code in seen.text else ["%s has no %s" % (path, code)])

    def judge_files(self, case, struck, equals, root, before):
        after = tree_of(root)
        wrong = []
        for path in sorted(set(after) | set(before)):
            if path not in after:
                wrong.append("%s is gone" % path)
            elif before.get(path) != after[path]:
                wrong += self.judge_file(case, struck, equals, root, path)
        if equals:  # a cache keeps what it can
            wrong += ["%s was not made" % path for path in case.files
                      if path not in after and not path.startswith("cache/")]
        return wrong

    def judge_file(self, case, struck, equals, root, path):
        """A file that was made or changed."""
        whole = os.path.join(root, path)
        if not os.path.exists(whole):
            return []  # a journal, taken back when its database was looked at
        if path.endswith("-journal"):
            if os.path.exists(whole[:-len("-journal")]):
                content_of(whole[:-len("-journal")])
            return [] if not os.path.exists(whole) else self.forgive(struck, path)
        if path not in case.files:
            is_same = path in self.before and content_of(whole) == self.before[path]
            return [] if is_same else self.forgive(struck, path)
        content = content_of(whole)
        if os.path.getsize(whole) == 0 and struck is not None and struck[0] in REMOVERS:
            return []  # SQLite has taken back what it could not get rid of the journal of
        if is_database(whole):
            faults = faults_of_database(whole)
            if faults and faults != self.known.get(path):  # one of an earlier version
                return ["%s: %s" % (path, faults[:3])]
        if content == case.files[path] or (not equals and content == self.before.get(path)):
            return []
        if not equals and (path in PARTIAL or "--tmd" in case.args):
            return is_well_formed(path, content)
        if equals or not is_database(whole) or case.name.startswith("merge"):
            return ["%s is not what it should be" % path]
        return self.judge_records(whole, case.files[path], path)

    @staticmethod
    def forgive(struck, path):
        """What cannot be removed stays."""
        return [] if struck is not None and struck[0] in REMOVERS else ["%s is left over" % path]

    @staticmethod
    def judge_records(db, expected, name):
        """Each source is whole, or says that it is not."""
        wrong = []
        seen, expected = by_name(tables_of(db)), by_name(expected)
        for path, rows in seen.items():
            status = rows["source"][0]["status"]
            if status == b"unreadable" or (path in expected and status == b"partial"):
                continue
            if path in expected and any(finding["code"] in LOST for finding in rows.get("finding", ())):
                continue
            if rows != expected.get(path):
                wrong.append("%s: %r is %s, not %s" % (
                    name, path, list(difference(seen, expected, path)),
                    list(difference(expected, seen, path))))
        return wrong

    def judge_repetition(self, case, root):
        """Going on undisturbed leads where it would have led."""
        args = case.args if "--resume" in case.args else case.args[:1] + ["--resume"] + case.args[1:]
        _, _, result = self.run(root, args)
        if result.code != case.code:
            return ["going on: %s" % result]
        path = case.args[case.args.index("-o") + 1]
        seen, expected = by_name(tables_of(os.path.join(root, path))), by_name(case.files[path])
        for name in set(seen) - set(expected):  # a folder that could not be read stays told
            if os.path.isdir(os.path.join(root, name.decode())):
                del seen[name]
        return ["going on leads to other rows of %r: %s, not %s" % (
            name, list(difference(seen, expected, name)), list(difference(expected, seen, name)))
            for name in sorted(set(seen) | set(expected)) if seen.get(name) != expected.get(name)]

    # -- the library --

    def tell(self, root, how, env):
        """What the library tells of each file, and what was struck."""
        base = {"FAULTS_SKIP": SKIP, "LD_PRELOAD": self.library, "FAULTS_LOG": root + ".log",
                "FAULTS_PROGRAM": os.path.basename(TOLD)}
        base.update(env)
        command = WRAPPER + [TOLD, how] + LIBRARY_FILES
        done = subprocess.run(command, cwd=root, env=self.program.environment(base),
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=SECONDS * SLOWER)
        record = COUNTS.unpack(read(root + ".log"))
        texts = [text.splitlines() for text in done.stdout.decode().split("== ")[1:]]
        is_own = os.path.basename(record[-1].split(b"\0")[0]) == os.path.basename(TOLD).encode()
        return (dict(zip(ALL_CLASSES, record)), record[NUM_FAILED] > 0 and not is_own, done,
                texts)

    def library_faults(self, how, kind, number, expected):
        root, _ = self.fresh(False)
        _, struck, done, texts = self.tell(root, how, {"FAULTS_CLASS": kind,
                                                       "FAULTS_AT": str(number)})
        self.drop(root)
        self.num_runs += 1
        self.num_struck += struck
        title = "library %s, %s call %d: " % (how, kind, number)
        if not struck and done.returncode in (0, 2):
            return []  # it was the printing program itself
        if kind == "memory" and done.stderr.startswith(b"Fatal Internal Error in libarchive"):
            return []  # which ends the process (README, "The library")
        if done.returncode not in (0, 2) or b"Sanitizer" in done.stderr:
            return [title + "exit %d, %s" % (done.returncode, done.stderr[:900])]
        wrong = [(was, now) for was, now in zip(expected, texts)
                 if was != now and is_silent(was, now)]
        return [title + "told otherwise, and no word: %s" % repr(pair)[:900] for pair in wrong]

    def check_corpus(self, tap, name, root, args):
        """A command on a folder of its own, and others on what it has recorded."""
        self.template = root
        self.look()
        self.check_case(tap, name, args, (0, 1, 3, 4))
        if args[0] == "scan":
            self.program.finish(start(self.program, root, *args))
            for what, more in follow_ups(self.program, root):
                self.look()
                self.check_case(tap, "%s, %s" % (name, what), more, (0, 1, 2, 3, 4))

    def check_library(self, tap, how):
        root, _ = self.fresh(False)
        counts, _, done, expected = self.tell(root, how, {})
        self.drop(root)
        tap.equal((done.returncode, len(expected)), (0, len(LIBRARY_FILES)), "library: " + how)
        for kind in CLASSES:
            if kind == "interrupt":
                continue  # a library leaves signals to the program that uses it
            if not counts[kind] or (kind == "memory" and not MEMORY_IS_ITS_OWN):
                continue
            numbers = chosen(counts[kind], few=counts[kind] if WAYS else 0)
            with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
                wrong = sum(pool.map(lambda n: self.library_faults(how, kind, n, expected),
                                     numbers), [])
            tap.ok(not wrong, "library, %s: %s: %d of %d calls failed" % (
                how, kind, len(numbers), counts[kind]), *wrong[:8])

    # -- all of them --

    def check_sheets(self, tap, root):
        self.template = root
        self.look()
        self.seen = set()
        for name, args in SHEET_COMMANDS:
            if not ONLY or name.startswith(tuple(ONLY)):
                self.check_case(tap, name, args, classes={"file"}, each=True)

    def check_case(self, tap, name, args, good=(0, 1), classes=ALL_CLASSES,
                   each=EACH or WAYS, few=0):
        """Fails calls of a command that, left alone, ends with one of these codes. Of a class with
        so few calls all fail."""
        case = Case(self, name, args, good, each)
        for kind in CLASSES:
            if kind not in classes:
                continue
            title = "%s: %s" % (name, kind)
            if not case.counts[kind]:
                continue
            if kind == "memory" and not MEMORY_IS_ITS_OWN and not os.environ.get("FAULTS_MEMORY"):
                continue  # the sanitizer's own allocator does not go through the library
            num = case.counts[kind]
            # With places, what is chosen besides would be the same for very many commands.
            numbers = sorted(case.places[kind]) if good != (0, 1) else sorted(
                {*chosen(num, few), *case.places.get(kind, ())})
            if not numbers:
                continue
            with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
                wrong = sum(pool.map(lambda n: self.faults_of(case, kind, n), numbers), [])
            tap.ok(not wrong, "%s: %d of %d calls failed" % (title, len(numbers), num),
                   "%d faults" % len(wrong), *wrong[:8])


def chosen(num, few=0):
    """The numbers of the calls that fail, of so many."""
    if num <= few:
        return range(1, num + 1)
    step = max(1, -(-num // MOST)) if MOST else 1
    return range(1 + (step - 1) // 2, num + 1, step)


def is_silent(was, now):
    """Whether the library does not say that something is missing; lines that the printing program
    itself had no memory for do not count."""
    is_cut = not now or not now[-1].startswith("status ")
    return not is_cut and now[-1] == was[-1]


def is_well_formed(path, content):
    kind = path.rsplit(".", 1)[1]
    try:
        if kind in ("json", "gl", "gltf"):
            json.loads(content)
        elif kind in ("xml", "dfxml"):
            ElementTree.fromstring(content)
        elif content and not content.endswith(b"\n"):
            return ["%s ends within a line" % path]
        elif kind == "jsonl":
            for line in content.splitlines():
                json.loads(line)
    except (ValueError, ElementTree.ParseError) as error:
        return ["%s is half a report: %s" % (path, error)]
    return []


def by_name(tables):
    """{path: {table: its rows}} of the sources, in the order of their numbers but without these, which
    depend on what came before."""
    tables = {table: sorted(rows, key=lambda row: row.get("id", 0)) for table, rows in tables.items()}
    paths = {row["id"]: row["path"] for row in tables["source"]}
    places, out = {}, {path: {} for path in paths.values()}
    for row in tables["asset"]:
        num_before = sum(place[0] == row["source_id"] for place in places.values())
        places[row["id"]] = row["source_id"], num_before + 1
    for table, rows in tables.items():
        for row in rows:
            asset = places.get(row.get("asset_id"))
            source = row["id"] if table == "source" else row.get("source_id", asset and asset[0])
            if source is None:
                continue
            fields = {key: value for key, value in row.items()
                      if key not in ("id", "source_id", "scan_id", "asset_id", "place")}
            fields["of"] = asset and asset[1]
            out[paths[source]].setdefault(table, []).append(fields)
    return out


def difference(some, others, path):
    """The rows of a source that are not in the other database."""
    for table, rows in some.get(path, {}).items():
        for row in rows:
            if row not in others.get(path, {}).get(table, []):
                yield table, row


def main():
    program, tap = Program(sys.argv), Tap()
    library = os.environ.get("FRAMEHOUND_FAULTS")
    if not library:
        tap.skip("calls that fail", "no shared object that fails them (FRAMEHOUND_FAULTS)")
        tap.done()
    with Workspace() as work:
        work.folder("tmp")
        tester = Tester(program, work, os.path.abspath(library), make_template(program, work))
        for name, args in COMMANDS + MORE_COMMANDS:
            if ONLY and not name.startswith(tuple(ONLY)):
                continue
            few = FEW if name in ALWAYS else 0
            if EACH or WAYS or (name, args) in COMMANDS:
                tester.check_case(tap, name, args, few=few)
            elif name in ALWAYS:
                tester.check_case(tap, name, args, classes=ALWAYS[name], each=True, few=few)
        template = tester.template
        tester.check_sheets(tap, make_sheets(program, work))
        tester.template = template
        tester.look()
        for how in ("check-file", "check-bytes", "scan-file", "scan-bytes") if TOLD else ():
            if not ONLY or "library".startswith(tuple(ONLY)):
                tester.check_library(tap, how)
        for name, root, args in corpus_cases(program, work) if EACH else ():
            if not ONLY or "corpus".startswith(tuple(ONLY)):
                tester.check_corpus(tap, name, root, args)
        tap.equal(os.listdir(work.path("tmp")), [], "no temporary file is left")
        tap.note("%d runs, in %d of them a call failed" % (tester.num_runs, tester.num_struck))
    tap.done()


if __name__ == "__main__":
    main()
