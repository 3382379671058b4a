#!/usr/bin/env python3
"""What people paste into their own repositories: the hooks, the action and the job are sound, ask
for options that there are, and run.

Usage: ci.py FRAMEHOUND FORGE SOURCE_ROOT
"""
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

import tap
from tap import Skip, equal, nothing, output, test

FRAMEHOUND, FORGE, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])


def text_of(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def parsed(name):
    try:
        import yaml
    except ImportError:
        raise Skip("python3-yaml is not installed") from None
    return yaml.safe_load(text_of(name))


def commands_in(value):
    """Every string of a document that holds a command."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for part in value for text in commands_in(part)]
    return [value] if isinstance(value, str) else []


def unknown_options(text):
    """Options and forms of check that it does not have."""
    known = output(FRAMEHOUND, "check", "--help")
    for call in re.findall(r"(?:framehound|\"\$1\") check ([^\n]*(?:\n +--[^\n]*)*)", text):
        for option in re.findall(r"--[a-z][a-z-]*", call):
            if option not in known:
                yield option
        for form in re.findall(r"--format \"?([a-z]+)", call):
            if not re.search(r"\b%s\b" % form, known):
                yield form


@test
def they_ask_for_options_that_there_are():
    names = [".pre-commit-hooks.yaml", "docs/ci/gitlab.yml", "docs/ci/github-check",
             "docs/ci/pre-commit"]
    calls = {name: text_of(name) for name in names}
    for name in names:
        equal("check" in calls[name], True, name)
    nothing((f"{name}: {option}" for name in names for option in unknown_options(calls[name])),
            "options")


@test
def the_hooks_are_hooks():
    hooks = parsed(".pre-commit-hooks.yaml")
    equal([sorted(set(("id", "name", "entry", "language")) - set(hook)) for hook in hooks],
          [[] for _ in hooks], "keys that pre-commit wants")
    for hook in hooks:
        for name, wanted in (("a/walk.tod", True), ("B.HMD", True), ("x.cam", True),
                             ("tod", False), ("a.tod.txt", False)):
            equal(bool(re.search(hook["files"], name)), wanted, f"{hook['id']} takes {name}")


@test
def the_action_is_one():
    action = parsed("action.yml")
    equal(action["runs"]["using"], "composite", "kind")
    equal([sorted({"run", "shell"} - set(step)) for step in action["runs"]["steps"]],
          [[] for _ in action["runs"]["steps"]], "keys that a step needs")
    # What a user writes reaches the shell in variables only.
    nothing((step["run"] for step in action["runs"]["steps"] if "${{" in step["run"]),
            "inputs in commands")
    asked = set(re.findall(r"\$\{\{ inputs\.(\w+) \}\}", text_of("action.yml")))
    equal(asked, set(action["inputs"]), "inputs")


@test
def the_job_is_one():
    job = parsed("docs/ci/gitlab.yml")["framehound"]
    equal(set(job) >= {"image", "before_script", "script", "artifacts"}, True, "keys")
    script = " ".join(commands_in(job["script"]))
    for report in job["artifacts"]["reports"].values():
        equal(f"={report}" in script, True, f"{report} is written")


@test
def scripts_are_scripts():
    for name in ("docs/ci/github-check", "docs/ci/pre-commit"):
        equal(bool(os.stat(os.path.join(ROOT, name)).st_mode & stat.S_IXUSR), True, name)
        output(text_of(name).split("\n")[0].split("/")[-1].split(" ")[-1], "-n",
               os.path.join(ROOT, name))


def forge(folder, name, text):
    with open(os.path.join(folder, "x.forge"), "w", encoding="ascii") as file:
        file.write(text)
    subprocess.run([FORGE, "tod", os.path.join(folder, "x.forge"), "-o",
                    os.path.join(folder, name)], check=True, capture_output=True)
    os.unlink(os.path.join(folder, "x.forge"))


@test
def the_action_checks():
    if shutil.which("bash") is None:
        raise Skip("bash is not installed")
    with tempfile.TemporaryDirectory() as folder:
        forge(folder, "good one.tod", "tod resolution=4\nframe 0\nlight 0 abs rgb 1 2 3\n")
        forge(folder, "bad.tod", "tod resolution=4\nframe 0 packets=2\nlight 0 abs rgb 1 2 3\n")
        env = {**os.environ, "FRAMEHOUND_PATHS": "good one.tod\n\nbad.tod\n",
               "FRAMEHOUND_OPTIONS": "--fail-on\nnever\n--config\n$(touch made).ini",
               "FRAMEHOUND_SARIF": "out.sarif"}
        check = os.path.join(ROOT, "docs/ci/github-check")
        done = subprocess.run([check, FRAMEHOUND], cwd=folder, env=env, capture_output=True,
                              text=True, check=False)
        equal((done.returncode, os.path.exists(os.path.join(folder, "made"))), (2, False),
              "what is no file is an option all the same, and never a command")
        env["FRAMEHOUND_OPTIONS"] = "--fail-on\nwarning"
        done = subprocess.run([check, FRAMEHOUND], cwd=folder, env=env, capture_output=True,
                              text=True, check=False)
        equal((done.returncode, done.stderr), (1, ""), "exit code")
        equal(re.findall(r"^::error file=([^,]*)", done.stdout, re.M)[:1], ["bad.tod"],
              "annotations")
        with open(os.path.join(folder, "out.sarif"), encoding="utf-8") as file:
            equal(len(json.load(file)["runs"][0]["results"]) > 0, True, "results in SARIF")


tap.main()
