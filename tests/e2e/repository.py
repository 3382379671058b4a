"""framehound check in front of a repository: many files at once, what git says of them, lists of
names, and the cache. Repositories and caches are made here."""
import hashlib
import os
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time

from harness import SLOWER, Program, Tap, Workspace, codes_in, forge_hmd, read, small_tod

GIT = shutil.which("git")

ANIMATION = ("tra\nmagic\nhead\nfigure 3\nbone hip\ntranslate.x 0 0 2 4\ntranslate.y 0 0 2 0\n"
             "translate.z 0 0 2 0\nbone leg\nroll 0 0 2 90\n")
MODEL = "bac\nmagic\nhead\nfigure\nbone hip 0\nbone leg 1 0 10 0 0 10 1 1 10 0\n"
# A model that fits, one that does not, none, and a file that is no model.
MODELS = [MODEL, MODEL.replace("leg", "Leg"), None, b"\x05 no text"]


def make_animation(program, stem, model):
    """A TRA4, and what lies beside it."""
    program.forge("tra", ANIMATION, stem + ".tra")
    if os.path.exists(stem + ".bac"):
        os.remove(stem + ".bac")
    if isinstance(model, bytes):
        with open(stem + ".bac", "wb") as file:
            file.write(model)
    elif model is not None:
        program.forge("bac", model, stem + ".bac")


def make_assets(program, work, folder, num=24):
    """Sound and broken files in some folders; no two have the same bytes."""
    sound = read(program.forge("tod", small_tod(4), work.path("seed.tod")))
    for i in range(num):
        data = bytearray(sound)
        data[-2:] = struct.pack("<H", i)
        if i % 3 == 1:
            data = data[:-4 * (i % 5 + 1)]
        name = "%s/%s/%02d.tod" % (folder, "abc"[i % 3], i)
        work.write(name, bytes(data))
    work.write(folder + "/b.txt", b"no animation")
    work.write(folder + "/b/empty.tod", b"")
    work.write(folder + "/cam.tra", b"no TRA4 at all\n")
    forge_hmd(program, "good-animation", work.path(folder, "moves.hmd"))
    return work.path(folder)


def told(result):
    return result.code, result.out, result.err


def files_of(result):
    """The paths that a report tells of, in its order."""
    return [line.split(": ")[0] for line in result.text.splitlines()
            if line and not line.startswith(" ") and ": " in line][:-1]


# ---- jobs ----

def jobs(tap, program, work):
    folder = make_assets(program, work, "jobs")
    for i in range(3):
        make_animation(program, work.path("jobs/m%d" % i), MODELS[i])
    args = ("check", folder, work.path("missing"), folder + "/a", "--fail-on", "note")
    one = program.run(*args, "-j1")
    tap.ok(one.code == 3 and len(codes_in(one.text)) >= 3, "something to tell", one)
    for num in ("2", "3", "16", "256"):
        many = program.run(*args, "--jobs", num)
        tap.equal(told(many), told(one), "--jobs %s tells the same" % num)
    tap.equal(told(program.run(*args)), told(one), "so does the default")
    for value in ("0", "-1", "257", "x", ""):
        tap.equal(program.run("check", folder, "-j", value).code, 2, "--jobs '%s' is refused" % value)
    some = read(folder + "/a/00.tod")
    mixed = program.run("check", "-j4", folder + "/b", "-", folder + "/c", data=some)
    alone = program.run("check", "-j1", folder + "/b", "-", folder + "/c", data=some)
    tap.equal(told(mixed), told(alone), "standard input is told in its place")


def interruption(tap, program, work):
    folder = make_assets(program, work, "stop")
    pipe = work.path("stop/pipe")
    os.mkfifo(pipe)
    for num in ("1", "4"):
        process = program.start("check", "-j", num, folder, pipe)
        time.sleep(1 * (SLOWER if SLOWER < 5 else 5))
        process.send_signal(signal.SIGTERM)
        result = program.finish(process)
        tap.ok(result.code == 4, "--jobs %s: interrupted while it waits for a pipe" % num, result)
    os.unlink(pipe)


# ---- lists ----

def lists(tap, program, work):
    folder = make_assets(program, work, "list")
    here = {"cwd": folder}
    odd = ["-n.tod", "two\nlines.tod", "-", " blank .tod", "caf\udce9.tod"]
    for name in odd:
        shutil.copy(folder + "/a/00.tod", os.path.join(os.fsencode(folder), os.fsencode(name)))
    run = program.run("check", "--files-from", "-", data=b"a/00.tod\nc\n\n-\n-n.tod", **here)
    tap.equal(files_of(run)[0:1] + files_of(run)[-2:], ["a/00.tod", "./-", "-n.tod"],
              "a list of files and folders; '-' in it is a file", run)
    names = b"\0".join(os.fsencode(name) for name in odd) + b"\0"
    work.write("names", names)
    run = program.run("check", "--files-from", work.path("names"), "-0", **here)
    tap.ok(run.code == 0 and "5 files: 5 sound" in run.text, "names of any bytes, by --null", run)
    run = program.run("check", "--null", "--files-from", "-", "b.txt", data=names, **here)
    tap.ok(run.text.startswith("b.txt") and "6 files" in run.text, "paths besides come first", run)
    run = program.run("check", "--files-from", "-", data=b"a/00.tod\na/03.tod\na/00.tod\n", **here)
    tap.equal(files_of(run), ["a/00.tod", "a/03.tod"], "what stands there twice is told once", run)
    run = program.run("check", "--files-from", "-", data=b"a/00.tod\ngone.tod\n", **here)
    tap.ok(run.code == 3 and "gone.tod" in run.errors and files_of(run) == ["a/00.tod", "gone.tod"],
           "a name without a file", run)
    shutil.copy(folder + "/a/00.tod", folder + "/meant.tod\r")
    listed = b"a/00.tod\r\nmeant.tod\r\ngone.tod\r\n"
    for args in (("check", "--files-from", "-"), ("scan", "-o", "ends.db", "--manifest", "-")):
        run = program.run(*args, data=listed, **here)
        lines = [line for line in run.errors.splitlines() if "carriage return" in line]
        tap.ok(run.code == 3 and len(lines) == 2 and "cannot read a/00.tod\\r: " in lines[0] and
               lines[0].endswith(", for there is a/00.tod") and "cannot read gone.tod\\r" in lines[1]
               and lines[1].endswith("end with LF") and "meant.tod" not in run.errors,
               "%s: line ends that are CR LF are told; names may end so" % args[0], run)
    os.unlink(folder + "/meant.tod\r")
    run = program.run("scan", "-o", "none.db", "--manifest", "-", data=b"a/00.tod\r\n", **here)
    tap.ok(run.code == 3 and ", for there is a/00.tod" in run.errors and "no database" in run.errors,
           "also where nothing is found at all", run)
    run = program.run("check", "--files-from", "-", data=b"", **here)
    tap.ok(run.code == 0 and "no file" in run.errors, "an empty list", run)
    for data, args, what in ((b"a\0\0b", ["-0"], "empty name"), (b"a\0b\n", [], "zero byte")):
        run = program.run("check", "--files-from", "-", *args, data=data, **here)
        tap.ok(run.code == 2 and what in run.errors, "%s in a list" % what, run)
    for args in (["-0", "a"], ["--files-from", "-", "-"], ["--files-from", "x", "--files-from", "y"],
                 ["--files-from", "-", "--bac", "-"], ["--files-from", "x", "--changed-since", "y"]):
        tap.equal(program.run("check", *args, **here).code, 2, "usage: %s" % " ".join(args))
    run = program.run("check", "--files-from", "nowhere", **here)
    tap.ok(run.code == 3 and "nowhere" in run.errors, "a list that is not there", run)


# ---- git ----

class Repository:
    def __init__(self, path):
        self.path = path
        os.makedirs(path, exist_ok=True)
        self.git("init", "-q", ".")
        self.git("config", "user.name", "test")
        self.git("config", "user.email", "test@example.org")

    def git(self, *args, **env):
        base = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        base.update({"GIT_CONFIG_NOSYSTEM": "1", "HOME": self.path, **env})
        return subprocess.run(["git", "-c", "protocol.file.allow=always", *args], cwd=self.path,
                              env=base, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def commit(self, what):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", what)


def append(path, data=b"\0\0\0\0"):
    with open(path, "ab") as file:
        file.write(data)


def make_repository(program, work, name):
    folder = make_assets(program, work, name)
    work.write(name + "/.gitignore", b"/out/\n*.skip.tod\n")
    repository = Repository(folder)
    repository.commit("first")
    return repository


def changes(tap, program, work):
    repository = make_repository(program, work, "changes")
    folder, here = repository.path, {"cwd": repository.path}
    sound = read(folder + "/a/00.tod")
    run = program.run("check", "--changed-since", "HEAD", **here)
    tap.ok(run.code == 0 and files_of(run) == [] and "no file" in run.errors, "nothing changed", run)
    append(folder + "/a/03.tod")
    os.utime(folder + "/a/06.tod")
    os.remove(folder + "/a/09.tod")
    for name in ("new.tod", "a/x.skip.tod", "out/y.tod", "a/odd\nname.tod", "c/-z.tod", "caf\u00e9.tod"):
        work.write("changes/" + name, sound)
    append(folder + "/c/02.tod")
    repository.git("add", "c/02.tod")
    expected = ["./a/03.tod", "./a/odd\\nname.tod", "./c/-z.tod", "./c/02.tod", "./caf\u00e9.tod",
                "./new.tod"]
    run = program.run("check", "--changed-since", "HEAD", **here)
    tap.equal(files_of(run), expected, "what changed or is new, by content, in order", run)
    tap.equal(told(program.run("check", "--changed-since=HEAD", "-j1", ".", **here)), told(run),
              "'.' is the default")
    run = program.run("check", "--changed-since", "HEAD", "c", "a/03.tod", "a/00.tod", **here)
    tap.equal(files_of(run), ["c/-z.tod", "c/02.tod", "a/03.tod"], "within paths", run)
    run = program.run("check", "--changed-since", "HEAD", folder + "/c/", cwd=work.path())
    tap.equal(files_of(run), [folder + "/c/-z.tod", folder + "/c/02.tod"], "from elsewhere", run)
    repository.commit("second")
    tap.equal(files_of(program.run("check", "--changed-since", "HEAD", **here)), [],
              "nothing changed since the second commit")
    tap.equal(files_of(program.run("check", "--changed-since", "HEAD~1", **here)), expected,
              "since the first one")
    environment = {"GIT_DIR": work.path("nowhere"), "GIT_INDEX_FILE": "x", "GIT_GLOB_PATHSPECS": "1"}
    tap.equal(files_of(program.run("check", "--changed-since", "HEAD~1", env=environment, **here)),
              expected, "variables of a hook do not mislead")
    for revision in ("nope", "HEAD:a", "HEAD..HEAD~1", "", "-p", "--output=" + work.path("evil")):
        run = program.run("check", "--changed-since=" + revision, **here)
        tap.ok(run.code == 2 and "--changed-since" in run.errors, "revision '%s'" % revision, run)
    tap.ok(not os.path.exists(work.path("evil")), "no revision is taken for an option")
    run = program.run("check", "--changed-since", "HEAD", work.folder("plain"), env={
        "GIT_CEILING_DIRECTORIES": work.path()})
    tap.ok(run.code == 3 and "not a git repository" in run.errors, "no repository", run)
    run = program.run("check", "--changed-since", "HEAD", env={"PATH": work.path()}, **here)
    tap.ok(run.code == 3 and "git cannot be started" in run.errors, "no git", run)
    run = program.run("check", "--changed-since", "HEAD", "gone", **here)
    tap.ok(run.code == 3 and "gone" in run.errors, "a path that is not there", run)
    tap.equal(program.run("check", "--changed-since", "HEAD", "-", **here).code, 2, "standard input")


def models_that_changed(tap, program, work):
    """An animation is another one to check when its model is, though its own bytes are the same."""
    folder = make_repository(program, work, "models")
    make_animation(program, os.path.join(folder.path, "a/m"), MODELS[0])
    make_animation(program, os.path.join(folder.path, "a/m.x"), MODELS[0])
    folder.commit("models")
    program.forge("bac", MODELS[1], os.path.join(folder.path, "a/m.bac"))
    for args, cwd, path in (((), "", "./a/m.tra"), (("a",), "", "a/m.tra"), ((), "a", "./m.tra"),
                            (("a/m.tra",), "", "a/m.tra"), (("m.tra",), "a", "m.tra")):
        run = program.run("check", "--changed-since", "HEAD", "-F", "concise", *args,
                          cwd=os.path.join(folder.path, cwd))
        tap.ok(run.code == 1 and run.text.startswith(path + ":") and run.text.count("\n") == 1 and
               "TRA0121" in run.text, "the model of %s in '%s' changed" % (path, cwd), run)
    run = program.run("check", "--changed-since", "HEAD", "a/m.x.tra", cwd=folder.path)
    tap.equal((run.code, files_of(run)), (0, []), "another model did not")


def ignored(tap, program, work):
    repository = make_repository(program, work, "ignored")
    folder, here = repository.path, {"cwd": repository.path}
    sound = read(folder + "/a/00.tod")
    all_files = files_of(program.run("check", "a", "b", **here))
    tap.equal(files_of(program.run("check", "--gitignore", "a", "b", **here)), all_files,
              "--gitignore, and nothing is ignored")
    for name in ("a/x.skip.tod", "out/y.tod", "a.b/z.tod"):
        work.write("ignored/" + name, sound)
    os.remove(folder + "/a/03.tod")
    os.symlink("00.tod", folder + "/a/link.tod")
    inner = Repository(work.folder("ignored/inner"))
    work.write("ignored/inner/.gitignore", b"no.tod\n")
    for name in ("no.tod", "yes.tod"):
        work.write("ignored/inner/" + name, sound)
    seen = files_of(program.run("check", ".", **here))
    run = program.run("check", "--gitignore", ".", **here)
    skipped = ("./a/x.skip.tod", "./out/y.tod", "./inner/no.tod")
    expected = [name for name in seen if name not in skipped and "/.git/" not in name]
    tap.equal(files_of(run), expected, "without what is ignored, in the order of a walk; a "
              "repository inside has its own .gitignore", run)
    tap.ok("1 symbolic link" in run.errors, "links are left out, and told", run)
    run = program.run("check", "--gitignore", "a/x.skip.tod", "out/y.tod", **here)
    tap.equal(files_of(run), ["a/x.skip.tod", "out/y.tod"], "a file that is named is checked", run)
    run = program.run("check", "--gitignore", "--files-from", "-", data=b"a\nout/y.tod\n", **here)
    tap.ok("out/y.tod" in files_of(run) and "a/x.skip.tod" not in files_of(run), "in a list", run)
    inner.commit("inner")
    tap.ok("./inner/yes.tod" in files_of(program.run("check", "--changed-since", "HEAD", **here)),
           "a repository inside that is not known is new")
    os.rename(folder + "/a", work.path("away"))
    os.symlink(work.path("away"), folder + "/a")
    run = program.run("check", "--gitignore", ".", **here)
    tap.ok(not [name for name in files_of(run) if name.startswith("./a/")],
           "nothing is taken from behind a link", run)


def hostile(tap, program, work):
    """Whatever a repository configures, no program of its own is started."""
    repository = make_repository(program, work, "hostile")
    folder = repository.path
    mark = work.path("started")
    evil = work.write("evil.sh", ("#!/bin/sh\necho \"$0 $*\" >>'%s'\ncat\n" % mark).encode())
    os.chmod(evil, 0o755)
    hooks = work.folder("hooks")
    for hook in ("post-index-change", "fsmonitor-watchman", "post-checkout"):
        shutil.copy(evil, os.path.join(hooks, hook))
    work.write("hostile/.gitattributes", b"*.tod filter=bad diff=bad\n*.tra filter=worse\n")
    repository.commit("attributes")
    for key, value in (("core.fsmonitor", evil), ("core.hooksPath", hooks), ("diff.external", evil),
                       ("diff.bad.command", evil), ("diff.bad.textconv", evil),
                       ("filter.bad.clean", evil), ("filter.bad.required", "true"),
                       ("filter.worse.process", evil), ("core.pager", evil),
                       ("core.sshCommand", evil), ("alias.diff", "!" + evil),
                       ("core.gitProxy", evil), ("credential.helper", evil)):
        repository.git("config", key, value)
    append(folder + "/a/00.tod")
    append(folder + "/cam.tra")
    os.utime(folder + "/a/06.tod")
    run = program.run("check", "--changed-since", "HEAD", cwd=folder)
    tap.equal((files_of(run), os.path.exists(mark)), (["./a/00.tod", "./cam.tra"], False),
              "nothing of the repository is started", run)
    run = program.run("check", "--gitignore", ".", cwd=folder)
    tap.ok(run.code == 1 and not os.path.exists(mark), "nor by --gitignore", run)
    repository.git("diff", "--name-only", "HEAD")
    tap.ok(os.path.exists(mark), "git by itself starts it")
    repository.git("config", "filter.a=b.clean", evil)
    run = program.run("check", "--changed-since", "HEAD", cwd=folder)
    tap.ok(run.code == 3 and "cannot be switched off" in run.errors, "a filter with = is refused", run)


def hostile_inside(tap, program, work):
    """git runs itself in a submodule, which may have filters that the repository knows nothing of."""
    outer = make_repository(program, work, "outer")
    inner = make_repository(program, work, "outer/inner")
    mark = work.path("started-inside")
    evil = work.write("inside.sh", ("#!/bin/sh\necho \"$0 $*\" >>'%s'\n" % mark).encode())
    os.chmod(evil, 0o755)
    outer.git("add", "inner")
    outer.commit("a submodule")
    work.write("outer/inner/.gitattributes", b"*.tod filter=inner\n")
    inner.git("config", "filter.inner.clean", evil)
    append(inner.path + "/a/00.tod")
    os.utime(inner.path + "/a/06.tod", (1, 1))  # as long as before: git has to look at what is in it
    append(outer.path + "/a/01.tod")
    run = program.run("check", "--changed-since", "HEAD", cwd=outer.path)
    tap.ok("./a/01.tod" in files_of(run) and not os.path.exists(mark),
           "nothing of a submodule is started", run)
    run = program.run("check", "--gitignore", ".", cwd=outer.path)
    tap.ok(not os.path.exists(mark), "nor by --gitignore", run)
    outer.git("diff", "--name-only", "--ignore-submodules=none", "HEAD")
    tap.ok(os.path.exists(mark), "git by itself starts it")


def promises(tap, program, work):
    """A repository that lacks objects says itself whence they are fetched: not with us."""
    repository = make_repository(program, work, "promises")
    mark = work.path("fetched")
    tree = repository.git("rev-parse", "HEAD^{tree}").stdout.decode().strip()
    repository.commit("second")
    for key, value in (("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "far"),
                       ("remote.far.promisor", "true"), ("protocol.ext.allow", "always"),
                       ("remote.far.url", "ext::sh -c touch%% %s" % mark)):
        repository.git("config", key, value)
    loose = os.path.join(repository.path, ".git", "objects", tree[:2], tree[2:])
    os.remove(loose)
    run = program.run("check", "--changed-since", "HEAD~1", cwd=repository.path)
    tap.ok(run.code == 3 and not os.path.exists(mark), "missing objects are not fetched", run)


# ---- a program called git that says something else ----

SCRIPT = """#!/bin/sh
case "$*" in
*--is-inside-work-tree*) echo true ;;
*'config --list'*) ;;
*--verify*) echo 0123456789abcdef0123456789abcdef01234567 ;;
*) cat "$NAMES" ;;
esac
"""
# What it names, the exit code of check, the files that were looked at, what is said.
SAYS = [
    ((".a", "ab", "..a", "a./b"), 0, [], "no file"),  # none of these is there
    (("../out.tod",), 3, [], "leads out of it"),
    (("sub/../../out.tod",), 3, [], "leads out of it"),
    (("sub/..",), 3, [], "leads out of it"),
    (("/etc/passwd",), 3, [], "leads out of it"),
    (("one.tod",), 0, ["one.tod"], ""),
    (("one.tod", "one.tod", "sub/two.tod"), 0, ["one.tod", "sub/two.tod"], ""),
    (("sub",), 0, ["sub/two.tod", "sub/wave.bac", "sub/wave.tra"], ""),  # and no repository
    (("sub/",), 0, ["sub/two.tod", "sub/wave.bac", "sub/wave.tra"], ""),
    (("gone/one.tod", "one.tod/x", "link/two.tod"), 0, [], "no file"),
    (("README",), 0, ["README"], ""),
    (("gone/wave.bac", "sub/wave.bac"), 0, ["sub/wave.bac", "sub/wave.tra"], ""),
]


def another_git(tap, program, work):
    folder = work.folder("told")
    path = work.write("bin/git", SCRIPT.encode())
    os.chmod(path, 0o700)
    env = {"PATH": os.path.dirname(path) + ":" + os.environ["PATH"], "NAMES": work.path("names")}
    for name in ("one.tod", "sub/two.tod", "out.tod"):
        program.forge("tod", small_tod(), work.write("told/" + name, b""))
    make_animation(program, work.path("told/sub/wave"), MODEL)
    work.write("told/README", b"no animation")
    os.symlink("sub", work.path("told/link"))
    for names, code, files, said in SAYS:
        work.write("names", b"".join(name.encode() + b"\0" for name in names))
        run = program.run("check", "--changed-since", "HEAD", folder, env=env)
        seen = [os.path.relpath(name, folder) for name in files_of(run)]
        tap.ok(run.code == code and seen == files and said in run.errors + run.text,
               "git says %s" % ", ".join(names), seen, run)
    run = program.run("check", "--gitignore", "-", env=env,
                      data=read(work.path("told/one.tod")))
    tap.ok(run.code == 0 and "1 file: 1 sound" in run.text,
           "standard input is no matter of git", run)


# ---- cache ----

def entries(folder):
    return sorted(os.path.join(root, name) for root, _, names in os.walk(folder)
                  for name in names if name != "CACHEDIR.TAG")


def stamps(folder):
    return [(path, os.stat(path).st_ino, os.stat(path).st_mtime_ns) for path in entries(folder)]


def cache_is_true(tap, program, work):
    folder = make_assets(program, work, "cached")
    cache = work.path("cache")
    ask = ("check", folder, folder + "/a", "--fail-on", "note")
    plain = program.run(*ask)
    first = program.run(*ask, "--cache", cache, "-j2")
    tap.equal(told(first), told(plain), "the first run with a cache tells the same")
    kept = stamps(cache)
    tap.ok(len(kept) > 20 and stat.S_IMODE(os.stat(cache).st_mode) == 0o700 and
           all(stat.S_IMODE(os.stat(path).st_mode) == 0o600 for path, _, _ in kept),
           "entries, for the user alone", kept)
    second = program.run(*ask, "--cache", cache)
    tap.equal((told(second), stamps(cache)), (told(plain), kept), "the second one, from the cache")
    tap.equal(told(program.run(*ask, "--cache", cache, "--no-cache")), told(plain), "--no-cache")
    lock = ("check", folder, "--write-expect")
    program.run(*lock, work.path("plain.lock"))
    program.run(*lock, work.path("cached.lock"), "--cache", cache)
    tap.equal(read(work.path("cached.lock")), read(work.path("plain.lock")),
              "a pose lock from cached results")
    for path in entries(cache)[::2]:
        data = bytearray(read(path))
        data[len(data) * 3 // 4] ^= 1
        work.write(path, bytes(data))
    for path in entries(cache)[1::4]:
        work.write(path, read(path)[:-1])
    work.write(entries(cache)[3], b"")
    damaged = stamps(cache)
    tap.equal(told(program.run(*ask, "--cache", cache)), told(plain), "damaged entries are not used")
    tap.ok(len([1 for a, b in zip(damaged, stamps(cache)) if a != b]) > 10, "but written anew")
    healed = stamps(cache)
    tap.equal((told(program.run(*ask, "--cache", cache)), stamps(cache)), (told(plain), healed),
              "and then used")
    swapped = entries(cache)
    one, other = read(swapped[0]), read(swapped[1])
    work.write(swapped[0], other)
    work.write(swapped[1], one)
    tap.equal(told(program.run(*ask, "--cache", cache)), told(plain), "entries of other keys are not")
    return folder, cache


def cache_hangs_on(tap, program, work, folder, cache):
    """What a result hangs on is part of its key."""
    for args in (["--no-replay"], ["--profile", "1.30"]):
        plain = program.run("check", folder, *args)
        for _ in range(2):
            tap.equal(told(program.run("check", folder, *args, "--cache", cache)), told(plain),
                      "%s with a cache" % " ".join(args))
    sound = read(folder + "/a/00.tod")
    for name in ("same.bin", "same.hmd", "same.tod"):
        path = work.write("named/" + name, sound)
        tap.equal(told(program.run("check", path, "--cache", cache)),
                  told(program.run("check", path)), "the same bytes as %s" % name)
    num = len(entries(cache))
    work.write("named/deep/copy.tod", sound)
    program.run("check", work.path("named/deep"), "--cache", cache)
    tap.equal(len(entries(cache)), num, "a copy elsewhere costs no entry")


def cache_and_models(tap, program, work, cache):
    """The model beside an animation is part of the key, that there is none as well."""
    folder = work.folder("models")
    for name in ("x", "y"):
        make_animation(program, os.path.join(folder, name), None)
    seen = set()
    for model in MODELS:
        make_animation(program, os.path.join(folder, "x"), model)
        make_animation(program, work.path("other"), model or MODEL)
        named = work.path("other.bac")
        for args in ([], ["--bac", "none"], ["--bac", named]):
            plain = program.run("check", folder, *args, "-j1")
            seen.add(told(plain))
            for _ in range(2):
                tap.equal(told(program.run("check", folder, *args, "--cache", cache, "-j2")),
                          told(plain), "models %d, %s" % (MODELS.index(model), args[:2]))
    tap.ok(len(seen) >= 5, "models matter", len(seen))


def cache_is_guarded(tap, program, work, folder):
    path = work.folder("open-cache")
    for mode in (0o755, 0o770, 0o711):
        os.chmod(path, mode)
        run = program.run("check", folder, "--cache", path)
        tap.ok(run.code == 3 and "chmod 700" in run.errors and not os.listdir(path),
               "a cache with mode %o is refused" % mode, run)
    run = program.run("check", folder, "--cache", work.path("no/where"))
    tap.ok(run.code == 3 and "no/where" in run.errors, "a cache that cannot be made", run)
    run = program.run("check", folder, "--cache", folder + "/b.txt")
    tap.equal(run.code, 3, "a cache that is a file")
    if os.geteuid() == 0:
        foreign = work.folder("foreign")
        os.chmod(foreign, 0o700)
        os.chown(foreign, 65534, 65534)
        run = program.run("check", folder, "--cache", foreign)
        tap.ok(run.code == 3 and "another user" in run.errors, "a cache of another user", run)
    else:
        tap.skip("a cache of another user", "not root")


def cache_is_bounded(tap, program, work, folder):
    cache = work.path("full")
    asset = folder + "/a/00.tod"
    program.run("check", asset, "--cache", cache)
    entry = entries(cache)[0]
    home = os.path.dirname(entry)
    os.remove(entry)
    for i in range(300):
        path = os.path.join(home, "%062x" % i)
        with open(path, "wb") as file:
            file.write(b"x" * 8192)
        age = (1000 + i // 4) * 10**9 + i % 4 // 2  # many were written at the same time
        os.utime(path, ns=(age, age))
    alive = [os.path.join(home, ".framehound-" + name)
             for name in ("%d-0" % os.getpid(), "0-0", "x-0", ":-0")]
    for path in alive:
        open(path, "wb").close()
    left_over = os.path.join(home, ".framehound-999999999-0")
    open(left_over, "wb").close()
    program.run("check", asset, "--cache", cache)
    names = sorted(os.listdir(home))
    size = sum(os.stat(os.path.join(home, name)).st_blocks * 512 for name in names)
    tap.ok(os.path.basename(entry) in names and size <= 1 << 20 and len(names) > 50,
           "a full folder loses entries, not the new one", size, len(names))
    tap.ok("%062x" % 299 in names and "%062x" % 0 not in names, "those written first", names[:3])
    tap.ok(not os.path.exists(left_over), "what a killed run left is removed")
    tap.ok(all(os.path.exists(path) for path in alive), "what another run may still write is not")


AT_LEN = 40  # of an entry: 8 bytes of mark, 32 of the key, 8 of the length, 32 of the hash
HEAD_LEN = 80


def entry_of(entry, content):
    """The entry with another content, as sound as if the program had written it."""
    head = entry[:AT_LEN] + struct.pack("<Q", len(content))
    return head + hashlib.sha256(head + hashlib.sha256(content).digest()).digest() + content


def cache_holds_nonsense(tap, program, work):
    """Entries that are as long as they say and have their hash, and are no results of these files;
    and what is no entry at all."""
    folder, cache = work.folder("sound"), work.path("odd-cache")
    program.forge("tod", small_tod(), work.path("sound/a.tod"))
    make_animation(program, work.path("sound/b"), MODEL)
    plain = told(program.run("check", folder))
    program.run("check", folder, "--cache", cache)
    kept = {path: read(path) for path in entries(cache)}
    tap.ok(len(kept) >= 3 and
           all(entry_of(data, data[HEAD_LEN:]) == data for data in kept.values()),
           "an entry is what this test takes it for", [data[:16] for data in kept.values()])
    contents = {data[HEAD_LEN:] for data in kept.values()}
    companion = next(content for content in contents if len(content) < 20)
    result = next(content for content in contents if len(content) > 100)
    nonsense = [b"", companion[:1], result[:1], b"?" + result[1:], companion[:1] + b"x" * 40,
                companion[:1] + b"nosuch", companion[:1] + b"tod", companion, result[:-1], result]
    for content in nonsense:
        for path, data in kept.items():
            work.write(path, entry_of(data, content))
        run = program.run("check", folder, "--cache", cache)
        if content is not result:  # that is a sound one, of another file
            tap.equal(told(run), plain,
                      "entries that hold %d bytes, %r" % (len(content), content[:9]))
    for name, change in (("of another kind", lambda data: b"X" + data[1:]),
                         ("with another length", lambda data: data + b"x"),
                         ("of another key", lambda data: data[:9] + b"??" + data[11:])):
        for path, data in kept.items():
            work.write(path, change(data))
        tap.equal(told(program.run("check", folder, "--cache", cache)), plain, "entries " + name)
    for path in kept:
        os.remove(path)
        os.mkdir(path)
    run = program.run("check", folder, "--cache", cache)
    tap.equal((run.code, run.out), plain[:2], "folders in place of entries")
    for path, data in kept.items():
        os.rmdir(path)
        work.write(path, data)
        os.truncate(path, 1 << 30)
    tap.equal(told(program.run("check", folder, "--cache", cache)), plain, "entries without end")
    if os.geteuid() == 0:
        for path, data in kept.items():
            work.write(path, entry_of(data, b""))
            os.chown(path, 65534, 65534)
        tap.equal(told(program.run("check", folder, "--cache", cache)), plain,
                  "entries of another user")


def cache_is_shared(tap, program, work, folder):
    cache = work.path("shared-cache")
    plain = program.run("check", folder)
    started = [program.start("check", folder, "--cache", cache, "-j2") for _ in range(6)]
    for process in started:
        tap.equal(told(program.finish(process)), told(plain), "one of six runs at the same time")
    tap.equal([name for name in entries(cache) if "/.framehound" in name], [], "nothing is left over")
    if os.path.exists("/dev/full") and os.geteuid() != 0:
        return
    run = program.run("check", folder, "--cache", work.path("small-cache"), fsize=150)
    tap.ok(run.code == plain.code and run.out == plain.out and "could not be kept" in run.errors,
           "a cache that cannot be written is told, and nothing else", run)


def main():
    program = Program(sys.argv)
    tap = Tap()
    with Workspace() as work:
        jobs(tap, program, work)
        interruption(tap, program, work)
        lists(tap, program, work)
        if GIT is None:
            tap.skip("git", "git is not installed")
        else:
            for part in (changes, models_that_changed, ignored, hostile, hostile_inside,
                         promises, another_git):
                part(tap, program, work)
        folder, cache = cache_is_true(tap, program, work)
        cache_hangs_on(tap, program, work, folder, cache)
        cache_and_models(tap, program, work, cache)
        cache_is_guarded(tap, program, work, folder)
        cache_is_bounded(tap, program, work, folder)
        cache_holds_nonsense(tap, program, work)
        cache_is_shared(tap, program, work, folder)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
