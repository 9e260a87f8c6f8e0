"""Alt+1 … Alt+6: go to where a section begins.

The barcodes begin at the scan field: who goes there scans, and a scan must not land in the load number.
"""

from PySide6.QtCore import QObject

from app.contract.order_rules import BARCODES
from app.ui.entry.form.entry_form import OrderForm
from app.ui.entry.form.layout_data import SCAN, SECTIONS


class Jump(QObject):
    """Goes to one section."""

    def __init__(self, form: OrderForm, section: str, parent: QObject) -> None:
        super().__init__(parent)
        self._form, self._section = form, section

    def go(self) -> None:
        """Put the keyboard into its scan field, its first field, or its first row."""
        plan = next(each for each in SECTIONS if each.title == self._section)
        if plan.rows == BARCODES:
            self._form.go_to(SCAN)
            return
        if plan.lines:
            self._form.go_to(plan.lines[0][0].path)
            return
        editor = self._form.lists[plan.rows]
        first = editor.model.columns[0].name
        self._form.go_to(f"{plan.rows}[0].{first}" if editor.model.rows else plan.rows)
