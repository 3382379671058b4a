"""The command `run`: gives turns to engines until the time is over, and keeps their figures.

Who has had the least time for its share is next, over all campaigns in the same folder, so that a
campaign that was broken off goes on where it was.
"""
import dataclasses
import fcntl
import os
import shutil
import signal
import time

from . import builds, engines, measure, seeds
from .beside import Measuring
from .common import Trouble, build_root, folder, minutes, say
from .process import Turn
from .store import Store

MEASURES = 20       # in a campaign, so that the last tenth of it has some of its own
SHORTEST = 45       # seconds between two measures, at least
MOST_FAILURES = 3   # of one engine on one target
TURNS_EACH = 2      # that every engine of every target gets, at least, where time is short


class Stop(Exception):
    """The user wants it to end."""


def choose_workers(options):
    """The workers of the engines that are wanted and there."""
    has_afl = bool(shutil.which("afl-fuzz")) and bool(shutil.which("afl-clang-fast")
                                                      or options.builds)
    if options.engine == "afl" and not has_afl:
        raise Trouble("AFL++ is not installed; ./run fuzz installs it (Debian: afl++)")
    if options.engine == "both" and not has_afl:
        say("AFL++ is not installed, so libFuzzer works alone (Debian: afl++)")
    wanted = {"libfuzzer": has_afl and options.engine == "both" or options.engine == "libfuzzer"
              or not has_afl, "afl": has_afl and options.engine != "libfuzzer"}
    return [worker for worker in engines.WORKERS if wanted[worker.engine]]


def prepare(options, tree, workers):
    """Builds what is needed. Returns the targets."""
    first = "fuzz-address" if tree.made is None else workers[0].build
    names = (options.targets or "").split(",")
    asked = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    targets = tree.provide(first, asked or None)
    wanted = [worker.build for worker in workers] + \
        [engines.BESIDE[worker.name] for worker in workers if worker.name in engines.BESIDE] + \
        ["fuzz-coverage", *["afl-mutators"] * any(worker.engine == "afl" for worker in workers)]
    for build in dict.fromkeys(wanted if tree.made is None else ()):
        if build != first:
            tree.provide(build, targets)
    return targets


def lock(out):
    handle = open(os.path.join(out, "campaign.lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Trouble(f"{out}: a campaign runs there; take another --out") from error
    return handle


class Campaign:
    """A running campaign: who works on what, and until when."""

    def __init__(self, options, tree, store, workers, targets):
        self.options, self.tree, self.store, self.out = options, tree, store, store.folder
        self.targets = targets
        self.pairs = [(target, worker) for worker in workers for target in targets
                      if tree.program(worker.build, target) and
                      tree.program(engines.BESIDE.get(worker.name, worker.build), target)]
        self.pairs += self.repeated(options.jobs - len(self.pairs))
        if not self.pairs:
            raise Trouble("no engine has a build of these targets")
        self.dictionaries = {
            name: seeds.dictionary(tree, name, os.path.join(self.out, name, "dictionary"))
            for name in targets}
        total = options.minutes * 60 if options.minutes else \
            options.each * len(self.pairs) / options.jobs
        self.slice = min(options.slice,
                         max(5, total * options.jobs / len(self.pairs) / TURNS_EACH))
        self.total = total
        self.given = store.seconds_by_worker()
        self.failures = {}
        self.turns = {}   # number of the slice -> Turn
        self.new_crashes = 0
        self.measured = {name: 0.0 for name in targets}
        self.measuring = []  # now, each in a process of its own
        self.failed_measures = 0

    def repeated(self, number):
        """More of those of which there may be several, for jobs that would have nothing to do."""
        pool = [pair for pair in self.pairs if pair[1].name in engines.MAY_REPEAT]
        out = []
        for i in range(number if pool else 0):
            target, worker = pool[i % len(pool)]
            out.append((target, dataclasses.replace(
                worker, name=f"{worker.name}-{i // len(pool) + 2}")))
        return out

    def next_pair(self):
        """Who has had the least, of those that do not work just now."""
        busy = {(turn.target, turn.worker.name) for turn in self.turns.values()}
        free = [(self.given.get((target, worker.name), 0) / worker.share, i, target, worker)
                for i, (target, worker) in enumerate(self.pairs)
                if (target, worker.name) not in busy]
        return min(free, key=lambda entry: entry[:2])[2:] if free else None

    def command(self, target, worker):
        program = self.tree.program(worker.build, target)
        dictionary = self.dictionaries[target]
        if worker.engine == "libfuzzer":
            return lambda seconds: engines.libfuzzer_command(
                program, worker, target, self.out, self.options, seconds, dictionary)
        beside = engines.BESIDE.get(worker.name)
        cmplog = self.tree.program(beside, target) if beside else None
        return lambda seconds: engines.afl_command(
            program, worker, target, self.out, self.options, seconds, dictionary, cmplog)

    def mutator(self, target, worker):
        """A mutator of its own, if the target has one; libFuzzer's is linked to it."""
        path = self.tree.program("afl-mutators", target) if worker.engine == "afl" else None
        return {"AFL_CUSTOM_MUTATOR_LIBRARY": path} if path else {}

    def start_turn(self, until):
        pair = self.next_pair()
        if pair is None:
            return False
        target, worker = pair
        seconds = min(self.slice, until - time.monotonic())
        variables = dict(engines.environment(worker, self.options), **self.mutator(target, worker))
        number = self.store.begin_slice(target, worker)
        self.turns[number] = Turn(worker, target, self.command(target, worker), variables,
                                  self.out, seconds)
        return True

    def sample(self, number, turn):
        found = engines.found_files(turn.worker, self.out, turn.target)
        for path in found:
            if self.store.add_crash(path, turn.target, turn.worker.name):
                self.new_crashes += 1
                say(f"{turn.target}: {turn.worker.name} found {os.path.relpath(path, self.out)}")
        stats = dict(turn.stats(), crashes=len(found))
        self.store.sample(number, stats, turn.seconds(), turn.starts)

    def finish(self, number, how):
        turn = self.turns.pop(number)
        self.sample(number, turn)
        self.store.end_slice(number, how)
        key = (turn.target, turn.worker.name)
        self.given[key] = self.given.get(key, 0) + turn.seconds()
        if how != "done":
            say(f"{turn.target}: {turn.worker.name} {how}")
            # As if it had used all of its turn, so that the others get theirs.
            self.given[key] += max(0.0, self.slice - turn.seconds())
            self.give_up(key, how)

    def give_up(self, key, how):
        """Who cannot work at all gets no more turns."""
        self.failures[key] = self.failures.get(key, 0) + how.startswith("failed")
        if self.failures[key] >= MOST_FAILURES:
            say(f"{key[0]}: {key[1]} is left out from here on")
            self.pairs = [pair for pair in self.pairs if (pair[0], pair[1].name) != key]

    def begin_measure(self, name):
        self.measuring.append(Measuring(self.store, self.tree, name, self.options))

    def end_measures(self):
        """Of those that have ended."""
        for measuring in list(self.measuring):
            is_done = measuring.ended()
            if is_done is not None:
                self.measuring.remove(measuring)
                self.measured[measuring.target] = time.monotonic()
                self.failed_measures += not is_done

    def measure(self, every):
        """Has the target measured that has waited longest, if it is time."""
        self.end_measures()
        name = min(self.measured, key=self.measured.get)
        if not self.measuring and time.monotonic() - self.measured[name] >= every:
            self.begin_measure(name)

    def work(self, until):
        every = max(SHORTEST, self.total / MEASURES)
        sampled = time.monotonic()
        last_start = until - min(1, self.total / 2)
        while (time.monotonic() < last_start and self.pairs) or self.turns:
            while len(self.turns) < self.options.jobs and time.monotonic() < last_start:
                if not self.start_turn(until):
                    break
            time.sleep(0.2)
            for number, turn in list(self.turns.items()):
                how = turn.poll()
                if how is not None:
                    self.finish(number, how)
            if time.monotonic() - sampled >= self.options.sample:
                sampled = time.monotonic()
                for number, turn in self.turns.items():
                    self.sample(number, turn)
                self.measure(every)

    def stop(self):
        for measuring in self.measuring:
            measuring.stop()
        for number in list(self.turns):
            self.turns[number].stop()
            self.finish(number, "interrupted")
        for measuring in self.measuring:
            measuring.wait()
        self.measuring.clear()

    def measure_all(self):
        waiting, most = list(self.targets), min(self.options.jobs, os.cpu_count() or 1)
        while waiting or self.measuring:
            while waiting and len(self.measuring) < most:
                self.begin_measure(waiting.pop(0))
            time.sleep(0.05)
            self.end_measures()
        measure.together(self.store, self.tree, self.targets)


def interrupted(*_):
    raise Stop


def go(campaign):
    """Works until the time is over. Returns False if the user ended it."""
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, interrupted)
    try:
        campaign.measure_all()
        campaign.work(time.monotonic() + campaign.total)
        return True
    except Stop:
        say("stopping")
        return False
    finally:
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(sign, signal.SIG_IGN)
        campaign.stop()
        campaign.measure_all()


def run(options):
    if not options.minutes and not options.each:
        options.minutes = 10
    tree = builds.Tree(options.builds)
    out = folder(options.out or os.path.join(build_root(), "campaign"))
    handle = lock(out)
    workers = choose_workers(options)
    targets = prepare(options, tree, workers)
    options.lengths = seeds.provide(tree, targets, out, options.max_len)
    store = Store(out)
    store.mark_killed()
    campaign = Campaign(options, tree, store, workers, targets)
    say(f"{len(targets)} targets, {len(campaign.pairs)} engines, {options.jobs} at a time, "
        f"{minutes(campaign.total)}; in {out}")
    ended = go(campaign)
    executions = sum(store.executions(name) for name in targets)
    crashes = store.one("SELECT count(*) FROM crash")
    store.close()
    handle.close()
    say(f"{executions} executions in all; {crashes} inputs that fail, {campaign.new_crashes} new"
        + (f"; next: framehound-fuzz triage {out}" if crashes else ""))
    return 1 if campaign.new_crashes or campaign.failed_measures or not ended else 0
