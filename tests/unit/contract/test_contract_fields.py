"""Each field of a submission against a table typed by hand from services.md: kind, need, length and bound.

Every case is put to both judges, the check that speaks to people and the models that are sent: they must agree.
"""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ValidationError

from app.contract.check import check_body, field_of
from app.contract.submission import OrderSubmission
from app.contract.typed_fields import LIMITS
from tests.support.contract_samples import changed, sample, value_at, without

FIELDS: list[dict[str, Any]] = sample("submission_fields.json")["fields"]
FULL = sample("order_full.json")
PATHS = [row["path"] for row in FIELDS]
TEXTS = [row["path"] for row in FIELDS if row["type"] == "string"]
LIMITED = [(row["path"], row["max"]) for row in FIELDS if "max" in row]
REQUIRED = [row["path"] for row in FIELDS if row["required"] is True]
OPTIONAL = [row["path"] for row in FIELDS if row["required"] is False]
NUMBERS = [row["path"] for row in FIELDS if row["type"] == "number"]
ABOVE_ZERO = [row["path"] for row in FIELDS if "above" in row]
DATES = [row["path"] for row in FIELDS if row["type"] == "date"]
ROWS = {"object": "This must be an object.", "array": "This must be a list."}


def model_accepts(body: object) -> bool:
    try:
        OrderSubmission.model_validate(body)
    except ValidationError:
        return False
    return True


def accepted(body: object) -> OrderSubmission:
    outcome = check_body(body)
    assert isinstance(outcome, OrderSubmission), outcome
    assert outcome == OrderSubmission.model_validate(body)
    return outcome


def refused(body: object, path: str) -> str:
    """The first sentence at the path; both judges refuse."""
    outcome = check_body(body)
    assert isinstance(outcome, list)
    assert not model_accepts(body)
    said = [issue.sentence for issue in outcome if issue.path == path]
    assert said, outcome
    return said[0]


def put(path: str, value: object) -> Any:
    """The full order with this value, and the same in the field that must equal it."""
    row = next(row for row in FIELDS if row["path"] == path)
    body = FULL
    for each in [path, *row.get("also", [])]:
        body = changed(body, each, value)
    return body


def model_paths(model: type[BaseModel], head: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield head + name
        pending = [field.annotation]
        while pending:
            kind = pending.pop()
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from model_paths(kind, f"{head}{name}.")
            pending.extend(get_args(kind))


def test_the_models_hold_exactly_the_fields_of_the_table() -> None:
    assert list(model_paths(OrderSubmission)) == [field_of(path) for path in PATHS]


def test_the_counters_limits_are_the_tables() -> None:
    assert {field_of(path): most for path, most in LIMITED} == LIMITS


@pytest.mark.parametrize("name", ["order_full.json", "order_least.json"])
def test_the_samples_are_accepted(name: str) -> None:
    accepted(sample(name))


@pytest.mark.parametrize("path", PATHS)
def test_every_field_arrives_as_it_was_given(path: str) -> None:
    outcome = accepted(FULL).model_dump(mode="json", exclude_none=True)
    assert value_at(outcome, path) == value_at(FULL, path)


@pytest.mark.parametrize(("path", "most"), LIMITED)
def test_the_longest_text_is_taken_and_one_character_more_is_refused(path: str, most: int) -> None:
    longest = "ü" * most
    assert value_at(accepted(put(path, longest)).model_dump(), path) == longest
    assert refused(put(path, longest + "x"), path) == f"At most {most} characters; this has {most + 1}."


@pytest.mark.parametrize("path", [path for path in TEXTS if path not in dict(LIMITED)])
def test_a_text_without_a_limit_may_be_long(path: str) -> None:
    accepted(put(path, "x" * 5_000))


@pytest.mark.parametrize("path", REQUIRED)
def test_a_required_field_is_required(path: str) -> None:
    inside = {"consignee": "consignee.city"}.get(path, path)
    for body in (without(FULL, path), changed(FULL, path, None)):
        assert "equired" in refused(body, inside)


@pytest.mark.parametrize("path", [path for path in TEXTS if path in REQUIRED])
@pytest.mark.parametrize("blank", ["", "   ", "\t\n"])
def test_a_blank_text_does_not_fill_a_required_field(path: str, blank: str) -> None:
    outcome = check_body(changed(FULL, path, blank))
    assert isinstance(outcome, list)
    assert (path, "Required.") in [(issue.path, issue.sentence) for issue in outcome]


@pytest.mark.parametrize("path", OPTIONAL)
def test_an_optional_field_may_be_absent_or_null(path: str) -> None:
    for body in (without(FULL, path), changed(FULL, path, None)):
        outcome = accepted(body).model_dump(mode="json", exclude_none=True)
        assert outcome == without(FULL, path)


@pytest.mark.parametrize("path", [path for path in TEXTS if path in OPTIONAL])
def test_a_blank_optional_text_is_not_sent(path: str) -> None:
    outcome = check_body(changed(FULL, path, "  "))
    assert isinstance(outcome, OrderSubmission)
    assert outcome.model_dump(mode="json", exclude_none=True) == without(FULL, path)


@pytest.mark.parametrize("path", TEXTS)
@pytest.mark.parametrize("value", [5, 0.5, True, [], {}, ["x"]])
def test_a_text_is_text(path: str, value: object) -> None:
    assert refused(changed(FULL, path, value), path) == "This must be text."


@pytest.mark.parametrize("path", NUMBERS)
@pytest.mark.parametrize("value", [True, [], {}])
def test_a_number_is_a_number(path: str, value: object) -> None:
    assert refused(changed(FULL, path, value), path) == "This must be a number."


@pytest.mark.parametrize("path", NUMBERS)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), "a dozen"])
def test_a_number_is_finite(path: str, value: object) -> None:
    assert refused(changed(FULL, path, value), path).startswith("Not a number.")


@pytest.mark.parametrize("path", NUMBERS)
@pytest.mark.parametrize("value", [1, 7.25, 0.001, 33.333333333333336, 999_999_999_999_999])
def test_a_number_may_be_whole_or_not(path: str, value: float) -> None:
    assert value_at(accepted(changed(FULL, path, value)).model_dump(), path) == value


@pytest.mark.parametrize("path", NUMBERS)
def test_bounds_of_numbers(path: str) -> None:
    if path in ABOVE_ZERO:
        for value in (0, 0.0, -0.001, -3):
            assert refused(changed(FULL, path, value), path) == "Must be greater than 0."
    else:
        accepted(changed(FULL, path, 0))
        assert refused(changed(FULL, path, -0.001), path) == "Cannot be less than 0."


@pytest.mark.parametrize("path", DATES)
@pytest.mark.parametrize("value", ["2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31"])
def test_a_date_of_the_calendar_is_taken(path: str, value: str) -> None:
    assert value_at(accepted(changed(FULL, path, value)).model_dump(mode="json"), path) == value


@pytest.mark.parametrize("path", DATES)
@pytest.mark.parametrize(
    "value",
    [
        "2026-02-29",
        "2026-13-01",
        "2026-00-10",
        "26-01-01",
        "2026-1-1",
        "20260101",
        "2026-01-01T00:00:00",
        "12/24/2026",
        "tomorrow",
        "1735689600",
        "٢٠٢٦-٠١-٠١",
        "2026-W01-1",
        "2026-01-01\x00",
        "0000-01-01",
    ],
)
def test_anything_else_is_no_date(path: str, value: str) -> None:
    assert refused(changed(FULL, path, value), path).startswith("Not a date. Write it as YYYY-MM-DD")


@pytest.mark.parametrize("path", DATES)
@pytest.mark.parametrize("value", [20260101, 1735689600, True, []])
def test_a_date_is_text(path: str, value: object) -> None:
    assert refused(changed(FULL, path, value), path) == "This must be text."


@pytest.mark.parametrize("value", ["HOME", "STORE", "BUILD"])
def test_delivery_types(value: str) -> None:
    assert accepted(changed(FULL, "deliveryType", value)).deliveryType == value


@pytest.mark.parametrize("value", ["home", "Home", "HOMES", "DOCK", "-"])
def test_no_other_delivery_type(value: str) -> None:
    assert refused(changed(FULL, "deliveryType", value), "deliveryType") == "Must be one of HOME, STORE, BUILD."


@pytest.mark.parametrize(("path", "kind"), [(row["path"], row["type"]) for row in FIELDS if row["type"] in ROWS])
@pytest.mark.parametrize("value", ["x", 5, True])
def test_a_part_of_another_shape_is_one_issue(path: str, kind: str, value: object) -> None:
    body = changed(FULL, path, value)
    assert refused(body, path) == ROWS[kind]
    outcome = check_body(body)
    assert isinstance(outcome, list)
    assert [issue.path for issue in outcome if issue.path.startswith(path)] == [path]
