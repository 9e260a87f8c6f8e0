"""The sender: one thing at a time, for the desk in force, and never in a hurry when nothing can leave."""

import json
import time
from dataclasses import replace
from datetime import datetime, timedelta

import apsw
import pytest
from PySide6.QtCore import Qt, QTimer

from app.background.sender import Ending, Pause, Sender
from app.background.settler import Settler
from app.contract.submission import wire_bytes
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.desk.sending.evidence import GRACE
from app.runtime.tasks import Tasks
from app.store.journal.records import WriteStory
from app.store.store_errors import NotSaved
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.outbox.write_story import story_text
from app.ui.shell.outbox_notices import OutboxNotices
from app.ui.widgets.text.times import clock
from tests.support.desks import let_time_pass, profile_of, provider_of, submission
from tests.support.fault_server import Answer, FaultServer, Seen, start_fault_server
from tests.support.faults import Fault, act_then_drop, acted_but, answered, drop_before, held, json_answer
from tests.support.loop import RunningLoop

SUBMIT = "/Order/submit"


class Told:
    """What the sender said."""

    def __init__(self, sender: Sender) -> None:
        self.lines: list[Ending] = []
        self.pauses: list[Pause | None] = []
        sender.ended.connect(self.lines.extend)
        sender.paused.connect(self.pauses.append)


@pytest.fixture
def sender(loop: RunningLoop, services: PageServices) -> Sender:
    made = Sender(services.sink, services.news, services.now)
    services.news.queue_changed.connect(made.wake)  # as the window does it
    return made


def queue(loop: RunningLoop, desk: Desk, *references: str) -> list[int]:
    return [loop.run(outbox.queue_submission(desk, submission(each), None)) for each in references]


def test_what_is_queued_is_sent_and_told(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    told = Told(sender)
    sender.take_desk(window_desk)
    queue(loop, window_desk, "R-1", "R-2")
    sender.wake()
    loop.until(lambda: len(told.lines) == 2)
    assert [each.state for each in told.lines] == ["accepted", "accepted"]
    assert len(fault_server.seen(SUBMIT)) == 2
    assert loop.run(sender.aclose(5))


@pytest.mark.parametrize("answer", [Answer(401), json_answer({"title": "Busy"}, 429)], ids=["401", "429"])
def test_when_nothing_can_leave_it_waits_for_the_clock(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer, answer: Answer
) -> None:
    """Each step is journalled and told; hearing itself must not make it try again at once, without an end."""
    fault_server.plan(answered(answer), SUBMIT, times=None)
    told = Told(sender)
    sender.take_desk(window_desk)
    queue(loop, window_desk, "R-1", "R-2")
    sender.wake()
    loop.until(lambda: told.lines)
    loop.run(sender.until_idle())
    loop.rest(40)
    assert {each.body for each in fault_server.seen(SUBMIT)} == {wire_bytes(submission("R-1"))}
    assert sender._retry.isActive()
    assert 5_000 <= sender._retry.interval() <= 6_500, "with some chance in it, so that desks do not come together"
    sender.try_now()
    loop.until(lambda: len(told.lines) == 2)
    loop.run(sender.until_idle())
    assert 10_000 <= sender._retry.interval() <= 13_000, "each time in vain it waits longer"
    loop.run(sender.aclose(5))
    assert not sender._retry.isActive()


def test_what_is_queued_while_it_sends_leaves_too(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), SUBMIT)
    told = Told(sender)
    sender.take_desk(window_desk)
    queue(loop, window_desk, "R-1")
    sender.wake()
    loop.until(lambda: fault_server.seen(SUBMIT))
    queue(loop, window_desk, "R-2")
    sender.wake()
    sender.wake()
    assert len(fault_server.seen(SUBMIT)) == 1
    gate.release()
    loop.until(lambda: len(told.lines) == 2)
    assert [each["orderReferenceNumber"] for each in bodies(fault_server)] == ["R-1", "R-2"]
    loop.run(sender.aclose(5))


def bodies(server: FaultServer) -> list[dict[str, object]]:
    return [json.loads(each.body) for each in server.seen(SUBMIT)]


def test_after_a_change_of_the_profile_the_new_desk_s_queue_is_sent_once_the_old_write_is_done(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), SUBMIT)
    told = Told(sender)
    with start_fault_server() as elsewhere:
        profile = replace(profile_of(elsewhere), id="elsewhere")
        other = replace(window_desk, profile=profile, provider=provider_of(elsewhere))
        queue(loop, window_desk, "OLD-1", "OLD-2")
        queue(loop, other, "NEW-1")
        sender.take_desk(window_desk)
        sender.wake()
        loop.until(lambda: fault_server.seen(SUBMIT))
        old_provider, window_desk.provider = window_desk.provider, None
        sender.take_desk(other)
        sender.wake()
        gate.release()
        loop.until(lambda: elsewhere.seen(SUBMIT))
        loop.run(sender.until_idle())
        window_desk.provider = old_provider
        assert other.provider is not None
        loop.run(other.provider.aclose())
        assert [each["orderReferenceNumber"] for each in bodies(elsewhere)] == ["NEW-1"]
    assert [each["orderReferenceNumber"] for each in bodies(fault_server)] == ["OLD-1"]
    assert [each.state for each in told.lines].count("accepted") == 2
    assert not sender._retry.isActive(), "nothing of the new desk is held up"
    loop.run(sender.aclose(5))


def test_without_a_connection_it_does_nothing(loop: RunningLoop, sender: Sender, offline_desk: Desk) -> None:
    sender.wake()
    sender.take_desk(offline_desk)
    queue(loop, offline_desk, "R-1")
    sender.wake()
    loop.rest()
    assert loop.run(outbox.counts(offline_desk))["queued"] == 1
    assert loop.run(sender.aclose(5))


def test_closing_waits_for_what_is_being_sent(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(after=gate), SUBMIT)
    sender.take_desk(window_desk)
    (write,) = queue(loop, window_desk, "R-1")
    sender.wake()
    loop.until(lambda: fault_server.seen(SUBMIT))
    assert loop.run(sender.aclose(0.01)) is False
    gate.release()
    loop.run(sender.until_idle())
    assert loop.run(outbox.story(window_desk, write)).row.state == "accepted"


def test_it_rests_for_as_long_as_the_provider_asks(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan(answered(json_answer({"title": "Busy"}, 503, **{"Retry-After": "120"})), SUBMIT)
    sender.take_desk(window_desk)
    queue(loop, window_desk, "R-REST")
    sender.wake()
    loop.until(sender._retry.isActive)
    assert sender._retry.interval() == 120_000
    loop.run(sender.aclose(1.0))


def test_of_several_that_are_turned_away_together_the_longest_rest_counts(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    """One of eight on the wire is asked to wait 300 seconds; the answers that come after it say less."""
    came: list[Seen] = []
    all_there, first_ended = fault_server.gate(), fault_server.gate()

    def busy(seen: Seen) -> Fault | None:
        if not seen.path.endswith(SUBMIT):
            return None
        came.append(seen)
        if len(came) == 9:
            all_there.release()
        seconds, gate = ("300", all_there) if len(came) == 2 else ("30", first_ended)
        answer = json_answer({"title": "Busy"}, 429, **{"Retry-After": seconds})
        return Fault(act=False, after=gate, answer=answer) if len(came) > 1 else None  # the first goes alone

    fault_server.plan_by(busy)
    told = Told(sender)
    sender.take_desk(window_desk)
    queue(loop, window_desk, *(f"R-{number}" for number in range(20)))
    sender.wake()
    loop.until(lambda: "queued" in [each.state for each in told.lines])
    first_ended.release()
    loop.run(sender.until_idle())
    assert [each.state for each in told.lines].count("queued") == 8
    assert sender._retry.interval() == 300_000
    loop.run(sender.aclose(5))


@pytest.mark.parametrize("path", [SUBMIT, "/connect/token"])
def test_whoever_gives_out_the_tokens_is_left_alone_too(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer, path: str
) -> None:
    fault_server.plan(answered(json_answer({"title": "Busy"}, 429, **{"Retry-After": "120"})), path, times=None)
    sender.take_desk(window_desk)
    queue(loop, window_desk, "R-1")
    sender.wake()
    loop.until(sender._retry.isActive)
    assert sender._retry.interval() == 120_000
    loop.run(sender.aclose(5))


def test_many_are_told_of_a_few_times(
    loop: RunningLoop, sender: Sender, services: PageServices, window_desk: Desk, fault_server: FaultServer
) -> None:
    """A window that read the journal again for each of ten thousand could do nothing else."""
    news: list[int] = []
    told = Told(sender)
    sender.take_desk(window_desk)
    queue(loop, window_desk, *(f"R-{number}" for number in range(200)))
    services.news.wrote.connect(lambda: news.append(len(told.lines)))
    began = time.monotonic()
    sender.wake()
    loop.until(lambda: len(told.lines) == 200)
    loop.run(sender.until_idle())
    assert {each.state for each in told.lines} == {"accepted"}
    # Four a second at most. Qt's timers may be early by a twentieth.
    assert len(news) <= (time.monotonic() - began) / (0.25 * 0.95) + 2
    assert news[0] == 0, "the first is told at once"
    assert news[-1] == 200, "and the last is told too"
    loop.run(sender.aclose(5))


def test_what_the_old_desk_waits_for_does_not_hold_up_the_new_one(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    waits = json_answer({"orderReferenceNumber": "OLD", "systemNumber": 1, "status": "In Import Queue"})
    fault_server.plan(Fault(act=False, answer=waits, before=gate), "/Order/status")
    with start_fault_server() as elsewhere:
        profile = replace(profile_of(elsewhere), id="elsewhere")
        other = replace(window_desk, profile=profile, provider=provider_of(elsewhere))
        queue(loop, window_desk, "OLD")
        queue(loop, other, "NEW")
        sender.take_desk(window_desk)
        sender.wake()
        loop.until(lambda: fault_server.seen("/Order/status"))
        sender.take_desk(other)
        sender.wake()
        gate.release()
        loop.until(lambda: elsewhere.seen(SUBMIT))
        loop.run(sender.until_idle())
        assert other.provider is not None
        loop.run(other.provider.aclose())
    loop.run(sender.aclose(5))


def test_a_clock_that_is_set_back_by_a_month_stops_nothing(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    ahead = [timedelta(days=30)]
    desk = replace(window_desk, now=lambda: datetime.now() + ahead[0])
    loop.run(outbox.queue_cancellation(desk, "R-1"))
    ahead[0] = timedelta()
    sender.take_desk(desk)
    sender.wake()
    loop.run(sender.until_idle())
    assert fault_server.seen("/Order/status"), "it waits ten seconds at most, and not a month"
    loop.run(sender.aclose(5))


def test_a_cancellation_that_waits_for_a_doubt_sets_no_alarm(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    """Its time to undo is over. An alarm for a moment that has passed would read the queue without end."""
    fault_server.plan(act_then_drop(), SUBMIT)
    queue(loop, window_desk, "R-1")
    loop.run(outbox.drain(window_desk))
    loop.run(outbox.queue_cancellation(window_desk, "R-1"))
    sender.take_desk(window_desk)
    alarm = sender.findChild(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert alarm is not None
    sender.wake()
    loop.run(sender.until_idle())
    assert alarm.isActive(), "for the end of its time to undo"
    let_time_pass(window_desk, outbox.UNDO)
    alarm.stop()
    sender.try_now()
    loop.run(sender.until_idle())
    assert not alarm.isActive()
    loop.run(sender.aclose(5))


def test_closing_begins_nothing_more(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), SUBMIT)
    sender.take_desk(window_desk)
    queue(loop, window_desk, *(f"R-{number}" for number in range(50)))
    sender.wake()
    loop.until(lambda: fault_server.seen(SUBMIT))
    closing = loop.asyncio.create_task(sender.aclose(10))
    loop.rest()
    gate.release()
    loop.until(closing.done)
    assert closing.result()
    counted = loop.run(outbox.counts(window_desk))
    assert (counted["accepted"], counted["queued"]) == (1, 49)


def test_a_damaged_write_is_not_asked_about_without_end(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    def spoil(c: apsw.Connection) -> None:
        c.execute("DROP TRIGGER writes_keep_what_was_queued")
        c.execute("UPDATE writes SET payload = ? WHERE reference = 'R-1'", (b"{",))

    told = Told(sender)
    sender.take_desk(window_desk)
    queue(loop, window_desk, "R-1", "R-2")
    loop.run(window_desk.journal.write(spoil))
    sender.wake()
    loop.until(lambda: "accepted" in [each.state for each in told.lines])
    loop.run(sender.until_idle())
    assert len(fault_server.seen("/Order/status")) <= 4
    assert {each.state for each in told.lines} == {"held", "accepted"}
    loop.run(sender.aclose(5))


def test_an_outage_is_left_alone_until_the_clock_or_a_person_says_so(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    """Every order typed meanwhile, and every word of the settler, would cost one more order a doubt."""
    fault_server.plan_by(lambda seen: drop_before() if seen.path.endswith(SUBMIT) else None)
    told = Told(sender)
    sender.take_desk(window_desk)
    queue(loop, window_desk, *(f"R-{number}" for number in range(30)))
    sender.wake()
    loop.until(lambda: told.pauses[-1] is not None)
    for _ in range(3):
        queue(loop, window_desk, f"LATER-{len(told.lines)}-{_}")
        sender.wake()
        loop.run(sender.until_idle())
    assert loop.run(outbox.counts(window_desk))["in_doubt"] == 3
    pause = told.pauses[-1]
    assert pause is not None
    assert "Recent sends are unconfirmed." in pause.reason
    first = sender._retry.interval()
    for tried in (4, 5, 6, 7, 8, 9):
        sender.try_now()
        loop.run(sender.until_idle())
        assert loop.run(outbox.counts(window_desk))["in_doubt"] == tried
    assert sender._retry.interval() > 20 * first, "each try costs one order a doubt, so they become few"
    fault_server.plan_by(None)
    sender._retry.timeout.emit()
    loop.run(sender.until_idle())
    counted = loop.run(outbox.counts(window_desk))
    assert (counted["in_doubt"], counted["accepted"], counted["queued"]) == (9, 24, 0)
    assert told.pauses[-1] is None
    assert sender._delay == 5
    loop.run(sender.aclose(5))


def test_one_that_cannot_be_asked_about_is_asked_about_again_by_the_clock(
    loop: RunningLoop, sender: Sender, window_desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.plan_by(
        lambda seen: answered(Answer(500)) if seen.query.get("OrderReferenceNumber") == "R-1" else None
    )
    told = Told(sender)
    sender.take_desk(window_desk)
    queue(loop, window_desk, "R-1", "R-2")
    sender.wake()
    loop.until(lambda: "accepted" in [each.state for each in told.lines])
    loop.run(sender.until_idle())
    assert len(fault_server.seen("/Order/status")) <= 2 * 2 + 1, "not without end"
    assert sender._retry.isActive()
    assert not any(told.pauses), "nothing else waits for it"
    fault_server.plan_by(None)
    sender._retry.timeout.emit()
    loop.until(lambda: [each.state for each in told.lines].count("accepted") == 2)
    loop.run(sender.aclose(5))


def test_a_journal_that_cannot_be_read_is_said_and_tried_again(
    loop: RunningLoop, sender: Sender, services: PageServices, window_desk: Desk, fault_server: FaultServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    told = Told(sender)
    window = MainWindow(services.theme)
    notices = OutboxNotices(window, sender, Tasks(services.sink, "window"), lambda: "orders")
    window.show()
    sender.take_desk(window_desk)
    notices.take_desk(window_desk)
    queue(loop, window_desk, "R-1")
    with monkeypatch.context() as broken:

        async def unreadable(*_: object, **__: object) -> object:
            raise NotSaved("The disk reported an error.")

        broken.setattr(type(window_desk.journal), "read", unreadable)
        sender.wake()
        loop.until(lambda: told.lines)
        loop.run(sender.until_idle())
    (line,) = told.lines
    assert (line.write_id, line.state) == (None, "not recorded")
    assert line.sentence.endswith("The disk reported an error.")
    assert window.bar.text == line.sentence
    assert sender._retry.isActive()
    sender._retry.timeout.emit()
    loop.until(lambda: told.lines[-1].state == "accepted")
    assert fault_server.seen(SUBMIT)
    loop.until(lambda: not window.bar.text)
    loop.run(sender.aclose(5))
    window.let_go()


def test_that_the_journal_could_not_be_read_is_said_no_more_though_nothing_is_left_to_send(
    loop: RunningLoop, sender: Sender, services: PageServices, window_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = MainWindow(services.theme)
    notices = OutboxNotices(window, sender, Tasks(services.sink, "window"), lambda: "orders")
    window.show()
    sender.take_desk(window_desk)
    notices.take_desk(window_desk)
    with monkeypatch.context() as broken:

        async def unreadable(*_: object, **__: object) -> object:
            raise NotSaved("The disk reported an error.")

        broken.setattr(type(window_desk.journal), "read", unreadable)
        sender.wake()
        loop.until(lambda: window.bar.text.startswith("The outbox could not be read."))
        loop.run(sender.until_idle())
    sender._retry.timeout.emit()
    loop.until(lambda: not window.bar.text)
    loop.run(sender.aclose(5))
    window.let_go()


def test_a_new_order_in_doubt_is_sent_again_by_itself_as_time_passes(
    loop: RunningLoop, sender: Sender, services: PageServices, window_desk: Desk, fault_server: FaultServer
) -> None:
    """Nobody does anything: the clock looks for it twice, and what it finds wakes the sender."""
    settler = Settler(services.sink, services.news)
    settler.take_desk(window_desk)
    sender.take_desk(window_desk)
    fault_server.plan(drop_before(), SUBMIT)
    (write,) = queue(loop, window_desk, "R-1")

    def kept() -> WriteStory:
        return loop.run(outbox.story(window_desk, write))

    sender.wake()
    loop.until(lambda: kept().row.state == "in_doubt")
    loop.run(sender.until_idle())
    settler.look()
    loop.until(lambda: kept().row.missed_at is not None)
    let_time_pass(window_desk, GRACE)
    loop.until(lambda: not settler.busy)
    settler.look()
    loop.until(lambda: kept().row.state in ("accepted", "confirmed"))
    story = kept()
    said = next(line for line in story_text(story).splitlines() if line.startswith("Sent again by Waybill"))
    first, second = story.row.missed_at, story.row.missed_again_at
    assert first is not None
    assert second is not None
    assert said == (
        f"Sent again by Waybill at {clock(story.attempts[1].started_at)}: the provider did not know the order at "
        f"{clock(first)} and {clock(second)}."
    )
    assert fault_server.book.all("R-1")[0].versions == [wire_bytes(submission("R-1"))]
    loop.run(settler.aclose(5))
    loop.run(sender.aclose(5))


def pause(loop: RunningLoop, sender: Sender, desk: Desk, server: FaultServer, fault: Fault, times: int) -> list[int]:
    """Five are queued, so many end in doubt, and the others wait."""
    sender.take_desk(desk)
    sender._delay = 300.0  # it has been in vain before: the clock is far away
    server.plan(fault, SUBMIT, times=times)
    writes = queue(loop, desk, *(f"R-{number}" for number in range(5)))
    sender.wake()
    loop.until(sender._retry.isActive)
    loop.run(sender.until_idle())
    loop.rest(20)
    assert loop.run(outbox.counts(desk))["in_doubt"] == times
    return writes


@pytest.mark.parametrize(
    ("fault", "times"), [(act_then_drop(), 3), (acted_but(Answer(503)), 1)], ids=["three doubts", "busy"]
)
def test_a_pause_ends_with_its_reason(
    loop: RunningLoop,
    sender: Sender,
    services: PageServices,
    window_desk: Desk,
    fault_server: FaultServer,
    fault: Fault,
    times: int,
) -> None:
    """The doubts are found to have arrived: healthy orders do not wait for the clock."""
    pause(loop, sender, window_desk, fault_server, fault, times)
    assert window_desk.pause_reason
    settler = Settler(services.sink, services.news)
    settler.take_desk(window_desk)
    settler.look()
    loop.until(lambda: loop.run(outbox.counts(window_desk))["queued"] == 0)
    loop.until(lambda: len(fault_server.book.all()) == 5)
    loop.run(settler.aclose(5))
    loop.run(sender.aclose(5))
    assert (window_desk.paused_until, window_desk.pause_reason) == (None, "")


def test_a_person_s_word_ends_the_pause_too(
    loop: RunningLoop, sender: Sender, services: PageServices, window_desk: Desk, fault_server: FaultServer
) -> None:
    writes = pause(loop, sender, window_desk, fault_server, drop_before(), 3)
    loop.run(outbox.settle(window_desk, writes[0], "withdrawn", "Not any more."))
    services.news.queue_changed.emit()
    loop.until(lambda: loop.run(outbox.counts(window_desk))["accepted"] == 2)
    loop.run(sender.aclose(5))


def test_a_rest_that_the_provider_asked_for_lasts_although_the_doubt_is_settled(
    loop: RunningLoop, sender: Sender, services: PageServices, window_desk: Desk, fault_server: FaultServer
) -> None:
    answer = json_answer({"title": "Busy"}, 503, retry_after="120")
    (first, *_) = pause(loop, sender, window_desk, fault_server, acted_but(answer), 1)
    assert window_desk.pause_reason == "The provider asks for a pause."
    loop.run(outbox.settle(window_desk, first, "accepted", "A person found that it had arrived."))
    services.news.queue_changed.emit()
    loop.rest(40)
    assert len(fault_server.seen(SUBMIT)) == 1
    assert sender._retry.isActive()
    loop.run(sender.aclose(5))


def test_what_a_person_wants_sent_leaves_during_a_rest_and_hurries_once(
    loop: RunningLoop, sender: Sender, services: PageServices, window_desk: Desk, fault_server: FaultServer
) -> None:
    """One that has to wait for another change of its order does not make the sender try without an end."""
    (first, *others) = pause(loop, sender, window_desk, fault_server, answered(Answer(503)), 1)
    behind = loop.run(outbox.queue_submission(window_desk, submission("R-0", "Later"), None))
    fault_server.plan(answered(Answer(503)), SUBMIT, times=None)
    loop.run(outbox.release(window_desk, behind))
    services.news.queue_changed.emit()
    loop.until(lambda: len(fault_server.seen(SUBMIT)) == 2)
    loop.run(sender.until_idle())
    loop.rest(40)
    assert len(fault_server.seen(SUBMIT)) == 2, "the next one was tried, once"
    loop.run(outbox.release(window_desk, others[-1]))
    services.news.queue_changed.emit()
    loop.until(lambda: len(fault_server.seen(SUBMIT)) == 3)
    assert fault_server.seen(SUBMIT)[-1].body == wire_bytes(submission("R-4"))
    assert loop.run(outbox.story(window_desk, first)).row.state == "in_doubt"
    loop.run(sender.aclose(5))
