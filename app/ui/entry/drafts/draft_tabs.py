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
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import ICON_PX, SPACE_1
from app.ui.widgets.buttons import icon_button
from app.ui.widgets.text.labels import ampersands, plain_tooltip, visible
from app.ui.widgets.text.times import clock

_SIDE = QTabBar.ButtonPosition.RightSide


class DraftTabs(QTabBar):
    """Tabs in the order in which the drafts were begun. `chosen` carries the id of the draft whose tab was chosen.

    The tab of the draft on screen alone has a button that closes it: nothing is closed unseen.
    """

    chosen = Signal(str)
    close_asked = Signal()  # close the draft on screen

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
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
        self._put_close_button()

    def _put_close_button(self) -> None:
        for at in range(self.count()):
            has = self.tabButton(at, _SIDE) is not None
            if has and at != self.currentIndex():
                self.setTabButton(at, _SIDE, None)
            elif not has and at == self.currentIndex():
                made = icon_button(self._theme, "x", translate("Close draft"), self.close_asked.emit)
                made.setProperty("inside", "tab")
                made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+W is its key
                made.setMaximumSize(ICON_PX + SPACE_1, ICON_PX + SPACE_1)
                self.setTabButton(at, _SIDE, made)

    def _on_current(self, at: int) -> None:
        if at >= 0:
            self.chosen.emit(str(self.tabData(at)))
