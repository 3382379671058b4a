#!/usr/bin/env python3
"""Control files of disc images: cue sheets, CCD, MDS, NRG and CDI. The disc that they name is the same as
its image alone, but for what they know better; what is wrong with them is told, and they lead nowhere
else.

Usage: sheets.py FRAMEHOUND FORGE.
"""
import os
import random
import shutil
import struct
import subprocess
import sys

from harness import (SLOWER, Program, Tap, Workspace, assets, database_faults, query, read, small_tod,
                     source_codes, sources)

CHDMAN = shutil.which("chdman")
AUDIO = 320  # sectors of an audio track: more than are taken for damage


def msf(frames):
    return "%02d:%02d:%02d" % (frames // 4500, frames // 75 % 60, frames % 75)


def noise(sectors, seed=1):
    return random.Random(seed).randbytes(2352 * sectors)


class Disc:
    """A data track with files, an audio track, and a data track of Mode 1 behind a gap that is not
    stored."""

    def __init__(self, program, work, stride=2352):
        program.forge("tod", small_tod(60, 1), work.path("a.tod"))
        program.forge("tod", small_tod(5, 2), work.path("b.tod"))
        program.forge("tod", small_tod(70, 3), work.path("c.tod"))
        self.first = read(program.forge(
            "image", "image stride=%d\niso DISC\nfile A.TOD < a.tod\nfile B.TOD < b.tod\n"
            "hidden < a.tod skip=1500\ngap 2\n" % stride, work.path("first.bin"), root=work.name))
        self.len1 = len(self.first) // stride
        self.audio = noise(AUDIO)
        self.at3 = self.len1 + AUDIO  # sectors of the image before the third track
        self.third = read(program.forge(
            "image", "image stride=2352 mode=1 start=%s\nfile C < c.tod\ngap 20\n"
            % msf(self.at3 + 300), work.path("third.bin"), root=work.name))
        self.whole = self.first + self.audio + self.third

    def cue(self, name="disc.bin", kinds=("MODE2/2352", "AUDIO", "MODE1/2352"), gap="00:02:00"):
        return ('FILE "%s" BINARY\n  TRACK 01 %s\n    INDEX 01 00:00:00\n'
                '  TRACK 02 %s\n    INDEX 00 %s\n    INDEX 01 %s\n'
                '  TRACK 03 %s\n    PREGAP %s\n    INDEX 01 %s\n'
                % (name, kinds[0], kinds[1], msf(self.len1), msf(self.len1 + 150), kinds[2], gap,
                   msf(self.at3))).encode()

    def cue_of_three(self):
        return (b'FILE "1.bin" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n'
                b'FILE "2.bin" BINARY\n  TRACK 02 AUDIO\n    INDEX 01 00:00:00\n'
                b'FILE "3.bin" BINARY\n  TRACK 03 MODE1/2352\n    PREGAP 00:02:00\n'
                b'    INDEX 01 00:00:00\n')


PLACE = ("raw_offset", "user_offset", "length", "lba", "iso_path", "iso_offset", "sha256",
         "pose_sha256", "grade")


def places(db, without=()):
    keys = [key for key in PLACE if key not in without]
    return sorted(tuple(str(row[key]) for key in keys) for row in assets(db))


class Bench:
    def __init__(self, tap, program, work):
        self.tap, self.program, self.work, self.number = tap, program, work, 0

    def folder(self, **files):
        """A new folder with files; `_` in a name stands for a dot."""
        self.number += 1
        folder = self.work.folder("case%d" % self.number)
        for name, data in files.items():
            path = os.path.join(folder, name.replace("_", "."))
            with open(path, "wb") as file:
                file.write(data)
        return folder

    def scan(self, *paths, options=(), timeout=60):
        self.number += 1
        db = self.work.path("scan%d.db" % self.number)
        result = self.program.run("scan", "-o", db, *options, *paths, timeout=timeout)
        return result, db

    def codes(self, db, path):
        """But for the sums of sectors, of which there is one a track."""
        return [code for code in source_codes(db, path) if code != "IMG0070"]

    def finding(self, db, code):
        rows = query(db, "SELECT message FROM finding WHERE code = ?", code)
        return rows[0]["message"] if rows else ""


# ---- the disc --------------------------------------------------------------------------------

def one_file(bench, disc):
    tap = bench.tap
    folder = bench.folder(disc_cue=disc.cue("DISC.bin"), disc_bin=disc.whole)
    cue, image = os.path.join(folder, "disc.cue"), os.path.join(folder, "disc.bin")
    alone, db_alone = bench.scan(image)
    seen, db = bench.scan(cue)
    tap.equal(seen.code, 0, "a cue sheet is scanned", seen)
    tap.equal(len(places(db)), 4, "all assets of both data tracks", seen)
    tap.equal(places(db), places(db_alone), "with all addresses of the image alone", seen, alone)
    rows = sources(db)
    tap.equal({path: (row["kind"], row["layout"], row["status"]) for path, row in rows.items()},
              {cue: ("sheet", "plain", "complete"), image: ("image", "2352", "complete")},
              "rows of the sheet and of the image")
    tap.equal(rows[image]["sha256"], sources(db_alone)[image]["sha256"], "the hash of all its bytes")
    tap.equal(bench.codes(db, image), ["IMG0024", "IMG0037"], "audio is told as left out", seen)
    tap.ok("IMG0005" in bench.codes(db_alone, image), "the image alone seems to lack sectors", alone)
    tap.equal(bench.codes(db, cue), [], "nothing is wrong with the sheet", seen)
    tap.equal(database_faults(db), [], "the database is sound")
    claims = query(db, "SELECT c.claim, c.raw_offset, c.length FROM coverage AS c JOIN source AS s "
                     "ON s.id = c.source_id WHERE s.path = ? ORDER BY c.raw_offset", image)
    tap.equal([row["length"] for row in claims if row["claim"] == "audio"], [len(disc.audio)],
              "exactly the audio track is claimed as audio", claims)
    tap.equal(sum(row["length"] for row in claims), len(disc.whole), "every byte has a claim", claims)
    for row in assets(db):
        done = bench.program.run("replay", "%s:%d" % (db, row["id"]))
        tap.equal(done.code, 0, "asset %d is replayed from the image" % row["id"], done)
    both, db_both = bench.scan(folder)
    tap.equal((places(db_both), sorted(sources(db_both))), (places(db), sorted(rows)),
              "a folder with both: each is read once", both)
    both, db_both = bench.scan(image, cue)
    tap.equal((places(db_both), sorted(sources(db_both))), (places(db), sorted(rows)),
              "both named: each is read once", both)
    both, db_both = bench.scan(folder, options=["--no-unpack"])
    tap.equal({path: row["kind"] for path, row in sources(db_both).items()},
              {cue: "file", image: "image"}, "--no-unpack: each for itself", both)


def several_files(bench, disc):
    tap = bench.tap
    folder = bench.folder(x_cue=disc.cue_of_three())
    for name, data in (("1.bin", disc.first), ("2.bin", disc.audio), ("3.bin", disc.third)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    seen, db = bench.scan(folder)
    _, db_one = bench.scan(os.path.join(bench.folder(disc_cue=disc.cue(), disc_bin=disc.whole),
                                        "disc.cue"))
    tap.equal(places(db, ("raw_offset", "user_offset")),
              places(db_one, ("raw_offset", "user_offset")),
              "three files: the assets and addresses of one", seen)
    tap.equal([(os.path.basename(path), row["kind"], row["layout"]) for path, row in
               sorted(sources(db).items())],
              [("1.bin", "image", "2352"), ("2.bin", "image", "2352"), ("3.bin", "image", "2352"),
               ("x.cue", "sheet", "plain")], "four sources")
    tap.equal([bench.codes(db, os.path.join(folder, name)) for name in ("2.bin", "3.bin", "x.cue")],
              [["IMG0024"], ["IMG0030"], []], "the audio file is left out; LBAs fit", seen)
    for name in ("1.bin", "2.bin", "3.bin"):
        alone, db_alone = bench.scan(os.path.join(folder, name))
        wanted = [row for row in places(db, ()) if row in places(db_alone, ())]
        tap.equal(wanted, places(db_alone), "%s: user offsets as alone" % name, alone)
    # Without the pregap, or with files in another order, headers and sheet disagree.
    wrong = disc.cue_of_three().replace(b"    PREGAP 00:02:00\n", b"")
    with open(os.path.join(folder, "x.cue"), "wb") as file:
        file.write(wrong)
    seen, db = bench.scan(folder)
    tap.equal(bench.codes(db, os.path.join(folder, "3.bin")), ["IMG0026", "IMG0030"],
              "a pregap that is not written down", seen)
    tap.ok("LBA %d, expected LBA %d" % (disc.at3, disc.at3 + 150) in bench.finding(db, "IMG0026"),
           "which LBA and which header", bench.finding(db, "IMG0026"))


def cooked(bench, program, work):
    """Sectors without headers have their LBA from the sheet."""
    tap = bench.tap
    image = read(program.forge("image", "image stride=2048\nfile A < a.tod\nfile B < b.tod\n",
                               work.path("cooked.bin"), root=work.name))
    sheet = (b'FILE 1.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n'
             b'FILE 2.bin BINARY\nTRACK 02 MODE1/2048\nINDEX 00 00:00:00\nINDEX 01 00:00:01\n')
    folder = bench.folder(a_cue=sheet)
    for name, data in (("1.bin", noise(AUDIO)), ("2.bin", bytes(2048) + image)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    seen, db = bench.scan(folder)
    tap.equal([(row["raw_offset"], row["user_offset"], row["lba"]) for row in assets(db)],
              [(2048, 2048, AUDIO + 1), (2048 * 3 if len(read(work.path("a.tod"))) > 2048 else 4096,
                                         2048 * 3 if len(read(work.path("a.tod"))) > 2048 else 4096,
                                         AUDIO + (3 if len(read(work.path("a.tod"))) > 2048 else 2))],
              "2048 bytes a sector behind an audio file", seen)
    # One image with sectors of two sizes: audio is stepped over, other data are searched as they lie.
    sheet = ('FILE m.bin BINARY\nTRACK 01 MODE1/2048\nINDEX 01 00:00:00\nTRACK 02 AUDIO\n'
             'INDEX 01 %s\nTRACK 03 MODE1/2048\nINDEX 01 %s\n'
             % (msf(len(image) // 2048), msf(len(image) // 2048 + AUDIO))).encode()
    folder = bench.folder(m_cue=sheet, m_bin=image + noise(AUDIO, 7) + image)
    seen, db = bench.scan(folder)
    again = len(image) + AUDIO * 2352
    tap.equal([row["raw_offset"] for row in assets(db)],
              [0, assets(db)[1]["raw_offset"], again, again + assets(db)[1]["raw_offset"]],
              "sectors of two sizes in one file", seen)
    tap.equal(bench.codes(db, os.path.join(folder, "m.bin"))[0], "IMG0024", "audio left out", seen)
    wrong = sheet.replace(b"TRACK 02 AUDIO", b"TRACK 02 MODE1/2352")
    folder = bench.folder(m_cue=wrong, m_bin=image + noise(AUDIO, 7) + image)
    seen, db = bench.scan(folder)
    tap.ok("IMG0091" in bench.codes(db, os.path.join(folder, "m.bin")),
           "data of another sector size are told", seen)


def tracks_end(bench, program, work):
    """No asset crosses the end of a track."""
    tap = bench.tap
    whole = read(program.forge("image", "image stride=2352\nfile C < c.tod\ngap 3\n",
                               work.path("c.bin"), root=work.name))
    sheet = b"FILE c.bin BINARY\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n"
    folder = bench.folder(c_cue=sheet, c_bin=whole)
    seen, db = bench.scan(folder)
    tap.equal(len(assets(db)), 1, "an asset of two sectors in one track", seen)
    folder = bench.folder(c_cue=sheet + b"TRACK 02 MODE2/2352\nINDEX 01 00:00:01\n", c_bin=whole)
    seen, db = bench.scan(folder)
    tap.equal(len(assets(db)), 0, "it does not cross into another", seen)
    tap.ok("IMG0072" in bench.codes(db, os.path.join(folder, "c.bin")), "which is told", seen)
    tap.ok("the end of a track" in bench.finding(db, "IMG0072"), "with the reason",
           bench.finding(db, "IMG0072"))


def content_decides(bench, disc):
    tap = bench.tap
    cases = [
        ("Mode 1 for Mode 2", {"kinds": ("MODE1/2352", "AUDIO", "MODE1/2352")}, "track 1: Mode 2"),
        ("Mode 2 for Mode 1", {"kinds": ("MODE2/2352", "AUDIO", "MODE2/2352")}, "track 3: Mode 1"),
        ("data for audio", {"kinds": ("MODE2/2352", "MODE2/2352", "MODE1/2352")},
         "track 2: no sector with sync"),
        ("audio for data", {"kinds": ("AUDIO", "AUDIO", "MODE1/2352")}, "track 1: a sector of data"),
        ("2048 for 2352", {"kinds": ("MODE1/2048", "AUDIO", "MODE1/2048")},
         "track 1: 2352 bytes a sector"),
    ]
    for name, how, text in cases:
        folder = bench.folder(disc_cue=disc.cue(**how), disc_bin=disc.whole)
        seen, db = bench.scan(folder)
        tap.equal(len(assets(db)), 4, "%s: all assets are found" % name, seen)
        tap.ok(text in bench.finding(db, "IMG0022"), "%s: IMG0022" % name, seen,
               bench.finding(db, "IMG0022"))
    past = disc.cue().replace(msf(disc.at3).encode(), b"50:00:00")
    folder = bench.folder(disc_cue=past, disc_bin=disc.whole)
    seen, db = bench.scan(folder)
    tap.ok("IMG0023" in bench.codes(db, os.path.join(folder, "disc.bin")),
           "an index past the end of its file", seen)
    tap.equal(len(assets(db)), 4, "what lies there is found all the same", seen)
    late = ("FILE disc.bin BINARY\nTRACK 01 MODE1/2048\nINDEX 01 %s\n"
            % msf(len(disc.whole) // 2048 + 9))
    folder = bench.folder(disc_cue=late.encode(), disc_bin=disc.whole)
    seen, db = bench.scan(folder)
    codes = bench.codes(db, os.path.join(folder, "disc.bin"))
    tap.ok("IMG0023" in codes and "IMG0022" not in codes,
           "of a track past the end of its file nothing else is told", f"{codes}\n{seen}")


# ---- names -----------------------------------------------------------------------------------

def names(bench, disc):
    tap, work = bench.tap, bench.work
    secret = work.write("outside/secret.bin", disc.first)
    head, tail = b'FILE "', b'" BINARY\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n'
    folder = bench.folder(x_cue=b"", good_bin=disc.first)
    cue = os.path.join(folder, "x.cue")
    os.symlink(secret, os.path.join(folder, "link.bin"))
    os.symlink(os.path.dirname(secret), os.path.join(folder, "sub"))
    os.symlink("good.bin", os.path.join(folder, "inside.bin"))
    os.mkfifo(os.path.join(folder, "pipe.bin"))
    os.mkdir(os.path.join(folder, "disc1"))
    shutil.copy(os.path.join(folder, "good.bin"), os.path.join(folder, "disc1", "Own.BIN"))
    with open(os.path.join(folder, "other.cue"), "wb") as file:
        file.write(head + b"good.bin" + tail)
    with open(os.path.join(folder, "pack.zip"), "wb") as file:
        file.write(b"PK\x05\x06" + bytes(18))

    def scan_name(name):
        with open(cue, "wb") as file:
            file.write(head + name + tail)
        return bench.scan(cue)

    for name, why in ((b"missing.bin", "is not there"), (b"../outside/secret.bin", "outside"),
                      (b"..\\outside\\secret.bin", "outside"), (b"a/../good.bin", "outside"),
                      (secret.encode(), "outside"), (b"C:\\x\\good.bin", "outside"),
                      (b"\\\\host\\good.bin", "outside"), (b"link.bin", "leads out"),
                      (b"sub/secret.bin", "leads out"), (b"x.cue", "the sheet itself"),
                      (b"other.cue", "a sheet itself"), (b"pack.zip", "a container"),
                      (b"pipe.bin", "no regular file"), (b"disc1", "no regular file"),
                      (b".", "is not there"), (b"/", "outside"), (b"\xff\xfe\x01", "is not there"),
                      (b"a" * 900, "is not there"), (b"d/" * 300 + b"x", "is not there")):
        seen, db = scan_name(name)
        tap.equal((seen.code, bench.codes(db, cue)), (3, ["IMG0021"]), "%r: IMG0021" % name[:40], seen)
        tap.ok(why in bench.finding(db, "IMG0021"), "%r: %s" % (name[:40], why),
               bench.finding(db, "IMG0021"))
        tap.equal((assets(db), list(sources(db))), ([], [cue]), "%r: nothing else is read" % name[:40])
    for name, path in ((b"good.bin", "good.bin"), (b"GOOD.Bin", "good.bin"), (b"./good.bin", "good.bin"),
                       (b"rips\\good.bin", "good.bin"), (b"disc1/own.bin", "disc1/Own.BIN"),
                       (b"DISC1\\OWN.BIN", "disc1/Own.BIN"), (b"inside.bin", "inside.bin")):
        seen, db = scan_name(name)
        tap.equal((seen.code, sorted(sources(db)), len(assets(db))),
                  (0, sorted([cue, os.path.join(folder, path)]), 3), "%r is found" % name, seen)
    shutil.copy(os.path.join(folder, "good.bin"), os.path.join(folder, "Good.bin"))
    seen, db = scan_name(b"good.bin")
    tap.ok(os.path.join(folder, "good.bin") in sources(db), "its own case goes before others", seen)
    seen, db = scan_name(b"GOOD.BIN")
    tap.ok(os.path.join(folder, "Good.bin") in sources(db), "the first of several by bytes", seen)
    many = b"".join(b'FILE "f%d.bin" BINARY\n' % i for i in range(10000))
    with open(cue, "wb") as file:
        file.write(many)
    seen, db = bench.scan(cue, timeout=20)
    tap.equal((seen.code, bench.codes(db, cue)), (3, ["IMG0020", "IMG0021"]), "10,000 files", seen)
    with open(cue, "wb") as file:
        file.write(head + b"good.bin" + tail + b"REM " + b"x" * (3 << 20))
    seen, db = bench.scan(cue, timeout=20)
    tap.equal(bench.codes(db, cue), ["IMG0020"], "a sheet of 3 MiB", seen)


def own_database(bench, disc):
    """A sheet that names the database of the scan, and images that are named twice."""
    tap = bench.tap
    part = "TRACK %02d MODE2/2352\nINDEX 01 00:00:00\n"
    folder = bench.folder(x_cue=("FILE own.db BINARY\n" + part % 1).encode())
    db, cue = os.path.join(folder, "own.db"), os.path.join(folder, "x.cue")
    for _ in range(2):
        seen = bench.program.run("scan", "-o", db, cue)
    tap.equal((seen.code, list(sources(db)), bench.codes(db, cue)), (0, [cue], ["IMG0090"]),
              "the scan's own database is no image", seen)
    twice = ("FILE a.bin BINARY\n" + part % 1 + "FILE A.BIN BINARY\n" + part % 2).encode()
    folder = bench.folder(x_cue=twice, a_bin=disc.first)
    seen, db = bench.scan(folder)
    tap.equal((len(assets(db)), bench.codes(db, os.path.join(folder, "x.cue"))), (3, ["IMG0090"]),
              "an image that is named twice is read once", seen)
    once = ("FILE a.bin BINARY\n" + part % 1).encode()
    folder = bench.folder(x_cue=once, y_cue=once, a_bin=disc.first)
    seen, db = bench.scan(folder)
    tap.equal((len(assets(db)), bench.codes(db, os.path.join(folder, "x.cue")),
               bench.codes(db, os.path.join(folder, "y.cue"))), (3, [], ["IMG0090"]),
              "two sheets of one image", seen)


def broken_first_lines(bench, disc):
    """A sheet whose FILE or TRACK is broken is one that says so, and its image is searched."""
    tap = bench.tap
    folder = bench.folder(a_bin=disc.first)
    alone = places(bench.scan(os.path.join(folder, "a.bin"))[1])
    for text in (b'FILE "a.bin" BINARY\nTRACK xx\nINDEX 01 00:00:00\n',
                 b'FILE "a.bin"\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n'):
        folder = bench.folder(a_bin=disc.first, j_cue=text)
        cue = os.path.join(folder, "j.cue")
        seen, db = bench.scan(cue)
        tap.equal((seen.code, bench.codes(db, cue), list(sources(db)), len(alone) > 0, places(db)),
                  (0, ["IMG0020"], [os.path.join(folder, "a.bin"), cue], True, alone),
                  "%r is told, and the image searched" % text, seen)


def plain_texts(bench):
    tap = bench.tap
    for text in (b'FILE "a.bin" BINARY\n', b"The FILE is BINARY\nTRACK 01 AUDIO\n",
                 b'see FILE "a.bin" BINARY\nTRACK 01 MODE1/2352\n', b"[CloneCD]\nis a program\n",
                 b"MEDIA DESCRIPTOR of the disc"):
        folder = bench.folder(a_cue=text)
        seen, db = bench.scan(folder)
        tap.equal((seen.code, [row["kind"] for row in sources(db).values()]), (0, ["file"]),
                  "%r is plain text" % text, seen)
    seen = bench.program.run("scan", "-o", bench.work.path("pipe.db"), "-",
                             data=b"FILE a BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n")
    rows = sources(bench.work.path("pipe.db"))
    tap.equal((seen.code, rows["-"]["kind"]), (0, "file"), "a sheet from a pipe has no folder", seen)


# ---- other kinds -----------------------------------------------------------------------------

def ccd_text(disc):
    return ("[CloneCD]\r\nVersion=3\r\n[Disc]\r\nTocEntries=6\r\nSessions=1\r\n"
            "[Entry 0]\r\nSession=1\r\nPoint=0xa0\r\nControl=0x04\r\nPLBA=4350\r\n"
            "[Entry 1]\r\nPoint=0x01\r\nControl=0x04\r\nPLBA=0\r\n"
            "[Entry 2]\r\nPoint=0x02\r\nControl=0x00\r\nPLBA=%d\r\n"
            "[TRACK 1]\r\nMODE=2\r\nINDEX 1=0\r\n[TRACK 2]\r\nMODE=0\r\nINDEX 1=%d\r\n"
            % (disc.len1, disc.len1)).encode()


def put(data, off, value, size):
    data[off:off + size] = value.to_bytes(size, "little")


def mds_bytes(disc, sub=0, name="*.mdf"):
    out = bytearray(0x200)
    out[:16] = b"MEDIA DESCRIPTOR"
    for off, value, size in ((0x10, 1, 1), (0x14, 1, 2), (0x50, 0x58, 4), (0x62, 2, 1),
                             (0x6c, 0x70, 4), (0x160, 0x170, 4)):
        put(out, off, value, size)
    out[0x170:0x171 + len(name)] = name.encode() + b"\0"
    stride = 2352 + sub
    for i, (mode, lba) in enumerate(((0xec if sub else 0xab, 0), (0xa9, disc.len1))):
        at = 0x70 + i * 0x50
        for off, value, size in ((0, mode, 1), (1, 8 if sub else 0, 1), (4, i + 1, 1),
                                 (16, stride, 2), (0x24, lba, 4), (0x28, lba * stride, 8),
                                 (0x34, 0x160, 4)):
            put(out, at + off, value, size)
    return bytes(out)


def nrg_bytes(disc, form="DAOX"):
    """Pregap, both tracks, and the chunks behind them."""
    data = bytes(150 * 2352) + disc.first + disc.audio
    width = 8 if form == "DAOX" else 4
    ends = [150 * 2352, 150 * 2352 + len(disc.first), len(data)]
    tracks = b""
    for mode, offs in ((6, (0, ends[0], ends[1])), (7, (ends[1], ends[1], ends[2]))):
        tracks += bytes(12) + struct.pack(">HBBH", 2352, mode, 0, 1)
        tracks += b"".join(off.to_bytes(width, "big") for off in offs)
    body = bytes(4 + 13 + 5) + tracks
    chunks = form.encode() + struct.pack(">I", len(body)) + body + b"END!" + bytes(4)
    footer = b"NER5" + struct.pack(">Q", len(data)) if width == 8 else \
        b"NERO" + struct.pack(">I", len(data))
    return data + chunks + footer


def nrg_of_tracks(form, data, rows, more=b""):
    """Tracks recorded one by one: (offset, length, mode, LBA) each."""
    packed = {"ETN2": ">QQIIQ", "ETNF": ">IIIII", "TINF": ">III"}[form]
    body = b"".join(struct.pack(packed, *(row + (0,))[:len(packed) - 1]) for row in rows)
    chunks = form.encode() + struct.pack(">I", len(body)) + body + more + b"END!" + bytes(4)
    footer = b"NER5" + struct.pack(">Q", len(data)) if form == "ETN2" else \
        b"NERO" + struct.pack(">I", len(data))
    return data + chunks + footer


def nrg_one_by_one(bench, disc):
    """An HMD would be found in the audio bytes if nothing said that they are audio; they are fewer
    than an audio track has that is told by its content."""
    tap = bench.tap
    planted = read(bench.program.forge("tod", small_tod(40, 9), bench.work.path("planted.tod")))
    audio = bytearray(noise(40, seed=7))
    audio[4704:4704 + len(planted)] = planted
    image = disc.first + bytes(audio)
    _, db = bench.scan(bench.work.write("first_alone.bin", disc.first))
    expected = places(db)
    at = len(disc.first)
    for form in ("ETN2", "ETNF", "TINF"):
        rows = [(0, at, 6, 0), (at, len(audio), 7, disc.len1 + 150)]
        path = os.path.join(bench.folder(disc_nrg=nrg_of_tracks(form, image, rows)), "disc.nrg")
        seen, db = bench.scan(path)
        tap.equal((seen.code, places(db)), (0, expected), "NRG %s: no asset of the audio" % form,
                  seen)
        tap.equal(bench.codes(db, path), ["IMG0024", "IMG0027", "IMG0037"],
                  "NRG %s: the audio track is left out, and nothing is wrong" % form, seen)
    spoilt = (("a mode that is none", [(0, at, 9, 0)], "IMG0020"),
              ("a track behind the sectors", [(len(image), 2352, 6, 0)], "IMG0023"),
              ("a length that wraps", [(2352, (1 << 64) - 1, 6, 0)], "IMG0023"),
              ("a track in another one", [(0, at, 6, 0), (2352, 2352, 7, 0)], "IMG0023"))
    for name, rows, code in spoilt:
        path = os.path.join(bench.folder(disc_nrg=nrg_of_tracks("ETN2", image, rows)), "disc.nrg")
        seen, db = bench.scan(path)
        codes = bench.codes(db, path)
        tap.ok(code in codes and "IMG0003" not in codes, "NRG with %s is told" % name, codes, seen)
        tap.ok(set(expected) <= set(places(db)), "NRG with %s: the content decides" % name, seen)
    gap = [(0, at, 6, 0), (at + 4704 + 2352 * 4, len(audio) - 4704 - 2352 * 4, 7, 9999)]
    path = os.path.join(bench.folder(disc_nrg=nrg_of_tracks("ETN2", image, gap)), "disc.nrg")
    seen, db = bench.scan(path)
    tap.equal(len(assets(db)), len(expected) + 1, "NRG: bytes between tracks are searched", seen)
    many = b"SINF" + struct.pack(">I", 6000) + bytes(6000)
    path = os.path.join(bench.folder(disc_nrg=nrg_of_tracks("ETN2", image, [
        (0, at, 6, 0), (at, len(audio), 7, 0)], many)), "disc.nrg")
    seen, db = bench.scan(path)
    tap.equal(bench.codes(db, path), ["IMG0024", "IMG0027", "IMG0037"],
              "NRG: chunks longer than sectors are none", seen)


def cdi_footer(version=0x80000006, sessions=1, tracks=2, late=0, broken=b""):
    """As far as it is read: what tracks it has is not."""
    mark = broken or b"\0\0\1\0\0\0" + b"\xff" * 4
    return struct.pack("<HHI", sessions, tracks, late) + bytes(8 if late else 0) + 2 * mark + \
        bytes(200) + struct.pack("<I", version)


def cdi(bench, disc):
    """Recognised by its footer; the disc is the same as its sectors alone."""
    tap = bench.tap
    _, db = bench.scan(bench.work.write("sectors.bin", disc.whole))
    expected = places(db)
    codes = bench.codes(db, bench.work.path("sectors.bin"))
    size = len(disc.whole)
    for name, footer, off in (("3.5", cdi_footer(), None), ("3", cdi_footer(0x80000005), size),
                              ("2", cdi_footer(0x80000004, late=7), size),
                              ("3.5, long", cdi_footer()[:-4] + bytes(5000) + cdi_footer()[-4:], None)):
        whole = disc.whole + footer
        whole += struct.pack("<I", len(footer) + 4 if off is None else off)
        path = os.path.join(bench.folder(disc_cdi=whole), "disc.cdi")
        seen, db = bench.scan(path)
        tap.equal((seen.code, places(db)), (0, expected), "CDI %s: the assets of its sectors" % name,
                  seen)
        tap.equal(bench.codes(db, path), sorted(codes + ["IMG0027"]),
                  "CDI %s: named, and its footer is no sectors" % name, seen)
        tap.ok("CDI" in bench.finding(db, "IMG0027"), "CDI %s: it is told what it is" % name, seen)
    for name, footer, length in (("a version that is none", cdi_footer(7), 0),
                                 ("no sessions", cdi_footer(sessions=0), 0),
                                 ("100 tracks", cdi_footer(tracks=100), 0),
                                 ("another mark", cdi_footer(broken=b"0123456789"), 0),
                                 ("a footer longer than the file", cdi_footer(), 1 << 30),
                                 ("a footer of no bytes", cdi_footer(), -1)):
        length = length or len(footer) + 4
        whole = disc.whole + footer + struct.pack("<I", max(length, 0))
        path = os.path.join(bench.folder(disc_cdi=whole), "disc.cdi")
        seen, db = bench.scan(path)
        tap.ok("IMG0027" not in bench.codes(db, path) and seen.code == 0 and
               places(db) == expected, "%s: no CDI" % name, seen)


def other_kinds(bench, disc):
    tap = bench.tap
    image = disc.first + disc.audio
    wide = b"".join(image[at:at + 2352] + bytes(96) for at in range(0, len(image), 2352))
    plain = bench.work.write("plain.bin", image)
    _, db = bench.scan(plain)
    expected = places(db, ("raw_offset",))
    sub = bytes(96 * (len(image) // 2352))
    cases = [("CCD", "disc.img", dict(disc_ccd=ccd_text(disc), disc_img=image, disc_sub=sub), [],
              ["IMG0024", "IMG0037"]),
             ("CCD without SUB", "DISC.IMG", dict(disc_ccd=ccd_text(disc), DISC_IMG=image),
              ["IMG0029"], ["IMG0024", "IMG0037"]),
             ("CCD with a short SUB", "disc.img",
              dict(disc_ccd=ccd_text(disc), disc_img=image, disc_sub=sub[:-1]), ["IMG0029"],
              ["IMG0024", "IMG0037"]),
             ("MDS", "disc.mdf", dict(disc_mds=mds_bytes(disc), disc_mdf=image), ["IMG0027"],
              ["IMG0024", "IMG0037"]),
             ("MDS with subchannels", "Disc.mdf",
              dict(disc_mds=mds_bytes(disc, 96), Disc_mdf=wide), ["IMG0027"], ["IMG0024", "IMG0037"]),
             ("MDS with a name", "other.mdf",
              dict(disc_mds=mds_bytes(disc, name="other.mdf"), other_mdf=image), ["IMG0027"],
              ["IMG0024", "IMG0037"])]
    for name, path, files, sheet_codes, image_codes in cases:
        folder = bench.folder(**files)
        control = [key.replace("_", ".") for key in files][0]
        seen, db = bench.scan(os.path.join(folder, control))
        tap.equal((seen.code, places(db, ("raw_offset",))), (0, expected),
                  "%s: the assets of the image" % name, seen)
        tap.equal(bench.codes(db, os.path.join(folder, control)), sheet_codes,
                  "%s: findings of the sheet" % name, seen)
        tap.equal(bench.codes(db, os.path.join(folder, path)), image_codes,
                  "%s: findings of the image" % name, seen)
    folder = bench.folder(disc_ccd=ccd_text(disc), disc_img=image)
    os.symlink("disc.sub", os.path.join(folder, "disc.sub"))
    seen, db = bench.scan(os.path.join(folder, "disc.ccd"))
    tap.equal((seen.code, places(db, ("raw_offset",))), (3, expected),
              "a SUB that cannot be looked at: the assets, and the exit code says so", seen)
    tap.ok("symbolic links" in bench.finding(db, "IMG0029"), "it is told why", seen)
    os.mkdir(os.path.join(folder, "loop"))
    os.symlink("to", os.path.join(folder, "loop", "to"))
    cue = bench.work.write("%s/loop.cue" % os.path.basename(folder), disc.cue("loop/to/disc.img"))
    seen, db = bench.scan(cue)
    tap.ok(seen.code == 3 and "symbolic links" in bench.finding(db, "IMG0021"),
           "a folder that cannot be looked into is not taken for one that is not there", seen)
    folder = bench.folder(disc_mds=mds_bytes(disc, name="../other.mdf"), other_mdf=image)
    seen, db = bench.scan(folder)
    tap.equal(bench.codes(db, os.path.join(folder, "disc.mds")), ["IMG0021", "IMG0027"],
              "an MDS leads nowhere else either", seen)
    for form in ("DAOX", "DAOI"):
        folder = bench.folder(disc_nrg=nrg_bytes(disc, form))
        path = os.path.join(folder, "disc.nrg")
        seen, db = bench.scan(path)
        tap.equal([row[1] for row in expected], [row[1] for row in places(db, ("raw_offset",))],
                  "NRG %s: the assets" % form, seen)
        tap.equal([row["lba"] for row in assets(db)], [int(row[2]) for row in expected],
                  "NRG %s: their LBA" % form, seen)
        codes = bench.codes(db, path)
        tap.ok({"IMG0024", "IMG0027"} <= set(codes) and "IMG0022" not in codes and
               "IMG0026" not in codes, "NRG %s: audio left out" % form, codes, seen)
        tap.ok("IMG0003" not in codes, "NRG %s: its chunks are no rest" % form, codes, seen)


# ---- by the tools that people use ------------------------------------------------------------

def with_chdman(bench, disc):
    tap = bench.tap
    if CHDMAN is None:
        tap.skip("a disc through chdman", "no chdman")
        return

    def chdman(*args):
        subprocess.run([CHDMAN, *args], check=True, stdout=subprocess.DEVNULL, timeout=60 * SLOWER)

    folder = bench.folder(disc_cue=disc.cue(), disc_bin=disc.whole)
    _, db = bench.scan(os.path.join(folder, "disc.cue"))
    other = bench.folder()
    chd, cue = os.path.join(other, "x.chd"), os.path.join(other, "y.cue")
    chdman("createcd", "-i", os.path.join(folder, "disc.cue"), "-o", chd)
    chdman("extractcd", "-i", chd, "-o", cue, "-ob", os.path.join(other, "y.bin"))
    seen, db_cue = bench.scan(cue)
    tap.equal(places(db_cue), places(db), "there and back: the same assets and addresses", seen,
              read(cue).decode())
    tap.equal(bench.codes(db_cue, os.path.join(other, "y.bin")), ["IMG0024", "IMG0037"],
              "there and back: the same findings", seen)
    seen, db_chd = bench.scan(chd)
    without = ("raw_offset", "iso_path", "iso_offset")
    tap.equal(places(db_chd, without), places(db, without), "in the CHD: the same user offsets", seen)


# ---- any bytes -------------------------------------------------------------------------------

def mutations(bench, disc):
    """Spoilt sheets, 200 of each kind, in one folder each: all are read, nothing outside is."""
    tap = bench.tap
    rng = random.Random(5)
    image = disc.first[:40 * 2352]
    for name, data, stem in (("cue", disc.cue("a.bin"), "a.bin"), ("ccd", ccd_text(disc), "a.img"),
                             ("mds", mds_bytes(disc, name="a.mdf"), "a.mdf"),
                             ("nrg", nrg_bytes(disc)[-200:], None)):
        folder = bench.folder()
        if stem is not None:
            bench.work.write(os.path.join(folder, stem), image)
        for i in range(200):
            out = bytearray(data)
            for _ in range(rng.randrange(1, 6)):
                out[rng.randrange(len(out))] = rng.choice(b'\0\xff"/. 09:\n') if i % 2 else \
                    rng.randrange(256)
            if i % 5 == 0:
                out = out[:rng.randrange(len(out))] if stem else out[rng.randrange(len(out)):]
            bench.work.write(os.path.join(folder, "m%03d.%s" % (i, name)),
                             bytes(out) if stem else image + bytes(out))
        seen, db = bench.scan(folder, timeout=120)
        tap.ok(seen.code in (0, 3), "200 spoilt %s" % name, seen)
        rows = sources(db)
        tap.ok(len(rows) == len(os.listdir(folder)) and
               all(os.path.dirname(path) == folder for path in rows),
               "each file of the folder is a source, and no other (%s)" % name, len(rows))
        tap.equal(database_faults(db), [], "the database is sound (%s)" % name)


def main():
    tap, program = Tap(), Program(sys.argv)
    with Workspace() as work:
        disc = Disc(program, work)
        bench = Bench(tap, program, work)
        one_file(bench, disc)
        several_files(bench, disc)
        cooked(bench, program, work)
        tracks_end(bench, program, work)
        content_decides(bench, disc)
        names(bench, disc)
        own_database(bench, disc)
        broken_first_lines(bench, disc)
        plain_texts(bench)
        other_kinds(bench, disc)
        nrg_one_by_one(bench, disc)
        cdi(bench, disc)
        with_chdman(bench, disc)
        mutations(bench, disc)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
