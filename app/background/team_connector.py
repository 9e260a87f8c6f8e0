"""Keeps a desk with its team: opens the link that a person chose, hands each desk its part, closes it at the end.

Invariants: while no team is chosen, nothing of `store/team` or `desk/team` is imported and nothing is connected. The
link works on a thread of its own; everything it says arrives here on the window's thread, through a queued signal.
"""

import asyncio
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
        self._others: Database | None = None
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
        try:
            choice = await self._journal.read(read_choice)
            password = None if choice is None else await self._secrets.read(TEAM_LOGIN)
        except StoreError as error:
            self.trouble = error.sentence
            self.changed.emit()
            return
        self.choice = choice
        # A person may have joined while the journal and the keyring were read.
        if choice is None or self._link is not None:
            return
        self.trouble = "" if password else words.NO_TEAM_PASSWORD
        if password:
            self._connect(choice, password)
        self.changed.emit()

    def _connect(self, choice: TeamChoice, password: str) -> None:
        from app.desk.team.joining import login_of  # none of these is loaded for a desk without a team
        from app.store.team.team_file import TEAM_FILE
        from app.store.team.team_link import TeamLink

        self._others = Database(self._data.team, TEAM_FILE)
        login = login_of(choice, password, self._data.team_roots)
        self._link = TeamLink(login, self._journal, self._others, self._heard.emit)
        self._link.start()
        self._hand_over()

    def _hand_over(self) -> None:
        if self._desk is None or self._link is None or self._others is None or self.choice is None:
            return
        from app.desk.team.teamwork import team_of

        self._desk.team = team_of(self._desk.profile, self._link, self._others, waits=self.choice.waits)

    # What a person chooses

    async def examine(self, choice: TeamChoice, password: str) -> "TeamTrial":
        """Walk the way to a database, with the password that is kept if none was typed. Raises `StoreError`."""
        from app.desk.team.joining import examine_team

        return await examine_team(choice, await self._password(password), self._data.team_roots)

    async def join(self, choice: TeamChoice, password: str) -> "SecretPlace":
        """Work with this team from now on; returns where the password is kept. Raises `StoreError`."""
        from app.desk.team.joining import keep_choice

        assert self._secrets is not None
        password = await self._password(password)
        before = self.choice
        await self._disconnect()
        place = await keep_choice(self._journal, self._secrets, choice, password)
        if before is not None and (before.host, before.port, before.database) != _where(choice):
            await self._forget_others()  # another team's people are not this one's
        self.choice, self.trouble = choice, ""
        self._connect(choice, password)
        self.changed.emit()
        return place

    async def leave(self) -> None:
        """Work alone from now on; everything that was done is kept. Raises `StoreError`."""
        from app.desk.team.joining import leave_team

        assert self._secrets is not None
        await self._disconnect()
        self.choice, self.trouble = None, ""
        self._tell()
        await leave_team(self._journal, self._secrets)

    async def _password(self, typed: str) -> str:
        from app.store.secrets import TEAM_LOGIN

        assert self._secrets is not None
        return typed or await self._secrets.read(TEAM_LOGIN) or ""

    async def _forget_others(self) -> None:
        from app.store.team import team_file

        others = Database(self._data.team, team_file.TEAM_FILE)
        try:
            await others.write(team_file.forget)
        finally:
            await others.close()

    async def _disconnect(self, patience: float = _PATIENCE_S) -> None:
        if self._desk is not None:
            self._desk.team = None  # before the link ends: nothing is to be claimed through it any more
        link, self._link = self._link, None
        others, self._others = self._others, None
        if link is not None:
            link.stop()
            # The link may be in the middle of a statement, which ends in seconds: the window must not wait for it.
            await asyncio.to_thread(link.join, patience)
        if others is not None:
            await others.close()

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
        await self._disconnect(patience)


def _where(choice: TeamChoice) -> tuple[str, int, str]:
    return choice.host, choice.port, choice.database
