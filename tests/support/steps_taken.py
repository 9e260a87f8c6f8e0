"""Counts the steps of a task: the keys and clicks of a person beyond the data itself.

A key is a step, a chord such as Ctrl+Enter is one, and so is a click. The characters of data (names, numbers) would
have to be typed in any program and are counted apart. What a scanner types, its Enter included, costs a person nothing.
"""

import re
from dataclasses import dataclass, field

from tests.support.window import Window


@dataclass
class Task:
    """One task in `window`, with the keys and clicks so far."""

    window: Window
    name: str
    steps: list[str] = field(default_factory=list)
    typed: int = 0
    scanned: int = 0

    def press(self, *keys: str) -> None:
        """Press keys by their X names, a step each."""
        self.steps += keys
        self.window.keys(*keys)

    def answer(self, *keys: str) -> None:
        """Press keys in the question that stands before the window: a window manager would put the keyboard there."""
        desktop, pid = self.window.desktop, str(self.window.run.process.pid)
        box = self.window.wait_for(
            lambda: desktop.do("search", "--all", "--onlyvisible", "--pid", pid, "--name", "^Waybill$").split(),
            "a question",
        )
        self.steps += keys
        desktop.do("windowfocus", "--sync", box[0], "key", "--clearmodifiers", *keys)

    def type(self, text: str) -> None:
        """Type data where the keyboard is."""
        self.typed += len(text)
        self.window.keys_for(text)

    def scan(self, *codes: str) -> None:
        """Type each code and an Enter, faster than a hand, as a scanner does."""
        self.scanned += len(codes)
        self.window.come_forward()
        as_keys = [("type", "--args", "1", "--delay", "2", each, "key", "--delay", "2", "Return") for each in codes]
        self.window.desktop.do(*(word for each in as_keys for word in each))

    @property
    def line(self) -> str:
        """The task as a line of a table."""
        keys = re.sub(r"\b(ctrl|alt|shift|[a-z]\b)", lambda found: found[0].capitalize(), " ".join(self.steps))
        scans = f", {self.scanned} scans" if self.scanned else ""
        return f"{self.name:<70} {len(self.steps):>2} steps, {self.typed:>3} characters{scans}: {keys}"
