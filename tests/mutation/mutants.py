#!/usr/bin/env python3
"""Plants faults in formats/ and looks which of them the corpus and the test suites notice.

Usage: mutants.py ROOT FORGE WORK [--sample N] [--only PATTERN] [--jobs N] [--no-suites]

A fault is killed when the outcome of a file of the corpus changes (tests/mutation/outcomes/), or
when a test of a suite fails; one that makes the program crash or hang is killed, too. What survives
stands in explained.tsv with the reason, or counts against the score. Prints a table, and one line for
each survivor without a reason; ends with 1 if fewer than 95 of 100 are killed.
--sample takes N faults, the same ones as long as their lines stay; --only those of files that match
a shell pattern; --no-suites leaves the suites out. Results are kept in WORK/results.tsv; what falls
is kept in WORK/kept.tsv at once, and a run that was broken off goes on where it was.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import os
import subprocess
import sys
import threading

import build
import corpus
import suites
from kept import Kept, stamp_of

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


def run_killer(killer, inputs, asked, baseline=None):
    """Yields number and verdict of each fault, as it falls; asked has numbers, or numbers and the
    name of the file that is to be asked first."""
    command = [killer, inputs] + ([baseline] if baseline else [])
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as run:
        writer = threading.Thread(target=feed, args=(run.stdin, asked))
        writer.start()
        for line in run.stdout:
            number, *verdict = line.rstrip("\n").split("\t")
            yield int(number), verdict
        writer.join()
        if run.wait() != 0:
            raise subprocess.CalledProcessError(run.returncode, command)


def feed(pipe, asked):
    with pipe:
        pipe.writelines(f"{one}\n" for one in asked)


def try_switched(killer, inputs, mutants, jobs, kept=None):
    by_number = {m.number: m for m in mutants if not m.constant}
    asked = kept and kept.stamp_of_inputs(inputs)
    verdicts = {}

    def known(mutant):
        return kept and kept.verdict(mutant, asked)

    def one(part):
        for number, verdict in run_killer(killer, inputs, part):
            verdicts[number] = verdict
            if kept:
                kept.keep(by_number[number], asked, verdict)

    verdicts.update((n, known(m)) for n, m in by_number.items() if known(m))
    left = [f"{n} {kept and kept.noticed_by(m) or ''}" for n, m in by_number.items() if not known(m)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(one, [left[n::jobs] for n in range(jobs)]):
            pass
    return verdicts


def part_of(listing, name):
    """The list of the files of one format, for faults that lie in what only it comes by."""
    part = f"{listing}-{name}"
    with open(listing, encoding="utf-8") as whole, open(part, "w", encoding="utf-8") as some:
        some.writelines(line for line in whole if line.startswith(name + "\t"))
    return part


def baseline_of(builder, inputs):
    path = inputs + "-sound"
    if os.path.exists(path):
        os.remove(path)
    list(run_killer(os.path.join(builder.work, "kill"), inputs, [], path))
    return path


def try_constants(builder, listing, mutants, jobs, kept=None):
    constants = [m for m in mutants if m.constant]
    asked = kept and kept.stamp_of_inputs(listing)
    lists = {name: part_of(listing, name) for name in corpus.FORMATS} | {None: listing}
    baselines = {name: baseline_of(builder, path) for name, path in lists.items()}

    def one(mutant):
        verdict = kept and kept.verdict(mutant, asked)
        if not verdict:
            verdict = build_and_run(mutant)
            if kept:
                kept.keep(mutant, asked, verdict)
        return mutant.number, verdict

    def build_and_run(mutant):
        killer = builder.build_constant(mutant, os.path.join(builder.work, f"kill-{mutant.number}"))
        if killer is None:
            return ["refused"]
        hint = kept and kept.noticed_by(mutant) or ""
        of = os.path.basename(os.path.dirname(mutant.path))
        of = of if of in lists else None
        verdict = dict(run_killer(killer, lists[of], [f"0 {hint}"], baselines[of]))[0]
        os.remove(killer)
        os.remove(killer + ".o")
        return verdict

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


def ask_suites(builder, options, mutants, kept):
    asked = stamp_of(options.root, "tests", "corpus")
    known = {m.number: kept.verdict(m, asked) for m in mutants if kept.verdict(m, asked)}
    left = [m for m in mutants if m.number not in known]
    if left:
        bench = suites.Suites(builder.build_suites(options.jobs), options.root, options.work)
        for mutant, verdict in bench.try_all(left, options.jobs, kept.noticed_by):
            kept.keep(mutant, asked, verdict)
            known[mutant.number] = verdict
    return known


def main():
    options = parse()
    os.makedirs(options.work, exist_ok=True)
    builder = build.Builder(options.root, options.work)
    mutants = builder.plant()
    name_all(options.root, mutants)
    chosen = choose(mutants, options)
    inputs = corpus.write_list(options.root, options.forge, os.path.join(options.work, "inputs"))
    killer = builder.build_killer(options.jobs)
    kept = Kept(options.root, os.path.join(options.work, "kept.tsv"))
    verdicts = try_switched(killer, inputs, chosen, options.jobs, kept)
    verdicts.update(try_constants(builder, inputs, chosen, options.jobs, kept))
    results = os.path.join(options.work, "results.tsv")
    write_results(results, chosen, verdicts)
    if not options.no_suites:
        left = [m for m in chosen if not m.constant and verdicts[m.number][0] in ("survived", "unmet")]
        verdicts.update(ask_suites(builder, options, left, kept))
        write_results(results, chosen, verdicts)
    return 0 if tell(chosen, verdicts, read_explained()) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
