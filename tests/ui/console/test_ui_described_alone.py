"""Every operation of the provider's description is called from its form, with the contract's listing out of reach.

What is filled in is the description's own example of each shape, so each call is one that the description allows.
"""

import json
from pathlib import Path

import pytest

from app.desk.console import console_operations
from app.desk.console.console_operations import ConsoleOperation
from app.desk.desk import Desk
from app.ui.base.page import PageServices
from app.ui.console.console_page import ConsolePage
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

DATA = Path(__file__).parents[2] / "unit" / "contract" / "data" / "operations.json"
LISTED = {(method, path) for method, path, *_ in json.loads(DATA.read_text(encoding="utf-8"))["management"]}


@pytest.fixture
def page(
    services: PageServices,
    show: Show,
    loop: RunningLoop,
    window_practice_desk: Desk,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> ConsolePage:
    monkeypatch.setattr(console_operations, "OPERATIONS", ())
    made = ConsolePage(services, tmp_path / "requests")
    made.take_desk(window_practice_desk)
    show(made)
    loop.until(lambda: not made.tasks.busy, "the description")
    return made


def test_every_described_operation_is_called_from_its_form(page: ConsolePage, loop: RunningLoop) -> None:
    found = list(page.tree.operations)
    assert {(each.method, each.path) for each in found} == LISTED
    assert not any(each.in_contract for each in found)
    refused = {each.key: said for each in found if (said := refusal(page, loop, each))}
    assert refused == {}


def refusal(page: ConsolePage, loop: RunningLoop, operation: ConsoleOperation) -> str:
    """Call an operation with an example; what was said if it was refused as a wrong request."""
    page.open_operation(operation.key)
    page.request.parameters.put({"OrderReferenceNumber": "NO-SUCH-ORDER"} if operation.path == "/Order/status" else {})
    if operation.body is not None:
        page.request.fill_example()
        page.request.body.form.finish()
    loop.until(lambda: not page._judging.isActive())
    page.request.send.click()
    loop.until(
        lambda: not page.calling.busy and (page.answer.shown is not None or page.answer.write_id is not None),
        lambda: f"{operation.key}: {page.request.verdict.text()} {page.answer.whole.state_text}",
    )
    answer = page.answer.shown.answer if page.answer.shown is not None else None
    return (
        f"{answer.status} {answer.body[:300]!r}" if answer is not None and answer.status in (0, 400, 405, 415) else ""
    )
