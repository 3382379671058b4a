"""What all parts share: where the project lies, how to speak, and errors for people."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


class Trouble(Exception):
    """The command cannot be carried out; the text says what, where and what to do."""


def say(text):
    print(f"framehound-fuzz: {text}", file=sys.stderr, flush=True)


def build_root():
    return os.environ.get("FRAMEHOUND_BUILD_DIR", os.path.join(ROOT, "build"))


def folder(*parts):
    """The path of a folder, which is made."""
    path = os.path.join(*parts)
    os.makedirs(path, exist_ok=True)
    return path


def files_in(path):
    """The plain files of a folder, sorted; none if there is no such folder."""
    try:
        with os.scandir(path) as entries:
            return sorted(entry.path for entry in entries
                          if entry.is_file() and not entry.name.startswith("."))
    except FileNotFoundError:
        return []


def size_of(path):
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0


def minutes(seconds):
    """Seconds for people."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.1f} min"
    return f"{seconds / 3600:.2f} h"
