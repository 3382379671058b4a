#!/usr/bin/env python3
"""Makes the dictionaries of the formats, fuzz/dict/FORMAT.dict, or holds them against the tables.

Usage: make_dictionaries.py DICTIONARY ROOT [--update]. DICTIONARY is built from dictionary_main.c:
it prints what the tables in memory say. Keywords of texts are those that the sources of a format
list. Without --update nothing is written, and it speaks TAP: a test for each format.
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


def dictionary(name):
    done = subprocess.run([PROGRAM, name], capture_output=True, text=True, check=True)
    lines = [f"# Words of {name}; written by make_dictionaries.py.", *done.stdout.splitlines()]
    if name in MARKS:
        lines += [f'word_{number}="{quoted(word)}"' for number, word in enumerate(words(name))]
    return "\n".join(lines) + "\n"


def main():
    names = ("camerawork", "hmd", "tod", "tra")
    failed = False
    print(f"1..{len(names)}")
    for number, name in enumerate(names, 1):
        path = os.path.join(ROOT, "fuzz", "dict", name + ".dict")
        wanted = dictionary(name)
        if IS_UPDATE:
            with open(path, "w", encoding="ascii") as file:
                file.write(wanted)
        with open(path, encoding="ascii") as file:
            is_same = file.read() == wanted
        failed |= not is_same
        print(f"{'ok' if is_same else 'not ok'} {number} - {name}.dict says what the tables say "
              f"# {wanted.count('=')} words")
        if not is_same:
            print(f"# mend it: fuzz/make_dictionaries.py {PROGRAM} {ROOT} --update")
    return 1 if failed else 0


sys.exit(main())
