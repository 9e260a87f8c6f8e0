"""What an order was before, as a section of its details. Imported once an order is shown.

Invariant: a line says what the provider answered before and after, and is dated by when this desk asked; the writes of
this desk stand among them with the state that they have now.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from app.desk.desk import Desk
from app.desk.filter.filter_words import LISTS, NO, YES
from app.store.cache.order_rows import OrderDetail
from app.store.cache.past_changes import PastChange, changes_of
from app.store.cache.schema.change_names import CHANGE_NAMES
from app.store.cache.schema.raw_fields import RAW_FIELDS, RawValue
from app.store.journal.records import WriteRow
from app.store.sqlite.text_values import local
from app.ui.orders import orders_words as words
from app.ui.orders.order_sections import Section
from app.ui.orders.table.column_list import BY_NAME
from app.ui.outbox.outbox_words import KIND_WORDS, STATE_LOOK, state_word
from app.ui.widgets.text.times import moment

MOST = 50  # changes that are shown until a person asks for all
_ALL = 2_000  # of one order there are hardly so many in the year that they are kept
# Of these names one column says it all: a state comes with its word, a document with its count.
_SAID_ONCE = frozenset({"status", "received", "delivered", "documents", "notes", "freight"})
_MOMENTS = frozenset(
    (
        *("imported_at", "estimated_receive", "received_at", "requested_delivery", "scheduled_delivery"),
        *("loaded_at", "delivered_at", *(name for name, field in RAW_FIELDS.items() if field.kind == "moment")),
    )
)
_FLAGS = frozenset({"is_received", "is_delivered"})


async def past_section(desk: Desk, found: OrderDetail, writes: Sequence[WriteRow], *, whole: bool = False) -> Section:
    """The history of an order, the latest first; the last `MOST` changes, or the `whole` of it. Raises `StoreError`."""
    number, most = found.line.number, _ALL if whole else MOST
    changes = await desk.reader.read(changes_of, desk.profile.id, number, most + 1)
    more = words.SHOW_ALL_CHANGES if len(changes) > most and not whole else ""
    return Section(words.HISTORY, tuple(_lines(changes, most, found, writes)), more=more)


def _lines(
    changes: Sequence[PastChange], most: int, found: OrderDetail, writes: Sequence[WriteRow]
) -> Iterator[tuple[str, str]]:
    shown = changes[:most]
    events = [(each.at, "\n".join(change_lines(each.values))) for each in shown]
    since = shown[-1].since if shown else found.changed_at
    if len(changes) == len(shown):
        events.append((since, words.FIRST_SEEN))
    else:
        events.append((since, words.EARLIER_NOT_SHOWN))
    events += [(local(each.changed_at), _write_line(each)) for each in writes if local(each.changed_at) >= since]
    # Both kinds of events are dated by this computer's clock.
    for at, said in sorted(events, key=_when, reverse=True):
        yield moment(at.replace(microsecond=0)), said


def _when(event: tuple[datetime, str]) -> datetime:
    return event[0]


def _write_line(write: WriteRow) -> str:
    return f"{STATE_LOOK[write.state][0]} {words.kind_and_state(KIND_WORDS[write.kind], state_word(write.state))}"


def change_lines(values: Mapping[str, tuple[RawValue, RawValue]]) -> list[str]:
    """Each value that changed, in words, in the sequence of `CHANGE_NAMES`."""
    return [
        words.value_changed(_title(column), _said(column, values[column][0]), _said(column, values[column][1]))
        for name, columns in CHANGE_NAMES.items()
        for column in _told(name, [each for each in columns if each in values])
    ]


def _told(name: str, columns: Sequence[str]) -> Sequence[str]:
    return columns[:1] if name in _SAID_ONCE else columns


def _title(column: str) -> str:
    return BY_NAME[column].title if column in BY_NAME else words.changed_titles(column)


def _said(column: str, value: RawValue) -> str:
    if value is None or value == "":
        return ""
    if column == "list":
        return LISTS.get(str(value), str(value))
    if column in _FLAGS:
        return YES if value else NO
    return moment(str(value)) if column in _MOMENTS else " ".join(str(value).split())
