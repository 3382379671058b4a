"""The real files: exactly what the manifest says is found, in files and in disc images of them."""
import os
import sys

from harness import (Layout, Program, Tap, Workspace, asset_rows, assets, findings_of, is_animated,
                     need_real_files, query, read, sources)

FOLDERS = ("tod", "lbd", "hmd", "discs", "lookalikes")
SAME = ("format", "grade", "length", "evidence_bits", "frames", "objects", "sha256", "pose_sha256",
        "ram_address")
ISO = "iso REALFILES\n"

# This file ends with 8 zero bytes that nothing refers to. As a file it is whole with them, for its
# length says where it ends; between other bytes nothing tells them from what follows.
PADDED = "hmd/basic_tile.hmd"
PROVEN_LENGTH = 1248

# Positions are odd on purpose: nothing may depend on where on a disc a file begins.
LAYOUTS = [
    Layout("2352", 2352, 24, "image stride=2352 mode=2\n", 37),
    Layout("2352", 2352, 16, "image stride=2352 mode=1\n", 41),
    Layout("2048", 2048, 0, "image stride=2048\n" + ISO, 101),
    Layout("2448", 2448, 24, "image stride=2448 mode=2 start=00:10:01\n", 53, 601),
    Layout("2336", 2336, 8, "image stride=2336\n" + ISO, 103),
    Layout("2368", 2368, 24, "image stride=2368 mode=2\n", 43),
]
STREAMS = [
    ("XA audio between", 0x64, Layout("2352", 2352, 24, "image stride=2352 mode=2\n" + ISO, 101,
                                      every=1, others=2)),
    ("Form 2 data between", 0x28, Layout("2352", 2352, 24, "image stride=2352 mode=2\n" + ISO, 97,
                                         every=1, others=3)),
    ("runs of 3 with 5 between", 0x64, Layout("2448", 2448, 24, "image stride=2448\n" + ISO, 99,
                                              every=3, others=5)),
]


def check_plain(tap, program, shared, work):
    """Scans the real files as they are; returns what was found, by file."""
    db = work.path("plain.db")
    result = program.run("scan", "-o", db, *[os.path.join(shared, "samples", f) for f in FOLDERS])
    tap.equal(result.code, 0, "scan of all real files ends with 0", result)
    tap.equal(result.errors, "", "and is silent on standard error")
    found = {}
    for row in assets(db):
        name = os.path.relpath(row["path"], os.path.join(shared, "samples"))
        row["findings"] = findings_of(db, row["id"])
        found.setdefault(name, []).append(row)
    by_path = sources(db)
    for name, expected in asset_rows(shared).items():
        rows = found.get(name, [])
        tap.equal([(r["format"], r["raw_offset"], r["length"], r["frames"]) for r in rows], expected,
                  "%s: %s" % (name, count_formats(expected)))
        source = by_path.get(os.path.join(shared, "samples", name), {})
        kind = ("image", "2352") if name.startswith("discs/") else ("file", "plain")
        seen = (source.get("kind"), source.get("layout"), source.get("size"), source.get("status"))
        size = os.path.getsize(os.path.join(shared, "samples", name))
        tap.equal(seen, kind + (size, "complete"), "%s: kind, layout, size, status" % name)
    every = [r for rows in found.values() for r in rows]
    check_grades(tap, every)
    tap.ok(all(r["user_offset"] == r["raw_offset"] and r["lba"] is None for r in every),
           "in plain files the user offset is the raw offset, and there is no LBA")
    severe = query(db, "SELECT code, message FROM finding WHERE severity = 'error' OR "
                       "severity = 'warning' AND code LIKE 'TOD%'")
    tap.equal(severe, [], "no real asset has an error, no TOD a warning")
    check_hashes(tap, every)
    return found


def count_formats(rows):
    formats = [row[0] for row in rows]
    return ", ".join("%d %s" % (formats.count(f), f) for f in sorted(set(formats))) or "nothing"


def check_grades(tap, rows):
    """Every animation was replayed; of a model without one nothing can be but its references."""
    wrong, still = [], 0
    for row in rows:
        moves = row["format"] == "tod" or is_animated(
            read(row["path"])[row["raw_offset"]:row["raw_offset"] + row["length"]])
        still += not moves
        expected = "replayed" if moves else "references"
        if row["grade"] != expected:
            wrong.append("%s: %s, not %s" % (row["path"], row["grade"], expected))
    tap.ok(rows and not wrong, "%d assets are replayed, %d that do not move have whole references" % (
        len(rows) - still, still), *wrong)


def as_in_images(program, shared, work, found):
    """What is found of the files when other bytes follow: the same, but for one file's padding."""
    path = work.write("proven.hmd", read(os.path.join(shared, "samples", PADDED))[:PROVEN_LENGTH])
    db = work.path("proven.db")
    program.run("scan", "-o", db, path)
    rows = assets(db)
    for row in rows:
        row["findings"] = findings_of(db, row["id"])
    return dict(found, **{PADDED: rows})


def check_hashes(tap, rows):
    import hashlib
    wrong = []
    for row in rows:
        data = read(row["path"])[row["raw_offset"]:row["raw_offset"] + row["length"]]
        if hashlib.sha256(data).hexdigest() != row["sha256"]:
            wrong.append(row["path"])
    tap.equal(wrong, [], "asset.sha256 is that of the bytes")


def plan(shared, expected):
    """(image name, file, bytes before it) so that each asset crosses a seam of sectors once."""
    for name, rows in expected.items():
        flat = name.replace("/", "_")
        if not rows:
            yield flat, name, 1236
        for number, (_, offset, length, _) in enumerate(rows):
            half = min(length // 8 * 4, 2044)
            yield "%s.%d" % (flat, number), name, (2048 - half - offset) % 2048


def compare_asset(layout, skip, row, plain, findings):
    """What is wrong with an asset in an image, compared with the same one in its file."""
    start = skip + plain["raw_offset"]
    wrong = []
    expected = (layout.raw(start), layout.user_offset(start), layout.lba(start))
    seen = (row["raw_offset"], row["user_offset"], row["lba"])
    if seen != expected:
        wrong.append("at raw, user, LBA %r, not %r" % (seen, expected))
    wrong += ["%s is %r, not %r" % (k, row[k], plain[k]) for k in SAME if row[k] != plain[k]]
    wrong += compare_name(layout, start, row, findings)
    own = [f for f in findings if f["code"] not in ("IMG0035", "IMG0071", "IMG0073")]
    keys = ("code", "severity", "asset_offset", "frame", "object", "message", "field", "found",
            "expected")
    if [[f[k] for k in keys] for f in own] != [[f[k] for k in keys] for f in plain["findings"]]:
        wrong.append("findings differ: %s" % sorted({f["code"] for f in own}))
    for finding in own:
        if finding["asset_offset"] is not None and \
                finding["raw_offset"] != layout.raw(start + finding["asset_offset"]):
            wrong.append("finding %s at raw %r" % (finding["code"], finding["raw_offset"]))
    return wrong + compare_skipped(layout, start, plain["length"], findings)


def compare_name(layout, start, row, findings):
    """Streams are files of the disc; elsewhere bytes lie in no file, and are told so if there are any."""
    is_file, is_disc = layout.others > 0, ISO in layout.head
    expected = ("/DATA.BIN", start) if is_file else (None, None)
    seen = (row["iso_path"], row["iso_offset"])
    told = [f["code"] for f in findings if f["code"] == "IMG0035"]
    wrong = [] if seen == expected else ["file %r, not %r" % (seen, expected)]
    return wrong + ([] if told == ["IMG0035"] * (is_disc and not is_file) else ["IMG0035: %r" % told])


def compare_skipped(layout, start, length, findings):
    """Sectors between the first and the last byte that are not the asset's."""
    last = start + length - 1
    between = layout.index(last) - layout.index(start) - (last // 2048 - start // 2048)
    said = [f["found"] for f in findings if f["code"] == "IMG0071"]
    expected = ["%d between its bytes" % between] if between else []
    wrong = [] if said == expected else ["IMG0071 says %r, not %r" % (said, expected)]
    # Only a stream of which others lie in between is read once more.
    is_woven = layout.index(1 << 22) - layout.index(0) != (1 << 22) // 2048
    if not is_woven and "IMG0073" in [f["code"] for f in findings]:
        wrong.append("IMG0073, though nothing lies between")
    return wrong


def compare_image(db, path, layout, skip, plain_rows, seams):
    wrong = []
    source = sources(db).get(path, {})
    if (source.get("kind"), source.get("layout")) != ("image", layout.name):
        wrong.append("kind and layout %r" % ((source.get("kind"), source.get("layout")),))
    rows = [r for r in assets(db) if r["path"] == path]
    if len(rows) != len(plain_rows):
        return wrong + ["%d assets, not %d" % (len(rows), len(plain_rows))]
    for row, plain in zip(rows, plain_rows):
        wrong += compare_asset(layout, skip, row, plain, findings_of(db, row["id"]))
        start = skip + plain["raw_offset"]
        seams[0] += start // 2048 != (start + plain["length"] - 1) // 2048
    return wrong


def check_layout(tap, program, work, layout, title, images, found):
    """images: (path, file, skip). One scan, then one check an image."""
    folder = os.path.dirname(images[0][0])
    db = work.path("images.db")
    if os.path.exists(db):
        os.unlink(db)
    result = program.run("scan", "-o", db, folder)
    tap.equal(result.code, 0, "%s: scan of %d images ends with 0" % (title, len(images)), result)
    seams = [0]
    for path, name, skip in images:
        wrong = compare_image(db, path, layout, skip, found.get(name, []), seams)
        tap.ok(not wrong, "%s: %s" % (title, os.path.basename(path)), *wrong)
    tap.ok(seams[0] > 50, "%s: %d assets crossed a seam of sectors" % (title, seams[0]))


def check_images(tap, program, shared, work, expected, found):
    for number, layout in enumerate(LAYOUTS):
        title = "%s%s" % (layout.name, " mode 1" if layout.data_off == 16 else "")
        folder = work.folder("layout%d" % number)
        images = []
        for flat, name, skip in plan(shared, expected):
            path = os.path.join(folder, flat)
            program.forge("image", "%shidden < \"%s\" at=%d skip=%d\ngap 3\n" % (
                layout.head, name, layout.first_lba + layout.at, skip), path,
                root=os.path.join(shared, "samples"))
            images.append((path, name, skip))
        check_layout(tap, program, work, layout, title, images, found)
        for path, _, _ in images:
            os.unlink(path)


def check_streams(tap, program, shared, work, expected, found):
    """A file whose sectors lie between sectors of another stream."""
    with_assets = {name: rows for name, rows in expected.items() if rows}
    for number, (title, submode, layout) in enumerate(STREAMS):
        folder = work.folder("stream%d" % number)
        images = []
        for flat, name, skip in plan(shared, with_assets):
            padded = work.write("padded", bytes(skip) + read(os.path.join(shared, "samples", name)))
            path = os.path.join(folder, flat)
            program.forge("image", "%sinterleave %d %d submode=%d fill=0x50\n"
                                   "file DATA.BIN < padded at=%d\n" % (
                                       layout.head, layout.every, layout.others, submode, layout.at),
                          path, root=os.path.dirname(padded))
            images.append((path, name, skip))
        check_layout(tap, program, work, layout, title, images, found)
        for path, _, _ in images:
            os.unlink(path)


def check_lookalikes(tap, program, shared, work):
    folder = os.path.join(shared, "samples", "lookalikes")
    for number, layout in enumerate((None, "plain", "2352")):
        db = work.path("lookalikes%d.db" % number)
        choice = [] if layout is None else ["--layout", layout]
        result = program.run("scan", "--every-offset", "-o", db, *choice, folder)
        tap.equal(result.code, 0, "lookalikes, every offset, layout %s: exit 0" % layout, result)
        tap.equal([(r["path"], r["raw_offset"]) for r in assets(db)], [],
                  "lookalikes, every offset, layout %s: nothing is found" % layout)
        tap.equal(len(sources(db)), len(os.listdir(folder)), "and all were scanned")


def check_every_offset(tap, program, shared, work, found):
    """Trying every offset finds the same in the containers, and nothing besides."""
    db = work.path("every.db")
    result = program.run("scan", "--every-offset", "-o", db,
                         *[os.path.join(shared, "samples", f) for f in FOLDERS])
    tap.equal(result.code, 0, "every offset of all real files: exit 0", result)
    seen = [(r["path"], r["raw_offset"], r["length"]) for r in assets(db)]
    expected = sorted((r["path"], r["raw_offset"], r["length"]) for v in found.values() for r in v)
    tap.equal(sorted(seen), expected, "every offset finds the same")


def main():
    tap = Tap()
    program = Program(sys.argv)
    shared = need_real_files(tap, "samples")
    if shared is not None:
        with Workspace() as work:
            expected = asset_rows(shared)
            found = check_plain(tap, program, shared, work)
            check_lookalikes(tap, program, shared, work)
            check_every_offset(tap, program, shared, work, found)
            found = as_in_images(program, shared, work, found)
            check_images(tap, program, shared, work, expected, found)
            check_streams(tap, program, shared, work, expected, found)
        program.tell_unsound(tap)
    tap.done()


main()
