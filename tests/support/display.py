"""A window system of one's own for a measure or a test: Xvfb on a free number, gone when the block ends."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress


@contextmanager
def private_display(size: str = "1920x1080x24") -> Iterator[dict[str, str]]:
    """Start Xvfb and yield the environment in which a program shows its windows there (Qt's xcb platform)."""
    program = shutil.which("Xvfb")
    if program is None:
        raise FileNotFoundError("Xvfb is not installed; `packaging/dev.py test` installs it")
    reading, writing = os.pipe()
    command = [program, "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading, encoding="ascii") as answer:
            number = answer.readline().strip()
        if not number:
            raise RuntimeError(f"Xvfb did not start (status {server.wait()})")
        yield window_environment(os.environ, number)
    finally:
        # Xvfb may note the signal and go to sleep before it looks for one; the next signal wakes it.
        while server.poll() is None:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(timeout=1.0)


def window_environment(given: Mapping[str, str], display: str) -> dict[str, str]:
    """`given` with windows on X display `display`, whatever else it said about screens."""
    kept = {name: value for name, value in given.items() if name not in {"WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}}
    return {**kept, "DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb"}
