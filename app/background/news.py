"""The signals by which pages and background services hear of changes without knowing each other.

A page that changes the send queue emits `queue_changed`, from which `wrote` follows. The sender is woken by the first
signal and emits the second, so it never hears its own news.
"""

from PySide6.QtCore import QObject, Signal


class News(QObject):
    """The signals of all changes of the stores, and of all requests of one page to another."""

    # Changes
    queue_changed = Signal()  # a person or the settler changed the send queue: the sender reads it again
    wrote = Signal()  # the journal has changed: read it again
    stored = Signal()  # orders were stored in the cache
    drafts = Signal()  # a draft was saved, sent or closed
    reviewed = Signal()  # a review was saved here
    others_reviewed = Signal()  # reviews of others of the team were stored
    scanned = Signal()  # a barcode was taken by a scan
    presence = Signal()  # the team has other people, or one of them begins or ends to work on something
    folder_chosen = Signal()  # another folder is to be watched for files, or none
    # Requests
    new_order = Signal()  # begin an empty order
    show_write = Signal(int)  # show this write in the outbox
    show_import = Signal(int)  # show the writes of this import in the outbox
    show_order = Signal(int)  # show the provider's order with this number
    show_orders = Signal(str)  # show the orders that this filter finds
    show_writes = Signal(object, str)  # show these writes in the outbox: their ids, and what they are called
    show_audits = Signal(object, str)  # show the audits of this narrowing; of a question, how they answered it
    show_plot = Signal(str)  # show this plot among the insights, by its name
    correct = Signal(int)  # open this refused or withdrawn write in the form
    enter_again = Signal(int)  # open what this write sent in the form, as a new draft
    clone_write = Signal(int)  # begin a new order like the one of this write
    clone_order = Signal(int)  # begin a new order like the provider's with this number
    show_load = Signal(str)  # show this load on the loads page
    show_request = Signal(object)  # show this quote or truck that was sent (`request_store.RequestRow`)
    look_up_known = Signal(str, object)  # ask for this kind of reference data, by a mapping of values
    change_order = Signal(int)  # open this open order in the form, to be sent again under its reference
    cancelling = Signal(int, str)  # offer to undo the cancellation with this write and reference
    cancelling_many = Signal(object)  # offer to undo several cancellations: a mapping of writes to references
    undo_cancellations = Signal(object)  # undo these cancellations, by their writes, as far as they have not left
    full_screen = Signal(bool)  # the page wants the whole screen, or no longer

    def __init__(self) -> None:
        super().__init__()
        self.queue_changed.connect(self.wrote)
