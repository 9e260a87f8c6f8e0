"""Connections as a file: everything but secrets, and nothing that is here is changed by one."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from app.desk.connections import connection_files, profiles
from app.desk.connections.connection_files import NoConnections, as_file, read_file, take_in
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal

ACME = Profile(
    "id-1", "Acme Freight", "test", "https://a.example", "https://a.example/OrderInformationApi", "https://c.example",
    "client-1", ("orders",), "teal", "http://proxy.example:8080", "desk", "/etc/acme.pem", "xml",
)  # fmt: skip


@pytest_asyncio.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    made = Journal(tmp_path / "journal.sqlite3")
    await made.opened()
    yield made
    await made.close()


def test_a_file_says_everything_but_secrets_and_what_belongs_here() -> None:
    raw = as_file([profiles.practice_profile(), ACME])
    (found,), unusable = read_file(raw)
    assert unusable == []
    assert replace(found, id="id-1", scopes=("orders",)) == ACME
    assert found.id != "id-1"
    assert not any(word in raw.decode().lower() for word in ("secret", "password", "practice", "id-1"))


@pytest.mark.asyncio
async def test_what_is_new_is_added_and_what_is_here_stays(journal: Journal) -> None:
    await profiles.save(journal, ACME)
    other = replace(ACME, id="x", base_url="https://b.example", name="acme freight", colour="brown")
    changed = replace(ACME, name="Renamed", proxy="direct", base_url="HTTPS://a.example/")
    found = await take_in(journal, as_file([changed, other]))
    assert (found.added, found.present, found.unusable) == (("acme freight (2)",), ("Renamed",), ())
    kept = {each.name: each for each in await profiles.all_profiles(journal) if each.kind != "practice"}
    assert kept["Acme Freight"] == ACME
    assert kept["acme freight (2)"].colour == "brown"
    again = await take_in(journal, as_file([other]))
    assert (again.added, again.present) == ((), ("acme freight",))


@pytest.mark.parametrize(
    "raw",
    [b"", b"hello", b"[]", b"{}", b'{"format": "waybill connections", "connections": []}', b"\xff\xfe", b"[" * 99_999,
     b'{"format": "other", "connections": [{}]}'],
)  # fmt: skip
def test_a_file_of_something_else_is_refused(raw: bytes) -> None:
    with pytest.raises(NoConnections, match="holds no connections"):
        read_file(raw)


def test_a_file_of_very_many_is_refused() -> None:
    with pytest.raises(NoConnections, match="more than 200"):
        read_file(as_file([replace(ACME, base_url=f"https://{at}.example") for at in range(201)]))


@pytest.mark.parametrize(
    "changed",
    [
        {"base_url": "javascript:alert(1)"},
        {"auth_url": "https://user:canary@c.example"},
        {"info_base_url": 5},
        {"name": "  "},
        {"name": None},
        {"kind": "practice"},
        {"client_id": "x" * 3_000},
        {"proxy": "socks5://p.example"},
        {"proxy": "http://user:canary@p.example"},
        {"proxy_user": "a:b"},
        {"authorities": "x" * 3_000},
    ],
    ids=str,
)
def test_what_could_not_be_typed_is_not_taken_in(changed: dict[str, object]) -> None:
    content = json.loads(as_file([ACME]))
    content["connections"][0].update(changed)
    found, unusable = read_file(json.dumps(content).encode())
    assert found == []
    assert len(unusable) == 1


def test_what_another_version_knows_is_left_out() -> None:
    content = json.loads(as_file([ACME]))
    content["connections"][0].update(
        {"replies": "cbor", "colour": 7, "new": "thing", "client_secret": "canary", "id": "x"}
    )
    (found,), _ = read_file(json.dumps(content).encode())
    assert (found.replies, found.colour) == ("json", "")
    assert found.id != "x"
    assert "canary" not in repr(found)
    assert connection_files.FORMAT in as_file([found]).decode()
