#!/usr/bin/env python3
"""Makes the dictionaries of the targets, fuzz/dict/TARGET.dict, or holds them against the tables.

Usage: make_dictionaries.py DICTIONARY ROOT [--update]. DICTIONARY is built from dictionary_main.c:
it prints what the tables in memory say. Words that stand within the functions that read them are
taken from their sources. The dictionary of a format is made of these alone; in those of readers
they follow the line GENERATED, and what is in front of it was written by hand. Without --update
nothing is written, and it speaks TAP: a test for each target.
"""
import os
import re
import subprocess
import sys

PROGRAM, ROOT = (os.path.abspath(path) for path in sys.argv[1:3])
IS_UPDATE = sys.argv[3:] == ["--update"]
LISTS = re.compile(r"\b(?:names|chunks)\[\] = \{(.*?)\};", re.S)
LITERAL = re.compile(r'"([^"\\]+)"')

# What stands between keywords and values, and the ways in which run-times and programs write a
# number (formats/core/number.c); texts have no tables for these.
NUMBERS = ("0", "1", "-1.000000e+00", "1.000000e-040", "360.000000", "nan", "-1.#IND", "1.#QNAN",
           "inf", "0x1p3", "1,5", "2147483648")
MARKS = {"tra": ("( ", " )", "\n;", '"', ";TRA4\r\n", "6.0"), "camerawork": (" ", "\r\n", "\t", "#")}


GENERATED = "# Of the tables; written by make_dictionaries.py."
NAME = r'"((?:[^"\\]|\\.)+)"'  # a literal of C

# Of each reader: a source and how its words stand there. Each way has to find some.
SHEET, CHD = "scanner/source/sheet", "scanner/source/chd"
WORDS = {
    "sheet": ((SHEET + "_cue.c", r"\{" + NAME + r", (?:take_\w+|true|false)\}"),
              (SHEET + "_ccd.c", r"fh_word_is\([^()]*(?:\([^()]*\))?, " + NAME),
              (SHEET + "_mds.c", r"magic\[\] = " + NAME),
              (SHEET + "_nrg.c", r"\{" + NAME + r", add_\w+,"),
              (SHEET + "_nrg.c", r"known\[\] = \{(.*?)\};"),
              (SHEET + "_nrg.c", r"memcmp\([^,]*, " + NAME + ", 4"),
              ("scanner/source/tracks.c", r"\{" + NAME + r", \d+, \d\}")),
    "chd": ((CHD + "_codec.c", r"\{FH_CHD_TAG\((.*?)\)"),
            (CHD + "_tracks.c", r"case FH_CHD_TAG\((.*?)\)"),
            (CHD + "_tracks.c", r"\] = \{" + NAME + r", \d+\}"),
            (CHD + "_tracks.c", r"\{" + NAME + r", FH_CHD_\w+\}"),
            (CHD + "_tracks.c", r"(?:value_of|read_optional)\([^()]*text, " + NAME)),
    "container": (("scanner/source/container.c", r"BEGINS\(window, " + NAME),
                  ("scanner/source/container.c", r"memcmp\(window->base[^,]*, " + NAME),
                  ("scanner/source/container.c", r"\.suffix = " + NAME),
                  ("scanner/source/cdz.c", r"memcmp\(\w+(?:->base)?, " + NAME + r", \d"),
                  ("scanner/source/cdz.c", r"\{" + NAME + r', "disc\.'),
                  ("scanner/source/rzip.c", r"memcmp\(window->base, " + NAME),
                  ("scanner/source/retroarch.c", r"MAGIC " + NAME),
                  ("scanner/source/retroarch.c", r"memcmp\(mark, " + NAME),
                  ("scanner/source/pbp.c", r"_MAGIC " + NAME),
                  ("scanner/source/duckstation.c", r"memcmp\(window->base, " + NAME),
                  (CHD + "_open.c", r"memcmp\(bytes, " + NAME)),
    "memory": (("scanner/source/memory.c", r"memcmp\(window->base, " + NAME),
               ("scanner/source/memory.c", r"MAIN_RAM_NAME " + NAME),
               ("scanner/source/duckstation.c", r"memcmp\(window->base, " + NAME),
               ("scanner/source/retroarch.c", r"MAGIC " + NAME),
               ("scanner/source/retroarch.c", r"memcmp\(mark, " + NAME),
               ("scanner/source/kernel.c", r"texts\[\] = \{(.*?)\};")),
    "lock": (("scanner/gate/lock_read.c", r"behind\([^,]*, " + NAME),
             ("scanner/gate/lock_read.c", r"strcmp\(reader->text, " + NAME),
             ("scanner/gate/lock_write.c", r"\] = " + NAME)),
    "baseline": (("scanner/gate/baseline.c", r"first_line\[\] = " + NAME),),
    "config": (("scanner/gate/config.c", r"\{" + NAME + r", take_\w+\}"),
               ("scanner/gate/config.c", r"names\[\] = \{(.*?)\};"),
               ("scanner/gate/choice.c", r"names\[\] = \{(.*?)\};")),
    "store": (("reports/store/schema.c", r"CREATE (?:TABLE|VIEW)(?: IF NOT EXISTS)? main\.(\w+)"),
              ("reports/store/schema.c", r'"    (\w+) (?:TEXT|INTEGER|BLOB|REAL)\b')),
    "answer": (), "cache": (),
}
WORDS["scan"] = WORDS["container"] + WORDS["memory"]


def quoted(data):
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}"
                   for byte in data)


def keywords(name):
    """Each word that a source of the format lists, sorted."""
    folder = os.path.join(ROOT, "formats", name)
    found = set()
    for file in sorted(os.listdir(folder)):
        if file.endswith(".c"):
            with open(os.path.join(folder, file), encoding="utf-8") as lines:
                for part in LISTS.findall(lines.read()):
                    found.update(word for word in LITERAL.findall(part) if " " not in word)
    return sorted(found)


def words(name):
    """What is a word of the text, with a byte order mark and some keywords in UTF-16 as well."""
    listed = keywords(name)
    plain = [*listed, *NUMBERS, *MARKS[name]]
    yield from (word.encode() for word in plain)
    yield from (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
    yield from (word.encode("utf-16-le") for word in (*listed[:2], "1.0", "\r\n"))


def unescaped(text):
    """The bytes of a literal of C, of several, or of letters that make a tag."""
    if text.startswith("'"):
        return "".join(re.findall(r"'(.)'", text)).encode()
    return re.sub(rb"\\([0-7]{1,3}|.)", lambda found: bytes([int(found[1], 8)])
                  if found[1].isdigit() else {b"n": b"\n", b"t": b"\t", b"r": b"\r"}.get(
                      found[1], found[1]), text.encode())


def source_words(target):
    """Each word that a source of the reader lists, once."""
    words_of = {}
    for file, pattern in WORDS[target]:
        with open(os.path.join(ROOT, file), encoding="utf-8") as lines:
            found = re.findall(pattern, lines.read(), re.S)
        if not found:
            sys.exit(f"make_dictionaries.py: {file} has no words of the form {pattern}")
        for text in found:
            literals = re.findall(NAME, text) if text.lstrip().startswith('"') else [text]
            words_of.update(dict.fromkeys(unescaped(literal) for literal in literals))
    return words_of


def reader_lines(target, old):
    """The lines of a reader's dictionary: what is written by hand there, and the tables'."""
    done = subprocess.run([PROGRAM, target], capture_output=True, text=True, check=True)
    by_hand = old.split(GENERATED)[0].rstrip("\n").splitlines()
    words_of = source_words(target)
    return [*by_hand, GENERATED, *done.stdout.splitlines(),
            *(f'word_{number}="{quoted(word)}"' for number, word in enumerate(words_of))]


def reader_dictionary(target, path):
    with open(path, encoding="ascii") as file:
        return "\n".join(reader_lines(target, file.read())) + "\n"


def dictionary(name):
    done = subprocess.run([PROGRAM, name], capture_output=True, text=True, check=True)
    lines = [f"# Words of {name}; written by make_dictionaries.py.", *done.stdout.splitlines()]
    if name in MARKS:
        lines += [f'word_{number}="{quoted(word)}"' for number, word in enumerate(words(name))]
    return "\n".join(lines) + "\n"


def main():
    formats = ("camerawork", "hmd", "tod", "tra")
    names = (*formats, *sorted(WORDS))
    failed = False
    print(f"1..{len(names)}")
    for number, name in enumerate(names, 1):
        path = os.path.join(ROOT, "fuzz", "dict", name + ".dict")
        wanted = dictionary(name) if name in formats else reader_dictionary(name, path)
        if IS_UPDATE:
            with open(path, "w", encoding="ascii") as file:
                file.write(wanted)
        with open(path, encoding="ascii") as file:
            is_same = file.read() == wanted
        failed |= not is_same
        print(f"{'ok' if is_same else 'not ok'} {number} - {name}.dict says what the tables say "
              f"# {wanted.count('=' + chr(34))} words")
        if not is_same:
            print(f"# mend it: fuzz/make_dictionaries.py {PROGRAM} {ROOT} --update")
    return 1 if failed else 0


sys.exit(main())
