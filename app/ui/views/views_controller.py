"""Controls the saved views of a page: which is shown, how many rows each finds, and saving, naming and moving them.

Invariant: the views on screen are those in the journal; a change is shown once it is saved.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Generic

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu

from app.desk.connections.saved_views import (
    LONGEST_NAME,
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
from app.ui.views import views_words as words
from app.ui.views.views_bar import ViewsBar
from app.ui.views.views_state import ViewsState
from app.ui.widgets.text.labels import ampersands, visible

if TYPE_CHECKING:
    from app.store.team.team_file import SharedThing
    from app.ui.base.team_sharing import TeamSharing

_LAST_VIEW, _DELETED = "view not saved", "deleted"  # topics of the message bar


class Views(QObject, Generic[V]):
    """Works with the tasks and the message bar of `page`.

    `chosen`: another view, or another form of the same one, is to be shown. A subclass knows what
    its kind of view shows: it fills its page's widgets from a view, and makes a view of them.
    """

    chosen = Signal()

    def __init__(self, page: Page, bar: ViewsBar, state: ViewsState[V]) -> None:
        super().__init__(page)
        self._page, self.bar, self._state = page, bar, state
        self._desk: Desk | None = None
        self._counts_stale = True
        self.may_count = False  # the first paint does without counts
        bar.chosen.connect(self._on_chosen)
        bar.menu_asked.connect(self.open_menu)

    # For the subclass

    def is_changed(self, desk: Desk) -> bool:
        """Whether the page shows something else than the saved view."""
        raise NotImplementedError

    def as_view(self, desk: Desk, name: str) -> V:
        """The present filter and columns of the page, as a view of this name."""
        raise NotImplementedError

    def apply(self, desk: Desk) -> None:
        """Fill the page's widgets from the view that is shown."""
        raise NotImplementedError

    def forget_changes(self) -> None:
        """The page is about to show the view as it is saved."""

    async def count_of(self, desk: Desk, view: V) -> int:
        """How many rows a view finds. Raises `StoreError`."""
        raise NotImplementedError

    async def move_settings(self, desk: Desk, old: str, new: str) -> None:
        """A view has another name: what else is saved under its name follows. Raises `StoreError`."""

    def add_menu_entries(self, menu: QMenu) -> None:
        """Add to the menu what only this kind of view offers."""

    # What is shown

    async def use(self, desk: Desk) -> None:
        """Read the views of a connection when it is another one, and show the one that was shown last.

        Raises `StoreError`.
        """
        if desk is not self._desk:
            views = await load_views(desk, self._state.kind)
            last = await last_view(desk, self._state.kind)
            self._desk, self._counts_stale = desk, True
            self._state.take(views)
            found = self._state.find(last)
            if found is not None and found.name != self._state.current.name:
                self._state.choose(found)
                self.apply(desk)
        self.show()

    def show(self) -> None:
        """Show which views there are, which is shown, and whether it was changed."""
        self.bar.show_views(self.names(), self._state.current.name, changed=self._is_changed())

    def _is_changed(self) -> bool:
        return self._desk is not None and self.is_changed(self._desk)

    def names(self) -> list[str]:
        """The names of the views, in their order."""
        return [each.name for each in self._state.views]

    def choose(self, name: str) -> None:
        """Show the view of this name."""
        found = self._state.find(name)
        if found is None or self._desk is None:
            return
        self._state.choose(found)
        self.apply(self._desk)
        self.show()
        self._page.tasks.write("keep view", self._save_last(self._desk))
        self.chosen.emit()

    async def _save_last(self, desk: Desk) -> None:
        # A second write of this name is dropped while the first runs, so the first goes on until it has saved the
        # view that was chosen meanwhile.
        saved = ""
        while desk is self._desk and (name := self._state.current.name) != saved:
            try:
                await keep_last_view(desk, self._state.kind, name)
            except StoreError as error:
                self._page.bar.say("bad", words.choice_not_saved(error.sentence), topic=_LAST_VIEW)
                return
            saved = name
            self._page.bar.withdraw(_LAST_VIEW)

    def _on_chosen(self, name: str) -> None:
        self.choose(name)

    def next(self) -> None:
        """Show the view after this one."""
        self.choose(self._state.step(1).name)

    def previous(self) -> None:
        """Show the view before this one."""
        self.choose(self._state.step(-1).name)

    # Counts

    def invalidate_counts(self) -> None:
        """The store has changed: views may find other rows."""
        self._counts_stale = True

    def count(self) -> None:
        """Count the rows of each view, if they may have changed."""
        if self.may_count and self._counts_stale and self._desk is not None:
            self._counts_stale = False
            self._page.tasks.read("view counts", self._count(self._desk))

    async def _count(self, desk: Desk) -> None:
        counted = False
        try:
            # One after the other: a key in the filter is answered between two counts.
            for view in self._state.views:
                self.bar.show_counts({view.name: await self.count_of(desk, view)})
            counted = True
        finally:
            # A count that a key has broken off is taken up again the next time.
            self._counts_stale = self._counts_stale or not counted

    # The menu

    def open_menu(self, at: QPoint) -> None:
        """Offer the views, with the one that is shown highlighted, and what can be done with it and with all."""
        menu = QMenu(self.bar)
        current = self._state.current.name
        name, place = ampersands(visible(current)), self.names().index(current)
        for each in self.names():
            entry = menu.addAction(ampersands(visible(each)), partial(self._choose_other, each))
            entry.setCheckable(True)
            entry.setChecked(each == current)
        menu.addSeparator()
        menu.addAction(words.SAVE_AS_NEW, self.save_new)
        menu.addAction(words.update_view(name), self.update).setEnabled(self._is_changed())
        menu.addAction(words.RESET_VIEW, self.reset).setEnabled(self._is_changed())
        menu.addSeparator()
        menu.addAction(words.rename_view(name), self.rename)
        menu.addAction(words.MOVE_LEFT, partial(self.move, -1)).setEnabled(place > 0)
        menu.addAction(words.MOVE_RIGHT, partial(self.move, 1)).setEnabled(place < len(self._state.views) - 1)
        menu.addAction(words.delete_view(name), self.delete).setEnabled(len(self._state.views) > 1)
        if self._desk is not None and self._desk.team is not None:
            menu.addSeparator()
            menu.addAction(words.share_view(name), self.share)
            menu.addAction(words.stop_sharing_view(name), self.stop_sharing)
            menu.addAction(words.FROM_TEAM, partial(self.offer_shared, at))
        menu.addSeparator()
        menu.addAction(words.RESTORE_DEFAULTS, self.restore_defaults)
        self.add_menu_entries(menu)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)
        menu.setActiveAction(menu.actions()[place])

    def _choose_other(self, name: str) -> None:
        # Choosing the view that is shown would drop its unsaved changes.
        if name != self._state.current.name:
            self.choose(name)

    # Changing views

    def save_new(self) -> None:
        """Ask for a name and save what is shown as a view of that name."""
        self._ask_name(words.NEW_VIEW, "", self._save_new)

    async def _save_new(self, desk: Desk, name: str) -> None:
        self._show_saved(desk, await save_view(desk, self._state.kind, self.as_view(desk, name)), name)

    def update(self) -> None:
        """Save what is shown into the view that is shown."""
        self._write(self._update)

    async def _update(self, desk: Desk) -> None:
        name = self._state.current.name
        views = await save_view(desk, self._state.kind, self.as_view(desk, name), name)
        self.forget_changes()
        self._show_saved(desk, views, name)
        self._page.bar.say("good", words.updated(name))

    def reset(self) -> None:
        """Show the view as it is saved."""
        self.forget_changes()
        self.choose(self._state.current.name)

    def rename(self) -> None:
        """Ask for another name of the view that is shown."""
        # Bound now: another view may be shown, or this one deleted, before its new name is typed.
        name = self._state.current.name
        self._ask_name(words.RENAME, name, partial(self._rename, name))

    async def _rename(self, old: str, desk: Desk, name: str) -> None:
        view = next((each for each in await load_views(desk, self._state.kind) if each.name == old), None)
        if view is None:
            self._page.bar.say("", words.deleted_before_rename(old))
            return
        views = await save_view(desk, self._state.kind, replace(view, name=name), old)
        await self.move_settings(desk, old, name)
        self._show_saved(desk, views, name)

    def move(self, by: int) -> None:
        """Move the view that is shown so many places to the right."""
        self._write(partial(self._move, by))

    async def _move(self, by: int, desk: Desk) -> None:
        names, current = self.names(), self._state.current.name
        at = names.index(current)
        names.insert(max(at + by, 0), names.pop(at))
        self._show_saved(desk, await order_views(desk, self._state.kind, names), current)

    def delete(self) -> None:
        """Delete the view that is shown; the message bar offers to undo that."""
        self._write(self._delete)

    async def _delete(self, desk: Desk) -> None:
        before, name = self._state.views, self._state.current.name
        self._show_saved(desk, await delete_view(desk, self._state.kind, name), "")
        undo = partial(self._undo_delete, before, name)
        self._page.bar.say("", words.deleted(name), words.UNDO, undo, topic=_DELETED, undoes=True)

    def _undo_delete(self, before: Sequence[V], name: str) -> None:
        self._write(partial(self._restore, before, name))

    async def _restore(self, before: Sequence[V], name: str, desk: Desk) -> None:
        self._show_saved(desk, await keep_views(desk, self._state.kind, before), name)

    # The team

    def _sharing(self) -> "TeamSharing":
        from app.desk.team.sharing import view_sort  # not loaded for a desk without a team
        from app.ui.base.team_sharing import TeamSharing

        assert self._desk is not None
        return TeamSharing(self._page, self._page.tasks, self._page.bar, self._desk, view_sort(self._state.kind.choice))

    def share(self) -> None:
        """Share the view that is shown, as it is saved."""
        self._sharing().share(self._state.current.name, asdict(self._state.current))

    def stop_sharing(self) -> None:
        """Share the view that is shown no longer."""
        self._sharing().stop(self._state.current.name)

    def offer_shared(self, at: QPoint) -> None:
        """Offer the views that others of the team share."""
        self._sharing().offer(at, self._take)

    def _take(self, thing: "SharedThing") -> None:
        self._write(partial(self._take_over, thing))

    async def _take_over(self, thing: "SharedThing", desk: Desk) -> None:
        from app.desk.team.sharing import content_of, free_name

        kind = self._state.kind
        taken = [each.name for each in await load_views(desk, kind)]
        name = free_name(thing, taken, LONGEST_NAME)
        view = kind.read(name, content_of(thing))
        if view is None:
            self._page.bar.say("warn", words.not_understood(thing.name, thing.person))
            return
        self._show_saved(desk, await save_view(desk, kind, view), name)
        self._page.bar.say("good", words.taken_over(name, thing.person))

    def restore_defaults(self) -> None:
        """Add those of the default views that were deleted."""
        self._write(self._restore_defaults)

    async def _restore_defaults(self, desk: Desk) -> None:
        self._show_saved(desk, await restore_shipped(desk, self._state.kind), self._state.current.name)

    def _show_saved(self, desk: Desk, views: Sequence[V], name: str) -> None:
        """The journal has these views now: show them, and the one of this name; the first where it is empty."""
        if desk is not self._desk:
            return  # another connection is used by now
        self._state.take(views)
        self.invalidate_counts()
        if name != self._state.current.name:
            self.choose(name or self._state.current.name)
        else:
            self.show()
            self.chosen.emit()

    def _write(self, work: Callable[[Desk], Awaitable[None]]) -> None:
        if self._desk is not None:
            self._page.tasks.write("views", self._run(self._desk, work))

    async def _run(self, desk: Desk, work: Callable[[Desk], Awaitable[None]]) -> None:
        try:
            await work(desk)
        except StoreError as error:
            self._page.bar.say("bad", words.not_changed(error.sentence))
        except NameTaken as error:
            # The dialog had accepted the name: another view got it before this one was saved.
            self._page.bar.say("bad", words.not_changed(str(error)))

    def _ask_name(self, title: str, name: str, work: Callable[[Desk, str], Awaitable[None]]) -> None:
        from app.ui.widgets.name_dialog import NameDialog  # nobody names a view before the first paint

        def trouble(typed: str) -> str:
            return name_trouble(self._state.views, typed, name)

        dialog = NameDialog(self._page, title, words.NAME_OF_VIEW, name, trouble)
        dialog.named.connect(partial(self._on_named, work))
        dialog.show()
        dialog.field.setFocus()

    def _on_named(self, work: Callable[[Desk, str], Awaitable[None]], name: str) -> None:
        self._write(lambda desk: work(desk, name))
