"""From the audit that is open to another of the list, in the order in which the list stood when it was opened."""

from collections.abc import Callable

from app.store.cache.audits.audit_rows import AuditQuery
from app.store.journal.review_store import Marked
from app.ui.audits.opened.opened_audit import AuditView
from app.ui.base.page import Page

_REVIEWED = "all reviewed"  # a topic of the bar


class GoingOn:
    """`query` is what the list shows, `marked` what was said of its audits."""

    def __init__(
        self, page: Page, view: AuditView, query: Callable[[], AuditQuery], marked: Callable[[], Marked]
    ) -> None:
        self._page, self._view, self._query, self._marked = page, view, query, marked
        self._order: list[int] = []
        view.stepped.connect(self.step)
        view.unreviewed.connect(self.next_unreviewed)

    def learn(self) -> None:
        """An audit was opened: which come before and after it is read from the list."""
        self._page.tasks.read("order", self._learn())

    async def _learn(self) -> None:
        from app.desk.audits import audit_sync  # brings the client's models

        self._order = await audit_sync.numbers(self._page.desk, self._query())
        self.say()

    def say(self) -> None:
        """Say how far the pile is gone through; something may have been said of its audits."""
        if self._view.number not in self._order:
            self._view.say_progress("")
            return
        reviewed = self._marked().reviewed
        place, left = self._order.index(self._view.number) + 1, sum(each not in reviewed for each in self._order)
        self._view.say_progress(f"{place:,} of {len(self._order):,} · {left:,} not reviewed")

    def step(self, by: int) -> None:
        """Open the audit so many places on in the list; at its ends nothing happens."""
        if self._view.number in self._order:
            place = self._order.index(self._view.number) + by
            if 0 <= place < len(self._order):
                self._go(self._order[place])

    def next_unreviewed(self) -> None:
        """Open the next audit of the list that is not reviewed; the one that was open counts as reviewed already."""
        here = self._order.index(self._view.number) if self._view.number in self._order else -1
        later = [*self._order[here + 1 :], *self._order[: max(here, 0)]]
        reviewed = self._marked().reviewed
        found = next((each for each in later if each not in reviewed), None)
        if found is None:
            self._page.bar.say("good", "Every audit of this list is reviewed.", topic=_REVIEWED)
        else:
            self._go(found)

    def withdraw(self) -> None:
        """The list is another one: what was said of it is over."""
        self._page.bar.withdraw(_REVIEWED)

    def _go(self, number: int) -> None:
        self.withdraw()
        self._view.show_audit(number)
        self.say()
