"""The connection to a team's database, on a thread of its own: pushes this desk's entries, pulls the others', answers.

Invariants:
- Only this thread touches the connection. Nothing here knows Qt or an event loop; `on_news` is called on this thread.
- Entries are pushed in their order; what the database has is compared with the journal before the first push of each
  connection, so neither an older copy of the journal nor a restored database mixes two logs.
- What is pulled is stored whole, a page at a time, so memory does not grow with the log.
- Calls from outside (claims, presence) run between two pages, and fail at once while there is no connection.
"""

import contextlib
import logging
import queue
import random
import select
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import UUID

import psycopg

from app.store.journal.team import team_log
from app.store.sqlite.database import Database
from app.store.store_errors import StoreError
from app.store.team import entry_readers, team_calls, team_file
from app.store.team.team_calls import ClaimAnswer, ClockDifference, LogEnd, Present, TeamDesk, TeamSettings
from app.store.team.team_entry import Outgoing, Place
from app.store.team.team_errors import GAP, TeamTrouble, trouble_of
from app.store.team.team_place import TeamPlace, connection_words
from app.translation import translate

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)

_POLL_S = 10.0  # a notice wakes earlier; this is for one that was lost
_PAGE = 500  # entries in one push
_FIRST_PULL, _PULL = 250, 2_000  # entries in the first pull, and in one at most
_LARGEST_PULL = 8_000_000  # letters of a page, about: it has as many entries as fit by the length of those before it
_LARGEST_PUSH = 4_000_000  # letters
_TELL_S = 1.0
_PATIENCE_MS = 20_000  # for one statement
_FIRST_DELAY_S, _LONGEST_DELAY_S, _LASTING_DELAY_S = 1.0, 30.0, 300.0
# Desks that lost the server at the same moment do not all come back at the same moment.
_JITTER = 1.3
_DAY_S = 24 * 3600.0
_CLOCK_SET_S = 1.0
NOT_CONNECTED = translate("The team's database cannot be reached.")
_ENDED = translate("Waybill is about to end.")


@dataclass(frozen=True, slots=True)
class TeamLogin:
    """Where the database is, and as whom this desk comes. `roots` as in `team_place.connection_words`."""

    place: TeamPlace
    user: str
    password: str
    person: str
    roots: Path


@dataclass(frozen=True, slots=True)
class LinkState:
    """How the connection stands. `trouble` is None while it works and before the first try has ended.

    `behind` is how many entries of others are still to be pulled, `waiting` how many of this desk's to be pushed.
    """

    connected: bool = False
    trouble: TeamTrouble | None = None
    behind: int = 0
    waiting: int = 0
    desks: tuple[TeamDesk, ...] = ()
    presence: tuple[Present, ...] = ()
    settings: TeamSettings | None = None


class TeamLink:
    """`state` may be read from any thread.

    `on_news` gets the kinds of entries that were stored, "state" if the state has changed, "claims" if a claim was
    given back, "presence" if somebody begins or ends to work on something.
    """

    def __init__(
        self, login: TeamLogin, journal: Database, others: Database, on_news: Callable[[frozenset[str]], None]
    ) -> None:
        self._login, self._journal, self._others, self._on_news = login, journal, others, on_news
        self.state = LinkState()
        self.clock: ClockDifference | None = None  # as last measured, also without a connection
        self._jobs: queue.SimpleQueue[tuple[Callable[[psycopg.Connection, UUID], Any], Future[Any]]] = (
            queue.SimpleQueue()
        )
        self._bell, self._rung = socket.socketpair()  # wakes the thread from its wait
        # `wake` must not wait for this thread: where the pipe is full, the thread has enough to wake from.
        self._bell.setblocking(False)
        self._stop = threading.Event()
        self._desk = UUID(int=0)
        self._largest = 0  # of the clocks that the journal knows, or was handed
        self._observed: Future[int] | None = None  # the last time that it was handed to the journal
        self._apart = 0.0  # between both clocks of this computer, when the difference was measured
        self._people: list[tuple[str, str]] = []  # as they are stored with what the others did
        self._ids: dict[str, int] = {}  # of the desks in the others' file
        self._retired_at = 0.0
        self._in_job = False
        self._owed: set[tuple[Place, str]] = set()  # claims to be given back
        self._heard: set[str] = set()  # what notices were about
        self._thread = threading.Thread(target=self._run, name="team", daemon=True)

    @property
    def person(self) -> str:
        """The name under which this desk works with the team."""
        return self._login.person

    def start(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def wake(self) -> None:
        """Push what waits, and try to connect now if there is no connection. May be called on any thread."""
        with contextlib.suppress(
            BlockingIOError, OSError
        ):  # a full pipe wakes as well; a closed one has nobody to wake
            self._bell.send(b"!")

    def claim(self, place: Place, reference: str, seconds: float) -> "Future[ClaimAnswer]":
        """Take the claim on a reference. Once it is got, what its last holder did is known here. As `call`."""

        # Otherwise the claim that is taken now would be given back in place of the one before.
        self._owed.discard((place, reference))

        def take(c: psycopg.Connection, desk: UUID) -> ClaimAnswer:
            answer = team_calls.claim(c, desk, place, reference, seconds)
            # A desk that has just joined would go through years here: its own page by page takes that.
            if answer.got and self.state.behind <= _PULL and (kinds := self._pull(c)):
                self._on_news(frozenset(kinds))
            return answer

        return self._submit(take)

    def give_back(self, place: Place, reference: str) -> None:
        """Give a claim back, as soon as the others can know what became of it: also after the connection was away."""
        self._owed.add((place, reference))
        self.wake()

    def call(
        self,
        function: Callable[Concatenate[psycopg.Connection, UUID, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> "Future[T]":
        """Run `function(connection, desk, …)` of `team_calls` on the thread. The future raises `TeamTrouble`.

        A future that is cancelled before its turn is never run.
        """
        return self._submit(lambda c, desk: function(c, desk, *args, **kwargs))

    def _submit(self, function: Callable[[psycopg.Connection, UUID], T]) -> "Future[T]":
        # Without a connection a call fails at once: whoever sends an order goes on without the team then.
        job: Future[T] = Future()
        if self._stop.is_set() or not self.state.connected:
            job.set_exception(self.state.trouble or TeamTrouble("connection", NOT_CONNECTED))
            return job
        self._jobs.put((function, job))
        if self._stop.is_set():  # the thread may have looked for jobs for the last time just before
            self._fail_jobs(TeamTrouble("connection", _ENDED))
        self.wake()
        return job

    def stop(self) -> None:
        """End the connection after what it is doing at the moment. Returns at once; `join` waits."""
        self._stop.set()
        self.wake()

    def join(self, patience: float) -> bool:
        """Wait for the end of the thread; whether it ended in time."""
        if self._thread.is_alive():
            self._thread.join(patience)
        return not self._thread.is_alive()

    # All methods below run on the thread.

    def _run(self) -> None:
        delay = _FIRST_DELAY_S
        try:
            while not self._stop.is_set():
                began = time.monotonic()
                trouble = self._attempt()
                if self._stop.is_set():
                    break
                if time.monotonic() - began > _LONGEST_DELAY_S:
                    delay = _FIRST_DELAY_S  # it worked for a while: what broke it is new
                self._set_state(LinkState(trouble=trouble, waiting=self.state.waiting))
                self._fail_jobs(trouble)
                # A wrong password that is tried each second locks an account; a person's change makes a new link.
                self._wait(None, _LASTING_DELAY_S if trouble.lasting else delay * random.uniform(1.0, _JITTER))  # noqa: S311
                delay = min(delay * 2, _LONGEST_DELAY_S)
        finally:
            self._stop.set()
            self._fail_jobs(TeamTrouble("connection", _ENDED))
            self._bell.close()
            self._rung.close()

    def _attempt(self) -> TeamTrouble:
        """Connect and work until something ends it; returns what did."""
        try:
            login = self._login
            words = connection_words(login.place, login.user, login.password, login.roots)
            with psycopg.connect(**words, autocommit=True) as c:  # type: ignore[arg-type]  # mypy cannot see through it
                self._serve(c)
        except psycopg.Error as error:
            _log.info("The team's database ended with %s", type(error).__name__)  # its words may quote an entry
            return trouble_of(error, self._login.place.host)
        except TeamTrouble as trouble:
            return trouble
        except StoreError as error:  # the journal or the file of the team; it may be free again in a while
            return TeamTrouble("call", error.sentence)
        except Exception:  # noqa: BLE001
            # A fault of ours must not end the thread for good in silence: it is logged, and said on screen.
            _log.exception("The link to the team's database met a fault")
            return TeamTrouble("call", translate("Waybill made a mistake of its own while it worked with the team."))
        return TeamTrouble("connection", _ENDED)

    def _serve(self, c: psycopg.Connection) -> None:
        c.execute("SELECT set_config('statement_timeout', %s, false)", (str(_PATIENCE_MS),))
        team_calls.read_by_index(c)
        self._heard, self._observed = set(), None
        c.add_notify_handler(lambda notice: self._heard.add(notice.payload))
        c.execute("LISTEN waybill")
        # Measured for each connection: both clocks may have been set since the last one.
        clock = self._measure_clock(c)
        settings = team_calls.settings(c)
        self._join_log(c, clock)
        # One that the journal could not store, because the last connection ended with it, is handed to it again.
        self._largest = self._journal.write_now(team_log.observe, self._largest)
        self._others.write_now(team_file.reread_unknown)
        self._set_state(LinkState(connected=True, settings=settings, waiting=self.state.waiting))
        heard = {"claims"}  # whoever waits for a claim asks again, now that there is a connection
        while not self._stop.is_set():
            self._push(c)
            kinds = self._pull(c) | (heard & {"claims"})
            self._look_around(c)
            if kinds:
                self._on_news(frozenset(kinds))
            # Any desk may drop what is too old; once a day from each is enough.
            if time.monotonic() - self._retired_at > _DAY_S:
                self._retired_at = time.monotonic()
                while not self._stop.is_set() and team_calls.retire(c):
                    self._run_jobs(c)
            self._run_jobs(c)
            heard = self._wait(c, _POLL_S)
            # Somebody set this computer's clock, or it slept: what is told of others' moments must not be hours wrong.
            if abs(_clocks_apart() - self._apart) > _CLOCK_SET_S:
                self._measure_clock(c)

    def _measure_clock(self, c: psycopg.Connection) -> ClockDifference:
        self._apart = _clocks_apart()
        self.clock = clock = team_calls.clock_difference(c)
        return clock

    def _join_log(self, c: psycopg.Connection, clock: ClockDifference) -> None:
        """Say who is here, and make sure that the journal and the database mean the same log by its id."""
        log = self._journal.write_now(team_log.begin)
        end = team_calls.join(c, UUID(log.desk), self._login.person, clock)
        if not self._journal.read_now(_fits, end):
            log = self._journal.write_now(team_log.begin_anew)
            end = team_calls.join(c, UUID(log.desk), self._login.person, clock)
        self._desk = UUID(log.desk)
        self._journal.write_now(team_log.record_pushed, log.desk, end.seq)

    def _push(self, c: psycopg.Connection) -> bool:
        """Push the entries that wait. Returns whether the database has all of them: not if the link ends before."""
        assert self.state.settings is not None
        payloads = self.state.settings.payloads
        # A desk that has just joined tells of years of writes, a few hundred in each commit.
        while self._journal.read_now(team_log.note_more):
            self._journal.write_now(team_log.note_more)
        while not self._stop.is_set():
            log = self._journal.read_now(team_log.current)
            if log is None or log.desk != str(self._desk):
                raise TeamTrouble("desk", translate("This desk has left the team."), lasting=True)
            if self.state.waiting != log.seq - log.pushed:
                self._set_state(replace(self.state, waiting=log.seq - log.pushed))
            if log.pushed >= log.seq:
                return True
            page = self._journal.read_now(_page, log.pushed, payloads=payloads)
            try:
                pushed = team_calls.append(c, self._desk, page)
            except psycopg.Error as error:
                if error.sqlstate == GAP:  # the database was restored from a backup while this connection was open
                    raise TeamTrouble(
                        "call", translate("The team's database has lost entries of this desk.")
                    ) from error
                raise
            self._journal.write_now(team_log.record_pushed, log.desk, pushed)
            self._run_jobs(c)
        return False

    def _pull(self, c: psycopg.Connection) -> set[str]:
        """Take what the other desks have added; returns the kinds of the entries."""
        self._hear_of_observed()
        desks = team_calls.desks(c)
        people = [(str(each.desk), each.person) for each in desks]
        if people != self._people:  # a commit at each notice would be most of its work
            self._ids = self._others.write_now(team_file.learn_people, people)
            self._people = people
        seen = self._others.read_now(team_file.seen)
        kinds: set[str] = set()
        behind = {each.desk: each.last_seq - seen[str(each.desk)] for each in desks if each.desk != self._desk}
        stored: Future[set[str]] | None = None
        shown, count = time.monotonic(), _FIRST_PULL
        for each in desks:
            after, id_ = seen[str(each.desk)], self._ids[str(each.desk)]
            while each.desk != self._desk and after < each.last_seq and not self._stop.is_set():
                page = team_calls.entries_after(c, each.desk, after, count)
                if not page:
                    break  # what is left of this log was dropped with its months
                told = entry_readers.read(id_, page)
                # While a page is stored, the next one is asked for and read. There are never more than two.
                if stored is not None:
                    kinds |= stored.result()
                # Before anybody can know of these entries: whatever this desk does from then on gets a larger clock.
                # The journal's thread does one after the other, so nobody has to wait for the disk here.
                self._observe(team_log.latest_believed(entry.clock for entry in page))
                stored = self._others.begin_write(team_file.take, id_, page, told)
                length = sum(len(entry.body) for entry in page)
                count = max(1, min(_PULL, _LARGEST_PULL * len(page) // max(length, 1)))
                after = page[-1].seq
                behind[each.desk] = each.last_seq - after
                # A long way: say how far it is, but not with every page, since the window reads anew each time.
                if sum(behind.values()) > _PULL and time.monotonic() - shown > _TELL_S:
                    shown = time.monotonic()
                    self._set_state(replace(self.state, behind=sum(behind.values())))
                    self._on_news(frozenset(kinds))
                # What a job reads of the others' file waits there for the page that is being stored.
                self._run_jobs(c)
        if stored is not None:
            kinds |= stored.result()
        state = replace(self.state, behind=0, desks=tuple(desks))
        if state != self.state:
            self._set_state(state)
        return kinds

    def _observe(self, clock: int) -> None:
        self._hear_of_observed()
        if clock > self._largest:
            self._largest = clock
            self._observed = self._journal.begin_write(team_log.observe, clock)

    def _hear_of_observed(self) -> None:
        # Nobody waits for the disk here. Only the last of these has to be heard of: it stores the largest clock where
        # one before it could not.
        if self._observed is not None and self._observed.done():
            self._observed.result()  # raises what the disk said

    def _look_around(self, c: psycopg.Connection) -> None:
        there = tuple(team_calls.presence(c, self._desk))
        if there != self.state.presence:
            self.state = replace(self.state, presence=there)
            self._on_news(frozenset({"presence"}))

    def _run_jobs(self, c: psycopg.Connection) -> None:
        if self._in_job:  # a job that pushes or pulls: the others have their turn after it
            return
        self._in_job = True
        try:
            self._run_each(c)
            self._give_back_owed(c)
        finally:
            self._in_job = False

    def _give_back_owed(self, c: psycopg.Connection) -> None:
        owed = list(self._owed)
        # The desk that gets the claim next has to know how this attempt ended. Without that entry the claim is not
        # given back, and ends by itself.
        if not owed or not self._push(c):
            return
        for each in owed:
            if each in self._owed:
                team_calls.give_back(c, self._desk, *each)
                self._owed.discard(each)

    def _run_each(self, c: psycopg.Connection) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                function, job = self._jobs.get_nowait()
                if not job.set_running_or_notify_cancel():
                    continue
                try:
                    job.set_result(function(c, self._desk))
                except psycopg.Error as error:
                    job.set_exception(trouble_of(error, self._login.place.host))
                    if c.broken or c.closed:
                        raise
                # The caller hears of it first; then it ends this connection, and `_attempt` logs it.
                except BaseException as error:
                    job.set_exception(error)
                    raise

    def _fail_jobs(self, trouble: TeamTrouble) -> None:
        # Nothing takes jobs out of the queue while there is no connection: who waits for one hears now why.
        with contextlib.suppress(queue.Empty):
            while True:
                _, job = self._jobs.get_nowait()
                if job.set_running_or_notify_cancel():
                    job.set_exception(trouble)

    def _wait(self, c: psycopg.Connection | None, seconds: float) -> set[str]:
        """Wait for a notice, for `wake`, or for the clock; returns what the notices were about."""
        watched: list[Any] = [self._rung] if c is None else [self._rung, c.pgconn.socket]
        # A notice that came with the answer to a call is heard already, and the socket does not tell of it again.
        ready = select.select(watched, [], [], 0 if self._stop.is_set() or self._heard else seconds)[0]
        if self._rung in ready:
            self._rung.recv(4096)
        if c is None:
            return set()
        c.pgconn.consume_input()
        while (notice := c.pgconn.notifies()) is not None:
            self._heard.add(notice.extra.decode())
        heard, self._heard = self._heard, set()
        return heard

    def _set_state(self, state: LinkState) -> None:
        self.state = state
        self._on_news(frozenset({"state"}))


def _clocks_apart() -> float:
    return time.time() - time.monotonic()


def _fits(c: Any, end: LogEnd) -> bool:
    """Whether the journal's log is the one that the database has under its id."""
    log = team_log.current(c)
    assert log is not None
    if end.seq == 0:
        return team_log.first_kept(c) == 1 or log.seq == 0
    return team_log.clock_of(c, end.seq) == end.clock


def _page(c: Any, after: int, *, payloads: bool) -> list[Outgoing]:
    """The entries of one push: not too many, and not too long together."""
    size = 0
    page: list[Outgoing] = []
    for each in team_log.unpushed(c, after, _PAGE if not payloads else _PAGE // 5, payloads=payloads):
        size += len(each.body)
        if page and size > _LARGEST_PUSH:
            break
        page.append(Outgoing(*each))
    return page
