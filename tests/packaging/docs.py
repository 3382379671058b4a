#!/usr/bin/env python3
"""The documents against the program: rule pages, manual pages, completions.

Usage: docs.py FRAMEHOUND SOURCE_ROOT.
"""
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tap
from tap import Skip, equal, nothing, output, test

FRAMEHOUND, ROOT = (os.path.abspath(path) for path in sys.argv[1:3])
DOCS = os.path.join(ROOT, "docs")
BASH = os.path.join(DOCS, "completions", "framehound.bash")
ZSH = os.path.join(DOCS, "completions", "_framehound")
FISH = os.path.join(DOCS, "completions", "framehound.fish")
PAGES = sorted(name for name in os.listdir(DOCS) if re.search(r"\.[135]$", name))
OWN_OPTIONS = {"-h", "--help", "--version"}  # of the program without a command


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def commands():
    found = re.findall(r"^  ([a-z]+) ", output(FRAMEHOUND, "--help"), re.MULTILINE)
    if not found:
        raise AssertionError("--help lists no command")
    return found


def options(command):
    """The options that the help of a command lists: those at the start of a line."""
    lines = re.findall(r"^ {2,6}((?:-\w, )?--[a-z-]+|-\w)\b", output(FRAMEHOUND, command, "--help"),
                       re.MULTILINE)
    return {option for line in lines for option in line.split(", ")}


def complete(*words):
    """What bash would offer behind these words; the last one is being typed."""
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _framehound; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return set(output("bash", "-c", script, "bash", BASH, "framehound", *words).split())


# ---- rule pages ------------------------------------------------------------------------------

@test
def rule_pages_are_those_of_the_program():
    with tempfile.TemporaryDirectory() as folder:
        output(os.path.join(DOCS, "update-rules.sh"), FRAMEHOUND, folder)
        kept = os.path.join(DOCS, "rules")
        equal(sorted(os.listdir(kept)), sorted(os.listdir(folder)), "pages")
        stale = [name for name in os.listdir(kept)
                 if not filecmp.cmp(os.path.join(kept, name), os.path.join(folder, name), False)]
        nothing(stale, "stale pages; ./run docs writes them anew")


@test
def every_rule_has_its_section():
    told = set(re.findall(r"^([A-Z]+\d{4}) ", output(FRAMEHOUND, "rules"), re.MULTILINE))
    pages = os.path.join(DOCS, "rules")
    written = [code for name in os.listdir(pages)
               for code in re.findall(r"^## (\w+)$", text_of(os.path.join(pages, name)),
                                      re.MULTILINE)]
    equal(sorted(written), sorted(told), "rules")


@test
def every_rule_has_its_example():
    pages = os.path.join(DOCS, "rules")
    text = "".join(text_of(os.path.join(pages, name)) for name in sorted(os.listdir(pages)))
    sections = re.split(r"^## (\w+)$", text, flags=re.MULTILINE)[1:]
    wrong = []
    for code, section in zip(sections[::2], sections[1::2]):
        example = re.search(rf"^`(corpus/\w+/{code}[\w.-]*)`$", section, re.MULTILINE)
        said = re.search(rf"^Said of it:\n\n    (?:error|warning|note) {code}[ :]", section, re.MULTILINE)
        is_file = example and said and os.path.isfile(os.path.join(ROOT, example[1]))
        is_test = "Example: only a test can break this rule (`tests/" in section
        if not is_file and not is_test:
            wrong.append(code)
    nothing(wrong, "rules without an example")


# ---- manual pages ----------------------------------------------------------------------------

def page_of(command):
    return f"framehound-{command}.1"


def manual_sections(page):
    """The text of a manual page by its headings, hyphens and marks taken out."""
    sections = {}
    for part in re.split(r"^\.SH ", text_of(os.path.join(DOCS, page)), flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        sections[heading] = re.sub(r"\\f.", "", text.replace("\\-", "-"))
    return sections


def plain(text):
    """What is read of a piece of a page: fonts and line ends taken out."""
    text = re.sub(r"^\.[BI] (.*)$", r"\1", text, flags=re.MULTILINE)
    text = re.sub(r"^\.(?:BR|RI|IR|RB) (.*)$", lambda line: alternating(line.group(1)), text,
                  flags=re.MULTILINE)
    return " ".join(text.split())


def alternating(arguments):
    return "".join(quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', arguments))


def words_of(text):
    return set(re.findall(r"(?<![\w-])(?:--?[a-z][a-z-]*|-\d\b)", text, re.IGNORECASE))


@test
def every_command_has_its_page():
    purposes = dict(re.findall(r"^  ([a-z]+) +(\S.*)$", output(FRAMEHOUND, "--help"), re.MULTILINE))
    pages = {name for name in os.listdir(DOCS) if name.endswith(".1")}
    equal(sorted(pages), sorted(["framehound.1", *map(page_of, commands())]), "pages")
    listed = manual_sections("framehound.1")["COMMANDS"].split("\n.TP\n")[1:]
    equal([plain(entry) for entry in listed],
          [f"framehound-{name}(1) {purpose}" for name, purpose in purposes.items()],
          "commands on framehound.1")
    for name, purpose in purposes.items():
        sections = manual_sections(page_of(name))
        title = text_of(os.path.join(DOCS, page_of(name))).split("\n")[0].replace("\\-", "-")
        equal(title.split()[:3], [".TH", f"FRAMEHOUND-{name.upper()}", "1"], "title")
        equal(plain(sections["NAME"]), f"framehound-{name} - {purpose}", "name")
        usage = output(FRAMEHOUND, name, "--help").split("\n")[0]
        equal(plain(sections["SYNOPSIS"]), usage.partition(": ")[2], "synopsis")


@test
def every_page_is_installed():
    listed = re.search(r"foreach command : \[(.*?)\]", text_of(os.path.join(DOCS, "meson.build")),
                       re.DOTALL).group(1)
    equal(re.findall(r"'(\w+)'", listed), commands(), "commands in docs/meson.build")


@test
def manual_pages_have_every_option():
    for command in commands():
        offered = set()
        for line in manual_sections(page_of(command))["OPTIONS"].split(".TP\n")[1:]:
            offered |= words_of(line.split("\n")[0])
        equal(sorted(offered), sorted(options(command)), f"options of {command}")
    nothing(OWN_OPTIONS - words_of(manual_sections("framehound.1")["OPTIONS"]), "options left out")


@test
def manual_pages_name_pages_that_are_there():
    for page in PAGES:
        text = text_of(os.path.join(DOCS, page)).replace("\\-", "-")
        named = {f"{name}.{section}" for name, section in
                 re.findall(r"\b((?:lib)?framehound[\w.-]*) ?\((\d)\)", text)}
        nothing(named - set(PAGES), f"pages that {page} names and that are not there")
        sections = set(re.findall(r"^\.SH (.*)$", text, re.MULTILINE))
        referred = set(re.findall(r"^\.BR \"?((?:[A-Z]{4,} ?)+)\"? \.$", text, re.MULTILINE))
        nothing(referred - sections, f"sections that {page} refers to and has not")


@test
def manual_page_has_every_exit_code_and_variable():
    sections = manual_sections("framehound.1")
    nothing([code for code in range(5) if f"\n.B {code}\n" not in sections["EXIT STATUS"]],
            "exit codes left out")
    read = set()
    for name in os.listdir(os.path.join(ROOT, "scanner")):
        if name.endswith(".c"):
            read |= set(re.findall(r'getenv\("(\w+)"\)',
                                   text_of(os.path.join(ROOT, "scanner", name))))
    nothing([name for name in read if name not in sections["ENVIRONMENT"]], "variables left out")


@test
def manual_pages_are_sound_roff():
    if shutil.which("man") is None:
        raise Skip("man is not installed")
    for page in PAGES:
        done = subprocess.run(["man", "--warnings", "-l", os.path.join(DOCS, page)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "MANPAGER": "cat"})
        equal((done.returncode, done.stderr), (0, ""), f"man --warnings of {page}")


@test
def manual_pages_pass_mandoc():
    if shutil.which("mandoc") is None:
        raise Skip("mandoc is not installed")
    for page in PAGES:
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", os.path.join(DOCS, page)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        # The pages have the version of the program and no date.
        nothing([line for line in done.stdout.splitlines() if "missing date" not in line],
                f"mandoc -T lint of {page}")


@test
def manual_page_of_the_library_has_every_function_and_status():
    header = text_of(os.path.join(ROOT, "library", "framehound", "framehound.h"))
    page = text_of(os.path.join(DOCS, "libframehound.3"))
    synopsis = page.split(".SH SYNOPSIS")[1].split(".SH ")[0]
    told = page.split(".SH RETURN VALUE")[1].split(".SH ")[0]
    statuses = re.search(r"enum framehound_status \{(.*?)\}", header, re.DOTALL).group(1)
    nothing([name for name in re.findall(r"FRAMEHOUND_API[^;()]*?\b(framehound_\w+)\(", header)
             if name + "(" not in synopsis], "functions left out")
    nothing([name for name in re.findall(r"\b(FRAMEHOUND_\w+) =", statuses)
             if f"\n.B {name}\n" not in told], "statuses left out")
    sink = re.search(r"struct framehound_sink \{(.*?)\n\}", header, re.DOTALL).group(1)
    nothing([name for name in re.findall(r"\(\*(\w+)\)", sink) if f"\n.B {name}\n" not in page],
            "callbacks left out")


# ---- completions -----------------------------------------------------------------------------

@test
def bash_completion_is_sound():
    output("bash", "-n", BASH)
    equal(complete("sc"), {"scan"}, "framehound sc<TAB>")
    equal(complete("scan", "--no"), {"--no-hash", "--no-replay", "--no-unpack"}, "framehound scan --no<TAB>")
    equal(complete("scan", "--fail-on", ""), {"error", "warning", "note", "never"}, "--fail-on")
    equal(complete("check", "some-file"), set(), "a file")
    equal(complete("query", "rule"), {"rules", "rule-sources"}, "framehound query rule<TAB>")


@test
def bash_completes_what_help_lists():
    equal(complete("") - OWN_OPTIONS, set(commands()), "commands")
    equal(complete("-"), OWN_OPTIONS, "options without a command")
    for command in commands():
        equal(complete(command, "-"), options(command), f"options of {command}")


@test
def questions_are_those_of_the_program():
    """On the manual page and in the completions, in the order of the program."""
    names = re.findall(r"^([a-z-]+)", output(FRAMEHOUND, "query"), re.MULTILINE)
    told = manual_sections(page_of("query"))["QUESTIONS"].split(".TP\n")[1:]
    equal([plain(entry).split()[0].rstrip(";") for entry in told], names, "questions on the page")
    equal(complete("query", ""), set(names), "questions in bash")
    for path in (ZSH, FISH):
        nothing([] if " ".join(names) in text_of(path) else names, f"questions not in {path}")


def zsh_options(function):
    body = re.search(rf"^{function}\(\) {{\n(.*?)^}}", text_of(ZSH), re.MULTILINE | re.DOTALL)
    if body is None:
        raise AssertionError(f"there is no {function}")
    found = set()
    for line in body.group(1).splitlines():
        braces = re.search(r"\{(-[^}]*)\}'\[", line)
        single = re.search(r"'\*?(--[a-z-]+)\[", line)
        if braces:
            found |= set(braces.group(1).split(","))
        elif single:
            found.add(single.group(1))
    return found


@test
def zsh_completes_what_help_lists():
    equal(set(re.findall(r"^    '([a-z]+):", text_of(ZSH), re.MULTILINE)), set(commands()),
          "commands")
    equal(zsh_options("_framehound"), OWN_OPTIONS, "options without a command")
    for command in commands():
        equal(zsh_options(f"_framehound_{command}"), options(command), f"options of {command}")


@test
def fish_completes_what_help_lists():
    lines = text_of(FISH).splitlines()
    equal({line.split(" -a ")[1].split()[0] for line in lines
           if "__fish_use_subcommand -f -a" in line}, set(commands()), "commands")
    for command in [None, *commands()]:
        mark = f"_from {command}'" if command else "__fish_use_subcommand -"
        found = set()
        for line in lines:
            if mark in line:
                found |= {"-" + name for name in re.findall(r" -s (\w)\b", line)}
                found |= {"--" + name for name in re.findall(r" -l ([a-z-]+)", line)}
        equal(found, options(command) if command else OWN_OPTIONS, f"options of {command}")


@test
def zsh_completion_is_sound():
    if shutil.which("zsh") is None:
        raise Skip("zsh is not installed")
    output("zsh", "-n", ZSH)


@test
def fish_completion_is_sound():
    if shutil.which("fish") is None:
        raise Skip("fish is not installed")
    output("fish", "--no-execute", FISH)


tap.main()
