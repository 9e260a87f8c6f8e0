"""Views and templates that a person shares on purpose: taken over whole, never in place of one's own."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from app.desk.audits.audit_views import AUDITS
from app.desk.desk import Desk
from app.desk.drafts import templates
from app.desk.drafts.templates import Template
from app.desk.team import sharing
from app.desk.team.sharing import TEMPLATE, content_of, free_name
from app.store.journal.profile_store import save_profile
from app.store.journal.team import team_log
from app.store.sqlite.database import Database
from app.store.sqlite.plain_rows import rows
from app.store.team import team_file
from app.store.team.team_entry import Entry
from app.store.team.team_file import TEAM_FILE, SharedThing
from tests.support.taken_entries import take_from
from tests.unit.store.team.test_team_link import NOW

PLACE = "acme"
CONTENT = {"fixed": {"billToCode": "ACMEBT"}, "asked": ["orderReferenceNumber"]}


def told(desk: Desk) -> list[dict[str, Any]]:
    """What this desk's log says of shared things."""
    found = desk.journal.read_now(rows, "SELECT body FROM team_entries WHERE kind = 'shared' ORDER BY seq")
    return [json.loads(body) for (body,) in found]


@pytest.mark.asyncio
async def test_a_thing_is_shared_changed_and_shared_no_longer(offline_desk: Desk) -> None:
    await offline_desk.journal.write(save_profile, offline_desk.profile)
    await offline_desk.journal.write(team_log.begin)
    assert not await sharing.stop_sharing(offline_desk, TEMPLATE, "Sofas")
    await sharing.share(offline_desk, TEMPLATE, "Sofas", CONTENT)
    await sharing.share(offline_desk, TEMPLATE, "Sofas", {"fixed": {}})
    assert await sharing.stop_sharing(offline_desk, TEMPLATE, "Sofas")
    assert not await sharing.stop_sharing(offline_desk, TEMPLATE, "Sofas")
    assert [(each["what"], each["name"], each["content"]) for each in told(offline_desk)] == [
        ("template", "Sofas", CONTENT), ("template", "Sofas", {"fixed": {}}), ("template", "Sofas", None),
    ]  # fmt: skip


@pytest.mark.asyncio
async def test_whoever_joins_again_tells_what_is_shared_still(offline_desk: Desk) -> None:
    await offline_desk.journal.write(save_profile, offline_desk.profile)
    await offline_desk.journal.write(team_log.begin)
    await sharing.share(offline_desk, TEMPLATE, "Sofas", CONTENT)
    await sharing.share(offline_desk, TEMPLATE, "Chairs", CONTENT)
    await sharing.stop_sharing(offline_desk, TEMPLATE, "Chairs")
    await offline_desk.journal.write(team_log.begin_anew)
    assert [(each["name"], each["content"]) for each in told(offline_desk)] == [("Sofas", CONTENT)]


def test_what_others_share_is_listed_with_their_names(tmp_path: Path) -> None:
    others = Database(tmp_path / "team.sqlite3", TEAM_FILE)
    anna, laptop, ben = (UUID(int=number) for number in (1, 2, 3))
    people = [(str(anna), "Anna"), (str(laptop), "Anna"), (str(ben), "Ben")]
    others.write_now(team_file.learn_people, people)

    def take(desk: UUID, seq: int, name: str, content: object, clock: int) -> set[str]:
        body = json.dumps({"place": PLACE, "what": "template", "name": name, "content": content})
        return take_from(others, desk, Entry(seq, NOW.timestamp(), clock, "shared", 1, name, body))

    assert take(anna, 1, "Sofas", CONTENT, 1) == {"shared"}
    take(ben, 1, "Sofas", {}, 2)
    take(ben, 2, "Beds", {}, 3)
    take(ben, 3, "Beds", None, 4)
    assert take(ben, 4, "Lamps", [1], 5) == set()  # nonsense is kept unread
    found = others.read_now(team_file.shared_things, PLACE, "template")
    assert [(each.person, each.name) for each in found] == [("Anna", "Sofas"), ("Ben", "Sofas")]
    assert content_of(found[0]) == CONTENT
    take(laptop, 1, "Sofas", None, 6)  # she stopped it at her other desk
    assert [each.person for each in others.read_now(team_file.shared_things, PLACE, "template")] == ["Ben"]
    assert others.read_now(team_file.shared_things, PLACE, "view orders") == []
    others.close_now()


def test_a_name_that_is_taken_gets_the_person_s() -> None:
    thing = SharedThing("Ben", "Sofas", "{}")
    assert free_name(thing, ["Chairs"], 40) == "Sofas"
    assert free_name(thing, ["SOFAS"], 40) == "Sofas (Ben)"
    assert free_name(thing, ["Sofas", "sofas (ben)"], 40) == "Sofas (Ben 2)"
    long = SharedThing("B" * 90, "S" * 90, "{}")
    names: list[str] = []
    for _ in range(3):
        names.append(free_name(long, names, 40))
    assert len(set(names)) == 3
    assert all(len(each) == 40 for each in names)


@pytest.mark.parametrize(
    "record",
    [
        {"fixed": {"billToCode": 7}},
        {"fixed": {"billToCode": None}},
        {"fixed": {"freightDetails": "SOFA"}},
        {"fixed": {"freightDetails": [1]}},
        {"fixed": {"freightDetails": [{"count": 3}]}},
    ],
)
def test_a_template_with_values_of_another_sort_is_not_taken(record: dict[str, Any]) -> None:
    assert templates.read_shared("Sofas", record) is None


def test_a_template_comes_as_it_was() -> None:
    rows_ = [{"commodity": "SOFA", "count": "1", "volume": "", "weight": ""}]
    mine = Template("Sofas", {"billToCode": "ACMEBT", "freightDetails": rows_}, ("orderReferenceNumber",))
    record = json.loads(json.dumps(templates.record_of(mine)))
    assert templates.read_shared("Sofas", record) == mine
    assert templates.read_shared("Sofas", {"fixed": {"unheard of": 1}}) == Template("Sofas", {})


def test_a_view_that_cannot_be_read_is_none() -> None:
    assert AUDITS.read("Mine", {"narrowing": 7}) is None
