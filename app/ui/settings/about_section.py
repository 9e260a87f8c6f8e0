"""About in Settings: which version this is, what it runs on, diagnostics, and where the licences inside lie."""

import sys
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QFrame

from app.translation import translate
from app.ui.reports import reports_words
from app.ui.reports.diagnostics import stands_on
from app.ui.settings import settings_words as words
from app.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import button
from app.ui.widgets.files.show_in_folder import open_folder
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import text_label, visible
from app.version import VERSION


class AboutSection(QFrame):
    """The version can be copied for whoever is asked for help; it names nothing of a person."""

    diagnostics_asked = Signal()

    def __init__(self, bar: MessageBar, licences: Path | None = None) -> None:
        super().__init__()
        self.setObjectName("card")
        self._bar, self._licences = bar, licences or packed_licences()
        self.version_label = text_label(words.version(VERSION), selectable=True)
        self.facts_label = text_label(visible(stands_on()), "soft", wrap=True, selectable=True)
        self.copy_button = button(translate("Copy version"), self._copy)
        self.licences_button = button(translate("Show licences"), self._show_licences)
        self.diagnostics_button = button(reports_words.SHOW_DIAGNOSTICS, self.diagnostics_asked.emit)
        help_label = text_label(words.LICENCES_HELP, "soft", wrap=True)
        for each in (self.licences_button, help_label):  # from source, each library brings its own
            each.setVisible(self._licences is not None)
        self.setLayout(
            column(
                row(text_label(translate("About"), "heading"), None),
                self.version_label,
                self.facts_label,
                help_label,
                row(self.copy_button, self.diagnostics_button, self.licences_button, None, gap=SPACE_2),
                margin=(SPACE_4, SPACE_3, SPACE_4, SPACE_3),
                gap=SPACE_2,
            )
        )

    def _copy(self) -> None:
        QApplication.clipboard().setText(f"{words.version(VERSION)}\n{stands_on()}")
        self._bar.say("good", words.FACTS_COPIED)

    def _show_licences(self) -> None:
        if self._licences is not None and not open_folder(self._licences):
            self._bar.say("warn", words.licences_not_opened(self._licences))


def packed_licences() -> Path | None:
    """The folder of licence texts beside the packed program; None of a program that is not packed."""
    if not getattr(sys, "frozen", False):
        return None
    folder = Path(sys.executable).parent / "licences"
    return folder if folder.is_dir() else None
