"""The sieve's suite on another processor: built for aarch64, whose NEON has a way of sifting of its
own, and run by qemu. A small Criterion (plain/) stands in for the real one.

Usage: aarch64.py ROOT
"""
import os
import shutil
import subprocess
import sys
import tempfile

COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
SOURCES = ("tests/hunt/plain/plain.c", "tests/hunt/test_sieve.c", "scanner/hunt/sieve.c",
           "scanner/hunt/lures.c")


def missing():
    tools = [tool for tool in (COMPILER, EMULATOR) if shutil.which(tool) is None]
    if tools:
        return "not installed: " + ", ".join(tools)
    done = subprocess.run([COMPILER, "-static", "-x", "c", "-", "-o", "/dev/null"],
                          input=b"int main(void) { return 0; }", capture_output=True)
    return "" if done.returncode == 0 else COMPILER + " has no C library: install libc6-dev-arm64-cross"


def run(root, out):
    command = [COMPILER, "-std=c11", "-O2", "-static", "-D_GNU_SOURCE", "-Werror", "-Wall",
               *("-I" + os.path.join(root, name) for name in
                 ("tests/hunt/plain", "", "formats", "scanner")),
               *(os.path.join(root, name) for name in SOURCES), "-o", out]
    for step in (command, [EMULATOR, out]):
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode != 0:
            return None, done.stdout + done.stderr
    return done.stdout.splitlines(), ""


def tell(is_good, number, name):
    print("%sok %d - %s" % ("" if is_good else "not ", number, name))
    return is_good


def main():
    why = missing()
    if why:
        print("1..1\nok 1 - the sieve on aarch64 # SKIP " + why)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        lines, said = run(sys.argv[1], os.path.join(folder, "sieve"))
    for line in said.splitlines()[:40]:
        print("# " + line)
    ways = [line for line in lines or [] if line.startswith("way ")]
    passed = [line for line in lines or [] if line.startswith("passed ")]
    results = [tell(len(passed) == 7, 1, "the suite passes on aarch64 (%d tests)" % len(passed)),
               tell("way NEON" in ways, 2, "NEON is one of its ways (%s)" % ", ".join(ways))]
    print("1..2")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
