#!/usr/bin/env python3
"""What meson installs, used from outside.

Usage: install.py BUILD SOURCE_ROOT FORGE plain|instrumented. "instrumented" says that the build
has sanitizers, coverage or fuzzing in it, with which an ordinary program cannot be linked.
"""
import os
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

PROGRAM = r"""
#include <registry/registry.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t bytes[1 << 16];

static void count(void *user, const fh_pose_frame *frame)
{
    (void)frame;
    ++*(unsigned *)user;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    const size_t len = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    const size_t room = FH_ARENA_FLOOR + FH_ARENA_PER_BYTE * len;
    const fh_format *format = argc == 3 ? fh_format_find(argv[1]) : NULL;
    fh_cursor all = fh_cursor_make(bytes, len, 0);
    fh_arena arena = fh_arena_make(malloc(room), room);
    fh_budget budget = {FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * len};
    unsigned frames = 0;
    fh_sink sink = {.user = &frames, .frame = count};
    fh_env env = {&arena, &budget, &sink, NULL};
    fh_verify_options strict = {.stand_alone = true, .aligned = true};
    fh_replay_options replay = {0};
    fh_replay_result result;
    fh_probe probe;
    fh_asset asset;
    const void *model = NULL;
    if (format == NULL)
        return 2;
    format->probe(&probe, all, FH_END_FILE, NULL, &arena, &budget);
    fh_arena_reset(&arena, 0);
    if (probe.verdict != FH_ACCEPT ||
        format->verify(&asset, &model, &env, all, &strict) != FH_OK ||
        format->replay(&result, &env, model, &replay) != FH_OK)
        return 1;
    printf("%zu bytes, %u frames, %s\n", probe.length, frames, fh_replay_state_name(result.state));
    return 0;
}
"""
EXPECTED = {"tod/good-walk": "744 bytes, 11 frames, complete\n",
            "hmd/good-pyramid": "316 bytes, 1 frames, still\n"}


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
    """Compiles the program in a folder of its own, and replays forged files with it."""
    cc = compiler()
    with tempfile.TemporaryDirectory() as folder:
        source, program, asset = (os.path.join(folder, name) for name in ("a.c", "a", "asset"))
        with open(source, "w", encoding="ascii") as file:
            file.write(PROGRAM)
        output(cc, "-std=c11", "-Wall", "-Wextra", "-Werror", source, "-o", program,
               *flags("--cflags"), *linked)
        library = os.path.dirname(installed("libframehound.so"))
        for name, expected in EXPECTED.items():
            kind = name.split("/")[0]
            output(FORGE, kind, os.path.join(ROOT, "corpus", name + ".forge"), "-o", asset)
            equal(output(program, kind, asset, env={**os.environ, "LD_LIBRARY_PATH": library}),
                  expected, name)


@test
def everything_is_in_its_place():
    done = subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", DESTDIR],
                          capture_output=True, text=True, check=False)
    equal(done.returncode, 0, done.stdout + done.stderr)
    for name in ("bin/framehound", "libframehound.a", "libframehound.so",
                 "share/man/man1/framehound.1", "pkgconfig/framehound.pc",
                 "include/framehound/registry/registry.h",
                 "bash-completion/completions/framehound", "zsh/site-functions/_framehound",
                 "fish/vendor_completions.d/framehound.fish"):
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
def pkg_config_follows_the_files():
    include = os.path.dirname(os.path.dirname(installed("registry/registry.h")))
    found = [os.path.realpath(flag[2:]) for flag in flags("--cflags") if flag.startswith("-I")]
    equal(os.path.realpath(include) in found, True, f"{include} in {found}")


@test
def every_header_stands_alone():
    cc = compiler()
    include = os.path.dirname(os.path.dirname(installed("registry/registry.h")))
    for folder, _, files in os.walk(include):
        for name in files:
            header = os.path.relpath(os.path.join(folder, name), include)
            output(cc, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", "-",
                   *flags("--cflags"), input=f"#include <{header}>\n")


@test
def an_outside_program_uses_the_shared_library():
    run_outside(flags("--libs"))


@test
def an_outside_program_uses_the_static_library():
    run_outside([installed("libframehound.a")])


@test
def the_shared_library_shows_only_its_interface():
    compiler()
    if shutil.which("nm") is None:
        raise Skip("nm is not installed")
    lines = output("nm", "-D", "--defined-only", installed("libframehound.so")).splitlines()
    names = [line.split()[-1] for line in lines]
    nothing([name for name in names if not name.startswith("fh_")], "symbols that are not ours")


try:
    tap.main()
finally:
    WORK.cleanup()
