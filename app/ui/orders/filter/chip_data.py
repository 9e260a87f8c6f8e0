"""The chips as data: what each filters by, how that is typed, and what it offers."""

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.filter.filter_language import quoted
from app.ui.widgets.choosing.chip import Chip

_PLANNED = (
    ("today", "Today"),
    ("tomorrow", "Tomorrow"),
    ("today..+7", "The next 7 days"),
    ("..yesterday", "Before today"),
    ("any", "Any day"),
    ("none", "No day"),
)
_HAPPENED = (
    ("today", "Today"),
    ("yesterday", "Yesterday"),
    ("-7..today", "The last 7 days"),
    ("-30..today", "The last 30 days"),
    ("any", "Any day"),
    ("none", "No day"),
)
_TOLD = (("yes", "Yes"), ("no", "No"))
_DAYS_HINT = "or days: fri, 2026-03-31, -3..+3"


def _planned(name: str, title: str, *, always: bool = False) -> Chip:
    return Chip(name, title, (name,), "one", _PLANNED, _DAYS_HINT, always=always)


def _known(words: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((code.lower(), f"{word} ({code})") for code, word in words.items())


CHIPS: tuple[Chip, ...] = (
    Chip("status", "Status", ("state",), "some", _known(ORDER_STATE_WORDS), always=True),
    Chip("facility", "Facility", ("facility",), "values", always=True),
    Chip("delivery", "Delivery", ("delivery",), "values", always=True),
    _planned("scheduled", "Scheduled", always=True),
    _planned("requested", "Requested", always=True),
    Chip(
        "late",
        "Late",
        ("late",),
        "one",
        (("1", "By 1 day or more"), ("3", "By 3 days or more"), ("7", "By 7 days or more")),
        "or the least number of days",
        always=True,
    ),
    Chip(
        "has",
        "Documents",
        ("has",),
        "some",
        (("any", "Any document"), ("none", "No document"), *_known(FOLDER_TYPE_WORDS)),
        always=True,
    ),
    Chip("imported", "Imported", ("imported",), "one", _HAPPENED, _DAYS_HINT),
    _planned("estimated", "Receipt estimated"),
    Chip("received", "Received", ("received", "received_on"), "one", (*_TOLD, *_HAPPENED[:4]), _DAYS_HINT),
    Chip("loaded", "Loaded", ("loaded",), "one", _HAPPENED, _DAYS_HINT),
    Chip("delivered", "Delivered", ("delivered", "delivered_on"), "one", (*_TOLD, *_HAPPENED[:4]), _DAYS_HINT),
    _planned("due", "Due"),
    Chip(
        "over", "Scheduled after requested", ("over",), "one", (("1", "By 1 day or more"), ("7", "By 7 days or more"))
    ),
    Chip("region", "State", ("region",), "values"),
    Chip("city", "City", ("city",), "values"),
    Chip("zip", "ZIP", ("zip",), "one", (), "the first digits of it, for instance 381"),
    Chip("brand", "Brand", ("brand",), "values"),
    Chip("manufacturer", "Manufacturer", ("manufacturer",), "values"),
    Chip("is:watched", "Watched", ("watched",), "flag"),
    Chip("is:outbox", "In the outbox", ("outbox",), "flag"),
    Chip("is:changed", "Changed since you looked", ("changed",), "flag"),
    Chip("is:attention", "Needs attention", ("attention",), "flag"),
)
BY_FIELD: dict[str, Chip] = {field: each for each in CHIPS for field in each.fields}


def piece_of(chip: Chip, values: tuple[str, ...], *, negated: bool) -> str:
    """The piece of the filter that these values are typed as; empty for none."""
    minus = "-" if negated else ""
    if chip.kind == "flag":
        return f"{minus}{chip.name}" if values else ""
    shown = ",".join(quoted(each) for each in values)
    return f"{minus}{chip.name}:{shown}" if values else ""
