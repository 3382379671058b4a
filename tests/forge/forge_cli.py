#!/usr/bin/env python3
"""The forge from outside: messages, exit codes, and images read by programs that are not ours.

Usage: forge_cli.py FORGE SOURCE_ROOT. Speaks TAP. Standard library only.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

FORGE = os.path.abspath(sys.argv[1])
SOURCE_ROOT = os.path.abspath(sys.argv[2])
TESTS = []


class Skip(Exception):
    pass


def test(function):
    TESTS.append(function)
    return function


def run(*args, stdin=None):
    return subprocess.run([FORGE, *args], input=stdin, capture_output=True, check=False)


def equal(found, expected, what=""):
    if found != expected:
        raise AssertionError(f"{what}: found {found!r}, expected {expected!r}")


def build(folder, text, files=None, command="image"):
    """The bytes of a description; its files are made first."""
    for name, data in (files or {}).items():
        with open(os.path.join(folder, name), "wb") as out:
            out.write(data)
    path = os.path.join(folder, "d.forge")
    with open(path, "w", encoding="ascii") as out:
        out.write(text)
    done = run(command, path, "-o", "-")
    equal((done.returncode, done.stderr.decode()), (0, ""), text)
    return done.stdout


# ---- errors: description, line, message ------------------------------------------------------

DEEP = "repeat 2\n" * 5
TOD_ERRORS = [
    ("", 0, "nothing is described, expected 'tod' first"),
    ("# only a comment\n", 1, "nothing is described, expected 'tod' first"),
    ("frame 0\n", 1, "'frame' before the header, expected 'tod' first"),
    ("tod\ntod\n", 2, "'tod' again: a description has one header"),
    ("tod\nframes 0\n", 2, "'frames' is unknown, expected a statement such as tod, frame, coord "
     "or repeat"),
    ("tod resolution=70000\n", 1, "resolution: 70000 is out of range, expected 0..65535"),
    ("tod resolution=\n", 1, "resolution: '' is not a number, expected 0..65535"),
    ("tod colour=1\n", 1, "'colour=1' is not expected here: unknown or repeated option"),
    ("tod id=1 id=2\n", 1, "'id=2' is not expected here: unknown or repeated option"),
    ("tod count=4294967296\n", 1, "count: 4294967296 is out of range, expected 0..4294967295"),
    ("tod\nframe\n", 2, "frame number is missing, expected a number 0..4294967295"),
    ("tod\nframe -1\n", 2, "frame number: -1 is out of range, expected 0..4294967295"),
    ("tod\nframe 12x\n", 2, "frame number: '12x' is not a number, expected 0..4294967295"),
    ("tod\nframe 0x\n", 2, "frame number: '0x' is not a number, expected 0..4294967295"),
    ("tod\nframe 99999999999999999999999\n", 2, "frame number: 99999999999999999999999 is out of "
     "range, expected 0..4294967295"),
    ("tod\nframe 0xffffffff\nframe +\n", 3, "frame number: 4294967296 is out of range, expected "
     "0..4294967295"),
    ("tod\nframe +x\n", 2, "frame step: 'x' is not a number, expected 0..4294967295"),
    ("tod\nframe +0\n", 2, "frame number: -1 is out of range, expected 0..4294967295"),
    ("tod\nframe 0 size=65536\n", 2, "size: 65536 is out of range, expected 0..65535"),
    ("tod\nframe 0 1\n", 2, "'1' is not expected here"),
    ("tod\ncreate 1\n", 2, "no frame was begun, expected 'frame' first"),
    ("tod\nword 1\n", 2, "no frame was begun, expected 'frame' first"),
    ("tod\nframe 0\ncreate\n", 3, "object id is missing, expected a number 0..65535"),
    ("tod\nframe 0\ncreate 65536\n", 3, "object id: 65536 is out of range, expected 0..65535"),
    ("tod\nframe 0\ncreate $\n", 3, "object id: '$' outside of a repeat, expected a number "
     "0..65535"),
    ("tod\nframe 0\nrepeat 1\ncreate $*2\nendrepeat\n", 4, "object id: '$*2' is not a number, "
     "expected 0..65535"),
    ("tod\nframe 0\nrepeat 1\ncreate $-1\nendrepeat\n", 4, "object id: $-1 is out of range, "
     "expected 0..65535"),
    ("tod\nframe 0\nattr 1 0\n", 3, "value is missing, expected a number -2147483648..4294967295"),
    ("tod\nframe 0\ncoord 1 r 0 0\n", 3, "r is missing, expected a number "
     "-2147483648..2147483647"),
    ("tod\nframe 0\ncoord 1 s 0 0 32768\n", 3, "s: 32768 is out of range, expected -32768..32767"),
    ("tod\nframe 0\ncoord 1 q 0 0 0\n", 3, "'q' is no part of this packet, expected r X Y Z, "
     "s X Y Z or t X Y Z, each at most once"),
    ("tod\nframe 0\ncoord 1 t 0 0 0 t 0 0 0\n", 3, "'t' is no part of this packet, expected "
     "r X Y Z, s X Y Z or t X Y Z, each at most once"),
    ("tod\nframe 0\ncoord 1 t 0 0 0 pad=1\n", 3, "'pad=1' is not expected here: unknown or "
     "repeated option"),
    ("tod\nframe 0\nlight 0 rgb 0 0 256\n", 3, "rgb: 256 is out of range, expected 0..255"),
    ("tod\nframe 0\nlight 0 pos 0\n", 3, "'pos' is no part of this packet, expected dir X Y Z or "
     "rgb R G B, each at most once"),
    ("tod\nframe 0\ncamera 0 pos 0\n", 3, "the camera's form is missing, expected view or rt"),
    ("tod\nframe 0\ncamera 0 view r 0\n", 3, "'r' is no part of this packet, expected pos X Y Z "
     "X Y Z or twist A, each at most once"),
    ("tod\nframe 0\ncamera 0 rt s 0\n", 3, "'s' is no part of this packet, expected r X Y Z or "
     "t X Y Z, each at most once"),
    ("tod\nframe 0\nmatrix 1 0 0 0 0 0 0 0 0\n", 3, "matrix element is missing, expected a number "
     "-32768..32767"),
    ("tod\nframe 0\nparent 1 moon\n", 3, "parent: 'moon' is not a number, expected "
     "-2147483648..4294967295"),
    ("tod\nframe 0\npacket 1 16 0\n", 3, "type: 16 is out of range, expected 0..15"),
    ("tod\nframe 0\npacket 1 0 16\n", 3, "flag: 16 is out of range, expected 0..15"),
    ("tod\nframe 0\nkill 1 len=256\n", 3, "len: 256 is out of range, expected 0..255"),
    ("tod\nframe 0\nend 1\n", 3, "'1' is not expected here"),
    ("tod\nframe 0\npacket 1 9 0" + " 0" * 255 + "\n", 3, "a packet has at most 254 words behind "
     "its header; give len=N"),
    ("tod\nframe 0\npacket 1 9 0" + " 0" * 600 + "\n", 3, "more than 512 words on a line"),
    ("tod\nframe 0\nrepeat 65536\nword 0\nendrepeat\n", 5, "the frame has more than 65535 words; "
     "give size=N"),
    ("tod\nframe 0 size=0\nrepeat 65536\nend\nendrepeat\n", 5, "the frame has more than 65535 "
     "packets; give packets=N"),
    ("tod\nbyte 1\n", 2, "'byte' belongs behind the frames, expected 'tail' before it"),
    ("tod\ntail\nbyte\n", 3, "byte is missing, expected a number 0..255"),
    ("tod\ntail\nbyte 256\n", 3, "byte: 256 is out of range, expected 0..255"),
    ("tod\ntail\nframe 0\n", 3, "'frame' in the tail, expected byte, word, zero or cut"),
    ("tod\nrepeat 1\ntail\nendrepeat\n", 3, "'tail' inside of a repeat, expected 'endrepeat' "
     "first"),
    ("tod\nrepeat 1\ncut 1\nendrepeat\n", 3, "'cut' inside of a repeat, expected 'endrepeat' "
     "first"),
    ("tod\ncut 9\n", 2, "the file is shorter than that"),
    ("tod\ncut to 9\n", 2, "the file is shorter than that"),
    ("tod\ncut -1\n", 2, "number of bytes: -1 is out of range, expected 0..16777216"),
    ("tod\ncut 1\nframe 0\n", 3, "'frame' behind cut, expected the end of the description"),
    ("tod\nrepeat 0\nendrepeat\n", 2, "repeat count: 0 is out of range, expected 1..4194304"),
    ("tod\nendrepeat\n", 2, "'endrepeat' without a repeat before it"),
    ("tod\nrepeat 2\nframe +\n", 2, "repeat is not closed, expected 'endrepeat'"),
    ("tod\n" + DEEP, 6, "repeat is nested deeper than 4"),
    ("tod\ntail\nzero 16777209\n", 3, "the file grows past the output limit of 16777216 bytes"),
    ("tod\nrepeat 4194304\nframe +\nendrepeat\n", 3, "the file grows past the output limit of "
     "16777216 bytes"),
    ("tod\n" + "repeat 100000\n" * 3 + "endrepeat\n" * 3, 5, "more than 16777216 lines executed, "
     "expected smaller repeats"),
    ('tod\nframe "0"\n', 2, "frame number: '0' is not a number, expected 0..4294967295"),
    ('tod\nframe "0\n', 2, "a quoted word is not closed: expected another '\"'"),
]

ONE = "hmd\nheaders\nprimitive header=0\n"
HMD_ERRORS = [
    ("", 0, "nothing is described, expected 'hmd' first"),
    ("word 1\n", 1, "'word' before the header, expected 'hmd' first"),
    ("a: hmd\n", 1, "a label stands between 'hmd' and the end"),
    ("hmd\nhmd\n", 2, "'hmd' again: a description has one header"),
    ("hmd\nword 1\nblocks 0\n", 3, "'blocks' stands directly behind 'hmd' and its lines"),
    ("hmd\ncake\n", 2, "'cake' is unknown, expected a statement such as hmd, primitive, record or "
     "word"),
    ("hmd version=4294967296\n", 1, "version: 4294967296 is out of range, expected "
     "-2147483648..4294967295"),
    ("hmd 1\n", 1, "'1' is not expected here"),
    ("hmd\nblocks 0 x\n", 2, "block: 'x' is not a number, expected -2147483648..4294967295"),
    ("hmd\n1a:\n", 2, "'1a' cannot be a label, expected letters, digits and _, not a digit first"),
    ("hmd\na:\na: word 1\n", 3, "label 'a' again: it was placed in line 2"),
    ("hmd\nword 1\nword 1 @lost\nword 2\n", 3, "label 'lost' is nowhere"),
    ("hmd\nbyte 1\na: word @a\n", 3, "word: 17 bytes are no multiple of 4"),
    ("hmd\na: word 1\nb: word (b-a)/2\n", 3, "word: 4 bytes are no multiple of 8"),
    ("hmd\na:\nbyte @a+256\n", 3, "byte: 260 is out of range, expected -128..255"),
    ("hmd\nhalf !a\n", 2, "half: '!a' is no value, expected a number, @label+N, !label+N, "
     "(label+N-label)/N or %label"),
    ("hmd\nword (a)\n", 2, "word: '(a)' is no value, expected a number, @label+N, !label+N, "
     "(label+N-label)/N or %label"),
    ("hmd\nword (a-b)x\n", 2, "word: '(a-b)x' is no value, expected a number, @label+N, !label+N, "
     "(label+N-label)/N or %label"),
    ("hmd\nword (a-b)/0\n", 2, "divisor: 0 is out of range, expected 1..1024"),
    ("hmd\nword @\n", 2, "word: '@' is no value, expected a number, @label+N, !label+N, "
     "(label+N-label)/N or %label"),
    ("hmd\nword %\n", 2, "word: '%' is no value, expected a number, @label+N, !label+N, "
     "(label+N-label)/N or %label"),
    ("hmd\nword 1:2:3\n", 2, "word: '1:2:3' is no value, expected a number, @label+N, !label+N, "
     "(label+N-label)/N or %label"),
    ("hmd\nword 1:65536\n", 2, "word: 65536 is out of range, expected -32768..65535"),
    ("hmd\nword @a+x\n", 2, "words behind a label: '+x' is not a number, expected "
     "-16777216..16777216"),
    ("hmd\nunit\n", 2, "'unit' stands directly behind 'coordinates' and its lines"),
    ("hmd\ncoordinates\nunit rot 0 0\n", 3, "rot is missing, expected a number -32768..32767"),
    ("hmd\ncoordinates\nunit s 0 0 0\n", 3, "'s' is no part of a unit, expected rot X Y Z, "
     "t X Y Z or m and nine elements, each at most once"),
    ("hmd\nheader 1\n", 2, "'header' stands directly behind 'headers' and its lines"),
    ("hmd\nprimitive\n", 2, "the primitive's header is missing, expected header=@LABEL"),
    ("hmd\nrecord 8\n", 2, "'record' stands directly behind 'primitive' and its lines"),
    (ONE + "record 8 5\n", 4, "count is missing, expected count=N, or a place (packets-section) "
     "whose packets are counted"),
    (ONE + "record 8 5 count=32768\n", 4, "count: 32768 is out of range, expected 0..32767"),
    (ONE + "record 8 5 count=1 div=256\n", 4, "div: 256 is out of range, expected 0..255"),
    (ONE + "word 1\nrecord 8 5 count=1\n", 5, "'record' stands directly behind 'primitive' and its "
     "lines"),
    ("hmd\npacket 8 rgb 0 0 0 n 1 v 1 2\n", 2, "v is missing, expected a number 0..65535"),
    ("hmd\npacket 8 rgb 0 0 0 v 1 2 3\n", 2, "n is missing, expected it and 1 numbers"),
    ("hmd\npacket 8 rgb 0 0 0 n 1 v 1 2 3 4\n", 2, "'4' is no part of this packet, or its numbers "
     "are too many"),
    ("hmd\npacket 8 rgb 0 0 0 n 1 v 1 2 3 clut=1\n", 2, "'clut=1' is not expected here: unknown or "
     "repeated option"),
    ("hmd\npacket 0x20 v 1\n", 2, "packet type 0x020 has no layout; write its words"),
    ("hmd\npacket 0x18 v 1\n", 2, "packet type 0x018 is written with 'mesh'"),
    ("hmd\nmesh 0x8 v 1\n", 2, "packet type 0x008 is written with 'packet'"),
    ("hmd\nstrip v 1\n", 2, "'strip' stands directly behind 'mesh' and its lines"),
    ("hmd\nvec 1 2 32768\n", 2, "component: 32768 is out of range, expected -32768..32767"),
    ("hmd\nkey type=1 tframe=2\n", 2, "param is missing, expected param=0..65535"),
    ("hmd\nkey type=128 tframe=2 param=3\n", 2, "type: 128 is out of range, expected 0..127"),
    ("hmd\nkey type=@a tframe=2 param=3\na:\n", 2, "type takes a number, no label"),
    ("hmd\nvalue 0x03000400 t 1\n", 2, "type 0x03000400 has no key layout; write its words"),
    ("hmd\nvalue 0x03010010 v 1\n", 2, "type 0x03010010 has no key layout; write its words"),
    ("hmd\nvalue 0x03000001 r 1\n", 2, "t is missing, expected it and 3 numbers"),
    ("hmd\nsequence\n", 2, "'sequence' stands directly behind 'record' and its lines"),
    (ONE + "record 0x03800000\nmanaged 1\n", 5, "'managed' stands directly behind 'sequence' and "
     "its lines"),
    (ONE + "record 0x03800000\nsequence start=0\n", 5, "the sequence needs coord=N or "
     "offset=WORDS, one of them"),
    (ONE + "record 0x03800000\nsequence coord=0\n", 5, "start is missing, expected start=INDEX"),
    (ONE + "record 0x03800000\nsequence offset=16777216 start=0\n", 5, "offset: 16777216 is out of "
     "range, expected 0..16777215"),
    (ONE + "record 0x03800000 size=1\nrepeat 32768\nsequence coord=0 start=0\nendrepeat\n", 6,
     "count grows past 32767; give count=N"),
    ("hmd\ndelta 0\n", 2, "'delta' stands directly behind 'joint' and its lines"),
    ("hmd\njoint 0\ndelta 32\n", 3, "key: 32 is out of range, expected 0..31"),
    ("hmd\njoint 0\ndelta 0 r 1\n", 3, "'r' is no part of a difference, expected dv X Y Z or dt "
     "X Y Z, each at most once"),
    ("hmd\nreset xyz\n", 2, "the kind is missing, expected reset rpy or reset axes"),
    ("hmd\ncell round\n", 2, "the kind is missing, expected cell flat R G B NORMAL or cell "
     "textured NORMAL UV"),
    ("hmd\npatch 4 1\n", 2, "place: word 4 is past the end of the file"),
    ("hmd\ncut 17\n", 2, "the file is shorter than that"),
    ("hmd\ncut 1\nword 1\n", 3, "'word' behind cut, expected the end of the description"),
    ("hmd\nrepeat 2\na: word 1\nendrepeat\n", 3, "label 'a' again: it was placed in line 3"),
    ("hmd\nrepeat 2\n", 2, "repeat is not closed, expected 'endrepeat'"),
    ("hmd\nzero 16777201\n", 2, "the file grows past the output limit of 16777216 bytes"),
]

IMAGE_ERRORS = [
    ("", 0, "nothing is described, expected 'image' first"),
    ("gap 1\n", 1, "'gap' before the header, expected 'image' first"),
    ("image stride=2352\nimage stride=2352\n", 2, "'image' again: a description has one header"),
    ("image stride=2352\ntrack 1\n", 2, "'track' is unknown, expected a statement such as image, "
     "iso, file or form2"),
    ("image\n", 1, "stride is missing, expected 2048, 2336, 2352, 2368 or 2448"),
    ("image stride=2353\n", 1, "stride is none of those known, expected 2048, 2336, 2352, 2368 or "
     "2448"),
    ("image stride=1\n", 1, "stride: 1 is out of range, expected 2048..2448"),
    ("image stride=2352 mode=3\n", 1, "mode: 3 is out of range, expected 1..2"),
    ("image stride=2336 mode=1\n", 1, "stride=2336 holds Mode 2 sectors, expected mode=2"),
    ("image stride=2352 start=00:60:00\n", 1, "second of start=MM:SS:FF: 60 is out of range, "
     "expected 0..59"),
    ("image stride=2352 start=00:02\n", 1, "frame of start=MM:SS:FF: '' is not a number, expected "
     "0..74"),
    ("image stride=2352 start=00:02:00:00\n", 1, "start has too many parts, expected MM:SS:FF"),
    ("image stride=2352 prefix=1x\n", 1, "prefix: '1x' is not a number, expected 0..1073741824"),
    ("image stride=2352\niso\n", 2, "the volume's name is missing, expected iso VOLUME-ID"),
    ("image stride=2352\niso a-b\n", 2, "'a-b' cannot be a volume name, expected 1..32 characters "
     "A-Z, 0-9 or _"),
    ("image stride=2352\niso A system=\n", 2, "'' cannot be a system name, expected 1..32 "
     "characters A-Z, 0-9 or _"),
    ("image stride=2352\niso A joliet=yes\n", 2, "'joliet=yes' cannot be built, expected "
     "joliet=no"),
    ("image stride=2352\ngap 1\niso A\n", 3, "a volume must be asked for once, before everything "
     "it may hold"),
    ("image stride=2352\niso A\nfile\n", 3, "the path is missing, expected file PATH < FILE"),
    ("image stride=2352\niso A\nfile A.B f\n", 3, "'<' is missing, expected '< FILE'"),
    ("image stride=2352\niso A\nfile A.B <\n", 3, "a file name is missing"),
    ("image stride=2352\niso A\nfile A.B < f form=3\n", 3, "form: 3 is out of range, expected "
     "1..2"),
    ("image stride=2352\niso A\nfile A.B.C < f\n", 3, "'A.B.C' cannot be a name in the volume, "
     "expected 1..30 letters, digits and underscores, in a file name with at most one dot"),
    ("image stride=2352\niso A\nfile a/b/c/d/e/f/g/h/i < f\n", 3, "the path is too deep, expected "
     "at most 8 levels with the root"),
    ("image stride=2352\niso A\nfile A.B < f\nfile a.b < f\n", 4, "the volume has a file 'A.B;1' "
     "there already"),
    ("image stride=2352\nhidden < f skip=2048\n", 2, "skip: 2048 is out of range, expected "
     "0..2047"),
    ("image stride=2352\nform2 0\n", 2, "number of sectors: 0 is out of range, expected 1..450000"),
    ("image stride=2352\nform2 1 fill=256\n", 2, "fill: 256 is out of range, expected 0..255"),
    ("image stride=2352 mode=1\nform2 1\n", 2, "Form 2 sectors need mode=2"),
    ("image stride=2048\nform2 1\n", 2, "an image with stride=2048 cannot hold such sectors, "
     "expected 2336 or more"),
    ("image stride=2336\naudio 1\n", 2, "an image with stride=2336 cannot hold such sectors, "
     "expected 2352 or more"),
    ("image stride=2336\nmode0 1\n", 2, "an image with stride=2336 cannot hold such sectors, "
     "expected 2352 or more"),
    ("image stride=2352\ngap 450001\n", 2, "number of sectors: 450001 is out of range, expected "
     "1..450000"),
    ("image stride=2352\nmissing 450000\n", 2, "sectors 0..449999 lie outside of the image, "
     "expected 0..449849"),
    ("image stride=2352\ngap 1 at=-1\n", 2, "sectors -1..-1 lie outside of the image, expected "
     "0..449849"),
    ("image stride=2352\ngap 9\ngap 1 at=5\n", 3, "sector 5 is taken by line 2 already, expected "
     "a free place"),
    ("image stride=2352\niso A\nhidden < f at=17\n", 3, "sector 17 is taken by line 2 already, "
     "expected a free place"),
    ("image stride=2352\ninterleave 1 0\n", 2, "number of sectors: 0 is out of range, expected "
     "1..255"),
    ("image stride=2352\ninterleave 1 1\n", 2, "no file follows the interleave, expected one"),
    ("image stride=2352\ninterleave 1 1\nfile A < f form=2\n", 3, "an interleaved file needs "
     "form=1"),
    ("image stride=2352\nweave 2 1\n", 2, "weave how? expected unit, extents, xa or channel"),
    ("image stride=2352\nweave 2 1 xa\nfile A < f\n", 2, "1 files of the weave are missing"),
    ("image stride=2352\nweave 2 1 xa\nfile A < f\nweave 2 1 xa\n", 4, "1 files of the weave before "
     "are missing"),
    ("image stride=2352\nweave 6 52 unit\n", 2, "the gap would be 260 sectors, expected at most 255"),
    ("image stride=2352\nweave 1 1 xa\nfile A < f form=2\n", 3, "a file of a weave is of form 1, and "
     "has its place from there"),
    ("image stride=2352\nbad luck\n", 2, "bad what? expected sync, header, edc or ecc and an LBA"),
    ("image stride=2352\ngap 2\nbad edc 2\n", 3, "sector 2 is not built here, expected one of "
     "0..1 that is"),
    ("image stride=2352\nmissing 2\nbad edc 1\n", 3, "sector 1 is not built here, expected one of "
     "0..1 that is"),
    ("image stride=2048\ngap 2\nbad edc 1\n", 3, "sector 1 has no such field"),
    ("image stride=2352\nform2 1\nbad ecc 0\n", 3, "sector 0 has no such field"),
    ("image stride=2336\ngap 1\nbad sync 0\n", 3, "sector 0 has no such field"),
    ("image stride=2352\ngap 1\ncut 2353\n", 3, "2353 bytes cannot be cut, expected at most 2352: "
     "the image's length"),
    ("image stride=2352\ncut 0\ncut 0\n", 3, "'cut' again, expected it once"),
    ("image stride=2352\nnoedc please\n", 2, "'please' is not expected here"),
]


BAC_ERRORS = [
    ("", 0, "the description is empty, expected 'bac'"),
    ("head\n", 1, "a description begins with 'bac'"),
    ("bac\nbac\n", 2, "'bac' stands only at the beginning"),
    ("bac\nmesh\n", 2, "'mesh' is unknown, expected a statement such as bone or groups"),
    ("bac\nbone\n", 2, "a bone has a name and a depth"),
    ("bac\nbone a\n", 2, "depth is missing, expected a number 0..4096"),
    ("bac\nbone a -1\n", 2, "depth: -1 is out of range, expected 0..4096"),
    ("bac\nbone a 0 1 2 3\n", 2, "a bone has nine numbers, or none"),
    ("bac\nbone a 0 1 2 3 4 5 6 7 8 9 10\n", 2, "'10' is not expected here"),
    ("bac\ngroups\n", 2, "groups is missing, expected a number 0..4096"),
]


ESCAPES = ("unknown escape, expected \\q \\t \\r \\n \\f \\\\ \\xHH, \\uHHHH in UTF-16, or \\i in a "
           "repeat")
TRA_ERRORS = [
    ("", 0, "the description is empty, expected 'tra'"),
    ("tra\nline \"\\u30dc\"\n", 2, ESCAPES),
    ("tra encoding=utf16le\nline \"\\u30d\"\n", 2, ESCAPES),
    ("tra encoding=utf16le\nline \"\\u30dg\"\n", 2, ESCAPES),
    ("tra\nline \"\\x3\"\n", 2, ESCAPES),
    ("tra\nfigure 2\nbone a\nroll" + " 0 " + "1" * (1 << 21) + "\n", 4,
     "a channel has more than 2097152 bytes of keys"),
    ("tra\nfigure 2\ndynamic\nkgf " + "1" * (1 << 21) + "\n", 4,
     "a key has more than 2097152 bytes"),
]


def check_errors(command, table):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "f"), "wb") as out:
            out.write(b"x" * 10)
        for number, (text, line, message) in enumerate(table):
            path = os.path.join(folder, f"{number}.forge")
            with open(path, "w", encoding="ascii") as out:
                out.write(text)
            target = os.path.join(folder, "out")
            done = run(command, path, "-o", target)
            where = f"{path}:{line}" if line else path
            equal(done.stderr.decode(), f"{where}: {message}\n", repr(text[:60]))
            equal(done.returncode, 2, repr(text[:60]))
            equal(os.path.exists(target), False, "an output was left behind")


@test
def tod_errors_say_where_and_what():
    check_errors("tod", TOD_ERRORS)


@test
def hmd_errors_say_where_and_what():
    check_errors("hmd", HMD_ERRORS)


@test
def tra_errors_name_the_line():
    check_errors("tra", TRA_ERRORS)


@test
def units_of_utf16_are_written_in_its_order():
    with tempfile.TemporaryDirectory() as folder:
        for order in ("le", "be"):
            made = build(folder, f'tra encoding=utf16{order}\ntext "a\\x82\\u30dc\\ud83d\\ude00"\n',
                         command="tra")
            equal(made, "a\x82\u30dc\U0001f600".encode(f"utf-16-{order}"), order)


@test
def bac_errors_name_the_line():
    check_errors("bac", BAC_ERRORS)


@test
def image_errors_say_where_and_what():
    check_errors("image", IMAGE_ERRORS)


@test
def command_line_errors():
    for args, message in [
            ((), "expected a command"),
            (("cake",), "unknown command cake"),
            (("tod",), "expected a description and -o OUT"),
            (("tod", "a"), "expected a description and -o OUT"),
            (("tod", "a", "-o"), "a value is missing behind -o"),
            (("tod", "a", "b", "-o", "c"), "one description at a time, not also b"),
            (("tod", "a", "--root", "b"), "unknown option --root"),
            (("hmd", "a", "--base", "0"), "unknown option --base"),
            (("map", "a"), "expected a file and -o OUT"),
            (("map", "a", "-o", "b", "--stage"), "a value is missing behind --stage"),
            (("image", "a", "--root"), "a value is missing behind --root")]:
        done = run(*args)
        equal((done.returncode, done.stdout), (2, b""), args)
        equal(done.stderr.decode().split("\n")[0], "forge: " + message, args)


@test
def input_and_output_errors_exit_with_3():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "d.forge")
        lost = os.path.join(folder, "lost")
        done = run("tod", lost, "-o", "-")
        equal(done.returncode, 3)
        equal(done.stderr.decode(), f"{lost}: cannot be opened: No such file or directory\n")
        with open(path, "w", encoding="ascii") as out:
            out.write("image stride=2352\nfile A < lost\n")
        done = run("image", path, "-o", "-")
        equal(done.returncode, 3)
        equal(done.stderr.decode(), f"{path}:2: {lost}: No such file or directory\n")
        with open(path, "w", encoding="ascii") as out:
            out.write("image stride=2352\nraw .\n")
        done = run("image", path, "-o", "-")
        equal(done.returncode, 3)
        equal(done.stderr.decode(), f"{path}:2: {folder}/.: not a regular file\n")
        done = run("tod", "-", "-o", os.path.join(lost, "x"), stdin=b"tod\n")
        equal(done.returncode, 3)


@test
def a_full_device_is_an_error_and_is_not_removed():
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full here")
    for command, text in (("tod", b"tod\n"), ("hmd", b"hmd\n"), ("image", b"image stride=2352\ngap 9\n")):
        done = run(command, "-", "-o", "/dev/full", stdin=text)
        equal(done.returncode, 3, done.stderr)
    equal(os.path.exists("/dev/full"), True)


@test
def help_goes_to_standard_output():
    for args in (("--help",), ("tod", "--help"), ("hmd", "--help"), ("map", "--help"),
                 ("image", "--help")):
        done = run(*args)
        equal((done.returncode, done.stderr), (0, b""), args)
        equal(done.stdout.startswith(b"usage: forge"), True, args)


@test
def samples_of_the_corpus_build():
    folder = os.path.join(SOURCE_ROOT, "corpus", "tod")
    for name in ("good-every-packet", "good-walk"):
        done = run("tod", os.path.join(folder, name + ".forge"), "-o", "-")
        equal((done.returncode, done.stderr), (0, b""), name)
        check_tod_frames(done.stdout)


@test
def hmd_samples_of_the_corpus_build_and_map():
    folder = os.path.join(SOURCE_ROOT, "corpus", "hmd")
    names = sorted(name for name in os.listdir(folder) if name.startswith("good-"))
    equal(len(names) >= 9, True, "samples")
    for name in names:
        done = run("hmd", os.path.join(folder, name), "-o", "-")
        equal((done.returncode, done.stderr), (0, b""), name)
        for stage in STAGES:
            check_stages(done.stdout, stage)


STAGES = ("mapped", "scanned", "coordinates", "playing")


def check_stages(data, stage):
    """A file is mapped once, keeps its length, and all its pointers lead into it."""
    done = run("map", "-", "-o", "-", "--base", "0xa0020000", "--stage", stage, stdin=data)
    equal((done.returncode, done.stderr), (0, b""), stage)
    equal(len(done.stdout), len(data), stage)
    _, flag, headers, num = struct.unpack_from("<4I", done.stdout)
    equal((flag, headers), (1, 0xa0020000 + 4 * struct.unpack_from("<I", data, 8)[0]), stage)
    for block in struct.unpack_from(f"<{num}I", done.stdout, 16):
        equal(block == 0 or 0 < block - 0xa0020000 < len(data), True, block)
    again = run("map", "-", "-o", "-", stdin=done.stdout)
    equal((again.returncode, again.stdout, again.stderr.decode()), (2, b"", "<stdin>: the file is "
          "mapped already: its map flag is set\n"), stage)


@test
def hmd_files_of_others_are_mapped():
    shared = os.environ.get("FRAMEHOUND_SHARED") or os.path.join(SOURCE_ROOT, "..", "shared")
    folder = os.path.join(shared, "samples", "hmd")
    names = [n for n in os.listdir(folder) if n.endswith(".hmd")] if os.path.isdir(folder) else []
    if not names:
        raise Skip("no folder of real files (FRAMEHOUND_SHARED)")
    for name in sorted(names):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        for stage in STAGES:
            check_stages(data, stage)


SMALL_HMD = """hmd
blocks @p 0
headers
h: header !c
p: primitive header=@h
record 0x00800008 0 count=0
record 0x02000000
c: coordinates
unit
"""


@test
def drivers_and_root_are_placed():
    data = run("hmd", "-", "-o", "-", stdin=SMALL_HMD.encode()).stdout
    done = run("map", "-", "-o", "-", "--stage", "playing", "--driver", "8=0x80012340", "--root",
               "0x80001234", stdin=data)
    equal((done.returncode, done.stderr), (0, b""))
    words = struct.unpack(f"<{len(done.stdout) // 4}I", done.stdout)
    equal(words[2:6], (0x80100000 + 24, 2, 0x80100000 + 36, 0), "header, blocks")
    equal(words[6:9], (1, 0, 0x80100000 + 68), "primitive header")
    equal(words[9:12], (0xffffffff, 0x80100000 + 28, 2), "primitive")
    equal(words[12:17], (0x80012340, 2, 0, 0x80020000, 1), "records")
    equal(words[-1], 0x80001234, "super")


@test
def map_says_what_is_wrong():
    data = run("hmd", "-", "-o", "-", stdin=SMALL_HMD.encode()).stdout
    for args, message in [
            (("--base", "1x"), "base: '1x' is not a number, expected 0..4294967295"),
            (("--base", "6"), "base 0x00000006 is no multiple of 4"),
            (("--root", "-1"), "root: -1 is out of range, expected 0..4294967295"),
            (("--stage", "done"), "stage 'done' is unknown, expected mapped, scanned, coordinates "
             "or playing"),
            (("--driver", "5"), "driver '5': expected TYPE=ADDRESS"),
            (("--driver", "5="), "driver address: '' is not a number, expected 0..4294967295")]:
        done = run("map", "-", "-o", "-", *args, stdin=data)
        equal((done.returncode, done.stdout), (2, b""), args)
        equal(done.stderr.decode(), f"<stdin>: {message}\n", args)
    done = run("map", "-", "-o", "-", stdin=data[:10])
    equal(done.stderr.decode(), "<stdin>: header: word 3 is past the end of the file, which has "
          "2\n")


def check_tod_frames(data):
    """Sizes and counts hang together: an independent walk over a sound file."""
    _, _, frames = struct.unpack_from("<HHI", data)
    at = 8
    for _ in range(frames):
        words, packets, _ = struct.unpack_from("<HHI", data, at)
        inside = at + 8
        for _ in range(packets):
            inside += 4 * data[inside + 3]
        equal(inside, at + 4 * words, "end of the packets")
        at = inside
    equal(at, len(data), "end of the file")


# ---- checksums, from the definition of the codes rather than from an encoder -----------------

def make_field():
    log, exp, value = {}, [], 1
    for power in range(255):
        log[value] = power
        exp.append(value)
        value = value << 1 ^ (0x11d if value & 0x80 else 0)
    return log, exp


LOG, EXP = make_field()


def syndromes_are_zero(word):
    total = weighted = 0
    for place, symbol in enumerate(reversed(word)):
        total ^= symbol
        if symbol:
            weighted ^= EXP[(LOG[symbol] + place) % 255]
    return total == 0 and weighted == 0


def ecc_ok(sector):
    area = bytearray(sector[12:])
    if sector[15] == 2:
        area[:4] = bytes(4)
    for column in range(86):
        if not syndromes_are_zero([area[column + 86 * row] for row in range(26)]):
            return False
    for diagonal in range(52):
        start = diagonal // 2 * 86 + diagonal % 2
        word = [area[(start + 88 * step) % 2236] for step in range(43)]
        word += [area[2236 + diagonal], area[2236 + 52 + diagonal]]
        if not syndromes_are_zero(word):
            return False
    return True


def edc(data):
    """Long division by the polynomial, bit by bit, least significant bit first."""
    rest = 0
    for bit in (byte >> shift & 1 for byte in data for shift in range(8)):
        top = rest & 1 ^ bit
        rest = rest >> 1 ^ (0xd8018001 if top else 0)
    return struct.pack("<I", rest)


def edc_ok(sector):
    if sector[15] == 1:
        return sector[0x810:0x814] == edc(sector[:0x810]) and sector[0x814:0x81c] == bytes(8)
    if sector[18] & 0x20:
        return sector[0x92c:0x930] == edc(sector[16:0x92c])
    return sector[0x818:0x81c] == edc(sector[16:0x818])


def sectors(image, stride=2352):
    return [image[at:at + stride] for at in range(0, len(image), stride)]


@test
def edc_and_ecc_satisfy_their_codes():
    data = bytes(value * 7 & 0xff for value in range(5000))
    with tempfile.TemporaryDirectory() as folder:
        for mode in (1, 2):
            image = build(folder, f"image stride=2352 mode={mode}\nfile A < a\n", {"a": data})
            for sector in sectors(image):
                equal((edc_ok(sector), ecc_ok(sector)), (True, True), f"mode {mode}")
        image = build(folder, "image stride=2352\nform2 2 fill=9 file=1 channel=2 submode=0x64\n")
        for sector in sectors(image):
            equal(edc_ok(sector), True, "Form 2")
            equal(sector[16:24], bytes([1, 2, 0x64, 0] * 2))
            equal(sector[24:0x92c], b"\x09" * 2324)


@test
def damage_and_its_absence():
    text = ("image stride=2352\ngap 5\nbad edc 0\nbad ecc 1\nbad sync 2\nbad header 3\n")
    with tempfile.TemporaryDirectory() as folder:
        found = sectors(build(folder, text))
        equal([edc_ok(s) for s in found], [False, True, True, True, True])
        equal([ecc_ok(s) for s in found], [False, False, True, True, True])
        sync = b"\0" + b"\xff" * 10 + b"\0"
        equal([s[:12] == sync for s in found], [True, True, False, True, True])
        equal([s[12:15].hex() for s in found],
              ["000200", "000201", "000202", "fffdfc", "000204"])
        for sector in sectors(build(folder, "image stride=2352\ngap 2\nform2 1\nnoedc\n")):
            equal(sector[24:], bytes(2328))


# ---- layout of bare images ------------------------------------------------------------------

@test
def everything_lies_where_it_was_put():
    text = """image stride=2352 start=00:04:00 prefix=44
file A < a
hidden < b skip=100
form2 1 fill=1 edc=0
audio 1 fill=0x55
mode0 1
gap 1
missing 3
gap 1
hidden < b at=170
raw b
cut 2
"""
    files = {"a": b"A" * 2049, "b": b"hidden"}
    with tempfile.TemporaryDirectory() as folder:
        image = build(folder, text, files)
    equal(image[:44], bytes(44))
    equal(image[-4:], b"hidd")
    found = sectors(image[44:-4])
    headers = [s[12:16].hex() for s in found]
    equal(headers[:4], ["00040002", "00040102", "00040202", "00040302"])
    equal(headers[4], "55555555")
    equal(headers[5:8], ["00040500", "00040602", "00041002"])
    equal(headers[-1], "00042002")
    equal(len(found), 8 + 9 + 1)
    equal([s[16:20].hex() for s in found[:4]], ["00000800", "00008900", "00000800", "00002800"])
    equal(found[1][24:28], b"A\0\0\0")
    equal(found[2][24:24 + 108], bytes(100) + b"hidden\0\0")
    equal(found[3][0x92c:], bytes(4))
    equal(found[4], b"\x55" * 2352)
    equal(found[5][16:], bytes(2336))


@test
def nofill_leaves_holes():
    with tempfile.TemporaryDirectory() as folder:
        image = build(folder, "image stride=2352\nnofill\ngap 1\ngap 1 at=9\n")
    equal([s[12:15].hex() for s in sectors(image)], ["000200", "000209"])


@test
def an_image_may_begin_in_the_pregap():
    with tempfile.TemporaryDirectory() as folder:
        image = build(folder, "image stride=2352 start=00:00:00\niso PRE\n")
    equal(image[12:15].hex(), "000000")
    equal(image[(150 + 16) * 2352 + 24:][:8], b"\1CD001\1\0")


@test
def interleave_puts_form_2_between():
    text = "image stride=2352\niso I\ninterleave 2 1 {} file=3 channel=4 fill=7\nfile A.STR < a\n"
    with tempfile.TemporaryDirectory() as folder:
        for how in ("", "xa"):
            image = build(folder, text.format(how), {"a": b"a" * (2048 * 3)})
            found = sectors(image)[-5:]
            equal([s[16:20].hex() for s in found],
                  ["03000800", "03000800", "03046400", "03008900", "03046400"])
            record = read_tree(IsoImage(image, 2352, 24))["A.STR;1"]
            expected = (2, 1, 6144, 0x0d55) if not how else (0, 0, 5 * 2048, 0x3d55)
            equal((record["unit"], record["gap"], record["size"], record["xa"]), expected)


@test
def weave_lays_files_in_turn():
    text = "image stride=2352\niso I\nweave 2 1 {} at=40\nfile A < a\nfile B < b\n"
    files = {"a": b"a" * (2048 * 3), "b": b"b" * 2049}
    heads = {"unit": ["00000800", "00000800", "00000800", "00008900", "00008900", "00000800"],
             "xa": ["01000800", "02000800", "01000800", "02008900", "01008900", "00000800"],
             "channel": ["01000800", "01010800", "01000800", "01018900", "01008900", "00000800"]}
    heads["extents"] = heads["unit"]
    with tempfile.TemporaryDirectory() as folder:
        for how, subheaders in heads.items():
            image = build(folder, text.format(how), files)
            found = sectors(image)[40:]
            equal([s[16:20].hex() for s in found], subheaders, how)
            equal(b"".join(s[24:25] for s in found), b"ababa\0", how)
        at = image.index(b"A.;1") - 33
        records = [image[at + i * 52:][:52] for i in range(3)]
        equal([(int.from_bytes(r[2:6], "little"), int.from_bytes(r[10:14], "little"), r[25])
               for r in records], [(40, 2048, 0x80), (42, 2048, 0x80), (44, 2048, 0)])
        image = build(folder, text.format("xa"), files)
        record = read_tree(IsoImage(image, 2352, 24))["A.;1"]
        equal((record["size"], record["xa"], record["lba"] if "lba" in record else 40),
              (5 * 2048, 0x3d55, 40))


@test
def strides_hold_the_same_user_data():
    text = "image stride={}\niso SAME\nfile A/B.TXT < a\n"
    files = {"a": bytes(range(256)) * 20}
    with tempfile.TemporaryDirectory() as folder:
        plain = build(folder, text.format(2048), files)
        for stride, start in ((2336, 8), (2352, 24), (2368, 24), (2448, 24)):
            image = build(folder, text.format(stride), files)
            users = b"".join(s[start:start + 2048] for s in sectors(image, stride))
            equal(users == plain, True, stride)


# ---- ISO 9660: read by this script, by xorriso and by isoinfo --------------------------------

class IsoImage:
    def __init__(self, data, stride=2048, start=0):
        self.data, self.stride, self.start = data, stride, start

    def block(self, number):
        at = number * self.stride + self.start
        return self.data[at:at + 2048]

    def read(self, block, size):
        return b"".join(self.block(block + i) for i in range((size + 2047) // 2048))[:size]


def both(data, at, little, big):
    first = struct.unpack_from(little, data, at)[0]
    equal(struct.unpack_from(big, data, at + struct.calcsize(little))[0], first, "both endian")
    return first


def read_record(data, at):
    name_len = data[at + 32]
    use = at + 33 + name_len + (1 - name_len % 2)
    record = {"block": both(data, at + 2, "<I", ">I"), "size": both(data, at + 10, "<I", ">I"),
              "flags": data[at + 25], "unit": data[at + 26], "gap": data[at + 27],
              "name": data[at + 33:at + 33 + name_len].decode("latin-1"), "xa": None}
    if use < at + data[at]:
        equal((data[use + 6:use + 8], data[at] - (use - at)), (b"XA", 14), "XA field")
        record["xa"] = struct.unpack_from(">H", data, use + 4)[0]
    return record


def read_directory(iso, extent, parent):
    data, at, records = iso.read(extent["block"], extent["size"]), 0, []
    while at < len(data):
        if data[at] == 0:
            at = (at // 2048 + 1) * 2048
            continue
        equal(at // 2048, (at + data[at] - 1) // 2048, "record inside a block")
        records.append(read_record(data, at))
        at += data[at]
    equal([r["name"] for r in records[:2]], ["\0", "\1"])
    equal((records[0]["block"], records[1]["block"]), (extent["block"], parent["block"]))
    names = [r["name"] for r in records[2:]]
    equal(names, sorted(names), "order of names")
    return records[2:]


def read_tree(iso):
    """Every path of the volume with its record; checks what it passes."""
    primary = iso.block(16)
    equal((primary[:8], iso.block(17)[:7]), (b"\1CD001\1\0", b"\xffCD001\1"))
    root = read_record(primary, 156)
    tree, todo = {}, [("", root, root)]
    while todo:
        prefix, directory, parent = todo.pop()
        for record in read_directory(iso, directory, parent):
            tree[prefix + record["name"]] = record
            if record["flags"] & 2:
                todo.append((prefix + record["name"] + "/", record, directory))
    check_path_tables(iso, primary, root, tree)
    return tree


def check_path_tables(iso, primary, root, tree):
    size = both(primary, 132, "<I", ">I")
    expected = {"": root["block"]}
    expected.update({path: r["block"] for path, r in tree.items() if r["flags"] & 2})
    for where, order in ((struct.unpack_from("<I", primary, 140)[0], "<"),
                         (struct.unpack_from(">I", primary, 148)[0], ">")):
        data, at, paths, ranks = iso.read(where, size), 0, [], []
        found = {}
        while at < size:
            length = data[at]
            block, parent = struct.unpack_from(order + "IH", data, at + 2)
            name = data[at + 8:at + 8 + length].decode("latin-1")
            path = "" if not paths else (paths[parent - 1] + "/" + name).lstrip("/")
            ranks.append((path.count("/") + bool(path), parent, name))
            paths.append(path)
            found[path] = block
            at += 8 + length + length % 2
        equal(found, expected, "path table")
        equal(ranks, sorted(ranks), "order of the path table")


MANY = {f"f{number:03}": bytes([number & 0xff]) * (number * 37) for number in range(120)}


def many_files(stride):
    lines = [f"image stride={stride}", "iso MANY_FILES"]
    for number, name in enumerate(reversed(MANY)):
        folder = ("", "sub/", "sub/deep/", "another/")[number % 4]
        lines.append(f"file {folder}{name}.dat < {name}")
    lines += ["file EMPTY.BIN < empty", "file noext < f001", "file LAST.BIN < f099 at=600"]
    return "\n".join(lines) + "\n"


def expected_files():
    wanted = {"EMPTY.BIN": b"", "NOEXT.": MANY["f001"], "LAST.BIN": MANY["f099"]}
    for number, name in enumerate(reversed(MANY)):
        folder = ("", "SUB/", "SUB/DEEP/", "ANOTHER/")[number % 4]
        wanted[folder + name.upper() + ".DAT"] = MANY[name]
    return wanted


@test
def volume_is_read_back_by_this_script():
    with tempfile.TemporaryDirectory() as folder:
        image = build(folder, many_files(2352), {**MANY, "empty": b""})
    iso = IsoImage(image, 2352, 24)
    tree = read_tree(iso)
    files = {path[:-2]: iso.read(r["block"], r["size"]) for path, r in tree.items()
             if not r["flags"] & 2}
    equal(files == expected_files(), True, "names and bytes")
    equal(both(iso.block(16), 80, "<I", ">I"), len(image) // 2352, "volume size")
    equal(tree["LAST.BIN;1"]["block"], 600)
    equal({r["xa"] for r in tree.values()}, {0x8d55, 0x0d55})
    for number, sector in enumerate(sectors(image)):
        equal(edc_ok(sector), True, number)
    submodes = [s[18] for s in sectors(image)[16:20]]
    equal(submodes, [0x09, 0x09, 0x89, 0x89])


@test
def directory_records_may_lie():
    text = "image stride=2048\niso LIES\nfile A.B < a size=999999 block=77777\n"
    with tempfile.TemporaryDirectory() as folder:
        record = read_tree(IsoImage(build(folder, text, {"a": b"a"})))["A.B;1"]
    equal((record["size"], record["block"]), (999999, 77777))


@test
def mode_1_has_no_xa():
    text = "image stride=2352 mode=1\niso PLAIN system=LINUX\nfile A.B < a\n"
    with tempfile.TemporaryDirectory() as folder:
        iso = IsoImage(build(folder, text, {"a": b"a"}), 2352, 16)
    equal(read_tree(iso)["A.B;1"]["xa"], None)
    equal(iso.block(16)[8:16] + iso.block(16)[1024:1032], b"LINUX   " + bytes(8))


def extents(image):
    return {path[:-2]: r["block"] for path, r in read_tree(IsoImage(image)).items()
            if not r["flags"] & 2 and r["size"] > 0}


def need(program):
    if shutil.which(program) is None:
        raise Skip(f"{program} is not installed")


@test
def volume_is_read_back_by_xorriso():
    need("xorriso")
    with tempfile.TemporaryDirectory() as folder:
        image = build(folder, many_files(2048), {**MANY, "empty": b""})
        path, out = os.path.join(folder, "x.iso"), os.path.join(folder, "out")
        with open(path, "wb") as file:
            file.write(image)
        subprocess.run(["xorriso", "-osirrox", "on", "-indev", path, "-extract", "/", out],
                       capture_output=True, check=True)
        found = {}
        for base, _, names in os.walk(out):
            for name in names:
                with open(os.path.join(base, name), "rb") as file:
                    found[os.path.relpath(os.path.join(base, name), out)] = file.read()
        wanted = {name.rstrip(".").lower(): data for name, data in expected_files().items()}
        equal({name.rstrip(".").lower(): data for name, data in found.items()} == wanted, True,
              "names and bytes")
        done = subprocess.run(["xorriso", "-indev", path, "-find", "/", "-type", "f", "-exec",
                               "report_lba"], capture_output=True, check=True, text=True)
        lines = re.findall(r"File data lba: +\d+ , +(\d+) , +(\d+) , +(\d+) , '/(.*)'",
                           done.stdout)
        starts = {name.rstrip(".").lower(): int(at) for at, _, size, name in lines if int(size)}
        expected = {name.rstrip(".").lower(): at for name, at in extents(image).items()}
        equal(starts, expected, "extents")


@test
def volume_is_read_back_by_isoinfo():
    need("isoinfo")
    with tempfile.TemporaryDirectory() as folder:
        image = build(folder, many_files(2048), {**MANY, "empty": b""})
        path = os.path.join(folder, "x.iso")
        with open(path, "wb") as file:
            file.write(image)
        for name, data in expected_files().items():
            done = subprocess.run(["isoinfo", "-i", path, "-x", f"/{name};1"],
                                  capture_output=True, check=True)
            equal(done.stdout == data, True, name)
        listing = subprocess.run(["isoinfo", "-i", path, "-l"], capture_output=True, check=True,
                                 text=True).stdout
        starts = {name: int(at) for at, name in re.findall(r"\[ *(\d+) +\d+\] +(\S+);1", listing)}
        for name, at in extents(image).items():
            equal(starts[os.path.basename(name)], at, name)


def main():
    print(f"1..{len(TESTS)}")
    failed = False
    for number, function in enumerate(TESTS, 1):
        try:
            function()
            print(f"ok {number} - {function.__name__}")
        except Skip as reason:
            print(f"ok {number} - {function.__name__} # SKIP {reason}")
        except Exception as error:  # a broken test must not hide the others
            failed = True
            print(f"not ok {number} - {function.__name__}")
            print(f"# {type(error).__name__}: {error}")
        sys.stdout.flush()
    return 1 if failed else 0


sys.exit(main())
