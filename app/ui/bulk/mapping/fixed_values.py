"""Values that every order of the file gets: for a field without a column, or for its blank cells.

They are typed, or taken from a saved template of orders.
"""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from app.desk.bulk.order_fields import FIELDS, OrderField
from app.ui.bulk import bulk_page_words as words
from app.ui.theme.tokens import FIXED_VALUES_SIZE, SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.field import Choice, ChoiceField, Field
from app.ui.widgets.layout import column, holding, resize_within_screen, row, scrolling
from app.ui.widgets.text.labels import text_label, visible

_CHOICES = {"choice": words.DELIVERIES, "flag": words.FLAGS}


class FixedValues(QDialog):
    """`chosen` carries the values by path, without empty ones. The fields of `missing` stand first."""

    chosen = Signal(object)

    def __init__(
        self,
        parent: QWidget,
        values: Mapping[str, str],
        missing: tuple[str, ...],
        first: str = "",
        templates: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
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
        self._templates = templates or {}
        self.template = Choice(words.FROM_TEMPLATE)
        self.template.addItem(words.NO_TEMPLATE, "")
        for name in self._templates:
            self.template.addItem(visible(name), name)
        self.template.activated.connect(self._on_template)
        chosen = holding(row(text_label(words.FROM_TEMPLATE, "label"), self.template, None, gap=SPACE_2))
        chosen.setVisible(bool(self._templates))
        take = button(words.TAKE, self._take, kind="primary")
        self.setLayout(
            column(
                text_label(words.FIXED_VALUES, "title"),
                text_label(words.FIXED_VALUES_HELP, "soft", wrap=True),
                chosen,
                scrolling(holding(grid, "surfaceInner"), "surface"),
                row(None, button(words.CANCEL, self.reject), take, gap=SPACE_2),
                margin=SPACE_4, gap=SPACE_2,
            )
        )  # fmt: skip
        self.fields[first or ordered[0].path].editor.setFocus()

    def _field(self, each: OrderField) -> Field | ChoiceField:
        choices = _CHOICES.get(each.shape)
        return ChoiceField(each.title, choices) if choices else Field(each.title)

    def _on_template(self, _index: int) -> None:
        """Show the values of a template in their fields; the others stay as they are."""
        for path, text in self._templates.get(str(self.template.currentData()), {}).items():
            self.fields[path].set_text(text)

    def _take(self) -> None:
        texts = {path: each.text() for path, each in self.fields.items()}
        self.chosen.emit({**self._others, **{path: text for path, text in texts.items() if text.strip()}})
        self.accept()
