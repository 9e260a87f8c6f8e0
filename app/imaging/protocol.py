"""The messages between the window and the child: a line of JSON each way for each picture.

Bytes and pixels lie in the arena: first the bytes for the child, behind them the pixels from it. Invariant: the window
does not trust the child; `read_reply` refuses every reply that the arena or the limits would not fit.
"""

import json
from dataclasses import dataclass

from app.imaging.pixels import SENTENCES, Facts, Region, Size, Trouble

READY = b"ready\n"
_LINE = 16 * 1024  # bytes of the longest reply
_TEXT = 200  # characters of a text from a file


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one picture.

    `seconds` is the time a picture may take, `abandoned_seconds` the rest after a cancelled request. `jpeg_pixels`
    holds for JPEG, which can be decoded smaller than it is, `whole_pixels` for formats that cannot. A result has
    `result_pixels` at most: what is larger comes smaller. `memory` bounds the child's address space, arena included.
    """

    incoming: int = 64 * 1024 * 1024
    result_pixels: int = 40_000_000
    jpeg_pixels: int = 220_000_000
    whole_pixels: int = 80_000_000
    pages: int = 5_000
    seconds: float = 12.0
    abandoned_seconds: float = 1.0
    idle_seconds: float = 120.0
    memory: int = 1_600 * 1024 * 1024

    @property
    def outgoing(self) -> int:
        """The bytes that a decoded picture may take: four for each pixel."""
        return self.result_pixels * 4

    @property
    def arena(self) -> int:
        """The bytes of the arena: the file comes first, the pixels behind it."""
        return self.incoming + self.outgoing


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Request:
    """A request: `length` bytes lie in the arena. The picture, or its `region`, has to fit `box` (None: full size)."""

    length: int
    box: Size | None
    page: int = 0
    region: Region | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The reply to a picture that was decoded into the arena."""

    size: Size
    alpha: bool
    facts: Facts


class BadReply(Exception):
    """The child's reply cannot be read, or breaks a limit."""


def request_line(request: Request) -> bytes:
    """The request as one line of JSON."""
    box = None if request.box is None else list(request.box)
    region = None if request.region is None else list(request.region)
    return json.dumps({"length": request.length, "box": box, "page": request.page, "region": region}).encode() + b"\n"


def read_request(line: bytes) -> Request:
    """The request in a line of `request_line`, which comes from the parent and is trusted."""
    said = json.loads(line)
    box, region = said["box"], said["region"]
    return Request(
        said["length"], None if box is None else Size(*box), said["page"], None if region is None else Region(*region)
    )


def reply_line(reply: Result | Trouble) -> bytes:
    """The reply as one line of JSON. The pixels themselves are in the arena."""
    if isinstance(reply, Trouble):
        return json.dumps({"trouble": reply.kind}).encode() + b"\n"
    facts = reply.facts
    said = {
        "size": list(reply.size),
        "alpha": reply.alpha,
        "format": facts.format,
        "full": list(facts.full),
        "pages": facts.pages,
        "frames": facts.frames,
        "taken": facts.taken[:_TEXT],
        "camera": facts.camera[:_TEXT],
        "cut_off": facts.cut_off,
    }
    return json.dumps(said).encode() + b"\n"


def read_reply(line: bytes, limits: Limits) -> Result | Trouble:
    """Parse a reply. Raises BadReply for a reply that cannot be right."""
    try:
        said = json.loads(line) if len(line) <= _LINE else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise BadReply
    if "trouble" in said:
        return _trouble(said["trouble"])
    size = _size(said.get("size"))
    if size.width * size.height > limits.result_pixels:
        raise BadReply
    facts = Facts(
        _text(said.get("format")), _size(said.get("full")), _count(said.get("pages")), _count(said.get("frames")),
        _text(said.get("taken")), _text(said.get("camera")), said.get("cut_off") is True,
    )  # fmt: skip
    return Result(size, said.get("alpha") is True, facts)


def _trouble(kind: object) -> Trouble:
    if kind not in SENTENCES:
        raise BadReply
    return Trouble(kind)


def _size(value: object) -> Size:
    if not isinstance(value, list) or len(value) != 2:
        raise BadReply
    return Size(_count(value[0]), _count(value[1]))


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 2**31:
        raise BadReply
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _TEXT:
        raise BadReply
    return value
