"""The one verdict on the order in the form: a heading, its reasons, and what the submit button will do.

Reasons are ordered by gravity: first those that need a person's yes, then those that a person should look at. "Ready to
submit" is shown only if there is none of either.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from app.desk.drafts import drafts_words
from app.desk.drafts.drafts_words import Action, when
from app.desk.drafts.reference_history import Before
from app.desk.drafts.scanning import Tally
from app.desk.sending.verdict import Verdict, VerdictKind

Tone = Literal["", "good", "warn", "bad", "soft"]


@dataclass(frozen=True, slots=True)
class Known:
    """The facts about the order in the form.

    `refused` are the provider's words with their places, `filled_in` the values that nobody has accepted, `doubts` the
    values that look mistyped, `changing` the people of the team who have the order in their form. `same_reference`:
    another open draft has the reference too. `untouched`: nothing was typed into this order yet.
    """

    reference: str
    now: datetime
    issues: int = 0
    asking: bool = False
    found: Verdict | None = None
    before: Before = field(default_factory=Before)
    refused: Sequence[str] = ()
    scans: Sequence[Tally] = ()
    filled_in: Sequence[str] = ()
    doubts: Sequence[str] = ()
    same_reference: bool = False
    changing: Sequence[str] = ()
    untouched: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question to which a person says yes before the order is sent."""

    title: str
    sentence: str
    yes: str


@dataclass(frozen=True, slots=True)
class SumUp:
    """The verdict. `action` is the title of the button; `submits` is False if it says something else than "Submit".

    `agreed` is the provider's verdict to which a yes is given, if one of the questions is about that.
    """

    heading: str
    tone: Tone
    lines: tuple[str, ...] = ()
    action: str = drafts_words.ACTIONS["submit"][0]
    questions: tuple[Question, ...] = ()
    agreed: VerdictKind | None = None
    submits: bool = True


@dataclass(frozen=True, slots=True)
class _Reason:
    """One reason of the verdict. `action` is what the button does for this reason."""

    heading: str
    tone: Tone
    sentence: str
    action: Action | None = None
    question: Question | None = None


def sum_up(known: Known) -> SumUp:
    """The verdict on these facts."""
    to_agree = _to_agree(known)
    reasons = [*to_agree, *_to_look_at(known)]
    questions = tuple(each.question for each in to_agree if each.question is not None)
    # The gravest reason names the button.
    action: Action = next((each.action for each in reasons if each.action), "submit")
    heading, tone, lines = _heading(known, reasons)
    agreed = known.found.kind if known.found is not None and known.found.needs_yes else None
    title = drafts_words.ACTIONS[action][bool(questions)]
    return SumUp(heading, tone, lines, title, questions, agreed, submits=action == "submit")


def _heading(known: Known, reasons: Sequence[_Reason]) -> tuple[str, Tone, tuple[str, ...]]:
    """The heading of the verdict, its tone, and the lines below it."""
    if known.untouched:
        return drafts_words.UNTOUCHED, "soft", (drafts_words.BEGIN_SOMEHOW,)
    if known.issues:
        return drafts_words.to_do(known.issues), "", (*map(_line, reasons), *_calm(known))
    if reasons:
        first, *others = reasons
        lines = (first.sentence, *map(_line, others), *_calm(known))
        return first.heading, first.tone, tuple(line for line in lines if line)
    if known.found is None:
        heading = drafts_words.asking(known.reference) if known.asking else drafts_words.NOT_ASKED
        return heading, "soft", (drafts_words.NOTHING_LEFT,)
    return drafts_words.READY, "good", tuple(_calm(known))


def _line(reason: _Reason) -> str:
    return drafts_words.heading_and_sentence(reason.heading, reason.sentence)


def _to_agree(known: Known) -> list[_Reason]:
    """The reasons for which the order is sent only after a yes, the gravest first."""
    reasons = []
    found, before, name = known.found, known.before, known.reference
    if found is not None and found.needs_yes:
        question = Question(drafts_words.second_order_question(name), found.sentence, drafts_words.SEND_SECOND)
        reasons.append(_Reason(f"✕ {found.heading}", "bad", _answer(found), "second", question))
    if known.changing:
        heading = drafts_words.is_changing(known.changing)
        whole = drafts_words.heading_and_sentence(heading, drafts_words.CHANGED_BY_TWO)
        question = Question(drafts_words.changing_question(name), whole, drafts_words.SEND_ANYWAY)
        reasons.append(_Reason(f"! {heading}", "warn", drafts_words.CHANGED_BY_TWO, None, question))
    if before.refused is not None and known.refused:
        words = " ".join(known.refused)
        sentence = drafts_words.refused(when(before.refused.changed_at, known.now), words)
        question = Question(drafts_words.refused_question(name), words, drafts_words.SEND_AGAIN)
        reasons.append(_Reason(drafts_words.REFUSED, "bad", sentence, "resend", question))
    if (repeated := _repeated(known)) is not None:
        reasons.append(repeated)
    if known.scans:
        words = f"{drafts_words.listed([f'{each.commodity}: {each.words}' for each in known.scans], '. ')}."
        question = Question(drafts_words.scans_question(name), words, drafts_words.SEND_ANYWAY)
        action: Action | None = "change" if found is not None and found.kind in ("changes", "import_queue") else None
        reasons.append(_Reason(drafts_words.SCANS_DIFFER, "warn", words, action, question))
    return reasons


def _repeated(known: Known) -> _Reason | None:
    """The reason that the same order waits in the outbox or was sent already; None if neither is so."""
    found, before = known.found, known.before
    question = drafts_words.repeat_question(known.reference)
    # First: an equal order that waits in the outbox says more than that its contents were sent before.
    if before.waiting is not None and before.same:
        waits = _waits(before, known.now)
        return _Reason(
            drafts_words.IN_OUTBOX, "warn", waits, "repeat", Question(question, waits, drafts_words.SEND_ONCE_MORE)
        )
    if found is None or not found.nothing_new or found.sent_at is None:
        return None
    at = when(found.sent_at, known.now)
    asked = Question(question, drafts_words.changes_nothing(at, found.sent_by), drafts_words.SEND_ONCE_MORE)
    sentence = f"{drafts_words.same_as_sent(at, found.sent_by)} {_answer(found)}"
    return _Reason(drafts_words.NOTHING_TO_SEND, "soft", sentence, "repeat", asked)


def _to_look_at(known: Known) -> list[_Reason]:
    """The reasons that a person should look at, and about which nothing is asked."""
    reasons = []
    found, before = known.found, known.before
    if before.trouble:
        reasons.append(_Reason(drafts_words.UNKNOWN_BEFORE, "warn", before.trouble))
    if before.waiting is not None and not before.same:
        reasons.append(_Reason(drafts_words.OTHER_VERSION, "warn", _waits(before, known.now)))
    if found is not None and found.kind in ("changes", "import_queue") and not found.nothing_new:
        glyph = "◑" if found.kind == "changes" else "◔"
        reasons.append(_Reason(f"{glyph} {found.heading}", "warn", _answer(found), "change"))
    if found is not None and found.kind == "unknown":
        reasons.append(_Reason(f"! {found.heading}", "warn", _answer(found)))
    elif found is not None and found.kind == "new" and before.tried_at is not None:
        sentence = drafts_words.second_order_warning(_answer(found), when(before.tried_at, known.now))
        reasons.append(_Reason(drafts_words.MAY_BE_SECOND, "warn", sentence))
    if known.same_reference:
        sentence = drafts_words.same_reference(known.reference)
        reasons.append(_Reason(drafts_words.SAME_REFERENCE, "warn", sentence))
    if known.doubts:
        reasons.append(_Reason(drafts_words.LOOKS_MISTYPED, "warn", drafts_words.listed(known.doubts)))
    if known.filled_in:
        reasons.append(_Reason(drafts_words.FILLED_IN, "warn", drafts_words.filled_in(known.filled_in)))
    return reasons


def _calm(known: Known) -> list[str]:
    """Facts that give no reason to wait."""
    found = known.found
    if found is None:
        return [drafts_words.asking_line(known.reference)] if known.asking and known.issues else []
    plain = found.kind == "new" and known.before.tried_at is None
    return [drafts_words.heading_and_sentence(found.heading, _answer(found))] if plain else []


def _answer(found: Verdict) -> str:
    """The provider's answer, and when it was asked if it was."""
    return found.sentence if found.asked is None else drafts_words.asked_at(found.sentence, found.at)


def _waits(before: Before, now: datetime) -> str:
    assert before.waiting is not None
    at = when(before.waiting.queued_at, now)
    match before.waiting.state:
        case "sending":
            return drafts_words.being_sent(at)
        case "in_doubt":
            return drafts_words.in_doubt(at)
    return drafts_words.not_sent_yet(at)
