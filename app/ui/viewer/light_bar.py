"""Two sliders for the light in which photos are looked at, and a way back to how they are."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.viewer.look import LIGHT_MOST, LIGHT_STEP
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import text_label


class LightBar(QWidget):
    """`changed` tells brightness and contrast, from -100 to 100 each."""

    changed = Signal(int, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.brightness = _slider("Brightness", "Ctrl+Up and Ctrl+Down")
        self.contrast = _slider("Contrast", "Ctrl+Left and Ctrl+Right")
        for each in (self.brightness, self.contrast):
            each.valueChanged.connect(self._tell)
        plain = with_icon(button("As it is", self.put_back, kind="quiet", tip="(Ctrl+0)"), theme, "rotate-ccw")
        inner = row(
            text_label("Brightness", "soft"), self.brightness, text_label("Contrast", "soft"), self.contrast, plain,
            margin=(SPACE_2, 0, SPACE_2, SPACE_1), gap=SPACE_2,
        )  # fmt: skip
        self.setLayout(inner)

    def show_light(self, brightness: int, contrast: int) -> None:
        """Show a light and tell nobody."""
        for slider, value in ((self.brightness, brightness), (self.contrast, contrast)):
            slider.blockSignals(True)
            slider.setValue(value)
            slider.blockSignals(False)

    def put_back(self) -> None:
        """The light that the photo has."""
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
