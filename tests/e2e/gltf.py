#!/usr/bin/env python3
"""`replay -o x.glb`: what the validator of Khronos and three.js make of it, against the poses.

FRAMEHOUND_GLTF_MODULES  folder for the npm packages of tests/gltf, which are fetched once
FRAMEHOUND_GLTF_ALL      every description of the corpus, instead of some of each family
"""
import base64
import filecmp
import glob
import json
import os
import shutil
import struct
import subprocess
import sys

from harness import (HERE, SLOWER, Program, Tap, Workspace, asset_rows, corpus_path, forge_hmd,
                     need_real_files, query, read)

READER = os.path.join(HERE, "..", "gltf")
NEAR = 1e-5
SOME = 6 if SLOWER > 1 or os.environ.get("FRAMEHOUND_SANITIZED") else 1  # of so many, one is taken
HALF_TURN = [1, 0, 0, 0]

# Descriptions that are looked at in every run; of each family what there is of tracks, channels,
# meshes, names and limits.
CHOSEN = {
    "hmd": ["good-*", "HMD0024", "HMD0110", "HMD0112", "HMD0131", "HMD0180", "HMD0216", "HMD0260",
            "HMD0286", "HMD0290", "HMD0295"],
    "tod": ["TOD0012", "TOD0040", "TOD005*", "TOD006*", "TOD0111", "TOD013*"],
    "tra": ["TRA0001", "TRA003*", "TRA012*", "TRA0143"],
    "camerawork": ["CAM0001", "CAM002*", "CAM006*"],
}


# ---- the readers ------------------------------------------------------------------------------

def modules():
    """The folder with the npm packages, or why there is none."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return None, "no node or npm"
    folder = os.environ.get("FRAMEHOUND_GLTF_MODULES") or os.path.join(READER, "modules")
    lock = os.path.join(folder, "package-lock.json")
    if os.path.isfile(lock) and filecmp.cmp(lock, os.path.join(READER, "package-lock.json"),
                                            shallow=False):
        return folder, None
    os.makedirs(folder, exist_ok=True)
    fresh = os.path.join(folder, "fresh.%d" % os.getpid())
    os.makedirs(fresh)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(READER, name), fresh)
    try:
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=fresh,
                              capture_output=True, timeout=300)
        if done.returncode != 0:
            return None, "npm ci failed: " + done.stderr.decode(errors="replace")[-300:].strip()
        shutil.rmtree(os.path.join(folder, "node_modules"), ignore_errors=True)
        os.replace(os.path.join(fresh, "node_modules"), os.path.join(folder, "node_modules"))
        shutil.copy(os.path.join(fresh, "package.json"), folder)
        os.replace(os.path.join(fresh, "package-lock.json"), lock)
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, "npm ci: %s" % error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder, None


def answers(folder, jobs):
    """What the readers say to each job; {name: answer}."""
    done = subprocess.run(["node", os.path.join(READER, "read.mjs"), folder],
                          input="\n".join(json.dumps(job) for job in jobs).encode(),
                          capture_output=True, timeout=600)
    lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return {line["name"]: line for line in lines}, done.stderr.decode()


class Exports:
    """Assets that are replayed as glTF and as JSON, to be read by others all at once."""

    def __init__(self, program, work):
        self.program, self.work = program, work
        self.jobs, self.errors, self.nothing = [], {}, []

    def add(self, name, argument, *options, kind="glb", **more):
        """Replays it twice; remembers it if there is something to be read."""
        out = self.work.path("%d.%s" % (len(self.jobs) + len(self.nothing), kind))
        poses = out + ".json"
        done = self.program.run("replay", "-o", out, *options, argument)
        if not os.path.exists(out):
            self.nothing.append(name)
            return None
        without = [word for at, word in enumerate(options)
                   if word != "--tmd" and (at == 0 or options[at - 1] != "--tmd")]
        for world in (["--world"], []):
            if self.program.run("replay", "-F", "json", "-o", poses, *world, *without,
                                argument).code != 2:
                break
        self.errors[name] = done.errors
        self.jobs.append(dict(name=name, file=out, poses=poses, **more))
        return out


def parts(path):
    """JSON and buffer of a .glb or .gltf."""
    data = read(path)
    if data[:4] != b"glTF":
        text = json.loads(data)
        uri = text.get("buffers", [{"uri": ","}])[0]["uri"]
        return text, base64.b64decode(uri.split(",", 1)[1])
    length, = struct.unpack_from("<I", data, 12)
    return json.loads(data[20:20 + length]), data[28 + length:]


def judge(tap, said, exports, what):
    """No error, no warning, and the poses."""
    names = [job["name"] for job in exports.jobs]
    failed = [(name, said.get(name, {}).get("failed", "no answer")) for name in names
              if "failed" in said.get(name, {"failed": 1})]
    tap.equal(failed[:4], [], "%s: all %d files are read" % (what, len(names)))
    good = {name: said[name] for name in names if "failed" not in said.get(name, {"failed": 1})}
    tap.equal([(n, a["issues"]) for n, a in good.items() if a["issues"]][:4], [],
              "%s: the validator finds no error and no warning" % what)
    tap.equal([(n, a["wrong"]) for n, a in good.items() if a["wrong"]][:4], [],
              "%s: nodes, parents and frames are those of the poses" % what)
    # What single precision cannot hold is said, and not compared.
    told = {n for n in good if "too large for single precision" in exports.errors[n]}
    far = [(n, a["worst"], a["where"]) for n, a in good.items()
           if n not in told and not (a["worst"] is not None and a["worst"] <= NEAR)]
    tap.equal(far[:4], [], "%s: every pose of every frame within %g" % (what, NEAR))
    worst = max([a["worst"] for n, a in good.items() if n not in told] or [0])
    hints = {}
    for answer in good.values():
        for code, num in answer["hints"].items():
            hints[code] = hints.get(code, 0) + num
    tap.note("%s: %d files, %d numbers compared, worst deviation %.3g, hints %s" %
             (what, len(good), sum(a["compared"] for a in good.values()), worst, hints))
    return good


# ---- what is exported -------------------------------------------------------------------------

def forge_some(program, work, exports):
    """Descriptions of the corpus, sound and not."""
    is_all = os.environ.get("FRAMEHOUND_GLTF_ALL")
    folder = work.folder("forged")
    for family, chosen in CHOSEN.items():
        names = sorted({path for pattern in (["*"] if is_all else chosen)
                        for path in glob.glob(corpus_path(family, pattern + "*.forge"))
                        if not path.endswith(".bac.forge") and (is_all or ".bad." not in path)})
        for path in names[::1 if is_all else SOME]:
            base = os.path.basename(path)[:-len(".forge")]
            text = read(path).decode()
            out = program.forge(family, text, os.path.join(folder, base + "." + family))
            for line in text.splitlines():
                if line.startswith("# bac: "):
                    program.forge("bac", read(corpus_path(family, line[7:])).decode(),
                                  os.path.join(folder, base + ".bac"))
            exports.add(base, out)


def add_samples(exports, shared):
    """Every file of the manifest that is an animation or a model as it stands."""
    rows = asset_rows(shared)
    whole = [name for name, found in sorted(rows.items()) if len(found) == 1 and found[0][1] == 0]
    for name in whole[::SOME]:
        exports.add(name, os.path.join(shared, "samples", name))
    return len(whole[::SOME])


def models_of(data):
    """Where the models and animations of a game's containers lie: {model: [animations]}."""
    found, at = {}, data.find(b"MOM ")
    while at >= 0:
        model, mos = at + struct.unpack_from("<I", data, at + 8)[0], data.find(b"MOS ", at)
        num, = struct.unpack_from("<I", data, mos + 4)
        found[model] = [mos + off for off in struct.unpack_from("<%dI" % num, data, mos + 8)]
        at = data.find(b"MOM ", at + 4)
    return found


def polygons_of(data, at):
    """How many triangles a TMD's polygons are, by model from 1; read here, by the table."""
    counts = {}
    for number in range(struct.unpack_from("<I", data, at + 8)[0]):
        _, _, _, _, off, num, _ = struct.unpack_from("<7I", data, at + 12 + 28 * number)
        off += at + 12
        counts[number + 1] = 0
        for _ in range(num):
            mode = data[off + 3]
            counts[number + 1] += (2 if mode & 8 else 1) if mode >> 5 == 1 else 0
            off += 4 + 4 * data[off + 1]
    return counts


def add_containers(tap, program, work, exports, shared):
    """Animations of a game with the models that lie beside them."""
    expected = {}
    paths = sorted(glob.glob(os.path.join(shared, "samples", "lbd", "*.lbd")))
    for path in paths[:5 if SOME == 1 else 1]:
        db = work.path(os.path.basename(path) + ".db")
        program.run("scan", "-o", db, path)
        ids = {row["raw_offset"]: row["id"]
               for row in query(db, "SELECT id, raw_offset FROM asset WHERE format = 'tod'")}
        for model, animations in models_of(read(path)).items():
            tmd = work.write("%s.%d.tmd" % (os.path.basename(path), model), read(path)[model:])
            for at in animations[:2]:
                name = "%s@%d" % (os.path.basename(path), at)
                out = exports.add(name, "%s:%d" % (db, ids[at]), "--tmd", tmd, models=True)
                text = parts(out)[0]
                source = text["asset"]["extras"]["source"]
                expected[name] = (source["raw_offset"] == at and source["path"] == path,
                                  triangles_of(text), polygons_of(read(tmd), 0))
    tap.ok(expected, "there are animations with models")
    tap.equal([n for n, (is_there, _, _) in expected.items() if not is_there], [],
              "extras tell where in the source an asset of a database lies")
    tap.equal([(n, seen) for n, (_, seen, wanted) in expected.items()
               if seen != sum(wanted.values())], [], "all polygons of the models are there")


def triangles_of(text):
    return sum(text["accessors"][part["indices"]]["count"] // 3
               for mesh in text.get("meshes", []) for part in mesh["primitives"])


# ---- parts ------------------------------------------------------------------------------------

MOVING_ON = """tod resolution=4
frame 0
create 1
create 2
create 3
parent 2 1
parent 3 2
coord 1 abs r 368640 0 0 s 8192 4096 4096 t 10 20 30
coord 2 abs r 0 737280 123456 s 4096 4096 2048 t 1 2 3
coord 3 abs r 5 6 7 s 4096 4096 4096 t 100 0 0
light 0 abs dir 1 2 3 rgb 255 128 0
frame 1
parent 3 1
attr 2 0x7fffffff 0x80000000
frame 5
light 0 abs dir 0 -2 3 rgb 0 128 0
kill 2
frame 6
create 4
coord 4 abs r 0 0 0 s 4096 4096 4096 t 7 8 9
"""


def check_moving_on(tap, program, work, exports):
    """Parents that change, objects that come and go, a place that another one takes."""
    path = program.forge("tod", MOVING_ON, work.path("moving.tod"))
    out = exports.add("moving on", path)
    text = parts(out)[0]
    is_world = {node["extras"]["tenant"]: bool(node["extras"].get("is_world"))
                for node in text["nodes"] if node["extras"]["role"] in ("pose", "outer") and
                node["extras"]["kind"] == "node"}
    tap.equal(is_world, {1: False, 2: False, 3: True, 4: False},
              "who changes his parent stands in world space")
    tap.ok("stand in world space" in exports.errors["moving on"] and
           "light's colour" in exports.errors["moving on"], "and that is said",
           exports.errors["moving on"])
    tap.equal(text["nodes"][0].get("rotation"), HALF_TURN, "the root turns y and z round")
    times = [text["accessors"][s["input"]]["max"][0] for s in text["animations"][0]["samplers"]]
    tap.ok(abs(max(times) - 6 * 4 / 60) < 1e-6, "time goes by the numbers of the frames", times)


OWN_ANCESTOR = """tod resolution=1
frame 0
create 1
coord 1 abs r 0 0 0 s 4096 4096 4096 t 10 20 30
frame 1
parent 1 1
coord 1 abs t 11 21 31
frame 2
parent 1 0
coord 1 abs t 12 22 32
"""


def check_own_ancestor(tap, program, work, exports):
    """Who hangs on himself is nowhere; where he stands meanwhile is said to be kept."""
    path = program.forge("tod", OWN_ANCESTOR, work.path("own.tod"))
    out = exports.add("own ancestor", path)
    remarks = parts(out)[0]["asset"]["extras"]["remarks"]
    tap.ok([r for r in remarks if "their own ancestors" in r], "an object that is its own ancestor "
           "is told of", remarks)


def check_names(tap, program, work, exports):
    """Names that want to be something else stay names."""
    hostile = ['hip"],"x":[', "\\u0000", "<script>", "ひ", "../../etc"]
    bytes_of = [name.encode() for name in hostile] + [b"\xff\xfe\x80"]
    lines = [b";TRA\n( Head\n ( traVersion 4.0 )\n)\n( Figure\n ( totalFrame 2 )\n"]
    kinds = ["translate.x", "translate.y", "translate.z", "scale.x", "scale.y", "scale.z",
             "rotate.x", "rotate.y", "rotate.z", "roll"]
    for name in bytes_of:
        lines.append(b'( bone\n( name "' + name.replace(b'"', b"'") + b'" )\n')
        for kind in kinds:
            value = 100 if kind[0] == "s" else 1 if kind == "rotate.z" else 0
            lines.append(b"( %s\n( kf 0 %d.0 )\n)\n" % (kind.encode(), value))
        lines.append(b")\n")
    out = exports.add("names", work.write("names.tra", b"".join(lines) + b")\n"))
    if tap.ok(out is not None, "hostile names are replayed",
              program.run("replay", work.path("names.tra"))):
        names = [node["name"] for node in parts(out)[0]["nodes"] if node["name"] != "world"]
        wanted = [name.replace('"', "'") for name in hostile] + ["\ufffd\ufffd\ufffd"]
        tap.equal([n for n in names if n not in wanted], [], "and stay what they are", wanted)


def check_gltf_form(tap, program, work, exports):
    """Text with everything in it holds what the binary form holds."""
    path = forge_hmd(program, "good-images", work.path("images.hmd"))
    binary, text = exports.add("images.glb", path), exports.add("images.gltf", path, kind="gltf")
    (a, a_bytes), (b, b_bytes) = parts(binary), parts(text)
    b["buffers"][0].pop("uri")
    tap.ok(a == b and a_bytes[:len(b_bytes)] == b_bytes, "a .gltf holds what a .glb holds")
    tap.ok(read(text)[:1] == b"{", "and is text")


def check_refusals(tap, program, work):
    tod = program.forge("tod", MOVING_ON, work.path("refused.tod"))
    hmd = forge_hmd(program, "good-pyramid", work.path("refused.hmd"))
    out = work.path("refused.glb")
    bad = work.write("bad.tmd", b"\x41\0\0\0\0\0\0\0\2\0\0\0" + b"\xff" * 30)
    none = work.write("none.tmd", b"nothing of that kind")
    memory = work.write("memory.tmd", b"\x41\0\0\0\1\0\0\0\0\0\0\0")
    cases = [
        (["--changes", "-o", out, tod], 2, "--changes does not go with glTF", False),
        (["--world", "-o", out, tod], 2, "--world does not go with glTF", False),
        (["--tmd", bad, tod], 2, "--tmd is for models in glTF", False),
        (["--tmd", bad, "-o", out, hmd], 2, "--tmd does not go with hmd", False),
        (["--tmd", out + ".glb", "-o", out + ".glb", tod], 3, "cannot read", True),
        (["--tmd", none, "-o", out, tod], 1, "does not begin as a TMD does", True),
        (["--tmd", memory, "-o", out, tod], 1, "addresses instead of offsets", True),
        (["--tmd", bad, "-o", out, tod], 1, "is not quite TMD", True),
        (["-F", "csv", "-o", out, tod], 0, "", True),
    ]
    for words, code, said, writes in cases:
        if os.path.exists(out):
            os.remove(out)
        done = program.run("replay", *words)
        tap.ok(done.code == code and said in done.errors and
               (os.path.exists(words[words.index("-o") + 1]) if "-o" in words else False) == writes,
               "%s: exit %d, %s" % (" ".join(os.path.basename(w) for w in words[:-1]), code,
                                    said or "written"), done)
    tap.ok(read(out)[:5] == b"table", "a form that is asked for is the form")
    done = program.run("replay", "--tmd", out, "-o", out, tod)
    done = program.run("replay", "--tmd", bad, "-o", bad, tod)
    tap.ok(done.code == 2, "--tmd without glTF is refused, whatever the output", done)


def main():
    tap, program = Tap(), Program(sys.argv)
    folder, why = modules()
    with Workspace() as work:
        exports = Exports(program, work)
        check_moving_on(tap, program, work, exports)
        check_own_ancestor(tap, program, work, exports)
        check_names(tap, program, work, exports)
        check_gltf_form(tap, program, work, exports)
        check_refusals(tap, program, work)
        forge_some(program, work, exports)
        shared = need_real_files(tap, "glTF of real files")
        if shared is not None:
            num = add_samples(exports, shared)
            tap.ok(num * SOME >= 50, "there are samples to be exported", num)
            add_containers(tap, program, work, exports, shared)
        if folder is None:
            tap.skip("what others read", why)
        else:
            said, errors = answers(folder, exports.jobs)
            tap.equal(errors, "", "the readers complain of nothing")
            good = judge(tap, said, exports, "glTF")
            seen = {kind for answer in good.values() for kind in answer["interpolations"]}
            tap.ok(SOME > 1 or seen == {"STEP", "LINEAR", "CUBICSPLINE"},
                   "all three interpolations are in use", seen)
        program.tell_unsound(tap)
    tap.done()


if __name__ == "__main__":
    main()
