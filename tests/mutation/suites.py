"""The project's test suites, test by test, against planted faults: suite.c runs them."""
import concurrent.futures
import os
import subprocess
import threading
import time

from build import MOST_MUTANTS
from kept import NOTICED, UNNOTICED


def gentler(before, verdict):
    """Of two that did not notice a fault, the one that came nearer to it."""
    if before and verdict[0] in UNNOTICED:
        return min(before, verdict, key=lambda one: UNNOTICED.index(one[0]))
    return verdict


def remove(path):
    if os.path.exists(path):
        os.remove(path)


def feed(pipe, lines):
    with pipe:
        pipe.writelines(f"{line}\n" for line in lines)


def converse(command, asked, **how):
    """Yields number and verdict of each fault, as it falls; asked has a line for each."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          **how) as run:
        writer = threading.Thread(target=feed, args=(run.stdin, asked))
        writer.start()
        for line in run.stdout:
            number, *verdict = line.rstrip("\n").split("\t")
            yield int(number), verdict
        writer.join()
        if run.wait() != 0:
            raise subprocess.CalledProcessError(run.returncode, command)


class Suites:
    """Suites are asked one after the other what those before have left, the cheapest first."""

    def __init__(self, builder, paths, root, jobs, kept, asked):
        self.builder, self.jobs, self.kept, self.asked = builder, jobs, kept, asked
        self.env = dict(os.environ, FRAMEHOUND_SOURCE_ROOT=root)
        self.paths = paths
        self.switched = {m.path for m in builder.mutants if not m.constant}

    def converse(self, path, pace, asked):
        return converse([path, pace, f"{path}.{pace}"], asked, env=self.env)

    def look(self, path, pace):
        """Lets the suite see what it makes without a fault; returns the seconds that took."""
        sound = f"{path}.{pace}"
        told = f"{sound}.seconds"
        if not os.path.exists(told) or os.stat(told).st_mtime < os.stat(path).st_mtime:
            remove(sound)
            start = time.monotonic()
            list(self.converse(path, pace, []))
            with open(told, "w", encoding="utf-8") as file:
                file.write(str(time.monotonic() - start))
        with open(told, encoding="utf-8") as file:
            return float(file.read())

    def by_cost(self, pace):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            costs = pool.map(lambda path: self.look(path, pace), self.paths)
            return [path for _, path in sorted(zip(costs, self.paths))]

    def ask(self, path, pace, mutants, verdicts):
        asked = [f"{m.number} {self.kept.noticed_by(m) or ''}" for m in mutants.values()]
        for number, verdict in self.converse(path, pace, asked):
            verdicts[number] = gentler(verdicts[number], verdict)
            if verdict[0] in NOTICED:
                self.kept.keep(mutants[number], self.asked, verdict)

    def try_some(self, mutants, pace, paths):
        verdicts = {m.number: ["unreached"] for m in mutants}
        for path in paths:
            left = {m.number: m for m in mutants if verdicts[m.number][0] in UNNOTICED}
            if left:
                self.ask(path, pace, left, verdicts)
        return verdicts

    def try_pace(self, mutants, pace):
        paths = self.by_cost(pace)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            parts = pool.map(lambda n: self.try_some(mutants[n::self.jobs], pace, paths),
                             range(self.jobs))
            return {number: verdict for part in parts for number, verdict in part.items()}

    def try_constant(self, mutant, paths, comes_by):
        """With the fault compiled in: the suites that come by its file, each linked anew."""
        changed = os.path.join(self.builder.work, f"constant-{mutant.number}.o")
        verdict = ["unreached"]
        if self.builder.compile_constant(mutant, changed) is None:
            return ["refused"]
        for path in paths:
            if verdict[0] in UNNOTICED and self.place_of(mutant) in comes_by[path]:
                verdict = self.ask_constant(mutant, path, changed)
        remove(changed)
        return verdict

    def ask_constant(self, mutant, path, changed):
        suite = self.builder.link_suite(path, changed, f"{changed}.suite")
        if suite is None:
            raise RuntimeError(f"{path} cannot be linked with {changed}")
        asked = [f"0 {self.kept.noticed_by(mutant) or ''}"]
        verdict = dict(converse([suite, "quick", f"{path}.quick"], asked, env=self.env))[0]
        remove(suite)
        return verdict

    def try_constants(self, mutants):
        paths = self.by_cost("quick") if mutants else []
        comes_by = {path: self.places_of(path) for path in paths}

        def one(mutant):
            verdict = self.try_constant(mutant, paths, comes_by)
            self.kept.keep(mutant, self.asked, verdict)
            return mutant.number, verdict

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return dict(pool.map(one, mutants))

    def place_of(self, mutant):
        """What a suite has to come by to notice it: its file; or its folder, where the file has
        nothing but constants."""
        return mutant.path if mutant.path in self.switched else os.path.dirname(mutant.path)

    def places_of(self, path):
        """The files with faults that the quick tests of a suite come by, and their folders."""
        with open(f"{path}.quick", "rb") as file:
            met = file.read(MOST_MUTANTS)
        files = {m.path for m in self.builder.mutants if met[m.number]}
        return files | {os.path.dirname(name) for name in files}

    def try_all(self, mutants, explained):
        """The verdict of each that was asked of, by number. Slow tests are asked of faults that no
        other noticed and nobody has explained. Nor is anything asked of explained ones in
        constants, for which suites are linked anew."""
        switched = [m for m in mutants if not m.constant]
        verdicts = self.try_pace(switched, "quick")
        left = [m for m in switched
                if verdicts[m.number][0] in UNNOTICED and m.key not in explained]
        for number, verdict in (self.try_pace(left, "slow") if left else {}).items():
            verdicts[number] = gentler(verdicts[number], verdict)
        for mutant in switched:
            if verdicts[mutant.number][0] in UNNOTICED:
                self.kept.keep(mutant, self.asked, verdicts[mutant.number])
        verdicts.update(self.try_constants(
            [m for m in mutants if m.constant and m.key not in explained]))
        return verdicts
