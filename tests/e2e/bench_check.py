"""How long a check of a repository takes with a cache that knows every file, as a part of the time
of the run that filled it: medians of runs that take turns, of the clock and, where the machine has
other work to do, of its processors. Never fails on time, but on output.

FRAMEHOUND_BENCH_FILES is how many files there are (default 3000).
"""
import os
import resource
import shutil
import statistics
import struct
import sys
import time

from harness import Program, Tap, Workspace, read, small_tod

RUNS = 5


def make_files(program, work, num):
    """Animations of the size that real ones have, one in five damaged; no two are the same."""
    seeds = [read(program.forge("tod", small_tod(30 + 10 * i, i + 1), work.path("seed.tod")))
             for i in range(16)]
    for i in range(num):
        data = bytearray(seeds[i % 16])
        data[-4:] = struct.pack("<I", i)
        if i % 5 == 0:
            data = data[:-4 * (i % 7 + 1)] + struct.pack("<I", i)
        work.write("files/%02d/%05d.tod" % (i % 40, i), bytes(data))
    return work.path("files")


def timed(program, *args):
    """Seconds by the clock and of the processors, and what was told."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    start, before = time.monotonic(), used()
    result = program.run("check", *args, timeout=600)
    return (time.monotonic() - start, used() - before), (result.code, result.out, result.err)


def main():
    program = Program(sys.argv)
    tap = Tap()
    num = int(os.environ.get("FRAMEHOUND_BENCH_FILES", "3000"))
    with Workspace() as work:
        folder = make_files(program, work, num)
        cache = work.path("cache")
        _, expected = timed(program, folder)
        times = {"without a cache, one job": [], "without a cache": [], "first run": [],
                 "second run": []}
        same = True
        for _ in range(RUNS):
            shutil.rmtree(cache, ignore_errors=True)
            for name, args in (("without a cache, one job", ["-j1"]), ("without a cache", []),
                               ("first run", ["--cache", cache]),
                               ("second run", ["--cache", cache])):
                seconds, told = timed(program, folder, *args)
                times[name].append(seconds)
                same = same and told == expected
        tap.ok(same, "all runs told the same of %d files" % num)
        for which, unit in enumerate(("by the clock", "of the processors")):
            medians = {name: statistics.median(pair[which] for pair in pairs)
                       for name, pairs in times.items()}
            for name, seconds in medians.items():
                tap.note("%s: %.3f s %s" % (name, seconds, unit))
            tap.note("second run / first run: %.3f %s"
                     % (medians["second run"] / medians["first run"], unit))
            tap.note("without a cache, all jobs / one job: %.2f %s"
                     % (medians["without a cache"] / medians["without a cache, one job"], unit))
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
