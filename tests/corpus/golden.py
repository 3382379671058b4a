"""Golden reports: the findings of each fixture that breaks a rule, in a file beside it.

NAME.bad.golden has a line for each finding, as it is told: severity, code, place, message. It is an
expectation that is read when it changes: ./run golden writes all of them anew.
"""
import os


class Differs(Exception):
    """What was found is not what the golden report says."""


def line_of(severity, code, offset, message, source=None):
    where = (f" in {source}" if source else "") + ("" if offset is None else f" at 0x{offset:04x}")
    message = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in message)
    return f"{severity} {code}{where}: {message}\n"


def hold(path, lines, is_update):
    """Compares with the file, or writes it."""
    if is_update:
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(lines)
        return
    if not os.path.exists(path):
        raise Differs(f"{path} is missing; ./run golden writes it")
    with open(path, encoding="utf-8") as file:
        expected = file.readlines()
    if lines != expected:
        shown = [f"- {line}" for line in expected if line not in lines] + \
            [f"+ {line}" for line in lines if line not in expected]
        raise Differs(f"{os.path.basename(path)}: the report changed, or its order:\n"
                      + "".join(shown[:20]))
