"""The words of the plots: titles, what is counted, what is left out, and the value of each mark.

Invariant: a definition says what counts and what does not, in the terms of the provider's dates.
"""

from datetime import date

from app.desk.text.typed_dates import day_and_year
from app.store.cache.schema.conditions import STEPS as STEP_NAMES
from app.translation import translate, translate_plural

ALL_FACILITIES = translate("All facilities")
ON_TIME_BY_WEEK = translate("On time, by week")
ON_TIME_BY_FACILITY = translate("On time, by facility")
OPEN_BY_AGE = translate("Open orders, by age and status")
OPEN_DEFINITION = translate(
    "Orders on the open list now, neither completed nor cancelled, by the days since their import. The days chosen "
    "above do not narrow them."
)
NONE_DUE = translate("No order that was delivered on these days had a day it was due.")
NO_OPEN_ORDERS = translate("There are no open orders.")
STEPS = translate("Time from step to step")
STEP_BY_FACILITY = translate("Received to delivered, by facility")
SENT_PER_DAY = translate("Orders sent from this desk, by day")
SENT_PER_WEEK = translate("Orders sent from this desk, by week")
SENT_DEFINITION = translate(
    "Submissions of new and changed orders by the day on which this desk queued them, as they stand now. Cancellations "
    "are not counted."
)
NOTHING_SENT = translate("This desk sent no orders on these days.")
REFUSALS = translate("Refusals, by reason")
REFUSALS_DEFINITION = translate(
    "Answers by which the provider refused a submission of these days, in its own words, also of orders that were "
    "corrected afterwards. An order that was refused twice counts twice."
)
NO_REFUSALS = translate("The provider refused no submission of these days.")
NO_REASON = translate("No reason given")
UNTIL_CONFIRMED = translate("Time until confirmed")
# Titles of a table: what the places and the series of a plot are.
FIRST_DAY, LAST_DAY, DAY = translate("First day"), translate("Last day"), translate("Day")
WEEK = (FIRST_DAY, LAST_DAY)
AGE = (translate("Age in days, from"), translate("Age in days, to"))
FACILITY, STATUS, OUTCOME = translate("Facility"), translate("Status"), translate("Outcome")
STEP, REASON, QUANTILE = translate("Step"), translate("Reason"), translate("Quantile")
QUESTION = (translate("Question"), translate("Text of the question"))
HALF, NINE_OF_TEN = translate("Half, within"), translate("9 of 10, within")
CONFIRMED = translate("Confirmed")
SCORES_BY_FACILITY = translate("Audit scores, by facility")
POOR_BY_QUESTION = translate("Low and failed answers, by question")
STANDS = {
    "taken": translate("Accepted or confirmed"),
    "refused": translate("Refused"),
    "open": translate("Waiting or in doubt"),
    "withdrawn": translate("Withdrawn"),
}
_STEP_WORDS = {
    "import_to_receipt": translate("Imported to received"),
    "receipt_to_loading": translate("Received to loaded"),
    "loading_to_delivery": translate("Loaded to delivered"),
    "receipt_to_delivery": translate("Received to delivered"),
    "import_to_delivery": translate("Imported to delivered"),
}
assert set(_STEP_WORDS) == set(STEP_NAMES)


def step(name: str) -> str:
    """A step."""
    return _STEP_WORDS[name]


def facility(code: str) -> str:
    """A facility by its code."""
    return code or translate("no facility")


def state(code: str, word: str) -> str:
    """A status of an order."""
    if word:
        return translate("{word} ({code})", word=word, code=code)
    return code or translate("no status")


def question(name: str, text: str) -> str:
    """A question of audits by its id."""
    return translate("{name} {text}", name=name, text=text) if text else name


def short_day(day: date) -> str:
    """A day below an axis."""
    return f"{day.day} {_MONTHS[day.month - 1]}"


_MONTHS = (
    *(translate("Jan"), translate("Feb"), translate("Mar"), translate("Apr"), translate("May"), translate("Jun")),
    *(translate("Jul"), translate("Aug"), translate("Sep"), translate("Oct"), translate("Nov"), translate("Dec")),
)


def span(first: date, last: date) -> str:
    """A day or a week, by its days that are counted."""
    if first == last:
        return day_and_year(first)
    return translate("week {first} to {last}", first=day_and_year(first), last=day_and_year(last))


def ages(least: int, most: int | None) -> str:
    """An age in days."""
    if most is None:
        return translate("{least}+ days", least=least)
    return translate("{least} to {most} days", least=least, most=most)


def short_ages(least: int, most: int | None) -> str:
    """An age in days, below an axis."""
    if most is None:
        return translate("{least}+ d", least=least)
    return translate("{least}–{most} d", least=least, most=most)


def orders(count: int) -> str:
    """A number of orders."""
    return translate_plural("{count:,} order", "{count:,} orders", count)


def share(some: int, of: int) -> str:
    """A share with its numbers."""
    return translate("{percent:.0f} %, {some:,} of {of:,}", percent=100 * some / of, some=some, of=of)


def quantiles(middle: int, high: int, cases: int) -> str:
    """The days of a step."""
    return translate(
        "half within {middle}, 9 of 10 within {high}; {orders}",
        middle=_days(middle),
        high=_days(high),
        orders=orders(cases),
    )


def short_quantiles(middle: int, high: int) -> str:
    """The days of a step, where there is little room."""
    return translate("{middle} d, 9 of 10: {high} d", middle=middle, high=high)


def _days(days: int) -> str:
    return translate_plural("{count:,} day", "{count:,} days", days)


def up_to_hours(seconds: int, cases: int) -> str:
    """A time until confirmation."""
    if seconds < 5_400:
        return translate_plural(
            "{count:,} minute ({orders})",
            "{count:,} minutes ({orders})",
            round(seconds / 60),
            orders=orders(cases),
        )
    return translate("{hours:.1f} h ({orders})", hours=seconds / 3_600, orders=orders(cases))


def refusals(count: int) -> str:
    """A number of refusals."""
    return translate_plural("{count:,}", "{count:,}", count)


def score_quantiles(middle: str, cases: int) -> str:
    """The scores of a facility."""
    return translate_plural("{middle} ({count:,} audit)", "{middle} ({count:,} audits)", cases, middle=middle)


def refused_for(reason: str) -> str:
    """Above the rows behind a reason."""
    return translate("Refused: {reason}", reason=reason)


# What is counted


def on_time_definition(least: int) -> str:
    """Of the shares on time."""
    return translate(
        "Completed orders by the day of their delivery. On time is an order that was delivered on the day it was "
        "scheduled for or before; where none was scheduled, the day it was requested for. Cancelled orders are left "
        "out. Fewer than {least} orders have no mark.",
        least=least,
    )


def steps_definition(least: int) -> str:
    """Of the times of steps."""
    return translate(
        "Days between two dates of completed orders that were delivered on the chosen days. A line goes from the "
        "fastest tenth to the day by which 9 of 10 were there, its mark is the day by which half were (nearest rank). "
        "Fewer than {least} orders have no line.",
        least=least,
    )


def confirmed_definition(least: int) -> str:
    """Of the time until confirmed."""
    return translate(
        "From the moment this desk queued an order until it read it back from the provider and found it as sent, by "
        "the week in which it was queued (nearest rank). Weeks of fewer than {least} confirmed orders have no mark.",
        least=least,
    )


def scores_definition(least: int) -> str:
    """Of the scores by facility."""
    return translate(
        "Audits of the chosen days that this desk has fetched. A line goes from the lowest tenth of the scores to the "
        "score that 9 of 10 do not exceed, its mark is the middle one (nearest rank). Fewer than {least} audits have "
        "no line.",
        least=least,
    )


def questions_definition(least: int) -> str:
    """Of the answers by question."""
    return translate(
        "Answers that Waybill grades as low or failed by their first word or their number, of all that it can grade. "
        "The provider does not grade answers. Fewer than {least} graded answers have no bar.",
        least=least,
    )


# What is left out, and why nothing is drawn


def without_due_day(count: int) -> str:
    """Orders without a day to be late by."""
    return translate_plural(
        "{count:,} delivered order had no day it was due and is left out.",
        "{count:,} delivered orders had no day they were due and are left out.",
        count,
    )


def days_not_fetched(count: int, first: date, last: date) -> str:
    """Days of the span that are not in the cache."""
    return translate_plural(
        "{count:,} of these days was not fetched ({first}): its orders are missing here. How many days are fetched is "
        "chosen in Orders.",
        "{count:,} of these days were not fetched ({first} to {last}): their orders are missing here. How many days "
        "are fetched is chosen in Orders.",
        count,
        first=day_and_year(first),
        last=day_and_year(last),
    )


def without_import_day(count: int) -> str:
    """Open orders without an age."""
    return translate_plural(
        "{count:,} open order has no day of import and is left out.",
        "{count:,} open orders have no day of import and are left out.",
        count,
    )


def step_unknown(step_words: str, count: int) -> str:
    """Orders without the dates of a step."""
    return translate_plural(
        "{step}: {count:,} order without both days, or with the later one first, is left out.",
        "{step}: {count:,} orders without both days, or with the later one first, are left out.",
        count,
        step=step_words,
    )


def facilities_without_line(count: int, most: int) -> str:
    """Facilities that are drawn in the sum alone."""
    return translate_plural(
        "Lines are drawn for the {most} facilities with the most deliveries; {count:,} other is in the sum.",
        "Lines are drawn for the {most} facilities with the most deliveries; {count:,} others are in the sum.",
        count,
        most=most,
    )


def facilities_too_few(count: int, least: int) -> str:
    """Facilities of which nothing is said."""
    return translate_plural(
        "{count:,} facility with fewer than {least} orders is left out.",
        "{count:,} facilities with fewer than {least} orders are left out.",
        count,
        least=least,
    )


def facilities_too_few_audits(count: int, least: int) -> str:
    """Facilities of which nothing is said."""
    return translate_plural(
        "{count:,} facility with fewer than {least} audits is left out.",
        "{count:,} facilities with fewer than {least} audits are left out.",
        count,
        least=least,
    )


def facilities_not_shown(count: int) -> str:
    """Facilities below the last row."""
    return translate_plural(
        "{count:,} facility follows and is not shown.", "{count:,} facilities follow and are not shown.", count
    )


def questions_not_shown(count: int) -> str:
    """Questions below the last row."""
    return translate_plural(
        "{count:,} question follows and is not shown.", "{count:,} questions follow and are not shown.", count
    )


def questions_too_few(count: int, least: int) -> str:
    """Questions of which nothing is said."""
    return translate_plural(
        "{count:,} question with fewer than {least} graded answers is left out.",
        "{count:,} questions with fewer than {least} graded answers are left out.",
        count,
        least=least,
    )


def reasons_not_shown(count: int, of: int) -> str:
    """Reasons below the last row."""
    return translate_plural(
        "{count:,} more reason, of {of:,} refusals, is not shown.",
        "{count:,} more reasons, of {of:,} refusals, are not shown.",
        count,
        of=of,
    )


def not_confirmed_yet(count: int) -> str:
    """Accepted orders that were not read back yet."""
    return translate_plural(
        "{count:,} accepted order is not confirmed yet and is left out.",
        "{count:,} accepted orders are not confirmed yet and are left out.",
        count,
    )


def audits_without_score(count: int) -> str:
    """Audits without a score."""
    return translate_plural(
        "{count:,} audit without a score is left out.", "{count:,} audits without a score are left out.", count
    )


def audits_not_opened(count: int) -> str:
    """Audits whose questions are not known."""
    return translate_plural(
        "{count:,} audit was never opened: its answers are not known. Across audits, in Audits, fetches them.",
        "{count:,} audits were never opened: their answers are not known. Across audits, in Audits, fetches them.",
        count,
    )


def too_few_delivered(count: int, least: int) -> str:
    """Why a plot of deliveries is empty."""
    if not count:
        return translate("No order that is known here was delivered on these days.")
    return translate_plural(
        "Too few for a plot: {count:,} delivered order, and {least} are needed for one mark.",
        "Too few for a plot: {count:,} delivered orders, and {least} of a kind are needed for one mark.",
        count,
        least=least,
    )


def too_few_confirmed(count: int, least: int) -> str:
    """Why the plot of confirmations is empty."""
    if not count:
        return translate("No order that was queued on these days has been confirmed.")
    return translate_plural(
        "Too few for a plot: {count:,} confirmed order, and {least} in one week are needed.",
        "Too few for a plot: {count:,} confirmed orders, and {least} in one week are needed.",
        count,
        least=least,
    )


def too_few_audits(count: int, least: int) -> str:
    """Why the plot of scores is empty."""
    if not count:
        return translate("No audit of these days with a score is known here. Audits are fetched on their own page.")
    return translate_plural(
        "Too few for a plot: {count:,} audit, and {least} of one facility are needed.",
        "Too few for a plot: {count:,} audits, and {least} of one facility are needed.",
        count,
        least=least,
    )


def too_few_answers(graded: int, unopened: int, least: int) -> str:
    """Why the plot of questions is empty."""
    if graded:
        return translate_plural(
            "Too few for a plot: {count:,} graded answer, and {least} to one question are needed.",
            "Too few for a plot: {count:,} graded answers, and {least} to one question are needed.",
            graded,
            least=least,
        )
    if unopened:
        return translate("The answers are not known yet: questions come with each audit when it is opened.")
    return translate("No answers of these days are known here.")
