"""The empty, loading and failed states of lists and pictures. Invariant: none of them is a blank area."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from app.ui.theme import icons
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_2, SPACE_5
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.text.labels import set_tip, text_label, visible

_PICTURE_PX = 36


class StateView(QStackedWidget):
    """Shows `content`, or an icon, a heading, a sentence and perhaps a button in its place."""

    def __init__(self, theme: Theme, content: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self._icon_name = "inbox"
        self._act: Callable[[], object] | None = None
        self._picture: QLabel = text_label()
        self._heading = text_label("", "heading", wrap=True)  # wraps, so that a long heading widens nothing
        self._sentence = text_label("", "soft", wrap=True)
        self._action = button("", self._on_action)
        for label in (self._picture, self._heading, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        lines = column(
            None, self._picture, self._heading, self._sentence, row(None, self._action, None), None,
            margin=SPACE_5, gap=SPACE_2,
        )  # fmt: skip
        self.addWidget(content)
        self.addWidget(holding(lines, "surface"))
        theme.changed.connect(self._tint)

    def show_content(self) -> None:
        """Show the content."""
        self.setCurrentIndex(0)

    def show_state(
        self, icon: str, heading: str, sentence: str = "", action: str = "", act: Callable[[], object] | None = None
    ) -> None:
        """Show a state in place of the content; `action` is the title of a button that calls `act`."""
        self._icon_name, self._act = icon, act
        self._heading.setText(visible(heading))
        self._sentence.setText(visible(sentence))
        self._action.setText(action)
        self._action.setAccessibleName(action)
        set_tip(self._action, action)
        self._action.setVisible(bool(action))
        self._tint()
        self.setCurrentIndex(1)

    @property
    def state_text(self) -> str:
        """The heading and sentence shown in place of the content; empty while the content is shown."""
        return "" if self.currentIndex() == 0 else f"{self._heading.text()} {self._sentence.text()}".strip()

    def _tint(self) -> None:
        self._picture.setPixmap(icons.pixmap(self._icon_name, self._theme.colours.ink_soft, _PICTURE_PX))

    def _on_action(self) -> None:
        if self._act is not None:
            self._act()
