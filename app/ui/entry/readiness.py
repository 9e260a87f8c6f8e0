"""The rail beside the form: the one verdict, what is still missing, the totals, and the one primary button."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import islice
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
from app.desk.drafts.form_verdict import SUBMIT, SumUp
from app.desk.drafts.scanning import number
from app.desk.sending.verdict import Verdict
from app.ui.entry.form.entry_form import in_form_order, issue_place
from app.ui.entry.verdict_view import VerdictView
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import READINESS_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.layout import column, holding, rule, scrolling
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.text.labels import plain_tooltip, text_label, visible

_LISTED = 60


class _Wrapped(QStyledItemDelegate):
    """Gives each item the height of all its lines: Qt forgets the style sheet's padding, and would elide the last."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        narrower = QStyleOptionViewItem(option)
        narrower.rect.setWidth(option.rect.width() - SPACE_3)
        return super().sizeHint(narrower, index)


class _ToDo(QListWidget):
    """As high as all its lines: what is around it scrolls, so that nothing scrolls within what scrolls."""

    def sizeHint(self) -> QSize:
        self.executeDelayedItemsLayout()
        return QSize(1, self.contentsSize().height() if self.count() else 1)  # Qt's own size is of the lines before

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class Readiness(QFrame):
    """Lists the issues; choosing one asks to go to its field."""

    go_to = Signal(str)

    def __init__(
        self,
        theme: Theme,
        submit: Callable[[], object],
        submit_and_next: Callable[[], object],
        accept: Callable[[], object],
    ) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setFixedWidth(READINESS_WIDTH)
        self._shown: tuple[int, list[Issue]] | None = None
        self._counted: tuple[list[FreightDraft], int] = ([], 0)
        self._list = _ToDo()
        self._list.setAccessibleName("Still to do")
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setWordWrap(True)
        self._list.setItemDelegate(_Wrapped(self._list))
        self._list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self._list.setResizeMode(QListView.ResizeMode.Adjust)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        self._list.currentItemChanged.connect(self._show_item)
        self._list.itemActivated.connect(self._on_item)
        self._list.itemClicked.connect(self._on_item)
        AccessibleChoice(self._list, lambda index: self._on_item(self._list.itemFromIndex(index)))
        self._figures = {name: text_label("0", "strong") for name in ("Pieces", "Cubic feet", "Pounds", "Barcodes")}
        self.submit_button = with_icon(
            button("Submit order", submit, kind="primary", key="Ctrl+Return"), theme, "send", "on_accent"
        )
        self.next_button = button(
            "Submit and next",
            submit_and_next,
            key="Ctrl+Shift+Return",
            tip="The next order keeps what the template fixes",
        )
        self.kept_label = text_label("", "label", wrap=True)
        self.accept_button = button("Accept what was filled in", accept, key="Alt+A")
        self.accept_button.hide()
        self.verdict = VerdictView()
        middle = column(
            self.verdict.below,
            self.accept_button,
            self._list,
            rule(),
            self._totals(),
            margin=(0, 0, SPACE_1, 0),
            gap=SPACE_2,
        )
        middle.setStretch(2, 1)
        # In a low window this part scrolls; the heading of the verdict and what submits are always seen.
        self._seen = holding(middle, "surfaceInner")
        self._scroll = scrolling(self._seen, "surface")
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setMinimumHeight(1)
        self._inside = column(
            self.verdict, self._scroll, self.submit_button, self.next_button, self.kept_label,
            margin=SPACE_3, gap=SPACE_2,
        )  # fmt: skip
        self._inside.setStretch(1, 1)
        self.setLayout(self._inside)

    def add_below(self, widget: QWidget) -> None:
        """Put something below all the rest."""
        self._inside.addWidget(widget)

    def show_findings(self, found: Findings) -> None:
        """Say what is still to do."""
        count = found.count
        first = list(islice(in_form_order(found), _LISTED))
        if (count, first) == self._shown:
            return
        self._shown = (count, first)
        self._list.clear()
        for issue in first:
            words = visible(f"{issue_place(issue.path)}: {issue.sentence}")
            item = QListWidgetItem(words)
            item.setData(Qt.ItemDataRole.UserRole, issue.path)
            item.setToolTip(plain_tooltip(words))
            self._list.addItem(item)
        if count > _LISTED:
            self._list.addItem(QListWidgetItem(f"… and {count - _LISTED:,} more"))
        self._list.updateGeometry()

    def show_verdict(self, found: SumUp, verdict: Verdict | None, *, holds_filled: bool = False) -> None:
        """Say what all that is known comes to, and what the button will do."""
        self.accept_button.setVisible(holds_filled)
        before = self.verdict.heading.text()
        self.verdict.show_sum(found, verdict)
        if self.verdict.heading.text() != before:
            self._scroll.verticalScrollBar().setValue(0)
        asks = "…" if found.questions else ""
        following = f"Submit and next{asks}" if found.action.startswith(SUBMIT) else f"Send and next{asks}"
        for each, words in ((self.submit_button, found.action), (self.next_button, following)):
            if each.accessibleName() != words:
                each.setText(f" {words}" if each is self.submit_button else words)
                each.setAccessibleName(words)

    def _totals(self) -> QGridLayout:
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
            return  # the form's rows are replaced, never written into
        self._counted = (lines, barcodes)
        shown = [*(_sum(lines, name) for name in ("count", "volume", "weight")), f"{barcodes:,}"]
        for (name, figure), text in zip(self._figures.items(), shown, strict=True):
            figure.setText(text)
            figure.setAccessibleName(f"{name}: {text}")

    def say_kept(self, words: str) -> None:
        """Say that the draft is kept, or that it is not."""
        self.kept_label.setText(visible(words))

    def sizeHint(self) -> QSize:
        return QSize(READINESS_WIDTH, 10 * SPACE_3 + SPACE_1)

    def _show_item(self, item: QListWidgetItem | None) -> None:
        """The line that the keyboard is on is seen."""
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
