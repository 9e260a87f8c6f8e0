"""The words of reasons: the names and sentences of the rules, and what a line of *Today* or of *Why* says."""

from collections.abc import Iterable
from datetime import date

from app.contract.codes import FOLDER_TYPE_WORDS
from app.desk.text.typed_dates import short_day
from app.translation import translate, translate_plural

# The rules, by name.
RULES: dict[str, str] = {
    "in-doubt": translate("In doubt"),
    "refused": translate("Refused"),
    "held": translate("Waits for you"),
    "vanished": translate("On no list"),
    "overdue": translate("Overdue"),
    "damaged": translate("Damage or refusal"),
    "undelivered": translate("Not delivered"),
    "scheduled-late": translate("Scheduled late"),
    "likely-late": translate("Likely late"),
    "soon": translate("About to be late"),
    "unreceived": translate("Not received"),
    "unscheduled": translate("Not scheduled"),
    "stuck": translate("Stuck"),
    "no-proof": translate("No proof of delivery"),
    "overage": translate("Overage of a load"),
    "low-audit": translate("Low audit"),
    "changed": translate("Watched, and changed"),
    "changed-open": translate("Changed"),
}


def rule_sentence(name: str, days: int, score: int, paper_days: int) -> str:
    """What a rule finds; `days` and `score` are its numbers."""
    if name == "in-doubt":
        return translate("Sent by this desk, and nobody knows whether it arrived.")
    if name == "refused":
        return translate("Sent by this desk, and refused by the provider.")
    if name == "held":
        return translate("In the outbox, and sent only once you say so.")
    if name == "overdue":
        return translate_plural(
            "Due {count:,} day ago or more, and not delivered.",
            "Due {count:,} days ago or more, and not delivered.",
            days,
        )
    if name == "damaged":
        return translate_plural(
            "Has a document of damage or refusal, and is open or was delivered at most {count:,} day ago.",
            "Has a document of damage or refusal, and is open or was delivered at most {count:,} days ago.",
            days,
        )
    if name == "undelivered":
        return translate_plural(
            "Loaded {count:,} day ago or more, and not delivered.",
            "Loaded {count:,} days ago or more, and not delivered.",
            days,
        )
    if name == "scheduled-late":
        return translate_plural(
            "Scheduled {count:,} day or more after the requested day.",
            "Scheduled {count:,} days or more after the requested day.",
            days,
        )
    if name == "likely-late":
        return translate("More than half of the completed orders like it took longer than it has left.")
    if name == "stuck":
        return translate(
            "Waits longer than 9 of 10 completed orders of its facility took from the same step to delivery."
        )
    if name == "soon":
        return translate_plural(
            "Due today or within {count:,} day, neither received nor dispatched.",
            "Due today or within {count:,} days, neither received nor dispatched.",
            days,
        )
    if name == "unreceived":
        return translate_plural(
            "Receipt was estimated for {count:,} day ago or more, and it is not received.",
            "Receipt was estimated for {count:,} days ago or more, and it is not received.",
            days,
        )
    if name == "unscheduled":
        return translate_plural(
            "Received {count:,} day ago or more, and not scheduled.",
            "Received {count:,} days ago or more, and not scheduled.",
            days,
        )
    if name == "no-proof":
        return translate_plural(
            "Delivered {count:,} day ago or more, at most {most:,}, and no document is a proof of delivery.",
            "Delivered {count:,} days ago or more, at most {most:,}, and no document is a proof of delivery.",
            days,
            most=paper_days,
        )
    if name == "overage":
        return translate_plural(
            "Overage was found on a load when you asked, at most {count:,} day ago.",
            "Overage was found on a load when you asked, at most {count:,} days ago.",
            days,
        )
    if name == "low-audit":
        return translate_plural(
            "Audited at most {count:,} day ago with less than {score} % of the highest score, and not reviewed. "
            "Audits and notices call such a score low too.",
            "Audited at most {count:,} days ago with less than {score} % of the highest score, and not reviewed. "
            "Audits and notices call such a score low too.",
            days,
            score=score,
        )
    if name == "changed":
        return translate("Watched, and changed since you looked at it.")
    if name == "changed-open":
        return translate("Open, and changed since you looked at it.")
    return translate("No longer on the list of open orders, and neither completed nor cancelled.")


def day(when: date, today: date) -> str:
    """`Fri 30 Oct`, with the year where it is not near."""
    return short_day(when, today)


# What is wrong

ON_NO_LIST = translate("On no list")
DAMAGED, REFUSED_FREIGHT = translate("Damage"), translate("Refused freight")
NOT_RECEIVED, NOT_SCHEDULED, NOT_DELIVERED = (
    translate("Not received"),
    translate("Not scheduled"),
    translate("Not delivered"),
)
NO_PROOF = translate("No proof of delivery")
CHANGED = translate("Changed")
LIKELY_LATE, STUCK = translate("Likely late"), translate("Stuck")


def days_late(days: int) -> str:
    """The order is not delivered, and was due so many days ago."""
    return translate_plural("{count:,} day late", "{count:,} days late", days)


def scheduled_late(days: int) -> str:
    """The order is scheduled so many days after the requested day."""
    return translate_plural("Scheduled {count:,} day late", "Scheduled {count:,} days late", days)


def due_in(days: int, when: str) -> str:
    """The order is due today, or in so many days."""
    if days <= 0:
        return translate("Due today")
    return translate("Due tomorrow") if days == 1 else translate("Due {day}", day=when)


# Why


def never_received(due: str) -> str:
    """Overdue: the facility has not received it."""
    return translate("never received, was due {due}", due=due)


def received_not_scheduled(received: str, due: str) -> str:
    """Overdue: it is at the facility without a day of delivery; `received` is empty where the day is not said."""
    if not received:
        return translate("received, never scheduled, was requested for {due}", due=due)
    return translate("received {received}, never scheduled, was requested for {due}", received=received, due=due)


def received_not_loaded(received: str, due: str) -> str:
    """Overdue: it is at the facility, and no truck has it; `received` is empty where the day is not said."""
    if not received:
        return translate("received, not loaded, was due {due}", due=due)
    return translate("received {received}, not loaded, was due {due}", received=received, due=due)


def loaded_not_delivered(loaded: str, due: str) -> str:
    """Loaded, and not delivered; `due` is empty where no day was said."""
    if not due:
        return translate("loaded {loaded}, no day of delivery is known", loaded=loaded)
    return translate("loaded {loaded}, due {due}", loaded=loaded, due=due)


def asked_and_planned(requested: str, scheduled: str) -> str:
    """Scheduled after the requested day."""
    return translate("requested for {requested}, scheduled for {scheduled}", requested=requested, scheduled=scheduled)


def estimated(when: str) -> str:
    """Not received, though it should be."""
    return translate("receipt was estimated for {day}", day=when)


def not_received_yet(when: str) -> str:
    """About to be late; `when` is the estimated day of receipt, empty for none."""
    if not when:
        return translate("not received, and no day of receipt is estimated")
    return translate("not received, receipt is estimated for {day}", day=when)


def received_on(received: str, requested: str) -> str:
    """Not scheduled; `requested` is empty where no day was requested."""
    if not requested:
        return translate("received {received}, no day is requested", received=received)
    return translate("received {received}, requested for {requested}", received=received, requested=requested)


def delivered_without(when: str, person: str) -> str:
    """Delivered, and the proof is missing; `person` is empty where nobody is named."""
    if not person:
        return translate("delivered {day}", day=when)
    return translate("delivered {day} by {person}", day=when, person=person)


def left_open(when: str) -> str:
    """On no list; `when` it was last seen on the list of open orders, empty where that is not known."""
    if not when:
        return translate("gone from open, and not completed")
    return translate("gone from open since {day}, and not completed", day=when)


def changed_fields(fields: str) -> str:
    """What changed; `fields` are names of columns."""
    return translate("{fields} changed since you looked", fields=fields)


CHANGED_SINCE = translate("changed since you looked")


def what_and_why(what: str, why: str) -> str:
    """A whole reason."""
    return translate("{what}: {why}", what=what, why=why) if why else what


def documents(codes: Iterable[str]) -> str:
    """The kinds of documents that tell of damage or refusal."""
    return ", ".join(translate("{code} {word}", code=code, word=FOLDER_TYPE_WORDS.get(code, "")) for code in codes)


def stuck_since(column: str, day: str, facility: str, usual: int) -> str:
    """Stuck since the date of `column`; 9 of 10 orders of the facility took `usual` days from there to delivery."""
    where = facility or translate("no facility")
    if column == "loaded_at":
        return translate_plural(
            "loaded {day}; 9 of 10 at {where} are delivered within {count:,} day of loading",
            "loaded {day}; 9 of 10 at {where} are delivered within {count:,} days of loading",
            usual,
            day=day,
            where=where,
        )
    if column == "received_at":
        return translate_plural(
            "received {day}; 9 of 10 at {where} are delivered within {count:,} day of receipt",
            "received {day}; 9 of 10 at {where} are delivered within {count:,} days of receipt",
            usual,
            day=day,
            where=where,
        )
    return translate_plural(
        "imported {day}; 9 of 10 at {where} are delivered within {count:,} day of import",
        "imported {day}; 9 of 10 at {where} are delivered within {count:,} days of import",
        usual,
        day=day,
        where=where,
    )
