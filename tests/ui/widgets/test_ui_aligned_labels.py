"""The labels of neighbouring fields have one height, and none of their texts is laid out without need."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.ui.widgets import field
from app.ui.widgets.field import AlignedLabels
from app.ui.widgets.layout import row
from app.ui.widgets.text.labels import text_label
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

LONG = "A label of several words, which wraps where the window is narrow"


@pytest.fixture
def labels(show: Show) -> list[QLabel]:
    place = QWidget()
    made: list[QLabel] = [text_label("Name", "label", wrap=True), text_label(LONG, "label", wrap=True)]
    place.setLayout(row(*made))
    AlignedLabels(made, place)
    show(place)
    return made


def heights(labels: list[QLabel]) -> set[int]:
    return {each.minimumHeight() for each in labels}


def test_the_highest_label_settles_the_height_of_all(labels: list[QLabel], loop: RunningLoop) -> None:
    place = labels[0].window()
    loop.until(lambda: len(heights(labels)) == 1)
    [wide] = heights(labels)
    place.resize(240, 400)
    loop.until(lambda: len(heights(labels)) == 1 and min(heights(labels)) > wide)
    labels[1].setText("Name")
    place.resize(300, 400)
    loop.until(lambda: heights(labels) == {wide})


def test_a_text_is_laid_out_anew_only_where_width_or_font_are_others(
    labels: list[QLabel], loop: RunningLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop.until(lambda: len(heights(labels)) == 1)
    laid_out: list[QLabel] = []
    really = field._wrapped_height

    def noted(label: QLabel) -> int:
        laid_out.append(label)
        return really(label)

    monkeypatch.setattr(field, "_wrapped_height", noted)
    size = labels[0].size()
    QCoreApplication.sendEvent(labels[0], QResizeEvent(size, size))
    assert laid_out == []
    QCoreApplication.sendEvent(labels[0], QEvent(QEvent.Type.FontChange))
    assert laid_out == [labels[0]]
