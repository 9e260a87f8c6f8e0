"""The insights page: a card for each plot, the chips that say what they are about, and the way to their rows.

Invariant: the plots on screen are those of the days, facilities and delivery types that the chips show, or the page
says that they are being read. Nothing is drawn anew by itself: what has changed since is said beside the age.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.desk.desk import Desk
from app.desk.files.save_files import safe_stem
from app.desk.files.stoppable_work import Progress, Stopped, in_thread
from app.desk.forecast.forecast_words import RULE, calibration_words
from app.desk.insights.insight_choice import NOT_CANCELLED, InsightChoice
from app.desk.insights.plot_data import Plot, Target
from app.desk.insights.read_plots import NAMES, LikelyLate, plot_groups, read_likely_late
from app.store.cache.order_rows import OrderQuery
from app.store.store_errors import StoreError
from app.ui.base.page import Page, PageServices
from app.ui.insights import insights_page_words as words
from app.ui.insights.insight_chips import CHIP_KEYS, InsightChips
from app.ui.insights.plot_card import PlotCard
from app.ui.plots.plot_files import plot_job
from app.ui.plots.plots_words import plot_file
from app.ui.theme.tokens import PLOT_CARD_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.bars.message_bar import progress_bar
from app.ui.widgets.buttons import button, shortcut, with_icon
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.layout import SideBySide, column, holding, row, scrolling
from app.ui.widgets.text.labels import ElidedLabel, text_label, visible
from app.ui.widgets.text.times import clock

_READ = "plots"  # the task that reads, and the topic of the bar
WEEKLY_KEY = "Ctrl+P"
_MOST_COLUMNS = 3  # of cards


class InsightsPage(Page):
    """Cards, chips, and the strip that saves them."""

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "insights")
        theme = services.theme
        self.chips = InsightChips(self._today)
        self.age_label = ElidedLabel("soft")
        self.refresh_button = with_icon(button(words.REFRESH, self.reload, key="F5"), theme, "refresh-cw")
        self.stop_button = button(words.STOP, self.stop, kind="quiet")
        self.weekly_button = with_icon(
            button(words.WEEKLY, self.make_weekly, kind="primary", key=WEEKLY_KEY, tip=words.WEEKLY_TIP),
            theme, "file-text", "on_accent",
        )  # fmt: skip
        self.progress = progress_bar(words.READING_PLOTS, keeps_place=True)
        self.likely_label = text_label("", "strong", wrap=True)
        self.likely_button = button(words.SHOW, self._show_likely, kind="quiet")
        self.forecast_label = text_label("", "soft", wrap=True)
        self.cards = {name: PlotCard(theme) for name in NAMES}
        self.files = FileStrip(theme, self.tasks)
        self._read_at: datetime | None = None
        self._wanted = ""  # the plot to be brought into sight
        self._age = ""  # when the plots were read, in words
        self._stale = True
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        buttons = row(self.age_label, self.stop_button, self.refresh_button, self.weekly_button, gap=SPACE_2)
        buttons.setStretch(0, 1)
        sides = (SPACE_3, SPACE_2, SPACE_3, SPACE_1)
        head = SideBySide(self.chips, holding(buttons), growing=1, gap=SPACE_2, margin=sides)
        rule = text_label(RULE, "soft", wrap=True)
        line = row(self.likely_label, self.likely_button, gap=SPACE_2)
        line.setStretch(0, 1)
        forecast = holding(
            column(
                text_label(words.LIKELY_LATE, "heading"), line, self.forecast_label, rule, margin=SPACE_3, gap=SPACE_1
            ),
            "surface",
        )
        self.grid = CardGrid(list(self.cards.values()), [forecast])
        self.area = scrolling(self.grid)
        # Always there: a bar that comes and goes changes the width, with it the height, and so the bar again.
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        body = column(holding(column(head), "surface"), self.progress, self.area)
        body.setStretch(2, 1)
        whole = holding(body)
        self.setLayout(column(whole))
        self.bar.float_over(self, self.area)
        self.files.float_over(self, self.area)

    def _connect(self) -> None:
        self.chips.chosen.connect(self._on_choice)
        self.chips.values_asked.connect(self._ask_values)
        for card in self.cards.values():
            card.chosen.connect(self._show_rows)
            card.save_asked.connect(self._save)
        for key, name in CHIP_KEYS:
            shortcut(self, key, partial(self.chips.open_chip, name))
        self.services.news.stored.connect(self._on_news)
        self.services.news.wrote.connect(self._on_news)

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self.tasks.cancel(_READ)
        self.chips.show_choice(InsightChoice())
        self._read_at, self._stale, self._age = None, True, ""
        for card in self.cards.values():
            card.plot = None
            card.show_waiting()
        self._say_forecast(None)
        if self.isVisible():
            self.reload()

    def enter(self) -> None:
        self.chips.show_choice(self.chips.choice)  # "the last 12 weeks" may have moved on
        if self._stale:
            self.reload()
        next(iter(self.chips.buttons.values())).setFocus(Qt.FocusReason.OtherFocusReason)

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [(words.REFRESH, "F5", self.reload), (words.WEEKLY, WEEKLY_KEY, self.make_weekly)]

    def _today(self) -> date:
        return self.services.now().date()

    # Reading

    def reload(self) -> None:
        """Read all plots again."""
        self.tasks.read(_READ, self._read(self.desk, self.chips.choice))

    def stop(self) -> None:
        """Stop reading; what has come stays."""
        self.tasks.cancel(_READ)
        self._show_busy(0, 0)
        self.bar.say("", words.STOPPED, words.TRY_AGAIN, self.reload, topic=_READ)

    async def _read(self, desk: Desk, choice: InsightChoice) -> None:
        progress = Progress()
        groups = plot_groups(desk, choice, progress.checkpoint)
        # Before the reading: what changes meanwhile makes the plots stale again.
        self._stale, of = False, len(groups) + 1
        self.bar.withdraw(_READ)
        self.age_label.say("")
        self._age = ""
        self.tell_status()
        for card in self.cards.values():
            card.show_waiting()
        try:
            for done, make in enumerate(groups):
                self._show_busy(done, of)
                for plot in await in_thread(make, progress):
                    self.cards[plot.name].show_plot(plot)
            self._show_busy(of - 1, of)
            self._say_forecast(await read_likely_late(desk, progress))
        except StoreError as error:
            self._stale = True
            self.bar.say("bad", error.sentence, words.TRY_AGAIN, self.reload, topic=_READ)
        except Stopped:
            self._stale = True
        else:
            self._read_at = self.services.now()
            self._say_age()
        self._show_busy(0, 0)
        self._go_to_wanted()

    def _show_busy(self, done: int, of: int) -> None:
        self.stop_button.setVisible(of > 0)
        self.refresh_button.setVisible(of == 0)
        self.progress.setRange(0, max(of, 1))
        self.progress.setValue(done)
        self.progress.setVisible(of > 0)

    def _say_forecast(self, found: LikelyLate | None) -> None:
        self.likely_label.setText(words.READING if found is None else words.likely_late(found.orders))
        self.likely_button.setVisible(found is not None and found.orders > 0)
        self.forecast_label.setText("" if found is None else visible(calibration_words(found.calibration)))

    def status_text(self) -> str:
        """What the plots are about, and how old they are."""
        return words.status(self._about(), self._age or words.READING)

    def _say_age(self) -> None:
        if self._read_at is not None:
            said = words.changed_since if self._stale else words.read_at
            self._age = said(clock(self._read_at))
            self.age_label.say(self._age)
        self.tell_status()

    def _on_news(self) -> None:
        if self._read_at is not None and not self._stale:
            self._stale = True
            self._say_age()

    def show_plot(self, name: str) -> None:
        """Bring a plot into sight, with the keyboard on its marks if it has any.

        Once all are read, since they differ in height.
        """
        self._wanted = name
        if not self.tasks.running(_READ):
            self._go_to_wanted()

    def _go_to_wanted(self) -> None:
        name, self._wanted = self._wanted, ""
        if not name:
            return
        card = self.cards[name]
        if not card.states.state_text:  # a plot without marks takes no keyboard
            card.view.setFocus(Qt.FocusReason.OtherFocusReason)
        # The layout follows what was just read only with the next event.
        QTimer.singleShot(0, card, partial(self._bring_in_sight, card))

    def _bring_in_sight(self, card: PlotCard) -> None:
        self.area.ensureWidgetVisible(card, 0, SPACE_3)

    # What is chosen

    def _on_choice(self, _choice: InsightChoice) -> None:
        self.reload()

    def _ask_values(self, name: str) -> None:
        self.tasks.read("values", self._offer_values(self.desk, name))

    async def _offer_values(self, desk: Desk, name: str) -> None:
        from app.desk.filter.resolve_filter import value_counts, value_names

        query = OrderQuery(desk.profile.id, None, clauses=(NOT_CANCELLED,), today=self._today())
        counts = await value_counts(desk, query, name)
        names = await value_names(desk, name, [value for value, _ in counts])
        self.chips.offer(name, counts, names)

    # Rows, files

    def _show_rows(self, target: Target) -> None:
        news = self.services.news
        if target.orders:
            news.show_orders.emit(target.orders)
        elif target.writes:
            news.show_writes.emit(target.writes, target.words)
        elif target.audits is not None:
            news.show_audits.emit(target.audits, target.question)

    def _show_likely(self) -> None:
        self.services.news.show_orders.emit("list:open is:likely_late")

    def _about(self) -> str:
        choice = self.chips.choice
        span = words.span_words("", *choice.span(self._today()))
        facility = words.values_words(words.FACILITY, choice.facilities)
        return words.about(span, facility, words.values_words(words.DELIVERY, choice.deliveries))

    def _save(self, plot: Plot) -> None:
        name = safe_stem(plot_file(plot.title), f"{self._today():%Y-%m-%d}")
        practice = self.desk.profile.kind == "practice"
        self.files.begin(plot_job(plot, self._about(), name, self.font(), practice=practice))

    def make_weekly(self) -> None:
        """Save the page of the last whole week."""
        from app.ui.insights.weekly_page import weekly_job  # brings the printing parts

        choice = self.chips.choice
        about = words.about(
            "", words.values_words(words.FACILITY, choice.facilities),
            words.values_words(words.DELIVERY, choice.deliveries),
        )  # fmt: skip
        self.files.begin(weekly_job(self.desk, choice, about, self.font()))


class CardGrid(QWidget):
    """Cards in as many columns as have room, in the order of reading: from left to right, then down.

    `wide` cards take a whole row.
    """

    def __init__(self, cards: Sequence[QWidget], wide: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self._cards, self._wide, self.columns = cards, wide, 0
        self._grid = QGridLayout()
        self._grid.setContentsMargins(SPACE_3, SPACE_3, SPACE_3, SPACE_3)
        self._grid.setSpacing(SPACE_3)
        self.setLayout(self._grid)
        self._arrange(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(min(max(event.size().width() // (PLOT_CARD_WIDTH + SPACE_3), 1), _MOST_COLUMNS))

    def _arrange(self, columns: int) -> None:
        if columns == self.columns:
            return
        for at in range(max(columns, self.columns)):
            self._grid.setColumnStretch(at, 1 if at < columns else 0)
        self.columns = columns
        for each in (*self._wide, *self._cards):
            self._grid.removeWidget(each)
        for at, each in enumerate(self._wide):
            self._grid.addWidget(each, at, 0, 1, columns)
        for at, each in enumerate(self._cards):
            place = len(self._wide) + at // columns, at % columns
            self._grid.addWidget(each, *place)
