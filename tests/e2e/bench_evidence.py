"""What evidence false hits have: bytes that hold no animation are searched, and everything that
is found in them is counted by format and evidence. The default of `scan --min-evidence` was set by
what this prints.

Usage: bench_evidence.py FRAMEHOUND FORGE [PART...]. Without parts: a few MiB of each kind of noise,
which is enough to see that this script works. PART is random:GIB, shuffled:MIB, words:MIB,
halfwords:MIB, sparse:MIB, digits:MIB, or the path of a folder that holds no animation.
FRAMEHOUND_EVIDENCE_SECONDS ends a part after so long; what was searched by then counts.

Fails if something is found in the noise that the default would have let pass.
"""
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from harness import Program, Tap, Workspace, query, shared_folder

MIB = 1 << 20
CHUNK = 4 * MIB
SECONDS = float(os.environ.get("FRAMEHOUND_EVIDENCE_SECONDS", "0")) or None
EVERY_HIT = ["--min-evidence", "0"]
# Bytes that stand in headers of the formats, in front of the small numbers of the rest.
LOW = bytes([0x50, 0x41, 0, 0, 1, 1, 2, 2, 3, 4, 6, 8, 12, 16, 20, 32] + list(range(16)))
TEXT = b"0 1 0 1 0 1 2 3 4 5 6 7 8 9 . e + - \n0 0 \n0 1 0.0e+00"


def folded(values, num, rng):
    """num bytes, each one of values."""
    table = bytes(values[i % len(values)] for i in range(256))
    return rng.randbytes(num).translate(table)


def random_bytes(rng):
    return rng.randbytes(CHUNK)


def small_words(rng):
    """Words of small integers, now and then one of 16 bits."""
    block = bytearray(CHUNK)
    block[0::4] = folded(LOW, CHUNK // 4, rng)
    block[1::4] = folded(bytes(60) + bytes(range(4)), CHUNK // 4, rng)
    return bytes(block)


def small_halfwords(rng):
    block = bytearray(CHUNK)
    block[0::2] = folded(LOW, CHUNK // 2, rng)
    block[3::4] = folded(bytes(12) + bytes(range(4)), CHUNK // 4, rng)
    return bytes(block)


def sparse_bytes(rng):
    """Mostly zeros."""
    return folded(bytes(160) + LOW * 3, CHUNK, rng)


def digits(rng):
    return folded(TEXT, CHUNK, rng)


NOISE = {"random": random_bytes, "words": small_words, "halfwords": small_halfwords,
         "sparse": sparse_bytes, "digits": digits}


def samples(program, work):
    """Real files, and texts of the forge, of which no real ones are at hand."""
    shared = shared_folder()
    files = []
    for folder, _, names in os.walk(os.path.join(shared, "samples")) if shared else []:
        files += [os.path.join(folder, name) for name in sorted(names) if "discs" not in folder]
    corpus = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpus")
    for kind in ("tod", "hmd", "tra", "camerawork"):
        for name in sorted(os.listdir(os.path.join(corpus, kind))):
            if name.startswith("good-"):
                out = work.path(kind + name)
                done = subprocess.run([program.forge_path, kind, os.path.join(corpus, kind, name),
                                       "-o", out], stderr=subprocess.DEVNULL)
                files += [out] if done.returncode == 0 else []
    return [open(name, "rb").read() for name in files]


def shuffled(rng, pool):
    """A chunk of real files, each in pieces of 1, 2, 4 or 16 bytes, or a text in words and
    lines, that were mixed."""
    parts, have = [], 0
    while have < CHUNK:
        data = rng.choice(pool)
        unit = rng.choice((1, 2, 4, 4, 4, 16))
        if b"\0" not in data and rng.random() < 0.5:
            pieces = re.split(rb"(?<=\n)|(?= )", data)
        else:
            pieces = [data[i:i + unit] for i in range(0, len(data) // unit * unit, unit)]
        rng.shuffle(pieces)
        data = b"".join(pieces)
        parts.append(data + bytes(-len(data) % 4))
        have += len(data)
    return b"".join(parts)[:CHUNK]


def feed(program, db, make, size):
    """Scans size bytes of noise; how many there were."""
    process = program.start("scan", *EVERY_HIT, "--no-replay", "--no-unpack", "--layout", "plain",
                            "-o", db, "-", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    done, started = 0, time.monotonic()
    while done < size and not (SECONDS and time.monotonic() - started > SECONDS):
        process.stdin.write(make())
        done += CHUNK
    process.stdin.close()
    process.stdin = None
    return done, program.finish(process, timeout=3600)


def scan_folder(program, db, folder):
    process = program.start("scan", *EVERY_HIT, "--no-replay", "-o", db, folder,
                            stdout=subprocess.DEVNULL)
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(2)
    result = program.finish(process, timeout=3600)
    rows = query(db, "SELECT sum(size) AS bytes FROM source WHERE kind <> 'archive'")
    return rows[0]["bytes"] or 0, result


def histogram(db):
    return query(db, "SELECT format, evidence_bits AS bits, count(*) AS num FROM asset "
                     "GROUP BY format, evidence_bits ORDER BY format, evidence_bits")


def default_of(program):
    text = program.run("scan", "--help").text
    found = re.search(r"--min-evidence.*?default[: ]+(\d+)", text, re.S)
    return int(found.group(1)) if found else 0


def search(tap, program, work, part, least):
    name, _, amount = part.partition(":")
    db = tempfile.mktemp(dir=work.name)
    rng = random.Random(20 + len(name))
    if os.path.isdir(part):
        done, result = scan_folder(program, db, part)
    elif name == "shuffled":
        pool = samples(program, work)
        done, result = feed(program, db, lambda: shuffled(rng, pool), float(amount) * MIB)
    else:
        size = float(amount) * MIB * (1024 if name == "random" else 1)
        done, result = feed(program, db, lambda: NOISE[name](rng), size)
    rows = histogram(db)
    tap.note("%s: %.1f MiB, %d false hits" % (part, done / MIB, sum(r["num"] for r in rows)))
    for row in rows:
        tap.note("  %-10s %6d bits  %d" % (row["format"], row["bits"], row["num"]))
    tap.ok(all(row["bits"] < least for row in rows),
           "%s: nothing in it has the %d bits that an asset needs" % (name, least), result)


def main():
    tap = Tap()
    program = Program(sys.argv[:3])
    parts = sys.argv[3:] or ["random:0.03", "shuffled:16", "words:16", "halfwords:16", "sparse:16",
                             "digits:16"]
    least = default_of(program)
    with Workspace() as work:
        for part in parts:
            search(tap, program, work, part, least)
    program.tell_unsound(tap)
    tap.done()


main()
