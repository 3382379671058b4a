"""A repository with the gate in front of every commit, from the first day on: what its people type
and read."""
import os
import re
import shutil
import stat
import subprocess
import sys

from harness import HERE, Program, Tap, Workspace, read, small_tod

HOOK = os.path.abspath(os.path.join(HERE, "..", "..", "docs", "ci", "pre-commit"))
TRA = ("tra\nmagic\nhead\nfigure 3\nbone hip\ntranslate.x 0 0 2 4\ntranslate.y 0 0 2 0\n"
       "translate.z 0 0 2 0\nbone leg\nroll 0 0 2 90\n")


class Repository:
    """git in a folder, with framehound on the PATH of its hooks."""

    def __init__(self, program, work):
        self.program = program
        self.folder = work.folder("repo")
        tools = work.folder("bin")
        script = os.path.join(tools, "framehound")
        with open(script, "w", encoding="utf-8") as file:
            words = " ".join("'%s'" % word for word in program.command([]))
            file.write("#!/bin/sh\nexec %s \"$@\"\n" % words)
        os.chmod(script, 0o755)
        self.env = {**program.environment(), "PATH": tools + ":" + os.environ["PATH"],
                    "HOME": work.name, "GIT_CONFIG_NOSYSTEM": "1",
                    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
                    "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org"}

    def path(self, name):
        return os.path.join(self.folder, name)

    def git(self, *args):
        """Exit code, and what was said."""
        done = subprocess.run(["git", *args], cwd=self.folder, env=self.env, text=True,
                              capture_output=True, timeout=120, check=False)
        return done.returncode, done.stdout + done.stderr

    def commit(self, message):
        self.git("add", "-A")
        return self.git("commit", "-q", "-m", message)

    def framehound(self, *args):
        return self.program.run(*args, cwd=self.folder)


def first_day(tap, repository):
    """Assets, a lock of their motion, and the hook."""
    program = repository.program
    tap.equal(repository.git("init", "-q", ".")[0], 0, "a repository")
    os.mkdir(repository.path("anim"))
    program.forge("tod", small_tod(frames=30), repository.path("anim/walk.tod"))
    program.forge("tra", TRA, repository.path("anim/wave.tra"))
    result = repository.framehound("check", "anim")
    tap.ok(result.code == 0 and "2 sound" in result.text, "its animations are sound", result)
    repository.git("branch", "anim/w.tod")
    everything = repository.framehound("check")
    tap.equal(everything.code, 2, "what is to be checked is named", everything)
    everything = repository.framehound("check", ".")
    tap.ok(everything.code == 0 and ".git" not in everything.text, "git's own files are none",
           everything)
    result = repository.framehound("check", "--write-expect", "poses.lock", "anim")
    tap.equal(result.code, 0, "their motion is written down", result)
    shutil.copy(HOOK, repository.path(".git/hooks/pre-commit"))
    os.chmod(repository.path(".git/hooks/pre-commit"), stat.S_IRWXU)
    code, said = repository.commit("Animations")
    tap.equal(code, 0, "the first commit passes the hook", said)


def a_bad_edit(tap, repository):
    """The last frame is cut off in the middle."""
    path = repository.path("anim/walk.tod")
    sound = read(path)
    with open(path, "wb") as file:
        file.write(sound[:-10])
    code, said = repository.commit("Shorten the walk")
    tap.ok(code != 0, "a bad edit is refused", said)
    found = re.search(r"error TOD\d{4} at (0x[0-9a-f]+): (.*)", said)
    tap.ok(found is not None and "expected" in found[2], "with the field that is wrong", said)
    tap.ok("help: " in said, "and what to do about it", said)
    result = repository.framehound("check", "--explain", "anim")
    code = re.search(r"error (TOD\d{4}) at", result.text)[1]
    foot = result.text[result.text.rindex("\n\n%s (1 finding): " % code):]
    tap.ok("  help: " in foot and foot.endswith("framehound rules CODE says more, with an example.\n"),
           "--explain says what the rule means", result)
    tap.ok("--explain" not in result.text and "findings: " not in
           repository.framehound("check", "--explain", "anim/wave.tra").text,
           "and nothing where all is well")
    tap.equal(repository.git("log", "--oneline")[1].count("\n"), 1, "nothing was committed")
    repository.git("checkout", "-q", "HEAD", "--", ".")
    tap.equal(read(path), sound, "git brings it back")


def a_mend(tap, repository):
    """A size that the rest of the file says again is wrong: there is one right value."""
    path = repository.path("anim/walk.tod")
    sound = read(path)
    wrong = bytearray(sound)
    wrong[8] += 1 # of the first frame, in words
    with open(path, "wb") as file:
        file.write(wrong)
    code, said = repository.commit("A size of frame that is wrong")
    tap.ok(code != 0 and "--fix" in said, "what can be mended is refused, and says so", said)
    result = repository.framehound("check", "--diff", "anim")
    tap.ok(result.code == 1 and "0x00000008" in result.text, "--diff shows the byte", result)
    result = repository.framehound("check", "--fix", "--expect", "poses.lock", "anim")
    tap.equal(result.code, 0, "--fix mends it", result)
    tap.equal(read(path), sound, "as it was")
    tap.equal(repository.git("status", "--porcelain", "anim/walk.tod")[1].strip()[-8:],
              "walk.tod", "it is staged still")
    tap.equal(repository.git("add", "-A")[0], 0, "and can be added")


def another_motion(tap, repository):
    """Sound in itself, but not the motion that was agreed on."""
    program = repository.program
    program.forge("tra", TRA.replace("2 90", "2 80"), repository.path("anim/wave.tra"))
    result = repository.framehound("check", "anim")
    tap.equal(result.code, 0, "a changed motion is sound", result)
    result = repository.framehound("check", "--expect", "poses.lock", "anim")
    found = re.search(r"RUN0014: .*: (\w+) is (\S+), expected (\S+) \(frame (\d+)", result.text)
    tap.ok(result.code == 1 and found is not None, "but not the one of the lock", result)
    tap.ok("object 1" in result.text and "largest" in result.text,
           "with the bone, the first and the largest difference", result)
    code, said = repository.commit("Wave less")
    tap.equal(code, 0, "the hook without a lock lets it pass", said)
    repository.framehound("check", "--write-expect", "poses.lock", "anim")
    result = repository.framehound("check", "--expect", "poses.lock", "anim")
    tap.equal(result.code, 0, "the lock is agreed on anew", result)
    changed = repository.git("diff", "--stat", "poses.lock")[1]
    tap.ok("poses.lock" in changed, "and its change can be read", changed)


def pre_commit(tap, repository, work):
    """The same by way of pre-commit, which reads the hooks of this repository."""
    if shutil.which("pre-commit") is None:
        tap.skip("pre-commit", "it is not installed")
        return
    source = work.folder("hooks")
    shutil.copy(os.path.join(HERE, "..", "..", ".pre-commit-hooks.yaml"), source)
    for args in (("init", "-q", "."), ("add", "-A"), ("commit", "-q", "-m", "Hooks")):
        subprocess.run(["git", *args], cwd=source, env=repository.env, check=True, timeout=60)
    sound = read(repository.path("anim/walk.tod"))
    with open(repository.path("anim/walk.tod"), "wb") as file:
        file.write(sound[:-10])
    repository.git("add", "-A")
    done = subprocess.run(["pre-commit", "try-repo", source, "framehound"], env=repository.env,
                          cwd=repository.folder, capture_output=True, text=True, timeout=300,
                          check=False)
    said = done.stdout + done.stderr
    tap.ok(done.returncode == 1 and "walk.tod" in said and "Failed" in said,
           "pre-commit refuses a bad edit", said)
    with open(repository.path("anim/walk.tod"), "wb") as file:
        file.write(sound)
    repository.git("add", "-A")
    done = subprocess.run(["pre-commit", "try-repo", source, "framehound", "--all-files"],
                          env=repository.env, cwd=repository.folder, capture_output=True,
                          text=True, timeout=300, check=False)
    tap.equal(done.returncode, 0, "and lets a sound one pass", done.stdout + done.stderr)


def main():
    tap, program = Tap(), Program(sys.argv)
    if shutil.which("git") is None:
        tap.skip("a session in a repository", "git is not installed")
        tap.done()
    with Workspace() as work:
        repository = Repository(program, work)
        for part in (first_day, a_bad_edit, a_mend, another_motion):
            part(tap, repository)
        pre_commit(tap, repository, work)
    program.tell_unsound(tap)
    tap.done()


main()
