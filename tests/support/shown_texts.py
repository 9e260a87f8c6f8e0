"""Every text that a window holds for a person, wherever it stands: walked, not listed, so that new places come along.

A `Shown` says where a text stands (what kind of widget in what kind of widget, and as what) and how it reads there. Of
markup, what Qt would make of it is what is read: `Markup` tells of links and pictures in it.
"""

import functools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from PySide6 import QtGui
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QTabBar,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

_ROWS = 40  # of a list; the texts stand in the first few
_ROLES = {
    "cell": Qt.ItemDataRole.DisplayRole,
    "tooltip of a cell": Qt.ItemDataRole.ToolTipRole,
    "spoken cell": Qt.ItemDataRole.AccessibleTextRole,
    "spoken description of a cell": Qt.ItemDataRole.AccessibleDescriptionRole,
}
_HEADINGS = {"heading": Qt.ItemDataRole.DisplayRole, "tooltip of a heading": Qt.ItemDataRole.ToolTipRole}
_TEXTS_KEPT = 20_000  # the same few thousand texts stand in many places, at many stops


class Shown(NamedTuple):
    """A text and where it stands."""

    place: str
    text: str


class Markup(NamedTuple):
    """Where Qt makes more of a text than letters, and what."""

    place: str
    what: str


@functools.lru_cache(_TEXTS_KEPT)
def tooltip_words(tooltip: str) -> str:
    """The text that Qt shows for a tooltip; Qt reads a text that looks like markup as markup."""
    if not QtGui.Qt.mightBeRichText(tooltip):
        return tooltip
    shown = QTextDocument()
    shown.setHtml(tooltip)
    return _words_of(shown)


def _words_of(document: QTextDocument) -> str:
    return document.toRawText().replace("\u2029", "\n").replace("\u2028", "\n")


def without_mnemonics(text: str) -> str:
    """The text that a button or an entry of a menu shows: `&&` is an ampersand, a single one underlines."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def live_widgets() -> Iterator[QWidget]:
    """Every widget that is alive and stands in some window."""
    for top in QApplication.topLevelWidgets():
        yield top
        yield from top.findChildren(QWidget)


def shown_texts(widgets: Iterable[QWidget]) -> Iterator[Shown]:
    """Every text that these hold."""
    known: dict[QObject, str] = {}
    for widget in widgets:
        place = place_of(widget, known)
        for role, text in (*_own_texts(widget), *_texts_of_all(widget)):
            if text:
                yield Shown(f"{place}: {role}", text)


def active_markup(widgets: Iterable[QWidget]) -> Iterator[Markup]:
    """Every link, every picture from an address, and every label that guesses at markup."""
    known: dict[QObject, str] = {}
    for widget in widgets:
        place = place_of(widget, known)
        if isinstance(widget, QLabel):
            if widget.text() and widget.textFormat() != Qt.TextFormat.PlainText:
                yield Markup(place, f"a label of the format {widget.textFormat().name}")
        elif isinstance(widget, QTextBrowser):
            yield Markup(place, "a view that follows links")
        if isinstance(widget, QTextEdit | QPlainTextEdit):
            yield from (Markup(place, what) for what in _links_and_pictures(widget.document()))
        tips = [widget.toolTip(), *(text for role, text in _cells_of(widget) if "tooltip" in role)]
        yield from (Markup(place, what) for tip in tips for what in _markup_of_tip(tip))


@functools.lru_cache(_TEXTS_KEPT)
def _markup_of_tip(tip: str) -> tuple[str, ...]:
    if not QtGui.Qt.mightBeRichText(tip):
        return ()
    made = QTextDocument()
    made.setHtml(tip)
    return tuple(_links_and_pictures(made))


def _links_and_pictures(document: QTextDocument) -> Iterator[str]:
    block = document.begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            look = pieces.fragment().charFormat()
            if look.isAnchor():
                yield f"a link to {look.anchorHref()}"
            if look.isImageFormat():
                yield f"a picture from {look.toImageFormat().name()}"
            pieces += 1
        block = block.next()


def place_of(widget: QObject, known: dict[QObject, str]) -> str:
    """The kinds of widgets on the way to this one; those of the widgets above it are `known` afterwards."""
    found = known.get(widget)
    if found is None:
        name, parent = type(widget).__name__, widget.parent()
        above = "" if parent is None else place_of(parent, known)
        found = name if not above else above if above.rpartition(" > ")[2] == name else f"{above} > {name}"
        known[widget] = found
    return found


def _texts_of_all(widget: QWidget) -> Iterator[tuple[str, str]]:
    yield "title of the window", widget.windowTitle()
    yield "tooltip", tooltip_words(widget.toolTip())
    yield "status tip", widget.statusTip()
    yield "accessible name", widget.accessibleName()
    yield "accessible description", widget.accessibleDescription()
    # Qt makes a tooltip of each entry's text, and a menu shows none of them unless it is told to.
    with_tips = not isinstance(widget, QMenu) or widget.toolTipsVisible()
    for action in widget.actions():
        yield "entry", without_mnemonics(action.text())
        if with_tips:
            yield "tooltip of an entry", tooltip_words(action.toolTip())


def _own_texts(widget: QWidget) -> Iterator[tuple[str, str]]:
    if isinstance(widget, QLabel):
        yield "label", widget.text()
    elif isinstance(widget, QAbstractButton):
        yield "button", without_mnemonics(widget.text())
    elif isinstance(widget, QLineEdit):
        yield "field", widget.text()
        yield "placeholder", widget.placeholderText()
    elif isinstance(widget, QPlainTextEdit | QTextEdit):
        yield "text", widget.toPlainText()
        yield "placeholder", widget.placeholderText()
    elif isinstance(widget, QGroupBox):
        yield "title", without_mnemonics(widget.title())
    elif isinstance(widget, QProgressBar):
        yield "progress", widget.text()
    elif isinstance(widget, QMenu):
        yield "title of a menu", without_mnemonics(widget.title())
    elif isinstance(widget, QTabBar):
        for at in range(widget.count()):
            yield "tab", without_mnemonics(widget.tabText(at))
            yield "tooltip of a tab", tooltip_words(widget.tabToolTip(at))
            yield "spoken tab", widget.accessibleTabName(at)
    for role, text in _cells_of(widget):
        yield role, tooltip_words(text) if "tooltip" in role else text


def _cells_of(widget: QWidget) -> Iterator[tuple[str, str]]:
    model: QAbstractItemModel | None = None
    if isinstance(widget, QComboBox | QAbstractItemView) and not isinstance(widget, QHeaderView):
        model = widget.model()
    if model is None:
        return
    kind = "line" if isinstance(widget, QListWidget) else "choice" if isinstance(widget, QComboBox) else ""
    for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
        for role, what in (
            ("heading", Qt.ItemDataRole.DisplayRole),
            ("tooltip of a heading", _ROLES["tooltip of a cell"]),
        ):
            yield role, _text(model.headerData(column, Qt.Orientation.Horizontal, what))
        for row in range(min(model.rowCount(), _ROWS)):
            index: QModelIndex = model.index(row, column)
            for role, what in _ROLES.items():
                yield f"{role} {kind}".strip(), _text(index.data(what))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
