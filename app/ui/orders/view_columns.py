"""The columns of each view of each connection: arranged by menu, in a dialog or by dragging, and saved.

Invariant: an arrangement is saved for the view and the connection on which it was made, whatever is shown by then.
"""

from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.ui.orders import orders_words as words
from app.ui.orders.query_state import QueryState
from app.ui.orders.table.arrangement import (
    Arrangement,
    default_arrangement,
    from_json,
    hidden,
    names_of,
    shown,
    to_json,
)
from app.ui.orders.table.column_list import ALL_COLUMNS, BY_NAME
from app.ui.widgets.text.labels import ampersands

if TYPE_CHECKING:
    from app.ui.orders.table.columns_dialog import ColumnsDialog


class ViewColumns(QObject):
    """Puts the columns of the view that is shown into `state`. `changed`: a person has arranged them otherwise."""

    changed = Signal()
    sort_asked = Signal(str)

    def __init__(self, page: QWidget, tasks: Tasks, state: QueryState) -> None:
        super().__init__(page)
        self._page, self._tasks, self._state = page, tasks, state
        self._desk: Desk | None = None
        self._view = ""
        self._default: Arrangement = ()
        self._unsaved: dict[tuple[str, str], tuple[Desk, Arrangement]] = {}  # by profile and view
        self._dialog: ColumnsDialog | None = None

    async def use(self, desk: Desk, today: date) -> bool:
        """Put the saved columns of this view into the state, else its default ones; whether the view is another.

        Raises `StoreError`.
        """
        view = self._state.current.name.casefold()
        self._default = default_arrangement(self._state.default_columns(today))
        if desk is self._desk and view == self._view:
            return False
        # What is still being saved is newer than what the journal has.
        _, columns = self._unsaved.get((desk.profile.id, view), (desk, ()))
        if not columns:
            columns = from_json(await read_choice(desk, f"columns.{view}"), self._default)
        self._desk, self._view, self._state.columns = desk, view, columns
        self._update_dialog()
        return True

    def put(self, arrangement: Arrangement) -> None:
        """Show these from now on, and save them for the view."""
        if arrangement == self._state.columns or self._desk is None:
            return
        self._state.columns = arrangement
        self._unsaved[self._desk.profile.id, self._view] = self._desk, arrangement
        self._tasks.write("keep columns", self._save())
        self._update_dialog()
        self.changed.emit()

    async def _save(self) -> None:
        # A write that runs is not begun twice: it goes on until nothing is left, also what is arranged meanwhile.
        while self._unsaved:
            key, (desk, arrangement) = next(iter(self._unsaved.items()))
            await keep_choice(desk, f"columns.{key[1]}", to_json(arrangement))
            if self._unsaved[key][1] == arrangement:
                del self._unsaved[key]

    async def rename(self, desk: Desk, view: str, name: str) -> None:
        """The view has another name from now on. Raises `StoreError`."""
        saved = await read_choice(desk, f"columns.{view.casefold()}")
        if saved is not None:
            await keep_choice(desk, f"columns.{name.casefold()}", saved)

    def reset(self) -> None:
        """Show the default columns of this view, in their default widths."""
        self.put(self._default)

    def open_menu(self, at: QPoint, name: str) -> None:
        """Open the menu of columns; `name` is the column whose heading it was asked on, empty for none."""
        menu = QMenu(self._page)
        if name:
            title = ampersands(BY_NAME[name].title)
            menu.addAction(words.sort_by_column(title), partial(self.sort_asked.emit, name))
            hide = menu.addAction(words.hide_column(title), partial(self._hide, name))
            hide.setEnabled(len(self._state.columns) > 1)
            menu.addSeparator()
        self._add_toggles(menu)
        menu.addSeparator()
        menu.addAction(words.RESET_COLUMNS, self.reset)
        menu.addAction(f"{words.ARRANGE_COLUMNS_ENTRY}\tF8", self.open_dialog)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _add_toggles(self, menu: QMenu) -> None:
        """Add a menu for each group, with a check mark at each column that is shown."""
        names = names_of(self._state.columns)
        groups = {name: QMenu(ampersands(name), menu) for name in dict.fromkeys(each.group for each in ALL_COLUMNS)}
        for inner in groups.values():
            menu.addMenu(inner)
        for each in ALL_COLUMNS:
            action = groups[each.group].addAction(ampersands(each.title))
            action.setCheckable(True)
            action.setChecked(each.name in names)
            action.toggled.connect(partial(self._toggle, each.name))

    def _hide(self, name: str) -> None:
        self.put(hidden(self._state.columns, name))

    def _toggle(self, name: str, on: bool) -> None:
        self.put(shown(self._state.columns, name) if on else hidden(self._state.columns, name))

    def open_dialog(self) -> None:
        """Open the list of all columns."""
        from app.ui.orders.table.columns_dialog import ColumnsDialog  # nobody needs it before the first paint

        if self._dialog is None:
            self._dialog = ColumnsDialog(self._page, self.put, self.reset, self.sort_asked.emit)
            self._dialog.finished.connect(self._on_closed)
        self._update_dialog()
        self._dialog.show()
        self._dialog.activateWindow()

    def _on_closed(self, _result: int) -> None:
        self._dialog = None

    def _update_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.show_arrangement(self._state.columns)
