"""A list in XML read record by record out of text that arrives in pieces; `array.ArrayReader` for the other format.

Each record comes with the JSON text that it would have had, which is what the store keeps. A piece of text is parsed a
little at a time, so that the caller can give others their turn between two records.
"""

import json
from collections import deque

from app.api import api_words
from app.api.errors import BrokenReply
from app.contract.xml_records import LARGEST, LIST_OF, NotXml, Records, Shape, XmlText

_AT_ONCE = 4_096  # characters: about a millisecond
_PAGES = ("html", "head", "body")


class XmlListReader:
    """Feed it text, ask it for elements. Raises BrokenReply for what cannot become a list any more."""

    def __init__(self, shape: Shape, largest: int = LARGEST) -> None:
        self._ready: deque[object] = deque()
        self._records = Records(shape, self._ready.append, largest)
        self._xml = XmlText(self._records)
        self._text = ""
        self._at = 0
        self._last = False
        self._broken = False
        self._any_record = False

    @property
    def complete(self) -> bool:
        """Whether the outermost element has ended."""
        return self._records.complete

    def feed(self, text: str, *, last: bool = False) -> None:
        """More text; `last` when nothing will follow it."""
        self._text = self._text[self._at :] + text
        self._at = 0
        self._last = last

    def whole(self) -> list[str]:
        """None: a record of XML is known only once it has been read."""
        return []

    def next(self) -> tuple[object, str] | None:
        """The next record and its JSON text, or None when more text is needed or the list is complete."""
        while not self._ready and not self._broken and self._at < len(self._text):
            self._parse()
        if self._ready:
            value = self._ready.popleft()
            self._any_record |= isinstance(value, dict)
            return value, json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        if self._broken:
            raise BrokenReply(api_words.RECORD_NOT_XML)
        if self.complete and not self._any_record and not self._records.root.startswith(LIST_OF):
            # An error record, or an element that nobody knows, does not say that there are no orders.
            raise BrokenReply(api_words.NO_LIST)
        return None

    def _parse(self) -> None:
        piece = self._text[self._at : self._at + _AT_ONCE]
        self._at += len(piece)
        try:
            self._xml.feed(piece, last=self._last and self._at >= len(self._text))
        except NotXml:
            self._broken = True  # told once what came before it has been handed out
        if self._records.root.lower() in _PAGES:
            raise BrokenReply(api_words.WEB_PAGE)
