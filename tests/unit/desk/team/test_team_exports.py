"""Who reviewed, flagged and noted stands in reports and tables of a team, as it does on screen."""

import csv
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

import pytest
import pytest_asyncio

from app.desk.audits import audit_reviews
from app.desk.audits.audit_reviews import AuditReview, OthersSaid, PhotoReview, Reviews
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.desk.report import audit_tables
from app.desk.report.audit_report import AuditStory
from app.desk.report.audit_reports import pages_of
from app.desk.report.audit_tables import Target, export_answers, export_list
from app.desk.team.teamwork import Teamwork
from app.store.cache.audits.audit_rows import AnswerFacts, AuditDetailRow, AuditHead, AuditLine, AuditQuery
from app.store.sqlite.database import Database
from app.store.team import team_file
from app.store.team.team_entry import Entry
from app.store.team.team_file import TEAM_FILE
from tests.support.paper import PlainRuler, texts
from tests.support.taken_entries import take_from
from tests.unit.desk.files_and_paper.test_desk_report import SHEET

BEN = UUID(int=2)
PLACE = "acme"
AT = datetime(2026, 11, 24, 14, 2)
NOW = datetime(2026, 11, 24, 19, 2, tzinfo=UTC)
LINE = AuditLine(7, AT, "Loading", "F012", "Acme", 81.5, "771002", True)
ANSWERS = (AnswerFacts("LD-1", "Is it safe?", "Yes", "/a"), AnswerFacts("LD-2", "Is it dry?", "No", "/b"))


def story(person: str = "Anna", others: tuple[OthersSaid, ...] = ()) -> AuditStory:
    told = AuditDetailRow(LINE, AuditHead("Jo", "jo@example.com", None, "771002"), ANSWERS, AT, AT)
    photos = {"/a": PhotoReview(flagged=True, note="A dent")}
    return AuditStory(told, Reviews(AuditReview(reviewed=True), photos), person=person, others=others)


BEN_SAID = (
    OthersSaid("Ben", "", AT, reviewed=True, flagged=True, note="See the dock"),
    OthersSaid("Ben", "/b", AT, reviewed=False, flagged=True, note="Water"),
)


def paper(told: AuditStory) -> str:
    return " ".join(texts(pages_of([told], SHEET, PlainRuler())))


def test_a_report_names_who_said_what() -> None:
    said = paper(story(others=BEN_SAID))
    for each in ("Reviewed, by Anna", "Ben", "Reviewed · Flagged · See the dock", "Anna: A dent", "Ben: Water"):
        assert each in said, each
    alone = paper(story(person=""))
    assert "Reviewed" in alone
    assert "Anna" not in alone
    assert "Reviewed, by" not in alone


def table(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8-sig") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.asyncio
async def test_the_answers_of_an_audit_name_who_flagged_and_noted_a_photo(tmp_path: Path) -> None:
    told = {"team": story(others=BEN_SAID), "alone": story(person="")}
    for name, each in told.items():
        await export_answers([each], Target(tmp_path / f"{name}.csv", "csv"), Progress())
    team, alone = table(tmp_path / "team.csv"), table(tmp_path / "alone.csv")
    assert [(each["Photo flagged"], each["Photo note"]) for each in team] == [
        ("Anna", "Anna: A dent"),
        ("Ben", "Ben: Water"),
    ]
    assert [(each["Photo flagged"], each["Photo note"]) for each in alone] == [("Yes", "A dent"), ("", "")]


@pytest_asyncio.fixture
async def team(offline_desk: Desk, tmp_path: Path) -> AsyncIterator[Teamwork]:
    others = Database(tmp_path / "team.sqlite3", TEAM_FILE)
    await others.write(team_file.learn_people, [(str(BEN), "Ben")])
    reviews = (
        (7, "", {"note": "See the dock", "noted": True}),
        (8, "", {"reviewed": True}),
        (7, "/b", {"note": "Water", "noted": True}),
    )
    for seq, (audit, photo, review) in enumerate(reviews, 1):
        body = json.dumps({"place": PLACE, "audit": audit, "photo": photo, "review": review})
        take_from(others, BEN, Entry(seq, NOW.timestamp(), seq, "review", 1, "", body))
    link = SimpleNamespace(person="Anna", wake=lambda: None)
    offline_desk.team = made = Teamwork(link, others, PLACE)  # type: ignore[arg-type]
    yield made
    await others.close()


@pytest.mark.asyncio
async def test_the_list_of_audits_names_who_reviewed_and_noted(
    offline_desk: Desk, team: Teamwork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await audit_reviews.save_audit_review(offline_desk, 7, AuditReview(reviewed=True, note="Late"))
    lines = [LINE, *(AuditLine(number, AT, "Loading", "F012", "Acme", 80.0, None, True) for number in (8, 9))]
    monkeypatch.setattr(audit_tables, "page_audits", lambda *_: lines)
    query = AuditQuery(offline_desk.profile.id)

    async def exported(name: str) -> list[dict[str, str]]:
        marked = await audit_reviews.marked(offline_desk)
        await export_list(offline_desk, query, marked, Target(tmp_path / name, "csv"), Progress())
        return table(tmp_path / name)

    seen = await exported("team.csv")
    assert [(each["Reviewed"], each["Reviewed by"]) for each in seen] == [("Yes", "Anna"), ("Yes", "Ben"), ("", "")]
    assert (seen[0]["Note"], seen[0]["Photo notes"]) == ("Anna: Late; Ben: See the dock", "Ben: Water")
    offline_desk.team = None
    alone = await exported("alone.csv")
    assert "Reviewed by" not in alone[0]
    assert [(each["Reviewed"], each["Note"]) for each in alone] == [("Yes", "Late"), ("", ""), ("", "")]
