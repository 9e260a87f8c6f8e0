"""A list of records that hold records or lists: a card for each element, with buttons to move and remove it.

Invariant: an element that has no card yet is kept as it was put. Cards are made a few at a time.
"""

from collections.abc import Iterable
from functools import partial

from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from app.desk.console.forms.exact_json import ABSENT, Absent, Path, Value
from app.desk.console.forms.shapes import ANY
from app.desk.console.forms.typed_value import blank
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, icon_button, with_icon
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.shape_form import shape_form_words as words
from app.ui.widgets.shape_form.folded_part import FoldedPart
from app.ui.widgets.shape_form.form_part import Finding, Part, Place
from app.ui.widgets.text.labels import ampersands, text_label, visible

CARDS_AT_ONCE = 10


class ListPart(FoldedPart):
    """The elements in their order. One removal can be undone."""

    def make_body(self) -> QWidget:
        self._cards: list[_Card] = []
        self._rest: list[Value] = []  # elements behind the cards, which have none yet
        self._removed: tuple[int, Value] | None = None
        theme = self.kit.theme
        self._add_one = with_icon(button(words.add(self.place.label), self.add_one, kind="quiet"), theme, "plus")
        self._more = button("", self.show_more, kind="quiet")
        self._back = with_icon(button(words.PUT_BACK, self.put_back, kind="quiet"), theme, "undo-2")
        self._lines: QVBoxLayout = column(gap=SPACE_2)
        return holding(column(self._lines, row(self._add_one, self._more, self._back, None, gap=SPACE_1), gap=SPACE_1))

    def fits(self, value: Value | Absent) -> bool:
        return isinstance(value, list)

    def empty(self) -> Value:
        return []

    def show_value(self, value: Value) -> None:
        assert isinstance(value, list)
        # Cards are used again: making them takes longest, and the keyboard may be in one of them.
        for card, element in zip(self._cards, value, strict=False):
            card.part.put(element)
        for card in self._cards[len(value) :]:
            card.leave()
        del self._cards[len(value) :]
        self._rest, self._removed = list(value[len(self._cards) :]), None
        self._show_some(CARDS_AT_ONCE - len(self._cards))

    def body_value(self) -> Value | Absent:
        """The elements of the cards, then those that have none yet."""
        found = (card.part.value() for card in self._cards)
        return [*(None if each is ABSENT else each for each in found), *self._rest]

    def mistakes(self) -> Iterable[Finding]:
        if self.is_open:
            for at, card in enumerate(self._cards):
                yield from (((at, *path), sentence) for path, sentence in card.part.mistakes())

    def show_inner(self, found: list[Finding]) -> None:
        for at, card in enumerate(self._cards):
            card.part.show_issues([(path[1:], sentence) for path, sentence in found if path[0] == at])
        beyond = [sentence for path, sentence in found if not isinstance(path[0], int) or path[0] >= len(self._cards)]
        self._said.setText(visible(" ".join(beyond[:1])) or self._said.text())
        self._said.setVisible(bool(self._said.text()))

    def show_issues_now(self) -> None:
        if self.is_open:
            for card in self._cards:
                card.part.show_issues_now()

    def enter(self, path: Path) -> None:
        at = path[0] if path and isinstance(path[0], int) else 0
        if at >= len(self._cards):
            self._show_some(at + 1 - len(self._cards))
        if at < len(self._cards):
            self._cards[at].part.go_to(path[1:])
        else:
            self._add_one.setFocus()
            self.went.emit(self.widget)

    def add(self) -> None:
        """Open the list, with one element to fill in."""
        super().add()
        if not self._cards:
            self.add_one()

    # Elements

    def add_one(self) -> None:
        """Add an element at the end and go there."""
        # All cards first: an element that is added stands at the end of the list, not of what is shown of it.
        self._show_some(len(self._rest))
        made = blank(self.shape.element)
        self._insert(len(self._cards), {} if made is ABSENT else made)
        self._tell()
        self._cards[-1].part.go_to(())

    def show_more(self) -> None:
        """Make cards for more of a long list."""
        self._show_some(CARDS_AT_ONCE)

    def put_back(self) -> None:
        """Put back the element that was removed last."""
        if self._removed is not None:
            at, value = self._removed
            self._insert(min(at, len(self._cards)), value)
            self._removed = None
            self._tell()
            self._cards[min(at, len(self._cards) - 1)].part.go_to(())

    def _remove_one(self, card: "_Card") -> None:
        at = self._cards.index(card)
        value = card.part.value()
        self._removed = (at, {} if value is ABSENT else value)
        del self._cards[at]
        self._back.show()
        self._back.setFocus()
        card.leave()
        self._tell()

    def _move(self, card: "_Card", by: int) -> None:
        at = self._cards.index(card)
        if not self._cards or not 0 <= at + by < len(self._cards):
            return
        self._cards.insert(at + by, self._cards.pop(at))
        self._lines.removeWidget(card.frame)
        self._lines.insertWidget(at + by, card.frame)
        card.frame.show()
        self._tell()
        card.buttons[by].setFocus()

    def _show_some(self, count: int) -> None:
        for _ in range(min(count, len(self._rest))):
            self._insert(len(self._cards), self._rest.pop(0))
        self._refresh()

    def _insert(self, at: int, value: Value) -> None:
        card = _Card(self, at)
        self._cards.insert(at, card)
        self._lines.insertWidget(at, card.frame)
        card.part.put(value)
        card.part.changed.connect(self.changed)
        card.part.went.connect(self.went)
        self._refresh()

    def _tell(self) -> None:
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        for at, card in enumerate(self._cards):
            card.number(at, last=at + 1 == len(self._cards) and not self._rest)
        more = min(len(self._rest), CARDS_AT_ONCE)
        self._more.setText(ampersands(words.more_elements(more)))
        self._more.setVisible(more > 0)
        self._back.setVisible(self._removed is not None)


class _Card:
    """One element: its number, its buttons, its part."""

    def __init__(self, owner: ListPart, at: int) -> None:
        kit, place = owner.kit, owner.place
        shape = owner.shape.element or ANY
        self._label = place.label
        self.part: Part = kit.make(kit, shape, Place("", "", True, place.depth + 1))
        self._heading = text_label("", "label")
        self.buttons: dict[int, QPushButton] = {
            by: icon_button(kit.theme, icon, "", partial(owner._move, self, by))
            for by, icon in ((-1, "arrow-up"), (1, "arrow-down"))
        }
        self._remove = icon_button(kit.theme, "trash-2", "", partial(owner._remove_one, self))
        for each in (*self.buttons.values(), self._remove):
            each.setProperty("tight", True)
        self.frame = QFrame()
        self.frame.setObjectName("card")
        head = row(self._heading, None, *self.buttons.values(), self._remove)
        sides = (SPACE_3, SPACE_1, SPACE_3, SPACE_1)
        self.frame.setLayout(column(head, self.part.widget, margin=sides, gap=SPACE_1))
        self.number(at, last=True)

    def number(self, at: int, *, last: bool) -> None:
        """Show the place in the list."""
        title = words.element(self._label, at + 1)
        self._heading.setText(visible(title))
        self.frame.setAccessibleName(visible(title))
        for by, sentence in ((-1, words.MOVE_UP), (1, words.MOVE_DOWN)):
            self._name(self.buttons[by], sentence.format(label=title))
        self._name(self._remove, words.REMOVE.format(label=title))
        self.buttons[-1].setEnabled(at > 0)
        self.buttons[1].setEnabled(not last)

    @staticmethod
    def _name(key: QPushButton, name: str) -> None:
        key.setAccessibleName(visible(name))

    def leave(self) -> None:
        """Take the card off the screen."""
        self.frame.hide()
        self.frame.deleteLater()
