"""The figures of a campaign as one dictionary, computed from its database; report.py shows them."""
import time

from .common import ROOT

LAST = 0.9  # where the last tenth of a campaign begins


def workers_of(store, target):
    """One entry an engine: what it did and where it stands."""
    out = []
    for row in store.rows(
            "SELECT worker, engine, sanitizers, sum(seconds) AS seconds, "
            "sum(cpu_seconds) AS cpu_seconds, sum(executions) AS executions, "
            "count(*) AS turns, sum(starts) AS starts FROM slice WHERE target=? "
            "GROUP BY worker ORDER BY worker", target):
        last = {name: store.one(
            f"SELECT {name} FROM sample JOIN slice ON slice.id=slice WHERE target=? AND worker=? "
            f"AND {name} IS NOT NULL ORDER BY sample.at DESC LIMIT 1", target, row["worker"])
            for name in ("edges", "corpus")}
        out.append({**dict(row), **last,
                    "per_second": row["executions"] / row["seconds"] if row["seconds"] else 0.0})
    return out


def measures_of(store, target):
    """The measures in their order, each with the work that had been done by then."""
    done = work_at(store, target)
    out = []
    for row in store.rows("SELECT * FROM measure WHERE target=? ORDER BY at, id", target):
        values = {name: row[name] for name in row.keys() if name not in ("id", "target")}
        out.append({**values, "work_seconds": done(row["at"])})
    return out


def work_at(store, target):
    """A function of a time: the seconds that engines had worked on a target by then."""
    slices = [(row["begun"], row["seconds"]) for row in
              store.rows("SELECT begun, seconds FROM slice WHERE target=?", target)]
    return lambda at: sum(min(seconds, max(0.0, at - begun)) for begun, seconds in slices)


def last_tenth(measures):
    """New edges of the last tenth of the work, or None where there are too few measures."""
    known = [entry for entry in measures if entry["edges"] is not None]
    if not known or known[-1]["work_seconds"] <= 0:
        return None
    border = known[-1]["work_seconds"] * LAST
    before = [entry["edges"] for entry in known if entry["work_seconds"] <= border]
    behind = [entry["edges"] for entry in known if entry["work_seconds"] > border]
    if not before or not behind:
        return None
    return max(0, max(behind) - max(before))


def rules_over_time(store, target=None):
    """(seconds of work of the whole campaign, number of rules reached by then)."""
    where = "WHERE target=?" if target else ""
    done = work_at(store, target) if target else total_work(store)
    rows = store.rows(f"SELECT code, min(at) AS at FROM reached {where} GROUP BY code ORDER BY 2",
                      *([target] if target else []))
    return [(done(row["at"]), number) for number, row in enumerate(rows, 1)]


def rules_reached(store):
    """One entry a rule that was reached, in the order in which they were: by which target first,
    after how many seconds of work of the whole campaign and executions of that target; and by which
    targets in all."""
    titles = dict(store.rows("SELECT code, title FROM rule"))
    done, found = total_work(store), {}
    for row in store.rows("SELECT * FROM reached ORDER BY at, code"):
        entry = found.setdefault(row["code"], {
            "code": row["code"], "title": titles.get(row["code"], ""),
            "work_seconds": done(row["at"]), "executions": row["executions"],
            "target": row["target"], "targets": []})
        entry["targets"].append(row["target"])
    return list(found.values())


def files_over_time(store):
    """(seconds of work of the whole campaign, lines, branches reached by then) of each file, at
    every measure. Between two measures of all targets together what one target alone reaches is
    known: of these the most counts, and never less than before."""
    done, points, most = total_work(store), {}, {}
    for row in store.rows("SELECT at, file, max(lines_reached) AS lines, "
                          "max(branches_reached) AS branches FROM file_coverage "
                          "GROUP BY at, file ORDER BY at"):
        old = most.get(row["file"], (0, 0))
        most[row["file"]] = (max(old[0], row["lines"]), max(old[1], row["branches"]))
        points.setdefault(row["file"], []).append((done(row["at"]), *most[row["file"]]))
    return points


def total_work(store):
    parts = [work_at(store, row[0]) for row in store.rows("SELECT DISTINCT target FROM slice")]
    return lambda at: sum(part(at) for part in parts)


def files_of(store, target):
    """The newest coverage of each file, the oldest beside it, and what was known in between."""
    over_time = files_over_time(store)
    first = store.one("SELECT min(at) FROM file_coverage WHERE target=?", target)
    last = store.one("SELECT max(at) FROM file_coverage WHERE target=?", target)
    at_first = {row["file"]: row for row in store.rows(
        "SELECT * FROM file_coverage WHERE target=? AND at=?", target, first)}
    out = []
    for row in store.rows("SELECT * FROM file_coverage WHERE target=? AND at=? ORDER BY file",
                          target, last):
        old = at_first.get(row["file"])
        out.append({"file": row["file"], "lines": row["lines"],
                    "lines_reached": row["lines_reached"],
                    "lines_reached_at_first": old["lines_reached"] if old else 0,
                    "branches": row["branches"], "branches_reached": row["branches_reached"],
                    "branches_reached_at_first": old["branches_reached"] if old else 0,
                    "over_time": over_time[row["file"]]})
    return out


def bugs_of(store):
    return [dict(row) for row in store.rows(
        "SELECT target, kind, told, regression, bytes, bytes_before, "
        "(SELECT count(*) FROM crash WHERE bug=bug.id) AS inputs FROM bug "
        "ORDER BY target, kind, signature")]


def target_figures(store, target):
    workers = workers_of(store, target)
    measures = measures_of(store, target)
    total = lambda name, chosen: sum(entry[name] or 0 for entry in chosen)
    sanitised = [entry for entry in workers if entry["sanitizers"]]
    seconds, cpu = total("seconds", sanitised), total("cpu_seconds", sanitised)
    return {
        "target": target, "workers": workers, "measures": measures,
        "executions": total("executions", workers),
        "sanitised_executions": total("executions", sanitised),
        "sanitised_per_second": total("executions", sanitised) / seconds if seconds else 0.0,
        "sanitised_per_cpu_second": total("executions", sanitised) / cpu if cpu else 0.0,
        "work_seconds": total("seconds", workers), "cpu_seconds": total("cpu_seconds", workers),
        "edges": next((m["edges"] for m in reversed(measures) if m["edges"] is not None), None),
        "edges_in_last_tenth": last_tenth(measures),
        "failing_inputs": store.one("SELECT count(*) FROM crash WHERE target=?", target),
        "rules": store.one("SELECT count(*) FROM reached WHERE target=?", target),
    }


def figures(store):
    """Everything a report shows."""
    targets = [target_figures(store, row[0])
               for row in store.rows("SELECT DISTINCT target FROM slice ORDER BY target")]
    rules = {row["code"]: row["title"] for row in store.rows("SELECT * FROM rule ORDER BY code")}
    reached = {row[0] for row in store.rows("SELECT DISTINCT code FROM reached")}
    begun = store.one("SELECT min(begun) FROM slice")
    return {
        "begun": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(begun)) if begun else None,
        "project": ROOT.rpartition("/")[2],
        "targets": targets,
        "executions": sum(entry["executions"] for entry in targets),
        "sanitised_executions": sum(entry["sanitised_executions"] for entry in targets),
        "cpu_seconds": sum(entry["cpu_seconds"] for entry in targets),
        "work_seconds": sum(entry["work_seconds"] for entry in targets),
        "failing_inputs": sum(entry["failing_inputs"] for entry in targets),
        "not_sorted": store.one("SELECT count(*) FROM crash WHERE bug IS NULL"),
        "bugs": bugs_of(store),
        "rules": len(rules), "rules_reached": len(reached & set(rules)),
        "rules_not_reached": [{"code": code, "title": title} for code, title in rules.items()
                              if code not in reached],
        "rules_over_time": rules_over_time(store), "rules_by_time": rules_reached(store),
        "files": files_of(store, "*"),
    }
