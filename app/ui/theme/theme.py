"""The theme in force: palette, style sheet and icons from the tokens; light, dark, or as the system has it.

Where the system asks for high contrast, any choice is shown in its theme of high contrast.

Each window has the style sheet, and what has a window as its parent has it from there: pages, dialogs, menus, tooltips.
The application has none. Below a style sheet Qt styles a widget, and all that it holds, anew each time it is put into
another one, and a page is built from the inside out. Without one, a page is styled once, when it comes into its window:
to build and show the form of a connection takes 23 ms of a processor in place of 33. So no size may be taken from a
widget while it is built: it has no style before `StyleChange`.
"""

import sys
from string import Template
from typing import Literal

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QHeaderView, QWidget

from app.ui.theme import icons, tokens
from app.ui.theme.resources import resource, resource_text
from app.ui.theme.tokens import LIGHT, THEMES, Colours, is_dark

Appearance = Literal["system", "light", "dark", "light-contrast", "dark-contrast"]
_FORGET_EACH_MS = 10 * 60 * 1000
_DRESSED = "dressed"  # the property of windows that have the style sheet
APPEARANCES: tuple[Appearance, ...] = ("system", "light", "dark", "light-contrast", "dark-contrast")


class Sizes(QObject):
    """The sizes that a person chose, for whatever does not get them from the style sheet. One for the whole program."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = 100  # per cent
        self.compact = False

    def choose(self, text: int, *, compact: bool) -> None:
        """Choose the size of text in per cent, and whether rows stand closer."""
        # A value that another version has stored counts as the default.
        text = text if text in tokens.TEXT_SIZES else 100
        if (text, compact) != (self.text, self.compact):
            self.text, self.compact = text, compact
            self.changed.emit()

    def scaled(self, pixels: int) -> int:
        """A size that goes with the text."""
        return round(pixels * self.text / 100)

    @property
    def row_height(self) -> int:
        """The height of a row of a table or list."""
        return self.scaled(tokens.COMPACT_ROW_HEIGHT if self.compact else tokens.ROW_HEIGHT)


SIZES = Sizes()


class _RowsFollow(QObject):
    """Keeps the rows of a table at the chosen height. A child of the header, so that both end together."""

    def __init__(self, header: QHeaderView, *, least: bool) -> None:
        super().__init__(header)
        self._header, self._least = header, least
        SIZES.changed.connect(self.apply)
        self.apply()

    def apply(self) -> None:
        height = SIZES.row_height
        if self._least:
            self._header.setMinimumSectionSize(height)
        self._header.setDefaultSectionSize(height)


def follow_row_height(header: QHeaderView, *, least: bool = False) -> None:
    """Give the rows below this vertical header the chosen height, now and later; `least`: and none less."""
    _RowsFollow(header, least=least)


class Theme(QObject):
    """Applies the tokens to the application. `changed` is for widgets that paint themselves."""

    changed = Signal()

    def __init__(self, application: QApplication, appearance: str = "system") -> None:
        super().__init__()
        self._application = application
        # A value that another version has stored counts as the default.
        self._appearance: Appearance = next((each for each in APPEARANCES if each == appearance), "system")
        self._template, self._sheet = Template(resource_text("style.qss")), ""
        self.colours: Colours = LIGHT
        application.setStyle("Fusion")
        SIZES.changed.connect(self._on_sizes)
        # Held: PySide takes what `accessibility` returns for deleted once nobody holds these.
        self._hints = application.styleHints()
        self._hints.colorSchemeChanged.connect(self._follow_system)
        self._hints.accessibility().contrastPreferenceChanged.connect(self._follow_contrast)
        self._forget = QTimer(self)
        self._forget.setInterval(_FORGET_EACH_MS)
        self._forget.timeout.connect(self.forget_gone_widgets)
        self._forget.start()
        self._set_font()
        self._apply()

    @property
    def appearance(self) -> Appearance:
        """The appearance that a person chose."""
        return self._appearance

    def dress(self, window: QWidget) -> None:
        """Give the style sheet to a window without a parent, now and whenever it changes."""
        if not window.property(_DRESSED):
            window.setProperty(_DRESSED, True)
            window.setStyleSheet(self._sheet)

    def choose(self, appearance: Appearance) -> None:
        """Choose a theme, or to have it as the system has it."""
        self._appearance = appearance
        self._apply()
        self.changed.emit()

    def colour(self, token: str) -> QColor:
        """A token's colour now."""
        return QColor(getattr(self.colours, token))

    def connection_colour(self, name: str) -> QColor | None:
        """The colour of a connection now; None for a name that is none."""
        pair = tokens.CONNECTION_COLOURS.get(name)
        return None if pair is None else QColor(pair[is_dark(self.colours)])

    def icon(self, name: str, tint: str = "ink") -> QIcon:
        """An icon in the colour of the token `tint`."""
        made = icons.icon(name, getattr(self.colours, tint))
        if tint == "on_accent":  # a button that is off has not that ground
            made.addPixmap(icons.pixmap(name, self.colours.ink_soft), QIcon.Mode.Disabled)
        return made

    def forget_gone_widgets(self) -> None:
        """Free what Qt keeps of the style sheet for widgets that are gone.

        Qt 6.11 keeps a kilobyte for ever for each combo box, spin box and scroll area that was deleted: it computes
        rules for their inner widgets once more while these are being deleted. The rules of all widgets are dropped
        here; those on the screen are computed anew as they are painted, within one frame.
        """
        for each in self._dressed()[:1]:  # the rules of all windows are in one place
            each.style().unpolish(self._application)

    def _set_font(self) -> None:
        font = self._application.font()
        font.setPixelSize(SIZES.scaled(tokens.BODY_PX))
        self._application.setFont(font)

    def _on_sizes(self) -> None:
        self._set_font()
        self._apply()
        self.changed.emit()

    def _follow_system(self) -> None:
        if self._appearance == "system":
            self._apply()
            self.changed.emit()

    def _follow_contrast(self) -> None:
        self._apply()
        self.changed.emit()

    def _colour_frames(self) -> None:
        """Tell Windows and macOS the chosen appearance: they draw a window's title bar in that of its program."""
        if sys.platform == "win32" or sys.platform == "darwin":
            hints = self._application.styleHints()
            if self._appearance == "system":
                hints.unsetColorScheme()
            else:
                dark = self._appearance.startswith("dark")
                hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)

    def _apply(self) -> None:
        self._colour_frames()  # first: while a scheme is chosen, Qt tells that one and not the system's
        name = self._name()
        self.colours = THEMES[name]
        self._application.setPalette(_palette(self.colours))
        self._sheet = self._template.substitute(_placeholders(self.colours, name))
        for each in self._dressed():
            each.setStyleSheet(self._sheet)

    def _name(self) -> str:
        """The name of the theme in force, from the chosen appearance and the system's preferences."""
        hints = self._hints
        system = "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"
        shade, _, contrast = (system if self._appearance == "system" else self._appearance).partition("-")
        high = contrast or hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
        return f"{shade}-contrast" if high else shade

    def _dressed(self) -> list[QWidget]:
        return [each for each in self._application.topLevelWidgets() if each.property(_DRESSED)]


def _placeholders(colours: Colours, name: str) -> dict[str, str]:
    sizes = {
        "radius": tokens.RADIUS,
        "field_radius": tokens.FIELD_RADIUS,
        "edge": tokens.EDGE_PX,
        "heading": SIZES.scaled(tokens.HEADING_PX),
        "title": SIZES.scaled(tokens.TITLE_PX),
        "small": SIZES.scaled(tokens.SMALL_PX),
    }
    pictures = {
        "chevron": "chevron-down",
        "check": "check",
        "sorted_up": "sorted-up",
        "sorted_down": "sorted-down",
    }
    return {
        **colours._asdict(),
        **{each: str(size) for each, size in sizes.items()},
        **{each: _quoted(resource("icons", f"{file}-{name}.svg").as_posix()) for each, file in pictures.items()},
    }


def _quoted(path: str) -> str:
    """A quoted path for the style sheet. Qt drops all rules after an unquoted path with an `ä` or an apostrophe."""
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ") + '"'


def _palette(colours: Colours) -> QPalette:
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: colours.ground,
        QPalette.ColorRole.WindowText: colours.ink,
        QPalette.ColorRole.Base: colours.surface,
        QPalette.ColorRole.AlternateBase: colours.raised,
        QPalette.ColorRole.Text: colours.ink,
        QPalette.ColorRole.PlaceholderText: colours.ink_soft,
        QPalette.ColorRole.Button: colours.surface,
        QPalette.ColorRole.ButtonText: colours.ink,
        QPalette.ColorRole.Highlight: colours.selection,
        QPalette.ColorRole.HighlightedText: colours.ink,
        QPalette.ColorRole.ToolTipBase: colours.raised,
        QPalette.ColorRole.ToolTipText: colours.ink,
        QPalette.ColorRole.Link: colours.accent,
        QPalette.ColorRole.Mid: colours.line,
        QPalette.ColorRole.Accent: colours.accent,
    }
    for role, value in roles.items():
        palette.setColor(role, QColor(value))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours.ink_soft))
    return palette
