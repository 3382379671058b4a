#!/usr/bin/env python3
"""Plants faults in formats/ and looks which of them the corpus and the test suites notice.

Usage: mutants.py ROOT FORGE WORK [--sample N] [--only PATTERN] [--jobs N] [--no-guards]
                  [--no-suites]

A fault is killed when the outcome of a file of the corpus changes (tests/mutation/outcomes/), when
the sanitizers see it in such a file, or when a test of a suite fails; one that makes the program crash
or hang is killed, too. What survives stands in explained.tsv with the reason, or counts against the
score. Prints a table, and one line for each survivor without a reason; ends with 1 if fewer than 95 of
100 are killed.
--sample takes N faults, the same ones as long as their lines stay; --only those of files that match
a shell pattern; --no-guards leaves the sanitizers out, --no-suites the suites. Results are kept in
WORK/results.tsv; what falls is kept in WORK/kept.tsv at once, and a run that was broken off goes on
where it was.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import os
import sys

import build
import corpus
import suites
from kept import NOTICED, UNNOTICED, Kept, stamp_of

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
    parser.add_argument("--no-guards", action="store_true")
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


def spent():
    """Seconds of processor time, those of programs that have ended among them."""
    return sum(os.times()[:4])


class Corpus:
    """The files of the corpus, asked of the faults in one build."""

    def __init__(self, builder, inputs, jobs, kept=None, **how):
        self.builder, self.inputs, self.jobs, self.kept = builder, inputs, jobs, kept
        self.killer = builder.build_killer(jobs, **how)
        self.sound = f"{self.killer}.sound"
        self.asked = kept and kept.stamp_of_inputs(inputs, builder.flavour.name)
        before = spent()
        if os.path.exists(self.sound) and os.stat(self.sound).st_mtime < self.newest():
            os.remove(self.sound)
        list(self.run(self.killer, []))
        print(f"without a fault: {spent() - before:.0f} s", file=sys.stderr)

    def newest(self):
        """When the program or the list of its files was made."""
        return max(os.stat(path).st_mtime for path in (self.killer, self.inputs))

    def run(self, killer, asked, *only):
        """Yields number and verdict of each fault, as it falls; asked has numbers, or numbers and
        the name of the file that is to be asked first."""
        return suites.converse([killer, self.inputs, self.sound, *only], asked)

    def known(self, mutant):
        return self.kept and self.kept.verdict(mutant, self.asked)

    def hint(self, mutant):
        return self.kept and self.kept.noticed_by(mutant) or ""

    def judge(self, mutant, verdict):
        """Keeps what is answered, and returns it; what only a build with guards sees is told so."""
        if self.builder.flavour.is_guarded and verdict[0] in NOTICED:
            verdict = ["guarded", *verdict[1:2], verdict[0]]
        if self.kept:
            self.kept.keep(mutant, self.asked, verdict)
        return verdict

    def try_all(self, mutants):
        verdicts = {m.number: self.known(m) for m in mutants if self.known(m)}
        left = [m for m in mutants if m.number not in verdicts]
        verdicts.update(self.try_switched([m for m in left if not m.constant]))
        verdicts.update(self.try_constants([m for m in left if m.constant]))
        return verdicts

    def try_switched(self, mutants):
        by_number = {m.number: m for m in mutants}
        asked = [f"{m.number} {self.hint(m)}" for m in mutants]

        def one(part):
            return {number: self.judge(by_number[number], verdict)
                    for number, verdict in self.run(self.killer, part)}

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            parts = pool.map(one, [asked[n::self.jobs] for n in range(self.jobs)])
            return {number: verdict for part in parts for number, verdict in part.items()}

    def try_constants(self, mutants):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return dict(pool.map(lambda m: (m.number, self.judge(m, self.try_constant(m))), mutants))

    def try_constant(self, mutant):
        killer = self.builder.build_constant(mutant, f"{self.killer}-{mutant.number}")
        if killer is None:
            return ["refused"]
        of = os.path.basename(os.path.dirname(mutant.path))
        only = [of] if of in corpus.FORMATS else []
        verdict = dict(self.run(killer, [f"0 {self.hint(mutant)}"], *only))[0]
        os.remove(killer)
        os.remove(killer + ".o")
        return verdict


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
        if kind in UNNOTICED and mutant.key in reasons:
            kind = "explained"
        for row in (os.path.dirname(mutant.path), "all"):
            table[row][kind] += 1
        if kind in UNNOTICED:
            left.append(mutant)
    columns = [*NOTICED, "explained", *UNNOTICED]
    print(f"{'':18}" + "".join(f"{name:>10}" for name in ["planted", *columns]) + "   killed of 100")
    for row in sorted(table, key=lambda name: (name == "all", name)):
        counts = table[row]
        lost = sum(counts[kind] for kind in UNNOTICED)
        judged = sum(counts.values()) - counts["refused"] - counts["explained"]
        score = (judged - lost) / judged if judged else 1
        print(f"{row:18}{sum(counts.values()):10}" + "".join(f"{counts[n]:10}" for n in columns)
              + f"{100 * score:12.1f}")
    for mutant in left:
        print("\t".join([f"{mutant.path}:{mutant.line}", *mutant.key[1:],
                         verdicts[mutant.number][0]]))
    return score


class Run:
    """The questions, one after the other; each is asked of what the ones before left."""

    def __init__(self, options):
        os.makedirs(options.work, exist_ok=True)
        self.options = options
        self.builder = build.Builder(options.root, options.work)
        everything = self.builder.plant()
        name_all(options.root, everything)
        self.mutants = choose(everything, options)
        self.inputs = corpus.write_list(options.root, options.forge,
                                        os.path.join(options.work, "inputs"))
        self.kept = Kept(options.root, os.path.join(options.work, "kept.tsv"))
        self.reasons = read_explained()
        self.verdicts = {}

    def ask(self, name, question, mutants):
        before = spent()
        for number, verdict in question(mutants).items():
            self.verdicts[number] = suites.gentler(self.verdicts.get(number), verdict)
        write_results(os.path.join(self.options.work, "results.tsv"), self.mutants, self.verdicts)
        print(f"{name}: {len(mutants)} asked, {spent() - before:.0f} s of processor time",
              file=sys.stderr)

    def ask_corpus(self, mutants, **how):
        return Corpus(self.builder, self.inputs, self.options.jobs, self.kept, **how).try_all(mutants)

    def ask_guarded(self, mutants):
        return self.ask_corpus(mutants, flavour=build.guarded(self.options.root))

    def ask_suites(self, mutants):
        asked = stamp_of(self.options.root, "tests", "corpus")
        known = {m.number: self.kept.verdict(m, asked) for m in mutants}
        known = {number: verdict for number, verdict in known.items() if verdict}
        left = [m for m in mutants if m.number not in known]
        if left:
            bench = suites.Suites(self.builder, self.builder.build_suites(self.options.jobs),
                                  self.options.root, self.options.jobs, self.kept, asked)
            known.update(bench.try_all(left, self.reasons))
        return known

    def left(self, *kinds):
        return [m for m in self.mutants if self.verdicts[m.number][0] in kinds]

    def run(self):
        self.ask("corpus", self.ask_corpus, self.mutants)
        if not self.options.no_guards:
            self.ask("guarded", self.ask_guarded, self.left("survived"))
        if not self.options.no_suites:
            self.ask("suites", self.ask_suites, self.left(*UNNOTICED))
        return tell(self.mutants, self.verdicts, self.reasons)


if __name__ == "__main__":
    sys.exit(0 if Run(parse()).run() >= LEAST else 1)
