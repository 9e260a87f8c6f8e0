"""Orders to be exported, and the columns that the tests of exports choose."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import apsw

from app.desk.export.export_rows import ExportColumn
from app.store.cache import order_store
from app.store.cache.order_rows import ListName, OrderFacts

SEEN = datetime(2026, 11, 24, 14, 2, 10)
HOSTILE = (
    "=1+1",
    "+1 901 555",
    "-5",
    "@SUM(1)",
    "\t=2",
    "\r=3",
    "\n=4",
    " =3+3",
    '=HYPERLINK("http://x","y")',
    "=cmd|'/C x'!A1",
)
TEXTS = (
    *HOSTILE,
    "02134",
    "1/2",
    "1e5",
    "TRUE",
    "2026-01-02",
    "Renée O'Brien",
    "محمد",
    "李 小龍",
    '"q',
    "a\nb",
    "a,b;c",
    "_x0041_",
)

COLUMNS = (
    ExportColumn("Number", lambda line: line.number),
    ExportColumn("Reference", lambda line: line.crn),
    ExportColumn("Consignee", lambda line: line.consignee_name),
    ExportColumn("ZIP", lambda line: line.zip),
    ExportColumn("Imported", lambda line: line.imported_at),
    ExportColumn("Requested", lambda line: line.requested_delivery),
    ExportColumn("Late", lambda line: line.number % 2 == 0),
)


def facts(number: int, **others: str) -> OrderFacts:
    """An order, a pure function of its number."""
    fields: dict[str, str] = {"consignee_name": TEXTS[number % len(TEXTS)], "zip": f"{number % 100_000:05}"} | others
    return OrderFacts(
        number=number,
        raw=f'{{"OrderNumber":{number}}}',
        crn=f"00{number}",
        state="STD",
        imported_at=SEEN - timedelta(minutes=number),
        requested_delivery=datetime(2026, 12, 1),
        **fields,  # type: ignore[arg-type]
    )


def store(c: apsw.Connection, profile: str, numbers: Sequence[int], list_name: ListName = "open") -> None:
    """Put these orders on a list."""
    for first in range(0, len(numbers), 500):
        order_store.store_orders(c, profile, list_name, [facts(each) for each in numbers[first : first + 500]], SEEN)
