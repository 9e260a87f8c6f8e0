"""The words of the page *Today*."""

from datetime import datetime, timedelta

from app.desk.text.typed_dates import short_moment
from app.translation import translate, translate_plural
from app.ui.widgets.widget_words import beside

TODAY = translate("Today")
LINES = translate("What needs somebody, the worst first")
UNDO, TRY_AGAIN = translate("Undo"), translate("Try again")
RULES, RULES_TIP = translate("Rules…"), translate("Which rules find what needs somebody, and their numbers")
OPEN, LOOK_UP, CHANGE = translate("Open"), translate("Look up"), translate("Change")
CORRECT = translate("Correct")
CALL, COPY_PHONE = translate("Call"), translate("Copy phone number")
SNOOZE, DONE = translate("Snooze…"), translate("Done for today")
BRING_BACK, SHOW_ORDERS, REVIEW_RULES = translate("Show again"), translate("Show orders"), translate("Choose rules")
READING = translate("Reading…")
NOTHING_YET = translate("No orders yet")
NOTHING_YET_SENTENCE = translate(
    "What needs you is listed here once orders have been fetched. F5 on Orders fetches them."
)
NOTHING_NEEDED = translate("Nothing needs you")
NO_RULE_ON = translate("No rule is on")
NO_RULE_ON_SENTENCE = translate("Nothing can be found before a rule is switched on.")
NONE_SNOOZED, NONE_SNOOZED_SENTENCE = (
    translate("Nothing is snoozed"),
    translate("A snoozed line waits here until its time, or until matters get worse."),
)
NONE_DONE, NONE_DONE_SENTENCE = (
    translate("Nothing is done yet"),
    translate("What you are done with for today is listed here, and can be shown again."),
)
MORE_FOLLOW = translate("The next ones are listed here as soon as some of those above are done.")
NOT_READ = translate("Today could not be read")
ASKING = translate("Asking the provider…")
# The keys of the current line.
LOOK_UP_KEY, OPEN_KEY, CORRECT_KEY = translate("L look up"), translate("Enter open"), translate("E correct")
SNOOZE_KEY, DONE_KEY, AGAIN_KEY = translate("S snooze"), translate("D done"), translate("B show again")


def call_key(phone: str, *, calls: bool) -> str:
    """The key that calls or copies a phone number."""
    return translate("C call {phone}", phone=phone) if calls else translate("C copy {phone}", phone=phone)


def tab(name: str, count: int) -> str:
    """A tab with its count; `name` is `todo`, `snoozed` or `done`."""
    if name == "todo":
        return translate("To do {count:,}", count=count)
    return (
        translate("Snoozed {count:,}", count=count) if name == "snoozed" else translate("Done {count:,}", count=count)
    )


def status(todo: int, snoozed: int, done: int, at: str) -> str:
    """The status bar on this page."""
    return beside(
        translate_plural("{count:,} line needs somebody", "{count:,} lines need somebody", todo),
        translate_plural("{count:,} snoozed", "{count:,} snoozed", snoozed) if snoozed else "",
        translate_plural("{count:,} done today", "{count:,} done today", done) if done else "",
        translate("read at {at}", at=at),
    )


def found_nothing(rules: int, as_of: str, *, away: bool) -> str:
    """The page is empty; `as_of` is when the orders were last fetched, empty where that is not known.

    `away`: the rules do find something, but that is done for today or snoozed.
    """
    if away and not as_of:
        return translate_plural(
            "{count:,} rule finds nothing else.", "None of {count:,} rules finds anything else.", rules
        )
    if away:
        return translate_plural(
            "{count:,} rule finds nothing else in the orders as of {at}.",
            "None of {count:,} rules finds anything else in the orders as of {at}.",
            rules,
            at=as_of,
        )
    if not as_of:
        return translate_plural("{count:,} rule finds nothing.", "None of {count:,} rules finds anything.", rules)
    return translate_plural(
        "{count:,} rule finds nothing in the orders as of {at}.",
        "None of {count:,} rules finds anything in the orders as of {at}.",
        rules,
        at=as_of,
    )


def worked_off(done: int) -> str:
    """What was done today."""
    return translate_plural("You are done with {count:,} today.", "You are done with {count:,} today.", done)


def next_again(count: int, when: str) -> str:
    """What is snoozed."""
    return translate_plural(
        "{count:,} is snoozed until {when}.", "{count:,} are snoozed, the first until {when}.", count, when=when
    )


def group_spoken(title: str, count: int, sentence: str) -> str:
    """The heading of a group, as a screen reader says it."""
    return translate("{title}, {count:,}. {sentence}", title=title, count=count, sentence=sentence)


def more(count: int) -> str:
    """Lines of a group that are not shown."""
    return translate_plural("{count:,} more, in Orders", "{count:,} more, in Orders", count)


SINCE_TODAY = translate("since today")


def since(day: str) -> str:
    """Since when it is so."""
    return translate("since {day}", day=day)


def also(names: str) -> str:
    """What else is wrong with the order."""
    return translate("also: {names}", names=names)


def until(when: str, words: str) -> str:
    """A snoozed line; `words` is what a person wrote about it, perhaps empty."""
    return translate("until {when}: {words}", when=when, words=words) if words else translate("until {when}", when=when)


def done_at(when: datetime) -> str:
    """A line that is done with."""
    return translate("done at {time}", time=f"{when:%H:%M}")


def no_phone(title: str) -> str:
    """Nobody can be called: an order without a number, or a line about something else."""
    return translate("No phone number is known for {title}.", title=title)


def answer(title: str, sentence: str) -> str:
    """What the provider says about an order."""
    return translate("{title}: {sentence}", title=title, sentence=sentence)


def only_orders(title: str) -> str:
    """The line is about no order of the provider's."""
    return translate("{title} is opened with Enter.", title=title)


def snoozed_until(title: str, when: str) -> str:
    """A line was snoozed."""
    return translate("{title} is snoozed until {when}.", title=title, when=when)


def done_for_today(title: str) -> str:
    """A line is done with."""
    return translate("{title} is done for today.", title=title)


def shown_again(title: str) -> str:
    """A line shows again."""
    return translate("{title} is shown again.", title=title)


def not_kept(title: str, why: str) -> str:
    """What was done with a line could not be stored; `why` is a sentence."""
    return translate("{title} stays. {why}", title=title, why=why)


# Snoozing


SNOOZE_UNTIL, REASON = translate("Snooze until"), translate("Reason")


def reason_length(length: int, limit: int) -> str:
    """The reason is about as long as it may be, or longer."""
    if length <= limit:
        return translate("{length} of {limit} characters", length=length, limit=limit)
    return translate("{length} of {limit} characters: shorten it.", length=length, limit=limit)


REASON_HINT = translate("For instance: waits for a call back")
CANCEL, SNOOZE_NOW = translate("Cancel"), translate("Snooze")


def snooze_title(title: str) -> str:
    """The dialog's heading."""
    return translate("Snooze {title}", title=title)


def snooze_times(now: datetime) -> list[tuple[str, datetime]]:
    """The times to choose from, with their words, the usual one first; each time once."""
    morning = now.replace(hour=8, minute=0, second=0, microsecond=0)
    tomorrow = morning + timedelta(days=1)
    monday = morning + timedelta(days=7 - now.weekday())
    in_three, in_a_week = morning + timedelta(days=3), morning + timedelta(days=7)
    times = [
        (translate("tomorrow, 08:00"), tomorrow),
        (translate("in 1 hour, {time}", time=f"{now + timedelta(hours=1):%H:%M}"), now + timedelta(hours=1)),
        (translate("in 3 hours, {time}", time=f"{now + timedelta(hours=3):%H:%M}"), now + timedelta(hours=3)),
        (translate("in 3 days, {when}", when=short_moment(in_three, now.date())), in_three),
        (translate("next week, {when}", when=short_moment(monday, now.date())), monday),
        (translate("in a week, {when}", when=short_moment(in_a_week, now.date())), in_a_week),
    ]
    found: dict[datetime, str] = {}
    for said, when in times:  # on a Monday next week is in a week, on a Friday it is in three days
        found.setdefault(when.replace(second=0, microsecond=0), said)
    return [(said, when) for when, said in found.items()]


def moment(when: datetime, now: datetime) -> str:
    """`14:00` today, else `Mon 23 Nov 08:00`."""
    return f"{when:%H:%M}" if when.date() == now.date() else short_moment(when, now.date())
