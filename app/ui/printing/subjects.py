"""What is printed, with the words that say on the paper how it stands."""

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.printing.subject import Subject
from app.store.journal_rows import WriteRow
from app.ui.outbox.words import look_of
from app.ui.widgets.times import moment


def draft_subject(desk: Desk, draft: OrderDraft) -> Subject:
    """What stands in the form."""
    return Subject(draft, "Draft, not sent", _practice(desk))


def sent_subject(desk: Desk, row: WriteRow, draft: OrderDraft) -> Subject:
    """What this desk has sent, or is to send: its state, since when, and what that means."""
    _, _, word, meaning = look_of(row)
    return Subject(draft, f"{word} {moment(row.changed_at)}. {meaning}", _practice(desk))


def _practice(desk: Desk) -> bool:
    return desk.profile.kind == "practice"
