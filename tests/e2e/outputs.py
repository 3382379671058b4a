"""Where replay and reduce write: never over what they read, never what is no name of a file, and what
was there stays as it was unless it was meant.
"""
import os
import sys

from harness import Program, Tap, Workspace, read

DESCRIPTION = "tod resolution=4\nframe 0\ncreate 1\nmodel 1 1\n"  # TOD0067: object 1 has no pose
CODE = "TOD0067"


class Tester:
    def __init__(self, tap, program, work):
        self.tap, self.program, self.work = tap, program, work
        self.good = read(program.forge("tod", DESCRIPTION, work.path("good.tod")))

    def run(self, *args, **how):
        return self.program.run(*args, cwd=self.work.name, **how)

    def make(self):
        """The files that every check begins with."""
        for name in ("good.tod", "other.tod", "bare", ".tod"):
            self.work.write(name, self.good)
        self.work.write("text", b"other bytes")
        for link in ("hard.tod", "soft.tod"):
            if os.path.lexists(self.work.path(link)):
                os.remove(self.work.path(link))
        os.link(self.work.path("good.tod"), self.work.path("hard.tod"))
        os.symlink("text", self.work.path("soft.tod"))
        os.makedirs(self.work.path("dir"), exist_ok=True)

    def refused(self, code, what, *args):
        """Nothing of what is there changes, and it is said why not."""
        self.make()
        before = self.state()
        result = self.run(*args)
        self.tap.ok(result.code == code and what in result.errors and self.state() == before,
                    "%s: %s" % (" ".join(args)[:90], what), result)

    def state(self):
        found = {}
        for folder, _, names in os.walk(self.work.name):
            for name in names:
                path = os.path.join(folder, name)
                found[path] = os.readlink(path) if os.path.islink(path) else \
                    os.path.getsize(path) if os.path.getsize(path) > 1 << 20 else read(path)
        return found


def replay(t):
    t.make()
    result = t.run("scan", "-j1", "-o", "x.db", "good.tod")
    t.tap.equal(result.code, 0, "a scan", result)
    over = "would write over what is read"
    t.refused(2, over, "replay", "-o", "good.tod", "good.tod")
    t.refused(2, over, "replay", "-o", "hard.tod", "good.tod")
    t.refused(2, over, "replay", "-o", "x.db", "x.db:1")
    t.refused(2, over, "replay", "-o", "hard.tod", "x.db:1")  # the source that the database names
    t.refused(2, over, "replay", "--after", "hard.tod", "-o", "good.tod", "other.tod")
    t.refused(1, "no animation of a known format", "replay", "--after", "text", "good.tod")
    for word in ("0", "x", "-1", "1e999", "nan"):
        t.refused(2, "is a number above 0", "replay", "--time-step", word, "good.tod")
    t.refused(3, "cannot read", "replay", ":5")
    t.refused(3, "cannot be opened", "replay", "none.db:1")
    t.refused(3, "no such row", "replay", "x.db:99")
    t.refused(2, "needs", "replay", "-o")
    for words in ((), ("-F", "csv"), ("-F", "json")):
        plain, dash = t.run("replay", *words, "good.tod"), t.run("replay", *words, "-o", "-", "good.tod")
        t.tap.ok(dash.code == 0 and dash.out == plain.out != b"" and
                 not os.path.exists(t.work.path("-")), "-o - is standard output: %s" % " ".join(words), dash)
    t.refused(2, "-o NAME.glb", "replay", "-F", "glb", "-o", "-", "good.tod")
    with open(t.work.path("long.tod"), "wb") as file:
        file.truncate(20 << 20)
    t.refused(3, "longer than any animation", "replay", "long.tod")


def pictures(t):
    """The name of an output says what it is, in small letters or not."""
    t.make()
    for name, begins in (("a.GLB", b"glTF"), ("a.Gltf", b"{"), ("a.SVG", b"<?xml"),
                         ("a.CSV", b"table,frame"), ("a.txt", b"good")):
        result = t.run("replay", "-o", name, "good.tod")
        t.tap.ok(result.code == 0 and read(t.work.path(name)).startswith(begins),
                 "%s begins with %s" % (name, begins), result)


def reports(t):
    """Nor do reports replace what they are made of."""
    t.make()
    t.run("scan", "-j1", "-o", "bare.db", "bare")
    for form in ("html", "json"):
        t.refused(2, "which it is made of", "report", "-F", form, "-o", "bare.db", "bare.db")
        t.refused(2, "a source of the database", "report", "-F", form + "=bare", "bare.db")
        t.refused(2, "which is to be checked", "check", "-F", form + "=bare", "good.tod", "bare")
    t.make()
    t.run("check", "-F", "json=dir/json", "dir", "good.tod")
    result = t.run("check", "-F", "json=dir/json", "dir", "good.tod")
    t.tap.ok(result.code == 0 and b"good.tod" in read(t.work.path("dir/json")),
             "a report in a folder that is checked is passed over", result)


def reduce(t):
    words = ("reduce", "good.tod", "--code", CODE)
    for name in (".", "dir/..", "dir/", "/"):
        t.refused(3, "no name of a file", *words, "-o", name)
    t.refused(3, "cannot be opened", *words, "-o", "none/a")
    t.refused(2, "cannot be the file and the result", *words, "-o", "good.tod")
    t.refused(2, "cannot be the file and the result", *words, "-o", "hard.tod", "--force")
    t.refused(3, "--force writes over it", *words, "-o", "text")
    t.refused(3, "no regular file", *words, "-o", "dir", "--force")
    t.refused(3, "no regular file", *words, "-o", "soft.tod", "--force")
    t.refused(2, "longer than any animation", "reduce", "long.tod", "--code", CODE)
    t.refused(2, "no format has a rule", "reduce", "good.tod", "--code", "XYZ")
    t.refused(2, "--code", "reduce", "good.tod")
    t.refused(2, "--none", *words, "--none")
    t.refused(2, "needs a name", "reduce", "-", "--code", CODE)
    t.refused(3, "cannot", "reduce", "none.tod", "--code", CODE)
    long = "d/" * 2100 + "a"
    t.refused(3, "cannot", *words, "-o", long)
    t.make()
    smallest = None
    for args, name in ((words, "good.reduced.tod"),
                       (("reduce", "bare", "--code", CODE), "bare.reduced"),
                       (("reduce", ".tod", "--code", CODE.lower()), ".tod.reduced"),
                       (words + ("-o", t.work.path("here")), "here"),
                       (words + ("-o", "dir/there", "--no-replay", "--bac", "none"), "dir/there"),
                       (words + ("-o", "text", "--force"), "text")):
        result = t.run(*args)
        t.tap.ok(result.code == 0 and os.path.exists(t.work.path(name)), "makes " + name, result)
        smallest = smallest or read(t.work.path(name))
        t.tap.equal(read(t.work.path(name)), smallest, "the same bytes in " + name)
        t.tap.equal(t.run(*args).code, 0, "once more, over the same bytes")
    t.tap.ok(len(smallest) < len(t.good), "which is smaller")
    result = t.run("check", "good.reduced.tod")
    t.tap.ok(CODE in result.text, "and has the finding", result)
    for steps in ("0", "1"):
        result = t.run(*words, "--max-steps", steps, "-o", "early")
        t.tap.ok(result.code == 4 and "before it was the smallest" in result.errors,
                 "stopped after %s steps" % steps, result)
        t.tap.equal(read(t.work.path("early")), t.good, "with what there was")


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        t = Tester(tap, program, work)
        replay(t)
        pictures(t)
        reports(t)
        reduce(t)
    tap.done()


if __name__ == "__main__":
    main()
