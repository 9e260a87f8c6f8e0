"""Text from outside is shown letter for letter, whatever it looks like: labels, tooltips, buttons, menus, questions."""

import pytest
from PySide6 import QtGui
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QMessageBox, QPushButton, QWidget

from app.ui.theme.theme import Theme
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import button
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.field import ChoiceField, Field
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import ampersands, plain_tooltip, text_label, visible
from tests.support.hostile import SIXTY, without_hidden
from tests.support.loop import RunningLoop
from tests.support.shown_texts import tooltip_words, without_mnemonics
from tests.ui.conftest import Show

pytestmark = pytest.mark.usefixtures("qapp")
every_text = pytest.mark.parametrize("text", SIXTY, ids=range(len(SIXTY)))


def plainly_shown(label: QLabel) -> str:
    """What a label shows; fails if it would guess at markup."""
    assert label.textFormat() == Qt.TextFormat.PlainText
    return label.text()


@every_text
def test_invisible_characters_become_visible_and_others_stay(text: str) -> None:
    shown = visible(text)
    assert without_hidden(shown)
    if without_hidden(text):
        assert shown == text
    assert visible(shown) == shown


def test_two_texts_that_differ_are_shown_differently() -> None:
    shown = [visible(f"R{chr(code)}1") for code in (*range(0x20), 0x7F, *range(0x80, 0xA0), 0x200B, 0x202E, 0xFEFF)]
    assert len({*shown, "R1"}) == len(shown) + 1


@every_text
def test_a_label(text: str) -> None:
    assert plainly_shown(text_label(text)) == visible(text)


@every_text
def test_a_tooltip(text: str) -> None:
    assert tooltip_words(plain_tooltip(text)) == visible(text)
    if text:
        assert QtGui.Qt.mightBeRichText(plain_tooltip(text)), "else Qt would guess by the text itself"


@every_text
def test_a_tooltip_of_several_lines(text: str) -> None:
    assert tooltip_words(plain_tooltip(f"{text}\n{text}")) == f"{visible(text)}\n{visible(text)}"


@every_text
def test_a_button_and_a_menu_underline_nothing(text: str) -> None:
    made = button(text, lambda: None, tip=text)
    assert without_mnemonics(made.text()) == visible(text)
    assert made.accessibleName() == visible(text)
    assert made.shortcut().isEmpty()
    assert visible(text) in tooltip_words(made.toolTip())
    menu = QMenu()
    action = QAction(ampersands(text), menu)
    menu.addAction(action)
    assert action.text().replace("&&", "&") == visible(text)
    menu.deleteLater()


@every_text
def test_a_message(theme: Theme, text: str) -> None:
    bar = MessageBar(theme)
    bar.say("bad", text, "Try again", lambda: None)
    assert bar.text == visible(text)
    for label in bar.findChildren(QLabel):
        plainly_shown(label)


@every_text
def test_a_designed_state(theme: Theme, text: str) -> None:
    view = StateView(theme, QWidget())
    view.show_state("inbox", text, text)
    assert view.state_text == f"{visible(text)} {visible(text)}".strip()
    for label in view.findChildren(QLabel):
        plainly_shown(label)


@every_text
def test_a_field_s_sentence_and_an_unknown_choice(text: str) -> None:
    field, choice = Field("Name"), ChoiceField("Kind", [("", "Not given")])
    field.set_notice(text)
    assert field.shown == visible(text)
    choice.set_notice(text)
    assert choice.shown == visible(text)
    choice.set_text(text)
    assert choice.text() == text, "kept unchanged"
    assert choice.editor.currentText() == visible(text), "shown visibly"
    for label in (*field.findChildren(QLabel), *choice.findChildren(QLabel)):
        plainly_shown(label)


@every_text
def test_a_question(loop: RunningLoop, show: Show, text: str) -> None:
    parent = QWidget()
    show(parent)
    answer = loop.asyncio.create_task(confirmed(parent, text, text, text, text))
    loop.until(lambda: parent.findChildren(QMessageBox))
    (box,) = parent.findChildren(QMessageBox)
    shown = {plainly_shown(label) for label in box.findChildren(QLabel) if label.text()}
    assert shown == {visible(text)}
    assert {each.text().replace("&&", "&") for each in box.findChildren(QPushButton)} == {visible(text)}
    box.reject()
    loop.until(answer.done)
    assert answer.result() is False


def test_an_unescaped_text_would_be_taken_for_markup() -> None:
    """The trap is real: this is what the factory is for."""
    assert QTextDocumentFragment.fromHtml("a&lt;b").toPlainText() == "a<b"
    assert QtGui.Qt.mightBeRichText("<img src=x>")
    assert QLabel("<b>x</b>").textFormat() == Qt.TextFormat.AutoText
    assert isinstance(QApplication.instance(), QApplication)
