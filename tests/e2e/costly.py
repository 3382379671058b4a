"""Bytes made to cost much hide nothing: sound files that lie behind them are found.

The same makers as tests/bench/table.py measures, at a size that fits into a test run, and every image
with each number of jobs. Nothing here depends on time.
"""
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))

import hostile  # noqa: E402
from harness import (Program, Tap, Workspace, corpus_path, dump, need_real_files, read,  # noqa: E402
                     small_tod, square_model)

LENGTH = 1 << 20
# How a model lies behind a row: so many bytes behind it, so many before the end. With sanitizers, which
# take several times as long and run this where it is named, one of these ways.
WAYS = [(65536, 0)] if os.environ.get("FRAMEHOUND_SANITIZED") else [
    (0, 0), (4096, 1 << 20), (65536, 0)]
JOBS = ("1", "8") if os.environ.get("FRAMEHOUND_SANITIZED") else ("1", "2", "8")
GIVEN_UP = "SELECT code FROM finding WHERE code IN ('RUN0002', 'RUN0010') ORDER BY id"


def sound_files(program):
    kinds = (("tod", small_tod(40)), ("hmd", read(corpus_path("hmd", "good-animation.forge")).decode()),
             ("tra", read(corpus_path("tra", "good-sample1.forge")).decode()),
             ("camerawork", read(corpus_path("camerawork", "good-line.forge")).decode()))
    return [(kind, hostile.forged(program.forge_path, kind, text)) for kind, text in kinds]


def behind(data, files):
    """The bytes with the files behind them, and where those are."""
    out, places = bytearray(data), set()
    for kind, file in files:
        out += bytes(-len(out) % 4 + 4096)
        places.add((kind, len(out)))
        out += file
    return bytes(out) + bytes(4096), places


def scan(program, work, *args):
    db = work.path("one.db")
    if os.path.exists(db):
        os.unlink(db)
    result = program.run("scan", "-o", db, *args)
    with sqlite3.connect(db) as base:
        found = set(base.execute("SELECT format, raw_offset FROM asset"))
        given_up = base.execute(GIVEN_UP).fetchall()
    return result, found, given_up


def hides_nothing(tap, program, work):
    files = sound_files(program)
    for name, make in hostile.MAKERS.items():
        if name in hostile.IMAGES:
            continue
        length = LENGTH // 16 if name in hostile.SOUND else LENGTH
        data, places = behind(make(length, program.forge_path), files)
        path = work.write("hostile.bin", data)
        result, found, given_up = scan(program, work, "--no-replay", path)
        tap.ok(result.code in (0, 4) and places <= found, name + " hides nothing", result, places - found)
        if name in hostile.GREEDY:
            tap.ok(result.code == 4 and ("RUN0010",) in given_up, "and what is given up in it is told", result)
        else:
            tap.equal(given_up, [], "and nothing is given up in it")
        if name not in hostile.SOUND + hostile.SOME:
            tap.equal(found - places, set(), "nor is anything else in it")


def interleaved_hides_nothing(tap, program, work):
    """In sectors of two channels, which are searched as they lie and by channels: of both channels together,
    and of one, of which the other one has nothing."""
    files = sound_files(program)
    for name in ("tod_headers", "hmd_shared", "tra_heads", "cam_flags"):
        data, places = behind(hostile.MAKERS[name](LENGTH, program.forge_path), files)
        path = work.write("both.bin", hostile.interleaved(data))
        result, found, _ = scan(program, work, "--no-replay", path)
        wanted = {(kind, hostile.interleaved_place(at)) for kind, at in places}
        tap.ok(wanted <= found, name + " in sectors of two channels hides nothing", result, wanted - found)
        step = hostile.DATA_LEN
        apart = b"".join(data[i:i + step].ljust(step, b"\0") + bytes(step) for i in range(0, len(data), step))
        path = work.write("one.bin", hostile.interleaved(apart))
        result, found, _ = scan(program, work, "--no-replay", path)
        wanted = {(kind, hostile.interleaved_place(at // step * 2 * step + at % step)) for kind, at in places}
        tap.ok(wanted <= found, name + " in the sectors of one channel hides nothing", result, wanted - found)


def lying_behind(data, gap, files, end):
    """The bytes, directly or so far behind them the files, and where those are."""
    out, places = bytearray(data), set()
    for file in files:
        out += bytes(gap)
        places.add(("hmd", len(out)))
        out += file
    return bytes(out) + bytes(end), places


def models_behind(tap, program, work, what, models):
    """Each alone, at the end of the source and in front of zeros, and all of them in a row."""
    row = hostile.hmd_shared(2 << 20, None)
    cases = [(gap, [model], end) for model in models for gap, end in WAYS]
    for gap, files, end in cases + [(0, models, 0), (0, models, 1 << 20)]:
        data, places = lying_behind(row, gap, files, end)
        result, found, given_up = scan(program, work, "-j", "1", "--no-replay", work.write("row.bin", data))
        tap.ok(result.code == 4 and ("RUN0010",) in given_up and places == found,
               "%s of %d bytes, %d behind a row and %d before the end, are found" % (
                   what, sum(map(len, files)), gap, end), result, places ^ found)


def rows_hide_nothing(tap, program, work):
    """Models that cost more than the bytes in front of them pay."""
    models_behind(tap, program, work, "forged models", [square_model(num) for num in (40, 300, 340)])
    shared = need_real_files(tap, "real models behind a row")
    if shared is not None:
        names = ("basic_dino.hmd", "mime_trirpy.hmd", "envmap_venus26.hmd", "tuto_pyramid_pyramid.hmd")
        paths = [os.path.join(shared, "samples", "hmd", name) for name in names]
        models_behind(tap, program, work, "real models", [read(path) for path in paths])


def rows_between(tap, program, work):
    """A row in front of each of several models: what one costs is not what hides the next. Every number of
    jobs finds the same."""
    models = [square_model(num) for num in (300, 40, 200, 300, 340)]
    data, places = b"", set()
    for model in models:
        data, new = lying_behind(data + hostile.hmd_shared(1 << 20, None), 0, [model], 0)
        places |= new
    path = work.write("rows.bin", data)
    bases = []
    for jobs in JOBS:
        result, found, given_up = scan(program, work, "-j", jobs, path)
        tap.ok(result.code == 4 and ("RUN0010",) in given_up and places == found,
               "-j %s finds the models between rows" % jobs, result, places ^ found)
        bases.append(dump(work.path("one.db")))
    tap.ok(all(base == bases[0] for base in bases), "every number of jobs records the same of rows")


def long_texts(tap, program, work):
    """Texts nearly as long as an asset may be: what they cost is paid before any byte behind them came."""
    rolls = "".join('bone "b%d"\nroll 0 0.0 4 170.0\n' % i for i in range(10500))
    for kind, text in (("camerawork", "camerawork form=e3 eol=crlf\nline 25000 25 -50 3 20 50 3 20\n"),
                       ("tra", "tra\nmagic\nhead\nfigure 4\n" + rolls)):
        file = hostile.forged(program.forge_path, kind, text)
        path = work.write("long.bin", b"xxx\n" + file + b"\xcc" * 4096)
        result, found, given_up = scan(program, work, "--no-replay", path)
        tap.ok(len(file) > 7 << 20 and found == {(kind, 4)}, "%s of %d bytes is found" % (kind, len(file)), result)
        tap.equal(given_up, [], "and nothing is given up")


def same_for_all_jobs(tap, program, work):
    """An image of several chunks, whose hash is made beside the search where there are more jobs."""
    files = sound_files(program)
    data, places = behind(hostile.tod_packets(LENGTH, None), files)
    path = work.write("chunks.bin", data * 5)
    bases = {}
    for jobs in ("1", "2", "3", "8"):
        result, found, _ = scan(program, work, "-j", jobs, path)
        tap.ok(result.code == 0 and places <= found, "-j %s finds all in five chunks" % jobs, result)
        bases[jobs] = dump(work.path("one.db"))
    tap.ok(all(base == bases["1"] for base in bases.values()), "every number of jobs records the same")
    result, _, _ = scan(program, work, "--no-hash", "-j", "2", path)
    bare = dump(work.path("one.db"))
    tap.equal([row["sha256"] for row in bare["source"]], [None], "--no-hash leaves out the hash of the source")
    for row in bare["source"] + bases["1"]["source"]:
        row["sha256"] = None
    tap.ok(bare == bases["1"], "and nothing else")


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        hides_nothing(tap, program, work)
        interleaved_hides_nothing(tap, program, work)
        rows_hide_nothing(tap, program, work)
        rows_between(tap, program, work)
        long_texts(tap, program, work)
        same_for_all_jobs(tap, program, work)
    tap.done()


main()
