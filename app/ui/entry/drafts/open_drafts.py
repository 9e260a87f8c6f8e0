"""The open drafts side by side: a tab for each, and the way from one to another.

Nothing is ever asked about unsaved work: whatever was typed is kept before another draft takes its place, and a draft
that was put away can be had back.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QTabBar, QToolTip

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.drafts.saved_drafts import KeptDraft
from app.store.journal.draft_store import DraftName
from app.store.store_errors import StoreError
from app.ui.entry.drafts.screen import Screen
from app.ui.widgets.text.labels import ampersands, plain_tooltip, visible
from app.ui.widgets.text.times import clock

_NEW = "New order"


class DraftTabs(QTabBar):
    """A tab a draft, in the order in which they were begun. `chosen` names the draft of the tab that was chosen."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("drafts")
        self.setAccessibleName("Open drafts")
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._tips: dict[str, str] = {}
        self.currentChanged.connect(self._on_current)

    def event(self, event: QEvent) -> bool:
        # A tab's own tooltip would be read aloud as it is, tags and all.
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self.tabAt(event.pos())
            QToolTip.showText(event.globalPos(), plain_tooltip(self._tips.get(str(self.tabData(at)), "")), self)
            return True
        return super().event(event)

    @property
    def ids(self) -> list[str]:
        """The drafts, from left to right."""
        return [str(self.tabData(at)) for at in range(self.count())]

    def show_names(self, names: Sequence[DraftName], current: str) -> None:
        """One tab for each, and one for the draft on screen if it is not kept yet."""
        with QSignalBlocker(self):
            shown = [(each.id, saved_drafts.called(each), f"Changed {clock(each.changed_at)}") for each in names]
            if current not in {key for key, _, _ in shown}:
                shown.append((current, _NEW, "Nothing was typed yet"))
            while self.count() > len(shown):
                self.removeTab(self.count() - 1)
            for at, (key, name, tip) in enumerate(shown):
                if at == self.count():
                    self.addTab("")
                self.setTabText(at, ampersands(name))
                self.setTabData(at, key)
                self._tips[key] = f"{name}\n{tip}"
                self.setAccessibleTabName(at, visible(name))
            self._tips = {key: self._tips[key] for key, _, _ in shown}
            self.setCurrentIndex(next(at for at, (key, _, _) in enumerate(shown) if key == current))

    def _on_current(self, at: int) -> None:
        if at >= 0:
            self.chosen.emit(str(self.tabData(at)))


class OpenDrafts(QObject):
    """Brings drafts onto the screen and puts them away."""

    def __init__(self, screen: Screen, tabs: DraftTabs, parent: QObject) -> None:
        super().__init__(parent)
        self._screen, self._tabs = screen, tabs
        self._names: list[DraftName] = []
        self._wanted: str | None = None  # the draft that is to come on screen next
        self._opening = False
        tabs.chosen.connect(self.open)
        screen.room.news.drafts.connect(self.list_again)

    # Which there are

    def list_again(self) -> None:
        """Read the names again."""
        if self._screen.has_desk:
            self._screen.tasks.read("list drafts", self._list(self._screen.desk))

    async def _list(self, desk: Desk) -> None:
        try:
            self._names = await saved_drafts.names(desk)
        except StoreError as error:
            self._screen.bar.say("bad", f"The open drafts could not be listed. {error.sentence}")
        self.show_current()

    def show_current(self) -> None:
        """Mark the draft that is on screen."""
        self._tabs.show_names(self._names, self._screen.keeper.draft_id)

    async def reopen_latest(self, desk: Desk, here: str) -> None:
        """Unsent work is simply there again, unless another draft than `here` is, or something was typed meanwhile."""
        screen = self._screen
        await self._list(desk)
        latest = max(self._names, key=lambda each: each.changed_at, default=None)
        kept = None if latest is None else await self._load(desk, latest.id)
        if kept is not None and not screen.keeper.typed and screen.keeper.draft_id == here:
            screen.show_draft(kept.id, kept.draft, kept=kept)

    async def _load(self, desk: Desk, draft_id: str) -> KeptDraft | None:
        """One draft; None where it is not there, or cannot be read, which is said."""
        try:
            return await saved_drafts.load(desk, draft_id)
        except StoreError as error:
            self._screen.bar.say("bad", f"The draft could not be opened. {error.sentence}")
            return None

    def forget(self) -> None:
        """Another desk: its drafts are not known yet."""
        self._names = []

    # From one to another

    def start_blank(self) -> None:
        """A new order; what was typed stays in its draft."""
        if not self._screen.held.later(self.start_blank):
            self._screen.held.write("show draft", self.begin(None))

    async def begin(self, draft: OrderDraft | None) -> bool:
        """Put a draft on screen as a new one, or one that new orders begin with; the keyboard goes where it begins.

        False when what is there cannot be kept.
        """
        screen = self._screen
        if not await screen.keeper.settle():
            return False
        screen.bar.clear()
        screen.show_draft(saved_drafts.new_draft_id(), screen.blank() if draft is None else draft)
        if draft is not None:
            screen.note_typed()
        screen.go_to_first()
        return True

    def open(self, draft_id: str) -> None:
        """Show a draft that is kept. Asked for while another comes on screen, it follows that one."""
        self._wanted = draft_id
        if not self._screen.held.write("show draft", self._open_wanted()) and not self._opening:
            self._wanted = None  # what else comes on screen now was asked for first

    async def _open_wanted(self) -> None:
        self._opening = True
        try:
            while (draft_id := self._wanted) is not None:
                self._wanted = None
                if draft_id != self._screen.keeper.draft_id:
                    await self._open(draft_id)
        finally:
            self._opening = False

    async def _open(self, draft_id: str) -> None:
        screen = self._screen
        if await screen.keeper.settle():
            kept = await self._load(screen.desk, draft_id)
            if kept is not None and await screen.keeper.settle():
                screen.bar.clear()
                screen.show_draft(kept.id, kept.draft, kept=kept)
        await self._list(screen.desk)  # where nothing came of it, the tab goes back

    def next(self) -> None:
        """The draft to the right, after the last the first."""
        self._step(1)

    def previous(self) -> None:
        """The draft to the left."""
        self._step(-1)

    def _step(self, by: int) -> None:
        ids = self._tabs.ids
        here = self._wanted or self._screen.keeper.draft_id
        if len(ids) > 1 and here in ids:
            self.open(ids[(ids.index(here) + by) % len(ids)])

    # Away and back

    def put_away(self) -> None:
        """Close the draft on screen; it can be had back."""
        if self._screen.keeper.typed or self._is_kept():
            self._screen.held.write("show draft", self._put_away())

    def _is_kept(self) -> bool:
        return any(each.id == self._screen.keeper.draft_id for each in self._names)

    async def _put_away(self) -> None:
        screen = self._screen
        desk, draft_id, draft = screen.desk, screen.keeper.draft_id, screen.form.draft()
        screen.keeper.pause()
        try:
            await saved_drafts.save(desk, draft_id, draft)
            await saved_drafts.discard(desk, draft_id)
        except StoreError as error:
            screen.bar.say("bad", f"The draft could not be put away. {error.sentence}")
            return
        beside = await self._beside(desk, draft_id)
        more = ""
        if draft_id == screen.keeper.draft_id:
            if screen.form.draft() != draft:  # by a mouse or a screen reader: keys are held
                screen.keeper.follow(saved_drafts.new_draft_id())
                screen.note_typed()
                more = " What was changed after that stands here, as a draft of its own."
            elif beside is None:
                screen.show_draft(saved_drafts.new_draft_id(), screen.blank())
            else:
                screen.show_draft(beside.id, beside.draft, kept=beside)
        screen.room.news.drafts.emit()
        screen.bar.say(
            "",
            f"The draft was put away. Ctrl+Shift+T opens it again.{more}",
            "Undo",
            self.reopen_closed,
            topic="put away",
            undoes=True,
        )

    async def _beside(self, desk: Desk, draft_id: str) -> KeptDraft | None:
        """What comes on screen after a draft was closed; None for a new order."""
        at = self._tabs.ids.index(draft_id) if draft_id in self._tabs.ids else 0
        others = [key for key in self._tabs.ids if key != draft_id]
        kept = await self._load(desk, others[min(at, len(others) - 1)]) if others else None
        self._names = [each for each in self._names if each.id != draft_id]
        return kept

    def reopen_closed(self) -> None:
        """Open the draft again that was put away last."""
        self._screen.held.write("show draft", self._reopen_closed())

    async def _reopen_closed(self) -> None:
        screen = self._screen
        if not await screen.keeper.settle():
            return
        try:
            kept = await saved_drafts.reopen_last_closed(screen.desk)
        except StoreError as error:
            screen.bar.say("warn", error.sentence)
            return
        if kept is None:
            screen.bar.say("", "No draft was put away.")
        elif await screen.keeper.settle():
            screen.bar.clear()
            screen.show_draft(kept.id, kept.draft, kept=kept)
        screen.room.news.drafts.emit()
