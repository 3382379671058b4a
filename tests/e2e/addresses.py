"""Addresses of a disc image in all their spellings: what is none, what leads nowhere, and that every
name of a place leads to the same place.
"""
import json
import os
import shutil
import struct
import subprocess
import sys

from harness import Program, Tap, Workspace, read, small_tod

NO_ADDRESS = (
    "", "raw", "raw:", "raw:x", "raw:0x", "raw:1+", "raw:1+2", "raw:-1", "raw:99999999999999999999",
    "user:", "ram:", "foo:1", "lba:", "lba:x", "lba:1+", "lba:1+x", "lba:1-", "lba:1+2x", "raw:1a",
    "msf:", "msf:1", "msf:1:2", "msf:1:2:", "msf:0:2:21", "msf:1:2:3+", "msf:00:02:99",
    "msf:00:61:00", "msf:00-02:00", "msf:x:02:00", "iso:",
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


# ---- sectors of all kinds ----

KINDS = ("image stride=2352 prefix=100\niso DISC\n"
         "file A.TOD < good.tod\nfile DIR/B.TOD < good.tod\n"
         "form2 2 file=1 channel=1 submode=0x28 fill=7\n"
         "form2 2 file=1 channel=2 submode=0x64 coding=1 fill=9\n"
         "mode0 2\nmissing 1\naudio 3 fill=5\ncut 500\n")
MODE1 = "image stride=2352 mode=1\niso DISC\nfile A.TOD < good.tod\n"
SHORT = "image stride=2336\niso DISC\nfile A.TOD < good.tod\n"
# Offset in its sector, kind, field, and whether it is a byte that user offsets count.
LOOKS = {
    "kinds": [
        (KINDS, 100, 2352),
        (16, 30, "Mode 2 Form 1", "user data", True), (16, 20, "Mode 2 Form 1", "subheader", False),
        (16, 2351, "Mode 2 Form 1", "EDC, ECC or subchannel", False),
        (25, 2300, "Mode 2 Form 2", "user data", True), (26, 30, "XA audio", "user data", False),
        (28, 30, "Mode 0", "content", False), (31, 30, "no sync", "content", False)],
    "mode1": [(MODE1, 0, 2352), (16, 16, "Mode 1", "user data", True),
              (16, 15, "Mode 1", "header", False)],
    "short": [(SHORT, 0, 2336), (16, 7, "Mode 2 Form 1", "subheader", False),
              (16, 8, "Mode 2 Form 1", "user data", True)],
}


def kinds(tap, program, work):
    for name, ((text, start, stride), *looks) in LOOKS.items():
        path = work.path(name + ".bin")
        program.forge("image", text, path, root=work.name)
        for sector, offset, kind, field, is_user in looks:
            raw = start + sector * stride + offset
            told, result = place(program, path, "raw:%d" % raw)
            seen = told and (told["sector"], told["kind"], told["field"],
                             told["user_offset"] is not None)
            tap.equal(seen, (sector, kind, field, is_user), "%s: sector %d, byte %d" % (
                name, sector, offset), result)
            for address in names_of(told or {}) if told else ():
                again, _ = place(program, path, address)
                tap.equal(again, told, "%s: %s leads there" % (name, address))
    path = work.path("kinds.bin")
    size = os.path.getsize(path)
    for raw, field in ((0, "prefix"), (99, "prefix"), (size - 1, "rest")):
        told, result = place(program, path, "raw:%d" % raw)
        tap.ok(told and told["field"] == field and told["sector"] is None, "byte %d" % raw, result)
    for address, raw in (("lba:28", 100 + 28 * 2352), ("iso:/DIR", None)):
        told, result = place(program, path, address)
        tap.ok(told and raw in (None, told["raw_offset"]), address + " has a place", result)
    told, result = place(program, path, "lba:28+1")
    tap.ok(told is None and result.code == 1, "no byte of user data in Mode 0", result)
    told, result = place(program, path, "user:%d" % (2048 * 28))
    tap.ok(told and told["sector"] == 24 and told["kind"] == "Mode 2 Form 2",
           "a user offset is in a sector that has so many bytes", result)


def other_names(tap, program, work):
    """The names of the second tree lead to the same files."""
    if shutil.which("genisoimage") is None:
        tap.skip("names in Joliet", "genisoimage is not installed")
        return
    folder = work.folder("named/a folder with a name")
    shutil.copy(work.path("good.tod"), os.path.join(folder, "a file with a long name.tod"))
    shutil.copy(work.path("good.tod"), work.path("named/SHORT.TOD"))
    path = work.path("named.iso")
    subprocess.run(["genisoimage", "-quiet", "-J", "-o", path, work.path("named")], check=True)
    for long in ("/a folder with a name/a file with a long name.tod", "/SHORT.TOD"):
        told, result = place(program, path, "iso:" + long + "+4")
        tap.ok(told and long in (told["joliet_path"], told["iso_path"]) and told["iso_offset"] == 4,
               long, result)
        if told:
            again, _ = place(program, path, "iso:%s+4" % told["iso_path"])
            tap.equal(again, told, "and by the first tree")
    text = program.run("where", path, "iso:/a folder with a name/a file with a long name.tod")
    tap.ok("joliet: /a folder with a name/" in text.text, "which is said", text)
    told, result = place(program, path, "iso:/a folder with a name/another.tod")
    tap.ok(told is None and result.code == 1, "a name of neither tree", result)


def ram(tap, program, work):
    """A dump of main memory, which several addresses lead to."""
    dump = bytearray(2 << 20)
    for at in (0x80, 0xa0, 0xb0, 0xc0):
        dump[at:at + 16] = struct.pack("<4I", 0x3c1a0000, 0x275a0c80, 0x03400008, 0)
    dump[0x200:0x214] = b"PS-X Realtime Kernel"
    path = work.write("ram.bin", bytes(dump))
    first, result = place(program, path, "ram:0x80010000")
    tap.ok(first and first["raw_offset"] == 0x10000 == first["user_offset"] and
           first["ram_address"] == 0x80010000, "a byte of memory", result)
    for address in ("ram:0x10000", "ram:0xa0010000", "ram:0x80210000", "user:65536", "raw:65536"):
        tap.equal(place(program, path, address)[0], first, address + " is the same byte")
    for address in ("user:%d" % (2 << 20), "ram:0x1f800000", "ram:0x90010000",
                    "raw:%d" % (2 << 20)):
        result = program.run("where", path, address)
        tap.ok(result.code == 1 and b"has no place" in result.err,
               "no byte of memory: " + address, result)


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
        kinds(tap, program, work)
        other_names(tap, program, work)
        ram(tap, program, work)
    tap.done()


if __name__ == "__main__":
    main()
