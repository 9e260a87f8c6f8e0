"""The colours and the type of a plot, from the theme in force or from the light one for paper and files."""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont

from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import CONNECTION_COLOURS, LIGHT, SMALL_PX, Colours, is_dark

_SERIES = ("teal", "violet", "brown", "magenta", "green")


@dataclass(frozen=True, slots=True)
class PlotLook:
    """Colours by their tokens, one for each series and then again from the first, and the font of all words."""

    colours: Colours
    series: tuple[QColor, ...]
    font: QFont

    def colour(self, token: str) -> QColor:
        """The colour of a token."""
        return QColor(getattr(self.colours, token))

    def of_series(self, at: int) -> QColor:
        """The colour of a series."""
        return self.series[at % len(self.series)]


def look_of(theme: Theme, font: QFont) -> PlotLook:
    """The look of the window, with text as large as a person chose."""
    return _look(theme.colours, font, SIZES.scaled(SMALL_PX))


def paper_look(font: QFont) -> PlotLook:
    """The look of files and paper."""
    return _look(LIGHT, font, SMALL_PX)


def _look(colours: Colours, font: QFont, size: int) -> PlotLook:
    small = QFont(font)
    small.setPixelSize(size)
    series = [colours.accent, *(CONNECTION_COLOURS[name][is_dark(colours)] for name in _SERIES)]
    return PlotLook(colours, tuple(QColor(each) for each in series), small)
