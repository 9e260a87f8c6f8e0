"""Drafts are kept exactly as typed, whatever was typed, and come back; profiles and choices are remembered."""

import asyncio
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.contract.draft import (
    BarcodeDraft,
    BarcodingDraft,
    ConsigneeDraft,
    FreightDraft,
    OrderDraft,
    ReferenceDraft,
)
from app.desk.connections import profiles
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.store.journal.profile_store import Profile
from app.store.sqlite.database import Database
from app.store.store_errors import WrongState
from tests.support.desks import order_draft, submission
from tests.support.fault_server import Answer, FaultServer
from tests.support.faults import answered

TYPED = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
DRAFTS = st.builds(
    OrderDraft,
    *[TYPED] * 6,
    st.builds(ConsigneeDraft, *[TYPED] * 9),
    *[TYPED] * 5,
    st.lists(st.builds(FreightDraft, *[TYPED] * 4), max_size=3),
    st.builds(BarcodingDraft, TYPED, st.lists(st.builds(BarcodeDraft, *[TYPED] * 5), max_size=3)),
    st.lists(st.builds(ReferenceDraft, TYPED, TYPED), max_size=3),
    TYPED,
)


@given(draft=DRAFTS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_draft_comes_back_letter_for_letter(offline_desk: Desk, draft: OrderDraft) -> None:
    async def there_and_back() -> OrderDraft | None:
        await saved_drafts.save(offline_desk, "d", draft)
        kept = await saved_drafts.load(offline_desk, "d")
        return None if kept is None else kept.draft

    assert asyncio.run(there_and_back()) == draft


@pytest.mark.asyncio
async def test_open_drafts_are_listed_by_their_last_change(offline_desk: Desk) -> None:
    ticks = iter(datetime(2026, 11, 20, 14, minute) for minute in range(60))
    desk = replace(offline_desk, now=lambda: next(ticks))
    await saved_drafts.save(desk, "a", order_draft("R-1"))
    await saved_drafts.save(desk, "b", order_draft("", "J. Rivera"))
    await saved_drafts.save(desk, "c", OrderDraft())
    await saved_drafts.save(desk, "a", order_draft("R-1", "Changed"))
    kept = await saved_drafts.all_open(desk)
    assert [each.id for each in kept] == ["a", "c", "b"]
    assert [each.name for each in kept] == ["R-1", "Draft of 14:02", "J. Rivera"]
    assert kept[0].draft.consignee.consigneeName == "Changed"


@pytest.mark.asyncio
async def test_a_profile_sees_its_own_drafts_only(offline_desk: Desk) -> None:
    other = replace(offline_desk, profile=replace(offline_desk.profile, id="other"))
    await saved_drafts.save(offline_desk, "a", order_draft("R-1"))
    assert await saved_drafts.all_open(other) == []


@pytest.mark.asyncio
async def test_a_discarded_draft_is_away_but_not_gone(offline_desk: Desk) -> None:
    await saved_drafts.save(offline_desk, "a", order_draft("R-1"))
    await saved_drafts.discard(offline_desk, "a")
    assert await saved_drafts.all_open(offline_desk) == []
    kept = await saved_drafts.load(offline_desk, "a")
    assert kept is not None
    assert kept.draft == order_draft("R-1")
    with pytest.raises(WrongState):
        await saved_drafts.save(offline_desk, "a", order_draft("R-2"))
    assert await saved_drafts.load(offline_desk, "nothing") is None


@pytest.mark.asyncio
async def test_a_refused_order_s_draft_is_taken_up_again(desk: Desk, fault_server: FaultServer) -> None:
    await saved_drafts.save(desk, "a", order_draft("R-1"))
    first = await outbox.queue_submission(desk, submission("R-1"), "a")
    with pytest.raises(WrongState):
        await saved_drafts.reopen(desk, "a")
    fault_server.plan(answered(Answer(400)), "/Order/submit")
    await outbox.drain(desk)
    kept = await saved_drafts.reopen(desk, "a")
    assert kept is not None
    assert kept.draft == order_draft("R-1")
    assert [each.id for each in await saved_drafts.all_open(desk)] == ["a"]
    await saved_drafts.save(desk, "a", order_draft("R-1", "Mended"))
    second = await outbox.queue_submission(desk, submission("R-1", "Mended"), "a")
    await outbox.drain(desk)
    with pytest.raises(WrongState):
        await saved_drafts.reopen(desk, "a")
    states = {each.id: each.state for each in await outbox.writes(desk, (), 10)}
    assert states == {first: "withdrawn", second: "accepted"}


@pytest.mark.asyncio
async def test_a_withdrawn_order_s_draft_is_taken_up_again(offline_desk: Desk) -> None:
    await saved_drafts.save(offline_desk, "a", order_draft("R-1"))
    write = await outbox.queue_submission(offline_desk, submission("R-1"), "a")
    await outbox.settle(offline_desk, write, "withdrawn", "A change of mind.")
    kept = await saved_drafts.reopen(offline_desk, "a")
    assert kept is not None


@pytest.mark.asyncio
async def test_a_draft_is_queued_once_only(offline_desk: Desk) -> None:
    await saved_drafts.save(offline_desk, "a", order_draft("R-1"))
    await outbox.queue_submission(offline_desk, submission("R-1"), "a")
    with pytest.raises(WrongState):
        await outbox.queue_submission(offline_desk, submission("R-1"), "a")
    assert (await outbox.counts(offline_desk))["queued"] == 1


@pytest.mark.asyncio
async def test_practice_is_always_there_and_first(journal: Database, profile: Profile) -> None:
    assert [each.id for each in await profiles.all_profiles(journal)] == ["practice"]
    assert (await profiles.last_used(journal)).kind == "practice"
    await profiles.save(journal, profile)
    await profiles.save(journal, replace(profile, id="b", name="aardvark"))
    assert [each.name for each in await profiles.all_profiles(journal)] == ["Practice", "aardvark", "Acme Freight"]
    await profiles.save(journal, replace(profile, name="Zulu", scopes=("a", "b")))
    assert (await profiles.all_profiles(journal))[-1] == replace(profile, name="Zulu", scopes=("a", "b"))


@pytest.mark.asyncio
async def test_the_profile_in_use_is_remembered_until_it_is_removed(journal: Database, profile: Profile) -> None:
    await profiles.save(journal, profile)
    await profiles.remember_used(journal, profile.id)
    assert await profiles.last_used(journal) == profile
    await profiles.remove(journal, profile)
    assert (await profiles.last_used(journal)).id == profiles.PRACTICE_ID


@pytest.mark.asyncio
async def test_the_appearance_is_remembered(journal: Database) -> None:
    assert await profiles.appearance(journal) == "system"
    await profiles.remember_appearance(journal, "dark")
    assert await profiles.appearance(journal) == "dark"
