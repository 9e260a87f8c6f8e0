"""A successful response as it came, and the checks that it is one.

A status of 200 proves little: a proxy may send its own page with it, and a service its refusal.
"""

import json
import re
from dataclasses import dataclass, field
from datetime import datetime

from app.api import api_words
from app.api.errors import BrokenReply
from app.contract.replies import decode, says_it_failed
from app.contract.xml_records import encoding_of, is_well_formed, read_records, text_of

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f]")  # no JSON, no XML and no line of words holds any
_BEFORE = "\ufeff \t\r\n"  # stands before what a body says
# A page, or a part of one: what stands before its first element says nothing.
_PAGE = re.compile(
    r"(?:\s+|<\?[^>]*>|<!--.*?-->)*<(?:!doctype\s+html|(?:html|head|body|script|meta|style|iframe|noscript|center|div|h1)[\s/>])",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """A successful answer as it came; `received_at` is this computer's local time."""

    status: int
    body: bytes = field(repr=False)
    content_type: str | None
    received_at: datetime

    def data(self) -> object:
        """The body as JSON-like data, from JSON or XML; None when there is none."""
        return decode(self.body)

    def records(self) -> object:
        """The body as data of the information service: in XML too, numbers are numbers and lists are lists."""
        in_xml = text_of(self.body).lstrip(_BEFORE).startswith("<")
        return read_records(self.body) if in_xml else self.data()


def is_xml(content_type: str | None) -> bool:
    """Whether a media type is of the XML family, and not a page."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    return kind.endswith(("/xml", "+xml")) and "html" not in kind


def check_success(reply: Reply) -> None:
    """Raise BrokenReply for the answer to a write whose words say that it failed, whatever its status says."""
    if says_it_failed(reply.body):
        raise BrokenReply(api_words.CONTRADICTION)


def check_readable(reply: Reply) -> None:
    """Raise BrokenReply for a body that is not what it says it is; an empty one or plain words are fine.

    A page of HTML is the commonest false success: a gateway's log-in or maintenance page, sent with 200.
    """
    kind = (reply.content_type or "").lower()
    text = _text(reply.body)
    if text == "":
        return
    if "/problem+" in kind:
        raise BrokenReply(api_words.WORKED_WITH_PROBLEM)
    if text is None:
        raise BrokenReply(api_words.NOT_TEXT)
    if "html" in kind or _PAGE.match(text):
        raise BrokenReply(api_words.WEB_PAGE)
    if text[:1] in '{["' or "json" in kind:
        _check_json(text)
    elif (text[:1] == "<" or "xml" in kind) and not is_well_formed(text):
        raise BrokenReply(api_words.NOT_XML, broke_off=True)


def _text(body: bytes) -> str | None:
    """The text of a body in the encoding that it says it has; None where it is no text."""
    try:
        text = body.decode(encoding_of(body))
    except UnicodeError:
        return None
    return None if _CONTROLS.search(text) else text.lstrip(_BEFORE)


def _check_json(text: str) -> None:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        broken = True
    else:
        broken = False
    # Raised out here: the decoder's error holds the whole body, and would be this one's context.
    if broken:
        raise BrokenReply(api_words.NOT_JSON, broke_off=True)
