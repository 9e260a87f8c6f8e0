"""The words of the filter of orders: what a filter cannot mean, and what a clause says.

Invariant: a sentence about a typed filter quotes what was typed and says what would be right. What is typed itself
(`status:`, `is:late`, `today..+3`) is a language of its own and is not translated.
"""

from collections.abc import Iterable

from app.translation import translate, translate_plural

# Lists, by their names in a clause.
LISTS = {"open": translate("Open"), "completed": translate("Completed"), "other": translate("On no list")}

# What a chip calls the field of a clause.
TITLES: dict[str, str] = {
    "list": translate("List"),
    "state": translate("Status"),
    "facility": translate("Facility"),
    "delivery": translate("Delivery"),
    "brand": translate("Brand"),
    "manufacturer": translate("Manufacturer"),
    "region": translate("State"),
    "city": translate("City"),
    "zip": translate("ZIP"),
    "imported": translate("Imported"),
    "estimated": translate("Receipt estimated"),
    "received_on": translate("Received"),
    "requested": translate("Requested"),
    "scheduled": translate("Scheduled"),
    "loaded": translate("Loaded"),
    "delivered_on": translate("Delivered"),
    "due": translate("Due"),
    "late": translate("Late"),
    "over": translate("Scheduled after the requested day"),
    "import_to_receipt": translate("Imported to received"),
    "receipt_to_loading": translate("Received to loaded"),
    "loading_to_delivery": translate("Loaded to delivered"),
    "receipt_to_delivery": translate("Received to delivered"),
    "import_to_delivery": translate("Imported to delivered"),
    "received": translate("Received"),
    "delivered": translate("Delivered"),
    "changed": translate("Changed since you looked"),
    "changed_on": translate("Changed"),
    "has": translate("Documents"),
    "number": translate("Number"),
    "reference": translate("Reference"),
    "watched": translate("Watched"),
    "outbox": translate("In the outbox"),
    "attention": translate("Needs attention"),
    "likely_late": translate("Likely late"),
}

# What can change of an order, by its name in `changed:`.
CHANGES: dict[str, str] = {
    "status": translate("Status"),
    "list": translate("List"),
    "scheduled": translate("Scheduled"),
    "requested": translate("Requested"),
    "estimated": translate("Receipt estimated"),
    "received": translate("Received"),
    "loaded": translate("Loaded"),
    "delivered": translate("Delivered"),
    "imported": translate("Imported"),
    "documents": translate("Documents"),
    "notes": translate("Notes"),
    "freight": translate("Freight"),
    "consignee": translate("Consignee"),
    "facility": translate("Facility"),
    "carrier": translate("Carrier"),
    "manufacturer": translate("Manufacturer"),
    "delivery": translate("Delivery"),
    "brand": translate("Brand"),
    "reference": translate("Reference"),
    "pos": translate("Purchase orders"),
    "bol": translate("BOL"),
    "remarks": translate("Remarks"),
}

YES, NO, NOT_REPORTED = translate("yes"), translate("no"), translate("not reported")
ANY, NONE = translate("any"), translate("none")
NO_VALUE = translate("no value")
ANY_DOCUMENT, NO_DOCUMENT = translate("any document"), translate("no document")
TODAY, TOMORROW, YESTERDAY = translate("today"), translate("tomorrow"), translate("yesterday")


# What a clause says


def with_code(word: str, code: str) -> str:
    """A word beside its code: `Dispatched (DSO)`."""
    return translate("{word} ({code})", word=word, code=code)


def clause(title: str, words: str, *, negated: bool) -> str:
    """A clause as a chip shows it; `words` are its values, empty if the title says all."""
    if words:
        if negated:
            return translate("{title}: not {words}", title=title, words=words)
        return translate("{title}: {words}", title=title, words=words)
    return translate("Not {title}", title=f"{title[0].lower()}{title[1:]}") if negated else title


def any_of(words: Iterable[str]) -> str:
    """Values of which any will do: `Dispatched (DSO) or Planned (PLN)`."""
    found, *others = words
    for word in others:
        found = translate("{first} or {second}", first=found, second=word)
    return found


def one_of_many(count: int) -> str:
    """Values that are too many to name."""
    return translate("one of {count:,}", count=count)


def days_or_more(days: int) -> str:
    """A least number of days."""
    return translate_plural("by {count:,} day or more", "by {count:,} days or more", days)


def days_taken(least: str, most: str) -> str:
    """How many days a step took, between two limits; an empty limit is none."""
    if not least and not most:
        return translate("known")
    if not least:
        return translate_plural("{count:,} day or less", "{count:,} days or less", int(most))
    if not most:
        return translate_plural("{count:,} day or more", "{count:,} days or more", int(least))
    if least == most:
        return translate_plural("{count:,} day", "{count:,} days", int(least))
    return translate("{least} to {most} days", least=least, most=most)


def changed_parts(parts: str, days: str) -> str:
    """What changed, and when."""
    return translate("{parts}, {days}", parts=parts, days=days)


def up_to(day: str) -> str:
    """Days without a first one."""
    return translate("up to {day}", day=day)


def from_day(day: str) -> str:
    """Days without a last one."""
    return translate("from {day}", day=day)


def from_to(first: str, last: str) -> str:
    """Days between two, both included."""
    return translate("{first} to {last}", first=first, last=last)


# What a filter cannot mean

ONE_WORD_AFTER_IS = translate("“is:” takes one word. Type “is:” again for another.")
NO_COMMAS_BETWEEN_DAYS = translate("Days cannot be separated by commas. Type the first and the last day: today..+3.")
ATTENTION_NOT_NEGATED = translate("“attention” cannot be negated.")


def no_such_field(name: str) -> str:
    """The name before a colon is not known."""
    return translate("No filter is called “{name}”. To search for this text, put it in quotes.", name=name)


def value_missing(name: str, example: str) -> str:
    """The sentence for a field whose colon nothing follows."""
    return translate("Type a value after “{name}:”, for instance {example}.", name=name, example=example)


def no_such_standing(word: str, known: str) -> str:
    """The word after `is:` is not known."""
    return translate("“is:{word}” is not known. It can be {known}.", word=word, known=known)


def not_a_number(value: str) -> str:
    """An order number holds something else than digits."""
    return translate("“{value}” is not an order number. Order numbers have digits only.", value=value)


def not_a_day(value: str) -> str:
    """A date is not understood."""
    return translate(
        "“{value}” is not a day. Type today, yesterday, +3, -7, fri, 2026-03-31, any or none; "
        "with .. between two days, all days from the first to the last.",
        value=value,
    )


def no_such_change(value: str, known: str) -> str:
    """Neither a day nor a part of an order."""
    return translate(
        "“{value}” is neither a day nor a part of an order. Days are today, yesterday, -7..today, 2026-03-31 or "
        ">2026-03-31; parts are {known}. Both: scheduled:today.",
        value=value,
        known=known,
    )


def last_before_first(first: str, last: str) -> str:
    """The days of a span are in the wrong order."""
    return translate("{first} is after {last}. Type the earlier day first.", first=first, last=last)


def not_a_number_of_days(value: str) -> str:
    """A least number of days is not understood."""
    return translate("“{value}” is not a number of days. Type the least number, 1 or more.", value=value)


def not_days_taken(value: str) -> str:
    """The days that a step took are not understood."""
    return translate(
        "“{value}” is not a number of days. Type 6 for 6 days or more, ..6 for 6 or less, 2..6 for both, "
        "or any where it is known.",
        value=value,
    )


def no_such_status(value: str, known: str) -> str:
    """The status is not known, or could be several."""
    return translate("No status is called “{value}”. There are {known}.", value=value, known=known)


def no_such_document(value: str, known: str) -> str:
    """The kind of document is not known."""
    return translate("No kind of document is called “{value}”. There are any, none, {known}.", value=value, known=known)


def no_such_rule(value: str, known: str) -> str:
    """The rule of attention is not known."""
    return translate("No rule is called “{value}”. There are {known}.", value=value, known=known)


def no_such_list(value: str, known: str) -> str:
    """The list is not known."""
    return translate("No list is called “{value}”. There are {known}.", value=value, known=known)
