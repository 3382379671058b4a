"""Disc images to measure with: raw sectors of 2352 bytes with the stuff that discs hold.

Usage: discs.py FORGE MIB OUT     builds one and says what is in it

Everything comes from fixed seeds, so that two machines measure the same bytes. Between the assets
lie noise (as packed pictures are), machine code, text, sound sectors and empty ones; in them lie
forged animations and models and, where they are, the real files of the samples. Where each asset lies
and how long it is is known. Nothing else in it is an asset: a benchmark that finds one elsewhere, of
another length, or none has failed.
"""
import collections
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))

from harness import corpus_path, manifest, read, shared_folder, small_tod  # noqa: E402

SECTOR = 2352
USER = 2048
HEADER = 24       # bytes of a sector in front of its user data
MIB = 1 << 20
FILL = 512        # sectors of each piece of filling
KINDS = ("noise", "code", "noise", "sound", "text", "noise", "code", "empty", "sound", "noise")
# Opcodes and registers of ordinary compiled code, most of them load, store, add and branch.
OPCODES = (0x8c, 0x8f, 0xac, 0xaf, 0x24, 0x27, 0x00, 0x00, 0x00, 0x03, 0x10, 0x14, 0x3c, 0x34, 0x0c)
WORDS = ("the", "player", "moves", "to", "next", "room", "0", "1", "12", "key", "of", "door", "level", "0.5",
         "press", "start", "and", "load", "save", "memory", "card", "is", "full", "x", "y", "-3")

# This file ends with 8 zero bytes that nothing refers to: between other bytes nothing tells them from
# what follows.
PROVEN_LENGTHS = {"hmd/basic_tile.hmd": 1248}


def noise(rng, length):
    return rng.randbytes(length)


def code(rng, length):
    out = bytearray(rng.randbytes(length))
    out[3::4] = rng.randbytes(length // 4).translate(bytes(OPCODES[i % len(OPCODES)] for i in range(256)))
    small = rng.randbytes(length // 4).translate(bytes((i * i // 256) & 0xfc for i in range(256)))
    out[0::4] = small
    out[1::4] = rng.randbytes(length // 4).translate(bytes(0 if i < 200 else i & 0x3f for i in range(256)))
    return bytes(out)


def text(rng, length):
    words = []
    have = 0
    while have < length:
        word = rng.choice(WORDS) + rng.choice("    \n\t")
        words.append(word)
        have += len(word)
    return "".join(words).encode()[:length]


MAKERS = {"noise": noise, "code": code, "text": text}


def build(command, description, out, root):
    done = subprocess.run(command + ["-", "-o", out, "--root", root] if root else command + ["-", "-o", out],
                          input=description.encode(), capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    return out


def forged(forge, folder):
    """Small assets of our own, as samples() tells of files: animations, a model, texts."""
    made = [("tod", "forged%d" % seed, small_tod(40 + 20 * seed, seed + 1)) for seed in range(8)]
    for kind, name in (("hmd", "good-animation"), ("tra", "good-sample1"), ("tra", "good-sample2"),
                       ("camerawork", "good-line"), ("camerawork", "good-circle")):
        source = corpus_path(kind, name + ".forge")
        if os.path.exists(source):
            made.append((kind, name, read(source).decode()))
    out = []
    for kind, name, text in made:
        path = build([forge, kind], text, os.path.join(folder, name + "." + kind), None)
        out.append(([(kind, 0, os.path.getsize(path))], path))
    return out


def samples():
    """Files of the samples with assets, and where in them each lies: [([(format, offset, length)], path)]."""
    shared = shared_folder()
    if shared is None:
        return []
    return [([(kind, offset, PROVEN_LENGTHS.get(name, length)) for kind, offset, length, _ in rows],
             os.path.join(shared, "samples", name))
            for name, rows in sorted(manifest(shared).items()) if rows]


def raw_offset(sector, offset):
    """The byte of the image with that byte of the user data from the start of a sector of data on."""
    return (sector + offset // USER) * SECTOR + HEADER + offset % USER


def counts_of(assets):
    """How many there are of each format, of (format, ...) each."""
    return dict(sorted(collections.Counter(asset[0] for asset in assets).items()))


def make(forge, mib, out, every=1):
    """Builds an image of about so many MiB, with an asset behind each piece of filling, or behind
    every so manieth; returns the assets in it, sorted: [(format, raw offset, length)]."""
    out = os.path.abspath(out)
    folder = out + ".parts"
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(1)
    total = mib * MIB // SECTOR
    pool = []
    for kind, maker in MAKERS.items():
        for i in range(6):
            path = os.path.join(folder, "%s%d" % (kind, i))
            with open(path, "wb") as file:
                file.write(maker(rng, FILL * USER - 64 * i))
            pool.append((kind, path))
    own = forged(forge, folder)
    once = samples()
    lines, placed, at, turn = ["image stride=2352"], [], 0, 0
    while at + FILL + 260 < total:
        kind = KINDS[turn % len(KINDS)]
        if kind == "sound":
            lines.append("form2 %d channel=1 submode=0x64 fill=0x%02x at=%d" % (FILL, turn % 255, at))
            at += FILL
        elif kind == "empty":
            lines.append("gap %d at=%d" % (FILL // 4, at))
            at += FILL // 4
        else:
            lines.append("hidden < %s at=%d" % (rng.choice([p for k, p in pool if k == kind]), at))
            at += FILL
        turn += 1
        if turn % every != 0:
            continue
        num = turn // every - 1
        assets, path = once.pop() if once and num % 3 == 1 else own[num % (8 if num % 10 else len(own))]
        skip = 4 * rng.randrange(500)
        lines.append("hidden < %s at=%d skip=%d" % (path, at, skip))
        placed += [(kind, raw_offset(at, skip + offset), length) for kind, offset, length in assets]
        at += (os.path.getsize(path) + skip + USER - 1) // USER
    lines.append("gap 3 at=%d" % at)
    build([forge, "image"], "\n".join(lines) + "\n", out, "/")
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    os.rmdir(folder)
    return sorted(placed)


if __name__ == "__main__":
    for row in make(sys.argv[1], int(sys.argv[2]), sys.argv[3]):
        print(*row, sep="\t")
