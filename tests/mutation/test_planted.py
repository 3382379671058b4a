#!/usr/bin/env python3
"""Faults that are planted on purpose are noticed, each by the oracle that planted.tsv names.

Usage: test_planted.py ROOT FORGE LIBFORMATS | ROOT FORGE --update RESULTS. Speaks TAP. Skipped where
libclang for Python is missing. --update chooses the faults anew from the results of mutants.py.
"""
import collections
import os
import random
import sys
import tempfile

ROOT, FORGE = (os.path.abspath(path) for path in sys.argv[1:3])
LIST = os.path.join(ROOT, "tests", "mutation", "planted.tsv")
FILES = 36  # that faults are planted in
EACH = 8    # faults of a file
SEED = 19941203
MOST_GONE = 0.25  # of the faults whose lines may have changed since they were chosen


def read_list():
    with open(LIST, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                path, text, what, number, verdict = line.rstrip("\n").split("\t")
                yield (path, text, what, number), verdict


def update(results):
    """Of each source file some faults that the corpus notices."""
    by_file = collections.defaultdict(list)
    with open(results, encoding="utf-8") as file:
        for line in file:
            place, text, what, number, verdict, *rest = line.rstrip("\n").split("\t")
            if verdict == "killed" and place.split(":")[0].endswith(".c"):
                by_file[place.split(":")[0]].append((text, what, number, " ".join(rest)))
    with open(LIST, "w", encoding="utf-8") as file:
        file.write("# file\tline\tfault\tthe how manieth such\tfile of the corpus and what of it "
                   "changes\n")
        for path in sorted(random.Random(SEED).sample(sorted(by_file), min(FILES, len(by_file)))):
            rows = by_file[path]
            random.Random(SEED).shuffle(rows)
            file.writelines("\t".join((path, *row)) + "\n" for row in sorted(rows[:EACH]))


def tap(results):
    print(f"1..{len(results)}")
    for number, (name, wrong) in enumerate(results, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
        if wrong:
            print(f"# {wrong}")
    return 1 if any(wrong for _, wrong in results) else 0


def asked_of(oracle):
    """The file of the corpus that an oracle asks."""
    return oracle.rsplit(" ", 1)[0]


def judge(wanted, mutants, verdicts):
    """One result a source file."""
    found = {m.key: m for m in mutants}
    by_file = collections.defaultdict(list)
    gone = [key for key, _ in wanted if key not in found]
    for key in gone:
        print(f"# no longer there: {' | '.join(key)}")
    by_file["enough of them are still there; else choose others (--update)"] = (
        [f"{len(gone)} of {len(wanted)} are gone"] if len(gone) > MOST_GONE * len(wanted) else [])
    for key, oracle in wanted:
        wrong = by_file[key[0]]
        verdict = verdicts[found[key].number] if key in found else ["killed", asked_of(oracle)]
        if verdict[0] not in ("killed", "crashed", "hung") or verdict[1] != asked_of(oracle):
            wrong.append(f"{' | '.join(key)}: not noticed by {oracle} any more, but {verdict}")
    return [(path, "; ".join(wrong)) for path, wrong in by_file.items()]


def age_of_second(build, work, files):
    """What a build goes by, of the last of these files once faults are planted in them."""
    builder = build.Builder(ROOT, work)
    builder.plant(files)
    return os.stat(os.path.join(builder.tree, files[-1])).st_mtime_ns


def judge_ages(build, work):
    """Whether a file is built anew where its faults have other numbers, and only there."""
    both = ["formats/core/arena.c", "formats/core/big.c"]
    first, again, alone = (age_of_second(build, work, files) for files in (both, both, both[1:]))
    return [("what has the same text stays as old as it was",
             "" if first == again else f"{first} and {again}"),
            ("a file whose faults have other numbers is newer",
             "" if alone > again else f"{again} and {alone}")]


def main():
    if sys.argv[3:4] == ["--update"]:
        update(sys.argv[4])
        return 0
    try:
        import build
    except ImportError as error:
        print(f"1..0 # SKIP libclang for Python is missing (python3-clang): {error}")
        return 0
    import corpus
    import mutants as tool
    wanted = list(read_list())
    with tempfile.TemporaryDirectory() as work:
        builder = build.Builder(ROOT, work)
        files = {key[0] for key, _ in wanted}
        planted = builder.plant(files)
        tool.name_all(ROOT, planted)
        inputs = corpus.write_list(ROOT, FORGE, os.path.join(work, "inputs"))
        oracles = dict(wanted)

        class Named(tool.Corpus):
            """Asks the file that noticed a fault before any other."""

            def hint(self, mutant):
                return asked_of(oracles[mutant.key])

        verdicts = Named(builder, inputs, os.cpu_count(), planted=files,
                         library=os.path.abspath(sys.argv[3])).try_all(
                             [m for m in planted if m.key in oracles])
        ages = judge_ages(build, os.path.join(work, "ages"))
    return tap(judge(wanted, planted, verdicts) + ages)


sys.exit(main())
