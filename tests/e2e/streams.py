"""Assets whose sectors do not lie in a row: several extents, unit and gap, file numbers, channels."""
import os
import sys
import time

from harness import (MEMORY_IS_ITS_OWN, SLOWER, Program, Tap, Workspace, assets, forge_hmd, query, read,
                     small_tod)

FRONT = 5000  # bytes in front of the animation in its file
PLACES = {2048: 0, 2336: 8, 2352: 24, 2448: 24}  # bytes a sector, and where its data begin


def scan(tap, program, db, name, path, *options, code=0):
    if os.path.exists(db):
        os.unlink(db)
    result = program.run("scan", "-o", db, *options, path)
    tap.equal((result.code, result.errors), (code, ""), "%s: scan" % name, result)
    return db


def told(db, *codes):
    marks = ", ".join("?" * len(codes))
    return query(db, "SELECT code, asset_id, raw_offset, found FROM finding WHERE code IN (%s) "
                     "ORDER BY code, asset_id, raw_offset" % marks, *codes)


def pieces_of(db, asset):
    return [(p["asset_offset"], p["raw_offset"], p["length"]) for p in query(
        db, "SELECT asset_offset, raw_offset, length FROM piece WHERE asset_id = ? ORDER BY asset_offset", asset)]


def make_files(program, work):
    """A long animation, a model larger than it with an image, and what lies between them."""
    program.forge("tod", small_tod(260), work.path("a.tod"))
    forge_hmd(program, "HMD0297.good", work.path("b.hmd"))
    work.write("front.bin", bytes(range(1, 251)) * (FRONT // 250) + read(work.path("a.tod")))
    work.write("c.bin", bytes((i * i + 7 * i) % 253 for i in range(9 * 2048 + 100)))
    lone = work.path("lone.db")
    plain = {}
    for name in ("a.tod", "b.hmd"):
        program.run("scan", "-o", lone, work.path(name))
        row = query(lone, "SELECT length, sha256, pose_sha256, frames FROM asset")[0]
        plain[name] = row
        os.unlink(lone)
    return plain


def place_of(stride, lba, within=0):
    return lba * stride + PLACES[stride] + within


def expected_pieces(stride, first, unit, files, front, size):
    """What the table of pieces holds: a piece for each sector, joined where nothing lies between."""
    rows = []
    off = 0
    while off < size:
        number, within = divmod(front + off, 2048)
        lba = first + number // unit * unit * files + number % unit
        at, length = place_of(stride, lba, within), min(2048 - within, size - off)
        if rows and rows[-1][1] + rows[-1][2] == at:
            rows[-1] = (rows[-1][0], rows[-1][1], rows[-1][2] + length)
        else:
            rows.append((off, at, length))
        off += length
    return rows


def check_asset(tap, program, work, what, db, row, plain, wanted):
    tap.equal((row["length"], row["sha256"], row["pose_sha256"], row["frames"]),
              (plain["length"], plain["sha256"], plain["pose_sha256"], plain["frames"]),
              "%s: the same bytes and the same poses as the plain file" % what)
    tap.equal(pieces_of(db, row["id"]), wanted if len(wanted) > 1 else [], "%s: its pieces" % what)


def weave(tap, program, work, plain, way, stride, unit):
    what = "%s, %d bytes a sector, %d in turn" % (way, stride, unit)
    image = program.forge("image", "image stride=%d\niso WOVEN\nweave 3 %d %s at=40\nfile D/A.TOD < front.bin\n"
                          "file D/B.HMD < b.hmd\nfile D/C.BIN < c.bin\ngap 3\n" % (stride, unit, way),
                          work.path("woven.img"), root=work.name)
    db = scan(tap, program, work.path("woven.db"), what, image)
    known = {p["sha256"]: name for name, p in plain.items()}
    rows = {known[r["sha256"]]: r for r in assets(db) if r["sha256"] in known}
    others = [r for r in assets(db) if r["sha256"] not in known]
    tap.equal(sorted(rows), ["a.tod", "b.hmd"], "%s: both are found" % what, assets(db))
    tap.equal(sorted((f["asset_id"], f["raw_offset"]) for f in told(db, "IMG0084")),
              sorted((r["id"], r["raw_offset"]) for r in others),
              "%s: what else was found is told as a mixture" % what)
    for index, name in enumerate(sorted(rows)):
        row = rows[name]
        front = 0 if index else FRONT
        begin = front // 2048
        first = 40 + index * unit + begin // unit * unit * 3 + begin % unit
        size = plain[name]["length"]
        label = "%s, %s" % (what, name)
        check_asset(tap, program, work, label, db, row, plain[name],
                    expected_pieces(stride, 40 + index * unit, unit, 3, front, size))
        tap.equal((row["lba"], row["raw_offset"], row["user_offset"]),
                  (first, place_of(stride, first, front % 2048), first * 2048 + front % 2048), "%s: where it begins" % label)
        path = None if way == "channel" else "/D/" + name.upper()
        tap.equal((row["iso_path"], row["iso_offset"]), (path, None if path is None else front),
                  "%s: its file" % label)
        out = work.folder("out-%s-%d-%d-%d" % (way, stride, unit, index))
        result = program.run("extract", "-d", out, "--ids", str(row["id"]), db)
        made = [read(os.path.join(out, n)) for n in os.listdir(out) if not n.endswith(".json")]
        tap.equal((result.code, made), (0, [read(work.path(name))[:size]]), "%s: extract" % label, result)
        poses = [program.run("replay", of).out.split(b"\n", 1)[1]
                 for of in ("%s:%d" % (db, row["id"]), work.path(name))]
        tap.ok(poses[0] == poses[1], "%s: replay" % label, *poses)
        if way == "channel":
            result = program.run("why", "%s@0x%x" % (image, row["raw_offset"]), "--as", row["format"])
            tap.ok(result.code == 0 and b"accepted: %d bytes" % size in result.out, "%s: why" % label, result)
    said = [(f["asset_id"], f["found"]) for f in told(db, "IMG0071")
            if f["asset_id"] in [r["id"] for r in rows.values()]]
    tap.ok(len(said) == 2 and all("between its bytes" in s[1] for s in said),
           "%s: IMG0071 says what was skipped" % what, said)
    if way == "xa":
        tap.equal([f["found"] for f in told(db, "IMG0073")], ["the file /D/A.TOD", "the file /D/B.HMD"],
                  "%s: the file has them as well as the channel" % what)
    else:
        tap.equal(told(db, "IMG0073"), [], "%s: each is found once" % what)
    tap.equal(told(db, "IMG0072", "RUN0006", "IMG0083"), [], "%s: nothing is told as broken" % what)
    return image, db


# ---- what is not woven, and what is cut ----

def sectors_of_pairs(program, work, pairs, data, stride=2352):
    """A bare image: sector i has the pair and the data that are given for it."""
    work.write("flat.bin", b"".join(d.ljust(2048, b"\xa5") for d in data))
    image = bytearray(read(program.forge("image", "image stride=%d\nhidden < flat.bin\n" % stride,
                                         work.path("flat.img"), root=work.name)))
    for i, (number, channel) in enumerate(pairs):
        at = i * stride + (16 if stride > 2336 else 0)
        for copy in (at, at + 4):
            image[copy], image[copy + 1] = number, channel
    return work.write("flat.img", bytes(image))


def parts_of(data):
    return [data[i:i + 2048] for i in range(0, len(data), 2048)]


def rows_of(db):
    return [(r["raw_offset"], r["length"], r["sha256"], len(pieces_of(db, r["id"]))) for r in assets(db)]


def ends(tap, program, work, plain):
    tod = parts_of(read(work.path("a.tod")))
    other = [bytes((i * 31 + k) % 249 for i in range(2048)) for k in range(60)]
    size = plain["a.tod"]["length"]
    lone = (place_of(2352, 20), size, plain["a.tod"]["sha256"])
    # Two sorts of sectors one behind the other are not interleaved: nothing is put together.
    image = sectors_of_pairs(program, work, [(1, 0)] * 20 + [(1, 1)] * len(tod) + [(1, 2)] * 20,
                             other[:20] + tod + other[:20])
    db = scan(tap, program, work.path("row.db"), "pairs in a row", image)
    tap.equal(rows_of(db), [lone + (0,)], "pairs in a row: found once")
    tap.equal(told(db, "IMG0071", "IMG0073"), [], "pairs in a row: and not put together")
    # In a row inside a stream that is interleaved before and behind: one asset, noted twice.
    pairs = [(1, i % 2) for i in range(20)] + [(1, 0)] * len(tod) + [(1, i % 2) for i in range(20)]
    image = sectors_of_pairs(program, work, pairs, other[:20] + tod + other[20:40])
    db = scan(tap, program, work.path("both.db"), "in a row of a channel", image)
    tap.equal(rows_of(db), [lone + (0,)], "in a row of a channel: found once")
    tap.equal([f["found"] for f in told(db, "IMG0073")], ["file number 1, channel 0"],
              "in a row of a channel: IMG0073 names the stream")
    # The longest distance that counts, and one sector more.
    for gap, count in ((31, 1), (32, 0)):
        pairs, data = [], []
        for part in tod[:3]:
            pairs += [(1, 0)] + [(1, 1)] * gap
            data += [part] + other[:gap]
        pairs, data = pairs + [(1, 0)] * (len(tod) - 3), data + tod[3:]
        image = sectors_of_pairs(program, work, pairs, data)
        db = scan(tap, program, work.path("far.db"), "%d sectors between" % gap, image)
        tap.equal(len([r for r in rows_of(db) if r[2] == plain["a.tod"]["sha256"]]), count,
                  "%d sectors between: %s" % (gap, "found" if count else "too far"))
    # The stream ends inside the asset: cut, and told so.
    pairs, data = [], []
    for i, part in enumerate(tod[:-2]):
        pairs, data = pairs + [(1, 0), (1, 1)], data + [part, other[i]]
    image = sectors_of_pairs(program, work, pairs + [(1, 1)] * 40, data + other[:40])
    db = scan(tap, program, work.path("cut.db"), "cut", image)
    found = [f["found"] for f in told(db, "IMG0072")]
    tap.ok(len(found) == 1 and "the end of a channel" in found[0], "cut: IMG0072 says where",
           found)
    tap.equal(rows_of(db), [], "cut: there is no asset")
    # A missing sector ends all streams.
    pairs, data = [], []
    for i, part in enumerate(tod):
        pairs, data = pairs + [(1, 0), (1, 1)], data + [part, other[i]]
    raw = read(sectors_of_pairs(program, work, pairs, data))
    hole = work.write("hole.img", raw[:6 * 2352] + raw[7 * 2352:])
    db = scan(tap, program, work.path("hole.db"), "a hole", hole)
    tap.ok([f for f in told(db, "IMG0072") if "missing sectors" in f["found"]], "a hole: IMG0072",
           told(db, "IMG0072", "RUN0006"))
    # Through a pipe channels are put together as well.
    whole = sectors_of_pairs(program, work, pairs, data)
    db = scan(tap, program, work.path("file.db"), "a file", whole)
    piped = work.path("piped.db")
    program.run("scan", "-o", piped, "-", data=read(whole))
    tap.equal(rows_of(piped), rows_of(db), "a pipe gives the same assets")
    tap.equal(len(rows_of(db)), 1, "of which there is one", rows_of(db))


# ---- trees that lie ----

def records_of(image, name):
    """Places of the directory records of a file in an image of 2048-byte sectors."""
    at, places = image.find(name, 0), []
    while at >= 0:
        places.append(at - 33)
        at = image.find(name, at + 1)
    return places


def put_both(image, at, value):
    image[at:at + 4] = value.to_bytes(4, "little")
    image[at + 4:at + 8] = value.to_bytes(4, "big")


def lying_trees(tap, program, work, plain):
    lines = "image stride=2048\niso LIES\nweave 2 1 extents at=40\nfile A.TOD < a.tod\nfile C.BIN < c.bin\n"
    sound = read(program.forge("image", lines + "gap 3\n", work.path("sound.img"), root=work.name))
    places = records_of(sound, b"A.TOD;1")
    cases = {
        "extents that point backwards": [(p, 50 - 2 * i) for i, p in enumerate(places)],
        "extents that are all the same": [(p, 40) for p in places],
        "extents in the directory": [(p, 20) for p in places],
        "extents past the end": [(p, 70 + 1000000 * i) for i, p in enumerate(places)],
    }
    for name, changes in cases.items():
        image = bytearray(sound)
        for at, block in changes:
            put_both(image, at + 2, block)
        path = work.write("lies.img", bytes(image))
        result = program.run("scan", "-o", work.path("lies-%s.db" % name.replace(" ", "-")), path)
        tap.ok(result.code == 0, name, result)
    # Sound, but in the other order: the sectors of the asset go from behind to the front.
    size = plain["a.tod"]["length"]
    image = bytearray(sound)
    for i, at in enumerate(places):
        block = 40 + 2 * (len(places) - 1 - i)
        put_both(image, at + 2, block)
        image[block * 2048:block * 2048 + 2048] = read(work.path("a.tod"))[i * 2048:][:2048].ljust(2048, b"\0")
    path = work.write("back.img", bytes(image))
    db = scan(tap, program, work.path("back.db"), "backwards", path)
    rows = [r for r in assets(db) if r["sha256"] == plain["a.tod"]["sha256"]]
    tap.equal([(r["raw_offset"], r["length"], r["iso_path"]) for r in rows],
              [((40 + 2 * (len(places) - 1)) * 2048, size, "/A.TOD")], "backwards: found all the same")
    out = work.folder("back")
    program.run("extract", "-d", out, "--ids", str(rows[0]["id"]), db)
    tap.equal([read(os.path.join(out, n)) for n in os.listdir(out) if not n.endswith(".json")],
              [read(work.path("a.tod"))[:size]], "backwards: and taken out")


# ---- files of both forms ----

def mixed_image(program, work, forms, content, stride, attributes):
    """A disc whose file M.BIN at LBA 40 has a sector of each form named, in turn, as many as it takes."""
    sectors = []
    while content:
        form = forms[len(sectors) % len(forms)]
        size = 2324 if form == 2 else 2048
        sectors.append((form, content[:size].ljust(size, b"\xa5")))
        content = content[size:]
    work.write("m.bin", bytes(2048 * len(sectors)))
    image = bytearray(read(program.forge(
        "image", "image stride=%d\niso MIXED\nfile M.BIN < m.bin at=40\nnoedc\ngap 3\n" % stride,
        work.path("mixed.img"), root=work.name)))
    for i, (form, data) in enumerate(sectors):
        at = place_of(stride, 40 + i)
        submode = (0x28 if form == 2 else 8) | (0x81 if i + 1 == len(sectors) else 0)
        image[at - 8:at] = bytes((0, 0, submode, 0)) * 2
        image[at:at + len(data)] = data
    record = records_of(image, b"M.BIN")[0]
    assert image[record + 46:record + 48] == b"XA"
    if attributes:
        image[record + 44:record + 46] = attributes.to_bytes(2, "big")
    else:
        image[record + 46:record + 48] = bytes(2)
    return work.write("mixed.img", bytes(image))


def pieces_of_mixed(forms, stride, front, size):
    rows, sector, before = [], 0, 0
    while before < front + size:
        length = 2324 if forms[sector % len(forms)] == 2 else 2048
        first, end = max(before, front), min(before + length, front + size)
        if first < end:
            rows.append((first - front, place_of(stride, 40 + sector, first - before), end - first))
        before += length
        sector += 1
    return rows


def mixed(tap, program, work, plain):
    """Only the directory says that data go on from one form to the other."""
    size = plain["b.hmd"]["length"]
    model = read(work.path("b.hmd"))[:size]
    for forms, stride, attributes in (((1, 2), 2352, 0x1800), ((2, 1), 2352, 0x1800), ((1, 1, 2), 2336, 0),
                                      ((2, 2, 1), 2448, 0), ((1, 2, 2, 2), 2352, 0x0800)):
        what = "forms %r, %d bytes a sector, attributes 0x%04x" % (forms, stride, attributes)
        front = 2324 + 100
        path = mixed_image(program, work, forms, bytes(front) + model + bytes(3000), stride, attributes)
        db = scan(tap, program, work.path("mixed.db"), what, path)
        rows = [r for r in assets(db) if r["sha256"] == plain["b.hmd"]["sha256"]]
        others = [r for r in assets(db) if r["sha256"] != plain["b.hmd"]["sha256"]]
        tap.equal([(r["length"], r["pose_sha256"], r["iso_path"], r["iso_offset"]) for r in rows],
                  [(size, plain["b.hmd"]["pose_sha256"], "/M.BIN", front)], "%s: found whole" % what)
        tap.equal(pieces_of(db, rows[0]["id"]), pieces_of_mixed(forms, stride, front, size),
                  "%s: its pieces" % what)
        tap.equal(told(db, "RUN0006", "IMG0072", "IMG0083"), [], "%s: nothing is told as broken" % what)
        tap.equal(sorted(f["asset_id"] for f in told(db, "IMG0084")), sorted(r["id"] for r in others),
                  "%s: what one form alone makes of it is told as a mixture" % what)
        if attributes != 0x0800:
            result = program.run("where", path, "iso:/M.BIN+%d" % front)
            tap.ok(result.code == 0 and b"raw: 0x%08x\n" % rows[0]["raw_offset"] in result.out,
                   "%s: where counts alike" % what, result)
        out = work.folder("out-mixed-%d-%s" % (stride, "".join(map(str, forms))))
        result = program.run("extract", "-d", out, "--ids", str(rows[0]["id"]), db)
        made = [read(os.path.join(out, n)) for n in os.listdir(out) if not n.endswith(".json")]
        tap.equal((result.code, made), (0, [model]), "%s: extract" % what, result)
    # The forms side by side, each in a file of its own: nothing is put together.
    image = bytearray(read(path))
    record = records_of(image, b"M.BIN")[0]
    put_both(image, record + 10, 2048)
    db = scan(tap, program, work.path("parted.db"), "the record ends in front", work.write("parted.img", bytes(image)))
    tap.ok(plain["b.hmd"]["sha256"] not in [r["sha256"] for r in assets(db)],
           "the record ends in front: not put together")


def hostile(tap, program, work):
    lines = "image stride=2048\niso MANY\n"
    lines += "".join("file F%04d < c.bin\n" % i for i in range(400))
    image = bytearray(read(program.forge("image", lines, work.path("many.img"), root=work.name)))
    for i in range(400):
        at = records_of(image, b"F%04d" % i)[0]
        put_both(image, at + 2, 17 + i % 7)
        put_both(image, at + 10, len(image))
        image[at + 26], image[at + 27] = 255, 255
    path = work.write("many.img", bytes(image))
    started = time.monotonic()
    result = program.run("scan", "-o", work.path("many.db"), path)
    tap.equal(result.code, 4, "unit 255, gap 255, one over the other: told as a limit", result)
    tap.ok(time.monotonic() - started < 10 * SLOWER, "unit 255, gap 255: in bounded time")
    tap.equal(len(told(work.path("many.db"), "IMG0083")), 1,
              "unit 255, gap 255: IMG0083 says what was left out")
    tap.equal(told(work.path("back.db"), "IMG0083"), [], "and a sound disc is read to its end")
    # Every sector another pair, and pairs that come and go.
    tod = parts_of(read(work.path("a.tod")))[0]
    for name, pair in (("every pair", lambda i: (i >> 8 & 255, i & 255)),
                       ("33 pairs in turn", lambda i: (1, i % 33)),
                       ("32 pairs in turn", lambda i: (1, i % 32)),
                       ("pairs that come and go", lambda i: (i // 40 & 255, i % 7))):
        num = 2500
        image = sectors_of_pairs(program, work, [pair(i) for i in range(num)], [tod] * num)
        started = time.monotonic()
        result = program.run("scan", "-o", work.path("pairs-%d.db" % len(name)), image,
                             memory=(512 << 20) if MEMORY_IS_ITS_OWN else None)
        tap.ok(result.code == 0, "%s: scan" % name, result)
        tap.ok(time.monotonic() - started < 10 * SLOWER, "%s: in bounded time" % name)


def main():
    program = Program(sys.argv)
    tap = Tap()
    with Workspace() as work:
        plain = make_files(program, work)
        for way, stride, unit in (("extents", 2048, 1), ("extents", 2352, 3), ("unit", 2048, 2),
                                  ("unit", 2352, 1), ("xa", 2352, 1), ("xa", 2336, 2),
                                  ("channel", 2352, 1), ("channel", 2448, 3)):
            weave(tap, program, work, plain, way, stride, unit)
        ends(tap, program, work, plain)
        mixed(tap, program, work, plain)
        lying_trees(tap, program, work, plain)
        hostile(tap, program, work)
        program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
