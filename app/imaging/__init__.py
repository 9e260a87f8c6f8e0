"""Pictures that nobody trusts: bytes go into a child process, pixels come out of it.

    pixels       what comes out: Pixels, or a Trouble in words
    client       Imaging: what the window asks; orders by urgency, never stalls who asks
    worker       one child process and the thread that talks to it
    arena        the memory both processes see
    protocol     the few words that pass between them, and the limits
    __main__     the child, with the decoders in `child`

Invariant: the window's process imports no decoder. The child opens no file and no connection once it has started, and
whatever becomes of it costs one picture at most.
"""
