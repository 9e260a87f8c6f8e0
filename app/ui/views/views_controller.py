"""Works the views of a page: which is shown, how many rows each finds, and saving, naming, moving and deleting them.

Counts are asked for when the store has changed, one view after the other, so that what is typed meanwhile goes first.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Generic

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu

from app.desk.connections.saved_views import (
    NameTaken,
    V,
    delete_view,
    keep_last_view,
    keep_views,
    last_view,
    load_views,
    name_trouble,
    order_views,
    restore_shipped,
    save_view,
)
from app.desk.desk import Desk
from app.store.store_errors import StoreError
from app.ui.base.page import Page
from app.ui.views.views_bar import ViewsBar
from app.ui.views.views_state import ViewsState
from app.ui.widgets.text.labels import ampersands, visible

_LAST = "view not kept"  # a topic of the bar


class Views(QObject, Generic[V]):
    """`chosen` tells that another view, or another form of it, is to be shown. A page's own views say what of a view is
    shown and changed."""

    chosen = Signal()

    def __init__(self, page: Page, bar: ViewsBar, state: ViewsState[V]) -> None:
        super().__init__(page)
        self._page, self.bar, self._state = page, bar, state
        self._desk: Desk | None = None
        self._stale = True
        self.at_leisure = False  # once the window has been painted
        bar.chosen.connect(self._on_chosen)
        bar.menu_asked.connect(self.open_menu)

    # What a page's own views know

    def is_changed(self, desk: Desk) -> bool:
        """Whether what is shown differs from the view as it is kept."""
        raise NotImplementedError

    def as_shown(self, desk: Desk, name: str) -> V:
        """A view of this name that shows what is shown now."""
        raise NotImplementedError

    def put(self, desk: Desk) -> None:
        """Put what the view keeps where it is seen and changed."""
        raise NotImplementedError

    def forget_changes(self) -> None:
        """The view is kept as it is shown, or to be shown as it is kept."""

    async def count_of(self, desk: Desk, view: V) -> int:
        """How many rows a view finds. Raises `StoreError`."""
        raise NotImplementedError

    async def tell_renamed(self, desk: Desk, old: str, new: str) -> None:
        """A view is about to be called otherwise; what else is kept under its name goes along. Raises `StoreError`."""

    def add_entries(self, menu: QMenu) -> None:
        """What else belongs into the menu of the views."""

    # What is shown

    async def use(self, desk: Desk) -> None:
        """Read the views of a connection when it is another one, and show the one that was shown last."""
        if desk is not self._desk:
            views = await load_views(desk, self._state.kind)
            last = await last_view(desk, self._state.kind)
            self._desk, self._stale = desk, True
            self._state.take(views)
            found = self._state.find(last)
            if found is not None and found.name != self._state.current.name:
                self._state.choose(found)
                self.put(desk)
        self.show()

    def show(self) -> None:
        """Show which views there are and which is shown, and whether it was changed."""
        names = [each.name for each in self._state.views]
        self.bar.show_views(names, self._state.current.name, changed=self._changed())

    def _changed(self) -> bool:
        return self._desk is not None and self.is_changed(self._desk)

    def choose(self, name: str) -> None:
        """Show the view that is called so."""
        found = self._state.find(name)
        if found is None or self._desk is None:
            return
        self._state.choose(found)
        self.put(self._desk)
        self.show()
        self._page.tasks.write("keep view", self._keep_last(self._desk))
        self.chosen.emit()

    async def _keep_last(self, desk: Desk) -> None:
        """Keep which view is shown; one that is chosen meanwhile too."""
        kept = ""
        while desk is self._desk and (name := self._state.current.name) != kept:
            try:
                await keep_last_view(desk, self._state.kind, name)
            except StoreError as error:
                words = f"Which view is shown was not kept. {error.sentence}"
                self._page.bar.say("bad", words, topic=_LAST)
                return
            kept = name
            self._page.bar.withdraw(_LAST)

    def _on_chosen(self, name: str) -> None:
        self.choose(name)

    def next(self) -> None:
        """Show the view after this one."""
        self.choose(self._state.step(1).name)

    def before(self) -> None:
        """Show the view before this one."""
        self.choose(self._state.step(-1).name)

    def names(self) -> list[str]:
        """The views there are, in their order."""
        return [each.name for each in self._state.views]

    # Counts

    def count_again(self) -> None:
        """What views find may have changed."""
        self._stale = True

    def count(self) -> None:
        """Ask how many rows each view finds, if that may have changed."""
        if self.at_leisure and self._stale and self._desk is not None:
            self._stale = False
            self._page.tasks.read("view counts", self._count(self._desk))

    async def _count(self, desk: Desk) -> None:
        counted = False
        try:
            for view in self._state.views:
                self.bar.show_counts({view.name: await self.count_of(desk, view)})
            counted = True
        finally:
            self._stale = self._stale or not counted

    # Changing them

    def open_menu(self, at: QPoint) -> None:
        """The views, the one that is shown highlighted, and what can be done with it and with all."""
        name, menu = ampersands(self._state.current.name), QMenu(self.bar)
        for each in self.names():
            entry = menu.addAction(ampersands(visible(each)), partial(self._choose_other, each))
            entry.setCheckable(True)
            entry.setChecked(each == self._state.current.name)
        menu.addSeparator()
        menu.addAction("Save as a new view…", self.save_new)
        menu.addAction(f"Save what is shown into “{name}”", self.save_into).setEnabled(self._changed())
        menu.addAction(f"Show “{name}” as it is kept", self.put_back).setEnabled(self._changed())
        menu.addSeparator()
        menu.addAction(f"Rename “{name}”…", self.rename)
        place = self.names().index(self._state.current.name)
        menu.addAction("Move to the left", partial(self.move, -1)).setEnabled(place > 0)
        menu.addAction("Move to the right", partial(self.move, 1)).setEnabled(place < len(self._state.views) - 1)
        menu.addAction(f"Delete “{name}”", self.delete).setEnabled(len(self._state.views) > 1)
        menu.addSeparator()
        menu.addAction("Bring back the shipped views", self.bring_back)
        self.add_entries(menu)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)
        menu.setActiveAction(menu.actions()[self.names().index(self._state.current.name)])

    def _choose_other(self, name: str) -> None:
        """One of the menu. What was changed of the view that is shown is not put back by choosing it again."""
        if name != self._state.current.name:
            self.choose(name)

    def save_new(self) -> None:
        """Ask for a name and keep what is shown as a view of that name."""
        self._ask_name("Save as a new view", "", self._save_new)

    async def _save_new(self, desk: Desk, name: str) -> None:
        await self._take(desk, await save_view(desk, self._state.kind, self.as_shown(desk, name)), name)

    def save_into(self) -> None:
        """Keep what is shown in the view that is shown."""
        self._work(self._save_into)

    async def _save_into(self, desk: Desk) -> None:
        name = self._state.current.name
        views = await save_view(desk, self._state.kind, self.as_shown(desk, name), name)
        self.forget_changes()
        await self._take(desk, views, name)
        self._page.bar.say("good", f"Kept in “{name}”.")

    def put_back(self) -> None:
        """Show the view as it is kept."""
        self.forget_changes()
        self.choose(self._state.current.name)

    def rename(self) -> None:
        """Ask for another name."""
        # The view is bound now: another one may be shown, or this one deleted, before its new name is typed.
        name = self._state.current.name
        self._ask_name("Rename the view", name, partial(self._rename, name))

    async def _rename(self, old: str, desk: Desk, name: str) -> None:
        view = next((each for each in await load_views(desk, self._state.kind) if each.name == old), None)
        if view is None:
            self._page.bar.say("", f"The view “{old}” is deleted, so it was not renamed.")
            return
        views = await save_view(desk, self._state.kind, replace(view, name=name), old)
        await self.tell_renamed(desk, old, name)
        await self._take(desk, views, name)

    def move(self, by: int) -> None:
        """Move the view that is shown so many places to the right."""
        self._work(partial(self._move, by))

    async def _move(self, by: int, desk: Desk) -> None:
        names = self.names()
        at = names.index(self._state.current.name)
        names.insert(max(at + by, 0), names.pop(at))
        await self._take(desk, await order_views(desk, self._state.kind, names), self._state.current.name)

    def delete(self) -> None:
        """Delete the view that is shown; it can be taken back."""
        self._work(self._delete)

    async def _delete(self, desk: Desk) -> None:
        before, name = self._state.views, self._state.current.name
        await self._take(desk, await delete_view(desk, self._state.kind, name), "")
        self._page.bar.say(
            "",
            f"The view “{name}” is deleted.",
            "Undo",
            partial(self._take_back, before, name),
            topic="deleted",
            undoes=True,
        )

    def _take_back(self, before: Sequence[V], name: str) -> None:
        self._work(partial(self._put_back_all, before, name))

    async def _put_back_all(self, before: Sequence[V], name: str, desk: Desk) -> None:
        await self._take(desk, await keep_views(desk, self._state.kind, before), name)

    def bring_back(self) -> None:
        """Bring back the shipped views that were deleted."""
        self._work(self._bring_back)

    async def _bring_back(self, desk: Desk) -> None:
        await self._take(desk, await restore_shipped(desk, self._state.kind), self._state.current.name)

    async def _take(self, desk: Desk, views: Sequence[V], shown: str) -> None:
        """These are the views now, and this one is shown."""
        if desk is not self._desk:
            return
        self._state.take(views)
        self.count_again()
        if (shown and shown != self._state.current.name) or not shown:
            self.choose(shown or self._state.current.name)
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
        except NameTaken as error:  # another view has got this name since it was asked for
            self._page.bar.say("bad", f"The views were not changed. {error}")

    def _ask_name(self, title: str, name: str, work: Callable[[Desk, str], Awaitable[None]]) -> None:
        from app.ui.views.view_name_dialog import NameDialog  # nobody names a view before the first paint

        def trouble(typed: str) -> str:
            return name_trouble(self._state.views, typed, name)

        dialog = NameDialog(self._page, title, name, trouble)
        dialog.named.connect(partial(self._named, work))
        dialog.show()
        dialog.field.setFocus()

    def _named(self, work: Callable[[Desk, str], Awaitable[None]], name: str) -> None:
        self._work(lambda desk: work(desk, name))
