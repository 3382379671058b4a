"""The command `report`: the figures of a campaign as text, Markdown, JSON and one HTML page."""
import json
import os

from .common import folder, minutes, say
from .figures import figures
from .page import page
from .store import Store


def number(value):
    return "-" if value is None else f"{value:,.0f}"


def part(reached, of):
    return f"{100 * reached / of:.1f} %" if of else "-"


def tenth(value):
    return "not known" if value is None else "none" if value == 0 else number(value)


def target_rows(all_figures):
    """One row a target, for a table."""
    return [(entry["target"], number(entry["executions"]), number(entry["sanitised_executions"]),
             number(entry["sanitised_per_second"]), number(entry["sanitised_per_cpu_second"]),
             minutes(entry["cpu_seconds"]), number(entry["edges"]),
             tenth(entry["edges_in_last_tenth"]), number(entry["rules"]),
             number(entry["failing_inputs"])) for entry in all_figures["targets"]]


TARGET_HEAD = ("target", "executions", "sanitised", "sanitised a second", "a CPU second",
               "CPU time", "edges", "new edges in the last tenth", "rules", "failing inputs")


def worker_rows(all_figures):
    return [(entry["target"], worker["worker"], worker["sanitizers"] or "none",
             number(worker["executions"]), number(worker["per_second"]),
             minutes(worker["seconds"]), minutes(worker["cpu_seconds"]), number(worker["edges"]),
             number(worker["corpus"]), number(worker["turns"]))
            for entry in all_figures["targets"] for worker in entry["workers"]]


WORKER_HEAD = ("target", "engine", "sanitizers", "executions", "a second", "time", "CPU time",
               "edges, as it counts them", "corpus", "turns")


def file_rows(all_figures):
    return [(entry["file"], part(entry["lines_reached"], entry["lines"]),
             part(entry["branches_reached"], entry["branches"]),
             number(entry["lines_reached"] - entry["lines_reached_at_first"]),
             number(entry["branches_reached"] - entry["branches_reached_at_first"]))
            for entry in all_figures["files"]]


FILE_HEAD = ("file", "lines", "branches", "lines more than at first", "branches more than at first")


def reached_by(points, at, which):
    """The last of what was known at a time; None where nothing was."""
    known = [point[which] for point in points if point[0] <= at]
    return known[-1] if known else None


def over_time_rows(all_figures):
    """Lines and branches of each file when parts of the work were done: the first measure is made
    before it begins."""
    work, out = all_figures["work_seconds"], []
    for entry in all_figures["files"]:
        cells = [part(reached_by(entry["over_time"], work * quarter / 4, which) or 0, entry[name])
                 for which, name in ((1, "lines"), (2, "branches")) for quarter in range(5)]
        out.append((entry["file"], *cells))
    return out


OVER_TIME_HEAD = ("file", *(f"{kind} {when}" for kind in ("lines", "branches")
                            for when in ("at first", "after 1/4", "1/2", "3/4", "at last")))


def reached_rows(all_figures):
    return [(rule["code"], rule["title"], minutes(rule["work_seconds"]), rule["target"],
             number(rule["executions"]),
             ", ".join(name for name in rule["targets"] if name != rule["target"]) or "-")
            for rule in all_figures["rules_by_time"]]


REACHED_HEAD = ("rule", "title", "first after", "by", "of its executions", "then by")


def bug_rows(all_figures):
    return [(bug["target"], bug["told"], number(bug["inputs"]), bug["regression"] or "-")
            for bug in all_figures["bugs"]]


BUG_HEAD = ("target", "bug", "inputs", "regression file")


def rule_rows(all_figures):
    return [(rule["code"], rule["title"]) for rule in all_figures["rules_not_reached"]]


RULE_HEAD = ("rule", "title")


def summary(all_figures):
    """The lines that come first."""
    of = all_figures
    out = [f"begun {of['begun'] or 'never'}; {number(of['executions'])} executions, "
           f"{number(of['sanitised_executions'])} of them sanitised; "
           f"{minutes(of['cpu_seconds'])} of CPU time",
           f"{of['failing_inputs']} inputs that fail, {len(of['bugs'])} bugs"
           + (f"; {of['not_sorted']} inputs wait for triage" if of["not_sorted"] else "")]
    if of["rules"]:
        out.append(f"{of['rules_reached']} of {of['rules']} rules were reached")
    if of["files"]:
        lines, branches = (tuple(sum(file[name] for file in of["files"])
                                 for name in (f"{kind}_reached", kind))
                           for kind in ("lines", "branches"))
        out.append(f"{part(*lines)} of lines and {part(*branches)} of branches, of the files that "
                   "the targets link")
    late = [entry["target"] for entry in of["targets"] if entry["edges_in_last_tenth"]]
    out.append("new edges in the last tenth: " + (", ".join(late) if late else
               "none" if all(entry["edges_in_last_tenth"] == 0 for entry in of["targets"])
               else "none that are known"))
    return out


TABLES = (("Targets", TARGET_HEAD, target_rows), ("Engines", WORKER_HEAD, worker_rows),
          ("Bugs", BUG_HEAD, bug_rows), ("Rules that no input has reached", RULE_HEAD, rule_rows),
          ("Rules by when they were first reached", REACHED_HEAD, reached_rows),
          ("Coverage by file", FILE_HEAD, file_rows),
          ("Coverage by file over time", OVER_TIME_HEAD, over_time_rows))


def as_text(all_figures):
    out = [*summary(all_figures)]
    for title, head, rows_of in TABLES:
        rows = rows_of(all_figures)
        if not rows:
            continue
        widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
        out += ["", title]
        out += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                for row in [head, *rows]]
    return "\n".join(out) + "\n"


def as_markdown(all_figures):
    out = ["# Figures of a fuzzing campaign", ""]
    out += [f"- {line}" for line in summary(all_figures)]
    for title, head, rows_of in TABLES:
        rows = rows_of(all_figures)
        out += ["", f"## {title}", ""]
        if not rows:
            out.append("None.")
            continue
        cells = lambda row: "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
        out += [cells(head), "|" + "---|" * len(head), *(cells(row) for row in rows)]
    return "\n".join(out) + "\n"


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def run(options):
    store = Store(options.folder, must_exist=True)
    all_figures = figures(store)
    store.close()
    to = folder(options.to or os.path.join(options.folder, "report"))
    text = as_text(all_figures)
    write(os.path.join(to, "figures.txt"), text)
    write(os.path.join(to, "figures.md"), as_markdown(all_figures))
    write(os.path.join(to, "figures.json"), json.dumps(all_figures, indent=1) + "\n")
    tables = [(title, head, rows_of(all_figures)) for title, head, rows_of in TABLES]
    write(os.path.join(to, "index.html"), page(all_figures, summary(all_figures), tables))
    print(text, end="")
    say(f"the page is {os.path.join(to, 'index.html')}")
    return 0
