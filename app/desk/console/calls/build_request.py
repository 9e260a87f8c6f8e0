"""Makes the request that a filled form means, and says what is missing or wrong in it.

The bytes of a body are those that were typed, unless an expression stands in it or it leaves in another format. Values
of a path are quoted, so that none can lead to another operation.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from json import loads
from urllib.parse import quote, urlencode
from xml.sax.saxutils import escape

from app.api.raw_call import RawRequest
from app.contract.xml_writer import fits_xml, xml_of
from app.desk.console.calls import calls_words as words
from app.desk.console.calls.answer_values import Answers, filled, filled_value, troubles, value_troubles
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import (
    ANY_TYPE,
    JSON,
    ConsoleOperation,
    ConsoleParameter,
    is_json,
    is_xml,
    path_names,
)
from app.desk.console.forms.check_value import Mistake, check
from app.desk.console.forms.exact_json import (
    ABSENT,
    Absent,
    JsonTrouble,
    Number,
    Value,
    read_json,
    write_json,
)
from app.desk.console.forms.shapes import Shape
from app.desk.console.forms.typed_value import text_shown, value_typed
from app.desk.console.forms.xml_text import xml_trouble

FORM = "application/x-www-form-urlencoded"
_MOST_DIGITS = 300  # Python reads no endless whole number
_NO_BODY = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(slots=True)
class BuiltRequest:
    """A request, and what is said of it. `request` may be sent where `stops` is empty.

    `value` is the record of the body with its expressions replaced, ABSENT where there is none.
    """

    request: RawRequest
    stops: list[str] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    parameter_mistakes: dict[str, str] = field(default_factory=dict)
    value: Value | Absent = ABSENT

    @property
    def target(self) -> str:
        """Path and query, as they are sent."""
        query = urlencode(self.request.query, quote_via=quote)
        return f"{self.request.path}?{query}" if query else self.request.path


def build(operation: ConsoleOperation, draft: RequestDraft, answers: Answers) -> BuiltRequest:
    """The request that a draft means."""
    body = _Body(operation, draft, answers)
    parameters = _Parameters(operation, draft, answers)
    request = RawRequest(
        operation.service,
        operation.method,
        parameters.path(),
        parameters.query(),
        parameters.headers(),
        body.payload,
        body.content_type,
        draft.accept or (ANY_TYPE if operation.accepts == (ANY_TYPE,) else ""),
        operation.writes,
    )
    # What is missing in a path or a body is said once, in the order of the form.
    stops = list(dict.fromkeys([*parameters.stops, *body.stops]))
    return BuiltRequest(request, stops, body.mistakes, parameters.mistakes, body.value)


class _Parameters:
    """The parameters of one request."""

    def __init__(self, operation: ConsoleOperation, draft: RequestDraft, answers: Answers) -> None:
        self._operation, self._answers = operation, answers
        self.stops: list[str] = []
        self.mistakes: dict[str, str] = {}
        self._given: dict[str, list[str]] = {}
        for name, text in draft.parameters:
            # Expressions are replaced before the check, which is about the values that leave, not the typed text.
            self.stops += troubles(text, answers, as_text=True)
            if not _is_sendable(name + text):
                self.stops.append(words.UNSENDABLE)
            elif text != "":
                self._given.setdefault(name, []).append(filled(text, answers))
        for each in operation.parameters:
            self._check(each)

    def path(self) -> str:
        """The path with its values, quoted."""
        path = self._operation.path
        for name in path_names(path):
            value = "".join(self._given.get(name, [])[:1])
            # Quoting leaves dots alone, and HTTP libraries take `..` for the folder above, which is another operation.
            if value in {".", ".."}:
                self.stops.append(words.DOT_IN_PATH)
            # `safe=""` quotes a slash too, and one replacement at a time never looks into a value that was put in.
            path = path.replace(f"{{{name}}}", quote(value, safe=""), 1)
        return path

    def query(self) -> tuple[tuple[str, str], ...]:
        """The parameters of the query, in the order of the operation; then those that it does not know."""
        places = {each.name: each.place for each in self._operation.parameters}
        # The order of the operation, so that the same form gives the same address, and the history finds it again.
        ordered = [
            *(each for each in places if each in self._given),
            *(each for each in self._given if each not in places),
        ]
        by_name = {each.name: each for each in self._operation.parameters}
        in_path = set(path_names(self._operation.path))
        return tuple(
            (name, text)
            for name in ordered
            if places.get(name, "query") == "query" and name not in in_path
            for text in _as_sent(by_name.get(name), self._given[name])
        )

    def headers(self) -> tuple[tuple[str, str], ...]:
        """The parameters that go as headers."""
        names = [each.name for each in self._operation.parameters if each.place == "header"]
        return tuple((name, text) for name in names for text in self._given.get(name, [])[:1])

    def _check(self, parameter: ConsoleParameter) -> None:
        texts = self._given.get(parameter.name, [])
        if not texts and parameter.required:
            self.mistakes[parameter.name] = words.parameter_needed(parameter.name)
            if parameter.place == "path":  # without it this would be another address
                self.stops.append(words.parameter_needed(parameter.name))
        for text in texts:
            sentence = _wrong(parameter, text)
            if sentence:
                self.mistakes.setdefault(parameter.name, sentence)
            # A line break in a header would begin another header.
            if parameter.place == "header" and not (text.isascii() and text.isprintable()):
                self.stops.append(words.header_unfit(parameter.name))


def _is_sendable(text: str) -> bool:
    """Whether a text is one: a paste can hold half of a surrogate pair, which UTF-8 cannot encode."""
    return text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text)


def _as_sent(parameter: ConsoleParameter | None, texts: list[str]) -> list[str]:
    """The values of one parameter: several of the same name, or one with commas between."""
    if parameter is None or parameter.repeated or len(texts) < 2:
        return texts
    return [",".join(texts)]


def _wrong(parameter: ConsoleParameter, text: str) -> str:
    """The fault of one value of a parameter."""
    shape: Shape | None = parameter.shape
    if parameter.as_json:
        try:
            value = read_json(text)
        except JsonTrouble as error:
            return error.sentence
        return next((each.sentence for each in check(shape, value)), "")
    if parameter.shape.kind == "array":
        shape = parameter.shape.element
    typed = value_typed(shape, text)
    return next((each.sentence for each in check(shape, typed)), "")


class _Body:
    """The body of one request."""

    def __init__(self, operation: ConsoleOperation, draft: RequestDraft, answers: Answers) -> None:
        self._operation, self._answers = operation, answers
        self.stops: list[str] = []
        self.mistakes: list[Mistake] = []
        self.value: Value | Absent = ABSENT
        self.payload: bytes | None = None
        self.content_type = ""
        text = draft.body
        # A text under an operation without a body is not dropped in silence: the person meant it to leave.
        if operation.body is None or operation.method in _NO_BODY:
            self.stops += [words.BODY_IN_READ] if text.strip() else []
        elif not text.strip():
            self.stops += [words.NO_BODY] if operation.body.required else []
        elif text.lstrip().startswith("<"):
            self._take_xml(text, draft.body_format)
        else:
            self._take_json(text, draft.body_format)

    def _take_xml(self, text: str, body_format: str) -> None:
        body = self._operation.body
        if body is None or not body.takes_xml:
            self.stops.append(words.NOT_XML_HERE)
            return
        self.stops += troubles(text, self._answers, as_text=True)
        # `escape`: an answer's `<` must not become markup of the request.
        whole = filled(text, self._answers, escape)
        if trouble := xml_trouble(whole.encode("utf-8", "replace")):
            self.stops.append(trouble)
        # A description may accept `*/xml` and the like; a request names one exact type.
        kinds = [body_format, *body.formats]
        self._send(whole, next((each for each in kinds if is_xml(each) and "*" not in each), "application/xml"))

    def _take_json(self, text: str, body_format: str) -> None:
        try:
            typed = read_json(text)
        except JsonTrouble as error:
            self.stops.append(words.not_json(error.sentence))
            # A bare {{…}} is the usual cause: as in other tools, but here the text stays JSON while it is typed.
            self.stops += [words.QUOTE_EXPRESSION] if "{{" in text else []
            return
        self.stops += value_troubles(typed, self._answers)
        self.value = filled_value(typed, self._answers)
        shape = self._operation.body.shape if self._operation.body is not None else None
        self.mistakes += check(shape, self.value)
        kind = self._format(body_format)
        if is_xml(kind):
            self.stops += [] if fits_xml(self.value) else [words.NOT_IN_XML]
            record = self._operation.body.record if self._operation.body is not None else ""
            self._send(xml_of(self.value, record or "request"), kind)
        elif kind == FORM:
            self._send(urlencode(list(_fields(self.value)), errors="replace"), kind)
        else:
            # Without an expression the typed text leaves, blanks and the digits of numbers included.
            self._send(write_json(self.value) if "{{" in text else text, kind)

    def _format(self, wanted: str) -> str:
        """The media type that leaves: the wanted one, or the first that can be written where that is not accepted."""
        formats = self._operation.body.formats if self._operation.body is not None else (JSON,)
        if any(_accepts(each, wanted) for each in formats):
            return wanted
        # A wanted format that the operation does not take any more gives way to one that it takes.
        written = [each for each in formats if "*" not in each and (is_json(each) or is_xml(each) or each == FORM)]
        if not written:
            self.stops.append(words.format_unknown(", ".join(formats)))
        return next(iter(written), JSON)

    def _send(self, text: str, content_type: str) -> None:
        self.stops += [] if _is_sendable(text) else [words.UNSENDABLE]
        self.payload, self.content_type = text.encode("utf-8", "replace"), content_type


def order_value(value: Value) -> object:
    """A record as the contract's check takes it. A number whose digits a double cannot hold goes as its text, so that
    the check says so instead of rounding it."""
    if isinstance(value, dict):
        return {name: order_value(each) for name, each in value.items()}
    if isinstance(value, list):
        return [order_value(each) for each in value]
    if isinstance(value, Number):
        return _exact_number(value)
    return value


def _exact_number(number: Number) -> int | float | str:
    if len(number.text) > _MOST_DIGITS:
        return number.text
    # Through a double and back: equal means that the double holds all digits that were typed.
    plain: int | float = loads(number.text)
    return plain if isinstance(plain, int) or Decimal(repr(plain)) == number.exact else number.text


def _accepts(pattern: str, kind: str) -> bool:
    head, star, tail = pattern.partition("*")
    return kind == pattern if not star else kind.startswith(head) and kind.endswith(tail)


def _fields(value: Value) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, each in value.items():
            for one in each if isinstance(each, list) else [each]:
                yield name, text_shown(one, Shape("string"))
