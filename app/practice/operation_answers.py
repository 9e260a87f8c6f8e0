"""What an operation is given and what it gives back, before anything of HTTP."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.contract.operations import Operation
from app.practice.database.clients import Client

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A call that passed routing, token and scope.

    `query` by lower-case name, `path` by the name in the operation's path, `body` decoded, `checked` what the
    contract's check says of it where the operation has one, `now` in seconds.
    """

    client: Client
    operation: Operation
    now: int
    query: Mapping[str, str] = field(default_factory=dict)
    path: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    checked: Any = None

    def parameter(self, name: str) -> str | None:
        """A query parameter by any spelling of its name; None where it is absent or empty."""
        return self.query.get(name.lower()) or None


@dataclass(frozen=True, slots=True)
class Answer:
    """One record, or a short list of them; `name` is the record's element name in XML."""

    value: object
    name: str
    status: int = 200


@dataclass(frozen=True, slots=True)
class NoBody:
    """A status and nothing else."""

    status: int = 200


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of any length, in small pages; each page is made when it can be sent."""

    pages: Iterator[list[Record]]
    name: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A file that is drawn when it is first asked for, and kept under its name (or drawn each time)."""

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
