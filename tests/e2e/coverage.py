"""Every sector of a disc accounted for, and bad copies told from bad assets."""
import glob
import os
import re
import struct
import sys

from harness import Program, Tap, Workspace, assets, findings_of, query, read, shared_folder, small_tod

STRIDE, DATA = 2352, 24


def scan(tap, program, work, name, path, *options):
    db = work.path(name.replace(" ", "-") + ".db")
    if os.path.exists(db):
        os.unlink(db)
    result = program.run("scan", "-o", db, *options, path)
    tap.equal((result.code, result.errors), (0, ""), "%s: scan" % name, result)
    hold_sums(tap, db, name)
    return db


def hold_sums(tap, db, name):
    """The runs tile the source as far as they are listed, and all claims are the whole of it."""
    for source in query(db, "SELECT id, path, size FROM source"):
        runs = query(db, "SELECT raw_offset, length FROM coverage WHERE source_id = ? ORDER BY n", source["id"])
        at, wrong = 0, []
        for run in runs:
            if run["raw_offset"] not in (None, at):
                wrong.append(run)
            at += run["length"]
        total = query(db, "SELECT sum(bytes) AS bytes, sum(percent) AS percent FROM v_coverage "
                          "WHERE path = ?", source["path"])[0]
        tap.ok(not wrong and at == total["bytes"] == source["size"] and
               abs(total["percent"] - 100) < 1e-6, "%s: %s is accounted for, to the byte"
               % (name, os.path.basename(source["path"])), wrong[:3], at, total, source["size"])


def claims(db):
    return {r["claim"]: r["sectors"] for r in query(db, "SELECT claim, sectors FROM v_coverage")}


def told(db, *codes):
    marks = ", ".join("?" * len(codes))
    return query(db, "SELECT code, asset_id, raw_offset, field, found, expected, message FROM finding "
                     "WHERE code IN (%s) ORDER BY code, raw_offset" % marks, *codes)


# ---- claims ----

def movie(frames, skip=()):
    """User data of a movie: three chunks a frame, 2048 bytes each."""
    data = b""
    for frame in range(1, frames + 1):
        for chunk in range(3):
            if (frame, chunk) not in skip:
                data += struct.pack("<HHHHIIHH", 0x160, 0x8001, chunk, 3, frame, 6000, 320, 240)
                data += bytes((frame * 7 + i * 13 + chunk) % 251 for i in range(2028))
    return data


def every_claim(tap, program, work):
    program.forge("tod", small_tod(20), work.path("a.tod"))
    size = os.path.getsize(work.path("a.tod"))
    work.write("movie.str", movie(5))
    image = program.forge("image", "image stride=2352 prefix=44\nhidden < a.tod at=20\n"
                          "hidden < movie.str\nform2 6 submode=0x64 coding=0x01 fill=0x50\n"
                          "form2 2 submode=0x64 coding=0x03 fill=0x50\nform2 4 fill=0x51\nmode0 5\n"
                          "audio 310 fill=0x11\ngap 7\n", work.path("claims.img"), root=work.name)
    used = -(-size // 2048)
    db = scan(tap, program, work, "every claim", image)
    tap.equal(claims(db), {"outside": 0, "empty": 20 + 7, "data": used, "movie": 15, "xa_audio": 6,
                           "form2": 6, "mode0": 5, "audio": 310}, "every claim counts its sectors")
    seen = query(db, "SELECT claim, asset_bytes FROM v_coverage WHERE asset_bytes > 0")
    tap.equal(seen, [{"claim": "data", "asset_bytes": size}], "and the bytes of the asset are data")
    tracks = [(f["raw_offset"], f["found"]) for f in told(db, "IMG0070")]
    at = 44 + STRIDE * (20 + used + 15 + 12)
    tap.equal(tracks, [(44, "data %d, empty 20, form2 6" % used), (at, ""), (at + 5 * STRIDE, ""),
                       (at + 315 * STRIDE, "empty 7")], "once a track")
    tap.ok("xa_audio 6, movie 15" in told(db, "IMG0070")[0]["message"], "with what was left out")
    tap.equal(len(told(db, "IMG0014")), 1, "what was left out is told once")
    tap.ok("21 sectors" in told(db, "IMG0014")[0]["message"], "with its number", told(db, "IMG0014"))
    tap.equal(told(db, "IMG0074", "IMG0078"), [], "sound movies and sectors of Mode 0 are not told")
    piped = work.path("piped.db")
    program.run("scan", "-o", piped, "-", data=read(image))
    rows = "SELECT n, claim, raw_offset, length, first_lba, sectors, runs, asset_bytes FROM coverage"
    tap.equal(query(piped, rows), query(db, rows), "a pipe gives the same runs")


def odd_streams(tap, program, work):
    work.write("holes.str", movie(6, skip=((3, 1),)))
    image = program.forge("image", "image stride=2352\nhidden < holes.str at=20\nmode0 3\ngap 3\n",
                          work.path("holes.img"), root=work.name)
    data = bytearray(read(image))
    data[38 * STRIDE + 700] = 1  # LBA 38 is the second sector of Mode 0
    path = work.write("holes.img", bytes(data))
    db = scan(tap, program, work, "a hole in a movie", path)
    seen = [(f["raw_offset"], f["found"], f["expected"]) for f in told(db, "IMG0074")]
    tap.equal(seen, [(27 * STRIDE, "frame 3, chunk 2 of 3", "frame 3, chunk 1 of 3")],
              "a chunk that is missing is named")
    tap.equal([(f["raw_offset"], f["found"]) for f in told(db, "IMG0078")], [(38 * STRIDE, "LBA 38")],
              "and so is a sector of Mode 0 with content")
    tap.equal(claims(db)["movie"], 17, "the others are claimed all the same")


def across_movies(tap, program, work):
    """An asset goes on behind a movie, and a lone chunk is payload of the asset that holds it."""
    program.forge("tod", small_tod(150), work.path("long.tod"))
    data = read(work.path("long.tod"))
    work.write("part1", data[:4096])
    work.write("part2", data[4096:])
    work.write("movie.str", movie(4))
    image = program.forge("image", "image stride=2352\nhidden < part1 at=20\nhidden < movie.str\n"
                          "hidden < part2\ngap 3\n", work.path("across.img"), root=work.name)
    db = scan(tap, program, work, "across a movie", image)
    tap.equal([(r["raw_offset"], r["length"]) for r in assets(db)], [(20 * STRIDE + DATA, len(data))],
              "an asset goes on behind a movie")
    tap.equal([f["found"] for f in told(db, "IMG0071")], ["12 between its bytes"], "and IMG0071 says so")
    # Payload like a chunk, of which there is only one.
    lone = movie(1)[:2048]
    path = model(program, work, "lone.hmd", [7] * 500 + list(struct.unpack("<512I", lone)))
    skip = -read(path).index(lone) % 2048
    db = in_image(tap, program, work, "a lone chunk", path, skip=skip)
    tap.equal((len(assets(db)), claims(db).get("movie")), (1, None), "a lone chunk inside an asset is its own")


def model(program, work, name, words):
    """A model with an image of these words, 1024 pixels wide."""
    words += [0x55aa1122] * (-len(words) % 512)
    lines = ["word " + " ".join("0x%x" % w for w in words[i:i + 256]) for i in range(0, len(words), 256)]
    return program.forge("hmd", "hmd\nblocks @load 0\ncoordinates\nheaders\n"
                         "images: header !pixels 0\nload: primitive header=@images\n"
                         "record 0x02000000 0:0 1024:%d 0\npixels:\n%s\n"
                         % (len(words) // 512, "\n".join(lines)), work.path(name))


def in_image(tap, program, work, name, path, skip=0, options=(), patch=()):
    """Scans an image with that file from LBA 20 on. patch: (offset, bit) to be inverted."""
    image = program.forge("image", "image stride=2352\nhidden < %s at=20 skip=%d\ngap 30\n"
                          % (os.path.basename(path), skip), work.path("in.img"), root=work.name)
    data = bytearray(read(image))
    for offset, bit in patch:
        data[offset] ^= 1 << bit
    work.write("in.img", bytes(data))
    return scan(tap, program, work, name, image, *options)


def emptiness_inside(tap, program, work):
    """Equal bytes inside an asset belong to it, however many sectors they fill."""
    for sectors in (1, 5, 400):
        words = [0x12345678] * 600 + [0] * (512 * sectors + 600) + [0x9abcdef0] * 600
        path = model(program, work, "empty.hmd", words)
        db = in_image(tap, program, work, "%d empty sectors inside" % sectors, path)
        tap.equal([(r["raw_offset"], r["length"]) for r in assets(db)],
                  [(20 * STRIDE + DATA, os.path.getsize(path))],
                  "an asset with %d empty sectors is found whole" % sectors)
        row = query(db, "SELECT asset_bytes FROM v_coverage WHERE claim = 'empty'")[0]
        tap.ok(row["asset_bytes"] >= 2048 * sectors, "and the view says whose they are", row)


# ---- damage ----

def one_bit(tap, program, work):
    """Any bit of a sector under an asset, whatever it is, is named with its LBA."""
    words = [i * 2654435761 % 2**32 for i in range(3000)]
    path = model(program, work, "model.hmd", words)
    clean = in_image(tap, program, work, "no bit", path)
    tap.equal(told(clean, "IMG0009", "IMG0010", "IMG0011", "IMG0012", "IMG0016"), [], "sound sectors are not told")
    before = assets(clean)[0]
    last = 20 + (before["length"] - 1) // 2048
    for lba, offset, what in ((22, DATA + 100, "of the asset"), (22, 17, "of the channel"),
                              (last, DATA + 2047, "behind its end"), (23, 0x819, "of the EDC")):
        patch = [(lba * STRIDE + offset, 3)]
        if offset == 17:
            patch.append((lba * STRIDE + 21, 3))
        db = in_image(tap, program, work, "a bit " + what, path, patch=patch)
        rows = told(db, "IMG0009", "IMG0010", "IMG0011", "IMG0012", "IMG0016")
        tap.equal([(r["code"], r["raw_offset"] // STRIDE, r["asset_id"] is None) for r in rows],
                  [("IMG0009", lba, True), ("IMG0016", lba, False)], "a bit %s: both are told" % what)
        if len(rows) == 2:
            tap.ok("LBA %d" % lba in rows[0]["message"] and rows[1]["found"] == "1 sector: LBA %d" % lba,
                   "a bit %s: with the LBA" % what, *rows)
            tap.ok(rows[0]["found"] != rows[0]["expected"].replace("computed", "stored") and
                   re.search("stored 0x[0-9a-f]{8}", rows[0]["found"]) and
                   re.search("computed 0x[0-9a-f]{8}", rows[0]["expected"]), "and both codes", rows[0])
    db = in_image(tap, program, work, "a bit of the parity", path, patch=[(22 * STRIDE + 0x900, 0)])
    rows = told(db, "IMG0009", "IMG0012", "IMG0016")
    tap.equal([(r["code"], r["raw_offset"]) for r in rows], [("IMG0012", 22 * STRIDE)],
              "a bit of the parity: IMG0012, and the asset is sound")
    tap.ok("Q byte at 0x900" in rows[0]["found"], "and its place", rows[0])
    elsewhere = [((last + 5) * STRIDE + 500, 0)]
    db = in_image(tap, program, work, "a bit elsewhere", path, patch=elsewhere)
    tap.equal(told(db, "IMG0009"), [], "sectors without an asset are not checked")
    db = in_image(tap, program, work, "a bit elsewhere, all checked", path, options=["--check-sectors"],
                  patch=elsewhere + [(22 * STRIDE + 300, 0)])
    tap.equal([(r["code"], r["raw_offset"] // STRIDE) for r in told(db, "IMG0009", "IMG0016")],
              [("IMG0009", 22), ("IMG0009", last + 5), ("IMG0016", 22)], "but with --check-sectors")


def many_faults(tap, program, work):
    program.forge("tod", small_tod(3), work.path("a.tod"))
    bad = "".join("bad edc %d\n" % lba for lba in [*range(40, 45), *range(50, 110, 2)])
    image = program.forge("image", "image stride=2352\nhidden < a.tod at=20\ngap 150\n" + bad,
                          work.path("many.img"), root=work.name)
    db = scan(tap, program, work, "many faults", image, "--check-sectors")
    rows = told(db, "IMG0009")
    tap.ok("5 sectors, LBA 40 to 44" in [r for r in rows if r["raw_offset"]][0]["message"],
           "neighbours are one finding", rows[0])
    tap.equal(len(rows), 21, "twenty findings and the number of the others")
    tap.ok(rows[0]["raw_offset"] is None and rows[0]["found"] == "11, not listed", "which is right", rows[0])
    plain = program.forge("image", "image stride=2352\nnoedc\nhidden < a.tod at=20\ngap 5\n",
                          work.path("noedc.img"), root=work.name)
    db = scan(tap, program, work, "codes left out", plain)
    tap.equal([(r["code"], r["raw_offset"] // STRIDE) for r in
               told(db, "IMG0009", "IMG0010", "IMG0011", "IMG0012", "IMG0016")],
              [("IMG0010", 20), ("IMG0011", 20)], "codes that nobody computed are a note")


def layouts_of_damage(tap, program, work):
    program.forge("tod", small_tod(150), work.path("long.tod"))
    for stride, mode in ((2336, 2), (2352, 1), (2368, 2), (2448, 2)):
        image = program.forge("image", "image stride=%d mode=%d\niso SECTORS\nhidden < long.tod at=60\nbad edc 61\n"
                              "bad ecc 62\n" % (stride, mode), work.path("layout.img"), root=work.name)
        name = "%d bytes a sector, mode %d" % (stride, mode)
        db = scan(tap, program, work, name, image)
        tap.equal([(r["code"], r["raw_offset"] // stride) for r in told(db, "IMG0009", "IMG0012", "IMG0016")],
                  [("IMG0009", 61), ("IMG0012", 62), ("IMG0016", 61)], "%s: damage is named" % name)


def repeated_and_missing(tap, program, work):
    program.forge("tod", small_tod(150), work.path("long.tod"))
    data = read(work.path("long.tod"))
    image = read(program.forge("image", "image stride=2352\nhidden < long.tod at=20\ngap 30\n",
                               work.path("whole.img"), root=work.name))
    sectors = [image[i:i + STRIDE] for i in range(0, len(image), STRIDE)]
    path = work.write("twice.img", b"".join(sectors[:22] + [sectors[21]] * 2 + sectors[22:]))
    db = scan(tap, program, work, "a sector three times", path)
    tap.equal([(r["raw_offset"], r["length"]) for r in assets(db)], [(20 * STRIDE + DATA, len(data))],
              "copies of a sector do not break the asset")
    rows = told(db, "IMG0017")
    tap.equal([(r["asset_id"] is None, r["raw_offset"]) for r in rows],
              [(True, 22 * STRIDE), (False, 24 * STRIDE + DATA)], "they are told of it and of the image")
    tap.equal((claims(db).get("repeated"), told(db, "IMG0071")), (2, []), "and counted; no other stream lies there")
    replayed = [program.run("replay", "--format", "csv", "--fail-on", "never", p).out
                for p in ("%s:%d" % (db, assets(db)[0]["id"]), work.path("long.tod"))]
    tap.ok(replayed[0] == replayed[1] != "", "it is replayed from there")
    path = work.write("gone.img", b"".join(sectors[:22] + sectors[23:]))
    db = scan(tap, program, work, "a missing sector", path)
    rows = told(db, "IMG0005", "IMG0072")
    tap.equal([(r["code"], r["raw_offset"]) for r in rows],
              [("IMG0005", 22 * STRIDE), ("IMG0072", 20 * STRIDE + DATA)], "a missing sector cuts the asset")
    tap.ok("missing sectors before LBA 23" in rows[1]["found"], "and its place is named", rows[1])


# ---- real files, plain files ----

def plain(tap, program, work):
    program.forge("tod", small_tod(3), work.path("a.tod"))
    db = scan(tap, program, work, "plain", work.path("a.tod"))
    size = os.path.getsize(work.path("a.tod"))
    tap.equal(query(db, "SELECT n, claim, raw_offset, length, first_lba, sectors, runs, asset_bytes FROM coverage"),
              [{"n": 1, "claim": "plain", "raw_offset": 0, "length": size, "first_lba": None, "sectors": 0,
                "runs": 1, "asset_bytes": size}], "a plain file is one run")


def real(tap, program, work):
    shared = shared_folder()
    discs = sorted(glob.glob(os.path.join(shared, "samples", "discs", "*"))) if shared else []
    if not discs:
        tap.skip("coverage of real discs", "no samples")
    for disc in discs:
        db = scan(tap, program, work, "real disc", disc, "--check-sectors")
        sectors = sum(claims(db).values())
        tap.equal(sectors, os.path.getsize(disc) // STRIDE, "%s: all %d sectors" % (os.path.basename(disc), sectors))
        if os.path.basename(disc) == "psxsnake.bin":
            rows = told(db, "IMG0009", "IMG0012")
            tap.equal([(r["code"], r["raw_offset"]) for r in rows], [("IMG0012", 7 * STRIDE)],
                      "its one wrong byte of parity is found")
            tap.ok("Q byte at 0x8df" in rows[0]["found"], "and named", rows)
            tap.equal([r["raw_offset"] for r in told(db, "IMG0010", "IMG0011")], [16 * STRIDE] * 2,
                      "codes that its tool left out are one run")


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        for part in (every_claim, odd_streams, across_movies, emptiness_inside, one_bit, many_faults,
                     layouts_of_damage, repeated_and_missing, plain, real):
            tap.note(part.__name__)
            part(tap, program, work)
        program.tell_unsound(tap)
    tap.done()


main()
