"""HMD files as they stand in memory: found, with their base and stage, alone and in a whole RAM.

Every real file and every sound description is mapped by the forge at a place of its own, in each of
the three segments, up to each stage, and laid into 2 MiB of random bytes. What the bytes are as a
file, between random bytes as well, is what they are held against.
"""
import glob
import os
import random
import struct
import subprocess
import sys

from harness import HERE, Program, Tap, Workspace, findings_of, need_real_files, query, read

STAGES = ("file", "mapped", "scanned", "coordinates", "playing")
NAMES = {"mapped": "mapped", "scanned": "scanned", "coordinates": "coordinates mapped",
         "playing": "playing"}
SEGMENTS = (0x80000000, 0x00000000, 0xa0000000)
RAM = 2 << 20
# The kernel, and the program: in segment 0, lower addresses could be sizes and counts as well.
FIRST = 0x40000
KEEP = 0x400     # random bytes between two of them, at least
# Types are gone from this stage on.
WITHOUT_TYPES = ("scanned", "coordinates", "playing")


def map_file(program, path, out, base, stage):
    done = subprocess.run([program.forge_path, "map", path, "-o", out, "--base", "0x%x" % base,
                           "--stage", stage], capture_output=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    return play(read(out)) if stage == "playing" else read(out)


def play(data):
    """What a player leaves: the stamp of the first coordinate."""
    words = bytearray(data)
    blocks = struct.unpack_from("<I", words, 12)[0]
    units = struct.unpack_from("<I", words, 4 * (4 + blocks))[0]
    if units > 0:
        struct.pack_into("<I", words, 4 * (5 + blocks), 1)
    return bytes(words)


def collect(program, shared, work):
    """(name, path) of every file."""
    files = []
    if shared is not None:
        files = [(os.path.basename(p), p)
                 for p in sorted(glob.glob(os.path.join(shared, "samples", "hmd", "*.hmd")))]
    root = os.path.abspath(os.path.join(HERE, "..", ".."))
    for path in sorted(glob.glob(os.path.join(root, "corpus", "hmd", "good-*.forge"))):
        name = os.path.basename(path)
        with open(path) as text:
            files.append((name, program.forge("hmd", text.read(), work.path(name + ".hmd"))))
    return files


def plan(files):
    """Places in as few memories as will do: [[(name, path, offset), ...], ...]."""
    memories = []
    at = RAM
    for number, (name, path) in enumerate(files):
        length = os.path.getsize(path)
        if at + length + KEEP > RAM:
            memories.append([])
            at = FIRST
        at += KEEP + 4 * (number % 7)
        memories[-1].append((name, path, at))
        at += (length + 3) // 4 * 4
    return memories


def build(program, work, memories, stage, segment, seed):
    """One image a memory; returns [(path of the image, [(name, offset), ...]), ...]."""
    images = []
    for number, places in enumerate(memories):
        ram = bytearray(random.Random(seed + number).randbytes(RAM))
        for name, path, at in places:
            data = read(path) if stage == "file" else \
                map_file(program, path, work.path("one"), segment | at, stage)
            ram[at:at + len(data)] = data
        path = work.write("%s-%08x/ram%d.bin" % (stage, segment, number), bytes(ram))
        images.append((path, [(name, at) for name, _, at in places]))
    return images


def scan(tap, program, work, images, title):
    """{name: row with findings} of what was found in the images; nothing else may be there."""
    db = work.path("memory.db")
    if os.path.exists(db):
        os.unlink(db)
    result = program.run("scan", "-o", db, os.path.dirname(images[0][0]))
    tap.equal(result.code, 0, "%s: scan ends with 0" % title, result)
    places = {(path, at): name for path, rows in images for name, at in rows}
    found = {}
    strange = []
    for row in query(db, "SELECT a.*, s.path FROM asset AS a JOIN source AS s "
                         "ON s.id = a.source_id ORDER BY s.path, a.raw_offset"):
        name = places.get((row["path"], row["raw_offset"]))
        if name is None or row["format"] != "hmd":
            strange.append((row["format"], row["raw_offset"], row["length"]))
            continue
        row["findings"] = findings_of(db, row["id"])
        found[name] = row
    tap.equal(strange, [], "%s: nothing else is found" % title)
    return found


def codes(row, severity):
    return {f["code"] for f in row["findings"] if f["severity"] == severity}


def found_of(row, code):
    return [f["found"] for f in row["findings"] if f["code"] == code]


def is_typed(row):
    """All types were told from the data, and none was an interpolation function's."""
    notes = [f["found"] for f in row["findings"] if f["code"] == "HMD0174"]
    words = notes[0].split() if len(notes) == 1 else []
    return not notes or (len(words) > 2 and "inferred" in words and words[0] == words[-1])


def compare(row, plain, at, segment, stage):
    """What is wrong with a file in memory, given the same file between random bytes."""
    wrong = []
    if row is None:
        return ["not found"]
    if row["ram_address"] != segment | at:
        wrong.append("base %r" % row["ram_address"])
    if found_of(row, "HMD0172") != [NAMES[stage]]:
        wrong.append("stage %r" % found_of(row, "HMD0172"))
    if found_of(row, "IMG0057") != [NAMES[stage]]:
        wrong.append("IMG0057 %r" % found_of(row, "IMG0057"))
    # With addresses from 0 on a word of another kind may look like one; the checks of HMD say so, too.
    if {int(f, 0) for f in found_of(row, "IMG0058")} - {int(f, 0) for f in found_of(row, "HMD0171")}:
        wrong.append("IMG0058 %r" % found_of(row, "IMG0058"))
    if found_of(plain, "IMG0057"):
        wrong.append("a stage of the file")
    if codes(row, "error") - codes(plain, "error"):
        wrong.append("errors %s" % (codes(row, "error") - codes(plain, "error")))
    if plain["grade"] in ("references", "replayed") and \
            row["grade"] not in ("references", "replayed"):
        wrong.append("grade %s, not %s" % (row["grade"], plain["grade"]))
    if row["objects"] != plain["objects"]:
        wrong.append("%d objects, not %d" % (row["objects"], plain["objects"]))
    if row["length"] > plain["length"]:
        wrong.append("longer: %d, not %d" % (row["length"], plain["length"]))
    if row["length"] != plain["length"] and (stage not in WITHOUT_TYPES or is_typed(row)):
        wrong.append("length %d, not %d" % (row["length"], plain["length"]))
    return wrong


def check_stage(tap, program, work, memories, plain, stage, segment, seed):
    title = "%s at 0x%08x" % (stage, segment)
    images = build(program, work, memories, stage, segment, seed)
    found = scan(tap, program, work, images, title)
    for _, rows in images:
        for name, at in rows:
            wrong = compare(found.get(name), plain[name], at, segment, stage) \
                if name in plain else ["not found as a file"]
            tap.ok(not wrong, "%s: %s" % (title, name), *wrong)
    typed = sum(is_typed(r) for r in found.values())
    whole = sum(r["length"] == plain[n]["length"] for n, r in found.items() if n in plain)
    tap.note("%s: %d of %d with every type, %d with their whole length" % (
        title, typed, len(found), whole))
    for path, _ in images:
        os.unlink(path)
    return found


def check_alone(tap, program, work, files, plain, stage, segment, at):
    """The memory image as a file of its own."""
    for name, path in files:
        data = map_file(program, path, work.path("one"), segment | at, stage)
        alone = work.write("alone.hmd", data)
        result = program.run("check", alone)
        errors = [line for line in result.text.splitlines() if line.startswith("  error")]
        before = codes(plain[name], "error")
        tap.ok(bool(before) or (not errors and result.code in (0, 1)),
               "%s alone at 0x%08x: %s" % (stage, segment | at, name), result)


def main():
    tap = Tap()
    program = Program(sys.argv)
    shared = need_real_files(tap, "real files in memory")
    with Workspace() as work:
        files = collect(program, shared, work)
        memories = plan(files)
        plain = scan(tap, program, work, build(program, work, memories, "file", 0, 1), "files")
        for number, stage in enumerate(STAGES[1:]):
            for segment in SEGMENTS:
                check_stage(tap, program, work, memories, plain, stage, segment, 100 * number)
        for number, stage in enumerate(STAGES[1:]):
            check_alone(tap, program, work, [f for f in files if f[0] in plain], plain, stage,
                        SEGMENTS[number % 3], 0x123454)
    program.tell_unsound(tap)
    tap.done()


main()
