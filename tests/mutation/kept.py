"""What is known already of planted faults, so that a run that was broken off goes on.

A file of lines `STAMP TAB FAULT TAB VERDICT...`, written as each verdict falls. A fault that was
noticed stays so as long as its format, what all formats share, and what plants faults are the same;
that one was not noticed holds only for the same corpus or the same suites. What noticed a fault in
another state of the code is asked first.
"""
import hashlib
import os
import threading

NOTICED = ("killed", "crashed", "hung", "guarded", "by suite", "refused")
# The outcome is the same; the fault's place is come by, but it never makes a difference there; nothing
# comes by.
UNNOTICED = ("survived", "alike", "unreached")
SHARED = ("formats/core", "formats/fixed", "formats/registry", "scanner/hunt/allowance.c",
          "tests/mutation/mutate.py")
FORMATS = ("formats/tod", "formats/hmd", "formats/tra", "formats/camerawork")


def stamp_of(root, *names, ends=(".c", ".h", ".def", ".py", ".build")):
    """A short number of all files of these folders, or of these files."""
    paths = []
    for name in names:
        path = os.path.join(root, name)
        if os.path.isfile(path):
            paths.append(path)
        for folder, _, files in os.walk(path):
            paths += [os.path.join(folder, file) for file in files if file.endswith(ends)]
    whole = hashlib.sha256()
    for path in sorted(paths):
        whole.update(os.path.relpath(path, root).encode() + b"\0")
        with open(path, "rb") as file:
            whole.update(hashlib.sha256(file.read()).digest())
    return whole.hexdigest()[:12]


class Kept:
    def __init__(self, root, path):
        self.root = root
        self.codes = {name: stamp_of(root, name, *SHARED) for name in FORMATS}
        self.whole = stamp_of(root, *FORMATS, *SHARED)
        self.known, self.before, self.lock = {}, {}, threading.Lock()
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    self.take(line)
        self.file = open(path, "a", encoding="utf-8")  # pylint: disable=consider-using-with

    def code_of(self, path):
        """The stamp of what a fault in this file, or rather what notices it, hangs on."""
        return self.codes.get(os.path.dirname(path), self.whole)

    def stamp_of_inputs(self, listing, build):
        """Of the files of a list, of what is looked at, and of the name of the build that looks."""
        looks = [f"tests/mutation/{name}.c" for name in ("outcome", "inputs", "kill")]
        whole = hashlib.sha256(f"{build} {stamp_of(self.root, *looks)}".encode())
        with open(listing, encoding="utf-8") as lines:
            for line in lines:
                for path in line.rstrip("\n").split("\t")[2:]:
                    with open(path, "rb") as file:
                        whole.update(hashlib.sha256(file.read()).digest())
        return whole.hexdigest()[:12]

    def take(self, line):
        if not line.endswith("\n"):  # broken off while it was written
            return
        stamp, *key, verdict = line.rstrip("\n").split("\t", 5)
        verdict = verdict.split("\t")
        if len(key) != 4:
            return
        code, asked = stamp.split("/")
        if verdict[0] in NOTICED:
            self.before[tuple(key)] = verdict
            asked = ""
        if code == self.code_of(key[0]):
            self.known[asked, tuple(key)] = verdict

    def verdict(self, mutant, asked):
        """What is known of it by the inputs or suites with the stamp `asked`; None if nothing is."""
        return self.known.get(("", mutant.key)) or self.known.get((asked, mutant.key))

    def noticed_by(self, mutant):
        """What noticed it the last time it was asked; None if nothing did."""
        verdict = self.before.get(mutant.key)
        return verdict[1] if verdict and len(verdict) > 1 else None

    def keep(self, mutant, asked, verdict):
        line = "\t".join([f"{self.code_of(mutant.path)}/{asked}", *mutant.key, *verdict]) + "\n"
        with self.lock:
            self.take(line)
            self.file.write(line)
            self.file.flush()
