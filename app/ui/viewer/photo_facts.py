"""What stands below the photo: which answer it belongs to, and what its file says of itself.

Both are a stranger's words and may be of any length: what does not fit is left out, and stands in the tooltip.
"""

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desk.files.album import NoPicture
from app.desk.text.file_names import plain_name
from app.imaging.pixels import Pixels
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.viewer.photo import Photo
from app.ui.widgets.text.labels import set_tip, visible
from app.ui.widgets.text.times import moment

_BREAKS = dict.fromkeys(map(ord, "\t\n\r"), " ")
_TIP_LETTERS = 1_000  # more than that is no help, and may be larger than the screen


class PhotoFacts(QWidget):
    """Two lines, as wide as there is room."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._lines = ("", "")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(2 * self.fontMetrics().lineSpacing() + 2 * SPACE_1)
        theme.changed.connect(self.update)

    def show_lines(self, answer: str, file: str) -> None:
        """Show both lines."""
        lines = visible(answer.translate(_BREAKS)), visible(file.translate(_BREAKS))
        if lines != self._lines:
            self._lines = lines
            self.setAccessibleName(self.text())
            set_tip(self, self.text()[:_TIP_LETTERS])
            self.update()

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


def facts_of(photo: Photo, pixels: Pixels | None, trouble: NoPicture | None) -> str:
    """The file's name, and what is known of what is in it."""
    told = [plain_name(photo.address.rpartition("/")[2]) or photo.address]
    if pixels is not None:
        facts = pixels.facts
        told += [f"{facts.full.width:,} × {facts.full.height:,}", facts.format]
        told += [f"page 1 of {facts.pages:,}"] if facts.pages > 1 else []
        told += [f"the first of {facts.frames:,} pictures"] if facts.frames > 1 else []
        told += [taken(facts.taken), facts.camera]
        told += ["the end of the file is missing"] if facts.cut_off else []
        told += [] if trouble is None else [trouble.sentence]
    return " · ".join(part for part in told if part)


def taken(told: str) -> str:
    """When a camera says a photo was taken, as other times are written; its own words where they are no time."""
    try:
        return moment(datetime.strptime(told, "%Y:%m:%d %H:%M:%S"))
    except ValueError:
        return told
