#!/usr/bin/env python3
"""Runs a reproducer over what the forge makes of the descriptions of one corpus folder.

Usage: run_seeds.py REPRODUCER FORGE CORPUS_FOLDER [N]. Speaks TAP. Each description is one test, or
one of N: its asset, and the asset cut, changed and gone on with, none of which may violate an oracle.
Of those that spend a budget or meet a limit nothing is cut and changed: a few of them would take as
long as all others together.
With FRAMEHOUND_WRAPPER in the environment the reproducer runs under that command.
"""
import os
import shlex
import subprocess
import sys
import tempfile

REPRODUCER, FORGE, FOLDER = (os.path.abspath(path) for path in sys.argv[1:4])
EACH = int(sys.argv[4]) if len(sys.argv) > 4 else 1
WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
BEGINS_MODEL = bytes([0x1c])  # what fuzz_format.c parts an asset from its companion with
COSTLY = ("CAM0063.bad.forge", "HMD0091.bad.forge", "HMD0091.good.forge", "HMD0289.bad.forge",
          "HMD0297.bad.forge")


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


def run(description):
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "made")
        data = build(description, made)
        model = companion(description)
        if model is not None:
            data += BEGINS_MODEL + build(model, made)
        paths = []
        is_costly = os.path.basename(description) in COSTLY
        for number, bytes_ in enumerate([data] if is_costly else variants(data)):
            paths.append(os.path.join(folder, f"{number}"))
            with open(paths[-1], "wb") as file:
                file.write(bytes_)
        done = subprocess.run([*WRAPPER, REPRODUCER, *paths], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            told = (done.stdout + done.stderr).splitlines()[-20:]
            raise AssertionError("\n".join([f"exit code {done.returncode}", *told]))


def main():
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".forge"))
    names = [name for name in names if language(os.path.join(FOLDER, name)) != "image"][::EACH]
    print(f"1..{len(names)}", flush=True)
    failed = False
    for number, name in enumerate(names, 1):
        try:
            run(os.path.join(FOLDER, name))
            print(f"ok {number} - {name}", flush=True)
        except (AssertionError, subprocess.CalledProcessError) as error:
            failed = True
            print(f"not ok {number} - {name}")
            print("\n".join("# " + line for line in str(error).splitlines()), flush=True)
    return 1 if failed else 0


sys.exit(main())
