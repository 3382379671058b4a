"""The model beside an animation: where it is taken from, what is refused, what comes of it."""
import csv
import io
import os
import re
import sys

from harness import Program, Tap, Workspace, query, read, small_tod

ANIMATION = ("tra\nmagic\nhead\nfigure 3\nbone hip\ntranslate.x 0 0 2 4\ntranslate.y 0 0 2 0\n"
             "translate.z 0 0 2 0\nbone leg\nroll 0 0 2 90\n")
MODEL = "bac\nmagic\nhead\nfigure\nbone hip 0\nbone leg 1 0 10 0 0 10 1 1 10 0\n"
RENAMED = MODEL.replace("leg", "Leg")


def code(result):
    """Codes of findings, on either stream."""
    return sorted(set(re.findall(r"\b(?:TRA|RUN|IMG)\d{4}\b", result.text + result.errors)))


def expect(tap, result, exit_code, name, *texts, codes=()):
    told = result.text + result.errors
    tap.ok(result.code == exit_code and code(result) == sorted(codes) and
           all(text in told for text in texts), name, result)


def make(program, work, name="a"):
    return (program.forge("tra", ANIMATION, work.path(name + ".tra")),
            program.forge("bac", MODEL, work.path(name + ".model")))


# ---- check ----

def check_takes_what_is_named(tap, program, work):
    tra, bac = make(program, work)
    other = program.forge("bac", RENAMED, work.path("other.model"))
    result = program.run("check", "--bac", bac, tra)
    expect(tap, result, 0, "the model fits", ", replayed")
    tap.equal(result.errors, "", "and what was asked for is not told")
    expect(tap, program.run("check", "--bac", other, tra), 1, "the model does not fit",
           '"leg", expected "Leg"', ", structure", codes=["TRA0121"])
    expect(tap, program.run("check", "--bac", other, "--fail-on", "never", tra), 0, "--fail-on",
           codes=["TRA0121"])
    expect(tap, program.run("check", "--bac", tra, program.forge("tra", ANIMATION,
                                                               work.path("b.tra"))), 1,
           "what is named is no BAC6", ";TRA, expected ;BAC", codes=["TRA0124"])
    expect(tap, program.run("check", "--bac", "-", tra, data=read(bac)), 0, "standard input")
    expect(tap, program.run("check", "--bac", "-", tra, data=read(other)), 1,
           "standard input that does not fit", codes=["TRA0121"])
    expect(tap, program.run("check", "--bac", other, "-", data=read(tra)), 1,
           "an animation from standard input", codes=["TRA0121"])
    empty = work.write("empty.model", b"")
    expect(tap, program.run("check", "--bac", empty, tra), 1, "an empty file",
           "the end of the data", codes=["TRA0124"])


def check_refuses(tap, program, work):
    tra, bac = make(program, work)
    expect(tap, program.run("check", "--bac", work.path("none.bac"), tra), 3, "a missing file",
           "cannot read", "No such file")
    expect(tap, program.run("check", "--bac", work.path(), tra), 2, "a directory",
           "is a directory")
    expect(tap, program.run("check", "--bac", bac, bac), 2, "the model as what is checked",
           "cannot be the model and what is checked")
    expect(tap, program.run("check", "--bac", "-", "-", data=b""), 2, "standard input for both",
           "cannot be the model and what is checked")
    expect(tap, program.run("check", "--bac"), 2, "no value")
    long = work.write("long.model", read(bac) + b" " * (8 << 20))
    expect(tap, program.run("check", "--bac", long, tra), 3, "more than 8 MiB", "longer than")
    tod = program.forge("tod", small_tod(3, 1), work.path("x.tod"))
    expect(tap, program.run("check", "--bac", bac, tod), 0, "files that belong to no model",
           "was not used")
    expect(tap, program.run("check", "--bac", bac, tod, tra), 0, "one that does among them",
           "x.tod: tod", "a.tra: tra")
    tap.ok("was not used" not in program.run("check", "--bac", bac, tod, tra).errors, "it was used")


def check_looks_beside(tap, program, work):
    folder = work.folder("beside")
    tra = program.forge("tra", ANIMATION, os.path.join(folder, "walk.tra"))
    tap.equal(program.run("check", tra).errors, "", "nothing is beside")
    for name in ("walk.bac", "walk.BAC"):
        beside = program.forge("bac", RENAMED, os.path.join(folder, name))
        expect(tap, program.run("check", tra), 1, name, name + " beside it; --bac none",
               codes=["TRA0121"])
        expect(tap, program.run("check", folder), 1, name + " in a directory", name + " beside it",
               codes=["TRA0121"])
        result = program.run("check", "--bac", "none", tra)
        expect(tap, result, 0, name + " is refused")
        tap.equal(result.errors, "", "and nothing is said of it")
        fits = program.forge("bac", MODEL, work.path("fits.model"))
        expect(tap, program.run("check", "--bac", fits, tra), 0, "what is named goes before " + name)
        expect(tap, program.run("check", "-", data=read(tra)), 0, "standard input has none beside")
        os.remove(beside)
    os.mkdir(os.path.join(folder, "walk.bac"))
    expect(tap, program.run("check", tra), 0, "a directory of that name is none")
    os.rmdir(os.path.join(folder, "walk.bac"))
    os.symlink(program.forge("bac", RENAMED, work.path("target")), os.path.join(folder, "walk.bac"))
    expect(tap, program.run("check", tra), 0, "nor is a link")
    os.remove(os.path.join(folder, "walk.bac"))
    work.write("beside/walk.bac", b"\x05\x00\x00\x00binary")
    expect(tap, program.run("check", tra), 0, "a binary model is named and not used",
           "walk.bac beside it is no BAC6 text of the model and not used")
    plain = program.forge("tra", ANIMATION, os.path.join(folder, "plain"))
    program.forge("bac", RENAMED, plain + ".bac")
    expect(tap, program.run("check", plain), 1, "a name without an extension", codes=["TRA0121"])
    dotted = program.forge("tra", ANIMATION, os.path.join(work.folder("beside/a.b"), "c"))
    program.forge("bac", RENAMED, os.path.join(folder, "a.bac"))
    expect(tap, program.run("check", dotted), 0, "a dot in a directory is no extension")


# ---- replay ----

def rows_of(text, table):
    """A heading stands in front of the first row of each table only."""
    rows, heading, headings = [], None, {}
    for row in csv.reader(io.StringIO(text)):
        if row[0] == "table":
            heading = row
            continue
        names = headings.setdefault(row[0], heading)
        if row[0] == table:
            rows.append(dict(zip(names, row)))
    return rows


def replay_prints_world(tap, program, work):
    tra, bac = make(program, work)
    result = program.run("replay", "--world", "--bac", bac, "-F", "csv", tra)
    tap.equal(result.code, 0, "exit code", result)
    names = ("m00", "m01", "m02", "m10", "m11", "m12", "m20", "m21", "m22", "t0", "t1", "t2")
    seen = [(row["frame"], row["bone"], [float(row[name]) for name in names])
            for row in rows_of(result.text, "world")]
    half = 0.5 ** 0.5
    # The leg's Y is the hip's X. It hangs 10 above the hip, which moves along X.
    want = []
    for frame, (c, s, x) in enumerate(((1, 0, 0), (half, half, 2), (0, 1, 4))):
        want.append((str(frame), "0", [1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0]))
        want.append((str(frame), "1", [s, c, 0, -c, s, 0, 0, 0, 1, x, 10, 0]))
    near = len(seen) == len(want) and all(
        a[:2] == b[:2] and all(abs(p - q) < 1e-12 for p, q in zip(a[2], b[2]))
        for a, b in zip(seen, want))
    tap.ok(near, "world matrices, by hand", seen, want)
    without = program.run("replay", "--bac", bac, "-F", "csv", tra)
    tap.equal(rows_of(without.text, "world"), [], "none without --world")
    tap.equal(rows_of(without.text, "bone"), rows_of(result.text, "bone"), "the poses are the same")
    program.forge("bac", MODEL, work.path("a.bac"))
    beside = program.run("replay", "--world", "-F", "csv", tra)
    tap.equal(beside.text, result.text, "the same from beside")
    tap.ok("a.bac beside it" in beside.errors, "which is told", beside)
    os.remove(work.path("a.bac"))


def replay_refuses(tap, program, work):
    tra, bac = make(program, work)
    needs = "--world of tra needs the BAC6 text of the model; give it with --bac FILE"
    expect(tap, program.run("replay", "--world", tra), 2, "world without a model", needs)
    program.forge("bac", MODEL, work.path("a.bac"))
    expect(tap, program.run("replay", "--world", "--bac", "none", tra), 2, "and where it is refused",
           needs)
    result = program.run("replay", "-o", work.path("a.bac"), tra)
    expect(tap, result, 2, "output over the model beside", "would write over what is read")
    os.remove(work.path("a.bac"))
    expect(tap, program.run("replay", "-o", bac, "--bac", bac, tra), 2,
           "output over the model that is named", "would write over what is read")
    expect(tap, program.run("replay", "--bac", work.path("none"), tra), 3, "a missing file",
           "cannot read")
    expect(tap, program.run("replay", "--bac", work.path(), tra), 2, "a directory",
           "is a directory")
    expect(tap, program.run("replay", "--bac", tra, tra), 2, "itself", "cannot be the model")
    tod = program.forge("tod", small_tod(3, 1), work.path("x.tod"))
    expect(tap, program.run("replay", "--bac", bac, tod), 2, "a format without models",
           "--bac does not go with tod")
    expect(tap, program.run("replay", "--time-step", "2", tod), 2, "a format without velocities",
           "--time-step does not go with tod")
    path = program.forge("camerawork", "camerawork\nrow key pos 0 0 10\nrow key pos 4 0 10\n",
                         work.path("x.cam"))
    expect(tap, program.run("replay", "--world", path), 2, "a format without a hierarchy",
           "--world does not go with camerawork")
    cut = work.write("cut.model", read(bac)[:-3])
    result = program.run("replay", "--world", "--bac", cut, tra)
    expect(tap, result, 1, "a damaged model has no world space", "cannot go on", codes=["TRA0125"])
    expect(tap, program.run("replay", "--bac", cut, tra), 1, "but the poses are there", "frame 2",
           codes=["TRA0125"])
    single = program.forge("bac", MODEL.replace("bone leg", "#"), work.path("single.model"))
    expect(tap, program.run("replay", "--world", "--bac", single, tra), 1,
           "a model of other bones has none", "cannot go on", codes=["TRA0120"])


def scan_takes_none(tap, program, work):
    """An asset of a database has no file beside; what is named is taken."""
    folder = work.folder("scanned")
    tra = program.forge("tra", ANIMATION, os.path.join(folder, "walk.tra"))
    program.forge("bac", RENAMED, os.path.join(folder, "walk.bac"))
    db = work.path("scan.db")
    result = program.run("scan", "-o", db, folder)
    tap.equal((result.code, [row["code"] for row in query(db, "SELECT code FROM finding")]),
              (0, []), "scan looks for no models", result)
    fits = program.forge("bac", MODEL, work.path("fits.model"))
    expect(tap, program.run("replay", "--world", db + ":1"), 2, "DB:ID has nothing beside",
           "--world of tra needs")
    by_id = program.run("replay", "--world", "--bac", fits, "-F", "csv", db + ":1")
    by_name = program.run("replay", "--world", "--bac", fits, "-F", "csv", tra)
    tap.equal((by_id.code, by_id.text), (0, by_name.text), "DB:ID with a model")


def main():
    tap, program = Tap(), Program(sys.argv)
    for part in (check_takes_what_is_named, check_refuses, check_looks_beside, replay_prints_world,
                 replay_refuses, scan_takes_none):
        with Workspace() as work:
            part(tap, program, work)
    program.tell_unsound(tap)
    tap.done()


main()
