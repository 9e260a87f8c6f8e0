"""Replies in XML read as the data that their JSON would be."""

import json
from datetime import datetime
from encodings.aliases import aliases
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.errors import BrokenReply
from app.api.lists.array import ArrayReader
from app.api.lists.xml_list import XmlListReader
from app.api.reply import Reply, check_readable
from app.contract.replies import alike, read_status
from app.contract.xml_records import INFORMATION, encoding_of, is_well_formed, read_record, read_records
from app.practice.web.xml_form import WRAPPED_HEAD, element, wrapped

ORDER = {
    "OrderNumber": 4711,
    "CRN": "0042",
    "PO": ["77", "78"],
    "Consignee": {"Name": "José & Söhne <Ltd>", "Address": {"City": "Memphis", "ZipCode": "03811"}},
    "Notes": [{"Text": " two  spaces ", "CreatedDate": "2026-11-20T14:02:10"}],
    "Commodities": [{"CommodityCode": "SOFA", "Count": 2}, {"CommodityCode": "CHAIR", "Count": 1.5}],
    "ProofOfDelivery": [{"Filename": "a.pdf", "Url": "https://x.example/a.pdf", "Folder": "POD"}],
    "IsReceived": True,
    "IsDelivered": False,
}


def test_an_order_is_the_same_in_both_forms() -> None:
    assert read_record(element("Order", ORDER).encode(), INFORMATION) == ORDER
    assert read_record(wrapped("Order", ORDER, WRAPPED_HEAD).encode(), INFORMATION) == ORDER


@pytest.mark.parametrize("count", [0, 1, 2])
def test_lists_of_any_length_are_lists(count: int) -> None:
    order = {"OrderNumber": 1, "PO": ["a", "b"][:count], "Notes": [{"Text": "x"}, {"Text": "y"}][:count]}
    assert read_record(wrapped("Order", order, WRAPPED_HEAD).encode(), INFORMATION) == order
    found = read_record(element("Order", order).encode(), INFORMATION)
    assert isinstance(found, dict)
    assert {name: found.get(name, []) for name in order} == order


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<ArrayOfAudit/>", []),
        ("<ArrayOfAudit><Audit><auditId>1</auditId></Audit></ArrayOfAudit>", [{"auditId": 1}]),
        ("<Audits><A><auditId>1</auditId></A><A><auditId>2</auditId></A></Audits>", [{"auditId": 1}, {"auditId": 2}]),
        ("<Audit><auditId>1</auditId><auditScore>9.5</auditScore></Audit>", {"auditId": 1, "auditScore": 9.5}),
        ("<Audit><auditScore></auditScore><auditId>x1</auditId></Audit>", {"auditScore": None, "auditId": "x1"}),
        ("<a><b>1</b><b>2</b><b>3</b></a>", {"b": ["1", "2", "3"]}),
        ("<Order><PO>1</PO><PO>2</PO></Order>", {"PO": ["1", "2"]}),
        ("<Order><PO><string>1</string></PO></Order>", {"PO": ["1"]}),
        ("<Order><PO><Po><Number>1</Number></Po></PO></Order>", {"PO": [{"Number": "1"}]}),
        ("<Order><Notes><Text>only</Text></Notes></Order>", {"Notes": [{"Text": "only"}]}),
        (
            "<Order><IsReceived>TRUE</IsReceived><IsDelivered>0</IsDelivered></Order>",
            {"IsReceived": True, "IsDelivered": False},
        ),
        ("<Order><OrderNumber>123456789012345678</OrderNumber></Order>", {"OrderNumber": 123456789012345678}),
        ("<a>\x01&#x1F;&#xD800;&amp;</a>", "\ufffd\ufffd\ufffd&"),
    ],
)
def test_forms_that_a_service_may_use(text: str, value: object) -> None:
    assert read_records(text.encode()) == value


@pytest.mark.parametrize(
    "text",
    ["", "<a>", "<a></b>", "<a/><b/>x", "hello", "<a>&unknown;</a>", "<a" + ">" * 3, "<a>" * 200 + "</a>" * 200],
)
def test_what_is_no_xml(text: str) -> None:
    assert read_records(text.encode()) is None
    assert not is_well_formed(text.encode())


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("canary")
    outside = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a>&x;</a>'
    bomb = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a>&c;</a>'
    assert read_records(outside.encode()) is None
    assert read_records(bomb.encode()) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_encodings(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?><a>Ångström</a>'
    assert read_records(text.encode(encoding)) == "Ångström"


# The first is unknown. UTF-16 and its like cannot be declared in single bytes. The others are codecs of Python's for
# what is no text, or that raise whatever they are asked for.
@pytest.mark.parametrize(
    "name",
    ["klingon", "utf-16", "utf-16le", "utf-32", "cp037", "hex", "rot13", "zlib", "base64", "undefined", "idna",
     "unicode_escape"],
)  # fmt: skip
def test_an_encoding_that_cannot_be_is_read_as_utf_8(name: str) -> None:
    body = f'<?xml version="1.0" encoding="{name}"?><a>é</a>'.encode()
    assert read_records(body) == "é"
    assert encoding_of(body) == "utf-8-sig"


@pytest.mark.parametrize("name", sorted({*aliases.values(), "idna", "undefined", "punycode"}))
@given(odd=st.binary(max_size=30))
def test_no_declared_encoding_makes_a_reader_raise(name: str, odd: bytes) -> None:
    head = f'<?xml version="1.0" encoding="{name}"?><a><Status>Received</Status>'.encode()
    read_status(head + odd + b"</a>", "R-1")
    assert read_status(head + b"</a>", "R-1").status == "Received"


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16"])
def test_one_answer_in_another_encoding_is_read(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><R><CRN>Ré-1</CRN><Status>Received</Status></R>'
    reply = Reply(200, text.encode(encoding), "application/xml", datetime.now())
    check_readable(reply)
    found = read_status(reply.body, "Ré-1")
    assert (found.status, found.mentions_reference, found.raw) == ("Received", True, text)
    assert alike(found.raw, "ré-1") == "Ré-1"
    assert reply.records() == {"CRN": "Ré-1", "Status": "Received"}
    with pytest.raises(BrokenReply):
        check_readable(Reply(200, text.encode("utf-16")[:-1], "application/xml", datetime.now()))


def test_a_page_in_another_encoding_is_still_a_page() -> None:
    page = '<?xml version="1.0" encoding="utf-16"?><html><body>Log in</body></html>'.encode("utf-16")
    with pytest.raises(BrokenReply, match="web page"):
        check_readable(Reply(200, page, "application/xml", datetime.now()))


_TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)
_ORDERS = st.lists(
    st.fixed_dictionaries(
        {"OrderNumber": st.integers(0, 10**17)},
        optional={
            "CRN": _TEXTS.filter(str.strip),
            "Notes": st.lists(st.fixed_dictionaries({"Text": _TEXTS.filter(str.strip)}), min_size=1, max_size=3),
            "IsReceived": st.booleans(),
        },
    ),
    max_size=8,
)


@given(_ORDERS, st.integers(1, 60), st.booleans())
def test_a_list_in_pieces_of_any_size_is_the_list(orders: list[dict[str, object]], size: int, dotnet: bool) -> None:
    """Both readers give the same records with the same JSON."""
    write = wrapped if dotnet else element
    text = "<ArrayOfOrder>" + "".join(write("Order", each) for each in orders) + "</ArrayOfOrder>"
    text = text.replace("<ArrayOfOrder>", f"<ArrayOfOrder {WRAPPED_HEAD}>")
    reader = XmlListReader(INFORMATION)
    found = []
    for start in range(0, len(text), size):
        reader.feed(text[start : start + size], last=start + size >= len(text))
        while (one := reader.next()) is not None:
            found.append(one)
    assert reader.complete
    other = ArrayReader()
    other.feed(json.dumps(orders, ensure_ascii=False), last=True)
    expected = []
    while (one := other.next()) is not None:
        expected.append(one)
    assert [value for value, _ in found] == [value for value, _ in expected]
    assert [json.loads(raw) for _, raw in found] == orders


def test_records_before_a_mistake_are_handed_out_first() -> None:
    reader = XmlListReader(INFORMATION)
    reader.feed("<a><Order><OrderNumber>1</OrderNumber></Order><Order><", last=False)
    assert reader.next() == ({"OrderNumber": 1}, '{"OrderNumber":1}')
    reader.feed("<<<", last=True)
    with pytest.raises(BrokenReply, match="not valid XML"):
        reader.next()


def test_a_record_beyond_reason_is_a_broken_reply() -> None:
    reader = XmlListReader(INFORMATION, largest=1_000)
    reader.feed(f"<a><Order><CRN>{'x' * 2_000}</CRN></Order></a>", last=True)
    with pytest.raises(BrokenReply, match="too large"):
        reader.next()
