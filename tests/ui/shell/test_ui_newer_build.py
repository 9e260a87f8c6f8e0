"""A build that was installed meanwhile is offered, started only when a person says so; a link shows its order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store.cache import order_store
from app.store.cache.order_rows import OrderLine
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.shell import newer_build_notice
from app.ui.shell.newer_build_notice import NewerBuildNotice
from app.ui.theme.theme import Theme
from tests.support.loop import RunningLoop
from tests.ui.orders.orders_help import NOW, order
from tests.ui.shell_help import Program, open_program


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    made = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5))
    yield made
    made.close()


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command of another build, once the test puts one there."""
    command: list[str] = []
    monkeypatch.setattr(newer_build_notice, "newer_command", lambda: list(command))
    return command


def test_another_build_is_offered_and_becomes_what_the_program_ends_for(
    program: Program, loop: RunningLoop, found: list[str]
) -> None:
    bar, closing = program.window.bar, []
    program.shell.closing.connect(lambda: closing.append(1))
    notice = NewerBuildNotice(program.window, program.shell.tasks, program.shell.leaving)
    notice.look()
    loop.until(lambda: not program.shell.tasks.busy)
    assert bar.text_of("newer build") == ""
    found.append("/there/waybill")
    notice.look()
    loop.until(lambda: bar.action_text == "Start the new version")
    assert bar.text.startswith("A new version of Waybill was installed.")
    assert notice.wanted == []
    notice._on_start()
    loop.until(lambda: closing)
    assert notice.wanted == ["/there/waybill"]


def test_a_person_who_rather_stays_gets_no_new_window_later(
    program: Program, loop: RunningLoop, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stays() -> bool:
        return False

    monkeypatch.setattr(program.shell.leaving, "leave", stays)
    found.append("/there/waybill")
    notice = NewerBuildNotice(program.window, program.shell.tasks, program.shell.leaving)
    notice.look()
    loop.until(lambda: program.window.bar.action_text)
    notice._on_start()
    loop.until(lambda: not program.shell.tasks.running("start anew"))
    assert notice.wanted == []


def test_a_link_lists_the_order_of_its_reference(program: Program, loop: RunningLoop) -> None:
    desk = program.shell.desk
    assert desk is not None
    listed = [order(771_000 + at, crn=crn) for at, crn in enumerate(("CRN-1", "CRN 2/ä", "CRN-11"))]
    loop.run(desk.cache.write(order_store.store_orders, desk.profile.id, "open", listed, NOW))
    for reference, number in (("CRN-1", 771_000), ("CRN 2/ä", 771_001)):
        program.shell.news_routes.show_reference(reference)
        wanted = [number]
        loop.until(lambda: numbers(program) == wanted)  # noqa: B023  # the wait ends within the round


def numbers(program: Program) -> list[int]:
    """The orders in the table."""
    model = program.shell.orders.model
    lines = [model.line(at) for at in range(model.rowCount())]
    return [each.number for each in lines if isinstance(each, OrderLine)]
