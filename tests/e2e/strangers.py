"""Texts and files that are no animations: nothing in them may be taken for one."""
import os
import random
import sys

from harness import Program, Tap, Workspace, assets, read, shared_folder

MOST = 128 << 20  # bytes of files of this machine that are searched
FOLDERS = ("/usr/include", "/usr/share/doc", "/usr/share/perl", "/usr/share/mime",
           "/usr/share/misc", "/usr/lib/python3", "/usr/lib/python3.11", "/usr/lib/gcc",
           "/usr/share/icons", "/usr/share/man", "/usr/bin")


def number(rand):
    return rand.choice(("%e", "%g", "%.3f", "%d")) % rand.choice(
        (0, 1, -1, rand.uniform(-1e3, 1e3), rand.randint(0, 2000)))


def csv_lines(rand, columns, comma):
    return "".join("%d%s%s\n" % (i, comma, comma.join(number(rand) for _ in range(columns - 1)))
                   for i in range(400))


def nearly(rand, columns, flag):
    """Rows like those of a camera path, but for a count or a flag."""
    lines = []
    for i in range(300):
        row = [str(i), flag] + ["%e" % rand.uniform(-9, 9) for _ in range(columns - 2)]
        for k in (11, 15):
            row[k] = flag
        lines.append(" ".join(row))
    return "\n".join(lines) + "\n"


def lisp(rand):
    return "".join("(kf %s)\n(defun bone (x) (kf x %d \"%s\"))\n( kf )\n(channel (kf 1))\n"
                   % (number(rand), i, number(rand)) for i in range(400))


def svg(rand):
    return '<svg><path d="M 0 0 %s"/></svg>\n' % " ".join(
        "%s %s %s" % (rand.choice("LCQ"), number(rand), number(rand)) for _ in range(3000))


def pdf(rand):
    rows = "\n".join("[ %s ]" % " ".join(number(rand) for _ in range(25)) for _ in range(400))
    return "%%PDF-1.4\n5 0 obj\n<< /Type /Font /Widths %s >>\nendobj\n" % rows


def english(rand):
    words = ("the a head figure name bone true false roll scale rotate 0 1 2 ;TRA ( ) \" translate.x "
             "totalFrame kf kgf and of in to camera").split()
    return " ".join(rand.choice(words) for _ in range(60000))


def ours(rand):
    """What the program itself prints and what its documentation shows."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    text = ""
    for name in ("README.md", "docs/rules/tra.md", "docs/rules/camerawork.md", "corpus/forge/README.md"):
        with open(os.path.join(root, name), encoding="utf-8") as file:
            text += file.read()
    return text + number(rand)


def written(tap, program, work):
    rand = random.Random(1995)
    makers = {"csv 25": lambda r: csv_lines(r, 25, " "), "csv 24": lambda r: csv_lines(r, 24, ","),
              "24 columns": lambda r: nearly(r, 24, "1"), "26 columns": lambda r: nearly(r, 26, "0"),
              "flag 2": lambda r: nearly(r, 25, "2"), "lisp": lisp, "svg": svg, "pdf": pdf,
              "english": english, "documents": ours}
    for name, make in makers.items():
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            data = make(rand).encode(encoding)
            path = work.write("stranger.bin", b"\x7f\x00" + data + b"\0\0" + data[:5000])
            db = work.path("stranger.db")
            result = program.run("scan", "-o", db, path)
            found = assets(db) if os.path.exists(db) else None
            tap.equal((result.code, found), (0, []), "%s as %s: nothing is found" % (name, encoding),
                      result)
            os.remove(db)


def all_files(folders):
    for folder in folders:
        for where, _, names in os.walk(folder):
            for name in sorted(names):
                path = os.path.join(where, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    yield path


def of_the_machine(tap, program, work):
    """Files of an installed system, one behind the other as in an image."""
    size = count = 0
    with open(work.path("machine.bin"), "wb") as out:
        for path in all_files(FOLDERS):
            try:
                data = read(path) if os.path.getsize(path) < MOST - size else b""
            except OSError:
                continue
            count += out.write(data + b"\0") > 1
            size += len(data)
    if count == 0:
        tap.skip("files of this machine", "none of the folders is there")
        return
    db = work.path("machine.db")
    result = program.run("scan", "-f", "tra,camerawork", "-o", db, work.path("machine.bin"))
    tap.equal((result.code, assets(db)), (0, []),
              "%d files, %d MiB: no text is found" % (count, size >> 20), result)


def samples(tap, program, work):
    folder = shared_folder()
    if folder is None:
        tap.skip("real files", "the folder of real files is not there")
        return
    db = work.path("samples.db")
    result = program.run("scan", "-f", "tra,camerawork", "-o", db, os.path.join(folder, "samples"))
    tap.equal((result.code, assets(db)), (0, []), "no text is found in real files", result)


def main():
    tap, program, work = Tap(), Program(sys.argv), Workspace()
    for part in (written, of_the_machine, samples):
        part(tap, program, work)
    tap.done()


if __name__ == "__main__":
    main()
