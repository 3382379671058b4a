#!/usr/bin/env python3
"""`replay --format canonical`: what is written, what is refused, and that the motion stays."""
import os
import re
import sys

from harness import Program, Tap, Workspace, corpus_path, forge_hmd, query, read, small_tod

FAMILIES = ("tra", "camerawork")


def canonical(program, *args):
    return program.run("replay", "--format", "canonical", *args)


def descriptions(family):
    """The descriptions of one family, but for those of models, and those of work that a limit stops:
    they are large."""
    large = ("TRA0141", "CAM0063")
    return [name for name in sorted(os.listdir(corpus_path(family)))
            if name.endswith(".forge") and not name.endswith(".bac.forge") and
            not name.startswith(large)]


def keeps_digits(family, data):
    """Whether six decimals hold all numbers of a camerawork text; those of TRA4 get what they need."""
    if family == "tra":
        return True
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else
                       "utf-16-le" if data[1:2] == b"\0" else
                       "utf-16-be" if data[:1] == b"\0" else "utf-8-sig").strip("\0")
    numbers = [float(word) for word in text.split()]
    return all(float("%.6e" % number) == number for number in numbers)


def poses(program, work, folder, name):
    """{file: hash of its poses} of the files of a folder."""
    db = work.path(name)
    program.run("scan", "-o", db, folder)
    rows = query(db, "SELECT s.path, a.pose_sha256 FROM asset AS a JOIN source AS s ON "
                     "s.id = a.source_id")
    return {os.path.basename(row["path"]): row["pose_sha256"] for row in rows}


def judge_family(tap, program, work, family):
    """Every description of the corpus: refused if it has an error, else written and kept."""
    before, behind = work.folder(family + ".before"), work.folder(family + ".behind")
    strange, refused, exact = [], 0, []
    for name in descriptions(family):
        with open(corpus_path(family, name), encoding="utf-8") as file:
            text = file.read()
        base = name.replace(".forge", "." + ("cam" if family == "camerawork" else "tra"))
        path = program.forge(family, text, os.path.join(before, base))
        done = canonical(program, path)
        # Not an animation; another format of the same family; a last number that may go on.
        if any(said in done.errors for said in (": error ", "no animation", "note TRA0005 at",
                                                "note CAM0057 at")):
            refused += 1
            if done.code != 1 or done.out or "no canonical form" not in done.errors and \
                    "no animation" not in done.errors:
                strange.append("%s: %s" % (name, done))
            os.unlink(path)
            continue
        written = work.write(os.path.join(family + ".behind", base), done.out)
        again = canonical(program, written)
        if done.code != 0 or again.code != 0 or again.out != done.out or b"\r" in done.out:
            strange.append("%s: %s\n%s" % (name, done, again))
        if keeps_digits(family, read(path)):
            exact.append(base)
    tap.equal(strange, [], "%s: refused with errors, else written once and for all" % family)
    first = poses(program, work, before, family + "1.db")
    second = poses(program, work, behind, family + "2.db")
    tap.equal([name for name in exact if first.get(name) != second.get(name)], [],
              "%s: the hash of the poses stays" % family)
    tap.ok(refused > 10 and len(exact) > 30 and len(set(first.values())) > 10,
           "%s: enough of both" % family, refused, len(exact), len(set(first.values())))


TRA = ("tra encoding=utf16be eol=crlf blanks=many\nmagic \" utf8\"\nhead 4\nfigure 3 \"walk\"\n"
       "bone \"hip\"\nroll 0 1e1 2 +20\nclose\nline \"; the end\"\n")
CAM = "camerawork form=e3 eol=crlf\nline 4 1 0 0 1 3 0 1\n"


def outputs(tap, program, work):
    path = program.forge("tra", TRA, work.path("walk.tra"))
    done = canonical(program, path)
    tap.ok(done.code == 0 and done.text.startswith(
        ";TRA\n( Head\n  ( traVersion 4.0 )\n)\n( Figure\n  ( name \"walk\" )\n  ( totalFrame 3 )\n")
        and "      ( kf 0 10.000000 )\n      ( kf 2 20.000000 )\n" in done.text, "TRA4", done)
    tap.ok("TRA0013" in done.errors and "TRA0013" not in done.text, "findings go to standard error",
           done)
    to = work.path("out.tra")
    into = canonical(program, path, "-o", to)
    tap.equal((into.code, into.out, read(to)), (0, b"", done.out), "-o", into)
    tap.equal(program.run("replay", "-F", "canonical", "-", data=read(path)).out, done.out,
              "from standard input")
    work.write("walk.bac", b"not the model\n")
    tap.equal(canonical(program, path).errors, done.errors, "a model beside does not matter")
    os.unlink(work.path("walk.bac"))
    path = program.forge("camerawork", CAM, work.path("path.cam"))
    rows = canonical(program, path).text.split("\n")
    number = r"-?[0-9]\.[0-9]{6}e[+-][0-9]{2,3}"
    row = re.compile(r"[0-9]+ [01](?: %s){9} [01](?: %s){3} [01](?: %s){9}$" % ((number,) * 3))
    tap.ok(len(rows) == 5 and rows[4] == "" and all(row.match(line) for line in rows[:4]) and
           "e+00 " in rows[0], "camerawork", *rows)
    strict = canonical(program, "--fail-on", "note", path)
    tap.equal((strict.code, strict.text.split("\n")), (1, rows),
              "--fail-on note: written, and told by the exit code", strict)


def references(tap, program, work):
    """DB:ID: whole texts within larger data, and pieces of them."""
    path = program.forge("tra", TRA.replace("utf16be", "ascii"), work.path("inside.tra"))
    whole = canonical(program, path).out
    blob = work.write("blob.bin", b"\xff" * 2048 + read(path) + b"\0" * 2048)
    cam = program.forge("camerawork", CAM, work.path("inside.cam"))
    rows = read(cam).split(b"\r\n")
    piece = work.write("piece.bin", b"\xff" * 2048 + b"\r\n".join(rows[:3])[:-20] + b"\0" * 2048)
    db = work.path("inside.db")
    program.run("scan", "-o", db, blob, piece)
    ids = {row["format"]: row["id"] for row in query(db, "SELECT id, format FROM asset")}
    tap.equal(sorted(ids), ["camerawork", "tra"], "both are found")
    done = canonical(program, "%s:%d" % (db, ids.get("tra", 0)))
    tap.equal((done.code, done.out), (0, whole), "a text within larger data", done)
    done = canonical(program, "%s:%d" % (db, ids.get("camerawork", 0)))
    tap.ok(done.code == 1 and not done.out and "fragment" in done.errors, "a piece of one", done)


def refusals(tap, program, work):
    tra = work.path("walk.tra")
    tod = program.forge("tod", small_tod(), work.path("walk.tod"))
    hmd = forge_hmd(program, "HMD0001.good", work.path("rests.hmd"))
    cut = work.write("cut.tod", read(tod)[:-3])
    for path in (tod, hmd, cut):
        done = canonical(program, path)
        tap.ok(done.code == 2 and not done.out and "no canonical form" in done.errors,
               "%s has none" % os.path.basename(path), done)
    for option in (["--world"], ["--changes"], ["--time-step", "2"], ["--profile", "4.0"],
                   ["--slots", "9"], ["--after", tra], ["--bac", "none"]):
        done = canonical(program, *option, tra)
        tap.ok(done.code == 2 and not done.out and option[0] in done.errors, "not with " + option[0],
               done)
    broken = program.forge("tra", "tra\nmagic\nhead\nfigure 3\nbone \"a\"\nroll 0 nan\n",
                           work.path("broken.tra"))
    for more in ([], ["--fail-on", "never"], ["-o", work.path("none.tra")]):
        done = canonical(program, *more, broken)
        tap.ok(done.code == 1 and not done.out and "TRA0042" in done.errors and
               "mend the errors above" in done.errors, "errors are refused %s" % more[:2], done)
    tap.ok(not os.path.exists(work.path("none.tra")), "and nothing is written")
    tap.equal(canonical(program, work.path("gone.tra")).code, 3, "a file that is not there")
    other = work.write("some.txt", b"words\n")
    done = canonical(program, other)
    tap.ok(done.code == 1 and "no animation" in done.errors, "a file of another kind", done)
    wide = b"\xff\xfe" + read(tra).decode("utf-16-be").replace("hip", "a\ud800b").encode(
        "utf-16-le", "surrogatepass")
    done = canonical(program, work.write("half.tra", wide))
    tap.ok(done.code == 1 and not done.out and "UTF-8" in done.errors, "half a character", done)
    done = program.run("replay", "--format", "canon", tra)
    tap.ok(done.code == 2 and "canonical" in done.errors, "the form is known by its whole name", done)
    last = program.run("replay", "-F", "canonical", "-F", "csv", tra)
    tap.ok(last.code == 0 and last.text.startswith("table,"), "of two forms the last one counts", last)
    with open("/dev/full", "w", encoding="utf-8") as full:
        tap.equal(program.run("replay", "-F", "canonical", tra, stdout=full).code, 3, "no room")


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        outputs(tap, program, work)
        references(tap, program, work)
        refusals(tap, program, work)
        for family in FAMILIES:
            judge_family(tap, program, work, family)
        program.tell_unsound(tap)
    tap.done()


main()
