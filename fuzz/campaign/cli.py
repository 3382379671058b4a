"""The command line: what framehound-fuzz takes, and who does it.

Exit codes: 0 done and nothing found, 1 something was found (a crash, a hang, a broken oracle), or
the run was interrupted or could not be measured, 2 the command cannot be carried out.
"""
import argparse
import os
import sys

from . import beside, report, runner, triage
from .common import Trouble, say

ABOUT = "Runs campaigns with libFuzzer and AFL++, sorts what they find, and reports figures."


def positive(text):
    value = float(text)
    if value <= 0:
        raise argparse.ArgumentTypeError("must be more than 0")
    return value


def whole(text):
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError("must be a whole number above 0")
    return value


def add_run(commands):
    run = commands.add_parser("run", help="fuzz for some minutes; the same DIR again goes on")
    time = run.add_mutually_exclusive_group()
    time.add_argument("--minutes", type=positive, help="in all, by the clock (default: 10)")
    time.add_argument("--each", type=positive, metavar="SECONDS",
                      help="for each engine of each target instead")
    run.add_argument("--jobs", type=whole, default=os.cpu_count() or 1, metavar="N",
                     help="engines at a time (default: one a processor)")
    run.add_argument("--targets", metavar="A,B", help="these alone (default: all)")
    run.add_argument("--engine", choices=("libfuzzer", "afl", "both"), default="both",
                     help="default: both, or libfuzzer where AFL++ is not installed")
    run.add_argument("--out", metavar="DIR", help="the campaign (default: build/campaign)")
    run.add_argument("--builds", metavar="DIR",
                     help="use the builds in this folder as they are, and make none")
    run.add_argument("--slice", type=positive, default=120, metavar="SECONDS",
                     help="an engine runs so long before its turn is over (default: 120)")
    run.add_argument("--timeout", type=whole, default=10, metavar="SECONDS",
                     help="an input that takes longer counts as a crash (default: 10)")
    run.add_argument("--rss", type=whole, default=2048, metavar="MIB",
                     help="an input that takes more memory counts as a crash (default: 2048)")
    run.add_argument("--max-len", type=whole, metavar="BYTES",
                     help="of an input; longer seeds are left out and told (default: what most "
                          "seeds of the target have, at least 16384)")
    run.add_argument("--sample", type=positive, default=5, metavar="SECONDS",
                     help="between two looks at the figures of the engines (default: 5)")
    run.set_defaults(call=runner.run)


def add_triage(commands):
    sort = commands.add_parser("triage", help="sort what was found: one bug, one regression file")
    sort.add_argument("folder", metavar="DIR", help="the campaign")
    sort.add_argument("--regressions", metavar="FOLDER",
                      help="where regression files go (default: corpus/regressions)")
    sort.add_argument("--seconds", type=positive, default=60,
                      help="to make the input of one bug smaller (default: 60)")
    sort.add_argument("--timeout", type=whole, default=10, help="as for run")
    sort.add_argument("--builds", metavar="DIR", help="as for run")
    sort.set_defaults(call=triage.run)


def add_report(commands):
    tell = commands.add_parser("report", help="the figures: text here, pages in DIR/report")
    tell.add_argument("folder", metavar="DIR", help="the campaign")
    tell.add_argument("--to", metavar="FOLDER", help="where pages go (default: DIR/report)")
    tell.set_defaults(call=report.run)


def add_measure(commands):
    of = commands.add_parser("measure", help="what the inputs of a target reach; run does it, too")
    of.add_argument("folder", metavar="DIR", help="the campaign")
    of.add_argument("target", metavar="TARGET")
    of.add_argument("--builds", metavar="DIR", help="as for run")
    of.add_argument("--timeout", type=whole, default=10, help="as for run")
    of.add_argument("--rss", type=whole, default=2048, help="as for run")
    of.add_argument("--max-len", type=whole, default=16384, help="as for run (default: 16384)")
    of.set_defaults(call=beside.run)


def parser():
    main_parser = argparse.ArgumentParser(prog="framehound-fuzz", description=ABOUT)
    commands = main_parser.add_subparsers(required=True, metavar="COMMAND")
    add_run(commands)
    add_triage(commands)
    add_report(commands)
    add_measure(commands)
    return main_parser


def main(words):
    options = parser().parse_args(words)
    try:
        return options.call(options)
    except Trouble as trouble:
        say(str(trouble))
        return 2
    except KeyboardInterrupt:
        say("interrupted")
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 2
