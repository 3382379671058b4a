"""Camera paths in parts: what is joined is read again as it was found, and no byte belongs to two."""
import sqlite3
import sys

from harness import Program, Tap, Workspace, assets, query


def row(index, place=0.0):
    numbers = ["%e" % v for v in (index, place, 0, 0, 0, -1, 0, 1, 0)]
    anchor = ["%e" % v for v in (0, 0, 1)]
    rates = ["%e" % 0] * 9
    return " ".join([str(index), "1"] + numbers + ["1"] + anchor + ["0"] + rates) + "\n"


def rows(first, end, place=0.0):
    return [row(i, place) for i in range(first, end)]


def pieces_of(db, asset):
    return [tuple(r.values()) for r in query(
        db, "SELECT asset_offset, raw_offset, length FROM piece WHERE asset_id = ? ORDER BY 1",
        asset["id"])]


def change(db, sql):
    connection = sqlite3.connect(db)
    with connection:
        connection.execute(sql)
    connection.close()


def scan(program, work, name, data):
    db = work.path(name + ".db")
    result = program.run("scan", "--db", db, work.write(name, data))
    return result, db, assets(db)


def in_one_place(tap, program, work):
    """Parts one behind the other, with nothing but a damaged or missing line between them."""
    for name in ("damaged", "missing"):
        lines = rows(0, 12)
        lines[5:6] = [lines[5].replace("e", "x", 1)] if name == "damaged" else []
        data = b"\xff\n" + "".join(lines).encode() + b"\xff" * 50
        result, db, found = scan(program, work, name, data)
        if not tap.equal([(a["raw_offset"], a["length"], a["frames"]) for a in found],
                         [(2, len("".join(lines)), 12)], "%s line: one asset" % name, result):
            continue
        tap.equal(pieces_of(db, found[0]), [(0, 2, found[0]["length"])],
                  "%s line: recorded as put together" % name)
        poses = program.run("replay", "-F", "csv", "--fail-on", "never", db + ":1")
        tap.equal((poses.code, poses.text.count("\ncamera,")), (0, 12), "%s line: all its frames are replayed" % name,
                  poses)
        result = program.run("replay", "-F", "canonical", "--fail-on", "never", db + ":1")
        tap.ok(result.code != 0 and result.text == "",
               "%s line: a text with a gap has no canonical form" % name, result)


def no_byte_twice(tap, program, work):
    """A cut line seems to go on in a page whose first bytes belong to another line."""
    page = 4096
    first, second = "".join(rows(20, 60)).encode(), "".join(rows(0, 40, -2.0)).encode()
    lone = first[:page]
    data = b"\xff" * page + lone + second[page:2 * page] + b"\xff" * page + second[:page]
    result, db, found = scan(program, work, "pages", data)
    spans = []
    for asset in found:
        own = pieces_of(db, asset) or [(0, asset["raw_offset"], asset["length"])]
        spans += [(raw, raw + length) for _, raw, length in own]
    spans.sort()
    tap.equal(len(found), 2, "two texts in three pages", result)
    tap.equal([(a, b) for a, b in zip(spans, spans[1:]) if b[0] < a[1]], [],
              "no byte belongs to both", spans)
    tap.ok((page, 2 * page) in spans, "what is cut ends with its page", spans)


def changed_pieces(tap, program, work):
    """A database may have been changed by anybody."""
    data = b"\xff\n" + "".join(rows(0, 6)).encode() + b"\xff" * 100 + b"\n" + \
        "".join(rows(6, 12)).encode() + b"\xff"
    result, db, found = scan(program, work, "changed", data)
    if not tap.equal(len(found), 1, "two parts are one asset", result):
        return
    for what in ("length = length + 1", "raw_offset = -1", "length = 9223372036854775807"):
        change(db, "CREATE TABLE kept AS SELECT * FROM piece")
        change(db, "UPDATE piece SET %s WHERE asset_offset > 0" % what)
        result = program.run("replay", db + ":1")
        tap.ok(result.code == 3 and "do not tile it" in result.errors, "pieces: " + what, result)
        change(db, "DELETE FROM piece")
        change(db, "INSERT INTO piece SELECT * FROM kept")
        change(db, "DROP TABLE kept")
    tap.equal(program.run("replay", "--fail-on", "never", db + ":1").code, 0, "and as it was")


def main():
    tap = Tap()
    with Workspace() as work:
        program = Program(sys.argv)
        for part in (in_one_place, no_byte_twice, changed_pieces):
            part(tap, program, work)
        program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
