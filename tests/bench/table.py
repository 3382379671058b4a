"""Measures framehound and writes a table for people.

Usage: table.py FRAMEHOUND FORGE [PART...]

PART is disc, tools, size, assets, jobs, memory, hostile or replay; all by default. From the environment:

FRAMEHOUND_BENCH_MIB      size of the disc image (660); others are no larger, but for zeros and holes
FRAMEHOUND_BENCH_RUNS     how often each is run (5)
FRAMEHOUND_BENCH_SECONDS  how long it is looked at the memory of a scan of a hole (60)
FRAMEHOUND_BENCH_DIR      folder for the images (a temporary one)
FRAMEHOUND_BENCH_OUT      file that gets the table besides standard output

To see whether a part works: FRAMEHOUND_BENCH_MIB=16 FRAMEHOUND_BENCH_RUNS=1 FRAMEHOUND_BENCH_SECONDS=2.

Fails where something is found that is not there, or the other way round (format, place and length of
each asset count); never on time.
"""
import os
import shutil
import sqlite3
import sys
import tempfile

import discs
import hostile
import magics
from measure import MIB, Memory, dd, in_turns, machine, median_of, megabytes, ratios, shown, watch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))

from harness import small_tod  # noqa: E402

DISC_MIB = int(os.environ.get("FRAMEHOUND_BENCH_MIB", "660"))
RUNS = int(os.environ.get("FRAMEHOUND_BENCH_RUNS", "5"))
SECONDS = int(os.environ.get("FRAMEHOUND_BENCH_SECONDS", "60"))
SMALL_MIB = min(64, DISC_MIB)
ZEROS_MIB = 64  # room for 10000 animations
HOSTILE_MIB = min(16, DISC_MIB)
REPLAYED = 8  # animations of each format, for one alone takes less than noise does


class Bench:
    def __init__(self, framehound, forge, folder):
        self.framehound, self.forge, self.folder = framehound, forge, folder
        self.lines, self.failed, self.images = [], [], {}
        self.db, self.carved = self.path("bench.db"), self.path("carved")

    def path(self, name):
        return os.path.join(self.folder, name)

    def scan(self, *args):
        return [self.framehound, "scan", "-o", self.db, *args]

    def clean(self):
        if os.path.exists(self.db):
            os.unlink(self.db)
        shutil.rmtree(self.carved, ignore_errors=True)

    def say(self, line=""):
        print("# " + line if line else "#")
        sys.stdout.flush()
        self.lines.append(line)

    def row(self, *cells):
        self.say("| " + " | ".join(str(cell) for cell in cells) + " |")

    def head(self, title, *cells):
        self.say()
        self.say("## " + title)
        self.say()
        self.row(*cells)
        self.row(*["---"] * len(cells))

    def expect(self, condition, what):
        if not condition:
            self.failed.append(what)

    def disc(self, mib, every=1):
        """An image and the assets in it (discs.make); it is in the page cache."""
        if (mib, every) not in self.images:
            path = self.path("disc%d-%d.bin" % (mib, every))
            self.images[mib, every] = (path, discs.make(self.forge, mib, path, every))
        with open(self.images[mib, every][0], "rb") as file:
            while file.read(MIB):
                pass
        return self.images[mib, every]

    def found(self):
        """The assets that the last scan has recorded, as discs.make tells those that it has put there."""
        with sqlite3.connect(self.db) as base:
            return sorted(base.execute("SELECT format, raw_offset, length FROM asset"))

    def expect_assets(self, wanted, what):
        """All of them, where they are, and nothing else."""
        found = self.found()
        self.expect(found == wanted, "%s: %d of %d assets, lacking %r, too many %r" % (
            what, len(found), len(wanted), sorted(set(wanted) - set(found))[:5],
            sorted(set(found) - set(wanted))[:5]))

    def beside_dd(self, path, *commands, runs=RUNS):
        """Runs each command between two of dd; for each what it took of dd's time by the clock, and of
        its time of processors."""
        out = []
        for command in commands:
            reading, mine = in_turns(runs, dd(path), command, before=self.clean)
            out.append((ratios(mine, reading), ratios(mine, reading, "busy"), mine))
        return out


SCANS = (("`scan`", []), ("`scan -j 1`", ["-j", "1"]), ("`scan --no-hash`", ["--no-hash"]),
         ("`scan --no-hash --no-replay`", ["--no-hash", "--no-replay"]),
         ("`scan --no-hash -f tod`", ["--no-hash", "-f", "tod"]),
         ("`scan --no-hash --no-replay -f tra`: few assets, so the search alone",
          ["--no-hash", "--no-replay", "-f", "tra"]))


def disc(b):
    disc_rows(b, 1, SCANS)
    disc_rows(b, 10, SCANS[:1] + SCANS[2:3])


def disc_rows(b, every, scans):
    path, assets = b.disc(DISC_MIB, every)
    size = os.path.getsize(path)
    b.head("A disc image of %.0f MB in raw sectors, with %d assets (%s)" % (
        size / 1e6, len(assets), ", ".join("%d %s" % (n, f) for f, n in discs.counts_of(assets).items())),
        "", "times as long as `dd bs=512K`", "times its processor time")
    for name, args in scans:
        (ratio, busy, _), = b.beside_dd(path, b.scan(*args, path))
        b.row(name, shown(ratio), shown(busy))
        b.expect_assets([asset for asset in assets if "-f" not in args or asset[0] == args[-1]], name)
    if shutil.which("openssl"):
        (ratio, busy, _), = b.beside_dd(path, ["openssl", "dgst", "-sha256", path])
        b.row("`openssl dgst -sha256`, to compare", shown(ratio), shown(busy))


def tools(b):
    path, _ = b.disc(SMALL_MIB)
    b.head("Other tools that look for the same magics, in an image of %.0f MB" % (os.path.getsize(path) / 1e6),
           "", "times as long as `dd bs=512K`", "times its processor time", "")
    conf, rule, out = b.path("carve.conf"), b.path("magics.yar"), b.carved
    for name, text in ((conf, magics.carving_rules(4096)), (rule, magics.yara_rule())):
        with open(name, "w") as file:
            file.write(text)
    strings = "lists places; knows no choice of bytes: %d strings for the %d magics" % (
        len(magics.of_literals()), len(magics.MAGICS))
    for name, command, note in (
            ("framehound scan", b.scan(path), "finds, verifies, replays, hashes and records"),
            ("framehound scan --no-hash", b.scan("--no-hash", path), "the same without the hash of the image"),
            ("rg", ["rg", "-a", "--count-matches", magics.regular_expression(), path], "counts places"),
            ("yara", ["yara", "-w", "-s", rule, path], "lists places"),
            ("foremost", ["foremost", "-w", "-c", conf, "-o", out, "-i", path], strings),
            ("scalpel", ["scalpel", "-p", "-c", conf, "-o", out, path], strings),
            ("binwalk", ["binwalk", *magics.binwalk_options(), path], strings)):
        if name.startswith("framehound") or shutil.which(name):
            (ratio, busy, runs), = b.beside_dd(path, command, runs=min(RUNS, 3))
            codes = [run.code for run in runs if run.code != 0]
            b.row("`%s`" % name, *(["failed: exit code %d" % codes[0], ""] if codes else [shown(ratio), shown(busy)]),
                  note)
        else:
            b.row("`%s`" % name, "skipped: it is not installed", "", note)


def size(b):
    b.head("Growth with size", "image", "assets", "times as long as `dd`", "the same, `--no-hash`",
           "processor seconds", "of processors for a MB")
    for mib in (DISC_MIB // 8, DISC_MIB // 4, DISC_MIB // 2, DISC_MIB):
        path, assets = b.disc(mib)
        (ratio, _, runs), (bare, _, _) = b.beside_dd(path, b.scan(path), b.scan("--no-hash", path), runs=min(RUNS, 3))
        b.expect_assets(assets, "disc of %d MiB" % mib)
        length, busy = os.path.getsize(path) / 1e6, median_of(runs, "busy")
        b.row("%.0f MB" % length, len(assets), shown(ratio), shown(bare), "%.2f" % busy,
              "%.2f ms" % (1e3 * busy / length))
        if mib != DISC_MIB:
            os.unlink(b.images.pop((mib, 1))[0])


def assets(b):
    b.head("Growth with the number of assets: %d MiB of zeros with animations of 1 KB" % ZEROS_MIB,
           "assets", "seconds", "processor seconds", "of processors for each asset")
    tod = hostile.forged(b.forge, "tod", small_tod(24))
    path, first = b.path("many.bin"), None
    for number in (0, 100, 1000, 10000):
        with open(path, "wb") as file:
            for _ in range(ZEROS_MIB):
                file.write(bytes(MIB))  # not a hole, which is not read
            for i in range(number):
                file.seek(i * 6400)
                file.write(tod)
        runs, = in_turns(min(RUNS, 3), b.scan(path), before=b.clean)
        b.expect_assets([("tod", 6400 * i, len(tod)) for i in range(number)], "%d assets" % number)
        took = median_of(runs, "busy")
        first = took if first is None else first
        b.row(number, "%.2f" % median_of(runs, "seconds"), "%.2f" % took,
              "%.0f µs" % ((took - first) / number * 1e6) if number else "")
    os.unlink(path)


def jobs(b):
    folder = b.path("discs")
    os.mkdir(folder)
    for i in range(8):
        discs.make(b.forge, SMALL_MIB, os.path.join(folder, "%d.bin" % i))
    job_rows(b, "Jobs: 8 images of %d MiB" % SMALL_MIB, folder)
    shutil.rmtree(folder)
    path, assets = b.disc(DISC_MIB)
    job_rows(b, "Jobs: one image of %.0f MB" % (os.path.getsize(path) / 1e6), path)
    b.expect_assets(assets, "jobs")
    job_rows(b, "Jobs: the same image, `--no-hash`", "--no-hash", path)


def job_rows(b, title, *args):
    numbers = [n for n in (1, 2, 4, 8, 16) if n <= max(2, os.cpu_count())]
    b.head(title, "`-j`", "of the time of one", "processor seconds")
    runs = in_turns(min(RUNS, 3), *[b.scan("-j", str(n), *args) for n in numbers], before=b.clean)
    for number, mine in zip(numbers, runs):
        b.row(number, shown(ratios(mine, runs[0])), "%.2f" % median_of(mine, "busy"))


def memory(b):
    b.head("Memory, the most of each (looked at every few milliseconds; resident: with pages of libraries)", "",
           "own memory of all processes together", "resident of all, shared pages divided (PSS)",
           "resident, largest process", "")

    def look(name, command, runs=1, seconds=None):
        seen = Memory()
        for _ in range(runs):
            is_whole = watch(seen, command, seconds)
            b.clean()
        b.row(name, megabytes(seen.own), megabytes(seen.shares), megabytes(seen.largest), "%d looks%s%s" % (
            seen.looks, " in %d runs" % runs if runs > 1 else "",
            "" if is_whole else ", ended after %d s" % seconds))

    path, _ = b.disc(DISC_MIB)
    look("the disc", b.scan(path), RUNS)
    look("the disc, `-j 1`", b.scan("-j", "1", path), RUNS)
    look("the disc, `--worker off`", b.scan("--worker", "off", path), RUNS)
    sparse = b.path("sparse.bin")
    for gib in (1, 16, 1024):
        with open(sparse, "wb") as file:
            file.truncate(gib << 30)
        look("%d GiB, all of them a hole" % gib, b.scan("--no-hash", sparse), seconds=SECONDS)
    os.unlink(sparse)


def hostile_bytes(b):
    b.head("Bytes made to cost much (processor time of one process; N is %d MiB, for sound assets %g)" % (
        HOSTILE_MIB, HOSTILE_MIB / 16), "", "MB a second",
           "time of 2 N by time of N", "found")
    path = b.path("hostile.bin")
    with open(path, "wb"):
        pass
    start = min(run.busy for run in in_turns(5, b.scan(path), before=b.clean)[0])
    for name, make in hostile.MAKERS.items():
        scale = 16 if name in hostile.SOUND else 1
        took = []
        for times in (1, 2):
            data = make(times * HOSTILE_MIB * MIB // scale, b.forge)
            with open(path, "wb") as file:
                file.write(data)
            runs, = in_turns(2 if scale == 1 else 3, b.scan("-j", "1", "--worker", "off", path), before=b.clean)
            took.append(min(run.busy for run in runs) - start)
        number = len(b.found())
        b.row("`%s`" % name, "%.0f" % (len(data) / took[1] / 1e6) if scale == 1 else
              "%.1f" % (len(data) / took[1] / 1e6), "%.2f" % (took[1] / took[0]),
              "%d assets" % number if number else "nothing")
        b.expect(number == 0 or name in hostile.SOUND or name in hostile.SOME, "%s: %d assets" % (name, number))
    os.unlink(path)


def swaying(num, far):
    """An HMD of coordinates that sway, in rounds that share no factor: it plays for long."""
    lines = ["hmd", "blocks @sway 0", "coords: coordinates"]
    lines += ["unit t 0 0 %d" % (100 * i) for i in range(num)]
    lines += ["headers", "motion: header * !table !control !params !coords",
              "sway: primitive header=@motion", "record 0x03800000"]
    lines += ["sequence coord=%d start=(key%d-control) speed=1" % (i, i) for i in range(num)]
    lines += ["table: table 0x03000011", "control:"]
    for i in range(num):
        span = (29, 30, 31, 37)[i % 4]
        lines += ["key%d: key type=0 tframe=0 param=(left-params)" % i,
                  "on%d: key type=0 tframe=%d param=(right-params)" % (i, span),
                  "key type=0 tframe=%d param=(left-params)" % span, "jump to=(on%d-control)" % i]
    lines += ["params:", "left: value 0x03000011 t -%d 0 1000 r 0 -256 0" % far,
              "right: value 0x03000011 t %d 0 1000 r 0 256 0" % far]
    return "\n".join(lines) + "\n"


def long_animations(number):
    """Texts for the forge of one long animation of each format, each number another one."""
    walk = "tod\nframe 0\nrepeat 50\ncreate $+1\nmodel $+1 1\ncoord $+1 abs r 0 0 0 s 4096 4096 4096 t 0 0 0\n" \
           "endrepeat\nrepeat 1500\nframe +\nrepeat 50\ncoord $+1 diff r 0 %d 0\nendrepeat\nendrepeat\n"
    rotate = "tra\nmagic\nhead\nfigure 4000\n" + "".join(
        "bone \"b%d\"\nroll 0 0.0 4000 %d.0\n" % (i, 160 + number) for i in range(40))
    flight = "camerawork form=e3 eol=crlf\nline 6001 %d -50 3 20 50 3 20\n" % (20 + number)
    return {"tod": walk % (3600 + number), "hmd": swaying(40, 200 + number), "tra": rotate, "camerawork": flight}


def replay(b):
    b.head("Replay of %d animations of each format, by the processor time that a scan takes more than with "
           "`--no-replay`" % REPLAYED, "format",
           "object-frames", "object-frames a second")
    for kind in ("tod", "hmd", "tra", "camerawork"):
        paths = []
        for number in range(REPLAYED):
            paths.append(b.path("long%d.%s" % (number, kind)))
            with open(paths[-1], "wb") as file:
                file.write(hostile.forged(b.forge, kind, long_animations(number)[kind]))
        args = ["-j", "1", "--worker", "off", *paths]
        whole, bare = in_turns(RUNS, b.scan(*args), b.scan("--no-replay", *args), before=b.clean)
        b.clean()
        in_turns(1, b.scan(*args))
        with sqlite3.connect(b.db) as base:
            rows = base.execute("SELECT a.objects, r.frames FROM asset a JOIN replay r ON r.asset_id = a.id").fetchall()
        number = sum((objects or 1) * frames for objects, frames in rows)
        took = min(run.busy for run in whole) - min(run.busy for run in bare)
        b.row(kind, number, "%.2f million" % (number / took / 1e6) if took > 0 else "less time than can be told")
        b.expect(len(rows) == REPLAYED and all(frames > 0 for _, frames in rows), "replay of " + kind)


PARTS = {"disc": disc, "tools": tools, "size": size, "assets": assets, "jobs": jobs, "memory": memory,
         "hostile": hostile_bytes, "replay": replay}


def main():
    folder = tempfile.mkdtemp(prefix="framehound-bench-", dir=os.environ.get("FRAMEHOUND_BENCH_DIR"))
    b = Bench(sys.argv[1], sys.argv[2], folder)
    try:
        b.say("Measured on: %s." % machine())
        for part in sys.argv[3:] or PARTS:
            PARTS[part](b)
    finally:
        shutil.rmtree(folder)
    out = os.environ.get("FRAMEHOUND_BENCH_OUT")
    if out:
        with open(out, "w") as file:
            file.write("\n".join(b.lines) + "\n")
    for what in b.failed:
        print("#   " + what)
    print("%sok 1 - everything that is there is found, and nothing else" % ("not " if b.failed else ""))
    print("1..1")
    sys.exit(1 if b.failed else 0)


if __name__ == "__main__":
    main()
