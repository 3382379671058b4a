"""framehound rules: choosing, explaining with an example, coverage, and names that are none."""
import json
import os
import re
import sys

from harness import HERE, Program, Tap

ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
FORMATS = {"tod": "TOD", "hmd": "HMD", "tra": "TRA", "camerawork": "CAM", "image": "IMG", "run": "RUN"}


def codes_of(result):
    return re.findall(r"^([A-Z]{3}\d{4}) ", result.text, re.MULTILINE)


def choosing(tap, program, table):
    every = [rule["code"] for rule in table]
    tap.equal(codes_of(program.run("rules")), every, "without a word every rule is listed, in order")
    for name, prefix in FORMATS.items():
        wanted = [code for code in every if code.startswith(prefix)]
        for word in (name, name.upper(), prefix, prefix.lower()):
            tap.equal(codes_of(program.run("rules", word)), wanted, "rules %s" % word)
    for words in (["TOD01"], ["tod001", "Run"], ["T"], ["TOD", "TOD0001", "tod"], ["IMG0001", "TOD0001", "HMD0"]):
        wanted = [c for c in every if any(c.startswith(w.upper()) for w in words)]
        tap.equal(codes_of(program.run("rules", *words)), wanted,
                  "rules %s: each once, in the order of the tables" % " ".join(words))
    for level in ("error", "warning", "note"):
        wanted = [r["code"] for r in table if r["severity"] == level]
        tap.ok(wanted, "there are rules of severity %s" % level)
        tap.equal(codes_of(program.run("rules", "--severity", level)), wanted, "--severity %s" % level)
        wanted = [c for c in wanted if c.startswith("TOD")]
        data = json.loads(program.run("rules", "-F", "json", "--severity", level, "tod").out)
        tap.equal([r["code"] for r in data], wanted, "--severity %s tod as JSON" % level)
    none = program.run("rules", "--severity", "note", "TOD0001", "-F", "json")
    tap.equal((none.code, json.loads(none.out)), (0, []), "none that fits is no error")
    pages = program.run("rules", "-F", "markdown", "run", "TOD0001").text
    tap.equal(re.findall(r"^##? (.*)$", pages, re.MULTILINE),
              ["Rules: tod", "TOD0001", "Rules: run"] + [c for c in every if c.startswith("RUN")],
              "Markdown of some")


def wrong_words(tap, program):
    for words, named in ((("TOD022",), None), (("tod22",), "TOD0022"), (("TOD0001", "TDO0001"), "TOD0001"),
                         (("HMD9999",), "HMD"), (("camerwork",), "camerawork"), (("imgae",), "image"),
                         (("IMG00366",), "IMG0036"), (("XTOD0001",), "TOD0001")):
        result = program.run("rules", *words)
        if named is None:
            tap.ok(result.code == 2 and "did you mean" in result.errors, "rules %s" % words, result)
            continue
        tap.ok(result.code == 2 and not result.out and "'%s'" % words[-1] in result.errors and
               "did you mean %s" % named in result.errors, "%s: the nearest is %s" % (words[-1], named),
               result)
    for word in ("", "qqqqqqqqqqqq", "\x1b[31m", "x" * 5000):
        result = program.run("rules", word)
        tap.ok(result.code == 2 and not result.out and "framehound rules" in result.errors and
               b"\x1b" not in result.err, "%r is no rule" % word[:20], result)
    for words in (("--severity", "never"), ("--severity", "all"), ("--severity",), ("--coverage=x",)):
        result = program.run("rules", *words)
        tap.ok(result.code == 2 and not result.out, "rules %s" % " ".join(words), result)


def examples(tap, program, table):
    wrong = []
    parts = re.split(r"^([A-Z]{3}\d{4}) \(", program.run("rules", *[r["code"] for r in table]).text,
                     flags=re.MULTILINE)
    tap.equal(parts[1::2], [r["code"] for r in table], "all can be explained at once")
    for rule, text in zip(table, parts[2::2]):
        example = rule["example"]
        if "What it means" not in text or "What to do" not in text or "\nExample\n" not in text:
            wrong.append(rule["code"])
        elif example is None:
            wrong += [] if "Only a test" in text else [rule["code"]]
        elif not (example["prose"] and example["description"] and rule["code"] in example["report"] and
                  example["fixture"] in text and example["report"] in text and
                  all(line.strip() in text for line in example["description"].splitlines())):
            wrong.append(rule["code"])
    tap.equal(wrong, [], "every rule is explained with an example, as text and as JSON")
    two = program.run("rules", "TOD0001", "TOD0003").text
    tap.ok("\n\nTOD0003 (" in two, "several are explained one behind the other", two[:400])


def coverage(tap, program, table):
    data = json.loads(program.run("rules", "--coverage", "--format", "json").out)
    tap.equal([r["code"] for r in data], [r["code"] for r in table], "--coverage has every rule")
    tap.equal([r["code"] for r in data if not r.get("bad") or not r.get("good")], [],
              "each has an input that breaks it and one that does not")
    names = {name for r in data for kind in ("bad", "good") for name in r[kind]}
    files = {name for name in names if name.startswith("corpus/")}
    tap.equal(sorted(n for n in names if not os.path.isfile(os.path.join(ROOT, n.split(":")[0]))), [],
              "every file is there")
    there = {"corpus/%s/%s" % (folder, name) for folder in FORMATS
             for name in os.listdir(os.path.join(ROOT, "corpus", folder))
             if re.match(r"[A-Z]{3}\d{4}.*\.(bad|good)\.forge$", name)}
    tap.equal(files, there, "and every fixture is named")
    text = program.run("rules", "--coverage").text
    tap.ok(all("  %s  %s\n" % ("bad " if bad else "good", name) in text for r in data
               for bad, kind in ((True, "bad"), (False, "good")) for name in r[kind]), "as text too")
    sums = {name: (text.count("\n  bad   corpus/%s/" % name), name) for name in FORMATS}
    for name, prefix in FORMATS.items():
        rules = sum(r["code"].startswith(prefix) for r in data)
        bad = sum(len(r["bad"]) for r in data if r["code"].startswith(prefix))
        tap.ok("\n%s: %d rules, %d inputs that break one, " % (name, rules, bad) in text,
               "%s: sums" % name, sums)
    some = json.loads(program.run("rules", "--coverage", "-F", "json", "RUN").out)
    tap.equal([r["code"] for r in some], [r["code"] for r in data if r["code"].startswith("RUN")],
              "of some")
    pages = program.run("rules", "--coverage", "-F", "markdown", "TOD0001").text
    tap.ok("\n## TOD0001\n" in pages and "- bad: `corpus/tod/TOD0001.bad.forge`\n" in pages and
           "| tod | 1 | " in pages, "as Markdown", pages)


def main():
    tap, program = Tap(), Program(sys.argv)
    table = json.loads(program.run("rules", "-F", "json").out)
    choosing(tap, program, table)
    wrong_words(tap, program)
    examples(tap, program, table)
    coverage(tap, program, table)
    program.tell_unsound(tap)
    tap.done()


main()
