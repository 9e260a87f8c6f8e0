"""The words of a form that is made from a shape.

Invariant: a function here returns whole sentences, made from plain values. It decides nothing but the words.
"""

import re

from app.translation import translate, translate_plural

FORM_NAME = translate("Form")
NOT_GIVEN = translate("Not given")
NOT_CHOSEN = translate("Choose…")
YES, NO = translate("Yes"), translate("No")
NULL = translate("Empty (null)")
MOMENT_HINT = translate("+1 14:00, 12/24 8:30 am")
DATE_HINT = translate("+3, fri, 12/24")
NAME, VALUE = translate("Name"), translate("Value")
OTHERS = translate("More fields")
ADD_ROW = translate("Add row")
ALTERNATIVE = translate("Which kind")
DEPRECATED = translate("Deprecated by the provider.")
NAMED_TWICE = translate("This name stands here twice.")
NAME_MISSING = translate("A value without a name is not sent.")
MOVE_UP, MOVE_DOWN = translate("Move {label} up"), translate("Move {label} down")
REMOVE = translate("Remove {label}")
PUT_BACK = translate("Put back what was removed")

_KINDS = {
    "object": translate("record"),
    "array": translate("list"),
    "string": translate("text"),
    "integer": translate("whole number"),
    "number": translate("number"),
    "boolean": translate("yes or no"),
    "null": translate("empty (null)"),
    "choice": translate("one of several"),
    "any": translate("anything"),
}
_WORD = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+")


def in_words(name: str) -> str:
    """`Order reference number` for "orderReferenceNumber"; letters that stand together as capitals keep them."""
    found = [each if each[:2].isupper() and len(each) > 1 else each.lower() for each in _WORD.findall(name)]
    text = " ".join(found)
    return text[:1].upper() + text[1:] if text else name


def add(label: str) -> str:
    """The button that adds a record or a row; `label` is its heading."""
    inside = label[:1].lower() + label[1:] if label[1:2].islower() else label
    return translate("Add {label}", label=inside)


def required(label: str) -> str:
    """The heading of a record or list that must be given."""
    return translate("{label} · required", label=label)


def element(label: str, number: int) -> str:
    """One of the elements of a list."""
    return translate("{label} {number:,}", label=label, number=number)


def more_elements(count: int) -> str:
    """A button that shows more elements of a long list."""
    return translate_plural("Show {count:,} more", "Show {count:,} more", count)


def alternative(number: int, kind: str) -> str:
    """An alternative that has no name of its own."""
    return translate("Alternative {number}: {kind}", number=number, kind=kind)


def other_kind(label: str, shown: str) -> str:
    """The heading of a value of another kind than the form is for."""
    return translate("{label}: here stands {shown}, for which there are no fields.", label=label, shown=shown)


def not_json(reason: str) -> str:
    """A text that begins like JSON."""
    return translate("Not readable as JSON, so it would go as a text. {reason}", reason=reason)


def left_out(default: str) -> str:
    """What the provider takes if nothing is given."""
    return translate("Left out, it is {default}.", default=default)


def more_than(least: str) -> str:
    """The bounds of a number."""
    return translate("More than {least}.", least=least)


def at_least(least: str) -> str:
    """The bounds of a number."""
    return translate("At least {least}.", least=least)


def less_than(most: str) -> str:
    """The bounds of a number."""
    return translate("Less than {most}.", most=most)


def at_most(most: str) -> str:
    """The bounds of a number."""
    return translate("At most {most}.", most=most)


def from_to(least: str, most: str) -> str:
    """The bounds of a number."""
    return translate("From {least} to {most}.", least=least, most=most)


def letters_at_least(count: int) -> str:
    """The least length of a text."""
    return translate_plural("At least {count:,} character.", "At least {count:,} characters.", count)


def kind_of(kind: str) -> str:
    """The kind of a value, as the title of an alternative."""
    return _KINDS.get(kind, kind)
