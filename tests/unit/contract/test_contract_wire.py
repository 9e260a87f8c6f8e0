"""The bytes of each request, under the provider's own spelling."""

import json

import pytest
from pydantic import ValidationError

from app.contract.check import check_body
from app.contract.submission import Cancellation, OrderSubmission, wire_bytes
from tests.support.contract_samples import changed, sample, sample_bytes

FULL = sample("order_full.json")


def submission(body: object) -> OrderSubmission:
    outcome = check_body(body)
    assert isinstance(outcome, OrderSubmission), outcome
    return outcome


def test_the_bytes_of_a_full_order() -> None:
    assert wire_bytes(submission(FULL)) == sample_bytes("order_full_wire.json")


def test_the_order_of_a_bodys_properties_does_not_matter() -> None:
    backwards = dict(reversed(list(FULL.items())))
    assert wire_bytes(submission(backwards)) == sample_bytes("order_full_wire.json")


def test_what_was_left_empty_is_not_sent() -> None:
    least = sample("order_least.json")
    assert json.loads(wire_bytes(submission({**least, "poNumber": None, "barcoding": {}}))) == least


def test_the_wire_keeps_the_misspelling() -> None:
    assert b'"useConsigneeAddressToDetermineFaclityCode":false' in wire_bytes(submission(FULL))


def test_text_travels_as_utf8_and_not_as_escapes() -> None:
    sent = wire_bytes(submission(changed(FULL, "consignee.city", "Zürich 🚚")))
    assert '"city":"Zürich 🚚"'.encode() in sent


@pytest.mark.parametrize(("given", "sent"), [(2, b"2"), (2.0, b"2"), (2.5, b"2.5"), (1000.0, b"1000"), (0.1, b"0.1")])
def test_numbers_are_written_plainly(given: float, sent: bytes) -> None:
    assert b'"count":' + sent + b"," in wire_bytes(submission(changed(FULL, "freightDetails[0].count", given)))


def test_the_bytes_of_a_cancellation() -> None:
    assert wire_bytes(Cancellation(orderReferenceNumber='Ä "1"')) == '{"orderReferenceNumber":"Ä \\"1\\""}'.encode()


def test_a_record_that_is_sent_cannot_be_changed() -> None:
    order = submission(FULL)
    with pytest.raises(ValidationError):
        order.poNumber = "other"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        order.consignee.city = "other"  # type: ignore[misc]
