"""Decodes pictures from strangers: bytes go into a child process, pixels come out of it.

Begin with `imaging`. Imports nothing of the program; imported by `desk.files` and the widgets that paint.

    imaging      Imaging: what the window asks; orders by urgency, never blocks the caller
    pixels       the result: Pixels, or a Trouble with its sentence
    worker       one child process and the thread that talks to it
    arena        the memory that both processes see
    protocol     the requests and replies that pass between them, and the limits
    __main__     the child; its decoders are in `child`

Invariant: the window's process imports no decoder. The child opens no file and no connection once it has started, and
a picture that breaks the child costs one picture at most.
"""
