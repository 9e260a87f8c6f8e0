"""The one verdict on the order in the form: all that is known of it, in one heading, with what the button will do.

What stands in the way comes first: what a person has to agree to, then what a person should look at. "Ready to submit"
is said only where nothing of either is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from app.desk.drafts.reference_history import Before
from app.desk.drafts.scanning import Tally
from app.desk.sending.verdict import Verdict, VerdictKind
from app.store.sqlite.text_values import local

Tone = Literal["", "good", "warn", "bad", "soft"]
SUBMIT, CHANGE = "Submit order", "Send change"
_NAMED = 4
READY = "✓ Ready to submit"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the order in the form, from whomever. `places` are what the program filled in and nobody has
    accepted, in words; `doubts` what looks mistyped; `refused` the provider's words with their places."""

    reference: str
    now: datetime
    to_do: int = 0
    asking: bool = False
    found: Verdict | None = None
    before: Before = field(default_factory=Before)
    refused: Sequence[str] = ()
    scans: Sequence[Tally] = ()
    filled_in: Sequence[str] = ()
    doubts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What a person has to say yes to before the order is sent."""

    title: str
    sentence: str
    yes: str


@dataclass(frozen=True, slots=True)
class SumUp:
    """The verdict: its heading, the sentences below it, what the button says, and what is asked when it is pressed.

    `agreed` is the provider's verdict that a yes is said to, where one of the questions is about that.
    """

    heading: str
    tone: Tone
    lines: tuple[str, ...] = ()
    action: str = SUBMIT
    questions: tuple[Question, ...] = ()
    agreed: VerdictKind | None = None


@dataclass(frozen=True, slots=True)
class _Point:
    """One thing that is known. `heading` names it, `action` is what the button says because of it."""

    heading: str
    tone: Tone
    sentence: str
    action: str = ""
    question: Question | None = None


def sum_up(known: Known) -> SumUp:
    """All of it in one."""
    asked, told = _to_agree(known), _to_look_at(known)
    points = [*asked, *told]
    questions = tuple(each.question for each in asked if each.question is not None)
    base = next((each.action for each in points if each.action), SUBMIT)
    action = base if not questions or base.endswith("…") else f"{base}…"
    agreed = known.found.kind if known.found is not None and known.found.needs_yes else None
    if known.to_do:
        heading = f"{known.to_do:,} thing{'s' if known.to_do != 1 else ''} to do"
        lines = [*map(_with_heading, points), *_calm(known)]
        return SumUp(heading, "", tuple(lines), action, questions, agreed)
    if points:
        first = points[0]
        lines = [first.sentence, *map(_with_heading, points[1:]), *_calm(known)]
        return SumUp(first.heading, first.tone, tuple(each for each in lines if each), action, questions, agreed)
    if known.found is None:
        waits = f"… Asking how {known.reference} stands" if known.asking else "… Not asked yet how it stands"
        return SumUp(waits, "soft", ("Nothing is left to fill in.",), action)
    return SumUp(READY, "good", tuple(_calm(known)), action)


def _with_heading(point: _Point) -> str:
    return f"{point.heading}. {point.sentence}".strip() if point.heading else point.sentence


def _to_agree(known: Known) -> list[_Point]:
    """What is sent only after a yes, the gravest first."""
    points = []
    found, before, name = known.found, known.before, known.reference
    if found is not None and found.needs_yes:
        question = Question(f"Send {name} as a second order?", found.sentence, "Send as a second order")
        points.append(_Point(f"✕ {found.heading}", "bad", _said(found), "Send second order…", question))
    if before.refused is not None and known.refused:
        words = " ".join(known.refused)
        sentence = f"Refused {when(before.refused.changed_at, known.now)}. {words}"
        question = Question(f"Send {name} again though it was refused?", words, "Send again")
        points.append(_Point("✕ The provider refused this", "bad", sentence, "Send again…", question))
    if before.waiting is not None and before.same:
        question = Question(f"Send {name} once more?", _waits(before, known.now), "Send once more")
        points.append(_Point("! In the outbox already", "warn", _waits(before, known.now), "Send once more…", question))
    elif found is not None and found.nothing_new and found.sent_at is not None:
        sentence = f"The same as what was sent {when(found.sent_at, known.now)}."
        question = Question(f"Send {name} once more?", f"{sentence} It would change nothing.", "Send once more")
        points.append(_Point("= Nothing to send", "soft", f"{sentence} {_said(found)}", "Send once more…", question))
    if known.scans:
        words = _scans(known.scans)
        question = Question(f"Send {name} though the scans do not match?", words, "Send all the same")
        base = CHANGE if found is not None and found.kind in ("changes", "import_queue") else ""
        points.append(_Point("! Scans do not match the freight", "warn", words, base, question))
    return points


def _to_look_at(known: Known) -> list[_Point]:
    """What a person should know, and nothing is asked about."""
    points = []
    found, before = known.found, known.before
    if before.trouble:
        points.append(_Point("! Cannot tell what was sent before", "warn", before.trouble))
    if before.waiting is not None and not before.same:
        points.append(_Point("! Another version is in the outbox", "warn", _waits(before, known.now)))
    if found is not None and found.kind in ("changes", "import_queue") and not found.nothing_new:
        glyph = "◑" if found.kind == "changes" else "◔"
        points.append(_Point(f"{glyph} {found.heading}", "warn", _said(found), CHANGE))
    if found is not None and found.kind == "unknown":
        points.append(_Point(f"! {found.heading}", "warn", _said(found)))
    elif found is not None and found.kind == "new" and before.tried_at is not None:
        sentence = (
            f"{_said(found)} This desk sent it {when(before.tried_at, known.now)}, so this may be a second order: it "
            "waits in the outbox until that is clear."
        )
        points.append(_Point("! May be a second order", "warn", sentence))
    if known.doubts:
        points.append(_Point("! Looks mistyped", "warn", _some(known.doubts)))
    if known.filled_in:
        words = f"{_some(known.filled_in, '; ')}. It will be sent as it stands. Alt+A accepts it."
        points.append(_Point("! Filled in by Waybill", "warn", words))
    return points


def _calm(known: Known) -> list[str]:
    """What is known and stands in nobody's way."""
    found = known.found
    if found is None:
        return [f"Asking how {known.reference} stands…"] if known.asking and known.to_do else []
    plain = found.kind == "new" and known.before.tried_at is None
    return [f"{found.heading}. {_said(found)}"] if plain else []


def _said(found: Verdict) -> str:
    asked = "" if found.asked is None else f" Asked at {local(found.at):%H:%M:%S}."
    return f"{found.sentence}{asked}"


def _waits(before: Before, now: datetime) -> str:
    assert before.waiting is not None
    at = when(before.waiting.queued_at, now)
    match before.waiting.state:
        case "sending":
            return f"It was submitted {at} and is being sent."
        case "in_doubt":
            return f"It was submitted {at}, and whether it arrived is in doubt."
    return f"It was submitted {at} and is not sent yet."


def _scans(scans: Sequence[Tally]) -> str:
    return f"{_some([f'{each.commodity}: {each.words}' for each in scans], '. ')}."


def _some(words: Sequence[str], between: str = " ") -> str:
    more = f"{between}and {len(words) - _NAMED:,} more" if len(words) > _NAMED else ""
    return f"{between.join(words[:_NAMED])}{more}"


def when(moment: datetime, now: datetime) -> str:
    """`at 14:02`, of another day `on Mon 24 Nov at 14:02`."""
    there, here = local(moment), local(now)
    return (
        f"at {there:%H:%M}" if there.date() == here.date() else f"on {there:%a} {there.day} {there:%b} at {there:%H:%M}"
    )
