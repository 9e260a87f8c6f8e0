"""Notes below a field: a phone number in groups, a date in words, hidden characters made visible.

Invariant: a note is never sent; the typed text is (of a date, the day that was meant). A value that looks mistyped gets
a note once the field was left. The provider states no rule for such a value, so it may be sent.
"""

import re
from datetime import date

from app.desk.text.typed_dates import in_words, is_weekend, read_typed_date
from app.ui.entry import entry_words
from app.ui.widgets.grid.grid_model import shown_in_cell
from app.ui.widgets.text.labels import visible

DATES = ("shipDate", "estimatedReceiveDate", "requestedDeliveryDate")
_PHONES = ("consignee.phone1", "consignee.phone2")
_ZIP = "consignee.zip"
_STATE = "consignee.state"
_EMAIL = "consignee.email"
_LINES = ("deliveryInstructions",)
_RUN = re.compile(r"\d{7}")  # so many digits on end are hard to read
# Of the United States, or of Canada.
_AS_ZIP = re.compile(r"\d{5}(-?\d{4})?|[a-z]\d[a-z][ -]?\d[a-z]\d", re.IGNORECASE | re.ASCII)
_AS_STATE = re.compile(r"[a-z]{2}", re.IGNORECASE)
_AS_EMAILS = re.compile(r"[^@\s;,]+@[^@\s;,]+(\s*[;,]\s*[^@\s;,]+@[^@\s;,]+)*")  # one, or a few
_FEWEST_OF_PHONE = 10
# Phone numbers and ZIPs as people write them.
_NUMBER = re.compile(r"(?:\+?1)?([2-9]\d{2})(\d{3})(\d{4})(?:x(\d{1,6}))?", re.ASCII)
_BETWEEN = re.compile(r"[\s().\-/]")
_ZIP_DIGITS = re.compile(r"(\d{5})-?(\d{4})?", re.ASCII)


def note_for(path: str, typed: str, today: date, doubt: str = "") -> str:
    """The note on this text, empty if it needs none. `doubt` is the sentence of a doubt about the text."""
    shown = visible(typed) if path in _LINES else shown_in_cell(typed)
    if shown != typed:
        return entry_words.hidden_characters(shown)
    if path in DATES:
        return _day_note(typed.strip(), today)
    if doubt:
        return doubt
    if not _RUN.search(typed):
        return ""  # the text is in groups already
    read = phone(typed) if path in _PHONES else zip_code(typed) if path == _ZIP else ""
    return entry_words.reads(read) if read else ""


def doubt_of(path: str, typed: str) -> str:
    """A sentence if the text looks mistyped, else empty."""
    text = typed.strip()
    if not text:
        return ""
    if path == _ZIP and not _AS_ZIP.fullmatch(text):
        return entry_words.UNUSUAL_ZIP
    if path == _STATE and not _AS_STATE.fullmatch(text):
        return entry_words.UNUSUAL_STATE
    if path == _EMAIL and not _AS_EMAILS.fullmatch(text):
        return entry_words.UNUSUAL_EMAIL
    if path in _PHONES and (digits := sum(each.isdigit() for each in text)) < _FEWEST_OF_PHONE:
        return entry_words.phone_digits(digits, _FEWEST_OF_PHONE)
    return ""


def _day_note(typed: str, today: date) -> str:
    day = read_typed_date(typed, today)
    if day is None:
        return ""
    words = in_words(day, today)
    words = entry_words.on_weekend(words) if is_weekend(day) else words
    return words if typed == day.isoformat() else f"{day.isoformat()} · {words}"


def phone(typed: str) -> str:
    """`9015550142` → `(901) 555-0142`, with its extension; empty for anything that is no North American number."""
    bare = re.sub(r"(?:ext\.?|x)(?=\d)", "x", _BETWEEN.sub("", typed.strip().lower()))
    found = _NUMBER.fullmatch(bare)
    if found is None:
        return ""
    area, exchange, line, extension = found.groups()
    return f"({area}) {exchange}-{line}" + (f" ext. {extension}" if extension else "")


def zip_code(typed: str) -> str:
    """`381040142` → `38104-0142`; empty for anything that is no United States ZIP."""
    found = _ZIP_DIGITS.fullmatch(typed.strip())
    if found is None:
        return ""
    return f"{found[1]}-{found[2]}" if found[2] else found[1]
