"""A request as the text of a `.http` file, and back without loss.

    ### Sofa to Memphis
    # @name sofa_to_memphis
    # @operation management POST /Quote/submit
    # What the person wrote about it.
    POST {{base_url}}/OrderManagementApi/Quote/submit
    Accept: application/json
    Content-Type: application/json
    Authorization: Bearer {{token}}

    {"pieces": 1}

Other tools run the same text, with `base_url`, `info_base_url` and `token` as their variables: no company, no address
and no secret stands in it. Files of other tools are read too, as far as their address is one of an operation.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote_plus

from app.api.addresses import MANAGEMENT_PREFIX
from app.desk.console.calls import calls_words as words
from app.desk.console.calls.answer_values import expression_name
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import JSON, ConsoleOperation, path_after_prefix, path_names

TOKEN_LINE = "Authorization: Bearer {{token}}"  # noqa: S105 (the name of a variable)
_ROOTS = {"management": f"{{{{base_url}}}}{MANAGEMENT_PREFIX}", "information": "{{info_base_url}}"}
_INFORMATION_PREFIX = "/OrderInformationApi"
_REQUEST, _VERSION = re.compile(r"([A-Z]{3,10})[ \t]+(\S.*)"), re.compile(r"HTTP/[\d.]+")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~\w-]+):(.*)", re.ASCII)
_BLANKS = " \t"
_EXPRESSION = re.compile(r"\{\{[^{}]*\}\}")
_OPERATION, _NAME = "# @operation ", "# @name "
_NOT_ASKED_FOR = frozenset({"accept", "content-type", "authorization", "host", "content-length", "user-agent"})


@dataclass(frozen=True, slots=True)
class HttpFile:
    """The contents of an .http file: the request's name and draft, and what the person wrote about it."""

    name: str
    draft: RequestDraft
    note: str = ""


class NoRequest(ValueError):
    """A text that holds no request; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def write_http(operation: ConsoleOperation, draft: RequestDraft, name: str, note: str = "") -> str:
    """The text of a request; the same request gives the same text."""
    title = " ".join(name.split())
    # Comments first, the request line after them, then the headers: other tools read no other order.
    lines = [f"### {title}", f"{_NAME}{expression_name(title)}", f"{_OPERATION}{operation.key}"]
    lines += [f"# {line}".rstrip() for line in note.split("\n") if note]
    lines.append(f"{operation.method} {_ROOTS[operation.service]}{_target(operation, draft)}")
    lines += [f"Accept: {draft.accept}"] if draft.accept else []
    lines += [f"Content-Type: {draft.body_format}"] if draft.body else []
    places = {each.name: each.place for each in operation.parameters}
    lines += [f"{name}: {text}" for name, text in draft.parameters if places.get(name) == "header"]
    return "\n".join([*lines, TOKEN_LINE, "", *([draft.body] if draft.body else [])]) + "\n"


def read_http(text: str, operations: Sequence[ConsoleOperation]) -> HttpFile:
    """The first request of a text. Raises NoRequest."""
    lines = text.replace("\r\n", "\n").split("\n")  # a text of JSON may hold other ends of lines
    name, note, said, at = _comments(lines)
    if at >= len(lines):
        raise NoRequest(words.NO_REQUEST_LINE)
    request = _request_of(lines[at])
    if request is None:
        raise NoRequest(words.NO_REQUEST_LINE)
    method, address = request
    headers, at = _headers(lines, at + 1)
    operation, parameters = _operation_of(method, address, said, operations)
    given = {header.lower(): value for header, value in headers}
    # Accept, Content-Type and the token are not parameters: the draft has fields for two, and Waybill adds the third.
    parameters += [(header, value) for header, value in headers if header.lower() not in _NOT_ASKED_FOR]
    # `write_http` ends the text with one line break, which is not the body's.
    body = "\n".join(lines[at:]).removesuffix("\n")
    draft = RequestDraft(
        operation.key, tuple(parameters), body, given.get("content-type", JSON), given.get("accept", "")
    )
    return HttpFile(name or operation.title, draft, "\n".join(note))


def name_of(text: str) -> str:
    """The name in a text, empty if it has none."""
    return _comments(text.replace("\r\n", "\n").split("\n"))[0]


def renamed(text: str, name: str) -> str:
    """The text under another name, the rest as it is."""
    title = " ".join(name.split())
    lines = text.split("\n")
    at = _comments(lines)[3]
    # Only the two lines with the name are exchanged: a file that a person wrote keeps everything else as it was.
    head = [line for line in lines[:at] if not line.startswith(("###", _NAME))]
    return "\n".join([f"### {title}", f"{_NAME}{expression_name(title)}", *head, *lines[at:]])


def split_requests(text: str) -> list[str]:
    """The requests of a text that holds several, each with its own heading."""
    parts = re.split(r"(?m)^(?=###)", text)
    # A heading may stand over mere comments, or over the variables of another tool.
    return [part for part in parts if any(_request_of(line) for line in part.splitlines())]


def _target(operation: ConsoleOperation, draft: RequestDraft) -> str:
    """Path and query; expressions stay readable, all else is quoted."""
    path, in_path = operation.path, set(path_names(operation.path))
    query = []
    places = {each.name: each.place for each in operation.parameters}
    for name, text in draft.parameters:
        if name in in_path:
            path = path.replace(f"{{{name}}}", _quoted(text), 1)
        elif places.get(name) != "header":
            query.append(f"{_quoted(name)}={_quoted(text)}")
    return f"{path}?{'&'.join(query)}" if query else path


def _quoted(text: str) -> str:
    parts = re.split(r"(\{\{[^{}]*\}\})", text)
    return "".join(part if index % 2 else quote(part, safe="", errors="replace") for index, part in enumerate(parts))


def _comments(lines: list[str]) -> tuple[str, list[str], str, int]:
    """Name, note and operation of the lines before the request line, and where that is."""
    name, note, said = "", list[str](), ""
    for at, line in enumerate(lines):
        if line.startswith("###"):
            name = name or line.lstrip("#").strip()
        elif line.startswith(_OPERATION) and not said:
            said = line[len(_OPERATION) :].strip()
        # A note may begin with `# @name` too; the line is a name only in the place where `write_http` puts it.
        elif line.startswith(_NAME) and not note and not said:
            name = name or line[len(_NAME) :].strip()
        elif line.startswith(("# ", "// ")) or line in {"#", "//"}:
            note.append(line.lstrip("#/")[1:])
        elif line.strip() and not line.startswith("@"):
            return name, note, said, at
    return name, note, said, len(lines)


def _request_of(line: str) -> tuple[str, str] | None:
    """Method and address of a request line; None for another line."""
    found = _REQUEST.fullmatch(line)
    if found is None:
        return None
    address = found[2].rstrip(_BLANKS)
    # Split, not one pattern for all: that would take the square of the length of a line of blanks.
    parts = address.rsplit(None, 1)
    return found[1], parts[0] if len(parts) == 2 and _VERSION.fullmatch(parts[1]) else address


def _headers(lines: list[str], at: int) -> tuple[list[tuple[str, str]], int]:
    """The headers from a line on, and where the body begins."""
    headers = []
    while at < len(lines) and lines[at].strip():
        found = _HEADER.fullmatch(lines[at])
        if found is not None:
            headers.append((found[1], found[2].strip(_BLANKS)))
        at += 1
    return headers, at + 1


def _operation_of(
    method: str, address: str, said: str, operations: Sequence[ConsoleOperation]
) -> tuple[ConsoleOperation, list[tuple[str, str]]]:
    """The operation that an address is of, and its parameters in path and query. Raises NoRequest."""
    held = _Held(address)
    path, _, query = held.text.partition("?")
    path = _path_of(path)
    for operation in _by_fit(method, said, operations):
        values = _values(operation.path, path)
        if values is not None:
            pairs = [each.partition("=") for each in query.split("&") if each]
            return operation, [
                *((name, held.plain(text)) for name, text in values),
                *((held.plain(name), held.plain(text)) for name, _, text in pairs),
            ]
    line = said or f"{method} {held.plain(path)}"
    known = any(each.key == said for each in operations)
    raise NoRequest(words.other_path(line) if known else words.unknown_operation(line))


class _Held:
    """An address whose expressions are held back under their numbers, so that no sign of theirs divides it."""

    def __init__(self, address: str) -> None:
        self._expressions = _EXPRESSION.findall(address)
        numbers = iter(range(len(self._expressions)))
        # NUL occurs in no address, so nothing that was typed can be mistaken for a number.
        self.text = _EXPRESSION.sub(lambda _: f"\0{next(numbers)}\0", address)

    def plain(self, text: str) -> str:
        """A part of the address with its expressions back in place, unquoted elsewhere."""
        parts = re.split(r"\0(\d+)\0", text)
        return "".join(
            self._expressions[int(part)] if index % 2 else unquote_plus(part) for index, part in enumerate(parts)
        )


def _path_of(path: str) -> str:
    """The path after host and prefix; a variable may stand for the host."""
    # The host is not compared: a file may come from a colleague with another connection.
    bare = re.sub(r"^(?:https?://[^/]*|\0\d+\0)", "", path)
    after = path_after_prefix(bare)
    if after != bare:
        return after
    # The listing has the paths of the information service without its prefix; files of other tools write it out.
    at = bare.lower().find(_INFORMATION_PREFIX.lower() + "/")
    return bare if at < 0 else bare[at + len(_INFORMATION_PREFIX) :]


def _by_fit(method: str, said: str, operations: Sequence[ConsoleOperation]) -> Iterator[ConsoleOperation]:
    """The operation that the file names, alone; else all of the method, those without names in their path first."""
    if said:
        yield from (each for each in operations if each.key == said)
        return
    fitting = [each for each in operations if each.method == method]
    # `/orders/open` also fits `/orders/{number}`; the template without names is the meant one.
    yield from sorted(fitting, key=lambda each: len(path_names(each.path)))


def _values(template: str, path: str) -> list[tuple[str, str]] | None:
    """The values of a path for the names of a template; None if it is another path."""
    wanted, given = template.strip("/").split("/"), path.strip("/").split("/")
    if len(wanted) != len(given):
        return None
    values = []
    for one, other in zip(wanted, given, strict=True):
        if one.startswith("{"):
            # A name that was left empty stands in the address as it does in the template.
            values += [] if other == one else [(one.strip("{}"), other)]
        elif one.lower() != other.lower():
            return None
    return values
