"""The team: how Settings shows it, and what the others did with one order."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from app.background.team_connector import TeamConnector
from app.desk.desk import Desk
from app.desk.sending.payload_differences import Difference
from app.desk.team.others_orders import Conflict, OrderStory, order_story
from app.desk.team_side import Doing
from app.store.journal.team.team_choice import TeamChoice
from app.store.team.team_calls import TeamDesk, TeamSettings
from app.store.team.team_errors import TeamTrouble
from app.store.team.team_file import OthersMarks, OthersWrite
from app.store.team.team_link import LinkState
from app.store.team.try_team import TeamTrial
from app.ui.orders.detail import team_sections
from app.ui.settings.settings_page import SettingsPage
from app.ui.settings.team_section import TeamSection
from tests.shots.data import NOW
from tests.shots.stage import Stage

Scene = Callable[[Stage], Awaitable[None]]
_CHOICE = TeamChoice("team.acme.example", 5432, "waybill", "anna", "Anna Keller")
_REFUSED = TeamTrouble("password", "The database refused the name or the password.", lasting=True)


def _section(stage: Stage, choice: TeamChoice | None, state: LinkState | None) -> TeamSection:
    """The section, with a team in this state behind it."""
    stage.shell.go("settings")
    page = stage.shell.page("settings")
    assert isinstance(page, SettingsPage)
    team = TeamConnector(stage.shell.services.sink, stage.journal, stage.shell._kept.data)
    team.choice = choice
    team._link = None if state is None else SimpleNamespace(state=state)  # type: ignore[assignment]
    page.team_section.take(team)
    page.team_section.setProperty("team", team)  # so that it lives as long as what shows it
    page.team_section._close()
    stage.in_sight = page.team_section
    return page.team_section


def _desk(number: int, person: str) -> TeamDesk:
    return TeamDesk(UUID(int=number), person, NOW, 12, 0, 1)


async def team_alone(stage: Stage) -> None:
    await stage.use_full_desk()
    _section(stage, None, None)


async def team_connected(stage: Stage) -> None:
    desks = tuple(_desk(at, name) for at, name in enumerate(("Anna Keller", "Ben Okafor", "Cleo Marchetti")))
    settings = TeamSettings(payloads=True, keep_months=36)
    state = LinkState(connected=True, waiting=3, behind=812_400, desks=desks, settings=settings)
    section = _section(stage, _CHOICE, state)
    desk = stage.shell.desk
    assert desk is not None
    desk.team = _Others()  # type: ignore[assignment]
    section.take_desk(desk)
    await stage.settle()


async def team_away(stage: Stage) -> None:
    trouble = TeamTrouble("connection", "The server at team.acme.example does not answer.")
    _section(stage, _CHOICE, LinkState(trouble=trouble))


async def team_form(stage: Stage) -> None:
    section = _section(stage, None, None)
    section._open()
    for name in ("host", "database", "user", "person"):
        section.fields[name].set_text(str(getattr(_CHOICE, name)))
    section.fields["password"].set_text("not a real one")
    section._show_legs(TeamTrial(_REFUSED))
    section._show_issues({"password": _REFUSED.sentence})


def _write(person: str, minutes: int, **changes: Any) -> OthersWrite:
    at = NOW.astimezone() - timedelta(minutes=minutes)
    facts: dict[str, Any] = {
        "person": person, "desk": "", "number": 1, "place": "", "reference": "", "kind": "submit", "state": "accepted",
        "held": False, "queued_at": at, "changed_at": at, "tried_at": at, "unclaimed": False, "verdict": None,
        "sha256": "", "payload": None, "at": at, **changes,
    }  # fmt: skip
    return OthersWrite(**facts)


class _Others:
    """What the others did with every order."""

    async def people(self) -> list[str]:
        return ["Ben Okafor"]

    def at_work(self, _doing: Doing) -> dict[str, tuple[str, ...]]:
        return {}

    async def writes_of(self, _reference: str) -> list[OthersWrite]:
        return [
            _write("Ben Okafor", 4, unclaimed=True),
            _write("Maria-Fernanda Hernández-Castellanos", 70, kind="cancel", state="rejected"),
            _write("Ben Okafor", 1_500, state="confirmed"),
        ]

    async def marked_audits(self) -> OthersMarks:
        return OthersMarks({}, frozenset(), frozenset())


async def order_of_team(stage: Stage) -> None:
    """Two versions of an order, and who sent it."""
    await stage.use_full_desk()
    desk = stage.shell.desk
    assert desk is not None
    desk.team = _Others()  # type: ignore[assignment]

    async def story(desk: Desk, reference: str) -> OrderStory:
        told = await order_story(desk, reference)
        changes = (
            Difference("consignee.consigneeName", "J. Rivera", "Juan Rivera"),
            Difference("deliveryInstructions", "", "Ring twice"),
        )
        return replace(told, conflict=Conflict(told.writes[0], changes))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(team_sections, "order_story", story)
        stage.shell.go("orders")
        stage.shell.orders.filter.clear()
        stage.shell.orders.side.show_order(771_004)
        await stage.settle()


TEAM_SCENES: tuple[Scene, ...] = (team_alone, team_connected, team_away, team_form, order_of_team)
