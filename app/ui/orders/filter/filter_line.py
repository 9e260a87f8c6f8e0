"""The line in which the filter is typed, with completion below it and a sentence about what is wrong in it.

Invariant: every text filters by the pieces of it that are right. The piece at the cursor is not called wrong before the
person has paused: it may only be half typed.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.desk.filter.filter_language import Filter, Problem
from app.ui.orders import orders_words as words
from app.ui.orders.query_state import parsed
from app.ui.theme.theme import Theme
from app.ui.widgets.buttons import button, icon_button
from app.ui.widgets.text.labels import ElidedLabel, ampersands, plain_tooltip, set_tone

if TYPE_CHECKING:
    from app.ui.orders.filter.completion import FilterCompletion

_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_PATIENCE_MS = 1_500  # until a problem at the cursor is shown


class _Editor(QLineEdit):
    """Down goes to the rows. `down` does not come while suggestions are open, which Down chooses from.

    Leaves Alt with a letter to the page, also where its key has nothing to act on. (Qt types the letter.)
    """

    down = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # On macOS, Alt types letters that have no key of their own.
        alone = event.modifiers() == Qt.KeyboardModifier.AltModifier and sys.platform != "darwin"
        if alone and event.text().isprintable() and event.text():
            event.ignore()
        elif event.key() == Qt.Key.Key_Down and event.modifiers() in _PLAIN:
            self.down.emit()
        else:
            super().keyPressEvent(event)


class FilterLine(QObject):
    """`editor`, `clear_button`, `problem` and `instead_button` are put into the page's layout by the page."""

    changed = Signal()  # at every key
    clear_asked = Signal()  # to show all orders of the list again
    problem_shown = Signal(bool)  # whether `problem` has something to say
    values_wanted = Signal(str)  # the field whose values completion offers; `offer_values` is the answer

    def __init__(self, theme: Theme, page: QWidget, today: Callable[[], date]) -> None:
        super().__init__(page)
        self._theme, self._page, self._today = theme, page, today
        self.editor = _Editor()
        self.editor.setAccessibleName(words.FILTER_ORDERS)
        self.editor.setPlaceholderText(words.FILTER_EXAMPLE)
        self.clear_button = icon_button(theme, "x", words.CLEAR_FILTER, self.clear_asked.emit)
        self.problem = ElidedLabel("error")  # in one line, in the place of the chips
        self.instead_button = button("", self._put_instead)
        self.instead_button.setProperty("kind", "chip")
        self._shown_problem: Problem | None = None
        self._completion: FilterCompletion | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._show_all_problems)
        self.editor.textChanged.connect(self._on_text)
        self.editor.editingFinished.connect(self._show_all_problems)
        set_tone(self.problem, "warn")
        self.problem.hide()
        self.instead_button.hide()

    @property
    def filter(self) -> Filter:
        """The filter that the text means today: tomorrow, words such as "today" mean another day."""
        return parsed(self.editor.text(), self._today())

    def set_text(self, text: str) -> None:
        """Filter by this text, as if a person had typed it and gone on."""
        self.editor.setText(text)
        self._show_all_problems()

    def _on_text(self) -> None:
        if self.editor.hasFocus() and self._completion is None:
            self._begin_completion()
        cursor = self.editor.cursorPosition()
        self._show_problems([each for each in self.filter.problems if not each.start <= cursor <= each.end])
        self._patience.start()
        self.changed.emit()

    def _show_all_problems(self) -> None:
        self._patience.stop()
        self._show_problems(self.filter.problems)

    def _show_problems(self, problems: Sequence[Problem]) -> None:
        self._shown_problem = problems[0] if problems else None
        instead = problems[0].instead if problems else ""
        self.instead_button.setText(ampersands(words.filter_instead(instead)))
        self.instead_button.setAccessibleName(words.filter_instead(instead))
        sentence = words.problems(problems[0].sentence, len(problems) - 1) if problems else ""
        self.problem.say(sentence)
        self.problem.setToolTip(plain_tooltip(sentence))
        self.problem_shown.emit(bool(sentence))
        self.editor.setAccessibleDescription(sentence)

    def show_instead(self, *, shown: bool) -> None:
        """Offer what may have been meant, where something comes near."""
        self.instead_button.setVisible(shown and self._shown_problem is not None and bool(self._shown_problem.instead))

    def _put_instead(self) -> None:
        """Replace what is not understood by what may have been meant."""
        problem, text = self._shown_problem, self.editor.text()
        if problem is not None and problem in self.filter.problems:
            self.editor.setFocus()
            self.set_text(text[: problem.start] + problem.instead + text[problem.end :])

    def _begin_completion(self) -> None:
        from app.ui.orders.filter.completion import FilterCompletion  # the first paint does without it

        self._completion = FilterCompletion(self._theme, self._page, self.editor)
        self._completion.values_wanted.connect(self.values_wanted)

    def offer_values(self, field: str, values: Sequence[tuple[str, int]], names: Mapping[str, str]) -> None:
        """The values of a field and how many orders have each, the most frequent first; `names` are those of codes."""
        if self._completion is not None:
            self._completion.offer_values(field, values, names)
