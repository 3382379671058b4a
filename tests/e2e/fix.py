#!/usr/bin/env python3
"""check --fix, check --diff and reduce: what is mended and what is not, what is written and what is
not, and the smallest file of a finding.

Usage: fix.py FRAMEHOUND FORGE. Speaks TAP.
"""
import collections
import json
import os
import random
import re
import shutil
import stat
import subprocess
import sys

from harness import NOBODY, SLOWER, Program, Tap, Workspace, corpus_path, other_user_problem, read

FORMATS = {"tod": "TOD", "hmd": "HMD", "tra": "TRA", "camerawork": "CAM"}
SEED = 20050404
FINDING = re.compile(r"^  (error|warning|note) ([A-Z]+\d{4})\b")
RANKS = {"note": 0, "warning": 1, "error": 2}


def description(kind, name):
    return read(corpus_path(kind, name + ".forge")).decode()


def build_all(program, folder, marked):
    """Every sound description of the corpus, and those that break a rule that is mended, as files of
    one folder a format, with their models beside them."""
    names = []
    for kind in FORMATS:
        os.makedirs(os.path.join(folder, kind))
        for name in sorted(os.listdir(corpus_path(kind))):
            if not name.endswith(".forge") or name.endswith(".bac.forge"):
                continue
            own = name[:-len(".forge")]
            if ".bad." in name and name[:7] not in marked:
                continue
            path = os.path.join(folder, kind, own + "." + kind)
            program.forge(kind, description(kind, own), path)
            names.append(path)
            model = re.search(r"^# bac: (.*)\.forge$", description(kind, own), re.MULTILINE)
            if model:
                program.forge("bac", description(kind, model[1]), path[:-len(kind)] + "bac")
    return names


def findings(text):
    """{path: [(severity, code), ...]} of what check printed."""
    found, path = {}, None
    for line in text.splitlines():
        match = FINDING.match(line)
        if match:
            found[path].append((match[1], match[2]))
        elif line and not line.startswith(" "):
            path = re.split(r": (?:tod|hmd|tra|camerawork|no animation|empty)\b", line)[0]
            found.setdefault(path, [])
    return found


def codes(found):
    return {code for _, code in found}


# ---- what is mended ----

def is_worse(before, after):
    """Rules broken afterwards that were not before, and are as bad as the worst that is broken less
    often."""
    old, new = collections.Counter(before), collections.Counter(after)
    worst = max((RANKS[severity] for severity, code in old - new), default=-1)
    return [code for severity, code in new
            if code not in codes(before) and RANKS[severity] >= worst]


def test_corpus(tap, program, work):
    table = json.loads(program.run("rules", "--format", "json").out)
    marked = {rule["code"] for rule in table if rule["fix"]}
    folder = work.folder("corpus")
    paths = build_all(program, folder, marked)
    old = {path: read(path) for path in paths}
    before = findings(program.run("check", folder).text)
    shown = program.run("check", "--diff", folder)
    tap.ok(shown.code == 1 and all(read(path) == old[path] for path in paths),
           "--diff ends with 1 and changes none of %d files" % len(paths), shown)
    fixed = program.run("check", "--fix", folder)
    after = findings(program.run("check", folder).text)
    mended = {}
    for path in paths:
        name = os.path.basename(path)
        for code in codes(before[path]) - codes(after[path]):
            if name.startswith(code) and ".bad." in name:
                mended[code] = name
    tap.equal(sorted(mended), sorted(marked), "of every rule that is marked a file is mended, and "
              "of no other")
    changed = [path for path in paths if read(path) != old[path]]
    tap.equal([path for path in changed if not codes(before[path]) & marked], [],
              "files without a finding that is mended stay as they are, byte for byte")
    tap.equal([(path, is_worse(before[path], after[path])) for path in changed
               if is_worse(before[path], after[path])], [], "nothing as bad is found afterwards")
    tap.equal(sorted(set(re.findall(r"^\+\+\+ (\S+)", shown.text, re.MULTILINE))), sorted(changed),
              "what --diff shows are the files that --fix changes")
    tap.equal(findings(fixed.text), after, "--fix judges what it wrote")
    again = program.run("check", "--diff", folder)
    tap.ok(again.code == 0 and again.out == b"", "afterwards there is nothing left to mend", again)
    left = [name for name in sum((files for _, _, files in os.walk(folder)), []) if "tmp" in name]
    tap.equal(left, [], "no temporary file is left")


def test_rules(tap, program):
    told = program.run("rules", "TOD0023").text
    tap.ok("check --fix mends this" in told, "rules CODE says what is mended", told)
    tap.ok("check --fix" not in program.run("rules", "TOD0004").text, "and is silent elsewhere")


def small(program, work, name, kind, text):
    return program.forge(kind, text, work.path(name + "." + kind))


TWO_LIGHTS = "light 0 abs rgb 1 2 3\nlight 1 abs rgb 4 5 6\n"


def test_second_readings(tap, program, work):
    """Damage that could be mended in two ways."""
    cases = {
        "count": "tod count=2 resolution=4\nframe 0\n" + TWO_LIGHTS,
        "last number": "tod resolution=4\nframe 0\n" + TWO_LIGHTS + "frame 1\nlight 0 abs rgb 0 0 0\n"
                       "frame 1\nlight 0 abs rgb 0 0 0\n",
        "mask or value": "tod resolution=4\nframe 0\ncreate 1\n"
                         "coord 1 abs r 0 0 0 s 4096 4096 4096 t 0 0 0\nattr 1 0xffffffff 0x40\n",
    }
    for name, text in cases.items():
        path = small(program, work, "two-ways", "tod", text)
        data = read(path)
        result = program.run("check", "--fix", path)
        tap.ok(read(path) == data and "0 files mended" in result.errors,
               "with two ways to mend it nothing is done: %s" % name, result)


def test_motion(tap, program, work):
    """A repair that gives motion back says so; the two files then move alike."""
    def text(announced):
        return ("tod count=%d resolution=4\nframe 0\ncreate 1\n"
                "coord 1 abs r 0 0 0 s 4096 4096 4096 t 0 0 0\nframe 1\ncoord 1 diff t 0 0 8\n"
                % announced)
    good = small(program, work, "whole", "tod", text(2))
    bad = small(program, work, "short", "tod", text(1))
    result = program.run("check", "--fix", bad)
    tap.ok(read(bad) == read(good) and "the motion is another one" in result.errors,
           "a number of frames that is too small is mended, and the motion told", result)


# ---- diffs ----

def test_binary_diff(tap, program, work):
    path = small(program, work, "size", "tod", description("tod", "TOD0022.bad"))
    result = program.run("check", "--diff", path)
    tap.equal(result.text, "--- %s\n+++ %s (mended)\n0x00000020  frame size  TOD0022\n"
              "  - 05\n  + 04\n".replace("05", "05 00").replace("04", "04 00") % (path, path),
              "binary data: offset, field, rule, bytes", result)
    tap.equal(result.code, 1, "exit code 1")
    both = program.run("check", "--fix", "--diff", path)
    tap.ok(both.out == result.out and both.code == 1, "--fix --diff writes nothing either", both)


TEXTS = [("camerawork", name) for name in ("CAM0009.bad", "CAM0011.bad", "CAM0012.bad", "CAM0014.bad",
                                           "CAM0015.bad", "CAM0025.bad", "CAM0026.bad",
                                           "CAM0008-typo.bad", "good-line")]
TEXTS += [("tra", name) for name in ("TRA0003.bad", "TRA0004.bad", "TRA0014.bad", "TRA0031.bad",
                                     "TRA0045.bad", "TRA0104.bad")]


def test_text_diffs(tap, program, work):
    """patch makes of the old file what --fix does."""
    if shutil.which("patch") is None:
        tap.skip("unified diffs", "patch is not installed")
        return
    wrong = []
    for kind, name in TEXTS:
        folder = work.folder("patch/" + name)
        own = "x." + kind
        path = program.forge(kind, description(kind, name), os.path.join(folder, own))
        diff = program.run("check", "--diff", own, cwd=folder)
        shutil.copy(path, path + ".fixed")
        program.run("check", "--fix", path + ".fixed")
        done = subprocess.run(["patch", "--binary", "-p0"], cwd=folder, input=diff.out,
                              capture_output=True, timeout=60, check=False)
        if diff.code != 1 or done.returncode != 0 or read(path) != read(path + ".fixed"):
            wrong.append((name, str(diff), done.stdout))
    tap.equal(wrong, [], "%d unified diffs are applied by patch" % len(TEXTS))


def test_standard_input(tap, program, work):
    path = small(program, work, "in", "tod", description("tod", "TOD0022.bad"))
    result = program.run("check", "--fix", "-", data=read(path))
    tap.equal(result.code, 2, "standard input is not mended")
    result = program.run("check", "--diff", "-", data=read(path))
    tap.ok(result.code == 1 and "frame size  TOD0022" in result.text, "but shown", result)


# ---- what is written ----

def test_files(tap, program, work):
    text = description("tod", "TOD0022.bad")
    path = small(program, work, "mode", "tod", text)
    damaged = read(path)
    os.chmod(path, 0o640)
    result = program.run("check", "--fix", path)
    tap.ok(result.code == 0 and stat.S_IMODE(os.stat(path).st_mode) == 0o640 and
           read(path) != damaged, "a mended file keeps its mode", result)

    work.write("target/real.tod", damaged)
    os.symlink("target/real.tod", work.path("link.tod"))
    result = program.run("check", "--fix", work.path("link.tod"))
    tap.ok(result.code == 3 and "symbolic link" in result.errors and
           read(work.path("target/real.tod")) == damaged, "no symbolic link is followed", result)
    folder = work.folder("outside")
    os.symlink(work.path("target"), os.path.join(folder, "way"))
    program.run("check", "--fix", folder)
    tap.ok(read(work.path("target/real.tod")) == damaged, "nor one to a directory")

    work.write("linked.tod", damaged)
    os.link(work.path("linked.tod"), work.path("other.bin"))
    result = program.run("check", "--fix", work.path("linked.tod"))
    tap.ok(result.code == 3 and "hard links" in result.errors and
           read(work.path("other.bin")) == damaged, "names are not parted", result)

    problem = other_user_problem(program)
    if problem:
        tap.skip("a directory that may not be written", problem)
        return
    work.write("closed/a.tod", damaged)
    result = program.run("check", "--fix", work.path("closed"), uid=NOBODY)
    tap.ok(result.code == 3 and "not mended" in result.errors and
           read(work.path("closed/a.tod")) == damaged and os.listdir(work.path("closed")) ==
           ["a.tod"], "a directory that may not be written ends with 3", result)


# ---- reduce ----

REDUCED = [("tod", "TOD0026.bad", "TOD0026"), ("tod", "TOD0092.bad", "TOD0092"),
           ("hmd", "HMD0121.bad", "HMD0121"), ("tra", "TRA0086.bad", "TRA0086"),
           ("camerawork", "CAM0034.bad", "CAM0034")]


def reduce(program, path, code, *more):
    return program.run("reduce", path, "--code", code, *more)


def test_reduce(tap, program, work):
    for kind, name, code in REDUCED:
        path = small(program, work, "big", kind, description(kind, name))
        out = work.path("small." + kind)
        result = reduce(program, path, code, "-o", out, "--force", "--max-steps", "3000")
        left = program.run("check", out)
        tap.ok(result.code in (0, 4) and code in left.text and
               os.path.getsize(out) < os.path.getsize(path),
               "%s: %d bytes become %d" % (code, os.path.getsize(path), os.path.getsize(out)),
               result, left)
    first = read(out)
    reduce(program, path, code, "-o", out, "--force", "--max-steps", "3000")
    tap.ok(read(out) == first, "twice the same")


def test_reduce_long(tap, program, work):
    """Of 300 frames the two remain that the finding is about."""
    text = "tod resolution=4\n" + "".join(
        "frame %d\n%s" % (i, TWO_LIGHTS) for i in range(150)) + "".join(
        "frame %d\n%s" % (i, TWO_LIGHTS) for i in range(100, 250))
    path = small(program, work, "long", "tod", text)
    result = reduce(program, path, "TOD0026")
    out = work.path("long.reduced.tod")
    tap.ok(result.code == 0 and os.path.getsize(out) <= 40, "a long file becomes two frames", result)
    tap.ok(re.search(r"TOD0026, 7208 -> \d+ bytes in \d+ steps", result.text), "sizes are told",
           result)
    again = reduce(program, path, "TOD0026")
    tap.equal(again.code, 0, "the same result may be there already")
    work.write("long.reduced.tod", b"mine")
    refused = reduce(program, path, "TOD0026")
    tap.ok(refused.code == 3 and read(out) == b"mine", "another file is not written over", refused)
    own = reduce(program, path, "TOD0026", "--force", "-o", path)
    tap.ok(own.code == 2 and "cannot be the file and the result" in own.errors,
           "a file is never its own result", own)
    forced = reduce(program, path, "TOD0026", "--force", "--max-steps", "3")
    tap.ok(forced.code == 4 and "--max-steps" in forced.errors and
           "TOD0026" in program.run("check", out).text,
           "--force does; a limit is told, and what was reached is written", forced)


def test_reduce_usage(tap, program, work):
    path = small(program, work, "usage", "tod", description("tod", "TOD0026.bad"))
    for args, code in ([(path, "--code", "TOD0021"), 2], [(path, "--code", "TOD9999"), 2],
                       [(path,), 2], [(), 2], [("-", "--code", "TOD0026"), 2],
                       [(path + "x", "--code", "TOD0026"), 3],
                       [(path, "--code", "TOD0026", "--max-steps", "many"), 2],
                       [(path, "--code", "TOD0026", "-o", work.path("no", "where")), 3]):
        result = program.run("reduce", *args)
        tap.equal(result.code, code, "reduce %s" % " ".join(os.path.basename(a) for a in args),
                  result)
    result = program.run("reduce", "-", "--code", "TOD0026", "-o", work.path("least.tod"),
                         data=read(path))
    tap.ok(result.code == 0 and "TOD0026" in program.run("check", work.path("least.tod")).text,
           "standard input is reduced", result)


# ---- hostile bytes ----

def mutated(source, data):
    data = bytearray(data)
    for _ in range(source.randint(1, 6)):
        at = source.randrange(len(data) + 1)
        how = source.randrange(4)
        if how == 0:
            data[at:at + 1] = bytes([source.randrange(256)])
        elif how == 1:
            data[at:at + 4] = source.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\r\n \t"])
        elif how == 2:
            del data[at:at + source.randint(1, 64)]
        else:
            data[at:at] = data[:source.randint(1, 64)]
    return bytes(data) or b"x"


def test_hostile(tap, program, work):
    source = random.Random(SEED)
    folder = work.folder("hostile")
    seeds = {kind: [] for kind in FORMATS}
    for kind, seed in seeds.items():
        for name in sorted(os.listdir(work.path("corpus", kind)))[::9]:
            if name.endswith("." + kind):
                seed.append(read(work.path("corpus", kind, name)) or b"x")
    for kind, seed in seeds.items():
        for i in range(120 // min(SLOWER, 4)):
            work.write("hostile/%d.%s" % (i, kind), mutated(source, source.choice(seed)))
    work.write("hostile/blank.cam", b"\r\n" * 100000)
    work.write("hostile/open.tra", b";TRA\n" + b"( Head " * 50000)
    work.write("hostile/zero.tod", b"\x50\0\0\0" + b"\0" * 100000)
    work.write("hostile/frames.tod", b"\x50\0\0\0\xff\xff\0\0" + b"\1\0\xff\xff\1\0\0\0" * 20000)
    shown = program.run("check", "--diff", folder)
    tap.ok(shown.code in (0, 1, 4), "--diff ends well on damaged files", shown.errors)
    before = findings(program.run("check", folder).text)
    program.run("check", "--fix", folder)
    after = findings(program.run("check", folder).text)
    tap.equal([path for path in before if is_worse(before[path], after.get(path, []))], [],
              "and --fix makes none of them worse")
    names = sorted(os.listdir(folder))
    for name in names[::len(names) // 8]:
        found = before[os.path.join(folder, name)]
        own = [code for _, code in found if code[:3] in FORMATS.values()]
        if own:
            reduce(program, os.path.join(folder, name), own[0], "-o", work.path("least"), "--force",
                   "--max-steps", "300")


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        test_rules(tap, program)
        test_corpus(tap, program, work)
        test_second_readings(tap, program, work)
        test_motion(tap, program, work)
        test_binary_diff(tap, program, work)
        test_text_diffs(tap, program, work)
        test_standard_input(tap, program, work)
        test_files(tap, program, work)
        test_reduce(tap, program, work)
        test_reduce_long(tap, program, work)
        test_reduce_usage(tap, program, work)
        test_hostile(tap, program, work)
    program.tell_unsound(tap)
    tap.done()


main()
