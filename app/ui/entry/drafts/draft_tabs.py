"""A tab for each open draft. The page decides which draft is on screen; the tabs show it and report a choice."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QTabBar, QToolTip

from app.desk.drafts import saved_drafts
from app.store.journal.draft_store import DraftName
from app.translation import translate
from app.ui.entry import entry_words
from app.ui.widgets.text.labels import ampersands, plain_tooltip, visible
from app.ui.widgets.text.times import clock


class DraftTabs(QTabBar):
    """Tabs in the order in which the drafts were begun. `chosen` carries the id of the draft whose tab was chosen."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("drafts")
        self.setAccessibleName(translate("Open drafts"))
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._tips: dict[str, str] = {}
        self.currentChanged.connect(self._on_current)

    def event(self, event: QEvent) -> bool:
        # Shown here and not set on the tab: a screen reader would read the markup of a tab's own tooltip aloud.
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tooltip(self.tip(self.tabAt(event.pos()))), self)
            return True
        return super().event(event)

    @property
    def ids(self) -> list[str]:
        """The ids of the drafts, from left to right."""
        return [str(self.tabData(at)) for at in range(self.count())]

    def tip(self, at: int) -> str:
        """The tooltip of a tab, as plain text."""
        return self._tips.get(str(self.tabData(at)), "")

    def show_names(self, names: Sequence[DraftName], current: str) -> None:
        """One tab for each draft, and one for the draft on screen if it is not saved yet."""
        references = Counter(each.reference.strip() for each in names)
        shown = []
        for each in names:
            repeated = bool(each.reference.strip()) and references[each.reference.strip()] > 1
            tip = entry_words.tab_tip(clock(each.changed_at), repeated=repeated)
            shown.append((each.id, saved_drafts.name_of(each), tip))
        if current not in {key for key, _, _ in shown}:
            shown.append((current, entry_words.NEW_ORDER, entry_words.NOTHING_TYPED))
        # Blocked: moving the tabs about is no choice of a person.
        with QSignalBlocker(self):
            while self.count() > len(shown):
                self.removeTab(self.count() - 1)
            for at, (key, name, tip) in enumerate(shown):
                if at == self.count():
                    self.addTab("")
                self.setTabText(at, ampersands(name))
                self.setTabData(at, key)
                self._tips[key] = f"{name}\n{tip}"
                self.setAccessibleTabName(at, visible(name))
            self._tips = {key: self._tips[key] for key, _, _ in shown}
            self.setCurrentIndex(next(at for at, (key, _, _) in enumerate(shown) if key == current))

    def _on_current(self, at: int) -> None:
        if at >= 0:
            self.chosen.emit(str(self.tabData(at)))
