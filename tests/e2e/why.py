"""framehound why: which rule rejects the bytes at an address, and that every form of an address leads
to the same answer. Every description of the corpus is asked about."""
import concurrent.futures
import json
import os
import re
import sys
import tarfile
import zipfile

from harness import (Program, Tap, Workspace, asset_rows, codes_in, corpus_path, query, read,
                     shared_folder)

FORMATS = ("tod", "hmd", "tra", "camerawork")
# Rules about the end of what can be paid for; whoever meets them first tells them.
LIMITS = {"TOD0131", "HMD0289", "HMD0297", "TRA0141", "CAM0063"}


def ask(program, where, *options):
    """The verdicts by format, and the exit code."""
    result = program.run("why", where, "--format", "json", *options)
    try:
        told = json.loads(result.text)
    except ValueError:
        return None, result
    return {v["format"]: v for v in told["formats"]}, result


def header(text, name):
    found = re.search(r"^# %s: (.*)$" % name, text, re.M)
    return found.group(1) if found else None


def descriptions(kind):
    folder = corpus_path(kind)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".forge") and not name.endswith(".bac.forge"):
            yield name[:-6], read(os.path.join(folder, name)).decode()


def judge_part(program, kind, path, size, fault):
    if fault["asset_offset"] is not None and not 0 <= fault["asset_offset"] <= size:
        return "offset %r in a file of %d bytes" % (fault["asset_offset"], size)
    named = codes_in(program.run("check", path).text)
    return None if fault["code"] in named else "check names %s, not %r" % (sorted(named), fault)


def judge_bad(program, kind, path, size):
    """What is wrong with the answer about a file whose structure does not hold; None if nothing."""
    verdicts, result = ask(program, path + "@0", "--as", kind)
    told = (verdicts or {}).get(kind)
    if told is None or set(verdicts) != {kind}:
        return "no answer: %s" % result
    if told["verdict"] == "accepted" and told["as_file"]:
        # A scan takes what is sound of it; as a file it is none.
        return judge_part(program, kind, path, size, told["as_file"])
    if told["verdict"] != "rejected":
        return "verdict %s" % told["verdict"]
    if not codes_in(told["code"]) or not told["title"] or not told["explanation"]:
        return "no rule: %r" % told
    if not 0 <= told["asset_offset"] <= size:
        return "offset %r in a file of %d bytes" % (told["asset_offset"], size)
    wanted = 4 if told["code"] in LIMITS else 1
    if result.code != wanted:
        return "exit code %d, not %d" % (result.code, wanted)
    if told["bytes"] and told["bytes"] != read(path)[told["asset_offset"]:][:len(told["bytes"]) // 2].hex():
        return "other bytes than the file has: %r" % told
    checked = program.run("check", path)
    lines = re.findall(r"^  \w+ ([A-Z]+\d+)( at 0x[0-9a-f]+)?", checked.text, re.M)
    named = {code for code, _ in lines}
    if not checked.text.startswith("%s: %s," % (path, kind)):
        return None  # check takes it for nothing, or for another format
    if told["field"] is None and told["verify"] is None:
        return "neither the rule nor another one is reported by verify: %r" % told
    if told["code"] not in named and not (told["verify"] and told["verify"]["code"] in named):
        return "check names %s, why %s" % (sorted(named), told["code"])
    return None if told["code"] in named else "!" + told["code"]


def judge_good(program, kind, path, grade):
    verdicts, result = ask(program, path + "@0", "--as", kind)
    told = (verdicts or {}).get(kind)
    if told is None or told["verdict"] != "accepted" or result.code != 0:
        return "not accepted: %s" % result
    if told["grade"] != grade:
        return "grade %s, not %s" % (told["grade"], grade)
    if (told["held_back_by"] is None) != (grade == "replayed"):
        return "held back by %r at %s" % (told["held_back_by"], grade)
    if told["as_file"] is not None:
        return "no file: %r" % told["as_file"]
    return None


def corpus(tap, program, work, kind):
    """All descriptions of a format."""
    jobs, number = [], 0
    for name, text in descriptions(kind):
        grade = header(text, "grade")
        is_bad = ".bad" in name
        if header(text, "bac") or header(text, "args") or (is_bad and grade != "candidate"):
            continue
        number += 1
        if not is_bad and number % 3 and not name.startswith("good-"):
            continue  # one in three of the sound ones
        jobs.append((name, text, grade, is_bad))

    def one(job):
        name, text, grade, is_bad = job
        work.folder("sound")
        path = work.path(*(() if is_bad else ("sound",)), "%s.%s" % (name, kind))
        try:
            program.forge(kind, text, path)
        except RuntimeError as error:
            return str(error)
        size = os.path.getsize(path)
        if size == 0:
            return None
        if is_bad:
            return judge_bad(program, kind, path, size)
        return judge_good(program, kind, path, grade) if grade else None

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(one, jobs))
    others = [job[0] for job, answer in zip(jobs, answers) if answer and answer.startswith("!")]
    wrong = ["%s: %s" % (job[0], answer) for job, answer in zip(jobs, answers)
             if answer and not answer.startswith("!")]
    bad = sum(job[3] for job in jobs)
    tap.ok(not wrong and (bad > 0 or kind == "camerawork"), "%s: %d broken files are rejected by a rule at an offset, %d sound "
           "ones are accepted" % (kind, bad, len(jobs) - bad), *wrong)
    tap.note("%s: of %d the probe names another rule than check: %s"
             % (kind, len(others), " ".join(others)))


ROW = b"%d 0 0 " + b" ".join([b"1.500000e+00"] * 22) + b"\r\n"
BROKEN_ROWS = {"no index": b"first 0 0 1.0e+00\r\n",
               "too few columns": b"0 0 0 " + b"1.500000e+00 " * 9 + b"\r\n" + ROW % 1,
               "no number": (ROW % 0).replace(b"1.5", b"x.5", 1) + ROW % 1,
               "a control byte": (ROW % 0)[:60] + b"\x07" + (ROW % 0)[60:] + ROW % 1}


def broken_camerawork(tap, program, work):
    """The corpus has no camerawork text that is none from its first row on."""
    wrong = []
    for name, data in BROKEN_ROWS.items():
        path = work.write("broken.camerawork", data)
        wrong.append((name, judge_bad(program, "camerawork", path, len(data))))
    tap.equal([w for w in wrong if w[1]], [], "camerawork: %d texts that break in their first row are "
              "rejected by the rule that check names" % len(wrong))


def wrong_addresses(tap, program, work):
    """What is no address is refused, what leads nowhere is told, of a disc of each kind."""
    wrong = ["msf:00:02", "msf:00:60:00", "msf:00:00:75", "msf:0:2:0", "msf:00.02.00", "msf:00:02:00x", "lba:5x",
             "lba:5+", "lba:5+x", "lba:5+1x", "lba:--5", "raw:12a", "raw:0xg", "raw:", "raw:-1", "iso:A", "user:-1",
             "ram:", "cd:1", "raw:99999999999999999999999", "0x"]
    disc = work.path("disc.bin")
    bad = [(text, str(done)) for text in wrong for done in [program.run("where", disc, text)]
           if done.code != 2 or done.out]
    tap.equal(bad, [], "%d words that are no address" % len(wrong))
    far = ["lba:-150", "lba:9999", "raw:0x7fffffffffffffff", "user:0x7fffffffffffffff", "iso:/NONE", "iso:/",
           "lba:0+2048", "lba:0+0x7fffffffffffffff", "ram:0x80000000", "msf:99:59:74", "iso:/DATA/WALK.TOD+99999999"]
    bad = [(text, str(done)) for text in far for done in [program.run("where", disc, text)]
           if done.code != 1 and "kind: " not in done.text]
    tap.equal(bad, [], "%d addresses that lead nowhere" % len(far))
    work.write("some.bin", bytes(range(256)) * 20)
    for words, kind in (("stride=2352", "Mode 2 Form"), ("stride=2352 mode=1", "Mode 1"), ("stride=2048", ""),
                        ("stride=2336", "Mode 2"), ("stride=2352 start=00:10:00", "Mode 2 Form")):
        stride = int(words.split()[0].split("=")[1])
        image = program.forge("image", "image %s\nfile A < some.bin\ngap 20\n" % words, work.path("kind.bin"),
                              root=work.name)
        fields, bad = set(), []
        for at in (0, 5, 11, 12, 14, 15, 16, 17, 20, 23, 24, 2047, stride - 281, stride - 280, stride - 1, stride):
            done = program.run("where", "--layout", str(stride), image, "raw:%d" % at)
            told = json.loads(program.run("where", "--layout", str(stride), "-Fjson", image, "raw:%d" % at).out)
            found = re.search(r"^field: (.*)", done.text, re.M)
            fields.add(found and found[1])
            if done.code or kind not in done.text or told["raw_offset"] != at:
                bad.append((at, str(done), told))
        tap.equal(bad, [], "where in an image: %s" % words)
        tap.ok(stride == 2048 or len(fields) > 1, "its fields are told apart", fields)


# ---- addresses ---------------------------------------------------------------------------------

def make_disc(program, work):
    root = corpus_path("..", "docs", "demo")
    program.forge("tod", read(corpus_path("tod", "good-walk.forge")).decode(), work.path("walk.tod"))
    program.forge("hmd", read(corpus_path("hmd", "good-animation.forge")).decode(), work.path("dance.hmd"))
    program.forge("tod", read(os.path.join(root, "turn.forge")).decode(), work.path("turn.tod"))
    return program.forge("image", read(os.path.join(root, "disc.forge")).decode(),
                         work.path("disc.bin"), root=work.name)


def addresses(tap, program, work):
    disc = make_disc(program, work)
    where = json.loads(program.run("where", disc, "iso:/DATA/WALK.TOD", "--format", "json").text)
    raw, user, lba = where["raw_offset"], where["user_offset"], where["lba"]
    forms = ["%d" % raw, "0x%x" % raw, "raw:%d" % raw, "user:0x%x" % user, "lba:%d" % lba,
             "lba:%d+0x0" % lba, "msf:" + where["msf"], "iso:/DATA/WALK.TOD", "iso:/DATA/WALK.TOD+0"]
    answers = {form: ask(program, "%s@%s" % (disc, form))[0] for form in forms}
    first = answers[forms[0]]
    tap.ok(first and all(a == first for a in answers.values()) and
           first["tod"]["verdict"] == "accepted" and first["tod"]["grade"] == "replayed",
           "%d forms of one address lead to one answer" % len(forms), answers)
    with zipfile.ZipFile(work.path("disc.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(disc, "b/disc.bin")
    inside = {form: ask(program, "%s!/b/disc.bin@%s" % (work.path("disc.zip"), form))[0]
              for form in forms if not form.startswith("iso:")}
    tap.ok(all(a == first for a in inside.values()), "and inside an archive", inside)
    inspected(tap, program, work, disc, forms)
    replayed(tap, program, work, disc, forms)
    odd = work.write("a@0x10", read(work.path("walk.tod")))
    verdicts, _ = ask(program, odd + "@0")
    tap.ok(verdicts and verdicts["tod"]["verdict"] == "accepted", "a source may be called a@0x10")
    verdicts, _ = ask(program, "%s@2" % work.path("walk.tod"), "--as", "tod")
    tap.ok(verdicts["tod"]["magic"] == "none" and not verdicts["tod"]["aligned"],
           "where no scan looks is said", verdicts)
    piped = program.run("why", "--as", "tod", "--", "-@0", data=read(work.path("walk.tod")))
    tap.ok(piped.code == 0 and "accepted" in piped.text, "standard input", piped)
    return disc, raw


def fields_of(program, where, *options):
    result = program.run("inspect", "--format", "json", *options, where)
    told = json.loads(result.text) if result.code in (0, 1) and result.out else {}
    return told.get("fields"), result


def inspected(tap, program, work, disc, forms):
    """inspect takes the same addresses, and labels what begins there as it labels the file."""
    alone = fields_of(program, work.path("walk.tod"))[0]
    places = ["%s@%s" % (disc, form) for form in forms]
    places += ["%s!/b/disc.bin@%s" % (work.path("disc.zip"), form)
               for form in forms if not form.startswith("iso:")]
    wrong = [place for place in places if fields_of(program, place)[0] != alone]
    tap.equal([len(alone) > 20, wrong], [True, []],
              "inspect labels the same at %d addresses as in the file" % len(places))
    odd = work.write("b@0x10:7", read(work.path("walk.tod")))
    tap.equal(fields_of(program, odd)[0], alone, "a file may be called b@0x10:7")
    tap.equal(fields_of(program, odd + "@0")[0], alone, "and be a source")
    db = work.path("a@5.db")
    program.run("scan", "-o", db, work.path("walk.tod"))
    tap.equal(fields_of(program, db + ":1")[0], alone, "and so may a database")
    none = program.run("inspect", work.path("walk.tod") + "@4")
    tap.ok(none.code == 1 and "framehound why" in none.errors and not none.out,
           "where nothing begins that is said", none)
    forced, result = fields_of(program, work.path("walk.tod") + "@4", "--as", "tod")
    tap.ok(result.code == 1 and forced[0]["path"] == "file_id" and forced[0]["values"] != [0x50],
           "and with --as it is labelled all the same", result)
    program.forge("camerawork", read(corpus_path("camerawork", "CAM0001.good.forge")).decode(),
                  work.path("path.cam"))
    text = work.write("text.bin", b"x" * 40 + b"\n" + read(work.path("path.cam")))
    found, result = fields_of(program, text + "@raw:42")
    tap.ok(found and found[1]["path"] == "lines[0].index" and "begins at raw:41" in result.errors,
           "an asset that begins in front of its first word is shown from its start", result)
    piped = program.run("inspect", "--", "-@0", data=read(work.path("walk.tod")))
    tap.ok(piped.code == 0 and "file_id" in piped.text, "from standard input", piped)
    told = json.loads(program.run("inspect", "-F", "json", places[0]).text)
    tap.equal(told["path"], places[0], "the address is told")


def replayed(tap, program, work, disc, forms):
    """replay takes the same addresses, and never writes over the source."""
    alone = program.run("replay", "-F", "csv", work.path("walk.tod"))
    places = ["%s@%s" % (disc, form) for form in forms]
    places += ["%s!/b/disc.bin@raw:%s" % (work.path("disc.zip"), forms[0])]
    wrong = [(place, str(result)) for place in places
             for result in [program.run("replay", "-F", "csv", place)]
             if result.out != alone.out or result.code != 0]
    tap.equal([len(alone.out) > 200, wrong], [True, []],
              "replay gives the same at %d addresses as of the file" % len(places))
    before = {path: read(path) for path in (disc, work.path("disc.zip"))}
    wrong = []
    for place, path in ((places[0], disc), (places[-1], work.path("disc.zip"))):
        result = program.run("replay", "-o", path, place)
        if result.code != 2 or "over what is read" not in result.errors or read(path) != before[path]:
            wrong.append((place, str(result)))
    tap.equal(wrong, [], "and does not write over what it reads")
    none = program.run("replay", work.path("walk.tod") + "@4")
    tap.ok(none.code == 1 and "framehound why" in none.errors and not none.out,
           "where nothing begins that is said", none)
    none = program.run("replay", work.path("nothing") + "@4")
    tap.ok(none.code == 3 and "No such file" in none.errors and "nothing@4" not in none.errors,
           "where there is no source, it is the source that is not there", none)


def places(tap, program, work, disc, raw):
    """Where a rejection lies is said in the source's bytes, also across sectors."""
    data = bytearray(read(disc))
    tod = read(work.path("walk.tod"))
    tap.ok(bytes(data[raw:raw + len(tod)]) == tod, "the animation lies in one sector")
    data[raw + 8] += 1  # the words of the first frame
    broken = work.write("broken.bin", bytes(data))
    told = ask(program, "%s@iso:/DATA/WALK.TOD" % broken)[0]["tod"]
    tap.ok(told["verdict"] == "rejected" and told["raw_offset"] == raw + told["asset_offset"] and
           told["lba"] == 22 and told["found"] and told["expected"], "its place on the disc", told)
    text = program.run("why", "%s@iso:/DATA/WALK.TOD" % broken, "--as", "tod")
    at = raw + told["asset_offset"]
    field = bytes(data[at:at + 4 - told["asset_offset"] % 4]).hex(" ")
    tap.ok(text.code == 1 and "[%s]" % field in text.text and told["code"] in text.text,
           "the dump has the field in brackets", text)
    row = (ROW % 0).replace(b"1.500000e+00 ", b"1.500000e+00 q", 1)
    path = work.write("row.cam", row)
    text = program.run("why", path + "@0", "--as", "camerawork")
    told = ask(program, path + "@0", "--as", "camerawork")[0]["camerawork"]
    lines = text.text.splitlines()
    at = told["asset_offset"]
    tap.ok(row[at:at + 1] == b"q" and lines[-1].strip() == "^" and
           lines[-2][len(lines[-1]) - 1] == "q", "a text has a caret under the character", text)


# ---- near misses and weak readings -------------------------------------------------------------

def broken_tod(frames):
    """A TOD that breaks behind so many sound frames."""
    return ("tod resolution=4\nframe 0\nmodel 1 2\nmodel 3 4\n" +
            "".join("frame %d\nmodel 1 2\n" % i for i in range(1, frames)) + "frame %d size=1" % frames)


def near_misses(tap, program, work):
    depths = [(7 * i) % 30 + 1 for i in range(30)]  # all from 1 to 30, mixed
    source = b""
    place = {}
    for i, depth in enumerate(depths):
        path = program.forge("tod", broken_tod(depth), work.path("broken.tod"))
        place[depth] = len(source)
        source += read(path) + bytes(64)
    db = work.path("miss.db")
    program.run("scan", "-o", db, work.write("misses.bin", source))
    rows = query(db, "SELECT raw_offset, message FROM finding WHERE code = 'RUN0006' ORDER BY id")
    tap.equal([r["raw_offset"] for r in rows], [place[d] for d in range(30, 10, -1)] + [None],
              "of 30 near misses the 20 deepest are told, the deepest first", rows)
    tap.ok("30 sound frames, " in rows[0]["message"] and "bits, then TOD0021 at +0x" in rows[0]["message"]
           and "10, not listed" in rows[-1]["message"], "with frames, bits, rule and place", rows)
    told = ask(program, "%s@%d" % (work.path("misses.bin"), place[30]), "--as", "tod")[0]["tod"]
    tap.ok(told["near_miss"] and told["frames"] == 30 and
           "%d bits" % told["evidence_bits"] in rows[0]["message"], "and why says the same", told)


WEAK = "tod resolution=4\nframe 0\nmodel 1 2\n"


def weak_readings(tap, program, work):
    path = program.forge("tod", WEAK, work.path("weak.tod"))
    whole = program.run("scan", "-o", work.path("whole.db"), path)
    tap.ok("1 asset" in whole.text, "a file that is just that long is an asset", whole)
    hidden = work.write("hidden.bin", bytes(64) + read(path) + bytes(64) + read(path) + bytes(64))
    db = work.path("weak.db")
    result = program.run("scan", "-o", db, hidden)
    rows = query(db, "SELECT raw_offset, message FROM finding WHERE code = 'RUN0011'")
    tap.ok("0 assets" in result.text and "2 readings with too little evidence" in result.text and
           [r["raw_offset"] for r in rows] == [64] and "2, the best a tod" in rows[0]["message"],
           "in the middle of others it is counted and the best one told", result, rows)
    told, answer = ask(program, hidden + "@64", "--as", "tod")
    told = told["tod"]
    tap.ok(told["verdict"] == "accepted" and told["too_little_evidence"] and answer.code == 0,
           "why says that it has too little evidence", told)
    for least, number in ((told["evidence_bits"], 2), (told["evidence_bits"] + 1, 0), (0, 2)):
        result = program.run("scan", "--min-evidence", str(least), "-o", db, hidden)
        tap.ok("%d asset" % number in result.text, "--min-evidence %d: %d assets" % (least, number),
               result)


def nothing_real_lost(tap, program, work):
    """Nor does it cost a real one that is no file of its own."""
    shared = shared_folder()
    if shared is None:
        tap.skip("real files in the middle of others", "no folder of real files (FRAMEHOUND_SHARED)")
        return
    data = bytes(64)
    for name, rows in sorted(asset_rows(shared).items()):
        whole = read(os.path.join(shared, "samples", name))
        for _, offset, length, _ in rows:
            data += whole[offset:offset + length] + bytes(64 - length % 4)
    hidden = work.write("real.bin", data)
    counts = []
    for least in ("0", None):
        db = work.path("real.db")
        more = ["--min-evidence", least] if least else []
        program.run("scan", *more, "--no-replay", "-o", db, hidden, timeout=600)
        counts.append(query(db, "SELECT count(*) AS n, min(evidence_bits) AS bits FROM asset")[0])
    tap.ok(counts[0]["n"] > 0 and counts[0] == counts[1],
           "nor one of %(n)d real ones in the middle of others; they have %(bits)s bits at least"
           % counts[0], counts)


def nothing_lost(tap, program, work):
    """The default threshold costs no sound file."""
    for least, db in ((None, work.path("default.db")), ("0", work.path("all.db"))):
        more = ["--min-evidence", least] if least else []
        sources = [work.folder("sound")]
        shared = shared_folder()
        sources += [os.path.join(shared, "samples")] if shared else []
        program.run("scan", *more, "--no-replay", "-o", db, *sources, timeout=600)
    sql = "SELECT s.path, a.raw_offset, a.length FROM asset a JOIN source s ON s.id = a.source_id ORDER BY 1, 2"
    kept, every = (query(work.path(db), sql) for db in ("default.db", "all.db"))
    tap.ok(len(kept) > 100 and kept == every, "none of %d assets of the corpus%s is lost by the default "
           "threshold" % (len(every), " and of real files" if shared_folder() else ""),
           [r for r in every if r not in kept][:9])


def of_a_stream(tap, program, work):
    """A member of what can be read only once is looked at as it passes."""
    data = read(work.path("walk.tod"))
    with tarfile.open(work.path("once.tar"), "w") as box:
        box.add(work.path("walk.tod"), "walk.tod")
    box = read(work.path("once.tar"))
    expected = program.run("why", work.path("once.tar") + "!/walk.tod@0")
    tap.ok(expected.code == 0 and expected.out, "why of a member of a file", expected)
    os.mkfifo(work.path("once"))
    for name, command in (("-!/walk.tod@0", "why"), ("-!/walk.tod@0", "inspect")):
        result = program.run(command, "--", name, data=box)
        tap.ok(result.code == 0 and result.out, "%s of a member of standard input" % command, result)
    process = program.start("why", work.path("once") + "!/walk.tod@0")
    with open(work.path("once"), "wb") as pipe:
        pipe.write(box)
    result = program.finish(process)
    tap.ok(result.code == 0 and result.out, "why of a member of a named pipe", result)
    result = program.run("why", "--", "-@0", data=data)
    tap.ok(result.code == 0 and result.out, "and of what comes through a pipe as it is", result)


# ---- usage -------------------------------------------------------------------------------------

def usage(tap, program, work):
    path = work.path("walk.tod")
    cases = [([], 2), ([path], 2), ([path + "@"], 2), ([path + "@x"], 2), ([path + "@0x"], 2),
             ([path + "@lba:"], 2), ([path + "@-1"], 2), ([path + "@0", "--as", "midi"], 2),
             ([path + "@0", "-F", "xml"], 2), ([path + "@0", path + "@0"], 2),
             ([path + "@0", "--layout", "7"], 2), ([path + "@0", "--what"], 2),
             ([work.path("nothing") + "@0"], 3), ([work.path("disc.zip") + "!/none@0"], 3),
             ([work.name + "@0"], 3), ([path + "@99999999"], 1), ([path + "@iso:/A"], 1),
             ([path + "@lba:3"], 1), ([work.path("disc.bin") + "@3"], 1),
             ([work.path("disc.zip") + "!/b/disc.bin@raw:99999999"], 1)]
    wrong = []
    for args, code in cases:
        result = program.run("why", *args)
        if result.code != code or result.out or not result.err.startswith(b"framehound"):
            wrong.append((args, code, str(result)))
    tap.equal(wrong, [], "%d wrong uses and places end with 1, 2 or 3 and a message" % len(cases))


def main():
    tap = Tap()
    program = Program(sys.argv)
    with Workspace() as work:
        for kind in FORMATS:
            corpus(tap, program, work, kind)
        broken_camerawork(tap, program, work)
        disc, raw = addresses(tap, program, work)
        places(tap, program, work, disc, raw)
        wrong_addresses(tap, program, work)
        near_misses(tap, program, work)
        weak_readings(tap, program, work)
        nothing_lost(tap, program, work)
        nothing_real_lost(tap, program, work)
        of_a_stream(tap, program, work)
        usage(tap, program, work)
    program.tell_unsound(tap)
    tap.done()


main()
