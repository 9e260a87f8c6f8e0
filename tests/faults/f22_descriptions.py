"""F22: generated and broken descriptions of a service: each operation gets a form or the JSON editor.

A description is generated in one of three dialects, with references that lead in circles, choices in choices, arrays,
enums, bounds and formats, and mostly broken afterwards: nodes replaced, removed, doubled, moved, or bytes cut and
flipped. Of each the operations are listed, the shapes opened, an example made, changed, checked, written and read.
"""

import json
import random
import time
import tracemalloc
from collections.abc import Callable
from copy import deepcopy
from datetime import date
from typing import Any

from app.desk.console.calls.answer_values import Answers
from app.desk.console.calls.build_request import build
from app.desk.console.calls.http_file import read_http, write_http
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import ConsoleOperation, operations
from app.desk.console.description.read_description import DescriptionTrouble, read_description
from app.desk.console.forms.check_value import check, settled
from app.desk.console.forms.exact_json import Absent, Number, Value, read_json, write_json
from app.desk.console.forms.sample_value import sample
from app.desk.console.forms.shapes import Shape, has_form
from app.desk.console.forms.typed_value import add_element, blank, put, text_shown, value_typed
from tests.faults.harness import Fault, Report

MOST_SECONDS = 5.0  # for one description; thousands of times what a sound one takes
MOST_BYTES = 64 * 1024 * 1024  # that one description may take at its peak
_MOST_OPENED = 400  # shapes of one description that are opened
_LOOKED_AT = 12  # operations of one description
_TODAY = date(2026, 11, 22)
_NAMES = ("id", "zip", "orders", "a b", "é", "$ref", "", "count", "type", "properties", "x" * 300)
_ODD: tuple[object, ...] = (
    None, True, False, -1, 2**70, 1e308, "", "#", "#/", "#/paths", "http://[", "\x00", [], {}, [[]], "null", "(a+)+$",
    {"$ref": "#"}, {"$ref": 7}, {"allOf": [{"$ref": "#"}]}, {"oneOf": []}, {"type": []}, {"enum": [[], {}]}, "\ud800",
)  # fmt: skip
Schema = dict[str, Any]


class _Maker:
    """Makes one description."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.dialect = chance.choice(("2.0", "3.0.1", "3.0.3", "3.1.0"))
        self._old, self._new = self.dialect == "2.0", self.dialect == "3.1.0"
        self._names = [f"Record{number}" for number in range(chance.randrange(1, 12))]

    def description(self) -> Schema:
        schemas = {name: self._schema(3) for name in self._names}
        paths = {self._path(number): self._item() for number in range(self._chance.randrange(1, 15))}
        info = {"title": "Made", "version": "v1"}
        if self._old:
            return {
                "swagger": "2.0",
                "info": info,
                "basePath": "/OrderManagementApi",
                "paths": paths,
                "definitions": schemas,
            }
        return {"openapi": self.dialect, "info": info, "paths": paths, "components": {"schemas": schemas}}

    def _path(self, number: int) -> str:
        known = ("/OrderManagementApi/Order/submit", "/OrderManagementApi/Quote/submit", "/Order/status", "/Facilities")
        return self._chance.choice((*known, f"/Made/{number}", f"/Made/{{id}}/{number}", "/orders/{OrderNumber}"))

    def _item(self) -> Schema:
        methods = self._chance.sample(("get", "post", "put", "delete", "patch"), self._chance.randrange(1, 3))
        return {method: self._operation() for method in methods}

    def _operation(self) -> Schema:
        made: Schema = {"operationId": self._chance.choice(_NAMES), "tags": ["Made"], "parameters": self._parameters()}
        schema = self._schema(2)
        if self._old:
            made["parameters"].append({"name": "body", "in": "body", "schema": schema})
            made["responses"] = {"200": {"description": "", "schema": self._schema(1)}}
        else:
            made["requestBody"] = {"content": {"application/json": {"schema": schema}}}
            made["responses"] = {"200": {"content": {"application/json": {"schema": self._schema(1)}}}}
        return made

    def _parameters(self) -> list[Schema]:
        made = []
        for _ in range(self._chance.randrange(4)):
            schema = self._single()
            head = {"name": self._chance.choice(_NAMES), "in": self._chance.choice(("query", "path", "header"))}
            made.append(head | schema if self._old else head | {"schema": schema})
        return made

    def _schema(self, depth: int) -> Schema:
        makers: tuple[Callable[[int], Schema], ...] = (
            self._reference, self._record, self._list, self._choice, self._all, lambda _: self._single(),
        )  # fmt: skip
        return self._chance.choice(makers if depth > 0 else makers[:1] + makers[-1:])(depth - 1)

    def _reference(self, _depth: int) -> Schema:
        place = "definitions" if self._old else "components/schemas"
        name = self._chance.choice([*self._names, "Nowhere"])
        return {"$ref": f"#/{place}/{name}"}

    def _record(self, depth: int) -> Schema:
        names = self._chance.sample(_NAMES, self._chance.randrange(5))
        made: Schema = {"type": "object", "properties": {name: self._schema(depth) for name in names}}
        if self._chance.random() < 0.5:
            made["required"] = self._chance.sample(_NAMES, 2)
        if self._chance.random() < 0.4:
            made["additionalProperties"] = self._chance.choice((True, False, self._schema(depth)))
        return made

    def _list(self, depth: int) -> Schema:
        return {
            "type": "array",
            "items": self._schema(depth),
            "minItems": self._chance.randrange(3),
            "uniqueItems": True,
        }

    def _choice(self, depth: int) -> Schema:
        word = self._chance.choice(("oneOf", "anyOf"))
        ways = [self._schema(depth) for _ in range(self._chance.randrange(1, 4))]
        made: Schema = {word: [*ways, {"type": "null"}] if self._new else ways}
        if self._chance.random() < 0.3:
            made["discriminator"] = {"propertyName": "type", "mapping": {"x": "#/components/schemas/Record0"}}
        if self._chance.random() < 0.3:
            made["properties"] = {"common": self._single()}
        return made

    def _all(self, depth: int) -> Schema:
        return {"allOf": [self._schema(depth) for _ in range(self._chance.randrange(1, 4))]}

    def _single(self) -> Schema:
        chance = self._chance
        made: Schema = chance.choice(
            (
                {
                    "type": "string",
                    "maxLength": chance.randrange(40),
                    "pattern": chance.choice(("^[A-Z]{2}$", "(a+)+$")),
                },
                {"type": "string", "format": chance.choice(("date", "date-time", "uuid", "email", "byte", "made-up"))},
                {"type": "string", "enum": ["A", "B", None]},
                {"type": "integer", "format": "int32", "minimum": -5, "maximum": chance.randrange(100)},
                {"type": "number", "multipleOf": chance.choice((0.01, 0, 3)), "minimum": 1e300},
                {"type": "boolean", "default": True},
                {},
            )
        )
        if self._new:
            return made | chance.choice(({}, {"type": ["string", "null"]}, {"const": 7}, {"exclusiveMinimum": 3}))
        return made | chance.choice(({}, {"nullable": True}, {"exclusiveMinimum": True}, {"deprecated": True}))


def _nodes(value: object) -> list[Any]:
    """All records and lists of a description."""
    found, waiting = [], [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict | list):
            found.append(node)
            waiting += node.values() if isinstance(node, dict) else node
    return found


def _break_nodes(chance: random.Random, description: Schema) -> None:
    for _ in range(chance.randrange(1, 6)):
        nodes = [node for node in _nodes(description) if node]
        if not nodes:
            return
        node = chance.choice(nodes)
        key = chance.choice(list(node) if isinstance(node, dict) else range(len(node)))
        match chance.randrange(4):
            case 0:
                node[key] = deepcopy(chance.choice(_ODD))
            case 1:
                del node[key]
            case 2:
                node[key] = deepcopy(chance.choice(nodes))
            case _:
                other = chance.choice(nodes)
                if isinstance(other, dict):
                    other[chance.choice(_NAMES)] = deepcopy(node[key])


def _break_bytes(chance: random.Random, text: bytes) -> bytes:
    match chance.randrange(4):
        case 0:
            return text[: chance.randrange(len(text))]
        case 1:
            at = chance.randrange(len(text))
            return text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]
        case 2:
            at = chance.randrange(len(text))
            return text[:at] + b"[" * 2_000 + text[at:]
        case _:
            return text * 2


def _made(chance: random.Random) -> tuple[bytes, bool]:
    """A description, and whether it is whole."""
    description = _Maker(chance).description()
    way = chance.random()
    if way > 0.25:
        _break_nodes(chance, description)
    text = json.dumps(description).encode()
    return (_break_bytes(chance, text), False) if way > 0.85 else (text, way <= 0.25)


class _Use:
    """Does with one description what a person would."""

    def __init__(self, chance: random.Random, report: Report, case: str) -> None:
        self._chance, self._report, self._case = chance, report, case
        self._left = _MOST_OPENED
        self.forms = self.editors = 0

    def all(self, text: bytes, *, whole: bool) -> None:
        try:
            description = read_description(text)
        except DescriptionTrouble as error:
            self._report.check(bool(error.sentence) and not whole, f"{self._case}: a whole description was refused")
            return
        found = operations(description)
        self._report.check(
            len({each.key for each in found}) == len(found), f"{self._case}: two operations with one key"
        )
        made = [each for each in found if each.in_description]
        for operation in self._chance.sample(made, min(len(made), _LOOKED_AT)):
            self._operation(operation, found)

    def _operation(self, operation: ConsoleOperation, all_of_them: tuple[ConsoleOperation, ...]) -> None:
        texts = []
        for parameter in operation.parameters:
            value = sample(parameter.shape, _TODAY)
            texts.append((parameter.name, text_shown(value, parameter.shape) or "1"))
        shape = operation.body.shape if operation.body is not None else None
        body = self._body(shape) if operation.body is not None else ""
        draft = RequestDraft(operation.key, tuple(texts), body)
        build(operation, draft, Answers())
        text = write_http(operation, draft, "Made")
        read_http(text, all_of_them)

    def _body(self, shape: Shape | None) -> str:
        if has_form(shape):
            self.forms += 1
        else:
            self.editors += 1
        self._open(shape, 0)
        value = sample(shape, _TODAY)
        changes: list[Value | Absent] = [blank(shape), "text", Number("1e999"), [value], {"": None}]
        for change in changes:
            check(shape, change)
            check(shape, value)
            settled(shape, change)
        steps: list[str | int] = [0, *(each.name for each in (shape.members if shape is not None else ())[:3])]
        for step in steps:
            changed = put(value, (step, "x"), Number("7"), shape)
            check(shape, changed)
            value_typed(shape, "7")
            add_element(value, (step,), shape)
        text = write_json(value)
        self._report.check(read_json(text) == value, f"{self._case}: a value changed on its way through JSON")
        return text

    def _open(self, shape: Shape | None, depth: int) -> None:
        if shape is None or depth > 12 or self._left <= 0:
            return
        self._left -= 1
        inner = [*(each.shape for each in shape.members), shape.element, shape.others, *shape.alternatives]
        for each in inner:
            self._open(each, depth + 1)


def _run(size: int, seed: int) -> Report:
    report = Report()
    forms = editors = 0
    slowest, largest = 0.0, 0
    for number in range(size):
        chance = random.Random(f"{seed}-{number}")
        text, whole = _made(chance)
        use, began = _Use(chance, report, f"description {number}"), time.perf_counter()
        # Tracing takes five times as long: of every tenth the memory is measured, and of the others the time.
        traced = number % 10 == 0
        if traced:
            tracemalloc.start()
        try:
            use.all(text, whole=whole)
        except (Exception, RecursionError) as error:  # noqa: BLE001  # whatever it is, it is a finding
            report.found.append(f"description {number}: {type(error).__name__}: {error}"[:300])
        if traced:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            largest = max(largest, peak)
            report.check(peak < MOST_BYTES, f"description {number}: {peak:,} bytes")
        else:
            took = time.perf_counter() - began
            slowest = max(slowest, took)
            report.check(took < MOST_SECONDS, f"description {number}: {took:.1f} s")
        forms, editors = forms + use.forms, editors + use.editors
        report.tried += 1
    report.check(size < 100 or (forms > 0 and editors > 0), "not a single form, or not a single editor")
    report.note = f"{forms:,} forms, {editors:,} editors; slowest {slowest:.2f} s, largest {largest / 2**20:.1f} MiB"
    return report


FAULT = Fault("F22", "descriptions generated and broken: a form or the editor for each", _run, small=120, full=5_000)
