"""The contents of the main window: practice band, header, rail, the stack of pages, status bar.

Invariant: it decides nothing. What a person does in it is a signal, of its own or of its parts.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.store.journal.profile_store import Profile
from app.translation import translate
from app.ui.base.page import Page
from app.ui.base.rail import ENTRIES, Rail
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import PROFILE_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.bars.message_bar import MessageBar, PracticeBand
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.connection_colour import ColourLine, ColourMark, name_of_colour, show_colours
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.text.labels import (
    ElidedLabel,
    SteadyLabel,
    Tone,
    plain_tooltip,
    set_tone,
    text_label,
    visible,
)

_KINDS = {"practice": translate("practice"), "test": translate("test system"), "production": translate("production")}


class Frame(QObject):
    """`ground` is the widget that holds everything else.

    `page_asked` and `profile_asked` carry the name or id that a person chose.
    """

    page_asked = Signal(str)
    profile_asked = Signal(str)
    search_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._colours: dict[str, str] = {}  # of the connections, by id
        theme.changed.connect(self._paint_colours)
        self.band = PracticeBand()
        self.colour_line = ColourLine(theme)
        self.bar = MessageBar(theme)
        self.rail = Rail(theme, ENTRIES, self.page_asked.emit)
        self.pages = QStackedWidget()
        self.profile_choice = Choice(translate("Connection in use"))
        self.profile_choice.setFixedWidth(PROFILE_WIDTH)
        self.profile_choice.activated.connect(self._on_profile)
        self.search_button = with_icon(
            button(
                translate("Search or command"),
                self.search_asked.emit,
                tip=translate("Orders, actions, pages and views (Ctrl+K)"),
            ),
            theme,
            "search",
        )
        self.link_label = ElidedLabel("soft")
        self.left_label = SteadyLabel("soft")
        self.right_mark = ColourMark(theme, "")  # of the one other connection that the label names
        self.right_mark.hide()
        self.right_label = ElidedLabel("soft")
        self._lay_out()

    def _lay_out(self) -> None:
        self.header = holding(
            row(
                text_label("Waybill", "strong"), SPACE_3, self.profile_choice, SPACE_3, self.link_label, None,
                self.search_button,
                margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1),
            ),
            "header",
        )  # fmt: skip
        middle = row(self.rail, self.pages)
        self.status = holding(
            row(
                self.left_label,
                None,
                self.right_mark,
                self.right_label,
                margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1),
                gap=SPACE_2,
            ),
            "statusBar",
        )
        whole = column(self.band, self.colour_line, self.header, middle, self.status)
        whole.setStretch(3, 1)
        self.ground = holding(whole, "ground")
        self.bar.float_over(self.ground, self.pages, inner=self._bar_of_page)
        self.setParent(self.ground)  # both end together: the theme lives longer

    def _bar_of_page(self) -> MessageBar | None:
        page = self.pages.currentWidget()
        return page.bar if isinstance(page, Page) else None

    def add_strip(self, strip: QWidget) -> None:
        """Add a strip between the pages and the status bar."""
        whole = self.ground.layout()
        assert isinstance(whole, QVBoxLayout)
        whole.insertWidget(whole.indexOf(self.status), strip)

    def show_profiles(self, profiles: Sequence[Profile], current: Profile) -> str:
        """List the connections, and show the practice band if the current one is practice; the title for the window."""
        self.profile_choice.blockSignals(True)
        self.profile_choice.clear()
        for each in profiles:
            self.profile_choice.addItem(visible(_called(each)), each.id)
        self.profile_choice.setCurrentIndex(self.profile_choice.findData(current.id))
        self.profile_choice.blockSignals(False)
        self._colours = {each.id: name_of_colour(each.kind, each.colour) for each in profiles}
        self._paint_colours()
        self.colour_line.show_colour(current.colour)
        self.profile_choice.setToolTip(plain_tooltip(current.base_url))
        self.band.setVisible(current.kind == "practice")
        # Qt replaces [*] in a title by its mark of unsaved changes; doubled, it stands for itself.
        return visible(f"Waybill · {_called(current)}").replace("[*]", "[*][*]")

    def colour_of(self, profile_id: str) -> str:
        """The name of a connection's colour, empty for none."""
        return self._colours.get(profile_id, "")

    def _paint_colours(self) -> None:
        show_colours(self.profile_choice, self._theme, self._colours)

    def show_link(self, tone: Tone, sentence: str) -> None:
        """Show the state of the connection."""
        set_tone(self.link_label, tone)
        self.link_label.say(sentence)

    def _on_profile(self, _index: int) -> None:
        self.profile_asked.emit(str(self.profile_choice.currentData()))


def _called(profile: Profile) -> str:
    return profile.name if profile.kind == "practice" else f"{profile.name} · {_KINDS[profile.kind]}"
