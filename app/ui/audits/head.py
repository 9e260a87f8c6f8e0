"""What stands above the audit list: which pile, how far back, the filter, what it is narrowed to, and the plot."""

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtWidgets import QLineEdit, QProgressBar, QWidget

from app.desk.trends import ranked
from app.store.audit_rows import Point
from app.ui.audits.chips import AuditChips
from app.ui.audits.narrowing import FACETS, Narrowing
from app.ui.audits.plot import ScorePlot
from app.ui.audits.ranks import RanksList
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import PLOT_HEIGHT, RANKS_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, icon_button, tab, with_icon
from app.ui.widgets.field import Choice
from app.ui.widgets.labels import text_label
from app.ui.widgets.layout import column, holding, row

PILES: dict[str, str] = {"all": "All", "left": "Not reviewed", "flagged": "Flagged"}
HORIZONS = ((7, "Last 7 days"), (30, "Last 30 days"), (90, "Last 90 days"), (365, "Last year"))
GROUPS = (("facility", "By facility"), ("vendor", "By vendor"))


class AuditsHead(QWidget):
    """Widgets alone: the page listens to them and decides. `look` is called for one question over all audits."""

    def __init__(
        self,
        theme: Theme,
        refresh: Callable[[], object],
        look: Callable[[], object],
        today: Callable[[], date],
    ) -> None:
        super().__init__()
        self.tabs = {name: tab(title, name) for name, title in PILES.items()}
        self.tabs["all"].setChecked(True)
        self.horizon = Choice("How far back audits are fetched")
        for days, words in HORIZONS:
            self.horizon.addItem(words, days)
        self.horizon.setCurrentIndex(2)
        self.refresh_button = with_icon(button("Refresh", refresh, key="F5"), theme, "refresh-cw")
        self.lens_button = button("One question", look, tip="One question over all audits of this list")
        self.filter = QLineEdit()
        self.filter.setAccessibleName("Filter audits")
        self.filter.setPlaceholderText("Filter by type, facility, vendor, auditor, order or audit number  (Ctrl+F)")
        self.clear_button = icon_button(theme, "x", "Clear the filter", self.filter.clear)
        self.count_label = text_label("", "soft")
        self.age_label = text_label("", "soft")
        self.group = Choice("What the scores are compared by")
        for name, words in GROUPS:
            self.group.addItem(words, name)
        self.plot = ScorePlot(theme)
        self.ranks = RanksList(theme)
        self.progress = _progress()
        self.chips = AuditChips(today)
        self._lay_out()

    def _lay_out(self) -> None:
        self.top = row(
            *self.tabs.values(), None, self.age_label, self.lens_button, self.horizon, self.refresh_button, gap=SPACE_2
        )
        search = row(self.filter, self.clear_button, self.count_label, gap=SPACE_1)
        search.setStretch(0, 1)
        beside = holding(column(self.group, self.ranks, gap=SPACE_1))
        beside.setFixedWidth(RANKS_WIDTH)
        beside.setFixedHeight(PLOT_HEIGHT)
        scores = row(self.plot, beside, gap=SPACE_2)
        scores.setStretch(0, 1)
        self.scores = holding(scores)
        lines = column(
            self.top, search, self.chips, self.scores, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2
        )
        self.setLayout(column(holding(lines), self.progress))

    def show_scores(self, points: Sequence[Point], narrowing: Narrowing, top: float, today: date) -> None:
        """Draw the scores, and rank what they are compared by."""
        facet = str(self.group.currentData())
        picked = frozenset(narrowing.values(facet))
        self.plot.show_points(points, today, picked, narrowing.kept)
        self.ranks.show_ranks(ranked(points), top, picked, f"Scores by {FACETS[facet].lower()}")

    def say_count(self, pile: str, count: int) -> None:
        """Write how many audits a pile holds on its tab."""
        self.tabs[pile].setText(f"{PILES[pile]} {count:,}" if count else PILES[pile])
        self.tabs[pile].setAccessibleName(f"{PILES[pile]}, {count:,} audits")

    def show_progress(self, done: int, of: int) -> None:
        """Show how far a refresh has come."""
        self.progress.setRange(0, of if of > 1 else 0)
        self.progress.setValue(done)
        self.progress.show()


def _progress() -> QProgressBar:
    made = QProgressBar()
    made.setTextVisible(False)
    made.setAccessibleName("Refresh progress")
    keep = made.sizePolicy()
    keep.setRetainSizeWhenHidden(True)
    made.setSizePolicy(keep)
    made.hide()
    return made
