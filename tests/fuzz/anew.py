#!/usr/bin/env python3
"""What the forge writes anew is held against the first file (fuzz/anew.h). With a fault on purpose
it is not the same for some committed seed, and the oracle says in what; without one nothing is
wrong with that seed.

Usage: anew.py SOURCE_ROOT PLANTED_TOD PLANTED_HMD PLANTED_TRA PLANTED_CAMERAWORK. Speaks TAP.
"""
import os
import subprocess
import sys

ROOT = os.path.abspath(sys.argv[1])
PLANTED = dict(zip(("tod", "hmd", "tra", "camerawork"), map(os.path.abspath, sys.argv[2:6])))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests", "packaging"))
import tap  # noqa: E402
from tap import equal, test  # noqa: E402

ANEW = "what the forge writes anew "
# For each fault of planted_anew.c what is said of it.
FAULTS = {
    "tod": {
        "halves exchanged": ANEW + "has the same bytes",
        "pad forgotten": ANEW + "has the same bytes",
    },
    "hmd": {
        "components exchanged": ANEW + "moves alike",
        "parents left out": ANEW + "moves alike",
        "marks left out": ANEW + "is as good",
        "statement unknown": "the forge takes a description of what is replayed",
        "last byte changed": ANEW + "decodes to the same",
        "something behind": ANEW + "is found as a whole",
    },
    "tra": {
        "signs exchanged": ANEW + "moves alike",
        "case of names exchanged": ANEW + "decodes to the same",
        "word unknown": "the forge takes a description of what is replayed",
    },
    "camerawork": {
        "anchor lost": "what is replayed can be described",
        "anchors left out": ANEW + "has the same frames and objects",
        "index from 1": ANEW + "is as good",
        "digits left out": ANEW + "moves alike",
        "something behind": ANEW + "is found as a whole",
    },
}


def seeds_of(name):
    folder = os.path.join(ROOT, "corpus", "seeds", name)
    return [os.path.join(folder, seed) for seed in sorted(os.listdir(folder))]


def run(name, files, fault):
    """Lines of standard output, and what was violated; None: nothing was."""
    env = {key: value for key, value in os.environ.items() if key != "FUZZ_PLANTED"}
    if fault is not None:
        env["FUZZ_PLANTED"] = fault
    done = subprocess.run([PLANTED[name], *files], capture_output=True, text=True, check=False,
                          errors="replace", env=env)
    said = [line.split(": violated: ")[1] for line in done.stderr.splitlines()
            if ": violated: " in line]
    if (done.returncode != 0) != (len(said) == 1):
        raise AssertionError(f"{fault}: exit code {done.returncode}\n{done.stderr}")
    told = [line for line in done.stdout.splitlines() if line.endswith(", nothing wrong")]
    return told, said[0] if said else None


def check(name):
    seeds = seeds_of(name)
    for fault, words in FAULTS[name].items():
        told, said = run(name, seeds, fault)
        equal(said, words, f"{name}, {fault}")
        equal(run(name, [seeds[len(told)]], None)[1], None, f"{name}, {seeds[len(told)]}, no fault")


@test
def faults_of_tod_are_found():
    check("tod")


@test
def faults_of_hmd_are_found():
    check("hmd")


@test
def faults_of_tra4_are_found():
    check("tra")


@test
def faults_of_camerawork_are_found():
    check("camerawork")


tap.main()
