"""Connects the desk in force to its provider: the practice process, or the provider of the profile with its secret.

Invariant: a provider is closed only once no write is being sent to it. `take_services` hands over the keyring and the
practice process after the first paint.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background import background_words as words
from app.desk.desk import Desk
from app.runtime.sink import Sink
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.api.provider import Provider
    from app.runtime.practice_child import PracticeChild
    from app.store.secrets import SecretStore


class Connector(QObject):
    """Emits `connected` once the desk in force has its provider; `stands` carries a tone and a sentence about the
    connection, and `practice_ended` the reason why the practice service ended while it was in use.
    """

    connected = Signal()
    stands = Signal(str, str)
    practice_ended = Signal(str)

    def __init__(self, sink: Sink, until_idle: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._tasks = Tasks(sink, "connection")
        self._until_idle = until_idle  # waits until nothing is being sent
        self._desk: Desk | None = None
        self._practice: PracticeChild | None = None
        self.secrets: SecretStore | None = None

    def take_desk(self, desk: Desk) -> None:
        """Connect this desk from now on; `connect_desk` follows."""
        self._desk = desk

    def take_services(self, secrets: "SecretStore", practice: "PracticeChild") -> None:
        """Hand over the keyring and the practice process, which are loaded after the first paint."""
        self.secrets, self._practice = secrets, practice
        practice.ready.connect(self._on_practice_ready)
        practice.ended.connect(self._on_practice_ended)

    def connect_desk(self) -> None:
        """Connect the desk in force to its provider, unless it is connected."""
        assert self._desk is not None
        self._tasks.cancel("connect")
        if self._desk.provider is not None or self.secrets is None:
            return  # without the services it is too early: the window connects once it has them
        if self._desk.profile.kind == "practice":
            self._tell("soft", words.STARTING_PRACTICE)
            assert self._practice is not None
            self._practice.start_unless_running()
        else:
            self._tell("soft", words.CONNECTING)
            self._tasks.read("connect", self._connect(self._desk))

    async def _connect(self, desk: Desk) -> None:
        from app.api.errors import ApiError  # the client and its models are loaded after the first paint
        from app.desk.connections import connection
        from app.store.secrets import proxy_password_of

        assert self.secrets is not None
        profile, password = desk.profile, ""
        try:
            secret = await self.secrets.read(profile.id)
            if secret and profile.proxy_user:
                password = await self.secrets.read(proxy_password_of(profile.id)) or ""
            trust = await connection.trust_of(profile)
            if desk is not self._desk:
                return  # the profile was changed while the keyring was waiting for a person
            if not secret:
                self._tell("bad", words.NO_SECRET)
                return
            if profile.proxy_user and not password:
                self._tell("bad", words.NO_PROXY_PASSWORD)
                return
            desk.provider = connection.connect(profile, secret, password, trust)
        except (StoreError, ApiError) as error:
            if desk is self._desk:
                self._tell("bad", error.sentence)
            return
        self.connected.emit()

    def _on_practice_ready(self, facts: dict[str, str]) -> None:
        desk = self._desk
        # The service may come up after a person has chosen another connection, which must not be cancelled by a read of
        # the same name: it would say "Connecting…" for good.
        if desk is not None and desk.profile.kind == "practice":
            self._tasks.read("connect", self._connect_practice(desk, facts))

    async def _connect_practice(self, desk: Desk, facts: dict[str, str]) -> None:
        from app.desk.connections import connection  # loaded after the first paint

        if desk is not self._desk or desk.provider is not None:
            return
        desk.profile = replace(
            desk.profile,
            base_url=facts["base_url"],
            info_base_url=facts["info_base_url"],
            auth_url=facts["auth_url"],
            client_id=facts["client_id"],
        )
        desk.provider = connection.connect(desk.profile, facts["client_secret"])
        self.connected.emit()

    def _on_practice_ended(self, sentence: str) -> None:
        if self._desk is not None and self._desk.profile.kind == "practice":
            self.hang_up()
            self._tell("bad", sentence)
            self.practice_ended.emit(sentence)

    def _tell(self, tone: str, sentence: str) -> None:
        assert self._desk is not None
        self._desk.trouble = sentence
        self.stands.emit(tone, sentence)

    def hang_up(self) -> None:
        """Close the desk's connection to its provider once no write is being sent to it any more."""
        if self._desk is not None and self._desk.provider is not None:
            # Taken from the desk at once: no new write begins with it, while the writes under way keep their own
            # reference.
            provider, self._desk.provider = self._desk.provider, None
            self._desk.trouble = words.CONNECTION_CHANGED
            # A name for each provider: a second write of the same name would be dropped, and its connections would stay
            # open.
            self._tasks.write(f"hang up {id(provider)}", self._close_when_quiet(provider))

    async def _close_when_quiet(self, provider: "Provider") -> None:
        await self._until_idle()
        await provider.aclose()

    @property
    def busy(self) -> bool:
        """Whether a connection is being made or closed."""
        return self._tasks.busy

    async def aclose(self, patience: float) -> None:
        """Close the provider and stop the practice process; tasks under way have `patience` seconds."""
        # First the tasks: a connection that is just being made would set `provider` after it was closed.
        await self._tasks.aclose(patience)
        if self._desk is not None and self._desk.provider is not None:
            await self._desk.provider.aclose()
        if self._practice is not None:
            await self._practice.stop()
