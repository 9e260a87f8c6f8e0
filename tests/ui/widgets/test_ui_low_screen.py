"""Dialogs on a low screen: what ends them stays on it, and nothing stands on anything else."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QPushButton

from app.ui.base.page import Page, PageServices
from app.ui.entry.drafts.template_dialog import TemplateDialog
from app.ui.orders.table.columns_dialog import ColumnsDialog
from tests.support.desks import order_draft
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


class _Low:
    """A screen of 1366 × 768 at 200 %."""

    def availableGeometry(self) -> QRect:
        return QRect(0, 0, 683, 384)


def test_columns_are_chosen_within_the_screen(
    services: PageServices, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(services, "a page")
    show(page)
    wide = ColumnsDialog(page, len, lambda: None, len)
    assert (wide.width(), wide.height()) == (440, 560), "where there is room it is as large as it should be"
    monkeypatch.setattr(ColumnsDialog, "screen", lambda _: _Low())
    low = ColumnsDialog(page, len, lambda: None, len)
    low.show()
    assert low.height() < 384
    close = next(each for each in low.findChildren(QPushButton) if each.text() == "Close")
    assert low.rect().contains(close.geometry())


def test_nothing_of_a_template_stands_on_its_list(loop: RunningLoop, services: PageServices, show: Show) -> None:
    """Qt gives a dialog two thirds of a screen at most, and counts words that wrap as one line."""
    page = Page(services, "a page")
    show(page)
    made = TemplateDialog(page, order_draft("R-1"), (), lambda _template, _default: None)
    made.show()
    made.resize(made.minimumSize())
    loop.rest()
    assert made.default.geometry().top() > made.fields.geometry().bottom()
    assert made.rect().contains(made.save_button.geometry())
    assert made.height() < 540 - 64
