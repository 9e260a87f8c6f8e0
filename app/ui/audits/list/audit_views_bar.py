"""The views of audits, and the changes a person makes to the current one: narrowing, sorting, grouping.

The list on screen is itself an `AuditsView`. It counts as changed when it differs from the saved view of its name.
"""

from dataclasses import replace

from PySide6.QtCore import Signal

from app.desk.audits.audit_filter import EVERYTHING, Narrowing
from app.desk.audits.audit_views import AUDITS, AuditsView, view_count
from app.desk.desk import Desk
from app.ui.audits.list.audits_head import AuditsHead, narrowed_by_plot
from app.ui.audits.list.score_plot import Chosen
from app.ui.base.page import Page
from app.ui.views.views_controller import Views
from app.ui.views.views_state import ViewsState


class AuditsViewing(ViewsState[AuditsView]):
    """`shown` is the chosen view with the changes made since."""

    def __init__(self) -> None:
        super().__init__(AUDITS)
        self.shown = self.current

    def choose(self, view: AuditsView) -> None:
        """Show a view as it was saved."""
        super().choose(view)
        self.shown = view


class AuditViews(Views[AuditsView]):
    """`changed` is emitted when other audits, or another order, are to be shown."""

    changed = Signal()

    def __init__(self, page: Page, head: AuditsHead) -> None:
        self.state = AuditsViewing()
        super().__init__(page, head.views, self.state)
        self._head = head
        self._wanted = ""  # a view that was chosen before the views were read
        self._wanted_narrowing: Narrowing | None = None  # likewise
        self.may_count = True  # counting need not wait: the window has been painted
        head.filter.textChanged.connect(self._on_text)
        head.group.currentIndexChanged.connect(self._on_group)
        head.chips.narrowed.connect(self.narrow)
        head.scores_chosen.connect(self._on_dragged)
        head.ranks.chosen.connect(self._on_rank)
        self.show()

    def is_for(self, desk: Desk | None) -> bool:
        """Whether the views of this desk are loaded."""
        return desk is not None and desk is self._desk

    async def use(self, desk: Desk) -> None:
        if self.is_for(desk):
            return
        await super().use(desk)
        self.state.choose(self.state.current)
        self.apply(desk)
        self.show()
        wanted, self._wanted = self._wanted, ""
        self.choose(wanted)
        narrowing, self._wanted_narrowing = self._wanted_narrowing, None
        if narrowing is not None:
            self.narrow_alone(narrowing)

    def choose_soon(self, name: str) -> None:
        """Show this view, once the views are loaded."""
        if self.is_for(self._page.desk):
            self.choose(name)
        else:
            self._wanted = name

    def narrow_soon(self, narrowing: Narrowing) -> None:
        """Show the audits that this narrowing leaves of all, once the views are loaded."""
        if self.is_for(self._page.desk):
            self.narrow_alone(narrowing)
        else:
            self._wanted_narrowing = narrowing

    def narrow_alone(self, narrowing: Narrowing) -> None:
        """Show the audits that this narrowing leaves of all."""
        self.show_all()
        self.narrow(narrowing)

    # What `Views` asks for

    def is_changed(self, desk: Desk) -> bool:
        return self.as_view(desk, self.state.current.name) != self.state.current

    def as_view(self, desk: Desk, name: str) -> AuditsView:
        return replace(self.state.shown, name=name)

    def apply(self, desk: Desk) -> None:
        head, shown = self._head, self.state.shown
        # The view is shown whole: each signal alone would read the list for half of it.
        for each in (head.filter, head.group):
            each.blockSignals(True)
        head.filter.setText(shown.narrowing.text)
        head.group.setCurrentIndex(head.group.findData(shown.by))
        for each in (head.filter, head.group):
            each.blockSignals(False)

    async def count_of(self, desk: Desk, view: AuditsView) -> int:
        return await view_count(desk, view)

    # What a person changes

    def narrow(self, narrowing: Narrowing) -> None:
        """Show the audits that this narrowing leaves."""
        self._change(replace(self.state.shown, narrowing=narrowing))

    def sort_by(self, name: str) -> None:
        """Sort by a column; in the other direction if the list is sorted by it already."""
        shown = self.state.shown
        descending = not shown.descending if name == shown.sort else name in ("date", "number")
        self._change(replace(shown, sort=name, descending=descending))

    def worst_first(self) -> None:
        """The lowest score first, or the newest audit again."""
        shown = self.state.shown
        worst = (shown.sort, shown.descending) == ("score", False)
        self._change(replace(shown, sort="date" if worst else "score", descending=worst))

    def show_all(self) -> None:
        """Show every audit, by the view that narrows nothing where there is one."""
        everything = next((each for each in self.state.views if each.narrowing == EVERYTHING), None)
        if everything is not None:
            self.choose(everything.name)
        elif self._desk is not None:
            self.state.shown = replace(self.state.shown, narrowing=EVERYTHING)
            self.apply(self._desk)
            self._change(self.state.shown)

    def _change(self, shown: AuditsView) -> None:
        self.state.shown = shown
        self.show()
        self.changed.emit()

    def _on_text(self, text: str) -> None:
        self.narrow(replace(self.state.shown.narrowing, text=" ".join(text.split())))

    def _on_group(self) -> None:
        self._change(replace(self.state.shown, by=str(self._head.group.currentData())))

    def _on_dragged(self, chosen: Chosen | None) -> None:
        self.narrow(narrowed_by_plot(self.state.shown.narrowing, chosen))

    def _on_rank(self, name: str) -> None:
        self.narrow(self.state.shown.narrowing.toggled(self.state.shown.by, name))
