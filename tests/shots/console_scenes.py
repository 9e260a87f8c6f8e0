"""The console: operations, the form of one, what is wrong in it, its answer in every way, history and requests."""

import json
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

from app.api.raw_call import Phase, RawAnswer
from app.desk.console.answers.answer_differences import differences
from app.desk.console.calls.call_history import PastCall
from app.desk.console.calls.named_requests import NamedRequest
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import operations
from app.desk.console.description.read_description import read_description
from app.desk.console.forms.exact_json import read_json
from app.practice.web.description import description
from app.ui.console.answer_pane import shown_answer
from app.ui.console.console_page import ConsolePage
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.connection_colour import colour_mark
from tests.shots.data import NOW
from tests.shots.stage import Stage

Scene = Callable[[Stage], Awaitable[None]]
SUBMIT, QUOTE = "management POST /Order/submit", "management POST /Quote/submit"
STATUS, FACILITIES = "management GET /Order/status", "management GET /Facilities"
OPEN_ORDERS, CROSS = "information GET /orders/open", "management GET /Integration/crossReference"
ORDER: dict[str, Any] = {
    "orderReferenceNumber": "CRN-20481",
    "useConsigneeAddressToDetermineFaclityCode": True,
    "deliveryType": "HOME",
    "requestedDeliveryDate": "2026-12-01",
    "consignee": {
        "consigneeName": "Josefina Rivera",
        "streetAddress": "1420 Vance Avenue",
        "city": "Memphis",
        "state": "TN",
        "zip": "38104",
        "phone1": "901-555-0142",
    },
    "freightDetails": [
        {"commodity": "SOFA", "count": 1, "volume": 62.5, "weight": 180},
        {"commodity": "CHAIR", "count": 4, "volume": 50},
    ],
    "otherReferenceNumbers": [{"type": "PO", "value": "7719-A"}],
}
ROWS = [
    {
        "code": f"MEM{number:02}",
        "name": f"Memphis {number}",
        "city": "Memphis",
        "state": "TN",
        "openOrders": number * 37,
    }
    for number in range(1, 40)
]
PHASES = (
    Phase("wait", 0.001),
    Phase("connect", 0.012),
    Phase("tls", 0.031),
    Phase("first byte", 0.088),
    Phase("body", 0.004),
)


def _answer(
    body: object, status: int = 200, reason: str = "OK", kind: str = "application/json", **more: Any
) -> RawAnswer:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = (
        ("content-type", kind),
        ("date", "Tue, 24 Nov 2026 20:02:10 GMT"),
        ("x-request-id", "0d1f6a52-6d0c-4d5e-9a3c-1f2b7c9f0a11"),
        ("strict-transport-security", "max-age=31536000; includeSubDomains"),
    )
    return RawAnswer(status, reason, headers, kind, text, len(text), PHASES, NOW, **more)


async def _page(stage: Stage) -> ConsolePage:
    stage.shell.go("console")
    page = stage.shell.page("console")
    assert isinstance(page, ConsolePage)
    await stage.settle()
    page.show_operations(operations(read_description(description("management", "https://login.example").encode())))
    await stage.settle()
    page.described.setText("Order management: description of 24 Nov 14:02")
    for each in page.lists.values():
        each.setChecked(each is page.lists["operations"])
    page.tree.search.clear()
    page.answer.find_bar.close_bar()
    page.answer.clear()
    page.request.show_busy(False)
    page.bar.clear()
    return page


async def _with(stage: Stage, key: str, body: object = None, *parameters: tuple[str, str]) -> ConsolePage:
    page = await _page(stage)
    text = body if isinstance(body, str) else "" if body is None else json.dumps(body, indent=2)
    page.show_draft(RequestDraft(key, parameters, text))
    page.request.parameters.finish()
    page.request.body.form.finish()
    page._judge()
    return page


async def console_empty(stage: Stage) -> None:
    page = await _page(stage)
    page.request.operation = None
    page.request.states.show_state("search", "Choose an operation")
    page.focus_search()


async def console_form(stage: Stage) -> None:
    page = await _with(stage, SUBMIT, ORDER)
    page.request.body.form.go_to(("consignee", "zip"))


async def console_form_wrong(stage: Stage) -> None:
    wrong = ORDER | {"deliveryType": "SHIP", "freightDetails": [{"commodity": "SOFA", "count": "one"}], "more": [1]}
    del wrong["orderReferenceNumber"]
    page = await _with(stage, SUBMIT, wrong)
    page.request.go_to_wrong()


async def console_json_mistake(stage: Stage) -> None:
    page = await _with(stage, SUBMIT, ORDER)
    page.request.body.put(json.dumps(ORDER, indent=2).replace('"Memphis",', '"Memphis"'))
    page._judge()


async def console_json_alone(stage: Stage) -> None:
    page = await _with(stage, QUOTE, {"from": "38104", "to": "37203", "pieces": [{"commodity": "SOFA", "count": 2}]})
    page.request.focus_first()


async def console_parameters(stage: Stage) -> None:
    page = await _with(stage, OPEN_ORDERS, None, ("IncludePOs", "true"), ("StartDate", "2026-11-17T00:00:00"))
    page.request.focus_first()


async def console_nothing_to_fill_in(stage: Stage) -> None:
    await _with(stage, "management GET /Order/test")


async def console_waiting(stage: Stage) -> None:
    page = await _with(stage, FACILITIES, None, ("ZipCode", "38104"))
    page.request.show_busy(True, "Waiting for the answer…")
    page.answer.show_waiting()


async def console_answer_table(stage: Stage) -> None:
    page = await _with(stage, FACILITIES, None, ("ZipCode", "38104"))
    page._share_room()
    page.answer.show_answer(shown_answer(_answer(ROWS)), "facilities")
    page.answer.tabs["table"].setChecked(True)
    page.answer.table.setFocus()
    page.answer.table.selectRow(2)


async def console_answer_tree(stage: Stage) -> None:
    page = await _with(stage, SUBMIT, ORDER)
    page._share_room()
    page.answer.show_answer(shown_answer(_answer({"order": ORDER, "systemNumber": 771_002})), "order_submit")
    page.answer.tabs["tree"].setChecked(True)
    page.answer.go_to_path(("order", "consignee", "zip"))
    page.answer.tree.setFocus()


async def console_answer_found(stage: Stage) -> None:
    page = await _with(stage, FACILITIES, None, ("ZipCode", "38104"))
    page._share_room()
    page.answer.show_answer(shown_answer(_answer(ROWS)), "facilities")
    page.answer.tabs["text"].setChecked(True)
    await stage.settle()
    page.answer.open_find()
    page.answer.find_bar.field.setText("mem04")
    page.answer.find_bar._look()


async def console_answer_refused(stage: Stage) -> None:
    page = await _with(stage, SUBMIT, ORDER)
    problem = {
        "title": "One or more validation errors occurred.",
        "status": 400,
        "errors": {"consignee.zip": ["Too short."]},
    }
    said = "The provider did not accept this: consignee.zip: Too short."
    answer = _answer(problem, 400, "Bad Request", "application/problem+json", sentence=said)
    page._share_room()
    page.answer.show_answer(shown_answer(answer), "order_submit")


async def console_answer_headers(stage: Stage) -> None:
    page = await _with(stage, STATUS, None, ("OrderReferenceNumber", "CRN-20481"))
    page._share_room()
    page.answer.show_answer(shown_answer(_answer({"status": "Received"})), "order_status")
    page.answer.tabs["headers"].setChecked(True)


async def console_answer_changes(stage: Stage) -> None:
    page = await _with(stage, FACILITIES)
    shown = shown_answer(_answer(ROWS))
    page._share_room()
    page.answer.show_answer(shown, "facilities")
    page.answer.show_earlier([(1, "2026-11-24 13:58:02 · 200"), (2, "2026-11-23 09:12:44 · 200")])
    before = json.dumps(ROWS[1:]).replace("Memphis 7", "Memphis South").replace("111", "109")
    page.answer.tabs["changes"].setChecked(True)
    page.answer.show_differences(differences(read_json(before), shown.body.value))


async def console_no_answer(stage: Stage) -> None:
    page = await _with(stage, QUOTE, {"from": "38104"})
    page.answer.show_sentence(
        "circle-alert", "Stopped. It may have arrived at the provider all the same; look before it is sent again."
    )


async def console_in_outbox(stage: Stage) -> None:
    page = await _with(stage, SUBMIT, ORDER)
    page.answer.show_write(1, "Order CRN-20481 is being sent.")


async def console_history(stage: Stage) -> None:
    page = await _with(stage, FACILITIES)
    targets = (
        "/Facilities?ZipCode=38104",
        "/Quote/submit",
        "/Order/status?OrderReferenceNumber=CRN-20481",
        "/Order/submit",
    )
    calls = [
        PastCall(
            number, NOW - timedelta(minutes=17 * number), FACILITIES, "Memphis to Nashville" if number == 3 else "",
            "GET" if number % 2 == 0 else "POST", targets[number % 4],
            0 if number == 9 else (200, 200, 404, 0)[number % 4], "", 0.1, 200,
            17 if number % 4 == 3 else None, RequestDraft(FACILITIES), True, number == 9,
        )
        for number in range(24)
    ]  # fmt: skip
    page.lists["history"].setChecked(True)
    page.history.show_calls(calls, more=False)
    page.history.table.selectRow(1)
    page.history.table.setFocus()


async def console_history_empty(stage: Stage) -> None:
    page = await _with(stage, FACILITIES)
    page.lists["history"].setChecked(True)
    page.history.show_calls((), more=False)


async def console_requests(stage: Stage) -> None:
    page = await _with(stage, QUOTE, {"from": "38104", "to": "37203"})
    page.lists["requests"].setChecked(True)
    file = Path("Memphis to Nashville.http")
    page.requests.show_requests(
        [
            NamedRequest("Facilities near Memphis", file, RequestDraft(FACILITIES)),
            NamedRequest("Memphis to Nashville", file, RequestDraft(QUOTE), "The quote that is asked for every Monday"),
            NamedRequest("Torn", file, None, trouble="This file has no line with a method and an address."),
        ]
    )
    page.requests._take(page.requests.list.item(2))


async def console_requests_empty(stage: Stage) -> None:
    page = await _with(stage, QUOTE, {"from": "38104", "to": "37203"})
    page.lists["requests"].setChecked(True)
    page.requests.problem.hide()
    page.requests.show_requests(())


async def console_keep(stage: Stage) -> None:
    page = await _with(stage, QUOTE, {"from": "38104", "to": "37203"})
    page.keep_request()


async def console_asks(stage: Stage) -> None:
    """Before something is written at a production connection."""
    page = await _with(stage, QUOTE, {"from": "38104", "to": "37203"})
    stage.ask(
        confirmed(
            page.window(), "Send POST /Quote/submit at “Acme Freight”, for real?",
            "This is sent once and is not in the outbox: if the answer is missing, look up what happened.",
            "Send it", "Send nothing", mark=colour_mark(stage.shell.services.theme, "production", "teal"),
        )
    )  # fmt: skip
    await stage.until(QApplication.activeModalWidget)


async def console_odd(stage: Stage) -> None:
    """Names and texts as nobody wants them."""
    odd = ORDER | {
        "orderReferenceNumber": "CRN-\u202e20481" * 6,
        "unknownMember": {"a": [1, None]},
        "consignee": "nobody",
    }
    page = await _with(stage, SUBMIT, odd)
    wide = [{f"column number {place}": "a long text in a cell " * 9 for place in range(30)} for _ in range(40)]
    page._share_room()
    page.answer.show_answer(shown_answer(_answer(wide, sentence="<b>Not bold</b> & a very long sentence. " * 6)), "odd")


async def console_search_empty(stage: Stage) -> None:
    page = await _with(stage, STATUS)
    page.tree.search.setText("no operation of this kind")
    page.tree.search.setFocus()


CONSOLE_SCENES: tuple[Scene, ...] = (
    console_empty,
    console_form,
    console_form_wrong,
    console_json_mistake,
    console_json_alone,
    console_parameters,
    console_nothing_to_fill_in,
    console_waiting,
    console_answer_table,
    console_answer_tree,
    console_answer_found,
    console_answer_refused,
    console_answer_headers,
    console_answer_changes,
    console_no_answer,
    console_in_outbox,
    console_history,
    console_history_empty,
    console_requests,
    console_requests_empty,
    console_keep,
    console_asks,
    console_odd,
    console_search_empty,
)
NARROW_CONSOLE_SCENES: tuple[Scene, ...] = (
    console_form,
    console_form_wrong,
    console_json_alone,
    console_answer_table,
    console_history,
)
