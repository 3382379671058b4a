"""docs/formats: the layouts of TOD and HMD for other people's tools, made from the program's tables.

Every third sample and every tenth sound file of the corpus (FRAMEHOUND_LAYOUTS=all: each) is read by
the Kaitai Struct description, compiled by its compiler, and by `framehound inspect`: both must find
the same fields in the same bytes. No compiler of ImHex patterns can be had as a package; of those the
structure is checked.
"""
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from harness import HERE, Program, Tap, Workspace, corpus_path, need_real_files

KAITAI = os.path.join(HERE, "..", "kaitai")
DOCS = os.path.join(HERE, "..", "..", "docs", "formats")
WRITE_SCHEMA = os.environ.get("FRAMEHOUND_WRITE_SCHEMA", "")
ALL = os.environ.get("FRAMEHOUND_LAYOUTS") == "all"
MODULES = os.environ.get("FRAMEHOUND_KAITAI", "")  # where the modules are kept
FORMATS = ("tod", "hmd")
KINDS = ("ksy", "hexpat")


def sound_files(program, work, tap, kind):
    """A third of the samples and a tenth of the corpus, as the forge makes it, unless all is asked for."""
    shared = need_real_files(tap, "%s: real files are read" % kind)
    files = sorted(glob.glob(os.path.join(shared, "samples", kind, "*." + kind))) if shared else []
    files = files[::1 if ALL else 3]
    num = len(files)
    for path in sorted(glob.glob(corpus_path(kind, "*.good.forge")))[::1 if ALL else 10]:
        out = work.path("%s.%s" % (os.path.basename(path), kind))
        with open(path, encoding="utf-8") as file:
            program.forge(kind, file.read(), out)
        files.append(out)
    return files, num


# ---- Kaitai Struct ----

def modules():
    """The folder of the modules, installed if they are not there yet; and why there is none."""
    if not shutil.which("node") or not shutil.which("npm"):
        return None, "node and npm are not installed"
    folder = MODULES or os.path.join(os.path.expanduser("~"), ".cache", "framehound-kaitai")
    os.makedirs(folder, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        with open(os.path.join(KAITAI, name), "rb") as file:
            wanted = file.read()
        there = os.path.join(folder, name)
        if not os.path.exists(there) or open(there, "rb").read() != wanted:
            shutil.rmtree(os.path.join(folder, "node_modules"), ignore_errors=True)
            with open(there, "wb") as file:
                file.write(wanted)
    if not os.path.isdir(os.path.join(folder, "node_modules", "kaitai-struct")):
        try:
            done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
                                  cwd=folder, capture_output=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            return None, "npm ci does not come to an end"
        if done.returncode != 0:
            return None, "npm ci failed, perhaps for want of a network"
    return folder, None


def camel(path):
    """The last name of a path, as the compiler writes it in JavaScript."""
    name = re.sub(r"\[\d+\]$", "", path.rsplit(".", 1)[-1])
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def by_inspect(program, path):
    done = program.run("inspect", "--format", "json", "--fail-on", "never", path)
    told = json.loads(done.out)
    fields = {(camel(field["path"]), field["offset"], field["offset"] + field["length"])
              for field in told["fields"] if "kind" in field}
    return fields, told


def by_kaitai(folder, kind, files):
    done = subprocess.run(["node", os.path.join(KAITAI, "read.js"), folder,
                           os.path.join(DOCS, kind + ".ksy"), *files],
                          capture_output=True, timeout=300, check=False)
    return [json.loads(line) for line in done.stdout.decode().splitlines()], done.stderr.decode()


def unreferenced(told):
    """What the program's own rule says of bytes that nothing refers to."""
    messages = [finding["message"] for finding in told["findings"] if finding["code"] == "HMD0180"]
    return int(re.search(r"length is (\d+) byte", messages[0]).group(1)) if messages else 0


def check_kaitai(program, work, tap, kind):
    files, num_real = sound_files(program, work, tap, kind)
    folder, why = modules()
    if folder is None:
        tap.skip("%s.ksy is compiled and reads what the program reads" % kind, why)
        return
    read, errors = by_kaitai(folder, kind, files)
    if not tap.equal(len(read), len(files), "%s.ksy is compiled, and tried on every file" % kind, errors):
        return
    wrong = collections.OrderedDict()
    gaps = collections.OrderedDict()
    unread = {}
    sums = collections.Counter()
    for path, result in zip(files, read):
        fields, told = by_inspect(program, path)
        name = os.path.basename(path)
        seen = {tuple(field) for field in result.get("fields", ())}
        whole = {field for field in seen if field[0] == "wholeFile"}
        seen -= whole
        if whole != {("wholeFile", 0, told["length"])}:
            unread[name] = sorted(whole)
        if "error" in result or seen != fields:
            wrong[name] = (result.get("error"), "only Kaitai: %s" % sorted(seen - fields)[:4],
                           "only inspect: %s" % sorted(fields - seen)[:4])
        claimed = set()
        for _, start, end in seen:
            claimed.update(range(start, end))
        left = told["length"] - len(claimed)
        sums.update(files=1, bytes=told["length"], read=len(claimed), fields=len(seen), left=left)
        if left != sum(gap["length"] for gap in told["unclaimed"]):
            wrong[name] = "bytes that it does not read are others than inspect's"
        words = sum(gap["length"] // 4 * 4 for gap in told["unclaimed"])
        if words > unreferenced(told) and not is_mapped(path):
            gaps[name] = (words, unreferenced(told))
        if path in files[:num_real]:
            sums.update(real_bytes=told["length"], real_read=len(claimed),
                        real_ranges=len(told["unclaimed"]))
    tap.note("%s: %d files, %d bytes, all read; %d of them in %d fields, and nothing refers to %d" %
             (kind, sums["files"], sums["bytes"], sums["read"], sums["fields"], sums["left"]))
    tap.note("%s: of these %d real files, %d bytes; %d of them in fields, %d in %d ranges that are "
             "named as unclaimed" %
             (kind, num_real, sums["real_bytes"], sums["real_read"],
              sums["real_bytes"] - sums["real_read"], sums["real_ranges"]))
    tap.equal(unread, {}, "%s.ksy reads every file from its first byte to its last" % kind)
    tap.equal(wrong, {}, "%s.ksy and inspect find the same fields in the same bytes" % kind)
    return gaps


def is_mapped(path):
    """Whether it is a copy of memory: the primitive headers of one do not always tile any more."""
    with open(path, "rb") as file:
        return file.read(8)[4:] != bytes(4)


# ---- ImHex ----

WORDS = set("""using struct s128 u8 u16 u32 s8 s16 s32 auto if match import true std core array_index
               hidden comment export pragma description endian little eval_depth array_limit
               pattern_limit""".split())
RESERVED = set("""struct union using enum bitfield be le if else match false true this parent addressof
                  sizeof typenameof while for fn return reference null const namespace in out break
                  continue ref padding str char bool float double auto try catch import as from
                  unsigned signed section""".split())


def without_texts(text):
    text = re.sub(r"//[^\n]*|#pragma[^\n]*", "", text)
    return re.sub(r'"[^"\n]*"', '""', text)


def pairs_up(text):
    closing = {")": "(", "]": "[", "}": "{"}
    waiting = []
    for letter in text:
        if letter in "([{":
            waiting.append(letter)
        elif letter in closing and (not waiting or waiting.pop() != closing[letter]):
            return False
    return not waiting


def check_hexpat(tap, kind):
    with open(os.path.join(DOCS, kind + ".hexpat"), encoding="utf-8") as file:
        text = without_texts(file.read())
    with open(os.path.join(DOCS, kind + ".ksy"), encoding="utf-8") as file:
        ksy = file.read()
    tap.ok(pairs_up(text), "%s.hexpat: brackets pair up" % kind)
    known = set(re.findall(r"^using (\w+);", text, re.MULTILINE))
    parameters = {}
    problems = []
    bodies = re.findall(r"^struct (\w+)(?:<([^>]*)>)? \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    for name, params, body in bodies:
        known.add(name)
        parameters[name] = params.count("auto")
        for used, args in re.findall(r"\b([A-Z]\w*)(?:<((?:[^<>]|<=|>=|(?<= )[<>](?= ))*)>)? \w+", body):
            if used not in known:
                problems.append("%s uses %s before it is there" % (name, used))
            elif used != name and parameters[used] != (args.count(",") + 1 if args else 0):
                problems.append("%s gives %s %r" % (name, used, args))
        fields = re.findall(r"^\s+(?:\S+: )?(?:[us]\d+|[A-Z]\w*)(?:<.*>)? (\w+)", body, re.MULTILINE)
        problems += ["%s.%s is a word of the language" % (name, field)
                     for field in fields if field in RESERVED]
    camels = {"".join(part[:1].upper() + part[1:] for part in one.split("_"))
              for one in re.findall(r"^  (\w+):$", ksy.split("\ntypes:\n")[1], re.MULTILINE)}
    tap.equal(problems, [], "%s.hexpat: every struct is there before it is used, with its parameters" % kind)
    tap.equal({name for name, _, _ in bodies} - {kind.capitalize()}, camels,
              "%s.hexpat has the structs of %s.ksy" % (kind, kind))


# ---- what is committed ----

def check_written(tap):
    for kind in FORMATS:
        for form in KINDS:
            path = os.path.join(DOCS, "%s.%s" % (kind, form))
            if not WRITE_SCHEMA:
                tap.skip("%s.%s is what the tables say" % (kind, form), "FRAMEHOUND_WRITE_SCHEMA is not set")
                continue
            done = subprocess.run([WRITE_SCHEMA, kind, form], capture_output=True, check=False)
            with open(path, "rb") as file:
                tap.ok(done.stdout == file.read(), "%s.%s is what the tables say" % (kind, form),
                       "run docs/update-formats.sh")


def main():
    tap = Tap()
    program = Program(sys.argv)
    check_written(tap)
    with Workspace() as work:
        for kind in FORMATS:
            gaps = check_kaitai(program, work, tap, kind)
            if gaps is not None:
                tap.equal(gaps, {}, "%s: nothing else is left over than what HMD0180 tells" % kind)
            check_hexpat(tap, kind)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
