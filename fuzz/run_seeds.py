#!/usr/bin/env python3
"""Runs a reproducer over what the forge makes of the descriptions of one corpus folder.

Usage: run_seeds.py REPRODUCER FORGE CORPUS_FOLDER [N]. Speaks TAP. Each description is one test, or
one of N: its asset, none of which may violate an oracle. Of every second one the asset is also cut,
changed and gone on with.
Of those that spend a budget or meet a limit nothing is cut and changed: a few of them would take as
long as all others together. A few of these take 4 to 15 s with sanitizers, half of the time of all:
they are skipped. With FRAMEHOUND_SEEDS=all in the environment none is, and of all others what they make
is cut and changed.
With FRAMEHOUND_WRAPPER in the environment the reproducer runs under that command.
"""
import os
import shlex
import subprocess
import sys
import tempfile
import zlib

REPRODUCER, FORGE, FOLDER = (os.path.abspath(path) for path in sys.argv[1:4])
EACH = int(sys.argv[4]) if len(sys.argv) > 4 else 1
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
AT_ONCE = 24
BEGINS_MODEL = bytes([0x1c])  # what fuzz_format.c parts an asset from its companion with
COSTLY = ("CAM0063.bad.forge", "HMD0091.bad.forge", "HMD0091.good.forge", "HMD0289.bad.forge",
          "HMD0297.bad.forge", "TOD0131.bad.forge", "TOD0131-replay.bad.forge", "TRA0141.bad.forge",
          "TRA0141.good.forge")
ALL = os.environ.get("FRAMEHOUND_SEEDS") == "all"
# What spends a budget does so many times here, for each oracle; formats/exhaustion does it once.
SPENDING = () if ALL else (
    "CAM0063.bad.forge", "HMD0091.bad.forge", "HMD0289.bad.forge", "HMD0297.bad.forge",
    "TOD0131.bad.forge", "TRA0141.good.forge")
SKIPPED = " # SKIP it spends its budget for each oracle (FRAMEHOUND_SEEDS=all)"


def language(path):
    """The first word of a description says what it describes: "tod", "image" ..."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if words:
                return words[0]
    return "tod"


def variants(data):
    """The asset, itself first, then shorter ones and ones with a wrong byte."""
    yield data
    place = len(data) // 2
    if data:
        yield data[:place]
        yield data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1:]
    yield data + bytes(8)
    yield data + data


def companion(path):
    """The description of the model that the header of a description names, or None."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# bac: "):
                return os.path.join(os.path.dirname(path), line[len("# bac: "):].strip())
    return None


def build(description, made):
    subprocess.run([FORGE, language(description), description, "-o", made], check=True)
    with open(made, "rb") as file:
        return file.read()


def is_varied(description):
    """By its name, so that another description beside it changes nothing for this one."""
    name = os.path.basename(description)
    return name not in COSTLY and (ALL or zlib.crc32(name.encode()) % 2 == 0)


def write_variants(description, folder, name):
    """Writes what one description makes, and what becomes of it, and returns the paths."""
    made = os.path.join(folder, "made")
    data = build(description, made)
    model = companion(description)
    if model is not None:
        data += BEGINS_MODEL + build(model, made)
    paths = []
    for number, bytes_ in enumerate(variants(data) if is_varied(description) else [data]):
        paths.append(os.path.join(folder, f"{name}-{number}"))
        with open(paths[-1], "wb") as file:
            file.write(bytes_)
    return paths


def run(descriptions):
    """What one run of the reproducer over all of them told, or None if nothing is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, description in enumerate(descriptions):
            try:
                paths += write_variants(description, folder, number)
            except subprocess.CalledProcessError as error:
                return str(error)
        done = subprocess.run([*WRAPPER, REPRODUCER, *paths], capture_output=True, text=True,
                              check=False)
        if done.returncode == 0:
            return None
        told = (done.stdout + done.stderr).splitlines()[-20:]
        return "\n".join([f"exit code {done.returncode}", *told])


def outcomes(descriptions):
    """What is wrong with each, or None. Many are asked at once, since a program with sanitizers takes
    longer to begin than to read one; if something is wrong, each by itself."""
    told = run(descriptions)
    if told is None or len(descriptions) == 1:
        return [told] * len(descriptions)
    alone = [run([description]) for description in descriptions]
    if not any(alone):
        alone[-1] = f"only behind the {len(descriptions) - 1} before it: {told}"
    return alone


def main():
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".forge"))
    names = [name for name in names if language(os.path.join(FOLDER, name)) != "image"][::EACH]
    print(f"1..{len(names)}", flush=True)
    failed, number = False, 0
    for at in range(0, len(names), AT_ONCE):
        batch = names[at:at + AT_ONCE]
        asked = [name for name in batch if name not in SPENDING]
        told = dict(zip(asked, outcomes([os.path.join(FOLDER, name) for name in asked])
                        if asked else []))
        for name in batch:
            number += 1
            wrong = told.get(name)
            failed = failed or wrong is not None
            print(f"{'ok' if wrong is None else 'not ok'} {number} - {name}"
                  f"{'' if name in told else SKIPPED}")
            print("".join(f"# {line}\n" for line in (wrong or "").splitlines()), end="", flush=True)
    return 1 if failed else 0


sys.exit(main())
