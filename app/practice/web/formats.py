"""Content types in and out: which one a caller wants, what a body holds, how a record is written."""

import json
from typing import Any

from app.contract.operations import REPLY_FORMATS, Operation
from app.contract.request_body import LIST_FIELDS
from app.practice.json_form import read_json
from app.practice.operation_answers import Record, Refusal, bad_request
from app.practice.switches import Switches
from app.practice.web.xml_form import HEAD, WRAPPED_HEAD, BadXml, element, list_name, read_xml, wrapped

JSON = "application/json"
# Replies are made here and hold no circles: looking for some would cost a sixth of a long list's time.
_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))


def wanted_format(accept: str | None) -> str:
    """The media type of the reply: the most wanted one of the five, or JSON where none of them is."""
    best, best_weight = JSON, 0.0
    for index, part in enumerate((accept or "").split(",")):
        kind, *settings = (piece.strip().lower() for piece in part.split(";"))
        # Of equal weights the first one counts.
        weight = _weight(settings) - index * 1e-6
        found = next((each for each in (JSON, *REPLY_FORMATS) if _fits(each, kind)), None)
        if found is not None and weight > best_weight:
            best, best_weight = found, weight
    return best


def _weight(settings: list[str]) -> float:
    for each in settings:
        name, _, value = each.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0


def _fits(kind: str, pattern: str) -> bool:
    return pattern in {kind, "*/*"} or (pattern.endswith("/*") and kind.startswith(pattern[:-1]))


def is_xml(media_type: str) -> bool:
    """Whether a media type is of the XML family."""
    return media_type.endswith(("/xml", "+xml"))


def write(value: object, name: str, media_type: str, *, in_wrapped_xml: bool = False) -> bytes:
    """A record, or a list of records, as bytes of a media type."""
    if not is_xml(media_type):
        return to_json(value).encode()
    if in_wrapped_xml:
        root = list_name(name) if isinstance(value, list) else name
        inner = "".join(wrapped(name, each) for each in value) if isinstance(value, list) else ""
        text = f"<{root} {WRAPPED_HEAD}>{inner}</{root}>" if inner else wrapped(root, value, WRAPPED_HEAD)
        return f"{HEAD}{text}".encode()
    if isinstance(value, list):
        root = list_name(name)
        return f"{HEAD}<{root}>{element(name, value)}</{root}>".encode()
    return f"{HEAD}{element(name, value)}".encode()


def to_json(value: object) -> str:
    """JSON without needless escapes and spaces."""
    return _ENCODER.encode(value)


def write_problem(refusal: Refusal, media_type: str, switches: Switches) -> tuple[bytes, str]:
    """A problem record and its media type: what the caller wants, unless a switch says another."""
    record = refusal.record()
    if switches.on("problem-empty"):
        return b"", ""
    if switches.on("problem-text"):
        return _as_text(record).encode(), "text/plain"
    if switches.on("problem-xml"):
        return write(record, "problem", "text/xml"), "application/problem+xml"
    problem_types = {JSON: "application/problem+json", "application/xml": "application/problem+xml"}
    if switches.on("problem-json"):
        problem_types = {}
    return write(record, "problem", media_type), problem_types.get(media_type, media_type)


def _as_text(record: Record) -> str:
    errors = "; ".join(f"{path}: {' '.join(words)}" for path, words in record.get("errors", {}).items())
    return " ".join(part for part in (record["title"], record.get("detail", ""), errors) if part)


def body_kind(operation: Operation, content_type: str | None, body: bytes) -> str:
    """The media type of a call's body. Raises Refusal where it is not accepted, or there is no body."""
    kind = media_type(content_type)
    if not any(_accepts(each, kind) for each in operation.formats):
        taken = ", ".join(operation.formats)
        raise bad_request("", f"A body of type {kind or 'none'} is not accepted here; send one of {taken}.")
    if not body.strip():
        raise bad_request("", "A body is required.")
    return kind


def media_type(header: str | None) -> str:
    """The media type of a Content-Type header without its settings; bytes that are no ASCII are written as `\\xHH`."""
    kind = (header or "").partition(";")[0].strip().lower()
    return kind.encode("utf-8", "surrogateescape").decode("ascii", "backslashreplace")


def decoded(kind: str, body: bytes) -> Any:
    """The body of a call, of a type that is accepted. Raises Refusal where it cannot be read."""
    if is_xml(kind):
        try:
            return read_xml(body, LIST_FIELDS)
        except BadXml as error:
            raise bad_request("", str(error)) from error
    return read_json(body)


def _accepts(pattern: str, kind: str) -> bool:
    if "*" not in pattern:
        return kind == pattern
    head, tail = pattern.split("*")
    return kind.startswith(head) and kind.endswith(tail)
