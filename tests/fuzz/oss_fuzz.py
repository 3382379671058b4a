#!/usr/bin/env python3
"""Builds a target as OSS-Fuzz and ClusterFuzzLite do, with their variables, and runs it.

Usage: oss_fuzz.py SOURCE_ROOT. It is a whole build, so one target stands for all, and nothing is
optimised. Skipped without clang's libFuzzer.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(ROOT, "tests", "packaging"))
import tap  # noqa: E402
from tap import Skip, equal, output, test  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
SRC, OUT, WORK = (os.path.join(FOLDER.name, name) for name in ("src", "out", "work"))
SANITIZE = "-fsanitize=address -fsanitize=fuzzer-no-link"
TARGET = os.path.join(OUT, "fuzz_tod")
BASE = r"(?:libc|libm|libgcc_s|libstdc\+\+|libpthread|libdl|librt)\.so"  # of every machine


def has_engine():
    if shutil.which("clang") is None:
        return False
    text = "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n < 0; }"
    return subprocess.run(["clang", "-fsanitize=fuzzer,address", "-x", "c", "-", "-o",
                           os.path.join(FOLDER.name, "probe")], input=text, text=True,
                          capture_output=True, check=False).returncode == 0


def build():
    """As ClusterFuzzLite's machine calls it: the source lies in $SRC/framehound."""
    if os.path.exists(TARGET):
        return
    if not has_engine():
        raise Skip("no clang with libFuzzer (Debian: clang, libclang-rt-14-dev)")
    for folder in (SRC, OUT, WORK):
        os.makedirs(folder, exist_ok=True)
    if not os.path.lexists(os.path.join(SRC, "framehound")):
        os.symlink(ROOT, os.path.join(SRC, "framehound"))
    flags = f"-O0 -gline-tables-only {SANITIZE}"
    done = subprocess.run(
        [os.path.join(ROOT, ".clusterfuzzlite", "build.sh")], capture_output=True, text=True,
        check=False, env=dict(os.environ, CC="clang", CXX="clang++", CFLAGS=flags, CXXFLAGS=flags,
                              LIB_FUZZING_ENGINE="-fsanitize=fuzzer", SANITIZER="address", SRC=SRC,
                              OUT=OUT, WORK=WORK, FRAMEHOUND_FUZZ_TARGETS="tod"))
    if done.returncode != 0:
        raise AssertionError((done.stdout + done.stderr)[-3000:])


@test
def the_target_is_there_with_all_that_belongs_to_it():
    build()
    with zipfile.ZipFile(TARGET + "_seed_corpus.zip") as seeds:
        assert len(seeds.namelist()) > 100, len(seeds.namelist())
        seeds.extractall(os.path.join(FOLDER.name, "seeds"))
    with open(TARGET + ".options", encoding="ascii") as file:
        options = dict(re.findall(r"^(\w+) = (\S+)$", file.read(), re.MULTILINE))
    assert {"max_len", "timeout", "rss_limit_mb"} <= set(options), options
    assert "dict" not in options or os.path.exists(os.path.join(OUT, options["dict"])), options
    equal(os.listdir(WORK), [], "what the build leaves behind")


@test
def it_finds_its_libraries_beside_it():
    build()
    odd = [path for name, path in re.findall(r"(\S+) => (\S+)", output("ldd", TARGET))
           if not re.match(BASE, name) and not path.startswith(f"{OUT}/lib/")]
    equal(odd, [], "libraries that another machine need not have")


@test
def it_runs():
    build()
    done = subprocess.run([TARGET, "-runs=1000", "-seed=7", "-timeout=60",
                           f"-artifact_prefix={FOLDER.name}/", os.path.join(FOLDER.name, "seeds")],
                          capture_output=True, text=True, check=False, env={"PATH": "/bin"})
    assert done.returncode == 0 and "Done 1000 runs" in done.stderr, done.stderr[-2000:]


@test
def scripts_are_sound():
    for name in (".clusterfuzzlite/build.sh", "fuzz/oss-fuzz/build.sh"):
        output("bash", "-n", os.path.join(ROOT, name))


tap.main()
