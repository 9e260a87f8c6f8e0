"""What stands above the audit list: the views, how far back, the filter, what it is narrowed to, and the plot."""

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtWidgets import QLineEdit, QWidget

from app.desk.audits.audit_filter import Narrowing
from app.desk.audits.audit_views import GROUPS
from app.desk.audits.scores import ranked
from app.store.cache.audits.audit_rows import Point
from app.ui.audits.list.audit_chips import AuditChips
from app.ui.audits.list.narrowing_words import FACET_WORDS, in_plot
from app.ui.audits.plot.ranks import RanksList
from app.ui.audits.plot.score_plot import ScorePlot
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import PLOT_HEIGHT, PLOT_LOW_HEIGHT, RANKS_WIDTH, ROW_HEIGHT, SPACE_1, SPACE_2, SPACE_3
from app.ui.views.views_bar import ViewsBar
from app.ui.views.views_words import audits_in_view
from app.ui.widgets.bars.message_bar import progress_bar
from app.ui.widgets.buttons import button, icon_button, with_icon
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.text.labels import ElidedLabel, text_label

# What is fetched, and not what is shown: what was fetched of earlier dates stays in the list.
HORIZONS = ((7, "Fetch 7 days"), (30, "Fetch 30 days"), (90, "Fetch 90 days"), (365, "Fetch a year"))
USUAL_HORIZON = 90
_LIST_ROWS = 13  # that the plot leaves to the lines above it, the header and the list, while it can


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
        self.views = ViewsBar(theme, audits_in_view)
        self.horizon = Choice("How far back audits are fetched")
        for days, words in HORIZONS:
            self.horizon.addItem(words, days)
        self.show_horizon(USUAL_HORIZON)
        self.refresh_button = with_icon(button("Refresh", refresh, key="F5"), theme, "refresh-cw")
        self.lens_button = button("One question", look, tip="One question over all audits of this list")
        self.filter = QLineEdit()
        self.filter.setAccessibleName("Filter audits")
        self.filter.setPlaceholderText("Filter by type, facility, vendor, auditor, order or audit number  (Ctrl+F)")
        self.clear_button = icon_button(theme, "x", "Clear the filter", self.filter.clear)
        self.count_label = text_label("", "soft")
        self.age_label = ElidedLabel("soft")
        self.group = Choice("What the scores are compared by")
        for name in GROUPS:
            self.group.addItem(f"By {FACET_WORDS[name].lower()}", name)
        self.plot = ScorePlot(theme)
        self.ranks = RanksList(theme)
        self.progress = progress_bar("Refresh progress", keeps_place=True)
        self.chips = AuditChips(today)
        self._lay_out()

    def _lay_out(self) -> None:
        self.top = row(self.views, self.lens_button, self.horizon, self.refresh_button, gap=SPACE_2)
        self.top.setStretch(0, 1)
        search = row(self.filter, self.clear_button, self.count_label, gap=SPACE_1)
        search.setStretch(0, 1)
        beside = holding(column(self.group, self.ranks, gap=SPACE_1))
        beside.setFixedWidth(RANKS_WIDTH)
        scores = row(self.plot, beside, gap=SPACE_2)
        scores.setStretch(0, 1)
        self.scores = holding(scores)
        self.scores.setMinimumHeight(PLOT_LOW_HEIGHT)
        self.scores.setMaximumHeight(PLOT_HEIGHT)
        chips = row(self.chips, None, self.age_label, gap=SPACE_2)
        lines = column(self.top, search, chips, self.scores, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2)
        self.setLayout(column(holding(lines), self.progress))

    def show_scores(self, points: Sequence[Point], narrowing: Narrowing, top: float, today: date) -> None:
        """Draw the scores, and rank what they are compared by."""
        facet = str(self.group.currentData())
        picked = frozenset(narrowing.typed(facet))
        self.plot.show_points(points, today, picked, in_plot(narrowing, today, top))
        self.ranks.show_ranks(ranked(points), top, picked, f"Scores by {FACET_WORDS[facet].lower()}")

    def fit(self, height: int) -> None:
        """Let the plot give way to the list on a page that is so high."""
        self.scores.setMaximumHeight(min(max(height - _LIST_ROWS * ROW_HEIGHT, PLOT_LOW_HEIGHT), PLOT_HEIGHT))

    def show_horizon(self, days: int) -> None:
        """How far back audits are fetched; the usual where nothing else was chosen."""
        at = self.horizon.findData(days)
        self.horizon.setCurrentIndex(at if at >= 0 else self.horizon.findData(USUAL_HORIZON))

    def show_progress(self, done: int, of: int) -> None:
        """Show how far a refresh has come."""
        self.progress.setRange(0, of if of > 1 else 0)
        self.progress.setValue(done)
        self.progress.show()
