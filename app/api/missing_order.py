"""The words by which a service says that it has no such order (notes.md, "Readings").

Invariant: only words about the order itself count. That something else was not found, or that nothing was given to
look for, says nothing about the order. Words that are not understood say nothing either: an order that is taken for
missing may be sent twice.
"""

import re

from app.contract.replies import Problem

_KEY = "\0"  # stands for the reference or number that was asked for: a reference may be made of any words
_ENDS = re.compile(r"[.:;!?](?=\s|$)|[\r\n]")
_QUOTES = re.compile(r"[\"'`“”‘’«»()\[\],#]")
_OWN = r"(?:the|this|that|your|an?|any|such|given|requested|specified|matching|open|customer)"
_NAME = rf"(?:{_OWN}|order|system|reference|ref|number|no|id|or|{_KEY})"
# "order reference number" alone may name the parameter of the request. It names the order where "with" stands before
# it, or the value behind it.
_WHICH = rf"(?:\s+(?:with|for|by|having|matching|matches)(?:\s+{_NAME})+|(?:\s+{_NAME})*\s+{_KEY})?"
_ORDER = rf"(?:{_OWN}\s+)*orders?{_WHICH}"
_NOT_THERE = r"(?:(?:was|were|is|has|could|can|does|did)\s+)?(?:not|cannot)\s+(?:be\s+|been\s+)?(?:found|located|exist)"
_THERE = r"(?:(?:was|were|could\s+be)\s+)?(?:found|located)|exists?"
_NO_SUCH_ORDER = re.compile(
    rf"{_ORDER}\s+(?:{_NOT_THERE}|(?:is\s+|was\s+)?unknown){_WHICH}"
    rf"|(?:there\s+(?:is|was)\s+)?no\s+{_ORDER}(?:\s+(?:{_THERE}))?{_WHICH}"
    rf"|unknown\s+{_ORDER}"
    rf"|(?:we\s+)?(?:could\s+not|can\s?not|unable\s+to)\s+(?:find|locate)\s+{_ORDER}",
    re.IGNORECASE,
)


def says_no_such_order(problem: Problem, asked_for: str) -> bool:
    """Whether a refusal says that there is no order with the reference or number that was asked for."""
    return any(_NO_SUCH_ORDER.fullmatch(each) for each in _statements(problem, asked_for))


def _statements(problem: Problem, asked_for: str) -> list[str]:
    found: list[str] = []
    for text in (problem.title, problem.detail):  # apart: a title often has no full stop
        found += _ENDS.split(_plain(text, asked_for))
    return [" ".join(each.split()) for each in found]


def _plain(text: str, asked_for: str) -> str:
    if asked_for:
        text = re.sub(rf"(?<!\w){re.escape(asked_for)}(?!\w)", _KEY, text, flags=re.IGNORECASE)
    return _QUOTES.sub(" ", re.sub(r"n['’]t\b", " not", text))
