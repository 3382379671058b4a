"""Tests as functions, told in TAP. Standard library only."""
import subprocess
import sys

TESTS = []


class Skip(Exception):
    """Raised by a test that cannot run here; the text is the reason."""


def test(function):
    TESTS.append(function)
    return function


def nothing(found, what):
    """Fails with the first of what was found."""
    found = list(found)
    if found:
        raise AssertionError(f"{what} ({len(found)}):\n" + "\n".join(map(str, found[:50])))


def equal(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: found {found!r}, expected {expected!r}")


def output(*command, **options):
    """Standard output of a command that must succeed and write nothing to standard error."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0 or done.stderr != "":
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {done.returncode}\n"
                             + done.stdout + done.stderr)
    return done.stdout


def main():
    print(f"1..{len(TESTS)}", flush=True)
    failed = False
    for number, function in enumerate(TESTS, 1):
        try:
            function()
            print(f"ok {number} - {function.__name__}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {function.__name__} # SKIP {reason}", flush=True)
        except Exception as error:  # a broken test must not hide the others
            failed = True
            print(f"not ok {number} - {function.__name__}")
            for line in f"{type(error).__name__}: {error}".splitlines():
                print(f"# {line}")
            sys.stdout.flush()
    sys.exit(1 if failed else 0)
