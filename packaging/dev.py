"""One command for everything a maker of Waybill does: run, test, lint, build, bench, shots, lock.

Standard library only, and written so that even an old Python can read it and say what it needs instead.
"""

import sys

OLDEST = (3, 11)


def main():
    # type: () -> int
    if sys.version_info < OLDEST:
        here = ".".join(str(part) for part in sys.version_info[:2])
        print("Waybill needs Python 3.11 or newer; this is " + here + " (" + sys.executable + ").")
        return 2
    from devtools.cli import main as command

    return command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
