"""A measure beside the engines, in a process of its own: it takes longer than many a turn, and an
engine whose turn is over would wait for it."""
import multiprocessing
import signal
import sys

from . import measure
from .common import say
from .process import end_with_parent
from .store import Store


def end(*_):
    sys.exit(1)  # so that what was begun is cleared away


def work(folder, tree, target, options):
    """In the new process. What interrupts the runner from a terminal comes here as well; the runner
    ends it."""
    signal.signal(signal.SIGTERM, end)
    for sign in (signal.SIGINT, signal.SIGHUP):
        signal.signal(sign, signal.SIG_IGN)
    end_with_parent()
    store = Store(folder)
    measure.measure(store, tree, target, options)
    store.close()


class Measuring:
    """A target that is being measured."""

    def __init__(self, store, tree, target, options):
        self.target = target
        self.process = multiprocessing.get_context("fork").Process(
            target=work, args=(store.folder, tree, target, options))
        self.process.start()

    def has_ended(self):
        if self.process.is_alive():
            return False
        if self.process.exitcode != 0:
            say(f"{self.target}: its measure failed with exit code {self.process.exitcode}")
        return True

    def stop(self):
        self.process.terminate()
        self.process.join()
