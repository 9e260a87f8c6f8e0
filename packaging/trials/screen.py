"""A screen of a trial's own, and a person's hands on it: real keys by xdotool, and pictures of what is shown."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from devtools import debian

from trials.expected import Failed

T = TypeVar("T")
NEEDS = (
    debian.Need("xvfb", command="Xvfb"),
    debian.Need("xdotool", command="xdotool"),
    debian.Need("x11-apps", command="xwd"),
    debian.Need("netpbm", command="pnmtopng"),
)
TITLE = "^Waybill · "
# A new order from nothing, as README counts its steps: keys, and between them what is typed.
NEW_ORDER = (
    ("type", "MEM01"), ("key", "F4"), ("type", "Josefina Rivera"), ("key", "Tab"), ("type", "1420 Vance Avenue"),
    ("key", "F4"), ("type", "Memphis"), ("key", "Tab"), ("type", "TN"), ("key", "Tab"), ("type", "38104"),
    ("key", "Tab"), ("type", "901-555-0142"), ("key", "F4"), ("type", "SOFA"), ("key", "Tab"), ("type", "1"),
    ("key", "Tab"), ("type", "62.5"),
)  # fmt: skip


@dataclass(frozen=True)
class Screen:
    """An X display; `environment` shows programs the way to it."""

    environment: dict[str, str]

    def do(self, *words: str) -> str:
        """What xdotool prints."""
        command = ["xdotool", *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False).stdout

    def window(self, patience: float, title: str = TITLE) -> str:
        """The window of this title, as soon as it is there. Raises `Failed`."""
        return until(lambda: (self.do("search", "--onlyvisible", "--name", title).split() or [""])[-1], patience, title)

    def keys(self, window: str, *names: str) -> None:
        """Press keys."""
        self.do("windowfocus", "--sync", window)
        self.do("key", "--clearmodifiers", *names)

    def type(self, window: str, text: str) -> None:
        """Type a text."""
        self.do("windowfocus", "--sync", window)
        self.do("type", "--clearmodifiers", "--delay", "30", "--", text)

    def enter_order(self, window: str, reference: str, *, opening: float = 2.0) -> None:
        """Fill a new order by keys; it is not submitted."""
        self.keys(window, "ctrl+n")
        time.sleep(opening)  # the form is made at its first use, and nobody tells from outside when
        self.type(window, reference)
        self.keys(window, "F4")
        for how, what in NEW_ORDER:
            (self.type if how == "type" else self.keys)(window, what)
            time.sleep(0.3)

    def picture(self, target: Path) -> None:
        """Save what is shown."""
        target.parent.mkdir(parents=True, exist_ok=True)
        shown = subprocess.run(["xwd", "-root", "-silent"], env=self.environment, capture_output=True, check=True)
        plain = subprocess.run(["xwdtopnm", "-quiet"], input=shown.stdout, capture_output=True, check=True)
        png = subprocess.run(["pnmtopng", "-quiet"], input=plain.stdout, capture_output=True, check=True)
        target.write_bytes(png.stdout)


@contextmanager
def screen(size: str = "1280x900x24") -> Iterator[Screen]:
    """Xvfb on a free number, gone when the block ends."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset", "-ac"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading, encoding="ascii") as answer:
            number = answer.readline().strip()
        kept = {name: value for name, value in os.environ.items() if name not in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
        yield Screen({**kept, "DISPLAY": f":{number}"})
    finally:
        # Xvfb may note the signal and go to sleep before it looks for one; the next signal wakes it.
        while server.poll() is None:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(timeout=1.0)


def until(look: Callable[[], T], patience: float, what: str) -> T:
    """What `look` finds, as soon as it finds something. Raises `Failed`."""
    deadline = time.monotonic() + patience
    while not (found := look()):
        if time.monotonic() > deadline:
            raise Failed(f"{what} did not come within {patience:g} s")
        time.sleep(0.3)
    return found


def journal_says(folder: Path, text: str) -> bool:
    """Whether a text stands in the journal of a data folder, or in its copy, in clear."""
    wanted = text.encode()
    return any(wanted in each.read_bytes() for each in folder.glob("journal*") if each.is_file())


def accepted(folder: Path, reference: str) -> bool:
    """Whether the provider has taken the write of this reference."""
    import sqlite3

    with sqlite3.connect(f"file:{folder / 'journal.sqlite3'}?mode=ro", uri=True) as journal:
        rows = journal.execute("SELECT state FROM writes WHERE reference = ?", (reference,)).fetchall()
    return bool(rows) and all(state in ("accepted", "confirmed") for (state,) in rows)


def fetched(folder: Path) -> bool:
    """Whether orders were fetched into the cache of a data folder."""
    import sqlite3

    try:
        with sqlite3.connect(f"file:{folder / 'cache.sqlite3'}?mode=ro", uri=True) as cache:
            return bool(cache.execute("SELECT 1 FROM orders LIMIT 1").fetchone())
    except sqlite3.Error:  # it is not there yet
        return False
