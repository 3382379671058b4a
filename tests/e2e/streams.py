"""Assets whose sectors do not lie in a row: several extents, unit and gap, file numbers, channels."""
import os
import sys

from harness import Program, Tap, Workspace, assets, forge_hmd, query, read, small_tod

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


def main():
    program = Program(sys.argv)
    tap = Tap()
    with Workspace() as work:
        plain = make_files(program, work)
        for way, stride, unit in (("extents", 2048, 1), ("extents", 2352, 3), ("unit", 2048, 2),
                                  ("unit", 2352, 1), ("xa", 2352, 1), ("xa", 2336, 2),
                                  ("channel", 2352, 1), ("channel", 2448, 3)):
            weave(tap, program, work, plain, way, stride, unit)
        program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
