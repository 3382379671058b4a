"""Builds CHD files of version 5 byte by byte, sound or lying: image format sheet, section 5.1."""
import hashlib
import struct
import subprocess
import zlib

HEADER_LEN = 124
FRAME = 2448
SYNC = bytes([0] + [255] * 10 + [0])
STORED, SELF, PARENT = 4, 5, 6
LEN_BITS, SELF_BITS, PARENT_BITS = 24, 20, 24


def crc16(data):
    crc = 0xffff
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xffff
    return crc


def deflate(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout


def cd_hunk(hunk, pack, pack_sub, ecc_frames=()):
    """A hunk of frames as the cd codecs pack it; of ecc_frames sync and ECC are left out."""
    frames = [bytearray(hunk[at:at + FRAME]) for at in range(0, len(hunk), FRAME)]
    marks = bytearray((len(frames) + 7) // 8)
    for i in ecc_frames:
        marks[i // 8] |= 1 << i % 8
        frames[i][:12] = bytes(12)
        frames[i][0x81c:0x930] = bytes(276)
    base = pack(b"".join(bytes(f[:2352]) for f in frames))
    length = len(base).to_bytes(2 if len(hunk) < 65536 else 3, "big")
    return bytes(marks) + length + base + pack_sub(b"".join(bytes(f[2352:]) for f in frames))


class Bits:
    def __init__(self):
        self.value, self.num = 0, 0

    def put(self, value, num):
        self.value, self.num = self.value << num | value & (1 << num) - 1, self.num + num

    def bytes(self):
        pad = -self.num % 8
        return (self.value << pad).to_bytes((self.num + pad) // 8, "big")


class Entry:
    """One hunk: kind 0..3 with packed bytes, STORED with bytes, SELF and PARENT with a number. `lie`
    replaces fields: length, crc, off (only with a map of one run of hunks)."""

    def __init__(self, kind, data=b"", plain=b"", number=0, **lie):
        self.kind, self.data, self.plain, self.number, self.lie = kind, data, plain, number, lie


def pack_map(entries, hunk_len, first, **lie):
    bits, raw, at = Bits(), b"", first
    for _ in range(16):
        bits.put(4, 4)
    for entry in entries:
        bits.put(entry.kind, 4)
    for entry in entries:
        length, off, crc = 0, entry.number, 0
        if entry.kind <= STORED:
            length = entry.lie.get("length", len(entry.data))
            crc = entry.lie.get("crc", crc16(entry.plain))
            off, at = at, at + (hunk_len if entry.kind == STORED else length)
            if entry.kind < STORED:
                bits.put(length, LEN_BITS)
            else:
                length = hunk_len
            bits.put(crc, 16)
        elif entry.kind in (SELF, PARENT):
            bits.put(entry.number, SELF_BITS if entry.kind == SELF else PARENT_BITS)
        else:
            off = at
        raw += bytes([entry.kind]) + length.to_bytes(3, "big") + off.to_bytes(6, "big") + \
            crc.to_bytes(2, "big")
    packed = bits.bytes()
    head = struct.pack(">I", lie.get("map_len", len(packed))) + first.to_bytes(6, "big") + \
        struct.pack(">H4B", lie.get("map_crc", crc16(raw)), lie.get("len_bits", LEN_BITS), SELF_BITS,
                    PARENT_BITS, 0)
    return head + packed


def pack_metadata(blocks, at, circle=False):
    out = b""
    for i, (tag, text) in enumerate(blocks):
        data = text.encode() + b"\0"
        after = at + len(out) + 16 + len(data)
        following = after if i + 1 < len(blocks) else at if circle else 0
        out += tag.encode() + bytes([1]) + len(data).to_bytes(3, "big") + \
            struct.pack(">Q", following) + data
    return out


def build(entries, hunk_len, unit_len, codecs=("zlib",), metadata=(), logical=None, data=None,
          circle=False, parent=bytes(20), header=None, **lie):
    """The file. data is what it holds, for the SHA-1 (None: no SHA-1). header: {offset: bytes} to be
    written over the finished header."""
    body = b"".join(e.data for e in entries)
    meta_at = HEADER_LEN + len(body)
    meta = pack_metadata(metadata, meta_at, circle)
    map_at = meta_at + len(meta)
    size = logical if logical is not None else len(entries) * hunk_len
    raw_sha1 = hashlib.sha1(data).digest() if data is not None else bytes(20)
    tags = b"".join(c.encode() for c in codecs).ljust(16, b"\0")
    head = bytearray(b"MComprHD" + struct.pack(">II", HEADER_LEN, 5) + tags + struct.pack(
        ">QQQII", size, map_at, meta_at if meta else 0, hunk_len, unit_len) + raw_sha1 +
        bytes(20) + parent)
    for at, value in (header or {}).items():
        head[at:at + len(value)] = value
    return bytes(head) + body + meta + pack_map(entries, hunk_len, HEADER_LEN, **lie)
