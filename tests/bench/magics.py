"""The bytes that assets are looked for by, for the search of other tools.

One list, of what the formats begin with or are known by (their magics: formats/*/, fh_magic), which each
tool gets in its own notation. Hexadecimal bytes, and in brackets those that may stand in a place. Where
the masks of the formats let pass six more bytes in the place of a blank or TAB behind a word, for speed,
these do not. That TOD and HMD lie at multiples of four bytes is told to none: few could be.
"""
import itertools
import re

MAGICS = (
    ("tod", "50 00"),
    ("hmd", "50 00 00 00"),
    ("tra", "3b 54 52 41"),             # ;TRA
    ("tra", "3b 00 54 00"),             # ;T in UTF-16, from its first byte that is not 0
    ("tra", "6b 66 [09 20]"),           # kf and a blank or TAB
    ("tra", "6b 67 66"),                # kgf
    ("tra", "6b 00 [66 67] 00"),
    ("camerawork", "[09 20] [30 31] [09 20]"),  # a flag between two blanks
    ("camerawork", "[09 20] 00 [30 31] 00"),
)


def places(magic):
    """The bytes that may stand in each place."""
    return [[int(byte, 16) for byte in (one or many).split()]
            for many, one in re.findall(r"\[([^]]*)\]|([0-9a-f]{2})", magic)]


def literals(magic):
    """All strings of bytes that it stands for."""
    return [bytes(string) for string in itertools.product(*places(magic))]


def escaped(data):
    return "".join("\\x%02x" % byte for byte in data)


def regular_expression():
    """Of bytes, for ripgrep."""
    return "(?s-u)" + "|".join("".join(
        escaped(place) if len(place) == 1 else "[%s]" % escaped(place) for place in places(magic))
        for _, magic in MAGICS)


def yara_rule():
    strings = (" ".join("%02x" % place[0] if len(place) == 1 else
                        "( %s )" % " | ".join("%02x" % byte for byte in place) for place in places(magic))
               for _, magic in MAGICS)
    return "rule animation { strings: %s condition: any of them }\n" % " ".join(
        "$%s%d = { %s }" % (name, number, string)
        for number, ((name, _), string) in enumerate(zip(MAGICS, strings)))


def of_literals():
    """(format, bytes) for tools that know nothing but strings."""
    return [(name, string) for name, magic in MAGICS for string in literals(magic)]


def carving_rules(length):
    """For foremost and scalpel, which take so many bytes from each place."""
    return "".join("%s y %d %s\n" % (name[:3], length, escaped(string)) for name, string in of_literals())


def binwalk_options():
    return [word for _, string in of_literals() for word in ("-R", escaped(string))]
