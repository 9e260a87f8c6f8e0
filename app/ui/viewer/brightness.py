"""Brightness and contrast of what is on the screen, by the painter's own arithmetic: quick at any size.

Each colour becomes `factor * colour + shift`. A painter can multiply, divide and add, and by turning colours round also
take away; nothing is counted pixel by pixel here.
"""

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

_Mode = QPainter.CompositionMode


def factor_and_shift(brightness: int, contrast: int) -> tuple[float, float]:
    """From -100 to 100 each; no contrast is one grey, the most is four times as much around the middle."""
    factor = 1 + contrast / 100 if contrast < 0 else 1 + 3 * contrast / 100
    return factor, 0.5 - 0.5 * factor + brightness / 100 / 2


def light(painter: QPainter, where: QRect, brightness: int, contrast: int) -> None:
    """Change the light of what was painted there; it must be without transparency."""
    factor, shift = factor_and_shift(brightness, contrast)
    if factor < 1:
        _fill(painter, where, _Mode.CompositionMode_Multiply, factor)
    # Where colours would leave what a colour can be, taking away comes first, else adding cuts them off.
    if factor > 1:
        _add(painter, where, shift / factor)
        _fill(painter, where, _Mode.CompositionMode_ColorDodge, 1 - 1 / factor)
    else:
        _add(painter, where, shift)
    painter.setCompositionMode(_Mode.CompositionMode_SourceOver)


def _add(painter: QPainter, where: QRect, shift: float) -> None:
    if shift > 0:
        _fill(painter, where, _Mode.CompositionMode_Plus, shift)
    elif shift < 0:
        _fill(painter, where, _Mode.CompositionMode_Difference, 1.0)
        _fill(painter, where, _Mode.CompositionMode_Plus, -shift)
        _fill(painter, where, _Mode.CompositionMode_Difference, 1.0)


def _fill(painter: QPainter, where: QRect, mode: QPainter.CompositionMode, grey: float) -> None:
    painter.setCompositionMode(mode)
    level = min(max(grey, 0.0), 1.0)
    painter.fillRect(where, QColor.fromRgbF(level, level, level))
