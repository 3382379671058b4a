"""Twice as many hostile bytes take at most 2.2 times the work, counted in probes and units.

Usage: linear.py WORK FORGE

WORK is tests/hunt/work.c. What tests/bench/table.py measures in time is counted here, so that a machine that
is busy changes nothing; and all makers that it measures are counted.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "bench"))

import hostile  # noqa: E402
from harness import Tap, Workspace  # noqa: E402

LENGTH = 1 << 20
MOST = 2.2
# Less than a place costs that is read to its end once: a row of few places ends anywhere in one.
SLACK = 4096


def work(counter, path):
    """{(format, what): number} for one file."""
    out = subprocess.run([counter, path], capture_output=True, check=True, text=True).stdout
    counts = {}
    for line in out.splitlines():
        _, name, probes, _, units, examined = line.split("\t")
        counts.update({(name, "probes"): int(probes), (name, "units"): int(units),
                       (name, "bytes examined"): int(examined)})
    return counts


def is_linear(tap, name, once, twice):
    broken = ["%s: %d %s, then %d" % (key[0], number, key[1], twice[key]) for key, number in once.items()
              if twice[key] > MOST * number + SLACK]
    most = max(once, key=once.get)
    tap.ok(not broken, "%s: at most %d %s of %s, then %d" % (name, once[most], most[1], most[0], twice[most]),
           *broken)


def main():
    counter, forge = (os.path.abspath(path) for path in sys.argv[1:])
    tap = Tap()
    busy = set()
    with Workspace() as at:
        for name, make in hostile.MAKERS.items():
            length = LENGTH // 16 if name in hostile.SOUND else LENGTH
            once, twice = (work(counter, at.write("hostile.bin", make(times * length, forge))) for times in (1, 2))
            is_linear(tap, name, once, twice)
            busy |= {key[0] for key, number in once.items() if key[1] == "units" and number > length // 16}
    tap.equal(busy, {"tod", "hmd", "tra", "camerawork"}, "bytes of every format make work")
    tap.done()


main()
