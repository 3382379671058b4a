#!/usr/bin/env python3
"""The decoder of CHD: files made by chdman come out as chdman extracts them; lying and spoilt files
are told, and lose nothing but what they lie about.

Usage: chd.py FRAMEHOUND FORGE CHD_CAT.
"""
import math
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import zipfile

from chd_forge import (FRAME, PARENT, SELF, STORED, SYNC, Entry, build, cd_hunk, deflate, zstd)
from harness import (MEMORY_IS_ITS_OWN, SLOWER, WRAPPER, Program, Tap, Workspace, assets, query, read,
                     small_tod, source_codes)

CAT = os.path.abspath(sys.argv[3])
CHDMAN = shutil.which("chdman")


class Cat:
    """What chd_cat says of a file."""

    def __init__(self, path, *options):
        done = subprocess.run(WRAPPER + [CAT, *options, path], capture_output=True,
                              timeout=60 * SLOWER)
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr.decode()
        self.tracks, self.findings, self.lost, self.end = [], {}, [], None
        for line in self.err.splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "track":
                number, name, *numbers = rest.split()
                self.tracks.append((int(number), name, *map(int, numbers)))
            elif kind == "finding":
                code, count, off, text = rest.split(" ", 3)
                self.findings[code] = (int(count), int(off), *text.split("|"))
            elif kind == "lost":
                self.lost.append(tuple(map(int, rest.split())))
            elif kind == "end":
                self.end = tuple(map(int, rest.split()))

    def __str__(self):
        return "exit %d, %d bytes\n%s" % (self.code, len(self.out), self.err[:1500])


# ---- files of chdman -------------------------------------------------------------------------

def chdman(*args):
    done = subprocess.run([CHDMAN, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=60)
    if done.returncode != 0:
        raise RuntimeError("chdman %s: %s" % (" ".join(args), done.stdout.decode()[-400:]))


def msf(frames):
    return "%02d:%02d:%02d" % (frames // 4500, frames // 75 % 60, frames % 75)


def audio(frames):
    noise = random.Random(4)
    return b"".join(struct.pack("<hh", int(8000 * math.sin(i / 20)) + noise.randint(-9, 9),
                                int(5000 * math.sin(i / 33))) for i in range(588 * frames))


def disc(program, work):
    """A disc of all kinds of tracks: (cue, bytes, tracks)."""
    random_bytes = random.Random(1).randbytes
    work.write("noise", random_bytes(30000))
    work.write("text", b"the same again and again, " * 3000)
    form = program.forge("image", "image stride=2352\niso DISC\nfile A.BIN < noise\n"
                         "file B.TXT < text\nform2 7\ngap 21\nbad edc 25\nbad ecc 26\nbad sync 27\n",
                         work.path("form.bin"), root=work.name)
    mode1 = program.forge("image", "image stride=2352 mode=1\nfile A < noise\nmode0 2\ngap 3\n",
                          work.path("mode1.bin"), root=work.name)
    cooked = program.forge("image", "image stride=2048\nfile B < text\nfile A < noise\n",
                           work.path("cooked.bin"), root=work.name)
    mixed = program.forge("image", "image stride=2336\nfile A < noise\nform2 3\n",
                          work.path("mixed.bin"), root=work.name)
    parts = [("MODE2/2352", 2352, read(form)), ("AUDIO", 2352, audio(171)),
             ("MODE1/2352", 2352, read(mode1)), ("MODE1/2048", 2048, read(cooked)),
             ("MODE2/2336", 2336, read(mixed)), ("AUDIO", 2352, audio(10))]
    names = {"MODE2/2352": "MODE2_RAW", "MODE1/2352": "MODE1_RAW", "MODE1/2048": "MODE1",
             "MODE2/2336": "MODE2", "AUDIO": "AUDIO"}
    cue, data, tracks = "", b"", []
    for i, (kind, length, part) in enumerate(parts):
        name = "t%d.bin" % i
        work.write(name, part)
        cue += 'FILE "%s" BINARY\n  TRACK %02d %s\n' % (name, i + 1, kind)
        cue += "    PREGAP 00:02:00\n" if i == 3 else ""
        cue += "    INDEX 00 00:00:00\n    INDEX 01 %s\n" % msf(70) if i == 1 else \
            "    INDEX 01 00:00:00\n"
        tracks.append((i + 1, names[kind], length, len(part) // length, len(data)))
        data += part
    return work.write("disc.cue", cue.encode()), data, tracks


CODECS = ("default", "none", "cdlz", "cdzl", "cdfl", "zlib", "lzma", "huff", "flac", "cdfl,huff,cdzl",
          "cdlz,cdzl,cdfl,flac")


def like_chdman(tap, program, work):
    cue, data, tracks = disc(program, work)
    for codec in CODECS:
        options = [] if codec == "default" else ["-c", codec]
        path = work.path("disc.chd")
        chdman("createcd", "-f", "-i", cue, "-o", path, *options)
        chdman("extractcd", "-f", "-i", path, "-o", work.path("x.cue"), "-ob", work.path("x.bin"))
        seen = Cat(path)
        extracted = read(work.path("x.bin"))
        tap.ok(seen.out == extracted, "%s: the bytes that chdman extracts" % codec, seen)
        tap.ok(extracted == data, "%s: which are those of the disc" % codec, len(extracted), len(data))
        tap.equal((seen.findings, seen.lost), ({}, []), "%s: nothing is wrong" % codec, seen)
        tap.equal(seen.tracks, tracks, "%s: tracks" % codec)
    tap.ok(any(t[3] % 4 for t in tracks[:-1]), "some track is padded")
    for at, length in ((0, 10), (2352 * 3 + 17, 5000), (tracks[1][4] - 5, 4001),
                       (tracks[3][4] + 1, 9999), (len(data) - 7, 100), (len(data), 1)):
        seen = Cat(path, "--at", str(at), str(length))
        tap.ok(seen.out == data[at:at + length], "%d bytes from %d on" % (length, at), seen)


def other_hunks(tap, program, work):
    """Hunks of one frame, and of more than 65,535 bytes, whose lengths take 3 bytes."""
    cue, data, _ = disc(program, work)
    for frames in (1, 28):
        path = work.path("hunks.chd")
        chdman("createcd", "-f", "-i", cue, "-o", path, "-hs", str(frames * FRAME))
        seen = Cat(path)
        tap.ok(seen.out == data and not seen.findings, "hunks of %d frames" % frames, seen)


def no_disc(tap, work):
    rng = random.Random(3)
    data = rng.randbytes(9000) + bytes(50000) + b"abcd" * 4000 + rng.randbytes(5120 - 9000 % 512)
    data = data[:len(data) // 512 * 512]
    path = work.write("raw.bin", data)
    for codec in ("none", "zlib", "lzma", "huff", "flac", "lzma,zlib,huff,flac"):
        for command, more in (("createraw", ["-us", "512", "-hs", "4096"]), ("createhd", [])):
            out = work.path("raw.chd")
            chdman(command, "-f", "-i", path, "-o", out, "-c", codec, *more)
            chdman(command.replace("create", "extract"), "-f", "-i", out, "-o", work.path("raw.out"))
            seen = Cat(out)
            tap.ok(seen.out == read(work.path("raw.out")) and not seen.findings and not seen.tracks,
                   "%s with %s" % (command, codec), seen)


def needs_parent(tap, program, work):
    rng = random.Random(5)
    data = bytearray(rng.randbytes(40 * 4096))
    first = work.write("first.bin", bytes(data))
    data[5 * 4096 + 3] ^= 1
    second = work.write("second.bin", bytes(data))
    base, path = work.path("base.chd"), work.path("child.chd")
    options = ["-us", "512", "-hs", "4096", "-c", "zlib"]
    chdman("createraw", "-f", "-i", first, "-o", base, *options)
    chdman("createraw", "-f", "-i", second, "-o", path, "-op", base, *options)
    seen = Cat(path)
    want = bytes(5 * 4096) + bytes(data[5 * 4096:6 * 4096]) + bytes(34 * 4096)
    tap.ok(seen.out == want, "a child without its parent: what it holds, else zeros", seen)
    tap.equal(sorted(seen.findings), ["IMG0044"], "and this is told", seen)
    tap.equal(seen.lost, [(0, 5 * 4096), (6 * 4096, 34 * 4096)], "with what is lost")


def spoilt(tap, program, work):
    """Copies with a few bytes changed, or cut."""
    cue = disc(program, work)[0]
    short = work.write("short.cue", b"".join(read(cue).splitlines(True)[:7]))
    for codec, num in (("default", 100), ("cdzl", 50), ("cdlz", 50), ("cdfl,flac", 50), ("huff", 50)):
        path = work.path("spoil.chd")
        options = [] if codec == "default" else ["-c", codec]
        chdman("createcd", "-f", "-i", short, "-o", path, *options)
        done = subprocess.run(WRAPPER + [CAT, "--spoil", str(max(num // SLOWER, 2)), str(num + 3), path],
                              capture_output=True, timeout=60 * SLOWER)
        counts = [int(word) for word in done.stdout.split()]
        tap.ok(done.returncode == 0 and len(counts) == 4 and counts[3] == 0 and not done.stderr,
               "%s: every spoilt copy ends, and none gives other bytes in silence" % codec, counts,
               done.stderr.decode())
        tap.note("%s: same, told, refused, silent: %s" % (codec, counts))
    if MEMORY_IS_ITS_OWN:
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        tap.ok(most < 200 << 10, "in less than 200 MiB", "%d KiB" % most)


# ---- files built here ------------------------------------------------------------------------

def frames(num, seed=1):
    """Frames of random sectors and subchannels."""
    rng = random.Random(seed)
    return b"".join(SYNC + rng.randbytes(3) + b"\1" + rng.randbytes(2336) + rng.randbytes(96)
                    for _ in range(num))


def cd_text(num, kind="MODE1_RAW", track=1, more="SUBTYPE:NONE"):
    return ("CHT2", "TRACK:%d TYPE:%s %s FRAMES:%d PREGAP:0 PGTYPE:MODE1 PGSUB:NONE POSTGAP:0"
            % (track, kind, more, num))


def cut(data, length):
    return [data[at:at + length] for at in range(0, len(data), length)]


def sectors(data):
    return b"".join(frame[:2352] for frame in cut(data, FRAME))


def zstd_codecs(tap, program, work):
    if shutil.which("zstd") is None:
        return tap.skip("zstd codecs", "no zstd")
    image = read(program.forge("image", "image stride=2352\ngap 12\n", work.path("ecc.bin")))
    sub = random.Random(2).randbytes(96 * 12)
    data = b"".join(image[i * 2352:i * 2352 + 2352] + sub[i * 96:i * 96 + 96] for i in range(12))
    for frames_a_hunk in (4, 12, 28):
        whole = data.ljust(-(-len(data) // (frames_a_hunk * FRAME)) * frames_a_hunk * FRAME, b"\0")
        for codec, packs in (("cdzs", (zstd, zstd)), ("cdzl", (deflate, deflate))):
            hunks = cut(whole, frames_a_hunk * FRAME)
            entries = [Entry(0, cd_hunk(h, *packs, [i for i in range(frames_a_hunk)
                                                    if h[i * FRAME + 1] == 255]), h) for h in hunks]
            path = work.write("cdzs.chd", build(
                entries, frames_a_hunk * FRAME, FRAME, [codec], logical=len(data), data=data,
                metadata=[cd_text(12, "MODE2_RAW", more="SUBTYPE:RW")]))
            seen = Cat(path)
            what = "%s, %d frames a hunk" % (codec, frames_a_hunk)
            tap.ok(seen.out == image and not seen.findings, what + ": ECC is computed", seen)
            seen = Cat(path, "--subcode")
            tap.ok(seen.out == data, what + ": subchannels where they are wanted", seen)
    hunk = b"plain" * 800
    for entry, found in ((Entry(0, zstd(hunk), hunk), {}),
                         (Entry(0, zstd(hunk + b"x"), hunk), {"IMG0046"}),
                         (Entry(0, zstd(hunk[1:]), hunk), {"IMG0046"}),
                         (Entry(0, zstd(hunk)[:-9], hunk), {"IMG0046"}),
                         (Entry(0, b"x" + zstd(hunk), hunk), {"IMG0041"})):
        seen = Cat(work.write("zstd.chd", build([entry], 4000, 500, ["zstd"])))
        tap.equal((set(seen.findings), seen.out), (set(found), bytes(4000) if found else hunk),
                  "zstd: %s" % (found or "sound"), seen)


HUNK = 4096


def plain_file(entries, **how):
    return build(entries, HUNK, 512, how.pop("codecs", ["zlib"]), **how)


def lying_hunks(tap, work):
    """A map of three hunks, one of which lies: the others come out."""
    a, c = (random.Random(seed).randbytes(HUNK // 2) * 2 for seed in (1, 2))
    good = Entry(0, deflate(a), a)
    last = Entry(0, deflate(c), c)
    packed = deflate(b"b" * HUNK)
    b = b"b" * HUNK
    cases = [
        ("sound, packed", Entry(0, packed, b), None, b),
        ("sound, stored", Entry(STORED, b, b), None, b),
        ("sound, equal to another", Entry(SELF, number=0), None, a),
        ("equal to itself", Entry(SELF, number=1), "IMG0049", None),
        ("equal to a later one", Entry(SELF, number=2), "IMG0049", None),
        ("equal to one that is not there", Entry(SELF, number=99999), "IMG0049", None),
        ("in a parent that is not named", Entry(PARENT, number=3), "IMG0044", None),
        ("of no kind", Entry(15), "IMG0041", None),
        ("a codec that the header does not name", Entry(2, packed, b), "IMG0047", None),
        ("another checksum, packed", Entry(0, packed, b, crc=1), "IMG0043", None),
        ("another checksum, stored", Entry(STORED, b, b, crc=1), "IMG0043", b),
        ("no deflate", Entry(0, b"\xff" * 40, b), "IMG0041", None),
        ("too short", Entry(0, deflate(b[1:]), b), "IMG0046", None),
        ("too long", Entry(0, deflate(b + b"b"), b), "IMG0046", None),
        ("packed into more than a hunk", Entry(0, packed + bytes(HUNK), b), "IMG0041", None),
    ]
    for name, entry, code, want in cases:
        seen = Cat(work.write("lie.chd", plain_file([good, entry, last])))
        tap.equal(sorted(seen.findings), [code] if code else [], "a hunk %s: findings" % name, seen)
        tap.ok(seen.out == a + (want or bytes(HUNK)) + c, "a hunk %s: bytes" % name, seen)
        tap.equal(seen.lost, [] if want else [(HUNK, HUNK)], "a hunk %s: what is lost" % name)
        if code:
            tap.ok("hunk 1" in seen.findings[code][3], "a hunk %s: it is named" % name, seen)
    seen = Cat(work.write("lie.chd", plain_file([good, last, Entry(0, b"", c, length=1 << 23)])))
    tap.equal((sorted(seen.findings), seen.out), (["IMG0041"], a + c + bytes(HUNK)), "a huge hunk")
    far = plain_file([good, Entry(STORED, b, b), Entry(STORED, b"", b)])
    seen = Cat(work.write("lie.chd", far))
    tap.equal((sorted(seen.findings), seen.lost), (["IMG0045"], [(2 * HUNK, HUNK)]),
              "a hunk behind the end of the file", seen)
    circle = [good] + [Entry(SELF, number=i + 2) for i in range(5)] + [Entry(SELF, number=1)]
    seen = Cat(work.write("lie.chd", plain_file(circle)))
    tap.equal((sorted(seen.findings), seen.findings.get("IMG0049", [0])[0]), (["IMG0049"], 6),
              "hunks in a circle", seen)
    chain = [good] + [Entry(SELF, number=i) for i in range(3000)]
    seen = Cat(work.write("lie.chd", plain_file(chain)))
    tap.ok(seen.out == a * 3001 and not seen.findings, "a chain of 3,000 hunks", seen)


def lying_headers(tap, work):
    a = random.Random(1).randbytes(HUNK // 2) * 2
    entries = [Entry(0, deflate(a), a)]

    def number(value, length=4):
        return value.to_bytes(length, "big")
    sound = plain_file(entries, data=a)
    map_at = struct.unpack(">Q", sound[40:48])[0]
    cases = [
        ("version 4", {12: number(4)}, "IMG0048"), ("version 6", {12: number(6)}, "IMG0048"),
        ("another header length", {8: number(120)}, "IMG0041"),
        ("hunks of 0 bytes", {56: number(0)}, "IMG0041"),
        ("units of 0 bytes", {60: number(0)}, "IMG0041"),
        ("units that do not divide a hunk", {60: number(500)}, "IMG0041"),
        ("hunks of 2 MiB", {56: number(2 << 20)}, "IMG0042"),
        ("17 GiB", {32: number(17 << 30, 8)}, "IMG0042"),
        ("8 EiB", {32: number(1 << 63, 8)}, "IMG0042"),
        ("3 GiB of a small file", {32: number(3 << 30, 8)}, "IMG0042"),
        ("more than 4 Mi hunks", {32: number(1 << 30, 8), 56: number(128), 60: number(128)},
         "IMG0042"),
        ("more hunks than the map has", {32: number(900 * HUNK, 8)}, "IMG0041"),
        ("a map outside", {40: number(1 << 40, 8)}, "IMG0045"),
        ("a map at the very end", {40: number(len(sound), 8)}, "IMG0045"),
        ("a map that ends outside", {40: number(len(sound) - 16, 8)}, None),
    ]
    seen = Cat(work.write("head.chd", sound))
    tap.ok(seen.out == a and not seen.findings, "a sound file", seen)
    for name, header, code in cases:
        seen = Cat(work.write("head.chd", plain_file(entries, data=a, header=header)))
        tap.ok(seen.end and seen.end[0] == 3 and not seen.out and
               (sorted(seen.findings) == [code] if code else seen.findings), "refused: " + name, seen)
    for name, lie, code in (("another map checksum", {"map_crc": 1}, "IMG0043"),
                            ("a map longer than the file", {"map_len": 1 << 31}, "IMG0045"),
                            ("a map shorter than its list", {"map_len": 3}, "IMG0041"),
                            ("lengths of 200 bits", {"len_bits": 200}, "IMG0041")):
        seen = Cat(work.write("head.chd", plain_file(entries, **lie)))
        tap.equal(sorted(seen.findings), [code], name, seen)
        tap.ok(seen.out == (a if code == "IMG0043" else b""), name + ": bytes", seen)
    seen = Cat(work.write("head.chd", plain_file(entries, data=a + b"!")))
    tap.ok(seen.out == a and sorted(seen.findings) == ["IMG0043"], "another SHA-1", seen)
    seen = Cat(work.write("head.chd", plain_file(entries, data=a, header={84: b"\1" * 20})))
    tap.ok(seen.out == a and sorted(seen.findings) == ["IMG0043"], "another SHA-1 of all", seen)
    for length in (0, 7, 8, 123, 124, map_at, map_at + 15, len(sound) - 1):
        seen = Cat(work.write("head.chd", sound[:length]))
        tap.ok(seen.end and seen.end[0] == 3 and seen.findings, "cut to %d bytes" % length, seen)


def lying_metadata(tap, work):
    data = frames(8)
    entries = [Entry(0, cd_hunk(data, deflate, deflate), data)]

    def disc_file(blocks, **how):
        return work.write("meta.chd", build(entries, 8 * FRAME, FRAME, ["cdzl"], metadata=blocks, **how))
    cooked = b"".join(f[:2048] for f in cut(data, FRAME))
    swapped = bytes(b for i in range(0, 8 * 2352, 2) for b in (sectors(data)[i + 1], sectors(data)[i]))
    both = sectors(data)[:2 * 2352] + swapped[4 * 2352:]
    cases = [
        ("sound", [cd_text(8)], None, sectors(data)),
        ("sound, 2048", [cd_text(8, "MODE1")], None, cooked),
        ("sound, audio", [cd_text(8, "AUDIO")], None, swapped),
        ("two tracks", [cd_text(2), cd_text(4, "AUDIO", 2)], None, both),
        ("two tracks in another order", [cd_text(4, "AUDIO", 2), cd_text(2)], None, both),
        ("others beside it", [("ZZZZ", "?" * 3000), cd_text(8)], None, sectors(data)),
        ("none", [], "IMG0041", sectors(data)),
        ("no text of a track", [("CHT2", "TRACK")], "IMG0041", sectors(data)),
        ("a gap", [cd_text(2), cd_text(4, track=3)], "IMG0041", sectors(data)),
        ("a track twice", [cd_text(8), cd_text(4)], "IMG0041", sectors(data)),
        ("more frames than there are", [cd_text(999999)], "IMG0041", sectors(data)),
        ("a track behind the end", [cd_text(8), cd_text(4, track=2)], "IMG0041", sectors(data)),
    ]
    for name, blocks, code, want in cases:
        seen = Cat(disc_file(blocks))
        tap.equal(sorted(seen.findings), [code] if code else [], "tracks, %s: findings" % name, seen)
        tap.ok(seen.out == want, "tracks, %s: bytes" % name, seen)
    seen = Cat(disc_file([cd_text(8), ("ZZZZ", "?")], circle=True))
    tap.equal((sorted(seen.findings), seen.out == sectors(data)), (["IMG0041"], True), "a circle", seen)
    seen = Cat(disc_file([cd_text(8)], header={48: (1 << 60).to_bytes(8, "big")}))
    tap.equal((sorted(seen.findings), seen.out == sectors(data)), (["IMG0041"], True),
              "metadata outside", seen)
    seen = Cat(disc_file([cd_text(8)], header={60: (8 * FRAME).to_bytes(4, "big")}))
    tap.equal((sorted(seen.findings), seen.out == data), (["IMG0041"], True),
              "units that are no frames: the bytes as they lie", seen)
    seen = Cat(work.write("meta.chd", build(entries, 8 * FRAME, FRAME, ["avhu"], metadata=[cd_text(8)])))
    tap.equal((sorted(seen.findings), seen.lost), (["IMG0047"], [(0, 8 * 2352)]),
              "a codec that is not built in", seen)


# ---- as the program sees them ----------------------------------------------------------------

PLACE = ("format", "user_offset", "lba", "length", "grade", "raw_offset", "sha256", "iso_path",
         "iso_offset")


def scan(tap, program, work, path, code=0, **how):
    db = work.path("scan.db")
    if os.path.exists(db):
        os.remove(db)
    result = program.run("scan", "-o", db, path, **how)
    tap.ok(code is None or result.code == code, "scan of %s" % os.path.basename(path), result)
    return db


def places(db):
    return [tuple(row[key] for key in PLACE if key in row) for row in assets(db)]


def scans(tap, program, work):
    """The same assets at the same user offsets as in the .bin, and their poses."""
    for i in range(3):
        program.forge("tod", small_tod(40 * i + 3, i + 1), work.path("t%d.tod" % i))
    image = program.forge("image", "image stride=2352\niso GAME\nfile A.TOD < t0.tod\n"
                          "hidden < t1.tod skip=712\nfile B.TOD < t2.tod\ngap 160\n",
                          work.path("game.bin"), root=work.name)
    cue = work.write("game.cue", b'FILE "game.bin" BINARY\n TRACK 01 MODE2/2352\n'
                     b"  INDEX 01 00:00:00\n")
    db = scan(tap, program, work, image)
    want = places(db)
    poses = [program.run("replay", "%s:%d" % (db, row["id"])).out for row in assets(db)]
    tap.equal((len(want), all(poses)), (3, True), "the image has three assets, with poses")
    tap.equal([row["iso_path"] for row in assets(db)], ["/A.TOD", None, "/B.TOD"], "and names")
    path = work.path("game.chd")
    chdman("createcd", "-f", "-i", cue, "-o", path)
    db = scan(tap, program, work, path)
    tap.equal(places(db), want, "and so has the CHD, in the same places")
    tap.equal({row["path"] for row in assets(db)}, {path + "!/game"}, "by a path of their own")
    tap.equal([program.run("replay", "%s:%d" % (db, row["id"])).out for row in assets(db)], poses,
              "they can be replayed out of it")
    with zipfile.ZipFile(work.path("game.zip"), "w") as archive:
        archive.write(path, "x/game.chd")
    db = scan(tap, program, work, work.path("game.zip"))
    tap.equal(places(db), want, "a CHD in an archive")
    db = scan(tap, program, work, "-", data=read(path))
    tap.equal(places(db), want, "a CHD on standard input")
    data = bytearray(read(path))
    data[len(data) // 2] ^= 1
    bad = work.write("bad.chd", bytes(data))
    db = scan(tap, program, work, bad, code=None)
    told = source_codes(db, bad + "!/bad") + source_codes(db, bad)
    tap.ok({"IMG0041", "IMG0043", "IMG0046"} & set(told), "a spoilt one: told", told)
    for length in (50, 124, len(data) - 5):
        cut_off = work.write("cut.chd", read(path)[:length])
        db = scan(tap, program, work, cut_off, code=None)
        told = [row["code"] for row in query(db, "SELECT code FROM finding")]
        tap.ok({"IMG0041", "IMG0045"} & set(told), "cut to %d bytes: told" % length, told)


def main():
    tap = Tap()
    program = Program(sys.argv[:3])
    with Workspace() as work:
        lying_hunks(tap, work)
        lying_headers(tap, work)
        lying_metadata(tap, work)
        zstd_codecs(tap, program, work)
        if CHDMAN is None:
            tap.skip("files of chdman", "no chdman (mame-tools)")
        else:
            like_chdman(tap, program, work)
            other_hunks(tap, program, work)
            no_disc(tap, work)
            needs_parent(tap, program, work)
            spoilt(tap, program, work)
            scans(tap, program, work)
        program.tell_unsound(tap)
    tap.done()


main()
