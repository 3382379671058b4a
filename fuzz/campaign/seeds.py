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

LONGEST_TOKEN = 128  # bytes; AFL++ refuses longer ones
TOKEN = re.compile(r'^\s*(?:[\w.-]+(?:@\d+)?\s*=\s*)?"((?:[^"\\]|\\["\\]|\\x[0-9a-fA-F]{2})+)"\s*$')


def committed(target):
    return [os.path.join(ROOT, "corpus", kind, target) for kind in ("seeds", "regressions")]


def forged(tree, out):
    """Has the forge build the seeds of every target into out/NAME."""
    script = os.path.join(ROOT, "fuzz", "make_seeds.py")
    done = subprocess.run([sys.executable, script, tree.forge(), ROOT, out], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Trouble(f"{script} failed:\n{done.stderr[-2000:]}")


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
    """Fills out/NAME/seeds for every target that has none yet."""
    missing = [name for name in targets if not files_in(os.path.join(out, name, "seeds"))]
    made = os.path.join(out, "forged")
    if missing and tree.made is None:
        forged(tree, folder(made))
    for name in missing:
        gather(name, [os.path.join(made, name), *committed(name)],
               os.path.join(out, name, "seeds"), max_len)


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


def dictionary(tree, target, path):
    """Writes the dictionary of a target; returns the path, or None if there is nothing in it."""
    found, bad = {}, 0
    for source in (os.path.join(ROOT, "fuzz", "dict", f"{target}.dict"),
                   os.path.join(tree.folder("fuzz-address"), "fuzz", f"{target}.dict"),
                   tree.dictionary()):
        tokens, unread = tokens_of(source)
        found.update(dict.fromkeys(tokens))
        bad += unread
    short = [token for token in found if length(token) <= LONGEST_TOKEN]
    if bad or len(short) < len(found):
        say(f"{target}: of its dictionaries {bad} lines cannot be read, "
            f"{len(found) - len(short)} tokens are longer than {LONGEST_TOKEN} bytes")
    with open(path, "w", encoding="latin-1") as out:
        out.writelines(f'"{token}"\n' for token in short)
    return path if short else None
