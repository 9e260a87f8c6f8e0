"""What is noticed and when: together, once, not in quiet hours, not what is looked at, and only as long as it is so."""

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, time, timedelta

import pytest

from app.background import noticer as noticer_module
from app.background.noticer import Noticer
from app.desk.desk import Desk
from app.desk.noticing.notice_choices import Kind, NoticeChoices, keep_choices
from app.desk.noticing.notice_facts import Reading, read_facts
from app.desk.noticing.notice_text import Notice
from app.store.cache.audits import audit_store
from app.store.cache.audits.audit_rows import AuditFacts
from app.store.journal import write_store
from app.store.store_errors import NotSaved
from app.ui.base.page import PageServices
from tests.support.journals import bring_to
from tests.support.loop import RunningLoop
from tests.support.mornings import DAY, NOW, TODAY, Morning, keep_morning, soon, watched_change

ALL = NoticeChoices(frozenset({"refused", "in-doubt", "watched", "soon", "low-audit"}))


class Rig:
    """A noticer on a desk whose day stands still, and what it asked for."""

    def __init__(self, loop: RunningLoop, services: PageServices, desk: Desk) -> None:
        self.loop, self.services = loop, services
        self.now = NOW
        self.desk = replace(desk, now=lambda: self.now)
        self.looked_at: frozenset[Kind] = frozenset()
        self.shows, self.fetching = True, False
        self.shown: list[Notice] = []
        self.new: list[bool] = []
        self.withdrawn = 0
        self.noticer = self.make()

    def make(self) -> Noticer:
        made = Noticer(
            self.services.sink,
            self.services.news,
            lambda: self.looked_at,
            lambda: self.shows,
            lambda: self.fetching,
        )
        made.noticed.connect(self._on_noticed)
        made.over.connect(self._on_over)
        return made

    def _on_noticed(self, notice: Notice, new: bool) -> None:
        self.shown.append(notice)
        self.new.append(new)

    def _on_over(self) -> None:
        self.withdrawn += 1

    def begin(self, choices: NoticeChoices = ALL, *, horizon: int = 30) -> None:
        self.loop.run(keep_choices(self.desk.journal, choices))
        self.noticer.take_desk(self.desk)
        self.noticer.begin()
        if horizon:
            self.noticer.orders_came(horizon)
        self.noticer.audits_came(whole=True)
        self.settle()
        self.withdrawn = 0

    def settle(self) -> None:
        """Wait until it has looked, and has nothing to look at."""
        self.loop.until(lambda: not self.noticer.busy)

    def restart(self) -> None:
        self.loop.run(self.noticer.aclose(5))
        self.noticer = self.make()
        self.noticer.take_desk(self.desk)
        self.noticer.begin()
        self.noticer.orders_came(30)
        self.noticer.audits_came(whole=True)
        self.settle()

    def end_write(self, reference: str, state: str = "rejected") -> int:
        """A write that is sent and ends so."""
        journal, now = self.desk.journal, NOW.astimezone()
        write = journal.write_now(write_store.queue_write, self.desk.profile.id, "submit", reference, b"{}", now)
        bring_to(journal, write, state, now)  # type: ignore[arg-type]
        self.services.news.wrote.emit()
        return write

    def desk_of(self, profile: str) -> Desk:
        """A desk of another connection."""
        return replace(self.desk, profile=replace(self.desk.profile, id=profile))

    @property
    def headings(self) -> list[str]:
        return [each.heading for each in self.shown]


@pytest.fixture
def rig(
    loop: RunningLoop, services: PageServices, offline_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Rig]:
    monkeypatch.setattr(noticer_module, "GATHER_MS", 20)
    monkeypatch.setattr(noticer_module, "REST_S", 0.0)
    made = Rig(loop, services, offline_desk)
    yield made
    loop.run(made.noticer.aclose(5))


def test_several_at_once_become_one_notice(rig: Rig) -> None:
    rig.begin()
    for each in range(3):
        rig.end_write(f"CRN-{each}")
    rig.settle()
    assert rig.headings == ["3 orders were refused"]
    assert "CRN" not in rig.shown[0].body
    rig.end_write("CRN-7", "in_doubt")
    rig.settle()
    assert rig.headings[1:] == ["4 things need you"], "in the place of the first, as long as that is there"
    rig.noticer.closed()
    rig.end_write("CRN-8")
    rig.settle()
    assert rig.headings[2:] == ["An order was refused"], "what has been read is not said again"


def during_the_last_round(rig: Rig, monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Have something happen, and the time to gather run out, while a noticer that looks once reads the stores."""
    once = [happens]

    async def read_and_wait(desk: Desk, kind: Kind, horizon: int) -> Reading:
        found = await read_facts(desk, kind, horizon)
        if once:
            ran_out = asyncio.Event()
            rig.noticer._gather.timeout.connect(ran_out.set)
            once.pop()()
            await ran_out.wait()
        return found

    monkeypatch.setattr(noticer_module, "_ROUNDS", 1)
    monkeypatch.setattr(noticer_module, "read_facts", read_and_wait)


def test_what_comes_during_the_last_round_of_a_look_is_noticed_too(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.begin()
    during_the_last_round(rig, monkeypatch, lambda: rig.end_write("CRN-2"))
    rig.end_write("CRN-1")
    rig.settle()
    assert rig.headings[-1] == "2 orders were refused"


def test_a_connection_that_is_chosen_during_a_look_is_looked_at_too(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.begin()
    during_the_last_round(rig, monkeypatch, lambda: rig.noticer.take_desk(rig.desk_of("other")))
    rig.end_write("CRN-1")
    rig.settle()
    assert not rig.noticer._stale & {"refused", "in-doubt"}


def test_nothing_is_noticed_twice_also_over_a_restart(rig: Rig) -> None:
    rig.end_write("OLD-1")
    rig.begin()
    assert rig.shown == [], "it was there before notices were"
    rig.end_write("CRN-1")
    rig.settle()
    assert rig.headings == ["An order was refused"]
    for _ in range(2):
        rig.restart()
        rig.services.news.wrote.emit()
        rig.settle()
    assert rig.headings == ["An order was refused"]


def test_what_happened_while_the_program_was_closed_is_noticed_at_the_next_start(rig: Rig) -> None:
    rig.begin()
    rig.loop.run(rig.noticer.aclose(5))
    rig.end_write("CRN-1", "in_doubt")
    rig.restart()
    assert rig.headings == ["An order is in doubt"]


def test_what_the_person_looks_at_is_not_noticed_then_or_later(rig: Rig) -> None:
    rig.begin()
    rig.looked_at = frozenset({"refused"})
    rig.end_write("CRN-1")
    rig.settle()
    rig.looked_at = frozenset()
    rig.end_write("CRN-2", "in_doubt")
    rig.settle()
    assert rig.headings == ["An order is in doubt"]


def test_a_notice_goes_when_its_cause_does_and_when_the_person_comes_to_look(rig: Rig) -> None:
    rig.begin()
    first, second = rig.end_write("CRN-1", "in_doubt"), rig.end_write("CRN-2", "in_doubt")
    rig.settle()
    for write, left in ((first, "An order is in doubt"), (second, "")):
        rig.desk.journal.write_now(write_store.settle, write, "accepted", "Read back.", NOW.astimezone())
        rig.services.news.wrote.emit()
        rig.settle()
        assert rig.withdrawn == (not left)
    assert rig.headings == ["2 orders are in doubt", "An order is in doubt"]
    assert rig.new == [True, False]
    rig.end_write("CRN-3")
    rig.settle()
    rig.looked_at = frozenset({"refused"})
    rig.noticer.look_around()
    rig.settle()
    assert rig.withdrawn == 2


def test_in_quiet_hours_nothing_is_noticed_and_at_their_end_what_is_still_so(rig: Rig) -> None:
    rig.begin(replace(ALL, quiet=True, quiet_from=time(18), quiet_to=time(7)))
    rig.now = NOW.replace(hour=23)
    kept, gone = rig.end_write("CRN-1"), rig.end_write("CRN-2", "in_doubt")
    rig.settle()
    rig.noticer._on_minute()
    rig.settle()
    assert rig.shown == []
    rig.desk.journal.write_now(write_store.settle, gone, "accepted", "Read back.", NOW.astimezone())
    rig.services.news.wrote.emit()
    rig.settle()
    rig.now = NOW.replace(hour=7) + timedelta(days=1)
    rig.noticer._on_minute()  # the clock of the noticer ticks each minute
    rig.settle()
    assert rig.headings == ["An order was refused"]
    assert rig.shown[0].place.keys == (kept,)


def test_a_kind_that_is_not_wanted_is_not_noticed_and_brings_no_flood_when_it_is(rig: Rig) -> None:
    rig.begin(replace(ALL, kinds=frozenset({"in-doubt"})))
    rig.end_write("CRN-1")
    rig.settle()
    rig.loop.run(keep_choices(rig.desk.journal, ALL))
    rig.noticer.choose_anew()
    rig.settle()
    assert rig.shown == []
    rig.end_write("CRN-2")
    rig.settle()
    assert rig.headings == ["An order was refused"]


def test_a_first_fetch_is_no_flood_and_a_later_one_tells_what_is_new(rig: Rig) -> None:
    rig.begin(horizon=0)
    made = Morning(random.Random(1))
    for _ in range(5):
        soon(made)
    rig.fetching = True
    rig.loop.run(keep_morning(rig.desk, made))
    rig.services.news.stored.emit()
    rig.settle()
    rig.fetching = False
    rig.noticer.orders_came(0)  # some days are missing still
    rig.settle()
    rig.noticer.orders_came(30)
    rig.settle()
    assert rig.shown == []
    for orders in made.orders.values():
        orders.clear()
    soon(made)
    soon(made)
    rig.loop.run(keep_morning(rig.desk, made))
    rig.noticer.orders_came(30)
    rig.settle()
    assert rig.headings == ["2 orders are about to be late"]
    rig.now = NOW + timedelta(days=40)
    rig.noticer._on_minute()
    rig.settle()
    assert rig.withdrawn == 1, "none of them is about to be late any more"


def test_a_watched_order_is_noticed_when_it_changes(rig: Rig) -> None:
    rig.begin(replace(ALL, references=True))
    made = Morning(random.Random(1))
    watched_change(made)
    later, made.later = made.later, []
    rig.loop.run(keep_morning(rig.desk, made))
    rig.services.news.stored.emit()
    rig.settle()
    assert rig.shown == []
    # Remarks are no change of its standing, a day of delivery is.
    made.orders, made.later, made.watched = {}, [replace(later[0], state="DSO", loaded_at=TODAY)], []
    rig.loop.run(keep_morning(rig.desk, made))
    rig.services.news.stored.emit()
    rig.settle()
    assert rig.headings == ["A watched order has changed"]
    assert rig.shown[0].body == made.expected[0].title
    assert (rig.shown[0].place.of, rig.shown[0].place.keys) == ("order", (made.number,))


def test_a_low_audit_is_noticed_once_audits_have_been_fetched(rig: Rig) -> None:
    rig.begin()
    scale = AuditFacts(1, TODAY - 40 * DAY, "Loading", "MEM01", None, 100.0)
    low = AuditFacts(2, TODAY + timedelta(hours=7), "Loading", "MEM01", None, 12.0)
    rig.desk.cache.write_now(audit_store.store_audits, rig.desk.profile.id, [scale, low], NOW)
    rig.noticer.audits_came(whole=True)
    rig.settle()
    assert rig.headings == ["An audit scored low"]
    assert (rig.shown[0].place.of, rig.shown[0].place.keys) == ("audit", (2,))


def test_a_desktop_that_shows_nothing_is_asked_for_nothing_and_gets_no_flood_later(rig: Rig) -> None:
    rig.begin()
    rig.shows = False
    rig.end_write("CRN-1")
    rig.settle()
    rig.shows = True
    rig.services.news.wrote.emit()
    rig.settle()
    assert rig.shown == []


def test_another_connection_takes_the_notice_away(rig: Rig) -> None:
    rig.begin()
    rig.end_write("CRN-1")
    rig.settle()
    other = replace(rig.desk, profile=replace(rig.desk.profile, id="other"))
    rig.noticer.take_desk(other)
    rig.settle()
    assert (rig.withdrawn, len(rig.shown)) == (1, 1)
    rig.noticer.take_desk(rig.desk)
    rig.settle()
    assert len(rig.shown) == 1


def test_two_notices_have_a_rest_between_them(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticer_module, "REST_S", 0.6)
    rig.begin()
    rig.end_write("CRN-1")
    rig.loop.until(lambda: rig.shown)
    first = datetime.now()
    for each in range(2, 6):
        rig.end_write(f"CRN-{each}")
        rig.loop.rest(10)
    rig.loop.until(lambda: len(rig.shown) > 1)
    assert datetime.now() - first > timedelta(seconds=0.5)
    assert rig.headings == ["An order was refused", "5 orders were refused"]


def test_a_journal_that_cannot_be_written_says_nothing_twice(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.begin()

    async def full(*_: object) -> None:
        raise NotSaved("The disk is full.")

    with monkeypatch.context() as trouble:
        trouble.setattr(noticer_module, "keep_ledger", full)
        rig.end_write("CRN-1")
        rig.settle()
        assert rig.shown == [], "what is not stored as noticed might be noticed twice"
        rig.noticer.look(("refused",))
        rig.settle()
        assert rig.shown == []
    rig.noticer.look(("refused",))
    rig.settle()
    assert rig.headings == ["An order was refused"]
