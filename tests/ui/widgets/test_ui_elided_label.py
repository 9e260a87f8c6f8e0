"""A label that does not fit is elided; its tooltip and a screen reader have all of it."""

import pytest

from app.ui.widgets.text.labels import ElidedLabel, plain_tooltip
from tests.ui.conftest import Show


@pytest.fixture
def label(show: Show) -> ElidedLabel:
    made = ElidedLabel("soft")
    made.setFixedWidth(120)
    show(made)
    return made


def test_a_text_that_fits_has_no_tooltip(label: ElidedLabel) -> None:
    label.say("Connected")
    assert (label.text(), label.toolTip(), label.accessibleName()) == ("Connected", "", "Connected")


def test_the_tooltip_has_the_end_that_is_not_shown(label: ElidedLabel) -> None:
    for end in ("since 14:02", "since 15:30"):  # both are shown alike
        text = "No refresh has succeeded for this connection " + end
        label.say(text)
        assert label.text().endswith("…")
        assert (label.toolTip(), label.accessibleName()) == (plain_tooltip(text), text)


def test_a_larger_font_elides_it(label: ElidedLabel) -> None:
    label.say("Connected, 14:02")
    assert not label.text().endswith("…")
    label.setStyleSheet("font-size: 40px")
    assert label.text().endswith("…")
