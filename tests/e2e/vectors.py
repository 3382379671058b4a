"""What the formats' own run-time library computed, against framehound replay: to the last bit.

The vectors give each slot as a list of numbers: slot, id, attribute, model index, parent slot, nine
elements of the matrix, its translation, then scale, rotate and trans of the parameters. They name a
model by its place in the table of the program that was recorded (-1: none has that id), framehound
by the id of the packet. The ids behind the places are found from the vectors, and must be the same
everywhere.
"""
import json
import os
import struct
import sys

from harness import Program, Tap, Workspace, need_real_files, read

MATRIX = ["m%d%d" % (row, column) for row in range(3) for column in range(3)] + ["t0", "t1", "t2"]
VECTORS = ["%s_%s" % (name, axis) for name in ("scale", "rotate", "trans") for axis in "xyz"]
LIGHT = ["direction_x", "direction_y", "direction_z", "red", "green", "blue"]
NO_CREATE = "continues another file"


class Models:
    """id -> place in the recorded program's table, gathered from all that was compared."""

    def __init__(self):
        self.places = {}
        self.contradictions = []

    def note(self, model_id, place, where):
        if self.places.setdefault(model_id, place) != place:
            self.contradictions.append("%s: id %r is place %r, was %r" % (
                where, model_id, place, self.places[model_id]))


class Comparison:
    def __init__(self, models):
        self.models = models
        self.numbers = 0
        self.wrong = []

    def number(self, seen, expected, *where):
        self.numbers += 1
        if seen != expected and len(self.wrong) < 20:
            self.wrong.append("%s: seen %r, recorded %r" % (" ".join(map(str, where)), seen, expected))

    def slot(self, row, recorded, where):
        """Everything of one object."""
        self.number(row["slot"], recorded[0], where, "slot")
        self.number(row["object"], recorded[1], where, "id")
        self.number(row["attribute"], recorded[2] & 0xffffffff, where, "attribute")
        self.models.note(row["model"], recorded[3], where)
        self.numbers += 1
        parent = -1 if row["parent_slot"] is None else row["parent_slot"]
        self.number(parent, recorded[4], where, "parent")
        for name, value in zip(MATRIX + VECTORS, recorded[5:]):
            self.number(row[name], value, where, name)

    def lights(self, rows, recorded, where):
        seen = {row["light"]: [row[name] for name in LIGHT] for row in rows}
        for light, values in enumerate(recorded):
            for name, have, value in zip(LIGHT, seen.get(light, [0] * 6), values):
                self.number(have, value, where, "light", light, name)


def walk(words):
    """(number, words used) of each frame, by the number of packets and their own lengths."""
    at, frames = 2, []
    for _ in range(words[1]):
        num_packets = words[at] >> 16
        number = words[at + 1]
        end = at + 2
        for _ in range(num_packets):
            end += words[end] >> 24
        frames.append((number, end - at))
        at = end
    return frames


def words_of(data):
    return struct.unpack("<%dI" % (len(data) // 4), data[:len(data) // 4 * 4])


def compare_frames(comparison, words, seen, recorded):
    """All frames of a full replay against the recorded changes."""
    slots = {}
    lights = [[0] * 6 for _ in range(3)]
    num_slots = 0
    used = walk(words)
    comparison.number(len(seen), len(recorded), "frames")
    for index, (frame, truth) in enumerate(zip(seen, recorded)):
        where = "frame %d" % index
        num_slots = truth.get("n", num_slots)
        lights = truth.get("l", lights)
        slots.update({slot[0]: slot for slot in truth.get("o", [])})
        comparison.number(frame["number"], truth["f"], where, "number")
        comparison.number(used[index][1], truth["adv"], where, "words used")
        rows = frame.get("object", [])
        comparison.number(len(rows), num_slots, where, "slots")
        for row in rows:
            if row["slot"] in slots:
                comparison.slot(row, slots[row["slot"]], "%s slot %r" % (where, row["slot"]))
            else:
                comparison.number(row["slot"], None, where, "a slot that was not recorded")
        comparison.lights(frame.get("light", []), lights, where)


def fold_changes(frames):
    """Full frames from those of --changes."""
    slots, full = {}, []
    for frame in frames:
        for row in frame.get("object", []):
            if row["object"] is None:
                slots.pop(row["slot"], None)
            else:
                slots[row["slot"]] = row
        whole = {"index": frame["index"], "number": frame["number"]}
        if slots:
            whole["object"] = [slots[slot] for slot in sorted(slots)]
        full.append(whole)
    return full


def without_lights(frames):
    return [{k: v for k, v in f.items() if k != "light"} for f in frames]


def replay(program, path, after=None, *options):
    extra = [] if after is None else ["--after", after]
    result = program.run("replay", "--profile", "1.30", "--format", "json", "--fail-on", "never",
                         *options, *extra, path)
    return result, json.loads(result.out) if result.code == 0 else None


def check_file(tap, program, models, name, path, after, recorded):
    """One file with recorded frames; returns how many numbers were compared."""
    words = words_of(read(path))
    comparison = Comparison(models)
    result, document = replay(program, path, after)
    if not tap.ok(document is not None, "%s: replays" % name, result):
        return 0
    comparison.number(document["evaluator"], "tod-player 1.30", "evaluator")
    compare_frames(comparison, words, document["frames"], recorded)
    tap.ok(NO_CREATE not in result.errors, "%s: nothing is assumed" % name, result)
    tap.ok(not comparison.wrong, "%s: %d numbers" % (name, comparison.numbers), *comparison.wrong)
    result, changes = replay(program, path, after, "--changes")
    tap.ok(changes is not None and
           fold_changes(changes["frames"]) == without_lights(document["frames"]),
           "%s: --changes adds up to the same" % name, result)
    return comparison.numbers


def check_named(tap, program, shared, models):
    total = 0
    vectors = os.path.join(shared, "vectors")
    for file in sorted(os.listdir(vectors)):
        if not (file.startswith("tod_") and file.endswith(".json")) or file == "tod_random.json":
            continue
        with open(os.path.join(vectors, file)) as text:
            truth = json.load(text)
        folder = os.path.join(shared, "samples", "tod")
        path = os.path.join(folder, truth["file"].lower())
        if not os.path.exists(path):
            tap.skip(file, "its file is not there")
            continue
        data = read(path)
        tap.equal((len(data), [w for w in words_of(data)[:2]]), (truth["size"], truth["w"]),
                  "%s: the file is the recorded one" % file)
        after = truth["played_after"] and os.path.join(folder, truth["played_after"].lower())
        total += check_file(tap, program, models, file, path, after, truth["frames"])
    return total


def check_random(tap, program, shared, models, work):
    path = os.path.join(shared, "vectors", "tod_random.json")
    if not os.path.exists(path):
        tap.skip("tod_random.json", "it is not there")
        return 0
    with open(path) as text:
        cases = json.load(text)["cases"]
    total = 0
    for case in cases:
        name = "random %d" % case["seed"]
        words = [word & 0xffffffff for word in case["words"]]
        file = work.write("random.tod", struct.pack("<%dI" % len(words), *words))
        total += check_file(tap, program, models, name, file, None, case["frames"])
    tap.equal(len(cases), 120, "all random cases were there")
    return total


def check_models(tap, name, models):
    tap.ok(not models.contradictions, "%s: each model id is one place of the recorded table" % name,
           *models.contradictions[:20])
    tap.equal(models.places.get(None, -1), -1, "%s: no model is place -1" % name)
    real = [place for place in models.places.values() if place != -1]
    tap.equal(sorted(real), sorted(set(real)), "%s: no two ids are one place" % name)
    known = {i: p for i, p in models.places.items() if i is not None}
    tap.note("%s: model ids and places: %s" % (name, dict(sorted(known.items()))))


def main():
    tap = Tap()
    program = Program(sys.argv)
    shared = need_real_files(tap, "vectors")
    if shared is not None:
        with Workspace() as work:
            models = Models()
            total = check_named(tap, program, shared, models)
            check_models(tap, "files", models)
            models = Models()
            total += check_random(tap, program, shared, models, work)
            check_models(tap, "random", models)
        tap.note("%d numbers compared" % total)
        program.tell_unsound(tap)
    tap.done()


main()
