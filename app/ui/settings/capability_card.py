"""The capability card: which permissions the provider grants, what each is for, what a refusal means."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from app.contract.codes import SCOPE_INFO_AUDITS, SCOPE_INFO_ORDERS, SCOPE_INTEGRATION, SCOPE_ORDERS, SCOPE_QUOTES
from app.desk.connections.connection import CapabilityCard
from app.desk.connections.legs import CardLeg
from app.ui.base.rail import ENTRIES
from app.ui.settings import settings_words as words
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.layout import column, drop_items
from app.ui.widgets.text.labels import Tone, set_tone, text_label, visible

_TOP = Qt.AlignmentFlag.AlignTop
# The pages that a permission opens, by their names on the rail; those that are not there are not named.
_PAGES = {
    SCOPE_INFO_ORDERS: ("orders", "loads"),
    SCOPE_ORDERS: ("entry", "outbox", "trucks", "facilities", "console"),
    SCOPE_INFO_AUDITS: ("audits",),
    SCOPE_QUOTES: ("quotes", "console"),
    SCOPE_INTEGRATION: ("console",),
}


class CardView(QFrame):
    """Hidden until there is a card. `names_fields`: what is wrong is told here, since no form stands above."""

    def __init__(self, *, names_fields: bool = False) -> None:
        super().__init__()
        self._names_fields = names_fields
        self.busy = False  # the provider is being asked
        self.setObjectName("card")
        self.setAccessibleName(words.CARD_NAME)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(SPACE_3)
        self._grid.setVerticalSpacing(SPACE_1)
        self._grid.setColumnStretch(2, 1)
        self._heading = text_label("", "heading", wrap=True)
        self._wrong = text_label("", wrap=True, selectable=True)
        self._foot = text_label("", "label", wrap=True)
        self.way = WayView()
        self.setLayout(
            column(
                self._heading, self._wrong, self._grid, self.way, self._foot,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_2,
            )
        )  # fmt: skip
        self.hide()

    @property
    def text(self) -> str:
        """All that the card says, for a reader."""
        return self.accessibleDescription()

    def show_busy(self) -> None:
        """The provider is being asked: show nothing of the test before."""
        self.busy = True
        drop_items(self._grid)
        self._wrong.hide()
        self._heading.setText(words.CARD_BUSY)
        set_tone(self._heading, "soft")
        self._foot.setText("")
        self.way.show_legs(())
        self.setAccessibleDescription(self._heading.text())
        self.show()

    def show_card(self, card: CapabilityCard) -> None:
        """Show what was found."""
        self.busy = False
        drop_items(self._grid)
        self._heading.setText(visible(_heading(card)))
        set_tone(self._heading, "" if card.works else "bad")
        lines = [f"{words.FIELDS[name]}: {wrong}" for name, wrong in card.wrong.items()] if self._names_fields else []
        if card.works and card.failed is not None:  # such as the clock: no hindrance, and below what the eye sees first
            lines.append(card.failed.trouble)
        self._wrong.setText(visible("\n".join(lines)))
        self._wrong.setVisible(bool(lines))
        for at, each in enumerate(card.abilities):
            glyph, tone = words.ALLOWED[each.allowed]
            verdict = text_label(glyph, "strong")
            set_tone(verdict, tone)
            parts = [each.purpose, each.scope, each.sentence]
            if each.allowed and (pages := pages_of(each.scope)):
                parts[2] = f"{each.sentence} {words.opens(pages)}"
            label = text_label("\n".join(parts), wrap=True, selectable=True)
            self._grid.addWidget(verdict, at, 0)
            self._grid.addWidget(label, at, 2)
        self.way.show_legs(card.legs)
        self._foot.setText(visible(words.card_foot(card)))
        spoken = [
            self._heading.text(),
            self._wrong.text(),
            *(f"{a.purpose}: {a.sentence}" for a in card.abilities),
            _legs_spoken(card.legs),
            self._foot.text(),
        ]
        self.setAccessibleDescription(" ".join(each for each in spoken if each))
        self.show()


def pages_of(scope: str) -> list[str]:
    """The titles of the pages that a permission opens."""
    titles = {each.name: each.title for each in ENTRIES}
    return [titles[name] for name in _PAGES.get(scope, ()) if name in titles]


def _heading(card: CapabilityCard) -> str:
    if card.works:
        return words.CARD_WORKS
    failed = card.failed
    if failed is None:
        return card.trouble or words.CARD_WRONG_ADDRESS
    # What the leg says stands beside it, and is not said twice.
    said = card.trouble if card.connected or card.trouble != failed.trouble else ""
    parts = [said or (words.CARD_WRONG_ADDRESS if card.connected else ""), words.stopped_at(failed)]
    return " ".join(each for each in parts if each)


class WayView(QWidget):
    """The legs of a connection test as lines: whether each holds, where it leads, how long it took, and what to do.

    Hidden while there are no legs.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(words.WAY)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_3)
        self._grid.setVerticalSpacing(SPACE_1)
        self._grid.setColumnStretch(4, 1)
        self.setLayout(self._grid)
        self.hide()

    def show_legs(self, legs: Sequence[CardLeg]) -> None:
        """Show these in place of those before."""
        drop_items(self._grid)
        for at, leg in enumerate(legs):
            glyph, tone = _look_of(leg)
            sign = text_label(glyph, "strong")
            set_tone(sign, tone)
            said = text_label(leg.trouble or leg.facts, wrap=True, selectable=True)
            set_tone(said, "bad" if leg.trouble else "soft")
            took = text_label(words.took(leg.seconds) if leg.seconds is not None else "", "soft")
            place = text_label(leg.place, "soft", selectable=True)
            for across, widget in enumerate((sign, text_label(words.LEGS[leg.kind]), place, took)):
                right = Qt.AlignmentFlag.AlignRight if widget is took else Qt.AlignmentFlag.AlignLeft
                self._grid.addWidget(widget, at, across, _TOP | right)
            self._grid.addWidget(said, at, 4, _TOP)
        self.setVisible(bool(legs))


def _look_of(leg: CardLeg) -> tuple[str, Tone]:
    """The sign and colour of a leg."""
    if leg.trouble:
        return "✕", "bad"
    return ("✓", "good") if leg.tried else ("–", "soft")


def _legs_spoken(legs: Sequence[CardLeg]) -> str:
    """The legs as a screen reader says them."""
    return " ".join(words.leg_spoken(leg) for leg in legs)
