"""A collection on a cluster: job arrays of Slurm on a node that this script sets up, and GNU parallel.

Tasks are killed in the middle of their shard, or told that their time is over, and come again; what
is merged is what one scan of everything records, every row of it but the times of the scan. What only
fails again is not tried again.
"""
import errno
import fcntl
import getpass
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time

from harness import HERE, Program, Tap, Workspace, query, read, small_tod

SCRIPTS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "docs", "cluster")
SHARDS = 4
FILES = 240
PATIENCE = 240  # seconds for what takes a few

# Stands in for the program: the first scan of shard 2 is held up until something of it is recorded,
# which happens every half a second, and killed; then it hangs. On a busy machine the scan may come to
# its end before it is held up; then it is begun again.
STUMBLE = """#!/bin/sh
case "$*" in
scan*--shard\\ 2/*)
  if mkdir %(work)s/stumbled 2>/dev/null; then
    until %(program)s query --db %(part)s --format csv scans 2>/dev/null | grep -q running; do
      rm -f %(part)s %(part)s-journal
      %(program)s "$@" &
      pid=$!
      while [ ! -s %(part)s ] && kill -CONT $pid; do
        sleep 0.01
        kill -STOP $pid
        sleep 0.6
      done
      kill -9 $pid
      wait $pid
    done
    echo $$ >%(work)s/hanging
    exec sleep 300
  fi ;;
esac
exec %(program)s "$@"
"""


def dump(db):
    """All of a database as text, but for the times of its scan."""
    connection = sqlite3.connect(db)
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    try:
        connection.execute("CREATE TEMP TABLE known AS SELECT * FROM scan")
        scans = connection.execute("SELECT id, tool_version, ruleset_version, options, status "
                                   "FROM scan").fetchall()
        return scans, [line for line in connection.iterdump() if 'INTO "scan"' not in line]
    finally:
        connection.close()


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.1)
    raise TimeoutError(what)


def make_collection(program, work):
    seeds = [read(program.forge("tod", small_tod(20 + 5 * i, i + 1), work.path("seed.tod")))
             for i in range(6)]
    names = []
    for i in range(FILES):
        data = seeds[i % 6] if i % 4 else seeds[i % 6][:-4 * (i % 5 + 1)]
        names.append(work.write("discs/%03d.bin" % i, b"\xff" * (i * 64) + data * (i % 3 + 1)))
    names.append(work.path("discs/missing.bin"))
    names.sort()
    work.write("discs.tsv", "".join("%s\tdisc %d\n" % (name, i)
                                    for i, name in enumerate(names)).encode())
    return work.path("discs.tsv")


def stumbling(program, work, part):
    path = work.path("stumble")
    work.write("stumble", (STUMBLE % {"work": work.name, "program": program.path,
                                      "part": part}).encode())
    os.chmod(path, 0o755)
    shutil.rmtree(work.path("stumbled"), ignore_errors=True)
    if os.path.exists(work.path("hanging")):
        os.remove(work.path("hanging"))
    return path


def check_result(tap, program, work, out, whole):
    tap.ok(dump(out) == dump(whole), "every row is that of one scan of everything")
    same = program.run("diff", whole, out)
    tap.equal((same.code, same.out), (0, b"no difference\n"), "framehound diff says so, too", same)
    found = query(out, "SELECT count(*) AS n FROM asset")[0]["n"]
    tap.ok(found > FILES / 2, "and much was found", found)


def environment(program, stumble, more=()):
    return {**program.environment(dict(more)), "FRAMEHOUND": stumble}


# ---- one task by itself ----------------------------------------------------------------------

def check_shard(tap, program, work, manifest):
    script = os.path.join(SCRIPTS, "framehound-shard")
    os.makedirs(work.path("alone"))

    def run(*args, framehound=program.path):
        return subprocess.run([script, work.path("alone"), *args], capture_output=True, check=False,
                              env=environment(program, framehound), timeout=PATIENCE)

    stumble = stumbling(program, work, work.path("alone/shard-2.db.part"))
    process = subprocess.Popen([script, work.path("alone"), manifest, "2", "4"],
                               env=environment(program, stumble), stderr=subprocess.PIPE)
    wait_for(lambda: os.path.exists(work.path("hanging")), "the task to hang")
    busy = run(manifest, "2", "4")
    tap.equal(busy.returncode, 75, "no two tasks work on one shard", busy.stderr)
    process.send_signal(signal.SIGTERM)
    told = process.communicate(timeout=PATIENCE)[1]
    tap.equal(process.returncode, 75, "a task that is stopped says that it wants to go on", told)
    tap.ok(not os.path.exists(work.path("alone/shard-2.db")), "and its shard is not there")
    other = run(work.write("other.tsv", read(manifest)[:200]), "2", "4")
    tap.ok(other.returncode == 2 and b"something else in the manifest" in other.stderr,
           "what is half done is not that of another manifest", other)
    done = run(manifest, "2", "4")
    tap.equal(done.returncode, 0, "the next run ends it", done.stderr)
    before = read(work.path("alone/shard-2.db"))
    tap.equal(sorted(os.listdir(work.path("alone"))), ["scan", "shard-2.db"],
              "and leaves nothing else but what the folder is for")
    tap.equal(run(manifest, "2", "4").returncode, 0, "a shard that is there is left alone")
    tap.ok(read(work.path("alone/shard-2.db")) == before, "byte for byte")
    tap.equal(run(manifest, "2").returncode, 2, "too few words")
    for word in ("-h", "--help"):
        told = subprocess.run([script, word], capture_output=True, check=False)
        tap.ok(told.returncode == 0 and b"Usage: framehound-shard " in told.stdout and not told.stderr,
               "the script tells its use for " + word, told)
    tap.equal(run(manifest, "1", "4", "--no-such-option").returncode, 2, "a wrong option")
    nowhere = run(work.path("nowhere.tsv"), "1", "4")
    tap.ok(nowhere.returncode == 3 and b"mend that, and run it again" in nowhere.stderr and
           os.fsencode(work.path("nowhere.tsv")) in nowhere.stderr, "no manifest", nowhere)


def check_codes(tap, program, work, manifest):
    """Another try is asked for where it may help, and nowhere else."""
    script = os.path.join(SCRIPTS, "framehound-shard")

    def refused(name, code, *words, framehound=program.path, folder=work.folder("codes")):
        done = subprocess.run([script, folder, manifest, "1", "4"], capture_output=True, check=False,
                              env=environment(program, framehound), timeout=PATIENCE)
        told = done.stderr.decode("utf-8", "replace")
        tap.ok(done.returncode == code and "framehound-shard 1/4: " in told and
               all(word in told for word in words), "%s: %d" % (name, code), done)
        tap.ok(not os.path.exists(os.path.join(folder, "shard-1.db")), "and there is no shard")

    def program_of(text, mode=0o755):
        path = work.write("stand-in", b"#!/bin/sh\n" + text + b"\n")
        os.chmod(path, mode)
        return path

    none = work.path("no-such-program")
    refused("no program", 127, none, "install it, or set FRAMEHOUND", framehound=none)
    refused("a program that may not be started", 126, "cannot be started", "FRAMEHOUND",
            framehound=program_of(b"", 0o644))
    refused("a program that is another", 4, "is it framehound?", framehound=program_of(b"exit 0"))
    refused("a code of another program", 9, "exit code 9", framehound=program_of(b"exit 9"))
    refused("no folder", 3, work.path("no-folder"), "make the folder", folder=work.path("no-folder"))
    refused("a limit", 75, "run it again", framehound=program_of(b"exit 4"))
    refused("killed", 75, "run it again", framehound=program_of(b"kill -9 $$"))
    for number in (6, 11):
        refused("crashed by signal %d" % number, 70, "(signal %d)" % number, "report it",
                framehound=program_of(b"kill -%d $$" % number))
    refused("told to end", 75, "run it again", framehound=program_of(b"kill -15 $$"))


# ---- a scan that outlives its task -----------------------------------------------------------

def is_free(path):
    """Whether nobody holds a lock, or whoever did has removed it."""
    try:
        with open(path, "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    except FileNotFoundError:
        return True
    except BlockingIOError:
        return False


def feed(pipe, data):
    """Into a pipe that somebody reads or will read soon."""
    def is_open():
        try:
            ends.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
        return bool(ends)
    ends = []
    wait_for(is_open, "somebody to read")
    os.set_blocking(ends[0], True)
    with os.fdopen(ends[0], "wb") as file:
        file.write(data)


def heed_hangups():
    """preexec_fn: a script cannot catch what was ignored when it began, as under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


# Stands in for the program, and tells the process of the scan.
TELLING = """#!/bin/sh
case $1 in scan) echo $$ >%s ;; esac
exec %s "$@"
"""


def check_left_scan(tap, program, work):
    """The scan of a task waits for a pipe, so that it lasts as long as the check wants."""
    script = os.path.join(SCRIPTS, "framehound-shard")
    pipe, data = work.path("pipe"), read(work.path("discs/001.bin"))
    os.mkfifo(pipe)
    names = [work.path("discs/%03d.bin" % i) for i in range(0, 30, 3)] + [pipe]
    manifest = work.write("left.tsv", "".join(name + "\n" for name in names).encode())
    stand_in = work.write("told", (TELLING % (work.path("scanning"), program.path)).encode())
    os.chmod(stand_in, 0o755)
    env = environment(program, stand_in)
    pids = []

    def begin(folder):
        process = subprocess.Popen([script, folder, manifest, "1", "1"], env=env,
                                   preexec_fn=heed_hangups, stderr=subprocess.DEVNULL)
        wait_for(lambda: os.path.exists(os.path.join(folder, "shard-1.db.part")), "the scan to begin")
        pids.append(int(read(work.path("scanning"))))
        return process

    def run(folder, shard="1", num="1"):
        """Code and what was told; None: it waits, for the pipe."""
        try:
            done = subprocess.run([script, folder, manifest, shard, num], capture_output=True, env=env,
                                  check=False, timeout=20, start_new_session=True)
            return done.returncode, done.stderr
        except subprocess.TimeoutExpired as late:
            pids.append(int(read(work.path("scanning"))))
            return None, late.stderr

    try:
        whole = work.path("left-whole.db")
        process = program.start("scan", "-o", whole, "--manifest", manifest)
        feed(pipe, data)
        tap.equal(program.finish(process).code, 0, "one scan of everything, and a pipe")

        folder = work.folder("left")
        process = begin(folder)
        process.kill()
        process.wait()
        code, told = run(folder)
        tap.ok(code == 75 and b"another task is at work on it" in told,
               "the scan that a killed task has left keeps its shard", code, told)
        code, told = run(folder, "1", "2")
        tap.ok(code == 2 and b"of 1 shards, not 2" in told,
               "and the folder, which has nothing else yet", code, told)
        feed(pipe, data)
        wait_for(lambda: is_free(os.path.join(folder, "shard-1.db.lock")), "the scan to end")
        code, told = run(folder)
        tap.equal(code, 0, "when it has ended its shard is taken as it is", told)
        merged = program.run("merge", "-o", work.path("left.db"), os.path.join(folder, "shard-1.db"))
        tap.ok(merged.code == 0 and dump(work.path("left.db")) == dump(whole),
               "and every row is that of one scan of everything", merged)

        folder = work.folder("hung-up")
        process = begin(folder)
        process.send_signal(signal.SIGHUP)
        tap.equal(process.wait(timeout=PATIENCE), 75, "a task whose terminal is closed wants to go on")
        tap.ok(is_free(os.path.join(folder, "shard-1.db.lock")), "and has ended its scan")
    finally:
        for pid in pids:
            try:
                if b"left.tsv" in read("/proc/%d/cmdline" % pid):
                    os.kill(pid, signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError):
                pass


# ---- what a folder belongs to ----------------------------------------------------------------

def check_folder(tap, program, work, manifest):
    """One manifest, number of shards and set of options."""
    script = os.path.join(SCRIPTS, "framehound-shard")
    folder = work.folder("owned")
    less = work.write("less.tsv", b"".join(read(manifest).splitlines(True)[:20]))

    def run(*args, at=folder, **how):
        return subprocess.run([script, at, *args], capture_output=True, check=False,
                              env=environment(program, program.path), timeout=PATIENCE, **how)

    bogus = run(less, "1", "2", "--bogus")
    tap.ok(bogus.returncode == 2 and b"change them" in bogus.stderr, "a wrong option is refused",
           bogus)
    mended = run(less, "1", "4", "-j1")
    tap.equal(mended.returncode, 0, "and mended, for a folder without shards is nobody's", mended)
    for options in (["-j", "2"], ["--jobs=2"], ["--jobs", "1"], []):
        same = run(less, "1", "4", *options)
        tap.equal(same.returncode, 0, "how many work at once is no matter: %s" % options, same.stderr)
    copy = run(work.write("copy.tsv", read(less)), "2", "4")
    tap.equal(copy.returncode, 0, "nor is the name of the manifest", copy.stderr)
    for args, words in (((less, "1", "5"), ["of 4 shards, not 5"]),
                        ((less, "3", "5"), ["of 4 shards, not 5"]),
                        ((manifest, "1", "4"), ["something else in the manifest"]),
                        ((less, "1", "4", "--no-hash"), ["with the options '', not '--no-hash'"]),
                        ((manifest, "3", "3", "--no-hash"),
                         ["something else in the manifest", "of 4 shards", "'--no-hash'"])):
        other = run(*args)
        told = other.stderr.decode("utf-8", "replace")
        tap.ok(other.returncode == 2 and all(word in told for word in words) and
               "remove the folder, or name another" in told, "refused: " + ", ".join(words), other)
    os.remove(os.path.join(folder, "scan"))
    tap.equal(run(less, "1", "4").returncode, 2, "shards of nobody knows what are refused")

    # All at once, and half of them with another option: whoever comes first decides.
    crowd = work.folder("crowd")
    with open(os.path.join(crowd, "scan"), "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        tasks = [subprocess.Popen([script, crowd, less, str(i), "8"] + ["--no-hash"] * (i % 2),
                                  env=environment(program, program.path), stderr=subprocess.PIPE)
                 for i in range(1, 9)]
        time.sleep(1)
        tap.equal(os.listdir(crowd), ["scan"], "tasks wait for one that looks what the folder is for")
    told = [task.communicate(timeout=PATIENCE)[1] for task in tasks]
    codes = [task.returncode for task in tasks]
    tap.ok(codes in ([0, 2] * 4, [2, 0] * 4), "of tasks that begin at once those of one scan do",
           codes, told)
    tap.equal(len([name for name in os.listdir(crowd) if name.endswith(".db")]), 4, "and no others")

    for words in (("x", "4"), ("5", "4"), ("0", "4"), ("01", "4"), ("1", "04"), ("1", "x"),
                  ("1", "0")):
        done = run(less, *words, at=work.folder("numbers"))
        tap.equal(done.returncode, 2, "no numbers: %s of %s" % words, done.stderr)
    tap.equal(os.listdir(work.path("numbers")), [], "and nothing is made")

    with open(less, "rb") as file:
        piped = run("-", "1", "4", at=work.folder("piped"), stdin=file)
    tap.ok(piped.returncode == 2 and b"cannot be standard input" in piped.stderr,
           "standard input is no manifest", piped)
    pipe = run("/dev/stdin", "1", "4", at=work.folder("piped"), input=read(less))
    tap.ok(pipe.returncode == 2 and b"no regular file" in pipe.stderr, "nor is a pipe", pipe)
    with open(less, "rb") as file:
        named = run("/dev/stdin", "1", "4", at=work.folder("piped"), stdin=file)
    tap.equal(named.returncode, 0, "a file is, whatever it is called", named)


def check_again(tap, program, work):
    """Sources that could not be read are tried again when somebody asks for it."""
    script, folder = os.path.join(SCRIPTS, "framehound-shard"), work.folder("away")
    away, shard = work.path("away.bin"), os.path.join(folder, "shard-1.db")
    command = [script, folder, work.write("away.tsv", ("%s\n%s\n" % (
        work.path("discs/001.bin"), away)).encode()), "1", "1"]

    def run():
        subprocess.run(command, env=environment(program, program.path), check=False, timeout=PATIENCE,
                       stderr=subprocess.DEVNULL)
        return program.run("query", "-d", shard, "--format", "csv", "failures").text

    tap.ok(away in run(), "a source that is away is a row of the shard")
    shutil.copy(work.path("discs/002.bin"), away)
    tap.ok(away in run(), "and stays it, for a shard that is there is left alone")
    os.remove(shard)
    tap.ok(away not in run(), "until the shard is removed and its task runs again")


def check_version(tap, program, work, manifest):
    """What another version has left is no reason to fail for good."""
    script, folder = os.path.join(SCRIPTS, "framehound-shard"), work.folder("version")
    part = os.path.join(folder, "shard-1.db.part")
    subprocess.run([script, "--claim", folder, manifest, "4"], check=True)
    program.run("scan", "-o", part, "--manifest", manifest, "--shard", "1/4")
    connection = sqlite3.connect(part)
    connection.execute("UPDATE scan SET status = 'running', tool_version = '0.0.0'")
    connection.commit()
    connection.close()
    done = subprocess.run([script, folder, manifest, "1", "4"], capture_output=True, check=False,
                          env=environment(program, program.path), timeout=PATIENCE)
    tap.equal(done.returncode, 0, "what another version has begun is begun anew", done.stderr)


# ---- the words of the scripts that start tasks -----------------------------------------------

def check_words(tap, program, work, manifest):
    """Wrong ones are told before anything is made. Nothing is queued: sbatch is a stand-in."""
    tools = work.folder("tools")
    os.chmod(work.write("tools/sbatch", b"#!/bin/sh\necho 1\n"), 0o755)
    env = environment(program, program.path, {"PATH": tools + ":" + os.environ["PATH"],
                                              "PARALLEL_HOME": work.path("parallel-home")})
    out = work.path("words.db")

    def run(script, *words, list_of=manifest, options=(), **how):
        return subprocess.run([os.path.join(SCRIPTS, script), *words, "-o", out, list_of, *options],
                              capture_output=True, check=False, env=env, timeout=PATIENCE, **how)

    scripts = ["framehound-slurm"] + ["framehound-parallel"] * (shutil.which("parallel") is not None)
    for script in scripts:
        for option, value in (("-s", "x"), ("-s", "0"), ("-s", "-1"), ("-s", "04"), ("-s", "1000001"),
                              ("-s", ""), ("-c" if script == "framehound-slurm" else "-j", "x")):
            done = run(script, option, value)
            told = done.stderr.decode().splitlines()
            tap.ok(done.returncode == 2 and len(told) == 1 and "'%s'" % value in told[0] and
                   told[0].startswith("%s: %s is a number" % (script, option)),
                   "%s %s %s" % (script, option, value), done)
        with open(manifest, "rb") as file:
            done = run(script, list_of="-", stdin=file)
        tap.ok(done.returncode == 2 and b"cannot be standard input" in done.stderr,
               script + " reads no list from standard input", done)
        done = run(script, list_of="/dev/stdin", input=b"list\n")
        tap.ok(done.returncode == 2 and b"no regular file" in done.stderr, "nor from a pipe", done)
        done = run(script, list_of=work.path("nowhere.tsv"))
        tap.ok(done.returncode == 3 and os.fsencode(work.path("nowhere.tsv")) in done.stderr,
               "nor where there is none", done)
        tap.ok(not os.path.exists(out + ".shards"), "and makes no folder for it")

    first = run("framehound-slurm", "-s", "2", options=["--", "--bogus"])
    second = run("framehound-slurm", "-s", "3", options=["--", "--no-hash"])
    tap.equal((first.returncode, second.returncode), (0, 0),
              "words may be mended as long as there is no shard", first.stderr, second.stderr)
    shard = subprocess.run([os.path.join(SCRIPTS, "framehound-shard"), out + ".shards", manifest,
                            "1", "3", "--no-hash"], env=env, capture_output=True, check=False)
    tap.equal(shard.returncode, 0, "of what was queued last a task runs", shard.stderr)
    other = run("framehound-slurm", "-s", "3")
    tap.ok(other.returncode == 2 and not other.stdout and
           b"with the options '--no-hash', not ''" in other.stderr,
           "and nothing else is queued any more", other)


# ---- GNU parallel ----------------------------------------------------------------------------

def check_parallel(tap, program, work, manifest, whole):
    script = os.path.join(SCRIPTS, "framehound-parallel")
    if shutil.which("parallel") is None:
        tap.skip("GNU parallel", "parallel is not installed")
        return
    out = work.path("parallel.db")
    stumble = stumbling(program, work, out + ".shards/shard-2.db.part")
    env = environment(program, stumble, {"PARALLEL_HOME": work.path("parallel-home")})
    command = [script, "-j", "2", "-s", str(SHARDS), "-o", out, manifest]
    process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, start_new_session=True)
    wait_for(lambda: os.path.exists(work.path("hanging")), "a task to hang")
    wait_for(lambda: len([name for name in os.listdir(out + ".shards")
                          if name.endswith(".db")]) == SHARDS - 1, "the other tasks")
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kill_hanging(work)
    wait_for(lambda: is_free(out + ".shards/lock"), "what is left to end")
    tap.ok(not os.path.exists(out), "killed in the middle there is no database")
    times = {name: os.stat(os.path.join(out + ".shards", name)).st_mtime_ns
             for name in os.listdir(out + ".shards") if name.endswith(".db")}
    other = subprocess.run(command + ["--", "--no-replay"], env=env, capture_output=True,
                           check=False, timeout=PATIENCE)
    tap.equal(other.returncode, 2, "shards of other options are not mixed", other.stderr)
    link = {name: os.path.join(work.name, name) for name in times}
    for name, path in link.items():
        os.link(os.path.join(out + ".shards", name), path)
    again = subprocess.run(command, env=env, capture_output=True, check=False, timeout=PATIENCE)
    tap.equal(again.returncode, 0, "run again it goes on", again.stderr)
    tap.ok(all(os.stat(path).st_mtime_ns == times[name] for name, path in link.items()),
           "and leaves the shards that were there alone")
    tap.ok(not os.path.exists(out + ".shards"), "nothing but the database is left")
    check_result(tap, program, work, out, whole)
    os.remove(out)
    broken = subprocess.run(command, env={**env, "FRAMEHOUND": work.path("no-such-program")},
                            capture_output=True, check=False, timeout=PATIENCE)
    tap.ok(broken.returncode == 3 and b"mend what is told above" in broken.stderr and
           b"install it, or set FRAMEHOUND" in broken.stderr, "what only fails again is told", broken)
    mended = subprocess.run(command, env=env, capture_output=True, check=False, timeout=PATIENCE)
    tap.ok(mended.returncode == 0 and os.path.exists(out), "mended, it goes on", mended)
    os.remove(out)
    bogus = subprocess.run(command + ["--", "--bogus"], env=env, capture_output=True, check=False,
                           timeout=PATIENCE)
    tap.equal(bogus.returncode, 3, "a wrong option is told", bogus.stderr)
    mended = subprocess.run(command, env=env, capture_output=True, check=False, timeout=PATIENCE)
    tap.equal(mended.returncode, 0, "and can be mended, too", mended.stderr)


def check_left_parallel(tap, program, work, manifest, whole):
    """What a run that was killed alone has left at work, and at the end of its log."""
    if shutil.which("parallel") is None:
        tap.skip("GNU parallel, left alone", "parallel is not installed")
        return
    out = work.path("left-parallel.db")
    lock, log = out + ".shards/lock", out + ".shards/jobs.log"
    env = environment(program, stumbling(program, work, out + ".shards/shard-2.db.part"),
                      {"PARALLEL_HOME": work.path("parallel-home")})
    command = [os.path.join(SCRIPTS, "framehound-parallel"), "-j", "2", "-s", str(SHARDS), "-o", out,
               manifest]

    def begin():
        process = subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL,
                                   preexec_fn=heed_hangups)
        wait_for(lambda: os.path.exists(work.path("hanging")), "a task to hang")
        return process

    for name, number in (("told to end", signal.SIGTERM), ("hung up", signal.SIGHUP)):
        process = begin()
        process.send_signal(number)
        tap.equal(process.wait(timeout=PATIENCE), 4, name + ", it wants to go on")
        tap.ok(is_free(lock), "and all of its tasks have ended")
        kill_hanging(work)
        wait_for(lambda: is_free(lock), "what is left to end")
        stumbling(program, work, out + ".shards/shard-2.db.part")
    process = begin()
    process.kill()
    process.wait()
    busy = subprocess.run(command, env=env, capture_output=True, check=False, timeout=PATIENCE)
    tap.ok(busy.returncode == 75 and b"another run is at work" in busy.stderr,
           "what a killed run has left at work is told", busy)
    kill_hanging(work)  # its task is tried again, and ends
    wait_for(lambda: is_free(lock), "what is left to end")
    tap.ok(os.path.exists(out + ".shards/shard-2.db"), "that comes to its end")
    for end in (b"1", b"\n"):  # two that write at once have left such lines
        with open(log, "ab") as file:
            file.write(end)
    os.remove(out + ".shards/shard-1.db")
    again = subprocess.run(command, env=env, capture_output=True, check=False, timeout=PATIENCE)
    tap.equal(again.returncode, 0, "a log that parallel could not read is no matter", again.stderr)
    tap.ok(not os.path.exists(out + ".shards"), "nothing but the database is left")
    check_result(tap, program, work, out, whole)


def kill_hanging(work):
    with open(work.path("hanging"), encoding="utf-8") as file:
        try:
            os.kill(int(file.read()), signal.SIGKILL)
        except ProcessLookupError:
            pass


# ---- Slurm -----------------------------------------------------------------------------------

SLURM_CONF = """\
ClusterName=framehound
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
KillWait=2
MailProg=/bin/true
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=2048 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


def free_ports(num):
    sockets = [socket.socket() for _ in range(num)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """One node, with daemons of its own, which end with the script."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        self.env = {**os.environ, "SLURM_CONF": folder + "/slurm.conf"}
        os.makedirs(folder + "/state")
        os.makedirs(folder + "/spool")
        # A task asks for one core; two of them run at once, whatever the machine has.
        conf = SLURM_CONF.format(host=socket.gethostname().split(".")[0], folder=folder,
                                 user=getpass.getuser(), ports=free_ports(2),
                                 cpus=os.cpu_count() or 1)
        with open(folder + "/slurm.conf", "w", encoding="utf-8") as file:
            file.write(conf)
        with open(folder + "/munge.key", "wb") as file:
            file.write(os.urandom(128))
        os.chmod(folder + "/munge.key", 0o600)

    def start(self, *command):
        with open(self.folder + "/daemons.log", "ab") as log:
            self.daemons.append(subprocess.Popen(command, env=self.env, stdout=log, stderr=log,
                                                 stdin=subprocess.DEVNULL))

    def begin(self):
        munge = self.folder + "/munge"
        self.start("munged", "--foreground", "--force", "--key-file=" + munge + ".key",
                   "--socket=" + munge + ".socket", "--pid-file=" + munge + ".pid",
                   "--log-file=" + munge + ".log", "--seed-file=" + munge + ".seed")
        wait_for(lambda: os.path.exists(munge + ".socket"), "munged")
        self.start("slurmctld", "-D", "-i", "-f", self.folder + "/slurm.conf")
        self.start("slurmd", "-D", "-f", self.folder + "/slurm.conf")
        wait_for(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T").stdout, "the node")

    def run(self, *command, env=()):
        return subprocess.run(command, env={**self.env, **dict(env)}, capture_output=True,
                              text=True, check=False, timeout=PATIENCE)

    def state(self, job):
        """Of one job: RUNNING, COMPLETED ..., or nothing where it is forgotten."""
        told = self.run("scontrol", "-o", "show", "job", job).stdout
        words = dict(word.split("=", 1) for word in told.split() if "=" in word)
        return words.get("JobState", ""), int(words.get("Restarts", 0))

    def end(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def logs(self):
        for name in ("daemons.log", "slurmctld.log", "slurmd.log"):
            path = os.path.join(self.folder, name)
            if os.path.exists(path):
                yield name + ":\n" + read(path).decode("utf-8", "replace")[-3000:]


def missing_tool():
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    for tool in ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "sinfo"):
        if shutil.which(tool) is None:
            return tool + " is not installed (Debian: slurm-wlm, munge)"
    return None


def check_slurm(tap, program, work, manifest, whole):
    missing = missing_tool()
    if missing:
        tap.skip("Slurm", missing)
        return
    os.makedirs(work.path("slurm"))
    cluster = Cluster(work.path("slurm"))
    try:
        try:
            cluster.begin()
        except TimeoutError as error:
            tap.skip("Slurm", "no cluster can be set up here: %s does not come up" % error)
            for log in cluster.logs():
                tap.note(log.replace("\n", " / "))
            return
        check_requeue(tap, program, work, manifest, whole, cluster)
        check_time_limit(tap, program, work, manifest, whole, cluster)
        check_permanent(tap, program, work, manifest, cluster)
    finally:
        cluster.end()


def submit(tap, cluster, out, num, manifest, env):
    """The numbers of the array and of the merge, as text; None: there are none."""
    submitted = cluster.run(os.path.join(SCRIPTS, "framehound-slurm"), "-s", str(num), "-t", "10",
                            "-m", "300M", "-o", out, manifest, env=env.items())
    array, merge = (submitted.stdout.split() + ["", ""])[:2]
    is_queued = tap.ok(array.isdigit() and merge.isdigit(), "an array and a merge are queued",
                       submitted.stderr)
    return (array, merge) if is_queued else None


def submit_stumbling(tap, program, work, manifest, cluster, out):
    """The same, with a task whose scan is killed, and which hangs then."""
    stumble = stumbling(program, work, out + ".shards/shard-2.db.part")
    jobs = submit(tap, cluster, out, SHARDS, manifest, environment(program, stumble))
    if jobs is None:
        return None, None
    array, merge = jobs
    wait_for(lambda: os.path.exists(work.path("hanging")), "a task to hang")
    tap.equal(cluster.state(array + "_2"), ("RUNNING", 0),
              "a task was killed in its shard, and hangs")
    return array + "_2", merge


def logs_of_jobs(out):
    return [read(os.path.join(out + ".shards", name)).decode("utf-8", "replace")[-800:]
            for name in sorted(os.listdir(out + ".shards")) if name.endswith(".log")]


def has_ended(cluster, job):
    return cluster.state(job)[0] not in ("PENDING", "RUNNING", "COMPLETING")


def check_ends(tap, program, work, whole, cluster, out, task, merge):
    """A task that is queued again ends well, and so does everything."""
    # Slurm would wait for two minutes.
    cluster.run("scontrol", "update", "JobId=" + task, "StartTime=now", "TimeLimit=10")
    wait_for(lambda: has_ended(cluster, merge), "the merge")
    tap.equal(cluster.state(merge)[0], "COMPLETED", "all shards are merged",
              *cluster.logs(), *logs_of_jobs(out))
    tap.equal(cluster.state(task), ("COMPLETED", 1), "the task ran twice")
    log = read(out + ".shards/shard-2.log")
    tap.ok(b"going on with the scan" in log, "and went on where it was", log)
    if os.path.exists(out):
        check_result(tap, program, work, out, whole)


def check_requeue(tap, program, work, manifest, whole, cluster):
    out = work.path("slurm.db")
    task, merge = submit_stumbling(tap, program, work, manifest, cluster, out)
    if task is None:
        return
    tap.equal(cluster.state(merge)[0], "PENDING", "the merge waits")
    requeued = cluster.run("scontrol", "requeue", task)
    tap.equal(requeued.returncode, 0, "the task is killed and queued again", requeued.stderr)
    wait_for(lambda: cluster.state(task)[0] == "PENDING", "the task to be queued")
    check_ends(tap, program, work, whole, cluster, out, task, merge)


def check_time_limit(tap, program, work, manifest, whole, cluster):
    """Nobody but Slurm tells the task anything, and nobody but the task queues it again."""
    out = work.path("limit.db")
    task, merge = submit_stumbling(tap, program, work, manifest, cluster, out)
    if task is None:
        return
    # Slurm looks at the limits twice a minute, and tells a task a minute or up to half a minute more
    # before: of the least limit there is that is the next time it looks.
    limited = cluster.run("scontrol", "update", "JobId=" + task, "TimeLimit=1")
    tap.equal(limited.returncode, 0, "its time is over soon", limited.stderr)
    start = time.monotonic()
    wait_for(lambda: cluster.state(task)[0] in ("PENDING", "TIMEOUT", "FAILED"), "the task to be told")
    tap.note("told and queued again after %.0f s" % (time.monotonic() - start))
    tap.equal(cluster.state(task), ("PENDING", 1), "told before its end, the task queues itself again",
              *cluster.logs(), *logs_of_jobs(out))
    log = read(out + ".shards/shard-2.log")
    tap.ok(b"broken off with exit code" in log, "and says so", log)
    check_ends(tap, program, work, whole, cluster, out, task, merge)


def check_permanent(tap, program, work, manifest, cluster):
    """A task that would only fail again is not queued again, and nothing is merged."""
    out = work.path("permanent.db")
    jobs = submit(tap, cluster, out, 1, manifest,
                  environment(program, work.path("no-such-program")))
    if jobs is None:
        return
    task, merge = jobs[0] + "_1", jobs[1]
    wait_for(lambda: has_ended(cluster, task) and has_ended(cluster, merge), "the jobs to end")
    tap.equal(cluster.state(task), ("FAILED", 0), "without a program a task fails at once",
              *logs_of_jobs(out))
    log = read(out + ".shards/shard-1.log")
    tap.ok(b"install it, or set FRAMEHOUND" in log, "and says in its log what to do", log)
    tap.ok(cluster.state(merge)[0] != "COMPLETED" and not os.path.exists(out), "nothing is merged",
           cluster.state(merge))
    jobs = submit(tap, cluster, out, 1, manifest, environment(program, program.path))
    if jobs is not None:
        wait_for(lambda: has_ended(cluster, jobs[1]), "the merge")
        tap.ok(cluster.state(jobs[1])[0] == "COMPLETED" and os.path.exists(out),
               "mended, the same words do all", *logs_of_jobs(out))


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        manifest = make_collection(program, work)
        whole = work.path("whole.db")
        code = program.run("scan", "-o", whole, "--manifest", manifest).code
        tap.equal(code, 3, "one scan of everything, of which a disc is missing")
        check_shard(tap, program, work, manifest)
        check_codes(tap, program, work, manifest)
        check_left_scan(tap, program, work)
        check_folder(tap, program, work, manifest)
        check_again(tap, program, work)
        check_version(tap, program, work, manifest)
        check_words(tap, program, work, manifest)
        check_parallel(tap, program, work, manifest, whole)
        check_left_parallel(tap, program, work, manifest, whole)
        check_slurm(tap, program, work, manifest, whole)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
