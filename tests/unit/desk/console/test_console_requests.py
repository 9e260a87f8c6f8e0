"""Filled forms as requests, as texts for other tools, as files, and the values of answers in them."""

import json
import os
import shlex
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.raw_call import RawAnswer
from app.desk.console.calls import answer_values
from app.desk.console.calls.answer_values import (
    Answers,
    expression_name,
    filled,
    filled_value,
    offers,
    troubles,
)
from app.desk.console.calls.build_request import BuiltRequest, build
from app.desk.console.calls.copied_request import FORMS, TOKEN, copied
from app.desk.console.calls.http_file import NoRequest, read_http, split_requests, write_http
from app.desk.console.calls.named_requests import all_named, export_files, import_files, keep, remove, rename
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import ConsoleOperation, operations
from app.desk.console.description.read_description import read_description
from app.desk.console.forms.exact_json import Number, read_json
from app.desk.desk import Desk
from app.desk.files.whole_file import ExportTrouble
from tests.support.fault_server import FaultServer

ALL = operations(
    read_description(
        json.dumps(
            {
                "openapi": "3.0.1",
                "paths": {
                    "/Extra/{code}": {
                        "post": {
                            "operationId": "extra",
                            "parameters": [
                                {"name": "X-Kind", "in": "header", "schema": {"type": "string"}},
                                {
                                    "name": "many",
                                    "in": "query",
                                    "schema": {"type": "array", "items": {"type": "integer"}},
                                },
                                {"name": "few", "in": "query", "explode": False, "schema": {"type": "array"}},
                                {"name": "need", "in": "query", "required": True, "schema": {"type": "integer"}},
                            ],
                            "requestBody": {
                                "content": {"application/x-www-form-urlencoded": {"schema": {"type": "object"}}}
                            },
                            "responses": {},
                        }
                    },
                    "/Upload": {
                        "post": {"requestBody": {"content": {"multipart/form-data": {"schema": {}}}}, "responses": {}}
                    },
                },
            }
        ).encode()
    )
)
BY_NAME = {each.name: each for each in ALL}


def answer(body: str, status: int = 200, kind: str = "application/json") -> RawAnswer:
    headers = (("Content-Type", kind), ("X-Request-Id", "r-7"))
    return RawAnswer(status, "OK", headers, kind, body.encode(), len(body), (), datetime(2026, 11, 22))


def answers(**bodies: str) -> Answers:
    made = Answers()
    for name, body in bodies.items():
        made.remember(name, answer(body))
    return made


def draft(name: str, body: str = "", **parameters: str) -> RequestDraft:
    return RequestDraft(BY_NAME[name].key, tuple(parameters.items()), body)


def built(made: RequestDraft, known: Answers | None = None) -> BuiltRequest:
    operation = next(each for each in ALL if each.key == made.operation)
    return build(operation, made, known or Answers())


# Requests


def test_the_bytes_are_those_that_were_typed() -> None:
    text = '{ "weight": 1.50,\n  "é": "ü" }\n'
    request = built(draft("quote_submit", text)).request
    assert (request.method, request.path, request.body) == ("POST", "/Quote/submit", text.encode())
    assert (request.content_type, request.accept, request.writes) == ("application/json", "", True)


def test_values_of_a_path_lead_nowhere_else() -> None:
    made = built(draft("order", OrderNumber="1/../2?x=#"))
    assert made.request.path == "/orders/1%2F..%2F2%3Fx%3D%23"
    for value in (".", ".."):
        assert built(draft("overage_by_path", LoadId=value)).stops != []
    assert built(draft("order")).stops == ["OrderNumber is needed."]


def test_parameters_of_the_query_in_the_order_of_the_operation() -> None:
    made = built(draft("order_status", BillToCode="A&B", SystemNumber="7", extra="kept"))
    assert made.target == "/Order/status?SystemNumber=7&BillToCode=A%26B&extra=kept"
    assert made.parameter_mistakes == {}
    wrong = built(draft("order_status", SystemNumber="seven")).parameter_mistakes
    assert wrong == {"SystemNumber": "Must be a whole number."}
    assert built(draft("open_orders", StartDate="22.11.2026")).parameter_mistakes.keys() == {"StartDate"}
    assert built(draft("partner_c_facilities", request='{"a": 1}')).target.endswith("?request=%7B%22a%22%3A%201%7D")
    assert built(draft("partner_c_facilities", request="{")).parameter_mistakes != {}


def test_lists_headers_and_forms() -> None:
    made = built(
        RequestDraft(
            BY_NAME["extra"].key,
            (("code", "a"), ("many", "1"), ("many", "2"), ("few", "x"), ("few", "y"), ("X-Kind", "k")),
            '{"a": "1 2", "b": [3, true]}',
        )
    )
    assert made.request.query == (("many", "1"), ("many", "2"), ("few", "x,y"))
    assert made.request.headers == (("X-Kind", "k"),)
    assert (made.request.body, made.request.content_type) == (
        b"a=1+2&b=3&b=true",
        "application/x-www-form-urlencoded",
    )
    assert made.parameter_mistakes == {"need": "need is needed."}
    assert built(draft("extra", "{}", code="a", **{"X-Kind": "a\r\nb"})).stops != []
    assert "multipart" in built(draft("upload" if "upload" in BY_NAME else "post_upload", "{}")).stops[0]


def test_json_leaves_as_xml_where_that_is_wanted() -> None:
    made = build(
        BY_NAME["quote_submit"],
        RequestDraft(BY_NAME["quote_submit"].key, body='{"a": [1, 2], "b": null, "c d": "<"}', body_format="text/xml"),
        Answers(),
    )
    assert made.request.content_type == "text/xml"
    assert made.request.body == (
        b'<?xml version="1.0" encoding="utf-8"?>\n<QuoteSubmissionRequest>\n  <a>1</a>\n  <a>2</a>\n'
        b"  <c_x0020_d>&lt;</c_x0020_d>\n</QuoteSubmissionRequest>"
    )


def test_xml_may_be_typed_where_it_is_taken() -> None:
    made = built(draft("quote_submit", "<Quote><a>1</a></Quote>"))
    assert (made.stops, made.request.body, made.request.content_type) == (
        [],
        b"<Quote><a>1</a></Quote>",
        "application/xml",
    )
    assert built(draft("quote_submit", "<Quote>")).stops != []
    assert built(draft("quote_submit", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).stops != []
    assert built(draft("partner_a_get_slot", "<a/>")).stops != []


def test_what_cannot_be_encoded_is_said() -> None:
    assert (
        built(draft("order_status", BillToCode="\ud800")).stops == built(draft("quote_submit", '{"a": "\udfff"}')).stops
    )
    as_xml = RequestDraft(BY_NAME["quote_submit"].key, body='{"a": "\\u0001"}', body_format="text/xml")
    assert "XML" in built(as_xml).stops[0]
    assert built(draft("quote_submit", '{"a": "\\ud800"}')).stops == []  # escaped, as JSON may


def test_what_is_missing_or_no_json_is_said() -> None:
    assert built(draft("quote_submit")).stops == ["A body is needed: type it."]
    assert "line 1, column 7" in built(draft("quote_submit", '{"a": }')).stops[0]
    assert len(built(draft("quote_submit", '{"a": {{last.body.id}}}')).stops) == 2
    assert built(draft("facilities", "{}")).stops == ["This operation takes no body."]


# Values of answers


def test_values_of_answers_keep_their_kind() -> None:
    known = answers(slots='{"slots": [{"id": 7.50, "a b": "x"}], "ok": true}')
    body = '{"id": "{{slots.body.slots[0].id}}", "text": "id {{ slots.body.slots[-1].id }}", "all": "{{last.body}}"}'
    made = built(draft("quote_submit", body), known)
    assert made.stops == []
    assert made.request.body is not None
    sent = json.loads(made.request.body)
    assert sent["id"] == 7.5
    assert b"7.50" in made.request.body
    assert sent["text"] == "id 7.50"
    assert sent["all"]["ok"] is True
    assert (
        filled('{{slots.body.slots[0]["a b"]}}/{{slots.status}}/{{slots.headers.x-request-id}}', known) == "x/200/r-7"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{nobody.body.id}}", "no answer named nobody"),
        ("{{slots.body.missing}}", "has no {{slots.body.missing}}"),
        ("{{slots}}", "status, headers or body"),
        ("{{slots.body..x}}", "path goes on"),
        ("{{slots.headers}}", "name of one header"),
        ("{{slots.headers.Nothing}}", "has no"),
        ("{{7}}", "Begin with the name"),
        ("see {{slots.body.slots}}", "record or a list"),
        ("{{plain.body.x}}", "no record in its body"),
    ],
)
def test_what_is_wrong_with_an_expression_is_said(text: str, said: str) -> None:
    known = answers(slots='{"slots": []}', plain="no record")
    [sentence] = troubles(text, known)
    assert said in sentence
    assert filled(text, known) == text
    assert said in " ".join(built(draft("quote_submit", json.dumps({"a": text})), known).stops)


def test_an_answer_cannot_ask_for_another() -> None:
    known = answers(a='{"x": "{{b.body.secret}}"}', b='{"secret": "s"}')
    assert filled_value(read_json('["{{a.body.x}}"]'), known) == ["{{b.body.secret}}"]
    assert filled("{{a.body.x}}", known) == "{{b.body.secret}}"


def test_an_answer_that_is_too_large_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_values, "LARGEST", 10)
    known = answers(a='{"x": "0123456789"}')
    [sentence] = troubles("{{a.body.x}}", known)
    assert "too large" in sentence
    held = known.answer("a")
    assert held is not None
    assert (held.body, held.status) == (b"", 200)


def test_expressions_are_offered_as_they_are_typed() -> None:
    known = answers(slots='{"slots": [{"id": 1, "left": 2}], "a b": 1}')
    assert offers("", known) == ["slots.", "last."]
    assert offers("slots.b", known) == ["slots.body"]
    assert offers("slots.body.", known) == ["slots.body.slots"]
    assert offers("slots.body.slots[", known) == ["slots.body.slots[0]"]
    assert offers("slots.body.slots[0].l", known) == ["slots.body.slots[0].left"]
    assert offers("slots.headers.x", known) == ["slots.headers.X-Request-Id"]
    assert offers("nobody.body.x", known) == []
    assert (expression_name("Sofa to Memphis!"), expression_name("2 trucks")) == ("sofa_to_memphis", "_2_trucks")


# Texts for other tools

ODD = '{"a": "it\'s $HOME `id` \\\\ \\"q\\" !x %y% ‘’ 日本", "n": 1.50}\n'


def copied_odd(desk: Desk, form: str, name: str = "quote_submit") -> str:
    return copied(desk, BY_NAME[name], draft(name, ODD), Answers(), form)  # type: ignore[arg-type]


def test_no_copied_text_holds_the_token(offline_desk: Desk) -> None:
    for form in FORMS:
        text = copied_odd(offline_desk, form)
        assert "Bearer" in text
        assert "desk-secret" not in text
        assert TOKEN in text or "{{token}}" in text
        assert "/OrderManagementApi/Quote/submit" in text


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")
def test_a_shell_reads_the_command_as_it_is_meant(offline_desk: Desk, tmp_path: Path) -> None:
    text = copied_odd(offline_desk, "curl")
    program = tmp_path / "curl"
    program.write_text(f"#!{sys.executable}\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n")
    program.chmod(0o700)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", TOKEN: "t-1", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}
    for shell in ("sh", "bash"):
        done = subprocess.run([shell, "-c", text], env=environment, capture_output=True, encoding="utf-8", check=True)
        words = json.loads(done.stdout)
        assert words[words.index("--data-raw") + 1] == ODD
        assert "Authorization: Bearer t-1" in words
        assert words[:3] == ["--globoff", "--request", "POST"]
    assert shlex.split(text.replace("\\\n", " "))[0] == "curl"


def test_powershell_doubles_every_quote_that_it_knows(offline_desk: Desk) -> None:
    text = copied_odd(offline_desk, "powershell")
    literal = text[text.index("GetBytes('") + len("GetBytes('") : text.rindex("')")]
    for quote in "'‘’":
        literal = literal.replace(quote * 2, quote)
    assert literal == ODD


def test_the_program_sends_the_same_bytes(fault_server: FaultServer, offline_desk: Desk) -> None:
    program = copied_odd(offline_desk, "python")
    fault_server.tokens.valid.add("t-1")
    environment = {**os.environ, TOKEN: "t-1", "no_proxy": "*", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    [seen] = fault_server.seen("/Quote/submit")
    assert seen.body == ODD.encode(), done.stderr
    assert seen.headers["authorization"] == "Bearer t-1"
    assert seen.headers["content-type"] == "application/json"


# Files


def operation_of(made: RequestDraft) -> ConsoleOperation:
    return next(each for each in ALL if each.key == made.operation)


DRAFTS = [
    draft("quote_submit", '{\n  "a": 1.50\n}'),
    draft("quote_submit", '{"u": "\u2028", "e": "{{slots.body.slots[0].id}}"}\n'),
    draft("order_status", OrderReferenceNumber="A b&c=d/é+%", SystemNumber="{{last.body.id}}"),
    draft("order", OrderNumber="{{a.body.x}}"),
    draft("order"),
    draft("overage_by_path", LoadId="L 1/2"),
    draft("partner_c_facilities", request='{"a": "{{x.body.y}}", "b": "{{x.body.z}}"}'),
    draft("third_party_logistics_health"),
    RequestDraft(BY_NAME["facilities"].key, (("ZipCode", "38103"),), accept="application/xml"),
    RequestDraft(BY_NAME["truck_submit"].key, body="<Truck/>", body_format="application/xml"),
    RequestDraft(BY_NAME["extra"].key, (("code", "7"), ("many", "1"), ("many", "2"), ("X-Kind", "k")), "{}"),
]


@pytest.mark.parametrize("made", DRAFTS, ids=str)
def test_a_request_comes_back_from_its_text(made: RequestDraft) -> None:
    text = write_http(operation_of(made), made, "Sofa to  Memphis", "Two lines\nof words.")
    read = read_http(text, ALL)
    assert read.draft == made
    assert (read.name, read.note) == ("Sofa to Memphis", "Two lines\nof words.")
    assert write_http(operation_of(made), read.draft, read.name, read.note) == text
    assert "{{token}}" in text
    assert "127.0.0.1" not in text
    assert read_http(text.replace("\n", "\r\n"), ALL).name == read.name


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=20)
PARTS = st.lists(
    TEXTS.filter(bool) | st.sampled_from(["{{a.body.x}}", "{{", "}}", "{{{x}}}", "?", "&", "=", "+", "%7B"]), max_size=4
)


@given(st.lists(st.tuples(st.sampled_from(["SystemNumber", "BillToCode"]), PARTS.map("".join)), max_size=3))
def test_whatever_is_typed_comes_back_from_its_text(parameters: list[tuple[str, str]]) -> None:
    made = RequestDraft(BY_NAME["order_status"].key, tuple(parameters))
    assert read_http(write_http(BY_NAME["order_status"], made, "x"), ALL).draft == made


@given(PARTS.map("".join), PARTS.map("".join))
def test_whatever_the_body_and_the_path_they_come_back(body: str, load: str) -> None:
    quote = RequestDraft(BY_NAME["quote_submit"].key, body=body)
    assert read_http(write_http(BY_NAME["quote_submit"], quote, "x"), ALL).draft == quote
    by_path = RequestDraft(BY_NAME["overage_by_path"].key, (("LoadId", load),) if load else ())
    assert read_http(write_http(BY_NAME["overage_by_path"], by_path, "x"), ALL).draft == by_path


def test_files_of_other_tools_are_read() -> None:
    address = "https://api.example.com/gw/OrderManagementApi/quote/submit?x=1"
    text = f"@host = x\n\n// A quote\nPOST {address} HTTP/1.1\nHost: y\n\n{{}}\n"
    read = read_http(text, ALL)
    assert (read.draft.operation, read.draft.parameters, read.draft.body) == (
        "management POST /Quote/submit",
        (("x", "1"),),
        "{}",
    )
    open_orders = read_http("GET {{host}}/OrderInformationApi/orders/open", ALL)
    assert open_orders.draft.operation == "information GET /orders/open"
    assert read_http("GET https://x/OrderInformationApi/orders/77\n", ALL).draft.parameters == (("OrderNumber", "77"),)


def test_a_text_of_many_blanks_is_read_at_once() -> None:
    blanks = " " * 100_000
    started = time.monotonic()
    read = read_http(f"GET https://x/OrderInformationApi/orders/77\nX-A: b{blanks}c{blanks}\n", ALL)
    assert read.draft.parameters[-1] == ("X-A", f"b{blanks}c")
    assert split_requests(f"GET x{blanks}y{blanks}") == [f"GET x{blanks}y{blanks}"]
    assert time.monotonic() - started < 2, "the time it takes grows with the square of its length"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "### only a name",
        "FETCH x",
        "GET https://x/nowhere",
        "# @operation management GET /Nothing\nGET {{base_url}}/OrderManagementApi/Nothing",
        "# @operation management POST /Quote/submit\nPOST {{base_url}}/OrderManagementApi/Truck/submit",
    ],
)
def test_what_is_no_request_is_said(text: str) -> None:
    with pytest.raises(NoRequest) as trouble:
        read_http(text, ALL)
    assert trouble.value.sentence.endswith(".")


def test_requests_are_kept_one_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "requests"
    assert all_named(folder, ALL) == []
    quote = BY_NAME["quote_submit"]
    first = keep(folder, quote, DRAFTS[0], "Sofa: to/Memphis?")
    assert first.file.parent == folder
    assert first.file.suffix == ".http"
    with pytest.raises(ExportTrouble, match="already"):
        keep(folder, quote, DRAFTS[1], "sofa: to/memphis?")
    keep(folder, quote, DRAFTS[1], "sofa: to/memphis?", "New.", replace=True)
    [there] = all_named(folder, ALL)
    assert (there.draft, there.note, there.file) == (DRAFTS[1], "New.", first.file)
    moved = rename(there, "CON")
    assert [(each.name, each.draft) for each in all_named(folder, ALL)] == [("CON", DRAFTS[1])]
    with pytest.raises(ExportTrouble):
        keep(folder, quote, DRAFTS[0], "  ")
    remove(moved)
    remove(moved)
    assert all_named(folder, ALL) == []


def test_a_file_that_cannot_be_read_is_shown_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "odd.http").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "none.http").write_text("no request")
    (tmp_path / "other.txt").write_text("GET x")
    found = all_named(tmp_path, ALL)
    assert [(each.name, each.draft, bool(each.trouble)) for each in found] == [
        ("none", None, True),
        ("odd", None, True),
    ]
    assert (tmp_path / "odd.http").read_bytes() == b"\xff\xfe\x00"


def test_requests_are_shared_through_folders(tmp_path: Path) -> None:
    here, there, sent = tmp_path / "here", tmp_path / "there", tmp_path / "sent"
    sent.mkdir()
    requests = [
        keep(here, BY_NAME["quote_submit"], DRAFTS[0], "Sofa"),
        keep(here, BY_NAME["facilities"], draft("facilities"), "Facilities"),
    ]
    assert export_files(requests, sent) == []
    assert len(export_files(requests, sent)) == 2  # none is written over another
    (sent / "two.http").write_text(
        "### One\nGET {{h}}/OrderManagementApi/Facilities\n\n### Two\nGET {{h}}/orders/open\n"
    )
    (sent / "bad.http").write_text("nothing")
    taken, refused = import_files(there, [sent], ALL)
    assert sorted(each.name for each in taken) == ["Facilities", "One", "Sofa", "Two"]
    assert [each.partition(":")[0] for each in refused] == ["bad.http"]
    assert import_files(there, [requests[0].file], ALL) == ([], [])
    changed = keep(here, BY_NAME["quote_submit"], DRAFTS[1], "Sofa", replace=True)
    [numbered], _ = import_files(there, [changed.file], ALL)
    assert (numbered.name, numbered.draft) == ("Sofa 2", DRAFTS[1])


def test_numbers_of_an_answer_stay_as_they_came() -> None:
    known = answers(a='{"n": 12345678901234567890.10}')
    assert filled_value("{{a.body.n}}", known) == Number("12345678901234567890.10")
