"""Bytes that are made to cost much: candidates that overlap, lead far, and come to nothing.

Usage: hostile.py FORGE FOLDER MIB [NAME...]    writes NAME.bin for each, all by default

Each maker takes a length and gives about so many bytes. What they try to bring about is in their
comments; tests/bench/bench_hostile.py measures a scan of each at one size and twice of it.
"""
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))

from harness import corpus_path, read, square_model  # noqa: E402


SECTOR_LEN, DATA_OFF, DATA_LEN = 2352, 24, 2048


def words(pattern, length):
    unit = struct.pack("<%dI" % len(pattern), *pattern)
    return unit * (length // len(unit))


def counted(length, step, make):
    """Units of step bytes, each made from its number."""
    return b"".join(make(i) for i in range(length // step))


def forged(forge, kind, text):
    return subprocess.run([forge, kind, "-", "-o", "-"], input=text.encode(), capture_output=True,
                          check=True).stdout


# ---- TOD

def tod_headers(length, forge):
    """Every word begins a TOD and an HMD."""
    return words([0x50], length)


def tod_chain(length, forge):
    """Frames of three words without end; a header begins in each and runs into all that follow."""
    return counted(length, 12, lambda i: struct.pack("<III", 0x00010003, 0x50 | (i & 0xffff) << 16, 0x01080001))


def tod_chain_broken(length, forge):
    """The same, but every 4 MiB the chain breaks, so that each walk fails late."""
    def unit(i):
        size = 0 if i % 349525 == 349524 else 0x00010003
        return struct.pack("<III", size, 0x50 | (i & 0xffff) << 16, 0x01080001)
    return counted(length, 12, unit)


def tod_two_chains(length, forge):
    """Headers at every eighth byte lead into chains that jump over each other and never meet."""
    def unit(i):
        return struct.pack("<II", 0x00000002 + 2 * (i % 97), 0x50 | (i & 0xffff) << 16)
    return counted(length, 8, unit)


def tod_far_jumps(length, forge):
    """Frames as long as can be, which are full of packets that are as short as can be."""
    return words([0x00000050, 0x00010000, 0xfffdffff, 0x01080001], length)


def tod_packets(length, forge):
    """Packets without end behind a header at every other word."""
    return words([0x01080050, 0x01080001], length)


def tod_small(length, forge):
    """Sound animations of few bytes, one behind the other: each is found and told."""
    one = forged(forge, "tod", "tod\nframe 0\ncreate 1\nparent 1 world\nmodel 1 1\n"
                 "coord 1 abs r 0 0 0 s 4096 4096 4096 t 0 0 0\nrepeat 8\nframe +\ncoord 1 diff r 0 3600 0\nendrepeat\n")
    return one * (length // len(one))


def tod_nested(length, forge):
    """Sound animations that begin inside each other: frame numbers are headers."""
    def unit(i):
        return struct.pack("<IIIIII", 0x00010004, 0x50 | (i & 0xffff) << 16, 64, 0x00010002, 0x02020001, 5)[:24]
    return counted(length, 24, unit)


# ---- HMD

def hmd_headers(length, forge):
    """At every fourth word an HMD whose table of primitives goes on for as long as can be."""
    return words([0x50, 0, 4, 0x00100000], length)


def hmd_tables(length, forge):
    """An HMD at every sixth word; its table and headers lead back and forth."""
    return words([0x50, 0, 3, 2, 0x8, 0xc], length)


def hmd_zeros(length, forge):
    """Headers in zeros: tables without an entry."""
    return words([0x50, 0, 0x100, 0x200] + [0] * 12, length)


def hmd_blocks(length, forge):
    """Headers of many blocks with 16 words between: each reads a table that the next one reads too."""
    return words([0x50, 0, 0x20, 0x1000] + [4, 8, 0xc, 0x10] * 3, length)


def hmd_broken(length, forge):
    """A sound model again and again, of which the last words are missing."""
    one = forged(forge, "hmd", read(corpus_path("hmd", "good-animation.forge")).decode())
    one = one[:len(one) - 8]
    return one * (length // len(one))


def hmd_records(length, forge):
    """Models whose records all draw the same packets, cut short: work that grows with the square."""
    one = square_model(600)[:-64]
    return one * (length // len(one))


def hmd_shared(length, forge):
    """Thousands of models that share primitive headers: all that may be spent on places is spent."""
    models, headers = 2000, 20000
    block = b"".join(struct.pack("<7I", 0x50, 0, 7 * (models - i), 2, 0, 0, 0) for i in range(models))
    block += struct.pack("<I", headers) + bytes(4 * headers)
    return (block * (length // len(block) + 1))[:length]


# ---- texts

def tra_heads(length, forge):
    return b";TRA4\r\n" * (length // 7)


def tra_endless(length, forge):
    """A header, and one line that never ends."""
    return (b";TRA4\nhead\n" + b"kf " * (1 << 18)) * (length // (3 << 18))


def tra_keys(length, forge):
    return b"kf 0 1.0 kgf 1 2.0 0 0 " * (length // 23)


def tra_broken(length, forge):
    """A sound text, but for its end."""
    one = forged(forge, "tra", read(corpus_path("tra", "good-sample1.forge")).decode())
    one = one[:len(one) * 9 // 10]
    return one * (length // len(one))


def tra_lines(length, forge):
    """Lines with a key each, as a text has them, and no head."""
    return b"kf 0 0.000000\nkf 1 6.138396\n" * (length // 28)


def tra_wide(length, forge):
    return (b"k\0f\0 \0" + b"0\0 \0") * (length // 10)


def cam_flags(length, forge):
    """The column that a line is known by, and nothing else."""
    return b" 0 1" * (length // 4)


def cam_numbers(length, forge):
    """Numbers that may be a row of 25 columns at any place."""
    return b"1 0 0 1.5 -2 3 " * (length // 15)


def cam_broken(length, forge):
    """A way whose last column is missing in every line."""
    one = forged(forge, "camerawork", read(corpus_path("camerawork", "good-line.forge")).decode())
    one = b"\r\n".join(line.rsplit(b" ", 1)[0] for line in one.split(b"\r\n")) + b"\r\n"
    return one * (length // len(one))


def cam_pieces(length, forge):
    """Pieces of a way with a byte between that is no text: each is a part that may be joined."""
    one = forged(forge, "camerawork", read(corpus_path("camerawork", "good-line.forge")).decode())
    lines = one.split(b"\r\n")
    pieces = b"".join(line + b"\r\n\0\0" for line in lines[:200])
    return pieces * (length // len(pieces))


def cam_digits(length, forge):
    """Digits without end between the flags."""
    return (b"1 0 1 " + b"1" * 250 + b" ") * (length // 257)


# ---- what images are made of

def descriptors(length, forge):
    """Volume descriptors everywhere, in no sectors."""
    return (b"\x01CD001\x01\0" + bytes(56)) * (length // 64)


def descriptor_image(length, forge):
    """An image of nothing but volume descriptors and directories that lead to themselves."""
    both = lambda n: struct.pack("<I", n) + struct.pack(">I", n)  # noqa: E731
    record = b"\x22\0" + both(16) + both(2048) + bytes(7) + b"\x02\0\0\x01\0\0\x01\x01\0"
    sector = (b"\x01CD001\x01\0" + bytes(148) + record).ljust(2048, b"\0")
    records = record * 58
    return sector * 17 + (records.ljust(2048, b"\0")) * (length // 2048 - 17)


def bcd(number):
    return number // 10 << 4 | number % 10


def interleaved(data, channels=2):
    """The bytes in raw Mode 2 sectors whose channels alternate, without codes: they are searched as they lie,
    and once more as the sectors of each channel."""
    out = bytearray()
    for i in range(0, len(data), DATA_LEN):
        lba = i // DATA_LEN
        minutes, rest = divmod(lba + 150, 75 * 60)
        out += b"\0" + b"\xff" * 10 + b"\0" + bytes((bcd(minutes), bcd(rest // 75), bcd(rest % 75), 2))
        out += bytes((1, lba % channels, 8, 0)) * 2
        out += data[i:i + DATA_LEN].ljust(SECTOR_LEN - DATA_OFF, b"\0")
    return bytes(out)


def interleaved_place(at):
    """Where a byte of the data is in the image."""
    return at // DATA_LEN * SECTOR_LEN + DATA_OFF + at % DATA_LEN


def interleaved_tod(length, forge):
    return interleaved(tod_headers(length * DATA_LEN // SECTOR_LEN, forge))


def interleaved_hmd(length, forge):
    """What may be spent is spent in each of the streams."""
    return interleaved(hmd_shared(length * DATA_LEN // SECTOR_LEN, forge))


def interleaved_tra(length, forge):
    return interleaved(tra_heads(length * DATA_LEN // SECTOR_LEN, forge))


def interleaved_cam(length, forge):
    return interleaved(cam_flags(length * DATA_LEN // SECTOR_LEN, forge))


def syncs(length, forge):
    """Sector marks everywhere, in no step."""
    return (b"\0" + b"\xff" * 10 + b"\0") * (length // 12)


def zeros(length, forge):
    return bytes(length)


def spaces(length, forge):
    return b" " * length


MAKERS = {name: value for name, value in list(globals().items())
          if callable(value) and getattr(value, "__code__", None) is not None
          and value.__code__.co_varnames[:2] == ("length", "forge")}


# Sound assets, or such as are told with errors: their number is the work. In SOME a few are sound.
SOUND = ("tod_small", "hmd_broken", "hmd_records", "tra_broken")
SOME = ("cam_pieces", "cam_broken")
# More than may be spent on places: some are given up, and said to be.
GREEDY = ("hmd_shared", "interleaved_hmd")
# Images: what is put behind their bytes is no sector.
IMAGES = ("interleaved_tod", "interleaved_hmd", "interleaved_tra", "interleaved_cam")


def main():
    forge, folder, mib = sys.argv[1], sys.argv[2], float(sys.argv[3])
    for name in sys.argv[4:] or MAKERS:
        with open(os.path.join(folder, name + ".bin"), "wb") as file:
            file.write(MAKERS[name](int(mib * (1 << 20)), forge))


if __name__ == "__main__":
    main()
