"""From a path to an operation of the contract: letters of either case, a name in braces takes one segment."""

from typing import NamedTuple
from urllib.parse import unquote

from app.contract.codes import SCOPE_INFO_ORDERS
from app.contract.operations import OPERATIONS, Operation, Parameter

PREFIXES = {"management": "/OrderManagementApi", "information": "/OrderInformationApi"}
# The addresses of documents are the provider's own affair; these are ours.
DOCUMENT = Operation(
    "order_document",
    "information",
    "GET",
    "/download/order/{Filename}",
    (SCOPE_INFO_ORDERS,),
    (Parameter("Filename", "string", "path"),),
    returns="raw document file",
    problems=(401, 403, 404),
)


class Route(NamedTuple):
    """An operation that a path may mean, and what the path says for the names in braces."""

    operation: Operation
    values: dict[str, str]


def _segments(path: str) -> tuple[str, ...]:
    return tuple(path.strip("/").split("/"))


_TEMPLATES = tuple((_segments(PREFIXES[each.service] + each.path), each) for each in (*OPERATIONS, DOCUMENT))


def find_routes(raw_path: str) -> list[Route]:
    """The operations at a path, still percent-encoded; those without a name in braces first."""
    segments = tuple(storable(unquote(each)) for each in _segments(raw_path))
    found = []
    for template, operation in _TEMPLATES:
        values = _match(template, segments)
        if values is not None:
            found.append(Route(operation, values))
    return sorted(found, key=lambda route: len(route.values))


def storable(text: str) -> str:
    """A text of the request line in a form that can be stored and sent: bytes that are no UTF-8 become U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _match(template: tuple[str, ...], segments: tuple[str, ...]) -> dict[str, str] | None:
    if len(template) != len(segments):
        return None
    values = {}
    for wanted, given in zip(template, segments, strict=True):
        if wanted.startswith("{"):
            if not given:
                return None
            values[wanted.strip("{}")] = given
        elif wanted.lower() != given.lower():
            return None
    return values
