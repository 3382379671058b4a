"""Looking at assets: the labelled bytes that inspect shows, and the pictures of replay -o x.svg."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree

from harness import Program, Tap, Workspace, assets, corpus_path, need_real_files, read, small_tod

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "a\x1b[31m<script>&\"'\n\u202e.tod"
MOST_SVG_BYTES = 4 << 20


# ---- inspect ----

def labels(tap, program, work):
    path = work.path("walk.tod")
    program.forge("tod", small_tod(), path)
    size = os.path.getsize(path)
    done = program.run("inspect", path)
    lines = done.text.splitlines()
    tap.ok(done.code == 0 and re.search(r"^0x000000  50 +N  file_id: 0x50", done.text, re.M),
           "a field has its place, its bytes, its kind, name and value", done)
    tap.ok(any(" + " in line and "frames[0]" in line and "frame, %d bytes" % (size - 8) in line
               for line in lines), "groups are folded to a line", done)
    deep = program.run("inspect", "--depth", "5", path).text
    tap.ok("packets[0]" in deep and " + " not in deep.split("\n", 2)[2],
           "--depth unfolds them", deep)
    one = program.run("inspect", "-u", "frames[0].packets[*]", path).text
    tap.ok("length: " in one and re.search(r" \+ .*frames\[1\]", one), "--unfold unfolds one", one)
    part = program.run("inspect", "--bytes", "0x8..0xc", path).text
    tap.equal(re.findall(r"^0x\w+ .* [NCPFVKD-]  +(\w+):", part, re.M), ["size", "num_packets"],
              "--bytes shows fields in a range")
    told = json.loads(program.run("inspect", "--format", "json", path).out)
    leaves = [field for field in told["fields"] if "kind" in field]
    tap.ok(sum(field["length"] for field in leaves) == size == told["length"] and
           told["unclaimed"] == [], "JSON has every byte in a field", told)
    header = {field["path"]: field.get("values") for field in leaves[:4]}
    tap.equal(header, {"file_id": [0x50], "version": [0], "resolution": header.get("resolution"),
                       "num_frames": [sum(1 for field in told["fields"]
                                          if re.fullmatch(r"frames\[\d+\]", field["path"]))]},
              "and the values")
    rules = {field["path"]: field.get("rules") for field in told["fields"]}
    tap.equal([rules["resolution"], "TOD0041" in rules["frames[0].packets[0].length"],
               "TOD0020" in rules["frames[0]"]], [["TOD0004", "TOD0005"], True, True],
              "and the rules that look at it, or at the group")
    ruled = program.run("inspect", "--rules", path)
    tap.ok("| TOD0004 resolution is 0\n" in ruled.text and
           [line for line in ruled.text.splitlines() if not re.match(r" +\| TOD", line)] == lines,
           "--rules tells them below the field, and changes nothing else", ruled)
    program.run("scan", "-o", work.path("a.db"), path)
    number = assets(work.path("a.db"))[0]["id"]
    stored = program.run("inspect", "%s:%d" % (work.path("a.db"), number))
    tap.equal(stored.text.splitlines()[2:], lines[2:], "DB:ID shows the same")
    as_hmd = program.run("inspect", "--as", "hmd", path)
    tap.ok(as_hmd.code == 1 and "version: " in as_hmd.text, "--as labels it as something else", as_hmd)


def words_of_inspect(tap, program, work):
    """What its options take, and what they refuse."""
    path = work.path("words.tod")
    program.forge("tod", small_tod(), path)
    refused = {"-d": ("0", "17", "x", ""), "--color": ("blue",), "--as": ("tot",), "-F": ("csv",),
               "--fail-on": ("late",), "--layout": ("1",),
               "--bytes": ("5", "5..5", "6..5", "x..6", "5..x", "0" * 30 + "..5"),
               "-u": ("", ".", "a..b", ".a", "a[", "a[1", "a[x]", "a[2..", "a[2..]", "a[2..x]", "a]", "[1]",
                      "a@", "a@x", "a@0x", "a[99999999999]", "a-b", "a.", "a[*", "a[1]b", "Frames")}
    for option, values in refused.items():
        for value in values:
            done = program.run("inspect", option, value, path)
            tap.ok(done.code == 2 and not done.out and b"inspect" in done.err,
                   "inspect %s %r is refused" % (option, value), done)
    for args in (["--nonsense", path], ["-d"], [], [path, path], ["-u", "a"] * 65 + [path]):
        done = program.run("inspect", *args)
        tap.ok(done.code == 2 and not done.out, "inspect %s is refused" % " ".join(args)[:40], done)
    deep = ".".join(["a"] * 40)
    tap.equal(program.run("inspect", "-u", deep, path).code in (0, 2), True, "a path that is deep")
    folded = program.run("inspect", path).text
    for value in ("nothing", "frames[9999]", "frames_2", "frames@7", "z9"):
        done = program.run("inspect", "-u", value, path)
        tap.ok((done.code, done.text) == (2, folded) and value in done.errors,
               "nothing is called %s" % value, done)
    for value in ("frames", "frames[*]", "frames[0]", "frames[0..0]", "frames[0x0..0x1]"):
        done = program.run("inspect", "-u", value, path)
        tap.ok(done.code == 0 and len(done.text) > len(folded) and "num_packets: " in done.text,
               "-u %s unfolds" % value, done)
    work.write("cut.tod", read(path)[:-2])
    for level, code in (("error", 1), ("warning", 1), ("note", 1), ("never", 0)):
        done = program.run("inspect", "--fail-on", level, work.path("cut.tod"))
        tap.equal(done.code, code, "--fail-on %s" % level, done)


def parts_by_place(tap, program, work):
    """Parts of a model are called by where they lie: each that JSON names is unfolded by its name."""
    path = work.path("part.hmd")
    program.forge("hmd", read(corpus_path("hmd", "HMD0001.good.forge")).decode(), path)
    told = json.loads(program.run("inspect", "-F", "json", path).out)
    paths = sorted({field["path"] for field in told["fields"]})
    parts = sorted({name.split(".")[0] for name in paths if "." in name})
    tap.ok(any("@" in name for name in parts), "there are parts", parts)
    for name in parts[:8]:
        inside = [line.rsplit(".", 1)[1] for line in paths
                  if line.startswith(name + ".") and "." not in line[len(name) + 1:]]
        done = program.run("inspect", "-u", name, path)
        tap.ok(done.code in (0, 1) and any(re.search(r"\b%s" % re.escape(word), done.text) for word in inside),
               "-u %s unfolds it" % name, done, inside)
    for name in [name for name in parts if "@" in name][:2]:
        title, place = name.split("@")
        other = program.run("inspect", "-u", "%s@%#x" % (title, int(place.split("[")[0], 0) + 1), path)
        tap.equal(other.text, program.run("inspect", path).text, "nothing lies beside it", other)


def texts(tap, program, work):
    """Words of texts have the names of columns and parameters; blanks between them are their lines'."""
    for kind, name, path in (("camerawork", "CAM0001", "lines[1].velocity_flag"),
                             ("tra", "TRA0001", "lines[0].comment")):
        out = work.path("text." + kind)
        program.forge(kind, read(corpus_path(kind, name + ".good.forge")).decode(), out)
        told = json.loads(program.run("inspect", "-F", "json", out).out)
        text = program.run("inspect", "--rules", "-d", "2", out).text
        tap.ok(path in {field["path"] for field in told["fields"]} and told["unclaimed"] == [] and
               "that no field claims" not in text and re.search(r"^ +\| [A-Z]{3}\d{4} ", text, re.M),
               "%s: words have names and rules, and every byte is a line's" % kind, text[:2000])


def findings(tap, program, work):
    """Each finding of every bad file that has a place stands below a line that holds its byte."""
    wrong = []
    num = 0
    for kind in ("tod", "hmd"):
        for path in sorted(glob.glob(corpus_path(kind, "*.bad.forge")))[::9]:
            out = work.path("bad." + kind)
            with open(path, encoding="utf-8") as file:
                program.forge(kind, file.read(), out)
            told = json.loads(program.run("inspect", "--format", "json", "--as", kind, out).out)
            text = program.run("inspect", "--as", kind, out).text
            if len(re.findall(r"^ +\^ [A-Z]{3}\d{4} ", text, re.M)) != len(told["findings"]):
                wrong.append((path, text))
            num += len(told["findings"])
    tap.equal(wrong, [], "%d findings of bad files stand at their bytes" % num)
    tap.ok(num > 20, "and there are some", num)


def cut_files(tap, program, work):
    """Whatever is left of a file is shown, and all of it."""
    whole = read(work.path("walk.tod"))
    wrong = []
    for size in list(range(0, 40)) + [len(whole) - 1]:
        path = work.write("cut.tod", whole[:size])
        done = program.run("inspect", "--format", "json", "--as", "tod", path)
        told = json.loads(done.out)
        held = set()
        for field in told["fields"]:
            if "kind" in field:
                held.update(range(field["offset"], field["offset"] + field["length"]))
        held.update(byte for gap in told["unclaimed"]
                    for byte in range(gap["offset"], gap["offset"] + gap["length"]))
        if held != set(range(size)) or told["length"] != size:
            wrong.append((size, told))
    tap.equal(wrong, [], "what is left of a file that was cut is shown to the last byte")


def long_files(tap, program, work):
    """Every field of a long asset is shown in a time that grows with it, not with its square."""
    num = 300000
    frame = b"\2\0\0\0\0\0\0\0"
    path = work.write("long.tod", b"\x50\0\1\0" + num.to_bytes(4, "little") + num * frame)
    try:
        done = program.run("inspect", "-d", "2", path, timeout=40)
        tap.ok(done.text.count("\n0x") >= 2 * num, "300,000 frames are unfolded", done.errors)
    except subprocess.TimeoutExpired:
        tap.ok(False, "300,000 frames are unfolded in time")


def colours(tap, program, work):
    path = work.path("walk.tod")
    plain = program.run("inspect", path)
    always = program.run("inspect", "--color", "always", path)
    never = program.run("inspect", "--color", "never", path)
    tap.ok(b"\x1b" not in plain.out and plain.out == never.out, "no colour but on a terminal", plain)
    stripped = re.sub(rb"\x1b\[[\d;]*m", b"", always.out)
    tap.ok(b"\x1b[" in always.out and stripped == plain.out, "--color always adds nothing else", always)
    script = shutil.which("script")
    if not script:
        tap.skip("on a terminal NO_COLOR is honoured", "script is not installed")
        return
    seen = []
    for variable in ("", "NO_COLOR=1 "):
        command = "%s%s inspect --sandbox off %s" % (variable, program.path, path)
        seen.append(subprocess.run([script, "-qec", command, "/dev/null"], capture_output=True,
                                   stdin=subprocess.DEVNULL, check=False,
                                   env=program.environment()).stdout)
    tap.ok(b"\x1b[" in seen[0] and b"\x1b[" not in seen[1], "on a terminal NO_COLOR is honoured", seen)


def hostile_texts(tap, program, work):
    """Control characters of a name or a text never reach the terminal."""
    path = work.write(HOSTILE, read(work.path("walk.tod")))
    text = b";TRA\n( Figure\n( \"\x1b]0;x\x07\" \xc2\x9b1m )\n##[error]x ::stop\n)\n"
    other = work.write("hostile.tra", text)
    for words in (("inspect", path), ("inspect", "--depth", "9", "--as", "tra", other),
                  ("inspect", "--format", "json", "--as", "tra", other)):
        done = program.run(*words)
        tap.ok(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae|##\[", done.out),
               "%s: nothing that a terminal obeys" % " ".join(words[:2]), done.out)


# ---- pictures ----

def picture(program, work, path, *options, env=None):
    out = work.path("x.svg")
    if os.path.exists(out):
        os.unlink(out)
    done = program.run("replay", "--fail-on", "never", *options, "-o", out, path, env=env)
    return done, read(out) if os.path.exists(out) else b""


def names_of_forms(tap, program, work):
    """The name of the output chooses the form, unless --format does."""
    path = work.path("walk.tod")
    for name, form in (("poses.csv", "csv"), ("poses.JSON", "json"), ("poses.txt", "text")):
        expected = program.run("replay", "--format", form, path).out
        program.run("replay", "-o", work.path(name), path)
        tap.equal(read(work.path(name)), expected, "-o %s is %s" % (name, form))
    program.run("replay", "--format", "text", "-o", work.path("poses.csv"), path)
    tap.equal(read(work.path("poses.csv")), program.run("replay", path).out,
              "--format counts more than the name")


def is_svg(data):
    """Well formed, with numbers where numbers have to be, and nothing that could run."""
    root = tree.fromstring(data)
    names = {element.tag.replace(SVG, "") for element in root.iter()}
    numbers = all(re.fullmatch(r"-?\d+(\.\d)?", element.get(name)) for element in root.iter()
                  for name in ("x", "y", "cx", "cy") if element.get(name) is not None)
    paths = all(re.fullmatch(r"[MLhvmlz0-9. -]+", element.get("d")) for element in root.iter(SVG + "path"))
    return (root.tag == SVG + "svg" and numbers and paths and
            names <= {"svg", "title", "style", "rect", "text", "path", "circle"})


def passes_xmllint(path):
    done = subprocess.run(["xmllint", "--noout", path], capture_output=True, check=False)
    return done.returncode == 0 and not done.stderr


def real_pictures(tap, program, work):
    shared = need_real_files(tap, "samples are drawn")
    if not shared:
        return
    wrong = []
    largest = 0
    xmllint = shutil.which("xmllint")
    files = sorted(glob.glob(os.path.join(shared, "samples", "tod", "*.tod")) +
                   glob.glob(os.path.join(shared, "samples", "hmd", "anim_*.hmd")) +
                   glob.glob(os.path.join(shared, "samples", "hmd", "equip_*.hmd")))
    for path in files:
        done, data = picture(program, work, path)
        largest = max(largest, len(data))
        if done.code not in (0, 4) or not is_svg(data) or \
                (xmllint and not passes_xmllint(work.path("x.svg"))):
            wrong.append((path, str(done)))
    tap.equal(wrong, [], "%d samples are drawn as sound SVG" % len(files))
    tap.ok(largest < MOST_SVG_BYTES, "the largest picture has %d bytes" % largest)
    if not xmllint:
        tap.skip("xmllint passes them", "xmllint is not installed")
    camera = os.path.join(shared, "samples", "hmd", "equip_pp_pp_aim.hmd")
    if os.path.exists(camera):
        _, data = picture(program, work, camera)
        tap.ok(b"From above" in data and b"From the side" in data and b">Poses<" in data,
               "a camera's path is drawn from above and from the side")


def long_motion(tap, program, work):
    """20,000 frames take no more room than 640, and a spike of one frame is still there."""
    sizes = {}
    for num in (640, 20000):
        body = b"".join(tod_frame(i, 5000 if i == 600 else -5000 if i == 601 else 1) for i in range(num))
        head = b"\x50\0\1\0" + num.to_bytes(4, "little")
        path = work.write("long.tod", head + body)
        done, data = picture(program, work, path)
        sizes[num] = len(data)
        tap.ok(is_svg(data) and b"class=\"jump\"" in data.split(b"</text>", 20)[-1],
               "%d frames are drawn, with the jump" % num, done)
        tap.ok(("%d frames" % num).encode() in data and re.search(rb"\d+ to a place", data),
               "and it is said that several share a place")
    tap.ok(sizes[20000] < 2 * sizes[640], "the size is bounded: %s" % sizes)


def tod_frame(number, step):
    """A frame that moves object 1 along x; the first one makes it."""
    packets = []
    if number == 0:
        packets.append(b"\1\0\x08\1")
        packets.append(b"\1\0\xe1\x09" + bytes(12) + b"\0\x10\0\x10\0\x10\0\0" + bytes(12))
    else:
        packets.append(b"\1\0\x91\4" + step.to_bytes(4, "little", signed=True) + bytes(8))
    body = b"".join(packets)
    return ((8 + len(body)) // 4).to_bytes(2, "little") + len(packets).to_bytes(2, "little") + \
        number.to_bytes(4, "little") + body


def hostile_pictures(tap, program, work):
    path = work.path(HOSTILE)
    first, data = picture(program, work, path)
    tap.ok(is_svg(data) and b"<script" not in data, "a hostile name stays text", first, data[:400])
    _, again = picture(program, work, path)
    tap.ok(data == again, "the same file gives the same picture")
    turned = {}
    for locale in ("C", "de_DE.UTF-8"):
        _, turned[locale] = picture(program, work, path, env={"LC_ALL": locale})
    tap.ok(turned["C"] == turned["de_DE.UTF-8"] == data, "whatever the locale")


def options(tap, program, work):
    path = work.path("walk.tod")
    done = program.run("inspect", "-u", "frames[5..2]", path)
    tap.ok(done.code == 2 and "--unfold is a path" in done.errors, "a range goes forwards", done)
    program.forge("tod", small_tod(), path)
    for wanted in ("frames[9999]", "nonsense", "frames[0].nonsense"):
        done = program.run("inspect", "-u", wanted, "-u", "frames[0]", path)
        tap.ok(done.code == 2 and "--unfold %s: nothing of %s is called so" % (wanted, path) in
               done.errors and "length: " not in done.errors and "file_id" in done.text,
               "a path that names nothing is told: %s" % wanted, done)
    done = program.run("inspect", "-u", "frames[0]", "-u", "file_id", path)
    tap.ok(done.code == 0 and done.errors == "", "one that names a group or a field is not", done)
    done, _ = picture(program, work, path, "--changes")
    tap.ok(done.code == 2 and "--changes" in done.errors, "--changes does not go with a picture", done)
    _, drawn = picture(program, work, path)
    for words in (("-F", "svg"), ("-F", "svg", "-o", "-")):
        done = program.run("replay", *words, path)
        tap.ok(done.code == 0 and done.out == drawn, "a picture on standard output", done.errors)
    done = program.run("replay", "-F", "svg", "--changes", path)
    tap.ok(done.code == 2 and not done.out, "where --changes does not go with it either", done)
    done, data = picture(program, work, path, "--format", "json")
    tap.ok(done.code == 0 and json.loads(data), "--format says more than a name", done)
    cam = corpus_path("camerawork", "CAM0055.good.forge")
    with open(cam, encoding="utf-8") as file:
        program.forge("camerawork", file.read(), work.path("path.cam"))
    done, data = picture(program, work, work.path("path.cam"))
    tap.ok(is_svg(data) and b"y upwards" in data, "a camera path is drawn", done)
    for kind in ("tra", "camerawork"):
        wrong = []
        for name in sorted(glob.glob(corpus_path(kind, "*.good.forge")))[::12]:
            with open(name, encoding="utf-8") as file:
                program.forge(kind, file.read(), work.path("some." + kind))
            done, data = picture(program, work, work.path("some." + kind))
            if data and not is_svg(data):
                wrong.append((name, str(done)))
        tap.equal(wrong, [], "%s of the corpus is drawn" % kind)


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        for part in (labels, words_of_inspect, parts_by_place, texts, findings, cut_files,
                     long_files, colours, names_of_forms, hostile_texts, hostile_pictures,
                     options, long_motion, real_pictures):
            part(tap, program, work)
    program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
