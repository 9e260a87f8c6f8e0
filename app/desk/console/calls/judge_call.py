"""The judgement of a call before it is sent: what forbids it, what is wrong with it, and what needs a yes.

A pure function of what is known now, so a page may ask it at every key. `send_call` asks it again at the moment of
sending, and sends only what was agreed to.
"""

import asyncio
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.contract.check import check_body, check_cancellation
from app.contract.order_rules import Issue
from app.contract.submission import Cancellation, OrderSubmission
from app.desk.console.calls import calls_words as words
from app.desk.console.calls.answer_values import Answers
from app.desk.console.calls.build_request import BuiltRequest, build, order_value
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import ConsoleOperation, Road, is_xml
from app.desk.console.forms.check_value import Mistake
from app.desk.console.forms.exact_json import ABSENT, Absent, Number, Path, Value
from app.desk.desk import Desk

# The names under which a record says what it is about, the surest first; letters of any case.
_SUBJECTS = (
    "orderreferencenumber", "referencenumber", "ordernumber", "systemnumber", "slotid", "quotenumber", "trucknumber",
    "loadnumber", "receivingloadnumber",
)  # fmt: skip
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_ORDERS = frozenset({"order_submit", "partner_b_order_submit"})  # their bodies are the contract's order submission
_LONGEST_SUBJECT = 60
_LONG = 12_000  # characters of a body, for which judging takes some 8 ms
_LOOKED_AT = 500  # values in which a subject is looked for


@dataclass(frozen=True, slots=True)
class Judgement:
    """The facts about a call before it is sent.

    `stops`: sentences; while there is one the call is not sent. `mistakes`: of the body, by path. `parameter_mistakes`:
    by parameter name. `question`: what a person must say yes to before the call is sent, empty for nothing; `agree` is
    the word of the button. `tells`: sentences that change nothing. `built` is the request as it would leave.
    """

    road: Road
    built: BuiltRequest
    stops: tuple[str, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    parameter_mistakes: Mapping[str, str] = field(default_factory=dict)
    question: str = ""
    agree: str = ""
    tells: tuple[str, ...] = ()


async def judged(desk: Desk, operation: ConsoleOperation, draft: RequestDraft, answers: Answers) -> Judgement:
    """`judge` for callers that must not wait: a long body is judged on another thread."""
    if is_long(draft):
        return await asyncio.to_thread(judge, desk, operation, draft, answers)
    return judge(desk, operation, draft, answers)


def is_long(draft: RequestDraft) -> bool:
    """Whether judging takes longer than a part of a frame."""
    return len(draft.body) > _LONG


def judge(desk: Desk, operation: ConsoleOperation, draft: RequestDraft, answers: Answers) -> Judgement:
    """The judgement of this call now. Takes a millisecond for a usual body, and a tenth of a second for each 150 KB."""
    built = build(operation, draft, answers)
    # The contract knows an order better than the description: its sentence stands where both find a mistake.
    issues = _order_mistakes(operation, built)
    said = {each.path for each in issues}
    mistakes = (*issues, *(each for each in built.mistakes if each.path not in said))
    stops = [*built.stops, *_forbidden(desk, operation, draft)]
    # The outbox stores a submission, not bytes: XML is not taken apart again to make one.
    if operation.road != "call" and built.value is ABSENT and not stops:
        stops.append(words.ORDER_AS_JSON)
    # A direct call may leave with mistakes, to see what the provider says. An order in the outbox may not: it is real.
    if operation.road != "call" and mistakes and not stops:
        stops.append(words.ORDER_WRONG)
    count = len(mistakes) + len(built.parameter_mistakes)
    return Judgement(
        operation.road,
        built,
        tuple(dict.fromkeys(stops)),
        mistakes,
        built.parameter_mistakes,
        _question(desk, operation, built, count),
        words.SEND_ANYWAY if count else words.SEND_IT,
        tuple(_told(desk, operation, draft)),
    )


def order_of(value: Value | Absent) -> OrderSubmission | list[Issue]:
    """The order that a body means, or its issues."""
    return check_body({} if value is ABSENT else order_value(value))


def cancellation_of(value: Value | Absent) -> Cancellation | list[Issue]:
    """The cancellation that a body means, or its issues."""
    return check_cancellation({} if value is ABSENT else order_value(value))


def _order_mistakes(operation: ConsoleOperation, built: BuiltRequest) -> list[Mistake]:
    """The mistakes that the contract's own check finds, for the bodies that it knows."""
    if built.value is ABSENT:
        return []
    if operation.name in _ORDERS:
        found: object = order_of(built.value)
    elif operation.road == "cancel":
        found = cancellation_of(built.value)
    else:
        return []
    return [Mistake(_path(each.path), each.sentence) for each in found] if isinstance(found, list) else []


def _forbidden(desk: Desk, operation: ConsoleOperation, draft: RequestDraft) -> list[str]:
    """The reasons that forbid the call, however right its values are: no connection, a scope, a secret in it."""
    found = []
    if desk.provider is None:
        # The outbox takes an order also while there is no connection.
        return [words.not_connected(desk.trouble)] if operation.road == "call" else []
    # Any one scope is enough. Nothing is forbidden where nobody knows what was granted.
    granted = _granted(desk)
    if granted and operation.scopes and granted.isdisjoint(operation.scopes):
        found.append(words.scope_missing(", ".join(operation.scopes)))
    # As typed, before expressions: answers are cleaned of token and secret before they can be put in.
    texts = [draft.body, *(text for _, text in draft.parameters)]
    if any(desk.provider.raw.reveals(text) for text in texts):
        found.append(words.SECRET_INSIDE)
    return found


def _granted(desk: Desk) -> frozenset[str]:
    """The scopes that were granted, empty where nobody knows: those of the token, else those of the last test."""
    granted = desk.provider.raw.granted if desk.provider is not None else None
    return granted if granted is not None else frozenset(desk.profile.scopes)


def _question(desk: Desk, operation: ConsoleOperation, built: BuiltRequest, mistakes: int) -> str:
    sentences = []
    if operation.writes and desk.profile.kind == "production":
        deed = operation.title
        sentences.append(words.acts_on_production(deed, desk.profile.name, _subject(built)))
    if mistakes and operation.road == "call":
        sentences.append(words.sends_mistakes(mistakes))
    return " ".join(sentences)


def _told(desk: Desk, operation: ConsoleOperation, draft: RequestDraft) -> list[str]:
    tells = {"submit": [words.TO_OUTBOX], "cancel": [words.CANCEL_TO_OUTBOX], "call": []}[operation.road]
    # The connection says in which format the outbox sends, whatever was chosen for this call.
    chosen = "xml" if is_xml(draft.body_format) else "json"
    if operation.road != "call" and chosen != desk.profile.sends:
        tells.append(words.OUTBOX_SENDS[desk.profile.sends])
    if operation.road == "call" and operation.writes:
        tells.append(words.WRITES_ONCE)
    if not operation.in_contract:
        tells.append(words.NOT_IN_CONTRACT)
    if not operation.scopes:
        tells.append(words.UNKNOWN_SCOPE)
    if operation.deprecated:
        tells.append(words.DEPRECATED)
    if operation.road == "call" and desk.timing.backing_off:
        tells.append(words.goes_all_the_same(desk.timing.backoff_notice(desk.now())))
    return tells


def _subject(built: BuiltRequest) -> str:
    """The subject of the call: the value of the surest name in its body, else its first parameter."""
    found: dict[str, str] = {}
    # Level by level and bounded: the name next to the root is the subject, and this runs at every key.
    waiting = deque[Value]([] if built.value is ABSENT else [built.value])
    for _ in range(_LOOKED_AT):
        if not waiting:
            break
        value = waiting.popleft()
        pairs = (
            value.items()
            if isinstance(value, dict)
            else [("", each) for each in value]
            if isinstance(value, list)
            else []
        )
        for name, each in pairs:
            if isinstance(each, str | Number) and name.lower() in _SUBJECTS:
                found.setdefault(name.lower(), each.text if isinstance(each, Number) else each)
            elif isinstance(each, dict | list):
                waiting.append(each)
    named = next((found[name] for name in _SUBJECTS if found.get(name)), "")
    first = next((text for _, text in built.request.query), "")
    return (named or first)[:_LONGEST_SUBJECT]


def _path(text: str) -> Path:
    """`freightDetails[0].count` as steps."""
    return tuple(name or int(index) for name, index in _STEP.findall(text))
