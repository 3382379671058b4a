#!/usr/bin/env python3
"""Every prefix and every single-bit flip of the sound files that are no asset by themselves: no oracle
of the targets that read them may be violated.

Usage: check_variants.py BUILD_FOLDER FORGE ROOT PROGRAM FOLDER. Speaks TAP. FOLDER is image or run:
the files are those of the good cases of corpus/FOLDER, up to 4 KiB, each once; or bac: the models
that lie beside sound files of TRA4, and are changed where these stay. BUILD_FOLDER/fuzz_NAME_repro
reads them, framehound (PROGRAM) makes those that only it can make. Of their variants every 64th is
tried, of images, which are slowest, every 256th, other ones for each file; or every Nth with
FRAMEHOUND_FLIPS=N in the environment; 1 tries all. Under FRAMEHOUND_WRAPPER a sixteenth of that.
"""
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_seeds  # noqa: E402
import seeds  # noqa: E402
from seeds import pieces  # noqa: E402

BUILD, FORGE, ROOT, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:5])
FOLDER = sys.argv[5]
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
USUAL = 256 if FOLDER == "image" else 64
EACH = int(os.environ.get("FRAMEHOUND_FLIPS", USUAL)) * (16 if WRAPPER else 1)
MOST_LEN = 4096
SCAN_HOW = b"\0"  # fuzz_scan.c: its first byte
IMAGE = seeds.MARK + bytes([2]) + seeds.run(19, seeds.RIGHT_EDC)  # fuzz_sheet.c: behind the sheet

# (target, how the name of a file ends that it reads, bytes in front of it, bytes behind it)
READERS = (
    ("scan", "", SCAN_HOW, b""),
    ("container", "", b"", b""),
    ("sheet", ".cue", b"\0", IMAGE),
    ("sheet", ".ccd", b"\1", IMAGE),
    ("lock", ".lock", b"", b""),
    ("baseline", "known", b"", b""),
)


def files_of(case, folder):
    """Builds a good case; yields name and bytes of its files."""
    def run(words):
        done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True,
                              check=False)
        if done.returncode not in (0, 1):
            raise AssertionError(f"{' '.join(words)}: {done.stderr}")
    pieces.build(FORGE, case, folder, run)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            yield name, file.read()


def small_files():
    """(name of the case and the file, bytes) of all that are short enough, each content once."""
    known = set()
    base = os.path.join(ROOT, "corpus", FOLDER)
    for case in sorted(os.listdir(base)):
        if not case.endswith(".good.forge"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for name, data in files_of(os.path.join(base, case), folder):
                if 0 < len(data) <= MOST_LEN and data not in known:
                    known.add(data)
                    yield f"{case[:-len('.good.forge')]} {name}", data


def inputs():
    """(title, target, bytes in front, bytes that are changed, bytes behind) of all."""
    if FOLDER == "bac":
        known = set()
        for name, data in make_seeds.Maker(FORGE, ROOT).assets("tra"):
            asset, mark, model = data.partition(make_seeds.BEGINS_MODEL)
            if ".good" in name and mark and len(model) <= MOST_LEN and model not in known:
                known.add(model)
                yield f"model of {name}", "tra", asset + mark, model, b""
        return
    for title, data in small_files():
        for target, ending, before, behind in READERS:
            if title.endswith(ending):
                yield title, target, before, data, behind


def fault_of(target, before, data, behind):
    """Why a variant fails, or None; and how many there were."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        with open(path, "wb") as file:
            file.write(before + data + behind)
        ends = [str(len(before)), str(len(before) + len(data))]
        done = subprocess.run(
            [*WRAPPER, os.path.join(BUILD, f"fuzz_{target}_repro"), "--variants", str(EACH), *ends,
             path], capture_output=True, text=True, errors="replace", check=False)
    tried = done.stdout.splitlines()
    if done.returncode == 0:
        return None, len(tried)
    words = [f"exit code {done.returncode}, {tried[-1] if tried else 'nothing tried'}",
             *done.stderr.splitlines()[-20:]]
    return "\n".join("# " + word for word in words), len(tried)


def main():
    failed, number = False, 0
    for number, (title, target, before, data, behind) in enumerate(inputs(), 1):
        fault, num = fault_of(target, before, data, behind)
        print(f"{'not ok' if fault else 'ok'} {number} - {title}, {target}: {num} variants")
        if fault:
            failed = True
            print(fault)
        sys.stdout.flush()
    print(f"1..{number}")
    return 1 if failed or number == 0 else 0


sys.exit(main())
