"""Offers below the fields of a form: what this desk knows by the name of a field, and the allowed values of a cell.

Invariant: nothing is filled in unless a person takes it.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid

from app.desk.console.forms.shapes import Shape
from app.desk.console.forms.typed_value import text_shown
from app.desk.console.known_choices import choices, has_choices
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.theme.theme import Theme
from app.ui.widgets import widget_words
from app.ui.widgets.choosing.suggestions import Completer, Suggestion, SuggestionList

Filler = Callable[[str], object]  # fills in the text that was taken
More = Callable[[str], Sequence[Suggestion]]  # what else continues a text; values are texts


class KnownOffers(QObject):
    """One for a page; its list floats over the page. `more` offers for any text first, whatever the field is."""

    def __init__(self, theme: Theme, page: QWidget, tasks: Tasks, more: More | None = None) -> None:
        super().__init__(page)
        self.shown = SuggestionList(theme, page)
        self._tasks, self._more = tasks, more
        self._desk: Desk | None = None

    def take_desk(self, desk: Desk) -> None:
        """Offer what is known at this desk."""
        self._desk = desk
        self.close()

    def close(self) -> None:
        """Close the list: its offers are for the form of before."""
        self.shown.close_list()

    def attach(self, editor: QLineEdit, name: str, shape: Shape, fill: Filler, *, in_grid: bool = False) -> None:
        """Complete an editor by the name of its value, or by the values that its shape allows."""
        limited = bool(shape.enum) or shape.kind == "boolean"
        known = name if not limited and has_choices(name) else ""
        if known or limited or self._more is not None:
            completer = Completer(editor, self.shown, in_grid=in_grid)
            completer.wanted.connect(partial(self._on_wanted, completer, known, shape))
            completer.taken.connect(partial(self._on_taken, fill))

    def _on_wanted(self, completer: Completer, known: str, shape: Shape, text: str) -> None:
        more = [] if self._more is None else list(self._more(text))
        if more or not known:
            completer.offer(text, [*more, *_allowed(shape, text)])
        elif self._desk is not None:
            self._tasks.read("known", self._ask(self._desk, completer, known, text))

    async def _ask(self, desk: Desk, completer: Completer, known: str, text: str) -> None:
        offers, sentence = [], ""
        try:
            found = await choices(desk, known, text)
            offers = [Suggestion(each.value, each.description, each.value) for each in found if each.value != text]
        except StoreError as error:
            sentence = widget_words.suggestions_unreadable(error.sentence)
        if isValid(completer):  # a cell's editor may have been deleted meanwhile
            completer.offer(text, offers, sentence)

    def _on_taken(self, fill: Filler, taken: object, _by_tab: bool) -> None:
        fill(str(taken))


def _allowed(shape: Shape, text: str) -> list[Suggestion]:
    """The allowed values that begin with what is typed; all of them for a whole one."""
    titles = [text_shown(each, shape) for each in shape.enum if each is not None]
    titles += ["true", "false"] if shape.kind == "boolean" and not shape.enum else []
    typed = text.strip()
    begin = "" if typed in titles else typed.casefold()
    return [Suggestion(each, "", each) for each in titles if each.casefold().startswith(begin) and each != typed]
