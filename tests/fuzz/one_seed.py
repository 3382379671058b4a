#!/usr/bin/env python3
"""Writes one seed of a target to a file.

Usage: one_seed.py FORGE ROOT TARGET NAME OUT.
"""
import os
import sys

FORGE, ROOT, TARGET, NAME, OUT = sys.argv[1:]
sys.path.insert(0, os.path.join(ROOT, "fuzz"))
import make_seeds  # noqa: E402

with open(OUT, "wb") as file:
    file.write(dict(make_seeds.targets()[TARGET](make_seeds.Maker(FORGE, ROOT)))[NAME])
