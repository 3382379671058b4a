"""Seeds of the targets that are no format: small, and as their reader wants them. TARGETS has for
each target a function of a Maker (make_seeds.py) that yields names and bytes."""
import bz2
import gzip
import io
import lzma
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(_ROOT, "tests", "corpus"), os.path.join(_ROOT, "tests", "e2e")]
import chd_forge  # noqa: E402
import pieces  # noqa: E402

LARGEST = 160 << 10  # bytes of a seed; engines are slow with longer ones
MARK = b"\x1c"


# ---- containers ----

def zipped(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, (1990, 1, 1, 0, 0, 0))
            info.compress_type = method
            archive.writestr(info, data)
    return out.getvalue()


def tarred(members, form=tarfile.USTAR_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def tool(name, *args, data=None, cwd=None):
    """What a program writes on its standard output; None where it is missing."""
    if shutil.which(name) is None:
        print(f"seeds.py: {name} is missing: a seed is left out", file=sys.stderr)
        return None
    return subprocess.run([name, *args], input=data, cwd=cwd, stdout=subprocess.PIPE,
                          check=True).stdout


def packed_by(data, name, *args):
    """The archive that a program makes of a file with one date."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.bin")
        with open(path, "wb") as file:
            file.write(data)
        os.utime(path, (631152000, 631152000))
        if tool(name, *args, cwd=folder) is None:
            return None
        with open(os.path.join(folder, args[-2]), "rb") as file:
            return file.read()


def ecm_number(kind, count):
    count -= 1
    out = [kind | (count & 31) << 2]
    count >>= 5
    while count:
        out[-1] |= 128
        out.append(count & 127)
        count >>= 7
    return bytes(out)


def ecm():
    """One record of each kind; the sum at the end is wrong, which is told behind all bytes."""
    return b"ECM\0" + ecm_number(0, 40) + bytes(range(40)) + \
        ecm_number(1, 1) + b"\0\2\0" + b"a" * 2048 + ecm_number(2, 1) + b"\0\0\x08\0" + \
        b"b" * 2048 + ecm_number(3, 1) + b"\0\0\x20\0" + b"c" * 2324 + \
        b"\xfc\xff\xff\xff\x3f" + bytes(4)


def duckstation(data, compression, packed=None):
    packed = data if packed is None else packed
    head = b"DUCC" + struct.pack("<I", 86) + b"A title".ljust(128, b"\0") + \
        b"SLUS-00000".ljust(32, b"\0") + struct.pack("<III", 0, 216, 0) + bytes(20) + \
        struct.pack("<IIII", compression, len(packed), len(data), 216)
    return head + packed


# Archives that nothing here writes: one stored file each.

def cpio(name, data):
    def member(path, body):
        fields = (1, 0o100644, 0, 0, 1, 0, len(body), 0, 0, 0, 0, len(path) + 1, 0)
        head = (b"070701" + b"".join(b"%08x" % field for field in fields) + path + b"\0")
        return head + bytes(-len(head) % 4) + body + bytes(-len(body) % 4)
    return member(name, data) + member(b"TRAILER!!!", b"")


def unix_ar(name, data):
    head = name.ljust(16) + b"0".ljust(12) + b"0".ljust(6) + b"0".ljust(6) + b"644".ljust(8) + \
        str(len(data)).encode().ljust(10) + b"`\n"
    return b"!<arch>\n" + head + data + b"\n" * (len(data) % 2)


def cab(name, data):
    file = struct.pack("<IIHHHH", len(data), 0, 0, 0, 0, 0x20) + name + b"\0"
    first = 36 + 8 + len(file)
    total = first + 8 + len(data)
    block = struct.pack("<IHH", 0, len(data), len(data)) + data
    return b"MSCF" + struct.pack("<5IBB5H", 0, total, 0, 44, 0, 3, 1, 1, 1, 0, 0, 0) + \
        struct.pack("<IHH", first, 1, 0) + file + block


def lha(name, data):
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xa001 if crc & 1 else 0)
    rest = b"-lh0-" + struct.pack("<IIIBBB", len(data), len(data), 0, 0x20, 0, len(name)) + name + \
        struct.pack("<H", crc)
    return bytes([len(rest), sum(rest) & 0xff]) + rest + data + b"\0"


def rar(name, data):
    def block(body):
        return struct.pack("<H", chd_forge.zlib.crc32(body) & 0xffff) + body
    return b"Rar!\x1a\x07\0" + block(struct.pack("<BHH6x", 0x73, 0, 13)) + block(
        struct.pack("<BHHIIBIIBBHI", 0x74, 0x8000, 32 + len(name), len(data), len(data), 3,
                    chd_forge.zlib.crc32(data), 0, 20, 0x30, len(name), 0o100644) + name) + data


def rar5(name, data):
    def block(body):
        body = bytes([len(body)]) + body
        return struct.pack("<I", chd_forge.zlib.crc32(body)) + body
    return b"Rar!\x1a\x07\1\0" + block(bytes([1, 0, 0])) + \
        block(bytes([2, 2, len(data), 0, len(data), 0, 0, 1, len(name)]) + name) + data + \
        block(bytes([5, 0, 0]))


def bomb():
    """More than may come out of it: FH_BOX_FREE_BYTES, and 256 for each byte (source/limits.h)."""
    packer = chd_forge.zlib.compressobj(9, chd_forge.zlib.DEFLATED, -15)
    block = packer.compress(bytes(1 << 20)) + packer.flush(chd_forge.zlib.Z_FULL_FLUSH)
    inner = b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + block * 320 + b"\3\0" + bytes(8)
    return gzip.compress(inner, mtime=0)


def retroarch(core):
    return b"RASTATE\1" + b"ACHV" + struct.pack("<I", 3) + b"abc".ljust(8, b"\0") + \
        b"MEM " + struct.pack("<I", len(core)) + core + bytes(-len(core) % 8) + b"END " + bytes(4)


def chd_file(codecs=("zlib",), **how):
    first, second = b"the same again and again, " * 157 + b"end...", bytes(4088)
    first, second = first[:4088], second[:4088]
    entries = [chd_forge.Entry(0, chd_forge.deflate(first), first),
               chd_forge.Entry(chd_forge.STORED, second, second),
               chd_forge.Entry(chd_forge.SELF, number=0)]
    return chd_forge.build(entries, 4088, 511, codecs, data=first + second + first, **how)


def cd_chd():
    frames = bytearray()
    for i in range(4):
        sector = chd_forge.SYNC + bytes([0, 2, i, 2]) + bytes([0, 0, 8, 0] * 2) + b"d" * 2048
        frames += sector.ljust(2448, b"\0")
    hunk = bytes(frames)
    packed = chd_forge.cd_hunk(hunk, chd_forge.deflate, chd_forge.deflate, ecc_frames=(1, 2))
    text = "TRACK:1 TYPE:MODE2_RAW SUBTYPE:NONE FRAMES:8 PREGAP:0 PGTYPE:MODE1 PGSUB:RW POSTGAP:0"
    return chd_forge.build([chd_forge.Entry(0, packed, hunk), chd_forge.Entry(chd_forge.SELF)],
                           len(hunk), 2448, ("cdzl",), metadata=(("CHT2", text),))


def containers(_maker):
    data = b"The quick brown fox jumps over the lazy dog.\n" * 40
    tar, small = tarred([("a/b.bin", data), ("c", b"x")]), gzip.compress(data, mtime=0)
    state = b"\3\0\0\0Bus" + struct.pack("<I", 2 << 20) + bytes(60 + 3000)
    made = {
        "stored.zip": zipped([("a.bin", data), ("b.bin", b"b"), ("d/", b"")], zipfile.ZIP_STORED),
        "deflated.zip": zipped([("a.bin", data)]),
        "bzip2.zip": zipped([("a.bin", data)], zipfile.ZIP_BZIP2),
        "lzma.zip": zipped([("a.bin", data)], zipfile.ZIP_LZMA),
        "ustar.tar": tar,
        "gnu.tar": tarred([("n" * 120, data)], tarfile.GNU_FORMAT),
        "pax.tar": tarred([("\u00e4" * 120, data)], tarfile.PAX_FORMAT),
        "tar.gz": gzip.compress(tar, mtime=0),
        "parts.gz": small + small + bytes(20),
        "tar.bz2": bz2.compress(tar),
        "tar.xz": lzma.compress(tar),
        "lzma": lzma.compress(data, format=lzma.FORMAT_ALONE),
        "zst": tool("zstd", "-q", "-c", data=data),
        "lz4": tool("lz4", "-q", "-c", data=data),
        "lz": tool("lzip", "-q", "-c", data=data),
        "7z": packed_by(data, "7z", "a", "-bd", "-mtm=off", "out.7z", "a.bin"),
        "zlib": chd_forge.zlib.compress(data),
        "cdz": cdz([(b"CUE\0", b"REM\n"), (b"BIN\0", data)]),
        "old.cdz": cdz([(None, b"REM\n"), (None, data)]),
        "rzip": rzip(data, 1, chd_forge.zlib.compress),
        "zstd.rzip": rzip(data, 2, lambda part: tool("zstd", "-q", "-c", data=part) or b""),
        "ecm": ecm(),
        "ecm.gz": gzip.compress(ecm(), mtime=0),
        "chd": chd_file(),
        "cd.chd": cd_chd(),
        "state-plain": duckstation(state, 0),
        "state-zlib": duckstation(state, 1, chd_forge.zlib.compress(state)),
        "state-zstd": duckstation(state, 2, tool("zstd", "-q", "-c", data=state) or b""),
        "state-xz": duckstation(state, 3, lzma.compress(state)),
        "retroarch": retroarch(state),
        "retroarch.gz": gzip.compress(retroarch(mednafen()), mtime=0),
        "cpio": cpio(b"a.bin", data),
        "ar": unix_ar(b"a.bin/", data),
        "cab": cab(b"a.bin", data),
        "lha": lha(b"a.bin", data),
        "rar": rar(b"a.bin", data),
        "rar5": rar5(b"a.bin", data[:100]),
        "nested.zip": zipped([("a.zip", zipped([("b.gz", small), ("c.ecm", ecm())])),
                              ("d.chd", chd_file())]),
        "bomb.gz": bomb(),
    }
    for name, bytes_ in made.items():
        if bytes_ is not None:
            yield name, bytes_


def cdz(chunks):
    out = b"CDZ" + bytes([chunks[0][0] is not None])
    for name, data in chunks:
        packed = chd_forge.zlib.compress(data)
        body = b"ZLIB" + struct.pack("<QIII", len(data), 1, len(packed), len(data)) + packed
        out += (name + struct.pack("<Q", len(body)) if name is not None else b"") + body
    return out


def rzip(data, version, pack, chunk=700):
    """In chunks so short that there are several."""
    out = b"#RZIPv" + bytes([version]) + b"#" + struct.pack("<IQ", chunk, len(data))
    for at in range(0, len(data), chunk):
        packed = pack(data[at:at + chunk])
        out += struct.pack("<I", len(packed)) + packed
    return out


def chds(_maker):
    """Behind their head, as fuzz_chd.c wants them."""
    made = {"zlib": chd_file(), "cd": cd_chd(),
            "parent": chd_file(parent=b"p" * 20,
                               metadata=(("GDDD", "CYLS:1"), ("CHTR", "TRACK:1"))),
            "circle": chd_file(metadata=(("AAAA", "x"), ("BBBB", "y")), circle=True)}
    for name, data in made.items():
        yield name, bytes([6]) + data[16:]
    for number in range(6):
        yield f"codecs-{number}", bytes([number]) + chd_file()[16:]


# ---- patches and images ----

def patch(off, data):
    return off.to_bytes(3, "little") + bytes([len(data)]) + data


def pbps(_maker):
    archive = 0x400
    yield "disc", b"\0"
    yield "set", b"\1"
    yield "cut", bytes([100 << 1 & 254])
    yield "block", b"\0" + patch(archive + 0x4000, struct.pack("<IH", 5, 30000))
    yield "blocks", b"\0" + b"".join(
        patch(archive + 0x4000 + 32 * i, struct.pack("<IH", 100 * i, 100)) for i in range(2, 8))
    yield "discs", b"\1" + patch(archive + 0x200, struct.pack("<5I", 0x8000, 1, 0x8000, 2, 3))
    yield "locked", b"\0" + patch(archive + 0x400, b"_SLPS_12345")
    yield "version", b"\0" + patch(4, b"\0\0\2\0")


NO_SYNC, BAD_ADDRESS, REPEATS, JUMPS = 1, 2, 4, 8
RIGHT_EDC, DIFFER, PATCHED, VOLUME = 16, 32, 64, 128


def run(num, special=0, mode=2, file=0, channel=0, submode=8, coding=0, fill=0x41, patch_=None):
    special |= PATCHED if patch_ else 0
    out = bytes([special, num, mode, file, channel, submode, coding, fill])
    if patch_:
        out += patch_[0].to_bytes(2, "little") + bytes([len(patch_[1])]) + patch_[1]
    return out


def both(number, size):
    return number.to_bytes(size, "little") + number.to_bytes(size, "big")


def record_of(name, block, size, flags):
    body = b"\0" + both(block, 4) + both(size, 4) + bytes([90, 1, 1, 0, 0, 0, 0, flags, 0, 0]) + \
        both(1, 2) + bytes([len(name)]) + name + bytes(1 - len(name) % 2)
    return bytes([len(body) + 1]) + body


def tree_of(layout=2):
    """A volume whose root is block 18 and has a file from block 19 on."""
    root = record_of(b"\0", 18, 2048, 2)
    volume = b"\1CD001\1".ljust(80, b"\0") + both(29, 4) + bytes(32) + both(1, 2) + both(1, 2) + \
        both(2048, 2) + both(10, 4) + bytes(16) + root
    records = root + record_of(b"\1", 18, 2048, 2) + record_of(b"A.BIN;1", 19, 20000, 0)
    records += b"\0" * (254 - len(records))
    return bytes([layout]) + run(15, RIGHT_EDC) + run(0, RIGHT_EDC, patch_=(24, volume)) + \
        run(0, RIGHT_EDC, patch_=(24, b"\xffCD001\1")) + \
        run(0, RIGHT_EDC, fill=0, patch_=(24, records)) + run(9, RIGHT_EDC)


def disc_of(layout=2):
    return bytes([layout]) + run(15, RIGHT_EDC) + run(0, VOLUME) + run(20, RIGHT_EDC) + \
        run(9, 0, 2, 1, 1, 0x64, 1)


def sectors(_maker):
    for layout in range(5):
        yield f"layout-{layout}", b"\0" + disc_of(layout)
    yield "before", b"\0" + bytes([0x92 + 5]) + disc_of()[1:]
    yield "audio", b"\0\2" + run(19) + run(23, NO_SYNC) + run(23, NO_SYNC)
    yield "mode1", b"\0\2" + run(19, RIGHT_EDC, 1) + run(3, 0, 0) + run(3, RIGHT_EDC, 1)
    yield "odd", b"\0\2" + run(5) + run(2, REPEATS) + run(9, JUMPS) + run(5, BAD_ADDRESS) + \
        run(3, DIFFER) + run(3, 0, 7) + run(9, REPEATS)
    yield "interleaved", b"\0\2" + b"".join(run(0, 0, 2, 1, i % 4, 0x08 if i % 2 else 0x64, 1)
                                            for i in range(24))
    yield "movie", b"\0\2" + b"".join(
        run(0, 0, 2, 1, 0, 0x48, 0, 0,
            (24, b"\x60\x01\x01\x80" + struct.pack("<HHII", i, 9, 1, 9000)))
        for i in range(9)) + run(9, 0, 2, 1, 1, 0x64, 1)
    for choice in range(1, 7):
        yield f"asked-{choice}", bytes([choice]) + disc_of()
    yield "tree", b"\0" + tree_of()


def volumes(_maker):
    block = 2048
    yield "sound", b""
    yield "loop", patch(21 * block + 34 + 14 + 48 + 2, struct.pack("<I", 20))
    yield "long", patch(20 * block + 10, struct.pack("<I", 20 * block))
    yield "joliet", patch(17 * block + 158, struct.pack("<I", 20) + struct.pack(">I", 20))
    yield "extents", patch(20 * block + 96 + 48 + 25, b"\x80") + \
        patch(20 * block + 96 + 54 + 25, b"\x80")
    yield "interleaved", patch(20 * block + 96 + 48 + 26, b"\1\3")
    yield "table", patch(19 * block + 10, b"\1\0\x17\0\0\0\3\0A\0")
    yield "name", patch(20 * block + 96 + 33, b"/")
    yield "two", patch(18 * block, b"\1")


# ---- sheets ----

CUE = b"""CATALOG 0000000000000
FILE "disc.bin" BINARY
  TRACK 01 MODE2/2352
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    FLAGS DCP
    PREGAP 00:02:00
    INDEX 00 00:00:20
    INDEX 01 00:00:25
"""
CCD = b"""[CloneCD]
Version=3
[Disc]
TocEntries=5
Sessions=1
[Entry 0]
Session=1
Point=0xa0
Control=0x04
PLBA=-150
[Entry 3]
Session=1
Point=0x01
Control=0x04
PLBA=0
[Entry 4]
Session=1
Point=0x02
Control=0x00
PLBA=25
[TRACK 1]
MODE=2
INDEX 1=0
[TRACK 2]
MODE=0
INDEX 0=20
INDEX 1=25
"""


def mds():
    track = lambda mode, point, length, lba, extra, off: struct.pack(  # noqa: E731
        "<4B6s2BIH18sIQIII", mode, 0, 0x14, 0, b"", 0, 0, extra, length, b"", lba, off, 1,
        0x58 + 24 + 3 * 80 + 16, 0)[:80].ljust(80, b"\0")[:4] + bytes([point]) + bytes(75)
    blocks = b"".join([track(0, 0xa0, 0, 0, 0, 0), track(0xaa, 1, 2352, 0, 0, 0),
                       track(0xa9, 2, 2352, 25, 0, 25 * 2352)])
    head = b"MEDIA DESCRIPTOR\1\3" + struct.pack("<HH", 0, 1) + bytes(0x50 - 22) + \
        struct.pack("<II", 0x58, 0)
    session = struct.pack("<iiHBBHHII", -150, 40, 1, 3, 3, 1, 2, 0, 0x58 + 24)
    footer = struct.pack("<II", 0x58 + 24 + 240 + 16 + 16, 0) + bytes(8)
    return (head + session).ljust(0x58 + 24, b"\0") + blocks + bytes(16) + footer + b"*.mdf\0"


def nrg(image_len, old=False):
    def chunk(name, data):
        return name + struct.pack(">I", len(data)) + data
    form, word = ("DAOI", ">III") if old else ("DAOX", ">QQQ")
    head = struct.pack("<I", 22) + bytes(14) + bytes([0, 0, 1, 2])
    tracks = b""
    for mode, first, end in ((6, 0, 20 * 2352), (7, 20 * 2352, image_len)):
        tracks += bytes(12) + struct.pack(">HBBH", 2352, mode, 0, 1) + \
            struct.pack(word, first, first, end)
    chunks = chunk(b"CUES" if old else b"CUEX", bytes(16)) + \
        chunk(form.encode(), head + tracks) + chunk(b"SINF", struct.pack(">I", 2)) + \
        chunk(b"END!", b"")
    return chunks + (b"NERO" + struct.pack(">I", image_len) if old
                     else b"NER5" + struct.pack(">Q", image_len))


def nrg_one_by_one(image_len, tag):
    word, row = {b"ETN2": ("Q", ">QQIIQ"), b"ETNF": ("I", ">IIIII"), b"TINF": ("I", ">III")}[tag]
    rows = b"".join(struct.pack(row, *(track + (0,))[:len(row) - 1]) for track in (
        (0, 19 * 2352, 6, 0), (20 * 2352, image_len - 20 * 2352, 7, 170)))
    return tag + struct.pack(">I", len(rows)) + rows + b"END!" + bytes(4) + \
        (b"NER5" if word == "Q" else b"NERO") + struct.pack(">" + word, image_len)


def sheets(_maker):
    image = bytes([2]) + run(19, RIGHT_EDC) + run(23, NO_SYNC)
    two = CUE.replace(b"disc.bin", b"A B.BIN") + b'FILE disc.img BINARY\nTRACK 03 MODE1/2048\n' \
        b'INDEX 01 00:00:00\nFILE "sound.wav" WAVE\nTRACK 04 AUDIO\nINDEX 01 00:00:00\n'
    yield "cue", b"\0" + CUE + MARK + image
    yield "two.cue", b"\0" + two + MARK + image
    yield "sessions.cue", b"\0" + b"REM SESSION 02\n" + CUE + b"POSTGAP 00:01:00\n" + MARK + image
    yield "outside.cue", b"\0" + CUE.replace(b"disc.bin", b"../disc.bin") + MARK + image
    yield "itself.cue", b"\0" + CUE.replace(b"disc.bin", b"disc.cue") + MARK + image
    yield "case.cue", b"\0" + CUE.replace(b"disc.bin", b".\\x\\DISC.BIN") + MARK + image
    yield "ccd", b"\1" + CCD + MARK + image
    yield "mds", b"\2" + mds() + MARK + image
    yield "nrg", b"\3" + nrg(44 * 2352) + MARK + image
    yield "old.nrg", b"\3" + nrg(44 * 2352, True) + MARK + image
    yield "cdi", b"\3" + bytes([1, 0, 2, 0]) + bytes(4) + \
        2 * (b"\0\0\1\0\0\0" + b"\xff" * 4) + bytes(20) + struct.pack("<II", 0x80000006, 56) + \
        MARK + image
    for tag in (b"ETN2", b"ETNF", b"TINF"):
        yield tag.decode() + ".nrg", b"\3" + nrg_one_by_one(44 * 2352, tag) + MARK + image


# ---- memory ----

def entry(name, data):
    return bytes([len(name)]) + name + struct.pack("<I", len(data)) + data


def section(name, data):
    return name.ljust(32, b"\0") + struct.pack("<I", len(data)) + data


def mednafen():
    return b"MDFNSVST" + bytes(8) + struct.pack("<IIII", 0x102300, 4000, 0, 0) + \
        section(b"MDEC", entry(b"Command", bytes(4))) + \
        section(b"MAIN", entry(b"CPUCount", bytes(4)) + entry(b"MainRAM.data8", b"r" * 300))


def memories(_maker):
    whole = b"MDFNSVST" + bytes(8) + struct.pack("<IIII", 0x102300, 4000, 0, 0) + \
        b"MAIN".ljust(32, b"\0") + struct.pack("<I", (2 << 20) + 18) + b"\x0dMainRAM.data8" + \
        struct.pack("<I", 2 << 20)
    rearmed = b"STv4 PCSXra 1.9".ljust(32, b"\0") + struct.pack("<IB", 0x8b410006, 0)
    redux = b"\x0a\x03abc\x1a" + b"\x8a\x80\x80\x04" + b"\x0a" + b"\x80\x80\x80\x04"
    for number in range(7):
        yield f"dump-{number}", bytes([number, 3])
        yield f"text-{number}", bytes([number, 2])
    yield "shifted", bytes([4, 0x41])
    yield "mednafen", bytes([0, 0]) + mednafen()
    yield "mednafen-whole", bytes([5, 1]) + whole
    yield "picture", bytes([0, 0]) + mednafen()[:24] + struct.pack("<II", 2, 2) + bytes(12) + \
        mednafen()[32:]
    yield "rearmed", bytes([5, 0]) + rearmed
    yield "retroarch", bytes([0, 0]) + retroarch(mednafen())
    yield "retroarch-whole", bytes([6, 0]) + retroarch(whole)[:-8]
    yield "pcsx", bytes([4, 5]) + b"STv4 PCSX 1.5"
    yield "redux", bytes([6, 0]) + redux
    yield "duck", bytes([5, 0]) + duckstation(b"", 0)[:216 - 16] + \
        struct.pack("<IIII", 0, 2 << 20, 2 << 20, 216) + MARK + patch(300, b"\3\0\0\0Bus\0\0\x20\0")


# ---- the scan ----

def corpus_files(maker, name, most):
    """(name, bytes) of the small files that the descriptions of a corpus folder are scanned as."""
    def refuse(_words):
        raise pieces.Wrong("needs the program")
    for description in maker.descriptions(name):
        with tempfile.TemporaryDirectory() as folder:
            try:
                pieces.build(maker.forge, description, folder, refuse)
            except pieces.Wrong:
                continue
            for made in sorted(os.listdir(folder)):
                path = os.path.join(folder, made)
                if os.path.isfile(path) and 0 < os.path.getsize(path) <= most:
                    with open(path, "rb") as file:
                        yield f"{os.path.basename(description)[:-6]}-{made}", file.read()


def scans(maker):
    how, seen = 0, set()
    for name, data in corpus_files(maker, "image", 64 << 10):
        if data not in seen:
            seen.add(data)
            yield name, bytes([how * 7 & 0x7f if len(seen) % 3 == 0 else 0]) + data
            how += 1
    for name in ("tod", "hmd", "tra", "camerawork"):
        for number, (asset, data) in enumerate(maker.assets(name)):
            if number % 12 == 0 and len(data) < 16384:
                yield asset, b"\0" + data
                yield asset + ".inside", b"\x40" + bytes(52) + data + bytes(100)


# ---- decoders and what they stand on ----

def mapped(maker):
    yield from ((name, data) for name, data in maker.assets("hmd") if len(data) < 8192)


WORDS = b"""0 -0 +7 007 2147483647 -2147483648 2147483648 1.5 .5 5. 1e5 1E+05 -1.000000e-040
4.9e-324 1.7976931348623157e308 1.8e308 3.4028235e38 3.4028236e38 1.17549435e-38 1e-45 7e-46
9007199254740993 0.1 0x1f 1,5 1'000 ++1 1e 1e+ nan inf -1.#IND 1.#QNAN 1.0x word \"1\" ( a ) ;
"""


def texts(maker):
    numbers = (0, 1, -1, 0.1, 1 / 3, 5e-324, 2.2e-308, 1.7e308, 3.4e38, 1e-45, 16777217, 1e23)
    for style in range(4):
        for number, value in enumerate(numbers):
            yield f"words-{style}-{number}", \
                bytes([style + 4 * number * 5 & 0xff]) + struct.pack("<d", value) + WORDS
        for name, line in (("string", b'"a b" "c\r\n"d;"e'), ("remark", b"; a\n;\xe4(b) #c\r"),
                           ("mark", b"\xef\xbb\xbfkf(1)"), ("control", b"a\0b\x0cc\x7f\x0b d\t")):
            yield f"{name}-{style}", bytes([style]) + bytes(8) + line
    for name in ("tra", "camerawork"):
        for number, (asset, data) in enumerate(maker.assets(name)):
            if number % 8 == 0 and len(data) < 2048:
                yield asset, bytes([name == "camerawork"]) + bytes(8) + data


# ---- files of the gate ----

CONFIG = b"""[check]
select = TOD, HMD00
 TRA4, CAM
ignore = TOD0022 ; not here
fail-on = warning
min-severity = note
profile = default
bac = none
baseline = known.baseline
[severity]
TOD0022 = error
HMD = off
[per-file-ignores]
*.tod = TOD
old/**/[!a-c]?.hmd = ALL
!new/ = CAM*
[per-file-severity]
\\*.tra = TRA=note, TRA0001=off
"""


def configs(_maker):
    yield "all", CONFIG
    yield "mark", b"\xef\xbb\xbf# a comment\r\n[check]\r\nselect=ALL\r\n"
    yield "empty", b"\n"
    lines = (b"select =", b"fail-on = never", b"profile = strict", b"[checks]", b"a = b",
             b"select : TOD", b"[severity]\nTOD = x")
    for number, line in enumerate(lines):
        yield f"line-{number}", b"[check]\n" + line + b"\n"
    yield "stars", b"[per-file-ignores]\n" + b"*a" * 40 + b" = TOD\n**/**/**/x* = ALL\n"


def baselines(_maker):
    head = b"# framehound baseline 1\n"
    one, two = b"ab" * 32, b"0123456789abcdef" * 4
    yield "sound", head + one + b" TOD0022 3 # walk.tod\n" + two + b" HMD0001 1\n"
    yield "twice", head + one + b" TOD0022 3\n\n# x\n" + one + b" TOD0022 9 # ../a\\x20b\n"
    yield "dos", head.replace(b"\n", b"\r\n") + one + b" CAM0001 8388608 # a\r\n"
    yield "merge", head + b"<<<<<<< ours\n" + one + b" TOD0022 3\n"


def locks(_maker):
    def asset(path, lines):
        return b"asset " + path + b"\nformat tod\nevaluator tod-player 1.31\nhash " + b"5c" * 32 + \
            b"\n" + lines
    rows = b"table object slot:name model:name t0:int roll:real\ntable bone bone:int x:real\n" \
        b"frame 0\nobject 1 3 -12 0.5\nbone 1 -0\nframe 2\nobject 1 - 5 x7ff8000000000000\n" \
        b"object 2 1 9223372036854775799 1e-300\nend 2\n"
    head = b"framehound poses 1\n"
    yield "sound", head + asset(b"a%20b/walk.tod", rows) + asset(b"z.tod", b"end long\n")
    yield "empty", head
    yield "none", head + asset(b"x", b"end 0\n")
    yield "twice", head + asset(b"x", b"end 0\n") * 2


# ---- what other processes and former runs say ----

UNKNOWN = 1 << 63  # FH_UNKNOWN as it is packed


def u64(*values):
    return struct.pack(f"<{len(values)}Q", *values)


def text_of(text):
    """As fh_put_str."""
    return u64(2 ** 64 - 1) if text is None else u64(len(text)) + text + b"\0"


def packed_asset(grade=1, length=108, address=UNKNOWN, stage=None):
    return u64(grade, length, 2, 1, 99, address) + text_of(stage) + text_of(b"") + \
        text_of(None) + u64(0, 0)


def packed_replay(evaluator=b"tod-player 1.31"):
    return u64(evaluator is not None, 0) + text_of(evaluator) + u64(2, 2)


def packed_hash(fill=None):
    return u64(fill is not None) + bytes([fill or 0]) * 32


def packed_finding(code, field=b"field", offset=UNKNOWN, index=0, table=0):
    return u64(table, index) + text_of(code) + text_of(field) + \
        u64(offset, UNKNOWN, UNKNOWN, UNKNOWN) + text_of(b"1") + text_of(b"2") + text_of(b"")


def packed_answer(status=0, findings=(), **how):
    return u64(status) + packed_asset(**how) + packed_replay() + packed_hash(1) + packed_hash(2) + \
        u64(0, len(findings)) + b"".join(findings)


def answers(_maker):
    """A byte that says how; patches of the right answer, an answer, or one behind its length."""
    raw, framed, search, memory, spent, unasked = 1, 2, 4, 8, 16, 32
    finding = packed_finding(b"TOD0001", offset=20)
    for how in (0, search, search | memory, search | spent, search | memory | spent,
                search | unasked):
        yield f"right-{how}", bytes([how])
        for place in (8, 16, 24, 48):
            yield f"patched-{how}-{place}", bytes([how]) + patch(place, u64(2 ** 63 - 1))
    made = {"sound": packed_answer(), "found": packed_answer(findings=[finding] * 3),
            "far": packed_answer(findings=[packed_finding(b"TOD0001", offset=109)]),
            "address": packed_answer(address=0x80010040), "stage": packed_answer(stage=b"linked"),
            "long": packed_answer(length=109), "odd": packed_answer(status=9)}
    for name, data in made.items():
        yield name, bytes([raw | search]) + data
        yield name + "-memory", bytes([raw | search | memory]) + data
        yield name + "-framed", bytes([raw | framed]) + u64(len(data)) + data
    yield "unasked", bytes([raw | unasked]) + made["sound"]
    yield "cut", bytes([raw | framed]) + u64(400) + made["sound"]
    yield "behind", bytes([raw | framed]) + u64(10) + made["sound"]
    yield "too-long", bytes([raw | framed]) + u64(60001) + made["sound"]


def packed_result(findings=(), form=b"tod", why=None):
    return b"r" + text_of(b"complete") + text_of(why) + text_of(form) + packed_asset() + \
        packed_hash(1) + packed_replay() + packed_hash(2) + u64(len(findings)) + b"".join(findings)


def caches(_maker):
    """A byte that says what it is; what is kept, patches of that, or of the file."""
    kept, patched, file = b"\0", b"\1", b"\2"
    told = u64(3, 7, 0, 4) + b"abcd"
    finding = packed_finding(b"TOD0001", offset=20) + told
    yield "sound", kept + packed_result()
    yield "found", kept + packed_result([finding] * 2)
    for form in range(1, 10):  # of reports; as a page it is not told
        yield f"told-{form}", bytes([3 * form]) + packed_result([finding])
    yield "none", kept + packed_result(form=None, why=b"empty")
    yield "far", kept + packed_result([packed_finding(b"TOD0001", offset=5000) + told])
    yield "excerpt", kept + packed_result([packed_finding(b"TOD0001") + told])
    yield "excerpt-of-nothing", kept + packed_result(
        [packed_finding(b"TOD0001") + u64(0, 0, 1, 0)])
    yield "other-rule", kept + packed_result([packed_finding(b"TOD0002") + told])
    yield "many", kept + packed_result()[:-8] + u64(1 << 40)
    yield "behind", kept + packed_result() + b"x"
    for name in (b"ctra", b"ctod", b"c", b"cnone", b"c" + b"x" * 40):
        yield "companion-" + name.decode(), kept + name
    yield "same", patched
    for place in (0, 1, 60, 120, 200):
        yield f"patched-{place}", patched + patch(place, b"\xff\xff\xff\x7f")
    yield "file", file
    for place in (0, 8, 40, 48, 90):
        yield f"file-{place}", file + patch(place, b"\1")


def listings(_maker):
    """A byte that says what ends a name, how long the pieces are, and whether it is a table."""
    lines = (b"b/c.tod\na.tod\n\nb/c.tod\nb.tod\nb/a\n", b"a\tx\ty\n\tb\n", b"last", b"\n\n",
             b"a\0b\n", b"a\r\nb\xff\n", b"x" * 300 + b"\n")
    for number, text in enumerate(lines):
        for how in (0, 2, 3 << 2, 63 << 2):
            yield f"lines-{number}-{how}", bytes([how]) + text
            yield f"zeros-{number}-{how}", bytes([how | 1]) + text.replace(b"\n", b"\0")


def schema_text(name):
    """What makes a table, to the letter: a scan goes on with no database that has another text of
    it (reports/store/own.c)."""
    with open(os.path.join(_ROOT, "reports", "store", "schema.c"), encoding="utf-8") as file:
        literal = re.search(r"fh_sql_%s\[\] =\s*((?:\"[^\n]*\"\s*)+);" % name, file.read()).group(1)
    return "".join(re.findall(r'"([^\n]*)"', literal)).replace("\\n", "\n")


def stores(_maker):
    """SQL that somebody ran on the database, and bytes that were changed behind it."""
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT %s FROM n"
    columns = {
        "piece": "1 AS asset_id, i AS asset_offset, 0 AS raw_offset, 1 AS length",
        "rule": "'TST0001' AS code, 'tst' AS format, 'note' AS severity, 'a' AS title, "
                "'b' AS explanation",
        "tally": "1 AS source_id, i AS format, '' AS grade, 1 AS assets, 1 AS bytes, "
                 "1 AS longest, 1 AS frames, 1 AS errors, 1 AS warnings, 1 AS notes",
        "overall": "'bytes' AS what, i AS name, 1 AS number, 1 AS amount",
        "source": "i AS id, 1 AS scan_id, i AS path, '' AS kind, '' AS layout, 1 AS size, "
                  "'' AS sha256, 'complete' AS status"}
    for number in range(10):
        yield f"sound-{number}", MARK + patch(90, bytes([number]))
    for name, what in columns.items():
        yield f"view-{name}", (f"DROP TABLE {name};CREATE VIEW {name} AS " +
                               endless % what).encode() + MARK
        yield f"forged-{name}", (
            f"UPDATE sqlite_schema SET sql = 'CREATE VIEW {name} AS " +
            (endless % what).replace("'", "''") + f"' WHERE name = '{name}'").encode() + MARK
    yield "places", b"CREATE VIEW shard_place AS " + \
        (endless % "i AS source_id, i AS place").encode() + MARK
    yield "generated", b"ALTER TABLE finding ADD COLUMN x TEXT AS (hex(zeroblob(400000)))" + MARK
    yield "long", b"UPDATE finding SET message = hex(zeroblob(60000))" + MARK
    yield "negative", b"UPDATE asset SET raw_offset = -5, length = 9223372036854775807" + MARK
    yield "null", b"UPDATE asset SET sha256 = 'zz'; UPDATE source SET sha256 = NULL" + MARK
    yield "orphans", b"PRAGMA foreign_keys = OFF; DELETE FROM source WHERE id = 1" + MARK
    yield "pieces", b"INSERT INTO piece VALUES (1, 0, 0, 400), (1, 400, 9, 100), (2, 9, 9, 9)" + \
        MARK
    yield "older", b"DROP TABLE piece; DROP TABLE coverage; DROP TABLE tally; " \
        b"DROP TABLE overall; PRAGMA user_version = 1" + MARK
    yield "earlier", b"DROP TABLE tally; DROP TABLE overall; " \
        b"PRAGMA user_version = 3" + MARK
    yield "earlier-sums", b"DROP TABLE tally; DROP TABLE overall; " \
        b"PRAGMA user_version = 3; " \
        b"UPDATE asset SET length = 9223372036854775807, format = id, grade = ''" + MARK
    yield "sums", b"UPDATE tally SET assets = -1, bytes = 9223372036854775807, " \
        b"longest = NULL" + MARK
    yield "before", b"DROP TABLE overall; PRAGMA user_version = 4" + MARK
    kept = b"UPDATE overall SET number = 1; INSERT INTO overall SELECT 'bytes', sha256, %s, 0 " \
        b"FROM asset WHERE true ON CONFLICT DO NOTHING; INSERT INTO overall SELECT 'rule', code, " \
        b"%s, 1 FROM finding WHERE true ON CONFLICT DO NOTHING"
    yield "kept", kept % (b"2", b"3") + MARK
    yield "kept-most", kept % (b"9223372036854775807", b"9223372036854775807") + MARK
    yield "kept-least", kept % (b"-9223372036854775807", b"-9223372036854775807") + MARK
    yield "kept-by-many", b"UPDATE finding SET id = id + 100000" + MARK
    yield "newer", b"PRAGMA user_version = 99" + MARK
    yield "other", b"PRAGMA application_id = 1" + MARK
    yield "wal", MARK + patch(18, b"\2\2")
    yield "shard", b"UPDATE scan SET options = 'scan shard=1/2'" + MARK
    yield "indexes", b"DROP INDEX finding_asset; DROP INDEX asset_source" + MARK
    yield "triggers", b"CREATE TRIGGER t AFTER INSERT ON asset BEGIN DELETE FROM asset; END" + MARK
    broken_off = "UPDATE scan SET status = 'interrupted';" + schema_text("visits")
    asked = schema_text("wanted") + "INSERT INTO wanted VALUES (1, 1, 'discs'), (1, 2, '%s');"
    row = "INSERT INTO visit VALUES (1, 'discs/game-0.bin', 1);"
    yield "resumed", (broken_off + row).encode() + MARK
    yield "resumed-asked", (broken_off + row + asked % "-").encode() + MARK
    yield "resumed-others", (broken_off + row + asked % "other").encode() + MARK
    yield "resumed-twice", (
        broken_off + row + "INSERT INTO scan SELECT 2, tool_version, ruleset_version, options, "
        "started_at, NULL, 'running' FROM scan; INSERT INTO visit VALUES (2, 'discs/game-0.bin', "
        "2);").encode() + MARK
    yield "resumed-view", (broken_off + "DROP TABLE visit; CREATE VIEW visit AS " +
                           endless % "1 AS scan_id, i AS path, 1 AS stamp").encode() + MARK
    for number in range(6):  # the heads of pages
        yield f"page-{number}", MARK + patch(4096 * (number + 1), bytes([13, 0, 0, 0, 2 + number]))


# ---- glTF ----

def tmd(words, polygons):
    """One model: a square of vertices, a normal, polygons as (head, words)."""
    vertices = struct.pack("<16h", 0, 0, 0, 0, 100, 0, 0, 0, 0, 100, 0, 0, 100, 100, 0, 0)
    data = b"".join(struct.pack("<%dI" % (1 + len(body)), head, *body) for head, body in polygons)
    head = struct.pack("<10I", 0x41, words, 1, 28, 4, 60, 1, 68, len(polygons), 0)
    return head + vertices + struct.pack("<4h", 0, 0, -4096, 0) + data


def gltfs(maker):
    """A byte that says what follows: a format, or models; then the bytes."""
    polygons = [(0x20000304, (0xff, 0, 0x20001)), (0x3c000808, (0,) * 8),
                (0x29010303, (0xff, 0x10000, 0x30002)), (0x30040604, (1, 2, 3, 0, 0x10000, 0x20000))]
    yield "tmd", b"\x0c" + tmd(0, polygons)
    yield "tmd-memory", b"\4" + tmd(1, polygons)
    yield "tmd-line", b"\4" + tmd(0, [(0x40010303, (1, 2, 3))])
    for number, name in enumerate(("tod", "hmd", "tra", "camerawork")):
        for index, (seed, data) in enumerate(maker.assets(name)):
            if (index % 8 == 0 or seed.startswith("good")) and len(data) < 16384:
                yield f"{name}-{seed}", bytes([number | index % 2 << 3]) + data


def labelled(maker):
    """A byte that says which format; then the bytes, sound ones and others."""
    for number, name in enumerate(("tod", "hmd", "tra", "camerawork")):
        for index, (seed, data) in enumerate(maker.assets(name)):
            if (index % 6 == 0 or seed.startswith("good")) and len(data) < 16384:
                yield f"{name}-{seed}", bytes([number]) + data


TARGETS = {"container": containers, "chd": chds, "pbp": pbps, "sectors": sectors, "iso": volumes,
           "sheet": sheets, "memory": memories, "scan": scans, "config": configs,
           "baseline": baselines, "lock": locks, "store": stores, "text": texts, "gltf": gltfs,
           "fields": labelled, "answer": answers, "cache": caches, "lists": listings,
           "hmd_mapped": mapped}
