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
from app.store.journal import write_store
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal

pytestmark = pytest.mark.asyncio
ACME = Profile(
    "id-1", "Acme Freight", "production", "https://a.example", "https://a.example/OrderInformationApi",
    "https://c.example", "client-1", colour="teal",
)  # fmt: skip
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
    (said,) = await take_over(journal, file_of(replace(TEST, base_url="nonsense"), ACME, off="all"))
    assert "Acme test" in said
    assert list(await kept(journal)) == ["Acme Freight"]
    assert (await given(journal)).own
