"""Where the keyboard is: in the line that filters, or in the table.

Invariant: Enter opens what the line asks for, never what stood there before; and the keyboard is never left on a table
that has nothing to show, so whatever is typed filters.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLineEdit

from app.ui.orders.table.orders_table import OrdersTable


class Keyboard(QObject):
    """`is_shown` tells whether the rows are those that the line asks for; `on_nothing` is Enter where there is none."""

    def __init__(
        self, line: QLineEdit, table: OrdersTable, is_shown: Callable[[], bool], on_nothing: Callable[[], object]
    ) -> None:
        super().__init__(table)
        self._line, self._table, self._is_shown, self._on_nothing = line, table, is_shown, on_nothing
        self._entering = False  # Enter was pressed before the rows had come
        self._lent = False  # the table had the keyboard, and has nothing to show
        line.returnPressed.connect(self._on_enter)
        line.textEdited.connect(self._on_typed)

    def enter(self) -> None:
        """Go into the table, or into the line while there is nothing in it."""
        if self._table.isHidden():
            self._lend()
        else:
            self._table.setFocus()

    def into_line(self) -> None:
        """Go into the line; what is typed next takes the place of what stands there."""
        self._line.setFocus()
        self._line.selectAll()

    def rows_came(self) -> None:
        """There may be rows, or other ones, or none any more; the table is shown or hidden when it is back here."""
        if self._lent and self._line.hasFocus() and not self._table.isHidden():
            self._lent = False
            self._table.setFocus()
        if self._entering and self._is_shown():
            self._entering = False
            if self._line.hasFocus():
                self._enter_rows()

    def keep(self, hide: Callable[[], object]) -> None:
        """Do what hides the table; if it had the keyboard, the line has it then."""
        had = self._table.hasFocus()
        hide()
        if had:
            self._lend()

    def _lend(self) -> None:
        self._lent = True
        self.into_line()

    def _on_typed(self) -> None:
        self._entering = self._lent = False

    def _on_enter(self) -> None:
        self._line.selectAll()  # a scanner may go on at once: its next text is another one
        self._entering = not self._is_shown()
        if not self._entering:
            self._enter_rows()

    def _enter_rows(self) -> None:
        if self._table.orders.rowCount():
            self._table.setFocus()
            self._table.select_only(0)
        else:
            self._on_nothing()
