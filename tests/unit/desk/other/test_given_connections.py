"""The administrator's connections: they follow the file, and what was sent decides when they may lead elsewhere."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
import pytest_asyncio

from app.desk.connections import profiles
from app.desk.connections.connection_files import as_file
from app.desk.connections.given_connections import Given, forget, given, take_over
from app.desk.noticing.notice_choices import read_choices
from app.desk.updates import update_source
from app.desk.updates.update_source import Settled, Source
from app.store.journal import write_store
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal

pytestmark = pytest.mark.asyncio
ACME = Profile(
    "id-1", "Acme Freight", "production", "https://a.example", "https://a.example/OrderInformationApi",
    "https://c.example", "client-1", colour="teal",
)  # fmt: skip
UPDATE_KEY, OTHER_KEY = f"{'A' * 43}=", f"{'B' * 42}A="
TEST = replace(ACME, id="id-2", name="Acme test", kind="test", base_url="https://b.example")


def file_of(*given_ones: Profile, off: object = ()) -> bytes:
    """What an administrator writes: an export, and what is off."""
    return json.dumps({**json.loads(as_file(given_ones)), "off": off}).encode()


async def kept(journal: Journal) -> dict[str, Profile]:
    return {each.name: each for each in await profiles.all_profiles(journal) if each.kind != "practice"}


@pytest_asyncio.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    made = Journal(tmp_path / "journal.sqlite3")
    await made.opened()
    yield made
    await made.close()


async def test_a_first_start_opens_on_the_first_one(journal: Journal) -> None:
    assert await take_over(journal, file_of(ACME, TEST)) == []
    found = await kept(journal)
    assert {name: each.id for name, each in found.items()} == (await given(journal)).ids
    assert list(found) == ["Acme Freight", "Acme test"]
    assert (await profiles.last_used(journal)).name == "Acme Freight"
    assert (await given(journal)).own


async def test_what_a_person_chose_stays_chosen(journal: Journal) -> None:
    await profiles.remember_used(journal, profiles.PRACTICE_ID)
    await take_over(journal, file_of(ACME))
    assert (await profiles.last_used(journal)).kind == "practice"


async def test_it_follows_the_file_and_keeps_what_a_test_has_found(journal: Journal) -> None:
    await take_over(journal, file_of(ACME))
    before = (await kept(journal))["Acme Freight"]
    await profiles.keep_scopes(journal, replace(before, scopes=("orders",)))
    moved = replace(ACME, colour="brown", proxy="direct")
    await take_over(journal, file_of(moved))
    assert await kept(journal) == {"Acme Freight": replace(moved, id=before.id, scopes=("orders",))}
    await take_over(journal, file_of(replace(moved, base_url="https://new.example")))
    found = (await kept(journal))["Acme Freight"]
    assert (found.id, found.base_url, found.scopes) == (before.id, "https://new.example", ())


async def test_a_persons_own_connection_becomes_the_given_one(journal: Journal) -> None:
    await profiles.save(journal, replace(ACME, id="own", name="My Acme", scopes=("orders",)))
    await take_over(journal, file_of(ACME))
    assert await kept(journal) == {"Acme Freight": replace(ACME, id="own", scopes=("orders",))}


async def test_while_something_may_have_arrived_it_leads_where_it_led(journal: Journal) -> None:
    await take_over(journal, file_of(ACME))
    profile_id = (await given(journal)).ids["Acme Freight"]
    now = datetime(2026, 11, 22, 12)
    write = await journal.write(write_store.queue_write, profile_id, "submit", "R-1", b"{}", now)
    attempt = await journal.write(write_store.begin_attempt, write, now)
    elsewhere = file_of(replace(ACME, base_url="https://new.example"))
    (said,) = await take_over(journal, elsewhere)
    assert said.startswith("The administrator changed where the connection Acme Freight leads. It leads where it led")
    assert (await kept(journal))["Acme Freight"].base_url == ACME.base_url
    await journal.write(write_store.end_attempt, attempt, "accepted", now)
    assert await take_over(journal, elsewhere) == []
    assert (await kept(journal))["Acme Freight"].base_url == "https://new.example"


async def test_what_is_not_named_any_more_is_a_persons_own_again(journal: Journal) -> None:
    await take_over(journal, file_of(ACME, TEST, off=["own connections"]))
    assert not (await given(journal)).own
    await take_over(journal, file_of(ACME))
    assert list((await given(journal)).ids) == ["Acme Freight"]
    assert list(await kept(journal)) == ["Acme Freight", "Acme test"]
    await forget(journal)
    assert await given(journal) == Given()
    assert list(await kept(journal)) == ["Acme Freight", "Acme test"]


@pytest.mark.parametrize("raw", [b"", b"{}", b'{"format": "waybill connections", "connections": []}'])
async def test_a_file_that_makes_no_sense_changes_nothing_and_is_said(journal: Journal, raw: bytes) -> None:
    await take_over(journal, file_of(ACME, off=["own connections"]))
    before = (await kept(journal), await given(journal))
    (said,) = await take_over(journal, raw)
    assert said.startswith("The administrator's file of this computer: ")
    assert (await kept(journal), await given(journal)) == before


async def test_a_connection_that_cannot_be_used_is_named_and_the_others_are_given(journal: Journal) -> None:
    said, unknown = await take_over(journal, file_of(replace(TEST, base_url="nonsense"), ACME, off="all"))
    assert "Acme test" in said
    assert "all" in unknown
    assert list(await kept(journal)) == ["Acme Freight"]
    assert (await given(journal)).own


def settling(**parts: object) -> bytes:
    """A file that settles other things than connections."""
    return json.dumps({"format": "waybill connections", "version": 1, **parts}).encode()


async def test_pages_are_switched_off_by_the_name_on_screen(journal: Journal) -> None:
    assert await take_over(journal, file_of(ACME, off=["Console", "import", "own connections"])) == []
    assert (await given(journal)).off == {"console", "bulk"}
    assert await profiles.pages_off(journal) == {"console", "bulk"}
    assert await take_over(journal, file_of(ACME, off=["Notices"])) == []
    assert (await read_choices(journal)).off
    assert await take_over(journal, file_of(ACME)) == []
    assert await profiles.pages_off(journal) == set()
    assert not (await read_choices(journal)).off


@pytest.mark.parametrize("name", ["Orders", "New order", "Outbox", "Settings", "consoles"])
async def test_what_cannot_be_switched_off_is_said_and_stays(journal: Journal, name: str) -> None:
    (said,) = await take_over(journal, file_of(ACME, off=[name, "console"]))
    assert said == f"The administrator's file of this computer: There is nothing of this name to switch off: {name}."
    assert await profiles.pages_off(journal) == {"console"}


async def test_a_file_may_settle_nothing_but_what_is_off_and_updates(journal: Journal) -> None:
    raw = settling(off=["console"], updates={"address": "https://files.example/list.json", "key": UPDATE_KEY})
    assert await take_over(journal, raw) == []
    assert await kept(journal) == {}
    assert await profiles.pages_off(journal) == {"console"}
    found = await update_source.settled(journal, ())
    assert found.source == Source("https://files.example/list.json", (UPDATE_KEY,), given=True)


async def test_the_administrators_key_counts_alone_and_a_built_in_one_where_it_gives_none(journal: Journal) -> None:
    place = {"address": "https://files.example/list.json"}
    await take_over(journal, settling(updates={**place, "key": [UPDATE_KEY, OTHER_KEY]}))
    assert (await update_source.settled(journal, ("built in",))).source == Source(
        place["address"], (UPDATE_KEY, OTHER_KEY), given=True
    )
    await take_over(journal, settling(updates=place))
    assert (await update_source.settled(journal, ("built in",))).source == Source(
        place["address"], ("built in",), given=True
    )


async def test_a_person_gives_a_key_only_where_none_is_built_in(journal: Journal) -> None:
    await update_source.choose(journal, " https://own.example/list.json ", UPDATE_KEY)
    assert (await update_source.settled(journal, ())).source == Source("https://own.example/list.json", (UPDATE_KEY,))
    with_built_in = await update_source.settled(journal, ("built in",))
    assert with_built_in.source == Source("https://own.example/list.json", ("built in",))
    assert not with_built_in.wants_key
    await take_over(journal, settling(off=["updates"]))
    assert await update_source.settled(journal, ()) == Settled(off=True)
    await forget(journal)
    assert (await update_source.settled(journal, ())).source is not None
    await update_source.forget(journal)
    assert await update_source.settled(journal, ()) == Settled()


@pytest.mark.parametrize(
    ("updates", "why"),
    [
        ({"address": "files.example", "key": UPDATE_KEY}, "Its address for updates cannot be used."),
        ({"key": UPDATE_KEY}, "Its address for updates cannot be used."),
        ({"address": "https://files.example/list.json", "key": "abc"}, "Its key for updates cannot be used."),
        ("https://files.example", "Its address for updates cannot be used."),
    ],
)
async def test_updates_that_cannot_be_used_are_said_and_none_are_asked_for(
    journal: Journal, updates: object, why: str
) -> None:
    (said,) = await take_over(journal, settling(updates=updates, off=["console"]))
    assert said.startswith(f"The administrator's file of this computer: {why}")
    assert (await update_source.settled(journal, ())).source is None
    assert await profiles.pages_off(journal) == {"console"}
