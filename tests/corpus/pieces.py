"""Builds the files that a fixture of images or of the run describes: corpus/README.md.

A description is a comment and parts. Each begins with a line `=== NAME KIND [WORD...]`, and the lines
behind it are its content; the last one is `=== scan WORD...` or `=== check WORD...`. Standard library
only.
"""
import io
import os
import random
import re
import shlex
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import chd_forge

FORGED = ("tod", "hmd", "tra", "camerawork", "image", "bac")
CHD_HUNK = 4096
NUMBERS = {"u8": "<B", "u16": "<H", "u32": "<I", "be16": ">H", "be32": ">I", "be64": ">Q"}


class Wrong(Exception):
    """A description that does not follow the language."""


def number(word):
    return int(word, 0)


def parts_of(text):
    """[(words of the `===` line, lines behind it)], without the comment."""
    parts = []
    for line in text.splitlines():
        if line.startswith("=== "):
            parts.append((shlex.split(line[4:]), []))
        elif parts:
            parts[-1][1].append(line)
        elif line and not line.startswith("#"):
            raise Wrong(f"a line before the first part: {line}")
    return parts


# ---- bytes -----------------------------------------------------------------------------------

def content(folder, name, *bounds):
    """A file built before, or LENGTH bytes of it FROM an offset."""
    with open(os.path.join(folder, name), "rb") as file:
        data = file.read()
    if bounds:
        first, length = (number(word) for word in bounds)
        if first + length > len(data):
            raise Wrong(f"{name} has only {len(data)} bytes")
        data = data[first:first + length]
    return data


def gzipped(data):
    """As it is and not compressed, so that every machine makes the same bytes."""
    packer = zlib.compressobj(0, zlib.DEFLATED, -15)
    return bytes.fromhex("1f8b080000000000 0003") + packer.compress(data) + packer.flush() + \
        struct.pack("<II", zlib.crc32(data), len(data))


def piece(folder, words):
    """The bytes of one line."""
    kind, args = words[0], words[1:]
    if kind in NUMBERS:
        return b"".join(struct.pack(NUMBERS[kind], number(word)) for word in args)
    if kind == "both":  # as ISO 9660 keeps numbers: in both byte orders
        return b"".join(struct.pack("<I", number(w)) + struct.pack(">I", number(w)) for w in args)
    if kind == "hex":
        return bytes.fromhex(" ".join(args))
    if kind == "ascii":
        return " ".join(args).encode("ascii")
    if kind == "fill":
        return bytes([number(args[1]) if len(args) > 1 else 0]) * number(args[0])
    if kind == "noise":
        return random.Random(number(args[1]) if len(args) > 1 else 1).randbytes(number(args[0]))
    data = content(folder, *args)
    if kind == "file":
        return data
    if kind == "utf16":
        return data.decode("ascii").encode("utf-16-le")
    if kind == "gzip":
        return gzipped(data)
    raise Wrong(f"no such line: {' '.join(words)}")


def counted(words, turn):
    """A number written `A-Bn` or `A+Bn` is that of the turn n of the repeat, from 0 on."""
    out = []
    for word in words:
        match = re.match(r"^(\d+)([+-])(\d+)n$", word)
        if match:
            step = int(match[3]) * turn
            word = str(int(match[1]) + (step if match[2] == "+" else -step))
        out.append(word)
    return tuple(out)


def flattened(lines):
    """The lines, with those between `repeat N` and `endrepeat` as often as it says."""
    out, block, turns = [], None, 0
    for line in lines:
        words = shlex.split(line)
        if words and words[0] == "repeat" and block is None:
            block, turns = [], number(words[1])
        elif words and words[0] == "endrepeat" and block is not None:
            out.extend(counted(one, turn) for turn in range(turns) for one in block)
            block = None
        elif words:
            (out if block is None else block).append(tuple(words))
    if block is not None:
        raise Wrong("a repeat without its end")
    return out


def build_bytes(folder, lines):
    """Lines behind each other; `at OFFSET` goes on there, over what there is."""
    data, place, made = bytearray(), 0, {}
    for words in flattened(lines):
        if words[0] == "at":
            place = number(words[1])
            data += bytes(max(0, place - len(data)))
            continue
        if words not in made:
            made[words] = piece(folder, words)
        data[place:place + len(made[words])] = made[words]
        place += len(made[words])
    return bytes(data)


# ---- other kinds -----------------------------------------------------------------------------

def build_zip(folder, names):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name, (1990, 1, 1, 0, 0, 0)), content(folder, name))
    return out.getvalue()


def build_tar(folder, names):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in names:
            data = content(folder, name)
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def chd_entry(kind, value):
    if kind in ("same", "parent"):
        return chd_forge.Entry(chd_forge.SELF if kind == "same" else chd_forge.PARENT, number=value)
    data = bytes([value]) * CHD_HUNK
    if kind == "short":
        return chd_forge.Entry(0, chd_forge.deflate(data[1:]), data)
    return chd_forge.Entry(chd_forge.STORED, data, data)


def build_chd(lines):
    """Hunks of 4096 bytes: `hunk BYTE` is kept as it is, `short BYTE` is packed and lacks a byte,
    `same N` is equal to hunk N, `parent N` is in another file."""
    entries = [chd_entry(kind, number(value)) for kind, value in map(str.split, lines)]
    return chd_forge.build(entries, CHD_HUNK, 512)


def forge(program, folder, *args):
    done = subprocess.run([program, *args], cwd=folder, capture_output=True, check=False)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(args)}: {done.stderr.decode(errors='replace')}")


def build_part(program, folder, words, lines):
    name, kind, args = words[0], words[1], words[2:]
    path = os.path.join(folder, name)
    if kind in FORGED:
        with open(path + ".forge", "w", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")
        root = ["--root", "."] if kind == "image" else []
        forge(program, folder, kind, name + ".forge", "-o", name, *root)
        os.remove(path + ".forge")
        return
    if kind == "map":  # a model as it lies in memory
        forge(program, folder, "map", args[0], "-o", name, *args[1:])
        return
    made = {"text": lambda: "".join(line + "\n" for line in lines).encode("ascii"),
            "chd": lambda: build_chd(lines),
            "bytes": lambda: build_bytes(folder, lines),
            "zip": lambda: build_zip(folder, args),
            "tar": lambda: build_tar(folder, args)}
    if kind not in made:
        raise Wrong(f"no such kind of part: {kind}")
    with open(path, "wb") as out:
        out.write(made[kind]())


def build(program, path, folder, run):
    """Builds all parts in the folder; returns the command of the last one and its words. run(words)
    is called where the program itself makes a file: `=== NAME by WORD...`."""
    with open(path, encoding="ascii") as file:
        parts = parts_of(file.read())
    if not parts or parts[-1][0][0] not in ("scan", "check"):
        raise Wrong("the last part is neither scan nor check")
    for words, lines in parts[:-1]:
        if words[1] == "by":
            run(words[2:])
        else:
            build_part(program, folder, words, lines)
    return parts[-1][0][0], parts[-1][0][1:]
