"""What pages and background services tell each other without knowing each other, as signals."""

from PySide6.QtCore import QObject, Signal


class News(QObject):
    """What pages tell each other without knowing each other: that the store has changed."""

    wrote = Signal()  # the journal: something was queued, sent or settled
    stored = Signal()  # the cache: orders came
    drafts = Signal()  # a draft was kept, sent or put away
    show_write = Signal(int)  # show this write in the outbox
    enter_again = Signal(int)  # take what this write sent up in the form, as a new draft
    clone_write = Signal(int)  # a new order like the one of this write
    clone_order = Signal(int)  # a new order like the provider's with this number
    change_order = Signal(int)  # take this open order up in the form, to be sent again under its reference
    cancelling = Signal(int, str)  # a cancellation of this reference can be taken back for a moment
    cancelling_many = Signal(object)  # the same of several: a mapping of their writes to their references
    take_back = Signal(object)  # these cancellations, by their writes, as far as they have not left
    show_order = Signal(int)  # show the provider's order with this number
    full_screen = Signal(bool)  # the page wants the whole screen, or no longer
    correct = Signal(int)  # take this refused or withdrawn order up in the form
