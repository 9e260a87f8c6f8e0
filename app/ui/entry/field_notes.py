"""What a field's text reads as, said below it: a phone number in groups, a day in words, hidden characters shown.

Only said, never sent: what is sent is what was typed (and of a date, the day that was meant).
"""

import re
from datetime import date

from app.contract.moments import read_date
from app.desk.readable import phone, zip_code
from app.desk.typed_dates import in_words, is_weekend
from app.ui.widgets.labels import visible

_DATES = ("shipDate", "estimatedReceiveDate", "requestedDeliveryDate")
_PHONES = ("consignee.phone1", "consignee.phone2")
_ZIP = "consignee.zip"
_RUN = re.compile(r"\d{7}")  # so many digits on end are hard to read


def note_for(path: str, text: str, today: date) -> str:
    """What to say of the text in this field; empty where it reads as it stands."""
    shown = visible(text)
    if shown != text:
        return f"Holds hidden characters: {shown}"
    if path in _DATES:
        return _day_note(text, today)
    if not _RUN.search(text):
        return ""  # it is written in groups already
    read = phone(text) if path in _PHONES else zip_code(text) if path == _ZIP else ""
    return f"Reads {read}" if read else ""


def _day_note(text: str, today: date) -> str:
    day = read_date(text.strip())
    if day is None:
        return ""
    return f"{day.isoformat()} · {in_words(day, today)}" + (" · a weekend" if is_weekend(day) else "")
