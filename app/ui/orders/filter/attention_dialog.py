"""The dialog for the rules of *Today* and *Needs attention*: each can be switched off, most have a number of days.

Beside each rule stands how much it finds, or would find if it were on. Invariant: a change holds at once and is saved
for this connection; there is nothing to confirm.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QLabel, QWidget

from app.desk.desk import Desk
from app.desk.reasons.reason_rules import ALL_RULES, LONGEST, Rule, save_rule
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.orders import orders_words as words
from app.ui.theme.tokens import ATTENTION_SIZE, SPACE_1, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button
from app.ui.widgets.choosing.number_box import NumberBox
from app.ui.widgets.layout import column, holding, resize_within_screen, row, scrolling
from app.ui.widgets.text.labels import text_label, visible


class AttentionDialog(QDialog):
    """`changed` is called when rules were saved, `failed` with a sentence when they were not and this is closed."""

    def __init__(
        self,
        parent: QWidget,
        tasks: Tasks,
        desk: Desk,
        rules: tuple[Rule, ...],
        changed: Callable[[], object],
        failed: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        # Callables and no signals: a rule may still be saved when the dialog is closed and deleted.
        self._tasks, self._desk, self._changed, self._failed = tasks, desk, changed, failed
        self._closed = False
        self._rules = {each.name: each for each in rules}
        self.switches: dict[str, QCheckBox] = {}
        self.limits: dict[str, NumberBox] = {}
        self.sentences: dict[str, QLabel] = {}
        self.trouble = text_label("", "error", wrap=True)
        self.counts: dict[str, QLabel] = {}
        self.scores: dict[str, NumberBox] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_3)
        grid.setVerticalSpacing(SPACE_3)
        grid.setColumnStretch(1, 1)
        for at, rule in enumerate(rules):
            self._add(grid, at, rule)
        close = button(translate("Close"), self.accept)
        reset = button(words.DEFAULT_RULES, self._reset)
        self.setLayout(
            column(
                text_label(words.RULES_TITLE, "title"),
                text_label(words.ANY_RULE, "soft"),
                scrolling(holding(grid, "surface"), "surface"),
                self.trouble,
                row(reset, None, close),
                margin=SPACE_4,
                gap=SPACE_3,
            )
        )
        resize_within_screen(self, *ATTENTION_SIZE)
        self.count()

    def _add(self, grid: QGridLayout, at: int, rule: Rule) -> None:
        switch = self.switches[rule.name] = QCheckBox(rule.title)
        switch.setChecked(rule.on)
        switch.setAccessibleDescription(rule.words())
        switch.toggled.connect(partial(self._on_switch, rule.name))
        sentence = self.sentences[rule.name] = text_label(rule.words(), "soft", wrap=True)
        grid.addWidget(switch, at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(sentence, at, 1)
        count = self.counts[rule.name] = text_label("", "soft")
        grid.addWidget(count, at, 3, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        boxes: list[NumberBox] = []
        if rule.days:
            limit = self.limits[rule.name] = NumberBox()
            limit.setRange(1, LONGEST)
            limit.setValue(rule.days)
            limit.setSuffix(words.days_suffix(rule.days))
            limit.setAccessibleName(words.days_of_rule(rule.title))
            limit.setEnabled(rule.on)
            limit.valueChanged.connect(partial(self._on_limit, rule.name))
            boxes.append(limit)
        if rule.score:
            boxes.append(self._make_score(rule))
        if boxes:
            # One below the other: two in one cell of the grid would lie upon each other where the row is low.
            grid.addLayout(column(*boxes, gap=SPACE_1), at, 2, Qt.AlignmentFlag.AlignTop)

    def _make_score(self, rule: Rule) -> NumberBox:
        score = self.scores[rule.name] = NumberBox()
        score.setRange(1, 100)
        score.setValue(rule.score)
        score.setSuffix(words.PERCENT)
        score.setAccessibleName(words.score_of_rule(rule.title))
        score.setEnabled(rule.on)
        score.valueChanged.connect(partial(self._on_score, rule.name))
        return score

    def _on_switch(self, name: str, on: bool) -> None:
        for each in (self.limits, self.scores):
            if name in each:
                each[name].setEnabled(on)
        self._set_rule(replace(self._rules[name], on=on))

    def _on_limit(self, name: str, days: int) -> None:
        self.limits[name].setSuffix(words.days_suffix(days))
        self._set_rule(replace(self._rules[name], days=days))

    def _on_score(self, name: str, score: int) -> None:
        self._set_rule(replace(self._rules[name], score=score))

    def _set_rule(self, rule: Rule) -> None:
        self._rules[rule.name] = rule
        self.sentences[rule.name].setText(visible(rule.words()))
        self.switches[rule.name].setAccessibleDescription(rule.words())
        self._tasks.write("keep rules", self._save())

    async def _save(self) -> None:
        # A second write of this name is dropped while the first runs, so the first goes on until all is saved.
        saved: dict[str, Rule] = {}
        while saved != self._rules:
            saved = dict(self._rules)
            try:
                for rule in saved.values():
                    await save_rule(self._desk, rule)
            except StoreError as error:
                self._say(words.rule_not_saved(error.sentence))
                return
        self._changed()
        self.count()

    def count(self) -> None:
        """Count what each rule finds, or would find."""
        if not self._closed:
            self._tasks.read("count rules", self._count())

    async def _count(self) -> None:
        from app.desk.today.board import count_by_rule  # nobody opens this before the first paint

        try:
            found = await count_by_rule(self._desk, tuple(self._rules.values()))
        except StoreError as error:
            self._say(error.sentence)
            return
        if not self._closed:
            for name, count in found.items():
                self.counts[name].setText(words.rule_finds(count, on=self._rules[name].on))

    def _say(self, sentence: str) -> None:
        if self._closed:
            self._failed(sentence)
        else:
            self.trouble.setText(visible(sentence))

    def done(self, result: int) -> None:
        self._closed = True
        super().done(result)

    def _reset(self) -> None:
        for rule in ALL_RULES:
            self.switches[rule.name].setChecked(rule.on)
            if rule.name in self.limits:
                self.limits[rule.name].setValue(rule.days)
            if rule.name in self.scores:
                self.scores[rule.name].setValue(rule.score)
