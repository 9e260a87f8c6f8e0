"""Cancels orders by a file: a column of references, checked against what the stores know, then the outbox as always.

Invariant: a row that names no open order for certain is said and left out, or is looked up by the send queue before its
cancellation leaves. Each cancellation can be undone for `outbox.UNDO`, as those of the orders page.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from app.contract.order_rules import REFERENCE
from app.contract.submission import Cancellation, wire_bytes
from app.desk.bulk import bulk_words as words
from app.desk.bulk.files.file_tables import Table
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.desk.bulk.mapping.match_columns import match_columns
from app.desk.bulk.order_fields import BY_PATH
from app.desk.bulk.outcome.entered_anew import entered_anew
from app.desk.bulk.rows.cell_reading import TEXT, CellReader
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.sending import outbox
from app.desk.sending.sending_words import reference_too_long
from app.store.cache import listed_references
from app.store.cache.order_rows import OrderLine
from app.store.journal import import_store
from app.store.journal.import_store import FileRow, FrozenOrder, KnownWrites, Newest

CancelKind = Literal["open", "not listed", "closed", "cancelled", "waits", "twice", "wrong"]
_WAITING = ("queued", "sending", "in_doubt")


@dataclass(frozen=True, slots=True)
class CancelLine:
    """A row of the file. `open` and `not listed` orders are cancelled; `consignee` is empty where it is unknown."""

    row: int
    reference: str
    kind: CancelKind
    sentence: str
    consignee: str = ""
    number: int | None = None

    @property
    def cancels(self) -> bool:
        """Whether it is cancelled."""
        return self.kind in ("open", "not listed")


def reference_column(table: Table) -> int | None:
    """The column of the references; None if none is called so and there are several."""
    # A list of references is often pasted without a title.
    if len(table.titles) == 1:
        return 0
    uses = match_columns(table).mapping.columns
    return next((at for at, use in enumerate(uses) if use.path == REFERENCE), None)


async def look_up(desk: Desk, table: Table, column: int) -> list[CancelLine]:
    """The effect that cancelling each row would have. Raises `StoreError`."""
    return await in_thread(lambda: _look_up(desk, table, column), Progress())


def _look_up(desk: Desk, table: Table, column: int) -> list[CancelLine]:
    reader = CellReader(BY_PATH[REFERENCE], ColumnMapping(()))
    read = [
        reader.read(cells[column], kinds[column] if column < len(kinds) else TEXT)
        for cells, kinds in zip(table.rows, table.kinds, strict=True)
    ]
    references = {each.value.strip() for each in read}
    wrote = desk.journal.read_separately_now(import_store.known_writes, desk.profile.id, references)
    shown = desk.reader.read_separately_now(listed_references.shown_orders, desk.profile.id, references)
    anew = entered_anew(desk, wrote, shown)
    seen: dict[str, int] = {}
    found = []
    for row, cell in enumerate(read):
        reference = cell.value.strip()
        wrong = _wrong(reference) or ("" if cell.trouble is None or cell.trouble.doubt else cell.trouble.sentence)
        if wrong:
            found.append(CancelLine(row, reference, "wrong", wrong))
        elif seen.setdefault(reference, row) != row:
            said = words.cancel_twice(table.numbers[seen[reference]])
            found.append(CancelLine(row, reference, "twice", said))
        else:
            # A cancellation of before says nothing about an order that was entered anew.
            found.append(_line(row, reference, None if reference in anew else wrote.get(reference), shown))
    return found


def _wrong(reference: str) -> str:
    if not reference:
        return words.CANCEL_NONE
    try:
        Cancellation(orderReferenceNumber=reference)
    except ValidationError:
        return reference_too_long(reference)
    return ""


def _line(row: int, reference: str, known: KnownWrites | None, shown: Mapping[str, OrderLine]) -> CancelLine:
    line = shown.get(reference)
    name, number = ("", None) if line is None else (line.consignee_name or "", line.number)
    if known is not None and known.latest.kind == "cancel" and known.latest.state != "rejected":
        if known.latest.state in _WAITING:
            return CancelLine(row, reference, "waits", words.CANCEL_WAITS, name, number)
        return CancelLine(row, reference, "cancelled", words.CANCEL_DONE, name, number)
    if line is None:
        return CancelLine(row, reference, "not listed", words.CANCEL_NOT_LISTED)
    if line.is_closed:
        said = words.cancel_closed(line.status or line.state or "")
        return CancelLine(row, reference, "closed", said, name, number)
    return CancelLine(row, reference, "open", words.CANCEL_OPEN, name, number)


async def cancel(
    desk: Desk, table: Table, lines: Sequence[CancelLine], rows: Collection[int]
) -> tuple[int | None, dict[int, str]]:
    """Queue the cancellations of these rows as one import, each of which can be undone for `outbox.UNDO`.

    The import's id (None where nothing is cancelled), and the references by write. Raises `StoreError`; nothing is
    cancelled then.
    """
    chosen = [each for each in lines if each.row in rows and each.cancels]
    if not chosen:
        return None, {}
    async with desk.freezing:
        return await in_thread(lambda: _queue(desk, table, lines, {each.row for each in chosen}), Progress())


def _queue(
    desk: Desk, table: Table, lines: Sequence[CancelLine], chosen: Collection[int]
) -> tuple[int, dict[int, str]]:
    journal = desk.journal
    # Before anything is stored: a write that comes while this freezes is later than the list.
    newest = journal.read_now(import_store.newest)
    import_id = journal.write_now(
        import_store.begin, desk.profile.id, table.name, "cancel", table.digest, list(table.titles), desk.now()
    )
    size = import_store.ROWS_OF_A_BLOCK
    for first in range(0, len(lines), size):
        block = lines[first : first + size]
        orders = [_frozen(each, newest) for each in block if each.row in chosen]
        journal.write_now(import_store.add_orders, import_id, orders)
        journal.write_now(import_store.add_rows, import_id, first, [_file_row(table, each, chosen) for each in block])
    # Only now does it run: a program that ends before, or a disk that refuses this, leaves an import that is never fed.
    return import_id, journal.write_now(import_store.launch_cancellations, import_id, desk.now(), outbox.UNDO)


def _frozen(line: CancelLine, newest: Newest) -> FrozenOrder:
    payload = wire_bytes(Cancellation(orderReferenceNumber=line.reference))
    return FrozenOrder(line.row, line.reference, payload, newest)


def _file_row(table: Table, line: CancelLine, chosen: Collection[int]) -> FileRow:
    place = line.row if line.row in chosen else -1
    verdict = words.CANCEL if place >= 0 else words.CANCEL_NOT
    kinds = table.kinds[line.row].decode("ascii")
    return FileRow(table.numbers[line.row], place, verdict, line.sentence, table.rows[line.row], kinds)
