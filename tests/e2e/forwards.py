"""Images that can only be read forwards: assets in archives, compressed files and pipes have the names
that they have in a file of their own, whatever the tree is like; and one address of such an image
turned into all the others."""
import bz2
import json
import lzma
import os
import random
import shutil
import struct
import subprocess
import time

from containers import ecm, gz, pbp, tarred, zipped
from harness import (MEMORY_IS_ITS_OWN, SLOWER, Program, Tap, Workspace, assets, query, read, small_tod,
                     source_codes, sources)
from iso import BREAKS, break_tree, forged, hostile_trees, put_both, record, sectors_of, volume

NOT_KEPT = "IMG0082"


def told(db, path):
    """All that is known of the assets of a source, and all findings of it, in their order; but for
    files that are read once more by themselves, which a passing image cannot do."""
    rows = query(db, "SELECT a.format, a.grade, a.raw_offset, a.user_offset, a.length, a.lba, a.iso_path, "
                     "a.iso_offset, a.sha256, a.pose_sha256 FROM asset AS a JOIN source AS s ON "
                     "s.id = a.source_id WHERE s.path = ? ORDER BY a.id", path)
    findings = query(db, "SELECT a.raw_offset AS of, f.code, f.severity, f.raw_offset, f.asset_offset, "
                         "f.field, f.found, f.expected, f.message FROM finding AS f JOIN source AS s ON "
                         "s.id = f.source_id LEFT JOIN asset AS a ON a.id = f.asset_id WHERE s.path = ? "
                         "AND f.code NOT IN ('IMG0073', 'IMG0083') "
                         "ORDER BY f.id", path)
    return rows, findings


def difference(seen, expected):
    """What is told otherwise, in a few words; empty: the same, in the same order."""
    for name, left, right in zip(("asset", "finding"), seen, expected):
        for one, other in zip(left, right):
            if one != other:
                return ["%s: %r" % (name, {k: (v, other[k]) for k, v in one.items() if v != other[k]})]
        if len(left) != len(right):
            return ["%ss: %d instead of %d: %r" % (name, len(left), len(right),
                                                   (left[len(right):] or right[len(left):])[0])]
    return []


# ---- discs -------------------------------------------------------------------------------------

def layouts(program, work):
    program.forge("tod", small_tod(40, 3), work.path("three.tod"))
    work.write("pad.bin", bytes(2100) + read(work.path("three.tod")) + bytes(5))
    for stride in (2048, 2336, 2352, 2368, 2448):
        data, _ = forged(program, work, stride=stride, files="file SUB/PAD.BIN < pad.bin\n")
        yield "layout %d" % stride, bytes(data)
    for name, line in (("a file that ends inside an asset", "file LIE.BIN < pad.bin size=2200\n"),
                       ("a file that ends before one", "file LIE.BIN < pad.bin size=2090\n"),
                       ("a file of Form 2", "file S.BIN < pad.bin form=2\n"),
                       ("an interleaved file", "interleave 1 3 submode=0x64\nfile S.BIN < pad.bin\n"),
                       ("a mixed file", "interleave 1 3 xa submode=0x64\nfile S.BIN < pad.bin\n")):
        data, _ = forged(program, work, files=line)
        yield name, bytes(data)
    for name, head, extra in (("a pregap", "image stride=2352 start=00:00:00\n", ""),
                              ("a late start", "image stride=2352 start=00:10:01\n", ""),
                              ("missing sectors", "image stride=2352\n", "missing 20\n")):
        text = head + "iso X\n" + extra + "file DIR/A.TOD < one.tod\ngap 2\nfile DIR/B.TOD < one.tod\n"
        yield name, read(program.forge("image", text, work.path("moved.img"), root=work.name))


def broken_trees(program, work):
    base, _ = forged(program, work, stride=2048)
    for rule in BREAKS:
        data = bytearray(base)
        break_tree(data, rule)
        yield rule, bytes(data)


def changed_bytes(program, work, number):
    """Changes in the directories of one image, in sync, headers and subheaders of another."""
    rng = random.Random(82)
    base, _ = forged(program, work, stride=2048, files="file A/B/C/D.DAT < one.tod\nfile E.DAT < two.tod\n")
    for i in range(number):
        data = bytearray(base)
        for _ in range(rng.choice((1, 1, 2, 8))):
            data[2048 * 18 + rng.randrange(2048 * 10)] = rng.choice((0, 1, 33, 34, 127, 255, rng.randrange(256)))
        yield "bytes of the tree %d" % i, bytes(data)
    base, _ = forged(program, work, files="file A/B/C/D.DAT < one.tod\nfile E.DAT < two.tod\n")
    for i in range(number):
        data = bytearray(base)
        for _ in range(rng.choice((1, 3, 9))):
            sector = rng.randrange(16, len(base) // 2352)
            data[2352 * sector + rng.randrange(24)] ^= 1 << rng.randrange(8)
        yield "bytes around the data %d" % i, bytes(data)


def folder_sector(own, parent, entries, has_dots=True):
    dots = [record(b"\0", own, 2048, 2), record(b"\1", parent, 2048, 2)] if has_dots else []
    return sectors_of(dots + entries)


def behind_the_data(program, work):
    """Directories behind the files, each in front of the one that names it."""
    tod = read(program.forge("tod", small_tod(40, 3), work.path("behind.tod")))
    blocks = {18: folder_sector(18, 18, [record(b"D60", 60, 2048, 2)])}
    for i, block in enumerate((60, 55, 50, 45)):
        entries = [record(b"D%d" % (block - 5), block - 5, 2048, 2)] if block > 45 else []
        entries.append(record(b"F%d.TOD;1" % block, 20 + 3 * i, len(tod)))
        blocks[block] = folder_sector(block, 18 if block == 60 else block + 5, entries)
        blocks[20 + 3 * i] = tod
    return volume(blocks, 2048), blocks


def without_dots(blocks):
    """The same, but no directory can be known by its first record."""
    blocks = dict(blocks)
    for block in (60, 55, 50, 45):
        blocks[block] = blocks[block][2 * 34:].ljust(2048, b"\0")
    return volume(blocks, 2048)


# ---- the same everywhere -----------------------------------------------------------------------

def archives(work, members):
    """{file: bytes}: archives of all members, and their suffixes."""
    made = {"all.zip": zipped(members), "all.tar": tarred(members), "all.tar.gz": gz(tarred(members)),
            "deep.zip": zipped([("in/" + name + ".gz", gz(data)) for name, data in members])}
    if shutil.which("7z"):
        folder = work.folder("for7z")
        for name, data in members:
            work.write("for7z/" + name, data)
        subprocess.run(["7z", "a", "-mx=1", "all.7z", *[n for n, _ in members]], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        made["all.7z"] = read(os.path.join(folder, "all.7z"))
    return made


def same_everywhere(tap, program, work):
    discs = [*layouts(program, work), *broken_trees(program, work), *changed_bytes(program, work, 12),
             ("directories behind the data", behind_the_data(program, work)[0])]
    members = [("d%03d.img" % i, data) for i, (_, data) in enumerate(discs)]
    names = {member: name for (member, _), (name, _) in zip(members, discs)}
    files = [work.write("plain/" + name, data) for name, data in members]
    plain = work.path("plain.db")
    result = program.run("scan", "-o", plain, work.path("plain"))
    tap.equal((result.code, len(sources(plain))), (0, len(files)), "%d discs" % len(files), result)
    expected = {os.path.basename(path): told(plain, path) for path in files}
    named = sum(1 for rows, _ in expected.values() for row in rows if row["iso_path"] is not None)
    tap.ok(named > 2 * len(discs), "whose assets have names", named)
    for name, content in archives(work, members).items():
        path, db = work.write(name, content), work.path("all.db")
        result = program.run("scan", "-o", db, path)
        wrong = []
        for member in sorted(expected):
            inner = "%s!/in/%s.gz!/%s" if name == "deep.zip" else "%s!/%s"
            source = inner % ((path, member, member) if name == "deep.zip" else (path, member))
            wrong += ["%s: %s" % (names[member], d) for d in difference(told(db, source), expected[member])]
        tap.equal((result.code, wrong), (0, []), "%s: all assets and findings are those of the files" % name)
        if name == "all.zip":
            woven = next(m for m in names if names[m] == "an interleaved file")
            tap.equal(["IMG0083" in source_codes(d, p) for d, p in
                       ((db, "%s!/%s" % (path, woven)), (plain, work.path("plain/" + woven)))],
                      [True, False], "a file that cannot be put together going forwards is told")
    wrong = []
    for member, data in members:
        db = work.path("pipe.db")
        result = program.run("scan", "-o", db, "-", data=data)
        wrong += ["%s: %s" % (names[member], d) for d in difference(told(db, "-"), expected[member])]
    tap.equal(wrong, [], "from a pipe: all assets and findings are those of the files")


def each_container(tap, program, work):
    """One disc by itself, in each sort of compressed file, on disk and through a pipe."""
    data, _ = forged(program, work, stride=2352)
    data = bytes(data)
    plain, path = work.path("one.db"), work.write("one/disc.bin", data)
    program.run("scan", "-o", plain, path)
    expected = told(plain, path)
    tap.equal([r["iso_path"] for r in expected[0]], ["/DATA/ONE.TOD", "/DATA/SUB/TWO.TOD", None],
              "a disc whose assets have names")
    made = {"disc.bin.gz": gz(data), "disc.bin.bz2": bz2.compress(data), "disc.bin.xz": lzma.compress(data),
            "disc.bin.ecm": ecm(data), "disc.tar.xz": lzma.compress(tarred([("disc.bin", data)])),
            "disc.zip": zipped([("disc.bin", data)])}
    for name, content in made.items():
        for source in (work.write("one/" + name, content), "-"):
            db = work.path("one-%s%s.db" % (name, source == "-"))
            result = program.run("scan", "-o", db, source, data=content if source == "-" else None)
            inner = [p for p in sources(db) if p.startswith(source + "!/")]
            tap.equal([difference(told(db, p), expected) for p in inner], [[]],
                      "%s%s: the same names" % (name, " from a pipe" if source == "-" else ""), result)
            line = [row.split("\t") for row in result.text.splitlines() if "/DATA/SUB/TWO.TOD" in row]
            tap.equal(len(line), 1, "and the line of the asset shows it", result)
    result = program.run("scan", "-o", work.path("pbp.db"), work.write("one/disc.pbp", pbp(data)))
    tap.equal([r["iso_path"] for r in assets(work.path("pbp.db"))], [r["iso_path"] for r in expected[0]],
              "disc.pbp: the same names", result)


def sheets_inside(tap, program, work):
    """A control file is used beside its images only; elsewhere that it is not is told."""
    data, _ = forged(program, work)
    cue = b'FILE "disc.bin" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n'
    work.write("cue/disc.bin", bytes(data))
    path, db = work.write("cue/disc.cue", cue), work.path("cue.db")
    program.run("scan", "-o", db, path)
    expected = told(db, work.path("cue/disc.bin"))
    tap.ok("IMG0092" not in source_codes(db, path), "a cue sheet beside its image is used")
    path = work.write("cue.zip", zipped([("disc.bin", bytes(data)), ("disc.cue", cue)]))
    result = program.run("scan", "-o", db, path)
    tap.equal((result.code, [p for p in sorted(sources(db)) if "IMG0092" in source_codes(db, p)]),
              (0, [path + "!/disc.cue"]), "IMG0092: one in an archive is not, and that is told", result)
    tap.equal(difference((told(db, path + "!/disc.bin")[0], []), (expected[0], [])), [],
              "the image beside it has its names all the same")
    result = program.run("scan", "-o", db, "-", data=cue)
    tap.ok(result.code == 0 and "IMG0092" in source_codes(db, "-"), "IMG0092: nor one from a pipe", result)


# ---- trees that lie ----------------------------------------------------------------------------

def trees_behind(tap, program, work):
    """A tree that is known too late is read again on disk, and is told of a pipe."""
    data, blocks = behind_the_data(program, work)
    hidden = without_dots(blocks)
    for name, content, is_known in (("each with its own record", data, True),
                                    ("without", hidden, False)):
        db, path = work.path("behind.db"), work.write("behind.img", content)
        program.run("scan", "-o", db, path)
        expected = told(db, path)
        tap.equal([r["iso_path"] for r in expected[0]],
                  ["/D60/F60.TOD", "/D60/D55/F55.TOD", "/D60/D55/D50/F50.TOD", "/D60/D55/D50/D45/F45.TOD"],
                  "directories behind the data, %s: names in a file" % name)
        path = work.write("behind.zip", zipped([("a", b"first"), ("behind.img", content)]))
        program.run("scan", "-o", db, path)
        tap.equal(difference(told(db, path + "!/behind.img"), expected), [], "%s: the same in a zip" % name)
        result = program.run("scan", "-o", db, "-", data=content)
        rows, findings = told(db, "-")
        if is_known:
            tap.equal(difference((rows, findings), expected), [], "%s: the same from a pipe" % name)
        else:
            tap.equal((result.code, {r["iso_path"] for r in rows}, NOT_KEPT in source_codes(db, "-")),
                      (0, {None}, True), "%s: a pipe has passed; %s tells it" % (name, NOT_KEPT), result)
            tap.ok(not {f["code"] for f in findings} & {"IMG0032", "IMG0035"},
                   "and nothing is said of a tree that was not read", findings)


def too_deep(tap, program, work):
    """More levels that each lie in front of the one before than passes are allowed; and a lot of
    such images in one archive share the passes."""
    blocks = {18: folder_sector(18, 18, [record(b"D", 99, 2048, 2)])}
    for block in range(99, 79, -1):
        blocks[block] = folder_sector(block, block + 1, [record(b"D", block - 1, 2048, 2)], has_dots=False)
    blocks[79] = folder_sector(79, 80, [], has_dots=False)
    deep = volume(blocks, 2048)
    _, few = behind_the_data(program, work)
    few = without_dots(few)
    db, path = work.path("deep.db"), work.write("deep-tree.zip", zipped([("deep.img", deep)]))
    result = program.run("scan", "-o", db, path)
    tap.ok(result.code == 0 and NOT_KEPT in source_codes(db, path + "!/deep.img"),
           "twenty levels backwards take too many passes: %s" % NOT_KEPT, result)
    path = work.write("many.zip", zipped([("m%d.img" % i, few) for i in range(12)]))
    started = time.monotonic()
    result = program.run("scan", "-o", db, path)
    lost = [p for p in sources(db) if p.startswith(path + "!/") and NOT_KEPT in source_codes(db, p)]
    tap.ok(result.code == 0 and 0 < len(lost) < 12, "passes are bounded for each file on disk", result, lost)
    tap.ok(time.monotonic() - started < 10 * SLOWER, "and so is the time")


def hostile(tap, program, work):
    """The hostile trees of iso.py in a zip and from a pipe: the same findings, or IMG0082."""
    for name, rule, data in hostile_trees():
        path = work.write("hostile.zip", zipped([("h.img", data)]))
        for source in (path, "-"):
            db, inner = work.path("hostile.db"), "-" if source == "-" else path + "!/h.img"
            started = time.monotonic()
            result = program.run("scan", "-o", db, source, data=data if source == "-" else None,
                                 memory=(512 << 20) if MEMORY_IS_ITS_OWN else None)
            codes = source_codes(db, inner)
            tap.ok(result.code == 0 and (rule in codes) != (NOT_KEPT in codes),
                   "%s, %s: %s" % (name, "from a pipe" if source == "-" else "in a zip", codes), result)
            tap.ok(time.monotonic() - started < 10 * SLOWER, "in bounded time")


# ---- where and why -----------------------------------------------------------------------------

def spot(program, path, address, data=None):
    """What `where` says of an address, without the name of the source."""
    result = program.run("where", "-F", "json", path, address, data=data)
    told_ = json.loads(result.text or "{}")
    return result.code, {k: v for k, v in told_.items() if k != "path"}, told_.get("path")


def where_inside(tap, program, work):
    data, _ = forged(program, work, files="file S.BIN < two.tod form=2\n")
    data = bytes(data)
    path = work.write("w/disc.bin", data)
    places = [("%s!/disc.bin", work.write("w/disc.zip", zipped([("a.txt", b"a"), ("disc.bin", data)]))),
              ("%s!/in/disc.zip!/disc.bin", work.write("w/deep.tar.gz", gz(tarred([
                  ("in/disc.zip", zipped([("disc.bin", data)]))])))),
              ("%s!/disc.bin", work.write("w/disc.bin.gz", gz(data))),
              ("%s!/disc.bin", work.write("w/disc.bin.ecm", ecm(data)))]
    addresses = ["raw:0", "raw:%d" % (2352 * 24 + 30), "raw:%d" % (len(data) - 1), "user:50000", "lba:16",
                 "msf:00:02:21+9", "iso:/DATA/SUB/TWO.TOD+0x10", "iso:/S.BIN+2400", "iso:/DATA",
                 "raw:%d" % len(data), "lba:5000", "iso:/NO"]
    expected = {address: spot(program, path, address)[:2] for address in addresses}
    tap.equal([expected[a][0] for a in addresses], [0] * 9 + [1] * 3, "addresses of a disc in a file")
    for form, container in places:
        member = form % container
        seen = {address: spot(program, member, address)[:2] for address in addresses}
        tap.equal({a: seen[a] for a in addresses if seen[a] != expected[a]}, {},
                  "where: the same of %s" % os.path.relpath(member, work.path("w")))
    seen = {address: spot(program, "-", address, data)[:2] for address in addresses}
    tap.equal({a: seen[a] for a in addresses if seen[a] != expected[a]}, {}, "where: the same from a pipe")
    for name in ("w/disc.bin.gz", "w/disc.bin.ecm"):
        packed = work.path(name)
        code, seen, source = spot(program, packed, "iso:/DATA/SUB/TWO.TOD+0x10")
        tap.equal((code, seen, source), (*expected["iso:/DATA/SUB/TWO.TOD+0x10"], packed + "!/disc.bin"),
                  "where: %s stands for what is in it, and it is said" % name)
        code, seen, source = spot(program, packed, "raw:5")
        tap.equal((code, seen.get("raw_offset"), seen.get("layout"), source), (0, 5, "plain", packed),
                  "where: but raw is its own byte")
    for name, code, why in (("w/disc.zip!/no.bin", 3, "no such source in it"),
                            ("w/no.zip!/disc.bin", 3, "No such file"),
                            ("w/disc.bin!/disc.bin", 3, "no such source in it")):
        result = program.run("where", work.path(name), "raw:0")
        tap.ok(result.code == code and why in result.errors, "where: %s: %s" % (name, why), result)
    code, _, source = spot(program, work.path("w/deep.tar.gz"), "lba:16")
    tap.equal((code, source), (0, places[1][0] % work.path("w/deep.tar.gz")), "where: also where it lies deeper")
    result = program.run("where", work.path("w/disc.zip"), "lba:16")
    tap.ok(result.code == 1 and "name what is in it" in result.errors,
           "where: an archive of several is no disc, and it is said what to do", result)
    hidden = without_dots(behind_the_data(program, work)[1])
    seen = [program.run("where", "-", a, data=hidden) for a in ("lba:20", "iso:/D60/F60.TOD")]
    tap.ok([r.code for r in seen] == [0, 4] and NOT_KEPT in seen[1].errors,
           "where: without its tree a disc has its sectors", *seen)


def why_inside(tap, program, work):
    data, _ = forged(program, work)
    data = bytes(data)
    path = work.write("y/disc.bin", data)
    zip_path = work.write("y/disc.zip", zipped([("disc.bin", data)])) + "!/disc.bin"
    gz_path = work.write("y/disc.bin.gz", gz(data))
    for address in ("iso:/DATA/SUB/TWO.TOD", "lba:24", "iso:/DATA/SUB/TWO.TOD+8", "iso:/NO"):
        def ask(source):
            result = program.run("why", "-F", "json", "%s@%s" % (source, address))
            told_ = json.loads(result.text or "{}")
            return result.code, {k: v for k, v in told_.items() if k != "path"}
        expected = ask(path)
        for source in (zip_path, gz_path, gz_path + "!/disc.bin"):
            tap.equal(ask(source), expected, "why: %s of %s is as in a file"
                      % (address, os.path.relpath(source, work.path("y"))))
    result = program.run("why", "%s@0" % gz_path)
    tap.ok(result.code == 1 and "layout: plain" in result.text, "why: byte 0 of a packed file is its own", result)
    result = program.run("why", "--", "-@iso:/DATA/ONE.TOD", data=data)
    tap.ok(result.code == 1 and "through a pipe" in result.errors, "why: no paths of a pipe", result)


def main():
    import sys
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        for part in (same_everywhere, each_container, sheets_inside, trees_behind, too_deep, hostile,
                     where_inside, why_inside):
            part(tap, program, work)
        program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
