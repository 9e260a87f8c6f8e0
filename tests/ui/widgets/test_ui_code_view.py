"""Text with line numbers: long texts stall nothing, changes keep the cursor and can be undone, mistakes are marked."""

import random
import time

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtTest import QTest

from app.ui.theme.theme import Theme
from app.ui.widgets.code import code_words as words
from app.ui.widgets.code.code_view import LONGEST_LINE, MOST_SHOWN, CodeView, _common, text_lines
from app.ui.widgets.code.find_bar import FindBar
from app.ui.widgets.code.json_editor import MOST_TYPED, JsonEditor
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show


@pytest.fixture
def view(theme: Theme, show: Show) -> CodeView:
    made = CodeView(theme, "Text", read_only=True)
    show(made)
    return made


@pytest.fixture
def editor(theme: Theme, show: Show) -> JsonEditor:
    made = JsonEditor(theme, "Body")
    show(made)
    return made


def test_a_long_text_is_filled_in_turn_by_turn(view: CodeView, loop: RunningLoop) -> None:
    text = "\n".join(f"line {number}" for number in range(50_000))
    began = time.perf_counter()
    view.show_text(text)
    assert view.is_filling
    assert time.perf_counter() - began < 1
    loop.until(lambda: not view.is_filling)
    assert view.whole_text() == text


def test_another_text_takes_the_place_of_one_that_is_being_filled_in(view: CodeView, loop: RunningLoop) -> None:
    view.show_text("\n".join("one" for _ in range(20_000)))
    view.show_text("two")
    loop.rest()
    assert view.whole_text() == "two"


def test_a_line_of_a_million_letters_is_broken(view: CodeView, loop: RunningLoop) -> None:
    view.show_text("a" * 1_000_000 + "\nb")
    loop.until(lambda: not view.is_filling)
    assert view.lines.broken == 1
    longest = max(map(len, view.whole_text().split("\n")))
    assert longest <= LONGEST_LINE + len(words.LINE_BROKEN)
    assert view.whole_text().replace(f"{words.LINE_BROKEN}\n", "") == "a" * 1_000_000 + "\nb"


def test_of_many_megabytes_the_beginning_is_shown(view: CodeView, loop: RunningLoop) -> None:
    """In a line of thirty million letters, each piece took as long as all the rest of it."""
    lines = text_lines("ab" * 16_000_000)
    assert (lines.shown, lines.whole, lines.broken) == (MOST_SHOWN, 32_000_000, 1)
    assert len(lines.lines) == MOST_SHOWN // LONGEST_LINE
    view.show_lines(lines)
    assert len(view.whole_text()) < MOST_SHOWN // 10, "the rest comes turn by turn"
    view.show_text("short")
    loop.rest()
    assert view.whole_text() == "short"


@pytest.mark.parametrize("length", [0, LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 2 * LONGEST_LINE])
def test_lines_are_broken_where_they_are_too_long(length: int) -> None:
    found = text_lines("a" * length + "\r\n")
    assert [each.rstrip(words.LINE_BROKEN) for each in found.lines][-1] == ""
    assert "".join(each.rstrip(words.LINE_BROKEN) for each in found.lines) == "a" * length
    assert len(found.lines) == max(1, -(-length // LONGEST_LINE)) + 1
    assert found.broken == (length > LONGEST_LINE)


def test_hidden_characters_are_seen(view: CodeView) -> None:
    view.show_text("a\u202eb")
    assert view.whole_text() == "a⟨U+202E⟩b"


def test_all_places_are_found_and_shown_in_turn(view: CodeView, theme: Theme, show: Show, loop: RunningLoop) -> None:
    view.show_text("Öl, öl 😀 ÖL\nand no more")
    bar = FindBar(theme)
    show(bar)
    bar.search_in(view)
    bar.open_bar()
    bar.field.setText("öl")
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.label.text() == words.found(1, 3)
    for place in (2, 3, 1):
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
        assert bar.label.text() == words.found(place, 3)
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.label.text() == words.found(3, 3)
    selected = view.extraSelections()
    assert {each.cursor.selectedText() for each in selected} == {"Öl", "öl", "ÖL"}
    bar.field.setText("nowhere")
    loop.until(lambda: bar.label.text() == words.NOT_FOUND)
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.isHidden()
    assert view.extraSelections() == []


def test_setting_a_text_keeps_the_cursor_and_can_be_undone(editor: JsonEditor) -> None:
    typed: list[int] = []
    editor.typed.connect(lambda: typed.append(1))
    editor.begin('{"a": 1, "b": 😀}')
    cursor = editor.textCursor()
    cursor.setPosition(2)
    editor.setTextCursor(cursor)
    editor.set_text('{"a": 1, "b": 😀, "c": 3}')
    assert editor.textCursor().position() == 2
    assert editor.whole_text() == '{"a": 1, "b": 😀, "c": 3}'
    assert typed == []
    editor.undo()
    assert editor.whole_text() == '{"a": 1, "b": 😀}'


@pytest.mark.parametrize("seed", range(30))
def test_any_text_becomes_any_other(editor: JsonEditor, seed: int) -> None:
    dice = random.Random(seed)
    letters = ["a", "b", "\n", "😀", "é", '"']

    def text() -> str:
        return "".join(dice.choice(letters) for _ in range(dice.randrange(12)))

    for _ in range(20):
        wanted = text()
        editor.set_text(wanted)
        assert editor.whole_text() == wanted


@pytest.mark.parametrize(("one", "other", "alike"), [("", "", 0), ("abc", "abd", 2), ("abc", "abcd", 3), ("x", "y", 0)])
def test_how_far_two_texts_are_alike(one: str, other: str, alike: int) -> None:
    assert _common(one, other) == _common(other, one) == alike


def test_enter_keeps_the_indentation(editor: JsonEditor) -> None:
    editor.setFocus()
    QTest.keyClicks(editor, "{}")
    QTest.keyClick(editor, Qt.Key.Key_Left)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, '"a": [')
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "1")
    assert editor.whole_text() == '{\n  "a": [\n    1\n}'


def paste(editor: JsonEditor, text: str) -> str:
    said: list[str] = []
    editor.said.connect(said.append)
    source = QMimeData()
    source.setText(text)
    editor.insertFromMimeData(source)
    return said[-1]


def test_a_long_line_of_json_is_laid_out_when_pasted(editor: JsonEditor) -> None:
    line = "[" + ",".join(["1234567"] * 1_000) + "]"
    assert paste(editor, line) == words.LAID_OUT
    assert editor.whole_text().count("\n") == 1_001
    editor.undo()
    assert editor.whole_text() == ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a" * 5_000, words.line_too_long(LONGEST_LINE)),
        ('["' + "a" * 5_000 + '"]', words.line_too_long(LONGEST_LINE)),
        ("a\n" * MOST_TYPED, words.too_long_to_paste(MOST_TYPED)),
        ("short", ""),
    ],
)
def test_what_could_not_be_laid_out_is_refused(editor: JsonEditor, text: str, sentence: str) -> None:
    assert paste(editor, text) == sentence
    assert editor.whole_text() == ("" if sentence else text)


def test_a_mistake_is_marked_and_gone_to(editor: JsonEditor) -> None:
    editor.begin('{\n  "a": 1,\n}')
    editor.mark_wrong(3, 12)
    (mark,) = editor.extraSelections()
    assert mark.cursor.position() == 13
    editor.go_to_mark()
    assert editor.textCursor().position() == 12
    editor.clear_mark()
    assert editor.extraSelections() == []
