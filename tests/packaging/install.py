#!/usr/bin/env python3
"""What meson installs, used from outside.

Usage: install.py BUILD SOURCE_ROOT FORGE plain|instrumented. "instrumented" says that the build
has sanitizers, coverage or fuzzing in it, with which an ordinary program cannot be linked.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tap
from tap import Skip, equal, nothing, output, test

BUILD, ROOT, FORGE = (os.path.abspath(path) for path in sys.argv[1:4])
PLAIN = sys.argv[4] == "plain"
WORK = tempfile.TemporaryDirectory()
DESTDIR = os.path.join(WORK.name, "root")

EXAMPLE = os.path.join(ROOT, "docs", "examples", "list_assets.c")
# What the example prints of files that the forge makes, and its exit code.
EXPECTED = [
    (["walk.tod"], 0, """\
walk.tod@0x0: tod, 744 bytes, replayed, replay complete
  poses begin with object: slot 0 object 1 attribute 0 model 1
walk.tod: file, complete
"""),
    (["check:turn.tod"], 1, """\
turn.tod@0x0: tod, 144 bytes, structure, replay complete
  poses begin with object: slot 0 object 1 attribute 0 model 1
  error TOD0092: parent is not live at this point: parent id is 7, which is not live, expected 0 \
(World) or a live object (frame 0, number 0, packet 2, type 3, flag 0, object 1)
turn.tod: file, complete
"""),
    (["check:nothing.tod", "none"], 2, """\
  error IMG0001: Source cannot be read, or is empty: length is 0 bytes
nothing.tod: file, complete
none: file, unreadable
"""),
]


def installed(name):
    """The path of an installed file, wherever the build's directories are."""
    found = [os.path.join(folder, name.rpartition("/")[2])
             for folder, _, files in os.walk(DESTDIR)
             if name.rpartition("/")[2] in files
             and os.path.join(folder, name.rpartition("/")[2]).endswith("/" + name)]
    if len(found) != 1:
        raise AssertionError(f"{name} is installed {len(found)} times: {found}")
    return found[0]


def flags(*wanted):
    pkg_config = shutil.which("pkg-config")
    if pkg_config is None:
        raise Skip("pkg-config is not installed")
    path = os.path.dirname(installed("framehound.pc"))
    return output(pkg_config, *wanted, "framehound",
                  env={**os.environ, "PKG_CONFIG_PATH": path}).split()


def compiler():
    if not PLAIN:
        raise Skip("an instrumented library cannot be linked with an ordinary program")
    return shutil.which("cc") or "gcc"


def run_outside(linked):
    """Compiles the example in a folder of its own, and runs it on forged files."""
    cc = compiler()
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "list_assets")
        output(cc, "-std=c11", "-Wall", "-Wextra", "-Werror", EXAMPLE, "-o", program,
               *flags("--cflags"), *linked)
        for name, description in (("walk.tod", "corpus/tod/good-walk"),
                                  ("turn.tod", "docs/demo/turn")):
            output(FORGE, "tod", os.path.join(ROOT, description + ".forge"),
                   "-o", os.path.join(folder, name))
        with open(os.path.join(folder, "nothing.tod"), "wb"):
            pass
        library = os.path.dirname(installed("libframehound.so"))
        for arguments, exit_code, expected in EXPECTED:
            done = subprocess.run([program, *arguments], capture_output=True, text=True,
                                  check=False, cwd=folder,
                                  env={**os.environ, "LD_LIBRARY_PATH": library})
            equal((done.returncode, done.stdout), (exit_code, expected),
                  f"{arguments}\n{done.stderr}")


@test
def everything_is_in_its_place():
    done = subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", DESTDIR],
                          capture_output=True, text=True, check=False)
    equal(done.returncode, 0, done.stdout + done.stderr)
    for name in ("bin/framehound", "libframehound.a", "libframehound.so",
                 "share/man/man1/framehound.1", "share/man/man1/framehound-check.1",
                 "share/man/man5/framehound.ini.5", "pkgconfig/framehound.pc",
                 "include/framehound/framehound.h", "share/man/man3/libframehound.3",
                 "bash-completion/completions/framehound", "zsh/site-functions/_framehound",
                 "fish/vendor_completions.d/framehound.fish",
                 "framehound/cluster/framehound-parallel", "framehound/cluster/framehound-shard",
                 "framehound/cluster/framehound-slurm"):
        installed(name)


@test
def nothing_of_the_tests_is_installed():
    names = [name for _, _, files in os.walk(DESTDIR) for name in files]
    nothing([name for name in names if name.startswith(("test", "forge", "fuzz"))], "files")


@test
def the_program_runs():
    told = output(installed("bin/framehound"), "--version")
    equal(told.split("\n")[0].split()[0], "framehound", "--version")


@test
def only_the_public_header_is_installed():
    found = [os.path.join(folder, name) for folder, _, files in os.walk(DESTDIR) for name in files
             if name.endswith(".h")]
    equal(found, [installed("framehound/framehound.h")], "headers")


def include_folder():
    return os.path.dirname(os.path.dirname(installed("framehound/framehound.h")))


@test
def pkg_config_follows_the_files():
    found = [os.path.realpath(flag[2:]) for flag in flags("--cflags") if flag.startswith("-I")]
    equal(os.path.realpath(include_folder()) in found, True, f"{include_folder()} in {found}")


@test
def the_header_has_the_version_of_the_package():
    with open(installed("framehound/framehound.h"), encoding="utf-8") as file:
        told = re.findall(r'^#define FRAMEHOUND_VERSION "(.*)"$', file.read(), re.MULTILINE)
    equal(told, flags("--modversion"), "FRAMEHOUND_VERSION")


@test
def the_header_stands_alone():
    for language, standard in (("c", "c11"), ("c++", "c++11")):
        cc = shutil.which("cc" if language == "c" else "c++")
        if cc is None:
            raise Skip(f"there is no compiler for {language}")
        output(cc, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
               "-fsyntax-only", "-x", language, "-", f"-I{include_folder()}",
               input="#include <framehound/framehound.h>\n")


@test
def an_outside_program_uses_the_shared_library():
    run_outside(flags("--libs"))


@test
def an_outside_program_uses_the_static_library():
    needed = flags("--print-requires-private")  # as shared libraries: --static wants theirs too
    run_outside([installed("libframehound.a"), *output("pkg-config", "--libs", *needed).split()])


try:
    tap.main()
finally:
    WORK.cleanup()
