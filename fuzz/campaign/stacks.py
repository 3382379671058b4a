"""What a failing input says when it fails, made into a signature: one signature, one bug.

An oracle is known by its words and by the rule that it is about, if it is about one: it names that
on a line of its own in front of them, "about: HMD0021". A fault is known by its kind and the
innermost functions of ours on the stack; what takes too long by the outermost ones, since the
innermost differ from run to run.
"""
import re
from dataclasses import dataclass

INNERMOST = 3
OUTERMOST = 4

FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ (?:in (\S+) (\S+)|\s*\((\S+)\))", re.MULTILINE)
NOT_OURS = re.compile(r"^(?:__asan|__ubsan|__sanitizer|__interceptor|__lsan|__msan|_?_?libc_|"
                      r"fuzzer::|__GI_|abort$|raise$|gsignal$|pthread_|__pthread|main$|_start$|__assert|"
                      r"handle_|malloc$|calloc$|realloc$|free$|mem(?:cpy|move|set|cmp)$|str)")
ENTRY = "LLVMFuzzerTestOneInput"
# The program's own words come first, then those of sanitizers and of libFuzzer.
ORACLE = re.compile(r"(?:^about: ([A-Z]{3}\d{4})\n)?^.*\bviolated: (.+)$", re.MULTILINE)
ASSERTION = re.compile(r"(\S+): Assertion [`'](.+)' failed", re.MULTILINE)
UNDEFINED = re.compile(r"^(\S+?):\d+(?::\d+)?: runtime error: (.+)$", re.MULTILINE)
ADDRESS = re.compile(r"ERROR: AddressSanitizer: ([\w-]+)")
LEAK = re.compile(r"ERROR: LeakSanitizer: detected memory leaks")
SLOW = re.compile(r"ERROR: libFuzzer: timeout")
LARGE = re.compile(r"ERROR: libFuzzer: out-of-memory|hard rss limit exhausted|"
                   r"AddressSanitizer: (?:requested allocation size|allocator is out of memory)")
DEADLY = re.compile(r"(?:ERROR: libFuzzer: |UndefinedBehaviorSanitizer:)\s*(deadly signal|\w+)")


@dataclass(frozen=True)
class Failure:
    """kind: oracle, assertion, undefined, leak, hang, memory, or what the address sanitizer says.
    told: one line for people."""
    kind: str
    signature: str
    told: str


def functions(text):
    """The functions of ours on the first stack, innermost first; without symbols, offsets."""
    start = FRAME.search(text)
    if start is None:
        return []
    names = []
    for line in text[start.start():].splitlines():
        frame = FRAME.match(line)
        if frame is None:
            break
        name = frame.group(1) or frame.group(3).rpartition("/")[2]
        if name == ENTRY:
            return names or [ENTRY]
        if not NOT_OURS.match(name) and ".so" not in name:
            names.append(name)
    return names


def without_numbers(text):
    """Numbers and addresses differ from input to input."""
    return re.sub(r"\b(?:0x[0-9a-fA-F]+|-?\d+(?:\.\d+)?)\b", "N", text)


def made(kind, what, text, names):
    place = " < ".join(names)
    return Failure(kind, " | ".join([kind, *([without_numbers(what)] if what else []),
                                     *([place] if place else [])]),
                   ": ".join(part for part in (kind, what) if part)
                   + (f", in {place}" if place else ""))


def violated(words, rule):
    """What an oracle says. The same words about two rules are two bugs."""
    parts = ["oracle", without_numbers(words), *([rule] if rule else [])]
    return Failure("oracle", " | ".join(parts), f"oracle: {words}" + (f" ({rule})" if rule else ""))


def read(text, exit_code):
    """The failure that the output of a run speaks of, None if it speaks of none."""
    names = functions(text)
    inner = names[:INNERMOST]
    oracle, assertion = ORACLE.search(text), ASSERTION.search(text)
    if SLOW.search(text):
        return made("hang", "", text, list(reversed(names[-OUTERMOST:])))
    if LARGE.search(text):
        return made("memory", "", text, inner)
    if oracle:
        return violated(oracle.group(2).strip(), oracle.group(1))
    if assertion:
        return made("assertion", assertion.group(2), text, inner)
    undefined, address = UNDEFINED.search(text), ADDRESS.search(text)
    if undefined:
        return made("undefined", undefined.group(2), text,
                    inner or [undefined.group(1).rpartition("/")[2]])
    if LEAK.search(text):
        return made("leak", "", text, inner)
    if address:
        return made(address.group(1), "", text, inner)
    if exit_code != 0:
        deadly = DEADLY.search(text)
        return made("crash", deadly.group(1) if deadly else f"exit code {exit_code}", text, inner)
    return None


def slug(failure):
    """A short name for a file."""
    words = failure.signature.split(" | ")
    if failure.kind == "oracle" and len(words) > 2:  # the rule first, for the rest may be cut
        words = [words[0], words[2], words[1]]
    text = "-".join([words[0], *(words[1:])]) if failure.kind != "hang" else \
        "-".join([words[0], words[-1].rpartition(" < ")[2]])
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].rstrip("-")
