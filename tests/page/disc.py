"""Discs for the page of the HTML report: forged animations of every format, damage, hostile names.

The names of a disc are those that its maker chose; here they try to be HTML, and a program.
"""
import math
import os

HOSTILE_BONE = "</script><img src=x onerror=window.hacked='bone'><b>\u202eevil"
HOSTILE_FOLDER = "x\u202e<"  # with the file behind it: </script>
HOSTILE_FILE = "script><img src=x onerror=window.hacked='name'><!--.bin"


# How far each part turns against the first arm.
SWINGS = ((3, 1), (4, 0.7), (5, -1), (6, 0.5), (7, -1), (8, -0.7), (9, 1), (10, 0.5))


def raw_degrees(degrees):
    """As the format has it, in steps that lose nothing."""
    return 360 * round(4096 * degrees / 360)


def figure_tod(seed, frames):
    """A body with two arms and two legs of two parts each, which swing as it walks a circle."""
    lines = ["tod resolution=2", "frame 0"]
    parts = [(1, 0, 0, 0, 0), (2, 1, 0, -110, 0)]
    for side in (-1, 1):
        first = 3 if side < 0 else 7
        parts += [(first, 1, 40 * side, -80, 0), (first + 1, first, 0, 60, 0),
                  (first + 2, 1, 18 * side, 10, 0), (first + 3, first + 2, 0, 70, 0)]
    parts.sort()
    for part, _, _, _, _ in parts:
        lines += ["create %d" % part, "attr %d 0x80000000 0" % part]
    for part, parent, x, y, z in parts:
        lines += ["model %d %d" % (part, part), "parent %d %s" % (part, parent or "world"),
                  "coord %d abs r 0 0 0 s 4096 4096 4096 t %d %d %d" % (part, x, y, z)]
    for frame in range(1, frames):
        at = 2 * math.pi * frame / frames
        swing = 30 * math.sin(4 * at + seed)
        radius = 200 + 7 * (seed % 20)
        lines += ["frame +", "coord 1 abs r 0 %d 0 s 4096 4096 4096 t %d %d %d" % (
            -raw_degrees(360 * frame / frames), radius * math.cos(at), 6 * math.sin(8 * at),
            radius * math.sin(at))]
        for part, factor in SWINGS:
            place = next(p for p in parts if p[0] == part)
            lines.append("coord %d abs r %d 0 0 s 4096 4096 4096 t %d %d %d" % (
                part, 4096 * swing * factor, place[2], place[3], place[4]))
    return "\n".join(lines) + "\n"


def hostile_tra():
    """A text whose bones have names that would end a script and begin another element."""
    turn = " ".join("%d %.6f" % (frame, 9.0 * frame) for frame in range(20))
    return ("tra\nmagic \" utf8\"\nhead\nfigure 20\nbone \"%s\"\nroll %s\nbone \"arm\"\n"
            "translate.x 0 0 10 1.5 19 0.25\n" % (HOSTILE_BONE, turn))


def forge_files(program, work, variants):
    """Builds the files; returns their names by the format they are of."""
    def corpus(*names):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpus",
                               *names), encoding="utf-8") as file:
            return file.read()
    made = []
    def forge(kind, name, text):
        program.forge(kind, text, work.path(name))
        made.append(name)
    for seed in range(variants):
        forge("tod", "w%d.tod" % seed, figure_tod(seed, 12 + 3 * (seed % 9)))
    for name in ("good-animation", "good-mime", "good-pyramid", "good-images"):
        forge("hmd", "%s.hmd" % name, corpus("hmd", name + ".forge"))
    forge("camerawork", "circle.cam", corpus("camerawork", "good-circle.forge"))
    forge("camerawork", "line.cam", corpus("camerawork", "good-line.forge"))
    forge("camerawork", "auto.cam", corpus("camerawork", "good-automatic.forge"))
    forge("tra", "hostile.tra", hostile_tra())
    forge("tra", "turn.tra", corpus("tra", "good-sample2.forge"))
    forge("tod", "faulty.tod", corpus("tod", "TOD0061.bad.forge"))
    return made


def break_tods(work, names):
    """Copies of animations with a frame that does not fit: what comes close and is none."""
    broken = []
    for name in [n for n in names if n.startswith("w")][:6]:
        with open(work.path(name), "rb") as file:
            data = bytearray(file.read())
        data[len(data) * 3 // 4 & ~3:] = b"\xee" * 64
        broken.append("x" + name)
        with open(work.path(broken[-1]), "wb") as file:
            file.write(data)
    return broken


def image_text(names, broken, assets):
    """The description of a disc with so many assets, audio, film and bad sectors."""
    lines = ["image stride=2352", "iso TESTDISC"]
    for i in range(assets):
        name = names[i * 7 % len(names)]
        extension = name.split(".")[-1].upper()
        folder = "STAGE%02d" % (i % 12)
        if i % 9 == 4:
            lines.append("hidden < %s skip=%d" % (name, 4 * (i % 400)))
        else:
            lines.append("file %s/A%05d.%s < %s" % (folder, i, extension, name))
        if i % 40 == 39:
            lines.append("gap 12")
        if i % 100 == 60:
            lines.append("form2 60 submode=0x64 coding=0x01 channel=1 file=1 fill=0x11")
        if i % 130 == 90:
            lines.append("form2 45 submode=0x48 fill=0x22")
    for name in broken:
        lines.append("hidden < %s skip=16" % name)
    lines.append("gap 20")
    for sector in (300, 301, 302, 340, 410, 411, 640, 641, 642, 643, 800):
        lines.append("bad edc %d" % sector)
    return "\n".join(lines) + "\n"


def hostile_path(work):
    os.makedirs(work.path(HOSTILE_FOLDER), exist_ok=True)
    return work.path(HOSTILE_FOLDER, HOSTILE_FILE)


def forge_disc(program, work, assets, variants=40):
    """Builds the disc; its path is hostile, too."""
    names = forge_files(program, work, variants)
    text = image_text(names, break_tods(work, names), assets)
    return program.forge("image", text, hostile_path(work), root=work.name)
