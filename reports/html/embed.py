"""Makes the page of the HTML report two texts in C: what stands in front of the data, and behind it.

Usage: embed.py PAGE.html STYLE.css SCRIPT.js... OUTPUT.c. Style and program stand in the page
itself; its policy names their hashes, so that a browser runs these and no others. The page has a
style of its own for browsers that run no program.
"""
import base64
import hashlib
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def allowed(text):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def literal(text):
    """A string of C, in lines; what would begin a trigraph is broken up."""
    def quoted(line):
        out = line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
        return "".join(c if 32 <= ord(c) < 127 else "".join("\\%03o" % b for b in c.encode())
                       for c in out)
    lines = text.split("\n")
    return "\n".join('    "%s%s"' % (quoted(line), "\\n" if i + 1 < len(lines) else "")
                     for i, line in enumerate(lines))


def main():
    page, style = read(sys.argv[1]), "\n" + read(sys.argv[2])
    script = "\n(() => {\n'use strict';\n%s})();\n" % "".join(map(read, sys.argv[3:-1]))
    if "</script" in script or "</style" in style:
        sys.exit("the program or the style would end where it is embedded")
    plain = re.search(r"<noscript><style>(.*?)</style>", page).group(1)
    for mark, text in (("STYLE_HASH", allowed(style)), ("PLAIN_HASH", allowed(plain)), ("SCRIPT_HASH", allowed(script)),
                       ("STYLE", style), ("SCRIPT", script)):
        mark = "{{%s}}" % mark
        if page.count(mark) != 1:
            sys.exit("%s has no single %s" % (sys.argv[1], mark))
        page = page.replace(mark, text)
    head, tail = page.split("{{DATA}}\n")
    with open(sys.argv[-1], "w", encoding="utf-8") as file:
        file.write("const char fh_html_head[] =\n%s;\nconst char fh_html_tail[] =\n%s;\n" %
                   (literal(head), literal(tail)))


main()
