"""What a target starts from: what the forge builds, committed seeds and regressions; dictionaries.

Assets that the forge builds come from fuzz/make_seeds.py. A dictionary is the sum of
fuzz/dict/NAME.dict, of what a build generated as fuzz/NAME.dict, and of AFL++'s constants.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys

from .common import ROOT, Trouble, files_in, folder, say

MOST_SEEDS = 0.95        # that are not left out for their length
SHORTEST_MAX = 16 << 10  # bytes: the longest input of an engine is at least this long
LONGEST_MAX = 1 << 20    # and no longer than AFL++ makes it
LONGEST_TOKEN = 128  # bytes; AFL++ refuses longer ones
TOKEN = re.compile(r'^\s*(?:[\w.-]+(?:@\d+)?\s*=\s*)?"((?:[^"\\]|\\["\\]|\\x[0-9a-fA-F]{2})+)"\s*$')


def committed(target):
    return [os.path.join(ROOT, "corpus", kind, target) for kind in ("seeds", "regressions")]


def forged(tree, out, targets):
    """Makes the seeds of these targets into out/NAME."""
    script = os.path.join(ROOT, "fuzz", "make_seeds.py")
    done = subprocess.run([sys.executable, script, tree.forge(), ROOT, out, *targets], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Trouble(f"{script} failed:\n{done.stderr[-2000:]}")


def usual_length(sources):
    """So long that few seeds are longer: a few large ones would make an engine slow."""
    lengths = sorted(os.path.getsize(path) for source in sources for path in files_in(source))
    usual = lengths[int(len(lengths) * MOST_SEEDS)] if lengths else 0
    return min(max(usual, SHORTEST_MAX), LONGEST_MAX)


def gather(target, sources, to, max_len):
    """Copies files of up to max_len bytes into a folder, each content once; returns their number
    and that of the longer ones, which are left out."""
    folder(to)
    taken = {os.path.basename(path) for path in files_in(to)}
    longer = 0
    for path in (path for source in sources for path in files_in(source)):
        if os.path.getsize(path) > max_len:
            longer += 1
            continue
        with open(path, "rb") as file:
            name = hashlib.sha1(file.read()).hexdigest()
        if name not in taken:
            shutil.copyfile(path, os.path.join(to, name))
            taken.add(name)
    if not taken:  # AFL++ wants one
        with open(os.path.join(to, "empty"), "wb") as file:
            file.write(b"\0")
        taken.add("empty")
    say(f"{target}: {len(taken)} seeds"
        + (f", {longer} longer than {max_len} bytes left out" if longer else ""))
    return len(taken), longer


def provide(tree, targets, out, max_len):
    """Fills out/NAME/seeds for every target that has none yet. Returns the longest input of each,
    which is max_len if that is given."""
    missing = [name for name in targets if not files_in(os.path.join(out, name, "seeds"))]
    made = os.path.join(out, "forged")
    if missing and os.path.exists(tree.forge()):
        forged(tree, folder(made), missing)
    lengths = {}
    for name in targets:
        place = os.path.join(out, name, "seeds")
        sources = [os.path.join(made, name), *committed(name)] if name in missing else [place]
        lengths[name] = max_len or usual_length(sources)
        if name in missing:
            gather(name, sources, place, lengths[name])
    return lengths


def tokens_of(path):
    """The tokens of a dictionary in AFL's form, and how many of its lines cannot be read."""
    tokens, bad = [], 0
    try:
        with open(path, encoding="latin-1") as lines:
            for line in (line.strip() for line in lines):
                found = TOKEN.match(line)
                if found:
                    tokens.append(found.group(1))
                elif line and not line.startswith("#"):
                    bad += 1
    except FileNotFoundError:
        pass
    return tokens, bad


def length(token):
    return len(re.sub(r"\\(x..|.)", "x", token))


def write_dictionary(target, sources, path):
    """Writes the tokens of some dictionaries, each once; returns the path, None if there are none.
    What cannot be used is told."""
    found, bad = {}, 0
    for source in sources:
        tokens, unread = tokens_of(source)
        found.update(dict.fromkeys(tokens))
        bad += unread
    short = [token for token in found if length(token) <= LONGEST_TOKEN]
    if bad or len(short) < len(found):
        say(f"{target}: of its dictionaries {bad} lines cannot be read, "
            f"{len(found) - len(short)} tokens are longer than {LONGEST_TOKEN} bytes")
    if not short:
        return None
    with open(path, "w", encoding="latin-1") as out:
        out.writelines(f'"{token}"\n' for token in short)
    return path


def dictionary(tree, target, path):
    """Writes the dictionary of a target; returns the path, or None if there is nothing in it."""
    return write_dictionary(target, [
        os.path.join(ROOT, "fuzz", "dict", f"{target}.dict"),
        os.path.join(tree.folder("fuzz-address"), "fuzz", f"{target}.dict"),
        tree.dictionary()], path)
