"""The capability card: which permissions the provider grants, what each is for, what a refusal means."""

from PySide6.QtWidgets import QFrame, QGridLayout

from app.desk.connections.connection import CapabilityCard
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.layout import column
from app.ui.widgets.text.labels import Tone, set_tone, text_label, visible
from app.ui.widgets.text.times import moment

# The parts of a connection, as the form names them.
FIELDS = {
    "base_url": "Order management address",
    "info_base_url": "Order information address",
    "auth_url": "Authorisation address",
    "client_id": "Client id",
    "client_secret": "Client secret",
}
_VERDICTS: dict[bool | None, tuple[str, Tone]] = {
    True: ("✓ Yes", "good"),
    False: ("✕ No", "bad"),
    None: ("! Unknown", "warn"),
}


class CardView(QFrame):
    """Hidden until there is a card. `names_fields`: what is wrong is said here, where no form stands above."""

    def __init__(self, *, names_fields: bool = False) -> None:
        super().__init__()
        self._names_fields = names_fields
        self.busy = False  # the provider is being asked
        self.setObjectName("card")
        self.setAccessibleName("What the provider allows")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(SPACE_3)
        self._grid.setVerticalSpacing(SPACE_1)
        self._grid.setColumnStretch(2, 1)
        self._heading = text_label("", "heading", wrap=True)
        self._wrong = text_label("", wrap=True, selectable=True)
        self._foot = text_label("", "label", wrap=True)
        self.setLayout(
            column(
                self._heading, self._wrong, self._grid, self._foot,
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3), gap=SPACE_2,
            )
        )  # fmt: skip
        self.hide()

    @property
    def text(self) -> str:
        """All that the card says, for a reader."""
        return self.accessibleDescription()

    def show_busy(self) -> None:
        """The provider is being asked: nothing of what was found before stands there meanwhile."""
        self.busy = True
        self._empty()
        self._wrong.hide()
        self._heading.setText("Asking the provider…")
        set_tone(self._heading, "soft")
        self._foot.setText("")
        self.setAccessibleDescription(self._heading.text())
        self.show()

    def _empty(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def show_card(self, card: CapabilityCard) -> None:
        """Show what was found."""
        self.busy = False
        self._empty()
        self._heading.setText(visible(_heading(card)))
        set_tone(self._heading, "" if card.works else "bad")
        self._wrong.setText(visible("\n".join(f"{FIELDS[name]}: {words}" for name, words in card.wrong.items())))
        self._wrong.setVisible(bool(card.wrong) and self._names_fields)
        for at, each in enumerate(card.abilities):
            glyph, tone = _VERDICTS[each.allowed]
            verdict = text_label(glyph, "strong")
            set_tone(verdict, tone)
            words = text_label(f"{each.purpose}\n{each.scope}\n{each.sentence}", wrap=True, selectable=True)
            self._grid.addWidget(verdict, at, 0)
            self._grid.addWidget(words, at, 2)
        life = f"A token lasts {card.token_seconds:.0f} seconds. " if card.connected else ""
        self._foot.setText(
            f"{life}Tested {moment(card.at)}. Dates without a zone are the provider's local time."
            if card.connected
            else f"Tested {moment(card.at)}."
        )
        spoken = [
            self._heading.text(),
            self._wrong.text() if self._names_fields else "",
            *(f"{a.purpose}: {a.sentence}" for a in card.abilities),
            self._foot.text(),
        ]
        self.setAccessibleDescription(" ".join(each for each in spoken if each))
        self.show()


def _heading(card: CapabilityCard) -> str:
    if card.works:
        return "Connected. The provider allows:"
    return card.trouble or "The provider granted access, but not every address works."
