"""How long a scan takes, in units of reading the same file: medians of runs that take turns.

Never fails on time. The image is forged, with an animation every 500 sectors; it is read
once before, so that both find it in the page cache.
"""
import os
import shutil
import statistics
import subprocess
import sys
import time

from harness import Program, Tap, Workspace, assets, small_tod

MIB = 1 << 20
RUNS = 5


def forge_image(program, work, mib):
    program.forge("tod", small_tod(60), work.path("bench.tod"))
    sectors = mib * MIB // 2352
    lines = ["hidden < bench.tod at=%d skip=%d" % (at, 4 * (at // 500 % 500)) for at in range(0, sectors - 4, 500)]
    return program.forge("image", "image stride=2352\n%s\ngap 3\n" % "\n".join(lines),
                         work.path("bench.img"), root=work.name), len(lines)


def seconds(call):
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        free = shutil.disk_usage(work.name).free // MIB
        mib = max(16, min(300, free // 3))
        image, number = forge_image(program, work, mib)
        dd = ["dd", "if=" + image, "of=/dev/null", "bs=512K", "status=none"]
        db = work.path("bench.db")
        subprocess.run(dd, check=True)
        reading, scanning, codes = [], [], []
        for _ in range(RUNS):
            if os.path.exists(db):
                os.unlink(db)
            reading.append(seconds(lambda: subprocess.run(dd, check=True)))
            scanning.append(seconds(lambda: codes.append(program.run("scan", "-o", db, image).code)))
        tap.equal(codes, [0] * RUNS, "all scans end with 0")
        tap.equal(len(assets(db)), number, "and find all %d animations" % number)
        read, scan = statistics.median(reading), statistics.median(scanning)
        size = os.path.getsize(image) / MIB
        tap.note("image of %.0f MiB: reading %.3f s (%.0f MiB/s), scan %.3f s (%.0f MiB/s)"
                 % (size, read, size / read, scan, size / scan))
        tap.note("median ratio %.2f (single runs %s)" % (statistics.median(
            s / r for s, r in zip(scanning, reading)), " ".join(
                "%.2f" % (s / r) for s, r in zip(scanning, reading))))
    tap.done()


main()
