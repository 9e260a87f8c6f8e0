"""Two lines below the photo: the answer it belongs to, and what its file says of itself.

Both are a stranger's words of any length: a line that does not fit is cut, and stands whole in the tooltip.
"""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.widgets.text.labels import set_tip, visible

_BREAKS = dict.fromkeys(map(ord, "\t\n\r"), " ")
_TIP_LETTERS = 1_000  # more than that is no help, and may be larger than the screen


class PhotoFacts(QWidget):
    """Two lines, as wide as there is room."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._lines = ("", "")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._fit()
        theme.changed.connect(self.update)

    def show_lines(self, answer: str, file: str) -> None:
        """Show both lines."""
        lines = visible(answer.translate(_BREAKS)), visible(file.translate(_BREAKS))
        if lines != self._lines:
            self._lines = lines
            self.setAccessibleName(self.text())
            set_tip(self, self.text()[:_TIP_LETTERS])
            self.update()

    def _fit(self) -> None:
        self.setFixedHeight(2 * self.fontMetrics().lineSpacing() + 2 * SPACE_1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def text(self) -> str:
        """Both lines whole."""
        return "\n".join(line for line in self._lines if line)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("surface"))
        height, metrics = self.fontMetrics().lineSpacing(), self.fontMetrics()
        for at, (line, ink) in enumerate(zip(self._lines, ("ink", "ink_soft"), strict=True)):
            room = self.rect().adjusted(SPACE_2, 0, -SPACE_2, 0)
            room.setTop(SPACE_1 + at * height)
            room.setHeight(height)
            painter.setPen(self._theme.colour(ink))
            shown = metrics.elidedText(line, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)
        painter.end()
