"""The chips as data: the fields that each filters by, how its filter is typed, and the values it offers.

Invariant: whatever a chip offers is typed text that `parse` understands.
"""

from app.contract.codes import FOLDER_TYPE_WORDS, ORDER_STATE_WORDS
from app.desk.filter.filter_language import quoted, written_value
from app.desk.filter.filter_words import TITLES, days_taken
from app.store.cache.schema.conditions import STEPS
from app.translation import translate
from app.ui.widgets.choosing.chip import Chip

_PLANNED = (
    ("today", translate("Today")),
    ("tomorrow", translate("Tomorrow")),
    ("today..+7", translate("The next 7 days")),
    ("..yesterday", translate("Before today")),
    ("any", translate("Any day")),
    ("none", translate("No day")),
)
_HAPPENED = (
    ("today", translate("Today")),
    ("yesterday", translate("Yesterday")),
    ("-7..today", translate("The last 7 days")),
    ("-30..today", translate("The last 30 days")),
    ("any", translate("Any day")),
    ("none", translate("No day")),
)
_CHANGED = (
    *_HAPPENED[:4],
    ("scheduled", translate("The scheduled day")),
    ("scheduled:today", translate("The scheduled day, today")),
    ("status:today", translate("The status, today")),
)
_TAKEN = {"any": ("", ""), "..2": ("", "2"), "3": ("3", ""), "7": ("7", "")}
_YES_NO = (("yes", translate("Yes")), ("no", translate("No")))
_DAYS_HINT = translate("or days: fri, 2026-03-31, -3..+3")


def _planned(name: str, title: str, *, always: bool = False) -> Chip:
    return Chip(name, title, (name,), "one", _PLANNED, _DAYS_HINT, always=always)


def _step(name: str) -> Chip:
    """How many days a step of an order took."""
    options = tuple((typed, days_taken(*limits)) for typed, limits in _TAKEN.items())
    return Chip(name, TITLES[name], (name,), "one", options, translate("or days: 6, ..2, 2..6"))


def _known(words: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((code.lower(), f"{word} ({code})") for code, word in words.items())


CHIPS: tuple[Chip, ...] = (
    Chip("status", translate("Status"), ("state",), "some", _known(ORDER_STATE_WORDS), always=True),
    Chip("facility", translate("Facility"), ("facility",), "values", always=True),
    Chip("delivery", translate("Delivery"), ("delivery",), "values", always=True),
    _planned("scheduled", translate("Scheduled"), always=True),
    _planned("requested", translate("Requested"), always=True),
    Chip(
        "late",
        translate("Late"),
        ("late",),
        "one",
        (
            ("1", translate("By 1 day or more")),
            ("3", translate("By 3 days or more")),
            ("7", translate("By 7 days or more")),
        ),
        translate("or the least number of days"),
        always=True,
    ),
    Chip(
        "has",
        translate("Documents"),
        ("has",),
        "some",
        (("any", translate("Any document")), ("none", translate("No document")), *_known(FOLDER_TYPE_WORDS)),
        always=True,
    ),
    Chip("imported", translate("Imported"), ("imported",), "one", _HAPPENED, _DAYS_HINT),
    _planned("estimated", translate("Receipt estimated")),
    Chip("received", translate("Received"), ("received", "received_on"), "one", (*_YES_NO, *_HAPPENED[:4]), _DAYS_HINT),
    Chip("loaded", translate("Loaded"), ("loaded",), "one", _HAPPENED, _DAYS_HINT),
    Chip(
        "delivered",
        translate("Delivered"),
        ("delivered", "delivered_on"),
        "one",
        (*_YES_NO, *_HAPPENED[:4]),
        _DAYS_HINT,
    ),
    _planned("due", translate("Due")),
    Chip(
        "over",
        translate("Scheduled after requested"),
        ("over",),
        "one",
        (("1", translate("By 1 day or more")), ("7", translate("By 7 days or more"))),
    ),
    *(_step(name) for name in STEPS),
    Chip("region", translate("State"), ("region",), "values"),
    Chip("city", translate("City"), ("city",), "values"),
    Chip("zip", translate("ZIP"), ("zip",), "one", (), translate("the first digits of it, for instance 381")),
    Chip("brand", translate("Brand"), ("brand",), "values"),
    Chip("manufacturer", translate("Manufacturer"), ("manufacturer",), "values"),
    Chip(
        "changed",
        translate("Changed"),
        ("changed_on",),
        "one",
        _CHANGED,
        translate("or: documents, status:-3.."),
    ),
    Chip("is:watched", translate("Watched"), ("watched",), "flag"),
    Chip("is:outbox", translate("In the outbox"), ("outbox",), "flag"),
    Chip("is:changed", translate("Changed since you looked"), ("changed",), "flag"),
    Chip("is:attention", translate("Needs attention"), ("attention",), "flag"),
    Chip("is:likely_late", translate("Likely late"), ("likely_late",), "flag"),
)
BY_FIELD: dict[str, Chip] = {field: each for each in CHIPS for field in each.fields}


def piece_of(chip: Chip, values: tuple[str, ...], *, negated: bool) -> str:
    """The piece of the filter that these values are typed as; empty for none."""
    minus = "-" if negated else ""
    if chip.kind == "flag":
        return f"{minus}{chip.name}" if values else ""
    shown = ",".join(map(written_value if chip.kind == "values" else quoted, values))
    return f"{minus}{chip.name}:{shown}" if values else ""
