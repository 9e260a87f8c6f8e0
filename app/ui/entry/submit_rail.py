"""The rail beside the form: the verdict, the list of issues, the totals, and the one primary button."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import islice, zip_longest
from operator import is_

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.contract.check import Findings
from app.contract.draft import FreightDraft, OrderDraft
from app.contract.order_rules import Issue
from app.desk.drafts.drafts_words import NOT_RETURNED
from app.desk.drafts.form_verdict import SumUp
from app.desk.drafts.scanning import number
from app.desk.sending.verdict import Verdict
from app.translation import translate
from app.ui.entry import entry_words
from app.ui.entry.form.entry_form import in_form_order, issue_place
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SUBMIT_RAIL_LOW, SUBMIT_RAIL_SHORT, SUBMIT_RAIL_WIDTH
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.layout import column, holding, rule, scrolling
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.text.labels import Tone, breakable, plain_tooltip, set_tip, set_tone, text_label, visible

_LISTED = 60
_NAMED = 6  # changed fields
_LAST_SCANS = 3
_SCAN_TONES: dict[str, Tone] = {"✕": "bad", "!": "warn"}  # by the sign that a sentence about a scan begins with
_TOTALS = (translate("Pieces"), translate("Cubic feet"), translate("Pounds"), translate("Barcodes"))


class _Wrapped(QStyledItemDelegate):
    """Gives each item the height of all its lines: Qt forgets the style sheet's padding and elides the last one."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        narrower = QStyleOptionViewItem(option)
        narrower.rect.setWidth(option.rect.width() - SPACE_3)
        return super().sizeHint(narrower, index)


class _ToDo(QListWidget):
    """As high as all its lines. The area around it scrolls, so that no list scrolls within a scrolling area."""

    def sizeHint(self) -> QSize:
        self.executeDelayedItemsLayout()
        return QSize(1, self.contentsSize().height() if self.count() else 1)  # Qt's own size is of the lines before

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class VerdictView(QFrame):
    """The verdict: `heading` stands above all, `below` holds its reasons and what sending would change."""

    def __init__(self) -> None:
        super().__init__()
        self.heading = text_label("", "heading", wrap=True)
        self.sentence = text_label("", "body", wrap=True)
        self.changes = text_label("", "soft", wrap=True)
        self.below = column(self.sentence, self.changes, gap=SPACE_1)
        self.setAccessibleName(translate("Verdict"))
        self.setLayout(column(self.heading))

    @property
    def text(self) -> str:
        """The whole verdict as text."""
        return self.accessibleDescription()

    def show_sum(self, found: SumUp, verdict: Verdict | None) -> None:
        """Show this verdict, with the changes that `verdict` names."""
        lines = "\n".join(found.lines)
        changes = "\n".join(_change_lines(verdict))
        text = " ".join(words for words in (found.heading, lines, changes) if words)
        if text == self.text:
            return
        set_tone(self.heading, found.tone)
        self.heading.setText(visible(found.heading))
        self.sentence.setText(visible(lines))
        self.changes.setText(visible(changes))
        set_tip(self.changes, changes)
        self.sentence.setVisible(bool(lines))
        self.changes.setVisible(bool(changes))
        self.setAccessibleDescription(visible(text))


class SubmitRail(QFrame):
    """Shows what the page computes; its signals report what a person chose."""

    go_to = Signal(str)  # the path of an issue
    submit_pressed = Signal()
    next_pressed = Signal()
    accept_pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("card")
        self._room = 0  # the width of the page
        SIZES.changed.connect(self._fit)
        self._fit()
        self._shown: tuple[int, list[Issue]] | None = None
        self._counted: tuple[list[FreightDraft], int] = ([], 0)
        self._list = self._make_list()
        self._figures = {name: text_label("0", "strong") for name in _TOTALS}
        # Signals, not the page's own functions: the page connects them, and the rail knows no page.
        submit = button(translate("Submit order"), self.submit_pressed.emit, kind="primary", key="Ctrl+Return")
        self.submit_button = with_icon(submit, theme, "send", "on_accent")
        tip = translate("The next order keeps the fixed fields of its template")
        self.next_button = button(entry_words.SUBMIT_AND_NEXT, self.next_pressed.emit, key="Ctrl+Shift+Return", tip=tip)
        self.saved_label = text_label("", "label", wrap=True)
        self.accept_button = button(translate("Accept filled-in values"), self.accept_pressed.emit, key="Alt+A")
        self.accept_button.hide()
        self.verdict = VerdictView()
        self._scans: tuple[str, ...] = ()
        self.scan_labels = [text_label("", "soft", wrap=True) for _ in range(_LAST_SCANS)]
        self._scanned = holding(column(rule(), text_label(entry_words.LAST_SCANS, "label"), *self.scan_labels))
        self._scanned.hide()
        self._totals = holding(column(self._scanned, rule(), self._totals_grid(), gap=SPACE_2))
        self._middle = column(
            self.verdict.below, self.accept_button, self._list, margin=(0, 0, SPACE_1, 0), gap=SPACE_2
        )
        self._middle.setStretch(2, 1)
        # This part scrolls; the heading of the verdict and the buttons stay in sight.
        self._seen = holding(self._middle, "surfaceInner")
        self._scroll = scrolling(self._seen, "surface")
        self._scroll.setMinimumHeight(1)
        self._inside = column(
            self.verdict, self._scroll, self._totals, self.submit_button, self.next_button, self.saved_label,
            margin=SPACE_3, gap=SPACE_2,
        )  # fmt: skip
        self._inside.setStretch(1, 1)
        self.setLayout(self._inside)

    def fit(self, room: int) -> None:
        """Take the width that fits a page of this width: large text is not to leave the form too little."""
        self._room = room
        self._fit()

    def _fit(self) -> None:
        wanted = max(SIZES.scaled(SUBMIT_RAIL_WIDTH), SUBMIT_RAIL_WIDTH)
        self.setFixedWidth(min(wanted, self._room * 7 // 20) if self._room else wanted)

    def _make_list(self) -> _ToDo:
        made = _ToDo()
        made.setAccessibleName(translate("Still to do"))
        made.setFrameShape(QFrame.Shape.NoFrame)
        made.setWordWrap(True)
        made.setItemDelegate(_Wrapped(made))
        made.setTextElideMode(Qt.TextElideMode.ElideNone)
        made.setResizeMode(QListView.ResizeMode.Adjust)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        made.currentItemChanged.connect(self._show_item)
        made.itemActivated.connect(self._on_item)
        made.itemClicked.connect(self._on_item)
        AccessibleChoice(made, lambda index: self._on_item(made.itemFromIndex(index)))
        return made

    def add_below(self, widget: QWidget) -> None:
        """Put something below all the rest."""
        self._inside.addWidget(widget)

    def show_findings(self, found: Findings) -> None:
        """List the issues."""
        count = found.count
        first = list(islice(in_form_order(found), _LISTED))
        # Most keys change no issue: the list is not made anew for them.
        if (count, first) == self._shown:
            return
        self._shown = (count, first)
        self._list.clear()
        for issue in first:
            words = visible(entry_words.issue_line(issue_place(issue.path), issue.sentence))
            item = QListWidgetItem(words)
            item.setData(Qt.ItemDataRole.UserRole, issue.path)
            item.setToolTip(plain_tooltip(words))
            self._list.addItem(item)
        if count > _LISTED:
            self._list.addItem(QListWidgetItem(entry_words.more_issues(count - _LISTED)))
        self._list.updateGeometry()

    def show_verdict(self, found: SumUp, verdict: Verdict | None, *, holds_filled: bool = False) -> None:
        """Show the verdict and name the buttons by what they will do."""
        self.accept_button.setVisible(holds_filled)
        before = self.verdict.heading.text()
        self.verdict.show_sum(found, verdict)
        # Another verdict is read from its beginning; the same one stays where a person has scrolled to.
        if self.verdict.heading.text() != before:
            self._scroll.verticalScrollBar().setValue(0)
        following = _next_words(found)
        for each, words in ((self.submit_button, found.action), (self.next_button, following)):
            if each.accessibleName() != words:
                each.setText(f" {words}" if each is self.submit_button else words)
                each.setAccessibleName(words)

    def _totals_grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setColumnStretch(0, 1)
        grid.setVerticalSpacing(0)
        for at, (name, figure) in enumerate(self._figures.items()):
            grid.addWidget(text_label(name, "soft"), at, 0)
            grid.addWidget(figure, at, 1, Qt.AlignmentFlag.AlignRight)
        return grid

    @property
    def totals(self) -> str:
        """The totals as one line: `Pieces 8, Cubic feet 115.5, Pounds 356, Barcodes 12`."""
        return ", ".join(f"{name} {figure.text()}" for name, figure in self._figures.items())

    def show_totals(self, draft: OrderDraft) -> None:
        """Pieces, cubic feet and pounds of the freight, as far as they are numbers, and the count of barcodes."""
        lines, barcodes = draft.freightDetails, len(draft.barcoding.barcodeItemDetails)
        if (
            barcodes == self._counted[1]
            and len(lines) == len(self._counted[0])
            and all(map(is_, lines, self._counted[0]))
        ):
            return  # rows are replaced and never written into, so the same objects hold the same numbers
        self._counted = (lines, barcodes)
        shown = [*(_sum(lines, name) for name in ("count", "volume", "weight")), f"{barcodes:,}"]
        for (name, figure), text in zip(self._figures.items(), shown, strict=True):
            figure.setText(text)
            figure.setAccessibleName(f"{name}: {text}")

    def say_scan(self, words: str) -> None:
        """Say what came of a scan, above those before it: in sight also where the form is scrolled; empty forgets."""
        self._scans = (words, *self._scans)[:_LAST_SCANS] if words else ()
        self._draw_scans()

    def _draw_scans(self) -> None:
        shown = self._scans[: 1 if self.height() < SUBMIT_RAIL_SHORT else _LAST_SCANS]
        for label, said in zip_longest(self.scan_labels, shown, fillvalue=""):
            assert not isinstance(label, str)
            label.setText(breakable(said))
            label.setAccessibleName(said)
            label.setVisible(bool(said))
            set_tone(label, _SCAN_TONES.get(said[:1], "soft"))
        if self._scanned.isHidden() != (not self._scans):
            self._scanned.setVisible(bool(self._scans))

    def say_saved(self, words: str) -> None:
        """Say whether the draft is saved."""
        self.saved_label.setText(visible(words))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The totals stay in sight too, except in a low window: there they would leave no room for the issues.
        if event.size().height() < SUBMIT_RAIL_LOW:
            self._middle.addWidget(self._totals)
        elif self._inside.indexOf(self._totals) < 0:
            self._inside.insertWidget(self._inside.indexOf(self._scroll) + 1, self._totals)
        if (event.size().height() < SUBMIT_RAIL_SHORT) != (event.oldSize().height() < SUBMIT_RAIL_SHORT):
            self._draw_scans()

    def sizeHint(self) -> QSize:
        return QSize(SUBMIT_RAIL_WIDTH, 10 * SPACE_3 + SPACE_1)

    def _show_item(self, item: QListWidgetItem | None) -> None:
        """Keep the line that has the keyboard in sight."""
        if item is not None and self._list.hasFocus():
            place = self._list.visualItemRect(item)
            for corner in (place.bottomLeft(), place.topLeft()):
                self._scroll.ensureVisible(0, self._list.viewport().mapTo(self._seen, corner).y(), 0, SPACE_1)

    def _on_item(self, item: QListWidgetItem) -> None:
        path = item.data(Qt.ItemDataRole.UserRole)
        if path:
            self.go_to.emit(path)


def _sum(lines: Sequence[FreightDraft], name: str) -> str:
    return f"{sum((number(getattr(line, name)) for line in lines), Decimal(0)).normalize():,f}"


def _next_words(found: SumUp) -> str:
    """The title of the second button; it ends in "…" if pressing it asks something first."""
    if not found.submits:
        return entry_words.SEND_AND_NEXT_ASKS if found.questions else entry_words.SEND_AND_NEXT
    return entry_words.SUBMIT_AND_NEXT_ASKS if found.questions else entry_words.SUBMIT_AND_NEXT


def _change_lines(found: Verdict | None) -> list[str]:
    """The changes that sending would make, and the record that they were compared with."""
    if found is None or not found.compared:
        return []
    returned = found.compared == "returned"
    rest = [entry_words.not_compared(NOT_RETURNED)] if returned else []
    if not found.differences:
        same = entry_words.AGAINST_RETURNED_SAME if returned else entry_words.against_sent_same(found.sent_by)
        return [same, *rest]
    lines = [
        entry_words.changed_field(issue_place(each.path), each.before, each.after)
        for each in found.differences[:_NAMED]
    ]
    more = len(found.differences) - _NAMED
    heading = entry_words.AGAINST_RETURNED if returned else entry_words.against_sent(found.sent_by)
    return [heading, *lines, *([entry_words.more_changes(more)] if more > 0 else []), *rest]
