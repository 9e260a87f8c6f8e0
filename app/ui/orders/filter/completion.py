"""Completion of the filter line: names of fields, and values that orders have.

Invariant: nothing waits for the store. Names are offered at once; values are offered once they have come, if they are
still what is typed.
"""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.desk.filter.filter_completion import Completion, complete
from app.ui.theme.theme import Theme
from app.ui.widgets.choosing.suggestions import Completer, Suggestion, SuggestionList

Values = Sequence[tuple[str, int]]


class FilterCompletion(QObject):
    """Completes what is typed in `editor`; its list floats over `page`."""

    values_wanted = Signal(str)  # the values of this field; `offer_values` is the answer

    def __init__(self, theme: Theme, page: QWidget, editor: QLineEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._values: dict[str, Values] = {}
        self._names: dict[str, str] = {}  # of codes
        self._wanted = ""  # the field whose values are on the way
        self.list = SuggestionList(theme, page)
        self.completer = Completer(editor, self.list, in_grid=True, goes_on=True)
        self.completer.wanted.connect(self._offer)
        self.completer.taken.connect(self._take)
        self.completer.open()

    def offer_values(self, field: str, values: Values, names: Mapping[str, str]) -> None:
        """The store has these values of a field; `names` are those of codes."""
        self._values[field] = values
        self._names = {**self._names, **names}
        if field == self._wanted:
            self._wanted = ""
            self._offer(self._editor.text(), asking=False)

    def _offer(self, text: str, *, asking: bool = True) -> None:
        missing: list[str] = []

        def values_of(field: str) -> Values:
            if field not in self._values or asking:
                missing.append(field)
            return self._values.get(field, ())

        found = complete(text, self._editor.cursorPosition(), values_of, self._names)
        if missing and asking:
            self._wanted = missing[0]
            self.values_wanted.emit(missing[0])
        self.completer.offer(text, [Suggestion(each.typed, each.words, each) for each in found])

    def _take(self, taken: object, _by_tab: bool) -> None:
        assert isinstance(taken, Completion)
        text, cursor = self._editor.text(), self._editor.cursorPosition()
        more = taken.typed.endswith(":")  # its values are offered next
        put = taken.typed if more or text[cursor : cursor + 1] == " " else f"{taken.typed} "
        self._editor.setText(text[: taken.start] + put + text[cursor:])
        self._editor.setCursorPosition(taken.start + len(put))
        if more:
            self.completer.open()
