#!/usr/bin/env python3
"""Every prefix and every single-bit flip of the sound files of a format: see prefixes_main.c.

Usage: check_prefixes.py PREFIXES FORGE ROOT FORMAT. Speaks TAP. The files are the sound ones of
corpus/FORMAT, up to 4 KiB, each once. Of their variants every 64th is tried, of TRA4, which is longest
and slowest, every 256th, other ones for each file; or every Nth with FRAMEHOUND_FLIPS=N in the
environment; 1 tries all. Under FRAMEHOUND_WRAPPER a sixteenth of that.
"""
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_seeds  # noqa: E402

PREFIXES, FORGE, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])
FORMAT = sys.argv[4]
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
USUAL = 256 if FORMAT == "tra" else 64
EACH = int(os.environ.get("FRAMEHOUND_FLIPS", USUAL)) * (16 if WRAPPER else 1)


def main():
    maker = make_seeds.Maker(FORGE, ROOT)
    sound = {data: name for name, data in maker.assets(FORMAT)
             if ".good" in name or name.startswith("good-")}
    print("1..1", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for data, name in sound.items():
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "wb") as file:
                file.write(data)
        done = subprocess.run([*WRAPPER, PREFIXES, str(EACH), *paths], capture_output=True,
                              text=True, check=False)
    told = (done.stdout + done.stderr).splitlines()
    print(f"{'not ok' if done.returncode or not sound else 'ok'} 1 - no variant has a higher grade "
          f"# {done.stdout.strip()}")
    if done.returncode:
        print("\n".join("# " + line for line in told[-20:]))
    return 1 if done.returncode or not sound else 0


sys.exit(main())
