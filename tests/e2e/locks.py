"""Pose locks: what they hold, how a changed motion is named, and what becomes of a lock that is not
one."""
import csv
import io
import os
import re
import sys

from harness import Program, Tap, Workspace, corpus_path, read, small_tod

TRA = ("tra\nmagic\nhead\nfigure 3\nbone hip\ntranslate.x 0 0 2 4\ntranslate.y 0 0 2 0\n"
       "translate.z 0 0 2 0\nbone leg\nroll 0 0 2 90\n")


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def codes(result):
    return sorted(set(re.findall(r"\bRUN\d{4}\b", result.text)))


def expect(tap, result, exit_code, name, *texts, said=()):
    told = result.text + result.errors
    tap.ok(result.code == exit_code and codes(result) == sorted(said) and
           all(text in told for text in texts), name, result)


def make(program, work):
    os.makedirs(work.path("anim/deep"), exist_ok=True)
    program.forge("tod", small_tod(), work.path("anim/walk.tod"))
    program.forge("tra", TRA, work.path("anim/deep/wave.tra"))
    program.forge("camerawork", read(corpus_path("camerawork", "CAM0001.good.forge")).decode(),
                  work.path("anim/look here.cam"))
    program.forge("hmd", read(corpus_path("hmd", hmd_example())).decode(), work.path("anim/go.hmd"))
    return work.path("anim"), work.path("anim/poses.lock")


def hmd_example():
    names = sorted(os.listdir(corpus_path("hmd")))
    return next(n for n in names if n.startswith("HMD022") and n.endswith(".good.forge"))


def rows(program, path):
    """(frame, table, id, column) -> value, of all that a replay shows."""
    result = program.run("replay", "--format", "csv", "--changes", path)
    heads, told = {}, {}
    for line in csv.reader(io.StringIO(result.text)):
        if line[0] == "table":
            head = line
        else:
            heads.setdefault(line[0], head)
            for name, value in zip(heads[line[0]][3:], line[3:]):
                told[int(line[1]), line[0], line[3], name] = value
    return told


# ---- what a lock holds ----

def a_lock_holds_what_it_was_written_of(tap, program, work):
    folder, lock = make(program, work)
    written = program.run("check", "--write-expect", lock, folder)
    expect(tap, written, 0, "a lock is written", "wrote the poses of 4 animations")
    first = read(lock)
    tap.equal(re.findall(rb"^asset (.*)$", first, re.M),
              [b"deep/wave.tra", b"go.hmd", b"look%20here.cam", b"walk.tod"],
              "of all files, by their paths from its folder on")
    expect(tap, program.run("check", "--expect", lock, folder), 0, "and holds")
    expect(tap, program.run("check", "--expect", "poses.lock", "deep/wave.tra", cwd=folder), 0,
           "from another folder and for one file alone")
    expect(tap, program.run("check", "--write-expect", lock, folder), 0, "it is written again")
    tap.equal(read(lock), first, "to the byte")
    tap.equal(sorted(os.listdir(folder)), ["deep", "go.hmd", "look here.cam", "poses.lock",
                                           "walk.tod"], "and nothing else is left")


def rewritten_without_a_change_of_motion(tap, program, work):
    folder, lock = make(program, work)
    program.run("check", "--write-expect", lock, folder)
    write(work.path("anim/deep/wave.tra"),
          read(work.path("anim/deep/wave.tra")).replace(b"\n", b"\r\n"))
    expect(tap, program.run("check", "--expect", lock, folder), 0,
           "other line ends are no other motion")


# ---- what changed ----

def the_first_and_the_largest_difference_are_named(tap, program, work):
    folder, lock = make(program, work)
    path = work.path("anim/walk.tod")
    program.run("check", "--write-expect", lock, folder)
    before = rows(program, path)
    program.forge("tod", small_tod(frames=3, seed=1).replace("diff t 1 0 5", "diff t 3 0 5"), path)
    after = rows(program, path)
    gaps = {key: abs(int(after[key]) - int(before[key])) for key in before
            if before[key] != after[key]}
    first = min(key[0] for key in gaps)
    largest = max(gaps.values())
    result = program.run("check", "--expect", lock, folder)
    expect(tap, result, 1, "a changed motion", "motion differs from the pose lock",
           said=["RUN0014"])
    told = re.findall(r"RUN0014: .*: (\w+) is (\S+), expected (\S+) \(frame (\d+)[^,]*, "
                      r"(.*?)(\d+) differences, slot (\d+), (\S+) apart, object (\d+)\)", result.text)
    tap.equal(len(told), 2, "has a first and a largest difference", result)
    for (channel, now, was, frame, what, num, thing, apart, named), wanted in zip(told, ("first", "largest")):
        key = (int(frame), "object", thing, channel)
        tap.ok(before.get(key) == was and after.get(key) == now and wanted in what,
               "the %s is in the replay" % wanted, key, before.get(key), after.get(key), result)
        tap.equal(int(num), len(gaps), "out of all of them")
        tap.equal(after.get((int(frame), "object", thing, "object"), named), named,
                  "the object is called as the file calls it")
    if len(told) == 2:
        tap.equal((int(told[0][3]), float(told[1][7])), (first, float(largest)),
                  "and they are that")
    expect(tap, program.run("check", "--expect", lock, "--tolerance", str(largest), folder), 0,
           "what is near enough is the same")
    expect(tap, program.run("check", "--expect", lock, "--tolerance", str(largest - 0.5), folder),
           1, "and not a bit further", said=["RUN0014"])
    expect(tap, program.run("check", "--expect", lock, "--fail-on", "never", folder), 0,
           "--fail-on", said=["RUN0014"])


def names_are_never_near(tap, program, work):
    folder, lock = make(program, work)
    program.run("check", "--write-expect", lock, folder)
    program.forge("tod", small_tod().replace("model 2 2", "model 2 3"), work.path("anim/walk.tod"))
    expect(tap, program.run("check", "--expect", lock, "--tolerance", "1e9", folder), 1,
           "another model", "model is 3, expected 2", said=["RUN0014"])


def a_lock_is_written_for_a_part(tap, program, work):
    """The others stay guarded, unless they are gone."""
    folder, lock = make(program, work)
    program.run("check", "--write-expect", lock, folder)
    first = read(lock)
    program.forge("tod", small_tod(seed=2), work.path("anim/walk.tod"))
    os.remove(work.path("anim/go.hmd"))
    walk = work.path("anim/walk.tod")
    result = program.run("check", "--write-expect", lock, walk, walk)
    expect(tap, result, 0, "one file alone", "wrote the poses of 1 animation to",
           "kept those of 2 that had no new ones")
    tap.equal(re.findall(rb"^asset (.*)$", read(lock), re.M),
              [b"deep/wave.tra", b"look%20here.cam", b"walk.tod"], "what is there is kept, in order")
    expect(tap, program.run("check", "--expect", lock, folder), 0, "and all of it holds")
    make(program, work)
    program.run("check", "--write-expect", lock, folder)
    tap.equal(read(lock), first, "what is written in parts is what is written at once")
    write(walk, read(walk)[:-10])
    result = program.run("check", "--write-expect", lock, folder)
    expect(tap, result, 1, "what is broken is told", "1 checked here cannot be replayed",
           "kept those of 1")
    expect(tap, program.run("check", "--expect", lock, folder), 1, "and stays guarded",
           said=["RUN0015"])
    good = read(lock)
    expect(tap, program.run("check", "--write-expect", lock, work.path("nothere"), folder), 3,
           "what cannot be read", "is not written, because not every file could be checked")
    tap.equal(read(lock), good, "leaves the old lock alone")


def reals_differ_to_the_bit(tap, program, work):
    folder, lock = make(program, work)
    path = work.path("anim/deep/wave.tra")
    program.run("check", "--write-expect", lock, folder)
    program.forge("tra", TRA.replace("2 90", "2 90.00001"), path)
    expect(tap, program.run("check", "--expect", lock, folder), 1, "a thousandth of a degree",
           "roll", said=["RUN0014"])
    expect(tap, program.run("check", "--expect", lock, "--tolerance", "1e-4", folder), 0,
           "is within a tolerance")


def other_lengths(tap, program, work):
    folder, lock = make(program, work)
    program.run("check", "--write-expect", lock, folder)
    program.forge("tod", small_tod(frames=5), work.path("anim/walk.tod"))
    expect(tap, program.run("check", "--expect", lock, "--tolerance", "1e9", folder), 1,
           "two frames more", "frames is 5 frames, expected 3 frames", said=["RUN0014"])


def animations_come_and_go(tap, program, work):
    folder, lock = make(program, work)
    program.run("check", "--write-expect", lock, folder)
    os.rename(work.path("anim/walk.tod"), work.path("anim/run.tod"))
    expect(tap, program.run("check", "--expect", lock, folder), 1, "a renamed file",
           "walk.tod: not there", said=["RUN0015", "RUN0016"])
    expect(tap, program.run("check", "--expect", lock, work.path("anim/deep")), 0,
           "what was not asked for is not missed")
    write(work.path("anim/walk.tod"), b"gone")
    expect(tap, program.run("check", "--expect", lock, folder), 1, "a broken file",
           said=["RUN0005", "RUN0015", "RUN0016"])
    os.remove(work.path("anim/walk.tod"))
    os.rename(work.path("anim/run.tod"), work.path("anim/walk.tod"))
    expect(tap, program.run("check", "--expect", lock, "--profile", "1.30", folder), 0,
           "another profile", "is tod-player 1.30", said=["RUN0017"])


# ---- locks that are none ----

def frame_numbers_are_motion(tap, program, work):
    """The same poses at another time."""
    folder, lock = make(program, work)
    walk = "tod resolution=4\nframe %d\ncreate 1\nattr 1 0x80000000 0\nparent 1 world\nmodel 1 1\n" \
           "coord 1 abs r 0 0 0 s 4096 4096 4096 t 1 0 0\nframe %d\ncoord 1 diff r 0 3600 0\n"
    program.forge("tod", walk % (0, 5), work.path("anim/walk.tod"))
    program.run("check", "--write-expect", lock, folder)
    program.forge("tod", walk % (0, 7), work.path("anim/walk.tod"))
    for tolerance in ("0", "1000000"):
        expect(tap, program.run("check", "--expect", lock, "--tolerance", tolerance, folder), 1,
               "another frame number, tolerance " + tolerance,
               "frame number is 7, expected 5 (frame 1, the only difference, 2 apart)",
               said=["RUN0014"])


def links_are_not_the_file(tap, program, work):
    """A walk follows no link: what the lock has in its place was not looked at."""
    folder, lock = make(program, work)
    program.run("check", "--write-expect", lock, folder)
    os.rename(work.path("anim/walk.tod"), work.path("walk.tod"))
    os.symlink("../walk.tod", work.path("anim/walk.tod"))
    for jobs in ("1", "8"):
        expect(tap, program.run("check", "--expect", lock, "-j", jobs, folder), 1,
               "a link in its place, -j " + jobs, "file is a symbolic link, expected the animation",
               said=["RUN0015"])
    expect(tap, program.run("check", "--expect", lock, folder, work.path("anim/walk.tod")), 0,
           "one that is named is looked at")
    os.unlink(work.path("anim/walk.tod"))
    os.mkdir(work.path("anim/walk.tod"))
    expect(tap, program.run("check", "--expect", lock, folder), 1, "a folder in its place",
           "file is no regular file", said=["RUN0015"])
    os.rmdir(work.path("anim/walk.tod"))
    os.rename(work.path("walk.tod"), work.path("anim/walk.tod"))
    os.rename(work.path("anim/deep"), work.path("deep"))
    os.symlink("../deep", work.path("anim/deep"))
    expect(tap, program.run("check", "--expect", lock, folder), 1, "a link in place of its folder",
           "file is behind a symbolic link", said=["RUN0015"])
    os.unlink(work.path("anim/deep"))
    only = program.run("check", "--expect", lock, folder)
    expect(tap, only, 1, "a missing file alone makes the check fail", "deep/wave.tra: not there",
           said=["RUN0015"])


def odd_names(tap, program, work):
    """What would end a word of a lock is written as two digits, which are read in either case."""
    folder, lock = make(program, work)
    for name in ("50%.tod", "del\x7f.tod", "%zz.tod", "%a", "two\nlines.tod"):
        os.link(work.path("anim/walk.tod"), work.path("anim", name))
    expect(tap, program.run("check", "--write-expect", lock, folder), 0, "odd names are written")
    good = read(lock)
    for name in (b"50%25.tod", b"del%7F.tod", b"%25zz.tod", b"%25a", b"two%0Alines.tod"):
        tap.ok(b"\nasset " + name + b"\n" in good, "%r stands there" % name)
    write(lock, good.replace(b"%7F", b"%7f").replace(b"%0A", b"%0a").replace(b"%25zz", b"%zz"))
    expect(tap, program.run("check", "--expect", lock, folder), 0, "and they are found")


def locks_lie_elsewhere(tap, program, work):
    """Paths of a lock lead from its folder, also upwards; and not further than there is."""
    folder, _ = make(program, work)
    lock = work.path("anim/deep/er/poses.lock")
    os.mkdir(work.path("anim/deep/er"))
    program.run("check", "--write-expect", lock, folder)
    tap.ok(b"\nasset ../../walk.tod\n" in read(lock) and b"\nasset ../wave.tra\n" in read(lock),
           "files above the lock", read(lock)[:300])
    os.remove(work.path("anim/walk.tod"))
    for path in (folder, folder + "/walk.tod", "anim"):
        result = program.run("check", "--expect", lock, path, work.path("none/x"), cwd=work.name)
        tap.ok(result.code == 3 and "walk.tod: not there" in result.text, "are missed, %s" % path,
               result)
    good = read(lock)
    write(lock, good.replace(b"asset ../../walk.tod", b"asset " + b"../" * 60 + b"walk.tod"))
    expect(tap, program.run("check", "--expect", lock, folder), 0,
           "nothing lies above the root")


def a_file_stands_in_place_of_a_folder(tap, program, work):
    folder, lock = make(program, work)
    program.run("check", "--write-expect", lock, folder)
    os.remove(work.path("anim/deep/wave.tra"))
    os.rmdir(work.path("anim/deep"))
    write(work.path("anim/deep"), b"no folder")
    expect(tap, program.run("check", "--expect", lock, folder), 1, "a file in place of a folder",
           "deep/wave.tra: not there", said=["RUN0015"])
    result = program.run("check", "--write-expect", lock, work.path("anim/walk.tod"))
    expect(tap, result, 0, "what cannot be there is not kept", "kept those of 2")
    tap.ok(b"wave.tra" not in read(lock), "and is gone from the lock")


def another_format(tap, program, work):
    folder, lock = make(program, work)
    program.run("check", "--write-expect", lock, folder)
    write(work.path("anim/walk.tod"), read(work.path("anim/go.hmd")))
    result = program.run("check", "--expect", lock, folder)
    tap.ok(result.code == 1 and codes(result), "a model in place of an animation", result)


def damaged_locks(tap, program, work):
    folder, lock = make(program, work)
    program.run("check", "--write-expect", lock, folder)
    good = read(lock)
    program.forge("tod", small_tod(seed=2), work.path("anim/walk.tod"))
    lines = good.split(b"\n")
    start = lines.index(b"asset walk.tod")
    long = b"end %d" % (2**63 // 10 * 10)
    broken = {
        "no lock": b"hello\n",
        "binary": bytes(range(256)) * 8,
        "empty": b"",
        "another version": good.replace(b"poses 1", b"poses 2"),
        "cut in a line": good[:-9],
        "cut between lines": b"\n".join(lines[:start + 6]) + b"\n",
        "a line that never ends": good + b"asset " + b"a" * 100000,
        "a column of no type": good.replace(b"slot:name", b"slot:nome"),
        "a value too few": re.sub(rb"^(object .*) \S+$", rb"\1", good, flags=re.M),
        "a word for a number": re.sub(rb"^object 0 ", b"object x ", good, flags=re.M),
        "an unknown table": re.sub(rb"^object ", b"objekt ", good, flags=re.M),
        "another number of frames": good.replace(b"end 3\n", b"end 4\n"),
        "a hash of another length": re.sub(rb"^hash .*$", b"hash 12", good, flags=re.M),
        "a hash with a letter that is none": re.sub(rb"^(hash .*).$", rb"\1g", good, flags=re.M),
        "a hash with a sign": re.sub(rb"^hash .", b"hash -", good, flags=re.M),
        "no hash": re.sub(rb"^hash ", b"hush ", good, flags=re.M),
        "hash and nothing": re.sub(rb"^hash .*$", b"hash", good, flags=re.M),
        "no format": good.replace(b"\nformat ", b"\nform "),
        "a format that is too long": re.sub(rb"^format .*$", b"format " + b"f" * 200, good,
                                            flags=re.M),
        "no evaluator": good.replace(b"\nevaluator ", b"\n"),
        "an evaluator that is too long": re.sub(rb"^evaluator .*$", b"evaluator " + b"e" * 500,
                                                good, flags=re.M),
        "cut behind an asset": b"\n".join(lines[:start + 1]) + b"\n",
        "cut behind its format": b"\n".join(lines[:start + 2]) + b"\n",
        "cut behind its evaluator": b"\n".join(lines[:start + 3]) + b"\n",
        "a number past all": re.sub(rb"^object 0 ", b"object 99999999999999999999 ", good,
                                    flags=re.M),
        "an end past all": re.sub(rb"^end .*$", long, good, flags=re.M),
        "a number with a sign within": re.sub(rb"^object 0 ", b"object 0- ", good, flags=re.M),
        "a motion that is long, with frames": re.sub(rb"^table .*\n", b"", re.sub(
            rb"^(?:object|control|coordinate|sequence|camera|bone) .*\n", b"", re.sub(
                rb"^end .*$", b"end long", good, flags=re.M), flags=re.M), flags=re.M),
        "bits that are too few": re.sub(rb" (x?[-.0-9a-f]+)$", b" x3ff", good, flags=re.M),
        "bits that are none": re.sub(rb" (x?[-.0-9a-f]+)$", b" x3ff000000000000g", good,
                                     flags=re.M),
        "a row of nothing": re.sub(rb"^object .*$", b" ", good, count=1, flags=re.M),
        "a value too many": re.sub(rb"^(object .*)$", rb"\1 1", good, flags=re.M),
        "a frame that is no number": re.sub(rb"^frame .*$", b"frame x", good, flags=re.M),
        "a frame below 0": re.sub(rb"^frame .*$", b"frame -1", good, flags=re.M),
        "a frame past all": re.sub(rb"^frame .*$", b"frame 4294967296", good, flags=re.M),
        "no frame": re.sub(rb"^frame .*\n", b"", good, flags=re.M),
        "an end that is no number": re.sub(rb"^end .*$", b"end x", good, flags=re.M),
        "an end below 0": re.sub(rb"^end .*$", b"end -1", good, flags=re.M),
        "a motion that is too long, and there": re.sub(rb"^end .*$", b"end long", good,
                                                       flags=re.M),
        "a table without columns": re.sub(rb"^(table \S+) .*$", rb"\1", good, flags=re.M),
        "a table without a name": re.sub(rb"^table .*$", b"table  ", good, flags=re.M),
        "a table whose name is too long": re.sub(rb"^table \S+", b"table " + b"t" * 200, good,
                                                 flags=re.M),
        "a column without a type": good.replace(b"slot:name", b"slot"),
        "a column whose name is too long": good.replace(b"slot:name", b"s" * 200 + b":name"),
        "a real number for a name": good.replace(b"slot:name", b"slot:real"),
        "more columns than a table has": re.sub(rb"^(table .*)$", rb"\1" + b" c:int" * 100, good,
                                                flags=re.M),
        "more tables than a motion has": re.sub(rb"^(table .*)$",
                                                rb"\1" + b"\ntable t c:int" * 99, good,
                                                flags=re.M),
    }
    for name, text in broken.items():
        write(lock, text)
        expect(tap, program.run("check", "--expect", lock, folder), 2, name, "poses.lock:",
               "--write-expect")
    first, line = good.find(b"asset "), good.count(b"\n") + 1
    write(lock, good + good[first:good.find(b"asset ", first + 1)])
    expect(tap, program.run("check", "--expect", lock, folder), 2, "an asset twice",
           "poses.lock:%d: an asset that stands there twice" % line)
    write(lock, good)
    expect(tap, program.run("check", "--expect", lock, folder), 1, "the sound one still tells",
           said=["RUN0014"])


def odd_uses(tap, program, work):
    folder, lock = make(program, work)
    tra = work.path("anim/deep/wave.tra")
    expect(tap, program.run("check", "--write-expect", tra, folder), 2,
           "nothing but a lock is written over", "no pose lock")
    expect(tap, program.run("check", "--expect", work.path("none"), folder), 3, "no such lock",
           "No such file")
    expect(tap, program.run("check", "--write-expect", work.path("no/such"), folder), 3,
           "no such folder", "No such file")
    expect(tap, program.run("check", "--expect", lock, "--no-replay", folder), 2, "--no-replay",
           "needs the replay")
    expect(tap, program.run("check", "--tolerance", "1", folder), 2, "a tolerance of nothing",
           "--tolerance needs --expect")
    for value in ("-1", "nan", "inf", "x", "", "0x1", "1e999"):
        expect(tap, program.run("check", "--tolerance", value, folder), 2,
               "--tolerance %r" % value, "number from 0 on")
    expect(tap, program.run("check", "--write-expect", lock, "-", data=read(tra)), 2,
           "standard input", "has no place")
    tap.ok(not os.path.exists(lock), "and leaves no lock behind")


def main():
    tap, program = Tap(), Program(sys.argv)
    parts = (a_lock_holds_what_it_was_written_of, rewritten_without_a_change_of_motion,
             the_first_and_the_largest_difference_are_named, names_are_never_near, a_lock_is_written_for_a_part,
             reals_differ_to_the_bit, other_lengths, animations_come_and_go,
             frame_numbers_are_motion, links_are_not_the_file, odd_names, locks_lie_elsewhere,
             a_file_stands_in_place_of_a_folder, another_format, damaged_locks, odd_uses)
    for part in parts:
        with Workspace() as work:
            part(tap, program, work)
    program.tell_unsound(tap)
    tap.done()


main()
