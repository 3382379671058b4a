#!/usr/bin/env python3
"""Holds what a mutator makes of the sound files of a format against what it must do.

Usage: check_mutants.py MUTANTS FORGE ROOT FORMAT. Speaks TAP. Most changes can be made, and after
enough of them the structure holds: what changes bytes at random would leave it in few.
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
LEAST_MADE = 0.5


def main():
    maker = make_seeds.Maker(FORGE, ROOT)
    sound = [(name, data) for name, data in maker.assets(FORMAT)
             if ".good" in name and make_seeds.BEGINS_MODEL not in data and len(data) <= 4096]
    print("1..2", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, data in sound[::-(-len(sound) // FILES)]:
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "wb") as file:
                file.write(data)
        done = subprocess.run([*WRAPPER, MUTANTS, *paths], capture_output=True, text=True,
                              check=False)
    told = re.match(r"(\d+) of (\d+) made, (\d+) sound", done.stdout)
    if done.returncode != 0 or not told:
        print("not ok 1 - runs\n# " + (done.stdout + done.stderr).replace("\n", "\n# "))
        return 1
    made, asked, held = (int(number) for number in told.groups())
    ok = made >= LEAST_MADE * asked, held >= LEAST_SOUND[FORMAT] * made
    print(f"{'ok' if ok[0] else 'not ok'} 1 - changes are made # {made} of {asked}")
    print(f"{'ok' if ok[1] else 'not ok'} 2 - the structure holds in many # {held} of {made}")
    return 0 if all(ok) else 1


LEAST_SOUND = {"tod": 0.3, "hmd": 0.1, "tra": 0.1, "camerawork": 0.1}

sys.exit(main())
