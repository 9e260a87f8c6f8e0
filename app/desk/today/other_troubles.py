"""The lines of *Today* that are about no order of the provider's: writes of the outbox, audits, loads."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app.desk.audits import audit_reviews
from app.desk.audits.audit_filter import largest_low
from app.desk.audits.audit_views import read_scale
from app.desk.audits.scores import figure
from app.desk.desk import Desk
from app.desk.loads import overage
from app.desk.reasons.order_reasons import Reason
from app.desk.reasons.reason_rules import Rule
from app.desk.sending import outbox
from app.desk.today import today_words as words
from app.store.cache.audits import audit_query
from app.store.cache.audits.audit_rows import AuditQuery
from app.store.journal.records import WriteState

_MOST = 1_000
_STATES: dict[str, tuple[tuple[WriteState, ...], bool | None]] = {
    "in-doubt": (("in_doubt",), None),
    "refused": (("rejected",), None),
    "held": (("queued",), True),
}


@dataclass(frozen=True, slots=True)
class OtherTrouble:
    """A line about a write, an audit or a load: `kind` and `name` say which, `title` as a person reads it."""

    kind: str
    name: str
    title: str
    reason: Reason


async def other_troubles(desk: Desk, rule: Rule) -> list[OtherTrouble]:
    """The finds of a rule that is not about orders, the worst first. Raises `StoreError`."""
    if rule.source == "outbox":
        return await _writes(desk, rule)
    return await (_audits(desk, rule) if rule.source == "audits" else _loads(desk, rule))


async def _writes(desk: Desk, rule: Rule) -> list[OtherTrouble]:
    states, held = _STATES[rule.name]
    # While a connection is blocked nothing is sent, so all that is queued waits for a person.
    if rule.name == "held" and desk.blocked:
        held = None
    today, found = desk.now().date(), await outbox.writes(desk, states, _MOST, held=held)
    return [
        OtherTrouble(
            "write",
            str(each.id),
            each.reference,
            _reason(rule, words.write_why(each.note or "", cancels=each.kind == "cancel"), each.changed_at, today),
        )
        for each in reversed(found)
    ]


def _reason(rule: Rule, why: str, since: datetime, today: date) -> Reason:
    day = since.astimezone().date()
    return Reason(rule.name, rule.title, why, day, (today - day).days)


async def _audits(desk: Desk, rule: Rule) -> list[OtherTrouble]:
    today, profile = desk.now().date(), desk.profile.id
    scale = await read_scale(desk, [rule])
    reviewed = (await audit_reviews.marked(desk)).reviewed
    query = AuditQuery(
        profile,
        first=today - timedelta(days=rule.days),
        last=today,
        highest=largest_low(scale),
        without=reviewed,
        sort="score",
        descending=False,
    )
    found = await desk.reader.read(audit_query.page_audits, query, _MOST)
    lines = []
    for each in found:
        if each.score is None or each.date is None:
            continue
        what = words.score(figure(each.score), figure(scale.top))
        reason = Reason(rule.name, what, words.audited(each.kind or "", each.facility or ""), each.date.date())
        lines.append(OtherTrouble("audit", str(each.number), words.audit_title(each.number), reason))
    return lines


async def _loads(desk: Desk, rule: Rule) -> list[OtherTrouble]:
    today = desk.now().date()
    since = today - timedelta(days=rule.days)
    lines = []
    for load, noted in (await overage.asked_loads(desk)).items():
        if noted.count and noted.at.date() >= since:
            day = noted.at.date()
            reason = Reason(
                rule.name, words.items_over(noted.count), words.asked(noted.at), day, noted.count, noted.count
            )
            lines.append(OtherTrouble("load", load, words.load_title(load), reason))
    return sorted(lines, key=lambda each: (-each.reason.days, each.name))
