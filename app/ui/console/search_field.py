"""The field above each list of the console."""

from PySide6.QtWidgets import QLineEdit, QToolButton

from app.ui.console import console_page_words as words


def search_field(name: str) -> QLineEdit:
    """A field that searches a list; `name` says which, also to a screen reader."""
    made = QLineEdit()
    made.setPlaceholderText(name)
    made.setAccessibleName(name)
    made.setClearButtonEnabled(True)
    for each in made.findChildren(QToolButton):  # Qt gives the button that empties the field no name
        each.setAccessibleName(words.EMPTY_SEARCH)
    return made
