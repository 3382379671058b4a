"""ISO 9660: trees as other tools list them, assets named by their files, damaged and hostile trees,
and one address turned into all the others.

FRAMEHOUND_LIST_ISO: the program that lists a tree as framehound reads it (tests/e2e/list_iso.c).
"""
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import time

from harness import (MEMORY_IS_ITS_OWN, SLOWER, Program, Tap, Workspace, assets, findings_of, query,
                     read, small_tod, source_codes)

LIST_ISO = os.environ.get("FRAMEHOUND_LIST_ISO", "")
NUM_TREES = 50
TREE_RULES = {"IMG%04d" % n for n in (*range(30, 40), 75, 76, 77, 80, 81, 82)}


def list_iso(path):
    """What the reader makes of an image: entries, findings, and whether it ended soundly."""
    started = time.monotonic()
    done = subprocess.run([LIST_ISO, path], capture_output=True, timeout=120 * SLOWER)
    entries, second, findings = set(), {}, {}
    for line in done.stdout.decode("utf-8").splitlines():
        if re.match(r"IMG\d{4} ", line):
            findings[line[:7]] = line[8:]
        elif line != "plain":
            head, name, other = line.split("\t")
            entries.add((head[0], int(head.split()[1]), head.split()[2], name))
            second[name] = other
    return done, entries, second, findings, time.monotonic() - started


# ---- trees as isoinfo lists them ----

def isoinfo_tree(path):
    out = subprocess.run(["isoinfo", "-l", "-i", path], capture_output=True, check=True).stdout
    entries, folder = set(), ""
    for line in out.decode("latin-1").splitlines():
        head = re.match(r"Directory listing of (.*)$", line)
        row = re.match(r"([d-]).{9}\s+\d+\s+\d+\s+\d+\s+(\d+) .{11} \[\s*(\d+) ..\]  (.*?) ?$", line)
        if head:
            folder = head.group(1)
        elif row and row.group(4) == "." and folder == "/":
            entries.add(("d", int(row.group(2)), row.group(3) + ":" + row.group(2), "/"))
        elif row and row.group(4) not in (".", ".."):
            name = row.group(4)
            name = name[:-2] if name.endswith(";1") and row.group(1) == "-" else name
            entries.add(("d" if row.group(1) == "d" else "f", int(row.group(2)), row.group(3) + ":" + row.group(2),
                         folder + name))
    return entries


def random_name(rng, long):
    letters = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789_-"
    stem = "".join(rng.choice(letters) for _ in range(rng.randint(1, 60 if long else 8)))
    end = "".join(rng.choice(letters[:26]) for _ in range(rng.randint(1, 3)))
    return stem if rng.random() < 0.3 else stem + "." + end


def grow_tree(rng, root, long, deep):
    folders, count = [(root, 0)], 0
    for _ in range(rng.randint(3, 70)):
        folder, depth = rng.choice(folders[-4:] if deep else folders)
        path = os.path.join(folder, random_name(rng, long))
        if os.path.exists(path):
            continue
        if rng.random() < 0.35 and depth < (14 if deep else 6):
            os.mkdir(path)
            folders.append((path, depth + 1))
        else:
            with open(path, "wb") as file:
                file.write(rng.randbytes(rng.choice((0, 1, 700, 2047, 2048, 2049, 9000))))
            count += 1
    if rng.random() < 0.2:  # a directory of several sectors
        os.mkdir(os.path.join(root, "many"))
        for i in range(rng.randint(80, 200)):
            with open(os.path.join(root, "many", "f%d.dat" % i), "wb") as file:
                file.write(bytes([i % 256]) * (i % 3))
    return count


def make_iso(rng, folder, path, long, deep):
    level = rng.choice(("3", "4") if long else ("1", "2", "3"))
    options = ["-iso-level", level]
    options += ["-J", "-joliet-long"] if rng.random() < 0.6 else []
    options += ["-r"] if rng.random() < 0.5 else []
    options += ["-D"] if deep else []
    tool = rng.choice((["genisoimage", "-quiet"], ["xorriso", "-as", "mkisofs", "-quiet"]))
    done = subprocess.run([*tool, *options, "-o", path, folder], capture_output=True)
    return " ".join([tool[0], *options]), done


def raw_image(data, mode):
    """The same sectors with sync and header; EDC and ECC are left out."""
    out = bytearray()
    for lba in range(len(data) // 2048):
        at = lba + 150
        bcd = bytes(n // 10 * 16 + n % 10 for n in (at // 4500, at // 75 % 60, at % 75))
        out += b"\0" + b"\xff" * 10 + b"\0" + bcd + bytes([mode])
        out += b"\0\0\x08\0" * 2 if mode == 2 else b""
        out += data[2048 * lba:2048 * lba + 2048]
        out += bytes(2352 - len(out) % 2352 if len(out) % 2352 else 0)
    return bytes(out)


def trees(tap, program, work):
    missing = [tool for tool in ("genisoimage", "xorriso", "isoinfo") if shutil.which(tool) is None]
    if missing:
        tap.skip("trees of other tools", "no " + ", ".join(missing))
        return
    wrong, told, named, linked, entries_seen = [], {}, 0, 0, 0
    for seed in range(NUM_TREES):
        rng = random.Random(seed)
        folder, long, deep = work.folder("tree%d" % seed), rng.random() < 0.5, rng.random() < 0.3
        named += grow_tree(rng, folder, long, deep)
        path = work.path("tree%d.iso" % seed)
        how, done = make_iso(rng, folder, path, long, deep)
        if done.returncode != 0:
            wrong.append("%d: %s: %s" % (seed, how, done.stderr[-300:]))
            continue
        expected = isoinfo_tree(path)
        entries_seen += len(expected)
        data = read(path)
        for name, content in (("2048", data), ("mode1", raw_image(data, 1)),
                              ("mode2", raw_image(data, 2))):
            done, entries, second, findings, _ = list_iso(work.write("tree.img", content))
            if done.returncode != 0 or entries != expected:
                wrong.append("%d %s %s: %r" % (seed, how, name, sorted(entries ^ expected)[:6]))
            told.update({code: (seed, how, text) for code, text in findings.items()})
            linked += sum(1 for other in second.values() if other)
        shutil.rmtree(folder)
        os.remove(path)
    tap.equal(wrong, [], "%d trees, %d entries: paths, extents and sizes as isoinfo lists them, in "
              "2048, in Mode 1 and in Mode 2" % (NUM_TREES, entries_seen))
    tap.ok(linked > named // 4, "files have their Joliet names", linked, named)
    # Empty files and files of the same content may lie at the same place.
    odd = {code: text for code, text in told.items() if code not in ("IMG0034", "IMG0037", "IMG0039")}
    tap.equal(odd, {}, "sound trees of other tools break no rule of trees")


def joliet_names(tap, program, work):
    if shutil.which("xorriso") is None:
        tap.skip("Joliet names", "no xorriso")
        return
    folder = work.folder("joliet/Ordner mit Umlaut \u00e4\u6f22")
    work.write("joliet/Ordner mit Umlaut \u00e4\u6f22/Stra\u00dfe \U0001f600.tod", b"content")
    work.write("joliet/plain.txt", b"other")
    path = work.path("joliet.iso")
    subprocess.run(["xorriso", "-as", "mkisofs", "-quiet", "-J", "-o", path, os.path.dirname(folder)],
                   check=True, capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    _, _, second, findings, _ = list_iso(path)
    names = {name for name in second.values() if name}
    tap.ok("/plain.txt" in names and any("\u00e4\u6f22/Stra\u00dfe" in n for n in names),
           "Joliet names are UTF-8 paths", names)
    tap.equal(findings.get("IMG0039"), "escape sequence: %/E", "IMG0039 names the escape sequence")


# ---- forged trees ----

def forged(program, work, name="base", stride=2352, extra="", files="", head=""):
    """A disc with an animation in a file, one behind it, and directories; returns bytes and path."""
    program.forge("tod", small_tod(5, 1), work.path("one.tod"))
    program.forge("tod", small_tod(60, 2), work.path("two.tod"))
    text = ("image stride=%d\n%siso BASE\nfile DATA/ONE.TOD < one.tod\nfile DATA/SUB/TWO.TOD < two.tod\n"
            "%sgap 3\nhidden < one.tod skip=100\n%s" % (stride, head, files, extra))
    path = program.forge("image", text, work.path(name + ".img"), root=work.name)
    return bytearray(read(path)), path


def scan(program, work, data, name="scan", layout="auto"):
    path = work.write(name + ".img", bytes(data))
    db = work.path(name + ".db")
    result = program.run("scan", "-o", db, "--layout", layout, path)
    return db, path, result


def tree_codes(db, path):
    own = set(source_codes(db, path))
    own |= {r["code"] for r in query(db, "SELECT code FROM finding WHERE asset_id IS NOT NULL")}
    return own & TREE_RULES


def at(block, off=0):
    return 2048 * block + off


def record_at(data, block, name):
    """Offset of the directory record of that name in a 2048-byte image."""
    pos = at(block)
    while data[pos]:
        if data[pos + 33:pos + 33 + data[pos + 32]] == name:
            return pos
        pos += data[pos]
    raise KeyError(name)


def put_both(data, pos, value):
    data[pos:pos + 8] = struct.pack("<I", value) + struct.pack(">I", value)


ROOT, DATA, SUB = 20, 21, 22  # blocks of the directories of the forged disc


def break_tree(data, rule):
    """One change for each rule of the descriptors and the tree; the image has 2048-byte sectors."""
    one, sub = record_at(data, DATA, b"ONE.TOD;1"), record_at(data, DATA, b"SUB")
    if rule == "IMG0030":
        data[at(16):at(18)] = bytes(at(2))
    elif rule == "IMG0031 version":
        data[at(16, 6)] = 9
    elif rule == "IMG0031 identifier":
        data[at(16, 3)] = 0x20
    elif rule == "IMG0031 terminator":
        data[at(17):at(18)] = bytes(2048)
    elif rule == "IMG0031 both":
        data[at(16, 84 + 3)] ^= 1
    elif rule == "IMG0031 root":
        data[at(16, 156)] = 3
    elif rule == "IMG0031 blocks":
        data[at(16, 128):at(16, 132)] = b"\0\4\4\0"
    elif rule == "IMG0032 length 255":
        pos = at(DATA)
        while data[pos]:
            pos += data[pos]
        for number in range((at(DATA + 1) - pos) // 200):  # records with much behind their names
            data[pos:pos + 47] = data[one:one + 47]
            data[pos], data[pos + 33] = 200, ord("A") + number
            pos += 200
        data[pos] = 255
    elif rule.startswith("IMG0032 length"):
        data[one] = int(rule.split()[2])
    elif rule == "IMG0032 name":
        data[one + 32] = 200
    elif rule == "IMG0032 empty name":
        data[one + 32] = 0
    elif rule == "IMG0032 end":
        put_both(data, one + 2, 5000)
    elif rule == "IMG0032 wraps":
        put_both(data, one + 2, 0xffffffff)
        data[one + 1] = 255
    elif rule == "IMG0032 self":
        put_both(data, at(SUB, 2), ROOT)
    elif rule == "IMG0032 parent":
        put_both(data, at(SUB, data[at(SUB)] + 2), SUB)
    elif rule == "IMG0032 size":
        put_both(data, sub + 10, 0)
    elif rule == "IMG0033 loop":
        put_both(data, sub + 2, DATA)
    elif rule == "IMG0033 root":
        put_both(data, sub + 2, ROOT)
    elif rule == "IMG0034":
        put_both(data, one + 2, struct.unpack_from("<I", data, record_at(data, SUB, b"TWO.TOD;1") + 2)[0])
    elif rule == "IMG0037":
        put_both(data, at(16, 80), 3)
    elif rule == "IMG0038":
        data[one + 17] ^= 0x40
    elif rule == "IMG0039":
        data[at(17)] = 2  # a supplementary descriptor without an escape sequence
    elif rule == "IMG0080":
        data[one + 25] |= 0x80
    elif rule == "IMG0081 name":
        data[at(18, 10 + 8)] ^= 1
    elif rule == "IMG0081 block":
        data[at(18, 10 + 2)] ^= 1
    elif rule == "IMG0081 parent":
        data[at(19, 10 + 7)] = 3
    elif rule == "IMG0081 size":
        put_both(data, at(16, 132), 0)
    elif rule == "IMG0081 end":
        data[at(16, 140):at(16, 144)] = b"\xff\xff\xff\xff"


BREAKS = ["IMG0030", "IMG0031 version", "IMG0031 identifier", "IMG0031 terminator", "IMG0031 both",
          "IMG0031 root", "IMG0031 blocks", "IMG0032 length 1", "IMG0032 length 33",
          "IMG0032 length 255", "IMG0032 length 34", "IMG0032 name", "IMG0032 empty name",
          "IMG0032 end", "IMG0032 wraps", "IMG0032 self", "IMG0032 parent", "IMG0032 size",
          "IMG0033 loop", "IMG0033 root", "IMG0034", "IMG0037", "IMG0038", "IMG0039", "IMG0080",
          "IMG0081 name", "IMG0081 block", "IMG0081 parent", "IMG0081 size", "IMG0081 end"]


def rules_of_trees(tap, program, work):
    base, path = forged(program, work, stride=2048)
    db, path, result = scan(program, work, base)
    tap.equal((result.code, tree_codes(db, path)), (0, {"IMG0035"}),
              "a sound tree breaks no rule; the hidden animation lies in no file", result)
    for rule in BREAKS:
        data = bytearray(base)
        break_tree(data, rule)
        db, path, result = scan(program, work, data, layout="2048")
        tap.ok(result.code == 0 and rule.split()[0] in tree_codes(db, path),
               "%s is told" % rule, result, tree_codes(db, path))
        tap.equal(len(assets(db)), 3, "%s: all animations are found all the same" % rule)


def two_parts(tap, program, work):
    """A file of two extents, and what breaks it."""
    base, _ = forged(program, work, stride=2048, files="file DATA/ONE2.TOD < two.tod\n")
    one, other = record_at(base, DATA, b"ONE.TOD;1"), record_at(base, DATA, b"ONE2.TOD;1")
    size = struct.unpack_from("<I", base, other + 10)[0]
    name = b"ONE.TOD;1"
    base[one + 25] |= 0x80
    put_both(base, one + 10, 2048)
    base[other + 32:other + 33 + len(name)] = bytes([len(name)]) + name
    path = work.write("parts.img", bytes(base))
    _, entries, _, findings, _ = list_iso(path)
    rows = [e for e in entries if e[3] == "/DATA/ONE.TOD"]
    tap.ok(len(rows) == 1 and rows[0][1] == 2048 + size and rows[0][2].count(",") == 1,
           "two records of one name are one file", rows)
    tap.ok("IMG0080" not in findings, "and break no rule", findings)
    db, path, _ = scan(program, work, base)
    seen = {(r["iso_path"], r["iso_offset"]) for r in assets(db)}
    tap.ok(("/DATA/ONE.TOD", 2048) in seen, "an asset in the second extent counts the first one", seen)
    base[other + 33] ^= 1
    _, _, _, findings, _ = list_iso(work.write("parts.img", bytes(base)))
    tap.ok("IMG0080" in findings, "IMG0080 where the second record has another name", findings)


def rules_of_sectors(tap, program, work):
    """IMG0075 to IMG0077: subheaders against the directory."""
    base, _ = forged(program, work, files="file BIG.DAT < two.tod\n")
    db, path, _ = scan(program, work, base)
    tap.equal(tree_codes(db, path) & {"IMG0075", "IMG0077"}, set(), "subheaders of a sound disc")
    plain = work.write("plain.img", bytes(base))
    done = program.run("where", "-F", "json", plain, "iso:/DATA/SUB/TWO.TOD")
    sector = json.loads(done.text)["sector"]
    length = os.path.getsize(work.path("two.tod"))
    last = sector + (length - 1) // 2048
    for rule, number, byte, value in (("IMG0075", last, 1, 7), ("IMG0076", sector, 2, 0x89),
                                      ("IMG0076", last, 2, 0x08), ("IMG0077", sector, 0, 3),
                                      ("IMG0077", sector, 2, 0x28)):
        data = bytearray(base)
        for copy in (16, 20):
            data[2352 * number + copy + byte] = value
        db, path, result = scan(program, work, data)
        tap.ok(result.code == 0 and rule in tree_codes(db, path), "%s is told (byte %d is 0x%x)"
               % (rule, byte, value), tree_codes(db, path))
    tap.ok(last > sector, "(the file has several sectors)")
    data = bytearray(base)
    for lba in range(20, len(base) // 2352):
        bits = read_last_bits(base, lba)
        for copy in (16, 20):
            data[2352 * lba + copy + 2] = bits
    db, path, _ = scan(program, work, data)
    tap.ok("IMG0076" not in tree_codes(db, path), "IMG0076 is not told where every last sector has its bit",
           query(db, "SELECT message FROM finding WHERE code = 'IMG0076'"))


def read_last_bits(data, lba):
    """The submode that a sector of the forged disc should have: of the last of a file 0x89."""
    flat = b"".join(data[2352 * n + 24:2352 * n + 2072] for n in range(len(data) // 2352))
    ends = set()
    for block in (ROOT, DATA, SUB):
        pos = at(block)
        while flat[pos]:
            first, size = struct.unpack_from("<I", flat, pos + 2)[0], struct.unpack_from("<I", flat, pos + 10)[0]
            ends.add(first + (size + 2047) // 2048 - 1)
            pos += flat[pos]
    return 0x89 if lba in ends else 0x08


def pipes(tap, program, work):
    base, path = forged(program, work)
    db = work.path("pipe.db")
    result = program.run("scan", "-o", db, "-", data=bytes(base))
    rows = assets(db)
    tap.equal((result.code, [r["iso_path"] for r in rows]),
              (0, ["/DATA/ONE.TOD", "/DATA/SUB/TWO.TOD", None]), "from a pipe assets have their files", result)
    tap.ok("IMG0082" not in source_codes(db, "-"), "and IMG0082 is not told")
    with open(path, "rb") as file:
        result = program.run("scan", "-o", db, "-", stdin=file)
    tap.equal([r["iso_path"] for r in assets(db)], ["/DATA/ONE.TOD", "/DATA/SUB/TWO.TOD", None],
              "from standard input that is a file they have", result)
    tap.ok("IMG0082" not in source_codes(db, "-"), "and IMG0082 is not told")


# ---- names of assets ----

def names(tap, program, work):
    """The same names and offsets in every layout; 44 zero bytes stand before the animation."""
    program.forge("tod", small_tod(40, 3), work.path("three.tod"))
    work.write("pad.bin", bytes(2100) + read(work.path("three.tod")) + bytes(5))
    for stride, head in ((2048, ""), (2336, ""), (2352, ""), (2368, ""), (2448, "")):
        data, _ = forged(program, work, stride=stride, head=head, files="file SUB/PAD.BIN < pad.bin\n")
        db, path, result = scan(program, work, data)
        seen = [(r["iso_path"], r["iso_offset"]) for r in assets(db)]
        tap.equal(seen, [("/DATA/ONE.TOD", 0), ("/DATA/SUB/TWO.TOD", 0), ("/SUB/PAD.BIN", 2100),
                         (None, None)], "%d: assets are named by their files" % stride, result)
        codes = [[f["code"] for f in findings_of(db, r["id"]) if f["code"] in TREE_RULES]
                 for r in assets(db)]
        tap.equal(codes, [[], [], [], ["IMG0035"]], "%d: only the hidden one lies in none" % stride)
        tap.ok("/SUB/PAD.BIN+0x834" in result.text, "%d: the line of the asset shows it" % stride, result)
    data, _ = forged(program, work, stride=2352, files="file LIE.BIN < pad.bin size=2200\n")
    db, path, _ = scan(program, work, data)
    rows = [r for r in assets(db) if r["iso_path"] == "/LIE.BIN"]
    told = [f for f in (findings_of(db, rows[0]["id"]) if rows else []) if f["code"] == "IMG0036"]
    tap.equal([(f["severity"], f["asset_offset"], f["found"]) for f in told],
              [("note", 100, "at +0x898 of /LIE.BIN")], "IMG0036 where a file ends inside an asset")
    data, _ = forged(program, work, stride=2352, files="file LIE.BIN < pad.bin size=2090\n")
    db, path, _ = scan(program, work, data)
    told = [f["found"] for r in assets(db) for f in findings_of(db, r["id"]) if f["code"] == "IMG0035"]
    tap.ok(any("behind the end of /LIE.BIN" in t for t in told),
           "an asset in the last sector of a file, behind its end, lies in none", told)


def forms(tap, program, work):
    """Offsets in files whose sectors hold 2324 bytes, and in interleaved ones."""
    tod = program.forge("tod", small_tod(200, 3), work.path("form.tod"))
    work.write("stream.bin", bytes(5000) + read(tod))
    data, _ = forged(program, work, files="file S.BIN < stream.bin form=2\n")
    db, path, _ = scan(program, work, data)
    seen = [(r["iso_path"], r["iso_offset"]) for r in assets(db)]
    tap.ok(("/S.BIN", 5000) in seen, "in a file of Form 2 sectors 2324 bytes count for each", seen)
    where_all(tap, program, path, "iso:/S.BIN+5000", "a byte of a file of Form 2")
    for how in ("", " xa"):
        data, _ = forged(program, work, files="interleave 1 3%s submode=0x64\nfile S.BIN < stream.bin\n" % how)
        db, path, _ = scan(program, work, data)
        rows = {r["iso_path"]: r["iso_offset"] for r in assets(db)}
        # By XA attribute the sectors of audio are the file's own.
        expected = 5000 if how == "" else 5000 + 2 * 3 * 2324
        tap.equal(rows.get("/S.BIN"), expected, "interleaved%s: the sectors of the file count" % how)
        where_all(tap, program, path, "iso:/S.BIN+%d" % expected, "a byte of an interleaved%s file" % how)


# ---- where ----

def where_all(tap, program, path, address, name):
    """Every other address of a place leads back to it."""
    done = program.run("where", "-F", "json", path, address)
    if done.code != 0:
        tap.ok(False, "where: %s" % name, done)
        return
    spot = json.loads(done.text)
    forms_ = ["raw:%d" % spot["raw_offset"], "user:0x%x" % spot["user_offset"]]
    if spot["lba"] is not None:
        forms_ += ["lba:%d+%d" % (spot["lba"], spot["sector_offset"]),
                   "msf:%s+0x%x" % (spot["msf"], spot["sector_offset"])]
    if spot["iso_path"] is not None:
        forms_.append("iso:%s+0x%x" % (spot["iso_path"], spot["iso_offset"]))
    others = {form: json.loads(program.run("where", "--format=json", path, form).text or "{}")
              for form in forms_}
    tap.equal({form: other for form, other in others.items() if other != spot}, {},
              "where: every address of %s leads to the same place" % name)


def where(tap, program, work):
    for stride, head in ((2048, ""), (2336, ""), (2352, ""), (2448, "")):
        data, path = forged(program, work, stride=stride, head=head)
        db, path, _ = scan(program, work, data)
        for row in assets(db):
            done = program.run("where", "-F", "json", path, "raw:%d" % row["raw_offset"])
            spot = json.loads(done.text)
            tap.equal([spot[k] for k in ("raw_offset", "user_offset", "lba", "iso_path", "iso_offset")],
                      [row[k] for k in ("raw_offset", "user_offset", "lba", "iso_path", "iso_offset")],
                      "%d: where says what the scan says" % stride)
            where_all(tap, program, path, "raw:%d" % row["raw_offset"], "an asset in %d" % stride)
    data, path = forged(program, work)
    text = program.run("where", path, "lba:16").text
    tap.ok("layout: 2352\n" in text and "lba: 16+0x0\n" in text and "msf: 00:02:16+0x0\n" in text
           and "raw: 0x00009318\n" in text, "where: lines of text", text)
    tap.ok("directory: /DATA+0x0\n" in program.run("where", path, "lba:21").text,
           "where: a directory is called one")
    tap.ok("field: sync\n" in program.run("where", path, "raw:2352").text, "where: no user data")
    for address in ("raw:%d" % len(data), "lba:5000", "lba:-1", "iso:/NO", "user:0xfffffff",
                    "lba:16+2048", "iso:/DATA/ONE.TOD+99999", "msf:99:59:74", "lba:999999999999"):
        done = program.run("where", path, address)
        tap.equal((done.code, done.text), (1, ""), "where: %s is not there" % address, done)
    for address, why in (("lba:5000", "no sector has this address"), ("iso:/NO", "no such file"),
                         ("ram:0x80000000", "it is no memory dump"),
                         ("raw:%d" % len(data), "it is shorter")):
        tap.ok(why in program.run("where", path, address).errors, "where: %s: why" % address)
    for address in ("raw:", "raw:x", "raw:1x", "raw:-1", "12", "lba:1+", "lba:1+x", "msf:0:2:0",
                    "msf:00:60:00", "iso:DATA", "ram:x", "ram:1+1", "raw:99999999999999999999", ""):
        done = program.run("where", path, address)
        tap.equal((done.code, done.text), (2, ""), "where: '%s' is no address" % address, done)
    tap.equal(program.run("where", work.path("no"), "raw:0").code, 3, "where: a missing source")
    done = program.run("where", "-F", "json", "-", "user:3", data=b"pipe")
    tap.equal((done.code, json.loads(done.text or "{}").get("raw_offset")), (0, 3), "where: a pipe", done)
    tap.equal(program.run("where", "-", "raw:4", data=b"pipe").code, 1, "where: no such byte in a pipe")
    plain = work.write("plain.bin", b"0123456789")
    done = program.run("where", "-F", "json", plain, "user:4")
    tap.equal((done.code, json.loads(done.text)["raw_offset"], json.loads(done.text)["lba"]), (0, 4, None),
              "where: in a plain file the user offset is the raw offset")


def moved_discs(tap, program, work):
    """Images that begin elsewhere, or lack sectors: the LBA leads, not the position."""
    program.forge("tod", small_tod(5, 1), work.path("one.tod"))
    for name, head, extra in (("pregap", "image stride=2352 start=00:00:00\n", ""),
                              ("late", "image stride=2352 start=00:10:01\n", ""),
                              ("missing", "image stride=2352\n", "missing 20\n")):
        text = head + "iso X\n" + extra + "file DIR/A.TOD < one.tod\ngap 2\nfile DIR/B.TOD < one.tod\n"
        path = program.forge("image", text, work.path(name + ".img"), root=work.name)
        db = work.path(name + ".db")
        result = program.run("scan", "-o", db, path)
        tap.equal([r["iso_path"] for r in assets(db)], ["/DIR/A.TOD", "/DIR/B.TOD"],
                  "%s: assets are named by their files" % name, result,
                  query(db, "SELECT code, message FROM finding"))
        where_all(tap, program, path, "iso:/DIR/B.TOD+8", "a byte of a file (%s)" % name)


# ---- hostile trees ----

def record(name, block, size, flags=0):
    body = struct.pack("<BIIII", 0, block, 0, size, 0)
    body = bytes([0]) + struct.pack("<I", block) + struct.pack(">I", block) + struct.pack("<I", size) + \
        struct.pack(">I", size) + bytes(7) + bytes([flags, 0, 0]) + b"\1\0\0\1" + bytes([len(name)]) + name
    body += b"" if len(name) % 2 else b"\0"
    return bytes([len(body) + 1]) + body


def sectors_of(records):
    out = bytearray()
    for piece in records:
        if len(out) % 2048 + len(piece) > 2048:
            out += bytes(2048 - len(out) % 2048)
        out += piece
    return bytes(out) + bytes(-len(out) % 2048)


def volume(blocks, root_size):
    """blocks: {number: bytes}; the root lies at 18 and there is no path table."""
    data = bytearray(2048 * 18)
    for number, content in sorted(blocks.items()):
        data += bytes(max(0, 2048 * number - len(data)))
        data[2048 * number:2048 * number + len(content)] = content
    head = bytearray(2048)
    head[:7] = b"\1CD001\1"
    put_both(head, 80, len(data) // 2048)
    head[120:132] = b"\1\0\0\1" * 2 + b"\0\x08\x08\0"
    head[156:190] = record(b"\0", 18, root_size, 2)
    data[2048 * 16:2048 * 17] = head
    data[2048 * 17:2048 * 17 + 7] = b"\xffCD001\1"
    return bytes(data)


def astray():
    """Sectors without addresses, and pairs that have some: too low ones in front, too high ones
    behind. A directory of 30,000 sectors lies at an address between them."""
    root = sectors_of([record(b"\0", 18, 2048, 2), record(b"\1", 18, 2048, 2),
                       record(b"D", 200000, 30000 * 2048, 2)])
    out = bytearray(raw_image(volume({18: root}, 2048) + bytes(2048 * 13), 2))
    sector = bytearray(out[-2352:])
    for number in range(120):
        sector[12:15] = b"\xff\xff\xff"
        out += sector * 14
        for second in (0, 1):
            at = (1000 if number < 60 else 300000) + 16 * number + second + 150
            sector[12:15] = bytes(n // 10 * 16 + n % 10 for n in (at // 4500, at // 75 % 60, at % 75))
            out += sector
    return bytes(out)


def hostile_trees():
    yield "addresses that lead astray", "IMG0033", astray()
    dots = [record(b"\0", 18, 2048, 2), record(b"\1", 18, 2048, 2)]
    many = sectors_of(dots + [record(b"A", 18, 0)] * 1000000)
    yield "a million records", "IMG0033", volume({18: many}, len(many))
    long = sectors_of(dots + [record(b"%03d" % (i % 999) + b"/" * 200, 18, 0) for i in range(60000)])
    yield "names that take too much", "IMG0033", volume({18: long}, len(long))
    deep = {18 + i: sectors_of([record(b"\0", 18 + i, 2048, 2), record(b"\1", 17 + i if i else 18, 2048, 2),
                                record(b"D", 19 + i, 2048, 2)]) for i in range(300)}
    yield "300 levels", "IMG0033", volume(deep, 2048)
    wide = {18 + i: sectors_of([record(b"\0", 18 + i, 2048, 2), record(b"\1", 17 + i if i else 18, 2048, 2),
                                record(b"N" * 200, 19 + i, 2048, 2)]) for i in range(60)}
    yield "a path that is too long", "IMG0033", volume(wide, 2048)
    yield "a root of 4 GiB", "IMG0032", volume({18: sectors_of(dots)}, 0xffffffff)
    big = sectors_of(dots) + bytes(2048 * 40000)
    yield "40000 empty sectors of a directory", "IMG0033", volume({18: big}, len(big))
    ring = {18: sectors_of(dots + [record(b"A", 19, 2048, 2)]),
            19: sectors_of([record(b"\0", 19, 2048, 2), record(b"\1", 18, 2048, 2),
                            record(b"B", 20, 2048, 2)]),
            20: sectors_of([record(b"\0", 20, 2048, 2), record(b"\1", 19, 2048, 2),
                            record(b"C", 19, 2048, 2), record(b"D", 18, 2048, 2)])}
    yield "a ring of directories", "IMG0033", volume(ring, 2048)
    own = sectors_of(dots + [record(b"S", 18, 2048, 2)])
    yield "a directory in itself", "IMG0033", volume({18: own}, 2048)
    inter = bytearray(sectors_of(dots + [record(b"I%d" % i, 18, 100 * 2048) for i in range(6000)]))
    pos = 0
    while pos < len(inter):
        if inter[pos] == 0:
            pos += 2048 - pos % 2048
            continue
        if inter[pos + 33] == ord("I"):
            inter[pos + 26:pos + 28] = b"\1\xff"
        pos += inter[pos]
    yield "6000 interleaved extents", "IMG0033", volume({18: bytes(inter)}, len(inter))


def hostile(tap, program, work):
    for name, rule, data in hostile_trees():
        path = work.write("hostile.img", data)
        started = time.monotonic()
        db = work.path("hostile.db")
        result = program.run("scan", "-o", db, path, memory=(512 << 20) if MEMORY_IS_ITS_OWN else None)
        seconds = time.monotonic() - started
        # Files that are interleaved are read once more, as far as that is worth its work.
        code = 4 if "IMG0083" in source_codes(db, path) else 0
        tap.equal((result.code, code == 4), (code, "interleaved" in name), "%s: exit code" % name, result)
        tap.ok(rule in source_codes(db, path), "%s: %s" % (name, rule), result, source_codes(db, path))
        tap.ok(seconds < 10 * SLOWER, "%s: in bounded time" % name, seconds)


def mutations(tap, program, work):
    """Random bytes in descriptors, path tables and directories: no crash, no hang."""
    base, _ = forged(program, work, stride=2048, files="file A/B/C/D.DAT < one.tod\nfile E.DAT < two.tod\n")
    rng, unsound, slowest = random.Random(9660), [], 0
    for number in range(300):
        data = bytearray(base)
        for _ in range(rng.choice((1, 1, 1, 2, 8))):
            data[at(16) + rng.randrange(2048 * 12)] = rng.choice((0, 1, 33, 34, 127, 128, 255, rng.randrange(256)))
        done, _, _, _, seconds = list_iso(work.write("mutant.img", bytes(data)))
        slowest = max(slowest, seconds)
        if done.returncode != 0 or b"Sanitizer" in done.stderr or b"runtime error" in done.stderr:
            unsound.append((number, done.returncode, done.stderr[-400:]))
    tap.equal(unsound, [], "300 changes of the directory area: no crash")
    tap.ok(slowest < 10 * SLOWER, "and no hang", slowest)


def main():
    program, tap = Program(sys.argv), Tap()
    if not LIST_ISO:
        sys.exit("FRAMEHOUND_LIST_ISO is not set")
    with Workspace() as work:
        for part in (rules_of_trees, two_parts, rules_of_sectors, pipes, names, forms, where,
                     moved_discs, hostile, mutations, joliet_names, trees):
            part(tap, program, work)
        program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
