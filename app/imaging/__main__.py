"""`python -m app.imaging HANDLE`: the child. It reads a line for each picture, decodes into the arena, writes a line.

The child ends when its standard input closes. Every decoder is loaded and used once before `confine` forbids the
child to open files.
"""

import gc
import sys

from app.imaging.arena import joined
from app.imaging.child.confine import confine
from app.imaging.child.decoding import decode
from app.imaging.child.warm_up import use_each_once
from app.imaging.protocol import LIMITS, READY, read_request, reply_line


def main(arguments: list[str] | None = None) -> int:
    """Serve until standard input closes. Returns the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    memory = memoryview(joined(words[0], LIMITS.arena))
    incoming, outgoing = memory[: LIMITS.incoming], memory[LIMITS.incoming :]
    use_each_once(LIMITS)
    lines, answers = sys.stdin.buffer, sys.stdout.buffer
    # The libraries' objects live as long as the child, so collections need not go through them.
    gc.freeze()
    # After every decoder was used once: code that is loaded later would need to open files.
    confine(LIMITS.memory)
    answers.write(READY)
    answers.flush()
    while line := lines.readline():
        request = read_request(line)
        answers.write(reply_line(decode(incoming[: request.length], request, LIMITS, outgoing)))
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
