"""Forged images: overlaps, seams, cut ends, prefixes, Form 2, size; and replay of what was recorded."""
import os
import struct
import subprocess
import sys
import time

from harness import (MEMORY_IS_ITS_OWN, Layout, Program, Tap, Workspace, assets, findings_of,
                     forge_hmd, is_animated, query, read, shared_folder, small_tod, source_codes, sources)

MIB = 1 << 20

# KiB that the largest process may have had resident, pages of libraries among it. Measured: 14,200 where
# an image holds three animations, 16,700 where a file is full of them and 18,800 with 64 jobs at the most.
HIGHEST_KIB = 22 * 1024


def tod(program, work, name, frames, seed=1):
    path = program.forge("tod", small_tod(frames, seed), work.path(name))
    return path, read(path)


def words(data):
    return " ".join("0x%x" % w for w in struct.unpack("<%dI" % (len(data) // 4), data))


def scan(tap, program, work, name, path, *options):
    db = work.path(name + ".db")
    result = program.run("scan", "-o", db, *options, path)
    tap.equal((result.code, result.errors), (0, ""), "%s: scan" % name, result)
    return db


def places(db):
    return [(r["raw_offset"], r["length"]) for r in assets(db)]


def codes(db, row):
    return [f["code"] for f in findings_of(db, row["id"])]


# ---- many in a row, in each other, across each other ----

def rows_of_assets(tap, program, work):
    """Animations back to back, with and without a gap, in a file and in an image."""
    data, expected = b"", []
    for i, gap in enumerate((0, 0, 4, 12, 0, 100, 2048, 0)):
        data += bytes(gap)
        piece = tod(program, work, "piece.tod", 2 + 40 * (i % 3), i + 1)[1]
        expected.append((len(data), len(piece)))
        data += piece
    path = work.write("row.bin", data)
    db = scan(tap, program, work, "row", path)
    tap.equal(places(db), expected, "animations back to back are all found")
    tap.equal(query(db, "SELECT code FROM finding WHERE code LIKE 'RUN%'"), [], "none overlaps")
    layout = Layout("2352", 2352, 24, "", 21)
    image = program.forge("image", "image stride=2352\nhidden < row.bin at=21 skip=4\n",
                          work.path("row.img"), root=work.name)
    db = scan(tap, program, work, "row-image", image)
    tap.equal([(r["raw_offset"], r["user_offset"], r["lba"], r["length"]) for r in assets(db)],
              [(layout.raw(4 + o), layout.user_offset(4 + o), layout.lba(4 + o), n)
               for o, n in expected], "in an image too")


def nested(tap, program, work):
    inner = tod(program, work, "inner.tod", 3)[1]
    outer = "tod\nframe 0\ncreate 1\nframe +\npacket 1 9 0 %s\nframe +\nend\n" % words(inner)
    path = program.forge("tod", outer, work.path("outer.tod"))
    at = read(path).index(inner)
    db = scan(tap, program, work, "nested", path)
    tap.equal(places(db), [(0, os.path.getsize(path))], "of nested animations the outer one is found")
    run = [f for f in findings_of(db, assets(db)[0]["id"]) if f["code"].startswith("RUN")]
    tap.equal([(f["code"], f["severity"], f["raw_offset"], f["asset_offset"]) for f in run],
              [("RUN0003", "note", at, at)], "and a note names the inner one")
    image = program.forge("image", "image stride=2352\nhidden < outer.tod at=20 skip=1980\n",
                          work.path("nested.img"), root=work.name)
    layout = Layout("2352", 2352, 24, "", 20)
    db = scan(tap, program, work, "nested-image", image)
    run = [f["raw_offset"] for f in findings_of(db, assets(db)[0]["id"]) if f["code"] == "RUN0003"]
    tap.equal(run, [layout.raw(1980 + at)], "with its place in the image")


def overlapping(tap, program, work):
    second = tod(program, work, "second.tod", 4)[1]
    shared = 120
    first = program.forge("tod", "tod\nframe 0\ncreate 1\nframe +\npacket 1 9 0 %s\n"
                          % words(second[:shared]), work.path("first.tod"))
    data = read(first) + second[shared:]
    start = len(read(first)) - shared
    path = work.write("overlap.bin", data)
    db = scan(tap, program, work, "overlap", path)
    tap.equal(places(db), [(0, len(read(first))), (start, len(second))], "both overlapping are found")
    told = [[f for f in codes(db, r) if f.startswith("RUN")] for r in assets(db)]
    tap.equal(told, [[], ["RUN0004"]], "and the second one is told")
    found = [f["found"] for f in query(db, "SELECT found FROM finding WHERE code = 'RUN0004'")]
    tap.ok(found and str(shared) in found[0], "with the number of bytes", found)


# ---- two formats ----

def both_formats(tap, program, work):
    """Assets of both formats in a row: each is found as what it is, and as nothing else."""
    data, expected = b"", []
    for i, name in enumerate(("good-pyramid", "good-mime", "good-animation", "good-devices")):
        model = read(forge_hmd(program, name, work.path("piece.hmd")))
        for kind, piece, gap in (("hmd", model, (0, 4, 28, 100)[i]),
                                 ("tod", tod(program, work, "piece.tod", 3 + i, i + 1)[1], 4 * i)):
            data += b"\xff" * gap
            expected.append((kind, len(data), len(piece)))
            data += piece
    path = work.write("both.bin", data)
    db = scan(tap, program, work, "both", path)
    tap.equal([(r["format"], r["raw_offset"], r["length"]) for r in assets(db)], expected,
              "models and animations back to back are all found")
    for row in assets(db):
        work.write("one." + row["format"], data[row["raw_offset"]:row["raw_offset"] + row["length"]])
        same_poses(tap, program, db, work.path("one." + row["format"]), "both", row["id"])
    layout = Layout("2352", 2352, 24, "", 33)
    image = program.forge("image", "image stride=2352\nhidden < both.bin at=33 skip=1012\n",
                          work.path("both.img"), root=work.name)
    db = scan(tap, program, work, "both-image", image)
    tap.equal([(r["format"], r["raw_offset"], r["lba"], r["length"]) for r in assets(db)],
              [(k, layout.raw(1012 + o), layout.lba(1012 + o), n) for k, o, n in expected],
              "in an image too")


def one_in_the_other(tap, program, work):
    """An animation in the data of a model is payload, and a model in that of an animation."""
    inner = tod(program, work, "inner.tod", 3)[1]
    outer = program.forge("hmd", "hmd\nblocks @load 0\ncoordinates\nheaders\n"
                          "images: header !pixels 0\nload: primitive header=@images\n"
                          "record 0x02000000 0:0 %d:1 0\npixels:\nword %s\n"
                          % (len(inner) // 2, words(inner)), work.path("outer.hmd"))
    hold_inside(tap, program, work, outer, "hmd", read(outer).index(inner))
    model = read(forge_hmd(program, "good-pyramid", work.path("inner.hmd")))
    outer = program.forge("tod", "tod\nframe 0\ncreate 1\nframe +\npacket 1 9 0 %s\nframe +\nend\n"
                          % words(model), work.path("outer.tod"))
    hold_inside(tap, program, work, outer, "tod", read(outer).index(model))


def hold_inside(tap, program, work, path, format_, at):
    db = scan(tap, program, work, "inside-" + format_, path)
    tap.equal([(r["format"], r["raw_offset"], r["length"]) for r in assets(db)],
              [(format_, 0, os.path.getsize(path))], "%s: the outer asset is found" % format_)
    run = [f for f in findings_of(db, assets(db)[0]["id"]) if f["code"].startswith("RUN")]
    tap.equal([(f["code"], f["severity"], f["asset_offset"]) for f in run], [("RUN0003", "note", at)],
              "%s: and a note names the inner one" % format_)


def one_word_apart(tap, program, work):
    """The first word of a model may be that of an animation; mapped, its second word is 1, which could
    be the number of frames. Nothing answers for both."""
    folder = work.folder("either")
    for name in ("good-pyramid", "good-animation", "good-all-polygons"):
        path = forge_hmd(program, name, os.path.join(folder, name + ".hmd"))
        program.forge_map(path, os.path.join(folder, name + ".bin"))
    for number in range(3):  # one frame: version 0, resolution 0 or more
        program.forge("tod", "tod resolution=%d\nframe 0\ncreate 1\ncoord 1 abs r 0 0 0\n" % number,
                      os.path.join(folder, "%d.tod" % number))
    db = scan(tap, program, work, "either", folder)
    seen = {os.path.basename(r["path"]): [] for r in assets(db)}
    for row in assets(db):
        seen[os.path.basename(row["path"])].append((row["format"], row["raw_offset"]))
    expected = {name: [("tod" if name.endswith(".tod") else "hmd", 0)] for name in os.listdir(folder)}
    tap.equal(seen, expected, "a mapped model is no animation, an animation of one frame no model")


# ---- seams ----

def seams(tap, program, work):
    """One animation in two parts, with something between them."""
    data = tod(program, work, "long.tod", 150)[1]
    work.write("part1", data[:4096])
    work.write("part2", data[4096:])
    start = 20 * 2352 + 24
    between = {
        "missing": ("missing 7\n", None, "IMG0072"),
        "audio track": ("audio 310\n", None, "IMG0072"),
        "XA audio": ("form2 3 submode=0x64\n", "3 between its bytes", "IMG0071"),
        "Form 2 data": ("form2 5 submode=0x28 fill=0x50\n", "5 between its bytes", "IMG0071"),
        "one bad header": ("bad header 22\n", "1 sector: LBA 22", "IMG0005"),
        "one bad header in the middle": ("bad header 21\n", "1 sector: LBA 21", "IMG0005"),
        "damaged checksums": ("bad edc 21\nbad ecc 22\n", "1 sector: LBA 21", "IMG0016"),
    }
    for name, (line, said, code) in between.items():
        image = program.forge("image", "image stride=2352\nhidden < part1 at=20\n%shidden < part2\n"
                                       "gap 5\n" % line, work.path("seam.img"), root=work.name)
        db = scan(tap, program, work, name.replace(" ", "-"), image)
        if code == "IMG0072":
            tap.equal(places(db), [], "%s between: no asset" % name)
            where = query(db, "SELECT raw_offset, severity FROM finding WHERE code = 'IMG0072'")
            tap.equal(where, [{"raw_offset": start, "severity": "warning"}],
                      "%s between: IMG0072 where it begins" % name, source_codes(db, image))
            continue
        tap.equal(places(db), [(start, len(data))], "%s between: found" % name, source_codes(db, image))
        row = assets(db)[0] if assets(db) else {"id": -1}
        told = [f["found"] for f in findings_of(db, row["id"]) if f["code"].startswith("IMG")]
        tap.equal(told, [said] if said else [], "%s between: what is said of it" % name)
        same_poses(tap, program, db, work.path("long.tod"), name)


def cut_images(tap, program, work):
    data = tod(program, work, "end.tod", 40)[1]
    start = 9 * 2352 + 24
    whole = read(program.forge("image", "image stride=2352\nhidden < end.tod at=9\n",
                               work.path("end.img"), root=work.name))
    for name, size, found in (("behind the user data", start + 2048, 1), ("at its end", start + len(data), 1),
                              ("one byte before its end", start + len(data) - 1, 0),
                              ("in its header", start + 6, 0), ("behind the sector's header", start - 8, 0)):
        path = work.write("cut.img", whole[:size])
        db = scan(tap, program, work, "cut", path)
        tap.equal(places(db), [(start, len(data))] * found, "image cut %s" % name)
        tap.ok("IMG0015" in source_codes(db, path), "image cut %s: IMG0015" % name, source_codes(db, path))
        os.unlink(db)
    path = work.write("cut.img", whole[:start - 24 + 5])
    db = scan(tap, program, work, "cut", path)
    tap.ok("IMG0003" in source_codes(db, path), "five bytes of a sector: IMG0003", source_codes(db, path))


def prefixes(tap, program, work):
    path, data = tod(program, work, "pre.tod", 5)
    work.write("prefix", bytes(40) + data + bytes(8))
    for name, prefix, size in (("44 zeros", "44", 44), ("an animation", "prefix", 48 + len(data))):
        image = program.forge("image", "image stride=2352 prefix=%s\nhidden < pre.tod at=30 skip=2000\n"
                              "gap 8\n" % prefix, work.path("prefixed.img"), root=work.name)
        db = scan(tap, program, work, "prefix-%d" % size, image)
        tap.ok("IMG0019" in source_codes(db, image), "prefix of %s: IMG0019" % name, source_codes(db, image))
        seen = [(r["raw_offset"], r["user_offset"], r["lba"], r["length"]) for r in assets(db)]
        expected = [(size + 30 * 2352 + 24 + 2000, 30 * 2048 + 2000, 30, len(data))]
        if size > 44:
            expected.insert(0, (40, None, None, len(data)))
        tap.equal(seen, expected, "prefix of %s: places" % name)
        same_poses(tap, program, db, path, "prefix of %s" % name)


def form2(tap, program, work):
    path, data = tod(program, work, "form2.tod", 150)
    work.write("padded2", bytes(2000) + data)
    image = program.forge("image", "image stride=2352\nfile X.TOD < padded2 form=2 at=25\ngap 3\n",
                          work.path("form2.img"), root=work.name)
    db = scan(tap, program, work, "form2", image)
    tap.equal([(r["raw_offset"], r["user_offset"], r["lba"], r["length"]) for r in assets(db)],
              [(25 * 2352 + 24 + 2000, 25 * 2324 + 2000, 25, len(data))],
              "an animation of %d bytes across Form 2 sectors" % len(data))
    same_poses(tap, program, db, path, "Form 2")


def layouts_by_pipe(tap, program, work):
    """Through a pipe an image gives the same as from a file."""
    tod(program, work, "pipe.tod", 60)
    for stride, iso in ((2048, "iso PIPE\n"), (2336, "iso PIPE\n"), (2352, ""), (2368, ""), (2448, "")):
        image = program.forge("image", "image stride=%d\n%shidden < pipe.tod at=200 skip=1000\n"
                              % (stride, iso), work.path("pipe.img"), root=work.name)
        db = scan(tap, program, work, "by-name-%d" % stride, image)
        piped = work.path("by-pipe-%d.db" % stride)
        result = program.run("scan", "-o", piped, "-", data=read(image))
        keys = ("kind", "layout", "raw_offset", "user_offset", "lba", "length", "sha256", "pose_sha256")
        seen, expected = ([[r[k] for k in keys] for r in assets(d)] for d in (piped, db))
        tap.ok(result.code == 0 and seen == expected and len(seen) == 1,
               "%d bytes a sector by pipe as by name" % stride, result, seen, expected)
        tap.equal([e[1] for e in expected], [str(stride)], "and the layout is found")
        same_poses(tap, program, db, work.path("pipe.tod"), "%d bytes a sector" % stride)
        told = sources(db)[image]["layout"]
        forced = scan(tap, program, work, "forced-%d" % stride, image, "--layout", str(stride))
        tap.equal((places(forced), sources(forced)[image]["layout"]), (places(db), told),
                  "--layout %d gives the same" % stride)


# ---- replay of what was recorded ----

def same_poses(tap, program, db, original, name, only=None):
    """Each asset of the database (or that one) replays as the file that it was made of."""
    expected = program.run("replay", "--format", "csv", "--fail-on", "never", original)
    for row in assets(db):
        if only not in (None, row["id"]):
            continue
        result = program.run("replay", "--format", "csv", "--fail-on", "never",
                             "%s:%d" % (db, row["id"]))
        tap.ok(result.code == 0 and expected.code == 0 and result.out == expected.out and result.out,
               "%s: asset %d replays as its file" % (name, row["id"]), result.code, result.errors,
               result.text[:200], expected.text[:200])


def real_names(shared):
    """Real animations; of the models those that move and are short, for time."""
    for kind in ("tod", "hmd"):
        folder = os.path.join(shared, "samples", kind)
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if kind == "tod" or (os.path.getsize(path) < 40000 and is_animated(read(path))):
                yield folder, name


def replay_real(tap, program, work):
    shared = shared_folder()
    if shared is None:
        tap.skip("replay of real files out of images", "no folder of real files")
        return
    for folder, name in real_names(shared):
        image = program.forge("image", "image stride=2352\nhidden < \"%s\" at=31 skip=1800\n" % name,
                              work.path("real.img"), root=folder)
        db = scan(tap, program, work, "real-" + name, image)
        tap.equal(len(assets(db)), 1, "%s in an image" % name)
        same_poses(tap, program, db, os.path.join(folder, name), name)


def changed_sources(tap, program, work):
    path, data = tod(program, work, "change.tod", 30)
    image = program.forge("image", "image stride=2352\nhidden < change.tod at=12 skip=1500\ngap 4\n",
                          work.path("change.img"), root=work.name)
    db = scan(tap, program, work, "change", image)
    whole = read(image)
    at = 12 * 2352 + 24 + 1500
    shifted = whole[:at] + bytes(4) + whole[at:]
    for name, now, word in (
            ("one byte changed", whole[:at + 40] + b"\xee" + whole[at + 41:], "changed"),
            ("cut", whole[:at + 100], "changed"), ("shifted", shifted, "changed"),
            ("empty", b"", ""), ("plain zeros", bytes(len(whole)), "")):
        work.write("change.img", now)
        result = program.run("replay", db + ":1")
        tap.ok(result.code == 3 and image in result.errors and word in result.errors and
               result.text == "", "replay of a source that is %s: exit 3 and a reason" % name, result)
    work.write("change.img", whole + bytes(2352))
    tap.equal(program.run("replay", db + ":1").code, 0, "a source that grew still replays")
    os.unlink(image)
    result = program.run("replay", db + ":1")
    tap.ok(result.code == 3 and image in result.errors and "No such file" in result.errors,
           "replay of a source that is gone", result)
    os.mkdir(image)
    result = program.run("replay", db + ":1")
    tap.ok(result.code == 3 and image in result.errors, "replay of a source that is a directory", result)
    moved_away(tap, program, work)


def moved_away(tap, program, work):
    """Relative names are as the scan was told them."""
    tod(program, work, "relative.tod", 3)
    result = program.run("scan", "-o", "relative.db", "relative.tod", cwd=work.name)
    tap.equal(result.code, 0, "scan by a relative name", result)
    tap.equal(program.run("replay", "relative.db:1", cwd=work.name).code, 0, "replay from there")
    result = program.run("replay", work.path("relative.db:1"), cwd=work.folder("elsewhere"))
    tap.ok(result.code == 3 and "relative.tod" in result.errors, "from elsewhere a reason", result)


# ---- size ----

def peak(program, db, path):
    """(peak of resident memory in KiB, seconds, result) of a scan; the program is asked while it
    waits for standard input, when the source is done. Its output goes into a file: nobody reads a
    pipe meanwhile, and a full one would stop it."""
    with open(db + ".txt", "wb") as out:
        started = time.monotonic()
        # meson lets the C library fill what it hands out, which would touch all of it.
        process = program.start("scan", "-o", db, path, "-", stdin=subprocess.PIPE, stdout=out,
                                env={"MALLOC_PERTURB_": "0"})
        while process.poll() is None and not (os.path.exists(db) and done(db, path)):
            time.sleep(0.02)
        took = time.monotonic() - started
        high = 0
        if process.poll() is None:
            with open("/proc/%d/status" % process.pid) as status:
                high = [int(line.split()[1]) for line in status if line.startswith("VmHWM")][0]
        return high, took, program.finish(process, timeout=600)


def done(db, path):
    try:
        return path in sources(db)
    except Exception:  # locked, or not made yet
        return False


def big_image(program, work, name, mib):
    """An image of real sectors, with an animation at its begin, its middle and its end."""
    sectors = mib * MIB // 2352
    return program.forge("image", "image stride=2352\nhidden < big.tod at=0 skip=1900\n"
                         "hidden < big.tod at=%d skip=1900\nhidden < big.tod at=%d skip=1900\n"
                         % (sectors // 2, sectors - 10), work.path(name), root=work.name)


def memory(tap, program, work):
    if not MEMORY_IS_ITS_OWN or not os.path.exists("/proc/self/status"):
        tap.skip("memory", "with a wrapper or sanitizer, or without /proc, it cannot be measured")
        return
    length = os.path.getsize(tod(program, work, "big.tod", 100)[0])
    peaks = {}
    for mib in (16, 64, 256):
        path = big_image(program, work, "big%d.img" % mib, mib)
        db = work.path("big%d.db" % mib)
        high, took, result = peak(program, db, path)
        peaks[mib] = high
        sectors = mib * MIB // 2352
        tap.equal([(r["raw_offset"], r["length"]) for r in assets(db)],
                  [(s * 2352 + 24 + 1900, length) for s in (0, sectors // 2, sectors - 10)],
                  "image of %d MiB: all is found" % mib, result)
        tap.ok(0 < high <= HIGHEST_KIB, "image of %d MiB: peak of %d KiB is below %d" % (
            mib, high, HIGHEST_KIB))
        tap.note("image of %d MiB: %.2f s, peak %d KiB" % (mib, took, high))
        os.unlink(path)
    tap.ok(peaks[256] <= peaks[16] + 1024, "memory does not grow with the image", peaks)
    sparse(tap, program, work, peaks[16])
    full_of_assets(tap, program, work, peaks[16])


def sparse(tap, program, work, small):
    """A huge file with nothing in it, as large as about fifteen seconds allow."""
    path = work.path("sparse.bin")
    with open(path, "wb") as file:
        file.truncate(256 * MIB)
    took = peak(program, work.path("sparse0.db"), path)[1]
    size = min(8 << 30, int(256 * MIB / took * 15) // MIB * MIB)
    data = read(work.path("big.tod"))
    with open(path, "r+b") as file:
        file.truncate(size)
        file.seek(size - len(data))
        file.write(data)
    db = work.path("sparse.db")
    high, took, result = peak(program, db, path)
    tap.note("sparse file of %d MiB: %.1f s, peak %d KiB" % (size // MIB, took, high))
    tap.equal(places(db), [(size - len(data), len(data))], "what is at the end of %d MiB is found" %
              (size // MIB), result)
    tap.ok(0 < high <= small + 1024, "and memory does not grow (%d KiB)" % high)
    os.unlink(path)


def full_of_assets(tap, program, work, small):
    """Memory does not grow with the number of assets either."""
    data = read(work.path("big.tod"))
    path = work.write("crowd.bin", data * (24 * MIB // len(data)))
    db = work.path("crowd.db")
    high, took, result = peak(program, db, path)
    count = query(db, "SELECT count(*) AS n FROM asset")[0]["n"]
    tap.equal(count, 24 * MIB // len(data), "a file of %d animations" % count, str(result)[-300:])
    tap.note("%d assets: %.1f s, peak %d KiB" % (count, took, high))
    tap.ok(0 < high <= HIGHEST_KIB, "its peak of %d KiB is below %d" % (high, HIGHEST_KIB))


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        for part in (rows_of_assets, nested, overlapping, both_formats,
                     one_in_the_other, one_word_apart, seams, cut_images, prefixes, form2,
                     layouts_by_pipe, replay_real, changed_sources, memory):
            tap.note(part.__name__)
            part(tap, program, work)
        program.tell_unsound(tap)
    tap.done()


main()
