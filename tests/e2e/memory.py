"""Dumps of main RAM and save states: the same assets at the same addresses in all of them, and
those that lie.

Every layout is built here by hand from the format sheet, around a RAM that holds a mapped HMD, a
TOD and a camera path in 16-bit characters.
"""
import json
import gzip
import lzma
import os
import random
import shutil
import struct
import subprocess
import zlib

from harness import (MEMORY_IS_ITS_OWN, Program, Tap, Workspace, corpus_path, dump, forge_hmd,
                     query, read, small_tod)

RAM = 2 << 20
BASE = 0x80000000
STAGES = ("mapped", "scanned", "coordinates", "playing")
HMD_AT, TOD_AT, CAM_AT = 0x23450, 0x61230, 0x8a00a
SEED = 20


# ---- RAM ---------------------------------------------------------------------------------------

def vector(register, address):
    return struct.pack("<IIII", 0x3c000000 | register << 16,
                       0x24000000 | register << 21 | register << 16 | address,
                       register << 21 | 8, 0)


def kernel(ram, vectors=True, text=True):
    if vectors:
        ram[0x80:0x90] = vector(26, 0xc80)
        ram[0xa0:0xb0] = vector(8, 0x5c4)
        ram[0xb0:0xc0] = vector(8, 0x5e0)
        ram[0xc0:0xd0] = vector(8, 0x600)
    if text:
        name = b"PS-X Control PAD Driver  Ver 3.0\n\0"
        ram[0x4d24:0x4d24 + len(name)] = name


class Content:
    """The assets, and a RAM with all of them for each stage of the HMD."""

    def __init__(self, program, work):
        self.program, self.work = program, work
        with open(corpus_path("hmd", "good-pyramid.forge")) as text:
            self.hmd = program.forge("hmd", text.read(), work.path("one.hmd"))
        self.tod = read(program.forge("tod", small_tod(), work.path("one.tod")))
        with open(corpus_path("camerawork", "good-circle.forge")) as text:
            self.cam = read(program.forge("camerawork", text.read(), work.path("one.cam")))

    def mapped(self, stage, address):
        out = self.work.path("mapped.bin")
        stop = "coordinates" if stage == "playing" else stage
        self.program.forge_map(self.hmd, out, "--base", "0x%x" % address, "--stage", stop)
        data = bytearray(read(out))
        if stage == "playing":
            blocks = struct.unpack_from("<I", data, 12)[0]
            if struct.unpack_from("<I", data, 4 * (4 + blocks))[0] > 0:
                struct.pack_into("<I", data, 4 * (5 + blocks), 1)
        return bytes(data)

    def ram(self, stage="mapped", vectors=True, text=True, base=BASE, fill=True):
        ram = bytearray(RAM)
        if fill:
            ram[0x10000:0x20000] = random.Random(SEED).randbytes(0x10000)
        kernel(ram, vectors, text)
        hmd = self.mapped(stage, base + HMD_AT)
        ram[HMD_AT:HMD_AT + len(hmd)] = hmd
        ram[TOD_AT:TOD_AT + len(self.tod)] = self.tod
        wide = self.cam.decode("ascii").encode("utf-16-le")
        ram[CAM_AT:CAM_AT + len(wide)] = wide
        return bytes(ram)


# ---- states, from the sheet --------------------------------------------------------------------

def duck_data(ram, version=86, before=5000, behind=3000):
    rng = random.Random(SEED)
    size = struct.pack("<I", len(ram)) if version >= 52 else b""
    return rng.randbytes(before) + b"\3\0\0\0Bus" + size + bytes(60) + ram + \
        b"\3\0\0\0DMA" + rng.randbytes(behind)


def duckstation(data, compression, packed=None, version=86, gap=700, raw_size=None,
                packed_size=None, offset=None):
    packed = data if packed is None else packed
    at = 216 + gap if offset is None else offset
    head = b"DUCC" + struct.pack("<I", version) + b"A title".ljust(128, b"\0") + \
        b"SLUS-00000".ljust(32, b"\0") + struct.pack("<III", 0, 216, 0) + bytes(20) + \
        struct.pack("<IIII", compression, len(packed) if packed_size is None else packed_size,
                    len(data) if raw_size is None else raw_size, at)
    assert len(head) == 216
    return head + bytes(gap) + packed


def zstandard(data):
    return subprocess.run(["zstd", "-q", "-3", "-c"], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def proto(number, data):
    return bytes([number << 3 | 2]) + varint(len(data)) + data


def redux(ram):
    memory = proto(1, ram.ljust(8 << 20, b"\0")) + proto(2, bytes(70000)) + proto(4, bytes(1024))
    return proto(1, proto(1, b"version 3")) + proto(2, bytes(9000)) + proto(3, memory) + \
        proto(4, bytes(500))


def rearmed(ram, hle=0, version=0x8b410006, name=b"STv4 PCSXra 1.9", header=None):
    places = {0: 0x9025, 1: 0x96b5}
    head = name.ljust(32, b"\0") + struct.pack("<IB", version, hle)
    return head.ljust(places[hle & 1] if header is None else header, b"\x11") + ram + bytes(80000)


def entry(name, data, size=None):
    return bytes([len(name)]) + name + struct.pack("<I", len(data) if size is None else size) + data


def section(name, data, size=None):
    return name.ljust(32, b"\0") + struct.pack("<I", len(data) if size is None else size) + data


def mednafen(ram, picture=(0, 0), entry_size=None, section_size=None):
    main = entry(b"CPUCount", bytes(4)) + entry(b"MainRAM.data8", ram, entry_size) + \
        entry(b"SysControl.Regs", bytes(36))
    body = bytes(3 * picture[0] * picture[1]) + section(b"MDEC", entry(b"Command", bytes(4))) + \
        section(b"MAIN", main, section_size) + section(b"GPU", entry(b"vram", bytes(4096)))
    head = b"MDFNSVST" + bytes(8) + struct.pack("<II", 0x102300, len(body)) + \
        struct.pack("<II", *picture)
    return head + body


def retroarch(core, before=b"", size=None):
    """A core's state in RetroArch's frame, behind another block if there is one."""
    def block(mark, data, size=None):
        return mark + struct.pack("<I", len(data) if size is None else size) + data + \
            bytes(-len(data) % 8)
    front = block(b"RPLY", before) if before else b""
    return b"RASTATE\1" + front + block(b"MEM ", core, size) + block(b"ACHV", b"abc") + \
        block(b"END ", b"")


def rzip(data, version=1, chunk=1 << 17, total=None):
    out = b"#RZIPv" + bytes([version]) + b"#" + \
        struct.pack("<IQ", chunk, len(data) if total is None else total)
    for at in range(0, len(data), chunk):
        part = data[at:at + chunk]
        packed = zlib.compress(part, 1) if version == 1 else zstandard(part)
        out += struct.pack("<I", len(packed)) + packed
    return out


def pack(data):
    return gzip.compress(data, 1, mtime=0)


def left_out(program):
    """What of layouts() and small_layouts() needs a library that the program was built without."""
    version = program.run("--version").text
    needs = {"no liblzma": {"duck-xz"}, "no libzstd": {"duck-zstd", "ra-rearmed.rzip"},
             "no libarchive": {"rearmed.zst"}}
    return set().union(*(names for word, names in needs.items() if word in version))


def layouts(ram):
    """{name: (bytes, path of the source behind the file's, raw offset of RAM)}"""
    duck = duck_data(ram)
    at = 216 + 700 + 5000 + 7 + 4 + 60
    made = {
        "raw": (ram, "", 0),
        "raw-2-and-a-half": (ram + bytes(RAM // 4), "", 0),
        "raw-mirrored": (4 * ram, "", 0),
        "raw.gz": (pack(ram), "!/raw", 0),
        "duck-plain": (duckstation(duck, 0), "", at),
        "duck-plain-42": (duckstation(duck_data(ram, 42), 0, version=42), "", at - 4),
        "duck-deflate": (duckstation(duck, 1, zlib.compress(duck, 1)), "!/ram", 0),
        "duck-deflate-raw": (duckstation(duck, 1, zlib.compress(duck, 1)[2:-4]), "!/ram", 0),
        "duck-xz": (duckstation(duck, 3, lzma.compress(duck, preset=0)), "!/ram", 0),
        "duck-51": (duckstation(duck_data(ram, 51), 1, zlib.compress(duck_data(ram, 51), 1),
                                version=51), "!/ram", 0),
        "duck-8-mib": (duckstation(duck_data(4 * ram), 1, zlib.compress(duck_data(4 * ram), 1)),
                       "!/ram", 0),
        "redux.gz": (pack(redux(ram)), "!/ram", 0),
        "rearmed": (rearmed(ram), "", 0x9025),
        "rearmed-hle": (rearmed(ram, 1), "", 0x96b5),
        "rearmed.gz": (pack(rearmed(ram)), "!/ram", 0),
        "rearmed-hle.gz": (pack(rearmed(ram, 1)), "!/ram", 0),
    }
    plain = redux(ram)
    made["redux"] = (plain, "", plain.index(b"\x0a\x80\x80\x80\x04") + 5)
    for name, picture in (("mednafen", (0, 0)), ("mednafen-picture", (320, 240))):
        state = mednafen(ram, picture)
        made[name] = (state, "", state.index(b"MainRAM.data8") + 17)
        made[name + ".gz"] = (pack(state), "!/ram", 0)
    framed = retroarch(mednafen(ram))
    made["ra-mednafen"] = (framed, "", framed.index(b"MainRAM.data8") + 17)
    made["ra-mednafen.gz"] = (pack(framed), "!/ram", 0)
    made["ra-rearmed"] = (retroarch(rearmed(ram)), "", 16 + 0x9025)
    made["ra-rearmed-second"] = (retroarch(rearmed(ram), b"x" * 1001), "", 16 + 1016 + 0x9025)
    made["ra-mednafen.rzip"] = (rzip(framed), "!/ram", 0)
    made["ra-duck-plain"] = (retroarch(duckstation(duck, 0)), "", 16 + at)
    if shutil.which("zstd") is not None:
        made["duck-zstd"] = (duckstation(duck, 2, zstandard(duck)), "!/ram", 0)
        made["ra-rearmed.rzip"] = (rzip(retroarch(rearmed(ram)), 2), "!/ram", 0)
        made["rearmed.zst"] = (zstandard(rearmed(ram)), "!/ram", 0)
    return made


# ---- what is found -----------------------------------------------------------------------------

def scan(program, work, path, *options, code=0, tap=None, memory=None):
    db = work.path("memory.db")
    if os.path.exists(db):
        os.unlink(db)
    result = program.run("scan", "-o", db, *options, path, memory=memory)
    if tap is not None:
        tap.equal(result.code, code, "%s: exit code" % os.path.basename(path), result)
    return db


def assets(db, path):
    return [(r["format"], r["raw_offset"], r["user_offset"], r["ram_address"]) for r in query(
        db, "SELECT a.* FROM asset AS a JOIN source AS s ON s.id = a.source_id WHERE s.path = ? "
            "ORDER BY a.raw_offset", path)]


def expected_at(raw, base=BASE, user=0):
    return [(name, raw + at, user + at, base + at)
            for name, at in (("hmd", HMD_AT), ("tod", TOD_AT), ("camerawork", CAM_AT))]


def codes(db, path=None):
    """Image rules of the source and its container, without those of assets."""
    return sorted({r["code"] for r in query(
        db, "SELECT f.code FROM finding AS f JOIN source AS s ON s.id = f.source_id WHERE "
            "f.code LIKE 'IMG%' AND f.asset_id IS NULL AND (?1 IS NULL OR s.path = ?1)", path)})


def asset_codes(db, name):
    return sorted({r["code"] for r in query(
        db, "SELECT f.code FROM finding AS f JOIN asset AS a ON a.id = f.asset_id WHERE "
            "f.code LIKE 'IMG%' AND a.format = ?", name)})


def found(db, code):
    return [r["found"] for r in query(db, "SELECT found FROM finding WHERE code = ?", code)]


def kinds(db):
    return {r["path"]: r["kind"] for r in query(db, "SELECT path, kind FROM source")}


def every_layout(tap, program, work, content):
    missing = left_out(program)
    for number, stage in enumerate(STAGES):
        made = layouts(content.ram(stage))
        for name, (data, suffix, raw) in made.items():
            if name in missing:
                path = work.write("all/" + name, data)
                db = scan(program, work, path, tap=tap)
                tap.equal((assets(db, path + suffix), codes(db)),
                          ([], ["IMG0047"]),
                          name + ": what is missing is told")
                os.unlink(path)
                continue
            if number > 0 and name.startswith(("raw-", "raw.", "duck-5", "duck-8", "duck-plain-")):
                continue
            path = work.write("all/" + name, data)
            source = path + suffix
            db = scan(program, work, path, tap=tap)
            title = "%s, %s" % (name, stage)
            tap.equal(assets(db, source), expected_at(raw), title + ": assets and addresses",
                      codes(db))
            tap.equal(kinds(db).get(source), "memory", title + ": the source is a memory")
            extra = ["IMG0053"] if name in ("raw-mirrored", "duck-8-mib") else []
            # The RAM of this one is followed by zeros that belong to it.
            tap.equal(codes(db), ["IMG0050"] + extra if name != "raw.gz" else ["IMG0050"],
                      title + ": only what it is, is told", found(db, "IMG0050"))
            tap.equal((asset_codes(db, "hmd"), asset_codes(db, "tod"),
                       asset_codes(db, "camerawork")), (["IMG0057"], [], ["IMG0060", "IMG0061"]),
                      title + ": what is told of the assets")
            tap.ok(*covered(db, source, raw, name, title))
            if stage == "mapped":
                bytes_of_hit(tap, program, db, title)
                where_in_ram(tap, program, db, source, title)
                if source != path:
                    one_inside(tap, program, path, source, title)
            os.unlink(path)


def covered(db, source, raw, name, title):
    """Every byte of the source has a claim, in their order; RAM is where the hits say it is."""
    size = query(db, "SELECT size FROM source WHERE path = ?", source)[0]["size"]
    rows = query(db, "SELECT c.* FROM coverage AS c JOIN source AS s ON s.id = c.source_id WHERE "
                     "s.path = ? ORDER BY c.raw_offset", source)
    at = 0
    for row in rows:
        at += row["length"] if row["raw_offset"] == at else size + 1
    ram = [(r["raw_offset"], r["asset_bytes"] > 0) for r in rows if r["claim"] == "ram"]
    others = {r["claim"] for r in rows} - {"ram"}
    want = {"mirror"} if name in ("raw-mirrored", "duck-8-mib") else \
        set() if raw == 0 else {"state"}
    return at == size and ram == [(raw, True)] and others == want, \
        title + ": every byte is accounted for", rows


def where_in_ram(tap, program, db, path, title):
    """Every hit of a source is found by its address, and by that of its mirrors."""
    rows = query(db, "SELECT raw_offset, user_offset, ram_address FROM v_assets WHERE path = ? AND "
                     "format = 'tod'", path)
    for row in rows:
        forms = ["raw:%d" % row["raw_offset"], "user:%d" % row["user_offset"]]
        forms += ["ram:0x%x" % (row["ram_address"] % 0x20000000 + base)
                  for base in (0, BASE, 0xa0000000)]
        seen = [json.loads(program.run("where", "-F", "json", path, form).text or "{}")
                for form in forms]
        tap.equal([[one.get(key) for key in ("raw_offset", "user_offset", "ram_address")]
                   for one in seen],
                  [[row["raw_offset"], row["user_offset"], row["ram_address"]]] * len(forms),
                  title + ": where")
    for form in ("ram:0x1f800000", "ram:0x100000000", "ram:0x80800000"):
        tap.equal(program.run("where", path, form).code, 1, "%s: %s is not there" % (title, form))


def one_inside(tap, program, path, source, title):
    """A packed state stands for the RAM in it; but its raw bytes are its own."""
    seen = [json.loads(program.run("where", "-F", "json", path, form).text or "{}")
            for form in ("ram:0x80001000", "raw:0x1000")]
    tap.equal([(one.get("path"), one.get("ram_address")) for one in seen],
              [(source, 0x80001000), (path, None)], title + ": where in what is packed")


def bytes_of_hit(tap, program, db, title):
    """The database leads back to the bytes: they are replayed."""
    rows = query(db, "SELECT id FROM asset WHERE format = 'tod'")
    result = program.run("replay", "-F", "csv", "%s:%d" % (db, rows[0]["id"])) if rows else None
    tap.ok(result is not None and result.code == 0 and result.out, title + ": a hit is replayed",
           result)


# ---- findings, each with what breaks it and what does not ---------------------------------------

def special(tap, program, work, content):
    ram = content.ram()
    def check(name, data, want_codes, want_assets=None, *options, suffix=""):
        path = work.write("special/" + name, data)
        db = scan(program, work, path, *options, tap=tap)
        tap.equal(codes(db), want_codes, name + ": findings",
                  *query(db, "SELECT code, field, found, expected FROM finding"))
        if want_assets is not None:
            tap.equal(assets(db, path + suffix), want_assets, name + ": assets")
        return db

    # No sign of a kernel: only the pointers tell, and they tell the others, too.
    bare = content.ram(vectors=False, text=False)
    db = check("bare", bare, ["IMG0054"], expected_at(0))
    tap.equal(found(db, "IMG0054"), ["0x80000000 (1 vote)"], "bare: the votes")
    check("text-only", content.ram(vectors=False), ["IMG0050"], expected_at(0))
    check("text-only-odd-size", content.ram(vectors=False) + b"x", ["IMG0054"], expected_at(0))
    part = bare[0x20000:0xa0000]
    db = check("part", part, ["IMG0054", "IMG0056"],
               [(f, r - 0x20000, u - 0x20000, a) for f, r, u, a in expected_at(0)])
    tap.equal((found(db, "IMG0054"), found(db, "IMG0056")),
              (["0x80020000 (1 vote)"], ["0x80020000"]), "part: where it began")
    db = check("part-told", part, ["IMG0056"],
               [(f, r - 0x20000, u - 0x20000, a) for f, r, u, a in expected_at(0)],
               "--address-base", "0x80020000")
    tap.equal(set(kinds(db).values()), {"memory"}, "part-told: a memory")
    check("whole-told", bare, [], expected_at(0), "--address-base", "2147483648")
    named = work.write("special/named.hmd", bare)
    tap.equal(codes(scan(program, work, named, "--address-base", "0x80000000", tap=tap)), [],
              "memory may be called anything")
    # A wrong base: the asset's own address wins, and is told.
    db = check("part-wrong", part, ["IMG0056"],
               [(f, r - 0x20000, u - 0x20000, a if f == "hmd" else a + 0x10000)
                for f, r, u, a in expected_at(0)], "--address-base", "0x80030000")
    tap.equal((asset_codes(db, "hmd"), asset_codes(db, "tod")), (["IMG0055", "IMG0057"], []),
              "part-wrong: the pointers disagree")
    two = bytearray(bare)
    moved = content.mapped("mapped", BASE + 0x1000)
    two[0xb0000:0xb0000 + len(moved)] = moved
    db = check("votes", bytes(two), ["IMG0055"])
    tap.equal({r["ram_address"] for r in query(db, "SELECT ram_address FROM asset WHERE format "
                                                   "<> 'hmd'")}, {None},
              "votes: nothing is guessed where they disagree")
    # A pointer that leaves main RAM, and one that does not.
    for name, want in (("HMD0171.bad", ["0x80900000"]), ("HMD0171.good", [])):
        mapped = read(forge_hmd(program, name, work.path(name)))
        free = bytearray(content.ram())
        free[0x100000:0x100000 + len(mapped)] = mapped
        db = scan(program, work, work.write("special/" + name, bytes(free)), tap=tap)
        rows = query(db, "SELECT f.code, f.found FROM finding f JOIN asset a ON a.id = f.asset_id "
                         "WHERE a.raw_offset = 1048576 AND f.code IN ('IMG0057', 'IMG0058')")
        tap.equal([r["found"] for r in rows if r["code"] == "IMG0058"], want, name + ": IMG0058")
        tap.equal(len([r for r in rows if r["code"] == "IMG0057"]), 1, name + ": IMG0057")
    # The kernel's part.
    low = bytearray(ram)
    low[0xfff0 - 0x800:0xfff0 - 0x800 + len(content.tod)] = content.tod
    db = check("kernel", bytes(low), ["IMG0050"])
    tap.equal(asset_codes(db, "tod"), ["IMG0059"], "kernel: an asset lies there")
    # Cut by the end of the memory, and not.
    cut = bytearray(ram)
    half = (len(content.tod) - 8) // 4 * 4
    cut[RAM - half:] = content.tod[:half]
    db = check("end", bytes(cut), ["IMG0050", "IMG0062"])
    cut[RAM - half - 64:] = content.tod[:half] + b"\xff" * 64
    db = check("not-end", bytes(cut), ["IMG0050"])
    # The kernel of OpenBIOS jumps in another way.
    low = bytearray(bare)
    low[0x80:0x90] = struct.pack("<IIII", 0x341a0500, 0x3c1b0000, 0x03400008, 0x377b0600)
    for place in (0xa0, 0xb0, 0xc0):
        low[place:place + 16] = struct.pack("<IIII", 0x24080500 + place, 0x01000008, 0, 0)
    check("openbios", bytes(low), ["IMG0050"], expected_at(0))
    # Without a kernel it is the mirrors that tell; a file of the size of RAM may be anything.
    plain = bytearray(RAM)
    plain[TOD_AT:TOD_AT + len(content.tod)] = content.tod
    check("bare-mirrors", bytes(4 * plain), ["IMG0050", "IMG0053"],
          [("tod", TOD_AT, TOD_AT, BASE + TOD_AT)])
    check("bare-size", bytes(plain), [], [("tod", TOD_AT, TOD_AT, None)])
    # A guess: everything beside RAM is searched as well.
    front = content.tod + b"x" * 3
    db = check("unknown", front + ram, ["IMG0050", "IMG0051"],
               [("tod", 0, None, None)] + expected_at(len(front)))
    tap.equal([tuple(row.values()) for row in query(
        db, "SELECT claim, raw_offset, length FROM coverage ORDER BY raw_offset")],
              [("plain", 0, len(front)), ("ram", len(front), RAM)],
              "unknown: every byte is accounted for")
    db = check("unknown-cut", (front + ram)[:-1], [])
    tap.equal({a[3] for a in assets(db, work.path("special/unknown-cut"))}, {None},
              "unknown-cut: no address without room for RAM")
    # Mirrors that differ in one byte are none.
    odd = bytearray(4 * ram)
    odd[RAM + 5] ^= 1
    check("odd-mirrors", bytes(odd), ["IMG0050"],
          [a for k in range(4) for a in [(f, r + k * RAM, u + k * RAM,
                                          b if f == "hmd" else b + k * RAM)
                                         for f, r, u, b in expected_at(0)]])
    # The byte order mark.
    marked = bytearray(ram)
    marked[CAM_AT - 2:CAM_AT] = b"\xff\xfe"
    db = check("marked", bytes(marked), ["IMG0050"])
    tap.equal(asset_codes(db, "camerawork"), ["IMG0060"], "marked: the order is told")
    for name, data, want in (
            ("ascii", content.cam, []),
            ("wide-file", content.cam.decode("ascii").encode("utf-16"), [])):
        db = check(name, data, [])
        tap.equal(asset_codes(db, "camerawork"), want, name + ": nothing embedded")
    # Text about memory is no memory.
    check("notes.txt", b"PS-X Control PAD Driver  Ver 3.0\n" * 4096, [])
    check("nothing", bytes(RAM), [])
    for word in ("12x", "", "0x", "0x100000000", "0x80800000", "0x1f800000", "0xc0000000", "-1"):
        tap.equal(program.run("scan", "-o", work.path("x.db"), "--address-base", word, "x").code, 2,
                  "--address-base %s is a usage error" % word)


def lies(tap, program, work, content):
    ram = content.ram()
    duck = duck_data(ram)
    deflated = zlib.compress(duck, 1)
    at = duck.index(b"Bus") + 3 + 64
    def check(name, data, want_codes, suffix="!/ram", assets_too=True):
        path = work.write("lies/" + name, data)
        db = scan(program, work, path, tap=tap, memory=(1 << 30) if MEMORY_IS_ITS_OWN else None)
        tap.equal(codes(db), want_codes, name + ": findings",
                  *query(db, "SELECT code, field, found, expected FROM finding"))
        if assets_too:
            raw = 0 if suffix == "!/ram" else assets_too
            tap.equal(assets(db, path + suffix), expected_at(raw if raw is not True else 0),
                      name + ": assets all the same")
        os.unlink(path)

    both = ["IMG0050", "IMG0051"]
    damaged = ["IMG0050", "IMG0052"]
    for version in (1, 41, 87, 60000):
        check("duck-version-%d" % version, duckstation(duck, 1, deflated, version=version), both)
    check("duck-moved", duckstation(duck_data(b"")[:5000] + b"\3\0\0\0Bus" +
                                    struct.pack("<I", RAM) + bytes(99) + ram + bytes(3000), 1,
                                    zlib.compress(b"".join([
                                        duck[:5000], b"\3\0\0\0Bus", struct.pack("<I", RAM),
                                        bytes(99), ram, bytes(3000)]), 1)), both)
    check("duck-false-marker", duckstation(
        b"\3\0\0\0Bus" + b"\xff" * 100 + duck, 1, zlib.compress(
            b"\3\0\0\0Bus" + b"\xff" * 100 + duck, 1)), ["IMG0050"])
    check("duck-longer", duckstation(duck, 1, deflated, raw_size=len(duck) + 1), damaged)
    check("duck-shorter", duckstation(duck, 1, deflated, raw_size=len(duck) - 1), damaged)
    check("duck-huge", duckstation(duck, 1, deflated, raw_size=0xffffffff), damaged)
    check("duck-packed-huge", duckstation(duck, 1, deflated, packed_size=0xffffffff),
          ["IMG0050"])
    check("duck-packed-short", duckstation(duck, 1, deflated, packed_size=len(deflated) - 9),
          damaged)
    check("duck-bomb", duckstation(duck, 1, zlib.compress(bytes(400 << 20), 9), raw_size=1 << 30),
          ["IMG0052"], assets_too=False)
    check("duck-codec", duckstation(duck, 9, deflated), ["IMG0047"], assets_too=False)
    check("duck-offset-low", duckstation(duck, 1, deflated, offset=8), ["IMG0052"],
          assets_too=False)
    check("duck-offset-high", duckstation(duck, 1, deflated, offset=0x7fffffff), ["IMG0052"],
          assets_too=False)
    check("duck-no-ram", duckstation(bytes(50000), 1, zlib.compress(bytes(50000))), ["IMG0052"],
          assets_too=False)
    spoilt = bytearray(deflated)
    spoilt[-3] ^= 0x55
    check("duck-checksum", duckstation(duck, 1, bytes(spoilt)), damaged)
    check("rearmed-version", pack(rearmed(ram, version=0x8b410007, header=70001)), both)
    check("rearmed-hle-flag", pack(rearmed(ram, hle=3, header=0x9999)), both)
    check("pcsxr", pack(rearmed(ram, name=b"STv4 PCSX v1.5", header=0x12345)), both)
    check("pcsxr-plain", rearmed(ram, name=b"STv4 PCSX v1.5", header=0x12345), both, "", 0x12345)
    core = b"AN UNKNOWN CORE" + ram + bytes(999)
    check("ra-unknown", retroarch(core), both, "", 16 + 15)
    check("ra-unknown.gz", pack(retroarch(core)), both)
    check("unknown.gz", pack(core), both, "!/unknown", 15)
    check("ra-size", retroarch(rearmed(ram), size=0x7fffffff), damaged, "", 16 + 0x9025)
    check("rzip-small-chunks", rzip(retroarch(rearmed(ram)), chunk=70001), ["IMG0050"])
    check("rzip-short", rzip(retroarch(rearmed(ram)), total=5 << 20),
          ["IMG0041", "IMG0050"])
    check("rzip-lengths", rzip(ram, total=0), ["IMG0041"], assets_too=False)
    check("ra-other", retroarch(bytes(0x61000)), [], assets_too=False)
    bare = content.ram(vectors=False, text=False)
    check("pcsxr-bare", rearmed(bare, name=b"STv4 PCSX v1.5", header=0x12344),
          ["IMG0051", "IMG0054", "IMG0056"], "", False)
    state = mednafen(ram, entry_size=0x7fffffff)
    check("mednafen-entry", state, damaged, "", state.index(b"MainRAM.data8") + 17)
    state = mednafen(ram, section_size=0xffffffff)
    check("mednafen-section", state, damaged, "", state.index(b"MainRAM.data8") + 17)
    state = mednafen(ram, section_size=0)
    check("mednafen-no-section", state, ["IMG0050", "IMG0051", "IMG0052"], "",
          state.index(b"MainRAM.data8") + 17)
    tap.equal(at, 5000 + 7 + 64, "the forged state is as the sheet says")


# ---- cuts and mutations ------------------------------------------------------------------------

def small_layouts(content):
    """One of each sort, with little in it that is not RAM."""
    ram = content.ram(fill=False)
    duck = duck_data(ram, before=50, behind=50)
    made = {
        "raw": ram,
        "duck-deflate": duckstation(duck, 1, zlib.compress(duck, 1), gap=0),
        "duck-xz": duckstation(duck, 3, lzma.compress(duck, preset=0), gap=0),
        "duck-plain": duckstation(duck, 0, gap=0),
        "redux.gz": pack(redux(ram)),
        "rearmed": rearmed(ram),
        "rearmed.gz": pack(rearmed(ram)),
        "mednafen": mednafen(ram),
        "mednafen.gz": pack(mednafen(ram)),
        "ra-mednafen": retroarch(mednafen(ram)),
        "ra-mednafen.rzip": rzip(retroarch(mednafen(ram))),
    }
    if shutil.which("zstd") is not None:
        made["duck-zstd"] = duckstation(duck, 2, zstandard(duck), gap=0)
    return made


def hurt(tap, program, work, title, files):
    """Scans many damaged files at once; twice, for the same rows."""
    folder = work.folder(title)
    for name, data in files:
        work.write("%s/%s" % (title, name), data)
    databases = []
    for turn in range(2):
        db = work.path("%s-%d.db" % (title, turn))
        result = program.run("scan", "-o", db, folder, timeout=300,
                             memory=(1 << 30) if MEMORY_IS_ITS_OWN else None)
        tap.equal((result.code, [line for line in result.errors.splitlines()
                                 if "framehound" in line]), (0, []),
                  "%s: scanned to the end" % title, result)
        rows = dump(db)
        databases.append(rows)
    tap.equal(databases[0], databases[1], "%s: the same each time" % title)
    paths = {r["path"] for r in databases[0]["source"]}
    missing = [n for n, data in files
               if not any(p.startswith(os.path.join(folder, n)) for p in paths)]
    tap.equal(missing, [], "%s: every file is accounted for" % title)
    shutil.rmtree(folder)
    return databases[0]


def cut_everywhere(tap, program, work, content):
    files = []
    told = 0
    missing = left_out(program)
    made = {n: d for n, d in small_layouts(content).items() if n not in missing}
    places = 100 // len(made) + 1
    for name, data in made.items():
        cuts = {len(data) * (2 * k + 1) // (2 * places) for k in range(places - 3)} | \
            {1, 40, len(data) - 1}
        for at in sorted(cuts):
            files.append(("%s-%d" % (name, at), data[:at]))
    rows = hurt(tap, program, work, "cuts", files)
    sources = {r["id"]: r["path"] for r in rows["source"]}
    faults = {}
    for row in rows["finding"]:
        base = os.path.basename(sources[row["source_id"]].split("!/")[0])
        faults.setdefault(base, set()).add(row["code"])
    silent = []
    for name, data in files:
        is_state = not name.startswith("raw")
        whole = made[name.rsplit("-", 1)[0]]
        # What is cut behind RAM is not told where the state does not say how long it is.
        behind = name.startswith("rearmed-") and len(data) >= 0x9025 + RAM
        if is_state and not behind and len(data) > 216 and \
                not faults.get(name, set()) & {"IMG0052", "IMG0041", "IMG0051"}:
            silent.append((name, len(data), len(whole), sorted(faults.get(name, ()))))
        told += 1
    tap.equal(silent, [], "all %d cuts are told" % told)


def mutated(tap, program, work, content):
    rng = random.Random(SEED)
    made = list(small_layouts(content).items())
    files = []
    for number in range(300):
        name, data = made[number % len(made)]
        data = bytearray(data)
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(min(len(data), 400)) if rng.random() < 0.6 else \
                rng.randrange(len(data))
            data[at] = rng.choice((0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)))
        files.append(("%s-%d" % (name, number), bytes(data)))
    for start in range(0, 300, 100):
        hurt(tap, program, work, "mutations-%d" % start, files[start:start + 100])


def main():
    import sys
    tap = Tap()
    program = Program(sys.argv)
    if shutil.which("zstd") is None:
        tap.skip("states packed with zstd", "zstd is not installed")
    with Workspace() as work:
        content = Content(program, work)
        every_layout(tap, program, work, content)
        special(tap, program, work, content)
        lies(tap, program, work, content)
        cut_everywhere(tap, program, work, content)
        mutated(tap, program, work, content)
    program.tell_unsound(tap)
    tap.done()


main()
