"""The builds that planted faults are tried in."""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import kept
import mutate

MOST_MUTANTS = 1 << 15  # as in switch.h
HERE = os.path.dirname(os.path.abspath(__file__))
COMMON = ["-w", "-O1", "-std=c11", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64", "-ffp-contract=off",
          "-ffunction-sections", "-fdata-sections"]
OWN = ["outcome.c", "inputs.c", "switch.c"]
OTHERS = ["scanner/hunt/allowance.c"]  # of what surrounds the formats: how much work and memory they get


class Flavour:
    """A way to build: its name, compiler, what to compile with, and what to compile and link with."""

    def __init__(self, name, compiler, flags, both):
        self.name, self.compiler, self.flags, self.both = name, compiler, flags, both
        self.is_guarded = bool(both)


def plain():
    return Flavour("kill", "gcc", [], [])


def guarded(root):
    """As the campaigns of fuzzing look, and with what cannot be (formats/core/never.h) asserted. Of
    40 faults in core and fixed that only guards saw, 39 were seen by one of the first 59 files in
    which they make a difference; to ask all of them takes two seconds a fault."""
    return Flavour("kill-guarded", "clang",
                   ["-DFH_ASSERTED", "-DFH_KILL_SLOW=0.3", "-DFH_KILL_MOST=200"],
                   ["-fsanitize=address,undefined,integer", "-fno-sanitize-recover=all",
                    f"-fsanitize-ignorelist={root}/fuzz/wraps.txt"])


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def compiler_folder():
    """Where clang keeps its own headers: libclang does not know."""
    for version in ("14", "15", "16", "13"):
        folder = f"/usr/lib/llvm-{version}/lib/clang"
        if os.path.isdir(folder):
            return os.path.join(folder, sorted(os.listdir(folder))[0], "include")
    return "/usr/include"


def commands_of(folder, target):
    """What compiles the files of a target of a build folder, by the path of the file."""
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        return {os.path.normpath(os.path.join(folder, entry["file"])): entry["command"]
                for entry in json.load(file) if f"/{target}/" in entry["output"]}


def without_outputs(command):
    """A compiler's arguments without the file that is written, and without that of dependencies."""
    words = iter(command)
    for word in words:
        if word in ("-o", "-MF", "-MQ"):
            next(words)
        elif word != "-MD":
            yield word


def run_in(folder, command):
    return subprocess.run(command, cwd=folder, check=False, capture_output=True).returncode == 0


class Builder:
    def __init__(self, root, work):
        self.root, self.work = root, work
        self.tree = os.path.join(work, "tree")
        self.flavour = plain()
        self.mutants = []
        self.before = {}

    def names(self, kind):
        for folder, _, files in sorted(os.walk(os.path.join(self.root, "formats"))):
            for name in sorted(files):
                if name.endswith(kind):
                    yield os.path.relpath(os.path.join(folder, name), self.root)

    def plant(self, only=None):
        """Copies the project, with faults in every file of formats/, or in those named."""
        self.before = dict(self.written())
        shutil.rmtree(self.tree, ignore_errors=True)
        skip = shutil.ignore_patterns("build*", ".git", "__pycache__")
        shutil.copytree(self.root, self.tree, ignore=skip)
        arguments = ["-std=c11", "-D_GNU_SOURCE", f"-I{self.root}", f"-I{self.root}/formats",
                     f"-I{compiler_folder()}"]
        number = 0
        for name in (*self.names(".c"), *self.names(".h")):
            path = os.path.join(self.root, name)
            header = name.endswith(".h")
            if only is not None and name not in only:
                continue
            with open(path, encoding="utf-8") as file:
                if header and "static inline" not in file.read():
                    continue
            planter = mutate.Planter(path, name, [*arguments, "-x", "c"], number, not header).plant()
            number = planter.number
            self.mutants += planter.mutants
            if number >= MOST_MUTANTS:
                raise RuntimeError(f"more than {MOST_MUTANTS} faults: see switch.h")
            self.write(name, planter.result())
        return self.mutants

    def written(self):
        """The files of the last tree that may have been written, with their texts and ages."""
        for folder, _, files in os.walk(self.tree):
            for name in files:
                path = os.path.join(folder, name)
                if name.endswith((".c", ".h", ".build")):
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, self.tree), (file.read(), os.stat(path).st_mtime_ns)

    def write(self, name, text):
        """Into the tree; as old as it was there with the same text, so that nothing is built anew
        without need. The age of what it is made of does not do: the numbers of its faults go on from
        those of other files."""
        path = os.path.join(self.tree, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        known, age = self.before.get(name, (None, 0))
        if known == text:
            os.utime(path, ns=(age, age))

    def compile(self, name, out, *options, tree=None):
        tree = tree or self.tree
        flavour = self.flavour
        subprocess.run([flavour.compiler, *COMMON, *flavour.flags, *flavour.both,
                        "-include", os.path.join(HERE, "switch.h"), f"-I{HERE}", f"-I{tree}",
                        f"-I{tree}/formats", f"-I{tree}/scanner", *options, "-c",
                        os.path.join(tree, name) if not os.path.isabs(name) else name, "-o", out],
                       check=True, capture_output=True, text=True)
        return out

    def object_of(self, name):
        return os.path.join(self.work, f"{self.flavour.name}-objects",
                            re.sub(r"[/.]", "_", name) + ".o")

    def killer(self):
        return os.path.join(self.work, self.flavour.name)

    def stamp(self):
        sources = kept.stamp_of(self.tree, "formats", "scanner/hunt", "tests/mutation",
                                "fuzz/wraps.txt", ends=(".c", ".h", ".def"))
        return " ".join([sources, self.flavour.compiler, *self.flavour.flags, *self.flavour.both])

    def build_killer(self, jobs, planted=None, library=None, flavour=None):
        """With faults in all files; or in the planted ones, and the rest from a library."""
        self.flavour = flavour or plain()
        os.makedirs(os.path.dirname(self.object_of("")), exist_ok=True)
        made_of = os.path.join(self.work, f"{self.flavour.name}.made-of")
        stamp = self.stamp()
        is_new = stamp != read(made_of)
        self.library = [] if library is None else [library]
        files = [*(self.names(".c") if planted is None else sorted(planted)), *OTHERS,
                 *(os.path.join(HERE, name) for name in (*OWN, "kill.c"))]
        self.linked = [self.object_of(os.path.relpath(name, HERE) if os.path.isabs(name) else name)
                       for name in files]
        if is_new:
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                list(pool.map(self.compile, files, self.linked))
            self.link(self.killer(), {})
            with open(made_of, "w", encoding="utf-8") as file:
                file.write(stamp)
        return self.killer()

    def link(self, out, other):
        objects = [other.get(o, o) for o in self.linked]
        done = subprocess.run([self.flavour.compiler, "-Wl,--gc-sections", *self.flavour.both,
                               *objects, *self.library, "-lm", "-o", out],
                              check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return out

    def build_constant(self, mutant, out):
        """A killer with one constant changed; None where the compiler does not take it."""
        theirs = self.object_of(mutant.path)
        try:
            self.compile(mutant.path, out + ".o", f"-DFH_CONSTANT_MUTANT={mutant.number}")
            return self.link(out, {theirs: out + ".o"})
        except (RuntimeError, subprocess.CalledProcessError):
            return None

    def replace(self, name, old, new):
        """In a file of the planted tree."""
        path = os.path.join(self.tree, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if text.count(old) != 1:
            raise RuntimeError(f"{name}: no '{old}'")
        self.write(name, text.replace(old, new))

    def build_suites(self, jobs):
        """The project's own test suites with all faults planted; returns their paths."""
        self.replace(os.path.join("formats", "meson.build"), "formats_sources = files(",
                     f"formats_sources = files('{os.path.join(HERE, 'switch.c')}',")
        self.replace(os.path.join("tests", "meson.build"), "link_whole: suite_main",
                     f"sources: '{os.path.join(HERE, 'suite.c')}'")
        build = self.suites_folder()
        flags = f"-w -include {os.path.join(HERE, 'switch.h')}"
        if not os.path.isfile(os.path.join(build, "build.ninja")):
            subprocess.run(["meson", "setup", build, self.tree, "-Dbuildtype=plain", "-Dwerror=false",
                            f"-Dc_args=-O1 {flags}", "-Dtests=enabled"], check=True,
                           stdout=sys.stderr)
        subprocess.run(["ninja", "-C", build, "build.ninja"], check=True, stdout=sys.stderr)
        wanted = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], check=True,
                                capture_output=True, text=True).stdout
        suites = re.findall(r"^(tests/(?:formats|hunt)/test_\w+): ", wanted, re.M)
        subprocess.run(["ninja", "-C", build, f"-j{jobs}", *suites], check=True, stdout=sys.stderr)
        return [os.path.join(build, suite) for suite in suites]

    def suites_folder(self):
        return os.path.join(self.work, "suites")

    def compile_constant(self, mutant, out):
        """As in the suites' library, with one constant changed; None where the compiler does not take it."""
        folder = self.suites_folder()
        commands = commands_of(folder, "libformats.a.p")
        command = without_outputs(shlex.split(commands[os.path.join(self.tree, mutant.path)]))
        return run_in(folder, [*command, f"-DFH_CONSTANT_MUTANT={mutant.number}", "-o", out]) and out

    def link_suite(self, suite, changed, out):
        """A suite with one object in the place of the library's; None where that cannot be."""
        folder = self.suites_folder()
        told = subprocess.run(["ninja", "-C", folder, "-t", "commands", "-s",
                               os.path.relpath(suite, folder)], check=True, capture_output=True, text=True)
        compiler, *rest = without_outputs(shlex.split(told.stdout.splitlines()[-1]))
        return run_in(folder, [compiler, "-o", out, changed, *rest]) and out
