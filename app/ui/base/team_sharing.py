"""Shares a thing with the team, stops that, and offers what others share: the same for views and for templates.

Imported only where there is a team.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

from app.desk.desk import Desk
from app.desk.team import sharing
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.store.team.team_file import SharedThing
from app.translation import translate
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.text.labels import ampersands, visible

_TOPIC = "shared"
_TASK = "share"


class TeamSharing:
    """Works with the tasks and the message bar of a page; `what` is the sort of things."""

    def __init__(self, window: QWidget, tasks: Tasks, bar: MessageBar, desk: Desk, what: str) -> None:
        self._window, self._tasks, self._bar, self._desk, self._what = window, tasks, bar, desk, what

    def share(self, name: str, content: Mapping[str, Any]) -> None:
        """Share it under this name."""
        self._tasks.write(_TASK, self._share(name, content))

    def stop(self, name: str) -> None:
        """Share it no longer."""
        self._tasks.write(_TASK, self._stop(name))

    def offer(self, at: QPoint, take: Callable[[SharedThing], None]) -> None:
        """Open a menu of what others share."""
        self._tasks.read("shared", self._offer(at, take))

    async def _share(self, name: str, content: Mapping[str, Any]) -> None:
        try:
            await sharing.share(self._desk, self._what, name, content)
        except StoreError as error:
            self._bar.say("bad", error.sentence, topic=_TOPIC)
            return
        said = translate("The team can take over {name} now. Share it again after a change.", name=name)
        self._bar.say("good", said, translate("Stop sharing"), partial(self.stop, name), topic=_TOPIC)

    async def _stop(self, name: str) -> None:
        try:
            was_shared = await sharing.stop_sharing(self._desk, self._what, name)
        except StoreError as error:
            self._bar.say("bad", error.sentence, topic=_TOPIC)
            return
        if was_shared:
            said = translate("{name} is shared no longer. Whoever took it over keeps it.", name=name)
        else:
            said = translate("{name} was not shared.", name=name)
        self._bar.say("", said, topic=_TOPIC)

    async def _offer(self, at: QPoint, take: Callable[[SharedThing], None]) -> None:
        found = await sharing.others_shared(self._desk, self._what)
        if not found:
            self._bar.say("", translate("Nobody else of the team shares anything here."), topic=_TOPIC)
            return
        self._bar.withdraw(_TOPIC)
        menu = QMenu(self._window)
        menu.setAccessibleName(translate("From the team"))
        for each in found:
            title = translate("{name}, from {person}", name=each.name, person=each.person)
            menu.addAction(ampersands(visible(title)), partial(take, each))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)
        menu.setActiveAction(menu.actions()[0])
