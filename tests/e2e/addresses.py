"""Addresses of a disc image in all their spellings: what is none, what leads nowhere, and that every
name of a place leads to the same place.
"""
import json
import sys

from harness import Program, Tap, Workspace, read, small_tod

NO_ADDRESS = (
    "", "raw", "raw:", "raw:x", "raw:0x", "raw:1+", "raw:1+2", "raw:-1", "raw:99999999999999999999",
    "user:", "ram:", "foo:1", "lba:", "lba:x", "lba:1+", "lba:1+x", "lba:1-", "msf:", "msf:1",
    "msf:1:2", "msf:1:2:", "msf:0:2:21", "msf:1:2:3+", "msf:00:02:99", "msf:00:61:00", "msf:x:02:00", "iso:",
    "iso:A.TOD", "iso:A.TOD+")
NOWHERE = (
    "raw:999999999", "user:99999999", "lba:999999", "lba:16+2048", "msf:00:00:00", "msf:99:59:74",
    "iso:/NONE", "iso:/a.tod", "iso:/A.TOD+x", "iso:/A.TOD+99999", "ram:0x80000000",
    "iso:/" + "A" * 5000)
SPELLINGS = (("raw:16", "raw:0x10", "raw:0X10"), ("lba:21+4", "iso:/A.TOD+4", "iso:/A.TOD;1+4"),
             ("lba:21", "msf:00:02:21", "msf:00:02:21+0", "iso:/A.TOD"), ("lba:16", "lba:0x10+0x0"))
FIELDS = {"sync": 0, "header": 12, "user data": 24}  # of a sector with all of it, and where they begin


def place(program, path, address):
    result = program.run("where", "-Fjson", path, address)
    return (json.loads(result.out) if result.code == 0 else None), result


def names_of(told):
    """The addresses that an answer gives."""
    yield "raw:%d" % told["raw_offset"]
    if told["user_offset"] is not None:
        yield "user:%d" % told["user_offset"]
    if told["lba"] is not None and told["sector_offset"] is not None:
        yield "lba:%d+%d" % (told["lba"], told["sector_offset"])
        yield "msf:%s+%d" % (told["msf"], told["sector_offset"])
    if told["iso_path"] is not None:
        yield "iso:%s+%d" % (told["iso_path"], told["iso_offset"])


def spellings(tap, program, path):
    for word in NO_ADDRESS:
        result = program.run("where", path, word)
        tap.ok(result.code == 2 and b"is no address" in result.err and not result.out,
               "no address: %r" % word, result)
    for word in NOWHERE:
        result = program.run("where", path, word)
        tap.ok(result.code == 1 and b"has no place" in result.err and not result.out,
               "no place: %r" % word[:40], result)
    for words in SPELLINGS:
        told = [place(program, path, word)[0] for word in words]
        tap.ok(told[0] is not None and all(one == told[0] for one in told), "one place: %s" % (words,),
               *told)


def every_name(tap, program, path, stride, size):
    """Each name of a place leads to it; text names it as well."""
    wrong = []
    for raw in range(0, size, 4 * stride // 3):
        told, result = place(program, path, "raw:%d" % raw)
        if told is None or told["raw_offset"] != raw:
            wrong.append("raw:%d: %s" % (raw, result))
            continue
        wrong += ["%s of raw:%d" % (name, raw) for name in names_of(told)
                  if place(program, path, name)[0] != told]
        text = program.run("where", path, "raw:%d" % raw)
        if text.code != 0 or (told["iso_path"] or "") not in text.text:
            wrong.append("raw:%d as text: %s" % (raw, text))
    tap.ok(not wrong, "%d bytes a sector: every name of a place leads there" % stride, *wrong[:6])


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        program.forge("tod", small_tod(3, 1), work.path("good.tod"))
        for stride in (2048, 2336, 2352, 2448):
            path = work.path("disc%d.bin" % stride)
            program.forge("image", "image stride=%d\niso DISC\nfile A.TOD < good.tod\n" % stride, path,
                          root=work.name)
            every_name(tap, program, path, stride, len(read(path)))
        path = work.path("disc2352.bin")
        spellings(tap, program, path)
        for field, offset in FIELDS.items():
            told, result = place(program, path, "raw:%d" % (21 * 2352 + offset))
            tap.equal(told and told["field"], field, "a byte of the " + field, result)
        tap.equal(place(program, work.path("good.tod"), "raw:8")[0]["lba"], None, "a file has no sectors")
        for word in ("lba:0", "iso:/A", "user:999999", "ram:0"):
            result = program.run("where", work.path("good.tod"), word)
            tap.ok(result.code == 1 and b"has no place" in result.err, "of a file: " + word, result)
        result = program.run("where", work.path("none"), "raw:0")
        tap.ok(result.code == 3 and b"none" in result.err, "no file", result)
    tap.done()


if __name__ == "__main__":
    main()
