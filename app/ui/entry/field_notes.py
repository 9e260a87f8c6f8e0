"""What a field's text reads as, said below it: a phone number in groups, a day in words, hidden characters shown.

Only said, never sent: what is sent is what was typed (and of a date, the day that was meant).
"""

import re
from datetime import date

from app.desk.readable import phone, zip_code
from app.desk.typed_dates import in_words, is_weekend, read_typed_date
from app.ui.widgets.labels import visible
from app.ui.widgets.rows_model import shown_in_cell

_DATES = ("shipDate", "estimatedReceiveDate", "requestedDeliveryDate")
_PHONES = ("consignee.phone1", "consignee.phone2")
_ZIP = "consignee.zip"
_LINES = ("deliveryInstructions",)
_RUN = re.compile(r"\d{7}")  # so many digits on end are hard to read


def note_for(path: str, typed: str, today: date) -> str:
    """What to say of the text as it is typed in this field; empty where it reads as it stands."""
    shown = visible(typed) if path in _LINES else shown_in_cell(typed)
    if shown != typed:
        return f"Holds hidden characters: {shown}"
    if path in _DATES:
        return _day_note(typed.strip(), today)
    if not _RUN.search(typed):
        return ""  # it is written in groups already
    read = phone(typed) if path in _PHONES else zip_code(typed) if path == _ZIP else ""
    return f"Reads {read}" if read else ""


def _day_note(typed: str, today: date) -> str:
    day = read_typed_date(typed, today)
    if day is None:
        return ""
    words = in_words(day, today) + (" · a weekend" if is_weekend(day) else "")
    return words if typed == day.isoformat() else f"{day.isoformat()} · {words}"
