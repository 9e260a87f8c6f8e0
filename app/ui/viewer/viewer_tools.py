"""The row of tools above the photos, and the sliders for their light. The viewer acts on their signals."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QSlider, QWidget

from app.desk.audits.audit_reviews import MarkKind
from app.translation import translate
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.viewer.look import LIGHT_MOST, LIGHT_STEP
from app.ui.widgets.buttons import button, icon_button, shortcut, with_icon
from app.ui.widgets.layout import SideBySide, column, holding, row
from app.ui.widgets.text.labels import text_label

_DRAW: tuple[tuple[MarkKind, str, str, str], ...] = (
    ("arrow", "move-up-right", translate("Draw an arrow"), "V"),
    ("box", "square", translate("Draw a box"), "B"),
    ("text", "type", translate("Write on the photo"), "T"),
)


TURN_LEFT, TURN_RIGHT = 270, 90  # degrees to the right


def zoom_buttons(ask: Callable[[float | None], object]) -> list[QPushButton]:
    """Fit, 100 % and 200 %; `ask` is given the zoom, None to fit."""

    def asking(zoom: float | None) -> Callable[[], object]:
        return lambda: ask(zoom)

    # A number alone does not say to a screen reader what it is the size of.
    sizes = (
        (1.0, translate("100 %"), "(2)", translate("100 %, full size")),
        (2.0, translate("200 %"), "(3)", translate("200 %, twice the full size")),
    )
    made = [button(translate("Fit"), asking(None), kind="quiet", tip=translate("All of it  (1)"))]
    for zoom, shown, key, spoken in sizes:
        made.append(button(shown, asking(zoom), kind="quiet", tip=key))
        made[-1].setAccessibleName(spoken)
    return made


def turn_buttons(theme: Theme, ask: Callable[[int], object]) -> tuple[QPushButton, QPushButton]:
    """To the left and to the right; `ask` is given the degrees to the right."""
    return (
        icon_button(theme, "rotate-ccw", translate("Turn to the left  (Shift+R)"), lambda: ask(TURN_LEFT)),
        icon_button(theme, "rotate-cw", translate("Turn to the right  (R)"), lambda: ask(TURN_RIGHT)),
    )


class Tools(QWidget):
    """`zoom_asked` carries a zoom (None: fit), `turn_asked` degrees to the right. `tool_changed` follows another tool
    or the loupe, `light_toggled` tells whether the sliders of light are to be shown."""

    zoom_asked = Signal(object)
    sides_asked = Signal()
    turn_asked = Signal(int)
    tool_changed = Signal()
    light_toggled = Signal(bool)
    refetch_asked = Signal()
    full_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._near = zoom_buttons(self.zoom_asked.emit)
        self._sides = with_icon(
            button("1", self._ask_sides, kind="quiet", tip=translate("One photo, two or four side by side  (C)")),
            theme,
            "columns-2",
        )
        left, right = turn_buttons(theme, self.turn_asked.emit)
        self.loupe = icon_button(theme, "zoom-in", translate("Loupe  (G)"), self._on_loupe)
        self.drawing: dict[MarkKind, QPushButton] = {
            kind: icon_button(theme, icon, f"{words}  ({key})", self._on_drawing) for kind, icon, words, key in _DRAW
        }
        self._light = icon_button(theme, "contrast", translate("Brightness and contrast  (L)"), self._on_light)
        for each in (self.loupe, self._light, *self.drawing.values()):
            each.setCheckable(True)
        again = icon_button(theme, "refresh-cw", translate("Fetch this photo again  (Shift+T)"), self._ask_again)
        full = icon_button(theme, "expand", translate("Full screen  (F11)"), self._ask_full)
        parts = SideBySide(
            holding(row(*self._near, self._sides, left, right, None, gap=SPACE_1)),
            holding(row(self.loupe, *self.drawing.values(), self._light, None, again, full, gap=SPACE_1)),
            growing=1,
            gap=SPACE_1,
            margin=(SPACE_2, SPACE_1, SPACE_2, SPACE_1),
        )
        self.setLayout(column(parts))

    def add_keys(self, owner: QWidget) -> None:
        """The keys of the tools, in `owner`'s window while `owner` is visible."""
        for key, act in (
            ("1", self._ask_fit),
            ("2", self._ask_whole),
            ("3", self._ask_double),
            ("C", self._ask_sides),
            ("R", self._ask_right),
            ("Shift+R", self._ask_left),
            ("G", self.loupe.click),
            ("L", self._light.click),
            ("Shift+T", self._ask_again),
            ("F11", self._ask_full),
            *((key, self.drawing[kind].click) for kind, _, _, key in _DRAW),
        ):
            shortcut(owner, key, act)

    def show_sides(self, count: int) -> None:
        """Show how many photos are side by side."""
        self._sides.setText(f" {count}")
        self._sides.setAccessibleName(translate("Photos side by side: {count}", count=count))

    def tool(self) -> MarkKind | None:
        """The drawing tool that is chosen."""
        return next((kind for kind, each in self.drawing.items() if each.isChecked()), None)

    def drop_tools(self) -> None:
        """Choose no tool and no loupe."""
        for each in (self.loupe, *self.drawing.values()):
            each.setChecked(False)
        self.tool_changed.emit()

    def _ask_fit(self) -> None:
        self.zoom_asked.emit(None)

    def _ask_whole(self) -> None:
        self.zoom_asked.emit(1.0)

    def _ask_double(self) -> None:
        self.zoom_asked.emit(2.0)

    def _ask_sides(self) -> None:
        self.sides_asked.emit()

    def _ask_left(self) -> None:
        self.turn_asked.emit(TURN_LEFT)

    def _ask_right(self) -> None:
        self.turn_asked.emit(TURN_RIGHT)

    def _ask_again(self) -> None:
        self.refetch_asked.emit()

    def _ask_full(self) -> None:
        self.full_asked.emit()

    def _on_loupe(self) -> None:
        self.tool_changed.emit()

    def _on_light(self) -> None:
        self.light_toggled.emit(self._light.isChecked())

    def _on_drawing(self) -> None:
        """At most one drawing tool is chosen."""
        pressed = self.sender()
        for each in self.drawing.values():
            each.setChecked(each is pressed and each.isChecked())
        self.tool_changed.emit()


class LightBar(QWidget):
    """Sliders for the light in which photos are shown. `changed` carries brightness and contrast, -100 to 100 each."""

    changed = Signal(int, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.brightness = _slider(translate("Brightness"), translate("Ctrl+Up and Ctrl+Down"))
        self.contrast = _slider(translate("Contrast"), translate("Ctrl+Left and Ctrl+Right"))
        for each in (self.brightness, self.contrast):
            each.valueChanged.connect(self._tell)
        plain = with_icon(button(translate("Reset"), self.put_back, kind="quiet", tip="(Ctrl+0)"), theme, "rotate-ccw")
        inner = row(
            text_label(translate("Brightness"), "soft"), self.brightness,
            text_label(translate("Contrast"), "soft"), self.contrast, plain,
            margin=(SPACE_2, 0, SPACE_2, SPACE_1), gap=SPACE_2,
        )  # fmt: skip
        self.setLayout(inner)

    def show_light(self, brightness: int, contrast: int) -> None:
        """Show these values without emitting `changed`."""
        for slider, value in ((self.brightness, brightness), (self.contrast, contrast)):
            slider.blockSignals(True)
            slider.setValue(value)
            slider.blockSignals(False)

    def put_back(self) -> None:
        """Set both sliders back to the light of the photo."""
        self.show_light(0, 0)
        self._tell()

    def _tell(self) -> None:
        self.changed.emit(self.brightness.value(), self.contrast.value())


def _slider(name: str, keys: str) -> QSlider:
    made = QSlider(Qt.Orientation.Horizontal)
    made.setRange(-LIGHT_MOST, LIGHT_MOST)
    made.setSingleStep(LIGHT_STEP)
    made.setPageStep(2 * LIGHT_STEP)
    made.setAccessibleName(name)
    made.setAccessibleDescription(keys)
    return made
