"""The line the filter is typed in: what may follow is offered below it, and what is not understood is said in words.

Typing filters at once by what is right in the text; what is being typed at the cursor is not complained about yet.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.desk.filter.filter_language import Filter, Problem
from app.ui.orders import orders_words as words
from app.ui.orders.query_state import parsed
from app.ui.theme.theme import Theme
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.text.labels import ElidedLabel, plain_tooltip, set_tone

if TYPE_CHECKING:
    from app.ui.orders.filter.completion import FilterCompletion

_PATIENCE_MS = 1_500  # for what is not right at the cursor, where more may be typed


class FilterLine(QObject):
    """`changed` at every key; `filter` is what the text asks for. `ask_values` is called for a field whose values
    are to be offered; it answers with `offer_values`."""

    changed = Signal()
    said = Signal(bool)  # whether something is said of what is not understood

    def __init__(self, theme: Theme, page: QWidget, today: Callable[[], date]) -> None:
        super().__init__(page)
        self._theme, self._page, self._today = theme, page, today
        self.editor = QLineEdit()
        self.editor.setAccessibleName(words.FILTER_ORDERS)
        self.editor.setPlaceholderText(words.FILTER_EXAMPLE)
        self.clear_button = icon_button(theme, "x", words.CLEAR_FILTER, self.editor.clear)
        self.problem = ElidedLabel("error")  # in one line, in the place of the chips
        self.ask_values: Callable[[str], None] = lambda _field: None
        self._completion: FilterCompletion | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._say_all)
        self.editor.textChanged.connect(self._on_text)
        self.editor.editingFinished.connect(self._say_all)
        set_tone(self.problem, "warn")
        self.problem.hide()

    @property
    def filter(self) -> Filter:
        """What the text asks for today: tomorrow, words such as "today" mean another day."""
        return parsed(self.editor.text(), self._today())

    def put(self, text: str) -> None:
        """Filter by this text, as if it had been typed and done."""
        self.editor.setText(text)
        self._say_all()

    def _on_text(self) -> None:
        if self.editor.hasFocus() and self._completion is None:
            self._begin_completion()
        cursor = self.editor.cursorPosition()
        self._say([each for each in self.filter.problems if not each.start <= cursor <= each.end])
        self._patience.start()
        self.changed.emit()

    def _say_all(self) -> None:
        self._patience.stop()
        self._say(self.filter.problems)

    def _say(self, problems: Sequence[Problem]) -> None:
        sentence = words.problems(problems[0].sentence, len(problems) - 1) if problems else ""
        self.problem.say(sentence)
        self.problem.setToolTip(plain_tooltip(sentence))
        self.said.emit(bool(sentence))
        self.editor.setAccessibleDescription(sentence)

    def _begin_completion(self) -> None:
        from app.ui.orders.filter.completion import FilterCompletion  # the first paint does without it

        self._completion = FilterCompletion(self._theme, self._page, self.editor, self.ask_values)

    def offer_values(self, field: str, values: Sequence[tuple[str, int]], names: Mapping[str, str]) -> None:
        """The values that orders have of a field, with how many, the most frequent first, and what people call them."""
        if self._completion is not None:
            self._completion.take_values(field, values, names)
