"""The types between HTTP and the operations: the Call that an operation gets, and the Outcome that it returns."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.contract.operations import Operation
from app.practice.database.clients import Client

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A call that passed routing, token and scope.

    `query` is keyed by lower-case name, `path` by the name in the operation's path. `body` is decoded; `checked` is the
    result of the contract's check of it, where the operation has one. `now` is in seconds.
    """

    client: Client
    operation: Operation
    now: int
    query: Mapping[str, str] = field(default_factory=dict)
    path: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    checked: Any = None

    def parameter(self, name: str) -> str | None:
        """A query parameter, its name in any letter case; None if it is absent or empty."""
        return self.query.get(name.lower()) or None


@dataclass(frozen=True, slots=True)
class Answer:
    """One record, or a short list of them; `name` is the record's element name in XML."""

    value: object
    name: str
    status: int = 200


@dataclass(frozen=True, slots=True)
class NoBody:
    """A status without a body."""

    status: int = 200


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of any length, in small pages. Each page is made only when the caller can take it."""

    pages: Iterator[list[Record]]
    name: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A file that is drawn on its first request. `kept`: it is stored under its name, instead of drawn each time."""

    filename: str
    draw: Callable[[], bytes]
    kept: bool = True


Outcome = Answer | NoBody | Listing | Picture


class Refusal(Exception):
    """The call is refused with a problem record; `errors` by field path."""

    def __init__(self, status: int, title: str, detail: str = "", errors: Mapping[str, list[str]] | None = None):
        super().__init__(title)
        self.status, self.title, self.detail, self.errors = status, title, detail, dict(errors or {})

    def record(self) -> Record:
        """The problem record."""
        record: Record = {"title": self.title, "status": self.status}
        if self.detail:
            record["detail"] = self.detail
        if self.errors:
            record["errors"] = self.errors
        return record


def bad_request(path: str, sentence: str) -> Refusal:
    """A 400 about one field or parameter."""
    return Refusal(400, "The request is not valid.", errors={path: [sentence]})
