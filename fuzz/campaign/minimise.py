"""Makes a failing input smaller while it fails for the same reason, within a bounded time."""
import os
import time

from .measure import call

SMALL = 64  # bytes; below, libFuzzer's way has nothing ahead of ours


def remove_chunks(data, fails, until):
    """Leaves out halves, quarters ... single bytes, as long as that works."""
    size = max(1, len(data) // 2)
    while True:
        at, removed = 0, False
        while at < len(data):
            if time.monotonic() > until:
                return data
            shorter = data[:at] + data[at + size:]
            if fails(shorter):
                data, removed = shorter, True
            else:
                at += size
        if size == 1 and not removed:
            return data
        if not removed:
            size = max(1, size // 2)
        size = min(size, max(1, len(data)))
        if not data:
            return data


def plain_bytes(data, fails, until):
    """Puts 0 for bytes, first for many at a time, so that one sees which of them matter."""
    size = max(1, len(data) // 2)
    while size >= 1:
        for at in range(0, len(data), size):
            if time.monotonic() > until:
                return data
            plain = data[:at] + bytes(len(data[at:at + size])) + data[at + size:]
            if plain != data and fails(plain):
                data = plain
        size //= 2
    return data


def by_libfuzzer(program, path, out, seconds, flags, variables):
    """libFuzzer's own way: fast, since it stays in one process, but it takes any failure."""
    call([program, "-minimize_crash=1", f"-max_total_time={int(max(1, seconds))}", *flags,
          f"-exact_artifact_path={out}", path], env=variables)
    try:
        with open(out, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    finally:
        if os.path.exists(out):
            os.remove(out)


def smallest(data, fails, seconds, quick=None):
    """The smallest input that was found. fails(bytes) tells whether they fail for the same reason;
    quick(seconds) may give a first guess, or None."""
    until = time.monotonic() + seconds
    if quick is not None and len(data) > SMALL:
        guess = quick(seconds / 3)
        if guess is not None and len(guess) < len(data) and fails(guess):
            data = guess
    data = remove_chunks(data, fails, until)
    return plain_bytes(data, fails, until)
