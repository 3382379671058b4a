#!/usr/bin/env python3
"""What the library tells: the same in threads as alone, of bytes as of a file, and as the program.

Usage: told.py FRAMEHOUND FORGE LIBRARY_TOLD. Speaks TAP. Standard library only. The third program
prints what the library tells (told.c); it may be one that was built with -fsanitize=thread.
"""
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

FRAMEHOUND, FORGE, TOLD = (os.path.abspath(path) for path in sys.argv[1:4])
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "packaging"))

import tap  # noqa: E402
from tap import equal, nothing, output, test  # noqa: E402

WRAPPER = shlex.split(os.environ.get("FRAMEHOUND_WRAPPER", ""))
WORK = tempfile.TemporaryDirectory()
EACH = 29  # of so many descriptions of the corpus one is taken
WORLD = 2  # FRAMEHOUND_WORLD
THREADS = 4


def path_of(name):
    return os.path.join(WORK.name, name)


def language(description):
    with open(description, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if words:
                return words[0]
    return ""


def forge_files():
    """Some of each format, a disc with three of them, and an archive of a part of all."""
    made = []
    for kind in ("tod", "hmd", "tra", "camerawork"):
        folder = os.path.join(ROOT, "corpus", kind)
        names = sorted(name for name in os.listdir(folder) if name.endswith(".forge"))
        good = [name for name in names if name.startswith("good-")]
        for name in sorted({*names[::EACH], *good[:3]}):
            description = os.path.join(folder, name)
            if language(description) == kind:
                extension = "cam" if kind == "camerawork" else kind
                out = path_of(f"{name[:-len('.forge')]}.{extension}")
                output(FORGE, kind, description, "-o", out)
                made.append(out)
    disc = os.path.join(ROOT, "docs", "demo", "disc.forge")
    for kind, name, out in (("tod", "corpus/tod/good-walk", "walk.tod"),
                            ("hmd", "corpus/hmd/good-animation", "dance.hmd"),
                            ("tod", "docs/demo/turn", "turn.tod")):
        output(FORGE, kind, os.path.join(ROOT, name + ".forge"), "-o", path_of(out))
    output(FORGE, "image", disc, "--root", WORK.name, "-o", path_of("disc.bin"))
    with zipfile.ZipFile(path_of("all.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name in [path_of("disc.bin")] + made[::7]:
            archive.write(name, os.path.basename(name))
    with open(path_of("nothing.tod"), "wb"):
        pass
    return made + [path_of(name) for name in ("disc.bin", "all.zip", "nothing.tod")]


FILES = forge_files()


def told(*arguments):
    return output(*WRAPPER, TOLD, *map(str, arguments))


def parts(text):
    """The lines of each file, by its path."""
    found = {}
    for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        path, _, lines = part.partition("\n")
        found[path] = lines.splitlines()
    return found


def lines_of(lines, kind):
    return [line[len(kind) + 1:] for line in lines if line.startswith(kind + " ")]


def hexadecimal(value):
    return "-" if value is None else value.hex() if isinstance(value, bytes) else value


def number(text):
    return None if text == str(-2**63) else int(text)


@test
def threads_are_told_the_same():
    for how in ("check-bytes", "scan-file"):
        equal(told("-t", THREADS, "-f", WORLD, how, *FILES),
              f"{THREADS} threads, {len(FILES)} files, 0 told otherwise\n", how)


@test
def bytes_are_told_as_their_file():
    for how in ("check", "scan"):
        of_file = parts(told(how + "-file", *FILES))
        of_bytes = parts(told(how + "-bytes", *FILES))
        equal(sorted(of_file), sorted(FILES), "files")
        nothing([f"{how} {path}: {lines}\nof bytes: {of_bytes[path]}"
                 for path, lines in of_file.items() if lines != of_bytes[path]], "differences")


@test
def a_check_tells_what_the_program_tells():
    pattern = re.compile(r"^  (\w+) ([A-Z]+\d{4})(?: at 0x([0-9a-f]+)(?:, line \d+, column \d+)?)?: (.*)$", re.MULTILINE)
    wrong = []
    for path, lines in parts(told("check-file", *FILES)).items():
        done = subprocess.run([*WRAPPER, FRAMEHOUND, "check", path], capture_output=True, text=True,
                              check=False)
        printed = [(severity, code, "" if at == "" else str(int(at, 16)), message)
                   for severity, code, at, message in pattern.findall(done.stdout)]
        heard = []
        for line in lines_of(lines, "finding"):
            _, code, severity, _, at, message = line.split(" ", 5)
            heard.append((severity, code, "" if number(at) is None else at,
                          message.replace("\\", "\\\\")))  # as the program escapes it
        if sorted(printed) != sorted(heard):
            wrong.append(f"{path}: {heard}\nprinted: {printed}")
    nothing(wrong, "differences")


@test
def a_scan_tells_what_the_program_records():
    database = path_of("scan.db")
    subprocess.run([*WRAPPER, FRAMEHOUND, "scan", "-o", database, *FILES],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    lines = [line for part in parts(told("scan-file", *FILES)).values() for line in part]
    db = sqlite3.connect(database)
    assets = [" ".join(map(str, row[:-2])) + " " + " ".join(map(hexadecimal, row[-2:]))
              for row in db.execute("SELECT format, grade, raw_offset, user_offset, length,"
                                    " ifnull(frames, -9223372036854775808), objects,"
                                    " sha256, pose_sha256 FROM asset")]
    heard = []
    for line in lines_of(lines, "asset"):
        words = line.split(" ")
        heard.append(" ".join(words[1:8] + words[10:12]))
    equal(len(heard) > 50, True, "number of assets")
    equal(sorted(heard), sorted(assets), "assets")
    equal(sorted(line.split(" ", 1)[1] for line in lines_of(lines, "finding")),
          sorted(" ".join(map(str, row)) for row in db.execute(
              "SELECT code, severity, ifnull(raw_offset, -9223372036854775808),"
              " ifnull(asset_offset, -9223372036854775808), message FROM finding")), "findings")
    equal(sorted(" ".join(line.split(" ")[:6]) for line in lines_of(lines, "source")),
          sorted(" ".join(map(str, row[:-1])) + " " + hexadecimal(row[-1]) for row in db.execute(
              "SELECT path, kind, layout, status, size, sha256 FROM source")), "sources")


@test
def poses_are_those_of_the_program():
    path = path_of("walk.tod")
    rows = output(*WRAPPER, FRAMEHOUND, "replay", "--format", "csv", path).splitlines()
    poses = lines_of(parts(told("check-file", path))[path], "poses")
    equal([line.split()[0] for line in poses],
          [str(len([row for row in rows if not row.startswith("table,")]))], "rows")


@test
def a_companion_is_asked_for():
    animation = ("tra\nmagic\nhead\nfigure 3\nbone hip\ntranslate.x 0 0 2 4\ntranslate.y 0 0 2 0\n"
                 "translate.z 0 0 2 0\nbone leg\nroll 0 0 2 90\n")
    model = "bac\nmagic\nhead\nfigure\nbone hip 0\nbone leg 1 0 10 0 0 10 1 1 10 0\n"
    for name, text in (("a.tra", animation), ("fits.model", model),
                       ("other.model", model.replace("leg", "Leg"))):
        with open(path_of("text.forge"), "w", encoding="ascii") as file:
            file.write(text)
        output(FORGE, text[:3], path_of("text.forge"), "-o", path_of(name))
    path = path_of("a.tra")
    alone = parts(told("-f", WORLD, "check-file", path))[path]
    fits = parts(told("-f", WORLD, "-c", path_of("fits.model"), "check-file", path))[path]
    other = parts(told("-c", path_of("other.model"), "check-file", path))[path]
    equal([len(lines_of(lines, "finding")) for lines in (alone, fits)], [0, 0], "findings")
    equal([line.split()[1] for line in lines_of(other, "finding")], ["TRA0121"], "codes")
    rows = [int(lines_of(lines, "poses")[0].split()[0]) for lines in (alone, fits)]
    equal(rows[1], 2 * rows[0], "rows, with those in world space")


try:
    tap.main()
finally:
    WORK.cleanup()
