#!/usr/bin/env python3
"""Holds what a mutator makes of the sound files of a format against what it must do.

Usage: check_mutants.py MUTANTS FORGE ROOT FORMAT. Speaks TAP. MUTANTS aborts where the mutator says
of a change what is not so. Here it must say so often enough: most changes can be made, after most
the structure holds, and many keep all numbers that count, or break exactly one.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_seeds  # noqa: E402

MUTANTS, FORGE, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])
FORMAT = sys.argv[4]
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
FILES = 8 if WRAPPER else 40
WORDS = ("made", "sound", "kept", "broken", "named")
# Of a hundred changes that were asked for, or that were made, a few less than what was measured:
# made, sound, kept, broken; and of a hundred broken ones those that a rule about counts tells.
# Bytes of an HMD that nothing counts any more are told by other rules, and a parenthesis that is
# left may begin a comment.
LEAST = {"tod": (97, 74, 40, 9, 100), "hmd": (97, 58, 24, 5, 15), "tra": (97, 88, 43, 7, 90),
         "camerawork": (97, 83, 43, 12, 100)}


def sound_files():
    """What the forge makes without a model behind it, which mutators do not look at."""
    maker = make_seeds.Maker(FORGE, ROOT)
    for name, data in maker.assets(FORMAT):
        has_model = FORMAT == "tra" and make_seeds.BEGINS_MODEL in data
        if ".good" in name and not has_model and len(data) <= 4096:
            yield name, data


def main():
    sound = list(sound_files())
    print("1..6", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, data in sound[::-(-len(sound) // FILES)]:
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "wb") as file:
                file.write(data)
        done = subprocess.run([*WRAPPER, MUTANTS, *paths], capture_output=True, text=True,
                              check=False)
    told = re.match(r"(\d+) of (\d+) made, " + ", ".join(rf"(\d+) {word}" for word in WORDS[1:]),
                    done.stdout)
    if done.returncode != 0 or not told:
        print("not ok 1 - what is said of each change is so\n# "
              + (done.stdout + done.stderr).replace("\n", "\n# "))
        return 1
    made, asked, *rest = (int(number) for number in told.groups())
    print("ok 1 - what is said of each change is so")
    least = LEAST[FORMAT]
    checks = [(made, asked, least[0], "changes are made"),
              (rest[0], made, least[1], "the structure holds after them"),
              (rest[1], made, least[2], "all numbers that count are kept right"),
              (rest[2], made, least[3], "exactly one of these is broken"),
              (rest[3], rest[2], least[4], "a rule about these names it")]
    ok = True
    for number, (got, of, at_least, what) in enumerate(checks, 2):
        enough = 100 * got >= at_least * of
        ok = ok and enough
        print(f"{'ok' if enough else 'not ok'} {number} - {what} # {got} of {of}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
