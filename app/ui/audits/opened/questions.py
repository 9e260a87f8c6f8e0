"""The questions of an audit as a list: id, text and answer, with marks for low, failed, photo and flag."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem

from app.desk.audits.answer_grades import Judgement, grouped, judged
from app.desk.report.report_words import NO_QUESTION
from app.store.cache.audits.audit_rows import AnswerFacts
from app.translation import translate
from app.ui.audits.audit_columns import JUDGED
from app.ui.audits.audits_words import answer_words
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import ANSWER_HEIGHT, EDGE_PX, SPACE_1, SPACE_2
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.text.labels import plain_tooltip, visible

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Line:
    """A row: a group's name (`place` is None), or the answer at a place."""

    group: str = ""
    place: int | None = None


class QuestionsModel(QAbstractListModel):
    """The answers in the provider's order, cut into groups. A filter hides rows and changes no place."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.answers: Sequence[AnswerFacts] = ()
        self.judged: list[Judgement] = []
        self.flagged: frozenset[int] = frozenset()
        self.lines: list[Line] = []
        self._text, self._poor = "", False

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.lines)

    def flags(self, index: Index) -> Qt.ItemFlag:
        heading = index.isValid() and self.lines[index.row()].place is None
        return Qt.ItemFlag.NoItemFlags if heading else super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.lines[index.row()]
        if role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            return None
        words = visible(line.group) if line.place is None else self.words(line.place)
        return plain_tooltip(words) if role == Qt.ItemDataRole.ToolTipRole else words

    def words(self, place: int) -> str:
        """An answer as a screen reader speaks it."""
        grade = JUDGED[self.judged[place]][2]
        return answer_words(self.answers[place], grade, flagged=place in self.flagged)

    def show(self, answers: Sequence[AnswerFacts]) -> None:
        """Show these answers."""
        self.answers, self.judged = answers, judged(answers)
        self._lay_out()

    def narrow(self, text: str, *, poor: bool) -> None:
        """Show the answers that hold every word of `text`; only low and failed ones if `poor`."""
        self._text, self._poor = text, poor
        self._lay_out()

    def mark(self, flagged: frozenset[int]) -> None:
        """Mark the photos of these answers as flagged."""
        self.flagged = flagged
        if self.lines:
            self.dataChanged.emit(self.index(0), self.index(len(self.lines) - 1))

    def row_of(self, place: int) -> int | None:
        """The row of an answer, if it is shown."""
        return next((row for row, line in enumerate(self.lines) if line.place == place), None)

    def _lay_out(self) -> None:
        self.beginResetModel()
        self.lines = []
        groups = grouped(self.answers)
        for group in groups:
            shown = [place for place in group.places if self._is_shown(place)]
            if shown and len(groups) > 1:
                self.lines.append(Line(group.name or self._nameless(group.places)))
            self.lines += [Line(place=place) for place in shown]
        self.endResetModel()

    def _nameless(self, places: Sequence[int]) -> str:
        asked = any(self.answers[place].question or self.answers[place].text for place in places)
        return translate("Questions") if asked else translate("Photos without a question")

    def _is_shown(self, place: int) -> bool:
        if self._poor and self.judged[place] not in ("low", "failed"):
            return False
        each = self.answers[place]
        text = "\n".join(part.casefold() for part in (each.question, each.text, each.answer) if part)
        return all(word in text for word in self._text.casefold().split())


class QuestionsList(QListView):
    """`chosen` carries the place of the current answer."""

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.questions = QuestionsModel(self)
        self.setModel(self.questions)
        self.setItemDelegate(_AnswerDelegate(theme, self))
        self.setAccessibleName(translate("Questions and answers"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(self._on_current)
        AccessibleChoice(self, self._on_current)
        theme.changed.connect(self.viewport().update)

    def stand_on(self, place: int) -> None:
        """Make an answer the current one without emitting `chosen`; none if a filter hides it."""
        row = self.questions.row_of(place)
        if row == self.currentIndex().row():
            return
        # The photo leads here; `chosen` would lead back from the answer to its first photo.
        self.blockSignals(True)
        # A photo is never shown beside the answer to another question, so a hidden answer leaves no current one.
        self.setCurrentIndex(QModelIndex() if row is None else self.questions.index(row))
        self.blockSignals(False)

    def step(self, by: int) -> None:
        """Go to the answer so many places on, over the names of groups; at the ends nothing happens."""
        row = self.currentIndex().row() + by
        while 0 <= row < len(self.questions.lines):
            if self.questions.lines[row].place is not None:
                self.setCurrentIndex(self.questions.index(row))
                return
            row += by

    def place(self) -> int | None:
        """The place of the current answer."""
        row = self.currentIndex().row()
        return self.questions.lines[row].place if 0 <= row < len(self.questions.lines) else None

    def _on_current(self, index: QModelIndex) -> None:
        place = self.questions.lines[index.row()].place if index.isValid() else None
        if place is not None:
            self.chosen.emit(place)


class _AnswerDelegate(QStyledItemDelegate):
    """Two lines: the question, and the answer with its mark."""

    def __init__(self, theme: Theme, view: QuestionsList) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        heading = self._view.questions.lines[index.row()].place is None
        return QSize(0, SIZES.row_height if heading else SIZES.scaled(ANSWER_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = self._view.questions.lines[index.row()]
        box: QRect = option.rect
        painter.save()
        if line.place is None:
            painter.fillRect(box, self._theme.colour("raised"))
            self._write(painter, box.adjusted(SPACE_2, 0, -SPACE_2, 0), visible(line.group), "ink_soft")
        else:
            self._paint_answer(painter, box, line.place, here=self._view.currentIndex() == index)
        painter.restore()

    def _paint_answer(self, painter: QPainter, box: QRect, place: int, *, here: bool) -> None:
        model = self._view.questions
        each, (glyph, tone, _) = model.answers[place], JUDGED[model.judged[place]]
        painter.fillRect(box, self._theme.colour("selection" if here else "surface"))
        painter.fillRect(box.left(), box.bottom(), box.width(), 1, self._theme.colour("line"))
        if here:
            painter.fillRect(box.left(), box.top(), EDGE_PX, box.height(), self._theme.colour("accent"))
        upper = box.adjusted(SPACE_2, SPACE_1, -SPACE_2, -box.height() // 2)
        lower = box.adjusted(SPACE_2, box.height() // 2, -SPACE_2, -SPACE_1)
        asked = "  ".join(part for part in (each.question, each.text) if part)
        self._write(painter, upper, visible(asked) or NO_QUESTION, "ink")
        aside = " ".join(part for part in ("▣" if each.photo else "", "⚑" if place in model.flagged else "") if part)
        if aside:
            self._write(painter, lower, aside, "warn" if place in model.flagged else "ink_soft", left=False)
            lower = lower.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(aside) - SPACE_2, 0)
        if each.answer:
            self._write(painter, lower, f"{glyph} {visible(each.answer)}", tone)

    def _write(self, painter: QPainter, box: QRect, text: str, colour: str, *, left: bool = True) -> None:
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        painter.setPen(self._theme.colour(colour))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)
