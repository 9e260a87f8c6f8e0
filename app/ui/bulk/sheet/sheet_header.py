"""The header of the grid: each column says which field it is, and below that its title in the file.

Invariant: a column without a field says so in words; how a field was matched is in the tooltip, not in a colour.
"""

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QToolTip, QWidget

from app.ui.bulk import bulk_page_words as words
from app.ui.bulk.sheet.sheet_model import VERDICT, SheetModel
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SMALL_PX, SPACE_1, SPACE_2, SPACE_5
from app.ui.widgets.text.labels import plain_tooltip, visible

_ELIDE = Qt.TextElideMode.ElideRight


class SheetHeader(QHeaderView):
    """Paints two lines for each column: the field, and the title in the file. A click asks for another field."""

    def __init__(self, theme: Theme, parent: QWidget, model: SheetModel) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme, self._cells = theme, model
        self.setHighlightSections(False)
        self.setMinimumSectionSize(2 * SPACE_5)
        self.setAccessibleName(words.HEADER_NAME)
        self.setToolTip(words.HEADER_TIP)
        theme.changed.connect(self.viewport().update)

    def _fonts(self) -> tuple[QFont, QFont]:
        strong, small = QFont(self.font()), QFont(self.font())
        strong.setPixelSize(SMALL_PX)
        strong.setWeight(QFont.Weight.DemiBold)
        small.setPixelSize(SMALL_PX)
        return strong, small

    def sizeHint(self) -> QSize:
        lines = sum(QFontMetrics(each).height() for each in self._fonts())
        return QSize(super().sizeHint().width(), lines + 3 * SPACE_1)

    def title_width(self, column: int) -> int:
        """The width that a column of the file needs for both of its lines, up to a bound."""
        strong, small = self._fonts()
        field, title = self._texts(column)
        wide = max(QFontMetrics(strong).horizontalAdvance(field), QFontMetrics(small).horizontalAdvance(title))
        return min(wide, 10 * SPACE_5) + 2 * SPACE_2

    def _texts(self, column: int) -> tuple[str, str]:
        """The field of a column and its title in the file."""
        sheet = self._cells.sheet
        if sheet is None or column >= len(sheet.titles):
            return "", ""
        use = sheet.mapping.columns[column] if column < len(sheet.mapping.columns) else None
        field = words.field_of_use(use) if use is not None and use.path else words.NOT_USED
        return f"{field} ▾", visible(sheet.titles[column].strip()) or words.untitled(column + 1)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        theme, sheet = self._theme, self._cells.sheet
        painter.fillRect(rect, theme.colour("raised"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.colour("line"))
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), theme.colour("line"))
        if sheet is None:
            return
        strong, small = self._fonts()
        inner = rect.adjusted(SPACE_2, SPACE_1, -SPACE_1, -SPACE_1)
        field, title = (words.VERDICT, "") if section == VERDICT else self._texts(section - 1)
        used = section == VERDICT or not field.startswith(words.NOT_USED)
        upper = QRect(inner.left(), inner.top(), inner.width(), QFontMetrics(strong).height())
        lower = QRect(inner.left(), upper.bottom() + 1 + SPACE_1, inner.width(), QFontMetrics(small).height())
        painter.setFont(strong if used else small)
        painter.setPen(theme.colour("ink" if used else "ink_soft"))
        painter.drawText(
            upper, Qt.AlignmentFlag.AlignLeft, QFontMetrics(strong).elidedText(field, _ELIDE, upper.width())
        )
        painter.setFont(small)
        painter.setPen(theme.colour("ink_soft"))
        painter.drawText(
            lower, Qt.AlignmentFlag.AlignLeft, QFontMetrics(small).elidedText(title, _ELIDE, lower.width())
        )

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._cells.sheet is not None:
            section = self.logicalIndexAt(event.pos())
            if section > VERDICT:
                QToolTip.showText(
                    event.globalPos(), plain_tooltip(words.column_tip(self._cells.sheet, section - 1)), self
                )
                return True
        return super().viewportEvent(event)
