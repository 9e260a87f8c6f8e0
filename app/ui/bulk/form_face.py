"""One order of the file in the order form, and the way back: what is typed there goes into the cells of its rows."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.ui.bulk import bulk_page_words as words
from app.ui.entry.form.entry_form import OrderForm, in_form_order
from app.ui.entry.form.facility_doubt import FacilityDoubter
from app.ui.entry.form.field_suggestions import FieldSuggestions
from app.ui.entry.form.freight_suggestions import FreightSuggestions
from app.ui.entry.form.layout_data import SECTIONS
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_5
from app.ui.widgets.buttons import button, shortcut, with_icon
from app.ui.widgets.choosing.suggestions import SuggestionList
from app.ui.widgets.layout import column, row, scrolling
from app.ui.widgets.text.labels import ElidedLabel, text_label

_CHECK_AFTER_MS = 15


class FormFace(QWidget):
    """`taken` carries the draft to write into the cells; `left` says that nothing is to be written."""

    taken = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, tasks: Tasks) -> None:
        super().__init__()
        self._before = OrderDraft()
        self.form = OrderForm(theme)
        suggestions = SuggestionList(theme, self)
        self._suggestions = (
            FieldSuggestions(self.form, tasks, suggestions),
            FreightSuggestions(self.form.lists["freightDetails"], tasks, suggestions),
        )
        self._doubter = FacilityDoubter(self.form, tasks)
        self.title = ElidedLabel("title")
        self.count = text_label("", "soft")
        back = with_icon(button(words.BACK_UNCHANGED, self.left.emit, kind="quiet", tip="Esc"), theme, "x")
        self.take_button = button(words.TAKE_INTO_FILE, self._take, kind="primary", key="Ctrl+Return")
        self._scroll = scrolling(self.form)
        head = row(self.title, None, self.count, back, self.take_button, gap=SPACE_2)
        whole = column(head, self._scroll, margin=SPACE_3, gap=SPACE_2)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        self._check_later = QTimer(self)
        self._check_later.setSingleShot(True)
        self._check_later.setInterval(_CHECK_AFTER_MS)
        self._check_later.timeout.connect(self._check)
        self.form.changed.connect(self._check_later.start)
        self.form.went.connect(self._make_visible)
        self._scroll.verticalScrollBar().valueChanged.connect(suggestions.close_list)
        keys: list[tuple[str, Callable[[], object]]] = [("F4", self.go_to_next)]
        keys += [
            (f"Alt+{place}", partial(self.form.go_to_section, plan.title)) for place, plan in enumerate(SECTIONS, 1)
        ]
        for key, act in keys:
            shortcut(self, key, act)

    def take_desk(self, desk: Desk) -> None:
        """Suggest what this desk knows."""
        for each in (*self._suggestions, self._doubter):
            each.take_desk(desk)

    def look_at_facility(self) -> None:
        """Doubt the order's facility by the facilities that this desk knows now."""
        self._doubter.look()

    def show_order(self, draft: OrderDraft, title: str, path: str) -> None:
        """Show an order, with the keyboard in the field at `path`, or in the first one that is wrong."""
        self.form.load(draft)
        self._doubter.look()
        self._before = self.form.draft()
        self.title.say(title)
        self._check()
        self.form.show_all_issues()
        if path:
            self.form.go_to(path)
        else:
            self.go_to_next()

    @property
    def is_changed(self) -> bool:
        """Whether something was typed."""
        return self.form.draft() != self._before

    def go_to_next(self) -> None:
        """Put the keyboard into the first field with an issue, else on the button."""
        wrong = next(in_form_order(self.form.check()), None)
        if wrong is None:
            self.take_button.setFocus()
        else:
            self.form.go_to(wrong.path)

    def _check(self) -> None:
        self.count.setText(words.errors(self.form.check().count))

    def _take(self) -> None:
        if self.is_changed:
            self.form.accept_all()  # taking the order into the file is a yes to what was filled in
            self.taken.emit(self.form.draft())
        else:
            self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _make_visible(self, widget: QWidget) -> None:
        top = widget.mapTo(self.form, QPoint(0, 0)).y() - 2 * SPACE_5
        for edge in (top + widget.height() + 4 * SPACE_5, top):
            self._scroll.ensureVisible(0, edge, 0, 0)
