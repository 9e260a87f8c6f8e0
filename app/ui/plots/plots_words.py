"""The words of the plot part."""

from app.desk.insights.plot_data import Unit
from app.translation import translate

SAVE = translate("Save…")
SAVE_PLOT = translate("Save this plot")
PNG_FILE = translate("Picture (PNG)")
SVG_FILE = translate("Drawing (SVG)")
CSV_FILE = translate("Table (CSV)")
CASES, WORDS = translate("Cases"), translate("In words")
_UNITS: dict[Unit, str] = {
    "percent": translate("Percent"),
    "count": translate("Number"),
    "days": translate("Days"),
    "hours": translate("Hours"),
    "score": translate("Score"),
}
NOT_WRITTEN = translate("the picture could not be written")
NOTHING_CHOSEN = translate("Arrow keys go from mark to mark, Enter shows its rows.")


def value_titles(unit: Unit, *, ranges: bool) -> tuple[str, str, str]:
    """The titles of the columns of a value and of the ends of its range, of which the value is the middle."""
    name = _UNITS[unit]
    return (
        translate("{unit}, median", unit=name) if ranges else name,
        translate("{unit}, 1 of 10 below", unit=name),
        translate("{unit}, 9 of 10 below", unit=name),
    )


def places_spanned(first: str, last: str) -> str:
    """A range of places that Shift and the arrow keys chose."""
    return translate("{first} to {last}. Enter shows these.", first=first, last=last)


def plot_file(title: str) -> str:
    """The name of a file with a plot."""
    return translate("Waybill {title}", title=title)


def saved(name: str) -> str:
    """A plot was saved."""
    return translate("{name} was saved.", name=name)


def saving(title: str) -> str:
    """A plot is being saved."""
    return translate("Saving “{title}”", title=title)


def save_plot_called(title: str) -> str:
    """The accessible name of the button that saves a plot."""
    return translate("Save “{title}” as a picture or a table", title=title)
