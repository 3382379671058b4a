#!/usr/bin/env python3
"""Runs a reproducer over the seeds of its target.

Usage: replay_seeds.py REPRODUCER FORGE ROOT TARGET [--made | --committed]. Speaks TAP. The seeds are
those of make_seeds.py, which are also cut and changed at some places (--made: these alone), and those
that lie in corpus/seeds/TARGET (--committed: these alone). None of them may violate an oracle.
With FRAMEHOUND_WRAPPER in the environment the reproducer runs under that command, on fewer of them.
"""
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_seeds  # noqa: E402

REPRODUCER, FORGE, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])
TARGET = sys.argv[4]
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
MOST = 60    # seeds; of more, some that lie apart
EACH = 5     # of so many descriptions of the corpus one is built
PLACES = 2   # at which a seed is cut, and changed
CHANGED = 4 if TARGET == "store" else 1  # of so many seeds one is; databases take a while
SHARED = 10  # of so many seeds of the formats the library, which has none of its own, is given one


def variants(data):
    step = max(1, len(data) // PLACES)
    for place in range(step // 2, len(data), step):
        yield data[:place]
        yield data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1:]


def run(files):
    """Exit code and last words of the reproducer over files of these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, data in enumerate(files):
            paths.append(os.path.join(folder, str(number)))
            with open(paths[-1], "wb") as file:
                file.write(data)
        done = subprocess.run([*WRAPPER, REPRODUCER, *paths], capture_output=True, text=True,
                              errors="replace", check=False)
        return done.returncode, (done.stdout + done.stderr).splitlines()[-20:]


def paths_of(target):
    folder = os.path.join(ROOT, "corpus", "seeds", target)
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def committed():
    """Those of the repository; under a tool one of four."""
    if TARGET == "library":
        paths = [path for name in make_seeds.FORMATS for path in paths_of(name)][::SHARED]
    else:
        paths = paths_of(TARGET)
    files = []
    for path in paths[::4 if WRAPPER else 1]:
        with open(path, "rb") as file:
            files.append(file.read())
    return [("committed seeds", files)]


def made():
    seeds = list(make_seeds.targets()[TARGET](make_seeds.Maker(FORGE, ROOT, EACH)))
    seeds = seeds[::-(-len(seeds) // (MOST // 4 if WRAPPER else MOST))]
    tests = [("seeds", [data for _, data in seeds])]
    if not WRAPPER:
        changed = [v for _, data in seeds[::CHANGED] for v in variants(data)]
        tests.append(("seeds, cut and changed", changed))
    return tests


def main():
    tests = [] if "--committed" in sys.argv else made()
    tests += [] if "--made" in sys.argv else committed()
    print(f"1..{len(tests)}", flush=True)
    failed = False
    for number, (title, files) in enumerate(tests, 1):
        code, words = run(files)
        failed = failed or code != 0
        result = "ok" if code == 0 else "not ok"
        print(f"{result} {number} - {TARGET}: {title} ({len(files)} files)")
        if code != 0:
            print("\n".join([f"# exit code {code}", *("# " + word for word in words)]), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
