"""What the benchmarks share: runs that take turns, medians, processor time, memory.

Ratios are what counts. Times of one machine on one day say little: whoever else uses the machine is
in them. So runs that are compared take turns, and the median of their ratios is told, with the
least and the most.
"""
import os
import platform
import statistics
import subprocess
import time

MIB = 1 << 20


class Run:
    """What a command took: seconds by the clock, and of all processors together."""

    def __init__(self, command, **how):
        how.setdefault("stdout", subprocess.DEVNULL)
        how.setdefault("stderr", subprocess.DEVNULL)
        started = time.perf_counter()
        process = subprocess.Popen(command, **how)
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds = time.perf_counter() - started
        self.busy = usage.ru_utime + usage.ru_stime
        process.returncode = os.waitstatus_to_exitcode(status)
        self.code = process.returncode


def dd(path):
    return ["dd", "if=" + path, "of=/dev/null", "bs=512K", "status=none"]


def in_turns(runs, *commands, before=lambda: None):
    """Runs of each command, in turns: a list for each."""
    out = [[] for _ in commands]
    for _ in range(runs):
        for number, command in enumerate(commands):
            before()
            out[number].append(Run(command))
    return out


def ratios(of, to, what="seconds"):
    values = [getattr(a, what) / getattr(b, what) for a, b in zip(of, to)]
    return statistics.median(values), min(values), max(values)


def shown(values):
    return "%.2f (%.2f to %.2f)" % values


def median_of(runs, what):
    return statistics.median(getattr(run, what) for run in runs)


def processes(pid):
    """A process and all below it."""
    out = [pid]
    try:
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, task)) as file:
                for child in file.read().split():
                    out += processes(int(child))
    except OSError:
        pass
    return out


class Memory:
    """KiB of some processes: what only they have (heap, stacks, written pages), all that is resident with
    what is shared divided among those who share it (PSS), and of the largest all that is resident, pages
    of the program's and libraries' files among it. Of many looks the most of each."""

    def __init__(self):
        self.own = self.shares = self.largest = self.looks = 0

    def look(self, pids):
        own = shares = 0
        for pid in pids:
            try:
                with open("/proc/%d/smaps_rollup" % pid) as file:
                    rows = dict((row.split()[0], row.split()[1]) for row in file if row.count(":") == 1)
                own += int(rows["Anonymous:"])
                shares += int(rows["Pss:"])
                self.largest = max(self.largest, int(rows["Rss:"]))
            except (OSError, KeyError):
                pass
        self.own, self.shares, self.looks = max(self.own, own), max(self.shares, shares), self.looks + 1


def watch(memory, command, seconds=None):
    """Looks at the memory of a command and its processes all the time; it is ended after so many seconds.
    Returns whether it came to its end."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    started = time.monotonic()
    is_whole = True
    while process.poll() is None:
        memory.look(processes(process.pid))
        if seconds is not None and time.monotonic() - started > seconds and is_whole:
            is_whole = False
            process.terminate()
        time.sleep(0.002)
    return is_whole


def megabytes(kib):
    return "%.1f MB" % (kib * 1024 / 1e6)


def machine():
    """The machine in one line, and how busy it was."""
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo") as file:
        rows = [row.split(":", 1) for row in file if ":" in row]
    for name, value in rows:
        if name.strip() == "model name":
            model = value.strip()
    flags = next((value.split() for name, value in rows if name.strip() in ("flags", "Features")), [])
    have = [flag for flag in ("avx2", "avx512vbmi", "sha_ni", "asimd", "sha2") if flag in flags]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    return "%s, %d processors, %s, %.0f GiB of memory, %s; others kept %.1f processors busy at the start" % (
        model, os.cpu_count(), " ".join(have), memory, platform.system(),
        os.getloadavg()[0])


