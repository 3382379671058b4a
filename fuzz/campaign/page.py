"""The HTML page of a report: one file, no scripts, light and dark."""
from html import escape

from .charts import chart, spark

STYLE = """
:root{color-scheme:light dark;--text:#1b1f24;--back:#fff;--faint:#d8dee4;--quiet:#57606a;
--c0:#0969da;--c1:#bc4c00;--c2:#1a7f37;--c3:#8250df}
@media(prefers-color-scheme:dark){:root{--text:#e6edf3;--back:#0d1117;--faint:#30363d;
--quiet:#9198a1;--c0:#58a6ff;--c1:#f0883e;--c2:#3fb950;--c3:#bc8cff}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);
max-width:72rem;margin:2rem auto;padding:0 1rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid var(--faint);padding:.25rem .7rem;text-align:left;vertical-align:top}
th{color:var(--quiet);font-weight:600}td.n,th.n{text-align:right;white-space:nowrap}
.charts{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;flex:1 1 24rem;max-width:32rem}
figcaption{font-weight:600}svg{width:100%;height:auto}svg text{font-size:10px;fill:var(--quiet)}
.grid{stroke:var(--faint)}path{fill:none;stroke-width:1.6}
.line0{stroke:var(--c0)}.line1{stroke:var(--c1);stroke-dasharray:5 2}
.line2{stroke:var(--c2);stroke-dasharray:2 2}.line3{stroke:var(--c3);stroke-dasharray:7 2 2 2}
.key span{margin-right:1rem}.key0{color:var(--c0)}.key1{color:var(--c1)}.key2{color:var(--c2)}
.key3{color:var(--c3)}svg.spark{width:7.5rem;height:1.6rem}h2{margin-top:2.2rem}
"""


def is_number(cell):
    return cell[:1].isdigit() or cell in ("-", "none", "not known")


def table(head, rows):
    if not rows:
        return "<p>None.</p>"
    numeric = [all(is_number(row[i]) for row in rows) for i in range(len(head))]
    cell = lambda tag, text, is_n: f"<{tag}{' class=n' if is_n else ''}>{escape(text)}</{tag}>"
    row_of = lambda tag, row: "<tr>" + "".join(map(lambda text, is_n: cell(tag, text, is_n),
                                                   row, numeric)) + "</tr>"
    return ('<div class="wide"><table><thead>' + row_of("th", head) + "</thead><tbody>"
            + "".join(row_of("td", row) for row in rows) + "</tbody></table></div>")


def unit(seconds):
    """(divisor, name) of the axis of time."""
    return (3600, "hours of work") if seconds > 7200 else \
        (60, "minutes of work") if seconds > 120 else (1, "seconds of work")


def over_time(measures, name, by):
    return [(entry["work_seconds"] / by, entry[name]) for entry in measures
            if entry[name] is not None]


def charts_of(entry):
    """The charts of a target."""
    by, axis = unit(entry["work_seconds"])
    measures = entry["measures"]
    return '<div class="charts">' + "".join((
        chart("Edges", axis, [("edges", over_time(measures, "edges", by))]),
        chart("Executions", axis, [("executions", over_time(measures, "executions", by))]),
        chart("Lines and branches reached", axis,
              [("lines", over_time(measures, "lines_reached", by)),
               ("branches", over_time(measures, "branches_reached", by))]),
        chart("Rules reached", axis, [("rules", over_time(measures, "rules", by))]),
        chart("Inputs in all corpora", axis, [("inputs", over_time(measures, "files", by))]),
    )) + "</div>"


def sparks(files):
    """A table of the lines and branches that each file had reached, over the time of the work."""
    if not files:
        return "<p>None.</p>"
    out = []
    for entry in files:
        points = entry["over_time"]
        cells = "".join(
            "<td>" + spark(f"{entry['file']}: {name} over time",
                           [(point[0], point[which]) for point in points], entry[name]) + "</td>"
            for which, name in ((1, "lines"), (2, "branches")))
        out.append(f"<tr><td>{escape(entry['file'])}</td>{cells}</tr>")
    return ('<div class="wide"><table><thead><tr><th>file</th><th>lines</th><th>branches</th></tr>'
            "</thead><tbody>" + "".join(out) + "</tbody></table></div>")


def page(figures, summary, tables):
    """The page as a text."""
    out = ["<!doctype html>", '<html lang="en"><head><meta charset="utf-8">',
           '<meta name="viewport" content="width=device-width, initial-scale=1">',
           f"<title>framehound: fuzzing campaign</title><style>{STYLE}</style></head><body>",
           "<h1>Fuzzing campaign</h1><ul>", *(f"<li>{escape(line)}</li>" for line in summary),
           "</ul>"]
    by, axis = unit(figures["work_seconds"])
    out.append('<div class="charts">' + chart(
        "Rules reached by all targets", axis,
        [("rules", [(at / by, count) for at, count in figures["rules_over_time"]])],
        figures["rules"]) + "</div>")
    for title, head, rows in tables:
        out += [f"<h2>{escape(title)}</h2>", table(head, rows)]
    out += ["<h2>Files over time</h2>",
            "<p>From the first measure to the last, as high as the file has lines, and branches."
            "</p>", sparks(figures["files"])]
    for entry in figures["targets"]:
        out += [f"<h2>Target {escape(entry['target'])} over time</h2>", charts_of(entry)]
    return "\n".join([*out, "</body></html>", ""])
