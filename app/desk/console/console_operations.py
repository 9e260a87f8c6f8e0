"""All operations of both services: the contract's listing joined with what the provider's description adds.

An operation that only the description has is offered too. Where both speak, the description gives the shape of a body
where it shows one, and the contract says which service it is, which parameters there are at least, and whether a call
writes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from app.api.addresses import MANAGEMENT_PREFIX
from app.contract.operations import OPERATIONS, REPLY_FORMATS, Operation
from app.desk.console.console_words import PURPOSES, STATUS_WORDS
from app.desk.console.description.contract_shapes import body_shape, parameter_shape
from app.desk.console.description.described import (
    DescribedAnswer,
    DescribedBody,
    DescribedOperation,
    DescribedParameter,
    Description,
)
from app.desk.console.forms.shapes import Shape, Source, has_form
from app.store.sqlite.search_text import plain

Service = Literal["management", "information"]
Road = Literal["call", "submit", "cancel"]
_ROADS: dict[str, Road] = {"order_submit": "submit", "order_cancel": "cancel"}
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_SET_BY_US = frozenset({"accept", "content-type", "authorization"})  # header parameters that no form asks for
_NAME = re.compile(r"\W+", re.ASCII)
_HEADER_NAME = re.compile(r"[!#$%&'*+.^`|~\w-]+", re.ASCII)
JSON = "application/json"
ANY_TYPE = "*/*"


@dataclass(frozen=True, slots=True)
class ConsoleParameter:
    """A parameter as a form asks for it. `as_json`: a record that goes as JSON in one value; `repeated`: a list goes as
    several of the same name, otherwise with commas between."""

    name: str
    place: Literal["query", "path", "header"]
    shape: Shape
    required: bool = False
    description: str = ""
    as_json: bool = False
    repeated: bool = True


@dataclass(frozen=True, slots=True)
class ConsoleBody:
    """The body of a call. `shape` None: nothing says what is in it; `source` says who gave the shape.

    `formats` are the media types that are accepted, JSON first where it is one; `record` is the name of the record, for
    the root of its XML.
    """

    shape: Shape | None
    source: Source | None
    formats: tuple[str, ...] = (JSON,)
    required: bool = True
    record: str = ""

    @property
    def takes_xml(self) -> bool:
        """Whether XML is among the accepted formats."""
        return any(is_xml(each) for each in self.formats)


@dataclass(frozen=True, slots=True)
class ConsoleOperation:
    """One operation of a service.

    `key` tells it apart and stays the same ("management POST /Order/submit"). `name` is its name in the contract or in
    the description, as it stands in `{{name.body…}}`. `path` begins after the service's prefix. Any one of `scopes` is
    enough; empty: not said. `road` says whether a call is made directly or is handed to the outbox. `accepts` are the
    media types that an answer may be asked for in.
    """

    key: str
    name: str
    service: Service
    method: str
    path: str
    group: str
    summary: str = ""
    description: str = ""
    scopes: tuple[str, ...] = ()
    writes: bool = False
    parameters: tuple[ConsoleParameter, ...] = ()
    body: ConsoleBody | None = None
    accepts: tuple[str, ...] = REPLY_FORMATS
    answers: tuple[DescribedAnswer, ...] = ()
    road: Road = "call"
    deprecated: bool = False
    in_contract: bool = True
    in_description: bool = False

    @property
    def title(self) -> str:
        """The name of the operation in a list."""
        return self.summary or f"{self.method} {self.path}"


def operations(description: Description | None) -> tuple[ConsoleOperation, ...]:
    """All operations in the order of the listing, then those that only the description has."""
    # By place, not by name: the description calls operations as it likes, and the names in its paths differ too.
    described = {_place(each.method, path_after_prefix(each.path)): each for each in _described(description)}
    listed = [
        # The description is the management service's. A path of the information service may read alike by chance.
        _joined(each, described.pop(_place(each.method, each.path), None) if each.service == "management" else None)
        for each in OPERATIONS
    ]
    names = {each.name for each in listed}
    return (*listed, *(_described_only(each, names) for each in described.values()))


def groups(found: tuple[ConsoleOperation, ...]) -> dict[str, tuple[ConsoleOperation, ...]]:
    """The operations by group (Order, Quote, PartnerA, orders, audit …), both in their order."""
    by_group: dict[str, list[ConsoleOperation]] = {}
    for each in found:
        by_group.setdefault(each.group, []).append(each)
    return {name: tuple(members) for name, members in by_group.items()}


def matching(found: tuple[ConsoleOperation, ...], text: str) -> tuple[ConsoleOperation, ...]:
    """The operations that have every word of `text` in method, path, group, name, summary or a parameter's name."""
    asked = plain(text).split()
    return tuple(each for each in found if all(word in _searched(each) for word in asked))


def path_after_prefix(path: str) -> str:
    """A path of the description as the listing writes it: without what leads to the service."""
    at = path.lower().find(MANAGEMENT_PREFIX.lower() + "/")
    return path if at < 0 else path[at + len(MANAGEMENT_PREFIX) :]


def path_names(path: str) -> list[str]:
    """The names in braces of a path, in order."""
    return re.findall(r"\{([^{}/]+)\}", path)


def is_xml(media_type: str) -> bool:
    """Whether a media type is of the XML family."""
    return media_type.partition(";")[0].strip().lower().endswith(("/xml", "+xml"))


def is_json(media_type: str) -> bool:
    """Whether a media type is of the JSON family."""
    return media_type.partition(";")[0].strip().lower().endswith(("/json", "+json"))


def _described(description: Description | None) -> tuple[DescribedOperation, ...]:
    return description.operations if description is not None else ()


def _place(method: str, path: str) -> tuple[str, str]:
    return method, re.sub(r"\{[^{}/]*\}", "{}", path.lower().rstrip("/"))


def _joined(listed: Operation, described: DescribedOperation | None) -> ConsoleOperation:
    base = ConsoleOperation(
        key=f"{listed.service} {listed.method} {listed.path}",
        name=listed.name,
        service=listed.service,
        method=listed.method,
        path=listed.path,
        group=_first_segment(listed.path),
        summary=PURPOSES.get(listed.name, ""),
        scopes=listed.scopes,
        writes=listed.writes,
        parameters=_listed_parameters(listed),
        body=_listed_body(listed),
        accepts=(ANY_TYPE,) if listed.returns.startswith("raw") else _json_first(REPLY_FORMATS),
        answers=tuple(_listed_answers(listed)),
        road=_ROADS.get(listed.name, "call"),
    )
    return base if described is None else _with_description(base, described)


def _with_description(base: ConsoleOperation, described: DescribedOperation) -> ConsoleOperation:
    return replace(
        base,
        summary=base.summary or described.summary,
        description=described.description or described.summary,
        # The provider's own word comes first, where it says anything.
        scopes=described.scopes or base.scopes,
        parameters=_joined_parameters(base.parameters, tuple(_asked_for(described.parameters))),
        body=_joined_body(base.body, described.body, base.name),
        accepts=_accepts(described) or base.accepts,
        answers=described.answers or base.answers,
        deprecated=described.deprecated,
        in_description=True,
    )


def _described_only(described: DescribedOperation, taken: set[str]) -> ConsoleOperation:
    path = path_after_prefix(described.path)
    name = _free_name(described.name or f"{described.method} {path}", taken)
    return ConsoleOperation(
        key=f"management {described.method} {path}",
        name=name,
        service="management",
        method=described.method,
        path=path,
        group=_first_segment(path) or described.group,
        summary=described.summary,
        description=described.description,
        scopes=described.scopes,
        # Nobody says whether it writes, so every method that may write counts as writing: a question too many is cheap.
        writes=described.method not in _READING,
        parameters=_with_path_names(path, tuple(_asked_for(described.parameters))),
        body=_joined_body(None, described.body, name),
        accepts=_accepts(described) or _json_first(REPLY_FORMATS),
        answers=described.answers,
        deprecated=described.deprecated,
        in_contract=False,
        in_description=True,
    )


def _free_name(wanted: str, taken: set[str]) -> str:
    """A name that an expression can hold and no other operation has."""
    base = _NAME.sub("_", wanted).strip("_").lower()[:80] or "operation"
    base = base if not base[0].isdigit() else f"_{base}"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    taken.add(name)
    return name


def _listed_parameters(listed: Operation) -> tuple[ConsoleParameter, ...]:
    return tuple(
        ConsoleParameter(
            each.name, each.place, parameter_shape(each), each.place == "path", as_json=each.kind == "object"
        )
        for each in listed.parameters
    )


def _listed_body(listed: Operation) -> ConsoleBody | None:
    if not listed.body:
        return None
    shape = body_shape(listed.body)
    return ConsoleBody(
        shape, "contract" if shape is not None else None, _json_first(listed.formats), True, listed.record
    )


def _listed_answers(listed: Operation) -> Iterator[DescribedAnswer]:
    yield DescribedAnswer(str(listed.success), listed.returns or STATUS_WORDS.get(listed.success, ""))
    for status in listed.problems:
        yield DescribedAnswer(str(status), STATUS_WORDS.get(status, ""))


def _asked_for(described: tuple[DescribedParameter, ...]) -> Iterator[ConsoleParameter]:
    for each in described:
        # Cookies are the transport's: a call by hand sends none.
        if each.place == "cookie" or (each.place == "header" and not _is_own_header(each.name)):
            continue
        yield ConsoleParameter(
            each.name, each.place, each.shape, each.required, each.description, each.as_json, each.repeated
        )


def _is_own_header(name: str) -> bool:
    """Whether a header is one that a form asks for: Waybill sets some itself, and some names are none."""
    return name.lower() not in _SET_BY_US and _HEADER_NAME.fullmatch(name) is not None


def _joined_parameters(
    listed: tuple[ConsoleParameter, ...], described: tuple[ConsoleParameter, ...]
) -> tuple[ConsoleParameter, ...]:
    """The listing's parameters under its names, with what the description says of them; then those it adds."""
    by_name = {(each.place, each.name.lower()): each for each in described}
    own = []
    for each in listed:
        said = by_name.pop((each.place, each.name.lower()), None)
        if said is None:
            own.append(each)
        else:
            # A description that says nothing of a parameter does not take away what the contract says.
            shape = each.shape if said.shape.kind == "any" and not said.as_json else said.shape
            own.append(replace(said, name=each.name, shape=shape, as_json=said.as_json or each.as_json))
    return (*own, *by_name.values())


def _with_path_names(path: str, described: tuple[ConsoleParameter, ...]) -> tuple[ConsoleParameter, ...]:
    """All names in braces are asked for, also those that the description forgot."""
    named = {each.name for each in described if each.place == "path"}
    missing = [name for name in path_names(path) if name not in named]
    return (*(ConsoleParameter(name, "path", Shape("string"), True) for name in missing), *described)


def _joined_body(listed: ConsoleBody | None, described: DescribedBody | None, name: str) -> ConsoleBody | None:
    if described is None:
        return listed
    record = described.shape.name if described.shape is not None else ""
    formats = _json_first(described.formats) or (listed.formats if listed is not None else (JSON,))
    # A shape without any field gives no form; the contract's own shape is better than that.
    says_less = listed is not None and has_form(listed.shape) and not has_form(described.shape)
    if described.shape is not None and not says_less:
        record = record or (listed.record if listed is not None else name)
        required = described.required or listed is not None
        return ConsoleBody(described.shape, "description", formats, required, record)
    if listed is not None:
        return replace(listed, formats=formats)
    return ConsoleBody(None, None, formats, described.required, name)


def _accepts(described: DescribedOperation) -> tuple[str, ...]:
    """The media types of the answers to a call that went well, JSON first."""
    kinds = [kind for each in described.answers if each.status.startswith("2") for kind in each.formats]
    return _json_first(tuple(dict.fromkeys(kinds)))


def _json_first(formats: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(formats, key=lambda each: each != JSON))


def _first_segment(path: str) -> str:
    return path.strip("/").partition("/")[0]


def _searched(operation: ConsoleOperation) -> str:
    names = " ".join(each.name for each in operation.parameters)
    shown = (
        operation.method,
        operation.path,
        operation.group,
        operation.name,
        operation.summary,
        operation.description,
    )
    return plain(" ".join([*shown, names]))
