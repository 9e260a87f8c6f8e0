"""Remembers which columns each view of each connection shows, and lets them be changed.

They change by the header's menu, in the list of columns, or by dragging.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.ui.orders.table.arrangement import Arrangement, as_kept, from_kept, hidden, names_of, shown, usual
from app.ui.orders.table.column_list import ALL_COLUMNS, BY_NAME
from app.ui.widgets.text.labels import ampersands

if TYPE_CHECKING:
    from app.ui.orders.table.columns_dialog import ColumnsDialog


class Arranging(QObject):
    """`current` is the arrangement in force; `changed` tells that it is another one."""

    changed = Signal()
    sort_asked = Signal(str)

    def __init__(self, page: QWidget, tasks: Tasks) -> None:
        super().__init__(page)
        self._page, self._tasks = page, tasks
        self._desk: Desk | None = None
        self._view = ""
        self._usual: Arrangement = ()
        self.current: Arrangement = ()
        self._unkept: dict[str, Arrangement] = {}
        self._dialog: ColumnsDialog | None = None

    async def use(self, desk: Desk, view: str, names: Sequence[str]) -> None:
        """Show the columns of this view: as they were kept, else these. Reads the journal when the view is another."""
        self._usual = usual(names)
        if desk is self._desk and view == self._view:
            return
        kept = None if view in self._unkept and desk is self._desk else await read_choice(desk, f"columns.{view}")
        self.current = self._unkept.get(view) if kept is None else from_kept(kept, self._usual)  # type: ignore[assignment]
        self.current = self.current or self._usual
        self._desk, self._view = desk, view
        self._tell_dialog()

    def put(self, arrangement: Arrangement) -> None:
        """Show these from now on, and keep that."""
        if arrangement == self.current or self._desk is None:
            return
        self.current = arrangement
        self._unkept[self._view] = arrangement
        self._tasks.write("keep columns", self._keep(self._desk))
        self._tell_dialog()
        self.changed.emit()

    async def rename(self, desk: Desk, view: str, name: str) -> None:
        """A view is called otherwise from now on. Raises `StoreError`."""
        kept = await read_choice(desk, f"columns.{view.casefold()}")
        if kept is not None:
            await keep_choice(desk, f"columns.{name.casefold()}", kept)

    async def _keep(self, desk: Desk) -> None:
        while self._unkept:
            view, arrangement = next(iter(self._unkept.items()))
            await keep_choice(desk, f"columns.{view}", as_kept(arrangement))
            if self._unkept.get(view) == arrangement:
                del self._unkept[view]

    def put_back(self) -> None:
        """Show the columns that this view usually has, as wide as they usually are."""
        self.put(self._usual)

    def open_menu(self, at: QPoint, name: str) -> None:
        """A menu of columns, for the one whose heading was asked."""
        menu = QMenu(self._page)
        if name:
            title = ampersands(BY_NAME[name].title)
            menu.addAction(f"Sort by {title}", partial(self.sort_asked.emit, name))
            hide = menu.addAction(f"Hide {title}", partial(self._hide, name))
            hide.setEnabled(len(self.current) > 1)
            menu.addSeparator()
        self._add_toggles(menu)
        menu.addSeparator()
        menu.addAction("Usual columns", self.put_back)
        menu.addAction("Arrange columns…\tF8", self.open_dialog)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _add_toggles(self, menu: QMenu) -> None:
        """A menu a group, with a tick for each column that is shown."""
        names = names_of(self.current)
        groups = {name: QMenu(ampersands(name), menu) for name in dict.fromkeys(each.group for each in ALL_COLUMNS)}
        for inner in groups.values():
            menu.addMenu(inner)
        for each in ALL_COLUMNS:
            action = groups[each.group].addAction(ampersands(each.title))
            action.setCheckable(True)
            action.setChecked(each.name in names)
            action.toggled.connect(partial(self._toggle, each.name))

    def _hide(self, name: str) -> None:
        self.put(hidden(self.current, name))

    def _toggle(self, name: str, on: bool) -> None:
        self.put(shown(self.current, name) if on else hidden(self.current, name))

    def open_dialog(self) -> None:
        """The list of all columns, worked by keys."""
        from app.ui.orders.table.columns_dialog import ColumnsDialog  # nobody needs it before the first paint

        if self._dialog is None:
            self._dialog = ColumnsDialog(self._page, self.put, self.put_back, self.sort_asked.emit)
            self._dialog.finished.connect(self._on_closed)
        self._tell_dialog()
        self._dialog.show()
        self._dialog.activateWindow()

    def _on_closed(self, _result: int) -> None:
        self._dialog = None

    def _tell_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.show_arrangement(self.current)
