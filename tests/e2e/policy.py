#!/usr/bin/env python3
"""What check tells, by options, configurations and baselines: selection, severities, paths.

Usage: policy.py FRAMEHOUND FORGE.
"""
import hashlib
import os
import re
import shutil
import sys

from harness import NOBODY, Program, Tap, Workspace, codes_in, corpus_path, other_user_problem, read

CONFIG = ".framehound.ini"
HASH = re.compile(r"^[0-9a-f]{64} [A-Z]+\d{4} \d+ # .+$")


class Tree:
    """A folder with a faulty TOD (error TOD0092), one with warnings besides, and a sound HMD with a
    note (HMD0288)."""

    def __init__(self, program, work, name):
        self.program, self.root = program, work.folder(name)
        self.work, self.name = work, name
        turn = read(os.path.join(os.path.dirname(corpus_path()), "docs", "demo", "turn.forge"))
        program.forge("tod", turn.decode(), self.path("turn.tod"))
        self.turn = read(self.path("turn.tod"))
        self.write("old/turn.tod", self.turn + b"x")
        program.forge("hmd", read(corpus_path("hmd", "good-animation.forge")).decode(),
                      self.path("old/dance.hmd"))

    def path(self, *names):
        return os.path.join(self.root, *names)

    def write(self, name, data):
        return self.work.write(os.path.join(self.name, name),
                               data.encode() if isinstance(data, str) else data)

    def remove(self, name):
        path = self.path(name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)

    def check(self, *args, **how):
        return self.program.run("check", *args, cwd=self.root, **how)

    def codes(self, *args):
        """{path: {code: severity}} of a check, and its exit code."""
        done = self.check(*args)
        found, name = {}, None
        for line in done.text.splitlines():
            finding = re.match(r"^  (\w+) ([A-Z]+\d{4})\b", line)
            if finding:
                found.setdefault(name, {})[finding[2]] = finding[1]
            elif not line.startswith(" "):
                name = line.split(":")[0]
        return found, done.code


ALL = {"turn.tod": {"TOD0092": "error"},
       "old/turn.tod": {"TOD0092": "error", "TOD0011": "warning", "TOD0009": "warning"},
       "old/dance.hmd": {"HMD0288": "note"}}


def but(*left_out):
    return {path: kept for path, codes in ALL.items()
            if (kept := {c: s for c, s in codes.items() if c not in left_out})}


def options(tap, tree):
    paths = ["turn.tod", "old"]
    tap.equal(tree.codes(*paths), (ALL, 1), "without options everything is told")
    for args, expected, code in [
            (["--ignore", "TOD"], but("TOD0092", "TOD0011", "TOD0009"), 0),
            (["--ignore", "tod00*"], but("TOD0092", "TOD0011", "TOD0009"), 0),
            (["--ignore", "TOD0011,TOD0092"], but("TOD0011", "TOD0092"), 0),
            (["--ignore", "TOD0011", "--ignore", "HMD"], but("TOD0011", "HMD0288"), 1),
            (["--select", "HMD"], but("TOD0092", "TOD0011", "TOD0009"), 0),
            (["--select", "TOD0092", "--select", "HMD"], but("TOD0011", "TOD0009"), 1),
            (["--ignore", "TOD", "--select", "TOD0011,HMD"], but("TOD0092", "TOD0009"), 0),
            (["--select", "TOD0011,HMD", "--ignore", "TOD"], but("TOD0092", "TOD0009"), 0),
            (["--ignore", "ALL", "--select", "TOD0092"], but("TOD0011", "TOD0009", "HMD0288"), 1),
            (["--select", "TOD", "--ignore", "TOD"], {}, 0),
            (["--ignore", "TOD", "--select", "TOD"], but("HMD0288"), 1),
            (["--min-severity", "warning"], but("HMD0288"), 1),
            (["--min-severity", "error"], but("HMD0288", "TOD0011", "TOD0009"), 1),
            (["--min-severity", "error", "--fail-on", "note"], ALL, 1),
            (["--min-severity", "error", "--fail-on", "never"],
             but("HMD0288", "TOD0011", "TOD0009"), 0),
            (["--severity", "TOD0092=off"], but("TOD0092"), 0),
            (["--severity", "ALL=off", "--severity", "ALL=error", "--fail-on", "never", "--ignore",
              "TOD,HMD"], {}, 0)]:
        tap.equal(tree.codes(*args, *paths), (expected, code), " ".join(args))
    found, code = tree.codes("--severity", "TOD=note", "--severity", "TOD001=error", *paths)
    tap.equal((found["old/turn.tod"], code),
              ({"TOD0092": "note", "TOD0011": "error", "TOD0009": "note"}, 1),
              "of two severities the longer prefix counts")
    found, code = tree.codes("--severity", "TOD001=error,TOD=note", "--fail-on", "never", *paths)
    tap.equal((found["old/turn.tod"]["TOD0011"], code), ("error", 0), "whatever comes first")
    done = tree.check("--ignore", "TOD0092", "--min-severity", "warning", *paths)
    tap.ok("; 0 errors, 2 warnings, 0 notes; not told: 2 ignored, 1 less severe than is shown\n"
           in done.text, "the summary counts what was not told", done)
    done = tree.check("--severity", "HMD=warning", "--fail-on", "warning", "old/dance.hmd")
    tap.ok(done.code == 1 and "; 0 errors, 1 warning, 0 notes\n" in done.text,
           "a changed severity is that of report and exit code", done)


def wrong_options(tap, tree):
    for args, says in [
            (["--select", "TODD"], "'TODD'; did you mean TOD?"),
            (["--ignore", "TOD0O92"], "'TOD0O92'; did you mean TOD0"),
            (["--ignore", "TDO"], "'TDO'; did you mean TOD?"),
            (["--ignore", ""], "no code is named"),
            (["--ignore", ",,"], "no code is named"),
            (["--ignore", "\x1b[1m"], "'\\x1b[1m'"),
            (["--ignore", "T" * 5000], "no rule"),
            (["--severity", "TOD"], "CODE=LEVEL"),
            (["--severity", "TOD=eror"], "not 'eror'; did you mean error?"),
            (["--severity", "TDO0092=error"], "did you mean"),
            (["--min-severity", "never"], "--min-severity is error, warning or note, not 'never'"),
            (["--fail-on", "bad"], "--fail-on is error, warning, note or never, not 'bad'"),
            (["--config", "nowhere.ini"], "nowhere.ini: No such file"),
            (["--config", "old"], "it is a directory"),
            (["--config", "turn.tod"], "turn.tod:1: "),
            (["--config", "x", "--no-config"], "cannot both be given"),
            (["--baseline", "old"], "it is a directory"),
            (["--baseline", "turn.tod"], "turn.tod:1: damaged baseline"),
            (["--baseline", "-"], "--baseline is the name of a file"),
            (["--baseline", "x", "--write-baseline", "y"], "cannot leave some of it out"),
            (["--write-baseline", "turn.tod"], "turn.tod:1: "),
            (["--write-baseline", "old"], "it is a directory")]:
        done = tree.check(*args, "old")
        tap.ok(done.code == 2 and says in done.errors and done.out == b"",
               "refused: %s" % " ".join(args)[:60], done)
    for option, name in (("--baseline", "nowhere"), ("--write-baseline", "no/where")):
        done = tree.check(option, name, "old")
        tap.ok(done.code == 3 and "%s: No such file" % name in done.errors and done.out == b"",
               "not read, or not written: %s %s" % (option, name), done)
    tap.equal(read(tree.path("turn.tod")), tree.turn, "a file that is no baseline is left alone")


def configurations(tap, tree):
    paths = ["turn.tod", "old"]
    tree.write(CONFIG, "[check]\nignore = TOD0011\nfail-on = never\n"
                       "[per-file-ignores]\nold/ = TOD0009\n*.hmd = ALL\n"
                       "[per-file-severity]\n/turn.tod = TOD=warning\n")
    expected = {"turn.tod": {"TOD0092": "warning"}, "old/turn.tod": {"TOD0092": "error"}}
    tap.equal(tree.codes(*paths), (expected, 0), "a configuration is found beside and above")
    tap.equal(tree.codes("."), ({"./" + p: c for p, c in expected.items()}, 0),
              "the same where the folder is walked")
    tap.equal(tree.program.run("check", tree.path("old")).code, 0, "and from elsewhere")
    tap.equal(tree.codes("--no-config", *paths), (ALL, 1), "--no-config")
    tap.equal(tree.codes("--select", "TOD0011", "--fail-on", "warning", *paths),
              ({"old/turn.tod": {"TOD0011": "warning"}}, 1), "options count more")
    tap.equal(tree.codes("--ignore", "TOD0092", *paths), ({}, 0), "and are added where they say less")
    tree.write("old/" + CONFIG, "[check]\nignore = TOD0092\n")
    nearest = dict(expected, **{"old/turn.tod": {"TOD0011": "warning", "TOD0009": "warning"},
                                "old/dance.hmd": {"HMD0288": "note"}})
    tap.equal(tree.codes(*paths), (nearest, 0), "the nearest one alone counts")
    tap.equal(tree.codes(*paths[::-1]), (nearest, 0), "for each file, in any order")
    tree.write("other.ini", "[check]\nselect = HMD\n")
    tap.equal(tree.codes("--config", "other.ini", *paths),
              (but("TOD0092", "TOD0009", "TOD0011"), 0), "--config takes the place of all")
    done = tree.check("-", data=tree.turn)
    tap.ok(done.code == 0 and codes_in(done.text) == {"TOD0092"},
           "standard input has the configuration of the folder one is in", done)
    tap.ok(CONFIG not in tree.check("old").text, "a configuration is not checked itself")
    tree.write("old/" + CONFIG, "[check]\nprofile = 1.30\nbac = none\nmin-severity = error\n")
    done = tree.check("old")
    tap.ok(codes_in(done.text) == {"TOD0092"} and done.code == 1, "min-severity of a folder", done)
    os.mkfifo(tree.path("old/waits.bac"))
    tree.write("old/" + CONFIG, "[check]\nbac = waits.bac\n")
    done = tree.check("old/dance.hmd")
    tap.ok(done.code == 2 and "waits.bac is no regular file" in done.errors,
           "nothing that a configuration names is waited for", done)
    tree.remove("old/waits.bac")
    tree.write("old/" + CONFIG, "[check]\nbac = nowhere.bac\n")
    done = tree.check("old/dance.hmd")
    tap.ok(done.code == 3 and "old/nowhere.bac" in done.errors,
           "a model that the configuration names is looked for beside it", done)
    tree.remove("old/" + CONFIG)


def globs(tap, tree):
    """Which of these names each glob takes: letters of UTF-8 are one, whatever else is a byte."""
    names = ["a.tod", "b.tod", "-.tod", "].tod", "*.tod", "\u00e4.tod", "\u20ac.tod", "\U0001d11e.tod",
             "\udcc3a.tod", "\udce2\udc82.tod", "\udcf5.tod", "ab.tod", "d/a.tod", "d/e/a.tod"]
    for name in names:
        tree.write("globs/" + name, tree.turn)
    for glob, taken in [("?.tod", names[:8] + names[10:11] + names[12:]), ("??.tod", names[8:10] + names[11:12]),
                        ("/[ab].tod", names[:2]), ("/[!a-b].tod", names[2:5] + names[10:11]),
                        ("/[]].tod", names[3:4]), ("/[a-].tod", [names[0], names[2]]),
                        ("\\*.tod", names[4:5]), ("/a.tod", names[:1]), ("d/*.tod", names[12:13]),
                        ("d/", names[12:]), ("/d/**/a.tod", names[12:]), ("**/e/*", names[13:]), ("d/**", names[12:]),
                        ("*a*", [n for n in names if "a" in n.rsplit("/", 1)[-1].split(".")[0]]), ("**", names),
                        ("\u00e4*", names[5:6]), ("*.hmd", [])]:
        tree.write("globs/" + CONFIG, "[check]\nfail-on = never\n[per-file-ignores]\n%s = ALL\n" % glob)
        found, code = tree.codes("globs")
        tap.equal((code, len(found)), (0, len(names) - len(taken)), "the glob %a takes %d names" % (glob, len(taken)),
                  sorted(found))
    for text, says in [("[per-file-ignores]\n[a = ALL\n", "CONFIG"), ("[check]\n  [x]\n", "behind blanks"),
                       ("[check]\nbac = a\x7fb\n", "control character"), ("[check]\nbac =\n", "is the name of a file"),
                       ("[check]\nbaseline = -\n", "is the name of a file"), ("[check]\nignore =\n", "no code is named"),
                       ("[check]\nignore =\n  ; nothing\nfail-on = never\n", "no code is named")]:
        tree.write("globs/" + CONFIG, text)
        done = tree.check("globs/a.tod")
        tap.ok(done.code == 2 and (says in done.errors or says == "CONFIG") and not done.out, "refused: %r" % text, done)
    tree.write("globs/" + CONFIG, "[check]\nfail-on = never ; as it is\nignore = TOD0011,  ; one\n  TOD0092 ; two\n")
    done = tree.check("globs/a.tod")
    tap.ok(done.code == 0 and not codes_in(done.text) & {"TOD0011", "TOD0092"}, "comments, and values of two lines", done)
    tree.remove("globs")


def shown(tap, tree):
    tree.write(CONFIG, "[check]\nignore = TOD001\nfail-on = never\n"
                       "[per-file-severity]\nold/ = HMD0288=warning\n")
    done = tree.check("--show-config", "--select", "ALL", "--severity", "TOD0092=off", "turn.tod",
                      "old/dance.hmd")
    lines = [line.split() for line in done.text.splitlines()]
    where = os.path.realpath(tree.path(CONFIG))
    tap.ok(done.code == 0 and ["configuration", where] in lines and
           ["fail-on", "never", where + ":3"] in lines and ["bac", "beside", "the", "file",
                                                            "default"] in lines and
           ["TOD0092", "not", "told", "--severity"] in lines,
           "--show-config says what holds and why", done)
    tap.ok(done.text.count("HMD0288       warning") == 1 and "TOD0010" not in done.text,
           "by path, options counting more", done)
    done = tree.check("--show-config")
    tap.ok(done.code == 0 and done.text.startswith(".\n") and re.search(
        r"TOD001\d-001\d +not told +\S+:2\n", done.text), "of the folder one is in", done)
    done = tree.check("--show-config", "--no-config", ".", "nowhere")
    tap.ok(done.code == 3 and "configuration none  --no-config" in done.text and
           re.search(r"(\d+) of \1 rules are told", done.text), "without any; a missing path", done)
    tree.remove(CONFIG)


def hostile_configurations(tap, tree):
    def refused(what, says):
        done = tree.check("old")
        tap.ok(done.code == 2 and done.out == b"" and CONFIG in done.errors and says in done.errors
               and done.errors.count("\n") == 1, "refused: a configuration %s" % what, done)
        tree.remove(CONFIG)
    for what, data, says in [("with an unknown key", "[check]\nselekt = TOD\n",
                              ":2: [check] has no key 'selekt'; did you mean select?"),
                             ("with an unknown section", "[chcek]\n", "did you mean check?"),
                             ("with an unknown code", "[check]\nignore=TOD9\n", ":2: no rule"),
                             ("that is huge", b"#" * (1 << 20), "longer than any"),
                             ("of zeros", bytes(100), ":1: this is no text"),
                             ("that is no text", tree.turn, ":1: this is no text"),
                             ("with a long line", "[check]\nignore = " + "TOD," * 100,
                              ":2: the line is too long"),
                             ("with sequences for the terminal", "[\x1b]0;x\x07]", ":1: this is no")]:
        tree.write(CONFIG, data)
        refused(what, says)
    os.symlink(CONFIG, tree.path(CONFIG))
    refused("that is a loop of links", "symbolic links")
    os.symlink("nowhere", tree.path(CONFIG))
    refused("that is a link to nowhere", "No such file")
    os.mkdir(tree.path(CONFIG))
    refused("that is a directory", "it is a directory")
    os.mkfifo(tree.path(CONFIG))
    refused("that is a pipe", "no regular file")
    problem = other_user_problem(tree.program)
    if problem is None:
        os.chmod(tree.write(CONFIG, "[check]\n"), 0)
        done = tree.check("old", uid=NOBODY)
        tap.ok(done.code == 2 and "Permission denied" in done.errors,
               "refused: a configuration that may not be read", done)
        tree.remove(CONFIG)
    else:
        tap.skip("a configuration that may not be read", problem)
    tree.write("old/zz/" + CONFIG, "[check]\nnonsense\n")
    tree.write("old/zz/turn.tod", tree.turn)
    done = tree.check("old")
    tap.ok(done.code == 2 and "zz/.framehound.ini:2: neither" in done.errors and
           "old/dance.hmd" in done.text and "zz/turn.tod" not in done.text,
           "a wrong one that is met on the way ends the check", done)
    tree.remove("old/zz")


def baselines(tap, tree):
    paths = ["turn.tod", "old"]
    done = tree.check("--write-baseline", "known", *paths)
    lines = read(tree.path("known")).decode().splitlines()
    entries = [line for line in lines if not line.startswith("#")]
    tap.ok(done.code == 0 and lines[0] == "# framehound baseline 1" and entries == sorted(entries) and
           all(HASH.match(line) for line in entries) and "known: written" in done.errors,
           "a baseline is written: sorted lines", done, *lines)
    sha = hashlib.sha256(tree.turn).hexdigest()
    tap.ok(sum(line.startswith(sha + " TOD0092 1 # ") for line in entries) == 1 and len(entries) == 5,
           "content, rule, number, path", *lines)
    done = tree.check("--baseline", "known", "--fail-on", "note", *paths)
    tap.ok(done.code == 0 and not codes_in(done.text) and
           "not told: 5 in the baseline" in done.text, "what is known is neither told nor fails", done)
    before = read(tree.path("known"))
    tree.check("--write-baseline", "known", *paths[::-1])
    tap.equal(read(tree.path("known")), before, "the order of the paths does not matter")
    tree.write("renamed.tod", tree.turn)
    done = tree.check("--baseline", "known", "renamed.tod")
    tap.ok(done.code == 0 and "RUN0020" not in done.text, "another name, the same content", done)
    tree.remove("renamed.tod")
    tree.write(CONFIG, "[check]\nbaseline = known\n")
    done = tree.program.run("check", tree.path("old"), cwd="/")
    tap.ok(done.code == 0 and not codes_in(done.text), "the key of the configuration", done)
    tap.equal(tree.codes("--baseline", "none", *paths), (ALL, 1), "--baseline none")
    tree.remove(CONFIG)


def stale(tap, tree):
    paths = ["turn.tod", "old"]
    changed = bytearray(tree.turn + b"x")
    changed[0x20] ^= 1
    tree.write("old/turn.tod", bytes(changed))
    before = read(tree.path("known"))
    done = tree.check("--baseline", "known", "old/dance.hmd")
    tap.ok(done.code == 0 and "RUN0020" not in done.text, "of files not looked at nothing is said",
           done)
    done = tree.check("--baseline", "known", "--fail-on", "never", "old")
    found = done.text.count("warning RUN0020: entry of the baseline is out of date: entry is ")
    tap.ok(found == 3 and re.search(r"TOD0009 of old/turn\.tod [(]line [4-8][)]", done.text),
           "of a changed file every entry is out of date", done)
    tap.equal(tree.check("--baseline", "known", "--ignore", "RUN0020", "--severity", "TOD=off",
                         "--fail-on", "warning", "old").code, 0, "RUN0020 can be left out, too")
    tree.remove("old/turn.tod")
    done = tree.check("--baseline", "known", "old/dance.hmd")
    tap.ok("RUN0020" not in done.text, "a file that is gone: not by a run that asks for another", done)
    done = tree.check("--baseline", "known", "--fail-on", "warning", "old")
    tap.ok(done.code == 1 and "RUN0020" in done.text, "but by one that walks its folder", done)
    tree.remove("old/dance.hmd")
    done = tree.check("--write-baseline", "known", "old")
    tap.equal((done.code, read(tree.path("known")).count(b"\n")), (0, 4),
              "written anew, it has only what the run says nothing of: turn.tod", done)
    tree.write("known", before)
    tree.work.folder(os.path.join(tree.name, "new"))
    tree.check("--write-baseline", "known", "new")
    tap.equal(read(tree.path("known")), before, "entries that a run says nothing of are kept")


def damaged_baselines(tap, tree):
    entry = "%064x TOD0092 1 # a\n" % 7
    head = "# framehound baseline 1\n"
    for what, text, says in [("empty", "", ":1: damaged baseline: it is empty"),
                             ("of another kind", entry, ":1: damaged"),
                             ("of a later kind", "# framehound baseline 2\n", ":1: damaged"),
                             ("with a short hash", head + entry[1:], ":2: damaged"),
                             ("with capitals", head + entry.replace("7", "F"), ":2: damaged"),
                             ("without a code", head + "\n" + entry.replace("TOD", ""), ":3: damaged"),
                             ("with none", head + entry.replace(" 1 ", " 0 "), "number of findings"),
                             ("with too many", head + entry.replace(" 1 ", " 99999999999 "), ":2:"),
                             ("with more", head + entry.replace(" # ", " "), "no # and a path"),
                             ("with a conflict", head + "<<<<<<< HEAD\n" + entry, "both sides"),
                             ("with its middle", head + "=======\n" + entry, "both sides"),
                             ("with its end", head + entry + ">>>>>>> b\n", "both sides"),
                             ("with other letters", head + "g" + entry[1:], "SHA-256"),
                             ("with a sign", head + "0-" + entry[2:], "SHA-256"),
                             ("cut in a hash", head + entry[:40], "SHA-256"),
                             ("cut behind a hash", head + entry[:64], "SHA-256"),
                             ("cut behind a blank", head + entry[:65], "no code"),
                             ("with a tab", head + entry[:64] + "\t" + entry[65:], "no code"),
                             ("with a short code", head + entry.replace("TOD", "T"), "no code"),
                             ("with a long code", head + entry.replace("TOD", "TODOS"), "no code"),
                             ("with a brace", head + entry.replace("TOD", "TO{"), "no code"),
                             ("cut in a code", head + entry[:70], "no code"),
                             ("with letters", head + entry.replace("0092", "00a2"), "no code"),
                             ("with a slash", head + entry.replace("0092", "00/2"), "no code"),
                             ("cut behind a code", head + entry[:72], "number of findings"),
                             ("with a longer code", head + entry.replace("0092", "00921"),
                              "number of findings"),
                             ("with a word", head + entry.replace(" 1 ", " x "),
                              "number of findings"),
                             ("with a remark", head + entry.replace(" # ", " #"), "no # and"),
                             ("with zeros", head + entry.replace("a\n", "\0\n"), "no text"),
                             ("that is too long", head + "#" * (65 << 20), "64 MiB")]:
        tree.write("bad", text)
        before = read(tree.path("bad"))
        for option in ("--baseline", "--write-baseline"):
            done = tree.check(option, "bad", "old")
            tap.ok(done.code == 2 and "bad" in done.errors and says in done.errors and
                   read(tree.path("bad")) == before, "%s refuses one %s" % (option, what), done)
    tree.write("merged", head + "\r\n# both\r\n" + "".join(
        "%s TOD0092 %d # b%d\r\n" % (hashlib.sha256(tree.turn).hexdigest(), n, n) for n in (1, 3, 2)))
    tree.write("b.tod", tree.turn)
    done = tree.check("--baseline", "merged", "b.tod")
    tap.ok(done.code == 0 and "1 in the baseline" in done.text, "lines of two, in any order", done)
    tree.write("large", head + "".join("%064x TOD0092 1 # gone/%d\n" % (n, n) for n in range(110000)))
    done = tree.check("--write-baseline", "large", "b.tod")
    again = tree.check("--baseline", "large", "b.tod")
    tap.ok(os.path.getsize(tree.path("large")) > 9 << 20 and (done.code, again.code) == (0, 0) and
           "1 in the baseline" in again.text, "one of 9 MiB is written, and read again", done, again)
    tree.remove("large")
    done = tree.check("--write-baseline", "written", "b.tod", "nowhere")
    tap.ok(done.code == 3 and not os.path.exists(tree.path("written")) and
           "not written" in done.errors, "none is written if a file cannot be read", done)
    there = sorted(os.listdir(tree.root))
    done = tree.check("--write-baseline", "written", "b.tod", fsize=20)
    tap.ok(done.code == 3 and sorted(os.listdir(tree.root)) == there,
           "nor half a one if there is no room", done)
    name = "a\n\x1b'\\ #.tod"
    tree.write(name, tree.turn)
    tree.check("--write-baseline", "written", name)
    tap.ok(read(tree.path("written")).endswith(b" # a\\n\\x1b'\\\\ #.tod\n"),
           "a path of any bytes is one line", read(tree.path("written")))
    done = tree.check("--baseline", "written", name)
    tap.ok(done.code == 0 and "RUN0020" not in done.text, "that is read again", done)


def main():
    program, tap = Program(sys.argv), Tap()
    with Workspace() as work:
        for number, part in enumerate([[options, wrong_options], [configurations, globs, shown,
                                                                  hostile_configurations],
                                       [baselines, stale], [damaged_baselines]]):
            tree = Tree(program, work, "tree%d" % number)
            for one in part:
                one(tap, tree)
    program.tell_unsound(tap)
    tap.done()


main()
