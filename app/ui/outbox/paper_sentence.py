"""How a write stands, in one sentence for a paper that is read without the window beside it."""

from app.store.journal.records import WriteRow
from app.ui.outbox.state_words import look_of
from app.ui.widgets.text.times import moment


def standing(row: WriteRow) -> str:
    """`Accepted Tue 24 Nov 2026 14:02. The provider has taken it.`"""
    _, _, word, meaning = look_of(row)
    return f"{word} {moment(row.changed_at)}. {meaning}"
