#!/usr/bin/env python3
"""Makes the seeds of every fuzz target: small inputs that are as they should be, and the same ones
each time.

Usage: make_seeds.py FORGE ROOT OUT [TARGET...]. FORGE is the builder of assets, ROOT the folder of
the project; the seeds of a target go to OUT/TARGET, whose path is printed with their number. Seeds
of formats are what the forge makes of corpus/; those of readers are made by fuzz/seeds.py. What
cannot be made without a program that is missing is told and left out.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import seeds  # noqa: E402

FORMATS = ("tod", "hmd", "tra", "camerawork")
BEGINS_MODEL = bytes([0x1C])  # what fuzz_format.c parts an asset from its companion with


class Maker:
    """The forge and the descriptions of the corpus, for who makes seeds."""

    def __init__(self, forge, root, each=1):
        """each: of the descriptions of a folder only one of so many is taken."""
        self.each = each
        self.forge = os.path.abspath(forge)
        self.root = os.path.abspath(root)
        self.folder = tempfile.TemporaryDirectory()
        self.made = {}

    def build(self, language, description):
        """The bytes that a description makes, or None: it describes something else."""
        made = os.path.join(self.folder.name, "made")
        done = subprocess.run([self.forge, language, description, "-o", made],
                              capture_output=True, check=False)
        if done.returncode != 0:
            return None
        with open(made, "rb") as file:
            return file.read()

    def descriptions(self, name):
        folder = os.path.join(self.root, "corpus", name)
        names = sorted(name for name in os.listdir(folder)
                       if name.endswith(".forge") and not name.endswith(".bac.forge"))
        for name in names[::self.each]:
            yield os.path.join(folder, name)

    def assets(self, name):
        """(name, bytes) of each asset of a format, with its model where it names one."""
        if name not in self.made:
            self.made[name] = list(self.make_assets(name))
        return self.made[name]

    def make_assets(self, name):
        for description in self.descriptions(name):
            data = self.build(name, description)
            if data is None:
                continue
            with open(description, encoding="utf-8") as lines:
                models = [line[len("# bac: "):].strip() for line in lines
                          if line.startswith("# bac: ")]
            for model in models[:1]:
                path = os.path.join(os.path.dirname(description), model)
                data += BEGINS_MODEL + (self.build("bac", path) or b"")
            yield os.path.basename(description)[:-len(".forge")], data



def targets():
    made = {name: (lambda maker, name=name: maker.assets(name)) for name in FORMATS}
    made["library"] = lambda maker: (pair for name in FORMATS for pair in maker.assets(name))
    made.update(seeds.TARGETS)
    return made


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    maker = Maker(sys.argv[1], sys.argv[2])
    known = targets()
    for target in sys.argv[4:] or sorted(known):
        if target not in known:
            sys.exit(f"make_seeds.py: no target {target}; there are {', '.join(sorted(known))}")
        folder = os.path.join(sys.argv[3], target)
        os.makedirs(folder, exist_ok=True)
        num = 0
        for name, data in known[target](maker):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            num += 1
        print(f"{folder}: {num} seeds")


if __name__ == "__main__":
    main()
