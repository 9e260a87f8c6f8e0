"""Keeps a desk with its team: opens the link that a person chose, hands each desk its part, closes it at the end.

Invariants: while no team is chosen, nothing of `store/team` or `desk/team` is imported and nothing is connected. A desk
with a chosen team never works as if it were alone, whether there is a link or not (`store/team/no_link`). The link
works on a thread of its own; everything it says arrives here on the window's thread, through a queued signal.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from app.background import background_words as words
from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.journal.team.team_choice import TeamChoice, read_choice
from app.store.paths import DataDir
from app.store.sqlite.database import Database
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.store.secrets import SecretPlace, SecretStore
    from app.store.team.team_calls import Present
    from app.store.team.team_link import LinkState, TeamLink
    from app.store.team.try_team import TeamTrial

_PATIENCE_S = 5.0


class TeamConnector(QObject):
    """`changed` is emitted when the connection stands otherwise, `learnt` when writes of the others were stored,
    `known` when there may be consignees to learn from them, `reviewed` when reviews of theirs were, `decided` when
    somebody decided about a write in doubt, `claims_free` when an order that another desk was sending may be free,
    `presence` when there are other people, or one of them begins or ends to work on something."""

    changed = Signal()
    learnt = Signal()
    claims_free = Signal()
    presence = Signal()
    reviewed = Signal()
    decided = Signal()
    known = Signal()
    _heard = Signal(object)  # from the link's thread

    def __init__(self, sink: Sink, journal: Database, data: DataDir) -> None:
        super().__init__()
        self._tasks = Tasks(sink, "team")
        self._journal, self._data = journal, data
        self._secrets: SecretStore | None = None
        self._desk: Desk | None = None
        self._link: TeamLink | None = None
        self._others: Database | None = None  # open while a team is chosen
        # Opening, joining and leaving take turns: a link that is opened meanwhile would be one too many.
        self._turn = asyncio.Lock()
        self.choice: TeamChoice | None = None
        self.trouble = ""  # why there is no link although a team is chosen
        # Who is in the team and works on what, as it was told last; None: no connection.
        self._at_work: tuple[frozenset[str], tuple[Present, ...]] | None = None
        # Queued, because the link emits this on its own thread.
        self._heard.connect(self._on_heard, Qt.ConnectionType.QueuedConnection)

    @property
    def state(self) -> "LinkState | None":
        """How the connection stands; None where there is none."""
        return None if self._link is None else self._link.state

    def take_desk(self, desk: Desk) -> None:
        """This desk works with the team from now on."""
        self._desk = desk
        self._hand_over()

    def begin(self, secrets: "SecretStore") -> None:
        """After the first paint: connect, if a team is chosen."""
        self._secrets = secrets
        self._tasks.read("open", self._open())

    def tell(self) -> None:
        """The journal has something new for the team."""
        if self._link is not None:
            self._link.wake()

    def try_now(self) -> None:
        """Connect now, for a person, without waiting for the clock."""
        if self._link is not None:
            self._link.wake()
        else:
            self._tasks.read("open", self._open())

    async def _open(self) -> None:
        from app.store.secrets import TEAM_LOGIN

        assert self._secrets is not None
        async with self._turn:
            # A person may have joined while this waited for its turn.
            if self._link is not None:
                return
            try:
                await self._take_choice(await self._journal.read(read_choice))
                password = None if self.choice is None else await self._secrets.read(TEAM_LOGIN)
            except StoreError as error:
                self.trouble = error.sentence
                self.changed.emit()
                return
            self.trouble = "" if password or self.choice is None else words.NO_TEAM_PASSWORD
            if password and self.choice is not None:
                self._connect(self.choice, password)
            self.changed.emit()

    async def _take_choice(self, choice: TeamChoice | None) -> None:
        """Work with this team, without a link for now: the keyring may take its time, or want a person."""
        self.choice = choice
        if choice is None:
            await self._use_others(None)
        else:
            from app.store.team.team_file import TEAM_FILE  # not loaded for a desk without a team

            await self._use_others(Database(self._data.team, TEAM_FILE))

    def _connect(self, choice: TeamChoice, password: str) -> None:
        from app.desk.team.joining import login_of  # none of these is loaded for a desk without a team
        from app.store.team.team_link import TeamLink

        assert self._others is not None
        login = login_of(choice, password, self._data.team_roots)
        self._link = TeamLink(login, self._journal, self._others, self._heard.emit)
        self._link.start()
        self._hand_over()

    def _hand_over(self) -> None:
        if self._desk is None:
            return
        if self._others is None or self.choice is None:
            self._desk.team = None
            return
        from app.desk.team.teamwork import team_of
        from app.store.team.no_link import NoLink

        link = self._link or NoLink(self.choice.person)
        self._desk.team = team_of(self._desk.profile, link, self._others, waits=self.choice.waits)

    # What a person chooses

    async def examine(self, choice: TeamChoice, password: str) -> "TeamTrial":
        """Walk the way to a database, with the password that is kept if none was typed. Raises `StoreError`."""
        from app.desk.team.joining import examine_team

        return await examine_team(choice, await self._password(password), self._data.team_roots)

    async def join(self, choice: TeamChoice, password: str) -> "SecretPlace":
        """Work with this team from now on; returns where the password is kept. Raises `StoreError`."""
        from app.desk.team.joining import keep_choice

        assert self._secrets is not None
        async with self._changing():
            password = await self._password(password)
            # Before the link of before is ended: where this fails, the desk is with its team as it was.
            place = await keep_choice(self._journal, self._secrets, choice, password)
            before = self.choice
            await self._end_link()
            await self._take_choice(choice)
            self.trouble = ""
            if before is not None and _where(before) != _where(choice):
                await self._forget_others()  # another team's people are not this one's
            self._connect(choice, password)
        self.changed.emit()
        return place

    async def leave(self) -> None:
        """Work alone from now on; everything that was done is kept. Raises `StoreError`."""
        from app.desk.team.joining import leave_team

        assert self._secrets is not None
        async with self._changing():
            await self._end_link()
            await leave_team(self._journal, self._secrets)
            await self._take_choice(None)
            self.trouble = ""
        self._tell()

    @asynccontextmanager
    async def _changing(self) -> AsyncGenerator[None]:
        """A person joins or leaves. Where that fails, the journal says with which team this desk works."""
        # It may wait for the keyring, and would connect the team of before once that is unlocked.
        self._tasks.cancel("open")
        try:
            async with self._turn:
                yield
        except StoreError:
            self._tasks.read("open", self._open())
            raise

    async def _password(self, typed: str) -> str:
        from app.store.secrets import TEAM_LOGIN

        assert self._secrets is not None
        return typed or await self._secrets.read(TEAM_LOGIN) or ""

    async def _forget_others(self) -> None:
        from app.store.team import team_file

        assert self._others is not None
        await self._others.write(team_file.forget)

    async def _end_link(self, patience: float = _PATIENCE_S) -> None:
        link, self._link = self._link, None
        self._hand_over()  # before the link ends: nothing is to be claimed through it any more
        if link is not None:
            link.stop()
            # The link may be in the middle of a statement, which ends in seconds: the window must not wait for it.
            await asyncio.to_thread(link.join, patience)

    async def _use_others(self, others: Database | None) -> None:
        before, self._others = self._others, others
        self._hand_over()  # before it is closed: nothing is to be read from it any more
        if before is not None:
            # Also where the same file is opened again: a link that has not ended yet stores no more in it.
            await before.close()

    def _on_heard(self, kinds: frozenset[str]) -> None:
        if "write" in kinds:
            self.learnt.emit()
        if "write" in kinds or "shared" in kinds:
            self.known.emit()
        if "settlement" in kinds:
            self.decided.emit()
        if "review" in kinds:
            self.reviewed.emit()
        if "claims" in kinds:
            self.claims_free.emit()
        self._tell()

    def _tell(self) -> None:
        """Tell how the team stands. Without a connection nobody is known to work on anything."""
        state = self.state
        at_work = None
        if state is not None and state.connected:
            at_work = frozenset(each.person for each in state.desks), state.presence
        # The link tells of every change of its own; the pages look anew only where somebody came, went or changed.
        if at_work != self._at_work:
            self._at_work = at_work
            self.presence.emit()
        self.changed.emit()

    # The end

    @property
    def busy(self) -> bool:
        """Whether the team is being joined or left."""
        return self._tasks.busy

    async def aclose(self, patience: float) -> None:
        """End the connection, within some `patience` seconds. The next start pushes entries that were not pushed."""
        await self._tasks.aclose(patience)
        await self._end_link(patience)
        await self._use_others(None)


def _where(choice: TeamChoice) -> tuple[str, int, str]:
    return choice.host, choice.port, choice.database
