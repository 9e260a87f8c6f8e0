"""The theme: every text can be read on every ground it stands on, and what is drawn from files has the tokens' colours.

Contrast as WCAG 2.1 computes it, from the tokens themselves.
"""

import ctypes
import gc
import re
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessibilityHints, QColor, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QPushButton, QSpinBox, QToolTip, QWidget
from shiboken6 import delete, isValid

from app.ui.theme import tokens
from app.ui.theme.icons import icon, pixmap
from app.ui.theme.theme import APPEARANCES, Appearance, Theme
from app.ui.theme.tokens import (
    DARK,
    DARK_CONTRAST,
    LIGHT,
    LIGHT_CONTRAST,
    STATE_LOOKS,
    THEMES,
    UNKNOWN_STATE_LOOK,
    Colours,
    is_dark,
)
from app.ui.widgets.buttons import button, set_kind, with_icon
from app.ui.widgets.field import Choice, Field
from app.ui.widgets.layout import column, holding
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

HIGH = [name for name in THEMES if name.endswith("-contrast")]
GROUNDS = ("ground", "surface", "raised", "selection")
INKS = ("ink", "ink_soft", "accent", "good", "warn", "bad")
# Headers, the rail and what the pointer is over are raised: no state is told in colour there.
UNUSED = {("good", "raised"), ("warn", "raised")}
ON_ACCENT = (("on_accent", "accent"), ("on_practice", "practice"), ("ink", "match"), ("ink_soft", "match"))


def luminance(colour: str) -> float:
    """Relative luminance of `#RRGGBB`."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def least(name: str) -> float:
    """What a text needs in this theme: AAA in high contrast, else AA."""
    return 7 if name in HIGH else 4.5


def test_contrast_is_computed_as_wcag_defines_it() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(("ink", "ground"), sorted({(i, g) for i in INKS for g in GROUNDS} - UNUSED))
def test_every_ink_can_be_read_on_every_ground(name: str, ink: str, ground: str) -> None:
    colours = THEMES[name]._asdict()
    assert contrast(colours[ink], colours[ground]) >= least(name)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(("ink", "ground"), ON_ACCENT)
def test_text_on_every_ground_has_enough_contrast(name: str, ink: str, ground: str) -> None:
    colours = THEMES[name]._asdict()
    assert contrast(colours[ink], colours[ground]) >= least(name)


@pytest.mark.parametrize("name", HIGH)
@pytest.mark.parametrize("ground", GROUNDS)
def test_every_line_is_seen_in_high_contrast(name: str, ground: str) -> None:
    colours = THEMES[name]._asdict()
    assert contrast(colours["line"], colours[ground]) >= 3


@pytest.mark.parametrize("name", HIGH)
@pytest.mark.parametrize("ink", INKS)
def test_a_wash_behind_text_leaves_it_its_contrast(name: str, ink: str) -> None:
    colours = THEMES[name]._asdict()
    share = tokens.TINT_ALPHA / 255
    inked, under = QColor(colours[ink]), QColor(colours["surface"])
    pairs = ((inked.red(), under.red()), (inked.green(), under.green()), (inked.blue(), under.blue()))
    mixed = [round(share * over + (1 - share) * below) for over, below in pairs]
    assert contrast(colours[ink], QColor(*mixed).name()) >= least(name)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("ground", ["ground", "surface", "raised"])
def test_the_focus_is_seen_on_every_ground(name: str, ground: str) -> None:
    """What is no text needs 3:1; the primary button wears its focus in ink on accent."""
    colours = THEMES[name]._asdict()
    assert contrast(colours["accent"], colours[ground]) >= 3
    assert contrast(colours["ink"], colours["accent"]) >= 3 or contrast(colours["ink"], colours[ground]) >= 3


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("around", GROUNDS)
def test_the_border_of_a_control_is_seen_against_all_that_surrounds_it(name: str, around: str) -> None:
    """WCAG 1.4.11: what shows where a control is needs 3:1, against its own inside as well."""
    colours = THEMES[name]._asdict()
    assert contrast(colours["border"], colours[around]) >= 3
    for mark in ("accent", "bad", "ink_soft"):  # of a field with the keyboard, one that is wrong, a box to tick
        assert contrast(colours[mark], colours[around]) >= 3


CONTROLS = (
    "QPushButton", "QToolButton", "QLineEdit", "QPlainTextEdit", "QComboBox", "QDateEdit", "QSpinBox", "::indicator",
    "QScrollBar::handle", "QFrame#grid",
)  # fmt: skip
EDGES = {"border", "accent", "bad", "ink", "ink_soft", "practice"}


def test_every_control_wears_a_border_that_was_computed(root: Path) -> None:
    """Hairlines part rows and pages; they are too faint to show where a control is."""
    bordered = set()
    for selector, body in rules(root):
        for each in (one.strip() for one in selector.split(",")):
            if not any(word in each for word in CONTROLS) or ":disabled" in each:
                continue
            handle = "QScrollBar::handle" in each
            pattern = r"background:\s*\$(\w+)" if handle else r"(?<![-\w])border(?:-color)?:[^;]*\$(\w+)"
            found = re.findall(pattern, body)
            assert set(found) <= EDGES, (each, found)
            bordered |= {word for word in CONTROLS if each.startswith(word) and found}
            bordered |= {"::indicator"} if "::indicator" in each and found else set()
    assert bordered == set(CONTROLS)


@pytest.mark.parametrize("appearance", APPEARANCES[1:])
def test_a_field_is_painted_with_that_border(own_theme: Theme, show: Show, appearance: Appearance) -> None:
    own_theme.choose(appearance)
    field = Field("Order reference")
    other = Field("Another")
    show(holding(column(other, field, None), "page"))
    other.editor.setFocus()
    picture = field.editor.grab().toImage()
    middle = picture.height() // 2
    assert picture.pixelColor(0, middle).name().upper() == THEMES[appearance].border
    own_theme.choose("light")


@pytest.mark.parametrize("appearance", APPEARANCES[1:])
def test_a_hint_is_painted_in_the_ink_of_hints(own_theme: Theme, show: Show, appearance: Appearance) -> None:
    own_theme.choose(appearance)
    field, other = Field("Order reference", hint="█"), Field("Another")
    show(holding(column(other, field, None), "page"))
    other.editor.setFocus()
    assert THEMES[appearance].ink_soft.lower() in colours_of(field.editor)
    own_theme.choose("light")


def rules(root: Path) -> list[tuple[str, str]]:
    """The style sheet as (selectors, declarations)."""
    text = re.sub(r"/\*.*?\*/", "", (root / "resources" / "style.qss").read_text("utf-8"), flags=re.DOTALL)
    text = re.sub(r"\$\{(\w+)\}", r"$\1 ", text)
    return [(selector.strip(), body) for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text)]


def test_the_style_sheet_puts_no_ink_on_a_ground_that_was_not_computed(root: Path) -> None:
    inks = {each for _, body in rules(root) for each in re.findall(r"(?<![-\w])color:\s*\$(\w+)", body)}
    inks |= {each for _, body in rules(root) for each in re.findall(r"selection-color:\s*\$(\w+)", body)}
    grounds = {each for _, body in rules(root) for each in re.findall(r"background(?:-color)?:\s*\$(\w+)", body)}
    assert inks <= {*INKS, *(ink for ink, _ in ON_ACCENT)}
    assert grounds <= {
        *GROUNDS,
        *(ground for _, ground in ON_ACCENT),
        "line",
        "ink_soft",
        "border",
    }  # the last carry no text
    for selector, body in rules(root):
        found = dict(re.findall(r"(?<![-\w])(color|background):\s*\$(\w+)", body))
        if found.get("background") in ("accent", "practice") and "chunk" not in selector and "color" in found:
            assert (found["color"], found["background"]) in ON_ACCENT, selector


def test_every_token_of_the_style_sheet_exists(root: Path) -> None:
    used = {name for _, body in rules(root) for name in re.findall(r"\$(\w+)", body)}
    sizes = {"radius", "field_radius", "edge", "heading", "title", "small"}
    pictures = {"chevron", "check", "sorted_up", "sorted_down"}
    assert used <= {*LIGHT._asdict(), *sizes, *pictures}


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(
    ("picture", "ink"), [("chevron-down", "ink_soft"), ("sorted-up", "ink"), ("sorted-down", "ink")]
)
def test_the_arrows_of_the_style_sheet_have_the_colours_of_their_theme(
    root: Path, name: str, picture: str, ink: str
) -> None:
    """A style sheet cannot tint a picture, so there is a copy for each theme."""
    text = (root / "resources" / "icons" / f"{picture}-{name}.svg").read_text("utf-8")
    assert set(re.findall(r"#[0-9A-Fa-f]{6}", text)) == {getattr(THEMES[name], ink)}
    assert "currentColor" not in text


@pytest.mark.parametrize(("glyph", "ink"), [*STATE_LOOKS.values(), UNKNOWN_STATE_LOOK])
def test_a_state_has_a_glyph_and_an_ink(glyph: str, ink: str) -> None:
    assert len(glyph) == 1
    assert ink in INKS


def test_states_differ_by_their_glyph_alone() -> None:
    assert len({glyph for glyph, _ in STATE_LOOKS.values()}) == len(STATE_LOOKS)


@pytest.fixture
def own_theme(qapp: QApplication, theme: Theme) -> Theme:
    """The theme of the test run, put back to light afterwards."""
    assert qapp is not None
    return theme


def test_choosing_an_appearance_changes_palette_style_sheet_and_painted_widgets(
    own_theme: Theme, qapp: QApplication
) -> None:
    told: list[Colours] = []
    window = QWidget()
    own_theme.dress(window)
    own_theme.changed.connect(lambda: told.append(own_theme.colours))
    own_theme.choose("dark")
    assert own_theme.colours is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.ground)
    assert DARK.surface in window.styleSheet()
    assert "chevron-down-dark.svg" in window.styleSheet()
    own_theme.choose("light")
    assert qapp.palette().color(QPalette.ColorRole.Text) == QColor(LIGHT.ink)
    assert LIGHT.surface in window.styleSheet()
    assert "$" not in window.styleSheet()
    assert told == [DARK, LIGHT]
    window.deleteLater()


def test_high_contrast_follows_the_system_while_the_program_runs(
    own_theme: Theme, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No system can be told what it prefers from here, so its answer is given in its place."""
    asked = Qt.ContrastPreference.NoPreference
    monkeypatch.setattr(QAccessibilityHints, "contrastPreference", lambda _hints: asked)
    told: list[Colours] = []
    own_theme.changed.connect(lambda: told.append(own_theme.colours))
    own_theme.choose("dark")
    asked = Qt.ContrastPreference.HighContrast
    qapp.styleHints().accessibility().contrastPreferenceChanged.emit(asked)
    own_theme.choose("light")
    asked = Qt.ContrastPreference.NoPreference
    qapp.styleHints().accessibility().contrastPreferenceChanged.emit(asked)
    own_theme.choose("dark-contrast")
    own_theme.choose("light")
    assert told == [DARK, DARK_CONTRAST, LIGHT_CONTRAST, LIGHT, DARK_CONTRAST, LIGHT]


def colours_of(widget: QWidget) -> set[str]:
    picture = widget.grab().toImage()
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


def test_what_has_a_window_as_its_parent_is_styled_with_it(own_theme: Theme, show: Show, loop: RunningLoop) -> None:
    """Dialogs, menus and tooltips are windows of their own, and no style sheet is set for any of them."""
    page = holding(column(QLineEdit("Typed"), None), "page")
    show(page)
    dialog, menu = QDialog(page), QMenu(page)
    dialog.setLayout(column(primary := QPushButton("Send")))
    primary.setProperty("kind", "primary")
    menu.addAction("Send")
    QToolTip.showText(page.mapToGlobal(QPoint(5, 5)), "Sent once", page)
    tip = next(each for each in QApplication.topLevelWidgets() if each.inherits("QTipLabel"))
    loop.until(tip.isVisible)
    for each in ("dark", "light"):
        own_theme.choose("dark" if each == "dark" else "light")
        loop.rest()
        ours = THEMES[each]
        assert ours.accent.lower() in colours_of(dialog)
        assert {ours.border.lower(), ours.surface.lower()} <= colours_of(menu)
        assert {ours.line.lower(), ours.raised.lower()} <= colours_of(tip)
    QToolTip.hideText()
    loop.until(lambda: not isValid(tip) or not tip.isVisible())


def test_no_dialog_and_no_menu_is_without_a_parent(root: Path) -> None:
    """It would be without a style sheet."""
    bare, dressed = [], ("tray_notices.py",)
    for path in (root / "app" / "ui").rglob("*.py"):
        for found in re.findall(
            r"\bQ(?:Menu|Dialog|MessageBox|FileDialog|InputDialog)\((?!\w)", path.read_text("utf-8")
        ):
            if path.name not in dressed:
                bare.append((path.name, found))
    assert bare == []


def test_a_word_from_another_version_counts_as_the_default(qapp: QApplication, own_theme: Theme) -> None:
    assert Theme(qapp, "sepia").appearance == "system"
    assert ("system", *THEMES) == APPEARANCES
    own_theme.choose("light")


def test_icons_take_the_colour_they_are_given(own_theme: Theme) -> None:
    picture = pixmap("send", DARK.bad, 18).toImage()
    colours = {
        picture.pixelColor(x, y).name().upper()
        for x in range(picture.width())
        for y in range(picture.height())
        if picture.pixelColor(x, y).alpha() == 255
    }
    assert colours == {DARK.bad}
    assert not icon("send", LIGHT.ink).isNull()
    assert own_theme.icon("send", "accent").cacheKey()


def test_every_icon_that_is_named_exists(root: Path) -> None:
    named = set()
    for path in (root / "app" / "ui").rglob("*.py"):
        for name in re.findall(r'(?:theme, |icon\(|RailEntry\([^)]*, )"([a-z0-9-]+)"', path.read_text("utf-8")):
            named.add(name)
    assert len(named) > 10
    missing = {name for name in named if not (root / "resources" / "icons" / f"{name}.svg").exists()}
    assert missing == set()


def test_sizes_are_those_of_the_look() -> None:
    assert (tokens.SPACE_1, tokens.SPACE_2, tokens.SPACE_3, tokens.SPACE_4, tokens.SPACE_5) == (4, 8, 12, 16, 24)
    assert (tokens.RADIUS, tokens.FIELD_RADIUS, tokens.ROW_HEIGHT, tokens.EDGE_PX) == (6, 4, 30, 3)


def test_a_disabled_line_of_a_menu_looks_disabled(qapp: QApplication, theme: Theme) -> None:
    assert qapp is not None
    menu = QMenu()
    theme.dress(menu)
    menu.addAction("The same words")
    menu.addAction("The same words").setEnabled(False)
    picture = menu.grab().toImage()
    able, unable = (
        {picture.pixelColor(x, y).name().upper() for x in range(rect.left(), rect.right())
         for y in range(rect.top(), rect.bottom())}
        for rect in map(menu.actionGeometry, menu.actions())
    )  # fmt: skip
    assert theme.colours.ink in able
    assert theme.colours.ink not in unable
    assert theme.colours.ink_soft in unable
    menu.deleteLater()


@pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard", extend=True)
def test_a_list_of_choices_shows_all_of_them(theme: Theme, show: Show, loop: RunningLoop) -> None:
    """Qt's own way for this style, together with a style sheet, is a list with its last line cut and an arrow."""
    assert theme is not None
    choice = Choice("Compared by")
    for words in ("By facility", "By vendor", "By type"):
        choice.addItem(words)
    show(holding(column(choice, None)))
    choice.showPopup()
    view = choice.view()
    loop.until(view.isVisible)
    places = [view.visualRect(view.model().index(at, 0)) for at in range(choice.count())]
    assert all(view.viewport().rect().contains(each) for each in places)
    choice.hidePopup()


@pytest.mark.parametrize("theme_name", THEMES)
@pytest.mark.parametrize("name", tokens.CONNECTION_COLOURS)
def test_the_colour_of_a_connection_is_seen_wherever_it_stands(name: str, theme_name: str) -> None:
    theirs = THEMES[theme_name]
    colours = theirs._asdict()
    for ground in GROUNDS:
        assert contrast(tokens.CONNECTION_COLOURS[name][is_dark(theirs)], colours[ground]) >= 3


class _Heap(ctypes.Structure):  # struct mallinfo2 of <malloc.h>
    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in _names.split()]  # as ctypes wants it


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "mallinfo2"),
    reason="only the GNU C library tells what is in use",
)
def test_what_qt_keeps_for_widgets_that_are_gone_is_freed(own_theme: Theme, loop: RunningLoop) -> None:
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = _Heap

    def in_use() -> int:
        gc.collect()
        return int(library.mallinfo2().uordblks)

    def kept_by(count: int) -> int:
        before, boxes = in_use(), [QSpinBox(window) for _ in range(count)]
        for each in boxes:
            delete(each)
        boxes.clear()
        loop.rest()
        return in_use() - before

    window = QWidget()
    own_theme.dress(window)
    kept_by(20)  # what is made once is made by now
    own_theme.forget_gone_widgets()
    count = 300
    kept = kept_by(count)
    assert kept > count * 200, "Qt keeps nothing any more: `forget_gone_widgets` may go"
    before = in_use()
    own_theme.forget_gone_widgets()
    assert before - in_use() > kept * 0.8
    window.deleteLater()


def test_widgets_look_the_same_after_the_rules_were_dropped(own_theme: Theme, show: Show) -> None:
    inner = column(QLineEdit("Typed"), QSpinBox(), Choice("Kind"), QPushButton("Send"))
    shown = holding(inner, "ground")
    show(shown)
    shown.resize(300, 200)
    before = shown.grab().toImage()
    own_theme.forget_gone_widgets()
    assert shown.grab().toImage() == before


def test_the_icon_of_a_button_follows_its_kind(theme: Theme) -> None:
    made = with_icon(button("Look it up", bool), theme, "search")

    def tint(mode: QIcon.Mode = QIcon.Mode.Normal) -> str:
        image = made.icon().pixmap(18, mode).toImage()
        points = [(x, y) for x in range(image.width()) for y in range(image.height())]
        return max((image.pixelColor(*each) for each in points), key=QColor.alpha).name().upper()

    assert tint() == theme.colours.ink.upper()
    set_kind(made, "primary")
    assert tint() == theme.colours.on_accent.upper()
    assert tint(QIcon.Mode.Disabled) == theme.colours.ink_soft.upper()
    set_kind(made, "normal")
    assert tint() == theme.colours.ink.upper()
