"""Measures beside the engines, in processes of their own: they take longer than many a turn, and an
engine whose turn is over would wait for them. `run` starts such a process, the command `measure` is
what it does."""
import contextlib
import fcntl
import os
import signal
import subprocess
import sys

from . import measure
from .builds import Tree
from .common import ROOT, folder, say
from .process import end_with_parent
from .store import Store

GRACE = 10  # seconds in which a measure that is ended may clear away


class Measuring:
    """A target that is being measured. A process that is forked and no more would have the runner's
    connection to the database, which SQLite forbids, and the signals to the runner's group."""

    def __init__(self, store, tree, target, options):
        self.target = target
        builds = [f"--builds={tree.made}"] if tree.made else []
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, "fuzz", "framehound-fuzz"), "measure", store.folder,
             target, f"--timeout={options.timeout}", f"--rss={options.rss}",
             f"--max-len={options.lengths[target]}", *builds],
            stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=end_with_parent)

    def ended(self):
        """None while it goes on, else whether it was done."""
        code = self.process.poll()
        if code is not None and code != 0:
            say(f"{self.target}: its measure failed with exit code {code}")
        return None if code is None else code == 0

    def stop(self):
        self.process.terminate()

    def wait(self):
        """Until it has ended, for it was stopped."""
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def end(*_):
    """Once, so that what was begun is cleared away."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(1)


@contextlib.contextmanager
def alone(out, target):
    """One measure of a target at a time; another one is waited for."""
    with open(os.path.join(folder(out, target), "measure.lock"), "w", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def run(options):
    signal.signal(signal.SIGTERM, end)
    tree = Tree(options.builds)
    store = Store(options.folder, must_exist=True)
    options.lengths = {options.target: options.max_len}
    with alone(store.folder, options.target):
        measure.measure(store, tree, options.target, options)
    store.close()
    return 0
