"""Follows one write in a message bar, from the moment it is queued until it has ended or needs a person."""

from functools import partial

from PySide6.QtCore import QObject

from app.background.news import News
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.outbox.outbox_words import sentence_about
from app.ui.widgets.bars.message_bar import MessageBar

_TOPIC = "submitted"


class FollowedWrite(QObject):
    """Follows the latest write that it was given. Once a person is needed, the window's own bar says so instead."""

    def __init__(self, parent: QObject, bar: MessageBar, tasks: Tasks, news: News) -> None:
        super().__init__(parent)
        self._bar, self._tasks, self._news = bar, tasks, news
        self._desk: Desk | None = None
        self._write_id = 0
        self._more = ""
        self._changes = False
        news.wrote.connect(self._look)

    async def follow(self, desk: Desk, write_id: int, more: str = "", *, changes: bool = False) -> None:
        """Say how this write stands from now on; `more` is said with the first sentence.

        `changes`: it was submitted as the change of an order. The write itself knows that once it was about to leave.
        """
        self._desk, self._write_id, self._more, self._changes = desk, write_id, more, changes
        self._bar.withdraw(_TOPIC)
        await self._say(desk, write_id)

    def _look(self) -> None:
        if self._desk is not None:
            if self._bar.text_of(_TOPIC):
                self._tasks.read("followed write", self._say(self._desk, self._write_id))
            else:
                self._desk = None  # a person has closed the message

    async def _say(self, desk: Desk, write_id: int) -> None:
        try:
            row = (await outbox.writes_by_id(desk, (write_id,))).get(write_id)
        except StoreError:
            return  # the outbox page reports trouble with the journal; the next change reads this again
        # Another write was queued while the journal was read; its sentence must not be replaced by an older one's.
        if write_id != self._write_id or self._desk is None:
            return
        if row is None:
            self._bar.withdraw(_TOPIC)
            return
        said = sentence_about(row, desk.now(), blocked=bool(desk.blocked), changes=self._changes)
        if said.over:
            self._bar.say(said.tone, said.sentence, topic=_TOPIC)  # with nothing to do about it, it goes by itself
            self._desk = None
        elif said.tone in ("warn", "bad"):
            self._bar.withdraw(_TOPIC)
            self._desk = None
        else:
            show = partial(self._news.show_write.emit, write_id)
            self._bar.say(said.tone, f"{said.sentence}{self._more}", translate("Show in outbox"), show, topic=_TOPIC)
