"""The project's test suites, test by test, against planted faults."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import tempfile
import time

LEAST_SECONDS = 5


class Test:
    def __init__(self, suite, name, seconds, met):
        self.suite, self.name, self.seconds, self.met = suite, name, seconds, met


class Suites:
    """Runs every test once without a fault, to know by which places it comes."""

    def __init__(self, paths, root, work):
        self.env = dict(os.environ, FRAMEHOUND_SOURCE_ROOT=root)
        self.work = work
        self.tests = sorted((test for path in paths for test in self.look_at(path)),
                            key=lambda test: test.seconds)

    def run(self, path, name, timeout, **env):
        return subprocess.run([path, "--tap", "-j1", "--filter", name], capture_output=True, text=True,
                              timeout=timeout, check=False, env=dict(self.env, **env))

    def names_in(self, path):
        listed = subprocess.run([path, "--list"], capture_output=True, text=True, check=True).stdout
        suite = ""
        for line in listed.splitlines():
            if line.startswith(("|", "`", " ")) or "──" in line:
                yield f"{suite}/{re.sub(r'^[^A-Za-z0-9_]+', '', line).split()[0]}"
            else:
                suite = line.split(":")[0].strip()

    def look_at(self, path):
        for name in self.names_in(path):
            folder = tempfile.mkdtemp(dir=self.work)
            start = time.monotonic()
            try:
                done = self.run(path, name, 300, FRAMEHOUND_MET=folder)
            except subprocess.TimeoutExpired:
                shutil.rmtree(folder)
                continue
            seconds = time.monotonic() - start
            met = bytearray()
            for file in os.listdir(folder):
                with open(os.path.join(folder, file), "rb") as one:
                    data = one.read()
                met = bytearray(a | b for a, b in zip(met, data)) if met else bytearray(data)
            shutil.rmtree(folder)
            if done.returncode == 0 and met:
                yield Test(path, name, seconds, met)

    def notices(self, test, mutant):
        try:
            done = self.run(test.suite, test.name, LEAST_SECONDS + 5 * test.seconds,
                            FRAMEHOUND_MUTANT=str(mutant.number))
        except subprocess.TimeoutExpired:
            return ["hung", test.name]
        if done.returncode != 0 or re.search(r"^not ok", done.stdout, re.M):
            return ["by suite", test.name]
        return None

    def try_one(self, mutant, first=None):
        """The verdict of a fault; the test named `first` is asked first."""
        meeting = [test for test in self.tests if test.met[mutant.number]]
        meeting.sort(key=lambda test: test.name != first)
        for test in meeting:
            verdict = self.notices(test, mutant)
            if verdict:
                return mutant, verdict
        return mutant, ["survived" if meeting else "unmet"]

    def try_all(self, mutants, jobs, noticed_by=lambda mutant: None):
        """Yields each fault with its verdict."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for done in concurrent.futures.as_completed(
                    [pool.submit(self.try_one, m, noticed_by(m)) for m in mutants]):
                yield done.result()
