"""Reads a description: OpenAPI 2, 3.0 or 3.1, in JSON.

Time and memory are bounded by the text's length, whatever is in it. Of a description that is broken in places the rest
is read; a text that is no description at all is refused with a sentence.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from app.desk.console.description import description_words as words
from app.desk.console.description.described import (
    DescribedAnswer,
    DescribedBody,
    DescribedOperation,
    DescribedParameter,
    Description,
)
from app.desk.console.description.shape_reader import ShapeReader
from app.desk.console.forms.exact_json import JsonTrouble, read_json
from app.desk.console.forms.shapes import Member, Parts, Shape, shape_of_parts

LARGEST = 16 * 1024 * 1024  # bytes
_MOST_OPERATIONS = 2_000
_MOST_PARAMETERS = 200
_MOST_NOTES = 50
_LONGEST_WORDS = 4_000
_METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
_FORM = ("application/x-www-form-urlencoded", "multipart/form-data")
_PATH = re.compile(r"/[^\s\x00-\x1f?#\ud800-\udfff]*")  # half a character stands in no address
Record = dict[str, Any]


class DescriptionTrouble(ValueError):
    """A text that is no description; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def read_description(text: bytes) -> Description:
    """Read a description. Raises DescriptionTrouble. Takes milliseconds for each 100 KB: for a thread."""
    if len(text) > LARGEST:
        raise DescriptionTrouble(words.TOO_LARGE)
    try:
        # Descriptions are written by programs that repeat a name now and then; the last one counts.
        document = read_json(text, doubled=True)
    except JsonTrouble as error:
        # Raised outside of the handler, so that the library's error, which holds the whole text, is not kept with it.
        trouble = error.sentence
    else:
        return _Reading(document).description()
    raise DescriptionTrouble(trouble)


class _Reading:
    """One description while it is read."""

    def __init__(self, document: object) -> None:
        if not isinstance(document, dict):
            raise DescriptionTrouble(words.NO_RECORD)
        self._root: Record = document
        self._dialect = _text(document.get("openapi")) or _text(document.get("swagger"))
        if not self._dialect:
            raise DescriptionTrouble(words.NO_DIALECT)
        self._old = self._dialect.startswith("2")
        self._shapes = ShapeReader(document)
        self._notes: list[str] = []

    def description(self) -> Description:
        """All of it."""
        if not self._dialect.startswith(("2.", "3.0", "3.1")):
            self._note(words.unknown_dialect(self._dialect[:20]))
        found = list(self._operations())
        if len(found) > _MOST_OPERATIONS:
            self._note(words.operations_left_out(len(found) - _MOST_OPERATIONS))
        if not found:
            self._note(words.NO_OPERATIONS)
        info = _record(self._root.get("info"))
        return Description(
            self._dialect[:20],
            _text(info.get("title")),
            _text(info.get("version")),
            tuple(found[:_MOST_OPERATIONS]),
            tuple(self._notes),
        )

    def _note(self, sentence: str) -> None:
        if len(self._notes) < _MOST_NOTES and sentence not in self._notes:
            self._notes.append(sentence)

    def _operations(self) -> Iterator[DescribedOperation]:
        prefix = self._prefix()
        # Every step asks for the kind of what it finds: a description may hold anything anywhere.
        for path, node in _record(self._root.get("paths")).items():
            item = _record(self._shapes.resolved(node))
            for method in _METHODS:
                if method not in item:
                    continue
                said = self._shapes.resolved(item[method])
                if not isinstance(said, dict) or not _PATH.fullmatch(path):
                    self._note(words.unreadable_operation(method.upper(), path[:200]))
                else:
                    yield self._operation(method.upper(), prefix + path, item, said)

    def _prefix(self) -> str:
        """The path that all paths of the description come after."""
        said = self._said_prefix().strip("/")
        if not said or _PATH.fullmatch(f"/{said}"):
            return f"/{said}" if said else ""
        self._note(words.unreadable_prefix(said[:200]))
        return ""

    def _said_prefix(self) -> str:
        if self._old:
            return _text(self._root.get("basePath"))
        servers = self._root.get("servers")
        first = _record(servers[0]) if isinstance(servers, list) and servers else {}
        try:
            return urlsplit(_text(first.get("url"))).path
        except ValueError:
            return ""

    def _operation(self, method: str, path: str, item: Record, said: Record) -> DescribedOperation:
        nodes = [*_list(said.get("parameters")), *_list(item.get("parameters"))][:_MOST_PARAMETERS]
        resolved = [_record(self._shapes.resolved(node)) for node in nodes]
        # An operation's own parameter stands for that of its path; the own ones are first.
        given = {(_text(each.get("name")), _text(each.get("in"))): each for each in reversed(resolved)}
        parameters = [each for each in resolved if given.get((_text(each.get("name")), _text(each.get("in")))) is each]
        tags = _list(said.get("tags"))
        return DescribedOperation(
            method,
            path,
            _text(said.get("operationId")),
            _text(tags[0]) if tags else "",
            _text(said.get("summary")) or _text(item.get("summary")),
            _text(said.get("description")) or _text(item.get("description")),
            said.get("deprecated") is True,
            self._scopes(said),
            tuple(found for each in parameters if (found := self._parameter(each)) is not None),
            self._old_body(parameters, said) if self._old else self._body(said),
            tuple(self._answers(said)),
        )

    def _scopes(self, said: Record) -> tuple[str, ...]:
        # An empty list at an operation means "no scope", and is not replaced by that of the whole description.
        needed = said["security"] if "security" in said else self._root.get("security")
        scopes = [scope for each in _list(needed) for named in _record(each).values() for scope in _list(named)]
        return tuple(dict.fromkeys(_text(each) for each in scopes if _text(each)))

    def _parameter(self, said: Record) -> DescribedParameter | None:
        name, place = _text(said.get("name")), _text(said.get("in"))
        if not name or place not in {"query", "path", "header", "cookie"}:
            return None
        content = _record(said.get("content"))
        media = next((_record(each) for each in content.values()), {})
        # In OpenAPI 2 the parameter is its own schema. Its "required" is a flag, which no schema's is.
        schema = said.get("schema", media.get("schema")) if not self._old else said
        commas = said.get("explode") is False or (self._old and said.get("collectionFormat") != "multi")
        return DescribedParameter(
            name,
            place,  # type: ignore[arg-type]
            self._shapes.shape(schema),
            # A path without one of its parameters is another path, whatever the description says.
            said.get("required") is True or place == "path",
            _text(said.get("description")),
            said.get("deprecated") is True,
            as_json=bool(content),
            repeated=not commas,
        )

    def _body(self, said: Record) -> DescribedBody | None:
        if "requestBody" not in said:
            return None
        body = _record(self._shapes.resolved(said["requestBody"]))
        formats, shape = self._content(body.get("content"))
        return DescribedBody(shape, formats, body.get("required") is True, _text(body.get("description")))

    def _old_body(self, parameters: list[Record], said: Record) -> DescribedBody | None:
        formats = self._formats(said, "consumes")
        for each in parameters:
            if each.get("in") == "body":
                shape = self._shape(each.get("schema"))
                required, text = each.get("required") is True, _text(each.get("description"))
                return DescribedBody(shape, formats or ("application/json",), required, text)
        fields = [each for each in parameters if each.get("in") == "formData" and _text(each.get("name"))]
        if not fields:
            return None
        members = tuple(
            Member(_text(each["name"]), self._shapes.shape(each), each.get("required") is True) for each in fields
        )
        form = tuple(each for each in formats if each in _FORM) or _FORM[:1]
        return DescribedBody(shape_of_parts("object", Parts(members)), form, any(each.required for each in members))

    def _content(self, content: object) -> tuple[tuple[str, ...], Shape | None]:
        """The media types of a body, and its shape by the first that says one, JSON before all others."""
        formats, schema = _first_schema(content)
        return formats, self._shape(schema)

    def _shape(self, schema: object) -> Shape | None:
        """The shape of a schema, None where it says nothing at all."""
        shape = None if schema is None else self._shapes.shape(schema)
        empty = shape is None or (shape.kind == "any" and not shape.notes and not shape.enum)
        return None if empty else shape

    def _answers(self, said: Record) -> Iterator[DescribedAnswer]:
        for status, node in _record(said.get("responses")).items():
            answer = _record(self._shapes.resolved(node))
            formats, schema = _first_schema(answer.get("content"))
            if self._old:
                formats = self._formats(said, "produces") if "schema" in answer else ()
                schema = answer.get("schema")
            yield DescribedAnswer(status, _text(answer.get("description")), formats, partial(self._shape, schema))

    def _formats(self, said: Record, word: str) -> tuple[str, ...]:
        """The media types of an operation in OpenAPI 2: its own, or those of the whole description."""
        named = said[word] if word in said else self._root.get(word)
        return tuple(_text(each) for each in _list(named) if _text(each))


def _first_schema(content: object) -> tuple[tuple[str, ...], object]:
    """The media types of a body, and the first schema among them, JSON before all others."""
    kinds = {name: _record(each) for name, each in _record(content).items()}
    ordered = sorted(kinds, key=lambda name: (name != "application/json", "json" not in name))
    schemas = (kinds[name].get("schema") for name in ordered)
    return tuple(kinds), next((each for each in schemas if isinstance(each, dict)), None)


def _record(node: object) -> Record:
    return node if isinstance(node, dict) else {}


def _list(node: object) -> list[Any]:
    return node if isinstance(node, list) else []


def _text(node: object) -> str:
    return node[:_LONGEST_WORDS] if isinstance(node, str) else ""
