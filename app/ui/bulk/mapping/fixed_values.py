"""Values that every order of the file gets: for a field without a column, or for its blank cells."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from app.desk.bulk.order_fields import FIELDS, OrderField
from app.ui.bulk import bulk_page_words as words
from app.ui.theme.tokens import FIXED_VALUES_SIZE, SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.layout import column, holding, resize_within_screen, row, scrolling
from app.ui.widgets.text.labels import text_label

_CHOICES = {"choice": words.DELIVERIES, "flag": words.FLAGS}


class FixedValues(QDialog):
    """`chosen` carries the values by path, without empty ones. The fields of `missing` stand first."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, values: Mapping[str, str], missing: tuple[str, ...], first: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle("Waybill")
        resize_within_screen(self, *FIXED_VALUES_SIZE)
        self._others = {path: text for path, text in values.items() if path not in {each.path for each in FIELDS}}
        self.fields: dict[str, Field | ChoiceField] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_3)
        grid.setVerticalSpacing(SPACE_1)
        ordered = sorted(FIELDS, key=lambda each: each.path not in missing)
        for place, each in enumerate(ordered):
            made = self.fields[each.path] = self._field(each)
            made.set_text(values.get(each.path, ""))
            grid.addWidget(made, place // 2, place % 2)
        take = button(words.TAKE, self._take, kind="primary")
        self.setLayout(
            column(
                text_label(words.FIXED_VALUES, "title"),
                text_label(words.FIXED_VALUES_HELP, "soft", wrap=True),
                scrolling(holding(grid, "surfaceInner"), "surface"),
                row(None, button(words.CANCEL, self.reject), take, gap=SPACE_2),
                margin=SPACE_4, gap=SPACE_2,
            )
        )  # fmt: skip
        self.fields[first or ordered[0].path].editor.setFocus()

    def _field(self, each: OrderField) -> Field | ChoiceField:
        choices = _CHOICES.get(each.shape)
        return ChoiceField(each.title, choices) if choices else Field(each.title)

    def _take(self) -> None:
        texts = {path: each.text() for path, each in self.fields.items()}
        self.chosen.emit({**self._others, **{path: text for path, text in texts.items() if text.strip()}})
        self.accept()
