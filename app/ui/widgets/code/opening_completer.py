"""Suggestions in an editor of several lines, for what stands between an opening sign and the cursor."""

from PySide6.QtCore import QRect

from app.ui.widgets.choosing.suggestions import Completer, SuggestionList
from app.ui.widgets.code.json_editor import JsonEditor


class OpeningCompleter(Completer):
    """`typed` is the opening sign with what follows it up to the cursor; empty where none is open on this line."""

    def __init__(self, editor: JsonEditor, shown: SuggestionList, opening: str, closing: str) -> None:
        super().__init__(editor, shown, in_grid=True, goes_on=True)
        self._editor, self._opening, self._closing = editor, opening, closing
        editor.typed.connect(self._on_typed)
        editor.cursorPositionChanged.connect(self._on_moved)

    def typed(self) -> str:
        """The opening sign on this line with what follows it up to the cursor; empty if none is open."""
        cursor = self._editor.textCursor()
        line = cursor.block().text()[: cursor.positionInBlock()]
        _, opening, inside = line.rpartition(self._opening)
        return f"{opening}{inside}" if opening and self._closing[0] not in inside else ""

    def place(self) -> QRect:
        """Where the cursor stands, in the editor's coordinates."""
        at = self._editor.cursorRect()
        at.translate(self._editor.viewport().pos())
        at.setWidth(0)  # the list is as wide as lists are, not as the editor
        return at

    def complete(self, text: str, *, whole: bool) -> None:
        """Put `text` behind the opening sign; a `whole` one is closed, for others suggestions go on."""
        cursor = self._editor.textCursor()
        inside = len(self.typed()) - len(self._opening)
        for _ in range(max(0, inside)):
            cursor.deletePreviousChar()
        behind = cursor.block().text()[cursor.positionInBlock() :]
        closed = behind.startswith(self._closing)
        cursor.insertText(text if not whole or closed else text + self._closing)
        if whole and closed:
            cursor.movePosition(cursor.MoveOperation.Right, cursor.MoveMode.MoveAnchor, len(self._closing))
        self._editor.setTextCursor(cursor)
        if not whole:
            self.open()

    def _on_typed(self) -> None:
        self._on_text(self.typed())

    def _on_moved(self) -> None:
        if self.waits_for(self._asked or "") and self.typed() != self._asked and not self._busy:
            self.close()
