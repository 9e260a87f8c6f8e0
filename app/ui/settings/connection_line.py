"""A connection in the list of the settings: its colour, name and place, what can be done with it, and the result of its
test below."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton

from app.store.journal.profile_store import Profile
from app.translation import translate
from app.ui.settings import settings_words as words
from app.ui.settings.capability_card import CardView
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.widgets.buttons import button
from app.ui.widgets.connection_colour import ColourMark, name_of_colour
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import text_label, visible

LINE_OF = "lineOf"  # a button's property: the id of the connection in whose line it stands


class ConnectionLine(QFrame):
    """A connection in the list, with its buttons and the result of its test below them."""

    use_asked = Signal(str)  # the id of the connection
    test_asked = Signal(object, object)  # the connection, and the card that shows the result
    change_asked = Signal(object)
    remove_asked = Signal(object)

    def __init__(
        self, theme: Theme, profile: Profile, *, in_use: bool, given: bool = False, changeable: bool = True
    ) -> None:
        """`given`: by an administrator; only the secret is a person's own."""
        super().__init__()
        self._profile = profile
        self.setAccessibleName(visible(profile.name))
        self.card = CardView(names_fields=True)
        practice = profile.kind == "practice"
        kind = words.PRACTICE_KIND if practice else dict(words.KINDS)[profile.kind]
        place = "" if practice else words.connection_place(profile.base_url, profile.client_id)
        by_whom = words.GIVEN if given else ""
        labels = column(
            text_label(words.connection_name(profile.name, in_use=in_use), "strong"),
            text_label(" · ".join(part for part in (kind, place, by_whom) if part), "soft", wrap=True),
        )
        keys = [] if in_use else [self._button(translate("Use"), self._use)]
        if not practice:
            change = self._button(words.CHANGE_SECRET if given else translate("Change"), self._change)
            keys += [self._button(translate("Test"), self._test), *([change] if given or changeable else [])]
            keys += [] if in_use or given else [self._button(translate("Remove"), self._remove)]
        mark = ColourMark(theme, name_of_colour(profile.kind, profile.colour))
        line = row(column(SPACE_1, mark, None), SPACE_2, labels, *keys, margin=(0, SPACE_1, 0, SPACE_1), gap=SPACE_1)
        line.setStretch(2, 1)
        self.setLayout(column(line, self.card))

    def _button(self, text: str, act: Callable[[], object]) -> QPushButton:
        made = button(text, act, kind="quiet")
        made.setAccessibleName(visible(f"{text} {self._profile.name}"))
        made.setProperty(LINE_OF, self._profile.id)
        return made

    def _use(self) -> None:
        self.use_asked.emit(self._profile.id)

    def _test(self) -> None:
        self.test_asked.emit(self._profile, self.card)

    def _change(self) -> None:
        self.change_asked.emit(self._profile)

    def _remove(self) -> None:
        self.remove_asked.emit(self._profile)
