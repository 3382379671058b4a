"""One turn of an engine: a process group that is started, watched, and stopped.

An engine that ends before its turn is over because it found something is started again. If the
runner dies, the system ends the engines.
"""
import ctypes
import os
import signal
import subprocess
import time

from . import engines
from .common import folder, size_of

PR_SET_PDEATHSIG = 1
GRACE = 15           # seconds in which an engine may end by itself after its time
MOST_STARTS = 100    # of one engine in one turn: where everything crashes, others get on
TICKS = os.sysconf("SC_CLK_TCK")
LIBC = ctypes.CDLL(None)


def end_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def cpu_of_group(group):
    """Seconds of processor time of a process group, as far as it still lives."""
    total = 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="latin-1") as file:
                words = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[2]) == group:
            total += sum(int(word) for word in words[11:15])
    return total / TICKS


class Turn:
    """A worker at work on a target for some seconds."""

    def __init__(self, worker, target, command, variables, out, seconds):
        self.worker, self.target, self.command = worker, target, command
        self.variables, self.out = variables, out
        self.begun = time.monotonic()
        self.end = self.begun + seconds
        self.log = os.path.join(folder(out, target, "logs"), f"{worker.name}.log")
        self.cpu_before = self.cpu_now = 0.0   # of processes that have ended, of the one that runs
        self.done_before = 0                   # executions, likewise
        self.starts = 0
        self.known = {}                        # the newest of each figure
        self.base = self.afl_executions()
        self.process = None
        self.start()

    def afl_executions(self):
        if self.worker.engine != "afl":
            return 0
        return engines.afl_stats(self.worker.path(self.out, self.target))["executions"]

    def start(self):
        """command is a function of the seconds that are left."""
        self.since = size_of(self.log)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command(max(1, self.end - time.monotonic())), stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, env=self.variables, preexec_fn=end_with_parent,
                start_new_session=True)
        self.starts += 1

    def stats(self):
        """What the turn has done so far: executions, cpu, and where the engine stands."""
        self.cpu_now = max(self.cpu_now, cpu_of_group(self.process.pid))
        if self.worker.engine == "libfuzzer":
            stats = engines.libfuzzer_stats(self.log, self.since)
            stats["executions"] += self.done_before
        else:
            stats = engines.afl_stats(self.worker.path(self.out, self.target))
            if stats["executions"] < self.base:  # it began anew
                self.base = 0
            stats["executions"] -= self.base
        stats["cpu"] = self.cpu_before + self.cpu_now
        # A process that was just started has told nothing yet.
        self.known.update((name, value) for name, value in stats.items() if value is not None)
        return dict(self.known)

    def seconds(self):
        return time.monotonic() - self.begun

    def reap(self):
        """Adds up what an ended process has done."""
        _, _, usage = self.ended
        self.cpu_before += max(self.cpu_now, usage.ru_utime + usage.ru_stime)
        self.cpu_now = 0.0
        if self.worker.engine == "libfuzzer":
            self.done_before += engines.libfuzzer_stats(self.log, self.since)["executions"]
        self.since = size_of(self.log)

    def has_ended(self):
        pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if pid == 0:
            return False
        self.ended = (pid, status, usage)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.reap()
        return True

    def poll(self):
        """None while the turn goes on, else how it ended."""
        now = time.monotonic()
        if not self.has_ended():
            if now > self.end + GRACE:
                self.stop()
                return "stopped after its time"
            return None
        code = self.process.returncode
        if now >= self.end - 1 or code == 0:
            return "done"
        if self.worker.engine == "afl":
            return f"failed with exit code {code}; see {self.log}"
        if self.starts >= MOST_STARTS:
            return f"crashed {MOST_STARTS} times"
        self.start()
        return None

    def stop(self):
        """Ends it: in good order if it can."""
        for sign, patience in ((signal.SIGTERM, 10), (signal.SIGKILL, 10)):
            try:
                os.killpg(self.process.pid, sign)
            except ProcessLookupError:
                pass
            until = time.monotonic() + patience
            while time.monotonic() < until:
                if self.process.returncode is not None or self.has_ended():
                    return
                time.sleep(0.05)
