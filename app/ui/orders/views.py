"""Works the views: which is shown, how many orders each finds, and saving, naming, moving and deleting them.

Counts are asked for when the store has changed, one view after the other, so that what is typed meanwhile goes first.
"""

from collections.abc import Awaitable, Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu

from app.desk.desk import Desk
from app.desk.views import View, load_views
from app.store.cache_rows import ListName
from app.store.errors import StoreError
from app.ui.orders.arrangement import names_of
from app.ui.orders.arranging import Arranging
from app.ui.orders.filter_line import FilterLine
from app.ui.orders.viewing import Viewing
from app.ui.orders.views_bar import ViewsBar
from app.ui.page import Page
from app.ui.widgets.labels import ampersands


class Views(QObject):
    """`chosen` tells that another view, or another form of it, is to be shown."""

    chosen = Signal()
    rules_asked = Signal()
    pasted_asked = Signal()

    def __init__(self, page: Page, bar: ViewsBar, line: FilterLine, arranging: Arranging) -> None:
        super().__init__(page)
        self._page, self.bar, self._line, self._arranging = page, bar, line, arranging
        self.state = Viewing()
        self._desk: Desk | None = None
        self._stale = True
        self.at_leisure = False  # once the window has been painted
        bar.chosen.connect(self._on_chosen)
        bar.menu_asked.connect(self.open_menu)
        line.changed.connect(self.show)
        arranging.changed.connect(self.show)
        self.show()

    # What is shown

    async def use(self, desk: Desk) -> None:
        """Read the views of a connection when it is another one."""
        if desk is not self._desk:
            views = await load_views(desk)
            self._desk, self._stale = desk, True
            self.state.take(views, desk.now().date())
        self.show()

    def show(self) -> None:
        """Show which views there are and which is shown, and whether it was changed."""
        names = [each.name for each in self.state.views]
        self.bar.show_views(names, self.state.current.name, changed=self._changed())

    def _changed(self) -> bool:
        if self._desk is None:
            return False
        state = self.state
        kept = state.current.columns
        columns = bool(kept) and names_of(self._arranging.current) != kept
        return columns or state.changed(self._line.editor.text(), self._desk.now().date())

    @property
    def list_name(self) -> ListName:
        """The list that the view is about; the open one when it is about several."""
        return (None if self._desk is None else self.state.list_name(self._desk.now().date())) or "open"

    def choose(self, name: str) -> None:
        """Show the view that is called so."""
        found = self.state.find(name)
        if found is None or self._desk is None:
            return
        self.state.choose(found, self._desk.now().date())
        self._line.put(self.state.line)
        self.show()
        self.chosen.emit()

    def _on_chosen(self, name: str) -> None:
        self.choose(name)

    def next(self) -> None:
        """Show the view after this one."""
        self.choose(self.state.step(1).name)

    def before(self) -> None:
        """Show the view before this one."""
        self.choose(self.state.step(-1).name)

    # Counts

    def count_again(self) -> None:
        """The store, the outbox or the rules have changed: so may what views find."""
        self._stale = True

    def count(self) -> None:
        """Ask how many orders each view finds, if that may have changed."""
        if self.at_leisure and self._stale and self._desk is not None:
            self._stale = False
            self._page.tasks.read("view counts", self._count(self._desk))

    async def _count(self, desk: Desk) -> None:
        from app.desk.finding import view_count

        counted = False
        try:
            for view in self.state.views:
                self.bar.show_counts({view.name: await view_count(desk, view)})
            counted = True
        finally:
            self._stale = self._stale or not counted

    # Changing them

    def open_menu(self, at: QPoint) -> None:
        """What can be done with the view that is shown, and with all."""
        name, menu = ampersands(self.state.current.name), QMenu(self.bar)
        menu.addAction("Save as a new view…", self.save_new)
        menu.addAction(f"Save what is shown into “{name}”", self.save_into).setEnabled(self._changed())
        menu.addAction(f"Show “{name}” as it is kept", self.put_back).setEnabled(self._changed())
        menu.addSeparator()
        menu.addAction(f"Rename “{name}”…", self.rename)
        place = [each.name for each in self.state.views].index(self.state.current.name)
        menu.addAction("Move to the left", partial(self.move, -1)).setEnabled(place > 0)
        menu.addAction("Move to the right", partial(self.move, 1)).setEnabled(place < len(self.state.views) - 1)
        menu.addAction(f"Delete “{name}”", self.delete).setEnabled(len(self.state.views) > 1)
        menu.addSeparator()
        menu.addAction("Bring back the shipped views", self.bring_back)
        menu.addAction("Rules of Needs attention…", self.rules_asked.emit)
        menu.addAction("Show pasted references or numbers…\tCtrl+Shift+V", self.pasted_asked.emit)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _as_shown(self, name: str) -> View:
        assert self._desk is not None
        columns = names_of(self._arranging.current)
        return self.state.as_shown(name, self._line.editor.text(), columns, self._desk.now().date())

    def save_new(self) -> None:
        """Ask for a name and keep what is shown as a view of that name."""
        self._ask_name("Save as a new view", "", self._save_new)

    async def _save_new(self, desk: Desk, name: str) -> None:
        from app.desk.views import save_view

        await self._take(desk, await save_view(desk, self._as_shown(name)), name)

    def save_into(self) -> None:
        """Keep what is shown in the view that is shown."""
        self._work(self._save_into)

    async def _save_into(self, desk: Desk) -> None:
        from app.desk.views import save_view

        name = self.state.current.name
        views = await save_view(desk, self._as_shown(name), name)
        self.state.forget_changes(name)
        await self._take(desk, views, name)
        self._page.bar.say("good", f"Kept in “{name}”.")

    def put_back(self) -> None:
        """Show the view as it is kept."""
        self.state.forget_changes(self.state.current.name)
        if self.state.current.columns:
            self._arranging.put_back()
        self.choose(self.state.current.name)

    def rename(self) -> None:
        """Ask for another name."""
        self._ask_name("Rename the view", self.state.current.name, self._rename)

    async def _rename(self, desk: Desk, name: str) -> None:
        from dataclasses import replace

        from app.desk.views import save_view

        old = self.state.current
        await self._arranging.rename(desk, old.name, name)
        await self._take(desk, await save_view(desk, replace(old, name=name), old.name), name)

    def move(self, by: int) -> None:
        """Move the view that is shown so many places to the right."""
        self._work(partial(self._move, by))

    async def _move(self, by: int, desk: Desk) -> None:
        from app.desk.views import order_views

        names = [each.name for each in self.state.views]
        at = names.index(self.state.current.name)
        names.insert(max(at + by, 0), names.pop(at))
        await self._take(desk, await order_views(desk, names), self.state.current.name)

    def delete(self) -> None:
        """Delete the view that is shown; it can be taken back."""
        self._work(self._delete)

    async def _delete(self, desk: Desk) -> None:
        from app.desk.views import delete_view

        before, name = self.state.views, self.state.current.name
        await self._take(desk, await delete_view(desk, name), "")
        self._page.bar.say("", f"The view “{name}” is deleted.", "Take it back", partial(self._take_back, before, name))

    def _take_back(self, before: tuple[View, ...], name: str) -> None:
        self._work(partial(self._put_back_all, before, name))

    async def _put_back_all(self, before: tuple[View, ...], name: str, desk: Desk) -> None:
        from app.desk.views import keep_views

        await keep_views(desk, before)
        await self._take(desk, before, name)

    def bring_back(self) -> None:
        """Bring back the shipped views that were deleted."""
        self._work(self._bring_back)

    async def _bring_back(self, desk: Desk) -> None:
        from app.desk.views import restore_shipped

        await self._take(desk, await restore_shipped(desk), self.state.current.name)

    async def _take(self, desk: Desk, views: tuple[View, ...], shown: str) -> None:
        """These are the views now, and this one is shown."""
        if desk is not self._desk:
            return
        self.state.take(views, desk.now().date())
        self.count_again()
        if (shown and shown != self.state.current.name) or not shown:
            self.choose(shown or self.state.current.name)
        else:
            self.show()
            self.chosen.emit()

    def _work(self, work: Callable[[Desk], Awaitable[None]]) -> None:
        if self._desk is not None:
            self._page.tasks.write("views", self._try(self._desk, work))

    async def _try(self, desk: Desk, work: Callable[[Desk], Awaitable[None]]) -> None:
        try:
            await work(desk)
        except StoreError as error:
            self._page.bar.say("bad", f"The views were not changed. {error.sentence}")

    def _ask_name(self, title: str, name: str, work: Callable[[Desk, str], Awaitable[None]]) -> None:
        from app.ui.orders.name_dialog import NameDialog

        def trouble(typed: str) -> str:
            from app.desk.views import name_trouble

            return name_trouble(self.state.views, typed, name)

        dialog = NameDialog(self._page, title, name, trouble)
        dialog.named.connect(partial(self._named, work))
        dialog.show()
        dialog.field.setFocus()

    def _named(self, work: Callable[[Desk, str], Awaitable[None]], name: str) -> None:
        self._work(lambda desk: work(desk, name))
