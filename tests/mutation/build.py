"""The builds that planted faults are tried in."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

import mutate

HERE = os.path.dirname(os.path.abspath(__file__))
WARNINGS = ["-w"]
OWN = ["outcome.c", "inputs.c", "switch.c"]
OTHERS = ["scanner/hunt/allowance.c"]  # of what surrounds the formats: how much work and memory they get


def compiler_folder():
    """Where clang keeps its own headers: libclang does not know."""
    for version in ("14", "15", "16", "13"):
        folder = f"/usr/lib/llvm-{version}/lib/clang"
        if os.path.isdir(folder):
            return os.path.join(folder, sorted(os.listdir(folder))[0], "include")
    return "/usr/include"


class Builder:
    def __init__(self, root, work):
        self.root, self.work = root, work
        self.tree = os.path.join(work, "tree")
        self.objects = os.path.join(work, "objects")
        self.mutants = []

    def names(self, kind):
        for folder, _, files in sorted(os.walk(os.path.join(self.root, "formats"))):
            for name in sorted(files):
                if name.endswith(kind):
                    yield os.path.relpath(os.path.join(folder, name), self.root)

    def plant(self, only=None):
        """Copies the project, with faults in every file of formats/, or in those named."""
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
            with open(os.path.join(self.tree, name), "w", encoding="utf-8") as file:
                file.write(planter.result())
        return self.mutants

    def compile(self, name, out, *options, tree=None):
        tree = tree or self.tree
        subprocess.run(["gcc", *WARNINGS, "-O1", "-std=c11", "-D_GNU_SOURCE", "-ffp-contract=off", "-ffunction-sections", "-fdata-sections",
                        "-D_FILE_OFFSET_BITS=64",
                        "-include", os.path.join(HERE, "switch.h"), f"-I{HERE}", f"-I{tree}",
                        f"-I{tree}/formats", f"-I{tree}/scanner", *options, "-c",
                        os.path.join(tree, name) if not os.path.isabs(name) else name, "-o", out],
                       check=True, capture_output=True, text=True)
        return out

    def object_of(self, name):
        return os.path.join(self.objects, re.sub(r"[/.]", "_", name) + ".o")

    def build_killer(self, jobs, planted=None, library=None):
        """With faults in all files; or in the planted ones, and the rest from a library."""
        os.makedirs(self.objects, exist_ok=True)
        self.library = [] if library is None else [library]
        files = [*(self.names(".c") if planted is None else sorted(planted)), *OTHERS, *(os.path.join(HERE, name) for name in OWN),
                 os.path.join(HERE, "kill.c")]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            self.linked = list(pool.map(lambda name: self.compile(
                name, self.object_of(os.path.relpath(name, HERE) if os.path.isabs(name) else name)),
                files))
        return self.link(os.path.join(self.work, "kill"), {})

    def link(self, out, other):
        done = subprocess.run(["gcc", "-Wl,--gc-sections", *(other.get(o, o) for o in self.linked),
                               *self.library, "-lm", "-o", out], check=False, capture_output=True, text=True)
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

    def build_suites(self, jobs):
        """The project's own test suites with all faults planted; returns the build folder."""
        listing = os.path.join(self.tree, "formats", "meson.build")
        with open(listing, encoding="utf-8") as file:
            text = file.read()
        text = text.replace("formats_sources = files(",
                            f"formats_sources = files('{os.path.join(HERE, 'switch.c')}',", 1)
        with open(listing, "w", encoding="utf-8") as file:
            file.write(text)
        build = os.path.join(self.work, "suites")
        flags = f"-w -include {os.path.join(HERE, 'switch.h')}"
        if not os.path.isfile(os.path.join(build, "build.ninja")):
            subprocess.run(["meson", "setup", build, self.tree, "-Dbuildtype=plain", "-Dwerror=false",
                            f"-Dc_args=-O1 {flags}", "-Dtests=enabled"], check=True,
                           stdout=sys.stderr)
        wanted = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], check=True,
                                capture_output=True, text=True).stdout
        suites = re.findall(r"^(tests/(?:formats|hunt)/test_\w+): ", wanted, re.M)
        subprocess.run(["ninja", "-C", build, f"-j{jobs}", *suites], check=True, stdout=sys.stderr)
        return [os.path.join(build, suite) for suite in suites]
