"""The sentences of the forecast. Invariant: each has its numbers, and names the orders that they were counted over."""

from datetime import date

from app.desk.forecast.calibration import LEAST_TESTED, Calibration
from app.desk.forecast.likely_late import Ground
from app.desk.forecast.quantiles import LEAST_CASES
from app.desk.forecast.step_cases import CaseGroup
from app.desk.text.typed_dates import day_and_year
from app.translation import translate, translate_plural

LIKELY_LATE = translate("Likely late")
# The step to the delivery, from its first date, inside a sentence
_FROM_TO = {
    "loading_to_delivery": translate("from loaded to delivered"),
    "receipt_to_delivery": translate("from received to delivered"),
    "import_to_delivery": translate("from imported to delivered"),
}
RULE = translate(
    "An order is likely late if more than half of the completed orders like it took longer than it has until the day "
    "it was requested for, or scheduled for where none was requested. Like it are orders of the same facility and "
    "delivery type that had waited as long and had no more time; where they are fewer than {least}, all such orders of "
    "the facility, then of all facilities; where these are fewer than {least}, nothing is said.",
    least=LEAST_CASES,
)


def group_words(group: CaseGroup) -> str:
    """The facility, and the delivery type if the cases are of one."""
    if group.facility is None:
        return translate("all facilities")
    facility = group.facility or translate("no facility")
    if group.delivery is None:
        return facility
    return translate("{facility} ({delivery})", facility=facility, delivery=group.delivery or translate("no type"))


def ground_words(ground: Ground) -> str:
    """Why an order is likely late."""
    where, step = group_words(ground.group), _FROM_TO[ground.step]
    if ground.waited:
        usual = translate_plural(
            "9 of 10 at {where} that waited {waited} took up to {count:,} day {step}",
            "9 of 10 at {where} that waited {waited} took up to {count:,} days {step}",
            ground.most,
            where=where,
            waited=days_words(ground.waited),
            step=step,
        )
    else:
        usual = translate_plural(
            "9 of 10 at {where} take up to {count:,} day {step}",
            "9 of 10 at {where} take up to {count:,} days {step}",
            ground.most,
            where=where,
            step=step,
        )
    return translate(
        "{usual}; {left} left. Of {cases:,} that had no more than its {given}, {longer:,} took longer.",
        usual=usual,
        left=days_left(ground.left),
        longer=ground.longer,
        cases=ground.cases,
        given=days_words(ground.given),
    )


def days_words(days: int) -> str:
    """A number of days."""
    return translate_plural("{count:,} day", "{count:,} days", days)


def days_left(days: int) -> str:
    """How many days are left, before the word "left"."""
    return translate_plural("{count:,} day is", "{count:,} days are", days)


def calibration_words(found: Calibration | None) -> str:
    """How often the forecast was right."""
    if found is None or not found.enough:
        return translate(
            "How often the forecast is right is not known yet: fewer than {least} orders with a known end came after "
            "those it was made from.",
            least=LEAST_TESTED,
        )
    made = translate_plural(
        "Made from {count:,} order delivered from {first} to {last}.",
        "Made from {count:,} orders delivered from {first} to {last}.",
        found.cases,
        first=_day(found.first),
        last=_day(found.split, before=1),
    )
    checked = translate_plural(
        "Checked on {count:,} order received after that and requested for a day up to {last}: on the day it was "
        "received, against the day it was requested for.",
        "Checked on {count:,} orders received after that and requested for a day up to {last}: each on the day it was "
        "received, against the day it was requested for.",
        found.tested,
        last=_day(found.last),
    )
    silent = translate_plural(
        "For {count:,} it had too few cases.", "For {count:,} it had too few cases.", found.silent
    )
    return " ".join((made, checked, *_score(found), *([silent] if found.silent else [])))


def _score(found: Calibration) -> tuple[str, ...]:
    """How many orders it called likely late, how many of them were, and how many of all late ones it had called."""
    if not found.called:
        none_late = translate("It called none of them likely late, and none was late.")
        late = translate_plural(
            "It called none of them likely late; {count:,} was late.",
            "It called none of them likely late; {count:,} were late.",
            found.late,
        )
        return (late if found.late else none_late,)
    if not found.right:
        wrong = translate_plural(
            "It called {count:,} likely late, which was not late.",
            "It called {count:,} likely late, none of which was late.",
            found.called,
        )
        missed = translate_plural(
            "It had not called the {count:,} late order.",
            "It had called none of the {count:,} late orders.",
            found.late,
        )
        return (wrong, missed) if found.late else (wrong,)
    called = translate_plural(
        "It called {count:,} likely late, {right:,} of which was late.",
        "It called {count:,} likely late, {right:,} of which were late.",
        found.called,
        right=found.right,
    )
    late = translate_plural(
        "Of {count:,} late order it had called {right:,}.",
        "Of {count:,} late orders it had called {right:,}.",
        found.late,
        right=found.right,
    )
    return called, late


def _day(day: date, *, before: int = 0) -> str:
    shown = date.fromordinal(day.toordinal() - before)
    return day_and_year(shown)
