"""The head of the audits page: views, range, filter, chips, and the plot of scores."""

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from app.desk.audits.audit_filter import Narrowing, read_scores, read_span, written_scores
from app.desk.audits.audit_views import GROUPS
from app.desk.audits.scores import Scale, ranked
from app.desk.filter.filter_dates import written_days
from app.desk.insights.plot_data import Span, Target
from app.store.cache.audits.audit_rows import Point
from app.translation import translate
from app.ui.audits.list.audit_chips import AuditChips
from app.ui.audits.list.ranks import RanksList
from app.ui.audits.list.score_plot import Chosen, chosen_by, score_plot
from app.ui.plots.plot_view import PlotView
from app.ui.plots.plots_words import SAVE_PLOT
from app.ui.theme.theme import SIZES, Theme
from app.ui.theme.tokens import (
    PLOT_HEIGHT,
    PLOT_LOW_HEIGHT,
    RANKS_WIDTH,
    SPACE_1,
    SPACE_2,
    SPACE_3,
    VIEWS_LEAST_WIDTH,
)
from app.ui.views.views_bar import ViewsBar
from app.ui.views.views_words import audits_in_view
from app.ui.widgets.bars.message_bar import progress_bar
from app.ui.widgets.buttons import button, icon_button, with_icon
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import SideBySide, column, holding, row
from app.ui.widgets.text.labels import ElidedLabel, text_label

# How far back audits are fetched. The list also shows older audits that were fetched before.
HORIZONS = (
    (7, translate("Fetch 7 days")),
    (30, translate("Fetch 30 days")),
    (90, translate("Fetch 90 days")),
    (365, translate("Fetch a year")),
)
USUAL_HORIZON = 90
_BY = {"facility": translate("By facility"), "vendor": translate("By vendor")}
_SCORES_BY = {"facility": translate("Scores by facility"), "vendor": translate("Scores by vendor")}
_LIST_ROWS = 13  # rows of height that the plot leaves to the rest of the page, where the window is high enough


def plot_selection(narrowing: Narrowing, today: date, scale: Scale) -> Chosen | None:
    """The days and scores that the plot marks as chosen."""
    if not narrowing.days:
        return None
    first, last = read_span(narrowing.days, today) or (None, None)
    return Chosen(first or date.min, last or today, *(read_scores(narrowing.score, scale) or (None, None)))


def narrowed_by_plot(narrowing: Narrowing, chosen: Chosen | None) -> Narrowing:
    """The narrowing with the days and scores that were dragged over in the plot; with none of them for None."""
    if chosen is None:
        return narrowing.without("days").without("score")
    narrowing = narrowing.narrowed("days", (written_days(chosen.first, chosen.last),))
    if (chosen.lowest, chosen.highest) == (None, None):
        return narrowing
    return narrowing.narrowed("score", (written_scores(_rounded(chosen.lowest), _rounded(chosen.highest)),))


def _rounded(score: float | None) -> float | None:
    """As many digits as a hand can mean."""
    return None if score is None else round(score, 2 if abs(score) < 10 else 1)


class AuditsHead(QWidget):
    """Widgets alone: the page listens to them and decides. `compare` opens one question across the audits,
    `review` the first audit that nobody reviewed, `plots`
    the plots of scores by facility and by question.

    `scores_chosen` carries the `Chosen` days and scores of the plot, or None for all; `audit_opened` the number of an
    audit that was clicked there; `plot_save_asked` the plot that is to be saved.
    """

    scores_chosen = Signal(object)
    audit_opened = Signal(int)
    plot_save_asked = Signal(object)

    def __init__(
        self,
        theme: Theme,
        refresh: Callable[[], object],
        compare: Callable[[], object],
        review: Callable[[], object],
        plots: Callable[[], object],
        today: Callable[[], date],
    ) -> None:
        super().__init__()
        self.views = ViewsBar(theme, audits_in_view)
        self.horizon = Choice(translate("How far back audits are fetched"))
        for days, words in HORIZONS:
            self.horizon.addItem(words, days)
        self.show_horizon(USUAL_HORIZON)
        self.refresh_button = with_icon(button(translate("Refresh"), refresh, key="F5"), theme, "refresh-cw")
        self.lens_button = button(
            translate("Across audits"), compare, tip=translate("One question across the audits of this list")
        )
        self.review_button = with_icon(
            button(
                translate("Review next"), review, kind="primary",
                tip=translate("Open the first audit of this list that nobody has reviewed"),
            ),
            theme, "list-checks", "on_accent",
        )  # fmt: skip
        self.filter = QLineEdit()
        self.filter.setAccessibleName(translate("Filter audits"))
        self.filter.setPlaceholderText(
            translate("Filter by type, facility, vendor, auditor, order or audit number  (Ctrl+F)")
        )
        self.clear_button = icon_button(theme, "x", translate("Clear the filter"), self.filter.clear)
        self.count_label = text_label("", "soft")
        self.age_label = ElidedLabel("soft")
        self.group = Choice(translate("What the scores are compared by"))
        for name in GROUPS:
            self.group.addItem(_BY[name], name)
        self.plots_button = icon_button(
            theme, "chart-column", translate("Plots of scores by facility and by question"), plots
        )
        self.save_plot_button = icon_button(theme, "download", SAVE_PLOT, self._save_plot)
        self.plot = PlotView(theme, fills=True)
        self.plot.chosen.connect(self._on_target)
        self.plot.spanned.connect(self._on_span)
        self.ranks = RanksList(theme)
        self.ranks.setAccessibleName(_SCORES_BY[str(self.group.currentData())])  # from the start: scores come later
        self.progress = progress_bar(translate("Refresh progress"), keeps_place=True)
        self.chips = AuditChips(today)
        self._points: Sequence[Point] = ()
        self._day = date.min
        self._lay_out()

    def _lay_out(self) -> None:
        self.views.setMinimumWidth(VIEWS_LEAST_WIDTH)
        self.top = row(self.lens_button, self.horizon, self.refresh_button, gap=SPACE_2)
        top = SideBySide(self.views, holding(self.top), growing=0, gap=SPACE_2)
        search = row(self.filter, self.clear_button, self.count_label, SPACE_1, self.review_button, gap=SPACE_1)
        search.setStretch(0, 1)
        above = row(self.group, self.plots_button, self.save_plot_button, gap=SPACE_1)
        above.setStretch(0, 1)
        for each in (self.plots_button, self.save_plot_button):
            above.setAlignment(each, Qt.AlignmentFlag.AlignVCenter)  # or the row would be no higher than they are
        # What is left below the choice: else both would give way where the page is low.
        self.ranks.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        ranks = column(above, self.ranks, gap=SPACE_1)
        ranks.setStretch(1, 1)
        beside = holding(ranks)
        beside.setFixedWidth(RANKS_WIDTH)
        scores = row(self.plot, beside, gap=SPACE_2)
        scores.setStretch(0, 1)
        self.scores = holding(scores)
        self.fit(0)
        chips = row(self.chips, None, self.age_label, gap=SPACE_2)
        lines = column(top, search, chips, self.scores, margin=(SPACE_3, SPACE_1, SPACE_3, SPACE_1), gap=SPACE_2)
        self.setLayout(column(holding(lines), self.progress))

    def show_scores(self, points: Sequence[Point], narrowing: Narrowing, scale: Scale, today: date) -> None:
        """Draw the scores, and rank the facilities or vendors."""
        facet = str(self.group.currentData())
        picked = frozenset(narrowing.typed(facet))
        self._points, self._day = points, today
        self.plot.show_plot(score_plot(points, today, picked, plot_selection(narrowing, today, scale), scale.top))
        self.ranks.show_ranks(ranked(points), scale, picked, _SCORES_BY[facet])

    def _on_target(self, target: Target) -> None:
        if target.audit:
            self.audit_opened.emit(target.audit)
        elif target.audits is not None and (days := read_span(target.audits.days, self._day)) is not None:
            self.scores_chosen.emit(Chosen(days[0] or date.min, days[1] or self._day))

    def _on_span(self, span: Span | None) -> None:
        self.scores_chosen.emit(None if span is None else chosen_by(span, self._points, self._day))

    def _save_plot(self) -> None:
        if self.plot.plot is not None:
            self.plot_save_asked.emit(self.plot.plot)

    def fit(self, height: int) -> None:
        """Make the plot lower on a page of little height, so that the list keeps its rows."""
        low, high = SIZES.scaled(PLOT_LOW_HEIGHT), SIZES.scaled(PLOT_HEIGHT)
        self.scores.setMinimumHeight(low)
        self.scores.setMaximumHeight(min(max(height - _LIST_ROWS * SIZES.row_height, low), high))

    def show_horizon(self, days: int) -> None:
        """Show how far back audits are fetched; the usual range where `days` is none of the choices."""
        at = self.horizon.findData(days)
        self.horizon.setCurrentIndex(at if at >= 0 else self.horizon.findData(USUAL_HORIZON))

    def show_progress(self, done: int, of: int) -> None:
        """Show how far a refresh has come."""
        self.progress.setRange(0, of if of > 1 else 0)
        self.progress.setValue(done)
        self.progress.show()
