"""Values of earlier answers in the next request: `{{name.body.slots[0].id}}`.

A name is that of an operation (`quote_submit`), of a named request, or `last`; after it comes `status`, `headers` and a
header's name, or `body` and a path in it. A text that is one expression and nothing else becomes the value itself, so a
number stays a number; inside a longer text the value's text is put in.

Invariant: what is put in is never looked through for further expressions, so an answer cannot ask for another one.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from app.api.raw_call import RawAnswer
from app.desk.console.answers.answer_body import AnswerBody, read_body
from app.desk.console.calls import calls_words as words
from app.desk.console.forms.exact_json import ABSENT, Absent, Number, Path, Value, path_text, write_json
from app.desk.console.forms.typed_value import get

LAST = "last"
LARGEST = 4 * 1024 * 1024  # bytes
_EXPRESSION = re.compile(r"\{\{([^{}]*)\}\}")
_NAME = re.compile(r"\s*([A-Za-z_][\w-]*)", re.ASCII)
_STEP = re.compile(r"""\.([A-Za-z_$][\w$-]*)|\[(-?\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]""")
_PARTS = ("body", "status", "headers")


class Answers:
    """The latest answer by name. Bodies are read when they are first asked for.

    A body of more than `LARGEST` bytes is not held: there may be one for each of many names.
    """

    def __init__(self) -> None:
        self._answers: dict[str, RawAnswer] = {}
        self._bodies: dict[str, AnswerBody] = {}

    def remember(self, name: str, answer: RawAnswer) -> None:
        """An answer came to the call of this name; it is the last one too."""
        held = answer if len(answer.body) <= LARGEST else replace(answer, body=b"")
        for each in dict.fromkeys((name or LAST, LAST)):
            self._answers[each] = held
            # The body that was read belongs to the answer before.
            self._bodies.pop(each, None)

    def names(self) -> list[str]:
        """All names that there is an answer of."""
        return list(self._answers)

    def answer(self, name: str) -> RawAnswer | None:
        """The answer of this name."""
        return self._answers.get(name)

    def body(self, name: str) -> AnswerBody | None:
        """The body of the answer of this name."""
        answer = self._answers.get(name)
        if answer is None:
            return None
        if name not in self._bodies:
            self._bodies[name] = read_body(answer.body, answer.content_type)
        return self._bodies[name]


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression in a text, from `start` to `end`; `trouble` says what is wrong with it, empty if nothing."""

    text: str
    start: int
    end: int
    name: str = ""
    part: str = ""  # "status", "headers" or "body"
    path: Path = ()
    trouble: str = ""


def expression_name(name: str) -> str:
    """The name under which expressions find the answer of a named request."""
    # An expression's name is letters, digits and underscores, and begins with no digit (`_NAME`).
    plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()
    return plain if plain and not plain[0].isdigit() else f"_{plain}"


def expressions(text: str) -> tuple[Expression, ...]:
    """All expressions in a text."""
    return tuple(_parsed(found) for found in _EXPRESSION.finditer(text))


def troubles(text: str, answers: Answers, *, as_text: bool = False) -> tuple[str, ...]:
    """The faults of a text's expressions, and values that the answers lack, each in a sentence.

    `as_text`: the text stays one, so that no value can be a record or a list.
    """
    found = expressions(text)
    # An expression that is not alone in its text can only stand for a single value.
    inside = as_text or len(found) > 1 or any(each.text != text.strip() for each in found)
    sentences = (_looked_up(each, answers, single=inside)[1] for each in found)
    return tuple(dict.fromkeys(each for each in sentences if each))


def is_value(inside: str, answers: Answers) -> bool:
    """Whether what stands between the braces is the whole of an expression, for one value that an answer has."""
    return not troubles(f"{{{{{inside}}}}}", answers, as_text=True)


def filled(text: str, answers: Answers, quoting: Callable[[str], str] = str) -> str:
    """The text with its expressions replaced by `quoting` of their values. One that has no value stays as it is."""
    return _EXPRESSION.sub(lambda found: _text_for(found, answers, quoting), text)


def filled_value(value: Value, answers: Answers) -> Value:
    """The value with the expressions in its texts replaced; names of members are left alone."""
    if isinstance(value, dict):
        return {name: filled_value(each, answers) for name, each in value.items()}
    if isinstance(value, list):
        return [filled_value(each, answers) for each in value]
    if not isinstance(value, str) or "{{" not in value:
        return value
    # Alone in its text, an expression becomes the value itself, so a number does not turn into a text.
    whole = _EXPRESSION.fullmatch(value.strip())
    if whole is None:
        return filled(value, answers)
    found, _ = _looked_up(_parsed(whole), answers, single=False)
    return value if found is ABSENT else found


def value_troubles(value: Value, answers: Answers) -> tuple[str, ...]:
    """`troubles` of all texts in a value."""
    return tuple(dict.fromkeys(sentence for text in _texts(value) for sentence in troubles(text, answers)))


def offers(typed: str, answers: Answers, most: int = 20) -> list[str]:
    """Expressions that continue what is typed after `{{`: names, then parts, then members that the answer has."""
    name, dot, rest = typed.strip().partition(".")
    # Step by step, as the text is typed: first a name, then a part of its answer, then a path in the body.
    if not dot:
        return [f"{each}." for each in answers.names() if each.startswith(name)][:most]
    part = next((each for each in _PARTS if rest == each or rest.startswith((f"{each}.", f"{each}["))), "")
    if not part:
        return [f"{name}.{each}" for each in _PARTS if each.startswith(rest)]
    held = rest[len(part) :]
    if part == "headers":
        answer = answers.answer(name)
        found = [header for header, _ in answer.headers] if answer is not None else []
        return [f"{name}.headers.{each}" for each in found if each.lower().startswith(held.lstrip(".").lower())][:most]
    return [f"{name}.body{each}" for each in _continued(held, answers.body(name))][:most] if part == "body" else []


def _continued(held: str, body: AnswerBody | None) -> Iterator[str]:
    """Paths in a body that go on from what is typed of one."""
    # What stands behind the last dot or bracket is not typed to its end: the offers continue it.
    cut = max(held.rfind("."), held.rfind("["))
    head, tail = (held[:cut], held[cut:]) if cut >= 0 else ("", held)
    path, trouble = _path(head)
    value = get(body.value, path) if body is not None and body.has_value and not trouble else ABSENT
    if isinstance(value, list):
        # Five indexes show that a list is one; nobody picks the fortieth element from a list of offers.
        yield from (step for index in range(min(len(value), 5)) if (step := f"{head}[{index}]").startswith(head + tail))
    elif isinstance(value, dict):
        for name in value:
            step = path_text((name,))
            step = step if step.startswith("[") else f".{step}"
            if step.lower().startswith(tail.lower()):
                yield head + step


def _parsed(found: re.Match[str]) -> Expression:
    text, inner = found[0], found[1]
    place = (text, found.start(), found.end())
    named = _NAME.match(inner)
    if named is None:
        return Expression(*place, trouble=words.NO_NAME)
    name, rest = named[1], inner[named.end() :].strip()
    # The part must end there: `.bodyguard` is not `.body`.
    part = next((each for each in _PARTS if re.match(rf"\.{each}(?![\w-])", rest)), "")
    if not part:
        return Expression(*place, name, trouble=words.NO_PART)
    path, trouble = _path(rest[len(part) + 1 :])
    if not trouble and part == "headers" and (len(path) != 1 or not isinstance(path[0], str)):
        trouble = words.NO_HEADER_NAME
    if not trouble and part == "status" and path:
        trouble = words.NO_PART
    return Expression(*place, name, part, path, trouble)


def _path(text: str) -> tuple[Path, str]:
    """The steps of a path, and what is wrong with it."""
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            return (), words.BAD_STEP
        member, index, quoted = found.groups()
        if quoted is not None:
            try:
                member = json.loads(quoted)
            except ValueError:
                return (), words.BAD_STEP
        steps.append(int(index) if index is not None else str(member))
        at = found.end()
    return tuple(steps), ""


def _looked_up(expression: Expression, answers: Answers, *, single: bool) -> tuple[Value | Absent, str]:
    """The value of an expression, or the sentence that says why there is none. `single`: it must fit into a text."""
    if expression.trouble:
        return ABSENT, expression.trouble
    answer = answers.answer(expression.name)
    if answer is None:
        return ABSENT, words.answer_missing(expression.name)
    found = _READERS[expression.part](expression, answer, answers)
    if isinstance(found, _Why):
        return ABSENT, found.sentence
    if found is ABSENT:
        return ABSENT, words.value_missing(expression.text)
    if single and isinstance(found, dict | list):
        return ABSENT, words.not_single(expression.text)
    return found, ""


@dataclass(frozen=True, slots=True)
class _Why:
    """Why an answer cannot be asked for a value."""

    sentence: str


def _status(_expression: Expression, answer: RawAnswer, _answers: Answers) -> Value | Absent | _Why:
    return Number(str(answer.status))


def _header(expression: Expression, answer: RawAnswer, _answers: Answers) -> Value | Absent | _Why:
    name = str(expression.path[0]).lower()
    return next((value for header, value in answer.headers if header.lower() == name), ABSENT)


def _body(expression: Expression, answer: RawAnswer, answers: Answers) -> Value | Absent | _Why:
    # `remember` dropped the body for its size. A body that is empty by itself is a different sentence.
    if answer.size > LARGEST and not answer.body:
        return _Why(words.answer_too_large(expression.name))
    body = answers.body(expression.name)
    if body is None or not body.has_value:
        return _Why(words.answer_unreadable(expression.name))
    return get(body.value, expression.path)


_READERS: dict[str, Callable[[Expression, RawAnswer, Answers], Value | Absent | _Why]] = {
    "status": _status,
    "headers": _header,
    "body": _body,
}


def _text_for(found: re.Match[str], answers: Answers, quoting: Callable[[str], str]) -> str:
    value, _ = _looked_up(_parsed(found), answers, single=True)
    if value is ABSENT:
        return found[0]
    if isinstance(value, str):
        return quoting(value)
    return quoting(value.text if isinstance(value, Number) else write_json(value, indent=None))


def _texts(value: Value) -> Iterator[str]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
    elif isinstance(value, str) and "{{" in value:
        yield value
