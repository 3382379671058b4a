"""Archives, compressed files and packed images: the same disc in all of them, and those that lie."""
import bz2
import glob
import gzip
import hashlib
import io
import lzma
import os
import random
import resource
import shutil
import struct
import subprocess
import tarfile
import time
import zipfile
import zlib

from harness import (MEMORY_IS_ITS_OWN, SLOWER, WRAPPER, Program, Tap, Workspace, corpus_path, dump,
                     forge_hmd, query, read, small_tod, source_codes, sources)

FAULTS = ("IMG0040", "IMG0041", "IMG0042", "IMG0043", "IMG0045", "IMG0046", "IMG0047", "IMG0048")


def tool(name, *args, data=None, cwd=None):
    """What a tool writes to standard output; None if it is not installed."""
    if shutil.which(name) is None:
        return None
    return subprocess.run([name, *args], input=data, cwd=cwd, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


# ---- making containers -------------------------------------------------------------------------

def zipped(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name, (1990, 1, 1, 0, 0, 0)), data, method)
    return out.getvalue()


def tarred(members, form=tarfile.USTAR_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data in members:
            info = data if isinstance(data, tarfile.TarInfo) else tarfile.TarInfo(name)
            if info is data:
                archive.addfile(info)
            else:
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def by_tool(work, name, data, *command):
    """A container that a tool makes of the file disc.bin in a folder of its own."""
    folder = work.folder("tool-" + name)
    work.write("tool-%s/disc.bin" % name, data)
    if tool(*command, cwd=folder) is None:
        return None
    return read(os.path.join(folder, name))


def ecm_number(kind, count):
    count -= 1
    out = [kind | (count & 31) << 2]
    count >>= 5
    while count:
        out[-1] |= 128
        out.append(count & 127)
        count >>= 7
    return bytes(out)


def edc(data, table=[]):
    if not table:
        for i in range(256):
            for _ in range(8):
                i = i >> 1 ^ (0xd8018001 if i & 1 else 0)
            table.append(i)
    code = 0
    for byte in data:
        code = code >> 8 ^ table[(code ^ byte) & 255]
    return code


ECM_END = b"\xfc\xff\xff\xff\x3f"


def ecm(image):
    """Sectors of 2352 bytes; what is computed in them is left out, whether it was right or not."""
    out = bytearray(b"ECM\0")
    for at in range(0, len(image), 2352):
        sector = image[at:at + 2352]
        if sector[:1] != b"\0" or sector[1:11] != b"\xff" * 10 or len(sector) < 2352:
            out += ecm_number(0, len(sector)) + sector
        elif sector[15] == 1:
            out += ecm_number(1, 1) + sector[12:15] + sector[16:16 + 2048]
        else:
            out += ecm_number(0, 16) + sector[:16]
            form2 = sector[18] & 32
            out += ecm_number(3 if form2 else 2, 1) + sector[20:24 + (2324 if form2 else 2048)]
    return bytes(out) + ECM_END + struct.pack("<I", edc(image))


def pbp(image, level=9, version=0x10000, archive=b"PSISOIMG0000", lock=b""):
    """Blocks alternate between packed ones and those that are kept as they are."""
    head = bytearray(0x28)
    head[:8] = b"\0PBP" + struct.pack("<I", version)
    psar = 0x28 + 100
    struct.pack_into("<I", head, 0x24, psar)
    out = bytearray(0x100000)
    out[:len(archive)] = archive
    out[0x400:0x400 + len(lock)] = lock
    blocks = b""
    for i in range(-(-len(image) // 37632)):
        data = image[37632 * i:37632 * (i + 1)].ljust(37632, b"\0")
        packer = zlib.compressobj(level, zlib.DEFLATED, -15)
        packed = packer.compress(data) + packer.flush() if i % 2 == 0 else data
        struct.pack_into("<IH", out, 0x4000 + 32 * i, len(blocks), len(packed))
        blocks += packed
    return bytes(head) + bytes(100) + bytes(out) + blocks


def pbp_set(images, order=None, **how):
    """Several discs in one file, and a table of where they begin."""
    single = [pbp(image, **how)[0x28 + 100:] for image in images]
    head = bytearray(pbp(b"")[:0x28 + 100])
    table, out = [], bytearray(b"PSTITLEIMG000000".ljust(0x8000, b"\0"))
    for one in single:
        table.append(len(out))
        out += one
    for place, number in enumerate(order or range(len(table))):
        struct.pack_into("<I", out, 0x200 + 4 * place, table[number])
    return bytes(head) + bytes(out)


def gz(data):
    return gzip.compress(data, mtime=0)


def cdz(chunks, version=2, directory=True):
    """What cdztool writes: [(letters, bytes)]; the first versions have a cue sheet and an image."""
    out = b"CDZ" + bytes([version > 1])
    for name, data in chunks:
        blocks = [data[at:at + 0x10000] for at in range(0, len(data), 0x10000)]
        packed = [zlib.compress(block) for block in blocks]
        body = struct.pack("<I", len(blocks))
        body += b"".join(struct.pack("<II", len(p), len(b)) + p for p, b in zip(packed, blocks))
        head = struct.pack("<I", len(data)) if version == 0 else b"ZLIB" + struct.pack("<Q", len(data))
        if directory and name.startswith("BIN"):
            body += bytes(4 * len(blocks)) if version == 0 else bytes(4 * (len(blocks) - 1)) + b"\4"
        if version > 1:
            out += name.encode().ljust(4, b"\0") + struct.pack("<Q", len(head + body))
        out += head + body
    return out


def containers(work, data):
    """{file name: bytes or None where a tool is missing}: each holds the image and nothing else."""
    tar = tarred([("disc.bin", data)])
    pipe = None
    if shutil.which("zip"):
        folder = work.folder("piped")
        work.write("piped/disc.bin", data)
        pipe = subprocess.run("zip -q - disc.bin | cat", shell=True, cwd=folder, check=True,
                              stdout=subprocess.PIPE).stdout
    made = {
        "stored.zip": zipped([("disc.bin", data)], zipfile.ZIP_STORED),
        "deflated.zip": zipped([("disc.bin", data)]),
        "bzip2.zip": zipped([("disc.bin", data)], zipfile.ZIP_BZIP2),
        "lzma.zip": zipped([("disc.bin", data)], zipfile.ZIP_LZMA),
        "piped.zip": pipe,
        "tool.jar": by_tool(work, "tool.jar", data, "zip", "-q", "-9", "tool.jar", "disc.bin"),
        "tool.7z": by_tool(work, "tool.7z", data, "7z", "a", "tool.7z", "disc.bin"),
        "bsd.7z": by_tool(work, "bsd.7z", data, "bsdtar", "-cf", "bsd.7z", "--format", "7zip",
                          "disc.bin"),
        "ustar.tar": tar,
        "gnu.tar": tarred([("disc.bin", data)], tarfile.GNU_FORMAT),
        "pax.tar": tarred([("disc.bin", data)], tarfile.PAX_FORMAT),
        "disc.tar.gz": gz(tar),
        "disc.tar.bz2": bz2.compress(tar),
        "disc.tgz": gz(tar),
        "disc.tar.xz": lzma.compress(tar),
        "disc.bin.gz": gz(data),
        "parts.bin.gz": gz(data[:40000]) + gz(data[40000:]) + bytes(512),
        "disc.bin.bz2": bz2.compress(data),
        "disc.bin.xz": lzma.compress(data),
        "disc.bin.zst": tool("zstd", "-q", "-c", data=data),
        "disc.bin.lz4": tool("lz4", "-q", "-c", data=data),
        "disc.bin.lz": tool("lzip", "-q", "-c", data=data),
        "bsd.cpio": by_tool(work, "bsd.cpio", data, "bsdtar", "-cf", "bsd.cpio", "--format", "newc",
                            "disc.bin"),
        "bsd.ar": by_tool(work, "bsd.ar", data, "bsdtar", "-cf", "bsd.ar", "--format", "ar",
                          "disc.bin"),
        "disc.bin.ecm": ecm(data),
        "disc.pbp": pbp(data),
        "disc.bin.z": zlib.compress(data),
        "stored.bin.z": zlib.compress(data, 0) + bytes(3),
        "disc.tar.z": zlib.compress(tar, 1),
        "disc.cdz": cdz([("BIN", data)]),
        "first.cdz": cdz([("CUE", b"REM nothing\n"), ("BIN", data)], version=0),
        "second.cdz": cdz([("CUE", b"REM nothing\n"), ("BIN", data)], version=1),
        "third.cdz": cdz([("CCD", b"x" * 70000), ("BIN\1", data)]),
        "disc.zip.gz": gz(zipped([("disc.bin", data)])),
    }
    made["nested.zip"] = zipped([("a/" + n, made[n]) for n in
                                 ("disc.tar.gz", "tool.7z", "disc.bin.ecm", "disc.pbp")
                                 if made[n] is not None])
    return made


def disc(program, work):
    """An image with three assets; EDC and ECC are right in all its sectors but one."""
    root = work.folder("root")
    program.forge("tod", read(corpus_path("tod", "good-walk.forge")).decode(),
                  os.path.join(root, "walk.tod"))
    forge_hmd(program, "good-animation", os.path.join(root, "dance.hmd"))
    program.forge("tod", small_tod(4), os.path.join(root, "turn.tod"))
    text = read(corpus_path("..", "docs", "demo", "disc.forge")).decode()
    return read(program.forge("image", text, work.path("disc.bin"), root=root))


# ---- what is seen ------------------------------------------------------------------------------

def found(db, like):
    """What is known of the assets of the sources whose path ends so."""
    return query(db, "SELECT a.format, a.grade, a.raw_offset, a.user_offset, a.length, a.lba, "
                     "a.sha256, a.pose_sha256 FROM asset AS a JOIN source AS s ON s.id = a.source_id "
                     "WHERE s.path LIKE ? ORDER BY s.path, a.raw_offset", like)


def scan(program, db, *args, **how):
    return program.run("scan", "-o", db, *args, **how)


def faults(db, path=None):
    rows = query(db, "SELECT f.code FROM finding AS f JOIN source AS s ON s.id = f.source_id "
                     "WHERE f.code IN (%s) AND (?1 IS NULL OR s.path = ?1 OR substr(s.path, 1, "
                     "length(?1) + 2) = ?1 || '!/')" % ",".join("'%s'" % c for c in FAULTS), path)
    return sorted({r["code"] for r in rows})


def has_archives(program):
    return "no libarchive" not in program.run("--version").text


# ---- the same everywhere -----------------------------------------------------------------------

def same_disc_everywhere(tap, program, work, data):
    folder = work.folder("all")
    made = containers(work, data)
    plain = work.path("plain.db")
    scan(program, plain, work.path("disc.bin"))
    expected = found(plain, "%")
    tap.equal(len(expected), 3, "the disc by itself has three assets")
    for name, content in made.items():
        if content is None:
            tap.skip(name, "the tool that makes it is not installed")
            continue
        path = work.write("all/" + name, content)
        db = work.path("all.db")
        result = scan(program, db, path)
        if not name.startswith("nested"):
            tap.equal((result.code, result.errors, found(db, path + "!/%"), faults(db, path)),
                      (0, "", expected, []), "%s: the same assets in the same places" % name, result)
            row = sources(db)[path]
            tap.equal((row["kind"], row["size"], row["sha256"], row["status"]),
                      ("archive", len(content), hashlib.sha256(content).hexdigest(), "complete"),
                      "%s: the file is a row of its own" % name)
        if not name.endswith(("disc.pbp", "nested.zip")):
            inner = [r for p, r in sources(db).items() if p.startswith(path + "!/")]
            tap.equal({r["sha256"] for r in inner if r["kind"] == "image"},
                      {hashlib.sha256(data).hexdigest()}, "%s: the bytes are those of the disc" % name)
    return folder, expected


def paths_of_members(tap, work):
    db = work.path("all.db")
    base = work.path("all") + "/"
    have = {p[len(base):] for p in sources(db) if "!/" in p}
    for name in ("deflated.zip!/disc.bin", "disc.tar.gz!/disc.bin", "disc.tgz!/disc.bin",
                 "disc.bin.gz!/disc.bin", "disc.bin.ecm!/disc.bin", "disc.pbp!/disc",
                 "disc.bin.z!/disc.bin", "disc.tar.z!/disc.bin", "disc.cdz!/disc.bin",
                 "second.cdz!/disc.cue", "third.cdz!/disc.ccd", "third.cdz!/disc.bin",
                 "disc.zip.gz!/disc.zip", "disc.zip.gz!/disc.zip!/disc.bin",
                 "nested.zip!/a/disc.tar.gz", "nested.zip!/a/disc.tar.gz!/disc.bin",
                 "nested.zip!/a/disc.bin.ecm!/disc.bin", "nested.zip!/a/disc.pbp!/disc"):
        tap.ok(name in have, "there is %s" % name, sorted(have))


def nested_and_piped(tap, program, work, expected):
    path = work.path("all", "nested.zip")
    db = work.path("all.db")
    images = [p for p, r in sources(db).items() if p.startswith(path) and r["kind"] == "image"]
    tap.equal([found(db, p) for p in images], [expected] * len(images),
              "each of the %d in an archive has the same assets" % len(images))
    for name in ("nested.zip", "disc.tar.gz", "tool.7z", "piped.zip", "disc.tar.z", "third.cdz"):
        if not os.path.exists(work.path("all", name)):
            tap.skip("%s from a pipe" % name, "it could not be made")
            continue
        piped = work.path("pipe-%s.db" % name)
        result = scan(program, piped, "-", data=read(work.path("all", name)))
        of_file = [r for r in query(db, "SELECT path, kind, layout, size, sha256, status FROM source "
                                        "WHERE path = ?1 OR substr(path, 1, length(?1) + 2) = ?1 || "
                                        "'!/' ORDER BY path", work.path("all", name))]
        for row in of_file:
            row["path"] = "-" + row["path"][len(work.path("all", name)):]
        of_pipe = query(piped, "SELECT path, kind, layout, size, sha256, status FROM source "
                               "ORDER BY path")
        tap.equal((result.code, of_pipe), (0, of_file), "%s from a pipe is the same" % name, result)


def replays(tap, program, work):
    db = work.path("all.db")
    rows = query(db, "SELECT a.id, s.path, a.raw_offset, a.grade FROM asset AS a JOIN source AS s "
                     "ON s.id = a.source_id WHERE a.format = 'tod' AND a.grade = 'replayed'")
    plain = program.run("replay", "-F", "csv", work.path("root", "walk.tod"))
    first = min(r["raw_offset"] for r in rows)
    wrong = []
    for row in rows:
        if row["raw_offset"] == first:
            result = program.run("replay", "-F", "csv", "%s:%d" % (db, row["id"]))
            if (result.code, result.out) != (0, plain.out):
                wrong.append((row["path"], str(result)))
    tap.ok(not wrong, "assets in all containers are replayed by their number", *wrong[:3])


def scanned_again(tap, program, work, data):
    path = work.write("again.zip", zipped([("a.bin", data), ("b.bin", data)]))
    db = work.path("again.db")
    scan(program, db, path)
    before = dump(db)
    scan(program, db, path)
    after = dump(db)
    for rows in before["source"] + after["source"]:
        del rows["scan_id"]
    tap.equal(after, before, "the same archive scanned again: the same rows, the same ids")
    work.write("again.zip", zipped([("b.bin", data)]))
    scan(program, db, path)
    tap.equal(sorted(sources(db)), [path, path + "!/b.bin"], "members that are gone are forgotten")


# ---- names and members -------------------------------------------------------------------------

def odd_names(tap, program, work):
    members = [("../../../etc/passwd", b"1"), ("/etc/shadow", b"2"), ("twice", b"3"),
               ("twice", b"4"), ("in!/side", b"5"), ("a" * 3000, b"6"), ("bell\a\x1b[31m", b"7"),
               ("twice#4", b"8"), ("end!", b"9"), ("folder/", b"")]
    path = work.write("names.tar", tarred(members, tarfile.PAX_FORMAT))
    db = work.path("names.db")
    result = scan(program, db, path)
    tap.equal(result.code, 0, "odd names are scanned", result)
    have = [p[len(path):] for p in sources(db) if p != path]
    expected = ["!/../../../etc/passwd", "!//etc/shadow", "!/twice", "!/twice#4", "!/in%21/side",
                "!/" + "a" * 1024 + "#6", "!/bell\a\x1b[31m", "!/twice#4#8", "!/end%21"]
    tap.equal(sorted(have), sorted(expected), "each has a path of its own")
    tap.ok(b"\x1b" not in result.out + result.err, "and is harmless to a terminal", result)


def links(tap, program, work, data):
    def special(name, kind, target=""):
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, target
        return (name, info)
    secret = work.write("secret.bin", data)
    path = work.write("links.tar", tarred([
        special("soft", tarfile.SYMTYPE, secret), special("hard", tarfile.LNKTYPE, secret),
        special("device", tarfile.CHRTYPE), special("pipe", tarfile.FIFOTYPE),
        special("folder", tarfile.DIRTYPE), ("file", b"nothing")]))
    db = work.path("links.db")
    result = scan(program, db, path)
    tap.equal((result.code, sorted(sources(db)), query(db, "SELECT * FROM asset")),
              (0, [path, path + "!/file"], []), "links and devices in archives are not followed")
    tap.ok("4 links or devices" in result.errors, "and it is said", result)


def as_they_lie(tap, program, work, data):
    path = work.write("lie.zip", zipped([("disc.bin", data)], zipfile.ZIP_STORED))
    tod = read(work.path("root", "walk.tod"))
    plain = work.write("stored.zip", zipped([("walk.tod", tod)], zipfile.ZIP_STORED))
    db = work.path("lie.db")
    result = scan(program, db, "--no-unpack", path, plain)
    tap.equal((result.code, sorted(sources(db))), (0, sorted([path, plain])),
              "--no-unpack: a container is a file", result)
    rows = query(db, "SELECT raw_offset FROM asset AS a JOIN source AS s ON s.id = a.source_id "
                     "WHERE s.path = ?", plain)
    tap.ok(len(rows) <= 1, "whose bytes are searched", rows)
    options = query(db, "SELECT options FROM scan")[0]["options"]
    tap.ok("no-unpack" in options, "and the scan says so", options)


def lookalikes(tap, program, work):
    """What begins like a container and is none hides nothing."""
    tod = read(work.path("root", "walk.tod"))
    noise = random.Random(7).randbytes(4096 - 64)
    for name, magic in (("zip", b"PK\3\4"), ("7z", b"7z\xbc\xaf\x27\x1c"), ("gz", b"\x1f\x8b\x08\0"),
                        ("bz2", b"BZh91AY&SY"), ("xz", b"\xfd7zXZ\0"), ("zst", b"\x28\xb5\x2f\xfd"),
                        ("lz4", b"\x04\x22\x4d\x18"), ("ecm", b"ECM\0"), ("pbp", b"\0PBP\0\0\1\0"),
                        ("rar", b"Rar!\x1a\x07\0"), ("rar5", b"Rar!\x1a\x07\1\0"),
                        ("cab", b"MSCF\0\0\0\0"), ("chd", b"MComprHD"), ("lzip", b"LZIP\1"),
                        ("ar", b"!<arch>\n"), ("cpio", b"070701" + b"0" * 104),
                        ("lha", b"ab-lh5-" + bytes(13) + b"\1")):
        path = work.write("like-" + name, (magic.ljust(64, b"\xa5") + noise)[:4096] + tod)
        db = work.path("like.db")
        result = scan(program, db, path)
        rows = query(db, "SELECT a.raw_offset FROM asset AS a JOIN source AS s ON s.id = a.source_id "
                         "WHERE s.path = ?", path)
        tap.ok((result.code, rows) == (0, [{"raw_offset": 4096}]) and faults(db, path),
               "%s: what only begins so is searched as it lies, and it is said" % name, result, rows,
               faults(db, path))
    for name, text in (("mtree", b"#mtree\nfile type=file size=3\n"), ("text", b"shar"),
                       ("v7", bytes(512))):
        path = work.write("plain-" + name, text.ljust(4096, b"\n") + tod)
        db = work.path("plain-like.db")
        result = scan(program, db, path)
        tap.equal((result.code, faults(db, path), sources(db)[path]["kind"]), (0, [], "file"),
                  "%s is no container" % name, result)


# ---- those that lie ----------------------------------------------------------------------------

def deep(tap, program, work, data):
    content = data
    for _ in range(100):
        content = zipped([("in.zip", content)], zipfile.ZIP_STORED)
    path = work.write("deep.zip", content)
    db = work.path("deep.db")
    result = scan(program, db, path)
    tap.equal((result.code, faults(db)), (4, ["IMG0042"]), "archives 100 deep meet the limit", result)
    tap.equal(len(sources(db)), 12, "and are entered so far")
    shallow = data
    for _ in range(11):
        shallow = zipped([("in.zip", shallow)])
    path = work.write("shallow.zip", shallow)
    result = scan(program, db, path)
    tap.equal((result.code, faults(db, path), len(found(db, path + "!/%"))), (0, [], 3),
              "11 deep, everything is found", result)


def bombs(tap, program, work):
    if WRAPPER:
        tap.skip("bombs", "they take too long with a wrapper")
        return
    run = bz2.compress(bytes(64 << 20))
    for name, content in (("bz2", run * 64), ("zip of bz2", zipped([("x.bz2", run * 64)])),
                          ("zip of zips", zipped([(str(i), zipped([("x.bz2", run * 8)]))
                                                  for i in range(8)]))):
        path = work.write("bomb", content)
        db = work.path("bomb.db")
        before = time.monotonic()
        result = scan(program, db, path, timeout=300)
        taken = time.monotonic() - before
        tap.equal((result.code, faults(db, path)), (4, ["IMG0042"]), "%s: a bomb meets the limit" % name,
                  result)
        tap.equal(sources(db)[path]["status"], "limit", "%s: and its row says so" % name)
        tap.note("%s: %.1f s" % (name, taken))


def up_to_the_limit(tap, program, work):
    """256 MiB, and 256 bytes for each byte of the file, to the byte."""
    if WRAPPER:
        tap.skip("as much as may be unpacked", "it takes too long with a wrapper")
        return
    start = bz2.compress(bytes(64 << 20)) * 4
    more = 0
    for _ in range(8): # the length depends on what is packed, and hardly
        rest = bz2.compress(bytes(more))
        more = 256 * len(start + rest)
    most = (256 << 20) + more
    for over in (0, 1):
        content = start + bz2.compress(bytes(more + over))
        path = work.write("limit.bz2", content)
        db = work.path("limit.db")
        result = scan(program, db, "--no-hash", path, timeout=300)
        told = [row["message"] for row in query(db, "SELECT message FROM finding "
                                                    "WHERE code = 'IMG0042'")]
        sizes = [row["size"] for row in sources(db).values() if row["kind"] != "archive"]
        tap.equal((len(content), result.code, any("at most %d bytes" % most in text for text in told),
                   sizes == [most]),
                  (more // 256, 4 if over else 0, bool(over), not over),
                  "%d bytes of %d that may be unpacked" % (most + over, most), result)


def too_many(tap, program, work):
    info = tarfile.TarInfo("folder")
    info.type = tarfile.DIRTYPE
    header = info.tobuf(tarfile.USTAR_FORMAT)
    path = work.write("members.tar.gz", quickly_packed(header * 262144))
    db = work.path("members.db")
    result = scan(program, db, path)
    tap.equal((result.code, faults(db, path), sources(db)[path]["status"]), (4, ["IMG0042"], "limit"),
              "262145 members, with the tar itself, meet the limit", result)
    path = work.write("members-less.tar.gz", quickly_packed(header * 262143))
    result = scan(program, db, path)
    tap.equal((result.code, faults(db, path)), (0, []), "262144 do not", result)


def quickly_packed(tar):
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return packer.compress(tar + bytes(1024)) + packer.flush()


def too_long_to_keep(tap, program, work):
    """A 7z that must be read from its end and comes through a pipe."""
    folder = work.folder("long")
    for mib, expected in ((60, []), (70, ["IMG0040"])):
        work.write("long/disc.bin", random.Random(mib).randbytes(mib << 20))
        if tool("7z", "a", "-mx0", "%d.7z" % mib, "disc.bin", cwd=folder) is None:
            tap.skip("a long 7z from a pipe", "7z is not installed")
            return
        db = work.path("long-%d.db" % mib)
        with open(os.path.join(folder, "%d.7z" % mib), "rb") as file:
            result = scan(program, db, "-", data=file.read())
        tap.equal((result.code, faults(db)), (0, expected), "a 7z of %d MiB from a pipe" % mib, result)
        row = sources(db)["-"]
        tap.equal(row["size"], os.path.getsize(os.path.join(folder, "%d.7z" % mib)),
                  "and all of it is read")


def lies(tap, program, work, data):
    zip_file = zipped([("disc.bin", data), ("b.bin", data)])
    crc = struct.pack("<I", zlib.crc32(data))
    size = struct.pack("<I", len(data))
    at = zip_file.index(crc)
    wrong_crc = zip_file[:at] + b"\1\2\3\4" + zip_file[at + 4:]
    wrong_size = zip_file[:at + 8] + struct.pack("<I", len(data) + 5) + zip_file[at + 12:]
    assert zip_file[at + 8:at + 12] == size
    tar = bytearray(tarred([("disc.bin", data)]))
    tar[124:135] = b"77777777777"
    tar[148:156] = b" " * 8
    tar[148:156] = b"%06o\0 " % sum(tar[:512])
    gz_file = gz(data)
    z_file = zlib.compress(data)
    cdz_file = cdz([("BIN", data)])
    ecm_file = ecm(data)
    pbp_file = pbp(data)
    index = 0x28 + 100 + 0x4000
    blocks = 0x28 + 100 + 0x100000
    missing = bytearray(zip_file)
    struct.pack_into("<HH", missing, len(zip_file) - 14, 3, 3)

    def spoilt_cdz(at, number):
        out = bytearray(cdz_file)
        struct.pack_into("<I", out, at, number)
        return bytes(out)

    def entry(number, off, length):
        out = bytearray(pbp_file)
        struct.pack_into("<IH", out, index + 32 * number, off, length)
        return bytes(out)

    cases = [
        ("zip, checksum", wrong_crc, ["IMG0043"]),
        ("zip, size", wrong_size, ["IMG0046"]),
        ("zip, fewer members than it says", bytes(missing), ["IMG0041"]),
        ("zip, cut in the directory", zip_file[:-30], ["IMG0041"]),
        ("zip, cut in a member", zip_file[:len(zip_file) // 3], ["IMG0041"]),
        ("tar, size of a member", bytes(tar), ["IMG0041"]),
        ("gzip, checksum", gz_file[:-8] + b"\1\2\3\4" + gz_file[-4:], ["IMG0043"]),
        ("gzip, length", gz_file[:-4] + b"\1\2\3\4", ["IMG0043"]),
        ("gzip, cut", gz_file[:len(gz_file) // 2], ["IMG0041"]),
        ("gzip, more behind it", gz_file + b"more", ["IMG0041"]),
        ("zlib, checksum", z_file[:-4] + b"\1\2\3\4", ["IMG0043"]),
        ("zlib, cut", z_file[:len(z_file) // 2], ["IMG0041"]),
        ("zlib, more behind it", z_file + b"more", ["IMG0041"]),
        ("zlib, of nothing", zlib.compress(b""), []),
        ("no zlib, its first bytes only", z_file[:2] + data[:5000], []),
        ("no zlib, a text", b"x^2 + y^2 = z^2; " * 99, []),
        ("no zlib, a dictionary is needed", b"\x78\xbb" + z_file[2:], []),
        ("cdz, of another method", cdz_file.replace(b"ZLIB", b"LZMA"), ["IMG0040"]),
        ("cdz, of another kind", cdz_file.replace(b"BIN\0", b"XYZ\0"), ["IMG0040"]),
        ("cdz, not the known version", b"CDZ\2" + cdz_file[4:], []),
        ("cdz, cut in the head", cdz_file[:20], ["IMG0041"]),
        ("cdz, cut in a block", cdz_file[:len(cdz_file) // 2], ["IMG0041"]),
        ("cdz, block too long", spoilt_cdz(32, 1 << 20), ["IMG0041"]),
        ("cdz, block too long unpacked", spoilt_cdz(36, 0x10001), ["IMG0041"]),
        ("cdz, block of another size", spoilt_cdz(36, 0xffff), ["IMG0046"]),
        ("cdz, block that is no zlib", spoilt_cdz(40, 0xffffffff), ["IMG0041"]),
        ("cdz, chunk that ends in its blocks", spoilt_cdz(8, 40), ["IMG0045"]),
        ("cdz, chunk longer than any file", spoilt_cdz(12, 0xffffffff), ["IMG0040"]),
        ("cdz, more announced", spoilt_cdz(20, len(data) + 1), ["IMG0046"]),
        ("cdz, fewer blocks than there are", spoilt_cdz(28, 1), ["IMG0046"]),
        ("ecm, checksum", ecm_file[:-4] + b"\1\2\3\4", ["IMG0043"]),
        ("ecm, cut", ecm_file[:len(ecm_file) // 2], ["IMG0041"]),
        ("ecm, number of 33 bits", b"ECM\0" + ecm_number(0, 5) + b"12345" +
         b"\xfc\xff\xff\xff\x7f" + bytes(40), ["IMG0041"]),
        ("pbp, version", pbp(data, version=0x20000), ["IMG0048"]),
        ("pbp, of another program", pbp(data, archive=b"PSPPROGRAM"), ["IMG0040"]),
        ("pbp, a set of no discs", pbp(data, archive=b"PSTITLEIMG000000"), ["IMG0041"]),
        ("pbp, discs of a set backwards", pbp_set([data, data], order=(1, 0)), ["IMG0045"]),
        ("pbp, a set of what is no disc", pbp_set([data], archive=b"PSPPROGRAM"), ["IMG0040"]),
        ("pbp, encrypted", pbp(data, lock=b"\0PGD"), ["IMG0047"]),
        ("pbp, blocks overlap", entry(1, 0, 37632), ["IMG0045"]),
        ("pbp, block outside", entry(1, 0x7fffffff, 37632), ["IMG0041"]),
        ("pbp, block too long", entry(1, struct.unpack_from("<I", pbp_file, index + 32)[0], 0xffff),
         ["IMG0045"]),
        ("pbp, block of another size",
         entry(0, 0, struct.unpack_from("<H", pbp_file, index + 4)[0] - 9), ["IMG0046"]),
        ("pbp, block that is no deflate",
         pbp_file[:blocks] + b"\xff" * 99 + pbp_file[blocks + 99:], ["IMG0041"]),
        ("pbp, cut in the index", pbp_file[:index + 40], ["IMG0041"]),
        ("chd", b"MComprHD" + bytes(200), ["IMG0048"]),
    ]
    for name, content, expected in cases:
        path = work.write("lie-" + name.replace(" ", "-").replace(",", ""), content)
        db = work.path("lies.db")
        result = scan(program, db, path)
        tap.equal((result.code, faults(db, path)), (0, expected), name, result)


def sets(tap, program, work, data):
    """Several discs in one PBP: each is a source, and one that cannot be read hides no other."""
    data += bytes(-len(data) % 37632)  # as its blocks are
    plain = work.path("set-plain.db")
    scan(program, plain, work.write("set.bin", data))
    expected, right = found(plain, "%"), hashlib.sha256(data).hexdigest()
    broken = bytearray(pbp_set([data, data, data]))
    second = struct.unpack_from("<I", broken, 0x28 + 100 + 0x204)[0] + 0x28 + 100
    hidden = bytearray(broken)
    hidden[second + 0x400:second + 0x404] = b"\0PGD"
    broken[second + 0x100000:second + 0x100010] = b"\xff" * 16
    for name, content, whole, told in (("sound", pbp_set([data, data]), [1, 2], []),
                                       ("one", pbp_set([data]), [1], []),
                                       ("five", pbp_set([data] * 5), [1, 2, 3, 4, 5], []),
                                       ("damaged", bytes(broken), [1, 3], ["IMG0041"]),
                                       ("encrypted", bytes(hidden), [1, 3], ["IMG0047"])):
        path, db = work.write("set-%s.pbp" % name, content), work.path("set-%s.db" % name)
        for source in (path, "-"):
            result = scan(program, db, source, data=content if source == "-" else None)
            seen = {p: r["sha256"] for p, r in sources(db).items() if p.startswith(source + "!/")}
            good = ["%s!/disc%d" % (source, n) for n in whole]
            tap.equal((result.code, sorted(p for p, h in seen.items() if h == right), faults(db, source)),
                      (0, good, told), "set of discs, %s: each is a source" % name, result)
            tap.equal([found(db, p) for p in good], [expected] * len(good), "with its assets")
    cut = work.write("set-cut.pbp", pbp_set([data, data])[:second + 0x2000])
    result = scan(program, work.path("set-cut.db"), cut)
    tap.equal((result.code, faults(work.path("set-cut.db"), cut)), (0, ["IMG0041"]), "a set that is cut", result)


def encrypted(tap, program, work, data):
    folder = work.folder("secret")
    work.write("secret/disc.bin", data)
    for name, command in (("zip", ("zip", "-q", "-P", "word", "x.zip", "disc.bin")),
                          ("7z", ("7z", "a", "-pword", "x.7z", "disc.bin")),
                          ("7z with names", ("7z", "a", "-pword", "-mhe=on", "y.7z", "disc.bin"))):
        if tool(*command, cwd=folder) is None:
            tap.skip("encrypted %s" % name, "%s is not installed" % command[0])
            continue
        path = os.path.join(folder, command[-2])
        db = work.path("secret.db")
        result = scan(program, db, path)
        tap.equal((result.code, faults(db, path)), (0, ["IMG0047"]), "encrypted %s: a note" % name,
                  result)


def damaged(tap, program, work, data):
    """Bytes of the member are right, or a fault is told: 200 mutations of everything that has
    checksums, and of what has none as well."""
    chance = random.Random(20)
    checked = ("deflated.zip", "stored.zip", "tool.7z", "disc.tar.gz", "disc.bin.gz", "disc.bin.bz2",
               "disc.bin.xz", "disc.bin.zst", "disc.bin.lz", "disc.bin.ecm", "disc.bin.z")
    names = [os.path.basename(p) for p in sorted(glob.glob(work.path("all", "*")))]
    right = hashlib.sha256(data).hexdigest()
    for batch in range(8):
        folder = work.folder("damaged-%d" % batch)
        for i in range(25):
            name = names[(25 * batch + i) % len(names)]
            content = bytearray(read(work.path("all", name)))
            if i % 3 == 0:
                del content[chance.randrange(1, len(content)):]
            else:
                for _ in range(1 + i % 4):
                    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
            work.write("damaged-%d/%02d-%s" % (batch, i, name), bytes(content))
        db = work.path("damaged-%d.db" % batch)
        before = time.monotonic()
        memory = (1 << 30) if MEMORY_IS_ITS_OWN else None
        result = scan(program, db, folder, memory=memory)
        taken = time.monotonic() - before
        tap.ok(result.code in (0, 4) and taken < 60 * SLOWER,
               "25 damaged containers: the scan ends well, in time", taken, result)
        silent = []
        for path in sorted(glob.glob(os.path.join(folder, "*"))):
            rows = [r for p, r in sources(db).items() if p.startswith(path + "!/")]
            is_right = any(r["sha256"] == right for r in rows)
            if os.path.basename(path)[3:] in checked and not is_right and not faults(db, path) \
                    and sources(db)[path]["kind"] == "archive":
                silent.append(path)
        tap.ok(not silent, "and none of them is wrong in silence", *silent)


def little_memory(tap, program, work, data):
    """Large members cost no more memory than small ones."""
    if not MEMORY_IS_ITS_OWN:
        tap.skip("memory of large members", "a wrapper or sanitizer takes memory of its own")
        return
    path = work.write("large.zip", zipped([("large.bin", bytes(200 << 20) + data)]))
    inner = work.write("large-in.zip", zipped([("large.zip", read(path))], zipfile.ZIP_STORED))
    for name in (path, inner):
        # After a real fork: else the most that this script ever had counts as the program's.
        process = program.start("scan", "-o", work.path("large.db"), name, preexec_fn=lambda: None)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        tap.ok(process.returncode == 0 and usage.ru_maxrss < 80 << 10,
               "%s: 200 MiB in a member need less than 80" % os.path.basename(name),
               process.returncode, usage.ru_maxrss)


def without_libarchive(tap, program, work, data):
    path = work.write("without.zip", zipped([("disc.bin", data)]))
    db = work.path("without.db")
    result = scan(program, db, path)
    tap.equal((result.code, faults(db, path)), (0, ["IMG0047"]),
              "built without libarchive: a note says so", result)
    path = work.write("without.bin.gz", gz(data))
    result = scan(program, db, path)
    tap.equal((result.code, len(found(db, path + "!/without.bin"))), (0, 3), "gzip is read all the same")


def main(argv):
    tap, program = Tap(), Program(argv)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with Workspace() as work:
        data = disc(program, work)
        if not has_archives(program):
            without_libarchive(tap, program, work, data)
            tap.done()
        _, expected = same_disc_everywhere(tap, program, work, data)
        paths_of_members(tap, work)
        nested_and_piped(tap, program, work, expected)
        replays(tap, program, work)
        scanned_again(tap, program, work, data)
        odd_names(tap, program, work)
        links(tap, program, work, data)
        as_they_lie(tap, program, work, data)
        lookalikes(tap, program, work)
        deep(tap, program, work, data)
        bombs(tap, program, work)
        up_to_the_limit(tap, program, work)
        too_many(tap, program, work)
        too_long_to_keep(tap, program, work)
        lies(tap, program, work, data)
        encrypted(tap, program, work, data)
        sets(tap, program, work, data)
        damaged(tap, program, work, data)
        little_memory(tap, program, work, data)
        program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    import sys
    main(sys.argv)
