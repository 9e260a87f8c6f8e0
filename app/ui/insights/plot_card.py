"""A plot among others: its title, the plot, what the chosen mark says, its definition, and what it leaves out."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.desk.insights.plot_data import LeftOut, Plot
from app.ui.insights import insights_page_words as words
from app.ui.plots import plots_words
from app.ui.plots.plot_view import PlotView
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import PLOT_EMPTY_HEIGHT, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, icon_button
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import ElidedLabel, text_label, visible


class PlotCard(QWidget):
    """`chosen` carries the `Target` of a mark or of what is left out; `save_asked` the plot to be saved."""

    chosen = Signal(object)
    save_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.plot: Plot | None = None
        self.title = text_label("", "heading", wrap=True)
        self.save_button = icon_button(theme, "download", plots_words.SAVE_PLOT, self._save)
        self.view = PlotView(theme)
        self.view.chosen.connect(self.chosen)
        self.view.said.connect(self._say)
        self.view.grown.connect(self._fit)
        self.states = StateView(theme, self.view)
        self.value = ElidedLabel("body")
        self.definition = text_label("", "soft", wrap=True)
        self._notes: list[tuple[QWidget, QLabel, QPushButton]] = []
        self._below = column(gap=SPACE_1)
        head = row(self.title, self.save_button, gap=SPACE_2)
        head.setStretch(0, 1)
        body = column(head, self.states, self.value, self.definition, self._below, None, margin=SPACE_3, gap=SPACE_1)
        self.setLayout(column(holding(body, "surface")))

    def show_plot(self, plot: Plot) -> None:
        """Show this plot."""
        self.plot = plot
        self.title.setText(visible(plot.title))
        self.save_button.setAccessibleName(visible(plots_words.save_plot_called(plot.title)))
        self.save_button.setEnabled(not plot.nothing)
        self.definition.setText(visible(plot.definition))
        self.view.show_plot(plot)
        if plot.nothing:
            self.states.setFixedHeight(PLOT_EMPTY_HEIGHT)
            self.states.show_state("inbox", plot.nothing)
        else:
            self.states.setFixedHeight(self.view.minimumHeight())
            self.states.show_content()
        self._show_left_out(plot)
        self._say("")

    def show_waiting(self) -> None:
        """The plot has not come yet."""
        if self.plot is None:
            self.states.setFixedHeight(PLOT_EMPTY_HEIGHT)
            self.states.show_state("clock", words.READING)

    def _show_left_out(self, plot: Plot) -> None:
        while len(self._notes) < len(plot.left_out):
            self._notes.append(self._note())
        for at, (line, label, key) in enumerate(self._notes):
            line.setVisible(at < len(plot.left_out))
            if at < len(plot.left_out):
                each = plot.left_out[at]
                label.setText(visible(each.sentence))
                key.setVisible(each.target is not None)
                key.setAccessibleName(visible(f"{words.SHOW}: {each.sentence}"))

    def _note(self) -> tuple[QWidget, QLabel, QPushButton]:
        label = text_label("", "soft", wrap=True)
        key = button(words.SHOW, partial(self._on_note, len(self._notes)), kind="quiet")
        line = row(label, key, gap=SPACE_2)
        line.setStretch(0, 1)
        line.setAlignment(key, Qt.AlignmentFlag.AlignTop)
        held = holding(line)
        self._below.addWidget(held)
        return held, label, key

    def _on_note(self, place: int) -> None:
        assert self.plot is not None
        each: LeftOut = self.plot.left_out[place]
        if each.target is not None:
            self.chosen.emit(each.target)

    def _fit(self, height: int) -> None:
        if self.plot is not None and not self.plot.nothing:
            self.states.setFixedHeight(height)

    def _say(self, said: str) -> None:
        self.value.say(said)

    def _save(self) -> None:
        if self.plot is not None:
            self.save_asked.emit(self.plot)
