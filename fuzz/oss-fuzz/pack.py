#!/usr/bin/env python3
"""Writes what lies beside a target of OSS-Fuzz: its seeds, its dictionary, its options.

Usage: pack.py ROOT NAME WORK TARGET. Seeds of WORK/seeds/NAME and those that are committed go to
TARGET_seed_corpus.zip, words to TARGET.dict, limits to TARGET.options.
"""
import hashlib
import os
import sys
import zipfile

ROOT, NAME, WORK, TARGET = sys.argv[1:5]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "fuzz"))
from campaign import seeds  # noqa: E402
from campaign.common import files_in  # noqa: E402

TIMEOUT = 10  # seconds; as framehound-fuzz has it
RSS = 2048    # MiB


def main():
    folders = [os.path.join(WORK, "seeds", NAME), *seeds.committed(NAME)]
    longest = seeds.usual_length(folders)
    names = set()
    with zipfile.ZipFile(TARGET + "_seed_corpus.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in (path for folder in folders for path in files_in(folder)):
            with open(path, "rb") as file:
                data = file.read()
            name = hashlib.sha1(data).hexdigest()
            if len(data) <= longest and name not in names:
                names.add(name)
                archive.writestr(zipfile.ZipInfo(name, (1990, 1, 1, 0, 0, 0)), data)
    words = [f"max_len = {longest}", f"timeout = {TIMEOUT}", f"rss_limit_mb = {RSS}"]
    dictionaries = [os.path.join(ROOT, "fuzz", "dict", f"{NAME}.dict"),
                    os.path.join(WORK, "build", "fuzz", f"{NAME}.dict")]
    if seeds.write_dictionary(NAME, dictionaries, TARGET + ".dict"):
        words.insert(0, f"dict = {os.path.basename(TARGET)}.dict")
    with open(TARGET + ".options", "w", encoding="ascii") as file:
        file.write("\n".join(["[libfuzzer]", *words]) + "\n")


main()
