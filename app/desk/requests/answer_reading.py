"""The reading of an answer to a request, whatever its shape: whether it was done, and its facts in short.

Invariant: an answer that names the thing as not done is never read as done.
"""

import re
from collections.abc import Mapping

from app.contract.replies import decode
from app.desk.export.spreadsheet_cells import written
from app.desk.records.record_table import Record, cell, table_of

_DONE = {"reserved", "confirmed", "accepted", "booked", "success", "succeeded", "successful", "created", "available"}
_SHORT = 4  # facts in a sentence
_LONGEST = 200


def says_not_done(body: bytes) -> bool:
    """Whether the answer says of the thing itself that it was not done: `"reserved": false`."""
    data = decode(body)
    record = data[0] if isinstance(data, list) and len(data) == 1 else data
    if not isinstance(record, Mapping):
        return False
    # `isReserved`, `is_reserved` and `Reserved` are one name.
    by_name = {re.sub("[^a-z]", "", str(key).lower()).removeprefix("is"): value for key, value in record.items()}
    return any(str(by_name[name]).strip().lower() == "false" for name in _DONE & by_name.keys())


def facts(body: bytes) -> list[tuple[str, str]]:
    """Each field of the answer with its value, in words; one line of plain words as it is."""
    data = decode(body)
    if isinstance(data, Mapping) or (isinstance(data, list) and all(isinstance(each, Mapping) for each in data)):
        records: list[Record] = [data] if isinstance(data, Mapping) else list(data)
        table = table_of(records)
        return [
            (column.title, text)
            for record in table.records
            for column in table.columns
            if (text := written(cell(record, column)))
        ]
    text = body.decode("utf-8-sig", "replace").strip() if data is None else written(str(data))
    return [("", text)] if text and text != "null" else []


def in_short(body: bytes) -> str:
    """The first facts as one line, empty if there are none."""
    shown = [f"{title}: {text}" if title else text for title, text in facts(body)[:_SHORT]]
    return " ".join(", ".join(shown).split())[:_LONGEST]
