"""Takes out of a text what could name a person, a company or a way in. For reports that leave this computer by hand.

The log holds none of it (`sink`). This is the second lock on the same door: a line that a library or another process
brought in is cleaned too.
"""

import getpass
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_SHORTEST_NAME = 3  # a shorter one would be taken out of other words
_PATTERNS = (
    (re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s\"'<>]+"), "(address)"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "(e-mail)"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"), "(address)"),
    (re.compile(r"(?i)\b(authorization|\w*token|\w*password|\w*secret)(\s*[:=]\s*)\S+(?: \S{8,})?"), r"\1\2(secret)"),
    (re.compile(r"(?i)\b(bearer|basic) \S{8,}"), r"\1 (secret)"),
    (re.compile(r"(?<![\w/])(?=[\w+/=-]*\d)[\w+/=-]{24,}"), "(long text)"),
    (re.compile(r"(?<![\d:.-])(?!\d{4}-\d\d-\d\d\b)\+?\d(?:[ ()/-]{0,2}\d){6,}(?![\d:.-])"), "(number)"),
)


def without_names(text: str) -> str:
    """The text without addresses, secrets, long numbers, and the names of this user, computer and home folder."""
    for name, instead in _own_names():
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _, put=instead: put, text, flags=re.IGNORECASE)  # type: ignore[misc]
    for pattern, instead in _PATTERNS:
        text = pattern.sub(instead, text)
    return text


def _own_names() -> Iterator[tuple[str, str]]:
    """The longest first: a home folder holds the user's name."""
    with suppress(RuntimeError):
        home = Path.home()
        if home != Path(home.anchor):
            yield str(home), "~"
            yield home.as_posix(), "~"
    with suppress(OSError, KeyError):
        if len(user := getpass.getuser()) >= _SHORTEST_NAME:
            yield user, "(user)"
    if len(computer := socket.gethostname()) >= _SHORTEST_NAME:
        yield computer, "(computer)"
