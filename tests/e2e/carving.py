"""Texts in images and memory as they really lie: at any byte, in any encoding, cut and scattered."""
import os
import random
import sys

from harness import Layout, Program, Tap, Workspace, assets, findings_of, query, read

PAGE = 4096
NUM = 50
ENCODINGS = ("bytes", "bytes", "bytes", "utf16le", "utf16be")


# ---- texts ----

def camerawork(program, work, name, rand, rows, **options):
    lines = ["camerawork " + " ".join("%s=%s" % item for item in sorted(options.items()))]
    for i in range(rows):
        key = i in (0, rows - 1) or rand.random() < 0.2
        lines.append("row %s pos %s" % ("key anchored" if key else "",
                                        " ".join("%.3f" % rand.uniform(-99, 99) for _ in range(3))))
    return read(program.forge("camerawork", "\n".join(lines) + "\n", work.path(name)))


def tra(program, work, name, rand, bones, **options):
    options["encoding"] = {"bytes": "ascii"}.get(options["encoding"], options["encoding"])
    frames = rand.randint(2, 60)
    lines = ["tra " + " ".join("%s=%s" % item for item in sorted(options.items())), "magic", "head",
             "figure %d" % frames]
    for bone in range(bones):
        lines.append('bone "bone%d_%d"' % (bone, rand.randint(0, 99)))
        for axis in "xyz":
            lines.append("translate.%s 0 %.3f %d %.3f" % (axis, rand.uniform(-9, 9), frames - 1,
                                                         rand.uniform(-9, 9)))
        lines.append("roll 0 0.0 %d %.2f" % (frames - 1, rand.uniform(-90, 90)))
    return read(program.forge("tra", "\n".join(lines) + "\n", work.path(name)))


def texts(program, work, rand, smallest):
    """Pairs of a format's name and the bytes of a sound file."""
    found = []
    for i in range(NUM):
        encoding = rand.choice(ENCODINGS)
        options = {"encoding": encoding, "eol": rand.choice(("lf", "lf", "crlf", "cr")),
                   "bom": rand.choice(("no", "yes")) if encoding != "bytes" else "no"}
        found.append(("tra", tra(program, work, "t.tra", rand, rand.randint(1, 9), **options)))
        options["form"] = rand.choice(("e2", "e3"))
        found.append(("camerawork", camerawork(program, work, "c.cam", rand,
                                               rand.randint(smallest, 60), **options)))
    return found


# ---- what is demanded ----

def sha256(data):
    import hashlib
    return hashlib.sha256(data).hexdigest()


def pieces_of(db, row):
    found = query(db, "SELECT raw_offset, length FROM piece WHERE asset_id = %d ORDER BY asset_offset"
                  % row["id"])
    return [(p["raw_offset"], p["length"]) for p in found] or [(row["raw_offset"], row["length"])]


def scan(tap, program, work, name, path, *options):
    db = work.path(name + ".db")
    result = program.run("scan", "-o", db, *options, path)
    tap.equal((result.code, result.errors), (0, ""), "%s: scan" % name, result)
    return db


def hold(tap, db, expected, name):
    """expected: format, pieces, bytes of each text."""
    seen = {(row["format"], row["sha256"]): row for row in assets(db)}
    missing = []
    for kind, pieces, data in expected:
        row = seen.get((kind, sha256(data)))
        if row is None or pieces_of(db, row) != pieces or row["grade"] != "replayed" or \
                row["length"] != len(data):
            missing.append((kind, pieces, row and (pieces_of(db, row), row["grade"])))
    tap.equal(missing[:5], [], "%s: every text is found where it lies, and replayed" % name)
    tap.equal(len(assets(db)), len(expected), "%s: and nothing else" % name,
              [(r["format"], r["grade"], r["raw_offset"], r["length"]) for r in assets(db)][:20])


# ---- memory ----

class Dump:
    """Pages of memory; what is not used holds random bytes."""

    def __init__(self, rand, num_pages):
        self.rand = rand
        self.data = bytearray(rand.randbytes(num_pages * PAGE))
        self.free = list(range(1, num_pages))

    def put_whole(self, data):
        """In neighbouring pages, at any byte of the first."""
        num = (len(data) + PAGE + 64) // PAGE + 1
        for first in self.free:
            if all(first + i in self.free for i in range(num)):
                break
        for i in range(num):
            self.free.remove(first + i)
        at = first * PAGE + self.rand.randint(1, PAGE - 1)
        self.data[at:at + len(data)] = data
        self.data[at + len(data)] = 0
        return [(at, len(data))]

    def put_scattered(self, data, least):
        """From any even byte of a page on, in pages anywhere; the last one holds at least `least`
        bytes."""
        while True:
            start = 2 * self.rand.randint(0, PAGE // 2 - 1)
            if PAGE - start >= least and (start + len(data)) % PAGE >= least:
                break
        pieces, off = [], 0
        while off < len(data):
            page = self.free.pop(self.rand.randrange(len(self.free)))
            length = min(PAGE - start, len(data) - off)
            self.data[page * PAGE:page * PAGE + PAGE] = bytes(PAGE)
            self.data[page * PAGE + start:page * PAGE + start + length] = data[off:off + length]
            pieces.append((page * PAGE + start, length))
            off, start = off + length, 0
        merged = [pieces[0]]
        for at, length in pieces[1:]:
            if at == sum(merged[-1]):
                merged[-1] = (merged[-1][0], merged[-1][1] + length)
            else:
                merged.append((at, length))
        return merged


def memory(tap, program, work):
    rand = random.Random(20050404)
    dump = Dump(rand, 2048)
    expected = []
    for kind, data in texts(program, work, rand, 12):
        is_cut = kind == "camerawork" and rand.random() < 0.8
        pieces = dump.put_scattered(data, 1400) if is_cut else dump.put_whole(data)
        expected.append((kind, pieces, data))
    path = work.write("memory.bin", bytes(dump.data))
    hold(tap, scan(tap, program, work, "memory", path), expected, "memory")


def damaged(tap, program, work):
    """Bytes overwritten here and there: what is told of is where it is said to be."""
    rand = random.Random(19970806)
    dump = Dump(rand, 400)
    for kind, data in texts(program, work, rand, 12)[:24]:
        _ = dump.put_scattered(data, 1400) if kind == "camerawork" else dump.put_whole(data)
    wrong, ends = [], set()
    for i in range(12):
        data = bytearray(dump.data)
        for _ in range(60 * (i + 1)):
            at = rand.randrange(len(data))
            data[at:at + 4] = rand.choice((b"0", b"\n", b" ", b"9 ", b"\0", rand.randbytes(2),
                                           data[at + 300:at + 304]))
        del data[len(dump.data):]
        path = work.write("damaged.bin", bytes(data))
        db = work.path("damaged%d.db" % i)
        ends.add(program.run("scan", "-o", db, path).code)
        for row in assets(db):
            pieces = b"".join(data[at:at + length] for at, length in pieces_of(db, row))
            if len(pieces) != row["length"] or sha256(pieces) != row["sha256"]:
                wrong.append((i, row["id"], row["format"], row["raw_offset"]))
    tap.equal(wrong, [], "damaged: every asset is made of the bytes of its pieces")
    tap.equal(ends, {0}, "damaged: and every scan ends well")


# ---- a disc ----

def disc(tap, program, work):
    """In sectors anywhere on the disc, in groups of sectors that are shuffled, or as files."""
    rand = random.Random(20030108)
    layout = Layout("2352", 2352, 24, "", 0)
    lines, groups, expected = ["image stride=2352"], [], []
    starts = rand.sample(range(0, 400, 2), 2 * NUM)  # two texts cut alike could not be told apart
    for i, (kind, data) in enumerate(texts(program, work, rand, 20)):
        start = starts[i]
        num = rand.choice((1, 2, 3)) if kind == "camerawork" and rand.random() < 0.7 else 999
        while num < 999 and (start + len(data)) % (num * 2048) < 1400:
            start += 2
        cut = [data[max(0, at - start):at - start + num * 2048]
               for at in range(0, start + len(data), num * 2048)]
        for k, piece in enumerate(cut):
            groups.append((i, k, piece, start if k == 0 else 0))
        expected.append([kind, [None] * len(cut), data])
    rand.shuffle(groups)
    lba = 20
    for i, k, piece, skip in groups:
        name = "piece%d_%d" % (i, k)
        work.write(name, piece)
        lines.append("hidden < %s at=%d skip=%d" % (name, lba, skip))
        expected[i][1][k] = (layout.raw(lba * 2048 + skip), len(piece))
        lba += (skip + len(piece) + 2047) // 2048 + rand.randint(1, 2)
    path = program.forge("image", "\n".join(lines) + "\ngap 5\n", work.path("disc.img"), root=work.name)
    hold(tap, scan(tap, program, work, "disc", path), expected, "disc")


def main():
    tap, program, work = Tap(), Program(sys.argv), Workspace()
    for part in (memory, damaged, disc):
        part(tap, program, work)
    tap.done()


if __name__ == "__main__":
    main()
