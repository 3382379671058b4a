#!/usr/bin/env python3
"""Plants faults in formats/ and looks which of them the corpus and the test suites notice.

Usage: mutants.py ROOT FORGE WORK [--sample N] [--only PATTERN] [--jobs N] [--no-suites]

A fault is killed when the outcome of a file of the corpus changes (tests/mutation/outcomes/), or
when a test of a suite fails; one that makes the program crash or hang is killed, too. What survives
stands in explained.tsv with the reason, or counts against the score. Prints a table, and one line for
each survivor without a reason; ends with 1 if fewer than 95 of 100 are killed.
--sample takes N faults, the same ones as long as their lines stay; --only those of files that match
a shell pattern; --no-suites leaves the suites out. Results are kept in WORK/results.tsv.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import os
import subprocess
import sys

import build
import corpus
import suites

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = 0.95
EXPLAINED = os.path.join(HERE, "explained.tsv")


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root")
    parser.add_argument("forge")
    parser.add_argument("work")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--only", default="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-suites", action="store_true")
    options = parser.parse_args()
    for name in ("root", "forge", "work"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    return options


def name_all(root, mutants):
    """Names that stay when other lines change: file, text of the line, fault, how many such."""
    seen = collections.Counter()
    texts = {}
    for mutant in mutants:
        if mutant.path not in texts:
            with open(os.path.join(root, mutant.path), encoding="utf-8") as file:
                texts[mutant.path] = file.read().split("\n")
        mutant.text = texts[mutant.path][mutant.line - 1].strip()
        key = (mutant.path, mutant.text, mutant.what)
        seen[key] += 1
        mutant.key = (*key, str(seen[key]))


def choose(mutants, options):
    chosen = [m for m in mutants if fnmatch.fnmatch(m.path, options.only)
              or fnmatch.fnmatch(m.path, f"formats/{options.only}")]
    if options.sample is None:
        return chosen
    order = sorted(chosen, key=lambda m: hashlib.sha256("\t".join(m.key).encode()).digest())
    return order[:options.sample]


def run_killer(killer, inputs, ids, baseline=None):
    command = [killer, inputs] + ([baseline] if baseline else [])
    done = subprocess.run(command, input="\n".join(map(str, ids)), capture_output=True, text=True,
                          check=True)
    return {int(line.split("\t")[0]): line.split("\t")[1:] for line in done.stdout.splitlines()}


def try_switched(killer, inputs, mutants, jobs):
    ids = [m.number for m in mutants if not m.constant]
    verdicts = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for some in pool.map(lambda n: run_killer(killer, inputs, ids[n::jobs]), range(jobs)):
            verdicts.update(some)
    return verdicts


def try_constants(builder, inputs, mutants, jobs):
    constants = [m for m in mutants if m.constant]
    baseline = os.path.join(builder.work, "sound")
    if os.path.exists(baseline):
        os.remove(baseline)
    run_killer(os.path.join(builder.work, "kill"), inputs, [], baseline)

    def one(mutant):
        killer = builder.build_constant(mutant, os.path.join(builder.work, f"kill-{mutant.number}"))
        if killer is None:
            return mutant.number, ["refused"]
        verdict = run_killer(killer, inputs, [0], baseline)[0]
        os.remove(killer)
        os.remove(killer + ".o")
        return mutant.number, verdict

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(pool.map(one, constants))


def read_explained():
    reasons = {}
    if os.path.exists(EXPLAINED):
        with open(EXPLAINED, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    *key, reason = line.rstrip("\n").split("\t")
                    reasons[tuple(key)] = reason
    return reasons


def write_results(path, mutants, verdicts):
    with open(path, "w", encoding="utf-8") as file:
        for mutant in mutants:
            file.write("\t".join([f"{mutant.path}:{mutant.line}", *mutant.key[1:],
                                  *verdicts[mutant.number]]) + "\n")


def tell(mutants, verdicts, reasons):
    table = collections.defaultdict(collections.Counter)
    left = []
    for mutant in mutants:
        verdict = verdicts[mutant.number]
        kind = verdict[0]
        if kind in ("survived", "unmet") and mutant.key in reasons:
            kind = "explained"
        for row in (os.path.dirname(mutant.path), "all"):
            table[row][kind] += 1
        if kind in ("survived", "unmet"):
            left.append(mutant)
    columns = ["killed", "by suite", "crashed", "hung", "refused", "explained", "survived", "unmet"]
    print(f"{'':22}" + "".join(f"{name:>10}" for name in ["planted", *columns]) + "   killed of 100")
    for row in sorted(table, key=lambda name: (name == "all", name)):
        counts = table[row]
        lost = counts["survived"] + counts["unmet"]
        judged = sum(counts.values()) - counts["refused"] - counts["explained"]
        score = (judged - lost) / judged if judged else 1
        print(f"{row:22}{sum(counts.values()):10}" + "".join(f"{counts[n]:10}" for n in columns)
              + f"{100 * score:12.1f}")
    for mutant in left:
        print("\t".join([f"{mutant.path}:{mutant.line}", *mutant.key[1:],
                         verdicts[mutant.number][0]]))
    return score


def main():
    options = parse()
    os.makedirs(options.work, exist_ok=True)
    builder = build.Builder(options.root, options.work)
    mutants = builder.plant()
    name_all(options.root, mutants)
    chosen = choose(mutants, options)
    inputs = corpus.write_list(options.root, options.forge, os.path.join(options.work, "inputs"))
    killer = builder.build_killer(options.jobs)
    verdicts = try_switched(killer, inputs, chosen, options.jobs)
    verdicts.update(try_constants(builder, inputs, chosen, options.jobs))
    results = os.path.join(options.work, "results.tsv")
    write_results(results, chosen, verdicts)
    if not options.no_suites:
        bench = suites.Suites(builder.build_suites(options.jobs), options.root, options.work)
        left = [m for m in chosen if not m.constant and verdicts[m.number][0] in ("survived", "unmet")]
        verdicts.update(bench.try_all(left, options.jobs))
        write_results(results, chosen, verdicts)
    return 0 if tell(chosen, verdicts, read_explained()) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
