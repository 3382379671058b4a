"""The builds of a campaign: one source, several compilers and sanitizers, each in its own folder.

A target is an executable fuzz/fuzz_NAME of a build, and its reproducer fuzz/fuzz_NAME_repro.
"""
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field

from .common import ROOT, Trouble, build_root, folder, say

NOT_TARGETS = ("_repro", "_mutants")


@dataclass(frozen=True)
class Build:
    """One build: the name of its folder, the compiler, what meson and the compiler are told."""
    name: str
    compiler: str
    options: tuple
    variables: dict = field(default_factory=dict)
    wants: str = "fuzz_{}"  # the executable of a target


COVERAGE = "-fprofile-instr-generate -fcoverage-mapping"
BUILDS = {build.name: build for build in (
    Build("fuzz-address", "clang", ("-Dfuzzing=true",
                                    "-Dfuzz_sanitizers=address,undefined,integer")),
    # Without the address sanitizer several times as fast; bounds are checked by the other builds.
    # That of most executions is optimised as far as it goes: that gives seven of 100 more.
    Build("fuzz-undefined", "clang", ("-Dfuzzing=true", "-Dfuzz_sanitizers=undefined,integer",
                                      "-Doptimization=3")),
    # Switches and comparisons of bytes are split, so that a byte of a magic is a step of its own.
    # Comparisons of numbers are not (AFL_LLVM_LAF_SPLIT_COMPARES): AFL++ 4.04c makes other ones of
    # those of signed numbers, so that sound code breaks its promises; afl-cmplog sees them.
    Build("afl-plain", "afl-clang-fast", ("-Dfuzzing=true", "-Dfuzz_sanitizers=none"),
          {"AFL_LLVM_LAF_SPLIT_SWITCHES": "1", "AFL_LLVM_LAF_TRANSFORM_COMPARES": "1"}),
    Build("afl-address", "afl-clang-fast", ("-Dfuzzing=true", "-Dfuzz_sanitizers=address")),
    Build("afl-undefined", "afl-clang-fast", ("-Dfuzzing=true", "-Dfuzz_sanitizers=undefined")),
    Build("afl-cmplog", "afl-clang-fast", ("-Dfuzzing=true", "-Dfuzz_sanitizers=none"),
          {"AFL_LLVM_CMPLOG": "1"}),
    # Mutators that AFL++ loads: without instrumentation, which the engine itself does not have.
    Build("afl-mutators", "clang", (), wants="libmutate_{}.so"),
    Build("fuzz-coverage", "clang", (f"-Dc_args={COVERAGE}", f"-Dc_link_args={COVERAGE}"),
          wants="fuzz_{}_repro"),
)}
DICTIONARY = "constants.dict"  # in afl-plain: the constants that the code compares with


class Tree:
    """Where the builds lie. With `made` the builds of that folder are used as they are."""

    def __init__(self, made=None):
        self.made = os.path.abspath(made) if made else None
        if self.made and not os.path.isdir(self.made):
            raise Trouble(f"{self.made}: no such folder; --builds names one that holds builds")
        self.base = self.made or build_root()

    def folder(self, build):
        return os.path.join(self.base, build)

    def program(self, build, target):
        """The executable of a target in a build, or None."""
        name = BUILDS[build].wants.format(target)
        path = os.path.join(self.folder(build), "fuzz", name)
        return path if os.access(path, os.X_OK) and os.path.isfile(path) else None

    def targets(self, build):
        """The names of the targets that a build has executables of."""
        place = os.path.join(self.folder(build), "fuzz")
        names = os.listdir(place) if os.path.isdir(place) else []
        return sorted(name[len("fuzz_"):] for name in names
                      if name.startswith("fuzz_") and not name.endswith(NOT_TARGETS)
                      and os.access(os.path.join(place, name), os.X_OK)
                      and os.path.isfile(os.path.join(place, name)))

    def dictionary(self):
        return os.path.join(self.folder("afl-plain"), DICTIONARY)

    def forge(self):
        return os.path.join(self.folder("fuzz-address"), "corpus", "forge")

    def provide(self, build, targets=None):
        """Makes a build, or brings it up to date: all its targets, or these. Returns the names."""
        if self.made:
            return chosen(self.targets(build), targets)
        if shutil.which(BUILDS[build].compiler) is None:
            raise Trouble(f"{BUILDS[build].compiler} is not installed; ./run fuzz installs it")
        configure(self, BUILDS[build])
        known = ninja_targets(self, build)
        names = [name for name in known if name in targets] if build == "afl-mutators" \
            else chosen(known, targets)
        goals = [f"fuzz/{BUILDS[build].wants.format(name)}" for name in names]
        if build == "fuzz-address":
            goals.append("corpus/forge")
        quietly(self, BUILDS[build], ["ninja", "-C", self.folder(build), *goals])
        return names


def chosen(known, names):
    """The names, all that are known without any."""
    if not known:
        raise Trouble("there is no target: no fuzz/fuzz_NAME in the build")
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise Trouble(f"{', '.join(unknown)}: no such target; there are {', '.join(known)}")
    return known if names is None else list(names)


def environment(tree, build):
    variables = dict(os.environ, **build.variables)
    if build.compiler.startswith("afl"):
        # A compiler cache does not know AFL's variables, and would leave out what they ask for.
        variables.update(AFL_QUIET="1", CCACHE_DISABLE="1")
    if build.name == "afl-plain":
        variables["AFL_LLVM_DICT2FILE"] = tree.dictionary()
    if "coverage" in build.name:
        variables["CCACHE_DISABLE"] = "1"
    return variables


def quietly(tree, build, command, **more):
    log = tree.folder(build.name) + ".log"
    with open(log, "w", encoding="utf-8") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False,
                              env=dict(environment(tree, build), **more))
    if done.returncode != 0:
        with open(log, encoding="utf-8", errors="replace") as text:
            tail = "".join(text.readlines()[-20:])
        raise Trouble(f"{' '.join(command[:4])} failed; {log} ends:\n{tail}")


def configure(tree, build):
    """Runs meson where there is no build yet, or one with other options."""
    place = tree.folder(build.name)
    mark = os.path.join(place, "fuzz.options")
    wanted = f"{build.compiler} {' '.join(build.options)} {ROOT}\n"
    if os.path.exists(os.path.join(place, "build.ninja")) and os.path.exists(mark):
        with open(mark, encoding="utf-8") as text:
            if text.read() == wanted:
                return
    say(f"building {place}")
    shutil.rmtree(place, ignore_errors=True)
    folder(place)
    quietly(tree, build, ["meson", "setup", place, ROOT, "-Dbuildtype=debugoptimized",
                          "-Dtests=disabled", *build.options], CC=build.compiler)
    with open(mark, "w", encoding="utf-8") as text:
        text.write(wanted)


def ninja_targets(tree, build):
    """The names of the targets that the build knows, made or not."""
    told = subprocess.run(["ninja", "-C", tree.folder(build), "-t", "targets", "all"],
                          capture_output=True, text=True, check=True).stdout
    pattern = re.compile(r"^fuzz/" + BUILDS[build].wants.format(r"(\w+?)") + ":", re.MULTILINE)
    return sorted(name for name in set(pattern.findall(told)) if not name.endswith(NOT_TARGETS))
